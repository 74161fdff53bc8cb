/*
 * placing: what the pictures of a change of placement share: ring, ranges, maglev, rendezvous.
 *
 * A struct placing is one page_placing made ready to be looked at: a row for each shard of either
 * layout, by id. While the page hides the outcome it holds the layout before the change only, so
 * that no picture can give away what is asked. It borrows from the scene and owns its rows:
 * placing_close frees them. Everything counted here is in keys; loads are told where asked for.
 */
#ifndef HOTSHARD_VIEW_PLACING_H
#define HOTSHARD_VIEW_PLACING_H

#include "view/inside.h"

struct placing_row {
    uint32_t id;
    bool before, after; /* stands in that layout */
    uint64_t keys_before, keys_after;
    uint64_t load_before, load_after;
    uint64_t gave, took; /* keys */
};

struct placing {
    const struct page_placing *page;
    const struct trial *trial;
    const struct layout *shown; /* `after`, or `before` while hidden */
    const uint32_t *owner;      /* positions in `shown`, one a key */
    bool changed;               /* there is a change to show: not hidden, and something moved */
    struct placing_row *row;    /* ascending ids */
    size_t rows;
};

/* The placing that the argument numbers from 1, else the first. False, with nothing to close, when
 * there is none. */
bool placing_open(struct placing *out, const struct scene *s, const char *argument);
void placing_close(struct placing *p);
const char *placing_none(void); /* what to say then */

/* The key whose way is shown: the one asked about once that is known, else the placing's own; "" if
 * none. The page's key is of the cluster, and of no placing. */
const char *placing_lookup(const struct placing *p);
/* Row of a shard; rows when it has none. */
size_t placing_row_of(const struct placing *p, uint32_t id);

/* Who gave how much to whom, most keys first; the caller frees it. */
struct placing_flow {
    uint32_t from, to;
    uint64_t keys;
};
struct placing_flow *placing_flows(const struct placing *p, size_t *count);

/* Keys that moved although the shard that had them stays and the one that has them was there. */
uint64_t placing_needless(const struct trial *trial);

/* Words. The first says at a glance what happened: "S4 takes 2,041: 512 from S0, 510 from S1 ...",
 * at most `pairs` of them; "" when nothing moved. */
void placing_add_moves(struct str *out, const struct placing *p, size_t pairs);
/* The same of one shard: "shed 3,437, all to S5"; "" when it gave and took nothing. */
void placing_add_row_moves(struct str *out, const struct placing *p, size_t row, size_t pairs);
void placing_add_title(struct str *out, const struct placing *p);
struct num_text placing_over_average(const struct balance *b); /* busiest / average: "1.22" */
void placing_tell_shards(struct str *out, const struct placing *p);

/* Drawing (placing_draw.c). The shards as lines: letter and name, a bar, keys before and after and
 * what changed, as much of it as the width allows; in several columns when there are many. */
struct placing_list {
    int columns, rows; /* of lines */
    int width;         /* of one column */
    size_t first;      /* row at the top left */
};
struct placing_list placing_list_of(const struct placing *p, int width, int height,
                                    int64_t selected);
int placing_list_rows(const struct placing *p, int width); /* with which all are in sight */
/* `selected` is a row, or -1 for none. */
void placing_draw_list(struct canvas *c, struct rect area, const struct placing *p,
                       int64_t selected, bool focused);
/* What moved, over at most `rows` lines, lit. */
void placing_draw_moves(struct canvas *c, int y, int rows, const struct placing *p);
/* What a scheme with no picture of this kind should be looked at with. */
void placing_add_elsewhere(struct str *out, const struct placing *p, const char *what);

#endif
