/*
 * Catalogs: what a put writes and a find asks, by kind of index; lag; words; refusals.
 */
#include "index_play.h"
#include <stdio.h>

static void a_local_index_writes_once_and_asks_everybody(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog riders local");
    ask(w, "put riders 7 rome via R0");
    ask(w, "put riders 7 oslo via R0");
    ask(w, "put riders 8 oslo via R0");
    struct catalog_info c = world_catalog(w, 0);
    assert_int_equal(c.writes, 3);
    assert_int_equal(c.last_writes, 1);
    assert_int_equal(c.rows, 2);
    ask(w, "find riders oslo via R1");
    struct find_info f = world_find(w, 0);
    assert_true(f.done);
    assert_int_equal(f.parts, 4);
    assert_int_equal(f.ids, 2);
    assert_int_equal(f.id[0], 7);
    assert_int_equal(f.id[1], 8);
    assert_int_equal(f.missing + f.extra + f.failed, 0);
    ask(w, "find riders rome via R1");
    assert_int_equal(world_find(w, 0).ids, 0);
    struct catalog_row_info row = row_of(w, 7);
    assert_int_equal(row.shard, row.index_shard);
    assert_string_equal(row.indexed, "oslo");
    assert_int_equal(world_catalog_shard(w, 0, bytes_of("oslo")), SHARD_NONE);
    world_free(w);
}

static void a_rider_who_changes_city_costs_three_writes(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog riders sync");
    ask(w, "put riders 7 rome via R0");
    assert_int_equal(world_catalog(w, 0).last_writes, 2);
    ask(w, "put riders 7 oslo via R0");
    assert_int_equal(world_catalog(w, 0).last_writes, 3);
    ask(w, "put riders 7 oslo via R0");
    assert_int_equal(world_catalog(w, 0).last_writes, 1);
    ask(w, "find riders oslo via R1");
    struct find_info f = world_find(w, 0);
    assert_int_equal(f.parts, 1);
    assert_int_equal(f.ids, 1);
    assert_int_equal(f.slowest, world_catalog_shard(w, 0, bytes_of("oslo")));
    ask(w, "find riders rome via R1");
    assert_int_equal(world_find(w, 0).ids, 0);
    assert_int_equal(row_of(w, 7).index_shard, 3);
    assert_int_equal(row_of(w, 7).shard, 0);
    world_free(w);
}

static void in_between_a_sync_index_differs(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog riders sync");
    ask(w, "put riders 7 rome via R0");
    play(w, "put riders 7 oslo via R0");
    pass(w, 3);
    struct catalog_row_info row = row_of(w, 7);
    assert_string_equal(row.term, "oslo");
    assert_string_equal(row.indexed, "rome");
    assert_int_equal(world_catalog(w, 0).behind, 1);
    assert_int_equal(world_catalog(w, 0).under_way, 1);
    assert_false(world_all_answered(w));
    pass(w, 30);
    row = row_of(w, 7);
    assert_string_equal(row.indexed, "oslo");
    assert_false(row.twice);
    assert_true(row.indexed_us > row.changed_us);
    assert_int_equal(world_catalog(w, 0).behind, 0);
    assert_true(world_all_answered(w));
    world_free(w);
}

static void an_async_index_follows_after_its_lag(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog riders async 200");
    ask(w, "put riders 7 rome via R0");
    pass(w, 500);
    ask(w, "put riders 7 oslo via R0");
    assert_int_equal(world_catalog(w, 0).last_writes, 1);
    int64_t changed = row_of(w, 7).changed_us;
    ask(w, "find riders oslo via R1");
    assert_int_equal(world_find(w, 0).missing, 1);
    ask(w, "find riders rome via R1");
    assert_int_equal(world_find(w, 0).extra, 1);
    assert_int_equal(world_catalog(w, 0).behind, 1);
    assert_int_equal(world_catalog(w, 0).behind_us, world_now(w) - changed);
    world_run_until(w, changed + 200000);
    assert_string_equal(row_of(w, 7).indexed, "rome");
    pass(w, 10);
    struct catalog_row_info row = row_of(w, 7);
    assert_string_equal(row.indexed, "oslo");
    assert_in_range(row.indexed_us - changed, 200000, 201000);
    assert_int_equal(world_catalog(w, 0).behind, 0);
    assert_int_equal(world_catalog(w, 0).writes, 5);
    world_free(w);
}

/* Several changes within the lag: each follows at its own time, one after the other. */
static void changes_of_one_row_follow_in_their_order(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog riders async 100");
    static const char *const puts[] = {"put riders 7 rome via R0", "put riders 7 oslo via R2",
                                       "put riders 7 bern via R4", "put riders 7 rome via R1"};
    int64_t first = 0;
    for (int i = 0; i < 4; i++) {
        ask(w, puts[i]);
        first = i == 0 ? row_of(w, 7).changed_us : first;
        pass(w, 20);
    }
    pass(w, 5);
    assert_int_equal(world_catalog(w, 0).behind, 3);
    world_run_until(w, first + 95000 + 40000);
    assert_string_equal(row_of(w, 7).indexed, "oslo");
    pass(w, 300);
    assert_string_equal(row_of(w, 7).indexed, "rome");
    assert_false(row_of(w, 7).twice);
    assert_int_equal(world_catalog(w, 0).behind, 0);
    world_free(w);
}

