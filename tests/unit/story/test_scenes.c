/*
 * The story plays: its moments have their figures, what is told at events is so in the world, and
 * every event opens.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/num.h"
#include "engine/invariant.h"
#include "engine/moves/moves.h"
#include "engine/reads/reads.h"
#include "engine/writes/writes.h"
#include "sanitized.h"
#include "story/scenes.h"
#include "story/story.h"
#include <stdlib.h>
#include <string.h>

#define P9_SLOT 12067
#define DEAF 5 /* R5 */
#define LATE_US (STORY_END_US - US_PER_SECOND)
#define FIGURE_COLUMNS 56 /* that a screen of 80 leaves beside the number and its unit */

static struct story_play play;

static void begin(uint64_t seed)
{
    struct err err = {{0}};
    if (!story_play_start(&play, seed, &err)) {
        fail_msg("%s", err.text);
    }
}

static void until(const char *clock)
{
    int64_t us = 0;
    struct err err = {{0}};
    assert_true(num_parse_clock(clock, &us, NULL));
    if (!story_play_until(&play, us, &err) || !invariant_hold(play.world, &err)) {
        fail_msg("%s: %s", clock, err.text);
    }
}

static struct scene *new_scene(void)
{
    struct scene *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    return scene;
}

/* The figure whose words begin so, in whole units. */
static int64_t figure(const struct scene_report *r, const char *what)
{
    for (size_t i = 0; i < r->figures; i++) {
        if (strncmp(r->figure[i].what, what, strlen(what)) == 0) {
            assert_int_equal(r->figure[i].thousandths % 1000, 0);
            return r->figure[i].thousandths / 1000;
        }
    }
    fail_msg("no figure \"%s\"", what);
    return -1;
}

static void asked_for(const struct scene_report *r, uint32_t shard, uint64_t writes, uint64_t reads)
{
    assert_int_equal(r->shard[shard].writes, writes);
    assert_int_equal(r->shard[shard].reads, reads);
}

/* S0, S1 and S3 have nothing of p9. */
static void others_are_asked_for(const struct scene_report *r, uint64_t writes, uint64_t reads)
{
    asked_for(r, 0, writes, reads);
    asked_for(r, 1, writes, reads);
    asked_for(r, 3, writes, reads);
}

static void at_first_all_shards_are_asked_alike(const struct scene *scene)
{
    assert_int_equal(scene->reports, 1);
    assert_int_equal(scene->report[0].shards, 4);
    others_are_asked_for(&scene->report[0], 200, 400);
    asked_for(&scene->report[0], 2, 200, 400);
}

static void a_hot_key_overloads_its_shard_alone(const struct scene *scene)
{
    const struct scene_report *r = &scene->report[0];
    others_are_asked_for(r, 200, 400);
    asked_for(r, 2, 2550, 9300);
    assert_int_equal(r->write_ceiling[2], 1000);
    assert_int_equal(r->read_ceiling[2], 3000);
    assert_true(r->shard[2].refused_writes >= 1400 && r->shard[2].refused_reads >= 5900);
    assert_int_equal(r->shard[0].refused_writes + r->shard[0].refused_reads, 0);
}

static void a_cache_leaves_six_reads_of_the_hot_key(const struct scene *scene)
{
    others_are_asked_for(&scene->report[0], 200, 400);
    asked_for(&scene->report[0], 2, 2550, 300 + 6);
}

/* Asked for at the router's end of a like's way: those of the last quarter of a millisecond are
 * counted in the next second. */
static void salts_spread_the_likes(const struct scene *scene)
{
    const struct scene_report *r = &scene->report[0];
    asked_for(r, 2, 750, 306);
    for (uint32_t shard = 0; shard < 4; shard++) {
        assert_in_range(r->shard[shard].writes, shard == 2 ? 749 : 799, shard == 2 ? 751 : 801);
        assert_int_equal(r->shard[shard].refused_writes, 0);
    }
}

static void both_fixes_leave_the_hot_shard_the_coolest(const struct scene *scene)
{
    const struct scene_report *r = &scene->report[0];
    others_are_asked_for(r, 200, 400);
    asked_for(r, 2, 162, 306);
    assert_int_equal(figure(r, "are read by them"), 342); /* six sub-keys with each post */
}

