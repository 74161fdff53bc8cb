/*
 * gather: one query over all shards: ask each, merge what they answer, say what is missing.
 *
 * Each shard is asked for all the slots that it has: a part of the query. It answers with the sum
 * (or the top) over those that it has whole, and says which they are, with the epoch of each. A
 * slot that moves meanwhile may be in two answers, when the source answers before the move and the
 * target after it, or in none, the other way round. A sum cannot be taken apart, so an answer is
 * merged whole or not at all: not, if one of its slots is in already from another epoch
 * (RULE_ONE_EPOCH_A_SLOT). When nobody is waited for and slots are missing, the next round asks
 * their owners, for these slots alone.
 *
 * A part that keeps the router waiting is hedged: a replica is asked the same. The first answer to
 * a question counts; the second is dropped, and so is one to a question of an earlier round, or
 * after the timeout (RULE_FIRST_ANSWER_COUNTS; with it off they are merged like others).
 *
 * The query ends whole as soon as every slot is in. When time is up before, it ends partial, and
 * says so (RULE_MARK_PARTIAL; with it off the query ends when nobody is waited for any more, and
 * calls itself whole). A timeout may be each part's or the query's.
 *
 * The steps, by whoever asks: gather_begin; gather_ask for each part; gather_hedge, gather_give_up
 * as gather_turn says. For each answer: gather_clashes for its slots, gather_judge, then
 * gather_heard, gather_slot_in for its slots if it is merged, and gather_close. Then, if it has not
 * ended, gather_again when that may be, and gather_ask anew. Slots that are always together may
 * share one struct gather_slot.
 *
 * After J. Dean and L. A. Barroso, "The Tail at Scale" (2013): hedged requests, and replies that
 * are good enough.
 */
#ifndef HOTSHARD_PROTO_GATHER_H
#define HOTSHARD_PROTO_GATHER_H

#include "proto/rule.h"
#include "proto/slot.h"

enum gather_end {
    GATHER_OPEN, /* it goes on */
    GATHER_WHOLE,
    GATHER_PARTIAL,
    GATHER_ENDS
};

struct gather_core {
    uint32_t slots;   /* that the query is about */
    uint32_t in;      /* how many of them are in the result */
    uint32_t round;   /* of questions, from 1 */
    uint16_t waiting; /* for so many parts */
    uint8_t end;      /* enum gather_end */
    uint8_t unused;
};

enum gather_state {
    GATHER_UNASKED,
    GATHER_WAITING,
    GATHER_HEARD,
    GATHER_GIVEN_UP
};

struct gather_part { /* one shard's */
    int64_t asked_us;
    uint32_t round; /* in which it was asked last */
    uint8_t state;  /* enum gather_state */
    uint8_t hedged; /* a replica was asked as well */
    uint8_t unused[2];
};

struct gather_slot {
    uint32_t epoch; /* at which it is in */
    uint8_t in;
    uint8_t unused[3];
};

_Static_assert(sizeof(struct gather_core) == 16 && sizeof(struct gather_part) == 16 &&
                   sizeof(struct gather_slot) == 8,
               "bytes without holes");

const char *gather_end_name(enum gather_end end);

struct gather_core gather_begin(uint32_t slots);
void gather_ask(struct gather_core *g, struct gather_part *p, int64_t now_us);

struct gather_policy {
    int64_t hedge_us, timeout_us; /* after which; 0: never */
};

enum gather_turn {
    GATHER_WAITS,
    GATHER_HEDGES,
    GATHER_GIVES_UP
};

enum gather_turn gather_turn(const struct gather_part *p, const struct gather_policy *policy,
                             int64_t now_us);
bool gather_may_hedge(const struct gather_part *p);
void gather_hedge(struct gather_part *p);
void gather_give_up(struct gather_core *g, struct gather_part *p);

/* Whether a shard counts a slot in its answer, by its slot table's row and how many of the slot's
 * keys it holds. */
bool gather_counts(enum slot_state row, enum presence presence);

enum gather_fate { /* of an answer */
    GATHER_MERGED,
    GATHER_CLASHED, /* a slot of it is in from another epoch: nothing of it is merged */
    GATHER_DROPPED  /* it is not the first one */
};

/* Whether a slot that an answer counts at this epoch is in from another one. */
bool gather_clashes(const struct gather_slot *s, uint32_t epoch);
/* What becomes of an answer to the question of this round; `clashes`: some slot of it does. */
enum gather_fate gather_judge(const struct gather_part *p, uint64_t rules, uint32_t round,
                              bool clashes);
void gather_heard(struct gather_core *g, struct gather_part *p, uint32_t round);
void gather_slot_in(struct gather_core *g, struct gather_slot *s, uint32_t epoch);
/* So many slots that are always together and share one. */
void gather_slots_in(struct gather_core *g, struct gather_slot *s, uint32_t count, uint32_t epoch);
/* Ends the query if it is to end now; how. */
enum gather_end gather_close(struct gather_core *g, uint64_t rules, bool time_is_up);
bool gather_may_again(const struct gather_core *g);
void gather_again(struct gather_core *g); /* the next round */

struct gather_item {
    uint64_t key;
    int64_t value;
};

/* Puts an item among the `room` best, of which there are `count`: highest value first, equal ones
 * by their keys. Returns how many there are now. What each shard finds best over its slots, merged
 * so, is what is best over all. */
uint32_t gather_top(struct gather_item *top, uint32_t count, uint32_t room,
                    struct gather_item item);

#endif
