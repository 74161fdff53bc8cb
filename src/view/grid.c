/*
 * grid: some thousand keys under two layouts, one sign a key.
 *
 * Until the question is answered the first layout shows: each key is its owner's letter. After it,
 * keys that changed owner are lit capitals (the new owner's letter) and the others dim dots, or dim
 * letters when zoomed in. Below each grid stands whose letter is whose, with how many keys each
 * has, and what capitals and dots are; in few rows, all of that in one line. Two grids stand side
 * by side or over one another and scroll together, for they are about the same keys. Argument: "1"
 * or "2" for one grid alone. Selection: a key's index.
 */
#include "base/utf8.h"
#include "view/inside.h"
#include <ctype.h>
#include <string.h>

#define SIDE_BY_SIDE 90
#define KEYS_A_ROW_MAX 100
#define LEGEND_MAX 4       /* lines */
#define LEGEND_FROM_ROWS 9 /* of one grid */
#define BRIEF_FROM_ROWS 3
#define LETTERS 26 /* with more shards, small letters are not enough */

struct choice { /* which grids are shown */
    const struct page_grid *grid[PAGE_GRIDS_MAX];
    size_t count;
};

static struct choice choose(const struct scene *s, const char *argument)
{
    struct choice out = {.count = 0};
    if (s->page == NULL) {
        return out;
    }
    size_t grids = s->page->grids < PAGE_GRIDS_MAX ? s->page->grids : PAGE_GRIDS_MAX;
    for (size_t i = 0; i < grids; i++) {
        bool wanted = argument == NULL || argument[0] == '\0' ||
                      (argument[0] == (char)('1' + i) && argument[1] == '\0');
        if (wanted && s->page->grid[i] != NULL && s->page->grid[i]->keys > 0) {
            out.grid[out.count++] = s->page->grid[i];
        }
    }
    return out;
}

static size_t keys_of(const struct page_grid *g)
{
    return g->keys < PAGE_GRID_KEYS_MAX ? g->keys : PAGE_GRID_KEYS_MAX;
}

static int64_t most_keys(const struct choice *choice)
{
    size_t most = 0;
    for (size_t i = 0; i < choice->count; i++) {
        most = keys_of(choice->grid[i]) > most ? keys_of(choice->grid[i]) : most;
    }
    return (int64_t)most;
}

static int64_t selected_key(const struct view_state *v, const struct choice *choice)
{
    int64_t keys = most_keys(choice);
    return v->has_selection ? view_clamp(v->selected, 0, keys > 0 ? keys - 1 : 0) : 0;
}

/* --- room ---------------------------------------------------------------------------------- */

struct shape {
    bool beside;    /* grids side by side */
    int w, h;       /* of one grid, its title included */
    int title;      /* lines of it */
    int legend;     /* lines below the signs */
    int label;      /* columns of the key numbers; 0: all keys fit without */
    int rows;       /* of signs */
    int per_row;    /* keys a row */
    int64_t first;  /* row */
    int64_t in_all; /* rows there are */
};

/* --- whose letter is whose ----------------------------------------------------------------- */

struct legend {
    struct canvas *c; /* NULL: only count the lines */
    int width, x, y, lines;
};

/* A sign and words, on the next line where this one is full. */
static void add_item(struct legend *l, enum style style, const char *text)
{
    int columns = utf8_columns(text, strlen(text));
    if (l->x > 0 && l->x + columns > l->width) {
        l->x = 0;
        l->lines++;
    }
    if (l->c != NULL && l->lines < LEGEND_MAX) {
        canvas_text_fit(l->c, l->x, l->y + l->lines, l->width - l->x, style, text);
    }
    l->x += columns + 2;
}

static uint32_t shards_of(const struct page_grid *g)
{
    bool before = g->hidden || g->shards_before > g->shards_after;
    return before ? g->shards_before : g->shards_after;
}

static size_t count_keys(const struct page_grid *g, uint32_t shard)
{
    const uint16_t *owner = g->hidden ? g->before : g->after;
    size_t count = 0;
    for (size_t i = 0; i < keys_of(g); i++) {
        count += owner[i] == shard;
    }
    return count;
}

static bool any_stays(const struct page_grid *g)
{
    return g->moved < keys_of(g);
}

/* "a-d: on S0-S3", "A-K: moved to S0-S10" */
static void add_letters(struct str *out, uint32_t shards, bool capital, const char *what)
{
    if (shards > LETTERS) {
        str_addf(out, "a letter: %s a shard", what);
        return;
    }
    char last = style_owner_letter(shards > 0 ? shards - 1 : 0);
    str_addf(out, capital ? "A-%c: %s S0-S%u" : "a-%c: %s S0-S%u",
             capital ? toupper((unsigned char)last) : last, what, (unsigned)shards - 1);
}

