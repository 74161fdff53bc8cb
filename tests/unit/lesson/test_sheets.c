/*
 * Calculators on a page: size() in scripts, worksheets; and the card of a lesson.
 */
#include "helpers.h"
#include "lesson/lint.h"

#define SHEET                                                                                      \
    "worksheet = function(w, knob) return { what = \"capacity\", give = { users = knob.size }, "   \
    "only = { \"masters\", \"users\", \"raw_tb\" } } end, knobs = { { name = \"size\", values = "  \
    "{ 500000000, 1000000000 } } }"

static struct player *open_lesson(const char *folder, const char *fields, const char *step,
                                  struct err *err)
{
    struct str path = STR_EMPTY, text = STR_EMPTY;
    str_addf(&text,
             "return lesson { id = \"34_sheet\", part = 11, title = \"T\", minutes = 1,\n"
             "  world = \"story-quiet\", %s steps = {\n"
             "{ id = \"a\", title = \"t\", %s },\n"
             "{ id = \"b\", title = \"t\", say = \"end\" } } }\n",
             fields, step);
    write_file(&path, folder, "34_sheet.lua", text.text);
    struct player *p = player_open(path.text, 1, err);
    str_free(&path);
    str_free(&text);
    return p;
}

static struct player *opens(const char *folder, const char *fields, const char *step)
{
    struct err err = {""};
    struct player *p = open_lesson(folder, fields, step, &err);
    if (p == NULL) {
        fail_msg("%s", err.text);
    }
    return p;
}

static void says(const char *folder, const char *text, const char *wanted)
{
    struct str step = STR_EMPTY;
    str_addf(&step, "say = \"%s\"", text);
    struct player *p = opens(folder, "", step.text);
    assert_string_equal(player_page(p)->say, wanted);
    player_close(p);
    str_free(&step);
}

static void results_come_by_their_names(void **state)
{
    says(*state, "{size('capacity').masters}", "70");
    says(*state, "{size('capacity', { users = 1e9 }).masters}", "137");
    says(*state, "{size('capacity', { users = 1e9 }).how.masters}",
         "the larger of 137 and 22, at least 1");
    says(*state, "{math.type(size('capacity').masters)} {math.type(size('capacity').raw_tb)}",
         "integer float");
    says(*state, "{tostring(size('capacity').viral_fits)}", "false");
    says(*state, "{tostring(size('tail', { slow_pct = 0 }).one_in)}", "nil");
    says(*state, "{size('shards', { rate = 5601, data_gb = 0 }).shards}", "3");
}

static void wrong_inputs_are_refused(void **state)
{
    static const struct {
        const char *call, *said;
    } faults[] = {{"size('capasity')", "there is no calculator capasity; did you mean capacity?"},
                  {"size('capacity', { user = 1 })", "capacity knows no input"},
                  {"size('capacity', { users = -1 })", "users=-1 is out of range"},
                  {"size('capacity', { users = 0.5 })", "a whole number"},
                  {"size('capacity', { users = '7' })", "inputs are given by name, as numbers"},
                  {"size('capacity', { 7 })", "inputs are given by name, as numbers"},
                  {"size('capacity', 7)", "table expected"},
                  {"size('capacity', { users = 1/0 })", "not a number"},
                  {"size('quorum', { read = 4 })", "more than the 3 copies"},
                  {"size()", "string expected"}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct err err = {""};
        struct str step = STR_EMPTY;
        str_addf(&step, "say = \"{%s}\"", faults[i].call);
        assert_null(open_lesson(*state, "", step.text, &err));
        assert_contains(err.text, faults[i].said);
        str_free(&step);
    }
}

static void a_worksheet_has_what_it_names(void **state)
{
    struct err err = {""};
    struct player *p = opens(*state, "", "say = \"s\", show = { \"worksheet\" }, " SHEET);
    const struct page_worksheet *w = player_page(p)->worksheet;
    assert_string_equal(w->what, "capacity");
    assert_int_equal(w->lines, 3); /* in the calculator's order */
    assert_int_equal(w->inputs, 1);
    assert_string_equal(w->line[0].name, "users");
    assert_string_equal(w->line[0].value, "500,000,000");
    assert_true(w->line[0].given);
    assert_string_equal(w->line[1].name, "raw_tb");
    assert_string_equal(w->line[2].value, "70");
    assert_string_equal(w->line[2].how, "the larger of 70 and 22, at least 1");
    assert_true(player_turn(p, "size", "1000000000", &err));
    w = player_page(p)->worksheet;
    assert_string_equal(w->line[2].value, "137");
    player_close(p);
}

static void a_whole_sheet_and_its_yes_and_no(void **state)
{
    struct player *p =
        opens(*state, "", "say = \"s\", worksheet = function() return { what = \"quorum\" } end");
    const struct page_worksheet *w = player_page(p)->worksheet;
    assert_int_equal(w->inputs, 3);
    assert_int_equal(w->lines, 10);
    assert_false(w->line[0].given);
    assert_string_equal(w->line[4].value, "yes");
    assert_string_equal(w->line[4].unit, "");
    assert_string_equal(w->line[4].how, "2 + 2 > 3");
    player_close(p);
}

