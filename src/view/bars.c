/*
 * bars: what each shard is asked for, writes and reads, against its two ceilings.
 *
 * Rates are requests a second as scene.rates measured them. Bars share one scale, chosen so that
 * the longest fits and the ceiling is always in sight. Writes are solid, reads are shaded ('=' in
 * ASCII); the number and the percentage stand beside every bar. With room, two lines a shard;
 * without, one line with both. Selection: a shard; until there is one, the busiest.
 */
#include "view/inside.h"
#include <stdio.h>
#include <string.h>

#define WIDTH_MAX 130   /* beyond it bars grow no longer */
#define BUSY_TENTHS 800 /* 80.0%: where trouble begins */
#define FULL_TENTHS 1000

struct load { /* of one kind at one shard, or of the cluster */
    uint64_t asked, ceiling, refused;
};

static struct load load_of(const struct scene *s, uint32_t shard, bool reads)
{
    const struct shard_rates *r = &s->rates->shard[shard];
    struct shard_info info = world_shard(s->world, (uint16_t)shard);
    if (reads) {
        return (struct load){r->reads, info.read_ceiling, r->refused_reads};
    }
    return (struct load){r->writes, info.write_ceiling, r->refused_writes};
}

static uint32_t shard_count(const struct scene *s)
{
    if (s->world == NULL || s->rates == NULL) {
        return 0;
    }
    uint32_t shards = world_shards(s->world);
    return shards < s->rates->shards ? shards : s->rates->shards;
}

static struct load cluster_load(const struct scene *s, bool reads)
{
    struct load sum = {0};
    uint32_t shards = shard_count(s);
    for (uint32_t i = 0; i < shards; i++) {
        struct load one = load_of(s, i, reads);
        sum.asked += one.asked;
        sum.ceiling += one.ceiling;
        sum.refused += one.refused;
    }
    return sum;
}

/* Tenths of a percent of the ceiling; 0 without one. */
static uint64_t tenths(struct load load)
{
    return load.ceiling > 0 ? load.asked * 1000 / load.ceiling : 0;
}

static uint64_t scale_of(const struct scene *s)
{
    uint64_t scale = FULL_TENTHS * 5 / 4, shards = shard_count(s);
    for (uint32_t i = 0; i < shards; i++) {
        for (int reads = 0; reads < 2; reads++) {
            uint64_t here = tenths(load_of(s, i, reads == 1));
            scale = here > scale ? here : scale;
        }
    }
    return scale;
}

static uint32_t busiest_shard(const struct scene *s)
{
    uint32_t shards = shard_count(s), busiest = 0;
    uint64_t most = 0;
    for (uint32_t i = 0; i < shards; i++) {
        for (int reads = 0; reads < 2; reads++) {
            uint64_t here = tenths(load_of(s, i, reads == 1));
            if (here > most) {
                most = here;
                busiest = i;
            }
        }
    }
    return busiest;
}

static uint32_t selected_shard(const struct view_state *v, const struct scene *s)
{
    uint32_t shards = shard_count(s);
    if (!v->has_selection) {
        return busiest_shard(s);
    }
    return (uint32_t)view_clamp(v->selected, 0, shards > 0 ? shards - 1 : 0);
}

/* --- drawing ------------------------------------------------------------------------------- */

struct shape {
    bool paired;     /* writes and reads on one line */
    int label;       /* columns before the bars */
    int column;      /* of one bar with its numbers */
    int bar;         /* of the bar alone, 0 when there is no room */
    int number;      /* columns of the rate, 0 when there is no room */
    int rows, lines; /* shards shown, lines a shard */
    uint32_t first;
    uint64_t scale;
};

static int number_columns(const struct scene *s)
{
    size_t widest = 3;
    for (int reads = 0; reads < 2; reads++) {
        size_t length = strlen(num_grouped((int64_t)cluster_load(s, reads == 1).asked).text);
        widest = length > widest ? length : widest;
    }
    return (int)widest;
}

