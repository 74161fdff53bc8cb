/*
 * coalesce: two readers and a writer of one key, whose identical reads at a router share queries.
 *
 * Who joins which query is decided by proto/flight.h. The write passes router R0. With
 * one-router-a-key the readers ask R0 as well; without it either of two routers, and each knows
 * only of the writes that passed itself. The size is the number of routers that the readers could
 * ask: with one, one-router-a-key has nothing to say. The last size is two routers that both learn
 * of every completed write, the costly way to do without that rule.
 *
 * How the steps are cut: the write is sent, applied, acknowledged; a query is sent with the read
 * that begins it, answered by the shard with the version that it has (0 or 1), and returned by the
 * router to all who wait for it. A query that is answered can still be joined until it is returned.
 *
 * The promise: a read that is issued after the write was acknowledged returns version 1.
 */
#include "check/coalesce.h"
#include "check/models.h"
#include "proto/flight.h"
#include <stdio.h>
#include <string.h>

#define NOBODY 7u
#define TOLD_EACH_OTHER 3 /* the size */

static const struct check_rule rules[] = {
    {"join-before-write", "A read joins a query only if no write completed since it began."},
    {"one-router-a-key", "All requests of a coalesced key pass through one router."},
    {NULL, NULL},
};

enum rule_bits {
    JOIN_BEFORE_WRITE = 1 << 0,
    ONE_ROUTER = 1 << 1
};

/* An action is a step times 16, a router times 8, and a reader or a query. */
static uint16_t action_of(enum coalesce_step step, unsigned router, unsigned which)
{
    return (uint16_t)((unsigned)step << 4 | router << 3 | which);
}

struct coalesce_action coalesce_action_of(uint16_t action)
{
    CHECK(action >> 4 <= COALESCE_RETURN);
    return (struct coalesce_action){
        .step = (enum coalesce_step)(action >> 4), .router = action >> 3 & 1, .which = action & 7};
}

static unsigned router_of(uint16_t action)
{
    return action >> 3 & 1u;
}

static unsigned which_of(uint16_t action)
{
    return action & 7u;
}

static unsigned routers_of(const struct check_scope *scope)
{
    if (scope->size == TOLD_EACH_OTHER) {
        return COALESCE_ROUTERS;
    }
    return (scope->rules & ONE_ROUTER) ? 1 : scope->size;
}

static uint64_t rules_of(const struct check_scope *scope)
{
    return (scope->rules & JOIN_BEFORE_WRITE) ? RULES_ALL
                                              : RULES_ALL & ~rule_bit(RULE_JOIN_BEFORE_WRITE);
}

static struct flight_core core_at(const struct coalesce *c, unsigned router)
{
    return (struct flight_core){.flying = c->flying[router], .joinable = c->joinable[router]};
}

static void core_back(struct coalesce *c, unsigned router, const struct flight_core *core)
{
    CHECK(core->flying <= UINT8_MAX && core->joinable <= UINT8_MAX);
    c->flying[router] = (uint8_t)core->flying;
    c->joinable[router] = (uint8_t)core->joinable;
}

static struct coalesce *put(struct check_out *out, const struct coalesce *from, uint16_t action)
{
    struct coalesce *to = check_put(out, action);
    *to = *from;
    return to;
}

static void init(const struct check_scope *scope, struct check_out *out)
{
    CHECK(scope->size >= 1 && scope->size <= TOLD_EACH_OTHER);
    struct coalesce *start = check_put(out, 0);
    *start = (struct coalesce){.write = COALESCE_UNSENT};
}

