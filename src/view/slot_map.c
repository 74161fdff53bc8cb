/*
 * slot_map: who owns which slot, from all of them in one picture down to single ones.
 *
 * Zoom 0 puts the whole slot space into the room at hand: one sign stands for a run of slots and is
 * the letter of their owner. Zoom 1 shows signs of 16 slots around the selection, zoom 2 a line a
 * slot. With v->diff, what changed owner since scene.before is lit, in capitals, and the rest is
 * dim. Argument: keys or slots to mark, blanks between; one with a question mark before it is
 * marked once the question is judged ("post:{p9} ?post:{p10}"); without any, the page's key. Or
 * "*": a dot marks each sign with a key in its slots that the cluster knows. Selection: a slot;
 * until there is one, the last that is marked.
 */
#include "base/utf8.h"
#include "view/slot_map_parts.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define SIGNS_A_ROW_MAX 256
#define SIGNS_NEAR 16 /* slots a sign at zoom 1 */
#define MARKS_FROM_ROWS 8

/* How a pane's room is used. */
struct shape {
    int caption, facts;    /* lines of each: 0 or 1 */
    int legend;            /* 2: what the marks are in a line of its own */
    int label;             /* columns of the slot numbers */
    int y, rows;           /* of the signs */
    uint32_t per_row, run; /* signs a row, slots a sign */
    uint32_t first;        /* slot of the first sign shown */
    int zoom;
};

bool slot_map_can_compare(const struct scene *s)
{
    return s->before != NULL && world_config_of(s->before)->slots == view_slots(s);
}

bool slot_map_changed(const struct scene *s, uint32_t slot)
{
    return world_owner(s->before, slot) != world_owner(s->world, slot);
}

uint32_t slot_map_count_changed(const struct scene *s)
{
    uint32_t count = 0, slots = view_slots(s);
    for (uint32_t slot = 0; slot_map_can_compare(s) && slot < slots; slot++) {
        count += slot_map_changed(s, slot);
    }
    return count;
}

bool slot_map_marks_keys(const struct view_state *v)
{
    return v->argument != NULL && v->argument[0] == '*' && v->argument[1] == '\0';
}

static void add_followed(struct slot_map_marks *out, const struct scene *s, const char *argument)
{
    struct followed f = view_followed(s, argument);
    if (f.found && out->count < SLOT_MAP_MARKS_MAX) {
        out->at[out->count++] = f;
    }
}

void slot_map_marks_fill(struct slot_map_marks *out, const struct scene *s,
                         const struct view_state *v)
{
    *out = (struct slot_map_marks){.count = 0};
    bool keys = slot_map_marks_keys(v); /* "*" is no key */
    if (keys || v->argument == NULL || v->argument[0] == '\0') {
        add_followed(out, s, NULL);
        return;
    }
    (void)snprintf(out->text, sizeof out->text, "%s", v->argument);
    for (char *at = out->text; *at != '\0';) {
        size_t length = strcspn(at, " ");
        char *next = at + length + (at[length] != '\0');
        bool later = *at == '?';
        at[length] = '\0';
        if (length > later && !(later && view_question_open(s))) {
            add_followed(out, s, at + later);
        }
        at = next;
    }
}

uint32_t slot_map_selected(const struct view_state *v, const struct scene *s)
{
    uint32_t slots = view_slots(s);
    if (v->has_selection) {
        return (uint32_t)view_clamp(v->selected, 0, slots - 1);
    }
    struct slot_map_marks marks;
    slot_map_marks_fill(&marks, s, v);
    return marks.count > 0 ? marks.at[marks.count - 1].slot : 0;
}

static bool is_marked(const struct slot_map_marks *marks, uint32_t first, uint32_t end)
{
    for (int i = 0; i < marks->count; i++) {
        if (marks->at[i].slot >= first && marks->at[i].slot < end) {
            return true;
        }
    }
    return false;
}

