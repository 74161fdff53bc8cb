/*
 * size_limits: the calculators of what one part of a machine or of a table can do: units, drives.
 */
#include "tools/size_inside.h"

#define HOURS_A_YEAR 8766.0 /* of 365.25 days */

static bool compute_units(const double *in, double *out, struct err *err)
{
    double people = in[0], followers = in[1], reads = in[0] / in[2];
    double unit_each = size_ceil(in[3], in[4]) * (in[5] > 0 ? 1 : 0.5);
    double ceiling = in[6];
    if (people > followers) {
        return err_set(err, "people=%g are more than the %g followers there are; give at most that",
                       people, followers);
    }
    *out++ = people / followers * 100;
    *out++ = reads;
    *out++ = unit_each;
    *out++ = reads * unit_each;
    *out++ = reads * unit_each / ceiling;
    *out++ = ceiling / unit_each;
    return true;
}

const struct size_tool size_units = {
    .name = "units",
    .about = "how far a crowd of readers goes over one partition's read units",
    .formula =
        "Tables that are sold by read units count the size of an answer in units and round it "
        "up: one unit each if the answer must be the latest, half of one if it may be a little "
        "old. All reads of one key come to one partition, so the crowd's units a second are held "
        "against that partition's ceiling. How busy the table is on average does not matter.",
    .source = "document 000, the opening and part 7",
    .input =
        {
            {"people", "people", 8e6, 0, SIZE_MUCH, true, "who open the page"},
            {"followers", "people", 6e7, 1, SIZE_MUCH, true, "who were told of it"},
            {"seconds", "s", 120, 0.001, 1e9, false, "within which they come"},
            {"answer_kb", "KB", 12, 0.001, 1e9, false, "that one read returns"},
            {"unit_kb", "KB", 4, 0.001, 1e9, false, "that one unit pays for"},
            {"strong", "", 0, 0, 1, true, "1: each answer must be the latest"},
            {"partition_units", "units/s", 3000, 0.001, SIZE_MUCH, false,
             "one partition's ceiling"},
        },
    .result =
        {
            {"people_pct", "%", "of the followers that come", "{people} / {followers} x 100"},
            {"reads", "reads/s", "of the one key", "{people} / {seconds}"},
            {"units_each", "units", "that a read costs",
             "({answer_kb} / {unit_kb}, rounded up) x (1 + {strong}) / 2; half unless it must be "
             "the latest"},
            {"units", "units/s", "that the crowd asks for", "{reads} x {units_each}"},
            {"times", "times", "the ceiling of its partition", "{units} / {partition_units}"},
            {"reads_max", "reads/s", "that the partition can do",
             "{partition_units} / {units_each}"},
        },
    .compute = compute_units,
};

static bool compute_drives(const double *in, double *out, struct err *err)
{
    double data_tb = in[0] * in[1], server_tb = in[2] * in[3];
    double drives = in[3] * in[4], hours = in[5] / drives;
    (void)err;
    *out++ = server_tb;
    *out++ = size_ceil(data_tb, server_tb);
    *out++ = drives;
    *out++ = hours;
    *out++ = hours / 24;
    *out++ = HOURS_A_YEAR / hours;
    return true;
}

const struct size_tool size_drives = {
    .name = "drives",
    .about = "how many servers the data needs, and how often a drive fails",
    .formula =
        "A server's room is its drives times what one holds; the data with its copies, over that "
        "and rounded up, is the number of servers that hold it. The hours between two failures "
        "of any drive are one drive's over the number of drives: what hardly ever happens to one "
        "happens to a fleet all year. Drives in use fail more often than their makers state.",
    .source = "document 004, 1.1",
    .input =
        {
            {"data_tb", "TB", 200, 0, 1e9, false, "of data, one copy"},
            {"copies", "copies", 3, 1, 100, true, "of everything"},
            {"drive_tb", "TB", 8, 0.001, 1e6, false, "that one drive holds"},
            {"drives_each", "drives", 8, 1, 1e6, true, "in one server"},
            {"servers", "servers", 100, 1, 1e9, true, "that there are"},
            {"drive_hours", "h", 2e6, 0.001, SIZE_MUCH, false, "of one drive until it fails"},
        },
    .result =
        {
            {"server_tb", "TB", "in one server", "{drive_tb} x {drives_each}"},
            {"servers_data", "servers", "that hold the data",
             "{data_tb} x {copies} / {server_tb}, rounded up"},
            {"drives", "drives", "in all servers", "{drives_each} x {servers}"},
            {"hours_between", "h", "between two failures", "{drive_hours} / {drives}"},
            {"days_between", "days", "that is", "{hours_between} / 24"},
            {"failures_year", "failures", "in a year of 365.25 days", "8,766 / {hours_between}"},
        },
    .compute = compute_drives,
};
