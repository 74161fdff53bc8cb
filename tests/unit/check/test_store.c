/*
 * The store keeps each state once, finds it again by its bytes alone, and says when it is full.
 */
#include "check/store.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define STATES 500u

/* Two states differ in one byte at most, anywhere in them. */
static void make(unsigned char state[48], unsigned number)
{
    memset(state, 0, 48);
    state[number % 48] = (unsigned char)(1 + number / 48);
}

static void fill(struct store *s)
{
    unsigned char state[48];
    for (unsigned i = 0; i < STATES; i++) {
        make(state, i);
        assert_int_equal(store_find(s, state), STORE_NONE);
        assert_int_equal(store_add(s, state, store_hash(s, state)), STORE_NEW);
        assert_int_equal(store_add(s, state, store_hash(s, state)), STORE_OLD);
    }
    for (unsigned i = 0; i < STATES; i++) {
        make(state, i);
        assert_int_equal(store_find(s, state), i);
        assert_memory_equal(store_at(s, i), state, sizeof state);
    }
}

static void test_each_state_is_kept_once(void **state)
{
    (void)state;
    struct store s;
    store_open(&s, 48, STATES);
    fill(&s);
    store_close(&s);
}

static void test_the_same_with_one_hash_for_all(void **state)
{
    (void)state;
    struct store s;
    store_open(&s, 48, STATES);
    s.hash_mask = 0;
    fill(&s);
    store_close(&s);
}

static void test_full_is_said_of_new_states_alone(void **state)
{
    (void)state;
    struct store s;
    unsigned char kept[48];
    unsigned char other[48];
    store_open(&s, 48, STATES);
    fill(&s);
    make(kept, STATES - 1);
    make(other, STATES);
    assert_int_equal(store_add(&s, other, store_hash(&s, other)), STORE_FULL);
    assert_int_equal(store_find(&s, other), STORE_NONE);
    assert_int_equal(store_add(&s, kept, store_hash(&s, kept)), STORE_OLD);
    assert_int_equal(s.count, STATES);
    store_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_state_is_kept_once),
        cmocka_unit_test(test_the_same_with_one_hash_for_all),
        cmocka_unit_test(test_full_is_said_of_new_states_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
