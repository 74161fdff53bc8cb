/*
 * Pre-aggregation: twelve flushes for 2,400 likes, what a crash costs the count, and what a rebuild
 * gives back; each rule off, and the matching promise broken.
 */
#include "count.h"

#include "engine/writes/writes_inside.h"

#define DOZEN 12

static struct world *summed_world(const char *treatment)
{
    struct world *w = count_world();
    play(w, treatment);
    return w;
}

static void two_thousand_likes_are_a_dozen_writes(void **state)
{
    (void)state;
    struct world *w = summed_world("writes likes:{p9} summed");
    count_run(w, 2 * US_PER_SECOND);
    count_expect_asked(w, 200, 200, 150 + DOZEN, 200);
    count_run_to(w, "20:00:03.300");
    count_expect_asked(w, 200, 200, 150 + DOZEN, 200);
    /* Each router has half a second's likes at most, 600 in all on average. */
    uint64_t behind = 0;
    for (int i = 0; i < 100; i++) {
        count_run(w, 10000);
        struct count_info info = count_info(w);
        assert_int_equal(info.shown + info.buffered + info.on_way + info.unheard, info.durable);
        behind += info.buffered;
    }
    assert_in_range(behind / 100, 590, 610);
    count_settle(w);
    struct count_info info = count_info(w);
    assert_int_equal(info.shown, info.durable);
    assert_int_equal(info.told, info.durable);
    /* Nobody likes it: nothing is flushed. */
    uint64_t writes[4];
    count_asked(w, writes);
    assert_int_equal(writes[2], 0);
    world_free(w);
}

static void routers_flush_at_their_phases(void **state)
{
    (void)state;
    struct world *w = summed_world("writes likes:{p9} summed");
    static const char *const before[6] = {"20:00:02.226",    "20:00:02.309333", "20:00:02.392666",
                                          "20:00:02.475999", "20:00:02.559332", "20:00:02.142665"};
    for (uint16_t i = 0; i < 6; i++) {
        int64_t at = 0;
        struct world *one = world_copy(w);
        assert_true(num_parse_clock(before[i], &at, NULL));
        world_run_until(one, at); /* all before it: this router's buffer is full */
        assert_in_range(writes_buffered(one, play_key(w, COUNT), i), 199, 201);
        world_run_until(one, at + 1);
        assert_int_equal(writes_buffered(one, play_key(w, COUNT), i), 0);
        world_free(one);
    }
    world_free(w);
}

static void a_like_is_told_when_its_row_is_durable_and_shows_after_the_flush(void **state)
{
    (void)state;
    struct world_config c = count_config();
    struct world *w = play_new(&c);
    play(w, "writes likes:{p9} summed");
    uint64_t from = trace_next(w);
    struct request_info like = play_request(w, "request like likes:{p9} via R3");
    assert_int_equal(like.ended_us - like.issued_us, 250 + 250 + 2000 + 250 + 250);
    play_expect(w, from,
                "20:00:00.000000  client b -> R3  like likes:{p9}\n"
                "20:00:00.000250  R3  stores the row of this like in `liked` first\n"
                "20:00:00.002750  R3 -> client b  OK: it is in `liked`, and R3 adds it to its "
                "sum\n");
    assert_int_equal(count_info(w).durable, 1);
    assert_int_equal(play_request(w, "request read likes:{p9} via R3").value, 0);
    from = trace_next(w);
    count_run_to(w, "20:00:00.500");
    play_expect(w, from,
                "20:00:00.475999  R3  flushes 1 like to likes:{p9}:r3: it writes 1, sequence 1\n"
                "20:00:00.475999  R3 -> S2  flush likes:{p9}:r3 (slot 12067, as map version 7 "
                "says)\n"
                "20:00:00.476499  S2 -> R3  OK\n");
    assert_int_equal(play_request(w, "request read likes:{p9} via R3").value, 1);
    world_free(w);
}

/* --- a router that crashes --- */

