/*
 * fleet_inside: the tables of fleet.h, for its own files.
 */
#ifndef HOTSHARD_ENGINE_FLEET_INSIDE_H
#define HOTSHARD_ENGINE_FLEET_INSIDE_H

#include "engine/state.h"

#define FLEET_CAPACITY_MAX 1000000u
#define GOSSIP_MIN_US INT64_C(1000)
#define GOSSIP_MAX_US INT64_C(3600000000)
#define FAILOVER_MAX_US INT64_C(600000000)

struct fleet_router {
    struct bucket bucket;
    uint64_t taken, refused;
    int64_t second; /* of the clock, that the next two are of */
    uint32_t now_asked, now_refused;
    uint32_t last_asked, last_refused; /* of the second before */
    uint32_t highest;                  /* map version that it was ever seen with */
    bool with_zone;
};

enum fleet_timer { /* `node` of an event of JOB_FLEET */
    TIMER_GOSSIP,  /* request: the router; carries the round in which it was set */
    TIMER_FAILOVER /* request: the zone; carries its number */
};

enum fleet_mode { /* of COMMAND_GOSSIP and COMMAND_ZONE, in command.mode */
    FLEET_OFF,
    FLEET_ON
};

WORLD_PART(fleet, struct fleet_router)
WORLD_PART(fleet_shards, uint8_t) /* 1: down with its zone */

static inline bool zone_down(const struct world *w, uint8_t zone)
{
    return (w->fleet.zones_down >> zone & 1) != 0;
}

struct trace_record *fleet_note(struct world *w, struct node from, enum fleet_reason reason);
/* The first zone after this one that is up; false: none is. */
bool fleet_next_zone(const struct world *w, uint8_t zone, uint8_t *next);

/* --- fleet_zone.c --- */
bool fleet_apply_zone(struct world *w, const struct command *c, struct err *err);
void fleet_failover(struct world *w, const struct event *event);
/* --- fleet_gossip.c --- */
bool fleet_apply_gossip(struct world *w, const struct command *c, struct err *err);
void fleet_gossip(struct world *w, const struct event *event);

#endif
