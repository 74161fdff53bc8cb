/*
 * second: what is asked while a copy of the world plays, counted key by key (api_second.c).
 */
#ifndef HOTSHARD_LESSON_SECOND_H
#define HOTSHARD_LESSON_SECOND_H

#include "engine/guards/guards.h"
#include "lesson/api.h"

struct second {
    struct rates_stamp stamp;
    uint32_t keys; /* rooms below */
    uint32_t *writes, *reads;
    struct guard_load *load; /* by shard; behind them that of all */
    /* while it is counted */
    uint8_t *treated; /* of each key, bits of enum treated */
    uint8_t *sent;    /* a bit each request: counted when its client sent it */
    uint64_t first, room;
    uint64_t next; /* of the trace, to be read */
    uint32_t call; /* in which a heat map is being counted; 0: none */
};

/* Forgets what was counted, and what the trace of `w` holds so far. */
void second_begin(struct second *s, const struct world *w);
/* Plays to `until`, or some events beyond `most`; false when more happened at one moment than the
 * trace's window holds. */
bool second_play(struct second *s, struct world *w, int64_t until, uint64_t most);

#endif
