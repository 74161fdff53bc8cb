/* deal: whatever the way, each item is dealt once; what is equal, what is in order, who waits. */
#include "place/deal.h"

#include "base/prng.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct keyset *items_of(const uint64_t *cost, size_t count)
{
    struct keyset *items = keyset_new();
    struct err err;
    char name[DEAL_NAME_MAX];
    for (size_t i = 0; i < count; i++) {
        assert_true(keyset_add(items, deal_item_name(name, i), cost[i], &err));
    }
    return items;
}

static struct deal dealt(struct keyset *items, enum deal_by by, uint32_t workers, uint32_t pieces)
{
    struct deal d;
    struct err err = {""};
    struct deal_params params = {
        .by = by, .workers = workers, .pieces = pieces, .hash = HASH_MURMUR3};
    if (!deal_make(&d, items, params, &err)) {
        fail_msg("%s", err.text);
    }
    return d;
}

static const uint64_t eight[] = {9, 1, 1, 1, 4, 4, 2, 2};

static void each_way_in_small(void **state)
{
    (void)state;
    struct keyset *items = items_of(eight, 8);
    struct deal d = dealt(items, DEAL_TURN, 2, 0);
    assert_int_equal(d.worker[0].cost, 9 + 1 + 4 + 2);
    assert_int_equal(d.worker[1].cost, 1 + 1 + 4 + 2);
    assert_int_equal(d.barrier, 16);
    assert_int_equal(d.slowest, 0);
    assert_int_equal(deal_idle(&d), 250); /* 8 of 32 */
    d = dealt(items, DEAL_ROWS, 2, 0);
    assert_int_equal(d.worker[0].cost, 9 + 1 + 1 + 1);
    assert_int_equal(d.worker[1].items, 4);
    d = dealt(items, DEAL_BYTES, 2, 0);
    assert_int_equal(d.worker[0].cost, 9 + 1 + 1 + 1);
    d = dealt(items, DEAL_BYTES, 3, 0);
    assert_int_equal(d.worker[0].cost, 9);
    assert_int_equal(d.worker[1].cost, 1 + 1 + 1 + 4);
    assert_int_equal(d.worker[2].cost, 4 + 2 + 2);
    d = dealt(items, DEAL_STEAL, 2, 8); /* the second is free first until 11 */
    assert_int_equal(d.worker[0].cost, 9 + 2 + 2);
    assert_int_equal(d.worker[1].cost, 1 + 1 + 1 + 4 + 4);
    assert_int_equal(d.worker[0].pieces, 3);
    keyset_free(items);
}

/* Of random work, any way: nothing is lost or dealt twice, and the barrier is the greatest. */
static void nothing_is_lost(void **state)
{
    (void)state;
    struct prng random = prng_seeded(7, "test-deal");
    for (int round = 0; round < 500; round++) {
        uint64_t cost[200], sum = 0, most = 0;
        size_t count = 1 + prng_below(&random, 200);
        for (size_t i = 0; i < count; i++) {
            cost[i] = prng_below(&random, 50);
            sum += cost[i];
            most = cost[i] > most ? cost[i] : most;
        }
        struct keyset *items = items_of(cost, count);
        uint32_t workers = 1 + (uint32_t)prng_below(&random, DEAL_WORKERS_MAX);
        for (int by = 0; by < DEAL_COUNT; by++) {
            struct deal d = dealt(items, (enum deal_by)by, workers, 0);
            uint64_t got = 0, worked = 0, barrier = 0, fewest = UINT64_MAX, largest = 0;
            for (uint32_t i = 0; i < workers; i++) {
                const struct deal_worker *w = &d.worker[i];
                got += w->items;
                worked += w->cost;
                assert_int_equal(w->finish, w->cost);
                barrier = w->finish > barrier ? w->finish : barrier;
                fewest = w->items < fewest ? w->items : fewest;
                largest = w->items > largest ? w->items : largest;
            }
            assert_int_equal(got, count);
            assert_int_equal(worked, sum);
            assert_int_equal(d.cost, sum);
            assert_int_equal(d.barrier, barrier);
            assert_int_equal(d.longest, most);
            assert_int_equal(d.worker[d.slowest].finish, barrier);
            if (by == DEAL_TURN || by == DEAL_ROWS) {
                assert_true(largest - fewest <= 1);
            }
            if (by == DEAL_BYTES) { /* a run is over its part by half an item at each end */
                assert_true(barrier <= sum / workers + most + 1);
            }
        }
        keyset_free(items);
    }
}

