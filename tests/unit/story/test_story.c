/*
 * The story's world: its constants, its size, and its identity in every build.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/guards/guards.h"
#include "engine/invariant.h"
#include "story/story.h"
#include <stdio.h>
#include <string.h>

static void the_cluster_is_the_one_that_is_told(void **state)
{
    (void)state;
    struct world *w = story_world(1, false, NULL);
    assert_non_null(w);
    const struct world_config *c = world_config_of(w);
    static const uint8_t shard_zones[] = {0, 1, 2, 1};
    static const uint8_t router_zones[] = {0, 0, 1, 1, 2, 2};
    for (uint16_t i = 0; i < 4; i++) {
        assert_int_equal(world_zone(w, (struct node){NODE_SHARD, i}), shard_zones[i]);
        assert_int_equal(world_owner(w, i * 4096u), i);
        assert_int_equal(world_owner(w, i * 4096u + 4095), i);
        assert_int_equal(world_shard(w, i).write_ceiling, 1000);
        assert_int_equal(world_shard(w, i).read_ceiling, 3000);
        assert_int_equal(world_shard(w, i).queue, 0);
    }
    for (uint16_t i = 0; i < 6; i++) {
        assert_int_equal(world_zone(w, (struct node){NODE_ROUTER, i}), router_zones[i]);
        assert_int_equal(world_router(w, i).map_version, 7);
    }
    assert_int_equal(world_zone(w, (struct node){NODE_DIRECTORY, 0}), 2);
    assert_int_equal(world_shards(w), 4);
    assert_int_equal(world_map_version(w), 7);
    assert_int_equal(world_epoch(w, 12067), 7);
    assert_int_equal(world_now(w), STORY_START_US);
    assert_int_equal(c->delay_us[0][0], 250);
    assert_int_equal(c->delay_us[0][2], 500);
    assert_int_equal(c->query_us, 5000);
    assert_int_equal(c->shards_max, 64);

    struct command add = {.kind = COMMAND_SHARD_ADD, .zone = ZONE_ANY};
    assert_true(world_apply(w, &add, NULL));
    assert_int_equal(world_zone(w, (struct node){NODE_SHARD, 4}), 2); /* S4 sits in zone c */
    int64_t time;
    assert_false(world_next_time(w, &time)); /* nobody asks anything */
    world_free(w);
}

static void it_fits_in_about_a_megabyte(void **state)
{
    (void)state;
    struct world *w = story_world(1, true, NULL);
    assert_in_range(world_bytes_used(w), 1, 1048576);
    world_run_until(w, STORY_START_US + 10 * US_PER_SECOND);
    assert_in_range(world_bytes_used(w), 1, 1048576);
    /* In a storm; an eighth of it is room for queries, transactions, indexes, nodes, partitions
     * and stores, a quarter room for systems that people run, of which a world without has nothing.
     */
    assert_in_range(world_bytes(w), 1, 15 << 19);
    world_free(w);
}

static void storm_do(struct world *w, const char *text)
{
    struct command c;
    struct err err = {{0}};
    if (!command_parse(text, &c, &err) || !world_apply(w, &c, &err)) {
        fail_msg("%s: %s", text, err.text);
    }
}

/* Little's law: 9,300 reads a second that take half a second each are 4,650 at S2 at one time. */
static void thousands_wait_for_a_hot_shard(void **state)
{
    (void)state;
    struct err err = {{0}};
    struct world *w = story_world(1, true, NULL);
    storm_do(w, "flow like likes:{p9} 0");
    storm_do(w, "flow read post:{p9} 9000");
    storm_do(w, "ceiling S2 0 3000 4600"); /* the line fills up */
    world_run_until(w, world_now(w) + 2 * US_PER_SECOND);
    storm_do(w, "ceiling S2 0 9300 4600"); /* and stays: what leaves it is what comes */
    world_run_until(w, world_now(w) + 2 * US_PER_SECOND);
    assert_false(world_stopped(w, &err));
    assert_in_range(guards_in_flight(w, 2), 4600, 4700);
    storm_do(w, "request read post:{p1} via R0");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    struct request_info read;
    assert_true(world_request(w, world_last_request(w), &read));
    assert_int_equal(read.outcome, OUTCOME_OK);
    assert_in_range(read.ended_us - read.issued_us, 495000, 505000);
    world_free(w);
}

/* Clients that are not answered in time and ask again, three times: each try fails as well. */
static void a_storm_of_retries_fits(void **state)
{
    (void)state;
    struct err err = {{0}};
    struct world *w = story_world(1, true, NULL);
    storm_do(w, "ceiling S2 1000 3000 1000");
    storm_do(w, "patience 100 200");
    storm_do(w, "clients at-once times 3");
    storm_do(w, "flow like likes:{p9} 2400 scattered");
    storm_do(w, "flow read post:{p9} 9000 scattered");
    world_run_until(w, world_now(w) + 5 * US_PER_SECOND);
    if (world_stopped(w, &err)) {
        fail_msg("%s", err.text);
    }
    assert_true(world_bytes_used(w) > 1048576); /* more than ever on a usual day */
    struct world *copy = world_copy(w);
    struct world *into = story_world(2, false, NULL);
    world_copy_into(into, w);
    world_run_until(w, world_now(w) + 100000);
    world_run_until(copy, world_now(w));
    world_run_until(into, world_now(w));
    assert_true(digest_equal(world_digest(w), world_digest(copy)));
    assert_true(digest_equal(world_digest(w), world_digest(into)));
    world_free(copy);
    world_free(into);
    world_free(w);
}

