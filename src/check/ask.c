/*
 * ask: its rules, its scopes, and what is judged; see ask.h. The steps are in ask_steps.c, their
 * words in ask_words.c.
 */
#include "check/ask.h"
#include "check/models.h"
#include <string.h>

/* In the order of proto/rule.h. */
static const struct check_rule demanded[] = {
    {"ask-for-missing-key", "The source answers ASK for a key that is no longer there."},
    {"asking-needed", "The target serves an arriving slot only to a request that says ASKING."},
    {"atomic-key-move", "A key is at exactly one side at any time."},
    {"ask-keeps-map", "ASK sends one request elsewhere and leaves the router's map alone."},
    {"try-again-on-split", "A request for several keys waits while they are at two shards."},
    {"close-when-empty", "The slot is handed over only when the source holds no key of it."},
    {NULL, NULL},
};

#define RULES 6u

_Static_assert(RULE_CLOSE_WHEN_EMPTY - RULE_ASK_FOR_MISSING == RULES - 1, "the list is this one");

static const struct check_apart apart[] = {
    {"close-when-empty", KEYWISE_QUIET,
     "Shown is a world in which no map comes too early. The harm needs none; with one the way is\n"
     "a step shorter."},
    {NULL, 0, NULL},
};

static const struct keywise_world worlds[KEYWISE_SIZES] = {
    [KEYWISE_SMALL] = {.keys = 2, .writes = 1, .reads = 1, .early = 1, .crashes = 1},
    [KEYWISE_LARGE] = {.keys = 3, .fresh = 1, .writes = 2, .reads = 2, .early = 1, .crashes = 2},
    [KEYWISE_QUIET] = {.keys = 2, .writes = 1, .reads = 1},
};

const struct keywise_world *keywise_world_of(const struct check_scope *scope)
{
    CHECK(scope->size < KEYWISE_SIZES);
    return &worlds[scope->size];
}

uint64_t keywise_rules_of(const struct check_scope *scope)
{
    uint64_t off = ~scope->rules & ((1u << RULES) - 1);
    return RULES_ALL & ~(off << RULE_ASK_FOR_MISSING);
}

/* A step in 5 bits, its request in 2, its router, its shard, and a key in 2. */
uint16_t keywise_number_of(struct keywise_action a)
{
    return (uint16_t)((unsigned)a.step << 6 | (unsigned)a.op << 4 | (unsigned)a.router << 3 |
                      (unsigned)a.shard << 2 | a.key);
}

struct keywise_action keywise_action_of(uint16_t action)
{
    CHECK(action >> 6 < KEYWISE_STEPS);
    return (struct keywise_action){
        .step = (enum keywise_step)(action >> 6),
        .op = action >> 4 & 3,
        .router = action >> 3 & 1,
        .shard = action >> 2 & 1,
        .key = action & 3,
    };
}

/* --- what is where ---------------------------------------------------------------------------- */

uint8_t keywise_bits(const struct keywise_world *world, const struct keywise *now, unsigned key)
{
    unsigned bits = key == KEYWISE_ALL ? (1u << world->keys) - 1 : 1u << key;
    for (unsigned i = 0; i < world->writes; i++) {
        bits |= key == KEYWISE_ALL || key == now->op[i].key ? keywise_bit(i) : 0;
    }
    return (uint8_t)bits;
}

uint8_t keywise_keys(const struct keywise_world *world, const struct keywise *now, unsigned set)
{
    unsigned keys = set & ((1u << world->keys) - 1);
    for (unsigned i = 0; i < world->writes; i++) {
        keys |= (set & keywise_bit(i)) != 0 ? 1u << now->op[i].key : 0;
    }
    return (uint8_t)keys;
}

uint8_t keywise_acknowledged(const struct keywise_world *world, const struct keywise *now)
{
    unsigned set = (1u << (world->keys - world->fresh)) - 1;
    for (unsigned i = 0; i < world->writes; i++) {
        set |= now->op[i].stage == KEYWISE_DONE ? keywise_bit(i) : 0;
    }
    return (uint8_t)set;
}

enum slot_state keywise_row(const struct keywise *now, unsigned shard)
{
    return (enum slot_state)(shard == KEYWISE_A ? now->ask.source : now->ask.target);
}

