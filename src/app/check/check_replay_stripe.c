/*
 * check_replay_stripe: a striped balance in a world: the main account is balance:{nova}, the
 * model's stripe 1 is balance:{nova#0} and so on, over four shards.
 *
 * What is cut otherwise in the engine than in the model:
 *   - routers choose stripes in turn, so a credit or debit asks the router whose turn is that one;
 *   - a debit that a router has added up all cells for is held up on its way to the stripe;
 *   - the sweeper goes over all stripes: it looks at a later one when those before it are empty;
 *   - its timer ticks when the operator says `sweep`; a sweeper that forgets begins anew at once,
 *     so its new look at the first stripe is held up.
 *
 * Requests: the credits and debits in their order, then what the sweeper sends.
 */
#include "app/check/check_replay_inside.h"
#include "check/models.h"
#include "check/striped_balance.h"
#include "engine/accounts/accounts.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define KEY "balance:{nova}"
#define ROUTERS 4
#define CLIENTS 6      /* credits and debits */
#define SETTLE_US 3000 /* a router reads all cells, one after the other */
#define NO_OP UINT8_MAX

_Static_assert(ROUTERS >= STRIPED_STRIPES_MAX, "each stripe is somebody's turn");

struct sent {
    struct striped_flight flight;
    uint8_t op;
};

struct stripe_plan {
    struct replay *r;
    const struct striped_world *world;
    uint8_t clients, sweeps; /* requests planned */
    uint8_t turn[ROUTERS];   /* of stripes */
    uint8_t summed[CLIENTS]; /* debits whose sum was read, oldest first */
    uint8_t sums;
    struct sent sent[STRIPED_FLIGHTS]; /* under way, see striped.flight */
    uint32_t lands[REPLAY_OPS_MAX];    /* the step in which each arrives; 0: never */
};

static enum striped_step kind_at(const struct replay *r, uint32_t step)
{
    return striped_step_of(r->result->action[step - 1]);
}

/* --- planning ----------------------------------------------------------------------------------
 */

/* The router whose next credit or debit goes to this stripe (from 0). */
static unsigned router_of(struct stripe_plan *p, unsigned stripe)
{
    for (unsigned router = 0; router < ROUTERS; router++) {
        if ((router + p->turn[router]) % p->world->stripes == stripe) {
            p->turn[router]++;
            return router;
        }
    }
    CHECK(false && "each stripe is somebody's turn");
    return 0;
}

static uint8_t plan_client(struct stripe_plan *p, int64_t at, const char *what, unsigned router)
{
    uint8_t op = p->clients++;
    CHECK(op < CLIENTS);
    replay_cue(p->r, at, CUE_ASK, "request %s %s via R%u", what, KEY, router)->op = op;
    return op;
}

/* The stripe of the n-th debit that lands at one after this step; 0 if none does. */
static unsigned debited_stripe(const struct replay *r, uint32_t from, unsigned n)
{
    for (uint32_t step = from + 1; step <= r->result->depth; step++) {
        if (kind_at(r, step) == STRIPED_DEBIT_STRIPE && n-- == 0) {
            return striped_cell_of(r->result->action[step - 1]) - 1;
        }
    }
    return 0;
}

static void plan_sum(struct stripe_plan *p, bool enough, int64_t at)
{
    struct replay *r = p->r;
    unsigned router = 0;
    if (enough) {
        router = router_of(p, debited_stripe(r, r->step, p->sums));
    }
    uint8_t op = plan_client(p, at, "debit", router);
    if (enough) {
        p->summed[p->sums++] = op;
        replay_cue(r, at + 1, CUE_SENT, "%s", "")->op = op;
    }
}

static void plan_debit_stripe(struct stripe_plan *p)
{
    CHECK(p->sums > 0);
    p->lands[p->summed[0]] = p->r->step;
    p->sums--;
    memmove(p->summed, p->summed + 1, p->sums);
}

/* The sweeper's step goes out in this one. */
static uint8_t plan_sent(struct stripe_plan *p, int64_t at, enum op_kind want)
{
    uint8_t op = (uint8_t)(CLIENTS + p->sweeps++);
    CHECK(op < REPLAY_OPS_MAX);
    struct cue *cue = replay_cue(p->r, at, CUE_SENT, "%s", "");
    cue->op = op;
    cue->want = (uint8_t)want;
    p->r->op[op].own = true;
    return op;
}

static uint8_t remove_sent(struct stripe_plan *p, const struct striped_flight *flight)
{
    for (unsigned i = 0; i < STRIPED_FLIGHTS; i++) {
        if (memcmp(&p->sent[i].flight, flight, sizeof *flight) == 0) {
            p->sent[i].flight = (struct striped_flight){.kind = STRIPED_NOTHING};
            return p->sent[i].op;
        }
    }
    CHECK(false && "a message that nobody sent");
    return NO_OP;
}

