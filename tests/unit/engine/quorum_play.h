/*
 * quorum_play: five nodes in three zones, and a store without leaders on them. For unit tests.
 *
 * Keys by where they begin on a ring of five: `p9` N1, `nova` N2, `cart` N3.
 */
#ifndef HOTSHARD_TESTS_QUORUM_PLAY_H
#define HOTSHARD_TESTS_QUORUM_PLAY_H

#include "play.h"

#include "engine/nodes/nodes.h"
#include "engine/quorums/quorums.h"

static inline struct world_config quorum_config(void)
{
    struct world_config c = play_config();
    c.nodes_max = 8;
    c.node_messages_max = 1024;
    c.stores_max = 2;
    c.trace_max = 4096;
    return c;
}

/* N1 a, N2 b, N3 c, N4 a, N5 b. */
static inline struct world *quorum_world(const char *store)
{
    struct world_config c = quorum_config();
    struct world *w = play_new(&c);
    play(w, "node add a");
    play(w, "node add b");
    play(w, "node add c");
    play(w, "node add a");
    play(w, "node add b");
    play(w, store);
    return w;
}

/* So many ms, the invariants after every event. */
static inline void quorum_run(struct world *w, int64_t ms)
{
    int64_t until = world_now(w) + ms * US_PER_MS;
    int64_t next = 0;
    while (world_next_time(w, &next) && next < until) {
        world_step(w);
        play_holds(w);
    }
    world_run_until(w, until);
    struct err err = {{0}};
    if (world_stopped(w, &err)) {
        fail_msg("%s", err.text);
    }
}

static inline struct store_info quorum_store(const struct world *w)
{
    return world_store(w, 0);
}

/* The last operation, after it has ended. */
static inline struct store_op quorum_ask(struct world *w, const char *words)
{
    struct store_op ops[STORE_HISTORY_MAX];
    play(w, words);
    quorum_run(w, 400);
    uint32_t count = world_store_history(w, 0, ops);
    assert_true(count > 0);
    return ops[count - 1];
}

static inline struct store_held quorum_held(const struct world *w, uint32_t key, uint32_t node)
{
    struct store_held held[NODES_MAX];
    uint32_t count = world_store_held(w, 0, key, held);
    for (uint32_t i = 0; i < count; i++) {
        if (held[i].node == node) {
            return held[i];
        }
    }
    return (struct store_held){.node = UINT32_MAX};
}

/* Whether a sentence is in what happened since `from`, or in a reason of it. */
static inline bool quorum_told(const struct world *w, uint64_t from, const char *sentence)
{
    bool found = false;
    for (uint64_t i = from; i < trace_next(w) && !found; i++) {
        struct str out = STR_EMPTY;
        trace_say(w, trace_get(w, i), &out);
        str_addc(&out, '\n');
        trace_why(w, trace_get(w, i), &out);
        found = strstr(str_text(&out), sentence) != NULL;
        str_free(&out);
    }
    return found;
}

#endif
