/*
 * The commands that treat likes: their words, what they refuse, and a treated count as part of a
 * world that is copied, digested and played under faults.
 */
#include "count.h"

#include "base/prng.h"

static void says(const char *words, const char *expected)
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

static void refuses(const char *words, const char *sentence)
{
    struct command c;
    struct err err = {{0}};
    assert_false(command_parse(words, &c, &err));
    assert_string_equal(err.text, sentence);
}

static void commands_read_back_as_they_are_said(void **state)
{
    (void)state;
    static const char *const words[] = {
        "writes likes:{p9} plain",
        "writes likes:{p9} salted 8",
        "writes likes:{p9} salted 8 outside",
        "writes likes:{p9} salted 8 random",
        "writes likes:{p9} salted 8 outside writer",
        "writes likes:{p9} summed",
        "writes likes:{p9} summed 250",
        "writes likes:{p9} summed window",
        "writes likes:{p9} summed 1.5 merge",
        "rebuild likes:{p9}",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        says(words[i], words[i]);
    }
    says("writes k salted 8 inside turn", "writes k salted 8");
    says("writes k summed 500 absolute", "writes k summed");
    static const char form[] =
        "writes KEY plain | writes KEY salted S [inside|outside] [turn|random|writer] | writes KEY "
        "summed [WINDOW_MS] [absolute|window|merge]";
    char sentence[256];
    (void)snprintf(sentence, sizeof sentence, "plain, salted or summed is missing; write: %s",
                   form);
    refuses("writes k", sentence);
    (void)snprintf(sentence, sizeof sentence, "the number of salts is missing; write: %s", form);
    refuses("writes k salted", sentence);
    refuses("writes k summed soon",
            "the window: \"soon\" is not a whole number; give one from 0 to 1000000000");
}

static void what_cannot_be_changes_nothing(void **state)
{
    (void)state;
    struct world *w = play_world();
    play_refused(w, "writes likes:{p9} plain", "likes of this key go to the key itself already");
    play_refused(w, "writes likes:{p9} salted 0", "a count has 1 to 64 salts");
    play_refused(w, "writes likes:{p9} salted 65", "a count has 1 to 64 salts");
    play_refused(w, "writes likes:{p9} summed 0.5", "a router flushes every 1 to 60000 ms");
    play_refused(w, "rebuild likes:{p9}",
                 "likes of this key are not treated, so `liked` has no rows to recount; write: "
                 "writes KEY summed");
    play(w, "request like likes:{p7}:r2 via R0");
    count_run(w, US_PER_SECOND);
    play_refused(w, "writes likes:{p7} summed",
                 "likes:{p7}:r2, which would hold a sum, holds likes of its own");
    play_refused(w, "writes a{}}b summed",
                 "{a{}}b}:fix would not be in its count's slot; use a key with a hash tag, as in "
                 "likes:{p9}");
    play_refused(w, "writes abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz-{abcdef} summed",
                 "the sub-key abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz-{abcdef}:fix "
                 "would have 66 bytes; a key has at most 64");
    play(w, "writes likes:{p9} salted 4");
    play_refused(w, "writes likes:{p9#2} salted 4", "this is a sub-key of likes:{p9}; treat that");
    play_refused(
        w, "writes likes:{p9} salted 4 outside",
        "the salts of this count stand inside its tag and are in use; make it plain first, "
        "and run the world until they are frozen");
    play(w, "writes likes:{p9} summed");
    play(w, "request like likes:{p9} via R4");
    world_run_until(w, EIGHT_PM + US_PER_SECOND + 59333); /* R4's flush has just left */
    play_refused(w, "writes likes:{p9} summed merge",
                 "R4 is flushing this count the other way; run the world a moment");
    play(w, "rebuild likes:{p9}");
    play_refused(w, "rebuild likes:{p9}",
                 "a rebuild of this count is under way; run the world a moment");
    count_run(w, 100000);
    play(w, "writes likes:{p9} summed merge");
    play(w, "rebuild likes:{p9}");
    world_free(w);
}

