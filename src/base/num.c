/*
 * num: text from integers by integer arithmetic; nothing here asks the locale.
 */
#include "base/num.h"

#include "base/check.h"
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define LAST_HOUR 47 /* the story's day and the one after it */

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* Texts of numbers are built from their last digit to the first, then turned round. */
static struct num_text turned(const char *reversed, size_t length)
{
    struct num_text out;
    CHECK(length < sizeof out.text);
    for (size_t i = 0; i < length; i++) {
        out.text[i] = reversed[length - 1 - i];
    }
    out.text[length] = '\0';
    return out;
}

struct num_text num_grouped(int64_t value)
{
    char reversed[NUM_TEXT_SIZE];
    size_t length = 0;
    uint64_t rest = magnitude(value);

    for (int digits = 0; digits == 0 || rest > 0; digits++) {
        if (digits > 0 && digits % 3 == 0) {
            reversed[length++] = ',';
        }
        reversed[length++] = (char)('0' + rest % 10);
        rest /= 10;
    }
    if (value < 0) {
        reversed[length++] = '-';
    }
    return turned(reversed, length);
}

struct num_text num_ratio(int64_t part, int64_t whole, int decimals)
{
    char reversed[NUM_TEXT_SIZE];
    size_t length = 0;

    CHECK(decimals >= 0 && decimals <= 6 && whole >= 0);
    if (whole == 0) {
        return turned("-", 1);
    }
    uint64_t unit = 1;
    for (int i = 0; i < decimals; i++) {
        unit *= 10;
    }
    unsigned __int128 twice = (unsigned __int128)magnitude(part) * 200 * unit;
    unsigned __int128 rest = (twice / (uint64_t)whole + 1) / 2;
    bool negative = part < 0 && rest > 0;
    for (int digits = 0; digits <= decimals || rest > 0; digits++) {
        if (digits > 0 && digits == decimals) {
            reversed[length++] = '.';
        }
        reversed[length++] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    }
    if (negative) {
        reversed[length++] = '-';
    }
    return turned(reversed, length);
}

struct num_text num_clock(int64_t us)
{
    struct num_text out;
    uint64_t ms = magnitude(us) / 1000;
    (void)snprintf(out.text, sizeof out.text, "%s%02" PRIu64 ":%02u:%02u.%03u", us < 0 ? "-" : "",
                   ms / 3600000, (unsigned)(ms / 60000 % 60), (unsigned)(ms / 1000 % 60),
                   (unsigned)(ms % 1000));
    return out;
}

struct num_text num_span(int64_t us)
{
    struct num_text out;
    uint64_t whole = magnitude(us);
    const char *sign = us < 0 ? "-" : "";
    if (whole < 1000) {
        (void)snprintf(out.text, sizeof out.text, "%s%u us", sign, (unsigned)whole);
        return out;
    }
    const char *unit = whole < 1000000 ? "ms" : "s";
    uint64_t thousandths = whole < 1000000 ? whole : (whole + 500) / 1000;
    char fraction[5] = "";
    unsigned rest = (unsigned)(thousandths % 1000);
    if (rest > 0) {
        (void)snprintf(fraction, sizeof fraction, ".%03u", rest % 1000);
        for (size_t end = 3; fraction[end] == '0'; end--) {
            fraction[end] = '\0';
        }
    }
    (void)snprintf(out.text, sizeof out.text, "%s%" PRIu64 "%s %s", sign, thousandths / 1000,
                   fraction, unit);
    return out;
}

/* Exactly `count` decimal digits at *at; moves past them. -1 when they are not there. */
static int64_t digits_at(const char **at, int count)
{
    int64_t value = 0;
    for (int i = 0; i < count; i++, (*at)++) {
        if (**at < '0' || **at > '9') {
            return -1;
        }
        value = value * 10 + (**at - '0');
    }
    return value;
}

static bool literal_at(const char **at, char c)
{
    if (**at != c) {
        return false;
    }
    (*at)++;
    return true;
}

static bool parse_clock(const char *text, int64_t *us)
{
    const char *at = text;
    int64_t hours = digits_at(&at, 2);
    if (hours < 0 || hours > LAST_HOUR || !literal_at(&at, ':')) {
        return false;
    }
    int64_t minutes = digits_at(&at, 2);
    if (minutes < 0 || minutes > 59 || !literal_at(&at, ':')) {
        return false;
    }
    int64_t seconds = digits_at(&at, 2);
    if (seconds < 0 || seconds > 59) {
        return false;
    }
    int64_t fraction = 0;
    if (literal_at(&at, '.')) {
        bool to_us = strlen(at) == 6;
        fraction = digits_at(&at, to_us ? 6 : 3);
        if (fraction < 0) {
            return false;
        }
        fraction *= to_us ? 1 : US_PER_MS;
    }
    if (*at != '\0') {
        return false;
    }
    *us = ((hours * 60 + minutes) * 60 + seconds) * US_PER_SECOND + fraction;
    return true;
}

bool num_parse_clock(const char *text, int64_t *us, struct err *err)
{
    if (!parse_clock(text, us)) {
        return err_set(err, "\"%s\" is not a time of day; write it as 20:11:10 or 20:11:10.476",
                       err_word(text, 40).text);
    }
    return true;
}

bool num_parse_u64(const char *text, const char *what, uint64_t low, uint64_t high, uint64_t *out,
                   struct err *err)
{
    uint64_t value = 0;
    bool number = *text != '\0';
    bool fits = true;
    for (const char *c = text; *c != '\0' && number; c++) {
        unsigned digit = (unsigned)(unsigned char)*c - '0';
        number = digit <= 9;
        fits = fits && value <= (UINT64_MAX - digit) / 10;
        value = value * 10 + digit;
    }
    if (!number) {
        return err_set(err,
                       "%s: \"%s\" is not a whole number; give one from %" PRIu64 " to %" PRIu64,
                       what, err_word(text, 40).text, low, high);
    }
    if (!fits || value < low || value > high) {
        return err_set(err, "%s: %s is out of range; give a number from %" PRIu64 " to %" PRIu64,
                       what, err_word(text, 40).text, low, high);
    }
    *out = value;
    return true;
}
