/*
 * moving: what the pictures of a slot on its way share: which slot, its two shards, its keys, the
 * promise in words.
 *
 * The argument of such a picture is a slot's number or a key. Without one it shows the last slot
 * that is under way in the picture's own manner, else in any manner; else the slot whose move ended
 * last; else the slot of the page's key; else that of the first key that was asked for.
 */
#ifndef HOTSHARD_VIEW_MOVING_H
#define HOTSHARD_VIEW_MOVING_H

#include "engine/moves/moves.h"
#include "engine/shifts/shifts.h"
#include "view/inside.h"

enum manner { /* in which a slot moves */
    MANNER_ANY,
    MANNER_MOVE,
    MANNER_ASK,
    MANNER_DUAL
};

struct moving {
    const struct world *w;
    uint32_t slot;
    bool known;              /* there is a world, and a slot to look at */
    bool asking;             /* the page's question is open: what has not come is not told */
    bool moves;              /* it has a live move, under way or over */
    struct move_info m;      /* that one */
    struct shift_info shift; /* kind SHIFT_NONE: it does not move so now */
    uint32_t shift_row;
    uint16_t source, target; /* of what is under way, or was last; SHARD_NONE: it rests */
};

void moving_open(struct moving *out, const struct scene *s, const char *argument,
                 enum manner manner);
/* "there is no cluster here", "no slot is chosen yet"; for a known slot "slot 12067 rests at S2".
 */
void moving_add_none(struct str *out, const struct moving *k);

/* The keys of the slot in the order in which they were first asked for, from the one at `skip` on;
 * how many were written of at most `room`. */
uint32_t moving_keys(const struct moving *k, uint32_t skip, uint32_t *out, uint32_t room);
uint32_t moving_key_count(const struct moving *k);
/* Columns for these keys' names, at most `most`. */
int moving_name_columns(const struct moving *k, const uint32_t *keys, uint32_t count, int most);
/* The move stands between the commit and its cleanup, or copies before it: both shards hold it. */
bool moving_copying(const struct move_info *m);

/* "200 MB", "133.4 MB", "812 bytes"; "5 h 33 min", "2 min 7 s", "2.4 ms": rounded. */
void moving_add_bytes(struct str *out, uint64_t bytes);
void moving_add_bytes_of(struct str *out, uint64_t part, uint64_t whole); /* "7 of 20 MB" */
void moving_add_time(struct str *out, int64_t us);
void moving_add_ago(struct str *out, int64_t us); /* "2.4 ms ago", "just now" */

/* --- the promise --- */

enum promise_state {
    PROMISE_HOLDS,
    PROMISE_PAUSE, /* nobody accepts, and nothing is missing */
    PROMISE_TWO,   /* more than one would accept */
    PROMISE_LOST   /* who accepts lacks what was accepted before */
};
enum promise_state moving_promise_state(const struct slot_promise *p);
/* "accepts: S2 alone; it holds all 42 writes that were accepted" */
void moving_add_promise(struct str *out, const struct moving *k, const struct slot_promise *p);
/* How many lines, 1 or 2, a picture of this size should leave for it at its bottom. */
int moving_promise_rows(const struct moving *k, int w, int h);
/* From line y on, with its sign; cut nowhere as long as 30 columns are there. */
void moving_draw_promise(struct canvas *c, const struct moving *k, int y, int rows);
void moving_tell_promise(struct str *out, const struct moving *k);

/* --- drawing --- */

/* "S2" in the colour of its owner; the columns taken. */
int moving_draw_shard(struct canvas *c, int x, int y, uint32_t shard);
/* "slot 12067  S2 > S4" and what follows, cut to the width; its end. */
int moving_draw_head(struct canvas *c, const struct moving *k, const char *more, enum style style);
/* Columns that are left for what follows. */
int moving_head_room(const struct moving *k, int columns);
/* "1-3 of 6" at the right end of a line that is free from x on, if not all are in sight. */
void moving_draw_part(struct canvas *c, int x, int y, int64_t first, int rows, uint32_t count);
/* A bar of which part of whole is filled, over `columns`. */
void moving_draw_bar(struct canvas *c, struct rect area, uint64_t part, uint64_t whole,
                     enum style style);

#endif
