/*
 * Replicas of one log: who votes for whom, what is taken and thrown away, what is committed; and
 * clusters at random, whose messages are lost, late and repeated.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "proto/term.h"

static uint64_t no(enum rule rule)
{
    return RULES_ALL & ~rule_bit(rule);
}

/* Of so many replicas, that one which leads term 1. */
static struct term_core leader_of(uint8_t replicas)
{
    struct term_core t = term_begin(0, replicas);
    term_stand(&t, RULES_ALL);
    for (unsigned i = 1; t.role != TERM_LEADER; i++) {
        assert_in_range(i, 1, replicas);
        term_voted(&t, RULES_ALL, i, 1);
    }
    return t;
}

static void roles_have_names(void **state)
{
    (void)state;
    assert_string_equal(term_role_name(TERM_FOLLOWER), "follower");
    assert_string_equal(term_role_name(TERM_CANDIDATE), "candidate");
    assert_string_equal(term_role_name(TERM_LEADER), "leader");
}

/* --- elections -------------------------------------------------------------------------------- */

static void a_majority_elects(void **state)
{
    (void)state;
    struct term_core t = term_begin(2, 5);
    assert_int_equal(term_majority(5), 3);
    assert_int_equal(term_majority(4), 3);
    assert_int_equal(term_majority(3), 2);
    assert_false(term_stand(&t, RULES_ALL));
    assert_int_equal(t.term, 1);
    assert_int_equal(t.vote, 3);
    assert_false(term_voted(&t, RULES_ALL, 0, 1));
    assert_false(term_voted(&t, RULES_ALL, 0, 1)); /* again */
    assert_false(term_voted(&t, RULES_ALL, 2, 1)); /* its own */
    assert_false(term_voted(&t, RULES_ALL, 1, 0)); /* of another term */
    assert_int_equal(t.counted, 2);
    assert_int_equal(t.role, TERM_CANDIDATE);
    assert_true(term_voted(&t, RULES_ALL, 4, 1));
    assert_int_equal(t.role, TERM_LEADER);
    assert_int_equal(t.counted, 0);
    assert_false(term_voted(&t, RULES_ALL, 3, 1));
    assert_int_equal(t.counted, 0);

    struct term_core alone = term_begin(0, 1);
    assert_true(term_stand(&alone, RULES_ALL));
    struct term_core less = term_begin(0, 3);
    assert_true(term_stand(&less, no(RULE_ELECTION_NEEDS_MAJORITY)));
    struct term_core twice = term_begin(0, 5);
    assert_false(term_stand(&twice, no(RULE_VOTES_COUNT_ONCE)));
    assert_false(term_voted(&twice, no(RULE_VOTES_COUNT_ONCE), 1, 1));
    assert_true(term_voted(&twice, no(RULE_VOTES_COUNT_ONCE), 1, 1));
}

static void a_candidate_that_stands_again_counts_anew(void **state)
{
    (void)state;
    struct term_core t = term_begin(0, 5);
    term_stand(&t, RULES_ALL);
    term_voted(&t, RULES_ALL, 1, 1);
    assert_false(term_stand(&t, RULES_ALL));
    assert_int_equal(t.term, 2);
    assert_int_equal(t.votes, 1);
    assert_int_equal(t.counted, 1);
}

static void one_vote_a_term(void **state)
{
    (void)state;
    struct term_core t = term_begin(0, 3);
    struct term_ask b = {.term = 4, .from = 1};
    struct term_ask c = {.term = 4, .from = 2};
    assert_true(term_asked(&t, RULES_ALL, &b));
    assert_int_equal(t.term, 4);
    assert_false(term_asked(&t, RULES_ALL, &c));
    assert_true(term_asked(&t, RULES_ALL, &b)); /* it says the same again */
    c.term = 5;
    assert_true(term_asked(&t, RULES_ALL, &c));
    assert_false(term_asked(&t, RULES_ALL, &b)); /* of an older term */
    assert_int_equal(t.term, 5);

    struct term_core careless = term_begin(0, 3);
    assert_true(term_heard(&careless, 7));
    assert_false(term_asked(&careless, RULES_ALL, &b));
    assert_true(term_asked(&careless, no(RULE_REFUSE_OLD_TERM), &b));
    assert_int_equal(careless.term, 7);
}

