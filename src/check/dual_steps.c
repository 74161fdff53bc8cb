/*
 * dual_steps: what an edit's halves, the backfill and the operator do next; see dual_write.h.
 */
#include "check/dual_write.h"

struct steps {
    const struct twice_world *world;
    const struct twice *now;
    uint64_t rules;
    struct check_out *out;
    const struct check_scope *scope;
};

static enum dual_side other(enum dual_side side)
{
    return side == DUAL_SOURCE ? DUAL_TARGET : DUAL_SOURCE;
}

/* Routers send each edit to both shards. */
static bool doubles(const struct twice *now)
{
    return now->core.phase == DUAL_WRITING || now->core.phase == DUAL_SWITCHED;
}

/* Whether the shard stores what comes for it: it owns the slot, or is the second. */
static bool takes_part(const struct twice *now, enum dual_side side)
{
    enum slot_state row = twice_row(now, side);
    return row == SLOT_OWNED || row == SLOT_ARRIVING;
}

/* --- keys as proto/dual.h has them ------------------------------------------------------------ */

/* A key seen from the side that the backfill reads: proto/dual.h's is the source. */
static struct dual_key key_from(const struct twice *now, unsigned key, enum dual_side from)
{
    const struct twice_key *k = &now->key[key];
    return (struct dual_key){.held = {k->held[from], k->held[other(from)]}, .carried = k->carried};
}

static void keep_key(struct twice *to, unsigned key, enum dual_side from, const struct dual_key *k)
{
    to->key[key].held[from] = (uint8_t)k->held[DUAL_SOURCE];
    to->key[key].held[other(from)] = (uint8_t)k->held[DUAL_TARGET];
    to->key[key].carried = (uint8_t)k->carried;
}

/* --- edits ------------------------------------------------------------------------------------ */

static void told(struct twice *to, struct twice_edit *e)
{
    struct twice_key *k = &to->key[e->key];
    k->due = e->version > k->due ? e->version : k->due;
    struct twice_edit left = {.stage = TWICE_DONE};
    if (e->second || e->stray) {
        left = *e;
        left.stage = TWICE_DONE;
        left.how = left.first_in = left.second_in = left.refused = 0;
    }
    *e = left;
}

static void told_if_both(struct twice *to, struct twice_edit *e)
{
    if (e->stage == TWICE_ON_ITS_WAY && e->first_in && e->second_in) {
        told(to, e);
    }
}

static void issue(const struct twice_world *world, struct twice *to, struct twice_action a)
{
    bool both = doubles(to) && world->at_once;
    struct twice_edit *e = &to->edit[a.edit];
    *e = (struct twice_edit){.stage = TWICE_ON_ITS_WAY, .key = a.key & 1u, .first = 1};
    e->how = both ? TWICE_BOTH : doubles(to) ? TWICE_IN_TURN : TWICE_ALONE;
    if (both) {
        e->version = ++to->last & 15u;
        e->second = 1;
        e->side = other(dual_primary(&to->core)) & 1u;
    }
}

/* A second refusal, or one before the first half came: only now does the backfill find it. */
static void repair_later(struct twice *to)
{
    if (to->pass == TWICE_NO_PASS) {
        to->pass = TWICE_REPAIR;
        to->cursor = 0;
    } else {
        to->again = 1;
    }
}

static void first_in(struct twice *to, struct twice_edit *e, enum dual_side side)
{
    e->first_in = 1;
    if (!doubles(to) || e->how == TWICE_ALONE) {
        told(to, e);
        return;
    }
    if (e->refused) {
        repair_later(to);
    }
    if (e->how == TWICE_IN_TURN || e->side == side) {
        e->stray |= e->second; /* both were sent to B */
        e->second = 1;
        e->second_in = 0;
        e->side = other(side) & 1u;
    }
    told_if_both(to, e);
}

