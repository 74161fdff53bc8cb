/*
 * What networks and machines do: messages lost, doubled and held up; nodes that die and come back.
 */
#include "play.h"

#include "engine/faults/faults.h"
#include "engine/guards/guards.h"
#include "engine/state.h"

/* Routers lose patience after 20 ms, clients after 400. */
static struct world *patient_world(void)
{
    struct world_config c = play_config();
    c.timeout_us = 20000;
    c.client_timeout_us = 400000;
    c.recent_max = 32;
    c.requests_max = 512;
    c.events_max = 4096;
    return play_new(&c);
}

static uint64_t value_of(const struct world *w, const char *key)
{
    uint32_t index = play_key(w, key);
    return world_value(w, world_owner(w, world_key_slot(w, index)), index);
}

static void the_words_come_back_as_they_were(void **state)
{
    (void)state;
    static const char *const words[] = {
        "network calm",
        "network loss 5%",
        "network loss 0.25% double 1% delay 10% 50",
        "network double 50%",
        "network delay 100% 0.5",
        "crash R4",
        "crash S2 0.25",
        "crash R0 150",
        "hold 3 49.5",
        "network delay 0% 27",
        "network double 33% delay 0% 40",
        "patience 20",
        "patience 20 100",
        "patience 0",
        "patience 0 50",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct command c;
        struct err err = {{0}};
        struct str text = STR_EMPTY;
        assert_true(command_parse(words[i], &c, &err));
        command_say(&c, &text);
        assert_string_equal(str_text(&text), words[i]);
        str_free(&text);
    }
}

static void expect_no_command(const char *words, const char *sentence)
{
    struct command c;
    struct err err = {{0}};
    assert_false(command_parse(words, &c, &err));
    assert_string_equal(err.text, sentence);
}

static void wrong_words_are_explained(void **state)
{
    (void)state;
    expect_no_command("network loss 5", "\"5\" is no percentage; write 5% or 0.25%");
    expect_no_command("network loss 101%", "\"101%\" is no percentage; write 5% or 0.25%");
    expect_no_command("network loss .5%", "\".5%\" is no percentage; write 5% or 0.25%");
    expect_no_command("network loss 1.%", "\"1.%\" is no percentage; write 5% or 0.25%");
    expect_no_command("network loss 1.00001%", "\"1.00001%\" is no percentage; write 5% or 0.25%");
    expect_no_command("network", "calm or loss ... is missing; write: network calm | network loss "
                                 "PCT% double PCT% delay PCT% UP_TO_MS");
    expect_no_command("network slow",
                      "\"slow\" is neither calm nor loss, double or delay; write: network calm | "
                      "network loss PCT% double PCT% delay PCT% UP_TO_MS");
    expect_no_command("crash X4", "\"X4\" is no router and no shard; write R4 or S2");
    expect_no_command("crash", "the router or shard is missing; write: crash R4|S2 [FOR_MS]");
    expect_no_command("crash Rx", "\"Rx\" is no router; write R and its number, as in R3");

    struct world *w = patient_world();
    play_refused(w, "crash R6", "no router R6: this world has R0 to R5");
    play_refused(w, "crash S4", "no shard S4: this world has S0 to S3");
    play_refused(w, "crash S1 0", "a node is down for more than 0 and at most 3600000 ms");
    play_refused(w, "network delay 5% 0",
                 "messages are held up for more than 0 and at most 60000 ms");
    play_refused(w, "network delay 0% 27",
                 "a delay of 0% of all messages holds none of them up; write a larger percentage, "
                 "or leave the delay out");
    play(w, "network delay 0% 0"); /* the same as calm */
    play(w, "crash S1");
    play_refused(w, "crash S1", "S1 is down already");
    world_free(w);

    w = play_world();
    play_refused(w, "network loss 1%",
                 "routers and clients of this world wait for ever: after a lost message a request "
                 "would hang; first give them patience: patience 20");
    world_free(w);
}

