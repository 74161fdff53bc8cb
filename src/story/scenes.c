/*
 * scenes: the stage that scenes play on, and finding the scene of an event.
 */
#include "story/scenes.h"

#include "base/alloc.h"
#include "base/check.h"
#include "base/num.h"
#include "story/scene_inside.h"
#include "story/story.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t clock_us(const char *clock)
{
    int64_t us = 0;
    CHECK(num_parse_clock(clock, &us, NULL));
    return us;
}

/* --- the stage --- */

void stage_world(struct stage *s, struct world *world)
{
    if (world == NULL) {
        s->failed = true;
        return;
    }
    if (!s->failed && s->wanted > 0 && s->scene->reports == s->wanted && s->found == NULL) {
        s->found = s->world; /* nobody needs the rest of the scene */
        s->failed = true;
    } else {
        world_free(s->world);
    }
    world_free(s->scratch);
    s->world = world;
    s->scratch = world_copy(world);
}

void stage_copy(struct stage *s)
{
    if (!s->failed) {
        stage_world(s, world_copy(s->play->world));
    }
}

void stage_do(struct stage *s, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    CHECK(length > 0 && (size_t)length < sizeof text);
    struct command command;
    struct err why;
    if (s->failed) {
        return;
    }
    if (!command_parse(text, &command, &why) || !world_apply(s->world, &command, &why)) {
        s->failed = true;
        err_set(s->err, "the scene's command \"%s\" failed at %s: %s", text,
                num_clock(world_now(s->world)).text, why.text);
    }
}

void stage_run(struct stage *s, int64_t us)
{
    if (!s->failed) {
        s->failed = !story_run_watched(s->world, world_now(s->world) + us, s->watch) ||
                    world_stopped(s->world, s->err);
    }
}

void stage_run_until(struct stage *s, const char *clock)
{
    if (!s->failed) {
        s->failed = !story_run_watched(s->world, clock_us(clock), s->watch) ||
                    world_stopped(s->world, s->err);
    }
}

uint32_t stage_key(struct stage *s, const char *key)
{
    uint32_t number = 0;
    CHECK(world_find_key(s->world, bytes_of(key), &number));
    return number;
}

/* --- reports --- */

void report_rates(struct scene_report *r, const struct world *w, struct world *scratch)
{
    struct rates *rates = xmalloc(sizeof *rates);
    rates_at(w, scratch, rates);
    CHECK(rates->shards <= SCENE_SHARDS_MAX);
    r->shards = rates->shards;
    for (uint16_t i = 0; i < rates->shards; i++) {
        struct shard_info info = world_shard(w, i);
        r->shard[i] = rates->shard[i];
        r->write_ceiling[i] = info.write_ceiling;
        r->read_ceiling[i] = info.read_ceiling;
    }
    free(rates);
}

static struct scene_report *new_report(struct scene *scene, const struct world *w)
{
    CHECK(scene->reports < SCENE_REPORTS_MAX);
    struct scene_report *r = &scene->report[scene->reports++];
    memset(r, 0, sizeof *r);
    r->at_us = world_now(w);
    r->map_version = world_map_version(w);
    return r;
}

static void set_title(struct scene_report *r, const char *format, va_list args)
{
    int length = vsnprintf(r->title, sizeof r->title, format, args);
    CHECK(length >= 0 && (size_t)length < sizeof r->title);
}

struct scene_report *stage_report(struct stage *s, const char *format, ...)
{
    struct scene_report *r = new_report(s->scene, s->world);
    va_list args;
    va_start(args, format);
    set_title(r, format, args);
    va_end(args);
    if (!s->failed) {
        report_rates(r, s->world, s->scratch);
    }
    return r;
}

struct scene_report *stage_note(struct stage *s, const char *format, ...)
{
    struct scene_report *r = new_report(s->scene, s->world);
    va_list args;
    va_start(args, format);
    set_title(r, format, args);
    va_end(args);
    return r;
}

