/*
 * The rules of a live move, each switched off in the shortest schedule that then goes wrong (the
 * sequences that a search finds), and the same schedule with the rule on.
 */
#include "move_play.h"

#include <stdio.h>

#define ON true
#define OFF false

static struct world *world_with(const char *rule, bool on)
{
    struct world *w = moving_world();
    play(w, "request edit other:{p9} via R0"); /* another key of the slot, in every copy */
    world_run_until(w, TEN_PAST + 20000);
    char words[80];
    (void)snprintf(words, sizeof words, "rule %s %s", rule, on ? "on" : "off");
    play(w, words);
    return w;
}

/* The copy is there and compared; no invariants on the way, since a rule may be off. */
static int64_t copied(struct world *w)
{
    play(w, "migrate 12067 S4 1000 10000");
    world_run_until(w, world_now(w) + 200000);
    assert_true(move_now(w).copied_us != MOVE_NEVER);
    return world_now(w);
}

static void expect(struct world *w, const char *read, uint64_t value, uint64_t lost)
{
    struct request_info r = play_request(w, read);
    assert_int_equal(r.outcome, OUTCOME_OK);
    assert_int_equal(r.value, value);
    assert_int_equal(world_lost(w, play_key(w, P9)), lost);
    struct err err = {{0}};
    bool holds = invariant_hold(w, &err);
    assert_int_equal(holds, value == 1 && lost == 0);
    world_free(w);
}

/* A like is on its way to the source while the directory commits. */
static void without_the_fence(bool on)
{
    struct world *w = world_with("fence", on);
    copied(w);
    play(w, "fence 12067");
    play(w, "request like likes:{p9} via R4"); /* at S2 half a millisecond from now */
    world_run_until(w, world_now(w) + 60000);
    expect(w, "request read likes:{p9} via R4", on ? 1 : 0, on ? 0 : 1);
}

/* A like was accepted before the fence, and its entry is still on its way at the commit. */
static void without_draining(bool on)
{
    struct world *w = world_with("drain-to-fence", on);
    copied(w);
    play(w, "request like likes:{p9} via R4");
    world_run_until(w, world_now(w) + 2000);
    play(w, "fence 12067");
    world_run_until(w, world_now(w) + 60000);
    assert_int_equal(move_now(w).committed_us - move_now(w).fenced_us, on ? 13000 : 1000);
    expect(w, "request read likes:{p9} via R4", on ? 1 : 0, on ? 0 : 1);
}

/* A router with the old map writes into the abandoned copy. */
static void without_the_check(bool on)
{
    struct world *w = world_with("slot-table-check", on);
    play(w, "deaf R5 on");
    copied(w);
    play(w, "fence 12067");
    world_run_until(w, world_now(w) + 60000);
    assert_int_equal(world_owner(w, SLOT), 4);
    play_request(w, "request like likes:{p9} via R5");
    expect(w, "request read likes:{p9} via R0", on ? 1 : 0, on ? 0 : 1);
}

/* R5's map is from a time when S4 had the slot: it asks a copy that has not caught up. */
static void without_waiting_at_the_target(bool on)
{
    struct world *w = world_with("target-waits-for-commit", on);
    play(w, "move 12067 S4");
    world_run_until(w, world_now(w) + 10000);
    play(w, "deaf R5 on");
    play(w, "move 12067 S2");
    world_run_until(w, world_now(w) + 10000);
    copied(w);
    play_request(w, "request like likes:{p9} via R4");
    expect(w, "request read likes:{p9} via R5", on ? 1 : 0, 0);
}

/* The like is written while the replica that is copied has not seen it, and the copy says so. */
static void with_the_wrong_position(bool position, bool compare)
{
    struct world *w = world_with("snapshot-position", position);
    play(w, compare ? "rule compare-before-fence on" : "rule compare-before-fence off");
    play(w, "migrate 12067 S4 1000 10000");
    world_run_until(w, world_now(w) + 5000);
    play(w, "request like likes:{p9} via R4");
    world_run_until(w, world_now(w) + 200000);
    assert_int_equal(move_now(w).alike, position);
    assert_int_equal(move_now(w).differing, position ? 0 : 1);
    if (!position && compare) {
        play_refused(w, "fence 12067",
                     "S2 and S4 do not agree by position: the copy lacks 1 of the entries that it "
                     "claims (rule compare-before-fence); abort 12067 and copy again");
        play(w, "abort 12067");
        expect(w, "request read likes:{p9} via R0", 1, 0);
        return;
    }
    play(w, "fence 12067");
    world_run_until(w, world_now(w) + 60000);
    expect(w, "request read likes:{p9} via R0", position ? 1 : 0, position ? 0 : 1);
}

