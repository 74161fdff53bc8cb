/*
 * The player: texts, answers, runs and acts.
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

static void texts_are_filled_in(void **state)
{
    (void)state;
    struct player *p = open_good(GOOD_LESSON, 1);
    const struct page *page = player_page(p);
    assert_string_equal(page->say, "There are 4 shards. `{p9}` stays, `12,067` does not,\n"
                                   "and 12,067 is grouped. A lone { stays too.\n\n"
                                   "  kept    as it is");
    assert_string_equal(page->lesson_id, "10_good");
    assert_string_equal(page->step_id, "hello");
    assert_string_equal(page->key, "post:{p9}");
    assert_int_equal(page->router, 1);
    assert_int_equal(page->steps, 9);
    assert_int_equal(page->shows, 2);
    assert_string_equal(page->show[1].view, "crc16");
    assert_string_equal(page->show[1].argument, "post:{p9}");
    assert_string_equal(page->notes, "For the instructor.");
    player_close(p);
}

static void a_question_stands_in_the_way(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = open_good(GOOD_LESSON, 1);
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    const struct page *page = player_page(p);
    assert_string_equal(page->question.ask, "How many shards does R1 ask?");
    assert_int_equal(player_forward(p, &err), PLAYER_ASKS);
    assert_false(player_answer(p, "3", &err));
    assert_false(player_answer(p, "1 2", &err));
    assert_false(player_answer(p, "one", &err));
    assert_false(player_answer(p, "", &err));
    assert_int_equal(page->question.state, QUESTION_OPEN);
    assert_true(player_hint(p) && player_hint(p) && player_hint(p));
    assert_false(player_hint(p));
    assert_int_equal(page->question.hints_shown, 3);
    player_close(p);
}

static void the_run_waits_and_then_judges(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = open_good(GOOD_LESSON, 1);
    go_to_step(p, "ask-one");
    int64_t start = world_now(player_world(p));
    assert_true(player_answer(p, "2", &err));
    const struct page *page = player_page(p);
    assert_true(page->running);
    assert_false(page->question.judged);
    assert_true(player_tick(p, 1000, &err));
    assert_int_equal(world_now(player_world(p)), start + 1000);
    assert_string_equal(page->after, "");
    for (int i = 0; i < 100 && page->running; i++) {
        assert_true(player_tick(p, 100000, &err));
    }
    assert_false(page->running);
    assert_true(page->question.judged && page->question.right);
    assert_true(page->question.choice[1].holds && !page->question.choice[0].holds);
    assert_string_equal(page->question.feedback, "It knows slot 12,067.");
    assert_string_equal(page->question.belief, "");
    assert_string_equal(page->after, "It asked S2, you said 2.");
    assert_false(player_answer(p, "1", &err));
    player_close(p);
}

/* However the time is cut, the world is the same in the end. */
static void ticks_of_any_size_give_the_same_world(void **state)
{
    (void)state;
    struct err err = {""};
    struct digest ends[3];
    const int64_t sizes[3] = {777, 33333, -1};
    for (int i = 0; i < 3; i++) {
        struct player *p = open_good(GOOD_LESSON, 1);
        go_to_step(p, "ask-one");
        assert_true(player_answer(p, "2", &err));
        while (player_page(p)->running) {
            assert_true(sizes[i] > 0 ? player_tick(p, sizes[i], &err) : player_finish_run(p, &err));
        }
        /* What a tick has left when the run ends is not played. */
        ends[i] = player_digest(p);
        player_close(p);
    }
    assert_true(digest_equal(ends[0], ends[1]));
    assert_true(digest_equal(ends[1], ends[2]));
}

static void a_wrong_choice_is_explained_by_its_belief(void **state)
{
    (void)state;
    struct player *p = open_good(GOOD_LESSON, 1);
    go_to_step(p, "ask-one");
    answer(p, "1");
    const struct page_question *q = &player_page(p)->question;
    assert_true(q->judged && !q->right);
    assert_string_equal(q->belief, "a key has to be searched for");
    assert_string_equal(q->feedback, "It does not search among 4.");
    assert_string_equal(q->truth, "One.");
    player_close(p);
}

