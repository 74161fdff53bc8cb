/*
 * Two-phase commit: what a coordinator and its participants do with votes, words and questions that
 * are late, repeated and lost, and what is left after a restart.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/prng.h"
#include "proto/commit.h"

#define PARTS 4
#define ALL UINT64_C(15)
#define MESSAGES 64
#define SCHEDULES 2000
#define STEPS 250

static uint64_t without(enum rule rule)
{
    return RULES_ALL & ~rule_bit(rule);
}

static struct commit_core voted_by_all(void)
{
    struct commit_core c = commit_begin(ALL);
    for (unsigned i = 0; i < PARTS; i++) {
        assert_true(commit_vote(&c, RULES_ALL, i));
    }
    return c;
}

static void words_and_states_have_names(void **state)
{
    (void)state;
    assert_string_equal(commit_word_name(COMMIT_NO_WORD), "nothing");
    assert_string_equal(commit_word_name(COMMIT_COMMIT), "commit");
    assert_string_equal(commit_word_name(COMMIT_ABORT), "abort");
    assert_string_equal(part_state_name(PART_WORKING), "working");
    assert_string_equal(part_state_name(PART_PREPARED), "prepared");
    assert_string_equal(part_state_name(PART_COMMITTED), "committed");
    assert_string_equal(part_state_name(PART_ABORTED), "aborted");
}

/* --- the coordinator --- */

static void every_vote_is_needed(void **state)
{
    (void)state;
    struct commit_core c = commit_begin(ALL);
    assert_int_equal(commit_unvoted(&c), ALL);
    assert_false(commit_may_commit(&c, without(RULE_ALL_VOTES_NEEDED))); /* one at least */
    for (unsigned i = 0; i < PARTS; i++) {
        assert_false(commit_may_commit(&c, RULES_ALL));
        assert_true(commit_vote(&c, RULES_ALL, i));
        assert_true(commit_vote(&c, RULES_ALL, i)); /* again: the same */
        assert_int_equal(commit_unvoted(&c), ALL & ~((UINT64_C(2) << i) - 1));
        assert_true(commit_may_commit(&c, without(RULE_ALL_VOTES_NEEDED)));
    }
    assert_true(commit_may_commit(&c, RULES_ALL));
    assert_false(commit_vote(&c, RULES_ALL, PARTS)); /* of somebody else */
    assert_int_equal(c.votes, ALL);
}

static void what_is_decided_is_in_the_log_first(void **state)
{
    (void)state;
    struct commit_core c = voted_by_all();
    assert_int_equal(commit_untold(&c, RULES_ALL), 0);
    assert_false(commit_may_log(&c));
    commit_decide(&c, RULES_ALL, COMMIT_COMMIT);
    assert_int_equal(c.logged, COMMIT_COMMIT);
    assert_false(commit_may_log(&c));
    assert_int_equal(commit_untold(&c, RULES_ALL), ALL);
    assert_int_equal(commit_answer(&c, RULES_ALL), COMMIT_COMMIT);
    assert_int_equal(commit_unvoted(&c), 0);
}

static void without_the_log_a_crash_forgets_what_was_told(void **state)
{
    (void)state;
    uint64_t rules = without(RULE_LOG_DECISION_FIRST);
    struct commit_core c = voted_by_all();
    commit_decide(&c, rules, COMMIT_COMMIT);
    assert_int_equal(c.logged, COMMIT_NO_WORD);
    assert_int_equal(commit_untold(&c, rules), ALL);
    assert_int_equal(commit_answer(&c, rules), COMMIT_COMMIT);
    /* With the rule again in force nobody is told what is not written. */
    assert_int_equal(commit_untold(&c, RULES_ALL), 0);
    assert_int_equal(commit_answer(&c, RULES_ALL), COMMIT_NO_WORD);
    struct commit_core late = c;
    assert_true(commit_may_log(&late));
    commit_log(&late);
    commit_restart(&late);
    assert_int_equal(commit_untold(&late, rules), ALL);
    for (unsigned i = 0; i < PARTS; i++) {
        commit_hear(&c, i);
    }
    assert_false(commit_may_forget(&c, rules));
    commit_restart(&c);
    assert_int_equal(c.parts, 0);
    assert_int_equal(commit_answer(&c, rules), COMMIT_ABORT);
}

