/* Schemes side by side: best marked, ordered by the chosen column, the selected one's limits. */
#include "placings.h"

#define COUNT 5

static void sheet_new(struct tried *t, struct page_placing *placing, struct scene *s)
{
    static const char *const name[COUNT] = {"mod-n", "ring", "slots", "jump", "maglev"};
    for (size_t i = 0; i < COUNT; i++) {
        tried_new(&t[i], name[i], 0, 4, 5, 10000);
        placing[i] = t[i].placing;
        placing[i].lookup_ns = i == 4 ? 0 : 10 + (double)(i * 7 % 5);
    }
    *s = (struct scene){.placing = placing, .placings = COUNT};
}

static void sheet_free(struct tried *t)
{
    for (size_t i = 0; i < COUNT; i++) {
        tried_free(&t[i]);
    }
}

static void the_chosen_column_orders_the_lines(void **state)
{
    (void)state;
    struct tried t[COUNT];
    struct page_placing placing[COUNT];
    struct scene s;
    struct view_state v = {.argument = ""};
    sheet_new(t, placing, &s);
    scene_goldens(&s, "schemes", &v, "schemes");
    scene_golden(&s, "schemes", &v, "schemes", 30, 6, GLYPHS_ASCII);
    assert_false(view_schemes.move(&v, &s, VERB_LEFT, 56, 25));
    for (int i = 0; i < 3; i++) {
        assert_true(view_schemes.move(&v, &s, VERB_RIGHT, 56, 25)); /* to the keys that moved */
    }
    assert_true(view_schemes.move(&v, &s, VERB_FIRST, 56, 25));
    scene_golden(&s, "schemes", &v, "schemes_moved", 56, 25, GLYPHS_UTF8);
    for (int i = 0; i < 3; i++) {
        assert_true(view_schemes.move(&v, &s, VERB_RIGHT, 56, 25));
    }
    assert_false(view_schemes.move(&v, &s, VERB_RIGHT, 56, 25));
    sheet_free(t);
}

/* Keys that went from one old shard to another, counted by hand. */
static void needless_moves_are_counted(void **state)
{
    (void)state;
    static const char *const name[] = {"mod-n", "ring", "jump"};
    for (size_t i = 0; i < 3; i++) {
        struct tried t;
        struct view_state v = {.argument = ""};
        char words[32];
        tried_new(&t, name[i], 0, 10, 3 | REMOVES, 1000);
        unsigned needless = 0;
        for (size_t key = 0; key < 1000; key++) {
            uint32_t from = trial_owner_before(t.trial, key);
            needless += from != 3 && trial_owner_after(t.trial, key) != from;
        }
        assert_int_equal(needless > 0, i != 1);
        (void)snprintf(words, sizeof words, needless > 0 ? " %u.%u%% " : " 0%% ", needless / 10,
                       needless % 10);
        char *told = scene_told(&t.scene, "schemes", &v);
        assert_contains(told, "needless");
        assert_contains(told, words);
        free(told);
        tried_free(&t);
    }
}

static void the_selected_scheme_stays_selected(void **state)
{
    (void)state;
    struct tried t[COUNT];
    struct page_placing placing[COUNT];
    struct scene s;
    struct view_state v = {.argument = ""};
    sheet_new(t, placing, &s);
    assert_true(view_schemes.move(&v, &s, VERB_DOWN, 56, 25)); /* ring */
    int64_t ring = v.selected;
    assert_true(view_schemes.move(&v, &s, VERB_RIGHT, 56, 25));
    assert_true(view_schemes.move(&v, &s, VERB_LEFT, 56, 25));
    assert_int_equal(v.selected, ring);
    sheet_free(t);
}

static void what_is_asked_or_not_measured_is_not_told(void **state)
{
    (void)state;
    struct tried t[COUNT];
    struct page_placing placing[COUNT];
    struct scene s;
    struct view_state v = {.argument = ""};
    sheet_new(t, placing, &s);
    char *told = scene_told(&s, "schemes", &v);
    assert_contains(told, "mod-n cannot grow or shrink without moving most keys");
    assert_contains(told, "80.");
    assert_plain(told, 78);
    free(told);
    placing[0].hidden = true;
    told = scene_told(&s, "schemes", &v);
    assert_null(strstr(told, "80."));
    free(told);
    sheet_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chosen_column_orders_the_lines),
        cmocka_unit_test(needless_moves_are_counted),
        cmocka_unit_test(the_selected_scheme_stays_selected),
        cmocka_unit_test(what_is_asked_or_not_measured_is_not_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
