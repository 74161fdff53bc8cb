/*
 * ranges: the key space as a line, cut where one range ends and the next begins.
 *
 * The line is as long as there are keys: a range's part of it is its part of the keys, before (when
 * something moved) and now. Below it a table with a line a range, where it begins, who has it, its
 * keys and its load, and what of it moved. Argument: which placing. Selection: a range. Shows every
 * scheme that has ranges (place/range.h), in the order of that scheme's space.
 */
#include "base/utf8.h"
#include "view/ranges_parts.h"

#include <ctype.h>

static size_t selected_range(const struct view_state *v, const struct picture *r)
{
    if (v->has_selection) {
        return (size_t)view_clamp(v->selected, 0, (int64_t)r->ranges - 1);
    }
    return r->lookup < r->ranges ? r->lookup : 0;
}

enum line {
    LINE_BEFORE,
    LINE_NOW,
    LINE_LOAD
};

/* --- the line ------------------------------------------------------------------------------ */

/* Each range has a part of the line, by its keys or by its load. */
static void draw_strip(struct canvas *c, int y, const struct picture *r, enum line line,
                       int64_t selected)
{
    static const char *const name[] = {"before", "now", "load"};
    const struct one *range = line == LINE_BEFORE ? r->was : r->range;
    size_t ranges = line == LINE_BEFORE ? r->olds : r->ranges;
    int left = canvas_width(c) >= 36 ? 7 : 0, width = canvas_width(c) - left;
    uint64_t all = (line == LINE_LOAD ? r->load : r->keys) + ranges, sum = 0;
    if (left > 0) {
        canvas_text(c, 0, y, STYLE_DIM, name[line]);
    }
    for (size_t i = 0; i < ranges; i++) {
        int from = left + (int)((double)sum / (double)all * width);
        sum += (line == LINE_LOAD ? range[i].load : range[i].keys) + 1; /* empty: still in sight */
        int to = left + (int)((double)sum / (double)all * width);
        char letter = style_owner_letter(range[i].id);
        bool moved = line != LINE_BEFORE && range[i].moved > 0;
        for (int x = from; x < to; x++) {
            uint32_t sign = (uint32_t)(moved ? toupper((unsigned char)letter) : letter);
            if (x == from && i > 0 && to - from > 1) {
                sign = view_sign(c, 0x2502, '|');
            }
            canvas_put(c, x, y, moved ? STYLE_MOVED : style_owner(range[i].id), sign);
        }
        if ((int64_t)i == selected && to > from) {
            canvas_restyle(c, (struct rect){from, y, to - from, 1}, STYLE_SELECTED);
        }
    }
}

/* --- the table ----------------------------------------------------------------------------- */

struct columns {
    int first, shard, keys, load, moved, bar; /* widths; 0: not shown */
    bool words;                               /* "1,250 from S0" */
};

static bool has_load(const struct picture *r)
{
    return r->load != r->keys;
}

static struct columns columns_of(const struct picture *r, int width)
{
    struct columns out = {.shard = 7, .keys = width >= 24 ? 9 : 0};
    int left = width - out.shard - out.keys - 12;
    if (r->p.changed && left >= 9) {
        out.words = left >= 24;
        out.moved = out.words ? 16 : 9;
        left -= out.moved;
    }
    if (has_load(r) && left >= 9) {
        out.load = 10;
        left -= out.load;
    }
    out.first = 12 + (left > 20 ? 20 : left < 0 ? 0 : left);
    out.bar = left >= 20 + 10 ? left - 20 - 2 : 0;
    out.bar = out.bar > 50 ? 50 : out.bar;
    return out;
}

static void add_moved(struct str *out, const struct one *one, bool words)
{
    if (one->moved > 0 && words) {
        str_addf(out, "%s from S%u", num_grouped((int64_t)one->moved).text, (unsigned)one->from);
    } else if (one->moved > 0) {
        str_addf(out, "+%s", num_grouped((int64_t)one->moved).text);
    }
}

/* Its part of the largest: of the load, where there is one. */
static void draw_bar(struct canvas *c, int x, int y, int columns, const struct picture *r,
                     const struct one *one)
{
    uint64_t most = 1;
    for (size_t i = 0; i < r->ranges; i++) {
        uint64_t amount = has_load(r) ? r->range[i].load : r->range[i].keys;
        most = amount > most ? amount : most;
    }
    uint64_t amount = has_load(r) ? one->load : one->keys;
    canvas_bar(c, x, y, (int)((double)amount / (double)most * columns * 8), style_owner(one->id));
}

