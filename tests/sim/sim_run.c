/*
 * sim_run: plays one seed.
 */
#include "sim.h"

#include "engine/invariant.h"
#include "engine/state.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define COPY_EVENTS 60
#define QUIET_US INT64_C(4200000)
#define MAP_US INT64_C(20000) /* a router that heard that its map is old has the newest by then */
#define LONGEST_US INT64_C(4000000) /* all tries and back-offs of a request together */

/* Marks what the newest records of the trace tell. */
static void look_at_trace(struct sim *s)
{
    uint64_t next = trace_next(s->world);
    if (s->traced + 1 < trace_first(s->world)) {
        history_gap(s->history);
    }
    for (; s->traced < next; s->traced++) {
        const struct trace_record *r = trace_get(s->world, s->traced);
        if (r != NULL) {
            if (s->loud) {
                sim_tell_record(s->world, r);
            }
            if (history_wants(r)) {
                history_look(s->history, s->world, r);
            }
            s->saw.kind[r->kind] = 1;
            s->saw.outcome[r->outcome] = 1;
            s->saw.reason[r->reason] = 1;
        }
    }
}

bool sim_do(struct sim *s, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    struct command c;
    struct err err;
    if (!command_parse(text, &c, &err)) {
        printf("# seed %" PRIu64 ": \"%s\" cannot be read: %s\n", s->seed, text, err.text);
        abort();
    }
    bool done = world_apply(s->world, &c, s->loud ? &err : NULL);
    if (s->loud) {
        printf("# event %" PRIu64 ": %s%s%s\n", s->event, text,
               done ? "" : " -- refused: ", done ? "" : err.text);
    }
    look_at_trace(s);
    return done;
}

void sim_tell_record(const struct world *w, const struct trace_record *r)
{
    struct str line = STR_EMPTY;
    trace_say(w, r, &line);
    if (r->request == 0) {
        printf("#   %s\n", str_text(&line));
    } else {
        printf("#   %s   [%" PRIu64 "]\n", str_text(&line), r->request);
    }
    str_free(&line);
}

static bool step(struct sim *s)
{
    if (!world_step(s->world)) {
        return true;
    }
    s->event++;
    look_at_trace(s);
    return invariant_hold(s->world, &s->err);
}

/* A copy must go on to the same end. */
static bool same_from_here(struct sim *s)
{
    struct world *copy = world_copy(s->world);
    bool well = true;
    for (int i = 0; i < COPY_EVENTS && well; i++) {
        well = step(s);
        (void)world_step(copy);
    }
    s->saw.digest = world_digest(s->world);
    if (well && !digest_equal(s->saw.digest, world_digest(copy))) {
        well = err_set(&s->err, "copy: a copy of the world went another way");
    }
    world_free(copy);
    return well;
}

/* Faults off, time passes, the invariants still judge. */
static bool settle(struct sim *s, int64_t for_us)
{
    int64_t end = world_now(s->world) + for_us;
    int64_t next = 0;
    bool well = true;
    while (well && world_next_time(s->world, &next) && next <= end) {
        well = step(s);
    }
    world_run_until(s->world, end + 1);
    return well;
}

static bool settle_request(struct sim *s)
{
    int64_t end = world_now(s->world) + LONGEST_US;
    int64_t next = 0;
    bool well = true;
    while (well && !world_all_answered(s->world) && world_next_time(s->world, &next) &&
           next <= end) {
        well = step(s);
    }
    return well;
}

/* A request that is older than any can be; NULL: there is none. */
static const struct request *find_stuck(const struct world *w)
{
    for (uint32_t i = 0; i < w->requests_used; i++) {
        const struct request *r = requests_in(w) + i;
        if (r->number != 0 && !r->ended && r->issued_us < w->now_us - LONGEST_US) {
            return r;
        }
    }
    return NULL;
}

