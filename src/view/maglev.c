/*
 * maglev: the table of Maglev hashing, a letter an entry.
 *
 * Entries that changed owner are lit capitals and the rest is dim, as in the slot map; without a
 * change every letter has its owner's colour. A table larger than the pane is sampled: a letter is
 * then every so-manieth entry, which the caption says, and zooming in shows each entry around the
 * selection. The entry of the key that is looked up is marked. Argument: which placing. Selection:
 * an entry.
 */
#include "place/maglev.h"
#include "base/alloc.h"
#include "base/utf8.h"
#include "view/placing.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS_A_ROW_MAX 160

struct picture {
    struct placing p;
    const uint32_t *table, *was; /* `was` NULL when nothing is compared */
    size_t entries;
    size_t changed;
    size_t *owned; /* entries, a row of the placing */
    size_t lookup; /* entry; `entries` when no key is looked up */
    const char *key;
};

static uint32_t owner_now(const struct picture *m, size_t entry)
{
    return layout_shard_id(m->p.shown, m->table[entry]);
}

static uint32_t owner_before(const struct picture *m, size_t entry)
{
    return m->was != NULL ? layout_shard_id(m->p.trial->before, m->was[entry])
                          : owner_now(m, entry);
}

static bool is_changed(const struct picture *m, size_t entry)
{
    return owner_now(m, entry) != owner_before(m, entry);
}

static bool open_maglev(struct picture *out, const struct scene *s, const char *argument)
{
    *out = (struct picture){.key = ""};
    if (!placing_open(&out->p, s, argument)) {
        return false;
    }
    out->table = layout_maglev(out->p.shown, &out->entries);
    if (out->table == NULL || out->entries == 0) {
        placing_close(&out->p);
        return false;
    }
    size_t olds = 0;
    if (!out->p.page->hidden) {
        out->was = layout_maglev(out->p.trial->before, &olds);
        out->was = olds == out->entries ? out->was : NULL;
    }
    out->owned = xcalloc(out->p.rows, sizeof *out->owned);
    for (size_t i = 0; i < out->entries; i++) {
        out->owned[placing_row_of(&out->p, owner_now(out, i))]++;
        out->changed += is_changed(out, i);
    }
    out->key = placing_lookup(&out->p);
    out->lookup = out->entries;
    if (out->key[0] != '\0') {
        uint64_t hash = layout_hash(out->p.shown, bytes_of(out->key));
        out->lookup = layout_maglev_entry(out->p.shown, hash);
    }
    return true;
}

static void close_maglev(struct picture *m)
{
    free(m->owned);
    placing_close(&m->p);
}

static size_t selected_entry(const struct view_state *v, const struct picture *m)
{
    if (v->has_selection) {
        return (size_t)view_clamp(v->selected, 0, (int64_t)m->entries - 1);
    }
    return m->lookup < m->entries ? m->lookup : 0;
}

/* --- room ---------------------------------------------------------------------------------- */

struct shape {
    int caption, list, foot; /* lines of each */
    int label;               /* columns of the entries' numbers */
    int rows, per_row;       /* of letters */
    size_t run;              /* entries a letter */
    size_t first;            /* entry of the first letter */
};

static struct shape shape_of(const struct view_state *v, const struct picture *m, int w, int h)
{
    struct shape out = {.caption = h >= 4, .foot = h >= 12 ? 2 : h >= 3};
    out.list = h >= 12 ? placing_list_rows(&m->p, w) : 0;
    out.list = out.list > h / 3 ? h / 3 : out.list;
    out.rows = h - out.caption - out.list - out.foot;
    out.rows = out.rows < 1 ? 1 : out.rows;
    out.label = w >= 24 ? (int)strlen(num_grouped((int64_t)m->entries).text) + 1 : 0;
    int room = (int)view_clamp(w - out.label, 1, LETTERS_A_ROW_MAX);
    out.per_row = room >= 20 ? room - room % 10 : room;
    size_t letters = (size_t)out.rows * (size_t)out.per_row;
    out.run = (m->entries + letters - 1) / letters;
    if (v->zoom > 0 && out.run > 1) { /* single entries around the selected one */
        int64_t line = (int64_t)selected_entry(v, m) / out.per_row;
        int64_t lines = ((int64_t)m->entries + out.per_row - 1) / out.per_row;
        out.run = 1;
        out.first = (size_t)out.per_row *
                    (size_t)view_list_first(line - out.rows / 2, line, lines, out.rows);
    }
    return out;
}

