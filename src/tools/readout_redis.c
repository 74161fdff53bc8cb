/*
 * readout_redis: the shards as nodes of a Redis Cluster: what each says of itself and of others,
 * and CLUSTER NODES.
 */
#include "base/alloc.h"
#include "base/num.h"
#include "engine/fleet/fleet.h"
#include "engine/moves/moves.h"
#include "engine/trace.h"
#include "tools/readout_inside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MIDNIGHT_MS INT64_C(1759968000000) /* of the story's day: 9 October 2025 */
#define NODE_TIMEOUT_US (15 * US_PER_SECOND)
#define AGREED_US US_PER_SECOND /* later the majority has told each other */
#define PING_MS 1000            /* each node hears of each other once in so many */

/* --- of itself --- */

/* The slot waits behind the fence of its own move; a frozen one waits for nothing. */
static bool fenced(const struct world *w, uint16_t shard, uint32_t slot, uint16_t *target)
{
    struct move_info m;
    if (!moves_info_of(w, slot, &m) || m.ended || m.source != shard) {
        return false;
    }
    *target = m.target;
    return true;
}

static bool claims(const struct world *w, uint16_t shard, const struct slot_row *row, uint32_t slot)
{
    uint16_t target;
    if (row->state == SLOT_MIGRATING) {
        return fenced(w, shard, slot, &target);
    }
    return row->state == SLOT_OWNED || row->state == SLOT_LEAVING;
}

uint32_t readout_claims(const struct world *w, uint16_t shard, bool claimed[READOUT_SLOTS])
{
    uint32_t count = 0;
    memset(claimed, 0, READOUT_SLOTS * sizeof *claimed);
    for (uint32_t i = 0; i < world_slot_rows(w, shard); i++) {
        struct slot_row row = world_slot_row_at(w, shard, i);
        for (uint32_t slot = row.first; slot <= row.last; slot++) {
            claimed[slot] = claims(w, shard, &row, slot);
            count += claimed[slot];
        }
    }
    return count;
}

static enum open_kind open_of(const struct world *w, uint16_t shard, const struct slot_row *row,
                              uint32_t slot, uint16_t *other)
{
    struct move_info m;
    *other = row->other;
    switch (row->state) {
    case SLOT_LEAVING:
        return OPEN_MIGRATING;
    case SLOT_MIGRATING:
        return fenced(w, shard, slot, other) ? OPEN_MIGRATING : OPEN_NOT;
    case SLOT_RECEIVING:
        if (moves_info_of(w, slot, &m)) {
            *other = m.source;
        }
        return OPEN_IMPORTING;
    case SLOT_ARRIVING:
        return OPEN_IMPORTING;
    default:
        return OPEN_NOT;
    }
}

uint32_t readout_open(const struct world *w, uint16_t shard, struct open_slot *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < world_slot_rows(w, shard); i++) {
        struct slot_row row = world_slot_row_at(w, shard, i);
        for (uint32_t slot = row.first; slot <= row.last; slot++) {
            struct open_slot one = {.slot = (uint16_t)slot};
            one.kind = open_of(w, shard, &row, slot, &one.other);
            if (one.kind == OPEN_NOT) {
                break; /* nor is any other slot of the row, but behind a fence, which is one slot */
            }
            if (count < READOUT_OPEN_MAX) {
                out[count++] = one;
            }
        }
    }
    return count;
}

uint8_t readout_replicas(const struct world *w, uint16_t shard)
{
    return (uint8_t)(world_shard(w, shard).copies - 1);
}

/* --- of others --- */

/* The map that a node knows is that of the router of its number; NOBODY: the newest. */
static uint16_t map_of(const struct world *w, uint16_t shard)
{
    return shard < world_config_of(w)->routers ? shard : NOBODY;
}

/* Whose a slot is by a node's map, its own table aside. */
static uint16_t told_owner(const struct world *w, uint16_t shard, uint32_t slot)
{
    uint16_t router = map_of(w, shard);
    uint16_t owner = router == NOBODY ? world_owner(w, slot) : world_router_owner(w, router, slot);
    if (owner != shard) {
        return owner;
    }
    /* Its map is older than its own table: that it gave the slot away it knows. */
    struct slot_row row = world_slot_row(w, shard, slot);
    return row.state == SLOT_MOVED ? row.other : NOBODY;
}

/* 1, 2, 3 ... as the cluster was made; who takes slots takes one above all. An empty node that has
 * joined has 0. */
static uint32_t epoch_of(const struct world *w, uint16_t shard, uint32_t version)
{
    const struct world_config *config = world_config_of(w);
    uint32_t took = world_took(w, shard, version);
    if (took > config->map_version) {
        return config->shards + took - config->map_version;
    }
    return shard < config->shards ? shard + 1u : 0;
}

void readout_epochs(const struct world *w, uint16_t asked, uint32_t out[READOUT_SHARDS_MAX])
{
    uint16_t router = map_of(w, asked);
    uint32_t newest = world_map_version(w);
    uint32_t known = router == NOBODY ? newest : world_router(w, router).map_version;
    for (uint16_t i = 0; i < world_shards(w); i++) {
        out[i] = epoch_of(w, i, i == asked ? newest : known);
    }
}

struct readout_view *readout_view_of(const struct world *w, uint16_t shard)
{
    struct readout_view *view = xcalloc(1, sizeof *view);
    bool claimed[READOUT_SLOTS];
    (void)readout_claims(w, shard, claimed);
    for (uint32_t slot = 0; slot < READOUT_SLOTS; slot++) {
        view->owner[slot] = claimed[slot] ? shard : told_owner(w, shard, slot);
    }
    readout_epochs(w, shard, view->epoch);
    return view;
}

