/*
 * cmd_check_print: what a check has found, in words and as JSON.
 */
#include "app/check/check_find.h"
#include "app/cmd/cmd_check.h"
#include "app/cmd/json.h"
#include "base/alloc.h"
#include "base/num.h"
#include "check/models.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static const char *cut_words(enum check_cut cut)
{
    static const char *const words[] = {
        [CUT_ROOM] = "room", [CUT_TIME] = "time", [CUT_CANCELLED] = "called off"};
    return words[cut];
}

/* "small" or "large"; null: another world, in which a rule shows by itself. */
static json_t *json_of_size(const struct check_job *job)
{
    return job->scope.size == job->model->size_small   ? json_string("small")
           : job->scope.size == job->model->size_large ? json_string("large")
                                                       : json_null();
}

/* Situations that the search has met, or never met: their names. */
static json_t *json_of_situations(const struct check_job *job, bool met)
{
    if (job->result.verdict == CHECK_FAILS) {
        return json_null(); /* it looked no farther than to the failure */
    }
    json_t *names = json_array();
    for (size_t i = 0; job->model->situation && job->model->situation[i].name; i++) {
        if ((job->result.reached >> i & 1) == met) {
            json_push(names, json_string(job->model->situation[i].name));
        }
    }
    return names;
}

void check_job_json(const struct check_job *job)
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
    json_set(line, "size", json_of_size(job));
    json_set(line, "why_cut", cut ? json_string(cut_words(r->cut)) : json_null());
    json_set(line, "met", json_of_situations(job, true));
    json_set(line, "not_met", json_of_situations(job, false));
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

/* With every rule all steps are taken as well: how it comes to its end from there. */
static void print_way_on(const struct check_job *job)
{
    unsigned char state[CHECK_STATE_MAX];
    const struct check_result *r = &job->result;
    struct check_scope whole = {.rules = CHECK_RULES_ALL, .size = job->scope.size};
    uint16_t *on = NULL;
    uint32_t ons = check_way_on(job->model, &job->scope, r, &on);
    uint16_t *all = xcalloc(r->depth + ons + 1, sizeof *all);
    memcpy(all, r->action, r->depth * sizeof *all);
    puts("\nWith every rule in place each of these steps takes place as well.");
    if (ons > 0) {
        memcpy(all + r->depth, on, ons * sizeof *all);
        puts("But from there it goes on to its end:\n");
    }
    for (uint32_t i = r->depth; i < r->depth + ons; i++) {
        struct check_told told = {.actor = ""};
        check_replay(job->model, &whole, r->start, all, i, state);
        job->model->tell(&whole, state, all[i], &told);
        printf("%3u. %s %s.\n     %s\n", (unsigned)i + 1, told.actor, told.action, told.detail);
    }
    putchar('\n');
    free(all);
    free(on);
}

/* Where the protocol as it should be parts from this way. */
static void print_parting(const struct check_job *job)
{
    const struct parting_step *first = &job->part.first;
    const struct check_result *r = &job->result;
    if (first->step == 0) {
        print_way_on(job);
    } else if (first->taken) {
        printf("\nWith every rule in place, step %u goes otherwise: %s %s.\n%s\n",
               (unsigned)first->step, first->told.actor, first->told.action, first->told.detail);
    } else {
        printf("\nWith every rule in place, step %u does not take place.\n", (unsigned)first->step);
    }
    uint32_t left = ~job->scope.rules;
    uint32_t named = check_stoppers(job->model, &job->scope, r, first->step);
    named = named != 0 ? named : left;
    for (size_t i = 0; job->model->rule[i].name; i++) {
        if (named >> i & 1) {
            printf("The rule %s: %s\n", job->model->rule[i].name, job->model->rule[i].demands);
        }
    }
}

/* "" where there is one, or a rule has a world of its own: that is said before. */
static const char *which_world(const struct check_job *job)
{
    const struct check_model *model = job->model;
    bool one = model->size_small == model->size_large;
    return one || job->apart                      ? ""
           : job->scope.size == model->size_small ? " (the small world)"
           : job->scope.size == model->size_large ? " (the larger world)"
                                                  : "";
}

static void print_steps(const struct check_job *job)
{
    const struct check_result *r = &job->result;
    char world[128];
    if (job->apart) {
        printf("\n%s\n", job->apart);
    }
    printf("\nThe shortest way there has %u step%s, with %s%s:\n", (unsigned)r->depth,
           r->depth == 1 ? "" : "s", world_of(job, world, sizeof world), which_world(job));
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
    size_t outside = check_outside_promises(job->model);
    bool parted = job->model->promises[outside] != NULL;
    if (parted) {
        puts("promised to clients:");
    }
    for (size_t i = 0; i < outside; i++) {
        printf("  - %s\n", job->model->promises[i]);
    }
    puts("  - from every state all can still come to its end");
    if (parted && job->scope.judge != CHECK_OUTSIDE) {
        puts("what holds inside, for somebody who sees all nodes at once:");
    }
    for (size_t i = outside; job->scope.judge != CHECK_OUTSIDE && job->model->promises[i]; i++) {
        printf("  - %s\n", job->model->promises[i]);
    }
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

/* A search that never came to what a protocol is made for says little. A way to a failure is told
 * at once, whatever else there is. */
static void print_situations(const struct check_job *job)
{
    const struct check_situation *situation = job->model->situation;
    unsigned all = 0;
    unsigned met = 0;
    for (; situation && situation[all].name; all++) {
        met += job->result.reached >> all & 1;
    }
    if (all > 0 && met == all) {
        printf("\nAll %u situations that matter were met.\n", all);
    } else if (all > 0) {
        puts("\nNothing is said about situations that were never met:");
    }
    for (unsigned i = 0; met < all && i < all; i++) {
        if (!(job->result.reached >> i & 1)) {
            printf("  - %s\n", situation[i].name);
        }
    }
}

/* How far it came, and why no farther. */
static void print_cut(const struct check_job *job)
{
    char world[128];
    const struct check_result *r = &job->result;
    uint64_t mb = job->options.bytes_max >> 20;
    printf(": nothing breaks within %u step%s of the start, with\n%s.\n", (unsigned)r->depth,
           r->depth == 1 ? "" : "s", world_of(job, world, sizeof world));
    if (r->cut == CUT_ROOM) {
        printf("\nThere was no room to look farther: for %s state%s at most, in %u MB.\n",
               num_grouped((int64_t)job->options.states_max).text,
               job->options.states_max == 1 ? "" : "s", (unsigned)mb);
    } else if (r->cut == CUT_TIME) {
        printf("\nThe time was over: %u ms.\n", (unsigned)job->options.ms_max);
    } else {
        puts("\nIt was called off.");
    }
    puts("So this is no promise: what lies beyond, nobody has looked at.");
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
        printf("\nCut at %s state%s, after %s.\n", states.text, r->states == 1 ? "" : "s",
               span.text);
        break;
    }
}

void check_job_text(const struct check_job *job)
{
    const struct check_result *r = &job->result;
    printf("%s%s", job->model->name, job->scope.rules != CHECK_RULES_ALL ? " without " : "");
    print_rules(job->model, ~job->scope.rules);
    switch (r->verdict) {
    case CHECK_HOLDS:
        print_holds(job);
        print_situations(job);
        break;
    case CHECK_FAILS:
        printf(" fails: %s.\n", broken_promise(job));
        print_steps(job);
        print_parting(job);
        if (job->replays) {
            replay_print_after(&job->pair);
        }
        break;
    case CHECK_CUT:
        print_cut(job);
        print_situations(job);
        break;
    }
    print_seen(job);
}
