/* layout: what holds for every scheme, and what bad input is told. */
#include "place/layout.h"

#include "base/alloc.h"
#include "base/prng.h"
#include "place/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define KEYS ((size_t)5000)

struct key_text {
    char text[32];
};

static struct key_text key(size_t i)
{
    struct key_text k;
    (void)snprintf(k.text, sizeof k.text, "user:{%zu}:cart", i);
    return k;
}

static struct layout *fresh(const struct scheme *scheme, uint32_t shards)
{
    struct layout_params params = layout_defaults(scheme);
    struct err err;
    struct layout *layout = layout_new(scheme, &params, shards, &err);
    assert_non_null(layout);
    return layout;
}

static bool is_listed(const struct layout *layout, uint32_t id)
{
    uint32_t times = 0;
    for (uint32_t i = 0; i < layout_shards(layout); i++) {
        times += layout_shard_id(layout, i) == id;
    }
    return times == 1;
}

static void schemes_are_found_by_name(void **state)
{
    (void)state;
    assert_ptr_equal(scheme_by_name("mod-n"), &scheme_mod_n);
    assert_ptr_equal(scheme_by_name("slots"), &scheme_slots);
    assert_ptr_equal(scheme_by_name("directory"), &scheme_directory);
    assert_null(scheme_by_name("modn"));
    assert_null(scheme_by_name(""));
    /* Lists everywhere show them in this order. */
    static const char *const order[] = {"mod-n", "ring",       "slots",  "range",  "directory",
                                        "jump",  "rendezvous", "maglev", "ketama", "bounded-load",
                                        "kafka", "cassandra",  "kinesis"};
    size_t at = 0;
    for (size_t i = 0; scheme_at(i) != NULL; i++) {
        const struct scheme *scheme = scheme_at(i);
        assert_ptr_equal(scheme_by_name(scheme->name), scheme);
        assert_true(strlen(scheme->about) > 0 && strlen(scheme->source) > 0);
        assert_true(strlen(scheme->cannot) > 0);
        while (at < sizeof order / sizeof order[0] && strcmp(order[at], scheme->name) != 0) {
            at++;
        }
        assert_true(at < sizeof order / sizeof order[0]);
    }
    assert_null(scheme_at(SIZE_MAX));
}

static void defaults_are_the_documented_ones(void **state)
{
    (void)state;
    struct layout_params slots = layout_defaults(&scheme_slots);
    assert_int_equal(slots.hash, HASH_CRC16);
    assert_true(slots.tags);
    assert_int_equal(slots.slots, SLOT_COUNT);
    assert_int_equal(slots.deal, SLOTS_DEAL_ROUND_ROBIN);
    struct layout_params mod = layout_defaults(&scheme_mod_n);
    assert_int_equal(mod.hash, HASH_MIX64);
    assert_false(mod.tags);
    assert_int_equal(layout_defaults(&scheme_directory).hash, HASH_MIX64);
}

/* Through a random life of adds and removes, in every scheme: a key has one owner, it is in the
 * list, hash and bytes agree on it, and a copy made before knows nothing of it. */
static void every_key_has_one_listed_owner(void **state)
{
    (void)state;
    for (size_t s = 0; scheme_at(s) != NULL; s++) {
        struct prng random = prng_seeded(s, "life");
        struct layout *layout = fresh(scheme_at(s), 4);
        struct layout *first = layout_copy(layout);
        for (int turn = 0; turn < 60; turn++) {
            uint32_t shards = layout_shards(layout);
            bool add = shards == 1 || (shards < 12 && prng_chance(&random, 1, 2));
            uint32_t gone = layout_shard_id(layout, (uint32_t)prng_below(&random, shards));
            assert_true(add ? layout_add(layout, NULL) : layout_remove(layout, gone, NULL));
            assert_int_equal(layout_shards(layout), add ? shards + 1 : shards - 1);
            for (size_t i = 0; i < 200; i++) {
                struct key_text k = key(i);
                uint32_t owner = layout_owner(layout, bytes_of(k.text));
                assert_true(is_listed(layout, owner));
                if (!(scheme_at(s)->traits & SCHEME_BY_KEY)) {
                    uint64_t hash = layout_hash(layout, bytes_of(k.text));
                    assert_int_equal(owner, layout_owner_of_hash(layout, hash));
                }
            }
        }
        struct layout *anew = fresh(scheme_at(s), 4);
        for (size_t i = 0; i < KEYS; i++) {
            struct key_text k = key(i);
            assert_int_equal(layout_owner(first, bytes_of(k.text)),
                             layout_owner(anew, bytes_of(k.text)));
        }
        layout_free(anew);
        layout_free(first);
        layout_free(layout);
    }
    layout_free(NULL);
}

static void ids_go_on_after_the_highest(void **state)
{
    (void)state;
    struct layout *layout = fresh(&scheme_mod_n, 3);
    assert_true(layout_remove(layout, 1, NULL));
    assert_true(layout_add(layout, NULL));
    assert_int_equal(layout_shards(layout), 3);
    assert_int_equal(layout_shard_id(layout, 0), 0);
    assert_int_equal(layout_shard_id(layout, 1), 2);
    assert_int_equal(layout_shard_id(layout, 2), 3);
    layout_free(layout);
}

