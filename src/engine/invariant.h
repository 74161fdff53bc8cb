/*
 * invariant: what must be true after every event while the rules are on.
 */
#ifndef HOTSHARD_ENGINE_INVARIANT_H
#define HOTSHARD_ENGINE_INVARIANT_H

#include "engine/world.h"

/* False, with the invariant's name and the place in err:
 * one-owner      at most one shard's table says "owned" for any slot
 * plan-owner     that shard is the directory's owner, at its epoch (or the slot is migrating there)
 * nothing-lost   every acknowledged like is in the owner's store
 * epochs-rise    no router's map is newer than the directory's
 * conservation   the likes in an owner's store are exactly those acknowledged, or in flight back */
bool invariant_hold(const struct world *w, struct err *err);

#endif
