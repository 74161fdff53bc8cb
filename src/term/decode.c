/*
 * decode: the table of sequences and the rules for what is in no table.
 */
#include "term/decode.h"
#include "base/check.h"
#include "base/utf8.h"
#include <string.h>
#include <wchar.h>

#define ESCAPE '\033'
#define PASTE_END "\033[201~"
#define CONTROL_LENGTH_MAX 64 /* a longer control sequence is rubbish */

static const struct {
    const char *bytes;
    uint32_t key;
} ansi_sequences[] = {
    {"\033[A", LKEY_UP},
    {"\033[B", LKEY_DOWN},
    {"\033[C", LKEY_RIGHT},
    {"\033[D", LKEY_LEFT},
    {"\033OA", LKEY_UP},
    {"\033OB", LKEY_DOWN},
    {"\033OC", LKEY_RIGHT},
    {"\033OD", LKEY_LEFT},
    {"\033[H", LKEY_HOME},
    {"\033[F", LKEY_END},
    {"\033OH", LKEY_HOME},
    {"\033OF", LKEY_END},
    {"\033[1~", LKEY_HOME},
    {"\033[4~", LKEY_END},
    {"\033[7~", LKEY_HOME},
    {"\033[8~", LKEY_END},
    {"\033[2~", LKEY_INSERT},
    {"\033[3~", LKEY_DELETE},
    {"\033[5~", LKEY_PAGE_UP},
    {"\033[6~", LKEY_PAGE_DOWN},
    {"\033[Z", LKEY_SHIFT_TAB},
    {"\033OP", LKEY_F1},
    {"\033OQ", LKEY_F1 + 1},
    {"\033OR", LKEY_F1 + 2},
    {"\033OS", LKEY_F1 + 3},
    {"\033[11~", LKEY_F1},
    {"\033[12~", LKEY_F1 + 1},
    {"\033[13~", LKEY_F1 + 2},
    {"\033[14~", LKEY_F1 + 3},
    {"\033[15~", LKEY_F1 + 4},
    {"\033[17~", LKEY_F1 + 5},
    {"\033[18~", LKEY_F1 + 6},
    {"\033[19~", LKEY_F1 + 7},
    {"\033[20~", LKEY_F1 + 8},
    {"\033[21~", LKEY_F1 + 9},
    {"\033[23~", LKEY_F1 + 10},
    {"\033[24~", LKEY_F1 + 11},
    {"\033[[A", LKEY_F1}, /* the Linux console's first five */
    {"\033[[B", LKEY_F1 + 1},
    {"\033[[C", LKEY_F1 + 2},
    {"\033[[D", LKEY_F1 + 3},
    {"\033[[E", LKEY_F1 + 4},
    {"\033OM", LKEY_ENTER}, /* the keypad, when it is in application mode */
    {"\033Oj", '*'},
    {"\033Ok", '+'},
    {"\033Om", '-'},
    {"\033On", '.'},
    {"\033Oo", '/'},
    {"\033Op", '0'},
    {"\033Oq", '1'},
    {"\033Or", '2'},
    {"\033Os", '3'},
    {"\033Ot", '4'},
    {"\033Ou", '5'},
    {"\033Ov", '6'},
    {"\033Ow", '7'},
    {"\033Ox", '8'},
    {"\033Oy", '9'},
    {"\033[200~", LKEY_PASTE_START},
    {PASTE_END, LKEY_PASTE_END},
};

void decoder_start(struct decoder *d, bool utf8)
{
    *d = (struct decoder){.utf8 = utf8};
    for (size_t i = 0; i < sizeof(ansi_sequences) / sizeof(ansi_sequences[0]); i++)
        decoder_learn(d, ansi_sequences[i].bytes, ansi_sequences[i].key);
}

void decoder_learn(struct decoder *d, const char *sequence, uint32_t key)
{
    size_t length = sequence == NULL ? 0 : strlen(sequence);
    if (length < 2 || length >= DECODER_SEQUENCE_SIZE)
        return;
    int place = 0;
    while (place < d->count && strcmp(d->sequences[place].bytes, sequence) != 0)
        place++;
    CHECK(place < DECODER_SEQUENCES);
    memcpy(d->sequences[place].bytes, sequence, length + 1);
    d->sequences[place].length = length;
    d->sequences[place].key = key;
    if (place == d->count)
        d->count++;
}

static enum decoded give(struct term_input *out, uint32_t key)
{
    *out = (struct term_input){.kind = TERM_INPUT_KEY, .key = key};
    return DECODED_KEY;
}

/* Looks the bytes up. NOTHING with *used 0 means: in no table. */
static enum decoded take_known(struct decoder *d, const char *bytes, size_t length, bool last,
                               size_t *used, struct term_input *out)
{
    bool partial = false;
    for (int i = 0; i < d->count; i++) {
        size_t n = d->sequences[i].length;
        if (length >= n && memcmp(bytes, d->sequences[i].bytes, n) == 0) {
            *used = n;
            uint32_t key = d->sequences[i].key;
            if (key == LKEY_PASTE_START)
                d->pasting = true;
            else if (key == LKEY_PASTE_END)
                d->pasting = false;
            return give(out, key);
        }
        partial |= length < n && memcmp(bytes, d->sequences[i].bytes, length) == 0;
    }
    return partial && !last ? DECODED_PARTIAL : DECODED_NOTHING;
}

