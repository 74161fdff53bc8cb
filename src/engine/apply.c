/*
 * apply: every command but the moves, and the checks that they share.
 */
#include "engine/apply.h"

#include "engine/bucket.h"
#include "engine/queue.h"
#include "engine/steps.h"
#include "engine/store.h"
#include <stdio.h>
#include <string.h>

static bool router_exists(const struct world *w, uint16_t router, struct err *err)
{
    if (router >= w->config.routers) {
        return err_set(err, "no router R%u: this world has R0 to R%u", router,
                       w->config.routers - 1u);
    }
    return true;
}

bool apply_shard_exists(const struct world *w, uint16_t shard, struct err *err)
{
    if (shard >= w->shards) {
        return err_set(err, "no shard S%u: this world has S0 to S%u", shard, w->shards - 1u);
    }
    return true;
}

static bool zone_exists(const struct world *w, uint8_t zone, struct err *err)
{
    if (zone != ZONE_ANY && zone >= w->config.zones) {
        return err_set(err, "no zone %c: this world has a to %c", 'a' + zone % 26,
                       'a' + w->config.zones - 1);
    }
    return true;
}

bool apply_slots_exist(const struct world *w, const struct command *c, struct err *err)
{
    if (c->first > c->last || c->last >= w->config.slots) {
        return err_set(err, "no slots %u-%u: this world has 0 to %u, the smaller number first",
                       c->first, c->last, w->config.slots - 1);
    }
    return true;
}

static bool key_fits(const struct world *w, const struct command *c, struct err *err)
{
    if (c->op >= OP_ASKABLE) {
        return err_set(err, "no operation of number %u for clients", (unsigned)c->op);
    }
    if (c->key_length < 1 || c->key_length > KEY_BYTES_MAX) {
        return err_set(err, "a key has 1 to %d bytes", KEY_BYTES_MAX);
    }
    struct bytes key = {.at = c->key, .length = c->key_length};
    if (w->keys == w->config.keys_max && store_find_key(w, key) == NO_INDEX) {
        return err_set(err, "this world has room for %u keys and has met as many; use one of them",
                       w->config.keys_max);
    }
    return true;
}

bool apply_name_fits(struct bytes name, const char *whose, size_t most, struct err *err)
{
    const char *at = name.at;
    bool fits = name.length >= 1 && name.length <= most;
    for (size_t i = 0; fits && i < name.length; i++) {
        fits = (at[i] >= 'a' && at[i] <= 'z') || (at[i] >= 'A' && at[i] <= 'Z') ||
               (at[i] >= '0' && at[i] <= '9') || at[i] == '-' || at[i] == '_';
    }
    return fits ||
           err_set(err, "a %s's name has 1 to %zu letters, digits, '-' and '_' only", whose, most);
}

bool apply_event_room(const struct world *w, uint32_t wanted, struct err *err)
{
    if (queue_room(w) < wanted) {
        return err_set(err, "this world has room for %u waiting events, too few now; run it first",
                       w->config.events_max);
    }
    return true;
}

static struct bytes key_of(const struct command *c)
{
    return (struct bytes){.at = c->key, .length = c->key_length};
}

/* What the operator did, for the trace; operands by kind, see trace_say.c. */
void apply_note(struct world *w, const struct command *c, uint32_t key, struct node to, int64_t a,
                int64_t b)
{
    struct trace_record *t = trace_add(w, TRACE_COMMAND);
    t->key = key;
    t->slot = c->first;
    t->version = w->map_version;
    t->from = node_of(NODE_OPERATOR, 0);
    t->to = to;
    t->op = (uint8_t)c->op;
    t->reason = REASON_OPERATOR;
    t->operand[0] = c->kind;
    t->operand[1] = a;
    t->operand[2] = b;
    t->value = c->kind == COMMAND_CEILING ? c->queue : c->kind == COMMAND_FLOW ? c->count : c->on;
}

