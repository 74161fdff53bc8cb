/* The ring: who owns which arc, who gave what to the shard that joined, and a key's way. */
#include "place/ring.h"
#include "placings.h"

static void one_token_each(void **state)
{
    (void)state;
    struct tried t;
    struct view_state v = {.argument = ""};
    tried_new(&t, "ring", 1, 5, 6, 10000);
    t.placing.lookup = "k42";
    scene_goldens(&t.scene, "ring", &v, "ring_one");
    tried_golden(&t, "ring", "ring_one", 30, 6, GLYPHS_UTF8);
    tried_golden(&t, "ring", "ring_one", 122, 58, GLYPHS_UTF8);
    char *told = scene_told(&t.scene, "ring", &v);
    assert_contains(told, "S5 takes 993, all from S2.\n");
    assert_contains(told, "S2        1,335       342    3.4%       993         0\n");
    assert_contains(told, "S5          1  10.47%\n");
    assert_contains(told, "k42 stands at 5.17% of the circle; clockwise the next token is S4's");
    assert_contains(told, "was S2's\n");
    assert_plain(told, 78);
    free(told);
    tried_free(&t);
}

static void many_tokens_are_a_texture(void **state)
{
    (void)state;
    struct tried t;
    tried_new(&t, "ring", 256, 5, 6, 10000);
    tried_golden(&t, "ring", "ring_many", 40, 19, GLYPHS_UTF8);
    tried_golden(&t, "ring", "ring_many", 40, 19, GLYPHS_ASCII);
    tried_golden(&t, "ring", "ring_many", 198, 57, GLYPHS_UTF8);
    tried_free(&t);
    tried_new(&t, "ring", 16, 5, 6, 10000);
    tried_golden(&t, "ring", "ring_sixteen", 56, 25, GLYPHS_UTF8);
    tried_golden(&t, "ring", "ring_sixteen", 56, 25, GLYPHS_ASCII);
    tried_free(&t);
}

static void a_shard_that_leaves_is_taken_over(void **state)
{
    (void)state;
    struct tried t;
    struct view_state v = {.argument = ""};
    tried_new(&t, "ring", 4, 5, REMOVES | 2, 10000);
    tried_golden(&t, "ring", "ring_leaves", 56, 25, GLYPHS_UTF8);
    char *told = scene_told(&t.scene, "ring", &v);
    assert_contains(told, "S2        2,953         0    0.0%     2,953         0  leaves\n");
    assert_contains(told, "S2 gives 2,953: 1,931 to S0, 973 to S4, 49 to S3.\n");
    free(told);
    tried_free(&t);
}

static void an_open_question_gives_nothing_away(void **state)
{
    (void)state;
    struct tried t;
    struct view_state v = {.argument = ""};
    tried_new(&t, "ring", 4, 4, 5, 1000);
    t.placing.hidden = true;
    tried_golden(&t, "ring", "ring_hidden", 40, 19, GLYPHS_UTF8);
    char *told = scene_told(&t.scene, "ring", &v);
    assert_null(strstr(told, "S4"));
    assert_null(strstr(told, "moved"));
    assert_null(strstr(told, "takes"));
    free(told);
    tried_free(&t);
}

static void a_selected_shard_stands_out(void **state)
{
    (void)state;
    struct tried t;
    struct view_state v = {.argument = ""};
    tried_new(&t, "ring", 16, 5, 6, 10000);
    assert_false(view_ring.move(&v, &t.scene, VERB_UP, 56, 25));
    assert_true(view_ring.move(&v, &t.scene, VERB_DOWN, 56, 25));
    assert_true(view_ring.move(&v, &t.scene, VERB_RIGHT, 56, 25));
    assert_int_equal(v.selected, 1);
    scene_golden(&t.scene, "ring", &v, "ring_selected", 56, 25, GLYPHS_UTF8);
    scene_golden(&t.scene, "ring", &v, "ring_selected", 56, 25, GLYPHS_ASCII);
    assert_true(view_ring.move(&v, &t.scene, VERB_FIRST, 56, 25));
    assert_false(v.has_selection); /* above the first shard none is selected */
    tried_free(&t);
}

static void zooming_makes_an_arc_straight(void **state)
{
    (void)state;
    struct tried t;
    struct view_state v = {.argument = ""};
    tried_new(&t, "ring", 16, 5, 6, 10000);
    t.placing.lookup = "k42";
    assert_true(view_ring.move(&v, &t.scene, VERB_LAST, 40, 19)); /* S5 */
    assert_true(view_ring.move(&v, &t.scene, VERB_ZOOM_IN, 40, 19));
    scene_golden(&t.scene, "ring", &v, "ring_strip", 40, 19, GLYPHS_UTF8);
    scene_golden(&t.scene, "ring", &v, "ring_strip", 40, 19, GLYPHS_ASCII);
    int64_t arc = v.selected;
    assert_true(view_ring.move(&v, &t.scene, VERB_RIGHT, 40, 19));
    assert_int_equal(v.selected, (arc + 1) % 96);
    assert_true(view_ring.move(&v, &t.scene, VERB_LEFT, 40, 19));
    for (int i = 0; i < 16; i++) { /* sixteen tokens later the same arc again */
        assert_true(view_ring.move(&v, &t.scene, VERB_DOWN, 40, 19));
    }
    assert_int_equal(v.selected, arc);
    assert_true(view_ring.move(&v, &t.scene, VERB_ZOOM_IN, 40, 19));
    assert_true(view_ring.move(&v, &t.scene, VERB_ZOOM_IN, 40, 19));
    assert_false(view_ring.move(&v, &t.scene, VERB_ZOOM_IN, 40, 19));
    scene_golden(&t.scene, "ring", &v, "ring_arc", 40, 8, GLYPHS_UTF8);
    for (int i = 0; i < 3; i++) {
        assert_true(view_ring.move(&v, &t.scene, VERB_ZOOM_OUT, 40, 19));
    }
    assert_int_equal(v.zoom, 0);
    assert_int_equal(v.selected, 5); /* S5 still */
    tried_free(&t);
}

