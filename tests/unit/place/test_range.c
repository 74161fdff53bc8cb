/* range: the order of bytes, cuts by size and by load, and what people may do by hand. */
#include "place/range.h"

#include "base/prng.h"
#include "pinned.h"
#include "place/measure.h"

#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct layout *ranges(enum split_rule split, uint32_t shards, struct keyset *keys)
{
    struct layout_params params = layout_defaults(&scheme_range);
    params.split = split;
    struct layout *layout = layout_new(&scheme_range, &params, shards, NULL);
    assert_non_null(layout);
    if (keys != NULL) {
        layout_observe(layout, keys);
    }
    return layout;
}

static struct bytes bytes_at(const char *at, size_t length)
{
    return (struct bytes){at, length};
}

/* The definition: the last range that begins at or before the key, looked for one by one. */
static uint32_t owner_by_hand(const struct layout *layout, struct bytes key)
{
    uint32_t index = 0;
    for (size_t i = 0; i < layout_ranges(layout); i++) {
        struct range_info range = layout_range_at(layout, i);
        size_t shorter = range.first.length < key.length ? range.first.length : key.length;
        int order = shorter > 0 ? memcmp(range.first.at, key.at, shorter) : 0;
        if (order < 0 || (order == 0 && range.first.length <= key.length)) {
            index = range.index;
        }
    }
    return layout_shard_id(layout, index);
}

/* Ranges ascend from the empty key on, name shards of the list, and hold every observed key. */
static void assert_in_order(const struct layout *layout, struct keyset *keys)
{
    uint64_t held = 0;
    uint64_t load = 0;
    uint64_t loads = 0;
    assert_int_equal(layout_range_at(layout, 0).first.length, 0);
    for (size_t i = 0; i < layout_ranges(layout); i++) {
        struct range_info range = layout_range_at(layout, i);
        assert_true(range.index < layout_shards(layout));
        assert_int_equal(layout_range_find(layout, range.first), i);
        held += range.keys;
        load += range.load;
    }
    assert_int_equal(held, keyset_count(keys));
    for (size_t i = 0; i < keyset_count(keys); i++) {
        struct bytes key = keyset_key(keys, i);
        assert_int_equal(layout_owner(layout, key), owner_by_hand(layout, key));
        loads += keyset_load(keys, i);
    }
    assert_int_equal(load, loads);
}

/* Short keys of few letters, so that many are equal and many begin like another. */
static struct keyset *tangled_keys(uint64_t seed, size_t count)
{
    struct prng random = prng_seeded(seed, "tangled");
    struct keyset *keys = keyset_new();
    for (size_t i = 0; i < count; i++) {
        static const char letters[] = {'\0', 'a', 'b', '\xFF'};
        char key[12];
        size_t length = prng_below(&random, 2) == 0 ? prng_below(&random, 4) : 8;
        length += prng_below(&random, 4);
        for (size_t j = 0; j < length; j++) {
            key[j] = letters[prng_below(&random, j < 7 && length > 4 ? 2 : 4)];
        }
        assert_true(keyset_add(keys, bytes_at(key, length), prng_below(&random, 9), NULL));
    }
    return keys;
}

static void take_one_step(struct layout *layout, struct keyset *keys, struct prng *random)
{
    uint32_t shards = layout_shards(layout);
    uint32_t id = layout_shard_id(layout, (uint32_t)prng_below(random, shards));
    struct bytes key = keyset_key(keys, (size_t)prng_below(random, keyset_count(keys)));
    size_t range = (size_t)prng_below(random, layout_ranges(layout));
    struct err err;
    switch (prng_below(random, 5)) {
    case 0:
        (void)layout_remove(layout, id, &err);
        break;
    case 1:
        (void)layout_range_split(layout, key, id, &err);
        break;
    case 2:
        (void)layout_range_merge(layout, range, &err);
        break;
    default:
        (void)layout_add(layout, &err);
        break;
    }
}

static void a_random_life_keeps_order(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct prng random = prng_seeded(seed, "range");
        struct keyset *keys = tangled_keys(seed, 1 + (size_t)prng_below(&random, 150));
        enum split_rule split = (enum split_rule)(seed % 3);
        struct layout *layout = ranges(split, 1 + (uint32_t)prng_below(&random, 9), keys);
        struct layout *first = layout_copy(layout);
        uint32_t *then = pinned_ids(first, keys);
        for (int step = 0; step < 40; step++) {
            take_one_step(layout, keys, &random);
            assert_in_order(layout, keys);
        }
        uint32_t *still = pinned_ids(first, keys); /* a copy knows nothing of it */
        assert_memory_equal(then, still, keyset_count(keys) * sizeof *then);
        free(still);
        free(then);
        layout_free(first);
        layout_free(layout);
        keyset_free(keys);
    }
}

