/*
 * check_replay_cache: a micro-cache in a world: R0 caches post:{p9}, R1 is the other router, S0 is
 * the shard. A tick is a second.
 *
 * Steps of one tick lie apart by milliseconds, so ages are a little more than whole ticks: as in
 * the model they reach a bound when the tick is there. A read returns the likes of a post, not its
 * version; which version an answer carries follows from when its fetch was answered.
 *
 * Requests: edits, then reads, then the router's fetches, each in the order of their names.
 */
#include "app/check/check_replay_inside.h"
#include "base/num.h"
#include "check/micro_cache.h"
#include "check/models.h"
#include "engine/reads/reads.h"
#include "engine/shifts/shifts.h"
#include <stdio.h>

#define KEY "post:{p9}"
#define SHARD 0
#define CACHE_ROUTER 0 /* the model's; the other one passes edits on */
#define TICK_US US_PER_SECOND
#define NO_VERSION UINT64_MAX

enum first_op { /* where each kind begins */
    EDITS,
    READS = EDITS + CACHE_EDITS_MAX,
    FETCHES = READS + CACHE_READS_MAX,
    OPS_END = FETCHES + CACHE_READS_MAX
};

_Static_assert(OPS_END <= REPLAY_OPS_MAX, "each has its place");

static uint16_t action_at(const struct replay *r, uint32_t step)
{
    return r->result->action[step - 1];
}

static enum cache_step kind_at(const struct replay *r, uint32_t step)
{
    return cache_step_of(action_at(r, step));
}

/* The fetch that a read begins, or would begin with another rule: the state before counts them. */
static uint8_t next_fetch(const struct replay *r, uint32_t step)
{
    _Alignas(16) unsigned char state[CHECK_STATE_MAX];
    replay_state(r, step - 1, state);
    return (uint8_t)(FETCHES + ((const struct micro_cache *)(const void *)state)->fill.last);
}

/* What a step is about on its way: the edit or the fetch; OPS_END: neither. */
static uint8_t op_at(const struct replay *r, uint32_t step)
{
    unsigned which = cache_which_of(action_at(r, step));
    switch (kind_at(r, step)) {
    case CACHE_SEND_EDIT:
    case CACHE_SEND_ELSEWHERE:
    case CACHE_APPLY_EDIT:
    case CACHE_ACKNOWLEDGE:
        return (uint8_t)(EDITS + which);
    case CACHE_ANSWER:
    case CACHE_RETURN_KEPT:
    case CACHE_RETURN_NOT_KEPT:
        return (uint8_t)(FETCHES + which);
    case CACHE_READ_FETCHES:
    case CACHE_READ_AND_REFRESH:
    case CACHE_READ_FROM_ENTRY:
    case CACHE_READ_WAITS:
        return next_fetch(r, step);
    case CACHE_TICK:
        break;
    }
    return OPS_END;
}

/* --- planning ----------------------------------------------------------------------------------
 */

static void plan_edit(struct replay *r, int64_t at, uint8_t op, unsigned router)
{
    replay_cue(r, at, CUE_ASK, "request edit %s via R%u", KEY, router)->op = op;
    replay_cue(r, at + 1, CUE_SENT, "%s", "")->op = op;
}

static void plan_read(struct replay *r, int64_t at)
{
    uint8_t op = (uint8_t)(READS + cache_which_of(action_at(r, r->step)));
    uint8_t fetch = op_at(r, r->step);
    r->op[op].read = true;
    replay_cue(r, at, CUE_ASK, "request read %s via R%d", KEY, CACHE_ROUTER)->op = op;
    if (fetch < OPS_END) {
        struct cue *sent = replay_cue(r, at + 1, CUE_SENT, "%s", "");
        sent->op = fetch;
        sent->want = OP_READ;
        r->op[fetch].own = true;
    }
}

