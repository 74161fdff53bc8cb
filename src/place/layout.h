/*
 * layout: who owns a key, by any scheme, behind one interface.
 *
 * A layout is one instance of a scheme over a list of shards. A key is hashed once (layout_hash)
 * and the scheme answers from the hash; where the bytes of a key decide (directory, range),
 * layout_owner and layout_owners answer. Where the answer hangs on what came before
 * (bounded-load), layout_owners places all keys in their order, and layout_owner tells the shard of
 * a key that comes alone.
 *
 * A shard has an id, a small integer: those of layout_new are 0 to shards-1, one that joins is the
 * highest plus one. It also has a weight, LAYOUT_WEIGHT_USUAL unless changed. Ids ascend along the
 * list, so the lowest of equals is the first.
 *
 * Each scheme is a constant table of functions in a file of its own. A layout owns its memory:
 * layout_free.
 */
#ifndef HOTSHARD_PLACE_LAYOUT_H
#define HOTSHARD_PLACE_LAYOUT_H

#include "base/err.h"
#include "place/hash.h"
#include "place/key.h"
#include "place/keyset.h"

#define LAYOUT_SHARDS_MAX 65535u
#define LAYOUT_SLOTS_MAX (1u << 24)
#define LAYOUT_TOKENS_MAX 65536u     /* a shard of usual weight */
#define LAYOUT_POINTS_MAX (1u << 24) /* on a whole ring */
#define LAYOUT_TABLE_MAX 16777259u   /* Maglev's entries; a prime */
#define LAYOUT_WEIGHT_USUAL 100u
#define LAYOUT_WEIGHT_MAX 10000u

enum slots_deal {
    SLOTS_DEAL_ROUND_ROBIN, /* slot s starts on shard s mod n (document 003's rule) */
    SLOTS_DEAL_RANGES /* contiguous ranges; range i starts at i*slots/n, rounded (redis-cli) */
};

/* Where the tokens of a ring come from. */
enum token_rule {
    TOKENS_HASHED, /* token j of shard s is mix64(node(s) ^ j), node(s) = mix64(0x4E4F4445 + s) */
    TOKENS_SEEDED, /* mix64(seed << 40 | s << 20 | j): one random layout for each seed */
    TOKENS_CHOSEN  /* each where it takes most from whoever has most (ring.h) */
};

enum split_rule {
    SPLIT_BY_SIZE, /* the range with the most keys, at its middle key */
    SPLIT_BY_LOAD, /* the range with the most load, where the load of both halves is nearest */
    SPLIT_HOTTEST  /* the range with the most load, at its middle key */
};

struct layout_params {
    enum hash_id hash;
    bool tags;      /* hash the tag instead of the whole key */
    uint32_t slots; /* slots: how many, 1 to LAYOUT_SLOTS_MAX */
    enum slots_deal deal;
    uint32_t
        tokens; /* ring, bounded-load, cassandra: of a shard of usual weight, 1 to the maximum */
    enum token_rule token_rule;
    uint64_t seed;         /* of TOKENS_SEEDED */
    uint32_t table;        /* maglev: entries, a prime up to LAYOUT_TABLE_MAX */
    uint32_t factor_pct;   /* bounded-load: cap over the average, above 100 */
    enum split_rule split; /* range */
};

/* What a scheme can do and promises. */
enum scheme_trait {
    SCHEME_WEIGHTS = 1,          /* shares follow weights */
    SCHEME_ADD_MOVES_TO_NEW = 2, /* a shard that joins: keys move only to it */
    SCHEME_REMOVE_MOVES_OWN = 4, /* a shard that leaves: only its keys move */
    SCHEME_BY_KEY = 8,           /* bytes decide, not a hash */
    SCHEME_BY_HISTORY = 16,      /* what came before decides too */
    SCHEME_BY_HAND = 32          /* people decide what moves: no rule to plan by */
};

struct shard_spec {
    uint32_t id;
    uint32_t weight; /* 1 to LAYOUT_WEIGHT_MAX */
};

struct layout;

/* What a scheme is: its name on the command line, one line about it, its source, its functions.
 * `index` is a position in the layout's list of shards. */
