/* The move of a slot: its stages, and the promise below them. */
#include "base/prng.h"
#include "move_stage.h"
#include "view/moving.h"

static const struct view_state plain = {.argument = ""};

/* Likes of the slot that clients were told of and that the owner lacks, by the engine's own count.
 */
static uint64_t lost(const struct world *w)
{
    uint64_t sum = 0;
    for (uint32_t key = 0; key < world_keys(w); key++) {
        sum += world_key_slot(w, key) == MOVED_SLOT ? world_lost(w, key) : 0;
    }
    return sum;
}

/* Shards that would take a write, by their rows. */
static int owners(const struct world *w)
{
    int count = 0;
    for (uint16_t shard = 0; shard < world_shards(w); shard++) {
        enum slot_state state = (enum slot_state)world_slot_row(w, shard, MOVED_SLOT).state;
        count += (state == SLOT_OWNED || state == SLOT_LEAVING) && !world_shard(w, shard).down;
    }
    return count;
}

static char *told(const struct stage *st)
{
    return scene_said(&st->scene, "move", &plain);
}

static void stages_in_their_order(void **state)
{
    (void)state;
    static const char *const now[] = {"copy", "tail", "fence", "moved", "moved", "clean up"};
    for (int at = MOVING_COPY; at <= MOVING_CLEANED; at++) {
        struct stage st;
        char words[64];
        stage_moving(&st, (enum moving_at)at, false);
        char *text = told(&st);
        (void)snprintf(words, sizeof words, "now at \"%s\":", now[at]);
        assert_contains(text, words);
        assert_contains(text, at == MOVING_FENCE  ? "accepts: nobody (the pause, 1.5 ms so far)"
                              : at >= MOVING_NEWS ? "accepts: S4 alone; it holds all "
                                                  : "accepts: S2 alone; it holds all ");
        free(text);
        assert_all_sizes(&st.scene, "move");
        stage_free(&st);
    }
}

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    stage_moving(&st, MOVING_FENCE, false);
    scene_goldens(&st.scene, "move", &plain, "move_fence");
    scene_golden(&st.scene, "move", &plain, "move_fence", 40, 9, GLYPHS_UTF8);
    scene_golden(&st.scene, "move", &plain, "move_fence", 30, 6, GLYPHS_ASCII);
    stage_free(&st);
    stage_moving(&st, MOVING_COPY, false);
    scene_golden(&st.scene, "move", &plain, "move_copy", 40, 9, GLYPHS_UTF8);
    scene_golden(&st.scene, "move", &plain, "move_copy", 56, 25, GLYPHS_UTF8);
    stage_free(&st);
    stage_moving(&st, MOVING_MOVED, true);
    scene_golden(&st.scene, "move", &plain, "move_stream", 40, 9, GLYPHS_UTF8);
    scene_golden(&st.scene, "move", &plain, "move_stream", 122, 28, GLYPHS_UTF8);
    stage_free(&st);
}

/* The copy's bytes and speed are the engine's. */
static void bytes_and_speed(void **state)
{
    (void)state;
    struct stage st;
    stage_moving(&st, MOVING_COPY, false);
    struct move_info m = stage_move(&st);
    assert_int_equal(m.copied_bytes, 7000000);
    assert_int_equal(m.speed, 10000000);
    char *text = told(&st);
    assert_contains(text, "1 copy, NOW: 7 of 20 MB, 10 MB/s, 1.3 s left; 700 ms so far.");
    free(text);
    stage_do(&st, "crash S4 500");
    stage_on(&st, US_PER_MS);
    text = told(&st);
    assert_contains(text, "stands still");
    free(text);
    stage_free(&st);
}