static void joining_takes_and_leaving_gives(void **state)
{
    (void)state;
    struct keyset *keys = keyset_synthetic(5000);
    for (int split = SPLIT_BY_SIZE; split <= SPLIT_HOTTEST; split++) {
        struct layout *layout = ranges((enum split_rule)split, 5, keys);
        uint32_t *before = pinned_ids(layout, keys);
        for (uint32_t turn = 0; turn < 20; turn++) {
            bool add = turn % 3 != 2;
            uint32_t id = add ? layout_shard_id(layout, layout_shards(layout) - 1) + 1
                              : layout_shard_id(layout, turn % layout_shards(layout));
            assert_true(add ? layout_add(layout, NULL) : layout_remove(layout, id, NULL));
            uint32_t *after = pinned_ids(layout, keys);
            struct pinned_moves moves = pinned_moves(before, after, 5000, id);
            assert_true(moves.moved > 0);
            assert_int_equal(add ? moves.not_to : moves.not_of, 0);
            free(before);
            before = after;
        }
        free(before);
        layout_free(layout);
    }
    keyset_free(keys);
}

static void unseen_keys_are_cut_by_their_first_bytes(void **state)
{
    (void)state;
    struct layout *layout = ranges(SPLIT_BY_SIZE, 4, NULL);
    assert_int_equal(layout_ranges(layout), 4);
    assert_int_equal(layout_owner(layout, bytes_at("", 0)), 0);
    assert_int_equal(layout_owner(layout, bytes_at("\x3F\xFF\xFF", 3)), 0);
    assert_int_equal(layout_owner(layout, bytes_at("\x40\x00", 2)), 1);
    assert_int_equal(layout_owner(layout, bytes_at("user:1", 6)), 1);
    assert_int_equal(layout_owner(layout, bytes_at("\xC0\x01", 2)), 3);
    assert_true(layout_add(layout, NULL)); /* the lowest of the widest, in its middle */
    assert_int_equal(layout_owner(layout, bytes_at("\x1F\xFF", 2)), 0);
    assert_int_equal(layout_owner(layout, bytes_at("\x20", 1)), 4);
    assert_int_equal(layout_owner_of_hash(layout, UINT64_C(0x20) << 56), 4);
    assert_int_equal(layout_owner_of_hash(layout, UINT64_C(0x1FFF) << 48), 0);

    struct bytes cut;
    struct err err;
    assert_int_equal(layout_range_at(layout, 0).keys, 0);
    assert_false(layout_range_cut(layout, 0, &cut, &err));
    assert_non_null(strstr(err.text, "no key of it was observed"));
    layout_free(layout);
}

static void more_shards_than_first_bytes_can_be_made(void **state)
{
    (void)state;
    struct layout *layout = ranges(SPLIT_BY_SIZE, LAYOUT_SHARDS_MAX - 1, NULL);
    assert_int_equal(layout_ranges(layout), LAYOUT_SHARDS_MAX - 1);
    assert_true(layout_add(layout, NULL));
    assert_false(layout_add(layout, NULL));
    assert_int_equal(layout_ranges(layout), LAYOUT_SHARDS_MAX);
    layout_free(layout);
}

static void observed_keys_are_dealt_evenly(void **state)
{
    (void)state;
    struct keyset *keys = keyset_synthetic(1003);
    for (uint32_t shards = 1; shards < 50; shards++) {
        struct layout *layout = ranges(SPLIT_BY_SIZE, shards, keys);
        assert_int_equal(layout_ranges(layout), shards);
        for (size_t i = 0; i < shards; i++) {
            assert_in_range(layout_range_at(layout, i).keys, 1003 / shards, 1003 / shards + 1);
        }
        layout_free(layout);
    }
    keyset_free(keys);
}

/* A layout that was cut already keeps its cuts, and only counts anew. */
static void observing_later_moves_nothing(void **state)
{
    (void)state;
    struct keyset *keys = keyset_synthetic(100);
    struct layout *layout = ranges(SPLIT_BY_SIZE, 2, NULL);
    assert_true(layout_range_split(layout, bytes_of("k5"), 0, NULL));
    layout_observe(layout, keys);
    assert_int_equal(layout_ranges(layout), 3);
    assert_int_equal(layout_range_at(layout, 0).keys, 45); /* k0, k1, k10 to k19, ... k49 */
    assert_int_equal(layout_range_at(layout, 1).keys, 55);
    layout_free(layout);
    keyset_free(keys);
}

