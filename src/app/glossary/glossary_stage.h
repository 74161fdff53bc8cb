/*
 * glossary_stage: the pictures of the glossary: the world of an entry, made bit by bit.
 *
 * An entry's world is the story after an event with the entry's commands applied, or a state of the
 * playground. The story takes seconds to get to its late events, so the work is cut into pieces:
 * glossary_stage_work does one, and a screen draws and takes keys between two. The worlds after the
 * story's events are kept: what was played once is not played again. There is one picture at a
 * time.
 */
#ifndef HOTSHARD_APP_GLOSSARY_STAGE_H
#define HOTSHARD_APP_GLOSSARY_STAGE_H

#include "lesson/glossary.h"
#include "view/view.h"

struct glossary_stage;

struct glossary_stage *glossary_stage_new(void);
void glossary_stage_free(struct glossary_stage *s); /* NULL is fine */

/* Begins an entry's picture (borrowed until the next one) and drops the one before. False with the
 * reason when there is no such picture. */
bool glossary_stage_begin(struct glossary_stage *s, const struct glossary_entry *entry,
                          struct err *err);

enum stage_state {
    STAGE_EMPTY, /* nothing was begun, or it failed */
    STAGE_WORKS, /* there is more to do */
    STAGE_READY
};
enum stage_state glossary_stage_state(const struct glossary_stage *s);
/* What is left are a few milliseconds of work. */
bool glossary_stage_is_quick(const struct glossary_stage *s);
/* One piece, some milliseconds. False with the reason when the picture cannot be made. */
bool glossary_stage_work(struct glossary_stage *s, struct err *err);
/* All of it. */
bool glossary_stage_finish(struct glossary_stage *s, struct err *err);

/* Of the picture that was begun. */
const struct view *glossary_stage_view(const struct glossary_stage *s);
const char *glossary_stage_argument(const struct glossary_stage *s);
int64_t glossary_stage_now(const struct glossary_stage *s); /* how far its world is; -1: no world */
int64_t glossary_stage_until(const struct glossary_stage *s);
const struct scene *glossary_stage_scene(struct glossary_stage *s); /* once it is ready */

/* For glossary_judge_pictures: makes the whole picture; the context is a stage. */
bool glossary_stage_can_show(void *context, const struct glossary_entry *entry, struct err *err);

#endif
