/*
 * The picture of a search among vectors: its goldens, what it says, what it does not say while the
 * question is open, and any size, place and state.
 */
#include "base/prng.h"
#include "scenes.h"

static const struct view_state plain = {.argument = ""};

struct vectors_stage {
    struct stage st;
    struct page_vectors page;
    struct corpus *corpus;
    struct ivf *ivf;
    struct graph *graph;
};

static void stage_of(struct vectors_stage *s, uint32_t points, uint32_t dims)
{
    struct corpus_params params = {points, dims, 12, 1};
    *s = (struct vectors_stage){.corpus = corpus_new(&params, NULL)};
    assert_non_null(s->corpus);
    stage_new(&s->st, NULL);
    s->page = (struct page_vectors){
        .title = "Posts that are alike", .corpus = s->corpus, .k = 10, .probe = 1, .width = 16};
    s->st.page.vectors = &s->page;
}

static void with_parts(struct vectors_stage *s, uint32_t parts, uint32_t probe)
{
    s->ivf = ivf_new(s->corpus, &(struct ivf_params){parts, 10, 1}, NULL);
    assert_non_null(s->ivf);
    s->page.ivf = s->ivf;
    s->page.probe = probe;
}

static void with_graph(struct vectors_stage *s, uint32_t shards)
{
    s->graph = graph_new(s->corpus, &(struct graph_params){8, shards, GRAPH_BY_HASH, 1}, NULL);
    assert_non_null(s->graph);
    s->page.graph = s->graph;
}

static void ask(struct vectors_stage *s, uint32_t query)
{
    s->page.asked = true;
    corpus_query(s->corpus, query, s->page.query);
}

static void stage_end(struct vectors_stage *s)
{
    ivf_free(s->ivf);
    graph_free(s->graph);
    corpus_free(s->corpus);
    stage_free(&s->st);
}

static char *told(const struct vectors_stage *s, const struct view_state *v)
{
    char *text = scene_told(&s->st.scene, "vectors", v);
    assert_plain(text, 78);
    return text;
}

static void missed_ones_lie_beyond_the_border(void **state)
{
    (void)state;
    struct vectors_stage s;
    stage_of(&s, 2000, 2);
    with_parts(&s, 40, 1);
    ask(&s, 32);
    scene_goldens(&s.st.scene, "vectors", &plain, "vectors_parts");
    scene_golden(&s.st.scene, "vectors", &plain, "vectors_parts", 30, 6, GLYPHS_ASCII);
    const struct view_state whole = {.argument = "all"}, close = {.argument = "", .zoom = 1};
    scene_golden(&s.st.scene, "vectors", &whole, "vectors_all", 40, 19, GLYPHS_UTF8);
    scene_golden(&s.st.scene, "vectors", &whole, "vectors_all", 40, 8, GLYPHS_UTF8);
    scene_golden(&s.st.scene, "vectors", &close, "vectors_close", 40, 19, GLYPHS_UTF8);
    scene_golden(&s.st.scene, "vectors", &close, "vectors_close", 40, 19, GLYPHS_ASCII);
    char *text = told(&s, &plain);
    assert_contains(text, "2,000 vectors of 2 dimensions in 40 parts.\n");
    assert_contains(text, "Probed 1 of 40 parts: scanned 74 of 2,000 vectors, 3.7%.\n");
    assert_contains(text, "Found 5 of the 10 nearest: recall 50%. Probing 3 would find all.\n");
    assert_contains(text, "(missed)");
    free(text);
    s.page.probe = 3;
    text = told(&s, &plain);
    assert_contains(text, "Found 10 of the 10 nearest: recall 100%.");
    assert_null(strstr(text, "missed"));
    free(text);
    stage_end(&s);
}

/* While the question is open: the parts and which are probed, and nothing of what is found. */
static void an_open_question_keeps_the_outcome(void **state)
{
    (void)state;
    struct vectors_stage s;
    stage_of(&s, 2000, 2);
    with_parts(&s, 40, 2);
    ask(&s, 32);
    s.st.page.question.kind = QUESTION_NUMBER;
    scene_golden(&s.st.scene, "vectors", &plain, "vectors_open", 40, 19, GLYPHS_UTF8);
    char *text = told(&s, &plain);
    assert_contains(text, "The search probes the 2 nearest of 40 parts.");
    assert_null(strstr(text, "ound"));
    assert_null(strstr(text, "missed"));
    assert_null(strstr(text, "recall"));
    assert_null(strstr(text, "scanned"));
    assert_null(strstr(text, "of the nearest"));
    free(text);
    s.page.probe = 1;
    text = told(&s, &plain);
    assert_contains(text, "The search probes the nearest of 40 parts.");
    free(text);
    for (int zoom = -1; zoom < 4; zoom++) {
        const struct view_state v = {.argument = "", .zoom = zoom, .has_selection = true};
        char *drawn = scene_text(&s.st.scene, "vectors", &v, 122, 28, true);
        assert_null(strstr(drawn, "●"));
        assert_null(strstr(drawn, "○"));
        assert_null(strstr(drawn, "ound"));
        free(drawn);
    }
    stage_end(&s);
}

