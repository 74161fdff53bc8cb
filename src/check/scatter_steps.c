/*
 * scatter_steps: what can happen next to a query over all shards.
 */
#include "check/scatter_gather.h"
#include <string.h>

/* --- in more bytes and in fewer --------------------------------------------------------------- */

static struct gather_part part_of(const struct fanout *now, unsigned shard)
{
    const struct fanout_part *p = &now->part[shard];
    return (struct gather_part){.round = p->round,
                                .state = p->waiting != 0 ? GATHER_WAITING : GATHER_UNASKED,
                                .hedged = p->hedged};
}

static void keep_part(struct fanout *to, unsigned shard, const struct gather_part *from)
{
    CHECK(from->round < 16);
    to->part[shard] = (struct fanout_part){.waiting = 0};
    if (from->state == GATHER_WAITING) {
        to->part[shard] = (struct fanout_part){
            .waiting = 1, .hedged = from->hedged & 1u, .round = from->round & 15u};
    }
}

static struct gather_slot slot_of(const struct fanout *now, unsigned slot)
{
    return (struct gather_slot){.epoch = now->slot[slot].epoch,
                                .in = now->slot[slot].times > 0 ? 1 : 0};
}

static struct gather_core core_of(const struct fanout_world *world, const struct fanout *now)
{
    struct gather_core g = {.slots = fanout_slots(world), .round = now->round, .end = now->end};
    for (unsigned i = 0; i < fanout_slots(world); i++) {
        g.in += slot_of(now, i).in;
    }
    for (unsigned i = 0; i < world->shards; i++) {
        g.waiting += now->part[i].waiting;
    }
    return g;
}

/* --- messages --------------------------------------------------------------------------------- */

static void add_flight(struct fanout *to, struct fanout_flight flight)
{
    unsigned at = 0;
    while (at < FANOUT_FLIGHTS && to->flight[at].kind != FANOUT_NOTHING) {
        at++;
    }
    CHECK(at < FANOUT_FLIGHTS);
    while (at > 0 && memcmp(&to->flight[at - 1], &flight, sizeof flight) > 0) {
        to->flight[at] = to->flight[at - 1];
        at--;
    }
    to->flight[at] = flight;
}

static struct fanout_flight remove_at(struct fanout *to, size_t at)
{
    struct fanout_flight flight = to->flight[at];
    memmove(&to->flight[at], &to->flight[at + 1], (FANOUT_FLIGHTS - 1 - at) * sizeof flight);
    to->flight[FANOUT_FLIGHTS - 1] = (struct fanout_flight){.kind = FANOUT_NOTHING};
    return flight;
}

static struct fanout_flight remove_flight(struct fanout *to, const struct fanout *now,
                                          struct fanout_action a)
{
    return remove_at(to, (size_t)(fanout_flight_of(now, a) - now->flight));
}

