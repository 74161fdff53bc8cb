/*
 * kinesis: one list of ranges, ascending; each shard has exactly one.
 */
#include "place/kinesis.h"

#include "base/alloc.h"
#include "base/check.h"
#include "place/inside.h"
#include "place/md5.h"
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 wide; /* the compiler's own, for sums; tables hold struct u128 */

static wide wide_of(struct u128 number)
{
    return (wide)number.high << 64 | number.low;
}

static struct u128 u128_of(wide number)
{
    return (struct u128){.high = (uint64_t)(number >> 64), .low = (uint64_t)number};
}

int u128_order(struct u128 a, struct u128 b)
{
    wide left = wide_of(a);
    wide right = wide_of(b);
    return (left > right) - (left < right);
}

struct u128_text u128_decimal(struct u128 number)
{
    struct u128_text out;
    size_t at = sizeof out.text - 1;
    wide rest = wide_of(number);
    out.text[at] = '\0';
    do {
        out.text[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest > 0);
    memmove(out.text, out.text + at, sizeof out.text - at);
    return out;
}

bool u128_parse(const char *text, struct u128 *number, struct err *err)
{
    wide parsed = 0;
    bool fits = *text != '\0';
    for (const char *c = text; *c != '\0' && fits; c++) {
        unsigned digit = (unsigned)(unsigned char)*c - '0';
        fits = digit <= 9 && parsed <= (~(wide)0 - digit) / 10;
        parsed = parsed * 10 + digit;
    }
    if (!fits) {
        return err_set(err, "hash key: \"%s\" is no whole number from 0 to 2^128 - 1",
                       err_word(text, 60).text);
    }
    *number = u128_of(parsed);
    return true;
}

struct u128 kinesis_hash_key(struct bytes key)
{
    uint8_t digest[MD5_BYTES];
    struct u128 number = {0, 0};
    md5(key.at, key.length, digest);
    for (int i = 0; i < 8; i++) {
        number.high = number.high << 8 | digest[i];
        number.low = number.low << 8 | digest[8 + i];
    }
    return number;
}

void kinesis_deal(struct kinesis_range *range, uint32_t shards)
{
    CHECK(shards > 0);
    wide width = ~(wide)0 / shards;
    width += ~(wide)0 % shards == shards - 1; /* 2^128 / shards, not (2^128 - 1) / shards */
    for (uint32_t i = 0; i < shards; i++) {
        range[i] = (struct kinesis_range){.first = u128_of(width * i), .shard = i};
    }
}

size_t kinesis_find(const struct kinesis_range *range, size_t ranges, struct u128 hash_key)
{
    size_t low = 0; /* begins at or before the hash key */
    size_t high = ranges;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        bool before = u128_order(range[middle].first, hash_key) <= 0;
        low = before ? middle : low;
        high = before ? high : middle;
    }
    return low;
}

/* How many hash keys beyond its first one a range holds. */
static wide beyond_first(const struct kinesis_range *range, size_t ranges, size_t which)
{
    wide last = which + 1 < ranges ? wide_of(range[which + 1].first) - 1 : ~(wide)0;
    return last - wide_of(range[which].first);
}

bool kinesis_middle(const struct kinesis_range *range, size_t ranges, size_t which,
                    struct u128 *middle)
{
    CHECK(which < ranges);
    wide beyond = beyond_first(range, ranges, which);
    *middle = u128_of(wide_of(range[which].first) + beyond / 2 + 1);
    return beyond > 0;
}

struct kinesis {
    struct kinesis_range *range;
    uint32_t shards;
    bool md5;        /* the hash is the digest's first eight bytes, lowest first */
    unsigned bits;   /* of other hashes */
    bool cut_at;     /* the next shard cuts here, not in a middle */
    struct u128 cut; /* where */
};

static void *kinesis_make(const struct layout_params *params, const struct shard_spec *shard,
                          uint32_t shards)
{
    (void)shard;
    struct kinesis *self = xcalloc(1, sizeof *self);
    self->shards = shards;
    self->md5 = params->hash == HASH_MD5;
    self->bits = hash_bits(params->hash);
    self->range = xcalloc(shards, sizeof *self->range);
    kinesis_deal(self->range, shards);
    return self;
}

