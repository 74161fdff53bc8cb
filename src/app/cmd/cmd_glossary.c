/*
 * cmd_glossary: `hotshard glossary [TERM]`: one term with its picture in words, or all of them.
 */
#include "app/cmd/cmd_glossary.h"
#include "app/cmd/cli.h"
#include "app/cmd/json.h"
#include "app/folders.h"
#include "app/glossary/glossary_stage.h"
#include "base/alloc.h"
#include "base/utf8.h"
#include "draw/prose.h"
#include "view/plain.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_COLUMNS 78
#define INDENT 2
#define NAME_COLUMNS 22 /* of the list; a longer name has a line of its own */
#define WORD_COLUMNS 60
#define ONE_LINE 100000 /* columns: a definition is not broken */

/* The picture in words; the stage has it. */
static bool tell_picture(const struct glossary_entry *e, struct str *out, struct err *err)
{
    struct glossary_stage *stage = glossary_stage_new();
    bool good = glossary_stage_begin(stage, e, err) && glossary_stage_finish(stage, err);
    if (good) {
        plain_pictures(out, glossary_stage_scene(stage), 0);
    }
    glossary_stage_free(stage);
    return good;
}

static void add_list(struct str *out, const struct glossary_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        str_addf(out, "%s%s", i > 0 ? ", " : "", list->item[i]);
    }
}

/* --- JSON --------------------------------------------------------------------------------------
 */

static void set_list(json_t *line, const char *name, const struct glossary_list *list)
{
    json_t *array = json_array();
    for (size_t i = 0; i < list->count; i++) {
        json_push(array, json_string(list->item[i]));
    }
    json_set(line, name, array);
}

static json_t *json_entry(const struct glossary_entry *e)
{
    json_t *line = json_line();
    struct str say = STR_EMPTY;
    prose_plain(&say, e->say, ONE_LINE, 0);
    say.length -= say.length > 0; /* its newline */
    json_set_text(line, "term", e->term);
    set_list(line, "also", &e->also);
    json_set_whole(line, "part", e->part);
    json_set_bytes(line, "say", (struct bytes){str_text(&say), say.length});
    set_list(line, "see", &e->see);
    json_set_text(line, "show", e->show);
    str_free(&say);
    return line;
}

/* --- text --------------------------------------------------------------------------------------
 */

static void print_entry(const struct glossary_entry *e, const struct str *picture)
{
    struct str text = STR_EMPTY, out = STR_EMPTY;
    struct lesson_index *index = folders_load_index();
    const char *title = NULL;
    for (size_t i = 0; i < index->count; i++) {
        if (!index->entry[i].drill && index->entry[i].part == e->part && !title) {
            title = index->entry[i].title;
        }
    }
    str_addf(&text, "%s\n\n", e->say);
    if (e->also.count > 0) {
        str_add(&text, "Also: ");
        add_list(&text, &e->also);
        str_add(&text, "\n\n");
    }
    str_addf(&text, title ? "Part %d, %s" : "Part %d", e->part, title);
    if (e->see.count > 0) {
        str_add(&text, "\n\nSee: ");
        add_list(&text, &e->see);
    }
    str_addf(&out, "%s\n", e->term);
    prose_plain(&out, str_text(&text), LINE_COLUMNS, INDENT);
    str_addc(&out, '\n');
    cli_write(stdout, str_text(&out), out.length);
    cli_write(stdout, str_text(picture), picture->length);
    lesson_index_free(index);
    str_free(&text);
    str_free(&out);
}

/* The name, and behind it the first sentence. */
static void print_row(const struct glossary_entry *e)
{
    char *sentence = xstrndup(e->say, glossary_first_sentence(e->say));
    struct str lines = STR_EMPTY, out = STR_EMPTY;
    int columns = utf8_columns(e->term, strlen(e->term));
    prose_plain(&lines, sentence, LINE_COLUMNS, NAME_COLUMNS + 1);
    str_add(&out, e->term);
    if (columns > NAME_COLUMNS) {
        str_addf(&out, "\n%s", str_text(&lines));
    } else {
        str_add(&out, str_text(&lines) + columns);
    }
    cli_write(stdout, str_text(&out), out.length);
    free(sentence);
    str_free(&lines);
    str_free(&out);
}

