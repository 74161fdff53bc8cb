/*
 * check_replay_flip: fence-and-flip in a world: A is S0, B is S1, the slot is that of likes:{p9}.
 */
#include "app/check/check_replay_flip.h"
#include "base/num.h"
#include "check/models.h"

#define APPLY_US 80000 /* longer than everything before the first entry that is applied */
#define CHANGE_US (REPLAY_START_US + 1000) /* the moment in which the target has the slot */
#define NONE 0                             /* of a step's number */

/* What a plan knows while it is made. */
struct flip_plan {
    struct replay *r;
    const struct flip_world *world;
    uint64_t rules;
    int64_t logged_us[FLIP_LOG + 1]; /* when an entry was appended, and the step of that */
    uint32_t logged_at[FLIP_LOG + 1];
    uint32_t entries, applied; /* applied: the position that the target applies next */
    uint32_t fence;            /* entries before the fence; its own position from 0 */
    bool fenced;
    int64_t enabled_us;   /* since when the directory may commit */
    int64_t committed_us; /* 0: it has not */
    int64_t passed_us;
    bool fetches, early, closed;
};

/* The next step in which a request arrives somewhere, NONE if it never does. */
static uint32_t arrival_of(const struct replay *r, uint32_t from, uint8_t op)
{
    for (uint32_t step = from + 1; step <= r->result->depth; step++) {
        struct flip_action a = replay_flip_action(r, step);
        if (a.op == op && (a.step == FLIP_SERVE || a.step == FLIP_PASS)) {
            return step;
        }
    }
    return NONE;
}

static uint32_t step_of(const struct replay *r, enum flip_step wanted)
{
    for (uint32_t step = 1; step <= r->result->depth; step++) {
        if (replay_flip_action(r, step).step == wanted) {
            return step;
        }
    }
    return NONE;
}

static void log_entry(struct flip_plan *p, int64_t at_us)
{
    CHECK(p->entries < FLIP_LOG + 1);
    p->logged_us[p->entries] = at_us;
    p->logged_at[p->entries++] = p->r->step;
}

/* --- steps -------------------------------------------------------------------------------------
 */

static void plan_issue(struct flip_plan *p, struct flip_action a, int64_t at)
{
    struct replay *r = p->r;
    bool read = a.op >= p->world->writes;
    struct cue *ask = replay_cue(r, at, CUE_ASK, "request %s %s via R%u", read ? "read" : "like",
                                 REPLAY_KEY, (unsigned)a.router);
    ask->op = a.op;
    r->op[a.op].read = read;
    replay_cue(r, at + REPLAY_ROUTED_US, CUE_HOLD, "%s", "")->op = a.op;
    replay_step_at(r, at, REPLAY_SETTLE_US);
}

static bool plan_serve(struct flip_plan *p, struct flip_action a, int64_t at, struct err *err)
{
    struct replay *r = p->r;
    if (a.step == FLIP_LAND) {
        if (at > p->passed_us + r->config.query_us) {
            return err_set(err, "step %u comes too late for a query of this world",
                           (unsigned)r->step);
        }
        at = p->passed_us + r->config.query_us;
    }
    if (a.op < p->world->writes && a.shard == REPLAY_SOURCE_SHARD && p->committed_us == 0) {
        log_entry(p, at);
    }
    replay_step_at(r, at, r->config.query_us + REPLAY_SETTLE_US);
    return true;
}

/* From a follower that lags: begun when the position was the log's end. Without the rule
 * snapshot-position it gets its stamp only now. */
static void plan_snapshot(struct flip_plan *p, struct flip_action a, int64_t at)
{
    struct replay *r = p->r;
    bool stamped = r->every_rule || rule_on(p->rules, RULE_SNAPSHOT_POSITION);
    int64_t begin = a.position < p->entries ? p->logged_us[a.position] - 500 : at;
    struct cue *cue = replay_cue(r, begin, CUE_COMMAND, "migrate %u S%d 1000 1000000000",
                                 REPLAY_SLOT, REPLAY_TARGET);
    if (a.position < p->entries) {
        cue->step = p->logged_at[a.position];
        struct cue *ahead = replay_cue(r, begin + 1, CUE_NOTE, "(the copy of step %u begins here)",
                                       (unsigned)r->step);
        ahead->step = cue->step;
        replay_cue(r, at + 1, CUE_NOTE,
                   "(the copy begun under step %u, with position %u as its last)",
                   (unsigned)cue->step, (unsigned)a.position);
    }
    r->config.replica_lag_us = (int32_t)(at - begin);
    p->applied = stamped ? a.position : p->entries;
    p->enabled_us = at;
    replay_step_at(r, at, REPLAY_SETTLE_US);
}

