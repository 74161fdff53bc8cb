/*
 * check_replay: playing a plan, and what came of it; the plans are in the files beside.
 */
#include "app/check/check_replay_inside.h"
#include "base/alloc.h"
#include "base/num.h"
#include "engine/invariant.h"
#include "engine/reads/reads.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct replay_way *way_of(const struct check_model *model)
{
    static const struct replay_way *const ways[] = {
        &replay_way_flip,   &replay_way_coalesce, &replay_way_ask,     &replay_way_preagg,
        &replay_way_cache,  &replay_way_dual,     &replay_way_stripe,  &replay_way_scatter,
        &replay_way_commit, &replay_way_saga,     &replay_way_failover};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (ways[i]->model == model) {
            return ways[i];
        }
    }
    return NULL;
}

bool check_replay_can(const struct check_model *model)
{
    return way_of(model) != NULL;
}

const char *check_replay_about(const struct check_model *model)
{
    const struct replay_way *way = way_of(model);
    return way && way->about ? way->about : "";
}

/* --- planning ----------------------------------------------------------------------------------
 */

struct cue *replay_cue(struct replay *r, int64_t at_us, enum cue_kind kind, const char *format, ...)
{
    CHECK(r->cues < REPLAY_CUES_MAX);
    struct cue *cue = &r->cue[r->cues];
    *cue = (struct cue){.at_us = at_us, .step = r->step, .number = r->cues++, .kind = kind};
    va_list args;
    va_start(args, format);
    int n = vsnprintf(cue->words, sizeof cue->words, format, args);
    va_end(args);
    CHECK(n >= 0 && (size_t)n < sizeof cue->words);
    return cue;
}

int64_t replay_next_us(const struct replay *r)
{
    CHECK(r->step > 0);
    return r->step == 1 ? REPLAY_FIRST_US : r->end_us[r->step - 1] + REPLAY_GAP_US;
}

void replay_step_at(struct replay *r, int64_t at_us, int64_t settle_us)
{
    CHECK(r->step > 0 && at_us >= replay_next_us(r));
    r->at_us[r->step] = at_us;
    r->end_us[r->step] = at_us + settle_us;
}

void replay_state(const struct replay *r, uint32_t steps, void *state)
{
    const struct check_result *result = r->result;
    size_t taken =
        check_replay(r->way->model, &r->scope, result->start, result->action, steps, state);
    CHECK(taken == steps);
}

static struct world_config small_world(void)
{
    struct world_config c = world_config_default();
    c.start_us = REPLAY_START_US;
    c.shards = 1;
    c.shards_max = 2;
    c.zones = REPLAY_ZONES;
    c.shard_zone[0] = REPLAY_SOURCE;
    c.shard_zone[1] = REPLAY_NEAR;
    c.directory_zone = REPLAY_DIRECTORY;
    for (int from = 0; from < REPLAY_ZONES; from++) {
        for (int to = 0; to < REPLAY_ZONES; to++) {
            c.delay_us[from][to] = REPLAY_LEG_US;
        }
    }
    c.query_us = 300;
    c.commit_us = 1000;
    c.trace_max = 4096;
    return c;
}

/* --- reading the world -------------------------------------------------------------------------
 */

const struct trace_record *replay_record(const struct replay *r, uint64_t request,
                                         enum trace_kind kind, uint16_t reason)
{
    for (uint64_t i = trace_next(r->world); i > trace_first(r->world); i--) {
        const struct trace_record *t = trace_get(r->world, i - 1);
        if (request != 0 && t->request == request && t->kind == kind &&
            (reason == REASON_NONE || t->reason == reason)) {
            return t;
        }
    }
    return NULL;
}

const struct trace_record *replay_served(const struct replay *r, uint64_t request)
{
    const struct trace_record *t = replay_record(r, request, TRACE_ANSWER, REASON_NONE);
    bool served = t && (t->outcome == OUTCOME_OK || t->outcome == OUTCOME_OK_RELOAD);
    return served ? t : NULL;
}

bool replay_done(const struct replay *r, uint8_t op, struct request_info *info)
{
    return r->op[op].number != 0 && world_request(r->world, r->op[op].number, info) && info->done;
}

/* Of a read that is done. */
static uint64_t returned(const struct replay *r, uint8_t op)
{
    struct request_info info;
    if (r->way->returned) {
        return r->way->returned(r, op);
    }
    return replay_done(r, op, &info) ? info.value : 0;
}

