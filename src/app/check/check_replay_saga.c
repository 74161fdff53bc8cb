/*
 * check_replay_saga: a saga in a world: the coordinator is R0, and its steps take from the rows
 * alice, bob and erin, at S0, S1 and S2.
 *
 * What is cut otherwise in the engine than in the model:
 *   - a saga of the world has three steps; a fourth that is never asked for is not missed;
 *   - the coordinator gives up when it looks after its transactions, each TXN_AGAIN_US, and the
 *     step was asked for TXN_GIVE_UP_US ago;
 *   - a compensation is sent again when its router has lost patience: its answer is held up.
 *
 * Requests: what each participant is sent, by the kind of message.
 */
#include "app/check/check_replay_inside.h"
#include "base/num.h"
#include "check/models.h"
#include "check/saga.h"
#include "engine/txns/txns.h"
#include <stdio.h>
#include <string.h>

#define AMOUNT 10
#define HELD 20 /* by a row that can give it */
#define PATIENCE_MS 20
#define AWAY_US TXN_GIVE_UP_US /* who comes back has waited long enough */
#define NONE 0                 /* of a step's number, of a time */

struct saga_plan {
    struct replay *r;
    uint64_t rules;
    int64_t ticks_us;               /* the coordinator looks after its transactions from here on */
    int64_t since_us;               /* the step was asked for */
    int64_t sent_us[TXN_STEPS_MAX]; /* its compensation was */
    struct cue *down;               /* the crash under way */
    int64_t crashed_us;
};

static enum chain_step kind_at(const struct replay *r, uint32_t step)
{
    return chain_step_of(r->result->action[step - 1]);
}

static unsigned part_at(const struct replay *r, uint32_t step)
{
    return chain_part_of(r->result->action[step - 1]);
}

static unsigned steps_of(const struct replay *r)
{
    return r->scope.size < TXN_STEPS_MAX ? r->scope.size : TXN_STEPS_MAX;
}

static const char *row_name(unsigned part)
{
    static const char *const names[TXN_STEPS_MAX] = {"alice", "bob", "erin"};
    return names[part];
}

static uint8_t op_of(enum op_kind want, unsigned part)
{
    return (uint8_t)((want == OP_STEP ? 0 : TXN_STEPS_MAX) + part);
}

/* --- planning ----------------------------------------------------------------------------------
 */

static bool is_arrival(enum op_kind want, enum chain_step step)
{
    switch ((int)step) {
    case CHAIN_DO:
    case CHAIN_REFUSE:
    case CHAIN_DONE_SEEN:
    case CHAIN_NOT:
        return want == OP_STEP;
    case CHAIN_TAKE_BACK:
    case CHAIN_TAKEN_BACK_SEEN:
    case CHAIN_BAR:
    case CHAIN_NOTHING_TO_BAR:
    case CHAIN_TAKE_BACK_TWICE:
    case CHAIN_NOT_BARRED:
        return want == OP_BACK;
    default:
        return false;
    }
}

static bool is_answer(enum op_kind want, enum chain_step step)
{
    return want == OP_BACK ? step == CHAIN_HEAR_BACK
                           : step == CHAIN_HEAR_DONE || step == CHAIN_HEAR_REFUSED;
}

/* The next step in which a message of this kind arrives, or its answer does; NONE. */
static uint32_t next_of(const struct replay *r, enum op_kind want, unsigned part, bool answer)
{
    for (uint32_t step = r->step + 1; step <= r->result->depth; step++) {
        enum chain_step kind = kind_at(r, step);
        if (part_at(r, step) == part && (answer ? is_answer(want, kind) : is_arrival(want, kind))) {
            return step;
        }
    }
    return NONE;
}

/* A message goes out in this step: it is held up until it arrives. */
static void plan_sent(struct saga_plan *p, int64_t at, enum op_kind want, unsigned part)
{
    if (part >= TXN_STEPS_MAX) {
        return;
    }
    struct cue *cue = replay_cue(p->r, at, CUE_SENT, "%s", "");
    cue->op = op_of(want, part);
    cue->want = (uint8_t)want;
    cue->until_us = next_of(p->r, want, part, false); /* the step: its time is not known yet */
    p->r->op[cue->op].own = true;
    if (want == OP_BACK) {
        p->sent_us[part] = at;
    } else {
        p->since_us = at;
    }
}

