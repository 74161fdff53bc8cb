/*
 * cmd_bench: `hotshard bench`: the budgets of the design, measured here.
 */
#include "app/bench.h"
#include "app/cli.h"
#include "app/json.h"
#include <stdio.h>

static bool (*const measures[])(const struct options *, struct bench_row *, struct err *) = {
    bench_engine,    bench_story,        bench_timers_1000, bench_timers_10000,  bench_slot,
    bench_step_back, bench_frame,        bench_start,       bench_plan,          bench_memory,
    bench_check,     bench_check_memory, bench_growth,      bench_growth_memory,
};

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
            "JSON: name, value, unit, budget, ok.",
    .option = bench_options,
    .run = run_bench,
};
