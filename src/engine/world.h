/*
 * world: a simulated cluster as a value.
 *
 * The whole state is one block of fixed size that refers to itself by index and offset, never by
 * pointer: copying it is a snapshot, its digest is its identity. Nothing in the engine keeps state
 * elsewhere: no statics, no heap, no clock, no libc random, no floating point.
 *
 * Who takes part: one group of clients a zone; routers with a cached map; one directory (the plan:
 * owner and epoch per slot, map version); shards with a slot table (the truth), a store and two
 * ceilings. A request goes client -> router -> shard -> router -> client; each leg takes the delay
 * of its two zones; the shard takes query_us for what it serves (another answer leaves at once). It
 * decides, and changes its store, when the request arrives or, queued, has its token.
 *
 * The ROUTE loop (router): look the slot up in the cached map, ask that shard.
 *   OK            answer the client; OK_RELOAD: answer, and fetch the map.
 *   MOVED         fetch the map from the directory, look up again, ask again (one extra hop). With
 *                 RULE_RELOAD_ON_MOVED off: ask the shard that MOVED names, keep the old map. When
 *                 the cached map knows MOVED's epoch by now, it only looks up again.
 *   RETRY         wait 10, 20, 40 ms ..., look up again, ask again.
 *   REFUSED       tell the client.
 * After ATTEMPTS_MAX asks the router gives up: FAILED.
 *
 * The shard: looks the slot up in its slot table. Owned: serve, when a token is left (see ceiling).
 * Migrating: RETRY. Moved: MOVED to the shard in the row. No row: MOVED to nobody (reload). With
 * RULE_SLOT_TABLE_CHECK off it serves whatever it is asked, from its own store.
 *
 * Ceiling: an integer token bucket per shard and kind (writes, reads), refilled evenly, 100 ms
 * deep, full at the start; behind it a first-in first-out queue of `queue` requests. Beyond that:
 * refused.
 *
 * Events happen in the order (time, class, sequence); classes: operator's command, directory,
 * shard, router, client, traffic; the sequence is the order in which they were scheduled. See
 * queue.h.
 *
 * Errors: out of capacity is an error at the command that would exceed it, or, inside a run, stops
 * the world with world_stopped() set; never a silent drop.
 */
#ifndef HOTSHARD_ENGINE_WORLD_H
#define HOTSHARD_ENGINE_WORLD_H

#include "base/digest.h"
#include "base/err.h"
#include "base/str.h"
#include "engine/bucket.h"
#include "engine/command.h"
#include "engine/trace.h"
#include "engine/types.h"

/* Which slot a key's tag falls into. */
enum slots_by {
    SLOTS_BY_CRC16,
    SLOTS_BY_TAG /* each new tag takes the next slot: needs as many slots as keys_max */
};

struct world_config {
    uint64_t seed;
    int64_t start_us;
    uint32_t slots;      /* 16384 in the story; at most 65536 */
    uint8_t slots_by;    /* enum slots_by */
    uint16_t shards;     /* at the start: contiguous ranges, as even as can be */
    uint16_t shards_max; /* including those that join later */
    uint16_t routers;
    uint16_t zones;
    uint8_t shard_zone[16];  /* of the first 16; beyond: index mod zones */
    uint8_t router_zone[16]; /* likewise */
    uint8_t directory_zone;
    int32_t delay_us[ZONES_MAX][ZONES_MAX]; /* one way */
    int32_t query_us;                       /* a query at a shard */
    int32_t commit_us;                    /* the directory's commit; COMMAND_MOVE is one instant */
    int32_t apply_us;                     /* a log entry's way to a move's target, applied there */
    int32_t liked_us;                     /* a write to the table `liked` */
    int32_t replica_lag_us;               /* how far behind its leader a replica reads */
    int32_t timeout_us;                   /* a router's patience with a shard; 0: for ever */
    int32_t client_timeout_us;            /* a client's patience with a router; 0: for ever */
    uint32_t map_version;                 /* at the start: 7 in the story */
    uint32_t epoch;                       /* of every slot at the start: 7 in the story */
    uint32_t write_ceiling, read_ceiling; /* a second, for every shard; 0: none */
    uint32_t queue;                       /* requests behind an empty bucket */
    /* capacities */
    uint32_t keys_max, flows_max, requests_max, events_max, store_max;
    uint32_t rows_max;    /* slot table rows per shard */
    uint32_t changes_max; /* remembered changes of the directory */
    uint32_t trace_max;   /* a power of two */
    uint16_t hot_max;     /* keys with a treatment of reads, and as many with one of writes */
    uint16_t limits_max, tenants_max;
    uint16_t watch_max; /* keys that a router's sketch counts */
    uint16_t moves_max; /* of slots, under way at one time */
    uint32_t tail_max;  /* log entries that moves have yet to apply */
    uint16_t accounts_max;
    uint16_t queries_max, gathers_max; /* queries over all shards; of them, under way at one time */
    uint16_t txns_max, txn_rows_max;   /* transactions remembered; rows that they change */
    uint16_t catalogs_max, catalog_rows_max;
    uint16_t nodes_max, node_messages_max; /* machines; messages between them under way */
    uint16_t groups_max;                   /* partitions with copies on them */
    uint16_t stores_max;                   /* without leaders */
    uint16_t systems_max; /* 1: has room for the systems of systems.h; 0: has not */
    uint16_t recent_max;  /* operations that a shard remembers of each key, to apply each once */
};

struct world;

/* The smallest sensible world: 4 shards, 1 zone, no delays, 16384 slots, small capacities. */
struct world_config world_config_default(void);