static void *kinesis_copy(const void *state)
{
    const struct kinesis *from = state;
    struct kinesis *copy = xcalloc(1, sizeof *copy);
    *copy = *from;
    copy->range = xcalloc(from->shards, sizeof *copy->range);
    memcpy(copy->range, from->range, from->shards * sizeof *copy->range);
    return copy;
}

static void kinesis_destroy(void *state)
{
    struct kinesis *self = state;
    free(self->range);
    free(self);
}

static uint32_t kinesis_owner(const void *state, uint64_t hash)
{
    const struct kinesis *self = state;
    uint64_t high = self->md5 ? __builtin_bswap64(hash) : hash << (64 - self->bits);
    struct u128 hash_key = {.high = high, .low = 0};
    return self->range[kinesis_find(self->range, self->shards, hash_key)].shard;
}

/* The lowest of the widest ranges. */
static size_t widest(const struct kinesis *self)
{
    size_t best = 0;
    for (size_t i = 1; i < self->shards; i++) {
        if (beyond_first(self->range, self->shards, i) >
            beyond_first(self->range, self->shards, best)) {
            best = i;
        }
    }
    return best;
}

static void kinesis_add(void *state, const struct shard_spec *shard)
{
    struct kinesis *self = state;
    struct u128 at = self->cut;
    (void)shard;
    if (!self->cut_at) { /* 65,535 shards leave no range of a single hash key */
        CHECK(kinesis_middle(self->range, self->shards, widest(self), &at));
    }
    size_t below = kinesis_find(self->range, self->shards, at);
    self->range = xrealloc(self->range, (size_t)self->shards + 1, sizeof *self->range);
    memmove(self->range + below + 2, self->range + below + 1,
            (self->shards - below - 1) * sizeof *self->range);
    self->range[below + 1] = (struct kinesis_range){.first = at, .shard = self->shards};
    self->shards++;
}

static void kinesis_remove(void *state, uint32_t index)
{
    struct kinesis *self = state;
    CHECK(index < self->shards && self->shards > 1);
    size_t gone = 0;
    while (self->range[gone].shard != index) {
        gone++;
    }
    if (gone == 0) { /* the one above begins where it began */
        self->range[1].first = self->range[0].first;
    }
    self->shards--;
    memmove(self->range + gone, self->range + gone + 1,
            (self->shards - gone) * sizeof *self->range);
    for (size_t i = 0; i < self->shards; i++) {
        self->range[i].shard -= self->range[i].shard > index;
    }
}

static size_t kinesis_memory(const void *state)
{
    const struct kinesis *self = state;
    return self->shards * sizeof *self->range;
}

const struct kinesis_range *layout_kinesis(const struct layout *layout, size_t *ranges)
{
    const struct kinesis *self = layout_state(layout, &scheme_kinesis);
    *ranges = self != NULL ? self->shards : 0;
    return self != NULL ? self->range : NULL;
}

bool layout_kinesis_split(struct layout *layout, struct u128 at, struct err *err)
{
    struct kinesis *self = layout_state(layout, &scheme_kinesis);
    CHECK(self != NULL);
    size_t below = kinesis_find(self->range, self->shards, at);
    if (u128_order(self->range[below].first, at) == 0) {
        return err_set(err, "hash key %s: shard %u begins there already; name one inside its range",
                       u128_decimal(at).text, layout_shard_id(layout, self->range[below].shard));
    }
    self->cut_at = true;
    self->cut = at;
    bool added = layout_add(layout, err);
    self->cut_at = false;
    return added;
}

const struct scheme scheme_kinesis = {
    .name = "kinesis",
    .about = "MD5 of the key as a 128-bit number; each shard owns one contiguous range of them",
    .cannot = "add a shard and stay even: a split halves one shard, and the others keep all theirs",
    .source = "Amazon Kinesis Data Streams, API reference",
    .traits = SCHEME_ADD_MOVES_TO_NEW | SCHEME_REMOVE_MOVES_OWN,
    .default_hash = HASH_MD5,
    .make = kinesis_make,
    .copy = kinesis_copy,
    .destroy = kinesis_destroy,
    .owner = kinesis_owner,
    .add = kinesis_add,
    .remove = kinesis_remove,
    .memory = kinesis_memory,
};
