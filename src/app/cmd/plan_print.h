/*
 * plan_print: the figures of a plan as a table with sentences and bars, or as JSON lines.
 */
#ifndef HOTSHARD_APP_PLAN_PRINT_H
#define HOTSHARD_APP_PLAN_PRINT_H

#include "tools/plan.h"

#define PLAN_SCHEMES_MAX 32

struct plan_row {
    const struct plan_scheme *scheme;
    struct plan_result result;
    double lookup_ns; /* from a key's hash, or its bytes where those decide, to its shard */
    double build_us;  /* the layout of the shards after the change, from nothing */
};

struct plan_look {
    bool ascii;
    bool made_up; /* the keys are k0, k1, ... */
    bool bars;    /* of every scheme, however many shards; else of two schemes and a few shards */
};

/* At least one row. */
void plan_print_text(const struct plan_row *row, size_t rows, const struct plan_change *change,
                     struct plan_look look);
void plan_print_json(const struct plan_row *row, size_t rows);

#endif
