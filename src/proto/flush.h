/*
 * flush: pre-aggregation: a router sums likes and writes its sum to a sub-key of its own.
 *
 * Three ways to write it, which differ in what is safe to send again and to be overtaken:
 *   absolute   the total so far, with a sequence; the sub-key takes it only when the sequence is
 *              higher than the one it holds (RULE_FLUSH_SEQUENCE). With RULE_ABSOLUTE_FLUSH off it
 *              is a bare increment, which has nothing to compare.
 *   window     the difference of one window under the window's number, taken only when that number
 *              is new. The next window goes out only after this one was answered; until then the
 *              same one is sent again.
 *   merge      a counter CRDT: the writer's total; the sub-key keeps the larger of the two, so that
 *              order does not matter, with or without a sequence.
 *
 * A router that restarts has lost its buffer, its total and its sequence. It reads the sub-key back
 * and goes on from there. A flush of its former life may still be under way; with
 * RULE_CLAIM_ON_RESTART it first makes the sub-key its own by raising the sequence that it read, so
 * that whatever comes from before is refused. It raises it by a large step: of the former life many
 * flushes may be under way, each with a higher sequence than the last that was taken. The claim is
 * taken only if nothing has changed since the read; else the router reads again. Likes are summed
 * meanwhile, and nothing is flushed.
 */
#ifndef HOTSHARD_PROTO_FLUSH_H
#define HOTSHARD_PROTO_FLUSH_H

#include "proto/rule.h"

#define FLUSH_CLAIM_STEP 1000u /* more than a router flushes while a message is on its way */

enum flush_way {
    FLUSH_ABSOLUTE,
    FLUSH_WINDOW,
    FLUSH_MERGE,
    FLUSH_WAYS
};

enum flush_phase {
    FLUSH_READY,
    FLUSH_READING, /* restarted: it waits for what the sub-key holds */
    FLUSH_CLAIMING /* and for its claim of it */
};

/* In the router's memory. */
struct flush_sender {
    uint64_t total;    /* summed and sent so far */
    uint32_t buffer;   /* summed since the last flush */
    uint32_t sent;     /* window: the difference that has not been answered yet */
    uint32_t sequence; /* of the last flush */
    uint8_t phase;     /* enum flush_phase */
    uint8_t unused[3];
};

/* The sub-key, in its shard's store. */
struct flush_cell {
    uint64_t total;
    uint32_t sequence; /* of the last flush or claim taken */
    uint8_t unused[4];
};

/* What travels: a flush, or a claim with what was read. */
struct flush_parcel {
    uint64_t value;
    uint32_t sequence;
    uint8_t unused[4];
};

_Static_assert(sizeof(struct flush_sender) == 24, "bytes without holes");
_Static_assert(sizeof(struct flush_cell) == 16, "bytes without holes");
_Static_assert(sizeof(struct flush_parcel) == 16, "bytes without holes");

/* A like is summed. */
void flush_add(struct flush_sender *s);
/* Whether a flush could go out and would carry something new; the window's, when it is answered. */
bool flush_has_news(const struct flush_sender *s, enum flush_way way);
struct flush_parcel flush_send(struct flush_sender *s, uint64_t rules, enum flush_way way);
/* The shard has answered, whether it took the flush or had something newer. */
void flush_answered(struct flush_sender *s, uint32_t sequence);
/* The router lost its memory; before it flushes again it reads its sub-key. */
void flush_crash(struct flush_sender *s);
/* What the sub-key held has come. True: it must be claimed, with that. */
bool flush_read_back(struct flush_sender *s, uint64_t rules, struct flush_cell held);
/* The claim was answered. Not taken: the sub-key must be read again. */
void flush_claimed(struct flush_sender *s, bool taken);

/* At the shard. False: refused, nothing changes. */
bool flush_take(struct flush_cell *cell, uint64_t rules, enum flush_way way,
                struct flush_parcel parcel);
bool flush_take_claim(struct flush_cell *cell, struct flush_parcel claim);

#endif
