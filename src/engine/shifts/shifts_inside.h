/*
 * shifts_inside: the rows of shifts.h, and what its files share.
 *
 * One row a slot under way, in the world's block; behind the rows a byte for each row and router:
 * whether it took ASK for MOVED. A row's job has one event under way at most; it carries the job's
 * turn (in `node`), so that one which was called off is known by its older turn.
 */
#ifndef HOTSHARD_ENGINE_SHIFTS_INSIDE_H
#define HOTSHARD_ENGINE_SHIFTS_INSIDE_H

#include "engine/state.h"

#define SHIFT_RATE 100u               /* keys a second, if none is told */
#define SHIFT_RATE_MAX 1000000u       /* one a microsecond */
#define SHIFT_RETRY_US INT64_C(10000) /* until somebody who is down is asked again */
#define NO_ROW UINT32_MAX

enum shift_job {
    SHIFT_IDLE,
    SHIFT_NEXT,   /* the next key begins */
    SHIFT_FINISH, /* ask: the key in hand is over; dual: what was read is written */
    SHIFT_CLAIM   /* ask: the directory hears of the claim */
};

struct shift_row {
    struct ask_core ask;
    struct dual_core dual;
    uint32_t slot;
    uint16_t source, target;
    uint8_t kind; /* enum shift_kind */
    uint8_t job;  /* enum shift_job: what its next event does */
    uint16_t turn;
    uint32_t rate;   /* keys a second */
    uint32_t cursor; /* keys below are done in this pass */
    uint32_t begun;  /* keys that the pass has taken up */
    uint32_t
        hand; /* key in hand: ask, in its hand-over; dual, read and not yet written; or NO_INDEX */
    uint32_t carried; /* dual: the version that was read */
    uint32_t large;   /* ask: a key that is too large; NO_INDEX: none */
    uint32_t version; /* dual: the last that the slot's counter gave */
    uint16_t to;      /* dual: the shard to which it is carried */
    uint32_t epoch;   /* of the slot when the row began */
    uint64_t since;   /* dual: requests up to this number may be single writes */
    uint64_t doubled, failed, repaired;
    bool parallel, where_nothing;
    bool again;     /* dual: a second write failed; the backfill goes over all keys once more */
    bool repairing; /* dual: it does */
};

WORLD_PART(shifts, struct shift_row)

static inline uint8_t *shift_misled(struct world *w, uint32_t row, uint16_t router)
{
    return (uint8_t *)(shifts_of(w) + w->config.moves_max) + (size_t)row * w->config.routers +
           router;
}

static inline const uint8_t *shift_misled_in(const struct world *w, uint32_t row, uint16_t router)
{
    return (const uint8_t *)(shifts_in(w) + w->config.moves_max) + (size_t)row * w->config.routers +
           router;
}

/* Reasons of this module, with their operands. `from`, `to` and the key are in the record. */
enum shift_reason {
    REASON_SHIFT_HANDED = REASON_SHIFTS_FIRST, /* keys left at the source */
    REASON_SHIFT_COPIED,                       /* with atomic-key-move off */
    REASON_SHIFT_DROPPED, /* the copy, its value thrown away: value at the source, at the target */
    REASON_SHIFT_HANDING, /* a large key begins: bytes, microseconds */
    REASON_SHIFT_TOO_LARGE,   /* bytes, limit */
    REASON_SHIFT_EMPTY,       /* the pass is over: keys left */
    REASON_SHIFT_CLAIMED,     /* epoch, keys left */
    REASON_SHIFT_HELD_UP,     /* the job waits for a shard that is down: microseconds */
    REASON_SHIFT_MISLED,      /* router: target, its map version */
    REASON_SHIFT_BELIEVES,    /* router asks whom ASK named: target, epoch */
    REASON_DUAL_SECOND,       /* router asks the second shard: version (0: none yet), tries */
    REASON_DUAL_TAKEN,        /* a shard stores an edit: version, held before */
    REASON_DUAL_KEPT,         /* keeps what it has: version, held */
    REASON_DUAL_OVERWRITTEN,  /* newer-only off: an older one over a newer: version, held before */
    REASON_DUAL_READ,         /* backfill: version */
    REASON_DUAL_FILLED,       /* backfill's write is taken: version, held before */
    REASON_DUAL_NOT_FILLED,   /* or not: version, held */
    REASON_DUAL_FILL_BACK,    /* newer-only off: the backfill's older one over a newer */
    REASON_DUAL_PASSED,       /* a pass is over: keys, keys that differ */
    REASON_DUAL_FAILED,       /* a second write failed: version, its outcome */
    REASON_DUAL_BOTH,         /* reply: both have it: version, shards asked */
    REASON_DUAL_ONE,          /* reply: one has it, the other will get it: version */
    REASON_DUAL_FIRST_FAILED, /* reply: the first half failed */
    REASON_DUAL_WAITS,        /* backfill waits for single writes under way: how many */
};