static void sixteen_posts_are_liked_and_read(void **state)
{
    (void)state;
    struct world *w = story_world(1, true, NULL);
    world_run_until(w, STORY_START_US + 10 * US_PER_SECOND);
    assert_int_equal(world_keys(w), 32);
    uint32_t key = 0;
    assert_true(world_find_key(w, bytes_of("likes:{p9}"), &key));
    assert_int_equal(world_key_slot(w, key), 12067);
    for (int post = 1; post <= STORY_POSTS; post++) {
        char name[32];
        (void)snprintf(name, sizeof name, "likes:{p%d}", post);
        assert_true(world_find_key(w, bytes_of(name), &key));
        assert_in_range(world_acked(w, key), 499, 500); /* the last may be on its way */
        assert_int_equal(world_lost(w, key), 0);
    }
    struct err err = {{0}};
    assert_true(invariant_hold(w, &err));
    for (uint16_t i = 0; i < 4; i++) {
        assert_int_equal(world_shard(w, i).refused_writes + world_shard(w, i).refused_reads, 0);
    }
    world_free(w);
}

static void expect_digest(const struct world *w, const char *expected)
{
    char hex[DIGEST_HEX_SIZE];
    digest_hex(world_digest(w), hex);
    assert_string_equal(hex, expected);
}

/* At its beginning, after two seconds, and after commands and two more. */
static void play_digests(struct world *w, const char *const expected[3])
{
    expect_digest(w, expected[0]);
    world_run_until(w, STORY_START_US + 2 * US_PER_SECOND);
    expect_digest(w, expected[1]);
    static const char *const commands[] = {
        "flow like likes:{p9} 2400 scattered",
        "flow read post:{p9} 9000 poisson",
        "shard add",
        "deaf R5 on",
        "ceiling S1 300 0 10",
        "move 12000-12100 S4",
        "freeze 0-50 S0 on",
        "rule reload-on-moved off",
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct command c;
        assert_true(command_parse(commands[i], &c, NULL));
        assert_true(world_apply(w, &c, NULL));
    }
    world_run_until(w, STORY_START_US + 4 * US_PER_SECOND);
    assert_false(world_stopped(w, NULL));
    expect_digest(w, expected[2]);
    world_free(w);
}

/* The same numbers with every compiler, level of optimisation and sanitizer: a build that differs
 * fails here. Whoever changes what the digest is fed, or the story, changes them. */
static void its_identity_is_the_same_in_every_build(void **state)
{
    (void)state;
    static const char *const expected[3] = {"40dfd8e223db09b8005c8a7043d62d68",
                                            "17c652cb58456e405b1cc3f0cec457cc",
                                            "8dc18186dd2fd44dc14a9fa6d709f7a9"};
    play_digests(story_world(1, true, NULL), expected);
}

/* What a world has no room for is not part of its identity, and changes nothing in it. */
static void without_the_later_tables_it_is_what_it_was(void **state)
{
    (void)state;
    static const char *const expected[3] = {"5eee13cc309f58c97e33f28fd954e20a",
                                            "52acc4ffe949d5c3d92f781c8d5cafe1",
                                            "8af784f87bd07bcfcdd8a6e8bbacdf9a"};
    struct world_config c = story_config(1);
    c.queries_max = c.gathers_max = 0;
    c.txns_max = c.txn_rows_max = 0;
    c.catalogs_max = c.catalog_rows_max = 0;
    c.nodes_max = c.groups_max = c.stores_max = 0;
    c.node_messages_max = 0;
    struct world *w = story_world_of(&c, true, NULL);
    assert_non_null(w);
    play_digests(w, expected);
}

static void worlds_have_names(void **state)
{
    (void)state;
    struct err err = {{0}};
    struct world *named = story_world_by_name("story", 3, &err);
    struct world *made = story_world(3, true, &err);
    assert_non_null(named);
    assert_true(digest_equal(world_digest(named), world_digest(made)));
    world_free(named);
    world_free(made);
    named = story_world_by_name("story-quiet", 3, &err);
    made = story_world(3, false, &err);
    assert_non_null(named);
    assert_true(digest_equal(world_digest(named), world_digest(made)));
    world_free(named);
    world_free(made);
    struct world_config near = story_config(3);
    memset(near.delay_us, 0, sizeof near.delay_us);
    named = story_world_by_name("story-near", 3, &err);
    made = story_world_of(&near, false, &err);
    assert_non_null(named);
    assert_true(digest_equal(world_digest(named), world_digest(made)));
    world_free(named);
    world_free(made);
    assert_null(story_world_by_name("tale", 3, &err));
    assert_string_equal(err.text,
                        "\"tale\" is no world; worlds are story, story-quiet and story-near");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cluster_is_the_one_that_is_told),
        cmocka_unit_test(it_fits_in_about_a_megabyte),
        cmocka_unit_test(thousands_wait_for_a_hot_shard),
        cmocka_unit_test(a_storm_of_retries_fits),
        cmocka_unit_test(sixteen_posts_are_liked_and_read),
        cmocka_unit_test(its_identity_is_the_same_in_every_build),
        cmocka_unit_test(without_the_later_tables_it_is_what_it_was),
        cmocka_unit_test(worlds_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
