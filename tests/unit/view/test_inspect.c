/* The inspector: facts about one thing, in words that the engine's tables and records gave. */
#include "draw/prose.h"
#include "scenes.h"
#include "view/inspect.h"

static char *told(const struct scene *s, enum subject_kind kind, uint64_t id)
{
    struct str out = STR_EMPTY, plain = STR_EMPTY;
    struct subject subject = {kind, id};
    inspect_title(&out, s, subject);
    str_add(&out, "\n\n");
    inspect_tell(&out, s, subject);
    prose_plain(&plain, str_text(&out), 56, 0);
    str_free(&out);
    return str_take(&plain);
}

static void golden_of(const struct scene *s, enum subject_kind kind, uint64_t id, const char *name)
{
    char file[64];
    char *text = told(s, kind, id);
    assert_plain(text, 56);
    (void)snprintf(file, sizeof file, "inspect_%s", name);
    golden_text(file, text);
    free(text);
}

static void each_kind_of_thing(void **state)
{
    (void)state;
    struct stage st;
    uint32_t id;
    stage_stale(&st);
    stage_measure(&st);
    assert_true(world_find_key(st.world, bytes_of("likes:{p9}"), &id));
    golden_of(&st.scene, SUBJECT_KEY, id, "key");
    golden_of(&st.scene, SUBJECT_SLOT, 12067, "slot");
    golden_of(&st.scene, SUBJECT_SHARD, 2, "shard");
    golden_of(&st.scene, SUBJECT_ROUTER, 5, "router");
    golden_of(&st.scene, SUBJECT_RECORD, trace_next(st.world) - 1, "record");
    stage_free(&st);
}

static void a_hot_shard_refuses(void **state)
{
    (void)state;
    struct stage st;
    stage_hot(&st);
    char *text = told(&st.scene, SUBJECT_SHARD, 2);
    assert_contains(text, "2,550 a second of 1,000: 255%, refuses 1,");
    assert_contains(text, "8192-12287");
    free(text);
    stage_free(&st);
}

static void what_is_not_there_is_said(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    const struct subject none[] = {{SUBJECT_NONE, 0},     {SUBJECT_KEY, 9999},
                                   {SUBJECT_SLOT, 16384}, {SUBJECT_SHARD, 4},
                                   {SUBJECT_ROUTER, 6},   {SUBJECT_RECORD, 12345}};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        char *text = told(&st.scene, none[i].kind, none[i].id);
        assert_string_equal(text, "Nothing is selected\n\nThere is nothing to ask about here.\n");
        free(text);
    }
    stage_free(&st);
}

static void a_key_cannot_act_as_markup(void **state)
{
    (void)state;
    struct stage st;
    uint32_t id;
    stage_new(&st, "story-quiet");
    stage_do(&st, "request read *a*`b`[[c]] via R0");
    stage_answered(&st);
    assert_true(world_find_key(st.world, bytes_of("*a*`b`[[c]]"), &id));
    char *text = told(&st.scene, SUBJECT_KEY, id);
    assert_contains(text, "*a*\\x60b\\x60[[c]] is 11 bytes.");
    free(text);
    text = told(&st.scene, SUBJECT_RECORD, trace_first(st.world));
    assert_contains(text, "*a*`b`[[c]]");
    free(text);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_thing),
        cmocka_unit_test(a_hot_shard_refuses),
        cmocka_unit_test(what_is_not_there_is_said),
        cmocka_unit_test(a_key_cannot_act_as_markup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
