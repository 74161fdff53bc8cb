/*
 * Taking a lesson up again from the progress log: as the learner did it, or shown where that is
 * refused today.
 */
#include "helpers.h"

#define NOON INT64_C(1796040000)

struct session {
    struct progress *log;
    struct player *p;
};

static struct session begin(const char *folder)
{
    struct err err = {""};
    struct str path = STR_EMPTY;
    str_addf(&path, "%s/progress", folder);
    struct session s = {progress_load(path.text, &err), open_good(GOOD_LESSON, 1)};
    assert_non_null(s.log);
    str_free(&path);
    return s;
}

static void end(struct session *s)
{
    progress_free(s->log);
    player_close(s->p);
}

static void log_event(struct session *s, const char *kind, const char *step, const char *item,
                      const char *result, const char *detail)
{
    struct err err = {""};
    struct progress_event e = {kind, "10_good", step, item, result, detail};
    assert_true(progress_add(s->log, &e, NOON, &err));
}

static void log_step(struct session *s, const char *step)
{
    log_event(s, "step", step, NULL, NULL, NULL);
}

static void log_act(struct session *s, const char *step, const char *act)
{
    log_event(s, "act", step, NULL, NULL, act);
}

static void answer(struct session *s, const char *item, const char *result, const char *text)
{
    struct err err = {""};
    const char *step = player_page(s->p)->step_id;
    assert_true(text != NULL ? player_answer(s->p, text, &err) : player_skip(s->p, &err));
    assert_true(player_finish_run(s->p, &err));
    log_event(s, "answer", step, item, result, text);
}

static void act(struct session *s, const char *words)
{
    struct command c;
    struct err err = {""};
    assert_true(command_parse(words, &c, &err));
    assert_true(player_act(s->p, &c, &err));
    assert_true(player_tick(s->p, 1000000, &err));
    log_act(s, player_page(s->p)->step_id, words);
}

static void forward(struct session *s)
{
    struct err err = {""};
    assert_int_equal(player_forward(s->p, &err), PLAYER_MOVED);
    log_step(s, player_page(s->p)->step_id);
}

static void assert_resumed(struct session *s, bool good)
{
    struct err err = {""};
    if (player_resume(s->p, s->log, &err) != good) {
        fail_msg("%s", err.text);
    }
}

/* From the first step to the task, with a wrong, a skipped and a right answer. */
static struct session as_far_as_the_task(const char *folder)
{
    struct session s = begin(folder);
    log_step(&s, "hello");
    forward(&s);
    answer(&s, "q-one", "wrong", "1");
    forward(&s);
    answer(&s, "q-several", "skipped", NULL);
    forward(&s);
    answer(&s, "q-number", "right", "26");
    forward(&s);
    answer(&s, "q-text", "right", "s2");
    forward(&s);
    assert_string_equal(player_page(s.p)->step_id, "act");
    return s;
}

static void answers_and_acts_are_as_they_were(void **state)
{
    struct session s = as_far_as_the_task(*state), t;
    act(&s, "request read post:{p9} via R1");
    act(&s, "rule slot-table-check off");
    act(&s, "request like likes:{p9} via R3");
    assert_true(player_page(s.p)->task_met);
    log_event(&s, "goal", "act", NULL, "met", NULL);
    t = begin(*state);
    assert_resumed(&t, true);
    const struct page *page = player_page(t.p);
    assert_string_equal(page->step_id, "act");
    assert_true(page->task_met);
    assert_false(page->task_skipped);
    assert_false(world_rule(player_world(t.p), RULE_SLOT_TABLE_CHECK));
    assert_int_equal(world_last_request(player_world(t.p)), world_last_request(player_world(s.p)));
    assert_string_equal(page->key, "likes:{p9}"); /* pictures follow what was sent */
    /* What was done can be undone, and the steps before are as they were left. */
    assert_true(player_can_undo(t.p));
    page = player_page_at(t.p, 1);
    assert_int_equal(page->question.state, QUESTION_ANSWERED);
    assert_string_equal(page->question.answer, "1");
    assert_string_equal(page->question.belief, "a key has to be searched for");
    assert_string_equal(page->after, "It asked S2, you said 1.");
    assert_int_equal(player_page_at(t.p, 2)->question.state, QUESTION_SKIPPED);
    assert_true(player_page_at(t.p, 3)->question.right);
    assert_string_equal(player_page_at(t.p, 4)->question.answer, "s2");
    assert_null(player_page_at(t.p, 6));
    assert_null(player_page_at(t.p, 99));
    assert_true(player_back(t.p));
    assert_int_equal(player_page(t.p)->question.state, QUESTION_ANSWERED);
    end(&s);
    end(&t);
}

