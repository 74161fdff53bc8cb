/*
 * ranges_parts: what the files of the view `ranges` share.
 */
#ifndef HOTSHARD_VIEW_RANGES_PARTS_H
#define HOTSHARD_VIEW_RANGES_PARTS_H

#include "place/kinesis.h"
#include "view/placing.h"

struct one {
    struct bytes first;
    struct u128_text number; /* instead, where numbers are cut: kinesis */
    uint32_t id;             /* of its shard */
    uint64_t keys, load;     /* of the keys on trial */
    uint64_t moved;          /* of these, how many belonged to another shard before */
    uint32_t from;           /* one of those */
};

struct picture {
    struct placing p;
    struct one *range, *was; /* `was` NULL when nothing is compared */
    size_t ranges, olds;
    uint64_t keys, load;
    size_t lookup; /* range of the key that is looked up; ranges when none is */
    const char *key;
};

/* False, with nothing to close, when the placing has no ranges. */
bool ranges_open(struct picture *out, const struct scene *s, const char *argument);
void ranges_close(struct picture *r);
/* Where a range begins, in words; and in so many columns, apart from what all have in common. */
void ranges_add_first(struct str *out, const struct one *one);
void ranges_add_first_in(struct str *out, const struct picture *r, size_t index, int columns,
                         bool utf8);

#endif