static void a_log_that_is_not_as_far_gets_no_vote(void **state)
{
    (void)state;
    static const struct {
        uint64_t last, last_term;
        bool far;
    } asks[] = {{5, 3, true}, {6, 3, true}, {4, 3, false}, {9, 2, false},
                {1, 4, true}, {5, 4, true}, {0, 0, false}};
    for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++) {
        struct term_core t = {.me = 0, .of = 3, .term = 4, .last = 5, .last_term = 3};
        struct term_core same = t;
        struct term_ask ask = {
            .term = 5, .last = asks[i].last, .last_term = asks[i].last_term, .from = 2};
        assert_int_equal(term_is_far(&t, &ask), asks[i].far);
        assert_int_equal(term_asked(&t, RULES_ALL, &ask), asks[i].far);
        assert_int_equal(t.vote, asks[i].far ? 3 : 0);
        assert_int_equal(t.term, 5);
        assert_true(term_asked(&same, no(RULE_VOTE_FOR_LONGER_LOG), &ask));
    }
}

static void a_higher_term_ends_what_it_was(void **state)
{
    (void)state;
    struct term_core t = leader_of(3);
    term_write(&t, RULES_ALL);
    assert_false(term_heard(&t, 1));
    assert_int_equal(t.role, TERM_LEADER);
    assert_true(term_heard(&t, 3));
    struct term_core plain = {.me = 0, .of = 3, .term = 3, .last = 1, .last_term = 1};
    assert_memory_equal(&t, &plain, sizeof t);
    term_stand(&t, RULES_ALL);
    term_voted(&t, RULES_ALL, 1, 4); /* it leads term 4, with an entry before it */
    assert_int_equal(t.before, 1);
    plain.term = 5;
    assert_true(term_heard(&t, 5));
    assert_memory_equal(&t, &plain, sizeof t);
}

static void a_restart_keeps_what_is_written_down(void **state)
{
    (void)state;
    struct term_core t = leader_of(3);
    term_write(&t, RULES_ALL);
    term_answered(&t, RULES_ALL, 1, 1, 1);
    struct term_core forgets = t;
    struct term_core kept = {.me = 0, .of = 3, .term = 1, .vote = 1, .last = 1, .last_term = 1};
    term_restart(&t, RULES_ALL);
    assert_memory_equal(&t, &kept, sizeof t);

    term_heard(&forgets, 6);
    forgets.vote = 3;
    term_restart(&forgets, no(RULE_DURABLE_VOTE));
    assert_int_equal(forgets.term, 1); /* as its log says */
    assert_int_equal(forgets.vote, 0);
    assert_int_equal(forgets.last, 1);
}

/* --- writes ----------------------------------------------------------------------------------- */

static void a_majority_commits(void **state)
{
    (void)state;
    struct term_core t = leader_of(5);
    assert_int_equal(term_write(&t, RULES_ALL), 1);
    assert_int_equal(term_write(&t, RULES_ALL), 2);
    assert_int_equal(t.last_term, 1);
    assert_int_equal(t.commit, 0);
    assert_false(term_answered(&t, RULES_ALL, 1, 1, 2));
    assert_false(term_answered(&t, RULES_ALL, 1, 1, 2)); /* again */
    assert_false(term_answered(&t, RULES_ALL, 2, 0, 2)); /* to an older term */
    assert_true(term_answered(&t, RULES_ALL, 2, 1, 1));
    assert_int_equal(t.commit, 1); /* three have it: the leader, 1 and 2 */
    assert_false(term_answered(&t, RULES_ALL, 3, 1, 1));
    assert_true(term_answered(&t, RULES_ALL, 4, 1, 2));
    assert_int_equal(t.commit, 2);
    assert_false(term_answered(&t, RULES_ALL, 4, 1, 1)); /* an old answer */
    assert_int_equal(t.have[4], 2);

    struct term_core hasty = leader_of(5);
    term_write(&hasty, no(RULE_ACK_NEEDS_MAJORITY));
    assert_int_equal(hasty.commit, 1);
    struct term_core alone = term_begin(0, 1);
    term_stand(&alone, RULES_ALL);
    term_write(&alone, RULES_ALL);
    assert_int_equal(alone.commit, 1);
    struct term_core most = leader_of(TERM_REPLICAS_MAX);
    term_write(&most, RULES_ALL);
    assert_false(term_answered(&most, RULES_ALL, 1, 1, 1));
    assert_false(term_answered(&most, RULES_ALL, 2, 1, 1));
    assert_true(term_answered(&most, RULES_ALL, 6, 1, 1));
}

