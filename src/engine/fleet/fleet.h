/*
 * fleet: the routers as a fleet: what one can serve, who tells whom of a new map, a zone that goes.
 *
 *   capacity N      each router serves N requests a second (a token bucket, 100 ms deep); what
 *                   comes beyond is refused by the router itself, and no shard hears of it
 *   gossip MS       once in so many milliseconds, each at its own moment, a router tells one other,
 *                   drawn at random, which map it has. The older takes the newer: who is told of a
 *                   newer map has it, who is told of an older one answers with its own. The
 *                   directory tells nobody by itself then: it pushes to one router alone
 *                   (`gossip MS from R0`). A deaf router tells, and does not hear
 *   zone a down     its routers are down, clients turn to the routers of other zones (all traffic
 *                   goes through those that are up, in turn: each of them gets the same); each
 *                   shard that is led there is without a leader for the time of a failover, then
 *                   led from the next zone in turn that is up
 *   zone a up       its routers are back (with their old map, and they fetch the newest). Leaders
 *                   stay where they are; a failover that is not over yet is dropped
 *
 * copies.h plays a failover in full; here it is a pause of a shard. The directory is copied over
 * all zones and survives; the machines of nodes.h are not touched.
 *
 * The trace tells of gossip while some router does not have the newest map; it counts all of it.
 */
#ifndef HOTSHARD_ENGINE_FLEET_H
#define HOTSHARD_ENGINE_FLEET_H

#include "base/digest.h"
#include "base/err.h"
#include "base/prng.h"
#include "base/str.h"
#include "engine/command.h"
#include "engine/event.h"
#include "engine/trace.h"

struct world;
struct request;

#define FAILOVER_US INT64_C(3000000) /* if the command says nothing */
#define GOSSIP_ROUNDS_MAX 32

/* Records of TRACE_FLEET, and in a reply; operands beside each. */
enum fleet_reason {
    REASON_FLEET_FULL = REASON_FLEET_FIRST, /* reply: asks, shard, capacity */
    REASON_FLEET_TELLS,                     /* router -> router: version */
    REASON_FLEET_ANSWERS,                   /* the same, since it was told of an older one */
    REASON_FLEET_LEARNS,                    /* router: version, its version before */
    REASON_FLEET_DEAF,                      /* router does not hear: version, its own */
    REASON_FLEET_GOES,                      /* a router or shard with its zone: zone, until (us) */
    REASON_FLEET_LEADS,                     /* shard is led from another zone: zone, before */
    REASON_FLEET_BACK,                      /* a router or shard with its zone: zone */
    REASON_FLEET_END
};
_Static_assert((int)REASON_FLEET_END <= (int)REASON_FLEET_LAST + 1, "reasons have their range");

/* What a message of the map is (event_detail of EVENT_MAP). */
enum map_news {
    MAP_PUSHED,
    MAP_FETCHED,
    MAP_TOLD,    /* by another router; carries its number too */
    MAP_ANSWERED /* the same, to one that told of an older map */
};

struct fleet_state {
    uint32_t count;       /* 0: nothing of this was ever on */
    uint32_t capacity;    /* requests a second a router; 0: no end */
    int64_t gossip_us;    /* 0: off */
    uint32_t rounds;      /* gossip that began at another time than this one is over */
    uint16_t seed;        /* gossip: to whom the directory tells news */
    uint32_t zones_down;  /* a bit each */
    uint32_t failover[4]; /* by zone: the number of the failover that runs */
    uint32_t failovers;
    uint64_t told; /* gossip: messages; of them, news for who heard it */
    uint64_t news;
    int64_t began_us, known_us; /* gossip: the newest map was made; all routers had it (-1) */
    uint16_t knowing[GOSSIP_ROUNDS_MAX]; /* routers that had it by the end of each round */
    uint32_t round;                      /* that the last of them is of */
    struct prng prng;
};

struct fleet_info {
    uint32_t capacity;
    int64_t gossip_us;
    uint32_t newest;               /* map version of the directory */
    uint32_t knowing, routers, up; /* routers that have it; all; up */
    uint64_t told, news;
    uint64_t refused; /* by routers, of all */
    uint32_t zones_down;
    /* Gossip, of the newest map: a round is one period from when it was made. */
    uint32_t rounds;   /* until all had it, the last one counted whole; so far, if not all have */
    int64_t spread_us; /* likewise; -1: no map was made since gossip began */
    uint16_t by_round[GOSSIP_ROUNDS_MAX]; /* routers that had it by the end of round 1, 2 ... */
};
struct fleet_info world_fleet(const struct world *w);
struct fleet_router_info {
    uint64_t taken, refused; /* of clients' requests; since the capacity was set */
    uint32_t rate;           /* taken and refused in the last whole second */
    uint32_t refused_rate;   /* of these, refused */
    bool with_zone;          /* down, since its zone is */
};
struct fleet_router_info world_fleet_router(const struct world *w, uint16_t router);

/* A client's request has reached its router, and there is a capacity. True: refused there. */
bool fleet_refuses(struct world *w, uint32_t request);
/* Which router a flow's request goes to when its turn's is down since its zone is, or would be: the
 * first from `turn` on that is up. Whoever gives turns goes on behind it, so that each that is up
 * gets as much. */
uint16_t fleet_router(const struct world *w, uint16_t turn);
/* The same for one drawn at random: `draw` is any number. */
uint16_t fleet_router_drawn(const struct world *w, uint64_t draw);
/* Gossip is on, and the directory has made a map; a router has got one, from whomever. */
void fleet_map_made(struct world *w);
void fleet_map_came(struct world *w);
/* Another router's word has come (EVENT_MAP; its version is not taken yet). */
void fleet_heard(struct world *w, const struct event *event);
/* A node whose restart is due (faults.h). True: its zone is down; it stays away, or, a shard, is
 * led from another zone by now. */
bool fleet_keeps_down(struct world *w, bool router, uint16_t index);

bool fleet_apply(struct world *w, const struct command *c, struct err *err);
void fleet_handle(struct world *w, const struct event *event); /* JOB_FLEET */
bool fleet_hold(const struct world *w, struct err *err);       /* invariants */
void fleet_lay_out(struct world *plan, uint64_t *end);
void fleet_feed(struct digest *d, const struct world *w);
void fleet_say(const struct world *w, const struct trace_record *r, struct str *out);
void fleet_label(const struct world *w, const struct trace_record *r, struct str *out);
void fleet_why(const struct world *w, const struct trace_record *r, struct str *out);

#endif
