/*
 * pane: rectangles and frames.
 */
#include "draw/pane.h"
#include "base/utf8.h"
#include <stdio.h>
#include <string.h>

static int at_least_zero(int value)
{
    return value > 0 ? value : 0;
}

/* How much of `have` is cut off when `want` is asked for. */
static int cut(int want, int have)
{
    have = at_least_zero(have);
    want = at_least_zero(want);
    return want < have ? want : have;
}

struct rect rect_inset(struct rect r, int by)
{
    if (r.w <= 2 * by || r.h <= 2 * by)
        return (struct rect){r.x + cut(by, r.w), r.y + cut(by, r.h), at_least_zero(r.w - 2 * by),
                             at_least_zero(r.h - 2 * by)};
    return (struct rect){r.x + by, r.y + by, r.w - 2 * by, r.h - 2 * by};
}

struct rect rect_cut_top(struct rect r, int rows, struct rect *rest)
{
    int h = cut(rows, r.h);
    *rest = (struct rect){r.x, r.y + h, r.w, at_least_zero(r.h) - h};
    return (struct rect){r.x, r.y, r.w, h};
}

struct rect rect_cut_bottom(struct rect r, int rows, struct rect *rest)
{
    int h = cut(rows, r.h), above = at_least_zero(r.h) - h;
    *rest = (struct rect){r.x, r.y, r.w, above};
    return (struct rect){r.x, r.y + above, r.w, h};
}

struct rect rect_cut_left(struct rect r, int columns, struct rect *rest)
{
    int w = cut(columns, r.w);
    *rest = (struct rect){r.x + w, r.y, at_least_zero(r.w) - w, r.h};
    return (struct rect){r.x, r.y, w, r.h};
}

struct rect rect_cut_right(struct rect r, int columns, struct rect *rest)
{
    int w = cut(columns, r.w), before = at_least_zero(r.w) - w;
    *rest = (struct rect){r.x, r.y, before, r.h};
    return (struct rect){r.x + before, r.y, w, r.h};
}

static void draw_title(struct canvas *c, struct rect area, const char *title, bool focused)
{
    enum style style = focused ? STYLE_FOCUS : STYLE_TITLE;
    const char *mark = !focused ? "" : canvas_glyphs(c) == GLYPHS_ASCII ? "* " : "▸ ";
    int mark_columns = focused ? 2 : 0;
    /* Corner, one line sign, blank, mark, title, blank, corner. */
    int room = area.w - 5 - mark_columns;
    if (room < 1)
        return;
    int x = area.x + 2;
    x += canvas_text(c, x, area.y, style, " ");
    x += canvas_text(c, x, area.y, style, mark);
    x += canvas_text_fit(c, x, area.y, room, style, title);
    canvas_text(c, x, area.y, style, " ");
}

struct rect draw_pane(struct canvas *c, struct rect area, const char *title, bool focused)
{
    struct rect inside = rect_inset(area, 1);
    canvas_fill(c, inside, STYLE_TEXT, ' ');
    canvas_box(c, area, focused ? LINE_HEAVY : LINE_LIGHT, focused ? STYLE_FOCUS : STYLE_DIM);
    if (title[0] != '\0' && area.h > 0)
        draw_title(c, area, title, focused);
    return inside;
}

void draw_too_small(struct canvas *c)
{
    int w = canvas_width(c), h = canvas_height(c);
    char lines[4][80];
    snprintf(lines[0], sizeof(lines[0]), "%dx%d needed, this window is %dx%d", SCREEN_MIN_COLUMNS,
             SCREEN_MIN_ROWS, w, h);
    snprintf(lines[1], sizeof(lines[1]), "need %dx%d, have %dx%d", SCREEN_MIN_COLUMNS,
             SCREEN_MIN_ROWS, w, h);
    snprintf(lines[2], sizeof(lines[2]), "%dx%d", SCREEN_MIN_COLUMNS, SCREEN_MIN_ROWS);
    snprintf(lines[3], sizeof(lines[3]), "+"); /* wider, please */
    for (size_t i = 0; i < 4; i++) {
        int columns = utf8_columns(lines[i], strlen(lines[i]));
        if (columns <= w) {
            canvas_text(c, (w - columns) / 2, at_least_zero(h - 1) / 2, STYLE_TEXT, lines[i]);
            return;
        }
    }
}
