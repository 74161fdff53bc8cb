/*
 * fence_and_flip: its rules, its scopes, and what is judged. The steps are in fence_steps.c, their
 * words in fence_words.c.
 */
#include "check/fence_and_flip.h"
#include "check/models.h"
#include "proto/slot.h"

enum broken_promise {
    STALE_READ = 1,
    TWO_SERVE,
    SERVER_LACKS,
    BEHIND_FENCE
};

/* In the order of proto/rule.h, the slot table check last. */
static const struct check_rule demanded[] = {
    {"fence", "The source stops serving the slot before the directory commits."},
    {"fence-covers-reads", "The fence stops reads as well as writes."},
    {"drain-to-fence", "The commit waits until the target has applied the fence entry."},
    {"target-waits-for-commit",
     "The target serves the slot only after the directory has committed."},
    {"snapshot-position", "A copy is stamped with the log position at which it was taken."},
    {"compare-before-fence", "Both sides are compared by position before the fence."},
    {"check-and-append", "Looking into the slot table and appending to the log are one step."},
    {"durable-fence", "The fence is written to the log, so it survives a restart."},
    {"abort-before-commit", "A move can be dropped only before the directory commits."},
    {"slot-table-check", "A shard looks into its slot table before it serves a request."},
    {NULL, NULL},
};

#define OF_THE_MOVE 9u

/* In the order of the codes of broken promises. */
static const char *const promised[] = {
    "a read returns every write that was acknowledged before the read was issued",
    "one shard at most would take a write at any time",
    "a shard that would take a write holds every one that was acknowledged",
    "nothing follows the fence in the source's log",
    NULL,
};

static const struct check_apart apart[] = {
    {"slot-table-check", FLIP_2W1R_OLD_OWNER,
     "Shown is what nothing but this rule forbids: the old owner does not look into its slot "
     "table\n"
     "once that says \"moved\". A target that does not look fails sooner, by the same steps as\n"
     "without target-waits-for-commit."},
    {NULL, 0, NULL},
};

_Static_assert(RULE_ABORT_BEFORE_COMMIT - RULE_FENCE == OF_THE_MOVE - 1, "the list is this one");

static const struct flip_world worlds[FLIP_SIZES] = {
    [FLIP_SMALL] = {.writes = 1, .reads = 1, .moves = 1, .restarts = 1, .early = true},
    [FLIP_LARGE] = {.writes = 2, .reads = 2, .moves = 2, .restarts = 2, .early = true},
    [FLIP_2W1R] = {.writes = 2, .reads = 1, .moves = 1, .early = true},
    [FLIP_2W2R] = {.writes = 2, .reads = 2, .moves = 1, .early = true},
    [FLIP_3W1R] = {.writes = 3, .reads = 1, .moves = 1, .early = true},
    [FLIP_3W2R] = {.writes = 3, .reads = 2, .moves = 1, .early = true},
    [FLIP_2W1R_LOST] = {.writes = 2, .reads = 1, .moves = 1, .lost = 1, .early = true},
    [FLIP_3W1R_TWO_MOVES] = {.writes = 3, .reads = 1, .moves = 2, .early = true},
    [FLIP_2W1R_THREE_MOVES] = {.writes = 2, .reads = 1, .moves = 3, .early = true},
    [FLIP_2W1R_QUIET] = {.writes = 2, .reads = 1, .moves = 1},
    [FLIP_2W1R_OLD_OWNER] = {.writes = 2, .reads = 1, .moves = 1, .early = true, .old_owner = true},
};

const struct flip_world *flip_world_of(const struct check_scope *scope)
{
    CHECK(scope->size < FLIP_SIZES);
    return &worlds[scope->size];
}

uint64_t flip_rules(const struct check_scope *scope)
{
    uint32_t off = ~scope->rules;
    uint64_t missing = (uint64_t)(off & ((1u << OF_THE_MOVE) - 1)) << RULE_FENCE;
    if (off >> OF_THE_MOVE & 1) {
        missing |= rule_bit(RULE_SLOT_TABLE_CHECK);
    }
    return RULES_ALL & ~missing;
}

