/*
 * log_parts: what the view `log` reads and says of a slot's entries; for its files alone.
 */
#ifndef HOTSHARD_VIEW_LOG_PARTS_H
#define HOTSHARD_VIEW_LOG_PARTS_H

#include "view/moving.h"

#define ENTRIES_MAX 512 /* of the tail, those that are read; more are counted */

struct logged {
    struct moving k;
    bool back;         /* the stream back */
    uint16_t from, to; /* whose log, who applies */
    uint32_t end, applied;
    uint32_t fence;   /* number of the fence, 0: none */
    bool over;        /* nobody applies any more */
    uint32_t waiting; /* entries in the tail, */
    uint32_t entries; /* of these, here */
    int name;         /* columns of their keys */
    struct move_entry entry[ENTRIES_MAX];
};

bool log_open(struct logged *l, const struct scene *s, const struct view_state *v);
/* + a like, = an edit, # a flush, $ an account's, F the fence */
char log_sign(const struct logged *l, uint32_t at);
void log_add_entry(struct str *out, const struct logged *l, uint32_t at, int columns);
void log_add_key(struct str *out, const struct logged *l, uint32_t at);
/* "9 of 12 applied, the oldest waits 1.2 ms", and how it should look. */
enum style log_add_behind(struct str *out, const struct logged *l, bool brief);
/* Why no entry is listed. */
void log_add_empty(struct str *out, const struct logged *l);

#endif
