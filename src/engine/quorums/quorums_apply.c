/*
 * quorums_apply: the commands of the stores without leaders.
 */
#include "engine/apply.h"
#include "engine/quorums/quorums_inside.h"
#include "place/crc16.h"
#include <string.h>

static struct bytes name_of(const struct command *c)
{
    return (struct bytes){.at = c->other, .length = c->other_length};
}

bool world_store_find(const struct world *w, struct bytes name, uint32_t *index)
{
    for (uint32_t i = 0; i < w->quorums.count; i++) {
        if (bytes_equal(bytes_of(stores_in(w)[i].name), name)) {
            *index = i;
            return true;
        }
    }
    return false;
}

static bool find(const struct world *w, const struct command *c, uint32_t *index, struct err *err)
{
    if (world_store_find(w, name_of(c), index)) {
        return true;
    }
    if (!apply_name_fits(name_of(c), "store", STORE_NAME_BYTES - 1, err)) {
        return false;
    }
    return err_set(err, "no store %.*s; begin one: store %.*s 3 2 2", (int)c->other_length,
                   c->other, (int)c->other_length, c->other);
}

/* --- store --- */

static bool may_define(const struct world *w, const struct command *c, struct err *err)
{
    uint32_t n = c->count;
    uint32_t nodes = w->nodes.count;
    if (w->config.stores_max == 0 || w->config.nodes_max == 0) {
        return err_set(err, "this world has no room for stores without leaders");
    }
    if (!apply_name_fits(name_of(c), "store", STORE_NAME_BYTES - 1, err)) {
        return false;
    }
    if (n < 1 || n > STORE_COPIES_MAX || c->writes < 1 || c->writes > n || c->reads < 1 ||
        c->reads > n) {
        return err_set(err, "N is 1 to %d, W and R are 1 to N; N %u, W %u, R %u is not that",
                       STORE_COPIES_MAX, n, c->writes, c->reads);
    }
    if (nodes < n) {
        return err_set(err, "N %u needs as many nodes, and %u have joined; first: node add a %u", n,
                       nodes, n - nodes);
    }
    return true;
}

static bool define(struct world *w, const struct command *c, struct err *err)
{
    uint32_t index = 0;
    if (!may_define(w, c, err)) {
        return false;
    }
    bool known = world_store_find(w, name_of(c), &index);
    if (!known && w->quorums.count == w->config.stores_max) {
        return err_set(err, "this world has room for %u stores and has as many; begin one anew",
                       w->config.stores_max);
    }
    index = known ? index : w->quorums.count++;
    struct store_row *s = stores_of(w) + index;
    for (uint32_t i = 0; known && i < STORE_HISTORY_MAX; i++) {
        w->command_requests_open -= s->op[i].number != 0 && !s->op[i].ended;
    }
    /* What is still under way names numbers of before. */
    struct store_row fresh = {
        .n = (uint8_t)c->count,
        .w = (uint8_t)c->writes,
        .r = (uint8_t)c->reads,
        .sloppy = c->on,
        .hints_count = true,
        .clock = true,
        .nodes = (uint8_t)(w->nodes.count < STORE_NODES_MAX ? w->nodes.count : STORE_NODES_MAX),
        .last_op = known ? s->last_op : 0,
        .last_version = known ? s->last_version : 0,
        .handover = known ? s->handover + 1 : 0};
    memcpy(fresh.name, c->other, c->other_length);
    *s = fresh;
    struct trace_record *t = quorum_note_command(w, c, index);
    t->operand[1] = (int64_t)(c->count * 10000u + c->writes * 100u + c->reads);
    t->operand[2] = c->on;
    return true;
}

