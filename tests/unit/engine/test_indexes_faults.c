/*
 * Catalogs when something fails: puts that stop halfway, entries that are overtaken, slots that
 * move, routers and shards that die, a network that loses and doubles.
 */
#include "index_play.h"

#include "engine/faults/faults.h"
#include "engine/state.h"
#include <stdio.h>

/* S3 has riders@rome and riders@oslo, S0 has riders:7. */
static void a_put_that_fails_halfway_leaves_what_it_has_written(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog riders sync");
    ask(w, "put riders 7 rome via R0");
    play(w, "crash S3 1000");
    ask(w, "put riders 7 oslo via R0");
    struct catalog_info c = world_catalog(w, 0);
    assert_true(c.last_failed);
    assert_int_equal(c.failed_puts, 1);
    assert_string_equal(row_of(w, 7).term, "oslo");
    assert_string_equal(row_of(w, 7).indexed, "rome");
    pass(w, 2000);
    ask(w, "find riders oslo via R0");
    assert_int_equal(world_find(w, 0).missing, 1);
    ask(w, "find riders rome via R0");
    assert_int_equal(world_find(w, 0).extra, 1);
    assert_int_equal(world_catalog(w, 0).behind, 1);
    world_free(w);
}

static void a_router_that_dies_in_between_leaves_the_index_behind(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog riders sync");
    ask(w, "put riders 7 rome via R0");
    play(w, "put riders 7 oslo via R0");
    pass(w, 3); /* the row is written, its answer on its way */
    play(w, "crash R0 500");
    assert_true(world_all_answered(w));
    pass(w, 1000);
    assert_int_equal(world_catalog(w, 0).failed_puts, 1);
    assert_string_equal(row_of(w, 7).term, "oslo");
    assert_string_equal(row_of(w, 7).indexed, "rome");
    ask(w, "put riders 8 rome via R0");
    assert_false(world_catalog(w, 0).last_failed);
    world_free(w);
}

static void a_router_that_is_down_takes_nothing(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog riders sync");
    play(w, "crash R0 500");
    ask(w, "put riders 7 rome via R0");
    assert_true(world_catalog(w, 0).last_failed);
    assert_int_equal(world_catalog(w, 0).writes, 0);
    ask(w, "find riders rome via R0");
    assert_true(world_find(w, 0).done);
    assert_int_equal(world_find(w, 0).parts, 0);
    world_free(w);
}

static void an_async_index_follows_in_spite_of_a_dead_router_and_a_dead_shard(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog riders async 100");
    ask(w, "put riders 7 rome via R0");
    pass(w, 500);
    ask(w, "put riders 7 oslo via R0");
    play(w, "crash R0 5000");
    play(w, "crash S3 1000");
    pass(w, 500);
    assert_int_equal(world_catalog(w, 0).behind, 1);
    assert_string_equal(row_of(w, 7).indexed, "rome");
    pass(w, 1000);
    assert_int_equal(world_catalog(w, 0).behind, 0);
    assert_string_equal(row_of(w, 7).indexed, "oslo");
    world_free(w);
}

static void a_router_that_dies_with_entries_in_hand_has_them_sent_by_another(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog riders async 100");
    ask(w, "put riders 7 rome via R0");
    int64_t due = row_of(w, 7).changed_us + 100000;
    world_run_until(w, due + 100);
    play(w, "crash R0 5000");
    pass(w, 50);
    pass(w, 200);
    assert_int_equal(world_catalog(w, 0).behind, 0);
    assert_string_equal(row_of(w, 7).indexed, "rome");
    world_free(w);
}

/* Two puts of one row through two routers: whichever message comes first, the later put counts. */
static void two_puts_of_one_row_at_once_end_alike(void **state)
{
    (void)state;
    for (int64_t apart = 0; apart < 14000; apart += 250) {
        struct world *w = catalog_world("catalog riders sync");
        ask(w, "put riders 7 rome via R0");
        play(w, "put riders 7 oslo via R0");
        world_run_until(w, world_now(w) + apart);
        play(w, "put riders 7 rome via R5");
        pass(w, 100);
        struct catalog_row_info row = row_of(w, 7);
        assert_string_equal(row.term, row.indexed);
        assert_false(row.twice);
        assert_int_equal(world_catalog(w, 0).failed_puts, 0);
        world_free(w);
    }
}

