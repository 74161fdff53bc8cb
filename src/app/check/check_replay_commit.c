/*
 * check_replay_commit: two-phase commit in a world: the coordinator is R0, the participants are the
 * rows alice, bob and erin at S0, S1 and S2, and the transaction takes from each.
 *
 * What is cut otherwise in the engine than in the model:
 *   - the coordinator decides in the instant in which it hears the last vote that it needs, and
 *     tells all at once; it forgets likewise;
 *   - a participant gives up when its shard restarts, a prepared one commits alone when it has
 *     waited for TXN_QUESTION_US, and asks then; its question is not kept while the coordinator is
 *     down, it asks again;
 *   - the coordinator gives up TXN_GIVE_UP_US after it began.
 *
 * Requests: what each participant is sent, by the kind of message.
 */
#include "app/check/check_replay_inside.h"
#include "base/num.h"
#include "check/commit.h"
#include "check/models.h"
#include "engine/txns/txns.h"
#include <stdio.h>
#include <string.h>

#define AMOUNT 10
#define KINDS 3         /* of messages to participants: prepare, commit, abort */
#define APART_US 6000   /* from one prepare to the next: their timers are as far apart */
#define AWAY_US 30000   /* a coordinator that restarts in the schedule: others ask in vain */
#define SHARD_AWAY_MS 1 /* a shard that gives up */
#define NONE 0          /* of a step's number, of a time */

struct commit_plan {
    struct replay *r;
    uint64_t rules;
    int64_t begun_us;                    /* the coordinator has it */
    int64_t prepared_us[PACT_PARTS_MAX]; /* each participant has its lock, and its timer */
    int64_t ready_us[PACT_PARTS_MAX];    /* and is prepared */
    struct cue *down;                    /* the crash under way */
    int64_t crashed_us;
};

static enum pact_step kind_at(const struct replay *r, uint32_t step)
{
    return pact_step_of(r->result->action[step - 1]);
}

static unsigned part_at(const struct replay *r, uint32_t step)
{
    return pact_part_of(r->result->action[step - 1]);
}

static const char *row_name(unsigned part)
{
    static const char *const names[PACT_PARTS_MAX] = {"alice", "bob", "erin"};
    return names[part];
}

static uint8_t op_of(enum op_kind want, unsigned part)
{
    unsigned kind = want == OP_PREPARE ? 0 : want == OP_COMMIT ? 1 : 2;
    return (uint8_t)(kind * PACT_PARTS_MAX + part);
}

/* --- planning ----------------------------------------------------------------------------------
 */

static bool is_arrival(enum op_kind want, enum pact_step step)
{
    switch ((int)step) {
    case PACT_PREPARE:
    case PACT_VOTE_EARLY:
    case PACT_VOTE_AGAIN:
    case PACT_REFUSE:
    case PACT_OLD:
        return want == OP_PREPARE;
    case PACT_LEARN_COMMIT:
        return want == OP_COMMIT;
    case PACT_LEARN_ABORT:
        return want == OP_ABORT;
    default:
        return false;
    }
}

static bool is_answer(enum op_kind want, enum pact_step step)
{
    return want == OP_PREPARE ? step == PACT_HEAR_YES || step == PACT_HEAR_NO
                              : want == OP_COMMIT && step == PACT_HEAR_ACK;
}

/* The next step in which a participant's message of this kind arrives, or its answer does; NONE. */
static uint32_t next_of(const struct replay *r, enum op_kind want, unsigned part, bool answer)
{
    for (uint32_t step = r->step + 1; step <= r->result->depth; step++) {
        enum pact_step kind = kind_at(r, step);
        if (part_at(r, step) == part && (answer ? is_answer(want, kind) : is_arrival(want, kind))) {
            return step;
        }
    }
    return NONE;
}

/* A message goes out in this step: it is held up until it arrives. */
static void plan_sent(struct commit_plan *p, int64_t at, enum op_kind want, unsigned part)
{
    struct cue *cue = replay_cue(p->r, at, CUE_SENT, "%s", "");
    cue->op = op_of(want, part);
    cue->want = (uint8_t)want;
    cue->until_us = next_of(p->r, want, part, false); /* the step: its time is not known yet */
    p->r->op[cue->op].own = true;
}

