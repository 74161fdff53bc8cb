/*
 * catalog: rows beside the entries of their index, what the index does not have yet, and what the
 * last find has missed for that.
 *
 * A line a row: its id, its term and the shard that has it; then the term under which the index has
 * it, and that entry's shard. Both the same: a check mark. Otherwise the entry is behind, or the
 * row is in no index; a row that was never written (refused) is not there. Below: what the last
 * find of a term brought, how many shards it asked, and the rows that it missed, or brought though
 * they have another term by now. While the page's question is open nothing is compared. Where terms
 * are too long for two side by side entries stand below their rows. Argument: the catalog's name;
 * without one the last that was made. Selection: a row.
 */
#include "base/utf8.h"
#include "engine/indexes/indexes.h"
#include "view/across.h"
#include "view/moving.h"
#include <string.h>

#define MIN_ROWS 8
#define HEAD_ROWS 2 /* the headline, names of the columns */
#define FOOT_ROWS 3
#define TOLD 40
#define WIDE 70

enum row_verdict {
    ROW_ALIKE,
    ROW_OLD,    /* the index has it under another term */
    ROW_ABSENT, /* ... under none */
    ROW_TWICE,  /* ... under more than one */
    ROW_NONE    /* an entry, and no row */
};

struct listed {
    const struct world *w;
    bool known;
    bool asking;                      /* the page's question is open */
    uint32_t index, rows;             /* that are shown */
    uint32_t order[CATALOG_ROWS_MAX]; /* their numbers */
    struct catalog_info i;
    struct find_info f;
    bool finds_named; /* the rows say themselves which a find missed */
};

static enum row_verdict verdict_of(const struct catalog_row_info *row)
{
    return row->term[0] == '\0'                   ? ROW_NONE
           : row->twice                           ? ROW_TWICE
           : strcmp(row->term, row->indexed) == 0 ? ROW_ALIKE
           : row->indexed[0] == '\0'              ? ROW_ABSENT
                                                  : ROW_OLD;
}

static bool was_found(const struct listed *l, uint32_t id)
{
    for (uint32_t i = 0; i < l->f.ids && i < FIND_IDS_MAX; i++) {
        if (l->f.id[i] == id) {
            return true;
        }
    }
    return false;
}

static bool find_missed(const struct listed *l, const struct catalog_row_info *row)
{
    return l->f.number > 0 && l->f.done && strcmp(row->term, l->f.term) == 0 &&
           !was_found(l, row->id);
}

static bool find_extra(const struct listed *l, const struct catalog_row_info *row)
{
    return l->f.number > 0 && l->f.done && strcmp(row->term, l->f.term) != 0 &&
           was_found(l, row->id);
}

static bool listed_open(struct listed *out, const struct scene *s, const struct view_state *v)
{
    const char *name = across_argument(v);
    *out = (struct listed){.w = s->world, .asking = view_question_open(s)};
    if (s->world == NULL || world_catalogs(s->world) == 0) {
        return false;
    }
    out->known = true;
    out->index = world_catalogs(s->world) - 1;
    if (name[0] != '\0') {
        out->known = world_catalog_find(s->world, bytes_of(name), &out->index);
    }
    if (!out->known) {
        return false;
    }
    out->i = world_catalog(s->world, out->index);
    out->f = world_find(s->world, out->index);
    uint32_t missed = 0, extra = 0, rows = world_catalog_rows(s->world, out->index);
    for (uint32_t i = 0; i < rows && i < CATALOG_ROWS_MAX; i++) {
        struct catalog_row_info row = world_catalog_row(s->world, out->index, i);
        if (row.term[0] == '\0' && row.indexed[0] == '\0') {
            continue; /* refused, or not written yet */
        }
        out->order[out->rows++] = i;
        missed += find_missed(out, &row);
        extra += find_extra(out, &row);
    }
    /* Rows that changed since the find are not its mistakes. */
    out->finds_named = !out->asking && missed == out->f.missing && extra == out->f.extra;
    return true;
}

static struct catalog_row_info row_at(const struct listed *l, int64_t at)
{
    return world_catalog_row(l->w, l->index, l->order[at]);
}

/* --- words --------------------------------------------------------------------------------- */

