/*
 * ring_parts: what the ring's own files share. ring.c divides the pane, keeps the selection and the
 * lines around; ring_circle.c draws the circle, ring_strip.c a part of it made straight,
 * ring_tell.c says it in words.
 */
#ifndef HOTSHARD_VIEW_RING_PARTS_H
#define HOTSHARD_VIEW_RING_PARTS_H

#include "place/ring.h"
#include "view/placing.h"

#define RING_NONE UINT32_MAX
#define RING_ZOOM_MAX 3
#define RING_COPIES_MAX 9
#define RING_NAMED_POINTS 24 /* up to here labels are names, beyond letters */

struct ring_picture {
    struct placing p;
    const struct ring_point *point; /* of the layout shown */
    size_t points;
    const struct ring_point *was; /* of the one before; NULL when there is nothing to compare */
    size_t olds;
    bool lookup; /* a key's way is shown */
    const char *key;
    uint64_t key_at;  /* where it stands */
    size_t key_point; /* that owns it */
    bool asks;        /* where another key stands is shown, and not its way: it is asked for */
    uint64_t asked_at;
    size_t copy[RING_COPIES_MAX]; /* points whose shards have the copies, the owner's first */
    size_t copies;                /* shown: 0 while they are asked for */
    size_t walk_end;              /* the point where the way ends: that of the last copy */
    int64_t selected;             /* a row of the placing, or -1: none */
    size_t arc;                   /* zoomed in: a point, the end of the selected arc */
    uint64_t from, to; /* and what is in sight: (from, to], the whole circle when equal */
};

/* False, with nothing to close, when there is no placing or it is no ring. */
bool ring_open(struct ring_picture *out, const struct scene *s, const struct view_state *v);
void ring_close(struct ring_picture *r);

/* Ids of the owner now and before, RING_NONE without a before; from >= position. */
uint32_t ring_owner(const struct ring_picture *r, uint64_t position);
uint32_t ring_owner_before(const struct ring_picture *r, uint64_t position);
uint32_t ring_point_owner(const struct ring_picture *r, size_t point);
/* Length of the arc that ends at a point; the whole circle, when it is the only one, is 2^64 - 1.
 */
uint64_t ring_arc(const struct ring_picture *r, size_t point);
/* The zone of each shard of the layout shown, numbered from 0; false when all are in one. */
#define RING_ZONES_MAX 256
bool ring_zones(const struct ring_picture *r, uint8_t zone[RING_ZONES_MAX]);
/* Words. */
void ring_add_lookup(struct str *out, const struct ring_picture *r, bool code);
/* What the signs are, in a line; and the zones, "" without. */
void ring_add_legend(struct str *out, const struct ring_picture *r, bool utf8);
void ring_add_zones(struct str *out, const struct ring_picture *r);
void ring_add_copies(struct str *out, const struct ring_picture *r); /* "S2 S3 S5" */
void ring_add_arc(struct str *out, const struct ring_picture *r, size_t point);
void ring_add_shard(struct str *out, const struct ring_picture *r, size_t row);
double ring_share(const struct ring_picture *r, uint32_t id);

void ring_draw_circle(struct canvas *c, struct rect area, const struct ring_picture *r);
void ring_draw_strip(struct canvas *c, struct rect area, const struct ring_picture *r,
                     bool focused);
void ring_tell(struct str *out, const struct scene *s, const struct view_state *v);

#endif
