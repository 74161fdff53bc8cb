/*
 * cmd_hot: `hotshard hot FILE`: hot keys and uneven load of a person's own request log.
 */
#include "app/cmd/cli.h"
#include "app/cmd/hot_print.h"
#include "app/watch.h"
#include "base/file.h"
#include "base/num.h"
#include <stdio.h>
#include <string.h>

#define TOP_DEFAULT 10
#define SHARDS_DEFAULT 4
#define SAMPLE_MAX 1000000

static bool read_options(const struct cli *cli, struct hot_options *o, struct err *err)
{
    uint64_t top = 0;
    uint64_t shards = 0;
    const char *form = cli_value(cli, "format");
    *o = (struct hot_options){
        .form = LOG_AUTO,
        .seed = cli->options.seed,
        .cells = HOT_CELLS,
        .keys_max = HOT_KEYS_MAX,
        .bytes_max = HOT_BYTES_MAX,
    };
    if (form && !log_form_by_name(form, &o->form)) {
        return err_set(err, "unknown format \"%s\"; there are auto, plain, csv, monitor",
                       err_word(form, 40).text);
    }
    if (!cli_number(cli, "top", 1, HOT_CELLS, TOP_DEFAULT, &top, err) ||
        !cli_number(cli, "sample", 1, SAMPLE_MAX, 1, &o->sample, err) ||
        !cli_number(cli, "shards", 1, HOT_SHARDS_MAX, SHARDS_DEFAULT, &shards, err)) {
        return false;
    }
    o->top = (uint32_t)top;
    o->shards = (uint32_t)shards;
    return true;
}

static const char *log_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* NULL with the reason, which names the file. */
static const struct hot_report *read_log(struct hot *hot, const char *path, struct err *err)
{
    struct line_reader *r = line_reader_open_packed(path, HOT_LINE_MAX, err);
    if (!r) {
        return NULL;
    }
    struct watch watch = watch_start("reading the log", "lines");
    const struct hot_report *report = NULL;
    struct bytes line;
    bool good = true;
    int got = 0;
    for (size_t lines = 1; good && (got = line_reader_next(r, &line, err)) > 0; lines++) {
        good = hot_take(hot, line, err);
        watch_look(&watch, lines, (int64_t)line_reader_bytes(r), line_reader_size(r));
    }
    watch_end(&watch);
    line_reader_close(r);
    if (got < 0) {
        return NULL;
    }
    report = good ? hot_finish(hot, err) : NULL;
    if (!report) {
        err_prefix(err, "%s", err_word(log_name(path), 200).text);
    }
    return report;
}

static int run_hot(struct cli *cli)
{
    struct err err;
    struct hot_options options;
    if (cli->arguments != 1) {
        return cli_usage(cli, "hot takes one FILE, - for standard input");
    }
    const char *path = cli->argument[0];
    struct hot *hot = read_options(cli, &options, &err) ? hot_new(&options, &err) : NULL;
    const struct hot_report *report = hot ? read_log(hot, path, &err) : NULL;
    int status = CLI_YES;
    if (!report) {
        status = cli_fail(&err);
    } else if (cli->options.json) {
        hot_print_json(report);
    } else {
        hot_print_text(report, log_name(path), cli->options.ascii);
    }
    if (report && report->counts->ending_in_return == report->counts->lines) {
        cli_note("every key ends in a carriage return, which is part of the key; was the file "
                 "written on Windows?");
    }
    hot_free(hot);
    return status;
}

static const struct cli_option hot_options_list[] = {
    {"format", "F", "plain, csv or monitor; auto (default) looks at the first lines"},
    {"top", "K", "how many keys to list, 1 to 1024 (default 10)"},
    {"sample", "R", "take one request in R, 1 to 1000000 (default 1: all)"},
    {"shards", "N", "shards to place the keys on, 1 to 1000 (default 4)"},
    {NULL, NULL, NULL},
};

const struct cli_command command_hot = {
    .name = "hot",
    .arguments = "FILE",
    .about = "hot keys and uneven load in your own request log",
    .help =
        "Reads a log of requests (- is standard input, gzip is unpacked on the way), lists the\n"
        "hottest keys, and says how busy each shard would be by each scheme, and what salting\n"
        "the hottest key or a cache for the hot ones would change.\n"
        "\n"
        "  plain    a key a line, any bytes but newline\n"
        "  csv      a header with a column \"key\", if there are such also \"operation\" and\n"
        "           \"time\" (seconds); or the seven columns of a public cache trace\n"
        "  monitor  what redis-cli MONITOR prints; lines of scripts and of the cluster's own\n"
        "           traffic are not counted, unknown commands are told and not guessed at\n"
        "\n"
        "The log streams by: lines up to 1 MB, any number of them. Up to 1,048,576 different\n"
        "keys (64 MB of names) are counted one by one. Beyond that the list comes from 1,024\n"
        "counters (Space-Saving), each with how much of its count is unsure, and schemes that\n"
        "need all keys at once are left out; loads stay exact. That takes 200 MB at most.\n"
        "\n"
        "  redis-cli monitor | head -100000 | hotshard hot -\n"
        "\n"
        "JSON, one line a key: key, count, error (count - error <= accesses <= count), share,\n"
        "slot, shard (by the scheme slots), bytes, reads, writes; then one a scheme: scheme,\n"
        "hash, busiest_over_average, busiest_share, per_shard; one a change: change,\n"
        "assumption, busiest_before, busiest_after, ...; last the log: form, found, lines,\n"
        "requests, accesses, keys, exact, hottest_slot, ...",
    .option = hot_options_list,
    .run = run_hot,
};
