/*
 * play_screen_bars: the shards of one future against their ceilings. See play_screen.h.
 *
 * Two lines a shard, writes (solid) and reads (shaded), when there is room; else one line with
 * both. A bar's length is the share of the shard's own ceiling; the upright line is 100%. In a
 * narrow column the rates give way to the percentages.
 */
#include "app/play/play_screen.h"
#include "base/num.h"
#include <stdio.h>
#include <string.h>

#define FULL_TENTHS 1000
#define BUSY_TENTHS 800
#define LABEL_COLUMNS 6   /* "a S12 " */
#define KIND_COLUMNS 7    /* "writes " */
#define NUMBER_COLUMNS 14 /* "  12,345 1,234%" */
#define PERCENT_COLUMNS 7 /* " 1,234%" */
#define NARROW 34         /* below it there is no room for rates, nor for words */
#define BAR_COLUMNS_MAX 90

struct load {
    uint64_t asked, ceiling, refused;
    bool reads;
};

static struct load load_of(const struct play_shard *s, bool reads)
{
    const struct shard_rates *r = &s->rates;
    return reads ? (struct load){r->reads, s->read_ceiling, r->refused_reads, true}
                 : (struct load){r->writes, s->write_ceiling, r->refused_writes, false};
}

static uint64_t tenths(struct load load)
{
    return load.ceiling > 0 ? load.asked * FULL_TENTHS / load.ceiling : 0;
}

uint64_t play_bars_scale(const struct play_result *a, const struct play_result *b)
{
    uint64_t scale = FULL_TENTHS * 5 / 4;
    for (int side = 0; side < 2; side++) {
        const struct play_result *r = side == 0 ? a : b;
        for (uint32_t i = 0; r != NULL && i < r->shards; i++) {
            uint64_t writes = tenths(load_of(&r->shard[i], false));
            uint64_t reads = tenths(load_of(&r->shard[i], true));
            uint64_t most = writes > reads ? writes : reads;
            scale = most > scale ? most : scale;
        }
    }
    return scale;
}

struct bar_shape {
    int x, columns; /* of the bar */
    int end;        /* of its numbers */
    bool rates;     /* stand beside the percentages */
    uint64_t scale;
};

static enum style load_style(struct load load)
{
    uint64_t t = tenths(load);
    return load.refused > 0 || t > FULL_TENTHS ? STYLE_BAD
           : t >= BUSY_TENTHS                  ? STYLE_WARN
                                               : STYLE_TEXT;
}

static uint32_t sign(const struct canvas *c, uint32_t utf8, uint32_t ascii)
{
    return canvas_glyphs(c) == GLYPHS_UTF8 ? utf8 : ascii;
}

static void draw_load(struct canvas *c, int y, const struct bar_shape *shape, struct load load,
                      enum style style)
{
    uint64_t eighths = tenths(load) * (uint64_t)shape->columns * 8 / shape->scale;
    int limit = (int)(FULL_TENTHS * (uint64_t)shape->columns / shape->scale);
    char text[48];
    eighths = eighths == 0 && load.asked > 0 ? 1 : eighths;
    if (limit < shape->columns) {
        canvas_put(c, shape->x + limit, y, STYLE_LIMIT, sign(c, 0x2506, '|'));
    }
    if (load.reads) {
        for (int i = 0; i < (int)((eighths + 7) / 8); i++) {
            canvas_put(c, shape->x + i, y, style, sign(c, 0x2592, '='));
        }
    } else {
        canvas_bar(c, shape->x, y, (int)eighths, style);
    }
    snprintf(text, sizeof text, "%s%%",
             num_ratio((int64_t)load.asked, (int64_t)load.ceiling, 0).text);
    canvas_text_right(c, shape->end, y, load_style(load), text);
    if (shape->rates) {
        canvas_text_right(c, shape->end - 6, y, STYLE_TEXT, num_grouped((int64_t)load.asked).text);
    }
}

