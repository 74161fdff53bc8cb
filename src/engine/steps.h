/*
 * steps: what happens at each node when an event is due. One function a node kind; each reads the
 * event, changes its own node, and sends what follows. Beside events only commands (apply.c) act on
 * nodes, through the functions below them.
 */
#ifndef HOTSHARD_ENGINE_STEPS_H
#define HOTSHARD_ENGINE_STEPS_H

#include "engine/state.h"

void shard_handle(struct world *w, const struct event *event);   /* QUERY, START */
void router_handle(struct world *w, const struct event *event);  /* ASK, ANSWER, MAP, WAKE */
void client_handle(struct world *w, const struct event *event);  /* REPLY */
void traffic_handle(struct world *w, const struct event *event); /* ARRIVAL */

/* A router asks for the map without a request waiting for it. */
void router_fetch(struct world *w, uint16_t router, enum reason reason);

/* A client in `zone` sends a request to a router now. NULL, with the world stopped, when it is
 * full. */
struct request *client_ask(struct world *w, enum op_kind op, uint32_t key, uint16_t router,
                           uint8_t zone, enum reason reason);
/* Whether the pool has a place, a remembered request's included. */
bool client_can_ask(const struct world *w);

/* Starts, changes or (rate 0) ends a flow from now on. */
void traffic_set(struct world *w, uint32_t flow, uint32_t rate, enum arrivals arrivals);

#endif