static void several_want_each_that_holds(void **state)
{
    (void)state;
    static const char *const typed[] = {"1 3", "3,1", "1", "1 2 3"};
    static const bool right[] = {true, true, false, false};
    for (size_t i = 0; i < 4; i++) {
        struct player *p = open_good(GOOD_LESSON, 1);
        go_to_step(p, "ask-several");
        answer(p, typed[i]);
        const struct page_question *q = &player_page(p)->question;
        assert_int_equal(q->right, right[i]);
        if (i == 2) {
            assert_string_equal(q->feedback, "You missed 3. It is the tag.");
        }
        if (i == 3) {
            assert_string_equal(q->belief, "a name is enough");
            assert_string_equal(q->feedback, "2 does not hold. It has no tag.");
        }
        player_close(p);
    }
}

/* Each choice that was taken wrongly or missed has its explanation, in order. */
static void several_mistakes_are_all_explained(void **state)
{
    (void)state;
    struct player *p = open_good(GOOD_LESSON, 1);
    go_to_step(p, "ask-several");
    answer(p, "2");
    const struct page_question *q = &player_page(p)->question;
    assert_string_equal(q->feedback, "You missed 1 and 3, and 2 does not hold. It has the tag. "
                                     "It has no tag. It is the tag.");
    assert_string_equal(q->belief, "a name is enough");
    player_close(p);
}

/* Only of what was chosen: what was missed is no belief. */
static void beliefs_are_joined_and_none_is_said_twice(void **state)
{
    struct str path = STR_EMPTY;
    write_file(&path, *state, "m.lua",
               "local function yes() return true end\nlocal function no() return false end\n"
               "return lesson { id = \"m\", part = 1, title = \"T\", minutes = 1, steps = {\n"
               "{ id = \"a\", title = \"A\", say = \"x\", predict = { id = \"q\",\n"
               "kind = \"several\", ask = \"?\", why = \"Rule.\", choices = {\n"
               "{ \"a\", belief = \"names\", why = \"Why a.\", holds = no },\n"
               "{ \"b\", belief = \"names count\", why = \"Why b.\", holds = no },\n"
               "{ \"c\", belief = \"nor this\", why = \"Why c.\", holds = yes },\n"
               "{ \"d\", belief = \"never shown\", why = \"Why d.\", holds = yes } } } } } }");
    struct player *p = open_good(path.text, 1);
    answer(p, "1 2 4");
    const struct page_question *q = &player_page(p)->question;
    assert_string_equal(q->belief, "names; names count");
    assert_string_equal(q->feedback, "You missed 3, and 1 and 2 do not hold. Why a. Why b. Why c.");
    player_close(p);
    str_free(&path);
}

static void numbers_are_read_as_people_type_them(void **state)
{
    (void)state;
    struct err err = {""};
    static const char *const typed[] = {"25", " 26 ", "23%", "27.0 %", "1,000", "75", "50"};
    static const bool right[] = {true, true, true, true, false, false, false};
    static const char *const feedback[] = {"A quarter.", "A quarter.", "A quarter.",
                                           "A quarter.", "A quarter.", "That is the rest.",
                                           "Half."};
    for (size_t i = 0; i < 7; i++) {
        struct player *p = open_good(GOOD_LESSON, 1);
        go_to_step(p, "ask-number");
        assert_false(player_answer(p, "a few", &err));
        assert_false(player_answer(p, "1 2", &err));
        assert_false(player_answer(p, "0x10", &err));
        static const char *const ungrouped[] = {"2,5", "25,0", "1,0000", "1000,000", ",250", "25,"};
        for (size_t k = 0; k < sizeof ungrouped / sizeof *ungrouped; k++) {
            assert_false(player_answer(p, ungrouped[k], &err));
        }
        assert_false(player_answer(p, "25 GB", &err));
        assert_contains(err.text, "'25 GB' is not a number of %: type digits");
        answer(p, typed[i]);
        const struct page_question *q = &player_page(p)->question;
        assert_int_equal(q->right, right[i]);
        assert_string_equal(q->feedback, feedback[i]);
        assert_string_equal(q->truth, "25%");
        player_close(p);
    }
}

static void letter_case_and_blanks_do_not_matter_in_texts(void **state)
{
    (void)state;
    struct player *p = open_good(GOOD_LESSON, 1);
    go_to_step(p, "ask-text");
    answer(p, "  s2 ");
    assert_true(player_page(p)->question.right);
    player_close(p);
    p = open_good(GOOD_LESSON, 1);
    go_to_step(p, "ask-text");
    answer(p, "S3");
    assert_false(player_page(p)->question.right);
    assert_string_equal(player_page(p)->question.feedback, "Counted from one.");
    player_close(p);
}

