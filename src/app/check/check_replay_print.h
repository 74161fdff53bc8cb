/*
 * check_replay_print: what came of playing a failing way in a world, for people and for scripts.
 */
#ifndef HOTSHARD_APP_CHECK_REPLAY_PRINT_H
#define HOTSHARD_APP_CHECK_REPLAY_PRINT_H

#include "app/check/check_replay.h"
#include "app/cmd/json.h"

/* The same steps twice: without the rules that were left out, and with every rule. */
struct replay_pair {
    struct replayed less, full;
    struct check_parting part; /* from the full protocol */
};

/* Whether the world comes to the model's verdict: its promise is broken; with every rule it stops
 * at the last step of their parting, every request is answered, and nothing is lost. */
bool replay_same(const struct replay_pair *pair);

/* Before the steps; under a step, from 1; after them. */
void replay_print_before(const struct replay_pair *pair, const struct check_model *model);
void replay_print_step(const struct replay_pair *pair, uint32_t step);
void replay_print_after(const struct replay_pair *pair);
json_t *replay_json(const struct replay_pair *pair);

#endif
