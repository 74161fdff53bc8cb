/*
 * lineage: which parts of one system came from which, what is in them, and how far their readers
 * are.
 *
 * A tree, a line a part: a child stands below its parent (one that was merged below the first of
 * its two, whose other says so). Then its state, the records that were written to it and, as a bar,
 * how many of them were read; a child that is not read before its parent waits for it. A mark
 * stands at the parts in whose range the key lies that was asked for most. Systems without readers
 * show what is asked of a part now, and its bytes. Below: the reader, and what was read out of
 * order first; while the page's question is open nothing is said of reading. Argument: the
 * system's name. Selection: a part.
 */
#include "view/managed.h"

#include <stdio.h>
#include <string.h>

#define MIN_ROWS 8
#define TOLD 24
#define DEPTH_MOST 8
#define WIDE_FIGURES 80

struct branch {
    uint32_t part; /* place among the parts */
    uint32_t depth;
    bool last;      /* no sister below it */
    uint32_t lines; /* a bit a depth: a line passes there */
};

struct tree {
    struct managed m;
    uint32_t rows;
    struct branch row[SYSTEM_PARTS_MAX];
    bool has_key;
    struct system_key_info key; /* asked for most, since it is on */
};

static int64_t place_of(const struct managed *m, uint16_t number)
{
    for (uint32_t i = 0; i < m->parts; i++) {
        if (m->part[i].number == number) {
            return i;
        }
    }
    return -1;
}

/* The parent below which it stands; -1: none that is known. */
static int64_t parent_of(const struct managed *m, uint32_t part)
{
    const struct part_info *p = &m->part[part];
    for (int i = 0; i < 2; i++) {
        int64_t at = p->parent[i] != NO_PART ? place_of(m, p->parent[i]) : -1;
        if (at >= 0 && at != (int64_t)part) {
            return at;
        }
    }
    return -1;
}

/* The next child of a parent (-1: the next root) from place `from` on; the count: none. */
static uint32_t next_child(const struct managed *m, int64_t parent, uint32_t from)
{
    while (from < m->parts && parent_of(m, from) != parent) {
        from++;
    }
    return from;
}

/* Depth first, without recursion: where each depth goes on is kept. */
static void grow(struct tree *t)
{
    const struct managed *m = &t->m;
    struct {
        int64_t parent;
        uint32_t next;
    } at[SYSTEM_PARTS_MAX + 1];
    uint32_t depth = 0, lines = 0;
    at[0].parent = -1;
    at[0].next = next_child(m, -1, 0);
    t->rows = 0;
    for (;;) {
        if (at[depth].next >= m->parts) {
            if (depth == 0) {
                return;
            }
            depth--;
            continue;
        }
        uint32_t part = at[depth].next;
        at[depth].next = next_child(m, at[depth].parent, part + 1);
        bool last = at[depth].next >= m->parts;
        lines =
            depth > 0 && depth < 32 && !last ? lines | 1u << depth : lines & ~(1u << depth % 32);
        if (t->rows == SYSTEM_PARTS_MAX) {
            return;
        }
        t->row[t->rows++] =
            (struct branch){.part = part, .depth = depth, .last = last, .lines = lines};
        if (depth < SYSTEM_PARTS_MAX) {
            depth++;
            at[depth].parent = part;
            at[depth].next = next_child(m, part, 0);
        }
    }
}

static bool tree_open(struct tree *out, const struct scene *s, const struct view_state *v)
{
    out->rows = 0;
    out->has_key = false;
    if (!managed_open(&out->m, s, across_argument(v)) || out->m.parts == 0) {
        return false;
    }
    grow(out);
    uint32_t keys = world_system_keys(out->m.w, out->m.id);
    for (uint32_t i = 0; i < keys; i++) {
        struct system_key_info key = world_system_key(out->m.w, out->m.id, i);
        uint64_t asked = managed_asked(&key.sum);
        if (asked > 0 && (!out->has_key || asked > managed_asked(&out->key.sum))) {
            out->has_key = true;
            out->key = key;
        }
    }
    return out->rows > 0;
}