/* The legend in one line. */
static void draw_brief_legend(struct canvas *c, const struct page_grid *g, int width, int y,
                              bool letters)
{
    struct str text = STR_EMPTY;
    int x = 0;
    if (g->hidden) {
        add_letters(&text, g->shards_before, false, "on");
        canvas_text_fit(c, 0, y, width, STYLE_DIM, str_text(&text));
        str_free(&text);
        return;
    }
    if (g->moved > 0) {
        add_letters(&text, g->shards_after, true, "moved to");
        x += canvas_text_fit(c, 0, y, width, STYLE_MOVED, str_text(&text)) + 2;
    }
    if (any_stays(g) && width > x) {
        bool utf8 = canvas_glyphs(c) == GLYPHS_UTF8;
        canvas_text_fit(c, x, y, width - x, STYLE_DIM,
                        letters ? "small: stays"
                        : utf8  ? "·: stays"
                                : ".: stays");
    }
    str_free(&text);
}

/* Returns its lines. */
static int lay_legend(struct canvas *c, const struct page_grid *g, int width, int y, bool letters)
{
    struct legend l = {.c = c, .width = width, .y = y};
    struct str text = STR_EMPTY;
    uint32_t shards = shards_of(g);
    if (!g->hidden && g->moved > 0) {
        char last = (char)toupper((unsigned char)style_owner_letter(g->shards_after - 1));
        str_addf(&text, shards > LETTERS ? "capital: moved there" : "A-%c: moved there", last);
        add_item(&l, STYLE_MOVED, str_text(&text));
    }
    if (!g->hidden && any_stays(g)) {
        bool dot = c != NULL && canvas_glyphs(c) == GLYPHS_UTF8;
        add_item(&l, STYLE_DIM, letters ? "small: stays" : dot ? "·: stays" : ".: stays");
    }
    if (!g->hidden) { /* a line of its own for the shards */
        l.x = l.width;
    }
    for (uint32_t shard = 0; shard < shards; shard++) {
        str_clear(&text);
        str_addf(&text, "%c S%u %s", style_owner_letter(shard), (unsigned)shard,
                 num_grouped((int64_t)count_keys(g, shard)).text);
        add_item(&l, style_owner(shard), str_text(&text));
    }
    str_free(&text);
    return l.lines + 1 < LEGEND_MAX ? l.lines + 1 : LEGEND_MAX;
}

static int legend_lines(const struct choice *choice, int width)
{
    int most = 0;
    for (size_t i = 0; i < choice->count; i++) {
        int lines = lay_legend(NULL, choice->grid[i], width, 0, false);
        most = lines > most ? lines : most;
    }
    return most;
}

static struct shape shape_of(const struct view_state *v, const struct choice *choice, int w, int h)
{
    int64_t keys = most_keys(choice);
    int count = choice->count > 1 ? 2 : 1;
    struct shape out = {.beside = count == 2 && w >= SIDE_BY_SIDE};
    int below = h >= 4 ? 1 : 0; /* the selected key's line */
    out.w = out.beside ? (w - 2) / 2 : w;
    out.h = out.beside ? h - below : (h - below) / count;
    out.title = out.h >= 2 ? 1 : 0;
    out.legend = out.h >= LEGEND_FROM_ROWS ? legend_lines(choice, out.w) : out.h >= BRIEF_FROM_ROWS;
    out.rows = out.h - out.title - out.legend;
    out.rows = out.rows < 1 ? 1 : out.rows;
    int room = out.w > KEYS_A_ROW_MAX ? KEYS_A_ROW_MAX : out.w;
    int with_labels =
        out.w - 5 >= 10 ? (int)view_clamp((out.w - 5) / 10 * 10, 10, KEYS_A_ROW_MAX) : 0;
    bool labels_fit = with_labels > 0 && (keys + with_labels - 1) / with_labels <= out.rows;
    bool all_fit = (keys + room - 1) / room <= out.rows;
    if (with_labels > 0 && (labels_fit || !all_fit)) {
        out.label = 5;
        out.per_row = with_labels;
    } else {
        out.per_row = room < 1 ? 1 : room;
    }
    out.in_all = (keys + out.per_row - 1) / out.per_row;
    out.first =
        view_list_first(v->scroll, selected_key(v, choice) / out.per_row, out.in_all, out.rows);
    return out;
}

/* --- drawing ------------------------------------------------------------------------------- */

