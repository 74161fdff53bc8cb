/*
 * Salting: where likes go, how the count is read, and how one treatment gives way to another.
 */
#include "count.h"

#include "engine/writes/writes_inside.h"

static void eight_salts_inside_the_tag_even_the_shards_out(void **state)
{
    (void)state;
    struct world *w = count_world();
    count_run(w, US_PER_SECOND);
    count_expect_asked(w, 200, 200, 2550, 200);
    play(w, "writes likes:{p9} salted 8");
    count_run(w, US_PER_SECOND);
    count_expect_asked(w, 800, 800, 750, 800);
    world_free(w);
}

static void three_are_one_shard_short_and_outside_the_tag_nothing_is_gained(void **state)
{
    (void)state;
    struct world *w = count_world();
    play(w, "writes likes:{p9} salted 3");
    count_run(w, US_PER_SECOND + 500); /* each router has had as many likes as the others */
    count_expect_asked(w, 200, 1000, 950, 1000);
    world_free(w);
    w = count_world();
    play(w, "writes likes:{p9} salted 8 outside");
    count_run(w, US_PER_SECOND);
    count_expect_asked(w, 200, 200, 2550, 200);
    world_free(w);
}

static void salts_at_random_and_by_writer_are_even_in_the_long_run(void **state)
{
    (void)state;
    static const char *const words[] = {"writes likes:{p9} salted 4 random",
                                        "writes likes:{p9} salted 4 writer"};
    for (int i = 0; i < 2; i++) {
        struct world *w = count_world();
        play(w, words[i]);
        count_run(w, 10 * US_PER_SECOND);
        count_settle(w);
        uint64_t least = UINT64_MAX;
        uint64_t most = 0;
        for (int salt = 0; salt < 4; salt++) {
            char key[32];
            (void)snprintf(key, sizeof key, "likes:{p9#%d}", salt);
            uint32_t at = play_key(w, key);
            uint64_t value = world_value(w, world_owner(w, world_key_slot(w, at)), at);
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        assert_in_range(least, 5700, 6000);
        assert_in_range(most, 6000, 6300);
        world_free(w);
    }
}

static void a_read_asks_each_shard_and_sums(void **state)
{
    (void)state;
    struct world *w = count_world();
    play(w, "writes likes:{p9} salted 8");
    count_run(w, 3 * US_PER_SECOND);
    count_settle(w);
    uint64_t reads = 0;
    uint64_t asked_before[4];
    for (uint16_t i = 0; i < 4; i++) {
        asked_before[i] = world_shard(w, i).served_reads;
    }
    struct request_info read = play_request(w, "request read likes:{p9} via R3");
    assert_int_equal(read.outcome, OUTCOME_OK);
    assert_int_equal(read.value, 7200);
    for (uint16_t i = 0; i < 4; i++) {
        uint64_t asked = world_shard(w, i).served_reads - asked_before[i];
        assert_int_equal(asked, 2);
        reads += asked;
    }
    assert_int_equal(reads, 8);
    assert_int_equal(count_info(w).shown, 7200);
    world_free(w);
}

static void a_sub_key_can_be_asked_for_by_its_name(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "writes likes:{p9} salted 2");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(play_request(w, "request like likes:{p9#1} via R0").outcome, OUTCOME_OK);
    }
    assert_int_equal(play_request(w, "request read likes:{p9#1} via R0").value, 3);
    assert_int_equal(play_request(w, "request read likes:{p9#0} via R0").value, 0);
    assert_int_equal(play_request(w, "request read likes:{p9} via R1").value, 3);
    play_holds(w);
    world_free(w);
}

static void a_read_fails_when_one_of_its_parts_does(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "writes likes:{p9} salted 4");
    play(w, "ceiling S0 0 1 0");
    play_request(w, "request read likes:{p9#0} via R0"); /* takes the one token that S0 has */
    struct request_info all = {0};
    for (int i = 0; i < 4 && all.outcome != OUTCOME_REFUSED; i++) {
        all = play_request(w, "request read likes:{p9} via R0");
    }
    assert_int_equal(all.outcome, OUTCOME_REFUSED);
    count_run(w, 20000); /* the other parts come, and nobody waits for them */
    assert_true(world_all_quiet(w));
    world_free(w);
}

static void s_can_change_while_likes_come_and_readers_see_all(void **state)
{
    (void)state;
    struct world *w = count_world();
    static const char *const steps[] = {"writes likes:{p9} salted 4", "writes likes:{p9} salted 8",
                                        "writes likes:{p9} salted 2", "writes likes:{p9} plain",
                                        "writes likes:{p9} salted 8"};
    uint64_t last = 0;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        play(w, steps[i]);
        for (int read = 0; read < 20; read++) {
            struct request_info r = play_request(w, "request read likes:{p9} via R2");
            assert_int_equal(r.outcome, OUTCOME_OK);
            assert_true(r.value >= last);
            last = r.value;
            count_run(w, 15000);
        }
    }
    count_settle(w);
    struct count_info info = count_info(w);
    assert_int_equal(info.shown, info.durable);
    assert_int_equal(info.salts, 8);
    assert_int_equal(play_request(w, "request read likes:{p9} via R4").value, info.durable);
    world_free(w);
}

