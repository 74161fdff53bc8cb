/*
 * systems: the systems that people run, side by side: what each was asked for in the last second,
 * and what became of it.
 *
 * A row a system that is on: a bar of all it was asked for, cut into what was served, throttled,
 * too late, and what nobody served; then the share that was served, and its busiest part or machine
 * in percent of that one's limit (where each copy's writes count, of those whose first copy it
 * has). With more room also its parts, what it was asked in figures, splits, writes lost (first of
 * these where a machine is down) and records read out of order; and lines of words below each row.
 * Below: the selected row in words. While the page's question is open there is instead how each
 * places keys, or bars that say only that something was asked; nothing is told of what follows.
 * Selection: a system; until there is one, the first.
 */
#include "view/managed.h"

#define MIN_ROWS 8
#define NAME_LEAST 14
#define NAME_WIDE 16
#define BAR_LEAST 14
#define BAR_NARROW 7 /* where 40 columns are not there */
#define BAR_MOST 44

struct listed {
    const struct world *w;
    bool asking;
    uint32_t count; /* systems that are on */
    uint8_t id[SYSTEMS];
};

static bool listed_open(struct listed *out, const struct scene *s)
{
    *out = (struct listed){.w = s->world, .asking = view_question_open(s)};
    if (s->world == NULL || !world_has_systems(s->world)) {
        return false;
    }
    for (uint8_t i = 0; i < SYSTEMS; i++) {
        if (world_system_on(s->world, (enum system_id)i)) {
            out->id[out->count++] = i;
        }
    }
    return out->count > 0;
}

static uint32_t selected_row(const struct listed *l, const struct view_state *v)
{
    return (uint32_t)across_selected(v, l->count);
}

static void add_none(struct str *out, const struct scene *s)
{
    str_add(out, s->world == NULL ? "there is no cluster here" : "no system is on yet");
}

/* --- words --------------------------------------------------------------------------------- */

/* Streams take writes alone: the widest row says what all are asked for. */
static void add_headline(struct str *out, const struct listed *l)
{
    uint64_t writes = 0, reads = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        struct system_info info = world_system(l->w, (enum system_id)l->id[i]);
        writes = info.second.asked[0] > writes ? info.second.asked[0] : writes;
        reads = info.second.asked[1] > reads ? info.second.asked[1] : reads;
    }
    if (writes + reads == 0) {
        str_add(out, "nothing was asked in the last second");
        return;
    }
    str_addf(out, "last second: %s write%s", num_grouped((int64_t)writes).text,
             view_plural(writes));
    if (reads > 0) {
        str_addf(out, ", %s read%s", num_grouped((int64_t)reads).text, view_plural(reads));
    }
}

static void add_busy(struct str *out, const struct managed *m)
{
    struct managed_busy busy = managed_busiest(m);
    if (!busy.any) {
        return;
    }
    str_add(out, " Busiest: ");
    (busy.machine ? managed_add_machine : managed_add_part)(out, m, busy.number);
    str_add(out, ", ");
    managed_add_load(out, m, busy.load);
    if (busy.copies > 0) {
        str_addf(out, ", and %s more as a copy", num_grouped((int64_t)busy.copies).text);
    }
    str_addc(out, '.');
}

static void add_changes(struct str *out, const struct managed *m)
{
    const struct system_info *i = &m->i;
    const struct {
        uint64_t count;
        const char *one, *many;
    } facts[] = {{i->splits, "split", "splits"},
                 {i->joins, "merge", "merges"},
                 {i->moved, "move", "moves"},
                 {i->leaders, "change of leader", "changes of leader"},
                 {i->hints, "hint kept", "hints kept"},
                 {i->redirects, "redirect", "redirects"},
                 {i->lost, "write LOST", "writes LOST"},
                 {i->disorder, "record read out of order", "records read out of order"}};
    bool any = false;
    for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++) {
        if (facts[k].count > 0) {
            str_add(out, any ? ", " : " So far: ");
            managed_add_count(out, facts[k].count, facts[k].one, facts[k].many);
            any = true;
        }
    }
    str_add(out, any ? "." : "");
}

static void add_last(struct str *out, const struct managed *m)
{
    struct trace_record r;
    struct str said = STR_EMPTY;
    for (uint32_t back = 0; said.length == 0 && managed_note(m, back, &r); back++) {
        managed_add_note(&said, m, &r);
    }
    if (said.length > 0) {
        str_addf(out, " Last: %s", str_text(&said));
        str_add(out, said.text[said.length - 1] == '.' ? "" : ".");
    }
    str_free(&said);
}

