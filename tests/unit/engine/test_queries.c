/*
 * Queries over all shards: what is asked of whom, the merge, hedges, timeouts, deadlines, the job,
 * zones, and slots that change hands meanwhile.
 */
#include "play.h"

#include "engine/queries/queries.h"
#include <stdio.h>

static struct world *query_world(void)
{
    struct world_config c = play_config();
    c.queries_max = 4;
    c.gathers_max = 64;
    c.moves_max = 4;
    c.tail_max = 64;
    c.requests_max = 4096;
    c.events_max = 16384;
    return play_new(&c);
}

/* Eight counts, likes:{p1} has one like, likes:{p2} two, and so on. */
static void like_all(struct world *w)
{
    for (int key = 1; key <= 8; key++) {
        for (int i = 0; i < key; i++) {
            char words[48];
            (void)snprintf(words, sizeof words, "request like likes:{p%d} via R0", key);
            play_request(w, words);
        }
    }
}

static struct query_run_info last_of(const struct world *w, const char *name)
{
    struct query_run_info last;
    uint32_t index = 0;
    assert_true(world_query_find(w, bytes_of(name), &index));
    assert_true(world_query_last(w, index, &last));
    return last;
}

static struct query_info info_of(const struct world *w, const char *name)
{
    uint32_t index = 0;
    assert_true(world_query_find(w, bytes_of(name), &index));
    return world_query(w, index);
}

static struct query_run_info gather(struct world *w, const char *words, const char *name)
{
    play(w, words);
    assert_true(world_run_until_answered(w, 10 * US_PER_SECOND));
    return last_of(w, name);
}

static void a_sum_is_that_of_all_shards(void **state)
{
    (void)state;
    struct world *w = query_world();
    like_all(w);
    play(w, "query all sum of likes:*");
    struct query_run_info run = gather(w, "gather all via R0", "all");
    assert_int_equal(run.end, GATHER_WHOLE);
    assert_int_equal(run.sum, 36);
    assert_int_equal(run.parts, 4);
    /* R0 is in zone a: to b and c and back, and the query. */
    assert_int_equal(run.ended_us - run.asked_us, 500 + 5000 + 500);
    assert_int_equal(world_shard(w, 0).served_reads, 1);
    play_holds(w);
    world_free(w);
}

static void a_top_is_the_best_over_all(void **state)
{
    (void)state;
    struct world *w = query_world();
    like_all(w);
    play(w, "query trending top 3 of likes:* bytes 20KB");
    struct query_run_info run = gather(w, "gather trending via R3", "trending");
    assert_int_equal(run.items, 3);
    assert_int_equal(run.item[0].value, 8);
    assert_int_equal(run.item[1].value, 7);
    assert_int_equal(run.item[2].value, 6);
    assert_int_equal(run.item[0].key, play_key(w, "likes:{p8}"));
    assert_true(run.entries > 3);
    world_free(w);
}

static void answers_from_another_zone_are_counted(void **state)
{
    (void)state;
    struct world *w = query_world();
    like_all(w);
    play(w, "shard add c");
    play(w, "move 12067 S4");
    play(w, "query trending top 3 of likes:* bytes 20KB");
    const struct {
        const char *words;
        uint64_t crossings;
    } zones[] = {{"gather trending via R0", 4}, /* leaders: one in a, two in b, two in c */
                 {"gather trending via R2", 3},
                 {"gather trending via R5", 3}};
    uint64_t before = 0;
    for (size_t i = 0; i < 3; i++) {
        gather(w, zones[i].words, "trending");
        assert_int_equal(info_of(w, "trending").crossings - before, zones[i].crossings);
        before = info_of(w, "trending").crossings;
    }
    assert_int_equal(info_of(w, "trending").crossed_bytes, 200000);
    world_free(w);
}