/* A message that is held up comes after a later put's: the entry knows better. */
static void an_entry_that_is_overtaken_changes_nothing(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog riders sync");
    ask(w, "put riders 7 rome via R0");
    play(w, "put riders 7 oslo via R0");
    pass(w, 6);
    play(w, "network loss 0% double 0% delay 100% 20");
    pass(w, 1);
    play(w, "network calm");
    ask(w, "put riders 7 bern via R5");
    pass(w, 100);
    struct catalog_row_info row = row_of(w, 7);
    assert_string_equal(row.term, "bern");
    assert_string_equal(row.indexed, "bern");
    assert_false(row.twice);
    world_free(w);
}

/* A row that leaves its term and takes it again: what was to be given back is its own anew. */
static void a_claim_is_not_given_back_by_an_older_word(void **state)
{
    (void)state;
    for (int64_t apart = 0; apart < 30000; apart += 500) {
        struct world *w = catalog_world("catalog users unique");
        ask(w, "put users 1 ann@x via R0");
        play(w, "put users 1 bob@x via R0");
        world_run_until(w, world_now(w) + apart);
        play(w, "put users 1 ann@x via R5");
        pass(w, 4);
        play(w, "put users 2 ann@x via R3");
        pass(w, 200);
        struct catalog_row_info row = row_of(w, 1);
        assert_string_equal(row.term, row.indexed);
        assert_false(row.twice);
        world_free(w);
    }
}

/* The row is refused: what was claimed for it stays claimed, and the row may try again. */
static void a_refused_row_keeps_its_claim(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog users unique");
    play(w, "ceiling S1 1 0"); /* users:2 is there */
    ask(w, "put users 2 eve@x via R0");
    ask(w, "put users 2 ann@x via R0");
    assert_true(world_catalog(w, 0).last_failed);
    assert_int_equal(world_catalog(w, 0).last_writes, 2); /* the claim and the row */
    play(w, "ceiling S1 0 0");
    ask(w, "put users 3 ann@x via R0");
    assert_true(world_catalog(w, 0).last_refused);
    ask(w, "put users 2 ann@x via R0");
    assert_false(world_catalog(w, 0).last_refused || world_catalog(w, 0).last_failed);
    world_free(w);
}

static void rows_and_entries_move_with_their_slots(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog riders sync");
    ask(w, "put riders 7 rome via R0");
    play(w, "shard add");
    play(w, "migrate 13136 S4 1000 1000");
    pass(w, 100);
    ask(w, "put riders 8 rome via R0");
    pass(w, 3000);
    play(w, "fence 13136");
    pass(w, 500);
    assert_int_equal(world_owner(w, 13136), 4);
    assert_int_equal(row_of(w, 7).index_shard, 4);
    ask(w, "find riders rome via R0");
    assert_int_equal(world_find(w, 0).ids, 2);
    assert_int_equal(world_find(w, 0).slowest, 4);
    play(w, "move 1761 S1");
    assert_int_equal(row_of(w, 7).shard, 1);
    ask(w, "put riders 7 oslo via R0");
    assert_false(world_catalog(w, 0).last_failed);
    world_free(w);
}

/* With slot-table-check off, a router with an old map writes where nobody will look. */
static void a_write_at_a_shard_that_is_not_the_owner_is_lost(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog riders sync");
    ask(w, "put riders 7 rome via R0");
    play(w, "deaf R0 on");
    play(w, "rule slot-table-check off");
    play(w, "move 13136 S1");
    play(w, "put riders 7 oslo via R0");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    assert_false(world_catalog(w, 0).last_failed);
    assert_true(row_of(w, 7).twice);
    play_breaks(w, "index-equals-rows");
    world_free(w);
}

static void a_message_that_comes_twice_counts_once(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog riders sync");
    play(w, "network double 100%");
    ask(w, "put riders 7 rome via R0");
    ask(w, "put riders 7 oslo via R0");
    pass(w, 100);
    assert_int_equal(world_catalog(w, 0).last_writes, 3);
    assert_string_equal(row_of(w, 7).indexed, "oslo");
    assert_false(row_of(w, 7).twice);
    world_free(w);
}

/* --- at random --- */

struct chaos {
    struct world *w;
    struct prng chance;
    bool faults;
};

