/*
 * lesson check and lesson new.
 */
#include "lesson/lint.h"

#include "helpers.h"
#include "lesson/measure_text.h"
#include <sys/stat.h>

/* As a screen of ten columns might count. */
static int rows(const struct page *page)
{
    return (int)(strlen(page->say) + strlen(page->after)) / 10;
}

static struct lint_report *check(const char *folder, const char *steps)
{
    struct str path = STR_EMPTY, text = STR_EMPTY;
    str_addf(&text,
             "return lesson { id = \"bad\", part = 1, title = \"T\", minutes = 3,\n"
             "  world = \"story-quiet\", steps = {\n%s\n} }\n",
             steps);
    write_file(&path, folder, "bad.lua", text.text);
    struct lint_report *r =
        lesson_check_as(path.text, &(struct lint_wish){.seeds = 1, .rows = rows});
    str_free(&path);
    str_free(&text);
    return r;
}

/* An error at this line whose message has this part. */
static void assert_found(const char *folder, const char *steps, int line, const char *part)
{
    struct lint_report *r = check(folder, steps);
    bool found = false;
    for (size_t i = 0; i < r->count; i++) {
        const struct lint_finding *f = &r->finding[i];
        found = found || (f->severity == LINT_ERROR && f->line == line &&
                          strstr(f->message, part) != NULL && strstr(f->file, "bad.lua") != NULL);
    }
    if (!found) {
        print_error("not found: %d %s\n", line, part);
        for (size_t i = 0; i < r->count; i++) {
            print_error("%d: %s\n", r->finding[i].line, r->finding[i].message);
        }
        fail();
    }
    assert_true(r->errors > 0);
    lint_report_free(r);
}

static void a_good_lesson_has_no_errors(void **state)
{
    (void)state;
    struct lint_report *r = lesson_check(GOOD_LESSON);
    for (size_t i = 0; i < r->count; i++) {
        if (r->finding[i].severity == LINT_ERROR) {
            print_error("%d: %s\n", r->finding[i].line, r->finding[i].message);
        }
    }
    assert_int_equal(r->errors, 0);
    assert_int_equal(r->steps, 9);
    assert_int_equal(r->questions, 4);
    assert_int_equal(r->tasks, 2);
    assert_true(r->core_seconds > 0 && r->longest_read_seconds > 0);
    lint_report_free(r);
    r = lesson_check("tests/data/lessons/layout-drill.lua");
    assert_int_equal(r->errors, 0);
    lint_report_free(r);
}

/* A run is watched; beyond the core path it does not count. */
static void runs_take_time(void **state)
{
    static const char plain[] = "{ id = \"a\", title = \"A\", say = \"x\" }";
    static const char runs[] = "{ id = \"a\", title = \"A\", say = \"x\", run = function() end }";
    static const char deeper[] =
        "{ id = \"a\", title = \"A\", say = \"x\", run = function() end, deeper = true }";
    struct lint_report *a = check(*state, plain), *b = check(*state, runs),
                       *c = check(*state, deeper);
    assert_int_equal(b->core_seconds, a->core_seconds + 3);
    assert_true(c->core_seconds < a->core_seconds);
    lint_report_free(a);
    lint_report_free(b);
    lint_report_free(c);
}

static void a_file_that_does_not_load_is_one_error(void **state)
{
    assert_found(*state, "{ id = \"a\", title = \"A\", sya = \"x\" }", 3, "did you mean 'say'?");
    struct lint_report *r = lesson_check("/nowhere/x.lua");
    assert_int_equal(r->errors, 1);
    assert_int_equal(r->finding[0].line, 1);
    lint_report_free(r);
}