static const struct part_info *part_of(const struct tree *t, uint32_t row)
{
    return &t->m.part[t->row[row].part];
}

static bool has_the_key(const struct tree *t, const struct part_info *p)
{
    if (!t->has_key) {
        return false;
    }
    return t->m.id == SYSTEM_KAFKA ? p->number == t->key.part
                                   : u128_order(p->first, t->key.position) <= 0 &&
                                         u128_order(t->key.position, p->last) <= 0;
}

/* The nearest forebear that is not read to its end; NO_PART: none. */
static uint16_t waits_for(const struct tree *t, const struct part_info *p)
{
    const struct managed *m = &t->m;
    for (int i = 0; i < 2 && p->paused; i++) {
        int64_t at = p->parent[i] != NO_PART ? place_of(m, p->parent[i]) : -1;
        for (uint32_t steps = 0; at >= 0 && steps < m->parts; steps++) {
            if (m->part[at].unread > 0) {
                return m->part[at].number;
            }
            at = parent_of(m, (uint32_t)at);
        }
    }
    return NO_PART;
}

/* --- words --------------------------------------------------------------------------------- */

static void add_headline(struct str *out, const struct managed *m, bool brief)
{
    str_addf(out, "%s: %u open", m->words->title, (unsigned)m->i.parts);
    if (m->i.copying > 0) {
        str_addf(out, ", %u copying", (unsigned)m->i.copying);
    }
    if (m->i.closed > 0) {
        str_addf(out, ", %u closed", (unsigned)m->i.closed);
    }
    if (m->i.expired > 0) {
        str_addf(out, ", %u expired", (unsigned)m->i.expired);
    }
    if (!m->asking && !brief && m->i.splits + m->i.joins > 0) {
        str_add(out, "; ");
        managed_add_count(out, m->i.splits, "split", "splits");
        if (m->i.joins > 0) {
            str_add(out, ", ");
            managed_add_count(out, m->i.joins, "merge", "merges");
        }
    }
}

/* What becomes of its records, or whose parent it is besides. */
static enum style add_note(struct str *out, const struct tree *t, const struct part_info *p,
                           bool wide)
{
    uint16_t waits = waits_for(t, p);
    bool stream = t->m.words->stream && !t->m.asking;
    int64_t child = p->child[0] != NO_PART ? place_of(&t->m, p->child[0]) : -1;
    int64_t above = child >= 0 ? parent_of(&t->m, (uint32_t)child) : -1;
    if (stream && waits != NO_PART) {
        str_addf(out, wide ? "waits for %s %u" : "after %s%u", wide ? t->m.words->part : "",
                 (unsigned)waits);
        return STYLE_WARN;
    }
    if (child >= 0 && above >= 0 && t->m.part[above].number != p->number) {
        str_addf(out, "also > %u", (unsigned)t->m.part[child].number);
        return STYLE_DIM;
    }
    if (!stream || p->records == 0) {
        return STYLE_DIM;
    }
    if (p->unread == 0) {
        str_add(out, wide ? "read to its end" : "all");
        return STYLE_GOOD;
    }
    if (p->paused) {
        str_add(out, wide ? "nobody reads it" : "paused");
        return STYLE_WARN;
    }
    str_addf(out, wide ? "%s not read" : "%s", num_grouped((int64_t)p->unread).text);
    return STYLE_TEXT;
}

static void add_row_words(struct str *out, const struct tree *t, const struct part_info *p)
{
    managed_add_part_facts(out, &t->m, p);
    uint16_t waits = waits_for(t, p);
    if (waits != NO_PART && !t->m.asking) {
        str_add(out, "; it is read when ");
        managed_add_part(out, &t->m, waits);
        str_add(out, " is read to its end");
    }
}

/* --- drawing ------------------------------------------------------------------------------- */

