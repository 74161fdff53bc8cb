/*
 * check_replay_scatter: a query over all shards while a slot moves, in a world: A is S0, B is S1, C
 * is S2, and R0 asks. The world has as many slots as the model, and one like in each: a result's
 * sum is the number of slots that it counts.
 *
 * What is cut otherwise in the engine than in the model:
 *   - a hedge asks the followers of all shards that are waited for; what the model does not ask is
 *     held up to the end;
 *   - a shard that is given up while others are waited for dies for a moment, so that its router
 *     knows at once;
 *   - followers hear of a move after a constant time;
 *   - the next round comes 10 ms after the last answer, 20 ms after that of the second round.
 */
#include "app/check/check_replay_inside.h"
#include "base/num.h"
#include "check/models.h"
#include "check/scatter_gather.h"
#include "engine/queries/queries.h"
#include "place/crc16.h"
#include <stdio.h>
#include <string.h>

#define NONE 0 /* of a step's number */
#define ROUNDS_MAX 4
#define HEARD_US (2 * REPLAY_LEG_US + 200) /* a question that arrives: from then to its merging */
#define KNOWN_US REPLAY_LEG_US             /* that its shard is down */
#define LAG_US 5000000
#define DEADLINE_US 400000
#define BACKOFF_US 10000

struct scatter_plan {
    struct replay *r;
    const struct fanout_world *world;
    int64_t asked_us, deadline_us, hedge_us;
    int64_t quiet_us; /* since then nobody is waited for */
    int64_t moved_us; /* the first move that a follower has not heard of; 0: none */
    int64_t lag_us;   /* 0: followers hear of nothing */
    uint8_t round;
    bool hedged[ROUNDS_MAX + 1]; /* by round */
};

static struct fanout_action action_at(const struct replay *r, uint32_t step)
{
    return fanout_action_of(r->result->action[step - 1]);
}

static uint8_t op_of(unsigned round, unsigned shard, bool replica)
{
    return (uint8_t)(((round - 1) * FANOUT_SHARDS_MAX + shard) * 2 + replica);
}

/* A key of each slot: the first of k0, k1, k2 ... that is in it. */
static void key_of_slot(const struct replay *r, unsigned slot, char *text, size_t room)
{
    uint32_t found = r->config.slots;
    for (unsigned i = 0; found != slot; i++) {
        (void)snprintf(text, room, "k%u", i);
        found = crc16(text, strlen(text)) % r->config.slots;
    }
}

/* --- planning ----------------------------------------------------------------------------------
 */

static bool cannot(const struct replay *r, const char *why, struct err *err)
{
    return err_set(err, "step %u cannot be played: %s", (unsigned)r->step, why);
}

/* The step in which a question arrives at its shard, NONE if it never does. */
static uint32_t arrival_of(const struct replay *r, uint32_t from, unsigned round, unsigned shard,
                           bool replica)
{
    for (uint32_t step = from + 1; step <= r->result->depth; step++) {
        struct fanout_action a = action_at(r, step);
        bool comes =
            a.step == FANOUT_ANSWER || a.step == FANOUT_ANSWER_CLASHES || a.step == FANOUT_LATE;
        if (comes && a.round == round && a.shard == shard && a.replica == replica) {
            return step;
        }
        if (a.step == FANOUT_GIVE_UP && a.shard == shard && !replica) {
            return step;
        }
    }
    return NONE;
}

/* The step in which a late answer lands. */
static uint32_t landing_of(const struct replay *r, uint32_t from, struct fanout_action late)
{
    for (uint32_t step = from + 1; step <= r->result->depth; step++) {
        struct fanout_action a = action_at(r, step);
        bool lands = a.step == FANOUT_LAND || a.step == FANOUT_LAND_CLASHES;
        if (lands && a.round == late.round && a.shard == late.shard && a.replica == late.replica) {
            return step;
        }
    }
    return NONE;
}

static void plan_question(struct replay *r, int64_t at, unsigned round, unsigned shard,
                          bool replica)
{
    struct cue *sent = replay_cue(r, at, CUE_SENT, "%s", "");
    sent->op = op_of(round, shard, replica);
    sent->want = OP_READ;
    r->op[sent->op].own = true;
}

