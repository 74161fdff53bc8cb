/* Two copies of a slot, key by key: who differs, and why. */
#include "base/prng.h"
#include "move_stage.h"

static const struct view_state plain = {.argument = ""};

static char *told(const struct stage *st)
{
    return scene_said(&st->scene, "copies", &plain);
}

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    stage_moving(&st, MOVING_TAIL, false);
    scene_goldens(&st.scene, "copies", &plain, "copies_tail");
    scene_golden(&st.scene, "copies", &plain, "copies_tail", 30, 6, GLYPHS_ASCII);
    assert_all_sizes(&st.scene, "copies");
    stage_free(&st);
}

/* Why the copies differ, from stage to stage. */
static void reasons(void **state)
{
    (void)state;
    static const char *const why[][2] = {
        [MOVING_COPY] = {"likes:{p9}: S2 240, S4 30, written since the snapshot.",
                         "1 the same, 2 on their way"},
        [MOVING_TAIL] = {"likes:{p9}: S2 781, S4 777, 4 in the tail: 847, 849, 850, 851.",
                         "S4 is at entry 846 of 851. Together: 1 the same, 2 on their way"},
        [MOVING_FENCE] = {"comments:{p9}: S2 104, S4 103, 1 in the tail: 848.",
                          "S4 is at entry 846 of 852."},
        [MOVING_NEWS] = {"likes:{p9}: S2 781, S4 781, the same.", "all 3 keys are the same"},
        [MOVING_MOVED] = {"likes:{p9}: S2 781, S4 794, S4 wrote on.",
                          "S2's copy is out of service. Together: 1 the same, 2 written on"},
        [MOVING_CLEANED] = {"post:{p9}: S2 -, S4 v3, at S4 alone.", "3 in one copy alone"},
    };
    for (int at = MOVING_COPY; at <= MOVING_CLEANED; at++) {
        struct stage st;
        stage_moving(&st, (enum moving_at)at, false);
        char *text = told(&st);
        assert_contains(text, why[at][0]);
        assert_contains(text, why[at][1]);
        free(text);
        stage_free(&st);
    }
    struct stage st;
    stage_moving(&st, MOVING_MOVED, true);
    char *text = told(&st);
    assert_contains(text, " in the stream: ");
    free(text);
    stage_free(&st);
}

static void what_is_missing(void **state)
{
    (void)state;
    struct stage st;
    stage_moving(&st, MOVING_TAIL, false);
    stage_do(&st, "rule fence off");
    stage_do(&st, "fence 12067");
    stage_on(&st, 40 * US_PER_MS);
    scene_golden(&st.scene, "copies", &plain, "copies_lost", 40, 9, GLYPHS_UTF8);
    uint64_t lost = 0;
    for (uint32_t key = 0; key < world_keys(st.world); key++) {
        assert_int_equal(moves_lacking(st.world, key), world_lost(st.world, key));
        lost += moves_lacking(st.world, key);
    }
    assert_true(lost > 0);
    char *text = told(&st);
    assert_contains(text, " LACKS ");
    assert_contains(text, " MISSING");
    free(text);
    stage_free(&st);
}

/* The snapshot says that it holds more than it does: no entry of the tail will ever bring it. */
static void a_copy_that_lies(void **state)
{
    (void)state;
    struct stage st;
    stage_liked(&st);
    stage_do(&st, "rule snapshot-position off");
    stage_do(&st, "migrate 12067 S4 1MB 10MB");
    while (stage_move(&st).claimed == 0) {
        stage_on(&st, US_PER_MS);
    }
    stage_do(&st, "flow like likes:{p9} 0"); /* a later like would bring the whole count */
    stage_do(&st, "flow like comments:{p9} 0");
    stage_on(&st, 300 * US_PER_MS);
    assert_true(stage_move(&st).claimed > 0);
    char *text = told(&st);
    assert_contains(text, "MISSING at S4, not in the tail.");
    free(text);
    text = scene_said(&st.scene, "move", &plain);
    assert_contains(text, "NOT THE SAME: the copy lacks ");
    free(text);
    scene_golden(&st.scene, "copies", &plain, "copies_lie", 56, 9, GLYPHS_UTF8);
    stage_free(&st);
}

