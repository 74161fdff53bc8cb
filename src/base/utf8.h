/*
 * utf8: decoding, widths, and making foreign text safe to show.
 *
 * Widths come from utf8proc's tables (Unicode), never from libc's: the same column count
 * everywhere. Ambiguous width counts as 1. A "cluster" here is one base character and the combining
 * marks that follow it.
 */
#ifndef HOTSHARD_BASE_UTF8_H
#define HOTSHARD_BASE_UTF8_H

#include "base/str.h"
#include <stdint.h>

#define UTF8_REPLACEMENT 0xFFFDu

/* Decodes one code point at text[0..length), length > 0. Returns the bytes used (at least 1);
 * an invalid byte gives UTF8_REPLACEMENT and 1. */
size_t utf8_decode(const char *text, size_t length, uint32_t *point);
/* Writes 1 to 4 bytes, returns how many. */
size_t utf8_encode(uint32_t point, char out[4]);
/* 0 for combining marks and controls, 1 or 2 otherwise. */
int utf8_width(uint32_t point);
/* Columns of a whole text; invalid bytes count 1, control characters count as utf8_visible shows
 * them. */
int utf8_columns(const char *text, size_t length);
/* How many bytes of text fit into `columns` without splitting a cluster. */
size_t utf8_fit(const char *text, size_t length, int columns);
/* Appends text with invalid bytes as U+FFFD, and as \xNN or \u{NNNN} what steers a terminal or
 * cannot be seen: C0 and C1 controls, all format characters (bidi, zero-width, tags, the byte order
 * mark) and blank fillers. So nothing a stranger wrote reaches the terminal as a control sequence,
 * and no two texts look alike for an invisible difference. Newlines and tabs are controls here. */
void utf8_visible(struct str *out, const char *text, size_t length);
/* The same line by line: newlines stay. */
void utf8_visible_lines(struct str *out, const char *text, size_t length);
/* How many bytes of text fit into `bytes` without splitting a character. */
size_t utf8_cut(const char *text, size_t length, size_t bytes);
/* The nearest ASCII for the symbols our own pictures and lessons use (arrows, dashes, ellipsis,
 * box lines, bullets, quotes); '?' for anything else beyond ASCII. */
char utf8_ascii(uint32_t point);

#endif