struct plan {
    int tree, range_x, range; /* columns; range 0: no room */
    int state, asked;         /* column, end; asked 0: no room */
    int records, bar_x, bar, note;
    int heads, row0, rows, foot;
};

static struct plan plan_of(const struct tree *t, int w, int h)
{
    struct plan p = {.heads = 0};
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < t->rows; i++) {
        deepest = t->row[i].depth > deepest ? t->row[i].depth : deepest;
    }
    deepest = deepest > DEPTH_MOST ? DEPTH_MOST : deepest;
    bool wide = w >= WIDE_FIGURES;
    p.tree = 2 * (int)deepest + 3 + (wide ? 3 : 2); /* number, mark, blank */
    p.range_x = p.tree;
    p.range = wide ? (w - 70) / 2 : 0;
    p.range = p.range > 40 ? 40 : p.range < 0 ? 0 : p.range;
    p.state = p.tree + (p.range > 0 ? p.range + 2 : 0);
    int x = p.state + 8;
    bool asked = wide || !t->m.words->stream;
    p.asked = asked ? x + 8 : 0;
    x += asked ? 8 : 0;
    p.records = x + 7 + (wide || !t->m.words->stream) * 2;
    x = p.records + 1;
    int note = wide ? 22 : 9;
    p.bar_x = x;
    p.bar = w - x - 1 - note;
    p.bar = !t->m.words->stream || p.bar < 3 ? 0 : p.bar > 30 ? 30 : p.bar;
    p.note = p.bar_x + (p.bar > 0 ? p.bar + 1 : 0);
    p.heads = h >= 6 ? 1 : 0;
    p.row0 = p.heads + (h >= 10);
    int foot = h >= 18 ? 7 : h >= 12 ? 5 : h >= 8 ? 3 : h >= 5 ? 1 : 0;
    foot = managed_foot(h, p.row0, (int)t->rows, foot);
    p.rows = h - p.row0 - foot;
    p.rows = p.rows > (int)t->rows ? (int)t->rows : p.rows < 1 ? 1 : p.rows;
    p.foot = p.row0 + p.rows;
    p.foot += h - p.foot > foot;
    return p;
}

static void draw_branch(struct canvas *c, int y, const struct tree *t, uint32_t row,
                        const struct plan *p)
{
    const struct branch *b = &t->row[row];
    const struct part_info *part = part_of(t, row);
    int depth = b->depth > DEPTH_MOST ? DEPTH_MOST : (int)b->depth;
    for (int d = 1; d < depth; d++) {
        if ((b->lines >> d & 1u) != 0) {
            canvas_put(c, 2 * (d - 1), y, STYLE_DIM, view_sign(c, 0x2502, '|'));
        }
    }
    if (depth > 0) {
        canvas_put(c, 2 * (depth - 1), y, STYLE_DIM,
                   view_sign(c, b->last ? 0x2514 : 0x251C, b->last ? '`' : '|'));
        canvas_put(c, 2 * depth - 1, y, STYLE_DIM, view_sign(c, 0x2500, '-'));
    }
    enum style style = part->state == PART_OPEN && part->machine[0] < t->m.i.machines
                           ? style_owner(managed_owner(&t->m, part))
                           : STYLE_DIM;
    canvas_textf(c, 2 * depth, y, style, "%u", (unsigned)part->number);
    if (has_the_key(t, part)) {
        canvas_put(c, p->tree - 2, y, STYLE_CODE, view_sign(c, 0x25C6, '@'));
    }
}

static void draw_range(struct canvas *c, int y, const struct managed_axis *a, const struct tree *t,
                       const struct part_info *part)
{
    int from, to;
    managed_axis_span(a, &t->m, part, &from, &to);
    for (int x = a->x; x < a->x + a->width; x++) {
        bool in = x >= from && x < to, open = part->state == PART_OPEN;
        canvas_put(c, x, y, in && open ? STYLE_TEXT : STYLE_DIM,
                   !in    ? view_sign(c, 0x00B7, '.')
                   : open ? view_sign(c, 0x2501, '=')
                          : view_sign(c, 0x2504, '-'));
    }
}

