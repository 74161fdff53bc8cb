/*
 * waterfall: reads of one key in the last moment, each a line from asked to answered.
 *
 * Who goes to the shard has a heavy line; who waits for it stands below, its line joined to the end
 * of the query that answers it. Reads that a cache answered share a line, a dot for each. The key
 * is the argument's, or the page's. Selection: a request, by its number; until there is one, the
 * newest. The time axis spans what is in sight.
 */
#include "engine/reads/reads.h"
#include "view/waterfall_parts.h"

#define LABEL 7        /* columns: "R0 S2 " */
#define TOLD 24        /* rows */
#define COUNT_LEAST 44 /* a pane so wide has counts right of the lines */
#define COUNT 12

/* --- drawing ------------------------------------------------------------------------------- */

struct axis {
    int64_t from_us, to_us; /* of what is in sight */
    int x, width;           /* columns */
    bool counts;
};

static int64_t end_of(const struct fall *f, const struct asked *a)
{
    return asked_is_over(&f->list, a) ? a->answered_us : f->list.to_us;
}

static struct axis axis_of(const struct fall *f, int64_t first, int rows, int w)
{
    struct axis out = {.from_us = INT64_MAX, .to_us = INT64_MIN, .x = LABEL};
    for (int64_t i = first; i < first + rows && i < (int64_t)f->rows; i++) {
        const struct fall_row *row = &f->row[i];
        int64_t from = row->a->asked_us, to = end_of(f, row->a);
        if (row->kind == FALL_CACHED) {
            to = end_of(f, f->order[row->from + row->many - 1]);
        }
        out.from_us = from < out.from_us ? from : out.from_us;
        out.to_us = to > out.to_us ? to : out.to_us;
    }
    out.to_us = out.to_us > out.from_us ? out.to_us : out.from_us + 1;
    out.counts = w >= COUNT_LEAST;
    out.width = w - LABEL - (out.counts ? COUNT : 0);
    out.width = out.width < 2 ? 2 : out.width;
    return out;
}

static int column_of(const struct axis *axis, int64_t us)
{
    int64_t at = (us - axis->from_us) * (axis->width - 1) / (axis->to_us - axis->from_us);
    return axis->x + (int)view_clamp(at, 0, axis->width - 1);
}

static void draw_label(struct canvas *c, int y, const struct fall_row *row)
{
    const struct asked *a = row->a;
    bool asks = row->kind == FALL_QUERY || row->kind == FALL_ALONE;
    struct str text = STR_EMPTY;
    if (row->kind == FALL_CACHED) {
        str_add(&text, " kept");
    } else if (!asks) {
        str_addf(&text, "zone %c", 'a' + a->zone % 26); /* of its client */
    } else {
        if (a->at.kind == NODE_CLIENT) {
            str_addf(&text, "edge%c", 'a' + a->at.index % 26);
        } else {
            str_addf(&text, "R%u", (unsigned)a->at.index);
        }
        if (a->shard != SHARD_NONE) {
            str_pad(&text, ' ', text.length < 3 ? 3 - text.length : 1);
            str_addf(&text, "S%u", (unsigned)a->shard);
        }
    }
    canvas_text_fit(c, 0, y, LABEL - 1, asks ? STYLE_STRONG : STYLE_DIM, str_text(&text));
    str_free(&text);
}

/* A line from asked to answered; one that is still open ends in an arrow. */
static void draw_line(struct canvas *c, int y, const struct fall *f, const struct axis *axis,
                      const struct fall_row *row)
{
    const struct asked *a = row->a;
    bool asks = row->kind == FALL_QUERY || row->kind == FALL_ALONE;
    bool bad =
        a->outcome != OUTCOME_NONE && a->outcome != OUTCOME_OK && a->outcome != OUTCOME_OK_RELOAD;
    enum style style = bad                      ? STYLE_BAD
                       : !asks                  ? STYLE_TEXT
                       : a->shard != SHARD_NONE ? style_owner(a->shard)
                                                : STYLE_STRONG;
    int from = column_of(axis, a->asked_us), to = column_of(axis, end_of(f, a));
    bool open = !asked_is_over(&f->list, a);
    if (asks) { /* heavy, or in ASCII '=' beside '-' */
        for (int x = from; x <= to; x++) {
            canvas_put(c, x, y, style, view_sign(c, 0x2501, '='));
        }
    } else {
        canvas_hline(c, from, y, to - from + 1, LINE_LIGHT, style);
    }
    if (open) {
        canvas_put(c, to, y, style, view_sign(c, 0x25B6, '>'));
    } else if (bad) {
        canvas_put(c, to, y, style, view_sign(c, 0xD7, 'x'));
    } else if (asks) {
        canvas_put(c, to, y, style, view_sign(c, 0x25CF, 'o'));
    }
}

