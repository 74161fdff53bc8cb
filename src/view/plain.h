/*
 * plain: a page and its pictures as sentences and tables, one step after another.
 *
 * For --plain, for golden files and for the description key. No box drawing, no escape sequences,
 * at most `columns` wide (0: 80). Each state change begins with what changed.
 */
#ifndef HOTSHARD_VIEW_PLAIN_H
#define HOTSHARD_VIEW_PLAIN_H

#include "view/view.h"

void plain_heading(struct str *out, const struct scene *s);          /* title, step, clock */
void plain_say(struct str *out, const struct scene *s, int columns); /* the text */
void plain_question(struct str *out, const struct scene *s, int columns);
void plain_feedback(struct str *out, const struct scene *s,
                    int columns); /* answer, truth, why, belief */
void plain_after(struct str *out, const struct scene *s, int columns);
void plain_task(struct str *out, const struct scene *s, int columns);
void plain_pictures(struct str *out, const struct scene *s, int columns); /* each view told */

#endif
