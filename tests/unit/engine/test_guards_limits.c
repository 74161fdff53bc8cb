/*
 * Limits a key and a tenant at the routers, shedding, and shares of tenants.
 */
#include "hot.h"

static uint64_t turned(const struct world *w, enum turned why)
{
    uint64_t sum = 0;
    for (uint16_t router = 0; router < world_config_of(w)->routers; router++) {
        sum += guards_router(w, router).turned[why];
    }
    return sum;
}

static void a_shard_at_its_ceiling_refuses_the_neighbours_too(void **state)
{
    (void)state;
    struct world *w = hot_world(1, ARRIVALS_POISSON);
    run_for(w, US_PER_SECOND);
    /* 150 x (1 - 1000/2550) = 91.18 a second; over 60 seconds of chance, 3 sigma are 3.7 */
    uint32_t lost = neighbours(w, 60 * US_PER_SECOND, TRACE_ANSWER, OUTCOME_REFUSED, OP_LIKE);
    assert_in_range(lost, 60 * 87, 60 * 95);
    world_free(w);
}

static void a_limit_on_the_hot_key_spares_its_neighbours(void **state)
{
    (void)state;
    struct world *w = hot_world(1, ARRIVALS_SCATTERED);
    play(w, "limit key post:{p9} 1000");
    play(w, "limit key likes:{p9} 300");
    run_for(w, US_PER_SECOND);
    struct shard_info before = world_shard(w, HOT_SHARD);
    uint64_t passed = turned(w, TURNED_LIMIT_KEY);
    assert_int_equal(neighbours(w, 20 * US_PER_SECOND, TRACE_ANSWER, OUTCOME_REFUSED, OP_LIKE), 0);
    struct shard_info after = world_shard(w, HOT_SHARD);
    assert_int_equal(after.refused_writes, before.refused_writes);
    assert_int_equal(after.refused_reads, before.refused_reads);
    passed = 20 * (2400 + 9000) - (turned(w, TURNED_LIMIT_KEY) - passed);
    assert_in_range(passed, 20 * 1300 - 20, 20 * 1300 + 20);
    assert_in_range(after.served_writes - before.served_writes, 20 * 450 - 20, 20 * 450 + 20);
    assert_int_equal(neighbours(w, US_PER_SECOND, TRACE_REPLY, OUTCOME_LIMITED, OP_READ), 0);
    /* what is asked is asked, whoever turns it away */
    assert_int_equal(load_of(w, US_PER_SECOND).firsts, 2550 + 9300);
    world_free(w);
}

static void routers_share_a_limit_and_the_first_take_the_rest(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "flow like x 6000");
    play(w, "limit key x 302");
    run_for(w, US_PER_SECOND);
    uint64_t before[6];
    for (uint16_t router = 0; router < 6; router++) {
        before[router] = guards_router(w, router).turned[TURNED_LIMIT_KEY];
    }
    run_for(w, 10 * US_PER_SECOND);
    for (uint16_t router = 0; router < 6; router++) {
        uint64_t is = guards_router(w, router).turned[TURNED_LIMIT_KEY] - before[router];
        uint64_t passed = 10000 - is;
        uint64_t rate = router < 2 ? 51 : 50;
        assert_in_range(passed, 10 * rate - 1, 10 * rate + 1);
    }
    assert_int_equal(guards_key_limit(w, play_key(w, "x")), 302);
    play(w, "limit key x none");
    assert_int_equal(guards_key_limit(w, play_key(w, "x")), 0);
    uint64_t so_far = turned(w, TURNED_LIMIT_KEY);
    run_for(w, US_PER_SECOND);
    assert_int_equal(turned(w, TURNED_LIMIT_KEY), so_far);
    world_free(w);
}

