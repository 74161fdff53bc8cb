/*
 * world_read: what others may see of a world.
 */
#include "base/num.h"
#include "engine/directory.h"
#include "engine/store.h"
#include "engine/table.h"
#include <inttypes.h>

const struct world_config *world_config_of(const struct world *w)
{
    return &w->config;
}

uint32_t world_shards(const struct world *w)
{
    return w->shards;
}

uint32_t world_keys(const struct world *w)
{
    return w->keys;
}

struct bytes world_key(const struct world *w, uint32_t key)
{
    CHECK(key < w->keys);
    const struct key_entry *entry = keys_in(w) + key;
    return (struct bytes){.at = entry->text, .length = entry->length};
}

uint16_t world_key_slot(const struct world *w, uint32_t key)
{
    CHECK(key < w->keys);
    return keys_in(w)[key].slot;
}

bool world_find_key(const struct world *w, struct bytes bytes, uint32_t *key)
{
    *key = store_find_key(w, bytes);
    return *key != NO_INDEX;
}

uint8_t world_zone(const struct world *w, struct node node)
{
    switch ((enum node_kind)node.kind) {
    case NODE_CLIENT:
        CHECK(node.index < w->config.zones);
        return (uint8_t)node.index;
    case NODE_ROUTER:
        CHECK(node.index < w->config.routers);
        return routers_in(w)[node.index].zone;
    case NODE_SHARD:
        CHECK(node.index < w->shards);
        return shards_in(w)[node.index].zone;
    case NODE_MACHINE:
        return world_node(w, node.index).zone;
    case NODE_NONE:
    case NODE_DIRECTORY:
    case NODE_OPERATOR: /* sits beside the directory */
    case NODE_SYSTEM:
        break;
    }
    return w->config.directory_zone;
}

bool world_rule(const struct world *w, enum rule rule)
{
    CHECK(rule < RULE_COUNT);
    return rule_on(w->rules, rule);
}

uint32_t world_map_version(const struct world *w)
{
    return w->map_version;
}

uint16_t world_owner(const struct world *w, uint32_t slot)
{
    CHECK(slot < w->config.slots);
    return owners_in(w)[slot];
}

uint32_t world_epoch(const struct world *w, uint32_t slot)
{
    CHECK(slot < w->config.slots);
    return epochs_in(w)[slot];
}

uint32_t world_took(const struct world *w, uint16_t shard, uint32_t version)
{
    CHECK(shard < w->shards);
    const uint32_t *took = shards_in(w)[shard].took;
    return took[0] <= version ? took[0] : took[1] <= version ? took[1] : 0;
}

struct router_info world_router(const struct world *w, uint16_t router)
{
    CHECK(router < w->config.routers);
    const struct router *r = routers_in(w) + router;
    return (struct router_info){.map_version = r->map_version,
                                .deaf = r->deaf,
                                .down = r->down,
                                .requests = r->requests,
                                .redirects = r->redirects,
                                .retries = r->retries};
}

uint16_t world_router_owner(const struct world *w, uint16_t router, uint32_t slot)
{
    CHECK(router < w->config.routers && slot < w->config.slots);
    return directory_lookup(w, routers_in(w)[router].map_version, slot).owner;
}

uint32_t world_router_epoch(const struct world *w, uint16_t router, uint32_t slot)
{
    CHECK(router < w->config.routers && slot < w->config.slots);
    return directory_lookup(w, routers_in(w)[router].map_version, slot).epoch;
}

struct slot_row world_slot_row(const struct world *w, uint16_t shard, uint32_t slot)
{
    CHECK(shard < w->shards && slot < w->config.slots);
    const struct slot_row *rows = table_rows_in(w, shard);
    uint32_t count = shards_in(w)[shard].rows;
    uint32_t at = table_place(w, shard, slot);
    if (at < count && rows[at].first <= slot) {
        return rows[at];
    }
    return (struct slot_row){
        .first = (uint16_t)(at > 0 ? rows[at - 1].last + 1 : 0),
        .last = (uint16_t)(at < count ? rows[at].first - 1u : w->config.slots - 1),
        .other = SHARD_NONE,
        .state = SLOT_ABSENT,
    };
}

uint32_t world_slot_rows(const struct world *w, uint16_t shard)
{
    CHECK(shard < w->shards);
    return shards_in(w)[shard].rows;
}

struct slot_row world_slot_row_at(const struct world *w, uint16_t shard, uint32_t index)
{
    CHECK(shard < w->shards && index < shards_in(w)[shard].rows);
    return table_rows_in(w, shard)[index];
}

