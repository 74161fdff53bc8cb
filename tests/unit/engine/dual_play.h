/*
 * dual_play: a world for tests of dual writes.
 */
#ifndef HOTSHARD_TEST_DUAL_PLAY_H
#define HOTSHARD_TEST_DUAL_PLAY_H

#include "play.h"

#include "engine/shifts/shifts.h"
#include "engine/state.h"
#include <stdio.h>

/* post:{p9} at v4 on S2, three other posts at v1. */
static inline struct world *dual_world(void)
{
    struct world_config c = play_config();
    c.shards = 5;
    c.apply_us = 12000;
    c.commit_us = 1000;
    c.trace_max = 8192;
    struct world *w = play_new(&c);
    play(w, "move 12067 S2");
    world_run_until(w, EIGHT_PM + 20000);
    for (int i = 0; i < 4; i++) {
        play_request(w, "request edit post:{p9} via R0");
    }
    for (int i = 0; i < 3; i++) {
        char words[64];
        (void)snprintf(words, sizeof words, "request edit other%d:{p9} via R%d", i, i);
        play_request(w, words);
    }
    return w;
}

static inline uint32_t version(const struct world *w, uint16_t shard)
{
    return world_key_version(w, shard, play_key(w, "post:{p9}"));
}

static inline void run_and_hold(struct world *w, int64_t us)
{
    int64_t end = world_now(w) + us;
    int64_t next = 0;
    while (world_next_time(w, &next) && next < end) {
        world_step(w);
        play_holds(w);
    }
    world_run_until(w, end);
}

#endif
