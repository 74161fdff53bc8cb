/*
 * The directory is down: routers go by the maps they have, and no slot changes its owner.
 */
#include "move_play.h"

#include "base/prng.h"
#include "engine/faults/faults.h"
#include "engine/state.h"

#define DOWN "the directory is down, and without it no slot moves; first: directory on"

/* R5 has an old map, everybody else the newest. */
static struct world *one_old_map(const struct world_config *config)
{
    struct world *w = play_new(config);
    play(w, "deaf R5 on");
    play(w, "move 12067 S3");
    world_run_until(w, world_now(w) + US_PER_SECOND);
    return w;
}

static void maps_that_are_right_are_enough(void **state)
{
    (void)state;
    struct world_config c = play_config();
    struct world *w = one_old_map(&c);
    assert_false(world_directory_down(w));
    play(w, "directory off");
    assert_true(world_directory_down(w));
    play(w, "request read post:{p9} via R0");
    play(w, "request read post:{p9} via R5");
    uint64_t from = trace_next(w);
    world_run_until(w, world_now(w) + US_PER_SECOND);
    struct request_info info;
    assert_true(world_request(w, world_last_request(w) - 1, &info));
    assert_true(info.done && info.outcome == OUTCOME_OK && info.asks == 1);
    assert_true(world_request(w, world_last_request(w), &info));
    assert_false(info.done);
    assert_int_equal(info.reloads, 1);
    struct str prose = play_prose(w, from);
    assert_non_null(strstr(str_text(&prose),
                           "R5 -> directory  the wish for the map (read post:{p9}) finds nobody "
                           "there: the node is down\n"));
    str_free(&prose);
    int64_t next;
    assert_false(world_next_time(w, &next)); /* it waits, and nobody asks on and on */
    play_holds(w);
    world_free(w);
}

static void who_waits_is_answered_when_it_is_back(void **state)
{
    (void)state;
    struct world_config c = play_config();
    struct world *w = one_old_map(&c);
    play(w, "directory off");
    int64_t begun = world_now(w);
    play(w, "request read post:{p9} via R5");
    play(w, "reload R4"); /* nobody's request waits for this one */
    world_run_until(w, begun + 2 * US_PER_SECOND);
    uint64_t from = trace_next(w);
    play(w, "directory on");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    struct request_info info;
    assert_true(world_request(w, world_last_request(w), &info));
    assert_int_equal(info.outcome, OUTCOME_OK);
    assert_int_equal(info.asks, 2);
    assert_int_equal(info.reloads, 1);
    assert_int_equal(info.ended_us - begun, 2 * US_PER_SECOND + 250 + 250 + 500 + 5500 + 250);
    assert_int_equal(world_router(w, 5).map_version, 8);
    struct str prose = play_prose(w, from);
    assert_non_null(strstr(str_text(&prose), "operator -> directory  is back\n"));
    assert_non_null(strstr(str_text(&prose),
                           "R4 -> directory  the map, please, once more; mine is version 8\n"));
    assert_non_null(strstr(str_text(&prose),
                           "R5 -> directory  the map, please, once more; mine is version 7\n"));
    str_free(&prose);
    assert_true(world_all_quiet(w));
    play_holds(w);
    world_free(w);
}

/* With patience a router tries again by its old map, until its tries are used up. */
static void a_patient_router_gives_up_in_the_end(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.timeout_us = 20000;
    struct world *w = one_old_map(&c);
    play(w, "directory off");
    play(w, "reload R5");
    struct request_info info = play_request(w, "request read post:{p9} via R5");
    assert_int_equal(info.outcome, OUTCOME_FAILED);
    assert_int_equal(info.asks, ATTEMPTS_MAX);
    assert_int_equal(info.timeouts, 0); /* the shard answered each time */
    play(w, "directory on");
    world_run_until(w, world_now(w) + US_PER_SECOND);
    assert_int_equal(world_router(w, 5).map_version, 8);
    assert_true(world_all_quiet(w));
    play_holds(w);
    world_free(w);
}

static void no_slot_changes_its_owner(void **state)
{
    (void)state;
    struct world *w = moving_world();
    play_refused(w, "directory on", "the directory is up already");
    move_until_copied(w, "migrate 12067 S4 300000 3000000");
    play(w, "migrate 100 S4 300000 3000000");
    play(w, "dual 200 S4");
    play(w, "dual 200 S4 backfill 1000");
    world_run_until(w, world_now(w) + US_PER_SECOND);
    play(w, "directory off");
    play_refused(w, "directory off", "the directory is down already");
    play_refused(w, "move 300 S3", DOWN);
    play_refused(w, "fence 12067", DOWN);
    play_refused(w, "switch 200 reads", DOWN);
    play(w, "abort 100"); /* nothing was committed: the directory need not hear of it */
    play(w, "directory on");
    play(w, "move 300 S3");
    play(w, "fence 12067");
    play(w, "switch 200 reads");
    run_holding(w, world_now(w) + US_PER_SECOND);
    assert_int_equal(world_owner(w, SLOT), 4);
    assert_int_equal(world_owner(w, 200), 4);
    world_free(w);
}

