/*
 * size_hot: the calculators of uneven load: hotspot, salt, coalesce, tail, buffer.
 */
#include "tools/size_inside.h"
#include <math.h>

#define SALTS_MAX 1024
#define FULLEST_SALTS_MAX 128 /* more take long, and by then shards are nearly even */

static bool compute_hotspot(const double *in, double *out, struct err *err)
{
    double rate = in[0], partitions = in[1], key_share = in[2] / 100;
    double items = in[3], zipf = in[4], top_share = in[5] / 100;
    (void)err;
    double average = rate / partitions;
    double key = rate * key_share;
    double busiest = key + (rate - key) / partitions;
    double top = fmax(1, size_floor(items * top_share, 1));
    *out++ = average;
    *out++ = key;
    *out++ = busiest;
    *out++ = key_share * partitions;
    *out++ = key_share * partitions + (1 - key_share);
    *out++ = items / partitions;
    *out++ = items / partitions * top_share;
    *out++ = size_harmonic(top, zipf) / size_harmonic(items, zipf) * 100;
    return true;
}

const struct size_tool size_hotspot = {
    .name = "hotspot",
    .about = "how far one hot key lifts its partition over the average",
    .formula =
        "A key lives on one partition, so its whole load does: its part of all requests, beside "
        "the partition's part of the rest. The hotspot factor is that partition's load over the "
        "average of all. At a factor below 5 a few copies for reading are enough; above 20 the "
        "key must be cut up or cached. More partitions make the factor larger, not smaller. If "
        "loads fall like Zipf's law, the n-th busiest key gets a part like 1 over n to the "
        "exponent.",
    .source = "document 004, 12.3",
    .input =
        {
            {"rate", "requests/s", 500000, 0, SIZE_MUCH, false, "of everything"},
            {"partitions", "partitions", 6000, 1, SIZE_MUCH, true, "that share the other keys"},
            {"key_pct", "%", 10, 0, 100, false, "of requests, for the hot key"},
            {"items", "keys", 1e9, 1, SIZE_MUCH, true, "different keys"},
            {"zipf", "", 1, 0, 5, false, "exponent of Zipf's law; 0 is even"},
            {"top_pct", "%", 1, 0, 100, false, "of the keys, the busiest first"},
        },
    .result =
        {
            {"average", "requests/s", "at a partition, were the load even",
             "{rate} / {partitions}"},
            {"key_rate", "requests/s", "for the hot key alone", "{rate} x {key_pct} / 100"},
            {"busiest", "requests/s", "at its partition",
             "{key_rate} + ({rate} - {key_rate}) / {partitions}"},
            {"key_factor", "times", "the key alone over the average",
             "{key_pct} / 100 x {partitions}"},
            {"hotspot_factor", "times", "its partition over the average",
             "{key_factor} + 1 - {key_pct} / 100"},
            {"keys_each", "keys", "on each partition", "{items} / {partitions}"},
            {"top_keys_each", "keys", "of the busiest on each partition",
             "{keys_each} x {top_pct} / 100"},
            {"top_share_pct", "%", "of requests, for the busiest keys",
             "1/n^{zipf} added up for the first {top_pct}% of {items} keys, over the sum for all"},
        },
    .compute = compute_hotspot,
};

/* Chances of 0..salts sub-keys on a group of shards, none of them over its cap. */
struct placed {
    double chance[SALTS_MAX + 1];
};

/* One shard takes a number of sub-keys with a mean of salts/shards, so that conditioned on their
 * sum the shards share the salts as blind placing does. Nothing here is subtracted: each digit
 * stays good. */
static void place_one(struct placed *p, int salts, double mean, double cap)
{
    *p = (struct placed){{0}};
    for (int k = 0; k <= salts && k <= cap; k++) {
        p->chance[k] = exp(k * log(mean) - mean - lgamma(k + 1.0));
    }
}

static void place_both(struct placed *p, const struct placed *other, int salts)
{
    struct placed sum = {{0}};
    for (int a = 0; a <= salts; a++) {
        for (int b = 0; p->chance[a] > 0 && b <= salts - a; b++) {
            sum.chance[a + b] += p->chance[a] * other->chance[b];
        }
    }
    *p = sum;
}

