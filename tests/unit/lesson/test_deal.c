/*
 * What scripts see of work dealt to workers and of buckets: numbers that are known from elsewhere,
 * and refusals; the field of a step.
 */
#include "helpers.h"
#include "lesson/lint.h"

/* Opens a lesson of two steps, the first with these fields; NULL with the fault. */
static struct player *open_with(const char *folder, const char *top, const char *fields,
                                struct err *err)
{
    struct str path = STR_EMPTY, text = STR_EMPTY;
    str_addf(&text,
             "%s\nreturn lesson { id = \"33_deal\", part = 11, title = \"D\", minutes = 1,\n"
             "  world = \"story-quiet\", steps = { { id = \"a\", title = \"A\", %s },\n"
             "  { id = \"b\", title = \"B\", say = \"end\" } } }\n",
             top, fields);
    write_file(&path, folder, "33_deal.lua", text.text);
    struct player *p = player_open(path.text, 1, err);
    str_free(&text);
    str_free(&path);
    return p;
}

static void assert_told(const char *folder, const char *top, const char *expression,
                        const char *told)
{
    struct err err = {""};
    struct str fields = STR_EMPTY;
    str_addf(&fields, "say = [[{%s}]]", expression);
    struct player *p = open_with(folder, top, fields.text, &err);
    if (p == NULL) {
        fail_msg("%s: %s", expression, err.text);
        return;
    }
    if (strcmp(player_page(p)->say, told) != 0) {
        fail_msg("{%s} is \"%s\", not \"%s\"", expression, player_page(p)->say, told);
    }
    player_close(p);
    str_free(&fields);
}

static void assert_refused(const char *folder, const char *top, const char *expression,
                           const char *part)
{
    struct err err = {""};
    struct str fields = STR_EMPTY;
    str_addf(&fields, "say = [[{%s}]]", expression);
    struct player *p = open_with(folder, top, fields.text, &err);
    if (p != NULL) {
        fail_msg("{%s} is \"%s\"", expression, player_page(p)->say);
    }
    assert_contains(err.text, part);
    str_free(&fields);
}

/* --- deals --- */

static const char work[] = "W = { 9, 1, 1, 1, 4, 4, 2, 2 }\n"
                           "function d(by, n, more) local o = more or {}\n"
                           "  o.by, o.workers = by, n or 2 return deal(W, o) end\n"
                           "function all(x) local t = {}\n"
                           "  for i = 1, x:workers() do t[i] = x:cost(i) end\n"
                           "  return table.concat(t, \" \") end";

static void each_way_to_deal(void **state)
{
    const char *f = *state;
    assert_told(f, work, "all(d(\"turn\"))", "16 8");
    assert_told(f, work, "all(d(\"rows\"))", "12 12");
    assert_told(f, work, "all(d(\"bytes\", 3))", "9 7 8");
    assert_told(f, work, "all(d(\"steal\", 2, { pieces = 8 }))", "13 11");
    assert_told(f, work, "d(\"turn\"):barrier()", "16");
    assert_told(f, work, "d(\"turn\"):average()", "12");
    assert_told(f, work, "d(\"turn\"):idle()", "25");
    assert_told(f, work, "d(\"turn\"):slowest()", "1");
    assert_told(f, work, "d(\"turn\"):longest()", "9");
    assert_told(f, work, "d(\"turn\"):items(2)", "4");
    assert_told(f, work, "d(\"turn\", 3):average()", "8");
    assert_told(f, work, "d(\"bytes\", 3):idle()", "11.1"); /* 3 of 27 */
    assert_told(f, work, "d(\"steal\", 2, { pieces = 8, overhead = 5 }):finish(1)", "30");
    assert_told(f, work, "d(\"steal\", 2, { pieces = 4 }):pieces()", "4");
    assert_told(f, work, "deal(W):workers()", "8");
    assert_told(f, "", "deal(keys { { \"a\", 3 }, { \"b\", 4 } }, { workers = 1 }):cost(1)", "7");
    assert_told(f, "", "deal({ count = 1000, low = 5, high = 5 }, { by = \"rows\" }):idle()", "0");
    assert_told(
        f, "",
        "tostring(deal({ count = 100, low = 1, high = 2, long = 20, seed = 4 }):longest() > 4)",
        "true");
}

/* The names of a list of keys count; a list of numbers has names of its own. */
static void by_hash_is_by_name(void **state)
{
    const char *f = *state;
    static const char two[] =
        "function at(name) return bucket_of(name, 2) + 1 end\n"
        "function mine(name) return deal(keys { { name, 6 } }, { workers = 2, by = \"hash\" }):"
        "cost(at(name)) end";
    assert_told(f, two, "mine(\"a\") + mine(\"b\") + mine(\"c\") + mine(\"d\")", "24");
    assert_told(f, two, "deal({ 5 }, { workers = 2, by = \"hash\" }):cost(at(\"part-00000\"))",
                "5");
}

