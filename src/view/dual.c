/*
 * dual: a slot whose edits go to two shards: the versions of each key, and the backfill among them.
 *
 * The first line says where reads and writes go. A line a key: the version at the source and at the
 * target, whether they are the same, and if not what will make them so: the backfill has yet to
 * come by, has it in hand, or a second write is due. Below them the backfill's way through the
 * keys, and the second writes: sent, failed, made good since. A store that took an older version
 * over a newer one is marked. Keys that were only ever liked have no version: likes go to the owner
 * alone. Argument: "dual", "dual:12067", "dual:post:{p9}"; see moving.h. Selection: a key.
 */
#include "view/moving.h"
#include <stdio.h>
#include <string.h>

#define KEYS_MAX 512
#define MIN_ROWS 8
#define TOLD 40
#define HEAD_ROWS 3 /* slot, where reads and writes go, names of the columns */
#define FOOT_ROWS 2 /* the backfill, the second writes */

enum verdict {
    DUAL_ALIKE,
    DUAL_DIFFER,
    DUAL_WENT_BACK, /* and one of the stores took an older version */
    DUAL_COUNT      /* a count of likes: it has no version */
};

struct twice {
    struct moving k;
    bool on; /* dual writes are on */
    struct shift_job_info job;
    struct shift_back back;
    uint32_t keys, shown;
    uint32_t key[KEYS_MAX];
    uint32_t differ, done; /* keys that differ; keys that the pass is through with */
};

static uint32_t version_at(const struct twice *t, int side, uint32_t key)
{
    return world_key_version(t->k.w, side == 0 ? t->k.source : t->k.target, key);
}

static bool is_count(const struct twice *t, uint32_t key)
{
    return world_value(t->k.w, t->k.source, key) > 0 && version_at(t, 0, key) == 0 &&
           version_at(t, 1, key) == 0;
}

static enum verdict verdict_of(const struct twice *t, uint32_t key)
{
    if (is_count(t, key)) {
        return DUAL_COUNT;
    }
    if (version_at(t, 0, key) == version_at(t, 1, key)) {
        return DUAL_ALIKE;
    }
    uint32_t there = world_key_version(t->k.w, t->back.shard, key);
    bool behind = there > 0 && (there < version_at(t, 0, key) || there < version_at(t, 1, key));
    return t->back.times > 0 && t->back.key == key && behind ? DUAL_WENT_BACK : DUAL_DIFFER;
}

/* False when there are no two stores to look at. */
static bool twice_open(struct twice *t, const struct scene *s, const struct view_state *v)
{
    t->shown = 0;
    t->keys = 0;
    t->on = false;
    t->differ = 0;
    t->done = 0;
    moving_open(&t->k, s, v->argument, MANNER_DUAL);
    if (!t->k.known || t->k.source == SHARD_NONE) {
        return false;
    }
    t->on = t->k.shift.kind == SHIFT_DUAL;
    t->job =
        t->on ? shifts_job(t->k.w, t->k.shift_row) : (struct shift_job_info){.hand = KEY_NONE_ID};
    t->back = shifts_went_back(t->k.w);
    if (t->back.times > 0 && world_key_slot(t->k.w, t->back.key) != t->k.slot) {
        t->back.times = 0; /* it was another slot's */
    }
    t->keys = moving_key_count(&t->k);
    t->shown = moving_keys(&t->k, 0, t->key, KEYS_MAX);
    for (uint32_t i = 0; i < t->shown; i++) {
        enum verdict verdict = verdict_of(t, t->key[i]);
        t->differ += verdict == DUAL_DIFFER || verdict == DUAL_WENT_BACK;
        t->done += t->key[i] < t->job.cursor && t->key[i] != t->job.hand;
    }
    return true;
}

/* --- words --------------------------------------------------------------------------------- */

static bool backfill_runs(const struct twice *t)
{
    return t->on && t->k.shift.working;
}

/* "reads S2, edits S2 then S4" */
static void add_ways(struct str *out, const struct twice *t)
{
    unsigned source = t->k.source, target = t->k.target;
    if (!t->on) {
        str_addf(out, "reads and edits: S%u alone", (unsigned)world_owner(t->k.w, t->k.slot));
        return;
    }
    bool switched = t->k.shift.dual == DUAL_SWITCHED;
    unsigned first = switched ? target : source, second = switched ? source : target;
    str_addf(out, "reads: S%u, ", first);
    if (t->k.shift.dual == DUAL_SINGLE) {
        str_addf(out, "edits: S%u alone", source);
    } else if (t->k.shift.parallel) {
        str_addf(out, "edits: S%u and S%u at once", first, second);
    } else {
        str_addf(out, "edits: S%u, then S%u", first, second);
    }
}

