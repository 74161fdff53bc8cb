/*
 * fence_steps: what can happen next while a slot moves; see fence_and_flip.h.
 *
 * What no later step reads is cleared after every step: entries that the target has applied, the
 * move's positions once it is over, where a copy was taken once it is known that it was taken
 * right. So states that differ in nothing but their past are one.
 */
#include "check/fence_and_flip.h"
#include <string.h>

/* What the steps of one state have in common. */
struct flip {
    const struct flip_world *world;
    const struct fence_and_flip *now;
    struct check_out *out;
    uint64_t rules; /* as proto/rule.h counts them */
};

/* A step in 5 bits, its request in 3, its router, its shard, and a position in 3. */
static uint16_t number_of(struct flip_action a)
{
    return (uint16_t)((unsigned)a.step << 8 | (unsigned)a.op << 5 | (unsigned)a.router << 4 |
                      (unsigned)a.shard << 3 | a.position);
}

struct flip_action flip_action_of(uint16_t action)
{
    CHECK(action >> 8 < FLIP_STEPS);
    return (struct flip_action){
        .step = (enum flip_step)(action >> 8),
        .op = action >> 5 & 7,
        .router = action >> 4 & 1,
        .shard = action >> 3 & 1,
        .position = action & 7,
    };
}

static struct fence_and_flip *put(const struct flip *f, struct flip_action action)
{
    struct fence_and_flip *to = check_put(f->out, number_of(action));
    *to = *f->now;
    return to;
}

/* Forgets what no later step reads. */
static void tidy(struct fence_and_flip *to)
{
    struct move_core *m = &to->move;
    if (m->phase == MOVE_COMMITTED || m->phase == MOVE_ABORTED) {
        m->end = m->copied = m->stamp = m->applied = m->fence = 0;
        memset(to->log, 0, sizeof to->log);
        to->before = 0;
        return;
    }
    if (m->phase == MOVE_BEGUN) {
        return;
    }
    to->before = 0;
    m->stamp = m->phase == MOVE_TAILING && !move_alike(m) ? 1 : 0;
    m->copied = 0;
    for (uint32_t i = 0; i < m->applied && i < FLIP_LOG; i++) {
        to->log[i] = 0;
    }
}

/* --- requests ----------------------------------------------------------------------------------
 */

static void append(struct fence_and_flip *to, uint8_t entry)
{
    if (to->move.end < FLIP_LOG) {
        to->log[to->move.end] = entry;
    }
}

/* A shard takes a write; one that it has already is left as it is. */
static void take_write(struct fence_and_flip *to, unsigned op, unsigned shard)
{
    uint8_t bit = (uint8_t)(1u << op);
    if (to->has[shard] & bit) {
        return;
    }
    to->has[shard] |= bit;
    if (shard == to->source) {
        append(to, (uint8_t)(op + 1));
        move_append(&to->move);
    }
}

static void answered(struct fence_and_flip *to, unsigned op, uint8_t lacked)
{
    to->op[op] = (struct flip_op){.stage = FLIP_DONE, .need = lacked};
}

static void send_to(struct fence_and_flip *to, unsigned op, uint8_t version)
{
    to->op[op].stage = FLIP_SENT;
    to->op[op].shard = flip_owner(version) & 3u;
}

static void next_of_idle(const struct flip *f, unsigned op)
{
    bool read = op >= f->world->writes;
    bool first = op == 0 || op == f->world->writes;
    if (!first && f->now->op[op - 1].stage == FLIP_IDLE) {
        return;
    }
    for (uint8_t r = 0; r < FLIP_ROUTERS; r++) {
        struct fence_and_flip *to =
            put(f, (struct flip_action){.step = FLIP_ISSUE, .op = (uint8_t)op, .router = r});
        to->op[op] = (struct flip_op){.router = r & 3u,
                                      .need = read ? flip_acknowledged(f->world, f->now) : 0};
        send_to(to, op, f->now->router[r]);
    }
}

static void serve(const struct flip *f, struct flip_action a)
{
    if (a.op >= f->world->writes) {
        struct fence_and_flip *to = put(f, a);
        answered(to, a.op, to->op[a.op].need & (uint8_t)~to->has[a.shard]);
        return;
    }
    if (!rule_on(f->rules, RULE_CHECK_AND_APPEND)) {
        a.step = FLIP_PASS;
        put(f, a)->op[a.op].stage = FLIP_PASSED;
        return;
    }
    struct fence_and_flip *to = put(f, a);
    take_write(to, a.op, a.shard);
    answered(to, a.op, 0);
    tidy(to);
    if (f->now->lost > 0) {
        a.step = FLIP_LOSE;
        to = put(f, a);
        take_write(to, a.op, a.shard);
        to->op[a.op].stage = FLIP_LOST;
        to->op[a.op].shard = 0;
        to->lost = (to->lost - 1u) & 15u;
        tidy(to);
    }
}

static void next_of_sent(const struct flip *f, unsigned op)
{
    const struct flip_op *o = &f->now->op[op];
    struct flip_action a = {.op = (uint8_t)op, .router = o->router, .shard = o->shard};
    enum outcome outcome =
        flip_answer(f->world, f->rules, f->now, o->shard, op >= f->world->writes);
    if (outcome == OUTCOME_OK || outcome == OUTCOME_OK_RELOAD) {
        a.step = FLIP_SERVE;
        serve(f, a);
    } else if (outcome == OUTCOME_RETRY) {
        a.step = FLIP_RETRY;
        put(f, a);
    } else {
        CHECK(outcome == OUTCOME_MOVED);
        a.step = FLIP_MOVED;
        struct fence_and_flip *to = put(f, a);
        to->router[o->router] = to->version;
        send_to(to, op, to->version);
    }
}