static void a_fifth_shard_takes_its_share(const struct scene *scene)
{
    const struct scene_report *r = &scene->report[scene->reports - 1];
    assert_int_equal(r->shards, 6);
    others_are_asked_for(r, 300, 600);
    asked_for(r, 2, 300, 600);
    asked_for(r, 4, 0, 0);
    asked_for(r, 5, 400, 800);
    assert_int_equal(figure(r, "moved to S5"), 3277);
}

static void the_hot_slot_has_a_shard_of_its_own(const struct scene *scene)
{
    const struct scene_report *r = &scene->report[0];
    others_are_asked_for(r, 200, 400);
    asked_for(r, 2, 150, 300);
    asked_for(r, 4, 12, 6);
    assert_int_equal(r->map_version, 8);
    assert_int_equal(figure(r, "passed between fence and commit"), 13);
    assert_int_equal(figure(r, "is the version of R5's map here"), 7);
    assert_true(figure(r, "of R5 are turned away") >= 1);
    assert_int_equal(figure(r, "is the version that it has then"), 8);
}

static void dual_writes_need_versions(const struct scene *scene)
{
    static const int64_t at[4][2] = {{5, 4}, {6, 5}, {5, 5}, {6, 6}};
    assert_int_equal(scene->reports, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(figure(&scene->report[i], "of post:{p9} is on S2"), at[i][0]);
        assert_int_equal(figure(&scene->report[i], "of it is on S4"), at[i][1]);
    }
}

static void without_the_slot_table_a_like_is_lost(const struct scene *scene)
{
    assert_int_equal(scene->reports, 2);
    assert_int_equal(figure(&scene->report[0], "answered OK and lost"), 0);
    assert_int_equal(figure(&scene->report[1], "answered OK and lost"), 1);
}

static void a_query_over_all_shards_is_asked_of_each(const struct scene *scene)
{
    const struct scene_report *r = &scene->report[0];
    others_are_asked_for(r, 200, 1400);
    asked_for(r, 2, 150, 1300);
    asked_for(r, 4, 12, 1006);
}

/* Of ten answers from zone a eight cross, and so on: 66.7 MB a second, of which a second is a
 * sample. */
static void the_job_asks_once_a_second(const struct scene *scene)
{
    const struct scene_report *r = &scene->report[0];
    others_are_asked_for(r, 200, 401);
    asked_for(r, 2, 150, 301);
    asked_for(r, 4, 12, 7);
    assert_int_equal(figure(r, "of answers cross between zones"), 80);
}

/* In microseconds. */
static int64_t exact(const struct scene_report *r, const char *what)
{
    for (size_t i = 0; i < r->figures; i++) {
        if (strncmp(r->figure[i].what, what, strlen(what)) == 0) {
            return r->figure[i].thousandths;
        }
    }
    fail_msg("no figure \"%s\"", what);
    return -1;
}

static void the_slowest_of_five_decides(const struct scene *scene)
{
    assert_int_equal(scene->reports, 4);
    assert_in_range(exact(&scene->report[0], "or less take 99"), 150000, 185000);
    assert_in_range(exact(&scene->report[1], "or less take 99"), 10000, 25000);
    assert_in_range(exact(&scene->report[1], "of all that shards"), 500, 1500);
    assert_int_equal(exact(&scene->report[2], "or less take 99"), 20000);
    assert_in_range(exact(&scene->report[2], "of them are partial"), 4000, 6000);
    assert_in_range(exact(&scene->report[3], "or less take 99"), 5000, 60000);
}

static void a_derived_index_is_behind_for_a_while(const struct scene *scene)
{
    assert_int_equal(figure(&scene->report[0], "are waited for"), 1);
    assert_int_equal(figure(&scene->report[0], "does a find miss"), 1);
    assert_in_range(exact(&scene->report[0], "is the index behind"), 200000, 201000);
    assert_int_equal(figure(&scene->report[1], "are waited for"), 2);
    assert_int_equal(figure(&scene->report[1], "does a find miss"), 0);
}

static void two_rows_change_together_or_not_at_all(const struct scene *scene)
{
    assert_int_equal(figure(&scene->report[0], "is whom alice"), 1);
    assert_int_equal(figure(&scene->report[0], "is how many follow"), 1);
    const struct scene_report *died = &scene->report[1];
    assert_int_equal(figure(died, "is whom alice"), figure(died, "is how many follow"));
    assert_in_range(exact(died, "is nova's row locked"), 2000000, 2300000);
}

