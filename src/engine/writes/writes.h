/*
 * writes: what routers do with likes of a hot count, other than sending each to its shard.
 *
 * A treated count has a row in a table of config.hot_max rows, which knows its sub-keys; each
 * router keeps a spot for each row. The treatments (command `writes`):
 *   plain    each like goes to the count's own key.
 *   salted   each goes to one of S sub-keys, picked by its router.
 *   summed   pre-aggregation: its row goes to the table `liked`, its client is told, the router
 * adds one to its buffer; each window the router flushes its sum to a sub-key of its own
 *            (proto/flush.h). An empty buffer is not flushed.
 * Sub-keys have names that anybody can work out: likes:{p9#3} (salt inside the hash tag, so that it
 * moves the key to another slot) or likes:{p9}#3 (outside: all in one slot), likes:{p9}:r4 of a
 * router, likes:{p9}:fix of the correction.
 *
 * The count is the sum of all of them. A read asks one shard for all sub-keys of a slot at once,
 * and each slot that holds some. Parts that are not written any more are frozen, as soon as no
 * write of theirs is under way: their sum is one number, which every router knows with the
 * treatment, and need not be read. A row remembers the most salts that it ever used, so that S can
 * change at any time: readers always know all sub-keys.
 *
 * The table `liked` keeps a durable row for each like of a treated count: by the summed way before
 * the client is told, else in one step with the shard's write. The likes from before the treatment
 * count as rows. A like that is sent again (the same operation, within the last LIKED_WINDOW
 * requests) has its row already. A rebuild recounts the rows and writes what the sub-keys lack into
 * the correction. Its recount ends, router by router, at the last like that the sub-key holds
 * (RULE_RECOUNT_AT_FLUSHED); what a router still has in its buffer comes with its next flush.
 */
#ifndef HOTSHARD_ENGINE_WRITES_H
#define HOTSHARD_ENGINE_WRITES_H

#include "base/digest.h"
#include "base/err.h"
#include "base/str.h"
#include "engine/command.h"
#include "engine/event.h"
#include "engine/trace.h"
#include "proto/flush.h"

#define SALTS_MAX 64u
#define LIKED_WINDOW 32768u /* operations; a power of two */
#define WINDOW_DEFAULT_US INT64_C(500000)

struct world;
struct request;

enum writes_mode {
    WRITES_PLAIN,
    WRITES_SALTED,
    WRITES_SUMMED,
    WRITES_MODES
};

enum salt_place {
    SALT_INSIDE,
    SALT_OUTSIDE
};

enum salt_pick {
    SALT_TURN,   /* one after the other, each router for itself, R0 from salt 0, R1 from 1 ... */
    SALT_RANDOM, /* by the world's random numbers: sent again, a like may go elsewhere */
    SALT_WRITER  /* derived from the operation: sent again, it goes to the same sub-key */
};

/* What a count is made of. */
enum count_part {
    PART_PLAIN,
    PART_SALTS,
    PART_ROUTERS,
    COUNT_PARTS
};

struct writes_state {
    uint32_t count; /* rows in use */
};

/* A treated count, for those who look at it. Likes, but where it says otherwise. */
struct count_info {
    enum writes_mode mode;
    enum salt_place place;
    enum salt_pick pick;
    enum flush_way way;
    uint32_t salts, salts_ever; /* S now, and the most so far */
    int64_t window_us;
    uint64_t shown;     /* what a read returns that asks all shards now */
    uint64_t durable;   /* rows in `liked` */
    uint64_t told;      /* acknowledged by a router that sums */
    uint64_t buffered;  /* in routers' buffers */
    uint64_t on_way;    /* in flushes that their sub-keys have not taken yet */
    uint64_t unheard;   /* in `liked`, but the router has not heard of it (yet) */
    uint64_t unstored;  /* in buffers, acknowledged, and not in `liked` (yet) */
    uint64_t lost;      /* from the count, when routers crashed */
    uint64_t doubled;   /* counted twice: a like or a flush that was sent again, and taken again */
    uint64_t forgotten; /* acknowledged, but never stored in `liked`: a crash took it */
    int64_t fix;        /* the correction in force */
    bool frozen[COUNT_PARTS];
    uint64_t frozen_sum; /* of the parts that need not be read */
    bool rebuilding;
};