/* A claim raises the epoch by one. */
enum outcome keywise_answer(const struct keywise_world *world, uint64_t rules,
                            const struct keywise *now, unsigned op)
{
    const struct keywise_op *o = &now->op[op];
    unsigned bits = keywise_bits(world, now, o->key);
    uint32_t here = keywise_keys(world, now, now->has[o->at] & bits);
    uint32_t there = keywise_keys(world, now, now->has[1 - o->at] & bits);
    struct slot_question q = {
        .state = keywise_row(now, o->at),
        .row_epoch = o->at == KEYWISE_B ? 1 : 0,
        .seen_epoch = now->router[o->router] == KEYWISE_SAYS_B ? 1 : 0,
        .read = op >= world->writes,
        .asking = o->asking != 0,
        .presence = ask_presence(here | there, here),
    };
    return slot_answer(rules, &q);
}

bool keywise_all_issued(const struct keywise_world *world, const struct keywise *now)
{
    for (unsigned i = 0; i < keywise_ops(world); i++) {
        if (now->op[i].stage == KEYWISE_IDLE) {
            return false;
        }
    }
    return true;
}

/* --- what the search asks --------------------------------------------------------------------- */

static void init(const struct check_scope *scope, struct check_out *out)
{
    const struct keywise_world *world = keywise_world_of(scope);
    struct keywise *start = check_put(out, 0);
    *start = (struct keywise){
        .ask = ask_begin(),
        .early = world->early,
        .crashes = world->crashes,
    };
    start->has[KEYWISE_A] = keywise_acknowledged(world, start);
}

static int check_outside(const struct keywise_world *world, const struct keywise *now)
{
    for (unsigned i = 0; i < keywise_ops(world); i++) {
        if (now->op[i].stage == KEYWISE_CIRCLES) {
            return KEYWISE_CIRCLE;
        }
        if (i >= world->writes && now->op[i].stage == KEYWISE_DONE && now->op[i].need != 0) {
            return now->op[i].need;
        }
    }
    unsigned held = now->has[KEYWISE_A] | now->has[KEYWISE_B];
    return (keywise_acknowledged(world, now) & ~held) != 0 ? KEYWISE_LOST : 0;
}

static int check_inside(const struct keywise_world *world, const struct keywise *now)
{
    unsigned at_a = keywise_keys(world, now, now->has[KEYWISE_A]);
    if ((at_a & keywise_keys(world, now, now->has[KEYWISE_B])) != 0) {
        return KEYWISE_TWO_SIDES;
    }
    if (at_a != 0 && keywise_row(now, KEYWISE_B) == SLOT_OWNED) {
        return KEYWISE_LEFT_BEHIND;
    }
    for (unsigned r = 0; r < KEYWISE_ROUTERS; r++) {
        if (now->router[r] == KEYWISE_MISLED) {
            return KEYWISE_MAP_CHANGED;
        }
    }
    return 0;
}

static int check(const struct check_scope *scope, const void *state)
{
    const struct keywise_world *world = keywise_world_of(scope);
    int outside = scope->judge != CHECK_INSIDE ? check_outside(world, state) : 0;
    return outside != 0 || scope->judge == CHECK_OUTSIDE ? outside : check_inside(world, state);
}

/* --- names that are interchangeable ----------------------------------------------------------- */

static bool on_its_way(const struct keywise_op *o)
{
    return o->stage == KEYWISE_SENT || o->stage == KEYWISE_CIRCLES;
}

static void swap_routers(const struct keywise_world *world, struct keywise *to)
{
    uint8_t map = to->router[0];
    to->router[0] = to->router[1];
    to->router[1] = map;
    for (unsigned i = 0; i < keywise_ops(world); i++) {
        to->op[i].router ^= on_its_way(&to->op[i]) ? 1u : 0u;
    }
}

static void swap_ops(struct keywise *to, unsigned op)
{
    struct keywise_op o = to->op[op];
    to->op[op] = to->op[op + 1];
    to->op[op + 1] = o;
}

/* A set with the bits of two writes changed for each other. */
static uint8_t swapped(unsigned set)
{
    unsigned first = set / keywise_bit(0) & 1;
    unsigned second = set / keywise_bit(1) & 1;
    unsigned others = set & ~((unsigned)keywise_bit(0) | keywise_bit(1));
    return (uint8_t)(others | first * keywise_bit(1) | second * keywise_bit(0));
}

