/*
 * sim_extra: modules that some seeds have, each one in so many of them.
 *
 * SIM_ONLY=txns: every seed has this one and no other.
 */
#include "sim_ops.h"

#include <stdlib.h>
#include <string.h>

#define EXTRA_OF 4 /* a seed has an extra with one chance in so many */
#define ACT_OF 2   /* and acts by it beside so many other actions */

static const struct sim_extra *const extras[] = {
    &sim_extra_txns,  &sim_extra_queries, &sim_extra_copies, &sim_extra_quorums,
    &sim_extra_watch, &sim_extra_indexes, &sim_extra_fleet,  &sim_extra_systems};
#define EXTRAS (sizeof extras / sizeof *extras)

_Static_assert(EXTRAS <= SIM_EXTRAS_MAX, "a bit for each");

const struct sim_extra *sim_extra(uint32_t index)
{
    return index < EXTRAS ? extras[index] : NULL;
}

static bool has(const struct sim *s, uint32_t extra)
{
    return (s->extras >> extra & 1) != 0;
}

void sim_extras_draw(struct sim *s)
{
    const char *only = getenv("SIM_ONLY");
    for (uint32_t i = 0; i < EXTRAS; i++) {
        s->extra = i;
        s->more[i] = prng_seeded(s->seed, extras[i]->name);
        bool drawn = prng_chance(&s->more[i], 1, EXTRA_OF);
        bool wanted = only != NULL && strcmp(only, extras[i]->name) == 0;
        if (only == NULL ? drawn : wanted) {
            s->extras |= 1u << i;
            extras[i]->draw(s);
        }
    }
}

void sim_extras_act(struct sim *s)
{
    for (uint32_t i = 0; i < EXTRAS; i++) {
        s->extra = i;
        if (has(s, i) && more_below(s, ACT_OF) == 0) {
            s->saw.extra[i] |= extras[i]->act(s);
        }
    }
}

void sim_extras_calm(struct sim *s)
{
    for (uint32_t i = 0; i < EXTRAS; i++) {
        if (has(s, i) && extras[i]->calm != NULL) {
            extras[i]->calm(s);
        }
    }
}

bool sim_extras_rest(struct sim *s)
{
    for (uint32_t i = 0; i < EXTRAS; i++) {
        if (has(s, i) && extras[i]->rests != NULL && !extras[i]->rests(s)) {
            return false;
        }
    }
    return true;
}
