/*
 * sim_indexes: random catalogs with their puts and finds, and a fleet of routers with a capacity,
 * gossip, and zones that go.
 *
 * A catalog whose name has a tag is in the slot of one of the seed's keys, rows and entries, so it
 * moves as often as that does. In the end every put and find is answered, no index is behind, and
 * every zone is up.
 */
#include "sim_ops.h"

#include "engine/fleet/fleet.h"
#include "engine/indexes/indexes.h"
#include <stdio.h>

#define CATALOGS 2u
#define ROWS 5u
#define TERMS 4u

static void draw_indexes(struct sim *s)
{
    s->config.catalogs_max = CATALOGS;
    s->config.catalog_rows_max = 2 * ROWS;
    s->config.store_max += 64;
}

static bool catalog_name(struct sim *s, uint32_t which, char out[32])
{
    if (which == 0) {
        return snprintf(out, 32, "c{k%u}", s->keys - 1) > 0;
    }
    return snprintf(out, 32, "rows") > 0;
}

static bool begin_catalog(struct sim *s, const char *name)
{
    switch (more_below(s, 5)) {
    case 0:
        return sim_do(s, "catalog %s local", name);
    case 1:
        return sim_do(s, "catalog %s sync", name);
    case 2:
        return sim_do(s, "catalog %s unique", name);
    default:
        return sim_do(s, "catalog %s async %u", name, more_below(s, 80));
    }
}

/* The messages of a put are held up, so that a later one of the row comes first. */
static bool hold_up(struct sim *s)
{
    const struct world *w = s->world;
    for (uint64_t i = trace_next(w); i > trace_first(w); i--) {
        const struct trace_record *r = trace_get(w, i - 1);
        if (r != NULL && r->kind == TRACE_ROUTE && r->op == OP_ENTRY) {
            return sim_do(s, "hold %llu %u", (unsigned long long)r->request,
                          1 + more_below(s, 300));
        }
    }
    return false;
}

static bool act_indexes(struct sim *s)
{
    char name[32];
    uint32_t index;
    uint32_t router = more_below(s, s->config.routers);
    catalog_name(s, more_below(s, CATALOGS), name);
    if (!world_catalog_find(s->world, bytes_of(name), &index) || more_below(s, 60) == 0) {
        return begin_catalog(s, name);
    }
    uint32_t what = more_below(s, 12);
    if (what == 0) {
        return hold_up(s);
    }
    if (what < 4) {
        return sim_do(s, "find %s t%u via R%u", name, more_below(s, TERMS), router);
    }
    uint32_t term = more_below(s, TERMS);
    uint32_t row = more_below(s, ROWS);
    return sim_do(s, "put %s %u t%u via R%u", name, row, term, router);
}

static bool indexes_rest(struct sim *s)
{
    for (uint32_t i = 0; i < world_catalogs(s->world); i++) {
        struct catalog_info c = world_catalog(s->world, i);
        if (c.under_way > 0) {
            return err_set(&s->err, "puts-end: all is quiet, and %u puts or finds of %s are open",
                           c.under_way, c.name);
        }
        if (c.mode == CATALOG_ASYNC && c.behind > 0) {
            return err_set(&s->err, "index-follows: all is quiet, and the index of %s is %u behind",
                           c.name, c.behind);
        }
    }
    return true;
}

const struct sim_extra sim_extra_indexes = {
    .name = "indexes", .draw = draw_indexes, .act = act_indexes, .rests = indexes_rest};

/* --- the fleet --- */

static void draw_fleet(struct sim *s)
{
    (void)s; /* it has no capacities of its own */
}

static bool gossip(struct sim *s)
{
    uint32_t router = more_below(s, s->config.routers);
    uint32_t ms = 5 + more_below(s, 200);
    return sim_do(s, "gossip %u from R%u", ms, router);
}

static bool act_fleet(struct sim *s)
{
    char zone = (char)('a' + more_below(s, s->config.zones));
    switch (more_below(s, 10)) {
    case 0:
    case 1:
        return sim_do(s, "zone %c down %u", zone, 1 + more_below(s, 800));
    case 2:
    case 3:
    case 4:
        return sim_do(s, "zone %c up", zone);
    case 5:
        return sim_do(s, "capacity %u", more_below(s, 3) == 0 ? 0 : 1 + more_below(s, 20));
    case 6:
        return sim_do(s, "gossip off");
    default:
        return gossip(s);
    }
}

static void calm_fleet(struct sim *s)
{
    sim_do(s, "gossip off");
    sim_do(s, "capacity 0");
    for (uint32_t i = 0; i < s->config.zones; i++) {
        sim_do(s, "zone %c up", 'a' + i);
    }
}

static bool fleet_rests(struct sim *s)
{
    struct fleet_info f = world_fleet(s->world);
    return (f.up == f.routers && f.zones_down == 0) ||
           err_set(&s->err, "zones-return: all is quiet, and %u of %u routers are up", f.up,
                   f.routers);
}

const struct sim_extra sim_extra_fleet = {.name = "fleet",
                                          .draw = draw_fleet,
                                          .act = act_fleet,
                                          .calm = calm_fleet,
                                          .rests = fleet_rests};