static void a_slow_part_is_hedged(void **state)
{
    (void)state;
    struct world *w = query_world();
    like_all(w);
    play(w, "query all sum of likes:*");
    play(w, "query all hedge 10");
    play(w, "times all 4 4");
    play(w, "times S2 50 50");
    struct query_run_info run = gather(w, "gather all via R0", "all");
    struct query_info info = info_of(w, "all");
    assert_int_equal(run.end, GATHER_WHOLE);
    assert_int_equal(run.sum, 36);
    assert_int_equal(info.hedges, 1);
    assert_int_equal(info.hedges_first, 0); /* its follower is as slow */
    assert_int_equal(run.slowest, 2);
    play(w, "times S2 4 4 slow 50 50 50");
    for (int i = 0; i < 40; i++) {
        run = gather(w, "gather all via R0", "all");
        assert_int_equal(run.sum, 36);
    }
    info = info_of(w, "all");
    assert_true(info.hedges > 5);
    assert_true(info.hedges_first > 0 && info.hedges_first < info.hedges);
    world_run_until(w, world_now(w) + US_PER_SECOND);
    info = info_of(w, "all");
    assert_int_equal(info.dropped, info.hedges); /* of each two answers one */
    assert_int_equal(info.parts, 41 * 4 + info.hedges);
    assert_true(world_all_quiet(w));
    play_holds(w);
    world_free(w);
}

static void a_timeout_makes_it_partial(void **state)
{
    (void)state;
    struct world *w = query_world();
    like_all(w);
    play(w, "query all sum of likes:*");
    play(w, "query all timeout 50");
    play(w, "times all 4 4");
    play(w, "times S2 100 100");
    struct query_run_info run = gather(w, "gather all via R0", "all");
    assert_int_equal(run.end, GATHER_PARTIAL);
    assert_int_equal(run.ended_us - run.asked_us, 50000);
    uint64_t missing = 0;
    for (int key = 1; key <= 8; key++) {
        char name[20];
        (void)snprintf(name, sizeof name, "likes:{p%d}", key);
        uint32_t k = play_key(w, name);
        missing += world_owner(w, world_key_slot(w, k)) == 2 ? world_value(w, 2, k) : 0;
    }
    assert_int_equal(run.sum, 36 - missing);
    assert_int_equal(info_of(w, "all").partial, 1);
    world_run_until(w, world_now(w) + US_PER_SECOND);
    assert_int_equal(info_of(w, "all").dropped, 1);
    assert_true(world_all_quiet(w));
    world_free(w);
}

static void a_deadline_is_kept(void **state)
{
    (void)state;
    struct world *w = query_world();
    like_all(w);
    play(w, "query all sum of likes:*");
    play(w, "query all deadline 30");
    play(w, "times all 4 4");
    play(w, "times S2 100 100");
    struct query_run_info run = gather(w, "gather all via R0", "all");
    assert_int_equal(run.end, GATHER_PARTIAL);
    assert_int_equal(run.ended_us - run.asked_us, 30000);
    /* With a timeout as well the shard that was given up is asked again, as long as there is time.
     */
    play(w, "query all timeout 10");
    play(w, "query all deadline 200");
    play(w, "times S2 4 4");
    play(w, "gather all via R0");
    play(w, "times S2 15 15");
    world_run_until(w, world_now(w) + 2000); /* the question has not arrived yet everywhere */
    play(w, "times S2 4 4");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    play_holds(w);
    world_free(w);
}

static void a_refused_part_is_missing(void **state)
{
    (void)state;
    struct world *w = query_world();
    like_all(w);
    play(w, "query all sum of likes:*");
    play(w, "ceiling S2 100 10"); /* one token is in the bucket */
    struct query_run_info run = gather(w, "gather all via R0", "all");
    assert_int_equal(run.end, GATHER_WHOLE);
    run = gather(w, "gather all via R0", "all");
    assert_int_equal(run.end, GATHER_PARTIAL);
    bool refused = false;
    for (uint32_t i = 0; i < run.parts; i++) {
        refused = refused || (run.part[i].shard == 2 && run.part[i].refused);
    }
    assert_true(refused);
    world_free(w);
}

/* A slot moves between the answer of its source and that of its target. */
static struct world *moving_world(void)
{
    struct world *w = query_world();
    like_all(w);
    play(w, "query all sum of likes:*");
    play(w, "times all 2 2");
    return w;
}