/* It arrives: the answer is held up, and goes on when it is heard, or another has been sent. */
static bool plan_arrival(struct saga_plan *p, int64_t at, enum op_kind want, struct err *err)
{
    struct replay *r = p->r;
    unsigned part = part_at(r, r->step);
    if (part >= TXN_STEPS_MAX) {
        return err_set(err, "step %u cannot be played: a saga of the world has %d steps",
                       (unsigned)r->step, TXN_STEPS_MAX);
    }
    struct cue *cue = replay_cue(r, at, CUE_ANSWERED, "%s", "");
    cue->op = op_of(want, part);
    cue->until_us = next_of(r, want, part, true);
    replay_step_at(r, at, REPLAY_SETTLE_US);
    return true;
}

static bool plan_begin(struct saga_plan *p, int64_t at, struct err *err)
{
    struct replay *r = p->r;
    char steps[96] = "";
    if (p->since_us != NONE) {
        return err_set(err, "step %u cannot be played: a world has no way to arrange for it",
                       (unsigned)r->step);
    }
    for (unsigned i = 0; i < steps_of(r); i++) {
        size_t length = strlen(steps);
        (void)snprintf(steps + length, sizeof steps - length, " take %s %d", row_name(i), AMOUNT);
    }
    replay_cue(r, at, CUE_COMMAND, "txn saga via R0%s", steps);
    plan_sent(p, at + 1, OP_STEP, 0);
    p->since_us = at + REPLAY_LEG_US;
    p->ticks_us = p->since_us;
    replay_step_at(r, at, REPLAY_SETTLE_US);
    return true;
}

/* What the coordinator sends, since it stands where the model stands after this step. */
static void plan_next(struct saga_plan *p, int64_t at, const struct saga_core *core, bool moved)
{
    uint64_t back = saga_to_take_back(core, p->rules);
    if (moved && core->now.phase == SAGA_FORWARD) {
        plan_sent(p, at, OP_STEP, core->now.done);
    }
    for (unsigned i = core->steps; moved && i > 0; i--) {
        if (back >> (i - 1) & 1) {
            plan_sent(p, at, OP_BACK, i - 1);
        }
    }
    replay_step_at(p->r, at, REPLAY_SETTLE_US);
}

static struct saga_core core_at(const struct replay *r, uint32_t step)
{
    _Alignas(16) unsigned char state[CHECK_STATE_MAX];
    replay_state(r, step, state);
    return chain_core(&r->scope, (const void *)state);
}

static void plan_heard(struct saga_plan *p, int64_t at, enum chain_step step)
{
    struct replay *r = p->r;
    struct saga_core before = core_at(r, r->step - 1);
    struct saga_core after = core_at(r, r->step);
    bool moved = memcmp(&before.now, &after.now, sizeof before.now) != 0;
    bool all_sent = step == CHAIN_HEAR_BACK && !rule_on(p->rules, RULE_COMPENSATE_IN_REVERSE);
    plan_next(p, at, &after, moved && !all_sent);
}

/* Whether a compensation is sent again later. */
static bool again_later(const struct replay *r)
{
    for (uint32_t step = r->step; step <= r->result->depth; step++) {
        if (kind_at(r, step) == CHAIN_TAKE_BACK_AGAIN) {
            return true;
        }
    }
    return false;
}

static bool plan_give_up(struct saga_plan *p, int64_t at, struct err *err)
{
    struct saga_core core = core_at(p->r, p->r->step);
    int64_t due = p->ticks_us + TXN_AGAIN_US;
    while (due < p->since_us + TXN_GIVE_UP_US) {
        due += TXN_AGAIN_US;
    }
    if (due < at) {
        return err_set(err, "step %u comes too late: the coordinator has given up before",
                       (unsigned)p->r->step);
    }
    if (again_later(p->r)) {
        replay_cue(p->r, due - 1, CUE_COMMAND, "patience %d %d", PATIENCE_MS, 100 * PATIENCE_MS);
    }
    plan_next(p, due, &core, true);
    return true;
}

