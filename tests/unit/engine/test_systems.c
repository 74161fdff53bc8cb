/*
 * Systems that people run, what they share: requests, limits, seconds, series, on and off,
 * identity.
 */
#include "system_play.h"

#include "engine/systems/systems_inside.h"

#define LIKE_KINESIS "system kinesis on 1"

/* A world in which nothing was ever on is the same with tables and without. */
static void what_was_never_on_is_no_part_of_a_world(void **state)
{
    (void)state;
    struct world_config c = play_config();
    struct world *without = play_new(&c);
    c.systems_max = 1;
    struct world *with = play_new(&c);
    play(without, "flow like likes:{p9} 500");
    play(with, "flow like likes:{p9} 500");
    world_run_until(without, EIGHT_PM + 3 * US_PER_SECOND);
    world_run_until(with, EIGHT_PM + 3 * US_PER_SECOND);
    assert_true(digest_equal(world_digest(without), world_digest(with)));
    assert_true(world_bytes(with) > world_bytes(without));
    assert_true(world_bytes_used(with) < world_bytes_used(without) + 4096);
    assert_true(world_has_systems(with));
    assert_false(world_has_systems(without));
    play_refused(without, "system kinesis on",
                 "this world has no room for systems that people run");
    play_refused(without, "series log 9", "this world has no room for systems that people run");
    world_free(without);
    world_free(with);
}

static void a_system_that_is_off_says_so(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on");
    struct system_key_info where;
    play_refused(w, "system kafka grow", "Kafka is off; first: system kafka on");
    play_refused(w, "system kafka off", "Kafka is off; first: system kafka on");
    play_refused(w, "system kinesis on 33",
                 "33 shards of Kinesis are too many; the model has room for 32");
    play_refused(w, "system kafka on 4 9",
                 "9 brokers of Kafka are too many; the model has room for 8");
    play_refused(w, "system dynamodb on 4 1",
                 "DynamoDB keeps each write on 2 nodes before it tells a client; give it more");
    assert_false(world_system(w, SYSTEM_KAFKA).on);
    assert_int_equal(world_system_parts(w, SYSTEM_KAFKA), 0);
    assert_int_equal(world_system_keys(w, SYSTEM_KAFKA), 0);
    assert_false(world_system_place(w, SYSTEM_KAFKA, bytes_of("p9"), &where));
    struct part_info part;
    assert_false(world_system_find(w, SYSTEM_KAFKA, 0, &part));
    play_refused(w, "system all up 7", "Kinesis has no zone 7; it has 0 to 2");
    play(w, "system dynamodb on");
    play_refused(w, "system all set concern majority",
                 "all 2 systems refuse; the first: DynamoDB has no setting \"concern\"; set items, "
                 "index, capacity or reads");
    play(w, "system dynamodb off");
    play(w, "system kinesis off");
    play_refused(w, "system all grow", "no system is on; first: system all on");
    play_refused(w, "series log 9", "no system is on to take it; first: system kinesis on");
    world_free(w);
}

/* Each request is asked once of each, its key's tag counts, and a stream takes writes alone. */
static void what_clients_ask_is_asked_of_each(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on");
    play(w, "system redis on");
    play_request(w, "request like likes:{p9} via R0");
    play_request(w, "request read likes:{p9} via R1");
    play_request(w, "request edit post:{p9} via R2");
    play_request(w, "request read name via R0");
    struct system_counts redis = world_system(w, SYSTEM_REDIS).sum;
    struct system_counts kinesis = world_system(w, SYSTEM_KINESIS).sum;
    assert_int_equal(redis.asked[0], 2);
    assert_int_equal(redis.asked[1], 2);
    assert_int_equal(redis.ok[0] + redis.ok[1], 4);
    assert_int_equal(kinesis.asked[0], 2);
    assert_int_equal(kinesis.asked[1], 0);
    assert_int_equal(world_system_keys(w, SYSTEM_REDIS), 2);
    struct system_key_info p9 = system_key(w, SYSTEM_REDIS, "anything:{p9}");
    assert_int_equal(p9.sum.asked[0], 2);
    assert_int_equal(p9.sum.asked[1], 1);
    assert_true(bytes_equal(p9.text, bytes_of("p9")));
    assert_int_equal(system_key(w, SYSTEM_REDIS, "name").sum.asked[1], 1);
    assert_int_equal(system_part_of(w, SYSTEM_KINESIS, "p9").records, 2);
    assert_int_equal(system_part_of(w, SYSTEM_REDIS, "p9").bytes, 2 * SYSTEM_LIKE_BYTES);
    world_free(w);
}

