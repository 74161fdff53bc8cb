/*
 * What queries over all shards leave in the trace, as prose, as labels and as reasons.
 */
#include "play.h"

#include "engine/queries/queries.h"
#include "engine/queries/queries_inside.h"
#include <stdio.h>

static struct world *query_world(void)
{
    struct world_config c = play_config();
    c.queries_max = 2;
    c.gathers_max = 3;
    c.requests_max = 4096;
    c.events_max = 16384;
    c.trace_max = 8192;
    struct world *w = play_new(&c);
    for (int key = 1; key <= 4; key++) {
        char words[48];
        (void)snprintf(words, sizeof words, "request like likes:{p%d} via R0", key);
        play_request(w, words);
    }
    return w;
}

static void a_query_is_told_step_by_step(void **state)
{
    (void)state;
    struct world *w = query_world();
    play(w, "query all sum of likes:*");
    world_run_until(w, EIGHT_PM + US_PER_SECOND);
    uint64_t from = trace_next(w);
    play(w, "gather all via R0");
    world_run_until_answered(w, US_PER_SECOND);
    play_expect(
        w, from,
        "20:00:01.000000  operator -> R0  all, please\n"
        "20:00:01.000000  client a -> R0  all (query 1), please\n"
        "20:00:01.000000  R0 -> S0  all (query 1): your part, please\n"
        "20:00:01.000000  R0 -> S1  all (query 1): your part, please\n"
        "20:00:01.000000  R0 -> S2  all (query 1): your part, please\n"
        "20:00:01.000000  R0 -> S3  all (query 1): your part, please\n"
        "20:00:01.000250  S0 -> R0  all (query 1): it answers, after 5 ms, with a sum of 1\n"
        "20:00:01.000500  S1 -> R0  all (query 1): it answers, after 5 ms, with a sum of 1\n"
        "20:00:01.000500  S2 -> R0  all (query 1): it answers, after 5 ms, with a sum of 1\n"
        "20:00:01.000500  S3 -> R0  all (query 1): it answers, after 5 ms, with a sum of 1\n"
        "20:00:01.005500  R0 -> R0  all (query 1): S0 is merged, 4,096 of 16,384 slots are "
        "in\n"
        "20:00:01.006000  R0 -> R0  all (query 1): S1 is merged, 8,192 of 16,384 slots are "
        "in\n"
        "20:00:01.006000  R0 -> R0  all (query 1): S2 is merged, 12,288 of 16,384 slots are "
        "in\n"
        "20:00:01.006000  R0 -> R0  all (query 1): S3 is merged, 16,384 of 16,384 slots are "
        "in\n"
        "20:00:01.006000  R0 -> client a  all (query 1) is whole after 6 ms, S3 was the "
        "last, the sum is 4\n");
    world_free(w);
}

static void an_operator_is_told_what_was_set(void **state)
{
    (void)state;
    struct world *w = query_world();
    world_run_until(w, EIGHT_PM + US_PER_SECOND);
    uint64_t from = trace_next(w);
    play(w, "query trending top 3 of likes:* bytes 20KB");
    play(w, "query trending hedge 10");
    play(w, "query trending timeout 50");
    play(w, "query trending deadline off");
    play(w, "times all 3 7 slow 1 50 200");
    play(w, "times S2 off");
    play(w, "gather trending 1000");
    play(w, "popular trending zone a every 1000");
    play(w, "popular trending off");
    play_expect(
        w, from,
        "20:00:01.000000  operator  query trending: the 3 greatest over all shards\n"
        "20:00:01.000000  operator  query trending: a shard's follower is asked too after "
        "10 ms\n"
        "20:00:01.000000  operator  query trending: a shard is given up after 50 ms\n"
        "20:00:01.000000  operator  query trending: it has no deadline\n"
        "20:00:01.000000  operator  a part of a query takes up to 7 ms, and 1.0 of a hundred "
        "take longer\n"
        "20:00:01.000000  operator -> S2  a part of a query takes what any request takes\n"
        "20:00:01.000000  operator  clients ask trending 1,000 times a second\n"
        "20:00:01.000000  operator  a job in zone a computes trending every 1 s, for "
        "everybody\n"
        "20:00:01.000000  operator  trending is computed for each client again\n");
    from = trace_next(w);
    play(w, "query trending drop");
    play_expect(w, from, "20:00:01.000000  operator  a query is dropped\n");
    world_free(w);
}

