/*
 * managed_draw: bars of loads and shares, and the space of keys as a line; see managed.h.
 */
#include "base/utf8.h"
#include "view/managed.h"

#include <ctype.h>
#include <string.h>

#define SCALE_LEAST 1250 /* tenths of a percent: a limit stands at four fifths of the width */
#define SCALE_MOST 3500  /* beyond it a bar ends in an arrow: the limit stays in sight */

static const struct mark signs[VERDICTS + 1] = {
    [VERDICT_OK] = {0x2588, '#', STYLE_GOOD, "served"},
    [VERDICT_THROTTLED] = {0x2592, '!', STYLE_WARN, "throttled"},
    [VERDICT_LATE] = {0x2591, '~', STYLE_BAD, "late"},
    [VERDICT_AWAY] = {0xD7, 'x', STYLE_BAD, "nobody serves it"},
    [VERDICTS] = {0x2503, '|', STYLE_LIMIT, "limit"}};
static const struct mark veil = {0x2592, '=', STYLE_DIM, "asked"};

uint32_t managed_met(const struct system_counts *c)
{
    const uint64_t counts[VERDICTS] = {c->ok[0] + c->ok[1], c->throttled, c->late, c->away};
    uint32_t out = 0;
    for (uint32_t i = 0; i < VERDICTS; i++) {
        out |= counts[i] > 0 ? 1u << i : 0;
    }
    return out;
}

int managed_draw_signs(struct canvas *c, int y, int rows, uint32_t met, bool limit)
{
    bool there[VERDICTS + 1] = {false};
    struct mark kept[VERDICTS + 1];
    for (uint32_t i = 0; i < VERDICTS; i++) {
        there[i] = (met >> i & 1u) != 0;
    }
    there[VERDICTS] = limit;
    int count = across_marks_of(signs, there, VERDICTS + 1, kept);
    return count > 0 ? across_draw_key(c, y, rows, kept, count) : 0;
}

static void put_run(struct canvas *c, int x, int y, int count, const struct mark *m)
{
    for (int i = 0; i < count; i++) {
        across_put(c, x + i, y, m);
    }
}

/* Columns of each part of a whole: what is there has at least one. */
static void split_columns(const uint64_t part[VERDICTS], uint64_t whole, int columns,
                          int out[VERDICTS])
{
    int left = columns, most = 0;
    for (int i = 0; i < VERDICTS; i++) {
        out[i] = (int)((part[i] * (uint64_t)columns + whole / 2) / whole);
        out[i] = part[i] > 0 && out[i] == 0 ? 1 : out[i];
        left -= out[i];
        most = out[i] > out[most] ? i : most;
    }
    out[most] += left;
    out[most] = out[most] < 0 ? 0 : out[most];
}

void managed_draw_share(struct canvas *c, struct rect area, const struct system_counts *counts,
                        bool veiled)
{
    const uint64_t part[VERDICTS] = {counts->ok[0] + counts->ok[1], counts->throttled, counts->late,
                                     counts->away};
    uint64_t whole = part[0] + part[1] + part[2] + part[3];
    int columns[VERDICTS], x = area.x;
    if (whole == 0 && managed_asked(counts) == 0) {
        for (int i = 0; i < area.w; i++) {
            canvas_put(c, area.x + i, area.y, STYLE_DIM, view_sign(c, 0x00B7, '.'));
        }
        return;
    }
    if (veiled || whole == 0) {
        put_run(c, area.x, area.y, area.w, &veil);
        return;
    }
    split_columns(part, whole, area.w, columns);
    for (int i = 0; i < VERDICTS; i++) {
        put_run(c, x, area.y, columns[i], &signs[i]);
        x += columns[i];
    }
}

uint64_t managed_scale(uint64_t most_tenths)
{
    return (uint64_t)view_clamp((int64_t)(most_tenths < SCALE_MOST ? most_tenths : SCALE_MOST),
                                SCALE_LEAST, SCALE_MOST);
}

