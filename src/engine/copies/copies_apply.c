/*
 * copies_apply: commands about partitions and their copies.
 */
#include "engine/apply.h"
#include "engine/copies/copies_inside.h"
#include <string.h>

#define RATE_MOST 10000u
#define PATIENCE_MOST_US (INT64_C(600) * US_PER_SECOND)

static bool node_exists(const struct world *w, uint32_t node, struct err *err)
{
    if (node >= w->nodes.count) {
        return err_set(err, "no node N%u: this world has %u nodes; more join with: node add a 3",
                       node + 1, w->nodes.count);
    }
    return true;
}

static bool find(const struct world *w, const struct command *c, uint32_t *group, struct err *err)
{
    struct bytes name = {.at = c->key, .length = c->key_length};
    if (!world_group_find(w, name, group)) {
        if (!apply_name_fits(name, "group", GROUP_NAME_BYTES - 1, err)) {
            return false;
        }
        return err_set(err, "no group %.*s in this world; first: group %.*s N1 N2 N3",
                       c->key_length, c->key, c->key_length, c->key);
    }
    return true;
}

/* --- groups ----------------------------------------------------------------------------------- */

static bool group_fits(const struct world *w, const struct command *c, struct err *err)
{
    uint32_t known = 0;
    struct bytes name = {.at = c->key, .length = c->key_length};
    if (!apply_name_fits(name, "group", GROUP_NAME_BYTES - 1, err)) {
        return false;
    }
    if (c->period_us < 0 || c->period_us > PATIENCE_MOST_US ||
        (c->period_us > 0 && c->period_us < 2 * COPIES_BEAT_US)) {
        return err_set(err, "a follower's patience is %lld ms (two beats) to %lld ms",
                       (long long)(2 * COPIES_BEAT_US / US_PER_MS),
                       (long long)(PATIENCE_MOST_US / US_PER_MS));
    }
    if (c->amount > UINT64_C(1000000000000)) {
        return err_set(err, "a shard has at most 1000GB");
    }
    bool is_known = world_group_find(w, name, &known);
    if (is_known && c->count == 0) {
        return true;
    }
    if (c->count == 0 || c->count > TERM_REPLICAS_MAX) {
        return err_set(err, "a group has 1 to %d replicas, each on a node of its own",
                       TERM_REPLICAS_MAX);
    }
    if (!is_known && w->copies.count == w->config.groups_max) {
        return err_set(err, "this world has room for %u groups, all taken", w->config.groups_max);
    }
    return apply_event_room(w, 3 * c->count, err);
}

static bool nodes_fit(const struct world *w, const struct command *c, struct err *err)
{
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t node = (unsigned char)c->other[i];
        if (!node_exists(w, node, err)) {
            return false;
        }
        if (!node_up(w, node)) {
            return err_set(err, "N%u is down; a group begins on nodes that are up", node + 1);
        }
        for (uint32_t j = 0; j < i; j++) {
            if ((unsigned char)c->other[j] == node) {
                return err_set(err, "N%u is named twice; each replica has a node of its own",
                               node + 1);
            }
        }
    }
    return true;
}

/* Everybody is in term 1, has voted for the first, and knows it. Timers of a group that begins anew
 * are known by their numbers, its messages by its life. */
