/*
 * check_replay_ask: a slot that moves key by key in a world: A is S0, B is S1, the slot is that of
 * likes:{p9}, and its keys are the sub-keys of that count: k1 is likes:{p9}#0, k2 likes:{p9}#1.
 *
 * Each key that is there at first has one like; a write is a like more. A read of all keys reads
 * the count. What the model calls "no such key" is 0 likes.
 *   - A key is handed over, or copied, by `shift` given again; how long a copy is on its way until
 *     its original is dropped, its size says.
 *   - The directory hears of a claim when its commit is due: commit_us.
 *   - A router that hears of the planned owner too early: see check_replay.h.
 * Which router a request is at the model forgets once nothing reads it; here the request tells.
 */
#include "app/check/check_replay_inside.h"
#include "base/num.h"
#include "check/ask.h"
#include "check/models.h"
#include "engine/shifts/shifts.h"
#include <stdio.h>

#define COUNT "likes:{p9}"
#define SLOT 12067u
#define PREPARE_US (REPLAY_START_US + 1000) /* the treatment; then the likes */
#define LIKE_EVERY_US 1500
#define CHANGE_US (REPLAY_START_US + 8000) /* the moment in which B has the slot */
#define OPEN_US (REPLAY_START_US + 12000)
#define BYTES_A_US ((int64_t)SHIFT_BYTES_A_SECOND / US_PER_SECOND)
#define RATE 10 /* keys a second: the next one goes by itself only when the schedule is over */

struct ask_plan {
    struct replay *r;
    const struct keywise_world *world;
    int64_t claimed_us; /* 0: it has not been */
    struct cue *size;   /* of the key that is being copied */
    int64_t copied_us;
    uint8_t copied;
    struct cue *crash;
    bool early, fetches, closed;
};

static struct keywise_action action_at(const struct replay *r, uint32_t step)
{
    return keywise_action_of(r->result->action[step - 1]);
}

static struct keywise_action issue_of(const struct replay *r, uint8_t op)
{
    for (uint32_t step = 1; step <= r->result->depth; step++) {
        struct keywise_action a = action_at(r, step);
        if (a.step == KEYWISE_ISSUE && a.op == op) {
            return a;
        }
    }
    CHECK(false && "a request that nobody issues");
    return (struct keywise_action){.step = KEYWISE_STEPS};
}

/* The sub-key, or the count. */
static const char *key_name(uint8_t key)
{
    static const char *const names[] = {COUNT "#0", COUNT "#1", COUNT "#2", COUNT};
    _Static_assert(KEYWISE_ALL == 3, "the last is all of them");
    CHECK(key <= KEYWISE_ALL);
    return names[key];
}

static bool is_answer(enum keywise_step step)
{
    return step >= KEYWISE_SERVE && step <= KEYWISE_TRY_AGAIN;
}

/* --- planning ----------------------------------------------------------------------------------
 */

static void plan_issue(struct ask_plan *p, struct keywise_action a, int64_t at)
{
    struct replay *r = p->r;
    bool read = a.op >= p->world->writes;
    struct cue *ask = replay_cue(r, at, CUE_ASK, "request %s %s via R%u", read ? "read" : "like",
                                 key_name(a.key), (unsigned)a.router);
    ask->op = a.op;
    r->op[a.op].read = read;
    replay_cue(r, at + 1, CUE_SENT, "%s", "")->op = a.op;
    replay_step_at(r, at, REPLAY_SETTLE_US);
}

/* A shard answers what was held up until now; unless it serves it, the request goes on. */
static void plan_answer(struct ask_plan *p, struct keywise_action a, int64_t at)
{
    int64_t settle = REPLAY_SETTLE_US;
    if (a.step != KEYWISE_SERVE) {
        settle += a.step == KEYWISE_TRY_AGAIN ? BACKOFF_FIRST_US : 0;
        replay_cue(p->r, at, CUE_SENT, "%s", "")->op = a.op;
    }
    p->fetches = p->fetches || a.step == KEYWISE_MOVED;
    replay_step_at(p->r, at, settle);
}

static void set_size(struct ask_plan *p, int64_t dropped_us)
{
    (void)snprintf(p->size->words, sizeof p->size->words, "shift size %s %lld", key_name(p->copied),
                   (long long)((dropped_us - p->copied_us) * BYTES_A_US));
    p->size = NULL;
}

static void plan_hand(struct ask_plan *p, struct keywise_action a, int64_t at)
{
    struct replay *r = p->r;
    if (a.step == KEYWISE_DROP) {
        CHECK(p->size && "what is dropped was copied");
        set_size(p, at);
    } else {
        if (a.step == KEYWISE_COPY) {
            p->size = replay_cue(r, at, CUE_COMMAND, "%s", "");
            p->copied = a.key;
            p->copied_us = ++at;
        }
        replay_cue(r, at, CUE_COMMAND, "shift %u S%d %d", SLOT, KEYWISE_B, RATE);
    }
    replay_step_at(r, at, REPLAY_SETTLE_US);
}

