/*
 * Key by key: every schedule of two keys that move, one reader of both and one writer of one, by
 * the answers of proto/slot.h; and which rule, off, lets which promise be broken.
 */
#include "proto/ask.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum {
    AT_SOURCE,
    AT_TARGET,
    SIDES
};

/* The writer adds one to key 0; the reader wants both keys. Each is at the source first, and goes
 * where it is sent: by ASK with ASKING, by MOVED to the other side without. */
struct client {
    uint8_t side, asking, done;
};

struct model {
    struct ask_core core;
    uint8_t place[2];     /* enum ask_place */
    uint8_t value[SIDES]; /* of key 0 */
    uint8_t map;          /* where the router believes the slot to be */
    struct client writer[2], reader;
    uint8_t acked;
    uint8_t broken;
};

_Static_assert(sizeof(struct model) <= 128, "small enough for a search");

enum broken {
    BOTH_SIDES = 1,
    LOST = 2,
    NOT_THERE = 4,
    PARTIAL = 8,
    LEFT_BEHIND = 16,
    MAP_WRONG = 32
};

static bool holds(const struct model *m, int key, int side)
{
    return m->place[key] == PLACE_BOTH ||
           m->place[key] == (side == AT_SOURCE ? PLACE_SOURCE : PLACE_TARGET);
}

static enum outcome ask(const struct model *m, uint64_t rules, const struct client *c, bool read,
                        uint32_t keys, uint32_t *here)
{
    *here = 0;
    for (uint32_t key = 0; key < keys; key++) {
        *here += holds(m, (int)key, c->side);
    }
    struct slot_question q = {
        .state = (enum slot_state)(c->side == AT_SOURCE ? m->core.source : m->core.target),
        .row_epoch = 7,
        .seen_epoch = 7,
        .read = read,
        .asking = c->asking != 0,
        .presence = ask_presence(keys, *here),
    };
    return slot_answer(rules, &q);
}

/* Where the answer sends the client. */
static void follow(struct model *m, uint64_t rules, struct client *c, enum outcome outcome)
{
    if (outcome == OUTCOME_ASK) {
        c->side = AT_TARGET;
        c->asking = 1;
        if (!rule_on(rules, RULE_ASK_KEEPS_MAP)) {
            m->map = AT_TARGET;
        }
    } else { /* MOVED: the directory's map; TRYAGAIN: the same once more */
        c->side = m->core.phase == ASK_CLOSED ? AT_TARGET : AT_SOURCE;
        c->asking = 0;
        m->map = c->side;
    }
}

static void write_one(struct model *m, uint64_t rules, struct client *c)
{
    uint32_t here = 0;
    enum outcome outcome = ask(m, rules, c, false, 1, &here);
    if (outcome != OUTCOME_OK) {
        follow(m, rules, c, outcome);
        return;
    }
    m->broken |= here == 0 ? NOT_THERE : 0;
    m->value[c->side]++;
    m->acked++;
    c->done = 1;
}

static void read_both(struct model *m, uint64_t rules, struct client *c)
{
    uint32_t here = 0;
    enum outcome outcome = ask(m, rules, c, true, 2, &here);
    if (outcome != OUTCOME_OK) {
        follow(m, rules, c, outcome);
        return;
    }
    m->broken |= here == 0 ? NOT_THERE : here == 1 ? PARTIAL : 0;
    c->done = 1;
}

static void hand(struct model *m, uint64_t rules, int key)
{
    enum ask_place before = (enum ask_place)m->place[key];
    m->place[key] = (uint8_t)ask_hand(rules, before);
    if (key == 0 && before == PLACE_SOURCE) {
        m->value[AT_TARGET] = m->value[AT_SOURCE];
    }
    if (key == 0 && m->place[0] == PLACE_TARGET) {
        m->value[AT_SOURCE] = 0;
    }
}

static void judge(struct model *m)
{
    m->broken |= m->place[0] == PLACE_BOTH || m->place[1] == PLACE_BOTH ? BOTH_SIDES : 0;
    uint8_t held = m->value[holds(m, 0, AT_TARGET) ? AT_TARGET : AT_SOURCE];
    held = m->core.phase >= ASK_CLAIMED ? m->value[AT_TARGET] : held;
    m->broken |= held < m->acked && m->place[0] != PLACE_BOTH ? LOST : 0;
    bool left = holds(m, 0, AT_SOURCE) || holds(m, 1, AT_SOURCE);
    m->broken |= left && m->core.phase >= ASK_CLAIMED ? LEFT_BEHIND : 0;
    m->broken |= m->map == AT_TARGET && m->core.phase < ASK_CLOSED ? MAP_WRONG : 0;
}

enum action {
    HAND_0,
    HAND_1,
    CLAIM,
    CLOSE,
    WRITE_0,
    WRITE_1,
    READ,
    ACTIONS
};

