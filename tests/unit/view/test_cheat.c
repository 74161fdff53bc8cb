/* A lesson's card in a pane: one column or two, scrolled. */
#include "scenes.h"

static const char *const place[] = {"slot = crc16(tag) mod 16,384", "the map says who owns a slot",
                                    "the tag is what stands in braces"};
static const char *const moves[] = {"copy, tail, fence, flip, clean up",
                                    "between fence and flip nobody serves"};
static const char *const wide[] = {
    "a hot key: cache its reads, cut up or sum its writes, move it to a shard of its own"};
static const char *const quorum[] = {"W + R > N: reads meet the last write",
                                     "a majority of 5 is 3, and 2 may be lost"};
static const struct block blocks[] = {{"Where a key is", place, 3},
                                      {"A move", moves, 2},
                                      {"In one line", wide, 1},
                                      {"Copies", quorum, 2}};

static void one_column_or_two(void **state)
{
    (void)state;
    struct stage st;
    const struct page_card card = {blocks, 4};
    stage_new(&st, NULL);
    st.page.card = &card;
    struct view_state v = {.argument = ""};
    scene_goldens(&st.scene, "cheat", &v, "cheat");
    scene_golden(&st.scene, "cheat", &v, "cheat", 30, 6, GLYPHS_ASCII);
    assert_true(view_cheat.move(&v, &st.scene, VERB_DOWN, 40, 8));
    assert_int_equal(v.scroll, 1);
    assert_true(view_cheat.move(&v, &st.scene, VERB_LAST, 40, 8));
    scene_golden(&st.scene, "cheat", &v, "cheat_end", 40, 8, GLYPHS_UTF8);
    assert_false(view_cheat.move(&v, &st.scene, VERB_DOWN, 40, 8));
    assert_false(view_cheat.move(&v, &st.scene, VERB_DOWN, 122, 28)); /* all is in sight */
    stage_free(&st);
}

static void told_in_lines(void **state)
{
    (void)state;
    struct stage st;
    const struct page_card card = {blocks, 4};
    stage_new(&st, NULL);
    st.page.card = &card;
    struct view_state v = {.argument = ""};
    char *told = scene_told(&st.scene, "cheat", &v);
    assert_contains(told, "A move\n  copy, tail, fence, flip, clean up\n");
    assert_plain(told, 78);
    free(told);
    st.page.card = NULL;
    told = scene_told(&st.scene, "cheat", &v);
    assert_string_equal(told, "This lesson has no card.\n");
    free(told);
    assert_false(view_cheat.move(&v, &st.scene, VERB_DOWN, 40, 8));
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_column_or_two),
        cmocka_unit_test(told_in_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
