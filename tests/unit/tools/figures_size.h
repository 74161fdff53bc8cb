/*
 * The figures of capacity: what the calculators of tools/size.h answer, with the inputs named. Part
 * of test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_SIZE_H
#define HOTSHARD_TESTS_FIGURES_SIZE_H

#include "base/check.h"
#include "figures.h"
#include "tools/size.h"

/* The next word of *text, cut at a blank; NULL at the end of the run, which is ";" or nothing. */
static inline const char *size_word(const char **text, char *word, size_t room)
{
    while (**text == ' ') {
        (*text)++;
    }
    size_t length = strcspn(*text, " ;");
    CHECK(length < room);
    memcpy(word, *text, length);
    word[length] = '\0';
    *text += length;
    return length > 0 ? word : NULL;
}

/* The result called `name`, of which "/1000" or "*1000" makes another unit. */
static inline double size_pick(const struct size_tool *tool, const double *result, char *name)
{
    char *factor = strpbrk(name, "/*");
    double times = factor ? strtod(factor + 1, NULL) : 1;
    bool divide = factor && *factor == '/';
    if (factor) {
        *factor = '\0';
    }
    size_t i = 0;
    while (tool->result[i].name && strcmp(tool->result[i].name, name) != 0) {
        i++;
    }
    CHECK(tool->result[i].name);
    return divide ? result[i] / times : result[i] * times;
}

/* One run, "WHAT RESULT name=value ..."; *text is left at its end. `more` is one input more. */
static inline double size_run(const char **text, const char *more)
{
    char word[80];
    char name[80];
    struct size_values values;
    double result[SIZE_RESULTS_MAX];
    struct err err = {.text = ""};
    const struct size_tool *tool = size_by_name(size_word(text, word, sizeof word));
    CHECK(tool && size_word(text, name, sizeof name));
    size_start(tool, &values);
    bool good = !more || size_give(tool, more, &values, &err);
    while (good && size_word(text, word, sizeof word)) {
        good = size_give(tool, word, &values, &err);
    }
    good = good && size_compute(tool, &values, result, &err);
    if (!good) {
        printf("%s\n", err.text);
    }
    CHECK(good);
    return size_pick(tool, result, name);
}

/* The results of the runs of text, between which stands ";". */
static inline void value_size(const struct figure *f, struct str *out)
{
    for (const char *at = f->text; *at != '\0'; at += *at == ';') {
        figures_add_real(out, size_run(&at, NULL));
    }
}

static inline void value_size_sum(const struct figure *f, struct str *out)
{
    double sum = 0;
    for (const char *at = f->text; *at != '\0'; at += *at == ';') {
        sum += size_run(&at, NULL);
    }
    figures_add_real(out, sum);
}

static inline void value_size_and(const struct figure *f, struct str *out)
{
    for (const char *at = f->text; *at != '\0'; at += *at == ';') {
        if (out->length > 0) {
            str_add(out, " and");
        }
        figures_add_real(out, size_run(&at, NULL));
    }
}

static inline void value_size_to(const struct figure *f, struct str *out)
{
    for (const char *at = f->text; *at != '\0'; at += *at == ';') {
        str_addf(out, "%s%.2f", out->length > 0 ? " to " : "", size_run(&at, NULL));
    }
}

/* Ten nodes join fifty, b at a time: the sum over the joins. */
static inline void value_size_joins(const struct figure *f, struct str *out)
{
    double sum = 0;
    for (int64_t from = 50; from < 60; from += f->b) {
        struct str run = STR_EMPTY;
        str_addf(&run, "%s from=%lld to=%lld", f->text, (long long)from, (long long)(from + f->b));
        const char *at = str_text(&run);
        sum += size_run(&at, NULL);
        str_free(&run);
    }
    figures_add_real(out, sum);
}

