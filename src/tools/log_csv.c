/*
 * log_csv: rows of comma-separated values (RFC 4180), a row a line.
 *
 * A field in double quotes may hold commas, and quotes written twice; one that goes over the end of
 * its line makes an odd line. Columns are found by their names in the header, whatever the case.
 */
#include "base/alloc.h"
#include "tools/log_inside.h"
#include <stdio.h>
#include <string.h>

#define TRACE_COLUMNS 7
#define NAME_SHOWN 20
#define COLUMNS_SHOWN 8

static const char *const key_names[] = {"key", NULL};
static const char *const use_names[] = {"operation", "op", "command", "cmd", "method", NULL};
static const char *const time_names[] = {"time", "timestamp", "ts", "seconds", NULL};

/* --- fields --- */

static struct bytes without_return(struct bytes line)
{
    if (line.length > 0 && line.at[line.length - 1] == '\r') {
        line.length--;
    }
    return line;
}

/* A field in quotes, from behind the opening one; returns where the next begins, 0 when the quote
 * does not end. */
static size_t quoted_field(struct bytes line, size_t at, char separator, char *out,
                           struct bytes *field)
{
    size_t length = 0;
    for (;; at++) {
        if (at >= line.length) {
            return 0;
        }
        if (line.at[at] == '"') {
            at++;
            if (at >= line.length || line.at[at] != '"') {
                break;
            }
        }
        out[length++] = line.at[at];
    }
    *field = (struct bytes){out, length};
    return at == line.length || line.at[at] == separator ? at + 1 : 0;
}

/* False: a quote without an end. */
static bool split(struct log_parts *parts, struct bytes line, char separator)
{
    log_parts_start(parts, line.length);
    char *out = parts->text;
    for (size_t at = 0; at <= line.length;) {
        struct bytes field;
        if (at < line.length && line.at[at] == '"') {
            at = quoted_field(line, at + 1, separator, out, &field);
            out += at > 0 ? field.length : 0;
        } else {
            const char *from = line.at + at;
            const char *end = at < line.length ? memchr(from, separator, line.length - at) : NULL;
            field = (struct bytes){from, end != NULL ? (size_t)(end - from) : line.length - at};
            at += field.length + 1;
        }
        if (at == 0) {
            return false;
        }
        log_parts_add(parts, field);
    }
    return true;
}

/* A cache trace's keys are not quoted and may hold commas: five columns stand behind them. */
static bool split_trace(struct log_parts *parts, struct bytes line)
{
    if (!split(parts, line, ',') || parts->count < TRACE_COLUMNS) {
        return false;
    }
    size_t more = parts->count - TRACE_COLUMNS;
    struct bytes *key = &parts->part[1];
    if (more > 0) {
        const struct bytes *end = &parts->part[1 + more];
        key->length = (size_t)(end->at + end->length - key->at);
        memmove(key + 1, key + 1 + more, (TRACE_COLUMNS - 2) * sizeof *key);
        parts->count = TRACE_COLUMNS;
    }
    return true;
}

/* --- columns --- */

static bool is_name(struct bytes field, const char *name)
{
    size_t i = 0;
    for (; i < field.length && name[i] != '\0'; i++) {
        char c = field.at[i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != name[i]) {
            return false;
        }
    }
    return i == field.length && name[i] == '\0';
}

static size_t find_column(const struct log_parts *parts, const char *const *names)
{
    for (; *names != NULL; names++) {
        for (size_t i = 0; i < parts->count; i++) {
            if (is_name(parts->part[i], *names)) {
                return i;
            }
        }
    }
    return LOG_NO_COLUMN;
}

static bool is_whole(struct bytes field)
{
    size_t at = field.length > 1 && field.at[0] == '-' ? 1 : 0;
    for (size_t i = at; i < field.length; i++) {
        if (field.at[i] < '0' || field.at[i] > '9') {
            return false;
        }
    }
    return field.length > at;
}

static bool begin_trace(struct log_reader *r, struct bytes line)
{
    struct log_parts *p = &r->parts;
    if (!split_trace(p, line) || !is_whole(p->part[0]) || !is_whole(p->part[2]) ||
        !is_whole(p->part[3]) || log_command_find(p->part[5]) == NULL || !is_whole(p->part[6])) {
        return false;
    }
    r->csv = (struct csv_shape){.separator = ',', .trace = true, .key = 1, .use = 5, .time = 0};
    snprintf(r->why, sizeof r->why,
             "found by the seven columns of a cache trace in the first line");
    return true;
}

