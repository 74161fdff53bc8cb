/*
 * log_form: requests out of the lines of a log, in any of three forms.
 *
 *   plain     a key a line, any bytes but newline
 *   csv       rows whose header names a column "key" (and, if there are such, one for the operation
 *             and one for the time in seconds); or, without a header, the seven columns of the
 *             public cache traces: time, key, key size, value size, client, operation, TTL; or,
 * when CSV is asked for by name, a single column of keys monitor   what redis-cli MONITOR prints:
 * time [db client] "COMMAND" "argument" ...
 *
 * The form is asked for by name or found from the first lines. In MONITOR output a line of a script
 * ([0 lua]) repeats keys that its EVAL has named, and is not counted; MIGRATE, RESTORE-ASKING and
 * the like are the cluster's own traffic. Lines that do not have the form are counted and passed
 * over, and so are commands that are not in the table of log_command.h. Keys are counted by name,
 * whatever database they are in.
 *
 * A log_reader owns its buffers: log_reader_free. Errors name the line.
 */
#ifndef HOTSHARD_TOOLS_LOG_FORM_H
#define HOTSHARD_TOOLS_LOG_FORM_H

#include "base/err.h"
#include "tools/log_command.h"

#define LOG_NO_TIME INT64_MIN
#define LOG_FIRST_LINES 16  /* that the form is found from */
#define LOG_UNKNOWN_NAMES 8 /* of commands; further ones are counted together */
#define LOG_NAME_COLUMNS 24 /* of an unknown command's name */
#define LOG_WHY_LENGTH 160

enum log_form {
    LOG_PLAIN,
    LOG_CSV,
    LOG_MONITOR,
    LOG_AUTO /* find out */
};

struct log_request {
    const struct bytes *key; /* borrowed until the next line */
    size_t keys;             /* at least 1 */
    enum log_use use;
    int64_t at_us; /* or LOG_NO_TIME */
};

struct log_unknown {
    char name[LOG_NAME_COLUMNS + 1];
    uint64_t count;
};

/* Lines by what became of them. */
struct log_counts {
    uint64_t lines;
    uint64_t requests;
    uint64_t keyless; /* commands without keys */
    uint64_t scripts; /* lines of scripts */
    uint64_t cluster; /* lines of the cluster's own traffic */
    uint64_t unknown; /* commands that the table does not have */
    struct log_unknown unknown_name[LOG_UNKNOWN_NAMES];
    uint64_t other_db; /* requests to another database than 0 */
    uint64_t ending_in_return;
    uint64_t odd; /* lines without the form */
    uint64_t first_odd;
};

struct log_reader;

struct log_reader *log_reader_new(enum log_form form);
void log_reader_free(struct log_reader *reader); /* NULL is fine */

/* Decides by the log's first lines, up to LOG_FIRST_LINES; they are to be taken afterwards like all
 * others. Errors: no line at all, NUL bytes (unless plain is asked for), no column of keys. */
bool log_reader_begin(struct log_reader *reader, const struct bytes *line, size_t lines,
                      struct err *err);
/* One line, without newline. False when it holds no request. */
bool log_reader_take(struct log_reader *reader, struct bytes line, struct log_request *request);

enum log_form log_reader_form(const struct log_reader *reader);
const char *log_reader_why(const struct log_reader *reader); /* "found by ..." */
bool log_reader_knows_use(const struct log_reader *reader);  /* reads from writes */
const struct log_counts *log_reader_counts(const struct log_reader *reader);

const char *log_form_name(enum log_form form); /* "plain", as on the command line */
bool log_form_by_name(const char *name, enum log_form *form);

#endif
