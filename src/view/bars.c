/*
 * bars: what each shard is asked for, writes and reads, against its two ceilings.
 *
 * Rates are requests a second as scene.rates measured them. Bars share one scale, chosen so that
 * the longest fits, as long as that leaves room to see the ceiling: a longer one ends in an arrow.
 * The ceiling stands on the bars; what is beyond it has its colour. Writes are solid, reads are
 * shaded ('=' in ASCII); the number and the percentage stand beside every bar, the percentage alone
 * where the bar would be too short to read. With room, two lines a shard; without, one line with
 * both; one for the one kind there is, when nobody asks for the other. What routers turn away of it
 * is drawn light behind what reaches the shard; number and percentage are of what reaches it.
 * Selection: a shard; until there is one, the busiest.
 */
#include "view/inside.h"
#include <stdio.h>
#include <string.h>

#define WIDTH_MAX 130   /* beyond it bars grow no longer */
#define BUSY_TENTHS 800 /* 80.0%: where trouble begins */
#define FULL_TENTHS 1000
#define SCALE_MAX 3500 /* of which a ceiling is a short piece, but one to see */
#define BAR_READABLE 8

struct load {        /* of one kind at one shard, or of the cluster */
    uint64_t wanted; /* asked by clients */
    uint64_t asked;  /* of that, what was not turned away at the routers */
    uint64_t ceiling, refused;
};

