/*
 * canvas_line: box lines that merge, braille dots, bars.
 *
 * A line's cell keeps a weight for each direction. The first and the last cell of a line reach
 * inwards only, so that a line which ends on another one makes a tee and not a crossing; a half
 * line that stays alone is drawn as a whole one.
 */
#include "base/check.h"
#include "draw/canvas_impl.h"

static uint32_t weight_in(uint32_t mask, unsigned direction)
{
    return (mask >> direction) & 3u;
}

static void merge_line(struct canvas *c, int ax, int ay, uint32_t mask, enum style style)
{
    const struct cell *old = canvas_cell(c, ax, ay);
    struct cell merged = {.value = mask, .kind = CELL_LINES, .style = (uint8_t)style};
    if (old->kind == CELL_LINES) {
        merged.value = 0;
        bool old_is_heavier = false, new_is_heavier = false;
        for (unsigned d = DIR_NORTH; d <= DIR_WEST; d += 2) {
            uint32_t before = weight_in(old->value, d), now = weight_in(mask, d);
            merged.value |= (before > now ? before : now) << d;
            old_is_heavier |= before == LINE_HEAVY;
            new_is_heavier |= now == LINE_HEAVY;
        }
        /* Where a focused frame touches a quiet one, the loud style stays, in any order. */
        if (old_is_heavier && !new_is_heavier)
            merged.style = old->style;
    }
    canvas_set(c, ax, ay, merged);
}

/* One line of `length` cells: `back` and `ahead` are the directions along it. */
static uint32_t mask_at(int64_t place, int64_t length, enum line_weight w, unsigned back,
                        unsigned ahead)
{
    bool alone = length == 1;
    uint32_t mask = 0;
    if (place > 0 || alone)
        mask |= (uint32_t)w << back;
    if (place < length - 1 || alone)
        mask |= (uint32_t)w << ahead;
    return mask;
}

void canvas_hline(struct canvas *c, int x, int y, int length, enum line_weight w, enum style style)
{
    struct run xs = canvas_run_x(c, x, length);
    struct run ys = canvas_run_y(c, y, 1);
    int64_t start = canvas_frame(c)->x + x;
    for (int ay = ys.from; ay < ys.to; ay++)
        for (int ax = xs.from; ax < xs.to; ax++)
            merge_line(c, ax, ay, mask_at(ax - start, length, w, DIR_WEST, DIR_EAST), style);
}

void canvas_vline(struct canvas *c, int x, int y, int length, enum line_weight w, enum style style)
{
    struct run xs = canvas_run_x(c, x, 1);
    struct run ys = canvas_run_y(c, y, length);
    int64_t start = canvas_frame(c)->y + y;
    for (int ax = xs.from; ax < xs.to; ax++)
        for (int ay = ys.from; ay < ys.to; ay++)
            merge_line(c, ax, ay, mask_at(ay - start, length, w, DIR_NORTH, DIR_SOUTH), style);
}

void canvas_box(struct canvas *c, struct rect area, enum line_weight w, enum style style)
{
    if (area.w < 1 || area.h < 1)
        return;
    /* The far edges of a box whose numbers do not fit an int are beyond any canvas. */
    bool right_in_reach = area.x <= INT32_MAX - area.w,
         bottom_in_reach = area.y <= INT32_MAX - area.h;
    if (area.w > 1 || area.h == 1)
        canvas_hline(c, area.x, area.y, area.w, w, style);
    if (area.h > 1)
        canvas_vline(c, area.x, area.y, area.h, w, style);
    if (area.w > 1 && area.h > 1) {
        if (bottom_in_reach)
            canvas_hline(c, area.x, area.y + area.h - 1, area.w, w, style);
        if (right_in_reach)
            canvas_vline(c, area.x + area.w - 1, area.y, area.h, w, style);
    }
}

static int floor_div(int value, int by)
{
    return value >= 0 ? value / by : -((-(value + 1)) / by) - 1;
}

void canvas_dot(struct canvas *c, int x, int y, enum style style)
{
    /* Unicode numbers the dots of a braille cell column by column, the lowest row last. */
    static const uint8_t bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    int column = floor_div(x, 2), row = floor_div(y, 4);
    uint32_t bit = bits[y - row * 4][x - column * 2];
    struct run xs = canvas_run_x(c, column, 1);
    struct run ys = canvas_run_y(c, row, 1);
    if (xs.from >= xs.to || ys.from >= ys.to)
        return;
    const struct cell *old = canvas_cell(c, xs.from, ys.from);
    uint32_t before = old->kind == CELL_DOTS ? old->value : 0;
    struct cell cell = {.value = before | bit, .kind = CELL_DOTS, .style = (uint8_t)style};
    canvas_set(c, xs.from, ys.from, cell);
}

void canvas_bar(struct canvas *c, int x, int y, int eighths, enum style style)
{
    if (eighths <= 0)
        return;
    int64_t cells = ((int64_t)eighths + 7) / 8;
    struct run xs = canvas_run_x(c, x, cells);
    struct run ys = canvas_run_y(c, y, 1);
    int64_t start = canvas_frame(c)->x + x;
    for (int ay = ys.from; ay < ys.to; ay++) {
        for (int ax = xs.from; ax < xs.to; ax++) {
            int64_t left = eighths - (ax - start) * 8;
            struct cell cell = {
                .value = left > 8 ? 8u : (uint32_t)left, .kind = CELL_BAR, .style = (uint8_t)style};
            canvas_set(c, ax, ay, cell);
        }
    }
}