static void add_sent(struct stripe_plan *p, struct striped_flight flight, uint8_t op)
{
    unsigned i = 0;
    while (p->sent[i].flight.kind != STRIPED_NOTHING) {
        i++;
        CHECK(i < STRIPED_FLIGHTS);
    }
    p->sent[i] = (struct sent){.flight = flight, .op = op};
}

/* What the sweeper waits for an answer to; NULL: nothing. */
static const struct striped_flight *awaited(const struct striped *now)
{
    for (unsigned i = 0; i < STRIPED_FLIGHTS; i++) {
        const struct striped_flight *f = &now->flight[i];
        if (f->kind != STRIPED_NOTHING && f->standing == STRIPED_AWAITED) {
            return f;
        }
    }
    return NULL;
}

/* After a step in which it heard an answer, or looked, or sent again. */
static void plan_next_of_sweeper(struct stripe_plan *p, const struct striped *next, int64_t at)
{
    const struct striped_flight *f = awaited(next);
    if (f) {
        add_sent(p, *f, plan_sent(p, at + 1, OP_SWEEP));
    }
}

static void plan_landing(struct stripe_plan *p, const struct striped *now,
                         const struct striped *next, int64_t at)
{
    const struct striped_flight *f =
        &now->flight[striped_flight_of(p->r->result->action[p->r->step - 1])];
    uint8_t op = remove_sent(p, f);
    p->lands[op] = p->r->step;
    if (f->standing == STRIPED_AWAITED) {
        plan_next_of_sweeper(p, next, at);
    }
}

/* No answer comes in time: what was sent is not waited for any more. */
static void plan_tick(struct stripe_plan *p, const struct striped *now, const struct striped *next,
                      int64_t at)
{
    struct striped_flight old = *awaited(now);
    uint8_t op = remove_sent(p, &old);
    bool forgets = kind_at(p->r, p->r->step) == STRIPED_FORGET;
    old.standing = forgets ? STRIPED_FORGOTTEN : STRIPED_OLD;
    add_sent(p, old, op);
    replay_cue(p->r, at, CUE_COMMAND, "sweep %s", KEY);
    if (forgets) {
        (void)plan_sent(p, at, OP_READ); /* the new look goes out with the command */
    } else {
        plan_next_of_sweeper(p, next, at);
    }
}

static void plan_look(struct stripe_plan *p, const struct striped *next, int64_t at)
{
    replay_cue(p->r, at, CUE_COMMAND, "sweep %s", KEY);
    plan_next_of_sweeper(p, next, at);
}

static bool plan_step(struct stripe_plan *p, struct err *err)
{
    _Alignas(16) unsigned char before[CHECK_STATE_MAX];
    _Alignas(16) unsigned char after[CHECK_STATE_MAX];
    const struct striped *now = (const void *)before;
    const struct striped *next = (const void *)after;
    struct replay *r = p->r;
    int64_t at = replay_next_us(r);
    enum striped_step step = kind_at(r, r->step);
    replay_state(r, r->step - 1, before);
    replay_state(r, r->step, after);
    replay_step_at(r, at, SETTLE_US);
    switch (step) {
    case STRIPED_CREDIT:
        plan_client(p, at, "credit",
                    router_of(p, striped_cell_of(r->result->action[r->step - 1]) - 1));
        return true;
    case STRIPED_DEBIT:
    case STRIPED_DECLINE:
        plan_client(p, at, "debit", 0);
        return true;
    case STRIPED_ADD_UP:
    case STRIPED_ADD_UP_SHORT:
        plan_sum(p, step == STRIPED_ADD_UP, at);
        return true;
    case STRIPED_DEBIT_STRIPE:
        plan_debit_stripe(p);
        return true;
    case STRIPED_LOOK:
        plan_look(p, next, at);
        return true;
    case STRIPED_TAKE:
    case STRIPED_TAKE_SEEN:
    case STRIPED_PUT:
    case STRIPED_PUT_SEEN:
        plan_landing(p, now, next, at);
        return true;
    case STRIPED_AGAIN:
    case STRIPED_FORGET:
        plan_tick(p, now, next, at);
        return true;
    case STRIPED_COPY:
    case STRIPED_STEPS:
        break;
    }
    return err_set(err, "step %u cannot be played: a world has no way to arrange for it",
                   (unsigned)r->step);
}

