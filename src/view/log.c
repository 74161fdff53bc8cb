/*
 * log: a slot's entries in its shard's log as a ruler, and how far the other shard has applied
 * them.
 *
 * Two rulers have one scale. The upper one is the log of the shard that accepts: the snapshot, what
 * was written since, the fence. The lower one ends where the other shard has got to. What lies
 * between is the tail, and stands below entry by entry, with its position, its key and what was
 * done. Positions count the slot's entries since the snapshot; snapshot and fence have their
 * position in the whole log beside them. After a commit with "reverse" the rulers show the stream
 * back. Signs: + a like, = an edit, # a flush, $ an account's, F the fence.
 * Argument: "log", "log:12067", "log:post:{p9}"; see moving.h. Selection: an entry of the tail.
 */
#include "view/log_parts.h"
#include <stdio.h>
#include <string.h>

#define TOLD 24
#define MIN_ROWS 8
#define LIST_MOST 84 /* columns of an entry */
#define LABEL 4      /* columns of "S2 " before a ruler */
#define STEP_MAX 4   /* columns of an entry */

static enum style sign_style(char sign)
{
    return sign == 'F' ? STYLE_WARN : sign == '+' ? STYLE_STRONG : STYLE_CODE;
}

/* --- rulers -------------------------------------------------------------------------------- */

struct ruler {
    int x, width, step;
    uint32_t first; /* the first entry in sight; 1: the snapshot too */
};

static struct ruler ruler_of(const struct logged *l, int w)
{
    struct ruler out = {.x = LABEL, .width = w - LABEL - 1, .first = 1};
    out.width = out.width < 1 ? 1 : out.width;
    int64_t fit = out.width / ((int64_t)l->end + 1);
    out.step = (int)view_clamp(fit, 1, STEP_MAX);
    if (fit == 0) {
        out.first = l->end - (uint32_t)(out.width - 3) + 1; /* two columns for the break */
        out.first = out.width < 4 ? l->end : out.first;
    }
    return out;
}

/* The column of an entry, 0 the snapshot; entries before the first in sight are at the break. */
static int column_of(const struct ruler *r, uint32_t number)
{
    if (number < r->first) {
        return r->x + (r->first > 1 && number > 0 ? 1 : 0);
    }
    uint32_t place = number - r->first + 1;
    return r->x + (r->first > 1 ? 1 : 0) + (int)place * r->step;
}

/* Never applied, and never will be. */
static bool is_lost(const struct logged *l)
{
    return l->over && l->k.m.phase == MOVE_COMMITTED && l->end > l->applied;
}

/* The line of a ruler over columns from..to; entries between them are ticks where they have room.
 */
static void draw_span(struct canvas *c, int y, const struct ruler *r, int from, int to,
                      enum style style)
{
    for (int x = from; x <= to; x++) {
        canvas_put(c, x, y, style, view_sign(c, 0x2501, '-'));
    }
    for (int x = r->x + r->step; r->step > 1 && r->first == 1 && x <= to; x += r->step) {
        if (x >= from) {
            canvas_put(c, x, y, style, view_sign(c, 0x253F, '|'));
        }
    }
}

static void draw_break(struct canvas *c, int y, const struct ruler *r)
{
    if (r->first > 1) {
        canvas_put(c, r->x + 1, y, STYLE_DIM, view_sign(c, 0x2026, '~'));
    }
}

static void draw_source(struct canvas *c, int y, const struct logged *l, const struct ruler *r,
                        int64_t selected)
{
    moving_draw_shard(c, 0, y, l->from);
    draw_span(c, y, r, r->x, column_of(r, l->end), style_owner(l->from));
    if (is_lost(l)) {
        int from = column_of(r, l->applied) + 1;
        canvas_restyle(c, (struct rect){from, y, column_of(r, l->end) - from + 1, 1}, STYLE_BAD);
    }
    canvas_put(c, r->x, y, STYLE_CODE, view_sign(c, 0x25C6, '*'));
    draw_break(c, y, r);
    for (uint32_t i = 0; i < l->entries; i++) {
        if (l->entry[i].number >= r->first) {
            char sign = log_sign(l, i);
            canvas_put(c, column_of(r, l->entry[i].number), y,
                       i == selected ? STYLE_SELECTED : sign_style(sign), (uint32_t)sign);
        }
    }
    if (l->fence > 0 && l->fence <= l->applied) { /* no longer in the tail */
        canvas_put(c, column_of(r, l->fence), y, STYLE_WARN, 'F');
    }
}