static void next_of_write(const struct check_scope *scope, const struct coalesce *now,
                          struct check_out *out)
{
    if (now->write == COALESCE_UNSENT) {
        put(out, now, action_of(COALESCE_SEND_WRITE, 0, NOBODY))->write = COALESCE_SENT;
    } else if (now->write == COALESCE_SENT) {
        put(out, now, action_of(COALESCE_APPLY_WRITE, 0, NOBODY))->write = COALESCE_APPLIED;
    } else if (now->write == COALESCE_APPLIED) {
        struct coalesce *to = put(out, now, action_of(COALESCE_ACKNOWLEDGE, 0, NOBODY));
        for (unsigned r = 0; r < (scope->size == TOLD_EACH_OTHER ? COALESCE_ROUTERS : 1u); r++) {
            struct flight_core core = core_at(to, r);
            flight_write_completed(&core, rules_of(scope));
            core_back(to, r, &core);
        }
        to->write = COALESCE_ACKNOWLEDGED;
    }
}

/* The readers are alike: the second begins after the first. */
static void next_of_readers(const struct check_scope *scope, const struct coalesce *now,
                            struct check_out *out)
{
    unsigned first = now->reader[0].stage == COALESCE_IDLE ? 0 : 1;
    if (now->reader[first].stage != COALESCE_IDLE) {
        return;
    }
    for (unsigned r = 0; r < routers_of(scope); r++) {
        struct coalesce *to = put(out, now, action_of(COALESCE_READ, r, first));
        struct flight_core core = core_at(to, r);
        uint8_t query = 0;
        CHECK(flight_read(&core, &query) != FLIGHT_ALONE);
        core_back(to, r, &core);
        to->reader[first] =
            (struct coalesce_reader){.stage = COALESCE_WAITING,
                                     .router = (uint8_t)r,
                                     .query = query,
                                     .need = now->write == COALESCE_ACKNOWLEDGED ? 1 : 0};
    }
}

static void take_back(struct coalesce *to, unsigned router, unsigned query)
{
    struct flight_core core = core_at(to, router);
    uint8_t bit = (uint8_t)(1u << query);
    uint8_t version = (to->newer[router] & bit) ? 1 : 0;
    flight_landed(&core, (uint8_t)query);
    core_back(to, router, &core);
    to->answered[router] &= (uint8_t)~bit;
    to->newer[router] &= (uint8_t)~bit;
    for (unsigned i = 0; i < COALESCE_READERS; i++) {
        struct coalesce_reader *reader = &to->reader[i];
        if (reader->stage == COALESCE_WAITING && reader->router == router &&
            reader->query == query) {
            *reader = (struct coalesce_reader){.stage = COALESCE_DONE,
                                               .need = version < reader->need ? 1 : 0};
        }
    }
}

static void next_of_queries(const struct coalesce *now, unsigned router, struct check_out *out)
{
    for (unsigned query = 0; query < COALESCE_READERS; query++) {
        unsigned bit = 1u << query;
        if ((now->flying[router] & bit) == 0) {
            continue;
        }
        if ((now->answered[router] & bit) == 0) {
            struct coalesce *to = put(out, now, action_of(COALESCE_ANSWER, router, query));
            to->answered[router] |= (uint8_t)bit;
            to->newer[router] |= (uint8_t)(now->write >= COALESCE_APPLIED ? bit : 0);
        } else {
            take_back(put(out, now, action_of(COALESCE_RETURN, router, query)), router, query);
        }
    }
}

static void next(const struct check_scope *scope, const void *state, struct check_out *out)
{
    next_of_write(scope, state, out);
    next_of_readers(scope, state, out);
    for (unsigned r = 0; r < COALESCE_ROUTERS; r++) {
        next_of_queries(state, r, out);
    }
}

static int check(const struct check_scope *scope, const void *state)
{
    const struct coalesce *now = state;
    (void)scope;
    for (unsigned i = 0; i < COALESCE_READERS; i++) {
        if (now->reader[i].stage == COALESCE_DONE && now->reader[i].need != 0) {
            return 1;
        }
    }
    return 0;
}

static const char *broken(int code)
{
    CHECK(code == 1);
    return "a read lacks a write that was acknowledged before the read was issued";
}

