/*
 * copies_play: nodes and groups, played and read. For the engine's unit tests.
 */
#ifndef HOTSHARD_TESTS_COPIES_PLAY_H
#define HOTSHARD_TESTS_COPIES_PLAY_H

#include "play.h"

#include "engine/copies/copies.h"
#include "engine/faults/faults.h"
#include "engine/nodes/nodes.h"
#include <stdio.h>

/* So many nodes in zone a; one group G of the first three, unless `members` says other. */
static inline struct world *copies_world(uint32_t nodes, const char *members)
{
    struct world_config c = play_config();
    char words[96];
    c.nodes_max = 16;
    c.node_messages_max = 512;
    c.groups_max = 16;
    struct world *w = play_new(&c);
    (void)snprintf(words, sizeof words, "node add a %u", nodes);
    play(w, words);
    if (members != NULL) {
        (void)snprintf(words, sizeof words, "group G %s", members);
        play(w, words);
    }
    return w;
}

/* Time passes; the invariants hold after each event. */
static inline void copies_run(struct world *w, int64_t ms)
{
    int64_t end = world_now(w) + ms * US_PER_MS;
    int64_t next = 0;
    while (world_next_time(w, &next) && next < end) {
        world_step(w);
        play_holds(w);
    }
    world_run_until(w, end);
}

static inline struct group_info copies_group(const struct world *w)
{
    uint32_t index = 0;
    assert_true(world_group_find(w, (struct bytes){.at = "G", .length = 1}, &index));
    return world_group(w, index);
}

/* The number of who leads, N1 is 1; 0: nobody. */
static inline uint32_t copies_leader(const struct world *w)
{
    struct group_info g = copies_group(w);
    return g.leader == UINT16_MAX ? 0 : g.replica[g.leader].node + 1u;
}

static inline struct replica_info copies_replica(const struct world *w, uint32_t node)
{
    struct group_info g = copies_group(w);
    for (uint32_t i = 0; i < g.replicas; i++) {
        if (g.replica[i].node + 1u == node) {
            return g.replica[i];
        }
    }
    fail_msg("N%u has no replica", node);
    return (struct replica_info){0};
}

/* Records of a reason since `from`. */
static inline uint32_t copies_count(const struct world *w, uint64_t from, uint32_t reason)
{
    uint32_t count = 0;
    for (uint64_t i = from; i < trace_next(w); i++) {
        const struct trace_record *r = trace_get(w, i);
        count += r != NULL && r->reason == reason && r->kind != TRACE_COMMAND;
    }
    return count;
}

#endif
