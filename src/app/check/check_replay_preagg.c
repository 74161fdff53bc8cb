/*
 * check_replay_preagg: a summing router in a world: R0 sums the likes of likes:{p9}, S0 holds its
 * sub-key.
 *
 * A router flushes by the clock (writes_sum.c tells when), so a flush waits for that: everything
 * between two flushes is done within a window. A reply that is lost, and the parcel that is sent
 * again, are a message of which the network makes two: the second, and the reply to the first, are
 * held up.
 *
 * Requests: likes in their order, then each flush, claim and read of the sub-key, as they are sent.
 */
#include "app/check/check_replay_inside.h"
#include "base/num.h"
#include "check/models.h"
#include "check/preagg.h"
#include "engine/writes/writes.h"
#include <stdio.h>
#include <string.h>

#define KEY "likes:{p9}"
#define ROUTER 0
#define WINDOW_US INT64_C(200000)
#define PHASE_US (INT64_C(226000) * WINDOW_US / 500000) /* of R0, see writes_sum.c */
#define DOWN_US US_PER_MS
#define RESTART_US (DOWN_US + 2000) /* it reads its sub-key, and claims it */
#define REBUILD_US 3000
#define LIKES_MAX 3
#define NO_OP UINT8_MAX

_Static_assert(REPLAY_START_US % WINDOW_US == 0, "windows begin with the schedule");
_Static_assert(REPLAY_FIRST_US + 22 * (REPLAY_SETTLE_US + REPLAY_GAP_US) <
                   REPLAY_START_US + PHASE_US,
               "a window has room for many steps");

struct preagg_plan {
    struct replay *r;
    uint8_t likes, ops, restarts;   /* that have been planned */
    uint8_t flight[PREAGG_FLIGHTS]; /* which request each is, in the order of the model */
    uint8_t flights;
    uint8_t reading;                       /* the last read of the sub-key */
    uint8_t life[REPLAY_OPS_MAX];          /* restarts before it was sent */
    bool doubled[REPLAY_OPS_MAX];          /* its reply was lost once */
    uint8_t arrives[REPLAY_STEPS_MAX + 1]; /* what does in a step; NO_OP: nothing */
};

static enum preagg_step kind_at(const struct replay *r, uint32_t step)
{
    return preagg_step_of(r->result->action[step - 1]);
}

/* --- planning ----------------------------------------------------------------------------------
 */

/* The router sends a request of its own in this step. */
static uint8_t plan_sent(struct preagg_plan *p, int64_t from_us, enum op_kind want)
{
    uint8_t op = (uint8_t)(LIKES_MAX + p->ops++);
    CHECK(op < REPLAY_OPS_MAX);
    struct cue *cue = replay_cue(p->r, from_us, CUE_SENT, "%s", "");
    cue->op = op;
    cue->want = (uint8_t)want;
    p->r->op[op].own = true;
    p->life[op] = p->restarts;
    return op;
}

static void plan_flight(struct preagg_plan *p, int64_t from_us, enum op_kind want)
{
    CHECK(p->flights < PREAGG_FLIGHTS);
    p->flight[p->flights++] = plan_sent(p, from_us, want);
}

/* The next time at which the router flushes. */
static int64_t next_flush_us(int64_t at)
{
    int64_t past = (at - REPLAY_START_US - PHASE_US) % WINDOW_US;
    return past == 0 ? at : past > 0 ? at + WINDOW_US - past : at - past;
}

static void plan_like(struct preagg_plan *p, int64_t at)
{
    CHECK(p->likes < LIKES_MAX);
    replay_cue(p->r, at, CUE_ASK, "request like %s via R%d", KEY, ROUTER)->op = p->likes++;
    replay_step_at(p->r, at, REPLAY_SETTLE_US);
}

/* A flush or claim is there, which was held up until now. */
static void plan_landing(struct preagg_plan *p, int64_t at)
{
    struct replay *r = p->r;
    unsigned flight = preagg_flight_of(r->result->action[r->step - 1]);
    p->arrives[r->step] = p->flight[flight];
    p->flights--;
    for (unsigned i = flight; i < p->flights; i++) {
        p->flight[i] = p->flight[i + 1];
    }
    if (kind_at(r, r->step) == PREAGG_DENY) { /* it reads its sub-key again */
        p->reading = plan_sent(p, at + 1, OP_READ);
    }
    replay_step_at(r, at, REPLAY_SETTLE_US);
}

