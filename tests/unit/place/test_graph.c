/*
 * Layered graphs: their shape, the way of a search, recall that rises with its width, and shards
 * that each have a graph of their own.
 */
#include "place/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct corpus *made(uint32_t points, uint32_t dims, uint32_t groups, uint64_t seed)
{
    const struct corpus_params params = {points, dims, groups, seed};
    struct corpus *c = corpus_new(&params, NULL);
    assert_non_null(c);
    return c;
}

static struct graph *linked(const struct corpus *c, uint32_t links, uint32_t shards,
                            enum graph_by by)
{
    struct err err = {""};
    const struct graph_params params = {links, shards, by, 1};
    struct graph *g = graph_new(c, &params, &err);
    if (g == NULL) {
        fail_msg("%s", err.text);
    }
    return g;
}

/* Few enough that all are linked on layer 0 or reached through it: found exactly. */
static void five_points_by_hand(void **state)
{
    (void)state;
    const int16_t at[] = {0, 0, 100, 0, 200, 0, 300, 0, 400, 0}, query[2] = {290, 0};
    struct corpus *c = corpus_of(at, 5, 2, NULL);
    struct graph *g = linked(c, 2, 1, GRAPH_BY_ID);
    struct graph_found found;
    graph_search(g, &(struct graph_ask){query, 2, 2}, &found);
    assert_int_equal(found.count, 2);
    assert_int_equal(found.found[0].id, 3);
    assert_int_equal(found.found[0].distance, 100);
    assert_int_equal(found.found[1].id, 2);
    /* On a line a link to one side hides those behind it: neighbours are those beside. */
    for (uint32_t id = 1; id < 4; id++) {
        size_t count = 0;
        const uint32_t *links = graph_links(g, id, 0, &count);
        assert_int_equal(count, 2);
        assert_int_equal(links[0] + links[1], 2 * id);
    }
    graph_free(g);
    corpus_free(c);
}

static void links_keep_their_number_and_shard(void **state)
{
    (void)state;
    static const uint32_t links[] = {2, 4, 8, 16};
    for (size_t i = 0; i < 4; i++) {
        struct corpus *c = made(800, i % 2 == 0 ? 2 : 9, 6, i);
        struct graph *g = linked(c, links[i], 3, i < 2 ? GRAPH_BY_ID : GRAPH_BY_HASH);
        uint32_t upper = 0;
        for (uint32_t id = 0; id < 800; id++) {
            uint32_t top = graph_layer_of(g, id);
            upper += top > 0;
            assert_true(top <= graph_layer_of(g, graph_entry(g, graph_shard_of(g, id))));
            for (uint32_t layer = 0; layer <= top; layer++) {
                size_t count = 0;
                const uint32_t *to = graph_links(g, id, layer, &count);
                assert_true(count <= (layer == 0 ? 2 * links[i] : links[i]));
                for (size_t n = 0; n < count; n++) {
                    assert_true(to[n] != id && graph_layer_of(g, to[n]) >= layer);
                    assert_int_equal(graph_shard_of(g, to[n]), graph_shard_of(g, id));
                }
            }
        }
        /* One in `links` is on layer 1 at least. */
        assert_in_range(upper * links[i], 560, 1040);
        graph_free(g);
        corpus_free(c);
    }
}

struct sums {
    size_t found, wanted;
    uint64_t looked, hops;
};

static struct sums search(const struct corpus *c, const struct graph *g, uint32_t width)
{
    struct sums sums = {0};
    struct neighbour exact[10];
    static struct graph_found found;
    int16_t query[VECTORS_DIMS_MAX];
    for (uint32_t n = 1; n <= 60; n++) {
        corpus_query(c, n, query);
        size_t wanted = corpus_near(c, query, 10, exact);
        graph_search(g, &(struct graph_ask){query, 10, width}, &found);
        uint32_t looked = 0, hops = 0;
        for (uint32_t s = 0; s < graph_params_of(g)->shards; s++) {
            looked += found.shard[s].looked;
            hops += found.shard[s].hops;
            assert_true(found.shard[s].looked > 0 && found.shard[s].hops > 0);
        }
        assert_int_equal(found.looked, looked);
        assert_int_equal(found.hops, hops);
        assert_int_equal(found.count, 10);
        for (size_t i = 1; i < found.count; i++) {
            assert_true(found.found[i - 1].distance <= found.found[i].distance);
        }
        sums.found += vectors_common(exact, wanted, found.found, found.count);
        sums.wanted += wanted;
        sums.looked += found.looked;
        sums.hops += found.hops;
    }
    return sums;
}

/* By and large: a wider search may lose a point here and there, never in sum by much. */
static void recall_rises_with_width(void **state)
{
    (void)state;
    static const uint32_t widths[] = {10, 20, 40, 80, 160, 320};
    static const uint32_t dims[] = {2, 16};
    for (size_t d = 0; d < 2; d++) {
        struct corpus *c = made(3000, dims[d], 12, 1);
        struct graph *g = linked(c, 6, 1, GRAPH_BY_ID);
        struct sums before = {0};
        for (size_t i = 0; i < 6; i++) {
            struct sums sums = search(c, g, widths[i]);
            assert_true(sums.found >= before.found);
            assert_true(sums.looked > before.looked && sums.hops > before.hops);
            assert_true(sums.found * 10 > sums.wanted * 7);
            before = sums;
        }
        assert_true(before.found * 100 >= before.wanted * 98);
        assert_true(before.looked < 60 * UINT64_C(3000) / 2);
        graph_free(g);
        corpus_free(c);
    }
}

