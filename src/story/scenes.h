/*
 * scenes: one event of the story opened: what it changes, measured.
 *
 * A scene of the main line plays the story to its event and reports the rates there, and what is
 * special to it. A scene on a copy takes a copy of the main line at its time, does to it what the
 * event says, often several ways, and reports each. Every figure is measured on a run; the reports
 * belong to the caller, as values.
 */
#ifndef HOTSHARD_STORY_SCENES_H
#define HOTSHARD_STORY_SCENES_H

#include "engine/rates.h"
#include "story/play.h"

#define SCENE_SHARDS_MAX 65
#define SCENE_FIGURES_MAX 10
#define SCENE_REPORTS_MAX 12

struct scene_figure {
    char what[80];
    int64_t thousandths; /* of the unit: 13,000 with "ms" is 13 ms */
    const char *unit;    /* "reads/s", "ms", "%", "likes" */
};

struct scene_report {
    char title[100];
    int64_t at_us;
    uint32_t map_version;
    uint32_t shards; /* 0: no rates belong to it */
    struct shard_rates shard[SCENE_SHARDS_MAX];
    uint32_t write_ceiling[SCENE_SHARDS_MAX], read_ceiling[SCENE_SHARDS_MAX];
    size_t figures;
    struct scene_figure figure[SCENE_FIGURES_MAX];
};

struct scene {
    size_t reports;
    struct scene_report report[SCENE_REPORTS_MAX];
};

/* Plays an event of the table. False with the reason. */
bool scene_play(const char *event_id, uint64_t seed, struct scene *out, struct err *err);
/* scene_play on a main line that is at the event's time or before it: it is played on to there, and
 * otherwise left as it is. `play` is of this seed. */
bool scene_play_on(struct story_play *play, const struct story_event *event, uint64_t seed,
                   struct scene *out, struct err *err);
/* The world that an event leads to: of the main line as it is there, of a copy as its scene leaves
 * it; where a scene plays several worlds, that of the one which the event is about. The caller's.
 * `play` as in scene_play_on. NULL, with a reason unless the watch ended it. */
struct world *scene_world(struct story_play *play, const struct story_event *event, uint64_t seed,
                          const struct story_watch *watch, struct err *err);
/* scene_play for the event of a moment, "M1" to "M6". */
bool scene_of_moment(const char *moment, uint64_t seed, struct scene *out, struct err *err);
/* Whether an event can be opened yet. */
bool scene_exists(const char *event_id);

/* What `story` tells at each event of the main line, the world being there. */
void scene_report_here(const struct story_play *play, const struct story_event *event,
                       struct world *scratch, struct scene_report *out);

#endif
