/* The terminal in memory gives back what it was fed, and ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "term/term.h"

static void inputs_come_in_order_and_then_the_end(void **state)
{
    (void)state;
    struct term *t = term_null_open(80, 24, GLYPHS_ASCII);
    term_null_feed(t, (struct term_input){.kind = TERM_INPUT_KEY, .key = 'a'});
    term_null_feed(t, (struct term_input){.kind = TERM_INPUT_TIMEOUT});
    term_null_feed(t, (struct term_input){.kind = TERM_INPUT_KEY, .key = LKEY_UP});
    assert_int_equal(term_read(t, -1).key, 'a');
    assert_int_equal(term_read(t, -1).kind, TERM_INPUT_TIMEOUT);
    assert_int_equal(term_read(t, 0).key, LKEY_UP);
    assert_int_equal(term_read(t, -1).kind, TERM_INPUT_END);
    assert_int_equal(term_read(t, 50).kind, TERM_INPUT_END);
    assert_int_equal(term_read(t, 50).signal, 0);
    term_close(t);
}

static void a_resize_counts_from_when_it_is_read(void **state)
{
    (void)state;
    struct term *t = term_null_open(80, 24, GLYPHS_UTF8);
    int columns, rows;
    term_null_feed(t, (struct term_input){.kind = TERM_INPUT_RESIZE, .columns = 132, .rows = 43});
    term_size(t, &columns, &rows);
    assert_int_equal(columns, 80);
    assert_int_equal(rows, 24);
    assert_int_equal(term_read(t, -1).columns, 132);
    term_size(t, &columns, &rows);
    assert_int_equal(columns, 132);
    assert_int_equal(rows, 43);
    term_close(t);
}

static void it_takes_every_call(void **state)
{
    (void)state;
    struct term *t = term_null_open(10, 2, GLYPHS_UTF8);
    struct canvas *c = canvas_new(10, 2);
    term_show(t, c, true);
    term_bell(t);
    term_suspend(t);
    assert_int_equal(term_glyphs(t), GLYPHS_UTF8);
    assert_int_equal(term_colors(t), 0);
    assert_string_equal(term_type(t), "null");
    canvas_free(c);
    term_close(t);
    term_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_come_in_order_and_then_the_end),
        cmocka_unit_test(a_resize_counts_from_when_it_is_read),
        cmocka_unit_test(it_takes_every_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