static void a_skipped_question_shows_the_truth(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = open_good(GOOD_LESSON, 1);
    go_to_step(p, "ask-one");
    assert_true(player_skip(p, &err));
    assert_true(player_finish_run(p, &err));
    const struct page *page = player_page(p);
    assert_int_equal(page->question.state, QUESTION_SKIPPED);
    assert_true(page->question.judged && !page->question.right);
    assert_string_equal(page->question.truth, "One.");
    assert_string_equal(page->after, "It asked S2, you said nothing.");
    player_close(p);
}

static struct command like(const char *router)
{
    struct command c;
    struct str text = STR_EMPTY;
    struct err err = {""};
    str_addf(&text, "request like likes:{p9} via %s", router);
    assert_true(command_parse(text.text, &c, &err));
    str_free(&text);
    return c;
}

static void a_task_is_met_by_acting(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = open_good(GOOD_LESSON, 1);
    go_to_step(p, "act");
    const struct page *page = player_page(p);
    assert_string_equal(page->task, "Send a like.");
    assert_int_equal(page->actions, 2);
    assert_int_equal(page->action[1], ACTION_BREAK);
    assert_int_equal(page->breaks, RULE_SLOT_TABLE_CHECK);
    assert_int_equal(page->router, 2);
    assert_int_equal(player_forward(p, &err), PLAYER_ASKS);
    assert_true(player_hint(p) && player_hint(p));
    assert_false(player_hint(p));
    struct command c = like("R0");
    assert_true(player_act(p, &c, &err));
    assert_false(page->task_met);
    assert_true(player_tick(p, 1000000, &err));
    assert_true(page->task_met);
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    player_close(p);
}

static void a_task_can_be_shown(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = open_good(GOOD_LESSON, 1);
    go_to_step(p, "act");
    assert_true(player_skip(p, &err));
    assert_true(player_page(p)->task_met && player_page(p)->task_skipped);
    assert_non_null(strstr(player_journal(p), "request like likes:{p9} via R0"));
    go_to_step(p, "open");
    player_opened(p, "help", "");
    assert_false(player_page(p)->task_met);
    player_opened(p, "why", "answer S2 -> R0  refused");
    assert_true(player_page(p)->task_met);
    player_close(p);
}

/* The news of an act has arrived when the learner looks. */
/* Acts that are in the way of the solution: it then begins with the step. */
static void what_was_done_half_does_not_keep_a_task_from_being_shown(void **state)
{
    struct err err = {""};
    struct command c;
    struct str path = STR_EMPTY;
    write_file(&path, *state, "half.lua",
               "return lesson { id='half', part=1, title='T', minutes=3, world='story-quiet',\n"
               "steps={ { id='a', title='A', say='x', try={ ask='Deaf.',\n"
               "  goal=function(w) return w:acked('likes:{p9}') >= 2 end,\n"
               "  solution={ 'shard add', 'request like likes:{p9} via R0',\n"
               "             'request like likes:{p9} via R0' },\n"
               "  hints={'1','2','3'} } } } }\n");
    struct player *p = open_good(path.text, 1);
    while (command_parse("shard add", &c, &err) && player_act(p, &c, &err)) {
    }
    assert_true(strlen(err.text) > 0); /* there is no room for one more */
    if (!player_skip(p, &err)) {
        fail_msg("%s", err.text);
    }
    assert_true(player_page(p)->task_met);
    player_close(p);
    str_free(&path);
}

static void an_act_that_is_no_request_settles(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = open_good(GOOD_LESSON, 1);
    const struct world *w = player_world(p);
    int64_t before = world_now(w);
    struct command c;
    assert_true(command_parse("move 12067 S3", &c, &err));
    assert_true(player_act(p, &c, &err));
    assert_int_equal(world_now(w), before + SETTLE_US);
    for (uint16_t r = 0; r < world_config_of(w)->routers; r++) {
        assert_int_equal(world_router(w, r).map_version, world_map_version(w));
        assert_int_equal(world_router_owner(w, r, 12067), 3);
    }
    c = like("R0");
    assert_true(player_act(p, &c, &err));
    assert_int_equal(world_now(w), before + SETTLE_US); /* its hops are there to be watched */
    assert_true(player_undo(p) && player_undo(p));
    assert_int_equal(world_now(w), before);
    player_close(p);
}