static const char *const promised[] = {
    "a read returns the write if that was acknowledged before the read was issued",
    NULL,
};

static bool finished(const struct check_scope *scope, const void *state)
{
    const struct coalesce *now = state;
    (void)scope;
    return now->write == COALESCE_ACKNOWLEDGED && now->reader[0].stage == COALESCE_DONE &&
           now->reader[1].stage == COALESCE_DONE;
}

enum situation {
    JOINED,
    TWO_QUERIES,
    OLD_ON_ITS_WAY,
    OLD_AFTER_ACK,
    READ_ACROSS,
    READ_AFTER
};

static const struct check_situation situation[] = {
    [JOINED] = {"two readers wait for one query"},
    [TWO_QUERIES] = {"two queries of the key are under way at one router"},
    [OLD_ON_ITS_WAY] = {"an answer without the write is on its way after the write was applied"},
    [OLD_AFTER_ACK] = {"an answer without the write is on its way after it was acknowledged"},
    [READ_ACROSS] = {"a read that was issued before the acknowledgement waits beyond it"},
    [READ_AFTER] = {"a read is issued after the acknowledgement while an older query is under way"},
    {NULL},
};

static uint32_t situations(const struct check_scope *scope, const void *state)
{
    const struct coalesce *now = state;
    const struct coalesce_reader *r = now->reader;
    bool both = r[0].stage == COALESCE_WAITING && r[1].stage == COALESCE_WAITING &&
                r[0].router == r[1].router;
    bool acknowledged = now->write == COALESCE_ACKNOWLEDGED;
    uint32_t in = check_bit(JOINED, both && r[0].query == r[1].query) |
                  check_bit(TWO_QUERIES, both && r[0].query != r[1].query);
    (void)scope;
    for (unsigned i = 0; i < COALESCE_ROUTERS; i++) {
        bool old = (now->answered[i] & ~now->newer[i]) != 0;
        in |= check_bit(OLD_ON_ITS_WAY, old && now->write >= COALESCE_APPLIED);
        in |= check_bit(OLD_AFTER_ACK, old && acknowledged);
    }
    for (unsigned i = 0; i < COALESCE_READERS; i++) {
        bool waits = r[i].stage == COALESCE_WAITING;
        const struct coalesce_reader *other = &r[1 - i];
        bool older = other->stage == COALESCE_WAITING && other->need == 0;
        in |= check_bit(READ_ACROSS, waits && acknowledged && r[i].need == 0);
        in |= check_bit(READ_AFTER, waits && r[i].need != 0 && older);
    }
    return in;
}

enum actor {
    WRITER,
    SHARD,
    READER,                             /* two */
    ROUTER = READER + COALESCE_READERS, /* two */
};

static unsigned actor(uint16_t action)
{
    switch (coalesce_action_of(action).step) {
    case COALESCE_SEND_WRITE:
        return WRITER;
    case COALESCE_APPLY_WRITE:
    case COALESCE_ANSWER:
        return SHARD;
    case COALESCE_ACKNOWLEDGE:
    case COALESCE_RETURN:
        return ROUTER + router_of(action);
    case COALESCE_READ:
        return READER + which_of(action);
    }
    CHECK(false && "no such step");
    return WRITER;
}

static void tell_read(const struct check_scope *scope, const struct coalesce *now, uint16_t action,
                      struct check_told *told)
{
    unsigned router = router_of(action);
    snprintf(told->actor, sizeof told->actor, "reader %u", which_of(action) + 1);
    snprintf(told->action, sizeof told->action, "asks R%u", router);
    const char *must =
        now->write == COALESCE_ACKNOWLEDGED ? " The write was acknowledged before." : "";
    if (now->joinable[router] == 0) {
        snprintf(told->detail, sizeof told->detail, "R%u begins query %c to the shard.%s", router,
                 now->flying[router] == 0 ? 'a' : 'b', must);
    } else {
        bool elsewhere = *must && router != 0 && scope->size != TOLD_EACH_OTHER;
        char unseen[64] = "";
        if (elsewhere) { /* why join-before-write does not help */
            snprintf(unseen, sizeof unseen, " R%u saw no write: it went through R0.", router);
        }
        snprintf(told->detail, sizeof told->detail,
                 "R%u has query %c under way: the read joins it.%s%s", router,
                 (char)('a' + now->joinable[router] - 1), must, unseen);
    }
}

