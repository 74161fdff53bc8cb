/*
 * The placement check: who knows goes on further along, nobody else; what the log keeps of it; and
 * what may not be declared.
 */
#include "helpers.h"
#include "lesson/lint.h"
#include "study/progress.h"

#define NOON INT64_C(1796040000)
#define CHOICE(id, n)                                                                              \
    "predict = { id = \"" id "\", kind = \"choice\", ask = \"Which?\", choices = {\n"              \
    "  { \"one\", belief = \"b\", why = \"w\", holds = function() return " n " == 1 end },\n"      \
    "  { \"two\", belief = \"b\", why = \"w\", holds = function() return " n " == 2 end } } }"

static const char lesson_text[] =
    "return lesson { id = \"33_placed\", part = 4, title = \"Placed\", minutes = 1,\n"
    "  world = \"story\", placement = { go = \"far\" }, steps = {\n"
    "{ id = \"first\", title = \"t\", say = \"first\", key = \"post:{p9}\",\n"
    "  enter = function(w) w:deaf(\"R5\", true) end, " CHOICE(
        "q-first",
        "1") ",\n"
             "  run = function(w) w:play_for(1) end },\n"
             "{ id = \"check-a\", title = \"t\", say = \"{R5.deaf and 1 or 0} {R1.deaf and 1 or "
             "0}\", "
             "check = true,\n"
             "  enter = function(w) w:deaf(\"R1\", true) end, " CHOICE(
                 "c-a", "2") " },\n"
                             "{ id = \"near\", title = \"t\", say = \"near\", " CHOICE(
                                 "q-near",
                                 "1") " },\n"
                                      "{ id = \"task\", title = \"t\", say = \"task\", try = { ask "
                                      "= \"x\", goal = function(w) return "
                                      "w:acked(\"likes:{p9}\") > 0 and R4.deaf end,\n"
                                      "  solution = { \"deaf R4 on\" }, hints = { \"a\", \"b\", "
                                      "\"c\" } } },\n"
                                      "{ id = \"check-b\", title = \"t\", say = \"{R5.deaf and 1 "
                                      "or 0} {R1.deaf and 1 or 0} "
                                      "{w:clock()}\", check = true,\n"
                                      "  run = function(w) w:play_for(2) end, " CHOICE(
                                          "c-b", "1") " },\n"
                                                      "{ id = \"far\", title = \"t\", say = \"far "
                                                      "{R4.deaf and 1 or 0} {R1.deaf and 1 or 0} "
                                                      "{w:clock()}\" } } }\n";

static struct player *open_lesson(const char *folder)
{
    struct str path = STR_EMPTY;
    write_file(&path, folder, "33_placed.lua", lesson_text);
    struct player *p = open_good(path.text, 1);
    str_free(&path);
    return p;
}

static void answer(struct player *p, const char *text)
{
    struct err err = {""};
    if (!player_answer(p, text, &err) || !player_finish_run(p, &err) ||
        player_forward(p, &err) != PLAYER_MOVED) {
        fail_msg("%s", err.text);
    }
}

static void who_knows_goes_on_further_along(void **state)
{
    struct err err = {""};
    struct player *p = open_lesson(*state);
    const struct page *page = player_page(p);
    assert_true(page->can_place && !page->check);
    assert_int_equal(page->steps, 4); /* those of the check are not on the way */
    assert_true(player_place(p, &err));
    page = player_page(p);
    assert_true(page->check && !page->can_place);
    assert_int_equal(page->step, 0);
    assert_int_equal(page->steps, 2);
    assert_string_equal(page->say, "1 1"); /* the first step's world, and its own doing */
    assert_string_equal(page->key, "post:{p9}");
    assert_false(player_place(p, &err));
    assert_contains(err.text, "at the first step");
    assert_int_equal(player_forward(p, &err), PLAYER_ASKS);
    answer(p, "2");
    assert_string_equal(player_page(p)->step_id, "check-b");
    assert_string_equal(player_page(p)->say, "1 0 20:00:00.000");
    answer(p, "1");
    assert_string_equal(player_page(p)->step_id, "far");
    /* As if all on the way had been done; of the check nothing is left. */
    assert_string_equal(player_page(p)->say, "far 1 0 20:00:01.002");
    assert_true(player_page_at(p, 0)->placed && player_page_at(p, 2)->placed);
    assert_false(player_page(p)->placed);
    assert_null(strstr(player_journal(p), "deaf R1"));
    assert_int_equal(player_forward(p, &err), PLAYER_END);
    assert_true(player_back(p));
    assert_string_equal(player_page(p)->step_id, "task");
    player_close(p);
}

