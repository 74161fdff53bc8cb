/*
 * dual_write: its rules, its scopes, and what is judged; see dual_write.h. The steps are in
 * dual_steps.c, their words in dual_words.c.
 */
#include "check/dual_write.h"
#include "check/models.h"

/* In the order of proto/rule.h. */
static const struct check_rule demanded[] = {
    {"newer-only", "Both stores take a version only over an older one."},
    {"dual-before-backfill", "Double writing is on before the backfill reads its first key."},
    {"compare-before-switch", "Reads switch to the other store only after both compared equal."},
    {NULL, NULL},
};

#define RULES 3u

_Static_assert(RULE_COMPARE_BEFORE_SWITCH - RULE_NEWER_ONLY == RULES - 1, "the list is this one");

static const struct twice_world worlds[TWICE_SIZES] = {
    [TWICE_SMALL] = {.keys = 1, .edits = 2, .refusals = 1, .deaths = 1},
    [TWICE_LARGE] = {.keys = 2, .edits = 3, .refusals = 2, .deaths = 1},
    [TWICE_ABSENT] = {.keys = 1, .edits = 2, .where_nothing = 1},
    [TWICE_AT_ONCE] = {.keys = 1, .edits = 2, .refusals = 1, .deaths = 1, .at_once = 1},
};

const struct twice_world *twice_world_of(const struct check_scope *scope)
{
    CHECK(scope->size < TWICE_SIZES);
    return &worlds[scope->size];
}

uint64_t twice_rules_of(const struct check_scope *scope)
{
    uint64_t off = ~scope->rules & ((1u << RULES) - 1);
    return RULES_ALL & ~(off << RULE_NEWER_ONLY);
}

/* A step in 5 bits, its edit in 2, the half in 2, its side, and a key. */
uint16_t twice_number_of(struct twice_action a)
{
    return (uint16_t)((unsigned)a.step << 6 | (unsigned)a.edit << 4 | (unsigned)a.half << 2 |
                      (unsigned)a.side << 1 | a.key);
}

struct twice_action twice_action_of(uint16_t action)
{
    CHECK(action >> 6 < TWICE_STEPS);
    return (struct twice_action){
        .step = (enum twice_step)(action >> 6),
        .edit = action >> 4 & 3,
        .half = action >> 2 & 3,
        .side = action >> 1 & 1,
        .key = action & 1,
    };
}

/* --- what is where ---------------------------------------------------------------------------- */

bool twice_alike(const struct twice_world *world, const struct twice *now)
{
    for (unsigned k = 0; k < world->keys; k++) {
        if (now->key[k].held[DUAL_SOURCE] != now->key[k].held[DUAL_TARGET]) {
            return false;
        }
    }
    return true;
}

bool twice_under_way(const struct twice *now)
{
    for (unsigned i = 0; i < TWICE_EDITS_MAX; i++) {
        const struct twice_edit *e = &now->edit[i];
        if (e->stage == TWICE_ON_ITS_WAY || e->second || e->stray) {
            return true;
        }
    }
    return false;
}

unsigned twice_singles(const struct twice *now)
{
    unsigned count = 0;
    for (unsigned i = 0; i < TWICE_EDITS_MAX; i++) {
        const struct twice_edit *e = &now->edit[i];
        count += e->stage == TWICE_ON_ITS_WAY && e->how == TWICE_ALONE;
    }
    return count;
}

/* --- what the search asks --------------------------------------------------------------------- */

static void init(const struct check_scope *scope, struct check_out *out)
{
    const struct twice_world *world = twice_world_of(scope);
    struct twice *start = check_put(out, 0);
    *start = (struct twice){
        .core = dual_begin(false),
        .last = TWICE_FIRST,
        .pass = TWICE_PASS,
    };
    for (unsigned k = 0; k < world->keys; k++) {
        start->key[k].held[DUAL_SOURCE] = TWICE_FIRST;
        start->key[k].due = TWICE_FIRST;
    }
}

/* Both are written, and nobody has anything left to do about it. */
static bool at_rest(const struct twice *now)
{
    bool doubled = now->core.phase == DUAL_WRITING || now->core.phase == DUAL_SWITCHED;
    return doubled && now->core.filled != 0 && now->pass == TWICE_NO_PASS && !twice_under_way(now);
}

static bool one_owns(const struct twice *now)
{
    bool a = twice_row(now, DUAL_SOURCE) == SLOT_OWNED;
    bool b = twice_row(now, DUAL_TARGET) == SLOT_OWNED;
    return dual_primary(&now->core) == DUAL_SOURCE ? a && !b : b && !a;
}

int twice_check(const struct check_scope *scope, const void *state)
{
    const struct twice *now = state;
    if (now->stale) {
        return TWICE_STALE;
    }
    if (!one_owns(now)) {
        return TWICE_OWNERS;
    }
    if (at_rest(now) && !twice_alike(twice_world_of(scope), now)) {
        return TWICE_DIFFER;
    }
    return now->back ? TWICE_BACK : 0;
}

static const char *broken(int code)
{
    switch ((enum twice_promise)code) {
    case TWICE_STALE:
        return "a read returns less than its client had been told is stored";
    case TWICE_DIFFER:
        return "the two shards hold different versions, and nothing is left that would mend it";
    case TWICE_BACK:
        return "a shard takes an older version over a newer one";
    case TWICE_OWNERS:
        return "the shard that answers reads is not the one that owns the slot";
    }
    CHECK(false && "no such promise");
    return "";
}

static const char *const promised[] = {
    "a read returns what was acknowledged before it, or something newer",
    "when nothing is on its way and the backfill is through, both shards hold the same",
    "no shard takes an older version over a newer one",
    "one shard owns the slot, and it is the one that answers reads",
    NULL,
};

