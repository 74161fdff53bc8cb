/*
 * size_growth: the calculators of growth and of the choice of a key: resize, shardkey, ids,
 * average.
 */
#include "tools/size_inside.h"
#include <math.h>

#define MS_A_YEAR 31557600000.0 /* of 365.25 days */

static double divisor_of_both(double a, double b)
{
    while (b > 0) {
        double rest = fmod(a, b);
        a = b;
        b = rest;
    }
    return a;
}

static bool compute_resize(const double *in, double *out, struct err *err)
{
    double keys = in[0], from = in[1], to = in[2];
    double rate = in[3], hit = in[4] / 100, limit = in[5];
    double both = divisor_of_both(from, to);
    (void)err;
    double by_mod = from == to ? 0 : 1 - fmin(from, to) / (from / both * to);
    double by_ring = fabs(to - from) / fmax(from, to);
    double stored = 1 - limit / rate; /* what the cache must answer */
    *out++ = rate * (1 - hit);
    *out++ = by_mod * 100;
    *out++ = by_mod * keys;
    *out++ = hit * (1 - by_mod) * 100;
    *out++ = rate * (1 - hit * (1 - by_mod));
    *out++ = rate * (1 - hit * (1 - by_mod)) / limit;
    *out++ = by_ring * 100;
    *out++ = by_ring * keys;
    *out++ = hit * (1 - by_ring) * 100;
    *out++ = rate * (1 - hit * (1 - by_ring));
    *out++ = rate * (1 - hit * (1 - by_ring)) / limit;
    *out++ = from == to ? NAN : by_mod / by_ring;
    *out++ = stored <= 0             ? 1
             : hit - stored <= 1e-12 ? NAN
                                     : fmax(1, size_ceil(stored, hit - stored));
    return true;
}

const struct size_tool size_resize = {
    .name = "resize",
    .about = "what a resize of a cache does to its hits and the database",
    .formula =
        "By the remainder, a key stays when both remainders are the same one: the smaller number "
        "of servers out of the least common multiple of both. On a ring, the new servers' part "
        "of the keys moves, or that of those which leave. A key that moved is not in the cache of "
        "its new server, so the hit rate falls by the part that moved, and the database reads "
        "what is missed until the cache is warm again. A join of one server leaves N/(N + 1) of "
        "the hits: the smallest cluster is the N for which what is missed then stays within the "
        "database's limit.",
    .source = "document 004, the start, 3.5 and case 1",
    .input =
        {
            {"keys", "keys", 4e7, 1, SIZE_MUCH, true, "in the cache"},
            {"from", "servers", 10, 1, 1e6, true, "before"},
            {"to", "servers", 11, 1, 1e6, true, "after"},
            {"rate", "reads/s", 50000, 0.001, SIZE_MUCH, false, "of the cache"},
            {"hit_pct", "%", 95, 0, 100, false, "of them it answers when it is warm"},
            {"limit", "reads/s", 10000, 0.001, SIZE_MUCH, false, "that the database can do"},
        },
    .result =
        {
            {"reads_before", "reads/s", "of the database, cache warm",
             "{rate} x (1 - {hit_pct} / 100)"},
            {"mod_moved_pct", "%", "of the keys that move by the remainder",
             "the smaller of {from} and {to} over their least common multiple is what stays, in %"},
            {"mod_moved", "keys", "that is", "{keys} x {mod_moved_pct} / 100"},
            {"mod_hit_pct", "%", "hits right after that",
             "{hit_pct} x (1 - {mod_moved_pct} / 100)"},
            {"mod_reads", "reads/s", "of the database then", "{rate} x (1 - {mod_hit_pct} / 100)"},
            {"mod_load", "times", "of its limit", "{mod_reads} / {limit}"},
            {"ring_moved_pct", "%", "of the keys that move on a ring",
             "(1 - (the smaller of {from} and {to}) / (the larger of {from} and {to})) x 100"},
            {"ring_moved", "keys", "that is", "{keys} x {ring_moved_pct} / 100"},
            {"ring_hit_pct", "%", "hits right after that",
             "{hit_pct} x (1 - {ring_moved_pct} / 100)"},
            {"ring_reads", "reads/s", "of the database then",
             "{rate} x (1 - {ring_hit_pct} / 100)"},
            {"ring_load", "times", "of its limit", "{ring_reads} / {limit}"},
            {"fewer", "times", "fewer keys move on a ring", "{mod_moved_pct} / {ring_moved_pct}"},
            {"least_servers", "servers", "of a ring that one more may join",
             "(1 - {limit} / {rate}) / ({hit_pct} / 100 - (1 - {limit} / {rate})), rounded up, at "
             "least 1"},
        },
    .compute = compute_resize,
};

static bool compute_shardkey(const double *in, double *out, struct err *err)
{
    double by_id = in[0], by_customer = in[1], by_seller = in[2], shards = in[3];
    (void)err;
    *out++ = by_id + by_customer + by_seller;
    *out++ = by_id + (by_customer + by_seller) * shards;
    *out++ = (by_id + by_customer) * shards + by_seller;
    *out++ = (by_id + by_customer) * shards + by_seller;
    *out++ = by_id + by_customer + by_seller * shards;
    *out++ = by_id + by_customer + by_seller;
    return true;
}