static void add_row_words(struct str *out, const struct managed *m)
{
    str_addf(out, "%s: %s.", m->words->title, m->words->placement);
    if (!m->asking) {
        if (managed_asked(&m->i.second) > 0) {
            str_addc(out, ' ');
            managed_add_became(out, &m->i.second);
            str_addc(out, '.');
        }
        add_busy(out, m);
        add_changes(out, m);
        add_last(out, m);
    }
    str_addf(out, " Splits: %s.", m->words->splits);
    if (m->i.second.throttled > 0 && !m->asking) {
        str_addf(out, " Who is throttled is told: %s.", m->words->throttled);
    }
}

/* --- columns ------------------------------------------------------------------------------- */

enum column {
    COLUMN_PARTS,
    COLUMN_ASKED,
    COLUMN_SERVED,
    COLUMN_THROTTLED,
    COLUMN_LATE,
    COLUMN_AWAY,
    COLUMN_BUSY,
    COLUMN_SPLITS,
    COLUMN_LOST,
    COLUMN_ORDER,
    COLUMNS
};
static const struct {
    const char *head;
    int width;    /* the blank before it included */
    bool follows; /* from what was asked: veiled while a question is open */
} columns[COLUMNS] = {
    [COLUMN_PARTS] = {"parts", 6, false}, [COLUMN_ASKED] = {"asked", 7, false},
    [COLUMN_SERVED] = {"ok", 5, true},    [COLUMN_THROTTLED] = {"throttled", 10, true},
    [COLUMN_LATE] = {"late", 7, true},    [COLUMN_AWAY] = {"away", 7, true},
    [COLUMN_BUSY] = {"most", 6, true},    [COLUMN_SPLITS] = {"splits", 7, true},
    [COLUMN_LOST] = {"lost", 6, true},    [COLUMN_ORDER] = {"unordered", 10, true},
};

struct plan {
    int name, bar, bar_x;
    int end[COLUMNS]; /* 0: there is no room for it */
    int row0, rows;   /* systems in sight */
    int lines;        /* a system */
    int foot;
};

/* Where a machine is down what was lost comes before what is busy. */
static int plan_columns(struct plan *p, int w, bool down)
{
    const enum column order[] = {COLUMN_SERVED, down ? COLUMN_LOST : COLUMN_BUSY,
                                 COLUMN_PARTS,  down ? COLUMN_BUSY : COLUMN_LOST,
                                 COLUMN_ORDER,  COLUMN_SPLITS,
                                 COLUMN_ASKED,  COLUMN_THROTTLED,
                                 COLUMN_LATE,   COLUMN_AWAY};
    bool there[COLUMNS] = {false};
    int least = w < 40 ? BAR_NARROW : BAR_LEAST, left = w - p->name - least - 1;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        if (columns[order[i]].width > left) {
            break;
        }
        there[order[i]] = true;
        left -= columns[order[i]].width;
    }
    p->bar = least + (left > 0 ? left : 0);
    p->bar = p->bar > BAR_MOST ? BAR_MOST : p->bar;
    int x = p->name;
    for (int i = 0; i < COLUMNS; i++) {
        if (i == COLUMN_SERVED) {
            x += x > p->name; /* a blank before the bar */
            p->bar_x = x;
            x += p->bar;
        }
        if (there[i]) {
            x += columns[i].width;
            p->end[i] = x - (i < COLUMN_SERVED);
        }
    }
    return x;
}

static bool any_down(const struct listed *l)
{
    for (uint32_t i = 0; i < l->count; i++) {
        struct system_info info = world_system(l->w, (enum system_id)l->id[i]);
        if (info.up < info.machines) {
            return true;
        }
    }
    return false;
}

static struct plan plan_of(const struct listed *l, int w, int h)
{
    struct plan p = {.name = w >= MANAGED_WIDE ? NAME_WIDE : NAME_LEAST, .lines = 1};
    (void)plan_columns(&p, w, any_down(l));
    p.row0 = h >= 12 ? 2 : 1;
    int count = (int)l->count, foot = h >= 16 ? 7 : h >= 12 ? 4 : h >= 8 ? 2 : 0;
    int spare = h - p.row0 - 5; /* for rows, with fewer words below than usual */
    if (h >= 16 && spare >= count * 2) {
        p.lines = spare >= count * 5 ? 5 : spare >= count * 4 ? 4 : spare >= count * 3 ? 3 : 2;
        foot = h - p.row0 - count * p.lines;
    }
    foot = managed_foot(h, p.row0, count * p.lines, foot);
    p.rows = (h - p.row0 - foot) / p.lines;
    p.rows = p.rows > count ? count : p.rows < 1 ? 1 : p.rows;
    p.foot = p.row0 + p.rows * p.lines;
    p.foot += h - p.foot > foot && p.lines < 3;
    return p;
}

/* --- drawing ------------------------------------------------------------------------------- */

