/*
 * The figure of a node that is declared dead with all that it leads. Played on the engine. Part of
 * test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_WATCH_H
#define HOTSHARD_TESTS_FIGURES_WATCH_H

#include "engine/copies/copies.h"
#include "engine/nodes/nodes.h"
#include "engine/watch/watch.h"
#include "figures_nodes.h"

#define WATCHED_NODES 6

static inline uint32_t leads(const struct world *w, uint32_t node)
{
    return world_node_holds(w, node).leads;
}

/* A hot partition and b others are led by one node. It falls silent, the directory declares it
 * dead, and all of them are led by others in the end. */
static inline void value_watch_failed_over(const struct figure *f, struct str *out)
{
    struct world_config c = story_config(1);
    uint32_t partitions = (uint32_t)(1 + f->b);
    c.groups_max = (uint16_t)partitions;
    c.node_messages_max = 16384;
    struct err err = {{0}};
    struct world *w = world_new(&c, &err);
    CHECK(w != NULL);
    must_say(w, "node add a 6");
    for (uint32_t i = 0; i < partitions; i++) {
        char words[64];
        snprintf(words, sizeof words, "group P%u N1 N%u N%u", (unsigned)i + 1,
                 2 + (unsigned)i % (WATCHED_NODES - 1),
                 2 + ((unsigned)i + 1) % (WATCHED_NODES - 1));
        must_say(w, words);
    }
    must_say(w, "beats 1000 timeout 3000");
    nodes_play(w, "+5000");
    uint32_t before = leads(w, 0);
    nodes_play(w, "node N1 down;+20000");
    uint32_t elsewhere = 0;
    for (uint32_t node = 1; node < WATCHED_NODES; node++) {
        elsewhere += leads(w, node);
    }
    CHECK(world_watch(w).declared == 1 && world_watch(w).falsely == 0 && before == elsewhere);
    figures_add_int(out, elsewhere);
    world_free(w);
}

static const struct figure watched[] = {
    {"d4.hc_parts", value_watch_failed_over, NULL, 0, 50},
};

#endif
