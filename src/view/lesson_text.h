/*
 * lesson_text: the pane with the prose, the question, its hints and feedback, and the task.
 *
 * One column of lines, built anew from the page for a width; the pane shows a window of it that
 * follows the newest part unless the learner scrolled. Choices carry their digit, the learner's own
 * answer stays visible beside the truth.
 */
#ifndef HOTSHARD_VIEW_LESSON_TEXT_H
#define HOTSHARD_VIEW_LESSON_TEXT_H

#include "view/view.h"

struct text_field { /* the answer being typed; empty text when none */
    const char *text;
    size_t cursor; /* byte offset */
    bool active;
};

/* Draws; returns how many lines there are in all, so that the app can bound the scroll. */
int lesson_text_draw(struct canvas *c, const struct page *page, const struct text_field *field,
                     int scroll /* lines from the top; negative: follow the newest */);
int lesson_text_rows(const struct page *page, const struct text_field *field, int columns);
/* "days 90 (of 7, 30, 90)", `mark` before and after the value. */
void lesson_text_knob(struct str *out, const struct page_knob *knob, const char *mark);

#endif
