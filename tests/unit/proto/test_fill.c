/*
 * One cache entry: what a read does at each age, and that no order of events hands a reader what is
 * older than an edit that the router has seen, unless a rule is off.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "proto/fill.h"

#define FRESH 1000
#define STALE 3000

static uint64_t without(enum rule rule)
{
    return RULES_ALL & ~rule_bit(rule);
}

static enum fill_choice at(const struct fill_core *f, uint64_t rules, int64_t now)
{
    return fill_read(f, rules, now, FRESH, STALE);
}

/* An entry whose fetch was sent at 100 and came back at 105. */
static struct fill_core filled(uint64_t rules)
{
    struct fill_core f = {0};
    assert_int_equal(at(&f, rules, 100), FILL_FETCH);
    fill_sent(&f, 1);
    assert_true(fill_landed(&f, rules, 1, 100, 105));
    return f;
}

static void an_entry_is_fresh_then_stale_then_gone(void **state)
{
    (void)state;
    struct fill_core f = filled(RULES_ALL);
    assert_int_equal(at(&f, RULES_ALL, 105), FILL_SERVE);
    assert_int_equal(at(&f, RULES_ALL, 100 + FRESH - 1), FILL_SERVE);
    assert_int_equal(at(&f, RULES_ALL, 100 + FRESH), FILL_SERVE_REFRESH);
    assert_int_equal(at(&f, RULES_ALL, 100 + STALE - 1), FILL_SERVE_REFRESH);
    assert_int_equal(at(&f, RULES_ALL, 100 + STALE), FILL_FETCH);
    fill_sent(&f, 2);
    assert_int_equal(at(&f, RULES_ALL, 100 + STALE - 1), FILL_SERVE); /* one refresh is enough */
    assert_int_equal(at(&f, RULES_ALL, 100 + STALE), FILL_WAIT);
    fill_failed(&f, 2);
    assert_int_equal(at(&f, RULES_ALL, 100 + STALE - 1), FILL_SERVE_REFRESH);
}

static void a_refresh_takes_the_place_of_the_entry(void **state)
{
    (void)state;
    struct fill_core f = filled(RULES_ALL);
    fill_sent(&f, 2);
    assert_true(fill_landed(&f, RULES_ALL, 2, 100 + FRESH, 110 + FRESH));
    assert_int_equal(at(&f, RULES_ALL, 100 + 2 * FRESH - 1), FILL_SERVE);
    assert_int_equal(at(&f, RULES_ALL, 100 + 2 * FRESH), FILL_SERVE_REFRESH);
    fill_sent(&f, 3); /* sent at the same instant as the one that is kept: as good */
    assert_true(fill_landed(&f, RULES_ALL, 3, 100 + FRESH, 120 + FRESH));
}

static void without_its_rule_an_age_is_counted_late_or_has_no_bound(void **state)
{
    (void)state;
    uint64_t late = without(RULE_AGE_FROM_READ);
    struct fill_core f = filled(late);
    assert_int_equal(at(&f, late, 105 + STALE - 1), FILL_SERVE_REFRESH); /* really STALE + 4 old */
    uint64_t unbounded = without(RULE_BOUNDED_AGE);
    f = filled(unbounded);
    assert_int_equal(at(&f, unbounded, 100 + 1000 * STALE), FILL_SERVE_REFRESH);
}

static void without_single_flight_each_read_fetches(void **state)
{
    (void)state;
    uint64_t rules = without(RULE_SINGLE_FLIGHT);
    struct fill_core f = {0};
    fill_sent(&f, 1);
    assert_int_equal(at(&f, rules, 1), FILL_FETCH);
    fill_sent(&f, 2);
    assert_int_equal(at(&f, RULES_ALL, 2), FILL_WAIT);
    assert_true(fill_landed(&f, rules, 2, 1, 6)); /* the later one overtakes */
    assert_false(fill_landed(&f, rules, 1, 0, 7));
    assert_int_equal(f.born_us, 1);
}

static void an_edit_drops_the_entry_and_disowns_the_fetch(void **state)
{
    (void)state;
    struct fill_core f = filled(RULES_ALL);
    fill_sent(&f, 2);
    fill_edited(&f, RULES_ALL);
    assert_int_equal(f.born_us, 0); /* worlds that differ in nothing else are the same */
    assert_int_equal(at(&f, RULES_ALL, 110),
                     FILL_FETCH); /* neither the entry nor the fetch will do */
    fill_sent(&f, 3);
    assert_false(fill_landed(&f, RULES_ALL, 2, 105, 111));
    assert_int_equal(at(&f, RULES_ALL, 111), FILL_WAIT); /* for fetch 3 */
    assert_true(fill_landed(&f, RULES_ALL, 3, 110, 115));
    assert_int_equal(at(&f, RULES_ALL, 115), FILL_SERVE);
}

