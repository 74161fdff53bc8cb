/*
 * The hot post on Kinesis, DynamoDB and Kafka: events K4 to K6, D1, D2 and F1 have their figures,
 * with any seed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sanitized.h"
#include "story/scenes.h"
#include "story/story.h"
#include <stdlib.h>
#include <string.h>

/* In thousandths: the figure whose words begin so. */
static int64_t exact(const struct scene *scene, size_t report, const char *what)
{
    assert_true(report < scene->reports);
    const struct scene_report *r = &scene->report[report];
    for (size_t i = 0; i < r->figures; i++) {
        if (strncmp(r->figure[i].what, what, strlen(what)) == 0) {
            return r->figure[i].thousandths;
        }
    }
    fail_msg("no figure \"%s\" in report %zu", what, report);
    return -1;
}

static int64_t figure(const struct scene *scene, size_t report, const char *what)
{
    int64_t thousandths = exact(scene, report, what);
    assert_int_equal(thousandths % 1000, 0);
    return thousandths / 1000;
}

/* Plays it, and lets the check look at what it reports. */
static void plays(const char *event, void (*check)(const struct scene *scene))
{
    uint64_t seeds = SANITIZED ? 1 : 3; /* the others are the release build's */
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct scene *scene = calloc(1, sizeof *scene);
        struct err err = {{0}};
        assert_non_null(scene);
        if (!scene_play(event, seed, scene, &err)) {
            fail_msg("%s: %s", event, err.text);
        }
        check(scene);
        free(scene);
    }
}

static void check_k4(const struct scene *scene)
{
    assert_int_equal(scene->reports, 4);
    assert_int_equal(figure(scene, 0, "is the number"), 3);
    assert_int_equal(figure(scene, 0, "are sent to it"), 2650);
    assert_in_range(figure(scene, 0, "does it take"), 990, 1010);
    assert_int_equal(figure(scene, 1, "is the number"), 4);
    assert_int_equal(figure(scene, 1, "are sent to it"), 2500);
    assert_in_range(figure(scene, 1, "does it take"), 990, 1010);
    assert_in_range(figure(scene, 1, "stay in shard 3, which is closed"), 2900, 3300);
    /* any shard first, then the parent first: in order, and later */
    assert_true(figure(scene, 2, "were read before") > 0);
    assert_int_equal(figure(scene, 3, "were read before"), 0);
    assert_true(figure(scene, 3, "are not read yet") > figure(scene, 2, "are not read yet"));
}

static void a_cut_does_not_cool_one_key(void **state)
{
    (void)state;
    plays("K4", check_k4);
}

static void check_k5(const struct scene *scene)
{
    assert_int_equal(scene->reports, 2);
    assert_int_equal(figure(scene, 0, "are sent to the stream"), 3150);
    assert_in_range(figure(scene, 0, "are throttled"), 1640, 1660);
    assert_int_equal(figure(scene, 1, "are sent to the stream"), 350);
    assert_in_range(figure(scene, 1, "are sent to its busiest"), 88, 130);
    assert_int_equal(figure(scene, 1, "are throttled"), 0);
}

static void nine_likes_are_one_record(void **state)
{
    (void)state;
    plays("K5", check_k5);
}

static void check_k6(const struct scene *scene)
{
    assert_int_equal(scene->reports, 2);
    assert_int_equal(figure(scene, 0, "are open"), 4);
    assert_int_equal(figure(scene, 0, "are closed"), 0);
    assert_int_equal(figure(scene, 0, "is p9's place"), 3);
    assert_int_equal(figure(scene, 1, "are open"), 8);
    assert_int_equal(figure(scene, 1, "are closed"), 4);
    assert_int_equal(figure(scene, 1, "is p9's place"), 6);
    assert_int_equal(figure(scene, 1, "are sent to p9's"), 2500);
}

static void of_eight_shards_one_is_as_hot(void **state)
{
    (void)state;
    plays("K6", check_k6);
}

static void check_d1(const struct scene *scene)
{
    assert_int_equal(scene->reports, 5);
    assert_int_equal(figure(scene, 0, "may p9's partition take"), 500);
    assert_int_equal(figure(scene, 0, "of p9 are taken"), 50);
    for (size_t i = 1; i < 5; i++) {
        assert_int_equal(figure(scene, i, "may p9's partition take"), 1000);
        assert_int_equal(figure(scene, i, "of p9 are sent"), 2400);
        assert_in_range(figure(scene, i, "of p9 are taken"), 700, 1010);
    }
    assert_int_equal(figure(scene, 2, "is how many partitions"), 4);
    assert_true(figure(scene, 3, "is how many partitions") > 4);
    /* alone, and no further */
    assert_int_equal(figure(scene, 4, "of other posts"), 0);
    assert_in_range(figure(scene, 4, "of p9 are taken"), 990, 1010);
}

static void one_item_has_one_partition_at_most(void **state)
{
    (void)state;
    plays("D1", check_d1);
}

static void check_d2(const struct scene *scene)
{
    assert_int_equal(scene->reports, 3);
    assert_int_equal(figure(scene, 0, "does a key"), 2550);
    assert_in_range(figure(scene, 0, "are taken"), 990, 1010);
    assert_int_equal(exact(scene, 1, "does a key"), 318750);
    assert_true(figure(scene, 1, "are taken") > 1000);
    assert_int_equal(figure(scene, 2, "are sent"), figure(scene, 2, "are taken"));
    assert_int_equal(figure(scene, 2, "are throttled"), 0);
}

static void eight_index_keys_can_be_parted(void **state)
{
    (void)state;
    plays("D2", check_d2);
}

static void check_f1(const struct scene *scene)
{
    assert_int_equal(scene->reports, 3);
    assert_int_equal(figure(scene, 0, "is p9's partition, of 4"), 2);
    assert_int_equal(figure(scene, 0, "were read before"), 0);
    assert_int_equal(figure(scene, 1, "is p9's partition, of 8"), 2);
    assert_true(figure(scene, 1, "were read before") > 0);
    assert_int_equal(exact(scene, 2, "of k0 to k9999"), 50420);
    assert_int_equal(figure(scene, 2, "of sixteen"), 3);
}

static void half_of_the_keys_change_partition(void **state)
{
    (void)state;
    plays("F1", check_f1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cut_does_not_cool_one_key),
        cmocka_unit_test(nine_likes_are_one_record),
        cmocka_unit_test(of_eight_shards_one_is_as_hot),
        cmocka_unit_test(one_item_has_one_partition_at_most),
        cmocka_unit_test(eight_index_keys_can_be_parted),
        cmocka_unit_test(half_of_the_keys_change_partition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
