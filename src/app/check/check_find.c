/*
 * check_find: see check_find.h.
 */
#include "app/check/check_find.h"
#include "base/alloc.h"
#include "base/check.h"
#include "check/models.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define WAY_ON_MAX 4096 /* states that are looked at for a way to an end */

uint32_t check_all_rules(const struct check_model *model)
{
    size_t count = check_rules(model);
    return count >= 32 ? UINT32_MAX : (UINT32_C(1) << count) - 1;
}

static bool called_off(const struct check_progress *progress)
{
    return progress && atomic_load(&progress->cancel);
}

const char *check_scope_of(const struct check_model *model, uint32_t rules, bool larger,
                           struct check_scope *out)
{
    const char *apart = NULL;
    bool less = rules != CHECK_RULES_ALL;
    *out = (struct check_scope){.rules = rules,
                                .size = larger ? model->size_large : model->size_small,
                                .judge = less ? CHECK_OUTSIDE : CHECK_BOTH};
    for (size_t i = 0; model->apart && model->apart[i].rule && !larger; i++) {
        uint32_t bit = 0;
        CHECK(check_rule_by_name(model, model->apart[i].rule, &bit));
        if (rules == (CHECK_RULES_ALL & ~bit)) {
            out->size = model->apart[i].size;
            apart = model->apart[i].why;
        }
    }
    return apart;
}

static bool fails_small(const struct check_model *model, uint32_t rules,
                        struct check_progress *progress)
{
    struct check_options options = check_interactive();
    struct check_scope scope = {.rules = rules, .size = model->size_small, .judge = CHECK_OUTSIDE};
    options.progress = progress;
    struct check_result result = check_search(model, &scope, &options);
    bool fails = result.verdict == CHECK_FAILS;
    check_result_free(&result);
    return fails;
}

uint32_t check_instead(const struct check_model *model, uint32_t rules,
                       struct check_progress *progress)
{
    uint32_t instead = 0;
    for (size_t i = 0; model->rule[i].name && !called_off(progress); i++) {
        uint32_t bit = UINT32_C(1) << i;
        if ((rules & bit) != 0 && fails_small(model, rules & ~bit, progress) &&
            !fails_small(model, CHECK_RULES_ALL & ~bit, progress)) {
            instead |= bit;
        }
    }
    return called_off(progress) ? 0 : instead;
}

uint32_t check_stoppers(const struct check_model *model, const struct check_scope *scope,
                        const struct check_result *result, uint32_t step)
{
    uint32_t stoppers = 0;
    for (size_t i = 0; step > 0 && model->rule[i].name; i++) {
        uint32_t bit = UINT32_C(1) << i;
        bool off = (scope->rules & bit) == 0;
        if (off && check_part(model, scope, result, scope->rules | bit).first.step == step) {
            stoppers |= bit;
        }
    }
    return stoppers;
}

size_t check_outside_promises(const struct check_model *model)
{
    /* Models that judge by enum check_judge; of all others every promise is one to clients. */
    static const struct {
        const char *model;
        size_t outside;
    } parted[] = {{"fence-and-flip", 1}, {"ask", 5}, {"two-phase-commit", 1}, {"scatter", 3}};
    size_t count = 0;
    while (model->promises[count]) {
        count++;
    }
    for (size_t i = 0; i < sizeof parted / sizeof *parted; i++) {
        count = strcmp(parted[i].model, model->name) == 0 ? parted[i].outside : count;
    }
    return count;
}

/* --- the way on to an end ----------------------------------------------------------------------
 */

struct way_on {
    unsigned char *state; /* one after the other, as they were found */
    uint16_t *action;     /* that led to each, and from which */
    size_t *from;
    size_t count;
};

static bool is_new(const struct way_on *w, size_t size, const unsigned char *state)
{
    for (size_t i = 0; i < w->count; i++) {
        if (memcmp(w->state + i * size, state, size) == 0) {
            return false;
        }
    }
    return true;
}

/* What follows from one state, without further faults. */
static void spread(const struct check_model *model, const struct check_scope *whole,
                   struct way_on *w, size_t at, unsigned char *next)
{
    uint16_t action[CHECK_STEPS_MAX];
    size_t size = model->state_size;
    struct check_out out = {
        .state = next, .action = action, .state_size = size, .room = CHECK_STEPS_MAX};
    model->next(whole, w->state + at * size, &out);
    for (size_t i = 0; i < out.count && w->count < WAY_ON_MAX; i++) {
        bool fault = model->fault && model->fault(action[i]);
        if (!fault && is_new(w, size, next + i * size)) {
            memcpy(w->state + w->count * size, next + i * size, size);
            w->action[w->count] = action[i];
            w->from[w->count++] = at;
        }
    }
}

/* The actions that have led there; returns how many. */
static uint32_t way_to(const struct way_on *w, size_t end, uint16_t **on)
{
    uint32_t count = 0;
    for (size_t at = end; at > 0; at = w->from[at]) {
        count++;
    }
    *on = xcalloc(count + 1, sizeof **on);
    uint32_t n = count;
    for (size_t at = end; at > 0; at = w->from[at]) {
        (*on)[--n] = w->action[at];
    }
    return count;
}

