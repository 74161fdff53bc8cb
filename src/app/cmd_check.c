/*
 * cmd_check: `hotshard check PROTOCOL`: every order of a protocol's steps is looked at, and without
 * one of its rules the shortest way to what goes wrong is told; with --replay it is played in a
 * world too.
 */
#include "app/check_replay_print.h"
#include "app/cli.h"
#include "app/json.h"
#include "base/near.h"
#include "base/num.h"
#include "check/models.h"
#include "check/search.h"
#include <stdio.h>
#include <string.h>

#define PROTOCOLS_MAX 32
#define NS_PER_SECOND 1e9

struct check_job {
    const struct cli *cli;
    const struct check_model *model;
    struct check_scope scope;
    struct check_result result;
    const char *apart; /* why another world than the smallest is shown; NULL: it is not */
    uint32_t instead;  /* rules that do the work of those left out, a bit each */
    double seconds;
    /* --replay, of a result that fails: without the rules, and with every one. */
    bool replays;
    struct replay_pair pair;
};

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

/* The world in which what is left out is shown. */
static void choose_scope(struct check_job *job)
{
    const struct check_model *model = job->model;
    bool less = job->scope.rules != CHECK_RULES_ALL;
    job->scope.size = less ? model->size_small : model->size_large;
    job->scope.judge = less ? CHECK_OUTSIDE : CHECK_BOTH;
    for (size_t i = 0; model->apart && model->apart[i].rule; i++) {
        uint32_t bit = 0;
        CHECK(check_rule_by_name(model, model->apart[i].rule, &bit));
        if (job->scope.rules == (CHECK_RULES_ALL & ~bit)) {
            job->scope.size = model->apart[i].size;
            job->apart = model->apart[i].why;
        }
    }
}

static bool fails_small(const struct check_model *model, uint32_t rules)
{
    struct check_options options = check_interactive();
    struct check_scope scope = {.rules = rules, .size = model->size_small, .judge = CHECK_OUTSIDE};
    struct check_result result = check_search(model, &scope, &options);
    bool fails = result.verdict == CHECK_FAILS;
    check_result_free(&result);
    return fails;
}

/* Rules that do nothing else visible than the work of those left out: missed together they fail,
 * and none alone. */
static uint32_t find_instead(const struct check_model *model, uint32_t rules)
{
    uint32_t instead = 0;
    for (size_t i = 0; model->rule[i].name; i++) {
        uint32_t bit = UINT32_C(1) << i;
        if ((rules & bit) != 0 && fails_small(model, rules & ~bit) &&
            !fails_small(model, CHECK_RULES_ALL & ~bit)) {
            instead |= bit;
        }
    }
    return instead;
}

/* With a rule left out the small world gives the shorter way; only the large one says that the
 * rule is not needed. And what a learner is shown is what a client would notice; that all is well
 * must be true for somebody who sees all nodes as well. */