/* A request that is redirected, refused and asked again was asked for once. */
static void repeats_are_not_asked_again(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on");
    play(w, "clients backoff 100 times 3");
    play(w, "ceiling S0 1 1 0");
    play(w, "ceiling S1 1 1 0");
    play(w, "ceiling S2 1 1 0");
    play(w, "ceiling S3 1 1 0");
    play(w, "flow like likes:{p9} 100");
    system_run(w, 2000);
    play(w, "flow like likes:{p9} 0");
    system_run(w, 2000);
    assert_int_equal(world_system(w, SYSTEM_REDIS).sum.asked[0], 200);
    world_free(w);
}

static void more_tags_than_are_counted_only_add_up(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on");
    for (int i = 0; i < 40; i++) {
        char words[64];
        (void)snprintf(words, sizeof words, "request like likes:{q%d} via R0", i);
        play(w, words);
    }
    uint64_t of_keys = 0;
    assert_int_equal(world_system_keys(w, SYSTEM_REDIS), SYSTEM_KEYS_MAX);
    for (uint32_t i = 0; i < SYSTEM_KEYS_MAX; i++) {
        of_keys += world_system_key(w, SYSTEM_REDIS, i).sum.asked[0];
    }
    assert_int_equal(of_keys, SYSTEM_KEYS_MAX);
    assert_int_equal(world_system(w, SYSTEM_REDIS).sum.asked[0], 40);
    assert_int_equal(system_key(w, SYSTEM_REDIS, "{q39}").sum.asked[0], 0);
    assert_int_not_equal(system_key(w, SYSTEM_REDIS, "{q39}").part, NO_PART);
    world_free(w);
}

/* --- limits --- */

/* A part's limit: a thousand a second, the rest is turned away at once; it begins and ends once. */
static void beyond_a_limit_of_a_part_is_throttled(void **state)
{
    (void)state;
    struct world *w = system_world(LIKE_KINESIS);
    struct trace_record told;
    play(w, "flow like likes:{p9} 1500");
    system_run(w, 3000);
    struct system_info info = world_system(w, SYSTEM_KINESIS);
    assert_int_equal(info.second.asked[0], 1500);
    assert_int_equal(info.second.ok[0], 1000);
    assert_int_equal(info.second.throttled, 500);
    assert_int_equal(info.longest_us, 0);
    assert_int_equal(system_told(w, SYSTEM_KINESIS, REASON_SYSTEMS_THROTTLING, &told), 1);
    assert_int_equal(told.operand[1], 1000);
    assert_int_equal(told.operand[2], 0);
    uint64_t turned_away = info.sum.throttled;
    play(w, "flow like likes:{p9} 900");
    system_run(w, 2000);
    assert_int_equal(system_told(w, SYSTEM_KINESIS, REASON_SYSTEMS_CALM, &told), 1);
    assert_int_equal(told.operand[0], turned_away);
    assert_int_equal(world_system(w, SYSTEM_KINESIS).sum.throttled, turned_away);
    world_free(w);
}

/* A machine's limit, without refusals: who comes waits, at most for its patience of 2 s. */
static void beyond_a_machines_limit_clients_wait_then_give_up(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on 2 1");
    struct trace_record told;
    play(w, "flow like likes:{p9} 1500");
    system_run(w, 2001);
    struct system_info info = world_system(w, SYSTEM_REDIS);
    assert_int_equal(info.second.ok[0], 1500); /* they wait: 100 more than depth and rate allow */
    assert_in_range(info.longest_us, 899000, 901000);
    system_run(w, 8000);
    info = world_system(w, SYSTEM_REDIS);
    assert_in_range(info.second.ok[0], 999, 1001);
    assert_int_equal(info.second.ok[0] + info.second.late, 1500);
    assert_in_range(info.longest_us, 1998000, 2000000);
    /* all that was taken in ten seconds: what the bucket held, ten times its rate, two waiting */
    assert_in_range(info.sum.ok[0], 100 + 10000 + 1999, 100 + 10000 + 2001);
    assert_int_equal(system_told(w, SYSTEM_REDIS, REASON_SYSTEMS_THROTTLING, &told), 1);
    assert_int_equal(told.operand[2], 1);
    assert_int_equal(told.target, 0);
    assert_int_equal(world_system_machine(w, SYSTEM_REDIS, 0).second.late, info.second.late);
    /* its reads have a limit of their own */
    play(w, "flow read likes:{p9} 2000");
    system_run(w, 2000);
    assert_int_equal(world_system(w, SYSTEM_REDIS).second.ok[1], 2000);
    world_free(w);
}

