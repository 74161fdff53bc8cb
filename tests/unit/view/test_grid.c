/* The grid: nothing is given away before the answer; then what moved is lit and counted. */
#include "place/layout.h"
#include "scenes.h"

static void fill(struct page_grid *g, const char *title, const char *scheme, size_t keys)
{
    struct err err = {{0}};
    const struct scheme *found = scheme_by_name(scheme);
    struct layout_params params = layout_defaults(found);
    struct layout *before = layout_new(found, &params, 4, &err);
    assert_non_null(before);
    struct layout *after = layout_copy(before);
    assert_true(layout_add(after, &err));
    *g = (struct page_grid){
        .title = title, .keys = keys, .shards_before = 4, .shards_after = 5, .moved = 0};
    for (size_t i = 0; i < keys; i++) {
        char key[32];
        (void)snprintf(key, sizeof key, "key:%03zu", i);
        g->before[i] = (uint16_t)layout_owner(before, bytes_of(key));
        g->after[i] = (uint16_t)layout_owner(after, bytes_of(key));
        g->moved += g->before[i] != g->after[i];
    }
    layout_free(before);
    layout_free(after);
}

struct two {
    struct stage stage;
    struct page_grid *mod, *slots;
};

static void two_new(struct two *t, size_t keys)
{
    stage_new(&t->stage, NULL);
    t->mod = calloc(1, sizeof *t->mod);
    t->slots = calloc(1, sizeof *t->slots);
    assert_true(t->mod != NULL && t->slots != NULL);
    fill(t->mod, "mod 4, then 5", "mod-n", keys);
    fill(t->slots, "slots", "slots", keys);
    t->stage.page.grid[0] = t->mod;
    t->stage.page.grid[1] = t->slots;
    t->stage.page.grids = 2;
}

static void two_free(struct two *t)
{
    free(t->mod);
    free(t->slots);
    stage_free(&t->stage);
}

static void hidden_shows_the_first_layout_only(void **state)
{
    (void)state;
    struct two t;
    two_new(&t, 1000);
    t.mod->hidden = true;
    struct view_state v = {.argument = "1"};
    scene_golden(&t.stage.scene, "grid", &v, "grid_hidden", 40, 19, GLYPHS_UTF8);
    char *told = scene_told(&t.stage.scene, "grid", &v);
    assert_contains(told, "mod 4, then 5: 1,000 keys on 4 shards.\n");
    assert_null(strstr(told, "moved"));
    assert_null(strstr(told, "S4"));
    assert_plain(told, 78);
    free(told);
    two_free(&t);
}

static void what_moved_is_lit_and_counted(void **state)
{
    (void)state;
    struct two t;
    two_new(&t, 1000);
    struct view_state both = {.argument = ""}, one = {.argument = "2"};
    scene_goldens(&t.stage.scene, "grid", &both, "grid");
    scene_golden(&t.stage.scene, "grid", &one, "grid_one", 40, 19, GLYPHS_ASCII);
    char *told = scene_told(&t.stage.scene, "grid", &both);
    char expected[64];
    (void)snprintf(expected, sizeof expected, "mod 4, then 5: %zu of 1,000 moved", t.mod->moved);
    assert_contains(told, expected);
    assert_contains(told, "shard  before   after    gave    took\n");
    assert_plain(told, 78);
    free(told);
    two_free(&t);
}

static void selection_keeps_its_column(void **state)
{
    (void)state;
    struct two t;
    two_new(&t, 1000);
    struct view_state v = {.argument = "1"};
    const struct scene *s = &t.stage.scene;
    assert_true(view_grid.move(&v, s, VERB_RIGHT, 40, 19));
    assert_true(view_grid.move(&v, s, VERB_DOWN, 40, 19)); /* 30 keys a row here */
    assert_int_equal(v.selected, 31);
    assert_true(view_grid.move(&v, s, VERB_LAST, 40, 19));
    assert_int_equal(v.selected, 999);
    assert_true(v.scroll > 0);
    assert_false(view_grid.move(&v, s, VERB_RIGHT, 40, 19));
    assert_true(view_grid.move(&v, s, VERB_FIRST, 40, 19));
    assert_int_equal(v.scroll, 0);
    two_free(&t);
}

static void a_page_without_grids_says_so(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, NULL);
    struct view_state v = {.argument = ""};
    char *told = scene_told(&st.scene, "grid", &v);
    assert_string_equal(told, "There are no keys to show here.\n");
    free(told);
    assert_false(view_grid.move(&v, &st.scene, VERB_DOWN, 40, 19));
    stage_free(&st);
}

/* In the smallest pane too a letter has its meaning beside it. */
static void letters_never_stand_alone(void **state)
{
    (void)state;
    struct two t;
    two_new(&t, 1000);
    struct view_state v = {.argument = "1"};
    char *drawn = scene_text(&t.stage.scene, "grid", &v, 40, 8, false);
    assert_contains(drawn, "A-E: moved to S0-S4  ·: stays");
    free(drawn);
    t.mod->hidden = true;
    drawn = scene_text(&t.stage.scene, "grid", &v, 40, 8, false);
    assert_contains(drawn, "a-d: on S0-S3");
    free(drawn);
    two_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_shows_the_first_layout_only),
        cmocka_unit_test(what_moved_is_lit_and_counted),
        cmocka_unit_test(selection_keeps_its_column),
        cmocka_unit_test(a_page_without_grids_says_so),
        cmocka_unit_test(letters_never_stand_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