static void faults_of_questions_are_found(void **state)
{
    static const char start[] =
        "{ id = \"a\", title = \"A\", say = \"x\",\n predict = { id = \"q\", ";
    struct str s = STR_EMPTY;
    str_addf(&s,
             "%skind = \"choice\", ask = \"?\", choices = { { \"x\", holds = function() return "
             "false end },"
             "{ \"y\", holds = function() return false end } } } }",
             start);
    assert_found(*state, s.text, 4, "0 of its choices hold");
    str_clear(&s);
    str_addf(&s,
             "%skind = \"choice\", ask = \"?\", choices = { { \"x\", holds = function() return "
             "true end },"
             "{ \"y\", holds = function() return false end, why = \"{oops}\" } } } }",
             start);
    assert_found(*state, s.text, 4, "undefined name 'oops'");
    str_clear(&s);
    str_addf(&s, "%skind = \"number\", ask = \"?\", answer = function() return \"x\" end } }",
             start);
    assert_found(*state, s.text, 4, "its answer is a string, not a number");
    str_clear(&s);
    str_addf(&s,
             "%skind = \"number\", ask = \"?\", answer = function() return 1 end },\n"
             "  after = \"{answer + 1}\" }",
             start);
    assert_found(*state, s.text, 5, "arithmetic on a nil value"); /* when it is skipped */
    str_clear(&s);
    /* An answer that is another one each time cannot be judged right. */
    str_addf(
        &s,
        "%skind = \"number\", ask = \"?\", answer = function() n = (rawget(_ENV, \"n\") or 0) + 1"
        " return n end } }",
        start);
    assert_found(*state, s.text, 3, "judged wrong, and it is right");
    str_free(&s);
}

static void assert_grid_fault(const char *folder, const char *grids, const char *part)
{
    struct str s = STR_EMPTY;
    str_addf(&s,
             "{ id = \"a\", title = \"A\", say = \"x\",\n"
             " show = { \"grid\" },\n grids = function(w) return %s end }",
             grids);
    assert_found(folder, s.text, 5, part);
    str_free(&s);
}

static void faults_of_grids_have_their_line(void **state)
{
    assert_grid_fault(*state, "nil", "'grids' gives a nil, not a list of grids");
    assert_grid_fault(*state, "7", "'grids' gives a number, not a list of grids");
    assert_grid_fault(*state, "\"x\"", "'grids' gives a string, not a list of grids");
    assert_grid_fault(*state, "{ 5 }", "grid 1 is a number: it needs before, after and keys");
    assert_grid_fault(*state, "{ { before = 1 } }", "a grid's 'before' is a number, not a layout");
    assert_grid_fault(*state, "{ { title = {} } }", "a grid's 'title' is a table, not a text");
    assert_grid_fault(*state,
                      "{ { before = layout(\"mod-n\", {}), after = layout(\"mod-n\", {}),"
                      " keys = { {} } } }",
                      "key 1 of a grid is a table, not a text");
}

