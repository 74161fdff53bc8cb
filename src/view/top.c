/*
 * top: the hottest keys of the last whole window of the routers' sample.
 *
 * A sample keeps few cells, so a key's count may be too low, by at most its error: the bar is what
 * was counted, writes solid and reads shaded; the error stands behind it, up to a stop. A key
 * without a cell was sampled at most as often as the floor line says. A key of the report is
 * marked: its shard was asked more than 70% of a ceiling, and the key makes up more than 10% of its
 * shard's sample of that kind. Keys with one hash tag are counted as one, and named by it. While
 * the page asks for something, a question or a task, only what was counted shows: no verdict, and
 * not which way a count may err. Selection: a key.
 */
#include "base/alloc.h"
#include "engine/guards/guards.h"
#include "place/key.h"
#include "view/inside.h"
#include <stdlib.h>

#define TOLD 12
#define BAR_MAX 80

struct row {
    struct hot_key_info hot;
    uint32_t counted;               /* writes and reads */
    uint32_t all;                   /* sampled of its shard, by the cells */
    uint32_t known;                 /* the same, counted; 0: not known */
    bool unsure;                    /* cells have errors, so `all` may be off */
    const struct hot_key *reported; /* NULL: it is not hot by the report's rule */
};

struct top {
    const struct world *w;
    struct sample_info sample;
    const struct hot_report *report;
    struct row *row;
    int rows;
    uint32_t floor; /* a key without a cell was sampled at most so often */
    uint32_t most;  /* the highest estimate */
    bool hidden;    /* the learner is to judge: counts only */
};

static bool top_hides(const struct scene *s)
{
    const struct page *page = s->page;
    bool task = page != NULL && page->task != NULL && page->task[0] != '\0' && !page->task_met &&
                !page->task_skipped;
    return task || view_question_open(s);
}

static bool top_open(struct top *t, const struct scene *s)
{
    *t = (struct top){.w = s->world, .hidden = top_hides(s)};
    if (s->world == NULL) {
        return false;
    }
    t->sample = guards_sampling(s->world);
    t->report = guards_report(s->world);
    if (t->report->to_us == 0) {
        return false;
    }
    uint32_t cells = world_config_of(s->world)->watch_max;
    struct hot_key_info *hot = xcalloc(cells + 1u, sizeof *hot);
    uint32_t count = guards_hot_keys(s->world, hot, cells);
    t->row = xcalloc(count + 1u, sizeof *t->row);
    t->rows = (int)count;
    for (uint32_t i = 0; i < count; i++) {
        struct row *row = &t->row[i];
        row->hot = hot[i];
        row->counted = hot[i].writes + hot[i].reads;
        uint32_t estimate = row->counted + hot[i].error;
        t->most = estimate > t->most ? estimate : t->most;
        for (uint32_t j = 0; j < count; j++) {
            bool here = hot[j].shard == hot[i].shard;
            row->all += here ? hot[j].writes + hot[j].reads + hot[j].error : 0;
            row->unsure = row->unsure || hot[j].error > 0;
        }
        for (uint32_t j = 0; j < t->report->count; j++) {
            const struct hot_key *known = &t->report->row[j];
            row->reported = known->key == hot[i].key && !t->hidden ? known : row->reported;
            if (known->shard == hot[i].shard) { /* what it says of the shard is no estimate */
                row->known = known->shard_writes + known->shard_reads;
            }
        }
    }
    if (count == cells && count > 0) { /* all cells are taken */
        t->floor = t->row[count - 1].counted + t->row[count - 1].hot.error;
    }
    free(hot);
    return t->rows > 0;
}

static void top_close(struct top *t)
{
    free(t->row);
}

/* --- words --------------------------------------------------------------------------------- */

static void add_none(struct str *out, const struct top *t)
{
    if (t->w != NULL && t->sample.every == 0 && (t->report == NULL || t->report->to_us == 0)) {
        str_add(out, "routers take no sample; `sample 100 5000` counts 1 request in 100 by its "
                     "key, a report every 5 s");
    } else if (t->w != NULL && t->report->to_us == 0) {
        str_add(out, "the first window of the sample is not over yet: it ends at ");
        str_add(out, num_clock(t->sample.from_us + t->sample.window_us).text);
    } else {
        str_add(out, "nothing was sampled in the last window");
    }
}

