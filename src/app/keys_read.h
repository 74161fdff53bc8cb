/*
 * keys_read: a person's keys, hashed as they stream by.
 *
 * Any bytes but newline, one key a line; an empty line is the empty key, a repeated key counts each
 * time. Of each key only its hashes stay: 8 bytes for each hasher. While a terminal watches
 * standard error, a progress line is drawn there and wiped at the end.
 */
#ifndef HOTSHARD_APP_KEYS_READ_H
#define HOTSHARD_APP_KEYS_READ_H

#include "place/layout.h"

#define KEYS_HASHERS_MAX 8
#define KEYS_LINE_MAX ((size_t)1 << 20)
/* Two hashes of so many keys, crc16 and another, take 1.6 GB. */
#define KEYS_MAX ((size_t)100000000)

struct key_hashes {
    const struct layout *hasher[KEYS_HASHERS_MAX]; /* borrowed; layout_hash of each is kept */
    size_t hashers;
    uint64_t *hash[KEYS_HASHERS_MAX];
    size_t count, room;
    size_t ending_in_return; /* keys whose last byte is a carriage return */
};

/* `path` "-" is standard input. An empty file is an error. */
bool keys_read_file(struct key_hashes *keys, const char *path, struct err *err);
/* k0, k1, k2 ... */
void keys_read_synthetic(struct key_hashes *keys, uint64_t count);
void keys_add(struct key_hashes *keys, struct bytes key);
void keys_free(struct key_hashes *keys);

#endif
