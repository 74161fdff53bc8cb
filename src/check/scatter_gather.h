/*
 * scatter_gather: one query over all shards, while a slot moves, to be searched.
 *
 * What a shard counts, what becomes of an answer, and when the query ends is decided by
 * proto/gather.h. Around it stand two or three shards with a leader and a replica each, a router
 * that asks them all, and a directory. Slot 1 moves, from A to B (and from there to C); each shard
 * has another slot that stays.
 *
 * How the steps are cut
 *   - The router asks all shards in one step, for what they have. Each question waits on its way as
 *     long as the search likes. That a shard answers, and the router hears it, is one step; or the
 *     answer is late, and lands in a step of its own.
 *   - A move is one step: the source gives the slot away and the target has it, one epoch up.
 *     Between a fence and a commit neither has it; to a query that looks as if the target had
 *     answered before the move and the source after it.
 *   - A replica hears of a move when the search likes: until then it counts as its leader did
 *     before. Only a hedge asks it, while its leader has not been heard.
 *   - The router gives a shard up at its timeout. What it had asked it stays on its way, and so do
 *     answers that are late.
 *   - When nobody is waited for and a slot is missing, there is time for another round, or none:
 *     then the reply goes out marked partial. The reply is the end: what comes after it changes
 *     nothing, and is not looked at.
 *
 * What is judged. Outside, the reply that the client has: it counts each slot once; it lacks a slot
 * only when it is marked partial; and it is marked only when it lacks one. Inside, what the router
 * has merged so far: no slot twice. That a slot is counted as its replica has it, which may be
 * behind, is no failure: whoever hedges takes that for an answer in time.
 *
 * Each rule shows when it alone is left out; none is redundant.
 */
#ifndef HOTSHARD_CHECK_FANOUT_H
#define HOTSHARD_CHECK_FANOUT_H

#include "check/model.h"
#include "proto/gather.h"

#define FANOUT_SHARDS_MAX 3
#define FANOUT_SLOTS_MAX 4
#define FANOUT_MOVING 0 /* the slot that moves; the others stay */
#define FANOUT_FLIGHTS 8
#define FANOUT_ALL 15u /* the slots of a question for all that a shard has */

/* The scopes, as check_scope.size. */
enum fanout_size {
    FANOUT_SMALL, /* two shards, a move, a hedge; a late answer, a timeout */
    FANOUT_LARGE, /* one more of each */
    FANOUT_SIZES
};

struct fanout_world {
    uint8_t shards, moves;          /* one slot more than shards */
    uint8_t hedges, late, timeouts; /* at most */
};

/* What a rule decides is in the name, so that a schedule is refused where the rule would have
 * decided otherwise. */
enum fanout_step {
    FANOUT_ASK,    /* the router asks all shards */
    FANOUT_ANSWER, /* a shard answers, and that is merged */
    FANOUT_ANSWER_CLASHES,
    FANOUT_LAND, /* the same of an answer that is late */
    FANOUT_LAND_CLASHES,
    FANOUT_DROP,  /* an answer comes for which nobody waits */
    FANOUT_HEDGE, /* the router asks a shard's replica as well */
    FANOUT_AGAIN, /* ... the owners of the slots that are missing */
    FANOUT_END,   /* time is up: the reply lacks a slot */
    FANOUT_APPLY, /* a replica hears of the moves */
    FANOUT_MOVE,
    FANOUT_LATE,    /* a shard answers, and the answer is late */
    FANOUT_GIVE_UP, /* a shard's timeout */
    FANOUT_STEPS
};

/* The others of a step; what does not apply is 0. */
struct fanout_action {
    enum fanout_step step;
    bool silent; /* it ends the query, slots are missing and the reply does not say so */
    uint8_t round, shard;
    bool replica; /* not the leader */
};

