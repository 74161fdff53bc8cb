/* directory: rows, the default, and what becomes of both when shards come and go. */
#include "place/layout.h"

#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define TENANTS 3000u

struct key_text {
    char text[32];
};

static struct key_text tenant(unsigned i)
{
    struct key_text k;
    (void)snprintf(k.text, sizeof k.text, "tenant-%u", i);
    return k;
}

static struct layout *directory(uint32_t shards, bool tags)
{
    struct layout_params params = layout_defaults(&scheme_directory);
    params.tags = tags;
    struct layout *layout = layout_new(&scheme_directory, &params, shards, NULL);
    assert_non_null(layout);
    return layout;
}

static uint32_t owner(const struct layout *layout, const char *key)
{
    return layout_owner(layout, bytes_of(key));
}

static void keys_without_a_row_are_on_the_default(void **state)
{
    (void)state;
    struct layout *layout = directory(3, false);
    assert_int_equal(owner(layout, "anyone"), 0);
    assert_true(layout_directory_default(layout, 2, NULL));
    assert_int_equal(owner(layout, "anyone"), 2);
    assert_true(layout_directory_put(layout, bytes_of("acme"), 1, NULL));
    assert_int_equal(owner(layout, "acme"), 1);
    assert_int_equal(owner(layout, "acm"), 2);
    assert_int_equal(owner(layout, ""), 2);
    layout_free(layout);
}

static void a_row_can_be_put_anew(void **state)
{
    (void)state;
    struct layout *layout = directory(3, false);
    assert_true(layout_directory_put(layout, bytes_of("acme"), 1, NULL));
    size_t bytes = layout_memory(layout);
    assert_true(layout_directory_put(layout, bytes_of("acme"), 2, NULL));
    assert_int_equal(owner(layout, "acme"), 2);
    assert_int_equal(layout_memory(layout), bytes);
    layout_free(layout);
}

static void many_rows_keep_their_places(void **state)
{
    (void)state;
    struct layout *layout = directory(7, false);
    for (unsigned i = 0; i < TENANTS; i++) {
        assert_true(layout_directory_put(layout, bytes_of(tenant(i).text), i % 7, NULL));
    }
    struct layout *copy = layout_copy(layout);
    assert_true(layout_directory_put(layout, bytes_of("tenant-0"), 6, NULL));
    for (unsigned i = 0; i < TENANTS; i++) {
        assert_int_equal(owner(copy, tenant(i).text), i % 7);
        assert_int_equal(layout_owner_of_hash(copy, layout_hash(copy, bytes_of(tenant(i).text))),
                         i % 7);
    }
    layout_free(layout);
    layout_free(copy);
}

static void keys_are_bytes(void **state)
{
    (void)state;
    struct layout *layout = directory(3, false);
    assert_true(layout_directory_put(layout, (struct bytes){.at = "a\0b", .length = 3}, 1, NULL));
    assert_true(layout_directory_put(layout, (struct bytes){0}, 2, NULL));
    assert_int_equal(layout_owner(layout, (struct bytes){.at = "a\0b", .length = 3}), 1);
    assert_int_equal(layout_owner(layout, (struct bytes){.at = "a\0c", .length = 3}), 0);
    assert_int_equal(owner(layout, "a"), 0);
    assert_int_equal(owner(layout, ""), 2);
    layout_free(layout);
}

static void a_tag_stands_for_all_its_keys(void **state)
{
    (void)state;
    struct layout *layout = directory(3, true);
    assert_true(layout_directory_put(layout, bytes_of("post:{p9}"), 2, NULL));
    assert_int_equal(owner(layout, "likes:{p9}:r0"), 2);
    assert_int_equal(owner(layout, "p9"), 2);
    assert_int_equal(owner(layout, "post:{p8}"), 0);
    layout_free(layout);
}

static void a_new_shard_starts_empty(void **state)
{
    (void)state;
    struct layout *layout = directory(2, false);
    assert_true(layout_directory_put(layout, bytes_of("acme"), 1, NULL));
    assert_true(layout_add(layout, NULL));
    for (unsigned i = 0; i < 100; i++) {
        assert_int_equal(owner(layout, tenant(i).text), 0);
    }
    assert_int_equal(owner(layout, "acme"), 1);
    assert_true(layout_directory_put(layout, bytes_of("acme"), 2, NULL));
    assert_int_equal(owner(layout, "acme"), 2);
    layout_free(layout);
}

static void rows_of_a_shard_that_leaves_fall_to_the_default(void **state)
{
    (void)state;
    struct layout *layout = directory(4, false);
    assert_true(layout_directory_default(layout, 3, NULL));
    for (unsigned i = 0; i < TENANTS; i++) {
        assert_true(layout_directory_put(layout, bytes_of(tenant(i).text), i % 4, NULL));
    }
    assert_true(layout_remove(layout, 1, NULL));
    for (unsigned i = 0; i < TENANTS; i++) {
        assert_int_equal(owner(layout, tenant(i).text), i % 4 == 1 ? 3 : i % 4);
    }
    assert_true(layout_directory_default(layout, 0, NULL)); /* the dropped rows follow it */
    assert_int_equal(owner(layout, "tenant-1"), 0);
    assert_true(layout_remove(layout, 0, NULL)); /* the default itself: the first left takes over */
    assert_int_equal(owner(layout, "tenant-1"), 2);
    assert_int_equal(owner(layout, "tenant-3"), 3);
    assert_true(layout_directory_put(layout, bytes_of("tenant-1"), 3, NULL));
    assert_int_equal(owner(layout, "tenant-1"), 3);
    layout_free(layout);
}

/* Emptied by a removal, copied, and filled again: the copy shares nothing. */
static void an_emptied_directory_can_be_copied(void **state)
{
    (void)state;
    struct layout *layout = directory(2, false);
    assert_true(layout_directory_put(layout, bytes_of("acme"), 1, NULL));
    assert_true(layout_remove(layout, 1, NULL));
    struct layout *copy = layout_copy(layout);
    layout_free(layout);
    assert_true(layout_add(copy, NULL));
    assert_true(layout_directory_put(copy, bytes_of("acme"), 1, NULL));
    assert_int_equal(owner(copy, "acme"), 1);
    layout_free(copy);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    struct err err = {.text = ""};
    struct layout *layout = directory(2, false);
    assert_false(layout_directory_put(layout, bytes_of("acme"), 2, &err));
    assert_non_null(strstr(err.text, "shard 2: there is none"));
    assert_false(layout_directory_default(layout, 9, &err));
    assert_int_equal(owner(layout, "acme"), 0);
    layout_free(layout);

    struct layout_params params = layout_defaults(&scheme_directory);
    params.hash = HASH_CRC16;
    assert_null(layout_new(&scheme_directory, &params, 2, &err));
    assert_non_null(strstr(err.text, "not by crc16"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_without_a_row_are_on_the_default),
        cmocka_unit_test(a_row_can_be_put_anew),
        cmocka_unit_test(many_rows_keep_their_places),
        cmocka_unit_test(keys_are_bytes),
        cmocka_unit_test(a_tag_stands_for_all_its_keys),
        cmocka_unit_test(a_new_shard_starts_empty),
        cmocka_unit_test(rows_of_a_shard_that_leaves_fall_to_the_default),
        cmocka_unit_test(an_emptied_directory_can_be_copied),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
