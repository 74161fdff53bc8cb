/*
 * copies_again: copies that are made anew: where they go, how fast, and when they count.
 *
 * A copy's progress is a rate since an instant; the rates of all are set anew when one begins,
 * ends, waits or goes on. Each has one timer: its end, or the next look at what it waits for.
 */
#include "engine/apply.h"
#include "engine/copies/copies_inside.h"

/* --- rates ------------------------------------------------------------------------------------ */

uint64_t again_copied(const struct world *w, const struct group_row *g)
{
    const struct copy_made *c = &g->copy;
    uint64_t more = (uint64_t)(w->now_us - c->since_us) * c->rate / US_PER_SECOND;
    return more < c->bytes - c->copied ? c->copied + more : c->bytes;
}

/* The leader from whose node a copy can come now; NOBODY, and why. */
static uint16_t source_of(const struct world *w, const struct group_row *g, enum copy_wait *why)
{
    uint16_t leader = group_leader(w, g);
    *why = COPY_WAITS_LEADER;
    if (leader == NOBODY || leader == g->copy.place ||
        !nodes_connected(w, g->replica[leader].node, g->copy.node)) {
        return NOBODY;
    }
    if (world_directory_down(w) && !g->copy.catching_up) {
        *why = COPY_WAITS_DIRECTORY;
        return NOBODY;
    }
    return leader;
}

/* Copies that go on now and touch a node. */
static uint32_t streams(const struct world *w, uint32_t node)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->copies.count; i++) {
        const struct copy_made *c = &groups_in(w)[i].copy;
        count += c->under_way && c->source != NOBODY && (c->source == node || c->node == node);
    }
    return count;
}

static void set_rate(struct world *w, uint32_t group, uint64_t rate)
{
    struct copy_made *c = &groups_of(w)[group].copy;
    bool all = c->copied == c->bytes && c->source != NOBODY;
    bool waits = c->waits == 1 + COPY_WAITS_MAJORITY;
    rate = all ? 0 : rate;
    c->rate = rate;
    c->since_us = w->now_us;
    c->turn++;
    int64_t left = all && !waits ? 0 : COPIES_WAIT_US; /* what is all there takes its place */
    if (rate > 0) {
        node_bulk(w, c->source, (int64_t)rate);
        node_bulk(w, c->node, (int64_t)rate);
        uint64_t micros = ((c->bytes - c->copied) * US_PER_SECOND + rate - 1) / rate;
        left = micros < (uint64_t)COPIES_WAIT_US ? (int64_t)micros : COPIES_WAIT_US;
    }
    copies_timer(w, group, 0, COPY_TIMER_COPY, left, c->turn);
}

static void note_begin(struct world *w, uint32_t group, uint64_t rate)
{
    const struct copy_made *c = &groups_in(w)[group].copy;
    struct trace_record *t = copies_note(w, group, REASON_COPY_BEGINS, c->source, c->node, 0);
    t->operand[0] = (int64_t)(c->bytes - c->copied);
    t->operand[1] = (int64_t)rate;
    t->operand[2] = c->catching_up;
}

static void note_wait(struct world *w, uint32_t group, enum copy_wait why)
{
    struct copy_made *c = &groups_of(w)[group].copy;
    if (c->waits == 1 + why) {
        return;
    }
    c->waits = (uint8_t)(1 + why);
    copies_note(w, group, REASON_COPY_WAITS, NODE_DIRECTORY_ITSELF, c->node, 0)->operand[0] = why;
}

/* What was copied so far is kept, and nobody's link carries anything of it. */
static void settle(struct world *w, uint32_t group)
{
    struct group_row *g = groups_of(w) + group;
    struct copy_made *c = &g->copy;
    c->copied = again_copied(w, g);
    c->since_us = w->now_us;
    if (c->rate > 0) {
        node_bulk(w, c->source, -(int64_t)c->rate);
        node_bulk(w, c->node, -(int64_t)c->rate);
    }
    c->rate = 0;
}

