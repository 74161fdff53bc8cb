/*
 * What scripts see of layouts and lists of keys: numbers that are known from elsewhere, refusals,
 * how long things live, and that work is charged.
 */
#include "helpers.h"
#include "lesson/lint.h"

/* Opens a lesson of one step whose text is the expression's value; NULL with the fault. */
static struct player *open_with(const char *folder, const char *top, const char *step,
                                struct err *err)
{
    struct str path = STR_EMPTY, text = STR_EMPTY;
    str_addf(&text,
             "%s\nreturn lesson { id = \"20_layouts\", part = 6, title = \"L\", minutes = 1,\n"
             "  world = \"story-quiet\", steps = { { id = \"a\", title = \"A\", %s } } }\n",
             top, step);
    write_file(&path, folder, "20_layouts.lua", text.text);
    struct player *p = player_open(path.text, 1, err);
    str_free(&text);
    str_free(&path);
    return p;
}

static void assert_told(const char *folder, const char *top, const char *expression,
                        const char *told)
{
    struct err err = {""};
    struct str step = STR_EMPTY;
    str_addf(&step, "say = [[{%s}]]", expression);
    struct player *p = open_with(folder, top, step.text, &err);
    if (p == NULL) {
        fail_msg("%s: %s", expression, err.text);
        return;
    }
    if (strcmp(player_page(p)->say, told) != 0) {
        fail_msg("{%s} is \"%s\", not \"%s\"", expression, player_page(p)->say, told);
    }
    player_close(p);
    str_free(&step);
}

static void assert_refused(const char *folder, const char *top, const char *expression,
                           const char *part)
{
    struct err err = {""};
    struct str step = STR_EMPTY;
    str_addf(&step, "say = [[{%s}]]", expression);
    struct player *p = open_with(folder, top, step.text, &err);
    if (p != NULL) {
        fail_msg("{%s} is \"%s\"", expression, player_page(p)->say);
    }
    assert_contains(err.text, part);
    str_free(&step);
}

static const char tens[] =
    "function ks() return keys(\"k%d\", 0, 9999) end\n"
    "function ring(v, n) return layout(\"ring\", { shards = n or 4, tokens = v,"
    " seed = 2 }) end\n"
    "function list(t) local o = {} for i, v in ipairs(t) do o[i] = \"S\" .. v end"
    " return table.concat(o, \" \") end";

static void counts_are_those_of_the_figures(void **state)
{
    const char *f = *state;
    /* grow.syn_mod_4_5, grow.syn_mod_4_8, grow.ring1_donors, d3.slots_moved, d3.naive_moved,
     * d3.salt1_busiest and d3.salt_seven with eight sub-keys, grow.s5_fair dealt by the rule. */
    assert_told(f, tens,
                "layout(\"mod-n\", { shards = 4, hash = \"crc16\" }):moved("
                "layout(\"mod-n\", { shards = 5, hash = \"crc16\" }), ks())",
                "7,972");
    assert_told(f, tens,
                "layout(\"mod-n\", { shards = 4, hash = \"crc16\" }):moved("
                "layout(\"mod-n\", { shards = 8, hash = \"crc16\" }), ks())",
                "5,038");
    assert_told(f, tens, "ring(1):donors(ring(1):add(), ks())", "1");
    assert_told(f, "function users(l) return l:moved(l:add(), keys(\"user:%d\", 0, 99999)) end",
                "users(layout(\"slots\", { shards = 4, hash = \"fnv1a\", slots = 4096 }))",
                "20,180");
    assert_told(f, "function users(l) return l:moved(l:add(), keys(\"user:%d\", 0, 99999)) end",
                "users(layout(\"mod-n\", { shards = 4, hash = \"fnv1a\" }))", "80,028");
    assert_told(f, tens, "layout(\"slots\", { shards = 4 }):add():slots_of(4)", "3,276");
    assert_told(f, tens, "layout(\"ring\", { shards = 100, tokens = 256 }):points()", "25,600");
}