/* Likewise, and the same is on its way once more. */
static bool plan_lost(struct preagg_plan *p, int64_t at, struct err *err)
{
    struct replay *r = p->r;
    uint8_t op = p->flight[preagg_flight_of(r->result->action[r->step - 1])];
    if (p->doubled[op]) {
        return err_set(err, "step %u cannot be played: a network makes two of a message, not three",
                       (unsigned)r->step);
    }
    if (p->life[op] != p->restarts) {
        return err_set(err,
                       "step %u cannot be played: what a router sent before its crash cannot be "
                       "held up a second time",
                       (unsigned)r->step);
    }
    for (uint32_t i = 0; i < r->cues; i++) {
        struct cue *sent = &r->cue[i];
        sent->kind = sent->kind == CUE_SENT && sent->op == op ? CUE_DOUBLED : sent->kind;
    }
    p->doubled[op] = true;
    p->arrives[r->step] = op;
    replay_cue(r, at, CUE_ANSWERED, "%s", "")->op = op;
    replay_step_at(r, at, REPLAY_SETTLE_US);
    return true;
}

static void plan_restart(struct preagg_plan *p, int64_t at)
{
    struct replay *r = p->r;
    replay_cue(r, at, CUE_COMMAND, "crash R%d %d", ROUTER, (int)(DOWN_US / US_PER_MS));
    p->restarts++;
    if (kind_at(r, r->step) == PREAGG_RESTART) {
        plan_flight(p, at + 1, OP_CLAIM);
    }
    replay_step_at(r, at, RESTART_US);
}

/* What it asked is there; it claims with that. */
static void plan_read(struct preagg_plan *p, int64_t at)
{
    struct replay *r = p->r;
    p->arrives[r->step] = p->reading;
    if (rule_on(preagg_rules_of(&r->scope), RULE_CLAIM_ON_RESTART)) {
        plan_flight(p, at, OP_CLAIM);
    }
    replay_step_at(r, at, REPLAY_SETTLE_US);
}

static bool plan_step(struct preagg_plan *p, struct err *err)
{
    struct replay *r = p->r;
    int64_t at = replay_next_us(r);
    switch (kind_at(r, r->step)) {
    case PREAGG_LIKE:
    case PREAGG_LIKE_UNSTORED:
        plan_like(p, at);
        return true;
    case PREAGG_FLUSH:
        at = next_flush_us(at);
        plan_flight(p, at - 1, OP_FLUSH);
        replay_step_at(r, at, REPLAY_SETTLE_US);
        return true;
    case PREAGG_TAKE:
    case PREAGG_REFUSE:
    case PREAGG_GRANT:
    case PREAGG_DENY:
        plan_landing(p, at);
        return true;
    case PREAGG_TAKE_LOST:
    case PREAGG_REFUSE_LOST:
    case PREAGG_GRANT_LOST:
    case PREAGG_DENY_LOST:
        return plan_lost(p, at, err);
    case PREAGG_READ:
        plan_read(p, at);
        return true;
    case PREAGG_REBUILD:
    case PREAGG_REBUILD_ALL:
        replay_cue(r, at, CUE_COMMAND, "rebuild %s", KEY);
        replay_step_at(r, at, REBUILD_US);
        return true;
    case PREAGG_RESTART:
    case PREAGG_RESTART_UNCLAIMED:
        plan_restart(p, at);
        return true;
    case PREAGG_STEPS:
        break;
    }
    CHECK(false && "no such step");
    return false;
}

/* The step in which what a step has sent, or sent again, arrives. */
static int64_t arrival_us(const struct preagg_plan *p, const struct cue *sent)
{
    const struct replay *r = p->r;
    for (uint32_t step = sent->step + 1; step <= r->result->depth; step++) {
        if (p->arrives[step] == sent->op) {
            return r->at_us[step];
        }
    }
    return r->end_us[r->result->depth];
}

