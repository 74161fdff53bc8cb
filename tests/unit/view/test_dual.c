/* Versions in two stores, and the backfill among them. */
#include "base/prng.h"
#include "move_stage.h"

static const struct view_state plain = {.argument = ""};

static char *told(const struct stage *st)
{
    return scene_said(&st->scene, "dual", &plain);
}

/* Written to both, one edit since; the backfill has the third key in hand. */
static void stage_filling(struct stage *st)
{
    stage_edited(st);
    stage_do(st, "dual 12067 S4");
    stage_do(st, "request edit author:{p9} via R0");
    stage_answered(st);
    stage_do(st, "dual 12067 S4 backfill 10");
    stage_on(st, 200500);
}

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    stage_filling(&st);
    scene_goldens(&st.scene, "dual", &plain, "dual");
    scene_golden(&st.scene, "dual", &plain, "dual", 30, 6, GLYPHS_ASCII);
    assert_all_sizes(&st.scene, "dual");
    stage_free(&st);
}

static void from_one_store_to_the_other(void **state)
{
    (void)state;
    struct stage st;
    stage_edited(&st);
    char *text = told(&st);
    assert_contains(text, "Slot 12067 rests at S2, and is written there alone.");
    free(text);
    stage_do(&st, "dual 12067 S4");
    text = told(&st);
    assert_contains(text, "written to both. Reads: S2, edits: S2, then S4. Backfill: not begun.");
    assert_contains(text, "post:{p9}: S2 v3, S4 has none; not filled yet.");
    free(text);
    stage_do(&st, "dual 12067 S4 backfill 10");
    stage_on(&st, 200500);
    text = told(&st);
    assert_contains(text, "Backfill: 2 of 6 keys, 10/s.");
    assert_contains(text, "media:{p9}: S2 v3, S4 has none; the backfill carries v3.");
    free(text);
    stage_on(&st, US_PER_SECOND);
    text = told(&st);
    assert_contains(text, "Backfill: done, both the same.");
    free(text);
    stage_do(&st, "switch 12067 reads");
    stage_on(&st, US_PER_MS);
    text = told(&st);
    assert_contains(text, "reads have switched. Reads: S4, edits: S4, then S2.");
    free(text);
    stage_do(&st, "switch 12067 done");
    stage_on(&st, US_PER_MS);
    text = told(&st);
    assert_contains(text, "over. Reads and edits: S4 alone. Now the same in both.");
    free(text);
    stage_free(&st);
}

/* With newer-only off the backfill's older version lands on a newer one. */
static void an_older_version_wins(void **state)
{
    (void)state;
    struct stage st;
    stage_filling(&st);
    stage_do(&st, "rule newer-only off");
    while (shifts_job(st.world, 0).hand != KEY_NONE_ID) {
        stage_on(&st, 100);
    }
    while (shifts_job(st.world, 0).hand == KEY_NONE_ID) {
        stage_on(&st, 100);
    }
    stage_do(&st, "request edit views:{p9} via R4");
    stage_on(&st, 30 * US_PER_MS);
    scene_golden(&st.scene, "dual", &plain, "dual_back", 40, 12, GLYPHS_UTF8);
    char *copies = scene_said(&st.scene, "copies", &plain);
    assert_contains(copies, "views:{p9}: S2 v5, S4 v3, S4 took an OLDER version.");
    free(copies);
    char *text = told(&st);
    assert_contains(text, "A store took an older version over a newer one 1 time.");
    assert_contains(text, "views:{p9}: S2 v5, S4 v3; S4 took an OLDER version.");
    free(text);
    stage_free(&st);
}

/* A second write fails while S4 is down; the backfill makes it good. */
static void a_second_write_fails(void **state)
{
    (void)state;
    struct stage st;
    stage_edited(&st);
    stage_do(&st, "patience 20");
    stage_do(&st, "dual 12067 S4");
    stage_do(&st, "dual 12067 S4 backfill 100");
    stage_on(&st, 200 * US_PER_MS);
    stage_do(&st, "crash S4 400");
    stage_do(&st, "request edit tags:{p9} via R0");
    stage_on(&st, 350 * US_PER_MS);
    scene_golden(&st.scene, "dual", &plain, "dual_failed", 56, 14, GLYPHS_UTF8);
    struct shift_info info = world_shift(st.world, 0);
    assert_int_equal(info.failed, 1);
    char *text = told(&st);
    assert_contains(text, "Of the second writes: 1 sent, 1 failed, 0 repaired since.");
    free(text);
    stage_free(&st);
}

static void counts_have_no_version(void **state)
{
    (void)state;
    struct stage st;
    stage_liked(&st);
    stage_do(&st, "dual 12067 S4 parallel");
    stage_on(&st, 20 * US_PER_MS);
    char *text = told(&st);
    assert_contains(text, "edits: S2 and S4 at once.");
    assert_contains(text, "likes:{p9}: S2 has none, S4 has none; a count: it has no version.");
    free(text);
    stage_free(&st);
}

/* Every version that is told is the engine's, and so is who differs. */
static void agrees_with_the_engine(void **state)
{
    (void)state;
    static const char *const acts[] = {"request edit tags:{p9} via R5",
                                       "request edit post:{p9} via R1", "crash S4 30",
                                       "dual 12067 S4 backfill 200", "switch 12067 reads"};
    struct prng p = prng_seeded(8, "versions told");
    struct stage st;
    stage_edited(&st);
    stage_do(&st, "dual 12067 S4");
    for (int round = 0; round < 120; round++) {
        struct command command;
        struct err err;
        if (command_parse(acts[prng_below(&p, 5)], &command, &err)) {
            (void)world_apply(st.world, &command, &err); /* not each is possible now */
        }
        stage_on(&st, (int64_t)prng_below(&p, 20000));
        char *text = told(&st), words[128];
        uint32_t differ = 0;
        for (uint32_t key = 0; key < world_keys(st.world); key++) {
            if (world_key_slot(st.world, key) != MOVED_SLOT) {
                continue;
            }
            uint32_t at[2] = {world_key_version(st.world, 2, key),
                              world_key_version(st.world, 4, key)};
            struct bytes name = world_key(st.world, key);
            int length = snprintf(words, sizeof words, "%.*s: S2 ", (int)name.length, name.at);
            for (int side = 0; side < 2; side++) {
                length += snprintf(words + length, sizeof words - (size_t)length,
                                   at[side] == 0 ? "has none" : "v%u", at[side]);
                length += snprintf(words + length, sizeof words - (size_t)length,
                                   side == 0 ? ", S4 " : "; ");
            }
            assert_contains(text, words);
            differ += at[0] != at[1];
        }
        assert_int_equal(differ, world_shift(st.world, 0).differ);
        assert_int_equal(count_in(text, "the same.") >= 1, differ < 6);
        free(text);
    }
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),
        cmocka_unit_test(from_one_store_to_the_other),
        cmocka_unit_test(an_older_version_wins),
        cmocka_unit_test(a_second_write_fails),
        cmocka_unit_test(counts_have_no_version),
        cmocka_unit_test(agrees_with_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
