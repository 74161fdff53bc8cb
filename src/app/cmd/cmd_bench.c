/*
 * cmd_bench: `hotshard bench`: the budgets of the design, measured here.
 */
#include "app/bench/bench.h"
#include "app/cmd/cli.h"
#include "app/cmd/json.h"
#include "tools/plan.h"
#include <stdio.h>

static bool (*const measures[])(const struct options *, struct bench_row *, struct err *) = {
    bench_engine,        bench_story,     bench_timers_1000, bench_timers_10000, bench_slot,
    bench_slot_short,    bench_slot_16,   bench_slot_64,     bench_ring,         bench_ketama,
    bench_jump_16,       bench_jump_1000, bench_maglev,      bench_maglev_100,   bench_maglev_1000,
    bench_rendezvous,    bench_step_back, bench_frame,       bench_start,        bench_hot,
    bench_memory,        bench_plan,      bench_check,       bench_check_memory, bench_growth,
    bench_growth_memory,
};

#define COMPARED_KEYS 100000

static bool is_ok(const struct bench_row *row)
{
    return row->more_is_better ? row->value >= row->budget : row->value <= row->budget;
}

static void print_row(const struct bench_row *row, bool json)
{
    if (json) {
        json_t *line = json_line();
        json_set_text(line, "name", row->name);
        json_set_ratio(line, "value", row->value);
        json_set_text(line, "unit", row->unit);
        json_set_ratio(line, "budget", row->budget);
        json_set(line, "ok", json_boolean(is_ok(row)));
        json_print(line);
        return;
    }
    int digits = row->value >= 1000 ? 0 : 2;
    printf("%-22s %12.*f %-3s  %s %-10.*f %-7s %s\n", row->name, digits, row->value, row->unit,
           row->more_is_better ? "at least" : "at most ", row->budget >= 1000 ? 0 : 2, row->budget,
           is_ok(row) ? "ok" : "missed", row->about);
}

/* A figure without a budget, which nothing can miss. */
static void print_share(const char *what, const struct scheme *scheme, double value,
                        const char *unit)
{
    json_t *line = json_line();
    char name[64];
    snprintf(name, sizeof name, "%s_%s", scheme->name, what);
    json_set_text(line, "name", name);
    json_set_ratio(line, "value", value);
    json_set_text(line, "unit", unit);
    json_set(line, "budget", json_null());
    json_set(line, "ok", json_true());
    json_print(line);
}

static void print_scheme(const struct bench_scheme *s, bool json)
{
    if (json) {
        print_share("moved_join", s->scheme, s->joined, "share");
        print_share("moved_leave", s->scheme, s->left, "share");
        print_share("busiest", s->scheme, s->over_average, "times");
        return;
    }
    printf("  %-14s %10.2f%% %10.2f%% %14.3f\n", s->scheme->name, s->joined * 100, s->left * 100,
           s->over_average);
}

/* Keys moved and balance, of every scheme. */
static bool compare_schemes(bool json, struct err *err)
{
    struct keyset *keys = keyset_synthetic(COMPARED_KEYS);
    bool good = true;
    if (!json) {
        printf("\n100,000 keys on ten shards: how many move, and the busiest over the average\n"
               "  %-14s %11s %11s %14s\n  %-14s %10.2f%% %10.2f%% %14.3f\n",
               "scheme", "one joins", "S3 leaves", "busiest of ten", "the least", 100.0 / 11, 10.0,
               1.0);
    }
    for (size_t i = 0; scheme_at(i) && good; i++) {
        struct bench_scheme compared;
        if (plan_can(scheme_at(i))) {
            good = bench_compare(scheme_at(i), keys, &compared, err);
            if (good) {
                print_scheme(&compared, json);
            }
        }
    }
    keyset_free(keys);
    return good;
}

static int run_bench(struct cli *cli)
{
    struct err err;
    bool all = true;
    if (cli->arguments > 0) {
        return cli_usage(cli, "bench takes no arguments");
    }
    for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
        struct bench_row row;
        if (!measures[i](&cli->options, &row, &err)) {
            return cli_fail(&err);
        }
        all = all && is_ok(&row);
        print_row(&row, cli->options.json);
        fflush(stdout);
    }
    if (!compare_schemes(cli->options.json, &err)) {
        return cli_fail(&err);
    }
    return all || !cli_has(cli, "strict") ? CLI_YES : CLI_NO;
}

static const struct cli_option bench_options[] = {
    {"strict", NULL, "exit status 1 when a budget is missed"},
    {NULL, NULL, NULL},
};

const struct cli_command command_bench = {
    .name = "bench",
    .arguments = "",
    .about = "how fast this machine runs what the design promises",
    .help = "Measures each budget of the design, in a few seconds, and says which are met here.\n"
            "\n"
            "At the end, without a budget: how many keys move and how evenly they lie by each\n"
            "scheme.\n"
            "\n"
            "JSON: name, value, unit, budget (null: none), ok.",
    .option = bench_options,
    .run = run_bench,
};
