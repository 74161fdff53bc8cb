/*
 * The story as a table: rows that are played when they are opened, events on copies, who waits, and
 * what is kept of the main line.
 */
#include "base/num.h"
#include "helpers.h"

#define ROWS                                                                                       \
    "local list = {} for _, e in ipairs(story_events()) do list[#list + 1] = { label = e.id, "     \
    "lazy = true, cells = { e.at, e.what, e.look or \"-\" }, run = function(f) f:event(e.id) end " \
    "} end"

/* A lesson with one step. */
static struct player *open_step(const char *folder, const char *step, struct err *err)
{
    struct str path = STR_EMPTY, text = STR_EMPTY;
    str_addf(&text,
             "local function rows() %s return list end\n"
             "return lesson { id = \"33_story\", part = 12, title = \"T\", minutes = 1,\n"
             "  world = \"story\", steps = {\n"
             "{ id = \"a\", title = \"t\", say = \"s\", show = { \"table\" },\n%s },\n"
             "{ id = \"b\", title = \"t\", say = \"end\" } } }\n",
             ROWS, step);
    write_file(&path, folder, "33_story.lua", text.text);
    struct player *p = player_open(path.text, 1, err);
    str_free(&path);
    str_free(&text);
    return p;
}

static struct player *open_story(const char *folder)
{
    struct err err = {""};
    struct player *p = open_step(folder,
                                 "table = function(w) return { title = \"All\", columns = { "
                                 "\"event\", \"at\", \"what\", \"look\" }, rows = rows() } end",
                                 &err);
    if (p == NULL) {
        fail_msg("%s", err.text);
    }
    return p;
}

static size_t row_of(const struct player *p, const char *id)
{
    const struct page_table *t = player_page(p)->table;
    for (size_t row = 0; row < t->rows; row++) {
        if (strcmp(t->row[row].label, id) == 0) {
            return row;
        }
    }
    fail_msg("%s is no row", id);
    return 0;
}

static void all_events_are_rows_and_none_is_played(void **state)
{
    struct err err = {""};
    struct player *p = open_story(*state);
    const struct page_table *t = player_page(p)->table;
    assert_true(t->rows > 40);
    assert_true(player_fill_all(p, &err));
    for (size_t row = 0; row < t->rows; row++) {
        assert_true(t->row[row].lazy && t->row[row].opens);
        assert_true(strlen(t->row[row].cell[2]) > 10);
    }
    assert_string_equal(t->row[row_of(p, "7a")].cell[1], "20:02:00");
    assert_string_equal(t->row[row_of(p, "3")].cell[3], "-");
    player_close(p);
}

static void opens(struct player *p, const char *id)
{
    struct err err = {""};
    if (!player_visit(p, row_of(p, id), &err)) {
        fail_msg("%s: %s", id, err.text);
    }
}

static void a_row_opens_the_event(void **state)
{
    struct player *p = open_story(*state);
    opens(p, "8");
    assert_string_equal(num_clock(world_now(player_world(p))).text, "20:04:00.000");
    assert_int_equal(player_rates(p)->shard[2].writes, 750);
    struct digest eight = world_digest(player_world(p));
    opens(p, "4"); /* back in time: another copy */
    assert_int_equal(player_rates(p)->shard[2].writes, 2550);
    opens(p, "7a"); /* a scene on a copy */
    assert_int_equal(world_shard(player_world(p), 2).read_ceiling, 9000);
    opens(p, "4a"); /* one whose world is larger */
    assert_int_equal(world_shards(player_world(p)), 64);
    assert_true(player_rates(p)->shards == 64);
    opens(p, "8"); /* from what is kept: the very same */
    assert_true(digest_equal(world_digest(player_world(p)), eight));
    assert_int_equal(player_rates(p)->shard[2].writes, 750);
    assert_true(player_leave(p));
    assert_string_equal(num_clock(world_now(player_world(p))).text, "20:00:00.000");
    assert_int_equal(player_rates(p)->shards, 4);
    player_close(p);
}

