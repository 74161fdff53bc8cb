/*
 * str: growth by doubling, always one byte of room for the terminator.
 */
#include "base/str.h"

#include "base/alloc.h"
#include "base/check.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `more` bytes and the terminator. */
static void reserve(struct str *s, size_t more)
{
    CHECK(more < SIZE_MAX / 4 && s->length < SIZE_MAX / 4);
    size_t need = s->length + more + 1;
    if (need <= s->room) {
        return;
    }
    size_t room = s->room < 32 ? 32 : s->room;
    while (room < need) {
        room *= 2;
    }
    s->text = xrealloc(s->text, room, 1);
    s->room = room;
}

void str_free(struct str *s)
{
    free(s->text);
    *s = STR_EMPTY;
}

void str_clear(struct str *s)
{
    s->length = 0;
    if (s->text != NULL) {
        s->text[0] = '\0';
    }
}

const char *str_text(const struct str *s)
{
    return s->text == NULL ? "" : s->text;
}

void str_add(struct str *s, const char *text)
{
    str_addn(s, text, strlen(text));
}

void str_addn(struct str *s, const char *text, size_t length)
{
    /* Text from inside s itself would move under our feet. */
    CHECK(s->text == NULL || length == 0 || text + length <= s->text || text >= s->text + s->room);
    reserve(s, length);
    if (length > 0) {
        memcpy(s->text + s->length, text, length);
    }
    s->length += length;
    s->text[s->length] = '\0';
}

void str_addc(struct str *s, char c)
{
    str_addn(s, &c, 1);
}

void str_pad(struct str *s, char c, size_t count)
{
    reserve(s, count);
    memset(s->text + s->length, c, count);
    s->length += count;
    s->text[s->length] = '\0';
}

void str_addvf(struct str *s, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    CHECK(length >= 0);

    reserve(s, (size_t)length);
    int wrote = vsnprintf(s->text + s->length, (size_t)length + 1, format, args);
    CHECK(wrote == length);
    s->length += (size_t)length;
}

void str_addf(struct str *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    str_addvf(s, format, args);
    va_end(args);
}

char *str_take(struct str *s)
{
    reserve(s, 0);
    s->text[s->length] = '\0';
    char *text = s->text;
    *s = STR_EMPTY;
    return text;
}

struct bytes bytes_of(const char *text)
{
    return (struct bytes){.at = text, .length = strlen(text)};
}

bool bytes_equal(struct bytes a, struct bytes b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}

bool str_starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}