static void plan_step(struct replay *r)
{
    int64_t at = replay_next_us(r);
    uint8_t op = op_at(r, r->step);
    switch (kind_at(r, r->step)) {
    case CACHE_SEND_EDIT:
        plan_edit(r, at, op, CACHE_ROUTER);
        break;
    case CACHE_SEND_ELSEWHERE:
        plan_edit(r, at, op, 1 - CACHE_ROUTER);
        break;
    case CACHE_APPLY_EDIT:
    case CACHE_ANSWER:
        replay_cue(r, at, CUE_ANSWERED, "%s", "")->op = op;
        break;
    case CACHE_READ_FROM_ENTRY:
    case CACHE_READ_AND_REFRESH:
    case CACHE_READ_WAITS:
    case CACHE_READ_FETCHES:
        plan_read(r, at);
        break;
    case CACHE_TICK:
        at += TICK_US - REPLAY_SETTLE_US - REPLAY_GAP_US;
        break;
    case CACHE_ACKNOWLEDGE:
    case CACHE_RETURN_KEPT:
    case CACHE_RETURN_NOT_KEPT:
        break;
    }
    replay_step_at(r, at, REPLAY_SETTLE_US);
}

/* When what a step has sent arrives, at the shard or back at its router. */
static int64_t arrival_us(const struct replay *r, uint32_t sent, uint8_t op)
{
    for (uint32_t step = sent + 1; step <= r->result->depth; step++) {
        if (op_at(r, step) == op) {
            return r->at_us[step];
        }
    }
    return r->end_us[r->result->depth];
}

/* A read that begins no fetch has a cue for one all the same, in case that with every rule it does.
 */
static bool is_held(const struct replay *r, const struct cue *cue)
{
    bool sends = cue->kind == CUE_SENT && cue->op < READS;
    if (cue->kind == CUE_SENT && !sends) {
        enum cache_step kind = kind_at(r, cue->step);
        sends = kind == CACHE_READ_FETCHES || kind == CACHE_READ_AND_REFRESH;
    }
    return sends || cue->kind == CUE_ANSWERED;
}

static bool plan(struct replay *r, struct err *err)
{
    (void)err;
    r->key = KEY;
    r->step = 0;
    replay_cue(r, REPLAY_START_US + 100, CUE_COMMAND, "reads %s cached %d %d", KEY,
               (int)(CACHE_FRESH_TICKS * TICK_US / US_PER_MS),
               (int)(CACHE_STALE_TICKS * TICK_US / US_PER_MS));
    for (r->step = 1; r->step <= r->result->depth; r->step++) {
        plan_step(r);
    }
    for (uint32_t i = 0; i < r->cues; i++) {
        struct cue *cue = &r->cue[i];
        if (is_held(r, cue)) {
            cue->until_us = arrival_us(r, cue->step, cue->op);
        }
    }
    return true;
}

/* --- reading the world -------------------------------------------------------------------------
 */

/* When an edit was applied; INT64_MAX: not yet. */
static int64_t applied_us(const struct replay *r, unsigned edit)
{
    const struct trace_record *t = replay_served(r, r->op[EDITS + edit].number);
    return t ? t->time_us : INT64_MAX;
}

/* Edits that were applied by then: the version that the shard held. */
static uint64_t version_at(const struct replay *r, int64_t us)
{
    uint64_t version = 0;
    for (unsigned i = 0; i < CACHE_EDITS_MAX; i++) {
        version += applied_us(r, i) <= us;
    }
    return version;
}

/* When that version was replaced; INT64_MAX: it is the newest. */
static int64_t replaced_us(const struct replay *r, uint64_t version)
{
    int64_t at = INT64_MAX;
    for (unsigned i = 0; i < CACHE_EDITS_MAX; i++) {
        int64_t applied = applied_us(r, i);
        bool later = applied != INT64_MAX && version_at(r, applied) > version;
        at = later && applied < at ? applied : at;
    }
    return at;
}

/* The newest version that the router with the cache has acknowledged: what a read must return. */
static uint64_t acknowledged(const struct replay *r, uint8_t op)
{
    uint64_t newest = 0;
    struct request_info info;
    (void)op;
    for (uint8_t i = 0; i < CACHE_EDITS_MAX; i++) {
        if (replay_done(r, EDITS + i, &info) && info.router == CACHE_ROUTER) {
            uint64_t version = version_at(r, applied_us(r, i));
            newest = version > newest ? version : newest;
        }
    }
    return newest;
}

