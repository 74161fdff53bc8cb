/*
 * copies: the two copies of a slot on its way, key by key: who differs, and why.
 *
 * A line a key: what the source holds of it, what the target holds, and if they differ the reason:
 * entries of it wait in the tail (their positions), it was written since the snapshot, it went
 * over, the owner wrote on after the commit; or nothing explains it, then it is missing. "43" is a
 * count of likes, "v3" a version of an edited key, "#7" the number of a router's last total, "-" no
 * such key. Argument: "copies", "copies:12067", "copies:post:{p9}"; see moving.h. Selection: a key.
 */
#include "base/utf8.h"
#include "view/moving.h"
#include <stdio.h>
#include <string.h>

#define KEYS_MAX 512
#define TAIL_MAX 512
#define MIN_ROWS 8
#define TOLD 40
#define NARROW 56 /* columns */

enum verdict {
    COPY_SAME,
    COPY_WAITS,  /* in the tail, or on its way by other means */
    COPY_LATER,  /* the owner wrote on; the other copy is out of service */
    COPY_ALONE,  /* there is no other copy */
    COPY_MISSING /* nothing explains it, or the owner lacks it */
};

struct copies {
    struct moving k;
    bool pair;      /* there is a second copy */
    uint32_t owner; /* the side that counts: 0 the source, 1 the target */
    uint32_t keys;  /* of the slot, */
    uint32_t shown; /* those here */
    uint32_t key[KEYS_MAX];
    uint32_t entries;
    struct move_entry entry[TAIL_MAX];
};

static struct held_key held_at(const struct copies *l, int side, uint32_t key)
{
    uint16_t shard = !l->pair    ? world_owner(l->k.w, l->k.slot)
                     : side == 0 ? l->k.source
                                 : l->k.target;
    return moves_held(l->k.w, shard, key);
}

static bool copies_open(struct copies *l, const struct scene *s, const struct view_state *v)
{
    l->entries = 0;
    l->keys = 0;
    l->shown = 0;
    moving_open(&l->k, s, v->argument, MANNER_ANY);
    if (!l->k.known) {
        return false;
    }
    l->pair = l->k.source != SHARD_NONE;
    l->owner = l->pair && world_owner(l->k.w, l->k.slot) == l->k.target;
    l->keys = moving_key_count(&l->k);
    uint32_t all = moving_keys(&l->k, 0, l->key, KEYS_MAX);
    for (uint32_t i = 0; i < all; i++) { /* a key that was only asked for is in no copy */
        uint32_t key = l->key[i];
        if (held_at(l, 0, key).there || held_at(l, 1, key).there ||
            moves_lacking(l->k.w, key) > 0) {
            l->key[l->shown++] = key;
        } else {
            l->keys--;
        }
    }
    if (l->k.moves && l->k.shift.kind == SHIFT_NONE) {
        l->entries = moves_tail(l->k.w, &l->k.m, 0, l->entry, TAIL_MAX);
    }
    return true;
}

/* --- one key ------------------------------------------------------------------------------- */

static uint32_t waiting_of(const struct copies *l, uint32_t key)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < l->entries; i++) {
        count += l->entry[i].key == key;
    }
    return count;
}

static bool same_key(struct held_key a, struct held_key b)
{
    return a.there == b.there && a.value == b.value && a.edits == b.edits &&
           a.sequence == b.sequence;
}

/* Whether a copy has something of a key that the other one lacks. */
static bool ahead(struct held_key a, struct held_key b)
{
    return a.edits > b.edits || a.sequence > b.sequence ||
           (a.edits == b.edits && a.value > b.value);
}

static enum verdict verdict_of(const struct copies *l, uint32_t key)
{
    struct held_key source = held_at(l, 0, key), target = held_at(l, 1, key);
    const struct move_info *m = &l->k.m;
    bool live = l->k.moves && !m->ended;
    if (moves_lacking(l->k.w, key) > 0) {
        return COPY_MISSING;
    }
    if (!l->pair || same_key(source, target)) {
        return COPY_SAME;
    }
    if (l->k.shift.kind == SHIFT_ASK) {
        return source.there && target.there ? COPY_MISSING : COPY_SAME;
    }
    if (l->k.shift.kind == SHIFT_DUAL) { /* a count has no version, and goes to the owner alone */
        return source.edits == target.edits ? COPY_ALONE : COPY_WAITS;
    }
    if (!live && !(l->owner == 0 ? target : source).there) {
        return COPY_ALONE;
    }
    if (l->owner == 0) {
        bool waits = waiting_of(l, key) > 0 || target.fresh || (live && moving_copying(m));
        return !live ? COPY_LATER : waits ? COPY_WAITS : COPY_MISSING;
    }
    if (live && m->reverse && waiting_of(l, key) > 0) {
        return COPY_WAITS;
    }
    return ahead(source, target) ? COPY_MISSING : COPY_LATER;
}