static void a_commit_is_told_until_all_have_heard(void **state)
{
    (void)state;
    struct commit_core c = voted_by_all();
    commit_hear(&c, 0); /* nothing is decided: nothing can be acknowledged */
    assert_int_equal(c.heard, 0);
    commit_decide(&c, RULES_ALL, COMMIT_COMMIT);
    commit_hear(&c, 2);
    commit_hear(&c, PARTS); /* somebody else */
    assert_int_equal(commit_untold(&c, RULES_ALL), ALL & ~UINT64_C(4));
    assert_false(commit_may_forget(&c, RULES_ALL));
    commit_restart(&c); /* who has acknowledged is not in the log */
    assert_int_equal(c.decided, COMMIT_COMMIT);
    assert_int_equal(commit_untold(&c, RULES_ALL), ALL);
    for (unsigned i = 0; i < PARTS; i++) {
        assert_false(commit_may_forget(&c, RULES_ALL));
        commit_hear(&c, i);
    }
    assert_true(commit_may_forget(&c, RULES_ALL));
    commit_forget(&c);
    assert_int_equal(c.parts, 0);
    assert_int_equal(c.logged, COMMIT_NO_WORD);
    assert_false(commit_may_forget(&c, RULES_ALL));
}

static void an_abort_is_written_nowhere(void **state)
{
    (void)state;
    struct commit_core c = commit_begin(ALL);
    assert_true(commit_vote(&c, RULES_ALL, 1));
    assert_int_equal(commit_answer(&c, RULES_ALL), COMMIT_NO_WORD);
    assert_false(commit_may_forget(&c, RULES_ALL));
    commit_decide(&c, RULES_ALL, COMMIT_ABORT);
    assert_int_equal(c.logged, COMMIT_NO_WORD);
    assert_int_equal(commit_answer(&c, RULES_ALL), COMMIT_ABORT);
    assert_int_equal(commit_untold(&c, RULES_ALL), 0);
    assert_int_equal(commit_unvoted(&c), 0);
    commit_hear(&c, 1);
    assert_int_equal(c.heard, 0);
    assert_true(commit_may_forget(&c, RULES_ALL));
    assert_false(commit_may_forget(&c, without(RULE_PRESUMED_ABORT)));
    commit_restart(&c);
    assert_int_equal(c.parts, 0);
    assert_int_equal(commit_answer(&c, RULES_ALL), COMMIT_ABORT);
    assert_int_equal(commit_answer(&c, without(RULE_PRESUMED_ABORT)), COMMIT_NO_WORD);
    assert_false(commit_may_commit(&c, 0));
    assert_false(commit_may_abort(&c, 0)); /* of what it does not know nothing is decided */
    assert_false(commit_vote(&c, 0, 1));
}

static void what_is_decided_is_decided_once(void **state)
{
    (void)state;
    uint64_t again = without(RULE_DECIDE_ONCE);
    struct commit_core c = commit_begin(ALL);
    assert_true(commit_may_abort(&c, RULES_ALL));
    commit_decide(&c, RULES_ALL, COMMIT_ABORT);
    assert_false(commit_vote(&c, RULES_ALL, 0));
    assert_int_equal(c.votes, 0);
    for (unsigned i = 0; i < PARTS; i++) {
        assert_true(commit_vote(&c, again, i));
    }
    assert_false(commit_may_commit(&c, RULES_ALL));
    assert_false(commit_may_abort(&c, again)); /* that it has decided */
    assert_true(commit_may_commit(&c, again));
    commit_decide(&c, again, COMMIT_COMMIT);
    assert_int_equal(c.logged, COMMIT_COMMIT);
    assert_false(commit_may_abort(&c, RULES_ALL));
    assert_true(commit_may_abort(&c, again));
    assert_false(commit_may_commit(&c, again));
    commit_decide(&c, again, COMMIT_ABORT);
    commit_decide(&c, again, COMMIT_COMMIT); /* and so on; the log has it once */
    assert_int_equal(c.logged, COMMIT_COMMIT);
}

/* --- a participant --- */

static void a_participant_prepares_before_it_votes(void **state)
{
    (void)state;
    struct part_core p = {0};
    assert_true(part_holds_locks(&p));
    assert_true(part_may_abort(&p, RULES_ALL));
    assert_false(part_may_commit(&p, 0));
    assert_false(part_may_ask(&p));
    assert_int_equal(part_asked(&p, RULES_ALL), PART_VOTES_YES);
    assert_int_equal(p.state, PART_PREPARED);
    assert_int_equal(part_asked(&p, RULES_ALL), PART_VOTES_YES);
    assert_false(part_may_prepare_late(&p));
    assert_true(part_holds_locks(&p));
    assert_false(part_may_abort(&p, RULES_ALL));
    assert_false(part_may_commit(&p, RULES_ALL));
    assert_true(part_may_abort(&p, without(RULE_NO_LONE_ABORT)));
    assert_true(part_may_commit(&p, without(RULE_NO_LONE_COMMIT)));
    assert_true(part_may_ask(&p));
}

