/*
 * check_replay_dual: edits that are written twice, in a world: A is S0, B is S1, keys are posts of
 * one slot at version 4, and R0, R1, R2 send an edit each; R3 reads.
 *
 * What is cut otherwise in the engine than in the model:
 *   - the backfill takes the same time from reading a version to writing it for every key
 *     (config.apply_us), and reads the next key at once;
 *   - a client's read returns no version: it is that of the store that answered.
 *
 * Requests: the edits in their order, then the two halves of each, then the reads.
 */
#include "app/check/check_replay_inside.h"
#include "check/dual_write.h"
#include "check/models.h"
#include "engine/shifts/shifts.h"
#include <stdio.h>
#include <string.h>

#define SLOT 12067u
#define SOURCE 0
#define TARGET 1
#define READER 3
#define HALVES TWICE_EDITS_MAX
#define READS (HALVES + 2 * TWICE_EDITS_MAX)
#define SETTLE_US 3000 /* after the switch a request is told MOVED and fetches the map first */
#define STEP_US (SETTLE_US + REPLAY_GAP_US)
#define RATE 1000000 /* keys a second: the next one is read at once */
#define NONE 0       /* of a step's number */

struct dual_plan {
    struct replay *r;
    const struct twice_world *world;
    int64_t read_us; /* when the key that the backfill has in hand was read */
    uint8_t reads;
};

static struct twice_action action_at(const struct replay *r, uint32_t step)
{
    return twice_action_of(r->result->action[step - 1]);
}

static const char *key_name(unsigned key)
{
    return key == 0 ? "post:{p9}" : "comments:{p9}";
}

static uint8_t half_op(unsigned edit, unsigned half)
{
    return (uint8_t)(HALVES + 2 * edit + half);
}

static bool is_fill(enum twice_step step)
{
    return step == TWICE_FILL || step == TWICE_FILL_KEEP || step == TWICE_FILL_BACK;
}

/* --- planning ----------------------------------------------------------------------------------
 */

/* The step in which a half arrives, NONE if it never does. */
static uint32_t arrival_of(const struct replay *r, uint32_t from, unsigned edit, unsigned half)
{
    for (uint32_t step = from + 1; step <= r->result->depth; step++) {
        struct twice_action a = action_at(r, step);
        bool lands = a.step == TWICE_STORE || a.step == TWICE_KEEP || a.step == TWICE_GO_BACK ||
                     a.step == TWICE_OVER;
        if (lands && a.edit == edit && a.half == half) {
            return step;
        }
    }
    return NONE;
}

static void plan_half(struct replay *r, int64_t at, unsigned edit, unsigned half)
{
    struct cue *sent = replay_cue(r, at, CUE_SENT, "%s", "");
    sent->op = half_op(edit, half);
    sent->want = OP_EDIT;
    r->op[sent->op].own = true;
}

static void plan_issue(struct dual_plan *p, struct twice_action a, int64_t at)
{
    _Alignas(16) unsigned char state[CHECK_STATE_MAX];
    const struct twice *next = (const void *)state;
    struct replay *r = p->r;
    replay_state(r, r->step, state);
    unsigned how = next->edit[a.edit].how;
    replay_cue(r, at, CUE_ASK, "request edit %s via R%u", key_name(a.key), (unsigned)a.edit)->op =
        a.edit;
    if (how == TWICE_ALONE) {
        replay_cue(r, at + 1, CUE_SENT, "%s", "")->op = a.edit;
    } else {
        plan_half(r, at + 1, a.edit, TWICE_HALF_FIRST);
    }
    if (how == TWICE_BOTH) {
        plan_half(r, at + 1, a.edit, TWICE_HALF_SECOND);
    }
    replay_step_at(r, at, SETTLE_US);
}

/* What comes of the first half in turn: the second. */
static void plan_landing(struct dual_plan *p, struct twice_action a, int64_t at)
{
    _Alignas(16) unsigned char before[CHECK_STATE_MAX];
    const struct twice *now = (const void *)before;
    struct replay *r = p->r;
    replay_state(r, r->step - 1, before);
    bool writing = now->core.phase == DUAL_WRITING || now->core.phase == DUAL_SWITCHED;
    if (a.half == TWICE_HALF_FIRST && now->edit[a.edit].how == TWICE_IN_TURN && writing) {
        plan_half(r, at + 1, a.edit, TWICE_HALF_SECOND);
    }
    replay_step_at(r, at, SETTLE_US);
}

