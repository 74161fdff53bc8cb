/*
 * scatter_gather: its rules, its scopes, and what is judged; see scatter_gather.h. The steps are in
 * scatter_steps.c, their words in scatter_words.c.
 */
#include "check/scatter_gather.h"
#include "check/models.h"

/* In the order of proto/rule.h. */
static const struct check_rule demanded[] = {
    {"one-epoch-a-slot",
     "Answers that have a slot from two epochs are not merged: each slot counts once."},
    {"mark-partial", "A result that lacks a slot is marked partial."},
    {"first-answer-counts", "The first answer to a question counts, a later one is dropped."},
    {NULL, NULL},
};

#define RULES 3u

_Static_assert(RULE_FIRST_ANSWER_COUNTS - RULE_ONE_EPOCH_A_SLOT == RULES - 1,
               "the list is this one");

static const struct fanout_world worlds[FANOUT_SIZES] = {
    [FANOUT_SMALL] = {.shards = 2, .moves = 1, .hedges = 1, .late = 1, .timeouts = 1},
    [FANOUT_LARGE] = {.shards = 3, .moves = 2, .hedges = 2, .late = 2, .timeouts = 2},
};

const struct fanout_world *fanout_world_of(const struct check_scope *scope)
{
    CHECK(scope->size < FANOUT_SIZES);
    return &worlds[scope->size];
}

uint64_t fanout_rules_of(const struct check_scope *scope)
{
    uint64_t off = ~scope->rules & ((1u << RULES) - 1);
    return RULES_ALL & ~(off << RULE_ONE_EPOCH_A_SLOT);
}

/* A step in 9 bits, whether it is silent, a round in 3, its copy, a shard in 2. */
uint16_t fanout_number_of(struct fanout_action a)
{
    return (uint16_t)((unsigned)a.step << 7 | (a.silent ? 1u : 0) << 6 | (unsigned)a.round << 3 |
                      (a.replica ? 1u : 0) << 2 | a.shard);
}

struct fanout_action fanout_action_of(uint16_t action)
{
    CHECK(action >> 7 < FANOUT_STEPS);
    return (struct fanout_action){
        .step = (enum fanout_step)(action >> 7),
        .silent = (action >> 6 & 1) != 0,
        .round = action >> 3 & 7,
        .replica = (action >> 2 & 1) != 0,
        .shard = action & 3,
    };
}

/* --- what is where ---------------------------------------------------------------------------- */

unsigned fanout_knows(const struct fanout *now, unsigned shard, bool replica)
{
    return replica && now->behind[shard] != 0 ? now->behind[shard] : now->epoch;
}

/* What a shard's leader or replica counts when it answers a question. */
static unsigned counted_by(const struct fanout_world *world, const struct fanout *now,
                           const struct fanout_flight *question)
{
    unsigned epoch = fanout_knows(now, question->shard, question->replica != 0);
    unsigned counted = 0;
    for (unsigned i = 0; i < fanout_slots(world); i++) {
        bool owned = fanout_owner(i, epoch) == question->shard;
        enum slot_state row = owned ? SLOT_OWNED : SLOT_MOVED;
        counted |= gather_counts(row, owned ? KEYS_ALL : KEYS_NONE) ? 1u << i : 0;
    }
    return counted & question->wanted;
}

struct fanout_flight fanout_answer(const struct fanout_world *world, const struct fanout *now,
                                   const struct fanout_flight *question)
{
    struct fanout_flight f = {.kind = FANOUT_REPLY,
                              .shard = question->shard,
                              .replica = question->replica,
                              .round = question->round,
                              .wanted = question->wanted & 15u}; /* a hedge asks the same */
    unsigned counted = counted_by(world, now, question);
    bool moving = (counted >> FANOUT_MOVING & 1) != 0;
    f.counted = counted & 15u;
    f.wanted = question->replica != 0 ? 0 : f.wanted;
    f.epoch = moving ? fanout_knows(now, f.shard, f.replica != 0) & 15u : 0;
    return f;
}

unsigned fanout_in(const struct fanout_world *world, const struct fanout *now)
{
    unsigned in = 0;
    for (unsigned i = 0; i < fanout_slots(world); i++) {
        in |= now->slot[i].times > 0 ? 1u << i : 0;
    }
    return in;
}

