/* The logs of a partition's copies: who leads, what is committed, what is lost. */
#include "across_stage.h"
#include "engine/copies/copies.h"

#define WRITES "append P1 7 via N1\nappend P1 8 via N1\n+300\nappend P1 9 via N1\n+300\n"
/* N1 leads on alone, and takes a write that it cannot commit; the others have another leader. */
#define CUT "split N1\n+20\nappend P1 10 via N1\n+2500\n"

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, SIX_NODES WRITES CUT "append P1 11 via N3\nappend P1 11 via N5\n+100");
    scene_goldens(&st.scene, "replicas", &across_plain, "replicas");
    scene_golden(&st.scene, "replicas", &across_plain, "replicas", 30, 6, GLYPHS_ASCII);
    assert_all_sizes(&st.scene, "replicas");
    stage_free(&st);
}

static void a_leader_and_its_followers(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    assert_says(&st, "replicas", "No shard has copies on nodes yet.");
    stage_play(&st, SIX_NODES WRITES);
    assert_says(&st, "replicas", "P1: N1 leads term 1, 3 committed.");
    assert_says(&st, "replicas", "N3, zone c: follows, term 1, 3 entries, knows 3 committed");
    assert_says(&st, "replicas", "terms of entries 1 to 3: 1 1 1");
    assert_says(&st, "replicas", "OK when a majority has it; 3 writes, 3 OK.");
    assert_draws(&st, "replicas", 40, 8, "N1  a LEADS   1    1 1 1");
    struct view_state v = {.argument = "P2"};
    char *text = scene_said(&st.scene, "replicas", &v);
    assert_contains(text, "P2: N2 leads term 1, 0 committed.");
    free(text);
    v.argument = "P9";
    text = scene_said(&st.scene, "replicas", &v);
    assert_contains(text, "There is no shard P9 yet.");
    free(text);
    stage_free(&st);
}

static void two_leaders_during_a_cut(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, SIX_NODES WRITES CUT);
    struct group_info g = world_group(st.world, 0);
    assert_int_equal(g.leaders, 2);
    assert_says(&st, "replicas", "P1: TWO LEAD, ");
    assert_says(&st, "replicas", "The network is cut here. N1, zone a: LEADS, term 1, 4 entries");
    assert_draws(&st, "replicas", 40, 8, "network cut");
    stage_play(&st, "heal\n+1000");
    assert_says(&st, "replicas", "N1, zone a: follows");
    char *text = across_said(&st, "replicas");
    assert_int_equal(count_in(text, "TWO LEAD") + count_in(text, "cut"), 0);
    free(text);
    stage_free(&st);
}

/* Acknowledged by a leader alone, and thrown away with it. */
static void an_acknowledged_write_is_lost(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, "node add a\nnode add b\nnode add c\ngroup P1 N1 N2 N3 acks one\n+300\n"
                  "append P1 7 via N1\n+300\nsplit N1\n+20\nappend P1 8 via N1\n+2500");
    uint64_t lost = world_group(st.world, 0).lost;
    assert_true(lost > 0);
    assert_says(&st, "replicas", "LOST: 1 acknowledged write the leader does not have");
    assert_says(&st, "replicas", "(lost)");
    assert_draws(&st, "replicas", 40, 17, "acknowledged, and lost");
    stage_free(&st);
}

static void a_replica_is_down(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, SIX_NODES WRITES "node N1 down\n+100");
    assert_says(&st, "replicas", "P1: nobody leads, for ");
    assert_says(&st, "replicas", "N1, zone a: down");
    stage_play(&st, "+3000");
    assert_says(&st, "replicas", "leads term 2");
    stage_free(&st);
}

/* Neither two leaders nor what is lost is said before the answer; the legend has what is there. */
static void an_open_question(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, SIX_NODES WRITES CUT);
    st.page.question.kind = QUESTION_CHOICE;
    assert_silent(&st, "replicas", "TWO LEAD");
    assert_silent(&st, "replicas", "a read here");
    assert_says(&st, "replicas", "N1 leads term 1");
    stage_free(&st);
    stage_of(&st, SIX_NODES WRITES "split N1 N2\n+20");
    assert_draws(&st, "replicas", 40, 19, "1 entry of term 1");
    char *text = scene_text(&st.scene, "replicas", &across_plain, 40, 19, false);
    assert_int_equal(count_in(text, "term 3"), 0);
    free(text);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),
        cmocka_unit_test(a_leader_and_its_followers),
        cmocka_unit_test(two_leaders_during_a_cut),
        cmocka_unit_test(an_acknowledged_write_is_lost),
        cmocka_unit_test(a_replica_is_down),
        cmocka_unit_test(an_open_question),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
