/*
 * coalesce: two readers and a writer of one key, whose reads share queries: its states and steps.
 *
 * The model is told of in coalesce.c; this is for whoever plays its schedules elsewhere.
 */
#ifndef HOTSHARD_CHECK_COALESCE_H
#define HOTSHARD_CHECK_COALESCE_H

#include <stdint.h>

#define COALESCE_READERS 2
#define COALESCE_ROUTERS 2

enum coalesce_step {
    COALESCE_SEND_WRITE,
    COALESCE_APPLY_WRITE,
    COALESCE_ACKNOWLEDGE,
    COALESCE_READ,   /* a reader asks a router: which is the reader */
    COALESCE_ANSWER, /* the shard answers a router's query: which is the query */
    COALESCE_RETURN  /* the router gives the answer to all who wait for that query */
};

struct coalesce_action {
    enum coalesce_step step;
    uint8_t router, which;
};

/* See flip_action_of. */
struct coalesce_action coalesce_action_of(uint16_t action);

enum coalesce_write {
    COALESCE_UNSENT,
    COALESCE_SENT,
    COALESCE_APPLIED,
    COALESCE_ACKNOWLEDGED
};

enum coalesce_stage {
    COALESCE_IDLE,
    COALESCE_WAITING,
    COALESCE_DONE
};

struct coalesce_reader {
    uint8_t stage;
    uint8_t router, query; /* while it waits */
    uint8_t need;          /* while it waits: the version that it must return; then: it was stale */
};

/* The core's 64 queries are more than two readers can begin: its words are kept as bytes. */
struct coalesce {
    uint8_t flying[COALESCE_ROUTERS];
    uint8_t joinable[COALESCE_ROUTERS];
    uint8_t answered[COALESCE_ROUTERS]; /* a bit for each query under way that is answered */
    uint8_t newer[COALESCE_ROUTERS];    /* of these, those with version 1 */
    uint8_t write;
    uint8_t unused[7];
    struct coalesce_reader reader[COALESCE_READERS];
    uint8_t rest[8];
};

_Static_assert(sizeof(struct coalesce) == 32, "bytes only, no padding");

#endif
