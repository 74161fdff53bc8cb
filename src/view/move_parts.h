/*
 * move_parts: the stages of one move and their words, for the view `move` alone.
 */
#ifndef HOTSHARD_VIEW_MOVE_PARTS_H
#define HOTSHARD_VIEW_MOVE_PARTS_H

#include "view/moving.h"

#define STAGES MOVE_OUT /* in a row; the way out is beside them */

enum stage_mark {
    STAGE_TO_COME,
    STAGE_NOW,
    STAGE_DONE,
    STAGE_LEFT_OUT, /* passed without it: a rule was off */
    STAGE_NEVER,    /* the move was dropped before it came */
    STAGE_BAD       /* the two sides were compared and differ */
};

struct stages {
    enum stage_mark mark[STAGES];
    int now;       /* where the move is: a stage; MOVE_OUT: dropped */
    bool cleaned;  /* the source's copy is deleted */
    bool may_drop; /* abort is possible, */
    bool may_back; /* or a roll back */
};

void stages_open(struct stages *out, const struct moving *k);
const char *stage_name(int stage); /* "copy", ..., "clean up" */
/* How long a stage took or takes so far; false when there is nothing to say. */
bool stage_time(const struct moving *k, const struct stages *st, int stage, int64_t *us);
/* What there is to say of a stage, in at most so many columns. */
void stage_add_words(struct str *out, const struct moving *k, const struct stages *st, int stage,
                     int columns);
/* A move back that the stream has spared the copy. */
bool stages_without_copy(const struct moving *k);
/* "3 MB/s, 22 s left"; without the speed where that does not fit. */
void stage_add_speed(struct str *out, const struct moving *k, int columns);
/* What a stage is for, in a sentence. */
void stage_add_meaning(struct str *out, const struct moving *k, const struct stages *st, int stage);
/* "abort: drops S4's copy", "roll back: S2 gets it, with a copy". */
void stages_add_ways_out(struct str *out, const struct moving *k, const struct stages *st);

#endif