/* With dual writes: a store took an older version of this key, and still has it. */
static bool fell_back(const struct copies *l, uint32_t key, uint16_t *shard)
{
    struct shift_back back = shifts_went_back(l->k.w);
    *shard = back.shard;
    if (l->k.shift.kind != SHIFT_DUAL || back.times == 0 || back.key != key) {
        return false;
    }
    uint32_t there = world_key_version(l->k.w, back.shard, key);
    return there > 0 && (there < held_at(l, 0, key).edits || there < held_at(l, 1, key).edits);
}

/* "2 in the tail: 10, 12" */
static void add_waiting(struct str *out, const struct copies *l, uint32_t key, int columns)
{
    uint32_t waiting = waiting_of(l, key);
    size_t from = out->length;
    str_addf(out, "%u %s", (unsigned)waiting,
             columns < 13                   ? "wait"
             : l->k.moves && l->k.m.reverse ? "in the stream"
                                            : "in the tail");
    size_t plain = out->length;
    str_add(out, ": ");
    bool first = true;
    for (uint32_t i = 0; i < l->entries; i++) {
        if (l->entry[i].key == key) {
            str_addf(out, "%s%u", first ? "" : ", ", (unsigned)l->entry[i].number);
            first = false;
        }
    }
    if ((int)(out->length - from) > columns) {
        out->length = plain;
        out->text[plain] = '\0';
    }
}

/* Which side lacks what. */
static void add_missing(struct str *out, const struct copies *l, uint32_t key, int columns)
{
    uint64_t lacks = moves_lacking(l->k.w, key);
    unsigned owner = world_owner(l->k.w, l->k.slot);
    if (lacks > 0) {
        str_addf(out, columns >= 22 ? "S%u LACKS %s accepted" : "S%u LACKS %s", owner,
                 num_grouped((int64_t)lacks).text);
    } else if (l->k.shift.kind == SHIFT_ASK) {
        str_add(out, "at BOTH");
    } else {
        str_addf(out, columns >= 28 ? "MISSING at S%u, not in the tail" : "MISSING at S%u",
                 (unsigned)l->k.target);
    }
}

/* Why a key is not the same at both and yet nothing is wrong. */
static void add_waits(struct str *out, const struct copies *l, uint32_t key, int columns)
{
    if (l->k.shift.kind == SHIFT_DUAL) {
        struct shift_job_info job = shifts_job(l->k.w, l->k.shift_row);
        bool brief = columns < 22;
        uint16_t shard;
        bool comes = l->k.shift.working && key >= job.cursor;
        if (fell_back(l, key, &shard)) {
            str_addf(out, brief ? "S%u fell back" : "S%u took an OLDER version", (unsigned)shard);
        } else if (key == job.hand || comes) {
            str_add(out, key == job.hand ? brief ? "in hand" : "in the backfill's hand"
                         : brief         ? "to be filled"
                                         : "the backfill comes yet");
        } else { /* by a write that is on its way, that failed, or that never went there */
            bool ahead_here = held_at(l, 0, key).edits > held_at(l, 1, key).edits;
            str_addf(out, "S%u is behind", (unsigned)(ahead_here ? l->k.target : l->k.source));
        }
    } else if (waiting_of(l, key) > 0) {
        add_waiting(out, l, key, columns);
    } else if (held_at(l, 1, key).fresh) {
        str_add(out, columns >= 26   ? "written since the snapshot"
                     : columns >= 13 ? "written since"
                                     : "newer");
    } else {
        str_add(out, columns >= 22 ? "the copy is under way" : "copy under way");
    }
}

