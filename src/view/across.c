/*
 * across: see across.h.
 */
#include "view/across.h"

#include "base/utf8.h"
#include "engine/copies/copies.h"
#include <string.h>

/* --- marks --------------------------------------------------------------------------------- */

void across_put(struct canvas *c, int x, int y, const struct mark *m)
{
    canvas_put(c, x, y, m->style, view_sign(c, m->utf8, m->ascii));
}

int across_draw_key(struct canvas *c, int y, int rows, const struct mark *marks, int count)
{
    int x = 0, row = 0, w = canvas_width(c);
    if (rows < 1) {
        return 0;
    }
    for (int i = 0; i < count; i++) {
        int columns = 2 + utf8_columns(marks[i].word, strlen(marks[i].word));
        if (x > 0 && x + columns > w) {
            x = 0;
            row++;
        }
        if (row == rows) {
            return rows;
        }
        across_put(c, x, y + row, &marks[i]);
        canvas_text_fit(c, x + 2, y + row, w - x - 2, STYLE_DIM, marks[i].word);
        x += columns + 2;
    }
    return row + 1;
}

int across_marks_of(const struct mark *marks, const bool *there, int count, struct mark *out)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (there[i]) {
            out[kept++] = marks[i];
        }
    }
    return kept;
}

/* --- time ---------------------------------------------------------------------------------- */

int across_column(const struct time_axis *a, int64_t us)
{
    int64_t span = a->to_us > a->from_us ? a->to_us - a->from_us : 1;
    int64_t since = view_clamp(us, a->from_us, a->to_us) - a->from_us;
    return a->x + (int)((__int128)since * (a->width - 1) / span);
}

void across_draw_axis(struct canvas *c, int y, const struct time_axis *a, const char *from,
                      const char *to)
{
    canvas_hline(c, a->x, y, a->width, LINE_LIGHT, STYLE_DIM);
    int left = utf8_columns(from, strlen(from)), right = utf8_columns(to, strlen(to));
    if (left + right + 4 <= a->width) {
        canvas_textf(c, a->x, y, STYLE_DIM, "%s ", from);
    }
    canvas_textf(c, a->x + a->width - right - 1, y, STYLE_DIM, " %s", to);
}

/* --- lists --------------------------------------------------------------------------------- */

int64_t across_selected(const struct view_state *v, int64_t count)
{
    return v->has_selection && count > 0 ? view_clamp(v->selected, 0, count - 1) : 0;
}

bool across_move(struct view_state *v, int64_t count, enum verb verb, int rows)
{
    int64_t at = across_selected(v, count);
    bool begins = !v->has_selection && (verb == VERB_UP || verb == VERB_DOWN);
    if (count < 1 || (!begins && !view_list_move(&at, count, verb, rows))) {
        return false;
    }
    v->has_selection = true;
    v->selected = at;
    v->scroll = view_list_first(v->scroll, at, count, rows);
    return true;
}

void across_draw_selected(struct canvas *c, int y, int columns, bool focused)
{
    canvas_restyle(c, (struct rect){0, y, columns, 1}, STYLE_SELECTED);
    if (focused) {
        canvas_cursor(c, 0, y);
    }
}

bool across_about_store(const struct scene *s)
{
    bool store = false, copies = false;
    for (size_t i = 0; s->page != NULL && i < s->page->shows; i++) {
        const char *view = s->page->show[i].view;
        store = store || (view != NULL && strcmp(view, "store") == 0);
        copies = copies || (view != NULL && strcmp(view, "replicas") == 0);
    }
    return store && !copies;
}

uint32_t across_group_of_page(const struct scene *s)
{
    uint32_t group = 0;
    for (size_t i = 0; s->page != NULL && i < s->page->shows; i++) {
        const struct page_show *show = &s->page->show[i];
        if (show->view != NULL && strcmp(show->view, "replicas") == 0 && show->argument != NULL) {
            bool known = world_group_find(s->world, bytes_of(show->argument), &group);
            group = known ? group + 1 : 0;
        }
    }
    return group;
}

/* --- words --------------------------------------------------------------------------------- */

const char *across_argument(const struct view_state *v)
{
    return v->argument != NULL ? v->argument : "";
}

void across_tell(struct str *out, const char *sentences)
{
    view_add_wrapped(out, sentences, TELL_COLUMNS, 2);
}

void across_tell_note(struct str *out, const char *note)
{
    struct str line = STR_EMPTY;
    str_add(&line, note);
    if (line.length > 0 && line.text[0] >= 'a' && line.text[0] <= 'z') {
        line.text[0] = (char)(line.text[0] - 'a' + 'A');
    }
    str_addc(&line, '.');
    across_tell(out, str_text(&line));
    str_free(&line);
}

void across_add_node(struct str *out, uint32_t node)
{
    str_addf(out, "N%u", (unsigned)node + 1u);
}

void across_add_zone(struct str *out, uint32_t zone)
{
    str_addf(out, "zone %c", (char)('a' + zone % 26));
}

void across_add_dollars(struct str *out, uint64_t cents)
{
    if (cents >= 10000) {
        str_addf(out, "$%s", num_grouped((int64_t)((cents + 50) / 100)).text);
    } else {
        str_addf(out, "$%u.%02u", (unsigned)(cents / 100), (unsigned)(cents % 100));
    }
}

