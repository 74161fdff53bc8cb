/*
 * err: an error as a value.
 *
 * A function that can fail returns bool (or a pointer) and takes a `struct err *` last. On failure
 * it fills it with one sentence that says what happened, where, and what to do; no newline. The
 * text is safe to show: control characters were made visible. `err` may be NULL where the caller
 * does not want the text.
 */
#ifndef HOTSHARD_BASE_ERR_H
#define HOTSHARD_BASE_ERR_H

#include <stdbool.h>

#define ERR_TEXT_MAX 512

struct err {
    char text[ERR_TEXT_MAX];
};

/* Fills `err` and returns false, so that callers write `return err_set(err, "...")`. */
bool err_set(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Puts "prefix: " before the text that is there; returns false. */
bool err_prefix(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A stranger's word inside a sentence: safe to show, at most so many columns, "..." where it was
 * cut. Write err_word(name, 60).text, never "%.60s": that cuts inside a character. */
struct err_word {
    char text[ERR_TEXT_MAX];
};
struct err_word err_word(const char *text, int columns);

#endif