/* The chance that salts placed blind leave every shard within its cap, one shard's being its own;
 * a cap below 0 is none at all. */
static double blind_chance(int salts, int shards, double cap, double home_cap)
{
    if (home_cap < 0 || (cap < 0 && shards > 1)) {
        return 0;
    }
    double mean = (double)salts / shards;
    struct placed all;
    struct placed power;
    place_one(&all, salts, mean, home_cap);
    place_one(&power, salts, mean, cap);
    for (int others = shards - 1; others > 0; others /= 2) {
        if (others % 2 == 1) {
            place_both(&all, &power, salts);
        }
        struct placed half = power;
        place_both(&power, &half, salts);
    }
    double any = exp(salts * log(salts) - salts - lgamma(salts + 1.0));
    return fmin(1, all.chance[salts] / any);
}

/* How many sub-keys the fullest shard has on average when placed blind: the sum over all c of the
 * chance that it has more than c. */
static double fullest_blind(int salts, int shards)
{
    double sum = 0;
    for (int c = 0; c < salts; c++) {
        double within = (double)c * shards < salts ? 0 : blind_chance(salts, shards, c, c);
        sum += 1 - within;
    }
    return sum;
}

static bool compute_salt(const double *in, double *out, struct err *err)
{
    double rate = in[0], ceiling = in[1], most = in[1] * in[2] / 100;
    double other = in[3], home = in[4], salts = in[5], shards = in[6], reads = in[7];
    (void)err;
    double naive = fmax(1, size_ceil(rate, ceiling));
    double each = rate / salts;
    double on_one = ceil(salts / shards);
    double load = other + on_one * each;
    double home_load = home + on_one * each;
    *out++ = rate / ceiling * 100;
    *out++ = rate / ceiling;
    *out++ = naive;
    *out++ = other + rate / naive;
    *out++ = most - other;
    *out++ = most > other ? fmax(1, size_ceil(rate, most - other)) : NAN;
    *out++ = each;
    *out++ = on_one;
    *out++ = load;
    *out++ = load / ceiling * 100;
    *out++ = home_load;
    *out++ = size_ceil(fmax(load, home_load), most) <= 1 ? 1 : 0;
    *out++ = each > 0 ? blind_chance((int)salts, (int)shards, size_floor(most - other, each),
                                     size_floor(most - home, each))
                      : NAN;
    double fullest =
        salts <= FULLEST_SALTS_MAX ? fullest_blind((int)salts, (int)shards) : (double)NAN;
    *out++ = fullest;
    *out++ = salts / fullest;
    *out++ = salts;
    *out++ = reads * salts;
    *out++ = reads * on_one;
    return true;
}

