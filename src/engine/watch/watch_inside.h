/*
 * watch_inside: a node's row at the directory, and phi.
 */
#ifndef HOTSHARD_ENGINE_WATCH_INSIDE_H
#define HOTSHARD_ENGINE_WATCH_INSIDE_H

#include "engine/state.h"

struct beat_row {
    int64_t since_us;    /* silence is counted from here: the last beat, or the watch's beginning */
    int64_t due_us;      /* declared then, if nothing comes */
    int64_t declared_us; /* -1 */
    uint64_t beats, late;
    uint32_t kept; /* times so far, of this life; the last BEATS_KEPT are in the ring */
    int64_t time_us[BEATS_KEPT];
};

WORLD_PART(beats, struct beat_row)

enum watch_timer { /* carries.value: the turn times 2, and this */
    TIMER_BEAT,    /* of a node */
    TIMER_DUE      /* the directory's, about a node */
};

struct gaps { /* of heartbeats */
    int64_t mean_us, spread_us;
};
struct gaps beat_gaps(const struct world *w, const struct beat_row *row);

/* Hundredths of phi after so much silence; the silence after which phi is so much. */
uint32_t phi_after(struct gaps gaps, int64_t silence_us);
int64_t phi_silence(struct gaps gaps, uint32_t phi);

#endif
