/*
 * The figures of the fleet, router loads measured at the routers, and of a rider who changes city.
 * Part of test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_FLEET_H
#define HOTSHARD_TESTS_FIGURES_FLEET_H

#include "engine/fleet/fleet.h"
#include "engine/indexes/indexes.h"
#include "figures_moves.h"

enum fleet_constants {
    FLEET_ZONES = 3,
    FLEET_CAPACITY = 2500,
    FLEET_SECONDS = 2
};

/* The peak on a fleet of this size, as many routers in each zone. Caller frees. */
static inline struct world *fleet_world(int64_t routers)
{
    struct world_config config = story_config(1);
    config.routers = (uint16_t)routers;
    for (int64_t i = 0; i < routers && i < 16; i++) {
        config.router_zone[i] = (uint8_t)(i * FLEET_ZONES / routers);
    }
    struct world *w = story_world_of(&config, true, NULL);
    CHECK(w != NULL);
    set_p9(w, VIRAL_LIKES, VIRAL_READS);
    return w;
}

static inline void set_capacity(struct world *w)
{
    struct command c = {.kind = COMMAND_CAPACITY, .rate = FLEET_CAPACITY};
    must_apply(w, &c);
}

/* a: routers; b: 1 if a zone is lost. What comes to each that is up, a second; beyond its capacity,
 * the rest must be turned away. */
static inline void value_fleet_load(const struct figure *f, struct str *out)
{
    struct world *w = fleet_world(f->a);
    set_capacity(w);
    if (f->b != 0) {
        must_say(w, "zone a down 1000");
    }
    run_on(w, 2000);
    set_capacity(w); /* what they had saved up is spent; counts from here */
    run_on(w, 1000 * FLEET_SECONDS);
    struct fleet_info fleet = world_fleet(w);
    uint64_t come = 0;
    for (uint16_t i = 0; i < fleet.routers; i++) {
        struct fleet_router_info router = world_fleet_router(w, i);
        come += router.taken + router.refused;
    }
    double each = (double)come / FLEET_SECONDS / fleet.up;
    double beyond = each > FLEET_CAPACITY ? each - FLEET_CAPACITY : 0;
    double refused = (double)fleet.refused / FLEET_SECONDS / fleet.up;
    CHECK(fabs(refused - beyond) < 1);
    figures_add_real(out, each);
    world_free(w);
}

/* A rider changes city: the writes of that put, its index being one for all shards. */
static inline void value_rider(const struct figure *f, struct str *out)
{
    (void)f;
    struct world *w = story_world(1, false, NULL);
    CHECK(w != NULL);
    must_say(w, "catalog riders sync");
    must_say(w, "put riders 7 rome via R0");
    run_on(w, 100);
    must_say(w, "put riders 7 oslo via R0");
    run_on(w, 100);
    CHECK(!world_catalog(w, 0).last_failed);
    figures_add_int(out, world_catalog(w, 0).last_writes);
    world_free(w);
}

static const struct figure fleet[] = {
    {"size.story_six", value_fleet_load, NULL, 6, 0},
    {"size.story_six_loss", value_fleet_load, NULL, 6, 1},
    {"size.fleet_normal", value_fleet_load, NULL, 12, 0},
    {"size.fleet_loss", value_fleet_load, NULL, 12, 1},
    {"size.fleet_9_loss", value_fleet_load, NULL, 9, 1},
    {"d4.rider", value_rider, NULL, 0, 0},
};

#endif
