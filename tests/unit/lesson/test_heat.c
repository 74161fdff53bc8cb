/*
 * Heat maps of runs: each request counts once, in the row and column in which it was asked; the
 * lesson's own world stays as it is.
 */
#include "helpers.h"

static struct player *open_with(const char *folder, const char *world, const char *spec,
                                const char *say, struct err *err)
{
    struct str path = STR_EMPTY, text = STR_EMPTY;
    str_addf(&text,
             "local function row(v, i) return table.concat(v[i], \" \") end\n"
             "local function map(w) return w:heat { %s } end\n"
             "return lesson { id = \"34_heat\", part = 11, title = \"H\", minutes = 1,\n"
             "  world = \"%s\", steps = { { id = \"a\", title = \"A\",\n"
             "  with = { map = map, row = row }, say = [[{%s}]] },\n"
             "  { id = \"b\", title = \"B\", say = \"end\" } } }\n",
             spec, world, say);
    write_file(&path, folder, "34_heat.lua", text.text);
    struct player *p = player_open(path.text, 1, err);
    str_free(&text);
    str_free(&path);
    return p;
}

static void assert_told(const char *folder, const char *world, const char *spec, const char *say,
                        const char *told)
{
    struct err err = {""};
    struct player *p = open_with(folder, world, spec, say, &err);
    if (p == NULL) {
        fail_msg("%s: %s", spec, err.text);
        return;
    }
    if (strcmp(player_page(p)->say, told) != 0) {
        fail_msg("%s: {%s} is \"%s\", not \"%s\"", spec, say, player_page(p)->say, told);
    }
    player_close(p);
}

static void assert_refused(const char *folder, const char *spec, const char *part)
{
    struct err err = {""};
    struct player *p = open_with(folder, "story-quiet", spec, "#map(w)", &err);
    if (p != NULL) {
        fail_msg("%s is not refused", spec);
    }
    assert_contains(err.text, part);
}

#define ON_OFF                                                                                     \
    "columns = 4, each = function(f, j) if j == 2 then f:flow(\"read\", \"a\", 10) end\n"          \
    "if j == 3 then f:flow(\"like\", \"likes:{b}\", 5) end\n"                                      \
    "if j == 4 then f:flow(\"read\", \"a\", 0) end end"

static void each_request_counts_once(void **state)
{
    const char *f = *state;
    static const char quiet[] = "story-quiet";
    assert_told(f, quiet, "keys = { \"a\", \"likes:{b}\" }, " ON_OFF, "row(map(w), 1)",
                "0 10 10 0");
    assert_told(f, quiet, "keys = { \"a\", \"likes:{b}\" }, " ON_OFF, "row(map(w), 2)", "0 0 5 5");
    assert_told(f, quiet, "groups = { { \"a\", \"likes:{b}\" } }, " ON_OFF, "row(map(w), 1)",
                "0 10 15 5");
    assert_told(f, quiet, "of = \"writes\", groups = { { \"a\", \"likes:{b}\" } }, " ON_OFF,
                "row(map(w), 1)", "0 0 5 5");
    assert_told(f, quiet, "of = \"reads\", groups = { { \"a\", \"likes:{b}\" } }, " ON_OFF,
                "row(map(w), 1)", "0 10 10 0");
    assert_told(f, quiet, "keys = { \"likes:{b}\" }, " ON_OFF, "select(2, map(w))", "20");
    assert_told(f, quiet, "keys = { \"c\" }, columns = 3, seconds = 0.5", "row(map(w), 1)",
                "0 0 0");
    /* The lesson's own world has not been asked for anything. */
    assert_told(f, quiet, "keys = { \"a\" }, " ON_OFF, "#map(w) .. \" \" .. w:clock()",
                "1 20:00:00.000");
}