/* The same points in more graphs: each is asked, so more is looked at, and no less is found. */
static void shards_cost_more_looks(void **state)
{
    (void)state;
    struct corpus *c = made(3000, 16, 12, 1);
    struct graph *one = linked(c, 8, 1, GRAPH_BY_ID), *four = linked(c, 8, 4, GRAPH_BY_HASH);
    struct sums whole = search(c, one, 16), cut = search(c, four, 16);
    assert_true(cut.looked > whole.looked * 2);
    assert_true(cut.looked < whole.looked * 4); /* each of them is smaller */
    assert_true(cut.found >= whole.found);
    graph_free(one);
    graph_free(four);
    corpus_free(c);
}

static void shards_have_ranges_or_hashes(void **state)
{
    (void)state;
    struct corpus *c = made(1000, 2, 4, 1);
    struct graph *ids = linked(c, 4, 4, GRAPH_BY_ID), *hashes = linked(c, 4, 4, GRAPH_BY_HASH);
    uint32_t sum = 0;
    for (uint32_t s = 0; s < 4; s++) {
        assert_int_equal(graph_size(ids, s), 250);
        assert_in_range(graph_size(hashes, s), 200, 300);
        sum += graph_size(hashes, s);
    }
    assert_int_equal(sum, 1000);
    assert_int_equal(graph_shard_of(ids, 249), 0);
    assert_int_equal(graph_shard_of(ids, 250), 1);
    assert_int_equal(graph_shard_of(ids, 999), 3);
    graph_free(ids);
    graph_free(hashes);
    corpus_free(c);
}

/* A way goes from the entry down, along links, and says what the search said. */
static void a_way_follows_links(void **state)
{
    (void)state;
    struct corpus *c = made(2000, 2, 12, 1);
    struct graph *g = linked(c, 8, 2, GRAPH_BY_HASH);
    static struct graph_hop hop[512];
    struct graph_found found;
    int16_t query[2];
    for (uint32_t n = 1; n <= 20; n++) {
        corpus_query(c, n, query);
        const struct graph_ask ask = {query, 10, 16};
        graph_search(g, &ask, &found);
        for (uint32_t shard = 0; shard < 2; shard++) {
            size_t hops = graph_path(g, shard, &ask, hop, 512);
            assert_int_equal(hops, found.shard[shard].hops);
            assert_int_equal(hop[0].id, graph_entry(g, shard));
            assert_int_equal(hop[0].from, hop[0].id);
            assert_int_equal(hop[0].layer, graph_layer_of(g, hop[0].id));
            for (size_t i = 0; i < hops; i++) {
                assert_int_equal(hop[i].distance,
                                 vectors_distance(query, corpus_point(c, hop[i].id), 2));
                assert_true(i == 0 || (hop[i].layer <= hop[i - 1].layer &&
                                       hop[i].looked >= hop[i - 1].looked));
                size_t count = 0, linked_to = hop[i].from == hop[i].id;
                const uint32_t *links = graph_links(g, hop[i].from, hop[i].layer, &count);
                for (size_t k = 0; k < count; k++) {
                    linked_to += links[k] == hop[i].id;
                }
                /* ... on its layer, or it came down from the one above. */
                bool came_down = i > 0 && hop[i].layer < hop[i - 1].layer;
                assert_true(linked_to > 0 || came_down);
            }
            assert_int_equal(hop[hops - 1].layer, 0);
            assert_int_equal(graph_path(g, shard, &ask, hop, 3), 3);
        }
    }
    graph_free(g);
    corpus_free(c);
}

static void the_same_seed_gives_the_same_graph(void **state)
{
    (void)state;
    struct corpus *c = made(700, 4, 8, 2);
    struct graph *a = linked(c, 8, 2, GRAPH_BY_ID), *b = linked(c, 8, 2, GRAPH_BY_ID);
    for (uint32_t id = 0; id < 700; id++) {
        size_t here = 0, there = 0;
        const uint32_t *x = graph_links(a, id, 0, &here), *y = graph_links(b, id, 0, &there);
        assert_int_equal(here, there);
        assert_memory_equal(x, y, here * sizeof *x);
    }
    graph_free(a);
    graph_free(b);
    corpus_free(c);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    struct corpus *c = made(20, 2, 2, 1);
    static const struct graph_params wrong[] = {
        {1, 1, GRAPH_BY_ID, 1},  {GRAPH_LINKS_MAX + 1, 1, GRAPH_BY_ID, 1},
        {4, 0, GRAPH_BY_ID, 1},  {4, GRAPH_SHARDS_MAX + 1, GRAPH_BY_ID, 1},
        {4, 40, GRAPH_BY_ID, 1}, {4, 40, GRAPH_BY_HASH, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct err err = {""};
        assert_null(graph_new(c, &wrong[i], &err));
        assert_true(strlen(err.text) > 10);
    }
    corpus_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_points_by_hand),
        cmocka_unit_test(links_keep_their_number_and_shard),
        cmocka_unit_test(recall_rises_with_width),
        cmocka_unit_test(shards_cost_more_looks),
        cmocka_unit_test(shards_have_ranges_or_hashes),
        cmocka_unit_test(a_way_follows_links),
        cmocka_unit_test(the_same_seed_gives_the_same_graph),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
