/* Plain mode: a page told in sentences and tables, at any width, without drawing signs. */
#include "scenes.h"
#include "view/plain.h"

static void fill(struct page *page)
{
    page->step_title = "One extra hop";
    page->say = "R5 keeps its own copy of the map, and that copy is old.";
    page->after = "One extra hop, then none.";
    page->task = "Send another read through R5.";
    page->question = (struct page_question){
        .kind = QUESTION_CHOICE,
        .state = QUESTION_ANSWERED,
        .ask = "How many shards does the request touch?",
        .choice = {{.text = "One.", .chosen = true},
                   {.text = "Two: the old owner first, and then the one that the old owner names "
                            "in its answer to the router.",
                    .holds = true}},
        .choices = 2,
        .answer = "1",
        .judged = true,
        .truth = "2",
        .feedback = "R5 looks the slot up in its own copy.",
        .belief = "a router always knows",
    };
    page->show[0] = (struct page_show){"maps", ""};
    page->show[1] = (struct page_show){"trace", "R5"};
    page->show[2] = (struct page_show){"bars", ""};
    page->show[3] = (struct page_show){"crc16", ""};
    page->shows = 4;
}

static void tell_all(struct str *out, const struct scene *s, int columns)
{
    plain_heading(out, s);
    plain_say(out, s, columns);
    plain_question(out, s, columns);
    plain_feedback(out, s, columns);
    plain_after(out, s, columns);
    plain_task(out, s, columns);
    plain_pictures(out, s, columns);
}

static void a_whole_step(void **state)
{
    (void)state;
    struct stage st;
    struct str out = STR_EMPTY;
    stage_stale(&st);
    stage_measure(&st);
    fill(&st.page);
    tell_all(&out, &st.scene, 0);
    assert_plain(str_text(&out), 80);
    for (const char *at = str_text(&out); *at != '\0'; at++) {
        assert_true((unsigned char)*at < 0x80); /* no box drawing, nothing that needs UTF-8 */
    }
    golden_text("plain_step", str_text(&out));
    str_free(&out);
    stage_free(&st);
}

static void narrow_lines_break_between_words(void **state)
{
    (void)state;
    struct stage st;
    struct str out = STR_EMPTY;
    stage_stale(&st);
    stage_measure(&st);
    fill(&st.page);
    plain_say(&out, &st.scene, 40);
    plain_question(&out, &st.scene, 40);
    plain_feedback(&out, &st.scene, 40);
    plain_pictures(&out, &st.scene, 40);
    assert_plain(str_text(&out), 40);
    str_free(&out);
    stage_free(&st);
}

static void an_open_question_gives_nothing_away(void **state)
{
    (void)state;
    struct stage st;
    struct str out = STR_EMPTY;
    stage_new(&st, NULL);
    fill(&st.page);
    st.page.question.state = QUESTION_OPEN;
    st.page.question.judged = false;
    st.page.question.hint[0] = "Who finds out first?";
    st.page.question.hints = 1;
    st.page.question.hints_shown = 1;
    st.page.shows = 0;
    plain_question(&out, &st.scene, 0);
    plain_feedback(&out, &st.scene, 0);
    assert_string_equal(str_text(&out),
                        "  Question: How many shards does the request touch?\n"
                        "  1  One.\n"
                        "  2  Two: the old owner first, and then the one that the old owner names "
                        "in its\n"
                        "     answer to the router.\n"
                        "  hint: Who finds out first?\n");
    str_free(&out);
    stage_free(&st);
}

static void a_skipped_question_and_a_done_task(void **state)
{
    (void)state;
    struct stage st;
    struct str out = STR_EMPTY;
    stage_new(&st, NULL);
    fill(&st.page);
    st.page.question.state = QUESTION_SKIPPED;
    st.page.question.belief = "";
    st.page.task_skipped = true;
    plain_feedback(&out, &st.scene, 0);
    plain_task(&out, &st.scene, 0);
    assert_string_equal(str_text(&out), "  Skipped: it will come back.\n"
                                        "  It is: 2.\n"
                                        "  R5 looks the slot up in its own copy.\n"
                                        "  Done for you: Send another read through R5.\n");
    str_free(&out);
    stage_free(&st);
}

/* Its points are told once it was given, and that the learner marks them. */
static void an_explanation_is_told(void **state)
{
    (void)state;
    struct stage st;
    struct str out = STR_EMPTY;
    stage_stale(&st);
    st.page.question = (struct page_question){
        .kind = QUESTION_EXPLAIN,
        .ask = "Tell a colleague why.",
        .choice = {{.text = "the map was old", .chosen = true}, {.text = "the shard says so"}},
        .choices = 2,
        .answer = "",
        .truth = "The map of R5 was old.",
    };
    plain_question(&out, &st.scene, 0);
    assert_non_null(strstr(str_text(&out), "you mark it yourself"));
    assert_null(strstr(str_text(&out), "the map was old"));
    str_clear(&out);
    st.page.question.state = QUESTION_ANSWERED;
    st.page.question.judged = true;
    plain_feedback(&out, &st.scene, 0);
    assert_string_equal(str_text(&out), "  Your answer: said aloud.\n"
                                        "  A good answer: The map of R5 was old.\n"
                                        "  You mark it: 1 of 2 points were in yours.\n"
                                        "  1  [x] the map was old\n"
                                        "  2  [ ] the shard says so\n");
    str_clear(&out);
    st.page.question.state = QUESTION_SKIPPED;
    plain_feedback(&out, &st.scene, 0);
    assert_non_null(strstr(str_text(&out), "Skipped: it will come back.\n"));
    assert_non_null(strstr(str_text(&out), "  2  the shard says so\n"));
    str_free(&out);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_step),
        cmocka_unit_test(narrow_lines_break_between_words),
        cmocka_unit_test(an_open_question_gives_nothing_away),
        cmocka_unit_test(a_skipped_question_and_a_done_task),
        cmocka_unit_test(an_explanation_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