static bool plan(struct replay *r, struct err *err)
{
    struct preagg_plan p = {.r = r};
    memset(p.arrives, NO_OP, sizeof p.arrives);
    r->key = KEY;
    r->config.routers = 1;
    r->config.liked_us = 300;
    r->step = 0;
    replay_cue(r, REPLAY_START_US + 100, CUE_COMMAND, "writes %s summed %d", KEY,
               (int)(WINDOW_US / US_PER_MS));
    for (r->step = 1; r->step <= r->result->depth; r->step++) {
        if (!plan_step(&p, err)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < r->cues; i++) {
        struct cue *cue = &r->cue[i];
        if (cue->kind == CUE_SENT || cue->kind == CUE_DOUBLED || cue->kind == CUE_ANSWERED) {
            cue->until_us = arrival_us(&p, cue);
        }
    }
    return true;
}

/* --- reading the world -------------------------------------------------------------------------
 */

static struct count_info count_of(const struct replay *r)
{
    struct count_info info = {.mode = WRITES_PLAIN};
    uint32_t key = replay_key(r, KEY);
    CHECK(key != KEY_NONE_ID && writes_count(r->world, key, &info));
    return info;
}

static struct count_router router_of(const struct replay *r)
{
    return writes_router(r->world, replay_key(r, KEY), ROUTER);
}

static uint64_t shown(const struct replay *r)
{
    return count_of(r).shown;
}

static const char *router_differs(const struct replay *r, const struct preagg *now)
{
    struct count_router router = router_of(r);
    if ((uint8_t)router.phase != now->sender.phase) {
        return "whether the router has its sub-key";
    }
    if (router.buffered != now->sender.buffer) {
        return "what the router has in its buffer";
    }
    bool ready = now->sender.phase == FLUSH_READY;
    if (ready && (router.total != now->sender.total || router.sequence != now->sender.sequence)) {
        return "what the router has flushed";
    }
    return router.held != now->cell.total ? "what the sub-key holds" : NULL;
}

static const char *differs(const struct replay *r, const void *state, uint32_t step)
{
    const struct preagg *now = state;
    struct count_info info = count_of(r);
    (void)step; /* all is known at every step */
    if (info.durable != preagg_size_of(now->rows)) {
        return "how many rows are in liked";
    }
    if (info.forgotten != preagg_size_of(now->missing)) {
        return "how many likes are stored nowhere";
    }
    if (info.fix != now->fix) {
        return "the correction";
    }
    for (uint8_t i = 0; i < LIKES_MAX; i++) {
        struct request_info like;
        if (replay_done(r, i, &like) != (i < now->likes)) {
            return "which likes a client was told OK for";
        }
    }
    return router_differs(r, now);
}

/* --- what is broken ----------------------------------------------------------------------------
 */

/* Likes that are in `liked` and neither counted nor with the router nor given up by a crash. */
static uint64_t missing(const struct count_info *c)
{
    uint64_t known = c->shown + c->buffered + c->on_way + c->lost + c->unheard;
    return c->durable > known ? c->durable - known : 0;
}

/* When the router last died; its present life began later. */
static int64_t died_us(const struct replay *r)
{
    for (uint64_t i = trace_next(r->world); i > trace_first(r->world); i--) {
        const struct trace_record *t = trace_get(r->world, i - 1);
        if (t->kind == TRACE_FAULT && t->reason == REASON_FAULTS_DIED) {
            return t->time_us;
        }
    }
    return 0;
}

/* Answers of this kind to flushes of the router's present life, which have come to it. */
static unsigned flushes(const struct replay *r, enum outcome outcome)
{
    unsigned count = 0;
    int64_t since = died_us(r);
    for (uint64_t i = trace_first(r->world); i < trace_next(r->world); i++) {
        const struct trace_record *t = trace_get(r->world, i);
        if (t->kind == TRACE_ANSWER && t->op == OP_FLUSH && t->outcome == outcome &&
            t->arrive_us <= world_now(r->world)) {
            const struct trace_record *sent =
                replay_record(r, t->request, TRACE_ROUTE, REASON_NONE);
            count += sent && sent->time_us > since;
        }
    }
    return count;
}

static bool fails(const struct replay *r, char *text, size_t room)
{
    struct count_info c = count_of(r);
    uint64_t likes = c.durable + c.unstored + c.forgotten;
    if (c.forgotten > 0) {
        (void)snprintf(text, room, "of %llu like%s that clients were told OK for, %llu %s nowhere",
                       (unsigned long long)c.told, c.told == 1 ? "" : "s",
                       (unsigned long long)c.forgotten, c.forgotten == 1 ? "is" : "are");
        return true;
    }
    if (c.shown > likes) {
        (void)snprintf(text, room, "the count shows %llu, and only %llu like%s came",
                       (unsigned long long)c.shown, (unsigned long long)likes,
                       likes == 1 ? "" : "s");
        return true;
    }
    if (c.shown < r->most) {
        (void)snprintf(text, room, "the count showed %llu, and shows %llu now",
                       (unsigned long long)r->most, (unsigned long long)c.shown);
        return true;
    }
    if (flushes(r, OUTCOME_NOT_NEWER) > 0 && flushes(r, OUTCOME_OK) == 0) {
        (void)snprintf(text, room,
                       "the sub-key turned the router's likes away as not newer, and holds none of "
                       "them");
        return true;
    }
    if (missing(&c) > 0) {
        (void)snprintf(text, room,
                       "the count shows %llu of %llu likes, and no flush is left that would bring "
                       "the rest",
                       (unsigned long long)c.shown, (unsigned long long)likes);
        return true;
    }
    return false;
}

/* Likes that no rebuild would bring back. */
static uint64_t lost(const struct replay *r)
{
    return count_of(r).forgotten;
}

static const char about[] =
    "The router is R0, its sub-key likes:{p9}:r0. It flushes by the clock, each 200 ms, and so a\n"
    "step may wait for that. A reply that is lost, and a parcel that is sent again, are a message\n"
    "of which the network makes two: the second is held up, and so is the first one's reply.\n";

const struct replay_way replay_way_preagg = {.model = &model_preagg,
                                             .about = about,
                                             .plan = plan,
                                             .differs = differs,
                                             .fails = fails,
                                             .lost = lost,
                                             .grows = shown};
