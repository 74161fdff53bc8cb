/* What the tables say of a slot on its way. */
#include "base/prng.h"
#include "move_stage.h"

static const struct view_state plain = {.argument = ""};

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    stage_moving(&st, MOVING_NEWS, false);
    scene_goldens(&st.scene, "tables", &plain, "tables");
    scene_golden(&st.scene, "tables", &plain, "tables", 30, 6, GLYPHS_ASCII);
    assert_all_sizes(&st.scene, "tables");
    char *text = scene_said(&st.scene, "tables", &plain);
    assert_contains(text, "Slot table of S2: migrating, epoch 7; serves nobody: retry.");
    assert_contains(text, "Slot table of S4: owned, epoch 8; serves it.");
    assert_contains(text, "Directory: S4, epoch 8, map v8.");
    assert_contains(text, "R0-R4: map v7, STALE, epoch 7. Asks S2: S2 says retry.");
    assert_contains(text, "R5: map v7, STALE, deaf, epoch 7. Asks S2: S2 says retry.");
    free(text);
    stage_free(&st);
}

/* Row by row through a move. */
static void rows_go_through_their_states(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        [MOVING_COPY] = {"S2: owned, epoch 7; serves it.", "S4: receiving from S2; serves nobody"},
        [MOVING_TAIL] = {"S2: owned, epoch 7; serves it.", "S4: receiving from S2; serves nobody"},
        [MOVING_FENCE] = {"S2: migrating, epoch 7", "S4: receiving from S2"},
        [MOVING_NEWS] = {"S2: migrating, epoch 7", "S4: owned, epoch 8; serves it."},
        [MOVING_MOVED] = {"S2: moved to S4, epoch 8; sends away, for ever.", "S4: owned, epoch 8"},
        [MOVING_CLEANED] = {"S2: moved to S4, epoch 8", "S4: owned, epoch 8"},
    };
    for (int at = MOVING_COPY; at <= MOVING_CLEANED; at++) {
        struct stage st;
        stage_moving(&st, (enum moving_at)at, false);
        char *text = scene_said(&st.scene, "tables", &plain);
        assert_contains(text, rows[at][0]);
        assert_contains(text, rows[at][1]);
        free(text);
        stage_free(&st);
    }
}

static void other_ways(void **state)
{
    (void)state;
    struct stage st;
    stage_edited(&st);
    scene_golden(&st.scene, "tables", &plain, "tables_rest", 40, 9, GLYPHS_UTF8);
    stage_do(&st, "shift 12067 S4 10");
    stage_on(&st, 150 * US_PER_MS);
    scene_golden(&st.scene, "tables", &plain, "tables_ask", 40, 9, GLYPHS_UTF8);
    char *text = scene_said(&st.scene, "tables", &plain);
    assert_contains(text, "Slot table of S2: leaving, epoch 7; serves what it has, ASK for the "
                          "rest.");
    assert_contains(text, "Slot table of S4: arriving from S2; serves those who say ASKING.");
    free(text);
    stage_free(&st);
    stage_edited(&st);
    stage_do(&st, "dual 12067 S4");
    stage_on(&st, US_PER_MS);
    text = scene_said(&st.scene, "tables", &plain);
    assert_contains(text, "Slot table of S4: arriving from S2; takes second writes alone.");
    free(text);
    stage_free(&st);
}

/* What a router will be told, and what a row will be, is not told while the page asks for it. */
static void while_the_page_asks(void **state)
{
    (void)state;
    struct stage st;
    stage_moving(&st, MOVING_NEWS, false);
    st.page.question.kind = QUESTION_NUMBER;
    st.page.question.state = QUESTION_OPEN;
    scene_golden(&st.scene, "tables", &plain, "tables_asked", 40, 9, GLYPHS_UTF8);
    char *text = scene_said(&st.scene, "tables", &plain);
    assert_contains(text, "R0-R4: map v7, STALE, epoch 7. Asks S2. ");
    assert_null(strstr(text, "says retry"));
    free(text);
    stage_on(&st, 30 * US_PER_MS);
    text = scene_said(&st.scene, "tables", &plain);
    assert_contains(text, "S2: moved to S4, epoch 8; sends away.");
    assert_null(strstr(text, "for ever"));
    free(text);
    stage_free(&st);
}

