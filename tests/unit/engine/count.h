/*
 * count: a treated count, for the tests of writes: the story's posts, and p9 liked 2,400 times a
 * second, in a cluster without ceilings.
 */
#ifndef HOTSHARD_TESTS_COUNT_H
#define HOTSHARD_TESTS_COUNT_H

#include "play.h"

#include "engine/rates.h"
#include "engine/writes/writes.h"
#include <stdio.h>

#define COUNT "likes:{p9}"

static inline struct world_config count_config(void)
{
    struct world_config c = play_config();
    c.apply_us = 12000;
    c.liked_us = 2000;
    c.requests_max = 4096;
    c.events_max = 8192;
    return c;
}

static inline void count_flow(struct world *w, int post, uint32_t rate)
{
    char key[KEY_BYTES_MAX];
    (void)snprintf(key, sizeof key, "likes:{p%d}", post);
    struct command c = command_flow(OP_LIKE, bytes_of(key), rate, ARRIVALS_STEADY);
    assert_true(world_apply(w, &c, NULL));
}

/* All posts liked 50 times a second, p9 2,400 times. */
static inline struct world *count_world(void)
{
    struct world_config c = count_config();
    struct world *w = play_new(&c);
    for (int post = 1; post <= 16; post++) {
        count_flow(w, post, post == 9 ? 2400 : 50);
    }
    return w;
}

static inline void count_run(struct world *w, int64_t us)
{
    struct err err = {{0}};
    world_run_until(w, world_now(w) + us);
    if (world_stopped(w, &err)) {
        fail_msg("%s", err.text);
    }
    play_holds(w);
}

/* To an instant of the day. */
static inline void count_run_to(struct world *w, const char *clock)
{
    int64_t at = 0;
    assert_true(num_parse_clock(clock, &at, NULL));
    count_run(w, at - world_now(w));
}

static inline struct count_info count_info(const struct world *w)
{
    struct count_info info = {0};
    assert_true(writes_count(w, play_key(w, COUNT), &info));
    return info;
}

/* Writes asked of S0 to S3 in the next second. */
static inline void count_asked(const struct world *w, uint64_t writes[4])
{
    struct rates *rates = calloc(1, sizeof *rates);
    struct world *scratch = world_copy(w);
    assert_non_null(rates);
    rates_at(w, scratch, rates);
    for (int i = 0; i < 4; i++) {
        writes[i] = rates->shard[i].writes;
    }
    world_free(scratch);
    free(rates);
}

static inline void count_expect_asked(const struct world *w, uint64_t s0, uint64_t s1, uint64_t s2,
                                      uint64_t s3)
{
    uint64_t writes[4];
    count_asked(w, writes);
    assert_int_equal(writes[0], s0);
    assert_int_equal(writes[1], s1);
    assert_int_equal(writes[2], s2);
    assert_int_equal(writes[3], s3);
}

/* Nobody likes anything any more, and all that is under way arrives. */
static inline void count_settle(struct world *w)
{
    for (int post = 1; post <= 16; post++) {
        count_flow(w, post, 0);
    }
    count_run(w, 2 * US_PER_SECOND);
}

#endif