static void without_a_query_all_parts_have_colour(void **state)
{
    (void)state;
    struct vectors_stage s;
    stage_of(&s, 2000, 2);
    with_parts(&s, 40, 1);
    scene_golden(&s.st.scene, "vectors", &plain, "vectors_bare", 56, 25, GLYPHS_UTF8);
    scene_golden(&s.st.scene, "vectors", &plain, "vectors_bare", 40, 19, GLYPHS_ASCII);
    char *text = told(&s, &plain);
    assert_contains(text, "part");
    assert_null(strstr(text, "robe"));
    free(text);
    stage_end(&s);
}

static void a_way_goes_down_the_layers(void **state)
{
    (void)state;
    struct vectors_stage s;
    stage_of(&s, 2000, 2);
    with_graph(&s, 1);
    ask(&s, 32);
    scene_golden(&s.st.scene, "vectors", &plain, "vectors_graph", 40, 8, GLYPHS_UTF8);
    scene_golden(&s.st.scene, "vectors", &plain, "vectors_graph", 40, 19, GLYPHS_UTF8);
    scene_golden(&s.st.scene, "vectors", &plain, "vectors_graph", 40, 19, GLYPHS_ASCII);
    scene_golden(&s.st.scene, "vectors", &plain, "vectors_graph", 56, 25, GLYPHS_UTF8);
    scene_golden(&s.st.scene, "vectors", &plain, "vectors_graph", 122, 28, GLYPHS_UTF8);
    char *text = told(&s, &plain);
    assert_contains(text, "Posts that are alike. 2,000 vectors of 2 dimensions in one graph, 8");
    assert_contains(text, "Width 16: looked at 72 of 2,000 vectors, 3.6%, in 23 hops.\n");
    assert_contains(text, "Found 10 of the 10 nearest: recall 100%.\n");
    assert_contains(text, " hop layer  vector distance    from  looked\n   1     2 ");
    free(text);
    s.st.page.question.kind = QUESTION_NUMBER;
    text = told(&s, &plain);
    assert_null(strstr(text, "hop"));
    assert_null(strstr(text, "ound"));
    free(text);
    stage_end(&s);
}

static void a_shard_has_a_way_of_its_own(void **state)
{
    (void)state;
    struct vectors_stage s;
    stage_of(&s, 2000, 2);
    with_graph(&s, 4);
    ask(&s, 32);
    struct view_state v = {.argument = ""};
    char *text = told(&s, &v);
    assert_contains(text, "2 dimensions in 4 graphs, one a");
    assert_contains(text, "\nS3: ");
    free(text);
    char *first = scene_text(&s.st.scene, "vectors", &v, 56, 25, true);
    assert_true(view_vectors.move(&v, &s.st.scene, VERB_DOWN, 56, 25));
    char *second = scene_text(&s.st.scene, "vectors", &v, 56, 25, true);
    assert_string_not_equal(first, second);
    assert_contains(second, "S1 of 4 shards, hop ");
    free(first);
    free(second);
    /* Left goes back along the way, to its first hop. */
    while (view_vectors.move(&v, &s.st.scene, VERB_LEFT, 56, 25)) {
    }
    scene_golden(&s.st.scene, "vectors", &v, "vectors_hop", 56, 25, GLYPHS_UTF8);
    text = scene_text(&s.st.scene, "vectors", &v, 56, 25, true);
    assert_contains(text, "S1 of 4 shards, hop 1 of ");
    free(text);
    for (int i = 0; i < 9; i++) {
        view_vectors.move(&v, &s.st.scene, VERB_DOWN, 56, 25);
    }
    assert_false(view_vectors.move(&v, &s.st.scene, VERB_DOWN, 56, 25));
    stage_end(&s);
}

static void parts_are_selected_by_their_distance(void **state)
{
    (void)state;
    struct vectors_stage s;
    stage_of(&s, 2000, 2);
    with_parts(&s, 40, 1);
    ask(&s, 32);
    struct view_state v = {.argument = ""};
    assert_true(view_vectors.move(&v, &s.st.scene, VERB_RIGHT, 56, 25));
    char *text = scene_text(&s.st.scene, "vectors", &v, 56, 25, true);
    assert_contains(text, "part 32: 74 vectors, nearest, probed, 5 of the 10");
    free(text);
    assert_true(view_vectors.move(&v, &s.st.scene, VERB_RIGHT, 56, 25));
    scene_golden(&s.st.scene, "vectors", &v, "vectors_selected", 56, 25, GLYPHS_UTF8);
    text = scene_text(&s.st.scene, "vectors", &v, 56, 25, true);
    assert_contains(text, ", 2nd nearest, not probed, ");
    free(text);
    assert_true(view_vectors.move(&v, &s.st.scene, VERB_LAST, 56, 25));
    assert_false(view_vectors.move(&v, &s.st.scene, VERB_RIGHT, 56, 25));
    text = scene_text(&s.st.scene, "vectors", &v, 56, 25, true);
    assert_contains(text, ", 40th nearest, not probed");
    free(text);
    stage_end(&s);
}

