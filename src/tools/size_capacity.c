/*
 * size_capacity: the calculator of a whole plan: capacity. A store of features of users and items,
 * kept in memory by processes that share slots, from bytes to the price.
 */
#include "tools/size_inside.h"
#include <math.h>

#define HOURS_A_MONTH 730.0

struct load {
    double reads, item_reads, writes, masters;
};

static double *add_data(const double *in, double *out, double *raw_gb)
{
    double user_bytes = in[2] * in[4], item_bytes = in[3] * in[4];
    double users_gb = in[0] * user_bytes / 1e9, items_gb = in[1] * item_bytes / 1e9;
    *raw_gb = users_gb + items_gb;
    *out++ = user_bytes;
    *out++ = item_bytes;
    *out++ = users_gb / 1000;
    *out++ = items_gb;
    *out++ = *raw_gb / 1000;
    *out++ = *raw_gb / 1000 * in[8];
    return out;
}

static double *add_reads(const double *in, double *out, const struct load *l)
{
    double hot = in[1] * in[11] / 100, hot_reads = l->item_reads * in[12] / 100;
    double viral = l->item_reads * in[13] / 100;
    double busiest = viral + (l->reads - viral) / l->masters;
    *out++ = l->reads / l->masters;
    *out++ = l->reads / l->masters / in[10] * 100;
    *out++ = l->writes / l->masters;
    *out++ = hot;
    *out++ = hot / in[14];
    *out++ = hot_reads / l->masters;
    *out++ = viral;
    *out++ = busiest;
    *out++ = busiest <= in[10] ? 1 : 0;
    return out;
}

static void add_machines(const double *in, double *out, double processes, double each_gb)
{
    double instances = size_ceil(processes, in[15]);
    double held = in[15] * each_gb;
    double left = in[16] - held;
    *out++ = instances;
    *out++ = left;
    *out++ = left / in[16] * 100;
    *out++ = held <= left ? 1 : 0;
    *out++ = instances * in[17];
    *out++ = instances * in[17] * HOURS_A_MONTH;
}

static bool compute_capacity(const double *in, double *out, struct err *err)
{
    double raw_gb = 0;
    struct load l = {in[5] + in[6], in[6], in[7], 0};
    out = add_data(in, out, &raw_gb);
    double by_size = size_ceil(raw_gb, in[9]), by_rate = size_ceil(l.reads, in[10]);
    l.masters = fmax(1, fmax(by_size, by_rate));
    if (in[15] * raw_gb / l.masters > in[16]) {
        return err_set(
            err,
            "%g processes of %.4g GB each do not fit a machine of %.4g GB; give fewer of "
            "them, or a larger machine",
            in[15], raw_gb / l.masters, in[16]);
    }
    *out++ = by_size;
    *out++ = l.reads;
    *out++ = by_rate;
    *out++ = l.masters;
    *out++ = l.masters * in[8];
    *out++ = raw_gb / l.masters;
    *out++ = in[14] / l.masters;
    out = add_reads(in, out, &l);
    add_machines(in, out, l.masters * in[8], raw_gb / l.masters);
    return true;
}