static void draw_label(struct canvas *c, int y, const struct play_shard *s, bool selected)
{
    char text[16];
    enum style style = style_owner(s->id);
    snprintf(text, sizeof text, "%c S%u", style_owner_letter(s->id), (unsigned)s->id);
    canvas_text(c, 0, y, selected ? STYLE_SELECTED : style, text);
}

/* Which shards are in sight, when not all are. */
static void draw_part(struct canvas *c, const struct play_result *r, uint32_t first, uint32_t fits)
{
    char text[48];
    uint32_t last = first + fits - 1;
    if (fits >= r->shards) {
        return;
    }
    snprintf(text, sizeof text, "S%u to S%u of %u", (unsigned)r->shard[first].id,
             (unsigned)r->shard[last < r->shards ? last : r->shards - 1].id, (unsigned)r->shards);
    canvas_text_right(c, canvas_width(c), 0, STYLE_STRONG, text);
}

static void draw_heading(struct canvas *c, const struct bar_shape *writes,
                         const struct bar_shape *reads, bool paired)
{
    int limit = writes->x + (int)(FULL_TENTHS * (uint64_t)writes->columns / writes->scale);
    if (paired) {
        canvas_text(c, writes->x, 0, STYLE_DIM, writes->rates ? "writes/s" : "writes");
        canvas_text(c, reads->x, 0, STYLE_DIM, reads->rates ? "reads/s" : "reads");
        return;
    }
    canvas_text_right(c, limit + 1, 0, STYLE_LIMIT, "100%");
    canvas_text_right(c, writes->end, 0, STYLE_DIM, writes->rates ? "a second" : "");
}

static struct bar_shape shape_of(int from, int end, uint64_t scale)
{
    bool rates = end - from >= NUMBER_COLUMNS + 6;
    int numbers = rates ? NUMBER_COLUMNS : PERCENT_COLUMNS;
    int columns = end - from - numbers;
    columns = columns > BAR_COLUMNS_MAX ? BAR_COLUMNS_MAX : columns < 1 ? 1 : columns;
    return (struct bar_shape){.x = from,
                              .columns = columns,
                              .end = from + columns + numbers,
                              .rates = rates,
                              .scale = scale};
}

/* The shards from `first` on that fit, so that the selected one is among them. */
static uint32_t first_shown(const struct play_result *r, uint32_t selected, uint32_t fits)
{
    for (uint32_t i = 0; i < r->shards; i++) {
        if (r->shard[i].id == selected && i >= fits) {
            return i - fits + 1;
        }
    }
    return 0;
}

void play_bars_draw(struct canvas *c, const struct play_result *r, uint64_t scale,
                    uint32_t selected)
{
    int w = canvas_width(c);
    int h = canvas_height(c);
    bool paired = h < 2 * (int)r->shards + 1;
    int lines = paired ? 1 : 2;
    int fits = (h - 1) / lines;
    uint32_t first = first_shown(r, selected, fits < 1 ? 1 : (uint32_t)fits);
    int middle = LABEL_COLUMNS + (w - LABEL_COLUMNS) / 2;
    bool words = !paired && w >= NARROW;
    struct bar_shape writes = shape_of(words ? LABEL_COLUMNS + KIND_COLUMNS : LABEL_COLUMNS,
                                       paired ? middle - 1 : w, scale);
    struct bar_shape reads = paired ? shape_of(middle + 1, w, scale) : writes;
    draw_heading(c, &writes, &reads, paired);
    draw_part(c, r, first, fits < 1 ? 1 : (uint32_t)fits);
    for (uint32_t i = first; i < r->shards && (int)(i - first) < fits; i++) {
        const struct play_shard *s = &r->shard[i];
        int y = 1 + (int)(i - first) * lines;
        draw_label(c, y, s, s->id == selected);
        if (words) {
            canvas_text(c, LABEL_COLUMNS, y, STYLE_DIM, "writes");
            canvas_text(c, LABEL_COLUMNS, y + 1, STYLE_DIM, "reads");
        }
        draw_load(c, y, &writes, load_of(s, false), style_owner(s->id));
        draw_load(c, paired ? y : y + 1, &reads, load_of(s, true), style_owner(s->id));
    }
}
