/* Rows beside their entries: what is behind, and what a find misses for that. */
#include "across_stage.h"
#include "base/prng.h"
#include "engine/indexes/indexes.h"

#define FOUR_ROWS                                                                                  \
    "put riders 1 rome via R0\nput riders 2 oslo via R0\nput riders 3 lima via R0\n"               \
    "put riders 4 rome via R0\n+1000\n"

static void pictures(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, "catalog riders async 500\n" FOUR_ROWS
                  "put riders 2 rome via R0\nput riders 4 oslo via R0\n+100\n"
                  "find riders rome via R0\n+50");
    scene_goldens(&st.scene, "catalog", &across_plain, "catalog");
    scene_golden(&st.scene, "catalog", &across_plain, "catalog", 30, 6, GLYPHS_ASCII);
    assert_all_sizes(&st.scene, "catalog");
    stage_free(&st);
}

static void entries_follow(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, "story-quiet");
    assert_says(&st, "catalog", "There is no catalog yet.");
    stage_play(&st, "catalog riders async 500\n" FOUR_ROWS);
    assert_says(&st, "catalog", "the index has every change");
    assert_says(&st, "catalog", "2: oslo, on S1; the index has it so, on S3.");
    stage_play(&st, "put riders 2 rome via R0\nput riders 4 oslo via R0\n+100");
    assert_says(&st, "catalog", "2: rome, on S1; the index still says oslo");
    assert_says(&st, "catalog", "2 changes not in the index");
    stage_play(&st, "find riders rome via R0\n+50");
    assert_says(&st, "catalog", "the find of rome missed it");
    assert_says(&st, "catalog", "the find of rome brought it all the same");
    assert_says(&st, "catalog", "MISSES 1; 1 TOO MANY");
    assert_draws(&st, "catalog", 40, 9, "2 rome         S1  \u2260 oslo");
    stage_play(&st, "+1000\nfind riders rome via R0\n+50");
    assert_says(&st, "catalog", "Find rome: 2 rows, 1 shard asked");
    assert_says(&st, "catalog", "the index has every change");
    char *text = across_said(&st, "catalog");
    assert_int_equal(count_in(text, "MISSES") + count_in(text, "missed"), 0);
    free(text);
    stage_free(&st);
}

static void beside_the_rows(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, "catalog riders local\n" FOUR_ROWS "find riders rome via R0\n+50");
    assert_says(&st, "catalog", "riders: each shard has the entries of its rows");
    assert_says(&st, "catalog", "Find rome: 2 rows, 4 shards asked");
    assert_says(&st, "catalog", "2: oslo, on S1; the index has it so, on S1.");
    stage_free(&st);
}

static void a_term_for_one(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, "catalog riders unique\nput riders 1 ann@example.org via R0\n"
                  "put riders 2 bob@example.org via R0\n+1000\n"
                  "put riders 2 ann@example.org via R0\n+1000");
    assert_says(&st, "catalog", "one row a term");
    assert_says(&st, "catalog", "3 puts, ");
    assert_says(&st, "catalog", "1 refused");
    assert_says(&st, "catalog", "2: bob@example.org");
    stage_free(&st);
}

/* As many rows differ in the words as the engine says are behind. */
static void agrees_with_the_engine(void **state)
{
    (void)state;
    static const char *const terms[] = {"rome", "oslo", "lima"};
    struct prng p = prng_seeded(10, "catalog told");
    struct stage st;
    stage_of(&st, "catalog riders async 300\n" FOUR_ROWS);
    for (int round = 0; round < 60; round++) {
        char words[64];
        (void)snprintf(words, sizeof words, "put riders %u %s via R1",
                       (unsigned)prng_below(&p, 9) + 1, terms[prng_below(&p, 3)]);
        stage_do(&st, words);
        stage_on(&st, (int64_t)prng_below(&p, 200000));
        int same = 0, rows = (int)world_catalog_rows(st.world, 0);
        for (int i = 0; i < rows; i++) {
            struct catalog_row_info row = world_catalog_row(st.world, 0, (uint32_t)i);
            same += strcmp(row.term, row.indexed) == 0 && !row.twice;
        }
        char *text = across_said(&st, "catalog");
        assert_int_equal(count_in(text, "the index has it so"), same);
        assert_int_equal(count_in(text, "the index still says") + count_in(text, "no index entry") +
                             count_in(text, "the index has it twice"),
                         rows - same);
        free(text);
    }
    stage_free(&st);
}

/* Nothing is compared before the answer. */
static void an_open_question(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, "catalog riders async 500\n" FOUR_ROWS
                  "put riders 2 rome via R0\n+100\nfind riders rome via R0\n+50");
    assert_says(&st, "catalog", "MISSES 1");
    st.page.question.kind = QUESTION_NUMBER;
    assert_says(&st, "catalog", "2: rome, on S1; in the index: oslo");
    assert_silent(&st, "catalog", "MISSES");
    assert_silent(&st, "catalog", "still says");
    stage_free(&st);
}

/* A row that was never written is not there; terms of full length are read whole. */
static void refused_and_long(void **state)
{
    (void)state;
    struct stage st;
    stage_of(&st, "catalog users unique\nput users 1 ana.maria@mail.example via R0\n+300\n"
                  "put users 2 ana.maria@mail.example via R0\n+300\n");
    assert_says(&st, "catalog", "1 refused");
    assert_silent(&st, "catalog", "2: ");
    assert_draws(&st, "catalog", 40, 12, "  1 ana.maria@mail.example");
    assert_draws(&st, "catalog", 40, 12, "    ana.maria@mail.example");
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures),
        cmocka_unit_test(entries_follow),
        cmocka_unit_test(beside_the_rows),
        cmocka_unit_test(a_term_for_one),
        cmocka_unit_test(agrees_with_the_engine),
        cmocka_unit_test(an_open_question),
        cmocka_unit_test(refused_and_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