static bool plan_again(struct saga_plan *p, int64_t at, struct err *err)
{
    struct replay *r = p->r;
    unsigned part = part_at(r, r->step);
    int64_t due = p->sent_us[part % TXN_STEPS_MAX] + PATIENCE_MS * US_PER_MS;
    if (part >= TXN_STEPS_MAX || due < at) {
        return err_set(err, "step %u comes too late: the compensation was sent again before",
                       (unsigned)r->step);
    }
    plan_sent(p, due, OP_BACK, part);
    replay_step_at(r, due, REPLAY_SETTLE_US);
    return true;
}

static void plan_crash(struct saga_plan *p, bool restart, int64_t at)
{
    struct replay *r = p->r;
    if (!restart) {
        p->crashed_us = at;
        p->down = replay_cue(r, at, CUE_COMMAND, "%s", "");
        replay_step_at(r, at, REPLAY_SETTLE_US);
        return;
    }
    int64_t back = p->crashed_us + AWAY_US;
    back = back > at ? back : at;
    (void)snprintf(p->down->words, sizeof p->down->words, "crash R0 %lld",
                   (long long)((back - p->crashed_us) / US_PER_MS));
    p->down = NULL;
    p->ticks_us = back;
    replay_step_at(r, back, REPLAY_SETTLE_US);
}

static bool plan_step(struct saga_plan *p, enum chain_step step, struct err *err)
{
    struct replay *r = p->r;
    int64_t at = replay_next_us(r);
    if (is_arrival(OP_STEP, step) || is_arrival(OP_BACK, step)) {
        return plan_arrival(p, at, is_arrival(OP_STEP, step) ? OP_STEP : OP_BACK, err);
    }
    switch ((int)step) {
    case CHAIN_ASK:
    case CHAIN_ASK_UNWRITTEN:
        return plan_begin(p, at, err);
    case CHAIN_HEAR_DONE:
    case CHAIN_HEAR_REFUSED:
    case CHAIN_HEAR_BACK:
        plan_heard(p, at, step);
        return true;
    case CHAIN_GIVE_UP:
    case CHAIN_GIVE_UP_AT_ONCE:
        return plan_give_up(p, at, err);
    case CHAIN_TAKE_BACK_AGAIN:
        return plan_again(p, at, err);
    case CHAIN_CRASH:
    case CHAIN_RESTART:
        plan_crash(p, step == CHAIN_RESTART, at);
        return true;
    case CHAIN_LOSE: /* what is lost is held up until the end */
        replay_step_at(r, at, REPLAY_SETTLE_US);
        return true;
    default:
        return err_set(err, "step %u cannot be played: a world has no way to arrange for it",
                       (unsigned)r->step);
    }
}

/* Who refuses has too little. */
static void plan_rows(struct replay *r)
{
    for (unsigned part = 0; part < steps_of(r); part++) {
        int value = HELD;
        for (uint32_t step = 1; step <= r->result->depth; step++) {
            bool refuses = kind_at(r, step) == CHAIN_REFUSE && part_at(r, step) == part;
            value = refuses ? 0 : value;
        }
        replay_cue(r, REPLAY_START_US + 100 + part, CUE_COMMAND, "row %s %d", row_name(part),
                   value);
    }
}

static bool plan(struct replay *r, struct err *err)
{
    struct saga_plan p = {.r = r, .rules = chain_rules_of(&r->scope)};
    r->key = row_name(0);
    r->step = 0;
    r->config.routers = 1;
    r->config.shards = TXN_STEPS_MAX;
    r->config.shards_max = TXN_STEPS_MAX;
    r->config.shard_zone[2] = REPLAY_NEAR;
    r->config.txns_max = 2;
    r->config.txn_rows_max = TXN_STEPS_MAX;
    plan_rows(r);
    for (r->step = 1; r->step <= r->result->depth; r->step++) {
        if (!plan_step(&p, kind_at(r, r->step), err)) {
            return false;
        }
    }
    replay_settle_times(r, p.down, p.crashed_us);
    return true;
}

/* --- reading the world -------------------------------------------------------------------------
 */