struct world *world_new(const struct world_config *config, struct err *err);
struct world *world_copy(const struct world *w);
void world_copy_into(struct world *to, const struct world *from); /* same size */
void world_free(struct world *w);
size_t world_bytes(const struct world *w);
/* Of these, what a copy takes: not what requests and events have never needed so far. */
size_t world_bytes_used(const struct world *w);
struct digest
world_digest(const struct world *w); /* every field of the state but the trace window */

/* The one way in. A command happens now, between events; returns false with the reason and changes
 * nothing when it is impossible. */
bool world_apply(struct world *w, const struct command *command, struct err *err);

/* Running. */
int64_t world_now(const struct world *w);
uint64_t world_events(const struct world *w); /* handled so far */
bool world_step(struct world *w);             /* one event; false when none is left */
bool world_next_time(const struct world *w, int64_t *time);
void world_run_until(struct world *w,
                     int64_t time); /* every event before `time`; then now = time */
/* Runs until no request that was asked for by COMMAND_REQUEST is open; at most `limit_us` on. */
bool world_run_until_answered(struct world *w, int64_t limit_us);
bool world_all_answered(const struct world *w); /* nothing asked by command is open */
/* The same two, but at most `most` events, for those who must not be kept waiting. False when there
 * is more to handle: the world then is at the last event handled. */
bool world_run_some(struct world *w, int64_t time, uint64_t most);
bool world_run_some_answered(struct world *w, int64_t time, uint64_t most);
bool world_stopped(const struct world *w, struct err *err); /* ran out of a capacity */

/* Reading. */
const struct world_config *world_config_of(const struct world *w);
uint32_t world_shards(const struct world *w);
uint32_t world_keys(const struct world *w);
struct bytes world_key(const struct world *w, uint32_t key);
uint16_t world_key_slot(const struct world *w, uint32_t key);
bool world_find_key(const struct world *w, struct bytes bytes, uint32_t *key);
uint8_t world_zone(const struct world *w, struct node node);
bool world_rule(const struct world *w, enum rule rule);

/* The plan. */
uint32_t world_map_version(const struct world *w);
uint16_t world_owner(const struct world *w, uint32_t slot);
uint32_t world_epoch(const struct world *w, uint32_t slot);
/* The version in which a shard was given slots last, of those up to `version`; 0: none, or it was
 * longer ago than the one before its last. */
uint32_t world_took(const struct world *w, uint16_t shard, uint32_t version);

/* A router's cached map: a version of the plan's history. */
struct router_info {
    uint32_t map_version;
    bool deaf; /* does not hear of changes (stale on purpose) */
    bool down;
    uint64_t requests, redirects, retries;
};
struct router_info world_router(const struct world *w, uint16_t router);
uint16_t world_router_owner(const struct world *w, uint16_t router, uint32_t slot);
uint32_t world_router_epoch(const struct world *w, uint16_t router, uint32_t slot);

/* A shard's truth. */
struct slot_row {
    uint16_t first, last; /* slots, both included */
    uint16_t other;       /* SLOT_MOVED: to whom; SHARD_NONE otherwise */
    uint8_t state;        /* enum slot_state */
    uint32_t epoch;
};
struct slot_row world_slot_row(const struct world *w, uint16_t shard, uint32_t slot);
uint32_t world_slot_rows(const struct world *w, uint16_t shard);
struct slot_row world_slot_row_at(const struct world *w, uint16_t shard, uint32_t index);

struct shard_info {
    uint32_t write_ceiling, read_ceiling, queue;
    uint64_t served_writes, served_reads;
    uint64_t keys_read; /* by these reads; of one that reads several, each */
    uint64_t refused_writes, refused_reads;
    uint64_t moved, retried; /* answers given */
    uint32_t keys;           /* in its store */
    uint8_t copies;          /* that answer reads, its leader among them */
    bool down;
};
struct shard_info world_shard(const struct world *w, uint16_t shard);
/* The token bucket of its ceiling, for writes or for reads. */
struct bucket_info world_bucket(const struct world *w, uint16_t shard, bool reads);

/* What one key holds. `value` is the counter in a shard's store (0 without a row); `acked` counts
 * the likes that clients were told succeeded, `lost` those of them that the owner does not hold. */
uint64_t world_value(const struct world *w, uint16_t shard, uint32_t key);
uint64_t world_acked(const struct world *w, uint32_t key);
uint64_t world_lost(const struct world *w, uint32_t key);
bool world_all_quiet(const struct world *w); /* no request in flight */
/* Clients that wait for an answer now; of these operations (a bit an enum op_kind), about this key
 * unless it is KEY_NONE_ID. Looks through the whole pool. */
uint32_t world_waiting(const struct world *w, unsigned ops, uint32_t key);

/* A request, by its number (counted from 1 in the order asked); false when forgotten. Requests of
 * COMMAND_REQUEST are remembered after they end, as many as requests_max allows. */
struct request_info {
    uint64_t number;
    enum op_kind op;
    uint32_t key;
    uint16_t zone, router;
    uint16_t shard; /* asked last */
    /* How often a shard was asked: 1 is a direct hit. Each further ask follows MOVED or ASK (an
     * extra hop), a wait (`retries`), or an ask that was not answered in time (`timeouts`), which
     * goes to the same shard as long as the map says so. */
    uint8_t asks;
    uint8_t reloads, retries, timeouts;
    bool done;
    enum outcome outcome;
    int64_t issued_us, ended_us;
    uint64_t value; /* the counter that the answer carried; of a 429: Retry-After, in us */
};
bool world_request(const struct world *w, uint64_t number, struct request_info *out);
uint64_t
world_last_request(const struct world *w); /* number of the last COMMAND_REQUEST, 0 if none */

#endif
