/*
 * machines: the machines of one system: which parts each leads and keeps copies of, and how much of
 * its limit it is asked for.
 *
 * A row a machine. Where parts are few, a cell a part: L the machine leads it (takes its writes), c
 * it keeps a copy, > the part is on its way there; where they are many, how many it leads and
 * keeps. Then what it was asked in the last second against its limit, or that it is down; hints
 * that others keep for it. Below: writes that are lost, the selected machine in words, what was
 * said last. While the page's question is open the bars say only what is asked, and nothing is told
 * of what is lost. Argument: the system's name. Selection: a machine.
 */
#include "view/managed.h"

#define MIN_ROWS 8
#define BAR_LEAST 8
#define BAR_MOST 44
#define WIDE_FIGURES 90

struct housed {
    struct managed m;
    uint32_t open;                    /* parts that are not gone */
    uint32_t place[SYSTEM_PARTS_MAX]; /* among the parts */
};

static bool housed_open(struct housed *out, const struct scene *s, const struct view_state *v)
{
    out->open = 0;
    if (!managed_open(&out->m, s, across_argument(v)) || out->m.i.machines == 0) {
        return false;
    }
    for (uint32_t i = 0; i < out->m.parts; i++) {
        if (out->m.part[i].state == PART_OPEN || out->m.part[i].state == PART_COPYING) {
            out->place[out->open++] = i;
        }
    }
    return true;
}

/* --- words --------------------------------------------------------------------------------- */

static void add_headline(struct str *out, const struct managed *m)
{
    str_addf(out, "%s: ", m->words->title);
    managed_add_count(out, m->i.machines, m->words->machine, m->words->machines);
    if (m->i.up < m->i.machines) {
        str_addf(out, ", %u DOWN", (unsigned)(m->i.machines - m->i.up));
    }
    str_add(out, "; ");
    managed_add_count(out, m->i.parts, m->words->part, m->words->parts);
}

static enum style add_lost(struct str *out, const struct managed *m)
{
    if (m->i.lost > 0) {
        str_add(out, "LOST: ");
        managed_add_count(out, m->i.lost, "acknowledged write", "acknowledged writes");
        return STYLE_BAD;
    }
    bool down = m->i.up < m->i.machines; /* who leads next may not have all of it */
    str_add(out, down ? "nothing is lost, as far as is known" : "no acknowledged write is lost");
    return down ? STYLE_TEXT : STYLE_GOOD;
}

static void add_moves(struct str *out, const struct managed *m)
{
    if (m->i.moved > 0) {
        str_add(out, "; ");
        managed_add_count(out, m->i.moved, "move", "moves");
        if (m->i.moved_bytes > 0) {
            str_add(out, ", ");
            moving_add_bytes(out, m->i.moved_bytes);
        }
    }
    if (m->i.leaders > 0) {
        str_add(out, "; ");
        managed_add_count(out, m->i.leaders, "change of leader", "changes of leader");
    }
    if (m->i.hints > 0) {
        str_add(out, "; ");
        managed_add_count(out, m->i.hints, "hint kept", "hints kept");
    }
}

/* --- drawing ------------------------------------------------------------------------------- */

struct plan {
    int cell_x, step; /* cells of parts; step 0: figures instead */
    int leads, keeps; /* ends of figures; 0: no room */
    int bar_x, bar, asked, percent, note;
    int heads, row0, rows, foot;
    int lines;   /* a machine: 2 for writes and reads */
    bool letter; /* before a bar: which of both it is of */
};