/* Hedges, timeouts, moves, crashes, a job, and too much at once. */
static struct world *eventful_world(void)
{
    struct world *w = query_world();
    play(w, "query all sum of likes:*");
    play(w, "query all hedge 10");
    play(w, "query all timeout 40");
    play(w, "times all 3 7 slow 20 30 60");
    play(w, "gather all 100 poisson");
    world_run_until(w, world_now(w) + US_PER_SECOND / 2);
    play(w, "crash S1 100");
    play(w, "network delay 30% 20");
    for (int i = 0; i < 6; i++) {
        char words[48];
        (void)snprintf(words, sizeof words, "move 8192-12287 S%d", i % 2 == 0 ? 3 : 2);
        play(w, words);
        world_run_until(w, world_now(w) + 20000);
    }
    play(w, "crash R1 100");
    world_run_until(w, world_now(w) + 20000);
    play(w, "popular all zone a every 100");
    world_run_until(w, world_now(w) + US_PER_SECOND / 2);
    return w;
}

static void every_record_has_words(void **state)
{
    (void)state;
    struct world *w = eventful_world();
    bool seen[QUERY_REASONS - QUERY_ASKED] = {false};
    unsigned kinds = 0;
    for (uint64_t i = trace_first(w); i < trace_next(w); i++) {
        const struct trace_record *r = trace_get(w, i);
        struct str words[3] = {STR_EMPTY, STR_EMPTY, STR_EMPTY};
        if (r->reason < QUERY_ASKED || r->reason >= QUERY_REASONS) {
            continue;
        }
        trace_say(w, r, &words[0]);
        trace_label(w, r, &words[1]);
        trace_why(w, r, &words[2]);
        for (int j = 0; j < 3; j++) {
            assert_true(words[j].length > 0);
            str_free(&words[j]);
        }
        kinds += !seen[r->reason - QUERY_ASKED];
        seen[r->reason - QUERY_ASKED] = true;
    }
    assert_true(seen[QUERY_HEDGED - QUERY_ASKED] && seen[QUERY_DROPPED - QUERY_ASKED]);
    assert_true(seen[QUERY_NO_ROOM - QUERY_ASKED] && seen[QUERY_FROM_RESULT - QUERY_ASKED]);
    assert_true(seen[QUERY_GAVE_UP - QUERY_ASKED] && seen[QUERY_PARTIAL - QUERY_ASKED]);
    assert_true(kinds >= 15);
    world_free(w);
}

static void a_clash_is_explained(void **state)
{
    (void)state;
    struct str why = STR_EMPTY;
    struct world *w = eventful_world();
    struct trace_record r = {.kind = TRACE_QUERY,
                             .reason = QUERY_CLASHED,
                             .key = KEY_NONE_ID,
                             .from = {NODE_ROUTER, 0},
                             .to = {NODE_ROUTER, 0},
                             .target = 3,
                             .epoch = 8,
                             .operand = {1 << 8, 12067, 7}};
    trace_why(w, &r, &why);
    assert_string_equal(
        str_text(&why),
        "Slot 12067 changed hands between two answers: it is in already, counted at epoch 7, and "
        "this answer counts it again at epoch 8. A sum cannot be taken apart, so nothing of the "
        "answer is merged (rule one-epoch-a-slot); what is missing then is asked again.");
    str_free(&why);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_query_is_told_step_by_step),
        cmocka_unit_test(an_operator_is_told_what_was_set),
        cmocka_unit_test(every_record_has_words),
        cmocka_unit_test(a_clash_is_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