static int digits_of(uint32_t number)
{
    int digits = 1;
    while (number >= 10) {
        number /= 10;
        digits++;
    }
    return digits;
}

/* The shortest run, a power of two, with which every slot has its sign. */
static uint32_t run_for(uint32_t slots, uint32_t signs)
{
    uint32_t run = 1;
    while ((slots + run - 1) / run > signs) {
        run *= 2;
    }
    return run;
}

static struct shape shape_of(const struct view_state *v, const struct scene *s, int w, int h)
{
    uint32_t slots = view_slots(s);
    struct shape out = {.caption = h >= 6,
                        .legend = (h >= 4) + (h >= MARKS_FROM_ROWS && slot_map_marks_keys(v)),
                        .facts = h >= 2};
    out.zoom = (int)view_clamp(v->zoom, 0, 2);
    out.y = out.caption;
    out.rows = h - out.caption - out.legend - out.facts;
    out.rows = out.rows < 1 ? 1 : out.rows;
    out.label = w >= 20 ? digits_of(slots - 1) + 1 : 0;
    int room = (int)view_clamp(w - out.label, 1, SIGNS_A_ROW_MAX);
    out.per_row = (uint32_t)(room >= 16 ? room - room % 16 : room);
    out.run = run_for(slots, out.per_row * (uint32_t)out.rows);
    if (out.zoom == 0) {
        return out;
    }
    uint32_t at = slot_map_selected(v, s), lines = 0, line = 0, a_line = 1;
    if (out.zoom == 1 && out.run > SIGNS_NEAR) {
        out.run = SIGNS_NEAR;
    }
    if (out.zoom == 2) {
        out.run = 1;
        out.rows = out.rows > 1 ? out.rows - 1 : 1; /* the table's heading */
    } else {
        a_line = out.run * out.per_row;
    }
    lines = (slots + a_line - 1) / a_line;
    line = at / a_line;
    out.first =
        a_line * (uint32_t)view_list_first((int64_t)line - out.rows / 2, line, lines, out.rows);
    return out;
}

/* --- signs --------------------------------------------------------------------------------- */

struct sign {
    uint32_t owner;
    bool mixed, changed;
};

static bool holds_key(const struct scene *s, uint32_t first, uint32_t end)
{
    for (uint32_t key = 0; key < world_keys(s->world); key++) {
        uint16_t slot = world_key_slot(s->world, key);
        if (slot >= first && slot < end) {
            return true;
        }
    }
    return false;
}

static struct sign sign_of(const struct scene *s, uint32_t first, uint32_t end, bool diff)
{
    struct sign out = {.owner = world_owner(s->world, first)};
    for (uint32_t slot = first; slot < end; slot++) {
        uint32_t owner = world_owner(s->world, slot);
        bool changed = diff && slot_map_changed(s, slot);
        if (changed && !out.changed) {
            out.owner = owner; /* what moved is the point: its new owner wins the sign */
            out.changed = true;
            out.mixed = false;
        } else if (owner != out.owner && changed == out.changed) {
            out.mixed = true;
        }
    }
    return out;
}

static void draw_sign(struct canvas *c, int x, int y, struct sign sign, bool diff)
{
    enum style style = sign.mixed ? STYLE_STRONG : style_owner(sign.owner);
    char letter = sign.mixed ? '+' : style_owner_letter(sign.owner);
    if (diff) {
        style = sign.changed ? STYLE_MOVED : STYLE_DIM;
    }
    if (sign.changed) {
        letter = (char)toupper((unsigned char)letter);
    }
    canvas_put(c, x, y, style, (uint32_t)letter);
}

