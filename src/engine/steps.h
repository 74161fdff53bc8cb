/*
 * steps: what happens at each node when an event is due, and what the modules of the engine ask of
 * the ROUTE loop and of the pool of requests.
 *
 * One function a node kind handles its events; each reads the event, changes its own node, and
 * sends what follows. Beside events only commands act on nodes.
 */
#ifndef HOTSHARD_ENGINE_STEPS_H
#define HOTSHARD_ENGINE_STEPS_H

#include "engine/request.h"

void shard_asked(struct world *w, const struct event *event);     /* QUERY */
void shard_handle(struct world *w, const struct event *event);    /* all other kinds of its */
void router_asked(struct world *w, const struct event *event);    /* ASK */
void router_answered(struct world *w, const struct event *event); /* ANSWER */
void router_handle(struct world *w, const struct event *event);   /* MAP, WAKE, TIMEOUT, ... */
void client_handle(struct world *w, const struct event *event);   /* REPLY, EXPIRE */
void traffic_handle(struct world *w, const struct event *event);  /* ARRIVAL */

/* --- clients (traffic.c) --- */

/* A client in `zone` sends a request to a router now; its place in the pool, NO_INDEX with the
 * world stopped when that is full. */
uint32_t client_ask(struct world *w, enum op_kind op, uint32_t key, uint16_t router, uint8_t zone,
                    enum reason reason);
/* Sends it (again) to its router. */
void client_send(struct world *w, uint32_t request, enum reason reason);
/* Whoever asked for this like knows now, one way or the other: the ledger of its key. */
void like_told(struct world *w, struct request *r, bool ok);
/* Starts, changes or (rate 0) ends a flow from now on. */
void traffic_set(struct world *w, uint32_t flow, uint32_t rate, enum arrivals arrivals);
/* A flow that is not in the table of flows: its first arrival (`number` sets its phase apart from
 * others'), the one after it, and the router that the next one goes to. */
void traffic_begin(struct flow *f, int64_t now_us, uint32_t number);
void traffic_next(struct flow *f);
uint16_t traffic_router(const struct world *w, struct flow *f);

/* --- routers (router.c) --- */

/* Asks for the map without a request waiting for it. */
void router_fetch(struct world *w, uint16_t router, enum reason reason);
/* Asks once more for the map, for this request or (NO_INDEX) for nobody: none came. */
void router_fetch_again(struct world *w, uint16_t router, uint32_t request);
/* If the map that it waits for has not come within the routers' patience, it asks once more. */
void router_watch_fetch(struct world *w, uint16_t router);
/* A request of the router's own: made, not sent. NO_INDEX with the world stopped. */
uint32_t router_own(struct world *w, uint16_t router, enum op_kind op, uint32_t key,
                    enum origin origin);
/* Asks this shard, whatever the map says: the record of it. */
struct trace_record *router_ask(struct world *w, uint32_t request, uint16_t shard, uint32_t epoch,
                                enum reason reason);
/* Sends a request into the ROUTE loop; its slot is that of its key. */
void router_route(struct world *w, uint32_t request);
/* A read of a count with sub-keys asks for all of them, everything else goes into the loop. */
void router_begin(struct world *w, uint32_t request);
/* A client's write, by whichever module treats its key; everything else goes into the loop. */
void router_write(struct world *w, uint32_t request);
/* A request has come to its end at its router: whoever wanted it is told. */
void router_done(struct world *w, uint32_t request, enum outcome outcome, uint64_t value,
                 enum reason reason);
/* Tells a client: the record of the reply, for the caller to add operands. */
struct trace_record *router_reply(struct world *w, uint32_t request, enum outcome outcome,
                                  uint64_t value, enum reason reason);

#endif
