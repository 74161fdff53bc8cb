/*
 * Quorum arithmetic by every order of the steps: a register at several replicas without a leader,
 * one write and two reads, and what the two readers saw, judged by check/history.
 *
 * R + W > RF: a read that begins after the write was acknowledged meets a replica that has it.
 * That is all it says. While the write is under way, the first read can return it and the next one
 * not: no single copy could have answered so. A reader that stores what it found at W replicas
 * before it answers mends that (H. Attiya, A. Bar-Noy and D. Dolev, "Sharing Memory Robustly in
 * Message-Passing Systems", 1995). And where nodes that stand in count towards W (the sloppy
 * quorum of G. DeCandia and others, "Dynamo", 2007), not even the first holds.
 */
#include "check/history.h"
#include "check/search.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define REPLICAS_MAX 5
#define READS 2

struct quorum_world {
    uint8_t replicas, w, r;
    bool sloppy;     /* a stand-in counts */
    bool repairs;    /* a reader stores what it found before it answers */
    bool one_by_one; /* nobody begins while another has not ended */
};

struct quorum_op {
    uint8_t begun, ended; /* which event it was, from 1; 0: not yet */
    uint8_t heard;        /* of which replicas: that they store it, or what they hold */
    uint8_t found;        /* a read: of which replicas that they hold the write */
};

struct quorum {
    uint8_t has;    /* which replicas hold the write */
    uint8_t hinted; /* for which a stand-in holds it */
    uint8_t events;
    uint8_t unused;
    struct quorum_op op[1 + READS]; /* the write, then reads in turn */
};

_Static_assert(sizeof(struct quorum) == 16, "bytes without holes");

enum quorum_step {
    BEGIN,
    STORE,  /* the write arrives */
    STAND,  /* ... at a stand-in of the replica */
    ANSWER, /* a replica answers a read */
    REPAIR  /* a reader stores what it found */
};

/* A step times 64, the operation, the replica. */
static uint16_t number_of(enum quorum_step step, unsigned op, unsigned replica)
{
    return (uint16_t)((unsigned)step << 6 | op << 3 | replica);
}

/* Worlds are few and their numbers small: they are in the scope. */
static struct quorum_world world_of(const struct check_scope *scope)
{
    return (struct quorum_world){.replicas = (uint8_t)(scope->rules & 15),
                                 .w = scope->rules >> 4 & 15,
                                 .r = scope->rules >> 8 & 15,
                                 .sloppy = (scope->rules >> 12 & 1) != 0,
                                 .repairs = (scope->rules >> 13 & 1) != 0,
                                 .one_by_one = (scope->rules >> 14 & 1) != 0};
}

static struct check_scope scope_of(struct quorum_world w)
{
    return (struct check_scope){.rules = w.replicas | (uint32_t)w.w << 4 | (uint32_t)w.r << 8 |
                                         (uint32_t)w.sloppy << 12 | (uint32_t)w.repairs << 13 |
                                         (uint32_t)w.one_by_one << 14};
}

static unsigned count(uint8_t mask)
{
    unsigned ones = 0;
    for (unsigned i = 0; i < REPLICAS_MAX; i++) {
        ones += (unsigned)mask >> i & 1u;
    }
    return ones;
}

static void end_if_enough(struct quorum *to, const struct quorum_world *w, unsigned op)
{
    struct quorum_op *o = &to->op[op];
    bool enough = count(o->heard) >= (op == 0 ? w->w : w->r);
    bool stored = op == 0 || !w->repairs || o->found == 0 || count(o->found) >= w->w;
    if (enough && stored && o->ended == 0) {
        o->ended = ++to->events;
    }
}

static void put(const struct quorum_world *w, const struct quorum *now, enum quorum_step step,
                unsigned op, unsigned replica, struct check_out *out)
{
    struct quorum *to = check_put(out, number_of(step, op, replica));
    *to = *now;
    struct quorum_op *o = &to->op[op];
    uint8_t bit = (uint8_t)(1u << replica);
    switch (step) {
    case BEGIN:
        o->begun = ++to->events;
        return;
    case STORE:
        to->has |= bit;
        o->heard |= bit;
        break;
    case STAND:
        to->hinted |= bit;
        o->heard |= bit;
        break;
    case ANSWER:
        o->heard |= bit;
        o->found |= to->has & bit;
        break;
    case REPAIR:
        to->has |= bit;
        o->found |= bit;
        break;
    }
    end_if_enough(to, w, op);
}