/* The half is no longer on its way, and its router hears what became of it. */
static void landed(struct twice *to, struct twice_action a)
{
    struct twice_edit *e = &to->edit[a.edit];
    bool sent_on = e->stage == TWICE_ON_ITS_WAY;
    if (a.half == TWICE_HALF_STRAY) {
        e->stray = 0;
    } else if (a.half == TWICE_HALF_FIRST) {
        e->first = 0;
        first_in(to, e, (enum dual_side)a.side);
        return;
    } else {
        e->second = 0;
        e->second_in = sent_on;
        told_if_both(to, e);
    }
    if (e->stage == TWICE_DONE && !e->second && !e->stray) {
        *e = (struct twice_edit){.stage = TWICE_DONE};
    }
}

static void store(struct twice *to, uint64_t rules, struct twice_action a)
{
    struct twice_edit *e = &to->edit[a.edit];
    if (e->version == 0) {
        e->version = ++to->last & 15u;
    }
    struct dual_key k = key_from(to, e->key, DUAL_SOURCE);
    uint32_t held = k.held[a.side];
    dual_write(&k, rules, (enum dual_side)a.side, e->version);
    keep_key(to, e->key, DUAL_SOURCE, &k);
    to->back |= k.held[a.side] < held;
    landed(to, a);
}

/* One shard has the edit, and what is on its way to the other goes with its router. */
static void die(struct twice *to, struct twice_action a)
{
    to->deaths++;
    to->edit[a.edit] = (struct twice_edit){.stage = TWICE_DONE};
    repair_later(to);
}

static bool may_die(const struct steps *s, const struct twice_edit *e)
{
    bool first_only = e->first_in && e->second;
    bool second_only = e->second_in && !e->refused && e->first;
    return s->now->deaths < s->world->deaths && e->stage == TWICE_ON_ITS_WAY && doubles(s->now) &&
           (first_only || second_only);
}

static void refuse(struct twice *to, struct twice_action a)
{
    to->refusals++;
    to->edit[a.edit].refused = 1;
    repair_later(to);
    landed(to, a);
}

/* --- the backfill ----------------------------------------------------------------------------- */

static enum dual_side way_of(const struct twice *now, uint64_t rules)
{
    const struct twice_key *k = &now->key[now->cursor];
    enum dual_side from = dual_primary(&now->core);
    if (now->pass == TWICE_REPAIR && k->held[DUAL_SOURCE] != k->held[DUAL_TARGET] &&
        rule_on(rules, RULE_NEWER_ONLY)) {
        from = k->held[DUAL_TARGET] > k->held[DUAL_SOURCE] ? DUAL_TARGET : DUAL_SOURCE;
    }
    return from;
}

static void read(struct twice *to, uint64_t rules)
{
    enum dual_side from = way_of(to, rules);
    struct dual_key k = key_from(to, to->cursor, from);
    dual_read(&k);
    keep_key(to, to->cursor, from, &k);
    to->hand = (uint8_t)(1 + other(from));
    to->cursor++;
}

static void pass_over(const struct twice_world *world, struct twice *to)
{
    bool first = to->pass == TWICE_PASS;
    bool more = to->again || (world->where_nothing && first && !twice_alike(world, to));
    to->core.filled = 1;
    to->pass = more ? TWICE_REPAIR : TWICE_NO_PASS;
    to->cursor = 0;
    to->again = 0;
}

static void fill(const struct twice_world *world, struct twice *to, uint64_t rules)
{
    unsigned key = to->cursor - 1u;
    enum dual_side side = (enum dual_side)(to->hand - 1);
    struct dual_key k = key_from(to, key, other(side));
    uint32_t held = k.held[DUAL_TARGET];
    if (k.carried > 0) {
        dual_fill(&k, rules, world->where_nothing && to->pass == TWICE_PASS);
    }
    keep_key(to, key, other(side), &k);
    to->back |= k.held[DUAL_TARGET] < held;
    to->hand = 0;
    if (to->cursor == world->keys) {
        pass_over(world, to);
    }
}

/* --- the operator ----------------------------------------------------------------------------- */