/* One key has nearly all the load: cuts close in on it, and then nothing helps. */
static void one_key_stays_whole(void **state)
{
    (void)state;
    struct keyset *keys = keyset_synthetic(64);
    keyset_set_load(keys, 20, 100000);
    struct layout *layout = ranges(SPLIT_BY_LOAD, 1, keys);
    struct bytes hot = keyset_key(keys, 20);
    for (int i = 0; i < 2; i++) {
        assert_true(layout_add(layout, NULL));
    }
    struct range_info alone = layout_range_at(layout, layout_range_find(layout, hot));
    assert_int_equal(alone.keys, 1);
    assert_int_equal(alone.load, 100000);
    struct bytes cut;
    struct err err;
    assert_false(layout_range_cut(layout, layout_range_find(layout, hot), &cut, &err));
    assert_non_null(strstr(err.text, "one key stays whole"));
    for (int i = 0; i < 61; i++) { /* the others are still cut, until each is alone */
        assert_true(layout_add(layout, NULL));
    }
    assert_int_equal(layout_ranges(layout), 64);
    assert_true(layout_add(layout, NULL)); /* and then a shard waits without a range */
    assert_int_equal(layout_ranges(layout), 64);
    uint32_t *ids = pinned_ids(layout, keys);
    assert_int_equal(pinned_owned(ids, 64, 64), 0);
    assert_true(layout_remove(layout, 64, NULL));
    assert_int_equal(layout_ranges(layout), 64);
    free(ids);
    layout_free(layout);
    keyset_free(keys);
}

static void the_same_key_many_times_is_one_key(void **state)
{
    (void)state;
    struct keyset *keys = keyset_new();
    for (int i = 0; i < 10; i++) {
        assert_true(keyset_add(keys, bytes_of(i < 7 ? "b" : "a"), 1, NULL));
    }
    struct layout *layout = ranges(SPLIT_BY_SIZE, 4, keys);
    assert_int_equal(layout_ranges(layout), 2);
    assert_int_equal(layout_range_at(layout, 0).keys, 3);
    assert_int_equal(layout_range_at(layout, 1).keys, 7);
    struct bytes cut;
    assert_false(layout_range_cut(layout, 1, &cut, NULL));
    assert_true(layout_range_merge(layout, 0, NULL));
    assert_true(layout_range_cut(layout, 0, &cut, NULL));
    assert_true(bytes_equal(cut, bytes_of("b")));
    layout_free(layout);
    keyset_free(keys);
}

/* By load the halves are as near as they can be; by size the middle key it is. */
static void cuts_follow_the_rule(void **state)
{
    (void)state;
    struct keyset *keys = keyset_new();
    static const uint64_t loads[] = {1, 1, 1, 1, 50, 1, 1, 40};
    for (size_t i = 0; i < 8; i++) {
        char key[2] = {(char)('a' + (int)i), '\0'};
        assert_true(keyset_add(keys, bytes_of(key), loads[i], NULL));
    }
    static const char *const expected[] = {"e", "f", "e"};
    for (int split = SPLIT_BY_SIZE; split <= SPLIT_HOTTEST; split++) {
        struct layout *layout = ranges((enum split_rule)split, 1, keys);
        struct bytes cut;
        assert_true(layout_range_cut(layout, 0, &cut, NULL));
        assert_true(bytes_equal(cut, bytes_of(expected[split])));
        layout_free(layout);
    }
    /* Two ranges: most keys below, most load above. */
    for (int split = SPLIT_BY_SIZE; split <= SPLIT_HOTTEST; split++) {
        struct layout *layout = ranges((enum split_rule)split, 1, keys);
        assert_true(layout_add(layout, NULL));
        assert_true(layout_range_merge(layout, 0, NULL));
        assert_true(layout_range_split(layout, bytes_of("f"), 1, NULL));
        keyset_set_load(keys, 7, 400);
        assert_true(layout_add(layout, NULL));
        uint32_t moved_from = split == SPLIT_BY_SIZE ? 0 : 1;
        assert_int_equal(layout_range_at(layout, moved_from + 1).index, 2);
        layout_free(layout);
    }
    keyset_free(keys);
}