static uint64_t share(const struct world *w, const struct copy_made *c)
{
    uint64_t from = w->nodes.link / streams(w, c->source);
    uint64_t to = w->nodes.link / streams(w, c->node);
    uint64_t rate = from < to ? from : to;
    uint64_t budget = w->copies.budget;
    return budget > 0 && budget < rate ? budget : rate;
}

/* Who was behind leads now: nobody is to be copied. */
static bool is_pointless(const struct world *w, const struct group_row *g)
{
    return g->copy.catching_up && g->replica[g->copy.place].core.role == TERM_LEADER &&
           group_leader(w, g) == g->copy.place;
}

void again_check(struct world *w)
{
    uint16_t before[1024];
    CHECK(w->copies.count <= sizeof before / sizeof before[0]);
    for (uint32_t i = 0; i < w->copies.count; i++) {
        struct group_row *g = groups_of(w) + i;
        before[i] = g->copy.source;
        if (!g->copy.under_way) {
            continue;
        }
        settle(w, i);
        if (is_pointless(w, g)) {
            g->copy = (struct copy_made){.turn = g->copy.turn + 1, .source = NOBODY};
            continue;
        }
        enum copy_wait why;
        uint16_t leader = source_of(w, g, &why);
        g->copy.source = leader == NOBODY ? NOBODY : g->replica[leader].node;
        if (leader == NOBODY) {
            note_wait(w, i, why);
        }
    }
    for (uint32_t i = 0; i < w->copies.count; i++) {
        struct copy_made *c = &groups_of(w)[i].copy;
        if (!c->under_way) {
            continue;
        }
        uint64_t rate = c->source == NOBODY ? 0 : share(w, c);
        if (c->source != NOBODY && c->source != before[i]) {
            c->waits = 0;
            note_begin(w, i, rate);
        }
        set_rate(w, i, rate);
    }
}

/* --- planning --------------------------------------------------------------------------------- */

static bool is_wanted(const struct world *w, uint32_t node)
{
    return (w->copies.wanted >> node & 1) != 0;
}

static bool is_declared(const struct world *w, uint32_t node)
{
    return (w->copies.declared >> node & 1) != 0;
}

/* Replicas of a node, those on their way to it included. */
static uint32_t replicas_at(const struct world *w, uint32_t node)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->copies.count; i++) {
        const struct group_row *g = groups_in(w) + i;
        count += group_place(g, node) != NOBODY;
        count += g->copy.under_way && !g->copy.catching_up && g->copy.node == node;
    }
    return count;
}

/* A replica of the group stays in the same zone, beside the one that is replaced. */
static bool zone_taken(const struct world *w, const struct group_row *g, uint16_t place,
                       uint32_t node)
{
    for (uint16_t i = 0; i < g->of; i++) {
        if (i != place && world_node(w, g->replica[i].node).zone == world_node(w, node).zone) {
            return true;
        }
    }
    return false;
}

/* The best node for a new copy; NOBODY. */
static uint16_t choose(const struct world *w, const struct group_row *g, uint16_t place)
{
    uint16_t best = NOBODY;
    bool best_taken = true;
    uint32_t fewest = 0;
    for (uint16_t node = 0; node < w->nodes.count; node++) {
        if (!node_up(w, node) || is_declared(w, node) || group_place(g, node) != NOBODY) {
            continue;
        }
        bool taken = zone_taken(w, g, place, node);
        uint32_t held = replicas_at(w, node);
        if (best == NOBODY || taken < best_taken || (taken == best_taken && held < fewest)) {
            best = node;
            best_taken = taken;
            fewest = held;
        }
    }
    return best;
}

static void start(struct world *w, uint32_t group, uint16_t place, uint16_t node, bool by_hand)
{
    struct group_row *g = groups_of(w) + group;
    struct trace_record *t =
        copies_note(w, group, REASON_COPY_PLANNED, NODE_DIRECTORY_ITSELF, node, 0);
    t->operand[0] = node;
    t->operand[1] = g->replica[place].node;
    t->operand[2] = by_hand;
    if (w->copies.under_way == 0) {
        w->copies.began_us = w->now_us;
        w->copies.ended_us = -1;
    }
    w->copies.under_way++;
    g->copy = (struct copy_made){.bytes = g->bytes,
                                 .began_us = w->now_us,
                                 .since_us = w->now_us,
                                 .turn = g->copy.turn,
                                 .node = node,
                                 .place = place,
                                 .source = NOBODY,
                                 .under_way = true};
}

