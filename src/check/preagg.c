/*
 * preagg: its rules, its scopes, its steps and what is judged; see preagg.h. The words are in
 * preagg_words.c.
 */
#include "check/preagg.h"
#include "check/models.h"
#include <string.h>

/* In the order of proto/rule.h. */
static const struct check_rule demanded[] = {
    {"absolute-flush", "A flush carries the total, not the difference."},
    {"flush-sequence", "A sub-key takes a flush only with a higher sequence than it has."},
    {"claim-on-restart", "A restarted router first makes its sub-key its own."},
    {"durable-before-ack", "A like is written to liked before its client is told OK."},
    {"recount-at-flushed", "A rebuild leaves out the likes that routers have yet to flush."},
    {NULL, NULL},
};

#define RULES 5u

_Static_assert(RULE_RECOUNT_AT_FLUSHED - RULE_ABSOLUTE_FLUSH == RULES - 1, "the list is this one");

static const struct preagg_world worlds[PREAGG_SIZES] = {
    [PREAGG_SMALL] = {.likes = 2, .losses = 1, .restarts = 1, .rebuilds = 1},
    [PREAGG_LARGE] = {.likes = 3, .losses = 2, .restarts = 2, .rebuilds = 2},
    [PREAGG_ONLY_FLUSHES] = {.likes = 3, .losses = 1},
    [PREAGG_ONLY_RESTART] = {.likes = 3, .restarts = 1},
};

const struct preagg_world *preagg_world_of(const struct check_scope *scope)
{
    CHECK(scope->size < PREAGG_SIZES);
    return &worlds[scope->size];
}

uint64_t preagg_rules_of(const struct check_scope *scope)
{
    uint64_t off = ~scope->rules & ((1u << RULES) - 1);
    return RULES_ALL & ~(off << RULE_ABSOLUTE_FLUSH);
}

/* An action is a step times 8, and the flight it concerns. */
uint16_t preagg_action(enum preagg_step step, unsigned flight)
{
    return (uint16_t)((unsigned)step << 3 | flight);
}

enum preagg_step preagg_step_of(uint16_t action)
{
    return (enum preagg_step)(action >> 3);
}

unsigned preagg_flight_of(uint16_t action)
{
    return action & 7u;
}

unsigned preagg_size_of(uint8_t likes)
{
    unsigned size = 0;
    for (unsigned i = 0; i < 8; i++) {
        size += (unsigned)likes >> i & 1u;
    }
    return size;
}

/* --- steps ------------------------------------------------------------------------------------ */

static void send(struct preagg *p, enum preagg_kind kind, struct flush_parcel parcel, uint8_t likes)
{
    unsigned i = 0;
    while (i < PREAGG_FLIGHTS && p->flight[i].kind != PREAGG_NONE) {
        i++;
    }
    CHECK(i < PREAGG_FLIGHTS && parcel.value <= UINT8_MAX && parcel.sequence <= UINT16_MAX);
    p->flight[i] = (struct preagg_flight){.kind = (uint8_t)kind,
                                          .value = (uint8_t)parcel.value,
                                          .sequence = (uint16_t)parcel.sequence,
                                          .life = p->restarts,
                                          .likes = likes};
}

static void arrive(struct preagg *p, unsigned flight)
{
    size_t behind = PREAGG_FLIGHTS - 1 - flight;
    memmove(&p->flight[flight], &p->flight[flight + 1], behind * sizeof p->flight[0]);
    p->flight[PREAGG_FLIGHTS - 1] = (struct preagg_flight){.kind = PREAGG_NONE};
}

static void like(struct preagg *p, bool stored)
{
    uint8_t bit = (uint8_t)(1u << p->likes++);
    flush_add(&p->sender);
    p->buffer |= bit;
    p->young |= bit;
    p->rows |= stored ? bit : 0;
}

static void flush(struct preagg *p, uint64_t rules)
{
    struct flush_parcel parcel = flush_send(&p->sender, rules, FLUSH_ABSOLUTE);
    p->rows |= p->buffer;
    p->total |= p->buffer;
    send(p, PREAGG_A_FLUSH, parcel, rule_on(rules, RULE_ABSOLUTE_FLUSH) ? p->total : p->buffer);
    p->buffer = 0;
}