static void without_the_rule_it_votes_and_may_give_up(void **state)
{
    (void)state;
    uint64_t early = without(RULE_VOTE_AFTER_PREPARE);
    struct part_core p = {0};
    assert_false(part_may_prepare_late(&p));
    assert_int_equal(part_asked(&p, early), PART_VOTES_YES);
    assert_int_equal(p.state, PART_WORKING);
    assert_true(part_may_abort(&p, RULES_ALL));
    assert_true(part_may_prepare_late(&p));
    struct part_core late = p;
    part_prepare_late(&late);
    assert_int_equal(late.state, PART_PREPARED);
    assert_false(part_may_prepare_late(&late));
    part_abort(&p);
    assert_false(part_may_prepare_late(&p));
    assert_int_equal(part_asked(&p, early), PART_VOTES_NO);
}

static void what_has_ended_stays_as_it_is(void **state)
{
    (void)state;
    struct part_core p = {.state = PART_PREPARED};
    struct part_core q = p;
    assert_true(part_told(&p, COMMIT_COMMIT));
    assert_int_equal(p.state, PART_COMMITTED);
    assert_false(part_holds_locks(&p));
    assert_false(part_told(&p, COMMIT_ABORT)); /* a late answer, when all is forgotten */
    assert_int_equal(p.state, PART_COMMITTED);
    assert_true(part_told(&p, COMMIT_COMMIT)); /* its acknowledgement was lost */
    assert_int_equal(part_asked(&p, RULES_ALL), PART_SILENT);
    assert_false(part_may_abort(&p, 0) || part_may_commit(&p, 0) || part_may_ask(&p));
    assert_false(part_told(&q, COMMIT_ABORT));
    assert_int_equal(q.state, PART_ABORTED);
    assert_false(part_holds_locks(&q));
    assert_int_equal(part_asked(&q, RULES_ALL), PART_VOTES_NO);
    assert_false(part_may_abort(&q, 0) || part_may_commit(&q, 0) || part_may_ask(&q));
    struct part_core working = {0};
    assert_false(part_told(&working, COMMIT_ABORT));
    assert_int_equal(working.state, PART_ABORTED);
}

/* --- random schedules --- */

enum kind {
    TO_PREPARE,
    TO_COMMIT,
    TO_ABORT,
    YES,
    NO,
    QUESTION,
    ACK
};

struct message {
    enum kind kind;
    unsigned part;
};

struct bank {
    struct prng prng;
    uint64_t rules;
    struct commit_core c;
    struct part_core part[PARTS];
    struct message message[MESSAGES];
    unsigned messages;
    bool begun;
    bool mixed; /* was at some time */
};

static void send(struct bank *b, enum kind kind, uint64_t parts)
{
    for (unsigned i = 0; i < PARTS; i++) {
        if ((parts >> i & 1) != 0 && b->messages < MESSAGES) {
            b->message[b->messages++] = (struct message){kind, i};
        }
    }
}

static void come(struct bank *b, struct message m)
{
    uint64_t bit = UINT64_C(1) << m.part;
    struct part_core *p = &b->part[m.part];
    if (m.kind == TO_PREPARE) {
        enum part_reply reply = part_asked(p, b->rules);
        send(b, reply == PART_VOTES_YES ? YES : NO, reply == PART_SILENT ? 0 : bit);
    } else if (m.kind == TO_COMMIT || m.kind == TO_ABORT) {
        bool ack = part_told(p, m.kind == TO_COMMIT ? COMMIT_COMMIT : COMMIT_ABORT);
        send(b, ACK, ack ? bit : 0);
    } else if (m.kind == YES) {
        commit_vote(&b->c, b->rules, m.part);
    } else if (m.kind == ACK) {
        commit_hear(&b->c, m.part);
    } else if (m.kind == NO && commit_may_abort(&b->c, b->rules)) {
        commit_decide(&b->c, b->rules, COMMIT_ABORT);
        send(b, TO_ABORT, b->c.parts);
    } else if (m.kind == QUESTION) {
        enum commit_word word = commit_answer(&b->c, b->rules);
        send(b, word == COMMIT_COMMIT ? TO_COMMIT : TO_ABORT, word == COMMIT_NO_WORD ? 0 : bit);
    }
}

/* Some message comes, is lost, or comes and will come again. */
static void deliver(struct bank *b)
{
    unsigned i = (unsigned)prng_below(&b->prng, b->messages);
    struct message m = b->message[i];
    if (prng_chance(&b->prng, 4, 5)) {
        b->message[i] = b->message[--b->messages];
    }
    if (prng_chance(&b->prng, 9, 10)) {
        come(b, m);
    }
}