static void other_ways(void **state)
{
    (void)state;
    struct stage st;
    stage_edited(&st);
    char *text = told(&st);
    assert_contains(text, "Slot 12067 rests at S2, and there is no second copy.");
    free(text);
    stage_do(&st, "dual 12067 S4");
    stage_do(&st, "dual 12067 S4 backfill 10");
    stage_on(&st, 200500);
    scene_golden(&st.scene, "copies", &plain, "copies_dual", 40, 12, GLYPHS_UTF8);
    text = told(&st);
    assert_contains(text, "media:{p9}: S2 v3, S4 -, in the backfill's hand.");
    assert_contains(text, "views:{p9}: S2 v3, S4 -, the backfill comes yet.");
    free(text);
    stage_free(&st);
    stage_edited(&st);
    stage_do(&st, "shift 12067 S4 10");
    stage_on(&st, 150 * US_PER_MS);
    text = told(&st);
    assert_contains(text, "post:{p9}: S2 -, S4 v3, gone over.");
    assert_contains(text, "author:{p9}: S2 v1, S4 -, still here.");
    free(text);
    stage_free(&st);
}

static void a_key_is_selected(void **state)
{
    (void)state;
    struct stage st;
    struct view_state v = {.argument = ""};
    stage_moving(&st, MOVING_TAIL, false);
    assert_true(view_copies.move(&v, &st.scene, VERB_DOWN, 40, 9));
    struct subject subject = view_copies.subject(&v, &st.scene);
    assert_int_equal(subject.kind, SUBJECT_KEY);
    assert_true(bytes_equal(world_key(st.world, (uint32_t)subject.id), bytes_of("comments:{p9}")));
    stage_free(&st);
}

/* Values, versions and verdicts are the engine's. */
static void agrees_with_the_engine(void **state)
{
    (void)state;
    static const char *const acts[] = {"migrate 12067 S4 1MB 10MB",
                                       "fence 12067",
                                       "abort 12067",
                                       "rollback 12067",
                                       "cleanup 12067",
                                       "crash S4 20",
                                       "crash S2 20"};
    struct prng p = prng_seeded(8, "copies told");
    struct stage st;
    stage_liked(&st);
    for (int round = 0; round < 150; round++) {
        struct command command;
        struct err err;
        if (command_parse(acts[prng_below(&p, 7)], &command, &err)) {
            (void)world_apply(st.world, &command, &err); /* not each is possible now */
        }
        stage_on(&st, (int64_t)prng_below(&p, 30000));
        char *text = told(&st), words[128];
        assert_null(strstr(text, "MISSING"));
        uint32_t likes = KEY_NONE_ID;
        assert_true(world_find_key(st.world, bytes_of("likes:{p9}"), &likes));
        for (uint16_t shard = 2; shard <= 4; shard += 2) {
            struct held_key held = moves_held(st.world, shard, likes);
            (void)snprintf(words, sizeof words, "S%u %s, ", shard,
                           held.there ? num_grouped((int64_t)held.value).text : "-");
            if (strstr(text, " and at S4;") != NULL || strstr(text, " and at S2;") != NULL) {
                assert_contains(text, words);
            }
            assert_int_equal(held.there ? held.value : 0, world_value(st.world, shard, likes));
        }
        free(text);
    }
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),
        cmocka_unit_test(reasons),
        cmocka_unit_test(what_is_missing),
        cmocka_unit_test(a_copy_that_lies),
        cmocka_unit_test(other_ways),
        cmocka_unit_test(a_key_is_selected),
        cmocka_unit_test(agrees_with_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