static struct plan plan_of(const struct housed *o, int w, int h)
{
    struct plan p = {.cell_x = 3};
    int open = (int)o->open, wide = w >= WIDE_FIGURES;
    int note = wide      ? 20
               : w >= 52 ? 9
                         : 0,
        tail = (wide ? 24 : 0) + 6 + note, room = w - p.cell_x - tail - BAR_LEAST - 1;
    p.step = open * 4 <= room && wide ? 4 : open * 3 <= room ? 3 : open * 2 <= room ? 2 : 0;
    p.step = p.step == 2 && open > 9 ? 0 : p.step; /* numbers of two digits */
    int x = p.cell_x + p.step * open;
    if (p.step == 0 || wide) {
        p.leads = x + 6;
        p.keeps = x + 12;
        x += 12;
    }
    p.bar_x = x + 1;
    p.bar = w - p.bar_x - tail + (wide ? 12 : 0);
    p.bar = p.bar < 3 ? 3 : p.bar > BAR_MOST ? BAR_MOST : p.bar;
    p.asked = wide ? p.bar_x + p.bar + 10 : 0;
    p.percent = p.bar_x + p.bar + (wide ? 10 : 0) + 6;
    p.note = p.percent + 1;
    p.heads = h >= 5 ? 1 : 0;
    p.row0 = p.heads + (h >= 4);
    int foot = h >= 16 ? 6 : h >= 12 ? 4 : h >= 8 ? 2 : h >= 6 ? 1 : 0;
    p.letter = !o->m.words->stream;
    foot = managed_foot(h, p.row0, (int)o->m.i.machines, foot);
    bool two = managed_two_kinds(&o->m) && h >= p.row0 + 2 * (int)o->m.i.machines + foot;
    p.lines = two ? 2 : 1;
    p.rows = (h - p.row0 - foot) / p.lines;
    p.rows = p.rows > (int)o->m.i.machines ? (int)o->m.i.machines : p.rows < 1 ? 1 : p.rows;
    p.foot = p.row0 + p.rows * p.lines;
    p.foot += h - p.foot > foot;
    return p;
}

static void draw_cells(struct canvas *c, int y, const struct plan *p, const struct housed *o,
                       uint32_t machine, bool down)
{
    for (uint32_t i = 0; i < o->open; i++) {
        const struct part_info *part = &o->m.part[o->place[i]];
        struct mark mark = {0x00B7, '.', STYLE_DIM, ""};
        for (int k = 1; k < SYSTEM_COPIES; k++) {
            if (part->machine[k] == machine && managed_keeps(&o->m)) {
                mark = (struct mark){'c', 'c', STYLE_TEXT, ""};
            }
        }
        if (part->machine[0] == machine) {
            mark = (struct mark){'L', 'L', STYLE_GOOD, ""};
        } else if (part->target == machine) {
            mark = (struct mark){0x25B6, '>', STYLE_MOVED, ""};
        }
        mark.style = down ? STYLE_DIM : mark.style;
        across_put(c, p->cell_x + (int)i * p->step, y, &mark);
    }
}

static void draw_load(struct canvas *c, int y, const struct plan *p, const struct managed *m,
                      struct managed_load load, uint64_t scale)
{
    managed_draw_work(c, (struct rect){p->bar_x, y, p->bar, 1}, m, load, scale, p->letter);
    if (p->asked > 0) {
        canvas_text_right(c, p->asked, y, STYLE_TEXT, num_grouped((int64_t)load.asked).text);
    }
    managed_put_percent(c, p->percent, y, m, load);
}

static void draw_loads(struct canvas *c, int y, const struct plan *p, const struct managed *m,
                       uint32_t machine, uint64_t scale)
{
    if (p->lines == 1) {
        draw_load(c, y, p, m, managed_machine_load(m, machine), scale);
        return;
    }
    draw_load(c, y, p, m, managed_machine_work(m, machine, false), scale);
    draw_load(c, y + 1, p, m, managed_machine_work(m, machine, true), scale);
}

