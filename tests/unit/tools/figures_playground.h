/*
 * The widget of document 003 through the playground: what its three workloads do to ranges. (What
 * they do to the remainder, to slots and to salts is in figures_growth.h.) Part of test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_PLAYGROUND_H
#define HOTSHARD_TESTS_FIGURES_PLAYGROUND_H

#include "figures.h"
#include "tools/playground.h"

#include "base/check.h"
#include <stdio.h>

/* The settings of a line, with one write a second for each unit of weight: loads are exact. */
static inline struct play_settings widget_settings(const char *line)
{
    struct play_settings s;
    CHECK(play_parse(line, &s, NULL));
    struct play_keys *keys = play_keys_new(s.workload, 1, NULL);
    s.rate = (uint32_t)keys->weights;
    play_keys_free(keys);
    return s;
}

static inline struct play_result *widget_run(const char *line, const char *before)
{
    struct play_settings s = widget_settings(line);
    struct play_settings earlier = widget_settings(before ? before : line);
    struct play_result *r = play_run(&s, &earlier, NULL, NULL);
    CHECK(r != NULL);
    return r;
}

static inline double widget_over(const struct play_result *r)
{
    return balance_over_average(&r->trial->load_after);
}

/* text: workload and scheme; a: shards, grown from four. The shards themselves are asked so too. */
static inline void value_play_hottest(const struct figure *f, struct str *out)
{
    char line[200];
    snprintf(line, sizeof line, "%s, shards 4%s", f->text, f->a == 5 ? " +4" : "");
    struct play_result *r = widget_run(line, NULL);
    CHECK(r->busiest_writes == r->trial->load_after.busiest);
    figures_add_real(out, widget_over(r));
    play_result_free(r);
}

/* Of the keys that there were. a: 0 the fifth shard joins, 1 it leaves again. */
static inline void value_play_moved(const struct figure *f, struct str *out)
{
    char joined[200];
    char other[200];
    snprintf(joined, sizeof joined, "%s, shards 4 +4", f->text);
    snprintf(other, sizeof other, "%s, shards 4%s", f->text, f->a == 1 ? " +4 -4" : "");
    struct play_result *r = f->a == 1 ? widget_run(other, joined) : widget_run(joined, other);
    int64_t moved = 0;
    for (size_t key = 0; key < PLAY_KEYS_MAX; key++) {
        moved += trial_moved(r->trial, key);
    }
    figures_add_int(out, moved);
    play_result_free(r);
}

/* 5, 6, 7, 8 shards. */
static inline void value_play_tail(const struct figure *f, struct str *out)
{
    char line[200];
    snprintf(line, sizeof line, "%s, shards 4", f->text);
    for (int id = 4; id < 8; id++) {
        snprintf(line + strlen(line), sizeof line - strlen(line), " +%d", id);
        struct play_result *r = widget_run(line, NULL);
        str_addf(out, "%s%.1f", out->length > 0 ? " " : "", widget_over(r));
        play_result_free(r);
    }
}

#define POPULAR_RANGE "workload popular, scheme range"
#define CELEBRITY_RANGE "workload celebrity, scheme range"
#define TIME_RANGE "workload time, scheme range"

static const struct figure playground[] = {
    {"d3.try_popular_range_4", value_play_hottest, POPULAR_RANGE, 4, 0},
    {"d3.try_popular_range_5", value_play_hottest, POPULAR_RANGE, 5, 0},
    {"d3.try_popular_range_mv", value_play_moved, POPULAR_RANGE, 0, 0},
    {"d3.try_popular_range_back", value_play_moved, POPULAR_RANGE, 1, 0},
    {"d3.try_celebrity_range_4", value_play_hottest, CELEBRITY_RANGE, 4, 0},
    {"d3.try_celebrity_range_5", value_play_hottest, CELEBRITY_RANGE, 5, 0},
    {"d3.try_celebrity_range_mv", value_play_moved, CELEBRITY_RANGE, 0, 0},
    {"d3.try_celebrity_range_back", value_play_moved, CELEBRITY_RANGE, 1, 0},
    {"d3.try_time_range_4", value_play_hottest, TIME_RANGE, 4, 0},
    {"d3.try_time_range_5", value_play_hottest, TIME_RANGE, 5, 0},
    {"d3.try_time_range_back", value_play_moved, TIME_RANGE, 1, 0},
    {"d3.try_time_range_seq", value_play_tail, TIME_RANGE, 0, 0},
};

#endif
