/*
 * ask: a slot that moves key by key: which keys are still here, which have gone over.
 *
 * A line a key: at the left while the source holds it, at the right when the target does, with an
 * arrow between while it is in its hand-over. A key that is too large to go is marked, and one that
 * both sides hold. Above them what the two rows of the slot tables say; below, how many keys are
 * where, and how many answers of ASK and TRYAGAIN about this slot the trace still has.
 * Argument: "ask", "ask:12067", "ask:post:{p9}"; see moving.h. Selection: a key.
 */
#include "view/moving.h"
#include <stdio.h>
#include <string.h>

#define KEYS_MAX 512
#define MIN_ROWS 8
#define TOLD 40
#define HEAD_ROWS 2
#define FOOT_ROWS 2

enum place {
    AT_SOURCE,
    AT_TARGET,
    IN_HAND,
    AT_BOTH,
    TOO_LARGE,
    NOWHERE
};

struct going {
    struct moving k;
    bool on;
    struct shift_job_info job;
    uint32_t keys, shown;
    uint32_t key[KEYS_MAX];
    uint32_t count[NOWHERE + 1];
};

static enum place place_of(const struct going *g, uint32_t key)
{
    bool source = moves_held(g->k.w, g->k.source, key).there;
    bool target = moves_held(g->k.w, g->k.target, key).there;
    if (g->on && key == g->job.hand && !(source && target)) {
        return IN_HAND;
    }
    if (source && target) { /* at rest the source's old copy is out of service */
        return g->on ? AT_BOTH : AT_TARGET;
    }
    if (source) {
        return g->on && shifts_key_bytes(g->k.w, key) > SHIFT_KEY_BYTES_MAX ? TOO_LARGE : AT_SOURCE;
    }
    return target ? AT_TARGET : NOWHERE;
}

static bool going_open(struct going *g, const struct scene *s, const struct view_state *v)
{
    g->shown = 0;
    g->keys = 0;
    g->on = false;
    memset(g->count, 0, sizeof g->count);
    moving_open(&g->k, s, v->argument, MANNER_ASK);
    if (!g->k.known || g->k.source == SHARD_NONE) {
        return false;
    }
    g->on = g->k.shift.kind == SHIFT_ASK;
    g->job =
        g->on ? shifts_job(g->k.w, g->k.shift_row) : (struct shift_job_info){.hand = KEY_NONE_ID};
    g->keys = moving_key_count(&g->k);
    uint32_t all = moving_keys(&g->k, 0, g->key, KEYS_MAX);
    for (uint32_t i = 0; i < all; i++) { /* a key that nobody holds was only asked for */
        enum place place = place_of(g, g->key[i]);
        g->count[place]++;
        if (place != NOWHERE) {
            g->key[g->shown++] = g->key[i];
        }
    }
    return true;
}

/* --- words --------------------------------------------------------------------------------- */

static const char *phase_words(const struct going *g)
{
    if (!g->on) {
        return world_slot_row(g->k.w, g->k.source, g->k.slot).state == SLOT_MOVED
                   ? "over"
                   : "not key by key";
    }
    if (g->k.shift.ask == ASK_CLAIMED) {
        return "claimed";
    }
    if (g->k.shift.working) {
        return "under way";
    }
    return g->k.shift.here > 0 ? "stopped" : "empty: finish";
}

static void add_size(struct str *out, const struct going *g, uint32_t key)
{
    uint64_t bytes = shifts_key_bytes(g->k.w, key);
    if (bytes > 0) {
        moving_add_bytes(out, bytes);
    }
}

