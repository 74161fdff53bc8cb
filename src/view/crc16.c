/*
 * crc16: one key's way to its slot, byte by byte.
 *
 * First the key with the part that is hashed marked, then one line a byte (the checksum before and
 * after it), then the slot. Zoom 1 shows the selected byte's eight shifts. A wide
 * pane adds the bits. When a key has more bytes than lines, the lines around the selected byte and
 * the last one stay. Argument: a key (digits too); without one, the page's key. Selection: a byte
 * of the hashed part.
 */
#include "place/crc16.h"
#include "base/check.h"
#include "base/utf8.h"
#include "place/key.h"
#include "view/inside.h"
#include <string.h>

#define POLYNOMIAL 0x1021u
#define WIDE 62
#define RESULTS 2 /* lines: the checksum, the slot */

struct work {
    struct bytes key, tag;
    bool whole; /* no tag: all of the key is hashed */
    uint16_t crc;
    uint32_t slots, slot;
};

static bool work_of(const struct scene *s, const struct view_state *v, struct work *out)
{
    const char *text = view_key_of(s, v->argument);
    if (text[0] == '\0') {
        return false;
    }
    out->key = bytes_of(text);
    out->tag = key_tag(out->key);
    out->whole = out->tag.length == out->key.length;
    out->crc = crc16(out->tag.at, out->tag.length);
    out->slots = view_slots(s);
    out->slot = out->crc % out->slots;
    return true;
}

static uint8_t byte_at(const struct work *k, int64_t index)
{
    return (uint8_t)k->tag.at[index];
}

static uint16_t crc_before(const struct work *k, int64_t index)
{
    return crc16(k->tag.at, (size_t)index);
}

static int64_t selected_byte(const struct view_state *v, const struct work *k)
{
    return v->has_selection ? view_clamp(v->selected, 0, (int64_t)k->tag.length - 1) : 0;
}

static void add_char(struct str *out, uint8_t byte)
{
    str_addc(out, byte > ' ' && byte < 0x7F ? (char)byte : '.');
}

/* "0010 1111 0010 0011" */
static void add_bits(struct str *out, uint32_t value, int bits)
{
    for (int bit = bits - 1; bit >= 0; bit--) {
        str_addc(out, (value >> bit & 1u) != 0 ? '1' : '0');
        if (bit > 0 && bit % 4 == 0) {
            str_addc(out, ' ');
        }
    }
}

static void add_hashed(struct str *out, const struct work *k)
{
    if (k->whole) {
        str_add(out, "no tag, so the whole key is hashed");
    } else {
        str_add(out, "hashed: what is in the braces");
    }
}

/* --- drawing ------------------------------------------------------------------------------- */

/* The key over as many lines as it needs, '^' under what is hashed. Returns the lines taken. */
static int draw_key(struct canvas *c, const struct work *k, int rows)
{
    int x = 0, y = 0, width = canvas_width(c);
    size_t tag_from = (size_t)(k->tag.at - k->key.at), tag_end = tag_from + k->tag.length;
    for (size_t at = 0; at < k->key.length;) {
        uint32_t point;
        size_t bytes = utf8_decode(k->key.at + at, k->key.length - at, &point);
        int columns = utf8_columns(k->key.at + at, bytes);
        if (x + columns > width && x > 0) {
            x = 0;
            y += 2;
        }
        if (y + 2 > rows) {
            break;
        }
        bool hashed = at >= tag_from && at < tag_end;
        canvas_textn(c, x, y, hashed ? STYLE_CODE : STYLE_DIM, k->key.at + at, bytes);
        for (int i = 0; i < columns && hashed; i++) {
            canvas_put(c, x + i, y + 1, STYLE_CODE, '^');
        }
        x += columns;
        at += bytes;
    }
    struct str note = STR_EMPTY;
    add_hashed(&note, k);
    int last = k->whole ? x : x - (int)(k->key.length - tag_end); /* after the carets */
    if (y + 2 <= rows && last + 1 + (int)note.length <= width) {
        canvas_text(c, last + 1, y + 1, STYLE_DIM, str_text(&note));
    }
    str_free(&note);
    return y + 2 < rows ? y + 2 : rows;
}

