/*
 * Queries that ask some of the shards: how many, which, and what is in the result.
 */
#include "play.h"

#include "engine/queries/queries.h"
#include <stdio.h>

static struct world *query_world(void)
{
    struct world_config c = play_config();
    c.queries_max = 4;
    c.gathers_max = 64;
    c.moves_max = 4;
    c.tail_max = 64;
    c.requests_max = 4096;
    c.events_max = 16384;
    return play_new(&c);
}

/* Eight counts, likes:{p1} has one like, likes:{p2} two, and so on. */
static void like_all(struct world *w)
{
    for (int key = 1; key <= 8; key++) {
        for (int i = 0; i < key; i++) {
            char words[48];
            (void)snprintf(words, sizeof words, "request like likes:{p%d} via R0", key);
            play_request(w, words);
        }
    }
}

static struct query_run_info last_of(const struct world *w, const char *name)
{
    struct query_run_info last;
    uint32_t index = 0;
    assert_true(world_query_find(w, bytes_of(name), &index));
    assert_true(world_query_last(w, index, &last));
    return last;
}

static struct query_info info_of(const struct world *w, const char *name)
{
    uint32_t index = 0;
    assert_true(world_query_find(w, bytes_of(name), &index));
    return world_query(w, index);
}

static struct query_run_info gather(struct world *w, const char *words, const char *name)
{
    play(w, words);
    assert_true(world_run_until_answered(w, 10 * US_PER_SECOND));
    return last_of(w, name);
}

static void some_of_the_shards_are_asked(void **state)
{
    (void)state;
    struct world *w = query_world();
    like_all(w);
    play(w, "query all sum of likes:*");
    play(w, "query all ask 2");
    play(w, "times all 4 4");
    play(w, "times S2 50 50");
    uint32_t asked[4] = {0};
    uint64_t slow = 0, runs = 64;
    for (uint64_t i = 0; i < runs; i++) {
        struct query_run_info run = gather(w, "gather all via R0", "all");
        assert_int_equal(run.end, GATHER_WHOLE);
        assert_int_equal(run.parts, 2);
        assert_true(run.part[0].shard < run.part[1].shard);
        assert_int_equal(run.sum, run.part[0].sum + run.part[1].sum);
        for (uint32_t k = 0; k < run.parts; k++) {
            asked[run.part[k].shard]++;
        }
        /* Only a run that chose the slow shard waits for it. */
        slow += run.slowest == 2;
        assert_int_equal(run.ended_us - run.asked_us >= 50000, run.slowest == 2);
        play_holds(w);
    }
    assert_int_equal(slow, asked[2]);
    assert_int_equal(asked[0] + asked[1] + asked[2] + asked[3], 2 * runs);
    for (uint32_t shard = 0; shard < 4; shard++) { /* half of the runs each */
        assert_true(asked[shard] > 18 && asked[shard] < 46);
    }
    assert_int_equal(info_of(w, "all").parts, 2 * runs);
    /* As many as there are, or more: all of them, and the whole sum. */
    play(w, "query all ask 4");
    assert_int_equal(gather(w, "gather all via R0", "all").sum, 36);
    play(w, "query all ask 64");
    assert_int_equal(gather(w, "gather all via R0", "all").parts, 4);
    play(w, "query all ask all");
    assert_int_equal(gather(w, "gather all via R0", "all").sum, 36);
    world_free(w);
}

/* The choice is by the run's number: a copy of the world chooses alike, and what else is drawn does
 * not shift it. */
static void a_choice_is_the_same_in_a_copy(void **state)
{
    (void)state;
    struct world *w = query_world();
    like_all(w);
    play(w, "query all sum of likes:*");
    play(w, "query all ask 1");
    struct world *copy = world_copy(w);
    play(copy, "times all 1 9");
    for (int i = 0; i < 12; i++) {
        uint16_t here = gather(w, "gather all via R0", "all").part[0].shard;
        assert_int_equal(gather(copy, "gather all via R0", "all").part[0].shard, here);
    }
    world_free(copy);
    world_free(w);
}

static void a_slow_chosen_shard_is_given_up(void **state)
{
    (void)state;
    struct world *w = query_world();
    like_all(w);
    play(w, "query all sum of likes:*");
    play(w, "query all ask 3");
    play(w, "query all timeout 20");
    play(w, "times S0 50 50");
    play(w, "times S1 50 50");
    bool partial = false;
    for (int i = 0; i < 8; i++) { /* three of four shards: one at least is slow */
        struct query_run_info run = gather(w, "gather all via R0", "all");
        partial = partial || run.end == GATHER_PARTIAL;
        assert_true(run.parts == 3);
    }
    assert_true(partial);
    play(w, "query all deadline 300");
    struct query_run_info run = gather(w, "gather all via R0", "all");
    assert_true(run.ended_us - run.asked_us <= 300000);
    play_holds(w);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(some_of_the_shards_are_asked),
        cmocka_unit_test(a_choice_is_the_same_in_a_copy),
        cmocka_unit_test(a_slow_chosen_shard_is_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
