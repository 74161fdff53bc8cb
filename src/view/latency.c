/*
 * latency: how long requests took, from asked to answered, of those whose answer the trace has.
 *
 * A histogram, a line a range of time, its bar cut by outcome. Ranges are equally long, from 0 on,
 * where the slowest took at most some twenty times as long as the fastest, else each is about twice
 * the one before. Percentiles are the least time that so many percent did not exceed. With a key as
 * argument only its requests count, with "reads" or "writes" only those. Requests without an answer
 * have no time yet and are counted beside. Selection: a range; until there is one, the slowest.
 */
#include "base/alloc.h"
#include "view/asked.h"
#include <stdlib.h>
#include <string.h>

#define BINS_MAX 64
#define LINEAR_TO 24 /* slowest over fastest */
#define WIDE_FROM 50
#define RANGES 14 /* at most, whatever the size of the pane: a selection means one of them */

enum ending {
    ENDING_OK,
    ENDING_REFUSED, /* by the shard */
    ENDING_LIMITED, /* 429 */
    ENDING_SHED,    /* 503 */
    ENDING_FAILED,
    ENDINGS
};

static const struct {
    const char *name;
    enum style style;
    uint32_t utf8, ascii;
} endings[ENDINGS] = {{"OK", STYLE_GOOD, 0x2588, '#'},
                      {"refused", STYLE_BAD, 0x2592, 'x'},
                      {"429", STYLE_WARN, 0x2591, '4'},
                      {"503", STYLE_WARN, 0x25AA, '5'},
                      {"failed", STYLE_BAD, 0x2573, '!'}};

struct bin {
    int64_t from_us, to_us; /* [from, to) */
    uint32_t count[ENDINGS], all;
    uint64_t slowest; /* record of the reply of its slowest */
    int64_t slowest_us;
};

struct sheet {
    int64_t *took; /* sorted */
    size_t count, open;
    uint32_t ending[ENDINGS];
    int64_t window_us;
    struct bin bin[BINS_MAX];
    int bins;
};

static enum ending ending_of(enum outcome outcome)
{
    switch (outcome) {
    case OUTCOME_OK:
    case OUTCOME_OK_RELOAD:
    case OUTCOME_NOT_NEWER:
    case OUTCOME_SHORT: /* decided: there was too little left */
        return ENDING_OK;
    case OUTCOME_REFUSED:
        return ENDING_REFUSED;
    case OUTCOME_LIMITED:
        return ENDING_LIMITED;
    case OUTCOME_SHED:
        return ENDING_SHED;
    case OUTCOME_NONE:
    case OUTCOME_MOVED:
    case OUTCOME_RETRY:
    case OUTCOME_FAILED:
    case OUTCOME_ASK:
    case OUTCOME_TRY_AGAIN:
    case OUTCOME_COUNT:
        break;
    }
    return ENDING_FAILED;
}

