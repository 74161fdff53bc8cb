/*
 * options: see options.h. The only place of the program that reads a clock.
 */
#include "app/cmd/options.h"
#include "base/num.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NS_PER_SECOND INT64_C(1000000000)
#define SECONDS_PER_DAY INT64_C(86400)

static bool env_on(const char *name)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

struct options options_default(void)
{
    struct options o = {.color = COLOR_AUTO, .seed = 1, .columns = 100, .rows = 30};
    o.plain = env_on("HOTSHARD_PLAIN");
    o.ascii = env_on("HOTSHARD_ASCII");
    o.no_motion = env_on("HOTSHARD_NO_MOTION");
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    if (epoch && options_parse_time(epoch, &o.now, NULL)) {
        o.now_given = true;
    }
    return o;
}

/* Days since 1970-01-01 of a date of the Gregorian calendar. */
static int64_t days_from_date(int64_t year, int64_t month, int64_t day)
{
    /* Counting years from March puts the leap day at a year's end. */
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = y / 400;
    int64_t year_of_era = y - era * 400;
    int64_t month_from_march = month <= 2 ? month + 9 : month - 3;
    int64_t day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

/* `count` digits at *at, which moves past them. */
static bool take_digits(const char **at, int count, int64_t *out)
{
    int64_t value = 0;
    for (int i = 0; i < count; i++) {
        char c = **at;
        if (c < '0' || c > '9') {
            return false;
        }
        value = value * 10 + (c - '0');
        (*at)++;
    }
    *out = value;
    return true;
}

static bool take_char(const char **at, char c)
{
    if (**at != c) {
        return false;
    }
    (*at)++;
    return true;
}

static int64_t days_of_month(int64_t year, int64_t month)
{
    static const int8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

static bool parse_date(const char *text, int64_t *seconds)
{
    int64_t year = 0;
    int64_t month = 0;
    int64_t day = 0;
    int64_t hour = 0;
    int64_t minute = 0;
    int64_t second = 0;
    const char *at = text;
    if (!take_digits(&at, 4, &year) || !take_char(&at, '-') || !take_digits(&at, 2, &month) ||
        !take_char(&at, '-') || !take_digits(&at, 2, &day)) {
        return false;
    }
    if (*at == 'T' || *at == ' ') {
        at++;
        if (!take_digits(&at, 2, &hour) || !take_char(&at, ':') || !take_digits(&at, 2, &minute) ||
            !take_char(&at, ':') || !take_digits(&at, 2, &second)) {
            return false;
        }
        if (*at == 'Z') {
            at++;
        }
    }
    if (*at || year < 1970 || month < 1 || month > 12 || day < 1 ||
        day > days_of_month(year, month) || hour > 23 || minute > 59 || second > 59) {
        return false;
    }
    *seconds =
        days_from_date(year, month, day) * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second;
    return true;
}

bool options_parse_time(const char *text, int64_t *seconds, struct err *err)
{
    uint64_t whole = 0;
    if (parse_date(text, seconds)) {
        return true;
    }
    if (num_parse_u64(text, "the time", 0, INT64_C(253402300799), &whole, NULL)) {
        *seconds = (int64_t)whole;
        return true;
    }
    return err_set(err,
                   "the time \"%s\" is not a date; write 2026-11-30, 2026-11-30T20:00:00Z "
                   "or seconds since 1970",
                   err_word(text, 40).text);
}

bool options_parse_size(const char *text, int *columns, int *rows, struct err *err)
{
    const char *x = strchr(text, 'x');
    if (x && x - text < 8) {
        char first[8] = {0};
        memcpy(first, text, (size_t)(x - text));
        uint64_t w = 0;
        uint64_t h = 0;
        if (num_parse_u64(first, "columns", 1, CANVAS_COLUMNS_MAX, &w, NULL) &&
            num_parse_u64(x + 1, "rows", 1, CANVAS_ROWS_MAX, &h, NULL)) {
            *columns = (int)w;
            *rows = (int)h;
            return true;
        }
    }
    return err_set(err,
                   "the size \"%s\" is not COLUMNSxROWS, 1x1 to %dx%d; write for example "
                   "80x24",
                   err_word(text, 40).text, CANVAS_COLUMNS_MAX, CANVAS_ROWS_MAX);
}

bool options_parse_color(const char *text, enum color_wish *color, struct err *err)
{
    if (strcmp(text, "auto") == 0) {
        *color = COLOR_AUTO;
    } else if (strcmp(text, "always") == 0) {
        *color = COLOR_ALWAYS;
    } else if (strcmp(text, "never") == 0) {
        *color = COLOR_NEVER;
    } else {
        return err_set(err, "--color takes auto, always or never, not \"%s\"",
                       err_word(text, 40).text);
    }
    return true;
}

int64_t options_now(const struct options *options)
{
    return options->now_given ? options->now : (int64_t)time(NULL);
}

int64_t clock_ns(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        return 0;
    }
    return (int64_t)now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}