enum situation {
    SENT_BEFORE,
    ONE_HAS_IT,
    OVERTAKEN,
    OLD_IN_HAND,
    FIRST_REFUSED,
    MENDED,
    SWITCHED_UNDER_WAY,
    MENDED_FROM_B,
    BACK_UNDER_WAY,
    NOBODY_WAITS,
    OVER_UNDER_WAY
};

static const struct check_situation situation[] = {
    [SENT_BEFORE] = {"an edit sent to A alone is still on its way when double writing begins"},
    [ONE_HAS_IT] = {"an edit is stored at one shard and on its way to the other"},
    [OVERTAKEN] = {"an edit is on its way to a shard that has a newer one"},
    [OLD_IN_HAND] = {"the backfill holds a version, and both shards have a newer one"},
    [FIRST_REFUSED] = {"a client was told OK, and one of the two shards refused its edit"},
    [MENDED] = {"the backfill carries what a shard refused"},
    [SWITCHED_UNDER_WAY] = {"reads have switched while an edit is on its way"},
    [MENDED_FROM_B] = {"the backfill carries a version from B back to A"},
    [BACK_UNDER_WAY] = {"reads have gone back to A while a second half is on its way to A"},
    [NOBODY_WAITS] = {"a router has died between the two writes, and only one shard has the edit"},
    [OVER_UNDER_WAY] = {"double writing has ended while a second half is on its way"},
    {NULL},
};

static uint32_t situations_of_edit(const struct twice *now, const struct twice_edit *e)
{
    bool on = e->stage == TWICE_ON_ITS_WAY;
    bool doubled = now->core.phase == DUAL_WRITING;
    const struct twice_key *k = &now->key[e->key];
    return check_bit(SENT_BEFORE, on && e->how == TWICE_ALONE && doubled) |
           check_bit(ONE_HAS_IT, on && e->first_in && e->second) |
           check_bit(OVERTAKEN, e->second && e->version < k->held[e->side]) |
           check_bit(SWITCHED_UNDER_WAY, on && now->core.phase == DUAL_SWITCHED) |
           check_bit(BACK_UNDER_WAY, doubled && e->second && e->side == DUAL_SOURCE) |
           check_bit(OVER_UNDER_WAY, e->second && now->core.phase == DUAL_ENDED);
}

static uint32_t situations(const struct check_scope *scope, const void *state)
{
    const struct twice *now = state;
    uint32_t in = 0;
    for (unsigned i = 0; i < twice_world_of(scope)->edits; i++) {
        in |= situations_of_edit(now, &now->edit[i]);
    }
    bool repairs = now->pass == TWICE_REPAIR;
    if (now->hand != 0) {
        const struct twice_key *k = &now->key[now->cursor - 1u];
        bool a_newer = k->held[DUAL_SOURCE] > k->carried;
        bool b_newer = k->held[DUAL_TARGET] > k->carried;
        in |= check_bit(OLD_IN_HAND, k->carried > 0 && a_newer && b_newer);
        in |= check_bit(MENDED, repairs && k->carried > k->held[now->hand - 1]);
        in |= check_bit(MENDED_FROM_B, now->hand == 1 + DUAL_SOURCE && b_newer != a_newer);
    }
    bool due = (repairs || now->again) && !twice_under_way(now);
    bool differ = !twice_alike(twice_world_of(scope), now);
    return in | check_bit(FIRST_REFUSED, due && now->refusals > 0 && now->deaths == 0) |
           check_bit(NOBODY_WAITS, due && differ && now->deaths > 0 && now->refusals == 0);
}

static bool finished(const struct check_scope *scope, const void *state)
{
    const struct twice *now = state;
    (void)scope;
    return (now->core.phase == DUAL_ENDED || now->core.phase == DUAL_DROPPED) &&
           !twice_under_way(now);
}

enum actor {
    CLIENT,
    SHARD_A,
    SHARD_B,
    BACKFILL,
    OPERATOR,
    ROUTER
};

static unsigned actor(uint16_t action)
{
    struct twice_action a = twice_action_of(action);
    switch (a.step) {
    case TWICE_ISSUE:
    case TWICE_LOOK:
        return CLIENT;
    case TWICE_DIE:
        return ROUTER;
    case TWICE_STORE:
    case TWICE_KEEP:
    case TWICE_GO_BACK:
    case TWICE_OVER:
    case TWICE_REFUSE:
        return SHARD_A + a.side;
    case TWICE_READ:
    case TWICE_FILL:
    case TWICE_FILL_KEEP:
    case TWICE_FILL_BACK:
        return BACKFILL;
    case TWICE_ON:
    case TWICE_SWITCH:
    case TWICE_SWITCH_BLIND:
    case TWICE_RETURN:
    case TWICE_RETURN_BLIND:
    case TWICE_END:
    case TWICE_DROP:
        return OPERATOR;
    case TWICE_STEPS:
        break;
    }
    CHECK(false && "no such step");
    return CLIENT;
}

static bool fault(uint16_t action)
{
    enum twice_step step = twice_action_of(action).step;
    return step == TWICE_REFUSE || step == TWICE_DIE;
}

const struct check_model model_dual_write = {
    .name = "dual-write",
    .about = "each edit goes to two stores, a backfill copies the rest, reads switch; no deletes",
    .rule = demanded,
    .state_size = sizeof(struct twice),
    .size_small = TWICE_SMALL,
    .size_large = TWICE_LARGE,
    .size_of = "scope",
    .say_size = twice_say_size,
    .init = init,
    .next = twice_next,
    .check = twice_check,
    .broken = broken,
    .promises = promised,
    .situation = situation,
    .situations = situations,
    .finished = finished,
    .actor = actor,
    .fault = fault,
    .tell = twice_tell,
};