static void worksheets_are_declared_right(void **state)
{
    static const struct {
        const char *gives, *said;
    } faults[] = {
        {"7", "'worksheet' gives a number"},
        {"{}", "'what' names a calculator"},
        {"{ what = \"capasity\" }", "there is no calculator capasity; did you mean capacity?"},
        {"{ what = \"capacity\", give = { user = 1 } }", "knows no input \"user\""},
        {"{ what = \"capacity\", only = { \"user\" } }", "\"user\" is none"},
        {"{ what = \"capacity\", only = 7 }", "'only' is a number, not a list"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct err err = {""};
        struct str step = STR_EMPTY;
        str_addf(&step, "say = \"s\", worksheet = function() return %s end", faults[i].gives);
        assert_null(open_lesson(*state, "", step.text, &err));
        assert_contains(err.text, faults[i].said);
        str_free(&step);
    }
}

/* --- the card --- */

#define CARD(lines)                                                                                \
    "card = function(w) return { { title = \"Place\", lines = { " lines " } } } end,"

static void the_card_is_of_the_lessons_beginning(void **state)
{
    struct err err = {""};
    struct player *p =
        opens(*state, CARD("\"`post:{p9}` is on {w:owner('post:{p9}')}\", \"it is {w:clock()}\""),
              "say = \"s\", show = { \"cheat\" }, enter = function(w) w:move(12067, 12067, \"S0\") "
              "w:play_for(2) end");
    const struct page_card *card = player_page(p)->card;
    assert_non_null(card);
    assert_int_equal(card->blocks, 1);
    assert_string_equal(card->block[0].title, "Place");
    assert_int_equal(card->block[0].lines, 2);
    assert_string_equal(card->block[0].line[0], "post:{p9} is on S2"); /* before it moved */
    assert_contains(card->block[0].line[1], "20:00:00");
    assert_ptr_equal(player_card(p, &err), card);
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_null(player_page(p)->card); /* this page does not show it */
    assert_non_null(player_card(p, &err));
    player_close(p);
}

static void a_lesson_without_one_says_so(void **state)
{
    struct err err = {""};
    struct player *p = opens(*state, "", "say = \"s\"");
    assert_null(player_card(p, &err));
    assert_contains(err.text, "34_sheet has no card");
    player_close(p);
}

static void cards_are_declared_right(void **state)
{
    static const struct {
        const char *fields, *said;
    } faults[] = {{"card = 7,", "'card' must be a function"},
                  {"card = function() return 7 end,", "gives a list of 1 to"},
                  {"card = function() return {} end,", "gives a list of 1 to"},
                  {"card = function() return { 7 } end,", "block 1 is a number"},
                  {"card = function() return { { lines = { \"a\" } } } end,", "title is a nil"},
                  {"card = function() return { { title = \"a\" } } end,", "'lines' is a list"},
                  {CARD("7"), "a line is a number"},
                  {CARD("\"a\\nb\""), "is one line"},
                  {CARD("\"{nothing.here}\""), "nothing"}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct err err = {""};
        assert_null(
            open_lesson(*state, faults[i].fields, "say = \"s\", show = { \"cheat\" }", &err));
        assert_contains(err.text, faults[i].said);
    }
}

static void finds(const char *folder, const char *fields, const char *step, const char *said)
{
    struct err err = {""};
    struct str path = STR_EMPTY;
    player_close(open_lesson(folder, fields, step, &err));
    str_addf(&path, "%s/34_sheet.lua", folder);
    struct lint_report *r = lesson_check(path.text);
    bool found = false;
    for (size_t i = 0; i < r->count; i++) {
        found = found || strstr(r->finding[i].message, said) != NULL;
    }
    for (size_t i = 0; !found && i < r->count; i++) {
        print_error("%s\n", r->finding[i].message);
    }
    if (!found) {
        fail_msg("nothing says \"%s\"", said);
    }
    lint_report_free(r);
    str_free(&path);
}

static void the_check_measures_cards_and_needs_sheets(void **state)
{
    finds(*state,
          CARD("\"a line that is much longer than the seventy-eight columns that a page has for "
               "one line of it\""),
          "say = \"s\"", "of the card has 92 columns, at most 78");
    finds(*state,
          "card = function() local l = {} for i = 1, 67 do l[i] = \"a\" end return { { title = "
          "\"t\", lines = l } } end,",
          "say = \"s\"", "the card takes 68 rows");
    finds(*state, CARD("\"{w:owner('none') .. nil}\""), "say = \"s\"", "attempt to concatenate");
    finds(*state, "", "say = \"s\", show = { \"cheat\" }", "needs a 'card' of the lesson");
    finds(*state, "", "say = \"s\", show = { \"worksheet\" }", "needs 'worksheet'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(results_come_by_their_names, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(wrong_inputs_are_refused, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_worksheet_has_what_it_names, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_whole_sheet_and_its_yes_and_no, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(worksheets_are_declared_right, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_card_is_of_the_lessons_beginning, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_lesson_without_one_says_so, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(cards_are_declared_right, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_check_measures_cards_and_needs_sheets, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
