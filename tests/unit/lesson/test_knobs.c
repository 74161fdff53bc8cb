/*
 * Knobs, placings and experiments: what turning makes anew, what is undone and taken up again, what
 * is tried while somebody watches, and what a lesson may not declare.
 */
#include "helpers.h"
#include "lesson/lint.h"

#define NOON INT64_C(1796040000)

static const char lesson_text[] =
    "local ks = keys(\"k%d\", 0, 999)\n"
    "local function ring(v) return layout(\"ring\", { shards = 4, tokens = v, seed = 2 }) end\n"
    "return lesson { id = \"21_knobs\", part = 6, title = \"Knobs\", minutes = 2,\n"
    "  world = \"story-quiet\", steps = {\n"
    "  { id = \"turn\", title = \"Turn\", show = { \"ring\" },\n"
    "    say = \"{knob.tokens} tokens, {knob.scheme}.\",\n"
    "    knobs = { { name = \"tokens\", values = { 1, 16, 100 } },\n"
    "              { name = \"scheme\", label = \"way\", values = { \"ring\", \"jump\" }, start = "
    "\"jump\" } },\n"
    "    placing = function(w, knob)\n"
    "      local before = knob.scheme == \"ring\" and ring(knob.tokens) or layout(\"jump\", { "
    "shards "
    "= 4 })\n"
    "      return { { title = \"{knob.tokens}\", before = before, after = before:add(), keys = ks, "
    "lookup = \"k1\" } } end,\n"
    "    after = \"So {knob.tokens}.\",\n"
    "    try = { ask = \"Turn.\", goal = function() return knob.tokens == 100 and knob.scheme == "
    "\"ring\" end,\n"
    "      solution = { \"knob tokens 100\", \"knob scheme ring\" }, hints = { \"a\", \"b\", \"c\" "
    "} } "
    "},\n"
    "  { id = \"watch\", title = \"Watch\", show = { \"layouts\" }, say = \"Many.\",\n"
    "    predict = { id = \"q-median\", kind = \"number\", ask = \"?\", tolerance = 0.001,\n"
    "      answer = function() return experiment[2].median end, why = \"Half are below.\",\n"
    "      wrong = { [9] = \"No.\" }, hints = { \"a\", \"b\", \"c\" } },\n"
    "    experiment = { title = \"T\", groups = {\n"
    "      { label = \"one\", times = 6, try = function(i) return i / 2 end },\n"
    "      { label = \"two\", times = 4, try = function(i) return (i * 7) % 5 end } } },\n"
    "    after = \"{experiment[1].median} {experiment[1].least} {experiment[1].most} "
    "{experiment[2].median} {experiment[2].done}\" },\n"
    "  { id = \"hidden\", title = \"Hidden\", show = { \"ring\" }, say = \"x\",\n"
    "    placing = function() return { { title = \"t\", before = ring(1), after = ring(1):add(), "
    "keys "
    "= { \"a\", \"b\" } },\n"
    "      { title = \"u\", before = ring(2), keys = { \"a\" } } } end,\n"
    "    predict = { id = \"q-hidden\", kind = \"number\", ask = \"?\", answer = function() return "
    "1 "
    "end, why = \"w\", hints = { \"a\", \"b\", \"c\" } } } } }\n";

static struct player *open_knobs(const char *folder)
{
    struct str path = STR_EMPTY;
    write_file(&path, folder, "21_knobs.lua", lesson_text);
    struct player *p = open_good(path.text, 1);
    str_free(&path);
    return p;
}

static void turn(struct player *p, const char *name, const char *value)
{
    struct err err = {""};
    if (!player_turn(p, name, value, &err)) {
        fail_msg("%s", err.text);
    }
}