static void the_present_question_is_not_asked_again(void **state)
{
    struct session s = begin(*state), t;
    log_step(&s, "hello");
    forward(&s);
    answer(&s, "q-one", "right", "2");
    t = begin(*state);
    assert_resumed(&t, true);
    const struct page *page = player_page(t.p);
    assert_string_equal(page->step_id, "ask-one");
    assert_true(page->question.judged && page->question.right);
    assert_false(page->running || page->replays);
    assert_true(digest_equal(player_digest(s.p), player_digest(t.p)));
    assert_string_equal(player_journal(s.p), player_journal(t.p));
    end(&s);
    end(&t);
}

static void an_open_question_stays_open(void **state)
{
    struct session s = begin(*state), t;
    log_step(&s, "hello");
    forward(&s);
    t = begin(*state);
    assert_resumed(&t, true);
    assert_string_equal(player_page(t.p)->step_id, "ask-one");
    assert_int_equal(player_page(t.p)->question.state, QUESTION_OPEN);
    end(&s);
    end(&t);
}

static void undo_and_redo_are_done_as_well(void **state)
{
    struct session s = as_far_as_the_task(*state), t;
    act(&s, "request like likes:{p9} via R3");
    assert_true(player_undo(s.p));
    log_act(&s, "act", "undo");
    t = begin(*state);
    assert_resumed(&t, true);
    assert_false(player_page(t.p)->task_met);
    assert_int_equal(world_last_request(player_world(t.p)), world_last_request(player_world(s.p)));
    assert_true(player_can_redo(t.p));
    end(&t);
    log_act(&s, "act", "redo");
    t = begin(*state);
    assert_resumed(&t, true);
    assert_true(player_page(t.p)->task_met);
    assert_false(player_can_redo(t.p));
    end(&t);
    end(&s);
}

static void what_was_shown_or_looked_at_stays_so(void **state)
{
    struct session s = as_far_as_the_task(*state), t;
    struct err err = {""};
    assert_true(player_skip(s.p, &err));
    log_event(&s, "goal", "act", NULL, "skipped", NULL);
    t = begin(*state);
    assert_resumed(&t, true);
    assert_true(player_page(t.p)->task_met && player_page(t.p)->task_skipped);
    assert_true(digest_equal(player_digest(s.p), player_digest(t.p)));
    end(&t);
    forward(&s);
    log_event(&s, "goal", "open", NULL, "met", NULL);
    t = begin(*state);
    assert_resumed(&t, true);
    assert_string_equal(player_page(t.p)->step_id, "open");
    assert_true(player_page(t.p)->task_met);
    assert_false(player_page(t.p)->task_skipped);
    end(&t);
    end(&s);
}

static void acts_before_the_answer_come_before_it(void **state)
{
    struct session s = begin(*state), t;
    log_step(&s, "hello");
    forward(&s);
    act(&s, "move 12067 S3");
    answer(&s, "q-one", "right", "2");
    act(&s, "move 12067 S1");
    assert_contains(player_page(s.p)->after, "It asked S3");
    t = begin(*state);
    assert_resumed(&t, true);
    assert_contains(player_page(t.p)->after, "It asked S3");
    assert_int_equal(world_owner(player_world(t.p), 12067), 1);
    end(&s);
    end(&t);
}

/* As the screens do: what was waited for before an act is kept before it. */
static void time_that_was_let_pass_passes_again(void **state)
{
    struct session s = as_far_as_the_task(*state), t;
    struct err err = {""};
    struct command c;
    char until[40];
    assert_true(player_tick(s.p, 30000000, &err));
    int64_t then = world_now(player_world(s.p));
    assert_true(command_parse("rule slot-table-check off", &c, &err));
    assert_true(player_act(s.p, &c, &err));
    assert_int_equal(player_waited(s.p), then);
    assert_int_equal(player_waited(s.p), 0); /* told once */
    snprintf(until, sizeof until, ACT_UNTIL "%lld", (long long)then);
    log_act(&s, "act", until);
    log_act(&s, "act", "rule slot-table-check off");
    act(&s, "request like likes:{p9} via R3");
    assert_int_equal(player_waited(s.p), 0); /* at once after the one before */
    t = begin(*state);
    assert_resumed(&t, true);
    assert_true(player_page(t.p)->task_met);
    struct request_info was, is;
    uint64_t last = world_last_request(player_world(s.p));
    assert_true(world_request(player_world(s.p), last, &was));
    assert_true(world_request(player_world(t.p), last, &is));
    assert_true(was.issued_us > then);
    assert_int_equal(was.issued_us, is.issued_us);
    end(&s);
    end(&t);
}

static void a_time_that_is_none_ends_the_acts(void **state)
{
    static const char *const times[] = {"until", "until ", "until x", "until 12x",
                                        "until 99999999999999999999"};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        struct session s = as_far_as_the_task(*state), t;
        log_act(&s, "act", times[i]);
        log_act(&s, "act", "rule slot-table-check off");
        t = begin(*state);
        assert_resumed(&t, false);
        assert_true(world_rule(player_world(t.p), RULE_SLOT_TABLE_CHECK));
        end(&s);
        end(&t);
        struct str path = STR_EMPTY;
        str_addf(&path, "%s/progress", (const char *)*state);
        assert_int_equal(unlink(path.text), 0);
        str_free(&path);
    }
}