static void draw_target(struct canvas *c, int y, const struct logged *l, const struct ruler *r)
{
    int at = column_of(r, l->applied), end = column_of(r, l->end);
    moving_draw_shard(c, 0, y, l->to);
    for (int x = at + 1; x <= end; x++) {
        canvas_put(c, x, y, is_lost(l) ? STYLE_BAD : STYLE_DIM,
                   is_lost(l) ? view_sign(c, 0xD7, 'x') : view_sign(c, 0x2504, '.'));
    }
    draw_span(c, y, r, r->x, at, style_owner(l->to));
    draw_break(c, y, r);
    canvas_put(c, at, y, style_owner(l->to), view_sign(c, 0x25B6, '>'));
}

/* Under the upper ruler: where snapshot and fence are in the whole log. */
static void draw_positions(struct canvas *c, int y, const struct logged *l, const struct ruler *r)
{
    int w = canvas_width(c);
    struct num_text snapshot = num_grouped((int64_t)l->k.m.snapshot_position);
    struct num_text fence = num_grouped((int64_t)l->k.m.fence_position);
    struct str from = STR_EMPTY, to = STR_EMPTY;
    for (int brief = 0; brief < 2; brief++) {
        str_clear(&from);
        str_clear(&to);
        if (l->back) {
            str_add(&from, "commit");
        } else {
            str_addf(&from, brief ? "at %s" : "snapshot at %s", snapshot.text);
        }
        if (l->fence > 0) {
            str_addf(&to, brief ? "fence %s" : "fence at %s", fence.text);
        } else if (l->end > 0) {
            str_addf(&to, "entry %u", (unsigned)l->end);
        }
        if ((int)(from.length + to.length) + 2 <= w - r->x) {
            break;
        }
    }
    int x = r->x + canvas_text_fit(c, r->x, y, w - r->x, STYLE_CODE, str_text(&from)) + 2;
    int at = column_of(r, l->end) - (int)to.length + 1;
    at = at < x ? x : at;
    if (at + (int)to.length <= w) {
        canvas_text(c, at, y, l->fence > 0 ? STYLE_WARN : STYLE_DIM, str_text(&to));
    }
    str_free(&from);
    str_free(&to);
}

/* Under the lower one: how far it has come, and what lies between. */
static void draw_applied(struct canvas *c, int y, const struct logged *l, const struct ruler *r)
{
    struct str text = STR_EMPTY;
    uint32_t behind = l->end - l->applied;
    int w = canvas_width(c), at = column_of(r, l->applied), end = w;
    if (behind > 0 && !moving_copying(&l->k.m)) {
        if (is_lost(l) || !l->over) {
            str_addf(&text, is_lost(l) ? "%u never" : "%u behind", (unsigned)behind);
        }
        int x = at + 2;
        x = x + (int)text.length > w ? w - (int)text.length : x;
        canvas_text(c, x, y, is_lost(l) ? STYLE_BAD : STYLE_WARN, str_text(&text));
        end = x - 2;
        str_clear(&text);
    }
    if (moving_copying(&l->k.m)) {
        str_add(&text, "the copy is under way");
    } else {
        str_addf(&text, "applied %u", (unsigned)l->applied);
    }
    int x = at - (int)text.length + 1;
    x = x + (int)text.length > end ? end - (int)text.length : x;
    x = x < r->x ? r->x : x;
    canvas_text_fit(c, x, y, end - x, STYLE_DIM, str_text(&text));
    str_free(&text);
}

/* --- the whole ----------------------------------------------------------------------------- */

struct shape {
    int positions, target, applied; /* lines; 0: no room */
    int list, rows;
};

