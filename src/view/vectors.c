/*
 * vectors: a search among embeddings, on a map.
 *
 * An inverted file: the parts, which of them the search probes, the query, and which of its true
 * nearest neighbours are found and which are missed: those lie in a part that was not probed. A
 * graph: the way of the search, layer by layer, in one of its shards. Of more than two dimensions
 * the first two are drawn, and the picture says so.
 *
 * A wide pane shows the whole beside what is around the query; a narrow one shows one of them, and
 * zoom leads from one to the other ("vectors:all" begins with the whole). A low one has its
 * sentences beside the map. Selection: right and left go through the parts by their distance, or
 * along the way; up and down choose the shard.
 */
#include "view/vectors_parts.h"
#include <stdlib.h>
#include <string.h>

#define FOOT_ROWS 4 /* of what came of the search, at most */
#define LEGEND_ROWS 2
#define LOW_ROWS 12     /* with fewer, sentences go beside the map */
#define SIDE_MIN 17     /* columns of sentences there */
#define WIDE_MIN 84     /* from here on there are two maps */
#define STRETCH_PCT 150 /* the whole may be so much wider than high */

static int level_of(const struct view_state *v)
{
    bool all = v->argument != NULL && strcmp(v->argument, "all") == 0;
    return (int)view_clamp((all ? 0 : 1) + v->zoom, 0, VECTORS_LEVELS - 1);
}

/* --- text ---------------------------------------------------------------------------------- */

struct sign {
    enum style style;
    uint32_t utf8, ascii;
    const char *word;
};

static size_t signs_of(const struct vectors_search *x, struct sign *out)
{
    size_t count = 0;
    if (!x->asked) {
        return 0;
    }
    out[count++] = (struct sign){STYLE_STRONG, 0x25C6, '@', "query"};
    if (!x->open) {
        out[count++] = (struct sign){STYLE_GOOD, 0x25CF, 'o', "found"};
        if (x->common < x->exacts) {
            out[count++] = (struct sign){STYLE_BAD, 0x25CB, '!', "missed"};
        }
        if (x->page->graph != NULL) {
            out[count++] = (struct sign){STYLE_WARN, '2', '2', "upper"};
            out[count++] = (struct sign){STYLE_MOVED, '0', '0', "layer 0"};
        }
    }
    return count;
}

/* "◆ query  ● found  ○ missed  [7] probed", over at most so many rows from y on; returns how many
 * it takes. Without `draw` they are counted. */
static int draw_legend(struct canvas *c, int y, int rows, const struct vectors_search *x, bool draw)
{
    struct sign sign[6];
    size_t count = signs_of(x, sign);
    int w = canvas_width(c), at = 0, row = 0;
    for (size_t i = 0; i < count; i++) {
        int length = 2 + (int)strlen(sign[i].word);
        if (at > 0 && at + length > w) {
            row++;
            at = 0;
        }
        if (draw && row < rows) {
            canvas_put(c, at, y + row, sign[i].style, view_sign(c, sign[i].utf8, sign[i].ascii));
            canvas_text(c, at + 2, y + row, STYLE_DIM, sign[i].word);
        }
        at += length + 2;
    }
    if (x->page->ivf != NULL && draw && row < rows && count > 0 && at + 12 <= w) {
        at += 1 + canvas_textf(c, at, y + row, STYLE_STRONG, "[%u]", x->order[0].id);
        canvas_text(c, at, y + row, STYLE_DIM, "probed");
    }
    row += count > 0;
    return row < rows ? row : rows;
}

static void add_seen(struct str *out, const struct vectors_search *x)
{
    if (!x->flat) {
        str_addf(out,
                 x->asked ? " In %u dimensions only the distance from the query is drawn true."
                          : " Drawn: the first 2 of %u dimensions.",
                 corpus_dims(x->corpus));
    }
}

static void add_found(struct str *out, const struct vectors_search *x)
{
    vectors_say_effort(out, x);
    if (out->length > 0) {
        str_addc(out, ' ');
    }
    vectors_say_found(out, x);
}

/* How many rows a text takes when it is broken between words. */
static int rows_of(const char *text, int columns)
{
    struct str broken = STR_EMPTY;
    view_add_wrapped(&broken, text, columns, 0);
    int rows = 0;
    for (size_t i = 0; i < broken.length; i++) {
        rows += broken.text[i] == '\n';
    }
    str_free(&broken);
    return rows;
}

/* Sentences below the map; returns how many rows they take. Without a canvas they are counted. */
static int draw_foot(struct canvas *c, const struct vectors_search *x, bool draw)
{
    struct str text = STR_EMPTY, item = STR_EMPTY;
    int w = canvas_width(c), h = canvas_height(c);
    int legend = draw_legend(c, 0, LEGEND_ROWS, x, false);
    if (x->asked) {
        add_found(&text, x);
    } else {
        vectors_say_made(&text, x);
    }
    add_seen(&text, x);
    if (x->selected) {
        vectors_say_item(&item, x);
    }
    int middle = rows_of(str_text(&text), w);
    middle = middle > FOOT_ROWS ? FOOT_ROWS : middle;
    int rows = legend + middle + (item.length > 0);
    if (draw) {
        (void)draw_legend(c, h - rows, legend, x, true);
        view_draw_wrapped(c, h - rows + legend, middle, STYLE_TEXT, str_text(&text));
        if (item.length > 0) {
            view_draw_line(c, h - 1, STYLE_CODE, str_text(&item));
        }
    }
    str_free(&text);
    str_free(&item);
    return rows;
}