static void coordinate(struct bank *b)
{
    uint64_t what = prng_below(&b->prng, 40);
    if (what == 0) {
        commit_restart(&b->c);
    } else if (what == 1 && commit_may_abort(&b->c, b->rules)) {
        commit_decide(&b->c, b->rules, COMMIT_ABORT);
        send(b, TO_ABORT, b->c.parts);
    } else if (commit_may_commit(&b->c, b->rules)) {
        commit_decide(&b->c, b->rules, COMMIT_COMMIT);
    } else if (what < 20) {
        send(b, TO_COMMIT, commit_untold(&b->c, b->rules));
        send(b, TO_PREPARE, commit_unvoted(&b->c));
    } else if (what < 25 && commit_may_log(&b->c)) {
        commit_log(&b->c);
    } else if (commit_may_forget(&b->c, b->rules)) {
        commit_forget(&b->c);
    }
}

static void act_alone(struct bank *b)
{
    unsigned i = (unsigned)prng_below(&b->prng, PARTS);
    struct part_core *p = &b->part[i];
    bool now = prng_chance(&b->prng, 1, 40);
    if (now && part_may_abort(p, b->rules)) {
        part_abort(p);
    } else if (now && part_may_commit(p, b->rules)) {
        part_told(p, COMMIT_COMMIT);
    } else if (part_may_ask(p) && b->begun) {
        send(b, QUESTION, UINT64_C(1) << i);
    }
}

static unsigned in_state(const struct bank *b, enum part_state state)
{
    unsigned count = 0;
    for (unsigned i = 0; i < PARTS; i++) {
        count += b->part[i].state == state;
    }
    return count;
}

static void play(struct bank *b, uint64_t seed, uint64_t rules)
{
    *b = (struct bank){.prng = prng_seeded(seed, "commit"), .rules = rules};
    b->c = commit_begin(ALL);
    b->begun = true;
    send(b, TO_PREPARE, ALL);
    for (unsigned i = 0; i < STEPS; i++) {
        uint64_t what = prng_below(&b->prng, 4);
        if (what < 2 && b->messages > 0) {
            deliver(b);
        } else if (what == 2) {
            coordinate(b);
        } else {
            act_alone(b);
        }
        b->mixed |= in_state(b, PART_COMMITTED) > 0 && in_state(b, PART_ABORTED) > 0;
    }
}

static unsigned mixed_in(uint64_t rules)
{
    unsigned mixed = 0;
    for (uint64_t seed = 1; seed <= SCHEDULES; seed++) {
        struct bank b;
        play(&b, seed, rules);
        mixed += b.mixed;
    }
    return mixed;
}

static void all_end_alike_in_every_schedule(void **state)
{
    (void)state;
    unsigned committed = 0;
    unsigned aborted = 0;
    for (uint64_t seed = 1; seed <= SCHEDULES; seed++) {
        struct bank b;
        play(&b, seed, RULES_ALL);
        assert_false(b.mixed);
        committed += in_state(&b, PART_COMMITTED) == PARTS;
        aborted += in_state(&b, PART_ABORTED) == PARTS;
    }
    assert_true(committed > SCHEDULES / 10 && aborted > SCHEDULES / 10);
}

static void without_a_rule_some_schedule_ends_half_done(void **state)
{
    (void)state;
    for (int rule = RULE_ALL_VOTES_NEEDED; rule <= RULE_DECIDE_ONCE; rule++) {
        assert_in_range(mixed_in(without((enum rule)rule)), 1, SCHEDULES);
    }
}

static void without_presumed_abort_some_wait_for_ever(void **state)
{
    (void)state;
    unsigned waits = 0;
    for (uint64_t seed = 1; seed <= SCHEDULES; seed++) {
        struct bank b;
        play(&b, seed, without(RULE_PRESUMED_ABORT));
        assert_false(b.mixed);
        waits += b.c.parts == 0 && in_state(&b, PART_PREPARED) > 0;
    }
    assert_true(waits > SCHEDULES / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_and_states_have_names),
        cmocka_unit_test(every_vote_is_needed),
        cmocka_unit_test(what_is_decided_is_in_the_log_first),
        cmocka_unit_test(without_the_log_a_crash_forgets_what_was_told),
        cmocka_unit_test(a_commit_is_told_until_all_have_heard),
        cmocka_unit_test(an_abort_is_written_nowhere),
        cmocka_unit_test(what_is_decided_is_decided_once),
        cmocka_unit_test(a_participant_prepares_before_it_votes),
        cmocka_unit_test(without_the_rule_it_votes_and_may_give_up),
        cmocka_unit_test(what_has_ended_stays_as_it_is),
        cmocka_unit_test(all_end_alike_in_every_schedule),
        cmocka_unit_test(without_a_rule_some_schedule_ends_half_done),
        cmocka_unit_test(without_presumed_abort_some_wait_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