static struct shape shape_of(int h)
{
    struct shape out = {.positions = h >= 7 ? 2 : 0, .applied = h >= 12 ? 4 : 0};
    out.target = out.positions > 0 ? 3 : h >= 3 ? 2 : 1;
    out.list = out.target + 1 + (out.applied > 0) + (h >= 16);
    out.rows = h > out.list ? h - out.list : 0;
    return out;
}

static int64_t selected_entry(const struct logged *l, const struct view_state *v)
{
    return v->has_selection && l->entries > 0 ? view_clamp(v->selected, 0, l->entries - 1) : 0;
}

static void draw_entry(struct canvas *c, int y, const struct logged *l, uint32_t at)
{
    int w = canvas_width(c) > LIST_MOST ? LIST_MOST : canvas_width(c), x = 6;
    char sign = log_sign(l, at);
    struct str text = STR_EMPTY;
    canvas_text_right(c, 4, y, STYLE_DIM, num_grouped(l->entry[at].number).text);
    canvas_put(c, 5, y, sign_style(sign), (uint32_t)sign);
    log_add_key(&text, l, at);
    int name = l->name;
    name = name > w - 22 ? w - 22 : name;
    name = name < 4 ? 4 : name;
    canvas_text_fit(c, x + 1, y, name, sign == 'F' ? STYLE_WARN : STYLE_CODE, str_text(&text));
    x += name + 2;
    str_clear(&text);
    log_add_entry(&text, l, at, w - x);
    int taken =
        canvas_text_fit(c, x, y, w - x, sign == 'F' ? STYLE_WARN : STYLE_TEXT, str_text(&text));
    str_clear(&text);
    moving_add_ago(&text, world_now(l->k.w) - l->entry[at].appended_us);
    if (x + taken + 2 + (int)text.length <= w) {
        canvas_text_right(c, w, y, STYLE_DIM, str_text(&text));
    }
    str_free(&text);
}

static void draw_list(struct canvas *c, const struct logged *l, const struct view_state *v,
                      const struct shape *shape, bool focused)
{
    struct str text = STR_EMPTY;
    if (l->entries == 0) {
        log_add_empty(&text, l);
        view_draw_wrapped(c, shape->list, shape->rows, STYLE_DIM, str_text(&text));
        str_free(&text);
        return;
    }
    int64_t at = selected_entry(l, v);
    bool more = l->waiting > (uint32_t)shape->rows && shape->rows > 1;
    int rows = more ? shape->rows - 1 : shape->rows;
    int64_t first = view_list_first(v->scroll, at, l->entries, rows);
    for (int i = 0; i < rows && first + i < l->entries; i++) {
        draw_entry(c, shape->list + i, l, (uint32_t)(first + i));
        if (first + i == at && (focused || v->has_selection)) {
            canvas_restyle(c, (struct rect){0, shape->list + i, 5, 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, 0, shape->list + i);
            }
        }
    }
    if (more) {
        str_addf(&text, "entries %u-%u of %u in the tail", (unsigned)first + 1,
                 (unsigned)first + (unsigned)rows, (unsigned)l->waiting);
        view_draw_line(c, canvas_height(c) - 1, STYLE_DIM, str_text(&text));
    }
    str_free(&text);
}

static void draw_none(struct canvas *c, const struct moving *k)
{
    struct str text = STR_EMPTY;
    moving_add_none(&text, k);
    str_add(&text, k->known ? ": nobody follows its log" : "");
    view_draw_note(c, str_text(&text));
    str_free(&text);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct logged l;
    int w = canvas_width(c), h = canvas_height(c);
    if (w < 1 || h < 1) {
        return;
    }
    if (!log_open(&l, s, v)) {
        draw_none(c, &l.k);
        return;
    }
    struct shape shape = shape_of(h);
    struct ruler ruler = ruler_of(&l, w);
    struct str text = STR_EMPTY;
    int64_t selected = focused || v->has_selection ? selected_entry(&l, v) : -1;
    enum style style = log_add_behind(&text, &l, w < 66);
    if (shape.target >= 2) {
        moving_draw_head(c, &l.k, str_text(&text), style);
    }
    draw_source(c, shape.target >= 2 ? 1 : 0, &l, &ruler, selected);
    draw_target(c, shape.target, &l, &ruler);
    if (shape.positions > 0) {
        draw_positions(c, shape.positions, &l, &ruler);
    }
    if (shape.applied > 0) {
        draw_applied(c, shape.applied, &l, &ruler);
    }
    draw_list(c, &l, v, &shape, focused);
    str_free(&text);
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct logged l;
    return log_open(&l, s, v) ? (int)view_clamp(5 + (int64_t)l.waiting, MIN_ROWS, 14) : 3;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct logged l;
    if (!log_open(&l, s, v) || l.entries == 0 || w < 1 || h < 1) {
        return false;
    }
    struct shape shape = shape_of(h);
    int64_t at = selected_entry(&l, v);
    bool begun = v->has_selection;
    if (!view_list_move(&at, l.entries, verb, shape.rows) && (begun || verb != VERB_UP)) {
        return false;
    }
    v->has_selection = true;
    v->selected = at;
    v->scroll = view_list_first(v->scroll, at, l.entries, shape.rows > 1 ? shape.rows - 1 : 1);
    return true;
}