/* In a column of its own. */
static void draw_side(struct canvas *c, const struct vectors_search *x)
{
    struct str text = STR_EMPTY;
    int h = canvas_height(c), legend = draw_legend(c, 0, LEGEND_ROWS, x, true);
    if (x->asked) {
        add_found(&text, x);
    } else {
        vectors_say_made(&text, x);
    }
    view_draw_wrapped(c, legend, h - legend, STYLE_TEXT, str_text(&text));
    str_free(&text);
}

/* --- the maps ------------------------------------------------------------------------------ */

static void draw_one(struct canvas *c, const struct vectors_search *x, int level)
{
    struct vectors_window window = vectors_window_of(x, level, canvas_width(c), canvas_height(c));
    vectors_draw_map(c, x, &window);
}

/* The whole, and around the query. */
static void draw_two(struct canvas *c, const struct vectors_search *x, int level)
{
    int w = canvas_width(c), h = canvas_height(c), left = 2 * h;
    left = left > w / 2 ? w / 2 : left;
    struct rect close = {left + 1, 0, w - left - 1, h};
    struct vectors_window whole = vectors_window_of(x, 0, left, h);
    level += x->page->graph != NULL || !x->flat; /* closer: the whole has the way already */
    struct vectors_window part = vectors_window_of(x, level < 1 ? 1 : level, close.w, close.h);
    canvas_push(c, (struct rect){0, 0, left, h});
    vectors_draw_map(c, x, &whole);
    vectors_draw_frame(c, &whole, &part);
    canvas_pop(c);
    canvas_vline(c, left, 0, h, LINE_LIGHT, STYLE_DIM);
    canvas_push(c, close);
    vectors_draw_map(c, x, &part);
    canvas_pop(c);
}

/* A low pane: the map at the left, the sentences beside it. */
static void draw_low(struct canvas *c, const struct vectors_search *x, int level)
{
    int w = canvas_width(c), h = canvas_height(c);
    int map = 2 * h * STRETCH_PCT / 100;
    map = map > w - SIDE_MIN - 1 ? w - SIDE_MIN - 1 : map;
    if (map < 8) {
        map = w;
    }
    canvas_push(c, (struct rect){0, 0, map, h});
    draw_one(c, x, level);
    canvas_pop(c);
    if (map < w) {
        canvas_push(c, (struct rect){map + 1, 0, w - map - 1, h});
        draw_side(c, x);
        canvas_pop(c);
    }
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    int w = canvas_width(c), h = canvas_height(c), level = level_of(v);
    struct vectors_search *x = vectors_search_of(s, v);
    if (x != NULL) {
        x->focused = focused;
    }
    if (w < 1 || h < 1) {
        free(x);
        return;
    }
    if (x == NULL) {
        view_draw_note(c, "this page has no vectors");
        return;
    }
    if (h < LOW_ROWS) {
        draw_low(c, x, level);
        free(x);
        return;
    }
    view_draw_line(c, 0, STYLE_STRONG, x->page->title != NULL ? x->page->title : "");
    canvas_push(c, (struct rect){0, 1, w, h - 1 - draw_foot(c, x, false)});
    if (w >= WIDE_MIN && x->asked) {
        draw_two(c, x, level);
    } else {
        draw_one(c, x, level);
    }
    canvas_pop(c);
    (void)draw_foot(c, x, true);
    free(x);
}

/* --- moving -------------------------------------------------------------------------------- */

static bool zoom_by(struct view_state *v, const struct vectors_search *x, int by)
{
    int level = level_of(v);
    if (!x->asked || level + by < 0 || level + by >= VECTORS_LEVELS) {
        return false;
    }
    v->zoom += by;
    return true;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct vectors_search *x = vectors_search_of(s, v);
    (void)w;
    (void)h;
    if (x == NULL) {
        return false;
    }
    uint32_t shards = x->page->graph != NULL ? graph_params_of(x->page->graph)->shards : 1;
    uint32_t shard = x->shard;
    int64_t at = x->at;
    bool changed = false;
    if (verb == VERB_ZOOM_IN || verb == VERB_ZOOM_OUT) {
        changed = zoom_by(v, x, verb == VERB_ZOOM_IN ? 1 : -1);
    } else if ((verb == VERB_UP || verb == VERB_DOWN) && shards > 1) {
        shard = verb == VERB_UP ? (shard > 0 ? shard - 1 : 0) : shard + 1;
        shard = shard < shards ? shard : shards - 1;
        at = shard != x->shard ? INT32_MAX : at; /* the whole way there */
    } else if (verb == VERB_LEFT || verb == VERB_RIGHT) {
        at += x->selected || verb == VERB_LEFT || x->page->graph != NULL
                  ? (verb == VERB_RIGHT ? 1 : -1)
                  : 0;
        at = view_clamp(at, 0, x->items > 0 ? x->items - 1 : 0);
    } else if (verb == VERB_FIRST || verb == VERB_LAST) {
        at = verb == VERB_FIRST || x->items < 1 ? 0 : x->items - 1;
    }
    if (at != x->at || shard != x->shard || (verb == VERB_RIGHT && !x->selected)) {
        v->has_selection = changed = x->items > 0;
        v->selected = vectors_selection(shard, at);
    }
    free(x);
    return changed;
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    (void)v;
    (void)s;
    return (struct subject){.kind = SUBJECT_NONE};
}

const struct view view_vectors = {
    .name = "vectors",
    .title = "Vectors",
    .min_rows = 8,
    .want_rows = 28,
    .draw = draw,
    .move = move,
    .tell = vectors_tell,
    .subject = subject,
};