static void plan_claim(struct ask_plan *p, int64_t at)
{
    replay_cue(p->r, at, CUE_COMMAND, "shift %u finish", SLOT);
    p->claimed_us = at;
    replay_step_at(p->r, at, REPLAY_SETTLE_US);
}

static void plan_close(struct ask_plan *p, int64_t at)
{
    p->closed = true;
    p->r->config.commit_us = (int32_t)(at - p->claimed_us);
    replay_step_at(p->r, at, REPLAY_SETTLE_US);
}

static void end_crash(struct ask_plan *p, int64_t at)
{
    int64_t us = at - p->crash->at_us;
    (void)snprintf(p->crash->words, sizeof p->crash->words, "crash S%d %lld.%03lld", KEYWISE_B,
                   (long long)(us / US_PER_MS), (long long)(us % US_PER_MS));
    p->crash = NULL;
}

/* It asks for the map while B has the slot, and the answer is slow. */
static bool plan_early(struct ask_plan *p, struct keywise_action a, int64_t at, struct err *err)
{
    struct replay *r = p->r;
    uint32_t step = r->step;
    if (p->early) {
        return err_set(err, "step %u cannot be played: one router hears too early already",
                       (unsigned)step);
    }
    r->step = 0;
    replay_cue(r, CHANGE_US, CUE_COMMAND, "move %u S%d", SLOT, KEYWISE_B);
    replay_cue(r, CHANGE_US + 1, CUE_COMMAND, "reload R%u", (unsigned)a.router);
    replay_cue(r, CHANGE_US + 2000, CUE_COMMAND, "move %u S%d", SLOT, KEYWISE_A);
    r->step = step;
    int64_t asked = CHANGE_US + 1 + REPLAY_LEG_US;
    r->config.delay_us[REPLAY_DIRECTORY][REPLAY_NEAR] = (int32_t)(at - asked);
    replay_cue(r, at + 1, CUE_NOTE, "(the slow map is there: in it S%d has the slot)", KEYWISE_B);
    p->early = true;
    replay_step_at(r, at, REPLAY_SETTLE_US);
    return true;
}

static bool plan_step(struct ask_plan *p, struct keywise_action a, struct err *err)
{
    struct replay *r = p->r;
    int64_t at = replay_next_us(r);
    switch (a.step) {
    case KEYWISE_ISSUE:
        plan_issue(p, a, at);
        return true;
    case KEYWISE_SERVE:
    case KEYWISE_ASK:
    case KEYWISE_ASK_AS_MOVED:
    case KEYWISE_MOVED:
    case KEYWISE_TRY_AGAIN:
        plan_answer(p, a, at);
        return true;
    case KEYWISE_RELOAD:
        replay_cue(r, at, CUE_COMMAND, "reload R%u", (unsigned)a.router);
        p->fetches = true;
        break;
    case KEYWISE_HAND:
    case KEYWISE_COPY:
    case KEYWISE_DROP:
        plan_hand(p, a, at);
        return true;
    case KEYWISE_CLAIM_EMPTY:
    case KEYWISE_CLAIM_FULL:
        plan_claim(p, at);
        return true;
    case KEYWISE_CLOSE:
        plan_close(p, at);
        return true;
    case KEYWISE_UNDO:
        replay_cue(r, at, CUE_COMMAND, "shift %u stop", SLOT);
        break;
    case KEYWISE_CRASH:
        p->crash = replay_cue(r, at, CUE_COMMAND, "%s", "");
        break;
    case KEYWISE_RESTART:
        CHECK(p->crash && "who restarts was down");
        end_crash(p, at);
        break;
    case KEYWISE_EARLY:
        return plan_early(p, a, at, err);
    case KEYWISE_STEPS:
        CHECK(false && "no such step");
        return false;
    }
    replay_step_at(r, at, REPLAY_SETTLE_US);
    return true;
}

/* The likes that are there at first, and the slot that is to move; no key goes yet. */
static void prepare(struct ask_plan *p)
{
    struct replay *r = p->r;
    int64_t at = PREPARE_US;
    r->step = 0;
    replay_cue(r, REPLAY_START_US + 100, CUE_COMMAND, "shard add a");
    replay_cue(r, REPLAY_START_US + 101, CUE_COMMAND, "deaf R0 on");
    replay_cue(r, REPLAY_START_US + 102, CUE_COMMAND, "deaf R1 on");
    replay_cue(r, at, CUE_COMMAND, "writes %s salted %u outside", COUNT, (unsigned)p->world->keys);
    for (uint8_t key = 0; key < p->world->keys - p->world->fresh; key++) {
        at += LIKE_EVERY_US;
        replay_cue(r, at, CUE_COMMAND, "request like %s via R0", key_name(key));
    }
    CHECK(at + LIKE_EVERY_US <= CHANGE_US);
    replay_cue(r, OPEN_US, CUE_COMMAND, "shift %u S%d open", SLOT, KEYWISE_B);
}

