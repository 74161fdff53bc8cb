/* str, alloc, err and check: text grows, errors are one safe sentence, checks end the program. */
#include "base/alloc.h"
#include "base/check.h"
#include "base/err.h"
#include "base/str.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void an_empty_string_has_a_text(void **state)
{
    (void)state;
    struct str s = STR_EMPTY;
    assert_string_equal(str_text(&s), "");
    str_clear(&s);
    assert_int_equal(s.length, 0);
    str_free(&s);
    str_free(&s);
}

static void text_grows_and_stays_terminated(void **state)
{
    (void)state;
    struct str s = STR_EMPTY;
    for (int i = 0; i < 1000; i++) {
        str_addf(&s, "%d,", i);
        assert_int_equal(strlen(s.text), s.length);
    }
    assert_true(str_starts(s.text, "0,1,2,3,"));
    assert_int_equal(s.length, 10 * 2 + 90 * 3 + 900 * 4);
    str_clear(&s);
    assert_string_equal(s.text, "");
    str_add(&s, "ab");
    str_addc(&s, 'c');
    str_pad(&s, '.', 3);
    str_pad(&s, '.', 0);
    assert_string_equal(s.text, "abc...");
    str_free(&s);
    assert_null(s.text);
}

static void any_byte_can_be_held(void **state)
{
    (void)state;
    struct str s = STR_EMPTY;
    str_addn(&s, "a\0b", 3);
    str_addc(&s, '\0');
    str_addn(&s, NULL, 0);
    assert_int_equal(s.length, 4);
    assert_memory_equal(s.text, "a\0b\0", 5);
    str_free(&s);
}

static void a_taken_text_belongs_to_the_taker(void **state)
{
    (void)state;
    struct str s = STR_EMPTY;
    char *nothing = str_take(&s);
    assert_string_equal(nothing, "");
    free(nothing);
    str_add(&s, "kept");
    char *kept = str_take(&s);
    assert_null(s.text);
    assert_int_equal(s.length, 0);
    str_add(&s, "next");
    assert_string_equal(kept, "kept");
    free(kept);
    str_free(&s);
}

static void bytes_compare_by_length_and_content(void **state)
{
    (void)state;
    struct bytes a = {.at = "a\0b", .length = 3};
    struct bytes b = {.at = "a\0c", .length = 3};
    assert_false(bytes_equal(a, b));
    b.length = a.length = 2;
    assert_true(bytes_equal(a, b));
    assert_false(bytes_equal(a, bytes_of("a")));
    assert_true(bytes_equal(bytes_of(""), (struct bytes){0}));
    assert_int_equal(bytes_of("four").length, 4);
}

static void prefixes_are_found(void **state)
{
    (void)state;
    assert_true(str_starts("--seed=4", "--seed="));
    assert_true(str_starts("x", ""));
    assert_false(str_starts("--see", "--seed="));
    assert_false(str_starts("", "x"));
}

static void copies_are_own_memory(void **state)
{
    (void)state;
    char *whole = xstrdup("abc");
    char *part = xstrndup("abc", 2);
    char *none = xstrndup(NULL, 0);
    assert_string_equal(whole, "abc");
    assert_string_equal(part, "ab");
    assert_string_equal(none, "");
    free(whole);
    free(part);
    free(none);
}

static void calloc_zeroes_and_realloc_keeps(void **state)
{
    (void)state;
    unsigned char *block = xcalloc(3, 5);
    for (size_t i = 0; i < 15; i++) {
        assert_int_equal(block[i], 0);
    }
    block[14] = 7;
    block = xrealloc(block, 1000, 5);
    assert_int_equal(block[14], 7);
    free(block);
    char *fresh = xmalloc(1);
    fresh[0] = 'x';
    free(fresh);
}

