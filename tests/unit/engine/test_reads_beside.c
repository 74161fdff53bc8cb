/*
 * A page: a micro-cache's fetch reads a post and the count beside it in one request.
 */
#include "play.h"

#include "engine/reads/reads.h"
#include "engine/writes/writes.h"
#include <stdio.h>

#define POST "post:{p9}"
#define COUNT "likes:{p9}"
#define SHARD 2

static struct world *page_world(const char *writes)
{
    struct world_config c = play_config();
    c.requests_max = 4096;
    c.events_max = 4608;
    c.trace_max = 8192;
    struct world *w = play_new(&c);
    play(w, "flow like likes:{p9} 600");
    play(w, "flow read post:{p9} 600");
    if (writes != NULL) {
        play(w, writes);
    }
    play(w, "reads post:{p9} cached with likes:{p9}");
    return w;
}

static void run_for(struct world *w, int64_t us)
{
    world_run_until(w, world_now(w) + us);
    play_holds(w);
}

/* Keys for each fetch, over some seconds in which nobody reads anything else. */
static uint64_t keys_of_a_fetch(struct world *w)
{
    struct shard_info before = world_shard(w, SHARD);
    run_for(w, 3 * US_PER_SECOND);
    struct shard_info after = world_shard(w, SHARD);
    uint64_t reads = after.served_reads - before.served_reads;
    assert_in_range(reads, 17, 18); /* 6 routers, once a second */
    assert_int_equal((after.keys_read - before.keys_read) % reads, 0);
    return (after.keys_read - before.keys_read) / reads;
}

static struct reads_info at_router(const struct world *w, uint16_t router)
{
    return reads_info(w, router, play_key(w, POST));
}

static void a_plain_count_is_one_key_more(void **state)
{
    (void)state;
    struct world *w = page_world(NULL);
    run_for(w, US_PER_SECOND);
    assert_int_equal(keys_of_a_fetch(w), 2);
    world_free(w);
}

static void the_sub_keys_of_routers_are_all_in_the_slot(void **state)
{
    (void)state;
    struct world *w = page_world("writes likes:{p9} summed");
    run_for(w, 2 * US_PER_SECOND);
    assert_int_equal(keys_of_a_fetch(w), 1 + 6);
    world_free(w);
}

/* What a router keeps is what the count was at one instant of its fetch. */
static void the_count_is_as_old_as_the_entry(void **state)
{
    (void)state;
    static const char *const ways[] = {NULL, "writes likes:{p9} summed",
                                       "writes likes:{p9} salted 8 outside"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct world *w = page_world(ways[i]);
        run_for(w, 2 * US_PER_SECOND);
        uint64_t before = 0;
        for (uint16_t router = 0; router < 6; router++) {
            struct reads_info info = at_router(w, router);
            assert_int_equal(info.beside, play_key(w, COUNT));
            assert_true(info.count_held);
            /* 600 a second; a fetch and a window at most are missing, and it is a second old */
            assert_in_range(info.count, 1, 1200);
            before = info.count > before ? info.count : before;
        }
        run_for(w, 3 * US_PER_SECOND);
        for (uint16_t router = 0; router < 6; router++) {
            assert_in_range(at_router(w, router).count, before + 1, 3000);
        }
        play(w, "flow like likes:{p9} 0");
        run_for(w, 3 * US_PER_SECOND);
        for (uint16_t router = 0; router < 6; router++) {
            assert_int_equal(at_router(w, router).count, 3000);
        }
        world_free(w);
    }
}

static void a_count_with_parts_elsewhere_is_not_kept(void **state)
{
    (void)state;
    struct world *w = page_world("writes likes:{p9} salted 8");
    run_for(w, 2 * US_PER_SECOND);
    assert_false(at_router(w, 0).count_held);
    assert_int_equal(at_router(w, 0).beside, play_key(w, COUNT));
    play(w, "writes likes:{p9} summed"); /* the salts are frozen: a number that routers know */
    run_for(w, 3 * US_PER_SECOND);
    assert_true(at_router(w, 0).count_held);
    play(w, "flow like likes:{p9} 0");
    run_for(w, 3 * US_PER_SECOND);
    assert_int_equal(at_router(w, 0).count, 3000);
    world_free(w);
}

/* Key by key, the post and its count may be on two shards: a fetch is told TRYAGAIN, and comes
 * again. No router is given a part of the count for the whole. */
static void a_slot_that_goes_key_by_key_splits_the_page(void **state)
{
    (void)state;
    struct world *w = page_world("writes likes:{p9} summed");
    play(w, "reads post:{p9} cached 5 60000 with likes:{p9}");
    play(w, "shard add");
    run_for(w, 2 * US_PER_SECOND);
    uint64_t counted[6];
    for (uint16_t router = 0; router < 6; router++) {
        counted[router] = at_router(w, router).count;
    }
    play(w, "shift 12067 S4 20");
    bool split = false;
    for (int i = 0; i < 100; i++) {
        uint64_t from = trace_next(w);
        run_for(w, 10 * US_PER_MS);
        for (uint64_t at = from; at < trace_next(w); at++) {
            const struct trace_record *r = trace_get(w, at);
            split |= r != NULL && r->kind == TRACE_ANSWER && r->outcome == OUTCOME_TRY_AGAIN;
        }
        for (uint16_t router = 0; router < 6; router++) {
            struct reads_info info = at_router(w, router);
            assert_true(info.count_held && info.count >= counted[router]);
            counted[router] = info.count;
        }
    }
    assert_true(split);
    play(w, "shift 12067 finish");
    run_for(w, US_PER_SECOND);
    assert_int_equal(world_owner(w, 12067), 4);
    assert_true(at_router(w, 0).count > 1200);
    world_free(w);
}

