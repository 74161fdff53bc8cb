/*
 * size_inside: what the files of the calculators share. Only src/tools/size*.c include it.
 */
#ifndef HOTSHARD_TOOLS_SIZE_INSIDE_H
#define HOTSHARD_TOOLS_SIZE_INSIDE_H

#include "tools/size.h"

#define SIZE_MUCH 1e12 /* of anything that is counted: whole numbers of this size are exact */

extern const struct size_tool size_shards, size_routers, size_storage, size_throughput;
extern const struct size_tool size_hotspot, size_salt, size_coalesce, size_tail;
extern const struct size_tool size_crosszone, size_quorum, size_move, size_tokens;
extern const struct size_tool size_buffer;
extern const struct size_tool size_resize, size_shardkey, size_ids, size_average;
extern const struct size_tool size_units, size_drives;
extern const struct size_tool size_vectors, size_skew, size_cardinality;
extern const struct size_tool size_capacity;

/* part/whole up or down to a whole number; what a division misses by rounding does not count. */
double size_ceil(double part, double whole);
double size_floor(double part, double whole);
/* 1/1^s + 1/2^s + ... + 1/n^s, for any n at the same small cost. */
double size_harmonic(double n, double s);

#endif