/* How often a step's change is in its row, less how often it was taken back. */
static int effect_of(const struct replay *r, const struct txn_info *t, unsigned part)
{
    uint32_t row = 0;
    if (t->step[part].voted_us < 0 ||
        !world_txn_row_find(r->world, bytes_of(row_name(part)), &row)) {
        return 0;
    }
    int held = t->step[part].state == STEP_REFUSED ? 0 : HELD;
    return (held - (int)world_txn_row(r->world, row).value) / AMOUNT;
}

static const char *part_differs(const struct replay *r, const struct txn_info *t,
                                const struct chain *now, unsigned part)
{
    if (t->step[part].state != now->part[part].state) {
        return "what a participant has done";
    }
    return effect_of(r, t, part) != now->part[part].effect ? "what is in effect" : NULL;
}

static const char *all_differs(const struct replay *r, const struct chain *now, uint32_t step)
{
    struct txn_info t = world_txn(r->world, 0);
    bool begun = now->now.asked > 0 || now->now.phase != SAGA_FORWARD || now->down || step > 1;
    if ((t.number != 0) != begun) {
        return "whether the saga has begun";
    }
    if (!begun) {
        return NULL;
    }
    struct saga_core core = chain_core(&r->scope, now);
    if (t.coordinator_down != (now->down != 0)) {
        return "whether the coordinator is down";
    }
    if (t.phase != now->now.phase) {
        return "where the saga stands";
    }
    if (t.behind != saga_may_log(&core)) {
        return "what is in the coordinator's log";
    }
    const char *what = NULL;
    for (unsigned i = 0; !what && i < steps_of(r); i++) {
        what = part_differs(r, &t, now, i);
    }
    return what;
}

static const char *differs(const struct replay *r, const void *state, uint32_t step)
{
    const struct chain *now = state;
    const char *what = all_differs(r, now, step == REPLAY_ALL ? 2 : step);
    if (!what && step != REPLAY_ALL && kind_at(r, step) == CHAIN_GIVE_UP_AT_ONCE) {
        struct txn_info t = world_txn(r->world, 0);
        for (unsigned i = 0; i < steps_of(r); i++) {
            bool left = (now->now.left >> i & 1) != 0;
            what = left && !t.step[i].told ? "who is asked to take back" : what;
        }
    }
    return what;
}

/* --- what is broken ----------------------------------------------------------------------------
 */

static bool order_fails(const struct replay *r, const struct txn_info *t, char *text, size_t room)
{
    for (unsigned i = 0; i < t->steps; i++) {
        if (effect_of(r, t, i) < 0) {
            (void)snprintf(text, room,
                           "S%u has taken its step back twice: %s holds %d more than "
                           "it was given",
                           i, row_name(i), AMOUNT);
            return true;
        }
        for (unsigned j = i + 1; j < t->steps; j++) {
            if (effect_of(r, t, i) == 0 && effect_of(r, t, j) > 0) {
                (void)snprintf(text, room,
                               "the step of S%u is in effect, and that of S%u, which comes before "
                               "it, is not",
                               j, i);
                return true;
            }
        }
    }
    return false;
}

static bool fails(const struct replay *r, char *text, size_t room)
{
    struct txn_info t = world_txn(r->world, 0);
    unsigned in_effect = 0;
    unsigned which = 0;
    for (unsigned i = 0; i < t.steps; i++) {
        bool is = effect_of(r, &t, i) > 0;
        in_effect += is;
        which = is ? i : which;
    }
    bool over = t.number != 0 && (t.phase == SAGA_DONE || t.phase == SAGA_UNDONE);
    if (over && in_effect != (t.phase == SAGA_DONE ? t.steps : 0)) {
        (void)snprintf(text, room, "R0 says that the saga is %s, and the step of S%u is in effect",
                       saga_phase_name((enum saga_phase)t.phase), which);
        return true;
    }
    return order_fails(r, &t, text, room);
}

static const char about[] =
    "R0 coordinates; each step takes 10 from a row: debit, credit and mail are alice, bob and\n"
    "erin, at S0, S1 and S2. R0 gives up when a step was not answered for a second.";

const struct replay_way replay_way_saga = {
    .model = &model_saga, .about = about, .plan = plan, .differs = differs, .fails = fails};