static void dropped(void **state)
{
    (void)state;
    struct stage st;
    stage_moving(&st, MOVING_TAIL, false);
    stage_do(&st, "abort 12067");
    stage_on(&st, US_PER_MS);
    scene_golden(&st.scene, "move", &plain, "move_dropped", 40, 19, GLYPHS_UTF8);
    char *text = told(&st);
    assert_contains(text, "now at \"abort\":");
    assert_contains(text, "dropped: S4's copy is gone, S2 serves.");
    assert_contains(text, "4 fence, never: never came.");
    assert_contains(text, "7 clean up, never: never came.");
    assert_contains(text, "accepts: S2 alone; it holds all ");
    free(text);
    stage_free(&st);
}

static void asks(struct stage *st, enum question_state state)
{
    st->page.question.kind = QUESTION_CHOICE;
    st->page.question.state = state;
}

/* What would answer the page's question is not told before it is answered. */
static void while_the_page_asks(void **state)
{
    (void)state;
    static const char *const answers[] = {"for ever", "keeps its copy", "stops serving",
                                          "applied the fence", "drops S4's copy"};
    struct stage st;
    for (int at = MOVING_COPY; at <= MOVING_NEWS; at++) {
        stage_moving(&st, (enum moving_at)at, false);
        asks(&st, QUESTION_OPEN);
        char *text = told(&st);
        char *drawn = scene_text(&st.scene, "move", &plain, 122, 28, true);
        for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
            assert_null(strstr(text, answers[i]));
            assert_null(strstr(drawn, answers[i]));
        }
        assert_contains(text, "7 clean up, to come: to come.");
        assert_contains(drawn, "accepts: ");
        free(text);
        free(drawn);
        struct view_state v = {.argument = "", .has_selection = true, .selected = MOVE_CLEANUP};
        drawn = scene_text(&st.scene, "move", &v, 122, 28, true);
        assert_contains(drawn, "clean up: to come; told when the question is answered");
        free(drawn);
        asks(&st, QUESTION_ANSWERED);
        text = told(&st);
        assert_contains(text, "7 clean up, to come: S2 keeps its copy until then.");
        free(text);
        stage_free(&st);
    }
    stage_moving(&st, MOVING_FENCE, false);
    asks(&st, QUESTION_OPEN);
    scene_golden(&st.scene, "move", &plain, "move_asked", 40, 9, GLYPHS_UTF8);
    scene_golden(&st.scene, "move", &plain, "move_asked", 40, 19, GLYPHS_UTF8);
    stage_free(&st);
}

/* Times and bytes are rounded, never cut; a part is not the whole. */
static void rounded(void **state)
{
    (void)state;
    static const struct {
        int64_t us;
        const char *want;
    } times[] = {{66666667, "66.7 s"},
                 {10800, "10.8 ms"},
                 {12450, "12.5 ms"},
                 {1996, "2 ms"},
                 {999, "999 us"},
                 {99960, "100 ms"},
                 {129400000, "2 min 9 s"},
                 {20000000000, "5 h 33 min"},
                 {7199600000, "2 h"},
                 {7229000000, "2 h"},
                 {INT64_C(10769000000), "2 h 59 min"},
                 {INT64_C(10770000000), "3 h"}};
    static const struct {
        uint64_t part, whole;
        const char *want;
    } bytes[] = {{133360000, 200000000, "133.4 of 200 MB"},
                 {199999999, 200000000, "199.9 of 200 MB"},
                 {200000000, 200000000, "200 of 200 MB"},
                 {999960, 2000000, "1 of 2 MB"},
                 {999, 64000, "999 bytes of 64 KB"}};
    struct str text = STR_EMPTY;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        str_clear(&text);
        moving_add_time(&text, times[i].us);
        assert_string_equal(str_text(&text), times[i].want);
    }
    for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++) {
        str_clear(&text);
        moving_add_bytes_of(&text, bytes[i].part, bytes[i].whole);
        assert_string_equal(str_text(&text), bytes[i].want);
    }
    str_clear(&text);
    moving_add_ago(&text, 0);
    assert_string_equal(str_text(&text), "just now");
    str_clear(&text);
    moving_add_ago(&text, 250);
    assert_string_equal(str_text(&text), "250 us ago");
    str_free(&text);
}