static void draw_dots(struct canvas *c, int y, const struct fall *f, const struct axis *axis,
                      const struct fall_row *row)
{
    for (size_t i = 0; i < row->many; i++) {
        const struct asked *a = f->order[row->from + i];
        bool stale = a->reason == REASON_CACHE_STALE;
        canvas_put(c, column_of(axis, a->asked_us), y, stale ? STYLE_WARN : STYLE_GOOD,
                   stale ? view_sign(c, 0x25CB, ',') : view_sign(c, 0x00B7, '.'));
    }
}

static void draw_count(struct canvas *c, int y, const struct axis *axis, const struct fall_row *row)
{
    struct str text = STR_EMPTY;
    if (row->kind == FALL_CACHED) {
        str_addf(&text, "%zu read%s", row->many, view_plural(row->many));
    } else if (row->kind == FALL_QUERY && row->a->background) {
        str_add(&text, "refresh");
    } else if (row->kind == FALL_QUERY) {
        str_addf(&text, "for %u", (unsigned)row->waiting);
    }
    if (axis->counts) {
        canvas_text_fit(c, axis->x + axis->width + 1, y, COUNT - 1,
                        row->kind == FALL_QUERY ? STYLE_STRONG : STYLE_DIM, str_text(&text));
    }
    str_free(&text);
}

/* The end of a query, down to those who wait for it. */
static void draw_joint(struct canvas *c, int y, const struct axis *axis, const struct fall *f,
                       int64_t row, int rows)
{
    const struct fall_row *query = &f->row[row];
    int below = 0;
    while (below < rows && row + below + 1 < (int64_t)f->rows &&
           f->row[row + below + 1].kind == FALL_WAITS &&
           f->row[row + below + 1].group == query->group) {
        below++;
    }
    if (below > 0) {
        canvas_vline(c, column_of(axis, end_of(f, query->a)), y + 1, below, LINE_LIGHT,
                     query->a->shard != SHARD_NONE ? style_owner(query->a->shard) : STYLE_DIM);
    }
}

static void draw_head(struct canvas *c, const struct fall *f)
{
    struct str text = STR_EMPTY;
    str_addf(&text, "%s read%s, ", num_grouped((int64_t)f->reads).text, view_plural(f->reads));
    str_addf(&text, "%s quer%s", num_grouped((int64_t)f->queries).text,
             f->queries == 1 ? "y" : "ies");
    int x = canvas_text_fit(c, 0, 0, canvas_width(c), STYLE_STRONG, str_text(&text));
    str_clear(&text);
    str_addf(&text, " in %s",
             num_span((f->list.to_us - f->list.from_us) / US_PER_MS * US_PER_MS).text);
    canvas_text_fit(c, x, 0, canvas_width(c) - x, STYLE_DIM, str_text(&text));
    str_free(&text);
}

static void draw_axis(struct canvas *c, int y, const struct axis *axis)
{
    struct str text = STR_EMPTY;
    canvas_hline(c, axis->x, y, axis->width, LINE_LIGHT, STYLE_DIM);
    str_addf(&text, " %s ", num_span((axis->to_us - axis->from_us + 5) / 10 * 10).text);
    int x = axis->x + (axis->width - (int)text.length) / 2;
    canvas_text_fit(c, x > axis->x ? x : axis->x, y, axis->width, STYLE_DIM, str_text(&text));
    str_free(&text);
}

/* The selected row in a sentence. */
static void add_row_words(struct str *out, const struct fall *f, const struct fall_row *row)
{
    const struct asked *a = row->a;
    struct str who = STR_EMPTY;
    if (a->at.kind == NODE_CLIENT) {
        str_addf(&who, "the edge of zone %c", 'a' + a->at.index % 26);
    } else {
        str_addf(&who, "R%u", (unsigned)a->at.index);
    }
    bool over = asked_is_over(&f->list, a);
    if (row->kind == FALL_CACHED) {
        str_addf(out, "%zu read%s answered from a cache, nobody asked the shard", row->many,
                 view_plural(row->many));
    } else if (row->kind == FALL_QUERY) {
        str_addf(out, "%s asked", str_text(&who));
        if (a->shard != SHARD_NONE) {
            str_addf(out, " S%u", (unsigned)a->shard);
        }
        if (a->background) {
            str_add(out, " to make its kept answer fresh; nobody waited");
        } else {
            str_addf(out, ": %u client%s, 1 query", (unsigned)row->waiting,
                     view_plural(row->waiting));
        }
    } else if (row->kind == FALL_WAITS) {
        str_addf(out, "a client in zone %c waited at %s for its query", 'a' + a->zone % 26,
                 str_text(&who));
    } else if (row->kind == FALL_ALONE) {
        str_addf(out, "%s asked S%u for one client in zone %c", str_text(&who), (unsigned)a->shard,
                 'a' + a->zone % 26);
    } else {
        str_addf(out, "a client in zone %c asked %s", 'a' + a->zone % 26, str_text(&who));
    }
    if (row->kind != FALL_CACHED && over) {
        str_addf(out, ", %s", num_span((a->answered_us - a->asked_us) / 10 * 10).text);
    } else if (!over) {
        str_add(out, ", still open");
    }
    if (a->outcome != OUTCOME_NONE && a->outcome != OUTCOME_OK && a->outcome != OUTCOME_OK_RELOAD) {
        str_addf(out, ": %s", outcome_name((enum outcome)a->outcome));
    }
    str_free(&who);
}

