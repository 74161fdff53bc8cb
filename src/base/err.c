/*
 * err: one sentence, made safe to show and cut at a whole character.
 */
#include "base/err.h"

#include "base/check.h"
#include "base/str.h"
#include "base/utf8.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void keep(struct err *err, const char *raw, size_t length)
{
    struct str shown = STR_EMPTY;
    utf8_visible(&shown, raw, length);

    size_t fits = shown.length < ERR_TEXT_MAX ? shown.length : ERR_TEXT_MAX - 1;
    const char *text = str_text(&shown);
    /* Continuation bytes at the cut belong to a character that does not fit. */
    while (fits > 0 && fits < shown.length && ((unsigned char)text[fits] & 0xC0u) == 0x80u) {
        fits--;
    }
    memcpy(err->text, text, fits);
    err->text[fits] = '\0';
    str_free(&shown);
}

bool err_set(struct err *err, const char *format, ...)
{
    if (err == NULL) {
        return false;
    }
    char raw[2 * ERR_TEXT_MAX];
    va_list args;
    va_start(args, format);
    int wanted = vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    CHECK(wanted >= 0);
    keep(err, raw, strlen(raw));
    return false;
}

bool err_prefix(struct err *err, const char *format, ...)
{
    if (err == NULL) {
        return false;
    }
    char raw[2 * ERR_TEXT_MAX];
    va_list args;
    va_start(args, format);
    int wanted = vsnprintf(raw, sizeof raw, format, args);
    va_end(args);
    CHECK(wanted >= 0);

    struct str whole = STR_EMPTY;
    str_add(&whole, raw);
    str_add(&whole, ": ");
    str_add(&whole, err->text);
    keep(err, whole.text, whole.length);
    str_free(&whole);
    return false;
}