/* --- drawing ------------------------------------------------------------------------------- */

static void draw_letters(struct canvas *c, const struct picture *m, const struct view_state *v,
                         const struct shape *shape, bool focused)
{
    size_t at = selected_entry(v, m), letters = (size_t)shape->rows * (size_t)shape->per_row;
    for (size_t i = 0; i < letters; i++) {
        size_t entry = shape->first + i * shape->run;
        int column = (int)(i % (size_t)shape->per_row), x = shape->label + column;
        int y = shape->caption + (int)(i / (size_t)shape->per_row);
        if (entry >= m->entries) {
            break;
        }
        if (column == 0 && shape->label > 0) {
            canvas_text_right(c, shape->label - 1, y, STYLE_DIM, num_grouped((int64_t)entry).text);
        }
        uint32_t owner = owner_now(m, entry);
        uint32_t letter = (uint32_t)style_owner_letter(owner);
        bool changed = is_changed(m, entry);
        enum style style = changed ? STYLE_MOVED : m->changed > 0 ? STYLE_DIM : style_owner(owner);
        canvas_put(c, x, y, style, changed ? (uint32_t)toupper((int)letter) : letter);
        if (m->lookup >= entry && m->lookup - entry < shape->run && m->lookup < m->entries) {
            canvas_put(c, x, y, STYLE_STRONG, view_sign(c, 0x25C6, '@'));
        }
        if ((focused || v->has_selection) && at >= entry && at - entry < shape->run) {
            canvas_restyle(c, (struct rect){x, y, 1, 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, x, y);
            }
        }
    }
}

static void draw_caption(struct canvas *c, const struct picture *m, const struct shape *shape)
{
    struct str text = STR_EMPTY;
    if (m->changed > 0) {
        str_addf(&text, "%s of ", num_grouped((int64_t)m->changed).text);
        str_addf(&text, "%s entries changed", num_grouped((int64_t)m->entries).text);
    } else {
        str_addf(&text, "%s entries", num_grouped((int64_t)m->entries).text);
    }
    if (shape->run > 1) {
        str_addf(&text, "; shown: 1 in %zu", shape->run);
    }
    view_draw_line(c, 0, m->changed > 0 ? STYLE_MOVED : STYLE_DIM, str_text(&text));
    str_free(&text);
}

static void add_entry(struct str *out, const struct picture *m, size_t entry)
{
    str_addf(out, "entry %s: S%u", num_grouped((int64_t)entry).text, (unsigned)owner_now(m, entry));
    if (is_changed(m, entry)) {
        str_addf(out, " (was S%u)", (unsigned)owner_before(m, entry));
    }
    if (entry == m->lookup) {
        str_add(out, ", here ");
        view_add_key(out, bytes_of(m->key));
        str_add(out, " is looked up");
    }
}

static void draw_foot(struct canvas *c, int y, int rows, const struct picture *m,
                      const struct view_state *v)
{
    struct str text = STR_EMPTY;
    if (m->p.changed && rows > 1) {
        placing_draw_moves(c, y++, 1, &m->p);
        rows--;
    }
    add_entry(&text, m, selected_entry(v, m));
    view_draw_wrapped(c, y, rows, STYLE_TEXT, str_text(&text));
    str_free(&text);
}

static void add_note(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct placing p;
    if (placing_open(&p, s, v->argument)) {
        placing_add_elsewhere(out, &p, "table of Maglev");
        placing_close(&p);
    } else {
        str_add(out, placing_none());
    }
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    int w = canvas_width(c), h = canvas_height(c);
    struct picture m;
    if (!open_maglev(&m, s, v->argument)) {
        struct str text = STR_EMPTY;
        add_note(&text, s, v);
        view_draw_note(c, str_text(&text));
        str_free(&text);
        return;
    }
    struct shape shape = shape_of(v, &m, w, h);
    draw_letters(c, &m, v, &shape, focused);
    if (shape.caption > 0) {
        draw_caption(c, &m, &shape);
    }
    size_t letters = (m.entries - shape.first + shape.run - 1) / shape.run;
    size_t used = (letters + (size_t)shape.per_row - 1) / (size_t)shape.per_row;
    int y = h - shape.foot - shape.list;
    if (used + 1 < (size_t)shape.rows) { /* a small table: the rest follows it */
        y = shape.caption + (int)used + 1;
    }
    placing_draw_list(c, (struct rect){0, y, w, shape.list}, &m.p, -1, false);
    if (shape.foot > 0) {
        draw_foot(c, y + shape.list, shape.foot, &m, v);
    }
    close_maglev(&m);
}