const struct size_tool size_salt = {
    .name = "salt",
    .about = "into how many sub-keys a hot counter must be cut",
    .formula =
        "A shard carries its other traffic and, for each sub-key on it, the hot key's rate over "
        "the number of sub-keys; that sum must stay within the target on every shard. The naive "
        "count, rate over ceiling, forgets the other traffic. A read must ask all sub-keys. "
        "Where you cannot choose their places, they collide: the chance of that is what more "
        "sub-keys are for. What the fullest shard has then on average is told for up to 128 "
        "of them.",
    .source = "document 000, part 5; document 004, 6.4",
    .input =
        {
            {"rate", "writes/s", 2400, 0, 1e9, false, "on the hot key"},
            {"shard_rate", "writes/s", 1000, 0.001, 1e9, false, "the ceiling of one shard"},
            {"target_pct", "%", 80, 1, 100, false, "of its ceiling that a shard may use"},
            {"other", "writes/s", 200, 0, 1e9, false, "of other keys on each shard"},
            {"home_other", "writes/s", 150, 0, 1e9, false, "of other keys where the hot key was"},
            {"salts", "sub-keys", 8, 1, SALTS_MAX, true, "that you think of"},
            {"shards", "shards", 4, 1, 1000, true, "that they are spread over"},
            {"reads", "reads/s", 9000, 0, 1e9, false, "of the whole count"},
        },
    .result =
        {
            {"key_pct", "%", "of a shard's ceiling, for the uncut key",
             "{rate} / {shard_rate} x 100"},
            {"ceilings", "times", "the same as a ratio", "{rate} / {shard_rate}"},
            {"salts_naive", "sub-keys", "that ratio rounded up",
             "{rate} / {shard_rate}, rounded up, at least 1"},
            {"load_naive", "writes/s", "on a shard with one of those sub-keys",
             "{other} + {rate} / {salts_naive}"},
            {"room", "writes/s", "that a shard has left within the target",
             "{shard_rate} x {target_pct} / 100 - {other}"},
            {"salts_needed", "sub-keys", "fewest, if each is alone on its shard",
             "{rate} / {room}, rounded up, at least 1"},
            {"rate_each", "writes/s", "on each of your sub-keys", "{rate} / {salts}"},
            {"salts_each", "sub-keys", "on the fullest shard when spread evenly",
             "{salts} / {shards}, rounded up"},
            {"load", "writes/s", "on such a shard", "{other} + {salts_each} x {rate_each}"},
            {"load_pct", "%", "of its ceiling", "{load} / {shard_rate} x 100"},
            {"home_load", "writes/s", "on the shard where the hot key was",
             "{home_other} + {salts_each} x {rate_each}"},
            {"fits", SIZE_YES_NO, "whether all stay within the target",
             "the larger of {load} and {home_load} <= {shard_rate} x {target_pct} / 100"},
            {"blind_chance", "probability", "that they do when placed blind",
             "ways to place {salts} sub-keys on {shards} shards, none over its target, of all "
             "ways"},
            {"fullest_blind", "sub-keys", "on the fullest shard then, on average",
             "the fullest of {shards} shards, averaged over all ways to place {salts} sub-keys"},
            {"gain_blind", "times", "less on that shard than the uncut key",
             "{salts} / {fullest_blind}"},
            {"read_fan", "reads", "of sub-keys for one read of the count", "{salts}"},
            {"sub_reads", "reads/s", "of sub-keys on all shards", "{reads} x {salts}"},
            {"sub_reads_each", "reads/s", "of sub-keys on the fullest shard",
             "{reads} x {salts_each}"},
        },
    .compute = compute_salt,
};

static bool compute_coalesce(const double *in, double *out, struct err *err)
{
    double reads = in[0], routers = in[1], seconds = in[2] / 1000;
    double writes = in[3], other = in[4], ceiling = in[5];
    (void)err;
    double here = reads / routers;
    double window = writes > 0 ? -expm1(-writes * seconds) / writes : seconds;
    double one = here / (1 + here * seconds);
    double all = one * routers;
    double by_key = reads / (1 + reads * window);
    *out++ = here;
    *out++ = here * seconds;
    *out++ = one;
    *out++ = all;
    *out++ = by_key;
    *out++ = by_key > 0 ? all / by_key : NAN;
    *out++ = 1 + reads * window;
    *out++ = 1 / window;
    *out++ = window * 1000;
    *out++ = other + all;
    *out++ = (other + all) / ceiling * 100;
    *out++ = other + by_key;
    *out++ = (other + by_key) / ceiling * 100;
    return true;
}

