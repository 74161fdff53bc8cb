/*
 * index_play: a world for tests of catalogs.
 */
#ifndef HOTSHARD_TESTS_INDEX_PLAY_H
#define HOTSHARD_TESTS_INDEX_PLAY_H

#include "play.h"

#include "engine/indexes/indexes.h"

static inline struct world *catalog_world(const char *catalog)
{
    struct world_config c = play_config();
    c.catalogs_max = 2;
    c.catalog_rows_max = 64;
    c.moves_max = 2;
    c.tail_max = 256;
    struct world *w = play_new(&c);
    play(w, catalog);
    return w;
}

/* A put or find, to its answer. */
static inline void ask(struct world *w, const char *words)
{
    play(w, words);
    assert_true(world_run_until_answered(w, 20 * US_PER_SECOND));
    play_holds(w);
}

static inline void pass(struct world *w, int64_t ms)
{
    world_run_until(w, world_now(w) + ms * US_PER_MS);
    play_holds(w);
}

static inline struct catalog_row_info row_of(const struct world *w, uint32_t id)
{
    for (uint32_t i = 0; i < world_catalog_rows(w, 0); i++) {
        struct catalog_row_info row = world_catalog_row(w, 0, i);
        if (row.id == id) {
            return row;
        }
    }
    fail_msg("no row %u", id);
    return (struct catalog_row_info){0};
}

#endif