static void plan_ask(struct scatter_plan *p, int64_t at)
{
    struct replay *r = p->r;
    p->asked_us = at;
    p->round = 1;
    replay_cue(r, at, CUE_COMMAND, "gather q via R0");
    for (unsigned shard = 0; shard < p->world->shards; shard++) {
        plan_question(r, at, 1, shard, false);
    }
    replay_step_at(r, at, REPLAY_SETTLE_US);
}

/* Who is asked in a round is in the model's next state. */
static bool plan_again(struct scatter_plan *p, struct err *err)
{
    _Alignas(16) unsigned char state[CHECK_STATE_MAX];
    const struct fanout *next = (const void *)state;
    struct replay *r = p->r;
    int64_t at = p->quiet_us + ((int64_t)BACKOFF_US << (p->round - 1));
    replay_state(r, r->step, state);
    if (at < replay_next_us(r)) {
        return cannot(r, "the next round has begun before", err);
    }
    if (++p->round > ROUNDS_MAX) {
        return cannot(r, "a world plays four rounds", err);
    }
    for (unsigned shard = 0; shard < p->world->shards; shard++) {
        if (next->part[shard].waiting != 0) {
            plan_question(r, at, p->round, shard, false);
        }
    }
    p->asked_us = at;
    replay_step_at(r, at, REPLAY_SETTLE_US);
    return true;
}

/* All that are waited for are hedged at once, the first time. */
static bool plan_hedge(struct scatter_plan *p, int64_t at, struct err *err)
{
    _Alignas(16) unsigned char state[CHECK_STATE_MAX];
    const struct fanout *now = (const void *)state;
    struct replay *r = p->r;
    replay_step_at(r, at, REPLAY_SETTLE_US);
    if (p->hedged[p->round]) {
        return true;
    }
    if (p->hedge_us != 0 && p->asked_us + p->hedge_us != at) {
        return cannot(r, "followers are asked after the same time in each round", err);
    }
    p->hedge_us = at - p->asked_us;
    p->hedged[p->round] = true;
    replay_state(r, r->step - 1, state);
    for (unsigned shard = 0; shard < p->world->shards; shard++) {
        if (now->part[shard].waiting != 0) {
            plan_question(r, at, p->round, shard, true);
        }
    }
    return true;
}

static bool plan_give_up(struct scatter_plan *p, struct fanout_action a, int64_t at,
                         struct err *err)
{
    struct replay *r = p->r;
    for (uint32_t step = 1; step < r->step; step++) {
        struct fanout_action late = action_at(r, step);
        if (late.step == FANOUT_LATE && late.shard == a.shard && late.round == p->round) {
            return cannot(r, "a shard that has answered is given up by no crash", err);
        }
    }
    replay_cue(r, at, CUE_COMMAND, "crash S%u 1", (unsigned)a.shard);
    p->quiet_us = at + KNOWN_US;
    replay_step_at(r, at, REPLAY_SETTLE_US);
    return true;
}

static void plan_late(struct scatter_plan *p, struct fanout_action a, int64_t at)
{
    struct replay *r = p->r;
    struct cue *cue = replay_cue(r, at, CUE_ANSWERED, "%s", "");
    cue->op = op_of(a.round, a.shard, a.replica);
    replay_step_at(r, at, REPLAY_SETTLE_US);
}

static void plan_move(struct scatter_plan *p, int64_t at)
{
    _Alignas(16) unsigned char state[CHECK_STATE_MAX];
    const struct fanout *next = (const void *)state;
    struct replay *r = p->r;
    replay_state(r, r->step - 1, state);
    replay_cue(r, at, CUE_COMMAND, "move %d S%u", FANOUT_MOVING,
               fanout_owner(FANOUT_MOVING, next->epoch + 1u));
    p->moved_us = p->moved_us == 0 ? at : p->moved_us;
    replay_step_at(r, at, REPLAY_SETTLE_US);
}

static bool plan_apply(struct scatter_plan *p, int64_t at, struct err *err)
{
    struct replay *r = p->r;
    if (p->lag_us != 0) {
        return cannot(r, "all followers hear of a move at one time", err);
    }
    p->lag_us = at - p->moved_us;
    replay_step_at(r, at, REPLAY_SETTLE_US);
    return true;
}