/* --- verbs --------------------------------------------------------------------------------- */

static bool move_zoom(struct view_state *v, const struct picture *m, enum verb verb, int w, int h)
{
    struct view_state whole = *v;
    whole.zoom = 0;
    int zoom = verb == VERB_ZOOM_IN && shape_of(&whole, m, w, h).run > 1;
    bool changed = zoom != (v->zoom > 0);
    v->zoom = zoom;
    return changed;
}

static bool move_entry(struct view_state *v, const struct picture *m, enum verb verb,
                       const struct shape *shape)
{
    int64_t was = (int64_t)selected_entry(v, m), run = (int64_t)shape->run, at = was / run;
    int64_t last = ((int64_t)m->entries - 1) / run;
    switch (verb) {
    case VERB_LEFT:
        at -= 1;
        break;
    case VERB_RIGHT:
        at += 1;
        break;
    case VERB_UP:
        at -= shape->per_row;
        break;
    case VERB_DOWN:
        at += shape->per_row;
        break;
    case VERB_PAGE_UP:
        at -= (int64_t)shape->per_row * shape->rows;
        break;
    case VERB_PAGE_DOWN:
        at += (int64_t)shape->per_row * shape->rows;
        break;
    case VERB_FIRST:
        at = 0;
        break;
    case VERB_LAST:
        at = last;
        break;
    case VERB_NONE:
    case VERB_ZOOM_IN:
    case VERB_ZOOM_OUT:
        return false;
    }
    at = view_clamp(at, 0, last);
    v->has_selection = true;
    v->selected = at != was / run ? at * run : was;
    return v->selected != was;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct picture m;
    if (w < 1 || h < 1 || !open_maglev(&m, s, v->argument)) {
        return false;
    }
    bool changed;
    if (verb == VERB_ZOOM_IN || verb == VERB_ZOOM_OUT) {
        changed = move_zoom(v, &m, verb, w, h);
    } else {
        struct shape shape = shape_of(v, &m, w, h);
        changed = move_entry(v, &m, verb, &shape);
    }
    close_maglev(&m);
    return changed;
}

/* --- words --------------------------------------------------------------------------------- */

/* Entries that changed although neither the old nor the new owner joined or left. */
static size_t count_shuffled(const struct picture *m)
{
    size_t count = 0;
    for (size_t i = 0; i < m->entries; i++) {
        const struct placing_row *now = &m->p.row[placing_row_of(&m->p, owner_now(m, i))];
        const struct placing_row *was = &m->p.row[placing_row_of(&m->p, owner_before(m, i))];
        count += is_changed(m, i) && now->before && was->after;
    }
    return count;
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct picture m;
    struct str text = STR_EMPTY;
    if (!open_maglev(&m, s, v->argument)) {
        add_note(&text, s, v);
        str_addc(&text, '.');
        view_add_wrapped(out, str_text(&text), TELL_COLUMNS, 0);
        str_free(&text);
        return;
    }
    placing_add_title(&text, &m.p);
    str_addf(&text, "; a table of %s entries.", num_grouped((int64_t)m.entries).text);
    view_add_wrapped(out, str_text(&text), TELL_COLUMNS, 2);
    placing_tell_shards(out, &m.p);
    str_add(out, "shard   entries\n");
    for (size_t i = 0; i < m.p.rows && i < 64; i++) {
        str_addf(out, "S%-5u %9s\n", (unsigned)m.p.row[i].id,
                 num_grouped((int64_t)m.owned[i]).text);
    }
    if (m.changed > 0) {
        str_clear(&text);
        str_addf(&text, "%s entries changed owner; ", num_grouped((int64_t)m.changed).text);
        str_addf(&text, "%s of them went from one shard that stays to another that was there.",
                 num_grouped((int64_t)count_shuffled(&m)).text);
        view_add_wrapped(out, str_text(&text), TELL_COLUMNS, 2);
    }
    str_clear(&text);
    add_entry(&text, &m, selected_entry(v, &m));
    str_addc(&text, '.');
    view_add_wrapped(out, str_text(&text), TELL_COLUMNS, 2);
    str_free(&text);
    close_maglev(&m);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    (void)v;
    (void)s;
    return (struct subject){.kind = SUBJECT_NONE}; /* a trial's shards are in no world */
}

const struct view view_maglev = {
    .name = "maglev",
    .title = "Maglev's table",
    .min_rows = 8,
    .want_rows = 30,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
