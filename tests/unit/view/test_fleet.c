/* Routers by zone, against what they can serve; who knows the newest map. */
#include "across_stage.h"
#include "engine/fleet/fleet.h"

#define EVENING "capacity 2500\nflow read post:{p9} 13650\n+2500\n"

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, EVENING "zone a down 1000\n+2500");
    scene_goldens(&st.scene, "fleet", &across_plain, "fleet");
    scene_golden(&st.scene, "fleet", &across_plain, "fleet", 30, 6, GLYPHS_ASCII);
    assert_all_sizes(&st.scene, "fleet");
    stage_free(&st);
}

static void a_zone_goes(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    assert_says(&st, "fleet", "6 routers without a limit");
    stage_play(&st, EVENING);
    assert_says(&st, "fleet", "The routers take 13,650/s, 6 routers can serve 15,000");
    assert_says(&st, "fleet", "no router has refused anything");
    assert_says(&st, "fleet", "R0, zone a: 2,275/s, 91% of what it can");
    stage_play(&st, "zone a down 1000\n+2500");
    assert_says(&st, "fleet", "4 routers can serve 10,000");
    assert_says(&st, "fleet", "Zone a is down.");
    assert_says(&st, "fleet", "R0, zone a: down");
    assert_true(world_fleet(st.world).refused > 5000);
    char words[64];
    (void)snprintf(words, sizeof words, "refused by routers so far: %s.",
                   num_grouped((int64_t)world_fleet(st.world).refused).text);
    assert_says(&st, "fleet", words);
    assert_draws(&st, "fleet", 40, 14, "zone a DOWN");
    stage_free(&st);
}

static void news_of_a_map(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, "gossip 200\nshard add\nmove 12067-12067 S4\n+2");
    struct fleet_info i = world_fleet(st.world);
    assert_true(i.knowing < i.routers);
    char words[64];
    (void)snprintf(words, sizeof words, "%u of 6 know map v%u; each tells one other once in 200 ms",
                   (unsigned)i.knowing, (unsigned)i.newest);
    assert_says(&st, "fleet", words);
    assert_says(&st, "fleet", ", old.");
    stage_play(&st, "+5000");
    assert_says(&st, "fleet", "all 6 know map v");
    stage_free(&st);
}

/* The line at four fifths is there; the share comes with the answer. */
static void an_open_question(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, EVENING);
    st.page.question.kind = QUESTION_NUMBER;
    assert_silent(&st, "fleet", "%");
    assert_draws(&st, "fleet", 40, 19, "80% of what one can serve");
    char *text = scene_text(&st.scene, "fleet", &across_plain, 40, 19, false);
    assert_int_equal(count_in(text, "91%"), 0);
    free(text);
    st.page.question.judged = true;
    assert_draws(&st, "fleet", 40, 19, "91%");
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),
        cmocka_unit_test(a_zone_goes),
        cmocka_unit_test(news_of_a_map),
        cmocka_unit_test(an_open_question),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
