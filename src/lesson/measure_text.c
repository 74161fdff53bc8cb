#include "lesson/measure_text.h"
#include "base/utf8.h"
#include <stdbool.h>
#include <string.h>

size_t text_words(const char *text)
{
    size_t words = 0;
    while (*(text += strspn(text, " \n\t")) != '\0') {
        words++;
        text += strcspn(text, " \n\t");
    }
    return words;
}

/* Columns without markup: stars, backticks and the double brackets of a glossary word. */
static int visible_columns(const char *text, size_t length)
{
    int columns = utf8_columns(text, length);
    for (size_t i = 0; i < length; i++) {
        bool pair = i + 1 < length && text[i] == text[i + 1];
        if (text[i] == '*' || text[i] == '`') {
            columns--;
        } else if (pair && (text[i] == '[' || text[i] == ']')) {
            columns -= 2;
            i++;
        }
    }
    return columns;
}

/* One line's words onto the row that is under way; returns how many rows were begun. */
static size_t flow(const char *line, size_t length, int columns, int *used)
{
    size_t rows = 0;
    for (size_t at = 0; at < length;) {
        at += strspn(line + at, " \t");
        size_t word = 0;
        while (at + word < length && line[at + word] != ' ' && line[at + word] != '\t') {
            word++;
        }
        if (word == 0) {
            break;
        }
        int width = visible_columns(line + at, word);
        if (*used == 0 || *used + 1 + width > columns) {
            rows += (size_t)(width > columns ? (width + columns - 1) / columns : 1);
            *used = width > columns ? width % columns : width;
        } else {
            *used += 1 + width;
        }
        at += word;
    }
    return rows;
}

size_t text_rows(const char *text, int columns)
{
    size_t rows = 0;
    int used = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        bool kept = length > 2 && text[0] == ' ' && text[1] == ' ';
        if (length == 0) {
            rows++;
            used = 0;
        } else if (kept) {
            rows += (size_t)((utf8_columns(text, length) + columns - 1) / columns);
            used = 0;
        } else {
            rows += flow(text, length, columns, &used);
        }
        text += length + (text[length] == '\n');
    }
    return rows;
}

uint32_t text_odd_character(const char *text)
{
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        uint32_t point = 0;
        at += utf8_decode(text + at, length - at, &point);
        bool control = point < 0x20 && point != '\n';
        if (control || (point >= 0x7F && utf8_ascii(point) == '?')) {
            return point;
        }
    }
    return 0;
}