/* Whoever leads is to be replaced, and may live: the one of the others with the longest log stands.
 */
static void lead_instead(struct world *w, uint32_t group, uint16_t place)
{
    const struct group_row *g = groups_in(w) + group;
    uint16_t best = NOBODY;
    if (!replica_leads(w, &g->replica[place])) {
        return;
    }
    for (uint16_t i = 0; i < g->of; i++) {
        const struct replica *r = &g->replica[i];
        bool can = i != place && replica_up(w, r) && !is_declared(w, r->node);
        if (can && (best == NOBODY || r->core.last > g->replica[best].core.last)) {
            best = i;
        }
    }
    if (best != NOBODY && g->replica[best].core.role != TERM_LEADER) {
        elect_stand(w, group, best, 0);
    }
}

/* A new copy for one replica of a group that is to be replaced. */
static void plan_group(struct world *w, uint32_t group)
{
    struct group_row *g = groups_of(w) + group;
    for (uint16_t place = 0; place < g->of && !g->copy.under_way; place++) {
        if (!is_wanted(w, g->replica[place].node)) {
            continue;
        }
        uint16_t node = choose(w, g, place);
        if (node != NOBODY) {
            g->no_place = false;
            start(w, group, place, node, false);
            lead_instead(w, group, place);
        } else if (!g->no_place) {
            g->no_place = true;
            copies_note(w, group, REASON_COPY_NO_PLACE, NODE_DIRECTORY_ITSELF, NOBODY, 0)
                ->operand[0] = g->replica[place].node;
        }
    }
}

void again_plan(struct world *w)
{
    for (uint32_t i = 0; i < w->copies.count && !world_directory_down(w); i++) {
        plan_group(w, i);
    }
    again_check(w);
}

void again_behind(struct world *w, uint32_t group, uint16_t place)
{
    struct group_row *g = groups_of(w) + group;
    if (g->copy.under_way) {
        return;
    }
    g->copy = (struct copy_made){.bytes = g->bytes,
                                 .began_us = w->now_us,
                                 .since_us = w->now_us,
                                 .turn = g->copy.turn,
                                 .node = g->replica[place].node,
                                 .place = place,
                                 .source = NOBODY,
                                 .under_way = true,
                                 .catching_up = true};
    again_check(w);
}

/* --- the end ---------------------------------------------------------------------------------- */

static void over(struct world *w, uint32_t group)
{
    struct copy_made *c = &groups_of(w)[group].copy;
    settle(w, group);
    bool counted = !c->catching_up;
    *c = (struct copy_made){.turn = c->turn + 1, .source = NOBODY};
    if (!counted) {
        return;
    }
    w->copies.under_way--;
    if (w->copies.under_way == 0) {
        w->copies.ended_us = w->now_us;
    }
}

void again_drop(struct world *w, uint32_t group, enum copy_drop why)
{
    copies_note(w, group, REASON_COPY_DROPPED, NODE_DIRECTORY_ITSELF, groups_in(w)[group].copy.node,
                0)
        ->operand[0] = why;
    over(w, group);
    again_check(w);
}

/* So many of the others are in the leader's term that nobody can have been elected to a later one.
 */
static bool is_safe(const struct world *w, const struct group_row *g, uint16_t leader)
{
    uint32_t with = 0;
    for (uint16_t i = 0; i < g->of; i++) {
        const struct replica *r = &g->replica[i];
        bool reached = nodes_connected(w, r->node, g->replica[leader].node);
        with += i != g->copy.place && reached && r->core.term == g->replica[leader].core.term;
    }
    return with > g->of - term_majority(g->of);
}