/* A copy of a hundredth of a second: what is left is told to the tenth of a millisecond. */
static void a_short_copy(void **state)
{
    (void)state;
    struct stage st;
    stage_liked(&st);
    stage_do(&st, "migrate 12067 S4 64KB 5MB");
    stage_on(&st, 2 * US_PER_MS);
    char *text = told(&st);
    assert_contains(text, "10 of 64 KB, 5 MB/s, 10.8 ms left; 2 ms so far.");
    free(text);
    stage_on(&st, 20 * US_PER_MS);
    text = told(&st);
    assert_contains(text, "1 copy, done: 64 KB; 12.8 ms.");
    free(text);
    stage_free(&st);
    stage_liked(&st);
    stage_do(&st, "migrate 12067 S4 1000GB 50MB");
    stage_on(&st, 5 * US_PER_SECOND);
    scene_golden(&st.scene, "move", &plain, "move_hours", 40, 9, GLYPHS_UTF8);
    stage_free(&st);
}

/* The entry of the last compare is the engine's; how long S2 took to hear stays as it was, the
 * stage's time goes on. */
static void said_of_compare_and_moved(void **state)
{
    (void)state;
    struct stage st;
    char words[96];
    stage_moving(&st, MOVING_TAIL, false);
    struct move_info m = stage_move(&st);
    assert_true(m.compared_at > 0 && m.compared_at <= m.applied);
    (void)snprintf(words, sizeof words, "the same on both sides at entry %u, ",
                   (unsigned)m.compared_at);
    char *text = told(&st);
    assert_contains(text, words);
    free(text);
    stage_free(&st);
    stage_moving(&st, MOVING_MOVED, false);
    for (int i = 0; i < 2; i++) {
        m = stage_move(&st);
        int64_t heard = m.closed_us - m.committed_us;
        int64_t since = world_now(st.world) - m.committed_us;
        struct str want = STR_EMPTY;
        str_addf(&want, "S2 heard after %u us, says \"moved to S4\", for ever; ", (unsigned)heard);
        moving_add_time(&want, since);
        str_add(&want, " so far.");
        text = told(&st);
        assert_contains(text, str_text(&want));
        free(text);
        str_free(&want);
        stage_on(&st, 500 * US_PER_MS);
    }
    stage_free(&st);
}

static void taken_back(void **state)
{
    (void)state;
    struct stage st;
    for (int reverse = 0; reverse < 2; reverse++) {
        stage_moving(&st, MOVING_MOVED, reverse == 1);
        char *text = told(&st);
        assert_contains(text, reverse == 1 ? "roll back: S2 gets it, without a copy."
                                           : "roll back: S2 gets it, with a copy.");
        free(text);
        stage_do(&st, "rollback 12067");
        stage_on(&st, 20 * US_PER_MS);
        text = told(&st);
        assert_contains(text, "moves from S4 to S2, back to where it was.");
        assert_contains(text, reverse == 1 ? "now at \"tail\":" : "now at \"copy\":");
        free(text);
        stage_free(&st);
    }
}

/* No fence: S2 goes on accepting, and S4 never gets the last of it. */
static void broken_without_a_fence(void **state)
{
    (void)state;
    struct stage st;
    stage_moving(&st, MOVING_TAIL, false);
    stage_do(&st, "rule fence off");
    stage_do(&st, "fence 12067");
    while (stage_move(&st).committed_us == MOVE_NEVER) {
        stage_on(&st, 100);
    }
    char *text = told(&st);
    assert_contains(text, "4 fence, LEFT OUT: none: S2 serves on.");
    if (owners(st.world) > 1) {
        assert_contains(text, "BROKEN, two shards would accept: accepts: S2 AND S4");
    }
    free(text);
    stage_on(&st, 30 * US_PER_MS);
    scene_golden(&st.scene, "move", &plain, "move_broken", 40, 9, GLYPHS_UTF8);
    scene_golden(&st.scene, "move", &plain, "move_broken", 122, 28, GLYPHS_UTF8);
    text = told(&st);
    assert_true(lost(st.world) > 0);
    assert_contains(text, "BROKEN, a write is lost: accepts: S4 alone; it lacks ");
    assert_contains(text, "Clients were told OK for");
    free(text);
    stage_free(&st);
}

