/*
 * Partitions with copies: writes, reads, deaths, elections, the split of a network.
 */
#include "copies_play.h"

#include <string.h>

static void the_first_leads_and_a_majority_acknowledges(void **state)
{
    (void)state;
    struct world *w = copies_world(3, "N1 N2 N3");
    copies_run(w, 50);
    assert_int_equal(copies_leader(w), 1);
    uint64_t from = trace_next(w);
    play(w, "append G 7");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    play_expect(w, from,
                "20:00:00.050000  operator  a client writes 7 to G\n"
                "20:00:00.050000  client a -> N1  write 7 to G\n"
                "20:00:00.050250  N1  7 is entry 1 of G, term 1; not acknowledged yet\n"
                "20:00:00.050250  N1 -> N2  G term 1: entry 1 is 7\n"
                "20:00:00.050250  N1 -> N3  G term 1: entry 1 is 7\n"
                "20:00:00.050500  N2 -> N1  G: I have all up to entry 1\n"
                "20:00:00.050500  N3 -> N1  G: I have all up to entry 1\n"
                "20:00:00.050750  N1  entry 1 of G is committed: at 2 of 3 replicas\n"
                "20:00:00.050750  N1 -> client a  OK, 7 is entry 1 of G\n");
    struct group_info g = copies_group(w);
    assert_int_equal(g.acked, 1);
    assert_int_equal(g.committed, 1);
    copies_run(w, 200); /* a beat tells the others how far the log is committed */
    assert_int_equal(copies_replica(w, 3).commit, 1);
    assert_int_equal(copies_replica(w, 3).value, 7);
    struct group_entry e;
    assert_true(world_group_entry(w, 0, 2, 1, &e));
    assert_true(e.acked && !e.lost && e.value == 7 && e.term == 1 && e.by == 1);
    assert_false(world_group_entry(w, 0, 2, 2, &e));
    world_free(w);
}

static void who_does_not_lead_says_who_does(void **state)
{
    (void)state;
    struct world *w = copies_world(3, "N1 N2 N3");
    copies_run(w, 10);
    uint64_t from = trace_next(w);
    play(w, "append G via N2");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    assert_int_equal(copies_count(w, from, REASON_COPY_ELSEWHERE), 1);
    assert_int_equal(copies_group(w).acked, 1);
    play(w, "look G via N3");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    assert_int_equal(copies_group(w).looked, 1);
    assert_int_equal(copies_group(w).looks, 1);
    world_free(w);
}

/* The others elect within two patiences; what was acknowledged is there. */
static void when_the_leader_dies_another_is_elected(void **state)
{
    (void)state;
    for (int turn = 0; turn < 20; turn++) {
        struct world *w = copies_world(3, "N1 N2 N3");
        play(w, "append G 5");
        copies_run(w, 100 + 13 * turn);
        play(w, "node N1 down");
        assert_int_equal(copies_leader(w), 0);
        assert_true(copies_group(w).leaderless_since_us >= 0);
        copies_run(w, 7000);
        assert_in_range(copies_leader(w), 2, 3);
        struct group_info g = copies_group(w);
        assert_in_range(g.last_leaderless_us, COPIES_PATIENCE_US - COPIES_BEAT_US,
                        3 * COPIES_PATIENCE_US);
        assert_true(g.elections >= 1 && g.term >= 2);
        play(w, "look G");
        assert_true(world_run_until_answered(w, 2 * US_PER_SECOND));
        assert_int_equal(copies_group(w).looked, 5);
        play(w, "node N1 up");
        copies_run(w, 300);
        assert_int_equal(copies_replica(w, 1).role, TERM_FOLLOWER);
        assert_int_equal(copies_replica(w, 1).last, 1 + g.elections); /* an empty entry each */
        world_free(w);
    }
}

