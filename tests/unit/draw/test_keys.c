/* Every key has one name, and the name gives the key back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "draw/keys.h"

static void expect_name(uint32_t key, const char *name)
{
    char out[KEY_NAME_SIZE];
    key_to_name(key, out);
    assert_string_equal(out, name);
    uint32_t back = 0;
    assert_true(key_by_name(name, &back));
    assert_int_equal(back, key);
}

static void names_of_the_special_keys(void **state)
{
    (void)state;
    expect_name(LKEY_TAB, "tab");
    expect_name(LKEY_ENTER, "enter");
    expect_name(LKEY_ESCAPE, "escape");
    expect_name(' ', "space");
    expect_name(LKEY_UP, "up");
    expect_name(LKEY_DOWN, "down");
    expect_name(LKEY_LEFT, "left");
    expect_name(LKEY_RIGHT, "right");
    expect_name(LKEY_PAGE_UP, "page-up");
    expect_name(LKEY_PAGE_DOWN, "page-down");
    expect_name(LKEY_HOME, "home");
    expect_name(LKEY_END, "end");
    expect_name(LKEY_BACKSPACE, "backspace");
    expect_name(LKEY_DELETE, "delete");
    expect_name(LKEY_INSERT, "insert");
    expect_name(LKEY_SHIFT_TAB, "shift-tab");
    expect_name(LKEY_F1, "f1");
    expect_name(LKEY_F1 + 8, "f9");
    expect_name(LKEY_F12, "f12");
    expect_name(LKEY_PASTE_START, "paste-start");
    expect_name(LKEY_PASTE_END, "paste-end");
    expect_name(LKEY_MOUSE, "mouse");
    expect_name(1, "ctrl-a");
    expect_name(12, "ctrl-l");
    expect_name(26, "ctrl-z");
    expect_name('q', "q");
    expect_name('+', "+");
    expect_name(0xE9, "é");
    expect_name(0x6F22, "漢");
    expect_name(0x200B, "u+200b");
}

static void two_codes_of_one_key_have_one_name(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t key;
    } same[] = {{"ctrl-h", LKEY_BACKSPACE},
                {"ctrl-i", LKEY_TAB},
                {"ctrl-j", LKEY_ENTER},
                {"ctrl-m", LKEY_ENTER},
                {"u+7f", LKEY_BACKSPACE}};
    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
        uint32_t key = 0;
        assert_true(key_by_name(same[i].name, &key));
        assert_int_equal(key, same[i].key);
    }
    char out[KEY_NAME_SIZE];
    key_to_name(127, out);
    assert_string_equal(out, "backspace");
}

static void every_code_comes_back_from_its_name(void **state)
{
    (void)state;
    for (uint32_t key = 1; key <= LKEY_MOUSE; key++) {
        if (key == 8 || key == 10 || (key > 26 && key < ' ' && key != LKEY_ESCAPE) || key == 127)
            continue; /* the terminal layer reports these as other keys, or never */
        if (key == LKEY_SPECIAL || (key >= 0xD800 && key <= 0xDFFF) || key == 0xFFFD)
            continue; /* no keys */
        char name[KEY_NAME_SIZE];
        key_to_name(key, name);
        uint32_t back = 0;
        if (!key_by_name(name, &back) || back != key)
            fail_msg("key %x is named %s, which is %x", (unsigned)key, name, (unsigned)back);
    }
}

static void other_names_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {
        "",     "none", "f0",  "f13",     "f01",   "ctrl-",    "ctrl-A",
        "Up",   "qq",   "up ", "ctrl-aa", "u+",    "u+110001", "u+1f",
        "\x01", "\xff", " ",   "page up", "u+12z", "é́",        "u+1000000000",
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        uint32_t key = 77;
        if (key_by_name(names[i], &key))
            fail_msg("\"%s\" was taken for key %x", names[i], (unsigned)key);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_the_special_keys),
        cmocka_unit_test(two_codes_of_one_key_have_one_name),
        cmocka_unit_test(every_code_comes_back_from_its_name),
        cmocka_unit_test(other_names_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
