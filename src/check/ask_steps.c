/*
 * ask_steps: what can happen next while a slot moves key by key; see ask.h.
 *
 * What no later step reads is cleared after every step, so states that differ in nothing but their
 * past are one.
 */
#include "check/ask.h"

/* The first key that the source holds: the next to go. */
static unsigned next_key(const struct keywise_world *world, const struct keywise *now)
{
    unsigned here = keywise_keys(world, now, now->has[KEYWISE_A]);
    unsigned key = 0;
    while (key < world->keys && (here >> key & 1) == 0) {
        key++;
    }
    return key;
}

static unsigned count_keys(const struct keywise_world *world, const struct keywise *now,
                           unsigned shard)
{
    unsigned keys = keywise_keys(world, now, now->has[shard]);
    unsigned count = 0;
    for (unsigned k = 0; k < world->keys; k++) {
        count += keys >> k & 1;
    }
    return count;
}

/* --- steps ------------------------------------------------------------------------------------ */

static uint8_t newest_map(const struct keywise *now)
{
    return now->ask.phase == ASK_CLOSED ? KEYWISE_SAYS_B : KEYWISE_SAYS_A;
}

static void issue(const struct keywise_world *world, struct keywise *to, struct keywise_action a)
{
    uint8_t must = 0;
    if (a.op >= world->writes) {
        must = keywise_acknowledged(world, to) & keywise_bits(world, to, a.key);
    }
    to->op[a.op] = (struct keywise_op){
        .stage = KEYWISE_SENT,
        .key = a.key & 3u,
        .router = a.router & 1u,
        .at = keywise_owner(to->router[a.router]) & 1u,
        .need = must,
    };
}

/* 0, or what is wrong with the answer to a read. */
static enum keywise_promise fault_of_read(const struct keywise_world *world,
                                          const struct keywise *now, unsigned op)
{
    const struct keywise_op *o = &now->op[op];
    unsigned must = keywise_keys(world, now, o->need);
    unsigned here = keywise_keys(world, now, now->has[o->at]) & must;
    if (here != must) {
        return here == 0 ? KEYWISE_MISSING : KEYWISE_PARTIAL;
    }
    return (o->need & ~now->has[o->at]) != 0 ? KEYWISE_STALE : (enum keywise_promise)0;
}

static void serve(const struct keywise_world *world, struct keywise *to, unsigned op)
{
    struct keywise_op *o = &to->op[op];
    if (op >= world->writes) {
        uint8_t fault = (uint8_t)fault_of_read(world, to, op);
        *o = (struct keywise_op){.stage = KEYWISE_DONE, .need = fault};
        return;
    }
    unsigned key = o->key;
    to->has[o->at] |= keywise_bit(op);
    *o = (struct keywise_op){.stage = KEYWISE_DONE, .key = key & 3u};
}

static void ask(struct keywise *to, unsigned op, bool as_moved)
{
    struct keywise_op *o = &to->op[op];
    o->stage = o->asked ? KEYWISE_CIRCLES : KEYWISE_SENT;
    o->at = KEYWISE_B;
    o->asked = 1;
    o->asking = as_moved ? 0 : 1;
    if (as_moved) {
        to->router[o->router] = KEYWISE_MISLED;
    }
}

static void moved(struct keywise *to, unsigned op)
{
    struct keywise_op *o = &to->op[op];
    to->router[o->router] = newest_map(to);
    o->at = keywise_owner(to->router[o->router]) & 1u;
    o->asking = 0;
}

static void hand(const struct keywise_world *world, struct keywise *to, struct keywise_action a)
{
    uint8_t bits = keywise_bits(world, to, a.key);
    if (a.step != KEYWISE_DROP) {
        to->has[KEYWISE_B] |= to->has[KEYWISE_A] & bits;
    }
    if (a.step != KEYWISE_COPY) {
        to->has[KEYWISE_A] &= (uint8_t)~bits;
    }
}

static void close_slot(struct keywise *to)
{
    ask_close(&to->ask);
    for (unsigned r = 0; r < KEYWISE_ROUTERS; r++) {
        bool says_b = keywise_owner(to->router[r]) == KEYWISE_B;
        to->router[r] = says_b ? KEYWISE_SAYS_B : KEYWISE_SAYS_A; /* whatever it came from */
    }
}