/* Document 13.2: the old leader is on the smaller side. */
static void a_split_has_one_side_that_acknowledges(void **state)
{
    (void)state;
    struct world *w = copies_world(5, "N1 N3 N5");
    play(w, "append G 1");
    copies_run(w, 300);
    play(w, "split N1 N2");
    play(w, "append G 2 via N1");
    copies_run(w, 3000);
    struct group_info g = copies_group(w);
    assert_int_equal(g.leaders, 2); /* the old one has not heard */
    assert_int_equal(g.acked, 1);
    assert_int_equal(g.failed, 1);
    assert_int_equal(copies_replica(w, 1).role, TERM_LEADER);
    assert_int_equal(copies_replica(w, 1).last, 2);
    uint32_t leader = copies_leader(w);
    assert_true(leader == 3 || leader == 5);
    play(w, "append G 3 via N3");
    play(w, "look G via N1 weak"); /* says what it knows, and that is old */
    copies_run(w, 100);
    play(w, "look G via N1"); /* nobody follows it: no answer */
    copies_run(w, 1100);
    g = copies_group(w);
    assert_int_equal(g.acked, 2);
    uint64_t from = trace_next(w);
    play(w, "look G via N1 weak");
    copies_run(w, 100);
    assert_int_equal(copies_group(w).stale, 1);
    assert_int_equal(copies_group(w).looked, 1);
    play(w, "heal");
    copies_run(w, 300);
    assert_int_equal(copies_count(w, from, REASON_COPY_STEPS_DOWN), 1);
    assert_int_equal(copies_count(w, from, REASON_COPY_THROWS), 1);
    g = copies_group(w);
    assert_int_equal(g.leaders, 1);
    assert_int_equal(g.lost, 0);
    assert_int_equal(copies_replica(w, 1).last, 2 + g.elections);
    assert_int_equal(copies_replica(w, 1).value, 3);
    world_free(w);
}

/* What was told OK is committed again a round trip after the election, by an empty entry. */
static void a_term_begins_with_an_empty_entry(void **state)
{
    (void)state;
    struct world *w = copies_world(3, "N1 N2 N3");
    play(w, "append G 5");
    copies_run(w, 300);
    play(w, "node N1 down");
    uint64_t from = trace_next(w);
    play(w, "stand G N2");
    copies_run(w, 10);
    struct group_entry e;
    assert_int_equal(copies_leader(w), 2);
    assert_int_equal(copies_count(w, from, REASON_COPY_EMPTY), 1);
    assert_int_equal(copies_replica(w, 2).commit, 2);
    assert_int_equal(copies_replica(w, 2).value, 5);
    assert_true(world_group_entry(w, 0, 1, 2, &e));
    assert_true(e.empty && e.term == 2 && e.value == 0 && !e.acked);
    assert_true(world_group_entry(w, 0, 1, 1, &e));
    assert_true(!e.empty && e.acked && e.value == 5);
    play(w, "look G");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    assert_int_equal(copies_group(w).looked, 5);
    world_free(w);
}

/* N2 leads term 2, is cut off with a write that only it has, and leads again in term 4: by the
 * later term of its last entry, before the others have that. */
static struct world *late_winner(bool empty)
{
    struct world *w = copies_world(3, "N1 N2 N3 empty off");
    copies_run(w, 50);
    play(w, "stand G N2");
    copies_run(w, 50);
    play(w, "split N2");
    play(w, "append G 7 via N2");
    copies_run(w, 100);
    play(w, "stand G N3");
    copies_run(w, 50);
    assert_int_equal(copies_group(w).leaders, 2);
    play(w, "heal");
    copies_run(w, 300);
    assert_int_equal(copies_replica(w, 2).role, TERM_FOLLOWER);
    play(w, empty ? "group G empty on" : "group G empty off");
    play(w, "stand G N2");
    play(w, "look G via N2"); /* it comes as the votes are on their way */
    return w;
}