/* The version that a fetch brings; NO_VERSION: it has not been answered. */
static uint64_t version_of_fetch(const struct replay *r, uint8_t op)
{
    const struct trace_record *t = replay_served(r, r->op[op].number);
    return t ? version_at(r, t->time_us) : NO_VERSION;
}

/* Of the answer that was fetched when its age is counted from; NO_VERSION: none was. */
static uint64_t version_sent_at(const struct replay *r, int64_t us)
{
    for (uint8_t op = FETCHES; op < OPS_END; op++) {
        const struct trace_record *t = replay_record(r, r->op[op].number, TRACE_ROUTE, REASON_NONE);
        if (t && t->time_us == us) {
            return version_of_fetch(r, op);
        }
    }
    return NO_VERSION;
}

/* How the reply to a read tells its age: from the entry, or after a wait for a fetch. */
static const struct trace_record *reply_of(const struct replay *r, uint8_t op, bool *from_entry)
{
    static const uint16_t reasons[] = {REASON_CACHE_FRESH, REASON_CACHE_STALE, REASON_CACHE_WAITED};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        const struct trace_record *t = replay_record(r, r->op[op].number, TRACE_REPLY, reasons[i]);
        if (t) {
            *from_entry = reasons[i] != REASON_CACHE_WAITED;
            return t;
        }
    }
    return NULL;
}

static uint64_t returned(const struct replay *r, uint8_t op)
{
    bool from_entry = false;
    const struct trace_record *t = reply_of(r, op, &from_entry);
    return t ? version_sent_at(r, t->time_us - t->operand[0]) : NO_VERSION;
}

/* For how long what a read got from the entry had been replaced; 0: it had not, or it waited. */
static int64_t replaced_for(const struct replay *r, uint8_t op)
{
    bool from_entry = false;
    const struct trace_record *t = reply_of(r, op, &from_entry);
    int64_t at = t && from_entry ? replaced_us(r, returned(r, op)) : INT64_MAX;
    return at < INT64_MAX && t->time_us > at ? t->time_us - at : 0;
}

static bool is_too_old(const struct replay *r, uint8_t op)
{
    return replaced_for(r, op) >= CACHE_STALE_TICKS * TICK_US;
}

/* --- comparing ---------------------------------------------------------------------------------
 */

static const char *edit_differs(const struct replay *r, const struct micro_cache *now, unsigned i)
{
    struct request_info info;
    uint8_t op = (uint8_t)(EDITS + i);
    const struct cache_edit *e = &now->edit[i];
    if ((r->op[op].number != 0) != (e->stage >= CACHE_SENT)) {
        return "whether an edit is under way";
    }
    if ((applied_us(r, i) != INT64_MAX) != (e->stage >= CACHE_APPLIED)) {
        return "whether the shard has an edit";
    }
    return replay_done(r, op, &info) != (e->stage == CACHE_ACKNOWLEDGED)
               ? "whether an edit is acknowledged"
               : NULL;
}

static bool has_landed(const struct replay *r, uint8_t op)
{
    uint64_t number = r->op[op].number;
    return replay_record(r, number, TRACE_READS, REASON_CACHE_FILLED) != NULL ||
           replay_record(r, number, TRACE_READS, REASON_CACHE_NOT_KEPT) != NULL;
}

static const char *fetch_differs(const struct replay *r, const struct micro_cache *now, unsigned i)
{
    uint8_t op = (uint8_t)(FETCHES + i);
    const struct cache_fetch *f = &now->fetch[i];
    uint64_t version = version_of_fetch(r, op);
    if ((r->op[op].number != 0) != (f->stage >= CACHE_BEGUN)) {
        return "whether a fetch is under way";
    }
    if ((version != NO_VERSION) != (f->stage >= CACHE_ANSWERED)) {
        return "whether the shard has answered a fetch";
    }
    if (f->stage == CACHE_ANSWERED && version != f->version) {
        return "the version that a fetch brings";
    }
    return has_landed(r, op) != (f->stage == CACHE_RETURNED) ? "whether a fetch is back" : NULL;
}

