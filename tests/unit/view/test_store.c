/* Versions of a key in a store without leaders: who is behind, who stands in, what collides. */
#include "across_stage.h"
#include "engine/quorums/quorums.h"

#define FIVE_NODES "node add a\nnode add b\nnode add c\nnode add a\nnode add b\n"
#define SLOPPY                                                                                     \
    FIVE_NODES "store cart 3 2 2 sloppy\nset cart x 41 via N1\n+300\nnode N1 down\n+10\n"          \
               "set cart x 42 via N2\n+200\nget cart x via N3\n+100\n"

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, SLOPPY);
    scene_goldens(&st.scene, "store", &across_plain, "store");
    scene_golden(&st.scene, "store", &across_plain, "store", 30, 6, GLYPHS_ASCII);
    assert_all_sizes(&st.scene, "store");
    stage_free(&st);
}

static void overlap(void **state)
{
    (void)state;
    static const struct {
        const char *store, *words;
    } cases[] = {{"store cart 3 1 1", "W + R = 2 < N = 3: a read may miss it"},
                 {"store cart 3 2 1", "W + R = 3 = N = 3: a read may miss it"},
                 {"store cart 3 2 2", "W + R = 4 > N = 3: reads meet writes"},
                 {"store cart 3 2 2 sloppy", "W + R = 4 > N = 3, but others stand in"}};
    struct stage st;
    stage_new(&st, "story-quiet");
    assert_says(&st, "store", "There is no store without leaders yet.");
    stage_play(&st, FIVE_NODES);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        stage_do(&st, cases[i].store);
        assert_says(&st, "store", cases[i].words);
        assert_draws(&st, "store", 40, 8, cases[i].words);
        assert_says(&st, "store", "Nothing is stored under it yet.");
    }
    stage_free(&st);
}

static void a_hint(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, SLOPPY);
    assert_says(&st, "store",
                "N1, zone a, one of the copies, holds 41; lacks what was told OK last; down.");
    assert_says(&st, "store", "N3, zone c, stands in, holds 42, to hand over to N1.");
    assert_draws(&st, "store", 40, 8, "hint for N1");
    stage_play(&st, "node N1 up\n+1000");
    assert_says(&st, "store", "N1, zone a, one of the copies, holds 42.");
    assert_says(&st, "store", "1 hint, 1 handed over");
    stage_free(&st);
}

/* Two that have not seen each other's write: both are kept, or one is gone without a word. */
static void two_versions(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, FIVE_NODES "store cart 3 2 2\nset cart x 1 via N3\nset cart x 2 via N4\n+300\n"
                             "get cart x via N3\n+100");
    struct store_info i = world_store(st.world, 0);
    assert_int_equal(i.siblings, 1);
    assert_says(&st, "store", "holds 1 and 2");
    assert_says(&st, "store", "get via N3: 1 and 2.");
    assert_says(&st, "store", "1 gave more than one version");
    assert_draws(&st, "store", 40, 12, "siblings");
    struct view_state v = {.argument = "cart:y"};
    char *text = scene_said(&st.scene, "store", &v);
    assert_contains(text, "Nothing is stored under it yet.");
    free(text);
    v.argument = "shop:x";
    text = scene_said(&st.scene, "store", &v);
    assert_contains(text, "There is no store shop yet.");
    free(text);
    stage_free(&st);
}

/* Facts without what follows; a write that failed is not under way, and no node lacks it. */
static void an_open_question(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, FIVE_NODES "store cart 3 2 1\nset cart x 1 via N1\n+300\nsplit N3 N4 N5\n"
                             "set cart x 2 via N1\n+100\nget cart x via N3\n+100\n");
    assert_says(&st, "store", "a read may miss it");
    assert_true(world_store(st.world, 0).stale + world_store(st.world, 0).gets > 0);
    st.page.question.kind = QUESTION_NUMBER;
    assert_says(&st, "store", "N = 3, W = 2, R = 1");
    assert_silent(&st, "store", "miss");
    assert_silent(&st, "store", "STALE");
    assert_silent(&st, "store", "lacks");
    stage_free(&st);
    stage_of(&st, FIVE_NODES "store cart 3 3 1\nset cart x 1 via N1\n+300\nsplit N1\n"
                             "set cart x 2 via N1\n+3000\n");
    assert_true(world_store(st.world, 0).sets_failed == 1);
    assert_says(&st, "store", "set 2 via N1: FAILED, ");
    assert_silent(&st, "store", "under way");
    assert_silent(&st, "store", "lacks"); /* nobody was told OK */
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),         cmocka_unit_test(overlap),
        cmocka_unit_test(a_hint),           cmocka_unit_test(two_versions),
        cmocka_unit_test(an_open_question),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