bool replay_stale(const struct replay *r, uint8_t op)
{
    struct request_info info;
    return r->op[op].read && replay_done(r, op, &info) && info.outcome == OUTCOME_OK &&
           returned(r, op) < r->op[op].due;
}

uint64_t replay_query(const struct replay *r, uint8_t op)
{
    static const uint16_t reasons[] = {REASON_QUERY_BEGUN, REASON_QUERY_JOINED};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        const struct trace_record *t = replay_record(r, r->op[op].number, TRACE_READS, reasons[i]);
        if (t) {
            return (uint64_t)t->operand[0];
        }
    }
    return 0;
}

uint32_t replay_key(const struct replay *r, const char *key)
{
    uint32_t number = 0;
    return world_find_key(r->world, bytes_of(key), &number) ? number : KEY_NONE_ID;
}

uint64_t replay_acknowledged(const struct replay *r)
{
    uint32_t key = replay_key(r, r->key);
    return key != KEY_NONE_ID ? world_acked(r->world, key) : 0;
}

uint64_t replay_value_of(const struct replay *r, uint16_t shard, const char *key)
{
    uint32_t number = replay_key(r, key);
    return number != KEY_NONE_ID ? world_value(r->world, shard, number) : 0;
}

uint64_t replay_value(const struct replay *r, uint16_t shard)
{
    return replay_value_of(r, shard, r->key);
}

/* --- playing -----------------------------------------------------------------------------------
 */

static void look_for_broken(struct replay *r, uint32_t step)
{
    struct replayed *out = r->out;
    if (out->broken_at == 0 && !invariant_hold(r->world, &out->broken)) {
        out->broken_at = step;
    }
}

/* What no client would notice is what an invariant of the engine says: it sees all nodes as well.
 */
static bool shows_inside(const struct replay *r, uint32_t step, char *text, size_t room)
{
    bool shows = r->scope.judge != CHECK_OUTSIDE && step == r->out->steps && r->out->broken_at > 0;
    if (shows) {
        (void)snprintf(text, room, "%.*s", (int)room - 1, r->out->broken.text);
    }
    return shows;
}

/* Likewise for the promise of the model, once it can be judged. */
static void look_for_failure(struct replay *r, uint32_t step)
{
    struct replayed *out = r->out;
    uint64_t now = r->way->grows ? r->way->grows(r) : 0;
    r->most = now > r->most ? now : r->most;
    if (!out->fails && (r->way->fails(r, out->failure, sizeof out->failure) ||
                        shows_inside(r, step, out->failure, sizeof out->failure))) {
        out->fails = true;
        out->failed_at = step;
    }
}

bool replay_a_read_is_stale(const struct replay *r, char *text, size_t room)
{
    for (uint8_t op = 0; op < REPLAY_OPS_MAX; op++) {
        if (replay_stale(r, op)) {
            (void)snprintf(text, room,
                           "a read returned %llu, though %llu had been acknowledged before it was "
                           "asked",
                           (unsigned long long)returned(r, op), (unsigned long long)r->op[op].due);
            return true;
        }
    }
    return false;
}

static void keep(struct replay *r, uint32_t at)
{
    if (r->film) {
        r->out->film[at] = world_copy(r->world);
    }
}

/* The world has had the time of a step: did it follow? */
static void compare(struct replay *r, uint32_t step, uint32_t stops)
{
    _Alignas(16) unsigned char state[CHECK_STATE_MAX];
    struct replayed *out = r->out;
    struct check_scope scope = r->scope;
    if (r->every_rule && step > stops && stops > 0) {
        return;
    }
    if (r->every_rule && step == stops) {
        replay_state(r, step, state);
        out->stopped = r->way->differs(r, state, step) ? step : 0;
        return;
    }
    if (r->every_rule) {
        scope.rules = CHECK_RULES_ALL;
    }
    check_replay(r->way->model, &scope, r->result->start, r->result->action, step, state);
    const char *what = r->way->differs(r, state, REPLAY_ALL);
    if (what && out->agrees) {
        out->agrees = false;
        err_set(&out->differs, "after step %u the world differs from the model: %s", (unsigned)step,
                what);
    }
}