static void a_saga_takes_back_what_it_has_done(const struct scene *scene)
{
    assert_int_equal(figure(&scene->report[0], "is whom alice"), 1);
    assert_int_equal(figure(&scene->report[0], "is how many follow"), 1);
    assert_int_equal(figure(&scene->report[1], "is whom alice"), 0);
    assert_true(exact(&scene->report[1], "others see half") > 0);
}

static void a_like_waits_for_no_shard(const struct scene *scene)
{
    assert_in_range(exact(&scene->report[0], "after it asked, the phone is told"), 2000, 5000);
    assert_in_range(exact(&scene->report[0], "after it asked, R3 sends"), 1000, 500000);
}

static void a_read_comes_from_a_cache(const struct scene *scene)
{
    assert_int_equal(exact(&scene->report[0], "after it asked, the phone is told"), 500);
    assert_int_equal(figure(&scene->report[0], "of a shard were needed"), 0);
}

static void twelve_routers_were_needed(const struct scene *scene)
{
    static const int64_t asked[] = {2275000, 3412500, 1137500, 1706250};
    static const int64_t turned_away[] = {0, 3650, 0, 0};
    assert_int_equal(scene->reports, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(exact(&scene->report[i], "come to each"), asked[i]);
        assert_int_equal(figure(&scene->report[i], "are turned away"), turned_away[i]);
    }
}

static const struct {
    const char *event;
    void (*check)(const struct scene *scene);
} expected[] = {
    {"1", at_first_all_shards_are_asked_alike},
    {"4", a_hot_key_overloads_its_shard_alone},
    {"7", a_cache_leaves_six_reads_of_the_hot_key},
    {"8", salts_spread_the_likes},
    {"9", both_fixes_leave_the_hot_shard_the_coolest},
    {"K3", a_fifth_shard_takes_its_share},
    {"17", the_hot_slot_has_a_shard_of_its_own},
    {"21", without_the_slot_table_a_like_is_lost},
    {"23", dual_writes_need_versions},
    {"25", a_query_over_all_shards_is_asked_of_each},
    {"26", the_job_asks_once_a_second},
    {"27", the_slowest_of_five_decides},
    {"27a", a_derived_index_is_behind_for_a_while},
    {"27b", two_rows_change_together_or_not_at_all},
    {"27c", a_saga_takes_back_what_it_has_done},
    {"28", a_like_waits_for_no_shard},
    {"29", a_read_comes_from_a_cache},
    {"30", twelve_routers_were_needed},
};

static size_t check_figures(const struct story_event *event, const struct scene *scene)
{
    size_t checked = 0;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        if (strcmp(expected[i].event, event->id) == 0) {
            expected[i].check(scene);
            checked++;
        }
    }
    return checked;
}

/* --- all events --- */

static void is_told_whole(const struct story_event *event, const struct scene *scene)
{
    assert_in_range(scene->reports, 1, SCENE_REPORTS_MAX);
    for (size_t i = 0; i < scene->reports; i++) {
        const struct scene_report *r = &scene->report[i];
        assert_true(r->shards > 0 || r->figures > 0);
        assert_true(r->at_us >= story_event_time(event));
        assert_true(event->copy == (r->title[0] != '\0'));
        for (size_t j = 0; j < r->figures; j++) {
            assert_in_range(strlen(r->figure[j].what), 1, FIGURE_COLUMNS);
            assert_in_range(strlen(r->figure[j].unit), 0, 9);
        }
    }
}

/* In the order of their times, so that one main line serves all. */
static const struct story_event *next_in_time(const struct story_event *done, int64_t at)
{
    const struct story_event *best = NULL;
    bool passed = done == NULL;
    for (const struct story_event *e = story_events(); e->id != NULL; e++) {
        int64_t time = story_event_time(e);
        bool later = time > at || (time == at && passed);
        if (later && (best == NULL || time < story_event_time(best))) {
            best = e;
        }
        passed = passed || e == done;
    }
    return best;
}