/* The router has read its sub-key. */
static void read_back(struct preagg *p, uint64_t rules)
{
    struct flush_parcel held = {.value = p->cell.total, .sequence = p->cell.sequence};
    p->total = p->held;
    if (flush_read_back(&p->sender, rules, p->cell)) {
        send(p, PREAGG_A_CLAIM, held, 0);
    } else {
        p->young = p->buffer;
    }
}

static void restart(struct preagg *p, uint64_t rules)
{
    p->restarts++;
    p->missing |= (uint8_t)(p->buffer & ~p->rows);
    p->buffer = 0;
    flush_crash(&p->sender);
    read_back(p, rules);
}

static void land_flush(struct preagg *p, uint64_t rules, const struct preagg_flight *f, bool heard)
{
    struct flush_parcel parcel = {.value = f->value, .sequence = f->sequence};
    if (flush_take(&p->cell, rules, FLUSH_ABSOLUTE, parcel)) {
        p->held = rule_on(rules, RULE_ABSOLUTE_FLUSH) ? f->likes : p->held | f->likes;
    }
    if (heard) {
        flush_answered(&p->sender, f->sequence);
        p->owed |= f->likes;
    }
}

static void land_claim(struct preagg *p, const struct preagg_flight *f, bool heard)
{
    struct flush_parcel claim = {.value = f->value, .sequence = f->sequence};
    bool taken = flush_take_claim(&p->cell, claim);
    if (heard) {
        flush_claimed(&p->sender, taken);
        p->young = taken ? p->buffer : p->young;
    }
}

static void land(struct preagg *p, uint64_t rules, unsigned flight, bool lost)
{
    struct preagg_flight f = p->flight[flight];
    bool heard = !lost && f.life == p->restarts;
    if (lost) {
        p->losses++;
    } else {
        arrive(p, flight);
    }
    if (f.kind == PREAGG_A_FLUSH) {
        land_flush(p, rules, &f, heard);
    } else {
        land_claim(p, &f, heard);
    }
}

static void rebuild(struct preagg *p, bool all)
{
    unsigned yet_to_flush = p->young & ~(unsigned)p->held;
    uint8_t recount = (uint8_t)(p->rows & ~(all ? 0u : yet_to_flush));
    p->rebuilds++;
    p->fix = (int8_t)((int)preagg_size_of(recount) - (int)p->cell.total);
    p->fixed = (uint8_t)(recount & ~p->held);
}

struct preagg preagg_after(const struct check_scope *scope, const struct preagg *now,
                           uint16_t action)
{
    struct preagg to = *now;
    uint64_t rules = preagg_rules_of(scope);
    enum preagg_step step = preagg_step_of(action);
    switch (step) {
    case PREAGG_LIKE:
    case PREAGG_LIKE_UNSTORED:
        like(&to, step == PREAGG_LIKE);
        break;
    case PREAGG_FLUSH:
        flush(&to, rules);
        break;
    case PREAGG_TAKE:
    case PREAGG_REFUSE:
    case PREAGG_GRANT:
    case PREAGG_DENY:
        land(&to, rules, preagg_flight_of(action), false);
        break;
    case PREAGG_TAKE_LOST:
    case PREAGG_REFUSE_LOST:
    case PREAGG_GRANT_LOST:
    case PREAGG_DENY_LOST:
        land(&to, rules, preagg_flight_of(action), true);
        break;
    case PREAGG_READ:
        read_back(&to, rules);
        break;
    case PREAGG_REBUILD:
    case PREAGG_REBUILD_ALL:
        rebuild(&to, step == PREAGG_REBUILD_ALL);
        break;
    case PREAGG_RESTART:
    case PREAGG_RESTART_UNCLAIMED:
        restart(&to, rules);
        break;
    case PREAGG_STEPS:
        CHECK(false && "no such step");
        break;
    }
    to.owed |= to.held | to.fixed;
    return to;
}

static void put(const struct check_scope *scope, const struct preagg *now, struct check_out *out,
                uint16_t action)
{
    struct preagg *to = check_put(out, action);
    *to = preagg_after(scope, now, action);
}