static void the_salted_sum_freezes_when_no_salted_like_is_under_way(void **state)
{
    (void)state;
    struct world *w = count_world();
    play(w, "writes likes:{p9} salted 8");
    count_run(w, 2 * US_PER_SECOND);
    play(w, "writes likes:{p9} summed");
    assert_false(count_info(w).frozen[PART_SALTS]); /* some are on their way */
    uint64_t before = count_info(w).shown;
    count_run(w, 100000);
    struct count_info info = count_info(w);
    assert_true(info.frozen[PART_SALTS]);
    assert_true(info.frozen[PART_PLAIN]);
    assert_in_range(info.frozen_sum, before, before + 30);
    /* One request to one shard from now on: the frozen sum is a number. */
    uint64_t asked = 0;
    for (uint16_t i = 0; i < 4; i++) {
        asked -= world_shard(w, i).served_reads;
    }
    assert_true(play_request(w, "request read likes:{p9} via R2").value >= info.frozen_sum);
    for (uint16_t i = 0; i < 4; i++) {
        asked += world_shard(w, i).served_reads;
    }
    assert_int_equal(asked, 1);
    count_run(w, US_PER_SECOND);
    assert_int_equal(count_info(w).frozen_sum, info.frozen_sum);
    /* A write of a frozen sub-key is found out. */
    play_request(w, "request like likes:{p9#3} via R0");
    play_breaks(w, "frozen");
    world_free(w);
}

/* A like whose answer was lost, sent once more by its client: the same operation. */
static struct count_info sent_twice(const char *treatment)
{
    struct world_config c = count_config();
    c.recent_max = 16;
    struct world *w = play_new(&c);
    play(w, treatment);
    for (int i = 0; i < 40; i++) {
        uint32_t key = play_key(w, COUNT);
        uint32_t first = client_ask(w, OP_LIKE, key, 0, 0, REASON_NONE);
        uint32_t operation = requests_in(w)[first].operation;
        count_run(w, 20000);
        uint32_t again = client_ask(w, OP_LIKE, key, 0, 0, REASON_NONE);
        requests_of(w)[again].operation = operation;
        count_run(w, 20000);
    }
    struct count_info info = count_info(w);
    world_free(w);
    return info;
}

static void sent_again_a_like_counts_once_only_with_a_derived_salt(void **state)
{
    (void)state;
    struct count_info writer = sent_twice("writes likes:{p9} salted 8 writer");
    assert_int_equal(writer.durable, 40);
    assert_int_equal(writer.shown, 40);
    struct count_info random = sent_twice("writes likes:{p9} salted 8 random");
    assert_int_equal(random.durable, 40); /* `liked` knows it */
    assert_int_equal(random.shown, 40 + random.doubled);
    assert_in_range(random.doubled, 25, 40); /* 7 of 8 go elsewhere */
    struct count_info turn = sent_twice("writes likes:{p9} salted 8");
    assert_int_equal(turn.shown, 80);
}

static void a_repeat_of_a_refused_like_is_picked_anew(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "writes likes:{p9} salted 2");
    uint32_t index = client_ask(w, OP_LIKE, play_key(w, "likes:{p9#0}"), 0, 0, REASON_NONE);
    requests_of(w)[index].attempt = 1; /* its first try was salted */
    play(w, "request like likes:{p9} via R0");
    count_run(w, 100000);
    assert_int_equal(play_request(w, "request read likes:{p9#0} via R0").value, 1);
    assert_int_equal(play_request(w, "request read likes:{p9#1} via R0").value, 1);
    world_free(w);
}

/* Salts inside the tag, then outside, then inside again: those that are back count once. */
static void salts_that_come_back_are_counted_once(void **state)
{
    (void)state;
    struct world *w = play_world();
    for (int i = 0; i < 4; i++) {
        play(w, i % 2 == 0 ? "writes likes:{p9} salted 3 inside turn"
                           : "writes likes:{p9} salted 2 outside turn");
        for (int like = 0; like < 5; like++) {
            play_request(w, "request like likes:{p9} via R0");
            play_holds(w);
        }
        play(w, "writes likes:{p9} plain"); /* the salts are frozen before they change place */
        world_run_until(w, world_now(w) + US_PER_SECOND);
        play_holds(w);
        assert_int_equal(play_request(w, "request read likes:{p9} via R1").value, 5 * (i + 1));
    }
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_salts_inside_the_tag_even_the_shards_out),
        cmocka_unit_test(three_are_one_shard_short_and_outside_the_tag_nothing_is_gained),
        cmocka_unit_test(salts_at_random_and_by_writer_are_even_in_the_long_run),
        cmocka_unit_test(a_read_asks_each_shard_and_sums),
        cmocka_unit_test(a_sub_key_can_be_asked_for_by_its_name),
        cmocka_unit_test(a_read_fails_when_one_of_its_parts_does),
        cmocka_unit_test(s_can_change_while_likes_come_and_readers_see_all),
        cmocka_unit_test(the_salted_sum_freezes_when_no_salted_like_is_under_way),
        cmocka_unit_test(sent_again_a_like_counts_once_only_with_a_derived_salt),
        cmocka_unit_test(a_repeat_of_a_refused_like_is_picked_anew),
        cmocka_unit_test(salts_that_come_back_are_counted_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
