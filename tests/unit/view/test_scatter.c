/* A query over all shards: who was last, and how much longer the answer took for that. */
#include "across_stage.h"
#include "base/prng.h"
#include "engine/queries/queries.h"

#define KEYS                                                                                       \
    "request like likes:{p1} via R0\nrequest like likes:{p1} via R0\n"                             \
    "request like likes:{p2} via R0\nrequest like likes:{p3} via R0\n"                             \
    "request like likes:{p9} via R0\n+300\n"                                                       \
    "query trending top 10 of likes:* bytes 20KB\n"
#define SLOW "times all 3 7\ntimes S2 150 170\n"

static struct query_run_info run_of(const struct stage *st)
{
    struct query_run_info run;
    assert_true(world_query_last(st->world, 0, &run));
    return run;
}

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, KEYS SLOW "gather trending via R3\n+400");
    scene_goldens(&st.scene, "scatter", &across_plain, "scatter");
    scene_golden(&st.scene, "scatter", &across_plain, "scatter", 30, 6, GLYPHS_ASCII);
    assert_all_sizes(&st.scene, "scatter");
    stage_free(&st);
    stage_of(&st, KEYS SLOW "query trending hedge 20\ngather trending via R3\n+400");
    scene_golden(&st.scene, "scatter", &across_plain, "scatter_hedge", 40, 17, GLYPHS_UTF8);
    stage_free(&st);
    stage_of(&st, KEYS SLOW "query trending timeout 50\ngather trending via R3\n+400");
    scene_golden(&st.scene, "scatter", &across_plain, "scatter_partial", 40, 17, GLYPHS_UTF8);
    stage_free(&st);
}

static void says_whom_it_waits_for(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    assert_says(&st, "scatter", "There is no query over all shards yet.");
    stage_play(&st, KEYS SLOW);
    assert_says(&st, "scatter", "Nobody has asked trending yet.");
    stage_play(&st, "gather trending via R3\n+30");
    assert_says(&st, "scatter", "3 of 4 answers are here after 30 ms.");
    assert_says(&st, "scatter", "S2: no answer yet.");
    stage_play(&st, "+400");
    assert_int_equal(run_of(&st).slowest, 2);
    assert_says(&st, "scatter", "waited for S2: 1");
    assert_says(&st, "scatter", "The others were there after ");
    assert_says(&st, "scatter", "Top: likes:{p1} 2, likes:{p2} 1");
    assert_draws(&st, "scatter", 40, 8, "waited for S2");
    assert_draws(&st, "scatter", 40, 8, "S2  \u2501\u2501");
    struct view_state v = {.argument = "nothing"};
    char *text = scene_said(&st.scene, "scatter", &v);
    assert_contains(text, "There is no query nothing yet.");
    free(text);
    stage_free(&st);
}

static void says_what_is_missing(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, KEYS SLOW "query trending timeout 50\ngather trending via R3\n+400");
    assert_says(&st, "scatter", "partial after 50 ms: nothing from S2.");
    assert_says(&st, "scatter", "S2: no answer in time.");
    assert_says(&st, "scatter", "1 asked: 0 whole, 1 partial.");
    stage_play(&st, "query trending timeout off\nquery trending hedge 20\n"
                    "gather trending via R3\n+400");
    assert_says(&st, "scatter", "S2's follower, asked after 20 ms");
    assert_says(&st, "scatter", "1 follower asked");
    stage_free(&st);
}

/* More shards than lines: the slowest are in sight. */
static void many_shards(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    for (int i = 4; i < 16; i++) {
        char words[64];
        stage_do(&st, "shard add");
        (void)snprintf(words, sizeof words, "move %d-%d S%d", i * 1000, i * 1000 + 99, i);
        stage_do(&st, words);
    }
    stage_play(&st, KEYS "times all 3 7\ntimes S11 150 170\ngather trending via R3\n+400");
    struct query_run_info run = run_of(&st);
    assert_int_equal(run.parts, 16);
    assert_int_equal(run.slowest, 11);
    assert_draws(&st, "scatter", 40, 8, "S11 \u2501\u2501");
    char *text = across_said(&st, "scatter");
    assert_int_equal(count_in(text, ": answered after "), 16);
    free(text);
    stage_free(&st);
}

/* Whatever the times, the slowest that is told is the one whose answer came last. */
static void agrees_with_the_engine(void **state)
{
    (void)state;
    struct prng p = prng_seeded(9, "scatter told");
    struct stage st;
    stage_of(&st, KEYS);
    for (int round = 0; round < 40; round++) {
        char words[64];
        for (int i = 0; i < 4; i++) {
            unsigned from = (unsigned)prng_below(&p, 90) + 1;
            (void)snprintf(words, sizeof words, "times S%d %u %u", i, from, from + 5);
            stage_do(&st, words);
        }
        stage_play(&st, "gather trending via R2\n+200");
        struct query_run_info run = run_of(&st);
        uint16_t last = 0;
        for (uint16_t i = 0; i < run.parts; i++) {
            last = run.part[i].heard_us > run.part[last].heard_us ? i : last;
        }
        (void)snprintf(words, sizeof words, "waited for S%u: ", run.part[last].shard);
        assert_says(&st, "scatter", words);
    }
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),
        cmocka_unit_test(says_whom_it_waits_for),
        cmocka_unit_test(says_what_is_missing),
        cmocka_unit_test(many_shards),
        cmocka_unit_test(agrees_with_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