static bool under_way(const struct quorum_op *o)
{
    return o->begun != 0 && o->ended == 0;
}

static bool may_begin(const struct quorum_world *w, const struct quorum *now, unsigned op)
{
    bool busy = false;
    for (unsigned i = 0; i <= READS; i++) {
        busy |= under_way(&now->op[i]);
    }
    bool in_turn = op < 2 || now->op[op - 1].ended != 0;
    return now->op[op].begun == 0 && in_turn && !(w->one_by_one && busy);
}

static void next(const struct check_scope *scope, const void *state, struct check_out *out)
{
    const struct quorum *now = state;
    struct quorum_world w = world_of(scope);
    for (unsigned op = 0; op <= READS; op++) {
        const struct quorum_op *o = &now->op[op];
        if (may_begin(&w, now, op)) {
            put(&w, now, BEGIN, op, 0, out);
        }
        for (unsigned i = 0; i < w.replicas; i++) {
            bool heard = (o->heard >> i & 1) != 0;
            bool all_heard = count(o->heard) >= w.r;
            if (op == 0 && o->begun != 0 && !heard) { /* also after it was acknowledged */
                put(&w, now, STORE, op, i, out);
                if (w.sloppy) {
                    put(&w, now, STAND, op, i, out);
                }
            } else if (op > 0 && under_way(o) && !all_heard && !heard) {
                put(&w, now, ANSWER, op, i, out);
            } else if (op > 0 && under_way(o) && all_heard && (o->found >> i & 1) == 0) {
                put(&w, now, REPAIR, op, i, out);
            }
        }
    }
}

static void init(const struct check_scope *scope, struct check_out *out)
{
    (void)scope;
    *(struct quorum *)check_put(out, 0) = (struct quorum){.has = 0};
}

/* What clients saw, as a history of a register that holds 0 at first. */
static int judge(const struct check_scope *scope, const void *state)
{
    const struct quorum *now = state;
    struct history_op op[1 + READS] = {{0}};
    struct history h = {.op = op, .kind = HISTORY_REGISTER, .nodes_max = 1000};
    (void)scope;
    for (unsigned i = 0; i <= READS; i++) {
        const struct quorum_op *o = &now->op[i];
        if (o->begun != 0) {
            op[h.count++] = (struct history_op){.invoked = o->begun,
                                                .returned = o->ended ? o->ended : HISTORY_NEVER,
                                                .value = i == 0 || o->found != 0,
                                                .read = i > 0};
        }
    }
    struct history_result r = history_check(&h);
    assert_int_not_equal(r.verdict, HISTORY_UNDECIDED);
    history_result_free(&r);
    return r.verdict == HISTORY_NOT ? 1 : 0;
}

static unsigned actor(uint16_t action)
{
    return action & 7u;
}

/* Whoever waits for an answer may wait for ever. */
static bool finished(const struct check_scope *scope, const void *state)
{
    (void)scope;
    (void)state;
    return true;
}

static const struct check_rule none[] = {{NULL, NULL}};
static const struct check_model quorum_model = {
    .name = "quorum",
    .rule = none,
    .state_size = sizeof(struct quorum),
    .init = init,
    .next = next,
    .check = judge,
    .finished = finished,
    .actor = actor,
};

/* Free with check_result_free. */
static struct check_result search(struct quorum_world w)
{
    struct check_scope scope = scope_of(w);
    struct check_options options = check_interactive();
    struct check_model model = quorum_model;
    options.live = false;
    struct check_result r = check_search(&model, &scope, &options);
    assert_int_not_equal(r.verdict, CHECK_CUT);
    return r;
}

/* 0: what clients see is always that of one copy. */
static uint32_t shortest(struct quorum_world w)
{
    struct check_result r = search(w);
    uint32_t depth = r.verdict == CHECK_FAILS ? r.depth : 0;
    check_result_free(&r);
    return depth;
}