/* Double writing is over: this side's versions, and all that the backfill and the compare needed,
 * is read no more. */
static void forget(struct twice *to, enum dual_side side)
{
    for (unsigned k = 0; k < TWICE_KEYS_MAX; k++) {
        to->key[k].held[side] = 0;
        to->key[k].carried = 0;
    }
    for (unsigned i = 0; i < TWICE_EDITS_MAX; i++) {
        to->edit[i].second_in = to->edit[i].refused = 0;
    }
    to->pass = TWICE_NO_PASS;
    to->cursor = to->hand = to->again = 0;
    to->core.filled = to->refusals = to->deaths = 0;
}

static void look(struct twice *to, unsigned key)
{
    to->stale |= to->key[key].held[dual_primary(&to->core)] < to->key[key].due;
}

struct twice twice_after(const struct check_scope *scope, const struct twice *now,
                         struct twice_action a)
{
    struct twice to = *now;
    uint64_t rules = twice_rules_of(scope);
    switch (a.step) {
    case TWICE_ISSUE:
        issue(twice_world_of(scope), &to, a);
        break;
    case TWICE_STORE:
    case TWICE_KEEP:
    case TWICE_GO_BACK:
        store(&to, rules, a);
        break;
    case TWICE_OVER:
        landed(&to, a);
        break;
    case TWICE_LOOK:
        look(&to, a.key);
        break;
    case TWICE_ON:
        dual_write_both(&to.core);
        break;
    case TWICE_READ:
        read(&to, rules);
        break;
    case TWICE_FILL:
    case TWICE_FILL_KEEP:
    case TWICE_FILL_BACK:
        fill(twice_world_of(scope), &to, rules);
        break;
    case TWICE_SWITCH:
    case TWICE_SWITCH_BLIND:
        dual_switch(&to.core);
        break;
    case TWICE_RETURN:
    case TWICE_RETURN_BLIND:
        dual_return(&to.core);
        break;
    case TWICE_DIE:
        die(&to, a);
        break;
    case TWICE_END:
        dual_end(&to.core);
        forget(&to, DUAL_SOURCE);
        break;
    case TWICE_DROP:
        dual_drop(&to.core);
        forget(&to, DUAL_TARGET);
        break;
    case TWICE_REFUSE:
        refuse(&to, a);
        break;
    case TWICE_STEPS:
        CHECK(false && "no such step");
        break;
    }
    return to;
}

/* --- which steps there are -------------------------------------------------------------------- */

static void put(const struct steps *s, struct twice_action a)
{
    struct twice *to = check_put(s->out, twice_number_of(a));
    *to = twice_after(s->scope, s->now, a);
}

/* What comes of a version that arrives: `step`, or one of the two behind it. */
static enum twice_step met(enum twice_step step, bool taken, uint32_t held, uint32_t version)
{
    if (!taken || held == version) {
        return step + 1;
    }
    return version < held ? step + 2 : step;
}

static void next_of_half(const struct steps *s, unsigned edit, enum twice_half half,
                         enum dual_side side)
{
    const struct twice_edit *e = &s->now->edit[edit];
    struct twice_action a = {
        .edit = (uint8_t)edit, .half = (uint8_t)half, .side = (uint8_t)side, .key = e->key};
    uint32_t held = s->now->key[e->key].held[side];
    uint32_t version = e->version != 0 ? e->version : s->now->last + 1u;
    a.step = met(TWICE_STORE, dual_takes(s->rules, held, version), held, version);
    if (!takes_part(s->now, side)) {
        a.step = TWICE_OVER;
    }
    put(s, a);
    bool refuses = half == TWICE_HALF_SECOND && a.step != TWICE_OVER && doubles(s->now) &&
                   e->stage == TWICE_ON_ITS_WAY;
    if (refuses && s->now->refusals < s->world->refusals) {
        a.step = TWICE_REFUSE;
        put(s, a);
    }
}