/* A read is answered when what it returns cannot vanish any more, not when others follow. */
static void a_new_leader_reads_what_stays(void **state)
{
    (void)state;
    for (int empty = 0; empty < 2; empty++) {
        struct world *w = late_winner(empty != 0);
        uint64_t from = trace_next(w);
        copies_run(w, 20);
        play(w, "look G via N2");
        copies_run(w, 200);
        assert_int_equal(copies_leader(w), 2);
        assert_true(copies_count(w, from, REASON_COPY_GAP) > 0);
        assert_int_equal(copies_count(w, from, REASON_COPY_ANSWERS) > 0, empty);
        assert_int_equal(copies_replica(w, 2).commit, empty ? 2 : 0);
        if (!empty) {
            play(w, "append G 8 via N2");
            copies_run(w, 200);
        }
        play(w, "node N2 down");
        copies_run(w, 5000);
        play(w, "look G");
        assert_true(world_run_until_answered(w, 2 * US_PER_SECOND));
        assert_int_equal(copies_group(w).looked, empty ? 7 : 8);
        world_free(w);
    }
}

/* Acknowledged by its leader alone, a write can vanish with it. */
static void acks_one_loses_what_acks_majority_keeps(void **state)
{
    (void)state;
    for (int one = 0; one < 2; one++) {
        struct world *w = copies_world(3, "N1 N2 N3");
        play(w, one ? "group G acks one" : "group G acks majority");
        copies_run(w, 100);
        play(w, "split N1");
        play(w, "append G 9 via N1");
        copies_run(w, 100);
        assert_int_equal(copies_group(w).acked, one);
        play(w, "look G via N1");
        copies_run(w, 2500);
        struct group_entry e;
        assert_true(world_group_entry(w, 0, 0, 1, &e));
        assert_int_equal(e.acked && e.lost, one);
        assert_int_equal(copies_group(w).lost, one);
        play(w, "heal");
        play(w, "append G 10");
        copies_run(w, 2000);
        assert_int_equal(copies_group(w).lost, one);
        assert_int_equal(copies_replica(w, 1).value, 10);
        world_free(w);
    }
}

static void acks_all_waits_for_all(void **state)
{
    (void)state;
    struct world *w = copies_world(3, "N1 N2 N3 acks all");
    play(w, "append G");
    copies_run(w, 100);
    assert_int_equal(copies_group(w).acked, 1);
    play(w, "node N3 down");
    play(w, "append G");
    copies_run(w, 1500);
    assert_int_equal(copies_group(w).acked, 1);
    assert_int_equal(copies_group(w).failed, 1);
    play(w, "node N3 up");
    copies_run(w, 300);
    play(w, "append G");
    copies_run(w, 100);
    assert_int_equal(copies_group(w).acked, 2);
    world_free(w);
}

/* A leader that reaches nobody takes what its memory holds, and no more. */
static void a_cut_off_leader_is_full_in_the_end(void **state)
{
    (void)state;
    struct world *w = copies_world(3, "N1 N2 N3");
    copies_run(w, 50);
    play(w, "split N1");
    uint64_t from = trace_next(w);
    for (int i = 0; i < GROUP_WAIT + 3; i++) {
        play(w, "append G via N1");
        copies_run(w, 1);
    }
    assert_int_equal(copies_replica(w, 1).last, GROUP_WAIT);
    assert_int_equal(copies_count(w, from, REASON_COPY_FULL), 3);
    assert_int_equal(copies_group(w).acked, 0);
    copies_run(w, 5000);
    play(w, "heal");
    play(w, "append G");
    copies_run(w, 2000);
    assert_int_equal(copies_replica(w, 1).last, 1 + copies_group(w).elections);
    world_free(w);
}

/* A new group takes a row of which a copied world has never set a byte. */
static void a_copy_begins_groups_like_its_original(void **state)
{
    (void)state;
    struct world *w = copies_world(3, NULL);
    struct world *into = copies_world(3, "N3 N2 N1"); /* its row is in use: it holds other bytes */
    play(into, "append G rate 100");
    copies_run(into, 3000);
    world_copy_into(into, w);
    play(w, "group G N1 N2 N3");
    play(into, "group G N1 N2 N3");
    copies_run(w, 300);
    copies_run(into, 300);
    assert_true(digest_equal(world_digest(w), world_digest(into)));
    play(w, "node N1 down");
    play(into, "node N1 down");
    copies_run(w, 5000);
    copies_run(into, 5000);
    assert_int_not_equal(copies_leader(into), 0);
    assert_true(digest_equal(world_digest(w), world_digest(into)));
    world_free(w);
    world_free(into);
}