static void patience_lets_messages_be_lost(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.recent_max = 32;
    c.requests_max = 512;
    c.events_max = 4096;
    struct world *w = play_new(&c);
    uint64_t from = trace_next(w);
    play(w, "patience 20");
    play_expect(w, from,
                "20:00:00.000000  operator  routers wait 20 ms for a shard, clients 200 ms for a "
                "router\n");
    play(w, "network loss 20%");
    for (int i = 0; i < 50; i++) {
        play(w, i % 2 == 0 ? "request like likes:{p9} via R3" : "request read likes:{p9} via R1");
        assert_true(world_run_until_answered(w, US_PER_SECOND));
    }
    assert_true(world_faults(w, FAULT_LOSS) > 0);
    play_refused(w, "patience 0",
                 "the network loses messages, and who waits for ever for a lost one hangs; first: "
                 "network calm");
    play_refused(w, "patience 20 0",
                 "the network loses messages, and who waits for ever for a lost one hangs; first: "
                 "network calm");
    play_refused(w, "patience 600001",
                 "patience is 0 (for ever) to 600000 ms, for clients as for routers");
    play(w, "network calm");
    from = trace_next(w);
    play(w, "patience 0");
    struct str prose = play_prose(w, from);
    assert_non_null(strstr(str_text(&prose),
                           "operator  routers wait for a shard for ever, clients for a router for "
                           "ever"));
    str_free(&prose);
    world_run_until(w, world_now(w) + US_PER_SECOND);
    assert_true(world_all_quiet(w));
    play_holds(w);
    world_free(w);
}

/* What was asked before there was patience has no timer: it must not be lost, and is told at once.
 */
static void who_asked_without_patience_is_not_left_hanging(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "request like likes:{p9} via R4");
    world_run_until(w, world_now(w) + 300); /* it is at R4 */
    play(w, "patience 20");
    play_refused(w, "network loss 5%",
                 "requests that were asked before `patience` are under way and would hang if they "
                 "were lost; let time run until they are over");
    play(w, "crash S2 1000");
    assert_true(world_run_until_answered(w, 10 * US_PER_MS));
    struct request_info info;
    assert_true(world_request(w, world_last_request(w), &info));
    assert_int_equal(info.outcome, OUTCOME_FAILED);
    play(w, "network loss 5%"); /* it is over */
    play(w, "request like likes:{p9} via R4");
    assert_false(world_run_until_answered(w, 50 * US_PER_MS)); /* this one waits, and asks again */
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    world_free(w);
}

/* Each waits as long as was said when it was asked, and is told so. */
static void a_change_of_patience_is_for_what_is_asked_later(void **state)
{
    (void)state;
    struct world *w = patient_world(); /* 20 ms */
    play(w, "crash S2 100");
    uint64_t from = trace_next(w);
    play(w, "request read likes:{p9} via R0");
    world_run_until(w, world_now(w) + 10 * US_PER_MS);
    play(w, "patience 30 300");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    struct str prose = play_prose(w, from);
    const char *first = strstr(str_text(&prose), "has waited 20 ms for S2, in vain");
    assert_non_null(first);
    assert_non_null(strstr(first, "has waited 30 ms for S2, in vain"));
    assert_null(strstr(first + 1, "has waited 20 ms"));
    str_free(&prose);
    play_holds(w);
    world_free(w);
}