static void tell_query(const struct coalesce *now, uint16_t action, struct check_told *told)
{
    unsigned router = router_of(action);
    unsigned query = which_of(action);
    if (coalesce_action_of(action).step == COALESCE_ANSWER) {
        snprintf(told->actor, sizeof told->actor, "the shard");
        snprintf(told->action, sizeof told->action, "answers R%u's query %c", router,
                 (char)('a' + query));
        snprintf(told->detail, sizeof told->detail, "Its version is %d. The answer is on its way.",
                 now->write >= COALESCE_APPLIED ? 1 : 0);
        return;
    }
    int version = (now->newer[router] >> query & 1) ? 1 : 0;
    unsigned waiting = 0;
    bool stale = false;
    for (unsigned i = 0; i < COALESCE_READERS; i++) {
        const struct coalesce_reader *r = &now->reader[i];
        bool here = r->stage == COALESCE_WAITING && r->router == router && r->query == query;
        waiting += here ? 1 : 0;
        stale |= here && r->need > version;
    }
    snprintf(told->actor, sizeof told->actor, "R%u", router);
    snprintf(told->action, sizeof told->action, "returns version %d", version);
    snprintf(told->detail, sizeof told->detail, "The answer of query %c goes to %u reader%s.%s",
             (char)('a' + query), waiting, waiting == 1 ? "" : "s",
             stale ? " One of them asked after version 1 was acknowledged." : "");
}

static void tell(const struct check_scope *scope, const void *state, uint16_t action,
                 struct check_told *told)
{
    switch (coalesce_action_of(action).step) {
    case COALESCE_SEND_WRITE:
        snprintf(told->actor, sizeof told->actor, "the writer");
        snprintf(told->action, sizeof told->action, "sends version 1 to R0");
        snprintf(told->detail, sizeof told->detail, "R0 sends it on to the shard.");
        break;
    case COALESCE_APPLY_WRITE:
        snprintf(told->actor, sizeof told->actor, "the shard");
        snprintf(told->action, sizeof told->action, "applies the write");
        snprintf(told->detail, sizeof told->detail, "It holds version 1 from now on.");
        break;
    case COALESCE_ACKNOWLEDGE:
        snprintf(told->actor, sizeof told->actor, "R0");
        snprintf(told->action, sizeof told->action, "acknowledges the write");
        snprintf(told->detail, sizeof told->detail, "The writer is told OK.");
        break;
    case COALESCE_READ:
        tell_read(scope, state, action, told);
        break;
    case COALESCE_ANSWER:
    case COALESCE_RETURN:
        tell_query(state, action, told);
        break;
    }
}

static void say_size(uint8_t size, char *text, size_t room)
{
    snprintf(text, room, "2 readers, 1 writer, %s",
             size == 1                 ? "1 router"
             : size == TOLD_EACH_OTHER ? "2 routers that tell each other of writes"
                                       : "2 routers");
}

const struct check_model model_coalesce = {
    .name = "coalesce",
    .about = "identical reads at a router share one query, while the key is written",
    .rule = rules,
    .state_size = sizeof(struct coalesce),
    .size_small = 2,
    .size_large = 2,
    .size_of = "routers",
    .say_size = say_size,
    .init = init,
    .next = next,
    .check = check,
    .broken = broken,
    .promises = promised,
    .situation = situation,
    .situations = situations,
    .finished = finished,
    .actor = actor,
    .tell = tell,
};
