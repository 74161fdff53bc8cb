/*
 * hot: the hot key's cluster, for the tests of the guards.
 *
 * The story's shards and routers with its ceilings, 16 posts with 50 likes and 100 reads a second,
 * and p9 with 2,400 and 9,000; p9, p1, p5 and p13 live on S2, whose ceilings are 1,000 and 3,000.
 */
#ifndef HOTSHARD_TESTS_HOT_H
#define HOTSHARD_TESTS_HOT_H

#include "play.h"

#include "engine/guards/guards.h"
#include <stdio.h>

#define HOT_SHARD 2

static inline struct world_config hot_config(void)
{
    struct world_config c = play_config();
    c.write_ceiling = 1000;
    c.read_ceiling = 3000;
    c.requests_max = 16384;
    c.events_max = 32768;
    c.limits_max = 16;
    c.tenants_max = 8;
    c.watch_max = 64;
    return c;
}

static inline void hot_flow(struct world *w, enum op_kind op, const char *kind, int post,
                            uint32_t rate, enum arrivals arrivals)
{
    char key[KEY_BYTES_MAX];
    (void)snprintf(key, sizeof key, "%s:{p%d}", kind, post);
    struct command c = command_flow(op, bytes_of(key), rate, arrivals);
    assert_true(world_apply(w, &c, NULL));
}

static inline void hot_traffic(struct world *w, enum arrivals arrivals)
{
    for (int post = 1; post <= 16; post++) {
        hot_flow(w, OP_LIKE, "likes", post, post == 9 ? 2400 : 50, arrivals);
        hot_flow(w, OP_READ, "post", post, post == 9 ? 9000 : 100, arrivals);
    }
}

static inline struct world *hot_world(uint64_t seed, enum arrivals arrivals)
{
    struct world_config c = hot_config();
    c.seed = seed;
    struct world *w = play_new(&c);
    hot_traffic(w, arrivals);
    return w;
}

static inline void run_for(struct world *w, int64_t us)
{
    world_run_until(w, world_now(w) + us);
    struct err err = {{0}};
    if (world_stopped(w, &err)) {
        fail_msg("%s", err.text);
    }
}

/* What clients ask of the hot shard in the next `us`. */
static inline struct guard_load load_of(struct world *w, int64_t us)
{
    struct guard_load before = guards_load(w, HOT_SHARD);
    run_for(w, us);
    return guards_load_less(guards_load(w, HOT_SHARD), before);
}

/* How many records of this kind and outcome there are about keys with the tag p1, p5 or p13, in
 * the next `us`. */
static inline uint32_t neighbours(struct world *w, int64_t us, enum trace_kind kind,
                                  enum outcome outcome, enum op_kind op)
{
    static const char *const names[] = {"likes:{p1}", "likes:{p5}", "likes:{p13}",
                                        "post:{p1}",  "post:{p5}",  "post:{p13}"};
    int64_t end = world_now(w) + us;
    uint64_t next = trace_next(w);
    uint32_t count = 0;
    int64_t time;
    bool is_one[256] = {false};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        is_one[play_key(w, names[i])] = true;
    }
    while (world_next_time(w, &time) && time < end && world_step(w)) {
        for (; next < trace_next(w); next++) {
            const struct trace_record *r = trace_get(w, next);
            count += r->kind == kind && r->outcome == outcome && r->op == op && r->key < 256 &&
                     is_one[r->key];
        }
    }
    world_run_until(w, end);
    return count;
}

#endif