static void a_lost_answer_is_asked_for_again_and_applied_once(void **state)
{
    (void)state;
    struct world *w = patient_world();
    play(w, "request like likes:{p9} via R0");
    while (value_of(w, "likes:{p9}") == 0) { /* the shard has applied it, the answer is under way */
        assert_true(world_step(w));
    }
    play(w, "network loss 100%");
    uint64_t from = trace_next(w);
    while (world_faults(w, FAULT_LOSS) == 0) {
        assert_true(world_step(w));
    }
    play(w, "network calm");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    struct str prose = play_prose(w, from);
    const char *text = str_text(&prose);
    assert_non_null(strstr(text, "S2 -> R0  the answer (like likes:{p9}) is lost on the way"));
    assert_non_null(strstr(text, "has waited 20 ms for S2, in vain"));
    str_free(&prose);
    struct request_info info;
    assert_true(world_request(w, world_last_request(w), &info));
    assert_int_equal(info.outcome, OUTCOME_OK);
    assert_int_equal(info.asks, 2); /* both times S2: nobody said MOVED */
    assert_int_equal(info.timeouts, 1);
    assert_int_equal(value_of(w, "likes:{p9}"), 1);
    play_holds(w);
    world_free(w);
}

static void without_its_memory_a_shard_applies_it_twice(void **state)
{
    (void)state;
    struct world *w = patient_world();
    play(w, "rule once-per-operation off");
    play(w, "network double 100%");
    play(w, "request like likes:{p9} via R0");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    world_run_until(w, world_now(w) + US_PER_SECOND);
    assert_int_equal(value_of(w, "likes:{p9}"), 2);
    play_breaks(w, "conservation: S2 holds 2 likes of likes:{p9}, but 1 were applied");
    world_free(w);
}

static void doubled_messages_change_nothing(void **state)
{
    (void)state;
    struct world *w = patient_world();
    play(w, "network double 100%");
    for (int i = 0; i < 20; i++) {
        play(w, i % 2 == 0 ? "request like likes:{p9} via R3" : "request read likes:{p9} via R1");
        assert_true(world_run_until_answered(w, US_PER_SECOND));
        play_holds(w);
    }
    world_run_until(w, world_now(w) + US_PER_SECOND);
    assert_int_equal(value_of(w, "likes:{p9}"), 10);
    assert_int_equal(world_acked(w, play_key(w, "likes:{p9}")), 10);
    assert_int_equal(world_faults(w, FAULT_DOUBLE),
                     20 * 5); /* four messages, and a second answer */
    assert_true(world_all_quiet(w));
    world_free(w);
}

static void a_message_is_held_up_once_and_no_longer_than_told(void **state)
{
    (void)state;
    struct world *w = patient_world();
    play(w, "network delay 100% 3");
    int64_t begun = world_now(w);
    struct request_info info = play_request(w, "request read post:{p9} via R2");
    assert_int_equal(info.outcome, OUTCOME_OK);
    int64_t plain = 250 + 500 + 5500 + 250; /* client, shard and back, client */
    assert_in_range(world_now(w) - begun, plain + 4, plain + 4 * 3000);
    assert_int_equal(world_faults(w, FAULT_DELAY), 4);
    world_free(w);
}

/* However much is lost, every request ends, and what was acknowledged is there. */
static void every_request_ends_though_half_the_messages_are_lost(void **state)
{
    (void)state;
    struct world *w = patient_world();
    play(w, "network loss 50%");
    play(w, "flow like likes:{p9} 100");
    play(w, "flow read likes:{p9} 100");
    play(w, "move 12067 S3");
    for (int i = 0; i < 20000; i++) {
        assert_true(world_step(w));
        play_holds(w);
    }
    struct err err = {{0}};
    assert_false(world_stopped(w, &err));
    play(w, "network calm");
    play(w, "flow like likes:{p9} 0");
    play(w, "flow read likes:{p9} 0");
    world_run_until(w, world_now(w) + 2 * US_PER_SECOND);
    assert_true(world_all_quiet(w));
    play_holds(w);
    assert_in_range(world_acked(w, play_key(w, "likes:{p9}")), 20, value_of(w, "likes:{p9}"));
    world_free(w);
}