uint32_t check_way_on(const struct check_model *model, const struct check_scope *scope,
                      const struct check_result *result, uint16_t **on)
{
    struct check_scope whole = {.rules = CHECK_RULES_ALL, .size = scope->size};
    struct way_on w = {.state = xcalloc(WAY_ON_MAX, model->state_size),
                       .action = xcalloc(WAY_ON_MAX, sizeof *w.action),
                       .from = xcalloc(WAY_ON_MAX, sizeof *w.from),
                       .count = 1};
    unsigned char *next = xcalloc(CHECK_STEPS_MAX, model->state_size);
    uint32_t count = 0;
    *on = NULL;
    check_replay(model, &whole, result->start, result->action, result->depth, w.state);
    for (size_t at = 0; at < w.count; at++) {
        if (model->finished(&whole, w.state + at * model->state_size)) {
            count = way_to(&w, at, on);
            break;
        }
        spread(model, &whole, &w, at, next);
    }
    free(next);
    free(w.state);
    free(w.action);
    free(w.from);
    return count;
}

static void judge(struct check_found *f)
{
    const struct check_model *model = f->wish.model;
    f->part = check_part(model, &f->scope, &f->result, CHECK_RULES_ALL);
    f->stoppers = check_stoppers(model, &f->scope, &f->result, f->part.first.step);
    if (f->part.first.step == 0 && f->result.broken <= 0) {
        f->ons = check_way_on(model, &f->scope, &f->result, &f->on);
    }
}

static void film(struct check_found *f)
{
    struct err err;
    const struct check_model *model = f->wish.model;
    f->filmed = check_replay_can(model) &&
                check_replay_play(model, &f->scope, &f->result, REPLAY_FILM, &f->less, &err) &&
                check_replay_play(model, &f->scope, &f->result, REPLAY_FILM | REPLAY_EVERY_RULE,
                                  &f->full, &err) &&
                f->less.agrees && f->full.agrees;
}

/* What is claimed of a larger world must be true for somebody who sees all nodes as well. What a
 * client would notice is the better story of a failure, where there is one. */
static void search(struct check_found *f, struct check_progress *progress)
{
    struct check_options options = check_interactive();
    options.progress = progress;
    f->apart = check_scope_of(f->wish.model, f->wish.rules, f->wish.larger, &f->scope);
    bool outside = f->wish.larger && f->scope.judge == CHECK_OUTSIDE;
    if (outside) {
        f->scope.judge = CHECK_BOTH;
    }
    f->result = check_search(f->wish.model, &f->scope, &options);
    if (outside && f->result.verdict == CHECK_FAILS) {
        struct check_scope scope = f->scope;
        scope.judge = CHECK_OUTSIDE;
        struct check_result seen = check_search(f->wish.model, &scope, &options);
        if (seen.verdict == CHECK_FAILS) {
            check_result_free(&f->result);
            f->result = seen;
            f->scope = scope;
        } else {
            check_result_free(&seen);
        }
    }
}

void check_find(const struct check_wish *wish, struct check_progress *progress,
                struct check_found *out)
{
    *out = (struct check_found){.wish = *wish};
    /* The rules of the model alone: what lies beyond them is the same for everybody. */
    out->wish.rules |= ~check_all_rules(wish->model);
    search(out, progress);
    if (out->result.verdict == CHECK_FAILS && !called_off(progress)) {
        judge(out);
        film(out);
    } else if (out->result.verdict == CHECK_HOLDS && out->wish.rules != CHECK_RULES_ALL) {
        out->instead = check_instead(wish->model, out->wish.rules, progress);
    }
}

void check_found_free(struct check_found *found)
{
    check_result_free(&found->result);
    check_replay_free(&found->less);
    check_replay_free(&found->full);
    free(found->on);
    *found = (struct check_found){0};
}

/* --- on a thread -------------------------------------------------------------------------------
 */

struct check_hunt {
    struct check_wish wish;
    struct check_progress progress;
    struct check_found found;
    _Atomic bool over;
    bool threaded;
    pthread_t thread;
};

static void *run(void *context)
{
    struct check_hunt *hunt = context;
    check_find(&hunt->wish, &hunt->progress, &hunt->found);
    atomic_store(&hunt->over, true);
    return NULL;
}

/* Signals are the business of the thread that has the terminal; faults stay where they happen. */
static void block_signals(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGABRT);
    pthread_sigmask(SIG_SETMASK, &all, before);
}

struct check_hunt *check_hunt_begin(const struct check_wish *wish, bool threads)
{
    struct check_hunt *hunt = xcalloc(1, sizeof *hunt);
    hunt->wish = *wish;
    if (threads) {
        sigset_t before;
        block_signals(&before);
        hunt->threaded = pthread_create(&hunt->thread, NULL, run, hunt) == 0;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    if (!hunt->threaded) { /* wanted so, or the machine has no thread left */
        run(hunt);
    }
    return hunt;
}

bool check_hunt_over(const struct check_hunt *hunt)
{
    return atomic_load(&hunt->over);
}

void check_hunt_seen(const struct check_hunt *hunt, uint64_t *states, uint32_t *depth)
{
    *states = atomic_load(&hunt->progress.states);
    *depth = atomic_load(&hunt->progress.depth);
}

void check_hunt_cancel(struct check_hunt *hunt)
{
    atomic_store(&hunt->progress.cancel, true);
}

void check_hunt_end(struct check_hunt *hunt, struct check_found *out)
{
    if (hunt->threaded) {
        pthread_join(hunt->thread, NULL);
    }
    *out = hunt->found;
    free(hunt);
}
