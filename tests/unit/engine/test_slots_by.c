/*
 * Slots by tag: each new tag takes the next slot, and everything else is as with slots by hash.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/world.h"
#include <string.h>

static struct world_config by_tag(uint32_t slots)
{
    struct world_config c = world_config_default();
    c.slots_by = SLOTS_BY_TAG;
    c.slots = slots;
    c.keys_max = 64;
    c.trace_max = 64;
    return c;
}

static struct world *world_by_tag(void)
{
    struct err err = {.text = ""};
    struct world_config c = by_tag(64);
    struct world *w = world_new(&c, &err);
    assert_string_equal(err.text, "");
    assert_non_null(w);
    return w;
}

static void give(struct world *w, const char *line)
{
    struct err err = {.text = ""};
    struct command c;
    if (!command_parse(line, &c, &err) || !world_apply(w, &c, &err)) {
        fail_msg("%s: %s", line, err.text);
    }
}

static uint16_t slot_of(const struct world *w, const char *key)
{
    uint32_t id = 0;
    assert_true(world_find_key(w, bytes_of(key), &id));
    return world_key_slot(w, id);
}

static void test_each_new_tag_takes_the_next_slot(void **state)
{
    (void)state;
    struct world *w = world_by_tag();
    give(w, "request like b via R0");
    give(w, "request like a via R0");
    give(w, "request like {a}:more via R0"); /* the tag of a key that there is */
    give(w, "request like {x}:1 via R0");
    give(w, "request like {x}:2 via R0");
    give(w, "request like x via R0"); /* a key that is the tag of others */
    give(w, "request like last via R0");
    assert_int_equal(slot_of(w, "b"), 0);
    assert_int_equal(slot_of(w, "a"), 1);
    assert_int_equal(slot_of(w, "{a}:more"), 1);
    assert_int_equal(slot_of(w, "{x}:1"), 2);
    assert_int_equal(slot_of(w, "{x}:2"), 2);
    assert_int_equal(slot_of(w, "x"), 2);
    assert_int_equal(slot_of(w, "last"), 3);
    world_free(w);
}

static void test_the_same_slot_is_asked_of_tags(void **state)
{
    (void)state;
    struct err err;
    struct command c;
    struct world *w = world_by_tag();
    assert_true(command_parse("reads one cached with two", &c, &err));
    assert_false(world_apply(w, &c, &err)); /* neither was met yet, and they are two tags */
    assert_non_null(strstr(err.text, "one slot alone"));
    give(w, "reads post:{p} cached with likes:{p}");
    give(w, "writes n salted 3"); /* sub-keys have tags of their own, the correction has n's */
    assert_int_equal(slot_of(w, "post:{p}"), slot_of(w, "likes:{p}"));
    assert_int_equal(slot_of(w, "n"), slot_of(w, "{n}:fix"));
    assert_int_not_equal(slot_of(w, "n#0"), slot_of(w, "n#1"));
    assert_int_not_equal(slot_of(w, "n#2"), slot_of(w, "n"));
    world_free(w);
}

static void test_a_slot_goes_to_whoever_shall_own_it(void **state)
{
    (void)state;
    struct request_info info;
    struct world *w = world_by_tag();
    give(w, "request like k via R0");
    assert_true(world_run_until_answered(w, 1000000));
    give(w, "move 0 S3");
    give(w, "request read k via R1");
    assert_true(world_run_until_answered(w, 1000000));
    assert_true(world_request(w, world_last_request(w), &info));
    assert_int_equal(info.shard, 3);
    assert_int_equal(info.value, 1);
    world_free(w);
}

static void test_too_few_slots_are_refused_at_once(void **state)
{
    (void)state;
    struct err err;
    struct world_config c = by_tag(63);
    assert_null(world_new(&c, &err));
    assert_non_null(strstr(err.text, "63 slots are too few for 64 keys"));
    c.slots_by = 7;
    assert_null(world_new(&c, &err));
    assert_non_null(strstr(err.text, "number 7"));
}

static void test_the_way_is_part_of_a_world_s_identity(void **state)
{
    (void)state;
    struct world_config c = by_tag(64);
    struct world *tags = world_new(&c, NULL);
    c.slots_by = SLOTS_BY_CRC16;
    struct world *hash = world_new(&c, NULL);
    assert_false(digest_equal(world_digest(tags), world_digest(hash)));
    world_free(tags);
    world_free(hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_new_tag_takes_the_next_slot),
        cmocka_unit_test(test_the_same_slot_is_asked_of_tags),
        cmocka_unit_test(test_a_slot_goes_to_whoever_shall_own_it),
        cmocka_unit_test(test_too_few_slots_are_refused_at_once),
        cmocka_unit_test(test_the_way_is_part_of_a_world_s_identity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
