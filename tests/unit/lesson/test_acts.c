/*
 * Questions whose choices act, and steps that are passed over: what is judged, what runs, what is
 * taken back, and where the path leads.
 */
#include "helpers.h"
#include "lesson/lint.h"

/* A heap of likes: the learner adds one or two until there are three; a third choice spoils it. */
static const char drill_text[] =
    "local K = \"likes:{p9}\"\n"
    "return drill { id = \"heap\", part = 8, title = \"T\", make = function(r)\n"
    "  local order = r:shuffle { 1, 2, 3 }\n"
    "  local function add(n) return function(w) for i = 1, n do w:send(\"like\", K, \"R0\") end\n"
    "    w:play_answered() end end\n"
    "  local steps = {}\n"
    "  for turn = 1, 5 do\n"
    "    steps[turn] = { id = \"turn-\" .. turn, title = \"t\", show = { \"slot_map\" },\n"
    "      when = function(w) return w:value(K) < 3 end,\n"
    "      say = \"There are {w:value(\\\"likes:{p9}\\\")}.\",\n"
    "      predict = { id = \"q-\" .. turn, kind = \"choice\", acts = true, ask = \"What now?\",\n"
    "        choices = function(w)\n"
    "          local all = {\n"
    "            { \"one, to \" .. w:value(K) + 1, holds = function() return 2 end,\n"
    "              act = add(1), why = \"One is slow.\" },\n"
    "            { \"two\", holds = function(w) return w:value(K) < 2 and 1 end,\n"
    "              act = add(2), belief = \"b\", why = \"Two are {w:value(\\\"likes:{p9}\\\")}.\" "
    "},\n"
    "            { \"seven\", holds = function() return false end,\n"
    "              act = add(7), belief = \"more is better\", why = \"Three were wanted.\" } }\n"
    "          local out = {}\n"
    "          for i = 1, 3 do out[i] = all[order[i]] end\n"
    "          return out\n"
    "        end },\n"
    "      after = \"{w:value(\\\"likes:{p9}\\\")} now.\" }\n"
    "  end\n"
    "  steps[6] = { id = \"end\", title = \"t\", show = { \"slot_map\" }, with = { did = "
    "function()\n"
    "      local out = {}\n"
    "      for turn = 1, 5 do local a = answered(\"q-\" .. turn)\n"
    "        out[turn] = a == nil and \"-\" or (a.did:sub(1, 3) .. (a.right and \"+\" or \"?\") "
    "..\n"
    "          (a.skipped and \"s\" or \"\")) end\n"
    "      return table.concat(out, \" \") end },\n"
    "    say = \"{w:value(\\\"likes:{p9}\\\")}: {did()}\" }\n"
    "  return { world = \"story-quiet\", steps = steps }\n"
    "end }\n";

static struct player *open_heap(const char *folder, uint64_t seed)
{
    struct str path = STR_EMPTY;
    write_file(&path, folder, "heap.lua", drill_text);
    struct player *p = open_good(path.text, seed);
    str_free(&path);
    return p;
}

/* Chooses the choice that begins so, and watches to the end. */
static void choose(struct player *p, const char *begins)
{
    struct err err = {""};
    const struct page_question *q = &player_page(p)->question;
    char number[12] = "";
    for (size_t i = 0; i < q->choices; i++) {
        if (strncmp(q->choice[i].text, begins, strlen(begins)) == 0) {
            snprintf(number, sizeof number, "%d", (int)i + 1);
        }
    }
    if (!player_answer(p, number, &err) || !player_finish_run(p, &err)) {
        fail_msg("%s", err.text);
    }
}

static void forward_to(struct player *p, const char *step)
{
    struct err err = {""};
    if (player_forward(p, &err) != PLAYER_MOVED) {
        fail_msg("%s", err.text);
    }
    assert_string_equal(player_page(p)->step_id, step);
}