static void who_does_not_begins_at_the_beginning(void **state)
{
    struct err err = {""};
    struct player *p = open_lesson(*state);
    struct digest before = player_digest(p);
    assert_true(player_place(p, &err));
    assert_true(player_answer(p, "1", &err));
    assert_string_equal(player_page(p)->question.belief, "b"); /* it is explained all the same */
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_string_equal(player_page(p)->step_id, "first");
    assert_true(digest_equal(before, player_digest(p)));
    assert_int_equal(player_page(p)->question.state, QUESTION_OPEN);
    assert_true(player_place(p, &err)); /* once more, from the first question */
    assert_int_equal(player_page(p)->question.state, QUESTION_OPEN);
    answer(p, "2");
    assert_true(player_skip(p, &err));
    assert_true(player_finish_run(p, &err));
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_string_equal(player_page(p)->step_id, "first");
    assert_true(digest_equal(before, player_digest(p)));
    player_close(p);
}

static void a_step_back_leaves_the_check(void **state)
{
    struct err err = {""};
    struct player *p = open_lesson(*state);
    struct digest before = player_digest(p);
    assert_true(player_place(p, &err));
    answer(p, "2");
    assert_true(player_answer(p, "1", &err)); /* and its run is under way */
    assert_true(player_page(p)->running);
    assert_true(player_back(p));
    assert_string_equal(player_page(p)->step_id, "first");
    assert_true(digest_equal(before, player_digest(p)));
    assert_false(player_back(p));
    assert_true(player_place(p, &err));
    assert_true(player_go(p, "near", &err)); /* so does going elsewhere */
    assert_string_equal(player_page(p)->step_id, "near");
    assert_false(player_place(p, &err));
    player_close(p);
}

static void log_event(struct progress *log, const char *kind, const char *step, const char *item,
                      const char *result, const char *detail)
{
    struct err err = {""};
    struct progress_event event = {kind, "33_placed", step, item, result, detail};
    if (!progress_add(log, &event, NOON, &err)) {
        fail_msg("%s", err.text);
    }
}

static void it_is_taken_up_where_it_was_left(void **state)
{
    struct err err = {""};
    struct str path = STR_EMPTY;
    str_addf(&path, "%s/progress", (const char *)*state);
    struct progress *log = progress_load(path.text, &err);
    log_event(log, "step", "first", NULL, NULL, NULL);
    log_event(log, "answer", "check-a", "c-a", "right", "2");
    log_event(log, "answer", "check-b", "c-b", "right", "1");
    log_event(log, "step", "far", NULL, NULL, NULL);
    struct player *p = open_lesson(*state);
    assert_true(player_resume(p, log, &err));
    assert_string_equal(player_page(p)->step_id, "far");
    assert_string_equal(player_page(p)->say, "far 1 0 20:00:01.002");
    assert_true(player_page_at(p, 0)->placed && player_page_at(p, 1)->placed &&
                player_page_at(p, 2)->placed);
    player_close(p);
    /* Who went back and did a step has done it. */
    log_event(log, "step", "near", NULL, NULL, NULL);
    log_event(log, "answer", "near", "q-near", "right", "1");
    log_event(log, "step", "far", NULL, NULL, NULL);
    p = open_lesson(*state);
    assert_true(player_resume(p, log, &err));
    assert_string_equal(player_page(p)->step_id, "far");
    assert_true(player_page_at(p, 0)->placed && !player_page_at(p, 1)->placed);
    player_close(p);
    progress_free(log);
    str_free(&path);
}

