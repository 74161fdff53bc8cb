/*
 * hot_inside: what the files of hot share. Only src/tools/hot*.c include it.
 */
#ifndef HOTSHARD_TOOLS_HOT_INSIDE_H
#define HOTSHARD_TOOLS_HOT_INSIDE_H

#include "tools/hot.h"
#include "tools/tally.h"
#include "tools/top.h"

/* A layout of each scheme that places by rule, and what its shards got so far. */
struct hot_loads {
    struct layout *layout[HOT_SCHEMES_MAX];
    uint64_t *amount[HOT_SCHEMES_MAX];
    size_t count;
    uint32_t shards;
    size_t slots; /* which of them is the scheme slots */
};

bool loads_start(struct hot_loads *loads, uint32_t shards, struct err *err);
void loads_free(struct hot_loads *loads);
/* Adds the keys' loads to their shards, by the schemes that place each key for itself. */
void loads_add(struct hot_loads *loads, const struct keyset *keys);
/* The same by the others, for which these must be all the keys. */
void loads_add_whole(struct hot_loads *loads, struct keyset *keys);
/* A row a scheme; whole: that loads_add_whole was called. Amounts are the loads' own. */
struct hot_load *loads_rows(const struct hot_loads *loads, bool whole);

void change_salt(const struct hot_loads *loads, const struct hot_key *key, struct hot_change *out);
void change_cache(const struct hot_loads *loads, const struct hot_key *key, size_t keys,
                  enum hot_cache how, struct hot_change *out);

#endif
