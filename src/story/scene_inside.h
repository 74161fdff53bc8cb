/*
 * scene_inside: what the files of the scenes share.
 *
 * A stage is where a scene plays: a world of its own (a copy of the main line), a second block for
 * measuring on, and the scene that it reports to. Functions that fail set stage->failed and its
 * err, and do nothing from then on, so that a scene reads as a list of what it does.
 */
#ifndef HOTSHARD_STORY_SCENE_INSIDE_H
#define HOTSHARD_STORY_SCENE_INSIDE_H

#include "engine/guards/guards.h"
#include "engine/moves/moves.h"
#include "engine/reads/reads.h"
#include "engine/shifts/shifts.h"
#include "engine/writes/writes.h"
#include "story/scenes.h"

struct stage {
    struct story_play *play; /* the main line, at the event's time */
    uint64_t seed;
    struct world *world;   /* the copy */
    struct world *scratch; /* for measuring */
    struct scene *scene;
    struct err *err;
    bool failed;
    /* For who wants a world of the scene, not its reports. */
    const struct story_watch *watch;
    size_t wanted; /* as in struct scene_of; 0: the last one */
    struct world *found;
};

/* The copy is taken (again): as the main line is at the event's time. */
void stage_copy(struct stage *s);
/* A world of another size instead of the copy: the stage owns it. */
void stage_world(struct stage *s, struct world *world);
void stage_do(struct stage *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void stage_run(struct stage *s, int64_t us);
void stage_run_until(struct stage *s, const char *clock);

/* A new report with the rates of the copy now; without rates; figures go to the newest. */
struct scene_report *stage_report(struct stage *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
struct scene_report *stage_note(struct stage *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void report_figure(struct scene_report *r, int64_t thousandths, const char *unit,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The rates of a world over the next second; `scratch` is of its size. */
void report_rates(struct scene_report *r, const struct world *w, struct world *scratch);
uint32_t stage_key(struct stage *s, const char *key);

/* The scenes, by event. */
struct scene_of {
    const char *event;
    void (*play)(struct stage *s);
    /* The report, from 1 on, whose world the event is about; 0: the scene's last world. */
    size_t about;
};

extern const struct scene_of scenes_of_layout[]; /* 2, 4a, K3 */
extern const struct scene_of scenes_of_heat[];   /* 6a, 7a, 7b, 7c, 8a */
extern const struct scene_of scenes_of_moves[];  /* 19 to 24 */
extern const struct scene_of scenes_of_across[]; /* 27, 27a to 27c, 30 */
extern const struct scene_of scenes_managed[];   /* K4 to K6, D1, D2, F1 */

/* What is special to events 25 and 26, 28, and 29 of the main line (scenes_across.c). `later` is a
 * second on; `scratch` is of w's size. */
void report_trending(const struct world *later, struct scene_report *r);
void report_like(const struct world *w, struct world *scratch, struct scene_report *r);
void report_read(const struct world *w, struct world *scratch, struct scene_report *r);

#endif