/* More than the network has room for: clients are turned away, and the world goes on. */
static void clients_leave_room_for_the_nodes(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.nodes_max = 3;
    c.groups_max = 1;
    c.node_messages_max = 256;
    c.events_max = 65536;
    struct world *w = play_new(&c);
    play(w, "node add a 3");
    play(w, "group G N1 N2 N3");
    struct err err = {{0}};
    struct command look;
    bool fits = true;
    assert_true(command_parse("look G", &look, &err));
    for (int i = 0; i < 256 && fits; i++) {
        fits = world_apply(w, &look, &err);
    }
    assert_false(fits);
    assert_non_null(strstr(err.text, "room for 256 messages between nodes"));
    play(w, "append G rate 10000");
    copies_run(w, 3000);
    assert_false(world_stopped(w, &err));
    assert_true(copies_group(w).failed > 0);
    assert_true(world_apply(w, &look, &err) || strstr(err.text, "run it first"));
    world_free(w);
}

/* Who lacks more than the leader remembers is sent all of the data. */
static void a_replica_that_was_away_long_is_copied_anew(void **state)
{
    (void)state;
    struct world *w = copies_world(3, "N1 N2 N3 bytes 125MB");
    copies_run(w, 50);
    play(w, "node N3 down");
    play(w, "append G rate 100");
    copies_run(w, 1000);
    play(w, "append G rate 0");
    uint64_t from = trace_next(w);
    play(w, "node N3 up");
    copies_run(w, 150);
    struct replica_info r = copies_replica(w, 3);
    assert_int_equal(r.state, REPLICA_VOTES);
    assert_in_range(r.copied, 1, r.bytes - 1);
    copies_run(w, 500);
    assert_int_equal(copies_count(w, from, REASON_COPY_BEGINS), 1);
    assert_int_equal(copies_replica(w, 3).last, copies_group(w).committed);
    assert_int_equal(copies_replica(w, 3).value, copies_replica(w, 1).value);
    assert_int_equal(world_node(w, 2).bulk, 0);
    world_free(w);
}

static void clients_write_at_a_rate(void **state)
{
    (void)state;
    struct world *w = copies_world(3, "N1 N2 N3");
    play(w, "append G rate 20");
    copies_run(w, 10001);
    struct group_info g = copies_group(w);
    assert_int_equal(g.asked, 200);
    assert_in_range(g.acked, 199, 200);
    play(w, "node N1 down");
    copies_run(w, 5000);
    g = copies_group(w);
    assert_true(g.failed > 10 && g.acked > 210);
    assert_true(g.acked + g.failed + 32 >= g.asked);
    play(w, "append G rate 0");
    copies_run(w, 2000);
    g = copies_group(w);
    assert_int_equal(g.acked + g.failed, g.asked);
    world_free(w);
}

/* A follower with a shorter log is voted for by nobody who has more. */
static void the_longer_log_wins(void **state)
{
    (void)state;
    struct world *w = copies_world(3, "N1 N2 N3");
    copies_run(w, 50);
    play(w, "split N3");
    play(w, "append G");
    copies_run(w, 50);
    play(w, "node N1 down");
    play(w, "heal");
    uint64_t from = trace_next(w);
    play(w, "stand G N3");
    copies_run(w, 5);
    assert_int_equal(copies_count(w, from, REASON_COPY_NO_VOTE), 1);
    assert_int_equal(copies_leader(w), 0);
    copies_run(w, 6000);
    assert_int_equal(copies_leader(w), 2);
    world_free(w);
}

static void a_candidate_asks_again(void **state)
{
    (void)state;
    struct world *w = copies_world(3, "N1 N2 N3");
    copies_run(w, 50);
    play(w, "split N1 / N2 / N3");
    play_refused(w, "stand G N2 again", "N2 does not stand for G; first: stand G N2");
    play_refused(w, "stand G N1", "N1 leads G already, in term 1");
    play(w, "stand G N2");
    copies_run(w, 10);
    assert_int_equal(copies_replica(w, 2).role, TERM_CANDIDATE);
    play(w, "heal");
    play(w, "stand G N2 again");
    copies_run(w, 10);
    assert_int_equal(copies_leader(w), 2);
    assert_int_equal(copies_group(w).term, 2);
    world_free(w);
}

