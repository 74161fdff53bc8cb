/*
 * What scripts see of vectors: corpora, parts, graphs, searches and recall; refusals, how long
 * things live, that work is charged; and the search that a step shows.
 */
#include "helpers.h"
#include "lesson/lint.h"

static const char corpora[] =
    "C = corpus { points = 2000, dims = 2, groups = 12, seed = 1 }\n"
    "D = corpus { points = 10000, dims = 16, groups = 24, seed = 1 }\n"
    "function list(t) local o = {} for i, v in ipairs(t) do o[i] = v end return table.concat(o, "
    "\" \") end";

static struct player *open_with(const char *folder, const char *top, const char *step,
                                struct err *err)
{
    struct str path = STR_EMPTY, text = STR_EMPTY;
    str_addf(&text,
             "%s\nreturn lesson { id = \"20_vectors\", part = 11, title = \"V\", minutes = 1,\n"
             "  world = \"story-quiet\", steps = { { id = \"a\", title = \"A\", %s } } }\n",
             top, step);
    write_file(&path, folder, "20_vectors.lua", text.text);
    struct player *p = player_open(path.text, 1, err);
    str_free(&text);
    str_free(&path);
    return p;
}

static void assert_told(const char *folder, const char *expression, const char *told)
{
    struct err err = {""};
    struct str step = STR_EMPTY;
    str_addf(&step, "say = [[{%s}]]", expression);
    struct player *p = open_with(folder, corpora, step.text, &err);
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

static void assert_refused(const char *folder, const char *step, const char *part)
{
    struct err err = {""};
    struct player *p = open_with(folder, corpora, step, &err);
    if (p != NULL) {
        fail_msg("%s is \"%s\"", step, player_page(p)->say);
    }
    assert_contains(err.text, part);
}

static void assert_no(const char *folder, const char *expression, const char *part)
{
    struct str step = STR_EMPTY;
    str_addf(&step, "say = [[{%s}]]", expression);
    assert_refused(folder, step.text, part);
    str_free(&step);
}

static void corpora_and_their_nearest(void **state)
{
    const char *f = *state;
    assert_told(f, "#C", "2,000");
    assert_told(f, "#D:query(1)", "16");
    assert_told(f, "#C:near(C:query(5), 7)", "7");
    assert_told(f, "#C:near(C:query(5))", "10");
    /* A point is nearest to itself. */
    assert_told(f, "C:near(C:point(77), 1)[1]", "77");
    /* By hand: no point is nearer than the first. */
    assert_told(f,
                "(function() local q, best, id = C:query(3), math.huge, -1\n"
                "for i = 0, #C - 1 do local v = C:point(i)\n"
                "local d = (v[1] - q[1]) ^ 2 + (v[2] - q[2]) ^ 2\n"
                "if d < best then best, id = d, i end end\n"
                "return id - C:near(q, 1)[1] end)()",
                "0");
    assert_told(f, "C == corpus { points = 2000 } and 1 or #corpus { points = 2000 }", "2,000");
    /* Queries are not those of another seed. */
    assert_told(f, "corpus { seed = 2 }:query(1)[1] == C:query(1)[1] and \"same\" or \"other\"",
                "other");
}

static void parts_are_searched(void **state)
{
    const char *f = *state;
    assert_told(f, "C:ivf { parts = 40 }:parts()", "40");
    assert_told(f,
                "(function() local ix, n = C:ivf { parts = 40 }, 0\n"
                "for p = 0, 39 do n = n + ix:size(p) end return n end)()",
                "2,000");
    assert_told(f,
                "(function() local ix = C:ivf { parts = 40 } local p, n = ix:largest()\n"
                "return n - ix:size(p) end)()",
                "0");
    assert_told(f,
                "(function() local r = C:ivf { parts = 40 }:search(C:query(32), { probe = 1 })\n"
                "return list { r.found, r.recall, r.scanned, r.share, r.centroids, #r.ids,\n"
                "#r.parts, #r.missed } end)()",
                "5 50 74 3.7 40 10 1 5");
    /* What is missed is in a part further off, and found when so many are probed. */
    assert_told(f,
                "(function() local ix, q, rank = C:ivf { parts = 40 }, C:query(32), 0\n"
                "for _, m in ipairs(ix:search(q, { probe = 1 }).missed) do\n"
                "assert(ix:part_of(m.id) == m.part) rank = math.max(rank, m.rank) end\n"
                "return list { rank, ix:search(q, { probe = rank }).found,\n"
                "ix:search(q, { probe = rank - 1 }).found } end)()",
                "3 10 7");
    assert_told(f,
                "(function() local ix, t = C:ivf { parts = 40 }, {}\n"
                "for i, p in ipairs { 1, 2, 3, 40 } do t[i] = ix:recall { probe = p }.recall end\n"
                "return list(t) end)()",
                "86.6 97.1 99.8 100");
    assert_told(f, "C:ivf { parts = 40 }:recall { probe = 40 }.scanned", "2,000");
    assert_told(f, "C:ivf { parts = 40 }:recall { probe = 40, queries = 3 }.share", "100");
}

static void graphs_are_searched(void **state)
{
    const char *f = *state;
    assert_told(f,
                "(function() local r = C:graph { links = 8 }:search(C:query(32), { width = 16 })\n"
                "return list { r.found, r.recall, r.looked, r.hops, #r.ids, #r.shards } end)()",
                "10 100 72 23 10 1");
    assert_told(f,
                "(function() local g = C:graph { links = 8, shards = 4, by = \"hash\" }\n"
                "local r, looked, hops, points = g:search(C:query(32)), 0, 0, 0\n"
                "for _, s in ipairs(r.shards) do looked = looked + s.looked hops = hops + s.hops\n"
                "points = points + s.points end\n"
                "return list { looked - r.looked, hops - r.hops, points } end)()",
                "0 0 2000");
    assert_told(f, "C:graph { shards = 4 }:shard_of(500)", "1");
    /* A width below k counts as k. */
    assert_told(f,
                "C:graph {}:search(C:query(1), { width = 1 }).looked - "
                "C:graph {}:search(C:query(1), { width = 10 }).looked",
                "0");
}

/* 10,000 points of 16 dimensions, both indexes, 100 queries each: within one call, and a second
 * time it costs nothing. */
static void recall_of_many_points_fits_into_a_call(void **state)
{
    assert_told(*state,
                "(function() local ix, g = D:ivf { parts = 100 }, D:graph { shards = 4 }\n"
                "local one, three = ix:recall { probe = 1 }, ix:recall { probe = 3 }\n"
                "local wide = g:recall { width = 64 }\n"
                "for i = 1, 1000 do assert(ix:recall { probe = 3 }.recall == three.recall) end\n"
                "return one.recall > 50 and one.recall < 70 and three.recall > 85 and\n"
                "three.recall < 95 and wide.recall > 98 and wide.share < 30 end)() and \"yes\"",
                "yes");
}

static void work_is_charged(void **state)
{
    const char *f = *state;
    assert_no(f,
              "(function() for i = 1, 9 do D:ivf { parts = 1000, rounds = 50, seed = i }:parts() "
              "end end)()",
              "more work");
    assert_no(f,
              "(function() for i = 1, 1000 do D:ivf { parts = 40 }:recall { queries = 1000, "
              "probe = i % 40 + 1, k = i // 40 + 1 } end end)()",
              "more work");
    assert_no(f, "(function() for i = 1, 99999 do C:near(C:query(i)) end end)()", "more work");
}

static void what_cannot_be_is_refused(void **state)
{
    const char *f = *state;
    assert_no(f, "corpus { point = 3 }", "did you mean points?");
    assert_no(f, "corpus { points = 20001 }", "points: 1 to 20000, not 20001");
    assert_no(f, "corpus { dims = 1 }", "dims: 2 to 64, not 1");
    assert_no(f, "corpus { [1] = 2 }", "an option has a name");
    assert_no(f, "C:query(0)", "queries have numbers from 1 to 1000000");
    assert_no(f, "C:point(2000)", "there is no point 2000: 0 to 1999");
    assert_no(f, "C:near(D:query(1))", "this query is of another corpus");
    assert_no(f, "C:near(7)", "vector");
    assert_no(f, "C:near(C:query(1), 201)", "near gives 1 to 200 points, not 201");
    assert_no(f, "C:query(1)[3]", "a vector has coordinates 1 to 2");
    assert_no(f, "C:ivf { parts = 0 }", "parts: 1 to 1024, not 0");
    assert_no(f, "corpus { points = 20 }:ivf { parts = 21 }", "parts: 1 to 20, not 21");
    assert_no(f, "C:ivf { part = 9 }", "did you mean parts?");
    assert_no(f, "C:ivf {}:size(40)", "there is no part 40: 0 to 39");
    assert_no(f, "C:ivf {}:search(C:query(1), { probe = 41 })", "probe: 1 to 40, not 41");
    assert_no(f, "C:ivf {}:search(C:query(1), { queries = 4 })", "no option of a search called");
    assert_no(f, "C:ivf {}:recall { queries = 1001 }", "queries: 1 to 1000");
    assert_no(f, "C:graph { links = 1 }", "links: 2 to 32, not 1");
    assert_no(f, "C:graph { by = \"range\" }", "no way to cut a graph called range");
    assert_no(f, "corpus { points = 20 }:graph { shards = 40 }:shard_of(1)",
              "gets none of 20 points");
    assert_no(f, "(function() C.name = 3 end)()", "corpus");
    assert_no(f, "(function() for i = 1, 20 do corpus { points = 5, seed = i } end end)()",
              "at most 16 different corpora");
    assert_no(f, "(function() for i = 1, 70 do C:ivf { seed = i } end end)()",
              "at most 64 different indexes");
    assert_no(f,
              "(function() for i = 1, 60 do corpus { points = 20000, dims = 64, seed = i % 10 }"
              ":graph { links = 32, seed = i } end end)()",
              "at most 64 MB");
}

#define SHOWN "say = \"s\", show = { \"vectors\" }, "

static void a_step_shows_a_search(void **state)
{
    struct err err = {""};
    struct player *p = open_with(
        *state, corpora,
        SHOWN "knobs = { { name = \"size\", label = \"probe\", values = { 1, 3 } } },\n"
              "vectors = function(w, knob) return { title = \"Of {#C}\",\n"
              "index = C:ivf { parts = 40 }, query = C:query(32), probe = knob.size } end",
        &err);
    if (p == NULL) {
        fail_msg("%s", err.text);
        return;
    }
    const struct page_vectors *v = player_page(p)->vectors;
    assert_non_null(v);
    assert_string_equal(v->title, "Of 2,000");
    assert_true(v->ivf != NULL && v->graph == NULL && v->asked);
    assert_int_equal(corpus_points(v->corpus), 2000);
    assert_int_equal(v->probe, 1);
    assert_int_equal(v->k, 10);
    assert_true(player_turn(p, "size", "3", &err));
    assert_int_equal(player_page(p)->vectors->probe, 3);
    player_close(p);
}

static void a_step_may_show_a_corpus_or_a_graph(void **state)
{
    struct err err = {""};
    struct player *p =
        open_with(*state, corpora, SHOWN "vectors = function() return { index = C } end", &err);
    assert_non_null(p);
    assert_false(player_page(p)->vectors->asked);
    assert_string_equal(player_page(p)->vectors->title, "");
    player_close(p);
    p = open_with(*state, corpora,
                  SHOWN "vectors = function() return { index = C:graph { shards = 2 }, query = "
                        "C:query(1), width = 20, k = 5 } end",
                  &err);
    assert_non_null(p);
    assert_non_null(player_page(p)->vectors->graph);
    assert_int_equal(player_page(p)->vectors->width, 20);
    assert_int_equal(player_page(p)->vectors->k, 5);
    player_close(p);
}

static void a_step_that_shows_it_wrongly(void **state)
{
    const char *f = *state;
    assert_refused(f, SHOWN "vectors = function() return 3 end", "'vectors' gives a number");
    assert_refused(f, SHOWN "vectors = function() return { index = 3 } end",
                   "'index' is what c:ivf or c:graph makes, or a corpus, not a number");
    assert_refused(f, SHOWN "vectors = function() return { index = C, query = 3 } end",
                   "'query' is what c:query makes");
    assert_refused(f, SHOWN "vectors = function() return { index = C, query = D:query(1) } end",
                   "of another corpus");
    assert_refused(f, SHOWN "vectors = function() return { index = C:ivf {}, probe = 41 } end",
                   "'probe' is a number from 1 to 40");
    assert_refused(f, SHOWN "vectors = function() return { index = C, k = 0 } end",
                   "'k' is a number from 1 to 200");
    assert_refused(f, SHOWN "vectors = 3", "vectors");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corpora_and_their_nearest),
        cmocka_unit_test(parts_are_searched),
        cmocka_unit_test(graphs_are_searched),
        cmocka_unit_test(recall_of_many_points_fits_into_a_call),
        cmocka_unit_test(work_is_charged),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_step_shows_a_search),
        cmocka_unit_test(a_step_may_show_a_corpus_or_a_graph),
        cmocka_unit_test(a_step_that_shows_it_wrongly),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