/* A step of the move itself. */
static void step_of_move(const struct keywise_world *world, struct keywise *to,
                         struct keywise_action a)
{
    switch (a.step) {
    case KEYWISE_HAND:
    case KEYWISE_COPY:
    case KEYWISE_DROP:
        hand(world, to, a);
        return;
    case KEYWISE_CLAIM_EMPTY:
    case KEYWISE_CLAIM_FULL:
        ask_claim(&to->ask);
        return;
    case KEYWISE_CLOSE:
        close_slot(to);
        return;
    case KEYWISE_UNDO:
        ask_undo(&to->ask);
        return;
    case KEYWISE_RESTART:
        to->down = 0;
        return;
    case KEYWISE_CRASH:
        to->down = 1;
        to->crashes--;
        return;
    case KEYWISE_ISSUE:
    case KEYWISE_SERVE:
    case KEYWISE_ASK:
    case KEYWISE_ASK_AS_MOVED:
    case KEYWISE_MOVED:
    case KEYWISE_TRY_AGAIN:
    case KEYWISE_RELOAD:
    case KEYWISE_EARLY:
    case KEYWISE_STEPS:
        break;
    }
    CHECK(false && "no step of the move");
}

/* Forgets what no later step reads: when all requests are issued nobody looks at a map, nor whose
 * a request is. */
static void tidy(const struct keywise_world *world, struct keywise *to)
{
    bool issued = keywise_all_issued(world, to);
    for (unsigned r = 0; r < KEYWISE_ROUTERS && issued; r++) {
        to->router[r] = to->router[r] == KEYWISE_MISLED ? KEYWISE_MISLED : newest_map(to);
    }
    for (unsigned i = 0; i < keywise_ops(world) && issued; i++) {
        to->op[i].router = 0;
    }
    if (issued || to->ask.phase != ASK_OPEN) {
        to->early = 0;
    }
    if (to->ask.phase != ASK_OPEN && to->ask.phase != ASK_CLAIMED) {
        to->crashes = 0;
    }
}

struct keywise keywise_after(const struct check_scope *scope, const struct keywise *now,
                             struct keywise_action a)
{
    const struct keywise_world *world = keywise_world_of(scope);
    struct keywise to = *now;
    switch (a.step) {
    case KEYWISE_ISSUE:
        issue(world, &to, a);
        break;
    case KEYWISE_SERVE:
        serve(world, &to, a.op);
        break;
    case KEYWISE_ASK:
    case KEYWISE_ASK_AS_MOVED:
        ask(&to, a.op, a.step == KEYWISE_ASK_AS_MOVED);
        break;
    case KEYWISE_MOVED:
        moved(&to, a.op);
        break;
    case KEYWISE_TRY_AGAIN:
        break;
    case KEYWISE_RELOAD:
        to.router[a.router] = newest_map(&to);
        break;
    case KEYWISE_EARLY:
        to.router[a.router] = KEYWISE_TOO_EARLY;
        to.early--;
        break;
    case KEYWISE_HAND:
    case KEYWISE_COPY:
    case KEYWISE_DROP:
    case KEYWISE_CLAIM_EMPTY:
    case KEYWISE_CLAIM_FULL:
    case KEYWISE_CLOSE:
    case KEYWISE_UNDO:
    case KEYWISE_RESTART:
    case KEYWISE_CRASH:
    case KEYWISE_STEPS:
        step_of_move(world, &to, a);
        break;
    }
    tidy(world, &to);
    return to;
}

/* --- what can happen -------------------------------------------------------------------------- */

/* What the steps of one state have in common. */
struct steps {
    const struct check_scope *scope;
    const struct keywise_world *world;
    const struct keywise *now;
    struct check_out *out;
    uint64_t rules;
};

static void put(const struct steps *s, struct keywise_action a)
{
    struct keywise *to = check_put(s->out, keywise_number_of(a));
    *to = keywise_after(s->scope, s->now, a);
}

static void next_of_idle(const struct steps *s, unsigned op)
{
    bool read = op >= s->world->writes;
    bool first = op == 0 || op == s->world->writes;
    if (!first && s->now->op[op - 1].stage == KEYWISE_IDLE) {
        return;
    }
    for (uint8_t key = 0; key <= KEYWISE_ALL; key++) {
        bool all = key == KEYWISE_ALL;
        for (uint8_t r = 0; r < KEYWISE_ROUTERS && (all ? read : key < s->world->keys); r++) {
            put(s, (struct keywise_action){
                       .step = KEYWISE_ISSUE, .op = (uint8_t)op, .router = r, .key = key});
        }
    }
}

