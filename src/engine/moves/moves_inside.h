/*
 * moves_inside: what the files of the live move share: its rows, its tail, its steps.
 *
 * A step that is due later is an event that names the row and the move's number; the row knows when
 * each step is due, and an event that comes too early, twice, or for a move that has ended is
 * ignored. The tail of a move is a list in one table of config.tail_max places, oldest entry first.
 * For the callers: moves.c commands, moves_copy.c snapshot, bytes and compare, moves_tail.c the log
 * entries, moves_flip.c fence, commit and abort, moves_read.c invariants and what others see.
 */
#ifndef HOTSHARD_ENGINE_MOVES_INSIDE_H
#define HOTSHARD_ENGINE_MOVES_INSIDE_H

#include "engine/state.h"

#define COMPARE_EVERY_US US_PER_SECOND
#define COPY_BYTES_MAX UINT64_C(1000000000000)

enum move_step {   /* detail of EVENT_MOVE; STEP_COMMIT comes as EVENT_COMMIT */
    STEP_SNAPSHOT, /* a replica that lagged has got as far as the leader was at the beginning */
    STEP_COPIED,
    STEP_APPLY,
    STEP_COMPARE,
    STEP_COMMIT,
    STEP_CLOSE,
    STEP_COUNT
};

struct move {
    struct move_core core;
    struct move_core back;  /* of the reverse stream, as of a move in the other direction */
    struct slot_row before; /* what the target's table said before */
    uint32_t number;        /* 0: the row was never used */
    uint32_t tail_first, tail_last, tail_count; /* places, + 1; 0: none */
    uint64_t bytes, rate;                       /* rate 0: what the budget gives */
    uint64_t left;                              /* millionths of a byte still to be copied */
    uint64_t speed;                             /* bytes a second since since_us */
    uint64_t snapshot_position, fence_position; /* of the source shard's log */
    int64_t since_us;
    int64_t begun_us, copied_us, compared_us, fenced_us, drained_us, committed_us, closed_us,
        ended_us;
    int64_t due_us[STEP_COUNT];
    int64_t paced_us; /* the next entry is not applied before; 0: at any time */
    uint32_t epoch;   /* the slot's, when the move began */
    uint32_t caught_up, differing;
    uint32_t compared_at; /* entry that the target had applied at the last compare */
    uint16_t slot, source, target;
    bool reverse;   /* wanted */
    bool streaming; /* the reverse stream runs */
    bool ended;
};

struct tail_entry { /* an after-image, with its place in the tail */
    uint64_t value;
    int64_t due_us;
    uint32_t key; /* KEY_NONE_ID: the fence */
    uint32_t edits, sequence;
    uint32_t operation;
    uint32_t next; /* + 1; 0: the last */
};

WORLD_PART(moves, struct move)
WORLD_PART(tail, struct tail_entry)

/* Why, in the records of this module. Those of TRACE_TABLE have the slot in operands 0 and 1. */
enum moves_reason {
    MOVES_BEGIN = REASON_MOVES_FIRST, /* MOVE: bytes, bytes a second, log position */
    MOVES_RECEIVE,                    /* TABLE */
    MOVES_SNAPSHOT,    /* MOVE: stamped with entry, holds through entry, lag in microseconds */
    MOVES_SPEED,       /* MOVE: bytes a second, copies under way, budget */
    MOVES_COPIED,      /* MOVE: bytes, microseconds, entries caught up */
    MOVES_COMPARE,     /* MOVE: at entry, keys that differ, entries missing in the copy */
    MOVES_FENCE,       /* TABLE: slot, slot, log position of the fence; value 1: in memory only */
    MOVES_NO_FENCE,    /* MOVE: entries not applied yet */
    MOVES_APPLY,       /* MOVE: entry, end; value */
    MOVES_APPLY_FENCE, /* MOVE: entry, microseconds since the fence */
    MOVES_COMMIT,      /* PLAN: slot, slot, the old owner */
    MOVES_LEFT_BEHIND, /* MOVE: entries that the target never applied */
    MOVES_OWN,         /* TABLE */
    MOVES_CLOSE,       /* TABLE: slot, slot, the new owner */
    MOVES_STREAM,      /* MOVE: the reverse stream begins */
    MOVES_STREAM_ENDS, /* MOVE: entries that the tail has room for */
    MOVES_CLEANUP,     /* MOVE: keys deleted */
    MOVES_ABORT,       /* MOVE: phase */
    MOVES_ABORT_TAIL,  /* MOVE: phase, entries that the tail has room for */
    MOVES_ABORT_MAP,   /* MOVE: phase, changes that the directory remembers */
    MOVES_SERVE_AGAIN, /* TABLE: the source after an abort */
    MOVES_DROPPED,     /* TABLE: the target after an abort */
    MOVES_BACK,        /* PLAN: an abort after the commit */
    MOVES_ROLLBACK,    /* MOVE: whether it needs no copy */
    MOVES_HALT,        /* MOVE: the shard that is down */
    MOVES_RESUME,      /* MOVE: the shard that is back, whether the copy begins again */
    MOVES_FORGOTTEN,   /* TABLE: the source has lost its fence */
    MOVES_REASONS
};