static void what_is_chosen_happens(void **state)
{
    struct player *p = open_heap(*state, 1);
    assert_string_equal(player_page(p)->say, "There are 0.");
    choose(p, "one");
    assert_true(player_page(p)->question.right);
    assert_string_equal(player_page(p)->question.feedback, "One is slow.");
    assert_string_equal(player_page(p)->question.truth, "two");
    assert_string_equal(player_page(p)->after, "1 now.");
    forward_to(p, "turn-2");
    assert_string_equal(player_page(p)->say, "There are 1.");
    choose(p, "two");
    assert_string_equal(player_page(p)->question.feedback, "Two are 1."); /* judged before */
    assert_string_equal(player_page(p)->after, "3 now.");
    forward_to(p, "end");
    assert_string_equal(player_page(p)->say, "3: one+ two+ - - -");
    player_close(p);
}

static void what_is_wrong_is_seen_and_taken_back(void **state)
{
    struct err err = {""};
    struct player *p = open_heap(*state, 2);
    struct digest before = player_digest(p);
    choose(p, "seven");
    const struct page_question *q = &player_page(p)->question;
    assert_false(q->right);
    assert_string_equal(q->belief, "more is better");
    assert_string_equal(q->feedback, "Three were wanted.");
    assert_string_equal(player_page(p)->after, "7 now.");
    forward_to(p, "turn-2");
    struct digest after = player_digest(p);
    assert_memory_equal(&before, &after, sizeof before);
    assert_string_equal(player_page(p)->say, "There are 0.");
    assert_true(player_skip(p, &err)); /* shows the best */
    assert_true(player_finish_run(p, &err));
    assert_string_equal(player_page(p)->after, "2 now.");
    forward_to(p, "turn-3");
    choose(p, "two"); /* it does not hold any more */
    assert_false(player_page(p)->question.right);
    forward_to(p, "turn-4");
    choose(p, "one");
    forward_to(p, "end");
    assert_string_equal(player_page(p)->say, "3: sev? two?s two? one+ -");
    player_close(p);
}

/* An answer stays only as long as its choices do. */
static void another_path_opens_the_question_again(void **state)
{
    struct err err = {""};
    struct player *p = open_heap(*state, 3);
    choose(p, "one");
    forward_to(p, "turn-2");
    choose(p, "one");
    forward_to(p, "turn-3");
    choose(p, "one");
    forward_to(p, "end");
    assert_true(player_back(p));
    assert_string_equal(player_page(p)->step_id, "turn-3");
    assert_true(player_back(p));
    assert_true(player_back(p));
    assert_string_equal(player_page(p)->step_id, "turn-1");
    assert_int_equal(player_page(p)->question.state, QUESTION_ANSWERED);
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED); /* its run, once more */
    assert_true(player_finish_run(p, &err));
    assert_string_equal(player_page(p)->after, "1 now.");
    forward_to(p, "turn-2");
    assert_int_equal(player_page(p)->question.state, QUESTION_ANSWERED);
    assert_true(player_back(p));
    assert_true(player_ask_again(p, &err));
    choose(p, "two");
    forward_to(p, "turn-2");
    assert_int_equal(player_page(p)->question.state, QUESTION_OPEN); /* "one, to 3" it is now */
    choose(p, "one");
    forward_to(p, "end");
    assert_string_equal(player_page(p)->say, "3: two+ one+ - - -");
    assert_true(player_back(p));
    assert_string_equal(player_page(p)->step_id, "turn-2"); /* the third is none of this path */
    player_close(p);
}

static void right_and_wrong_are_foretold(void **state)
{
    struct err err = {""};
    struct str answer = STR_EMPTY;
    struct player *p = open_heap(*state, 4);
    const struct page_question *q = &player_page(p)->question;
    assert_true(player_right_answer(p, &answer, &err));
    assert_string_equal(q->choice[answer.text[0] - '1'].text, "two");
    assert_true(player_wrong_answer(p, 0, &answer, &err));
    assert_string_equal(q->choice[answer.text[0] - '1'].text, "seven");
    assert_false(player_wrong_answer(p, 1, &answer, &err)); /* what costs more is not wrong */
    str_free(&answer);
    player_close(p);
}

static void the_check_walks_such_a_drill(void **state)
{
    struct str path = STR_EMPTY;
    write_file(&path, *state, "heap.lua", drill_text);
    struct lint_report *r = lesson_check(path.text);
    for (size_t i = 0; i < r->count; i++) {
        print_message("%d: %s\n", r->finding[i].line, r->finding[i].message);
    }
    assert_int_equal(r->errors, 0);
    lint_report_free(r);
    str_free(&path);
}

