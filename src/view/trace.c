/*
 * trace: what happened, as a sequence diagram that follows the newest record.
 *
 * Each record of the window is a line: an arrow between the lifelines of those who take part, or a
 * dot where one of them decided something alone. With a key to follow, only that key's records and
 * those of control (maps, the plan, tables, moves, the operator) are shown; a router as argument
 * ("R5") shows what it took part in. Where lifelines stand close, labels have a column of their own
 * beside them; where not even that fits, the records are a list. Selection: a record's sequence
 * number; until there is one, the newest. v->scroll: records back from the newest.
 */
#include "base/utf8.h"
#include "view/trace_parts.h"
#include <string.h>

#define TOLD 20

/* --- drawing ------------------------------------------------------------------------------- */

static enum style record_style(const struct trace_record *r)
{
    if (r->outcome == OUTCOME_MOVED || r->outcome == OUTCOME_RETRY ||
        r->outcome == OUTCOME_OK_RELOAD || r->reason == REASON_DEAF) {
        return STYLE_WARN;
    }
    bool stray = r->reason == REASON_NOT_CHECKED && r->operand[0] != SLOT_OWNED;
    if (r->outcome == OUTCOME_REFUSED || r->outcome == OUTCOME_FAILED || stray) {
        return STYLE_BAD;
    }
    if (r->kind == TRACE_PLAN || r->kind == TRACE_TABLE || r->kind == TRACE_COMMAND) {
        return STYLE_STRONG;
    }
    return STYLE_TEXT;
}

static void add_label(struct str *out, const struct trace_lanes *l, const struct world *w,
                      const struct trace_record *r)
{
    if (r->from.kind == NODE_OPERATOR) {
        str_add(out, l->label > 0 && l->time - l->label < 22 ? "op: " : "operator: ");
    }
    if (l->others && r->to.kind == NODE_ROUTER && r->kind == TRACE_MAP &&
        r->reason != REASON_FETCHED) {
        node_say(r->to, out);
        str_addc(out, ' ');
    }
    trace_label(w, r, out);
}

static void draw_names(struct canvas *c, const struct trace_lanes *l,
                       const struct trace_window *win)
{
    struct str name = STR_EMPTY;
    for (int i = 0; i < l->count && !l->list; i++) {
        str_clear(&name);
        trace_add_lane_name(&name, l, l->node[i]);
        int x = l->x0 + i * l->gap - (int)name.length / 2;
        canvas_text(c, x < 0 ? 0 : x, 0,
                    l->node[i].kind == NODE_SHARD ? style_owner(l->node[i].index) : STYLE_STRONG,
                    str_text(&name));
    }
    str_free(&name);
    bool utf8 = canvas_glyphs(c) == GLYPHS_UTF8;
    const char *more = l->clock > 0 ? "ms" : "";
    if (win->older) {
        more = win->newer > 0 ? (utf8 ? "▲▼ more" : "^v more") : (utf8 ? "▲ older" : "^ older");
    } else if (win->newer > 0) {
        more = utf8 ? "▼ newer" : "v newer";
    }
    canvas_text_right(c, canvas_width(c), 0, STYLE_DIM, more);
}

/* The arrow between two lifelines, its label on it when there is no column for labels. */
static void draw_arrow(struct canvas *c, int y, const struct trace_lanes *l, int from, int to,
                       enum style style, const char *label)
{
    int left = from < to ? from : to, right = from < to ? to : from;
    canvas_hline(c, left + 1, y, right - left - 1, LINE_LIGHT, style);
    if (from < to) {
        canvas_put(c, right - 1, y, style, view_sign(c, 0x25B6, '>'));
    } else {
        canvas_put(c, left + 1, y, style, view_sign(c, 0x25C0, '<'));
    }
    if (l->label > 0) {
        return;
    }
    int room = right - left - 7; /* a dash and a blank on both sides, and the head */
    int columns = utf8_columns(label, strlen(label));
    columns = columns > room ? room : columns;
    int x = left + 1 + (right - left - 1 - columns) / 2;
    if (columns > 0) {
        canvas_put(c, x - 1, y, style, ' ');
        int taken = canvas_text_fit(c, x, y, room, style, label);
        canvas_put(c, x + taken, y, style, ' ');
    }
}

/* Since the request was asked, in milliseconds, to the arrival: "+6.25". */
static void add_since(struct str *out, int64_t since_us)
{
    int64_t ms = since_us / US_PER_MS;
    if (since_us < 100 * US_PER_MS) {
        str_addf(out, "+%d.%02d", (int)ms, (int)(since_us % US_PER_MS / 10));
    } else if (ms < 10000) {
        str_addf(out, "+%d", (int)ms);
    } else {
        str_addf(out, "+%ds", (int)(ms / 1000 % 10000));
    }
}

