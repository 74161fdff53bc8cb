/*
 * lint: what `hotshard lesson check` proves about a lesson file.
 *
 * Substance, not only syntax: the file loads; ids are well formed and unique; each step is reached;
 * each expression evaluates; exactly one choice holds after the run; wrong answers are judged
 * wrong; a task's goal does not hold before the learner acts, and holds after its solution; the
 * learner commits at least once a minute and never reads more than 60 seconds between two
 * commitments (180 words a minute, 8 seconds a new picture); the core path takes at most 12
 * minutes, each run watched for 3 seconds; each step opens within the text pane of 80x24, and a
 * good explanation fits it with its points; pictures have something to show; a second run gives the
 * same digests; every row of a table is made and opened; the placement check lets those who know go
 * on, and nobody else; each [[term]] is in the glossary (its own faults are a warning).
 *
 * Of a drill, over many seeds: each question has one right answer, which is accepted however it is
 * typed, and near misses are not; mistakes are no right answers and each has its belief and its
 * explanation; choices differ; neither the answer nor the place of the right choice is always the
 * same; the right answer does not always stand in the question.
 */
#ifndef HOTSHARD_LESSON_LINT_H
#define HOTSHARD_LESSON_LINT_H

#include "base/err.h"
#include "base/str.h"
#include <stdint.h>

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
    size_t commitments, core_commitments; /* questions and tasks that were in the way */
    int core_seconds, longest_read_seconds;
    uint64_t seeds; /* of a drill, that were tried */
    /* What the learner does, by steps: answers a question; turns or does something; puts something
     * together of several acts (or what the lesson says builds); explains. */
    size_t responding, changing, constructing, presenting;
};

struct page;

#define LINT_SEEDS 40
struct lint_wish {
    uint64_t seeds;       /* of a drill */
    const char *glossary; /* its file; NULL: assets/glossary.txt beside the folder of lessons */
    /* Rows of the text pane at 80x24 that a page takes, measured by what draws it; NULL: texts are
     * not measured. */
    int (*rows)(const struct page *page);
};

struct lint_report *lesson_check_as(const char *path, const struct lint_wish *wish);
struct lint_report *lesson_check(const char *path);
/* Of a drill, only what is checked over many seeds. */
struct lint_report *lesson_check_seeds(const char *path, uint64_t seeds);
void lint_report_free(struct lint_report *r);
/* Writes a new lesson that passes the check, for `lesson new NAME`; refuses to overwrite. */
bool lesson_write_new(const char *path, const char *id, struct err *err);

#endif