static enum style add_cell(struct str *out, const struct managed *m, enum column column)
{
    const struct system_info *i = &m->i;
    uint64_t asked = managed_asked(&i->second), ok = i->second.ok[0] + i->second.ok[1];
    const uint64_t counts[COLUMNS] = {[COLUMN_THROTTLED] = i->second.throttled,
                                      [COLUMN_LATE] = i->second.late,
                                      [COLUMN_AWAY] = i->second.away,
                                      [COLUMN_SPLITS] = i->splits,
                                      [COLUMN_LOST] = i->lost,
                                      [COLUMN_ORDER] = i->disorder};
    switch (column) {
    case COLUMN_PARTS:
        str_addf(out, "%u", (unsigned)i->parts);
        return STYLE_TEXT;
    case COLUMN_ASKED:
        str_add(out, num_grouped((int64_t)asked).text);
        return STYLE_TEXT;
    case COLUMN_SERVED:
        if (asked > 0) {
            str_addf(out, "%s%%", num_ratio((int64_t)ok, (int64_t)asked, 0).text);
        }
        return ok < asked ? STYLE_WARN : STYLE_GOOD;
    case COLUMN_BUSY: {
        struct managed_busy busy = managed_busiest(m);
        if (busy.any) {
            str_addf(out, "%s%%",
                     num_ratio((int64_t)busy.load.asked, (int64_t)busy.load.limit, 0).text);
        }
        return managed_load_style(m, busy.load);
    }
    case COLUMN_THROTTLED:
    case COLUMN_LATE:
    case COLUMN_AWAY:
    case COLUMN_SPLITS:
    case COLUMN_LOST:
    case COLUMN_ORDER:
    case COLUMNS:
        break;
    }
    if (column == COLUMN_ORDER && !m->words->stream) {
        return STYLE_DIM;
    }
    str_add(out, num_grouped((int64_t)counts[column]).text);
    bool bad = column == COLUMN_LOST || column == COLUMN_ORDER;
    return counts[column] == 0       ? STYLE_DIM
           : bad                     ? STYLE_BAD
           : column == COLUMN_SPLITS ? STYLE_TEXT
                                     : STYLE_WARN;
}

/* What was asked is the same for all: while the question is open how each places keys says more. */
static bool rules_instead(const struct plan *p, bool asking)
{
    return asking && p->lines == 1;
}

static void draw_row(struct canvas *c, int y, const struct plan *p, const struct managed *m)
{
    struct str text = STR_EMPTY;
    canvas_text_fit(c, 0, y, p->name - 1, STYLE_TEXT, m->words->title);
    if (rules_instead(p, m->asking)) {
        canvas_text_fit(c, p->name, y, canvas_width(c) - p->name, STYLE_DIM, m->words->placement);
        str_free(&text);
        return;
    }
    managed_draw_share(c, (struct rect){p->bar_x, y, p->bar, 1}, &m->i.second, m->asking);
    for (int i = 0; i < COLUMNS; i++) {
        if (p->end[i] == 0 || (m->asking && columns[i].follows)) {
            continue;
        }
        str_clear(&text);
        enum style style = add_cell(&text, m, (enum column)i);
        canvas_text_right(c, p->end[i], y, style, str_text(&text));
    }
    str_free(&text);
}

/* Lines below a row: what it is, and what it said last. */
static void draw_below(struct canvas *c, int y, const struct plan *p, const struct managed *m)
{
    struct str text = STR_EMPTY;
    int w = canvas_width(c) - 2, end = y + p->lines - 1 - (p->lines >= 4);
    if (y < end) {
        bool both = w >= MANAGED_WIDE;
        str_addf(&text, both ? "%s; splits: %s" : "%s", m->words->placement, m->words->splits);
        canvas_text_fit(c, 2, y++, w, STYLE_DIM, str_text(&text));
    }
    if (y < end && !m->asking) {
        str_clear(&text);
        add_last(&text, m);
        if (text.length > 1) {
            canvas_text_fit(c, 2, y++, w, STYLE_TEXT, str_text(&text) + 1);
        }
    }
    if (y < end && !m->asking) {
        str_clear(&text);
        str_addf(&text, "an acknowledged write survives: %s", m->words->survives);
        canvas_text_fit(c, 2, y, w, STYLE_DIM, str_text(&text));
    }
    str_free(&text);
}