static void a_turn_makes_the_page_anew(void **state)
{
    struct player *p = open_knobs(*state);
    const struct page *page = player_page(p);
    assert_string_equal(page->say, "1 tokens, jump.");
    assert_int_equal(page->knobs, 2);
    assert_string_equal(page->knob[1].value, "jump");
    assert_string_equal(page->knob[0].values, "1 16 100");
    assert_string_equal(page->knob[0].label, "tokens");
    assert_string_equal(page->knob[1].label, "way");
    assert_int_equal(page->placings, 1);
    assert_string_equal(page->placing[0].title, "1");
    assert_string_equal(layout_scheme(page->placing[0].trial->before)->name, "jump");
    turn(p, "scheme", "ring");
    turn(p, "tokens", "16");
    page = player_page(p);
    assert_string_equal(page->say, "16 tokens, ring.");
    assert_string_equal(page->after, "So 16.");
    assert_int_equal(layout_params_of(page->placing[0].trial->after)->tokens, 16);
    assert_int_equal(layout_shards(page->placing[0].trial->after), 5);
    assert_string_equal(page->placing[0].lookup, "k1");
    assert_false(page->task_met);
    turn(p, "tokens", "100");
    assert_true(player_page(p)->task_met);
    player_close(p);
}

static void turns_are_undone_and_done_again(void **state)
{
    struct player *p = open_knobs(*state);
    assert_false(player_can_undo(p));
    turn(p, "tokens", "1"); /* where it is: nothing to undo */
    assert_false(player_can_undo(p));
    turn(p, "tokens", "16");
    turn(p, "scheme", "ring");
    turn(p, "tokens", "100");
    assert_true(player_page(p)->task_met);
    assert_true(player_undo(p));
    assert_string_equal(player_page(p)->say, "16 tokens, ring.");
    assert_false(player_page(p)->task_met);
    assert_true(player_undo(p));
    assert_true(player_undo(p));
    assert_string_equal(player_page(p)->say, "1 tokens, jump.");
    assert_false(player_undo(p));
    assert_true(player_redo(p));
    assert_string_equal(player_page(p)->say, "16 tokens, jump.");
    turn(p, "tokens", "100"); /* and what was undone is gone */
    assert_false(player_redo(p));
    player_close(p);
}

static void what_is_no_value_is_refused(void **state)
{
    struct err err = {""};
    struct player *p = open_knobs(*state);
    assert_false(player_turn(p, "tokens", "17", &err));
    assert_contains(err.text, "tokens: '17' is none of 1 16 100");
    assert_false(player_turn(p, "tokens", "", &err));
    assert_false(player_turn(p, "shards", "5", &err));
    assert_contains(err.text, "there is no knob 'shards' on this step");
    assert_false(player_turn(p, "volume", "5", &err));
    assert_contains(err.text, "no knob is called 'volume'");
    assert_string_equal(player_page(p)->say, "1 tokens, jump.");
    char name[KNOB_WORD_MAX], value[KNOB_WORD_MAX];
    assert_true(player_knob_line(p, "tokens 16", name, value));
    assert_string_equal(value, "16");
    assert_true(player_knob_line(p, "knob scheme ring", name, value));
    assert_string_equal(name, "scheme");
    assert_true(player_knob_line(p, "way jump", name, value)); /* by its label */
    assert_string_equal(name, "scheme");
    assert_string_equal(value, "jump");
    assert_false(player_knob_line(p, "way S2", name, value)); /* some command may begin so */
    assert_false(player_knob_line(p, "move 1 S2", name, value));
    assert_false(player_knob_line(p, "tokens", name, value));
    player_close(p);
}

static void a_step_back_begins_with_the_first_values(void **state)
{
    struct err err = {""};
    struct player *p = open_knobs(*state);
    turn(p, "tokens", "16");
    assert_int_equal(player_forward(p, &err), PLAYER_ASKS);
    assert_true(player_skip(p, &err)); /* shown: by its solution */
    assert_string_equal(player_page(p)->say, "100 tokens, ring.");
    assert_true(player_page(p)->task_met);
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_string_equal(player_page(p)->step_id, "watch");
    assert_true(player_back(p));
    assert_string_equal(player_page(p)->say, "1 tokens, jump.");
    assert_int_equal(player_page(p)->placings, 1);
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED); /* done before: done again */
    assert_string_equal(player_page(p)->say, "100 tokens, ring.");
    player_close(p);
}

static void log_event(struct progress *log, const char *kind, const char *detail)
{
    struct err err = {""};
    struct progress_event e = {kind, "21_knobs", "turn", NULL, NULL, detail};
    assert_true(progress_add(log, &e, NOON, &err));
}