/* Document 003's widget: a thousand keys on four equal ranges, the hottest cut in half. */
static void the_widget_cuts_its_hottest_range_in_half(void **state)
{
    (void)state;
    struct keyset *keys = keyset_new();
    for (int i = 0; i < 1000; i++) {
        char key[24];
        (void)snprintf(key, sizeof key, "key:%03d", i);
        assert_true(keyset_add(keys, bytes_of(key), i == 417 ? 2997 : 7, NULL));
    }
    struct layout *layout = ranges(SPLIT_HOTTEST, 4, keys);
    uint32_t *before = pinned_ids(layout, keys);
    struct balance b = balance_of(layout, before, keyset_loads(keys), 1000);
    assert_int_equal(b.busiest, 4740);
    balance_free(&b);
    assert_true(layout_add(layout, NULL));
    uint32_t *after = pinned_ids(layout, keys);
    b = balance_of(layout, after, keyset_loads(keys), 1000);
    assert_int_equal(b.busiest, 3865);
    balance_free(&b);
    assert_int_equal(pinned_moves(before, after, 1000, 4).moved, 125);
    assert_true(layout_remove(layout, 4, NULL));
    uint32_t *back = pinned_ids(layout, keys);
    assert_memory_equal(back, before, 1000 * sizeof *back);
    free(back);
    free(after);
    free(before);
    layout_free(layout);
    keyset_free(keys);
}

/* Whoever leaves is merged downward, the lowest upward; all at once when it had everything. */
static void neighbours_take_over(void **state)
{
    (void)state;
    struct layout *layout = ranges(SPLIT_BY_SIZE, 1, NULL);
    for (int i = 0; i < 3; i++) {
        assert_true(layout_add(layout, NULL)); /* 00-3F, 40-7F, 80-BF, C0-FF: 0, 2, 1, 3 */
    }
    static const uint32_t owners[] = {0, 2, 1, 3};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(layout_range_at(layout, i).index, owners[i]);
    }
    assert_true(layout_remove(layout, 2, NULL));
    assert_int_equal(layout_owner(layout, bytes_of("user")), 0);
    assert_true(layout_remove(layout, 0, NULL));
    assert_int_equal(layout_owner(layout, bytes_of("user")), 1);
    assert_int_equal(layout_owner(layout, bytes_of("\xF0")), 3);
    assert_int_equal(layout_ranges(layout), 2);
    assert_true(layout_range_merge(layout, 0, NULL)); /* shard 1 has everything */
    assert_true(layout_remove(layout, 1, NULL));
    assert_int_equal(layout_owner(layout, bytes_of("user")), 3);
    assert_int_equal(layout_ranges(layout), 1);
    layout_free(layout);
}

static void what_cannot_be_done_is_said(void **state)
{
    (void)state;
    struct layout *layout = ranges(SPLIT_BY_SIZE, 2, NULL);
    struct err err;
    assert_false(layout_range_split(layout, bytes_of(""), 1, &err));
    assert_non_null(strstr(err.text, "begins at that key already"));
    assert_false(layout_range_split(layout, bytes_of("k"), 2, &err));
    assert_non_null(strstr(err.text, "shard 2"));
    assert_true(layout_range_split(layout, bytes_of("k"), 1, &err));
    assert_false(layout_range_split(layout, bytes_of("k"), 0, &err));
    assert_false(layout_range_merge(layout, 2, &err));
    assert_non_null(strstr(err.text, "no range above"));
    assert_int_equal(layout_ranges(layout), 3);
    layout_free(layout);
    layout = pinned_layout(&scheme_mod_n, 2);
    assert_int_equal(layout_ranges(layout), 0);
    layout_free(layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_random_life_keeps_order),
        cmocka_unit_test(joining_takes_and_leaving_gives),
        cmocka_unit_test(unseen_keys_are_cut_by_their_first_bytes),
        cmocka_unit_test(more_shards_than_first_bytes_can_be_made),
        cmocka_unit_test(observed_keys_are_dealt_evenly),
        cmocka_unit_test(observing_later_moves_nothing),
        cmocka_unit_test(one_key_stays_whole),
        cmocka_unit_test(the_same_key_many_times_is_one_key),
        cmocka_unit_test(cuts_follow_the_rule),
        cmocka_unit_test(the_widget_cuts_its_hottest_range_in_half),
        cmocka_unit_test(neighbours_take_over),
        cmocka_unit_test(what_cannot_be_done_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