static struct shape shape_of(const struct view_state *v, const struct scene *s, int w, int h)
{
    uint32_t shards = shard_count(s);
    struct shape out = {.scale = scale_of(s)};
    char name[16];
    int longest = snprintf(name, sizeof name, "S%u", (unsigned)(shards > 0 ? shards - 1 : 0));
    longest = longest < 3 ? 3 : longest; /* "all" */
    w = w > WIDTH_MAX ? WIDTH_MAX : w;
    out.paired = (int64_t)h < 2 * (int64_t)shards + 4;
    out.lines = out.paired ? 1 : 2;
    /* "c S2 writes " or "c S2 ", then each bar with " 2,550  255%". */
    out.label = 2 + longest + (out.paired ? 1 : 8);
    out.column = out.paired ? (w - out.label) / 2 : w - out.label;
    out.number = number_columns(s);
    out.bar = out.column - (1 + out.number + 6) - (out.paired ? 1 : 0);
    if (out.bar < 3) { /* a short bar says nothing; then the rate gives way to it, or it to the % */
        out.bar = 0;
    }
    if (out.column < out.number + 7) {
        out.number = 0;
    }
    int around = (h >= 3) + (h >= 2) + out.lines * (h >= 4); /* heading, facts, cluster */
    out.rows = (h - around) / out.lines;
    out.rows = out.rows < 1 ? 1 : out.rows;
    out.first = (uint32_t)view_list_first(v->scroll, selected_shard(v, s), shards, out.rows);
    return out;
}

static enum style load_style(struct load load)
{
    uint64_t t = tenths(load);
    return t > FULL_TENTHS ? STYLE_BAD : t >= BUSY_TENTHS ? STYLE_WARN : STYLE_TEXT;
}

static void draw_marks(struct canvas *c, int x, int y, const struct shape *shape, uint64_t average)
{
    const struct {
        uint64_t at;
        enum style style;
        uint32_t utf8, ascii;
    } marks[3] = {{average, STYLE_DIM, 0x254E, ':'},
                  {BUSY_TENTHS, STYLE_DIM, 0x00B7, '.'},
                  {FULL_TENTHS, STYLE_LIMIT, 0x2506, '|'}};
    for (size_t i = average > 0 ? 0 : 1; i < 3; i++) {
        int column = (int)(marks[i].at * (uint64_t)shape->bar / shape->scale);
        if (column < shape->bar) {
            canvas_put(c, x + column, y, marks[i].style,
                       view_sign(c, marks[i].utf8, marks[i].ascii));
        }
    }
}

static void draw_load(struct canvas *c, int x, int y, const struct shape *shape, struct load load,
                      bool reads, enum style style, uint64_t average)
{
    int end = x + shape->column - (shape->paired ? 1 : 0);
    if (shape->bar > 0) {
        if (load.ceiling > 0) {
            draw_marks(c, x, y, shape, average);
        }
        uint64_t eighths = tenths(load) * (uint64_t)shape->bar * 8 / shape->scale;
        if (eighths == 0 && load.asked > 0 && load.ceiling > 0) {
            eighths = 1;
        }
        if (reads) {
            for (int i = 0; i < (int)((eighths + 7) / 8); i++) {
                canvas_put(c, x + i, y, style, view_sign(c, 0x2592, '='));
            }
        } else {
            canvas_bar(c, x, y, (int)eighths, style);
        }
    }
    struct num_text percent = num_ratio((int64_t)load.asked, (int64_t)load.ceiling, 0);
    struct str text = STR_EMPTY;
    str_addf(&text, "%s%s", percent.text, load.ceiling > 0 ? "%" : "");
    canvas_text_right(c, end, y, load_style(load), str_text(&text));
    if (shape->number > 0) {
        canvas_text_right(c, end - 6, y, STYLE_TEXT, num_grouped((int64_t)load.asked).text);
    }
    str_free(&text);
}