static void draw_row(struct canvas *c, int y, const struct plan *p, const struct housed *o,
                     uint32_t machine, uint64_t scale)
{
    const struct managed *m = &o->m;
    struct machine_info info = world_system_machine(m->w, m->id, machine);
    struct str text = STR_EMPTY;
    canvas_textf(c, 0, y, info.down ? STYLE_DIM : style_owner(machine), "%u", (unsigned)machine);
    if (p->step > 0) {
        draw_cells(c, y, p, o, machine, info.down);
    }
    if (p->leads > 0) {
        str_addf(&text, "%u", (unsigned)info.leads);
        canvas_text_right(c, p->leads, y, info.leads > 0 ? STYLE_TEXT : STYLE_DIM, str_text(&text));
        str_clear(&text);
        str_addf(&text, "%u", (unsigned)info.keeps);
        canvas_text_right(c, p->keeps, y, STYLE_DIM, managed_keeps(m) ? str_text(&text) : "");
        str_clear(&text);
    }
    if (info.down) {
        for (int i = 0; i < p->bar; i++) {
            canvas_put(c, p->bar_x + i, y, STYLE_DIM, view_sign(c, 0x2504, '.'));
        }
        canvas_text(c, p->bar_x + 1, y, STYLE_BAD, " down ");
    } else {
        draw_loads(c, y, p, m, machine, scale);
    }
    if (info.hints > 0) {
        str_addf(&text, "%s hint%s", num_grouped((int64_t)info.hints).text,
                 view_plural(info.hints));
    } else if (info.leads == 0 && info.keeps == 0 && !info.down) {
        str_add(&text, "empty");
    } else if (canvas_width(c) >= WIDE_FIGURES && info.bytes > 0) {
        moving_add_bytes(&text, info.bytes);
    }
    canvas_text_fit(c, p->note, y, canvas_width(c) >= 52 ? canvas_width(c) - p->note : 0,
                    info.hints > 0 ? STYLE_WARN : STYLE_DIM, str_text(&text));
    str_free(&text);
}

static void draw_heads(struct canvas *c, const struct plan *p, const struct housed *o)
{
    struct str text = STR_EMPTY;
    if (p->heads > 0) {
        add_headline(&text, &o->m);
        view_draw_line(c, 0, o->m.i.up < o->m.i.machines ? STYLE_WARN : STYLE_STRONG,
                       str_text(&text));
    }
    str_free(&text);
    if (p->row0 <= p->heads) {
        return;
    }
    int y = p->heads;
    for (uint32_t i = 0; i < o->open && p->step > 0; i++) {
        const struct part_info *part = &o->m.part[o->place[i]];
        canvas_textf(c, p->cell_x + (int)i * p->step, y, STYLE_DIM, "%u", (unsigned)part->number);
    }
    if (p->leads > 0) {
        canvas_text_right(c, p->leads, y, STYLE_DIM, managed_leads(&o->m));
        canvas_text_right(c, p->keeps, y, STYLE_DIM, managed_keeps(&o->m) ? "keeps" : "");
    }
    canvas_text_fit(c, p->bar_x, y, p->bar, STYLE_DIM,
                    p->bar >= 22 ? "asked against its limit" : "asked / s");
}

static void draw_signs(struct canvas *c, int y, int rows, const struct plan *p,
                       const struct housed *o)
{
    const struct mark marks[] = {{'L', 'L', STYLE_GOOD, managed_leads(&o->m)},
                                 {'c', 'c', STYLE_TEXT, "copy"},
                                 {0x25B6, '>', STYLE_MOVED, "on its way"}};
    bool there[3] = {p->step > 0, false, false};
    struct mark met[3];
    for (uint32_t i = 0; i < o->open; i++) {
        const struct part_info *part = &o->m.part[o->place[i]];
        bool copy = managed_keeps(&o->m) && part->machine[1] < o->m.i.machines;
        there[1] = there[1] || (p->step > 0 && copy);
        there[2] = there[2] || (p->step > 0 && part->target != MACHINE_NONE);
    }
    int count = across_marks_of(marks, there, 3, met);
    if (count > 0 && rows > 0) {
        (void)across_draw_key(c, y, rows, met, count);
    }
}

static void draw_foot(struct canvas *c, const struct plan *p, const struct housed *o,
                      const struct view_state *v)
{
    const struct managed *m = &o->m;
    struct str text = STR_EMPTY;
    struct trace_record r;
    int h = canvas_height(c), y = p->foot;
    if (p->rows < (int)m->i.machines) {
        str_addf(&text, "%d more: up, down", (int)m->i.machines - p->rows);
        y += across_flow(c, y, h - y > 1 ? 1 : 0, STYLE_KEYCAP, &text);
        str_clear(&text);
    }
    if (!m->asking) {
        enum style style = add_lost(&text, m);
        add_moves(&text, m);
        y += across_flow(c, y, h - y >= 4 ? 2 : 1, style, &text);
        str_clear(&text);
    }
    if (h - y >= 2) {
        draw_signs(c, y, 1, p, o);
        y += p->step > 0;
    }
    managed_add_machine_facts(&text, m, (uint32_t)across_selected(v, m->i.machines));
    if (v->has_selection || m->asking) {
        y += across_flow(c, y, h - y, STYLE_TEXT, &text);
    }
    str_clear(&text);
    if (!m->asking && h - y >= 1 && managed_note(m, 0, &r)) {
        managed_add_note(&text, m, &r);
        y += across_flow(c, y, h - y, STYLE_DIM, &text);
    }
    str_clear(&text);
    for (uint32_t i = 0; i < m->i.machines && !m->asking; i++) {
        managed_add_machine_facts(&text, m, i);
        str_addc(&text, '\n');
    }
    y += managed_draw_facts(c, y + 1, &text);
    managed_draw_past(c, y + 2, m);
    str_free(&text);
}