static enum keywise_step step_of(const struct steps *s, unsigned op)
{
    switch (keywise_answer(s->world, s->rules, s->now, op)) {
    case OUTCOME_OK:
    case OUTCOME_OK_RELOAD:
        return KEYWISE_SERVE;
    case OUTCOME_ASK:
        return rule_on(s->rules, RULE_ASK_KEEPS_MAP) ? KEYWISE_ASK : KEYWISE_ASK_AS_MOVED;
    case OUTCOME_MOVED:
        return KEYWISE_MOVED;
    case OUTCOME_TRY_AGAIN:
        return KEYWISE_TRY_AGAIN;
    case OUTCOME_NONE:
    case OUTCOME_RETRY:
    case OUTCOME_REFUSED:
    case OUTCOME_FAILED:
    case OUTCOME_LIMITED:
    case OUTCOME_SHED:
    case OUTCOME_NOT_NEWER:
    case OUTCOME_SHORT:
    case OUTCOME_COUNT:
        break;
    }
    CHECK(false && "no answer of a slot that moves key by key");
    return KEYWISE_STEPS;
}

static void next_of_op(const struct steps *s, unsigned op)
{
    const struct keywise_op *o = &s->now->op[op];
    if (o->stage == KEYWISE_IDLE) {
        next_of_idle(s, op);
    } else if (o->stage == KEYWISE_SENT && !(o->at == KEYWISE_B && s->now->down)) {
        put(s, (struct keywise_action){.step = step_of(s, op), .op = (uint8_t)op, .shard = o->at});
    }
}

static void next_of_router(const struct steps *s, uint8_t router)
{
    struct keywise_action a = {.router = router};
    if (s->now->router[router] != newest_map(s->now)) {
        a.step = KEYWISE_RELOAD;
        put(s, a);
    }
    if (s->now->early > 0 && s->now->ask.phase == ASK_OPEN &&
        s->now->router[router] == KEYWISE_SAYS_A) {
        a.step = KEYWISE_EARLY;
        put(s, a);
    }
}

static void next_of_hand(const struct steps *s)
{
    unsigned key = next_key(s->world, s->now);
    if (s->now->ask.phase != ASK_OPEN || key == s->world->keys) {
        return;
    }
    bool there = (keywise_keys(s->world, s->now, s->now->has[KEYWISE_B]) >> key & 1) != 0;
    struct keywise_action a = {.step = there ? KEYWISE_DROP : KEYWISE_HAND, .key = (uint8_t)key};
    put(s, a);
    if (ask_hand(s->rules, ask_place_of(true, there)) == PLACE_BOTH) {
        a.step = KEYWISE_COPY; /* and if nothing comes between that and the drop, it was one step */
        put(s, a);
    }
}

static void next_of_move(const struct steps *s)
{
    const struct ask_core *a = &s->now->ask;
    unsigned left = count_keys(s->world, s->now, KEYWISE_A);
    if (s->now->down) {
        put(s, (struct keywise_action){.step = KEYWISE_RESTART, .shard = KEYWISE_B});
        return;
    }
    next_of_hand(s);
    if (ask_may_undo(a, count_keys(s->world, s->now, KEYWISE_B))) {
        put(s, (struct keywise_action){.step = KEYWISE_UNDO});
    }
    if (ask_may_claim(a, s->rules, left)) {
        put(s, (struct keywise_action){.step = left == 0 ? KEYWISE_CLAIM_EMPTY : KEYWISE_CLAIM_FULL,
                                       .shard = KEYWISE_B});
    }
    if (ask_may_close(a)) {
        put(s, (struct keywise_action){.step = KEYWISE_CLOSE});
    }
    if (s->now->crashes > 0 && a->phase == ASK_CLAIMED) {
        put(s, (struct keywise_action){.step = KEYWISE_CRASH, .shard = KEYWISE_B});
    }
}

void keywise_next(const struct check_scope *scope, const void *state, struct check_out *out)
{
    const struct keywise_world *world = keywise_world_of(scope);
    struct steps s = {
        .scope = scope, .world = world, .now = state, .out = out, .rules = keywise_rules_of(scope)};
    next_of_move(&s);
    for (unsigned i = 0; i < keywise_ops(world); i++) {
        next_of_op(&s, i);
    }
    for (uint8_t r = 0; r < KEYWISE_ROUTERS; r++) {
        next_of_router(&s, r);
    }
}
