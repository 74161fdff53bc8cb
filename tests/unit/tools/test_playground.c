/*
 * The playground survives any order of any controls: settings stay valid, their text reads back to
 * the same, worlds run and their sums add up, stepping back leads to the same world.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "engine/invariant.h"
#include "sanitized.h"
#include "tools/playground_session.h"
#include <stdio.h>
#include <string.h>

#define RUNS (BRIEF ? 60 : 600)
#define CONTROLS_A_RUN 25

static struct play_settings parsed(const char *line)
{
    struct err err = {.text = ""};
    struct play_settings s;
    if (!play_parse(line, &s, &err)) {
        fail_msg("%s: %s", line, err.text);
    }
    return s;
}

static struct play_result *run(const char *line, const char *before)
{
    struct err err = {.text = ""};
    struct play_settings s = parsed(line);
    struct play_settings earlier = parsed(before ? before : line);
    struct play_result *r = play_run(&s, before ? &earlier : NULL, NULL, &err);
    if (!r) {
        fail_msg("%s: %s", line, err.text);
    }
    return r;
}

static void assert_says(const struct play_settings *s, const char *line)
{
    struct str text = STR_EMPTY;
    play_say(s, &text);
    assert_string_equal(str_text(&text), line);
    str_free(&text);
}

/* --- text --- */

static void test_settings_are_said_and_read(void **state)
{
    (void)state;
    struct play_settings s = play_settings_default();
    assert_says(&s, "workload popular, scheme slots, tokens 16, shards 4, rate 3000");
    static const char *const lines[] = {
        "workload celebrity, scheme ring, tokens 64, shards 4 +4 -2 +5, weight S1 200, weight S5 "
        "50, rate 500, salt 8, cache on, copies 3, db-cache 95",
        "workload time, scheme range, tokens 1, shards 1 +1 -0, rate 10000, preagg on",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        s = parsed(lines[i]);
        assert_says(&s, lines[i]);
    }
    s = parsed(" scheme  jump ,rate 7"); /* the rest as usual, in any order */
    assert_says(&s, "workload popular, scheme jump, tokens 16, shards 4, rate 7");
    assert_true(play_parse_more("add, remove S0, salt 4", &s, NULL));
    assert_says(&s, "workload popular, scheme jump, tokens 16, shards 4 +4 -0, rate 7, salt 4");
    assert_true(play_parse_more("preagg on", &s, NULL)); /* instead of salts */
    assert_true(play_parse_more("preagg off, salt off", &s, NULL));
    assert_true(play_parse_more("shards 2", &s, NULL)); /* anew */
    assert_says(&s, "workload popular, scheme jump, tokens 16, shards 2, rate 7");
}

static void test_what_cannot_be_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
    } bad[] = {
        {"", "no setting beside it"},
        {"scheme ring,", "no setting beside it"},
        {"scheem ring", "did you mean scheme?"},
        {"scheme rnig", "did you mean ring?"},
        {"scheme directory", "people place each key"},
        {"workload celeb", "did you mean celebrity?"},
        {"scheme", "needs a value"},
        {"scheme ring maglev", "comma"},
        {"tokens 0", "tokens"},
        {"tokens 16, tokens 17", "said twice"},
        {"rate 10001", "10000"},
        {"rate -5", "rate"},
        {"weight S1 0", "weight"},
        {"weight S9 200", "no shard S9"},
        {"shards 0", "shards"},
        {"shards 17", "16"},
        {"shards 4 +6", "joins next is S4"},
        {"shards 4 -4", "no shard S4"},
        {"shards 1 -0", "the last shard"},
        {"shards 4 5", "who joined and who left"},
        {"cache maybe", "on or off"},
        {"db-cache 100", "99"},
        {"copies 9", "8"},
        {"add", "no setting"}, /* only what people type on top of a state */
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct err err = {.text = ""};
        struct play_settings s = parsed("rate 1234");
        assert_false(play_parse(bad[i].line, &s, &err));
        if (!strstr(err.text, bad[i].says)) {
            fail_msg("\"%s\" is refused with: %s", bad[i].line, err.text);
        }
        assert_int_equal(s.rate, 1234);
    }
    struct err err;
    struct play_settings s = parsed("workload log");
    assert_false(play_check(&s, NULL, &err));
    assert_non_null(strstr(err.text, "play FILE"));
    s = play_settings_default();
    for (int i = 4; i < PLAY_SHARDS_MAX; i++) {
        assert_true(play_parse_more("add", &s, &err));
    }
    assert_false(play_parse_more("add", &s, &err));
    while (play_parse_more("remove S5, add", &s, &err) ||
           play_parse_more("remove S6, add", &s, &err)) {
        assert_true(play_check(&s, NULL, NULL));
    }
}

