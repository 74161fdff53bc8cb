/*
 * An explanation: it is given aloud or typed, the learner marks its points, and nobody else does.
 */
#include "helpers.h"
#include "lesson/lint.h"

#define LESSON "tests/data/lessons/12_explain.lua"

static struct player *at_explanation(void)
{
    struct player *p = open_good(LESSON, 1);
    go_to_step(p, "told");
    assert_int_equal(player_page(p)->question.kind, QUESTION_EXPLAIN);
    assert_int_equal(player_page(p)->question.choices, 3);
    return p;
}

static void assert_told(struct player *p, const char *text)
{
    struct str told = STR_EMPTY;
    question_say(&player_page(p)->question, &told);
    assert_string_equal(str_text(&told), text);
    str_free(&told);
}

static void what_is_said_is_marked_by_the_learner(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = at_explanation();
    const struct page_question *q = &player_page(p)->question;
    assert_int_equal(player_forward(p, &err), PLAYER_ASKS);
    assert_false(player_mark(p, 0, &err)); /* nothing was said yet */
    assert_string_equal(q->truth, "");
    assert_true(player_answer(p, "  it is hashed  ", &err));
    assert_true(q->judged);
    assert_false(q->right); /* nor wrong: it counts as neither */
    assert_string_equal(q->answer, "it is hashed");
    assert_contains(q->truth, "slot 12,067");
    assert_string_equal(q->belief, "");
    assert_told(p, ":it is hashed");
    assert_true(player_mark(p, 0, &err));
    assert_true(player_mark(p, 2, &err));
    assert_told(p, "1 3:it is hashed");
    assert_true(player_mark(p, 0, &err)); /* after all it was not */
    assert_told(p, "3:it is hashed");
    assert_false(player_mark(p, 3, &err));
    assert_contains(err.text, "points 1 to 3");
    player_close(p);
}

static void marks_stay_when_one_goes_back(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = at_explanation();
    assert_true(player_answer(p, "", &err)); /* aloud */
    assert_true(player_mark(p, 1, &err));
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_true(player_back(p));
    assert_told(p, "2:");
    assert_true(player_back(p));
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_string_equal(player_page(p)->step_id, "told");
    assert_told(p, "2:");
    assert_true(player_mark(p, 0, &err));
    assert_told(p, "1 2:");
    player_close(p);
}

static void show_me_shows_the_model(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = at_explanation();
    assert_true(player_skip(p, &err));
    assert_contains(player_page(p)->question.truth, "S2");
    assert_false(player_mark(p, 0, &err));
    assert_told(p, "");
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    player_close(p);
}

static void a_machine_can_give_it_but_not_wrongly(void **state)
{
    (void)state;
    struct err err = {""};
    struct str answer = STR_EMPTY;
    struct player *p = at_explanation();
    assert_true(player_right_answer(p, &answer, &err));
    assert_string_equal(str_text(&answer), "");
    assert_false(player_wrong_answer(p, 0, &answer, &err));
    str_free(&answer);
    player_close(p);
}

/* Taken up from lines as the log has them; what is no such line leaves the question open. */
static void assert_resumed(const char *folder, const char *detail, const char *told)
{
    struct str path = STR_EMPTY;
    struct err err = {""};
    str_addf(&path, "%s/progress", folder);
    unlink(str_text(&path));
    struct progress *log = progress_load(str_text(&path), &err);
    assert_non_null(log);
    const struct progress_event events[] = {
        {.kind = "step", .place = "12_explain", .step = "told"},
        {.kind = "answer",
         .place = "12_explain",
         .step = "told",
         .item = "x-told",
         .result = "self",
         .detail = detail},
    };
    for (size_t i = 0; i < 2; i++) {
        assert_true(progress_add(log, &events[i], 1796068800, &err));
    }
    uint32_t answered = 9, right = 9;
    progress_item(log, "x-told", &answered, &right);
    assert_int_equal(answered, 0); /* no score */
    assert_int_equal(right, 0);
    struct player *p = open_good(LESSON, 1);
    assert_true(player_resume(p, log, &err));
    assert_string_equal(player_page(p)->step_id, "told");
    bool given = player_page(p)->question.state == QUESTION_ANSWERED;
    assert_int_equal(given, told != NULL);
    if (told != NULL) {
        assert_told(p, told);
    }
    player_close(p);
    progress_free(log);
    str_free(&path);
}

static void the_log_keeps_marks_and_words(void **state)
{
    assert_resumed(*state, "1 3:the tag, hashed: 12067", "1 3:the tag, hashed: 12067");
    assert_resumed(*state, ":", ":");
    assert_resumed(*state, "2:", "2:");
    assert_resumed(*state, "9 2:", "2:"); /* there was a ninth point once */
    assert_resumed(*state, "S2", NULL);
    assert_resumed(*state, "", NULL);
}

/* --- what is declared --- */

static struct lint_report *check(const char *folder, const char *predict,
                                 int (*rows)(const struct page *))
{
    struct str path = STR_EMPTY, text = STR_EMPTY;
    str_addf(&text,
             "return lesson { id = \"bad\", part = 1, title = \"T\", minutes = 3,\n"
             "  world = \"story-quiet\", steps = {\n"
             "{ id = \"a\", title = \"A\", say = \"x\", predict = { id = \"q\", ask = \"?\",\n"
             " %s } } } }\n",
             predict);
    write_file(&path, folder, "bad.lua", text.text);
    struct lint_report *r =
        lesson_check_as(path.text, &(struct lint_wish){.seeds = 1, .rows = rows});
    str_free(&path);
    str_free(&text);
    return r;
}

