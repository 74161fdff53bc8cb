/*
 * cmd_lesson: the author's kit: `hotshard lesson new NAME` and `hotshard lesson check FILE...`.
 */
#include "app/cmd/cli.h"
#include "app/cmd/json.h"
#include "app/glossary/glossary_stage.h"
#include "app/ui.h"
#include "base/alloc.h"
#include "lesson/lint.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS_MAX 1000000

static int new_lesson(struct cli *cli)
{
    struct err err;
    if (cli->arguments != 2) {
        return cli_usage(cli, "lesson new takes one name");
    }
    const char *id = cli->argument[1];
    struct str path = STR_EMPTY;
    str_addf(&path, "%s.lua", id);
    int status = CLI_YES;
    if (strlen(id) > 64 || strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_-") != strlen(id) ||
        !*id) {
        err_set(&err, "\"%s\" cannot name a lesson; use a-z, 0-9, _ and -, at most 64",
                err_word(id, 64).text);
        status = cli_fail(&err);
    } else if (!lesson_write_new(str_text(&path), id, &err)) {
        status = cli_fail(&err);
    } else if (cli->options.json) {
        json_t *line = json_line();
        json_set_text(line, "file", str_text(&path));
        json_print(line);
    } else {
        cli_print(
            stdout,
            "%s is written. hotshard learn ./%s opens it, hotshard lesson check %s proves it.\n",
            str_text(&path), str_text(&path), str_text(&path));
    }
    str_free(&path);
    return status;
}

static void print_finding(const struct lint_finding *f, bool json)
{
    const char *severity = f->severity == LINT_ERROR ? "error" : "warning";
    if (json) {
        json_t *line = json_line();
        json_set_text(line, "file", f->file);
        json_set_whole(line, "line", f->line);
        json_set_text(line, "severity", severity);
        json_set_text(line, "message", f->message);
        json_print(line);
    } else {
        cli_print(stdout, "%s:%d: %s: %s\n", f->file, f->line, severity, f->message);
    }
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* Commitments: questions and tasks that are in the way. */
static void print_summary(const char *path, const struct lint_report *r)
{
    cli_print(stdout, "%s: %zu error%s", path, r->errors, plural(r->errors));
    if (r->steps > 0) {
        cli_print(stdout,
                  ", %zu step%s, %zu question%s, %zu task%s, core path %d:%02d, longest read %d s, "
                  "a commitment every %d s",
                  r->steps, plural(r->steps), r->questions, plural(r->questions), r->tasks,
                  plural(r->tasks), r->core_seconds / 60, r->core_seconds % 60,
                  r->longest_read_seconds,
                  r->core_commitments > 0 ? r->core_seconds / (int)r->core_commitments : 0);
    }
    if (r->steps > 0) {
        cli_print(stdout, ", responding %zu, changing %zu, constructing %zu, presenting %zu",
                  r->responding, r->changing, r->constructing, r->presenting);
    }
    if (r->seeds > 0) {
        cli_print(stdout, ", %llu seed%s", (unsigned long long)r->seeds, plural((size_t)r->seeds));
    }
    cli_print(stdout, "\n");
}

static void print_fault(const struct cli *cli, const char *path, int line, const char *text)
{
    char *file = xstrdup(path), *message = xstrdup(text);
    print_finding(&(struct lint_finding){file, line, LINT_ERROR, message}, cli->options.json);
    free(file);
    free(message);
}

/* A glossary: its entries are read and all their pictures made. The number of its faults. */
static size_t check_glossary(const struct cli *cli, const char *path)
{
    struct err err;
    struct glossary *g = glossary_load(path, &err);
    if (!g) {
        print_fault(cli, path, 1, err.text);
        return 1;
    }
    struct glossary_stage *stage = glossary_stage_new();
    glossary_judge_pictures(g, &(struct glossary_judge){glossary_stage_can_show, stage});
    for (size_t i = 0; i < g->faults; i++) {
        print_fault(cli, path, g->fault[i].line, g->fault[i].text);
    }
    if (!cli->options.json) {
        cli_print(stdout, "%s: %zu error%s, %zu term%s\n", path, g->faults, plural(g->faults),
                  g->count, plural(g->count));
    }
    size_t faults = g->faults;
    glossary_stage_free(stage);
    glossary_free(g);
    return faults;
}

static bool is_glossary(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".txt") == 0;
}

static int check_lessons(struct cli *cli)
{
    size_t errors = 0;
    struct err err;
    struct lint_wish wish = {.glossary = cli_value(cli, "glossary"), .rows = screen_learn_rows};
    if (cli->arguments < 2) {
        return cli_usage(cli, "lesson check takes one or more files");
    }
    if (!cli_number(cli, "seeds", 1, SEEDS_MAX, LINT_SEEDS, &wish.seeds, &err)) {
        return cli_fail(&err);
    }
    for (size_t i = 1; i < cli->arguments; i++) {
        const char *path = cli->argument[i];
        if (is_glossary(path)) {
            errors += check_glossary(cli, path);
            continue;
        }
        struct lint_report *r = cli_has(cli, "only-seeds") ? lesson_check_seeds(path, wish.seeds)
                                                           : lesson_check_as(path, &wish);
        for (size_t f = 0; f < r->count; f++) {
            print_finding(&r->finding[f], cli->options.json);
        }
        if (!cli->options.json) {
            print_summary(path, r);
        }
        errors += r->errors;
        lint_report_free(r);
    }
    return errors > 0 ? CLI_NO : CLI_YES;
}
static int run_lesson(struct cli *cli)
{
    const char *what = cli->arguments > 0 ? cli->argument[0] : "";
    if (strcmp(what, "new") == 0) {
        return new_lesson(cli);
    }
    if (strcmp(what, "check") == 0) {
        return check_lessons(cli);
    }
    return cli_usage(cli, "lesson takes new NAME or check FILE..., not \"%s\"",
                     err_word(what, 40).text);
}

static const struct cli_option lesson_options[] = {
    {"seeds", "N", "of a drill, try so many seeds (40)"},
    {"only-seeds", NULL, "of a drill, do nothing else"},
    {"glossary", "FILE", "where [[terms]] are looked up (assets/glossary.txt beside lessons/)"},
    {NULL, NULL, NULL},
};

const struct cli_command command_lesson = {
    .name = "lesson",
    .arguments = "new NAME | check FILE...",
    .about = "write a lesson of your own, and prove it",
    .help =
        "new writes NAME.lua, a small lesson that works, into the present folder. check plays "
        "each\n"
        "FILE and proves it: every step is reached, every number is what the engine gives, wrong\n"
        "answers are wrong, the text fits; of a drill over many seeds. The summary counts the "
        "steps\n"
        "by what the learner does: responds, changes, constructs, presents. A FILE that ends in\n"
        ".txt is a glossary: its entries are read and their pictures made. Exit status 1 when\n"
        "there are errors.\n"
        "\n"
        "JSON: file, line, severity, message.",
    .option = lesson_options,
    .run = run_lesson,
};