/* A unit that is larger than a bucket is taken from a full one, and it is in debt then. */
static void more_than_a_bucket_holds_is_taken_when_it_is_full(void **state)
{
    (void)state;
    struct world *w = system_world(LIKE_KINESIS);
    struct bucket b = {0};
    struct system_ask ask = {.system = SYSTEM_KINESIS};
    bucket_set(&b, w->now_us, 10); /* holds one */
    assert_int_equal(system_take(w, &ask, &b, 5 * COST_ONE), VERDICT_OK);
    assert_int_equal(b.level, -4 * COST_ONE);
    assert_int_equal(system_take(w, &ask, &b, COST_ONE), VERDICT_THROTTLED);
    w->now_us += 499999; /* half a second gives five */
    assert_int_equal(system_take(w, &ask, &b, 5 * COST_ONE), VERDICT_THROTTLED);
    w->now_us += 1;
    assert_int_equal(system_take(w, &ask, &b, 5 * COST_ONE), VERDICT_OK);
    ask.system = SYSTEM_REDIS; /* has patience */
    assert_int_equal(system_take(w, &ask, &b, COST_ONE), VERDICT_OK);
    assert_int_equal(ask.wait_us, 500000);
    assert_int_equal(system_take(w, &ask, &b, 15 * COST_ONE), VERDICT_OK);
    assert_int_equal(ask.wait_us, 2000000);
    assert_int_equal(system_take(w, &ask, &b, 1), VERDICT_LATE);
    assert_int_equal(b.level, -20 * COST_ONE);
    world_free(w);
}

/* --- series --- */

static void a_series_is_even_and_goes_on_where_it_ended(void **state)
{
    (void)state;
    struct world *w = system_world("system hbase on");
    play(w, "system kafka on");
    play(w, "series log 7 bytes 500");
    world_run_until(w, EIGHT_PM + 3 * US_PER_SECOND + 1);
    struct series_info series = world_series(w);
    assert_int_equal(series.next, 22); /* 21 in three seconds */
    assert_int_equal(series.rate, 7);
    assert_int_equal(series.bytes, 500);
    assert_true(bytes_equal(series.name, bytes_of("log")));
    assert_int_equal(world_system(w, SYSTEM_HBASE).sum.ok[0], 21);
    assert_int_equal(world_system(w, SYSTEM_KAFKA).sum.ok[0], 21);
    assert_int_equal(world_system_keys(w, SYSTEM_HBASE), 0); /* each is met once */
    assert_int_equal(system_part_of(w, SYSTEM_HBASE, "log000000001").bytes, 21 * 500);
    play(w, "series log 0");
    system_run(w, 1000);
    assert_int_equal(world_series(w).next, 22);
    play(w, "series log 1000");
    system_run(w, 1000);
    assert_int_equal(world_series(w).bytes, SERIES_BYTES);
    assert_in_range(world_series(w).next, 22 + 999, 22 + 1000);
    play(w, "series other 10");
    assert_int_equal(world_series(w).next, 1);
    play(w, "system all off");
    assert_int_equal(world_series(w).rate, 0); /* nobody is there to take it */
    world_free(w);
}

/* --- on, off, and again --- */

static void on_begins_anew_and_off_forgets(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on 4");
    play(w, "flow like likes:{p9} 100");
    system_run(w, 1000);
    play(w, "system kinesis cut 1");
    assert_int_equal(world_system(w, SYSTEM_KINESIS).closed, 1);
    assert_int_equal(world_system(w, SYSTEM_KINESIS).splits, 1);
    play(w, "system kinesis on 2");
    struct system_info info = world_system(w, SYSTEM_KINESIS);
    assert_int_equal(info.parts, 2);
    assert_int_equal(info.closed + info.splits + info.sum.asked[0], 0);
    assert_int_equal(world_system_part(w, SYSTEM_KINESIS, 0).number, 0);
    system_run(w, 1000);
    assert_int_equal(world_system(w, SYSTEM_KINESIS).sum.asked[0], 100);
    play(w, "system kinesis off");
    assert_false(world_system_on(w, SYSTEM_KINESIS));
    system_run(w, 1000);
    play(w, "system kinesis on");
    assert_int_equal(world_system(w, SYSTEM_KINESIS).sum.asked[0], 0);
    assert_int_equal(world_system_keys(w, SYSTEM_KINESIS), 1);
    system_run(w, 2000);
    assert_int_equal(world_system(w, SYSTEM_KINESIS).second.asked[0], 100);
    world_free(w);
}