static void a_world_without_room_says_so(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.keys_max = 6;
    struct world *w = play_new(&c);
    play_refused(w, "writes likes:{p9} salted 8",
                 "this needs 10 new keys; the world has room for 6 and has met 0");
    play(w, "writes likes:{p9} salted 4");
    world_free(w);
    c = play_config();
    c.store_max = 6;
    w = play_new(&c);
    play_refused(w, "writes likes:{p9} summed",
                 "this needs 7 new counters; the shards have room for 6 and hold 0");
    world_free(w);
    c = play_config();
    c.hot_max = 1;
    w = play_new(&c);
    play(w, "writes likes:{p9} salted 4");
    play_refused(w, "writes likes:{p1} salted 4",
                 "this world has room for 1 treated counts, all taken");
    world_free(w);
    c = play_config();
    c.events_max = 4;
    w = play_new(&c);
    play_refused(w, "writes likes:{p9} summed",
                 "this world has room for 4 waiting events, too few now; run it first");
    world_free(w);
}

static void a_key_without_a_tag_has_its_sub_keys_beside_it(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "writes likes salted 4");
    play(w, "writes likes summed");
    uint16_t slot = world_key_slot(w, play_key(w, "likes"));
    assert_int_equal(world_key_slot(w, play_key(w, "{likes}:r3")), slot);
    assert_int_equal(world_key_slot(w, play_key(w, "{likes}:fix")), slot);
    assert_true(world_key_slot(w, play_key(w, "likes#1")) != slot);
    world_free(w);
}

static void likes_from_before_the_treatment_count(void **state)
{
    (void)state;
    struct world *w = play_world();
    for (int i = 0; i < 3; i++) {
        play_request(w, "request like likes:{p9} via R1");
    }
    play(w, "writes likes:{p9} salted 4");
    play_request(w, "request like likes:{p9} via R1");
    struct count_info info = count_info(w);
    assert_int_equal(info.durable, 4);
    assert_int_equal(info.frozen_sum, 3);
    assert_int_equal(play_request(w, "request read likes:{p9} via R1").value, 4);
    play_holds(w);
    world_free(w);
}

static void busy(struct world *w)
{
    count_flow(w, 9, 400);
    play(w, "flow read likes:{p9} 300 poisson");
    play(w, "flow like likes:{p1} 200 poisson");
    play(w, "writes likes:{p1} salted 8 random");
    play(w, "writes likes:{p9} salted 4");
    world_run_until(w, world_now(w) + 200000);
    play(w, "writes likes:{p9} summed 100");
}

static void a_copy_goes_on_like_its_original(void **state)
{
    (void)state;
    struct world_config c = count_config();
    struct world *w = play_new(&c);
    busy(w);
    struct world *copy = world_copy(w);
    for (int i = 0; i < 40; i++) {
        world_run_until(w, world_now(w) + 7000);
        world_copy_into(copy, w);
        world_run_until(w, world_now(w) + 20000);
        assert_false(digest_equal(world_digest(w), world_digest(copy)));
        world_run_until(copy, world_now(w));
        assert_true(digest_equal(world_digest(w), world_digest(copy)));
        play_holds(w);
    }
    world_free(copy);
    world_free(w);
}

/* Every record can be said, put on an arrow and explained. */
static void everything_has_words(void **state)
{
    (void)state;
    struct world_config c = count_config();
    c.timeout_us = 20000;
    c.client_timeout_us = 200000;
    c.trace_max = 65536;
    struct world *w = play_new(&c);
    busy(w);
    play(w, "network loss 5% double 5% delay 10% 30");
    play(w, "crash R4 300");
    world_run_until(w, world_now(w) + US_PER_SECOND);
    play(w, "rebuild likes:{p9}");
    play(w, "rule durable-before-ack off");
    world_run_until(w, world_now(w) + US_PER_SECOND);
    play(w, "writes likes:{p1} plain");
    world_run_until(w, world_now(w) + US_PER_SECOND);
    uint32_t of_writes = 0;
    for (uint64_t i = trace_first(w); i < trace_next(w); i++) {
        const struct trace_record *r = trace_get(w, i);
        struct str text = STR_EMPTY;
        trace_say(w, r, &text);
        trace_why(w, r, &text);
        assert_null(memchr(str_text(&text), '\n', text.length));
        size_t length = text.length;
        trace_label(w, r, &text);
        assert_in_range(text.length - length, 1, 24);
        of_writes += r->kind == TRACE_WRITES;
        str_free(&text);
    }
    assert_true(of_writes > 500);
    world_free(w);
}

