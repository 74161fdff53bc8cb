/*
 * Where the full protocol parts from each shortest way: a step that it takes otherwise is told as
 * it takes it; a fault is never refused; what it has not at all does not take place.
 */
#include "check/models.h"
#include "check/parting.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Without one rule, in the world in which it is shown. NULL: it does not take place. */
static const struct row {
    const char *model, *rule;
    uint32_t first, last;
    const char *otherwise; /* the first step */
    const char *at_last;   /* the last one, where that is another */
} rows[] = {
    {"fence-and-flip", "fence", 4, 4, NULL, NULL},
    {"fence-and-flip", "fence-covers-reads", 10, 10, "shard A refuses r1: migrating, retry", NULL},
    {"fence-and-flip", "drain-to-fence", 5, 5, NULL, NULL},
    {"fence-and-flip", "target-waits-for-commit", 6, 6, "shard B refuses r1: MOVED", NULL},
    {"fence-and-flip", "check-and-append", 3, 3, "shard A accepts w1", NULL},
    {"fence-and-flip", "durable-fence", 3, 5, "shard A appends the fence to its log",
     "shard A refuses w1: migrating, retry"},
    {"fence-and-flip", "abort-before-commit", 10, 10, NULL, NULL},
    {"fence-and-flip", "slot-table-check", 8, 8, "shard A refuses w1: MOVED", NULL},
    {"ask", "ask-for-missing-key", 3, 3, "shard A answers r1 with ASK", NULL},
    {"ask", "asking-needed", 3, 3, "shard B answers r1 with MOVED", NULL},
    {"ask", "atomic-key-move", 2, 2, "the mover hands k1 over to B", NULL},
    {"ask", "ask-keeps-map", 3, 3, "shard A answers w1 with ASK", NULL},
    {"ask", "try-again-on-split", 3, 3, "shard A answers r1 with TRYAGAIN", NULL},
    {"ask", "close-when-empty", 2, 2, NULL, NULL},
    {"dual-write", "newer-only", 6, 6, "the backfill brings v4 of k1 to B", NULL},
    {"dual-write", "dual-before-backfill", 1, 1, NULL, NULL},
    {"dual-write", "compare-before-switch", 2, 2, NULL, NULL},
    {"preagg", "absolute-flush", 2, 4, "the router flushes total 1, sequence 1",
     "the sub-key refuses total 1, sequence 1"},
    {"preagg", "flush-sequence", 6, 6, "the sub-key refuses total 1, sequence 1", NULL},
    {"preagg", "claim-on-restart", 3, 3, "the router crashes, restarts, reads its sub-key", NULL},
    {"preagg", "durable-before-ack", 1, 1, "a client likes", NULL},
    {"preagg", "recount-at-flushed", 3, 3, "a rebuild recounts, and corrects by +0", NULL},
    {"micro-cache", "bounded-age", 8, 8, "reader 2 misses: fetch b begins", NULL},
    {"micro-cache", "age-from-read", 8, 8, "reader 2 misses: fetch b begins", NULL},
    {"micro-cache", "drop-on-edit", 6, 7, "the router acknowledges version 1",
     "reader 2 misses: fetch b begins"},
    {"micro-cache", "fill-not-across-edit", 5, 6, "the router acknowledges version 1",
     "the router does not keep version 0 of fetch a"},
    {"coalesce", "join-before-write", 6, 6, "reader 2 asks R0", NULL},
    {"coalesce", "one-router-a-key", 2, 2, "reader 1 asks R0", NULL},
    {"striped-balance", "debit-main-only", 1, 1, "a client debits 1", NULL},
    {"striped-balance", "sweep-atomic", 3, 3, "the sweeper has no answer, and sends it again",
     NULL},
    {"two-phase-commit", "all-votes-needed", 5, 5, NULL, NULL},
    {"two-phase-commit", "log-decision-first", 6, 6, "the coordinator decides to commit", NULL},
    {"two-phase-commit", "no-lone-abort-when-prepared", 4, 4, NULL, NULL},
    {"two-phase-commit", "no-lone-commit-when-prepared", 3, 3, NULL, NULL},
    {"two-phase-commit", "vote-after-prepare", 2, 2, "participant 1 prepares, and votes yes", NULL},
    {"two-phase-commit", "decide-once", 6, 8, "the coordinator hears a yes that changes nothing",
     NULL},
    {"two-phase-commit", "presumed-abort", 0, 0, NULL, NULL},
    {"saga", "saga-log-first", 1, 1, "the coordinator asks shard A for the debit", NULL},
    {"saga", "compensate-once", 6, 6, "shard A has taken the debit back already", NULL},
    {"saga", "compensation-bars-step", 3, 3, "shard A has no debit to take back, and bars it",
     NULL},
    {"saga", "compensate-in-reverse", 4, 4, "the coordinator asks shard B to take the credit back",
     NULL},
    {"failover", "ack-needs-majority", 1, 1, "replica A takes write 1", NULL},
    {"failover", "election-needs-majority", 1, 1, "replica B stands for term 2", NULL},
    {"failover", "vote-for-longer-log", 4, 4, "replica C does not vote for B", NULL},
    {"failover", "refuse-old-term", 4, 4, "replica C refuses what A sends", NULL},
    {"failover", "durable-vote", 4, 4, "replica C restarts", NULL},
    {"failover", "votes-count-once", 4, 4, NULL, NULL},
    {"scatter", "one-epoch-a-slot", 4, 4, "shard B answers", NULL},
    {"scatter", "mark-partial", 3, 3, "shard B answers", NULL},
    {"scatter", "first-answer-counts", 4, 4, NULL, NULL},
};

