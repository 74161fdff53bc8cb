/*
 * cmd_check: `hotshard check PROTOCOL`: every order of a protocol's steps is looked at, and without
 * one of its rules the shortest way to what goes wrong is told; with --replay it is played in a
 * world too.
 */
#include "app/cmd/cmd_check.h"
#include "app/check/check_find.h"
#include "app/cmd/cmd_learn.h"
#include "app/cmd/json.h"
#include "base/near.h"
#include "base/num.h"
#include "check/models.h"
#include "term/term.h"
#include <stdio.h>
#include <string.h>

#define PROTOCOLS_MAX 32
#define STATES_MOST 100000000
#define MS_MOST 86400000
#define HELP_COLUMNS 80
#define NS_PER_SECOND 1e9

/* "unknown WHAT "name", did you mean ...? There are ..." */
static bool refuse_name(const char *what, const char *name, const char *const *names, size_t count,
                        struct err *err)
{
    struct str list = STR_EMPTY;
    const char *near = near_name(name, names, count);
    for (size_t i = 0; i < count; i++) {
        str_addf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    if (near) {
        err_set(err, "unknown %s \"%s\", did you mean %s? There are: %s", what,
                err_word(name, 60).text, near, str_text(&list));
    } else {
        err_set(err, "unknown %s \"%s\"; there are: %s", what, err_word(name, 60).text,
                str_text(&list));
    }
    str_free(&list);
    return false;
}

static bool find_model(const char *name, const struct check_model **model, struct err *err)
{
    const char *names[PROTOCOLS_MAX];
    size_t count = 0;
    *model = check_model_by_name(name);
    for (size_t i = 0; check_model_at(i) && count < PROTOCOLS_MAX; i++) {
        names[count++] = check_model_at(i)->name;
    }
    return *model || refuse_name("protocol", name, names, count, err);
}

static bool read_rules(struct check_job *job, struct err *err)
{
    job->scope.rules = CHECK_RULES_ALL;
    for (size_t n = 0; cli_values(job->cli, "without", n); n++) {
        const char *name = cli_values(job->cli, "without", n);
        uint32_t bit = 0;
        if (!check_rule_by_name(job->model, name, &bit)) {
            const char *names[CHECK_RULES_MAX];
            size_t count = check_rules(job->model);
            for (size_t i = 0; i < count; i++) {
                names[i] = job->model->rule[i].name;
            }
            return refuse_name("rule", name, names, count, err);
        }
        job->scope.rules &= ~bit;
    }
    return true;
}

/* --size, --states, --ms. */
static bool read_bounds(struct check_job *job, struct err *err)
{
    const char *size = cli_value(job->cli, "size");
    uint64_t ms = 0;
    job->options = check_interactive();
    if (size && strcmp(size, "small") != 0 && strcmp(size, "large") != 0) {
        return err_set(err, "--size is small or large, not \"%s\"", err_word(size, 40).text);
    }
    job->sized = size != NULL;
    job->scope.size =
        size && strcmp(size, "small") == 0 ? job->model->size_small : job->model->size_large;
    if (!cli_number(job->cli, "states", 1, STATES_MOST, job->options.states_max,
                    &job->options.states_max, err) ||
        !cli_number(job->cli, "ms", 1, MS_MOST, 0, &ms, err)) {
        return false;
    }
    job->options.ms_max = (uint32_t)ms;
    return true;
}

/* The world in which what is left out is shown, unless one was asked for. */
static void choose_scope(struct check_job *job)
{
    struct check_scope chosen;
    bool less = job->scope.rules != CHECK_RULES_ALL;
    const char *apart = check_scope_of(job->model, job->scope.rules, !less, &chosen);
    job->scope.judge = chosen.judge;
    if (!job->sized) {
        job->scope.size = chosen.size;
        job->apart = apart;
    }
}

/* With a rule left out the small world gives the shorter way; only the large one says that the
 * rule is not needed. And what a learner is shown is what a client would notice; that all is well
 * must be true for somebody who sees all nodes as well. */
static void search(struct check_job *job)
{
    int64_t start = clock_ns();
    bool less = job->scope.rules != CHECK_RULES_ALL;
    choose_scope(job);
    job->result = check_search(job->model, &job->scope, &job->options);
    if (less && !job->sized && job->result.verdict == CHECK_HOLDS) {
        job->apart = NULL;
        job->scope.size = job->model->size_large;
        job->scope.judge = CHECK_BOTH;
        job->result = check_search(job->model, &job->scope, &job->options);
    }
    job->seconds = (double)(clock_ns() - start) / NS_PER_SECOND;
    if (job->result.verdict == CHECK_FAILS) {
        job->part = check_part(job->model, &job->scope, &job->result, CHECK_RULES_ALL);
    }
    if (less && job->result.verdict == CHECK_HOLDS) {
        job->instead = check_instead(job->model, job->scope.rules, NULL);
    }
}

static bool play(struct check_job *job, struct err *err)
{
    if (!cli_has(job->cli, "replay")) {
        return true;
    }
    if (job->result.verdict != CHECK_FAILS) {
        cli_note("--replay plays the way to a failure; none was found, so nothing is played%s",
                 job->scope.rules == CHECK_RULES_ALL ? "; leave a rule out with --without" : "");
        return true;
    }
    job->pair.part = job->part;
    job->replays =
        check_replay_play(job->model, &job->scope, &job->result, 0, &job->pair.less, err) &&
        check_replay_play(job->model, &job->scope, &job->result, REPLAY_EVERY_RULE, &job->pair.full,
                          err);
    return job->replays;
}

/* Which protocols a world plays: "a, b and c", or those that none does. */
static void list_played(bool played, struct str *list)
{
    const char *before = NULL;
    for (size_t i = 0; check_model_at(i); i++) {
        if (check_replay_can(check_model_at(i)) != played) {
            continue;
        }
        if (before) {
            str_addf(list, "%s%s", list->length > 0 ? ", " : "", before);
        }
        before = check_model_at(i)->name;
    }
    if (before) {
        str_addf(list, "%s%s", list->length > 0 ? " and " : "", before);
    }
}

static bool can_play(const struct check_job *job, struct err *err)
{
    if (!cli_has(job->cli, "replay") || check_replay_can(job->model)) {
        return true;
    }
    struct str list = STR_EMPTY;
    list_played(true, &list);
    err_set(err, "no world plays %s; --replay is for: %s", job->model->name, str_text(&list));
    str_free(&list);
    return false;
}

static int list_models(bool json)
{
    for (size_t i = 0; check_model_at(i); i++) {
        const struct check_model *model = check_model_at(i);
        json_t *rules = json ? json_array() : NULL;
        if (!json) {
            printf("%s%s: %s\n", i > 0 ? "\n" : "", model->name, model->about);
        }
        for (size_t j = 0; model->rule[j].name; j++) {
            if (json) {
                json_push(rules, json_string(model->rule[j].name));
            } else {
                printf("  %-30s %s\n", model->rule[j].name, model->rule[j].demands);
            }
        }
        if (json) {
            json_t *line = json_line();
            json_set_text(line, "protocol", model->name);
            json_set(line, "rules", rules);
            json_print(line);
        }
    }
    return CLI_YES;
}

/* Nothing is said of what to check, and there is somebody to choose. */
static bool wants_screen(const struct cli *cli)
{
    struct err err;
    const struct options *o = &cli->options;
    bool lines = o->plain || o->json || cli->given_count > 0 || cli->arguments > 0;
    return !lines && (o->script || term_possible(&err));
}

static int run_check(struct cli *cli)
{
    struct err err;
    struct check_job job = {.cli = cli};
    if (cli_has(cli, "list")) {
        return cli->arguments == 0 && cli->given_count == 1
                   ? list_models(cli->options.json)
                   : cli_usage(cli, "--list stands alone: it names every protocol and its rules");
    }
    if (wants_screen(cli)) {
        struct learn_wish wish = {.check = true};
        return learn_run(cli, &wish);
    }
    if (cli->arguments != 1) {
        return cli_usage(cli, "check takes one protocol; --list names them");
    }
    if (cli->options.script || cli->options.journal) {
        return cli_usage(cli, "with a protocol check tells in lines; the screen opens without one");
    }
    if (!find_model(cli->argument[0], &job.model, &err) || !read_rules(&job, &err) ||
        !read_bounds(&job, &err) || !can_play(&job, &err)) {
        return cli_fail(&err);
    }
    search(&job);
    if (!play(&job, &err)) {
        cli_note("this way is not played in a world: %s", err.text);
    }
    if (cli->options.json) {
        check_job_json(&job);
    } else {
        check_job_text(&job);
    }
    enum check_verdict verdict = job.result.verdict;
    check_result_free(&job.result);
    check_replay_free(&job.pair.less);
    check_replay_free(&job.pair.full);
    return verdict == CHECK_HOLDS ? CLI_YES : verdict == CHECK_FAILS ? CLI_NO : CLI_CANNOT;
}

/* In lines of at most HELP_COLUMNS, broken between words. */
static void print_wrapped(const char *text)
{
    size_t column = 0;
    while (*text) {
        size_t length = strcspn(text, " ");
        if (column > 0 && column + 1 + length > HELP_COLUMNS) {
            putchar('\n');
            column = 0;
        }
        column += (size_t)printf("%s%.*s", column > 0 ? " " : "", (int)length, text);
        text += length + (text[length] == ' ');
    }
    putchar('\n');
}

/* For the help. */
static void print_played(void)
{
    struct str played = STR_EMPTY;
    struct str others = STR_EMPTY;
    list_played(true, &played);
    list_played(false, &others);
    puts("\n--replay is for:");
    str_addc(&played, '.');
    print_wrapped(str_text(&played));
    if (others.length > 0) {
        struct str text = STR_EMPTY;
        str_addf(&text, "No world plays %s. When nothing fails there is nothing to be played.",
                 str_text(&others));
        print_wrapped(str_text(&text));
        str_free(&text);
    }
    str_free(&played);
    str_free(&others);
}

static const struct cli_option check_cli_options[] = {
    {"without", "RULE", "leave this rule out (may be given more than once)"},
    {"replay", NULL, "play the failure in a world, then with every rule"},
    {"size", "small|large", "the smallest world that shows each rule, or more"},
    {"states", "N", "look at N states at most (default 1000000)"},
    {"ms", "N", "for N milliseconds at most"},
    {"list", NULL, "name every protocol with its rules"},
    {NULL, NULL, NULL},
};

const struct cli_command command_check = {
    .name = "check",
    .arguments = "[PROTOCOL]",
    .about = "every order of a protocol's steps, and what breaks without a rule",
    .help =
        "Looks at every state that a small world of the protocol can reach, whatever the order of\n"
        "its steps. Without one of its rules: the shortest way to what goes wrong, step by step.\n"
        "Without PROTOCOL on a terminal: the same on the full screen, rules switched by a key.\n"
        "\n"
        "  hotshard check two-phase-commit --without all-votes-needed\n"
        "  hotshard check fence-and-flip --without fence --replay\n"
        "\n"
        "Without --size: the larger world when all rules hold; else the smallest, and the larger\n"
        "one as well when nothing fails in that. A search that is cut, for want of room or time,\n"
        "promises nothing about what it has not looked at.\n"
        "\n"
        "Exit status: 0 it holds, 1 it fails, 2 it could not be said.\n"
        "JSON: protocol, without, holds (true, false, null when the search was cut), cut,\n"
        "redundant (holds though rules were left out; then instead: the rules that do their\n"
        "work), states, depth (steps to the failure, or to the farthest state), seconds, size\n"
        "(null: a world of the rule's own), why_cut (room or time), met and not_met (situations\n"
        "that matter; null when it fails), steps (each with actor, action, detail); with\n"
        "--replay: replayed (null when nothing fails): verdict of the world, same (as the\n"
        "model's, and with every rule it stops where the model does and nothing is lost),\n"
        "failure (what is broken, in words), returned and due of a read (null without one),\n"
        "invariant, stopped (that step), lines; with --list: protocol, rules.",
    .help_more = print_played,
    .option = check_cli_options,
    .run = run_check,
    .screens = true,
};
