/*
 * Pre-aggregation: whatever is sent twice, overtaken or in the air when a router dies, the sub-key
 * ends with the likes that were flushed, and with each rule off there is an order in which it does
 * not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/prng.h"
#include "proto/flush.h"
#include <string.h>

static uint64_t without(enum rule rule)
{
    return RULES_ALL & ~rule_bit(rule);
}

static struct flush_parcel flushed(struct flush_sender *s, uint64_t rules, enum flush_way way,
                                   uint32_t likes)
{
    for (uint32_t i = 0; i < likes; i++) {
        flush_add(s);
    }
    return flush_send(s, rules, way);
}

static void a_flush_carries_what_its_way_says(void **state)
{
    (void)state;
    struct flush_sender s = {0};
    struct flush_parcel p = flushed(&s, RULES_ALL, FLUSH_ABSOLUTE, 3);
    assert_int_equal(p.value, 3);
    assert_int_equal(p.sequence, 1);
    p = flushed(&s, RULES_ALL, FLUSH_ABSOLUTE, 2);
    assert_int_equal(p.value, 5);
    p = flushed(&s, RULES_ALL, FLUSH_MERGE, 1);
    assert_int_equal(p.value, 6);
    p = flushed(&s, without(RULE_ABSOLUTE_FLUSH), FLUSH_ABSOLUTE, 4);
    assert_int_equal(p.value, 4);
    p = flushed(&s, RULES_ALL, FLUSH_WINDOW, 2);
    assert_int_equal(p.value, 2);
    assert_int_equal(p.sequence, 5);
    assert_int_equal(s.total, 12);
}

static void the_next_window_waits_until_this_one_is_answered(void **state)
{
    (void)state;
    struct flush_sender s = {0};
    struct flush_parcel first = flushed(&s, RULES_ALL, FLUSH_WINDOW, 3);
    flush_add(&s);
    assert_false(flush_has_news(&s, FLUSH_WINDOW));
    struct flush_parcel again = flush_send(&s, RULES_ALL, FLUSH_WINDOW);
    assert_memory_equal(&first, &again, sizeof first);
    flush_answered(&s, first.sequence);
    assert_true(flush_has_news(&s, FLUSH_WINDOW));
    assert_int_equal(flush_send(&s, RULES_ALL, FLUSH_WINDOW).value, 1);
}

static void sent_twice_it_counts_once_but_not_as_an_increment(void **state)
{
    (void)state;
    for (int way = 0; way < FLUSH_WAYS; way++) {
        struct flush_sender s = {0};
        struct flush_cell cell = {0};
        struct flush_parcel p = flushed(&s, RULES_ALL, (enum flush_way)way, 1);
        assert_true(flush_take(&cell, RULES_ALL, (enum flush_way)way, p));
        assert_false(flush_take(&cell, RULES_ALL, (enum flush_way)way, p));
        assert_int_equal(cell.total, 1);
    }
    uint64_t additive = without(RULE_ABSOLUTE_FLUSH);
    struct flush_sender s = {0};
    struct flush_cell cell = {0};
    struct flush_parcel p = flushed(&s, additive, FLUSH_ABSOLUTE, 1);
    assert_true(flush_take(&cell, additive, FLUSH_ABSOLUTE, p));
    assert_true(flush_take(&cell, additive, FLUSH_ABSOLUTE, p));
    assert_int_equal(cell.total, 2);
}

/* What a sub-key holds when the second of two flushes of a like each lands first. */
static uint64_t overtaken(uint64_t rules, enum flush_way way)
{
    struct flush_sender s = {0};
    struct flush_cell cell = {0};
    struct flush_parcel first = flushed(&s, rules, way, 1);
    struct flush_parcel second = flushed(&s, rules, way, 1);
    flush_take(&cell, rules, way, second);
    flush_take(&cell, rules, way, first);
    return cell.total;
}