/* Where the learner stands, what could be done again is kept, and what could not be is told. */
static void acts_up_to_the_refused_one_are_kept(void **state)
{
    struct session s = as_far_as_the_task(*state), t;
    struct err err = {""};
    log_act(&s, "act", "rule slot-table-check off");
    log_act(&s, "act", "fly R0");
    t = begin(*state);
    assert_false(player_resume(t.p, t.log, &err));
    assert_contains(err.text, "can be done again");
    assert_string_equal(player_page(t.p)->step_id, "act");
    assert_false(world_rule(player_world(t.p), RULE_SLOT_TABLE_CHECK));
    assert_false(player_page(t.p)->task_met);
    end(&s);
    end(&t);
}

/* The lesson was edited since: its ids and choices are others. */
static void what_is_refused_today_is_shown_on_the_way(void **state)
{
    struct session s = begin(*state);
    log_step(&s, "hello");
    log_step(&s, "ask-one");
    log_event(&s, "answer", "ask-one", "q-one", "wrong", "7"); /* no such choice any more */
    log_step(&s, "ask-several");
    log_event(&s, "answer", "ask-several", "q-other", "right", "1 3"); /* another question */
    log_step(&s, "gone");
    log_event(&s, "answer", "gone", "q-gone", "right", "1");
    log_step(&s, "ask-number");
    log_event(&s, "answer", "ask-number", "q-number", "right", "25");
    log_step(&s, "act");
    log_act(&s, "act", "fly R0");
    log_act(&s, "act", "request like likes:{p9} via R3"); /* built on what is refused */
    log_event(&s, "goal", "act", NULL, "met", NULL);
    log_step(&s, "shows");
    assert_resumed(&s, true);
    assert_string_equal(player_page(s.p)->step_id, "shows");
    assert_false(player_page(s.p)->running);
    assert_int_equal(player_page_at(s.p, 1)->question.state, QUESTION_SKIPPED);
    assert_int_equal(player_page_at(s.p, 2)->question.state, QUESTION_SKIPPED);
    assert_int_equal(player_page_at(s.p, 3)->question.state, QUESTION_ANSWERED);
    assert_int_equal(player_page_at(s.p, 4)->question.state, QUESTION_SKIPPED);
    assert_true(player_page_at(s.p, 5)->task_skipped);
    end(&s);
}

static void a_step_that_is_gone_leads_to_the_one_before(void **state)
{
    struct session s = begin(*state);
    assert_resumed(&s, true); /* an empty log */
    assert_string_equal(player_page(s.p)->step_id, "hello");
    log_step(&s, "hello");
    log_step(&s, "ask-one");
    log_event(&s, "answer", "ask-one", "q-one", "wrong", "7");
    log_step(&s, "gone");
    assert_resumed(&s, true);
    assert_string_equal(player_page(s.p)->step_id, "ask-one");
    /* In the last step a refused answer is asked for again, not called shown. */
    assert_int_equal(player_page(s.p)->question.state, QUESTION_OPEN);
    end(&s);
}

static void a_fault_on_the_way_is_told_and_passed_over(void **state)
{
    struct err err = {""};
    struct str path = STR_EMPTY;
    write_file(&path, *state, "bad.lua",
               "return lesson { id = \"bad\", part = 1, title = \"T\", minutes = 3, world = "
               "\"story-quiet\", steps = {\n{ id = \"a\", title = \"A\", say = \"x\" },\n"
               "{ id = \"b\", title = \"B\", say = \"x\", run = function(w) error(\"oh\") end },\n"
               "{ id = \"c\", title = \"C\", say = \"x\" },\n"
               "{ id = \"d\", title = \"D\", say = \"x\" } } }");
    struct session s = begin(*state);
    player_close(s.p);
    s.p = open_good(path.text, 1);
    struct progress_event e = {"step", "bad", "d", NULL, NULL, NULL};
    assert_true(progress_add(s.log, &e, NOON, &err));
    assert_false(player_resume(s.p, s.log, &err));
    assert_contains(err.text, "bad.lua:3:");
    assert_string_equal(player_page(s.p)->step_id, "d");
    end(&s);
    str_free(&path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers_and_acts_are_as_they_were, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(the_present_question_is_not_asked_again, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(an_open_question_stays_open, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(undo_and_redo_are_done_as_well, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_was_shown_or_looked_at_stays_so, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(acts_before_the_answer_come_before_it, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(time_that_was_let_pass_passes_again, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_time_that_is_none_ends_the_acts, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(acts_up_to_the_refused_one_are_kept, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(what_is_refused_today_is_shown_on_the_way, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_step_that_is_gone_leads_to_the_one_before, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_fault_on_the_way_is_told_and_passed_over, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