/* It arrives: the answer is held up. */
static void plan_arrival(struct commit_plan *p, int64_t at, enum op_kind want, unsigned part)
{
    struct cue *cue = replay_cue(p->r, at, CUE_ANSWERED, "%s", "");
    cue->op = op_of(want, part);
    cue->until_us = next_of(p->r, want, part, true);
    replay_step_at(p->r, at, REPLAY_SETTLE_US);
}

static void plan_begin(struct commit_plan *p, int64_t at)
{
    char steps[96] = "";
    for (unsigned i = 0; i < p->r->scope.size; i++) {
        size_t length = strlen(steps);
        (void)snprintf(steps + length, sizeof steps - length, " take %s %d", row_name(i), AMOUNT);
    }
    replay_cue(p->r, at, CUE_COMMAND, "txn 2pc via R0%s", steps);
    p->begun_us = at + REPLAY_LEG_US;
    for (unsigned i = 0; i < p->r->scope.size; i++) {
        plan_sent(p, at + 1, OP_PREPARE, i);
    }
    replay_step_at(p->r, at, REPLAY_SETTLE_US);
}

/* A vote is heard: in the world the coordinator decides, if it may, and tells all. */
static void plan_vote(struct commit_plan *p, int64_t at)
{
    _Alignas(16) unsigned char state[CHECK_STATE_MAX];
    struct replay *r = p->r;
    replay_state(r, r->step, state);
    struct commit_core core = pact_core((const void *)state);
    if (commit_may_commit(&core, p->rules)) {
        for (unsigned i = 0; i < r->scope.size; i++) {
            plan_sent(p, at, OP_COMMIT, i);
        }
    }
    replay_step_at(r, at, REPLAY_SETTLE_US);
}

static void plan_aborts(struct commit_plan *p, int64_t at, unsigned but)
{
    for (unsigned i = 0; i < p->r->scope.size; i++) {
        if (i != but) {
            plan_sent(p, at, OP_ABORT, i);
        }
    }
    replay_step_at(p->r, at, REPLAY_SETTLE_US);
}

/* The first time from `at` on at which a participant asks. */
static int64_t question_us(const struct commit_plan *p, unsigned part, int64_t at)
{
    int64_t due = p->prepared_us[part] + TXN_QUESTION_US;
    while (due < at) {
        due += TXN_QUESTION_US;
    }
    return due;
}

/* Of its own accord: when its shard restarts, or when it has waited long enough. */
static bool plan_alone(struct commit_plan *p, unsigned part, bool commits, int64_t at,
                       struct err *err)
{
    struct replay *r = p->r;
    if (p->prepared_us[part] == NONE) {
        return err_set(err,
                       "step %u cannot be played: a participant that was not asked yet has "
                       "nothing that it could give up",
                       (unsigned)r->step);
    }
    if (!commits) {
        replay_cue(r, at, CUE_COMMAND, "crash S%u %d", part, SHARD_AWAY_MS);
        replay_step_at(r, at, 2 * REPLAY_SETTLE_US);
        return true;
    }
    int64_t due = question_us(p, part, p->ready_us[part]);
    if (due < at) {
        return err_set(err, "step %u comes too late: the participant has committed before",
                       (unsigned)r->step);
    }
    replay_step_at(r, due, REPLAY_SETTLE_US);
    return true;
}

static bool plan_question(struct commit_plan *p, unsigned part, bool answered, int64_t at)
{
    struct replay *r = p->r;
    int64_t due = question_us(p, part, answered ? at - REPLAY_LEG_US : at);
    if (answered) {
        due += REPLAY_LEG_US;
        plan_sent(p, due, OP_ABORT, part);
    }
    replay_step_at(r, due, REPLAY_SETTLE_US);
    return true;
}

static bool plan_give_up(struct commit_plan *p, int64_t at, struct err *err)
{
    int64_t due = p->begun_us + TXN_GIVE_UP_US;
    if (due < at) {
        return err_set(err, "step %u comes too late: the coordinator has given up before",
                       (unsigned)p->r->step);
    }
    plan_aborts(p, due, PACT_PARTS_MAX);
    return true;
}

static void plan_crash(struct commit_plan *p, bool restart, int64_t at)
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
    replay_step_at(r, back, REPLAY_SETTLE_US);
}

/* It is prepared only now. */
static bool plan_late(struct commit_plan *p, unsigned part, int64_t at, struct err *err)
{
    if (p->ready_us[part] < at) {
        return err_set(err, "step %u comes too late: the participant is prepared already",
                       (unsigned)p->r->step);
    }
    replay_step_at(p->r, p->ready_us[part], REPLAY_SETTLE_US);
    return true;
}