/* What a step has sent is held up until a shard answers it. */
static void set_holds(struct replay *r)
{
    for (uint32_t i = 0; i < r->cues; i++) {
        struct cue *cue = &r->cue[i];
        uint32_t step = cue->step + 1;
        if (cue->kind != CUE_SENT) {
            continue;
        }
        while (step <= r->result->depth &&
               !(is_answer(action_at(r, step).step) && action_at(r, step).op == cue->op)) {
            step++;
        }
        cue->until_us = step <= r->result->depth ? r->at_us[step] : r->end_us[r->result->depth];
    }
}

static bool plan(struct replay *r, struct err *err)
{
    struct ask_plan p = {.r = r, .world = keywise_world_of(&r->scope)};
    r->key = COUNT;
    prepare(&p);
    for (r->step = 1; r->step <= r->result->depth; r->step++) {
        if (!plan_step(&p, action_at(r, r->step), err)) {
            return false;
        }
    }
    if (p.early && p.fetches) {
        return err_set(err, "a router of this world cannot get one map slowly and one at once");
    }
    int64_t end_us = r->end_us[r->result->depth];
    if (p.size) {
        set_size(&p, end_us + REPLAY_SETTLE_US);
    }
    if (p.crash) {
        end_crash(&p, end_us);
    }
    if (!p.closed && p.claimed_us != 0) {
        plan_close(&p, end_us + REPLAY_SETTLE_US);
    }
    set_holds(r);
    return true;
}

/* --- reading the world -------------------------------------------------------------------------
 */

/* The likes of the keys that a request concerns, of which clients were told OK. */
static uint64_t acknowledged(const struct replay *r, uint8_t op)
{
    uint64_t likes = 0;
    uint8_t wanted = issue_of(r, op).key;
    for (uint8_t key = 0; key < keywise_world_of(&r->scope)->keys; key++) {
        uint32_t number = replay_key(r, key_name(key));
        bool counts = number != KEY_NONE_ID && (wanted == KEYWISE_ALL || wanted == key);
        likes += counts ? world_acked(r->world, number) : 0;
    }
    return likes;
}

/* Of all keys: acknowledged, and at neither shard. */
static uint64_t lost(const struct replay *r)
{
    uint64_t likes = 0;
    for (uint8_t key = 0; key < keywise_world_of(&r->scope)->keys; key++) {
        uint32_t number = replay_key(r, key_name(key));
        uint64_t acked = number != KEY_NONE_ID ? world_acked(r->world, number) : 0;
        uint64_t held = replay_value_of(r, KEYWISE_A, key_name(key)) +
                        replay_value_of(r, KEYWISE_B, key_name(key));
        likes += acked > held ? acked - held : 0;
    }
    return likes;
}

/* How often a request was told ASK. */
static unsigned asks_told(const struct replay *r, uint8_t op)
{
    unsigned count = 0;
    uint64_t number = r->op[op].number;
    for (uint64_t i = trace_first(r->world); number != 0 && i < trace_next(r->world); i++) {
        const struct trace_record *t = trace_get(r->world, i);
        count += t->request == number && t->kind == TRACE_ANSWER && t->outcome == OUTCOME_ASK;
    }
    return count;
}

static bool fails(const struct replay *r, char *text, size_t room)
{
    const struct keywise_world *world = keywise_world_of(&r->scope);
    uint64_t gone = lost(r);
    for (uint8_t op = 0; op < keywise_ops(world); op++) {
        if (asks_told(r, op) > 1) {
            (void)snprintf(text, room, "a request was told ASK a second time: it goes in a circle");
            return true;
        }
    }
    if (replay_a_read_is_stale(r, text, room)) {
        return true;
    }
    if (gone > 0) {
        (void)snprintf(text, room, "%llu like%s of which a client was told OK %s at neither shard",
                       (unsigned long long)gone, gone == 1 ? "" : "s", gone == 1 ? "is" : "are");
    }
    return gone > 0;
}

/* --- comparing ---------------------------------------------------------------------------------
 */

