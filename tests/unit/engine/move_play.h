/*
 * move_play: a world in which slots move: the story's delays, S4 joined, post p9's slot 12067 on
 * S2. For the tests of the live move.
 */
#ifndef HOTSHARD_TESTS_MOVE_PLAY_H
#define HOTSHARD_TESTS_MOVE_PLAY_H

#include "play.h"

#include "engine/moves/moves.h"

#define P9 "likes:{p9}"
#define SLOT 12067
#define TEN_PAST (EIGHT_PM + 600 * US_PER_SECOND)

static inline struct world_config moving_config(void)
{
    struct world_config c = play_config();
    c.start_us = TEN_PAST;
    c.shards = 4;
    c.shard_zone[4] = 2;
    c.apply_us = 12000;
    c.commit_us = 1000;
    c.replica_lag_us = 20000;
    return c;
}

static inline struct world *moving_world(void)
{
    struct world_config c = moving_config();
    struct world *w = play_new(&c);
    play(w, "shard add");
    return w;
}

static inline struct move_info move_now(const struct world *w)
{
    struct move_info info;
    assert_true(moves_info_of(w, SLOT, &info));
    return info;
}

/* Every event up to `time`, with the invariants after each. */
static inline void run_holding(struct world *w, int64_t time)
{
    int64_t next = 0;
    while (world_next_time(w, &next) && next < time) {
        assert_true(world_step(w));
        play_holds(w);
    }
    world_run_until(w, time);
    play_holds(w);
}

/* A small copy that is there after 100 ms, compared. */
static inline void move_until_copied(struct world *w, const char *command)
{
    play(w, command);
    run_holding(w, world_now(w) + 150000);
    assert_true(move_now(w).copied_us != MOVE_NEVER);
}

static inline void likes(struct world *w, int count, const char *words)
{
    for (int i = 0; i < count; i++) {
        assert_int_equal(play_request(w, words).outcome, OUTCOME_OK);
    }
}

static inline enum slot_state row_at(const struct world *w, uint16_t shard)
{
    return (enum slot_state)world_slot_row(w, shard, SLOT).state;
}

#endif