static void every_event_opens(uint64_t seed)
{
    struct scene *scene = new_scene();
    size_t opened = 0;
    size_t checked = 0;
    size_t events = 0;
    begin(seed);
    const struct story_event *e = next_in_time(NULL, STORY_START_US);
    for (; e != NULL; e = next_in_time(e, story_event_time(e))) {
        struct err err = {{0}};
        bool late = story_event_time(e) > LATE_US;    /* behind minutes without an event */
        if (SANITIZED && (opened % 3 != 0 || late)) { /* the others are the release build's */
            opened++;
            continue;
        }
        if (!scene_play_on(&play, e, seed, scene, &err)) {
            fail_msg("%s: %s", e->id, err.text);
        }
        is_told_whole(e, scene);
        checked += check_figures(e, scene);
        opened++;
    }
    for (const struct story_event *all = story_events(); all->id != NULL; all++) {
        events++;
    }
    assert_int_equal(opened, events);
    assert_true(SANITIZED || checked == sizeof expected / sizeof *expected);
    story_play_end(&play);
    free(scene);
}

static void events_open_and_have_their_figures(void **state)
{
    (void)state;
    every_event_opens(1);
}

static void so_they_do_with_another_seed(void **state)
{
    (void)state;
    if (BRIEF) {
        skip();
    }
    every_event_opens(2);
}

/* Played alone, from the beginning. M5 and M6, which take long, are found in the same way. */
static void a_moment_is_its_event(void **state)
{
    (void)state;
    struct scene *scene = new_scene();
    struct err err = {{0}};
    for (const struct story_moment *m = story_moments(); strcmp(m->name, "M5") != 0; m++) {
        assert_true(scene_of_moment(m->name, 1, scene, &err));
        assert_int_equal(check_figures(story_event_find(m->event, &err), scene), 1);
    }
    free(scene);
}

/* A main line that has told some events is what it would be had it told none. */
static void telling_leaves_the_main_line_alone(void **state)
{
    (void)state;
    static const char *const ids[] = {"4", "7a", "6a", "7", "8a"};
    struct scene *scene = new_scene();
    struct err err = {{0}};
    begin(1);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        assert_true(scene_play_on(&play, story_event_find(ids[i], &err), 1, scene, &err));
    }
    until("20:03:31");
    struct digest told = world_digest(play.world);
    story_play_end(&play);
    begin(1);
    until("20:03:31");
    assert_true(digest_equal(told, world_digest(play.world)));
    story_play_end(&play);
    free(scene);
}

static void what_is_no_event_or_moment_is_refused(void **state)
{
    (void)state;
    struct scene *scene = new_scene();
    struct err err = {{0}};
    assert_false(scene_play("99", 1, scene, &err));
    assert_non_null(strstr(err.text, "\"99\" is no event of the story"));
    assert_false(scene_of_moment("M9", 1, scene, &err));
    assert_string_equal(err.text, "\"M9\" is no moment of the story; moments are M1 to M6");
    free(scene);
}

/* --- one main line: each of these tests goes on where the one before it stopped --- */

static struct count_info count_of_p9(void)
{
    uint32_t key = 0;
    struct count_info count;
    assert_true(world_find_key(play.world, bytes_of("likes:{p9}"), &key));
    assert_true(writes_count(play.world, key, &count));
    return count;
}

static uint64_t on_their_way(const struct count_info *count)
{
    return count->buffered + count->on_way + count->unheard;
}

/* What a router keeps of a page is the post and the whole count, a second old at most. */
static void a_page_has_its_count(void **state)
{
    (void)state;
    uint32_t post = 0;
    until("20:04:59");
    assert_true(world_find_key(play.world, bytes_of("post:{p9}"), &post));
    assert_int_equal(reads_info(play.world, 0, post).beside, KEY_NONE_ID);
    until("20:05:10");
    struct count_info count = count_of_p9();
    for (uint16_t router = 0; router < 6; router++) {
        struct reads_info info = reads_info(play.world, router, post);
        assert_true(info.count_held);
        assert_in_range(count.shown - info.count, 0, 2 * 2400);
    }
}

/* How many likes the count lacks when nobody likes any more and all buffers are empty: tried on a
 * copy. */