/* Whoever counted the old one's word does so no more. */
static void forget_word(struct group_row *g, uint16_t place, uint16_t leader)
{
    for (uint16_t i = 0; i < g->of; i++) {
        struct replica *r = &g->replica[i];
        if (i != place && i != leader) {
            r->core.have[place] = 0;
        }
        if (i != place && (r->core.votes >> place & 1) != 0) {
            r->core.votes = (uint8_t)(r->core.votes & ~(1u << place));
            r->core.counted--;
        }
        if (r->core.vote == 1 + place && i != place &&
            r->core.term != g->replica[leader].core.term) {
            r->core.vote = VOTE_GONE; /* was for who stood there before: nobody else gets it */
        }
        r->heard_round[place] = 0;
        r->follows = r->follows == place ? NOBODY : r->follows;
    }
}

/* The copy takes the place, with the leader's log and its vote for the leader. */
static void take_place(struct world *w, uint32_t group, uint16_t leader)
{
    struct group_row *g = groups_of(w) + group;
    struct copy_made *c = &g->copy;
    struct replica *l = &g->replica[leader];
    struct replica *r = &g->replica[c->place];
    bool timer = r->timer;
    forget_word(g, c->place, leader);
    client_forgotten(g, c->place);
    *r = (struct replica){.node = c->node, .timer = timer, .follows = leader};
    r->core = term_begin((uint8_t)c->place, g->of);
    r->core.term = l->core.term;
    r->core.vote = (uint8_t)(1 + leader);
    r->core.commit = l->core.commit;
    log_copy(r, l);
    l->next[c->place] = l->core.last + 1;
    l->core.have[c->place] = 0; /* it will say so itself */
    elect_wait(w, group, c->place);
}

/* A member takes over the log, and keeps its vote if it is of this term. */
static void catch_up(struct world *w, uint32_t group, uint16_t leader)
{
    struct group_row *g = groups_of(w) + group;
    struct replica *l = &g->replica[leader];
    struct replica *r = &g->replica[g->copy.place];
    struct term_sent all = {.term = l->core.term,
                            .last = l->core.last,
                            .last_term = l->core.last_term,
                            .commit = l->core.commit,
                            .from = (uint8_t)leader};
    uint8_t was = r->core.role;
    if (term_take(&r->core, w->rules, &all, UINT64_MAX) != TERM_TAKES) {
        return; /* it is in a later term: the leader will hear of it */
    }
    log_copy(r, l);
    r->follows = leader;
    l->next[g->copy.place] = l->core.last + 1;
    elect_stepped_down(w, group, g->copy.place, was);
    elect_wait(w, group, g->copy.place);
}

static void finish(struct world *w, uint32_t group, uint16_t leader)
{
    struct group_row *g = groups_of(w) + group;
    struct copy_made *c = &g->copy;
    uint32_t old = g->replica[c->place].node;
    bool counts = !c->catching_up;
    struct trace_record *t = copies_note(w, group, REASON_COPY_COUNTS, NODE_DIRECTORY_ITSELF,
                                         c->node, g->replica[leader].core.term);
    t->operand[0] = old;
    t->operand[1] = w->now_us - c->began_us;
    t->operand[2] = (int64_t)c->bytes;
    if (counts) {
        take_place(w, group, leader);
        w->copies.done++;
    } else {
        catch_up(w, group, leader);
    }
    w->copies.bytes += c->bytes;
    over(w, group);
    copies_led_changed(w, group);
    if (counts) {
        again_plan(w); /* another replica of the group may have to be replaced as well */
    } else {
        again_check(w);
    }
    send_all(w, group, leader, true);
}

void again_tick(struct world *w, uint32_t group, uint64_t turn)
{
    struct group_row *g = groups_of(w) + group;
    struct copy_made *c = &g->copy;
    if (!c->under_way || c->turn != turn) {
        return;
    }
    enum copy_wait why;
    uint16_t leader = source_of(w, g, &why);
    uint16_t source = leader == NOBODY ? NOBODY : g->replica[leader].node;
    if (source != c->source || source == NOBODY) {
        again_check(w);
        return;
    }
    bool all = again_copied(w, g) == c->bytes;
    if (all && (c->catching_up || is_safe(w, g, leader))) {
        finish(w, group, leader);
        return;
    }
    if (all) {
        note_wait(w, group, COPY_WAITS_MAJORITY);
    }
    uint64_t rate = c->rate;
    settle(w, group);
    set_rate(w, group, rate);
}