/* Returns whether a sign was of several shards. */
static bool draw_signs(struct canvas *c, const struct scene *s, const struct view_state *v,
                       const struct shape *shape, bool focused)
{
    uint32_t slots = view_slots(s), at = slot_map_selected(v, s);
    struct slot_map_marks marks;
    slot_map_marks_fill(&marks, s, v);
    bool diff = v->diff && slot_map_can_compare(s), keys = slot_map_marks_keys(v), mixed = false;

    for (int row = 0; row < shape->rows; row++) {
        uint32_t line = shape->first + (uint32_t)row * shape->per_row * shape->run;
        if (line >= slots) {
            break;
        }
        int y = shape->y + row;
        if (shape->label > 0) {
            canvas_textf(c, 0, y, STYLE_DIM, "%*u", shape->label - 1, (unsigned)line);
        }
        for (uint32_t i = 0; i < shape->per_row && line + i * shape->run < slots; i++) {
            uint32_t first = line + i * shape->run;
            uint32_t end = first + shape->run < slots ? first + shape->run : slots;
            int x = shape->label + (int)i;
            struct sign sign = sign_of(s, first, end, diff);
            draw_sign(c, x, y, sign, diff);
            bool held = keys && holds_key(s, first, end);
            bool followed = is_marked(&marks, first, end);
            mixed = mixed || (sign.mixed && !diff && !held && !followed);
            if (held) {
                canvas_put(c, x, y, style_owner(sign.owner), view_sign(c, 0x2022, 'o'));
            }
            if (followed) {
                canvas_put(c, x, y, sign.changed ? STYLE_MOVED : STYLE_STRONG,
                           view_sign(c, 0x25C6, '@'));
            }
            if ((focused || v->has_selection) && at >= first && at < end) {
                canvas_restyle(c, (struct rect){x, y, 1, 1}, STYLE_SELECTED);
                if (focused) {
                    canvas_cursor(c, x, y);
                }
            }
        }
    }
    return mixed;
}

/* --- single slots -------------------------------------------------------------------------- */

static void add_table_word(struct str *out, const struct world *w, uint32_t slot)
{
    uint16_t owner = world_owner(w, slot);
    struct slot_row row = {.state = SLOT_ABSENT};
    if (owner < world_shards(w)) {
        row = world_slot_row(w, owner, slot);
    }
    str_add(out, slot_state_name((enum slot_state)row.state));
}

static void draw_slot_line(struct canvas *c, int y, const struct scene *s,
                           const struct shape *shape, uint32_t slot)
{
    struct str words = STR_EMPTY;
    uint16_t owner = world_owner(s->world, slot);
    int x = shape->label;
    canvas_textf(c, 0, y, STYLE_TEXT, "%*u", shape->label > 0 ? shape->label - 1 : 0,
                 (unsigned)slot);
    str_addf(&words, "S%u", (unsigned)owner);
    canvas_text(c, x, y, style_owner(owner), str_text(&words));
    x += 8;
    x += canvas_textf(c, x, y, STYLE_TEXT, "%5u  ", (unsigned)world_epoch(s->world, slot));
    str_clear(&words);
    add_table_word(&words, s->world, slot);
    canvas_textf(c, x, y, STYLE_TEXT, "%-9s", str_text(&words));
    x += 11;
    str_clear(&words);
    (void)view_add_slot_keys(&words, s->world, slot, 8);
    canvas_text_fit(c, x, y, canvas_width(c) - x, STYLE_CODE, str_text(&words));
    str_free(&words);
}

static void draw_slots(struct canvas *c, const struct scene *s, const struct view_state *v,
                       const struct shape *shape, bool focused)
{
    uint32_t slots = view_slots(s), at = slot_map_selected(v, s);
    bool diff = v->diff && slot_map_can_compare(s);
    int y = shape->y;

    if (shape->label > 0) {
        canvas_textf(c, 0, y, STYLE_DIM, "%*s", shape->label - 1, "slot");
    }
    canvas_text_fit(c, shape->label, y, canvas_width(c) - shape->label, STYLE_DIM,
                    "owner   epoch  its table  keys");
    for (int row = 0; row < shape->rows && shape->first + (uint32_t)row < slots; row++) {
        uint32_t slot = shape->first + (uint32_t)row;
        y = shape->y + 1 + row;
        draw_slot_line(c, y, s, shape, slot);
        struct rect line = {0, y, canvas_width(c), 1};
        if (diff) {
            canvas_restyle(c, line, slot_map_changed(s, slot) ? STYLE_MOVED : STYLE_DIM);
        }
        if (slot == at) {
            canvas_restyle(c, line, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, 0, y);
            }
        }
    }
}