static bool act(struct model *m, uint64_t rules, enum action action)
{
    uint32_t left = (uint32_t)(holds(m, 0, AT_SOURCE) + holds(m, 1, AT_SOURCE));
    switch (action) {
    case HAND_0:
    case HAND_1:
        if (!holds(m, (int)action - HAND_0, AT_SOURCE) || m->core.phase != ASK_OPEN) {
            return false;
        }
        hand(m, rules, (int)action - HAND_0);
        break;
    case CLAIM:
        if (!ask_may_claim(&m->core, rules, left)) {
            return false;
        }
        ask_claim(&m->core);
        break;
    case CLOSE:
        if (!ask_may_close(&m->core)) {
            return false;
        }
        ask_close(&m->core);
        break;
    case WRITE_0:
    case WRITE_1:
        if (m->writer[action - WRITE_0].done) {
            return false;
        }
        write_one(m, rules, &m->writer[action - WRITE_0]);
        break;
    case READ:
        if (m->reader.done) {
            return false;
        }
        read_both(m, rules, &m->reader);
        break;
    case ACTIONS:
        return false;
    }
    judge(m);
    return true;
}

#define DEPTH 11

/* All schedules to a depth: what breaks in any of them, and how many come to their end. */
static void search(const struct model *m, uint64_t rules, int depth, uint8_t *broken, int *finished)
{
    *broken |= m->broken;
    if (m->writer[0].done && m->writer[1].done && m->reader.done && m->core.phase == ASK_CLOSED) {
        *finished += 1;
        return;
    }
    for (int action = 0; depth > 0 && action < ACTIONS; action++) {
        struct model next = *m;
        if (act(&next, rules, (enum action)action) && memcmp(&next, m, sizeof next) != 0) {
            search(&next, rules, depth - 1, broken, finished);
        }
    }
}

static uint8_t broken_by(uint64_t rules)
{
    struct model m;
    memset(&m, 0, sizeof m);
    m.core = ask_begin();
    m.place[0] = PLACE_SOURCE;
    m.place[1] = PLACE_SOURCE;
    uint8_t broken = 0;
    int finished = 0;
    search(&m, rules, DEPTH, &broken, &finished);
    assert_true(finished > 0);
    return broken;
}

static uint8_t broken_without(enum rule rule)
{
    return broken_by(RULES_ALL & ~rule_bit(rule));
}

static void with_all_rules_every_schedule_keeps_every_promise(void **state)
{
    (void)state;
    assert_int_equal(broken_by(RULES_ALL), 0);
}

static void each_rule_off_breaks_its_promise(void **state)
{
    (void)state;
    assert_int_equal(broken_without(RULE_ATOMIC_KEY_MOVE) & (BOTH_SIDES | LOST), BOTH_SIDES | LOST);
    assert_int_equal(broken_without(RULE_ASK_FOR_MISSING) & (NOT_THERE | LOST), NOT_THERE | LOST);
    assert_int_equal(broken_without(RULE_TRY_AGAIN_ON_SPLIT), PARTIAL);
    assert_int_equal(broken_without(RULE_CLOSE_WHEN_EMPTY) & LEFT_BEHIND, LEFT_BEHIND);
    assert_int_equal(broken_without(RULE_ASK_KEEPS_MAP), MAP_WRONG);
}

static void the_target_serves_only_those_who_say_asking(void **state)
{
    (void)state;
    struct ask_core a = ask_begin();
    struct slot_question q = {
        .state = (enum slot_state)a.target, .row_epoch = 7, .seen_epoch = 7, .presence = KEYS_NONE};
    assert_int_equal(slot_answer(RULES_ALL, &q), OUTCOME_MOVED);
    assert_int_equal(slot_answer(RULES_ALL & ~rule_bit(RULE_ASKING_NEEDED), &q), OUTCOME_OK);
    q.asking = true;
    assert_int_equal(slot_answer(RULES_ALL, &q), OUTCOME_OK);
}

static void a_slot_closes_empty_and_opens_again_only_while_all_is_there(void **state)
{
    (void)state;
    struct ask_core a = ask_begin();
    assert_false(ask_may_claim(&a, RULES_ALL, 1));
    assert_false(ask_may_close(&a));
    assert_false(ask_may_undo(&a, 1));
    assert_true(ask_may_undo(&a, 0));
    ask_claim(&a);
    assert_int_equal(a.target, SLOT_OWNED);
    assert_int_equal(a.source, SLOT_LEAVING);
    assert_false(ask_may_undo(&a, 0));
    ask_close(&a);
    assert_int_equal(a.source, SLOT_MOVED);
    a = ask_begin();
    ask_undo(&a);
    assert_int_equal(a.source, SLOT_OWNED);
    assert_int_equal(a.target, SLOT_ABSENT);
    assert_string_equal(ask_phase_name(ASK_CLAIMED), "claimed");
    assert_int_equal(ask_presence(0, 0), KEYS_NONE);
    assert_int_equal(ask_presence(2, 1), KEYS_SOME);
    assert_int_equal(ask_presence(2, 2), KEYS_ALL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_all_rules_every_schedule_keeps_every_promise),
        cmocka_unit_test(each_rule_off_breaks_its_promise),
        cmocka_unit_test(the_target_serves_only_those_who_say_asking),
        cmocka_unit_test(a_slot_closes_empty_and_opens_again_only_while_all_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