/* What a request for the key meets. */
static void add_answer(struct str *out, const struct going *g, uint32_t key)
{
    unsigned source = g->k.source, target = g->k.target;
    enum place place = place_of(g, key);
    if (g->k.asking && place != NOWHERE) { /* what it meets is what the page asks for */
        str_addf(out, place == IN_HAND ? "in its hand-over to S%u" : "at S%u",
                 place == AT_TARGET || place == IN_HAND ? target : source);
        str_add(out, place == TOO_LARGE ? ", too large to go" : "");
        if (place == AT_BOTH) {
            str_addf(out, " AND S%u", target);
        }
        return;
    }
    switch (place) {
    case AT_SOURCE:
        str_addf(out, "S%u serves it", source);
        return;
    case TOO_LARGE:
        str_addf(out, "S%u serves it, it is too large to go", source);
        return;
    case AT_TARGET:
        if (g->on && g->k.shift.ask == ASK_OPEN) {
            str_addf(out, "S%u says ASK, S%u serves who says ASKING", source, target);
        } else {
            str_addf(out, "S%u serves it", target);
        }
        return;
    case IN_HAND:
        str_addf(out, "in its hand-over: TRYAGAIN");
        return;
    case AT_BOTH:
        str_addf(out, "at S%u AND S%u: what S%u takes now is thrown away", source, target, source);
        return;
    case NOWHERE:
        break;
    }
    str_add(out, "nowhere");
}

/* "3 at S2, 2 at S4, 1 too large" */
static void add_counts(struct str *out, const struct going *g, int columns)
{
    bool brief = columns < 56;
    unsigned here = g->count[AT_SOURCE] + g->count[TOO_LARGE], there = g->count[AT_TARGET];
    if (brief) {
        str_addf(out, "S%u %u, S%u %u", (unsigned)g->k.source, here, (unsigned)g->k.target, there);
    } else {
        str_addf(out, "%u at S%u, %u at S%u", here, (unsigned)g->k.source, there,
                 (unsigned)g->k.target);
    }
    if (g->count[IN_HAND] > 0) {
        str_add(out, ", 1 on its way");
    }
    if (g->count[TOO_LARGE] > 0 && columns >= 38) {
        str_addf(out, ", %u too large", (unsigned)g->count[TOO_LARGE]);
    }
    if (g->count[AT_BOTH] > 0) {
        str_addf(out, ", %u AT BOTH", (unsigned)g->count[AT_BOTH]);
    }
}

static void add_answers(struct str *out, const struct going *g, int columns)
{
    uint32_t asks = shifts_answers(g->k.w, g->k.slot, OUTCOME_ASK);
    uint32_t again = shifts_answers(g->k.w, g->k.slot, OUTCOME_TRY_AGAIN);
    struct str counts = STR_EMPTY;
    str_addf(&counts, "ASK %s", num_grouped(asks).text);
    str_addf(&counts, ", TRYAGAIN %s", num_grouped(again).text);
    int room = columns - (int)counts.length;
    str_add(out, room >= 36   ? "Answers that the trace still has: "
                 : room >= 22 ? "answers in the trace: "
                 : room >= 9  ? "answers: "
                              : "");
    str_add(out, str_text(&counts));
    str_free(&counts);
}

/* --- drawing ------------------------------------------------------------------------------- */

static int key_rows(const struct going *g, int h)
{
    int rows = h - HEAD_ROWS - (h >= 6 ? FOOT_ROWS : h >= 4);
    rows = rows > (int)g->shown ? (int)g->shown : rows;
    return rows < 1 ? 1 : rows;
}

static int64_t selected_key(const struct going *g, const struct view_state *v)
{
    return v->has_selection && g->shown > 0 ? view_clamp(v->selected, 0, g->shown - 1) : 0;
}

/* The first key in sight: the selected one is, or else the first that has yet to go. */
static int64_t first_key(const struct going *g, const struct view_state *v, int rows)
{
    int64_t at = selected_key(g, v);
    for (int64_t i = 0; !v->has_selection && i < g->shown; i++) {
        enum place place = place_of(g, g->key[i]);
        if (place == AT_SOURCE || place == IN_HAND) {
            at = i + 1 < g->shown ? i + 1 : i; /* and the one behind it */
            break;
        }
    }
    return view_list_first(v->scroll, at, g->shown, rows);
}

/* Where the right column begins. */
static int right_of(int w)
{
    int half = w / 2 + 1;
    return half > 44 ? 44 : half;
}

