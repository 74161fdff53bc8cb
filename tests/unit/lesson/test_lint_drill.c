/*
 * What `lesson check` finds in a drill over many seeds, and in a lesson's terms and tables.
 */
#include "helpers.h"
#include "lesson/lint.h"

static struct lint_report *check_drill(const char *folder, const char *predict, uint64_t seeds)
{
    struct str path = STR_EMPTY, text = STR_EMPTY;
    str_addf(&text,
             "return drill { id = \"seeds\", part = 1, title = \"T\", make = function(r)\n"
             "local n = r:between(100, 999)\n"
             "return { steps = { { id = \"a\", title = \"t\", say = \"{n} and {n + 1}\",\n"
             "  with = { n = n }, predict = { id = \"q\", ask = \"?\", why = \"w\",\n"
             "  hints = { \"a\", \"b\", \"c\" },\n%s } } } } end }\n",
             predict);
    write_file(&path, folder, "seeds.lua", text.text);
    struct lint_report *r = lesson_check_seeds(path.text, seeds);
    str_free(&path);
    str_free(&text);
    return r;
}

static void assert_finds(const char *folder, const char *predict, const char *part)
{
    struct lint_report *r = check_drill(folder, predict, 30);
    bool found = false;
    for (size_t i = 0; i < r->count; i++) {
        found = found || (r->finding[i].severity == LINT_ERROR &&
                          strstr(r->finding[i].message, part) != NULL);
    }
    if (!found) {
        print_error("not found: %s\n", part);
        for (size_t i = 0; i < r->count; i++) {
            print_error("%d: %s\n", r->finding[i].line, r->finding[i].message);
        }
        fail();
    }
    lint_report_free(r);
}

#define WRONG "wrong = { [7] = { belief = \"b\", why = \"w\" } }"

static void a_good_drill_has_no_errors(void **state)
{
    static const char *const good[] = {
        "kind = \"number\", unit = \"likes\", tolerance = 5, answer = function() return 50 * n "
        "end, " WRONG,
        "kind = \"number\", tolerance = 0.25, answer = function() return n / 8 end, " WRONG,
        "kind = \"text\", answer = function() return \"S\" .. n % 4 end, wrong = function() return "
        "{ [\"S\" .. (n + 1) % 4] = { belief = \"b\", why = \"w\" } } end",
        "kind = \"choice\", choices = r:shuffle({ { \"even {n}\", belief = \"b\", why = \"w\", "
        "holds = function() return n % 2 == 0 end }, { \"odd {n}\", belief = \"b\", why = \"w\", "
        "holds = function() return n % 2 == 1 end } })"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct lint_report *r = check_drill(*state, good[i], 60);
        if (r->errors > 0) {
            fail_msg("%d: %s", (int)i, r->finding[0].message);
        }
        assert_int_equal(r->seeds, 60);
        lint_report_free(r);
    }
}

static void answers_that_give_themselves_away_are_found(void **state)
{
    const char *folder = *state;
    assert_finds(folder, "kind = \"number\", answer = function() return 5 end, " WRONG,
                 "its answer is '5' whatever the seed");
    assert_finds(folder,
                 "kind = \"choice\", choices = { { \"{n}\", holds = function() return true end }, "
                 "{ \"x\", belief = \"b\", why = \"w\", holds = function() return false end } }",
                 "choice 1 is right whatever the seed");
    assert_finds(folder,
                 "kind = \"several\", choices = { { \"a\", holds = function() return true end }, "
                 "{ \"b\", holds = function() return true end } }",
                 "every choice holds");
    struct str path = STR_EMPTY;
    write_file(
        &path, folder, "seeds.lua",
        "return drill { id = \"seeds\", part = 1, title = \"T\", make = function(r)\n"
        "local n = r:between(1000, 9999)\n"
        "return { steps = { { id = \"a\", title = \"t\", say = \"There are {n} keys.\",\n"
        "  with = { n = n }, predict = { id = \"q\", kind = \"number\", ask = \"How many?\",\n"
        "  answer = function() return n end, " WRONG " } } } } end }\n");
    struct lint_report *r = lesson_check_seeds(path.text, 30);
    assert_int_equal(r->errors, 1);
    assert_contains(r->finding[0].message, "its answer always stands in the question");
    lint_report_free(r);
    str_free(&path);
}

static void mistakes_that_are_none_are_found(void **state)
{
    const char *folder = *state;
    assert_finds(folder,
                 "kind = \"number\", tolerance = 20, answer = function() return n end, wrong = "
                 "function() return { [n + 15] = { belief = \"b\", why = \"w\" } } end",
                 "is within the tolerance of the right answer");
    assert_finds(folder, "kind = \"number\", answer = function() return n end",
                 "no mistake is listed");
    assert_finds(folder,
                 "kind = \"number\", answer = function() return n end, wrong = { [7] = \"w\" }",
                 "1 of its mistakes have no belief or no explanation");
    assert_finds(folder,
                 "kind = \"text\", answer = function() return \"S\" .. n end, wrong = { [\"s7\"] = "
                 "{ belief = \"b\", why = \"w\" }, S7 = { belief = \"b\", why = \"w\" } }",
                 "is listed twice");
    assert_finds(
        folder,
        "kind = \"choice\", choices = { { \"{n}\", belief = \"b\", why = \"w\", holds = "
        "function() return n % 2 == 0 end }, { \"{n}\", belief = \"b\", why = \"w\", holds "
        "= function() return n % 2 == 1 end } }",
        "choices 1 and 2 are the same");
    assert_finds(folder,
                 "kind = \"choice\", choices = { { \"a\", holds = function() return n % 2 == 0 end "
                 "}, { \"b\", belief = \"b\", why = \"w\", holds = function() return n % 2 == 1 "
                 "end } }",
                 "1 of its mistakes have no belief");
    assert_finds(folder,
                 "kind = \"choice\", choices = { { \"a\", belief = \"b\", why = \"w\", holds = "
                 "function() return n > 150 end }, { \"b\", belief = \"b\", why = \"w\", holds = "
                 "function() return n > 900 end } }",
                 "of its choices hold after the run; exactly one must");
}

