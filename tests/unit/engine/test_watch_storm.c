/*
 * False deaths: copies make beats late, late beats make deaths, deaths make copies. And what stops
 * it.
 */
#include "play.h"

#include "engine/copies/copies.h"
#include "engine/nodes/nodes.h"
#include "engine/watch/watch.h"
#include <stdio.h>

#define NODES 10

/* Ten nodes and ten groups of three copies, 500 MB each; links of 100 MB/s. N3 dies. */
static struct world *cluster(const char *recopy, const char *beats)
{
    struct world_config c = play_config();
    c.nodes_max = NODES;
    c.node_messages_max = 4096;
    c.groups_max = NODES;
    c.events_max = 16384;
    c.trace_max = 16384;
    struct world *w = play_new(&c);
    char words[96];
    for (int i = 0; i < NODES; i++) {
        snprintf(words, sizeof words, "node add %c", 'a' + i % 3);
        play(w, words);
    }
    play(w, "node link 100MB");
    for (int i = 0; i < NODES; i++) {
        snprintf(words, sizeof words, "group P%d N%d N%d N%d bytes 500MB", i + 1, i + 1,
                 (i + 1) % NODES + 1, (i + 2) % NODES + 1);
        play(w, words);
    }
    play(w, recopy);
    play(w, beats);
    world_run_until(w, world_now(w) + 10 * US_PER_SECOND);
    assert_int_equal(world_watch(w).declared, 0);
    play(w, "node N3 down");
    return w;
}

static void run(struct world *w, int64_t seconds)
{
    for (int64_t i = 0; i < seconds; i++) {
        struct err err = {{0}};
        world_run_until(w, world_now(w) + US_PER_SECOND);
        play_holds(w);
        if (world_stopped(w, &err)) {
            fail_msg("%s", err.text);
        }
    }
}

static void a_short_timeout_and_full_links_never_end(void **state)
{
    (void)state;
    struct world *w = cluster("recopy on", "beats 1000 timeout 1500");
    run(w, 30);
    uint64_t first = world_watch(w).falsely;
    run(w, 30);
    uint64_t second = world_watch(w).falsely - first;
    run(w, 30);
    uint64_t third = world_watch(w).falsely - first - second;
    assert_true(first > 20 && second > 20 && third > 20);
    assert_int_equal(world_watch(w).declared - world_watch(w).falsely, 1); /* N3 */
    assert_int_equal(world_recopy(w).done, 0); /* each copy is begun anew before it is whole */
    assert_true(world_recopy(w).under_way > 0);

    /* in the midst of it, a budget ends it */
    play(w, "recopy on 20MB");
    run(w, 60);
    assert_int_equal(world_recopy(w).under_way, 0);
    assert_int_equal(world_recopy(w).done, 3);
    world_free(w);
}

static void it_does_not_begin(const char *recopy, const char *beats, int64_t detect_ms)
{
    struct world *w = cluster(recopy, beats);
    run(w, 60);
    struct watch_info i = world_watch(w);
    assert_int_equal(i.declared, 1);
    assert_int_equal(i.falsely, 0);
    assert_int_equal(i.detect_us / 1000, detect_ms);
    assert_int_equal(world_recopy(w).done, 3);
    assert_int_equal(world_recopy(w).under_way, 0);
    world_free(w);
}

/* The last beat of N3 had come 700 ms before it died. */
static void longer_timeout_phi_and_budget_stop_it(void **state)
{
    (void)state;
    it_does_not_begin("recopy on", "beats 1000 timeout 3000", 2300);
    it_does_not_begin("recopy on", "beats 1000 phi 8", 1702);
    it_does_not_begin("recopy on 20MB", "beats 1000 timeout 1500", 800);
}

/* It errs often at first; then late beats are nothing new to it. */
static void a_low_phi_learns(void **state)
{
    (void)state;
    struct world *w = cluster("recopy on", "beats 1000 phi 1");
    run(w, 20);
    uint64_t first = world_watch(w).falsely;
    run(w, 60);
    uint64_t rest = world_watch(w).falsely - first;
    assert_true(first > 10 && rest < first);
    assert_int_equal(world_recopy(w).done, 3);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_short_timeout_and_full_links_never_end),
        cmocka_unit_test(longer_timeout_phi_and_budget_stop_it),
        cmocka_unit_test(a_low_phi_learns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