void managed_draw_load(struct canvas *c, struct rect area, struct managed_load load, uint64_t scale,
                       bool veiled)
{
    if (area.w < 1) {
        return;
    }
    if (load.limit == 0) {
        canvas_text_fit(c, area.x, area.y, area.w, STYLE_DIM, load.asked > 0 ? "no limit" : "");
        return;
    }
    uint64_t full = load.limit * scale; /* what the width stands for, in thousandths */
    int asked = (int)(load.asked * 1000 * (uint64_t)area.w * 8 / full);
    int ok = (int)(load.ok * 1000 * (uint64_t)area.w * 8 / full), most = area.w * 8;
    bool over = asked > most;
    asked = over ? most : asked;
    ok = ok > asked ? asked : ok;
    if (load.turned != VERDICT_OK && !veiled) {
        put_run(c, area.x, area.y, (asked + 7) / 8, &signs[load.turned]);
        put_run(c, area.x, area.y, (ok + 4) / 8, &signs[VERDICT_OK]);
    } else {
        canvas_bar(c, area.x, area.y, asked, veiled ? STYLE_TEXT : STYLE_GOOD);
    }
    if (over) {
        canvas_put(c, area.x + area.w - 1, area.y, STYLE_STRONG, view_sign(c, 0x25B6, '>'));
    }
    int limit = (int)((uint64_t)area.w * 1000 / scale);
    if (limit < area.w) {
        across_put(c, area.x + limit, area.y, &signs[VERDICTS]);
    }
}

void managed_draw_work(struct canvas *c, struct rect area, const struct managed *m,
                       struct managed_load load, uint64_t scale, bool letter)
{
    if (letter) {
        canvas_put(c, area.x, area.y, STYLE_DIM, load.reads ? 'r' : 'w');
        area.x += 2;
        area.w -= 2;
    }
    managed_draw_load(c, area, load, scale, m->asking);
}

int managed_draw_facts(struct canvas *c, int y, const struct str *facts)
{
    struct str line = STR_EMPTY;
    int at = y;
    for (int pass = 0; pass < 2; pass++) {
        at = y;
        for (size_t i = 0; i < facts->length; i++) {
            if (facts->text[i] != '\n') {
                str_addc(&line, facts->text[i]);
                continue;
            }
            if (pass == 0) {
                at += across_lines(&line, canvas_width(c));
            } else {
                at += across_flow(c, at, canvas_height(c), STYLE_DIM, &line);
            }
            str_clear(&line);
        }
        if (at > canvas_height(c)) {
            at = y;
            break;
        }
    }
    str_free(&line);
    return at - y;
}

static int draw_last(struct canvas *c, int y, const struct managed *m)
{
    struct trace_record r;
    struct str line = STR_EMPTY;
    int h = canvas_height(c), clock = canvas_width(c) >= MANAGED_WIDE ? 14 : 0, top = y;
    canvas_text(c, 0, y++, STYLE_STRONG, "What it did last, newest first");
    for (uint32_t back = 0; y < h && managed_note(m, back, &r); back++) {
        str_clear(&line);
        managed_add_note(&line, m, &r);
        if (clock > 0) {
            canvas_text(c, 0, y, STYLE_DIM, num_clock(r.time_us / US_PER_MS * US_PER_MS).text);
        }
        canvas_text_fit(c, clock, y++, canvas_width(c) - clock, STYLE_TEXT, str_text(&line));
    }
    str_free(&line);
    return y - top;
}

static void draw_key(struct canvas *c, int y, const struct managed *m,
                     const struct system_key_info *key)
{
    struct part_info part;
    struct str text = STR_EMPTY;
    uint64_t asked = managed_asked(&key->second), ok = key->second.ok[0] + key->second.ok[1];
    view_add_key(&text, key->text);
    canvas_text_fit(c, 0, y, 12, STYLE_CODE, str_text(&text));
    str_clear(&text);
    managed_add_part(&text, m, key->part);
    if (world_system_find(m->w, m->id, key->part, &part) && part.machine[0] < m->i.machines) {
        str_add(&text, ", ");
        managed_add_machine(&text, m, part.machine[0]);
    }
    canvas_text_fit(c, 13, y, 26, STYLE_TEXT, str_text(&text));
    canvas_text_right(c, 49, y, STYLE_TEXT, num_grouped((int64_t)key->second.asked[0]).text);
    canvas_text_right(c, 59, y, STYLE_TEXT, num_grouped((int64_t)key->second.asked[1]).text);
    if (asked > 0) {
        str_clear(&text);
        str_addf(&text, "%s%%", num_ratio((int64_t)ok, (int64_t)asked, 0).text);
        canvas_text_right(c, 68, y, ok < asked ? STYLE_WARN : STYLE_GOOD, str_text(&text));
    }
    str_free(&text);
}

