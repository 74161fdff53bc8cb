/*
 * Tables of runs: what their rows say, when they are made, that a row opens the very world its
 * figures came from, and that nothing of a visit stays. Heat maps.
 */
#include "helpers.h"
#include "lesson/lint.h"

#define ROWS                                                                                       \
    "{ label = \"as it is\", run = function(f) end, cells = function(f) return { f.S2.reads, "     \
    "f.S2.writes } end },\n"                                                                       \
    "{ label = \"cache\", run = function(f) f:command(\"reads post:{p9} cached\") f:play_for(2) "  \
    "end, cells = function(f) return { f.S2.reads, f.S2.writes } end },\n"                         \
    "{ label = \"salted\", run = function(f) f:command(\"writes likes:{p9} salted 8\") "           \
    "f:play_for(1) end, cells = function(f) return { f.S2.reads, f.S2.writes } end },\n"           \
    "{ label = \"by hand\", cells = { \"{S2.reads}\", \"none\" } }"
#define TABLE                                                                                      \
    "table = function(w, knob) return { title = \"Fixes\", columns = { \"fix\", \"reads\", "       \
    "\"writes\" }, numbers = { 2, 3 }, rows = {\n" ROWS " } } end"
#define QUESTION                                                                                   \
    "predict = { id = \"q\", kind = \"number\", ask = \"?\", answer = function(w) return "         \
    "cells[2][2] end, why = \"w\", hints = { \"a\", \"b\", \"c\" } }"

static struct player *open_step(const char *folder, const char *step, struct err *err)
{
    struct str path = STR_EMPTY, text = STR_EMPTY;
    str_addf(&text,
             "return lesson { id = \"32_table\", part = 4, title = \"T\", minutes = 1,\n"
             "  world = \"story\", steps = {\n"
             "{ id = \"a\", title = \"t\", say = \"s\", show = { \"table\" },\n"
             "  enter = function(w) if w:clock() < \"20:02\" then w:event(4) end end,\n%s },\n"
             "{ id = \"b\", title = \"t\", say = \"end\" } } }\n",
             step);
    write_file(&path, folder, "32_table.lua", text.text);
    struct player *p = player_open(path.text, 1, err);
    str_free(&path);
    str_free(&text);
    return p;
}

static struct player *open_table(const char *folder, const char *step)
{
    struct err err = {""};
    struct player *p = open_step(folder, step, &err);
    if (p == NULL) {
        fail_msg("%s", err.text);
    }
    return p;
}

static const char *cell(const struct player *p, size_t row, size_t column)
{
    return player_page(p)->table->row[row].cell[column];
}

static void fill(struct player *p)
{
    struct err err = {""};
    if (!player_fill_all(p, &err)) {
        fail_msg("%s", err.text);
    }
}

static void rows_say_what_their_runs_gave(void **state)
{
    struct err err = {""};
    struct player *p = open_table(*state, TABLE);
    const struct page_table *t = player_page(p)->table;
    assert_string_equal(t->title, "Fixes");
    assert_int_equal(t->columns, 3);
    assert_int_equal(t->rows, 4);
    assert_true(t->number[1] && t->number[2] && !t->number[0]);
    assert_true(t->row[0].opens && !t->row[3].opens);
    assert_false(t->hidden);
    assert_string_equal(cell(p, 0, 0), "as it is");
    assert_string_equal(cell(p, 0, 1), ""); /* one by one, while nobody waits */
    assert_true(player_filling(p));
    assert_true(player_fill(p, &err));
    assert_string_equal(cell(p, 0, 1), "9,300");
    assert_string_equal(cell(p, 1, 1), "");
    fill(p);
    assert_false(player_filling(p));
    assert_string_equal(cell(p, 0, 2), "2,550");
    assert_string_equal(cell(p, 1, 1), "306");
    assert_string_equal(cell(p, 1, 2), "2,550");
    assert_string_equal(cell(p, 2, 1), "9,300");
    assert_string_equal(cell(p, 2, 2), "750");
    assert_string_equal(cell(p, 3, 1), "9,300");
    assert_string_equal(cell(p, 3, 2), "none");
    player_close(p);
}

