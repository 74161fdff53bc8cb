/*
 * system_cassandra: the ring of the model of Cassandra, for its two files.
 */
#ifndef HOTSHARD_ENGINE_SYSTEM_CASSANDRA_H
#define HOTSHARD_ENGINE_SYSTEM_CASSANDRA_H

#include "engine/systems/systems_inside.h"

enum cassandra_own {
    CASSANDRA_TOKENS,
    CASSANDRA_JOINING
};
enum range_own {
    RANGE_ALONE
};

/* Tokens are dealt to the nodes that are there. */
void cassandra_start(struct world *w, uint8_t system, uint32_t parts);
/* A node begins to join, and streams what will be its own; a timer calls cassandra_join then. */
bool cassandra_grow(struct world *w, uint8_t system, const struct command *c, struct err *err);
void cassandra_join(struct world *w, uint8_t system);

#endif