static void only_numbers_that_can_be_typed_are_answers(void **state)
{
    static const struct {
        const char *answer, *part; /* part NULL: it can be typed */
    } cases[] = {{"0/0", "a number here is finite"},
                 {"1/0", "its answer is inf"},
                 {"-1e300", "its answer is -1e+300"},
                 {"1e15", "its answer is 1e+15"},
                 {"1e12", NULL},
                 {"-999999999999999", NULL},
                 {"2/3", NULL},
                 {"1e-7", NULL},
                 {"123456789012.5", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct str s = STR_EMPTY;
        str_addf(&s,
                 "{ id = \"a\", title = \"A\", say = \"x\",\n predict = { id = \"q\", "
                 "kind = \"number\", ask = \"?\", why = \"y\",\n"
                 "  answer = function() return %s end } }",
                 cases[i].answer);
        if (cases[i].part != NULL) {
            assert_found(*state, s.text, 4, cases[i].part);
        } else {
            struct lint_report *r = check(*state, s.text);
            for (size_t k = 0; r->errors > 0 && k < r->count; k++) {
                print_error("%s: %s\n", cases[i].answer, r->finding[k].message);
            }
            assert_int_equal(r->errors, 0);
            lint_report_free(r);
        }
        str_free(&s);
    }
}

static void a_fault_of_the_first_run_is_found(void **state)
{
    assert_found(*state,
                 "{ id = \"a\", title = \"A\", say = \"x\",\n"
                 " run = function(w) error(\"boom\") end }",
                 4, "boom");
}

/* The check of a lesson that plays as much as it may in every step ends nevertheless. */
static void much_traffic_ends_the_check(void **state)
{
    struct str s = STR_EMPTY;
    for (int i = 0; i < 40; i++) {
        str_addf(&s,
                 "{ id = \"s%d\", title = \"A\", say = \"x\",\n"
                 " enter = function(w) w:flow(\"read\", \"user:1\", 1000000) end,\n"
                 " run = function(w) w:play_for(0.5) end },\n",
                 i);
    }
    assert_found(*state, s.text, 98,
                 "a check plays, all steps together, at most 60,000,000 events");
    str_free(&s);
}

/* The file is named by the finding, not again by its message, whatever it is called. */
static void odd_names_are_told_once(void **state)
{
    static const char *const folders[] = {
        "a:1: b", "tab\tand\nline", "bidi\xE2\x80\xAE",
        "%s",     "no\xFFtext",     "long-long-long-long-long-long-long-long-long-long-long"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        struct str folder = STR_EMPTY;
        str_addf(&folder, "%s/%s", (const char *)*state, folders[i]);
        assert_int_equal(mkdir(folder.text, 0700), 0);
        struct lint_report *r =
            check(folder.text, "{ id = \"a\", title = \"A\",\n say = \"{oops}\" }");
        assert_int_equal(r->count, 1);
        assert_int_equal(r->finding[0].line, 4);
        assert_string_equal(r->finding[0].message, "undefined name 'oops'");
        lint_report_free(r);
        str_free(&folder);
    }
    struct str long_name = STR_EMPTY, path = STR_EMPTY;
    str_pad(&long_name, 'x', 200);
    str_add(&long_name, ".lua");
    write_file(&path, *state, long_name.text, "return nothing");
    struct lint_report *r = lesson_check(path.text);
    assert_int_equal(r->count, 1);
    assert_int_equal(r->finding[0].line, 1);
    assert_string_equal(r->finding[0].message, "undefined name 'nothing'");
    lint_report_free(r);
    str_free(&long_name);
    str_free(&path);
}

static void faults_of_tasks_are_found(void **state)
{
    assert_found(*state,
                 "{ id = \"a\", title = \"A\", say = \"x\",\n"
                 " try = { ask = \"?\", goal = function() return true end } }",
                 3, "the goal holds before the learner acts");
    assert_found(*state,
                 "{ id = \"a\", title = \"A\", say = \"x\",\n"
                 " try = { ask = \"?\", goal = function() return false end } }",
                 3, "the goal does not hold after the solution");
    assert_found(*state,
                 "{ id = \"a\", title = \"A\", say = \"x\",\n"
                 " try = { ask = \"?\", goal = function() return false end,\n"
                 " solution = { \"fly R5\" } } }",
                 5, "the solution");
}

static void long_texts_are_found(void **state)
{
    struct str s = STR_EMPTY;
    str_add(&s, "{ id = \"a\", title = \"A\", say = \"");
    for (int i = 0; i < 200; i++) {
        str_add(&s, "word ");
    }
    str_add(&s, "\" }");
    assert_found(*state, s.text, 3, "seconds of reading since the last commitment");
    assert_found(*state, s.text, 3, "the step opens with 99 rows at 80x24, 19 fit");
    assert_found(*state, s.text, 3, "need more than 60 rows");
    str_free(&s);
    assert_found(*state, "{ id = \"a\", title = \"A\", say = \"\xF0\x9F\x98\x80\" }", 3, "U+1F600");
}

/* Steps by what the learner does; one that only reads counts nowhere. */
static void doing_is_counted(void **state)
{
    static const char steps[] =
        "{ id = \"a\", title = \"A\", say = \"x\" },\n"
        "{ id = \"b\", title = \"B\", say = \"x\", predict = { id = \"q\", kind = \"number\", ask "
        "= "
        "\"?\", why = \"y\", answer = function() return 1 end } },\n"
        "{ id = \"c\", title = \"C\", say = \"x\", knobs = { { name = \"size\", values = { 1, 2 } "
        "} "
        "} },\n"
        "{ id = \"d\", title = \"D\", say = \"x\", try = { ask = \"?\", goal = function() return "
        "last.done end, solution = { \"request read a via R0\", \"request read b via R0\" } } },\n"
        "{ id = \"e\", title = \"E\", say = \"x\", knobs = { { name = \"size\", values = { 1, 2 } "
        "}, "
        "{ name = \"salt\", values = { 1, 2 } } }, try = { ask = \"?\", goal = function() return "
        "knob.size == 2 and knob.salt == 2 end, solution = { \"knob size 2\", \"knob salt 2\" } } "
        "},\n"
        "{ id = \"f\", title = \"F\", say = \"x\", try = { ask = \"?\", builds = true, goal = "
        "function(w) return w:owner(12067) == \"S0\" end, solution = { \"move 12067-12067 S0\" } } "
        "},\n"
        "{ id = \"g\", title = \"G\", say = \"x\", predict = { id = \"q2\", kind = \"explain\", "
        "ask = "
        "\"?\", model = \"m\", rubric = { \"a\", \"b\" } } }";
    struct lint_report *r = check(*state, steps);
    assert_int_equal(r->errors, 0);
    assert_int_equal(r->responding, 1);
    assert_int_equal(r->changing, 2);
    assert_int_equal(r->constructing, 2);
    assert_int_equal(r->presenting, 1);
    lint_report_free(r);
}

static void what_is_to_be_opened_must_be_there(void **state)
{
    static const char step[] = "{ id = \"a\", title = \"A\", say = \"x\", show = { \"trace\" },\n"
                               " run = function(w) w:send(\"read\", \"post:{p9}\", \"R0\") "
                               "w:play_answered() end, try = { ask = \"?\", %s } }";
    char text[400];
    snprintf(text, sizeof text, step, "opened = \"why\", of = \"answer S2\"");
    struct lint_report *r = check(*state, text);
    assert_int_equal(r->errors, 0);
    lint_report_free(r);
    snprintf(text, sizeof text, step, "opened = \"why\", of = \"refused\"");
    assert_found(*state, text, 3, "nothing in the trace is what its task wants opened (refused)");
    snprintf(text, sizeof text, step, "opened = \"whi\"");
    assert_found(*state, text, 3,
                 "'opened' is \"why\", \"inspect\", \"row\" or \"undo\", not \"whi\"");
    snprintf(text, sizeof text, step, "opened = \"inspect\", of = \"S2\"");
    assert_found(*state, text, 3, "a key, slot, shard, router or system");
    snprintf(text, sizeof text, step, "opened = \"inspect\", of = \"shard S9\"");
    assert_found(*state, text, 3, "nothing in the world is what its task wants opened (shard S9)");
    snprintf(text, sizeof text, step, "opened = \"inspect\", of = \"router R6\"");
    assert_found(*state, text, 3, "nothing in the world is what its task wants opened (router R6)");
    snprintf(text, sizeof text, step, "opened = \"inspect\", of = \"Router r5\"");
    r = check(*state, text);
    assert_int_equal(r->errors, 0);
    lint_report_free(r);
    snprintf(text, sizeof text, step, "opened = \"why\", of = \" \"");
    assert_found(*state, text, 3, "'of' is one or more words");
    snprintf(text, sizeof text, step, "goal = function() return true end, of = \"refused\"");
    assert_found(*state, text, 3, "it comes with that");
}

static void assert_picture(const char *folder, const char *show, const char *rest, const char *part)
{
    struct str s = STR_EMPTY;
    str_addf(&s, "{ id = \"a\", title = \"A\", say = \"x\", show = { \"%s\" },\n %s }", show, rest);
    assert_found(folder, s.text, 3, part);
    str_free(&s);
}

static void pictures_must_have_something_to_show(void **state)
{
    static const char ring[] =
        "placing = function() local r = layout(\"ring\", { shards = 3, tokens = 4 }) return { { "
        "title = \"t\", before = r, after = r:add(), keys = { \"a\", \"b\" } } } end";
    static const char grids[] =
        "grids = function() local r = layout(\"mod-n\", { shards = 3 }) return { { title = \"t\", "
        "before = r, after = r:add(), keys = { \"a\" } } } end";
    assert_picture(*state, "ring", "", "the picture 'ring' needs 'placing'");
    assert_picture(*state, "ring:99", ring, "'ring:99': there are placings 1 to 1");
    assert_picture(*state, "ring:0", ring, "there are placings 1 to 1");
    assert_picture(*state, "ring:x", ring, "there are placings 1 to 1");
    assert_picture(*state, "schemes:1", ring, "takes no number");
    assert_picture(*state, "maglev", ring, "cannot draw placing 1, whose scheme is ring");
    assert_picture(*state, "ranges", ring, "cannot draw placing 1, whose scheme is ring");
    assert_picture(*state, "rendezvous", ring, "cannot draw placing 1, whose scheme is ring");
    assert_picture(*state, "grid", "", "the picture 'grid' needs 'grids'");
    assert_picture(*state, "grid:2", grids, "there are grids 1 to 1");
    assert_picture(*state, "heat", "", "the picture 'heat' needs 'heat'");
    assert_picture(*state, "vectors", "", "the picture 'vectors' needs 'vectors'");
    assert_picture(*state, "vectors:near",
                   "vectors = function() return { index = corpus { points = 9 } } end",
                   "the picture 'vectors:near': it takes 'all' or nothing");
    assert_picture(*state, "nodes:x", "", "the picture 'nodes:x': a node is N1 to N64");
    assert_picture(*state, "phi:N99", "", "the picture 'phi:N99': a node is N1 to N64");
    assert_picture(*state, "readout:cluster-nodes:R2", "",
                   "the picture 'readout:cluster-nodes:R2': as in readout:cluster-check");
    assert_picture(*state, "trace:N99", "", "the picture 'trace:N99': a node is N1 to N64");
    assert_picture(*state, "txn:abc", "", "a transaction is a number from 1 on");
    assert_picture(*state, "fleet:x", "", "a router is R and its number");
    assert_picture(*state, "replicas:P!", "", "a name has letters, digits, '-' and '_'");
    assert_picture(*state, "store:a b:x", "", "a name has letters, digits, '-' and '_'");
    static const char good[] = "{ id = \"a\", title = \"A\", say = \"x\", show = { \"ring:1\", "
                               "\"schemes\", \"grid:1\" }, %s, %s }";
    struct str s = STR_EMPTY;
    str_addf(&s, good, ring, grids);
    struct lint_report *r = check(*state, s.text);
    assert_int_equal(r->errors, 0);
    lint_report_free(r);
    str_free(&s);
}

static void a_new_lesson_passes(void **state)
{
    struct err err = {""};
    struct str path = STR_EMPTY;
    str_addf(&path, "%s/99_mine.lua", (char *)*state);
    assert_true(lesson_write_new(path.text, "99_mine", &err));
    struct lint_report *r = lesson_check(path.text);
    assert_int_equal(r->count, 0);
    assert_int_equal(r->questions, 1);
    assert_int_equal(r->tasks, 1);
    lint_report_free(r);
    assert_false(lesson_write_new(path.text, "99_mine", &err));
    assert_contains(err.text, "is there already");
    assert_false(lesson_write_new("x/Bad Name.lua", "Bad Name", &err));
    assert_false(lesson_write_new("x/other.lua", "mine", &err));
    str_free(&path);
}

static void words_rows_and_odd_characters_are_counted(void **state)
{
    (void)state;
    assert_int_equal(text_words(" one two\n\nthree "), 3);
    assert_int_equal(text_rows("", 10), 0);
    assert_int_equal(text_rows("one two", 10), 1);
    assert_int_equal(text_rows("one two three", 10), 2);
    assert_int_equal(text_rows("one\n\ntwo", 10), 3);
    assert_int_equal(text_rows("*strong* `x`", 8), 1);
    assert_int_equal(text_rows("a\n  kept\n  kept", 10), 3);
    assert_int_equal(text_odd_character("plain \xE2\x86\x92 arrow"), 0);
    assert_int_equal(text_odd_character("\xE4\xB8\xAD"), 0x4E2D);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_lesson_has_no_errors),
        cmocka_unit_test_setup_teardown(runs_take_time, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_file_that_does_not_load_is_one_error, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(faults_of_questions_are_found, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(faults_of_grids_have_their_line, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(only_numbers_that_can_be_typed_are_answers, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_fault_of_the_first_run_is_found, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(much_traffic_ends_the_check, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(odd_names_are_told_once, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(faults_of_tasks_are_found, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(long_texts_are_found, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(doing_is_counted, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_is_to_be_opened_must_be_there, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(pictures_must_have_something_to_show, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_new_lesson_passes, make_folder, remove_folder),
        cmocka_unit_test(words_rows_and_odd_characters_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
