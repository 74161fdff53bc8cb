/*
 * log_form: see log_form.h. Here the form is found, and plain keys are read.
 */
#include "tools/log_form.h"

#include "base/alloc.h"
#include "base/check.h"
#include "tools/log_inside.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SENTENCE_WORDS 5 /* keys have few blanks */

static const char *const form_names[] = {"plain", "csv", "monitor", "auto"};

const char *log_form_name(enum log_form form)
{
    return form_names[form];
}

bool log_form_by_name(const char *name, enum log_form *form)
{
    for (size_t i = 0; i < sizeof form_names / sizeof form_names[0]; i++) {
        if (strcmp(name, form_names[i]) == 0) {
            *form = (enum log_form)i;
            return true;
        }
    }
    return false;
}

struct log_reader *log_reader_new(enum log_form form)
{
    struct log_reader *r = xcalloc(1, sizeof *r);
    r->form = form;
    return r;
}

void log_reader_free(struct log_reader *r)
{
    if (r == NULL) {
        return;
    }
    log_parts_free(&r->parts);
    free(r->key);
    free(r);
}

/* --- shared by the forms --- */

void log_parts_free(struct log_parts *p)
{
    free(p->part);
    free(p->text);
}

void log_parts_start(struct log_parts *p, size_t length)
{
    p->count = 0;
    if (length > p->text_room) {
        p->text_room = length * 2;
        p->text = xrealloc(p->text, p->text_room, 1);
    }
}

void log_parts_add(struct log_parts *p, struct bytes part)
{
    if (p->count == p->room) {
        p->room = p->room > 0 ? p->room * 2 : 16;
        p->part = xrealloc(p->part, p->room, sizeof *p->part);
    }
    p->part[p->count++] = part;
}

bool log_parse_seconds(struct bytes text, int64_t *us)
{
    int64_t whole = 0;
    int64_t part = 0;
    int64_t unit = 1000000;
    size_t at = 0;
    for (; at < text.length && text.at[at] >= '0' && text.at[at] <= '9'; at++) {
        if (at == 12) { /* no time of this or the next 30,000 years */
            return false;
        }
        whole = whole * 10 + (text.at[at] - '0');
    }
    if (at == 0) {
        return false;
    }
    if (at < text.length && text.at[at] == '.') {
        for (at++; at < text.length && text.at[at] >= '0' && text.at[at] <= '9'; at++) {
            unit /= 10;
            part += (text.at[at] - '0') * unit;
        }
    }
    *us = whole * 1000000 + part;
    return at == text.length;
}

/* --- plain --- */

static bool plain_take(struct log_reader *r, struct bytes line, struct log_request *request)
{
    log_parts_start(&r->parts, 0);
    log_parts_add(&r->parts, line);
    if (line.length > 0 && line.at[line.length - 1] == '\r') {
        r->counts.ending_in_return++;
    }
    *request = (struct log_request){r->parts.part, 1, LOG_EITHER, LOG_NO_TIME};
    return true;
}

/* --- which form --- */

static bool holds_nul(const struct bytes *line, size_t lines, size_t *number)
{
    for (size_t i = 0; i < lines; i++) {
        if (line[i].length > 0 && memchr(line[i].at, '\0', line[i].length) != NULL) {
            *number = i + 1;
            return true;
        }
    }
    return false;
}

static void say_why(struct log_reader *r, const char *why)
{
    snprintf(r->why, sizeof r->why, "%s", why);
}

/* MONITOR's first line is the server's OK, unless the capture began later. */
static const struct bytes *first_record(const struct bytes *line, size_t lines)
{
    bool ok = bytes_equal(line[0], bytes_of("OK")) || bytes_equal(line[0], bytes_of("OK\r"));
    return ok && lines > 1 ? &line[1] : &line[0];
}

static void guess(struct log_reader *r, const struct bytes *line, size_t lines)
{
    if (monitor_looks_like(*first_record(line, lines))) {
        r->form = LOG_MONITOR;
        say_why(r, "found by the time and the [db client] of the first line");
    } else if (csv_begin(r, line[0], false, NULL)) {
        r->form = LOG_CSV;
    } else {
        r->form = LOG_PLAIN;
        say_why(r, "taken since the first line is not of MONITOR and names no column \"key\"");
    }
}

static size_t words_of(struct bytes line)
{
    size_t words = 0;
    for (size_t at = 0; at < line.length; at++) {
        bool starts = at == 0 || line.at[at - 1] == ' ' || line.at[at - 1] == '\t';
        words += starts && line.at[at] != ' ' && line.at[at] != '\t';
    }
    return words;
}

/* A log of another kind, an access log for instance: as keys its lines would mislead. */
static bool refuse_sentences(const struct bytes *line, size_t lines, struct err *err)
{
    size_t long_ones = 0;
    for (size_t i = 0; i < lines; i++) {
        long_ones += words_of(line[i]) >= SENTENCE_WORDS;
    }
    if (2 * long_ones <= lines) {
        return true;
    }
    return err_set(err,
                   "these lines do not look like keys, the first has %zu words; cut the key out of "
                   "each, or say --format plain if a whole line is a key",
                   words_of(line[0]));
}

bool log_reader_begin(struct log_reader *r, const struct bytes *line, size_t lines, struct err *err)
{
    size_t number = 0;
    if (lines == 0) {
        return err_set(err, "the log is empty; name a file with a request a line");
    }
    if (r->form != LOG_PLAIN && holds_nul(line, lines, &number)) {
        return err_set(err,
                       "line %zu holds NUL bytes: this is a binary file, or packed by something "
                       "other than gzip; unpack it first, or say --format plain if those are keys",
                       number);
    }
    switch (r->form) {
    case LOG_AUTO:
        guess(r, line, lines);
        return r->form != LOG_PLAIN || refuse_sentences(line, lines, err);
    case LOG_CSV:
        return csv_begin(r, line[0], true, err);
    case LOG_MONITOR:
    case LOG_PLAIN:
        break;
    }
    say_why(r, "as you said");
    return true;
}

bool log_reader_take(struct log_reader *r, struct bytes line, struct log_request *request)
{
    bool taken = false;
    r->counts.lines++;
    switch (r->form) {
    case LOG_PLAIN:
        taken = plain_take(r, line, request);
        break;
    case LOG_CSV:
        taken = csv_take(r, line, request);
        break;
    case LOG_MONITOR:
        taken = monitor_take(r, line, request);
        break;
    case LOG_AUTO:
        CHECK(r->form != LOG_AUTO); /* log_reader_begin comes first */
    }
    r->counts.requests += taken;
    return taken;
}

enum log_form log_reader_form(const struct log_reader *r)
{
    return r->form;
}

const char *log_reader_why(const struct log_reader *r)
{
    return r->why;
}

bool log_reader_knows_use(const struct log_reader *r)
{
    return r->form == LOG_MONITOR || (r->form == LOG_CSV && r->csv.use != LOG_NO_COLUMN);
}

const struct log_counts *log_reader_counts(const struct log_reader *r)
{
    return &r->counts;
}