/* Who serves though its row says that it must not. */
static void served_wrongly(void **state)
{
    (void)state;
    struct stage st;
    stage_moving(&st, MOVING_TAIL, false);
    stage_do(&st, "rule target-waits-for-commit off");
    char *text = scene_said(&st.scene, "tables", &plain);
    assert_contains(text, "Slot table of S4: receiving from S2; serves before its turn.");
    free(text);
    stage_do(&st, "rule target-waits-for-commit on");
    stage_do(&st, "rule slot-table-check off");
    stage_do(&st, "deaf R5 on");
    stage_do(&st, "fence 12067");
    stage_on(&st, 40 * US_PER_MS);
    scene_golden(&st.scene, "tables", &plain, "tables_unchecked", 40, 9, GLYPHS_UTF8);
    text = scene_said(&st.scene, "tables", &plain);
    assert_contains(text, "S2: moved to S4, epoch 8; serves unchecked.");
    assert_contains(text, "R5: map v7, STALE, deaf, epoch 7. Asks S2: S2 serves unchecked.");
    free(text);
    stage_free(&st);
}

static void lines_are_selected(void **state)
{
    (void)state;
    struct stage st;
    struct view_state v = {.argument = ""};
    stage_moving(&st, MOVING_MOVED, false);
    static const struct {
        enum subject_kind kind;
        uint64_t id;
    } lines[] = {{SUBJECT_SHARD, 2},
                 {SUBJECT_SHARD, 4},
                 {SUBJECT_SLOT, MOVED_SLOT},
                 {SUBJECT_ROUTER, 0},
                 {SUBJECT_ROUTER, 5}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct subject subject = view_tables.subject(&v, &st.scene);
        assert_int_equal(subject.kind, lines[i].kind);
        assert_int_equal(subject.id, lines[i].id);
        assert_int_equal(view_tables.move(&v, &st.scene, VERB_DOWN, 40, 9), i + 1 < 5);
    }
    stage_free(&st);
}

/* Rows, epochs and maps are those of the engine, whatever happens. */
static void agrees_with_the_engine(void **state)
{
    (void)state;
    static const char *const acts[] = {"migrate 12067 S4 1MB 10MB",
                                       "fence 12067",
                                       "abort 12067",
                                       "rollback 12067",
                                       "cleanup 12067",
                                       "deaf R1 on",
                                       "deaf R1 off",
                                       "crash S4 20"};
    struct prng p = prng_seeded(8, "tables told");
    struct stage st;
    stage_liked(&st);
    for (int round = 0; round < 150; round++) {
        struct command command;
        struct err err;
        if (command_parse(acts[prng_below(&p, 8)], &command, &err)) {
            (void)world_apply(st.world, &command, &err); /* not each is possible now */
        }
        stage_on(&st, (int64_t)prng_below(&p, 30000));
        char *text = scene_said(&st.scene, "tables", &plain), words[96];
        (void)snprintf(words, sizeof words, "Directory: S%u, epoch %u, map v%u",
                       world_owner(st.world, MOVED_SLOT), world_epoch(st.world, MOVED_SLOT),
                       world_map_version(st.world));
        assert_contains(text, words);
        for (uint16_t shard = 2; shard <= 4; shard += 2) {
            struct slot_row row = world_slot_row(st.world, shard, MOVED_SLOT);
            (void)snprintf(words, sizeof words, "Slot table of S%u: %s", shard,
                           slot_state_name((enum slot_state)row.state));
            if (strstr(text, "Slot table of S4") != NULL || shard == 2) {
                assert_contains(text, words);
            }
        }
        bool stale = false;
        for (uint16_t r = 0; r < world_config_of(st.world)->routers; r++) {
            stale |= world_router(st.world, r).map_version < world_map_version(st.world);
        }
        assert_int_equal(strstr(text, "STALE") != NULL, stale);
        free(text);
    }
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),
        cmocka_unit_test(rows_go_through_their_states),
        cmocka_unit_test(other_ways),
        cmocka_unit_test(served_wrongly),
        cmocka_unit_test(while_the_page_asks),
        cmocka_unit_test(lines_are_selected),
        cmocka_unit_test(agrees_with_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