static void r4_dies_just_before_its_flush_and_a_rebuild_makes_it_good(void **state)
{
    (void)state;
    struct world *w = summed_world("writes likes:{p9} summed");
    count_run_to(w, "20:00:06.059");
    uint64_t buffer = writes_buffered(w, play_key(w, COUNT), 4);
    assert_in_range(buffer, 195, 205);
    play(w, "crash R4 2000");
    count_run_to(w, "20:00:12");
    struct count_info info = count_info(w);
    assert_int_equal(info.lost, buffer);
    assert_int_equal(info.durable,
                     info.shown + info.buffered + info.on_way + info.unheard + buffer);
    assert_int_equal(info.forgotten, 0);
    play(w, "rebuild likes:{p9}"); /* while likes come */
    count_run(w, 300000);
    count_settle(w);
    info = count_info(w);
    assert_int_equal(info.shown, info.durable);
    assert_int_equal(info.fix, buffer + info.unheard); /* rows whose answer found R4 dead */
    assert_in_range(info.unheard, 0, 2);
    assert_int_equal(play_request(w, "request read likes:{p9} via R0").value, info.durable);
    world_free(w);
}

static uint64_t r4_in_store(const struct world *w)
{
    return world_value(w, 2, play_key(w, "likes:{p9}:r4"));
}

/* Three likes are in a flush that waits in S2's queue when R4 dies. It comes back at once, and
 * reads its sub-key before the flush is served; two likes follow, each with a flush of its own. */
static struct count_info dies_with_a_flush_in_the_air(const char *rule)
{
    struct world_config c = count_config();
    struct world *w = play_new(&c);
    play(w, rule);
    play(w, "ceiling S2 20 0 50");
    play(w, "writes likes:{p9} summed");
    for (int i = 0; i < 3; i++) {
        play(w, "request like likes:{p9} via R4");
    }
    world_run_until(w, EIGHT_PM + 50000);
    for (int i = 0; i < 8; i++) {
        play(w, "request like likes:{p1} via R0"); /* S2 owns it as well */
    }
    world_run_until(w, EIGHT_PM + 59400); /* the flush has left */
    writes_crash(w, 4);
    writes_restart(w, 4);
    world_run_until(w, EIGHT_PM + 100000);
    assert_int_equal(r4_in_store(w), 0);
    play(w, "request like likes:{p9} via R4");
    world_run_until(w, EIGHT_PM + 1200000);
    bool claims = strstr(rule, " on") != NULL;
    struct err err = {{0}};
    assert_int_equal(r4_in_store(w), claims ? 4 : 3);
    assert_int_equal(writes_hold(w, &err), claims);
    assert_true(claims || str_starts(err.text, "flush-order"));
    play(w, "request like likes:{p9} via R4");
    world_run_until(w, EIGHT_PM + 3 * US_PER_SECOND);
    struct count_info info = count_info(w);
    world_free(w);
    return info;
}

static void a_flush_that_lands_before_the_claim_is_read_back(void **state)
{
    (void)state;
    struct count_info info = dies_with_a_flush_in_the_air("rule claim-on-restart on");
    assert_int_equal(info.durable, 5);
    assert_int_equal(info.shown, 5);
    assert_int_equal(info.lost, 0);
    /* Without the claim the old flush is taken, and then a new one puts the count back. */
    info = dies_with_a_flush_in_the_air("rule claim-on-restart off");
    assert_int_equal(info.durable, 5);
    assert_int_equal(info.shown, 2);
}

static void a_flush_that_comes_after_the_claim_is_refused(void **state)
{
    (void)state;
    struct world_config c = count_config();
    struct world *w = play_new(&c);
    play(w, "writes likes:{p9} summed");
    play(w, "request like likes:{p9} via R4");
    play(w, "request like likes:{p9} via R4");
    play(w, "freeze 12067 S2 on"); /* the flush comes back and waits */
    world_run_until(w, EIGHT_PM + 600000);
    writes_crash(w, 4);
    play(w, "freeze 12067 S2 off");
    writes_restart(w, 4);
    play(w, "request like likes:{p9} via R4");
    world_run_until(w, EIGHT_PM + 3 * US_PER_SECOND);
    play_holds(w);
    struct count_info info = count_info(w);
    assert_int_equal(info.lost, 2);
    assert_int_equal(info.shown, 1);
    play(w, "rebuild likes:{p9}");
    count_run(w, US_PER_SECOND);
    assert_int_equal(count_info(w).shown, 3);
    assert_int_equal(count_info(w).fix, 2);
    world_free(w);
}

