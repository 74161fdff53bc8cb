/* ring: points, lookups, copies and the three ways to come by tokens. */
#include "place/ring.h"

#include "base/alloc.h"
#include "base/prng.h"
#include "place/bounded.h"
#include "place/ketama.h"
#include "place/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define PINNED_KEYS ((size_t)100000)

static const struct scheme *const rings[] = {&scheme_ring, &scheme_ketama, &scheme_bounded_load,
                                             &scheme_cassandra};
#define RINGS (sizeof rings / sizeof rings[0])

static struct layout *fresh(const struct scheme *scheme, uint32_t shards, uint32_t tokens,
                            enum token_rule rule)
{
    struct layout_params params = layout_defaults(scheme);
    params.tokens = tokens;
    params.token_rule = rule;
    struct layout *layout = layout_new(scheme, &params, shards, NULL);
    assert_non_null(layout);
    return layout;
}

static void the_first_point_that_is_not_below_owns(void **state)
{
    (void)state;
    static const struct ring_point point[] = {{50, 0, 0}, {170, 1, 0}, {170, 2, 0}, {200, 2, 1}};
    assert_int_equal(ring_find(point, 4, 30), 0);
    assert_int_equal(ring_find(point, 4, 50), 0);
    assert_int_equal(ring_find(point, 4, 51), 1);
    assert_int_equal(ring_find(point, 4, 170), 1); /* equals: the first of them */
    assert_int_equal(ring_find(point, 4, 171), 3);
    assert_int_equal(ring_find(point, 4, 201), 0); /* round the end */
    assert_int_equal(ring_find(point, 4, UINT64_MAX), 0);
    assert_int_equal(ring_find(point, 1, 51), 0);
}

static void points_ascend_and_every_lookup_agrees(void **state)
{
    (void)state;
    for (size_t r = 0; r < RINGS; r++) {
        for (uint32_t tokens = 1; tokens <= 1000; tokens *= 10) {
            struct layout *layout = fresh(rings[r], 13, tokens, TOKENS_HASHED);
            size_t count = 0;
            const struct ring_point *point = layout_ring(layout, &count);
            assert_int_equal(count, rings[r] == &scheme_ketama ? 13 * 160 : 13 * tokens);
            for (size_t i = 1; i < count; i++) {
                assert_true(point[i - 1].at <= point[i].at);
            }
            for (uint64_t i = 0; i < 5000; i++) {
                /* on each point, beside it, and anywhere */
                uint64_t near = layout_ring_position(layout, point[i % count].at);
                uint64_t hash = i % 2 == 0 ? mix64(i) : near + i % 3 - 1;
                size_t found = ring_find(point, count, layout_ring_position(layout, hash));
                assert_int_equal(layout_ring_find(layout, hash), found);
                assert_int_equal(layout_owner_of_hash(layout, hash), point[found].index);
            }
            layout_free(layout);
        }
    }
}

static void the_ends_of_the_circle_are_owned(void **state)
{
    (void)state;
    for (size_t r = 0; r < RINGS; r++) {
        struct layout *layout = fresh(rings[r], 3, 7, TOKENS_HASHED);
        static const uint64_t ends[] = {0, 1, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX};
        size_t count = 0;
        const struct ring_point *point = layout_ring(layout, &count);
        for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
            size_t found = ring_find(point, count, layout_ring_position(layout, ends[i]));
            assert_int_equal(layout_owner_of_hash(layout, ends[i]), point[found].index);
        }
        layout_free(layout);
    }
}

static void other_schemes_are_no_ring(void **state)
{
    (void)state;
    struct layout_params params = layout_defaults(&scheme_mod_n);
    struct layout *layout = layout_new(&scheme_mod_n, &params, 4, NULL);
    size_t count = 7;
    assert_null(layout_ring(layout, &count));
    assert_int_equal(count, 0);
    layout_free(layout);
}

static void shares_add_up_to_the_circle(void **state)
{
    (void)state;
    for (size_t r = 0; r < RINGS; r++) {
        struct layout *layout = fresh(rings[r], 5, 64, TOKENS_HASHED);
        double sum = 0;
        for (uint32_t i = 0; i < 5; i++) {
            sum += layout_ring_share(layout, i);
        }
        assert_float_equal(sum, 1.0F, 1e-9);
        layout_free(layout);
        layout = fresh(rings[r], 1, 1, TOKENS_HASHED);
        assert_float_equal(layout_ring_share(layout, 0), 1.0F, 1e-9);
        layout_free(layout);
    }
}

