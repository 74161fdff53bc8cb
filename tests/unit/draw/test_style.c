/* Roles have distinct letters, owners come round. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "draw/style.h"

static void letters_are_distinct_and_printable(void **state)
{
    (void)state;
    char seen[STYLE_COUNT + 1] = "";
    for (int i = 0; i < STYLE_COUNT; i++) {
        char letter = style_letter((enum style)i);
        assert_true(letter > ' ' && letter < 127);
        assert_null(strchr(seen, letter));
        seen[i] = letter;
    }
    assert_int_equal(style_letter(STYLE_TEXT), '.');
}

static void owners_come_round_after_eight(void **state)
{
    (void)state;
    assert_int_equal(style_owner(0), STYLE_OWNER_0);
    assert_int_equal(style_owner(7), STYLE_OWNER_7);
    assert_int_equal(style_owner(8), STYLE_OWNER_0);
    assert_int_equal(style_owner(UINT32_MAX), STYLE_OWNER_7);
}

static void owner_letters_go_through_the_alphabet_twice(void **state)
{
    (void)state;
    assert_int_equal(style_owner_letter(0), 'a');
    assert_int_equal(style_owner_letter(25), 'z');
    assert_int_equal(style_owner_letter(26), 'A');
    assert_int_equal(style_owner_letter(51), 'Z');
    assert_int_equal(style_owner_letter(52), '?');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_are_distinct_and_printable),
        cmocka_unit_test(owners_come_round_after_eight),
        cmocka_unit_test(owner_letters_go_through_the_alphabet_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