static bool plan_read(struct dual_plan *p, struct twice_action a, int64_t at, struct err *err)
{
    struct replay *r = p->r;
    if (a.key == 0) {
        replay_cue(r, at, CUE_COMMAND, "dual %u S%d backfill %d%s", SLOT, TARGET, RATE,
                   p->world->where_nothing ? " absent" : "");
        p->read_us = at;
    } else if (!is_fill(action_at(r, r->step - 1).step)) {
        return err_set(err, "step %u cannot be played: a backfill reads the next key at once",
                       (unsigned)r->step);
    }
    replay_step_at(r, at, SETTLE_US);
    return true;
}

static bool plan_fill(struct dual_plan *p, int64_t at, struct err *err)
{
    struct replay *r = p->r;
    int64_t due = p->read_us + r->config.apply_us;
    if (due < at) {
        return err_set(err, "step %u comes too late: the backfill has written the key before",
                       (unsigned)r->step);
    }
    p->read_us = due;
    replay_step_at(r, due, SETTLE_US);
    return true;
}

static void plan_look(struct dual_plan *p, struct twice_action a, int64_t at)
{
    struct replay *r = p->r;
    uint8_t op = (uint8_t)(READS + p->reads++);
    CHECK(op < REPLAY_OPS_MAX);
    r->op[op].read = true;
    replay_cue(r, at, CUE_ASK, "request read %s via R%d", key_name(a.key), READER)->op = op;
    replay_step_at(r, at, SETTLE_US);
}

static void plan_operator(struct dual_plan *p, enum twice_step step, int64_t at)
{
    struct replay *r = p->r;
    if (step == TWICE_ON) {
        replay_cue(r, at, CUE_COMMAND, "dual %u S%d%s", SLOT, TARGET,
                   p->world->at_once ? " parallel" : "");
    } else if (step == TWICE_DROP) {
        replay_cue(r, at, CUE_COMMAND, "dual %u stop", SLOT);
    } else {
        bool back = step == TWICE_RETURN || step == TWICE_RETURN_BLIND;
        replay_cue(r, at, CUE_COMMAND, "switch %u %s", SLOT,
                   step == TWICE_END ? "done"
                   : back            ? "back"
                                     : "reads");
    }
    replay_step_at(r, at, SETTLE_US);
}

static bool plan_step(struct dual_plan *p, struct twice_action a, struct err *err)
{
    struct replay *r = p->r;
    int64_t at = replay_next_us(r);
    switch (a.step) {
    case TWICE_READ:
        return plan_read(p, a, at, err);
    case TWICE_FILL:
    case TWICE_FILL_KEEP:
    case TWICE_FILL_BACK:
        return plan_fill(p, at, err);
    case TWICE_ISSUE:
        plan_issue(p, a, at);
        return true;
    case TWICE_STORE:
    case TWICE_KEEP:
    case TWICE_GO_BACK:
    case TWICE_OVER:
        plan_landing(p, a, at);
        return true;
    case TWICE_LOOK:
        plan_look(p, a, at);
        return true;
    case TWICE_ON:
    case TWICE_SWITCH:
    case TWICE_SWITCH_BLIND:
    case TWICE_RETURN:
    case TWICE_RETURN_BLIND:
    case TWICE_END:
    case TWICE_DROP:
        plan_operator(p, a.step, at);
        return true;
    case TWICE_REFUSE:
    case TWICE_DIE:
    case TWICE_STEPS:
        break;
    }
    return err_set(err, "step %u cannot be played: a world has no way to arrange for it",
                   (unsigned)r->step);
}

/* The longest time that the backfill has a key in hand: it is the same for all keys. */
static int32_t carrying_us(const struct replay *r)
{
    uint32_t longest = 1;
    for (uint32_t from = 1; from <= r->result->depth; from++) {
        uint32_t step = from + 1;
        while (step <= r->result->depth && !is_fill(action_at(r, step).step)) {
            step++;
        }
        bool reads = action_at(r, from).step == TWICE_READ;
        longest = reads && step - from > longest ? step - from : longest;
    }
    return (int32_t)((longest + 1) * STEP_US);
}

static void bring_to_version(struct replay *r, unsigned key, int64_t from_us)
{
    for (int i = 0; i < TWICE_FIRST; i++) {
        replay_cue(r, from_us + (int64_t)i * 2000, CUE_COMMAND, "request edit %s via R%d",
                   key_name(key), READER);
    }
}

