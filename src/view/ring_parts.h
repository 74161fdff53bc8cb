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

struct ring_picture {
    struct placing p;
    const struct ring_point *point; /* of the layout shown */
    size_t points;
    const struct ring_point *was; /* of the one before; NULL when there is nothing to compare */
    size_t olds;
    bool lookup; /* a key's way is shown */
    const char *key;
    uint64_t key_at;   /* where it stands */
    size_t key_point;  /* that owns it */
    int64_t selected;  /* a row of the placing, or -1: none */
    size_t arc;        /* zoomed in: a point, the end of the selected arc */
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
/* Words. */
void ring_add_lookup(struct str *out, const struct ring_picture *r, bool code);
void ring_add_arc(struct str *out, const struct ring_picture *r, size_t point);
void ring_add_shard(struct str *out, const struct ring_picture *r, size_t row);
double ring_share(const struct ring_picture *r, uint32_t id);

void ring_draw_circle(struct canvas *c, struct rect area, const struct ring_picture *r);
void ring_draw_strip(struct canvas *c, struct rect area, const struct ring_picture *r,
                     bool focused);
void ring_tell(struct str *out, const struct scene *s, const struct view_state *v);

#endif
