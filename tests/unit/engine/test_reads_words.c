/*
 * Hot reads in words: commands there and back, what is refused, and that each decision can be said,
 * labelled and explained.
 */
#include "play.h"

#include "engine/reads/reads.h"

static struct world_config busy_config(void)
{
    struct world_config c = play_config();
    c.requests_max = 4096;
    c.events_max = 4608;
    c.trace_max = 8192;
    return c;
}

static struct world *busy_world(void)
{
    struct world_config c = busy_config();
    return play_new(&c);
}

static void run_for(struct world *w, int64_t us)
{
    world_run_until(w, world_now(w) + us);
}

static void what_a_cache_does_is_said_in_prose(void **state)
{
    (void)state;
    struct world *w = busy_world();
    uint64_t from = trace_next(w);
    play(w, "reads post:{p9} cached");
    play(w, "request read post:{p9} via R0");
    run_for(w, 300);
    play(w, "request read post:{p9} via R0");
    run_for(w, US_PER_SECOND);
    play_request(w, "request read post:{p9} via R0");
    play_request(w, "request edit post:{p9} via R0");
    play_expect(
        w, from,
        "20:00:00.000000  operator  reads of post:{p9}: each router keeps the answer, fresh for 1 "
        "s, served until it is 3 s old while it is fetched again\n"
        "20:00:00.000000  client a -> R0  read post:{p9}\n"
        "20:00:00.000250  R0  read post:{p9}: no answer is kept, so it begins a fetch and waits\n"
        "20:00:00.000250  R0 -> S2  read post:{p9} (slot 12067, as map version 7 says)\n"
        "20:00:00.000300  client a -> R0  read post:{p9}\n"
        "20:00:00.000550  R0  read post:{p9}: a fetch is under way, it waits for that one\n"
        "20:00:00.000750  S2 -> R0  OK\n"
        "20:00:00.006250  R0  read post:{p9}: the fetch is back after 6 ms and kept; 2 waited for "
        "it\n"
        "20:00:00.006250  R0 -> client a  OK (it waited for a fetch, sent 6 ms ago)\n"
        "20:00:00.006250  R0 -> client a  OK (it waited for a fetch, sent 6 ms ago)\n"
        "20:00:01.000300  client a -> R0  read post:{p9}\n"
        "20:00:01.000550  R0 -> client a  OK (from its cache, 1 s old: stale, and being fetched "
        "again)\n"
        "20:00:01.000550  R0  read post:{p9}: the kept answer is 1 s old, it is fetched again in "
        "the background\n"
        "20:00:01.000550  R0 -> S2  read post:{p9} (slot 12067, as map version 7 says)\n"
        "20:00:01.000800  client a -> R0  edit post:{p9}\n"
        "20:00:01.001050  S2 -> R0  OK\n"
        "20:00:01.001050  R0 -> S2  edit post:{p9} (slot 12067, as map version 7 says)\n"
        "20:00:01.001550  S2 -> R0  OK, the edit is stored\n"
        "20:00:01.006550  R0  read post:{p9}: the fetch is back after 6 ms and kept; 0 waited for "
        "it\n"
        "20:00:01.007050  R0  edit post:{p9}: done, so the kept answer is dropped\n"
        "20:00:01.007050  R0 -> client a  OK, the edit is stored\n");
    world_free(w);
}

static const char *const treatments[] = {
    "reads post:{p9} cached 5 20", "reads post:{p9} coalesced by-key", "reads post:{p9} coalesced",
    "reads post:{p9} replicas",    "reads post:{p9} copies 3",         "reads post:{p9} edge 10",
    "reads post:{p9} plain"};
#define TREATMENTS (sizeof treatments / sizeof *treatments)

/* Every record of a busy world can be said, labelled and explained. */
static void every_record_has_its_words(void **state)
{
    (void)state;
    struct world *w = busy_world();
    play(w, "ceiling S2 400 40");
    play(w, "replicas S2 2");
    play(w, "flow read post:{p9} 900 poisson");
    play(w, "flow edit post:{p9} 60 poisson");
    struct str out = STR_EMPTY;
    bool seen[REASON_READS_END - REASON_READS_FIRST] = {false};
    for (size_t i = 0; i < TREATMENTS; i++) {
        uint64_t next = trace_next(w);
        play(w, treatments[i]);
        run_for(w, 300000);
        for (; next < trace_next(w); next++) {
            const struct trace_record *r = trace_get(w, next);
            assert_non_null(r);
            if (r->reason >= REASON_READS_FIRST && r->reason < REASON_READS_END) {
                seen[r->reason - REASON_READS_FIRST] = true;
            }
            str_clear(&out);
            trace_say(w, r, &out);
            trace_label(w, r, &out);
            size_t before = out.length;
            trace_why(w, r, &out);
            assert_true(out.length > before + 20);
        }
    }
    for (int i = 0; i < REASON_READS_END - REASON_READS_FIRST; i++) {
        bool rare = i == REASON_QUERY_ALONE - REASON_READS_FIRST;
        assert_true(seen[i] || rare);
    }
    str_free(&out);
    world_free(w);
}

static void treatments_that_cannot_be_are_refused(void **state)
{
    (void)state;
    struct world_config c = busy_config();
    c.hot_max = 1;
    struct world *w = play_new(&c);
    play_refused(w, "reads x plain", "reads of this key are plain already");
    play_refused(w, "reads x forget",
                 "nobody caches this key, so nothing can be forgotten; cache it first: reads KEY "
                 "cached");
    play_refused(w, "reads x cached 500 400",
                 "an entry is fresh for a while and then stale; give a fresh bound above 0 ms and "
                 "a stale bound that is no less");
    play_refused(w, "reads x edge 0",
                 "an edge keeps an answer for some time; give a TTL above 0 ms");
    play_refused(w, "reads x copies 1", "a value can have 2 to 16 copies");
    play_refused(w, "replicas S9 2", "no shard S9: this world has S0 to S3");
    play_refused(w, "replicas S2 0",
                 "1 to 16 copies of a shard can answer reads, at most 10000000 a second together");
    play(w, "reads x cached");
    play_refused(w, "reads y cached",
                 "this world has room for 1 keys with a treatment of reads, all taken; make the "
                 "reads of one plain first");
    play(w, "reads x plain");
    play(w, "reads y cached");
    world_free(w);
}

static void commands_read_back_as_they_were_said(void **state)
{
    (void)state;
    static const char *const forms[] = {"reads post:{p9} plain",
                                        "reads post:{p9} cached",
                                        "reads post:{p9} cached 0.5 3000",
                                        "reads post:{p9} coalesced",
                                        "reads post:{p9} coalesced by-key",
                                        "reads post:{p9} replicas",
                                        "reads post:{p9} copies 4",
                                        "reads post:{p9} edge",
                                        "reads post:{p9} edge 250",
                                        "reads post:{p9} forget",
                                        "replicas S2 3"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct command c;
        struct err err = {{0}};
        struct str out = STR_EMPTY;
        if (!command_parse(forms[i], &c, &err)) {
            fail_msg("%s: %s", forms[i], err.text);
        }
        command_say(&c, &out);
        assert_string_equal(str_text(&out), forms[i]);
        str_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_cache_does_is_said_in_prose),
        cmocka_unit_test(every_record_has_its_words),
        cmocka_unit_test(treatments_that_cannot_be_are_refused),
        cmocka_unit_test(commands_read_back_as_they_were_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