/* In as many words as `columns` allow: of how many and what share may go. */
static void add_title(struct str *out, const struct page_grid *g, int columns)
{
    str_add(out, g->title != NULL && g->title[0] != '\0' ? g->title : "keys");
    size_t keys = keys_of(g);
    struct str whole = STR_EMPTY, brief = STR_EMPTY;
    if (g->hidden) {
        str_addf(&brief, ": %s keys", num_grouped((int64_t)keys).text);
        str_addf(&whole, "%s on %u shards", str_text(&brief), (unsigned)g->shards_before);
    } else {
        str_addf(&brief, ": %s moved", num_grouped((int64_t)g->moved).text);
        str_addf(&whole, ": %s of %s moved, %s%%", num_grouped((int64_t)g->moved).text,
                 num_grouped((int64_t)keys).text,
                 num_ratio((int64_t)g->moved, (int64_t)keys, 1).text);
    }
    int room = columns - utf8_columns(str_text(out), out->length);
    if ((int)whole.length <= room) {
        str_add(out, str_text(&whole));
    } else if ((int)brief.length <= room) {
        str_add(out, str_text(&brief));
    }
    str_free(&whole);
    str_free(&brief);
}

struct key_sign {
    uint32_t point;
    enum style style;
};

static struct key_sign sign_of(const struct canvas *c, const struct page_grid *g, size_t key,
                               bool letters)
{
    if (g->hidden) {
        return (struct key_sign){(uint32_t)style_owner_letter(g->before[key]),
                                 style_owner(g->before[key])};
    }
    uint32_t letter = (uint32_t)style_owner_letter(g->after[key]);
    if (g->before[key] != g->after[key]) {
        return (struct key_sign){(uint32_t)toupper((int)letter), STYLE_MOVED};
    }
    return (struct key_sign){letters ? letter : view_sign(c, 0x00B7, '.'), STYLE_DIM};
}

static void draw_grid(struct canvas *c, const struct page_grid *g, const struct shape *shape,
                      int64_t selected, bool marked, bool letters)
{
    struct str title = STR_EMPTY;
    int64_t keys = (int64_t)keys_of(g);
    add_title(&title, g, shape->w);
    if (shape->title > 0) {
        canvas_text_fit(c, 0, 0, shape->w, STYLE_STRONG, str_text(&title));
    }
    str_free(&title);
    for (int row = 0; row < shape->rows && shape->first + row < shape->in_all; row++) {
        int64_t line = (shape->first + row) * shape->per_row;
        int y = shape->title + row;
        if (shape->label > 0 && line < keys) {
            canvas_textf(c, 0, y, STYLE_DIM, "%*d", shape->label - 1, (int)line);
        }
        for (int i = 0; i < shape->per_row && line + i < keys; i++) {
            struct key_sign sign = sign_of(c, g, (size_t)(line + i), letters);
            if (marked && line + i == selected) {
                sign.style = STYLE_SELECTED;
            }
            canvas_put(c, shape->label + i, y, sign.style, sign.point);
        }
    }
    if (shape->legend > 0) {
        int64_t shown = shape->in_all - shape->first;
        int below = shown < shape->rows ? (int)shown : shape->rows;
        int air = shown + 1 < shape->rows; /* a short grid has it close, with a line between */
        int y = shape->title + below + air;
        if (shape->h >= LEGEND_FROM_ROWS) {
            (void)lay_legend(c, g, shape->w, y, letters);
        } else {
            draw_brief_legend(c, g, shape->w, y, letters);
        }
    }
}

static void add_facts(struct str *out, const struct choice *choice, int64_t key, bool titles)
{
    str_addf(out, "key %d", (int)key);
    for (size_t i = 0; i < choice->count; i++) {
        const struct page_grid *g = choice->grid[i];
        if (key >= (int64_t)keys_of(g)) {
            continue;
        }
        str_add(out, i == 0 ? ": " : "; ");
        if (titles && choice->count > 1 && g->title != NULL) {
            str_addf(out, "%s ", g->title);
        }
        str_addf(out, "S%u", (unsigned)g->before[key]);
        if (!g->hidden && g->after[key] != g->before[key]) {
            str_addf(out, " to S%u", (unsigned)g->after[key]);
        } else if (!g->hidden) {
            str_add(out, " stays");
        }
    }
}

