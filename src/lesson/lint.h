/*
 * lint: what `hotshard lesson check` proves about a lesson file.
 *
 * Substance, not only syntax: the file loads; ids are well formed and unique; each step is reached;
 * each expression evaluates; exactly one choice holds after the run; wrong answers are judged
 * wrong; a task's goal does not hold before the learner acts, and holds after its solution; the
 * learner commits at least once a minute and never reads more than 60 seconds between two
 * commitments (180 words a minute, 8 seconds a new picture); the core path takes at most 12
 * minutes, each run watched for 3 seconds; the text fits 80x24; a second run gives the same
 * digests.
 */
#ifndef HOTSHARD_LESSON_LINT_H
#define HOTSHARD_LESSON_LINT_H

#include "base/err.h"
#include "base/str.h"

enum lint_severity {
    LINT_ERROR,
    LINT_WARNING
};

struct lint_finding {
    char *file;
    int line; /* 0 when it is about the whole */
    enum lint_severity severity;
    char *message;
};

struct lint_report {
    struct lint_finding *finding;
    size_t count, errors;
    size_t steps, questions, tasks;
    int core_seconds, longest_read_seconds;
};

struct lint_report *lesson_check(const char *path);
void lint_report_free(struct lint_report *r);
/* Writes a new lesson that passes the check, for `lesson new NAME`; refuses to overwrite. */
bool lesson_write_new(const char *path, const char *id, struct err *err);

#endif