/* When the request of a record was asked; false when nobody remembers. */
static bool asked_at(const struct world *w, const struct trace_window *win,
                     const struct trace_record *r, int64_t *time_us)
{
    struct request_info request;
    if (r->request == 0) {
        return false;
    }
    if (world_request(w, r->request, &request)) {
        *time_us = request.issued_us;
        return true;
    }
    for (int i = 0; i < win->count; i++) {
        if (win->record[i]->request == r->request && win->record[i]->kind == TRACE_ASK) {
            *time_us = win->record[i]->time_us;
            return true;
        }
    }
    return false;
}

static void draw_time(struct canvas *c, int y, const struct trace_lanes *l, const struct world *w,
                      const struct trace_window *win, const struct trace_record *r)
{
    struct str text = STR_EMPTY;
    int64_t asked_us;
    if (l->clock > 0 && asked_at(w, win, r, &asked_us)) {
        add_since(&text, r->arrive_us - asked_us);
    } else if (l->clock >= 12) {
        str_add(&text, num_clock(r->time_us).text);
    }
    canvas_text_right(c, canvas_width(c), y, STYLE_DIM, str_text(&text));
    str_free(&text);
}

static void draw_record(struct canvas *c, int y, const struct trace_lanes *l, const struct world *w,
                        const struct trace_window *win, const struct trace_record *r)
{
    struct str label = STR_EMPTY;
    enum style style = record_style(r);
    int from = trace_lane_x(l, r->from), to = trace_lane_x(l, r->to);
    int x = l->label;
    add_label(&label, l, w, r);
    for (int i = 0; i < l->count; i++) {
        canvas_vline(c, l->x0 + i * l->gap, y, 1, LINE_LIGHT, STYLE_DIM);
    }
    if (from >= 0 && to >= 0 && from != to) {
        draw_arrow(c, y, l, from, to, style, str_text(&label));
    } else {
        int at = from >= 0 ? from : to;
        if (at >= 0) {
            canvas_put(c, at, y, style, view_sign(c, 0x25CF, '*'));
        }
        if (x == 0) { /* right of the dot, over the lifelines; or left where the room ends */
            int columns = utf8_columns(str_text(&label), label.length);
            x = at >= 0 ? at + 2 : 2;
            if (x + columns > l->time - 1 && at - 1 - columns > 0) {
                x = at - 1 - columns;
            }
            canvas_put(c, x - 1, y, style, ' ');
            x += canvas_text_fit(c, x, y, l->time - 1 - x, style, str_text(&label));
            canvas_put(c, x, y, style, ' ');
        }
    }
    if (l->label > 0) {
        canvas_text_fit(c, l->label, y, l->time - 1 - l->label, style, str_text(&label));
    }
    draw_time(c, y, l, w, win, r);
    str_free(&label);
}

/* "R5 > S2  like p9", where lifelines have no room. */
static void draw_listed(struct canvas *c, int y, const struct trace_lanes *l, const struct world *w,
                        const struct trace_window *win, const struct trace_record *r)
{
    struct str text = STR_EMPTY;
    int room = l->clock > 0 && l->time >= 20 ? l->time - 1 : canvas_width(c);
    node_say(r->from, &text);
    if (r->to.kind != NODE_NONE && !trace_same_node(r->from, r->to)) {
        str_add(&text, canvas_glyphs(c) == GLYPHS_UTF8 ? " ▶ " : " > ");
        node_say(r->to, &text);
    }
    str_add(&text, "  ");
    trace_label(w, r, &text);
    canvas_text_fit(c, 2, y, room - 2, record_style(r), str_text(&text));
    if (room < canvas_width(c)) {
        draw_time(c, y, l, w, win, r);
    }
    str_free(&text);
}

/* Lines under the diagram for the selected record's whole sentence. */
static int said_rows(int w, int h)
{
    return h < 3 ? 0 : w < 70 && h >= 8 ? 2 : 1;
}