struct scheme {
    const char *name;   /* "mod-n" */
    const char *about;  /* one line: how it finds the owner */
    const char *cannot; /* one line: what it cannot do, or what that costs */
    const char *source;
    unsigned traits;
    enum hash_id default_hash;
    void *(*make)(const struct layout_params *params, const struct shard_spec *shard,
                  uint32_t shards);
    void *(*copy)(const void *state);
    void (*destroy)(void *state);
    uint32_t (*owner)(const void *state, uint64_t hash);
    void (*add)(void *state, const struct shard_spec *shard); /* at the end of the list */
    void (*remove)(void *state, uint32_t index);              /* later ones move down by one */
    size_t (*memory)(const void *state);                      /* bytes that a router would hold */
    /* NULL where it does not apply: */
    bool (*check)(const struct layout_params *params, const struct shard_spec *shard,
                  uint32_t shards, struct err *err); /* before make, and before add or weigh */
    void (*weigh)(void *state, uint32_t index, uint32_t weight);
    void (*owners)(const void *state, const uint64_t *hash, size_t count, uint32_t *owner);
    uint32_t (*owner_of_key)(const void *state, struct bytes part, uint64_t hash);
    void (*observe)(void *state, struct keyset *keys);
};

extern const struct scheme scheme_mod_n;
extern const struct scheme scheme_slots;
extern const struct scheme scheme_directory;
extern const struct scheme scheme_kafka;

const struct scheme *scheme_at(size_t index); /* NULL beyond the last */
const struct scheme *scheme_by_name(const char *name);

struct layout_params layout_defaults(const struct scheme *scheme);
/* Shards get ids 0..shards-1. Errors: shards outside 1..LAYOUT_SHARDS_MAX, and what the scheme
 * refuses: slots, tokens, table or factor outside their range, more shards than slots. */
struct layout *layout_new(const struct scheme *scheme, const struct layout_params *params,
                          uint32_t shards, struct err *err);
struct layout *layout_copy(const struct layout *layout);
void layout_free(struct layout *layout); /* NULL is fine */

const struct scheme *layout_scheme(const struct layout *layout);
const struct layout_params *layout_params_of(const struct layout *layout);
uint32_t layout_shards(const struct layout *layout);
uint32_t layout_shard_id(const struct layout *layout, uint32_t index);
uint32_t layout_weight(const struct layout *layout, uint32_t index);
uint64_t layout_hash(const struct layout *layout, struct bytes key);
uint32_t layout_owner_of_hash(const struct layout *layout, uint64_t hash); /* a shard id */
uint32_t layout_owner(const struct layout *layout, struct bytes key);      /* a shard id */
/* Positions, not ids: one a key. */
void layout_owners(const struct layout *layout, struct keyset *keys, uint32_t *owner);
void layout_owners_of_hashes(const struct layout *layout, const uint64_t *hash, size_t count,
                             uint32_t *owner);
bool layout_add(struct layout *layout, struct err *err);                 /* new id: highest + 1 */
bool layout_remove(struct layout *layout, uint32_t id, struct err *err); /* not the last one */
bool layout_weigh(struct layout *layout, uint32_t id, uint32_t weight, struct err *err);
/* Keys and loads by which a range is split from now on (and, in a layout that was not split yet,
 * dealt out evenly at once). Borrowed: they must outlive the layout and its copies. Other schemes
 * take no notice. */
void layout_observe(struct layout *layout, struct keyset *keys);
size_t layout_memory(const struct layout *layout);

/* slots only: the owner's id of one slot. */
uint32_t layout_slot_count(const struct layout *layout); /* 0 when the scheme has none */
uint32_t layout_slot_owner(const struct layout *layout, uint32_t slot);
bool layout_slot_give(struct layout *layout, uint32_t first, uint32_t last, uint32_t id,
                      struct err *err); /* these slots to that shard */
/* directory only: puts one key, or all keys that have no row of their own, on a shard (at first the
 * first one). With tags a row stands for every key of that tag. layout_owner compares bytes;
 * layout_owner_of_hash takes the first row of that hash, so layout_new refuses hashes under 64 bits
 * here. The rows of a shard that leaves are dropped, so that its keys fall to the default; when the
 * default leaves, the first shard that remains takes its place. */
bool layout_directory_put(struct layout *layout, struct bytes key, uint32_t id, struct err *err);
bool layout_directory_default(struct layout *layout, uint32_t id, struct err *err);

#endif
