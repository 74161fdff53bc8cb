/*
 * inside: words, signs and lists that several views need.
 */
#include "view/inside.h"

#include "base/utf8.h"
#include "place/crc16.h"
#include "place/key.h"
#include <string.h>

int64_t view_clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

bool view_question_open(const struct scene *s)
{
    return s->page != NULL && s->page->question.kind != QUESTION_NONE && !s->page->question.judged;
}

uint32_t view_slots(const struct scene *s)
{
    return s->world != NULL ? world_config_of(s->world)->slots : SLOT_COUNT;
}

const char *view_key_of(const struct scene *s, const char *argument)
{
    if (argument != NULL && argument[0] != '\0') {
        return argument;
    }
    return s->page != NULL && s->page->key != NULL ? s->page->key : "";
}

/* True when text is a slot's number. */
static bool slot_number(const char *text, uint32_t slots, uint32_t *slot)
{
    uint64_t value;
    if (text == NULL || text[0] == '\0' || text[strspn(text, "0123456789")] != '\0' ||
        !num_parse_u64(text, "slot", 0, slots - 1, &value, NULL)) {
        return false;
    }
    *slot = (uint32_t)value;
    return true;
}

struct followed view_followed(const struct scene *s, const char *argument)
{
    struct followed out = {0};
    uint32_t slots = view_slots(s);
    uint32_t id;

    if (slot_number(argument, slots, &out.slot)) {
        out.found = true;
        return out;
    }
    const char *text = view_key_of(s, argument);
    if (text[0] == '\0') {
        return out;
    }
    out.found = true;
    out.is_key = true;
    out.key = bytes_of(text);
    if (s->world != NULL && world_find_key(s->world, out.key, &id)) {
        out.slot = world_key_slot(s->world, id);
    } else {
        struct bytes tag = key_tag(out.key);
        out.slot = crc16(tag.at, tag.length) % slots;
    }
    return out;
}

void view_add_key(struct str *out, struct bytes key)
{
    utf8_visible(out, key.at, key.length);
}

void view_add_key_code(struct str *out, struct bytes key)
{
    struct str shown = STR_EMPTY;
    utf8_visible(&shown, key.at, key.length);
    str_addc(out, '`');
    for (const char *at = str_text(&shown); *at != '\0'; at++) {
        if (*at == '`') {
            str_add(out, "\\x60"); /* would end the span */
        } else {
            str_addc(out, *at);
        }
    }
    str_addc(out, '`');
    str_free(&shown);
}

void view_add_shard(struct str *out, uint32_t shard)
{
    if (shard == SHARD_NONE) {
        str_add(out, "nobody");
    } else {
        str_addf(out, "S%u", (unsigned)shard);
    }
}

size_t view_add_slot_keys(struct str *out, const struct world *w, uint32_t slot, size_t limit)
{
    size_t found = 0;
    uint32_t keys = world_keys(w);
    for (uint32_t id = 0; id < keys; id++) {
        if (world_key_slot(w, id) != slot) {
            continue;
        }
        if (found < limit) {
            str_add(out, found > 0 ? " " : "");
            view_add_key(out, world_key(w, id));
        }
        found++;
    }
    if (found > limit) {
        str_addf(out, " and %zu more", found - limit);
    }
    return found;
}

void view_add_slot_facts(struct str *out, const struct scene *s, uint32_t slot)
{
    const struct world *w = s->world;
    if (!view_question_open(s)) {
        view_add_shard(out, world_owner(w, slot));
    }
    if (s->before != NULL && world_config_of(s->before)->slots == view_slots(s) &&
        world_owner(s->before, slot) != world_owner(w, slot)) {
        str_add(out, " (was ");
        view_add_shard(out, world_owner(s->before, slot));
        str_addc(out, ')');
    }
    struct str keys = STR_EMPTY;
    if (view_add_slot_keys(&keys, w, slot, 4) > 0) {
        str_addf(out, "%s%s", view_question_open(s) ? "" : ", ", str_text(&keys));
    }
    str_free(&keys);
}