void managed_draw_past(struct canvas *c, int y, const struct managed *m)
{
    struct trace_record r;
    struct system_key_info key[SYSTEM_KEYS_MAX];
    int h = canvas_height(c);
    if (m->asking) {
        return;
    }
    if (h - y >= 4 && managed_note(m, 1, &r)) {
        y += draw_last(c, y, m) + 1;
    }
    uint32_t keys = managed_keys(m, key);
    if (canvas_width(c) < MANAGED_WIDE || h - y < 4 || keys == 0) {
        return;
    }
    canvas_text(c, 0, y, STYLE_STRONG, "Keys");
    canvas_text(c, 13, y, STYLE_DIM, "where");
    canvas_text_right(c, 49, y, STYLE_DIM, "writes/s");
    canvas_text_right(c, 59, y, STYLE_DIM, "reads/s");
    canvas_text_right(c, 68, y, STYLE_DIM, "served");
    for (uint32_t i = 0; i < keys && ++y < h; i++) {
        draw_key(c, y, m, &key[i]);
    }
}

int managed_foot(int h, int row0, int rows, int foot)
{
    int left = h - row0 - rows;
    return left >= 0 && left < foot ? left : foot;
}

void managed_draw_headline(struct canvas *c, enum style style, const char *whole, const char *brief)
{
    bool fits = utf8_columns(whole, strlen(whole)) <= canvas_width(c);
    view_draw_line(c, 0, style, fits ? whole : brief);
}

void managed_put_percent(struct canvas *c, int end, int y, const struct managed *m,
                         struct managed_load load)
{
    struct str text = STR_EMPTY;
    if (load.limit > 0 && !m->asking) {
        str_addf(&text, "%s%%", num_ratio((int64_t)load.asked, (int64_t)load.limit, 0).text);
        canvas_text_right(c, end, y, managed_load_style(m, load), str_text(&text));
    }
    str_free(&text);
}

/* --- the space of keys --------------------------------------------------------------------- */

static bool keys_in_order(enum system_id id)
{
    return id == SYSTEM_COCKROACHDB || id == SYSTEM_HBASE || id == SYSTEM_MONGODB;
}

static void add_node(struct managed_axis *a, struct u128 at)
{
    uint32_t i = 0;
    while (i < a->nodes && u128_order(a->node[i], at) < 0) {
        i++;
    }
    if (a->nodes == MANAGED_NODES || (i < a->nodes && u128_order(a->node[i], at) == 0)) {
        return;
    }
    memmove(&a->node[i + 1], &a->node[i], (a->nodes - i) * sizeof a->node[0]);
    a->node[i] = at;
    a->nodes++;
}

static int true_column(const struct managed_axis *a, struct u128 at)
{
    return a->x + (int)((unsigned __int128)at.high * (unsigned)a->width >> 64);
}

/* To scale some part would not be seen. */
static bool too_narrow(const struct managed_axis *a, const struct managed *m)
{
    for (uint32_t i = 0; i < m->parts; i++) {
        const struct part_info *p = &m->part[i];
        if (p->state == PART_OPEN && true_column(a, p->first) == true_column(a, p->last) &&
            p->last.high != UINT64_MAX) {
            return true;
        }
    }
    return false;
}

void managed_axis_of(struct managed_axis *out, const struct managed *m, int x, int width)
{
    out->x = x;
    out->width = width;
    out->nodes = 0;
    out->kind = m->id == SYSTEM_KAFKA ? AXIS_COUNT : AXIS_TRUE;
    bool order = keys_in_order(m->id);
    if (out->kind == AXIS_COUNT || (!order && !too_narrow(out, m))) {
        return;
    }
    for (uint32_t i = 0; i < m->parts; i++) {
        add_node(out, m->part[i].first);
    }
    uint32_t keys = world_system_keys(m->w, m->id), cuts = out->nodes;
    for (uint32_t i = 0; i < keys; i++) {
        add_node(out, world_system_key(m->w, m->id, i).position);
    }
    if ((int)out->nodes > width) { /* parts before keys */
        out->nodes = 0;
        for (uint32_t i = 0; i < m->parts; i++) {
            add_node(out, m->part[i].first);
        }
    }
    out->kind = (int)cuts <= width && cuts > 0 ? AXIS_ORDER : AXIS_TRUE;
}

