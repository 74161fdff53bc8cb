/*
 * rendezvous: what each shard drew for one key; the highest number owns it.
 *
 * The key is the one looked up, else the first of the keys on trial. The runner-up is marked, for
 * it takes over when the owner leaves. After a change both layouts' shards are listed: one that
 * joined wins only the keys for which it drew the highest number. Argument: which placing.
 * Selection: a shard.
 */
#include "place/rendezvous.h"
#include "base/alloc.h"
#include "base/utf8.h"
#include "view/placing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAR_MIN 6
#define BAR_MAX 70
#define NAME_COLUMNS 7
#define SCORE_COLUMNS 7 /* "100.00%" */

struct picture {
    struct placing p;
    struct bytes key;
    double *score; /* a row of the placing */
    double most;
    size_t first, second; /* rows of the two highest that own now; rows when there is none */
    size_t was;           /* row of the owner before */
};

static bool is_rendezvous(const struct placing *p)
{
    return layout_scheme(p->shown) == &scheme_rendezvous && keyset_count(p->trial->keys) > 0;
}

static double score_in(const struct layout *layout, uint64_t hash, uint32_t id)
{
    for (uint32_t i = 0; i < layout_shards(layout); i++) {
        if (layout_shard_id(layout, i) == id) {
            return layout_rendezvous_score(layout, hash, i);
        }
    }
    return 0;
}

static bool open_rendezvous(struct picture *out, const struct scene *s, const char *argument)
{
    *out = (struct picture){0};
    if (!placing_open(&out->p, s, argument)) {
        return false;
    }
    if (!is_rendezvous(&out->p)) {
        placing_close(&out->p);
        return false;
    }
    const struct placing *p = &out->p;
    const char *lookup = placing_lookup(p);
    out->key = lookup[0] != '\0' ? bytes_of(lookup) : keyset_key(p->trial->keys, 0);
    uint64_t hash = layout_hash(p->shown, out->key);
    out->score = xcalloc(p->rows, sizeof *out->score);
    out->first = placing_row_of(p, layout_owner(p->shown, out->key));
    out->was = placing_row_of(p, layout_owner(p->trial->before, out->key));
    out->second = p->rows;
    for (size_t i = 0; i < p->rows; i++) {
        const struct placing_row *row = &p->row[i];
        out->score[i] = score_in(row->after ? p->shown : p->trial->before, hash, row->id);
        out->most = out->score[i] > out->most ? out->score[i] : out->most;
        bool better = out->second == p->rows || out->score[i] > out->score[out->second];
        if (row->after && i != out->first && better) {
            out->second = i;
        }
    }
    return true;
}

static void close_rendezvous(struct picture *z)
{
    free(z->score);
    placing_close(&z->p);
}

/* Whether the layout shown has unequal weights, which then count in what is drawn. */
static bool weighted(const struct picture *z)
{
    const struct layout *layout = z->p.shown;
    for (uint32_t i = 1; i < layout_shards(layout); i++) {
        if (layout_weight(layout, i) != layout_weight(layout, 0)) {
            return true;
        }
    }
    return false;
}

/* The part of 1 that is shown, in ten-thousandths. */
static int64_t parts(double score)
{
    return (int64_t)(score * 10000 + 0.5);
}

static int64_t selected_row(const struct view_state *v, const struct picture *z)
{
    return v->has_selection ? view_clamp(v->selected, 0, (int64_t)z->p.rows - 1)
                            : (int64_t)z->first;
}

/* --- drawing ------------------------------------------------------------------------------- */

/* What is to be said beside a bar. */
static void add_place(struct str *out, const struct picture *z, size_t row, bool words)
{
    const struct placing_row *one = &z->p.row[row];
    if (row == z->first) {
        str_add(out, words ? "highest: owns it" : "owns");
    } else if (row == z->second && one->after) {
        str_add(out, words ? "next: takes over" : "next");
        if (words) {
            str_addf(out, " if S%u leaves", (unsigned)z->p.row[z->first].id);
        }
    }
    if (!z->p.page->hidden) {
        const char *word = !one->after                        ? "left"
                           : !one->before                     ? "new"
                           : row == z->was && row != z->first ? "owned it before"
                                                              : "";
        if (*word != '\0') {
            str_addf(out, "%s%s", out->length > 0 ? "; " : "", word);
        }
    }
}

static int words_columns(const struct picture *z, bool words)
{
    int most = 0;
    struct str text = STR_EMPTY;
    for (size_t i = 0; i < z->p.rows; i++) {
        str_clear(&text);
        add_place(&text, z, i, words);
        most = (int)text.length > most ? (int)text.length : most;
    }
    str_free(&text);
    return most;
}

static void draw_row(struct canvas *c, int y, const struct picture *z, size_t row, int bar,
                     bool words)
{
    const struct placing_row *one = &z->p.row[row];
    enum style style = one->after ? style_owner(one->id) : STYLE_DIM;
    struct str text = STR_EMPTY;
    int x = NAME_COLUMNS;
    canvas_textf(c, 0, y, style, "%c S%u", style_owner_letter(one->id), (unsigned)one->id);
    if (bar > 0) {
        int eighths = (int)(z->score[row] / (z->most > 0 ? z->most : 1) * bar * 8);
        canvas_bar(c, x, y, eighths, style);
        x += bar + 1;
    }
    str_addf(&text, "%s%%", num_ratio(parts(z->score[row]), 10000, 2).text);
    x += SCORE_COLUMNS;
    canvas_text_right(c, x, y, row == z->first ? STYLE_STRONG : STYLE_TEXT, str_text(&text));
    x += 2;
    str_clear(&text);
    add_place(&text, z, row, words);
    canvas_text_fit(c, x, y, canvas_width(c) - x,
                    row == z->first    ? STYLE_STRONG
                    : row == z->second ? STYLE_TEXT
                                       : STYLE_DIM,
                    str_text(&text));
    str_free(&text);
}