/* S2 does not look into its table: R5, which is deaf, still finds it willing. */
static void broken_without_the_check(void **state)
{
    (void)state;
    struct stage st;
    stage_moving(&st, MOVING_MOVED, false);
    stage_do(&st, "rule slot-table-check off");
    stage_on(&st, US_PER_MS);
    char *text = told(&st);
    assert_contains(text, "accepts: S4 alone"); /* R5 has learned */
    free(text);
    stage_free(&st);
    stage_moving(&st, MOVING_TAIL, false);
    stage_do(&st, "rule slot-table-check off");
    stage_do(&st, "deaf R5 on");
    stage_do(&st, "fence 12067");
    stage_on(&st, 40 * US_PER_MS);
    stage_do(&st, "request like likes:{p9} via R5");
    stage_on(&st, 30 * US_PER_MS);
    scene_golden(&st.scene, "move", &plain, "move_two", 40, 9, GLYPHS_UTF8);
    text = told(&st);
    assert_contains(text, "BROKEN, two shards would accept: accepts: S2 AND S4, where one alone");
    free(text);
    stage_free(&st);
}

static void other_ways_to_be_silent(void **state)
{
    (void)state;
    struct stage st;
    stage_liked(&st);
    char *text = told(&st);
    assert_contains(text, "Slot 12067 rests at S2: no move has begun.");
    assert_contains(text, "accepts: S2 alone; it holds all ");
    free(text);
    stage_do(&st, "crash S2 100");
    text = told(&st);
    assert_contains(text, "accepts: nobody (S2 is down)");
    free(text);
    stage_on(&st, US_PER_SECOND);
    stage_do(&st, "freeze 12067-12067 S2 on");
    text = told(&st);
    assert_contains(text, "accepts: nobody (S2 is frozen)");
    free(text);
    stage_do(&st, "freeze 12067-12067 S2 off");
    stage_do(&st, "shift 12067 S4 1");
    stage_on(&st, US_PER_MS);
    text = told(&st);
    assert_contains(text, "Slot 12067 moves key by key, not by copy and tail.");
    assert_contains(text, "accepts: S2 what it has, S4 what has gone; they hold all ");
    free(text);
    scene_golden(&st.scene, "move", &plain, "move_rest", 40, 9, GLYPHS_UTF8);
    stage_free(&st);
}

/* What to choose when no slot is named. */
static void which_slot(void **state)
{
    (void)state;
    struct stage st;
    stage_moving(&st, MOVING_TAIL, false);
    struct view_state v = {.argument = "post:{p1}"};
    char *text = scene_said(&st.scene, "move", &v);
    assert_contains(text, " rests at S2: no move has begun.");
    free(text);
    v.argument = "likes:{p9}";
    text = scene_said(&st.scene, "move", &v);
    assert_contains(text, "Slot 12067 moves");
    free(text);
    stage_do(&st, "migrate 100 S4 1MB 1MB");
    text = told(&st);
    assert_contains(text, "Slot 100 moves from S0 to S4");
    free(text);
    st.page.key = "";
    stage_do(&st, "abort 100");
    text = told(&st);
    assert_contains(text, "Slot 12067 moves");
    free(text);
    stage_free(&st);
}