/* A mouse report "b;x;y" with its final letter, as terminals send in mode 1006. */
static enum decoded take_mouse(const char *numbers, size_t length, char final,
                               struct term_input *out)
{
    int values[3] = {0, 0, 0}, count = 0;
    for (size_t i = 0; i < length; i++) {
        if (numbers[i] == ';') {
            if (++count > 2)
                return DECODED_NOTHING;
        } else if (numbers[i] >= '0' && numbers[i] <= '9' && values[count] < 100000) {
            values[count] = values[count] * 10 + (numbers[i] - '0');
        } else {
            return DECODED_NOTHING;
        }
    }
    if (count != 2 || final != 'M' || values[1] < 1 || values[2] < 1)
        return DECODED_NOTHING;
    int button = values[0] & ~0x1C; /* without Shift, Meta, Control */
    if (button == 64)
        return give(out, LKEY_UP);
    if (button == 65)
        return give(out, LKEY_DOWN);
    if (button != 0)
        return DECODED_NOTHING;
    *out = (struct term_input){
        .kind = TERM_INPUT_KEY, .key = LKEY_MOUSE, .columns = values[1] - 1, .rows = values[2] - 1};
    return DECODED_KEY;
}

/* A control sequence that no table knows: dropped whole, so that its letters run no commands. */
static enum decoded take_control(const char *bytes, size_t length, bool last, size_t *used,
                                 struct term_input *out)
{
    size_t at = 2;
    while (at < length && at < CONTROL_LENGTH_MAX && bytes[at] >= 0x20 && bytes[at] <= 0x3F)
        at++;
    if (at == length && at < CONTROL_LENGTH_MAX) {
        if (!last)
            return DECODED_PARTIAL;
        *used = 1; /* it was Escape after all, and then characters */
        return give(out, LKEY_ESCAPE);
    }
    char final = bytes[at];
    bool ended = final >= 0x40 && final <= 0x7E;
    if (ended && final == 'M' && at == 2) { /* the old mouse report: three bytes follow */
        if (length < 6 && !last)
            return DECODED_PARTIAL;
        *used = length < 6 ? length : 6;
        return DECODED_NOTHING;
    }
    *used = ended ? at + 1 : at;
    if (!ended)
        return DECODED_NOTHING;
    if (bytes[2] == '<')
        return take_mouse(bytes + 3, at - 3, final, out);
    return DECODED_NOTHING;
}

static enum decoded take_escape(struct decoder *d, const char *bytes, size_t length, bool last,
                                size_t *used, struct term_input *out)
{
    if (d->pasting) {
        size_t n = strlen(PASTE_END);
        if (length < n && memcmp(bytes, PASTE_END, length) == 0 && !last)
            return DECODED_PARTIAL;
        if (length < n || memcmp(bytes, PASTE_END, n) != 0) {
            *used = 1; /* a pasted Escape is no text */
            return DECODED_NOTHING;
        }
    }
    enum decoded known = take_known(d, bytes, length, last, used, out);
    if (known != DECODED_NOTHING)
        return known;
    if (length >= 2 && bytes[1] == '[')
        return take_control(bytes, length, last, used, out);
    if (length >= 3 && bytes[1] == 'O' && bytes[2] >= 0x40 && bytes[2] <= 0x7E) {
        *used = 3;
        return DECODED_NOTHING;
    }
    *used = 1;
    return give(out, LKEY_ESCAPE);
}

static enum decoded take_ascii(unsigned char byte, struct term_input *out)
{
    switch (byte) {
    case 8:
    case 127:
        return give(out, LKEY_BACKSPACE);
    case '\n':
    case '\r':
        return give(out, LKEY_ENTER);
    default:
        break;
    }
    bool control_letter = byte >= LKEY_CTRL_FIRST && byte <= 26;
    return control_letter || byte >= ' ' ? give(out, byte) : DECODED_NOTHING;
}

/* Whether more bytes could complete the character that begins here. */
static bool character_may_grow(const char *bytes, size_t length)
{
    unsigned char first = (unsigned char)bytes[0];
    size_t need = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || length >= need)
        return false;
    for (size_t i = 1; i < length; i++)
        if (((unsigned char)bytes[i] & 0xC0u) != 0x80u)
            return false;
    return true;
}

static enum decoded take_character(const struct decoder *d, const char *bytes, size_t length,
                                   bool last, size_t *used, struct term_input *out)
{
    *used = 1;
    if (!d->utf8) {
        wint_t wide = btowc((unsigned char)bytes[0]);
        bool shown = wide != WEOF && utf8_width((uint32_t)wide) > 0;
        return shown ? give(out, (uint32_t)wide) : DECODED_NOTHING;
    }
    if (!last && character_may_grow(bytes, length)) {
        *used = 0;
        return DECODED_PARTIAL;
    }
    uint32_t point;
    *used = utf8_decode(bytes, length, &point);
    bool broken = point == UTF8_REPLACEMENT || point < 0xA0;
    return broken ? DECODED_NOTHING : give(out, point);
}

enum decoded decoder_take(struct decoder *d, const char *bytes, size_t length, bool last,
                          size_t *used, struct term_input *out)
{
    *used = 0;
    if (length == 0)
        return DECODED_PARTIAL;
    if (bytes[0] == ESCAPE)
        return take_escape(d, bytes, length, last, used, out);
    if ((unsigned char)bytes[0] >= 0x80)
        return take_character(d, bytes, length, last, used, out);
    *used = 1;
    return take_ascii((unsigned char)bytes[0], out);
}