static void draw_row(struct canvas *c, int y, const struct picture *r, const struct columns *w,
                     size_t index)
{
    const struct one *one = &r->range[index];
    struct str text = STR_EMPTY;
    ranges_add_first_in(&text, r, index, w->first - 1, canvas_glyphs(c) == GLYPHS_UTF8);
    canvas_text_fit(c, 0, y, w->first - 1, STYLE_CODE, str_text(&text));
    int x = w->first;
    canvas_textf(c, x, y, style_owner(one->id), "%c S%u", style_owner_letter(one->id),
                 (unsigned)one->id);
    x += w->shard;
    if (w->keys > 0) {
        x += w->keys;
        canvas_text_right(c, x, y, STYLE_TEXT, num_grouped((int64_t)one->keys).text);
    }
    if (w->load > 0) {
        x += w->load;
        canvas_text_right(c, x, y, STYLE_TEXT, num_grouped((int64_t)one->load).text);
    }
    if (w->moved > 0) {
        str_clear(&text);
        add_moved(&text, one, w->words);
        x += w->moved;
        canvas_text_right(c, x, y, STYLE_MOVED, str_text(&text));
    }
    if (w->bar > 0) {
        draw_bar(c, x + 2, y, w->bar, r, one);
    }
    str_free(&text);
}

static void draw_heading(struct canvas *c, int y, const struct columns *w)
{
    int x = w->first + w->shard;
    canvas_text_fit(c, 0, y, w->first - 1, STYLE_DIM, "from key");
    canvas_text(c, w->first, y, STYLE_DIM, "shard");
    if (w->keys > 0) {
        x += w->keys;
        canvas_text_right(c, x, y, STYLE_DIM, "keys");
    }
    if (w->load > 0) {
        x += w->load;
        canvas_text_right(c, x, y, STYLE_DIM, "load");
    }
    if (w->moved > 0) {
        canvas_text_right(c, x + w->moved, y, STYLE_DIM, w->words ? "moved here" : "took");
    }
}

/* Lines of a pane. */
struct shape {
    int was, now, load, heading; /* y, or -1 */
    int table, rows, foot;       /* y of the table, its lines, y of what follows or -1 */
};

static struct shape shape_of(const struct picture *r, int h)
{
    struct shape out = {.was = -1, .load = -1, .heading = -1, .foot = -1};
    int y = 0;
    if (r->was != NULL && r->p.changed && h >= 5) {
        out.was = y++;
    }
    out.now = y++;
    if (has_load(r) && h >= 8) {
        out.load = y++;
    }
    if (h >= 9) {
        y++;
    }
    if (h >= 6) {
        out.heading = y++;
    }
    out.table = y;
    int foot = h >= 12 ? 2 : h >= 4 ? 1 : 0;
    out.foot = foot > 0 ? h - foot : -1;
    out.rows = h - foot - y;
    out.rows = out.rows < 1 ? 1 : out.rows;
    return out;
}

static void add_selected(struct str *out, const struct picture *r, size_t at)
{
    const struct one *one = &r->range[at];
    str_addf(out, "range %zu of %zu, from ", at + 1, r->ranges);
    ranges_add_first(out, one);
    str_addf(out, ": S%u, %s keys", (unsigned)one->id, num_grouped((int64_t)one->keys).text);
    if (has_load(r)) {
        str_addf(out, ", %s%% of the load",
                 num_ratio((int64_t)one->load, (int64_t)r->load, 1).text);
    }
    if (r->lookup == at) {
        str_add(out, "; holds ");
        view_add_key(out, bytes_of(r->key));
    }
}

static void draw_foot(struct canvas *c, int y, const struct picture *r, size_t at)
{
    struct str text = STR_EMPTY;
    add_selected(&text, r, at);
    if (r->p.changed && canvas_height(c) - y > 1) {
        placing_draw_moves(c, y++, 1, &r->p);
    }
    view_draw_wrapped(c, y, canvas_height(c) - y, STYLE_TEXT, str_text(&text));
    str_free(&text);
}