static void what_moved_and_what_is_held_agree(void **state)
{
    const char *f = *state;
    assert_told(f, tens,
                "ring(16):moved(ring(16):add(), ks()) - ring(16):add():taken(ring(16), ks(), 4)",
                "0");
    assert_told(f, tens,
                "(function() local a, b, k, n = ring(16), ring(16):add(), ks(), 0"
                " for id = 0, 3 do n = n + a:gave(b, k, id) end return n - a:moved(b, k) end)()",
                "0");
    assert_told(f, tens,
                "(function() local a, k, n = ring(100, 7), ks(), 0"
                " for id = 0, 6 do n = n + a:owned(k, id) end return n end)()",
                "10,000");
    assert_told(
        f, tens,
        "(function() local a, s = ring(100, 7), 0"
        " for id = 0, 6 do s = s + a:share(id) end return string.format(\"%.9f\", s) end)()",
        "1.000000000");
    /* The busiest over the average, by hand. */
    assert_told(
        f,
        "ks = keys { { \"a\", 6 }, { \"b\", 1 }, { \"c\", 1 } }\nd = layout(\"directory\", "
        "{ shards = 2 })",
        "d:busiest(ks) .. \" \" .. d:load(ks, 0) .. \" \" .. d:owned(ks, 0) .. \" \" .. ks:total()",
        "2.0 8 3 8");
    assert_told(f, tens,
                "layout(\"slots\", { shards = 4, deal = \"ranges\" }):give(0, 99, 3):slots_of(3)",
                "4,196");
    assert_told(f, tens,
                "layout(\"slots\", { shards = 4, deal = \"ranges\" }):position(\"post:{p9}\")",
                "12,067");
    assert_told(f, tens, "ring(4, 6):remove(2):shards() .. ring(4, 6):scheme()", "5ring");
    assert_told(f, tens, "ring(100, 3):weigh(0, 400):points()", "600");
}

static void ranges_are_cut_and_joined(void **state)
{
    const char *f = *state;
    static const char top[] =
        "t = keys(\"t%03d\", 0, 99, function(i) return i < 75 and 1 or 9 end)\n"
        "function r() return layout(\"range\", { shards = 4, keys = t,"
        " split = \"load\" }) end";
    assert_told(f, top, "r():ranges() .. \" \" .. r():range(4).keys .. \" \" .. r():range(4).load",
                "4 25 225");
    assert_told(f, top, "r():add():ranges() .. \" \" .. r():add():owner(\"t999\")", "5 4");
    assert_told(f, top, "r():split(\"t010\", 3):owner(\"t011\")", "3");
    assert_told(f, top, "r():merge(1):ranges()", "3");
    assert_told(f, top, "(r():cut(1)) > \"t000\" and \"cut\" or \"none\"", "cut");
    assert_told(f, "one = keys { \"a\" }",
                "select(2, layout(\"range\", { shards = 1, keys = one }):cut(1)) ~= nil and "
                "\"why\" or \"\"",
                "why");
    assert_refused(f, top, "r():range(5).keys", "there is no range 5: 1 to 4");
    assert_refused(f, tens, "ring(1):ranges() .. ring(1):split(\"a\", 1):shards()",
                   "ring has no ranges");
}

static void copies_are_on_different_shards_and_zones(void **state)
{
    const char *f = *state;
    static const char top[] =
        "l = layout(\"ring\", { shards = 6, tokens = 4, seed = 9 })\n"
        "z = { \"a\", \"a\", \"b\", \"b\", \"c\", \"c\" }\n"
        "function check() for i = 0, 299 do local k = \"k\" .. i\n"
        "  local c, d, w, s, zs = l:replicas(k, 3), l:replicas(k, 3, z), l:walk(k, 24), {}, {}\n"
        "  assert(c[1] == l:owner(k) and d[1] == l:owner(k) and w[1] == l:owner(k))\n"
        "  for _, id in ipairs(c) do assert(not s[id]) s[id] = true end\n"
        "  for _, id in ipairs(d) do assert(not zs[z[id + 1]]) zs[z[id + 1]] = true end\n"
        "  assert(#c == 3 and #d == 3 and #w == 24) end return \"good\" end";
    assert_told(f, top, "check()", "good");
    assert_told(f, top, "#l:replicas(\"k1\", 16)", "6");
    assert_refused(f, top, "#l:replicas(\"k1\", 3, { \"a\" })",
                   "zones: a list of one text for each");
    assert_refused(f, top, "#layout(\"jump\", {}):replicas(\"k1\", 3)", "jump is no ring");
}

