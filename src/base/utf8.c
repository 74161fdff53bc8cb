/*
 * utf8: our own strict decoder (shortest form only, no surrogates, at most U+10FFFF) and utf8proc's
 * tables for categories and widths.
 */
#include "base/utf8.h"

#include "base/check.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

static bool is_continuation(const char *text, size_t length, size_t at)
{
    return at < length && ((unsigned char)text[at] & 0xC0u) == 0x80u;
}

size_t utf8_decode(const char *text, size_t length, uint32_t *point)
{
    static const uint32_t lowest[5] = {0, 0, 0x80, 0x800, 0x10000};

    CHECK(length > 0);
    uint32_t first = (unsigned char)text[0];
    if (first < 0x80) {
        *point = first;
        return 1;
    }
    size_t need = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    uint32_t value = first & (0x7Fu >> need);

    *point = UTF8_REPLACEMENT;
    if (first < 0xC2 || first > 0xF4) {
        return 1;
    }
    for (size_t i = 1; i < need; i++) {
        if (!is_continuation(text, length, i)) {
            return 1;
        }
        value = value << 6 | ((unsigned char)text[i] & 0x3Fu);
    }
    if (value < lowest[need] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
        return 1;
    }
    *point = value;
    return need;
}

size_t utf8_encode(uint32_t point, char out[4])
{
    if (point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) {
        point = UTF8_REPLACEMENT;
    }
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    if (point < 0x800) {
        out[0] = (char)(0xC0u | point >> 6);
        out[1] = (char)(0x80u | (point & 0x3Fu));
        return 2;
    }
    if (point < 0x10000) {
        out[0] = (char)(0xE0u | point >> 12);
        out[1] = (char)(0x80u | (point >> 6 & 0x3Fu));
        out[2] = (char)(0x80u | (point & 0x3Fu));
        return 3;
    }
    out[0] = (char)(0xF0u | point >> 18);
    out[1] = (char)(0x80u | (point >> 12 & 0x3Fu));
    out[2] = (char)(0x80u | (point >> 6 & 0x3Fu));
    out[3] = (char)(0x80u | (point & 0x3Fu));
    return 4;
}

int utf8_width(uint32_t point)
{
    if (point >= 0x20 && point < 0x7F) {
        return 1;
    }
    if (point < 0xA0) {
        return 0;
    }
    int width = utf8proc_charwidth((utf8proc_int32_t)point);
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)point);
    if (category == UTF8PROC_CATEGORY_CN || category == UTF8PROC_CATEGORY_CO) {
        return width == 2 ? 2 : 1; /* a terminal shows some box for what it does not know */
    }
    if (category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME) {
        return 0;
    }
    return width < 0 ? 0 : width;
}

/* Letters and marks that Unicode says to show as nothing at all. */
static bool is_filler(uint32_t point)
{
    return point == 0x034F || (point >= 0x115F && point <= 0x1160) ||
           (point >= 0x17B4 && point <= 0x17B5) || point == 0x3164 || point == 0xFFA0;
}

/* Points that steer a terminal, reorder the text around them, or cannot be seen. */
static bool is_hidden(uint32_t point)
{
    if (point < 0xA0) {
        return point < 0x20 || point >= 0x7F;
    }
    if (point >= 0xE0000 && point <= 0xE0FFF) {
        return true; /* tags, and what is set aside beside them */
    }
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)point);
    return category == UTF8PROC_CATEGORY_CF || category == UTF8PROC_CATEGORY_ZL ||
           category == UTF8PROC_CATEGORY_ZP || is_filler(point);
}

#define SHOWN_SIZE 12 /* "\u{10ffff}", the longest, and its end */

/* One point as it is shown. Returns bytes; *columns is set. */
static size_t show(uint32_t point, char out[SHOWN_SIZE], int *columns)
{
    if (is_hidden(point)) {
        int length =
            snprintf(out, SHOWN_SIZE, point < 0x80 ? "\\x%02x" : "\\u{%04x}", (unsigned)point);
        *columns = length;
        return (size_t)length;
    }
    *columns = utf8_width(point);
    return utf8_encode(point, out);
}

int utf8_columns(const char *text, size_t length)
{
    int total = 0;
    for (size_t at = 0; at < length;) {
        uint32_t point;
        char shown[SHOWN_SIZE];
        int columns;
        at += utf8_decode(text + at, length - at, &point);
        (void)show(point, shown, &columns);
        total += columns;
    }
    return total;
}

size_t utf8_fit(const char *text, size_t length, int columns)
{
    int used = 0;
    size_t at = 0;
    while (at < length) {
        uint32_t point;
        char shown[SHOWN_SIZE];
        int more;
        size_t bytes = utf8_decode(text + at, length - at, &point);
        (void)show(point, shown, &more);
        /* A mark takes no column and so always stays with its base. */
        if (more > columns - used) {
            return at;
        }
        used += more;
        at += bytes;
    }
    return at;
}