/* --- what runs --- */

static uint64_t apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* What is asked in a second is served or refused; some of it was asked a few milliseconds before,
 * and some will be answered as much later. */
static void assert_adds_up(uint64_t asked, uint64_t served, uint64_t refused)
{
    assert_true(apart(asked, served + refused) <= 16 + asked / 50);
}

static void assert_sums(const struct play_result *r)
{
    const struct play_settings *s = &r->settings;
    const struct shard_rates *all = &r->rates.cluster;
    struct shard_rates sum = {0};
    uint64_t keys = 0;
    for (uint32_t i = 0; i < r->shards; i++) {
        const struct shard_rates *one = &r->shard[i].rates;
        sum.writes += one->writes;
        sum.reads += one->reads;
        keys += r->shard[i].keys;
        assert_adds_up(one->writes, one->served_writes, one->refused_writes);
        assert_adds_up(one->reads, one->served_reads, one->refused_reads);
        if (s->salt == 1 && !s->preagg) { /* where the scheme says, and nowhere else */
            assert_int_equal(one->writes, r->trial->load_after.amount[i]);
        }
    }
    assert_int_equal(sum.writes, all->writes); /* nothing is asked of those who left */
    assert_int_equal(sum.reads, all->reads);
    assert_int_equal(keys, keyset_count(r->keys->all));
    if (!s->preagg) {
        assert_int_equal(all->writes, s->rate);
    }
    uint64_t left = r->reads * (100 - s->database_cache_pct) / 100;
    if (s->salt == 1 && !s->cache) {
        assert_int_equal(all->reads, left);
    }
    assert_true(r->cache_hits <= left);
    assert_int_equal(all->redirected + all->retried, 0);
}

static void assert_moved(const struct play_result *r)
{
    const struct trial *t = r->trial;
    uint64_t moved = 0;
    for (size_t i = 0; i < keyset_count(t->keys); i++) {
        moved += trial_moved(t, i);
    }
    assert_int_equal(moved, t->moved.moved);
    if (r->settings.database_cache_pct > 0 && moved > 0) {
        assert_true(r->cold.measured);
        assert_true(r->cold.missed <= r->cold.reads);
        assert_true(r->cold.missed >= r->cold.reads * (100 - r->settings.database_cache_pct) / 100);
    } else {
        assert_false(r->cold.measured);
    }
}

static void assert_sound(const struct play_result *r)
{
    struct err err = {.text = ""};
    if (world_stopped(r->world, &err) || !invariant_hold(r->world, &err)) {
        fail_msg("%s", err.text);
    }
    assert_sums(r);
    assert_moved(r);
}

static void assert_round_trip(const struct play_settings *s)
{
    struct err err = {.text = ""};
    struct str text = STR_EMPTY;
    struct play_settings back;
    play_say(s, &text);
    if (!play_check(s, NULL, &err) || !play_parse(str_text(&text), &back, &err)) {
        fail_msg("%s: %s", str_text(&text), err.text);
    }
    assert_true(play_same(s, &back));
    str_free(&text);
}

static void test_every_scheme_runs_every_workload(void **state)
{
    (void)state;
    struct play_settings s = play_settings_default();
    struct err err = {.text = ""};
    for (size_t i = 0; scheme_at(i); i++) {
        for (int workload = 0; play_offers(scheme_at(i)) && workload < WORKLOAD_LOG; workload++) {
            struct play_settings before = s;
            before.scheme = scheme_at(i);
            before.workload = (enum play_workload)workload;
            struct play_settings after = before;
            assert_true(play_parse_more("add", &after, NULL));
            struct play_result *r = play_run(&after, &before, NULL, &err);
            if (!r) {
                fail_msg("%s: %s", scheme_at(i)->name, err.text);
            }
            assert_sound(r);
            play_result_free(r);
        }
    }
}