static void zoom_ends_at_both_ends(void **state)
{
    (void)state;
    struct vectors_stage s;
    struct view_state v = {.argument = ""};
    stage_of(&s, 2000, 2);
    with_parts(&s, 40, 1);
    assert_false(view_vectors.move(&v, &s.st.scene, VERB_ZOOM_IN, 40, 19)); /* no query */
    ask(&s, 32);
    assert_true(view_vectors.move(&v, &s.st.scene, VERB_ZOOM_OUT, 40, 19));
    assert_false(view_vectors.move(&v, &s.st.scene, VERB_ZOOM_OUT, 40, 19));
    int steps = 0;
    while (view_vectors.move(&v, &s.st.scene, VERB_ZOOM_IN, 40, 19)) {
        steps++;
    }
    assert_int_equal(steps, 4);
    stage_end(&s);
}

/* Distances are true, directions are not; no border would be. */
static void many_dimensions_are_drawn_around_the_query(void **state)
{
    (void)state;
    struct vectors_stage s;
    stage_of(&s, 2000, 16);
    with_parts(&s, 20, 2);
    ask(&s, 3);
    scene_golden(&s.st.scene, "vectors", &plain, "vectors_sixteen", 56, 25, GLYPHS_UTF8);
    scene_golden(&s.st.scene, "vectors", &plain, "vectors_sixteen", 122, 28, GLYPHS_UTF8);
    char *text = scene_text(&s.st.scene, "vectors", &plain, 122, 28, false);
    assert_contains(text, "In 16 dimensions only");
    free(text);
    stage_end(&s);
}

static void draw_at_random(struct vectors_stage *s, struct prng *p)
{
    static const char *const arguments[] = {"", "all", NULL, "x"};
    struct view_state v = {.argument = arguments[prng_below(p, 4)],
                           .zoom = (int)prng_below(p, 12) - 4,
                           .has_selection = prng_chance(p, 1, 2),
                           .selected = (int64_t)(prng_next(p) >> prng_below(p, 63)) - 3};
    struct canvas *c = canvas_new((int)prng_below(p, 130) + 1, (int)prng_below(p, 40) + 1);
    canvas_set_glyphs(c, prng_chance(p, 1, 2) ? GLYPHS_UTF8 : GLYPHS_ASCII);
    s->st.page.question.kind = prng_chance(p, 1, 3) ? QUESTION_NUMBER : QUESTION_NONE;
    s->page.k = (uint32_t)prng_below(p, VECTORS_K_MAX) + 1;
    s->page.width = (uint32_t)prng_below(p, 64) + 1;
    s->page.probe = s->page.ivf != NULL ? (uint32_t)prng_below(p, ivf_parts(s->page.ivf)) + 1 : 1;
    scene_draw(&s->st.scene, &view_vectors, &v, c, prng_chance(p, 1, 2));
    canvas_free(c);
    for (int i = 0; i < 6; i++) {
        (void)view_vectors.move(&v, &s->st.scene, (enum verb)prng_below(p, VERB_ZOOM_OUT + 1), 40,
                                19);
    }
    free(told(s, &v));
}

static void any_search_at_any_size(void **state)
{
    (void)state;
    struct prng p = prng_seeded(1, "vectors pictures");
    for (int i = 0; i < 40; i++) {
        struct vectors_stage s;
        uint32_t points = 1 + (uint32_t)prng_below(&p, 300);
        stage_of(&s, points, prng_chance(&p, 2, 3) ? 2 : 2 + (uint32_t)prng_below(&p, 9));
        if (prng_chance(&p, 1, 2)) {
            with_parts(&s, 1 + (uint32_t)prng_below(&p, points), 1);
        } else if (points > 100) {
            with_graph(&s, 1 + (uint32_t)prng_below(&p, 3));
        }
        if (prng_chance(&p, 4, 5)) {
            ask(&s, (uint32_t)prng_below(&p, 99));
        }
        for (int n = 0; n < 8; n++) {
            draw_at_random(&s, &p);
        }
        stage_end(&s);
    }
}

static void a_page_without_any(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, NULL);
    char *text = scene_told(&st.scene, "vectors", &plain);
    assert_string_equal(text, "This page has no vectors.\n");
    free(text);
    text = scene_text(&st.scene, "vectors", &plain, 40, 8, false);
    assert_contains(text, "this page has no vectors");
    free(text);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missed_ones_lie_beyond_the_border),
        cmocka_unit_test(an_open_question_keeps_the_outcome),
        cmocka_unit_test(without_a_query_all_parts_have_colour),
        cmocka_unit_test(a_way_goes_down_the_layers),
        cmocka_unit_test(a_shard_has_a_way_of_its_own),
        cmocka_unit_test(parts_are_selected_by_their_distance),
        cmocka_unit_test(zoom_ends_at_both_ends),
        cmocka_unit_test(many_dimensions_are_drawn_around_the_query),
        cmocka_unit_test(any_search_at_any_size),
        cmocka_unit_test(a_page_without_any),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