static bool plan(struct replay *r, struct err *err)
{
    struct stripe_plan p = {.r = r, .world = striped_world_of(&r->scope)};
    r->key = KEY;
    r->step = 0;
    r->config.shards = r->config.shards_max = 4;
    r->config.routers = ROUTERS;
    replay_cue(r, REPLAY_START_US + 1000, CUE_COMMAND, "account %s 0 %d", KEY, STRIPED_FLOOR);
    replay_cue(r, REPLAY_START_US + 2000, CUE_COMMAND, "request credit %s %d via R0", KEY,
               STRIPED_FIRST);
    replay_cue(r, REPLAY_START_US + 5000, CUE_COMMAND, "account %s %u %d", KEY,
               (unsigned)p.world->stripes, STRIPED_FLOOR);
    for (r->step = 1; r->step <= r->result->depth; r->step++) {
        if (!plan_step(&p, err)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < r->cues; i++) {
        struct cue *cue = &r->cue[i];
        if (cue->kind == CUE_SENT) {
            uint32_t step = p.lands[cue->op];
            cue->until_us = step != 0 ? r->at_us[step] : r->end_us[r->result->depth];
        }
    }
    return true;
}

/* --- reading the world -------------------------------------------------------------------------
 */

static struct account_info account_of(const struct replay *r)
{
    struct account_info info = {.main = 0};
    uint32_t key = replay_key(r, KEY);
    CHECK(key != KEY_NONE_ID && accounts_find(r->world, key, &info));
    return info;
}

static int64_t balance_of(const struct replay *r, unsigned cell)
{
    char name[32] = KEY;
    if (cell != STRIPED_MAIN) {
        (void)snprintf(name, sizeof name, "balance:{nova#%u}", cell - 1);
    }
    uint32_t key = replay_key(r, name);
    CHECK(key != KEY_NONE_ID);
    uint16_t shard = world_owner(r->world, world_key_slot(r->world, key));
    return (int64_t)world_value(r->world, shard, key);
}

/* Debits that are under way to a stripe. */
static unsigned summed(const struct replay *r)
{
    unsigned count = 0;
    for (uint8_t op = 0; op < CLIENTS; op++) {
        struct request_info info;
        bool known = r->op[op].number != 0 && world_request(r->world, r->op[op].number, &info);
        count += known && !info.done && info.op == OP_DEBIT && info.key != replay_key(r, KEY);
    }
    return count;
}

/* What is told to clients: credits, and debits that were taken. */
static int64_t told(const struct replay *r, enum op_kind op_kind)
{
    int64_t count = 0;
    for (uint8_t op = 0; op < CLIENTS; op++) {
        struct request_info info;
        count += replay_done(r, op, &info) && info.op == op_kind && info.outcome == OUTCOME_OK;
    }
    return count;
}

/* Forgotten while it was on its way to the main account: the world does not know of it either. */
static bool forgotten_put(const struct striped *now)
{
    for (unsigned i = 0; i < STRIPED_FLIGHTS; i++) {
        const struct striped_flight *f = &now->flight[i];
        if (f->kind == STRIPED_A_PUT && f->standing == STRIPED_FORGOTTEN) {
            return true;
        }
    }
    return false;
}

static const char *differs(const struct replay *r, const void *state, uint32_t step)
{
    const struct striped *now = state;
    (void)step; /* all is known at every step */
    for (unsigned cell = 0; cell <= striped_world_of(&r->scope)->stripes; cell++) {
        if (balance_of(r, cell) != now->cell[cell].balance) {
            return cell == STRIPED_MAIN ? "what the main account holds" : "what a stripe holds";
        }
    }
    if (told(r, OP_CREDIT) != now->credits) {
        return "which credits a client was told OK for";
    }
    if (summed(r) != now->summed) {
        return "how many debits are under way to a stripe";
    }
    if (told(r, OP_DEBIT) != now->debited) {
        return "which debits a client was told OK for";
    }
    return !forgotten_put(now) && account_of(r).in_transit != striped_in_transit(now)
               ? "what is in transit"
               : NULL;
}

/* --- what is broken ----------------------------------------------------------------------------
 */

static int64_t due(const struct replay *r)
{
    return STRIPED_FIRST + told(r, OP_CREDIT) - told(r, OP_DEBIT);
}

static int64_t all_cells(const struct replay *r)
{
    struct account_info info = account_of(r);
    return info.main + info.striped + info.in_transit;
}

static bool fails(const struct replay *r, char *text, size_t room)
{
    int64_t sum = all_cells(r);
    if (sum != due(r)) {
        (void)snprintf(text, room,
                       "all cells and what is in transit hold %" PRId64 ", and %" PRId64
                       " should be there",
                       sum, due(r));
    } else if (sum < STRIPED_FLOOR) {
        (void)snprintf(text, room,
                       "all cells together hold %" PRId64 ", and clients were told OK: the floor "
                       "is %d",
                       sum, STRIPED_FLOOR);
    }
    return sum != due(r) || sum < STRIPED_FLOOR;
}

/* What clients were told is there, and is not. */
static uint64_t lost(const struct replay *r)
{
    int64_t sum = all_cells(r);
    return sum < due(r) ? (uint64_t)(due(r) - sum) : 0;
}

const struct replay_way replay_way_stripe = {.model = &model_striped_balance,
                                             .plan = plan,
                                             .differs = differs,
                                             .fails = fails,
                                             .lost = lost};
