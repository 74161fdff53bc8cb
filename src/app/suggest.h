/*
 * suggest: the nearest of a list of names to a misspelt one.
 */
#ifndef HOTSHARD_APP_SUGGEST_H
#define HOTSHARD_APP_SUGGEST_H

#include <stddef.h>

/* Edits (insert, delete, replace, swap of neighbours) that make one of the other; texts beyond 63
 * bytes count as infinitely far. */
size_t suggest_distance(const char *a, const char *b);
/* NULL when nothing is near enough to be meant. */
const char *suggest_nearest(const char *name, const char *const *names, size_t count);

#endif
