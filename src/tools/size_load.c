/*
 * size_load: the calculators of a load on machines: shards, routers, storage, throughput.
 */
#include "tools/size_inside.h"
#include <math.h>

#define HOURS_A_MONTH 730.0

static bool compute_shards(const double *in, double *out, struct err *err)
{
    double rate = in[0], most = in[1] * in[2] / 100;
    double data = in[3], shard_data = in[4], buckets = in[5];
    (void)err;
    double by_rate = size_ceil(rate, most);
    double by_size = size_ceil(data, shard_data);
    double shards = fmax(1, fmax(by_rate, by_size));
    *out++ = most;
    *out++ = rate / most;
    *out++ = by_rate;
    *out++ = by_size;
    *out++ = shards;
    *out++ = rate / shards / in[1] * 100;
    *out++ = shards > 1 ? rate / (shards - 1) / in[1] * 100 : NAN;
    *out++ = data / shards;
    *out++ = buckets / shards;
    return true;
}

const struct size_tool size_shards = {
    .name = "shards",
    .about = "how many shards carry a load and its data",
    .formula =
        "Run a shard below its ceiling, so that a spike or a lost machine fits: its part is the "
        "ceiling times the target. Divide the load by that part and the data by what a shard may "
        "hold; the larger of the two, rounded up, is the number of shards. Then make many more "
        "buckets than shards, because buckets move whole and their number is the most shards "
        "that you can ever have without placing every key anew.",
    .source = "document 000, part 2 (the load); document 003 (the data)",
    .input =
        {
            {"rate", "requests/s", 38750, 0, SIZE_MUCH, false, "what all shards are asked at peak"},
            {"shard_rate", "requests/s", 4000, 0.001, SIZE_MUCH, false, "the ceiling of one shard"},
            {"target_pct", "%", 70, 1, 100, false, "of its ceiling that a shard may use"},
            {"data_gb", "GB", 4000, 0, SIZE_MUCH, false, "all data, one copy; 0 if it is small"},
            {"shard_gb", "GB", 1000, 0.001, SIZE_MUCH, false, "data that one shard may hold"},
            {"buckets", "buckets", 1024, 1, SIZE_MUCH, true, "fixed parts that keys hash to"},
        },
    .result =
        {
            {"rate_each_max", "requests/s", "a shard's part at the target",
             "{shard_rate} x {target_pct} / 100"},
            {"shards_exact", "shards", "the load over that part", "{rate} / {rate_each_max}"},
            {"shards_by_rate", "shards", "rounded up", "{rate} / {rate_each_max}, rounded up"},
            {"shards_by_size", "shards", "what the data alone asks for",
             "{data_gb} / {shard_gb}, rounded up"},
            {"shards", "shards", "the larger of the two",
             "the larger of {shards_by_rate} and {shards_by_size}, at least 1"},
            {"load_pct", "%", "of its ceiling that each then uses",
             "{rate} / {shards} / {shard_rate} x 100"},
            {"load_one_less_pct", "%", "the same with one shard less",
             "{rate} / ({shards} - 1) / {shard_rate} x 100"},
            {"data_each_gb", "GB", "data on each", "{data_gb} / {shards}"},
            {"buckets_each", "buckets", "buckets on each", "{buckets} / {shards}"},
        },
    .compute = compute_shards,
};

static bool compute_routers(const double *in, double *out, struct err *err)
{
    double rate = in[0], most = in[1] * in[2] / 100, zones = in[3];
    double flushes = 1000 / in[4], refills = 1000 / in[5];
    double shard_most = in[6] * in[2] / 100;
    (void)err;
    double each = fmax(1, size_ceil(rate, most * (zones - 1)));
    double routers = each * zones;
    double left = routers - each;
    *out++ = most;
    *out++ = each;
    *out++ = routers;
    *out++ = size_ceil(rate / most * zones, zones - 1);
    *out++ = rate / routers;
    *out++ = rate / routers / in[1] * 100;
    *out++ = rate / left;
    *out++ = rate / left / in[1] * 100;
    *out++ = routers * flushes;
    *out++ = routers * refills;
    *out++ = size_floor(shard_most, flushes);
    return true;
}

