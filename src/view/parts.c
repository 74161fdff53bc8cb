/*
 * parts: the parts of one system (shards, partitions, ranges, regions ...), and how much of its
 * limit each is asked for.
 *
 * At the top the space of its keys as one line, cut into the parts that are open, each in the
 * colour of the machine that serves it (of its own, where a machine is a zone), with names of keys
 * below; where keys keep their order they stand in it, not to scale. Then a row a part: its number,
 * where it lies in that line, the machine, what it was asked in the last second against its limit
 * (a line), of writes or of reads, whichever comes closer, in percent, then the key with most of it
 * or what is the matter with it. While the page's question is open the bars say only what is asked.
 * Where a part has no limit of its own it is its machine's. Argument: the system's name. Selection:
 * a part; until there is one, the busiest.
 */
#include "base/utf8.h"
#include "view/managed.h"

#include <string.h>

#define MIN_ROWS 8
#define TOLD 24
#define AXIS_LEAST 10
#define BAR_LEAST 8
#define NAME_MOST 22
#define NAME_TALL 100 /* columns from which parts are named in words */

struct plan {
    int name, machine; /* columns; machine 0: there is no room */
    int axis_x, axis;  /* where the line stands */
    int bar_x, bar;
    int asked, limit; /* ends of figures, 0: no room */
    int percent;      /* its end */
    int note_x, note; /* what follows */
    int bytes;        /* end of records or bytes, 0: no room */
    int line, heads, row0, rows, foot;
    int lines;   /* a part: 2 for writes and reads */
    bool letter; /* before a bar: which of both it is of */
    bool keys;   /* a line with names of keys */
};

static uint32_t selected_part(const struct managed *m, const struct view_state *v)
{
    return v->has_selection ? (uint32_t)across_selected(v, m->parts) : managed_busiest_part(m);
}

/* A name that says more than its number. */
static bool named(const struct managed *m)
{
    struct str name = STR_EMPTY, number = STR_EMPTY;
    bool more = false;
    for (uint32_t i = 0; i < m->parts && !more; i++) {
        str_clear(&name);
        str_clear(&number);
        world_part_name(m->w, m->id, m->part[i].number, &name);
        str_addf(&number, "%u", (unsigned)m->part[i].number);
        more = name.length > 0 && strcmp(str_text(&name), str_text(&number)) != 0;
    }
    str_free(&name);
    str_free(&number);
    return more;
}

static int name_columns(const struct managed *m)
{
    struct str name = STR_EMPTY;
    int widest = 4;
    for (uint32_t i = 0; i < m->parts; i++) {
        str_clear(&name);
        world_part_name(m->w, m->id, m->part[i].number, &name);
        int columns = 4 + utf8_columns(str_text(&name), name.length) + 1;
        widest = columns > widest ? columns : widest;
    }
    str_free(&name);
    return widest > NAME_MOST ? NAME_MOST : widest;
}

static void plan_columns(struct plan *p, const struct managed *m, int w)
{
    bool wide = w >= NAME_TALL;
    p->name = wide && named(m) ? name_columns(m) : 4;
    p->machine = m->i.machines == 0 || managed_zones(m) ? 0
                 : wide                                 ? (int)strlen(m->words->machine) + 4
                 : w >= 44                              ? 3
                                                        : 0;
    p->note = wide ? 20 : w >= 52 ? 8 : 7;
    int figures = wide ? 16 : w >= 64 ? 8 : 0, bytes = wide ? 10 : 0;
    int left = w - p->name - p->machine - p->note - 1 - 6 - figures - bytes - 2;
    p->axis_x = p->name;
    p->axis = left * (wide ? 1 : 5) / (wide ? 2 : 9);
    p->axis = p->axis < AXIS_LEAST ? AXIS_LEAST : p->axis > 48 ? 48 : p->axis;
    p->bar = left - p->axis;
    p->bar = p->bar < BAR_LEAST ? BAR_LEAST : p->bar > 48 ? 48 : p->bar;
    int x = p->axis_x + p->axis + 1 + p->machine;
    p->bar_x = x;
    x += p->bar;
    p->asked = figures > 0 ? x + 8 : 0;
    p->limit = wide ? x + 16 : 0;
    x += figures;
    p->percent = x + 6;
    p->note_x = p->percent + 1;
    x = p->note_x + p->note;
    p->bytes = bytes > 0 ? x + bytes : 0;
}

