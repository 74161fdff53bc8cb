/*
 * move: one slot on its way from a source to a target: copy, tail, fence, flip.
 *
 * All that the move's rules read and write. Positions count the entries of the slot in the source's
 * log since the move began (0: before the first). Whoever plays or searches a move calls the steps
 * in the order in which they happen and asks move_may_... before each; a step that is not allowed
 * must not be taken. What the shards answer follows from `source` and `target` by proto/slot.h.
 *
 *   copy      a snapshot of the slot, taken where some copy of the source stood; the target has a
 *             row from now on: receiving
 *   apply     the target applies the next entry of the tail
 *   compare   both sides hold the same at the target's position
 *   fence     the source appends "migrating" to its log and stops serving
 *   commit    the directory's next version: the slot is the target's, one epoch up
 *   own, close   the two slot tables follow: owned at the target, moved at the source, for ever
 *   abort     the target is dropped, the source serves
 * A roll-back after the commit is a move in the other direction.
 */
#ifndef HOTSHARD_PROTO_MOVE_H
#define HOTSHARD_PROTO_MOVE_H

#include "proto/rule.h"
#include "proto/terms.h"

enum move_phase {
    MOVE_BEGUN, /* nothing is copied yet */
    MOVE_TAILING,
    MOVE_FENCED,
    MOVE_COMMITTED,
    MOVE_ABORTED,
    MOVE_PHASES
};

struct move_core {
    uint32_t end;     /* of the slot's entries in the source's log */
    uint32_t copied;  /* the copy holds everything through here */
    uint32_t stamp;   /* and says that it holds everything through here: the tail begins behind */
    uint32_t applied; /* the target has applied the tail through here */
    uint32_t fence;   /* position of the fence entry; 0: there is none */
    uint8_t phase;    /* enum move_phase */
    uint8_t source, target; /* enum slot_state of the slot's row at the two shards */
    uint8_t unused;
};

_Static_assert(sizeof(struct move_core) == 24, "bytes without holes");

const char *move_phase_name(enum move_phase phase);

struct move_core move_begin(void);
/* The source accepted a write for the slot. */
void move_append(struct move_core *m);

bool move_may_copy(const struct move_core *m);
/* A snapshot of a copy that had applied the log through `at`. With RULE_SNAPSHOT_POSITION off it is
 * stamped with the end of the source's log instead. */
void move_copy(struct move_core *m, uint64_t rules, uint32_t at);
bool move_may_apply(const struct move_core *m);
void move_apply(struct move_core *m);
/* What a compare by position finds: nothing is missing at the target's position. */
bool move_alike(const struct move_core *m);
bool move_may_fence(const struct move_core *m, uint64_t rules);
void move_fence(struct move_core *m);
bool move_may_commit(const struct move_core *m, uint64_t rules);
void move_commit(struct move_core *m);
bool move_may_own(const struct move_core *m);
void move_own(struct move_core *m);
bool move_may_close(const struct move_core *m);
void move_close(struct move_core *m);
bool move_may_abort(const struct move_core *m, uint64_t rules);
void move_abort(struct move_core *m);
/* The source restarted: it knows what its log says. With RULE_DURABLE_FENCE off the fence was only
 * in its memory. */
void move_source_restarts(struct move_core *m, uint64_t rules);

#endif
