/*
 * What hot promises: counts with bounds that hold, loads that are exact however many keys there
 * are, changes that are worked out from the log alone, and refusals in a sentence.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/prng.h"
#include "place/key.h"
#include "tools/hot.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct hot_options usual(void)
{
    return (struct hot_options){.form = LOG_AUTO,
                                .shards = 4,
                                .top = 10,
                                .sample = 1,
                                .seed = 1,
                                .cells = HOT_CELLS,
                                .keys_max = HOT_KEYS_MAX,
                                .bytes_max = HOT_BYTES_MAX};
}

static struct hot *hot_of(const struct hot_options *options)
{
    struct hot *hot = hot_new(options, NULL);
    assert_non_null(hot);
    return hot;
}

static void take(struct hot *hot, const char *line)
{
    struct err err = {.text = ""};
    if (!hot_take(hot, bytes_of(line), &err)) {
        fail_msg("%s", err.text);
    }
}

static void take_many(struct hot *hot, const char *line, int times)
{
    for (int i = 0; i < times; i++) {
        take(hot, line);
    }
}

static const struct hot_report *report_of(struct hot *hot)
{
    struct err err = {.text = ""};
    const struct hot_report *report = hot_finish(hot, &err);
    if (report == NULL) {
        fail_msg("%s", err.text);
    }
    return report;
}

static const struct hot_load *load_of(const struct hot_report *r, const char *scheme)
{
    for (size_t i = 0; i < r->load_count; i++) {
        if (strcmp(r->load[i].scheme->name, scheme) == 0) {
            return &r->load[i];
        }
    }
    fail_msg("no load by %s", scheme);
    return NULL;
}

static uint64_t sum(const uint64_t *amount, uint32_t count)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        total += amount[i];
    }
    return total;
}

static void test_keys_are_counted_and_placed(void **state)
{
    (void)state;
    struct hot_options options = usual();
    struct hot *hot = hot_of(&options);
    take_many(hot, "post:{p9}", 7);
    take_many(hot, "likes:{p9}", 3);
    take_many(hot, "user:2", 5);
    const struct hot_report *r = report_of(hot);
    assert_int_equal(r->key_count, 3);
    assert_true(r->exact);
    assert_int_equal(r->keys, 3);
    assert_true(bytes_equal(r->key[0].key, bytes_of("post:{p9}")));
    assert_int_equal(r->key[0].count, 7);
    assert_int_equal(r->key[0].error, 0);
    assert_int_equal(r->key[0].slot, 12067);
    assert_true(bytes_equal(r->key[1].key, bytes_of("user:2")));
    assert_int_equal(r->slot, 12067);
    assert_int_equal(r->slot_requests, 10);
    assert_int_equal(load_of(r, "slots")->amount[r->key[0].shard], 10);
    hot_free(hot);
}

static void test_every_scheme_with_a_rule_gives_all_of_the_load(void **state)
{
    (void)state;
    struct hot_options options = usual();
    struct hot *hot = hot_of(&options);
    char key[32];
    for (int i = 0; i < 5000; i++) {
        snprintf(key, sizeof key, "user:%d", i % 700);
        take(hot, key);
    }
    const struct hot_report *r = report_of(hot);
    size_t rows = 0;
    for (size_t i = 0; scheme_at(i) != NULL; i++) {
        if ((scheme_at(i)->traits & SCHEME_BY_HAND) != 0) {
            continue;
        }
        const struct hot_load *load = load_of(r, scheme_at(i)->name);
        assert_true(load->known);
        assert_int_equal(sum(load->amount, r->shards), 5000);
        assert_int_equal(load->amount[load->busiest_id], load->busiest);
        assert_true(load->over_average >= 1);
        rows++;
    }
    assert_int_equal(rows, r->load_count);
    hot_free(hot);
}

/* The same log with room for all keys and with room for few: loads must not differ. */
static void test_loads_stay_exact_beyond_the_room_for_keys(void **state)
{
    (void)state;
    const size_t rooms[] = {HOT_KEYS_MAX, 64, 1};
    uint64_t first[HOT_SCHEMES_MAX][4];
    uint64_t hottest = 0;
    for (size_t room = 0; room < 3; room++) {
        struct hot_options options = usual();
        options.keys_max = rooms[room];
        options.cells = 256;
        struct hot *hot = hot_of(&options);
        struct prng prng = prng_seeded(1, "hot");
        char key[32];
        for (int i = 0; i < 20000; i++) {
            uint64_t limit = 1 + prng_below(&prng, 3000);
            snprintf(key, sizeof key, "user:%d", (int)prng_below(&prng, limit));
            take(hot, i % 10 == 0 ? "celebrity" : key);
        }
        const struct hot_report *r = report_of(hot);
        assert_int_equal(r->exact, room == 0);
        assert_int_equal(r->accesses, 20000);
        for (size_t i = 0; i < r->load_count; i++) {
            bool whole = (r->load[i].scheme->traits & (SCHEME_BY_KEY | SCHEME_BY_HISTORY)) != 0;
            assert_int_equal(r->load[i].known, room == 0 || !whole);
            for (uint32_t s = 0; s < 4 && r->load[i].known; s++) {
                first[i][s] = room == 0 ? r->load[i].amount[s] : first[i][s];
                assert_int_equal(r->load[i].amount[s], first[i][s]);
            }
        }
        assert_true(bytes_equal(r->key[0].key, bytes_of("celebrity")));
        hottest = room == 0 ? r->key[0].count : hottest;
        assert_true(r->key[0].count >= hottest);
        assert_true(r->key[0].count - r->key[0].error <= hottest);
        assert_true(r->sure >= 1);
        hot_free(hot);
    }
}