/* Whoever is free takes the next: nobody waits longer than the longest piece lasts. */
static void who_steals_waits_for_one_piece_at_most(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct keyset *items = keyset_new();
        struct err err;
        struct deal_work work = {
            .count = 400, .low = 1, .high = 20, .long_pct = 5, .longer = 10, .seed = seed};
        assert_true(deal_work(items, work, &err));
        struct deal d = dealt(items, DEAL_STEAL, 8, 400);
        for (uint32_t i = 0; i < 8; i++) {
            assert_true(d.barrier - d.worker[i].finish <= d.longest);
        }
        keyset_free(items);
    }
}

static void equal_counts_are_not_equal_bytes(void **state)
{
    (void)state;
    struct keyset *items = keyset_new();
    struct err err;
    struct deal_work work = {
        .count = 800, .low = 10, .high = 20, .long_pct = 10, .longer = 10, .run = 40, .seed = 3};
    assert_true(deal_work(items, work, &err));
    size_t longs = 0;
    for (size_t i = 0; i < 800; i++) {
        longs += keyset_load(items, i) > 20;
    }
    assert_in_range(longs, 70, 80); /* one in a while draws the 20 itself */
    struct deal rows = dealt(items, DEAL_ROWS, 8, 0), bytes = dealt(items, DEAL_BYTES, 8, 0);
    struct deal steal = dealt(items, DEAL_STEAL, 8, 200);
    assert_true(rows.barrier > 2 * rows.cost / 8);
    assert_true(bytes.barrier < bytes.cost / 8 + bytes.longest);
    assert_true(steal.barrier < rows.barrier);
    assert_true(deal_idle(&rows) > 500 && deal_idle(&bytes) < 50 && deal_idle(&steal) < 200);
    keyset_free(items);
}

/* What a piece costs on top is why pieces are not as small as can be. */
static void taking_a_piece_costs(void **state)
{
    (void)state;
    struct keyset *items = items_of(eight, 8);
    struct deal d;
    struct err err = {""};
    struct deal_params params = {.by = DEAL_STEAL, .workers = 2, .pieces = 8, .overhead = 5};
    assert_true(deal_make(&d, items, params, &err));
    assert_int_equal(d.worker[0].finish, d.worker[0].cost + 5 * d.worker[0].pieces);
    assert_int_equal(d.worker[0].pieces + d.worker[1].pieces, 8);
    assert_int_equal(d.busy, 24 + 8 * 5);
    keyset_free(items);
}

static void refused(struct keyset *items, struct deal_params params, const char *why)
{
    struct deal d;
    struct err err = {""};
    assert_false(deal_make(&d, items, params, &err));
    assert_non_null(strstr(err.text, why));
}

static void what_cannot_be_dealt(void **state)
{
    (void)state;
    struct keyset *none = keyset_new(), *items = items_of(eight, 8);
    static const uint64_t huge[] = {DEAL_COST_MAX, 1}, zeros[] = {0, 0, 0};
    struct keyset *much = items_of(huge, 2), *nothing = items_of(zeros, 3);
    refused(none, (struct deal_params){.workers = 2}, "nothing to deal");
    refused(items, (struct deal_params){.workers = 0}, "1 to 64 workers, not 0");
    refused(items, (struct deal_params){.workers = 65}, "1 to 64 workers, not 65");
    refused(items, (struct deal_params){.by = DEAL_ROWS, .workers = 2, .pieces = 4},
            "'rows' cuts by itself");
    refused(much, (struct deal_params){.workers = 2}, "in a larger unit");
    refused(items, (struct deal_params){.workers = 2, .overhead = DEAL_COST_MAX}, "overhead");
    for (int by = 0; by < DEAL_COUNT; by++) { /* work that is none */
        struct deal d = dealt(nothing, (enum deal_by)by, 2, 0);
        assert_int_equal(d.worker[0].items + d.worker[1].items, 3);
        assert_int_equal(d.barrier, 0);
        assert_int_equal(deal_idle(&d), 0);
    }
    struct err err = {""};
    assert_false(deal_work(none, (struct deal_work){.count = 4, .low = 3, .high = 2}, &err));
    keyset_free(none);
    keyset_free(items);
    keyset_free(much);
    keyset_free(nothing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_in_small),
        cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(who_steals_waits_for_one_piece_at_most),
        cmocka_unit_test(equal_counts_are_not_equal_bytes),
        cmocka_unit_test(taking_a_piece_costs),
        cmocka_unit_test(what_cannot_be_dealt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