_Static_assert(REASON_DUAL_WAITS <= (int)REASON_SHIFTS_LAST, "reasons have room");

/* Modes of the commands, in command.mode. */
enum shift_mode {
    SHIFT_MODE_GO,
    SHIFT_MODE_FINISH,
    SHIFT_MODE_STOP,
    SHIFT_MODE_SIZE
};

enum dual_mode {
    DUAL_MODE_ON,       /* pick: in parallel */
    DUAL_MODE_BACKFILL, /* pick: only where nothing is */
    DUAL_MODE_STOP
};

enum switch_mode {
    SWITCH_MODE_READS,
    SWITCH_MODE_DONE,
    SWITCH_MODE_BACK
};

/* --- shifts_rows.c --- */

uint32_t shift_find(const struct world *w, uint32_t slot); /* NO_ROW: not under way */
/* Source, target, slot and tables fit a new row; a free one, or NO_ROW with the reason. */
uint32_t shift_new(struct world *w, const struct command *c, enum shift_kind kind, struct err *err);
void shift_free(struct world *w, uint32_t row);
struct slot_row shift_row_of(uint32_t slot, enum slot_state state, uint32_t epoch, uint16_t other);
/* Whether the shard's table has room for the row, `reserved` rows of others aside. */
bool shift_row_fits(const struct world *w, uint16_t shard, struct slot_row row, uint32_t reserved,
                    struct err *err);
/* Writes the row and leaves a record; whoever does so has looked whether it fits. */
void shift_table(struct world *w, uint16_t shard, struct slot_row row);
/* Whether the map has a version to come, behind `reserved` that others have been promised. */
bool shift_map_fits(const struct world *w, uint32_t reserved, struct err *err);
struct trace_record *shift_note(struct world *w, uint32_t row, int reason);
void shift_job(struct world *w, uint32_t row, enum shift_job job, int64_t in_us);
void shift_no_job(struct world *w, uint32_t row);
/* The next key of the slot at `from` or above that the shard holds; NO_INDEX: none. */
uint32_t shift_next_key(const struct world *w, uint16_t shard, uint32_t slot, uint32_t from);
bool shift_live(const struct world *w, uint16_t shard, uint32_t key);
uint32_t shift_count(const struct world *w, uint16_t shard, uint32_t slot); /* keys it holds */
/* The directory gives the slot to `to`; false: it is down, it has no room now since routers are too
 * far behind, or the map is at its last version. */
bool shift_commit(struct world *w, uint32_t row, uint16_t to);

/* --- shifts_ask.c --- */

bool shifts_ask_apply(struct world *w, const struct command *c, struct err *err);
void shifts_ask_step(struct world *w, uint32_t row);

/* --- shifts_dual.c --- */

uint32_t shift_version(const struct world *w, uint16_t shard, uint32_t key);
/* A record about a version: what came, and what was held. */
struct trace_record *shift_note_key(struct world *w, uint32_t row, int reason, uint32_t key,
                                    uint32_t version, uint32_t held);
/* A store took an older version than it held. */
void shift_note_back(struct world *w, uint16_t shard, uint32_t key);

/* --- shifts_switch.c --- */

bool shifts_dual_apply(struct world *w, const struct command *c, struct err *err);
bool shifts_switch_apply(struct world *w, const struct command *c, struct err *err);

/* --- shifts_fill.c --- */

void shifts_dual_step(struct world *w, uint32_t row);
/* How many keys of the slot have two versions; the first of them. */
uint32_t shift_differ(const struct world *w, const struct shift_row *s, uint32_t *first);

#endif