static bool plan_step(struct scatter_plan *p, struct fanout_action a, struct err *err)
{
    struct replay *r = p->r;
    int64_t at = replay_next_us(r);
    switch (a.step) {
    case FANOUT_ASK:
        plan_ask(p, at);
        return true;
    case FANOUT_ANSWER:
    case FANOUT_ANSWER_CLASHES:
        p->quiet_us = at + HEARD_US;
        replay_step_at(r, at, REPLAY_SETTLE_US);
        return true;
    case FANOUT_LAND:
    case FANOUT_LAND_CLASHES:
        p->quiet_us = at;
        replay_step_at(r, at, REPLAY_SETTLE_US);
        return true;
    case FANOUT_HEDGE:
        return plan_hedge(p, at, err);
    case FANOUT_AGAIN:
        return plan_again(p, err);
    case FANOUT_END:
        p->deadline_us = at;
        replay_step_at(r, at, REPLAY_SETTLE_US);
        return true;
    case FANOUT_APPLY:
        return plan_apply(p, at, err);
    case FANOUT_MOVE:
        plan_move(p, at);
        return true;
    case FANOUT_LATE:
        plan_late(p, a, at);
        return true;
    case FANOUT_GIVE_UP:
        return plan_give_up(p, a, at, err);
    case FANOUT_DROP:
    case FANOUT_STEPS:
        break;
    }
    return cannot(r, "which answer is dropped is not told", err);
}

/* How long what was planned is held up. */
static void plan_holds(struct replay *r)
{
    for (uint32_t i = 0; i < r->cues; i++) {
        struct cue *cue = &r->cue[i];
        unsigned round = cue->op / 2u / FANOUT_SHARDS_MAX + 1u;
        unsigned shard = cue->op / 2u % FANOUT_SHARDS_MAX;
        uint32_t step = NONE;
        if (cue->kind == CUE_SENT) {
            step = arrival_of(r, cue->step, round, shard, cue->op % 2 != 0);
        } else if (cue->kind == CUE_ANSWERED) {
            step = landing_of(r, cue->step, action_at(r, cue->step));
        } else {
            continue;
        }
        cue->until_us = step != NONE ? r->at_us[step] : r->end_us[r->result->depth];
    }
}

static void prepare_world(struct scatter_plan *p)
{
    struct replay *r = p->r;
    r->config.shards = p->world->shards;
    r->config.shards_max = p->world->shards;
    r->config.slots = fanout_slots(p->world); /* the first shard has two of them */
    r->config.epoch = 1;
    r->config.map_version = 1;
    r->config.queries_max = 1;
    r->config.gathers_max = 2;
    r->config.query_us = HEARD_US - REPLAY_LEG_US;
    r->step = 0;
    for (unsigned slot = 0; slot < r->config.slots; slot++) {
        char key[16];
        key_of_slot(r, slot, key, sizeof key);
        replay_cue(r, REPLAY_START_US + 1000 + 1000 * (int64_t)slot, CUE_COMMAND,
                   "request like %s via R0", key);
    }
    replay_cue(r, REPLAY_START_US + 8000, CUE_COMMAND, "query q sum of k*");
}

/* What is known only when all steps have their times. */
static void set_limits(const struct scatter_plan *p, int64_t begun_us)
{
    struct replay *r = p->r;
    int64_t deadline = p->deadline_us != 0 ? p->deadline_us - begun_us : DEADLINE_US;
    r->step = 0;
    r->config.replica_lag_us = (int32_t)(p->lag_us != 0 ? p->lag_us : LAG_US);
    replay_cue(r, REPLAY_START_US + 9000, CUE_COMMAND, "query q deadline %d.%03d",
               (int)(deadline / US_PER_MS), (int)(deadline % US_PER_MS));
    if (p->hedge_us != 0) {
        replay_cue(r, REPLAY_START_US + 9000, CUE_COMMAND, "query q hedge %d.%03d",
                   (int)(p->hedge_us / US_PER_MS), (int)(p->hedge_us % US_PER_MS));
    }
}

