/*
 * Blocks on a page: two columns where they fit, in order, balanced; long lines broken.
 */
#include "base/blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *const short_lines[] = {"one", "two", "three"};
static const char *const long_lines[] = {"a line of words that is broken where it is too long"};
static const char *const one_word[] = {"aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd"};

static void prints(const struct block *block, size_t count, int columns, const char *wanted)
{
    struct str out = STR_EMPTY;
    struct blocks_page *page = blocks_set(block, count, columns);
    blocks_print(page, &out);
    assert_string_equal(str_text(&out), wanted);
    blocks_free(page);
    str_free(&out);
}

static void two_that_fit_stand_side_by_side(void **state)
{
    (void)state;
    const struct block blocks[] = {{"First", short_lines, 3}, {"Second", short_lines, 1}};
    prints(blocks, 2, 22,
           "First ----  Second ---\n"
           "one         one\n"
           "two\n"
           "three\n");
    prints(blocks, 2, 11,
           "First -----\n"
           "one\n"
           "two\n"
           "three\n"
           "\n"
           "Second ----\n"
           "one\n");
}

static void the_longer_column_is_as_short_as_can_be(void **state)
{
    (void)state;
    const struct block blocks[] = {
        {"A", short_lines, 1}, {"B", short_lines, 1}, {"C", short_lines, 3}, {"D", short_lines, 1}};
    prints(blocks, 4, 22,
           "A --------  C --------\n"
           "one         one\n"
           "            two\n"
           "B --------  three\n"
           "one\n"
           "            D --------\n"
           "            one\n");
}

static void a_wide_one_goes_over_the_page_and_keeps_its_place(void **state)
{
    (void)state;
    const struct block blocks[] = {
        {"A", short_lines, 1}, {"Wide", long_lines, 1}, {"B", short_lines, 1}};
    prints(blocks, 3, 30,
           "A ------------\n"
           "one\n"
           "\n"
           "Wide -------------------------\n"
           "a line of words that is broken\n"
           "  where it is too long\n"
           "\n"
           "B ------------\n"
           "one\n");
}

static void what_has_no_blanks_is_cut(void **state)
{
    (void)state;
    const struct block block = {"W", one_word, 1};
    prints(&block, 1, 20,
           "W ------------------\n"
           "aaaaaaaaaabbbbbbbbbb\n"
           "  ccccccccccdddddddd\n"
           "  dd\n");
}

static void nothing_and_narrow_pages(void **state)
{
    (void)state;
    const struct block empty = {"", NULL, 0};
    const struct block block = {"Title", short_lines, 3};
    prints(&empty, 0, 78, "");
    prints(&empty, 1, 78, "\n");
    for (int columns = -1; columns < 12; columns++) {
        struct blocks_page *page = blocks_set(&block, 1, columns);
        assert_int_equal(page->rows, 4);
        blocks_free(page);
    }
    assert_int_equal(blocks_width(&block), 5);
    blocks_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_that_fit_stand_side_by_side),
        cmocka_unit_test(the_longer_column_is_as_short_as_can_be),
        cmocka_unit_test(a_wide_one_goes_over_the_page_and_keeps_its_place),
        cmocka_unit_test(what_has_no_blanks_is_cut),
        cmocka_unit_test(nothing_and_narrow_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