static void refused(const char *folder, const char *predict, const char *part)
{
    struct err err = {""};
    struct str path = STR_EMPTY, text = STR_EMPTY;
    str_addf(&text,
             "return lesson { id = \"10_acts\", part = 1, title = \"T\", minutes = 1, steps = { { "
             "id = \"a\", title = \"t\", say = \"s\", %s } } }",
             predict);
    write_file(&path, folder, "10_acts.lua", text.text);
    struct player *p = player_open(path.text, 1, &err);
    if (p != NULL) {
        player_close(p);
    }
    assert_contains(err.text, part);
    str_free(&path);
    str_free(&text);
}

static void what_cannot_act_is_told(void **state)
{
    refused(*state,
            "predict = { id = \"q\", kind = \"number\", acts = true, ask = \"a\", answer = "
            "function() return 1 end }",
            "only choices of which one is made can act");
    refused(*state,
            "run = function(w) end, predict = { id = \"q\", kind = \"choice\", acts = true, ask = "
            "\"a\", choices = function() return {} end }",
            "no 'run' beside them");
    refused(*state,
            "predict = { id = \"q\", kind = \"choice\", ask = \"a\", choices = function() return 3 "
            "end }",
            "'choices' gives a number, not a list");
    refused(*state,
            "predict = { id = \"q\", kind = \"choice\", ask = \"a\", choices = function() return "
            "{ { \"x\" } } end }",
            "2 to 9 choices, not 1");
    refused(*state, "enter = function() answered(\"nothing\") end",
            "answered: there is no question 'nothing'");
}

/* What a choice's `holds` gives is true, false or a cost; anything else is a slip. */
static void what_holds_gives_is_looked_at(void **state)
{
    static const char *const given[] = {"0/0", "math.huge", "-math.huge", "'yes'", "{}"};
    struct str path = STR_EMPTY, text = STR_EMPTY, answer = STR_EMPTY;
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        struct err err = {""};
        str_clear(&text);
        str_addf(&text,
                 "return lesson { id = \"10_acts\", part = 1, title = \"T\", minutes = 1, "
                 "world = \"story-quiet\", steps = { { id = \"a\", title = \"t\", say = \"s\", "
                 "predict = { id = \"q\", kind = \"choice\", acts = true, ask = \"a\", why = "
                 "\"w\", choices = { { \"one\", holds = function() return %s end }, { \"two\", "
                 "holds = function() return false end, belief = \"b\", why = \"w\" } } } } } }",
                 given[i]);
        write_file(&path, *state, "10_acts.lua", text.text);
        struct player *p = open_good(path.text, 1);
        assert_false(player_right_answer(p, &answer, &err));
        assert_contains(err.text, "'holds' of choice 1 gives a");
        player_close(p);
    }
    str_free(&path);
    str_free(&text);
    str_free(&answer);
}

static void a_step_that_never_comes_is_told(void **state)
{
    struct str path = STR_EMPTY;
    write_file(&path, *state, "10_acts.lua",
               "return lesson { id = \"10_acts\", part = 1, title = \"T\", minutes = 1, "
               "world = \"story-quiet\", steps = {\n"
               "{ id = \"a\", title = \"t\", say = \"s\", show = { \"slot_map\" } },\n"
               "{ id = \"never\", title = \"t\", say = \"{nothing}\", show = { \"slot_map\" },\n"
               "  when = function() return false end },\n"
               "{ id = \"c\", title = \"t\", say = \"s\", show = { \"slot_map\" } } } }\n");
    struct lint_report *r = lesson_check(path.text);
    bool told = false;
    for (size_t i = 0; i < r->count; i++) {
        told = told || strstr(r->finding[i].message, "step 'never' is never reached") != NULL;
    }
    assert_true(told);
    lint_report_free(r);
    str_free(&path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_chosen_happens, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_seen_and_taken_back, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(another_path_opens_the_question_again, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(right_and_wrong_are_foretold, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_check_walks_such_a_drill, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_cannot_act_is_told, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_holds_gives_is_looked_at, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_step_that_never_comes_is_told, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