/* The exponent of Zipf's law, or with b the share of slow replies, at which the result is a. */
static inline void value_size_solve(const struct figure *f, struct str *out)
{
    double low = f->b ? 1 : 0;
    double high = 2;
    for (int i = 0; i < 60; i++) {
        char more[80];
        double middle = (low + high) / 2;
        snprintf(more, sizeof more, "%s=%.17f", f->b ? "slow_pct" : "zipf", middle);
        const char *at = f->text;
        bool above = size_run(&at, more) > (double)f->a;
        high = above ? middle : high;
        low = above ? low : middle;
    }
    figures_add_real(out, low);
}

/* text: what a simulation was said to give, and the run that gives the formula's figure, which was
 * said to two places: how far apart the two are. */
static inline void value_size_gap(const struct figure *f, struct str *out)
{
    char *run = NULL;
    double simulated = strtod(f->text, &run);
    const char *at = run;
    double formula = round(size_run(&at, NULL) * 100) / 100;
    figures_add_real(out, 100 * fabs(simulated - formula) / formula);
}

static const struct figure sizes[] = {
    {"read.coal_gap_1", value_size_gap, "176.25 coalesce queries_each", 0, 0},
    {"read.coal_gap_2", value_size_gap, "195.61 coalesce queries_by_key", 0, 0},
    {"count.crash_tail", value_size, "buffer chance_late at_least=211", 0, 0},
    {"count.crash_tail_any", value_size, "buffer chance_any at_least=211", 0, 0},
    {"salt.d4_exp_max", value_size, "salt fullest_blind salts=10 shards=10", 0, 0},
    {"move.mib_vs_mbps", value_size, "move mib_s mb_s=25", 0, 0},
    {"size.per_shard", value_size, "shards rate_each_max shard_rate=4000 target_pct=70", 0, 0},
    {"size.shards_raw", value_size, "shards shards_exact rate=38750 shard_rate=4000", 0, 0},
    {"size.shards_min", value_size, "shards shards rate=38750 shard_rate=4000 data_gb=0", 0, 0},
    {"size.util_14", value_size, "shards load_pct rate=38750 shard_rate=4000 data_gb=0", 0, 0},
    {"size.util_13", value_size, "shards load_one_less_pct rate=38750 data_gb=0", 0, 0},
    {"d3.trigger", value_size,
     "shards load_pct rate=9000 shard_rate=15000 target_pct=100 data_gb=0", 0, 0},
    {"ring.qps_nodes", value_size,
     "shards shards rate=5000000 shard_rate=500000 target_pct=100 data_gb=0", 0, 0},
    {"managed.kin_min", value_size,
     "shards shards rate=3150 shard_rate=1000 target_pct=100 data_gb=0", 0, 0},

    {"size.router_cap", value_size, "routers rate_each_max router_rate=2500 target_pct=80", 0, 0},
    {"size.fleet", value_size, "routers routers rate=13650 zones=3", 0, 0},
    {"size.fleet_naive", value_size, "routers routers_naive rate=13650 zones=3", 0, 0},
    {"size.fleet_writes", value_size, "routers hot_flushes rate=13650 flush_ms=500", 0, 0},
    {"size.hot_limit", value_size, "routers routers_max shard_rate=1000 flush_ms=500", 0, 0},
    {"read.scale_12", value_size_and,
     "routers hot_refills rate=13650 fresh_ms=1000; routers hot_flushes rate=13650", 0, 0},
    {"read.scale_24", value_size_and,
     "routers hot_refills rate=30000 fresh_ms=1000; routers hot_flushes rate=30000", 0, 0},

    {"d4.st_total", value_size, "storage total_tb items=1e9 item_kb=2 copies=3", 0, 0},
    {"d4.st_parts", value_size, "storage partitions items=1e9 item_kb=2 partition_gb=1", 0, 0},
    {"d4.st_nodes", value_size, "storage nodes items=1e9 item_kb=2 node_gb=1000", 0, 0},
    {"d4.cp_user", value_size, "capacity users_tb", 0, 0},
    {"d4.cp_item", value_size, "capacity items_gb", 0, 0},
    {"d4.cp_rf3", value_size, "capacity stored_tb copies=3", 0, 0},
    {"d4.cp_rf2", value_size, "capacity stored_tb", 0, 0},
    {"d4.cp_masters", value_size, "capacity masters_by_size", 0, 0},
    {"d4.cp_procs", value_size, "capacity processes", 0, 0},
    {"d4.cp_inst", value_size, "capacity instances", 0, 0},
    {"d4.cp_hour", value_size, "capacity usd_hour", 0, 0},
    {"d4.cp_month", value_size, "capacity usd_month", 0, 0},
    {"d4.cp_qps", value_size, "capacity reads_each", 0, 0},
    {"d4.cp_hot_read", value_size, "capacity hot_reads_each", 0, 0},
    /* the hot set's million is part of the 2.2 million */
    {"d4.cp_hot_extra", value_size, "capacity reads_each", 0, 0},
    {"d4.cp_viral", value_size, "capacity viral", 0, 0},
    {"d4.cp_viral_master", value_size, "capacity viral_master", 0, 0},
    {"d4.cp_feat_u", value_size, "capacity user_bytes", 0, 0},
    {"d4.cp_feat_i", value_size, "capacity item_bytes", 0, 0},
    {"d4.cp_hot", value_size, "capacity hot_items", 0, 0},
    {"d4.cp_hot_slot", value_size, "capacity hot_each_slot", 0, 0},
    {"d4.cp_headroom", value_size, "capacity left_gb", 0, 0},
    {"d4.mistake4", value_size, "storage total_tb items=1e10 item_kb=1 copies=3", 0, 0},
    {"d4.mistake4n", value_size, "storage node_each_gb/1000 items=1e10 item_kb=1 nodes=10", 0, 0},
    {"ring.chat", value_size, "storage node_each_gb/1000 items=1e11 item_kb=2 copies=1 nodes=100",
     0, 0},
    {"ring.chat_rf", value_size,
     "storage node_each_gb/1000 items=1e11 item_kb=2 copies=3 nodes=100", 0, 0},
    {"d3.shard_size", value_size, "storage node_each_gb items=2e9 item_kb=2 copies=1 nodes=8", 0,
     0},
    {"d3.tiny", value_size, "storage node_each_gb items=1e9 item_kb=2 copies=1 nodes=1024", 0, 0},
    {"d3.room", value_size,
     "storage months_left items=2e9 item_kb=2 copies=1 nodes=8 node_gb=1000 growth_gb=150", 0, 0},

    {"d4.th_w", value_size, "throughput writes_partition writes=50000 partitions=6000", 0, 0},
    {"d4.th_wn", value_size, "throughput writes_node writes=50000 nodes=6", 0, 0},
    {"d4.th_wr", value_size, "throughput writes_node_copied writes=50000 nodes=6 copies=3", 0, 0},
    {"d4.th_distinct", value_size, "throughput reads_leader reads=500000 partitions=6000 copies=3",
     0, 0},
    {"d4.c5_each", value_size, "throughput reads_node reads=600000 nodes=12", 0, 0},
    {"ring.chat_writes", value_size,
     "throughput writes_node_copied writes=10000000 nodes=100 copies=3", 0, 0},
    {"d3.shard_writes", value_size, "throughput writes_node writes=9000 nodes=8", 0, 0},
    {"size.little_5ms", value_size, "throughput in_flight reads=9300 nodes=1 latency_ms=5", 0, 0},
    {"size.little_500ms", value_size, "throughput in_flight_slow reads=9300 nodes=1 slow_ms=500", 0,
     0},
    {"size.little_ratio", value_size, "throughput slow_times latency_ms=5 slow_ms=500", 0, 0},
    {"d4.hc_timeout", value_size, "throughput slow_times latency_ms=2 slow_ms=200", 0, 0},

    {"d4.hs_keys", value_size, "hotspot keys_each items=1e9 partitions=6000", 0, 0},
    {"d4.hs_top", value_size, "hotspot top_keys_each items=1e9 partitions=6000 top_pct=1", 0, 0},
    {"d4.hs_1", value_size, "hotspot key_rate rate=500000 key_pct=1", 0, 0},
    {"d4.hs_factor", value_size, "hotspot key_factor key_pct=10 partitions=6000", 0, 0},
    /* 180,000 of 780,000 */
    {"d4.c5_hot", value_size,
     "hotspot busiest rate=780000 partitions=12 key_pct=23.0769230769230769", 0, 0},
    {"d3.hot30", value_size,
     "hotspot key_factor key_pct=30 partitions=4; hotspot key_factor key_pct=30 partitions=8;"
     "hotspot key_factor key_pct=30 partitions=20",
     0, 0},
    {"d3.grow_5pct_8", value_size, "hotspot key_factor key_pct=5 partitions=8", 0, 0},
    {"d3.grow_5pct_80", value_size, "hotspot key_factor key_pct=5 partitions=80", 0, 0},
    {"d4.zipf_0_6", value_size, "hotspot top_share_pct items=1e6 zipf=0.6", 0, 0},
    {"d4.zipf_0_8", value_size, "hotspot top_share_pct items=1e6 zipf=0.8", 0, 0},
    {"d4.zipf_0_9", value_size, "hotspot top_share_pct items=1e6 zipf=0.9", 0, 0},
    {"d4.zipf_1_0", value_size, "hotspot top_share_pct items=1e6 zipf=1", 0, 0},
    {"d4.zipf_1_1", value_size, "hotspot top_share_pct items=1e6 zipf=1.1", 0, 0},
    {"d4.zipf_text", value_size, "hotspot top_share_pct items=1e6 zipf=1 top_pct=1", 0, 0},
    {"d4.zipf_55", value_size, "hotspot top_share_pct items=10000 zipf=1.1 top_pct=1", 0, 0},
    {"d4.zipf_a20", value_size_solve, "hotspot top_share_pct items=1e6", 20, 0},
    {"d4.zipf_a50", value_size_solve, "hotspot top_share_pct items=1e6", 50, 0},

    {"salt.naive_ratio", value_size, "salt ceilings rate=2400 shard_rate=1000", 0, 0},
    {"salt.naive", value_size, "salt salts_naive rate=2400 shard_rate=1000", 0, 0},
    {"salt.naive_rate", value_size, "salt rate_each rate=2400 salts=3", 0, 0},
    {"salt.s8_rate", value_size, "salt rate_each rate=2400 salts=8", 0, 0},
    {"salt.read_fan", value_size, "salt read_fan salts=8", 0, 0},
    {"d3.salt_reads", value_size, "salt read_fan salts=8", 0, 0},
    {"scatter.salt_bytes", value_size, "salt read_fan salts=8", 0, 0},
    {"salt.read_cached", value_size, "salt sub_reads reads=6 salts=8", 0, 0},
    {"salt.blind80_4", value_size, "salt blind_chance salts=4", 0, 0},
    {"salt.blind80_8", value_size, "salt blind_chance salts=8", 0, 0},
    {"salt.blind80_16", value_size, "salt blind_chance salts=16", 0, 0},
    {"salt.blind80_32", value_size, "salt blind_chance salts=32", 0, 0},
    {"salt.blind80_64", value_size, "salt blind_chance salts=64", 0, 0},
    {"salt.blind100_8", value_size, "salt blind_chance salts=8 target_pct=100", 0, 0},
    {"salt.blind100_16", value_size, "salt blind_chance salts=16 target_pct=100", 0, 0},
    {"salt.blind100_32", value_size, "salt blind_chance salts=32 target_pct=100", 0, 0},
    {"salt.blind100_64", value_size, "salt blind_chance salts=64 target_pct=100", 0, 0},
    {"salt.blind100_128", value_size, "salt blind_chance salts=128 target_pct=100", 0, 0},
    /* no shard takes two of ten sub-keys, each of which fills it */
    {"salt.d4_all_distinct", value_size,
     "salt blind_chance rate=10 shard_rate=1 target_pct=100 other=0 home_other=0 salts=10 "
     "shards=10",
     0, 0},
    {"managed.gsi_pct", value_size, "salt key_pct rate=2550 shard_rate=1000", 0, 0},
    {"managed.gsi_salt", value_size, "salt rate_each rate=2550 salts=8", 0, 0},
    {"managed.gsi_min", value_size, "salt salts_needed rate=2550 other=0", 0, 0},
    {"managed.kin_p9_pct", value_size, "salt key_pct rate=2400 shard_rate=1000", 0, 0},
    {"managed.hook_likes", value_size, "salt ceilings rate=10000 shard_rate=1000", 0, 0},
    {"d4.c3_each", value_size, "salt rate_each rate=100000 salts=200", 0, 0},
    {"d4.c3_pct", value_size, "salt load_pct rate=100000 salts=200 shards=200 other=0", 0, 0},

    {"read.coal_router", value_size, "coalesce queries_each reads=9000 routers=6 query_ms=5", 0, 0},
    {"read.coal_router_all", value_size, "coalesce queries reads=9000 routers=6", 0, 0},
    {"read.coal_key", value_size, "coalesce queries_by_key reads=9000 query_ms=5", 0, 0},
    {"read.coal_key_round", value_size, "coalesce queries_by_key reads=9000 query_ms=5", 0, 0},
    {"read.coal_gain", value_size, "coalesce times_fewer reads=9000 routers=6", 0, 0},
    {"read.coal_group_key", value_size, "coalesce readers_by_key reads=9000 query_ms=5", 0, 0},
    {"read.coal_cap", value_size, "coalesce queries_by_key_max query_ms=5", 0, 0},
    {"read.coal_2400", value_size, "coalesce queries_by_key reads=9000 writes=2400", 0, 0},
    {"read.coal_12", value_size, "coalesce queries_by_key reads=9000 writes=12", 0, 0},
    {"read.stampede_router", value_size, "coalesce waiting_each reads=9000 routers=6", 0, 0},
    {"snap.coal_router_S2", value_size, "coalesce shard_reads reads=9000 other=300", 0, 0},
    {"snap.coal_router_S2_pct", value_size, "coalesce shard_pct other=300 shard_rate=3000", 0, 0},
    {"snap.coal_key_S2", value_size, "coalesce shard_reads_by_key reads=9000 other=300", 0, 0},
    {"snap.coal_key_S2_pct", value_size, "coalesce shard_by_key_pct other=300", 0, 0},
    {"snap.fix_coal_router_r", value_size, "coalesce shard_reads reads=9000 other=0", 0, 0},
    {"snap.fix_coal_key_r", value_size, "coalesce shard_reads_by_key reads=9000 other=0", 0, 0},

    {"scatter.slow_8", value_size, "tail any_slow_pct shards=8 slow_pct=1", 0, 0},
    {"scatter.slow_100", value_size, "tail any_slow_pct shards=100 slow_pct=1", 0, 0},
    {"scatter.slow_256", value_size, "tail any_slow_pct shards=256 slow_pct=1", 0, 0},
    {"scatter.slow_1000", value_size, "tail any_slow_pct shards=1000 slow_pct=1", 0, 0},
    {"scatter.slow_5_text", value_size, "tail one_in shards=5 slow_pct=1", 0, 0},
    {"scatter.slow_need", value_size, "tail shards_half slow_pct=1", 0, 0},
    {"d4.c6_shards", value_size, "tail shards_half slow_pct=1", 0, 0},
    {"scatter.partial", value_size, "tail any_slow_pct shards=5 slow_low_ms=50", 0, 0},
    {"scatter.mean_1", value_size, "tail mean_one_ms slow_pct=1", 0, 0},
    {"scatter.p50_5", value_size, "tail median_ms shards=5", 0, 0},
    {"scatter.p50_10", value_size, "tail median_ms shards=10", 0, 0},
    {"scatter.p50_50", value_size, "tail median_ms shards=50", 0, 0},
    {"scatter.p50_100", value_size, "tail median_ms shards=100", 0, 0},
    {"scatter.p99_5_exact", value_size, "tail p99_ms shards=5", 0, 0},
    {"scatter.p99_50", value_size, "tail p99_ms shards=50", 0, 0},
    {"scatter.p99_100", value_size, "tail p99_ms shards=100", 0, 0},
    {"scatter.p99_1_rate", value_size_solve, "tail p99_ms shards=1", 51, 1},

    {"scatter.S6_total", value_size, "crosszone shard_reads rate=1000 shards=5", 0, 0},
    {"scatter.cross_avg", value_size, "crosszone crossing shards=5 zones=3", 0, 0},
    {"scatter.cross_rate", value_size, "crosszone crossing_mb_s rate=1000 reply_kb=20", 0, 0},
    {"scatter.cross_month", value_size, "crosszone month_gb rate=1000 reply_kb=20", 0, 0},
    {"scatter.cross_cost", value_size, "crosszone month_usd usd_gb=0.02", 0, 0},
    {"scatter.job_month", value_size, "crosszone job_month_gb job_rate=1 job_local=1", 0, 0},
    {"scatter.job_cost", value_size, "crosszone job_month_usd job_local=1 usd_gb=0.02", 0, 0},
    {"scatter.job_better", value_size, "crosszone job_month_usd job_local=2 usd_gb=0.02", 0, 0},
    {"scatter.job_gain", value_size, "crosszone times_fewer rate=1000 job_rate=1", 0, 0},

    {"managed.cass_quorum", value_size, "quorum majority copies=3", 0, 0},
    {"ring.quorum", value_size, "quorum overlap copies=3 write=2 read=2", 0, 0},
    {"ring.p13_two", value_size_and, "quorum data_losses copies=3; quorum write_losses write=2", 0,
     0},

    {"move.copy_24", value_size, "move seconds data_gb=0.2 from=0 mb_s=25.165824", 0, 0},
    {"move.copy_100", value_size, "move seconds data_gb=0.2 from=0 mb_s=100", 0, 0},
    {"move.tail_fixed", value_size, "move log_entries data_gb=0.2 from=0 mb_s=25.165824 rate=12", 0,
     0},
    {"move.tail_raw", value_size, "move log_entries data_gb=0.2 from=0 mb_s=25.165824 rate=2400", 0,
     0},
    {"move.pause_hits", value_size, "move pause_hits rate=18 pause_ms=13", 0, 0},
    {"move.pause_raw", value_size, "move pause_hits rate=11400 pause_ms=13", 0, 0},
    {"move.pause_retry", value_size, "move retry_wait_ms pause_ms=13 retry_ms=10", 0, 0},
    {"move.tb_move", value_size, "move moved_gb/1000 data_gb=10000 from=4 to=5", 0, 0},
    {"move.tb_seconds", value_size, "move seconds data_gb=10000 from=4 to=5 mb_s=100", 0, 0},
    {"move.tb_hours", value_size, "move hours data_gb=10000 from=4 to=5 mb_s=100", 0, 0},
    {"ring.gb_ring", value_size, "move moved_gb data_gb=10000 from=100 to=101", 0, 0},
    {"d4.bf_c_pct", value_size, "move moved_pct from=10 to=11", 0, 0},
    {"d4.c1_next_pct", value_size, "move moved_pct from=11 to=12", 0, 0},
    {"d4.rs_each", value_size, "move partitions_each partitions=10000 from=50 to=60", 0, 0},
    {"d4.rs_size", value_size, "move partition_gb data_gb=50000 partitions=10000", 0, 0},
    {"d4.rs_total2", value_size, "move whole_gb/1000 data_gb=50000 partitions=10000 from=50 to=60",
     0, 0},
    {"d4.rs_total", value_size, "move moved_gb/1000 data_gb=50000 from=50 to=60", 0, 0},
    {"d4.rs_share", value_size, "move moved_pct from=50 to=60", 0, 0},
    {"d4.rs_min", value_size, "move seconds/60 data_gb=835 from=0 mb_s=1250", 0, 0},
    {"d4.rs_thr", value_size, "move hours data_gb=835 from=0 mb_s=25", 0, 0},
    {"d4.rs_sum_lo", value_size, "move seconds/60 data_gb=835 from=0 mb_s=25", 0, 0},
    {"d4.c4_two", value_size_joins, "move moved_gb/1000 data_gb=50000", 0, 2},
    {"d4.c4_one", value_size_joins, "move moved_gb/1000 data_gb=50000", 0, 1},
    {"d4.c4_in", value_size_joins, "move hours data_gb=50000 mb_s=25 streams=2", 0, 2},
    {"d4.c4_out", value_size, "move hours data_gb=50000 from=50 to=60 mb_s=25 streams=50", 0, 0},
    {"d4.c4_ten", value_size, "move hours data_gb=50000 from=50 to=60 mb_s=25 streams=10", 0, 0},
    {"d4.nf_rebuild", value_size, "move seconds data_gb=1 from=0 mb_s=100", 0, 0},

    {"ring.entries", value_size, "tokens entries nodes=100 tokens=256", 0, 0},
    {"ring.ring_bytes_lo", value_size, "tokens ring_kb nodes=100 tokens=256 entry_bytes=20", 0, 0},
    {"ring.ring_bytes_hi", value_size, "tokens ring_kb nodes=100 tokens=256 entry_bytes=30", 0, 0},
    {"ring.points_1", value_size, "tokens entries nodes=10 tokens=1", 0, 0},
    {"ring.points_50", value_size, "tokens entries nodes=10 tokens=50", 0, 0},
    {"ring.points_150", value_size, "tokens entries nodes=10 tokens=150", 0, 0},
    {"ring.points_256", value_size, "tokens entries nodes=10 tokens=256", 0, 0},
    {"ring.points_1000", value_size, "tokens entries nodes=10 tokens=1000", 0, 0},
    {"ring.sd_1", value_size, "tokens spread_pct nodes=10 tokens=1", 0, 0},
    {"ring.sd_10", value_size, "tokens spread_pct nodes=10 tokens=10", 0, 0},
    {"ring.sd_50", value_size, "tokens spread_pct nodes=10 tokens=50", 0, 0},
    {"ring.sd_150", value_size, "tokens spread_pct nodes=10 tokens=150", 0, 0},
    {"ring.sd_1000", value_size, "tokens spread_pct nodes=10 tokens=1000", 0, 0},
    {"ring.sd256_n3", value_size, "tokens spread_pct nodes=3 tokens=256", 0, 0},
    {"ring.sd256_n10", value_size, "tokens spread_pct nodes=10 tokens=256", 0, 0},
    {"ring.sd256_n100", value_size, "tokens spread_pct nodes=100 tokens=256", 0, 0},
    {"ring.rule_sqrt", value_size, "tokens spread_rule_pct tokens=256", 0, 0},
    {"ring.gain", value_size_to,
     "tokens spread_pct nodes=10 tokens=150; tokens spread_pct nodes=10 tokens=256", 0, 0},
    {"ring.max_h10", value_size, "tokens largest_one nodes=10", 0, 0},
    {"ring.max_ln10", value_size, "tokens largest_one_ln nodes=10", 0, 0},
    {"ring.max_gap", value_size, "tokens largest_one nodes=10 tokens=1", 0, 0},
    {"ring.max_h3", value_size, "tokens largest_one_pct nodes=3", 0, 0},
    {"ring.min_10", value_size, "tokens smallest_one nodes=10", 0, 0},
    {"d4.c2_fair", value_size, "tokens fair_pct nodes=6", 0, 0},
    {"d4.c2_expected", value_size, "tokens largest_one_pct nodes=6", 0, 0},
    {"d4.c2_random16", value_size, "tokens spread_pct nodes=6 tokens=16", 0, 0},
};

#endif
