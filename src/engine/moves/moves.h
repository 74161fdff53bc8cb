/*
 * moves: slots that change their shard while they are being used.
 *
 * A move is a row in a table of config.moves_max rows: its core (proto/move.h), and bookkeeping
 * that no rule reads (bytes, times, positions of the shard's log). What is under way shares one
 * budget of bandwidth. The other ways to move data are in shifts.h. How a move goes:
 *
 *   migrate   the target gets a row "receiving" and the slot's values as they stand at position p
 *             of the source's log; its bytes take their time; what is written meanwhile follows
 *   copied    the tail is caught up; from now on each entry is applied at the target apply_us after
 *             it was appended, and both sides are compared by position every second
 *   fence     the source's row says "migrating"; the fence is an entry of the tail like any other
 *   commit    commit_us after the target applied it: the next map, the target's row "owned"; the
 *             source's row says "moved", for ever, when the news has reached it
 *   cleanup   the source's copy is deleted
 * Before the commit a move can be aborted, after it rolled back (a move back; without a copy while
 * the reverse stream keeps the source's copy as new as the target's).
 *
 * A row stays after its move has ended until another move needs it.
 */
#ifndef HOTSHARD_ENGINE_MOVES_H
#define HOTSHARD_ENGINE_MOVES_H

#include "base/digest.h"
#include "base/err.h"
#include "base/str.h"
#include "engine/command.h"
#include "engine/event.h"
#include "engine/trace.h"
#include "proto/move.h"

struct world;
struct request;

#define MOVE_NEVER INT64_C(-1) /* a time that has not come */

struct moves_state {
    uint32_t count;       /* moves that have not ended; 0: shards need not ask */
    uint32_t last_number; /* moves are numbered from 1 */
    uint32_t tail_used;   /* places of the tail's table that were ever used */
    uint32_t tail_free;   /* a list of those that are free again, + 1; 0: none */
    uint64_t budget;      /* bytes a second for all copies together; 0: no budget */
};

bool moves_apply(struct world *w, const struct command *c, struct err *err);

/* A shard has served this write: the log of a slot under way grows. */
void moves_wrote(struct world *w, uint16_t shard, uint32_t request);
/* EVENT_MOVE, EVENT_COMMIT. */
void moves_handle(struct world *w, const struct event *event);
void moves_crash(struct world *w, uint16_t shard);
void moves_restart(struct world *w, uint16_t shard);
/* The directory is back: commits that were due meanwhile begin anew. */
void moves_directory_back(struct world *w);
/* What must be true of each move now; false with the invariant's name. */
bool moves_hold(const struct world *w, struct err *err);

/* For other ways to change a slot's owner or row: a slot of the run that a move holds at present,
 * its index, or NO_INDEX. */
uint32_t moves_busy(const struct world *w, uint32_t first, uint32_t last);
/* These slots have changed hands by another way: what a finished move left there is nobody's. */
void moves_forget(struct world *w, uint32_t first, uint32_t last);

/* What others may see of a move. */
struct move_info {
    uint32_t number; /* moves are numbered from 1 */
    enum move_phase phase;
    bool ended;   /* aborted, or cleaned up */
    bool reverse; /* what the target accepts after the commit goes back to the source's copy */
    uint16_t slot, source, target;
    uint32_t epoch;               /* of the slot when the move began */
    uint64_t bytes, copied_bytes; /* of the copy */
    uint64_t speed;               /* bytes a second, now */
    uint64_t snapshot_position;   /* in the source shard's log; 0: it was empty */
    uint64_t fence_position;      /* likewise; 0: there is no fence */
    uint32_t end, applied;        /* entries of the slot since the move began: appended, applied */
    uint32_t caught_up;           /* entries written during the copy */
    uint32_t tail;                /* entries that have yet to be applied */
    int64_t oldest_us;            /* since when the first of these waits; 0: none */
    bool compared, alike;         /* the last compare by position */
    uint32_t compared_at;         /* entry that the target had applied then */
    uint32_t differing;           /* keys that differed */
    uint32_t fence;               /* number of the fence among the entries; 0: there is none */
    uint32_t claimed;             /* entries that the copy claims and does not hold */
    uint32_t stream_end, stream_applied; /* entries of the stream back */
    bool back;                           /* the target had the slot before: a move back */
    bool committing;                     /* the commit is due, or waits for the directory */
    /* MOVE_NEVER when it has not come to that */
    int64_t begun_us, copied_us, compared_us, fenced_us, drained_us, committed_us, closed_us,
        ended_us;
};