const struct size_tool size_coalesce = {
    .name = "coalesce",
    .about = "how many queries are left when readers of a key share one",
    .formula =
        "Readers who come while a query runs take its answer. With l reads a second and queries "
        "of t seconds a query is followed by a wait of 1/l for the next reader, so l/(1 + l t) "
        "queries a second are left, never more than 1/t. Each router knows its own readers only; "
        "sent by key to one router, all readers share. After a completed write nobody may join "
        "an older query, so writes close the window early, at (1 - e^(-w t))/w.",
    .source = "document 000, part 4",
    .input =
        {
            {"reads", "reads/s", 9000, 0, 1e9, false, "of the hot key, at random moments"},
            {"routers", "routers", 6, 1, 1e6, true, "that share the readers evenly"},
            {"query_ms", "ms", 5, 0.001, 60000, false, "that a query takes"},
            {"writes", "writes/s", 0, 0, 1e9, false, "of the same key, if routed by key"},
            {"other", "reads/s", 300, 0, 1e9, false, "of other keys on the shard"},
            {"shard_rate", "reads/s", 3000, 0.001, 1e9, false, "the shard's ceiling"},
        },
    .result =
        {
            {"reads_each", "reads/s", "at each router", "{reads} / {routers}"},
            {"waiting_each", "reads", "that come to a router during one query",
             "{reads_each} x {query_ms} / 1,000"},
            {"queries_each", "queries/s", "from each router",
             "{reads_each} / (1 + {waiting_each})"},
            {"queries", "queries/s", "from all routers", "{queries_each} x {routers}"},
            {"queries_by_key", "queries/s", "when one router has all the readers",
             "{reads} / (1 + {reads} x {window_ms} / 1,000)"},
            {"times_fewer", "times", "fewer than from all routers", "{queries} / {queries_by_key}"},
            {"readers_by_key", "readers", "answered by one such query",
             "1 + {reads} x {window_ms} / 1,000"},
            {"queries_by_key_max", "queries/s", "however many readers come", "1,000 / {window_ms}"},
            {"window_ms", "ms", "in which a reader may join, on average",
             "(1 - e^(-w t)) / w of w = {writes} and t = {query_ms} ms; without writes t"},
            {"shard_reads", "reads/s", "at the shard, coalesced at each router",
             "{other} + {queries}"},
            {"shard_pct", "%", "of its ceiling", "{shard_reads} / {shard_rate} x 100"},
            {"shard_reads_by_key", "reads/s", "at the shard, routed by key",
             "{other} + {queries_by_key}"},
            {"shard_by_key_pct", "%", "of its ceiling",
             "{shard_reads_by_key} / {shard_rate} x 100"},
        },
    .compute = compute_coalesce,
};

/* The time within which a share of replies has come. */
static double reply_within(const double *in, double share)
{
    double slow = in[1] / 100;
    double fast = 1 - slow;
    if (share <= fast && fast > 0) {
        return in[2] + (in[3] - in[2]) * share / fast;
    }
    return in[4] + (in[5] - in[4]) * fmin(1, (share - fast) / slow);
}

static bool compute_tail(const double *in, double *out, struct err *err)
{
    double shards = in[0], slow = in[1] / 100;
    if (in[2] > in[3] || in[3] > in[4] || in[4] > in[5]) {
        return err_set(err,
                       "the times of tail must not fall from fast_low_ms over fast_high_ms and "
                       "slow_low_ms to slow_high_ms; give them in that order");
    }
    double any = -expm1(shards * log1p(-slow));
    double half = log(0.5) / log1p(-slow);
    *out++ = any * 100;
    *out++ = any > 0 ? 1 / any : NAN;
    *out++ = slow > 0 ? fmax(1, size_ceil(half, 1)) : NAN;
    *out++ = (1 - slow) * (in[2] + in[3]) / 2 + slow * (in[4] + in[5]) / 2;
    *out++ = reply_within(in, pow(0.5, 1 / shards));
    *out++ = reply_within(in, pow(0.99, 1 / shards));
    return true;
}

const struct size_tool size_tail = {
    .name = "tail",
    .about = "how often a query that asks many shards meets a slow one",
    .formula =
        "A query that asks all shards waits for the slowest. If a reply is slow with chance p, "
        "all N are fast with (1-p)^N, and some is slow with 1 - (1-p)^N. The slowest reply is "
        "within a time when all are: its median is the time within which a single shard answers "
        "with chance 0.5^(1/N), its p99 the same with 0.99. Fast and slow replies are each "
        "spread evenly between their bounds.",
    .source = "document 000, part 9; document 004, 9",
    .input =
        {
            {"shards", "shards", 5, 1, 1e9, true, "that one query asks"},
            {"slow_pct", "%", 1, 0, 100, false, "of a shard's replies that are slow"},
            {"fast_low_ms", "ms", 3, 0, 3600000, false, "the quickest of the fast replies"},
            {"fast_high_ms", "ms", 7, 0, 3600000, false, "the last of the fast replies"},
            {"slow_low_ms", "ms", 50, 0, 3600000, false, "the quickest of the slow replies"},
            {"slow_high_ms", "ms", 200, 0, 3600000, false, "the last of the slow replies"},
        },
    .result =
        {
            {"any_slow_pct", "%", "of queries that meet a slow reply",
             "(1 - (1 - {slow_pct} / 100)^{shards}) x 100"},
            {"one_in", "queries", "one query in so many", "100 / {any_slow_pct}"},
            {"shards_half", "shards", "from which on it is every second query",
             "ln(0.5) / ln(1 - {slow_pct} / 100), rounded up, at least 1"},
            {"mean_one_ms", "ms", "a single shard's reply on average",
             "(1 - {slow_pct} / 100) x ({fast_low_ms} + {fast_high_ms}) / 2 + {slow_pct} / 100 x "
             "({slow_low_ms} + {slow_high_ms}) / 2"},
            {"median_ms", "ms", "of the slowest reply",
             "within that time one reply comes with chance 0.5^(1/{shards})"},
            {"p99_ms", "ms", "of the slowest reply",
             "within that time one reply comes with chance 0.99^(1/{shards})"},
        },
    .compute = compute_tail,
};