static bool plan_apply(struct flip_plan *p, int64_t at, struct err *err)
{
    int64_t due = p->logged_us[p->applied] + APPLY_US;
    if (due < at) {
        return err_set(err, "step %u comes too late: the entry has been applied before",
                       (unsigned)p->r->step);
    }
    if (p->fenced && p->applied == p->fence && rule_on(p->rules, RULE_DRAIN_TO_FENCE)) {
        p->enabled_us = due;
    }
    p->applied++;
    replay_step_at(p->r, due, REPLAY_SETTLE_US);
    return true;
}

static void plan_fence(struct flip_plan *p, int64_t at)
{
    replay_cue(p->r, at, CUE_COMMAND, "fence %u", REPLAY_SLOT);
    p->fence = p->entries;
    p->fenced = true;
    log_entry(p, at);
    if (!rule_on(p->rules, RULE_DRAIN_TO_FENCE)) {
        p->enabled_us = at;
    }
    replay_step_at(p->r, at, REPLAY_SETTLE_US);
}

static void plan_commit(struct flip_plan *p, int64_t at)
{
    struct replay *r = p->r;
    if (!p->fenced) { /* the rule is off: the command asks for the commit alone */
        replay_cue(r, at, CUE_COMMAND, "fence %u", REPLAY_SLOT);
        p->enabled_us = at;
        at += REPLAY_SETTLE_US;
    }
    r->config.commit_us = (int32_t)(at - p->enabled_us);
    p->committed_us = at;
    replay_step_at(r, at, REPLAY_SETTLE_US / 2);
}

/* When the source hears of the commit. */
static void close_source(struct flip_plan *p, int64_t at)
{
    p->closed = true;
    p->r->config.delay_us[REPLAY_DIRECTORY][REPLAY_SOURCE] = (int32_t)(at - p->committed_us);
}

static void plan_abort(struct flip_plan *p, int64_t at)
{
    if (p->committed_us != 0) {
        close_source(p, at);
        at += REPLAY_SETTLE_US;
    }
    replay_cue(p->r, at, CUE_COMMAND, "abort %u", REPLAY_SLOT);
    replay_step_at(p->r, at, REPLAY_SETTLE_US);
}

/* It asks for the map while the target has the slot, and the answer is slow. */
static bool plan_early(struct flip_plan *p, struct flip_action a, int64_t at, struct err *err)
{
    struct replay *r = p->r;
    uint32_t step = r->step;
    if (p->early) {
        return err_set(err, "step %u cannot be played: one router hears too early already",
                       (unsigned)step);
    }
    r->step = 0;
    replay_cue(r, CHANGE_US, CUE_COMMAND, "move %u S%d", REPLAY_SLOT, REPLAY_TARGET);
    replay_cue(r, CHANGE_US + 1, CUE_COMMAND, "reload R%u", (unsigned)a.router);
    replay_cue(r, CHANGE_US + 2000, CUE_COMMAND, "move %u S%d", REPLAY_SLOT, REPLAY_SOURCE_SHARD);
    r->step = step;
    int64_t asked = CHANGE_US + 1 + REPLAY_LEG_US;
    r->config.delay_us[REPLAY_DIRECTORY][REPLAY_NEAR] = (int32_t)(at - asked);
    replay_cue(r, at + 1, CUE_NOTE, "(the slow map is there: in it S%d has the slot)",
               REPLAY_TARGET);
    p->early = true;
    replay_step_at(r, at, REPLAY_SETTLE_US);
    return true;
}

/* What waits at the target is sent once more when the source is back. */
static void plan_restart(struct flip_plan *p, int64_t at)
{
    replay_cue(p->r, at, CUE_COMMAND, "crash S%d 1", REPLAY_SOURCE_SHARD);
    for (uint32_t i = p->applied; i < p->entries; i++) {
        p->logged_us[i] = at + US_PER_MS;
    }
    replay_step_at(p->r, at, US_PER_MS + REPLAY_SETTLE_US);
}