int across_lines(const struct str *text, int columns)
{
    struct str lines = STR_EMPTY;
    int taken = 0;
    view_add_wrapped(&lines, str_text(text), columns < 1 ? 1 : columns, 0);
    for (size_t i = 0; i < lines.length; i++) {
        taken += lines.text[i] == '\n';
    }
    str_free(&lines);
    return taken;
}

void across_draw_lines(struct canvas *c, int y, const struct str *lines)
{
    struct str line = STR_EMPTY;
    int count = 0, widest = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < lines->length; i++) {
            if (lines->text[i] != '\n') {
                str_addc(&line, lines->text[i]);
                continue;
            }
            int columns = utf8_columns(str_text(&line), line.length);
            widest = columns > widest ? columns : widest;
            count += pass == 0;
            if (pass == 1) {
                view_draw_line(c, y++, STYLE_DIM, str_text(&line));
            }
            str_clear(&line);
        }
        if (y + count > canvas_height(c) || widest > canvas_width(c)) {
            break;
        }
    }
    str_free(&line);
}

int across_flow(struct canvas *c, int y, int most, enum style style, const struct str *text)
{
    int taken = across_lines(text, canvas_width(c)), spare = canvas_height(c) - y;
    most = most < spare ? most : spare;
    taken = taken < most ? taken : most < 0 ? 0 : most;
    view_draw_wrapped(c, y, taken, style, str_text(text));
    return taken;
}

/* --- the query ----------------------------------------------------------------------------- */

/* Which query: the one that was asked last, else the one that was defined last. */
static uint32_t latest_query(const struct world *w)
{
    uint32_t best = world_queries(w) - 1;
    int64_t asked_us = -1;
    for (uint32_t i = 0; i < world_queries(w); i++) {
        struct query_run_info run;
        if (world_query_last(w, i, &run) && run.number > 0 && run.asked_us > asked_us) {
            asked_us = run.asked_us;
            best = i;
        }
    }
    return best;
}

bool gathered_missing(const struct gathered *g, const struct query_part_info *p)
{
    return p->state == GATHER_GIVEN_UP || p->clashed || p->refused ||
           (g->run.ended_us >= 0 && p->heard_us < 0);
}

static void gathered_measure(struct gathered *g)
{
    for (uint32_t i = 0; i < g->run.parts; i++) {
        const struct query_part_info *p = &g->run.part[i];
        if (p->heard_us < 0 || gathered_missing(g, p)) {
            continue;
        }
        g->heard++;
        if (p->heard_us >= g->slowest_us) {
            g->rest_us = g->slowest_us;
            g->slowest_us = p->heard_us;
        } else if (p->heard_us > g->rest_us) {
            g->rest_us = p->heard_us;
        }
    }
}

void gathered_open(struct gathered *out, const struct scene *s, const char *argument)
{
    *out = (struct gathered){.w = s->world, .slowest_us = -1, .rest_us = -1};
    if (s->world == NULL || world_queries(s->world) == 0) {
        return;
    }
    out->known = true;
    if (argument[0] != '\0') {
        out->known = world_query_find(s->world, bytes_of(argument), &out->index);
    } else {
        out->index = latest_query(s->world);
    }
    if (!out->known) {
        return;
    }
    out->q = world_query(s->world, out->index);
    out->ran = world_query_last(s->world, out->index, &out->run) && out->run.number > 0;
    if (out->ran) {
        out->end_us = out->run.ended_us >= 0 ? out->run.ended_us : world_now(s->world);
        gathered_measure(out);
    }
}

void gathered_add_none(struct str *out, const struct gathered *g, const char *argument)
{
    if (g->w == NULL) {
        str_add(out, "there is no cluster here");
    } else if (g->known) {
        str_add(out, "nobody has asked ");
        view_add_key(out, bytes_of(g->q.name));
        str_add(out, " yet");
    } else if (argument[0] != '\0') {
        str_add(out, "there is no query ");
        view_add_key(out, bytes_of(argument));
        str_add(out, " yet");
    } else {
        str_add(out, "there is no query over all shards yet");
    }
}

void gathered_draw_unasked(struct canvas *c, const struct gathered *g)
{
    struct str text = STR_EMPTY;
    uint32_t shards = world_shards(g->w);
    int room = canvas_height(c) - 3;
    gathered_add_none(&text, g, "");
    view_draw_line(c, 0, STYLE_STRONG, str_text(&text));
    for (uint32_t i = 0; i < shards && (int)i < room; i++) {
        int y = 2 + (int)i;
        str_clear(&text);
        view_add_shard(&text, i);
        canvas_text(c, 0, y, style_owner(i), str_text(&text));
        str_clear(&text);
        across_add_zone(&text, world_zone(g->w, (struct node){NODE_SHARD, (uint16_t)i}));
        canvas_text(c, 4, y, STYLE_DIM, str_text(&text));
    }
    if ((int)shards > room) {
        canvas_textf(c, 0, 2 + room, STYLE_KEYCAP, "%d more", (int)shards - room);
    }
    str_free(&text);
}
