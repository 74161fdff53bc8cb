/* A slot that goes key by key: which keys are where, and what requests for them meet. */
#include "base/prng.h"
#include "move_stage.h"

static const struct view_state plain = {.argument = ""};

static char *told(const struct stage *st)
{
    return scene_said(&st->scene, "ask", &plain);
}

/* Two keys have gone, a large one is in its hand-over, one is too large. */
static void stage_going(struct stage *st)
{
    stage_edited(st);
    stage_do(st, "request like likes:{p9} via R0");
    stage_answered(st);
    stage_do(st, "shift size media:{p9} 40MB");
    stage_do(st, "shift size views:{p9} 300MB");
    stage_do(st, "shift 12067 S4 10");
    stage_on(st, 350 * US_PER_MS);
}

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    stage_going(&st);
    scene_goldens(&st.scene, "ask", &plain, "ask");
    scene_golden(&st.scene, "ask", &plain, "ask", 40, 9, GLYPHS_UTF8);
    scene_golden(&st.scene, "ask", &plain, "ask", 30, 6, GLYPHS_ASCII);
    assert_all_sizes(&st.scene, "ask");
    stage_free(&st);
}

static void what_requests_meet(void **state)
{
    (void)state;
    struct stage st;
    stage_going(&st);
    char *text = told(&st);
    assert_contains(text, "Slot 12067 from S2 to S4, under way. S2's row says leaving, epoch 7, ");
    assert_contains(text, "Keys: 4 at S2, 2 at S4, 1 on its way, 1 too large.");
    assert_contains(text, "post:{p9}: S2 says ASK, S4 serves who says ASKING.");
    assert_contains(text, "media:{p9} (40 MB): in its hand-over: TRYAGAIN.");
    assert_contains(text, "views:{p9} (300 MB): S2 serves it, it is too large to go.");
    assert_contains(text, "author:{p9}: S2 serves it.");
    assert_contains(text, "Answers that the trace still has: ASK 0, TRYAGAIN 0.");
    free(text);
    st.page.question.kind = QUESTION_CHOICE;
    text = told(&st);
    assert_contains(text, "post:{p9}: at S4.");
    assert_contains(text, "media:{p9} (40 MB): in its hand-over to S4.");
    assert_contains(text, "views:{p9} (300 MB): at S2, too large to go.");
    assert_contains(text, "author:{p9}: at S2.");
    free(text);
    st.page.question.state = QUESTION_ANSWERED;
    stage_do(&st, "request read post:{p9} via R1");
    stage_do(&st, "request read media:{p9} via R1");
    stage_answered(&st);
    text = told(&st);
    char words[64];
    uint32_t again = shifts_answers(st.world, MOVED_SLOT, OUTCOME_TRY_AGAIN);
    assert_true(again > 0);
    (void)snprintf(words, sizeof words, "the trace still has: ASK %u, TRYAGAIN %u.",
                   shifts_answers(st.world, MOVED_SLOT, OUTCOME_ASK), again);
    assert_contains(text, words);
    free(text);
    stage_free(&st);
}

static void to_its_end(void **state)
{
    (void)state;
    struct stage st;
    stage_going(&st);
    stage_on(&st, 3 * US_PER_SECOND);
    char *text = told(&st);
    assert_contains(text, "to S4, stopped. ");
    free(text);
    stage_do(&st, "shift size views:{p9} 1KB");
    stage_do(&st, "shift 12067 S4 100");
    stage_on(&st, US_PER_SECOND);
    text = told(&st);
    assert_contains(text, "to S4, empty: finish. ");
    assert_contains(text, "Keys: 0 at S2, 7 at S4.");
    free(text);
    stage_do(&st, "shift 12067 finish");
    text = told(&st);
    assert_contains(text, "to S4, claimed. S2's row says leaving, epoch 7, S4's owned, epoch 8.");
    assert_contains(text, "post:{p9}: S4 serves it.");
    free(text);
    stage_on(&st, 20 * US_PER_MS);
    scene_golden(&st.scene, "ask", &plain, "ask_over", 40, 12, GLYPHS_UTF8);
    text = told(&st);
    assert_contains(text, "to S4, over. S2's row says moved to S4, epoch 8, S4's owned, epoch 8.");
    free(text);
    stage_free(&st);
    stage_liked(&st);
    text = told(&st);
    assert_string_equal(text, "Slot 12067 rests at S2 with all its keys. ");
    free(text);
    stage_free(&st);
}

/* With atomic-key-move off a key is at both sides for a moment. */
static void at_both(void **state)
{
    (void)state;
    struct stage st;
    stage_edited(&st);
    stage_do(&st, "rule atomic-key-move off");
    stage_do(&st, "shift 12067 S4 10");
    for (int i = 0; i < 1000 && shifts_job(st.world, 0).hand == KEY_NONE_ID; i++) {
        stage_on(&st, 20);
    }
    scene_golden(&st.scene, "ask", &plain, "ask_both", 40, 12, GLYPHS_UTF8);
    char *text = told(&st);
    assert_contains(text, "1 AT BOTH.");
    assert_contains(text, "at S2 AND S4: what S2 takes now is thrown away.");
    free(text);
    stage_free(&st);
}

static void a_key_is_selected(void **state)
{
    (void)state;
    struct stage st;
    struct view_state v = {.argument = ""};
    stage_going(&st);
    assert_true(view_ask.move(&v, &st.scene, VERB_DOWN, 40, 12));
    struct subject subject = view_ask.subject(&v, &st.scene);
    assert_int_equal(subject.kind, SUBJECT_KEY);
    assert_true(bytes_equal(world_key(st.world, (uint32_t)subject.id), bytes_of("comments:{p9}")));
    scene_golden(&st.scene, "ask", &v, "ask_selected", 56, 16, GLYPHS_UTF8);
    stage_free(&st);
}

/* How many keys are where is the engine's count, step by step. */
static void agrees_with_the_engine(void **state)
{
    (void)state;
    static const char *const acts[] = {"shift 12067 S4 100", "shift 12067 stop",
                                       "crash S4 20",        "crash S2 20",
                                       "shift 12067 finish", "request edit tags:{p9} via R3"};
    struct prng p = prng_seeded(8, "keys told");
    struct stage st;
    stage_edited(&st);
    for (int round = 0; round < 150; round++) {
        struct command command;
        struct err err;
        if (command_parse(acts[prng_below(&p, 6)], &command, &err)) {
            (void)world_apply(st.world, &command, &err); /* not each is possible now */
        }
        stage_on(&st, (int64_t)prng_below(&p, 15000));
        struct shift_info info = world_shift(st.world, 0);
        char *text = told(&st), words[64];
        if (info.kind == SHIFT_ASK) {
            (void)snprintf(words, sizeof words, "Keys: %u at S2, %u at S4", info.here, info.there);
            assert_contains(text, words);
        }
        free(text);
    }
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),          cmocka_unit_test(what_requests_meet),
        cmocka_unit_test(to_its_end),        cmocka_unit_test(at_both),
        cmocka_unit_test(a_key_is_selected), cmocka_unit_test(agrees_with_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