static const char *sent_differs(const struct replay *r, const struct keywise *now, uint8_t op)
{
    const struct keywise_op *o = &now->op[op];
    const struct trace_record *sent = replay_record(r, r->op[op].number, TRACE_ROUTE, REASON_NONE);
    if (!sent) {
        return "a request has not been sent on";
    }
    if (replay_served(r, r->op[op].number)) {
        return "a request is served already";
    }
    if (sent->to.index != o->at) {
        return "a request went to the other shard";
    }
    return (sent->reason == REASON_ASK_SAYS) != (o->asking != 0) ? "whether a request says ASKING"
                                                                 : NULL;
}

static const char *request_differs(const struct replay *r, const struct keywise *now, uint8_t op)
{
    struct request_info info;
    const struct keywise_op *o = &now->op[op];
    switch ((enum keywise_stage)o->stage) {
    case KEYWISE_IDLE:
        return r->op[op].number != 0 ? "a request is there too early" : NULL;
    case KEYWISE_SENT:
        return sent_differs(r, now, op);
    case KEYWISE_CIRCLES:
        return asks_told(r, op) < 2 ? "how often a request was told ASK" : NULL;
    case KEYWISE_DONE:
        break;
    }
    if (!replay_done(r, op, &info) || info.outcome != OUTCOME_OK) {
        return "a request has not been served";
    }
    bool read = op >= keywise_world_of(&r->scope)->writes;
    return read && replay_stale(r, op) != (o->need != 0) ? "a read returned something else" : NULL;
}

/* "moved" and no row at all are the same to who asks. */
static unsigned plain_row(unsigned state)
{
    return state == SLOT_ABSENT ? (unsigned)SLOT_MOVED : state;
}

static const char *move_differs(const struct replay *r, const struct keywise *now)
{
    unsigned source = world_slot_row(r->world, KEYWISE_A, SLOT).state;
    unsigned target = world_slot_row(r->world, KEYWISE_B, SLOT).state;
    if (plain_row(source) != plain_row(now->ask.source)) {
        return "A's slot table";
    }
    if (plain_row(target) != plain_row(now->ask.target)) {
        return "B's slot table";
    }
    if ((world_owner(r->world, SLOT) == KEYWISE_B) != (now->ask.phase == ASK_CLOSED)) {
        return "the directory's map";
    }
    return world_shard(r->world, KEYWISE_B).down != (now->down != 0) ? "whether B is up" : NULL;
}

static unsigned bits_of(unsigned set)
{
    unsigned count = 0;
    for (; set != 0; set &= set - 1) {
        count++;
    }
    return count;
}

static const char *data_differs(const struct replay *r, const struct keywise *now)
{
    const struct keywise_world *world = keywise_world_of(&r->scope);
    for (uint8_t key = 0; key < world->keys; key++) {
        unsigned bits = keywise_bits(world, now, key);
        if (replay_value_of(r, KEYWISE_A, key_name(key)) != bits_of(now->has[KEYWISE_A] & bits)) {
            return "what A holds";
        }
        if (replay_value_of(r, KEYWISE_B, key_name(key)) != bits_of(now->has[KEYWISE_B] & bits)) {
            return "what B holds";
        }
    }
    return NULL;
}

/* As long as the model knows them. What a router believes that took ASK for MOVED is no map. */
static const char *maps_differ(const struct replay *r, const struct keywise *now)
{
    bool known = !keywise_all_issued(keywise_world_of(&r->scope), now);
    for (uint16_t router = 0; known && router < KEYWISE_ROUTERS; router++) {
        bool misled = now->router[router] == KEYWISE_MISLED;
        unsigned owner = world_router_owner(r->world, router, SLOT);
        if (owner != (misled ? (unsigned)KEYWISE_A : keywise_owner(now->router[router]))) {
            return "a router's map";
        }
    }
    return NULL;
}

static const char *differs(const struct replay *r, const void *state, uint32_t step)
{
    const struct keywise *now = state;
    const char *what = NULL;
    (void)step; /* all is known at every step */
    for (uint8_t op = 0; !what && op < keywise_ops(keywise_world_of(&r->scope)); op++) {
        what = request_differs(r, now, op);
    }
    what = what ? what : move_differs(r, now);
    what = what ? what : data_differs(r, now);
    return what ? what : maps_differ(r, now);
}

static const char about[] =
    "A is S0 and B is S1. The keys are sub-keys of one count: k1 is likes:{p9}#0, k2 "
    "likes:{p9}#1,\n"
    "and to read all of them is to read likes:{p9}. Where the model has no such key, the world\n"
    "reads 0. A map that comes too early is one that is past and was slow.\n";

const struct replay_way replay_way_ask = {.model = &model_ask,
                                          .about = about,
                                          .plan = plan,
                                          .differs = differs,
                                          .fails = fails,
                                          .due = acknowledged,
                                          .lost = lost};
