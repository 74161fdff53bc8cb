/*
 * canvas_impl: what a canvas is made of; for the canvas_*.c files only.
 *
 * Coordinates named ax, ay are of the whole canvas, the others of the current frame. Sums of
 * coordinates are 64 bits wide, so no caller's number can overflow them.
 */
#ifndef HOTSHARD_DRAW_CANVAS_IMPL_H
#define HOTSHARD_DRAW_CANVAS_IMPL_H

#include "draw/canvas.h"

#define CANVAS_FRAMES_MAX 32
#define CELL_MARKS 2

enum cell_kind {
    CELL_TEXT,  /* value: a code point of width 1 */
    CELL_WIDE,  /* value: a code point of width 2; the next cell is its CELL_TAIL */
    CELL_TAIL,  /* second half of the cell before it */
    CELL_LINES, /* value: weights by direction, see DIR_* */
    CELL_DOTS,  /* value: the low byte of a braille code point */
    CELL_BAR    /* value: eighths of the cell, 1..8 */
};

/* Where each direction's weight (0, LINE_LIGHT or LINE_HEAVY) lies in a line mask. */
enum line_direction {
    DIR_NORTH = 0,
    DIR_EAST = 2,
    DIR_SOUTH = 4,
    DIR_WEST = 6
};

struct cell {
    uint32_t value;
    uint32_t marks[CELL_MARKS]; /* combining marks, 0 for none */
    uint8_t kind;
    uint8_t style;
};

struct frame {
    int64_t x, y; /* its origin on the canvas */
    int w, h;
    int clip_x0, clip_y0, clip_x1, clip_y1; /* on the canvas, half open */
};

struct canvas {
    int columns, rows;
    enum glyphs glyphs;
    struct cell *cells;
    struct frame frames[CANVAS_FRAMES_MAX + 1]; /* [0] is the whole canvas */
    int depth;
    bool cursor_set;
    int cursor_x, cursor_y;
};

/* Half-open run of canvas columns or rows. */
struct run {
    int from, to;
};

const struct frame *canvas_frame(const struct canvas *c);
/* What of [x, x + length) of the frame is inside the clip. */
struct run canvas_run_x(const struct canvas *c, int x, int64_t length);
struct run canvas_run_y(const struct canvas *c, int y, int64_t length);
/* A cell by canvas coordinates, which must be on the canvas. */
struct cell *canvas_cell(struct canvas *c, int ax, int ay);
/* Replaces one cell. Half a wide character never stays: its other half becomes a blank, even
 * outside the clip. */
void canvas_set(struct canvas *c, int ax, int ay, struct cell value);

/* The sign for a cell; ASCII or not. */
void canvas_glyph(const struct cell *cell, enum glyphs glyphs, struct canvas_cell *out);

#endif
