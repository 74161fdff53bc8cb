/*
 * A history is judged as trying every order judges it; what a real register or counter gives is
 * right, what is broken by hand is not, and too little room is "undecided", never a verdict.
 */
#include "base/prng.h"
#include "check/history.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sanitized.h"

#define OPS_MAX 64
#define ROOMY 100000

struct made {
    struct history_op op[OPS_MAX];
    uint32_t count;
    enum history_kind kind;
};

static struct history history_of(const struct made *m)
{
    return (struct history){.op = m->op, .count = m->count, .kind = m->kind, .nodes_max = ROOMY};
}

static int64_t after(enum history_kind kind, int64_t value, const struct history_op *op)
{
    return op->read ? value : kind == HISTORY_COUNTER ? value + op->value : op->value;
}

/* The order that a result gives is one: each operation that was answered, once, none before one
 * that was answered before it was called, and every read returns what is held. */
static void order_is_right(const struct history *h, const struct history_result *r)
{
    bool taken[OPS_MAX] = {false};
    int64_t value = h->start;
    for (uint32_t i = 0; i < r->length; i++) {
        const struct history_op *op = &h->op[r->order[i]];
        assert_false(taken[r->order[i]]);
        taken[r->order[i]] = true;
        assert_true(!op->read || op->value == value);
        value = after(h->kind, value, op);
        for (uint32_t j = i + 1; j < r->length; j++) {
            assert_false(h->op[r->order[j]].returned < op->invoked);
        }
    }
    for (uint32_t i = 0; i < h->count; i++) {
        assert_true(taken[i] || h->op[i].returned == HISTORY_NEVER);
    }
}

static enum history_verdict judged(const struct history *h)
{
    struct history_result r = history_check(h);
    assert_true((r.order != NULL) == (r.verdict == HISTORY_LINEARIZABLE));
    if (r.verdict == HISTORY_LINEARIZABLE) {
        order_is_right(h, &r);
    } else if (r.verdict == HISTORY_NOT) {
        assert_in_range(r.stuck, 0, h->count - 1);
        assert_in_range(r.placed, 0, h->count - 1);
    }
    history_result_free(&r);
    return r.verdict;
}

/* --- histories of a real one ------------------------------------------------------------------ */

/* Several clients, one operation each at a time: called, done at some instant, answered. Some are
 * never answered, done or not; some instants are the same. */
static struct made real_one(uint64_t seed, enum history_kind kind, uint32_t clients)
{
    struct prng p = prng_seeded(seed, "history");
    struct made m = {.kind = kind};
    int64_t free_at[8] = {0};
    struct {
        int64_t at;
        uint32_t op;
    } effect[OPS_MAX];
    uint32_t effects = 0;
    while (m.count < OPS_MAX - 8) {
        uint32_t client = (uint32_t)prng_below(&p, clients);
        struct history_op *op = &m.op[m.count];
        op->invoked = free_at[client] + 1 + (int64_t)prng_below(&p, 6);
        int64_t done = op->invoked + (int64_t)prng_below(&p, 12);
        op->returned = done + (int64_t)prng_below(&p, 12);
        op->read = prng_below(&p, 2) == 0;
        op->value = kind == HISTORY_COUNTER ? 1 : (int64_t)m.count + 1;
        free_at[client] = op->returned;
        bool answered = prng_below(&p, 8) > 0;
        op->returned = answered ? op->returned : HISTORY_NEVER;
        if (answered || prng_below(&p, 2) == 0) {
            uint32_t i = effects++;
            for (; i > 0 && effect[i - 1].at > done; i--) {
                effect[i] = effect[i - 1];
            }
            effect[i].at = done;
            effect[i].op = m.count;
        }
        m.count++;
    }
    int64_t value = 0;
    for (uint32_t i = 0; i < effects; i++) {
        struct history_op *op = &m.op[effect[i].op];
        op->value = op->read ? value : op->value;
        value = after(kind, value, op);
    }
    return m;
}

static void test_a_thousand_of_real_ones_are_right(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct made m =
            real_one(seed, seed % 2 ? HISTORY_COUNTER : HISTORY_REGISTER, 2 + (uint32_t)(seed % 5));
        struct history h = history_of(&m);
        assert_int_equal(judged(&h), HISTORY_LINEARIZABLE);
    }
}

/* --- broken by hand --------------------------------------------------------------------------- */

static void add_op(struct made *m, bool read, int64_t value, int64_t invoked, int64_t returned)
{
    assert_true(m->count < OPS_MAX);
    m->op[m->count++] =
        (struct history_op){.read = read, .value = value, .invoked = invoked, .returned = returned};
}

static int64_t end_of(const struct made *m)
{
    int64_t end = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        int64_t at = m->op[i].returned == HISTORY_NEVER ? m->op[i].invoked : m->op[i].returned;
        end = at > end ? at : end;
    }
    return end;
}

/* The writes answered, and those called, at the end. */
static int64_t least(const struct made *m)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        sum += !m->op[i].read && m->op[i].returned != HISTORY_NEVER;
    }
    return sum;
}

