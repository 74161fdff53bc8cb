/*
 * placing_draw: the shards of a placing as lines with bars.
 *
 * A bar's solid part is what a shard had and has; what it shed is a faint tail behind it, what it
 * took a shaded one. All bars share one scale. Where the width does not do, first the bar goes,
 * then the words become signs, then only the number of keys is left.
 */
#include "base/utf8.h"
#include "view/placing.h"

#include <stdio.h>
#include <string.h>

#define COLUMN_MIN 17 /* "d S3 1,190 -3,437" */
#define BAR_MIN 4
#define BAR_MAX 60
#define COLUMN_GAP 2

static int name_columns(const struct placing *p)
{
    char name[16];
    return 2 + snprintf(name, sizeof name, "S%u", (unsigned)p->row[p->rows - 1].id);
}

static int number_columns(const struct placing *p)
{
    uint64_t most = 0;
    for (size_t i = 0; i < p->rows; i++) {
        most = p->row[i].keys_before > most ? p->row[i].keys_before : most;
        most = p->row[i].keys_after > most ? p->row[i].keys_after : most;
    }
    return (int)strlen(num_grouped((int64_t)most).text);
}

int placing_list_rows(const struct placing *p, int width)
{
    int columns = width / (COLUMN_MIN + COLUMN_GAP);
    columns = columns < 1 ? 1 : columns > 4 ? 4 : columns;
    int rows = (int)p->rows;
    return rows <= 8 ? rows : rows / columns > 8 ? rows / columns + 1 : 8;
}

struct placing_list placing_list_of(const struct placing *p, int width, int height,
                                    int64_t selected)
{
    struct placing_list out = {.columns = 1, .rows = height < 1 ? 1 : height};
    int most = (width + COLUMN_GAP) / (COLUMN_MIN + COLUMN_GAP);
    while (out.columns < most && (size_t)(out.columns * out.rows) < p->rows) {
        out.columns++;
    }
    out.width = (width - (out.columns - 1) * COLUMN_GAP) / out.columns;
    int64_t page = (int64_t)out.columns * out.rows, at = selected < 0 ? 0 : selected;
    out.first = (size_t)view_list_first(0, at, (int64_t)p->rows, page);
    return out;
}

/* How one line is divided; 0 columns: there is no room for it. */
struct line {
    int name, bar, number, change;
    bool both, words; /* "4,627 -> 1,190", "shed 3,437" */
    uint64_t scale;
};

static struct line line_of(const struct placing *p, int width)
{
    struct line out = {.name = name_columns(p) + 1, .number = number_columns(p)};
    for (size_t i = 0; i < p->rows; i++) {
        const struct placing_row *row = &p->row[i];
        out.scale = row->keys_before > out.scale ? row->keys_before : out.scale;
        out.scale = row->keys_after > out.scale ? row->keys_after : out.scale;
    }
    int left = width - out.name;
    if (!p->changed) {
        out.change = left >= out.number + 7 ? 6 : 0; /* the share */
        out.bar = left - out.number - out.change - 1;
    } else if (left >= BAR_MIN + 1 + 2 * out.number + 4 + 6 + out.number) {
        out.both = true;
        out.words = true;
        out.change = 6 + out.number;
        out.bar = left - 1 - 2 * out.number - 4 - out.change;
    } else {
        out.change = left >= 2 * out.number + 2 ? out.number + 2 : 0;
        out.bar = left - out.number - out.change - 1;
    }
    out.bar = out.bar < BAR_MIN ? 0 : out.bar > BAR_MAX ? BAR_MAX : out.bar;
    return out;
}