static bool plan_of_part(struct commit_plan *p, enum pact_step step, unsigned part, struct err *err)
{
    struct replay *r = p->r;
    int64_t at = replay_next_us(r);
    switch ((int)step) {
    case PACT_PREPARE:
    case PACT_VOTE_EARLY:
        at += APART_US;
        p->prepared_us[part] = at;
        p->ready_us[part] = at + (step == PACT_VOTE_EARLY ? TXN_LATE_US : 0);
        plan_arrival(p, at, OP_PREPARE, part);
        return true;
    case PACT_PREPARE_LATE:
        return plan_late(p, part, at, err);
    case PACT_REFUSE:
        plan_arrival(p, at, OP_PREPARE, part);
        return true;
    case PACT_LEARN_COMMIT:
        plan_arrival(p, at, OP_COMMIT, part);
        return true;
    case PACT_LEARN_ABORT:
        plan_arrival(p, at, OP_ABORT, part);
        return true;
    case PACT_ABORT_ALONE:
    case PACT_COMMIT_ALONE:
        return plan_alone(p, part, step == PACT_COMMIT_ALONE, at, err);
    case PACT_ASK:
        return plan_question(p, part, false, at);
    default:
        return err_set(err, "step %u cannot be played: a world has no way to arrange for it",
                       (unsigned)r->step);
    }
}

static bool plan_step(struct commit_plan *p, enum pact_step step, unsigned part, struct err *err)
{
    struct replay *r = p->r;
    int64_t at = replay_next_us(r);
    switch ((int)step) {
    case PACT_BEGIN:
        plan_begin(p, at);
        return true;
    case PACT_HEAR_YES:
        plan_vote(p, at);
        return true;
    case PACT_HEAR_NO:
        plan_aborts(p, at, part);
        return true;
    case PACT_GIVE_UP:
        return plan_give_up(p, at, err);
    case PACT_CRASH:
    case PACT_RESTART:
        plan_crash(p, step == PACT_RESTART, at);
        return true;
    case PACT_ANSWER:
        return plan_question(p, part, true, at);
    case PACT_HEAR_ACK:
    case PACT_DECIDE:
    case PACT_DECIDE_UNWRITTEN: /* it has, when it heard the vote */
    case PACT_TELL:
    case PACT_FORGET:
    case PACT_LOSE: /* what is lost is held up until the end */
        replay_step_at(r, at, REPLAY_SETTLE_US);
        return true;
    default:
        return plan_of_part(p, step, part, err);
    }
}

/* Who refuses has too little. */
static void plan_rows(struct replay *r)
{
    for (unsigned part = 0; part < r->scope.size; part++) {
        int value = AMOUNT;
        for (uint32_t step = 1; step <= r->result->depth; step++) {
            bool refuses = kind_at(r, step) == PACT_REFUSE && part_at(r, step) == part;
            value = refuses ? 0 : value;
        }
        replay_cue(r, REPLAY_START_US + 100 + part, CUE_COMMAND, "row %s %d", row_name(part),
                   value);
    }
}

static bool plan(struct replay *r, struct err *err)
{
    struct commit_plan p = {.r = r, .rules = pact_rules_of(&r->scope)};
    r->key = row_name(0);
    r->step = 0;
    r->config.routers = 1;
    r->config.shards = r->scope.size;
    r->config.shards_max = r->scope.size;
    r->config.shard_zone[2] = REPLAY_NEAR;
    r->config.txns_max = 2;
    r->config.txn_rows_max = PACT_PARTS_MAX;
    plan_rows(r);
    for (r->step = 1; r->step <= r->result->depth; r->step++) {
        if (!plan_step(&p, kind_at(r, r->step), part_at(r, r->step), err)) {
            return false;
        }
    }
    replay_settle_times(r, p.down, p.crashed_us);
    return true;
}

/* --- reading the world -------------------------------------------------------------------------
 */

/* The last record of this kind about a participant; NULL: none. */
static const struct trace_record *note_of(const struct replay *r, enum txns_reason reason,
                                          unsigned part)
{
    uint32_t key = replay_key(r, row_name(part));
    for (uint64_t i = trace_next(r->world); i > trace_first(r->world); i--) {
        const struct trace_record *t = trace_get(r->world, i - 1);
        if (t && t->kind == TRACE_TXN && t->reason == reason && t->key == key) {
            return t;
        }
    }
    return NULL;
}

