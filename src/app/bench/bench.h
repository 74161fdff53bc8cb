/*
 * bench: measuring the budgets of the design on this machine. Each measure takes about a second or
 * less and leaves nothing behind: no progress is written.
 */
#ifndef HOTSHARD_APP_BENCH_H
#define HOTSHARD_APP_BENCH_H

#include "app/cmd/options.h"
#include "place/layout.h"

struct bench_row {
    const char *name, *about, *unit;
    double value, budget;
    bool more_is_better;
};

/* False with the reason when a measure could not be taken. */
bool bench_engine(const struct options *o, struct bench_row *row, struct err *err);
/* The story's twenty minutes, its events and all. */
bool bench_story(const struct options *o, struct bench_row *row, struct err *err);
/* A thousand shards and routers and a million keys against the story: cost of a request, memory. */
bool bench_growth(const struct options *o, struct bench_row *row, struct err *err);
bool bench_growth_memory(const struct options *o, struct bench_row *row, struct err *err);
/* Nothing but timers that start again: the bare queue of events. */
bool bench_timers_1000(const struct options *o, struct bench_row *row, struct err *err);
bool bench_timers_10000(const struct options *o, struct bench_row *row, struct err *err);
bool bench_slot(const struct options *o, struct bench_row *row, struct err *err);
bool bench_slot_short(const struct options *o, struct bench_row *row, struct err *err);
bool bench_slot_16(const struct options *o, struct bench_row *row, struct err *err);
bool bench_slot_64(const struct options *o, struct bench_row *row, struct err *err);
/* Lookups by scheme, after the hash but for ketama; Maglev's table; a plan by all schemes. */
bool bench_ring(const struct options *o, struct bench_row *row, struct err *err);
bool bench_ketama(const struct options *o, struct bench_row *row, struct err *err);
bool bench_jump_16(const struct options *o, struct bench_row *row, struct err *err);
bool bench_jump_1000(const struct options *o, struct bench_row *row, struct err *err);
bool bench_maglev(const struct options *o, struct bench_row *row, struct err *err);
bool bench_maglev_100(const struct options *o, struct bench_row *row, struct err *err);
bool bench_maglev_1000(const struct options *o, struct bench_row *row, struct err *err);
bool bench_rendezvous(const struct options *o, struct bench_row *row, struct err *err);
bool bench_plan(const struct options *o, struct bench_row *row, struct err *err);
/* Counting hot keys. */
bool bench_hot(const struct options *o, struct bench_row *row, struct err *err);
bool bench_frame(const struct options *o, struct bench_row *row, struct err *err);
bool bench_start(const struct options *o, struct bench_row *row, struct err *err);
bool bench_step_back(const struct options *o, struct bench_row *row, struct err *err);
/* The checker's yardstick; after bench_memory, as bench_plan and what grows, since they take half a
 * gigabyte for a while. */
bool bench_check(const struct options *o, struct bench_row *row, struct err *err);
bool bench_check_memory(const struct options *o, struct bench_row *row, struct err *err);
bool bench_memory(const struct options *o, struct bench_row *row, struct err *err);

/* What has no budget, but is what schemes are chosen by: ten shards. */
struct bench_scheme {
    const struct scheme *scheme;
    double over_average; /* the busiest of ten */
    double joined;       /* the share of keys that moves when an eleventh joins */
    double left;         /* and when shard 3 of ten leaves */
};

/* Of a scheme that can be planned (tools/plan.h). */
bool bench_compare(const struct scheme *scheme, struct keyset *keys, struct bench_scheme *out,
                   struct err *err);

#endif