const struct size_tool size_routers = {
    .name = "routers",
    .about = "how many routers, so that the loss of a zone is survived",
    .formula =
        "The zones that are left must carry everything: divide the load by a router's part (its "
        "ceiling times the target) and by the zones less one, round up, and place that many in "
        "every zone. Rounding once for the whole fleet gives a number that may not divide by the "
        "zones. More routers are not free: each flushes its likes of a hot key and refills its "
        "cached answer, so the hot shard's work grows with the fleet.",
    .source = "document 000, part 10",
    .input =
        {
            {"rate", "requests/s", 13650, 0, SIZE_MUCH, false, "what all routers are asked"},
            {"router_rate", "requests/s", 2500, 0.001, SIZE_MUCH, false, "the ceiling of one"},
            {"target_pct", "%", 80, 1, 100, false, "of its ceiling that a machine may use"},
            {"zones", "zones", 3, 2, 100, true, "with routers; one may be lost"},
            {"flush_ms", "ms", 500, 1, 3600000, false, "between two flushes of a hot key"},
            {"fresh_ms", "ms", 1000, 1, 3600000, false, "that a cached answer counts as fresh"},
            {"shard_rate", "writes/s", 1000, 0.001, SIZE_MUCH, false,
             "a shard's ceiling of writes"},
        },
    .result =
        {
            {"rate_each_max", "requests/s", "a router's part at the target",
             "{router_rate} x {target_pct} / 100"},
            {"routers_per_zone", "routers", "in each zone",
             "{rate} / ({rate_each_max} x ({zones} - 1)), rounded up, at least 1"},
            {"routers", "routers", "in all zones", "{routers_per_zone} x {zones}"},
            {"routers_naive", "routers", "rounded once for the fleet",
             "{rate} / {rate_each_max} x {zones} / ({zones} - 1), rounded up"},
            {"rate_each", "requests/s", "at each while all zones stand", "{rate} / {routers}"},
            {"load_pct", "%", "of its ceiling", "{rate_each} / {router_rate} x 100"},
            {"rate_each_lost", "requests/s", "at each when a zone is lost",
             "{rate} / ({routers} - {routers_per_zone})"},
            {"load_lost_pct", "%", "of its ceiling", "{rate_each_lost} / {router_rate} x 100"},
            {"hot_flushes", "writes/s", "flushes of one hot key from all routers",
             "{routers} x 1,000 / {flush_ms}"},
            {"hot_refills", "reads/s", "refills of one cached answer",
             "{routers} x 1,000 / {fresh_ms}"},
            {"routers_max", "routers", "until flushes alone fill a shard",
             "{shard_rate} x {target_pct} / 100 x {flush_ms} / 1,000, rounded down"},
        },
    .compute = compute_routers,
};

static bool compute_storage(const double *in, double *out, struct err *err)
{
    double raw_gb = in[0] * in[1] / 1e6, copies = in[2];
    double partition_gb = in[3], node_gb = in[4];
    (void)err;
    double total_gb = raw_gb * copies;
    double nodes = in[5] > 0 ? in[5] : fmax(1, size_ceil(total_gb, node_gb));
    double partitions = fmax(1, size_ceil(raw_gb, partition_gb)) * copies;
    double hour = nodes * in[7];
    double left_gb = nodes * node_gb - total_gb;
    *out++ = raw_gb / 1000;
    *out++ = total_gb / 1000;
    *out++ = partitions;
    *out++ = partitions / copies;
    *out++ = nodes;
    *out++ = total_gb / nodes;
    *out++ = partitions / nodes;
    *out++ = in[6] > 0 ? fmax(0, left_gb / in[6]) : NAN;
    *out++ = hour;
    *out++ = hour * HOURS_A_MONTH;
    return true;
}

