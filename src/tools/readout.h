/*
 * readout: a world said in the shape of what operators see.
 *
 * The text is what the real tools print, to the letter (blanks at the ends of lines are left out):
 *
 *   cluster-nodes    CLUSTER NODES of one node, Redis 7: id, address and host name, flags, leader,
 *                    last ping and pong, config epoch, link, slots, open slots of its own
 *   cluster-check    redis-cli --cluster check, through one node
 *   slot-stats       CLUSTER SLOT-STATS of one node, Valkey 8 and Redis 8.2, as redis-cli shows it
 *   nodetool-ring    nodetool ring KEYSPACE, Cassandra 4
 *   nodetool-status  nodetool status KEYSPACE, Cassandra 4
 *
 * The first three are of the ROUTE loop's shards, each a node of a Redis Cluster; the last two of
 * the system `cassandra` of the world, or of a layout on a circle. How one becomes the other:
 *
 *   Names. S2 is 10.0.0.12:6379, host name s2; its copies that answer reads (`replicas S2 2`) are
 *   its replicas, 10.0.1.12 and so on. Ids are digests of these names.
 *   What a node says of itself is its slot table. Leaving and arriving slots are open, as is one
 *   that waits behind the fence of its move; a frozen slot is nobody's.
 *   What it says of others is the map that the router of its number has (S0 that of R0): with
 *   `deaf R0 on` it is out of date. A node without such a router knows the newest map.
 *   Config epochs: 1, 2, 3 ... at the start; who took slots since has one above all these.
 *   A node that is down has lost its links at once, is suspected (fail?) after 15 s, and failed a
 *   second later if a majority of the masters is up. No replica takes over, as the ROUTE loop has
 * no failover of its own. Slot statistics count what the system `redis` of the world answered about
 * the keys of a slot; while it is off there are key counts alone, as with
 * cluster-slot-stats-enabled no. A request takes the part of a second that the node's ceiling
 * allows it; a post has 1,024 bytes.
 *
 * Errors: the world has not what is asked for, and what to do.
 */
#ifndef HOTSHARD_TOOLS_READOUT_H
#define HOTSHARD_TOOLS_READOUT_H

#include "base/err.h"
#include "base/str.h"
#include "engine/world.h"
#include "place/layout.h"

enum readout_kind {
    READOUT_CLUSTER_NODES,
    READOUT_CLUSTER_CHECK,
    READOUT_SLOT_STATS,
    READOUT_RING,
    READOUT_STATUS,
    READOUTS
};

#define READOUT_SHARDS_MAX 64
#define READOUT_ID_SIZE 41 /* 40 hexadecimal digits */
#define READOUT_ADDRESS_SIZE 24
#define READOUT_STATS_LIMIT 5 /* slots, if nothing is said */

enum readout_metric {
    READOUT_BY_KEYS,
    READOUT_BY_CPU,
    READOUT_BY_IN,
    READOUT_BY_OUT,
    READOUT_METRICS
};

struct readout_wish {
    enum readout_kind kind;
    uint16_t shard;             /* which node is asked */
    uint32_t limit;             /* slot-stats; 0: as usual */
    enum readout_metric metric; /* slot-stats: highest first */
    uint32_t replicas;          /* of a layout: replication factor, 1 to 3 */
};

struct readout_wish readout_wish(enum readout_kind kind, uint16_t shard);
const char *readout_name(enum readout_kind kind);
bool readout_by_name(const char *name, enum readout_kind *kind);
const char *readout_metric_name(enum readout_metric metric);
bool readout_metric_by_name(const char *name, enum readout_metric *metric);

/* "cluster-nodes:S2", "cluster-check", "slot-stats:S2:key-count:3" (LIMIT 3): the first node if
 * none is said.
 */
bool readout_parse(const char *text, struct readout_wish *out, struct err *err);

/* What the operator typed: "redis-cli --cluster check 10.0.0.10:6379". The world (NULL: of a
 * layout) tells whether slots can be ordered by anything but their keys. */
void readout_command(const struct world *w, const struct readout_wish *wish, struct str *out);
/* What was printed. */
bool readout_say(const struct world *w, const struct readout_wish *wish, struct str *out,
                 struct err *err);
/* READOUT_RING, READOUT_STATUS: of a layout, whose nodes are all up. */
bool readout_layout(const struct layout *layout, const struct readout_wish *wish, struct str *out,
                    struct err *err);

/* A node of the Redis Cluster: copy 0 is the shard's leader. */
void readout_id(uint16_t shard, uint8_t copy, char out[READOUT_ID_SIZE]);
void readout_address(uint16_t shard, uint8_t copy, char out[READOUT_ADDRESS_SIZE]); /* with port */
/* A node of the ring. */
void readout_host(uint32_t machine, char out[READOUT_ADDRESS_SIZE]);
/* What a node says of itself: slots, config epoch, copies. */
struct readout_node {
    uint32_t slots, epoch, replicas;
    uint32_t migrating, importing;
    bool suspected, failed;
};
bool readout_node(const struct world *w, uint16_t shard, struct readout_node *out, struct err *err);

#endif