/* S3 is asked late: its question is held up until slot 12067 (of S2) is its own. */
static struct query_run_info gather_over_a_move(struct world *w)
{
    play(w, "gather all via R0");
    uint64_t number = 0;
    for (uint64_t i = trace_next(w); i > trace_first(w) && number == 0; i--) {
        const struct trace_record *r = trace_get(w, i - 1);
        number = r->to.kind == NODE_SHARD && r->to.index == 3 ? r->request : 0;
    }
    char words[40];
    (void)snprintf(words, sizeof words, "hold %u 20", (unsigned)number);
    play(w, words);
    world_run_until(w, world_now(w) + 10000);
    play(w, "move 8192-12287 S3");
    assert_true(world_run_until_answered(w, 10 * US_PER_SECOND));
    play_holds(w);
    return last_of(w, "all");
}

static void answers_of_two_epochs_are_not_merged(void **state)
{
    (void)state;
    struct world *w = moving_world();
    struct query_run_info run = gather_over_a_move(w);
    assert_int_equal(run.end, GATHER_WHOLE);
    assert_int_equal(run.sum, 36);
    assert_int_equal(info_of(w, "all").clashes, 1);
    world_free(w);
}

static void without_the_rule_a_slot_counts_twice(void **state)
{
    (void)state;
    struct world *w = moving_world();
    struct err err = {{0}};
    play(w, "rule one-epoch-a-slot off");
    play(w, "gather all via R0");
    uint64_t number = 0;
    for (uint64_t i = trace_next(w); i > trace_first(w) && number == 0; i--) {
        const struct trace_record *r = trace_get(w, i - 1);
        number = r->to.kind == NODE_SHARD && r->to.index == 3 ? r->request : 0;
    }
    char words[40];
    (void)snprintf(words, sizeof words, "hold %u 20", (unsigned)number);
    play(w, words);
    world_run_until(w, world_now(w) + 10000);
    play(w, "move 8192-12287 S3");
    assert_true(world_run_until_answered(w, 10 * US_PER_SECOND));
    assert_true(last_of(w, "all").sum > 36);
    assert_false(invariant_hold(w, &err));
    assert_true(str_starts(err.text, "slot-once: "));
    world_free(w);
}

/* Neither has it: the target has answered before the move, the source is asked after it. */
static void a_slot_in_no_answer_is_asked_for_again(void **state)
{
    (void)state;
    struct world *w = moving_world();
    play(w, "gather all via R0");
    uint64_t number = 0;
    for (uint64_t i = trace_next(w); i > trace_first(w) && number == 0; i--) {
        const struct trace_record *r = trace_get(w, i - 1);
        number = r->to.kind == NODE_SHARD && r->to.index == 2 ? r->request : 0;
    }
    char words[40];
    (void)snprintf(words, sizeof words, "hold %u 20", (unsigned)number);
    play(w, words);
    world_run_until(w, world_now(w) + 10000);
    play(w, "move 12067 S3");
    assert_true(world_run_until_answered(w, 10 * US_PER_SECOND));
    struct query_run_info run = last_of(w, "all");
    assert_int_equal(run.end, GATHER_WHOLE);
    assert_int_equal(run.sum, 36);
    assert_int_equal(info_of(w, "all").parts, 5);
    world_free(w);
}

static void a_frozen_slot_is_waited_for(void **state)
{
    (void)state;
    struct world *w = moving_world();
    play(w, "freeze 12067 S2 on");
    play(w, "gather all via R0");
    world_run_until(w, world_now(w) + 25000);
    play(w, "freeze 12067 S2 off");
    assert_true(world_run_until_answered(w, 10 * US_PER_SECOND));
    assert_int_equal(last_of(w, "all").end, GATHER_WHOLE);
    assert_int_equal(last_of(w, "all").sum, 36);
    /* For ever frozen: it ends all the same, and says what it is. */
    play(w, "freeze 12067 S2 on");
    struct query_run_info run = gather(w, "gather all via R0", "all");
    assert_int_equal(run.end, GATHER_PARTIAL);
    play_holds(w);
    world_free(w);
}