static bool apply_request(struct world *w, const struct command *c, struct err *err)
{
    if (!router_exists(w, c->router, err) || !zone_exists(w, c->zone, err) ||
        !key_fits(w, c, err) ||
        !apply_event_room(w, w->config.client_timeout_us > 0 ? 2 : 1, err)) {
        return false;
    }
    if (!request_room(w)) {
        return err_set(err,
                       "this world has room for %u requests in flight, all taken; run it first",
                       w->config.requests_max);
    }
    uint32_t key = store_intern(w, key_of(c));
    uint8_t zone = c->zone == ZONE_ANY ? routers_in(w)[c->router].zone : c->zone;
    uint32_t index = client_ask(w, c->op, key, c->router, zone, REASON_OPERATOR);
    CHECK(index != NO_INDEX);
    struct request *r = requests_of(w) + index;
    if (!op_reads(c->op)) {
        r->value = c->amount;
    }
    r->asked_by_command = 1;
    w->command_requests_open++;
    w->last_command_number = r->number;
    return true;
}

/* The flow of these keys and this operation; else one that ended or is new; NO_INDEX: no room. */
static uint32_t find_flow(const struct world *w, uint32_t key, uint32_t keys, enum op_kind op,
                          bool *known)
{
    uint32_t ended = NO_INDEX;
    for (uint32_t i = 0; i < w->flows; i++) {
        const struct flow *f = flows_in(w) + i;
        if (f->key == key && f->keys == keys && f->op == op) {
            *known = true;
            return i;
        }
        if (f->rate == 0 && ended == NO_INDEX) {
            ended = i;
        }
    }
    *known = false;
    if (w->flows < w->config.flows_max) {
        return w->flows;
    }
    return ended;
}

static void start_flow(struct world *w, uint32_t index, uint32_t key, const struct command *c)
{
    struct flow *f = flows_of(w) + index;
    const struct key_entry *entry = keys_in(w) + key;
    char stream[KEY_BYTES_MAX + 40];
    (void)snprintf(stream, sizeof stream, "flow %s %.*s", op_name(c->op), entry->length,
                   entry->text);
    *f = (struct flow){
        .prng = prng_seeded(w->config.seed, stream),
        .key = key,
        .keys = c->count > 0 ? c->count : 1,
        .turn = index % w->config.routers,
        .op = (uint8_t)c->op,
    };
    w->flows = index == w->flows ? w->flows + 1 : w->flows;
}

/* The text of key number i of a command over many keys: the star stands for the number. */
static struct bytes starred_key(const struct command *c, uint32_t i, char out[KEY_BYTES_MAX])
{
    struct bytes key = key_of(c);
    const char *star = memchr(key.at, '*', key.length);
    size_t before = (size_t)(star - key.at);
    char number[12];
    int digits = snprintf(number, sizeof number, "%u", i);
    size_t after = key.length - before - 1;
    memcpy(out, key.at, before);
    memcpy(out + before, number, (size_t)digits);
    memcpy(out + before + (size_t)digits, star + 1, after);
    return (struct bytes){.at = out, .length = before + (size_t)digits + after};
}

/* Whether all keys of the command can be had side by side: all known so, or all new. */
static bool many_keys_fit(const struct world *w, const struct command *c, struct err *err)
{
    char text[KEY_BYTES_MAX];
    const char *star = memchr(c->key, '*', c->key_length);
    if (star == NULL || c->key_length > KEY_BYTES_MAX - 10) {
        return err_set(err,
                       "a flow over many keys needs a star in its key, as in user:*, and at "
                       "most %d bytes",
                       KEY_BYTES_MAX - 10);
    }
    uint32_t first = store_find_key(w, starred_key(c, 0, text));
    if (first == NO_INDEX && c->count > w->config.keys_max - w->keys) {
        return err_set(err, "this world has room for %u keys and has met %u; ask for fewer than %u",
                       w->config.keys_max, w->keys, c->count);
    }
    for (uint32_t i = 1; i < c->count; i++) {
        uint32_t key = store_find_key(w, starred_key(c, i, text));
        if (first == NO_INDEX ? key != NO_INDEX : key != first + i) {
            return err_set(err,
                           "some keys of %.*s were met before, in another order; use another "
                           "name",
                           c->key_length, c->key);
        }
    }
    return true;
}