void utf8_visible(struct str *out, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        uint32_t point;
        char shown[SHOWN_SIZE];
        int columns;
        at += utf8_decode(text + at, length - at, &point);
        size_t bytes = show(point, shown, &columns);
        str_addn(out, shown, bytes);
    }
}

void utf8_visible_lines(struct str *out, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        const char *newline = memchr(text + at, '\n', length - at);
        size_t line = newline != NULL ? (size_t)(newline - text) - at : length - at;
        utf8_visible(out, text + at, line);
        at += line;
        if (newline != NULL) {
            str_addc(out, '\n');
            at++;
        }
    }
}

size_t utf8_cut(const char *text, size_t length, size_t bytes)
{
    if (length <= bytes) {
        return length;
    }
    size_t end = 0;
    for (size_t at = 0; at <= bytes;) {
        uint32_t point;
        end = at;
        at += utf8_decode(text + at, length - at, &point);
    }
    return end;
}

struct ascii_range {
    uint32_t first;
    uint32_t last;
    char ascii;
};

char utf8_ascii(uint32_t point)
{
    static const struct ascii_range table[] = {
        {0x00A0, 0x00A0, ' '},                          /* no-break space */
        {0x00AB, 0x00AB, '"'},  {0x00B7, 0x00B7, '.'},  /* guillemet, middle dot */
        {0x00BB, 0x00BB, '"'},  {0x00D7, 0x00D7, 'x'},  /* guillemet, times */
        {0x2010, 0x2015, '-'},                          /* hyphens and dashes */
        {0x2018, 0x201B, '\''}, {0x201C, 0x201F, '"'},  /* quotes */
        {0x2020, 0x2021, '+'},  {0x2022, 0x2023, '*'},  /* daggers, bullets */
        {0x2026, 0x2026, '.'},  {0x2032, 0x2032, '\''}, /* ellipsis, prime */
        {0x2039, 0x2039, '<'},  {0x203A, 0x203A, '>'},  /* single guillemets */
        {0x2190, 0x2190, '<'},  {0x2191, 0x2191, '^'},  /* arrows */
        {0x2192, 0x2192, '>'},  {0x2193, 0x2193, 'v'},  {0x2194, 0x2194, '-'},
        {0x2195, 0x2195, '|'},  {0x21D0, 0x21D0, '<'},  {0x21D2, 0x21D2, '>'},
        {0x2212, 0x2212, '-'},  {0x2215, 0x2215, '/'}, /* minus, division slash */
        {0x2248, 0x2248, '~'},  {0x2260, 0x2260, '!'}, /* almost equal, not equal */
        {0x2264, 0x2264, '<'},  {0x2265, 0x2265, '>'},  {0x2500, 0x2501, '-'},
        {0x2502, 0x2503, '|'}, /* box lines */
        {0x2504, 0x2505, '-'},  {0x2506, 0x2507, '|'},  {0x2508, 0x2509, '-'},
        {0x250A, 0x250B, '|'},  {0x250C, 0x254B, '+'},  {0x254C, 0x254D, '-'},
        {0x254E, 0x254F, '|'},  {0x2550, 0x2550, '='},  {0x2551, 0x2551, '|'},
        {0x2552, 0x2570, '+'},  {0x2571, 0x2571, '/'},  {0x2572, 0x2572, '\\'},
        {0x2573, 0x2573, 'x'},  {0x2574, 0x2574, '-'},  {0x2575, 0x2575, '|'},
        {0x2576, 0x2576, '-'},  {0x2577, 0x2577, '|'},  {0x2578, 0x2578, '-'},
        {0x2579, 0x2579, '|'},  {0x257A, 0x257A, '-'},  {0x257B, 0x257B, '|'},
        {0x257C, 0x257C, '-'},  {0x257D, 0x257D, '|'},  {0x257E, 0x257E, '-'},
        {0x257F, 0x257F, '|'},  {0x2580, 0x2590, '#'}, /* blocks */
        {0x2591, 0x2591, '.'},  {0x2592, 0x2592, ':'},  {0x2593, 0x2593, '#'},
        {0x2594, 0x259F, '#'},  {0x25A0, 0x25A0, '#'},  {0x25A1, 0x25A1, 'o'}, /* shapes */
        {0x25B2, 0x25B3, '^'},  {0x25B6, 0x25B8, '>'},  {0x25BC, 0x25BE, 'v'},
        {0x25C0, 0x25C2, '<'},  {0x25C6, 0x25C8, '*'},  {0x25CB, 0x25CB, 'o'},
        {0x25CF, 0x25CF, '*'},  {0x25E6, 0x25E6, 'o'},  {0x2605, 0x2606, '*'},
        {0x2713, 0x2714, 'v'}, /* stars, ticks and crosses */
        {0x2717, 0x2718, 'x'},
    };

    if (point < 0x80) {
        return (char)point;
    }
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (point >= table[i].first && point <= table[i].last) {
            return table[i].ascii;
        }
    }
    return '?';
}
