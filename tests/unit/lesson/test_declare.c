/*
 * What the loader says about a table that is not as it should be: file, line, and what to do.
 */
#include "helpers.h"

static const char top[] = "return lesson { id = \"bad\", part = 1, title = \"T\", minutes = 3,\n"
                          "  world = \"story-quiet\", steps = {\n";

static void assert_refused(const char *folder, const char *text, int line, const char *part)
{
    struct str path = STR_EMPTY;
    struct err err = {""};
    char place[32];
    write_file(&path, folder, "bad.lua", text);
    assert_null(player_open(path.text, 1, &err));
    snprintf(place, sizeof place, "bad.lua:%d: ", line);
    assert_contains(err.text, place);
    assert_contains(err.text, part);
    str_free(&path);
}

/* The step's table is `step`, which begins on line 3 of the file. */
static void assert_step_refused(const char *folder, const char *step, int line, const char *part)
{
    struct str text = STR_EMPTY;
    str_addf(&text, "%s%s\n} }\n", top, step);
    assert_refused(folder, text.text, line, part);
    str_free(&text);
}

static void unknown_fields_suggest_a_known_one(void **state)
{
    assert_step_refused(*state, "{ id = \"a\", title = \"A\",\n sya = \"x\" }", 4,
                        "there is no field 'sya'; did you mean 'say'?");
    assert_step_refused(*state, "{ id = \"a\", title = \"A\", say = \"x\", show = { \"trase\" } }",
                        3, "there is no view 'trase'; did you mean 'trace'?");
    assert_step_refused(*state,
                        "{ id = \"a\", title = \"A\", say = \"x\", actions = { \"rout\" } }", 3,
                        "did you mean 'route'?");
    assert_step_refused(*state,
                        "{ id = \"a\", title = \"A\", say = \"x\", breaks = \"slot-table\" }", 3,
                        "did you mean 'slot-table-check'?");
    assert_refused(*state, "return lesson { id = \"bad\", part = 1, title = \"T\", minuts = 3 }", 1,
                   "did you mean 'minutes'?");
}

static void missing_and_mistaken_fields_are_named(void **state)
{
    assert_step_refused(*state, "{ id = \"a\", title = \"A\" }", 3, "step 'a': 'say' is missing");
    assert_step_refused(*state, "{ id = \"a\", title = \"A\",\n say = 7 }", 4,
                        "step 'a': 'say' must be a text");
    assert_step_refused(*state, "{ id = \"a\", title = \"A\", say = \"x\", \"stray\" }", 3,
                        "a value without a name");
    assert_step_refused(*state, "{ id = \"A b\", title = \"A\", say = \"x\" }", 3, "the id 'A b'");
    assert_step_refused(*state, "{ id = \"a\", title = \"A\", say = \"x\", router = \"5\" }", 3,
                        "'router' is written \"R5\"");
    assert_step_refused(*state, "7", 2, "step 1 must be a table");
    assert_step_refused(*state, "", 2, "1 to 200 steps");
}

static void questions_are_checked(void **state)
{
    static const char start[] =
        "{ id = \"a\", title = \"A\", say = \"x\",\n predict = { id = \"q\", ";
    struct str step = STR_EMPTY;
    str_addf(&step, "%skind = \"choise\", ask = \"?\" } }", start);
    assert_step_refused(*state, step.text, 4, "did you mean 'choice'?");
    str_clear(&step);
    str_addf(&step, "%skind = \"number\", ask = \"?\" } }", start);
    assert_step_refused(*state, step.text, 4, "it needs 'answer'");
    str_clear(&step);
    str_addf(&step, "%skind = \"choice\", ask = \"?\", choices = { { \"x\" } } } }", start);
    assert_step_refused(*state, step.text, 4, "2 to 9 choices, not 1");
    str_clear(&step);
    str_addf(&step, "%skind = \"choice\", ask = \"?\", choices = { { \"x\" }, { \"y\" } } } }",
             start);
    assert_step_refused(*state, step.text, 4, "'holds' is missing");
    str_clear(&step);
    str_addf(&step,
             "%skind = \"text\", ask = \"?\", answer = function() end,"
             " hints = { \"1\", \"2\", \"3\", \"4\" } } }",
             start);
    assert_step_refused(*state, step.text, 4, "'hints' has 4 entries; at most 3");
    str_free(&step);
}

static void ids_are_unique_and_fit_the_file(void **state)
{
    assert_step_refused(*state,
                        "{ id = \"a\", title = \"A\", say = \"x\" },\n"
                        "{ id = \"a\", title = \"A\", say = \"x\" }",
                        3, "two steps have the id 'a'");
    assert_refused(*state,
                   "return lesson { id = \"other\", part = 1, title = \"T\", minutes = 3,\n"
                   "steps = { { id = \"a\", title = \"A\", say = \"x\" } } }",
                   1, "the id is 'other', and the file is 'bad.lua'");
}

