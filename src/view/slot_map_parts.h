/*
 * slot_map_parts: what the two files of the slot map share.
 */
#ifndef HOTSHARD_VIEW_SLOT_MAP_PARTS_H
#define HOTSHARD_VIEW_SLOT_MAP_PARTS_H

#include "view/inside.h"

/* Whether scene.before is there and has the same slots. */
bool slot_map_can_compare(const struct scene *s);
bool slot_map_changed(const struct scene *s, uint32_t slot); /* its owner, since scene.before */
uint32_t slot_map_count_changed(const struct scene *s);
bool slot_map_marks_keys(const struct view_state *v); /* the argument is "*" */

#define SLOT_MAP_MARKS_MAX 16

/* The keys and slots that are marked, in the order of the argument. */
struct slot_map_marks {
    struct followed at[SLOT_MAP_MARKS_MAX];
    int count;
    char text[512]; /* what `at` borrows from */
};
void slot_map_marks_fill(struct slot_map_marks *out, const struct scene *s,
                         const struct view_state *v);
uint32_t slot_map_selected(const struct view_state *v, const struct scene *s);
void slot_map_tell(struct str *out, const struct scene *s, const struct view_state *v);

#endif
