/*
 * directory: the plan (owner and epoch of each slot, map version), and what routers remember of it.
 *
 * A router's cached map is a version number: the plan with all later changes taken back. The
 * changes that some router still needs are kept in a ring, oldest first.
 */
#ifndef HOTSHARD_ENGINE_DIRECTORY_H
#define HOTSHARD_ENGINE_DIRECTORY_H

#include "engine/state.h"

struct plan {
    uint16_t owner;
    uint32_t epoch;
};

struct plan directory_at_version(const struct world *w, uint32_t version, uint32_t slot);

static inline struct plan directory_lookup(const struct world *w, uint32_t version, uint32_t slot)
{
    if (version == w->map_version) {
        return (struct plan){.owner = owners_in(w)[slot], .epoch = epochs_in(w)[slot]};
    }
    return directory_at_version(w, version, slot);
}

/* The run of slots from `first` to at most `last` with the owner and epoch of `first`; its end. */
uint32_t directory_run_end(const struct world *w, uint32_t first, uint32_t last);
/* How many changes more can be remembered, those forgotten that every router knows. */
uint32_t directory_change_room(const struct world *w);
/* Begins the next version of the map (forgetting those). */
void directory_next_version(struct world *w);
/* Gives a run of one owner and epoch to `to`, one epoch up, in the version that was begun. */
void directory_change(struct world *w, uint32_t first, uint32_t last, uint16_t to);
/* Tells every router that is not deaf about the version in force. */
void directory_push(struct world *w);
/* EVENT_FETCH: answers with the map. */
void directory_handle(struct world *w, const struct event *event);

#endif