static void acts_are_undone_and_done_again(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = open_good(GOOD_LESSON, 1);
    go_to_step(p, "act");
    struct digest before = player_digest(p);
    size_t length = strlen(player_journal(p));
    assert_false(player_undo(p));
    struct command c = like("R0");
    assert_true(player_act(p, &c, &err));
    assert_true(player_tick(p, 1000000, &err));
    struct digest after = player_digest(p);
    char *journal = strdup(player_journal(p));
    assert_true(player_page(p)->task_met);
    assert_true(player_undo(p));
    assert_true(digest_equal(player_digest(p), before));
    assert_int_equal(strlen(player_journal(p)), length);
    assert_false(player_page(p)->task_met);
    assert_true(player_redo(p));
    assert_true(digest_equal(player_digest(p), after));
    assert_string_equal(player_journal(p), journal);
    assert_true(player_page(p)->task_met);
    assert_false(player_redo(p));
    /* More acts than are remembered: the oldest are forgotten, the rest still goes back. */
    for (int i = 0; i < 40; i++) {
        assert_true(player_act(p, &c, &err));
    }
    int undone = 0;
    while (player_undo(p)) {
        undone++;
    }
    assert_int_equal(undone, 32);
    free(journal);
    player_close(p);
}

static void an_impossible_act_changes_nothing(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = open_good(GOOD_LESSON, 1);
    struct digest before = player_digest(p);
    char *journal = strdup(player_journal(p));
    struct command c = like("R0");
    c.router = 99;
    assert_false(player_act(p, &c, &err));
    assert_string_not_equal(err.text, "");
    assert_true(digest_equal(player_digest(p), before));
    assert_string_equal(player_journal(p), journal);
    assert_false(player_undo(p));
    assert_false(player_set_router(p, 99, &err));
    assert_false(player_set_key(p, "", &err));
    assert_true(player_set_key(p, "mine", &err));
    assert_string_equal(player_page(p)->key, "mine");
    free(journal);
    player_close(p);
}

/* Whoever looked at earlier events and then answers starts from where the world had been. */
static void an_answer_catches_up_with_the_world(void **state)
{
    (void)state;
    struct err err = {""};
    struct digest ends[2];
    for (int back = 0; back < 2; back++) {
        struct player *p = open_good(GOOD_LESSON, 1);
        go_to_step(p, "ask-one");
        struct command c = like("R0");
        assert_true(player_act(p, &c, &err));
        assert_true(player_tick(p, 1000000, &err));
        for (int i = 0; i < 2 * back; i++) {
            assert_true(player_event_back(p));
        }
        answer(p, "2");
        ends[back] = player_digest(p);
        player_close(p);
    }
    assert_true(digest_equal(ends[0], ends[1]));
}

static void a_step_without_a_question_runs_when_entered(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = open_good(GOOD_LESSON, 1);
    go_to_step(p, "open");
    player_opened(p, "why", "answer S2 -> R0  refused");
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    const struct page *page = player_page(p);
    assert_string_equal(page->step_id, "shows");
    assert_true(page->running);
    assert_false(player_act(p, &(struct command){.kind = COMMAND_RELOAD}, &err));
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_false(page->running);
    assert_string_equal(page->after, "Likes: 3.");
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_true(player_page(p)->last && player_page(p)->deeper);
    assert_int_equal(player_forward(p, &err), PLAYER_END);
    player_close(p);
}

static void events_go_one_by_one_both_ways(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = open_good(GOOD_LESSON, 1);
    go_to_step(p, "ask-one");
    assert_true(player_answer(p, "2", &err));
    struct digest seen[8];
    uint64_t first = world_events(player_world(p));
    size_t n = 0;
    while (player_page(p)->running && n < 3) {
        seen[n++] = player_digest(p);
        assert_true(player_event(p, &err));
        assert_int_equal(world_events(player_world(p)), first + n);
    }
    assert_int_equal(n, 3);
    for (; n > 1; n--) {
        assert_true(player_event_back(p));
        assert_int_equal(world_events(player_world(p)), first + n - 1);
        assert_true(digest_equal(player_digest(p), seen[n - 1]));
    }
    assert_true(player_event_back(p));
    assert_false(player_event_back(p));
    /* The run still ends where it would have. */
    assert_true(player_finish_run(p, &err));
    assert_true(player_page(p)->question.right);
    player_close(p);
}

static void two_runs_are_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct player *a = open_good(GOOD_LESSON, seed), *b = open_good(GOOD_LESSON, seed);
        go_to_step(a, "end");
        go_to_step(b, "end");
        assert_true(digest_equal(player_digest(a), player_digest(b)));
        assert_string_equal(player_journal(a), player_journal(b));
        player_close(a);
        player_close(b);
    }
}

static void the_journal_replays(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = open_good(GOOD_LESSON, 1);
    go_to_step(p, "end");
    struct world *w = world_new(world_config_of(player_world(p)), &err);
    assert_non_null(w);
    assert_true(journal_replay(player_journal(p), w, &err));
    assert_true(digest_equal(world_digest(w), player_digest(p)));
    world_free(w);
    player_close(p);
}

