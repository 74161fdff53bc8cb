/*
 * str: a growable string and a borrowed run of bytes.
 *
 * `struct str` owns its buffer: start from STR_EMPTY (or zero), free with str_free. `text` is
 * always terminated once anything was added (str_text gives "" before). May hold any bytes.
 * `struct bytes` owns nothing and may hold NUL bytes: keys are bytes.
 */
#ifndef HOTSHARD_BASE_STR_H
#define HOTSHARD_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct str {
    char *text;
    size_t length;
    size_t room;
};

struct bytes {
    const char *at;
    size_t length;
};

#define STR_EMPTY ((struct str){0})

void str_free(struct str *s);
void str_clear(struct str *s); /* length 0, keeps the buffer */
const char *str_text(const struct str *s);
void str_add(struct str *s, const char *text);
void str_addn(struct str *s, const char *text, size_t length);
void str_addc(struct str *s, char c);
void str_pad(struct str *s, char c, size_t count);
void str_addf(struct str *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void str_addvf(struct str *s, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
char *str_take(struct str *s); /* gives the buffer away (never NULL) and empties s */

struct bytes bytes_of(const char *text);
bool bytes_equal(struct bytes a, struct bytes b);
bool str_starts(const char *text, const char *prefix);

#endif