static void files_that_are_no_lessons_are_refused(void **state)
{
    assert_refused(*state, "", 1, "must return lesson { ... } or drill { ... }");
    assert_refused(*state, "return {}", 1, "must return lesson");
    assert_refused(*state, "lesson { id = \"bad\" }\nreturn {}", 1, "must return lesson");
    assert_refused(*state, "\n\nreturn +", 3, "unexpected symbol");
    assert_refused(*state, "local x\nx.y = 1", 2, "attempt to index");
    assert_refused(*state, "error({})", 1, "the error is a table value");
    assert_refused(*state, "error()", 1, "the error is a nil value");
    assert_refused(*state, "error('\\27[31mred')", 1, "\\x1b[31mred");
    struct err err = {""};
    assert_null(player_open("/nowhere/at/all.lua", 1, &err));
    assert_contains(err.text, "/nowhere/at/all.lua");
}

static void faults_in_texts_name_their_own_line(void **state)
{
    assert_step_refused(*state,
                        "{ id = \"a\", title = \"A\", say = [[\n"
                        "   One line.\n"
                        "   And {S2.writs} here.]] }",
                        5, "there is no shard.writs; did you mean writes?");
    assert_step_refused(*state, "{ id = \"a\", title = \"A\", say = \"{1 +}\" }", 3,
                        "unexpected symbol");
    assert_step_refused(*state, "{ id = \"a\", title = \"A\", say = \"{nothing}\" }", 3,
                        "undefined name 'nothing'");
    assert_step_refused(*state, "{ id = \"a\", title = \"A\", say = \"{answer}\" }", 3, "is a nil");
    assert_step_refused(*state, "{ id = \"a\", title = \"A\", say = \"{w:onwer('k')}\" }", 3,
                        "there is no w:onwer; did you mean owner?");
    assert_step_refused(*state, "{ id = \"a\", title = \"A\", say = \"{w:deaf('R1', true)}\" }", 3,
                        "only read");
}

static void exactly_one_choice_must_hold(void **state)
{
    struct str path = STR_EMPTY, text = STR_EMPTY;
    struct err err = {""};
    str_addf(
        &text,
        "%s{ id = \"a\", title = \"A\", say = \"x\",\n predict = { id = \"q\", kind = \"choice\","
        " ask = \"?\", choices = {\n"
        "{ \"x\", holds = function() return true end },"
        "{ \"y\", holds = function() return true end } } } } } }",
        top);
    write_file(&path, *state, "bad.lua", text.text);
    struct player *p = open_good(path.text, 1);
    assert_false(player_answer(p, "1", &err));
    assert_contains(err.text, "bad.lua:4: question 'q': 2 of its choices hold");
    assert_int_equal(player_forward(p, &err), PLAYER_END);
    player_close(p);
    str_free(&path);
    str_free(&text);
}

static void require_finds_the_library_folder(void **state)
{
    struct str path = STR_EMPTY;
    struct err err = {""};
    write_file(&path, *state, "words.lua", "local m = { hello = \"hi\" }\nmine = 1\nreturn m");
    struct str lib = STR_EMPTY;
    str_addf(&lib, "mkdir '%s/lib' && mv '%s' '%s/lib/'", (char *)*state, path.text,
             (char *)*state);
    assert_int_equal(system(lib.text), 0);
    str_free(&lib);
    write_file(
        &path, *state, "good.lua",
        "local words = require(\"words\")\n"
        "assert(words == require(\"words\"))\n"
        "assert(not pcall(function() return mine end))\n"
        "return lesson { id = \"good\", part = 1, title = words.hello, minutes = 1, steps = {\n"
        "  { id = \"a\", title = \"A\", say = \"x\" } } }");
    struct player *p = open_good(path.text, 1);
    assert_string_equal(player_page(p)->lesson_title, "hi");
    player_close(p);
    write_file(&path, *state, "bad.lua", "require(\"missing\")");
    assert_null(player_open(path.text, 1, &err));
    assert_contains(err.text, "bad.lua:1: require 'missing': not in lessons/lib");
    str_free(&path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(unknown_fields_suggest_a_known_one, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(missing_and_mistaken_fields_are_named, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(questions_are_checked, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(ids_are_unique_and_fit_the_file, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(files_that_are_no_lessons_are_refused, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(faults_in_texts_name_their_own_line, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(exactly_one_choice_must_hold, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(require_finds_the_library_folder, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