/* A like passes the check, the fence goes up, the like is appended behind it. */
static void with_check_and_append_apart(bool on)
{
    struct world *w = world_with("check-and-append", on);
    copied(w);
    play(w, "request like likes:{p9} via R4");
    world_run_until(w, world_now(w) + 1000);
    play(w, "fence 12067");
    world_run_until(w, world_now(w) + 8000);
    struct err err = {{0}};
    assert_int_equal(invariant_hold(w, &err), on);
    assert_true(on || str_starts(err.text, "fence-is-last"));
    world_run_until(w, world_now(w) + 60000);
    expect(w, "request read likes:{p9} via R4", on ? 1 : 0, on ? 0 : 1);
}

/* The directory has committed, the source has not heard of it, and reads its frozen copy. */
static void with_a_fence_for_writes_only(bool on)
{
    struct world_config c = moving_config();
    c.directory_zone = 0;
    c.delay_us[0][2] = 50000; /* news travels slowly to zone c, where S2 and R4 are */
    struct world *w = play_new(&c);
    play(w, "shard add b");
    play(w, on ? "rule fence-covers-reads on" : "rule fence-covers-reads off");
    int64_t fenced = copied(w);
    play(w, "fence 12067");
    world_run_until(w, fenced + 14000);
    assert_int_equal(world_owner(w, SLOT), 4);
    struct request_info like = play_request(w, "request like likes:{p9} via R2 from b");
    assert_int_equal(like.shard, 4);
    assert_true(world_now(w) < fenced + 30000);
    expect(w, "request read likes:{p9} via R4", on ? 1 : 0, 0);
}

static bool is_said(const struct world *w, uint64_t from, const char *words)
{
    bool found = false;
    struct str out = STR_EMPTY;
    for (uint64_t at = from; at < trace_next(w); at++) {
        str_clear(&out);
        trace_say(w, trace_get(w, at), &out);
        found = found || strstr(str_text(&out), words) != NULL;
    }
    str_free(&out);
    return found;
}

/* The source restarts behind its fence and knows nothing of it. */
static void with_a_fence_in_memory(bool on)
{
    struct world *w = world_with("durable-fence", on);
    copied(w);
    uint64_t from = trace_next(w);
    play(w, "fence 12067");
    assert_int_equal(is_said(w, from, "in memory only: slot 12067 migrating"), !on);
    assert_int_equal(is_said(w, from, "log: slot 12067 migrating"), on);
    world_run_until(w, world_now(w) + 1000);
    play(w, "crash S2 1");
    world_run_until(w, world_now(w) + 8000);
    assert_int_equal(row_at(w, 2), on ? SLOT_MIGRATING : SLOT_OWNED);
    play(w, "request like likes:{p9} via R4");
    world_run_until(w, world_now(w) + 100000);
    assert_int_equal(world_owner(w, SLOT), 4);
    expect(w, "request read likes:{p9} via R4", on ? 1 : 0, on ? 0 : 1);
}

/* What the target accepted since the commit goes with it. */
static void with_an_abort_after_the_commit(bool on)
{
    struct world *w = world_with("abort-before-commit", on);
    copied(w);
    play(w, "fence 12067");
    world_run_until(w, world_now(w) + 60000);
    play_request(w, "request like likes:{p9} via R4");
    struct command c;
    assert_true(command_parse("abort 12067", &c, NULL));
    assert_int_equal(world_apply(w, &c, NULL), !on);
    world_run_until(w, world_now(w) + 10000);
    assert_int_equal(world_owner(w, SLOT), on ? 4 : 2);
    expect(w, "request read likes:{p9} via R4", on ? 1 : 0, on ? 0 : 1);
}

static void each_rule_off_loses_or_goes_back_in_time(void **state)
{
    (void)state;
    without_the_fence(OFF);
    without_draining(OFF);
    without_the_check(OFF);
    without_waiting_at_the_target(OFF);
    with_check_and_append_apart(OFF);
    with_a_fence_for_writes_only(OFF);
    with_a_fence_in_memory(OFF);
    with_an_abort_after_the_commit(OFF);
}

static void the_same_schedules_with_the_rule_on_go_well(void **state)
{
    (void)state;
    without_the_fence(ON);
    without_draining(ON);
    without_the_check(ON);
    without_waiting_at_the_target(ON);
    with_check_and_append_apart(ON);
    with_a_fence_for_writes_only(ON);
    with_a_fence_in_memory(ON);
    with_an_abort_after_the_commit(ON);
}

static void a_wrong_position_takes_a_second_mistake(void **state)
{
    (void)state;
    with_the_wrong_position(OFF, OFF); /* lost */
    with_the_wrong_position(OFF, ON);  /* the compare finds it: the move can only be dropped */
    with_the_wrong_position(ON, OFF);
    with_the_wrong_position(ON, ON);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_off_loses_or_goes_back_in_time),
        cmocka_unit_test(the_same_schedules_with_the_rule_on_go_well),
        cmocka_unit_test(a_wrong_position_takes_a_second_mistake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
