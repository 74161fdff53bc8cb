/*
 * measure_text: how long a text is for a reader, without a screen.
 *
 * Close to the screen's wrapping: words flow, a blank line starts a paragraph, a line that starts
 * with two blanks is kept; markup has no width. Of a lesson's step the rows are counted by what
 * draws it (lint.h).
 */
#ifndef HOTSHARD_LESSON_MEASURE_TEXT_H
#define HOTSHARD_LESSON_MEASURE_TEXT_H

#include <stddef.h>
#include <stdint.h>

size_t text_words(const char *text);
size_t text_rows(const char *text, int columns); /* 0 for an empty text */
/* The first character that a screen without UTF-8 could not show; 0 when there is none. */
uint32_t text_odd_character(const char *text);

#endif
