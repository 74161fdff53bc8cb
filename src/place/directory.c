/*
 * directory: one row a key, and a default shard for keys without a row.
 *
 * Rows hold the key's hashed part (its tag when tags count) byte for byte, found through an open
 * table by hash. Asked with the hash alone, the first row of that hash answers, which is why
 * layouts give this scheme only 64-bit hashes; asked with the bytes, the answer is exact. A shard
 * that leaves gives its rows back to the default; when it was the default itself, the first shard
 * that remains takes its place. A new shard starts with nothing.
 */
#include "base/alloc.h"
#include "base/check.h"
#include "place/inside.h"
#include <stdlib.h>
#include <string.h>

#define EMPTY UINT32_MAX

struct row {
    uint64_t hash;
    size_t at; /* of its bytes in `parts` */
    size_t length;
    uint32_t index;
};

struct directory {
    uint32_t shards;
    uint32_t fallback;
    struct row *rows; /* in the order they were put */
    uint32_t count;
    uint32_t room;
    uint32_t *table; /* row numbers or EMPTY; table_size is a power of two, at most half full */
    uint32_t table_size;
    struct str parts;
};

static void *directory_make(const struct layout_params *params, const struct shard_spec *shard,
                            uint32_t shards)
{
    (void)params;
    (void)shard;
    struct directory *self = xcalloc(1, sizeof *self);
    self->shards = shards;
    return self;
}

static void *directory_copy(const void *state)
{
    const struct directory *from = state;
    struct directory *copy = xcalloc(1, sizeof *copy);
    *copy = *from;
    copy->parts = STR_EMPTY;
    str_addn(&copy->parts, str_text(&from->parts), from->parts.length);
    if (from->room > 0) {
        copy->rows = xcalloc(from->room, sizeof *copy->rows);
        memcpy(copy->rows, from->rows, from->count * sizeof *copy->rows);
        copy->table = xcalloc(from->table_size, sizeof *copy->table);
        memcpy(copy->table, from->table, from->table_size * sizeof *copy->table);
    }
    return copy;
}

static void directory_destroy(void *state)
{
    struct directory *self = state;
    free(self->rows);
    free(self->table);
    str_free(&self->parts);
    free(self);
}

/* Where the walk for a hash starts: high bits too, since FNV's low bits are its weakest. */
static uint32_t first_place(const struct directory *self, uint64_t hash)
{
    return (uint32_t)(hash ^ hash >> 32) & (self->table_size - 1);
}

static bool row_matches(const struct directory *self, const struct row *row, struct bytes part)
{
    struct bytes own = {.at = str_text(&self->parts) + row->at, .length = row->length};
    return bytes_equal(own, part);
}

/* The row of this hash, and of these bytes unless part is NULL; EMPTY when there is none. */
static uint32_t find_row(const struct directory *self, uint64_t hash, const struct bytes *part)
{
    if (self->count == 0) {
        return EMPTY;
    }
    uint32_t place = first_place(self, hash);
    while (self->table[place] != EMPTY) {
        uint32_t number = self->table[place];
        const struct row *row = &self->rows[number];
        if (row->hash == hash && (part == NULL || row_matches(self, row, *part))) {
            return number;
        }
        place = (place + 1) & (self->table_size - 1);
    }
    return EMPTY;
}

static void enter(struct directory *self, uint32_t number)
{
    uint32_t place = first_place(self, self->rows[number].hash);
    while (self->table[place] != EMPTY) {
        place = (place + 1) & (self->table_size - 1);
    }
    self->table[place] = number;
}

static void grow(struct directory *self)
{
    CHECK(self->room < UINT32_MAX / 8);
    self->room = self->room == 0 ? 16 : self->room * 2;
    self->table_size = self->room * 2;
    self->rows = xrealloc(self->rows, self->room, sizeof *self->rows);
    self->table = xrealloc(self->table, self->table_size, sizeof *self->table);
    memset(self->table, 0xFF, self->table_size * sizeof *self->table);
    for (uint32_t number = 0; number < self->count; number++) {
        enter(self, number);
    }
}

void directory_put(void *state, uint64_t hash, struct bytes part, uint32_t index)
{
    struct directory *self = state;
    CHECK(index < self->shards);
    uint32_t number = find_row(self, hash, &part);
    if (number != EMPTY) {
        self->rows[number].index = index;
        return;
    }
    if (self->count == self->room) {
        grow(self);
    }
    self->rows[self->count] =
        (struct row){.hash = hash, .at = self->parts.length, .length = part.length, .index = index};
    str_addn(&self->parts, part.at, part.length);
    enter(self, self->count);
    self->count++;
}

void directory_set_default(void *state, uint32_t index)
{
    struct directory *self = state;
    CHECK(index < self->shards);
    self->fallback = index;
}

static uint32_t directory_owner_of_key(const void *state, struct bytes part, uint64_t hash)
{
    const struct directory *self = state;
    uint32_t number = find_row(self, hash, &part);
    return number == EMPTY ? self->fallback : self->rows[number].index;
}

static uint32_t directory_owner_of_hash(const void *state, uint64_t hash)
{
    const struct directory *self = state;
    uint32_t number = find_row(self, hash, NULL);
    return number == EMPTY ? self->fallback : self->rows[number].index;
}

static void directory_add(void *state, const struct shard_spec *shard)
{
    (void)shard;
    struct directory *self = state;
    self->shards++;
}

static void directory_remove(void *state, uint32_t index)
{
    struct directory *self = state;
    CHECK(index < self->shards && self->shards > 1);
    self->shards--;
    if (self->fallback == index) {
        self->fallback = 0;
    } else if (self->fallback > index) {
        self->fallback--;
    }

    /* Rows that fall back are dropped, so that they follow the default when it changes. */
    uint32_t kept = 0;
    for (uint32_t number = 0; number < self->count; number++) {
        struct row row = self->rows[number];
        if (row.index == index) {
            continue;
        }
        row.index -= row.index > index;
        self->rows[kept++] = row;
    }
    if (kept == self->count) {
        return;
    }
    self->count = kept;
    memset(self->table, 0xFF, self->table_size * sizeof *self->table);
    for (uint32_t number = 0; number < kept; number++) {
        enter(self, number);
    }
}

static size_t directory_memory(const void *state)
{
    const struct directory *self = state;
    size_t bytes = sizeof self->fallback + self->table_size * sizeof *self->table;
    for (uint32_t number = 0; number < self->count; number++) {
        bytes += sizeof *self->rows + self->rows[number].length;
    }
    return bytes;
}

static bool directory_check(const struct layout_params *params, const struct shard_spec *shard,
                            uint32_t shards, struct err *err)
{
    (void)shard;
    (void)shards;
    if (hash_bits(params->hash) < 64) {
        return err_set(err, "directory: rows are found by 64 bits, not by %s; use %s",
                       hash_name(params->hash), hash_name(HASH_MIX64));
    }
    return true;
}

const struct scheme scheme_directory = {
    .name = "directory",
    .about = "a table with one row a key, and a default shard for the rest",
    .cannot = "place a key without somebody deciding, and the table grows with the keys",
    .source = "directories of tenants, as in Vitess or Slack",
    .traits = SCHEME_BY_KEY | SCHEME_BY_HAND,
    .default_hash = HASH_MIX64,
    .make = directory_make,
    .copy = directory_copy,
    .destroy = directory_destroy,
    .owner = directory_owner_of_hash,
    .add = directory_add,
    .remove = directory_remove,
    .memory = directory_memory,
    .check = directory_check,
    .owner_of_key = directory_owner_of_key,
};