/* Of what was there before its term a leader commits nothing, until it can commit its own. */
static void what_is_older_is_committed_with_the_next(void **state)
{
    (void)state;
    struct term_core t = {.me = 0, .of = 3, .term = 4, .last = 2, .last_term = 2};
    term_stand(&t, RULES_ALL);
    assert_true(term_voted(&t, RULES_ALL, 1, 5));
    assert_int_equal(t.before, 2);
    assert_int_equal(t.have[0], 2);
    assert_false(term_answered(&t, RULES_ALL, 1, 5, 2));
    assert_int_equal(t.commit, 0);
    assert_int_equal(term_write(&t, RULES_ALL), 3);
    assert_int_equal(t.commit, 0);
    assert_true(term_answered(&t, RULES_ALL, 1, 5, 3));
    assert_int_equal(t.commit, 3);
}

static void a_follower_takes_what_differs(void **state)
{
    (void)state;
    struct term_core t = {.me = 1, .of = 3, .term = 3, .last = 4, .last_term = 2};
    struct term_sent sent = {.term = 3, .last = 6, .last_term = 3, .commit = 3, .from = 0};
    struct term_core same = t;
    assert_int_equal(term_take(&t, RULES_ALL, &sent, 2), TERM_TAKES);
    assert_int_equal(t.last, 6);
    assert_int_equal(t.last_term, 3);
    assert_int_equal(t.commit, 3);
    assert_int_equal(term_take(&t, RULES_ALL, &sent, 6), TERM_KEEPS);
    /* An older message of the same leader throws nothing away. */
    sent.last = 5;
    sent.commit = 1;
    assert_int_equal(term_take(&t, RULES_ALL, &sent, 5), TERM_KEEPS);
    assert_int_equal(t.last, 6);
    assert_int_equal(t.commit, 3);

    sent.term = 2;
    assert_int_equal(term_take(&same, RULES_ALL, &sent, 2), TERM_REFUSES);
    assert_int_equal(same.last, 4);
    assert_int_equal(term_take(&same, no(RULE_REFUSE_OLD_TERM), &sent, 2), TERM_TAKES);
    assert_int_equal(same.term, 3);
    assert_int_equal(same.last, 5);
    sent.term = 9;
    assert_int_equal(term_take(&same, RULES_ALL, &sent, 5), TERM_KEEPS);
    assert_int_equal(same.term, 9);
}

static void a_candidate_yields_and_a_leader_does_not(void **state)
{
    (void)state;
    struct term_core t = term_begin(1, 3);
    struct term_sent sent = {.term = 1, .from = 0};
    term_stand(&t, RULES_ALL);
    assert_int_equal(term_take(&t, RULES_ALL, &sent, 0), TERM_KEEPS);
    assert_int_equal(t.role, TERM_FOLLOWER);
    assert_int_equal(t.votes, 0);
    assert_int_equal(t.vote, 2); /* it has voted in this term */
    struct term_core leads = leader_of(3);
    leads.term = 2;
    assert_int_equal(term_take(&leads, no(RULE_REFUSE_OLD_TERM), &sent, 0), TERM_REFUSES);
    assert_int_equal(leads.role, TERM_LEADER);
    assert_false(term_answered(&t, RULES_ALL, 0, 1, 9));
    assert_int_equal(t.have[0], 0);
}