static void draw_row(struct canvas *c, int y, const struct tree *t, uint32_t row,
                     const struct plan *p)
{
    const struct part_info *part = part_of(t, row);
    bool stream = t->m.words->stream, open = part->state == PART_OPEN;
    struct str text = STR_EMPTY;
    draw_branch(c, y, t, row, p);
    canvas_text(c, p->state, y, open ? STYLE_GOOD : STYLE_DIM, managed_state_name(part->state));
    if (p->asked > 0 && open) {
        canvas_text_right(c, p->asked, y, STYLE_TEXT,
                          num_grouped((int64_t)managed_asked(&part->second)).text);
    }
    if (stream) {
        str_add(&text, num_grouped((int64_t)part->records).text);
    } else {
        moving_add_bytes(&text, part->bytes);
    }
    canvas_text_right(c, p->records, y, open ? STYLE_TEXT : STYLE_DIM, str_text(&text));
    if (p->bar > 0 && stream && !t->m.asking && part->records > 0) {
        moving_draw_bar(c, (struct rect){p->bar_x, y, p->bar, 1}, part->records - part->unread,
                        part->records, part->unread == 0 ? STYLE_GOOD : STYLE_MOVED);
    }
    str_clear(&text);
    enum style style = add_note(&text, t, part, canvas_width(c) >= WIDE_FIGURES);
    canvas_text_fit(c, p->note, y, canvas_width(c) - p->note, style, str_text(&text));
    str_free(&text);
}

static void draw_heads(struct canvas *c, const struct plan *p, const struct tree *t)
{
    bool stream = t->m.words->stream;
    struct str text = STR_EMPTY;
    if (p->heads > 0) {
        struct str brief = STR_EMPTY;
        add_headline(&text, &t->m, false);
        add_headline(&brief, &t->m, true);
        managed_draw_headline(c, STYLE_STRONG, str_text(&text), str_text(&brief));
        str_free(&brief);
    }
    str_free(&text);
    if (p->row0 <= p->heads) {
        return;
    }
    int y = p->heads;
    bool fits = (int)strlen(t->m.words->part) < p->tree;
    canvas_text(c, 0, y, STYLE_DIM, fits ? t->m.words->part : "no");
    if (p->range > 0) {
        canvas_text_fit(c, p->range_x, y, p->range, STYLE_DIM, "its range");
    }
    canvas_text(c, p->state, y, STYLE_DIM, "state");
    if (p->asked > 0) {
        canvas_text_right(c, p->asked, y, STYLE_DIM, "asked/s");
    }
    canvas_text_right(c, p->records, y, STYLE_DIM, stream ? "records" : "bytes");
    if (p->bar > 0 && !t->m.asking) {
        canvas_text_fit(c, p->bar_x, y, p->bar, STYLE_DIM, "read");
        canvas_text_fit(c, p->note, y, canvas_width(c) - p->note, STYLE_DIM, "unread");
    }
}

