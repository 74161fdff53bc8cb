/*
 * log_monitor: the lines that redis-cli MONITOR prints.
 *
 *     1700000000.000100 [0 127.0.0.1:51000] "SET" "post:{p9}" "hello"
 *
 * An argument stands in quotes, with \" \\ \n \r \t \a \b and \xNN inside. The client is an
 * address (IPv6 in brackets of its own), a unix socket's path, or the word lua.
 */
#include "base/alloc.h"
#include "base/utf8.h"
#include "tools/log_inside.h"
#include <stdio.h>
#include <string.h>

struct monitor_head {
    int64_t at_us;
    bool other_db;
    bool script;
    size_t length; /* of the line up to its first quote */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The end of "client]" from `at` on: the first bracket before a blank and a quote. */
static size_t find_client_end(struct bytes line, size_t at)
{
    while (at + 2 < line.length) {
        const char *bracket = memchr(line.at + at, ']', line.length - at - 2);
        if (bracket == NULL) {
            return 0;
        }
        if (bracket[1] == ' ' && bracket[2] == '"') {
            return (size_t)(bracket - line.at);
        }
        at = (size_t)(bracket - line.at) + 1;
    }
    return 0;
}

static bool read_head(struct bytes line, struct monitor_head *head)
{
    const char *blank = line.length > 0 ? memchr(line.at, ' ', line.length) : NULL;
    size_t at = blank != NULL ? (size_t)(blank - line.at) : 0;
    if (blank == NULL || !log_parse_seconds((struct bytes){line.at, at}, &head->at_us) ||
        at + 2 >= line.length || line.at[at + 1] != '[') {
        return false;
    }
    at += 2;
    size_t db = at;
    while (at < line.length && is_digit(line.at[at])) {
        at++;
    }
    if (at == db || at == line.length || line.at[at] != ' ') {
        return false;
    }
    head->other_db = at - db != 1 || line.at[db] != '0';
    size_t client = at + 1;
    size_t end = find_client_end(line, client);
    if (end == 0) {
        return false;
    }
    head->script = bytes_equal((struct bytes){line.at + client, end - client}, bytes_of("lua"));
    head->length = end + 2;
    return true;
}

bool monitor_looks_like(struct bytes line)
{
    struct monitor_head head;
    return read_head(line, &head);
}

/* --- arguments --- */

static int hex_value(char c)
{
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The byte that an escape stands for, *used the bytes it takes behind the backslash; -1: none. */
static int unescape(const char *at, size_t left, size_t *used)
{
    static const char from[] = "nrtab\"\\";
    static const char to[] = "\n\r\t\a\b\"\\";
    *used = 1;
    if (left >= 3 && at[0] == 'x') {
        int high = hex_value(at[1]);
        int low = hex_value(at[2]);
        *used = 3;
        return high < 0 || low < 0 ? -1 : high * 16 + low;
    }
    const char *known = left > 0 && at[0] != '\0' ? strchr(from, at[0]) : NULL;
    return known != NULL ? (unsigned char)to[known - from] : -1;
}

/* From behind the opening quote to behind the closing one; 0: there is none, or a wrong escape.
 * Only what has escapes is copied, to out. */
static size_t read_quoted(struct bytes line, size_t start, char *out, struct bytes *argument)
{
    size_t length = 0;
    size_t at = start;
    while (at < line.length && line.at[at] != '"' && line.at[at] != '\\') {
        at++;
    }
    if (at < line.length && line.at[at] == '"') {
        *argument = (struct bytes){line.at + start, at - start};
        return at + 1;
    }
    length = at - start;
    memcpy(out, line.at + start, length);
    while (at < line.length && line.at[at] != '"') {
        size_t used = 0;
        int byte = (unsigned char)line.at[at++];
        if (byte == '\\') {
            byte = unescape(line.at + at, line.length - at, &used);
        }
        if (byte < 0) {
            return 0;
        }
        out[length++] = (char)byte;
        at += used;
    }
    *argument = (struct bytes){out, length};
    return at < line.length ? at + 1 : 0;
}

static bool split(struct log_parts *parts, struct bytes line, size_t at)
{
    char *out = parts->text;
    for (;;) {
        struct bytes argument;
        if (at >= line.length || line.at[at] != '"') {
            return false;
        }
        at = read_quoted(line, at + 1, out, &argument);
        if (at == 0) {
            return false;
        }
        if (argument.at == out) {
            out += argument.length;
        }
        log_parts_add(parts, argument);
        if (at == line.length) {
            return true;
        }
        if (line.at[at++] != ' ') {
            return false;
        }
    }
}

/* --- requests --- */

static void count_unknown(struct log_counts *counts, struct bytes name)
{
    struct str shown = STR_EMPTY;
    char text[LOG_NAME_COLUMNS + 1];
    counts->unknown++;
    utf8_visible(&shown, name.at, name.length < LOG_NAME_COLUMNS ? name.length : LOG_NAME_COLUMNS);
    snprintf(text, sizeof text, "%.*s",
             (int)utf8_cut(str_text(&shown), shown.length, LOG_NAME_COLUMNS), str_text(&shown));
    str_free(&shown);
    for (size_t i = 0; i < LOG_UNKNOWN_NAMES; i++) {
        struct log_unknown *known = &counts->unknown_name[i];
        if (known->count == 0) {
            memcpy(known->name, text, sizeof text);
        }
        if (strcmp(known->name, text) == 0) {
            known->count++;
            return;
        }
    }
}

static bool odd_line(struct log_reader *r)
{
    r->counts.first_odd = r->counts.odd++ == 0 ? r->counts.lines : r->counts.first_odd;
    return false;
}

static size_t find_keys(struct log_reader *r, const struct log_command *command)
{
    if (r->parts.count > r->key_room) {
        r->key_room = r->parts.count * 2;
        r->key = xrealloc(r->key, r->key_room, sizeof *r->key);
    }
    return log_command_keys(command, r->parts.part, r->parts.count, r->key);
}

bool monitor_take(struct log_reader *r, struct bytes line, struct log_request *request)
{
    struct monitor_head head;
    if (line.length > 0 && line.at[line.length - 1] == '\r') {
        line.length--;
    }
    if (bytes_equal(line, bytes_of("OK"))) {
        return false;
    }
    log_parts_start(&r->parts, line.length);
    if (!read_head(line, &head) || !split(&r->parts, line, head.length)) {
        return odd_line(r);
    }
    const struct log_command *command = log_command_find(r->parts.part[0]);
    if (head.script) {
        r->counts.scripts++;
    } else if (command == NULL) {
        count_unknown(&r->counts, r->parts.part[0]);
    } else if (command->keys == LOG_KEYS_CLUSTER) {
        r->counts.cluster++;
    } else {
        size_t keys = find_keys(r, command);
        *request = (struct log_request){r->key, keys, command->use, head.at_us};
        r->counts.keyless += keys == 0;
        r->counts.other_db += keys > 0 && head.other_db;
        return keys > 0;
    }
    return false;
}