/* Two registrations of one email at once. */
static void a_local_index_lets_both_in_and_a_unique_one_refuses_the_second(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog users local");
    ask(w, "find users ann@x via R0");
    assert_int_equal(world_find(w, 0).ids, 0);
    play(w, "put users 1 ann@x via R0");
    play(w, "put users 2 ann@x via R4");
    pass(w, 100);
    assert_int_equal(world_catalog(w, 0).refused_puts, 0);
    ask(w, "find users ann@x via R0");
    assert_int_equal(world_find(w, 0).ids, 2);
    play(w, "catalog users unique");
    assert_int_equal(world_catalog(w, 0).rows, 0);
    play(w, "put users 1 ann@x via R0");
    play(w, "put users 2 ann@x via R4");
    pass(w, 100);
    struct catalog_info c = world_catalog(w, 0);
    assert_int_equal(c.puts, 2);
    assert_int_equal(c.refused_puts, 1);
    assert_int_equal(c.rows, 1);
    ask(w, "find users ann@x via R0");
    assert_int_equal(world_find(w, 0).ids, 1);
    world_free(w);
}

static void a_term_that_was_given_back_is_free(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog users unique");
    ask(w, "put users 1 ann@x via R0");
    assert_int_equal(world_catalog(w, 0).last_writes, 2);
    ask(w, "put users 2 ann@x via R0");
    assert_true(world_catalog(w, 0).last_refused);
    ask(w, "put users 1 bob@x via R0");
    assert_int_equal(world_catalog(w, 0).last_writes, 3);
    ask(w, "put users 2 ann@x via R0");
    assert_false(world_catalog(w, 0).last_refused);
    ask(w, "put users 2 ann@x via R0"); /* its own again */
    assert_false(world_catalog(w, 0).last_refused);
    ask(w, "put users 1 ann@x via R0");
    assert_true(world_catalog(w, 0).last_refused);
    assert_string_equal(row_of(w, 1).term, "bob@x");
    world_free(w);
}

static void a_catalog_begins_anew(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog riders async 50");
    play(w, "put riders 7 rome via R0");
    world_run_until(w, world_now(w) + 2000);
    play(w, "put riders 8 rome via R0");
    play(w, "catalog riders sync");
    assert_true(world_all_answered(w));
    assert_int_equal(world_catalog(w, 0).rows, 0);
    pass(w, 1000);
    assert_int_equal(world_catalog(w, 0).rows, 0);
    assert_int_equal(world_catalog_rows(w, 0), 0);
    assert_int_equal(world_catalog(w, 0).puts, 0);
    ask(w, "find riders rome via R0");
    assert_int_equal(world_find(w, 0).ids, 0);
    ask(w, "put riders 8 rome via R0");
    assert_int_equal(world_catalog(w, 0).rows, 1);
    assert_int_equal(world_catalogs(w), 1);
    world_free(w);
}

static void what_is_impossible_is_refused_in_a_sentence(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog riders sync");
    play_refused(w, "put drivers 1 rome via R0",
                 "no catalog drivers; make one: catalog drivers local|sync|async MS|unique");
    play_refused(w, "find riders rome via R9", "no router R9: this world has R0 to R5");
    play_refused(w, "put riders 1000000 rome", "a row's id is 0 to 999999");
    play_refused(w, "put riders 1 abcdefghijklmnopqrstuvwxyz",
                 "a term has 1 to 23 bytes, no control bytes among them");
    play_refused(w, "put riders 1 a%01", "a term has 1 to 23 bytes, no control bytes among them");
    play_refused(w, "find a%0Ab rome",
                 "a catalog's name has 1 to 23 letters, digits, '-' and '_' only");
    play_refused(w, "catalog abcdefghijklmnopqrstuvwxyz local",
                 "a catalog's name has 1 to 23 letters, digits, '-' and '_' only");
    play_refused(w, "catalog riders async 99999999", "an index lags 0 to 3600000 ms");
    play(w, "catalog drivers local");
    play_refused(w, "catalog others local", "this world has room for 2 catalogs and has as many");
    for (int i = 0; i < 64; i++) {
        char words[64];
        snprintf(words, sizeof words, "put riders %d rome", i);
        ask(w, words);
    }
    play_refused(w, "put riders 64 rome",
                 "a catalog has room for 64 rows, all catalogs of this world for 64");
    world_free(w);
    w = play_world();
    play_refused(w, "catalog riders sync",
                 "this world has no room for catalogs (catalogs_max is 0)");
    world_free(w);
}