static void add_none(struct str *out, const struct listed *l, const char *name)
{
    if (l->w == NULL) {
        str_add(out, "there is no cluster here");
        return;
    }
    str_add(out, "there is no catalog ");
    if (name[0] != '\0') {
        view_add_key(out, bytes_of(name));
        str_addc(out, ' ');
    }
    str_add(out, "yet");
}

static void add_mode(struct str *out, const struct listed *l, bool brief)
{
    view_add_key(out, bytes_of(l->i.name));
    switch ((enum catalog_mode)l->i.mode) {
    case CATALOG_LOCAL:
        str_add(out, brief ? ": entries beside rows" : ": each shard has the entries of its rows");
        return;
    case CATALOG_SYNC:
        str_add(out, brief ? ": global, written at once"
                           : ": a term's entries on one shard, written with the row");
        return;
    case CATALOG_ASYNC:
        str_add(out, brief ? ": global, later by " : ": a term's entries on one shard, later by ");
        moving_add_time(out, l->i.lag_us);
        return;
    case CATALOG_UNIQUE:
        str_add(out, brief ? ": one row a term" : ": one row a term, its entry claimed first");
        return;
    case CATALOG_MODES:
        return;
    }
}

static void add_verdict(struct str *out, const struct listed *l, const struct catalog_row_info *row)
{
    if (l->asking) {
        str_addf(out, "in the index: %s", row->indexed[0] != '\0' ? row->indexed : "nothing");
        return;
    }
    switch (verdict_of(row)) {
    case ROW_ALIKE:
        str_add(out, "the index has it so");
        break;
    case ROW_OLD:
        str_addf(out, "the index still says %s", row->indexed);
        break;
    case ROW_ABSENT:
        str_add(out, "no index entry");
        break;
    case ROW_NONE:
        str_addf(out, "no row, and the index says %s", row->indexed);
        break;
    case ROW_TWICE:
        str_addf(out, "the index has it twice, also under %s", row->indexed);
        break;
    }
    if (verdict_of(row) != ROW_ALIKE && row->changed_us >= 0) {
        str_add(out, ", for ");
        moving_add_time(out, world_now(l->w) - row->changed_us);
    }
    if (l->finds_named && find_missed(l, row)) {
        str_addf(out, "; the find of %s missed it", l->f.term);
    } else if (l->finds_named && find_extra(l, row)) {
        str_addf(out, "; the find of %s brought it all the same", l->f.term);
    }
}

static enum style add_behind(struct str *out, const struct listed *l)
{
    if (l->asking) {
        str_addf(out, "%u row%s", (unsigned)l->rows, view_plural(l->rows));
        return STYLE_DIM;
    }
    uint32_t orphans = 0;
    for (uint32_t i = 0; i < l->rows; i++) {
        orphans += row_at(l, i).term[0] == '\0';
    }
    if (orphans > 0) {
        str_addf(out, "%u entr%s without a row", (unsigned)orphans, orphans == 1 ? "y" : "ies");
        str_add(out, l->i.behind > 0 ? ", and " : "");
    }
    if (l->i.behind == 0 && orphans > 0) {
        return STYLE_WARN;
    }
    if (l->i.behind == 0) {
        str_add(out, l->rows == 0 ? "no rows yet" : "the index has every change");
        return l->rows == 0 ? STYLE_DIM : STYLE_GOOD;
    }
    str_addf(out, "%u change%s not in the index, for up to ", (unsigned)l->i.behind,
             view_plural(l->i.behind));
    moving_add_time(out, l->i.behind_us);
    return STYLE_WARN;
}

static enum style add_find(struct str *out, const struct listed *l)
{
    const struct find_info *f = &l->f;
    if (f->number == 0) {
        str_add(out, "nobody has looked for a term yet");
        return STYLE_DIM;
    }
    str_addf(out, "find %s: ", f->term);
    if (!f->done) {
        str_addf(out, "under way, %u shard%s asked", (unsigned)f->parts, view_plural(f->parts));
        return STYLE_TEXT;
    }
    str_addf(out, "%u row%s, %u shard%s asked", (unsigned)f->ids, view_plural(f->ids),
             (unsigned)f->parts, view_plural(f->parts));
    if (f->ended_us >= 0) {
        str_add(out, ", ");
        moving_add_time(out, f->ended_us - f->asked_us);
    }
    if (l->asking) {
        return STYLE_TEXT;
    }
    if (f->missing > 0) {
        str_addf(out, "; MISSES %u", (unsigned)f->missing);
    }
    if (f->extra > 0) {
        str_addf(out, "; %u TOO MANY", (unsigned)f->extra);
    }
    return f->missing + f->extra > 0 ? STYLE_BAD : STYLE_GOOD;
}