static bool plan(struct replay *r, struct err *err)
{
    struct dual_plan p = {.r = r, .world = twice_world_of(&r->scope)};
    r->key = key_name(0);
    r->step = 0;
    r->config.routers = READER + 1;
    r->config.apply_us = carrying_us(r);
    replay_cue(r, REPLAY_START_US + 100, CUE_COMMAND, "shard add a");
    for (unsigned key = 0; key < p.world->keys; key++) {
        bring_to_version(r, key, REPLAY_START_US + 1000 + 1000 * (int64_t)key);
    }
    for (r->step = 1; r->step <= r->result->depth; r->step++) {
        if (!plan_step(&p, action_at(r, r->step), err)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < r->cues; i++) {
        struct cue *cue = &r->cue[i];
        if (cue->kind == CUE_SENT) {
            unsigned edit = cue->op < HALVES ? cue->op : (cue->op - HALVES) / 2u;
            unsigned half = cue->op < HALVES ? TWICE_HALF_FIRST : (cue->op - HALVES) % 2u;
            uint32_t step = arrival_of(r, cue->step, edit, half);
            cue->until_us = step != NONE ? r->at_us[step] : r->end_us[r->result->depth];
        }
    }
    return true;
}

/* --- reading the world -------------------------------------------------------------------------
 */

static unsigned held(const struct replay *r, uint16_t shard, unsigned key)
{
    uint32_t number = replay_key(r, key_name(key));
    return number == KEY_NONE_ID ? 0 : world_key_version(r->world, shard, number);
}

/* The slot's row; kind SHIFT_NONE: it is not under way. */
static struct shift_info row_of(const struct replay *r)
{
    struct shift_info info = {.kind = SHIFT_NONE};
    for (uint32_t i = 0; i < r->config.moves_max; i++) {
        struct shift_info row = world_shift(r->world, i);
        if (row.kind == SHIFT_DUAL && row.slot == SLOT) {
            info = row;
        }
    }
    return info;
}

static const char *phase_differs(const struct replay *r, const struct twice *now)
{
    struct shift_info row = row_of(r);
    enum dual_phase phase = (enum dual_phase)now->core.phase;
    bool row_due = phase == DUAL_WRITING || phase == DUAL_SWITCHED;
    if (world_owner(r->world, SLOT) != dual_primary(&now->core)) {
        return "which shard answers reads";
    }
    if (row_due != (row.kind == SHIFT_DUAL && row.dual != DUAL_SINGLE)) {
        return "whether edits are written twice";
    }
    if (row_due && row.dual != phase) {
        return "whether reads have switched";
    }
    bool over = phase == DUAL_ENDED || phase == DUAL_DROPPED;
    if (!over && (row.kind == SHIFT_DUAL && row.filled) != (now->core.filled != 0)) {
        return "whether the backfill has gone over all keys";
    }
    return now->hand != 0 && !row.working ? "whether the backfill has a key in hand" : NULL;
}

static const char *stores_differ(const struct replay *r, const struct twice *now)
{
    for (unsigned key = 0; key < twice_world_of(&r->scope)->keys; key++) {
        const struct twice_key *k = &now->key[key];
        if (now->core.phase != DUAL_ENDED && held(r, SOURCE, key) != k->held[DUAL_SOURCE]) {
            return "the version that A holds";
        }
        if (held(r, TARGET, key) != k->held[DUAL_TARGET]) {
            return "the version that B holds";
        }
    }
    return NULL;
}

static const char *differs(const struct replay *r, const void *state, uint32_t step)
{
    const struct twice *now = state;
    bool stale = false;
    (void)step; /* all is known at every step */
    for (uint8_t edit = 0; edit < TWICE_EDITS_MAX; edit++) {
        struct request_info info;
        enum twice_stage stage = (enum twice_stage)now->edit[edit].stage;
        if ((r->op[edit].number != 0) != (stage != TWICE_IDLE)) {
            return "whether an edit was asked for";
        }
        if (replay_done(r, edit, &info) != (stage == TWICE_DONE)) {
            return "whether a client was told OK";
        }
    }
    for (uint8_t op = READS; op < REPLAY_OPS_MAX; op++) {
        stale = stale || replay_stale(r, op);
    }
    if (stale != (now->stale != 0)) {
        return "what a read returned";
    }
    const char *what = phase_differs(r, now);
    return what ? what : stores_differ(r, now);
}

/* --- what is broken ----------------------------------------------------------------------------
 */

static unsigned key_of(const struct replay *r, uint8_t op)
{
    struct request_info info;
    bool known = world_request(r->world, r->op[op].number, &info);
    return known && info.key == replay_key(r, key_name(1)) ? 1 : 0;
}

/* The step of the first read, second read ... is the op's. */
static uint64_t due(const struct replay *r, uint8_t op)
{
    _Alignas(16) unsigned char state[CHECK_STATE_MAX];
    const struct twice *now = (const void *)state;
    unsigned reads = 0;
    for (uint32_t step = 1; op >= READS && step <= r->result->depth; step++) {
        struct twice_action a = action_at(r, step);
        if (a.step == TWICE_LOOK && reads++ == (unsigned)(op - READS)) {
            replay_state(r, step - 1, state);
            return now->key[a.key].due;
        }
    }
    return 0;
}

static uint64_t returned(const struct replay *r, uint8_t op)
{
    struct request_info info;
    return replay_done(r, op, &info) ? held(r, info.shard, key_of(r, op)) : 0;
}

/* "v5 of post:{p9}", "nothing of post:{p9}" */
static void say_version(unsigned version, unsigned key, char *text, size_t room)
{
    if (version == 0) {
        (void)snprintf(text, room, "nothing of %s", key_name(key));
    } else {
        (void)snprintf(text, room, "v%u of %s", version, key_name(key));
    }
}

static bool read_fails(const struct replay *r, char *text, size_t room)
{
    for (uint8_t op = READS; op < REPLAY_OPS_MAX; op++) {
        struct request_info info;
        char has[40];
        if (replay_stale(r, op) && replay_done(r, op, &info)) {
            say_version((unsigned)returned(r, op), key_of(r, op), has, sizeof has);
            (void)snprintf(text, room, "S%u answered a read with %s, and v%u had been acknowledged",
                           (unsigned)info.shard, has, (unsigned)r->op[op].due);
            return true;
        }
    }
    return false;
}

/* Nothing is on its way, and the backfill is through. */
static bool stores_fail(const struct replay *r, char *text, size_t room)
{
    struct shift_info row = row_of(r);
    bool doubled = row.kind == SHIFT_DUAL && row.dual != DUAL_SINGLE;
    if (!doubled || !row.filled || row.working || !world_all_quiet(r->world)) {
        return false;
    }
    for (unsigned key = 0; key < twice_world_of(&r->scope)->keys; key++) {
        unsigned a = held(r, SOURCE, key);
        unsigned b = held(r, TARGET, key);
        char has[2][40];
        if (a != b) {
            say_version(a, key, has[0], sizeof has[0]);
            say_version(b, key, has[1], sizeof has[1]);
            (void)snprintf(text, room,
                           "S%d holds %s and S%d %s, and nothing is left that would mend it",
                           SOURCE, has[0], TARGET, has[1]);
            return true;
        }
    }
    return false;
}

static bool fails(const struct replay *r, char *text, size_t room)
{
    struct shift_back back = shifts_went_back(r->world);
    if (read_fails(r, text, room) || stores_fail(r, text, room)) {
        return true;
    }
    if (back.times > 0) {
        struct bytes key = world_key(r->world, back.key);
        (void)snprintf(text, room, "S%u took an older version of %.*s over a newer one",
                       (unsigned)back.shard, (int)key.length, (const char *)key.at);
    }
    return back.times > 0;
}

/* Edits of which a client was told, and that neither store holds nor anything newer. */
static uint64_t lost(const struct replay *r)
{
    uint64_t count = 0;
    for (uint8_t edit = 0; edit < TWICE_EDITS_MAX; edit++) {
        struct request_info info;
        if (replay_done(r, edit, &info) && info.outcome == OUTCOME_OK) {
            unsigned key = key_of(r, edit);
            count += held(r, SOURCE, key) < info.value && held(r, TARGET, key) < info.value;
        }
    }
    return count;
}

const struct replay_way replay_way_dual = {.model = &model_dual_write,
                                           .plan = plan,
                                           .differs = differs,
                                           .fails = fails,
                                           .due = due,
                                           .returned = returned,
                                           .lost = lost};