/* A count under loss, copies, delays and crashes; then quiet, and a rebuild makes it exact. */
static void play_faults(uint64_t seed)
{
    struct world_config c = count_config();
    struct err err = {{0}};
    c.seed = seed;
    c.timeout_us = 20000;
    c.client_timeout_us = 150000;
    c.recent_max = 32;
    c.requests_max = 8192;
    c.events_max = 65536;
    struct world *w = play_new(&c);
    static const char *const treatments[] = {
        "writes likes:{p9} summed 100",
        "writes likes:{p9} summed 100 window",
        "writes likes:{p9} summed 100 merge",
        "writes likes:{p9} salted 8 writer",
        "writes likes:{p9} plain",
    };
    play(w, "writes likes:{p9} salted 4");
    count_flow(w, 9, 300);
    play(w, "flow read likes:{p9} 100");
    play(w, "network loss 3% double 3% delay 10% 40");
    struct prng prng = prng_seeded(seed, "schedule");
    for (int i = 0; i < 40; i++) {
        struct command command;
        char crash[32];
        bool shard = prng_below(&prng, 4) == 0;
        unsigned node = (unsigned)prng_below(&prng, 4);
        unsigned away = 20 + (unsigned)prng_below(&prng, 200);
        (void)snprintf(crash, sizeof crash, "crash %c%u %u", shard ? 'S' : 'R', node, away);
        const char *treatment = treatments[prng_below(&prng, 5)];
        uint64_t what = prng_below(&prng, 4);
        const char *words = what == 0 ? treatment : what == 1 ? "rebuild likes:{p9}" : crash;
        assert_true(command_parse(words, &command, &err));
        (void)world_apply(w, &command, NULL); /* some cannot be now */
        int64_t until = world_now(w) + (int64_t)prng_below(&prng, 80000);
        int64_t next = 0;
        while (world_next_time(w, &next) && next < until && world_step(w)) {
            if (!writes_hold(w, &err)) {
                fail_msg("seed %llu, %s: %s", (unsigned long long)seed, num_clock(next).text,
                         err.text);
            }
        }
    }
    play(w, "network calm");
    count_flow(w, 9, 0);
    play(w, "flow read likes:{p9} 0");
    world_run_until(w, world_now(w) + 5 * US_PER_SECOND);
    if (world_stopped(w, &err) || !writes_hold(w, &err)) {
        fail_msg("seed %llu: %s", (unsigned long long)seed, err.text);
    }
    struct count_info info = count_info(w);
    assert_int_equal(info.buffered + info.on_way, 0);
    play(w, "rebuild likes:{p9}");
    world_run_until(w, world_now(w) + US_PER_SECOND);
    info = count_info(w);
    assert_int_equal(info.shown, info.durable);
    struct request_info read = play_request(w, "request read likes:{p9} via R5");
    assert_int_equal(read.value, info.shown);
    world_free(w);
}

static void counts_add_up_under_faults(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        play_faults(seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_read_back_as_they_are_said),
        cmocka_unit_test(what_cannot_be_changes_nothing),
        cmocka_unit_test(a_world_without_room_says_so),
        cmocka_unit_test(a_key_without_a_tag_has_its_sub_keys_beside_it),
        cmocka_unit_test(likes_from_before_the_treatment_count),
        cmocka_unit_test(a_copy_goes_on_like_its_original),
        cmocka_unit_test(everything_has_words),
        cmocka_unit_test(counts_add_up_under_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