static void an_old_map_is_no_harm(void **state)
{
    (void)state;
    struct world *w = moving_world();
    play(w, "shard add c");
    play(w, "deaf R5 on");
    play(w, "move 12067 S4");
    struct query_run_info run = gather(w, "gather all via R5", "all");
    assert_int_equal(run.end, GATHER_WHOLE);
    assert_int_equal(run.sum, 36);
    assert_int_equal(run.parts, 5);
    world_free(w);
}

static void a_popular_query_is_computed_once_a_second(void **state)
{
    (void)state;
    struct world *w = query_world();
    like_all(w);
    play(w, "query trending top 3 of likes:* bytes 20KB");
    play(w, "gather trending 100 steady");
    world_run_until(w, world_now(w) + 2 * US_PER_SECOND);
    uint64_t before = info_of(w, "trending").parts;
    assert_true(before >= 4 * 199);
    play(w, "popular trending zone a every 1000");
    world_run_until(w, (world_now(w) / US_PER_SECOND + 2) * US_PER_SECOND);
    before = info_of(w, "trending").parts;
    uint64_t answered = info_of(w, "trending").from_result;
    world_run_until(w, world_now(w) + 3 * US_PER_SECOND);
    assert_int_equal(info_of(w, "trending").parts - before, 3 * 4);
    assert_int_equal(info_of(w, "trending").from_result - answered, 300);
    assert_true(info_of(w, "trending").result_age_us <= US_PER_SECOND);
    play_holds(w);
    play(w, "popular trending off");
    play(w, "gather trending 0");
    world_run_until(w, world_now(w) + US_PER_SECOND);
    assert_true(world_all_quiet(w));
    world_free(w);
}

static void a_router_dies_with_its_queries(void **state)
{
    (void)state;
    struct world *w = query_world();
    like_all(w);
    play(w, "query all sum of likes:*");
    play(w, "gather all via R1");
    world_run_until(w, world_now(w) + 1000);
    play(w, "crash R1 500");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    assert_int_equal(info_of(w, "all").failed, 1);
    play(w, "gather all via R1");
    assert_int_equal(info_of(w, "all").failed, 2);
    play_holds(w);
    world_run_until(w, world_now(w) + US_PER_SECOND);
    assert_true(world_all_quiet(w));
    world_free(w);
}

static void a_lost_part_is_given_up_by_patience(void **state)
{
    (void)state;
    struct world *w = query_world();
    like_all(w);
    play(w, "query all sum of likes:*");
    play(w, "patience 40 200");
    play(w, "network loss 30%");
    for (int i = 0; i < 40; i++) {
        play(w, "gather all via R2");
        assert_true(world_run_until_answered(w, US_PER_SECOND));
        play_holds(w);
    }
    struct query_info info = info_of(w, "all");
    assert_int_equal(info.asked, 40);
    assert_int_equal(info.whole + info.partial + info.failed, 40);
    assert_true(info.whole > 0 && info.partial > 0);
    world_free(w);
}

static void a_key_by_key_move_is_seen(void **state)
{
    (void)state;
    struct world *w = moving_world();
    play(w, "request edit post:{p9} via R0");
    world_run_until(w, world_now(w) + US_PER_SECOND);
    play(w, "shift 12067 S3 open");
    struct query_run_info run = gather(w, "gather all via R0", "all");
    assert_int_equal(run.end, GATHER_WHOLE); /* none has gone */
    play(w, "shift 12067 S3 10");
    run = gather(w, "gather all via R0", "all");
    assert_int_equal(run.end, GATHER_PARTIAL); /* some here, some there: nobody has it whole */
    assert_int_equal(run.sum, 36);
    play_holds(w);
    play(w, "gather all via R0");
    play(w, "shift 12067 finish");
    run = gather(w, "gather all via R0", "all");
    assert_int_equal(run.end, GATHER_WHOLE);
    assert_int_equal(run.sum, 36);
    play_holds(w);
    world_free(w);
}

