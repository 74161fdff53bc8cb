/* The card of a system: its rules, what is documented, what the model leaves out. */
#include "systems_stage.h"

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet"); /* nothing needs to be on */
    systems_goldens(&st, "card", "kinesis", "card_kinesis");
    for (uint32_t i = 0; i < SYSTEMS; i++) {
        const struct system_words *words = system_words((enum system_id)i);
        assert_true(systems_says(&st, "card", words->name, words->title));
        assert_true(systems_says(&st, "card", words->name, "Documented"));
        assert_true(systems_says(&st, "card", words->name, "The model"));
    }
    assert_true(systems_says(&st, "card", "", "No system is on yet."));
    stage_free(&st);
}

/* Each line comes into sight, and not one more. */
static void scrolling(void **state)
{
    (void)state;
    struct stage st;
    struct view_state v = systems_state("kafka");
    stage_new(&st, "story-quiet");
    const struct view *view = view_by_name("card");
    char *text = scene_text(&st.scene, "card", &v, 40, 19, true);
    assert_contains(text, "lines 1-18 of ");
    free(text);
    assert_true(view->move(&v, &st.scene, VERB_DOWN, 40, 19));
    assert_int_equal(v.scroll, 1);
    assert_true(view->move(&v, &st.scene, VERB_LAST, 40, 19));
    assert_false(view->move(&v, &st.scene, VERB_DOWN, 40, 19));
    const char *const *last = system_words(SYSTEM_KAFKA)->leaves_out;
    while (last[1] != NULL) {
        last++;
    }
    text = scene_text(&st.scene, "card", &v, 40, 19, true);
    assert_contains(text, strrchr(*last, ' ') + 1);
    free(text);
    st.page.question.kind = QUESTION_CHOICE; /* rules are no conclusions */
    assert_true(systems_says(&st, "card", "kafka", "placed "));
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),
        cmocka_unit_test(scrolling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