static void rates_follow_the_world(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = open_good(GOOD_LESSON, 1);
    const struct rates *rates = player_rates(p);
    assert_int_equal(rates->cluster.writes, 0);
    struct command c = command_flow(OP_LIKE, bytes_of("likes:{p9}"), 50, ARRIVALS_STEADY);
    assert_true(player_act(p, &c, &err));
    assert_int_equal(player_rates(p)->shard[2].writes, 50);
    assert_true(player_undo(p));
    assert_int_equal(player_rates(p)->shard[2].writes, 0);
    player_close(p);
}

static void an_unknown_step_cannot_be_resumed(void **state)
{
    (void)state;
    struct err err = {""};
    struct player *p = open_good(GOOD_LESSON, 1);
    assert_false(player_go(p, "nowhere", &err));
    assert_contains(err.text, "nowhere");
    assert_string_equal(player_page(p)->step_id, "hello");
    go_to_step(p, "act");
    go_to_step(p, "ask-one");
    assert_string_equal(player_page(p)->step_id, "ask-one");
    player_close(p);
}

static void a_drill_is_the_same_for_the_same_seed(void **state)
{
    (void)state;
    struct err err = {""};
    struct str a = STR_EMPTY, b = STR_EMPTY;
    const char *path = "tests/data/lessons/layout-drill.lua";
    struct player *p = open_good(path, 5), *q = open_good(path, 5), *r = open_good(path, 6);
    assert_null(player_world(p));
    assert_null(player_rates(p));
    assert_true(player_page(p)->drill);
    assert_string_equal(player_page(p)->say, player_page(q)->say);
    assert_string_not_equal(player_page(p)->say, player_page(r)->say);
    assert_int_equal(player_page(p)->grids, 1);
    assert_int_equal(player_page(p)->grid[0]->keys, 1000);
    assert_true(player_page(p)->grid[0]->hidden);
    assert_true(player_right_answer(p, &a, &err));
    assert_true(player_right_answer(q, &b, &err));
    assert_string_equal(a.text, b.text);
    answer(p, a.text);
    assert_true(player_page(p)->question.right);
    assert_false(player_page(p)->grid[0]->hidden);
    char moved[24];
    snprintf(moved, sizeof moved, "%zu", player_page(p)->grid[0]->moved);
    assert_string_equal(a.text, moved);
    assert_false(player_act(p, &(struct command){.kind = COMMAND_RELOAD}, &err));
    assert_true(player_tick(p, 1000, &err));
    str_free(&a);
    str_free(&b);
    player_close(p);
    player_close(q);
    player_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_filled_in),
        cmocka_unit_test(a_question_stands_in_the_way),
        cmocka_unit_test(the_run_waits_and_then_judges),
        cmocka_unit_test(ticks_of_any_size_give_the_same_world),
        cmocka_unit_test(a_wrong_choice_is_explained_by_its_belief),
        cmocka_unit_test(several_want_each_that_holds),
        cmocka_unit_test(several_mistakes_are_all_explained),
        cmocka_unit_test_setup_teardown(beliefs_are_joined_and_none_is_said_twice, make_folder,
                                        remove_folder),
        cmocka_unit_test(numbers_are_read_as_people_type_them),
        cmocka_unit_test(letter_case_and_blanks_do_not_matter_in_texts),
        cmocka_unit_test(a_skipped_question_shows_the_truth),
        cmocka_unit_test(a_task_is_met_by_acting),
        cmocka_unit_test(a_task_can_be_shown),
        cmocka_unit_test_setup_teardown(what_was_done_half_does_not_keep_a_task_from_being_shown,
                                        make_folder, remove_folder),
        cmocka_unit_test(an_act_that_is_no_request_settles),
        cmocka_unit_test(acts_are_undone_and_done_again),
        cmocka_unit_test(an_impossible_act_changes_nothing),
        cmocka_unit_test(an_answer_catches_up_with_the_world),
        cmocka_unit_test(a_step_without_a_question_runs_when_entered),
        cmocka_unit_test(events_go_one_by_one_both_ways),
        cmocka_unit_test(two_runs_are_the_same),
        cmocka_unit_test(the_journal_replays),
        cmocka_unit_test(rates_follow_the_world),
        cmocka_unit_test(an_unknown_step_cannot_be_resumed),
        cmocka_unit_test(a_drill_is_the_same_for_the_same_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