static void test_a_celebrity_and_what_helps(void **state)
{
    (void)state;
    struct play_result *hot = run("workload celebrity", NULL);
    assert_int_equal(hot->keys->hot, PLAY_HOT_KEY);
    assert_true(hot->rates.cluster.refused_writes > 0);
    struct play_result *more = run("workload celebrity, shards 4 +4 +5 +6 +7", NULL);
    assert_true(more->rates.cluster.refused_writes > 0); /* no shard takes half a key */
    struct play_result *salted = run("workload celebrity, salt 8", NULL);
    assert_int_equal(salted->rates.cluster.refused_writes, 0);
    assert_true(salted->rates.cluster.reads > 2 * hot->rates.cluster.reads); /* the price */
    struct play_result *cached = run("workload celebrity, salt 8, cache on", NULL);
    assert_int_equal(cached->rates.cluster.refused_reads, 0);
    assert_true(cached->cache_hits >= 1700); /* of its 1,800 */
    struct play_result *summed = run("workload celebrity, preagg on", NULL);
    assert_int_equal(summed->rates.cluster.refused_writes, 0);
    assert_true(summed->rates.cluster.writes < 2200); /* without its 900 */
    struct play_result *copies = run("workload celebrity, rate 4000", NULL);
    struct play_result *copied = run("workload celebrity, rate 4000, copies 2", NULL);
    assert_true(copies->rates.cluster.refused_reads > 0);
    assert_int_equal(copied->rates.cluster.refused_reads, 0);
    assert_int_equal(copied->rates.cluster.refused_writes, copies->rates.cluster.refused_writes);
    struct play_result *all[] = {hot, more, salted, cached, summed, copies, copied};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        assert_sound(all[i]);
        play_result_free(all[i]);
    }
}

static void test_keys_that_move_are_cold(void **state)
{
    (void)state;
    static const char now[] = "scheme %s, shards 10 +10, rate 5000, db-cache 95";
    static const char then[] = "scheme %s, shards 10, rate 5000, db-cache 95";
    uint64_t missed[2];
    const char *const schemes[2] = {"mod-n", "slots"};
    for (int i = 0; i < 2; i++) {
        char after[100];
        char before[100];
        snprintf(after, sizeof after, now, schemes[i]);
        snprintf(before, sizeof before, then, schemes[i]);
        struct play_result *r = run(after, before);
        assert_sound(r);
        assert_int_equal(r->rates.cluster.reads, 500); /* warm: 5% of 10,000 */
        missed[i] = r->cold.missed;
        play_result_free(r);
    }
    assert_true(missed[0] > 8500); /* about 10 of 11 keys move */
    assert_true(missed[1] < 1900); /* about 1 of 11 does */
}

static void test_a_heavier_shard_takes_more(void **state)
{
    (void)state;
    struct play_result *r = run("workload uniform, scheme rendezvous, weight S0 200", NULL);
    assert_int_equal(r->shard[0].write_ceiling, 2 * PLAY_WRITE_CEILING);
    assert_true(r->shard[0].keys > 350 && r->shard[0].keys < 450); /* two fifths */
    play_result_free(r);
    r = run("workload uniform, scheme mod-n, weight S0 200", NULL);
    assert_int_equal(r->shard[0].write_ceiling, 2 * PLAY_WRITE_CEILING);
    assert_true(r->shard[0].keys < 300); /* it knows no weights */
    play_result_free(r);
}

static void test_other_schemes_are_tried_on_the_same_change(void **state)
{
    (void)state;
    struct play_settings before = parsed("scheme slots, shards 4");
    struct play_result *r = run("scheme slots, shards 4 +4", "scheme slots, shards 4");
    struct trial *t = play_trial_of(r, scheme_by_name("mod-n"), &before);
    assert_non_null(t);
    assert_int_equal(layout_shards(t->before), 4);
    assert_int_equal(layout_shards(t->after), 5);
    assert_int_equal(t->moved.moved, 812); /* document 003 */
    assert_int_equal(r->trial->moved.moved, 207);
    trial_free(t);
    play_result_free(r);
}

/* --- words --- */

static void assert_told(const char *line, const char *before, const char *change, const char *now)
{
    struct str text = STR_EMPTY;
    struct play_result *r = run(line, before);
    struct play_settings earlier = parsed(before);
    play_tell_change(r, &earlier, &text);
    assert_string_equal(str_text(&text), change);
    str_clear(&text);
    play_tell_state(r, &text);
    if (!strstr(str_text(&text), now)) {
        fail_msg("told: %s", str_text(&text));
    }
    str_free(&text);
    play_result_free(r);
}