/* As w:asked counts the same second: a cache's fetches, not the reads that it answers. */
static void as_asked_counts(void **state)
{
    static const char spec[] = "keys = { \"post:{p9}\", \"likes:{p9}\" }, columns = 1";
    assert_told(*state, "story", spec, "tostring(map(w)[1][1] == w:asked(\"post:{p9}\").reads)",
                "true");
    assert_told(*state, "story", spec, "tostring(map(w)[2][1] == w:asked(\"likes:{p9}\").writes)",
                "true");
    assert_told(*state, "story",
                "keys = { \"post:{p9}\" }, columns = 3, each = function(f, j)\n"
                "if j == 1 then f:flow(\"read\", \"post:{p9}\", 900) end\n"
                "if j == 2 then f:command(\"reads post:{p9} cached\") end end",
                "tostring(map(w)[1][1] == 900 and map(w)[1][3] < 20)", "true");
}

/* A shard's row has what is asked for its keys: half of them move to one that joins. */
static void rows_of_shards(void **state)
{
    static const char spec[] =
        "shards = { \"S2\", \"S4\" }, columns = 3, each = function(f, j)\n"
        "if j == 1 then f:flow(\"read\", \"post:{p9}\", 40) f:flow(\"read\", \"post:{p1}\", 7) "
        "end\n"
        "if j == 2 then f:add_shard(\"a\") f:move(f:slot(\"post:{p9}\"), f:slot(\"post:{p9}\"), "
        "\"S4\") end end";
    assert_told(*state, "story-quiet", spec, "row(map(w), 2)", "0 40 40");
    assert_told(*state, "story-quiet", spec,
                "tostring(map(w)[1][1] == 40 + (w:owner(\"post:{p1}\") == \"S2\" and 7 or 0))",
                "true");
}

static void what_is_wrong_is_said(void **state)
{
    const char *f = *state;
    assert_refused(f, "columns = 2", "its rows are either 'keys', 'groups' or 'shards'");
    assert_refused(f, "keys = { \"a\" }, shards = { \"S0\" }", "either 'keys'");
    assert_refused(f, "keys = {}", "a list of 1 to 64 rows");
    assert_refused(f, "keys = { \"a\", \"a\" }", "'a' is in two rows");
    assert_refused(f, "keys = { 3 }", "row 1 has a number, not a text");
    assert_refused(f, "shards = { \"R0\" }", "row 1 is 'R0', which is no shard");
    assert_refused(f, "shards = { \"S1024\" }", "row 1 is 'S1024', which is no shard");
    assert_refused(f, "keys = { \"\" }", "a key of row 1 has 0 bytes");
    assert_refused(f, "keys = { \"a\", \"b\\0\" }", "a zero byte");
    assert_refused(f, "keys = { string.rep(\"k\", 1000) }", "a key of row 1 has 1000 bytes");
    assert_refused(f, "groups = { \"a\" }", "group 1 is a string, not a list of keys");
    assert_refused(f, "keys = { \"a\" }, column = 3", "did you mean columns");
    assert_refused(f, "keys = { \"a\" }, columns = 0", "1 to 120 columns");
    assert_refused(f, "keys = { \"a\" }, seconds = 0", "0.01 to 60 seconds");
    assert_refused(f, "keys = { \"a\" }, of = \"all\"", "\"writes\" or \"reads\"");
    assert_refused(f, "keys = { \"a\" }, each = 3", "'each' is a function");
    assert_refused(f, "keys = { \"a\" }, each = function(f) f:play_for(1) end",
                   "time passes by itself");
    assert_refused(f, "keys = { \"a\" }, each = function(f) f:heat { keys = { \"b\" } } end",
                   "one heat map at a time");
    assert_refused(f,
                   "keys = { \"a\" }, columns = 60, seconds = 10, each = function(f, j)\n"
                   "if j == 1 then f:flow(\"read\", \"a\", 2900) end end",
                   "at most 2,000,000 events a map");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_request_counts_once),
        cmocka_unit_test(as_asked_counts),
        cmocka_unit_test(rows_of_shards),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