static void add_why(struct str *out, const struct twice *t, uint32_t key, int columns)
{
    bool brief = columns < 20;
    uint32_t source = version_at(t, 0, key), target = version_at(t, 1, key);
    if (key == t->job.hand) {
        str_addf(out, brief ? "carries v%u" : "the backfill carries v%u", (unsigned)t->job.carried);
        return;
    }
    switch (verdict_of(t, key)) {
    case DUAL_COUNT:
        str_add(out, brief ? "a count" : "a count: it has no version");
        return;
    case DUAL_ALIKE:
        str_add(out, source == 0 ? "never edited" : "the same");
        return;
    case DUAL_WENT_BACK:
        str_addf(out, brief ? "S%u fell back" : "S%u took an OLDER version",
                 (unsigned)t->back.shard);
        return;
    case DUAL_DIFFER:
        break;
    }
    bool behind_source = target < source;
    if (!t->on) {
        str_addf(out, "S%u is behind", (unsigned)(behind_source ? t->k.target : t->k.source));
    } else if (backfill_runs(t) && key >= t->job.cursor) {
        str_add(out, brief ? "to be filled" : "the backfill comes yet");
    } else if (target == 0 && !t->k.shift.filled) {
        str_add(out, brief ? "not filled" : "not filled yet");
    } else {
        str_addf(out, brief ? "S%u behind %u" : "S%u is behind by %u",
                 (unsigned)(behind_source ? t->k.target : t->k.source),
                 (unsigned)(behind_source ? source - target : target - source));
    }
}

static void add_backfill(struct str *out, const struct twice *t)
{
    if (!t->on) {
        str_addf(out, t->differ == 0 ? "the same in both" : "%u key%s differ%s",
                 (unsigned)t->differ, view_plural(t->differ), t->differ == 1 ? "s" : "");
    } else if (backfill_runs(t)) {
        str_addf(out, "%u of %u keys, %u/s%s", (unsigned)t->done, (unsigned)t->shown,
                 (unsigned)t->job.rate, t->job.repairing ? ", again" : "");
    } else if (t->k.shift.filled) {
        str_addf(out, t->differ == 0 ? "done, both the same" : "done, %u differ%s",
                 (unsigned)t->differ, t->differ == 1 ? "s" : "");
    } else {
        str_add(out, "not begun");
    }
}

static void add_second(struct str *out, const struct twice *t, bool brief)
{
    const struct shift_info *i = &t->k.shift;
    str_addf(out, brief ? "second writes %s" : "second writes: %s sent",
             num_grouped((int64_t)i->doubled).text);
    str_addf(out, ", %s failed", num_grouped((int64_t)i->failed).text);
    str_addf(out, brief ? ", %s repaired" : ", %s repaired since",
             num_grouped((int64_t)i->repaired).text);
}

static const char *phase_words(const struct twice *t)
{
    if (!t->on) {
        return "over";
    }
    switch (t->k.shift.dual) {
    case DUAL_SINGLE:
        return "not yet to both";
    case DUAL_WRITING:
        return "written to both";
    case DUAL_SWITCHED:
        return "reads have switched";
    case DUAL_ENDED:
    case DUAL_DROPPED:
    case DUAL_PHASES:
        break;
    }
    return "";
}

/* --- drawing ------------------------------------------------------------------------------- */

static int key_rows(const struct twice *t, int h)
{
    int rows = h - HEAD_ROWS - (h >= 7 ? FOOT_ROWS : h >= 5);
    rows = rows > (int)t->shown ? (int)t->shown : rows;
    return rows < 1 ? 1 : rows;
}

static int64_t selected_key(const struct twice *t, const struct view_state *v)
{
    return v->has_selection && t->shown > 0 ? view_clamp(v->selected, 0, t->shown - 1) : 0;
}

static int name_columns(const struct twice *t, int w)
{
    return moving_name_columns(&t->k, t->key, t->shown, w >= 100 ? 36 : w >= 56 ? 22 : 14);
}