static int64_t most(const struct made *m)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        sum += !m->op[i].read;
    }
    return sum;
}

/* A fault of one kind at the end of a right history: nothing later may cover for it. */
static void break_counter(struct made *m, uint64_t how)
{
    int64_t end = end_of(m) + 1;
    switch (how % 5) {
    case 0: /* one that was acknowledged is lost */
        add_op(m, true, least(m) - 1, end, end + 3);
        break;
    case 1: /* one was counted twice */
        add_op(m, true, most(m) + 1, end, end + 3);
        break;
    case 2: /* it was seen, and then no more */
        add_op(m, false, 1, end, HISTORY_NEVER);
        add_op(m, true, most(m), end + 1, end + 2);
        add_op(m, true, most(m) - 1, end + 3, end + 4);
        break;
    case 3: /* read before anybody asked for it */
        add_op(m, true, most(m) + 1, end, end + 1);
        add_op(m, false, 1, end + 2, end + 3);
        break;
    default: /* acknowledged, read by one, and not by a later one */
        add_op(m, false, 1, end, end + 1);
        add_op(m, true, most(m), end + 2, end + 5);
        add_op(m, true, most(m) - 1, end + 6, end + 7);
        break;
    }
}

static void break_register(struct made *m, uint64_t how)
{
    int64_t end = end_of(m) + 1;
    switch (how % 5) {
    case 0: /* a write was lost */
        add_op(m, false, 1001, end, end + 1);
        add_op(m, false, 1002, end + 2, end + 3);
        add_op(m, true, 1001, end + 4, end + 5);
        break;
    case 1: /* nobody wrote it */
        add_op(m, true, 1001, end, end + 3);
        break;
    case 2: /* new, then old again, while the write is under way */
        add_op(m, false, 1001, end, end + 1);
        add_op(m, false, 1002, end + 2, HISTORY_NEVER);
        add_op(m, true, 1002, end + 3, end + 4);
        add_op(m, true, 1001, end + 5, end + 6);
        break;
    case 3: /* read before it was written */
        add_op(m, true, 1001, end, end + 1);
        add_op(m, false, 1001, end + 2, end + 3);
        break;
    default: /* two readers see two writes in two orders */
        add_op(m, false, 1001, end, end + 9);
        add_op(m, false, 1002, end, end + 9);
        add_op(m, true, 1001, end + 1, end + 2);
        add_op(m, true, 1002, end + 3, end + 4);
        add_op(m, true, 1001, end + 5, end + 6);
        break;
    }
}

static void test_a_thousand_broken_by_hand_are_not(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        enum history_kind kind = seed % 2 ? HISTORY_COUNTER : HISTORY_REGISTER;
        struct made m = real_one(seed, kind, 2 + (uint32_t)(seed % 5));
        if (kind == HISTORY_COUNTER) {
            break_counter(&m, seed / 2);
        } else {
            break_register(&m, seed / 2);
        }
        struct history h = history_of(&m);
        assert_int_equal(judged(&h), HISTORY_NOT);
    }
}

/* --- against every order ---------------------------------------------------------------------- */

/* Whether the operations outside `done` can be put into an order from here. */
static bool any_order(const struct history *h, uint32_t done, int64_t value)
{
    bool all = true;
    for (uint32_t i = 0; i < h->count; i++) {
        all = all && ((done >> i & 1) != 0 || h->op[i].returned == HISTORY_NEVER);
    }
    if (all) {
        return true;
    }
    for (uint32_t i = 0; i < h->count; i++) {
        const struct history_op *op = &h->op[i];
        bool may = (done >> i & 1) == 0 && (!op->read || op->value == value);
        for (uint32_t j = 0; may && j < h->count; j++) {
            may = (done >> j & 1) != 0 || h->op[j].returned >= op->invoked;
        }
        if (may && any_order(h, done | 1u << i, after(h->kind, value, op))) {
            return true;
        }
    }
    return false;
}

/* Of few values and instants, so that much is alike and much is at the same time. */
static struct made any_history(uint64_t seed)
{
    struct prng p = prng_seeded(seed, "any history");
    struct made m = {.kind = seed % 2 ? HISTORY_COUNTER : HISTORY_REGISTER};
    uint32_t count = 2 + (uint32_t)prng_below(&p, 6);
    uint64_t longest = 2 + prng_below(&p, 10);
    for (uint32_t i = 0; i < count; i++) {
        int64_t invoked = (int64_t)prng_below(&p, 12);
        int64_t returned = invoked + (int64_t)prng_below(&p, longest);
        bool answered = prng_below(&p, 5) > 0;
        bool read = prng_below(&p, 2) == 0;
        int64_t value = (int64_t)prng_below(&p, 3) + (read ? 0 : 1);
        add_op(&m, read, value, invoked, answered ? returned : HISTORY_NEVER);
    }
    return m;
}