static struct plan plan_of(const struct managed *m, int w, int h)
{
    struct plan p = {.line = 0};
    plan_columns(&p, m, w);
    int foot = h >= 18 ? 6 : h >= 12 ? 4 : h >= 8 ? 2 : h >= 6 ? 1 : 0;
    p.keys = h >= 10 && world_system_keys(m->w, m->id) > 0;
    p.line = h >= 5 ? 1 : 0;
    p.heads = p.line + 1 + p.keys;
    p.row0 = p.heads + (h >= 12);
    foot = managed_foot(h, p.row0, (int)m->parts, foot);
    bool two = managed_two_kinds(m) && h >= p.row0 + 2 * (int)m->parts + foot;
    p.lines = two ? 2 : 1;
    p.letter = !m->words->stream;
    p.rows = (h - p.row0 - foot) / p.lines;
    p.rows = p.rows > (int)m->parts ? (int)m->parts : p.rows < 1 ? 1 : p.rows;
    p.foot = p.row0 + p.rows * p.lines;
    p.foot += h - p.foot > foot;
    return p;
}

/* --- words --------------------------------------------------------------------------------- */

static void add_headline(struct str *out, const struct managed *m, bool brief)
{
    str_addf(out, "%s: ", m->words->title);
    managed_add_count(out, m->i.parts, m->words->part, m->words->parts);
    if (m->i.closed + m->i.expired > 0) {
        str_addf(out, " open, %u closed", (unsigned)(m->i.closed + m->i.expired));
    }
    if (managed_asked(&m->i.second) > 0 && !brief) {
        str_add(out, "; ");
        if (m->i.second.asked[0] > 0) {
            str_addf(out, "%s writes", num_grouped((int64_t)m->i.second.asked[0]).text);
        }
        if (m->i.second.asked[1] > 0) {
            str_addf(out, "%s%s reads", m->i.second.asked[0] > 0 ? ", " : "",
                     num_grouped((int64_t)m->i.second.asked[1]).text);
        }
        str_add(out, "/s");
    }
}

static const char *axis_words(const struct managed_axis *a, bool wide)
{
    switch (a->kind) {
    case AXIS_TRUE:
        return wide ? "hash of the key" : "hash";
    case AXIS_ORDER:
        return wide ? "keys in order, not to scale" : "in order";
    case AXIS_COUNT:
        return wide ? "hash of the key, modulo" : "modulo";
    }
    return "";
}

/* What is the matter, or the key with most of its load. */
static enum style add_note(struct str *out, const struct managed *m, const struct part_info *p,
                           bool wide)
{
    struct system_key_info key;
    if (p->target != MACHINE_NONE) {
        str_addf(out, wide ? "on its way to %u" : "to %u", (unsigned)p->target);
        return STYLE_MOVED;
    }
    if (p->state != PART_OPEN) {
        str_add(out, managed_state_name(p->state));
        return p->state == PART_COPYING ? STYLE_MOVED : STYLE_DIM;
    }
    if (p->away_us > world_now(m->w)) {
        str_add(out, wide ? "nobody serves it" : "AWAY");
        return STYLE_BAD;
    }
    if (!managed_hot_key(m, p->number, &key)) {
        return STYLE_DIM;
    }
    view_add_key(out, key.text);
    if (wide) {
        str_addf(out, " %s/s", num_grouped((int64_t)managed_asked(&key.second)).text);
    }
    return STYLE_CODE;
}

/* --- drawing ------------------------------------------------------------------------------- */

static void draw_name(struct canvas *c, int y, const struct plan *p, const struct managed *m,
                      const struct part_info *part)
{
    struct str text = STR_EMPTY;
    bool open = part->state == PART_OPEN;
    enum style style =
        open && part->machine[0] < m->i.machines ? style_owner(managed_owner(m, part)) : STYLE_DIM;
    str_addf(&text, "%u", (unsigned)part->number);
    canvas_text(c, 0, y, style, str_text(&text));
    if (p->name > 4) {
        str_clear(&text);
        world_part_name(m->w, m->id, part->number, &text);
        canvas_text_fit(c, 4, y, p->name - 5, open ? STYLE_TEXT : STYLE_DIM, str_text(&text));
    }
    if (p->machine > 0 && open && part->machine[0] < m->i.machines) {
        str_clear(&text);
        if (p->machine > 3) {
            managed_add_machine(&text, m, part->machine[0]);
        } else {
            str_addf(&text, "%u", (unsigned)part->machine[0]);
        }
        canvas_text_fit(c, p->bar_x - p->machine, y, p->machine - 1, style, str_text(&text));
    }
    str_free(&text);
}