static struct check_result find(const struct check_model *model, uint32_t off,
                                struct check_scope *scope)
{
    struct check_options options = check_interactive();
    *scope = (struct check_scope){
        .rules = CHECK_RULES_ALL & ~off, .size = model->size_small, .judge = CHECK_OUTSIDE};
    for (size_t i = 0; model->apart && model->apart[i].rule; i++) {
        uint32_t bit = 0;
        assert_true(check_rule_by_name(model, model->apart[i].rule, &bit));
        scope->size = bit == off ? model->apart[i].size : scope->size;
    }
    return check_search(model, scope, &options);
}

static uint32_t bit_of(const struct check_model *model, const char *rule)
{
    uint32_t bit = 0;
    assert_true(check_rule_by_name(model, rule, &bit));
    return bit;
}

static void assert_told(const struct row *row, const struct parting_step *step, const char *words)
{
    char text[96];
    (void)snprintf(text, sizeof text, "%s %s", step->told.actor, step->told.action);
    if (step->taken != (words != NULL) || (words && strcmp(text, words) != 0)) {
        fail_msg("%s without %s: %s", row->model, row->rule, text);
    }
    assert_int_equal(*step->told.detail != '\0', step->taken);
}

static void each_way_parts_where_it_should(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct check_model *model = check_model_by_name(rows[i].model);
        struct check_scope scope;
        struct check_result result = find(model, bit_of(model, rows[i].rule), &scope);
        assert_int_equal(result.verdict, CHECK_FAILS);
        struct check_parting p = check_part(model, &scope, &result, CHECK_RULES_ALL);
        if (p.first.step != rows[i].first || p.last.step != rows[i].last) {
            fail_msg("%s without %s: steps %u and %u", rows[i].model, rows[i].rule,
                     (unsigned)p.first.step, (unsigned)p.last.step);
        }
        assert_told(&rows[i], &p.first, rows[i].otherwise);
        if (rows[i].first != rows[i].last) {
            assert_told(&rows[i], &p.last, rows[i].at_last);
        }
        /* From the protocol that it is a way of it parts nowhere. */
        assert_int_equal(check_part(model, &scope, &result, scope.rules).first.step, 0);
        check_result_free(&result);
    }
}

/* All but those that nobody misses alone. */
static void every_rule_has_a_row(void **state)
{
    (void)state;
    for (size_t m = 0; check_model_at(m); m++) {
        const struct check_model *model = check_model_at(m);
        for (size_t rule = 0; model->rule[rule].name; rule++) {
            bool found = false;
            for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
                found |= strcmp(rows[i].model, model->name) == 0 &&
                         strcmp(rows[i].rule, model->rule[rule].name) == 0;
            }
            if (!found) {
                struct check_scope scope;
                struct check_result result = find(model, UINT32_C(1) << rule, &scope);
                assert_int_equal(result.verdict, CHECK_HOLDS);
                check_result_free(&result);
            }
        }
    }
}

/* Of two rules that are out the first step that differs is named, not the first that is refused;
 * and each of them is asked alone. */
static void two_rules_part_where_the_first_does(void **state)
{
    (void)state;
    const struct check_model *model = &model_fence_and_flip;
    struct check_scope scope;
    uint32_t stamp = bit_of(model, "snapshot-position");
    uint32_t compare = bit_of(model, "compare-before-fence");
    struct check_result result = find(model, stamp | compare, &scope);
    assert_int_equal(result.verdict, CHECK_FAILS);
    struct check_parting p = check_part(model, &scope, &result, CHECK_RULES_ALL);
    assert_int_equal(p.first.step, 3);
    assert_true(p.first.taken);
    assert_string_equal(p.first.told.actor, "the mover");
    assert_null(strstr(p.first.told.detail, "And yet it is stamped"));
    assert_int_equal(p.last.step, 6);
    assert_false(p.last.taken);
    assert_int_equal(check_part(model, &scope, &result, scope.rules | stamp).first.step, 3);
    assert_true(check_part(model, &scope, &result, scope.rules | compare).first.step > 3);
    check_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_parts_where_it_should),
        cmocka_unit_test(every_rule_has_a_row),
        cmocka_unit_test(two_rules_part_where_the_first_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
