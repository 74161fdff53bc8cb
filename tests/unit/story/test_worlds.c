/*
 * The worlds of events: of each one there is; a copy's is as its scene leaves it; who waits is
 * asked, and can end it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/guards/guards.h"
#include "engine/invariant.h"
#include "engine/reads/reads.h"
#include "sanitized.h"
#include "story/scenes.h"
#include "story/story.h"
#include <string.h>

#define BRIEF_US (200 * US_PER_SECOND) /* of the evening, where the whole takes too long */

static struct world *world_of(const char *id)
{
    struct err err = {{0}};
    struct story_play play;
    assert_true(story_play_start(&play, 1, &err));
    struct world *w = scene_world(&play, story_event_find(id, &err), 1, NULL, &err);
    story_play_end(&play);
    if (w == NULL) {
        fail_msg("%s: %s", id, err.text);
    }
    return w;
}

/* One main line for all of them, event by event in the order of their times. */
static void every_event_has_its_world(void **state)
{
    (void)state;
    struct err err = {{0}};
    struct story_play play;
    int64_t done = -1;
    assert_true(story_play_start(&play, 1, &err));
    for (int64_t next = 0; next < INT64_MAX;) {
        next = INT64_MAX;
        for (const struct story_event *e = story_events(); e->id != NULL; e++) {
            int64_t at = story_event_time(e);
            next = at > done && at < next ? at : next;
        }
        for (const struct story_event *e = story_events(); e->id != NULL; e++) {
            bool heavy = strcmp(e->id, "D1") == 0 || strcmp(e->id, "7b") == 0 ||
                         next > STORY_START_US + BRIEF_US;
            if (story_event_time(e) != next || (BRIEF && heavy)) {
                continue;
            }
            struct world *w = scene_world(&play, e, 1, NULL, &err);
            bool breaks = strcmp(e->id, "21") == 0 || strcmp(e->id, "23") == 0; /* a rule is off */
            if (w == NULL || invariant_hold(w, &err) == breaks) {
                fail_msg("%s: %s", e->id, err.text);
            }
            assert_true(world_now(w) >= next);
            assert_true(e->copy || world_now(w) == next);
            world_free(w);
        }
        done = next;
    }
    story_play_end(&play);
}

static void a_copy_is_as_its_scene_leaves_it(void **state)
{
    (void)state;
    struct world *w = world_of("7a"); /* both replicas of S2 answer reads */
    assert_int_equal(world_shard(w, 2).read_ceiling, 9000);
    world_free(w);
    w = world_of("4a"); /* the last of its worlds */
    assert_int_equal(world_shards(w), 64);
    world_free(w);
    w = world_of("2"); /* by creator: nova's four posts are one key */
    uint32_t key = 0;
    assert_true(world_find_key(w, bytes_of("likes:{nova}"), &key));
    assert_false(world_find_key(w, bytes_of("likes:{20:00}"), &key));
    world_free(w);
    w = world_of("6a"); /* clients ask again, and nothing spares S2 */
    struct guard_load before = guards_load(w, 2);
    world_run_until(w, world_now(w) + US_PER_SECOND);
    assert_true(guards_amplification(guards_load_less(guards_load(w, 2), before)) > 2000);
    world_free(w);
}

struct waiting {
    int asked, most;
    uint64_t events;
    int64_t last_us;
};

static bool go_on(void *of, int64_t now_us, uint64_t events)
{
    struct waiting *wait = of;
    assert_true(now_us >= STORY_START_US);
    wait->asked++;
    wait->events += events;
    wait->last_us = now_us;
    return wait->asked < wait->most;
}

static void who_waits_is_asked_and_can_end_it(void **state)
{
    (void)state;
    struct err err = {{0}};
    struct story_play play;
    struct waiting wait = {.most = 1000000};
    struct story_watch watch = {go_on, &wait};
    assert_true(story_play_start(&play, 1, &err));
    struct world *w = scene_world(&play, story_event_find("7c", &err), 1, &watch, &err);
    assert_non_null(w);
    assert_true(wait.asked > 10);
    assert_true(wait.events >= world_events(play.world));
    world_free(w);
    story_play_end(&play);

    int asked = wait.asked;
    for (int most = 1; most < asked; most += asked / 3) { /* on the way there, and in the scene */
        wait = (struct waiting){.most = most};
        assert_true(story_play_start(&play, 1, &err));
        assert_null(scene_world(&play, story_event_find("7c", &err), 1, &watch, &err));
        assert_int_equal(wait.asked, most);
        assert_string_equal(err.text, "");
        story_play_end(&play);
    }
}

static void watched_and_not_is_the_same(void **state)
{
    (void)state;
    struct err err = {{0}};
    struct story_play a;
    struct story_play b;
    struct waiting wait = {.most = 1000000};
    struct story_watch watch = {go_on, &wait};
    int64_t until = STORY_START_US + 125 * US_PER_SECOND;
    assert_true(story_play_start(&a, 1, &err) && story_play_start(&b, 1, &err));
    assert_true(story_play_until(&a, until, &err));
    assert_true(story_play_watched(&b, until, &watch, &err));
    assert_true(digest_equal(world_digest(a.world), world_digest(b.world)));
    story_play_end(&a);
    story_play_end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event_has_its_world),
        cmocka_unit_test(a_copy_is_as_its_scene_leaves_it),
        cmocka_unit_test(who_waits_is_asked_and_can_end_it),
        cmocka_unit_test(watched_and_not_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