/* A map that nobody waits for is asked for until it comes. */
static void a_lost_map_is_asked_for_again(void **state)
{
    (void)state;
    struct world *w = patient_world();
    play(w, "deaf R5 on");
    play(w, "move 12067 S3");
    play(w, "network loss 100%");
    uint64_t from = trace_next(w);
    play(w, "reload R5");
    world_run_until(w, world_now(w) + 50000);
    assert_int_equal(world_router(w, 5).map_version, 7);
    play(w, "network calm");
    world_run_until(w, world_now(w) + 50000);
    assert_int_equal(world_router(w, 5).map_version, 8);
    struct str prose = play_prose(w, from);
    assert_non_null(
        strstr(str_text(&prose), "R5 -> directory  the map, please, once more; mine is version 7"));
    str_free(&prose);
    world_free(w);
}

/* No map in time is no failure of the shard that was asked before. */
static void a_map_that_does_not_come_is_not_put_down_to_a_shard(void **state)
{
    (void)state;
    struct world *w = patient_world();
    play(w, "breaker on");
    play(w, "deaf R5 on");
    play(w, "move 12067 S3");
    uint64_t from = trace_next(w);
    play(w, "request read likes:{p9} via R5");
    while (trace_get(w, trace_next(w) - 1)->kind != TRACE_FETCH) { /* S2 has said MOVED */
        assert_true(world_step(w));
    }
    play(w, "network loss 100%");
    world_run_until(w, world_now(w) + 15000);
    play(w, "network calm");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    struct request_info info;
    assert_true(world_request(w, world_last_request(w), &info));
    assert_int_equal(info.outcome, OUTCOME_OK);
    assert_int_equal(info.asks, 3); /* S2 twice, by the old map, and S3 */
    assert_int_equal(info.timeouts, 0);
    assert_int_equal(guards_breaker(w, 5, 2).failures, 0);
    struct str prose = play_prose(w, from);
    assert_non_null(strstr(str_text(&prose), "R5  has waited 20 ms for the directory, in vain"));
    str_free(&prose);
    play_holds(w);
    world_free(w);
}

static void a_router_that_dies_fails_what_it_had_in_hand(void **state)
{
    (void)state;
    struct world *w = play_world(); /* nobody loses patience: clients are told */
    play(w, "request like likes:{p9} via R4");
    world_run_until(w, world_now(w) + 300); /* it is at R4 */
    uint64_t from = trace_next(w);
    play(w, "crash R4 100");
    play(w, "request read likes:{p9} via R4");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    play_expect(
        w, from,
        "20:00:00.000300  operator -> R4  dies, for 100 ms\n"
        "20:00:00.000300  R4  dies; back in 100 ms\n"
        "20:00:00.000300  R4 -> client c  failed: R4 died with it in hand\n"
        "20:00:00.000300  client c -> R4  read likes:{p9}\n"
        "20:00:00.000500  S2 -> R4  OK, the counter is 1\n"
        "20:00:00.000550  client c -> R4  the request (read likes:{p9}) finds nobody there: "
        "the node is down\n"
        "20:00:00.000550  R4 -> client c  failed: R4 is down\n");
    world_run_until(w, world_now(w) + US_PER_SECOND);
    play_holds(w); /* the like is in the store, and its client knows that it may be */
    assert_int_equal(value_of(w, "likes:{p9}"), 1);
    assert_int_equal(world_acked(w, play_key(w, "likes:{p9}")), 0);
    assert_int_equal(play_request(w, "request like likes:{p9} via R4").outcome, OUTCOME_OK);
    world_free(w);
}

static void a_router_comes_back_with_the_newest_map(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "crash R4 100");
    play(w, "move 12067 S3");
    world_run_until(w, world_now(w) + 99000);
    assert_int_equal(world_router(w, 4).map_version, 7);
    world_run_until(w, world_now(w) + 10000);
    assert_int_equal(world_router(w, 4).map_version, 8);
    struct request_info info = play_request(w, "request like likes:{p9} via R4");
    assert_int_equal(info.asks, 1);
    assert_int_equal(info.shard, 3);
    world_free(w);
}