enum outcome flip_answer(const struct flip_world *world, uint64_t rules,
                         const struct fence_and_flip *now, unsigned shard, bool read)
{
    struct slot_question q = {
        .state = (enum slot_state)flip_row(now, shard),
        .read = read,
        .presence = KEYS_ALL,
    };
    if (world->old_owner && q.state != SLOT_MOVED) {
        rules |= rule_bit(RULE_SLOT_TABLE_CHECK);
    }
    return slot_answer(rules, &q);
}

uint8_t flip_acknowledged(const struct flip_world *world, const struct fence_and_flip *now)
{
    unsigned set = 0;
    for (unsigned i = 0; i < world->writes; i++) {
        set |= (now->op[i].stage == FLIP_DONE ? 1u : 0u) << i;
    }
    return (uint8_t)set;
}

/* --- what the search asks ----------------------------------------------------------------------
 */

static void init(const struct check_scope *scope, struct check_out *out)
{
    const struct flip_world *world = flip_world_of(scope);
    struct fence_and_flip *start = check_put(out, 0);
    *start = (struct fence_and_flip){
        .move = move_begin(),
        .moves = (uint8_t)(world->moves - 1),
        .lost = world->lost & 15u,
        .restarts = world->restarts & 15u,
    };
}

static int check_inside(const struct check_scope *scope, const struct fence_and_flip *now)
{
    const struct flip_world *world = flip_world_of(scope);
    uint64_t rules = flip_rules(scope);
    uint8_t acknowledged = flip_acknowledged(world, now);
    unsigned serving = 0;
    bool lacks = false;
    for (unsigned shard = 0; shard < 2; shard++) {
        if (flip_answer(world, rules, now, shard, false) == OUTCOME_OK) {
            serving++;
            lacks |= (acknowledged & ~now->has[shard]) != 0;
        }
    }
    if (serving > 1) {
        return TWO_SERVE;
    }
    if (lacks) {
        return SERVER_LACKS;
    }
    return now->move.phase == MOVE_FENCED && now->move.end > now->move.fence ? BEHIND_FENCE : 0;
}

static int check(const struct check_scope *scope, const void *state)
{
    const struct flip_world *world = flip_world_of(scope);
    const struct fence_and_flip *now = state;
    if (scope->judge != CHECK_INSIDE) {
        for (unsigned i = world->writes; i < flip_ops(world); i++) {
            if (now->op[i].stage == FLIP_DONE && now->op[i].need != 0) {
                return STALE_READ;
            }
        }
    }
    return scope->judge != CHECK_OUTSIDE ? check_inside(scope, now) : 0;
}

static const char *broken(int code)
{
    switch (code) {
    case STALE_READ:
        return "a read lacks a write that was acknowledged before the read was issued";
    case TWO_SERVE:
        return "two shards would take a write at the same time";
    case SERVER_LACKS:
        return "a shard that would take a write lacks one that was acknowledged";
    case BEHIND_FENCE:
        return "an entry follows the fence in the source's log";
    default:
        break;
    }
    CHECK(false && "no such promise");
    return "";
}

static bool finished(const struct check_scope *scope, const void *state)
{
    const struct fence_and_flip *now = state;
    for (unsigned i = 0; i < flip_ops(flip_world_of(scope)); i++) {
        if (now->op[i].stage != FLIP_DONE) {
            return false;
        }
    }
    return true;
}

enum situation {
    ASKS_FORMER_OWNER,
    ASKS_TOO_EARLY,
    READ_IN_PAUSE,
    WRITE_IN_PAUSE,
    READ_ACROSS_FLIP,
    TARGET_BEHIND,
    FENCED_BEHIND,
    NOBODY_FOLLOWED,
    ONLY_TARGET_FOLLOWED,
    ONLY_AT_TARGET,
    DROPPED,
    SITUATIONS
};

static const struct check_situation situation[] = {
    [ASKS_FORMER_OWNER] = {"a router with an old map asks the former owner"},
    [ASKS_TOO_EARLY] = {"a request reaches the target before the directory has committed"},
    [READ_IN_PAUSE] = {"a read waits through the pause"},
    [WRITE_IN_PAUSE] = {"a write waits through the pause"},
    [READ_ACROSS_FLIP] = {"a read that was issued before the commit is served after it"},
    [TARGET_BEHIND] = {"the target is behind the source's log"},
    [FENCED_BEHIND] = {"the source is fenced and the target has not applied all yet"},
    [NOBODY_FOLLOWED] = {"the directory has committed and neither slot table has followed"},
    [ONLY_TARGET_FOLLOWED] = {"the target serves and the source still says migrating"},
    [ONLY_AT_TARGET] = {"the target holds a write that the source never had"},
    [DROPPED] = {"the move was dropped after its copy"},
    {NULL},
};