static void test_salting_spreads_writes_and_multiplies_reads(void **state)
{
    (void)state;
    struct hot_options options = usual();
    struct hot *hot = hot_of(&options);
    take(hot, "op,key");
    take_many(hot, "set,likes:{p9}", 800);
    take_many(hot, "get,likes:{p9}", 5);
    const struct hot_report *r = report_of(hot);
    assert_int_equal(r->salt.before, 805);
    assert_int_equal(r->salt.before_id, r->key[0].shard);
    assert_int_equal(r->salt.total_after, 800 + 5 * HOT_SALTS);
    /* 100 writes and 5 reads at each of likes:{p9#0} ... likes:{p9#7} */
    struct layout_params params = layout_defaults(&scheme_slots);
    struct layout *layout = layout_new(&scheme_slots, &params, 4, NULL);
    uint64_t amount[4] = {0};
    uint64_t busiest = 0;
    for (int i = 0; i < 8; i++) {
        char key[32];
        snprintf(key, sizeof key, "likes:{p9#%d}", i);
        amount[layout_owner(layout, bytes_of(key))] += 105;
    }
    for (int s = 0; s < 4; s++) {
        busiest = amount[s] > busiest ? amount[s] : busiest;
    }
    assert_int_equal(r->salt.after, busiest);
    layout_free(layout);
    hot_free(hot);
}

static void test_a_cache_answers_reads_within_a_second_of_the_last_fetch(void **state)
{
    (void)state;
    struct hot_options options = usual();
    struct hot *hot = hot_of(&options);
    take(hot, "time,op,key");
    take(hot, "10.0,get,a"); /* fetched */
    take(hot, "10.5,get,a");
    take(hot, "10.9,set,a"); /* a write goes to the shard */
    take(hot, "10.999999,get,a");
    take(hot, "11.0,get,a"); /* fetched */
    take(hot, "11.9,get,a");
    take(hot, "13.0,get,a"); /* fetched */
    const struct hot_report *r = report_of(hot);
    assert_true(r->timed);
    assert_true(r->span_us == 3000000);
    assert_int_equal(r->cache_how, HOT_CACHE_TIMED);
    assert_int_equal(r->cache.reads, 6);
    assert_int_equal(r->cache.taken, 3);
    assert_int_equal(r->cache.before, 7);
    assert_int_equal(r->cache.after, 4);
    hot_free(hot);
}

static void test_without_times_or_uses_the_cache_is_the_best_case(void **state)
{
    (void)state;
    struct hot_options options = usual();
    options.top = 1;
    struct hot *hot = hot_of(&options);
    take(hot, "op,key");
    take_many(hot, "get,a", 6);
    take_many(hot, "set,a", 2);
    take_many(hot, "get,b", 3);
    const struct hot_report *r = report_of(hot);
    assert_int_equal(r->cache_how, HOT_CACHE_READS);
    assert_int_equal(r->cache.taken, 6); /* of the one key that is listed */
    hot_free(hot);
    hot = hot_of(&options);
    take_many(hot, "a", 6);
    take_many(hot, "b", 3);
    r = report_of(hot);
    assert_int_equal(r->cache_how, HOT_CACHE_ANY);
    assert_int_equal(r->cache.taken, 6);
    assert_int_equal(r->cache.total_after, 3);
    hot_free(hot);
}

static void test_a_log_of_writes_alone_gets_no_word_about_a_cache(void **state)
{
    (void)state;
    struct hot_options options = usual();
    struct hot *hot = hot_of(&options);
    take(hot, "op,key");
    take_many(hot, "set,a", 6);
    assert_false(report_of(hot)->cache.known);
    hot_free(hot);
}

/* A key at every fourth place, and a sample of one in a multiple of four: a fixed step would see it
 * always or never. */