static int print_all(const struct glossary *g, bool json)
{
    for (size_t i = 0; i < g->count; i++) {
        if (json) {
            json_print(json_entry(&g->entry[i]));
        } else {
            print_row(&g->entry[i]);
        }
    }
    return CLI_YES;
}

static int refuse_term(const struct glossary *g, const char *name)
{
    struct err err;
    const char *near = glossary_near(g, name);
    struct err_word word = err_word(name, WORD_COLUMNS);
    if (near) {
        err_set(&err, "no term is called \"%s\", did you mean \"%s\"?", word.text, near);
    } else {
        err_set(&err, "no term is called \"%s\"; hotshard glossary lists them", word.text);
    }
    return cli_fail(&err);
}

static int print_one(const struct glossary *g, const char *name, bool json)
{
    struct err err;
    struct str picture = STR_EMPTY;
    size_t found = glossary_find(g, name);
    if (found == GLOSSARY_NONE) {
        return refuse_term(g, name);
    }
    const struct glossary_entry *e = &g->entry[found];
    if (!tell_picture(e, &picture, &err)) {
        err_prefix(&err, "%s:%d", g->path, e->line[ENTRY_SHOW]);
        return cli_fail(&err);
    }
    if (json) {
        json_t *line = json_entry(e);
        json_set_text(line, "picture", str_text(&picture));
        json_print(line);
    } else {
        print_entry(e, &picture);
    }
    str_free(&picture);
    return CLI_YES;
}

bool glossary_has(const char *name)
{
    struct err err;
    char *path = folders_glossary_path(&err);
    struct glossary *g = path ? glossary_load(path, &err) : NULL;
    bool found = g && glossary_find(g, name) != GLOSSARY_NONE;
    glossary_free(g);
    free(path);
    return found;
}

int glossary_tell(const char *name, bool json)
{
    struct err err;
    char *path = folders_glossary_path(&err);
    struct glossary *g = path ? glossary_load(path, &err) : NULL;
    int status = CLI_CANNOT;
    if (!g || !glossary_good(g, &err)) {
        status = cli_fail(&err);
    } else if (*name == '\0') {
        status = print_all(g, json);
    } else {
        status = print_one(g, name, json);
    }
    glossary_free(g);
    free(path);
    return status;
}

/* A term of several words may be written without quotes. */
static int run_glossary(struct cli *cli)
{
    struct str name = STR_EMPTY;
    for (size_t i = 0; i < cli->arguments; i++) {
        str_addf(&name, "%s%s", name.length > 0 ? " " : "", cli->argument[i]);
    }
    if (cli->arguments > 0 && name.length == 0) { /* an empty term is not "all" */
        struct err err;
        str_free(&name);
        err_set(&err, "the term is empty; hotshard glossary lists all terms");
        return cli_fail(&err);
    }
    int status = glossary_tell(str_text(&name), cli->options.json);
    str_free(&name);
    return status;
}

const struct cli_command command_glossary = {
    .name = "glossary",
    .arguments = "[TERM]",
    .about = "what a term means, with a picture from a run, in words",
    .help =
        "Prints the definition of TERM, its other names, the part that teaches it, related terms,\n"
        "and its picture in words. Any of its names will do, in small or capital letters, in the\n"
        "singular or plural. Without TERM: all terms with their first sentences. On the screen w\n"
        "opens the glossary, from the course and from every step.\n"
        "\n"
        "  hotshard glossary hash slot\n"
        "\n"
        "JSON, one object a term: term, also, part, say, see, show (the picture's name); with\n"
        "TERM also picture (in words).",
    .run = run_glossary,
};
