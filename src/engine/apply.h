/*
 * apply: commands change a world in apply.c and apply_move.c, and nowhere else.
 *
 * Each command is checked whole before anything changes; a check that fails says what this world
 * allows.
 */
#ifndef HOTSHARD_ENGINE_APPLY_H
#define HOTSHARD_ENGINE_APPLY_H

#include "engine/state.h"

bool apply_move(struct world *w, const struct command *c, struct err *err);
bool apply_freeze(struct world *w, const struct command *c, struct err *err);

bool apply_shard_exists(const struct world *w, uint16_t shard, struct err *err);
bool apply_slots_exist(const struct world *w, const struct command *c, struct err *err);
/* Names of queries, catalogs, stores and groups: letters, digits, '-' and '_', at most `most`. */
bool apply_name_fits(struct bytes name, const char *whose, size_t most, struct err *err);
bool apply_event_room(const struct world *w, uint32_t wanted, struct err *err);

/* What the operator did, for the trace: operands are the command's kind, a and b. */
void apply_note(struct world *w, const struct command *c, uint32_t key, struct node to, int64_t a,
                int64_t b);

#endif