static void search(struct check_job *job)
{
    struct check_options options = check_interactive();
    int64_t start = clock_ns();
    bool less = job->scope.rules != CHECK_RULES_ALL;
    choose_scope(job);
    job->result = check_search(job->model, &job->scope, &options);
    if (less && job->result.verdict == CHECK_HOLDS) {
        job->apart = NULL;
        job->scope.size = job->model->size_large;
        job->scope.judge = CHECK_BOTH;
        job->result = check_search(job->model, &job->scope, &options);
    }
    job->seconds = (double)(clock_ns() - start) / NS_PER_SECOND;
    if (less && job->result.verdict == CHECK_HOLDS) {
        job->instead = find_instead(job->model, job->scope.rules);
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
    job->pair.named = check_replay_named(job->model, &job->scope, &job->result);
    job->replays =
        check_replay_play(job->model, &job->scope, &job->result, 0, &job->pair.less, err) &&
        check_replay_play(job->model, &job->scope, &job->result, REPLAY_EVERY_RULE, &job->pair.full,
                          err);
    return job->replays;
}

static bool can_play(const struct check_job *job, struct err *err)
{
    const char *names[PROTOCOLS_MAX];
    size_t count = 0;
    if (!cli_has(job->cli, "replay") || check_replay_can(job->model)) {
        return true;
    }
    struct str list = STR_EMPTY;
    for (size_t i = 0; check_model_at(i) && count < PROTOCOLS_MAX; i++) {
        if (check_replay_can(check_model_at(i))) {
            names[count++] = check_model_at(i)->name;
        }
    }
    for (size_t i = 0; i < count; i++) {
        str_addf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    err_set(err, "no world plays %s; --replay is for: %s", job->model->name, str_text(&list));
    str_free(&list);
    return false;
}

static void tell_step(const struct check_job *job, uint32_t step, struct check_told *told)
{
    unsigned char state[CHECK_STATE_MAX];
    const struct check_result *r = &job->result;
    check_replay(job->model, &job->scope, r->start, r->action, step, state);
    *told = (struct check_told){.actor = ""};
    job->model->tell(&job->scope, state, r->action[step], told);
}

static const char *broken_promise(const struct check_job *job)
{
    if (job->result.broken == CHECK_STUCK) {
        return "nothing can happen any more, and it is not finished";
    }
    return job->result.broken == CHECK_DEAD ? "from here on it can never be finished"
                                            : job->model->broken(job->result.broken);
}

/* The names of rules, a bit each. */
static json_t *json_of_rules(const struct check_model *model, uint32_t rules)
{
    json_t *names = json_array();
    for (size_t i = 0; model->rule[i].name; i++) {
        if (rules >> i & 1) {
            json_push(names, json_string(model->rule[i].name));
        }
    }
    return names;
}

static void print_json(const struct check_job *job)
{
    const struct check_result *r = &job->result;
    bool cut = r->verdict == CHECK_CUT;
    json_t *line = json_line();
    json_t *steps = json_array();
    json_t *replayed = NULL;
    if (cli_has(job->cli, "replay")) {
        replayed = job->replays ? replay_json(&job->pair) : json_null();
    }
    for (uint32_t i = 0; r->verdict == CHECK_FAILS && i < r->depth; i++) {
        struct check_told told;
        json_t *step = json_line();
        tell_step(job, i, &told);
        json_set_text(step, "actor", told.actor);
        json_set_text(step, "action", told.action);
        json_set_text(step, "detail", told.detail);
        json_push(steps, step);
    }
    bool holds = r->verdict == CHECK_HOLDS;
    bool redundant = holds && job->scope.rules != CHECK_RULES_ALL;
    json_set_text(line, "protocol", job->model->name);
    json_set(line, "without", json_of_rules(job->model, ~job->scope.rules));
    json_set(line, "holds", cut ? json_null() : json_boolean(holds));
    json_set(line, "cut", json_boolean(cut));
    json_set(line, "redundant", cut ? json_null() : json_boolean(redundant));
    if (redundant) {
        json_set(line, "instead", json_of_rules(job->model, job->instead));
    }
    json_set_whole(line, "states", (int64_t)r->states);
    json_set_whole(line, "depth", r->depth);
    json_set_ratio(line, "seconds", job->seconds);
    json_set(line, "steps", steps);
    if (replayed) {
        json_set(line, "replayed", replayed);
    }
    json_print(line);
}

/* Who takes part: "2 managers". */
static const char *world_of(const struct check_job *job, char *text, size_t room)
{
    if (job->model->say_size) {
        job->model->say_size(job->scope.size, text, room);
    } else {
        (void)snprintf(text, room, "%u %s", (unsigned)job->scope.size, job->model->size_of);
    }
    return text;
}

/* Where the protocol as it should be would have stopped this. */
static void print_refused(const struct check_job *job)
{
    unsigned char state[CHECK_STATE_MAX];
    const struct check_result *r = &job->result;
    struct check_scope whole = {.rules = CHECK_RULES_ALL, .size = job->scope.size};
    size_t taken = check_replay(job->model, &whole, r->start, r->action, r->depth, state);
    if (taken < r->depth) {
        printf("\nWith every rule in place, step %zu is refused.\n", taken + 1);
    } else {
        uint32_t step = check_replay_named(job->model, &job->scope, r);
        struct check_told told = {.actor = ""};
        if (step > 0) {
            check_replay(job->model, &whole, r->start, r->action, step - 1, state);
            job->model->tell(&whole, state, r->action[step - 1], &told);
            printf("\nWith every rule in place, step %u goes otherwise: %s %s.\n%s\n",
                   (unsigned)step, told.actor, told.action, told.detail);
        }
    }
    for (size_t i = 0; job->model->rule[i].name; i++) {
        if (!(job->scope.rules >> i & 1)) {
            printf("The rule %s: %s\n", job->model->rule[i].name, job->model->rule[i].demands);
        }
    }
}

static void print_steps(const struct check_job *job)
{
    const struct check_result *r = &job->result;
    char world[128];
    if (job->apart) {
        printf("\n%s\n", job->apart);
    }
    printf("\nThe shortest way there has %u step%s, with %s:\n", (unsigned)r->depth,
           r->depth == 1 ? "" : "s", world_of(job, world, sizeof world));
    if (job->replays) {
        replay_print_before(&job->pair, job->model);
    } else {
        putchar('\n');
    }
    for (uint32_t i = 0; i < r->depth; i++) {
        struct check_told told;
        tell_step(job, i, &told);
        printf("%3u. %s %s.\n     %s\n", (unsigned)i + 1, told.actor, told.action, told.detail);
        if (job->replays) {
            replay_print_step(&job->pair, i + 1);
        }
    }
}

/* "a", "a and b" */
static void print_rules(const struct check_model *model, uint32_t rules)
{
    for (size_t i = 0, n = 0; model->rule[i].name; i++) {
        if (rules >> i & 1) {
            printf("%s%s", n++ == 0 ? "" : " and ", model->rule[i].name);
        }
    }
}

/* What is promised, and what does the work of a rule that is not missed. */
static void print_holds(const struct check_job *job)
{
    char world[128];
    printf(" holds, with %s. Whatever the order of the steps:\n\n",
           world_of(job, world, sizeof world));
    for (size_t i = 0; job->model->promises[i]; i++) {
        printf("  - %s\n", job->model->promises[i]);
    }
    puts("  - from every state all can still come to its end");
    if (job->instead != 0) {
        uint32_t left = ~job->scope.rules;
        bool one = (job->instead & (job->instead - 1)) == 0;
        bool pair =
            one && (left & (left - 1) & ((UINT32_C(1) << check_rules(job->model)) - 1)) == 0;
        printf("\nWhat was left out is not missed here: ");
        print_rules(job->model, job->instead);
        printf(" %s its work; leave out %s.\n", one ? "does" : "do", pair ? "both" : "that too");
    } else if (job->scope.rules != CHECK_RULES_ALL) {
        puts("\nWhat was left out is not missed here: the other rules together do its work.");
    }
}

static void print_seen(const struct check_job *job)
{
    const struct check_result *r = &job->result;
    struct num_text states = num_grouped((int64_t)r->states);
    struct num_text span = num_span((int64_t)(job->seconds * US_PER_SECOND));
    switch (r->verdict) {
    case CHECK_HOLDS:
        printf("\nAll %s states were seen, in %s; the farthest is %u steps from the start.\n",
               states.text, span.text, (unsigned)r->depth);
        break;
    case CHECK_FAILS:
        printf("\nLooked at %s states in %s.\n", states.text, span.text);
        break;
    case CHECK_CUT:
        printf("\nCut at %s states, for want of room, after %s.\n", states.text, span.text);
        break;
    }
}

static void print_text(const struct check_job *job)
{
    const struct check_result *r = &job->result;
    printf("%s%s", job->model->name, job->scope.rules != CHECK_RULES_ALL ? " without " : "");
    print_rules(job->model, ~job->scope.rules);
    switch (r->verdict) {
    case CHECK_HOLDS:
        print_holds(job);
        break;
    case CHECK_FAILS:
        printf(" fails: %s.\n", broken_promise(job));
        print_steps(job);
        print_refused(job);
        if (job->replays) {
            replay_print_after(&job->pair);
        }
        break;
    case CHECK_CUT:
        printf(": nothing breaks within %u steps of the start. That is no promise about what lies\n"
               "beyond.\n",
               (unsigned)r->depth);
        break;
    }
    print_seen(job);
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

static int run_check(struct cli *cli)
{
    struct err err;
    struct check_job job = {.cli = cli};
    if (cli_has(cli, "list")) {
        return cli->arguments == 0 && !cli_has(cli, "without") && !cli_has(cli, "replay")
                   ? list_models(cli->options.json)
                   : cli_usage(cli, "--list stands alone: it names every protocol and its rules");
    }
    if (cli->arguments != 1) {
        return cli_usage(cli, "check takes one protocol; --list names them");
    }
    if (!find_model(cli->argument[0], &job.model, &err) || !read_rules(&job, &err) ||
        !can_play(&job, &err)) {
        return cli_fail(&err);
    }
    search(&job);
    if (!play(&job, &err)) {
        cli_note("this way is not played in a world: %s", err.text);
    }
    if (cli->options.json) {
        print_json(&job);
    } else {
        print_text(&job);
    }
    enum check_verdict verdict = job.result.verdict;
    check_result_free(&job.result);
    check_replay_free(&job.pair.less);
    check_replay_free(&job.pair.full);
    return verdict == CHECK_HOLDS ? CLI_YES : verdict == CHECK_FAILS ? CLI_NO : CLI_CANNOT;
}

static const struct cli_option check_cli_options[] = {
    {"without", "RULE", "leave this rule out (may be given more than once)"},
    {"replay", NULL, "play the way to the failure in a world, and once more with every rule"},
    {"list", NULL, "name every protocol with its rules"},
    {NULL, NULL, NULL},
};

const struct cli_command command_check = {
    .name = "check",
    .arguments = "PROTOCOL",
    .about = "every order of a protocol's steps, and what breaks without a rule",
    .help =
        "Looks at every state that a small world of the protocol can reach, whatever the order of\n"
        "its steps. Without one of its rules: the shortest way to what goes wrong, step by step.\n"
        "\n"
        "  hotshard check two-phase-commit --without all-votes-needed\n"
        "  hotshard check fence-and-flip --without fence --replay\n"
        "\n"
        "--replay is for fence-and-flip and coalesce: these two a world can play. When nothing\n"
        "fails there is nothing to be played.\n"
        "\n"
        "Exit status: 0 it holds, 1 it fails, 2 it could not be said.\n"
        "JSON: protocol, without, holds (true, false, null when the search was cut), cut,\n"
        "redundant (holds though rules were left out; then instead: the rules that do their\n"
        "work), states, depth (steps to the failure, or to the farthest state), seconds, steps\n"
        "(each with actor, action, detail); with --replay: replayed (null when nothing fails):\n"
        "verdict of the world, same (as the model's, and with every rule it stops where the model\n"
        "does and nothing is lost), returned and due of the read, invariant, stopped (that step),\n"
        "lines; with --list: protocol, rules.",
    .option = check_cli_options,
    .run = run_check,
};
