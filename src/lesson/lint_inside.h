/*
 * lint_inside: what the files of the check share.
 */
#ifndef HOTSHARD_LESSON_LINT_INSIDE_H
#define HOTSHARD_LESSON_LINT_INSIDE_H

#include "lesson/glossary.h"
#include "lesson/inside.h"
#include "lesson/lint.h"

#define STEPS_SEEN_MAX 200
#define PASS_EVENTS_MAX UINT64_C(60000000) /* of the engine, from the first step to the last */

/* How questions are answered in a pass. */
enum pass_answers {
    ANSWERS_RIGHT,
    ANSWERS_NONE, /* they are skipped */
    ANSWERS_WRONG /* by each mistake in turn */
};

/* Steps that some pass has come to. */
struct seen {
    bool step[STEPS_SEEN_MAX];
};

/* What one pass over the lesson does. */
struct pass {
    struct lint_report *report;
    const char *path;
    const struct glossary *terms;            /* NULL: no glossary */
    int (*rows_of)(const struct page *page); /* as in struct lint_wish */
    struct player *p;
    enum pass_answers answers;
    bool first;   /* the pass that measures */
    int reading;  /* thirds of a second since the last commitment */
    int core;     /* thirds */
    size_t steps; /* visited */
    struct seen *seen;
    struct digest entry[STEPS_SEEN_MAX];
    bool long_texts[STEPS_SEEN_MAX]; /* told already */
};

/* Of a finding that is there already nothing is added. */
void lint_find(struct pass *a, int line, enum lint_severity severity, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void lint_error(struct lint_report *r, const char *path, const char *text);
int lint_line(const struct pass *a); /* of the step that is shown */

/* lint_page.c: what a page shows. */
void lint_texts(struct pass *a, const struct page *page);
void lint_rows(struct pass *a, const struct page *page);
void lint_explanation(struct pass *a, const struct page *page); /* it was given */
/* lint_shows.c: what its pictures need is there. */
void lint_pictures(struct pass *a, const struct page *page);

/* lint_more.c */
void lint_table(struct pass *a); /* its rows are made, and opened */
void lint_card(struct pass *a);  /* it fits a page */
void lint_placement(struct lint_report *r, const char *path,
                    const struct lint_wish *wish); /* the placement check */
/* The glossary that a lesson is checked with, NULL without one; and whether a text's [[terms]] are
 * in it. */
struct glossary *lint_glossary(struct lint_report *r, const char *path, const char *glossary);
void lint_terms_check(struct pass *a, const char *text, const char *what);

/* lint_drill.c: what a drill asks, over many seeds. */
void lint_seeds(struct lint_report *r, const char *path, const struct lint_wish *wish);

#endif