static bool plan(struct replay *r, struct err *err)
{
    struct scatter_plan p = {.r = r, .world = fanout_world_of(&r->scope)};
    int64_t begun_us = 0;
    r->key = "k0";
    prepare_world(&p);
    for (r->step = 1; r->step <= r->result->depth; r->step++) {
        if (!plan_step(&p, action_at(r, r->step), err)) {
            return false;
        }
        begun_us = r->step == 1 ? p.asked_us : begun_us;
    }
    plan_holds(r);
    set_limits(&p, begun_us);
    return true;
}

/* --- reading the world -------------------------------------------------------------------------
 */

static struct query_run_info run_of(const struct replay *r)
{
    struct query_run_info run = {.ended_us = -1};
    if (world_queries(r->world) > 0) {
        world_query_last(r->world, 0, &run);
    }
    return run;
}

static enum gather_end end_of(const struct query_run_info *run)
{
    return run->ended_us < 0 ? GATHER_OPEN : (enum gather_end)run->end;
}

static const char *parts_differ(const struct query_run_info *run, const struct fanout *now,
                                unsigned shards)
{
    bool waiting[FANOUT_SHARDS_MAX] = {false};
    for (uint32_t i = 0; i < run->parts && run->part[i].shard < FANOUT_SHARDS_MAX; i++) {
        waiting[run->part[i].shard] = run->part[i].state == GATHER_WAITING;
    }
    for (unsigned shard = 0; shard < shards; shard++) {
        if (waiting[shard] != (now->part[shard].waiting != 0)) {
            return "which shards the router waits for";
        }
    }
    return NULL;
}

static const char *differs(const struct replay *r, const void *state, uint32_t step)
{
    const struct fanout *now = state;
    const struct fanout_world *world = fanout_world_of(&r->scope);
    struct query_run_info run = run_of(r);
    uint64_t counted = 0;
    (void)step; /* all is known at every step */
    for (unsigned slot = 0; slot < fanout_slots(world); slot++) {
        counted += now->slot[slot].times;
    }
    if (end_of(&run) != (enum gather_end)now->end) {
        return "whether the query has ended, and how";
    }
    if (run.sum != counted) {
        return "the slots that the result counts";
    }
    if (now->end != GATHER_OPEN) {
        return NULL; /* nothing else is told of what has ended */
    }
    if ((run.number != 0) != (now->round != 0)) {
        return "whether the query was asked";
    }
    if (world_owner(r->world, FANOUT_MOVING) != fanout_owner(FANOUT_MOVING, now->epoch)) {
        return "whose slot 0 is";
    }
    return parts_differ(&run, now, world->shards);
}

static bool fails(const struct replay *r, char *text, size_t room)
{
    unsigned slots = fanout_slots(fanout_world_of(&r->scope));
    struct query_run_info run = run_of(r);
    enum gather_end end = end_of(&run);
    if (end == GATHER_OPEN) {
        return false;
    }
    if (run.sum > slots) {
        (void)snprintf(text, room, "the reply counts %u likes, and there are %u", (unsigned)run.sum,
                       slots);
    } else if (end == GATHER_WHOLE && run.sum < slots) {
        (void)snprintf(text, room, "the reply counts %u of %u likes, and says that it is whole",
                       (unsigned)run.sum, slots);
    } else if (end == GATHER_PARTIAL && run.sum == slots) {
        (void)snprintf(text, room, "the reply has all %u likes, and says that it is partial",
                       slots);
    } else {
        return false;
    }
    return true;
}

static uint64_t lost(const struct replay *r)
{
    (void)r;
    return 0; /* a query changes nothing */
}

const struct replay_way replay_way_scatter = {
    .model = &model_scatter,
    .about =
        "A is S0, B is S1, C is S2, and slot 1 of the model is slot 0 here. There is one like in "
        "each slot, and the query sums them up, so the sum tells how many slots were "
        "counted.\n"
        "A hedge asks the followers of all shards that R0 waits for. A shard that is given up "
        "is down for a moment.",
    .plan = plan,
    .differs = differs,
    .fails = fails,
    .lost = lost};