static void draw_heads(struct canvas *c, const struct plan *p, const struct listed *l)
{
    struct str text = STR_EMPTY;
    if (p->row0 > 1) {
        add_headline(&text, l);
        view_draw_line(c, 0, STYLE_STRONG, str_text(&text));
    }
    str_free(&text);
    int y = p->row0 - 1;
    canvas_text(c, 0, y, STYLE_DIM, "system");
    if (rules_instead(p, l->asking)) {
        canvas_text(c, p->name, y, STYLE_DIM, "where a key goes");
        return;
    }
    canvas_text_fit(c, p->bar_x, y, p->bar, STYLE_DIM,
                    l->asking      ? "asked"
                    : p->bar >= 18 ? "what became of it"
                                   : "outcome");
    for (int i = 0; i < COLUMNS; i++) {
        if (p->end[i] > 0 && !(l->asking && columns[i].follows)) {
            canvas_text_right(c, p->end[i], y, STYLE_DIM, columns[i].head);
        }
    }
}

static void draw_foot(struct canvas *c, const struct plan *p, const struct listed *l,
                      const struct managed *m, uint32_t met)
{
    struct str text = STR_EMPTY;
    int h = canvas_height(c), y = p->foot;
    if (p->rows < (int)l->count) {
        str_addf(&text, "%d more: up, down", (int)l->count - p->rows);
        y += across_flow(c, y, h - y > 1 ? 1 : 0, STYLE_KEYCAP, &text);
        str_clear(&text);
    }
    int signs = met > 1 && !l->asking && h - y >= 3 ? (canvas_width(c) >= 48 ? 1 : 2) : 0;
    if (signs > 0) {
        y += managed_draw_signs(c, y, signs, met, false);
    }
    if (l->asking && h - y >= 2) {
        str_add(&text, "What became of it comes with the answer.");
        y += across_flow(c, y, 1, STYLE_DIM, &text);
        str_clear(&text);
    }
    add_row_words(&text, m);
    (void)across_flow(c, y, h - y, STYLE_TEXT, &text);
    str_free(&text);
}

static void draw_listed(struct canvas *c, const struct listed *l, const struct scene *s,
                        const struct view_state *v, bool focused)
{
    struct plan p = plan_of(l, canvas_width(c), canvas_height(c));
    struct managed m;
    uint32_t met = 0, selected = selected_row(l, v);
    draw_heads(c, &p, l);
    int64_t first = view_list_first(v->scroll, selected, l->count, p.rows);
    for (uint32_t i = 0; i < l->count; i++) {
        int row = (int)((int64_t)i - first);
        if (row < 0 || row >= p.rows) {
            continue;
        }
        int y = p.row0 + row * p.lines;
        managed_open_id(&m, s, (enum system_id)l->id[i]);
        met |= managed_met(&m.i.second);
        draw_row(c, y, &p, &m);
        draw_below(c, y + 1, &p, &m);
        if (i == selected && (focused || v->has_selection)) {
            across_draw_selected(c, y, p.name - 1, focused);
        }
    }
    managed_open_id(&m, s, (enum system_id)l->id[selected]);
    draw_foot(c, &p, l, &m, met);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct listed l;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (listed_open(&l, s)) {
        draw_listed(c, &l, s, v, focused);
        return;
    }
    struct str text = STR_EMPTY;
    add_none(&text, s);
    view_draw_note(c, str_text(&text));
    str_free(&text);
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct listed l;
    (void)v;
    return listed_open(&l, s) ? (int)view_clamp((int64_t)l.count + 8, MIN_ROWS, 20) : 3;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct listed l;
    if (w < 1 || h < 1 || !listed_open(&l, s)) {
        return false;
    }
    return across_move(v, l.count, verb, plan_of(&l, w, h).rows);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct listed l;
    struct managed m;
    if (!listed_open(&l, s)) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    managed_open_id(&m, s, (enum system_id)l.id[selected_row(&l, v)]);
    return managed_subject(&m, MANAGED_SYSTEM, 0);
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct listed l;
    struct managed m;
    struct str line = STR_EMPTY;
    (void)v;
    if (!listed_open(&l, s)) {
        add_none(&line, s);
        across_tell_note(out, str_text(&line));
        str_free(&line);
        return;
    }
    add_headline(&line, &l);
    across_tell_note(out, str_text(&line));
    for (uint32_t i = 0; i < l.count; i++) {
        managed_open_id(&m, s, (enum system_id)l.id[i]);
        str_clear(&line);
        add_row_words(&line, &m);
        if (m.asking && managed_asked(&m.i.second) > 0) {
            str_add(&line, " Asked: ");
            managed_add_asked(&line, &m, &m.i.second);
            str_addc(&line, '.');
        }
        str_addc(&line, ' ');
        managed_add_count(&line, m.i.parts, m.words->part, m.words->parts);
        str_add(&line, " on ");
        managed_add_count(&line, m.i.machines, m.words->machine, m.words->machines);
        str_addc(&line, '.');
        across_tell(out, str_text(&line));
    }
    str_free(&line);
}

const struct view view_systems = {
    .name = "systems",
    .title = "Systems that people run",
    .min_rows = MIN_ROWS,
    .want_rows = 18,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