/* The chance that a Poisson count with this mean is n or more, summed from n to the nearer side:
 * terms fall from there on, and what is too small to matter ends the sum. */
static double poisson_at_least(double mean, double n)
{
    if (n <= 0 || mean <= 0) {
        return n <= 0 ? 1 : 0;
    }
    bool above = n > mean;
    double k = above ? n : n - 1;
    double term = exp(k * log(mean) - mean - lgamma(k + 1));
    double sum = 0;
    while (term > 0 && term > sum * 1e-17) {
        sum += term;
        term *= above ? mean / (k + 1) : k / mean;
        k += above ? 1 : -1;
    }
    return fmin(1, above ? sum : fmax(0, 1 - sum));
}

static bool compute_buffer(const double *in, double *out, struct err *err)
{
    double rate = in[0], routers = in[1], seconds = in[2] / 1000, least = in[3];
    (void)err;
    double each = rate / routers;
    double full = each * seconds;
    double late = poisson_at_least(full, least);
    double any = least > 0 && full > 0
                     ? fmax(0, late - least / full * poisson_at_least(full, least + 1))
                     : late;
    *out++ = each;
    *out++ = full;
    *out++ = full / 2;
    *out++ = sqrt(full);
    *out++ = late;
    *out++ = any;
    *out++ = rate * seconds / 2;
    *out++ = rate * seconds;
    return true;
}

const struct size_tool size_buffer = {
    .name = "buffer",
    .about = "what a router that sums likes loses from the count when it crashes",
    .formula =
        "A router adds the likes that it hears and writes its sum once in a window; a crash loses "
        "what came since the last flush: at a random moment half a window of likes, just before a "
        "flush a whole one. Likes that come at random make that number a Poisson count, whose "
        "chance to reach some number is the sum of its terms from there on; at a random moment it "
        "is the average of that chance over the window. The likes themselves are safe in the "
        "table of likes, and a recount finds them.",
    .source = "document 000, part 5",
    .input =
        {
            {"rate", "likes/s", 2400, 0, 1e6, false, "on the hot key"},
            {"routers", "routers", 6, 1, 1e6, true, "that share them evenly"},
            {"flush_ms", "ms", 500, 0.001, 60000, false, "between a router's flushes"},
            {"at_least", "likes", 211, 0, 1e9, true, "that you ask the chance of"},
        },
    .result =
        {
            {"rate_each", "likes/s", "at each router", "{rate} / {routers}"},
            {"lost_late", "likes", "in its buffer just before it flushes",
             "{rate_each} x {flush_ms} / 1,000"},
            {"lost_any", "likes", "in it at a random moment, on average", "{lost_late} / 2"},
            {"spread_late", "likes", "the usual distance from lost_late",
             "the square root of ({lost_late})"},
            {"chance_late", "probability", "of at_least or more just before a flush",
             "the terms of a Poisson count with mean {lost_late}, from {at_least} on, added up"},
            {"chance_any", "probability", "of at_least or more at a random moment",
             "that chance averaged over a window in which the mean grows to {lost_late}"},
            {"behind", "likes", "that the count lacks, on average",
             "{rate} x {flush_ms} / 1,000 / 2"},
            {"behind_max", "likes", "the same if all buffers were full at once",
             "{rate} x {flush_ms} / 1,000"},
        },
    .compute = compute_buffer,
};