struct shard_info world_shard(const struct world *w, uint16_t shard)
{
    CHECK(shard < w->shards);
    const struct shard *s = shards_in(w) + shard;
    return (struct shard_info){
        .write_ceiling = s->bucket[WORK_WRITE].ceiling,
        .read_ceiling = s->bucket[WORK_READ].ceiling,
        .queue = s->queue,
        .served_writes = s->served[WORK_WRITE],
        .served_reads = s->served[WORK_READ],
        .keys_read = s->key_reads,
        .refused_writes = s->refused[WORK_WRITE],
        .refused_reads = s->refused[WORK_READ],
        .moved = s->moved,
        .retried = s->retried,
        .keys = s->keys,
        .copies = s->copies,
        .down = s->down,
    };
}

struct bucket_info world_bucket(const struct world *w, uint16_t shard, bool reads)
{
    CHECK(shard < w->shards);
    const struct shard *s = shards_in(w) + shard;
    return bucket_look(s->bucket[reads ? WORK_READ : WORK_WRITE], w->now_us);
}

uint64_t world_value(const struct world *w, uint16_t shard, uint32_t key)
{
    CHECK(shard < w->shards && key < w->keys);
    return store_value(w, shard, key);
}

uint32_t world_waiting(const struct world *w, unsigned ops, uint32_t key)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->requests_used; i++) {
        const struct request *r = requests_in(w) + i;
        bool open = r->number != 0 && !r->ended && r->origin == ORIGIN_CLIENT;
        count += open && (ops >> r->op & 1) != 0 && (key == KEY_NONE_ID || r->key == key);
    }
    return count;
}

uint64_t world_acked(const struct world *w, uint32_t key)
{
    CHECK(key < w->keys);
    return keys_in(w)[key].acked;
}

uint64_t world_lost(const struct world *w, uint32_t key)
{
    CHECK(key < w->keys);
    const struct key_entry *entry = keys_in(w) + key;
    uint64_t held = store_value(w, shifts_home(w, key), key);
    uint64_t told = held > entry->flying ? held - entry->flying : 0;
    return entry->acked > told ? entry->acked - told : 0;
}

bool world_all_quiet(const struct world *w)
{
    return w->in_flight == 0;
}

bool world_request(const struct world *w, uint64_t number, struct request_info *out)
{
    const struct request *requests = requests_in(w);
    for (uint32_t i = 0; number > 0 && i < w->requests_used; i++) {
        const struct request *r = requests + i;
        if (r->number != number) {
            continue;
        }
        *out = (struct request_info){
            .number = r->number,
            .op = (enum op_kind)r->op,
            .key = r->key,
            .zone = r->zone,
            .router = r->router,
            .shard = r->shard,
            .asks = r->asks,
            .reloads = r->reloads,
            .retries = r->retries,
            .timeouts = r->timeouts,
            .done = r->done,
            .outcome = (enum outcome)r->outcome,
            .issued_us = r->issued_us,
            .ended_us = r->done ? r->issued_us + r->took_us : 0,
            .value = r->value,
        };
        return true;
    }
    return false;
}

uint64_t world_last_request(const struct world *w)
{
    return w->last_command_number;
}

bool world_stopped(const struct world *w, struct err *err)
{
    const struct world_config *c = &w->config;
    switch ((enum stop_reason)w->stop) {
    case STOP_NONE:
        return false;
    case STOP_EVENTS:
        err_set(err, "the world stopped at %s: it has room for %u waiting events; ask for less",
                num_clock(w->now_us).text, c->events_max);
        return true;
    case STOP_REQUESTS:
        err_set(err, "the world stopped at %s: it has room for %u requests in flight; ask for less",
                num_clock(w->now_us).text, c->requests_max);
        return true;
    case STOP_STORE:
        err_set(err,
                "the world stopped at %s: its shards have room for %u counters; use fewer keys",
                num_clock(w->now_us).text, c->store_max);
        return true;
    case STOP_ROWS:
        err_set(err,
                "the world stopped at %s: its slot tables have room for %u rows; move less at "
                "a time",
                num_clock(w->now_us).text, c->rows_max);
        return true;
    case STOP_NODES:
        err_set(err,
                "the world stopped at %s: it has room for %u messages between nodes under way; "
                "ask for less",
                num_clock(w->now_us).text, c->node_messages_max);
        return true;
    case STOP_CLOCK:
        err_set(err, "the world stopped: its clock goes no further than %" PRId64 " seconds",
                WORLD_TIME_MAX / US_PER_SECOND);
        return true;
    }
    CHECK(false && "stopped for no reason");
    return true;
}
