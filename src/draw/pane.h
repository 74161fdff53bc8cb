/*
 * pane: cutting a screen into rectangles and framing them. Pure arithmetic.
 */
#ifndef HOTSHARD_DRAW_PANE_H
#define HOTSHARD_DRAW_PANE_H

#include "draw/canvas.h"

#define SCREEN_MIN_COLUMNS 80
#define SCREEN_MIN_ROWS 24

struct rect rect_inset(struct rect r, int by);
/* The first `rows` (or columns) of r, and what is left in *rest. Clamped to what there is. */
struct rect rect_cut_top(struct rect r, int rows, struct rect *rest);
struct rect rect_cut_bottom(struct rect r, int rows, struct rect *rest);
struct rect rect_cut_left(struct rect r, int columns, struct rect *rest);
struct rect rect_cut_right(struct rect r, int columns, struct rect *rest);

/* A titled pane: clears the inside, draws the frame (heavy, the title marked '▸' or in
 * ASCII '*', when focused) and returns the inside. */
struct rect draw_pane(struct canvas *c, struct rect area, const char *title, bool focused);

/* One line "80x24 needed, this window is 40x10" centred, or the longest shorter form that fits;
 * what every screen shows when too small. */
void draw_too_small(struct canvas *c);

#endif
