/*
 * check_replay_flip: what planning a move's schedule and comparing the world with it share.
 */
#ifndef HOTSHARD_APP_CHECK_REPLAY_FLIP_H
#define HOTSHARD_APP_CHECK_REPLAY_FLIP_H

#include "app/check/check_replay_inside.h"
#include "check/fence_and_flip.h"

#define REPLAY_KEY "likes:{p9}"
#define REPLAY_SLOT 12067u
#define REPLAY_SOURCE_SHARD 0 /* A */
#define REPLAY_TARGET 1       /* B */

/* A step, from 1. */
static inline struct flip_action replay_flip_action(const struct replay *r, uint32_t step)
{
    return flip_action_of(r->result->action[step - 1]);
}

/* See replay_way.differs. */
const char *replay_flip_differs(const struct replay *r, const void *state, uint32_t step);

#endif