static void figures_come_with_the_answer(void **state)
{
    struct err err = {""};
    struct str answer = STR_EMPTY;
    struct player *p =
        open_table(*state, QUESTION ", run = function(w) w:play_for(1) end,\n"
                                    "after = \"{cells[1][1]}: {cells[1][2]}, {cells[2][3]}, "
                                    "{cells[4][2]}\",\n" TABLE);
    assert_true(player_page(p)->table->hidden);
    assert_false(player_filling(p));
    assert_false(player_visit(p, 0, &err));
    assert_contains(err.text, "answer first");
    assert_true(player_right_answer(p, &answer, &err));
    assert_string_equal(answer.text, "306");
    assert_true(player_page(p)->table->hidden);
    assert_string_equal(cell(p, 1, 1), "");
    assert_true(player_answer(p, "306", &err));
    assert_false(player_visit(p, 0, &err)); /* it runs */
    assert_true(player_finish_run(p, &err));
    assert_true(player_page(p)->question.right);
    assert_string_equal(player_page(p)->after, "as it is: 9,300, 2,550, 9,300");
    assert_false(player_page(p)->table->hidden);
    assert_string_equal(cell(p, 1, 1), "306");
    assert_false(player_filling(p)); /* `cells` had them all made */
    str_free(&answer);
    player_close(p);
}

static void a_goal_may_ask_for_figures(void **state)
{
    struct player *p =
        open_table(*state, "try = { ask = \"?\", goal = function() return cells[2][2] > 306 end, "
                           "hints = { \"a\", \"b\", \"c\" } },\n" TABLE);
    struct command c;
    struct err err = {""};
    assert_true(command_parse("deaf R1 on", &c, &err));
    assert_true(player_act(p, &c, &err)); /* the goal is asked before a row has been made */
    fill(p);
    assert_string_equal(cell(p, 1, 1), "306");
    assert_string_equal(cell(p, 0, 1), "9,300");
    player_close(p);
}

static void a_row_opens_its_very_world(void **state)
{
    struct err err = {""};
    struct player *p = open_table(*state, TABLE);
    struct command c;
    fill(p);
    struct digest lesson = player_digest(p);
    char *journal = strdup(player_journal(p));
    int64_t now = world_now(player_world(p));
    assert_true(player_visit(p, 1, &err));
    assert_string_equal(player_page(p)->visiting, "cache");
    assert_int_equal(world_now(player_world(p)), now + 2000000);
    assert_int_equal(player_rates(p)->shard[2].reads, 306); /* as the row says */
    assert_int_equal(world_now(player_before(p)), now);
    assert_true(command_parse("deaf R1 on", &c, &err));
    assert_false(player_act(p, &c, &err));
    assert_contains(err.text, "the run of \"cache\": leave it first");
    assert_false(player_can_undo(p));
    struct digest opened = world_digest(player_world(p));
    assert_true(player_tick(p, 500000, &err));
    assert_int_equal(world_now(player_world(p)), now + 2500000);
    uint64_t events = world_events(player_world(p));
    assert_true(player_event(p, &err));
    assert_int_equal(world_events(player_world(p)), events + 1);
    assert_true(player_event_back(p));
    assert_int_equal(world_events(player_world(p)), events);
    assert_true(player_visit(p, 2, &err)); /* from one to the next */
    assert_string_equal(player_page(p)->visiting, "salted");
    assert_int_equal(player_rates(p)->shard[2].writes, 750);
    assert_true(player_visit(p, 1, &err));
    assert_true(digest_equal(world_digest(player_world(p)), opened));
    assert_true(player_leave(p));
    assert_false(player_leave(p));
    assert_string_equal(player_page(p)->visiting, "");
    assert_true(digest_equal(player_digest(p), lesson));
    assert_string_equal(player_journal(p), journal);
    assert_int_equal(player_rates(p)->shard[2].reads, 9300);
    assert_false(player_visit(p, 3, &err));
    assert_contains(err.text, "no run to open");
    assert_false(player_visit(p, 4, &err));
    assert_contains(err.text, "rows 1 to 4");
    free(journal);
    player_close(p);
}

/* Rows are made and opened from the world as it was when the table came into sight. */
static void time_that_passes_changes_no_row(void **state)
{
    struct err err = {""};
    struct player *p = open_table(*state, TABLE);
    int64_t now = world_now(player_world(p));
    assert_true(player_tick(p, 700000, &err));
    fill(p);
    assert_string_equal(cell(p, 1, 1), "306");
    assert_true(player_visit(p, 1, &err));
    assert_int_equal(world_now(player_world(p)), now + 2000000);
    player_close(p); /* with a row open */
}

static void going_on_or_back_leaves_the_run(void **state)
{
    struct err err = {""};
    struct player *p = open_table(*state, TABLE);
    assert_true(player_visit(p, 0, &err));
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_string_equal(player_page(p)->visiting, "");
    assert_string_equal(player_page(p)->step_id, "a");
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_string_equal(player_page(p)->step_id, "b");
    assert_null(player_page(p)->table);
    assert_true(player_back(p));
    fill(p);
    assert_string_equal(cell(p, 2, 2), "750");
    assert_true(player_visit(p, 0, &err));
    assert_true(player_back(p));
    assert_string_equal(player_page(p)->visiting, "");
    assert_string_equal(player_page(p)->step_id, "a");
    player_close(p);
}