static void begin_group(struct world *w, uint32_t group, const struct command *c)
{
    struct group_row *g = groups_of(w) + group;
    if (group >= w->copies.count) { /* never used: a copied world has anything there */
        memset(g, 0, sizeof *g);
    }
    uint32_t copy_turn = g->copy.turn + 1;
    uint32_t rate_turn = g->rate_turn + 1;
    uint8_t life = (uint8_t)((g->life + 1) % LIVES);
    bool timer[TERM_REPLICAS_MAX];
    for (uint16_t i = 0; i < TERM_REPLICAS_MAX; i++) {
        timer[i] = g->replica[i].timer;
    }
    *g = (struct group_row){.leaderless_since_us = -1,
                            .newest = 1,
                            .of = (uint8_t)c->count,
                            .life = life,
                            .rate_turn = rate_turn};
    g->copy.turn = copy_turn;
    memcpy(g->name, c->key, c->key_length);
    g->bytes = COPIES_BYTES;
    g->patience_us = COPIES_PATIENCE_US;
    g->copy.source = NOBODY;
    for (uint32_t i = 0; i < GROUP_OPS; i++) {
        g->op[i].place = NOBODY;
    }
    for (uint16_t i = 0; i < TERM_REPLICAS_MAX; i++) {
        g->replica[i].timer = timer[i];
    }
    for (uint16_t i = 0; i < g->of; i++) {
        struct replica *r = &g->replica[i];
        *r = (struct replica){.node = (unsigned char)c->other[i], .timer = timer[i]};
        r->core = term_begin((uint8_t)i, g->of);
        r->core.term = 1;
        r->core.vote = 1;
        for (uint16_t j = 0; j < g->of; j++) {
            r->next[j] = 1;
        }
    }
    g->replica[0].core.role = TERM_LEADER;
    g->led[1].term = 1;
    g->led[1].who = 1 + (uint64_t)g->replica[0].node;
}

static bool apply_group(struct world *w, const struct command *c, struct err *err)
{
    uint32_t group = w->copies.count;
    struct bytes name = {.at = c->key, .length = c->key_length};
    if (!group_fits(w, c, err) || !nodes_fit(w, c, err)) {
        return false;
    }
    bool is_known = world_group_find(w, name, &group);
    bool is_new = c->count > 0;
    if (is_known && is_new) {
        client_end_all(w, group);
    }
    if (is_known && is_new && groups_in(w)[group].copy.under_way) {
        again_drop(w, group, COPY_DROP_OFF);
    }
    if (is_new) {
        if (group == 0 && w->copies.requests == 0) {
            w->copies.prng = prng_seeded(w->config.seed, "copies");
            w->copies.ended_us = -1;
            w->copies.began_us = -1;
        }
        begin_group(w, group, c);
        w->copies.count += !is_known;
    }
    struct group_row *g = groups_of(w) + group;
    g->bytes = c->amount > 0 ? c->amount : g->bytes;
    if (c->pick > 0 && g->acks != c->pick - 1) { /* what was promised before was another promise */
        memset(g->acked_entry, 0, sizeof g->acked_entry);
        g->read = (struct acked_entry){0};
        g->promised = 0;
        for (uint32_t i = 0; i < GROUP_OPS; i++) {
            g->op[i].promised = 0;
        }
        g->acks = (uint8_t)(c->pick - 1);
    }
    g->patience_us = c->period_us > 0 ? c->period_us : g->patience_us;
    g->bare = c->mode == GROUP_MODE_AS_IT_IS ? g->bare : c->mode == GROUP_MODE_BARE;
    copies_command(w, c, group, node_of(NODE_MACHINE, g->replica[0].node), is_new, g->acks)->value =
        g->of;
    for (uint16_t i = 0; is_new && i < g->of; i++) {
        if (i > 0) {
            elect_wait(w, group, i);
            g->replica[i].follows = 0;
        }
    }
    if (is_new) {
        send_beat(w, group, 0);
    }
    return true;
}

/* --- clients and leaders ---------------------------------------------------------------------- */

static bool via_exists(const struct world *w, uint32_t group, uint16_t node, struct err *err)
{
    const struct group_row *g = groups_in(w) + group;
    if (node == NOBODY) {
        return true;
    }
    if (!node_exists(w, node, err)) {
        return false;
    }
    return group_place(g, node) != NOBODY ||
           err_set(err, "N%u has no replica of %s", node + 1u, g->name);
}