/* --- who is down --- */

/* When a shard died, as far as the trace remembers; else long ago. */
static int64_t died_at(const struct world *w, uint16_t shard)
{
    for (uint64_t at = trace_next(w); at-- > trace_first(w);) {
        const struct trace_record *r = trace_get(w, at);
        if (r != NULL && r->from.kind == NODE_SHARD && r->from.index == shard &&
            (r->reason == REASON_FAULTS_DIED || r->reason == REASON_FLEET_GOES)) {
            return r->time_us;
        }
    }
    return world_now(w) - 60 * US_PER_SECOND;
}

enum node_health readout_health(const struct world *w, uint16_t shard, int64_t *since_us)
{
    *since_us = 0;
    if (!world_shard(w, shard).down) {
        return HEALTH_UP;
    }
    *since_us = died_at(w, shard);
    int64_t silent = world_now(w) - *since_us;
    uint32_t masters = 0, up = 0;
    for (uint16_t i = 0; i < world_shards(w); i++) {
        bool votes = world_slot_rows(w, i) > 0;
        masters += votes;
        up += votes && !world_shard(w, i).down;
    }
    if (silent < NODE_TIMEOUT_US) {
        return HEALTH_SILENT;
    }
    return silent < NODE_TIMEOUT_US + AGREED_US || up <= masters / 2 ? HEALTH_SUSPECTED
                                                                     : HEALTH_FAILED;
}

/* --- CLUSTER NODES --- */

static void add_flags(struct str *out, bool myself, uint8_t copy, enum node_health health)
{
    str_add(out, myself ? "myself," : "");
    str_add(out, copy == 0 ? "master" : "slave");
    str_add(out, health == HEALTH_SUSPECTED ? ",fail?" : health == HEALTH_FAILED ? ",fail" : "");
}

/* When the last ping that is not answered was sent, and the last answer came. */
static void add_times(const struct world *w, struct str *out, uint64_t pair, int64_t since_us)
{
    int64_t jitter = (int64_t)(readout_mix(pair, 1, 0) % PING_MS);
    if (since_us > 0) {
        int64_t last = MIDNIGHT_MS + since_us / US_PER_MS - jitter;
        str_addf(out, " %" PRId64 " %" PRId64, last + PING_MS, last);
        return;
    }
    str_addf(out, " 0 %" PRId64, MIDNIGHT_MS + world_now(w) / US_PER_MS - jitter);
}

static void add_slots(struct str *out, const struct readout_view *view, uint16_t shard)
{
    for (uint32_t slot = 0; slot < READOUT_SLOTS; slot++) {
        uint32_t first = slot;
        if (view->owner[slot] != shard) {
            continue;
        }
        while (slot + 1 < READOUT_SLOTS && view->owner[slot + 1] == shard) {
            slot++;
        }
        readout_add_run(out, first, slot, " ", "");
    }
}

static void add_open(struct str *out, const struct world *w, uint16_t shard)
{
    char id[READOUT_ID_SIZE];
    struct open_slot open[READOUT_OPEN_MAX];
    uint32_t count = readout_open(w, shard, open);
    for (uint32_t i = 0; i < count; i++) {
        if (open[i].other != NOBODY) {
            readout_id(open[i].other, 0, id);
            str_addf(out, " [%u-%s-%s]", (unsigned)open[i].slot,
                     open[i].kind == OPEN_MIGRATING ? ">" : "<", id);
        }
    }
}

static void add_node(const struct world *w, const struct readout_view *view, uint16_t asked,
                     uint16_t shard, uint8_t copy, struct str *out)
{
    char id[READOUT_ID_SIZE], leader[READOUT_ID_SIZE], address[READOUT_ADDRESS_SIZE];
    bool myself = asked == shard && copy == 0;
    int64_t since = 0;
    enum node_health health = copy == 0 ? readout_health(w, shard, &since) : HEALTH_UP;
    readout_id(shard, copy, id);
    readout_id(shard, 0, leader);
    readout_address(shard, copy, address);
    str_addf(out, "%s %s@16379,s%u", id, address, (unsigned)shard);
    if (copy > 0) {
        str_addf(out, "-%u", (unsigned)copy);
    }
    str_addc(out, ' ');
    add_flags(out, myself, copy, health);
    str_addf(out, " %s", copy == 0 ? "-" : leader);
    if (myself) {
        str_add(out, " 0 0");
    } else {
        add_times(w, out, (uint64_t)asked << 32 | (uint64_t)shard << 8 | copy, since);
    }
    str_addf(out, " %u %s", (unsigned)view->epoch[shard],
             health == HEALTH_UP ? "connected" : "disconnected");
    if (copy == 0) {
        add_slots(out, view, shard);
    }
    if (myself) {
        add_open(out, w, shard);
    }
    str_addc(out, '\n');
}

void readout_cluster_nodes(const struct world *w, uint16_t shard, struct str *out)
{
    struct readout_view *view = readout_view_of(w, shard);
    for (uint16_t i = 0; i < world_shards(w); i++) {
        add_node(w, view, shard, i, 0, out);
    }
    for (uint16_t i = 0; i < world_shards(w); i++) {
        for (uint8_t copy = 1; copy <= readout_replicas(w, i); copy++) {
            add_node(w, view, shard, i, copy, out);
        }
    }
    free(view);
}