static void tags_keep_keys_together(void **state)
{
    (void)state;
    struct layout_params params = layout_defaults(&scheme_mod_n);
    struct layout *whole = layout_new(&scheme_mod_n, &params, 1000, NULL);
    params.tags = true;
    struct layout *tags = layout_new(&scheme_mod_n, &params, 1000, NULL);
    struct bytes post = bytes_of("post:{p9}");
    struct bytes likes = bytes_of("likes:{p9}");
    assert_true(layout_hash(tags, post) == layout_hash(tags, likes));
    assert_true(layout_hash(tags, post) == layout_hash(tags, bytes_of("p9")));
    assert_true(layout_hash(whole, post) != layout_hash(whole, likes));
    layout_free(whole);
    layout_free(tags);
}

static void mod_n_is_the_remainder(void **state)
{
    (void)state;
    struct layout *layout = fresh(&scheme_mod_n, 7);
    for (uint64_t hash = 0; hash < 100; hash++) {
        assert_int_equal(layout_owner_of_hash(layout, hash), hash % 7);
    }
    assert_int_equal(layout_owner_of_hash(layout, UINT64_MAX), UINT64_MAX % 7);
    assert_true(layout_remove(layout, 2, NULL));
    for (uint64_t hash = 0; hash < 100; hash++) {
        uint64_t index = hash % 6;
        assert_int_equal(layout_owner_of_hash(layout, hash), index < 2 ? index : index + 1);
    }
    assert_int_equal(layout_slot_count(layout), 0);
    layout_free(layout);
}

static void refused(const struct scheme *scheme, uint32_t shards, uint32_t slots, const char *why)
{
    struct layout_params params = layout_defaults(scheme);
    struct err err = {.text = ""};
    params.slots = slots;
    assert_null(layout_new(scheme, &params, shards, &err));
    if (strstr(err.text, why) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", err.text, why);
    }
}

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    for (size_t s = 0; scheme_at(s) != NULL; s++) {
        refused(scheme_at(s), 0, SLOT_COUNT, "from 1 to 65535");
        refused(scheme_at(s), 70000, LAYOUT_SLOTS_MAX, "70000");
    }
    refused(&scheme_slots, 1, 0, "slots: 0");
    refused(&scheme_slots, 1, LAYOUT_SLOTS_MAX + 1, "from 1 to 16777216");
    refused(&scheme_slots, 17, 16, "17 shards");
}

static void limits_hold_for_adding_too(void **state)
{
    (void)state;
    struct err err = {.text = ""};
    struct layout_params params = layout_defaults(&scheme_slots);
    params.slots = 4;
    struct layout *full = layout_new(&scheme_slots, &params, 4, NULL);
    assert_false(layout_add(full, &err));
    assert_non_null(strstr(err.text, "5 shards"));
    assert_int_equal(layout_shards(full), 4);
    struct layout *many = fresh(&scheme_mod_n, LAYOUT_SHARDS_MAX);
    assert_int_equal(layout_owner_of_hash(many, LAYOUT_SHARDS_MAX - 1), LAYOUT_SHARDS_MAX - 1);
    assert_false(layout_add(many, &err));
    assert_int_equal(layout_shards(many), LAYOUT_SHARDS_MAX);
    layout_free(full);
    layout_free(many);
}

static void only_shards_that_are_there_can_leave(void **state)
{
    (void)state;
    struct err err = {.text = ""};
    struct layout *layout = fresh(&scheme_slots, 2);
    assert_false(layout_remove(layout, 2, &err));
    assert_non_null(strstr(err.text, "shard 2: there is none"));
    assert_true(layout_remove(layout, 0, &err));
    assert_false(layout_remove(layout, 0, &err));
    assert_false(layout_remove(layout, 1, &err));
    assert_non_null(strstr(err.text, "last one"));
    assert_int_equal(layout_shards(layout), 1);
    layout_free(layout);
}

static void memory_is_what_a_router_would_hold(void **state)
{
    (void)state;
    struct layout *mod = fresh(&scheme_mod_n, 4);
    struct layout *slots = fresh(&scheme_slots, 4);
    struct layout *directory = fresh(&scheme_directory, 4);
    size_t empty = layout_memory(directory);
    assert_int_equal(layout_memory(mod), 4);
    assert_int_equal(layout_memory(slots), 2 * SLOT_COUNT);
    for (size_t i = 0; i < 100; i++) {
        assert_true(layout_directory_put(directory, bytes_of(key(i).text), 1, NULL));
    }
    assert_true(layout_memory(directory) >= empty + 100 * strlen("user:{0}:cart"));
    layout_free(mod);
    layout_free(slots);
    layout_free(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemes_are_found_by_name),
        cmocka_unit_test(defaults_are_the_documented_ones),
        cmocka_unit_test(every_key_has_one_listed_owner),
        cmocka_unit_test(ids_go_on_after_the_highest),
        cmocka_unit_test(tags_keep_keys_together),
        cmocka_unit_test(mod_n_is_the_remainder),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(limits_hold_for_adding_too),
        cmocka_unit_test(only_shards_that_are_there_can_leave),
        cmocka_unit_test(memory_is_what_a_router_would_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