static bool plan_step(struct flip_plan *p, struct flip_action a, struct err *err)
{
    struct replay *r = p->r;
    int64_t at = replay_next_us(r);
    switch (a.step) {
    case FLIP_ISSUE:
        plan_issue(p, a, at);
        return true;
    case FLIP_PASS:
        p->passed_us = at;
        replay_step_at(r, at, REPLAY_SETTLE_US);
        return true;
    case FLIP_SERVE:
    case FLIP_LAND:
        return plan_serve(p, a, at, err);
    case FLIP_RELOAD:
        replay_cue(r, at, CUE_COMMAND, "reload R%u", (unsigned)a.router);
        p->fetches = true;
        replay_step_at(r, at, REPLAY_SETTLE_US);
        return true;
    case FLIP_SNAPSHOT:
        plan_snapshot(p, a, at);
        return true;
    case FLIP_APPLY:
        return plan_apply(p, at, err);
    case FLIP_FENCE:
        plan_fence(p, at);
        return true;
    case FLIP_COMMIT:
        plan_commit(p, at);
        return true;
    case FLIP_OWN:
        replay_cue(r, at, CUE_NOTE, "(came with the commit)");
        replay_step_at(r, at, 0);
        return true;
    case FLIP_CLOSE:
        close_source(p, at);
        replay_step_at(r, at, REPLAY_SETTLE_US);
        return true;
    case FLIP_ABORT:
        plan_abort(p, at);
        return true;
    case FLIP_EARLY:
        return plan_early(p, a, at, err);
    case FLIP_RESTART:
        plan_restart(p, at);
        return true;
    case FLIP_RETRY:
    case FLIP_MOVED:
    case FLIP_RESEND:
    case FLIP_LOSE:
    case FLIP_STEPS:
        break;
    }
    return err_set(err, "step %u cannot be played: a world has no way to arrange for it",
                   (unsigned)r->step);
}

/* Queries are held up until the step in which they arrive. */
static void set_holds(struct replay *r)
{
    for (uint32_t i = 0; i < r->cues; i++) {
        struct cue *cue = &r->cue[i];
        if (cue->kind == CUE_HOLD) {
            uint32_t step = arrival_of(r, cue->step, cue->op);
            cue->until_us = step != NONE ? r->at_us[step] : r->end_us[r->result->depth];
        }
    }
}

static bool plan(struct replay *r, struct err *err)
{
    struct flip_plan p = {
        .r = r, .world = flip_world_of(&r->scope), .rules = flip_rules(&r->scope)};
    uint32_t passes = step_of(r, FLIP_PASS);
    r->key = REPLAY_KEY;
    r->step = 0;
    replay_cue(r, REPLAY_START_US + 100, CUE_COMMAND, "shard add a");
    replay_cue(r, REPLAY_START_US + 101, CUE_COMMAND, "deaf R0 on");
    replay_cue(r, REPLAY_START_US + 102, CUE_COMMAND, "deaf R1 on");
    r->config.apply_us = APPLY_US;
    if (p.world->moves > 1 || p.world->lost > 0) {
        return err_set(err, "a world plays a single move, without lost replies");
    }
    if (passes != NONE && step_of(r, FLIP_LAND) > passes) {
        uint32_t between = step_of(r, FLIP_LAND) - passes;
        r->config.query_us = (int32_t)between * (REPLAY_SETTLE_US + REPLAY_GAP_US);
    }
    for (r->step = 1; r->step <= r->result->depth; r->step++) {
        if (!plan_step(&p, replay_flip_action(r, r->step), err)) {
            return false;
        }
    }
    if (p.early && p.fetches) {
        return err_set(err, "a router of this world cannot get one map slowly and one at once");
    }
    if (!p.closed && p.committed_us != 0) {
        close_source(&p, r->end_us[r->result->depth] + REPLAY_SETTLE_US);
    }
    set_holds(r);
    return true;
}

static const char about[] =
    "A is S0 and B is S1. A copy from a follower that lags is begun a little earlier, when its\n"
    "position was the log's last; a map that comes too early is one that is past and was slow.\n";

const struct replay_way replay_way_flip = {.model = &model_fence_and_flip,
                                           .about = about,
                                           .plan = plan,
                                           .differs = replay_flip_differs,
                                           .fails = replay_a_read_is_stale};
