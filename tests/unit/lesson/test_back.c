/*
 * Stepping back: exact, with the answers given, and what then is shown or played again.
 */
#include "helpers.h"

static void answer(struct player *p, const char *text)
{
    struct err err = {""};
    if (!player_answer(p, text, &err) || !player_finish_run(p, &err)) {
        print_error("%s\n", err.text);
        fail();
    }
}

static void stepping_back_is_exact(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = open_good(GOOD_LESSON, 1);
    struct digest entry[16];
    size_t journal[16];
    size_t last = 0;
    for (bool end = false; !end;) {
        const struct page *page = player_page(p);
        last = page->step;
        entry[last] = world_digest(player_before(p));
        if (!page->running && (page->question.state == QUESTION_OPEN || page->task_met)) {
            journal[last] = strlen(player_journal(p));
        }
        enum player_next next = player_forward(p, &err);
        if (next == PLAYER_ASKS) {
            if (page->question.kind != QUESTION_NONE && page->question.state == QUESTION_OPEN) {
                answer(p, page->question.kind == QUESTION_TEXT ? "S2" : "1");
            } else {
                assert_true(player_skip(p, &err));
            }
        }
        assert_int_not_equal(next, PLAYER_FAULT);
        end = next == PLAYER_END;
    }
    assert_int_equal(last, 8);
    char *whole = strdup(player_journal(p));
    struct digest there = player_digest(p);
    while (player_back(p)) {
        last--;
        assert_int_equal(player_page(p)->step, last);
        assert_true(digest_equal(player_digest(p), entry[last]));
        if (last == 1) {
            assert_int_equal(player_page(p)->question.state, QUESTION_ANSWERED);
            assert_string_equal(player_page(p)->question.answer, "1");
            assert_string_equal(player_page(p)->question.belief, "a key has to be searched for");
            assert_int_equal(strlen(player_journal(p)), journal[1]);
        }
    }
    assert_int_equal(last, 0);
    /* And forward again, to the same world and the same journal. */
    go_to_step(p, "end");
    assert_true(digest_equal(player_digest(p), there));
    assert_string_equal(player_journal(p), whole);
    free(whole);
    player_close(p);
}

/* Nothing to play again: an answered step shows everything, from both sides. */
static void an_answered_step_without_a_run_is_shown_whole(void **state)
{
    struct err err = {""};
    struct str path = STR_EMPTY;
    write_file(&path, *state, "m.lua",
               "return lesson { id = \"m\", part = 1, title = \"T\", minutes = 1, steps = {\n"
               "{ id = \"a\", title = \"A\", say = \"x\" },\n"
               "{ id = \"b\", title = \"B\", say = \"x\", after = \"You said {answer}.\",\n"
               "predict = { id = \"q\", kind = \"number\", ask = \"?\",\n"
               "answer = function() return 1 end } },\n"
               "{ id = \"c\", title = \"C\", say = \"x\" } } }");
    struct player *p = open_good(path.text, 1);
    go_to_step(p, "b");
    assert_string_equal(player_page(p)->after, "");
    answer(p, "1");
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    for (int side = 0; side < 2; side++) {
        assert_true(player_back(p));
        if (side == 1) {
            assert_true(player_back(p));
            assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
        }
        const struct page *page = player_page(p);
        assert_string_equal(page->step_id, "b");
        assert_true(page->question.judged && page->question.right);
        assert_string_equal(page->after, "You said 1.");
        assert_false(page->replays);
        assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
        assert_string_equal(player_page(p)->step_id, "c");
    }
    player_close(p);
    str_free(&path);
}

/* With a run the world is as the step was entered; forward plays it again, then goes on. */
static void an_answered_step_with_a_run_says_that_it_replays(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = open_good(GOOD_LESSON, 1);
    go_to_step(p, "ask-one");
    struct digest entered = player_digest(p);
    assert_false(player_page(p)->replays);
    answer(p, "1");
    assert_false(player_page(p)->replays);
    struct digest over = player_digest(p);
    go_to_step(p, "ask-several");
    for (int side = 0; side < 2; side++) {
        assert_true(player_back(p));
        if (side == 1) {
            assert_true(player_back(p));
            assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
        }
        const struct page *page = player_page(p);
        assert_true(page->replays);
        assert_string_equal(page->question.answer, "1");
        assert_true(digest_equal(player_digest(p), entered));
        assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
        assert_true(page->running && !page->replays);
        assert_true(player_finish_run(p, &err));
        assert_false(page->replays);
        assert_string_equal(page->after, "It asked S2, you said 1.");
        assert_true(digest_equal(player_digest(p), over));
        assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
        assert_string_equal(player_page(p)->step_id, "ask-several");
    }
    player_close(p);
}