static void turns_are_taken_up_again(void **state)
{
    struct err err = {""};
    struct str path = STR_EMPTY;
    str_addf(&path, "%s/progress", (const char *)*state);
    struct progress *log = progress_load(path.text, &err);
    struct player *p = open_knobs(*state);
    log_event(log, "step", NULL);
    log_event(log, "act", "knob tokens 100");
    log_event(log, "act", "knob scheme ring");
    log_event(log, "act", "undo");
    assert_true(player_resume(p, log, &err));
    assert_string_equal(player_page(p)->say, "100 tokens, jump.");
    assert_false(player_page(p)->task_met);
    assert_true(player_redo(p));
    assert_string_equal(player_page(p)->say, "100 tokens, ring.");
    player_close(p);
    /* A value that the lesson no longer has ends what is done again, which is told, and nothing
     * else. */
    log_event(log, "step", NULL);
    log_event(log, "act", "knob tokens 16");
    log_event(log, "act", "knob tokens 9000");
    p = open_knobs(*state);
    assert_false(player_resume(p, log, &err));
    assert_string_equal(player_page(p)->knob[0].value, "16");
    player_close(p);
    progress_free(log);
    str_free(&path);
}

/* --- experiments --- */

static struct player *open_watch(const char *folder)
{
    struct player *p = open_knobs(folder);
    go_to_step(p, "watch");
    return p;
}

static void an_experiment_runs_while_it_is_watched(void **state)
{
    struct err err = {""};
    struct player *p = open_watch(*state);
    const struct page *page = player_page(p);
    assert_non_null(page->experiment);
    assert_int_equal(page->experiment->groups, 2);
    assert_int_equal(page->experiment->group[1].total, 4);
    assert_int_equal(page->experiment->group[0].done, 0);
    assert_false(page->running);
    assert_true(player_answer(p, "2.5", &err));
    assert_true(page->running);
    assert_false(player_turn(p, "tokens", "16", &err));
    assert_contains(err.text, "still running");
    size_t before = 0;
    int ticks = 0;
    for (; page->running && ticks < 1000; ticks++) {
        assert_true(player_tick(p, 10000, &err));
        size_t done = page->experiment->group[0].done + page->experiment->group[1].done;
        assert_true(done >= before && done <= before + 1);
        before = done;
    }
    assert_true(ticks > 10);
    assert_int_equal(before, 10);
    assert_string_equal(page->after, "1.75 0.5 3 2.5 4");
    assert_true(page->question.right);
    assert_int_equal(page->experiment->group[0].value[5], 3000);
    player_close(p);
}

static void or_is_finished_at_once_with_the_same_result(void **state)
{
    struct err err = {""};
    struct str answer = STR_EMPTY;
    struct player *p = open_watch(*state);
    assert_true(player_right_answer(p, &answer, &err));
    assert_string_equal(answer.text, "2.5");
    assert_int_equal(player_page(p)->experiment->group[0].done, 0); /* tried on a copy */
    assert_false(player_page(p)->running);
    assert_true(player_answer(p, answer.text, &err));
    assert_true(player_event(p, &err)); /* one try */
    assert_int_equal(player_page(p)->experiment->group[0].done, 1);
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_false(player_page(p)->running);
    assert_string_equal(player_page(p)->after, "1.75 0.5 3 2.5 4");
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_true(player_back(p)); /* what it found is still there */
    assert_int_equal(player_page(p)->experiment->group[1].done, 4);
    assert_false(player_page(p)->replays);
    assert_string_equal(player_page(p)->after, "1.75 0.5 3 2.5 4");
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_true(player_back(p));
    assert_int_equal(player_page(p)->experiment->group[1].done, 4);
    str_free(&answer);
    player_close(p);
}

static void a_placing_hides_until_the_answer(void **state)
{
    struct err err = {""};
    struct player *p = open_knobs(*state);
    go_to_step(p, "hidden");
    const struct page *page = player_page(p);
    assert_int_equal(page->placings, 2);
    assert_true(page->placing[0].hidden);
    assert_int_equal(keyset_count(page->placing[0].trial->keys), 2);
    assert_int_equal(page->placing[1].trial->moved.moved, 0); /* no change */
    assert_true(player_answer(p, "1", &err));
    assert_false(player_page(p)->placing[0].hidden);
    assert_true(page->placing[0].lookup_ns <= 0);
    player_measure(p);
    assert_true(page->placing[0].lookup_ns > 0);
    player_close(p);
}