/* What a journal writes of it has no second span. */
static void none_slow_is_no_second_span(void **state)
{
    (void)state;
    struct world *one = query_world();
    struct world *other = query_world();
    play(one, "times S0 1 5 slow 0 100 200");
    play(other, "times S0 1 5");
    assert_true(digest_equal(world_digest(one), world_digest(other)));
    world_free(one);
    world_free(other);
}

static void copies_go_on_alike(void **state)
{
    (void)state;
    struct world *w = query_world();
    like_all(w);
    play(w, "query all sum of likes:*");
    play(w, "query all hedge 5");
    play(w, "times all 3 7 slow 5 50 200");
    play(w, "gather all 200 poisson");
    world_run_until(w, world_now(w) + US_PER_SECOND);
    struct world *copy = world_copy(w);
    for (int i = 0; i < 20; i++) {
        world_run_until(w, world_now(w) + 50000);
        world_run_until(copy, world_now(copy) + 50000);
        assert_true(digest_equal(world_digest(w), world_digest(copy)));
        play_holds(w);
    }
    world_free(copy);
    world_free(w);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    struct world *w = query_world();
    play_refused(w, "query all sum of likes:*", "this world has no keys yet; ask for one first");
    like_all(w);
    play_refused(w, "gather all via R0",
                 "no query \"all\" is defined; begin with: query all sum of likes:*");
    play_refused(
        w, "query all sum of likes:", "a query is about keys that begin alike, as in likes:*");
    play_refused(w, "query all top 17 of likes:*", "a top has 1 to 16 entries");
    play_refused(w, "times S9 3 7", "no shard S9: this world has S0 to S3");
    play_refused(w, "times all 7 3",
                 "a time is drawn between two, the shorter first, at most 60 s");
    play(w, "query all sum of likes:*");
    play_refused(w, "gather all via R9", "no router R9: this world has R0 to R5");
    play_refused(w, "popular all zone d every 1000", "no zone d: this world has a to c");
    play(w, "query all drop");
    assert_int_equal(world_queries(w), 0);
    world_free(w);
}

static void commands_say_themselves(void **state)
{
    (void)state;
    static const char *const words[] = {
        "query trending top 10 of likes:* bytes 20000",
        "query all sum of likes:*",
        "query all hedge 10",
        "query all ask 3",
        "query all ask all",
        "query all timeout off",
        "query all deadline 0.5",
        "query all drop",
        "gather trending via R3",
        "gather trending 1000 scattered",
        "popular trending zone a every 1000",
        "popular trending off",
        "times all 3 7 slow 1 50 200",
        "times S2 3 7 slow 0.5 50 200",
        "times S2 off",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct command c;
        struct err err = {{0}};
        struct str out = STR_EMPTY;
        if (!command_parse(words[i], &c, &err)) {
            fail_msg("%s: %s", words[i], err.text);
        }
        command_say(&c, &out);
        assert_string_equal(str_text(&out), words[i]);
        str_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sum_is_that_of_all_shards),
        cmocka_unit_test(a_top_is_the_best_over_all),
        cmocka_unit_test(answers_from_another_zone_are_counted),
        cmocka_unit_test(a_slow_part_is_hedged),
        cmocka_unit_test(a_timeout_makes_it_partial),
        cmocka_unit_test(a_deadline_is_kept),
        cmocka_unit_test(a_refused_part_is_missing),
        cmocka_unit_test(answers_of_two_epochs_are_not_merged),
        cmocka_unit_test(without_the_rule_a_slot_counts_twice),
        cmocka_unit_test(a_slot_in_no_answer_is_asked_for_again),
        cmocka_unit_test(a_frozen_slot_is_waited_for),
        cmocka_unit_test(an_old_map_is_no_harm),
        cmocka_unit_test(a_popular_query_is_computed_once_a_second),
        cmocka_unit_test(a_router_dies_with_its_queries),
        cmocka_unit_test(a_lost_part_is_given_up_by_patience),
        cmocka_unit_test(a_key_by_key_move_is_seen),
        cmocka_unit_test(none_slow_is_no_second_span),
        cmocka_unit_test(copies_go_on_alike),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(commands_say_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