static void draw_version(struct canvas *c, int end, int y, uint32_t version, enum style style)
{
    struct str text = STR_EMPTY;
    if (version == 0) {
        str_addc(&text, '-');
    } else {
        str_addf(&text, "v%u", (unsigned)version);
    }
    canvas_text_right(c, end, y, version == 0 ? STYLE_DIM : style, str_text(&text));
    str_free(&text);
}

static void draw_key(struct canvas *c, int y, const struct twice *t, uint32_t key)
{
    static const struct {
        uint32_t utf8, ascii;
        enum style style;
    } looks[] = {[DUAL_ALIKE] = {0x221A, 'v', STYLE_GOOD},
                 [DUAL_DIFFER] = {0x2260, '!', STYLE_WARN},
                 [DUAL_WENT_BACK] = {0xD7, 'x', STYLE_BAD},
                 [DUAL_COUNT] = {0x00B7, '.', STYLE_DIM}};
    enum verdict verdict = verdict_of(t, key);
    int w = canvas_width(c), x = name_columns(t, w);
    uint32_t source = version_at(t, 0, key), target = version_at(t, 1, key);
    struct str text = STR_EMPTY;
    view_add_key(&text, world_key(t->k.w, key));
    canvas_text_fit(c, 0, y, x, STYLE_CODE, str_text(&text));
    draw_version(c, x + 5, y, source, source >= target ? STYLE_STRONG : STYLE_WARN);
    draw_version(c, x + 10, y, target, target >= source ? STYLE_STRONG : STYLE_WARN);
    bool hand = key == t->job.hand;
    enum style style = hand ? STYLE_MOVED : looks[verdict].style;
    canvas_put(c, x + 11, y, style,
               hand ? view_sign(c, 0x25B6, '>')
                    : view_sign(c, looks[verdict].utf8, looks[verdict].ascii));
    str_clear(&text);
    add_why(&text, t, key, w - x - 13);
    canvas_text_fit(c, x + 13, y, w - x - 13, style, str_text(&text));
    str_free(&text);
}

static void draw_foot(struct canvas *c, int y, const struct twice *t)
{
    int w = canvas_width(c), h = canvas_height(c);
    struct str text = STR_EMPTY;
    canvas_text(c, 0, y, STYLE_DIM, t->on ? "backfill" : "now");
    add_backfill(&text, t);
    int x = t->on ? 9 : 4, room = w - x - (int)text.length - 1;
    if (t->on && room >= 4) {
        int columns = room > 30 ? 30 : room;
        uint64_t done = t->k.shift.filled && !backfill_runs(t) ? t->shown : t->done;
        moving_draw_bar(c, (struct rect){x, y, columns, 1}, done, t->shown,
                        done == t->shown ? STYLE_GOOD : STYLE_MOVED);
        x += columns + 1;
    }
    canvas_text_fit(c, x, y, w - x, t->differ > 0 ? STYLE_WARN : STYLE_GOOD, str_text(&text));
    if (y + 1 < h && t->on) {
        str_clear(&text);
        add_second(&text, t, w < 56);
        bool open = t->k.shift.failed > t->k.shift.repaired;
        view_draw_line(c, y + 1, open ? STYLE_WARN : STYLE_DIM, str_text(&text));
    }
    if (y + 2 < h && t->back.times > 0) {
        canvas_textf(c, 0, y + 2, STYLE_BAD, "%s a store took an older version %u time%s",
                     canvas_glyphs(c) == GLYPHS_UTF8 ? "\u00d7" : "x", (unsigned)t->back.times,
                     view_plural(t->back.times));
    }
    str_free(&text);
}

static void draw_twice(struct canvas *c, const struct twice *t, const struct view_state *v,
                       bool focused)
{
    int w = canvas_width(c), h = canvas_height(c), x = name_columns(t, w);
    struct str text = STR_EMPTY;
    moving_draw_head(c, &t->k, phase_words(t), STYLE_DIM);
    add_ways(&text, t);
    view_draw_line(c, 1, STYLE_STRONG, str_text(&text));
    str_free(&text);
    canvas_text(c, 0, 2, STYLE_DIM, "key");
    moving_draw_shard(c, x + 3, 2, t->k.source);
    moving_draw_shard(c, x + 8, 2, t->k.target);
    int rows = key_rows(t, h);
    int64_t at = selected_key(t, v), first = view_list_first(v->scroll, at, t->shown, rows);
    if (backfill_runs(t) && !v->has_selection) { /* the key in hand stays in sight */
        first = view_list_first(first, view_clamp(t->done, 0, t->shown), t->shown, rows);
    }
    moving_draw_part(c, x + 12, 2, first, rows, t->shown);
    for (int i = 0; i < rows && first + i < t->shown; i++) {
        draw_key(c, HEAD_ROWS + i, t, t->key[first + i]);
        if (first + i == at && (focused || v->has_selection)) {
            canvas_restyle(c, (struct rect){0, HEAD_ROWS + i, x, 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, 0, HEAD_ROWS + i);
            }
        }
    }
    int y = HEAD_ROWS + rows;
    y += h - y >= FOOT_ROWS + 2;
    if (y < h) {
        draw_foot(c, y, t);
    }
}