/* What part is shown, and the selected key. Titles only where they fit. */
static void draw_facts(struct canvas *c, const struct choice *choice, const struct shape *shape,
                       int64_t key)
{
    int width = canvas_width(c), from = 0;
    struct str text = STR_EMPTY;
    if (shape->in_all > shape->rows) {
        int64_t keys = most_keys(choice), first = shape->first * shape->per_row;
        int64_t last = view_clamp(first + (int64_t)shape->rows * shape->per_row, 1, keys) - 1;
        str_addf(&text, "%d-%d of %d  ", (int)first, (int)last, (int)keys);
        from = canvas_text_fit(c, 0, canvas_height(c) - 1, width, STYLE_DIM, str_text(&text));
        str_clear(&text);
    }
    add_facts(&text, choice, key, true);
    if (utf8_columns(str_text(&text), text.length) > width - from) {
        str_clear(&text);
        add_facts(&text, choice, key, false);
    }
    canvas_text_fit(c, from, canvas_height(c) - 1, width - from, STYLE_TEXT, str_text(&text));
    str_free(&text);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    int w = canvas_width(c), h = canvas_height(c);
    struct choice choice = choose(s, v->argument);
    if (choice.count == 0) {
        view_draw_note(c, "there are no keys to show here");
        return;
    }
    if (w < 1 || h < 1) {
        return;
    }
    struct shape shape = shape_of(v, &choice, w, h);
    int64_t at = selected_key(v, &choice);
    for (size_t i = 0; i < choice.count; i++) {
        struct rect area = {.w = shape.w, .h = shape.h};
        if (shape.beside) {
            area.x = (int)i * (shape.w + 2);
        } else {
            area.y = (int)i * shape.h;
        }
        canvas_push(c, area);
        draw_grid(c, choice.grid[i], &shape, at, focused || v->has_selection, v->zoom > 0);
        canvas_pop(c);
    }
    if (focused) {
        canvas_cursor(c, shape.label + (int)(at % shape.per_row),
                      shape.title + (int)(at / shape.per_row - shape.first));
    }
    if (h >= 4) {
        draw_facts(c, &choice, &shape, at);
    }
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct choice choice = choose(s, v->argument);
    if (choice.count == 0 || w < 1 || h < 1) {
        return false;
    }
    struct shape shape = shape_of(v, &choice, w, h);
    int64_t keys = most_keys(&choice), was = selected_key(v, &choice), at = was;
    int64_t row = at / shape.per_row, last_row = (keys - 1) / shape.per_row;
    switch (verb) {
    case VERB_LEFT:
        at -= 1;
        break;
    case VERB_RIGHT:
        at += 1;
        break;
    case VERB_FIRST:
        at = 0;
        break;
    case VERB_LAST:
        at = keys - 1;
        break;
    case VERB_UP:
    case VERB_DOWN:
    case VERB_PAGE_UP:
    case VERB_PAGE_DOWN: /* the column stays */
        (void)view_list_move(&row, last_row + 1, verb, shape.rows);
        at = row * shape.per_row + at % shape.per_row;
        break;
    case VERB_ZOOM_IN:
    case VERB_ZOOM_OUT: {
        int zoom = verb == VERB_ZOOM_IN ? 1 : 0;
        bool changed = zoom != v->zoom;
        v->zoom = zoom;
        return changed;
    }
    case VERB_NONE:
        return false;
    }
    at = view_clamp(at, 0, keys - 1);
    v->has_selection = true;
    v->selected = at;
    v->scroll = view_list_first(shape.first, at / shape.per_row, shape.in_all, shape.rows);
    return at != was;
}

/* --- words --------------------------------------------------------------------------------- */

static void tell_grid(struct str *out, const struct page_grid *g)
{
    size_t keys = keys_of(g);
    uint32_t shards = shards_of(g);
    struct str title = STR_EMPTY;
    add_title(&title, g, TELL_COLUMNS);
    str_addf(out, "%s.\n", str_text(&title));
    str_free(&title);
    if (!g->hidden) {
        str_addf(out, "From %u shards to %u.\n", (unsigned)g->shards_before,
                 (unsigned)g->shards_after);
    }
    str_add(out, g->hidden ? "shard    keys\n" : "shard  before   after    gave    took\n");
    for (uint32_t shard = 0; shard < shards; shard++) {
        unsigned had = 0, has = 0, gave = 0, took = 0;
        for (size_t i = 0; i < keys; i++) {
            had += g->before[i] == shard;
            has += g->after[i] == shard;
            gave += g->before[i] == shard && g->after[i] != shard;
            took += g->before[i] != shard && g->after[i] == shard;
        }
        str_addf(out, "S%-5u %6s", (unsigned)shard, num_grouped(had).text);
        if (!g->hidden) {
            str_addf(out, " %7s", num_grouped(has).text);
            str_addf(out, " %7s", num_grouped(gave).text);
            str_addf(out, " %7s", num_grouped(took).text);
        }
        str_addc(out, '\n');
    }
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct choice choice = choose(s, v->argument);
    if (choice.count == 0) {
        str_add(out, "There are no keys to show here.\n");
    }
    for (size_t i = 0; i < choice.count; i++) {
        tell_grid(out, choice.grid[i]);
    }
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    (void)v;
    (void)s;
    return (struct subject){.kind = SUBJECT_NONE}; /* a grid's keys are in no world */
}

const struct view view_grid = {
    .name = "grid",
    .title = "Keys",
    .min_rows = 8,
    .want_rows = 24,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