static void a_429_says_when_to_come_back(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "limit key x 12"); /* two a second at each router, and one token there */
    assert_int_equal(play_request(w, "request like x via R3").outcome, OUTCOME_OK);
    uint64_t from = trace_next(w);
    struct request_info info = play_request(w, "request like x via R3");
    assert_int_equal(info.outcome, OUTCOME_LIMITED);
    assert_int_equal(info.asks, 0);
    /* It was at the router one way after it was issued. */
    int64_t due = info.issued_us + 250 + (int64_t)info.value;
    const struct trace_record *reply = trace_get(w, trace_next(w) - 1);
    assert_int_equal(reply->kind, TRACE_REPLY);
    assert_int_equal(reply->operand[2], info.value);
    struct str out = play_prose(w, from);
    assert_non_null(strstr(str_text(&out), "429, too many; ask again after 494"));
    assert_non_null(strstr(str_text(&out), "; this key may have 2 a second here"));
    str_clear(&out);
    trace_why(w, reply, &out);
    assert_non_null(strstr(str_text(&out), "A limit of 12 a second is shared by 6 routers"));
    str_free(&out);
    assert_int_equal(play_request(w, "request like x via R2").outcome, OUTCOME_OK);
    world_run_until(w, due - 250 - 1); /* arrives one microsecond too early */
    assert_int_equal(play_request(w, "request like x via R3").outcome, OUTCOME_LIMITED);
    world_run_until(w, due);
    assert_int_equal(play_request(w, "request like x via R3").outcome, OUTCOME_OK);
    world_free(w);
}

static void tokens_are_taken_of_both_or_of_none(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "tenant nova x");
    play(w, "tenant nova y");
    play(w, "limit tenant nova 12");
    play(w, "limit key x 60"); /* ten a second at each router, one token at a time */
    assert_int_equal(play_request(w, "request like x via R0").outcome, OUTCOME_OK);
    /* the tenant's token is spent: y has none either, though it has no limit of its own */
    assert_int_equal(play_request(w, "request like y via R0").outcome, OUTCOME_LIMITED);
    world_run_until(w, world_now(w) + 200000);
    /* x has a token again and the tenant has not, so that of x stays ... */
    struct request_info info = play_request(w, "request like x via R0");
    assert_int_equal(info.outcome, OUTCOME_LIMITED);
    assert_true(info.value > 250000);
    /* ... and is there when the tenant's comes back, not 100 ms later */
    world_run_until(w, info.issued_us + (int64_t)info.value);
    assert_int_equal(play_request(w, "request like x via R0").outcome, OUTCOME_OK);
    assert_int_equal(guards_tenant(w, 0).turned, 2);
    assert_int_equal(guards_tenant(w, 0).rate, 12);
    assert_int_equal(turned(w, TURNED_LIMIT_TENANT), 2);
    assert_int_equal(turned(w, TURNED_LIMIT_KEY), 0);
    world_free(w);
}

/* S2 gets slow: its reads queue. Every router has its hands full of them. */
static struct world *slow_world(void)
{
    struct world_config c = hot_config();
    struct world *w = play_new(&c);
    play(w, "ceiling S2 1000 3000 100000");
    for (int post = 1; post <= 16; post++) {
        hot_flow(w, OP_READ, "post", post, post == 9 ? 4000 : 100, ARRIVALS_STEADY);
        hot_flow(w, OP_LIKE, "likes", post, 50, ARRIVALS_STEADY);
    }
    return w;
}

static void a_router_sheds_what_exceeds_its_hands_reads_first(void **state)
{
    (void)state;
    struct world *w = slow_world();
    play(w, "shed 40");
    run_for(w, 10 * US_PER_SECOND);
    uint64_t reads = turned(w, TURNED_SHED_READ);
    uint64_t writes = turned(w, TURNED_SHED_WRITE);
    assert_true(reads > 9 * 1000); /* a thousand a second too many, and time to fill up */
    assert_int_equal(writes, 0);   /* a quarter of the hands is theirs */
    for (uint16_t router = 0; router < 6; router++) {
        struct guard_router_info info = guards_router(w, router);
        assert_in_range(info.most_in_hand, 30, 40);
    }
    /* 6 x 30 in hand: a read waits 60 ms at most, where it would be seconds. */
    uint32_t waiting = guards_in_flight(w, HOT_SHARD);
    assert_in_range(waiting, 100, 6 * 40);
    world_free(w);
}

