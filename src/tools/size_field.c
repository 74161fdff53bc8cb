/*
 * size_field: the calculators of what is met in the field: vectors, skew, cardinality.
 */
#include "tools/size_inside.h"

static bool compute_vectors(const double *in, double *out, struct err *err)
{
    double vectors = in[0], parts = in[1], probe = in[2], nodes = in[3], top = in[4];
    if (probe > parts) {
        return err_set(err, "probe=%g are more than the %g parts there are; give at most that",
                       probe, parts);
    }
    *out++ = vectors / parts;
    *out++ = probe / parts * 100;
    *out++ = vectors / parts * probe + parts;
    *out++ = vectors / nodes;
    *out++ = nodes * top;
    *out++ = vectors * in[5] * in[6] / 1e9;
    return true;
}

const struct size_tool size_vectors = {
    .name = "vectors",
    .about = "what a search for the nearest vectors looks at, and what is merged",
    .formula =
        "Vectors are cut into parts by which centre is nearest. A query is compared with every "
        "centre, then with the vectors of so many parts: probes over parts is the share of all "
        "that it looks at. An index that cannot be cut so is cut by id instead, and every node "
        "gives its own best, so the merge gets nodes times best of each.",
    .source = "document 004, 11.2 and 11.5",
    .input =
        {
            {"vectors", "vectors", 1e7, 1, SIZE_MUCH, true, "in the index"},
            {"parts", "parts", 1000, 1, 1e9, true, "that they are cut into"},
            {"probe", "parts", 20, 1, 1e9, true, "that a query looks into"},
            {"nodes", "nodes", 50, 1, 1e6, true, "that share the vectors, cut by id"},
            {"best", "vectors", 200, 1, 1e6, true, "that each node gives back"},
            {"dimensions", "numbers", 128, 1, 1e6, true, "in one vector"},
            {"number_bytes", "bytes", 4, 0.125, 64, false, "for one number"},
        },
    .result =
        {
            {"part_vectors", "vectors", "in a part, on average", "{vectors} / {parts}"},
            {"scanned_pct", "%", "of all vectors, in these parts", "{probe} / {parts} x 100"},
            {"compared", "vectors", "with the centres, for a query",
             "{part_vectors} x {probe} + {parts}"},
            {"node_vectors", "vectors", "on each node, cut by id", "{vectors} / {nodes}"},
            {"merged", "vectors", "that the merge gets", "{nodes} x {best}"},
            {"data_gb", "GB", "the vectors alone, one copy",
             "{vectors} x {dimensions} x {number_bytes} / 1e9"},
        },
    .compute = compute_vectors,
};

static bool compute_skew(const double *in, double *out, struct err *err)
{
    double few = in[0], share = in[1];
    (void)err;
    *out++ = (share / few) / ((100 - share) / (100 - few));
    *out++ = share / few;
    *out++ = (100 - share) / (100 - few);
    return true;
}

const struct size_tool size_skew = {
    .name = "skew",
    .about = "how much busier a few keys are than the rest",
    .formula =
        "The share of the requests over the share of the keys is how busy a group is against "
        "the average key. One group's over the other's is how much busier one of the few is than "
        "one of the many. A hash spreads keys; it leaves each of them as busy as it was.",
    .source = "document 004, 14.2",
    .input =
        {
            {"top_pct", "%", 1, 0.000001, 99.999999, false, "of the keys, the busy few"},
            {"share_pct", "%", 50, 0, 99.999999, false, "of the requests that are theirs"},
        },
    .result =
        {
            {"top_over_rest", "times", "a busy key over one of the rest",
             "{top_over_average} / {rest_over_average}"},
            {"top_over_average", "times", "a busy key over the average", "{share_pct} / {top_pct}"},
            {"rest_over_average", "times", "one of the rest over the average",
             "(100 - {share_pct}) / (100 - {top_pct})"},
        },
    .compute = compute_skew,
};

static bool compute_cardinality(const double *in, double *out, struct err *err)
{
    double keys = in[0], partitions = in[1], each = in[2], largest = in[3];
    double average = 100 / partitions;
    (void)err;
    *out++ = partitions * each;
    *out++ = keys >= partitions * each ? 1 : 0;
    *out++ = keys < partitions ? keys : partitions;
    *out++ = keys < partitions ? partitions - keys : 0;
    *out++ = largest / average;
    return true;
}

const struct size_tool size_cardinality = {
    .name = "cardinality",
    .about = "whether a key has enough different values for the partitions",
    .formula =
        "A partition without a key does nothing, so there can be no more busy partitions than "
        "keys. With few keys each, chance decides who gets two; ten for each partition is the "
        "usual least. And one key is never cut: what the largest one has, one partition has.",
    .source = "document 004, 14.1 and 14.2",
    .input =
        {
            {"keys", "keys", 200, 1, SIZE_MUCH, true, "different ones"},
            {"partitions", "partitions", 16384, 1, SIZE_MUCH, true, "that they are spread over"},
            {"each", "keys", 10, 1, 1e6, true, "wanted for each partition"},
            {"largest_pct", "%", 40, 0, 100, false, "of all data, of the largest key"},
        },
    .result =
        {
            {"keys_least", "keys", "different ones that are wanted", "{partitions} x {each}"},
            {"enough", SIZE_YES_NO, "there are so many", "{keys} >= {keys_least}"},
            {"busy_most", "partitions", "that can have a key at all",
             "the smaller of {keys} and {partitions}"},
            {"idle_least", "partitions", "that have none for certain",
             "{partitions} - {keys}, at least 0"},
            {"largest_times", "times", "the largest over the average one",
             "{largest_pct} / (100 / {partitions})"},
        },
    .compute = compute_cardinality,
};