static void add_why(struct str *out, const struct copies *l, uint32_t key, int columns)
{
    struct held_key source = held_at(l, 0, key), target = held_at(l, 1, key);
    switch (verdict_of(l, key)) {
    case COPY_SAME:
        str_add(out, l->k.shift.kind != SHIFT_ASK || !l->pair ? columns >= 8 ? "the same" : "same"
                     : source.there                           ? "still here"
                     : target.there                           ? "gone over"
                                                              : "nowhere");
        return;
    case COPY_LATER:
        str_addf(out, columns >= 11 ? "S%u wrote on" : "S%u on",
                 (unsigned)(l->owner == 0 ? l->k.source : l->k.target));
        return;
    case COPY_ALONE:
        str_addf(out, columns >= 11 ? "at S%u alone" : "at S%u",
                 (unsigned)(l->owner == 0 ? l->k.source : l->k.target));
        return;
    case COPY_MISSING:
        add_missing(out, l, key, columns);
        return;
    case COPY_WAITS:
        add_waits(out, l, key, columns);
        return;
    }
}

/* Brief: without the number of a flush, where there is a count. */
static void add_held(struct str *out, struct held_key held, bool brief)
{
    if (!held.there) {
        str_add(out, "-");
        return;
    }
    bool value = held.value > 0 || (held.edits == 0 && held.sequence == 0);
    if (value) {
        str_add(out, num_grouped((int64_t)held.value).text);
    }
    if (held.edits > 0) {
        str_addf(out, "%sv%u", value ? " " : "", (unsigned)held.edits);
    }
    if (held.sequence > 0 && !(brief && value)) {
        str_addf(out, "%s#%u", value || held.edits > 0 ? " " : "", (unsigned)held.sequence);
    }
}

/* --- all of them --------------------------------------------------------------------------- */

static uint32_t count_of(const struct copies *l, enum verdict verdict)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < l->shown; i++) {
        count += verdict_of(l, l->key[i]) == verdict;
    }
    return count;
}

static void add_count(struct str *out, uint32_t count, const char *what)
{
    if (count > 0) {
        str_addf(out, "%s%u %s", out->length > 0 ? ", " : "", (unsigned)count, what);
    }
}

/* "1 the same, 2 on their way" */
static void add_totals(struct str *out, const struct copies *l)
{
    struct str text = STR_EMPTY;
    uint32_t waits = count_of(l, COPY_WAITS), missing = count_of(l, COPY_MISSING);
    if (l->k.shift.kind == SHIFT_ASK) {
        str_addf(&text, "%u at S%u, %u at S%u", (unsigned)l->k.shift.here, (unsigned)l->k.source,
                 (unsigned)l->k.shift.there, (unsigned)l->k.target);
        add_count(&text, missing, "at BOTH");
    } else if (count_of(l, COPY_SAME) == l->shown) {
        str_addf(&text, l->shown == 1 ? "the one key is the same" : "all %u keys are the same",
                 (unsigned)l->shown);
    } else {
        add_count(&text, count_of(l, COPY_SAME), "the same");
        add_count(&text, waits,
                  l->k.shift.kind == SHIFT_DUAL ? waits == 1 ? "differs" : "differ"
                  : waits == 1                  ? "on its way"
                                                : "on their way");
        add_count(&text, count_of(l, COPY_LATER), "written on");
        add_count(&text, count_of(l, COPY_ALONE), "in one copy alone");
        add_count(&text, missing, "MISSING");
    }
    str_add(out, str_text(&text));
    str_free(&text);
}

/* "S4 is at entry 9 of 12" */
static void add_position(struct str *out, const struct copies *l, bool brief)
{
    const struct move_info *m = &l->k.m;
    if (!l->k.moves || l->k.shift.kind != SHIFT_NONE || m->ended) {
        return;
    }
    const char *at = brief ? "S%u at %u of %u" : "S%u is at entry %u of %u";
    uint32_t behind = m->end - m->applied;
    if (m->reverse) {
        str_addf(out, at, (unsigned)m->source, (unsigned)m->stream_applied,
                 (unsigned)m->stream_end);
    } else if (m->phase == MOVE_COMMITTED &&
               world_slot_row(l->k.w, m->source, l->k.slot).state == SLOT_OWNED) {
        str_addf(out, brief ? "S%u serves on" : "S%u serves its copy on", (unsigned)m->source);
    } else if (m->phase == MOVE_COMMITTED) {
        str_addf(out, brief ? "S%u's is old" : "S%u's copy is out of service", (unsigned)m->source);
    } else if (moving_copying(m)) {
        str_addf(out, brief ? "%u wait" : "%u entries wait for the copy", (unsigned)behind);
    } else {
        str_addf(out, at, (unsigned)m->target, (unsigned)m->applied, (unsigned)m->end);
    }
}

/* --- drawing ------------------------------------------------------------------------------- */

struct columns {
    int name, value; /* of the key, of a value */
    int why;         /* where the reasons begin */
};