static void a_turn_makes_the_table_anew(void **state)
{
    struct err err = {""};
    struct player *p = open_table(
        *state,
        "knobs = { { name = \"salt\", values = { 2, 8 } } },\n"
        "table = function(w, knob) return { columns = { \"S\", \"busiest\" }, rows = { {\n"
        "  label = \"{knob.salt} salts\", run = function(f) f:command(\"writes likes:{p9} "
        "salted \" .. knob.salt) f:play_for(1) end,\n"
        "  cells = function(f) local most = 0 for i = 0, 3 do most = math.max(most, f[\"S\" "
        ".. i].writes) end return { most } end } } } end,\n"
        "heat = function(w, knob) return { title = \"{knob.salt}\", values = { { 1, "
        "knob.salt }, { 0, 1.5 } } } end");
    fill(p);
    assert_string_equal(cell(p, 0, 0), "2 salts");
    assert_string_equal(cell(p, 0, 1), "1,400");
    assert_int_equal(player_page(p)->heat->value[0][0], 500);
    assert_true(player_visit(p, 0, &err));
    assert_false(player_turn(p, "salt", "8", &err));
    assert_true(player_leave(p));
    assert_true(player_turn(p, "salt", "8", &err));
    assert_string_equal(cell(p, 0, 0), "8 salts");
    assert_true(player_filling(p));
    fill(p);
    assert_string_equal(cell(p, 0, 1), "800");
    assert_string_equal(player_page(p)->heat->title, "8");
    assert_int_equal(player_page(p)->heat->value[0][0], 125);
    assert_int_equal(player_page(p)->heat->value[0][1], 1000);
    assert_int_equal(player_page(p)->heat->value[1][1], 188);
    assert_true(player_undo(p));
    fill(p);
    assert_string_equal(cell(p, 0, 1), "1,400");
    player_close(p);
}

/* A fault in one row is told once, and the others are made. */
static void a_fault_ends_one_row_only(void **state)
{
    struct err err = {""};
    struct player *p = open_table(
        *state, "table = function(w) return { columns = { \"a\", \"b\" }, rows = {\n"
                "{ label = \"bad\", run = function(f) f:command(\"move\") end, cells = function(f) "
                "return { 1 } end },\n"
                "{ label = \"good\", run = function(f) end, cells = function(f) return { "
                "f.S2.reads } end } } } end");
    struct digest before = player_digest(p);
    assert_false(player_fill_all(p, &err));
    assert_contains(err.text, "32_table.lua:6:");
    assert_string_equal(cell(p, 0, 1), "-");
    assert_string_equal(cell(p, 1, 1), "9,300");
    assert_false(player_visit(p, 0, &err));
    assert_string_equal(player_page(p)->visiting, "");
    assert_true(digest_equal(player_digest(p), before));
    assert_true(player_fill_all(p, &err));
    player_close(p);
}

static void assert_fault(const char *folder, const char *step, const char *part)
{
    struct err err = {""};
    struct player *p = open_step(folder, step, &err);
    if (p != NULL) {
        assert_false(player_fill_all(p, &err));
    }
    player_close(p);
    assert_contains(err.text, "32_table.lua:");
    assert_contains(err.text, part);
}

static void faulty_tables_are_told(void **state)
{
    const char *folder = *state;
    assert_fault(folder, "table = function() return 5 end", "'table' gives a number");
    assert_fault(folder, "table = function() return { rows = {} } end", "'columns' is a nil");
    assert_fault(folder, "table = function() return { columns = { 1 }, rows = {} } end",
                 "column 1 is a number");
    assert_fault(folder, "table = function() return { columns = { \"a\" }, rows = {} } end",
                 "'rows' has 1 to 64 entries, not 0");
    assert_fault(folder,
                 "table = function() return { columns = { \"a\", \"b\" }, rows = { { label = "
                 "\"x\" } } } end",
                 "'cells' one too");
    assert_fault(folder,
                 "table = function() return { columns = { \"a\" }, numbers = { 2 }, rows = { { "
                 "label = \"x\", cells = {} } } } end",
                 "'numbers' lists columns, 1 to 1");
    assert_fault(folder,
                 "table = function() return { columns = { \"a\", \"b\" }, rows = { { label = "
                 "\"x\", cells = { \"1\", \"2\" } } } } end",
                 "gives 2 values; there are 1 columns");
    assert_fault(folder,
                 "table = function() return { columns = { \"a\", \"b\" }, rows = { { label = "
                 "\"x\", cells = function() return { {} } end } } } end",
                 "a cell of row 1 is a table");
    assert_fault(folder,
                 "table = function() return { columns = { \"a\", \"b\" }, rows = { { label = "
                 "\"x\", cells = function() return cells[1] end } } } end",
                 "undefined name 'cells'");
    assert_fault(folder,
                 "table = function() return { columns = { \"a\", \"b\" }, rows = { { label = "
                 "\"x\", run = function(f) while true do end end, cells = function() return { 1 } "
                 "end } } } end",
                 "work");
    assert_fault(folder,
                 "table = function() return { columns = { \"a\", \"b\" }, rows = { { label = "
                 "\"x\", run = function(f) f:play_for(600) end, cells = function() return { 1 } "
                 "end } } } end",
                 "too much traffic");
    assert_fault(folder, "heat = function() return { values = { { 1 }, { 1, 2 } } } end",
                 "each has as many");
    assert_fault(folder, "heat = function() return { values = { { -1 } } } end",
                 "a number from 0 on");
    assert_fault(folder, "heat = function() return { values = {} } end", "1 to 64 entries, not 0");
}