/* What a main line gives that is played without anything kept. */
static void kept_worlds_are_those_of_the_journal(void **state)
{
    struct err err = {""};
    struct player *p = open_story(*state);
    opens(p, "3");
    opens(p, "5");
    opens(p, "7");
    struct digest kept = world_digest(player_world(p));
    player_close(p);
    p = open_step(*state,
                  "enter = function(w) w:event(7) end, table = function(w) return { columns = { "
                  "\"a\", \"b\" }, rows = { { label = \"x\", cells = { \"y\" } } } } end",
                  &err);
    assert_non_null(p);
    assert_true(digest_equal(player_digest(p), kept));
    player_close(p);
}

struct waiting {
    int asked, most;
    int64_t last_us;
};

static bool go_on(void *of, int64_t now_us)
{
    struct waiting *wait = of;
    wait->last_us = now_us;
    return ++wait->asked < wait->most;
}

static void who_waits_can_give_up(void **state)
{
    struct err err = {""};
    struct player *p = open_story(*state);
    struct waiting wait = {.most = 5};
    struct digest before = player_digest(p);
    player_set_patience(p, (struct player_patience){go_on, &wait});
    assert_false(player_visit(p, row_of(p, "9"), &err));
    assert_contains(err.text, "given up");
    assert_int_equal(wait.asked, 5);
    assert_string_equal(player_page(p)->visiting, "");
    assert_true(digest_equal(player_digest(p), before));
    wait = (struct waiting){.most = 1000000};
    opens(p, "9");
    assert_true(wait.asked > 5 && wait.last_us == world_now(player_world(p)));
    wait = (struct waiting){.most = 3};
    opens(p, "9"); /* it is kept: nothing is left to wait for */
    assert_int_equal(wait.asked, 2);
    player_set_patience(p, (struct player_patience){NULL, NULL});
    opens(p, "10");
    player_close(p);
}

static void only_forks_of_the_beginning_go_to_copies(void **state)
{
    struct err err = {""};
    struct player *p = open_step(*state, "enter = function(w) w:event(\"7a\") end", &err);
    assert_null(p);
    assert_contains(err.text, "event 7a is tried on a copy");
    p = open_step(
        *state, "enter = function(w) w:event(4) end, run = function(w) w:fork():event(\"7a\") end",
        &err);
    assert_non_null(p);
    assert_true(player_fault(p, &err));
    assert_contains(err.text, "only a fork of the story's beginning");
    player_close(p);
    p = open_step(*state,
                  "run = function(w) local f = w:fork() f:event(\"7a\") "
                  "assert(f.S2.read_ceiling == 9000 and f.S2.reads == 9300) end",
                  &err);
    assert_non_null(p);
    if (player_fault(p, &err)) {
        fail_msg("%s", err.text);
    }
    player_close(p);
}

static void lazy_rows_are_declared_so(void **state)
{
    static const struct {
        const char *rows, *said;
    } faults[] = {
        {"{ { label = \"a\", lazy = true, cells = { \"b\" } } }", "row 1 is 'lazy'"},
        {"{ { label = \"a\", lazy = true, run = function(f) end, cells = function(f) return { 1 } "
         "end } }",
         "'cells' a list of texts"},
        {"{ { label = \"a\", run = function(f) end, cells = { \"b\" } } }", "with 'lazy'"}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct err err = {""};
        struct str step = STR_EMPTY;
        str_addf(&step, "table = function(w) return { columns = { \"a\", \"b\" }, rows = %s } end",
                 faults[i].rows);
        assert_null(open_step(*state, step.text, &err));
        assert_contains(err.text, faults[i].said);
        str_free(&step);
    }
}

static void only_so_many_are_played_at_once(void **state)
{
    struct err err = {""};
    assert_null(open_step(*state,
                          "table = function(w) local rows = {} for i = 1, 25 do rows[i] = { label "
                          "= \"r\" .. i, run = function(f) end, cells = function(f) return { i } "
                          "end } end return { columns = { \"a\", \"b\" }, rows = rows } end",
                          &err));
    assert_contains(err.text, "25 rows are played at once");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_events_are_rows_and_none_is_played, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_row_opens_the_event, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(kept_worlds_are_those_of_the_journal, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(who_waits_can_give_up, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(only_forks_of_the_beginning_go_to_copies, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(lazy_rows_are_declared_so, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(only_so_many_are_played_at_once, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