static void an_older_flush_that_lands_last_changes_nothing(void **state)
{
    (void)state;
    assert_int_equal(overtaken(RULES_ALL, FLUSH_ABSOLUTE), 2);
    assert_int_equal(overtaken(without(RULE_FLUSH_SEQUENCE), FLUSH_ABSOLUTE), 1);
    assert_int_equal(overtaken(RULES_ALL, FLUSH_MERGE), 2);
    assert_int_equal(overtaken(without(RULE_FLUSH_SEQUENCE), FLUSH_MERGE), 2);
}

/* Two likes in a flush that is in the air when the router dies; it comes back and counts one more.
 * The old flush lands before the claim, behind it, or behind the new life's first flush. */
struct restart {
    struct flush_cell cell;
    bool claimed_again;
    bool old_taken; /* what the old flush carried is in, now or once */
};

static struct restart restart(uint64_t rules, enum flush_way way, int landing)
{
    struct restart end = {0};
    struct flush_sender s = {0};
    struct flush_parcel old = flushed(&s, rules, way, 2);
    flush_crash(&s);
    flush_add(&s);
    assert_false(flush_has_news(&s, way)); /* first it reads back */
    struct flush_cell held = end.cell;
    if (landing == 0) {
        end.old_taken = flush_take(&end.cell, rules, way, old);
    }
    while (flush_read_back(&s, rules, held)) {
        struct flush_parcel claim = {.value = held.total, .sequence = held.sequence};
        bool taken = flush_take_claim(&end.cell, claim);
        flush_claimed(&s, taken);
        if (taken) {
            break;
        }
        end.claimed_again = true;
        held = end.cell;
    }
    if (landing == 1) {
        end.old_taken = flush_take(&end.cell, rules, way, old);
    }
    flush_take(&end.cell, rules, way, flush_send(&s, rules, way));
    if (landing == 2) {
        end.old_taken = flush_take(&end.cell, rules, way, old);
    }
    flush_add(&s);
    flush_take(&end.cell, rules, way, flush_send(&s, rules, way));
    return end;
}

static void a_claim_decides_about_what_was_in_the_air(void **state)
{
    (void)state;
    for (int way = 0; way < FLUSH_WAYS; way++) {
        for (int landing = 0; landing < 3; landing++) {
            enum flush_way as = (enum flush_way)way;
            if (as == FLUSH_WINDOW) {
                continue; /* its next flush waits for an answer: see the engine's tests */
            }
            struct restart end = restart(RULES_ALL, as, landing);
            assert_int_equal(end.old_taken, landing == 0);
            assert_int_equal(end.claimed_again, landing == 0);
            assert_int_equal(end.cell.total, landing == 0 ? 4 : 2);
        }
    }
    /* Without it the old flush was taken, and then the new life's total hides it. */
    struct restart end = restart(without(RULE_CLAIM_ON_RESTART), FLUSH_ABSOLUTE, 1);
    assert_true(end.old_taken);
    assert_int_equal(end.cell.total, 2);
}

/* Any order of likes, flushes, copies of them and landings, a flush at the end: all is in. */
static void run_at_random(uint64_t seed, uint64_t rules, enum flush_way way, uint64_t *due,
                          uint64_t *found)
{
    struct prng prng = prng_seeded(seed, "flush");
    struct flush_sender s = {0};
    struct flush_cell cell = {0};
    struct flush_parcel air[16];
    uint32_t flying = 0;
    *due = 0;
    for (int step = 0; step < 40; step++) {
        uint64_t what = prng_below(&prng, 3);
        if (what == 0) {
            flush_add(&s);
            ++*due;
        } else if (what == 1 && flying + 2 <= 16 && (way != FLUSH_WINDOW || s.sent == 0)) {
            air[flying] = flush_send(&s, rules, way);
            flying++;
            if (prng_below(&prng, 2) == 0) {
                air[flying] = air[flying - 1];
                flying++;
            }
        } else if (what == 2 && flying > 0) {
            uint32_t i = (uint32_t)prng_below(&prng, flying);
            flush_take(&cell, rules, way, air[i]);
            flush_answered(&s, air[i].sequence);
            air[i] = air[--flying];
        }
    }
    while (flying > 0) {
        flush_take(&cell, rules, way, air[--flying]);
    }
    s.sent = 0;
    flush_take(&cell, rules, way, flush_send(&s, rules, way));
    *found = cell.total;
}