static int64_t missing(void)
{
    struct world *main_line = play.world;
    struct command none = command_flow(OP_LIKE, bytes_of("likes:{p9}"), 0, ARRIVALS_STEADY);
    play.world = world_copy(main_line);
    assert_true(world_apply(play.world, &none, NULL));
    world_run_until(play.world, world_now(play.world) + 2 * US_PER_SECOND);
    struct count_info count = count_of_p9();
    assert_int_equal(count.buffered + count.on_way, 0);
    assert_int_equal(count.forgotten, 0); /* no like is missing from liked */
    world_free(play.world);
    play.world = main_line;
    return (int64_t)(count.durable - count.shown);
}

static void a_crash_loses_from_the_count_and_the_recount_finds_it(void **state)
{
    (void)state;
    until("20:06:00.058");
    assert_int_equal(missing(), 0);
    struct count_info before = count_of_p9();
    assert_int_equal(before.durable, before.shown + on_their_way(&before));
    until("20:06:01");
    int64_t lost = missing();
    assert_in_range(lost, 190, 205); /* half a second of 400 likes a second */
    struct count_info after = count_of_p9();
    /* of these in the buffer; the router has not heard of the others, which were stored already */
    assert_in_range(lost - (int64_t)after.lost, 0, 4);
    until("20:07:59");
    assert_int_equal(missing(), lost);
    until("20:08:01");
    assert_int_equal(missing(), 0);
    assert_int_equal(count_of_p9().fix, lost);
    until("20:10:00");
    assert_int_equal(missing(), 0);
}

static void fenced_for(int64_t us)
{
    struct move_info move;
    assert_true(moves_info_of(play.world, P9_SLOT, &move));
    assert_true(move.fenced_us != MOVE_NEVER);
    assert_int_equal(move.committed_us == MOVE_NEVER ? 0 : move.committed_us - move.fenced_us, us);
}

static void the_pause_is_thirteen_milliseconds(void **state)
{
    (void)state;
    until("20:11:10.472");
    fenced_for(0); /* and not committed */
    until("20:11:10.482");
    for (uint16_t router = 0; router < 6; router++) {
        assert_int_equal(world_router(play.world, router).map_version, 7);
    }
    until("20:11:10.500");
    fenced_for(13 * US_PER_MS);
    for (uint16_t router = 0; router < 6; router++) {
        assert_int_equal(world_router(play.world, router).map_version, router == DEAF ? 7 : 8);
    }
}

static void a_router_that_did_not_hear_is_turned_away(void **state)
{
    (void)state;
    struct router_info before = world_router(play.world, DEAF);
    assert_true(before.deaf);
    until("20:11:10.700");
    struct router_info after = world_router(play.world, DEAF);
    assert_true(after.redirects > before.redirects);
    assert_int_equal(after.map_version, 8);
    assert_int_equal(world_router_owner(play.world, DEAF, P9_SLOT), 4);
}

static void the_source_remembers_where_its_slot_went(void **state)
{
    (void)state;
    uint64_t lost = 0;
    until("20:12:01");
    struct slot_row row = world_slot_row(play.world, 2, P9_SLOT);
    assert_int_equal(row.state, SLOT_MOVED);
    assert_int_equal(row.other, 4);
    for (uint32_t key = 0; key < world_keys(play.world); key++) {
        lost += world_lost(play.world, key);
    }
    assert_int_equal(lost, 0);
}

static int setup(void **state)
{
    (void)state;
    begin(1);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    story_play_end(&play);
    return 0;
}

int main(void)
{
    const struct CMUnitTest scenes[] = {
        cmocka_unit_test(events_open_and_have_their_figures),
        cmocka_unit_test(so_they_do_with_another_seed),
        cmocka_unit_test(a_moment_is_its_event),
        cmocka_unit_test(telling_leaves_the_main_line_alone),
        cmocka_unit_test(what_is_no_event_or_moment_is_refused),
    };
    const struct CMUnitTest main_line[] = {
        cmocka_unit_test(a_page_has_its_count),
        cmocka_unit_test(a_crash_loses_from_the_count_and_the_recount_finds_it),
        cmocka_unit_test(the_pause_is_thirteen_milliseconds),
        cmocka_unit_test(a_router_that_did_not_hear_is_turned_away),
        cmocka_unit_test(the_source_remembers_where_its_slot_went),
    };
    int failed = cmocka_run_group_tests(scenes, NULL, NULL);
    return failed + cmocka_run_group_tests(main_line, setup, teardown);
}