static void test_a_sample_has_no_rhythm_and_scales_back(void **state)
{
    (void)state;
    struct hot_options options = usual();
    options.sample = 100;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        options.seed = seed;
        struct hot *hot = hot_of(&options);
        for (int i = 0; i < 100000; i++) {
            take(hot, i % 4 == 0 ? "hot" : "cold");
        }
        const struct hot_report *r = report_of(hot);
        assert_int_equal(r->counts->requests, 100000);
        assert_in_range(r->requests, 800, 1200); /* 1,000 and six standard deviations */
        assert_int_equal(hot_scaled(r, r->requests), 100000);
        assert_in_range(hot_scaled(r, r->key[1].count), 15000, 35000);
        uint64_t both = hot_scaled(r, r->key[0].count) + hot_scaled(r, r->key[1].count);
        assert_in_range(both, 99999, 100001);
        hot_free(hot);
    }
}

static void test_the_seed_decides_what_is_sampled(void **state)
{
    (void)state;
    struct hot_options options = usual();
    uint64_t first = 0;
    bool differs = false;
    options.sample = 3;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        uint64_t counts[2];
        for (int again = 0; again < 2; again++) {
            options.seed = seed;
            struct hot *hot = hot_of(&options);
            take_many(hot, "a", 10000);
            counts[again] = report_of(hot)->requests;
            hot_free(hot);
        }
        assert_int_equal(counts[0], counts[1]);
        first = seed == 1 ? counts[0] : first;
        differs = differs || counts[0] != first;
    }
    assert_true(differs);
}

static void test_a_command_of_several_keys_is_one_request(void **state)
{
    (void)state;
    struct hot_options options = usual();
    struct hot *hot = hot_of(&options);
    take(hot, "1.5 [0 h:1] \"mget\" \"a{t}\" \"b{t}\" \"c\"");
    take(hot, "1.6 [0 h:1] \"mget\" \"a{t}\" \"b{t}\"");
    const struct hot_report *r = report_of(hot);
    assert_int_equal(r->form, LOG_MONITOR);
    assert_int_equal(r->requests, 2);
    assert_int_equal(r->accesses, 5);
    assert_int_equal(r->slot, key_slot(bytes_of("{t}")));
    assert_int_equal(r->slot_requests, 2);
    hot_free(hot);
}

static void test_very_long_keys_are_placed_by_all_their_bytes_or_not_at_all(void **state)
{
    (void)state;
    struct hot_options options = usual();
    options.keys_max = 1; /* so that the list comes from the cells */
    struct hot *hot = hot_of(&options);
    char *line = xmalloc(20001);
    memset(line, 'x', 20000);
    line[20000] = '\0';
    take_many(hot, line, 3);
    memcpy(line, "{tag}", 5);
    take_many(hot, line, 2);
    take(hot, "short");
    const struct hot_report *r = report_of(hot);
    assert_false(r->exact);
    assert_int_equal(r->key[0].length, 20000);
    assert_int_equal(r->key[0].count, 3);
    assert_false(r->key[0].placed);
    assert_false(r->salt.known);
    assert_true(r->key[1].placed);
    assert_int_equal(r->key[1].slot, key_slot(bytes_of("{tag}")));
    free(line);
    hot_free(hot);
}

static void refuses(struct hot *hot, const char *why)
{
    struct err err = {.text = ""};
    assert_null(hot_finish(hot, &err));
    if (strstr(err.text, why) == NULL) {
        fail_msg("said: %s", err.text);
    }
    hot_free(hot);
}

static void test_a_log_without_requests_is_refused(void **state)
{
    (void)state;
    struct hot_options options = usual();
    refuses(hot_of(&options), "empty");
    options.form = LOG_MONITOR;
    struct hot *hot = hot_of(&options);
    take(hot, "user:1");
    take(hot, "user:2");
    refuses(hot, "line 1 and 1 more do not have the form monitor");
    hot = hot_of(&options);
    take(hot, "1.5 [0 h:1] \"ping\"");
    refuses(hot, "no request with a key");
    options.form = LOG_CSV;
    hot = hot_of(&options);
    take(hot, "key,op");
    refuses(hot, "no request with a key");
    options.sample = 1000000;
    options.form = LOG_PLAIN;
    hot = hot_of(&options);
    take(hot, "a");
    refuses(hot, "none was taken by --sample 1000000");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_are_counted_and_placed),
        cmocka_unit_test(test_every_scheme_with_a_rule_gives_all_of_the_load),
        cmocka_unit_test(test_loads_stay_exact_beyond_the_room_for_keys),
        cmocka_unit_test(test_salting_spreads_writes_and_multiplies_reads),
        cmocka_unit_test(test_a_cache_answers_reads_within_a_second_of_the_last_fetch),
        cmocka_unit_test(test_without_times_or_uses_the_cache_is_the_best_case),
        cmocka_unit_test(test_a_log_of_writes_alone_gets_no_word_about_a_cache),
        cmocka_unit_test(test_a_sample_has_no_rhythm_and_scales_back),
        cmocka_unit_test(test_the_seed_decides_what_is_sampled),
        cmocka_unit_test(test_a_command_of_several_keys_is_one_request),
        cmocka_unit_test(test_very_long_keys_are_placed_by_all_their_bytes_or_not_at_all),
        cmocka_unit_test(test_a_log_without_requests_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
