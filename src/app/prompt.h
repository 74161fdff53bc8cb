/*
 * prompt: editing one line of text. Pure: keys in, text out; no terminal, no drawing.
 *
 * The text is UTF-8 of bounded length; the cursor stands between clusters (a character and its
 * combining marks). Pasted line breaks and tabs become blanks, other controls are dropped.
 */
#ifndef HOTSHARD_APP_PROMPT_H
#define HOTSHARD_APP_PROMPT_H

#include "app/keymap.h"

#define PROMPT_BYTES_MAX 1000
#define PROMPT_LINE_MAX 256 /* where no other limit is set */

struct prompt {
    char text[PROMPT_BYTES_MAX + 1];
    size_t length, cursor; /* bytes */
    size_t limit;          /* 0: PROMPT_LINE_MAX */
    bool overflowed;       /* something did not fit; cleared by the next edit */
    bool offered;          /* by the program: typing replaces the text, an edit keeps it */
};

void prompt_set(struct prompt *p, const char *text); /* cursor at the end */
void prompt_offer(struct prompt *p, const char *text);
/* Puts a code point in at the cursor. */
void prompt_insert(struct prompt *p, uint32_t point);
/* Moves and erasures: LEFT, RIGHT, FIRST, LAST, ERASE, DELETE, ERASE_ALL; false for other actions.
 */
bool prompt_edit(struct prompt *p, enum action action);

#endif
