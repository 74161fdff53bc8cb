/* Which answers of a query cross from zone to zone, and what that costs. */
#include "across_stage.h"
#include "engine/queries/queries.h"

#define KEYS                                                                                       \
    "request like likes:{p1} via R0\nrequest like likes:{p9} via R0\n+300\n"                       \
    "query trending top 10 of likes:* bytes 20KB\n"

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, KEYS "gather trending 1000\n+2500\ngather trending 0\n+100\n"
                       "gather trending via R3\n+100");
    scene_goldens(&st.scene, "zones", &across_plain, "zones");
    scene_golden(&st.scene, "zones", &across_plain, "zones", 30, 6, GLYPHS_ASCII);
    assert_all_sizes(&st.scene, "zones");
    stage_free(&st);
}

static void one_query(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, KEYS);
    assert_says(&st, "zones", "Nobody has asked trending yet.");
    stage_play(&st, "gather trending via R3\n+100");
    assert_says(&st, "zones",
                "trending, asked by R3 in zone b: 2 of 4 answers cross a zone: 40 KB.");
    assert_says(&st, "zones", "Zone a: S0, 1 answer into another zone.");
    assert_says(&st, "zones", "Zone b: S1 S3, 2 answers within the zone.");
    assert_says(&st, "zones", "Nothing crossed in the last second.");
    stage_play(&st, "gather trending via R0\n+100");
    assert_says(&st, "zones", "3 of 4 answers cross a zone: 60 KB.");
    assert_draws(&st, "zones", 40, 8, "3 of 4 answers cross a zone: 60 KB");
    stage_free(&st);
}

/* The bill is that of the bytes that are told. */
static void a_month(void **state)
{
    (void)state;
    struct stage st;
    char words[64];
    stage_of(&st, KEYS "gather trending 1000\n+2500");
    uint64_t bytes = world_query_crossing(st.world, 0);
    assert_true(bytes > 40000000);
    uint64_t dollars = (world_query_cents(bytes) + 50) / 100;
    (void)snprintf(words, sizeof words, "$%s in 30 days of that.",
                   num_grouped((int64_t)dollars).text);
    assert_says(&st, "zones", words);
    stage_play(&st, "gather trending 0\npopular trending zone a every 1000\n+3000");
    assert_says(&st, "zones", "trending, once in 1 s by R0, zone a");
    assert_true(world_query_crossing(st.world, 0) < bytes / 500);
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),
        cmocka_unit_test(one_query),
        cmocka_unit_test(a_month),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