static void what_deal_refuses(void **state)
{
    const char *f = *state;
    assert_refused(f, work, "d(\"byte\")",
                   "there is no way to deal called byte; did you mean bytes");
    assert_refused(f, work, "d(\"rows\", 2, { pieces = 4 })", "'pieces' goes with turn and steal");
    assert_refused(f, work, "d(\"rows\", 0)", "1 to 64 workers");
    assert_refused(f, work, "deal(W, { worker = 2 })", "did you mean workers");
    assert_refused(f, work, "d(\"rows\"):items(3)", "there is no worker 3: 1 to 2");
    assert_refused(f, "", "deal({ 1, 2.5 }, {})", "number 2 is not");
    assert_refused(f, "", "deal({}, {})", "nothing to deal");
    assert_refused(f, "", "deal({ count = 4, low = 3, high = 2 })", "from low to high");
    assert_refused(f, "", "deal({ count = 4, lo = 3 })", "did you mean low");
    assert_refused(f, "", "deal(4)", "table expected");
}

/* Lists that a deal was made of do not stay: a call may make as many deals as it likes. */
static void many_deals_in_one_call(void **state)
{
    assert_told(*state, "",
                "(function() local s = 0 for i = 1, 200 do s = s + deal({ i, i }, "
                "{ workers = 2 }):barrier() end return s end)()",
                "20,100");
}

static void buckets(void **state)
{
    const char *f = *state;
    static const char share[] =
        "function share(n, under, salt) local c = 0\n"
        "  for i = 1, 5000 do c = c + (bucket_of(\"user:\" .. i, n, salt) < under and 1 or 0) end\n"
        "  return c end\n"
        "function both() local c = 0\n"
        "  for i = 1, 5000 do local u = \"user:\" .. i\n"
        "    c = c + (bucket_of(u, 100, \"a\") < 50 and bucket_of(u, 100, \"b\") < 50 and 1 or 0) "
        "end\n  return c end";
    assert_told(f, "", "bucket_of(\"nova\")", "77");
    assert_told(f, "", "tostring(bucket_of(\"nova\", 100) == bucket_of(\"nova\"))", "true");
    assert_told(
        f, "",
        "tostring(bucket_of(\"canary-7:nova\", 10) == bucket_of(\"nova\", 10, \"canary-7\"))",
        "true");
    assert_told(f, share, "tostring(share(100, 5) > 200 and share(100, 5) < 300)", "true");
    assert_told(f, share, "tostring(both() > 1150 and both() < 1350)",
                "true"); /* salts draw anew */
    assert_refused(f, "", "bucket_of(\"a\", 0)", "1 to 1000000000 buckets");
}

/* --- the field of a step --- */

static void a_step_shows_its_deals(void **state)
{
    struct err err = {""};
    struct player *p = open_with(
        *state, work,
        "say = \"s\", show = { \"workers\" }, knobs = { { name = \"size\", values = { 2, 4 } } },\n"
        "predict = { id = \"q\", kind = \"number\", ask = \"?\", answer = function() return 25 end,"
        " why = \"w\" },\n"
        "workers = function(w, knob) return { title = \"{knob.size} of them\", unit = \"MB\",\n"
        "  deals = { { label = \"in turn\", deal = d(\"turn\", knob.size) } } } end",
        &err);
    if (p == NULL) {
        fail_msg("%s", err.text);
    }
    const struct page_workers *w = player_page(p)->workers;
    assert_string_equal(w->title, "2 of them");
    assert_string_equal(w->unit, "MB");
    assert_int_equal(w->deals, 1);
    assert_string_equal(w->deal[0].label, "in turn");
    assert_int_equal(w->deal[0].deal.barrier, 16);
    assert_true(w->hidden);
    assert_true(player_turn(p, "size", "4", &err));
    assert_string_equal(player_page(p)->workers->title, "4 of them");
    assert_int_equal(player_page(p)->workers->deal[0].deal.params.workers, 4);
    assert_true(player_answer(p, "25", &err));
    assert_false(player_page(p)->workers->hidden);
    player_close(p);
}

static void a_step_without_good_deals(void **state)
{
    struct err err = {""};
    static const struct {
        const char *field, *part;
    } bad[] = {
        {"workers = function() return 3 end", "'workers' gives a number, not a table with deals"},
        {"workers = function() return { deals = {} } end", "'deals' has 1 to 6 entries, not 0"},
        {"workers = function() return { deals = { { label = \"a\", deal = 3 } } } end",
         "the 'deal' of entry 1 is a number"},
        {"workers = function() return { deals = { { deal = deal { 1 } } } } end",
         "'label' is a nil, not a text"},
        {"show = { \"workers\" }", "the picture 'workers' needs 'workers'"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct str fields = STR_EMPTY;
        str_addf(&fields, "say = \"s\", %s", bad[i].field);
        struct player *p = open_with(*state, "", fields.text, &err);
        if (p != NULL) { /* only the check sees it */
            struct str path = STR_EMPTY;
            str_addf(&path, "%s/33_deal.lua", (const char *)*state);
            assert_non_null(strstr(bad[i].part, "needs"));
            player_close(p);
            struct lint_report *r = lesson_check(path.text);
            bool found = false;
            for (size_t k = 0; k < r->count; k++) {
                found = found || strstr(r->finding[k].message, bad[i].part) != NULL;
            }
            assert_true(found);
            lint_report_free(r);
            str_free(&path);
        } else {
            assert_contains(err.text, bad[i].part);
        }
        str_free(&fields);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_to_deal),
        cmocka_unit_test(by_hash_is_by_name),
        cmocka_unit_test(what_deal_refuses),
        cmocka_unit_test(many_deals_in_one_call),
        cmocka_unit_test(buckets),
        cmocka_unit_test(a_step_shows_its_deals),
        cmocka_unit_test(a_step_without_good_deals),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
