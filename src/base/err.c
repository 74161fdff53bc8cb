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

    size_t fits = utf8_cut(str_text(&shown), shown.length, ERR_TEXT_MAX - 1);
    memcpy(err->text, str_text(&shown), fits);
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

struct err_word err_word(const char *text, int columns)
{
    struct err_word word;
    struct str shown = STR_EMPTY;
    size_t most = sizeof word.text - sizeof "...";
    size_t length = strnlen(text, sizeof word.text); /* no byte takes less than one to show */
    size_t columns_fit = utf8_fit(text, length, columns);
    utf8_visible(&shown, text, columns_fit);
    const char *from = str_text(&shown);
    size_t fits = utf8_cut(from, shown.length, most);
    bool whole = fits == shown.length && text[columns_fit] == '\0';
    (void)snprintf(word.text, sizeof word.text, "%.*s%s", (int)fits, from, whole ? "" : "...");
    str_free(&shown);
    return word;
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