static void draw_arrow(struct canvas *c, int from, int to, int y, enum style style, bool heavy)
{
    for (int x = from; x < to - 1; x++) {
        canvas_put(c, x, y, style, heavy ? view_sign(c, 0x2501, '=') : view_sign(c, 0x00B7, '.'));
    }
    if (to > from) {
        canvas_put(c, to - 1, y, style, view_sign(c, 0x25B6, '>'));
    }
}

static void draw_key(struct canvas *c, int y, const struct going *g, uint32_t key)
{
    int w = canvas_width(c), right = right_of(w);
    enum place place = place_of(g, key);
    struct str name = STR_EMPTY, more = STR_EMPTY;
    view_add_key(&name, world_key(g->k.w, key));
    add_size(&more, g, key);
    if (place == AT_TARGET) {
        draw_arrow(c, 0, right - 1, y, STYLE_DIM, false);
        canvas_text_fit(c, right, y, w - right, style_owner(g->k.target), str_text(&name));
        str_free(&name);
        str_free(&more);
        return;
    }
    int x = canvas_text_fit(c, 0, y, right - 5, style_owner(g->k.source), str_text(&name)) + 1;
    if (place == IN_HAND || place == AT_BOTH) {
        draw_arrow(c, x, right - 1, y, place == AT_BOTH ? STYLE_BAD : STYLE_MOVED, true);
    }
    if (place == IN_HAND) {
        str_add(&more, more.length > 0 ? " on its way" : "on its way");
        canvas_text_fit(c, right, y, w - right, STYLE_MOVED, str_text(&more));
    } else if (place == AT_BOTH) {
        str_add(&name, canvas_glyphs(c) == GLYPHS_UTF8 ? " \u00d7 at both" : " x at both");
        canvas_text_fit(c, right, y, w - right, STYLE_BAD, str_text(&name));
    } else if (place == TOO_LARGE) {
        canvas_put(c, right - 2, y, STYLE_BAD, view_sign(c, 0xD7, 'x'));
        str_add(&more, ": too large");
        canvas_text_fit(c, right, y, w - right, STYLE_BAD, str_text(&more));
    }
    str_free(&name);
    str_free(&more);
}

static void draw_side(struct canvas *c, int x, int columns, const struct going *g, uint16_t shard)
{
    struct str text = STR_EMPTY;
    struct slot_row row = world_slot_row(g->k.w, shard, g->k.slot);
    int from = x + moving_draw_shard(c, x, 1, shard) + 1;
    bool down = world_shard(g->k.w, shard).down;
    str_add(&text, down ? "down, " : "");
    str_add(&text, slot_state_name((enum slot_state)row.state));
    canvas_text_fit(c, from, 1, columns - (from - x), down ? STYLE_BAD : STYLE_DIM,
                    str_text(&text));
    str_free(&text);
}

static void draw_going(struct canvas *c, const struct going *g, const struct view_state *v,
                       bool focused)
{
    int w = canvas_width(c), h = canvas_height(c), rows = key_rows(g, h);
    struct str text = STR_EMPTY;
    int end = moving_draw_head(c, &g->k, phase_words(g), STYLE_DIM);
    draw_side(c, 0, right_of(w) - 1, g, g->k.source);
    draw_side(c, right_of(w), w - right_of(w), g, g->k.target);
    int64_t at = selected_key(g, v), first = first_key(g, v, rows);
    moving_draw_part(c, end + 1, 0, first, rows, g->shown);
    for (int i = 0; i < rows && first + i < g->shown; i++) {
        draw_key(c, HEAD_ROWS + i, g, g->key[first + i]);
        if (first + i == at && (focused || v->has_selection)) {
            canvas_restyle(c, (struct rect){0, HEAD_ROWS + i, right_of(w) - 2, 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, 0, HEAD_ROWS + i);
            }
        }
    }
    int y = HEAD_ROWS + rows;
    y += h - y >= FOOT_ROWS + 2;
    add_counts(&text, g, w);
    view_draw_line(c, y, g->count[AT_BOTH] > 0 ? STYLE_BAD : STYLE_STRONG, str_text(&text));
    str_clear(&text);
    add_answers(&text, g, w);
    view_draw_line(c, y + 1, STYLE_DIM, str_text(&text));
    if (y + 3 < h && v->has_selection && g->shown > 0) {
        str_clear(&text);
        view_add_key(&text, world_key(g->k.w, g->key[at]));
        str_add(&text, ": ");
        add_answer(&text, g, g->key[at]);
        view_draw_wrapped(c, y + 3, h - y - 3, STYLE_TEXT, str_text(&text));
    }
    str_free(&text);
}

