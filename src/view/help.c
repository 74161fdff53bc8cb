/*
 * help: the keys that work here, in groups, and the bottom line made of the same rows.
 */
#include "view/help.h"

#include "base/utf8.h"
#include "view/inside.h"
#include <string.h>

#define KEYS_COLUMNS_MAX 24

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool contains(const char *text, const char *part)
{
    for (; *text != '\0'; text++) {
        size_t i = 0;
        while (part[i] != '\0' && lower(text[i]) == lower(part[i])) {
            i++;
        }
        if (part[i] == '\0') {
            return true;
        }
    }
    return part[0] == '\0';
}

size_t help_matching(const struct help_row *rows, size_t count, const char *filter, size_t *index)
{
    size_t found = 0;
    const char *part = filter != NULL ? filter : "";
    for (size_t i = 0; i < count; i++) {
        if (contains(rows[i].keys, part) || contains(rows[i].does, part) ||
            contains(rows[i].group, part)) {
            if (index != NULL) {
                index[found] = i;
            }
            found++;
        }
    }
    return found;
}

static bool matches(const struct help_row *row, const char *filter)
{
    return help_matching(row, 1, filter, NULL) == 1;
}

/* The line of the selected row when groups have headings and a gap before each but the first. */
struct line_walk {
    int line;
    const char *group;
    size_t match;
};

static void walk_heading(struct line_walk *walk, const struct help_row *row)
{
    if (walk->group == NULL || strcmp(walk->group, row->group) != 0) {
        walk->line += walk->group == NULL ? 1 : 2;
        walk->group = row->group;
    }
}

static void measure(const struct help_row *rows, size_t count, const struct help_state *state,
                    int *lines, int *selected_line, int *keys)
{
    struct line_walk walk = {0};
    *selected_line = 0;
    *keys = 0;
    for (size_t i = 0; i < count; i++) {
        if (!matches(&rows[i], state->filter)) {
            continue;
        }
        walk_heading(&walk, &rows[i]);
        int columns = utf8_columns(rows[i].keys, strlen(rows[i].keys));
        *keys = columns > *keys ? columns : *keys;
        if (walk.match == state->selected) {
            *selected_line = walk.line;
        }
        walk.line++;
        walk.match++;
    }
    *lines = walk.line;
}

static void draw_row(struct canvas *c, int y, int keys, const struct help_row *row, bool selected)
{
    int width = canvas_width(c);
    if (selected) {
        canvas_fill(c, (struct rect){0, y, width, 1}, STYLE_SELECTED, ' ');
        canvas_put(c, 0, y, STYLE_SELECTED, view_sign(c, 0x25B8, '>'));
        canvas_cursor(c, 0, y);
    }
    canvas_text_fit(c, 2, y, keys, selected ? STYLE_SELECTED : STYLE_KEYCAP, row->keys);
    canvas_text_fit(c, keys + 4, y, width - keys - 4, selected ? STYLE_SELECTED : STYLE_TEXT,
                    row->does);
}

static void draw_filter(struct canvas *c, size_t found, size_t count,
                        const struct help_state *state)
{
    bool filtered = state->filter != NULL && state->filter[0] != '\0';
    struct str text = STR_EMPTY;
    if (filtered) {
        str_addf(&text, "/%s   %zu of %zu", state->filter, found, count);
    } else {
        str_addf(&text, "%zu keys work here, / searches", count);
    }
    view_draw_line(c, 0, filtered ? STYLE_STRONG : STYLE_DIM, str_text(&text));
    str_free(&text);
}

void help_draw(struct canvas *c, const struct help_row *rows, size_t count,
               const struct help_state *state)
{
    int height = canvas_height(c), lines, selected_line, keys;
    size_t found = help_matching(rows, count, state->filter, NULL);
    struct help_state at = *state;
    at.selected = found > 0 && at.selected >= found ? found - 1 : at.selected;
    measure(rows, count, &at, &lines, &selected_line, &keys);
    keys = keys > KEYS_COLUMNS_MAX ? KEYS_COLUMNS_MAX : keys;
    draw_filter(c, found, count, &at);
    int y0 = height > 2 ? 2 : 1;
    if (found == 0) {
        view_draw_line(c, y0, STYLE_DIM, "no key matches that");
        return;
    }
    int body = height - y0;
    bool scrolls = lines > body && body > 2;
    body -= scrolls; /* a line for what is left out */
    int first = (int)view_list_first(0, selected_line, lines, body);
    struct line_walk walk = {0};
    for (size_t i = 0; i < count; i++) {
        if (!matches(&rows[i], at.filter)) {
            continue;
        }
        const char *group = walk.group;
        walk_heading(&walk, &rows[i]);
        int y = y0 + walk.line - first;
        if (walk.group != group && y - 1 >= y0 && y - 1 < y0 + body) {
            view_draw_line(c, y - 1, STYLE_STRONG, rows[i].group);
        }
        if (y >= y0 && y < y0 + body) {
            draw_row(c, y, keys, &rows[i], walk.match == at.selected);
        }
        walk.line++;
        walk.match++;
    }
    if (scrolls) {
        bool utf8 = canvas_glyphs(c) == GLYPHS_UTF8;
        struct str more = STR_EMPTY;
        if (first > 0) {
            str_addf(&more, "%s %d above  ", utf8 ? "▲" : "^", first);
        }
        if (lines - first > body) {
            str_addf(&more, "%s %d below", utf8 ? "▼" : "v", lines - first - body);
        }
        view_draw_line(c, height - 1, STYLE_DIM, str_text(&more));
        str_free(&more);
    }
}

/* The first of a row's keys: "space" of "space, enter". The key may be the comma itself. */
static size_t first_key(const struct help_row *row)
{
    size_t keys = strcspn(row->keys, ",");
    return keys > 0 ? keys : strlen(row->keys);
}

static int pair_columns(const struct help_row *row)
{
    return utf8_columns(row->keys, first_key(row)) + 1 + utf8_columns(row->does, strlen(row->does));
}

static int draw_pair(struct canvas *c, int x, int y, const struct help_row *row)
{
    x += canvas_textn(c, x, y, STYLE_KEYCAP, row->keys, first_key(row)) + 1;
    return x + canvas_text(c, x, y, STYLE_TEXT, row->does);
}

int key_line_draw(struct canvas *c, int y, const struct help_row *rows, size_t count)
{
    int width = canvas_width(c), gap = width >= 100 ? 3 : 2;
    int end = 1, x = 1;
    int right = width - 1; /* where those at the end begin */
    for (size_t i = 0; i < count; i++) {
        if (rows[i].at_end && right - pair_columns(&rows[i]) > 0) {
            right -= pair_columns(&rows[i]) + gap;
        }
    }
    for (size_t i = 0; i < count; i++) {
        /* Where one does not fit, a later, shorter one still may. */
        if (!rows[i].at_end && x + pair_columns(&rows[i]) <= right) {
            end = draw_pair(c, x, y, &rows[i]);
            x = end + gap;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (rows[i].at_end && x + pair_columns(&rows[i]) <= width) {
            end = draw_pair(c, x, y, &rows[i]);
            x = end + gap;
        }
    }
    return end;
}
