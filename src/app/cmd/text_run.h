/*
 * text_run: a lesson or drill as lines of text, one step after another; for people (--plain) and
 * for scripts (run, --json).
 */
#ifndef HOTSHARD_APP_TEXT_RUN_H
#define HOTSHARD_APP_TEXT_RUN_H

#include "app/cmd/options.h"
#include "base/str.h"
#include "lesson/player.h"

enum text_answers {
    TEXT_ANSWERS_NONE,  /* every question is skipped: "show me" */
    TEXT_ANSWERS_RIGHT, /* answered rightly */
    TEXT_ANSWERS_WRONG, /* every mistake is tried and explained */
    TEXT_ANSWERS_ASK    /* a person answers, line by line */
};

struct text_run {
    const struct options *options;
    enum text_answers answers;
};

int text_run_play(const struct text_run *run, const char *path); /* the exit status */
/* The lesson of the progress log's last step, else the first; NULL with the reason. */
const struct lesson_entry *text_run_where_left(const struct lesson_index *index, struct err *err);

/* Shared with the interactive half. */
struct scene;
/* Heading, text, pictures, question. `told` keeps what the pictures said. */
void text_step_before(struct str *out, const struct scene *scene, struct str *told);
/* Feedback, what came after, and the pictures if they say something else now. */
void text_step_after(struct str *out, const struct scene *scene, struct str *told);
/* The pictures, unless they say the same as in `told`. */
void text_pictures(struct str *out, const struct scene *scene, struct str *told);
/* Whether its table is one of many rows that are played when they are opened: it is told once. */
bool text_is_lazy(const struct page *page);
struct scene text_scene(struct player *player);
void text_knobs(struct str *out, const struct page *page); /* what can be turned, a line each */
void text_print(struct str *text);                         /* to standard output, and empties it */
int text_ask_play(const struct text_run *run, struct player *player);

#endif