/* Short hashes are spread over the whole circle, and all find an owner. */
static void short_hashes_go_round_the_whole_circle(void **state)
{
    (void)state;
    static const enum hash_id hashes[] = {HASH_CRC16, HASH_FNV1A, HASH_MURMUR2};
    for (size_t h = 0; h < sizeof hashes / sizeof hashes[0]; h++) {
        struct layout_params params = layout_defaults(&scheme_ring);
        params.hash = hashes[h];
        struct layout *layout = layout_new(&scheme_ring, &params, 4, NULL);
        uint64_t held[4] = {0};
        for (size_t i = 0; i < 4000; i++) {
            char key[32];
            (void)snprintf(key, sizeof key, "user:%zu", i);
            held[layout_owner(layout, bytes_of(key))]++;
        }
        for (size_t s = 0; s < 4; s++) {
            assert_in_range(held[s], 500, 1500);
        }
        layout_free(layout);
    }
}

/* --- the pinned rings ------------------------------------------------------------------------ */

static void keys_move_as_the_pinned_rings_say(void **state)
{
    (void)state;
    static const struct {
        uint32_t tokens;
        uint64_t added, removed; /* keys that move when node 10 comes, when node 3 leaves */
        uint32_t busiest;        /* of ten over average, in 10,000ths */
    } rows[] = {{1, 1927, 9877, 56262},
                {16, 8937, 9693, 13889},
                {100, 8477, 10673, 11113},
                {160, 8952, 9664, 10761},
                {256, 9530, 10621, 11557}};
    struct keyset *keys = keyset_synthetic(PINNED_KEYS);
    const uint64_t *hash = keyset_hashes(keys, HASH_MIX64, false);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct layout *ten = fresh(&scheme_ring, 10, rows[i].tokens, TOKENS_HASHED);
        struct layout *more = layout_copy(ten);
        struct layout *less = layout_copy(ten);
        assert_true(layout_add(more, NULL) && layout_remove(less, 3, NULL));
        struct balance b = balance_of_hashes(ten, hash, PINNED_KEYS);
        struct movement in = movement_of_hashes(ten, more, hash, PINNED_KEYS);
        struct movement out = movement_of_hashes(ten, less, hash, PINNED_KEYS);
        assert_int_equal(b.busiest, rows[i].busiest);
        assert_int_equal(in.moved, rows[i].added);
        assert_int_equal(in.taken[10], in.moved);
        assert_int_equal(out.moved, rows[i].removed);
        assert_int_equal(out.given[3], out.moved);
        balance_free(&b);
        movement_free(&in);
        movement_free(&out);
        layout_free(ten);
        layout_free(more);
        layout_free(less);
    }
    keyset_free(keys);
}

static void seeded_tokens_are_the_pinned_ones(void **state)
{
    (void)state;
    struct layout_params params = layout_defaults(&scheme_ring);
    params.tokens = 16;
    params.token_rule = TOKENS_SEEDED;
    params.seed = 30;
    struct layout *layout = layout_new(&scheme_ring, &params, 5, NULL);
    size_t count = 0;
    const struct ring_point *point = layout_ring(layout, &count);
    assert_int_equal(count, 80);
    for (uint64_t s = 0; s < 5; s++) {
        for (uint64_t j = 0; j < 16; j++) {
            uint64_t at = mix64(UINT64_C(30) << 40 | s << 20 | j);
            size_t found = ring_find(point, count, at);
            assert_true(point[found].at == at);
            assert_int_equal(point[found].index, s);
            assert_int_equal(point[found].token, j);
        }
    }
    layout_free(layout);
}

/* --- cassandra ------------------------------------------------------------------------------- */

static void cassandras_tokens_are_signed(void **state)
{
    (void)state;
    struct layout *layout = fresh(&scheme_cassandra, 4, 5, TOKENS_HASHED);
    size_t count = 0;
    const struct ring_point *point = layout_ring(layout, &count);
    int64_t before = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        int64_t token = (int64_t)(point[i].at ^ UINT64_C(1) << 63);
        assert_true(token >= before);
        before = token;
        /* a key on a token, and one just above it */
        assert_int_equal(layout_ring_find(layout, (uint64_t)token), i);
        assert_int_equal(layout_ring_find(layout, (uint64_t)token + 1), (i + 1) % count);
    }
    assert_int_equal(layout_ring_find(layout, (uint64_t)INT64_MIN), 0);
    assert_int_equal(layout_ring_find(layout, (uint64_t)INT64_MAX), 0);
    layout_free(layout);
}