static void likes_are_summed_while_a_router_reads_back(void **state)
{
    (void)state;
    struct world *w = summed_world("writes likes:{p9} summed");
    count_run(w, US_PER_SECOND);
    writes_crash(w, 4);
    play(w, "freeze 12067 S2 on");
    writes_restart(w, 4);
    count_run(w, 2 * US_PER_SECOND); /* it cannot read; its tries go on */
    assert_in_range(writes_buffered(w, play_key(w, COUNT), 4), 790, 801);
    play(w, "freeze 12067 S2 off");
    count_settle(w);
    struct count_info info = count_info(w);
    assert_int_equal(info.shown + info.lost + info.unheard, info.durable);
    world_free(w);
}

/* --- rebuilds --- */

/* What a rebuild in full traffic leaves too many once nobody likes any more. */
static int64_t overshoot(bool at_flushed, int64_t phase)
{
    struct world *w = summed_world("writes likes:{p9} summed");
    if (!at_flushed) {
        play(w, "rule recount-at-flushed off");
    }
    world_run_until(w, EIGHT_PM + US_PER_SECOND + phase);
    play(w, "rebuild likes:{p9}");
    world_run_until(w, EIGHT_PM + US_PER_SECOND + phase + 20000);
    count_flow(w, 9, 0);
    world_run_until(w, EIGHT_PM + 3 * US_PER_SECOND);
    struct count_info info = count_info(w);
    struct err err = {{0}};
    assert_int_equal(writes_hold(w, &err), at_flushed);
    world_free(w);
    return (int64_t)(info.shown - info.durable);
}

static void a_rebuild_in_traffic_leaves_out_what_routers_still_hold(void **state)
{
    (void)state;
    int64_t sum = 0;
    for (int i = 0; i < 12; i++) {
        assert_int_equal(overshoot(true, i * 7000), 0);
        sum += overshoot(false, i * 7000);
    }
    assert_in_range(sum / 12, 588, 612);
}

static void a_rebuild_corrects_downwards_too(void **state)
{
    (void)state;
    struct world_config c = count_config();
    struct world *w = play_new(&c);
    play(w, "writes likes:{p9} salted 4 random");
    uint32_t first = client_ask(w, OP_LIKE, play_key(w, COUNT), 0, 0, REASON_NONE);
    uint32_t operation = requests_in(w)[first].operation;
    for (int i = 0; i < 5; i++) {
        count_run(w, 20000);
        uint32_t again = client_ask(w, OP_LIKE, play_key(w, COUNT), 0, 0, REASON_NONE);
        requests_of(w)[again].operation = operation;
    }
    count_run(w, 20000);
    assert_int_equal(count_info(w).shown, 6);
    assert_int_equal(count_info(w).durable, 1);
    play(w, "rebuild likes:{p9}");
    count_run(w, 20000);
    assert_int_equal(count_info(w).fix, -5);
    assert_int_equal(play_request(w, "request read likes:{p9} via R1").value, 1);
    world_free(w);
}

/* --- rules off, and other ways to flush --- */

/* Each flush of R4 reaches S2 twice. */
static struct count_info flushes_sent_again(const char *treatment, const char *rule)
{
    struct world_config c = count_config();
    struct world *w = play_new(&c);
    play(w, "network double 100%");
    play(w, treatment);
    if (rule != NULL) {
        play(w, rule);
    }
    for (int i = 0; i < 3; i++) {
        play(w, "request like likes:{p9} via R4");
        world_run_until(w, world_now(w) + US_PER_SECOND);
    }
    world_run_until(w, world_now(w) + US_PER_SECOND);
    struct err err = {{0}};
    assert_int_equal(writes_hold(w, &err), count_info(w).shown == count_info(w).durable);
    struct count_info info = count_info(w);
    world_free(w);
    return info;
}