unsigned fanout_missing(const struct fanout_world *world, const struct fanout *now)
{
    return ((1u << fanout_slots(world)) - 1) & ~fanout_in(world, now);
}

const struct fanout_flight *fanout_flight_of(const struct fanout *now, struct fanout_action a)
{
    unsigned at = 0;
    while (at < FANOUT_FLIGHTS &&
           (now->flight[at].kind == FANOUT_NOTHING || now->flight[at].shard != a.shard ||
            now->flight[at].round != a.round || (now->flight[at].replica != 0) != a.replica)) {
        at++;
    }
    CHECK(at < FANOUT_FLIGHTS);
    return &now->flight[at];
}

bool fanout_is_awaited(const struct fanout *now, const struct fanout_flight *f)
{
    return now->part[f->shard].waiting != 0 && now->part[f->shard].round == f->round;
}

/* --- what the search asks --------------------------------------------------------------------- */

static void init(const struct check_scope *scope, struct check_out *out)
{
    const struct fanout_world *world = fanout_world_of(scope);
    struct fanout *start = check_put(out, 0);
    *start = (struct fanout){
        .epoch = 1, .hedges = world->hedges, .late = world->late, .timeouts = world->timeouts};
}

static bool has_one_twice(const struct fanout *now)
{
    for (unsigned i = 0; i < FANOUT_SLOTS_MAX; i++) {
        if (now->slot[i].times > 1) {
            return true;
        }
    }
    return false;
}

static int check_outside(const struct fanout_world *world, const struct fanout *now)
{
    bool lacks = fanout_missing(world, now) != 0;
    if (now->end == GATHER_OPEN) {
        return 0;
    }
    if (has_one_twice(now)) {
        return FANOUT_TWICE;
    }
    if (lacks == (now->end == GATHER_PARTIAL)) {
        return 0;
    }
    return lacks ? FANOUT_SMALLER : FANOUT_MISMARKED;
}

static int check(const struct check_scope *scope, const void *state)
{
    const struct fanout_world *world = fanout_world_of(scope);
    int outside = scope->judge != CHECK_INSIDE ? check_outside(world, state) : 0;
    if (outside != 0 || scope->judge == CHECK_OUTSIDE) {
        return outside;
    }
    return has_one_twice(state) ? FANOUT_MERGED_TWICE : 0;
}

static const char *broken(int code)
{
    switch ((enum fanout_promise)code) {
    case FANOUT_TWICE:
        return "a reply counts a slot twice";
    case FANOUT_SMALLER:
        return "a reply lacks a slot, and does not say so";
    case FANOUT_MISMARKED:
        return "a reply is marked partial, and lacks nothing";
    case FANOUT_MERGED_TWICE:
        return "the router has merged a slot twice: its reply will count it twice";
    }
    CHECK(false && "no such promise");
    return "";
}

static const char *const promised[] = {
    "a reply counts each slot once, whatever moves meanwhile",
    "a reply that lacks a slot is marked partial",
    "a reply that is marked partial lacks a slot",
    "at no time has the router merged a slot twice",
    NULL,
};

static bool finished(const struct check_scope *scope, const void *state)
{
    const struct fanout *now = state;
    (void)scope;
    return now->end != GATHER_OPEN;
}

/* --- what must come to pass ------------------------------------------------------------------- */

enum situation {
    IN_TWO_ANSWERS,
    IN_NONE,
    ALL_HEARD,
    TWO_ASKED,
    LATE_AND_MOVED,
    REPLICA_BEHIND,
    FOR_NOBODY,
    MARKED
};

static const struct check_situation situation[] = {
    [IN_TWO_ANSWERS] = {"a slot has been counted by its source, and its target will answer next"},
    [IN_NONE] = {"the target has answered without the slot, and the source has it no more"},
    [ALL_HEARD] = {"nobody is waited for any more, and a slot is missing"},
    [TWO_ASKED] = {"the leader and the replica of one shard are both to answer one question"},
    [LATE_AND_MOVED] = {"an answer on its way counts a slot that has moved since"},
    [REPLICA_BEHIND] = {"a replica is asked that has not heard of a move yet"},
    [FOR_NOBODY] = {"an answer is under way that the router does not wait for any more"},
    [MARKED] = {"a reply lacks a slot and is marked partial"},
    {NULL},
};

