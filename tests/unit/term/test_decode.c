/* Bytes become keys, however they are cut, and rubbish becomes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "base/str.h"
#include "term/decode.h"

/* Appends the names of all keys in the bytes, each with a blank after it. */
static void decode_all(struct decoder *d, const char *bytes, size_t length, struct str *names)
{
    while (length > 0) {
        size_t used;
        struct term_input input;
        enum decoded found = decoder_take(d, bytes, length, true, &used, &input);
        assert_int_not_equal(found, DECODED_PARTIAL);
        assert_in_range(used, 1, length);
        bytes += used;
        length -= used;
        if (found == DECODED_KEY) {
            char name[KEY_NAME_SIZE];
            key_to_name(input.key, name);
            str_add(names, name);
            str_addc(names, ' ');
        }
    }
}

static void expect_keys_in(bool utf8, const char *bytes, const char *names)
{
    struct decoder d;
    struct str got = STR_EMPTY;
    decoder_start(&d, utf8);
    decode_all(&d, bytes, strlen(bytes), &got);
    assert_string_equal(str_text(&got), names);
    str_free(&got);
}

static void expect_keys(const char *bytes, const char *names)
{
    expect_keys_in(true, bytes, names);
}

static void plain_keys(void **state)
{
    (void)state;
    expect_keys("aZ ~", "a Z space ~ ");
    expect_keys("\x01\x0c\x1a", "ctrl-a ctrl-l ctrl-z ");
    expect_keys("\t\r\n\x08\x7f", "tab enter enter backspace backspace ");
    expect_keys("\x1c\x1d\x1e\x1f", ""); /* no logical keys */
    expect_keys("é漢😀", "é 漢 😀 ");
}

static void arrows_and_friends_in_all_dialects(void **state)
{
    (void)state;
    expect_keys("\033[A\033OA\033[D\033OD", "up up left left ");
    expect_keys("\033[H\033OH\033[1~\033[7~", "home home home home ");
    expect_keys("\033[5~\033[6~\033[3~\033[Z", "page-up page-down delete shift-tab ");
    expect_keys("\033OP\033[11~\033[[A\033[24~", "f1 f1 f1 f12 ");
    expect_keys("\033OM\033Op\033Oy\033Ok", "enter 0 9 + ");
}

static void escape_is_a_key_and_a_beginning(void **state)
{
    (void)state;
    expect_keys("\033", "escape ");
    expect_keys("\033\033", "escape escape ");
    expect_keys("\033q", "escape q ");
    expect_keys("\033\033[A", "escape up ");
    expect_keys("\033[", "escape [ ");
    expect_keys("\033O", "escape O ");
}

static void unknown_sequences_are_dropped_whole(void **state)
{
    (void)state;
    expect_keys("\033[1;5Cq", "q ");
    expect_keys("\033[38;5;1mq", "q ");
    expect_keys("\033[?1;2cq", "q ");
    expect_keys("\033Ozq", "q ");
    expect_keys("\033[12\003x", "ctrl-c x "); /* a control character ends it */
}

static void the_terminals_own_sequences_count_first(void **state)
{
    (void)state;
    struct decoder d;
    struct str got = STR_EMPTY;
    decoder_start(&d, true);
    decoder_learn(&d, "\033[7~", LKEY_END);
    decoder_learn(&d, "\033[97u", LKEY_F1);
    decoder_learn(&d, NULL, LKEY_F1);
    decoder_learn(&d, "x", LKEY_F1); /* a character stays a character */
    decoder_learn(&d, "\033[1234567890~", LKEY_F1);
    decode_all(&d, "\033[7~\033[97ux", 10, &got);
    assert_string_equal(str_text(&got), "end f1 x ");
    str_free(&got);
}

static void pasted_text_is_marked_and_runs_no_keys(void **state)
{
    (void)state;
    expect_keys("\033[200~a\rb\033[201~q", "paste-start a enter b paste-end q ");
    expect_keys("\033[200~\033[A\033x\033[201~\033[A", "paste-start [ A x paste-end up ");
    expect_keys("\033[200~\033[200~\033[201~", "paste-start [ 2 0 0 ~ paste-end ");
}

static void expect_mouse(const char *bytes, uint32_t key, int column, int row)
{
    struct decoder d;
    struct term_input input = {.kind = TERM_INPUT_TIMEOUT};
    size_t used;
    decoder_start(&d, true);
    assert_int_equal(decoder_take(&d, bytes, strlen(bytes), false, &used, &input), DECODED_KEY);
    assert_int_equal(used, strlen(bytes));
    assert_int_equal(input.key, key);
    assert_int_equal(input.columns, column);
    assert_int_equal(input.rows, row);
}

static void the_mouse_clicks_and_rolls(void **state)
{
    (void)state;
    expect_mouse("\033[<0;12;5M", LKEY_MOUSE, 11, 4);
    expect_mouse("\033[<4;1;1M", LKEY_MOUSE, 0, 0); /* with Shift */
    expect_mouse("\033[<64;12;5M", LKEY_UP, 0, 0);
    expect_mouse("\033[<65;12;5M", LKEY_DOWN, 0, 0);
    expect_keys("\033[<0;12;5mq", "q ");  /* let go */
    expect_keys("\033[<2;12;5Mq", "q ");  /* another button */
    expect_keys("\033[<32;12;5Mq", "q "); /* moved */
    expect_keys("\033[<0;0;5Mq", "q ");
    expect_keys("\033[<0;99999999999;5Mq", "q ");
    expect_keys("\033[<0;1Mq", "q ");
    expect_keys("\033[<0;1;2;3Mq", "q ");
    expect_keys("\033[M !!q", "q "); /* the old report */
}