static void next_of_flight(const struct check_scope *scope, const struct preagg *now, unsigned i,
                           struct check_out *out)
{
    struct flush_cell cell = now->cell;
    struct flush_parcel parcel = {.value = now->flight[i].value,
                                  .sequence = now->flight[i].sequence};
    bool flushes = now->flight[i].kind == PREAGG_A_FLUSH;
    bool taken = flushes ? flush_take(&cell, preagg_rules_of(scope), FLUSH_ABSOLUTE, parcel)
                         : flush_take_claim(&cell, parcel);
    enum preagg_step step = flushes ? PREAGG_TAKE : PREAGG_GRANT;
    step += taken ? 0 : PREAGG_REFUSE - PREAGG_TAKE;
    put(scope, now, out, preagg_action(step, i));
    if (now->losses < preagg_world_of(scope)->losses) {
        put(scope, now, out, preagg_action(step + (PREAGG_TAKE_LOST - PREAGG_TAKE), i));
    }
}

static void next(const struct check_scope *scope, const void *state, struct check_out *out)
{
    const struct preagg_world *world = preagg_world_of(scope);
    const struct preagg *now = state;
    uint64_t rules = preagg_rules_of(scope);
    if (now->likes < world->likes) {
        bool stored = rule_on(rules, RULE_DURABLE_BEFORE_ACK);
        put(scope, now, out, preagg_action(stored ? PREAGG_LIKE : PREAGG_LIKE_UNSTORED, 0));
    }
    if (flush_has_news(&now->sender, FLUSH_ABSOLUTE)) {
        put(scope, now, out, preagg_action(PREAGG_FLUSH, 0));
    }
    for (unsigned i = 0; i < PREAGG_FLIGHTS && now->flight[i].kind != PREAGG_NONE; i++) {
        next_of_flight(scope, now, i, out);
    }
    if (now->sender.phase == FLUSH_READING) {
        put(scope, now, out, preagg_action(PREAGG_READ, 0));
    }
    if (now->rebuilds < world->rebuilds && now->likes > 0) {
        bool flushed = rule_on(rules, RULE_RECOUNT_AT_FLUSHED);
        put(scope, now, out, preagg_action(flushed ? PREAGG_REBUILD : PREAGG_REBUILD_ALL, 0));
    }
    if (now->restarts < world->restarts && now->likes > 0) {
        bool claims = rule_on(rules, RULE_CLAIM_ON_RESTART);
        put(scope, now, out, preagg_action(claims ? PREAGG_RESTART : PREAGG_RESTART_UNCLAIMED, 0));
    }
}

/* --- what the search asks --------------------------------------------------------------------- */

static void init(const struct check_scope *scope, struct check_out *out)
{
    (void)preagg_world_of(scope);
    struct preagg *start = check_put(out, 0);
    *start = (struct preagg){.likes = 0};
}

int preagg_check(const struct check_scope *scope, const void *state)
{
    const struct preagg *now = state;
    uint8_t counted = now->held | now->fixed;
    int64_t shown = (int64_t)now->cell.total + now->fix;
    (void)scope;
    if (now->missing != 0) {
        return PREAGG_STORED;
    }
    if (shown > (int64_t)preagg_size_of(counted)) {
        return PREAGG_ONCE;
    }
    bool lacks = (now->owed & ~counted) != 0 || shown < (int64_t)preagg_size_of(counted);
    return lacks ? PREAGG_COUNTED : 0;
}

static const char *broken(int code)
{
    switch ((enum preagg_promise)code) {
    case PREAGG_COUNTED:
        return "a like is missing from the count, though its flush was answered";
    case PREAGG_ONCE:
        return "the count shows a like twice";
    case PREAGG_STORED:
        return "a like of which a client was told OK is stored nowhere: no rebuild brings it back";
    }
    CHECK(false && "no such promise");
    return "";
}

static const char *const promised[] = {
    "a like whose flush was answered is in the count",
    "the count shows no like twice",
    "a like of which a client was told OK is stored: a rebuild brings it back",
    NULL,
};

static bool finished(const struct check_scope *scope, const void *state)
{
    const struct preagg *now = state;
    (void)scope;
    return now->flight[0].kind == PREAGG_NONE && now->sender.phase == FLUSH_READY &&
           now->sender.buffer == 0;
}

enum situation {
    OVERTAKEN,
    SENT_AGAIN,
    FORMER_LIFE,
    TAKEN_BEFORE_CLAIM,
    SUMMED_MEANWHILE,
    FORGOTTEN,
    LEFT_OUT,
    BROUGHT_BACK
};

