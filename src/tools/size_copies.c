/*
 * size_copies: the calculators of copies and movement: crosszone, quorum, move, tokens.
 */
#include "tools/size_inside.h"
#include <math.h>

#define SECONDS_A_MONTH 2592000.0 /* 30 days */
#define MIB 1048576.0

static bool compute_crosszone(const double *in, double *out, struct err *err)
{
    double rate = in[0], reply_kb = in[1], shards = in[2], zones = in[3];
    double usd = in[4], job_rate = in[5], local = in[6];
    if (local > shards) {
        return err_set(err, "job_local=%g is more than the %g shards there are; give at most that",
                       local, shards);
    }
    double crossing = shards * (zones - 1) / zones;
    double mb = rate * reply_kb * crossing / 1000;
    double job_kb = job_rate * reply_kb * (shards - local);
    double month_gb = mb * SECONDS_A_MONTH / 1000;
    double job_month_gb = job_kb * SECONDS_A_MONTH / 1e6;
    *out++ = rate * shards;
    *out++ = crossing;
    *out++ = mb;
    *out++ = month_gb;
    *out++ = month_gb * usd;
    *out++ = shards - local;
    *out++ = job_kb;
    *out++ = job_month_gb;
    *out++ = job_month_gb * usd;
    *out++ = job_kb > 0 ? mb * 1000 / job_kb : NAN;
    return true;
}

const struct size_tool size_crosszone = {
    .name = "crosszone",
    .about = "what a query over all shards costs between zones",
    .formula =
        "Every shard sends its reply to the zone that asked. Asked evenly from all zones, all "
        "replies but one zone's part cross, wherever the leaders are: shards times (zones - 1) "
        "over zones. Times requests and bytes that is traffic, and traffic between zones is paid "
        "for at both ends. Computed once a second in one zone, only the shards that lead "
        "elsewhere send, once. A month is 30 days.",
    .source = "document 000, part 9",
    .input =
        {
            {"rate", "requests/s", 1000, 0, 1e9, false, "that ask every shard"},
            {"reply_kb", "KB", 20, 0, 1e9, false, "of one shard's reply"},
            {"shards", "shards", 5, 1, 1e6, true, "that each request asks"},
            {"zones", "zones", 3, 1, 1000, true, "that shards and requests are spread over"},
            {"usd_gb", "USD/GB", 0.02, 0, 1000, false, "between zones, both directions"},
            {"job_rate", "times/s", 1, 0, 1e6, false, "that one job computes the answer instead"},
            {"job_local", "shards", 1, 0, 1e6, true, "that lead in the zone of that job"},
        },
    .result =
        {
            {"shard_reads", "reads/s", "at all shards together", "{rate} x {shards}"},
            {"crossing", "replies", "of one request that cross, on average",
             "{shards} x ({zones} - 1) / {zones}"},
            {"crossing_mb_s", "MB/s", "between zones", "{rate} x {reply_kb} x {crossing} / 1,000"},
            {"month_gb", "GB/month", "between zones", "{crossing_mb_s} x 2,592,000 / 1,000"},
            {"month_usd", "USD/month", "for that", "{month_gb} x {usd_gb}"},
            {"job_crossing", "replies", "that cross each time the job runs",
             "{shards} - {job_local}"},
            {"job_kb_s", "KB/s", "between zones with the job",
             "{job_rate} x {reply_kb} x {job_crossing}"},
            {"job_month_gb", "GB/month", "with the job", "{job_kb_s} x 2,592,000 / 1e6"},
            {"job_month_usd", "USD/month", "with the job", "{job_month_gb} x {usd_gb}"},
            {"times_fewer", "times", "fewer bytes with the job",
             "{crossing_mb_s} x 1,000 / {job_kb_s}"},
        },
    .compute = compute_crosszone,
};

static bool compute_quorum(const double *in, double *out, struct err *err)
{
    double copies = in[0], writers = in[1], readers = in[2];
    if (writers > copies || readers > copies) {
        return err_set(err, "%s=%g is more than the %g copies there are; give at most that",
                       writers > copies ? "write" : "read", writers > copies ? writers : readers,
                       copies);
    }
    *out++ = floor(copies / 2) + 1;
    *out++ = writers + readers > copies ? 1 : 0;
    *out++ = fmax(0, writers + readers - copies);
    *out++ = 2 * writers > copies ? 1 : 0;
    *out++ = copies - writers;
    *out++ = copies - readers;
    *out++ = copies - 1;
    return true;
}