static bool room_for_client(const struct world *w, struct err *err)
{
    if (!nodes_take_clients(w)) {
        return err_set(
            err,
            "this world has room for %u messages between nodes, nearly all taken; run it "
            "first",
            w->config.node_messages_max);
    }
    return true;
}

static bool apply_append(struct world *w, const struct command *c, struct err *err)
{
    uint32_t group = 0;
    if (!find(w, c, &group, err) || !via_exists(w, group, c->shard, err) ||
        !apply_event_room(w, 2, err)) {
        return false;
    }
    struct group_row *g = groups_of(w) + group;
    if (c->mode == APPEND_MODE_RATE) {
        if (c->rate > RATE_MOST) {
            return err_set(err, "clients write 0 (no more) to %u times a second", RATE_MOST);
        }
        copies_command(w, c, group, node_of(NODE_NONE, 0), c->mode, c->rate);
        g->rate = c->rate;
        g->rate_turn++;
        if (c->rate > 0) {
            copies_timer(w, group, 0, COPY_TIMER_RATE, US_PER_SECOND / c->rate, g->rate_turn);
        }
        return true;
    }
    if (!room_for_client(w, err)) {
        return false;
    }
    if (c->on && c->amount > UINT32_MAX) {
        return err_set(err, "a value is 0 to %u", UINT32_MAX);
    }
    uint64_t value = c->on ? c->amount : g->next_value + 1;
    g->next_value = value;
    copies_command(w, c, group,
                   c->shard == NOBODY ? node_of(NODE_NONE, 0) : node_of(NODE_MACHINE, c->shard),
                   c->mode, (int64_t)value);
    client_writes(w, group, value, c->shard, true);
    return true;
}

static bool apply_look(struct world *w, const struct command *c, struct err *err)
{
    uint32_t group = 0;
    if (!find(w, c, &group, err) || !via_exists(w, group, c->shard, err) ||
        !apply_event_room(w, 2, err) || !room_for_client(w, err)) {
        return false;
    }
    copies_command(w, c, group,
                   c->shard == NOBODY ? node_of(NODE_NONE, 0) : node_of(NODE_MACHINE, c->shard),
                   c->pick, 0);
    client_looks(w, group, c->shard, c->pick != 0);
    return true;
}

static bool apply_stand(struct world *w, const struct command *c, struct err *err)
{
    uint32_t group = 0;
    if (!find(w, c, &group, err) || !via_exists(w, group, c->shard, err) ||
        !apply_event_room(w, TERM_REPLICAS_MAX + 2, err)) {
        return false;
    }
    const struct group_row *g = groups_in(w) + group;
    const struct replica *r = &g->replica[group_place(g, c->shard)];
    if (!replica_up(w, r)) {
        return err_set(err, "N%u is down and cannot stand for anything", c->shard + 1u);
    }
    if (r->core.role == TERM_LEADER) {
        return err_set(err, "N%u leads %s already, in term %llu", c->shard + 1u, g->name,
                       (unsigned long long)r->core.term);
    }
    if (c->pick != 0 && r->core.role != TERM_CANDIDATE) {
        return err_set(err, "N%u does not stand for %s; first: stand %s N%u", c->shard + 1u,
                       g->name, g->name, c->shard + 1u);
    }
    copies_command(w, c, group, node_of(NODE_MACHINE, c->shard), c->pick, 0);
    if (c->pick != 0) {
        elect_ask(w, group, group_place(g, c->shard));
    } else {
        elect_stand(w, group, group_place(g, c->shard), 0);
    }
    return true;
}

bool copies_apply(struct world *w, const struct command *c, struct err *err)
{
    if (c->kind == COMMAND_GROUP) {
        return apply_group(w, c, err);
    }
    if (c->kind == COMMAND_APPEND) {
        return apply_append(w, c, err);
    }
    if (c->kind == COMMAND_LOOK) {
        return apply_look(w, c, err);
    }
    return c->kind == COMMAND_STAND ? apply_stand(w, c, err) : again_apply(w, c, err);
}