static void swap_writes(const struct keywise_world *world, struct keywise *to)
{
    swap_ops(to, 0);
    for (unsigned shard = 0; shard < 2; shard++) {
        to->has[shard] = swapped(to->has[shard]);
    }
    for (unsigned i = world->writes; i < keywise_ops(world); i++) {
        if (on_its_way(&to->op[i])) {
            to->op[i].need = swapped(to->op[i].need);
        }
    }
}

/* Routers, writes and reads are alike: of all states that differ by their names alone, the one with
 * the smallest bytes. */
static void canon(const struct check_scope *scope, void *state)
{
    const struct keywise_world *world = keywise_world_of(scope);
    struct keywise *now = state;
    struct keywise other = *now;
    bool issued = keywise_all_issued(world, now); /* then routers play no part any more */
    _Static_assert(KEYWISE_ROUTERS == 2 && KEYWISE_WRITES_MAX == 2, "pairs are swapped");
    CHECK(world->writes <= 2 && world->reads <= 2);
    for (unsigned turn = 1; turn < 8; turn++) { /* one swap each, and all eight ways are met */
        if (turn % 2 == 1 && !issued) {
            swap_routers(world, &other);
        } else if (turn % 4 == 2 && world->writes == 2) {
            swap_writes(world, &other);
        } else if (turn == 4 && world->reads == 2) {
            swap_ops(&other, world->writes);
        }
        if (memcmp(&other, now, sizeof other) < 0) {
            *now = other;
        }
    }
}

static const char *broken(int code)
{
    switch ((enum keywise_promise)code) {
    case KEYWISE_STALE:
        return "a read lacks a write that was acknowledged before the read was issued";
    case KEYWISE_MISSING:
        return "a read is told that there is no such key, and there is";
    case KEYWISE_PARTIAL:
        return "a read of several keys returns only some of them";
    case KEYWISE_LOST:
        return "a write of which a client was told OK is thrown away: no later read will find it";
    case KEYWISE_CIRCLE:
        return "a request is told ASK a second time: it goes in a circle";
    case KEYWISE_TWO_SIDES:
        return "a key is at both shards";
    case KEYWISE_LEFT_BEHIND:
        return "B has the slot, and A holds a key of it";
    case KEYWISE_MAP_CHANGED:
        return "a router has changed its map for an ASK: the directory has never said so";
    }
    CHECK(false && "no such promise");
    return "";
}

static const char *const promised[] = {
    "a read returns every write that was acknowledged before the read was issued",
    "no read is told that there is no such key when there is one",
    "a read of several keys returns all of them",
    "no write of which a client was told OK is thrown away",
    "no request is told ASK twice: none goes in a circle",
    "a key is at one shard at most",
    "B has the slot only when A holds no key of it",
    "only the directory changes a router's map: ASK does not",
    NULL,
};

static bool finished(const struct check_scope *scope, const void *state)
{
    const struct keywise *now = state;
    for (unsigned i = 0; i < keywise_ops(keywise_world_of(scope)); i++) {
        if (now->op[i].stage != KEYWISE_DONE) {
            return false;
        }
    }
    return now->ask.phase == ASK_CLOSED || now->ask.phase == ASK_UNDONE;
}

/* --- what must come to pass ------------------------------------------------------------------- */

enum situation {
    SPLIT,
    ALL_OF_SPLIT,
    GONE_BEFORE,
    ASKED,
    ASKED_AND_CLAIMED,
    TOO_EARLY,
    CLAIM_NOT_KNOWN,
    CRASHED_AFTER_CLAIM,
    FORMER_OWNER,
    UNDONE
};

static const struct check_situation situation[] = {
    [SPLIT] = {"some keys of the slot are at A, and others at B"},
    [ALL_OF_SPLIT] = {"a read of all keys is under way while they are at two shards"},
    [GONE_BEFORE] = {"a request is on its way to A, and its key has gone to B before it"},
    [ASKED] = {"a request that A has told ASK is on its way to B"},
    [ASKED_AND_CLAIMED] = {"a request that A has told ASK arrives at B after its claim"},
    [TOO_EARLY] = {"a request goes to B by a map that is ahead of B's claim"},
    [CLAIM_NOT_KNOWN] =
        {"a request goes to A, and B has the slot: the directory has not heard yet"},
    [CRASHED_AFTER_CLAIM] =
        {"a crash of B falls between its claim and the directory's hearing of it"},
    [FORMER_OWNER] = {"a request by an old map is on its way to A when the slot is B's"},
    [UNDONE] = {"the move has been dropped while a request was under way"},
    {NULL},
};