const struct size_tool size_storage = {
    .name = "storage",
    .about = "how much room the data takes, and on how many nodes",
    .formula =
        "Items times their size is the raw data; times the copies it is what must be stored. "
        "Divide by what one node holds and round up. A partition is counted once for each copy: "
        "6,000 partitions with three copies are 2,000 different ones. What the nodes have left, "
        "over the growth of a month, tells how long they last; a month is 730 hours.",
    .source = "document 004, 12.1 and 12.4; document 003 (growth)",
    .input =
        {
            {"items", "items", 1e9, 0, SIZE_MUCH, true, "things to store"},
            {"item_kb", "KB", 2, 0, 1e9, false, "size of one"},
            {"copies", "copies", 3, 1, 100, true, "of everything"},
            {"partition_gb", "GB", 1, 0.001, 1e9, false, "data in one partition"},
            {"node_gb", "GB", 1000, 0.001, 1e9, false, "data that one node may hold"},
            {"nodes", "nodes", 0, 0, SIZE_MUCH, true, "0: as few as hold it"},
            {"growth_gb", "GB/month", 150, 0, 1e12, false, "more in a month, with copies"},
            {"node_usd_hour", "USD/h", 0.4032, 0, 1e6, false, "price of a node"},
        },
    .result =
        {
            {"raw_tb", "TB", "one copy of everything", "{items} x {item_kb} / 1e9"},
            {"total_tb", "TB", "all copies", "{raw_tb} x {copies}"},
            {"partitions", "partitions", "all copies counted", "{partitions_distinct} x {copies}"},
            {"partitions_distinct", "partitions", "different ones",
             "{raw_tb} x 1,000 / {partition_gb}, rounded up, at least 1"},
            {"nodes", "nodes", "to store it on",
             "{total_tb} x 1,000 / {node_gb}, rounded up, at least 1; or as many as you give"},
            {"node_each_gb", "GB", "on each node", "{total_tb} x 1,000 / {nodes}"},
            {"partitions_each", "partitions", "on each node", "{partitions} / {nodes}"},
            {"months_left", "months", "until the nodes are full",
             "({nodes} x {node_gb} - {total_tb} x 1,000) / {growth_gb}, at least 0"},
            {"usd_hour", "USD/h", "price of all nodes", "{nodes} x {node_usd_hour}"},
            {"usd_month", "USD/month", "for 730 hours", "{usd_hour} x 730"},
        },
    .compute = compute_storage,
};

static bool compute_throughput(const double *in, double *out, struct err *err)
{
    double reads = in[0], writes = in[1], partitions = in[2], nodes = in[3], copies = in[4];
    double seconds = in[5] / 1000, slow_seconds = in[6] / 1000;
    (void)err;
    *out++ = reads / partitions;
    *out++ = writes / partitions;
    *out++ = reads / nodes;
    *out++ = writes / nodes;
    *out++ = writes * copies / nodes;
    *out++ = partitions / copies;
    *out++ = reads * copies / partitions;
    *out++ = reads * seconds / nodes;
    *out++ = reads * slow_seconds / nodes;
    *out++ = slow_seconds / seconds;
    return true;
}

const struct size_tool size_throughput = {
    .name = "throughput",
    .about = "what each partition and node is asked, and how many requests wait",
    .formula =
        "If the load is even, divide it by the partitions and by the nodes; every write is done "
        "once for each copy. Do not round before the end: 8.33 taken as 8 loses a twenty-fifth. "
        "Requests inside a node at a time are the rate times the time that each stays (Little's "
        "law), so the same load needs a hundred times the room when it gets a hundred times "
        "slower.",
    .source = "document 004, 12.2; document 000, part 3 (Little's law)",
    .input =
        {
            {"reads", "reads/s", 500000, 0, SIZE_MUCH, false, "of everything"},
            {"writes", "writes/s", 50000, 0, SIZE_MUCH, false, "of everything"},
            {"partitions", "partitions", 6000, 1, SIZE_MUCH, true, "all copies counted"},
            {"nodes", "nodes", 6, 1, SIZE_MUCH, true, "that share them evenly"},
            {"copies", "copies", 3, 1, 100, true, "of everything"},
            {"latency_ms", "ms", 5, 0.001, 3600000, false, "that a read takes"},
            {"slow_ms", "ms", 500, 0.001, 3600000, false, "that it takes when nodes are slow"},
        },
    .result =
        {
            {"reads_partition", "reads/s", "at each partition", "{reads} / {partitions}"},
            {"writes_partition", "writes/s", "at each partition", "{writes} / {partitions}"},
            {"reads_node", "reads/s", "at each node", "{reads} / {nodes}"},
            {"writes_node", "writes/s", "at each node, copies not counted", "{writes} / {nodes}"},
            {"writes_node_copied", "writes/s", "at each node, copies counted",
             "{writes} x {copies} / {nodes}"},
            {"partitions_distinct", "partitions", "different ones", "{partitions} / {copies}"},
            {"reads_leader", "reads/s", "at a leader if only they are read",
             "{reads} / {partitions_distinct}"},
            {"in_flight", "requests", "reads inside a node at a time",
             "{reads_node} x {latency_ms} / 1,000"},
            {"in_flight_slow", "requests", "the same when nodes are slow",
             "{reads_node} x {slow_ms} / 1,000"},
            {"slow_times", "times", "more requests inside when slow", "{slow_ms} / {latency_ms}"},
        },
    .compute = compute_throughput,
};