/* What was asked first is answered last, and not by luck. */
static void a_held_request_is_overtaken(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "request read likes:{p9} via R0");
    uint64_t first = world_last_request(w);
    world_run_until(w, world_now(w) + 300); /* its query is on its way */
    uint64_t from = trace_next(w);
    play(w, "hold 1 50");
    play(w, "request like likes:{p9} via R0");
    world_run_until(w, world_now(w) + 20000);
    struct request_info like;
    struct request_info read;
    assert_true(world_request(w, world_last_request(w), &like));
    assert_true(world_request(w, first, &read));
    assert_int_equal(like.outcome, OUTCOME_OK);
    assert_false(read.done);
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    assert_true(world_request(w, first, &read));
    assert_int_equal(read.value, 1);
    assert_int_equal(read.ended_us - read.issued_us, 300 + 50000 + 5500 + 250);
    assert_int_equal(world_faults(w, FAULT_DELAY), 1); /* the answer came after the hold */
    struct str prose = play_prose(w, from);
    assert_non_null(strstr(str_text(&prose), "operator  what is on its way for request 1 is held "
                                             "up for 50 ms"));
    assert_non_null(strstr(str_text(&prose), "R0 -> S2  the query (read likes:{p9}) is held up on "
                                             "the way for 49.55 ms"));
    str_free(&prose);
    play_holds(w);
    assert_true(world_all_quiet(w));
    world_free(w);
}

static void a_hold_names_a_request_that_is_under_way(void **state)
{
    (void)state;
    struct world *w = play_world();
    play_refused(w, "hold 1 50",
                 "no request of number 1 is under way; requests are numbered as they come, from 1, "
                 "and the last one has number 0");
    for (int i = 0; i < 9; i++) {
        play(w, "request read likes:{p9} via R0");
    }
    play_refused(w, "hold 1 0", "messages are held up for more than 0 and at most 60000 ms");
    static const char *const holds[] = {"hold 1 50", "hold 2 50", "hold 3 50", "hold 4 50",
                                        "hold 5 50", "hold 6 50", "hold 7 50", "hold 8 50",
                                        "hold 4 60"}; /* the same one, longer */
    for (size_t i = 0; i < sizeof holds / sizeof *holds; i++) {
        play(w, holds[i]);
    }
    play_refused(w, "hold 9 50", "8 requests are held up already; wait until one of them goes on");
    int64_t begun = world_now(w);
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    assert_in_range(world_now(w) - begun, 60000, 70000);
    play_refused(w, "hold 5 50",
                 "no request of number 5 is under way; requests are numbered as they come, from 1, "
                 "and the last one has number 9");
    play(w, "request read likes:{p9} via R0");
    play(w, "hold 10 50"); /* the others are over */
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    play_holds(w);
    world_free(w);
}

static void a_shard_that_dies_keeps_its_store_and_loses_its_queue(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.write_ceiling = 10; /* one at once, the others queue */
    c.queue = 5;
    struct world *w = play_new(&c);
    for (int i = 0; i < 4; i++) {
        play(w, "request like likes:{p9} via R4");
    }
    world_run_until(w, world_now(w) + 10000);
    assert_int_equal(value_of(w, "likes:{p9}"), 1);
    uint64_t from = trace_next(w);
    play(w, "crash S2 50");
    struct request_info info;
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    assert_true(world_request(w, world_last_request(w), &info));
    assert_int_equal(info.outcome, OUTCOME_FAILED);
    struct str prose = play_prose(w, from);
    assert_non_null(strstr(str_text(&prose), "R4 -> client c  failed: S2 is down"));
    str_free(&prose);
    info = play_request(w, "request read likes:{p9} via R4"); /* it is still down */
    assert_int_equal(info.outcome, OUTCOME_FAILED);
    world_run_until(w, world_now(w) + 100000);
    info = play_request(w, "request read likes:{p9} via R4");
    assert_int_equal(info.outcome, OUTCOME_OK);
    assert_int_equal(info.value, 1); /* those in its queue were never served */
    play_holds(w);
    world_free(w);
}

