/*
 * keys_read: a person's keys, or made-up ones, as a keyset.
 *
 * Any bytes but newline, one key a line; an empty line is the empty key, a repeated key counts each
 * time. All of them stay in memory, KEYSET_KEYS_MAX at most: their bytes, 16 bytes more a key, and
 * 8 for each hash that a scheme asks for later. While a terminal watches standard error, a progress
 * line is drawn there and wiped at the end.
 */
#ifndef HOTSHARD_APP_KEYS_READ_H
#define HOTSHARD_APP_KEYS_READ_H

#include "place/keyset.h"

#define KEYS_LINE_MAX ((size_t)1 << 20)

/* Adds the keys of a file to an empty set; `path` "-" is standard input. An empty file is an error.
 * Counts the keys whose last byte is a carriage return. */
bool keys_read_file(struct keyset *keys, const char *path, size_t *ending_in_return,
                    struct err *err);
/* Adds k0, k1, k2 ... */
bool keys_read_synthetic(struct keyset *keys, uint64_t count, struct err *err);

#endif