static void test_changes_are_told(void **state)
{
    (void)state;
    assert_told("shards 4 +4", "shards 4",
                "S4 joined: 207 of 1,000 keys moved, 20.7%, from 4 shards.", "Nothing is refused.");
    assert_told("shards 4 -2", "shards 4", "S2 left: 250 of 1,000 keys moved, 25.0%, from 1 shard.",
                "the average");
    assert_told("workload celebrity", "workload popular",
                "workload popular to celebrity: a new start, so no key is said to have moved.",
                "The busiest shard, S2, is asked for 1,425 writes a second, 1.90 times the average "
                "and 143% of what it can take. Refused a second: 425 writes.");
    assert_told("salt 8, cache on", "salt 4", "salt 4 to 8, cache off to on: no key moved.",
                "A read of the hottest key asks 8 sub-keys.");
    assert_told("scheme mod-n, weight S1 200", "scheme mod-n, shards 4",
                "weight S1 100 to 200: no key moved.", "The scheme mod-n knows no weights.");
}

/* --- any order of any controls --- */

static void turn_randomly(struct play_settings *s, struct prng *prng)
{
    enum play_control control = (enum play_control)prng_below(prng, PLAY_CONTROL_COUNT);
    uint32_t ids[PLAY_SHARDS_MAX];
    uint32_t shards = play_shards(s, ids);
    bool there = prng_below(prng, 8) > 0; /* now and then a shard that is none */
    uint32_t shard = there ? ids[prng_below(prng, shards)] : (uint32_t)prng_below(prng, 99);
    int by = prng_below(prng, 2) == 0 ? -1 : 1;
    struct play_settings before = *s;
    struct err err = {.text = ""};
    if (!play_turn(s, control, by, shard, NULL, &err)) {
        assert_true(play_same(s, &before)); /* refused: nothing has changed */
        assert_true(strlen(err.text) > 0);
    }
}

static struct digest digest_of(const struct play_session *session)
{
    return world_digest(session_result(session)->world);
}

/* Back and forth over a few states leads to the same worlds. */
static void walk_back_and_forth(struct play_session *session, struct prng *prng)
{
    struct digest here = digest_of(session);
    uint64_t back = 0;
    uint64_t wanted = prng_below(prng, 3);
    while (back < wanted && session_undo(session)) {
        back++;
    }
    for (uint64_t i = 0; i < back; i++) {
        assert_true(session_redo(session));
    }
    assert_true(digest_equal(digest_of(session), here));
}

static void test_any_order_of_any_controls(void **state)
{
    (void)state;
    struct err err = {.text = ""};
    struct prng prng = prng_seeded(1, "playground");
    struct play_settings s = play_settings_default();
    struct play_session *session = session_new(&s, NULL, &err);
    assert_non_null(session);
    for (int i = 0; i < RUNS; i++) {
        s = *session_now(session);
        for (uint64_t left = 1 + prng_below(&prng, CONTROLS_A_RUN); left > 0; left--) {
            turn_randomly(&s, &prng);
            assert_round_trip(&s);
        }
        if (s.changes > PLAY_CHANGES_MAX - 2) { /* no more can be remembered */
            assert_true(play_parse_more("shards 3", &s, NULL));
        }
        if (!session_change(session, &s, &err)) {
            struct str text = STR_EMPTY;
            play_say(&s, &text);
            fail_msg("%s: %s", str_text(&text), err.text);
        }
        assert_sound(session_result(session));
        if (i % 10 == 9) {
            walk_back_and_forth(session, &prng);
        }
        if (i % 20 == 19 && !session_fork(session)) {
            assert_true(prng_below(&prng, 2) == 0 ? session_join(session)
                                                  : session_switch(session));
        }
    }
    session_free(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings_are_said_and_read),
        cmocka_unit_test(test_what_cannot_be_is_told),
        cmocka_unit_test(test_every_scheme_runs_every_workload),
        cmocka_unit_test(test_a_celebrity_and_what_helps),
        cmocka_unit_test(test_keys_that_move_are_cold),
        cmocka_unit_test(test_a_heavier_shard_takes_more),
        cmocka_unit_test(test_other_schemes_are_tried_on_the_same_change),
        cmocka_unit_test(test_changes_are_told),
        cmocka_unit_test(test_any_order_of_any_controls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