static void ask(struct fanout *to, struct gather_core *g, unsigned shard, unsigned wanted)
{
    struct gather_part p = part_of(to, shard);
    gather_ask(g, &p, 0);
    keep_part(to, shard, &p);
    add_flight(to, (struct fanout_flight){.kind = FANOUT_QUESTION,
                                          .shard = shard & 3u,
                                          .round = g->round & 15u,
                                          .wanted = wanted & 15u});
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Slots that stay are of epoch 1. */
static unsigned epoch_in(const struct fanout_flight *answer, unsigned slot)
{
    return slot == FANOUT_MOVING ? answer->epoch : 1;
}

static enum gather_fate fate_of(uint64_t rules, const struct fanout *now,
                                const struct fanout_flight *answer)
{
    struct gather_part p = part_of(now, answer->shard);
    bool clashes = false;
    for (unsigned i = 0; answer->counted >> i != 0; i++) {
        if ((answer->counted >> i & 1) != 0) {
            struct gather_slot slot = slot_of(now, i);
            clashes |= gather_clashes(&slot, epoch_in(answer, i));
        }
    }
    return gather_judge(&p, rules, answer->round, clashes);
}

static void slot_in(struct fanout *to, struct gather_core *g, unsigned slot, unsigned epoch)
{
    struct gather_slot s = slot_of(to, slot);
    unsigned times = to->slot[slot].times + 1u;
    gather_slot_in(g, &s, epoch);
    CHECK(times < 16 && s.epoch < 16);
    to->slot[slot] = (struct fanout_slot){.epoch = s.epoch & 15u, .times = times & 15u};
}

static void hear(struct fanout *to, const struct fanout_world *world, uint64_t rules,
                 const struct fanout_flight *answer)
{
    struct gather_core g = core_of(world, to);
    struct gather_part p = part_of(to, answer->shard);
    bool merged = fate_of(rules, to, answer) == GATHER_MERGED;
    gather_heard(&g, &p, answer->round);
    keep_part(to, answer->shard, &p);
    for (unsigned i = 0; i < fanout_slots(world); i++) {
        if (merged && (answer->counted >> i & 1) != 0) {
            slot_in(to, &g, i, epoch_in(answer, i));
        }
    }
    to->end = (uint8_t)gather_close(&g, rules, false);
}

static void begin(struct fanout *to, const struct fanout_world *world)
{
    struct gather_core g = gather_begin(fanout_slots(world));
    to->round = (uint8_t)g.round;
    for (unsigned i = 0; i < world->shards; i++) {
        ask(to, &g, i, FANOUT_ALL);
    }
}

/* By the directory's map as it is now. */
static void again(struct fanout *to, const struct fanout_world *world)
{
    struct gather_core g = core_of(world, to);
    unsigned missing = fanout_missing(world, to);
    gather_again(&g);
    CHECK(g.round < 8);
    to->round = (uint8_t)g.round;
    for (unsigned shard = 0; shard < world->shards; shard++) {
        unsigned wanted = 0;
        for (unsigned i = 0; i < fanout_slots(world); i++) {
            bool its = fanout_owner(i, to->epoch) == shard;
            wanted |= its ? missing & 1u << i : 0;
        }
        if (wanted != 0) {
            ask(to, &g, shard, wanted);
        }
    }
}

static void hedge(struct fanout *to, const struct fanout *now, struct fanout_action a)
{
    struct gather_part p = part_of(to, a.shard);
    unsigned wanted = fanout_flight_of(now, a)->wanted;
    gather_hedge(&p);
    keep_part(to, a.shard, &p);
    to->hedges--;
    add_flight(to, (struct fanout_flight){.kind = FANOUT_QUESTION,
                                          .shard = a.shard & 3u,
                                          .replica = 1,
                                          .round = a.round & 15u,
                                          .wanted = wanted & 15u});
}

static void give_up(struct fanout *to, const struct fanout_world *world, uint64_t rules,
                    unsigned shard)
{
    struct gather_core g = core_of(world, to);
    struct gather_part p = part_of(to, shard);
    gather_give_up(&g, &p);
    keep_part(to, shard, &p);
    to->timeouts--;
    to->end = (uint8_t)gather_close(&g, rules, false);
}

static void move(struct fanout *to)
{
    unsigned source = fanout_owner(FANOUT_MOVING, to->epoch);
    for (unsigned i = source; i <= source + 1; i++) {
        to->behind[i] = to->behind[i] == 0 ? to->epoch : to->behind[i];
    }
    to->epoch++;
}

/* Whether a replica can still be asked, or has been. */
static bool replicas_matter(const struct fanout *now)
{
    bool matter = now->hedges > 0;
    for (unsigned i = 0; i < FANOUT_FLIGHTS; i++) {
        const struct fanout_flight *f = &now->flight[i];
        matter |= f->kind == FANOUT_QUESTION && f->replica != 0;
    }
    return matter;
}

/* Whatever it counts, it is dropped. */
static bool becomes_stale(const struct fanout *now, uint64_t rules, unsigned flight)
{
    const struct fanout_flight *f = &now->flight[flight];
    if (f->kind != FANOUT_QUESTION && f->kind != FANOUT_REPLY) {
        return false;
    }
    struct gather_part p = part_of(now, f->shard);
    return gather_judge(&p, rules, f->round, false) == GATHER_DROPPED;
}

/* Of what would be dropped in any case nothing is read but that it is there. */
static void settle_flights(struct fanout *to, uint64_t rules)
{
    for (unsigned i = 0; i < FANOUT_FLIGHTS; i++) {
        while (becomes_stale(to, rules, i)) {
            (void)remove_at(to, i);
            add_flight(to, (struct fanout_flight){.kind = FANOUT_STALE});
        }
    }
}

/* What no later step reads is cleared: after the end, and of replicas. */
static void settle(struct fanout *to, uint64_t rules)
{
    if (to->end != GATHER_OPEN) {
        struct fanout ended = {.end = to->end};
        memcpy(ended.slot, to->slot, sizeof ended.slot);
        *to = ended;
        return;
    }
    settle_flights(to, rules);
    bool matter = replicas_matter(to);
    for (unsigned i = 0; i < FANOUT_SHARDS_MAX; i++) {
        bool had = to->behind[i] == i + 1; /* it takes the slot for its own */
        bool has = to->epoch == i + 1;
        if (!matter || had == has) {
            to->behind[i] = 0;
        }
    }
}

struct fanout fanout_after(const struct check_scope *scope, const struct fanout *now,
                           struct fanout_action a)
{
    const struct fanout_world *world = fanout_world_of(scope);
    struct fanout to = *now;
    uint64_t rules = fanout_rules_of(scope);
    struct gather_core g;
    struct fanout_flight f;
    switch (a.step) {
    case FANOUT_ASK:
        begin(&to, world);
        break;
    case FANOUT_ANSWER:
    case FANOUT_ANSWER_CLASHES:
        f = remove_flight(&to, now, a);
        f = fanout_answer(world, now, &f);
        hear(&to, world, rules, &f);
        break;
    case FANOUT_LAND:
    case FANOUT_LAND_CLASHES:
    case FANOUT_DROP:
        f = remove_flight(&to, now, a);
        hear(&to, world, rules, &f);
        break;
    case FANOUT_LATE:
        f = remove_flight(&to, now, a);
        add_flight(&to, fanout_answer(world, now, &f));
        to.late--;
        break;
    case FANOUT_HEDGE:
        hedge(&to, now, a);
        break;
    case FANOUT_AGAIN:
        again(&to, world);
        break;
    case FANOUT_END:
        g = core_of(world, &to);
        to.end = (uint8_t)gather_close(&g, rules, true);
        break;
    case FANOUT_APPLY:
        to.behind[a.shard] = 0;
        break;
    case FANOUT_MOVE:
        move(&to);
        break;
    case FANOUT_GIVE_UP:
        give_up(&to, world, rules, a.shard);
        break;
    case FANOUT_STEPS:
        CHECK(false && "no such step");
        break;
    }
    settle(&to, rules);
    return to;
}

/* --- what can happen -------------------------------------------------------------------------- */

/* What the steps of one state have in common. */
struct steps {
    const struct check_scope *scope;
    const struct fanout_world *world;
    const struct fanout *now;
    struct check_out *out;
};

static void put(const struct steps *s, struct fanout_action a)
{
    struct fanout after = fanout_after(s->scope, s->now, a);
    a.silent = after.end == GATHER_WHOLE && fanout_missing(s->world, &after) != 0;
    struct fanout *to = check_put(s->out, fanout_number_of(a));
    *to = after;
}

static void next_of_flight(const struct steps *s, const struct fanout_flight *f)
{
    struct fanout_action a = {.round = f->round, .shard = f->shard, .replica = f->replica != 0};
    bool question = f->kind == FANOUT_QUESTION;
    struct fanout_flight answer = question ? fanout_answer(s->world, s->now, f) : *f;
    switch (fate_of(fanout_rules_of(s->scope), s->now, &answer)) {
    case GATHER_MERGED:
        a.step = question ? FANOUT_ANSWER : FANOUT_LAND;
        break;
    case GATHER_CLASHED:
        a.step = question ? FANOUT_ANSWER_CLASHES : FANOUT_LAND_CLASHES;
        break;
    case GATHER_DROPPED:
        a.step = FANOUT_DROP;
        break;
    }
    put(s, a);
    if (question && fanout_is_awaited(s->now, f) && s->now->late > 0) {
        a.step = FANOUT_LATE;
        put(s, a);
    }
}

static void next_of_part(const struct steps *s, unsigned shard)
{
    struct gather_part p = part_of(s->now, shard);
    struct fanout_action a = {.round = p.round & 7u, .shard = (uint8_t)shard};
    a.step = FANOUT_HEDGE;
    if (gather_may_hedge(&p) && s->now->hedges > 0) {
        put(s, a);
    }
    a = (struct fanout_action){.step = FANOUT_GIVE_UP, .shard = (uint8_t)shard};
    if (p.state == GATHER_WAITING && s->now->timeouts > 0) {
        put(s, a);
    }
}

void fanout_next(const struct check_scope *scope, const void *state, struct check_out *out)
{
    const struct fanout *now = state;
    struct steps s = {.scope = scope, .world = fanout_world_of(scope), .now = now, .out = out};
    if (now->end != GATHER_OPEN) {
        return;
    }
    struct gather_core g = core_of(s.world, now);
    if (now->round == 0) {
        put(&s, (struct fanout_action){.step = FANOUT_ASK});
    } else if (gather_may_again(&g)) {
        put(&s, (struct fanout_action){.step = FANOUT_AGAIN});
        put(&s, (struct fanout_action){.step = FANOUT_END});
    }
    for (unsigned i = 0; i < FANOUT_FLIGHTS && now->flight[i].kind != FANOUT_NOTHING; i++) {
        bool alike =
            i > 0 && memcmp(&now->flight[i - 1], &now->flight[i], sizeof *now->flight) == 0;
        if (!alike) {
            next_of_flight(&s, &now->flight[i]);
        }
    }
    for (unsigned i = 0; i < s.world->shards; i++) {
        next_of_part(&s, i);
        if (now->behind[i] != 0) {
            put(&s, (struct fanout_action){.step = FANOUT_APPLY, .shard = (uint8_t)i});
        }
    }
    if (now->epoch <= s.world->moves) {
        put(&s, (struct fanout_action){.step = FANOUT_MOVE});
    }
}