static void draw_range(struct canvas *c, int y, const struct managed_axis *a,
                       const struct managed *m, const struct part_info *part)
{
    int from, to;
    bool open = part->state == PART_OPEN;
    managed_axis_span(a, m, part, &from, &to);
    enum style style =
        open && part->machine[0] < m->i.machines ? style_owner(managed_owner(m, part)) : STYLE_DIM;
    for (int x = a->x; x < a->x + a->width; x++) {
        bool in = x >= from && x < to;
        uint32_t sign = !in    ? view_sign(c, 0x00B7, '.')
                        : open ? view_sign(c, 0x2501, '=')
                               : view_sign(c, 0x2504, '-');
        canvas_put(c, x, y, in ? style : STYLE_DIM, sign);
    }
}

static void draw_work(struct canvas *c, int y, const struct plan *p, const struct managed *m,
                      struct managed_load load, uint64_t scale)
{
    struct str text = STR_EMPTY;
    managed_draw_work(c, (struct rect){p->bar_x, y, p->bar, 1}, m, load, scale, p->letter);
    if (p->asked > 0) {
        canvas_text_right(c, p->asked, y, STYLE_TEXT, num_grouped((int64_t)load.asked).text);
    }
    if (p->limit > 0 && load.limit > 0) {
        str_addf(&text, "of %s", num_grouped((int64_t)load.limit).text);
        canvas_text(c, p->asked + 1, y, STYLE_DIM, str_text(&text));
    }
    managed_put_percent(c, p->percent, y, m, load);
    str_free(&text);
}

static void draw_works(struct canvas *c, int y, const struct plan *p, const struct managed *m,
                       const struct part_info *part, uint64_t scale)
{
    if (part->state != PART_OPEN) {
        return;
    }
    if (p->lines == 1) {
        draw_work(c, y, p, m, managed_part_load(m, part), scale);
        return;
    }
    draw_work(c, y, p, m, managed_part_work(m, part, false), scale);
    draw_work(c, y + 1, p, m, managed_part_work(m, part, true), scale);
}

static void draw_notes(struct canvas *c, int y, const struct plan *p, const struct managed *m,
                       const struct part_info *part)
{
    struct str text = STR_EMPTY;
    enum style style = add_note(&text, m, part, p->note > 10);
    canvas_text_fit(c, p->note_x, y, p->note, style, str_text(&text));
    str_clear(&text);
    if (p->bytes > 0 && m->words->stream) {
        canvas_text_right(c, p->bytes, y, STYLE_DIM, num_grouped((int64_t)part->records).text);
    } else if (p->bytes > 0) {
        moving_add_bytes(&text, part->bytes);
        canvas_text_right(c, p->bytes, y, STYLE_DIM, str_text(&text));
    }
    str_free(&text);
}

static void draw_heads(struct canvas *c, const struct plan *p, const struct managed *m,
                       const struct managed_axis *a)
{
    if (p->row0 <= p->heads) {
        return;
    }
    canvas_text(c, 0, p->heads, STYLE_DIM, p->name > 4 ? m->words->part : "no");
    canvas_text_fit(c, a->x, p->heads, a->width, STYLE_DIM, axis_words(a, a->width >= 28));
    if (p->machine > 3) {
        canvas_text_fit(c, p->bar_x - p->machine, p->heads, p->machine - 1, STYLE_DIM,
                        m->words->machine);
    } else if (p->machine > 0) {
        canvas_text(c, p->bar_x - p->machine, p->heads, STYLE_DIM, "on");
    }
    canvas_text_fit(c, p->bar_x, p->heads, p->bar, STYLE_DIM,
                    p->bar >= 24 ? "asked against the limit" : "asked/s");
    canvas_text_fit(c, p->note_x, p->heads, p->note, STYLE_DIM,
                    p->note > 10 ? "most asked" : "most");
    if (p->bytes > 0) {
        canvas_text_right(c, p->bytes, p->heads, STYLE_DIM, m->words->stream ? "records" : "bytes");
    }
}

static void draw_foot(struct canvas *c, const struct plan *p, const struct managed *m,
                      uint32_t selected, uint32_t met)
{
    struct str text = STR_EMPTY;
    int h = canvas_height(c), y = p->foot;
    if (p->rows < (int)m->parts) {
        str_addf(&text, "%d more: up, down", (int)m->parts - p->rows);
        y += across_flow(c, y, h - y > 1 ? 1 : 0, STYLE_KEYCAP, &text);
        str_clear(&text);
    }
    managed_add_part_facts(&text, m, &m->part[selected]);
    int signs = h - y >= 4 ? (canvas_width(c) >= 56 || met < 2 ? 1 : 2) : 0;
    y += across_flow(c, y, h - y - signs, STYLE_TEXT, &text);
    str_clear(&text);
    if (signs > 0) {
        y += managed_draw_signs(c, y, signs, m->asking ? 0 : met, true);
    }
    struct trace_record r;
    if (!m->asking && managed_note_of_part(m, m->part[selected].number, &r)) {
        managed_add_note(&text, m, &r);
        bool fits = across_lines(&text, canvas_width(c)) < h - y;
        y += fits ? 1 + across_flow(c, y + 1, h - y - 1, STYLE_DIM, &text) : 0;
    }
    str_clear(&text);
    for (uint32_t i = 0; i < m->parts && !m->asking; i++) {
        if (i != selected) {
            managed_add_part_facts(&text, m, &m->part[i]);
            str_addc(&text, '\n');
        }
    }
    y += managed_draw_facts(c, y + 1, &text);
    managed_draw_past(c, y + 2, m);
    str_free(&text);
}