/* What was asked for before a system went off does not happen to the next of its name. */
static void timers_of_before_are_void(void **state)
{
    (void)state;
    struct world *w = system_world("system kafka on 4 5");
    play(w, "series log 1000 bytes 1000000");
    system_run(w, 2000);
    play(w, "series log 0");
    uint32_t free = 4;
    assert_int_equal(system_leads(w, SYSTEM_KAFKA, free), 0);
    play(w, "system kafka move 0 4");
    struct part_info moves = system_part(w, SYSTEM_KAFKA, 0);
    assert_int_equal(moves.target, 4);
    assert_true(moves.ready_us > world_now(w) + 2 * US_PER_SECOND);
    play(w, "system kafka down 1");
    play(w, "system kafka off");
    play(w, "system kafka on 4 5");
    system_run(w, 20000);
    assert_int_equal(world_system(w, SYSTEM_KAFKA).moved, 0);
    assert_int_equal(world_system(w, SYSTEM_KAFKA).leaders, 0);
    assert_int_equal(world_system(w, SYSTEM_KAFKA).up, 5);
    assert_int_equal(system_part(w, SYSTEM_KAFKA, 0).machine[0], 0);
    world_free(w);
}

/* `all` is each that is on; who refuses says so, and is no error unless all do. */
static void all_do_what_they_can(void **state)
{
    (void)state;
    struct world *w = system_world("system all on");
    struct trace_record told;
    for (uint8_t id = 0; id < SYSTEMS; id++) {
        assert_true(world_system_on(w, id));
        assert_true(world_system(w, id).parts > 0);
    }
    play(w, "system all grow");
    assert_int_equal(system_told(w, SYSTEM_KAFKA, REASON_SYSTEMS_GROWN, &told), 1);
    assert_int_equal(system_told(w, SYSTEM_DYNAMODB, REASON_SYSTEMS_NO_MACHINES, &told), 1);
    play(w, "system all parts 6");
    assert_int_equal(world_system(w, SYSTEM_KAFKA).parts, 6);
    assert_int_equal(system_told(w, SYSTEM_CASSANDRA, REASON_SYSTEMS_OVERDUE, &told), 1);
    assert_int_equal(told.operand[1], SYSTEM_VERB_PARTS + 1);
    struct err err = {{0}};
    struct command c;
    assert_true(command_parse("system all join 0 0", &c, &err));
    assert_false(world_apply(w, &c, &err));
    assert_true(strlen(err.text) > 0);
    play(w, "system all off");
    for (uint8_t id = 0; id < SYSTEMS; id++) {
        assert_false(world_system_on(w, id));
    }
    world_free(w);
}

/* --- identity --- */

/* Copies go on as their world does, those that were made before anything was on as well. */
static void a_copy_goes_on_to_the_same_end(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.systems_max = 1;
    struct world *w = play_new(&c);
    struct world *early = world_copy(w);
    const char *const words[] = {"system all on", "flow like likes:{p9} 1200",
                                 "flow read post:{p3} 300", "series log 300"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        play(w, words[i]);
        play(early, words[i]);
    }
    system_run(w, 3500);
    struct world *late = world_copy(w);
    struct world *over = play_new(&c);
    play(over, "system kafka on"); /* its tables are in the way of the copy */
    world_copy_into(over, w);
    struct world *const all[] = {w, early, late, over};
    for (size_t i = 0; i < 4; i++) {
        world_run_until(all[i], EIGHT_PM + 4 * US_PER_SECOND);
        play(all[i], "system all down 1");
        world_run_until(all[i], EIGHT_PM + 25 * US_PER_SECOND);
    }
    for (size_t i = 1; i < 4; i++) {
        assert_true(digest_equal(world_digest(w), world_digest(all[i])));
    }
    /* a world without any, copied over one that had some, has none again */
    struct world *none = play_new(&c);
    world_copy_into(over, none);
    play(over, "system kafka on");
    play(none, "system kafka on");
    assert_true(digest_equal(world_digest(over), world_digest(none)));
    for (size_t i = 0; i < 4; i++) {
        world_free(all[i]);
    }
    world_free(none);
}