/* --- chosen tokens --------------------------------------------------------------------------- */

static double worst_share(const struct layout *layout)
{
    double worst = 0;
    for (uint32_t i = 0; i < layout_shards(layout); i++) {
        double share = layout_ring_share(layout, i) * layout_shards(layout);
        worst = share > worst ? share : worst;
    }
    return worst;
}

static void chosen_tokens_balance_with_few(void **state)
{
    (void)state;
    /* busiest over average that 2 to 100 shards never pass: about 1 + 1 / tokens */
    static const struct {
        uint32_t tokens;
        double most;
    } rows[] = {{4, 1.21}, {8, 1.12}, {16, 1.06}, {32, 1.04}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct layout *layout = fresh(&scheme_ring, 1, rows[i].tokens, TOKENS_CHOSEN);
        while (layout_shards(layout) < 100) {
            assert_true(layout_add(layout, NULL));
            assert_true(worst_share(layout) < rows[i].most);
        }
        layout_free(layout);
        layout = fresh(&scheme_ring, 5, rows[i].tokens, TOKENS_CHOSEN);
        assert_true(worst_share(layout) < 1.001);
        layout_free(layout);
    }
}

/* Whoever joins leaves all tokens of the others where they were, by every rule. */
static void tokens_stay_when_shards_join_or_gain_weight(void **state)
{
    (void)state;
    static const enum token_rule rules[] = {TOKENS_HASHED, TOKENS_SEEDED, TOKENS_CHOSEN};
    for (size_t r = 0; r < 3; r++) {
        struct layout *layout = fresh(&scheme_ring, 4, 16, rules[r]);
        for (int step = 0; step < 8; step++) {
            struct layout *before = layout_copy(layout);
            assert_true(step % 2 == 0 ? layout_add(layout, NULL)
                                      : layout_weigh(layout, 1, 150 + 50 * (uint32_t)step, NULL));
            size_t had = 0;
            size_t has = 0;
            const struct ring_point *old = layout_ring(before, &had);
            const struct ring_point *now = layout_ring(layout, &has);
            assert_true(has > had);
            for (size_t i = 0; i < had; i++) {
                size_t found = ring_find(now, has, old[i].at);
                assert_memory_equal(&now[found].at, &old[i].at, sizeof old[i].at);
                assert_int_equal(now[found].index, old[i].index);
                assert_int_equal(now[found].token, old[i].token);
            }
            layout_free(before);
        }
        layout_free(layout);
    }
}

static void chosen_tokens_follow_weights(void **state)
{
    (void)state;
    struct layout *layout = fresh(&scheme_ring, 4, 16, TOKENS_CHOSEN);
    assert_true(layout_weigh(layout, 2, 300, NULL));
    assert_float_equal(layout_ring_share(layout, 2), 0.5F, 0.02);
    assert_true(layout_add(layout, NULL));
    assert_float_equal(layout_ring_share(layout, 4), 1.0F / 7.0F, 0.01);
    layout_free(layout);

    layout = fresh(&scheme_ring, 1, 4, TOKENS_CHOSEN); /* alone, it cuts its own arcs */
    assert_true(layout_weigh(layout, 0, 1000, NULL));
    size_t count = 0;
    (void)layout_ring(layout, &count);
    assert_int_equal(count, 40);
    layout_free(layout);
}

/* --- copies ---------------------------------------------------------------------------------- */

static void copies_go_to_the_next_shards_clockwise(void **state)
{
    (void)state;
    /* A 50, C 300, B 600, and a second token of A's at 250 that is passed over */
    static const struct ring_point point[] = {{50, 0, 0}, {250, 0, 1}, {300, 2, 0}, {600, 1, 0}};
    uint32_t out[4];
    assert_int_equal(ring_replicas(point, 4, ring_find(point, 4, 160), NULL, 3, out), 3);
    assert_int_equal(out[0], 0);
    assert_int_equal(out[1], 2);
    assert_int_equal(out[2], 1);
    assert_int_equal(ring_replicas(point, 4, 2, NULL, 2, out), 2);
    assert_int_equal(out[0], 2);
    assert_int_equal(out[1], 1);
    assert_int_equal(ring_replicas(point, 4, 0, NULL, 4, out), 3); /* there are no more */
}