uint32_t moves_rows(const struct world *w); /* at most config.moves_max */
/* False when no move was ever in this row. */
bool moves_info(const struct world *w, uint32_t row, struct move_info *out);
/* The last move of a slot. */
bool moves_info_of(const struct world *w, uint32_t slot, struct move_info *out);

/* An entry that waits in a move's tail or, after the commit, in its stream back. */
struct move_entry {
    uint32_t number; /* as info.end counts them, or info.stream_end */
    uint32_t key;    /* KEY_NONE_ID: the fence */
    uint64_t value;  /* what the key is behind it */
    uint32_t edits, sequence;
    int64_t appended_us; /* or sent anew, after a crash */
};
/* Those from the oldest but `skip` on, at most `room`; how many were written. */
uint32_t moves_tail(const struct world *w, const struct move_info *m, uint32_t skip,
                    struct move_entry *out, uint32_t room);

enum move_stage { /* as they follow each other; the way out last */
    MOVE_COPY,
    MOVE_TAIL,
    MOVE_COMPARE,
    MOVE_FENCE,
    MOVE_COMMIT,
    MOVE_CLOSE,
    MOVE_CLEANUP,
    MOVE_OUT, /* dropped, or on its way back */
    MOVE_STAGES
};
/* The last record of a stage of this move that the trace still has. */
bool moves_record(const struct world *w, const struct move_info *m, enum move_stage stage,
                  uint64_t *sequence);

/* What a shard holds of a key. */
struct held_key {
    bool there;
    bool fresh; /* in a copy under way: written again since the snapshot, taken anew at its end */
    uint64_t value;
    uint32_t edits; /* the version */
    uint32_t sequence;
};
struct held_key moves_held(const struct world *w, uint16_t shard, uint32_t key);

/* What a move promises, looked up in the tables, maps and stores as they are now: one shard at most
 * accepts the slot, and it holds every write that any shard accepted. */
struct slot_promise {
    uint16_t accepts[2]; /* the first two shards that would take a write; SHARD_NONE */
    uint16_t accepting;  /* how many would; a slot that moves key by key has one for each key */
    bool by_key;         /* it moves so */
    uint16_t holder;     /* whose copy counts: the one that accepts, or the plan's owner */
    uint64_t writes;     /* likes and edits that were accepted, by whichever shard */
    uint64_t edits;      /* of these, edits */
    uint64_t lacking;    /* of the writes, what the holder lacks */
    uint64_t told;       /* of that, likes whose clients were told OK */
    uint32_t older;      /* keys of which the holder has not the last flush */
    bool summed;         /* some likes came in flushes: what these said counts, not their number */
    bool uncounted;      /* the slot has accounts, whose writes are not counted here */
};
struct slot_promise moves_promise(const struct world *w, uint32_t slot);
/* How many accepted writes of a key its owner lacks. */
uint64_t moves_lacking(const struct world *w, uint32_t key);

void moves_lay_out(struct world *plan, uint64_t *end);
void moves_feed(struct digest *d, const struct world *w);

void moves_say(const struct world *w, const struct trace_record *r, struct str *out);
void moves_label(const struct world *w, const struct trace_record *r, struct str *out);
void moves_why(const struct world *w, const struct trace_record *r, struct str *out);

#endif