/* Rows are given at their first use, and stay with their place whatever is on it then. */
static void a_copy_takes_what_was_ever_in_use(void **state)
{
    (void)state;
    struct world *w = system_world("system all on");
    size_t idle = world_bytes_used(w);
    uint32_t of_parts = w->systems.pool;
    system_likes(w, 9, 2400);
    system_likes(w, 3, 100);
    system_run(w, 5000);
    size_t busy = world_bytes_used(w);
    uint32_t pool = w->systems.pool;
    assert_true(busy >= idle + (pool - of_parts) * sizeof(struct pool_unit));
    assert_in_range(pool, 1000, 5000); /* of 30,000 */
    play(w, "system all off");
    play(w, "system all on");
    system_run(w, 5000);
    assert_int_equal(w->systems.pool, pool);
    struct world *copy = world_copy(w);
    assert_true(digest_equal(world_digest(w), world_digest(copy)));
    world_free(copy);
    world_free(w);
}

/* Each of these is a field that a digest must not leave out. */
static void what_a_system_knows_is_its_identity(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on");
    system_run(w, 1000);
    struct part_row *part = part_of_system(w, SYSTEM_REDIS, 0);
    system_recent_of(w, part)->at_us[0] = world_now(w);
    struct digest before = world_digest(w);
    struct system_row *row = system_of(w, SYSTEM_REDIS);
    uint64_t *const words[] = {&part->bytes,   &part->taken,      &part->first.low,
                               &part->read,    &row->lost,        &row->moved_bytes,
                               &row->own[7],   &row->prng.s[3],   &row->machine[3].hints,
                               &row->sum.late, &part->second.away};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        *words[i] ^= 1;
        assert_false(digest_equal(before, world_digest(w)));
        *words[i] ^= 1;
    }
    uint8_t *const bytes[] = {&part->state,  &part->behind, &part->machine[0],
                              &part->reader, &row->members, &row->machine[0].copies_up,
                              &part->target, &row->machines};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        *bytes[i] ^= 1;
        assert_false(digest_equal(before, world_digest(w)));
        *bytes[i] ^= 1;
    }
    assert_true(digest_equal(before, world_digest(w)));
    world_free(w);
}

/* --- the last records, and invariants --- */

static void the_last_records_are_kept(void **state)
{
    (void)state;
    struct world *w = system_world("system redis on");
    struct trace_record told;
    assert_true(world_system_note(w, SYSTEM_REDIS, 0, &told));
    assert_int_equal(told.reason, REASON_SYSTEMS_ON);
    assert_false(world_system_note(w, SYSTEM_REDIS, 1, &told));
    assert_false(world_system_note(w, SYSTEM_KAFKA, 0, &told));
    assert_false(world_system_order(w, SYSTEM_REDIS, &told));
    for (int i = 0; i < SYSTEM_NOTES; i++) {
        system_note(w, SYSTEM_REDIS, 1, REASON_SYSTEMS_CALM, i, 0, 0);
    }
    assert_true(world_system_note(w, SYSTEM_REDIS, SYSTEM_NOTES - 1, &told));
    assert_int_equal(told.operand[0], 0);
    assert_int_equal(told.target, 1);
    assert_int_equal(told.from.kind, NODE_SYSTEM);
    assert_int_equal(told.from.index, SYSTEM_REDIS);
    assert_false(world_system_note(w, SYSTEM_REDIS, SYSTEM_NOTES, &told));
    world_free(w);
}

static void expect_broken(const struct world *w, uint8_t system, const char *invariant)
{
    struct err err = {{0}};
    assert_false(system_holds(w, system, &err));
    if (!str_starts(err.text, invariant)) {
        fail_msg("expected %s to break, got: %s", invariant, err.text);
    }
}