/* Each stage can be selected, and leads to its record. */
static void a_stage_is_selected(void **state)
{
    (void)state;
    struct stage st;
    struct view_state v = {.argument = ""};
    stage_moving(&st, MOVING_MOVED, false);
    assert_true(view_move.move(&v, &st.scene, VERB_FIRST, 40, 19));
    assert_int_equal(v.selected, MOVE_COPY);
    assert_true(view_move.move(&v, &st.scene, VERB_LAST, 40, 19));
    assert_false(view_move.move(&v, &st.scene, VERB_RIGHT, 40, 19));
    assert_true(view_move.move(&v, &st.scene, VERB_LEFT, 40, 19));
    assert_int_equal(v.selected, MOVE_CLOSE);
    struct subject subject = view_move.subject(&v, &st.scene);
    assert_int_equal(subject.kind, SUBJECT_RECORD);
    const struct trace_record *r = trace_get(st.world, subject.id);
    assert_non_null(r);
    assert_int_equal(r->slot, MOVED_SLOT);
    assert_int_equal(r->target, SLOT_MOVED);
    v.selected = MOVE_CLEANUP; /* has not happened: the slot itself */
    assert_int_equal(view_move.subject(&v, &st.scene).kind, SUBJECT_SLOT);
    char *drawn = scene_text(&st.scene, "move", &v, 60, 24, true);
    assert_contains(drawn, "S2's copy is deleted; its row \"moved\" stays");
    free(drawn);
    stage_free(&st);
}

/* Whatever happens to a move: what is told agrees with rows and stores, and the last line is the
 * promise. */
static void agrees_with_the_engine(void **state)
{
    (void)state;
    static const char *const acts[] = {"migrate 12067 S4 2MB 10MB",
                                       "migrate 12067 S4 2MB 10MB reverse",
                                       "fence 12067",
                                       "abort 12067",
                                       "rollback 12067",
                                       "cleanup 12067",
                                       "crash S2 30",
                                       "crash S4 30",
                                       "migrate 12067 S1 1MB 10MB",
                                       "request like likes:{p9} via R2",
                                       "request edit post:{p9} via R4"};
    struct prng p = prng_seeded(8, "moves told");
    struct stage st;
    stage_liked(&st);
    for (int round = 0; round < 400; round++) {
        struct command command;
        struct err err;
        const char *act = acts[prng_below(&p, sizeof acts / sizeof acts[0])];
        if (prng_chance(&p, 1, 3) && command_parse(act, &command, &err)) {
            (void)world_apply(st.world, &command, &err); /* not each is possible now */
        }
        stage_on(&st, (int64_t)prng_below(&p, 20000));
        char *text = told(&st);
        bool holds = strstr(text, "The promise holds: ") != NULL;
        assert_true(holds && lost(st.world) == 0 && owners(st.world) <= 1);
        assert_int_equal(strstr(text, "accepts: nobody") != NULL, owners(st.world) == 0);
        free(text);
        int w = 30 + (int)prng_below(&p, 120), h = 6 + (int)prng_below(&p, 30);
        char *drawn = scene_text(&st.scene, "move", &plain, w, h, prng_chance(&p, 1, 2));
        size_t length = strlen(drawn);
        assert_true(length > 1 && drawn[length - 1] == '\n' && drawn[length - 2] != '\n');
        assert_true(strstr(drawn, " alone") != NULL || strstr(drawn, "nobody") != NULL);
        free(drawn);
    }
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_in_their_order),
        cmocka_unit_test(pictures),
        cmocka_unit_test(bytes_and_speed),
        cmocka_unit_test(dropped),
        cmocka_unit_test(while_the_page_asks),
        cmocka_unit_test(rounded),
        cmocka_unit_test(a_short_copy),
        cmocka_unit_test(said_of_compare_and_moved),
        cmocka_unit_test(taken_back),
        cmocka_unit_test(broken_without_a_fence),
        cmocka_unit_test(broken_without_the_check),
        cmocka_unit_test(other_ways_to_be_silent),
        cmocka_unit_test(which_slot),
        cmocka_unit_test(a_stage_is_selected),
        cmocka_unit_test(agrees_with_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