static void next_of_edit(const struct steps *s, unsigned edit)
{
    const struct twice_edit *e = &s->now->edit[edit];
    if (e->stage == TWICE_IDLE) {
        for (unsigned key = 0; key < s->world->keys; key++) {
            put(s, (struct twice_action){
                       .step = TWICE_ISSUE, .edit = (uint8_t)edit, .key = (uint8_t)key});
        }
        return;
    }
    if (e->first) {
        next_of_half(s, edit, TWICE_HALF_FIRST, dual_primary(&s->now->core));
    }
    if (e->second) {
        next_of_half(s, edit, TWICE_HALF_SECOND, (enum dual_side)e->side);
    }
    if (e->stray) {
        next_of_half(s, edit, TWICE_HALF_STRAY, other((enum dual_side)e->side));
    }
}

/* Edits that may yet come to A alone: the backfill would have read before them. */
static bool waits(const struct steps *s)
{
    return s->now->pass == TWICE_PASS && s->now->cursor == 0 && twice_singles(s->now) > 0 &&
           rule_on(s->rules, RULE_DUAL_BEFORE_BACKFILL);
}

static void next_of_backfill(const struct steps *s)
{
    const struct twice *now = s->now;
    struct twice_action a = {.step = TWICE_READ};
    if (now->hand != 0) {
        enum dual_side side = (enum dual_side)(now->hand - 1);
        const struct twice_key *k = &now->key[now->cursor - 1u];
        bool nothing = s->world->where_nothing && now->pass == TWICE_PASS;
        bool taken = k->carried > 0 && dual_fills(s->rules, nothing, k->held[side], k->carried);
        a.step = met(TWICE_FILL, taken, k->held[side], k->carried);
        a.side = (uint8_t)side;
        a.key = (uint8_t)(now->cursor - 1);
        put(s, a);
    } else if (now->pass != TWICE_NO_PASS && dual_may_backfill(&now->core, s->rules) && !waits(s)) {
        a.side = (uint8_t)way_of(now, s->rules);
        a.key = now->cursor;
        put(s, a);
    }
}

static void next_of_operator(const struct steps *s)
{
    const struct dual_core *core = &s->now->core;
    bool alike = twice_alike(s->world, s->now);
    if (core->phase == DUAL_SINGLE) {
        put(s, (struct twice_action){.step = TWICE_ON});
    }
    if (dual_may_switch(core, s->rules, alike)) {
        bool compared = alike && core->filled != 0;
        put(s, (struct twice_action){.step = compared ? TWICE_SWITCH : TWICE_SWITCH_BLIND});
    }
    if (dual_may_return(core, s->rules, alike)) {
        bool compared = alike && core->filled != 0;
        put(s, (struct twice_action){.step = compared ? TWICE_RETURN : TWICE_RETURN_BLIND});
    }
    if (dual_may_end(core)) {
        put(s, (struct twice_action){.step = TWICE_END});
    }
    if (dual_may_drop(core) && core->phase != DUAL_SINGLE) {
        put(s, (struct twice_action){.step = TWICE_DROP});
    }
}

void twice_next(const struct check_scope *scope, const void *state, struct check_out *out)
{
    struct steps s = {.world = twice_world_of(scope),
                      .now = state,
                      .rules = twice_rules_of(scope),
                      .out = out,
                      .scope = scope};
    for (unsigned i = 0; i < s.world->edits; i++) {
        if (i == 0 || s.now->edit[i - 1].stage != TWICE_IDLE) {
            next_of_edit(&s, i);
        }
    }
    next_of_backfill(&s);
    next_of_operator(&s);
    for (unsigned key = 0; key < s.world->keys; key++) {
        struct twice_action a = {.step = TWICE_LOOK, .key = (uint8_t)key};
        a.side = (uint8_t)dual_primary(&s.now->core);
        put(&s, a);
    }
    for (unsigned i = 0; i < s.world->edits; i++) {
        if (may_die(&s, &s.now->edit[i])) {
            put(&s, (struct twice_action){.step = TWICE_DIE, .edit = (uint8_t)i});
        }
    }
}