static struct columns columns_of(const struct copies *l, int w)
{
    struct columns out = {.value = 5};
    struct str text = STR_EMPTY;
    out.name = moving_name_columns(&l->k, l->key, l->shown, w >= 100 ? 40 : w >= 56 ? 24 : 14);
    for (uint32_t i = 0; i < l->shown; i++) {
        for (int side = 0; side < 2; side++) {
            str_clear(&text);
            add_held(&text, held_at(l, side, l->key[i]), w < NARROW);
            out.value = (int)text.length + 1 > out.value ? (int)text.length + 1 : out.value;
        }
    }
    str_free(&text);
    out.value = out.value > (w >= 56 ? 16 : 9) ? (w >= 56 ? 16 : 9) : out.value;
    out.why = out.name + out.value * 2 + 2;
    return out;
}

static void draw_key(struct canvas *c, int y, const struct copies *l, const struct columns *col,
                     uint32_t key)
{
    static const struct {
        uint32_t utf8, ascii;
        enum style style;
    } looks[] = {[COPY_SAME] = {0x221A, 'v', STYLE_GOOD},
                 [COPY_WAITS] = {0x2260, '!', STYLE_WARN},
                 [COPY_LATER] = {0x2260, '!', STYLE_DIM},
                 [COPY_ALONE] = {0x00B7, '.', STYLE_DIM},
                 [COPY_MISSING] = {0xD7, 'x', STYLE_BAD}};
    enum verdict verdict = verdict_of(l, key);
    int w = canvas_width(c);
    struct str text = STR_EMPTY;
    view_add_key(&text, world_key(l->k.w, key));
    canvas_text_fit(c, 0, y, col->name, STYLE_CODE, str_text(&text));
    for (int side = 0; side < (l->pair ? 2 : 1); side++) {
        str_clear(&text);
        add_held(&text, held_at(l, side, key), w < NARROW);
        int end = col->name + col->value * (side + 1);
        enum style style = l->pair && l->owner != (uint32_t)side ? STYLE_TEXT : STYLE_STRONG;
        int length = (int)text.length, from = end - length < col->name ? col->name : end - length;
        canvas_text_fit(c, from, y, end - from,
                        verdict == COPY_MISSING && side == (l->pair ? 1 : 0) ? STYLE_BAD : style,
                        str_text(&text));
    }
    if (l->pair) {
        canvas_put(c, col->why - 1, y, looks[verdict].style,
                   view_sign(c, looks[verdict].utf8, looks[verdict].ascii));
        str_clear(&text);
        add_why(&text, l, key, w - col->why - 1);
        canvas_text_fit(c, col->why + 1, y, w - col->why - 1, looks[verdict].style,
                        str_text(&text));
    }
    str_free(&text);
}

static void draw_columns(struct canvas *c, int y, const struct copies *l, const struct columns *col)
{
    canvas_text(c, 0, y, STYLE_DIM, "key");
    for (int side = 0; side < (l->pair ? 2 : 1); side++) {
        uint16_t shard = !l->pair    ? world_owner(l->k.w, l->k.slot)
                         : side == 0 ? l->k.source
                                     : l->k.target;
        struct str text = STR_EMPTY;
        view_add_shard(&text, shard);
        moving_draw_shard(c, col->name + col->value * (side + 1) - (int)text.length, y, shard);
        str_free(&text);
    }
}

/* Rows of keys between the head, the columns' names and the foot. */
static int key_rows(int h)
{
    return h - 2 - (h >= 5) < 1 ? 1 : h - 2 - (h >= 5);
}

static int64_t selected_key(const struct copies *l, const struct view_state *v)
{
    return v->has_selection && l->shown > 0 ? view_clamp(v->selected, 0, l->shown - 1) : 0;
}