static void draw_byte(struct canvas *c, int y, const struct work *k, int64_t index, bool selected)
{
    uint16_t before = crc_before(k, index), after = crc16_step(before, byte_at(k, index));
    struct str line = STR_EMPTY;
    add_char(&line, byte_at(k, index));
    str_addf(&line, "    %02x    %04x    %04x", byte_at(k, index), before, after);
    if (canvas_width(c) >= WIDE) {
        str_add(&line, "   ");
        add_bits(&line, after, 16);
    }
    canvas_text(c, 0, y, selected ? STYLE_SELECTED : STYLE_TEXT, str_text(&line));
    str_free(&line);
}

static void draw_more(struct canvas *c, int y, int64_t bytes, const char *where)
{
    struct str line = STR_EMPTY;
    str_addf(&line, "%s %s byte%s %s", canvas_glyphs(c) == GLYPHS_UTF8 ? "…" : "...",
             num_grouped(bytes).text, view_plural((uint64_t)bytes), where);
    view_draw_line(c, y, STYLE_DIM, str_text(&line));
    str_free(&line);
}

/* Lines of the table: all bytes, or those around the selected one and always the last. */
static void draw_bytes(struct canvas *c, int y, int rows, const struct work *k, int64_t selected,
                       bool marked)
{
    int64_t count = (int64_t)k->tag.length;
    if (count <= rows) {
        for (int64_t i = 0; i < count; i++) {
            draw_byte(c, y + (int)i, k, i, marked && i == selected);
        }
        return;
    }
    if (rows < 4) {
        for (int i = 0; i < rows; i++) {
            int64_t at = view_list_first(0, selected, count, rows) + i;
            draw_byte(c, y + i, k, at, marked && at == selected);
        }
        return;
    }
    /* The last line is the last byte's; a line says what is left out on either side. */
    int64_t room = rows - 2;
    int64_t first = view_list_first(0, selected, count - 1, room - 1);
    int line = 0;
    if (first > 0) {
        first++;
        draw_more(c, y + line++, first, "before");
    }
    for (; line < room && first < count - 1; line++, first++) {
        draw_byte(c, y + line, k, first, marked && first == selected);
    }
    if (first < count - 1) {
        draw_more(c, y + line++, count - 1 - first, "more");
    }
    draw_byte(c, y + line, k, count - 1, marked && selected == count - 1);
}

/* The eight shifts of one byte. */
static void draw_shifts(struct canvas *c, int y, int rows, const struct work *k, int64_t index)
{
    uint16_t before = crc_before(k, index);
    uint32_t crc = (uint32_t)before ^ (uint32_t)byte_at(k, index) << 8;
    struct str line = STR_EMPTY;
    str_addf(&line, "%04x  %04x xor %02x00", (unsigned)crc, before, byte_at(k, index));
    view_draw_line(c, y, STYLE_TEXT, str_text(&line));
    for (int shift = 1; shift <= 8; shift++) {
        bool out = (crc & 0x8000u) != 0;
        crc = (crc << 1 ^ (out ? POLYNOMIAL : 0u)) & 0xFFFFu;
        str_clear(&line);
        str_addf(&line, "%04x  shift %d, %s", (unsigned)crc, shift,
                 out ? "a 1 fell out: xor 1021" : "a 0 fell out");
        if (shift < rows) {
            view_draw_line(c, y + shift, out ? STYLE_STRONG : STYLE_TEXT, str_text(&line));
        }
    }
    CHECK(crc == crc16_step(before, byte_at(k, index)));
    str_free(&line);
}

