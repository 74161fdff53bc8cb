/*
 * rendezvous: each shard draws a number for each key, and the highest wins.
 *
 * The number is mix64(hash ^ node), node(s) = mix64(0x4E4F4445 + s). With unequal weights it
 * becomes -weight / ln((number + 0.5) / 2^64), which gives shares in proportion to the weights;
 * multiplying by the weight would not. Ties go to the lowest id. The logarithm is our own, in
 * whole numbers, so that every machine finds the same owner.
 *
 * Sources: Thaler and Ravishankar (1996); the logarithmic method of Schindelhauer and Schomaker
 * (2005).
 */
#ifndef HOTSHARD_PLACE_RENDEZVOUS_H
#define HOTSHARD_PLACE_RENDEZVOUS_H

#include "place/layout.h"

extern const struct scheme scheme_rendezvous;

/* What a shard drew for a hash, as a part of 1, for display: the owner's is the highest. With
 * unequal weights, the drawn part to the power of 100 / weight, which ranks them the same way. 0 of
 * other schemes. */
double layout_rendezvous_score(const struct layout *layout, uint64_t hash, uint32_t index);

/* The weighted rule over given draws (at least one): the position that wins. */
size_t rendezvous_weighted(const uint64_t *draw, const uint32_t *weight, size_t count);
/* The rule of nodes with names, as in clandestined: the highest MurmurHash3-32 of "name-key", the
 * later name in the order of bytes on a tie. */
size_t rendezvous_named(const char *const *name, size_t count, struct bytes key);

#endif