const struct size_tool size_shardkey = {
    .name = "shardkey",
    .about = "what each choice of a shard key costs in queries",
    .formula = "A query that names the shard key asks one shard, any other asks all. By order ID, "
               "a customer's and a seller's orders are anywhere. By the time of creation, a "
               "seller's orders of today lie together, but an ID does not tell its order's time, "
               "nor a customer's name his orders'. By seller likewise. By customer, with the "
               "customer's shard written into each order ID, only the sellers ask everywhere, "
               "unless a second table keyed by seller is kept for them.",
    .source = "document 003, choosing the shard key",
    .input =
        {
            {"by_id", "queries/s", 40000, 0, SIZE_MUCH, false, "one order by its ID"},
            {"by_customer", "queries/s", 8000, 0, SIZE_MUCH, false, "a customer's orders"},
            {"by_seller", "queries/s", 500, 0, SIZE_MUCH, false, "a seller's orders of today"},
            {"shards", "shards", 8, 1, 1e6, true, "of the table"},
        },
    .result =
        {
            {"queries", "queries/s", "asked, however they are served",
             "{by_id} + {by_customer} + {by_seller}"},
            {"order_hits", "queries/s", "of shards, keyed by order ID",
             "{by_id} + ({by_customer} + {by_seller}) x {shards}"},
            {"time_hits", "queries/s", "keyed by time: one takes all writes",
             "({by_id} + {by_customer}) x {shards} + {by_seller}"},
            {"seller_hits", "queries/s", "keyed by seller",
             "({by_id} + {by_customer}) x {shards} + {by_seller}"},
            {"customer_hits", "queries/s", "keyed by customer, IDs naming it",
             "{by_id} + {by_customer} + {by_seller} x {shards}"},
            {"copy_hits", "queries/s", "the same with a copy by seller",
             "{by_id} + {by_customer} + {by_seller}"},
        },
    .compute = compute_shardkey,
};

static bool compute_ids(const double *in, double *out, struct err *err)
{
    double time_bits = in[0], shard_bits = in[1], sequence_bits = in[2];
    (void)err;
    *out++ = time_bits + shard_bits + sequence_bits;
    *out++ = exp2(time_bits) / MS_A_YEAR;
    *out++ = exp2(shard_bits);
    *out++ = exp2(sequence_bits);
    *out++ = exp2(shard_bits) * exp2(sequence_bits) * 1000;
    *out++ = time_bits + shard_bits + sequence_bits <= 64;
    return true;
}

const struct size_tool size_ids = {
    .name = "ids",
    .about = "how far IDs of a time, a shard and a counter reach",
    .formula = "Each bit doubles what its field can count. The time counts milliseconds; the shard "
               "makes every ID name where its row is; the sequence keeps the IDs apart that one "
               "shard gives in one millisecond.",
    .source = "document 003, choosing the shard key (Instagram's IDs of 2012)",
    .input =
        {
            {"time_bits", "bits", 41, 1, 60, true, "milliseconds since a day of your choice"},
            {"shard_bits", "bits", 13, 0, 30, true, "the logical shard"},
            {"sequence_bits", "bits", 10, 0, 30, true, "a counter in each shard"},
        },
    .result =
        {
            {"bits", "bits", "in all", "{time_bits} + {shard_bits} + {sequence_bits}"},
            {"years", "years", "of 365.25 days until the time runs over",
             "2^{time_bits} / 31,557,600,000"},
            {"shards", "shards", "logical ones, for ever", "2^{shard_bits}"},
            {"ids_ms", "IDs", "of a shard in one millisecond", "2^{sequence_bits}"},
            {"ids_second", "IDs/s", "of all shards", "{shards} x {ids_ms} x 1,000"},
            {"fits", SIZE_YES_NO, "into a number of 64 bits", "{bits} <= 64"},
        },
    .compute = compute_ids,
};

static bool compute_average(const double *in, double *out, struct err *err)
{
    double shards = in[0], mean = in[1], busiest = in[2], factor = in[3];
    if (busiest > shards * mean || busiest < mean) {
        return err_set(err,
                       "busiest_pct=%g does not go with a mean of %g%% over %g shards; give %g to "
                       "%g",
                       busiest, mean, shards, mean, shards * mean);
    }
    *out++ = busiest / mean;
    *out++ = shards > 1 ? (shards * mean - busiest) / (shards - 1) : NAN;
    *out++ = factor * mean;
    *out++ = busiest >= factor * mean;
    return true;
}

const struct size_tool size_average = {
    .name = "average",
    .about = "how an average hides one hot shard, and an alert sees it",
    .formula = "The shards' loads add up to their number times the mean. Take the busiest one "
               "away, and the rest is shared by the others. An alert on busiest over mean fires "
               "at the factor times the mean, whatever the ceiling is: while all are idle it is "
               "early, and that is its use.",
    .source = "document 003, failures, and at scale",
    .input =
        {
            {"shards", "shards", 20, 1, 1e6, true, "that the dashboard averages"},
            {"mean_pct", "%", 30, 0.001, 1e6, false, "what it shows"},
            {"busiest_pct", "%", 100, 0.001, 1e12, false, "the load of the hottest shard"},
            {"factor", "times", 1.5, 1, 1e6, false, "of the mean at which the alert fires"},
        },
    .result =
        {
            {"busiest_over_mean", "times", "the skew", "{busiest_pct} / {mean_pct}"},
            {"others_pct", "%", "the mean of all others",
             "({shards} x {mean_pct} - {busiest_pct}) / ({shards} - 1)"},
            {"alert_pct", "%", "the load of a shard at which the alert fires",
             "{factor} x {mean_pct}"},
            {"fires", SIZE_YES_NO, "the alert, at this busiest", "{busiest_pct} >= {alert_pct}"},
        },
    .compute = compute_average,
};