static void every_scheme_can_be_had(void **state)
{
    static const char top[] =
        "function all() local ks, told = keys(\"k%d\", 0, 999), {}\n"
        "for _, s in ipairs { \"mod-n\", \"ring\", \"slots\", \"range\", \"directory\", \"jump\","
        " \"rendezvous\", \"maglev\", \"ketama\", \"bounded-load\" } do\n"
        "  local l = layout(s, { shards = 5, keys = ks })\n"
        "  local n = 0\n"
        "  for id = 0, 4 do n = n + l:owned(ks, id) end\n"
        "  assert(n == 1000, s)\n"
        "  assert(l:add():shards() == 6 and l:remove(2):shards() == 4 and l:memory() > 0, s)\n"
        "  told[#told + 1] = l:scheme() end return #told end";
    assert_told(*state, top, "all()", "10");
}

static void what_is_wrong_is_said(void **state)
{
    const char *f = *state;
    assert_refused(f, "", "layout(\"rong\", {}):shards()", "did you mean ring?");
    assert_refused(f, "", "layout(\"ring\", { token = 3 }):shards()", "did you mean tokens?");
    assert_refused(f, "", "layout(\"ring\", { tokens = 0 }):shards()", "tokens: 1 to");
    assert_refused(f, "", "layout(\"ring\", { deal = \"range\" }):shards()",
                   "did you mean ranges?");
    assert_refused(f, "", "layout(\"mod-n\", { shards = 2 }):give(0, 0, 1):shards()",
                   "mod-n has no slots to give");
    assert_refused(f, "", "layout(\"mod-n\", { shards = 2 }):weigh(0, 50):shards()",
                   "mod-n has no weights");
    assert_refused(f, "", "layout(\"mod-n\", { shards = 2 }):share(0)", "has no shares");
    assert_refused(f, "", "layout(\"mod-n\", { shards = 2 }):owned({ 5 }, 0)",
                   "key 1 of the list is a number");
    assert_refused(f, "", "layout(\"mod-n\", { shards = 2 }):owned(7, 0)",
                   "a list of keys is wanted");
    assert_refused(f, "", "layout(\"mod-n\", { shards = 2 }):owned({}, 9)", "shard 9 is not");
    assert_refused(f, "", "#keys(\"k%s\", 0, 9)", "the form is a short text with one %d");
    assert_refused(f, "", "#keys(\"k%d\", 0, 100000)", "makes 1 to 100000 keys");
    assert_refused(f, "", "#keys(\"k%d\", 0, 9, function() return -1 end)",
                   "a load is a whole number");
    assert_told(f, "ks = keys(\"k%02d\", 8, 11, function(i) return 10 * i end)",
                "ks[1] .. ks[4] .. #ks .. \" \" .. ks:load(2) .. tostring(ks[5])", "k08k114 90nil");
}

/* A layout made at the top lives on; one that a call made is gone with it. */
static void what_a_call_makes_lives_as_long_as_the_call(void **state)
{
    struct err err = {""};
    struct player *p = open_with(
        *state,
        "kept = layout(\"ring\", { shards = 3 })\nfunction make() mine = layout(\"ring\", "
        "{ shards = 3 }) return mine:shards() + kept:shards() end",
        "say = \"{make()}\", try = { ask = \"x\", goal = function() return mine:shards() > 9 end }",
        &err);
    assert_null(p);
    assert_contains(err.text, "this layout is gone: what a call makes lives as long as the call");
}

static void work_and_room_are_limited(void **state)
{
    const char *f = *state;
    assert_refused(f, "", "(function() for i = 1, 999 do layout(\"mod-n\", {}) end return 1 end)()",
                   "at most 320 layouts");
    assert_refused(f, "", "(function() for i = 1, 99 do keys(\"k%d\", 0, 9) end return 1 end)()",
                   "at most 24 lists of keys");
    assert_refused(f, "", "layout(\"ring\", { shards = 1000, tokens = 4000 }):points()",
                   "4000000 points on one ring");
    assert_refused(
        f, tens,
        "(function() local k = ks() for i = 1, 150 do ring(256, 9):busiest(k) end return 1 end)()",
        "more work than a lesson may do");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(counts_are_those_of_the_figures, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(what_moved_and_what_is_held_agree, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(ranges_are_cut_and_joined, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(copies_are_on_different_shards_and_zones, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(every_scheme_can_be_had, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_said, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_a_call_makes_lives_as_long_as_the_call, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(work_and_room_are_limited, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