static void a_restart_forgets_the_entry_and_the_fetch(void **state)
{
    (void)state;
    struct fill_core f = filled(RULES_ALL);
    fill_sent(&f, 2);
    fill_crashed(&f, 3);
    assert_int_equal(at(&f, RULES_ALL, 110), FILL_FETCH);
    fill_sent(&f, 3);
    assert_false(fill_landed(&f, RULES_ALL, 2, 106, 111));
    assert_true(f.fetching);
}

/* --- a router, a shard, edits and fetches in any order -----------------------------------------
 */

#define FETCHES 4

/* Fetch i has number i + 1; `reads` counts who waits for it, `due` is what each of them must see.
 */
struct play {
    struct fill_core f;
    uint32_t shard, seen, entry; /* versions: at the shard, acknowledged here, in the entry */
    uint32_t sent;
    uint32_t value[FETCHES], due[FETCHES];
    bool answered[FETCHES], landed[FETCHES], waited_for[FETCHES];
    bool broken; /* a reader got less than was acknowledged when it asked */
};

static void read_comes(struct play *p, uint64_t rules)
{
    switch (fill_read(&p->f, rules, 0, 1, 1)) {
    case FILL_SERVE:
    case FILL_SERVE_REFRESH:
        p->broken = p->broken || p->entry < p->seen;
        return;
    case FILL_FETCH:
        if (p->sent == FETCHES) {
            return;
        }
        fill_sent(&p->f, ++p->sent);
        break;
    case FILL_WAIT:
        break;
    }
    p->waited_for[p->sent - 1] = true;
    p->due[p->sent - 1] = p->seen; /* versions only rise: the latest waiter asks for most */
}

static void fetch_moves(struct play *p, uint64_t rules, uint32_t i)
{
    if (i >= p->sent || p->landed[i]) {
        return;
    }
    if (!p->answered[i]) {
        p->answered[i] = true;
        p->value[i] = p->shard;
        return;
    }
    p->landed[i] = true;
    p->broken = p->broken || (p->waited_for[i] && p->value[i] < p->due[i]);
    if (fill_landed(&p->f, rules, i + 1, 0, 0)) {
        p->entry = p->value[i];
    }
}

static bool breaks(uint64_t seed, uint64_t rules)
{
    struct prng random = prng_seeded(seed, "fill");
    struct play p = {0};
    for (int step = 0; step < 24 && !p.broken; step++) {
        uint64_t what = prng_below(&random, 3 + FETCHES);
        if (what == 0) {
            read_comes(&p, rules);
        } else if (what == 1) {
            p.shard++;
        } else if (what == 2 && p.seen < p.shard) {
            p.seen = p.shard;
            fill_edited(&p.f, rules);
        } else if (what > 2) {
            fetch_moves(&p, rules, (uint32_t)what - 3);
        }
    }
    return p.broken;
}

static uint32_t broken_of(uint32_t seeds, uint64_t rules)
{
    uint32_t broken = 0;
    for (uint32_t seed = 0; seed < seeds; seed++) {
        broken += breaks(seed, rules);
    }
    return broken;
}

static void no_reader_gets_less_than_its_router_knows(void **state)
{
    (void)state;
    assert_int_equal(broken_of(20000, RULES_ALL), 0);
    assert_int_equal(broken_of(20000, without(RULE_SINGLE_FLIGHT)), 0);
    assert_true(broken_of(20000, without(RULE_DROP_ON_EDIT)) > 100);
    assert_true(broken_of(20000, without(RULE_FILL_NOT_ACROSS_EDIT)) > 100);
}

/* A fetch of before a restart lands after an edit that the new entry has seen: it is nobody's. */
static void an_edit_after_a_restart_does_not_bring_an_old_fetch_back(void **state)
{
    (void)state;
    struct fill_core f = {0};
    fill_sent(&f, 7);
    fill_crashed(&f, 8);
    fill_edited(&f, RULES_ALL);
    assert_false(fill_landed(&f, RULES_ALL, 7, 100, 200));
    assert_false(f.held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_is_fresh_then_stale_then_gone),
        cmocka_unit_test(a_refresh_takes_the_place_of_the_entry),
        cmocka_unit_test(without_its_rule_an_age_is_counted_late_or_has_no_bound),
        cmocka_unit_test(without_single_flight_each_read_fetches),
        cmocka_unit_test(an_edit_drops_the_entry_and_disowns_the_fetch),
        cmocka_unit_test(a_restart_forgets_the_entry_and_the_fetch),
        cmocka_unit_test(an_edit_after_a_restart_does_not_bring_an_old_fetch_back),
        cmocka_unit_test(no_reader_gets_less_than_its_router_knows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
