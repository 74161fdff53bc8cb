/*
 * plan_print: the figures of a plan as a table with sentences, or as JSON lines.
 */
#ifndef HOTSHARD_APP_PLAN_PRINT_H
#define HOTSHARD_APP_PLAN_PRINT_H

#include "tools/plan.h"

#define PLAN_SCHEMES_MAX 8

struct plan_row {
    const struct plan_scheme *scheme;
    struct plan_result result;
    double lookup_ns;
};

void plan_print_text(const struct plan_row *row, size_t rows, const struct plan_change *change);
void plan_print_json(const struct plan_row *row, size_t rows);

#endif