static uint32_t intern_many(struct world *w, const struct command *c)
{
    char text[KEY_BYTES_MAX];
    uint32_t first = store_intern(w, starred_key(c, 0, text));
    for (uint32_t i = 1; i < c->count; i++) {
        uint32_t key = store_intern(w, starred_key(c, i, text));
        CHECK(key == first + i);
    }
    return first;
}

static bool flow_fits(const struct world *w, const struct command *c, struct err *err)
{
    if (c->rate > RATE_MAX || c->arrivals > ARRIVALS_POISSON) {
        return err_set(err, "a flow has a rate of 0 to %u a second, steady, scattered or poisson",
                       RATE_MAX);
    }
    return c->count > 0 ? many_keys_fit(w, c, err) : key_fits(w, c, err);
}

static bool apply_flow(struct world *w, const struct command *c, struct err *err)
{
    if (!flow_fits(w, c, err)) {
        return false;
    }
    bool known = false;
    char text[KEY_BYTES_MAX];
    uint32_t keys = c->count > 0 ? c->count : 1;
    uint32_t key = store_find_key(w, c->count > 0 ? starred_key(c, 0, text) : key_of(c));
    uint32_t index = find_flow(w, key, keys, c->op, &known);
    bool runs = known && flows_in(w)[index].rate > 0;
    if (c->rate == 0 && !runs) {
        return err_set(err, "no flow of %ss of this key runs, so none can end", op_name(c->op));
    }
    if (index == NO_INDEX) {
        return err_set(err, "this world has room for %u flows, all taken; end one first",
                       w->config.flows_max);
    }
    if (!runs && !apply_event_room(w, 1, err)) {
        return false;
    }
    key = c->count > 0 ? intern_many(w, c) : store_intern(w, key_of(c));
    if (!known) {
        start_flow(w, index, key, c);
    }
    apply_note(w, c, key, node_of(NODE_NONE, 0), c->rate, c->arrivals);
    traffic_set(w, index, c->rate, c->arrivals);
    return true;
}

static bool apply_shard_add(struct world *w, const struct command *c, struct err *err)
{
    if (!zone_exists(w, c->zone, err)) {
        return false;
    }
    if (w->shards == w->config.shards_max) {
        return err_set(err, "this world has room for %u shards and has as many",
                       w->config.shards_max);
    }
    struct shard *s = shards_of(w) + w->shards;
    s->zone = c->zone;
    if (c->zone == ZONE_ANY) {
        s->zone = zone_in_turn(w->config.shard_zone, w->shards, w->config.zones);
    }
    if ((w->fleet.zones_down >> s->zone & 1) != 0) {
        return err_set(err, "zone %c is down: no shard can join there", 'a' + s->zone);
    }
    s->queue = w->config.queue;
    s->copies = 1;
    bucket_set(&s->bucket[WORK_WRITE], w->now_us, w->config.write_ceiling);
    bucket_set(&s->bucket[WORK_READ], w->now_us, w->config.read_ceiling);
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, w->shards), s->zone, 0);
    w->shards++;
    return true;
}

static bool apply_ceiling(struct world *w, const struct command *c, struct err *err)
{
    if (!apply_shard_exists(w, c->shard, err)) {
        return false;
    }
    uint64_t reads = (uint64_t)c->reads * shards_in(w)[c->shard].copies; /* each copy's ceiling */
    if (c->writes > CEILING_MAX || reads > CEILING_MAX || c->queue > QUEUE_MAX) {
        return err_set(err, "a ceiling is 0 (none) to %u a second, a queue 0 to %u", CEILING_MAX,
                       QUEUE_MAX);
    }
    struct shard *s = shards_of(w) + c->shard;
    bucket_set(&s->bucket[WORK_WRITE], w->now_us, c->writes);
    bucket_set(&s->bucket[WORK_READ], w->now_us, (uint32_t)reads);
    s->queue = c->queue;
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, c->shard), c->writes, c->reads);
    return true;
}

