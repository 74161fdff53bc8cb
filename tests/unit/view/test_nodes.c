/* All nodes and what they hold; what nodes tell each other in the trace. */
#include "across_stage.h"
#include "engine/copies/copies.h"
#include "engine/nodes/nodes.h"

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, SIX_NODES "beats 100 timeout 500\n+1500\nnode N3 down\n+400");
    scene_goldens(&st.scene, "nodes", &across_plain, "nodes");
    scene_golden(&st.scene, "nodes", &across_plain, "nodes", 30, 6, GLYPHS_ASCII);
    assert_all_sizes(&st.scene, "nodes");
    stage_free(&st);
    stage_of(&st, SIX_NODES "split N1 N2\n+3000");
    scene_golden(&st.scene, "nodes", &across_plain, "nodes_cut", 40, 17, GLYPHS_UTF8);
    stage_free(&st);
}

static void who_holds_what(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    assert_says(&st, "nodes", "There is no node yet.");
    stage_play(&st, SIX_NODES);
    assert_says(&st, "nodes", "3 shards, each led, all copies up; every node is up.");
    assert_says(&st, "nodes", "N2, zone b: up; 2 copies, leads 1.");
    assert_says(&st, "nodes", "P1: N1 leads, N5 follows, N3 follows.");
    assert_draws(&st, "nodes", 40, 8, "P1   L    \u00B7    \u00B7    f    f");
    stage_free(&st);
}

static void down_and_believed_dead(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, SIX_NODES "beats 100 timeout 500\n+1500\nnode N3 down\n+400");
    assert_says(&st, "nodes",
                "2 of 3 shards with a copy that is down; N3 is down, not noticed yet.");
    stage_play(&st, "+1000");
    assert_says(&st, "nodes", "N3 is down, believed dead");
    stage_play(&st, "split N1\n+3000");
    assert_says(&st, "nodes", "N1 is up, but believed dead, cut off");
    assert_says(&st, "nodes", "the network is cut");
    stage_play(&st, "heal\nnode N3 up\n+2000");
    assert_says(&st, "nodes", "3 shards, each led, all copies up; every node is up.");
    stage_free(&st);
}

/* Every leader that is told is the engine's. */
static void agrees_with_the_engine(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, SIX_NODES);
    for (int node = 1; node <= 6; node++) {
        char words[32];
        (void)snprintf(words, sizeof words, "node N%d down\n+2500", node);
        stage_play(&st, words);
        for (uint32_t i = 0; i < world_groups(st.world); i++) {
            struct group_info g = world_group(st.world, i);
            if (g.leader == UINT16_MAX) {
                continue;
            }
            struct node_holds holds = world_node_holds(st.world, g.replica[g.leader].node);
            char part[64];
            (void)snprintf(part, sizeof part, "N%u, zone %c: up; %u cop%s, leads %u",
                           g.replica[g.leader].node + 1u,
                           'a' + world_node(st.world, g.replica[g.leader].node).zone,
                           (unsigned)holds.replicas, holds.replicas == 1 ? "y" : "ies",
                           (unsigned)holds.leads);
            assert_says(&st, "nodes", part);
            (void)snprintf(part, sizeof part, "N%u leads", g.replica[g.leader].node + 1u);
            assert_says(&st, "nodes", part);
        }
        (void)snprintf(words, sizeof words, "node N%d up\n+2500", node);
        stage_play(&st, words);
    }
    stage_free(&st);
}

/* Lanes for nodes, with the time of each message; one node's records alone. */
static void in_the_trace(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, SIX_NODES);
    world_copy_into(st.before, st.world); /* the step begins here */
    stage_play(&st, "append P1 7 via N1\n+300");
    scene_golden(&st.scene, "trace", &across_plain, "trace_nodes", 40, 19, GLYPHS_UTF8);
    scene_golden(&st.scene, "trace", &across_plain, "trace_nodes", 122, 28, GLYPHS_ASCII);
    struct view_state v = {.argument = "N3"};
    char *text = scene_said(&st.scene, "trace", &v);
    assert_true(count_in(text, "N3 -> N1") > 0 && count_in(text, "N5") == 0);
    free(text);
    st.page.key = "post:{p9}"; /* what nodes do is about no key */
    assert_draws(&st, "trace", 40, 19, "N3");
    stage_free(&st);
}

/* What follows from what is seen comes with the answer. */
static void an_open_question(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, SIX_NODES "node N3 down\n+10");
    assert_says(&st, "nodes", "2 of 3 shards with a copy that is down");
    st.page.question.kind = QUESTION_NUMBER;
    assert_says(&st, "nodes", "6 nodes, 3 shards; N3 is down");
    assert_silent(&st, "nodes", "with a copy");
    st.page.question.judged = true;
    assert_says(&st, "nodes", "2 of 3 shards with a copy that is down");
    stage_free(&st);
}

/* Twelve shards fit where the text stands beside them; fewer say how many more there are. */
static void all_shards_or_how_many(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, SIX_NODES "group P4 N1 N2 N3\ngroup P5 N1 N2 N3\ngroup P6 N1 N2 N3\n"
                            "group P7 N1 N2 N3\ngroup P8 N1 N2 N3\ngroup P9 N1 N2 N4\n"
                            "group P10 N1 N2 N4\ngroup P11 N1 N2 N4\ngroup P12 N4 N5 N6\n+300");
    assert_draws(&st, "nodes", 40, 19, "P12");
    assert_draws(&st, "nodes", 40, 19, "12 shards, each led, all copies up");
    assert_draws(&st, "nodes", 40, 8, "4 of 12 shards, 8 more");
    stage_play(&st, "node N5 down\n+10"); /* what is odd comes first */
    assert_draws(&st, "nodes", 40, 8, "P12  ");
    st.page.show[0] = (struct page_show){.view = "store", .argument = "cart:x"};
    st.page.shows = 1;
    assert_silent(&st, "nodes", "shard");
    stage_free(&st);
}

/* One shard's records, or one store's; and what has nothing yet says what it is. */
static void one_shard_in_the_trace(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, SIX_NODES "store cart 3 2 2\n");
    world_copy_into(st.before, st.world);
    st.page.key = "post:{p9}";
    st.page.question.kind = QUESTION_CHOICE;
    st.page.show[0] = (struct page_show){.view = "replicas", .argument = "P1"};
    st.page.shows = 1;
    assert_draws(&st, "trace", 40, 10, "nothing has happened to P1");
    stage_play(&st, "append P1 7 via N1\nappend P2 8 via N2\nset cart x 5 via N4\n+300\n");
    struct view_state v = {.argument = "P1"};
    char *text = scene_said(&st.scene, "trace", &v);
    assert_true(count_in(text, "P1") > 3);
    assert_int_equal(count_in(text, "P2") + count_in(text, "cart"), 0);
    free(text);
    v.argument = "cart";
    text = scene_said(&st.scene, "trace", &v);
    assert_true(count_in(text, "N4") > 1);
    assert_int_equal(count_in(text, "P1") + count_in(text, "P2"), 0);
    free(text);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),
        cmocka_unit_test(who_holds_what),
        cmocka_unit_test(down_and_believed_dead),
        cmocka_unit_test(agrees_with_the_engine),
        cmocka_unit_test(in_the_trace),
        cmocka_unit_test(an_open_question),
        cmocka_unit_test(all_shards_or_how_many),
        cmocka_unit_test(one_shard_in_the_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