void view_add_row(struct str *out, struct slot_row row)
{
    if (row.state == SLOT_ABSENT) {
        str_add(out, "no row");
        return;
    }
    str_add(out, slot_state_name((enum slot_state)row.state));
    if (row.state == SLOT_MOVED) {
        str_add(out, " to ");
        view_add_shard(out, row.other);
    }
    str_addf(out, ", epoch %u", (unsigned)row.epoch);
}

const char *view_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* Bytes of the next line: as many words as fit, at least one cluster. */
static size_t wrap_next(const char *text, size_t length, int columns)
{
    size_t fit = utf8_fit(text, length, columns);
    if (fit < length && text[fit] != ' ') {
        size_t at = fit;
        while (at > 0 && text[at - 1] != ' ') {
            at--;
        }
        fit = at > 0 ? at : fit;
    }
    if (fit == 0) { /* a cluster wider than the line still has to go somewhere */
        uint32_t point;
        fit = utf8_decode(text, length, &point);
    }
    return fit;
}

void view_add_wrapped(struct str *out, const char *text, int columns, int hang)
{
    size_t length = strlen(text);
    int room = columns;
    for (size_t at = 0; at < length;) {
        size_t take = wrap_next(text + at, length - at, room < 1 ? 1 : room);
        size_t next = at + take;
        while (take > 0 && text[at + take - 1] == ' ') {
            take--;
        }
        str_addn(out, text + at, take);
        str_addc(out, '\n');
        while (next < length && text[next] == ' ') {
            next++;
        }
        at = next;
        if (at < length) {
            str_pad(out, ' ', (size_t)hang);
            room = columns - hang;
        }
    }
}

uint32_t view_sign(const struct canvas *c, uint32_t utf8, uint32_t ascii)
{
    return canvas_glyphs(c) == GLYPHS_UTF8 ? utf8 : ascii;
}

void view_draw_line(struct canvas *c, int y, enum style style, const char *text)
{
    if (y >= 0 && y < canvas_height(c)) {
        canvas_text_fit(c, 0, y, canvas_width(c), style, text);
    }
}

void view_draw_wrapped(struct canvas *c, int y, int rows, enum style style, const char *text)
{
    size_t length = strlen(text);
    int width = canvas_width(c);
    struct str line = STR_EMPTY;
    for (int row = 0; row < rows && length > 0; row++) {
        size_t take = row + 1 == rows ? length : wrap_next(text, length, width < 1 ? 1 : width);
        str_clear(&line);
        str_addn(&line, text, take);
        view_draw_line(c, y + row, style, str_text(&line));
        while (take < length && text[take] == ' ') {
            take++;
        }
        text += take;
        length -= take;
    }
    str_free(&line);
}

void view_draw_note(struct canvas *c, const char *text)
{
    int width = canvas_width(c);
    int columns = utf8_columns(text, strlen(text));
    if (columns <= width) {
        canvas_text(c, (width - columns) / 2, canvas_height(c) / 2, STYLE_DIM, text);
    } else {
        view_draw_wrapped(c, 0, canvas_height(c), STYLE_DIM, text);
    }
}

bool view_list_move(int64_t *at, int64_t count, enum verb verb, int64_t page)
{
    int64_t to = *at;
    page = page < 1 ? 1 : page;
    switch (verb) {
    case VERB_UP:
        to -= 1;
        break;
    case VERB_DOWN:
        to += 1;
        break;
    case VERB_PAGE_UP:
        to -= page;
        break;
    case VERB_PAGE_DOWN:
        to += page;
        break;
    case VERB_FIRST:
        to = 0;
        break;
    case VERB_LAST:
        to = count - 1;
        break;
    case VERB_NONE:
    case VERB_LEFT:
    case VERB_RIGHT:
    case VERB_ZOOM_IN:
    case VERB_ZOOM_OUT:
        return false;
    }
    to = view_clamp(to, 0, count > 0 ? count - 1 : 0);
    bool changed = to != *at;
    *at = to;
    return changed;
}

int64_t view_list_first(int64_t scroll, int64_t at, int64_t count, int64_t rows)
{
    rows = rows < 1 ? 1 : rows;
    if (at < scroll) {
        scroll = at;
    }
    if (at >= scroll + rows) {
        scroll = at - rows + 1;
    }
    int64_t last = count > rows ? count - rows : 0;
    return view_clamp(scroll, 0, last);
}