static void play_steps(struct replay *r)
{
    struct replayed *out = r->out;
    uint32_t stops = check_part(r->way->model, &r->scope, r->result, CHECK_RULES_ALL).last.step;
    for (uint32_t step = 0; step <= out->steps; step++) {
        for (uint32_t i = 0; i < r->cues; i++) {
            if (r->cue[i].step == step) {
                replay_take_cue(r, &r->cue[i], &out->lines[step]);
            }
        }
        world_run_until(r->world, step == 0 ? REPLAY_FIRST_US - REPLAY_GAP_US : r->end_us[step]);
        replay_tell(r, &out->lines[step]);
        if (step > 0) {
            look_for_broken(r, step);
            look_for_failure(r, step);
            compare(r, step, stops);
        }
        keep(r, step);
    }
}

/* What is still under way comes to its end: the move, the requests. */
static void finish(struct replay *r)
{
    struct replayed *out = r->out;
    uint32_t key = replay_key(r, r->key);
    world_run_until(r->world, world_now(r->world) + REPLAY_REST_US);
    replay_tell(r, &out->lines[out->steps + 1]);
    look_for_broken(r, out->steps);
    look_for_failure(r, out->steps);
    keep(r, out->steps + 1);
    out->lost = r->way->lost ? r->way->lost(r) : key != KEY_NONE_ID ? world_lost(r->world, key) : 0;
    for (uint8_t op = 0; op < REPLAY_OPS_MAX; op++) {
        struct request_info info;
        bool done = replay_done(r, op, &info);
        bool well = done && info.outcome == OUTCOME_OK;
        bool declined = done && info.outcome == OUTCOME_SHORT; /* a debit: that is an answer */
        out->unanswered += r->op[op].number != 0 && !r->op[op].own && !well && !declined;
        if (!r->op[op].read || !well) {
            continue;
        }
        out->reads++;
        if (!out->stale) {
            out->returned = returned(r, op);
            out->due = r->op[op].due;
        }
        out->stale = out->stale || replay_stale(r, op);
    }
}

static int by_time(const void *a, const void *b)
{
    const struct cue *x = a;
    const struct cue *y = b;
    int order = (x->at_us > y->at_us) - (x->at_us < y->at_us);
    return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

static bool prepare(struct replay *r, struct err *err)
{
    const struct check_model *model = r->way->model;
    r->step = 0;
    for (size_t i = 0; model->rule[i].name && !r->every_rule; i++) {
        if (!(r->scope.rules >> i & 1)) {
            replay_cue(r, REPLAY_START_US + 1 + (int64_t)i, CUE_COMMAND, "rule %s off",
                       model->rule[i].name);
        }
    }
    if (!r->way->plan(r, err)) {
        return false;
    }
    qsort(r->cue, r->cues, sizeof *r->cue, by_time);
    r->world = world_new(&r->config, err);
    return r->world != NULL;
}

bool check_replay_play(const struct check_model *model, const struct check_scope *scope,
                       const struct check_result *result, unsigned how, struct replayed *out,
                       struct err *err)
{
    struct replay r = {.way = way_of(model),
                       .scope = *scope,
                       .result = result,
                       .every_rule = (how & REPLAY_EVERY_RULE) != 0,
                       .film = (how & REPLAY_FILM) != 0,
                       .config = small_world(),
                       .out = out};
    *out = (struct replayed){.agrees = true};
    if (!r.way || result->verdict != CHECK_FAILS) {
        return err_set(err, "there is no way to a failure of %s that a world could play",
                       model->name);
    }
    if (result->depth > REPLAY_STEPS_MAX) {
        return err_set(err, "the way has %u steps; a world plays at most %d",
                       (unsigned)result->depth, REPLAY_STEPS_MAX);
    }
    if (!prepare(&r, err)) {
        return false;
    }
    out->steps = result->depth;
    out->lines = xcalloc(out->steps + 2u, sizeof *out->lines);
    out->film = r.film ? xcalloc(out->steps + 2u, sizeof(struct world *)) : NULL;
    r.told = trace_next(r.world);
    play_steps(&r);
    finish(&r);
    world_free(r.world);
    return true;
}

void check_replay_free(struct replayed *r)
{
    for (uint32_t i = 0; r->lines && i < r->steps + 2; i++) {
        str_free(&r->lines[i]);
    }
    for (uint32_t i = 0; r->film && i < r->steps + 2; i++) {
        world_free(r->film[i]);
    }
    free(r->film);
    free(r->lines);
    *r = (struct replayed){0};
}
