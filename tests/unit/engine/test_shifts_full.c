/*
 * Slots that go key by key or are written twice while slot tables are full or the map is at its
 * last version: a command is refused whole, and what happens by itself stops the world with a word.
 */
#include "play.h"

#include "engine/shifts/shifts.h"
#include "engine/state.h"

#define TOO_FEW " rows, too few for this; slots that lie together and say the same share a row"

/* S2 owns slots 32 to 47 and S3 48 to 63, of 64; a table has `rows` rows. No keys. */
static struct world *tight_world(uint32_t rows, uint32_t map_version)
{
    struct world_config c = play_config();
    c.slots = 64;
    c.rows_max = rows;
    c.moves_max = 4;
    c.map_version = map_version;
    c.apply_us = 12000;
    c.commit_us = 1000;
    return play_new(&c);
}

static void run(struct world *w, int64_t us)
{
    int64_t end = world_now(w) + us;
    int64_t next = 0;
    while (world_next_time(w, &next) && next < end && world_step(w)) {
        play_holds(w);
    }
    world_run_until(w, end);
}

static void play_all(struct world *w, const char *const *words)
{
    for (size_t i = 0; words[i] != NULL; i++) {
        play(w, words[i]);
        play_holds(w);
    }
    run(w, 100000);
}

static void expect_rows(const struct world *w, uint16_t shard, uint32_t rows)
{
    assert_int_equal(world_slot_rows(w, shard), rows);
}

/* --- dual writes --- */

static void a_switch_cuts_the_slot_out_of_its_row_only_where_there_is_room(void **state)
{
    (void)state;
    struct world *w = tight_world(3, 7);
    play_all(w, (const char *const[]){"dual 35 S3", "dual 35 S3 backfill 100", NULL});
    play(w, "freeze 40 S2 on");
    expect_rows(w, 2, 3); /* the slot is still a part of the first */
    play_refused(w, "switch 35 reads", "the slot table of S2 has room for 3" TOO_FEW);
    play(w, "freeze 40 S2 off");
    play(w, "switch 35 reads");
    expect_rows(w, 2, 3);
    run(w, 100000);
    play(w, "switch 35 done");
    play_holds(w);
    assert_int_equal(world_owner(w, 35), 3);
    assert_int_equal(world_slot_row(w, 2, 35).state, SLOT_MOVED);
    world_free(w);
}

static void a_switch_needs_room_at_the_target_too(void **state)
{
    (void)state;
    struct world *w = tight_world(3, 7);
    play_all(w, (const char *const[]){"dual 46 S3", "dual 46 S3 backfill 100", "dual 47 S3",
                                      "dual 47 S3 backfill 100", "freeze 63 S3 on", NULL});
    expect_rows(w, 3, 3); /* 46-47 arrive together */
    play_refused(w, "switch 46 reads", "the slot table of S3 has room for 3" TOO_FEW);
    world_free(w);
}

static void one_of_two_switched_slots_ends_only_where_there_is_room(void **state)
{
    (void)state;
    struct world *w = tight_world(3, 7);
    play_all(w, (const char *const[]){"dual 46 S3", "dual 46 S3 backfill 100", "dual 47 S3",
                                      "dual 47 S3 backfill 100", NULL});
    play_all(w, (const char *const[]){"switch 46 reads", "switch 47 reads", NULL});
    play(w, "freeze 32 S2 on");
    expect_rows(w, 2, 3); /* frozen, owned, and both slots in one */
    play_refused(w, "switch 46 done", "the slot table of S2 has room for 3" TOO_FEW);
    play(w, "freeze 32 S2 off");
    play_all(w, (const char *const[]){"switch 46 done", "switch 47 done", NULL});
    expect_rows(w, 2, 2);
    world_free(w);
}

static void one_of_three_copies_is_dropped_only_where_there_is_room(void **state)
{
    (void)state;
    struct world *w = tight_world(3, 7);
    play_all(w, (const char *const[]){"dual 35 S3", "dual 36 S3", "dual 37 S3", NULL});
    play(w, "freeze 63 S3 on");
    expect_rows(w, 3, 3);
    play_refused(w, "dual 36 stop", "the slot table of S3 has room for 3" TOO_FEW);
    play(w, "dual 35 stop"); /* the rest stays one row */
    play_holds(w);
    world_free(w);
}

static void a_row_that_does_not_begin_changes_no_table(void **state)
{
    (void)state;
    struct world *w = tight_world(3, 7);
    play(w, "freeze 34 S2 on");
    play_refused(w, "shift 40 S3", "the slot table of S2 has room for 3" TOO_FEW);
    play(w, "freeze 34 S2 off");
    play(w, "freeze 50 S3 on");
    play_refused(w, "dual 40 S3", "the slot table of S3 has room for 3" TOO_FEW);
    world_free(w);
}

/* --- key by key --- */

static void one_of_two_leaving_slots_finishes_only_where_there_is_room(void **state)
{
    (void)state;
    struct world *w = tight_world(3, 7);
    play_all(w, (const char *const[]){"shift 35 S3", "shift 36 S3", NULL});
    expect_rows(w, 2, 3); /* they leave together */
    play_refused(w, "shift 35 finish", "the slot table of S2 has room for 3" TOO_FEW);
    play(w, "freeze 63 S3 on");
    play_refused(w, "shift 35 finish", "the slot table of S3 has room for 3" TOO_FEW);
    world_free(w);
}