static void draw_housed(struct canvas *c, const struct housed *o, const struct view_state *v,
                        bool focused)
{
    struct plan p = plan_of(o, canvas_width(c), canvas_height(c));
    uint64_t most = 0;
    uint32_t machines = o->m.i.machines;
    for (uint32_t i = 0; i < machines; i++) {
        uint64_t tenths = managed_tenths(managed_machine_load(&o->m, i));
        most = tenths > most ? tenths : most;
    }
    draw_heads(c, &p, o);
    int64_t selected = across_selected(v, machines);
    int64_t first = view_list_first(v->scroll, v->has_selection ? selected : 0, machines, p.rows);
    for (int i = 0; i < p.rows && first + i < (int64_t)machines; i++) {
        draw_row(c, p.row0 + i * p.lines, &p, o, (uint32_t)(first + i), managed_scale(most));
        if (first + i == selected && (focused || v->has_selection)) {
            across_draw_selected(c, p.row0 + i * p.lines, 2, focused);
        }
    }
    draw_foot(c, &p, o, v);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct housed o;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (housed_open(&o, s, v)) {
        draw_housed(c, &o, v, focused);
    } else {
        managed_draw_none(c, &o.m, across_argument(v));
    }
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct housed o;
    return housed_open(&o, s, v) ? (int)view_clamp((int64_t)o.m.i.machines + 8, MIN_ROWS, 20) : 3;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct housed o;
    if (w < 1 || h < 1 || !housed_open(&o, s, v)) {
        return false;
    }
    return across_move(v, o.m.i.machines, verb, plan_of(&o, w, h).rows);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct housed o;
    if (!housed_open(&o, s, v)) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    return managed_subject(&o.m, MANAGED_MACHINE, (uint32_t)across_selected(v, o.m.i.machines));
}

static void add_parts_of(struct str *out, const struct housed *o, uint32_t machine)
{
    bool any = false;
    for (uint32_t i = 0; i < o->open && o->open <= 24; i++) {
        const struct part_info *part = &o->m.part[o->place[i]];
        if (part->machine[0] == machine) {
            if (!any) {
                str_addf(out, "; it %s ", managed_leads(&o->m));
            }
            str_addf(out, "%s%u", any ? ", " : "", (unsigned)part->number);
            any = true;
        }
    }
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct housed o;
    struct trace_record r;
    struct str line = STR_EMPTY;
    if (!housed_open(&o, s, v)) {
        managed_add_none(&line, &o.m, across_argument(v));
        across_tell_note(out, str_text(&line));
        str_free(&line);
        return;
    }
    add_headline(&line, &o.m);
    across_tell_note(out, str_text(&line));
    for (uint32_t i = 0; i < o.m.i.machines; i++) {
        str_clear(&line);
        managed_add_machine_facts(&line, &o.m, i);
        add_parts_of(&line, &o, i);
        across_tell_note(out, str_text(&line));
    }
    if (!o.m.asking) {
        str_clear(&line);
        (void)add_lost(&line, &o.m);
        add_moves(&line, &o.m);
        across_tell_note(out, str_text(&line));
        str_clear(&line);
        if (managed_note(&o.m, 0, &r)) {
            managed_add_note(&line, &o.m, &r);
            across_tell(out, str_text(&line));
        }
    }
    str_free(&line);
}

const struct view view_machines = {
    .name = "machines",
    .title = "Machines and their parts",
    .min_rows = MIN_ROWS,
    .want_rows = 16,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
