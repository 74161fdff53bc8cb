/*
 * The commands of the guards as text: there and back, what is filled in, what the errors say.
 */
#include "play.h"

static void assert_said(const char *words, const char *expected)
{
    struct command c;
    struct err err = {{0}};
    struct str out = STR_EMPTY;
    if (!command_parse(words, &c, &err)) {
        fail_msg("%s: %s", words, err.text);
    }
    command_say(&c, &out);
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
}

static void every_form_reads_back_as_it_was_said(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "limit key likes:{p9} 300",
        "limit key a%20b none",
        "limit tenant nova 500",
        "limit tenant nova none",
        "tenant nova likes:{p9}",
        "clients none",
        "clients at-once times 3",
        "clients at-once times 1 budget 10",
        "clients backoff 10 times 3",
        "clients backoff 0.5 times 7 jitter budget 100",
        "breaker off",
        "breaker on 50 1000 1000",
        "shed 40",
        "shed off",
        "share nova 50",
        "share nova off",
        "sample 100 5000",
        "sample off",
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        assert_said(forms[i], forms[i]);
    }
}

static void what_is_left_out_is_filled_in(void **state)
{
    (void)state;
    assert_said("clients at-once", "clients at-once times 3");
    assert_said("clients backoff", "clients backoff 10 times 3");
    assert_said("clients backoff jitter", "clients backoff 10 times 3 jitter");
    assert_said("clients backoff 25 budget 5", "clients backoff 25 times 3 budget 5");
    assert_said("breaker on", "breaker on 50 1000 1000");
    assert_said("sample 100", "sample 100 5000");
}

static void errors_name_the_word_and_what_is_allowed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *sentence;
    } wrong[] = {
        {"limit x 5", "\"x\" is not what a limit is for; write: limit key|tenant NAME RATE|none"},
        {"limit key x", "the rate is missing; write: limit key|tenant NAME RATE|none"},
        {"limit key x 0", "the rate is 0; write: limit key|tenant NAME RATE|none"},
        {"tenant nova", "the key is missing; write: tenant NAME KEY"},
        {"clients backoff 10 budget 0",
         "the budget is 0; write: clients none|at-once|backoff [FIRST_MS] [times N] [jitter] "
         "[budget PCT]"},
        {"clients at-once jitter",
         "\"jitter\" is one word too many; write: clients none|at-once|backoff [FIRST_MS] "
         "[times N] [jitter] [budget PCT]"},
        {"breaker off 5",
         "\"5\" is one word too many; write: breaker on|off [PCT WINDOW_MS OPEN_MS]"},
        {"breaker on 5", "the window is missing; write: breaker on|off [PCT WINDOW_MS OPEN_MS]"},
        {"shed", "the number in hand is missing; write: shed N|off"},
        {"sample 0", "one in how many is 0; write: sample N [WINDOW_MS]|off"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct command c;
        struct err err = {{0}};
        assert_false(command_parse(wrong[i].text, &c, &err));
        assert_string_equal(err.text, wrong[i].sentence);
    }
}

static void bounds_are_checked_by_the_world(void **state)
{
    (void)state;
    struct world *w = play_world();
    play_refused(w, "clients at-once times 8", "clients ask again 1 to 7 times, or not at all");
    play_refused(w, "clients at-once budget 101",
                 "a budget of repeats is 1 to 100 percent of the first asks");
    play_refused(w, "clients backoff 0",
                 "the first wait of a client lasts from 1 ms to 600 seconds");
    play_refused(w, "breaker on 101 1000 1000", "a breaker opens at 1 to 100 percent of failures");
    play_refused(w, "breaker on 50 0 1000", "a breaker's window lasts from 1 ms to 600 seconds");
    play_refused(w, "shed 1000001", "a router may have 1 to 1000000 requests in hand");
    play_refused(w, "sample 10 700000", "a sample's window lasts from 1 ms to 600 seconds");
    play_refused(w, "limit key x 10000001", "a limit is at most 10000000 a second");
    world_free(w);
}

static void each_command_is_told_in_a_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        const char *sentence;
    } told[] = {
        {"limit key x 300", "routers let 300 requests a second pass, each its part, for x; the "
                            "rest gets a 429"},
        {"limit key x none", "routers limit x no longer"},
        {"limit tenant nova 1200", "routers let 1,200 requests a second pass, each its part, for "
                                   "all keys of nova; the rest gets a 429"},
        {"tenant nova x", "x belongs to nova"},
        {"clients none", "clients that are turned away give up"},
        {"clients at-once budget 10",
         "clients that are turned away ask again at once, up to 3 times; at most 10 repeats for "
         "100 first asks"},
        {"clients backoff jitter",
         "clients that are turned away ask again up to 3 times, first after 10 ms, then each time "
         "after twice as long, or a random part of it"},
        {"breaker on", "a router stops asking a shard for 1 s when 50% of its answers are "
                       "failures"},
        {"breaker off", "routers ask every shard, whatever it answers"},
        {"shed 40", "a router may have 40 requests in hand, and turns away the rest with a 503"},
        {"share nova 50", "nova may use 50% of what a router may have in hand"},
        {"share nova off", "nova may use a router whole"},
        {"shed off", "a router may have any number of requests in hand"},
        {"sample 100", "routers count 1 in 100 requests by key; a report every 5 s"},
        {"sample off", "routers sample no requests"},
    };
    struct world *w = play_world();
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        uint64_t from = trace_next(w);
        struct str expected = STR_EMPTY;
        struct str label = STR_EMPTY;
        play(w, told[i].words);
        str_addf(&expected, "20:00:00.000000  operator  %s\n", told[i].sentence);
        play_expect(w, from, str_text(&expected));
        trace_label(w, trace_get(w, from), &label);
        assert_in_range(label.length, 5, 16);
        str_free(&label);
        str_free(&expected);
    }
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_reads_back_as_it_was_said),
        cmocka_unit_test(what_is_left_out_is_filled_in),
        cmocka_unit_test(errors_name_the_word_and_what_is_allowed),
        cmocka_unit_test(bounds_are_checked_by_the_world),
        cmocka_unit_test(each_command_is_told_in_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