static void sent_again_an_increment_counts_twice_and_nothing_else_does(void **state)
{
    (void)state;
    static const char *const ways[] = {"writes likes:{p9} summed",
                                       "writes likes:{p9} summed window",
                                       "writes likes:{p9} summed merge"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct count_info info = flushes_sent_again(ways[i], NULL);
        assert_int_equal(info.durable, 3);
        assert_int_equal(info.shown, 3);
    }
    static const struct {
        size_t way;
        const char *rule;
        uint64_t shown, doubled;
    } off[] = {{0, "rule absolute-flush off", 6, 3},
               {1, "rule flush-sequence off", 6, 3},
               {2, "rule flush-sequence off", 3, 0}};
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++) {
        struct count_info info = flushes_sent_again(ways[off[i].way], off[i].rule);
        assert_int_equal(info.shown, off[i].shown);
        assert_int_equal(info.doubled, off[i].doubled);
        assert_int_equal(info.on_way, 0);
    }
}

/* What a read shows, and what it does not: the rows of `liked`, in every instant. */
static void bill_adds_up(const struct world *w)
{
    struct count_info i = count_info(w);
    assert_true(i.on_way < 100000 && i.lost < 100000 && i.doubled < 100000); /* none below zero */
    assert_int_equal((int64_t)(i.shown + i.lost + i.buffered + i.on_way + i.unheard) - i.fix,
                     (int64_t)(i.durable + i.unstored + i.doubled));
}

/* Bare increments; the answer to one of R4's flushes is lost, so it sends that one again. */
static void an_increment_that_was_repeated_is_counted_as_doubled(void **state)
{
    (void)state;
    struct world_config c = count_config();
    c.timeout_us = 100000;
    struct world *w = play_new(&c);
    play(w, "rule absolute-flush off");
    play(w, "writes likes:{p9} summed");
    count_flow(w, 9, 2400);
    world_run_until(w, EIGHT_PM + 2 * US_PER_SECOND);
    uint64_t from = trace_next(w);
    uint64_t flush = 0;
    while (flush == 0) { /* until the answer to a flush of R4 is under way */
        assert_true(world_step(w));
        bill_adds_up(w);
        for (; from < trace_next(w); from++) {
            const struct trace_record *r = trace_get(w, from);
            bool its = r->kind == TRACE_ANSWER && r->op == OP_FLUSH && r->to.index == 4;
            flush = its ? r->request : flush;
        }
    }
    assert_int_equal(count_info(w).doubled, 0);
    char hold[64];
    (void)snprintf(hold, sizeof hold, "hold %llu 150", (unsigned long long)flush);
    play(w, hold);
    for (int i = 0; i < 400; i++) {
        world_run_until(w, world_now(w) + 1000);
        bill_adds_up(w);
    }
    uint64_t doubled = count_info(w).doubled;
    assert_in_range(doubled, 190, 210);
    struct world *right = world_copy(w);
    play(right, "rule absolute-flush on"); /* the next flush is a total, and sets it right */
    for (int i = 0; i < 1000; i++) {
        world_run_until(right, world_now(right) + 1000);
        bill_adds_up(right);
    }
    assert_int_equal(count_info(right).doubled, 0);
    play_holds(right);
    world_free(right);
    play(w, "crash R4 100"); /* reads its sub-key back, the repeat in it */
    for (int i = 0; i < 600; i++) {
        world_run_until(w, world_now(w) + 1000);
        bill_adds_up(w);
    }
    count_flow(w, 9, 0);
    world_run_until(w, world_now(w) + 2 * US_PER_SECOND);
    bill_adds_up(w);
    struct count_info info = count_info(w);
    assert_int_equal(info.doubled, doubled);
    assert_int_equal(info.shown + info.lost + info.unheard, info.durable + doubled);
    world_free(w);
}

/* R4's first flush waits out a frozen slot; its second, sent when that is over, lands before it. */
static uint64_t older_flush_lands_last(const char *rule)
{
    struct world_config c = count_config();
    struct world *w = play_new(&c);
    play(w, rule);
    play(w, "writes likes:{p9} summed 50");
    play(w, "request like likes:{p9} via R4");
    play(w, "freeze 12067 S2 on");
    world_run_until(w, EIGHT_PM + 100000); /* it waits 10, 20, 40 ms */
    play(w, "request like likes:{p9} via R4");
    world_run_until(w, EIGHT_PM + 104000);
    play(w, "freeze 12067 S2 off");
    world_run_until(w, EIGHT_PM + 140000);
    play_request(w, "request read likes:{p9} via R0");
    world_run_until(w, EIGHT_PM + 400000);
    uint64_t shown = count_info(w).shown;
    struct err err = {{0}};
    assert_int_equal(writes_hold(w, &err), strstr(rule, " on") != NULL);
    world_free(w);
    return shown;
}

