/* What an operator's tool prints of a world: its text, word for word, at any width. */
#include "across_stage.h"
#include "engine/systems/systems.h"
#include "place/ring.h"
#include "tools/readout.h"

static struct view_state state_of(const char *argument)
{
    return (struct view_state){.argument = argument};
}

static void goldens(const struct stage *st, const char *argument, const char *name)
{
    struct view_state v = state_of(argument);
    scene_goldens(&st->scene, "readout", &v, name);
    scene_golden(&st->scene, "readout", &v, name, 30, 6, GLYPHS_ASCII);
}

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, "replicas S2 2\nmove 100-199 S1\nmove 12067 S1\nshift 93 S2 open\n"
                  "request like likes:{p9} via R0\n+100\n");
    goldens(&st, "cluster-nodes:S0", "readout_nodes");
    goldens(&st, "cluster-check:S1", "readout_check");
    stage_free(&st);
    stage_of(&st, "system redis on\nsystem cassandra on 12 4\n"
                  "flow like likes:{p9} 200 steady\nflow read post:{p9} 300 steady\n"
                  "series msg 500\n+2000\nsystem cassandra down 2\n");
    goldens(&st, "slot-stats:S2::2", "readout_stats");
    goldens(&st, "nodetool-ring", "readout_ring");
    goldens(&st, "nodetool-status", "readout_status");
    stage_free(&st);
}

/* Without its line breaks and its narrowed gaps what is drawn is what was printed. */
static void nothing_is_lost(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, "replicas S1 3\nshift 93 S2 open\nsystem cassandra on 12 4\n+100\n");
    static const char *const kinds[] = {"cluster-nodes:S0", "cluster-check:S2", "slot-stats:S3",
                                        "nodetool-ring", "nodetool-status"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct readout_wish wish;
        struct err err;
        struct str whole = STR_EMPTY;
        struct view_state v = state_of(kinds[i]);
        assert_true(readout_parse(kinds[i], &wish, &err));
        assert_true(readout_say(st.world, &wish, &whole, &err));
        static const int columns[] = {12, 30, 40, 56, 80, 122, 200};
        for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++) {
            char *text = scene_text(&st.scene, "readout", &v, columns[c], 999, false);
            const char *to = strchr(text, '\n');
            while (strncmp(to + 1, "  ", 2) == 0 || strstr(to, "DESC") != NULL) {
                to = strchr(to + 1, '\n'); /* the rest of what was typed */
            }
            for (const char *from = str_text(&whole); *from != '\0'; from++) {
                if (*from == ' ' || *from == '\n') {
                    continue;
                }
                to += strspn(to, " \n");
                if (*to++ != *from) {
                    fail_msg("%s at %d columns: \"%.30s\" is missing", kinds[i], columns[c], from);
                }
            }
            assert_int_equal(strspn(to, " \n"), strlen(to));
            free(text);
        }
        str_free(&whole);
    }
    stage_free(&st);
}

static void selecting(void **state)
{
    (void)state;
    struct stage st;
    const struct view *view = view_by_name("readout");
    struct view_state v = state_of("cluster-nodes:S0");
    stage_of(&st, "replicas S1 2\nreplicas S2 2\nreplicas S3 2\n+100\n");
    char *text = scene_text(&st.scene, "readout", &v, 40, 8, true);
    assert_contains(text, "lines 1-3 of 8: up, down");
    free(text);
    for (int64_t line = 0; line < 8; line++) { /* each line comes into sight, whole */
        assert_true(view->move(&v, &st.scene, VERB_DOWN, 40, 8));
        assert_int_equal(v.selected, line);
        char name[16] = "$ redis-cli";
        if (line > 0) {
            (void)snprintf(name, sizeof name, ",s%d%s", (int)(line < 5 ? line - 1 : line - 4),
                           line < 5 ? " " : "-1 ");
        }
        text = scene_text(&st.scene, "readout", &v, 40, 8, true);
        assert_contains(text, line < 5 && line > 0 ? name : line == 0 ? name : ",s");
        free(text);
    }
    assert_false(view->move(&v, &st.scene, VERB_DOWN, 40, 8));
    assert_true(view->move(&v, &st.scene, VERB_FIRST, 40, 8));
    assert_int_equal(v.scroll, 0);
    assert_true(view->move(&v, &st.scene, VERB_PAGE_DOWN, 40, 8));
    assert_in_range(v.selected, 1, 3);
    assert_true(view->move(&v, &st.scene, VERB_LAST, 40, 8));
    assert_int_equal(v.selected, 7);
    stage_free(&st);
}

static void what_cannot_be_told_is_said(void **state)
{
    (void)state;
    struct stage st;
    struct view_state v = state_of("nodetool-ring");
    stage_of(&st, "");
    char *text = scene_told(&st.scene, "readout", &v);
    assert_contains(text, "Cassandra is off here");
    assert_plain(text, 72);
    free(text);
    v = state_of("");
    text = scene_told(&st.scene, "readout", &v); /* the first node's view */
    assert_contains(text, "$ redis-cli -h 10.0.0.10 CLUSTER NODES\n");
    assert_plain(text, 72);
    free(text);
    v = state_of("post:{p9}");
    text = scene_text(&st.scene, "readout", &v, 56, 25, true);
    assert_contains(text, "there is no readout \"post\"");
    free(text);
    st.page.question.kind = QUESTION_CHOICE; /* the text is no conclusion */
    v = state_of("cluster-check");
    text = scene_told(&st.scene, "readout", &v);
    assert_contains(text, "[OK] All 16384 slots covered.");
    free(text);
    stage_free(&st);
}

/* In a drill without a world: the ring of its first placing. */
static void a_placing_is_told(void **state)
{
    (void)state;
    struct err err;
    struct layout_params params = layout_defaults(&scheme_cassandra);
    params.tokens = 2;
    struct keyset *keys = keyset_synthetic(9);
    struct layout *before = layout_new(&scheme_cassandra, &params, 3, &err);
    assert_true(keys != NULL && before != NULL);
    struct layout *after = layout_copy(before);
    assert_true(layout_add(after, &err));
    struct trial *trial = trial_new(keys, before, after);
    struct page_placing placing = {.title = "", .trial = trial, .hidden = true};
    struct page page = {.lesson_id = ""};
    struct scene scene = {.page = &page, .placing = &placing, .placings = 1};
    struct view_state v = state_of("nodetool-status");
    char *text = scene_told(&scene, "readout", &v);
    assert_contains(text, "10.1.0.12");
    assert_int_equal(count_in(text, "10.1.0.13"), 0);
    free(text);
    placing.hidden = false;
    text = scene_told(&scene, "readout", &v);
    assert_contains(text, "10.1.0.13");
    free(text);
    v = state_of("cluster-nodes");
    text = scene_told(&scene, "readout", &v);
    assert_contains(text, "There is no world here");
    free(text);
    trial_free(trial);
    keyset_free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),          cmocka_unit_test(nothing_is_lost),
        cmocka_unit_test(selecting),         cmocka_unit_test(what_cannot_be_told_is_said),
        cmocka_unit_test(a_placing_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
