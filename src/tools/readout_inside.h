/*
 * readout_inside: what the files of readout share.
 */
#ifndef HOTSHARD_TOOLS_READOUT_INSIDE_H
#define HOTSHARD_TOOLS_READOUT_INSIDE_H

#include "tools/readout.h"

#define READOUT_SLOTS 16384u
#define NOBODY SHARD_NONE

enum open_kind {
    OPEN_NOT,
    OPEN_MIGRATING,
    OPEN_IMPORTING
};

/* Which slots a node says are its own; how many. */
uint32_t readout_claims(const struct world *w, uint16_t shard, bool claimed[READOUT_SLOTS]);

/* A slot that is open at a node, and to or from whom. */
struct open_slot {
    uint16_t slot, other;
    enum open_kind kind;
};
#define READOUT_OPEN_MAX 256
/* In their order; how many, at most READOUT_OPEN_MAX. */
uint32_t readout_open(const struct world *w, uint16_t shard, struct open_slot *out);

/* What one node knows: whose each slot is (NOBODY), and the config epoch of each shard. */
struct readout_view {
    uint16_t owner[READOUT_SLOTS];
    uint32_t epoch[READOUT_SHARDS_MAX];
};
/* The config epochs, as far as a node knows them. */
void readout_epochs(const struct world *w, uint16_t asked, uint32_t out[READOUT_SHARDS_MAX]);
/* The caller frees it. */
struct readout_view *readout_view_of(const struct world *w, uint16_t shard);

enum node_health {
    HEALTH_UP,
    HEALTH_SILENT, /* its links are lost */
    HEALTH_SUSPECTED,
    HEALTH_FAILED
};
/* And since when; 0 for one that is up. */
enum node_health readout_health(const struct world *w, uint16_t shard, int64_t *since_us);
uint8_t readout_replicas(const struct world *w, uint16_t shard); /* beside the leader */

/* Something that looks random and is not: of two names. */
uint64_t readout_mix(uint64_t a, uint64_t b, uint64_t c);
/* "0-4095", "17"; `open`, `close` stand around it, `join` between first and last. */
void readout_add_run(struct str *out, uint32_t first, uint32_t last, const char *open,
                     const char *close);
void readout_refused(struct str *out, uint16_t shard); /* Could not connect ... */

/* How many keys a node has; of each slot too, unless of_slot is NULL. */
uint32_t readout_keys(const struct world *w, uint16_t shard, const bool claimed[READOUT_SLOTS],
                      uint32_t *of_slot);
bool readout_counted(const struct world *w); /* requests of slots are */

void readout_cluster_nodes(const struct world *w, uint16_t shard, struct str *out);
void readout_cluster_check(const struct world *w, uint16_t shard, struct str *out);
void readout_slot_stats(const struct world *w, const struct readout_wish *wish, struct str *out);
bool readout_cassandra(const struct world *w, const struct readout_wish *wish, struct str *out,
                       struct err *err);

#endif
