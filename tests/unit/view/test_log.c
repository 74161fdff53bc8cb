/* The log and its tail: every entry that waits is there, in its order, and nothing else. */
#include "base/prng.h"
#include "move_stage.h"

static const struct view_state plain = {.argument = ""};

static char *told(const struct stage *st)
{
    return scene_said(&st->scene, "log", &plain);
}

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    stage_moving(&st, MOVING_FENCE, false);
    scene_goldens(&st.scene, "log", &plain, "log_fence");
    scene_golden(&st.scene, "log", &plain, "log_fence", 40, 9, GLYPHS_UTF8);
    scene_golden(&st.scene, "log", &plain, "log_fence", 30, 6, GLYPHS_ASCII);
    assert_all_sizes(&st.scene, "log");
    struct view_state v = {.argument = ""};
    assert_true(view_log.move(&v, &st.scene, VERB_LAST, 56, 16));
    scene_golden(&st.scene, "log", &v, "log_selected", 56, 16, GLYPHS_UTF8);
    assert_int_equal(view_log.subject(&v, &st.scene).kind, SUBJECT_SLOT); /* the fence */
    assert_true(view_log.move(&v, &st.scene, VERB_FIRST, 56, 16));
    struct subject subject = view_log.subject(&v, &st.scene);
    assert_int_equal(subject.kind, SUBJECT_KEY);
    struct move_info m = stage_move(&st);
    struct move_entry first;
    assert_int_equal(moves_tail(st.world, &m, 0, &first, 1), 1);
    assert_int_equal(subject.id, first.key);
    stage_free(&st);
}

/* A ruler whose entries have room for ticks, and what became of a stream back. */
static void the_stream_back(void **state)
{
    (void)state;
    struct stage st;
    stage_moving(&st, MOVING_MOVED, true);
    scene_golden(&st.scene, "log", &plain, "log_stream", 56, 16, GLYPHS_UTF8);
    scene_golden(&st.scene, "log", &plain, "log_stream", 56, 16, GLYPHS_ASCII);
    char *text = told(&st);
    struct move_info m = stage_move(&st);
    char words[96];
    (void)snprintf(words, sizeof words, "Entries of the slot since: %u. Applied at S2: %u.",
                   m.stream_end, m.stream_applied);
    assert_contains(text, "the log of S4, and how far S2 has applied it. This is the stream back");
    assert_contains(text, words);
    free(text);
    stage_free(&st);
}

static void while_the_copy_runs(void **state)
{
    (void)state;
    struct stage st;
    stage_moving(&st, MOVING_COPY, false);
    scene_golden(&st.scene, "log", &plain, "log_copy", 40, 9, GLYPHS_UTF8);
    char *text = told(&st);
    assert_contains(text, "While the copy runs, entries are kept; S4 takes them at its end. "
                          "Written since the snapshot: comments:{p9} likes:{p9}.");
    assert_contains(text, "position 37 of the log");
    free(text);
    stage_free(&st);
}

static void kinds_of_entries(void **state)
{
    (void)state;
    struct stage st;
    stage_moving(&st, MOVING_TAIL, false);
    stage_do(&st, "request edit post:{p9} via R0");
    while (world_waiting(st.world, 1u << OP_EDIT, KEY_NONE_ID) > 0) {
        stage_on(&st, 200);
    }
    char *text = told(&st), *drawn = scene_text(&st.scene, "log", &plain, 60, 16, false);
    assert_contains(text, " post:{p9}: edit, now v4, ");
    assert_contains(text, " likes:{p9}: like, now ");
    assert_contains(drawn, "= post:{p9}  edit, now v4");
    free(text);
    free(drawn);
    stage_free(&st);
}

static void nobody_follows(void **state)
{
    (void)state;
    struct stage st;
    stage_moving(&st, MOVING_TAIL, false);
    stage_do(&st, "rule fence off");
    stage_do(&st, "fence 12067");
    stage_on(&st, 40 * US_PER_MS);
    scene_golden(&st.scene, "log", &plain, "log_lost", 40, 12, GLYPHS_UTF8);
    struct move_info m = stage_move(&st);
    char words[96];
    (void)snprintf(words, sizeof words, "%u entries of it never came", m.end - m.applied);
    char *text = told(&st);
    assert_true(m.end > m.applied);
    assert_contains(text, words);
    free(text);
    stage_free(&st);
    stage_moving(&st, MOVING_TAIL, false);
    stage_do(&st, "abort 12067");
    text = told(&st);
    assert_contains(text, "The move was dropped: S2 serves, nobody follows its log.");
    free(text);
    stage_free(&st);
    stage_liked(&st);
    text = told(&st);
    assert_string_equal(text, "Slot 12067 rests at S2: nobody follows its log. ");
    free(text);
    scene_golden(&st.scene, "log", &plain, "log_rest", 40, 8, GLYPHS_UTF8);
    stage_free(&st);
}

/* Signs on the upper ruler: as many as entries wait, as far as it reaches. */
static int signs(const char *drawn)
{
    const char *ruler = strchr(drawn, '\n') + 1;
    int count = 0;
    for (const char *at = ruler + 3; *at != '\n'; at++) {
        count += *at == '+' || *at == '=' || *at == '#' || *at == '$' || *at == 'F';
    }
    return count;
}

static void agrees_with_the_engine(void **state)
{
    (void)state;
    struct prng p = prng_seeded(8, "logs told");
    struct stage st;
    stage_moving(&st, MOVING_TAIL, false);
    for (int round = 0; round < 150; round++) {
        if (prng_chance(&p, 1, 6)) { /* entries wait while S4 is down */
            struct command command;
            struct err err;
            assert_true(command_parse("crash S4 15", &command, &err));
            (void)world_apply(st.world, &command, &err);
        }
        stage_on(&st, (int64_t)prng_below(&p, 8000));
        struct move_info m = stage_move(&st);
        struct move_entry entry[64];
        uint32_t entries = moves_tail(st.world, &m, 0, entry, 64);
        assert_int_equal(m.tail, m.end - m.applied);
        assert_int_equal(entries, m.tail);
        char *text = told(&st), words[64];
        assert_int_equal(count_in(text, "entry "), entries < 24 ? entries : 24);
        for (uint32_t i = 0; i < entries && i < 24; i++) {
            assert_int_equal(entry[i].number, m.applied + 1 + i);
            (void)snprintf(words, sizeof words, "entry %u ", entry[i].number);
            assert_contains(text, words);
        }
        free(text);
        char *drawn = scene_text(&st.scene, "log", &plain, 100, 20, false);
        assert_int_equal(signs(drawn), entries);
        free(drawn);
    }
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),
        cmocka_unit_test(the_stream_back),
        cmocka_unit_test(while_the_copy_runs),
        cmocka_unit_test(kinds_of_entries),
        cmocka_unit_test(nobody_follows),
        cmocka_unit_test(agrees_with_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