/* Of the whole shard's sample, in percent; "-" where nobody knows that. */
static struct num_text share_of(const struct row *row)
{
    uint32_t all = row->known > 0 ? row->known : row->unsure ? 0 : row->all;
    return num_ratio(row->counted, all, row->counted * 10 < all ? 1 : 0);
}

static const char *kind_words(uint8_t kind)
{
    return kind == HOT_BOTH ? "writes and reads" : kind == HOT_WRITES ? "writes" : "reads";
}

/* "{p9}" for all keys with that tag; a key without braces is its own. */
static void add_name(struct str *out, const struct top *t, const struct row *row)
{
    struct bytes key = world_key(t->w, row->hot.key), tag = key_tag(key);
    bool braced = tag.length < key.length;
    str_add(out, braced ? "{" : "");
    view_add_key(out, tag);
    str_add(out, braced ? "}" : "");
}

static void add_row_words(struct str *out, const struct top *t, const struct row *row)
{
    add_name(out, t, row);
    str_addf(out, ": %u write%s and %u read%s sampled", (unsigned)row->hot.writes,
             view_plural(row->hot.writes), (unsigned)row->hot.reads, view_plural(row->hot.reads));
    if (row->hot.error > 0 && t->hidden) {
        str_addf(out, ", error %u", (unsigned)row->hot.error);
    } else if (row->hot.error > 0) {
        str_addf(out, ", maybe up to %u more", (unsigned)row->hot.error);
    }
    struct num_text share = share_of(row);
    str_add(out, share.text[0] == '-' ? ", of " : "; ");
    if (share.text[0] != '-') {
        str_addf(out, "%s%% of what was sampled of ", share.text);
    }
    view_add_shard(out, row->hot.shard);
    if (row->reported != NULL) {
        const struct hot_key *hot = row->reported;
        str_addf(out, ". Hot by its %s:", kind_words(hot->kind));
        if ((hot->kind & HOT_WRITES) != 0) {
            str_addf(out, " %s%% of its shard's writes",
                     num_ratio(hot->writes, hot->shard_writes, 1).text);
        }
        if ((hot->kind & HOT_READS) != 0) {
            str_addf(out, "%s %s%% of its reads", hot->kind == HOT_BOTH ? "," : "",
                     num_ratio(hot->reads, hot->shard_reads, 1).text);
        }
    }
}

static void add_floor(struct str *out, const struct top *t)
{
    if (t->floor > 0) {
        str_addf(out, "a key without a cell was sampled at most %u time%s", (unsigned)t->floor,
                 view_plural(t->floor));
    } else {
        str_addf(out, "all %d tags seen have a cell: no error", t->rows);
    }
}

static void add_window(struct str *out, const struct top *t)
{
    int64_t span = t->report->to_us - t->report->from_us;
    if (t->sample.every > 0) {
        str_addf(out, "1 in %s, ", num_grouped(t->sample.every).text);
    }
    str_addf(out, "%s to ", num_span(span).text);
    struct num_text clock = num_clock(t->report->to_us);
    clock.text[8] = '\0'; /* whole seconds */
    str_add(out, clock.text);
}

/* --- drawing ------------------------------------------------------------------------------- */

static int64_t selected_row(const struct top *t, const struct view_state *v)
{
    for (int i = 0; v->has_selection && i < t->rows; i++) {
        if (t->row[i].hot.key == (uint64_t)v->selected) {
            return i;
        }
    }
    return 0;
}

static int key_rows(int h)
{
    return h >= 14 ? h - 7 : h >= 9 ? h - 5 : h >= 5 ? h - 3 : h >= 3 ? h - 2 : h - (h > 1);
}

struct columns {
    int shard, name, bar, numbers; /* widths */
    bool split;                    /* writes and reads apart */
};

static struct columns columns_of(int w, const struct top *t)
{
    struct columns out = {.shard = world_shards(t->w) > 10 ? 4 : 3, /* "S2 " */
                          .name = w >= 100  ? 22
                                  : w >= 56 ? 16
                                            : 12,
                          .split = w >= 72};
    out.numbers = out.split ? 32 : 16;
    out.bar = w - out.shard - out.name - 1 - out.numbers;
    out.bar = out.bar < 4 ? 0 : out.bar > BAR_MAX ? BAR_MAX : out.bar;
    return out;
}

