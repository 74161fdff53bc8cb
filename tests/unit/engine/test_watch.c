/*
 * Heartbeats: phi in whole numbers, true deaths, and lives that are declared dead.
 */
#include "play.h"

#include "engine/copies/copies.h"
#include "engine/nodes/nodes.h"
#include "engine/watch/watch_inside.h"
#include <math.h>
#include <stdio.h>

/* N1 to N5 in three zones. */
static struct world *watched(const char *beats)
{
    struct world_config c = play_config();
    c.nodes_max = 8;
    c.node_messages_max = 256;
    struct world *w = play_new(&c);
    for (int i = 0; i < 5; i++) {
        char words[32];
        snprintf(words, sizeof words, "node add %c", 'a' + i % 3);
        play(w, words);
    }
    play(w, beats);
    return w;
}

static void run(struct world *w, int64_t ms)
{
    int64_t until = world_now(w) + ms * US_PER_MS;
    int64_t next = 0;
    while (world_next_time(w, &next) && next < until) {
        world_step(w);
        play_holds(w);
    }
    world_run_until(w, until);
}

static bool told(const struct world *w, const char *sentence)
{
    bool found = false;
    for (uint64_t i = trace_first(w); i < trace_next(w) && !found; i++) {
        struct str out = STR_EMPTY;
        trace_say(w, trace_get(w, i), &out);
        str_addc(&out, '\n');
        trace_why(w, trace_get(w, i), &out);
        found = strstr(str_text(&out), sentence) != NULL;
        str_free(&out);
    }
    return found;
}

/* --- phi --- */

static void phi_is_that_of_the_normal_distribution(void **state)
{
    (void)state;
    const struct gaps gaps = {.mean_us = 1000000, .spread_us = 250000};
    uint32_t before = 0;
    for (int64_t silence = 0; silence < 6500000; silence += 1237) {
        double z = (double)(silence - gaps.mean_us) / (double)gaps.spread_us;
        double exact = fmin(-100 * log10(0.5 * erfc(z / sqrt(2))), WATCH_PHI_MAX);
        uint32_t phi = phi_after(gaps, silence);
        assert_true(fabs((double)phi - exact) < 0.7);
        assert_true(phi >= before);
        before = phi;
    }
    assert_int_equal(phi_after(gaps, 1000000), 30); /* half of all beats come later than the mean */
    assert_int_equal(phi_after(gaps, 60000000), WATCH_PHI_MAX);
    assert_int_equal(phi_after(gaps, 0), 0);
}

static void silence_and_phi_are_inverse(void **state)
{
    (void)state;
    for (int64_t spread = 1; spread < 1000000; spread = spread * 3 + 1) {
        const struct gaps gaps = {.mean_us = 1000000, .spread_us = spread};
        for (uint32_t phi = 100; phi <= 5000; phi += 77) {
            int64_t silence = phi_silence(gaps, phi);
            assert_true(phi_after(gaps, silence) >= phi);
            assert_true(phi_after(gaps, silence - 1) < phi);
        }
    }
}

/* --- deaths --- */

static void a_death_is_declared_after_the_timeout(void **state)
{
    (void)state;
    struct world *w = watched("beats 1000 timeout 3000");
    run(w, 10000);
    struct watch_info i = world_watch(w);
    assert_true(i.on);
    assert_int_equal(i.declared, 0);
    assert_int_equal(world_beat(w, 2).mean_us, 1000000);
    int64_t times[BEATS_SHOWN];
    assert_int_equal(world_beat_times(w, 2, times), 10);
    assert_int_equal(times[9] - times[8], 1000000);
    int64_t heard = world_beat(w, 2).heard_us;
    int64_t died = world_now(w);
    play(w, "node N3 down");
    run(w, 10000);
    i = world_watch(w);
    assert_int_equal(i.declared, 1);
    assert_int_equal(i.falsely, 0);
    assert_int_equal(i.detect_us, heard + 3000000 - died);
    assert_int_equal(world_beat(w, 2).declared_us, heard + 3000000);
    assert_true(told(w, "directory -> N3  N3 is declared dead, silent for 3 s"));
    assert_true(told(w, "The node is down."));
    play(w, "node N3 up");
    run(w, 2000);
    i = world_watch(w);
    assert_int_equal(i.returned, 1);
    assert_false(world_beat(w, 2).declared);
    assert_true(told(w, "N3 is heard again"));
    assert_int_equal(world_beat(w, 2).mean_us, 1000000); /* its absence is no gap */
    world_free(w);
}