static void what_is_sent_is_what_it_has(void **state)
{
    (void)state;
    struct term_core t = leader_of(3);
    term_write(&t, RULES_ALL);
    term_answered(&t, RULES_ALL, 2, 1, 1);
    term_write(&t, RULES_ALL);
    struct term_sent sent = term_sent_of(&t);
    struct term_sent is = {.term = 1, .last = 2, .last_term = 1, .commit = 1, .from = 0};
    assert_memory_equal(&sent, &is, sizeof sent);
    struct term_ask ask = term_ask_of(&t);
    struct term_ask asks = {.term = 1, .last = 2, .last_term = 1, .from = 0};
    assert_memory_equal(&ask, &asks, sizeof ask);
}

/* --- clusters at random ----------------------------------------------------------------------- */

#define SCHEDULES 1000
#define STEPS 800
#define MESSAGES 12
#define ENTRIES 512

enum what {
    ASKS,
    VOTES,
    SENDS,
    ANSWERS
};

struct message {
    enum what what;
    unsigned to;
    struct term_ask ask;   /* also a vote: its term (0: it is refused), and from whom */
    struct term_sent sent; /* also an answer to it */
    uint64_t told;         /* by a vote and an answer: the term of whom they come from */
    uint64_t log[ENTRIES];
};

struct cluster {
    struct term_core replica[5];
    uint64_t log[5][ENTRIES]; /* 2^32 times the term, plus the write */
    uint64_t stored[ENTRIES]; /* what was committed at each position; 0: nothing yet */
    unsigned led[STEPS * 2];  /* by term: 1 plus who */
    unsigned elections, commits, writes;
    unsigned of;
    struct prng prng;
};

static unsigned below(struct cluster *c, unsigned end)
{
    return (unsigned)prng_below(&c->prng, end);
}

static void elected(struct cluster *c, unsigned who)
{
    uint64_t term = c->replica[who].term;
    assert_true(c->led[term] == 0 || c->led[term] == who + 1);
    c->led[term] = who + 1;
    c->elections++;
    for (unsigned p = 0; p < ENTRIES; p++) { /* it has all that is stored for good */
        assert_true(c->stored[p] == 0 || c->stored[p] == c->log[who][p]);
    }
}

static void committed(struct cluster *c, unsigned who)
{
    for (uint64_t p = 0; p < c->replica[who].commit; p++) {
        assert_true(c->stored[p] == 0 || c->stored[p] == c->log[who][p]);
        c->commits += c->stored[p] == 0;
        c->stored[p] = c->log[who][p];
    }
}

/* The reply of whom a message comes to goes into the same place. False: none. */
static bool arrives(struct cluster *c, struct message *m)
{
    struct term_core *t = &c->replica[m->to];
    unsigned from = m->what == SENDS || m->what == ANSWERS ? m->sent.from : m->ask.from;
    unsigned here = m->to;
    if (m->what == ASKS) {
        bool given = term_asked(t, RULES_ALL, &m->ask);
        m->what = VOTES;
        m->ask = (struct term_ask){.term = given ? m->ask.term : 0, .from = (uint8_t)here};
        m->told = t->term;
        m->to = from;
        return true;
    }
    if (m->what == SENDS) {
        uint64_t agreed = 0;
        while (agreed < t->last && agreed < m->sent.last &&
               c->log[here][agreed] == m->log[agreed]) {
            agreed++;
        }
        enum term_reply reply = term_take(t, RULES_ALL, &m->sent, agreed);
        if (reply == TERM_TAKES) {
            memset(c->log[here], 0, sizeof c->log[here]);
            memcpy(c->log[here], m->log, m->sent.last * sizeof m->log[0]);
        }
        committed(c, here);
        m->what = ANSWERS;
        m->sent.from = (uint8_t)here;
        m->told = t->term;
        m->sent.last = reply == TERM_REFUSES ? 0 : m->sent.last;
        m->to = from;
        return true;
    }
    if (m->what == VOTES) {
        if (!term_heard(t, m->told) && term_voted(t, RULES_ALL, from, m->ask.term)) {
            elected(c, here);
        }
    } else if (!term_heard(t, m->told) &&
               term_answered(t, RULES_ALL, from, m->sent.term, m->sent.last)) {
        committed(c, here);
    }
    return false;
}

