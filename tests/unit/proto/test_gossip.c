/*
 * Gossip in rounds: who hears when, how many rounds it takes by push, and by push and pull.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "proto/gossip.h"
#include <string.h>

#define NODES 1000
#define RUNS 400

static void two_nodes_take_one_round(void **state)
{
    (void)state;
    struct prng p = prng_seeded(1, "gossip");
    uint8_t knows[2];
    assert_int_equal(gossip_rounds(knows, 2, GOSSIP_PUSH, &p), 1);
    assert_int_equal(gossip_rounds(knows, 2, GOSSIP_PUSH_PULL, &p), 1);
    assert_int_equal(knows[0], GOSSIP_KNOWS);
    assert_int_equal(knows[1], GOSSIP_KNOWS);
}

/* By push alone, those who know at most double in a round: who hears does not tell at once. */
static void push_at_most_doubles_those_who_know(void **state)
{
    (void)state;
    struct prng p = prng_seeded(2, "gossip");
    uint8_t knows[NODES];
    for (int run = 0; run < 20; run++) {
        memset(knows, GOSSIP_NOT, sizeof knows);
        knows[7] = GOSSIP_KNOWS;
        uint32_t before = 1, count = 1;
        assert_int_equal(count = gossip_round(knows, NODES, GOSSIP_PUSH, &p), 2);
        while (count < NODES) {
            before = count;
            count = gossip_round(knows, NODES, GOSSIP_PUSH, &p);
            assert_true(count >= before && count <= 2 * before);
        }
    }
}

/* With pull, a node may be asked by many at once: more than double, and the last ones ask. */
static void pull_may_more_than_double_them(void **state)
{
    (void)state;
    struct prng p = prng_seeded(3, "gossip");
    uint8_t knows[NODES];
    memset(knows, GOSSIP_NOT, sizeof knows);
    knows[0] = GOSSIP_KNOWS;
    uint32_t before = 1, most = 0;
    while (before < NODES) {
        uint32_t count = gossip_round(knows, NODES, GOSSIP_PUSH_PULL, &p);
        assert_true(count >= before);
        most = count > 2 * before ? count : most;
        before = count;
    }
    assert_true(most > 0);
}

/* The rounds of so many runs, ascending. */
static void runs(enum gossip_way way, uint32_t rounds[RUNS])
{
    struct prng p = prng_seeded(4, "gossip");
    uint8_t knows[NODES];
    for (int i = 0; i < RUNS; i++) {
        uint32_t took = gossip_rounds(knows, NODES, way, &p);
        int j = i;
        for (; j > 0 && rounds[j - 1] > took; j--) {
            rounds[j] = rounds[j - 1];
        }
        rounds[j] = took;
    }
}

static void a_thousand_nodes_know_after_18_rounds_by_push_and_9_with_pull(void **state)
{
    (void)state;
    uint32_t rounds[RUNS] = {0};
    runs(GOSSIP_PUSH, rounds);
    assert_int_equal(rounds[RUNS / 2], 18);
    assert_in_range(rounds[RUNS / 20], 16, 17);
    assert_in_range(rounds[RUNS - 1 - RUNS / 20], 20, 21);
    assert_true(rounds[0] >= 10); /* 2^9 < 1,000: no way is shorter */
    runs(GOSSIP_PUSH_PULL, rounds);
    assert_int_equal(rounds[RUNS / 2], 9);
    assert_in_range(rounds[RUNS / 20], 8, 9);
    assert_in_range(rounds[RUNS - 1 - RUNS / 20], 9, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_nodes_take_one_round),
        cmocka_unit_test(push_at_most_doubles_those_who_know),
        cmocka_unit_test(pull_may_more_than_double_them),
        cmocka_unit_test(a_thousand_nodes_know_after_18_rounds_by_push_and_9_with_pull),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