static uint32_t situations_of_op(const struct keywise_world *world, const struct keywise *now,
                                 const struct keywise_op *o)
{
    unsigned bits = keywise_bits(world, now, o->key);
    unsigned at_a = keywise_keys(world, now, now->has[KEYWISE_A]);
    unsigned at_b = keywise_keys(world, now, now->has[KEYWISE_B]);
    bool one = o->key != KEYWISE_ALL;
    bool to_a = o->at == KEYWISE_A;
    bool claimed = now->ask.phase == ASK_CLAIMED;
    return check_bit(ALL_OF_SPLIT, !one && at_a != 0 && at_b != 0) |
           check_bit(GONE_BEFORE, one && to_a && (at_b & bits) != 0 && (at_a & bits) == 0) |
           check_bit(ASKED, o->asking != 0 && now->ask.phase == ASK_OPEN) |
           check_bit(ASKED_AND_CLAIMED, o->asking != 0 && claimed) |
           check_bit(TOO_EARLY, !to_a && o->asking == 0 && now->ask.phase == ASK_OPEN) |
           check_bit(CLAIM_NOT_KNOWN, to_a && claimed) |
           check_bit(FORMER_OWNER, to_a && now->ask.phase == ASK_CLOSED) |
           check_bit(UNDONE, now->ask.phase == ASK_UNDONE);
}

static uint32_t situations(const struct check_scope *scope, const void *state)
{
    const struct keywise *now = state;
    const struct keywise_world *world = keywise_world_of(scope);
    uint32_t in = check_bit(SPLIT, keywise_keys(world, now, now->has[KEYWISE_A]) != 0 &&
                                       keywise_keys(world, now, now->has[KEYWISE_B]) != 0) |
                  check_bit(CRASHED_AFTER_CLAIM, now->down != 0);
    for (unsigned i = 0; i < keywise_ops(world); i++) {
        if (now->op[i].stage == KEYWISE_SENT) {
            in |= situations_of_op(world, now, &now->op[i]);
        }
    }
    return in;
}

/* --- who takes a step --------------------------------------------------------------------------
 */

enum actor {
    CLIENT,
    ROUTERS, /* two */
    SHARDS = ROUTERS + KEYWISE_ROUTERS,
    MOVER = SHARDS + 2,
    DIRECTORY
};

static unsigned actor(uint16_t action)
{
    struct keywise_action a = keywise_action_of(action);
    switch (a.step) {
    case KEYWISE_ISSUE:
        return CLIENT;
    case KEYWISE_RELOAD:
    case KEYWISE_EARLY:
        return ROUTERS + a.router;
    case KEYWISE_SERVE:
    case KEYWISE_ASK:
    case KEYWISE_ASK_AS_MOVED:
    case KEYWISE_MOVED:
    case KEYWISE_TRY_AGAIN:
    case KEYWISE_CLAIM_EMPTY:
    case KEYWISE_CLAIM_FULL:
    case KEYWISE_RESTART:
    case KEYWISE_CRASH:
        return SHARDS + a.shard;
    case KEYWISE_HAND:
    case KEYWISE_COPY:
    case KEYWISE_DROP:
    case KEYWISE_UNDO:
        return MOVER;
    case KEYWISE_CLOSE:
        return DIRECTORY;
    case KEYWISE_STEPS:
        break;
    }
    CHECK(false && "no such step");
    return CLIENT;
}

static bool fault(uint16_t action)
{
    return keywise_action_of(action).step >= KEYWISE_EARLY;
}

const struct check_model model_ask = {
    .name = "ask",
    .about = "one slot moves key by key, and ASK sends requests after the keys that have gone",
    .rule = demanded,
    .state_size = sizeof(struct keywise),
    .size_small = KEYWISE_SMALL,
    .size_large = KEYWISE_LARGE,
    .apart = apart,
    .size_of = "scope",
    .say_size = keywise_say_size,
    .init = init,
    .next = keywise_next,
    .check = check,
    .broken = broken,
    .promises = promised,
    .situation = situation,
    .situations = situations,
    .finished = finished,
    .canon = canon,
    .actor = actor,
    .fault = fault,
    .tell = keywise_tell,
};