static void draw_headline(struct canvas *c, const struct managed *m)
{
    struct str whole = STR_EMPTY, brief = STR_EMPTY;
    add_headline(&whole, m, false);
    add_headline(&brief, m, true);
    managed_draw_headline(c, STYLE_STRONG, str_text(&whole), str_text(&brief));
    str_free(&whole);
    str_free(&brief);
}

static void draw_parts(struct canvas *c, const struct managed *m, const struct view_state *v,
                       bool focused)
{
    struct plan p = plan_of(m, canvas_width(c), canvas_height(c));
    struct managed_axis axis;
    uint32_t selected = selected_part(m, v), met = 0;
    uint64_t most = 0;
    managed_axis_of(&axis, m, p.axis_x, p.axis);
    for (uint32_t i = 0; i < m->parts; i++) {
        if (m->part[i].state != PART_OPEN) {
            continue;
        }
        uint64_t tenths = managed_tenths(managed_part_load(m, &m->part[i]));
        most = tenths > most ? tenths : most;
        met |= managed_met(&m->part[i].second);
    }
    if (p.line > 0) {
        draw_headline(c, m);
    }
    managed_axis_draw(c, p.line, &axis, m, v->has_selection ? (int32_t)selected : -1);
    if (p.keys) {
        managed_axis_draw_keys(c, p.line + 1, &axis, m);
    }
    draw_heads(c, &p, m, &axis);
    int64_t first = view_list_first(v->scroll, selected, m->parts, p.rows);
    for (int i = 0; i < p.rows && first + i < (int64_t)m->parts; i++) {
        const struct part_info *part = &m->part[first + i];
        int y = p.row0 + i * p.lines;
        draw_name(c, y, &p, m, part);
        draw_range(c, y, &axis, m, part);
        draw_works(c, y, &p, m, part, managed_scale(most));
        draw_notes(c, y, &p, m, part);
        if (first + i == (int64_t)selected && (focused || v->has_selection)) {
            across_draw_selected(c, y, p.name > 4 ? p.name - 1 : 3, focused);
        }
    }
    draw_foot(c, &p, m, selected, met);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct managed m;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (managed_open(&m, s, across_argument(v)) && m.parts > 0) {
        draw_parts(c, &m, v, focused);
    } else {
        managed_draw_none(c, &m, across_argument(v));
    }
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct managed m;
    return managed_open(&m, s, across_argument(v))
               ? (int)view_clamp((int64_t)m.parts + 10, MIN_ROWS, 20)
               : 3;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct managed m;
    if (w < 1 || h < 1 || !managed_open(&m, s, across_argument(v)) || m.parts == 0) {
        return false;
    }
    return across_move(v, m.parts, verb, plan_of(&m, w, h).rows);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct managed m;
    if (!managed_open(&m, s, across_argument(v)) || m.parts == 0) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    return managed_subject(&m, MANAGED_PART, m.part[selected_part(&m, v)].number);
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct managed m;
    struct str line = STR_EMPTY;
    if (!managed_open(&m, s, across_argument(v))) {
        managed_add_none(&line, &m, across_argument(v));
        across_tell_note(out, str_text(&line));
        str_free(&line);
        return;
    }
    add_headline(&line, &m, false);
    across_tell_note(out, str_text(&line));
    for (uint32_t i = 0; i < m.parts && i < TOLD; i++) {
        str_clear(&line);
        managed_add_part_facts(&line, &m, &m.part[i]);
        across_tell_note(out, str_text(&line));
    }
    if (m.parts > TOLD) {
        str_clear(&line);
        str_addf(&line, "and %u more; the busiest: ", (unsigned)(m.parts - TOLD));
        managed_add_part_facts(&line, &m, &m.part[managed_busiest_part(&m)]);
        across_tell_note(out, str_text(&line));
    }
    str_free(&line);
}

const struct view view_parts = {
    .name = "parts",
    .title = "Parts and their limits",
    .min_rows = MIN_ROWS,
    .want_rows = 20,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