static void every_ring_is_drawn_and_others_say_where_to_look(void **state)
{
    (void)state;
    static const char *const rings[] = {"ring", "ketama", "bounded-load", "cassandra"};
    struct view_state v = {.argument = ""};
    struct tried t;
    for (size_t i = 0; i < 4; i++) {
        tried_new(&t, rings[i], 4, 4, 5, 500);
        char *told = scene_told(&t.scene, "ring", &v);
        assert_contains(told, "on the circle");
        free(told);
        tried_free(&t);
    }
    tried_new(&t, "slots", 0, 4, 5, 500);
    char *told = scene_told(&t.scene, "ring", &v);
    assert_string_equal(told, "slots has no ring; the picture `slot_map` shows it.\n");
    free(told);
    assert_false(view_ring.move(&v, &t.scene, VERB_DOWN, 40, 19));
    tried_free(&t);
}

static void the_argument_numbers_the_placing(void **state)
{
    (void)state;
    struct tried a, b;
    tried_new(&a, "ring", 1, 3, 4, 100);
    tried_new(&b, "ring", 1, 7, 8, 200);
    struct page_placing both[2] = {a.placing, b.placing};
    struct scene s = {.placing = both, .placings = 2};
    struct view_state v = {.argument = "2"};
    char *told = scene_told(&s, "ring", &v);
    assert_contains(told, "200 keys on 7 shards, then 8");
    free(told);
    v.argument = "3"; /* there is none: the first */
    told = scene_told(&s, "ring", &v);
    assert_contains(told, "100 keys on 3 shards, then 4");
    free(told);
    tried_free(&a);
    tried_free(&b);
}

/* The copies are marked and counted once they are no longer asked for. */
static void copies_pass_over_shards_and_zones(void **state)
{
    (void)state;
    struct tried t;
    struct view_state v = {.argument = ""};
    tried_new(&t, "ring", 4, 6, 6, 1000);
    t.placing.lookup = "k0";
    t.placing.copies = 3;
    tried_golden(&t, "ring", "ring_copies", 40, 19, GLYPHS_UTF8);
    tried_golden(&t, "ring", "ring_copies", 40, 19, GLYPHS_ASCII);
    uint64_t hash = layout_hash(t.trial->after, bytes_of("k0"));
    static const uint8_t zone[6] = {0, 0, 1, 1, 2, 2};
    for (int zones = 0; zones < 2; zones++) {
        uint32_t owner[3];
        char words[64];
        t.placing.zones = zones ? "1 1 2 2 3 3" : "";
        assert_int_equal(layout_ring_replicas(t.trial->after, hash, zones ? zone : NULL, 3, owner),
                         3);
        (void)snprintf(words, sizeof words, "its 3 copies are on S%u S%u S%u", (unsigned)owner[0],
                       (unsigned)owner[1], (unsigned)owner[2]);
        char *told = scene_told(&t.scene, "ring", &v);
        assert_contains(told, words);
        assert_int_equal(strstr(told, "zone 1: S0 S1  2: S2 S3  3: S4 S5") != NULL, zones);
        free(told);
    }
    tried_golden(&t, "ring", "ring_zones", 56, 25, GLYPHS_UTF8);
    t.placing.hidden = true;
    char *told = scene_told(&t.scene, "ring", &v);
    assert_null(strstr(told, "copies"));
    free(told);
    tried_free(&t);
}

/* A key that is asked about stands there, and its way is seen with the answer. */
static void a_key_asked_about_keeps_its_way(void **state)
{
    (void)state;
    struct tried t;
    struct view_state v = {.argument = ""};
    tried_new(&t, "ring", 1, 5, 5, 1000);
    t.placing.lookup = "k42";
    t.placing.asked = "k7";
    t.placing.hidden = true;
    tried_golden(&t, "ring", "ring_asked", 40, 19, GLYPHS_UTF8);
    tried_golden(&t, "ring", "ring_asked", 40, 19, GLYPHS_ASCII);
    char *told = scene_told(&t.scene, "ring", &v);
    assert_contains(told, "k7 stands at ");
    assert_contains(told, "k42 stands at ");
    free(told);
    t.placing.hidden = false;
    told = scene_told(&t.scene, "ring", &v);
    assert_null(strstr(told, "k42"));
    assert_contains(told, "clockwise the next token");
    free(told);
    tried_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_token_each),
        cmocka_unit_test(many_tokens_are_a_texture),
        cmocka_unit_test(a_shard_that_leaves_is_taken_over),
        cmocka_unit_test(an_open_question_gives_nothing_away),
        cmocka_unit_test(a_selected_shard_stands_out),
        cmocka_unit_test(zooming_makes_an_arc_straight),
        cmocka_unit_test(every_ring_is_drawn_and_others_say_where_to_look),
        cmocka_unit_test(the_argument_numbers_the_placing),
        cmocka_unit_test(copies_pass_over_shards_and_zones),
        cmocka_unit_test(a_key_asked_about_keeps_its_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
