/* Whatever is drawn: whole characters, nothing outside the clip, and ASCII when asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "base/utf8.h"
#include "draw/canvas.h"

#define W 23
#define H 9

static int near(struct prng *r, int size)
{
    return (int)prng_below(r, (uint64_t)(size + 16)) - 8;
}

static struct rect near_rect(struct prng *r)
{
    struct rect area;
    area.x = near(r, W);
    area.y = near(r, H);
    area.w = near(r, W);
    area.h = near(r, H);
    return area;
}

static void draw_something(struct canvas *c, struct prng *r)
{
    static const char *const texts[] = {"abc",     "漢字漢字", "e\xcc\x81x",
                                        "a\x1b\n", "\xff\xfe", "─│→…"};
    enum style style = (enum style)(1 + prng_below(r, STYLE_COUNT - 1));
    enum line_weight weight = prng_chance(r, 1, 2) ? LINE_LIGHT : LINE_HEAVY;
    const char *text = texts[prng_below(r, sizeof(texts) / sizeof(texts[0]))];
    int x = near(r, W), y = near(r, H);
    struct rect area = near_rect(r);
    switch (prng_below(r, 10)) {
    case 0:
        canvas_text(c, x, y, style, text);
        break;
    case 1:
        canvas_text_fit(c, x, y, near(r, 8), style, text);
        break;
    case 2:
        canvas_text_right(c, x, y, style, text);
        break;
    case 3:
        canvas_fill(c, area, style, prng_chance(r, 1, 2) ? 0x6F22 : '~');
        break;
    case 4:
        canvas_box(c, area, weight, style);
        break;
    case 5:
        canvas_hline(c, x, y, area.w, weight, style);
        break;
    case 6:
        canvas_vline(c, x, y, area.h, weight, style);
        break;
    case 7:
        canvas_dot(c, x * 2, y * 4, style);
        break;
    case 8:
        canvas_bar(c, x, y, near(r, 80), style);
        break;
    default:
        canvas_restyle(c, area, style);
        break;
    }
}

static void expect_whole_characters(const struct canvas *c)
{
    for (int y = 0; y < H; y++) {
        int columns = 0;
        for (int x = 0; x < W; x++) {
            struct canvas_cell cell;
            canvas_cell_at(c, x, y, &cell);
            assert_true((unsigned)cell.style < STYLE_COUNT);
            assert_int_equal(utf8_columns(cell.text, strlen(cell.text)), cell.width);
            if (cell.width == 0)
                assert_int_equal(columns, x + 1); /* the wide one before reaches to here */
            else
                assert_int_equal(columns, x);
            columns += cell.width;
        }
        assert_int_equal(columns, W);
    }
}

static void random_drawing_leaves_whole_characters(void **state)
{
    (void)state;
    struct prng r = prng_seeded(1, "canvas");
    for (int round = 0; round < 500; round++) {
        struct canvas *c = canvas_new(W, H);
        for (int i = 0; i < 40; i++) {
            canvas_push(c, near_rect(&r));
            draw_something(c, &r);
            canvas_push(c, near_rect(&r));
            draw_something(c, &r);
            canvas_pop(c);
            canvas_pop(c);
        }
        expect_whole_characters(c);
        canvas_free(c);
    }
}

static void random_drawing_stays_inside_its_frames(void **state)
{
    (void)state;
    struct prng r = prng_seeded(2, "clip");
    for (int round = 0; round < 2000; round++) {
        struct canvas *c = canvas_new(W, H);
        struct rect outer = near_rect(&r), inner = near_rect(&r);
        canvas_push(c, outer);
        canvas_push(c, inner);
        for (int i = 0; i < 10; i++)
            draw_something(c, &r);
        canvas_pop(c);
        canvas_pop(c);
        inner.x += outer.x;
        inner.y += outer.y;
        for (int y = 0; y < H; y++) {
            for (int x = 0; x < W; x++) {
                bool in = x >= outer.x && x < outer.x + outer.w && y >= outer.y &&
                          y < outer.y + outer.h && x >= inner.x && x < inner.x + inner.w &&
                          y >= inner.y && y < inner.y + inner.h;
                struct canvas_cell cell;
                canvas_cell_at(c, x, y, &cell);
                if (!in && (cell.style != STYLE_TEXT || strcmp(cell.text, " ") != 0))
                    fail_msg("round %d: \"%s\" at %d,%d outside the frame", round, cell.text, x, y);
            }
        }
        canvas_free(c);
    }
}

/* The same drawing, moved: a picture does not depend on where its frame is. */
static void drawing_moves_with_its_frame(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct canvas *a = canvas_new(W, H), *b = canvas_new(W + 5, H + 3);
        struct prng r = prng_seeded(seed, "move"), same = r;
        canvas_push(b, (struct rect){5, 3, W, H});
        for (int i = 0; i < 10; i++) {
            draw_something(a, &r);
            draw_something(b, &same);
        }
        canvas_pop(b);
        for (int y = 0; y < H; y++) {
            for (int x = 0; x < W; x++) {
                struct canvas_cell one, other;
                canvas_cell_at(a, x, y, &one);
                canvas_cell_at(b, x + 5, y + 3, &other);
                assert_string_equal(one.text, other.text);
                assert_int_equal(one.style, other.style);
            }
        }
        canvas_free(a);
        canvas_free(b);
    }
}

static void ascii_dumps_are_pure_ascii_and_of_full_width(void **state)
{
    (void)state;
    struct prng r = prng_seeded(3, "ascii");
    for (int round = 0; round < 300; round++) {
        struct canvas *c = canvas_new(W, H);
        canvas_set_glyphs(c, GLYPHS_ASCII);
        for (int i = 0; i < 30; i++)
            draw_something(c, &r);
        struct str out = STR_EMPTY;
        canvas_dump(c, &out);
        assert_int_equal(out.length, 2 * H * (W + 3));
        for (size_t i = 0; i < out.length; i++)
            assert_true(out.text[i] == '\n' || (out.text[i] >= ' ' && out.text[i] <= '~'));
        str_free(&out);
        canvas_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_drawing_leaves_whole_characters),
        cmocka_unit_test(random_drawing_stays_inside_its_frames),
        cmocka_unit_test(drawing_moves_with_its_frame),
        cmocka_unit_test(ascii_dumps_are_pure_ascii_and_of_full_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
