/*
 * trace: what happened, as a sequence diagram that follows the newest record.
 *
 * Each record of the window is a line: an arrow between the lifelines of those who take part, or a
 * dot where one of them decided something alone. With a key to follow, only that key's records and
 * those of control (maps, the plan, tables, moves, the operator) are shown; a node as argument
 * ("R5", "directory") shows what it took part in; a system ("kinesis", or "systems" for all) what
 * it noted, as a list, and so does a page that is about systems. The last request is shown whole
 * where it fits, and else without its dull hops: dots on the lifelines, and how many. Where
 * lifelines stand close, labels have a column of their own beside them; where not even that fits,
 * the records are a list. Times count from when the request was sent to each arrival; what nodes
 * tell each other has the second at which it was sent. The sentence below is for rows to spare
 * until the pane is focused. Selection: a record's sequence number; until there is one, the newest.
 * v->scroll: records back from the newest.
 */
#include "base/utf8.h"
#include "engine/command.h"
#include "view/trace_parts.h"
#include <stdlib.h>
#include <string.h>

#define TOLD 20
#define MIN_ROWS 9 /* heading, and a request that is redirected once */
#define WANTS_MIN 6
#define WANTS_MAX 20 /* a longer one is read better folded */

/* --- drawing ------------------------------------------------------------------------------- */

static int columns_of(const struct str *text)
{
    return utf8_columns(str_text(text), text->length);
}

/* What stands on a line: with the whole key where there is room for it, else with its tag. */
static void add_words(struct str *out, const struct world *w, const struct trace_record *r,
                      bool whole)
{
    if (r->kind == TRACE_COMMAND && r->operand[0] == COMMAND_FREEZE) {
        str_add(out, r->value != 0 ? "hold" : "serve again");
    } else if (!whole && r->kind == TRACE_MAP && r->reason == REASON_DEAF) {
        str_addf(out, "unheard v%u", (unsigned)r->version);
    } else if (whole && (r->kind == TRACE_ASK || r->kind == TRACE_ROUTE) && r->key != KEY_NONE_ID) {
        str_addf(out, "%s ", op_name((enum op_kind)r->op));
        view_add_key(out, world_key(w, r->key));
    } else {
        trace_label(w, r, out);
    }
}

static void add_label(struct str *out, const struct trace_lanes *l, const struct world *w,
                      const struct trace_record *r, int room)
{
    struct str name = STR_EMPTY;
    if (l->others && r->to.kind == NODE_ROUTER && r->kind == TRACE_MAP &&
        r->reason != REASON_FETCHED) {
        node_say(r->to, &name);
        str_addc(&name, ' ');
    }
    str_add(out, str_text(&name));
    add_words(out, w, r, true);
    if (columns_of(out) > room) {
        str_clear(out);
        str_add(out, str_text(&name));
        add_words(out, w, r, false);
    }
    if (r->from.kind == NODE_OPERATOR && columns_of(out) + 10 <= room) {
        str_clear(&name);
        str_addf(&name, "operator: %s", str_text(out));
        str_clear(out);
        str_add(out, str_text(&name));
    }
    str_free(&name);
}

static struct trace_widths widths_of(const struct world *w, const struct trace_window *win)
{
    struct trace_widths out = {0};
    struct str text = STR_EMPTY;
    for (int i = 0; i < win->count; i++) {
        for (int whole = 0; whole < 2 && win->record[i] != NULL; whole++) {
            int *widest = whole == 1 ? &out.whole : &out.brief;
            str_clear(&text);
            add_words(&text, w, win->record[i], whole == 1);
            *widest = columns_of(&text) > *widest ? columns_of(&text) : *widest;
        }
    }
    str_free(&text);
    return out;
}

/* What nodes tell each other, and queries over all shards, belong to no request: they have the
 * second at which they were sent. */
static bool timed_by_second(const struct trace_window *win)
{
    for (int i = 0; i < win->count && win->request == 0; i++) {
        const struct trace_record *r = win->record[i];
        if (r != NULL && r->kind >= TRACE_QUERY && r->kind <= TRACE_SYSTEM) {
            return true;
        }
    }
    return false;
}