static void add_puts(struct str *out, const struct listed *l)
{
    const struct catalog_info *i = &l->i;
    str_addf(out, "%s put%s, ", num_grouped((int64_t)i->puts).text, view_plural(i->puts));
    str_addf(out, "%s write%s", num_grouped((int64_t)i->writes).text, view_plural(i->writes));
    if (i->refused_puts > 0) {
        str_addf(out, ", %s refused", num_grouped((int64_t)i->refused_puts).text);
    }
    if (i->failed_puts > 0) {
        str_addf(out, ", %s failed", num_grouped((int64_t)i->failed_puts).text);
    }
    if (i->last_put_us > 0) {
        str_add(out, "; the last took ");
        moving_add_time(out, (int64_t)i->last_put_us);
    }
}

/* --- drawing ------------------------------------------------------------------------------- */

struct plan {
    int row0, rows;
    int name, shard, sign, entry, index_shard; /* columns */
    int term;                                  /* columns of a term */
    int words;                                 /* column of the verdict in words; 0: none */
    int step;                                  /* lines a row: 2 with the entry below */
    int foot;
};

static int columns_of(const char *term)
{
    return utf8_columns(term, strlen(term));
}

static struct plan plan_of(const struct listed *l, int w, int h)
{
    struct plan p = {.row0 = HEAD_ROWS};
    int foot = h >= 8 ? FOOT_ROWS : h >= 6 ? 2 : h >= 4;
    int name = 3, longest = 5;
    for (uint32_t i = 0; i < l->rows; i++) {
        struct catalog_row_info row = row_at(l, i);
        int digits = (int)strlen(num_grouped(row.id).text);
        int columns = columns_of(row.term), entry = columns_of(row.indexed);
        name = digits > name ? digits : name;
        longest = columns > longest ? columns : longest;
        longest = entry > longest ? entry : longest;
    }
    int fixed = name + 1 + 4 + 2 + 1 + 4;
    p.term = (w - fixed - 1) / 2;
    p.step = w < WIDE && p.term < longest && h - HEAD_ROWS - foot >= 2 * (int)l->rows ? 2 : 1;
    p.term = p.step == 2    ? w - name - 1 - 1 - 4 - 3
             : w < WIDE     ? p.term
             : longest > 16 ? longest
                            : 16;
    p.term = p.term > TERM_BYTES_MAX ? TERM_BYTES_MAX : p.term < 4 ? 4 : p.term;
    p.rows = (h - HEAD_ROWS - foot) / p.step;
    p.rows = p.rows > (int)l->rows ? (int)l->rows : p.rows < 1 ? 1 : p.rows;
    p.shard = name + 1 + p.term + 1;
    p.sign = p.shard + 4;
    p.entry = p.step == 2 ? name + 1 : p.sign + 2;
    p.index_shard = p.entry + p.term + 1;
    p.name = name;
    p.words = w >= WIDE && w - p.index_shard - 5 >= 16 ? p.index_shard + 5 : 0;
    p.foot = HEAD_ROWS + p.step * p.rows;
    p.foot += h - p.foot > foot;
    return p;
}

static const struct mark verdict_marks[] = {
    [ROW_ALIKE] = {0x221A, 'v', STYLE_GOOD, "the same"},
    [ROW_OLD] = {0x2260, '!', STYLE_WARN, "index behind"},
    [ROW_ABSENT] = {0xD7, 'x', STYLE_BAD, "not in the index"},
    [ROW_TWICE] = {0xD7, 'x', STYLE_BAD, "in it twice"},
    [ROW_NONE] = {0x2260, '!', STYLE_WARN, "entry without a row"},
};
static const struct mark missed_mark = {0x25C0, '<', STYLE_BAD, "missed by the find"};
static const struct mark extra_mark = {0x25B6, '>', STYLE_BAD, "brought by mistake"};