static void draw_keys(struct canvas *c, const struct copies *l, const struct view_state *v,
                      bool focused)
{
    struct columns col = columns_of(l, canvas_width(c));
    int rows = key_rows(canvas_height(c));
    int64_t at = selected_key(l, v), first = view_list_first(v->scroll, at, l->shown, rows);
    draw_columns(c, 1, l, &col);
    moving_draw_part(c, col.why + 1, 1, first, rows, l->shown);
    for (int i = 0; i < rows && first + i < l->shown; i++) {
        draw_key(c, 2 + i, l, &col, l->key[first + i]);
        if (first + i == at && (focused || v->has_selection)) {
            canvas_restyle(c, (struct rect){0, 2 + i, col.name, 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, 0, 2 + i);
            }
        }
    }
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct copies l;
    struct str text = STR_EMPTY;
    int w = canvas_width(c), h = canvas_height(c);
    if (w < 1 || h < 1) {
        return;
    }
    if (!copies_open(&l, s, v)) {
        moving_add_none(&text, &l.k);
        view_draw_note(c, str_text(&text));
        str_free(&text);
        return;
    }
    if (!l.pair) {
        str_add(&text, "no second copy");
    } else {
        add_position(&text, &l, w < 60);
    }
    moving_draw_head(c, &l.k, str_text(&text), STYLE_DIM);
    draw_keys(c, &l, v, focused);
    if (h >= 5) {
        uint32_t end = 2 + (l.shown < (uint32_t)key_rows(h) ? l.shown : (uint32_t)key_rows(h));
        str_clear(&text);
        if (l.shown == 0) {
            str_add(&text, "neither copy holds a key");
        } else if (l.pair) {
            add_totals(&text, &l);
        }
        bool missing = l.pair && count_of(&l, COPY_MISSING) > 0;
        view_draw_line(c, h > (int)end + 1 ? (int)end + (h > (int)end + 3) : h - 1,
                       missing ? STYLE_BAD : STYLE_STRONG, str_text(&text));
    }
    str_free(&text);
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct copies l;
    return copies_open(&l, s, v) ? (int)view_clamp(3 + (int64_t)l.shown, 5, 14) : 3;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct copies l;
    if (!copies_open(&l, s, v) || l.shown == 0 || w < 1 || h < 1) {
        return false;
    }
    int64_t at = selected_key(&l, v);
    bool begun = v->has_selection;
    if (!view_list_move(&at, l.shown, verb, key_rows(h)) && (begun || verb != VERB_UP)) {
        return false;
    }
    v->has_selection = true;
    v->selected = at;
    v->scroll = view_list_first(v->scroll, at, l.shown, key_rows(h));
    return true;
}

/* --- words --------------------------------------------------------------------------------- */

static void tell_keys(struct str *out, const struct copies *l)
{
    struct str line = STR_EMPTY;
    for (uint32_t i = 0; i < l->shown && i < TOLD; i++) {
        str_clear(&line);
        view_add_key(&line, world_key(l->k.w, l->key[i]));
        str_add(&line, ": ");
        for (int side = 0; side < (l->pair ? 2 : 1); side++) {
            if (l->pair) {
                str_addf(&line, "S%u ", (unsigned)(side == 0 ? l->k.source : l->k.target));
            }
            add_held(&line, held_at(l, side, l->key[i]), false);
            str_add(&line, l->pair ? ", " : ".");
        }
        if (l->pair) {
            add_why(&line, l, l->key[i], TELL_COLUMNS);
            str_addc(&line, '.');
        }
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 4);
    }
    if (l->keys > TOLD) {
        str_addf(out, "and %u more keys\n", (unsigned)l->keys - TOLD);
    }
    str_free(&line);
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct copies l;
    struct str line = STR_EMPTY;
    if (!copies_open(&l, s, v)) {
        moving_add_none(&line, &l.k);
        line.text[0] = (char)(line.text[0] - 'a' + 'A');
        str_addf(out, "%s.\n", str_text(&line));
        str_free(&line);
        return;
    }
    if (l.pair) {
        str_addf(&line, "Slot %u at S%u and at S%u", (unsigned)l.k.slot, (unsigned)l.k.source,
                 (unsigned)l.k.target);
        str_addf(&line, "; S%u has it. ", (unsigned)world_owner(l.k.w, l.k.slot));
        size_t from = line.length;
        add_position(&line, &l, false);
        str_add(&line, line.length > from ? ". " : "");
        str_add(&line, "Together: ");
        add_totals(&line, &l);
    } else {
        moving_add_none(&line, &l.k);
        line.text[0] = (char)(line.text[0] - 'a' + 'A');
        str_add(&line, ", and there is no second copy");
    }
    str_addc(&line, '.');
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    tell_keys(out, &l);
    str_free(&line);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct copies l;
    if (!copies_open(&l, s, v)) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    return l.shown == 0 ? (struct subject){.kind = SUBJECT_SLOT, .id = l.k.slot}
                        : (struct subject){.kind = SUBJECT_KEY, .id = l.key[selected_key(&l, v)]};
}

const struct view view_copies = {
    .name = "copies",
    .title = "Two copies of the slot",
    .min_rows = MIN_ROWS,
    .want_rows = 14,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