static bool apply_deaf(struct world *w, const struct command *c, struct err *err)
{
    if (!router_exists(w, c->router, err)) {
        return false;
    }
    routers_of(w)[c->router].deaf = c->on;
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_ROUTER, c->router), c->on, 0);
    return true;
}

static bool apply_reload(struct world *w, const struct command *c, struct err *err)
{
    if (!router_exists(w, c->router, err) || !apply_event_room(w, 1, err)) {
        return false;
    }
    router_fetch(w, c->router, REASON_OPERATOR);
    return true;
}

static bool apply_rule(struct world *w, const struct command *c, struct err *err)
{
    if (c->rule >= RULE_COUNT) {
        return err_set(err, "no rule of number %u; there are %d", (unsigned)c->rule, RULE_COUNT);
    }
    w->rules = c->on ? w->rules | rule_bit(c->rule) : w->rules & ~rule_bit(c->rule);
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), c->rule, c->on);
    return true;
}

bool world_apply(struct world *w, const struct command *command, struct err *err)
{
    static bool (*const basic[COMMAND_READS])(struct world * w, const struct command *c,
                                              struct err *err) = {
        [COMMAND_REQUEST] = apply_request, [COMMAND_FLOW] = apply_flow,
        [COMMAND_RULE] = apply_rule,       [COMMAND_DEAF] = apply_deaf,
        [COMMAND_RELOAD] = apply_reload,   [COMMAND_MOVE] = apply_move,
        [COMMAND_FREEZE] = apply_freeze,   [COMMAND_SHARD_ADD] = apply_shard_add,
        [COMMAND_CEILING] = apply_ceiling,
    };
    if (world_stopped(w, err)) {
        return false;
    }
    if (command->kind < COMMAND_READS) {
        return basic[command->kind](w, command, err);
    }
    if (command->kind < COMMAND_WRITES) {
        return reads_apply(w, command, err);
    }
    if (command->kind < COMMAND_INDEX) {
        return writes_apply(w, command, err);
    }
    if (command->kind < COMMAND_LIMIT) {
        return accounts_apply(w, command, err);
    }
    if (command->kind < COMMAND_MIGRATE) {
        return guards_apply(w, command, err);
    }
    if (command->kind < COMMAND_DUAL) {
        return moves_apply(w, command, err);
    }
    if (command->kind < COMMAND_QUERY) {
        return shifts_apply(w, command, err);
    }
    if (command->kind < COMMAND_ROW) {
        return queries_apply(w, command, err);
    }
    if (command->kind < COMMAND_CATALOG) {
        return txns_apply(w, command, err);
    }
    if (command->kind < COMMAND_NODE) {
        return indexes_apply(w, command, err);
    }
    if (command->kind < COMMAND_GROUP) {
        return nodes_apply(w, command, err);
    }
    if (command->kind < COMMAND_STORE) {
        return copies_apply(w, command, err);
    }
    if (command->kind < COMMAND_BEATS) {
        return quorums_apply(w, command, err);
    }
    if (command->kind < COMMAND_CAPACITY) {
        return watch_apply(w, command, err);
    }
    if (command->kind < COMMAND_SYSTEM) {
        return fleet_apply(w, command, err);
    }
    if (command->kind < COMMAND_NETWORK) {
        return systems_apply(w, command, err);
    }
    if (command->kind < COMMAND_KINDS) {
        return faults_apply(w, command, err);
    }
    return err_set(err, "no command of number %u", (unsigned)command->kind);
}