static void add_verdict(struct str *out, const struct picture *z)
{
    view_add_key(out, z->key);
    str_addf(out, ": S%u drew the highest", (unsigned)z->p.row[z->first].id);
    if (z->second < z->p.rows) {
        str_addf(out, ", S%u is next", (unsigned)z->p.row[z->second].id);
    }
    if (!z->p.page->hidden && z->was != z->first) {
        str_addf(out, "; S%u had it before", (unsigned)z->p.row[z->was].id);
    }
}

static void add_note(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct placing p;
    if (placing_open(&p, s, v->argument)) {
        placing_add_elsewhere(out, &p, "numbers drawn by its shards");
        placing_close(&p);
    } else {
        str_add(out, placing_none());
    }
}

static int rows_for(int h)
{
    int around = (h >= 4) + (h >= 3) + (h >= 8); /* heading, verdict, what moved */
    return h - around < 1 ? 1 : h - around;
}

static void draw_all(struct canvas *c, const struct picture *z, const struct view_state *v,
                     bool focused)
{
    int w = canvas_width(c), h = canvas_height(c), rows = rows_for(h), y = 0;
    int64_t at = selected_row(v, z);
    int longest = words_columns(z, true);
    int around = NAME_COLUMNS + 1 + SCORE_COLUMNS + 2;
    bool words = w >= around + BAR_MIN + longest;
    int bar = w - around - (words ? longest : words_columns(z, false));
    bar = bar < BAR_MIN ? 0 : bar > BAR_MAX ? BAR_MAX : bar;
    struct str text = STR_EMPTY;
    if (h >= 4) {
        str_add(&text, "what each shard drew for ");
        view_add_key(&text, z->key);
        str_add(&text, weighted(z) ? ", by weight" : "");
        view_draw_line(c, y++, STYLE_DIM, str_text(&text));
    }
    int64_t first = view_list_first(v->scroll, at, (int64_t)z->p.rows, rows);
    for (int i = 0; i < rows && first + i < (int64_t)z->p.rows; i++, y++) {
        draw_row(c, y, z, (size_t)(first + i), bar, words);
        if (first + i == at && (focused || v->has_selection)) {
            canvas_restyle(c, (struct rect){0, y, 4, 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, 0, y);
            }
        }
    }
    y += h - y >= 4; /* a line of air */
    str_clear(&text);
    add_verdict(&text, z);
    if (h >= 8 && z->p.changed) {
        view_draw_wrapped(c, y, 1, STYLE_STRONG, str_text(&text));
        int moves = h - y - 1 > 3 ? 3 : h - y - 1, list = placing_list_rows(&z->p, w);
        placing_draw_moves(c, y + 1, moves, &z->p);
        y += 1 + moves + 1;
        if (h - y >= list) { /* what the other keys did */
            placing_draw_list(c, (struct rect){0, y, w, list}, &z->p, -1, false);
        }
    } else if (h >= 3) {
        view_draw_wrapped(c, y, h - y, STYLE_STRONG, str_text(&text));
    }
    str_free(&text);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct picture z;
    if (open_rendezvous(&z, s, v->argument)) {
        draw_all(c, &z, v, focused);
        close_rendezvous(&z);
        return;
    }
    struct str text = STR_EMPTY;
    add_note(&text, s, v);
    view_draw_note(c, str_text(&text));
    str_free(&text);
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct picture z;
    if (w < 1 || h < 1 || !open_rendezvous(&z, s, v->argument)) {
        return false;
    }
    int64_t at = selected_row(v, &z);
    verb = verb == VERB_LEFT ? VERB_UP : verb == VERB_RIGHT ? VERB_DOWN : verb;
    bool changed = view_list_move(&at, (int64_t)z.p.rows, verb, rows_for(h));
    if (changed) {
        v->has_selection = true;
        v->selected = at;
        v->scroll = view_list_first(v->scroll, at, (int64_t)z.p.rows, rows_for(h));
    }
    close_rendezvous(&z);
    return changed;
}

/* --- words --------------------------------------------------------------------------------- */

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct picture z;
    struct str text = STR_EMPTY;
    if (!open_rendezvous(&z, s, v->argument)) {
        add_note(&text, s, v);
        str_addc(&text, '.');
        view_add_wrapped(out, str_text(&text), TELL_COLUMNS, 0);
        str_free(&text);
        return;
    }
    placing_add_title(&text, &z.p);
    str_addc(&text, '.');
    view_add_wrapped(out, str_text(&text), TELL_COLUMNS, 2);
    str_clear(&text);
    str_add(&text, "What each shard drew for ");
    view_add_key(&text, z.key);
    str_addf(&text, "%s, in percent of the most there is:", weighted(&z) ? ", by weight" : "");
    view_add_wrapped(out, str_text(&text), TELL_COLUMNS, 2);
    for (size_t i = 0; i < z.p.rows && i < 64; i++) {
        str_clear(&text);
        add_place(&text, &z, i, true);
        str_addf(out, "S%-5u %6s%%  %s\n", (unsigned)z.p.row[i].id,
                 num_ratio(parts(z.score[i]), 10000, 2).text, str_text(&text));
    }
    placing_tell_shards(out, &z.p);
    str_free(&text);
    close_rendezvous(&z);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    (void)v;
    (void)s;
    return (struct subject){.kind = SUBJECT_NONE}; /* a trial's shards are in no world */
}

const struct view view_rendezvous = {
    .name = "rendezvous",
    .title = "Numbers drawn for a key",
    .min_rows = 8,
    .want_rows = 16,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