/* A task behind a run: shown after a step back, it has the run before it. */
static void a_task_behind_a_run_can_be_shown_again(void **state)
{
    struct err err = {""};
    struct str path = STR_EMPTY;
    write_file(&path, *state, "m.lua",
               "return lesson { id = \"m\", part = 1, title = \"T\", minutes = 1,\n"
               "world = \"story-quiet\", steps = {\n"
               "{ id = \"a\", title = \"A\", say = \"x\",\n"
               "run = function(w) w:send(\"like\", \"k\", \"R0\") w:play_answered() end,\n"
               "try = { ask = \"?\", goal = function(w) return w:acked(\"k\") == 2 end,\n"
               "solution = { \"request like k via R1\" } } },\n"
               "{ id = \"b\", title = \"B\", say = \"x\" } } }");
    struct player *p = open_good(path.text, 1);
    go_to_step(p, "b");
    struct digest there = player_digest(p);
    assert_true(player_back(p));
    assert_true(player_page(p)->replays);
    if (!player_skip(p, &err)) {
        fail_msg("%s", err.text);
    }
    assert_true(player_page(p)->task_met);
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_true(digest_equal(player_digest(p), there));
    player_close(p);
    str_free(&path);
}

/* Once done, a task holds nobody up on the way forward again: it is done again, and counts. */
static void a_task_done_before_is_done_again(void **state)
{
    struct err err = {""};
    struct str path = STR_EMPTY;
    write_file(&path, *state, "m.lua",
               "return lesson { id = \"m\", part = 1, title = \"T\", minutes = 1, "
               "world = \"story-quiet\", steps = {\n"
               "{ id = \"a\", title = \"A\", say = \"x\", try = { ask = \"?\",\n"
               "goal = function(w) return last.done and last.key == \"k\" end,\n"
               "solution = { \"request read k via R0\" } } },\n"
               "{ id = \"b\", title = \"B\", say = \"x\" } } }");
    struct player *p = player_open(str_text(&path), 1, &err);
    assert_non_null(p);
    assert_int_equal(player_forward(p, &err), PLAYER_ASKS);
    assert_true(player_skip(p, &err));
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_int_equal(player_page(p)->step, 1);
    struct digest there = player_digest(p);
    assert_true(player_back(p));
    assert_false(player_page(p)->task_met);
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_true(player_page(p)->task_met);
    assert_int_equal(player_page(p)->step, 0);
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_int_equal(player_page(p)->step, 1);
    assert_true(digest_equal(player_digest(p), there));
    player_close(p);
    str_free(&path);
}

/* Asked once more, a question and its step are as if nothing had been answered. */
static void a_question_is_asked_again(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = open_good(GOOD_LESSON, 1), *fresh = open_good(GOOD_LESSON, 1);
    struct str right = STR_EMPTY, wrong = STR_EMPTY;
    assert_false(player_ask_again(p, &err)); /* the first step asks nothing */
    go_to_step(p, "ask-one");
    go_to_step(fresh, "ask-one");
    const struct page *page = player_page(p), *other = player_page(fresh);
    assert_true(player_wrong_answer(p, 0, &wrong, &err));
    assert_true(player_right_answer(p, &right, &err));
    answer(p, str_text(&wrong));
    assert_false(digest_equal(player_digest(p), player_digest(fresh)));
    assert_true(page->question.judged && !page->question.right);
    assert_true(player_ask_again(p, &err));
    assert_true(digest_equal(player_digest(p), player_digest(fresh)));
    assert_string_equal(player_journal(p), player_journal(fresh));
    assert_int_equal(page->question.state, QUESTION_OPEN);
    assert_false(page->question.judged);
    assert_string_equal(page->after, "");
    assert_int_equal(player_forward(p, &err), PLAYER_ASKS);
    answer(p, str_text(&right));
    answer(fresh, str_text(&right));
    assert_true(page->question.judged && page->question.right);
    assert_string_equal(page->question.feedback, other->question.feedback);
    assert_string_equal(page->after, other->after);
    assert_true(digest_equal(player_digest(p), player_digest(fresh)));
    str_free(&right);
    str_free(&wrong);
    player_close(p);
    player_close(fresh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_task_done_before_is_done_again, make_folder,
                                        remove_folder),
        cmocka_unit_test(stepping_back_is_exact),
        cmocka_unit_test_setup_teardown(an_answered_step_without_a_run_is_shown_whole, make_folder,
                                        remove_folder),
        cmocka_unit_test(a_question_is_asked_again),
        cmocka_unit_test(an_answered_step_with_a_run_says_that_it_replays),
        cmocka_unit_test_setup_teardown(a_task_behind_a_run_can_be_shown_again, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