static bool begin_header(struct log_reader *r, struct bytes line)
{
    static const char separators[] = ",;\t";
    if (line.length >= 3 && memcmp(line.at, "\xEF\xBB\xBF", 3) == 0) { /* a byte order mark */
        line = (struct bytes){line.at + 3, line.length - 3};
    }
    for (const char *separator = separators; *separator != '\0'; separator++) {
        if (!split(&r->parts, line, *separator)) {
            continue;
        }
        size_t key = find_column(&r->parts, key_names);
        if (key == LOG_NO_COLUMN) {
            continue;
        }
        r->csv = (struct csv_shape){
            .separator = *separator,
            .header = true,
            .key = key,
            .use = find_column(&r->parts, use_names),
            .time = find_column(&r->parts, time_names),
        };
        snprintf(r->why, sizeof r->why, "found by the column \"key\" that the first line names");
        return true;
    }
    return false;
}

static bool refuse_columns(struct log_reader *r, struct bytes line, struct err *err)
{
    struct str names = STR_EMPTY;
    bool good = split(&r->parts, line, ',');
    for (size_t i = 0; good && i < r->parts.count && i < COLUMNS_SHOWN; i++) {
        struct bytes field = r->parts.part[i];
        struct str name = STR_EMPTY;
        str_addn(&name, field.at, field.length < NAME_SHOWN * 4 ? field.length : NAME_SHOWN * 4);
        str_addf(&names, "%s%s", i > 0 ? ", " : "", err_word(str_text(&name), NAME_SHOWN).text);
        str_free(&name);
    }
    if (good && r->parts.count > COLUMNS_SHOWN) {
        str_addf(&names, ", and %zu more", r->parts.count - COLUMNS_SHOWN);
    }
    err_set(err, "line 1 names no column \"key\" (it has: %s); put a header line before the rows",
            str_text(&names));
    str_free(&names);
    return false;
}

bool csv_begin(struct log_reader *r, struct bytes line, bool asked, struct err *err)
{
    line = without_return(line);
    if (begin_header(r, line) || begin_trace(r, line)) {
        return true;
    }
    if (asked && split(&r->parts, line, ',') && r->parts.count == 1) {
        r->csv = (struct csv_shape){.separator = ',', .use = LOG_NO_COLUMN, .time = LOG_NO_COLUMN};
        snprintf(r->why, sizeof r->why, "as you said, a single column without a header");
        return true;
    }
    return asked && refuse_columns(r, line, err);
}

/* --- rows --- */

static const struct bytes *column(const struct log_parts *parts, size_t index)
{
    return index < parts->count ? &parts->part[index] : NULL;
}

/* Operations by any of the names that logs give them: Redis', memcached's, HTTP's, plain words. */
static enum log_use use_of(const struct bytes *operation)
{
    static const char *const reads[] = {"read", "r", "head", NULL};
    static const char *const writes[] = {"write", "w", "put", "post", "patch", "update", NULL};
    if (operation == NULL) {
        return LOG_EITHER;
    }
    const struct log_command *command = log_command_find(*operation);
    struct log_parts one = {.part = &(struct bytes){operation->at, operation->length}, .count = 1};
    return command != NULL                              ? command->use
           : find_column(&one, reads) != LOG_NO_COLUMN  ? LOG_READ
           : find_column(&one, writes) != LOG_NO_COLUMN ? LOG_WRITE
                                                        : LOG_EITHER;
}

bool csv_take(struct log_reader *r, struct bytes line, struct log_request *request)
{
    const struct csv_shape *csv = &r->csv;
    line = without_return(line);
    if (csv->header && r->counts.lines == 1) {
        return false;
    }
    bool good = csv->trace ? split_trace(&r->parts, line) : split(&r->parts, line, csv->separator);
    const struct bytes *key = good ? column(&r->parts, csv->key) : NULL;
    if (key == NULL) {
        r->counts.first_odd = r->counts.odd++ == 0 ? r->counts.lines : r->counts.first_odd;
        return false;
    }
    const struct bytes *time = column(&r->parts, csv->time);
    enum log_use use = use_of(column(&r->parts, csv->use));
    *request = (struct log_request){key, 1, use, LOG_NO_TIME};
    if (time != NULL && !log_parse_seconds(*time, &request->at_us)) {
        request->at_us = LOG_NO_TIME;
    }
    return true;
}