/* The shortest way: the write at W replicas, and R others answer a read; three begin or end. */
static void one_by_one_the_overlap_is_what_counts(void **state)
{
    (void)state;
    for (uint8_t replicas = 1; replicas <= REPLICAS_MAX; replicas++) {
        for (uint8_t w = 1; w <= replicas; w++) {
            for (uint8_t r = 1; r <= replicas; r++) {
                uint32_t steps = shortest((struct quorum_world){
                    .replicas = replicas, .w = w, .r = r, .one_by_one = true});
                assert_int_equal(steps, w + r > replicas ? 0 : 1u + w + 1u + r);
            }
        }
    }
}

/* The write begins and one replica stores it; a read that asks there returns it, and the next, of
 * others, does not. Only who asks all replicas cannot miss it. */
static void at_the_same_time_the_overlap_is_not_enough(void **state)
{
    (void)state;
    for (uint8_t replicas = 2; replicas <= 4; replicas++) {
        for (uint8_t w = 1; w <= replicas; w++) {
            for (uint8_t r = 1; r <= replicas; r++) {
                uint32_t steps =
                    shortest((struct quorum_world){.replicas = replicas, .w = w, .r = r});
                bool overlap = w + r > replicas;
                assert_int_equal(steps, r == replicas              ? 0
                                        : overlap                  ? 2u + 2u * (1u + r)
                                        : w + r + 2u < 4u + 2u * r ? w + r + 2u
                                                                   : 4u + 2u * r);
            }
        }
    }
}

static void the_history_that_shows_it(void **state)
{
    (void)state;
    static const struct history_op seen[] = {
        {.invoked = 1, .returned = HISTORY_NEVER, .value = 1}, /* stored at one replica of three */
        {.invoked = 2, .returned = 3, .value = 1, .read = 1},  /* by that one and another */
        {.invoked = 4, .returned = 5, .value = 0, .read = 1},  /* by the two others */
    };
    struct history h = {.op = seen, .count = 3, .kind = HISTORY_REGISTER, .nodes_max = 1000};
    struct history_result first = history_check(&h);
    assert_int_equal(first.verdict, HISTORY_NOT);
    assert_int_equal(first.stuck, 2);

    struct quorum_world w = {.replicas = 3, .w = 2, .r = 2};
    struct check_scope scope = scope_of(w);
    struct check_result r = search(w);
    struct quorum last;
    assert_int_equal(r.depth, 8);
    check_replay(&quorum_model, &scope, r.start, r.action, r.depth, &last);
    assert_int_equal(last.op[0].ended, 0);
    assert_int_equal(count(last.has), 1);
    assert_int_equal(last.op[1].found, last.has);
    assert_int_equal(last.op[2].found, 0);
    check_result_free(&r);
}

static void storing_before_answering_mends_it(void **state)
{
    (void)state;
    for (uint8_t replicas = 1; replicas <= 4; replicas++) {
        for (uint8_t w = 1; w <= replicas; w++) {
            for (uint8_t r = 1; r <= replicas; r++) {
                uint32_t steps = shortest(
                    (struct quorum_world){.replicas = replicas, .w = w, .r = r, .repairs = true});
                assert_int_equal(steps == 0, w + r > replicas);
            }
        }
    }
}

/* The write is acknowledged by one of the two that the reader asks for, and by a stand-in of the
 * other; the reader asks those who do not have it. Neither helps: that all end before others
 * begin, nor that readers store what they found. */
static void a_stand_in_that_counts_breaks_the_overlap(void **state)
{
    (void)state;
    struct quorum_world w = {.replicas = 3, .w = 2, .r = 2, .one_by_one = true};
    assert_int_equal(shortest(w), 0);
    w.sloppy = true;
    assert_int_equal(shortest(w), 6);
    w.repairs = true;
    assert_int_equal(shortest(w), 6);
    w.w = 3; /* even all of them */
    w.r = 1;
    assert_int_equal(shortest(w), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_by_one_the_overlap_is_what_counts),
        cmocka_unit_test(at_the_same_time_the_overlap_is_not_enough),
        cmocka_unit_test(the_history_that_shows_it),
        cmocka_unit_test(storing_before_answering_mends_it),
        cmocka_unit_test(a_stand_in_that_counts_breaks_the_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