/* --- what may not be declared --- */

static void assert_fault(const char *folder, const char *step, const char *part)
{
    struct str path = STR_EMPTY, text = STR_EMPTY;
    bool found = false;
    str_addf(&text,
             "return lesson { id = \"22_bad\", part = 6, title = \"B\", minutes = 1, steps = {\n"
             "{ id = \"a\", title = \"A\", say = \"x\", %s } } }\n",
             step);
    write_file(&path, folder, "22_bad.lua", text.text);
    struct lint_report *r = lesson_check(path.text);
    for (size_t i = 0; i < r->count; i++) {
        found = found || strstr(r->finding[i].message, part) != NULL;
    }
    if (!found) {
        fail_msg("\"%s\" is not found, but \"%s\"", part,
                 r->count > 0 ? r->finding[0].message : "nothing");
    }
    lint_report_free(r);
    str_free(&text);
    str_free(&path);
}

static void labels_are_short_and_no_other_word(void **state)
{
    const char *f = *state;
    assert_fault(f, "knobs = { { name = \"size\", label = \"thirteen-long\", values = { 1, 2 } } }",
                 "the label 'thirteen-long' of a knob has 13 columns, 12 fit");
    assert_fault(f, "knobs = { { name = \"size\", label = \"*days*\", values = { 1, 2 } } }",
                 "a knob's 'label' is of letters");
    assert_fault(f, "knobs = { { name = \"size\", label = \"\", values = { 1, 2 } } }",
                 "a knob's 'label' is of letters");
    assert_fault(f, "knobs = { { name = \"size\", label = \"days \", values = { 1, 2 } } }",
                 "a knob's 'label' is of letters");
    assert_fault(f, "knobs = { { name = \"size\", label = \"open\", values = { 1, 2 } } }",
                 "the label 'open' of a knob is a command as well");
    assert_fault(f, "knobs = { { name = \"size\", label = \"Deaf\", values = { 1, 2 } } }",
                 "the label 'Deaf' of a knob is a command as well");
    assert_fault(f,
                 "knobs = { { name = \"size\", label = \"cap\", values = { 1, 2 } }, "
                 "{ name = \"cap\", values = { 1, 2 } } }",
                 "the label 'cap' of a knob is that of another, or its name");
    assert_fault(f,
                 "knobs = { { name = \"size\", label = \"days\", values = { 1, 2 } }, "
                 "{ name = \"cap\", label = \"Days\", values = { 1, 2 } } }",
                 "of a knob is that of another, or its name");
    assert_fault(f, "knobs = { { name = \"size\", label = 7, values = { 1, 2 } } }", "'label'");
}

