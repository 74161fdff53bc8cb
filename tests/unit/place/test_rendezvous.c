/* rendezvous: known owners, weighted and not, and the promise that only what must move does. */
#include "place/rendezvous.h"

#include "base/num.h"
#include "base/prng.h"
#include "pinned.h"
#include "place/murmur.h"
#include "vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define NAMES_MAX 10

/* "0,1,2" or "0..9"; the names point into the text. */
static size_t names_of(char *text, const char *name[NAMES_MAX])
{
    size_t count = 0;
    for (char *at = strtok(text, ","); at != NULL; at = strtok(NULL, ",")) {
        assert_true(count < NAMES_MAX);
        name[count++] = at;
    }
    return count;
}

/* 0..9 shrink to 0..8: as many of 1,000 keys move as the row says. */
static size_t moved_by_shrinking(void)
{
    static const char *const name[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    size_t moved = 0;
    for (int i = 0; i < 1000; i++) {
        char text[24];
        (void)snprintf(text, sizeof text, "%d", i);
        size_t before = rendezvous_named(name, 10, bytes_of(text));
        size_t after = rendezvous_named(name, 9, bytes_of(text));
        assert_true(before == after || before == 9);
        moved += before != after;
    }
    return moved;
}

static void named_nodes_agree_with_published_owners(void **state)
{
    (void)state;
    struct vectors v;
    size_t rows = 0;
    assert_true(vectors_open(&v, "vectors/rendezvous_murmur3_32.tsv"));
    for (; vectors_next_row(&v); rows++) {
        if (str_starts(v.fields[2], "moved:")) {
            assert_int_equal(moved_by_shrinking(), atoi(v.fields[2] + strlen("moved:")));
            continue;
        }
        const char *name[NAMES_MAX] = {NULL};
        char *text = xstrdup(v.fields[0]);
        size_t count = names_of(text, name);
        size_t owner = rendezvous_named(name, count, bytes_of(v.fields[1]));
        assert_string_equal(name[owner], v.fields[2]);
        free(text);
    }
    vectors_close(&v);
    assert_int_equal(rows, 13);
}

static const char *const weighted_name[] = {"node1", "node2", "node3"};
static const uint32_t weighted_weight[] = {100, 200, 300};

/* The draw of the article's example: the upper half of a digest that it reads as one number. */
static size_t weighted_owner(const char *key)
{
    uint64_t draw[3];
    for (size_t i = 0; i < 3; i++) {
        char text[64];
        int length = snprintf(text, sizeof text, "%s: %s", weighted_name[i], key);
        draw[i] = murmur3_128(text, (size_t)length, 0).second;
    }
    return rendezvous_weighted(draw, weighted_weight, 3);
}

static void weighted_nodes_agree_with_published_owners(void **state)
{
    (void)state;
    struct vectors v;
    size_t rows = 0;
    assert_true(vectors_open(&v, "vectors/rendezvous_weighted.tsv"));
    for (; vectors_next_row(&v); rows++) {
        if (!str_starts(v.fields[1], "counts ")) {
            assert_string_equal(weighted_name[weighted_owner(v.fields[0])], v.fields[1]);
            continue;
        }
        unsigned counts[3] = {0};
        for (int i = 0; i < 45000; i++) {
            char key[24];
            (void)snprintf(key, sizeof key, "key: %d", i);
            counts[weighted_owner(key)]++;
        }
        char text[64];
        (void)snprintf(text, sizeof text, "counts node1=%u node2=%u node3=%u", counts[0], counts[1],
                       counts[2]);
        assert_string_equal(text, v.fields[1]);
    }
    vectors_close(&v);
    assert_int_equal(rows, 32);
}

static void the_owner_is_the_highest_of_the_pinned_draws(void **state)
{
    (void)state;
    struct layout *layout = pinned_layout(&scheme_rendezvous, 7);
    assert_true(layout_remove(layout, 2, NULL)); /* draws go by id, not by position */
    struct prng random = prng_seeded(1, "hrw");
    for (int i = 0; i < 1000; i++) {
        uint64_t hash = prng_next(&random);
        uint64_t highest = 0;
        uint32_t owner = 0;
        for (uint32_t j = 0; j < layout_shards(layout); j++) {
            uint32_t id = layout_shard_id(layout, j);
            uint64_t draw = mix64(hash ^ mix64(0x4E4F4445 + id));
            owner = draw > highest ? id : owner;
            highest = draw > highest ? draw : highest;
        }
        assert_int_equal(layout_owner_of_hash(layout, hash), owner);
    }
    layout_free(layout);
}

static void joining_and_leaving_move_what_they_must(void **state)
{
    (void)state;
    struct keyset *keys = keyset_synthetic(PINNED_KEYS);
    struct layout *layout = pinned_layout(&scheme_rendezvous, 10);
    struct layout *less = layout_copy(layout);
    uint32_t *before = pinned_ids(layout, keys);
    assert_int_equal(pinned_busiest(before, PINNED_KEYS, 10), 10164);

    assert_true(layout_add(layout, NULL));
    uint32_t *added = pinned_ids(layout, keys);
    struct pinned_moves moves = pinned_moves(before, added, PINNED_KEYS, 10);
    assert_int_equal(moves.moved, 9192);
    assert_int_equal(moves.not_to, 0);

    assert_true(layout_remove(less, 3, NULL));
    uint32_t *left = pinned_ids(less, keys);
    moves = pinned_moves(before, left, PINNED_KEYS, 3);
    assert_int_equal(moves.moved, pinned_owned(before, PINNED_KEYS, 3));
    assert_int_equal(moves.moved, 10164);
    assert_int_equal(moves.not_of, 0);
    free(left);
    free(added);
    free(before);
    layout_free(less);
    layout_free(layout);
    keyset_free(keys);
}

static void shares_follow_weights(void **state)
{
    (void)state;
    static const size_t keys_of[] = {57216, 14065, 28719}; /* of 4, 1, 2 */
    struct keyset *keys = keyset_synthetic(PINNED_KEYS);
    struct layout *layout = pinned_layout(&scheme_rendezvous, 3);
    assert_true(layout_weigh(layout, 0, 400, NULL));
    assert_true(layout_weigh(layout, 2, 200, NULL));
    uint32_t *ids = pinned_ids(layout, keys);
    for (uint32_t id = 0; id < 3; id++) {
        assert_int_equal(pinned_owned(ids, PINNED_KEYS, id), keys_of[id]);
    }
    /* One that becomes heavier only takes; at the weight of before all is as before. */
    assert_true(layout_weigh(layout, 1, 250, NULL));
    uint32_t *heavier = pinned_ids(layout, keys);
    struct pinned_moves moves = pinned_moves(ids, heavier, PINNED_KEYS, 1);
    assert_true(moves.moved > 0 && moves.not_to == 0);
    assert_true(layout_weigh(layout, 1, 100, NULL));
    uint32_t *back = pinned_ids(layout, keys);
    assert_memory_equal(back, ids, PINNED_KEYS * sizeof *ids);
    free(back);
    free(heavier);
    free(ids);
    layout_free(layout);
    keyset_free(keys);
}

/* The shortcut past the logarithm and the logarithm itself give the same owner. */
static void equal_weights_of_any_size_are_the_plain_rule(void **state)
{
    (void)state;
    struct prng random = prng_seeded(2, "hrw");
    static const uint32_t weight[5] = {7, 7, 7, 7, 7};
    for (int i = 0; i < 20000; i++) {
        uint64_t draw[5];
        size_t highest = 0;
        for (size_t j = 0; j < 5; j++) {
            draw[j] = prng_next(&random);
            highest = draw[j] > draw[highest] ? j : highest;
        }
        assert_int_equal(rendezvous_weighted(draw, weight, 5), highest);
    }
}

/* The first of equals wins, whether by the draw or by the score. */
static void ties_go_to_the_lowest(void **state)
{
    (void)state;
    const uint64_t same[] = {5, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    static const uint32_t equal[] = {3, 3, 3, 3};
    static const uint32_t apart[] = {1, 2, 3, 3};
    const uint64_t lowest[] = {0, 0, 0, 0};
    assert_int_equal(rendezvous_weighted(same, equal, 4), 1);
    assert_int_equal(rendezvous_weighted(lowest, equal, 4), 0);
    assert_int_equal(rendezvous_weighted(lowest, apart, 4), 2);
}

static void the_owner_has_the_highest_score_shown(void **state)
{
    (void)state;
    struct layout *layout = pinned_layout(&scheme_rendezvous, 6);
    struct prng random = prng_seeded(3, "hrw");
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < 500; i++) {
            uint64_t hash = prng_next(&random);
            double owners = layout_rendezvous_score(layout, hash, 0);
            uint32_t best = 0;
            for (uint32_t j = 0; j < 6; j++) {
                double score = layout_rendezvous_score(layout, hash, j);
                assert_true(score > 0 && score < 1);
                best = score > owners ? j : best;
                owners = score > owners ? score : owners;
            }
            assert_int_equal(layout_owner_of_hash(layout, hash), best);
        }
        assert_true(layout_weigh(layout, 4, 350, NULL));
        assert_true(layout_weigh(layout, 5, 20, NULL));
    }
    layout_free(layout);
    layout = pinned_layout(&scheme_mod_n, 6);
    assert_true(layout_rendezvous_score(layout, 1, 0) == 0);
    layout_free(layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_nodes_agree_with_published_owners),
        cmocka_unit_test(weighted_nodes_agree_with_published_owners),
        cmocka_unit_test(the_owner_is_the_highest_of_the_pinned_draws),
        cmocka_unit_test(joining_and_leaving_move_what_they_must),
        cmocka_unit_test(shares_follow_weights),
        cmocka_unit_test(equal_weights_of_any_size_are_the_plain_rule),
        cmocka_unit_test(ties_go_to_the_lowest),
        cmocka_unit_test(the_owner_has_the_highest_score_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