static void assert_found(const char *folder, const char *predict, const char *part)
{
    struct lint_report *r = check(folder, predict, NULL);
    bool found = false;
    for (size_t i = 0; i < r->count; i++) {
        found = found || (r->finding[i].severity == LINT_ERROR && r->finding[i].line >= 3 &&
                          strstr(r->finding[i].message, part) != NULL);
    }
    if (!found) {
        print_error("not found: %s\n", part);
        for (size_t i = 0; i < r->count; i++) {
            print_error("%d: %s\n", r->finding[i].line, r->finding[i].message);
        }
        fail();
    }
    lint_report_free(r);
}

static void a_bad_explanation_is_refused(void **state)
{
    assert_found(*state, "kind = \"explain\", rubric = { \"a\", \"b\" }", "needs 'model'");
    assert_found(*state, "kind = \"explain\", model = \" \", rubric = { \"a\", \"b\" }",
                 "needs 'model'");
    assert_found(*state, "kind = \"explain\", model = \"m\"", "2 to 9 points, not 0");
    assert_found(*state, "kind = \"explain\", model = \"m\", rubric = { \"a\" }",
                 "2 to 9 points, not 1");
    assert_found(*state, "kind = \"explain\", model = \"m\", rubric = { \"a\", \" \" }",
                 "point 2 of the rubric must be a text that says something");
    assert_found(*state, "kind = \"explain\", model = \"m\", rubric = { \"a\", 7 }",
                 "point 2 of the rubric");
    assert_found(*state,
                 "kind = \"explain\", model = \"m\", rubric = { \"a\", \"b\" }, "
                 "answer = function() return 1 end",
                 "it has no 'answer'");
    assert_found(*state,
                 "kind = \"explain\", model = \"m\", rubric = { \"a\", \"b\" }, why = \"y\"",
                 "it has no 'why'");
    assert_found(*state, "kind = \"number\", answer = function() return 1 end, model = \"m\"",
                 "only an explanation has a 'model'");
    /* Empty only once it is filled in. */
    assert_found(*state, "kind = \"explain\", model = \"m\", rubric = { \"a\", \"{''}\" }",
                 "point 2 of its rubric is empty");
    assert_found(*state, "kind = \"explain\", model = \"{''}\", rubric = { \"a\", \"b\" }",
                 "its model answer is empty");
    assert_found(*state, "kind = \"explain\", model = \"{oops}\", rubric = { \"a\", \"b\" }",
                 "undefined name 'oops'");
}

static void neither_drills_nor_the_placement_check_explain(void **state)
{
    struct str path = STR_EMPTY;
    struct err err = {""};
    write_file(&path, *state, "bad.lua",
               "return drill { id = \"bad\", part = 1, title = \"T\", make = function() return {\n"
               "steps = { { id = \"a\", title = \"A\", say = \"x\", predict = { id = \"q\",\n"
               "kind = \"explain\", ask = \"?\", model = \"m\", rubric = { \"a\", \"b\" } } } } }\n"
               "end }");
    assert_null(player_open(path.text, 1, &err));
    assert_contains(err.text, "a drill's answers are graded");
    write_file(&path, *state, "bad.lua",
               "return lesson { id = \"bad\", part = 1, title = \"T\", minutes = 3,\n"
               "placement = { go = \"b\" }, steps = {\n"
               "{ id = \"a\", title = \"A\", say = \"x\" }, { id = \"b\", title = \"B\", say = "
               "\"x\" },\n"
               "{ id = \"c\", title = \"C\", say = \"x\", check = true, predict = { id = \"q\",\n"
               "kind = \"explain\", ask = \"?\", model = \"m\", rubric = { \"a\", \"b\" } } } } }");
    assert_null(player_open(path.text, 1, &err));
    assert_contains(err.text, "the placement check asks what can be judged");
    str_free(&path);
}

/* One row a character of the model: as if a screen were one column wide. */
static int rows_of_model(const struct page *page)
{
    return page->question.judged ? (int)strlen(page->question.truth) : 1;
}

static void a_model_must_fit_the_pane(void **state)
{
    static const char fits[] =
        "kind = \"explain\", model = \"123456789012345678\", rubric = { \"a\", \"b\" }";
    static const char too_long[] =
        "kind = \"explain\", model = \"1234567890123456789\", rubric = { \"a\", \"b\" }";
    struct lint_report *r = check(*state, fits, rows_of_model);
    assert_int_equal(r->errors, 0);
    assert_int_equal(r->presenting, 1);
    assert_int_equal(r->responding, 0);
    lint_report_free(r);
    r = check(*state, too_long, rows_of_model);
    assert_int_equal(r->errors, 1);
    assert_contains(r->finding[0].message, "need 19 rows at 80x24, 18 fit");
    lint_report_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_said_is_marked_by_the_learner),
        cmocka_unit_test(marks_stay_when_one_goes_back),
        cmocka_unit_test(show_me_shows_the_model),
        cmocka_unit_test(a_machine_can_give_it_but_not_wrongly),
        cmocka_unit_test_setup_teardown(the_log_keeps_marks_and_words, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_bad_explanation_is_refused, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(neither_drills_nor_the_placement_check_explain, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_model_must_fit_the_pane, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