static int by_length(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* --- which requests ------------------------------------------------------------------------ */

struct wanted {
    bool by_key, by_kind, reads, none;
    uint32_t key;
};

static struct wanted wanted_of(const struct scene *s, const struct view_state *v)
{
    struct wanted out = {0};
    const char *argument = v->argument != NULL ? v->argument : "";
    if (strcmp(argument, "reads") == 0 || strcmp(argument, "writes") == 0) {
        out.by_kind = true;
        out.reads = argument[0] == 'r';
    } else if (argument[0] != '\0') {
        out.by_key = true;
        out.none = !world_find_key(s->world, bytes_of(argument), &out.key);
    }
    return out;
}

static bool is_wanted(const struct wanted *f, const struct asked_list *l, const struct asked *a)
{
    return asked_was_answered(l, a) && !f->none && (!f->by_key || a->key == f->key) &&
           (!f->by_kind || op_reads((enum op_kind)a->op) == f->reads);
}

/* --- ranges -------------------------------------------------------------------------------- */

/* 1, 2, 5, 10, 20 ... us: the next one after `us`. */
static int64_t next_nice(int64_t us)
{
    int64_t power = 1;
    while (power * 10 <= us) {
        power *= 10;
    }
    return us < 2 * power ? 2 * power : us < 5 * power ? 5 * power : 10 * power;
}

static void make_bins(struct sheet *h)
{
    int64_t least = h->took[0], top = h->took[h->count - 1], step = 1;
    if (top <= LINEAR_TO * (least > 0 ? least : 1)) {
        while (top / step + 1 > RANGES) {
            step = next_nice(step);
        }
        for (int64_t from = 0; from <= top; from += step) {
            h->bin[h->bins++] = (struct bin){.from_us = from, .to_us = from + step};
        }
        return;
    }
    int64_t edge[BINS_MAX + 1], at = 1;
    int edges = 0;
    while (next_nice(at) <= least) {
        at = next_nice(at);
    }
    for (; edges <= BINS_MAX && (edges == 0 || edge[edges - 1] <= top); at = next_nice(at)) {
        edge[edges++] = at;
    }
    int skip = edges - 1 > RANGES ? edges - 1 - RANGES : 0; /* the fastest share one range */
    for (int i = skip; i + 1 < edges; i++) {
        h->bin[h->bins++] =
            (struct bin){.from_us = i == skip ? edge[0] : edge[i], .to_us = edge[i + 1]};
    }
}

static void count_in(struct sheet *h, const struct asked *a)
{
    int64_t took = a->answered_us - a->asked_us;
    for (int i = 0; i < h->bins; i++) {
        struct bin *b = &h->bin[i];
        if (took < b->to_us || i + 1 == h->bins) {
            b->count[ending_of((enum outcome)a->outcome)]++;
            b->all++;
            if (took >= b->slowest_us) {
                b->slowest_us = took;
                b->slowest = a->reply;
            }
            return;
        }
    }
}

/* False, with nothing to show but to be closed as well, when nothing was answered. */
static bool sheet_open(struct sheet *h, const struct scene *s, const struct view_state *v)
{
    struct asked_list list;
    *h = (struct sheet){0};
    if (s->world == NULL) {
        return false;
    }
    struct wanted f = wanted_of(s, v);
    asked_open(&list, s->world);
    h->window_us = list.to_us - list.from_us;
    h->took = xcalloc(list.count + 1, sizeof *h->took);
    for (size_t i = 0; i < list.count; i++) {
        const struct asked *a = &list.item[i];
        if (is_wanted(&f, &list, a)) {
            h->took[h->count++] = a->answered_us - a->asked_us;
            h->ending[ending_of((enum outcome)a->outcome)]++;
        }
    }
    unsigned reads = 1u << OP_READ, ops = !f.by_kind ? ~0u : f.reads ? reads : ~reads;
    h->open = f.none ? 0 : world_waiting(s->world, ops, f.by_key ? f.key : KEY_NONE_ID);
    qsort(h->took, h->count, sizeof *h->took, by_length);
    if (h->count > 0) {
        make_bins(h);
    }
    for (size_t i = 0; i < list.count && h->count > 0; i++) {
        const struct asked *a = &list.item[i];
        if (is_wanted(&f, &list, a)) {
            count_in(h, a);
        }
    }
    asked_close(&list);
    return h->count > 0;
}

static void sheet_close(struct sheet *h)
{
    free(h->took);
}

static int64_t percentile(const struct sheet *h, size_t percent)
{
    size_t rank = (h->count * percent + 99) / 100;
    return h->took[rank > 0 ? rank - 1 : 0];
}

static int64_t selected_bin(const struct sheet *h, const struct view_state *v)
{
    return v->has_selection ? view_clamp(v->selected, 0, h->bins - 1) : h->bins - 1;
}

/* --- words --------------------------------------------------------------------------------- */

static struct num_text span(int64_t us)
{
    return num_span(us >= 1000 ? us / 10 * 10 : us);
}

static void add_range(struct str *out, const struct bin *b)
{
    int64_t unit = b->from_us >= US_PER_SECOND ? US_PER_SECOND : US_PER_MS;
    if (b->to_us >= US_PER_SECOND && b->from_us < US_PER_SECOND) {
        str_addf(out, "%s-", num_span(b->from_us).text);
        str_add(out, num_span(b->to_us).text);
    } else if (b->to_us % unit == 0 && b->from_us % unit == 0) {
        str_addf(out, "%d-%s", (int)(b->from_us / unit), num_span(b->to_us).text);
    } else {
        str_addf(out, "%d.%02d-%d.%02d ms", (int)(b->from_us / 1000), (int)(b->from_us % 1000 / 10),
                 (int)(b->to_us / 1000), (int)(b->to_us % 1000 / 10));
    }
}

static void add_bin_words(struct str *out, const struct bin *b)
{
    add_range(out, b);
    str_addf(out, ": %u request%s", (unsigned)b->all, view_plural(b->all));
    for (int i = 0; i < ENDINGS; i++) {
        if (b->count[i] > 0) {
            str_addf(out, ", %u %s", (unsigned)b->count[i], endings[i].name);
        }
    }
}

static void add_window(struct str *out, const struct sheet *h)
{
    str_addf(out, "%s answered in %s", num_grouped((int64_t)h->count).text,
             num_span(h->window_us / 1000 * 1000).text);
}

/* --- drawing ------------------------------------------------------------------------------- */

static int bin_rows(int h)
{
    return h >= 10 ? h - 5 : h >= 4 ? h - 2 : h - 1;
}

static int range_columns(const struct sheet *h)
{
    int widest = 4;
    for (int i = 0; i < h->bins; i++) {
        struct str text = STR_EMPTY;
        add_range(&text, &h->bin[i]);
        widest = (int)text.length > widest ? (int)text.length : widest;
        str_free(&text);
    }
    return widest;
}

static void draw_bar(struct canvas *c, struct rect area, const struct bin *b, uint32_t most)
{
    int64_t before = 0;
    int x = area.x;
    for (int i = 0; i < ENDINGS; i++) {
        before += b->count[i];
        int end = area.x + (int)(before * area.w / (most > 0 ? most : 1));
        if (b->count[i] > 0 && end <= x && x < area.x + area.w) {
            end = x + 1; /* what there is is seen */
        }
        for (; x < end && x < area.x + area.w; x++) {
            canvas_put(c, x, area.y, endings[i].style,
                       view_sign(c, endings[i].utf8, endings[i].ascii));
        }
    }
}

static void draw_bin(struct canvas *c, int y, const struct sheet *h, int index, uint32_t most)
{
    const struct bin *b = &h->bin[index];
    int label = range_columns(h), w = canvas_width(c);
    int64_t p50 = percentile(h, 50), p99 = percentile(h, 99);
    struct str text = STR_EMPTY;
    add_range(&text, b);
    canvas_text_right(c, label, y, STYLE_TEXT, str_text(&text));
    str_free(&text);
    bool is50 = p50 >= b->from_us && p50 < b->to_us, is99 = p99 >= b->from_us && p99 < b->to_us;
    canvas_text(c, label + 1, y, STYLE_STRONG, is50 ? "p50" : is99 ? "p99" : "");
    if (is50 && is99 && w >= WIDE_FROM) {
        canvas_text(c, label + 5, y, STYLE_STRONG, "p99");
    }
    int before = label + (w >= WIDE_FROM ? 9 : 5);
    int bar = w - before - 7;
    draw_bar(c, (struct rect){before, y, bar > 0 ? bar : 0, 1}, b, most);
    if (b->all > 0) {
        canvas_text_right(c, w, y, STYLE_TEXT, num_grouped(b->all).text);
    }
}

static void draw_head(struct canvas *c, const struct sheet *h)
{
    struct str text = STR_EMPTY;
    int w = canvas_width(c);
    str_addf(&text, "p50 %s", span(percentile(h, 50)).text);
    str_addf(&text, "  p99 %s", span(percentile(h, 99)).text);
    int x = canvas_text_fit(c, 0, 0, w, STYLE_STRONG, str_text(&text));
    str_clear(&text);
    str_addf(&text, "  most %s", span(h->took[h->count - 1]).text);
    canvas_text_fit(c, x, 0, w - x, STYLE_DIM, str_text(&text));
    str_free(&text);
}

/* What each sign stands for, and how many of it; only those that came. */
static void draw_legend(struct canvas *c, int y, const struct sheet *h)
{
    int x = 0;
    for (int i = 0; i < ENDINGS && x < canvas_width(c); i++) {
        if (h->ending[i] == 0) {
            continue;
        }
        canvas_put(c, x, y, endings[i].style, view_sign(c, endings[i].utf8, endings[i].ascii));
        struct str text = STR_EMPTY;
        str_addf(&text, "%s %s", endings[i].name, num_grouped(h->ending[i]).text);
        x += 2 + canvas_text_fit(c, x + 2, y, canvas_width(c) - x - 2, STYLE_TEXT, str_text(&text));
        x += 2;
        str_free(&text);
    }
    if (x < canvas_width(c)) {
        struct str text = STR_EMPTY;
        str_addf(&text, "in flight %zu", h->open);
        canvas_text_fit(c, x, y, canvas_width(c) - x, h->open > 0 ? STYLE_TEXT : STYLE_DIM,
                        str_text(&text));
        str_free(&text);
    }
}

static void draw_rows(struct canvas *c, const struct sheet *h, const struct view_state *v,
                      bool focused)
{
    int height = canvas_height(c), rows = bin_rows(height), y = height >= 2 ? 1 : 0;
    int64_t at = selected_bin(h, v);
    int64_t first = view_list_first(v->has_selection ? v->scroll : h->bins, at, h->bins, rows);
    uint32_t most = 1;
    for (int i = 0; i < h->bins; i++) {
        most = h->bin[i].all > most ? h->bin[i].all : most;
    }
    for (int i = 0; i < rows && first + i < h->bins; i++) {
        draw_bin(c, y + i, h, (int)(first + i), most);
        if (first + i == at && (focused || v->has_selection)) {
            canvas_restyle(c, (struct rect){0, y + i, range_columns(h), 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, 0, y + i);
            }
        }
    }
    int foot = y + (rows < h->bins ? rows : h->bins);
    if (height >= 10) {
        struct str text = STR_EMPTY;
        draw_legend(c, foot + 1, h);
        add_bin_words(&text, &h->bin[at]);
        view_draw_line(c, foot + 2, STYLE_TEXT, str_text(&text));
        str_clear(&text);
        add_window(&text, h);
        view_draw_line(c, foot + 3, STYLE_DIM, str_text(&text));
        str_free(&text);
    } else if (height >= 4) {
        draw_legend(c, height - 1, h);
    }
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct sheet h;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (sheet_open(&h, s, v)) {
        draw_head(c, &h);
        if (canvas_height(c) >= 2) {
            draw_rows(c, &h, v, focused);
        }
    } else {
        view_draw_note(c, h.open > 0 ? "requests are under way, none was answered yet"
                                     : "no request was answered in the last moment");
    }
    sheet_close(&h);
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int height)
{
    struct sheet h;
    bool changed = false;
    if (sheet_open(&h, s, v) && w > 0 && height > 1) {
        int rows = bin_rows(height);
        int64_t at = selected_bin(&h, v);
        int64_t first = view_list_first(v->has_selection ? v->scroll : h.bins, at, h.bins, rows);
        changed = view_list_move(&at, h.bins, verb, rows);
        if (changed) {
            v->has_selection = true;
            v->selected = at;
            v->scroll = view_list_first(first, at, h.bins, rows);
        }
    }
    sheet_close(&h);
    return changed;
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct sheet h;
    struct str line = STR_EMPTY;
    if (sheet_open(&h, s, v)) {
        add_window(&line, &h);
        str_addf(&line, ", %zu still in flight.", h.open);
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
        str_clear(&line);
        str_addf(&line, "Half took at most %s (p50)", span(percentile(&h, 50)).text);
        str_addf(&line, ", 99 in 100 at most %s (p99)", span(percentile(&h, 99)).text);
        str_addf(&line, ", the slowest %s.", span(h.took[h.count - 1]).text);
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
        for (int i = 0; i < h.bins; i++) {
            if (h.bin[i].all > 0) {
                str_clear(&line);
                add_bin_words(&line, &h.bin[i]);
                view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 4);
            }
        }
    } else if (h.open > 0) {
        str_addf(out, "%zu request%s under way, none was answered yet.\n", h.open,
                 h.open == 1 ? " is" : "s are");
    } else {
        str_add(out, "No request was answered in the last moment.\n");
    }
    str_free(&line);
    sheet_close(&h);
}

/* The slowest of the range: why it took so long. */
static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct sheet h;
    struct subject out = {.kind = SUBJECT_NONE};
    if (sheet_open(&h, s, v)) {
        for (int64_t i = selected_bin(&h, v); i >= 0 && out.kind == SUBJECT_NONE; i--) {
            if (h.bin[i].all > 0) {
                out = (struct subject){.kind = SUBJECT_RECORD, .id = h.bin[i].slowest};
            }
        }
    }
    sheet_close(&h);
    return out;
}

const struct view view_latency = {
    .name = "latency",
    .title = "How long requests took",
    .min_rows = 7,
    .want_rows = 16,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