const struct size_tool size_quorum = {
    .name = "quorum",
    .about = "whether reads meet the last write, and which losses are survived",
    .formula =
        "A write waits for W of the copies, a read asks R of them. If R + W is more than the "
        "copies, every read asks at least one copy that has the last finished write. That is "
        "overlap, not a single order of things: a write still under way may be seen by one read "
        "and missed by the next. W and R copies must answer, so the rest may be down; the data "
        "itself lives while one copy does.",
    .source = "document 004, 8.2 and 1.3",
    .input =
        {
            {"copies", "copies", 3, 1, 1000, true, "of each thing (RF)"},
            {"write", "copies", 2, 1, 1000, true, "that confirm a write (W)"},
            {"read", "copies", 2, 1, 1000, true, "that a read asks (R)"},
        },
    .result =
        {
            {"majority", "copies", "more than half of them", "({copies} / 2, rounded down) + 1"},
            {"reads_overlap", SIZE_YES_NO, "whether each read meets the last write",
             "{write} + {read} > {copies}"},
            {"overlap", "copies", "that each read and write surely share",
             "{write} + {read} - {copies}, at least 0"},
            {"writes_overlap", SIZE_YES_NO, "whether two writes surely meet",
             "2 x {write} > {copies}"},
            {"write_losses", "copies", "down and writes still finish", "{copies} - {write}"},
            {"read_losses", "copies", "down and reads still finish", "{copies} - {read}"},
            {"data_losses", "copies", "lost and the data still exists", "{copies} - 1"},
        },
    .compute = compute_quorum,
};

/* How long a request that is refused at once has waited when it is tried after the pause: waits
 * double from the first on. */
static double waited(double first, double pause)
{
    double total = 0;
    for (double wait = first; total < pause; wait *= 2) {
        total += wait;
    }
    return total;
}

static bool compute_move(const double *in, double *out, struct err *err)
{
    double data = in[0], from = in[1], to = in[2], mb_s = in[3] * in[4];
    double rate = in[5], pause = in[6];
    double share = fabs(to - from) / fmax(to, from);
    (void)err;
    double seconds = data * share * 1000 / mb_s;
    *out++ = share * 100;
    *out++ = data * share;
    *out++ = seconds;
    *out++ = seconds / 3600;
    *out++ = rate * seconds;
    *out++ = rate * pause / 1000;
    *out++ = waited(in[7], pause);
    *out++ = mb_s * 8;
    *out++ = mb_s * 1e6 / MIB;
    *out++ = data / in[8];
    *out++ = in[8] / to;
    *out++ = fmax(to - from, 0) * size_ceil(in[8], to) * data / in[8];
    return true;
}

