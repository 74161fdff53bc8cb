/*
 * Machines and the network between them: who reaches whom, and how long it takes.
 */
#include "copies_play.h"

static void nodes_join_in_zones(void **state)
{
    (void)state;
    struct world *w = copies_world(2, NULL);
    play(w, "node add c");
    play(w, "node add any 3");
    assert_int_equal(world_nodes(w), 6);
    assert_int_equal(world_node(w, 0).zone, 0);
    assert_int_equal(world_node(w, 2).zone, 2);
    assert_int_equal(world_node(w, 3).zone, 0); /* zones in turn, by number */
    assert_int_equal(world_node(w, 5).zone, 2);
    play_refused(w, "node add d", "no zone d: this world has a to c");
    play_refused(w, "node add a 11",
                 "this world has room for 16 nodes and has 6; 1 to 10 can join");
    play_refused(w, "node N9 down", "no node N9: this world has N1 to N6");
    play_refused(w, "node N1 slow 0", "a node's messages take 1 (as ever) to 100000 times as long");
    world_free(w);
}

static void without_nodes_there_is_nothing(void **state)
{
    (void)state;
    struct world_config c = play_config();
    struct world *w = play_new(&c);
    play_refused(w, "node N1 down", "this world has no nodes yet; first: node add a 3");
    play_refused(w, "node add a", "this world has room for 0 nodes and has as many");
    play_refused(w, "group G N1", "this world has room for 0 groups, all taken");
    world_free(w);
}

static void a_cut_has_sides(void **state)
{
    (void)state;
    struct world *w = copies_world(5, NULL);
    play(w, "split N1 N2");
    assert_true(nodes_connected(w, 0, 1));
    assert_false(nodes_connected(w, 0, 2));
    assert_true(nodes_connected(w, 2, 4));
    assert_true(world_node(w, 0).cut_off && !world_node(w, 3).cut_off);
    assert_false(nodes_connected(w, 0, NODE_DIRECTORY_ITSELF));
    assert_true(nodes_connected(w, 3, NODE_DIRECTORY_ITSELF));
    assert_true(nodes_connected(w, 0, NODE_CLIENT_ZONE(0)));
    play(w, "split N1 / N2 N3");
    assert_false(nodes_connected(w, 0, 1));
    assert_true(nodes_connected(w, 1, 2));
    assert_false(nodes_connected(w, 1, 3));
    assert_true(world_node(w, 4).cut_off); /* no side has a majority */
    play(w, "heal");
    assert_true(nodes_connected(w, 0, 3));
    assert_false(world_node(w, 0).cut_off);
    play(w, "heal"); /* as it is already */
    play_refused(w, "split N7", "no node N7: this world has N1 to N5");
    play(w, "node N1 down");
    assert_false(nodes_connected(w, 0, 3));
    world_free(w);
}

/* 250 us in a zone, 500 between; ten times that of a slow node, both ways. */
static void a_way_takes_its_time(void **state)
{
    (void)state;
    struct world *w = copies_world(2, NULL);
    play(w, "node add b");
    assert_int_equal(node_way_us(w, 0, 1), 250);
    assert_int_equal(node_way_us(w, 0, 2), 500);
    assert_int_equal(node_way_us(w, NODE_CLIENT_ZONE(1), 2), 250);
    assert_int_equal(node_way_us(w, 0, NODE_DIRECTORY_ITSELF), 500);
    play(w, "node N1 slow 10");
    assert_int_equal(node_way_us(w, 0, 1), 2500);
    assert_int_equal(node_way_us(w, 1, 0), 2500);
    play(w, "node N1 slow 1");
    play(w, "node link 100MB");
    node_bulk(w, 0, 50000000);
    assert_int_equal(node_load(w, 0), 500);
    assert_int_equal(node_way_us(w, 0, 1), 250 + NODE_WAIT_US);
    node_bulk(w, 0, 50000000);
    assert_int_equal(node_load(w, 0), 1000);
    assert_int_equal(node_way_us(w, 0, 1), 250 + 99 * NODE_WAIT_US); /* no more than that */
    node_bulk(w, 0, -100000000);
    assert_int_equal(node_way_us(w, 0, 1), 250);
    world_free(w);
}

/* A message that finds nobody, or a cut, is told if it was shown. */
static void what_does_not_arrive_is_told(void **state)
{
    (void)state;
    struct world *w = copies_world(3, "N1 N2 N3");
    copies_run(w, 10);
    uint64_t from = trace_next(w);
    play(w, "node N2 down");
    play(w, "split N3");
    play(w, "append G");
    copies_run(w, 10);
    assert_int_equal(copies_count(w, from, REASON_NODE_WAS_DOWN), 1);
    assert_int_equal(copies_count(w, from, REASON_NODE_CUT_OFF), 1);
    assert_true(world_node(w, 0).lost >= 2 && world_node(w, 0).sent > world_node(w, 0).lost);
    play(w, "heal");
    from = trace_next(w);
    play(w, "append G");
    copies_run(w, 1);
    play(w, "append G via N3"); /* on its way ... */
    play(w, "node N3 down");
    play(w, "node N3 up"); /* ... to a former life */
    copies_run(w, 10);
    assert_true(copies_count(w, from, REASON_NODE_ANOTHER_LIFE) > 0);
    world_free(w);
}