static void the_check_knows_the_fields(void **state)
{
    const char *f = *state;
    assert_fault(f, "knobs = { { name = \"tokns\", values = { 1, 2 } } }",
                 "did you mean 'tokens'?");
    assert_fault(f, "knobs = { { name = \"tokens\", values = { 1 } } }",
                 "2 to 16 values of a knob");
    assert_fault(f, "knobs = { { name = \"tokens\", values = { 1, \"a b\" } } }",
                 "value 2 of a knob must be a finite number or one word");
    assert_fault(f, "knobs = { { name = \"tokens\", values = { 1, 0 / 0 } } }",
                 "value 2 of a knob must be a finite number or one word");
    assert_fault(f, "knobs = { { name = \"tokens\", values = { 1 / 0, 1 } } }",
                 "value 1 of a knob must be a finite number");
    assert_fault(f, "knobs = { { name = \"tokens\", values = { 1, 2, 1 } } }",
                 "two values of a knob are written '1'");
    assert_fault(f, "knobs = { { name = \"tokens\", values = { 16, 16.0 } } }",
                 "two values of a knob are written '16'");
    assert_fault(f, "knobs = { { name = \"tokens\", values = { \"2\", 2 } } }",
                 "two values of a knob are written '2'");
    assert_fault(f, "knobs = { { name = \"tokens\", values = { 1, 2 }, start = 3 } }",
                 "'start' is none of its values");
    assert_fault(
        f,
        "knobs = { { name = \"cap\", values = { 1, 2 } }, { name = \"cap\", values = { 1, 2 "
        "} } }",
        "two knobs are called 'cap'");
    assert_fault(f,
                 "experiment = { title = \"t\", groups = { { label = \"l\", times = 500, try = "
                 "function() return 1 end } } }",
                 "'times' is a whole number from 1 to 200");
    assert_fault(f,
                 "run = function() end, experiment = { title = \"t\", groups = { { label = \"l\", "
                 "times = 1, try = function() return 1 end } } }",
                 "either 'run' or 'experiment'");
    assert_fault(f,
                 "experiment = { title = \"t\", groups = { { label = \"l\", times = 2, try = "
                 "function() return \"x\" end } } }",
                 "an experiment's 'try' gives a string");
    assert_fault(f,
                 "experiment = { title = \"t\", groups = { { label = \"l\", times = 200, try = "
                 "function() for i = 1, 900000 do end return 1 end } } }",
                 "the experiment is more work than a lesson may do");
    assert_fault(f, "show = { \"ring\" }", "the picture 'ring' needs 'placing'");
    assert_fault(f, "show = { \"layouts\" }", "the picture 'layouts' needs 'experiment'");
    assert_fault(f, "placing = function() return 5 end", "'placing' gives a number, not a list");
    assert_fault(f, "placing = function() return { 5 } end", "placing 1 is a number");
    assert_fault(f, "placing = function() return { { before = 1 } } end",
                 "a placing's 'before' is a number, not a layout");
    assert_fault(f,
                 "placing = function() return { { before = layout(\"jump\", {}), keys = 1 } } end",
                 "a list of keys is wanted here, not a number");
    /* A fault at a value that only a turn reaches. */
    assert_fault(f,
                 "knobs = { { name = \"cap\", values = { 1, 2 } } }, placing = function(w, knob) "
                 "if knob.cap == 2 then error(\"two\") end return {} end",
                 "two");
    assert_fault(f,
                 "try = { ask = \"?\", goal = function() return knob.cap == 2 end, solution = { "
                 "\"knob cap 3\" } }, knobs = { { name = \"cap\", values = { 1, 2 } } }",
                 "the solution \"knob cap 3\": cap: '3' is none of 1 2");
}

/* The page stays whole when a turn goes wrong. */
static void a_turn_that_fails_changes_nothing(void **state)
{
    struct err err = {""};
    struct str path = STR_EMPTY;
    write_file(
        &path, *state, "23_fails.lua",
        "return lesson { id = \"23_fails\", part = 6, title = \"F\", minutes = 1, steps = {\n"
        "{ id = \"a\", title = \"A\", say = \"at {knob.cap}\",\n"
        "  knobs = { { name = \"cap\", values = { 1, 2 } } },\n"
        "  placing = function(w, knob)\n"
        "    if knob.cap == 2 then error(\"two\") end\n"
        "    local l = layout(\"jump\", {})\n"
        "    return { { title = \"t\", before = l, keys = { \"a\" } } } end } } }\n");
    struct player *p = open_good(path.text, 1);
    assert_false(player_turn(p, "cap", "2", &err));
    assert_contains(err.text, "23_fails.lua:5: two");
    assert_string_equal(player_page(p)->say, "at 1");
    assert_int_equal(player_page(p)->placings, 1);
    assert_string_equal(player_page(p)->placing[0].title, "t");
    assert_int_equal(player_page(p)->placing[0].trial->keys_before.total, 1);
    assert_false(player_can_undo(p));
    player_close(p);
    str_free(&path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_turn_makes_the_page_anew, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(turns_are_undone_and_done_again, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(what_is_no_value_is_refused, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_step_back_begins_with_the_first_values, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(turns_are_taken_up_again, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(an_experiment_runs_while_it_is_watched, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(or_is_finished_at_once_with_the_same_result, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_placing_hides_until_the_answer, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(labels_are_short_and_no_other_word, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(the_check_knows_the_fields, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_turn_that_fails_changes_nothing, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