static void draw_bar(struct canvas *c, struct rect area, const struct top *t, const struct row *row)
{
    if (area.w < 1 || t->most == 0) {
        return;
    }
    enum style style = style_owner(row->hot.shard);
    uint64_t most = t->most, width = (uint64_t)area.w;
    int writes = (int)(row->hot.writes * width / most);
    int counted = (int)(row->counted * width / most);
    int end = (int)((row->counted + row->hot.error) * width / most);
    counted = counted == 0 && row->counted > 0 ? 1 : counted;
    writes = writes == 0 && row->hot.writes > 0 && row->hot.writes >= row->hot.reads ? 1 : writes;
    for (int x = 0; x < counted; x++) {
        canvas_put(c, area.x + x, area.y, style,
                   x < writes ? view_sign(c, 0x2588, '#') : view_sign(c, 0x2592, '='));
    }
    if (row->hot.error > 0 && !t->hidden) { /* it may end anywhere up to the stop */
        end = end <= counted ? counted + 1 : end;
        for (int x = counted; x < end && x < area.w; x++) {
            bool stop = x + 1 == end || x + 1 == area.w;
            canvas_put(c, area.x + x, area.y, STYLE_WARN,
                       stop ? view_sign(c, 0x2524, ']') : view_sign(c, 0x2500, '-'));
        }
    }
}

static void draw_key(struct canvas *c, int y, const struct columns *at, const struct top *t,
                     const struct row *row)
{
    struct str text = STR_EMPTY;
    int w = canvas_width(c), shard = row->hot.shard;
    canvas_textf(c, 0, y, style_owner((uint32_t)shard), "S%d", shard);
    add_name(&text, t, row);
    canvas_text_fit(c, at->shard, y, at->name, row->reported != NULL ? STYLE_STRONG : STYLE_TEXT,
                    str_text(&text));
    draw_bar(c, (struct rect){at->shard + at->name + 1, y, at->bar, 1}, t, row);
    int x = w - at->numbers;
    if (at->split) {
        canvas_text_right(c, x + 8, y, STYLE_TEXT, num_grouped(row->hot.writes).text);
        canvas_text_right(c, x + 16, y, STYLE_TEXT, num_grouped(row->hot.reads).text);
        str_clear(&text);
        if (row->hot.error > 0) {
            str_addf(&text, "%s%u", t->hidden ? "" : "+", (unsigned)row->hot.error);
        }
        canvas_text_right(c, x + 22, y, STYLE_WARN, str_text(&text));
    } else {
        str_clear(&text);
        str_addf(&text, "%s%s", num_grouped(row->counted).text,
                 row->hot.error > 0 && !t->hidden ? "+" : "");
        canvas_text_right(c, x + 7, y, STYLE_TEXT, str_text(&text));
    }
    str_clear(&text);
    struct num_text share = share_of(row);
    str_addf(&text, "%s%s", share.text, share.text[0] == '-' ? "" : "%");
    canvas_text_right(c, w - 3, y, STYLE_TEXT, str_text(&text));
    if (row->reported != NULL) {
        static const char *const marks[] = {"", "W", "R", "WR"};
        canvas_text(c, w - 2, y, STYLE_BAD, marks[row->reported->kind & 3]);
    }
    str_free(&text);
}

static void draw_headings(struct canvas *c, const struct columns *at, const struct top *t)
{
    struct str text = STR_EMPTY;
    int w = canvas_width(c), x = w - at->numbers;
    add_window(&text, t);
    canvas_text_fit(c, 0, 0, x > 12 ? x + !at->split : w, STYLE_DIM, str_text(&text));
    str_free(&text);
    if (at->split) {
        canvas_text_right(c, x + 8, 0, STYLE_DIM, "writes");
        canvas_text_right(c, x + 16, 0, STYLE_DIM, "reads");
        canvas_text_right(c, x + 22, 0, STYLE_DIM, "error");
    } else if (w > 36) {
        canvas_text_right(c, x + 7, 0, STYLE_DIM, "count");
    }
    if (w > 36) {
        canvas_text_right(c, w - 3, 0, STYLE_DIM, "share");
    }
}