/* Treatments change while fetches are under way. */
static void a_treatment_may_change_under_a_fetch(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "reads post:{p9} plain",
        "reads post:{p9} cached",
        "reads post:{p9} coalesced",
        "writes post:{p9} summed",
        "writes likes:{p9} salted 3",
        "writes likes:{p9} plain",
        "writes likes:{p9} summed",
        "crash R0 20",
        "reads post:{p9} cached 5 20 with comments:{p9}",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        for (int64_t wait = 0; wait < 7000; wait += 500) {
            struct world *w = page_world("writes likes:{p9} summed");
            play(w, "reads post:{p9} cached 5 20 with likes:{p9}");
            run_for(w, 100 * US_PER_MS + wait);
            play(w, changes[i]);
            run_for(w, 300 * US_PER_MS);
            play(w, "flow like likes:{p9} 0");
            play(w, "flow read post:{p9} 0");
            run_for(w, 2 * US_PER_SECOND);
            assert_true(world_all_quiet(w));
            world_free(w);
        }
    }
}

static void what_is_no_page_is_refused(void **state)
{
    (void)state;
    struct world *w = play_world();
    play_refused(w, "reads post:{p9} cached with likes:{p8}",
                 "the two keys are in slots 12067 and 16130, and one request can read keys of one "
                 "slot alone; give both the same {tag}");
    play_refused(w, "reads likes:{p9} cached with likes:{p9}",
                 "this key is a count itself, and a read of it reads all its sub-keys; leave "
                 "\"with\" out");
    play(w, "writes likes:{p9} summed");
    play_refused(w, "reads likes:{p9} cached with post:{p9}",
                 "this key is a count itself, and a read of it reads all its sub-keys; leave "
                 "\"with\" out");
    play(w, "account coins:{p9} 0 0");
    play_refused(w, "reads post:{p9} cached with coins:{p9}",
                 "coins:{p9} is an account or a budget, and no count");
    struct command c;
    struct err err = {{0}};
    assert_true(command_parse("reads post:{p9} cached with likes:{p9}", &c, &err));
    c.mode = READS_COALESCED;
    assert_false(world_apply(w, &c, &err));
    assert_false(command_parse("reads post:{p9} cached with", &c, &err));
    assert_false(command_parse("reads post:{p9} edge 10 with likes:{p9}", &c, &err));
    world_free(w);
}

static void it_is_written_and_said(void **state)
{
    (void)state;
    static const char *const forms[] = {"reads post:{p9} cached with likes:{p9}",
                                        "reads post:{p9} cached 0.5 3000 with likes:{p9}"};
    struct command c;
    struct str out = STR_EMPTY;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        assert_true(command_parse(forms[i], &c, NULL));
        str_clear(&out);
        command_say(&c, &out);
        assert_string_equal(str_text(&out), forms[i]);
    }
    str_free(&out);
    struct world *w = play_world();
    play_request(w, "request like likes:{p9} via R0");
    uint64_t from = trace_next(w);
    play(w, forms[0]);
    play_request(w, "request read post:{p9} via R0");
    play_expect(w, from,
                "20:00:00.006500  operator  reads of post:{p9}: each router keeps the answer, "
                "fresh for 1 s, served until it is 3 s old while it is fetched again; a fetch "
                "reads likes:{p9} with it\n"
                "20:00:00.006500  client a -> R0  read post:{p9}\n"
                "20:00:00.006750  R0  read post:{p9}: no answer is kept, so it begins a fetch and "
                "waits\n"
                "20:00:00.006750  R0 -> S2  read post:{p9} (slot 12067, as map version 7 says)\n"
                "20:00:00.007250  S2 -> R0  OK\n"
                "20:00:00.012750  R0  read post:{p9}: the fetch is back after 6 ms and kept; 1 "
                "waited for it; the count came with it: 1\n"
                "20:00:00.012750  R0 -> client a  OK (it waited for a fetch, sent 6 ms ago)\n");
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_count_is_one_key_more),
        cmocka_unit_test(the_sub_keys_of_routers_are_all_in_the_slot),
        cmocka_unit_test(the_count_is_as_old_as_the_entry),
        cmocka_unit_test(a_count_with_parts_elsewhere_is_not_kept),
        cmocka_unit_test(a_slot_that_goes_key_by_key_splits_the_page),
        cmocka_unit_test(a_treatment_may_change_under_a_fetch),
        cmocka_unit_test(what_is_no_page_is_refused),
        cmocka_unit_test(it_is_written_and_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