static void say(struct chaos *c, const char *words)
{
    struct command command;
    struct err err = {{0}};
    if (!command_parse(words, &command, &err)) {
        fail_msg("%s: %s", words, err.text);
    }
    (void)world_apply(c->w, &command, &err);
}

static void one_of_many(struct chaos *c)
{
    static const char *const terms[] = {"rome", "oslo", "bern", "lima"};
    char words[80];
    unsigned term = (unsigned)prng_below(&c->chance, 4);
    unsigned row = (unsigned)prng_below(&c->chance, 5);
    unsigned router = (unsigned)prng_below(&c->chance, 6);
    uint64_t what = prng_below(&c->chance, 20);
    if (what < 12) {
        snprintf(words, sizeof words, "put riders %u %s via R%u", row, terms[term], router);
    } else if (what < 16) {
        snprintf(words, sizeof words, "find riders %s via R%u", terms[term], router);
    } else if (what == 16 && c->faults) {
        snprintf(words, sizeof words, "crash R%u %u", router, 1 + row * 40);
    } else if (what == 17 && c->faults) {
        snprintf(words, sizeof words, "crash S%u %u", term, 1 + row * 40);
    } else {
        snprintf(words, sizeof words, "move %u S%u", 12000 + row * 800, term);
    }
    say(c, words);
}

static void a_life(const char *catalog, uint64_t seed, bool faults)
{
    struct chaos c = {
        .w = catalog_world(catalog), .chance = prng_seeded(seed, "chaos"), .faults = faults};
    if (faults) {
        say(&c, "patience 30 400");
        say(&c, "network loss 3% double 5% delay 10% 40");
    }
    for (int i = 0; i < 120; i++) {
        one_of_many(&c);
        world_run_until(c.w, world_now(c.w) + (int64_t)prng_below(&c.chance, 20000));
        play_holds(c.w);
    }
    say(&c, "network calm");
    pass(c.w, 20000);
    assert_true(world_all_answered(c.w));
    struct catalog_info info = world_catalog(c.w, 0);
    assert_int_equal(info.under_way, 0);
    if (info.mode == CATALOG_ASYNC) {
        assert_int_equal(info.behind, 0);
    }
    if (!faults) {
        assert_int_equal(info.failed_puts, 0);
        assert_int_equal(info.behind, 0);
    }
    world_free(c.w);
}

static void random_lives_hold(void **state)
{
    (void)state;
    static const char *const catalogs[] = {"catalog riders local", "catalog riders sync",
                                           "catalog riders async 30", "catalog riders unique"};
    for (uint64_t seed = 0; seed < 120; seed++) {
        a_life(catalogs[seed % 4], seed, seed % 8 >= 4);
    }
}

static void a_copy_goes_on_alike(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog riders async 30");
    play(w, "put riders 1 rome via R0");
    pass(w, 20);
    play(w, "put riders 1 oslo via R3");
    struct world *copy = world_copy(w);
    assert_true(digest_equal(world_digest(w), world_digest(copy)));
    pass(w, 100);
    assert_false(digest_equal(world_digest(w), world_digest(copy)));
    pass(copy, 100);
    assert_true(digest_equal(world_digest(w), world_digest(copy)));
    world_free(copy);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_put_that_fails_halfway_leaves_what_it_has_written),
        cmocka_unit_test(a_router_that_dies_in_between_leaves_the_index_behind),
        cmocka_unit_test(a_router_that_is_down_takes_nothing),
        cmocka_unit_test(an_async_index_follows_in_spite_of_a_dead_router_and_a_dead_shard),
        cmocka_unit_test(a_router_that_dies_with_entries_in_hand_has_them_sent_by_another),
        cmocka_unit_test(two_puts_of_one_row_at_once_end_alike),
        cmocka_unit_test(an_entry_that_is_overtaken_changes_nothing),
        cmocka_unit_test(a_claim_is_not_given_back_by_an_older_word),
        cmocka_unit_test(a_refused_row_keeps_its_claim),
        cmocka_unit_test(rows_and_entries_move_with_their_slots),
        cmocka_unit_test(a_write_at_a_shard_that_is_not_the_owner_is_lost),
        cmocka_unit_test(a_message_that_comes_twice_counts_once),
        cmocka_unit_test(random_lives_hold),
        cmocka_unit_test(a_copy_goes_on_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
