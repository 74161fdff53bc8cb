/*
 * cmd_drill: `hotshard drill NAME`: one question with new numbers; with --answer, its grading.
 */
#include "app/cmd/cli.h"
#include "app/cmd/cmd_learn.h"
#include "app/cmd/text_json.h"
#include "app/cmd/text_run.h"
#include "app/folders.h"
#include "view/plain.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int list_drills(const struct cli *cli)
{
    struct lesson_index *index = folders_load_index();
    for (size_t i = 0; i < index->count; i++) {
        const struct lesson_entry *entry = &index->entry[i];
        if (!entry->drill) {
            continue;
        }
        if (cli->options.json) {
            json_t *line = json_line();
            json_set_text(line, "drill", entry->id);
            json_set_text(line, "title", entry->title);
            json_set_whole(line, "part", entry->part);
            json_print(line);
        } else {
            cli_print(stdout, "%-24s part %-4d %s\n", entry->id, entry->part, entry->title);
        }
    }
    lesson_index_free(index);
    return CLI_YES;
}

/* Goes to the drill's question; its steps before only tell. */
static bool find_question(struct player *player, struct err *err)
{
    for (int i = 0; i < 64; i++) {
        const struct page *page = player_page(player);
        if (page->question.kind != QUESTION_NONE) {
            return true;
        }
        if (page->running && !player_finish_run(player, err)) {
            return false;
        }
        if (player_forward(player, err) != PLAYER_MOVED) {
            break;
        }
    }
    return err_set(err, "this drill asks nothing that can be answered without a screen");
}

static void print_json(struct player *player, uint64_t seed, const char *right, bool graded)
{
    const struct page *page = player_page(player);
    const struct page_question *q = &page->question;
    char *ask = text_plain(q->ask);
    char *why = text_plain(graded && q->feedback ? q->feedback : "");
    json_t *line = json_line();
    json_set_text(line, "drill", page->lesson_id);
    json_set_whole(line, "seed", (int64_t)seed);
    json_set_text(line, "question", ask);
    json_set(line, "choices", text_json_choices(q));
    json_set_text(line, "answer", right);
    json_set(line, "correct", graded ? json_boolean(q->right) : json_null());
    json_set_text(line, "explanation", graded ? why : NULL);
    if (graded) {
        json_set_text(line, "answered", q->answer);
        json_set_text(line, "belief", q->belief && *q->belief ? q->belief : NULL);
    }
    json_print(line);
    free(ask);
    free(why);
}

static int grade(const struct cli *cli, struct player *player, const char *answer)
{
    struct err err;
    struct str right = STR_EMPTY;
    struct str out = STR_EMPTY;
    struct str told = STR_EMPTY;
    bool good = find_question(player, &err) && player_right_answer(player, &right, &err);
    if (good && !cli->options.json) {
        struct scene scene = text_scene(player);
        text_step_before(&out, &scene, &told);
        text_print(&out);
    }
    if (good && answer) {
        good = player_answer(player, answer, &err) &&
               (!player_page(player)->running || player_finish_run(player, &err));
    }
    if (good && cli->options.json) {
        print_json(player, cli->options.seed, str_text(&right), answer != NULL);
    } else if (good && answer) {
        struct scene scene = text_scene(player);
        text_step_after(&out, &scene, &told);
        text_print(&out);
    }
    int status = !good                                            ? cli_fail(&err)
                 : answer && !player_page(player)->question.right ? CLI_NO
                                                                  : CLI_YES;
    str_free(&told);
    str_free(&out);
    str_free(&right);
    return status;
}

static int run_in_lines(struct cli *cli)
{
    struct err err;
    struct lesson_index *index = folders_load_index();
    char *path = folders_lesson_path(index, cli->argument[0], true, &err);
    lesson_index_free(index);
    const char *answer = cli_value(cli, "answer");
    bool person =
        !answer && !cli->options.json && !cli->options.no_input && isatty(STDIN_FILENO) == 1;
    if (!path) {
        return cli_fail(&err);
    }
    if (!cli->options.seed_given && person) {
        cli->options.seed = (uint64_t)options_now(&cli->options); /* new numbers each time */
    }
    int status = CLI_CANNOT;
    struct player *player = player_open(path, cli->options.seed, &err);
    if (!player || player_fault(player, &err)) {
        status = cli_fail(&err);
    } else if (person) {
        struct text_run run = {.options = &cli->options, .answers = TEXT_ANSWERS_ASK};
        status = text_ask_play(&run, player);
    } else {
        status = grade(cli, player, answer);
    }
    if (player) {
        player_close(player);
    }
    free(path);
    return status;
}

static int run_drill(struct cli *cli)
{
    bool list = cli_has(cli, "list");
    bool answer = cli_has(cli, "answer");
    bool lines = list || answer || cli->options.json || cli->options.plain;
    if (list && (cli->arguments > 0 || answer)) {
        return cli_usage(cli, "drill takes --list or a name, not both");
    }
    if (!list && cli->arguments != 1) {
        return cli_usage(cli, "drill takes one name; --list shows them");
    }
    if (cli->options.script && (list || answer || cli->options.json)) {
        return cli_usage(cli, "option '--script' does not go with --list, --answer and --json");
    }
    if (lines && !cli->options.script) {
        return learn_no_journal(cli) != CLI_YES ? CLI_CANNOT
               : list                           ? list_drills(cli)
                                                : run_in_lines(cli);
    }
    struct learn_wish wish = {.drill = true, .name = cli->argument[0]};
    return learn_run(cli, &wish);
}

static const struct cli_option drill_options[] = {
    {"answer", "A", "grade this answer: a choice's digit, a number, a word"},
    {"list", NULL, "the drills there are"},
    {NULL, NULL, NULL},
};

const struct cli_command command_drill = {
    .name = "drill",
    .arguments = "NAME",
    .about = "one question with new numbers, and why",
    .help = "Opens a drill on the full screen; with --plain, --json or --answer in lines. A wrong\n"
            "--answer gives exit status 1. --seed N gives the same question again.\n"
            "\n"
            "JSON: drill, seed, question, choices, answer (the right one), correct, explanation.",
    .option = drill_options,
    .run = run_drill,
    .screens = true,
};