const struct size_tool size_capacity = {
    .name = "capacity",
    .about = "a whole plan: from users and items to machines and their price",
    .formula =
        "Count bytes first: things times the size of one. That over what one process should hold, "
        "and reads over what one can answer, each rounded up: the larger is the number of "
        "masters. Copies are processes too. Then look at the busiest key, not at the mean: a hot "
        "set of many items is spread by the hash and is part of the reads that are counted "
        "already, one viral item is not spread at all. At last see what a machine has left: a "
        "snapshot by fork may copy, at worst, all that the processes hold. A month is 730 hours.",
    .source = "document 004, 12.4",
    .input =
        {
            {"users", "users", 5e8, 0, SIZE_MUCH, true, "whose features are kept"},
            {"items", "items", 5e7, 0, SIZE_MUCH, true, "whose features are kept"},
            {"user_features", "features", 200, 0, 1e6, true, "of one user"},
            {"item_features", "features", 100, 0, 1e6, true, "of one item"},
            {"feature_bytes", "bytes", 20, 0.001, 1e6, false, "that one feature takes"},
            {"user_reads", "reads/s", 200000, 0, SIZE_MUCH, false, "of users' features"},
            {"item_reads", "reads/s", 2e6, 0, SIZE_MUCH, false, "of items' features"},
            {"writes", "writes/s", 10000, 0, SIZE_MUCH, false, "of any features"},
            {"copies", "copies", 2, 1, 100, true, "of everything, the master's too"},
            {"process_gb", "GB", 30, 0.001, 1e9, false, "of data that one process should hold"},
            {"process_rate", "reads/s", 100000, 0.001, SIZE_MUCH, false, "that one can answer"},
            {"hot_pct", "%", 0.1, 0, 100, false, "of the items, the hot ones"},
            {"hot_share_pct", "%", 50, 0, 100, false, "of item reads that are theirs"},
            {"viral_pct", "%", 5, 0, 100, false, "of item reads, for a single item"},
            {"slots", "slots", 16384, 1, SIZE_MUCH, true, "that keys are hashed to"},
            {"processes_each", "processes", 2, 1, 1000, true, "on one machine"},
            {"instance_gb", "GB", 68.719476736, 0.001, 1e9, false, "of memory; 64 GiB"},
            {"instance_usd", "USD/h", 0.4032, 0, 1e6, false, "price of a machine"},
        },
    .result =
        {
            {"user_bytes", "bytes", "of one user", "{user_features} x {feature_bytes}"},
            {"item_bytes", "bytes", "of one item", "{item_features} x {feature_bytes}"},
            {"users_tb", "TB", "all users, one copy", "{users} x {user_bytes} / 1e12"},
            {"items_gb", "GB", "all items, one copy", "{items} x {item_bytes} / 1e9"},
            {"raw_tb", "TB", "users and items together, one copy",
             "{users_tb} + {items_gb} / 1,000"},
            {"stored_tb", "TB", "all copies", "{raw_tb} x {copies}"},
            {"masters_by_size", "masters", "that the data asks for",
             "{raw_tb} x 1,000 / {process_gb}, rounded up"},
            {"reads", "reads/s", "of everything", "{user_reads} + {item_reads}"},
            {"masters_by_rate", "masters", "that the reads ask for",
             "{reads} / {process_rate}, rounded up"},
            {"masters", "masters", "the larger of the two",
             "the larger of {masters_by_size} and {masters_by_rate}, at least 1"},
            {"processes", "processes", "masters and their copies", "{masters} x {copies}"},
            {"each_gb", "GB", "in each process", "{raw_tb} x 1,000 / {masters}"},
            {"slots_each", "slots", "of each master", "{slots} / {masters}"},
            {"reads_each", "reads/s", "at each master", "{reads} / {masters}"},
            {"load_pct", "%", "of what one can answer", "{reads_each} / {process_rate} x 100"},
            {"writes_each", "writes/s", "at each master", "{writes} / {masters}"},
            {"hot_items", "items", "in the hot set", "{items} x {hot_pct} / 100"},
            {"hot_each_slot", "items", "of them in a slot", "{hot_items} / {slots}"},
            {"hot_reads_each", "reads/s", "of them at a master, not on top",
             "{item_reads} x {hot_share_pct} / 100 / {masters}"},
            {"viral", "reads/s", "of the viral item", "{item_reads} x {viral_pct} / 100"},
            {"viral_master", "reads/s", "at its master",
             "{viral} + ({reads} - {viral}) / {masters}"},
            {"viral_fits", SIZE_YES_NO, "its master answers them all",
             "{viral_master} <= {process_rate}"},
            {"instances", "machines", "for all processes",
             "{processes} / {processes_each}, rounded up"},
            {"left_gb", "GB", "left on a machine", "{instance_gb} - {processes_each} x {each_gb}"},
            {"left_pct", "%", "of its memory", "{left_gb} / {instance_gb} x 100"},
            {"snapshots_fit", SIZE_YES_NO, "snapshots of all, at worst",
             "{processes_each} x {each_gb} <= {left_gb}"},
            {"usd_hour", "USD/h", "price of all machines", "{instances} x {instance_usd}"},
            {"usd_month", "USD/month", "for 730 hours", "{usd_hour} x 730"},
        },
    .compute = compute_capacity,
};