static const char *read_differs(const struct replay *r, const struct micro_cache *now, unsigned i)
{
    struct request_info info;
    uint8_t op = (uint8_t)(READS + i);
    const struct cache_read *read = &now->read[i];
    bool done = replay_done(r, op, &info);
    if ((r->op[op].number != 0) != (read->stage != CACHE_IDLE)) {
        return "whether a read was asked";
    }
    if (done != (read->stage == CACHE_DONE)) {
        return "whether a read waits";
    }
    if (done && replay_stale(r, op) != (read->need == CACHE_OWN_EDIT)) {
        return "whether a read lacks an edit";
    }
    bool old = done && !replay_stale(r, op) && is_too_old(r, op);
    return old != (read->stage == CACHE_DONE && read->need == CACHE_BOUND)
               ? "whether a read got what is too old"
               : NULL;
}

static const char *entry_differs(const struct replay *r, const struct micro_cache *now)
{
    uint32_t key = replay_key(r, KEY);
    CHECK(key != KEY_NONE_ID);
    struct reads_info info = reads_info(r->world, CACHE_ROUTER, key);
    if ((info.held_us >= 0) != (now->fill.held != 0)) {
        return "whether the cache holds an entry";
    }
    if (world_key_version(r->world, SHARD, key) != now->version) {
        return "the shard's version";
    }
    return now->fill.held && version_sent_at(r, world_now(r->world) - info.held_us) != now->entry
               ? "which version the cache holds"
               : NULL;
}

static const char *differs(const struct replay *r, const void *state, uint32_t step)
{
    const struct micro_cache *now = state;
    const char *what = NULL;
    (void)step; /* all is known at every step */
    for (unsigned i = 0; !what && i < CACHE_EDITS_MAX; i++) {
        what = edit_differs(r, now, i);
    }
    for (unsigned i = 0; !what && i < CACHE_READS_MAX; i++) {
        what = fetch_differs(r, now, i);
        what = what ? what : read_differs(r, now, i);
    }
    return what ? what : entry_differs(r, now);
}

static bool fails(const struct replay *r, char *text, size_t room)
{
    for (uint8_t op = READS; op < FETCHES; op++) {
        if (replay_stale(r, op)) {
            (void)snprintf(text, room,
                           "a read returned version %llu, though its router had acknowledged "
                           "version %llu before it was asked",
                           (unsigned long long)returned(r, op), (unsigned long long)r->op[op].due);
            return true;
        }
        if (is_too_old(r, op)) {
            (void)snprintf(text, room,
                           "a read was served version %llu, which had been replaced for %s; the "
                           "stale bound is %s",
                           (unsigned long long)returned(r, op), num_span(replaced_for(r, op)).text,
                           num_span(CACHE_STALE_TICKS * TICK_US).text);
            return true;
        }
    }
    return false;
}

/* An acknowledged edit is in the shard's store. */
static uint64_t lost(const struct replay *r)
{
    uint64_t told = 0;
    struct request_info info;
    uint32_t key = replay_key(r, KEY);
    for (uint8_t i = 0; i < CACHE_EDITS_MAX; i++) {
        told += replay_done(r, EDITS + i, &info);
    }
    uint64_t held = key != KEY_NONE_ID ? world_key_version(r->world, SHARD, key) : 0;
    return told > held ? told - held : 0;
}

static const char about[] = "The router with the cache is R0, the other one R1; the key is "
                            "post:{p9}. A tick is a second.\n";

const struct replay_way replay_way_cache = {.model = &model_micro_cache,
                                            .about = about,
                                            .plan = plan,
                                            .differs = differs,
                                            .fails = fails,
                                            .due = acknowledged,
                                            .returned = returned,
                                            .lost = lost};