static bool send(struct cluster *c, struct message *m)
{
    unsigned from = below(c, c->of);
    struct term_core *t = &c->replica[from];
    m->to = (from + 1 + below(c, c->of - 1)) % c->of;
    m->ask = term_ask_of(t);
    m->sent = term_sent_of(t);
    m->what = t->role == TERM_LEADER ? SENDS : ASKS;
    memcpy(m->log, c->log[from], sizeof m->log);
    return t->role != TERM_FOLLOWER;
}

static void step_alone(struct cluster *c)
{
    unsigned who = below(c, c->of);
    struct term_core *t = &c->replica[who];
    unsigned what = below(c, 20);
    if (t->role == TERM_LEADER && what > 12) {
        uint64_t position = term_write(t, RULES_ALL);
        assert_in_range(position, 1, ENTRIES);
        c->log[who][position - 1] = t->term << 32 | ++c->writes;
        committed(c, who);
    } else if (t->role != TERM_LEADER && what == 2) {
        if (term_stand(t, RULES_ALL)) {
            elected(c, who);
        }
    } else if (what == 0) {
        term_restart(t, RULES_ALL);
    }
}

static void play(struct cluster *c, uint64_t seed)
{
    static struct message way[MESSAGES];
    bool there[MESSAGES] = {false};
    memset(c, 0, sizeof *c);
    c->prng = prng_seeded(seed, "term");
    c->of = 3 + 2 * (unsigned)(seed % 2);
    for (unsigned i = 0; i < c->of; i++) {
        c->replica[i] = term_begin((uint8_t)i, (uint8_t)c->of);
    }
    for (unsigned step = 0; step < STEPS; step++) {
        unsigned at = below(c, MESSAGES);
        step_alone(c);
        if (!there[at]) {
            there[at] = send(c, &way[at]);
        } else if (below(c, 10) == 0) { /* brought, and brought again later */
            static struct message copy;
            copy = way[at];
            arrives(c, &copy);
        } else {
            there[at] = below(c, 10) > 0 && arrives(c, &way[at]);
        }
    }
}

static void no_schedule_loses_what_is_committed(void **state)
{
    (void)state;
    static struct cluster c;
    unsigned elections = 0;
    unsigned commits = 0;
    for (uint64_t seed = 1; seed <= SCHEDULES; seed++) {
        play(&c, seed);
        elections += c.elections;
        commits += c.commits;
    }
    assert_in_range(elections, 4 * SCHEDULES, UINT32_MAX);
    assert_in_range(commits, 5 * SCHEDULES, UINT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roles_have_names),
        cmocka_unit_test(a_majority_elects),
        cmocka_unit_test(a_candidate_that_stands_again_counts_anew),
        cmocka_unit_test(one_vote_a_term),
        cmocka_unit_test(a_log_that_is_not_as_far_gets_no_vote),
        cmocka_unit_test(a_higher_term_ends_what_it_was),
        cmocka_unit_test(a_restart_keeps_what_is_written_down),
        cmocka_unit_test(a_majority_commits),
        cmocka_unit_test(what_is_older_is_committed_with_the_next),
        cmocka_unit_test(a_follower_takes_what_differs),
        cmocka_unit_test(a_candidate_yields_and_a_leader_does_not),
        cmocka_unit_test(what_is_sent_is_what_it_has),
        cmocka_unit_test(no_schedule_loses_what_is_committed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