static void each_invariant_can_break(void **state)
{
    (void)state;
    struct err err = {{0}};
    struct world *w = system_world("system redis on");
    play(w, "system kinesis on");
    struct world *ok = world_copy(w);
    struct part_row *part = part_of_system(w, SYSTEM_REDIS, 1);
    struct system_row *row = system_of(w, SYSTEM_REDIS);
    assert_true(system_holds(w, SYSTEM_REDIS, &err));

    row->sum.asked[0]++;
    expect_broken(w, SYSTEM_REDIS, "system-counts: redis was asked 1 times");
    world_copy_into(w, ok);
    part->second.late++;
    expect_broken(w, SYSTEM_REDIS, "system-counts: part 1");
    world_copy_into(w, ok);
    row->key[0].lost++;
    expect_broken(w, SYSTEM_REDIS, "system-lost");
    world_copy_into(w, ok);
    part->first = u128_next(part->first);
    expect_broken(w, SYSTEM_REDIS, "system-cover");
    world_copy_into(w, ok);
    part->last = U128_LAST;
    expect_broken(w, SYSTEM_REDIS, "system-cover");
    world_copy_into(w, ok);
    part->state = PART_COPYING;
    expect_broken(w, SYSTEM_REDIS, "system-cover");
    world_copy_into(w, ok);
    part->number = 3;
    expect_broken(w, SYSTEM_REDIS, "system-numbers");
    world_copy_into(w, ok);
    row->parts_used--;
    expect_broken(w, SYSTEM_REDIS, "system-numbers");
    world_copy_into(w, ok);
    part->machine[0] = 7;
    expect_broken(w, SYSTEM_REDIS, "system-leaders");
    world_copy_into(w, ok);
    row->machine[1].down = true;
    expect_broken(w, SYSTEM_REDIS, "system-leaders");
    world_copy_into(w, ok);
    part->frozen_us = 1;
    expect_broken(w, SYSTEM_REDIS, "system-leaders");
    world_copy_into(w, ok);
    part_of_system(w, SYSTEM_KINESIS, 1)->machine[1] =
        part_of_system(w, SYSTEM_KINESIS, 1)->machine[0];
    expect_broken(w, SYSTEM_KINESIS, "system-leaders");
    world_copy_into(w, ok);
    part->target = part->machine[0];
    expect_broken(w, SYSTEM_REDIS, "system-moves");
    world_copy_into(w, ok);
    assert_true(system_holds(w, SYSTEM_REDIS, &err) && system_holds(w, SYSTEM_KINESIS, &err));
    world_free(w);
    world_free(ok);
}

/* Of 80 parts on 8 machines only one system has room: the others say so, and the command how many.
 */
static void all_on_tells_who_stays_off(void **state)
{
    (void)state;
    struct world *w = system_world("system all on 80 8");
    uint32_t commands = 0, refused = 0;
    for (uint8_t id = 0; id < SYSTEMS; id++) {
        assert_int_equal(world_system_on(w, (enum system_id)id), id == SYSTEM_CASSANDRA);
    }
    for (uint64_t i = 0; i < w->trace_next; i++) {
        struct str out = STR_EMPTY;
        const struct trace_record *r = trace_of(w) + i;
        if (r->kind == TRACE_COMMAND) {
            systems_say(w, r, &out);
            assert_string_equal(str_text(&out),
                                "is to be asked what clients ask here; 1 of 9 are on");
            commands++;
        } else if (r->kind == TRACE_SYSTEM && r->reason == REASON_SYSTEMS_OVERDUE) {
            assert_int_equal(r->operand[1], SYSTEM_VERB_ON + 1);
            systems_say(w, r, &out);
            assert_non_null(strstr(str_text(&out), "the model cannot give it so many "));
            refused++;
        }
        str_free(&out);
    }
    assert_int_equal(commands, 1);
    assert_int_equal(refused, SYSTEMS - 1);
    play_holds(w);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_never_on_is_no_part_of_a_world),
        cmocka_unit_test(a_system_that_is_off_says_so),
        cmocka_unit_test(what_clients_ask_is_asked_of_each),
        cmocka_unit_test(repeats_are_not_asked_again),
        cmocka_unit_test(more_tags_than_are_counted_only_add_up),
        cmocka_unit_test(beyond_a_limit_of_a_part_is_throttled),
        cmocka_unit_test(beyond_a_machines_limit_clients_wait_then_give_up),
        cmocka_unit_test(more_than_a_bucket_holds_is_taken_when_it_is_full),
        cmocka_unit_test(a_series_is_even_and_goes_on_where_it_ended),
        cmocka_unit_test(on_begins_anew_and_off_forgets),
        cmocka_unit_test(timers_of_before_are_void),
        cmocka_unit_test(all_do_what_they_can),
        cmocka_unit_test(a_copy_goes_on_to_the_same_end),
        cmocka_unit_test(a_copy_takes_what_was_ever_in_use),
        cmocka_unit_test(what_a_system_knows_is_its_identity),
        cmocka_unit_test(the_last_records_are_kept),
        cmocka_unit_test(each_invariant_can_break),
        cmocka_unit_test(all_on_tells_who_stays_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