static struct load load_of(const struct scene *s, uint32_t shard, bool reads)
{
    const struct shard_rates *r = &s->rates->shard[shard];
    struct shard_info info = world_shard(s->world, (uint16_t)shard);
    uint64_t wanted = reads ? r->reads : r->writes;
    uint64_t turned = reads ? r->turned_reads : r->turned_writes;
    return (struct load){.wanted = wanted,
                         .asked = wanted > turned ? wanted - turned : 0,
                         .ceiling = reads ? info.read_ceiling : info.write_ceiling,
                         .refused = reads ? r->refused_reads : r->refused_writes};
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
        sum.wanted += one.wanted;
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

static uint64_t wanted_tenths(struct load load)
{
    return load.ceiling > 0 ? load.wanted * 1000 / load.ceiling : 0;
}

/* What the bars are about: one kind alone when there is nothing of the other anywhere. */
enum kinds {
    KINDS_BOTH,
    KINDS_WRITES,
    KINDS_READS
};

static enum kinds kinds_of(const struct scene *s)
{
    struct load writes = cluster_load(s, false), reads = cluster_load(s, true);
    bool no_writes = writes.wanted + writes.refused == 0,
         no_reads = reads.wanted + reads.refused == 0;
    return no_writes == no_reads ? KINDS_BOTH : no_reads ? KINDS_WRITES : KINDS_READS;
}

/* No wider than the ceiling stays in sight. */
static uint64_t scale_of(const struct scene *s)
{
    uint64_t scale = FULL_TENTHS * 5 / 4, shards = shard_count(s);
    for (uint32_t i = 0; i < shards; i++) {
        for (int reads = 0; reads < 2; reads++) {
            uint64_t here = wanted_tenths(load_of(s, i, reads == 1));
            scale = here > scale ? here : scale;
        }
    }
    return scale > SCALE_MAX ? SCALE_MAX : scale;
}

static uint32_t busiest_shard(const struct scene *s)
{
    uint32_t shards = shard_count(s), busiest = 0;
    uint64_t most = 0;
    for (uint32_t i = 0; i < shards; i++) {
        for (int reads = 0; reads < 2; reads++) {
            uint64_t here = wanted_tenths(load_of(s, i, reads == 1));
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
    enum kinds kinds;
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
    struct shape out = {.scale = scale_of(s), .kinds = kinds_of(s)};
    char name[16];
    int longest = snprintf(name, sizeof name, "S%u", (unsigned)(shards > 0 ? shards - 1 : 0));
    longest = longest < 3 ? 3 : longest; /* "all" */
    bool both = out.kinds == KINDS_BOTH;
    w = w > WIDTH_MAX ? WIDTH_MAX : w;
    out.paired = both && (int64_t)h < 2 * (int64_t)shards + 4;
    out.lines = both && !out.paired ? 2 : 1;
    /* "S2 writes " or "S2 ", then each bar with " 2,550  255%". */
    out.label = longest + (out.lines == 1 ? 1 : 8);
    out.column = out.paired ? (w - out.label) / 2 : w - out.label;
    out.number = number_columns(s);
    out.bar = out.column - (1 + out.number + 6) - (out.paired ? 1 : 0);
    if (out.bar < BAR_READABLE && out.column - 7 >= BAR_READABLE) {
        out.bar = out.column - 7;
        out.number = 0;
    }
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

/* The marks differ in shape and in colour: they must be told apart in a legend of one line. */
struct mark {
    enum style style;
    uint32_t utf8, ascii;
    const char *name;
};
static const struct mark mark_average = {STYLE_STRONG, 0x254E, ':', "average"};
static const struct mark mark_busy = {STYLE_DIM, 0x00B7, '.', "80%"};
static const struct mark mark_full = {STYLE_LIMIT, 0x2503, '|', "ceiling"};

static void draw_mark(struct canvas *c, int x, int y, const struct mark *mark)
{
    canvas_put(c, x, y, mark->style, view_sign(c, mark->utf8, mark->ascii));
}

static int mark_column(const struct shape *shape, uint64_t at)
{
    return (int)(at * (uint64_t)shape->bar / shape->scale);
}

static void draw_bar(struct canvas *c, int x, int y, const struct shape *shape, struct load load,
                     bool reads, enum style style)
{
    uint64_t longest = (uint64_t)shape->bar * 8;
    uint64_t eighths = tenths(load) * longest / shape->scale;
    uint64_t wanted = wanted_tenths(load) * longest / shape->scale;
    bool beyond = wanted > longest;
    eighths = eighths > longest ? longest : eighths;
    if (eighths == 0 && load.asked > 0 && load.ceiling > 0) {
        eighths = 1;
    }
    int cells = (int)((eighths + 7) / 8);
    for (int i = cells; i < (int)((wanted + 7) / 8) && i < shape->bar; i++) {
        canvas_put(c, x + i, y, STYLE_DIM, view_sign(c, 0x2591, '-'));
    }
    if (reads) {
        for (int i = 0; i < cells; i++) {
            canvas_put(c, x + i, y, style, view_sign(c, 0x2592, '='));
        }
    } else {
        canvas_bar(c, x, y, (int)eighths, style);
    }
    int full = mark_column(shape, FULL_TENTHS);
    if (tenths(load) > FULL_TENTHS && cells > full) {
        canvas_restyle(c, (struct rect){x + full, y, cells - full, 1}, STYLE_LIMIT);
    }
    if (beyond) {
        enum style end = cells == shape->bar ? STYLE_LIMIT : STYLE_DIM;
        canvas_put(c, x + shape->bar - 1, y, end, view_sign(c, 0x25B6, '>'));
    }
}

static void draw_load(struct canvas *c, int x, int y, const struct shape *shape, struct load load,
                      bool reads, enum style style, uint64_t average)
{
    int end = x + shape->column - (shape->paired ? 1 : 0);
    if (shape->bar > 0) {
        int mean = mark_column(shape, average), busy = mark_column(shape, BUSY_TENTHS);
        if (load.ceiling > 0 && average > 0 && mean < shape->bar) {
            draw_mark(c, x + mean, y, &mark_average);
        }
        if (load.ceiling > 0) {
            draw_mark(c, x + busy, y, &mark_busy);
        }
        draw_bar(c, x, y, shape, load, reads, style);
        if (load.ceiling > 0) {
            draw_mark(c, x + mark_column(shape, FULL_TENTHS), y, &mark_full);
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
        canvas_text(c, 0, y, STYLE_STRONG, "all");
    } else {
        canvas_textf(c, 0, y, style, "S%u", (unsigned)shard);
    }
    for (int reads = 0; reads < 2; reads++) {
        if (shape->kinds == (reads == 1 ? KINDS_WRITES : KINDS_READS)) {
            continue;
        }
        struct load whole = cluster_load(s, reads == 1);
        struct load load = all ? whole : load_of(s, shard, reads == 1);
        int x = shape->label + (shape->paired ? reads * shape->column : 0);
        int line = y + (shape->lines == 2 ? reads : 0);
        if (shape->lines == 2) {
            canvas_text(c, shape->label - 7, line, STYLE_DIM, reads == 1 ? "reads" : "writes");
        }
        draw_load(c, x, line, shape, load, reads == 1, style, tenths(whole));
    }
}

/* "writes ┃ ceiling" over each half. */
static void draw_paired_heading(struct canvas *c, const struct shape *shape)
{
    for (int reads = 0; reads < 2; reads++) {
        int x = shape->label + reads * shape->column, end = x + shape->column - 1;
        x += canvas_textf(c, x, 0, STYLE_DIM, "%s%s", reads == 1 ? "reads" : "writes",
                          shape->number > 0 ? "/s" : "");
        int columns = 2 + (int)strlen(mark_full.name);
        if (shape->bar > 0 && x + 1 + columns <= end) {
            draw_mark(c, x + 1, 0, &mark_full);
            canvas_text(c, x + 3, 0, mark_full.style, mark_full.name);
        }
    }
}

static void draw_heading(struct canvas *c, const struct scene *s, const struct shape *shape)
{
    uint32_t shards = shard_count(s);
    int width = canvas_width(c);
    if ((uint32_t)shape->rows < shards) {
        uint32_t last = shape->first + (uint32_t)shape->rows - 1;
        const char *what = shape->kinds == KINDS_WRITES  ? "writes/s"
                           : shape->kinds == KINDS_READS ? "reads/s"
                                                         : "writes/s, reads/s";
        canvas_textf(c, 0, 0, STYLE_STRONG, "S%u-S%u of %u: %s", (unsigned)shape->first,
                     (unsigned)last, (unsigned)shards, what);
        return;
    }
    if (shape->paired) {
        draw_paired_heading(c, shape);
        return;
    }
    int full = shape->label + mark_column(shape, FULL_TENTHS);
    int busy = shape->label + mark_column(shape, BUSY_TENTHS);
    int from = 0;
    if (shape->kinds != KINDS_BOTH) {
        from = canvas_text(c, 0, 0, STYLE_DIM,
                           shape->kinds == KINDS_WRITES ? "writes, no reads" : "reads, no writes");
    }
    if (shape->bar > 0 && full - 3 > from) {
        canvas_text_right(c, full + 1, 0, STYLE_LIMIT, "100%");
        if (full - busy >= 5 && busy - 2 > from) {
            canvas_text_right(c, busy + 1, 0, STYLE_DIM, "80%");
        }
    } else if (shape->bar > 0) {
        draw_mark(c, from + 2, 0, &mark_full);
        canvas_text(c, from + 4, 0, mark_full.style, mark_full.name);
    }
    canvas_text_right(c, width < WIDTH_MAX ? width : WIDTH_MAX, 0, STYLE_DIM, "a second");
}

/* "750 writes and 2,300 reads", or the one kind there is; without names "750 and 2,300". */
static void add_pair(struct str *out, enum kinds kinds, uint64_t writes, uint64_t reads, bool named)
{
    if (kinds != KINDS_READS) {
        str_addf(out, "%s%s", num_grouped((int64_t)writes).text, named ? " writes" : "");
    }
    str_add(out, kinds == KINDS_BOTH ? " and " : "");
    if (kinds != KINDS_WRITES) {
        str_addf(out, "%s%s", num_grouped((int64_t)reads).text, named ? " reads" : "");
    }
}

static void add_facts(struct str *out, const struct scene *s, uint32_t shard)
{
    struct load writes = load_of(s, shard, false), reads = load_of(s, shard, true);
    enum kinds kinds = kinds_of(s);
    uint64_t repeats = s->rates->shard[shard].repeats;
    bool wanted = writes.wanted + reads.wanted > writes.asked + reads.asked;
    if (wanted) { /* more than reaches it */
        str_add(out, "Of ");
        add_pair(out, kinds, writes.wanted, reads.wanted, true);
        str_add(out, " a second ");
        add_pair(out, kinds, writes.asked, reads.asked, false);
        str_addf(out, " reach S%u", (unsigned)shard);
    } else {
        str_addf(out, "S%u is asked for ", (unsigned)shard);
        add_pair(out, kinds, writes.wanted, reads.wanted, true);
        str_add(out, " a second");
    }
    if (repeats > 0) {
        str_addf(out, "; clients ask %s times again", num_grouped((int64_t)repeats).text);
    }
    if (writes.refused + reads.refused > 0) {
        str_add(out, repeats > 0 || wanted ? "; it refuses " : ", refuses ");
        add_pair(out, kinds, writes.refused, reads.refused, false);
    }
}

static void draw_legend(struct canvas *c, int y)
{
    const struct mark *const marks[] = {&mark_full, &mark_average, &mark_busy};
    int x = 0;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        draw_mark(c, x, y, marks[i]);
        x += 2 + canvas_text(c, x + 2, y, marks[i]->style, marks[i]->name) + 2;
    }
}

/* The selected shard in words, in the lines from y on; with room, what the marks mean. */
static void draw_foot(struct canvas *c, int y, const struct scene *s, uint32_t shard)
{
    int rows = canvas_height(c) - y;
    struct str facts = STR_EMPTY;
    add_facts(&facts, s, shard);
    if (rows >= 5) {
        draw_legend(c, y + 1);
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
            canvas_restyle(c, (struct rect){0, y, shape.label - (shape.lines == 1 ? 1 : 8), 1},
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
    str_addf(out, "%-6s %9s", name, num_grouped((int64_t)writes.wanted).text);
    const struct load both[2] = {writes, reads};
    for (size_t i = 0; i < 2; i++) {
        struct num_text percent = num_ratio((int64_t)both[i].wanted, (int64_t)both[i].ceiling, 0);
        if (i == 1) {
            str_addf(out, " %9s", num_grouped((int64_t)reads.wanted).text);
        }
        if (both[i].ceiling > 0) {
            str_addf(out, " %8s %5s%%", num_grouped((int64_t)both[i].ceiling).text, percent.text);
        } else {
            str_addf(out, " %8s %6s", "none", "-");
        }
    }
    str_addc(out, '\n');
}

/* What routers turn away, what clients ask again, what the shard refuses: a line each. */
static void tell_outcome(struct str *out, const struct scene *s, uint32_t shard)
{
    struct load writes = load_of(s, shard, false), reads = load_of(s, shard, true);
    uint64_t repeats = s->rates->shard[shard].repeats;
    if (writes.wanted + reads.wanted > writes.asked + reads.asked) {
        str_addf(out,
                 "Routers turn the rest away: %s writes (%s%%) and %s reads (%s%%) reach S%u.\n",
                 num_grouped((int64_t)writes.asked).text,
                 num_ratio((int64_t)writes.asked, (int64_t)writes.ceiling, 0).text,
                 num_grouped((int64_t)reads.asked).text,
                 num_ratio((int64_t)reads.asked, (int64_t)reads.ceiling, 0).text, (unsigned)shard);
    }
    if (repeats > 0) {
        str_addf(out, "Clients of S%u ask %s times again, beyond these.\n", (unsigned)shard,
                 num_grouped((int64_t)repeats).text);
    }
    if (writes.refused + reads.refused > 0) {
        str_addf(out, "S%u refuses %s writes and %s reads a second.\n", (unsigned)shard,
                 num_grouped((int64_t)writes.refused).text,
                 num_grouped((int64_t)reads.refused).text);
    }
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
        tell_outcome(out, s, i);
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