/* --- commands --------------------------------------------------------------------------------- */

static void all_off(struct world *w)
{
    for (uint32_t i = 0; i < w->copies.count; i++) {
        const struct copy_made *c = &groups_in(w)[i].copy;
        if (c->under_way && !c->catching_up) {
            again_drop(w, i, COPY_DROP_OFF);
        }
    }
}

static bool apply_on(struct world *w, const struct command *c, struct err *err)
{
    bool on = c->mode == RECOPY_MODE_ON;
    if (on && c->amount > 0 && c->amount < 1000) {
        return err_set(err, "a copy's budget is 1KB a second or more; 0: what the links carry");
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), c->mode, (int64_t)c->amount);
    w->copies.on = on;
    w->copies.wanted = on ? w->copies.declared : 0;
    if (!on) {
        all_off(w);
        return true;
    }
    w->copies.budget = c->amount;
    again_plan(w);
    return true;
}

static bool node_exists(const struct world *w, uint16_t node, struct err *err)
{
    if (node >= w->nodes.count) {
        return err_set(err, "no node N%u: this world has %u nodes", node + 1u, w->nodes.count);
    }
    return true;
}

static bool apply_now(struct world *w, const struct command *c, struct err *err)
{
    if (!node_exists(w, c->shard, err)) {
        return false;
    }
    if (is_declared(w, c->shard)) {
        return err_set(err, "N%u is taken for dead already, and its copies are made anew",
                       c->shard + 1u);
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_MACHINE, c->shard), c->mode, 0);
    copies_declared_dead(w, c->shard);
    w->copies.wanted |= UINT64_C(1) << c->shard;
    again_plan(w);
    return true;
}

/* The place that a copy by hand takes: of one that is declared dead, or else is down; NOBODY. */
static uint16_t missing(const struct world *w, const struct group_row *g)
{
    uint16_t down = NOBODY;
    for (uint16_t i = 0; i < g->of; i++) {
        if (is_declared(w, g->replica[i].node)) {
            return i;
        }
        down = down == NOBODY && !replica_up(w, &g->replica[i]) ? i : down;
    }
    return down;
}

static bool apply_to(struct world *w, const struct command *c, struct err *err)
{
    uint32_t group = 0;
    struct bytes name = {.at = c->key, .length = c->key_length};
    if (!world_group_find(w, name, &group)) {
        return err_set(err, "no group %.*s in this world", c->key_length, c->key);
    }
    const struct group_row *g = groups_in(w) + group;
    uint16_t place = missing(w, g);
    if (!node_exists(w, c->shard, err)) {
        return false;
    }
    if (place == NOBODY) {
        return err_set(err, "all replicas of %s are there; nothing is to be copied", g->name);
    }
    if (group_place(g, c->shard) != NOBODY) {
        return err_set(err, "N%u has a replica of %s already", c->shard + 1u, g->name);
    }
    if (!node_up(w, c->shard) || is_declared(w, c->shard)) {
        return err_set(err, "N%u is down, or taken for dead; choose another node", c->shard + 1u);
    }
    if (world_directory_down(w)) {
        return err_set(err, "the directory is down, and without it no replica changes its node");
    }
    copies_command(w, c, group, node_of(NODE_MACHINE, c->shard), c->mode, (int64_t)group);
    if (g->copy.under_way) {
        again_drop(w, group, COPY_DROP_MOVED);
    }
    start(w, group, place, c->shard, true);
    again_check(w);
    return true;
}

bool again_apply(struct world *w, const struct command *c, struct err *err)
{
    switch ((enum recopy_mode)c->mode) {
    case RECOPY_MODE_ON:
    case RECOPY_MODE_OFF:
        return apply_on(w, c, err);
    case RECOPY_MODE_NOW:
        return apply_now(w, c, err);
    case RECOPY_MODE_TO:
        return apply_to(w, c, err);
    }
    CHECK(false && "no such step");
    return false;
}