/* All of a hundred are lost, or come twice; places are free again. */
static void the_network_strikes_nodes_too(void **state)
{
    (void)state;
    struct world *w = copies_world(3, "N1 N2 N3");
    play(w, "patience 100 1000");
    play(w, "network loss 100%");
    play(w, "append G");
    copies_run(w, 500);
    assert_int_equal(copies_group(w).acked, 0);
    assert_true(world_faults(w, FAULT_LOSS) > 0);
    play(w, "network double 100%");
    copies_run(w, 1000);
    play(w, "append G");
    copies_run(w, 100);
    assert_int_equal(copies_group(w).acked, 1);
    assert_true(world_faults(w, FAULT_DOUBLE) > 0);
    play(w, "network delay 100% 5");
    play(w, "append G");
    copies_run(w, 100);
    assert_int_equal(copies_group(w).acked, 2);
    world_free(w);
}

static void out_of_messages_stops_the_world(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.nodes_max = 3;
    c.groups_max = 1;
    c.node_messages_max = 1;
    struct world *w = play_new(&c);
    play(w, "node add a 3");
    play(w, "group G N1 N2 N3");
    struct err err = {{0}};
    world_run_until(w, world_now(w) + US_PER_SECOND);
    assert_true(world_stopped(w, &err));
    assert_string_equal(err.text, "the world stopped at 20:00:00.000: it has room for 1 messages "
                                  "between nodes under way; ask for less");
    world_free(w);
}

/* A copy leaves out what was never in use, and goes on to the same end. */
static void a_copy_goes_the_same_way(void **state)
{
    (void)state;
    struct world *w = copies_world(5, "N1 N2 N3");
    play(w, "append G rate 50");
    play(w, "node N1 slow 20");
    copies_run(w, 300);
    struct world *copy = world_copy(w);
    assert_true(world_bytes_used(w) < world_bytes(w));
    assert_true(digest_equal(world_digest(w), world_digest(copy)));
    for (int i = 0; i < 2; i++) {
        struct world *one = i == 0 ? w : copy;
        play(one, "node N1 down");
        world_run_until(one, world_now(one) + 3 * US_PER_SECOND);
    }
    assert_true(digest_equal(world_digest(w), world_digest(copy)));
    play(copy, "split N1");
    assert_false(digest_equal(world_digest(w), world_digest(copy)));
    world_free(copy);
    world_free(w);
}

static void commands_say_what_they_are(void **state)
{
    (void)state;
    static const char *const words[] = {
        "node add a 3",
        "node add any 2",
        "node N3 down",
        "node N3 up",
        "node N3 slow 10",
        "node link 125000",
        "split N1 N2",
        "split N1 / N2 N3 / N5",
        "heal",
        "group G N1 N2 N3",
        "group G acks one",
        "append G 7 via N2",
        "append G",
        "append G rate 10",
        "look G via N1 weak",
        "look G",
        "stand G N2",
        "stand G N2 again",
        "recopy on 1000",
        "recopy on",
        "recopy off",
        "recopy now N3",
        "recopy G N1",
        "group G N1 bytes 1000 acks all patience 500.5",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct command c;
        struct err err = {{0}};
        struct str said = STR_EMPTY;
        assert_true(command_parse(words[i], &c, &err));
        command_say(&c, &said);
        assert_string_equal(str_text(&said), words[i]);
        str_free(&said);
    }
}

static void wrong_words_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *words, *sentence;
    } wrong[] = {
        {"node N0 down", "\"N0\" is no node; write N and its number from 1 on, as in N3"},
        {"split N1 N1", "N1 is named twice; each node is on one side"},
        {"split N1 / N2 / N3 / N4", "a cut has at most 4 sides, that of the others included"},
        {"split N65", "no node N65: a world has at most 64"},
        {"group G N1 N2 N3 N4 N5 N6 N7 N8", "a group has at most 7 replicas, on nodes N1 to N64"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct command c;
        struct err err = {{0}};
        assert_false(command_parse(wrong[i].words, &c, &err));
        assert_string_equal(err.text, wrong[i].sentence);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_join_in_zones),
        cmocka_unit_test(without_nodes_there_is_nothing),
        cmocka_unit_test(a_cut_has_sides),
        cmocka_unit_test(a_way_takes_its_time),
        cmocka_unit_test(what_does_not_arrive_is_told),
        cmocka_unit_test(the_network_strikes_nodes_too),
        cmocka_unit_test(out_of_messages_stops_the_world),
        cmocka_unit_test(a_copy_goes_the_same_way),
        cmocka_unit_test(commands_say_what_they_are),
        cmocka_unit_test(wrong_words_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