static void an_older_flush_that_lands_last_lowers_the_count_only_without_the_sequence(void **state)
{
    (void)state;
    assert_int_equal(older_flush_lands_last("rule flush-sequence on"), 2);
    assert_int_equal(older_flush_lands_last("rule flush-sequence off"), 1);
}

static void told_before_durable_a_like_can_be_lost_for_ever(void **state)
{
    (void)state;
    struct world *w = count_world();
    play(w, "rule durable-before-ack off");
    play(w, "writes likes:{p9} summed");
    count_run_to(w, "20:00:01.059");
    uint64_t buffer = writes_buffered(w, play_key(w, COUNT), 4);
    assert_in_range(buffer, 195, 205);
    play(w, "crash R4 1000");
    struct count_info info = count_info(w);
    assert_int_equal(info.forgotten, buffer);
    play_breaks(w, "durable-first");
    count_flow(w, 9, 0);
    world_run_until(w, world_now(w) + 3 * US_PER_SECOND);
    play(w, "rebuild likes:{p9}");
    world_run_until(w, world_now(w) + US_PER_SECOND);
    info = count_info(w);
    assert_int_equal(info.shown, info.durable);
    assert_int_equal(info.told - info.durable, buffer); /* no rebuild knows of them */
    world_free(w);
}

static void a_lost_row_is_sent_again_and_summed_once(void **state)
{
    (void)state;
    struct world_config c = count_config();
    c.timeout_us = 2400; /* `liked` takes 2.5 ms: each row is sent twice */
    struct world *w = play_new(&c);
    play(w, "writes likes:{p9} summed");
    count_flow(w, 9, 100);
    count_run(w, 2 * US_PER_SECOND);
    count_flow(w, 9, 0);
    world_run_until(w, world_now(w) + 2 * US_PER_SECOND);
    play_holds(w);
    struct count_info info = count_info(w);
    assert_int_equal(info.durable, 200);
    assert_int_equal(info.unheard, 0);
    world_free(w);
}

static void leaving_it_flushes_what_is_left(void **state)
{
    (void)state;
    struct world *w = summed_world("writes likes:{p9} summed");
    count_run(w, 1300000);
    play(w, "writes likes:{p9} plain");
    count_run(w, US_PER_SECOND);
    struct count_info info = count_info(w);
    assert_true(info.frozen[PART_ROUTERS]);
    assert_int_equal(info.buffered, 0);
    count_settle(w);
    info = count_info(w);
    assert_int_equal(info.shown, info.durable);
    assert_int_equal(play_request(w, "request read likes:{p9} via R5").value, info.durable);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_thousand_likes_are_a_dozen_writes),
        cmocka_unit_test(routers_flush_at_their_phases),
        cmocka_unit_test(a_like_is_told_when_its_row_is_durable_and_shows_after_the_flush),
        cmocka_unit_test(r4_dies_just_before_its_flush_and_a_rebuild_makes_it_good),
        cmocka_unit_test(a_flush_that_lands_before_the_claim_is_read_back),
        cmocka_unit_test(a_flush_that_comes_after_the_claim_is_refused),
        cmocka_unit_test(likes_are_summed_while_a_router_reads_back),
        cmocka_unit_test(a_rebuild_in_traffic_leaves_out_what_routers_still_hold),
        cmocka_unit_test(a_rebuild_corrects_downwards_too),
        cmocka_unit_test(sent_again_an_increment_counts_twice_and_nothing_else_does),
        cmocka_unit_test(an_increment_that_was_repeated_is_counted_as_doubled),
        cmocka_unit_test(an_older_flush_that_lands_last_lowers_the_count_only_without_the_sequence),
        cmocka_unit_test(told_before_durable_a_like_can_be_lost_for_ever),
        cmocka_unit_test(a_lost_row_is_sent_again_and_summed_once),
        cmocka_unit_test(leaving_it_flushes_what_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