/* Runs `act` in a child; returns its wait status and what it wrote to standard error. */
static int status_of(void (*act)(void), char *said, size_t room)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    (void)fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)signal(SIGABRT, SIG_DFL);
        (void)dup2(ends[1], STDERR_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        act();
        _exit(0);
    }
    (void)close(ends[1]);
    size_t length = 0;
    ssize_t got;
    while (length + 1 < room && (got = read(ends[0], said + length, room - 1 - length)) > 0) {
        length += (size_t)got;
    }
    said[length] = '\0';
    (void)close(ends[0]);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void break_a_check(void)
{
    check_failed("src/some/file.c", 1207, "left == right");
}

static void keep_a_check(void)
{
    CHECK(1 + 1 == 2);
}

static volatile size_t half = SIZE_MAX / 2 + 1; /* hidden from the compiler's own warnings */

static void overflow_a_size(void)
{
    free(xcalloc(half, 2));
}

static void ask_for_nothing(void)
{
    free(xmalloc(half - half));
}

static void add_a_string_to_itself(void)
{
    struct str s = STR_EMPTY;
    str_add(&s, "abc");
    str_addn(&s, s.text + 1, 2);
}

static void a_failed_check_says_where_and_aborts(void **state)
{
    (void)state;
    char said[2000];
    int status = status_of(break_a_check, said, sizeof said);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
    assert_non_null(strstr(said, "src/some/file.c:1207: not true: left == right\n"));
    assert_int_equal(status_of(keep_a_check, said, sizeof said), 0);
    assert_string_equal(said, "");
}

static void mistakes_with_memory_are_checks(void **state)
{
    (void)state;
    void (*const mistakes[])(void) = {overflow_a_size, ask_for_nothing, add_a_string_to_itself};
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        char said[2000];
        int status = status_of(mistakes[i], said, sizeof said);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), SIGABRT);
        assert_non_null(strstr(said, "not true"));
    }
}

static void an_error_is_filled_and_false(void **state)
{
    (void)state;
    struct err err;
    assert_false(err_set(&err, "%s line %d", "keys", 7));
    assert_string_equal(err.text, "keys line 7");
    assert_false(err_prefix(&err, "plan %d", 2));
    assert_string_equal(err.text, "plan 2: keys line 7");
    assert_false(err_set(&err, "%s!", err.text)); /* its own text may be an argument */
    assert_string_equal(err.text, "plan 2: keys line 7!");
    assert_false(err_set(NULL, "nobody asks"));
    assert_false(err_prefix(NULL, "nobody asks"));
}

static void an_error_cannot_steer_the_terminal(void **state)
{
    (void)state;
    struct err err;
    err_set(&err, "no file %s", "\x1b[2Ja\nb\xff");
    assert_string_equal(err.text, "no file \\x1b[2Ja\\x0ab\xEF\xBF\xBD");
}

static void a_long_error_is_cut_at_a_whole_character(void **state)
{
    (void)state;
    struct str name = STR_EMPTY;
    for (int i = 0; i < 3000; i++) {
        str_add(&name, "\xE2\x82\xAC"); /* the euro sign: 511 is no multiple of 3 */
    }
    struct err err;
    err_set(&err, "%s", name.text);
    assert_int_equal(strlen(err.text), 510);
    err_prefix(&err, "x");
    assert_int_equal(strlen(err.text), 3 + 507);
    assert_true(str_starts(err.text, "x: \xE2\x82\xAC"));
    str_free(&name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_string_has_a_text),
        cmocka_unit_test(text_grows_and_stays_terminated),
        cmocka_unit_test(any_byte_can_be_held),
        cmocka_unit_test(a_taken_text_belongs_to_the_taker),
        cmocka_unit_test(bytes_compare_by_length_and_content),
        cmocka_unit_test(prefixes_are_found),
        cmocka_unit_test(copies_are_own_memory),
        cmocka_unit_test(calloc_zeroes_and_realloc_keeps),
        cmocka_unit_test(a_failed_check_says_where_and_aborts),
        cmocka_unit_test(mistakes_with_memory_are_checks),
        cmocka_unit_test(an_error_is_filled_and_false),
        cmocka_unit_test(an_error_cannot_steer_the_terminal),
        cmocka_unit_test(a_long_error_is_cut_at_a_whole_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