_Static_assert((int)MOVES_REASONS <= (int)REASON_MOVES_LAST + 1, "reasons of this module");

static inline bool move_copying(const struct move *m)
{
    return m->copied_us == MOVE_NEVER;
}

static inline bool move_both_up(const struct world *w, const struct move *m)
{
    return !shards_in(w)[m->source].down && !shards_in(w)[m->target].down;
}

static inline bool move_settled(const struct move *m)
{
    return m->core.phase == MOVE_COMMITTED && m->core.target == SLOT_OWNED &&
           m->core.source == SLOT_MOVED;
}

/* The move of a slot that has not ended, NULL: none. */
struct move *move_of_slot(struct world *w, uint32_t slot);
/* A step comes at a time from now on. */
void move_schedule(struct world *w, struct move *m, enum move_step step, int64_t at_us);
struct trace_record *move_trace(struct world *w, const struct move *m, enum moves_reason reason);
/* Whether a shard's table has room for a row of this slot alone. */
bool move_row_fits(const struct world *w, uint16_t shard, uint32_t slot, struct err *err);
/* Sets the slot's row at a shard, and tells; a table that is full stops the world. */
void move_set_row(struct world *w, const struct move *m, uint16_t shard, struct slot_row row,
                  enum moves_reason reason);
/* The move is over; its row may be used again. */
void move_end(struct world *w, struct move *m);

/* --- moves_copy.c --- */
/* Takes the slot's values at the source into the target's store; the bytes begin to flow. */
void copy_begin(struct world *w, struct move *m);
/* Shares the budget anew among the copies under way. */
void copy_share(struct world *w);
uint64_t copy_speed(const struct world *w, uint64_t rate, uint64_t copies);
void copy_snapshot(struct world *w, struct move *m);
void copy_done(struct world *w, struct move *m);
void copy_compare(struct world *w, struct move *m);
/* A key as one shard holds it becomes what another holds. */
void copy_image(struct world *w, uint32_t key, uint16_t from, uint16_t to);
/* Deletes what a shard holds of the slot; how many keys. */
uint32_t copy_delete(struct world *w, uint16_t shard, uint32_t slot);
/* How many keys of the slot the target does not have yet; its store needs as many places. */
uint32_t copy_places(const struct world *w, uint32_t slot, uint16_t from, uint16_t to);
/* Keys that differ between both sides at the target's position. */
uint32_t copy_differing(const struct world *w, const struct move *m);

/* --- moves_disk.c --- */
bool moves_apply_disk(struct world *w, const struct command *c, struct err *err);
bool moves_apply_applies(struct world *w, const struct command *c, struct err *err);
/* Speeds of copies have changed. */
void disk_share(struct world *w);
/* From one entry of a tail to the next at a shard; 0: as they come. */
int64_t apply_every_us(const struct world *w, uint16_t shard);

/* --- moves_tail.c --- */
/* The bytes are over: entries that waited for that are on their way. */
void tail_begin(struct world *w, struct move *m);
bool tail_has_room(const struct world *w);
/* The fence, as an entry of the source's log. */
void tail_add_fence(struct world *w, struct move *m);
void tail_free(struct world *w, struct move *m);
void tail_apply(struct world *w, struct move *m);
/* Both shards are up again: the entries that wait are on their way once more. */
void tail_resume(struct world *w, struct move *m);

/* --- moves_flip.c --- */
bool flip_fence(struct world *w, struct move *m, struct err *err);
/* Sends the commit to the directory as soon as the rules allow it. */
void flip_when_drained(struct world *w, struct move *m);
void flip_commit(struct world *w, struct move *m);
void flip_own(struct world *w, struct move *m);
void flip_close(struct world *w, struct move *m);
/* Drops the target; `reason` is one of MOVES_ABORT... */
void flip_abort(struct world *w, struct move *m, enum moves_reason reason);

#endif
