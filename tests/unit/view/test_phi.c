/* Heartbeats, silence, and from when on it counts as death. */
#include "across_stage.h"
#include "engine/watch/watch.h"

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, SIX_NODES "beats 100 timeout 500\n+1500\nnode N3 down\n+400");
    scene_goldens(&st.scene, "phi", &across_plain, "phi_timeout");
    scene_golden(&st.scene, "phi", &across_plain, "phi_timeout", 30, 6, GLYPHS_ASCII);
    assert_all_sizes(&st.scene, "phi");
    stage_free(&st);
    stage_of(&st, SIX_NODES "beats 100 phi 8\n+3000\nnode N3 down\n+1200");
    scene_golden(&st.scene, "phi", &across_plain, "phi", 40, 17, GLYPHS_UTF8);
    scene_golden(&st.scene, "phi", &across_plain, "phi", 122, 28, GLYPHS_UTF8);
    stage_free(&st);
}

static void by_a_timeout(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, SIX_NODES);
    assert_says(&st, "phi", "Heartbeats are off just now: each node's will stand here on a line.");
    stage_play(&st, "beats 100 timeout 500\n+1500\nnode N3 down\n+300");
    assert_says(&st, "phi", "A heartbeat each 100 ms; believed dead after 500 ms of silence.");
    assert_says(&st, "phi", "N3, zone c: silent for ");
    assert_says(&st, "phi", "; down, not noticed yet.");
    assert_says(&st, "phi", "Nobody was believed dead so far.");
    assert_draws(&st, "phi", 40, 8, "N3  \u00D7");
    stage_play(&st, "+1000");
    assert_says(&st, "phi", "; believed dead, and it is down.");
    assert_says(&st, "phi",
                "Believed dead: 1, each rightly; the last true death was noticed after ");
    assert_draws(&st, "phi", 40, 8, "DEAD");
    stage_free(&st);
}

static void wrongly(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, SIX_NODES "beats 100 phi 8\n+3000\nsplit N1\n+3000");
    assert_true(world_beat(st.world, 0).declared);
    assert_says(&st, "phi", "BELIEVED DEAD, but it is up");
    assert_says(&st, "phi", "believed dead from phi 8.0 on");
    assert_says(&st, "phi", "of them 1 WRONGLY");
    stage_play(&st, "heal\n+1000");
    assert_says(&st, "phi", "1 heard again");
    stage_free(&st);
}

static void an_open_question(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, SIX_NODES "beats 100 phi 8\n+3000\nsplit N1\n+3000");
    st.page.question.kind = QUESTION_NUMBER;
    assert_silent(&st, "phi", "WRONGLY");
    assert_silent(&st, "phi", "but it is up");
    assert_draws(&st, "phi", 40, 8, "N1  ");
    assert_draws(&st, "phi", 40, 8, "1 more, less silent than these");
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),
        cmocka_unit_test(by_a_timeout),
        cmocka_unit_test(wrongly),
        cmocka_unit_test(an_open_question),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