/* One shard, or the cluster when `shard` is SHARD_NONE. */
static void draw_row(struct canvas *c, int y, const struct scene *s, const struct shape *shape,
                     uint32_t shard)
{
    bool all = shard == SHARD_NONE;
    enum style style = all ? STYLE_DIM : style_owner(shard);
    if (all) {
        canvas_text(c, 2, y, STYLE_STRONG, "all");
    } else {
        canvas_textf(c, 0, y, style, "%c S%u", style_owner_letter(shard), (unsigned)shard);
    }
    for (int reads = 0; reads < 2; reads++) {
        struct load whole = cluster_load(s, reads == 1);
        struct load load = all ? whole : load_of(s, shard, reads == 1);
        int x = shape->label + (shape->paired ? reads * shape->column : 0);
        int line = y + (shape->paired ? 0 : reads);
        if (!shape->paired) {
            canvas_text(c, shape->label - 7, line, STYLE_DIM, reads == 1 ? "reads" : "writes");
        }
        draw_load(c, x, line, shape, load, reads == 1, style, tenths(whole));
    }
}

static void draw_heading(struct canvas *c, const struct scene *s, const struct shape *shape)
{
    uint32_t shards = shard_count(s);
    int width = canvas_width(c);
    if ((uint32_t)shape->rows < shards) {
        uint32_t last = shape->first + (uint32_t)shape->rows - 1;
        canvas_textf(c, 0, 0, STYLE_STRONG, "S%u-S%u of %u: writes/s, reads/s",
                     (unsigned)shape->first, (unsigned)last, (unsigned)shards);
        return;
    }
    if (shape->paired) {
        canvas_text(c, shape->label, 0, STYLE_DIM, "writes/s");
        canvas_text_fit(c, shape->label + shape->column, 0, width - shape->label - shape->column,
                        STYLE_DIM, "reads/s");
        return;
    }
    int full = shape->label + (int)(FULL_TENTHS * (uint64_t)shape->bar / shape->scale);
    int busy = shape->label + (int)(BUSY_TENTHS * (uint64_t)shape->bar / shape->scale);
    if (shape->bar > 0) {
        canvas_text_right(c, full + 1, 0, STYLE_LIMIT, "100%");
        if (full - busy >= 5) {
            canvas_text_right(c, busy + 1, 0, STYLE_DIM, "80%");
        }
    }
    canvas_text_right(c, width < WIDTH_MAX ? width : WIDTH_MAX, 0, STYLE_DIM, "a second");
}

static void add_facts(struct str *out, const struct scene *s, uint32_t shard)
{
    struct load writes = load_of(s, shard, false), reads = load_of(s, shard, true);
    str_addf(out, "S%u is asked for %s writes and %s reads a second", (unsigned)shard,
             num_grouped((int64_t)writes.asked).text, num_grouped((int64_t)reads.asked).text);
    if (writes.refused + reads.refused > 0) {
        str_addf(out, ", refuses %s and %s", num_grouped((int64_t)writes.refused).text,
                 num_grouped((int64_t)reads.refused).text);
    }
}

