/*
 * bucket: a rate's limit as an integer token bucket, exact to the microsecond.
 *
 * A ceiling of n a second fills n millionths of a token each microsecond; the bucket is 100 ms deep
 * (one token at least) and full at the start. Below zero it is a queue: each request takes its
 * token at once and starts when the bucket would have come back to it, first in, first out. Ceiling
 * 0: none.
 */
#ifndef HOTSHARD_ENGINE_BUCKET_H
#define HOTSHARD_ENGINE_BUCKET_H

#include <stdint.h>

#define TOKEN INT64_C(1000000)
#define BUCKET_DEPTH_US INT64_C(100000)
/* Fills any bucket: the longest queue (QUEUE_MAX) at one a second; times CEILING_MAX it fits. */
#define BUCKET_FULL_US (UINT64_C(1) << 40)

/* Tokens in millionths, so that a ceiling of n a second adds n of them a microsecond, exactly. */
struct bucket {
    int64_t level; /* below 0: requests are queued */
    int64_t level_at_us;
    int64_t last_start_us; /* of the last queued request: first in, first out */
    uint32_t ceiling;
};

static inline int64_t bucket_depth(uint32_t ceiling)
{
    int64_t depth = (int64_t)ceiling * BUCKET_DEPTH_US;
    return depth > TOKEN ? depth : TOKEN;
}

static inline void bucket_fill(struct bucket *b, int64_t now_us)
{
    uint64_t room = (uint64_t)(bucket_depth(b->ceiling) - b->level);
    uint64_t passed = (uint64_t)(now_us - b->level_at_us);
    uint64_t gained = (passed < BUCKET_FULL_US ? passed : BUCKET_FULL_US) * b->ceiling;
    b->level += (int64_t)(gained < room ? gained : room);
    b->level_at_us = now_us;
}

/* A bucket for those who look at it. */
struct bucket_info {
    uint32_t rate;   /* tokens a second; 0: no limit */
    int64_t level;   /* millionths of a token, now; below 0: requests are queued */
    int64_t depth;   /* as much as it holds, likewise */
    int64_t waiting; /* requests in its queue */
};

/* Requests that wait for a token now. */
static inline int64_t bucket_waiting(const struct bucket *b)
{
    return b->level < 0 ? (TOKEN - 1 - b->level) / TOKEN : 0;
}

static inline struct bucket_info bucket_look(struct bucket b, int64_t now_us)
{
    if (b.ceiling > 0) {
        bucket_fill(&b, now_us);
    }
    return (struct bucket_info){.rate = b.ceiling,
                                .level = b.level,
                                .depth = bucket_depth(b.ceiling),
                                .waiting = b.ceiling > 0 ? bucket_waiting(&b) : 0};
}

/* Takes what a request costs. Returns in how many microseconds it starts, -1 when it is refused. */
static inline int64_t bucket_take_cost(struct bucket *b, int64_t now_us, uint32_t queue,
                                       int64_t cost)
{
    if (b->ceiling == 0) {
        return 0;
    }
    bucket_fill(b, now_us);
    if (b->level >= cost) {
        b->level -= cost;
        return 0;
    }
    if (bucket_waiting(b) >= queue) {
        return -1;
    }
    b->level -= cost;
    int64_t start = now_us + (b->ceiling - 1 - b->level) / b->ceiling;
    b->last_start_us = start > b->last_start_us ? start : b->last_start_us;
    return b->last_start_us - now_us;
}

/* A token. */
static inline int64_t bucket_take(struct bucket *b, int64_t now_us, uint32_t queue)
{
    return bucket_take_cost(b, now_us, queue, TOKEN);
}

static inline void bucket_set(struct bucket *b, int64_t now_us, uint32_t ceiling)
{
    if (b->ceiling == 0) {
        b->level = bucket_depth(ceiling);
        b->level_at_us = now_us;
    } else {
        bucket_fill(b, now_us);
    }
    b->ceiling = ceiling;
    int64_t depth = bucket_depth(ceiling);
    b->level = b->level < depth ? b->level : depth;
}

#endif
