/*
 * prose: wrapping text with light markup into lines of styled runs.
 */
#ifndef HOTSHARD_DRAW_PROSE_H
#define HOTSHARD_DRAW_PROSE_H

#include "draw/canvas.h"

#define PROSE_MEASURE 72 /* the widest column of prose */

/* Prose with light markup into lines: *strong*, `code`, [[glossary word]]; blank line = paragraph;
 * a line that starts with two blanks or more is kept as it is, without markup. Breaks between
 * words, never inside a `code` span shorter than the line; a word or a kept line longer than the
 * line is cut between clusters. Each line is runs of (style, bytes). */
struct prose_run {
    enum style style;
    size_t at, length; /* into prose.text */
};
struct prose_line {
    size_t first_run, runs;
};
struct prose {
    struct str text;
    struct prose_run *runs;
    struct prose_line *lines;
    size_t run_count, line_count;
};
void prose_wrap(struct prose *out, const char *markup, int columns); /* free with prose_free */
void prose_free(struct prose *p);
/* Draws lines from `first` on into the current frame; returns how many lines were drawn. */
int prose_draw(struct canvas *c, const struct prose *p, int x, int y, int first, int rows);
/* The same markup as plain text, made safe to print, in lines of at most `columns` of which the
 * first `indent` are blank. */
void prose_plain(struct str *out, const char *markup, int columns, int indent);

#endif
