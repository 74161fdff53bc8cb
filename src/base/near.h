/*
 * near: the nearest of a list of names to a misspelt one.
 */
#ifndef HOTSHARD_BASE_NEAR_H
#define HOTSHARD_BASE_NEAR_H

#include <stddef.h>

/* Edits (insert, delete, replace, swap of neighbours) that make one of the other; texts beyond 63
 * bytes count as infinitely far. */
size_t near_distance(const char *a, const char *b);
/* The name that may be meant: few edits away, or with this beginning. NULL: none. */
const char *near_name(const char *name, const char *const *names, size_t count);

#endif