static void the_check_of_the_check(void **state)
{
    struct str path = STR_EMPTY;
    write_file(&path, *state, "33_placed.lua", lesson_text);
    struct lint_report *r = lesson_check(path.text);
    for (size_t i = 0; i < r->count; i++) {
        if (r->finding[i].severity == LINT_ERROR) {
            fail_msg("%d: %s", r->finding[i].line, r->finding[i].message);
        }
    }
    assert_int_equal(r->steps, 4);
    assert_int_equal(r->questions, 4); /* two on the way, two of the check */
    lint_report_free(r);
    str_free(&path);
}

static void assert_refused(const char *folder, const char *head, const char *steps,
                           const char *part)
{
    struct err err = {""};
    struct str path = STR_EMPTY, text = STR_EMPTY;
    str_addf(&text,
             "return lesson { id = \"33_placed\", part = 4, title = \"P\", minutes = 1, %s\n"
             "  world = \"story-quiet\", steps = {\n"
             "{ id = \"first\", title = \"t\", say = \"x\" }, { id = \"far\", title = \"t\", say = "
             "\"x\" },\n%s } }\n",
             head, steps);
    write_file(&path, folder, "33_placed.lua", text.text);
    assert_null(player_open(path.text, 1, &err));
    assert_contains(err.text, part);
    str_free(&path);
    str_free(&text);
}

static void faulty_checks_are_refused(void **state)
{
    static const char check[] =
        "{ id = \"c\", title = \"t\", say = \"x\", check = true, " CHOICE("c-a", "1") " }";
    const char *folder = *state;
    assert_refused(folder, "", check, "steps with 'check' need 'placement'");
    assert_refused(folder, "placement = { go = \"far\" },", "", "needs steps with check = true");
    assert_refused(folder, "placement = { go = \"first\" },", check, "no step behind the first");
    assert_refused(folder, "placement = { go = \"c\" },", check, "no step behind the first");
    assert_refused(folder, "placement = { to = \"far\" },", check, "there is no field 'to'");
    assert_refused(folder, "placement = { go = \"far\" },",
                   "{ id = \"c\", title = \"t\", say = \"x\", check = true }",
                   "asks a question, and has no task");
    assert_refused(folder, "placement = { go = \"far\" },",
                   "{ id = \"c\", title = \"t\", say = \"x\", check = true, predict = { id = "
                   "\"q\", kind = \"text\", ask = \"?\", answer = function() return \"a\" end, "
                   "hints = { \"h\" } } }",
                   "gives no hints");
    struct str five = STR_EMPTY;
    for (int i = 0; i < 5; i++) {
        str_addf(&five,
                 "{ id = \"c%d\", title = \"t\", say = \"x\", check = true, predict = { id = "
                 "\"q%d\", kind = \"text\", ask = \"?\", answer = function() return \"a\" end } },",
                 i, i);
    }
    assert_refused(folder, "placement = { go = \"far\" },", five.text, "at most 4 steps, not 5");
    str_free(&five);
}

static void a_lesson_without_a_check_has_none(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = open_good(GOOD_LESSON, 1);
    assert_false(player_page(p)->can_place);
    assert_false(player_place(p, &err));
    assert_contains(err.text, "this lesson has no placement check");
    player_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(who_knows_goes_on_further_along, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(who_does_not_begins_at_the_beginning, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_step_back_leaves_the_check, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(it_is_taken_up_where_it_was_left, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(the_check_of_the_check, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(faulty_checks_are_refused, make_folder, remove_folder),
        cmocka_unit_test(a_lesson_without_a_check_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