/* A script that catches the fault of `cells` still has its own world. */
static void a_caught_fault_gives_the_world_back(void **state)
{
    struct err err = {""};
    struct player *p = open_table(
        *state, "table = function(w) return { columns = { \"a\", \"b\" }, rows = { { label = "
                "\"x\", run = function(f) f:play_for(1) error(\"no\") end, cells = function() "
                "return { 1 } end } } } end,\n"
                "after = \"{pcall(function() return cells end) and 1 or 0} {w:clock()}\"");
    assert_string_equal(player_page(p)->after, "0 20:02:00.000");
    assert_false(player_fill_all(p, &err));
    assert_contains(err.text, "no");
    player_close(p);
}

/* A drill may have a world, and then tables whose rows open. */
static void a_drill_has_tables(void **state)
{
    struct err err = {""};
    struct str path = STR_EMPTY;
    write_file(
        &path, *state, "table-drill.lua",
        "return drill { id = \"table-drill\", part = 4, title = \"T\", make = function(r)\n"
        "local rate = 100 * r:between(10, 40)\n"
        "return { world = \"story-quiet\", steps = { { id = \"a\", title = \"t\", say = \"{n} a "
        "second.\", with = { n = rate },\n"
        "  enter = function(w) w:flow(\"read\", \"post:{p9}\", rate) end,\n"
        "  table = function(w) return { columns = { \"fix\", \"reads\" }, rows = {\n"
        "    { label = \"none\", run = function(f) f:play_for(1) end, cells = function(f) return { "
        "f.S2.reads } end },\n"
        "    { label = \"cache\", run = function(f) f:command(\"reads post:{p9} cached\") "
        "f:play_for(2) end, cells = function(f) return { f.S2.reads } end } } } end,\n"
        "  predict = { id = \"q\", kind = \"number\", ask = \"How many with a cache?\", answer = "
        "function(w) return cells[2][2] end,\n"
        "    wrong = { [rate] = { belief = \"none helps\", why = \"It does.\" } }, why = \"w\", "
        "hints = { \"a\", \"b\", \"c\" } } } } } end }\n");
    struct player *p = open_good(path.text, 3);
    assert_true(player_answer(p, "6", &err));
    assert_true(player_page(p)->question.right);
    fill(p);
    assert_string_equal(cell(p, 1, 1), "6");
    assert_true(player_visit(p, 1, &err));
    assert_int_equal(player_rates(p)->shard[2].reads, 6);
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_int_equal(player_forward(p, &err), PLAYER_END);
    player_close(p);
    struct lint_report *r = lesson_check_as(path.text, &(struct lint_wish){.seeds = 25});
    assert_int_equal(r->errors, 1); /* and the check knows that six is always six */
    assert_contains(r->finding[0].message, "its answer is '6' whatever the seed");
    assert_int_equal(r->seeds, 25);
    lint_report_free(r);
    str_free(&path);
}

/* What a task wants opened may be a row of the table, by words of its label. */
static void a_row_can_be_what_a_task_wants_opened(void **state)
{
    struct err err = {""};
    struct player *p =
        open_table(*state, TABLE ",\ntry = { ask = \"Open.\", opened = \"row\", of = \"Cache\", "
                                 "hints = { \"a\", \"b\", \"c\" } }");
    assert_true(player_visit(p, 0, &err));
    assert_false(player_page(p)->task_met);
    assert_true(player_visit(p, 1, &err));
    assert_true(player_page(p)->task_met);
    player_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_say_what_their_runs_gave, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(figures_come_with_the_answer, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_goal_may_ask_for_figures, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_row_opens_its_very_world, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(time_that_passes_changes_no_row, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(going_on_or_back_leaves_the_run, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_turn_makes_the_table_anew, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_fault_ends_one_row_only, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(faulty_tables_are_told, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_caught_fault_gives_the_world_back, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_drill_has_tables, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_row_can_be_what_a_task_wants_opened, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