/* The selected shard in words, in the lines from y on; with room, what the marks mean. */
static void draw_foot(struct canvas *c, int y, const struct scene *s, uint32_t shard)
{
    int rows = canvas_height(c) - y;
    struct str facts = STR_EMPTY;
    add_facts(&facts, s, shard);
    if (rows >= 5) {
        const char *marks = canvas_glyphs(c) == GLYPHS_UTF8 ? "┆ ceiling  ╎ average  · 80%"
                                                            : "| ceiling  : average  . 80%";
        view_draw_line(c, y + 1, STYLE_DIM, marks);
    }
    int from = y + (rows >= 5 ? 3 : rows >= 4 ? 1 : 0);
    if (rows < 1) { /* the last line is theirs in any case */
        from = canvas_height(c) - 1;
    }
    view_draw_wrapped(c, from, canvas_height(c) - from, STYLE_TEXT, str_text(&facts));
    str_free(&facts);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    int w = canvas_width(c), h = canvas_height(c);
    uint32_t shards = shard_count(s);
    if (shards == 0) {
        view_draw_note(c, "no rates are measured here");
        return;
    }
    if (w < 1 || h < 1) {
        return;
    }
    struct shape shape = shape_of(v, s, w, h);
    uint32_t at = selected_shard(v, s);
    int y = h >= 3 ? 1 : 0;
    for (int i = 0; i < shape.rows && shape.first + (uint32_t)i < shards; i++) {
        uint32_t shard = shape.first + (uint32_t)i;
        draw_row(c, y, s, &shape, shard);
        if (shard == at && (focused || v->has_selection)) {
            canvas_restyle(c,
                           (struct rect){0, y, shape.paired ? shape.label - 1 : shape.label - 8, 1},
                           STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, 0, y);
            }
        }
        y += shape.lines;
    }
    if (h >= 4) {
        draw_row(c, y, s, &shape, SHARD_NONE);
        y += shape.lines;
    }
    if (h >= 3) {
        draw_heading(c, s, &shape);
    }
    if (h >= 2) {
        draw_foot(c, y, s, at);
    }
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    uint32_t shards = shard_count(s);
    if (shards == 0 || w < 1 || h < 1) {
        return false;
    }
    struct shape shape = shape_of(v, s, w, h);
    int64_t at = selected_shard(v, s);
    if (!view_list_move(&at, shards, verb, shape.rows)) {
        return false;
    }
    v->has_selection = true;
    v->selected = at;
    v->scroll = view_list_first(shape.first, at, shards, shape.rows);
    return true;
}

/* --- words --------------------------------------------------------------------------------- */

static void tell_line(struct str *out, const char *name, struct load writes, struct load reads)
{
    str_addf(out, "%-6s %9s", name, num_grouped((int64_t)writes.asked).text);
    const struct load both[2] = {writes, reads};
    for (size_t i = 0; i < 2; i++) {
        struct num_text percent = num_ratio((int64_t)both[i].asked, (int64_t)both[i].ceiling, 0);
        if (i == 1) {
            str_addf(out, " %9s", num_grouped((int64_t)reads.asked).text);
        }
        if (both[i].ceiling > 0) {
            str_addf(out, " %8s %5s%%", num_grouped((int64_t)both[i].ceiling).text, percent.text);
        } else {
            str_addf(out, " %8s %6s", "none", "-");
        }
    }
    str_addc(out, '\n');
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    (void)v;
    uint32_t shards = shard_count(s);
    if (shards == 0) {
        str_add(out, "No rates are measured here.\n");
        return;
    }
    str_add(out, "What each shard is asked for, a second, and the most it serves.\n");
    str_addf(out, "%-6s %9s %8s %6s %9s %8s\n", "shard", "writes/s", "ceiling", "", "reads/s",
             "ceiling");
    for (uint32_t i = 0; i < shards; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "S%u", (unsigned)i);
        tell_line(out, name, load_of(s, i, false), load_of(s, i, true));
    }
    tell_line(out, "all", cluster_load(s, false), cluster_load(s, true));
    for (uint32_t i = 0; i < shards; i++) {
        struct load writes = load_of(s, i, false), reads = load_of(s, i, true);
        if (writes.refused + reads.refused > 0) {
            str_addf(out, "S%u refuses %s writes and %s reads a second.\n", (unsigned)i,
                     num_grouped((int64_t)writes.refused).text,
                     num_grouped((int64_t)reads.refused).text);
        }
    }
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    if (shard_count(s) == 0) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    return (struct subject){.kind = SUBJECT_SHARD, .id = selected_shard(v, s)};
}

const struct view view_bars = {
    .name = "bars",
    .title = "Shards against their ceilings",
    .min_rows = 8,
    .want_rows = 12,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