static void one_of_three_leaving_slots_stops_only_where_there_is_room(void **state)
{
    (void)state;
    struct world *w = tight_world(3, 7);
    play_all(w, (const char *const[]){"shift 35 S3", "shift 36 S3", "shift 37 S3", NULL});
    play_refused(w, "shift 36 stop", "the slot table of S2 has room for 3" TOO_FEW);
    play(w, "freeze 63 S3 on");
    play_refused(w, "shift 36 stop", "the slot table of S2 has room for 3" TOO_FEW);
    play_all(w, (const char *const[]){"shift 35 stop", "shift 37 stop", "shift 36 stop", NULL});
    expect_rows(w, 2, 1);
    world_free(w);
}

static void claims_keep_the_room_that_they_will_need(void **state)
{
    (void)state;
    struct world *w = tight_world(6, 7);
    play_all(
        w, (const char *const[]){"shift 34 S3", "shift 35 S3", "shift 38 S3", "shift 39 S3", NULL});
    expect_rows(w, 2, 5);
    play(w, "shift 34 finish"); /* its row at S2 comes apart when the directory knows */
    expect_rows(w, 2, 5);
    play_refused(w, "shift 38 finish", "the slot table of S2 has room for 6" TOO_FEW);
    run(w, 100000);
    expect_rows(w, 2, 6);
    play_refused(w, "shift 38 finish", "the slot table of S2 has room for 6" TOO_FEW);
    play_all(w, (const char *const[]){"shift 35 finish", NULL});
    play_all(w, (const char *const[]){"shift 38 finish", NULL});
    play_all(w, (const char *const[]){"shift 39 finish", NULL});
    expect_rows(w, 2, 5);
    assert_false(world_stopped(w, NULL));
    assert_int_equal(world_owner(w, 38), 3);
    world_free(w);
}

static void who_takes_the_room_of_a_claim_stops_the_world(void **state)
{
    (void)state;
    struct err err = {{0}};
    struct world *w = tight_world(4, 7);
    play_all(w, (const char *const[]){"shift 35 S3", "shift 36 S3", NULL});
    play(w, "shift 35 finish");
    play(w, "freeze 47 S2 on"); /* the last row, before the directory hears of the claim */
    world_run_until(w, world_now(w) + 10000);
    assert_true(world_stopped(w, &err));
    play_holds(w); /* nothing was done by halves */
    assert_int_equal(world_owner(w, 35), 2);
    assert_string_equal(err.text,
                        "the world stopped at 20:00:00.101: its slot tables have room for 4 rows; "
                        "move less at a time");
    world_free(w);
}

/* --- the map's last version --- */

#define LAST_VERSION "the map is at its last version and cannot change again"

static void nothing_is_finished_or_switched_behind_the_last_version(void **state)
{
    (void)state;
    struct world *w = tight_world(16, UINT32_MAX - 1);
    play_all(w, (const char *const[]){"shift 35 S3", "dual 40 S3", "dual 40 S3 backfill 100",
                                      "move 5 S1", NULL});
    assert_int_equal(world_map_version(w), UINT32_MAX);
    play_refused(w, "shift 35 finish", LAST_VERSION);
    play_refused(w, "switch 40 reads", LAST_VERSION);
    play_refused(w, "shift 50 S0", LAST_VERSION);
    play_refused(w, "dual 50 S0", LAST_VERSION);
    world_free(w);
}

static void two_claims_need_two_versions(void **state)
{
    (void)state;
    struct world *w = tight_world(16, UINT32_MAX - 1);
    play_all(w, (const char *const[]){"shift 35 S3", "shift 40 S3", NULL});
    play(w, "shift 35 finish");
    play_refused(w, "shift 40 finish", LAST_VERSION);
    run(w, 100000);
    assert_int_equal(world_map_version(w), UINT32_MAX);
    assert_int_equal(world_owner(w, 35), 3);
    world_free(w);
}

static void a_claim_whose_version_was_taken_does_not_turn_the_map_back(void **state)
{
    (void)state;
    struct world *w = tight_world(16, UINT32_MAX - 1);
    play_all(w, (const char *const[]){"shift 35 S3", NULL});
    play(w, "shift 35 finish");
    play(w, "move 5 S1");
    run(w, 100000);
    assert_int_equal(world_map_version(w), UINT32_MAX);
    assert_int_equal(world_owner(w, 35), 2);
    assert_int_equal(world_shift(w, 0).ask, ASK_CLAIMED);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_switch_cuts_the_slot_out_of_its_row_only_where_there_is_room),
        cmocka_unit_test(a_switch_needs_room_at_the_target_too),
        cmocka_unit_test(one_of_two_switched_slots_ends_only_where_there_is_room),
        cmocka_unit_test(one_of_three_copies_is_dropped_only_where_there_is_room),
        cmocka_unit_test(a_row_that_does_not_begin_changes_no_table),
        cmocka_unit_test(one_of_two_leaving_slots_finishes_only_where_there_is_room),
        cmocka_unit_test(one_of_three_leaving_slots_stops_only_where_there_is_room),
        cmocka_unit_test(claims_keep_the_room_that_they_will_need),
        cmocka_unit_test(who_takes_the_room_of_a_claim_stops_the_world),
        cmocka_unit_test(nothing_is_finished_or_switched_behind_the_last_version),
        cmocka_unit_test(two_claims_need_two_versions),
        cmocka_unit_test(a_claim_whose_version_was_taken_does_not_turn_the_map_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