static void a_group_begins_anew(void **state)
{
    (void)state;
    struct world *w = copies_world(5, "N1 N2 N3");
    play(w, "append G rate 10");
    copies_run(w, 1000);
    play(w, "node N1 down");
    copies_run(w, 100);
    play(w, "append G 5");
    play(w, "group G N3 N4 N5");
    struct group_info g = copies_group(w);
    assert_true(world_all_answered(w));
    assert_int_equal(g.asked + g.acked + g.failed + g.elections, 0);
    assert_int_equal(g.term, 1);
    assert_int_equal(world_groups(w), 1);
    copies_run(w, 3000);
    assert_int_equal(copies_leader(w), 3);
    assert_int_equal(copies_group(w).term, 1);
    play(w, "append G 8");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    assert_int_equal(copies_replica(w, 3).last, 1);
    play_refused(w, "group G N3 N9",
                 "no node N9: this world has 5 nodes; more join with: node add a 3");
    play_refused(w, "group G N3 N3", "N3 is named twice; each replica has a node of its own");
    play_refused(w, "group G N1 N2", "N1 is down; a group begins on nodes that are up");
    play_refused(w, "group H acks one", "a group has 1 to 7 replicas, each on a node of its own");
    play_refused(w, "append H", "no group H in this world; first: group H N1 N2 N3");
    play_refused(w, "append G via N1", "N1 has no replica of G");
    play_refused(w, "group G patience 100",
                 "a follower's patience is 200 ms (two beats) to 600000 ms");
    world_free(w);
}

/* Every record has a line, a label and a reason. */
static void all_is_said(void **state)
{
    (void)state;
    struct world *w = copies_world(5, "N1 N3 N5");
    play(w, "append G");
    play(w, "look G via N3 weak");
    copies_run(w, 100);
    play(w, "split N1 N2");
    play(w, "append G via N1");
    copies_run(w, 2500);
    play(w, "append G via N3");
    play(w, "heal");
    play(w, "recopy on 100MB");
    play(w, "node N3 down");
    play(w, "recopy now N3");
    copies_run(w, 500);
    play(w, "recopy G N4");
    play(w, "recopy off");
    for (uint64_t i = 1; i < trace_next(w); i++) {
        const struct trace_record *r = trace_get(w, i);
        struct str line = STR_EMPTY;
        struct str label = STR_EMPTY;
        struct str why = STR_EMPTY;
        trace_say(w, r, &line);
        trace_label(w, r, &label);
        trace_why(w, r, &why);
        assert_true(line.length > 20 && label.length > 0);
        assert_true(why.length > 10 && str_text(&why)[why.length - 1] == '.');
        str_free(&line);
        str_free(&label);
        str_free(&why);
    }
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_leads_and_a_majority_acknowledges),
        cmocka_unit_test(who_does_not_lead_says_who_does),
        cmocka_unit_test(when_the_leader_dies_another_is_elected),
        cmocka_unit_test(a_split_has_one_side_that_acknowledges),
        cmocka_unit_test(a_term_begins_with_an_empty_entry),
        cmocka_unit_test(a_new_leader_reads_what_stays),
        cmocka_unit_test(a_copy_begins_groups_like_its_original),
        cmocka_unit_test(clients_leave_room_for_the_nodes),
        cmocka_unit_test(acks_one_loses_what_acks_majority_keeps),
        cmocka_unit_test(acks_all_waits_for_all),
        cmocka_unit_test(a_cut_off_leader_is_full_in_the_end),
        cmocka_unit_test(a_replica_that_was_away_long_is_copied_anew),
        cmocka_unit_test(clients_write_at_a_rate),
        cmocka_unit_test(the_longer_log_wins),
        cmocka_unit_test(a_candidate_asks_again),
        cmocka_unit_test(a_group_begins_anew),
        cmocka_unit_test(all_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