static uint32_t situations_of_op(const struct check_scope *scope, const struct fence_and_flip *now,
                                 unsigned i)
{
    const struct flip_op *o = &now->op[i];
    const struct move_core *m = &now->move;
    bool read = i >= flip_world_of(scope)->writes;
    bool at_source = o->stage == FLIP_SENT && o->shard == now->source;
    bool at_target = o->stage == FLIP_SENT && o->shard != now->source;
    bool pause = at_source && m->phase == MOVE_FENCED;
    return check_bit(ASKS_FORMER_OWNER, at_source && m->source == SLOT_MOVED) |
           check_bit(ASKS_TOO_EARLY,
                     at_target && m->target == SLOT_RECEIVING && m->phase != MOVE_COMMITTED) |
           check_bit(READ_IN_PAUSE, pause && read) | check_bit(WRITE_IN_PAUSE, pause && !read) |
           check_bit(READ_ACROSS_FLIP,
                     read && at_source && m->phase == MOVE_COMMITTED && m->target == SLOT_OWNED);
}

static uint32_t situations(const struct check_scope *scope, const void *state)
{
    const struct fence_and_flip *now = state;
    const struct move_core *m = &now->move;
    bool committed = m->phase == MOVE_COMMITTED;
    bool own = m->target == SLOT_OWNED;
    bool open = m->source == SLOT_MIGRATING; /* once committed: not closed yet */
    uint32_t in = 0;
    for (unsigned i = 0; i < flip_ops(flip_world_of(scope)); i++) {
        in |= situations_of_op(scope, now, i);
    }
    unsigned only = now->has[1 - now->source] & ~(unsigned)now->has[now->source];
    return in | check_bit(TARGET_BEHIND, m->phase == MOVE_TAILING && m->applied < m->end) |
           check_bit(FENCED_BEHIND, m->phase == MOVE_FENCED && m->applied < m->fence) |
           check_bit(NOBODY_FOLLOWED, committed && !own && open) |
           check_bit(ONLY_TARGET_FOLLOWED, committed && own && open) |
           check_bit(ONLY_AT_TARGET, committed && only != 0) |
           check_bit(DROPPED, m->phase == MOVE_ABORTED);
}

enum actor {
    CLIENT,
    ROUTERS, /* two */
    SHARDS = ROUTERS + FLIP_ROUTERS,
    MOVER = SHARDS + 2,
    DIRECTORY
};

static unsigned actor(uint16_t action)
{
    struct flip_action a = flip_action_of(action);
    switch (a.step) {
    case FLIP_ISSUE:
        return CLIENT;
    case FLIP_RELOAD:
    case FLIP_RESEND:
    case FLIP_EARLY:
        return ROUTERS + a.router;
    case FLIP_SERVE:
    case FLIP_RETRY:
    case FLIP_MOVED:
    case FLIP_APPLY:
    case FLIP_FENCE:
    case FLIP_OWN:
    case FLIP_CLOSE:
    case FLIP_PASS:
    case FLIP_LAND:
    case FLIP_LOSE:
    case FLIP_RESTART:
        return SHARDS + a.shard;
    case FLIP_SNAPSHOT:
    case FLIP_ABORT:
        return MOVER;
    case FLIP_COMMIT:
        return DIRECTORY;
    case FLIP_STEPS:
        break;
    }
    CHECK(false && "no such step");
    return CLIENT;
}

static bool fault(uint16_t action)
{
    return flip_action_of(action).step >= FLIP_EARLY;
}

const struct check_model model_fence_and_flip = {
    .name = "fence-and-flip",
    .about = "one slot moves from a shard to another while clients write and read it",
    .rule = demanded,
    .state_size = sizeof(struct fence_and_flip),
    .size_small = FLIP_SMALL,
    .size_large = FLIP_LARGE,
    .apart = apart,
    .size_of = "scope",
    .say_size = flip_say_size,
    .init = init,
    .next = flip_next,
    .check = check,
    .broken = broken,
    .promises = promised,
    .situation = situation,
    .situations = situations,
    .finished = finished,
    .actor = actor,
    .fault = fault,
    .tell = flip_tell,
};