/* The same silence is nothing for a node whose beats never came evenly. */
static void phi_knows_how_beats_came_so_far(void **state)
{
    (void)state;
    struct world *w = watched("beats 1000 phi 8");
    run(w, 30000);
    struct world *uneven = world_copy(w);
    for (int i = 0; i < 8; i++) { /* every other second a beat comes late */
        play(uneven, "node N2 slow 1400");
        run(uneven, 2000);
        play(uneven, "node N2 slow 1");
        run(uneven, 2000);
    }
    assert_int_equal(world_watch(uneven).declared, 0);
    assert_int_equal(world_beat(w, 1).spread_us, 250000); /* a fourth of the period */
    assert_true(world_beat(uneven, 1).spread_us > 400000);
    struct world *both[] = {w, uneven};
    int64_t detected[2];
    for (int i = 0; i < 2; i++) {
        play(both[i], "node N2 down");
        run(both[i], 20000);
        assert_int_equal(world_watch(both[i]).declared, 1);
        assert_int_equal(world_watch(both[i]).falsely, 0);
        detected[i] = world_watch(both[i]).detect_us;
    }
    assert_true(detected[0] < 2500000 && detected[1] > detected[0] + 1000000);
    assert_true(told(w, "is so unusual that phi has reached 8."));
    world_free(w);
    world_free(uneven);
}

/* Alive, and out of reach. */
static void a_node_that_is_cut_off_is_declared_falsely(void **state)
{
    (void)state;
    struct world *w = watched("beats 500 timeout 1200");
    run(w, 5000);
    play(w, "split N1 N2");
    run(w, 5000);
    struct watch_info i = world_watch(w);
    assert_int_equal(i.declared, 2);
    assert_int_equal(i.falsely, 2);
    assert_true(told(w, "The node lives; its beats do not arrive in time."));
    play(w, "heal");
    run(w, 1000);
    assert_int_equal(world_watch(w).returned, 2);
    assert_int_equal(world_beat(w, 0).late, 1);
    assert_true(told(w, "I live (5.5 s after the last time)"));
    world_free(w);
}

/* A directory that was away has heard nobody, and may not take that for their deaths. */
static void a_directory_that_was_down_waits_anew(void **state)
{
    (void)state;
    struct world *w = watched("beats 500 timeout 1200");
    run(w, 5000);
    play(w, "directory off");
    run(w, 5000);
    play(w, "directory on");
    run(w, 5000);
    assert_int_equal(world_watch(w).declared, 0);
    play(w, "node N1 down");
    run(w, 5000);
    assert_int_equal(world_watch(w).declared, 1);
    world_free(w);
}

static void who_joins_later_is_watched_too(void **state)
{
    (void)state;
    struct world *w = watched("beats 500 timeout 1200");
    run(w, 5000);
    play(w, "node add b 2");
    run(w, 5000);
    assert_true(world_beat(w, 6).beats > 7);
    play(w, "beats off");
    assert_false(world_watch(w).on);
    run(w, 5000);
    int64_t next = 0;
    assert_false(world_next_time(w, &next));
    play(w, "beats off");
    world_free(w);
}

static void what_cannot_be_watched_is_refused(void **state)
{
    (void)state;
    struct world_config c = play_config();
    struct world *w = play_new(&c);
    play_refused(w, "beats 500 timeout 1200",
                 "nobody could beat: no node has joined; first: node add a 3");
    world_free(w);
    w = watched("beats off");
    play_refused(w, "beats 500 timeout 400",
                 "a timeout is a period or more, here 500 ms, and 600 s at most, or every node is "
                 "dead between two beats");
    play_refused(w, "beats 0.5 phi 8", "a heartbeat comes once in 1 ms to 60 s, not in 500 us");
    play_refused(w, "beats 500 phi 51",
                 "phi is 1 to 50: 1 errs once in ten, 8 once in a hundred million");
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phi_is_that_of_the_normal_distribution),
        cmocka_unit_test(silence_and_phi_are_inverse),
        cmocka_unit_test(a_death_is_declared_after_the_timeout),
        cmocka_unit_test(phi_knows_how_beats_came_so_far),
        cmocka_unit_test(a_node_that_is_cut_off_is_declared_falsely),
        cmocka_unit_test(a_directory_that_was_down_waits_anew),
        cmocka_unit_test(who_joins_later_is_watched_too),
        cmocka_unit_test(what_cannot_be_watched_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
