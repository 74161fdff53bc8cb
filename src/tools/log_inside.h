/*
 * log_inside: what the files of log_form share. Only src/tools/log_*.c include it.
 */
#ifndef HOTSHARD_TOOLS_LOG_INSIDE_H
#define HOTSHARD_TOOLS_LOG_INSIDE_H

#include "tools/log_form.h"

#define LOG_NO_COLUMN SIZE_MAX

/* A list of parts of one line, and a buffer for those that had to be rewritten. */
struct log_parts {
    struct bytes *part;
    size_t count, room;
    char *text;
    size_t text_room;
};

/* Where a CSV file keeps what. */
struct csv_shape {
    char separator;
    bool header;           /* the first line is no row */
    bool trace;            /* seven columns of a cache trace */
    size_t key, use, time; /* columns, or LOG_NO_COLUMN */
};

struct log_reader {
    enum log_form form;
    char why[LOG_WHY_LENGTH];
    struct csv_shape csv;
    struct log_counts counts;
    struct log_parts parts;
    struct bytes *key; /* of the request that was read last */
    size_t key_room;
};

void log_parts_free(struct log_parts *parts);
/* No parts, and room to rewrite a line of that length. */
void log_parts_start(struct log_parts *parts, size_t length);
void log_parts_add(struct log_parts *parts, struct bytes part);
/* "12", "12.5": seconds to microseconds; what is finer is dropped. */
bool log_parse_seconds(struct bytes text, int64_t *us);

/* Whether the line begins as MONITOR prints it: time, [db client]. */
bool monitor_looks_like(struct bytes line);
bool monitor_take(struct log_reader *reader, struct bytes line, struct log_request *request);

/* Finds the columns by the first line. `asked`: CSV was asked for by name, so that one column needs
 * no header. False, with err, when there is no column of keys. */
bool csv_begin(struct log_reader *reader, struct bytes line, bool asked, struct err *err);
bool csv_take(struct log_reader *reader, struct bytes line, struct log_request *request);

#endif