/* "▲ ms since sent": whether there is more, and what the column below counts. */
static void draw_heading(struct canvas *c, const struct trace_lanes *l,
                         const struct trace_window *win, int from)
{
    bool utf8 = canvas_glyphs(c) == GLYPHS_UTF8;
    const char *more = "", *counts = "";
    int width = canvas_width(c);
    if (win->older) {
        more = win->newer > 0 ? (utf8 ? "▲▼ more" : "^v more") : (utf8 ? "▲ older" : "^ older");
    } else if (win->newer > 0) {
        more = utf8 ? "▼ newer" : "v newer";
    }
    int room = width - from - utf8_columns(more, strlen(more)) - (*more != '\0' ? 2 : 0);
    if (l->clock > 0 && win->request != 0) {
        counts = room >= 13 ? "ms since sent" : room >= 2 ? "ms" : "";
    } else if (l->clock > 0 && l->clock < 12 && timed_by_second(win)) {
        counts = room >= 8 ? "at second" : "s";
    }
    struct str text = STR_EMPTY;
    str_addf(&text, "%s%s%s", more, *more != '\0' && *counts != '\0' ? "  " : "", counts);
    canvas_text_right(c, width, 0, STYLE_DIM, str_text(&text));
    str_free(&text);
}

/* Names stand over their lifelines; a long one leans aside rather than be cut. */
static void draw_names(struct canvas *c, const struct trace_lanes *l,
                       const struct trace_window *win)
{
    struct str name = STR_EMPTY;
    int free_from = 0;
    for (int i = 0; i < l->count && !l->list; i++) {
        int lane = l->x0 + i * l->gap;
        int end = i + 1 < l->count ? lane + l->gap - 1 : canvas_width(c) - 8; /* "▲ older" */
        str_clear(&name);
        trace_add_lane_name(&name, l, l->node[i], end - free_from);
        bool owns = l->node[i].kind == NODE_SHARD || l->node[i].kind == NODE_MACHINE;
        int x = lane - columns_of(&name) / 2;
        x = x + columns_of(&name) > end ? end - columns_of(&name) : x;
        x = x < free_from ? free_from : x;
        canvas_text(c, x, 0, owns ? style_owner(l->node[i].index) : STYLE_STRONG, str_text(&name));
        free_from = x + columns_of(&name) + 1;
    }
    str_free(&name);
    draw_heading(c, l, win, free_from);
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

/* When a request was asked; false when nobody remembers. */
static bool asked_at(const struct world *w, const struct trace_window *win, uint64_t number,
                     int64_t *time_us)
{
    struct request_info request;
    if (number == 0) {
        return false;
    }
    if (world_request(w, number, &request)) {
        *time_us = request.issued_us;
        return true;
    }
    for (int i = 0; i < win->count; i++) {
        const struct trace_record *r = win->record[i];
        if (r != NULL && r->request == number && r->kind == TRACE_ASK) {
            *time_us = r->time_us;
            return true;
        }
    }
    return false;
}

/* Since its request was asked; what happens between counts from the request around it. */
static bool since_asked(const struct world *w, const struct trace_window *win, int at,
                        int64_t *since_us)
{
    const struct trace_record *r = win->record[at];
    int64_t asked_us, shown_us = r->kind == TRACE_WAIT ? r->time_us : r->arrive_us;
    bool around = r->request != 0;
    for (int i = at + 1; i < win->count && !around; i++) {
        around = win->record[i] != NULL && win->record[i]->request == win->request;
    }
    if (!around || !asked_at(w, win, r->request != 0 ? r->request : win->request, &asked_us)) {
        return false;
    }
    *since_us = shown_us - asked_us;
    return r->request != 0 || r->time_us > asked_us;
}

static void draw_time(struct canvas *c, int y, const struct trace_lanes *l, const struct world *w,
                      const struct trace_window *win, int at)
{
    struct str text = STR_EMPTY;
    int64_t since_us;
    if (l->clock > 0 && since_asked(w, win, at, &since_us)) {
        add_since(&text, since_us);
    } else if (l->clock >= 12) {
        str_add(&text, num_clock(win->record[at]->time_us).text);
    } else if (l->clock > 0 && timed_by_second(win)) {
        str_add(&text, num_clock(win->record[at]->time_us / US_PER_MS * US_PER_MS).text + 6);
    }
    canvas_text_right(c, canvas_width(c), y, STYLE_DIM, str_text(&text));
    str_free(&text);
}

/* Hops that have no room: dots on the lifelines. */
static void draw_fold(struct canvas *c, int y, const struct trace_lanes *l, int folded)
{
    uint32_t dot = view_sign(c, 0x00B7, '.');
    struct str text = STR_EMPTY;
    for (int i = 0; i < l->count && !l->list; i++) {
        canvas_put(c, l->x0 + i * l->gap, y, STYLE_DIM, dot);
    }
    str_addf(&text, "%s %d more", dot == '.' ? "..." : "···", folded);
    int x = l->list ? 2 : l->label > 0 ? l->label : l->x0 + 2;
    canvas_text_fit(c, x, y, canvas_width(c) - x, STYLE_DIM, str_text(&text));
    str_free(&text);
}

/* The label of a dot, right of it over the lifelines; left where the room ends. */
static void draw_beside(struct canvas *c, int y, const struct trace_lanes *l, int at,
                        enum style style, const struct str *label)
{
    int columns = columns_of(label);
    int x = at >= 0 ? at + 2 : 2;
    if (x + columns > l->time - 1 && at - 1 - columns > 0) {
        x = at - 1 - columns;
    }
    canvas_put(c, x - 1, y, style, ' ');
    x += canvas_text_fit(c, x, y, l->time - 1 - x, style, str_text(label));
    canvas_put(c, x, y, style, ' ');
}

static void draw_record(struct canvas *c, int y, const struct trace_lanes *l, const struct world *w,
                        const struct trace_record *r)
{
    struct str label = STR_EMPTY;
    enum style style = trace_record_style(r);
    int from = trace_lane_x(l, r->from), to = trace_lane_x(l, r->to);
    bool arrow = from >= 0 && to >= 0 && from != to;
    int room = l->label > 0 ? l->time - 1 - l->label : arrow ? abs(to - from) - 7 : l->time - 4;
    add_label(&label, l, w, r, room);
    for (int i = 0; i < l->count; i++) {
        canvas_vline(c, l->x0 + i * l->gap, y, 1, LINE_LIGHT, STYLE_DIM);
    }
    if (arrow) {
        draw_arrow(c, y, l, from, to, style, str_text(&label));
    } else {
        int at = from >= 0 ? from : to;
        if (at >= 0) {
            canvas_put(c, at, y, style, view_sign(c, 0x25CF, '*'));
        }
        if (l->label == 0) {
            draw_beside(c, y, l, at, style, &label);
        }
    }
    if (l->label > 0) {
        canvas_text_fit(c, l->label, y, l->time - 1 - l->label, style, str_text(&label));
    }
    str_free(&label);
}

/* "R5 > S2  like p9", where lifelines have no room. */
static void draw_listed(struct canvas *c, int y, int room, const struct world *w,
                        const struct trace_record *r)
{
    struct str text = STR_EMPTY;
    if (r->kind == TRACE_SYSTEM) { /* its words begin with its name; in full where they fit */
        node_say(r->from, &text);
        str_add(&text, ": ");
        systems_say(w, r, &text);
        if (columns_of(&text) > room - 2) {
            str_clear(&text);
        }
    } else {
        node_say(r->from, &text);
        bool other = r->to.kind != NODE_NONE && r->to.kind != NODE_SYSTEM;
        if (other && !trace_same_node(r->from, r->to)) {
            str_add(&text, canvas_glyphs(c) == GLYPHS_UTF8 ? " ▶ " : " > ");
            node_say(r->to, &text);
        }
        str_add(&text, "  ");
    }
    if (r->kind != TRACE_SYSTEM || text.length == 0) {
        add_words(&text, w, r, false);
    }
    canvas_text_fit(c, 2, y, room - 2, trace_record_style(r), str_text(&text));
    str_free(&text);
}

static void draw_line(struct canvas *c, int y, const struct trace_lanes *l, const struct world *w,
                      const struct trace_window *win, int at)
{
    const struct trace_record *r = win->record[at];
    bool times = l->clock > 0 && (!l->list || l->time >= 20);
    if (r == NULL) {
        draw_fold(c, y, l, win->folded[at]);
        return;
    }
    if (l->list) {
        draw_listed(c, y, times ? l->time - 1 : canvas_width(c), w, r);
    } else {
        draw_record(c, y, l, w, r);
    }
    if (times) {
        draw_time(c, y, l, w, win, at);
    }
}

/* Lines under the diagram for the selected record's whole sentence. */
static int said_rows(int w, int h)
{
    return h < 3 ? 0 : w < 70 && h >= 12 ? 2 : 1;
}

static int record_rows(int w, int h)
{
    int rows = h - said_rows(w, h) - (h >= 2);
    return rows < 1 ? 1 : rows;
}

/* The selected record's sentence; its clock only where no column counts from the request. */
static void draw_said(struct canvas *c, int rows, const struct trace_lanes *l,
                      const struct scene *s, const struct trace_window *win)
{
    struct str said = STR_EMPTY;
    int64_t since_us;
    trace_say(s->world, win->record[win->selected], &said);
    const char *text = str_text(&said);
    if (l->clock > 0 && since_asked(s->world, win, win->selected, &since_us)) {
        text = strstr(text, "  ") + 2;
    }
    view_draw_wrapped(c, canvas_height(c) - rows, rows, STYLE_TEXT, text);
    str_free(&said);
}

/* What another picture of the page is about, where that is no key: a shard's copies or a store's
 * key by name, NULL for nodes or transactions; "" if there is none. */
static const char *matter_of(const struct scene *s)
{
    static const char *const views[] = {"replicas", "store", "nodes",   "phi",      "txn",
                                        "systems",  "parts", "lineage", "machines", "group"};
    const char *matter = "";
    for (size_t i = 0; s->page != NULL && i < s->page->shows; i++) {
        const struct page_show *show = &s->page->show[i];
        for (size_t k = 0; show->view != NULL && k < sizeof views / sizeof views[0]; k++) {
            if (strcmp(show->view, views[k]) != 0) {
                continue;
            }
            bool named = k < 2 && show->argument != NULL && show->argument[0] != '\0';
            const char *colon = named ? strchr(show->argument, ':') : NULL;
            if (named) {
                return colon != NULL ? colon + 1 : show->argument;
            }
            matter = NULL;
        }
    }
    return matter;
}

static void draw_nothing(struct canvas *c, const struct scene *s, const struct view_state *v)
{
    struct str note = STR_EMPTY;
    struct followed f = view_followed(s, v->argument);
    bool argued = v->argument != NULL && v->argument[0] != '\0';
    uint8_t system;
    if (argued && system_by_name(v->argument, &system)) { /* no key */
        f.found = false;
    }
    const char *matter = argued ? "" : matter_of(s);
    str_add(&note, "nothing has happened");
    if (matter != NULL && matter[0] != '\0') {
        str_add(&note, " to ");
        view_add_key(&note, bytes_of(matter));
    } else if (matter != NULL && f.found && f.is_key) { /* NULL: it is not about the key */
        str_add(&note, " to ");
        view_add_key(&note, f.key);
    }
    str_add(&note, s->page != NULL && s->before != NULL ? " in this step" : "");
    str_add(&note, " yet");
    view_draw_note(c, str_text(&note));
    str_free(&note);
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
    bool walked = focused || v->has_selection;
    struct trace_window win;
    trace_window_fill(&win, s, v, walked || h < 2 ? record_rows(w, h) : h - 1);
    if (win.count == 0) {
        draw_nothing(c, s, v);
        return;
    }
    struct trace_lanes lanes = trace_lanes_of(&win, w, widths_of(s->world, &win));
    int y0 = h >= 2 ? 1 : 0;
    for (int i = 0; i < win.count; i++) {
        draw_line(c, y0 + i, &lanes, s->world, &win, i);
    }
    if (y0 > 0) {
        draw_names(c, &lanes, &win);
    }
    int y = y0 + win.selected;
    if (walked) {
        canvas_put(c, 0, y, STYLE_FOCUS, view_sign(c, 0x25B8, '>'));
        int from = lanes.list ? 2 : lanes.label > 0 ? lanes.label : lanes.time;
        canvas_restyle(c, (struct rect){from, y, w - from, 1}, STYLE_SELECTED);
        if (focused) {
            canvas_cursor(c, 0, y);
        }
    }
    int spare = h - y0 - win.count;
    draw_said(c, spare < said_rows(w, h) ? spare : said_rows(w, h), &lanes, s, &win);
}

/* The whole last request. */
static int wants(const struct scene *s, const struct view_state *v)
{
    int rows = s->world != NULL ? trace_request_rows(s, v) : 0;
    return (int)view_clamp(1 + rows, WANTS_MIN, WANTS_MAX);
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
        if (win.record[i] != NULL) {
            trace_say(s->world, win.record[i], &line);
        } else {
            str_addf(&line, "(%d more of this request)", win.folded[i]);
        }
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
    const struct trace_record *r = win.record[win.selected];
    if (r->from.kind == NODE_SYSTEM && trace_get(s->world, r->sequence) == NULL) {
        return (struct subject){.kind = SUBJECT_SYSTEM, .id = r->from.index};
    }
    return (struct subject){.kind = SUBJECT_RECORD, .id = r->sequence};
}

const struct view view_trace = {
    .name = "trace",
    .title = "Trace",
    .min_rows = MIN_ROWS,
    .want_rows = 12,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