static void draw_shard(struct canvas *c, int x, int y, uint16_t shard)
{
    if (shard != SHARD_NONE) {
        moving_draw_shard(c, x, y, shard);
    }
}

static void draw_row(struct canvas *c, int y, const struct plan *p, const struct listed *l,
                     const struct catalog_row_info *row)
{
    enum row_verdict verdict = verdict_of(row);
    canvas_text_right(c, p->name, y, STYLE_CODE, num_grouped(row->id).text);
    if (row->term[0] != '\0') {
        canvas_text_fit(c, p->name + 1, y, p->term, STYLE_STRONG, row->term);
        draw_shard(c, p->shard, y, row->shard);
    } else {
        canvas_text(c, p->name + 1, y, STYLE_DIM, "no row");
    }
    if (!l->asking) {
        across_put(c, p->sign, y, &verdict_marks[verdict]);
    }
    int below = y + p->step - 1;
    bool plain = verdict == ROW_ALIKE || l->asking;
    if (row->indexed[0] != '\0') {
        canvas_text_fit(c, p->entry, below, p->term,
                        plain ? STYLE_TEXT : verdict_marks[verdict].style, row->indexed);
        draw_shard(c, p->index_shard, below, row->index_shard);
    } else {
        canvas_text(c, p->entry, below, plain ? STYLE_TEXT : STYLE_BAD, "-");
    }
    if (l->finds_named && find_missed(l, row)) {
        across_put(c, p->index_shard + 3, y, &missed_mark);
    } else if (l->finds_named && find_extra(l, row)) {
        across_put(c, p->index_shard + 3, y, &extra_mark);
    }
    if (p->words > 0) {
        struct str text = STR_EMPTY;
        add_verdict(&text, l, row);
        canvas_text_fit(c, p->words, y, canvas_width(c) - p->words,
                        plain ? STYLE_DIM : verdict_marks[verdict].style, str_text(&text));
        str_free(&text);
    }
}

static void draw_foot(struct canvas *c, const struct plan *p, const struct listed *l, int64_t at,
                      bool walked)
{
    struct str text = STR_EMPTY;
    int h = canvas_height(c), y = p->foot, most = h - y >= 5 ? 2 : 1;
    struct str more = STR_EMPTY;
    if (p->rows < (int)l->rows) {
        str_addf(&more, "%u more; ", (unsigned)l->rows - (unsigned)p->rows);
    }
    str_add(&text, str_text(&more));
    enum style style = add_behind(&text, l);
    if (walked && l->rows > 0 && p->words == 0) { /* the row that is selected, in words */
        struct catalog_row_info row = row_at(l, at);
        str_clear(&text);
        str_addf(&text, "%s%u: ", str_text(&more), (unsigned)row.id);
        add_verdict(&text, l, &row);
        style = l->asking ? STYLE_TEXT : verdict_marks[verdict_of(&row)].style;
    }
    str_free(&more);
    y += across_flow(c, y, most, style, &text);
    str_clear(&text);
    style = add_find(&text, l);
    y += across_flow(c, y, most, style, &text);
    str_clear(&text);
    add_puts(&text, l);
    y += across_flow(c, y, h - y >= 4 ? 2 : 1, STYLE_DIM, &text);
    y += h - y >= 3;
    if (y < h && p->words == 0 && !l->asking) {
        struct mark marks[7];
        memcpy(marks, verdict_marks, sizeof verdict_marks);
        marks[5] = missed_mark;
        marks[6] = extra_mark;
        bool there[7] = {0};
        struct mark met[7];
        for (int64_t i = 0; i < l->rows; i++) {
            struct catalog_row_info row = row_at(l, i);
            there[verdict_of(&row)] = true;
            there[5] = there[5] || (l->finds_named && find_missed(l, &row));
            there[6] = there[6] || (l->finds_named && find_extra(l, &row));
        }
        across_draw_key(c, y, h - y, met, across_marks_of(marks, there, 7, met));
    }
    str_free(&text);
}