static const struct check_situation situation[] = {
    [OVERTAKEN] = {"a flush is under way that a newer one has overtaken"},
    [SENT_AGAIN] = {"a flush that the sub-key has taken is under way once more"},
    [FORMER_LIFE] = {"a flush from before the router's restart is still under way"},
    [TAKEN_BEFORE_CLAIM] = {"the sub-key has changed between the router's read and its claim"},
    [SUMMED_MEANWHILE] = {"a restarted router sums likes before its sub-key is its own"},
    [FORGOTTEN] = {"a like is stored and neither the count nor the router has it"},
    [LEFT_OUT] = {"a rebuild has left out a like that the router flushes later"},
    [BROUGHT_BACK] = {"a rebuild has brought back a like that a crash took out of the count"},
    {NULL},
};

static uint32_t situations_of_flight(const struct preagg *now, const struct preagg_flight *f)
{
    bool flushes = f->kind == PREAGG_A_FLUSH;
    bool claims = f->kind == PREAGG_A_CLAIM && f->life == now->restarts;
    return check_bit(OVERTAKEN, flushes && f->sequence < now->cell.sequence) |
           check_bit(SENT_AGAIN, flushes && f->sequence == now->cell.sequence) |
           check_bit(FORMER_LIFE, flushes && f->life < now->restarts) |
           check_bit(TAKEN_BEFORE_CLAIM, claims && f->sequence != now->cell.sequence);
}

static uint32_t situations(const struct check_scope *scope, const void *state)
{
    const struct preagg *now = state;
    uint8_t on_way = now->buffer;
    uint32_t in = 0;
    (void)scope;
    for (unsigned i = 0; i < PREAGG_FLIGHTS && now->flight[i].kind != PREAGG_NONE; i++) {
        in |= situations_of_flight(now, &now->flight[i]);
        on_way |= now->flight[i].likes;
    }
    unsigned nowhere = now->rows & ~(unsigned)(now->held | now->fixed | now->total | on_way);
    unsigned unflushed = now->rows & ~(unsigned)(now->held | now->fixed);
    bool restarted = now->restarts > 0;
    return in | check_bit(SUMMED_MEANWHILE, now->sender.phase != FLUSH_READY && now->buffer != 0) |
           check_bit(FORGOTTEN, nowhere != 0) |
           check_bit(LEFT_OUT, now->rebuilds > 0 && (unflushed & on_way) != 0) |
           check_bit(BROUGHT_BACK, restarted && (now->fixed & ~(now->total | on_way)) != 0);
}

enum actor {
    CLIENT,
    ROUTER,
    SHARD,
    JOB
};

static unsigned actor(uint16_t action)
{
    switch (preagg_step_of(action)) {
    case PREAGG_LIKE:
    case PREAGG_LIKE_UNSTORED:
        return CLIENT;
    case PREAGG_FLUSH:
    case PREAGG_READ:
    case PREAGG_RESTART:
    case PREAGG_RESTART_UNCLAIMED:
        return ROUTER;
    case PREAGG_TAKE:
    case PREAGG_REFUSE:
    case PREAGG_GRANT:
    case PREAGG_DENY:
    case PREAGG_TAKE_LOST:
    case PREAGG_REFUSE_LOST:
    case PREAGG_GRANT_LOST:
    case PREAGG_DENY_LOST:
        return SHARD;
    case PREAGG_REBUILD:
    case PREAGG_REBUILD_ALL:
        return JOB;
    case PREAGG_STEPS:
        break;
    }
    CHECK(false && "no such step");
    return CLIENT;
}

static bool fault(uint16_t action)
{
    return preagg_step_of(action) >= PREAGG_TAKE_LOST;
}

const struct check_model model_preagg = {
    .name = "preagg",
    .about = "a router sums likes, flushes its total to a sub-key of its own, and restarts",
    .rule = demanded,
    .state_size = sizeof(struct preagg),
    .size_small = PREAGG_SMALL,
    .size_large = PREAGG_LARGE,
    .size_of = "scope",
    .say_size = preagg_say_size,
    .init = init,
    .next = next,
    .check = preagg_check,
    .broken = broken,
    .promises = promised,
    .situation = situation,
    .situations = situations,
    .finished = finished,
    .actor = actor,
    .fault = fault,
    .tell = preagg_tell,
};
