/* Looks: readable on both backgrounds, told apart without colour. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "term/theme.h"

static bool same_look(struct look a, struct look b)
{
    return a.color == b.color && a.attributes == b.attributes;
}

/* Relative luminance in thousandths of one of the fixed colours 16..255 of the 256-colour table.
 * The channel values, made linear, come from the sRGB curve. */
static int luminance(int color)
{
    static const int cube[6] = {0, 114, 242, 429, 680, 1000}; /* 0, 95, 135, 175, 215, 255 */
    static const int grey[24] = {2,   6,   12,  20,  30,  42,  56,  72,  91,  112, 135, 162,
                                 191, 223, 258, 296, 337, 381, 429, 479, 534, 591, 653, 718};
    assert_in_range(color, 16, 255);
    if (color >= 232)
        return grey[color - 232];
    int c = color - 16;
    return (213 * cube[c / 36] + 715 * cube[c / 6 % 6] + 72 * cube[c % 6]) / 1000;
}

static void fixed_colours_read_on_black_and_on_white(void **state)
{
    (void)state;
    for (int i = 0; i < STYLE_COUNT; i++) {
        struct look look = theme_look((enum style)i, 256);
        if (look.color < 0)
            continue;
        /* A contrast of at least 2.5 to 1 with both; below 16 colours the palette is the user's. */
        int l = luminance(look.color);
        if (10 * (1000 + 50) < 25 * (l + 50) || 10 * (l + 50) < 25 * 50)
            fail_msg("role %d has colour %d of luminance %d", i, look.color, l);
    }
}

static void owners_have_eight_different_looks(void **state)
{
    (void)state;
    static const int depths[] = {256, 16, 8};
    for (size_t d = 0; d < 3; d++)
        for (uint32_t a = 0; a < STYLE_OWNERS; a++)
            for (uint32_t b = 0; b < a; b++)
                if (same_look(theme_look(style_owner(a), depths[d]),
                              theme_look(style_owner(b), depths[d])))
                    fail_msg("owners %u and %u look alike with %d colours", a, b, depths[d]);
}

static void what_must_be_seen_is_seen_at_every_depth(void **state)
{
    (void)state;
    static const int depths[] = {256, 16, 8, 0};
    static const enum style roles[] = {STYLE_TEXT,     STYLE_LINK, STYLE_WARN, STYLE_BAD,
                                       STYLE_SELECTED, STYLE_GOOD, STYLE_MOVED};
    for (size_t d = 0; d < 4; d++) {
        for (size_t a = 0; a < sizeof(roles) / sizeof(roles[0]); a++) {
            for (size_t b = 0; b < a; b++) {
                struct look one = theme_look(roles[a], depths[d]);
                struct look other = theme_look(roles[b], depths[d]);
                one.attributes &= (uint8_t)~LOOK_DIM; /* many terminals have no dim */
                other.attributes &= (uint8_t)~LOOK_DIM;
                if (same_look(one, other))
                    fail_msg("roles %d and %d look alike with %d colours", (int)roles[a],
                             (int)roles[b], depths[d]);
            }
        }
    }
}

/* A map's full block drawn in reverse would look empty, and an empty cell full. */
static void heat_goes_by_colour_and_never_turns_signs_round(void **state)
{
    (void)state;
    static const int depths[] = {256, 16, 8, 0};
    for (size_t d = 0; d < 4; d++) {
        for (int a = STYLE_HEAT_1; a <= STYLE_HEAT_5; a++) {
            struct look one = theme_look((enum style)a, depths[d]);
            assert_int_equal(one.attributes & (LOOK_REVERSE | LOOK_UNDERLINE), 0);
            for (int b = STYLE_HEAT_1; b < a && depths[d] > 0; b++) {
                if (one.color == theme_look((enum style)b, depths[d]).color)
                    fail_msg("heat %d and %d have one colour of %d", a, b, depths[d]);
            }
        }
    }
}

static void without_colour_no_look_has_one(void **state)
{
    (void)state;
    for (int i = 0; i < STYLE_COUNT; i++)
        assert_int_equal(theme_look((enum style)i, 0).color, -1);
}

static void looks_stay_within_the_depth(void **state)
{
    (void)state;
    for (int i = 0; i < STYLE_COUNT; i++) {
        assert_true(theme_look((enum style)i, 8).color < 8);
        assert_true(theme_look((enum style)i, 16).color < 16);
    }
}

static void the_wish_goes_before_no_color_and_that_before_the_terminal(void **state)
{
    (void)state;
    assert_int_equal(theme_colors(COLOR_AUTO, NULL, 256), 256);
    assert_int_equal(theme_colors(COLOR_AUTO, "", 256), 256);
    assert_int_equal(theme_colors(COLOR_AUTO, "1", 256), 0);
    assert_int_equal(theme_colors(COLOR_AUTO, "0", 256), 0); /* any value counts */
    assert_int_equal(theme_colors(COLOR_ALWAYS, "1", 256), 256);
    assert_int_equal(theme_colors(COLOR_NEVER, NULL, 256), 0);
    assert_int_equal(theme_colors(COLOR_AUTO, NULL, 88), 16);
    assert_int_equal(theme_colors(COLOR_AUTO, NULL, 8), 8);
    assert_int_equal(theme_colors(COLOR_AUTO, NULL, -1), 0);
    assert_int_equal(theme_colors(COLOR_ALWAYS, NULL, 0), 0);
    assert_int_equal(theme_colors(COLOR_AUTO, NULL, 1 << 24), 8); /* direct colours */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_colours_read_on_black_and_on_white),
        cmocka_unit_test(owners_have_eight_different_looks),
        cmocka_unit_test(what_must_be_seen_is_seen_at_every_depth),
        cmocka_unit_test(heat_goes_by_colour_and_never_turns_signs_round),
        cmocka_unit_test(without_colour_no_look_has_one),
        cmocka_unit_test(looks_stay_within_the_depth),
        cmocka_unit_test(the_wish_goes_before_no_color_and_that_before_the_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
