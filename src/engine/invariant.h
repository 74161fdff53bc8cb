/*
 * invariant: what must be true after every event while the rules are on.
 */
#ifndef HOTSHARD_ENGINE_INVARIANT_H
#define HOTSHARD_ENGINE_INVARIANT_H

#include "engine/world.h"

/* False, with the invariant's name and the place in err:
 * one-owner        at most one shard's table lets it accept writes for any slot
 * plan-owner       that shard is the directory's owner, at its epoch
 * nothing-lost     every acknowledged like is with the slot's owner
 * conservation     and the likes there are exactly those that were applied for somebody, each once:
 *                  acknowledged, on their way back, or their client was told that they failed
 * epochs-rise      no router's map is newer than the directory's, and no row's epoch falls
 * read-all-acked   a plain read, or one coalesced by key, returns all that was acknowledged before
 *                  it was asked; a plain one no less than a read that ended before, too
 * read-only-likes  and nothing that nobody liked
 * moved-teaches    MOVED names a newer epoch than was asked with: one redirect at most for each
 *                  change of the slot, and one for what the router had missed
 * after-write      what a router asked for before it saw a write completed goes to nobody who asks
 *                  after that: no entry that is kept, no query that is under way
 * one-fetch        a router that keeps a key's answer fetches it once at a time
 * bounded-age      an answer from a cache is no older than promised
 *
 * And those of moves.h, shifts.h, writes.h and accounts.h. Cheap enough for every event. */
bool invariant_hold(const struct world *w, struct err *err);

#endif