/* The column where the node of a position begins. */
static int order_column(const struct managed_axis *a, struct u128 at, bool after)
{
    uint32_t i = 0;
    while (i < a->nodes && u128_order(a->node[i], at) <= 0) {
        i++;
    }
    i = after || i == 0 ? i : i - 1;
    return a->x + (int)i * a->width / (int)a->nodes;
}

static uint32_t open_parts(const struct managed *m, uint32_t before)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->parts && i < before; i++) {
        count += m->part[i].state == PART_OPEN;
    }
    return count;
}

void managed_axis_span(const struct managed_axis *a, const struct managed *m,
                       const struct part_info *p, int *from, int *to)
{
    if (a->kind == AXIS_COUNT) {
        uint32_t all = open_parts(m, m->parts), at = 0;
        for (uint32_t i = 0; i < m->parts && m->part[i].number != p->number; i++) {
            at += m->part[i].state == PART_OPEN;
        }
        all = all > at ? all : at + 1;
        *from = a->x + (int)at * a->width / (int)all;
        *to = a->x + (int)(at + 1) * a->width / (int)all;
    } else if (a->kind == AXIS_ORDER) {
        *from = order_column(a, p->first, false);
        *to = order_column(a, p->last, true);
    } else {
        *from = true_column(a, p->first);
        *to = true_column(a, p->last) + (p->last.high == UINT64_MAX);
    }
    *to = *to <= *from ? *from + 1 : *to;
}

int managed_axis_key(const struct managed_axis *a, const struct managed *m,
                     const struct system_key_info *key)
{
    struct part_info p;
    int from, to;
    if (a->kind == AXIS_TRUE) {
        return true_column(a, key->position);
    }
    if (a->kind == AXIS_ORDER) {
        return order_column(a, key->position, false);
    }
    if (!world_system_find(m->w, m->id, key->part, &p)) {
        return a->x;
    }
    managed_axis_span(a, m, &p, &from, &to);
    return from + (to - from) / 2;
}

/* Parts side by side on one machine differ by their shade (in ASCII by the size of the letter). */
void managed_axis_draw(struct canvas *c, int y, const struct managed_axis *a,
                       const struct managed *m, int32_t selected)
{
    bool dark = false;
    for (uint32_t i = 0; i < m->parts; i++) {
        const struct part_info *p = &m->part[i];
        int from, to;
        if (p->state != PART_OPEN) {
            continue;
        }
        managed_axis_span(a, m, p, &from, &to);
        bool nobody = p->machine[0] >= m->i.machines;
        uint32_t letter = (uint32_t)style_owner_letter(managed_owner(m, p));
        enum style style = (int32_t)i == selected ? STYLE_STRONG
                           : nobody               ? STYLE_DIM
                                                  : style_owner(managed_owner(m, p));
        uint32_t sign = view_sign(c, dark ? 0x2593 : 0x2588,
                                  nobody ? '?'
                                  : dark ? (uint32_t)toupper((int)letter)
                                         : letter);
        for (int x = from; x < to && x < a->x + a->width; x++) {
            canvas_put(c, x, y, style, sign);
        }
        dark = !dark;
    }
}

void managed_axis_draw_keys(struct canvas *c, int y, const struct managed_axis *a,
                            const struct managed *m)
{
    struct system_key_info key[SYSTEM_KEYS_MAX];
    bool taken[CANVAS_COLUMNS_MAX + 2] = {false};
    uint32_t keys = managed_keys(m, key);
    for (uint32_t i = 0; i < keys; i++) {
        struct str name = STR_EMPTY;
        view_add_key(&name, key[i].text);
        int columns = utf8_columns(str_text(&name), name.length);
        int x = managed_axis_key(a, m, &key[i]);
        int left = a->x, right = a->x + a->width;
        int at = x + columns > right ? right - columns : x;
        bool free = columns > 0 && at >= left && right <= CANVAS_COLUMNS_MAX;
        for (int k = at - 1; free && k <= at + columns; k++) {
            free = k < 0 || !taken[k];
        }
        for (int k = at; free && k < at + columns; k++) {
            taken[k] = true;
        }
        if (free) {
            canvas_text(c, at, y, i == 0 ? STYLE_CODE : STYLE_DIM, str_text(&name));
        }
        str_free(&name);
    }
}