static void add_none(struct str *out, const struct twice *t)
{
    moving_add_none(out, &t->k);
    str_add(out, t->k.known ? ", and is written there alone" : "");
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct twice t;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (twice_open(&t, s, v)) {
        draw_twice(c, &t, v, focused);
    } else {
        struct str text = STR_EMPTY;
        add_none(&text, &t);
        view_draw_note(c, str_text(&text));
        str_free(&text);
    }
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct twice t;
    return twice_open(&t, s, v)
               ? (int)view_clamp(HEAD_ROWS + FOOT_ROWS + (int64_t)t.shown, MIN_ROWS, 16)
               : 3;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct twice t;
    if (!twice_open(&t, s, v) || t.shown == 0 || w < 1 || h < 1) {
        return false;
    }
    int64_t at = selected_key(&t, v);
    bool begun = v->has_selection;
    if (!view_list_move(&at, t.shown, verb, key_rows(&t, h)) && (begun || verb != VERB_UP)) {
        return false;
    }
    v->has_selection = true;
    v->selected = at;
    v->scroll = view_list_first(v->scroll, at, t.shown, key_rows(&t, h));
    return true;
}

/* --- told ---------------------------------------------------------------------------------- */

static void tell_key(struct str *out, const struct twice *t, uint32_t key)
{
    struct str line = STR_EMPTY;
    view_add_key(&line, world_key(t->k.w, key));
    for (int side = 0; side < 2; side++) {
        uint32_t version = version_at(t, side, key);
        str_addf(&line, "%s S%u ", side == 0 ? ":" : ",",
                 (unsigned)(side == 0 ? t->k.source : t->k.target));
        if (version == 0) {
            str_add(&line, "has none");
        } else {
            str_addf(&line, "v%u", (unsigned)version);
        }
    }
    str_add(&line, "; ");
    add_why(&line, t, key, TELL_COLUMNS);
    str_addc(&line, '.');
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 4);
    str_free(&line);
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct twice t;
    struct str line = STR_EMPTY;
    if (!twice_open(&t, s, v)) {
        add_none(&line, &t);
        line.text[0] = (char)(line.text[0] - 'a' + 'A');
        str_addf(out, "%s.\n", str_text(&line));
        str_free(&line);
        return;
    }
    str_addf(&line, "Slot %u, S%u and S%u: %s. ", (unsigned)t.k.slot, (unsigned)t.k.source,
             (unsigned)t.k.target, phase_words(&t));
    size_t from = line.length;
    add_ways(&line, &t);
    line.text[from] = 'R';
    str_add(&line, t.on ? ". Backfill: " : ". Now ");
    add_backfill(&line, &t);
    if (t.on) {
        str_add(&line, ". Of the ");
        add_second(&line, &t, false);
    }
    str_addc(&line, '.');
    if (t.back.times > 0) {
        str_addf(&line, " A store took an older version over a newer one %u time%s.",
                 (unsigned)t.back.times, view_plural(t.back.times));
    }
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    for (uint32_t i = 0; i < t.shown && i < TOLD; i++) {
        tell_key(out, &t, t.key[i]);
    }
    if (t.keys > TOLD) {
        str_addf(out, "and %u more keys\n", (unsigned)t.keys - TOLD);
    }
    str_free(&line);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct twice t;
    bool two = twice_open(&t, s, v);
    if (two && t.shown > 0) {
        return (struct subject){.kind = SUBJECT_KEY, .id = t.key[selected_key(&t, v)]};
    }
    return t.k.known ? (struct subject){.kind = SUBJECT_SLOT, .id = t.k.slot}
                     : (struct subject){.kind = SUBJECT_NONE};
}

const struct view view_dual = {
    .name = "dual",
    .title = "Versions in two stores",
    .min_rows = MIN_ROWS,
    .want_rows = 14,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