static void invalid_utf8_is_nothing(void **state)
{
    (void)state;
    expect_keys("\xff"
                "a\xc3"
                "b\xed\xa0\x80"
                "c\xc2\x80",
                "a b c ");
}

static void bytes_beyond_ascii_mean_nothing_in_the_c_locale(void **state)
{
    (void)state;
    expect_keys_in(false,
                   "a\xe9"
                   "b\xc3\xa9",
                   "a b ");
}

static const char *const whole[] = {
    "\033[A",       "\033OA",    "\033[5~",   "\033[24~", "\033[[E", "\033[200~", "\033[Z",
    "\033[<0;2;3M", "\033[1;5C", "\033[M !!", "é",        "漢",      "😀",         "\033Ow",
};
#define WHOLE (sizeof(whole) / sizeof(whole[0]))

static void every_beginning_waits_for_its_rest(void **state)
{
    (void)state;
    for (size_t i = 0; i < WHOLE; i++) {
        for (size_t n = 0; n < strlen(whole[i]); n++) {
            struct decoder d;
            struct term_input input;
            size_t used = 99;
            decoder_start(&d, true);
            enum decoded found = decoder_take(&d, whole[i], n, false, &used, &input);
            if (found != DECODED_PARTIAL || used != 0)
                fail_msg("%zu bytes of sequence %zu are taken for whole", n, i);
        }
    }
}

static void a_whole_sequence_is_taken_whole_whatever_follows(void **state)
{
    (void)state;
    for (size_t i = 0; i < WHOLE; i++) {
        for (size_t k = 0; k < WHOLE; k++) {
            struct decoder d;
            struct term_input input;
            size_t used = 0;
            struct str bytes = STR_EMPTY;
            str_add(&bytes, whole[i]);
            str_add(&bytes, whole[k]);
            decoder_start(&d, true);
            enum decoded found = decoder_take(&d, bytes.text, bytes.length, false, &used, &input);
            assert_int_not_equal(found, DECODED_PARTIAL);
            assert_int_equal(used, strlen(whole[i]));
            str_free(&bytes);
        }
    }
}

static void pasted_end_mark_may_come_in_pieces(void **state)
{
    (void)state;
    struct decoder d;
    struct term_input input;
    size_t used;
    decoder_start(&d, true);
    assert_int_equal(decoder_take(&d, "\033[200~", 6, false, &used, &input), DECODED_KEY);
    for (size_t n = 1; n < 6; n++)
        assert_int_equal(decoder_take(&d, "\033[201~", n, false, &used, &input), DECODED_PARTIAL);
    assert_int_equal(decoder_take(&d, "\033[201~", 6, false, &used, &input), DECODED_KEY);
    assert_int_equal(input.key, LKEY_PASTE_END);
}

/* Random bytes: it always goes on, never waits for more than a sequence can hold, and gives only
 * keys that have names. */
static void rubbish_neither_stops_nor_crashes(void **state)
{
    (void)state;
    static const char likely[] = "\033[[O;<0123456789MmAB~?";
    struct prng r = prng_seeded(5, "bytes");
    struct decoder d;
    decoder_start(&d, true);
    char buffer[256];
    size_t length = 0;
    for (int round = 0; round < 200000; round++) {
        bool sure = prng_chance(&r, 1, 2);
        buffer[length++] =
            sure ? likely[prng_below(&r, sizeof(likely) - 1)] : (char)prng_below(&r, 256);
        bool last = prng_chance(&r, 1, 20);
        for (;;) {
            size_t used;
            struct term_input input;
            enum decoded found = decoder_take(&d, buffer, length, last, &used, &input);
            if (found == DECODED_PARTIAL)
                break;
            assert_in_range(used, 1, length);
            memmove(buffer, buffer + used, length - used);
            length -= used;
            if (found == DECODED_KEY)
                assert_int_not_equal(input.key, LKEY_NONE);
        }
        assert_true(length < 80);
        assert_true(!last || length == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_keys),
        cmocka_unit_test(arrows_and_friends_in_all_dialects),
        cmocka_unit_test(escape_is_a_key_and_a_beginning),
        cmocka_unit_test(unknown_sequences_are_dropped_whole),
        cmocka_unit_test(the_terminals_own_sequences_count_first),
        cmocka_unit_test(pasted_text_is_marked_and_runs_no_keys),
        cmocka_unit_test(the_mouse_clicks_and_rolls),
        cmocka_unit_test(invalid_utf8_is_nothing),
        cmocka_unit_test(bytes_beyond_ascii_mean_nothing_in_the_c_locale),
        cmocka_unit_test(every_beginning_waits_for_its_rest),
        cmocka_unit_test(a_whole_sequence_is_taken_whole_whatever_follows),
        cmocka_unit_test(pasted_end_mark_may_come_in_pieces),
        cmocka_unit_test(rubbish_neither_stops_nor_crashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