static void draw_listed(struct canvas *c, const struct listed *l, const struct view_state *v,
                        bool focused)
{
    int w = canvas_width(c), h = canvas_height(c);
    struct plan p = plan_of(l, w, h);
    struct str text = STR_EMPTY;
    add_mode(&text, l, w < WIDE);
    view_draw_line(c, 0, STYLE_STRONG, str_text(&text));
    str_free(&text);
    canvas_text(c, 0, 1, STYLE_DIM, "row");
    canvas_text(c, p.name + 1, 1, STYLE_DIM, "term");
    canvas_text(c, p.shard, 1, STYLE_DIM, "on");
    if (p.step == 1) {
        canvas_text(c, p.entry, 1, STYLE_DIM, "entry");
        canvas_text(c, p.index_shard, 1, STYLE_DIM, "on");
    } else {
        canvas_text(c, p.name + 6, 1, STYLE_DIM, "(below: entry)");
    }
    int64_t at = across_selected(v, l->rows);
    int64_t first = view_list_first(v->scroll, at, l->rows, p.rows);
    for (int i = 0; i < p.rows && first + i < l->rows; i++) {
        struct catalog_row_info row = row_at(l, first + i);
        draw_row(c, p.row0 + p.step * i, &p, l, &row);
        if (first + i == at && (focused || v->has_selection)) {
            across_draw_selected(c, p.row0 + p.step * i, p.name, focused);
        }
    }
    draw_foot(c, &p, l, at, v->has_selection);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct listed l;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (listed_open(&l, s, v)) {
        draw_listed(c, &l, v, focused);
    } else {
        struct str text = STR_EMPTY;
        add_none(&text, &l, across_argument(v));
        view_draw_note(c, str_text(&text));
        str_free(&text);
    }
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct listed l;
    return listed_open(&l, s, v)
               ? (int)view_clamp((int64_t)l.rows + HEAD_ROWS + FOOT_ROWS + 2, MIN_ROWS, 20)
               : 3;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct listed l;
    if (w < 1 || h < 1 || !listed_open(&l, s, v)) {
        return false;
    }
    return across_move(v, l.rows, verb, plan_of(&l, w, h).rows);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct listed l;
    if (!listed_open(&l, s, v) || l.rows == 0) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    struct catalog_row_info row = row_at(&l, across_selected(v, l.rows));
    if (row.shard >= world_shards(l.w)) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    return (struct subject){.kind = SUBJECT_SHARD, .id = row.shard};
}

/* --- told ---------------------------------------------------------------------------------- */

static void tell_row(struct str *out, const struct listed *l, uint32_t index)
{
    struct catalog_row_info row = row_at(l, index);
    struct str line = STR_EMPTY;
    str_addf(&line, "%u: ", (unsigned)row.id);
    if (row.term[0] != '\0') {
        str_addf(&line, "%s, on ", row.term);
        view_add_shard(&line, row.shard);
        str_add(&line, "; ");
    }
    add_verdict(&line, l, &row);
    if (row.indexed[0] != '\0') {
        str_add(&line, ", on ");
        view_add_shard(&line, row.index_shard);
    }
    across_tell_note(out, str_text(&line));
    str_free(&line);
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct listed l;
    struct str line = STR_EMPTY;
    if (!listed_open(&l, s, v)) {
        add_none(&line, &l, across_argument(v));
        across_tell_note(out, str_text(&line));
        str_free(&line);
        return;
    }
    add_mode(&line, &l, false);
    str_add(&line, "; ");
    (void)add_behind(&line, &l);
    str_addc(&line, '.');
    across_tell(out, str_text(&line));
    for (uint32_t i = 0; i < l.rows && i < TOLD; i++) {
        tell_row(out, &l, i);
    }
    if (l.rows > TOLD) {
        str_addf(out, "And %u more.\n", (unsigned)l.rows - TOLD);
    }
    str_clear(&line);
    (void)add_find(&line, &l);
    str_add(&line, ". ");
    add_puts(&line, &l);
    across_tell_note(out, str_text(&line));
    str_free(&line);
}

const struct view view_catalog = {
    .name = "catalog",
    .title = "Rows and their index",
    .min_rows = MIN_ROWS,
    .want_rows = 18,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