static bool set_mode(struct world *w, const struct command *c, struct err *err)
{
    uint32_t index = 0;
    if (!find(w, c, &index, err)) {
        return false;
    }
    struct store_row *s = stores_of(w) + index;
    switch ((enum store_mode)c->mode) {
    case STORE_MODE_HINTS:
        if (!s->sloppy) {
            return err_set(err, "%s is not sloppy: nobody keeps a hint in it", s->name);
        }
        s->hints_count = c->pick != 0;
        break;
    case STORE_MODE_REPAIR:
        s->repair = c->pick;
        break;
    case STORE_MODE_VERSIONS:
        if (s->last_version > 0 && s->sets > 0) {
            return err_set(err, "%s holds values already; begin it anew first", s->name);
        }
        s->clock = c->pick == 0;
        break;
    case STORE_MODE_DEFINE:
    default:
        return err_set(err, "nobody can do that to a store");
    }
    struct trace_record *t = quorum_note_command(w, c, index);
    t->operand[1] = -(int64_t)c->mode;
    t->operand[2] = c->pick;
    return true;
}

/* --- set, get --- */

static bool key_number(struct world *w, uint32_t store, const struct command *c, uint8_t *key,
                       struct err *err)
{
    struct store_row *s = stores_of(w) + store;
    struct bytes wanted = {.at = c->key, .length = c->key_length};
    for (uint8_t i = 0; i < s->keys; i++) {
        if (bytes_equal(wanted, world_store_key(w, store, i))) {
            *key = i;
            return true;
        }
    }
    if (s->keys == STORE_KEYS_MAX) {
        return err_set(err, "%s has room for %d keys and has met as many; use one of them", s->name,
                       STORE_KEYS_MAX);
    }
    *key = s->keys;
    return true;
}

static void add_key(struct store_row *s, const struct command *c)
{
    struct store_key *k = s->key + s->keys++;
    k->length = c->key_length;
    memcpy(k->text, c->key, c->key_length);
    k->first = (uint8_t)(crc16(c->key, c->key_length) % s->nodes);
}

static bool may_ask(const struct world *w, uint32_t store, const struct command *c, struct err *err)
{
    const struct store_row *s = stores_in(w) + store;
    const struct quorum_op *next = s->op + (s->last_op + 1) % STORE_HISTORY_MAX;
    if (c->shard >= w->nodes.count) {
        return err_set(err, "no node N%u: this world has N1 to N%u", c->shard + 1u, w->nodes.count);
    }
    if (c->shard >= STORE_NODES_MAX) {
        return err_set(err, "%s knows N1 to N%d only", s->name, STORE_NODES_MAX);
    }
    if (next->number != 0 && !next->ended) {
        return err_set(err, "%s has %d operations under way, no more fit; run the world first",
                       s->name, STORE_HISTORY_MAX);
    }
    if (c->kind == COMMAND_SET && c->amount == 0) {
        return err_set(err, "a value is a number from 1 on: 0 stands for nothing");
    }
    return apply_event_room(w, 2, err);
}

static bool ask(struct world *w, const struct command *c, struct err *err)
{
    uint32_t store = 0;
    uint8_t key = 0;
    if (!find(w, c, &store, err) || !may_ask(w, store, c, err) ||
        !key_number(w, store, c, &key, err)) {
        return false;
    }
    struct store_row *s = stores_of(w) + store;
    bool fresh = key == s->keys;
    uint32_t version = NO_INDEX;
    if (fresh) {
        add_key(s, c);
    }
    if (c->kind == COMMAND_SET) {
        version = version_make(w, store, key, (uint8_t)c->shard, c->amount, err);
        if (version == UINT16_MAX) {
            s->keys = (uint8_t)(s->keys - fresh);
            return false;
        }
    }
    quorum_ask(w, store, key, (uint8_t)c->shard, version);
    return true;
}

bool quorums_apply(struct world *w, const struct command *c, struct err *err)
{
    if (c->kind != COMMAND_STORE) {
        return ask(w, c, err);
    }
    return c->mode == STORE_MODE_DEFINE ? define(w, c, err) : set_mode(w, c, err);
}