static void copies_go_to_new_zones_first(void **state)
{
    (void)state;
    static const struct ring_point point[] = {
        {10, 0, 0}, {20, 1, 0}, {30, 2, 0}, {40, 3, 0}, {50, 4, 0}};
    static const uint8_t zone[] = {7, 7, 7, 9, 9};
    static const uint32_t expected[] = {0, 3, 1, 2, 4};
    uint32_t out[5];
    assert_int_equal(ring_replicas(point, 5, 0, zone, 5, out), 5);
    assert_memory_equal(out, expected, sizeof out);
    assert_int_equal(ring_replicas(point, 5, 3, zone, 2, out), 2);
    assert_int_equal(out[0], 3);
    assert_int_equal(out[1], 0);
}

static void copies_are_distinct_and_begin_with_the_owner(void **state)
{
    (void)state;
    static const uint8_t zone[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
    for (size_t r = 0; r < RINGS; r++) {
        struct layout *layout = fresh(rings[r], 9, 20, TOKENS_HASHED);
        for (uint64_t i = 0; i < 500; i++) {
            uint32_t out[3];
            assert_int_equal(layout_ring_replicas(layout, mix64(i), zone, 3, out), 3);
            assert_int_equal(out[0], layout_owner_of_hash(layout, mix64(i)));
            assert_int_equal(1 << zone[out[0]] | 1 << zone[out[1]] | 1 << zone[out[2]], 7);
            assert_int_equal(layout_ring_replicas(layout, mix64(i), NULL, 3, out), 3);
            assert_true(out[0] != out[1] && out[0] != out[2] && out[1] != out[2]);
        }
        layout_free(layout);
    }
}

/* --- bad input ------------------------------------------------------------------------------- */

static void refused(uint32_t shards, uint32_t tokens, enum token_rule rule, const char *why)
{
    static const struct scheme *const by_tokens[] = {&scheme_ring, &scheme_bounded_load,
                                                     &scheme_cassandra};
    for (size_t i = 0; i < 3; i++) {
        struct layout_params params = layout_defaults(by_tokens[i]);
        struct err err = {.text = ""};
        params.tokens = tokens;
        params.token_rule = rule;
        assert_null(layout_new(by_tokens[i], &params, shards, &err));
        if (strstr(err.text, why) == NULL) {
            fail_msg("\"%s\" does not say \"%s\"", err.text, why);
        }
    }
}

static void token_counts_out_of_range_are_refused(void **state)
{
    (void)state;
    refused(4, 0, TOKENS_HASHED, "tokens: 0 is out of range; give a number from 1 to 65536");
    refused(4, LAYOUT_TOKENS_MAX + 1, TOKENS_SEEDED, "from 1 to 65536");
    refused(1000, 65536, TOKENS_HASHED, "65536000 together, and such a ring holds 16777216");
    refused(1025, 1, TOKENS_CHOSEN, "chosen for up to 1024 shards, not for 1025");
    refused(1000, 100, TOKENS_CHOSEN, "such a ring holds 16384; give fewer tokens");
}

static void a_refused_weight_changes_nothing(void **state)
{
    (void)state;
    struct layout *layout = fresh(&scheme_ring, 4, 1000, TOKENS_CHOSEN);
    struct err err = {.text = ""};
    assert_false(layout_weigh(layout, 3, 10000, &err)); /* 103,000 points */
    assert_non_null(strstr(err.text, "smaller weights"));
    assert_int_equal(layout_weight(layout, 3), 100);
    size_t count = 0;
    (void)layout_ring(layout, &count);
    assert_int_equal(count, 4000);
    layout_free(layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_point_that_is_not_below_owns),
        cmocka_unit_test(points_ascend_and_every_lookup_agrees),
        cmocka_unit_test(the_ends_of_the_circle_are_owned),
        cmocka_unit_test(other_schemes_are_no_ring),
        cmocka_unit_test(shares_add_up_to_the_circle),
        cmocka_unit_test(short_hashes_go_round_the_whole_circle),
        cmocka_unit_test(keys_move_as_the_pinned_rings_say),
        cmocka_unit_test(seeded_tokens_are_the_pinned_ones),
        cmocka_unit_test(cassandras_tokens_are_signed),
        cmocka_unit_test(chosen_tokens_balance_with_few),
        cmocka_unit_test(tokens_stay_when_shards_join_or_gain_weight),
        cmocka_unit_test(chosen_tokens_follow_weights),
        cmocka_unit_test(copies_go_to_the_next_shards_clockwise),
        cmocka_unit_test(copies_go_to_new_zones_first),
        cmocka_unit_test(copies_are_distinct_and_begin_with_the_owner),
        cmocka_unit_test(token_counts_out_of_range_are_refused),
        cmocka_unit_test(a_refused_weight_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
