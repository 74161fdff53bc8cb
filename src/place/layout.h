/*
 * layout: who owns a key, by any scheme, behind one interface.
 *
 * A layout is one instance of a scheme over a set of shards. A key is hashed once (layout_hash) and
 * the scheme answers from the hash; schemes that need the key's bytes (directory) use layout_owner.
 * Shard ids are small integers chosen by the caller; the order in which they were added is kept.
 * Each scheme is a constant table of functions in a file of its own (mod_n.c, slots.c, directory.c;
 * ring, jump, rendezvous ... join the same way). A layout owns its memory: layout_free.
 */
#ifndef HOTSHARD_PLACE_LAYOUT_H
#define HOTSHARD_PLACE_LAYOUT_H

#include "base/err.h"
#include "place/hash.h"
#include "place/key.h"

#define LAYOUT_SHARDS_MAX 65535u
#define LAYOUT_SLOTS_MAX (1u << 24)

enum slots_deal {
    SLOTS_DEAL_ROUND_ROBIN, /* slot s starts on shard s mod n (document 003's rule) */
    SLOTS_DEAL_RANGES /* contiguous ranges; range i starts at i*slots/n, rounded (redis-cli) */
};

struct layout_params {
    enum hash_id hash;
    bool tags;      /* hash the tag instead of the whole key */
    uint32_t slots; /* slots: how many, 1 to LAYOUT_SLOTS_MAX */
    enum slots_deal deal;
    uint32_t tokens; /* ring: per shard */
};

struct layout;

/* What a scheme is: its name on the command line, one line about it, its source, its functions. */
struct scheme {
    const char *name;  /* "mod-n" */
    const char *about; /* one line */
    const char *source;
    enum hash_id default_hash;
    void *(*make)(const struct layout_params *params, uint32_t shards);
    void *(*copy)(const void *state);
    void (*destroy)(void *state);
    /* Position in the layout's list of shards, from the hash. */
    uint32_t (*owner)(const void *state, uint64_t hash);
    void (*add)(void *state);                    /* a shard at the end of the list */
    void (*remove)(void *state, uint32_t index); /* later ones move down by one */
    size_t (*memory)(const void *state);         /* bytes that a router would hold */
};

extern const struct scheme scheme_mod_n;
extern const struct scheme scheme_slots;
extern const struct scheme scheme_directory;

const struct scheme *scheme_at(size_t index); /* NULL beyond the last */
const struct scheme *scheme_by_name(const char *name);

struct layout_params layout_defaults(const struct scheme *scheme);
/* Shards get ids 0..shards-1. Errors: shards outside 1..LAYOUT_SHARDS_MAX, slots outside its range,
 * more shards than slots. */
struct layout *layout_new(const struct scheme *scheme, const struct layout_params *params,
                          uint32_t shards, struct err *err);
struct layout *layout_copy(const struct layout *layout);
void layout_free(struct layout *layout);

const struct scheme *layout_scheme(const struct layout *layout);
uint32_t layout_shards(const struct layout *layout);
uint32_t layout_shard_id(const struct layout *layout, uint32_t index);
uint64_t layout_hash(const struct layout *layout, struct bytes key);
uint32_t layout_owner_of_hash(const struct layout *layout, uint64_t hash); /* a shard id */
uint32_t layout_owner(const struct layout *layout, struct bytes key);
bool layout_add(struct layout *layout, struct err *err);                 /* new id: highest + 1 */
bool layout_remove(struct layout *layout, uint32_t id, struct err *err); /* not the last one */
size_t layout_memory(const struct layout *layout);

/* slots only: the owner's id of one slot. */
uint32_t layout_slot_count(const struct layout *layout); /* 0 when the scheme has none */
uint32_t layout_slot_owner(const struct layout *layout, uint32_t slot);
/* directory only: puts one key, or all keys that have no row of their own, on a shard (at first the
 * first one). With tags a row stands for every key of that tag. layout_owner compares bytes;
 * layout_owner_of_hash takes the first row of that hash, so layout_new refuses hashes under 64 bits
 * here. The rows of a shard that leaves are dropped, so that its keys fall to the default; when the
 * default leaves, the first shard that remains takes its place. */
bool layout_directory_put(struct layout *layout, struct bytes key, uint32_t id, struct err *err);
bool layout_directory_default(struct layout *layout, uint32_t id, struct err *err);

#endif
