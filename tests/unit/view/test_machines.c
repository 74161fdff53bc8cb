/* The machines of a system: what each leads, keeps and is asked for, and what is lost. */
#include "systems_stage.h"

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, "system all on\n" HOT_P9 "system kafka down 2\n+500");
    systems_goldens(&st, "machines", "kafka", "machines_kafka");
    struct view_state v = systems_state("cassandra");
    scene_golden(&st.scene, "machines", &v, "machines_cassandra", 40, 19, GLYPHS_UTF8);
    scene_golden(&st.scene, "machines", &v, "machines_cassandra", 122, 28, GLYPHS_UTF8);
    assert_all_sizes(&st.scene, "machines");
    stage_free(&st);
}

/* Asynchronous copies: what a client was told can be gone with the master. */
static void a_loss(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, "system redis on\nflow like likes:{p9} 700 scattered\n+3000");
    assert_true(systems_says(&st, "machines", "redis", "No acknowledged write is lost"));
    struct system_key_info p9;
    assert_true(world_system_place(st.world, SYSTEM_REDIS, bytes_of("likes:{p9}"), &p9));
    struct part_info part;
    assert_true(world_system_find(st.world, SYSTEM_REDIS, p9.part, &part));
    char words[64];
    (void)snprintf(words, sizeof words, "system redis down %u", (unsigned)part.machine[0]);
    stage_play(&st, words);
    stage_play(&st, "+100");
    assert_true(systems_says(&st, "machines", "redis", "as far as is known"));
    assert_true(systems_draws(&st, "machines", "redis", 40, 19, "1 DOWN"));
    assert_true(systems_draws(&st, "machines", "redis", 40, 19, " down "));
    stage_play(&st, "+16000"); /* its replica leads, and lacks what was on its way */
    uint64_t lost = world_system(st.world, SYSTEM_REDIS).lost;
    assert_true(lost > 0);
    (void)snprintf(words, sizeof words, "LOST: %s acknowledged write",
                   num_grouped((int64_t)lost).text);
    assert_true(systems_says(&st, "machines", "redis", words));
    st.page.question.kind = QUESTION_NUMBER;
    char *text = across_said(&st, "machines");
    assert_int_equal(count_in(text, "LOST"), 0);
    free(text);
    assert_false(systems_draws(&st, "machines", "redis", 122, 56, "LOST"));
    stage_free(&st);
}

/* Nothing is on a broker that joins until somebody moves a partition there. */
static void an_empty_broker(void **state)
{
    (void)state;
    struct stage st;
    systems_stage(&st, "system kafka on\nsystem kafka grow\n+1000");
    assert_true(systems_says(&st, "machines", "kafka", "Broker 4 leads 0 partitions"));
    assert_true(systems_draws(&st, "machines", "kafka", 56, 25, "empty"));
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),
        cmocka_unit_test(a_loss),
        cmocka_unit_test(an_empty_broker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