static uint32_t wrong_of_500(uint64_t rules, enum flush_way way)
{
    uint32_t wrong = 0;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        uint64_t due = 0;
        uint64_t found = 0;
        run_at_random(seed, rules, way, &due, &found);
        wrong += due != found;
    }
    return wrong;
}

static void no_order_of_flushes_makes_a_wrong_count(void **state)
{
    (void)state;
    assert_int_equal(wrong_of_500(RULES_ALL, FLUSH_ABSOLUTE), 0);
    assert_int_equal(wrong_of_500(RULES_ALL, FLUSH_WINDOW), 0);
    assert_int_equal(wrong_of_500(RULES_ALL, FLUSH_MERGE), 0);
    assert_int_equal(wrong_of_500(without(RULE_FLUSH_SEQUENCE), FLUSH_MERGE), 0);
    assert_true(wrong_of_500(without(RULE_ABSOLUTE_FLUSH), FLUSH_ABSOLUTE) > 0);
    assert_true(wrong_of_500(without(RULE_FLUSH_SEQUENCE), FLUSH_WINDOW) > 0);
}

/* Of the former life two flushes are in the air, and the claim was made on what came before both.
 */
static void a_claim_stands_above_every_flush_of_the_former_life(void **state)
{
    (void)state;
    struct flush_sender s = {0};
    struct flush_cell cell = {0};
    struct flush_parcel first;
    struct flush_parcel second;
    flush_add(&s);
    first = flush_send(&s, RULES_ALL, FLUSH_ABSOLUTE);
    flush_add(&s);
    second = flush_send(&s, RULES_ALL, FLUSH_ABSOLUTE);
    flush_crash(&s);
    assert_true(flush_read_back(&s, RULES_ALL, cell));
    assert_true(flush_take_claim(&cell, (struct flush_parcel){.value = 0, .sequence = 0}));
    flush_claimed(&s, true);
    assert_false(flush_take(&cell, RULES_ALL, FLUSH_ABSOLUTE, second));
    assert_false(flush_take(&cell, RULES_ALL, FLUSH_ABSOLUTE, first));
    flush_add(&s);
    assert_true(
        flush_take(&cell, RULES_ALL, FLUSH_ABSOLUTE, flush_send(&s, RULES_ALL, FLUSH_ABSOLUTE)));
    assert_int_equal(cell.total, 1);
}

/* Where the rule does not refuse what is older, only a total that is put in place takes its
 * sequence along. */
static void without_its_rule_the_sequence_falls_with_a_total_alone(void **state)
{
    (void)state;
    uint64_t any = without(RULE_FLUSH_SEQUENCE);
    struct flush_parcel older = {.value = 3, .sequence = 4};
    static const struct {
        enum flush_way way;
        bool bare;
        uint64_t total;
        uint32_t sequence;
    } cases[] = {
        {FLUSH_ABSOLUTE, false, 3, 4},
        {FLUSH_ABSOLUTE, true, 8, 7},
        {FLUSH_WINDOW, false, 8, 7},
        {FLUSH_MERGE, false, 5, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct flush_cell cell = {.total = 5, .sequence = 7};
        uint64_t rules = cases[i].bare ? any & ~rule_bit(RULE_ABSOLUTE_FLUSH) : any;
        assert_true(flush_take(&cell, rules, cases[i].way, older));
        assert_int_equal(cell.total, cases[i].total);
        assert_int_equal(cell.sequence, cases[i].sequence);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flush_carries_what_its_way_says),
        cmocka_unit_test(the_next_window_waits_until_this_one_is_answered),
        cmocka_unit_test(sent_twice_it_counts_once_but_not_as_an_increment),
        cmocka_unit_test(an_older_flush_that_lands_last_changes_nothing),
        cmocka_unit_test(a_claim_decides_about_what_was_in_the_air),
        cmocka_unit_test(a_claim_stands_above_every_flush_of_the_former_life),
        cmocka_unit_test(no_order_of_flushes_makes_a_wrong_count),
        cmocka_unit_test(without_its_rule_the_sequence_falls_with_a_total_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
