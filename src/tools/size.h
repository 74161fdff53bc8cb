/*
 * size: calculators for capacity: how many shards, how many routers, what a hot key costs.
 *
 * A calculator is a constant: inputs with unit, default and range, results with unit, the formula
 * in words with its source, and a pure function. Numbers are doubles, for display only; whatever is
 * whole stays exact up to 2^53. Sizes are decimal: 1 TB = 1,000 GB. Names of percentages end in
 * _pct. No clock, no files, no state.
 *
 *     struct size_values values;
 *     size_start(tool, &values);
 *     size_give(tool, "rate=38750", &values, &err);
 *     size_compute(tool, &values, result, &err);
 *     size_add_how(&out, tool, &values, result, 0);
 */
#ifndef HOTSHARD_TOOLS_SIZE_H
#define HOTSHARD_TOOLS_SIZE_H

#include "base/err.h"
#include "base/str.h"
#include <stddef.h>

#define SIZE_INPUTS_MAX 20
#define SIZE_RESULTS_MAX 30
/* The unit of a result that is 1 or 0. */
#define SIZE_YES_NO "yes or no"

struct size_input {
    const char *name; /* NULL ends a list */
    const char *unit; /* "" for a bare number */
    double otherwise; /* the default: the running example's, or the source's */
    double low, high;
    bool whole;
    const char *about;
};

struct size_result {
    const char *name;
    const char *unit;
    const char *about;
    /* How it comes about, as arithmetic: names of inputs and of results in braces stand for their
     * values, "{rate} / {rate_each_max}, rounded up". */
    const char *how;
};

struct size_tool {
    const char *name;
    const char *about;
    const char *formula; /* in words; a paragraph of plain sentences */
    const char *source;
    struct size_input input[SIZE_INPUTS_MAX + 1];
    struct size_result result[SIZE_RESULTS_MAX + 1];
    /* Fills the results in their order; NAN where there is none. False when inputs that are each
     * allowed contradict each other. */
    bool (*compute)(const double *in, double *out, struct err *err);
};

struct size_values {
    double value[SIZE_INPUTS_MAX];
    bool given[SIZE_INPUTS_MAX];
};

const struct size_tool *size_at(size_t index); /* NULL past the last */
const struct size_tool *size_by_name(const char *name);
size_t size_inputs(const struct size_tool *tool);
size_t size_results(const struct size_tool *tool);

/* All defaults. */
void size_start(const struct size_tool *tool, struct size_values *values);
/* Takes "name=value"; refuses what the calculator does not know, was given before, is no number or
 * is out of range. */
bool size_give(const struct size_tool *tool, const char *word, struct size_values *values,
               struct err *err);
bool size_compute(const struct size_tool *tool, const struct size_values *values,
                  double result[SIZE_RESULTS_MAX], struct err *err);

/* The arithmetic of a result with its numbers: "38,750 / 2,800, rounded up". */
void size_add_how(struct str *out, const struct size_tool *tool, const struct size_values *values,
                  const double result[SIZE_RESULTS_MAX], size_t index);

/* A number as people read it: 13,650, 13.84, 0.0385; "none" for NAN. */
void size_add_number(struct str *out, double value);

#endif