void report_figure(struct scene_report *r, int64_t thousandths, const char *unit,
                   const char *format, ...)
{
    CHECK(r->figures < SCENE_FIGURES_MAX);
    struct scene_figure *f = &r->figure[r->figures++];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(f->what, sizeof f->what, format, args);
    va_end(args);
    CHECK(length >= 0 && (size_t)length < sizeof f->what);
    f->thousandths = thousandths;
    f->unit = unit;
}

/* --- opening one --- */

static const struct scene_of *find_scene(const char *event)
{
    const struct scene_of *const lists[] = {scenes_of_layout, scenes_of_heat, scenes_of_moves,
                                            scenes_of_across, scenes_managed};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        for (const struct scene_of *scene = lists[i]; scene->event != NULL; scene++) {
            if (strcmp(scene->event, event) == 0) {
                return scene;
            }
        }
    }
    return NULL;
}

bool scene_exists(const char *event_id)
{
    const struct story_event *event = story_event_find(event_id, NULL);
    return event != NULL && (!event->copy || find_scene(event_id) != NULL);
}

static bool play_copy(struct story_play *play, const struct story_event *event, uint64_t seed,
                      struct scene *out, struct err *err)
{
    struct stage stage = {.play = play, .seed = seed, .scene = out, .err = err};
    const struct scene_of *scene = find_scene(event->id);
    if (scene == NULL) {
        return err_set(err, "event %s cannot be opened yet", event->id);
    }
    stage_copy(&stage);
    scene->play(&stage);
    world_free(stage.world);
    world_free(stage.scratch);
    return !stage.failed;
}

static void play_main(const struct story_play *play, const struct story_event *event,
                      struct scene *out)
{
    struct world *scratch = world_copy(play->world);
    scene_report_here(play, event, scratch, new_report(out, play->world));
    world_free(scratch);
}

bool scene_play_on(struct story_play *play, const struct story_event *event, uint64_t seed,
                   struct scene *out, struct err *err)
{
    out->reports = 0;
    CHECK(world_now(play->world) <= story_event_time(event));
    if (!story_play_until(play, story_event_time(event), err)) {
        return false;
    }
    if (event->copy) {
        return play_copy(play, event, seed, out, err);
    }
    play_main(play, event, out);
    return true;
}

struct world *scene_world(struct story_play *play, const struct story_event *event, uint64_t seed,
                          const struct story_watch *watch, struct err *err)
{
    const struct scene_of *of = find_scene(event->id);
    CHECK(world_now(play->world) <= story_event_time(event));
    if (!story_play_watched(play, story_event_time(event), watch, err)) {
        return NULL;
    }
    if (!event->copy) {
        return world_copy(play->world);
    }
    if (of == NULL) {
        err_set(err, "event %s cannot be opened yet", event->id);
        return NULL;
    }
    struct scene *reports = xcalloc(1, sizeof *reports);
    struct stage s = {.play = play,
                      .seed = seed,
                      .scene = reports,
                      .err = err,
                      .watch = watch,
                      .wanted = of->about};
    stage_copy(&s);
    of->play(&s);
    if (s.found == NULL && !s.failed) {
        s.found = s.world;
    } else {
        world_free(s.world);
    }
    world_free(s.scratch);
    free(reports);
    return s.found;
}

bool scene_play(const char *event_id, uint64_t seed, struct scene *out, struct err *err)
{
    const struct story_event *event = story_event_find(event_id, err);
    struct story_play play = {NULL, NULL};
    out->reports = 0;
    if (event == NULL || !story_play_start(&play, seed, err)) {
        return false;
    }
    bool good = scene_play_on(&play, event, seed, out, err);
    story_play_end(&play);
    return good;
}

bool scene_of_moment(const char *moment, uint64_t seed, struct scene *out, struct err *err)
{
    for (const struct story_moment *m = story_moments(); m->name != NULL; m++) {
        if (strcmp(m->name, moment) == 0) {
            return scene_play(m->event, seed, out, err);
        }
    }
    return err_set(err, "\"%s\" is no moment of the story; moments are M1 to M6", moment);
}