static void commands_read_back_as_they_are_said(void **state)
{
    (void)state;
    static const char *const said[] = {"catalog riders local",     "catalog riders sync",
                                       "catalog riders async 200", "catalog riders unique",
                                       "put riders 7 rome via R3", "put riders 7 new%20york via R0",
                                       "find riders rome via R0"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        struct command c;
        struct err err = {{0}};
        struct str out = STR_EMPTY;
        assert_true(command_parse(said[i], &c, &err));
        command_say(&c, &out);
        assert_string_equal(str_text(&out), said[i]);
        str_free(&out);
    }
}

static void a_put_reads_as_a_story(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog riders sync");
    ask(w, "put riders 7 rome via R0");
    uint64_t from = trace_next(w);
    ask(w, "put riders 7 oslo via R2");
    ask(w, "find riders oslo via R1");
    play_expect(w, from,
                "20:00:00.012000  client b -> R2  put riders:7 oslo\n"
                "20:00:00.012250  R2 -> S0  put riders:7 (slot 1761, as map version 7 says)\n"
                "20:00:00.012750  S0 -> R2  riders:7 is now oslo, was rome\n"
                "20:00:00.018250  R2 -> S3  index riders@rome (slot 13136, as map version 7 says)\n"
                "20:00:00.018250  R2 -> S3  index riders@oslo (slot 13576, as map version 7 says)\n"
                "20:00:00.018500  S3 -> R2  index: rome loses row 7, has 0 rows\n"
                "20:00:00.018500  S3 -> R2  index: oslo gets row 7, has 1 row\n"
                "20:00:00.023750  R2 -> client b  OK, riders:7 is stored (3 writes)\n"
                "20:00:00.024000  client a -> R1  find riders oslo\n"
                "20:00:00.024250  R1 -> S3  read riders@oslo (slot 13576, as map version 7 says)\n"
                "20:00:00.024750  S3 -> R1  oslo: 1 row here\n"
                "20:00:00.030250  R1 -> client a  found 1 row for oslo\n");
    world_free(w);
}

static void a_claim_reads_as_a_story(void **state)
{
    (void)state;
    struct world *w = catalog_world("catalog users unique");
    uint64_t from = trace_next(w);
    play(w, "put users 1 ann@x via R0");
    play(w, "put users 2 ann@x via R4");
    pass(w, 100);
    play_expect(w, from,
                "20:00:00.000000  client a -> R0  put users:1 ann@x\n"
                "20:00:00.000000  client c -> R4  put users:2 ann@x\n"
                "20:00:00.000250  R0 -> S2  claim users@ann@x (slot 8286, as map version 7 says)\n"
                "20:00:00.000250  R4 -> S2  claim users@ann@x (slot 8286, as map version 7 says)\n"
                "20:00:00.000500  S2 -> R4  ann@x is free, row 2 claims it\n"
                "20:00:00.000750  S2 -> R0  ann@x is taken: row 2 has it\n"
                "20:00:00.005750  R4 -> S1  put users:2 (slot 7739, as map version 7 says)\n"
                "20:00:00.006250  S1 -> R4  users:2 is now ann@x, a new row\n"
                "20:00:00.006250  R0 -> client a  refused: ann@x is taken by users:2\n"
                "20:00:00.011750  R4 -> client c  OK, users:2 is stored (2 writes)\n");
    world_free(w);
}

static void every_record_can_be_explained(void **state)
{
    (void)state;
    static const char *const catalogs[] = {"catalog riders local", "catalog riders sync",
                                           "catalog riders async 5", "catalog riders unique"};
    for (int i = 0; i < 4; i++) {
        struct world *w = catalog_world(catalogs[i]);
        ask(w, "put riders 1 rome");
        ask(w, "put riders 2 rome via R4");
        ask(w, "put riders 1 oslo via R2");
        ask(w, "find riders rome via R1");
        pass(w, 200);
        for (uint64_t at = trace_first(w); at < trace_next(w); at++) {
            const struct trace_record *r = trace_get(w, at);
            struct str out = STR_EMPTY;
            trace_why(w, r, &out);
            assert_true(out.length > 20);
            str_clear(&out);
            trace_label(w, r, &out);
            assert_in_range(out.length, 1, 30);
            str_free(&out);
        }
        world_free(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_local_index_writes_once_and_asks_everybody),
        cmocka_unit_test(a_rider_who_changes_city_costs_three_writes),
        cmocka_unit_test(in_between_a_sync_index_differs),
        cmocka_unit_test(an_async_index_follows_after_its_lag),
        cmocka_unit_test(changes_of_one_row_follow_in_their_order),
        cmocka_unit_test(a_local_index_lets_both_in_and_a_unique_one_refuses_the_second),
        cmocka_unit_test(a_term_that_was_given_back_is_free),
        cmocka_unit_test(a_catalog_begins_anew),
        cmocka_unit_test(what_is_impossible_is_refused_in_a_sentence),
        cmocka_unit_test(commands_read_back_as_they_are_said),
        cmocka_unit_test(a_put_reads_as_a_story),
        cmocka_unit_test(a_claim_reads_as_a_story),
        cmocka_unit_test(every_record_can_be_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
