/*
 * txn_play: a world with rows: alice and bob at different shards, and what tests ask of them.
 */
#ifndef HOTSHARD_TESTS_TXN_PLAY_H
#define HOTSHARD_TESTS_TXN_PLAY_H

#include "play.h"

#include "engine/txns/txns.h"

#define MS(n) ((int64_t)(n)*US_PER_MS)

static inline struct world_config txn_config(void)
{
    struct world_config c = play_config();
    c.txns_max = 8;
    c.txn_rows_max = 8;
    return c;
}

static inline struct world *txn_world(void)
{
    struct world_config c = txn_config();
    struct world *w = play_new(&c);
    play(w, "row alice 100");
    play(w, "row bob 20");
    return w;
}

static inline struct txn_row_info txn_row(const struct world *w, const char *key)
{
    uint32_t row = 0;
    assert_true(world_txn_row_find(w, bytes_of(key), &row));
    return world_txn_row(w, row);
}

/* Every event of so many milliseconds more, with the invariants after each. */
static inline void txn_run(struct world *w, int64_t ms)
{
    int64_t end = world_now(w) + MS(ms);
    int64_t next = 0;
    while (world_next_time(w, &next) && next <= end) {
        assert_true(world_step(w));
        play_holds(w);
    }
    world_run_until(w, end);
}

/* The number of records with this reason. */
static inline uint32_t txn_told(const struct world *w, enum txns_reason reason)
{
    uint32_t count = 0;
    for (uint64_t i = trace_first(w); i < trace_next(w); i++) {
        const struct trace_record *r = trace_get(w, i);
        count += r != NULL && r->reason == reason;
    }
    return count;
}

#endif
