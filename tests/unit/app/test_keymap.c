/*
 * The key table has no clashes, holds the keys that never change, and a person's file rebinds them.
 */
#include "app/keymap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static enum action action_of(const struct keymap *map, const char *name, enum context where)
{
    uint32_t key = LKEY_NONE;
    assert_true(key_by_name(name, &key));
    return keymap_action(map, key, where);
}

static void test_the_fixed_keys(void **state)
{
    (void)state;
    struct keymap map;
    keymap_default(&map);
    static const struct {
        const char *key;
        enum action action;
    } fixed[] = {
        {"space", ACT_FORWARD},
        {"enter", ACT_FORWARD},
        {"b", ACT_BACK},
        {"backspace", ACT_BACK},
        {"1", ACT_CHOOSE},
        {"9", ACT_CHOOSE},
        {"?", ACT_HELP},
        {"f1", ACT_HELP},
        {"q", ACT_LEAVE},
        {"tab", ACT_FOCUS_NEXT},
        {"shift-tab", ACT_FOCUS_BEFORE},
        {"escape", ACT_CLOSE},
        {"ctrl-l", ACT_REDRAW},
        {"u", ACT_UNDO},
        {"ctrl-r", ACT_REDO},
        {"U", ACT_REDO},
        {"p", ACT_PLAY},
        {"[", ACT_SLOWER},
        {"]", ACT_FASTER},
        {".", ACT_EVENT},
        {",", ACT_EVENT_BACK},
        {"i", ACT_INSPECT},
        {"x", ACT_BREAK},
        {":", ACT_COMMAND},
        {"h", ACT_LEFT},
        {"j", ACT_DOWN},
        {"k", ACT_UP},
        {"l", ACT_RIGHT},
        {"g", ACT_FIRST},
        {"G", ACT_LAST},
        {"page-up", ACT_PAGE_UP},
        {"end", ACT_LAST},
        {"+", ACT_ZOOM_IN},
    };
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
        assert_int_equal(action_of(&map, fixed[i].key, IN_LESSON), fixed[i].action);
    }
    assert_int_equal(action_of(&map, "f", IN_LESSON), ACT_NONE); /* kept for forks */
}

static void test_no_key_does_two_things_in_one_place(void **state)
{
    (void)state;
    struct keymap map;
    struct err err = {.text = ""};
    keymap_default(&map);
    assert_true(keymap_rebind(&map, "keys", "", &err)); /* an empty file checks the table itself */
    for (size_t a = 0; keymap_row_at(a); a++) {
        assert_true(map.keys[a] > 0);
        for (size_t b = a + 1; keymap_row_at(b); b++) {
            assert_string_not_equal(keymap_row_at(a)->name, keymap_row_at(b)->name);
        }
    }
}

static void test_characters_are_never_commands_while_typing(void **state)
{
    (void)state;
    struct keymap map;
    keymap_default(&map);
    for (uint32_t key = ' '; key < 127; key++) {
        assert_int_equal(keymap_action(&map, key, IN_FIELD), ACT_NONE);
        assert_int_equal(keymap_action(&map, key, IN_COMMAND), ACT_NONE);
    }
}

static void test_a_file_gives_other_keys(void **state)
{
    (void)state;
    struct keymap map;
    struct err err = {.text = ""};
    keymap_default(&map);
    assert_true(keymap_rebind(&map, "keys", "# mine\nforward n f9\n\nplay  Y\n", &err));
    assert_int_equal(action_of(&map, "n", IN_LESSON), ACT_FORWARD);
    assert_int_equal(action_of(&map, "f9", IN_LESSON), ACT_FORWARD);
    assert_int_equal(action_of(&map, "space", IN_LESSON), ACT_NONE);
    assert_int_equal(action_of(&map, "Y", IN_LESSON), ACT_PLAY);
    struct str said = STR_EMPTY;
    keymap_say(&map, ACT_FORWARD, IN_LESSON, &said);
    assert_string_equal(str_text(&said), "n");
    str_free(&said);
}

static void refuses(const char *file, const char *place, const char *word)
{
    struct keymap map;
    struct keymap untouched;
    struct err err = {.text = ""};
    keymap_default(&map);
    keymap_default(&untouched);
    assert_false(keymap_rebind(&map, "keys", file, &err));
    assert_true(strncmp(err.text, place, strlen(place)) == 0);
    assert_non_null(strstr(err.text, word));
    assert_memory_equal(&map, &untouched, sizeof map);
}

static void test_faults_name_file_and_line(void **state)
{
    (void)state;
    refuses("forward n\nfrobnicate x\n", "keys:2: ", "frobnicate");
    refuses("forward hyper-x\n", "keys:1: ", "hyper-x");
    refuses("forward\n", "keys:1: ", "forward");
    refuses("# a\n#b\nforward b\n", "keys:3: ", "back");
    refuses("play z\nforward z\n", "keys:2: ", "play");
    refuses("forward 1 2 3 4 5 6 7 8 9 0 a c\n", "keys:1: ", "at most");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_fixed_keys),
        cmocka_unit_test(test_no_key_does_two_things_in_one_place),
        cmocka_unit_test(test_characters_are_never_commands_while_typing),
        cmocka_unit_test(test_a_file_gives_other_keys),
        cmocka_unit_test(test_faults_name_file_and_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