static void who_has_patience_asks_a_shard_until_it_is_back(void **state)
{
    (void)state;
    struct world *w = patient_world();
    play(w, "crash S2 50");
    struct request_info info = play_request(w, "request like likes:{p9} via R4");
    assert_int_equal(info.outcome, OUTCOME_OK);
    assert_int_equal(info.asks, 4); /* at 0, 20, 40 and 60 ms */
    assert_int_equal(value_of(w, "likes:{p9}"), 1);
    world_free(w);
}

static void what_a_shard_remembers_goes_along_with_a_key(void **state)
{
    (void)state;
    struct world *w = patient_world();
    play_request(w, "request like likes:{p9} via R4");
    uint32_t key = play_key(w, "likes:{p9}");
    uint32_t operation = (uint32_t)world_last_request(w);
    assert_true(faults_seen(w, 2, key, operation));
    assert_false(faults_seen(w, 2, key, operation + 1));
    assert_false(faults_seen(w, 3, key, operation));
    play(w, "move 12067 S3");
    assert_true(faults_seen(w, 3, key, operation));
    for (uint32_t i = 1; i <= 32; i++) { /* as many as it has room for: the oldest is forgotten */
        faults_remember(w, 3, key, operation + i);
    }
    assert_false(faults_seen(w, 3, key, operation));
    assert_true(faults_seen(w, 3, key, operation + 1));
    world_free(w);
}

/* The same seed, the same faults; and a copy goes on as the world does. */
static void faults_are_the_seeds(void **state)
{
    (void)state;
    struct digest end[3];
    for (int i = 0; i < 3; i++) {
        struct world *w = patient_world();
        play(w, "network loss 10% double 10% delay 30% 20");
        play(w, "flow like likes:{p9} 50");
        world_run_until(w, world_now(w) + US_PER_SECOND);
        play(w, "crash R3 200");
        if (i == 2) {
            struct world *copy = world_copy(w);
            world_free(w);
            w = copy;
        }
        world_run_until(w, world_now(w) + US_PER_SECOND);
        end[i] = world_digest(w);
        world_free(w);
    }
    assert_true(digest_equal(end[0], end[1]));
    assert_true(digest_equal(end[0], end[2]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_words_come_back_as_they_were),
        cmocka_unit_test(wrong_words_are_explained),
        cmocka_unit_test(patience_lets_messages_be_lost),
        cmocka_unit_test(who_asked_without_patience_is_not_left_hanging),
        cmocka_unit_test(a_change_of_patience_is_for_what_is_asked_later),
        cmocka_unit_test(a_lost_answer_is_asked_for_again_and_applied_once),
        cmocka_unit_test(without_its_memory_a_shard_applies_it_twice),
        cmocka_unit_test(doubled_messages_change_nothing),
        cmocka_unit_test(a_message_is_held_up_once_and_no_longer_than_told),
        cmocka_unit_test(every_request_ends_though_half_the_messages_are_lost),
        cmocka_unit_test(a_lost_map_is_asked_for_again),
        cmocka_unit_test(a_map_that_does_not_come_is_not_put_down_to_a_shard),
        cmocka_unit_test(a_router_that_dies_fails_what_it_had_in_hand),
        cmocka_unit_test(a_router_comes_back_with_the_newest_map),
        cmocka_unit_test(a_held_request_is_overtaken),
        cmocka_unit_test(a_hold_names_a_request_that_is_under_way),
        cmocka_unit_test(a_shard_that_dies_keeps_its_store_and_loses_its_queue),
        cmocka_unit_test(who_has_patience_asks_a_shard_until_it_is_back),
        cmocka_unit_test(what_a_shard_remembers_goes_along_with_a_key),
        cmocka_unit_test(faults_are_the_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
