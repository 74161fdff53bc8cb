/*
 * alloc: allocation that cannot fail. Out of memory ends the program through CHECK, with the size.
 * Sizes are checked for overflow; size 0 is a mistake of ours. Everything is freed with free().
 */
#ifndef HOTSHARD_BASE_ALLOC_H
#define HOTSHARD_BASE_ALLOC_H

#include <stddef.h>

void *xcalloc(size_t count, size_t size); /* zeroed */
void *xmalloc(size_t size);
void *xrealloc(void *old, size_t count, size_t size);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t length);

#endif