static void hands_are_empty_when_all_is_done(void **state)
{
    (void)state;
    struct world_config c = hot_config();
    c.client_timeout_us = 20000; /* most of them do not wait for the end */
    struct world *w = play_new(&c);
    play(w, "tenant nova post:{p9}");
    play(w, "shed 100");
    play(w, "ceiling S2 1000 3000 100000");
    play(w, "flow read post:{p9} 5000");
    play(w, "flow read post:{p1} 300");
    run_for(w, 2 * US_PER_SECOND);
    assert_true(guards_tenant(w, 0).in_hand > 0);
    play(w, "tenant other post:{p9}"); /* in the middle of it */
    assert_int_equal(guards_tenant(w, 0).in_hand, 0);
    assert_true(guards_tenant(w, 1).in_hand > 0);
    assert_true(guards_router(w, 4).in_hand > 0);
    play(w, "crash R4"); /* what it had in hand is gone with its memory */
    assert_int_equal(guards_router(w, 4).in_hand, 0);
    play(w, "flow read post:{p9} 0");
    play(w, "flow read post:{p1} 0");
    run_for(w, 10 * US_PER_SECOND);
    for (uint16_t router = 0; router < 6; router++) {
        assert_int_equal(guards_router(w, router).in_hand, 0);
        assert_true(guards_router(w, router).most_in_hand > 50);
    }
    assert_int_equal(guards_tenant(w, 1).in_hand, 0);
    world_free(w);
}

/* How many reads of posts on other shards are turned away in ten seconds. */
static uint64_t innocent(const char *share)
{
    struct world *w = slow_world();
    play(w, "tenant nova post:{p9}");
    play(w, "tenant nova likes:{p9}");
    for (int post = 1; post <= 16; post++) {
        if (post != 9) {
            struct command c = {.kind = COMMAND_TENANT, .other_length = 6};
            memcpy(c.other, "others", 6);
            c.key_length = (uint8_t)snprintf(c.key, sizeof c.key, "post:{p%d}", post);
            assert_true(world_apply(w, &c, NULL));
        }
    }
    play(w, "shed 40");
    if (share != NULL) {
        play(w, share);
    }
    run_for(w, 10 * US_PER_SECOND);
    uint32_t others = 0;
    assert_true(guards_find_tenant(w, bytes_of("others"), &others));
    uint64_t count = guards_tenant(w, others).turned;
    world_free(w);
    return count;
}

static void a_share_keeps_one_tenant_out_of_the_others_hands(void **state)
{
    (void)state;
    uint64_t without = innocent(NULL);
    uint64_t with = innocent("share nova 50");
    assert_true(without > 1000);
    assert_int_equal(with, 0);
}

static void commands_that_make_no_sense_change_nothing(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.limits_max = 1;
    c.tenants_max = 1;
    struct world *w = play_new(&c);
    play_refused(w, "limit key x 5",
                 "6 routers cannot share a limit of 5 a second; give one a second for each at "
                 "least");
    play_refused(w, "limit key x none", "this key has no limit, so none can end");
    play_refused(w, "limit tenant nova none", "this tenant has no limit, so none can end");
    play_refused(w, "share nova 20",
                 "a share is a part of what a router may have in hand, and that has no bound yet; "
                 "give one first: shed N");
    play(w, "limit key x 6");
    play_refused(w, "limit key y 6",
                 "this world has room for 1 limited keys, all taken; end one first");
    play(w, "limit key x none");
    play(w, "limit key y 6");
    play(w, "tenant nova y");
    play_refused(w, "tenant other y", "this world has room for 1 tenants and has as many");
    play(w, "shed 8");
    play(w, "share nova 20");
    play_refused(w, "shed off",
                 "tenants have shares of what a router may have in hand; end those first: share "
                 "TENANT off");
    play(w, "share nova off");
    play_refused(w, "share nova off", "this tenant has no share, so none can end");
    play(w, "shed off");
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shard_at_its_ceiling_refuses_the_neighbours_too),
        cmocka_unit_test(a_limit_on_the_hot_key_spares_its_neighbours),
        cmocka_unit_test(routers_share_a_limit_and_the_first_take_the_rest),
        cmocka_unit_test(a_429_says_when_to_come_back),
        cmocka_unit_test(tokens_are_taken_of_both_or_of_none),
        cmocka_unit_test(a_router_sheds_what_exceeds_its_hands_reads_first),
        cmocka_unit_test(hands_are_empty_when_all_is_done),
        cmocka_unit_test(a_share_keeps_one_tenant_out_of_the_others_hands),
        cmocka_unit_test(commands_that_make_no_sense_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