static void draw_bar(struct canvas *c, int x, int y, const struct line *line,
                     const struct placing_row *row)
{
    uint64_t scale = line->scale > 0 ? line->scale : 1, room = (uint64_t)line->bar * 8;
    uint64_t had = row->keys_before, has = row->keys_after;
    int before = (int)(had * room / scale), after = (int)(has * room / scale);
    if (after > before && had < has) { /* shaded, then what it had before over it */
        for (int i = before / 8; i < (after + 7) / 8; i++) {
            canvas_put(c, x + i, y, style_owner(row->id), view_sign(c, 0x2593, '+'));
        }
        canvas_bar(c, x, y, before / 8 * 8, style_owner(row->id));
        return;
    }
    for (int i = 0; i < (before + 7) / 8; i++) {
        canvas_put(c, x + i, y, STYLE_DIM, view_sign(c, 0x2591, '.'));
    }
    canvas_bar(c, x, y, after, style_owner(row->id));
}

static void add_change(struct str *out, const struct placing_row *row, bool words)
{
    int64_t by = (int64_t)row->keys_after - (int64_t)row->keys_before;
    if (by == 0) {
        return;
    }
    const char *sign = words ? (by < 0 ? "shed " : "took ") : by < 0 ? "-" : "+";
    str_addf(out, "%s%s", sign, num_grouped(by < 0 ? -by : by).text);
}

static void draw_row(struct canvas *c, int x, int y, const struct placing *p, size_t index,
                     const struct line *line)
{
    const struct placing_row *row = &p->row[index];
    enum style style = style_owner(row->id);
    struct str text = STR_EMPTY;
    canvas_textf(c, x, y, style, "%c S%u", style_owner_letter(row->id), (unsigned)row->id);
    x += line->name;
    if (line->bar > 0) {
        draw_bar(c, x, y, line, row);
        x += line->bar + 1;
    }
    if (line->both && row->keys_before == row->keys_after) {
        x += line->number + 3;
    } else if (line->both) {
        canvas_text_right(c, x + line->number, y, STYLE_DIM,
                          row->before ? num_grouped((int64_t)row->keys_before).text : "new");
        x += line->number;
        canvas_put(c, x + 1, y, STYLE_DIM, view_sign(c, 0x2192, '>'));
        x += 3;
    }
    x += line->number;
    canvas_text_right(c, x, y, STYLE_TEXT,
                      row->after ? num_grouped((int64_t)row->keys_after).text : "gone");
    if (line->change > 0 && p->changed) {
        add_change(&text, row, line->words);
        bool took = row->keys_after > row->keys_before;
        canvas_text_right(c, x + line->change, y, took ? STYLE_MOVED : STYLE_TEXT, str_text(&text));
    } else if (line->change > 0) {
        str_addf(&text, "%s%%",
                 num_ratio((int64_t)row->keys_after, (int64_t)p->trial->moved.keys, 0).text);
        canvas_text_right(c, x + line->change, y, STYLE_DIM, str_text(&text));
    }
    str_free(&text);
}

void placing_draw_list(struct canvas *c, struct rect area, const struct placing *p,
                       int64_t selected, bool focused)
{
    if (area.w < 1 || area.h < 1) {
        return;
    }
    canvas_push(c, area);
    struct placing_list list = placing_list_of(p, area.w, area.h, selected);
    struct line line = line_of(p, list.width);
    for (int i = 0; i < list.columns * list.rows; i++) {
        size_t row = list.first + (size_t)i;
        if (row >= p->rows) {
            break;
        }
        int x = i / list.rows * (list.width + COLUMN_GAP), y = i % list.rows;
        canvas_push(c, (struct rect){x, y, list.width, 1});
        draw_row(c, 0, 0, p, row, &line);
        if ((int64_t)row == selected) {
            canvas_restyle(c, (struct rect){0, 0, line.name - 1, 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, 0, 0);
            }
        }
        canvas_pop(c);
    }
    canvas_pop(c);
}

void placing_draw_moves(struct canvas *c, int y, int rows, const struct placing *p)
{
    struct str text = STR_EMPTY;
    size_t pairs = 8;
    do { /* as many pairs as the room holds */
        str_clear(&text);
        placing_add_moves(&text, p, pairs);
    } while (pairs-- > 0 &&
             utf8_columns(str_text(&text), text.length) > rows * canvas_width(c) - 8 * (rows - 1));
    view_draw_wrapped(c, y, rows, STYLE_MOVED, str_text(&text));
    str_free(&text);
}