static void test_small_ones_against_every_order(void **state)
{
    (void)state;
    unsigned right = 0;
    unsigned histories = BRIEF ? 4000 : 20000;
    for (uint64_t seed = 0; seed < histories; seed++) {
        struct made m = any_history(seed);
        struct history h = history_of(&m);
        bool expected = any_order(&h, 0, h.start);
        assert_int_equal(judged(&h), expected ? HISTORY_LINEARIZABLE : HISTORY_NOT);
        right += expected;
    }
    assert_in_range(right, histories / 10, histories / 10 * 9);
}

/* --- how far it looks ------------------------------------------------------------------------- */

/* Many writes at once, each read once, and the first that was read is read again at the end. */
static struct made hard_one(void)
{
    struct made m = {.kind = HISTORY_REGISTER};
    for (int64_t i = 0; i < 14; i++) {
        add_op(&m, false, 1 + i, 0, 1000);
    }
    for (int64_t i = 0; i < 14; i++) {
        add_op(&m, true, 14 - i, 10 + 10 * i, 15 + 10 * i);
    }
    add_op(&m, true, 14, 500, 501);
    return m;
}

static void test_little_room_is_undecided(void **state)
{
    (void)state;
    struct made m = hard_one();
    struct history h = history_of(&m);
    h.nodes_max = 1;
    assert_int_equal(judged(&h), HISTORY_UNDECIDED);
    h.nodes_max = 1000;
    struct history_result r = history_check(&h);
    assert_int_equal(r.verdict, HISTORY_UNDECIDED);
    assert_int_equal(r.nodes, 1000);
    assert_null(r.order);
    h.nodes_max = 1000000;
    assert_int_equal(judged(&h), HISTORY_NOT);
}

/* What is found with little room is found with more; and nothing that is undecided is wrong. */
static void test_room_changes_no_verdict(void **state)
{
    (void)state;
    unsigned undecided = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct made m = real_one(seed, HISTORY_REGISTER, 6);
        if (seed % 2) {
            break_register(&m, seed);
        }
        struct history h = history_of(&m);
        enum history_verdict whole = judged(&h);
        for (h.nodes_max = 1; h.nodes_max < 64; h.nodes_max *= 4) {
            enum history_verdict v = judged(&h);
            assert_true(v == whole || v == HISTORY_UNDECIDED);
            undecided += v == HISTORY_UNDECIDED;
        }
    }
    assert_true(undecided > 50);
}

/* Everybody adds one: no search, however many at a time, and however many never heard of it. */
static void test_a_counter_of_ones_needs_no_search(void **state)
{
    (void)state;
    enum {
        MANY = 2000
    };
    struct history_op *op = calloc(MANY, sizeof *op);
    assert_non_null(op);
    for (uint32_t i = 0; i < MANY; i++) {
        op[i] = (struct history_op){.invoked = 0, .value = 1};
        op[i].returned = i % 3 == 0 ? HISTORY_NEVER : 1000 + i;
        if (i % 4 == 0) {
            op[i] = (struct history_op){.invoked = 2, .returned = 900, .read = 1, .value = i / 4};
        }
    }
    struct history h = {.op = op, .count = MANY, .kind = HISTORY_COUNTER, .nodes_max = MANY};
    struct history_result r = history_check(&h);
    assert_int_equal(r.verdict, HISTORY_LINEARIZABLE);
    history_result_free(&r);
    op[4].value = MANY;
    r = history_check(&h);
    assert_int_equal(r.verdict, HISTORY_NOT);
    assert_int_equal(op[r.stuck].value, MANY);
    free(op);
}

/* --- by hand ---------------------------------------------------------------------------------- */

static void test_what_it_says_of_a_few(void **state)
{
    (void)state;
    struct made m = {.kind = HISTORY_REGISTER};
    struct history h = history_of(&m);
    assert_int_equal(judged(&h), HISTORY_LINEARIZABLE);

    add_op(&m, false, 5, 0, 10);
    add_op(&m, true, 0, 2, 3); /* while it is written: old, then new */
    add_op(&m, true, 5, 4, 5);
    h.count = m.count;
    assert_int_equal(judged(&h), HISTORY_LINEARIZABLE);
    add_op(&m, true, 0, 5, 6); /* called as the other was answered: may have been before */
    h.count = m.count;
    assert_int_equal(judged(&h), HISTORY_LINEARIZABLE);
    m.op[3].invoked = 6;
    struct history_result r = history_check(&h);
    assert_int_equal(r.verdict, HISTORY_NOT);
    assert_int_equal(r.stuck, 3);
    assert_int_equal(r.placed, 3);

    h.start = 7; /* nobody wrote the 0 that was read */
    assert_int_equal(judged(&h), HISTORY_NOT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_thousand_of_real_ones_are_right),
        cmocka_unit_test(test_a_thousand_broken_by_hand_are_not),
        cmocka_unit_test(test_small_ones_against_every_order),
        cmocka_unit_test(test_little_room_is_undecided),
        cmocka_unit_test(test_room_changes_no_verdict),
        cmocka_unit_test(test_a_counter_of_ones_needs_no_search),
        cmocka_unit_test(test_what_it_says_of_a_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