/* Every router serves every key, and knows by then where it is. */
static bool all_served(struct sim *s)
{
    const struct world *w = s->world;
    for (uint32_t key = 0; key < s->keys; key++) {
        for (uint16_t router = 0; router < s->config.routers; router++) {
            struct request_info info;
            /* reads of a count may have no business in its own slot; edits do */
            const char *op = (key + router) % 4 == 0 ? "read" : "edit";
            if (!sim_do(s, "request %s k%u via R%u", op, key, router)) {
                return err_set(&s->err, "quiet: a quiet world refuses a request");
            }
            if (!settle_request(s) || !settle(s, MAP_US)) {
                return false;
            }
            if (!world_request(w, world_last_request(w), &info) || !info.done ||
                info.outcome != OUTCOME_OK) {
                return err_set(&s->err, "quiet: a request for k%u via R%u is not answered OK", key,
                               router);
            }
            uint32_t index = 0;
            (void)world_find_key(w, world_key(w, info.key), &index);
            uint16_t slot = world_key_slot(w, index);
            if (info.op == OP_EDIT && world_router_epoch(w, router, slot) != world_epoch(w, slot)) {
                return err_set(&s->err,
                               "same-map: R%u has asked for slot %u and still holds epoch %u of "
                               "it, not %u",
                               router, slot, world_router_epoch(w, router, slot),
                               world_epoch(w, slot));
            }
        }
    }
    return true;
}

static bool ran_out(struct sim *s)
{
    s->saw.stopped = world_stopped(s->world, NULL);
    return s->saw.stopped;
}

static bool comes_to_rest(struct sim *s)
{
    sim_calm(s);
    if (!settle(s, QUIET_US)) {
        return false;
    }
    sim_calm(s); /* what could not be ended while it was in the middle of something */
    if (!settle(s, QUIET_US)) {
        return false;
    }
    if (ran_out(s)) {
        return true;
    }
    const struct request *stuck = find_stuck(s->world);
    if (stuck != NULL) {
        return err_set(&s->err,
                       "quiet: faults are off, time passed, and request %" PRIu64 " never ends",
                       stuck->number);
    }
    return (sim_extras_rest(s) && all_served(s)) || ran_out(s);
}

static bool play(struct sim *s)
{
    uint64_t copy_at = prng_below(&s->prng, SIM_EVENTS);
    bool copied = false;
    uint64_t act_at = 0;
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        if (rule_on(s->off, (enum rule)rule)) {
            sim_do(s, "rule %s off", rule_name((enum rule)rule));
        }
    }
    while (s->event < SIM_EVENTS) {
        if (s->event >= act_at) {
            sim_act(s);
            sim_extras_act(s);
            if (!invariant_hold(s->world, &s->err)) {
                return false;
            }
            act_at = s->event + 1 + prng_below(&s->prng, 50);
        }
        if (!copied && s->event >= copy_at) {
            copied = true;
            if (!same_from_here(s)) {
                return false;
            }
        }
        uint64_t before = s->event;
        if (!step(s)) {
            return false;
        }
        if (ran_out(s)) {
            return true;
        }
        act_at = s->event == before ? s->event : act_at; /* nothing is left to happen */
    }
    return comes_to_rest(s);
}

bool sim_play(struct sim *s)
{
    sim_draw(s);
    s->world = world_new(&s->config, &s->err);
    if (s->world == NULL) {
        printf("# seed %" PRIu64 ": %s\n", s->seed, s->err.text);
        abort();
    }
    s->history = history_open();
    int64_t start = world_now(s->world);
    bool well = play(s);
    look_at_trace(s);
    well = well && history_judge(s);
    for (uint32_t i = 0; i < FAULT_KINDS; i++) {
        s->saw.fault[i] = world_faults(s->world, (enum fault)i) > 0;
    }
    s->saw.seeds = 1;
    s->saw.events = s->event;
    s->saw.virtual_us = world_now(s->world) - start;
    return well;
}

void sim_end(struct sim *s)
{
    world_free(s->world);
    history_close(s->history);
    s->world = NULL;
    s->history = NULL;
}