static void draw_ranges(struct canvas *c, const struct picture *r, const struct view_state *v,
                        bool focused)
{
    int h = canvas_height(c);
    size_t at = selected_range(v, r);
    struct shape shape = shape_of(r, h);
    struct columns w = columns_of(r, canvas_width(c));
    bool marked = focused || v->has_selection;
    if (shape.was >= 0) {
        draw_strip(c, shape.was, r, LINE_BEFORE, -1);
    }
    draw_strip(c, shape.now, r, LINE_NOW, marked ? (int64_t)at : -1);
    if (shape.load >= 0) {
        draw_strip(c, shape.load, r, LINE_LOAD, marked ? (int64_t)at : -1);
    }
    if (shape.heading >= 0) {
        draw_heading(c, shape.heading, &w);
    }
    int64_t first = view_list_first(v->scroll, (int64_t)at, (int64_t)r->ranges, shape.rows);
    for (int i = 0; i < shape.rows && first + i < (int64_t)r->ranges; i++) {
        size_t index = (size_t)(first + i);
        int y = shape.table + i;
        draw_row(c, y, r, &w, index);
        if (index == r->lookup && w.shard > 5) {
            canvas_put(c, w.first - 1, y, STYLE_STRONG, view_sign(c, 0x25C6, '@'));
        }
        if (index == at && marked) {
            canvas_restyle(c, (struct rect){0, y, w.first - 1, 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, 0, y);
            }
        }
    }
    if (shape.foot >= 0) { /* after a short table, or at the bottom */
        int64_t after = shape.table + (int64_t)r->ranges + 1;
        draw_foot(c, after < shape.foot ? (int)after : shape.foot, r, at);
    }
}

/* What to say when there is nothing to draw. */
static void add_note(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct placing p;
    if (placing_open(&p, s, v->argument)) {
        placing_add_elsewhere(out, &p, "ranges of keys");
        placing_close(&p);
    } else {
        str_add(out, placing_none());
    }
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct picture r;
    if (!ranges_open(&r, s, v->argument)) {
        struct str text = STR_EMPTY;
        add_note(&text, s, v);
        view_draw_note(c, str_text(&text));
        str_free(&text);
        return;
    }
    draw_ranges(c, &r, v, focused);
    ranges_close(&r);
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct picture r;
    if (w < 1 || h < 1 || !ranges_open(&r, s, v->argument)) {
        return false;
    }
    int64_t at = (int64_t)selected_range(v, &r);
    int rows = shape_of(&r, h).rows;
    verb = verb == VERB_LEFT ? VERB_UP : verb == VERB_RIGHT ? VERB_DOWN : verb;
    bool changed = view_list_move(&at, (int64_t)r.ranges, verb, rows);
    if (changed) {
        v->has_selection = true;
        v->selected = at;
        v->scroll = view_list_first(v->scroll, at, (int64_t)r.ranges, rows);
    }
    ranges_close(&r);
    return changed;
}

/* --- words --------------------------------------------------------------------------------- */

#define TOLD_RANGES 64

static void tell_range(struct str *out, const struct picture *r, size_t index)
{
    const struct one *one = &r->range[index];
    struct str text = STR_EMPTY;
    str_addf(out, "S%-5u %8s ", (unsigned)one->id, num_grouped((int64_t)one->keys).text);
    str_addf(out, "%9s  ", num_grouped((int64_t)one->load).text);
    add_moved(&text, one, true);
    str_addf(out, "%-18s", str_text(&text));
    str_clear(&text);
    ranges_add_first_in(&text, r, index, 28, true);
    size_t fit = utf8_fit(str_text(&text), text.length, 28);
    str_addn(out, str_text(&text), fit);
    str_addc(out, '\n');
    str_free(&text);
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct picture r;
    struct str text = STR_EMPTY;
    if (!ranges_open(&r, s, v->argument)) {
        add_note(&text, s, v);
        str_addc(&text, '.');
        view_add_wrapped(out, str_text(&text), TELL_COLUMNS, 0);
        str_free(&text);
        return;
    }
    placing_add_title(&text, &r.p);
    str_addf(&text, "; %zu range%s, in order.", r.ranges, view_plural(r.ranges));
    view_add_wrapped(out, str_text(&text), TELL_COLUMNS, 2);
    str_add(out, "shard      keys      load  moved here        from key\n");
    for (size_t i = 0; i < r.ranges && i < TOLD_RANGES; i++) {
        tell_range(out, &r, i);
    }
    if (r.ranges > TOLD_RANGES) {
        str_addf(out, "and %zu more\n", r.ranges - TOLD_RANGES);
    }
    placing_tell_shards(out, &r.p);
    if (r.lookup < r.ranges || v->has_selection) {
        str_clear(&text);
        add_selected(&text, &r, selected_range(v, &r));
        str_addc(&text, '.');
        view_add_wrapped(out, str_text(&text), TELL_COLUMNS, 2);
    }
    str_free(&text);
    ranges_close(&r);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    (void)v;
    (void)s;
    return (struct subject){.kind = SUBJECT_NONE}; /* a trial's shards are in no world */
}

const struct view view_ranges = {
    .name = "ranges",
    .title = "Ranges of keys",
    .min_rows = 8,
    .want_rows = 24,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