/* --- words --------------------------------------------------------------------------------- */

static void tell_entries(struct str *out, const struct logged *l)
{
    struct str line = STR_EMPTY;
    for (uint32_t i = 0; i < l->entries && i < TOLD; i++) {
        str_clear(&line);
        str_addf(&line, "entry %u  ", (unsigned)l->entry[i].number);
        log_add_key(&line, l, i);
        str_add(&line, ": ");
        log_add_entry(&line, l, i, TELL_COLUMNS);
        str_add(&line, ", ");
        moving_add_ago(&line, world_now(l->k.w) - l->entry[i].appended_us);
        str_addc(&line, '.');
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 4);
    }
    if (l->waiting > TOLD) {
        str_addf(out, "and %u more\n", (unsigned)l->waiting - TOLD);
    }
    str_free(&line);
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct logged l;
    struct str line = STR_EMPTY;
    if (!log_open(&l, s, v)) {
        moving_add_none(&line, &l.k);
        str_add(&line, l.k.known ? ": nobody follows its log." : ".");
        line.text[0] = (char)(line.text[0] - 'a' + 'A');
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
        str_free(&line);
        return;
    }
    const struct move_info *m = &l.k.m;
    str_addf(&line, "Slot %u: the log of S%u, and how far S%u has applied it.", (unsigned)l.k.slot,
             (unsigned)l.from, (unsigned)l.to);
    if (l.back) {
        str_add(&line, " This is the stream back, behind the commit.");
    } else {
        str_addf(&line, " The snapshot was taken at position %s of the log.",
                 num_grouped((int64_t)m->snapshot_position).text);
    }
    str_addf(&line, " Entries of the slot since: %u. Applied at S%u: %u.", (unsigned)l.end,
             (unsigned)l.to, (unsigned)l.applied);
    if (l.fence > 0) {
        str_addf(&line, " The fence is entry %u, position %s of the log.", (unsigned)l.fence,
                 num_grouped((int64_t)m->fence_position).text);
    }
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    str_clear(&line);
    if (l.entries > 0) {
        str_add(out, "In the tail, oldest first:\n");
        tell_entries(out, &l);
    } else {
        log_add_empty(&line, &l);
        str_addc(&line, '.');
        line.text[0] = (char)(line.text[0] >= 'a' ? line.text[0] - 'a' + 'A' : line.text[0]);
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    }
    str_free(&line);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct logged l;
    if (!log_open(&l, s, v)) {
        return l.k.known ? (struct subject){.kind = SUBJECT_SLOT, .id = l.k.slot}
                         : (struct subject){.kind = SUBJECT_NONE};
    }
    uint32_t key = l.entries == 0 ? KEY_NONE_ID : l.entry[selected_entry(&l, v)].key;
    return key == KEY_NONE_ID ? (struct subject){.kind = SUBJECT_SLOT, .id = l.k.slot}
                              : (struct subject){.kind = SUBJECT_KEY, .id = key};
}

const struct view view_log = {
    .name = "log",
    .title = "The log and its tail",
    .min_rows = MIN_ROWS,
    .want_rows = 14,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