/* --- lines around -------------------------------------------------------------------------- */

static void draw_caption(struct canvas *c, const struct scene *s, const struct view_state *v,
                         const struct shape *shape)
{
    struct str text = STR_EMPTY;
    enum style style = STYLE_DIM;
    if (v->diff && slot_map_can_compare(s)) {
        uint32_t changed = slot_map_count_changed(s);
        str_addf(&text, "%s slot%s changed owner", num_grouped(changed).text, view_plural(changed));
        for (uint32_t slot = 0; changed == 1 && slot < view_slots(s); slot++) {
            if (slot_map_changed(s, slot)) {
                str_addf(&text, ": S%u to S%u", (unsigned)world_owner(s->before, slot),
                         (unsigned)world_owner(s->world, slot));
            }
        }
        style = changed > 0 ? STYLE_MOVED : STYLE_DIM;
    } else {
        str_addf(&text, "%s slots", num_grouped(view_slots(s)).text);
        if (shape->zoom < 2 && shape->run > 1) {
            str_addf(&text, ", a letter is %u of them", (unsigned)shape->run);
        }
    }
    view_draw_line(c, 0, style, str_text(&text));
    str_free(&text);
}

/* "• has a key  + several shards  ◆ 12067" */
static void add_marks(struct str *out, const struct canvas *c, const struct scene *s,
                      const struct view_state *v, bool mixed)
{
    bool utf8 = canvas_glyphs(c) == GLYPHS_UTF8;
    struct slot_map_marks marks;
    slot_map_marks_fill(&marks, s, v);
    if (slot_map_marks_keys(v)) {
        str_addf(out, "%s has keys", utf8 ? "•" : "o");
    }
    if (mixed) {
        str_addf(out, "%s+ %s", out->length > 0 ? "  " : "",
                 out->length > 0 ? "several shards" : "several");
    }
    for (int i = 0; i < marks.count; i++) {
        str_addf(out, "%s%s%u", i > 0 || out->length == 0 ? "" : "  ",
                 i > 0  ? " "
                 : utf8 ? "◆ "
                        : "@ ",
                 (unsigned)marks.at[i].slot);
    }
}

static void draw_legend(struct canvas *c, const struct scene *s, const struct view_state *v,
                        const struct shape *shape, bool mixed)
{
    int width = canvas_width(c), x = 0, y = canvas_height(c) - 1 - shape->legend;
    struct str mark = STR_EMPTY;
    if (shape->zoom < 2) {
        add_marks(&mark, c, s, v, mixed);
        int names = (int)world_shards(s->world) * (digits_of(world_shards(s->world)) + 4);
        if (shape->legend < 2 && names + utf8_columns(str_text(&mark), mark.length) > width) {
            str_clear(&mark);
            add_marks(&mark, c, s, v, false); /* the names are worth more */
        }
    }
    int columns = utf8_columns(str_text(&mark), mark.length);
    int kept = shape->legend > 1 ? 0 : columns;
    uint32_t shards = world_shards(s->world), shown = 0;
    for (; shown < shards; shown++) {
        int more = digits_of(shown) + 4; /* "c S2 " */
        if (x + more + kept > width) {
            break;
        }
        canvas_textf(c, x, y, style_owner(shown), "%c S%u", style_owner_letter(shown),
                     (unsigned)shown);
        x += more;
    }
    if (shown < shards && x + kept + 2 <= width) {
        canvas_put(c, x, y, STYLE_DIM, 0x2026);
    }
    if (shape->legend > 1) {
        view_draw_line(c, y + 1, STYLE_STRONG, str_text(&mark));
    } else {
        canvas_text_right(c, width, y, STYLE_STRONG, str_text(&mark));
    }
    str_free(&mark);
}

