/*
 * Foretelling: what would be right and wrong is known before anything is answered, and another
 * answer can be judged in place of the one that was given.
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

static void right_and_wrong_answers_are_known_beforehand(void **state)
{
    (void)state;
    static const char *const steps[] = {"ask-one", "ask-several", "ask-number", "ask-text"};
    static const char *const truths[] = {"2", "1 3", "25", "S2"};
    static const size_t wrongs[] = {1, 3, 3, 3}; /* the last: s3, then the other two shards */
    struct err err = {""};
    struct str text = STR_EMPTY;
    for (size_t i = 0; i < 4; i++) {
        struct player *p = open_good(GOOD_LESSON, 1);
        go_to_step(p, steps[i]);
        struct digest before = player_digest(p);
        char *journal = strdup(player_journal(p));
        assert_true(player_right_answer(p, &text, &err));
        assert_string_equal(text.text, truths[i]);
        size_t n = 0;
        for (; player_wrong_answer(p, n, &text, &err); n++) {
            assert_null(strstr(text.text, "not-"));
            struct player *q = open_good(GOOD_LESSON, 1);
            go_to_step(q, steps[i]);
            answer(q, text.text);
            assert_false(player_page(q)->question.right);
            player_close(q);
        }
        assert_int_equal(n, wrongs[i]);
        /* Asking moved nothing. */
        assert_true(digest_equal(player_digest(p), before));
        assert_string_equal(player_journal(p), journal);
        assert_int_equal(player_page(p)->question.state, QUESTION_OPEN);
        assert_false(player_page(p)->running);
        free(journal);
        player_close(p);
    }
    str_free(&text);
}

static void another_answer_in_its_place_is_judged_as_if_it_had_come_first(void **state)
{
    (void)state;
    static const char *const steps[] = {"ask-one", "ask-several", "ask-number", "ask-text"};
    struct err err = {""};
    struct str text = STR_EMPTY;
    for (size_t i = 0; i < 4; i++) {
        struct player *p = open_good(GOOD_LESSON, 1);
        go_to_step(p, steps[i]);
        assert_false(player_answer_instead(p, "1", &err)); /* instead of none */
        assert_true(player_right_answer(p, &text, &err));
        struct player *q = open_good(GOOD_LESSON, 1);
        go_to_step(q, steps[i]);
        answer(q, text.text);
        struct digest after = player_digest(q);
        for (size_t n = 0; player_wrong_answer(p, n, &text, &err); n++) {
            struct player *first = open_good(GOOD_LESSON, 1);
            go_to_step(first, steps[i]);
            answer(first, text.text);
            assert_true(player_answer_instead(q, text.text, &err));
            const struct page *instead = player_page(q), *at_once = player_page(first);
            assert_false(instead->question.right);
            assert_string_equal(instead->question.answer, at_once->question.answer);
            assert_string_equal(instead->question.feedback, at_once->question.feedback);
            assert_string_equal(instead->question.belief, at_once->question.belief);
            assert_string_equal(instead->after, at_once->after);
            player_close(first);
        }
        assert_true(digest_equal(player_digest(q), after));
        player_close(q);
        player_close(p);
    }
    str_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_and_wrong_answers_are_known_beforehand),
        cmocka_unit_test(another_answer_in_its_place_is_judged_as_if_it_had_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