static void draw_legend(struct canvas *c, int y, const struct top *t)
{
    bool utf8 = canvas_glyphs(c) == GLYPHS_UTF8;
    struct str text = STR_EMPTY;
    str_add(&text, utf8 ? "█ writes ▒ reads" : "# writes = reads");
    if (!t->hidden) {
        str_add(&text, utf8 ? " ─┤ error; W R: hot by report" : " -] error; W R: hot by report");
    } else {
        str_add(&text, "; share of its shard's sample");
    }
    view_draw_line(c, y, STYLE_DIM, str_text(&text));
    str_free(&text);
}

static void draw_foot(struct canvas *c, int y, const struct top *t, const struct row *row)
{
    int rows = canvas_height(c) - y;
    struct str text = STR_EMPTY;
    if (rows >= 3 || (rows >= 1 && t->floor > 0)) { /* that there is no error may go unsaid */
        add_floor(&text, t);
        int lines = (int)text.length > canvas_width(c) && rows >= 5 ? 2 : 1;
        view_draw_wrapped(c, y, lines, STYLE_DIM, str_text(&text));
        str_clear(&text);
        y += lines;
        rows -= lines;
    }
    if (rows >= 1) {
        add_row_words(&text, t, row);
        view_draw_wrapped(c, y, rows > 4 ? 4 : rows, STYLE_TEXT, str_text(&text));
    }
    if (rows >= 6) {
        draw_legend(c, y + 5, t);
    }
    str_free(&text);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct top t;
    int w = canvas_width(c), h = canvas_height(c);
    if (w < 1 || h < 1) {
        return;
    }
    if (!top_open(&t, s)) {
        struct str text = STR_EMPTY;
        add_none(&text, &t);
        view_draw_note(c, str_text(&text));
        str_free(&text);
        top_close(&t);
        return;
    }
    int rows = key_rows(h), y = h >= 3;
    int64_t at = selected_row(&t, v), first = view_list_first(v->scroll, at, t.rows, rows);
    struct columns columns = columns_of(w, &t);
    if (h >= 3) {
        draw_headings(c, &columns, &t);
    }
    for (int i = 0; i < rows && first + i < t.rows; i++) {
        draw_key(c, y + i, &columns, &t, &t.row[first + i]);
        if (first + i == at && (focused || v->has_selection)) {
            canvas_restyle(c, (struct rect){0, y + i, 2 + columns.name, 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, 0, y + i);
            }
        }
    }
    draw_foot(c, y + (rows < t.rows ? rows : t.rows), &t, &t.row[at]);
    top_close(&t);
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct top t;
    bool changed = false;
    if (top_open(&t, s) && w > 0 && h > 0) {
        int rows = key_rows(h);
        int64_t at = selected_row(&t, v), first = view_list_first(v->scroll, at, t.rows, rows);
        changed = view_list_move(&at, t.rows, verb, rows);
        if (changed) {
            v->has_selection = true;
            v->selected = t.row[at].hot.key;
            v->scroll = view_list_first(first, at, t.rows, rows);
        }
    }
    top_close(&t);
    return changed;
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct top t;
    struct str line = STR_EMPTY;
    (void)v;
    if (top_open(&t, s)) {
        str_add(&line, "The most sampled keys, of one hash tag together (");
        add_window(&line, &t);
        str_add(&line, t.hidden ? ")."
                                : "); reported as hot: over 10% of the sample of a shard that is "
                                  "asked over 70% of its ceiling.");
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
        for (int i = 0; i < t.rows && i < TOLD; i++) {
            str_clear(&line);
            add_row_words(&line, &t, &t.row[i]);
            str_addc(&line, '.');
            view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 4);
        }
        if (t.rows > TOLD) {
            str_addf(out, "and %d more.\n", t.rows - TOLD);
        }
        str_clear(&line);
        add_floor(&line, &t);
        str_addc(&line, '.');
        line.text[0] = 'A'; /* both forms begin with an a */
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    } else {
        add_none(&line, &t);
        str_addc(&line, '.');
        line.text[0] = (char)(line.text[0] - 'a' + 'A');
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    }
    str_free(&line);
    top_close(&t);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct top t;
    struct subject out = {.kind = SUBJECT_NONE};
    if (top_open(&t, s)) {
        out = (struct subject){.kind = SUBJECT_KEY, .id = t.row[selected_row(&t, v)].hot.key};
    }
    top_close(&t);
    return out;
}

const struct view view_top = {
    .name = "top",
    .title = "Hottest keys",
    .min_rows = 7,
    .want_rows = 14,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