static void add_result(struct str *out, const struct work *k, int line, const struct scene *s)
{
    if (line == 0) {
        str_addf(out, "crc 0x%04x = %u", k->crc, (unsigned)k->crc);
    } else if (s->page != NULL && s->page->question.kind == QUESTION_NUMBER &&
               view_question_open(s)) { /* what is asked is not given away */
        str_addf(out, "%u mod %u = ?", (unsigned)k->crc, (unsigned)k->slots);
    } else {
        str_addf(out, "%u mod %u = slot %u", (unsigned)k->crc, (unsigned)k->slots,
                 (unsigned)k->slot);
    }
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct work k;
    int w = canvas_width(c), h = canvas_height(c);
    if (!work_of(s, v, &k)) {
        view_draw_note(c, "no key is chosen yet");
        return;
    }
    if (w < 1 || h < 1) {
        return;
    }
    int results = RESULTS < h ? RESULTS : h;
    int y = h - results >= 4 ? draw_key(c, &k, h - results - 2) : 0;
    int rows = h - results - y - 1;
    int64_t at = selected_byte(v, &k);
    bool marked = focused || v->has_selection;
    if (rows > 0 && v->zoom > 0) {
        struct str head = STR_EMPTY;
        str_addf(&head, "byte %u: ", (unsigned)at + 1);
        add_char(&head, byte_at(&k, at));
        str_addf(&head, " = %02x", byte_at(&k, at));
        view_draw_line(c, y, STYLE_DIM, str_text(&head));
        str_free(&head);
        draw_shifts(c, y + 1, rows, &k, at);
    } else if (rows > 0) {
        view_draw_line(c, y, STYLE_DIM,
                       w >= WIDE ? "byte hex before  after   the checksum's bits" //
                                 : "byte hex before  after");
        draw_bytes(c, y + 1, rows, &k, at, marked);
    }
    if (focused) {
        canvas_cursor(c, 0, y);
    }
    int used = v->zoom > 0 ? 9 : (int)view_clamp((int64_t)k.tag.length, 0, rows > 0 ? rows : 0);
    int end = rows > 0 ? y + 1 + (used < rows ? used : rows) : y;
    end += end + results < h; /* an empty line before the result, when there is one to spare */
    for (int i = 0; i < results; i++) {
        struct str line = STR_EMPTY;
        int which = results == 1 ? 1 : i;
        add_result(&line, &k, which, s);
        view_draw_line(c, end + i, which == 1 ? STYLE_STRONG : STYLE_TEXT, str_text(&line));
        str_free(&line);
    }
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct work k;
    if (!work_of(s, v, &k) || w < 1 || h < 1) {
        return false;
    }
    if (verb == VERB_ZOOM_IN || verb == VERB_ZOOM_OUT) {
        int zoom = verb == VERB_ZOOM_IN ? 1 : 0;
        bool changed = zoom != (v->zoom > 0);
        v->zoom = zoom;
        return changed;
    }
    int64_t at = selected_byte(v, &k);
    if (!view_list_move(&at, (int64_t)k.tag.length, verb, h / 2)) {
        return false;
    }
    v->has_selection = true;
    v->selected = at;
    return true;
}

/* --- words --------------------------------------------------------------------------------- */

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct work k;
    if (!work_of(s, v, &k)) {
        str_add(out, "No key is chosen yet.\n");
        return;
    }
    struct str line = STR_EMPTY;
    str_add(&line, "Key ");
    view_add_key(&line, k.key);
    if (k.whole) {
        str_add(&line, " has no tag, so the whole key is hashed.");
    } else {
        str_add(&line, ": hashed is only what is in the braces, ");
        view_add_key(&line, k.tag);
        str_addc(&line, '.');
    }
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 2);
    str_add(out, "byte  hex  before  after\n");
    for (int64_t i = 0; i < (int64_t)k.tag.length; i++) {
        uint16_t before = crc_before(&k, i);
        add_char(out, byte_at(&k, i));
        str_addf(out, "     %02x   %04x    %04x\n", byte_at(&k, i), before,
                 crc16_step(before, byte_at(&k, i)));
    }
    for (int i = 0; i < RESULTS; i++) {
        str_clear(&line);
        add_result(&line, &k, i, s);
        str_addf(out, "%s\n", str_text(&line));
    }
    str_free(&line);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct work k;
    uint32_t id;
    if (s->world == NULL || !work_of(s, v, &k)) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    if (world_find_key(s->world, k.key, &id)) {
        return (struct subject){.kind = SUBJECT_KEY, .id = id};
    }
    return (struct subject){.kind = SUBJECT_SLOT, .id = k.slot};
}

const struct view view_crc16 = {
    .name = "crc16",
    .title = "CRC16, byte by byte",
    .min_rows = 7,
    .want_rows = 11,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