static const char *part_differs(const struct txn_info *t, const struct pact *now, unsigned part)
{
    const struct txn_step_info *s = &t->step[part];
    bool locked = s->locked_from_us >= 0 && s->locked_to_us < 0;
    bool holds = now->part[part].state == PART_PREPARED || now->part[part].voted != 0;
    if (s->state != now->part[part].state) {
        return "what a participant has done";
    }
    return locked != holds ? "whether a participant holds its lock" : NULL;
}

/* In the world it may have decided, or forgotten, already. */
static const char *coordinator_differs(const struct replay *r, const struct txn_info *t,
                                       const struct pact *now, uint64_t rules)
{
    struct commit_core core = pact_core(now);
    bool ahead = commit_may_commit(&core, rules) || commit_may_forget(&core, rules);
    bool down = t->number != 0 && t->coordinator_down;
    (void)r;
    if (down != (now->down != 0)) {
        return "whether the coordinator is down";
    }
    if (!ahead && t->phase != now->decided) {
        return "what the coordinator has decided";
    }
    bool logged = t->phase == COMMIT_COMMIT && t->written;
    return !ahead && logged != (now->logged == COMMIT_COMMIT) ? "what is in the coordinator's log"
                                                              : NULL;
}

static const char *all_differs(const struct replay *r, const struct pact *now)
{
    struct check_scope scope = r->scope;
    struct txn_info t = world_txn(r->world, 0);
    if (r->every_rule) {
        scope.rules = CHECK_RULES_ALL;
    }
    if ((t.number != 0) != (now->begun != 0)) {
        return "whether the transaction has begun";
    }
    const char *what = coordinator_differs(r, &t, now, pact_rules_of(&scope));
    for (unsigned i = 0; !what && now->begun && i < r->scope.size; i++) {
        what = part_differs(&t, now, i);
    }
    return what;
}

static const char *differs(const struct replay *r, const void *state, uint32_t step)
{
    const struct pact *now = state;
    if (step != REPLAY_ALL && kind_at(r, step) == PACT_HEAR_YES) {
        const struct trace_record *t = note_of(r, REASON_TXN_VOTE, part_at(r, step));
        bool counted = t && t->value == 0;
        struct commit_core core = pact_core(now);
        bool counts = (core.votes >> part_at(r, step) & 1) != 0;
        return counted != counts ? "whether a vote counts" : NULL;
    }
    return all_differs(r, now);
}

/* --- what is broken ----------------------------------------------------------------------------
 */

static bool mixed(const struct txn_info *t, char *text, size_t room)
{
    int committed = -1;
    int aborted = -1;
    for (unsigned i = 0; i < t->steps; i++) {
        committed = t->step[i].state == PART_COMMITTED ? (int)i : committed;
        aborted = t->step[i].state == PART_ABORTED ? (int)i : aborted;
    }
    if (committed >= 0 && aborted >= 0) {
        (void)snprintf(text, room, "S%d has committed its part and S%d has aborted its own",
                       committed, aborted);
    }
    return committed >= 0 && aborted >= 0;
}

/* Somebody waits for a word that never comes: seen once it could have come. */
static bool waits_for_ever(const struct replay *r, const struct txn_info *t, char *text,
                           size_t room)
{
    bool over = world_now(r->world) >= r->end_us[r->out->steps] + REPLAY_REST_US;
    bool silent = t->back_us >= 0 && t->phase == COMMIT_NO_WORD && !t->written;
    for (unsigned i = 0; over && silent && i < t->steps; i++) {
        if (t->step[i].state == PART_PREPARED) {
            (void)snprintf(text, room,
                           "%s is locked at S%u, and R0, which knows nothing of it any more, "
                           "leaves it without a word",
                           row_name(i), i);
            return true;
        }
    }
    return false;
}

static bool fails(const struct replay *r, char *text, size_t room)
{
    struct txn_info t = world_txn(r->world, 0);
    return mixed(&t, text, room) || waits_for_ever(r, &t, text, room);
}

static const char about[] =
    "R0 coordinates; participants 1, 2 and 3 are the rows alice, bob and erin, at S0, S1 and S2.\n"
    "R0 decides, and tells all, in the instant in which it hears the last vote that it needs.\n"
    "A participant gives up when its shard restarts, and asks each 100 ms that it waits.";

const struct replay_way replay_way_commit = {
    .model = &model_commit, .about = about, .plan = plan, .differs = differs, .fails = fails};