static void a_fault_names_its_seed(void **state)
{
    assert_finds(*state,
                 "kind = \"number\", answer = function() assert(n % 2 == 0, \"odd\") return n "
                 "end, " WRONG,
                 "odd");
    struct lint_report *r = check_drill(*state, "kind = \"nothing\"", 30);
    assert_int_equal(r->errors, 1);
    assert_contains(r->finding[0].message, "(seed 1)");
    assert_int_equal(r->seeds, 1);
    lint_report_free(r);
}

static void much_work_for_a_seed_is_told(void **state)
{
    struct str path = STR_EMPTY;
    write_file(&path, *state, "seeds.lua",
               "return drill { id = \"seeds\", part = 1, title = \"T\", make = function(r)\n"
               "return { world = \"story\", steps = { { id = \"a\", title = \"t\", say = \"x\",\n"
               "  run = function(w) w:play_for(60) end } } } end }\n");
    struct lint_report *r = lesson_check_seeds(path.text, 2);
    assert_int_equal(r->errors, 0);
    assert_int_equal(r->count, 1);
    assert_contains(r->finding[0].message, "keep it below 200,000");
    lint_report_free(r);
    str_free(&path);
}

static void terms_are_looked_up(void **state)
{
    struct str path = STR_EMPTY, glossary = STR_EMPTY;
    write_file(&glossary, *state, "terms.txt",
               "term: slot\nalso: hash slot\npart: 1\nsay: One of many. It has an owner.\n"
               "show: slot_map\n\n"
               "term: hot key\npart: 3\nsay: One key. Many ask for it.\nshow: top\n");
    write_file(
        &path, *state, "34_terms.lua",
        "return lesson { id = \"34_terms\", part = 1, title = \"T\", minutes = 1,\n"
        "  world = \"story-quiet\", steps = {\n"
        "  { id = \"a\", title = \"t\", say = \"A [[slot]], two [[Slots]], a [[hot\\nkey]].\" },\n"
        "  { id = \"b\", title = \"t\", say = \"A [[hash slot]] in a [[ring]].\" } } }\n");
    struct lint_wish wish = {.seeds = 1, .glossary = glossary.text};
    struct lint_report *r = lesson_check_as(path.text, &wish);
    assert_int_equal(r->errors, 1);
    assert_int_equal(r->finding[0].line, 4);
    assert_contains(r->finding[0].message, "[[ring]] is not in the glossary");
    lint_report_free(r);
    r = lesson_check(path.text); /* no glossary beside that folder */
    assert_int_equal(r->errors, 0);
    lint_report_free(r);
    str_free(&glossary);
    write_file(&glossary, *state, "faulty.txt", "term: slot\n\nterm: ring\n\nterm: hot key\n");
    wish.glossary = glossary.text; /* it still has its terms */
    r = lesson_check_as(path.text, &wish);
    assert_int_equal(r->errors, 1);
    assert_contains(r->finding[0].message, "the glossary has faults: ");
    assert_contains(r->finding[0].message, "faulty.txt:1: \"slot\" has no part");
    assert_contains(r->finding[1].message, "[[hash slot]] is not in the glossary");
    lint_report_free(r);
    wish.glossary = "/nowhere/glossary.txt";
    r = lesson_check_as(path.text, &wish);
    assert_int_equal(r->errors, 1);
    assert_contains(r->finding[0].message, "/nowhere/glossary.txt");
    lint_report_free(r);
    str_free(&glossary);
    str_free(&path);
}

static void tables_are_filled_and_opened(void **state)
{
    struct str path = STR_EMPTY;
    write_file(&path, *state, "35_tables.lua",
               "return lesson { id = \"35_tables\", part = 1, title = \"T\", minutes = 1,\n"
               "  world = \"story-quiet\", steps = {\n"
               "  { id = \"a\", title = \"t\", say = \"x\", show = { \"table\", \"heat\" },\n"
               "    table = function(w) return { columns = { \"a\", \"b\" }, rows = {\n"
               "      { label = \"x\", run = function(f) f:command(\"move 0\") end,\n"
               "        cells = function(f) return { 1 } end } } } end },\n"
               "  { id = \"b\", title = \"t\", say = \"x\", show = { \"table\" } } } }\n");
    struct lint_report *r = lesson_check(path.text);
    assert_int_equal(r->errors, 3);
    assert_contains(r->finding[0].message, "the picture 'heat' needs 'heat'");
    assert_int_equal(r->finding[2].line, 5);
    assert_contains(r->finding[2].message, "the shard is missing");
    assert_contains(r->finding[1].message, "the picture 'table' needs 'table'");
    lint_report_free(r);
    str_free(&path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_good_drill_has_no_errors, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(answers_that_give_themselves_away_are_found, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(mistakes_that_are_none_are_found, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_fault_names_its_seed, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(much_work_for_a_seed_is_told, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(terms_are_looked_up, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(tables_are_filled_and_opened, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