const struct size_tool size_move = {
    .name = "move",
    .about = "how much data moves, for how long, and what the pause costs",
    .formula =
        "A good scheme moves what the new shards need and no more: the change of the number of "
        "shards over the larger number, as a part of the data. That, over the speed the sources "
        "can spare times the streams side by side, is the "
        "time; what is written meanwhile is the log that must be replayed. At the end nobody "
        "serves for a moment: the rate times the pause are the requests that notice, and they "
        "wait by doubling their delay until it is over. Data moves in whole partitions, so each "
        "new shard takes its share of them rounded up, at most.",
    .source = "document 000, part 8; document 004, 13.3",
    .input =
        {
            {"data_gb", "GB", 10000, 0, SIZE_MUCH, false, "in all shards"},
            {"from", "shards", 4, 0, SIZE_MUCH, true, "before; 0: all data is copied"},
            {"to", "shards", 5, 1, SIZE_MUCH, true, "after"},
            {"mb_s", "MB/s", 100, 0.001, 1e9, false, "of one stream"},
            {"streams", "streams", 1, 1, 1e6, true, "side by side"},
            {"rate", "requests/s", 12, 0, 1e9, false, "on what moves: writes for the log"},
            {"pause_ms", "ms", 13, 0, 3600000, false, "in which nobody serves it"},
            {"retry_ms", "ms", 10, 0.001, 3600000, false, "the first wait of a retry"},
            {"partitions", "partitions", 10000, 1, SIZE_MUCH, true, "that the data is cut into"},
        },
    .result =
        {
            {"moved_pct", "%", "of the data",
             "(1 - (the smaller of {from} and {to}) / (the larger of {from} and {to})) x 100"},
            {"moved_gb", "GB", "that moves", "{data_gb} x {moved_pct} / 100"},
            {"seconds", "s", "that the copy takes", "{moved_gb} x 1,000 / ({mb_s} x {streams})"},
            {"hours", "h", "the same", "{seconds} / 3,600"},
            {"log_entries", "entries", "written during the copy, if all write",
             "{rate} x {seconds}"},
            {"pause_hits", "requests", "that meet the pause", "{rate} x {pause_ms} / 1,000"},
            {"retry_wait_ms", "ms", "that the first of them waits",
             "waits of {retry_ms} ms, twice that, and so on, until they reach {pause_ms} ms"},
            {"mbit_s", "Mbit/s", "of all streams, as some settings say", "{mb_s} x {streams} x 8"},
            {"mib_s", "MiB/s", "of all streams, as others say",
             "{mb_s} x {streams} x 1e6 / 1,048,576"},
            {"partition_gb", "GB", "in one partition", "{data_gb} / {partitions}"},
            {"partitions_each", "partitions", "in each shard, after", "{partitions} / {to}"},
            {"whole_gb", "GB", "that moves, in whole partitions",
             "({to} - {from}, at least 0) x ({partitions} / {to}, rounded up) x {partition_gb}"},
        },
    .compute = compute_move,
};

static bool compute_tokens(const double *in, double *out, struct err *err)
{
    double nodes = in[0], tokens = in[1], entry = in[2];
    (void)err;
    double entries = nodes * tokens;
    *out++ = entries;
    *out++ = entries * entry / 1000;
    *out++ = nodes * entries * entry / 1e6;
    *out++ = 100 / nodes;
    *out++ = sqrt((nodes - 1) / (entries + 1)) * 100;
    *out++ = 100 / sqrt(tokens);
    *out++ = size_harmonic(nodes, 1);
    *out++ = log(nodes);
    *out++ = size_harmonic(nodes, 1) / nodes * 100;
    *out++ = 1 / nodes;
    return true;
}

const struct size_tool size_tokens = {
    .name = "tokens",
    .about = "what more tokens on a ring cost in memory and gain in balance",
    .formula =
        "Every node keeps the whole ring: nodes times tokens entries of some bytes. Shares of "
        "random arcs spread by the square root of (N - 1)/(N V + 1) around the average, about "
        "one over the square root of V: four times the tokens for half the spread. With a single "
        "token each, the largest of N shares is on average 1 + 1/2 + ... + 1/N times the fair "
        "one, and the smallest 1/N of it.",
    .source = "document 004, 4.1, 4.3 and 4.6",
    .input =
        {
            {"nodes", "nodes", 100, 1, 1e6, true, "on the ring (N)"},
            {"tokens", "tokens", 256, 1, 1e6, true, "of each node (V)"},
            {"entry_bytes", "bytes", 20, 1, 1e6, false, "for a token and its node; 20 to 30"},
        },
    .result =
        {
            {"entries", "entries", "on the ring", "{nodes} x {tokens}"},
            {"ring_kb", "KB", "that each node keeps", "{entries} x {entry_bytes} / 1,000"},
            {"fleet_mb", "MB", "in all nodes together", "{nodes} x {ring_kb} / 1,000"},
            {"fair_pct", "%", "a node's fair share", "100 / {nodes}"},
            {"spread_pct", "%", "of that share, the usual distance from it",
             "the square root of (({nodes} - 1) / ({entries} + 1)) x 100"},
            {"spread_rule_pct", "%", "what one over the square root of V says",
             "100 / the square root of ({tokens})"},
            {"largest_one", "times", "largest over fair share, one token each",
             "1/1 + 1/2 and so on to 1/{nodes}"},
            {"largest_one_ln", "times", "what the rule ln N says: too low", "ln({nodes})"},
            {"largest_one_pct", "%", "of the ring, that largest share",
             "{largest_one} / {nodes} x 100"},
            {"smallest_one", "times", "smallest over fair share, one token each", "1 / {nodes}"},
        },
    .compute = compute_tokens,
};