static void draw_facts(struct canvas *c, int y, const struct scene *s, const struct view_state *v)
{
    struct str text = STR_EMPTY;
    uint32_t slot = slot_map_selected(v, s);
    str_addf(&text, "slot %u: ", (unsigned)slot);
    view_add_slot_facts(&text, s, slot);
    view_draw_line(c, y, STYLE_TEXT, str_text(&text));
    str_free(&text);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    int w = canvas_width(c), h = canvas_height(c);
    if (s->world == NULL) {
        view_draw_note(c, "there is no cluster here");
        return;
    }
    if (w < 1 || h < 1) {
        return;
    }
    struct shape shape = shape_of(v, s, w, h);
    bool mixed = false;
    if (shape.zoom == 2) {
        draw_slots(c, s, v, &shape, focused);
    } else {
        mixed = draw_signs(c, s, v, &shape, focused);
    }
    if (shape.caption > 0) {
        draw_caption(c, s, v, &shape);
    }
    if (shape.legend > 0) {
        draw_legend(c, s, v, &shape, mixed);
    }
    if (shape.facts > 0) {
        draw_facts(c, h - 1, s, v);
    }
}

/* --- verbs --------------------------------------------------------------------------------- */

/* Zooming skips a level that would look like the one before. */
static bool move_zoom(struct view_state *v, const struct scene *s, int by, int w, int h)
{
    struct view_state whole = *v;
    whole.zoom = 0;
    int zoom = (int)view_clamp(v->zoom, 0, 2);
    int to = (int)view_clamp(zoom + by, 0, 2);
    if (to == 1 && shape_of(&whole, s, w, h).run <= SIGNS_NEAR) {
        to = by > 0 ? 2 : 0;
    }
    v->zoom = to;
    return to != zoom;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    if (s->world == NULL || w < 1 || h < 1) {
        return false;
    }
    if (verb == VERB_ZOOM_IN || verb == VERB_ZOOM_OUT) {
        return move_zoom(v, s, verb == VERB_ZOOM_IN ? 1 : -1, w, h);
    }
    struct shape shape = shape_of(v, s, w, h);
    int64_t slots = view_slots(s), was = slot_map_selected(v, s), to = was;
    int64_t sign = was / shape.run;
    int64_t signs = (slots + shape.run - 1) / shape.run;
    int64_t line = shape.zoom == 2 ? 1 : shape.per_row;

    switch (verb) {
    case VERB_LEFT:
        sign -= 1;
        break;
    case VERB_RIGHT:
        sign += 1;
        break;
    case VERB_UP:
        sign -= line;
        break;
    case VERB_DOWN:
        sign += line;
        break;
    case VERB_PAGE_UP:
        sign -= line * shape.rows;
        break;
    case VERB_PAGE_DOWN:
        sign += line * shape.rows;
        break;
    case VERB_FIRST:
        sign = 0;
        break;
    case VERB_LAST:
        sign = signs - 1;
        break;
    case VERB_NONE:
    case VERB_ZOOM_IN:
    case VERB_ZOOM_OUT:
        return false;
    }
    sign = view_clamp(sign, 0, signs - 1);
    if (sign != was / shape.run) {
        to = sign * shape.run;
    }
    v->has_selection = true;
    v->selected = to;
    return to != was;
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    if (s->world == NULL) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    return (struct subject){.kind = SUBJECT_SLOT, .id = slot_map_selected(v, s)};
}

const struct view view_slot_map = {
    .name = "slot_map",
    .title = "Slots",
    .min_rows = 8,
    .want_rows = 20,
    .draw = draw,
    .move = move,
    .tell = slot_map_tell,
    .subject = subject,
};
