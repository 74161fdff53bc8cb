/*
 * canvas: a grid of cells that views draw into; pure memory, no terminal.
 *
 * A drawing call works in the coordinates of the current frame: canvas_push narrows the clip and
 * moves the origin, canvas_pop undoes it; what falls outside is cut, never written. Text is UTF-8,
 * measured by base/utf8; a wide character fills two cells and is never split (a half at the edge of
 * the clip becomes a blank). Box lines are stored as masks of directions and merge where they meet;
 * braille dots collect in a cell. The glyph is chosen last, by canvas_cell_text, in UTF-8 or ASCII.
 */
#ifndef HOTSHARD_DRAW_CANVAS_H
#define HOTSHARD_DRAW_CANVAS_H

#include "base/str.h"
#include "draw/style.h"

#define CANVAS_COLUMNS_MAX 1000
#define CANVAS_ROWS_MAX 500
#define CANVAS_CELL_TEXT 16

struct rect {
    int x, y, w, h;
};

enum glyphs {
    GLYPHS_UTF8,
    GLYPHS_ASCII
};

enum line_weight {
    LINE_LIGHT = 1,
    LINE_HEAVY = 2
};

struct canvas;

struct canvas *canvas_new(int columns, int rows); /* sizes are clamped to 1..max */
void canvas_free(struct canvas *c);
void canvas_resize(struct canvas *c, int columns, int rows); /* and clear */
void canvas_clear(struct canvas *c);        /* the whole; only between frames, every push popped */
int canvas_columns(const struct canvas *c); /* of the whole canvas */
int canvas_rows(const struct canvas *c);

/* How the cells will be shown: pictures choose other signs in ASCII (bars '#', arrows '->'). */
void canvas_set_glyphs(struct canvas *c, enum glyphs glyphs);
enum glyphs canvas_glyphs(const struct canvas *c);

/* Frames. At most 32 deep. */
void canvas_push(struct canvas *c, struct rect area);
void canvas_pop(struct canvas *c);
int canvas_width(const struct canvas *c); /* of the current frame, before clipping */
int canvas_height(const struct canvas *c);

/* Drawing. All return nothing that can fail; text functions return the columns they took. Control
 * characters are shown as utf8_visible shows them. */
int canvas_text(struct canvas *c, int x, int y, enum style style, const char *text);
int canvas_textn(struct canvas *c, int x, int y, enum style style, const char *text, size_t length);
int canvas_textf(struct canvas *c, int x, int y, enum style style, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* At most `columns`, an ellipsis in the last when cut. */
int canvas_text_fit(struct canvas *c, int x, int y, int columns, enum style style,
                    const char *text);
/* The last column is x_end - 1. */
int canvas_text_right(struct canvas *c, int x_end, int y, enum style style, const char *text);
void canvas_put(struct canvas *c, int x, int y, enum style style, uint32_t point);
void canvas_fill(struct canvas *c, struct rect area, enum style style, uint32_t point);
void canvas_restyle(struct canvas *c, struct rect area, enum style style); /* keeps the text */

/* Lines merge with lines already there. */
void canvas_hline(struct canvas *c, int x, int y, int length, enum line_weight w, enum style style);
void canvas_vline(struct canvas *c, int x, int y, int length, enum line_weight w, enum style style);
void canvas_box(struct canvas *c, struct rect area, enum line_weight w, enum style style);
/* A dot of the 2x4 grid in each cell: x in half cells, y in quarter cells. In ASCII a cell with any
 * dot shows '.', ':' or '#', by how full it is. */
void canvas_dot(struct canvas *c, int x, int y, enum style style);
/* A horizontal bar of `eighths` of a cell, from x rightwards. In ASCII whole '#' cells, rounded up.
 */
void canvas_bar(struct canvas *c, int x, int y, int eighths, enum style style);

/* Where the hardware cursor should rest (frame coordinates); the last call wins. */
void canvas_cursor(struct canvas *c, int x, int y);
bool canvas_cursor_at(const struct canvas *c, int *x, int *y); /* whole-canvas coordinates */

/* Reading it back, by the terminal layer, dumps and tests. */
struct canvas_cell {
    char text[CANVAS_CELL_TEXT]; /* "" for the second half of a wide character */
    int width;                   /* 1 or 2; 0 for the second half */
    enum style style;
};
void canvas_cell_at(const struct canvas *c, int x, int y, struct canvas_cell *cell);
/* "|" + row + "|" lines, then the same grid as style letters: the golden format. */
void canvas_dump(const struct canvas *c, struct str *out);
void canvas_dump_text(const struct canvas *c, struct str *out); /* rows only, trailing blanks cut */

#endif