static void add_none(struct str *out, const struct going *g)
{
    moving_add_none(out, &g->k);
    str_add(out, g->k.known ? " with all its keys" : "");
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct going g;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (going_open(&g, s, v)) {
        draw_going(c, &g, v, focused);
    } else {
        struct str text = STR_EMPTY;
        add_none(&text, &g);
        view_draw_note(c, str_text(&text));
        str_free(&text);
    }
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct going g;
    return going_open(&g, s, v)
               ? (int)view_clamp(HEAD_ROWS + FOOT_ROWS + (int64_t)g.shown, MIN_ROWS, 16)
               : 3;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct going g;
    if (!going_open(&g, s, v) || g.shown == 0 || w < 1 || h < 1) {
        return false;
    }
    int64_t at = selected_key(&g, v);
    bool begun = v->has_selection;
    if (!view_list_move(&at, g.shown, verb, key_rows(&g, h)) && (begun || verb != VERB_UP)) {
        return false;
    }
    v->has_selection = true;
    v->selected = at;
    v->scroll = view_list_first(v->scroll, at, g.shown, key_rows(&g, h));
    return true;
}

/* --- told ---------------------------------------------------------------------------------- */

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct going g;
    struct str line = STR_EMPTY;
    if (!going_open(&g, s, v)) {
        add_none(&line, &g);
        line.text[0] = (char)(line.text[0] - 'a' + 'A');
        str_addf(out, "%s.\n", str_text(&line));
        str_free(&line);
        return;
    }
    str_addf(&line, "Slot %u from S%u to S%u, %s. S%u's row says ", (unsigned)g.k.slot,
             (unsigned)g.k.source, (unsigned)g.k.target, phase_words(&g), (unsigned)g.k.source);
    view_add_row(&line, world_slot_row(g.k.w, g.k.source, g.k.slot));
    str_addf(&line, ", S%u's ", (unsigned)g.k.target);
    view_add_row(&line, world_slot_row(g.k.w, g.k.target, g.k.slot));
    str_add(&line, ". Keys: ");
    add_counts(&line, &g, TELL_COLUMNS);
    str_add(&line, ". ");
    add_answers(&line, &g, TELL_COLUMNS);
    str_addc(&line, '.');
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    for (uint32_t i = 0; i < g.shown && i < TOLD; i++) {
        str_clear(&line);
        view_add_key(&line, world_key(g.k.w, g.key[i]));
        if (shifts_key_bytes(g.k.w, g.key[i]) > 0) {
            str_add(&line, " (");
            add_size(&line, &g, g.key[i]);
            str_addc(&line, ')');
        }
        str_add(&line, ": ");
        add_answer(&line, &g, g.key[i]);
        str_addc(&line, '.');
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 4);
    }
    if (g.shown > TOLD) {
        str_addf(out, "and %u more keys\n", (unsigned)g.shown - TOLD);
    }
    str_free(&line);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct going g;
    bool two = going_open(&g, s, v);
    if (two && g.shown > 0) {
        return (struct subject){.kind = SUBJECT_KEY, .id = g.key[selected_key(&g, v)]};
    }
    return g.k.known ? (struct subject){.kind = SUBJECT_SLOT, .id = g.k.slot}
                     : (struct subject){.kind = SUBJECT_NONE};
}

const struct view view_ask = {
    .name = "ask",
    .title = "Key by key",
    .min_rows = MIN_ROWS,
    .want_rows = 14,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