bool writes_apply(struct world *w, const struct command *c, struct err *err);

/* A client's write of a treated key has reached its router. True: it is taken care of; false: it
 * goes into the ROUTE loop, a salted one by another key. */
bool writes_take(struct world *w, uint32_t request);
/* A read of a treated count, by a client or a fetch: asks every shard that holds a part of it. */
void writes_read(struct world *w, uint32_t request);
/* A request of the router's own (ORIGIN_PART, ORIGIN_FLUSH, ORIGIN_JOB) has its answer, or failed.
 */
void writes_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value);
/* The shard applies OP_FLUSH, OP_CLAIM, OP_CORRECT; gives the answer's outcome and value. */
enum outcome writes_serve(struct world *w, uint16_t shard, uint32_t request, uint64_t *value);
/* A shard has applied a like of a treated key: its row in `liked` goes along with it. */
void writes_applied(struct world *w, uint32_t request);
/* The sum of a count's sub-keys that a shard holds in the request's slot, and how many there are.
 * A router that reads its own sub-key back gets that one, with its sequence in request.link. */
uint64_t writes_sum(struct world *w, uint16_t shard, const struct request *r, uint32_t *keys);
/* The same for a count that somebody reads beside another key of its slot, treated or not: what of
 * it lies there, with what is frozen. False: it has other parts elsewhere. */
bool writes_beside(const struct world *w, uint16_t shard, uint32_t count, uint64_t *sum,
                   uint32_t *keys);
/* EVENT_STORE, EVENT_STORED, EVENT_FLUSH, EVENT_JOB, and EVENT_TIMEOUT of a request that waits for
 * `liked`. */
void writes_handle(struct world *w, const struct event *event);
/* The router crashed: its buffers are gone. It restarted: it reads its totals back. */
void writes_crash(struct world *w, uint16_t router);
void writes_restart(struct world *w, uint16_t router);

/* The count that a treated key or sub-key belongs to. */
uint32_t writes_count_of(const struct world *w, uint32_t key);
/* False when this key is no treated count. */
bool writes_count(const struct world *w, uint32_t key, struct count_info *out);
/* What a router has in its buffer for a treated count. */
uint64_t writes_buffered(const struct world *w, uint32_t key, uint16_t router);
/* What one router does for a count whose likes are summed. */
struct count_router {
    uint32_t key;      /* its sub-key; KEY_NONE_ID: it has none yet */
    uint64_t buffered; /* since its last flush */
    uint64_t total;    /* summed and sent so far */
    uint32_t sequence; /* of its last flush */
    uint64_t held;     /* what its sub-key holds */
    uint64_t lost;     /* from the count, in all its crashes */
    enum flush_phase phase;
};
struct count_router writes_router(const struct world *w, uint32_t key, uint16_t router);
/* A treated count is made of these: its own key, its salts, its routers' sub-keys, the correction.
 */
struct count_key {
    uint32_t key;
    enum count_part part; /* COUNT_PARTS: the correction */
    uint16_t number;      /* which salt, or whose */
    bool frozen;          /* need not be read */
    uint64_t value;       /* at its owner; a correction may be negative */
};
/* At most `room` of them; returns how many there are. */
uint32_t writes_keys(const struct world *w, uint32_t key, struct count_key *out, uint32_t room);
/* What must be true of each treated count now; false with the invariant's name:
 *   conservation       rows = sub-keys + buffers + flushes under way + what crashes lost
 *   durable-first      no acknowledged like is missing from `liked`
 *   no-overshoot       the count shows no like that is not in `liked`, and none twice
 *   flush-order        a sub-key holds no more, and no later sequence, than its router sent
 *   frozen             a frozen part is still what it was when it was frozen
 *   salts-placed       each sub-key has its count's row, and the slot that its name says */
bool writes_hold(const struct world *w, struct err *err);

void writes_lay_out(struct world *plan, uint64_t *end);
void writes_feed(struct digest *d, const struct world *w);

void writes_say(const struct world *w, const struct trace_record *r, struct str *out);
void writes_label(const struct world *w, const struct trace_record *r, struct str *out);
void writes_why(const struct world *w, const struct trace_record *r, struct str *out);

#endif