static void next_of_op(const struct flip *f, unsigned op)
{
    const struct flip_op *o = &f->now->op[op];
    if (o->stage == FLIP_IDLE) {
        next_of_idle(f, op);
    } else if (o->stage == FLIP_SENT) {
        next_of_sent(f, op);
    } else if (o->stage == FLIP_LOST) {
        struct fence_and_flip *to = put(
            f, (struct flip_action){.step = FLIP_RESEND, .op = (uint8_t)op, .router = o->router});
        send_to(to, op, f->now->router[o->router]);
    } else if (o->stage == FLIP_PASSED) {
        struct fence_and_flip *to =
            put(f, (struct flip_action){.step = FLIP_LAND, .op = (uint8_t)op, .shard = o->shard});
        take_write(to, op, o->shard);
        answered(to, op, 0);
        tidy(to);
    }
}

/* --- the move ----------------------------------------------------------------------------------
 */

static void next_of_copy(const struct flip *f, uint8_t target)
{
    for (uint32_t at = 0; move_may_copy(&f->now->move) && at <= f->now->move.end; at++) {
        struct fence_and_flip *to = put(
            f,
            (struct flip_action){.step = FLIP_SNAPSHOT, .shard = target, .position = (uint8_t)at});
        to->has[target] = to->before;
        for (uint32_t i = 0; i < at; i++) {
            to->has[target] |= (uint8_t)(1u << (to->log[i] - 1));
        }
        move_copy(&to->move, f->rules, at);
        tidy(to);
    }
    if (move_may_apply(&f->now->move)) {
        struct fence_and_flip *to =
            put(f, (struct flip_action){.step = FLIP_APPLY, .shard = target});
        uint8_t entry = to->log[to->move.applied];
        if (entry != FLIP_FENCE_ENTRY) {
            to->has[target] |= (uint8_t)(1u << (entry - 1));
        }
        move_apply(&to->move);
        tidy(to);
    }
}

static void next_of_flip(const struct flip *f, uint8_t target)
{
    const struct move_core *m = &f->now->move;
    struct fence_and_flip *to;
    if (move_may_fence(m, f->rules)) {
        to = put(f, (struct flip_action){.step = FLIP_FENCE, .shard = f->now->source});
        append(to, FLIP_FENCE_ENTRY);
        move_fence(&to->move);
        tidy(to);
    }
    if (move_may_commit(m, f->rules)) {
        to = put(f, (struct flip_action){.step = FLIP_COMMIT, .shard = target});
        to->version++;
        move_commit(&to->move);
        tidy(to);
    }
}

/* The next move begins as soon as the one before is over. */
static void begin_next(struct fence_and_flip *to)
{
    if (to->moves == 0) {
        return;
    }
    to->moves--;
    to->move = move_begin();
    to->before = to->has[to->source];
    to->has[1 - to->source] = 0;
    memset(to->log, 0, sizeof to->log);
}

static void next_of_tables(const struct flip *f, uint8_t target)
{
    const struct move_core *m = &f->now->move;
    bool own = move_may_own(m);
    bool close = move_may_close(m);
    struct fence_and_flip *to;
    if (own) {
        to = put(f, (struct flip_action){.step = FLIP_OWN, .shard = target});
        move_own(&to->move);
    }
    if (close) {
        to = put(f, (struct flip_action){.step = FLIP_CLOSE, .shard = f->now->source});
        move_close(&to->move);
    }
    if (own != close && f->now->moves > 0) {
        to->source = target;
        begin_next(to);
    }
}

static void next_of_faults(const struct flip *f, uint8_t target)
{
    const struct move_core *m = &f->now->move;
    struct fence_and_flip *to;
    /* Before the copy there is nothing to be dropped. */
    if (m->phase != MOVE_BEGUN && move_may_abort(m, f->rules)) {
        to = put(f, (struct flip_action){.step = FLIP_ABORT, .shard = f->now->source});
        move_abort(&to->move);
        to->has[target] = 0;
        tidy(to);
        begin_next(to);
    }
    if (f->now->restarts > 0 && m->source == SLOT_MIGRATING) {
        to = put(f, (struct flip_action){.step = FLIP_RESTART, .shard = f->now->source});
        move_source_restarts(&to->move, f->rules);
        /* A restart that changes nothing is not counted: it leads to no new state. */
        if (to->move.source != m->source) {
            to->restarts = (to->restarts - 1u) & 15u;
        }
    }
}

static void next_of_routers(const struct flip *f)
{
    enum move_phase phase = (enum move_phase)f->now->move.phase;
    bool early = f->world->early && (phase == MOVE_TAILING || phase == MOVE_FENCED);
    for (uint8_t r = 0; r < FLIP_ROUTERS; r++) {
        if (f->now->router[r] != f->now->version) {
            put(f, (struct flip_action){.step = FLIP_RELOAD, .router = r})->router[r] =
                f->now->version;
        }
        uint8_t planned = (uint8_t)(f->now->version + 1);
        if (early && f->now->router[r] != planned) {
            put(f, (struct flip_action){.step = FLIP_EARLY, .router = r})->router[r] = planned;
        }
    }
}

void flip_next(const struct check_scope *scope, const void *state, struct check_out *out)
{
    struct flip f = {
        .world = flip_world_of(scope), .now = state, .out = out, .rules = flip_rules(scope)};
    uint8_t target = (uint8_t)(1 - f.now->source);
    for (unsigned i = 0; i < flip_ops(f.world); i++) {
        next_of_op(&f, i);
    }
    next_of_routers(&f);
    next_of_copy(&f, target);
    next_of_flip(&f, target);
    next_of_tables(&f, target);
    next_of_faults(&f, target);
}