static int record_rows(int w, int h)
{
    int rows = h - said_rows(w, h) - (h >= 2);
    return rows < 1 ? 1 : rows;
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    int w = canvas_width(c), h = canvas_height(c);
    if (s->world == NULL) {
        view_draw_note(c, "there is no cluster here");
        return;
    }
    if (w < 1 || h < 1) {
        return;
    }
    struct trace_window win;
    trace_window_fill(&win, s, v, record_rows(w, h));
    if (win.count == 0) {
        struct str note = STR_EMPTY;
        struct followed f = view_followed(s, v->argument);
        str_add(&note, "nothing has happened");
        if (f.found && f.is_key) {
            str_add(&note, " to ");
            view_add_key(&note, f.key);
        }
        str_add(&note, s->page != NULL && s->before != NULL ? " in this step" : "");
        str_add(&note, " yet");
        view_draw_note(c, str_text(&note));
        str_free(&note);
        return;
    }
    struct trace_lanes lanes = trace_lanes_of(&win, w);
    int y0 = h >= 2 ? 1 : 0;
    for (int i = 0; i < win.count; i++) {
        if (lanes.list) {
            draw_listed(c, y0 + i, &lanes, s->world, &win, win.record[i]);
        } else {
            draw_record(c, y0 + i, &lanes, s->world, &win, win.record[i]);
        }
    }
    if (y0 > 0) {
        draw_names(c, &lanes, &win);
    }
    int y = y0 + win.selected;
    if (focused || v->has_selection) {
        canvas_put(c, 0, y, STYLE_FOCUS, view_sign(c, 0x25B8, '>'));
        int from = lanes.list ? 2 : lanes.label > 0 ? lanes.label : lanes.time;
        canvas_restyle(c, (struct rect){from, y, w - from, 1}, STYLE_SELECTED);
        if (focused) {
            canvas_cursor(c, 0, y);
        }
    }
    struct str said = STR_EMPTY;
    trace_say(s->world, win.record[win.selected], &said);
    view_draw_wrapped(c, h - said_rows(w, h), said_rows(w, h), STYLE_TEXT, str_text(&said));
    str_free(&said);
}

/* --- verbs --------------------------------------------------------------------------------- */

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    if (s->world == NULL || w < 1 || h < 1) {
        return false;
    }
    struct trace_window win;
    int rows = record_rows(w, h);
    trace_window_fill(&win, s, v, rows);
    if (win.count == 0) {
        return false;
    }
    uint64_t was = win.record[win.selected]->sequence;
    int64_t steps = 0;
    switch (verb) {
    case VERB_UP:
        steps = 1;
        break;
    case VERB_DOWN:
        steps = -1;
        break;
    case VERB_PAGE_UP:
        steps = rows;
        break;
    case VERB_PAGE_DOWN:
        steps = -rows;
        break;
    case VERB_FIRST:
        steps = INT64_MAX;
        break;
    case VERB_LAST:
        steps = -INT64_MAX;
        break;
    case VERB_NONE:
    case VERB_LEFT:
    case VERB_RIGHT:
    case VERB_ZOOM_IN:
    case VERB_ZOOM_OUT:
        return false;
    }
    struct trace_filter f = trace_filter_of(s, v->argument);
    uint64_t to = trace_walk(s, &f, was, steps);
    bool changed = to != was || !v->has_selection;
    v->selected = (int64_t)to;
    v->has_selection = true;
    int64_t newer = trace_after_selected(s, v, &f);
    if (newer == 0) { /* back at the newest: follow it again */
        changed = to != was || v->scroll != 0;
        v->has_selection = false;
        v->scroll = 0;
    } else if (newer < win.newer) {
        v->scroll = newer;
    } else if (newer >= win.newer + rows) {
        v->scroll = newer - rows + 1;
    } else {
        v->scroll = win.newer;
    }
    return changed;
}

/* --- words --------------------------------------------------------------------------------- */

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct trace_window win = {0};
    if (s->world != NULL) {
        trace_window_fill(&win, s, v, TOLD);
    }
    if (win.count == 0) {
        str_add(out, "Nothing has happened yet.\n");
        return;
    }
    str_add(out, win.older ? "The latest, oldest first; what came before is left out.\n"
                           : "Oldest first.\n");
    struct str line = STR_EMPTY;
    for (int i = 0; i < win.count; i++) {
        str_clear(&line);
        trace_say(s->world, win.record[i], &line);
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 17);
    }
    str_free(&line);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct trace_window win = {0};
    if (s->world != NULL) {
        trace_window_fill(&win, s, v, 1);
    }
    if (win.count == 0) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    return (struct subject){.kind = SUBJECT_RECORD, .id = win.record[win.selected]->sequence};
}

const struct view view_trace = {
    .name = "trace",
    .title = "Trace",
    .min_rows = 7,
    .want_rows = 14,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
