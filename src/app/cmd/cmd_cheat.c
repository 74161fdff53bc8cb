/*
 * cmd_cheat: `hotshard cheat [LESSON]`: a lesson's card, to be printed.
 */
#include "app/cmd/cli.h"
#include "app/cmd/json.h"
#include "app/folders.h"
#include <stdlib.h>

/* As json_set_text makes it. */
static void push_text(json_t *list, const char *text)
{
    json_t *holder = json_line();
    json_set_text(holder, "text", text);
    json_push(list, json_incref(json_object_get(holder, "text")));
    json_decref(holder);
}

static void print_json(const struct page *page, const struct page_card *card)
{
    json_t *line = json_line();
    json_t *blocks = json_array();
    json_set_text(line, "lesson", page->lesson_id);
    json_set_text(line, "title", page->lesson_title);
    for (size_t i = 0; i < card->blocks; i++) {
        json_t *block = json_line();
        json_t *lines = json_array();
        json_set_text(block, "title", card->block[i].title);
        for (size_t k = 0; k < card->block[i].lines; k++) {
            push_text(lines, card->block[i].line[k]);
        }
        json_set(block, "lines", lines);
        json_push(blocks, block);
    }
    json_set(line, "blocks", blocks);
    json_print(line);
}

static void print_text(const struct page_card *card)
{
    struct str out = STR_EMPTY;
    struct blocks_page *page = blocks_set(card->block, card->blocks, PAGE_CARD_COLUMNS);
    blocks_print(page, &out);
    cli_write(stdout, str_text(&out), out.length);
    blocks_free(page);
    str_free(&out);
}

/* The last lesson with a card, as the one that looks back on all of them; NULL: none has. */
static const struct lesson_entry *last_with_card(const struct lesson_index *index)
{
    const struct lesson_entry *found = NULL;
    for (size_t i = 0; i < index->count; i++) {
        found = index->entry[i].card ? &index->entry[i] : found;
    }
    return found;
}

/* The file; NULL with the reason. The caller frees it. */
static char *find_path(const struct cli *cli, struct err *err)
{
    const char *name = cli->arguments > 0 ? cli->argument[0] : NULL;
    struct lesson_index *index = name && folders_is_path(name) ? NULL : folders_load_index();
    char *path = NULL;
    if (name) {
        path = folders_lesson_path(index, name, false, err);
    } else {
        const struct lesson_entry *entry = last_with_card(index);
        if (entry) {
            path = folders_lesson_path(index, entry->id, false, err);
        } else {
            err_set(err, "no lesson here has a card; `hotshard cheat FILE` prints that of another");
        }
    }
    lesson_index_free(index);
    return path;
}

static int run_cheat(struct cli *cli)
{
    struct err err;
    if (cli->arguments > 1) {
        return cli_usage(cli, "cheat takes one lesson");
    }
    char *path = find_path(cli, &err);
    struct player *player = path ? player_open(path, cli->options.seed, &err) : NULL;
    const struct page_card *card = player ? player_card(player, &err) : NULL;
    int status = CLI_YES;
    if (!card) {
        status = cli_fail(&err);
    } else if (cli->options.json) {
        print_json(player_page(player), card);
    } else {
        print_text(card);
    }
    player_close(player);
    free(path);
    return status;
}

static const struct cli_option cheat_options[] = {{NULL, NULL, NULL}};

const struct cli_command command_cheat = {
    .name = "cheat",
    .arguments = "[LESSON]",
    .about = "the card of a lesson, one page to print",
    .help =
        "Prints the card of LESSON (file name, number or path): what it comes down to, on one "
        "page\n"
        "of 66 lines with 78 columns. Without LESSON the card of the last lesson that has one,\n"
        "which looks back on the whole course. Its numbers are the engine's.\n"
        "\n"
        "  hotshard cheat | lpr\n"
        "\n"
        "JSON, one line: lesson, title, blocks, a list in which each has title and lines.",
    .option = cheat_options,
    .run = run_cheat,
};