enum fanout_kind {
    FANOUT_NOTHING,
    FANOUT_QUESTION,
    FANOUT_REPLY,
    FANOUT_STALE /* either of them, when its answer will be dropped */
};

/* On its way; sorted by their bytes, and no gaps. A shard has one of each round, its replica as
 * well. Sets of slots have a bit each. */
struct fanout_flight {
    uint8_t kind : 2, shard : 2, replica : 1, unused : 3;
    uint8_t round : 4, wanted : 4; /* by the question */
    uint8_t counted : 4;           /* by an answer */
    uint8_t epoch : 4;             /* at which it counts the slot that moves */
    uint8_t rest;
};

/* A part and a slot, as proto/gather.h has them, in fewer bytes. Of a part that is not waited for
 * nothing is read. */
struct fanout_part {
    uint8_t waiting : 1, hedged : 1, round : 4, unused : 2;
};

struct fanout_slot {
    uint8_t epoch : 4; /* at which it came in first */
    uint8_t times : 4; /* it was merged */
};

struct fanout {
    uint8_t epoch;                     /* of the slot that moves */
    uint8_t behind[FANOUT_SHARDS_MAX]; /* the epoch that a replica knows of; 0: the last */
    struct fanout_part part[FANOUT_SHARDS_MAX];
    uint8_t round; /* 0: the query has not begun */
    struct fanout_slot slot[FANOUT_SLOTS_MAX];
    uint8_t end;                    /* enum gather_end; then all but this and the slots is clear */
    uint8_t hedges, late, timeouts; /* how many may still be */
    struct fanout_flight flight[FANOUT_FLIGHTS];
};

_Static_assert(sizeof(struct fanout) == 48, "bytes only, no padding");

/* In the order of the codes of broken promises. */
enum fanout_promise {
    FANOUT_TWICE = 1,
    FANOUT_SMALLER,
    FANOUT_MISMARKED,
    FANOUT_MERGED_TWICE
};

const struct fanout_world *fanout_world_of(const struct check_scope *scope);
/* The rules of proto/rule.h that hold in a scope. */
uint64_t fanout_rules_of(const struct check_scope *scope);
/* See flip_action_of. */
struct fanout_action fanout_action_of(uint16_t action);
uint16_t fanout_number_of(struct fanout_action a);

static inline unsigned fanout_slots(const struct fanout_world *world)
{
    return world->shards + 1u;
}

/* Whose a slot is at an epoch: the first shard has the slot that moves at epoch 1, the second at
 * epoch 2. */
static inline unsigned fanout_owner(unsigned slot, unsigned epoch)
{
    return slot == FANOUT_MOVING ? epoch - 1 : slot - 1;
}

/* The epoch of the slot that moves, as a shard's leader or its replica knows it. */
unsigned fanout_knows(const struct fanout *now, unsigned shard, bool replica);
/* What a shard's leader or replica answers to a question now. */
struct fanout_flight fanout_answer(const struct fanout_world *world, const struct fanout *now,
                                   const struct fanout_flight *question);
/* What the query has, and what it lacks. */
unsigned fanout_in(const struct fanout_world *world, const struct fanout *now);
unsigned fanout_missing(const struct fanout_world *world, const struct fanout *now);
/* The flight of a step that has one. */
const struct fanout_flight *fanout_flight_of(const struct fanout *now, struct fanout_action a);
/* Whether the router still waits for an answer to this question. */
bool fanout_is_awaited(const struct fanout *now, const struct fanout_flight *f);

/* scatter_steps.c; see check_model.next */
void fanout_next(const struct check_scope *scope, const void *state, struct check_out *out);
/* The state after a step that `now` allows. */
struct fanout fanout_after(const struct check_scope *scope, const struct fanout *now,
                           struct fanout_action a);

/* scatter_words.c */
void fanout_tell(const struct check_scope *scope, const void *state, uint16_t action,
                 struct check_told *told);
void fanout_say_size(uint8_t size, char *text, size_t room);

#endif