static uint32_t situations_of_flight(const struct fanout_world *world, const struct fanout *now,
                                     const struct fanout_flight *f)
{
    const struct fanout_slot *slot = &now->slot[FANOUT_MOVING];
    unsigned owner = fanout_owner(FANOUT_MOVING, now->epoch);
    bool question = f->kind == FANOUT_QUESTION;
    bool waits = fanout_is_awaited(now, f);
    bool leader = question && waits && f->replica == 0;
    bool source = fanout_owner(FANOUT_MOVING, now->epoch - 1u) == f->shard;
    bool heard = now->part[owner].waiting == 0;
    (void)world;
    return check_bit(IN_TWO_ANSWERS,
                     leader && slot->times > 0 && slot->epoch < now->epoch && f->shard == owner) |
           check_bit(IN_NONE, leader && now->epoch > 1 && slot->times == 0 && source && heard) |
           check_bit(LATE_AND_MOVED, !question && f->epoch != 0 && f->epoch < now->epoch) |
           check_bit(REPLICA_BEHIND, question && f->replica != 0 && now->behind[f->shard] != 0) |
           check_bit(FOR_NOBODY, f->kind == FANOUT_STALE);
}

static uint32_t situations(const struct check_scope *scope, const void *state)
{
    const struct fanout *now = state;
    const struct fanout_world *world = fanout_world_of(scope);
    uint32_t in = check_bit(MARKED, now->end == GATHER_PARTIAL);
    bool waits = false;
    for (unsigned i = 0; i < world->shards; i++) {
        waits |= now->part[i].waiting != 0;
        in |= check_bit(TWO_ASKED, now->part[i].hedged != 0);
    }
    for (unsigned i = 0; i < FANOUT_FLIGHTS && now->flight[i].kind != FANOUT_NOTHING; i++) {
        in |= situations_of_flight(world, now, &now->flight[i]);
    }
    bool going = now->end == GATHER_OPEN && now->round > 0;
    return in | check_bit(ALL_HEARD, going && !waits);
}

/* --- who takes a step ------------------------------------------------------------------------- */

enum actor {
    ROUTER,
    DIRECTORY,
    LEADERS, /* three */
    REPLICAS = LEADERS + FANOUT_SHARDS_MAX
};

static unsigned actor(uint16_t action)
{
    struct fanout_action a = fanout_action_of(action);
    switch (a.step) {
    case FANOUT_ASK:
    case FANOUT_HEDGE:
    case FANOUT_AGAIN:
    case FANOUT_END:
    case FANOUT_GIVE_UP:
    case FANOUT_DROP:
        return ROUTER;
    case FANOUT_MOVE:
        return DIRECTORY;
    case FANOUT_APPLY:
        return REPLICAS + a.shard;
    case FANOUT_ANSWER:
    case FANOUT_ANSWER_CLASHES:
    case FANOUT_LAND:
    case FANOUT_LAND_CLASHES:
    case FANOUT_LATE:
        return (a.replica ? (unsigned)REPLICAS : (unsigned)LEADERS) + a.shard;
    case FANOUT_STEPS:
        break;
    }
    CHECK(false && "no such step");
    return ROUTER;
}

static bool fault(uint16_t action)
{
    return fanout_action_of(action).step >= FANOUT_LATE;
}

const struct check_model model_scatter = {
    .name = "scatter",
    .about = "one query asks every shard and merges the answers, while a slot moves",
    .rule = demanded,
    .state_size = sizeof(struct fanout),
    .size_small = FANOUT_SMALL,
    .size_large = FANOUT_LARGE,
    .size_of = "scope",
    .say_size = fanout_say_size,
    .init = init,
    .next = fanout_next,
    .check = check,
    .broken = broken,
    .promises = promised,
    .situation = situation,
    .situations = situations,
    .finished = finished,
    .actor = actor,
    .fault = fault,
    .tell = fanout_tell,
};