/* Between fence and commit nobody serves the slot, and it stays so until the directory is back. */
static void a_commit_that_was_due_comes_later(void **state)
{
    (void)state;
    struct world *w = moving_world();
    likes(w, 1, "request like likes:{p9} via R0");
    move_until_copied(w, "migrate 12067 S4 300000 3000000");
    play(w, "fence 12067");
    world_run_until(w, world_now(w) + 12500); /* drained, and the commit is on its way */
    play(w, "directory off");
    run_holding(w, world_now(w) + US_PER_SECOND);
    assert_int_equal(world_owner(w, SLOT), 2);
    assert_int_equal(row_at(w, 2), SLOT_MIGRATING);
    struct world *copy = world_copy(w);
    assert_true(digest_equal(world_digest(w), world_digest(copy)));
    play(copy, "abort 12067");
    assert_int_equal(row_at(copy, 2), SLOT_OWNED);
    play(copy, "directory on");
    run_holding(copy, world_now(copy) + US_PER_SECOND);
    assert_int_equal(world_owner(copy, SLOT), 2);
    world_free(copy);
    play(w, "directory on");
    run_holding(w, world_now(w) + US_PER_SECOND);
    assert_int_equal(world_owner(w, SLOT), 4);
    assert_int_equal(row_at(w, 4), SLOT_OWNED);
    assert_int_equal(row_at(w, 2), SLOT_MOVED);
    assert_int_equal(move_now(w).committed_us - move_now(w).drained_us, 1001500);
    world_free(w);
}

static void the_digest_tells_the_two_apart(void **state)
{
    (void)state;
    struct world *w = play_world();
    struct world *up = play_world();
    play(up, "rule fence on"); /* as it is: as many commands, and nothing else */
    play(w, "directory off");
    assert_false(digest_equal(world_digest(up), world_digest(w)));
    play(up, "rule fence on");
    play(w, "directory on");
    assert_true(digest_equal(world_digest(up), world_digest(w)));
    world_free(up);
    world_free(w);
}

/* Whatever happens meanwhile, everybody is answered in the end, and no rule is broken. */
static void it_comes_and_goes_and_nobody_hangs(void **state)
{
    (void)state;
    for (int patience = 0; patience < 2; patience++) {
        struct world_config c = moving_config();
        c.recent_max = 32;
        c.timeout_us = patience * 20000;
        c.client_timeout_us = patience * 400000;
        struct world *w = play_new(&c);
        struct prng chance = prng_seeded(7 + (uint64_t)patience, "directory");
        play(w, "flow like likes:{p9} 40 poisson");
        play(w, "flow read post:{p9} 40 poisson");
        for (int i = 0; i < 400; i++) {
            static const char *const words[] = {"directory off",
                                                "directory on",
                                                "directory on",
                                                "deaf R1 on",
                                                "deaf R1 off",
                                                "deaf R5 on",
                                                "deaf R5 off",
                                                "reload R1",
                                                "move 12067 S0",
                                                "move 12067 S3",
                                                "crash R5 30",
                                                "crash S3 30",
                                                "fence 12067",
                                                "abort 12067",
                                                "migrate 12067 S2 3000 1000000",
                                                "migrate 12067 S1 3000 1000000"};
            struct command command;
            const char *word = words[prng_below(&chance, sizeof words / sizeof *words)];
            assert_true(command_parse(word, &command, NULL));
            (void)world_apply(w, &command, NULL); /* some cannot be, at that moment */
            run_holding(w, world_now(w) + (int64_t)prng_below(&chance, 30000));
        }
        play(w, "flow like likes:{p9} 0");
        play(w, "flow read post:{p9} 0");
        struct command back;
        assert_true(command_parse("directory on", &back, NULL));
        (void)world_apply(w, &back, NULL);
        (void)(command_parse("abort 12067", &back, NULL) && world_apply(w, &back, NULL));
        run_holding(w, world_now(w) + 5 * US_PER_SECOND);
        assert_true(world_all_quiet(w));
        assert_true(world_acked(w, play_key(w, P9)) > 100);
        assert_int_equal(world_lost(w, play_key(w, P9)), 0);
        world_free(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_that_are_right_are_enough),
        cmocka_unit_test(who_waits_is_answered_when_it_is_back),
        cmocka_unit_test(a_patient_router_gives_up_in_the_end),
        cmocka_unit_test(no_slot_changes_its_owner),
        cmocka_unit_test(a_commit_that_was_due_comes_later),
        cmocka_unit_test(the_digest_tells_the_two_apart),
        cmocka_unit_test(it_comes_and_goes_and_nobody_hangs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
