/*
 * keyset: a list of keys that layouts are tried on, each with a load.
 *
 * Keys are kept byte for byte in the order they came; a load is a number of requests (or of
 * anything that is to be balanced), 1 for a plain list of keys. Whoever adds the same key twice
 * has it twice. What schemes need of all keys is worked out once, at the first call, and kept:
 * their hashes (8 bytes a key and hash), and their order by bytes (4 bytes a key).
 *
 * The keyset owns everything it hands out; pointers hold until the next keyset_add or
 * keyset_free. keyset_add fails (false, with err) beyond KEYSET_KEYS_MAX keys.
 */
#ifndef HOTSHARD_PLACE_KEYSET_H
#define HOTSHARD_PLACE_KEYSET_H

#include "base/err.h"
#include "place/hash.h"

#define KEYSET_KEYS_MAX ((size_t)100000000)

struct keyset;

struct keyset *keyset_new(void);
void keyset_free(struct keyset *keys); /* NULL is fine */
bool keyset_add(struct keyset *keys, struct bytes key, uint64_t load, struct err *err);
/* k0, k1, ... each with load 1, as in the documents' experiments. */
struct keyset *keyset_synthetic(size_t count);

size_t keyset_count(const struct keyset *keys);
struct bytes keyset_key(const struct keyset *keys, size_t index);
uint64_t keyset_load(const struct keyset *keys, size_t index);
void keyset_set_load(struct keyset *keys, size_t index, uint64_t load);
const uint64_t *keyset_loads(const struct keyset *keys);
/* hash_of each key, or of its tag. */
const uint64_t *keyset_hashes(struct keyset *keys, enum hash_id hash, bool tags);
/* Indices, ascending by bytes (shorter first where one begins like the other); equals by index. */
const uint32_t *keyset_order(struct keyset *keys);

#endif
