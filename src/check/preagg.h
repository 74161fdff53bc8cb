/*
 * preagg: a router that sums likes, flushes them to its sub-key and restarts, to be searched.
 *
 * What is sent, taken, read back and claimed is decided by proto/flush.h (the way "absolute"; a
 * bare increment without absolute-flush). One router is enough: each has a sub-key of its own, and
 * the count is their sum with the correction of the last rebuild.
 *
 * How the steps are cut
 *   - A like: its row goes to `liked`, the router adds one to its buffer, its client is told.
 * Without durable-before-ack the row goes along with the flush.
 *   - A flush stays on its way as long as the search likes, and any other may overtake it. That it
 *     lands and that the router hears the answer is one step. A reply is lost after its effect, and
 *     the same parcel is sent again, a step of its own: so is a copy that the network made.
 *   - The router crashes, restarts and reads its sub-key back in one step: whatever could come
 *     between might as well have come before or after. What it sent before stays on its way, claims
 *     too. The claim is on its way like a flush; refused, the router reads again.
 *   - A rebuild recounts the rows, reads the sub-key and writes the correction in one step. Rows
 *     since the router last took its sub-key into use, which the sub-key does not hold, may still
 * be flushed: recount-at-flushed leaves them out. The shard does not look whether it has met an
 * operation before (once-per-operation): a flush must be safe by what it carries.
 *
 * What is judged, over the likes themselves and not just their number:
 *   - what the count once showed it shows for ever, and it shows each like whose flush a living
 *     router was answered ("taken" or "not newer": both mean that the sub-key has it);
 *   - it shows no like twice;
 *   - each like of which a client was told is in `liked`, or still with a router that will store
 * it. A crash may take the buffer and what was on its way out of the count, until a rebuild.
 *
 * Each rule shows when it alone is left out; none is redundant.
 */
#ifndef HOTSHARD_CHECK_PREAGG_H
#define HOTSHARD_CHECK_PREAGG_H

#include "check/model.h"
#include "proto/flush.h"

#define PREAGG_FLIGHTS 6

/* The scopes, as check_scope.size. */
enum preagg_size {
    PREAGG_SMALL,        /* two likes; one reply lost, one restart, one rebuild */
    PREAGG_LARGE,        /* one more of each */
    PREAGG_ONLY_FLUSHES, /* three likes, one reply lost */
    PREAGG_ONLY_RESTART, /* three likes, one restart */
    PREAGG_SIZES
};

struct preagg_world {
    uint8_t likes, losses, restarts, rebuilds; /* at most */
};

/* What a rule decides is in the name, so that a schedule is refused where the rule would have
 * decided otherwise. */
enum preagg_step {
    PREAGG_LIKE,
    PREAGG_LIKE_UNSTORED, /* told before it is stored */
    PREAGG_FLUSH,
    PREAGG_TAKE,    /* a flush lands, the sub-key takes it, the router hears of it */
    PREAGG_REFUSE,  /* not newer */
    PREAGG_GRANT,   /* a claim lands, and nothing has changed since the read */
    PREAGG_DENY,    /* something has */
    PREAGG_READ,    /* the router reads its sub-key again, after a claim was refused */
    PREAGG_REBUILD, /* up to what is flushed */
    PREAGG_REBUILD_ALL,
    PREAGG_TAKE_LOST, /* as above, but the reply is lost and the parcel is sent again */
    PREAGG_REFUSE_LOST,
    PREAGG_GRANT_LOST,
    PREAGG_DENY_LOST,
    PREAGG_RESTART, /* it claims its sub-key */
    PREAGG_RESTART_UNCLAIMED,
    PREAGG_STEPS
};

enum preagg_kind {
    PREAGG_NONE,
    PREAGG_A_FLUSH,
    PREAGG_A_CLAIM
};

/* On its way to the sub-key; in the order of sending, and no gaps. */
struct preagg_flight {
    uint16_t sequence;
    uint8_t value;
    uint8_t kind;  /* enum preagg_kind */
    uint8_t life;  /* the router's restarts before it was sent */
    uint8_t likes; /* which it stands for */
};

/* Sets of likes have a bit for each. All of them but `rows` are for the judgement, and for what the
 * engine knows by counting. */
struct preagg {
    struct flush_sender sender;
    struct flush_cell cell;
    struct preagg_flight flight[PREAGG_FLIGHTS];
    uint8_t likes; /* how many there were */
    uint8_t losses, restarts, rebuilds;
    int8_t fix;      /* the correction */
    uint8_t rows;    /* in `liked` */
    uint8_t young;   /* since the router took its sub-key into use */
    uint8_t buffer;  /* in the router's buffer */
    uint8_t total;   /* in its total */
    uint8_t held;    /* in the sub-key */
    uint8_t fixed;   /* in the correction */
    uint8_t owed;    /* that the count must show */
    uint8_t missing; /* told, but lost before they were stored */
    uint8_t unused[7];
};

_Static_assert(sizeof(struct preagg) == 96, "bytes only, no padding");

const struct preagg_world *preagg_world_of(const struct check_scope *scope);
uint16_t preagg_action(enum preagg_step step, unsigned flight);
enum preagg_step preagg_step_of(uint16_t action);
unsigned preagg_flight_of(uint16_t action);
/* The rules of proto/rule.h that hold in a scope. */
uint64_t preagg_rules_of(const struct check_scope *scope);
/* The state after a step that `now` allows. */
struct preagg preagg_after(const struct check_scope *scope, const struct preagg *now,
                           uint16_t action);
/* 0, or which promise is broken. */
enum preagg_promise {
    PREAGG_COUNTED = 1,
    PREAGG_ONCE,
    PREAGG_STORED
};
int preagg_check(const struct check_scope *scope, const void *state);
unsigned preagg_size_of(uint8_t likes); /* how many likes are in a set */

/* preagg_words.c */
void preagg_tell(const struct check_scope *scope, const void *state, uint16_t action,
                 struct check_told *told);
void preagg_say_size(uint8_t size, char *text, size_t room);

#endif
