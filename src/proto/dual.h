/*
 * dual: writes go to two stores while a backfill copies what was there before.
 *
 * A value is its version: numbers that one authority gives out for each key, never a clock. The
 * primary is the store that reads are answered from (the source, between a switch and a return the
 * target), the second store is the other one.
 *
 *   double     routers send each write to both stores
 *   read       the backfill takes a key's version from the primary ...
 *   fill       ... and, later, writes it to the second store (or only where nothing is)
 *   filled     every key was read and written once since double writing began
 *   switch     reads are answered by the target
 *   return     reads are answered by the source again: the way back, while both are written
 *   end        the source is written no more, and with that there is no way back
 * Both ways the switch needs stores that compare equal: the one that is to answer may lack a write
 * that failed there.
 * A store takes a version only over an older one; with RULE_NEWER_ONLY off the last to come wins.
 *
 * Left out: deletes. A key that is deleted while the backfill carries it would come back, unless a
 * tombstone, a version of its own that says "deleted", is kept until the backfill is through.
 */
#ifndef HOTSHARD_PROTO_DUAL_H
#define HOTSHARD_PROTO_DUAL_H

#include "proto/rule.h"
#include "proto/terms.h"

enum dual_phase {
    DUAL_SINGLE,   /* prepared, writes still go to the source alone */
    DUAL_WRITING,  /* to both */
    DUAL_SWITCHED, /* to both; reads are answered by the target */
    DUAL_ENDED,
    DUAL_DROPPED,
    DUAL_PHASES
};

struct dual_core {
    uint8_t phase;          /* enum dual_phase */
    uint8_t source, target; /* enum slot_state of the slot's row at the two shards */
    uint8_t filled;         /* a whole pass of the backfill is done */
};

enum dual_side {
    DUAL_SOURCE,
    DUAL_TARGET
};

struct dual_key {
    uint32_t held[2]; /* version by enum dual_side; 0: nothing */
    uint32_t carried; /* what the backfill has read and not yet written; 0: nothing */
};

_Static_assert(sizeof(struct dual_core) == 4 && sizeof(struct dual_key) == 12,
               "bytes without holes");

const char *dual_phase_name(enum dual_phase phase);

struct dual_core dual_begin(bool writing);
void dual_write_both(struct dual_core *d);
bool dual_may_backfill(const struct dual_core *d, uint64_t rules);
/* `alike`: every key has one version in both stores. */
bool dual_may_switch(const struct dual_core *d, uint64_t rules, bool alike);
void dual_switch(struct dual_core *d);
bool dual_may_return(const struct dual_core *d, uint64_t rules, bool alike);
void dual_return(struct dual_core *d);
bool dual_may_end(const struct dual_core *d);
void dual_end(struct dual_core *d);
bool dual_may_drop(const struct dual_core *d);
void dual_drop(struct dual_core *d);
/* The store that answers reads, and to which a write goes first. */
enum dual_side dual_primary(const struct dual_core *d);

/* What a store does with a version that comes; the backfill's with `where_nothing` on demand. */
bool dual_takes(uint64_t rules, uint32_t held, uint32_t version);
bool dual_fills(uint64_t rules, bool where_nothing, uint32_t held, uint32_t version);
/* The same as steps on one key. */
void dual_write(struct dual_key *k, uint64_t rules, enum dual_side side, uint32_t version);
void dual_read(struct dual_key *k);
void dual_fill(struct dual_key *k, uint64_t rules, bool where_nothing);

#endif