static void draw_rows(struct canvas *c, const struct fall *f, const struct view_state *v,
                      bool focused)
{
    int h = canvas_height(c), rows = fall_line_rows(h), y0 = h >= 4 ? AXIS_ROWS : 1;
    int64_t first = fall_first_row(f, v, rows), at = fall_selected_row(f, v);
    struct axis axis = axis_of(f, first, rows, canvas_width(c));
    if (h >= 4) {
        draw_axis(c, 1, &axis);
    }
    for (int i = 0; i < rows && first + i < (int64_t)f->rows; i++) {
        const struct fall_row *row = &f->row[first + i];
        int y = y0 + i;
        draw_label(c, y, row);
        if (row->kind == FALL_CACHED) {
            draw_dots(c, y, f, &axis, row);
        } else {
            draw_line(c, y, f, &axis, row);
        }
        if (row->kind == FALL_QUERY) {
            draw_joint(c, y, &axis, f, first + i, rows - 1 - i);
        }
        draw_count(c, y, &axis, row);
        if (first + i == at && (focused || v->has_selection)) {
            canvas_restyle(c, (struct rect){0, y, LABEL - 1, 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, 0, y);
            }
        }
    }
    if (h >= 8) {
        struct str words = STR_EMPTY;
        add_row_words(&words, f, &f->row[at]);
        view_draw_wrapped(c, h - 2, 2, STYLE_TEXT, str_text(&words));
        str_free(&words);
    }
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct fall f;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (fall_open(&f, s, v)) {
        draw_head(c, &f);
        if (canvas_height(c) >= 2) {
            draw_rows(c, &f, v, focused);
        }
    } else {
        view_draw_note(c, f.known ? "nobody read this key in the last moment"
                                  : "no reads of this key yet");
    }
    fall_close(&f);
}

/* --- verbs --------------------------------------------------------------------------------- */

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct fall f;
    bool changed = false;
    if (fall_open(&f, s, v) && w > 0 && h > 1) {
        int rows = fall_line_rows(h);
        int64_t at = fall_selected_row(&f, v), first = fall_first_row(&f, v, rows);
        changed = view_list_move(&at, (int64_t)f.rows, verb, rows);
        if (changed) {
            v->has_selection = true;
            v->selected = (int64_t)f.row[at].a->number;
            v->scroll = view_list_first(first, at, (int64_t)f.rows, rows);
        }
    }
    fall_close(&f);
    return changed;
}

/* --- words --------------------------------------------------------------------------------- */

static void tell_row(struct str *out, const struct fall *f, const struct fall_row *row)
{
    struct str line = STR_EMPTY;
    str_addf(&line, "%s%s  ", row->kind == FALL_WAITS ? "  " : "",
             num_clock(row->a->asked_us).text);
    add_row_words(&line, f, row);
    str_addc(&line, '.');
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 4);
    str_free(&line);
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct fall f;
    if (fall_open(&f, s, v)) {
        size_t kept = 0;
        for (size_t i = 0; i < f.reads; i++) {
            kept += fall_from_cache(f.order[i]);
        }
        struct str line = STR_EMPTY;
        str_add(&line, "Reads of ");
        view_add_key(&line, world_key(s->world, f.key));
        str_addf(&line, " in the last %s: ",
                 num_span((f.list.to_us - f.list.from_us) / US_PER_MS * US_PER_MS).text);
        str_addf(&line, "%s read%s, ", num_grouped((int64_t)f.reads).text, view_plural(f.reads));
        str_addf(&line, "%s quer%s to a shard, ", num_grouped((int64_t)f.queries).text,
                 f.queries == 1 ? "y" : "ies");
        str_addf(&line, "%s answered from a cache.", num_grouped((int64_t)kept).text);
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
        str_free(&line);
        size_t first = f.rows > TOLD ? f.rows - TOLD : 0;
        str_add(out, first > 0 ? "The latest, oldest first:\n" : "Oldest first:\n");
        for (size_t i = first; i < f.rows; i++) {
            tell_row(out, &f, &f.row[i]);
        }
    } else {
        str_add(out, f.known ? "Nobody read this key in the last moment.\n"
                             : "There are no reads of this key yet.\n");
    }
    fall_close(&f);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct fall f;
    struct subject out = {.kind = SUBJECT_NONE};
    if (fall_open(&f, s, v)) {
        const struct fall_row *row = &f.row[fall_selected_row(&f, v)];
        const struct asked *a = row->a;
        bool query = row->kind == FALL_QUERY;
        out = (struct subject){.kind = SUBJECT_RECORD,
                               .id = !query && a->reply != 0 ? a->reply : a->ask};
    }
    fall_close(&f);
    return out;
}

const struct view view_waterfall = {
    .name = "waterfall",
    .title = "Reads and their queries",
    .min_rows = 8,
    .want_rows = 16,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