static void draw_foot(struct canvas *c, const struct plan *p, const struct tree *t,
                      const struct view_state *v)
{
    struct str text = STR_EMPTY;
    int h = canvas_height(c), y = p->foot;
    if (p->rows < (int)t->rows) {
        str_addf(&text, "%d more: up, down", (int)t->rows - p->rows);
        y += across_flow(c, y, h - y > 1 ? 1 : 0, STYLE_KEYCAP, &text);
        str_clear(&text);
    }
    if (!t->m.asking && managed_add_order(&text, &t->m, h - y < 4)) {
        y += across_flow(c, y, h - y, STYLE_BAD, &text);
        str_clear(&text);
    }
    if (t->m.words->stream) {
        managed_add_reader(&text, &t->m);
        y += across_flow(c, y, h - y < 4 ? 1 : 3, STYLE_TEXT, &text);
        str_clear(&text);
    }
    if (v->has_selection) {
        add_row_words(&text, t, part_of(t, (uint32_t)across_selected(v, t->rows)));
        y += across_flow(c, y, h - y, STYLE_TEXT, &text);
        str_clear(&text);
    }
    if (t->has_key && y < h) {
        char words[48];
        view_add_key(&text, t->key.text);
        (void)snprintf(words, sizeof words, "the range of %.32s", str_text(&text));
        const struct mark mark = {0x25C6, '@', STYLE_CODE, words};
        y += across_draw_key(c, y, 1, &mark, 1);
    }
    str_clear(&text);
    for (uint32_t i = 0; i < t->rows && !t->m.asking; i++) {
        add_row_words(&text, t, part_of(t, i));
        str_addc(&text, '\n');
    }
    y += managed_draw_facts(c, y + 1, &text);
    managed_draw_past(c, y + 2, &t->m);
    str_free(&text);
}

static void draw_tree(struct canvas *c, const struct tree *t, const struct view_state *v,
                      bool focused)
{
    struct plan p = plan_of(t, canvas_width(c), canvas_height(c));
    struct managed_axis axis;
    int64_t selected = across_selected(v, t->rows);
    managed_axis_of(&axis, &t->m, p.range_x, p.range > 0 ? p.range : 1);
    draw_heads(c, &p, t);
    int64_t first = view_list_first(v->scroll, v->has_selection ? selected : 0, t->rows, p.rows);
    for (int i = 0; i < p.rows && first + i < (int64_t)t->rows; i++) {
        int y = p.row0 + i;
        if (p.range > 0) {
            draw_range(c, y, &axis, t, part_of(t, (uint32_t)(first + i)));
        }
        draw_row(c, y, t, (uint32_t)(first + i), &p);
        if (first + i == selected && (focused || v->has_selection)) {
            across_draw_selected(c, y, p.tree - 2, focused);
        }
    }
    draw_foot(c, &p, t, v);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct tree t;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (tree_open(&t, s, v)) {
        draw_tree(c, &t, v, focused);
    } else {
        managed_draw_none(c, &t.m, across_argument(v));
    }
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct tree t;
    return tree_open(&t, s, v) ? (int)view_clamp((int64_t)t.rows + 8, MIN_ROWS, 20) : 3;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct tree t;
    if (w < 1 || h < 1 || !tree_open(&t, s, v)) {
        return false;
    }
    return across_move(v, t.rows, verb, plan_of(&t, w, h).rows);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct tree t;
    if (!tree_open(&t, s, v)) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    const struct part_info *part = part_of(&t, (uint32_t)across_selected(v, t.rows));
    return managed_subject(&t.m, MANAGED_PART, part->number);
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct tree t;
    struct str line = STR_EMPTY;
    if (!tree_open(&t, s, v)) {
        managed_add_none(&line, &t.m, across_argument(v));
        across_tell_note(out, str_text(&line));
        str_free(&line);
        return;
    }
    add_headline(&line, &t.m, false);
    across_tell_note(out, str_text(&line));
    for (uint32_t i = 0; i < t.rows && i < TOLD; i++) {
        str_clear(&line);
        add_row_words(&line, &t, part_of(&t, i));
        if (has_the_key(&t, part_of(&t, i))) {
            str_add(&line, "; the range of ");
            view_add_key(&line, t.key.text);
        }
        across_tell_note(out, str_text(&line));
    }
    if (t.m.words->stream) {
        str_clear(&line);
        managed_add_reader(&line, &t.m);
        across_tell_note(out, str_text(&line));
    }
    str_clear(&line);
    if (!t.m.asking && managed_add_order(&line, &t.m, false)) {
        across_tell_note(out, str_text(&line));
    }
    str_free(&line);
}

const struct view view_lineage = {
    .name = "lineage",
    .title = "Parents and children",
    .min_rows = MIN_ROWS,
    .want_rows = 18,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
