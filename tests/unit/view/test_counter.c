/* The counter: what makes the count, and what of the likes is not in it. */
#include "engine/writes/writes.h"
#include "story_stage.h"

/* The lines behind "They are:", with their signs, summed. */
static long long bill_of(const char *told)
{
    long long sum = 0;
    const char *at = strstr(told, "They are:\n");
    assert_non_null(at);
    at += strlen("They are:\n");
    while (*at == ' ' || *at == '+' || *at == '-') {
        char digits[32] = "";
        size_t length = 0;
        bool minus = *at == '-';
        for (at++; *at != '\n' && !(length > 0 && *at == ' '); at++) {
            if (*at >= '0' && *at <= '9') {
                digits[length++] = *at;
            }
        }
        digits[length] = '\0';
        sum += (minus ? -1 : 1) * atoll(digits);
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return sum;
}

/* What is told adds up to the rows of `liked`, at each turn of the story. */
static void the_bill_adds_up(void **state)
{
    (void)state;
    for (int until = COUNTED_SALTED; until <= COUNTED_REBUILT; until++) {
        struct stage st;
        struct count_info info;
        stage_counted(&st, (enum counted)until);
        struct view_state v = {.argument = "likes:{p9}"};
        char *told = scene_told(&st.scene, "counter", &v);
        assert_true(writes_count(st.world, stage_key(&st, "likes:{p9}"), &info));
        assert_int_equal(bill_of(told), info.durable);
        assert_plain(told, 78);
        free(told);
        stage_free(&st);
    }
}

static void spread_over_sub_keys(void **state)
{
    (void)state;
    struct stage st;
    stage_counted(&st, COUNTED_SALTED);
    struct view_state v = {.argument = "likes:{p9}"};
    scene_golden(&st.scene, "counter", &v, "counter_salted", 40, 19, GLYPHS_UTF8);
    char *told = scene_told(&st.scene, "counter", &v);
    assert_contains(told, "spread over 8 sub-keys.");
    assert_contains(told, "likes:{p9#1} (salt 1, slot 11398, S2): ");
    assert_contains(told, "likes:{p9} (the key itself, slot 12067, S2): 7,033, frozen\n");
    free(told);
    stage_free(&st);
}

static void summed_at_the_routers(void **state)
{
    (void)state;
    struct stage st;
    stage_counted(&st, COUNTED_CRASHED);
    st.page.key = "likes:{p9}";
    struct view_state v = {.argument = ""};
    scene_goldens(&st.scene, "counter", &v, "counter");
    scene_golden(&st.scene, "counter", &v, "counter", 30, 6, GLYPHS_ASCII);
    char *told = scene_told(&st.scene, "counter", &v);
    assert_contains(told, "lost 200 in crashes");
    assert_contains(told, "are frozen parts that need not be read.");
    free(told);
    assert_true(view_counter.move(&v, &st.scene, VERB_DOWN, 56, 25));
    scene_golden(&st.scene, "counter", &v, "counter_selected", 56, 25, GLYPHS_UTF8);
    struct subject subject = view_counter.subject(&v, &st.scene);
    assert_int_equal(subject.kind, SUBJECT_KEY);
    struct count_router router = writes_router(st.world, stage_key(&st, "likes:{p9}"), 1);
    assert_int_equal(subject.id, router.key);
    stage_free(&st);
}

/* S2 has room again, so that R4 and the rebuild are answered. */
static void calm(struct stage *st)
{
    stage_do(st, "flow read post:{p9} 100 steady");
    stage_run(st, 1500 * US_PER_MS);
}

/* What the correction makes up for is missing no more. */
static void corrected(void **state)
{
    (void)state;
    struct stage st;
    struct count_info info;
    stage_counted(&st, COUNTED_CRASHED);
    calm(&st);
    stage_do(&st, "rebuild likes:{p9}");
    stage_run(&st, US_PER_SECOND);
    struct view_state v = {.argument = "likes:{p9}"};
    scene_golden(&st.scene, "counter", &v, "counter_corrected", 40, 19, GLYPHS_UTF8);
    char *told = scene_told(&st.scene, "counter", &v);
    assert_true(writes_count(st.world, stage_key(&st, "likes:{p9}"), &info));
    assert_true(info.lost > 0 && info.fix >= (int64_t)info.lost);
    assert_null(strstr(told, "lost in crashes\n"));
    assert_null(strstr(told, "corrected"));
    assert_int_equal(bill_of(told), info.durable);
    free(told);
    stage_free(&st);
}

/* Salts that stood elsewhere hold likes still: the keys that are listed and these make the count.
 */
static void older_sub_keys_are_told(void **state)
{
    (void)state;
    struct stage st;
    stage_story(&st, "20:00:01.000");
    stage_do(&st, "flow like likes:{p9} 0");
    stage_run(&st, US_PER_SECOND);
    stage_do(&st, "writes likes:{p9} salted 2");
    stage_do(&st, "flow like likes:{p9} 200");
    stage_run(&st, US_PER_SECOND);
    stage_do(&st, "flow like likes:{p9} 0");
    stage_do(&st, "writes likes:{p9} plain");
    stage_run(&st, US_PER_SECOND);
    struct view_state v = {.argument = "likes:{p9}"};
    char *told = scene_told(&st.scene, "counter", &v);
    assert_null(strstr(told, "older sub-keys"));
    free(told);
    stage_do(&st, "writes likes:{p9} salted 2 outside");
    stage_run(&st, US_PER_SECOND);
    told = scene_told(&st.scene, "counter", &v);
    assert_non_null(strstr(told, "older sub-keys, from when salts stood elsewhere: 200, frozen"));
    free(told);
    char *drawn = scene_text(&st.scene, "counter", &v, 40, 19, false);
    assert_non_null(strstr(drawn, "and older"));
    free(drawn);
    stage_free(&st);
}

/* Acknowledged, and stored nowhere: such likes are no part of the sum, and stand below it. */
static void told_too_soon(void **state)
{
    (void)state;
    struct stage st;
    struct count_info info;
    stage_counted(&st, COUNTED_SUMMED);
    stage_do(&st, "rule durable-before-ack off");
    calm(&st);
    stage_do(&st, "crash R4 100");
    stage_run(&st, US_PER_SECOND);
    struct view_state v = {.argument = "likes:{p9}"};
    scene_golden(&st.scene, "counter", &v, "counter_forgotten", 40, 19, GLYPHS_UTF8);
    char *told = scene_told(&st.scene, "counter", &v);
    assert_true(writes_count(st.world, stage_key(&st, "likes:{p9}"), &info));
    assert_true(info.forgotten > 0);
    assert_contains(told, " were told OK and are in no row at all.\n");
    assert_int_equal(bill_of(told), info.durable);
    free(told);
    stage_free(&st);
}

/* An older total that lands last, with no rule against it, takes likes from a sub-key: the bill has
 * a line for them, and adds up. */
static void overwritten(void **state)
{
    (void)state;
    struct stage st;
    struct count_info info;
    stage_counted(&st, COUNTED_SUMMED);
    calm(&st);
    stage_do(&st, "rule flush-sequence off");
    stage_do(&st, "network delay 50% 2000");
    stage_run(&st, 3 * US_PER_SECOND);
    stage_do(&st, "network calm");
    stage_do(&st, "flow like likes:{p9} 0");
    bool seen = false;
    for (int i = 0; i < 40; i++) {
        stage_run(&st, 50 * US_PER_MS);
        struct view_state v = {.argument = "likes:{p9}"};
        char *told = scene_told(&st.scene, "counter", &v);
        assert_true(writes_count(st.world, stage_key(&st, "likes:{p9}"), &info));
        assert_int_equal(bill_of(told), info.durable);
        seen = seen || strstr(told, "taken, and overwritten\n") != NULL;
        free(told);
    }
    assert_true(seen);
    stage_free(&st);
}

static void one_number_in_one_place(void **state)
{
    (void)state;
    struct stage st;
    stage_story(&st, "20:00:10.000");
    struct view_state v = {.argument = "likes:{p9}"};
    scene_golden(&st.scene, "counter", &v, "counter_plain", 40, 8, GLYPHS_UTF8);
    char *told = scene_told(&st.scene, "counter", &v);
    assert_contains(told, "likes:{p9} is one number in one place: S2 holds ");
    free(told);
    v.argument = "likes:nobody";
    told = scene_told(&st.scene, "counter", &v);
    assert_string_equal(told, "likes:nobody: nobody has asked for it.\n");
    free(told);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bill_adds_up),      cmocka_unit_test(spread_over_sub_keys),
        cmocka_unit_test(summed_at_the_routers), cmocka_unit_test(corrected),
        cmocka_unit_test(told_too_soon),         cmocka_unit_test(one_number_in_one_place),
        cmocka_unit_test(overwritten),           cmocka_unit_test(older_sub_keys_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
