/*
 * bench_hot: what it costs to count one more request of a log whose keys are unevenly hot.
 */
#include "app/bench/bench.h"
#include "base/alloc.h"
#include "base/prng.h"
#include "tools/hot.h"
#include "tools/top.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define INSERTS 1000000u
#define KEYS 1e6
#define NAME_SIZE 16
#define ROUNDS 9

/* Ranks by a power law of exponent 1.1 over a million keys, from even draws turned round. */
static char (*zipf_names(size_t count))[NAME_SIZE]
{
    struct prng prng = prng_seeded(1, "bench-hot");
    char(*name)[NAME_SIZE] = xcalloc(count, sizeof *name);
    double least = pow(KEYS, -0.1);
    for (size_t i = 0; i < count; i++) {
        double draw = (double)(prng_next(&prng) >> 11) / 9007199254740992.0;
        double rank = pow(1 - draw * (1 - least), -10);
        snprintf(name[i], sizeof name[i], "user:%07u", (unsigned)rank);
    }
    return name;
}

bool bench_hot(const struct options *o, struct bench_row *row, struct err *err)
{
    (void)o;
    (void)err;
    char(*name)[NAME_SIZE] = zipf_names(INSERTS);
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct top *top = top_new(HOT_CELLS);
        bool fresh = false;
        int64_t start = clock_ns();
        for (size_t i = 0; i < INSERTS; i++) {
            struct bytes key = {name[i], NAME_SIZE - 4};
            (void)top_add(top, key, mark_of(key), &fresh);
        }
        double ns = (double)(clock_ns() - start) / INSERTS;
        best = round == 0 || ns < best ? ns : best;
        top_free(top);
    }
    free(name);
    *row = (struct bench_row){
        "hot_insert", "one more request into 1,024 counters, power law over a million keys",
        "ns",         best,
        55,           false};
    return true;
}
