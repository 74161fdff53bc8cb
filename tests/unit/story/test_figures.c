/*
 * The source's figures that the story's world gives: measured with rates_at, never typed in.
 *
 * M1 is the evening at 20:00:00; M2 the same with p9 at 2,400 likes and 9,000 reads a second.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/rates.h"
#include "figures.h"
#include "story/story.h"

enum moment {
    M1,
    M2,
    ONLY_P9 /* M2 without anybody else */
};

/* One second of a moment. Caller frees. */
static struct rates *rates_of(enum moment moment)
{
    struct world *w = story_world(1, moment != ONLY_P9, NULL);
    struct rates *rates = xcalloc(1, sizeof *rates);
    if (moment != M1) {
        struct command likes = command_flow(OP_LIKE, bytes_of("likes:{p9}"), 2400, ARRIVALS_STEADY);
        struct command reads = command_flow(OP_READ, bytes_of("post:{p9}"), 9000, ARRIVALS_STEADY);
        assert_true(world_apply(w, &likes, NULL));
        assert_true(world_apply(w, &reads, NULL));
    }
    struct world *scratch = world_copy(w);
    rates_at(w, scratch, rates);
    world_free(scratch);
    world_free(w);
    return rates;
}

static uint64_t ceiling(char kind)
{
    struct world_config c = story_config(1);
    return kind == 'w' ? c.write_ceiling : c.read_ceiling;
}

/* text: 'w' or 'r'; a: the moment; b: the shard. */
static uint64_t asked(const struct rates *rates, const struct figure *f)
{
    const struct shard_rates *shard = &rates->shard[f->b];
    return f->text[0] == 'w' ? shard->writes : shard->reads;
}

static void value_rate(const struct figure *f, struct str *out)
{
    struct rates *rates = rates_of((enum moment)f->a);
    figures_add_int(out, (int64_t)asked(rates, f));
    free(rates);
}

static void value_percent(const struct figure *f, struct str *out)
{
    struct rates *rates = rates_of((enum moment)f->a);
    figures_add_real(out, 100.0 * (double)asked(rates, f) / (double)ceiling(f->text[0]));
    free(rates);
}

static void value_cluster(const struct figure *f, struct str *out)
{
    struct rates *rates = rates_of((enum moment)f->a);
    uint64_t sum = f->text[0] == 'w' ? rates->cluster.writes : rates->cluster.reads;
    figures_add_int(out, (int64_t)sum);
    free(rates);
}

static void value_cluster_percent(const struct figure *f, struct str *out)
{
    struct rates *rates = rates_of((enum moment)f->a);
    uint64_t sum = f->text[0] == 'w' ? rates->cluster.writes : rates->cluster.reads;
    figures_add_real(out, 100.0 * (double)sum / (double)(rates->shards * ceiling(f->text[0])));
    free(rates);
}

static void value_hot_ratio(const struct figure *f, struct str *out)
{
    struct rates *rates = rates_of((enum moment)f->a);
    figures_add_real(out, (double)rates->shard[2].writes / (double)rates->shard[0].writes);
    free(rates);
}

static void value_excess(const struct figure *f, struct str *out)
{
    struct rates *rates = rates_of((enum moment)f->a);
    figures_add_int(out, (int64_t)(rates->shard[2].writes - ceiling('w')));
    free(rates);
}

/* p9 alone, of S2's writes or of all. */
static void value_share(const struct figure *f, struct str *out)
{
    struct rates *alone = rates_of(ONLY_P9);
    struct rates *rates = rates_of(M2);
    uint64_t whole = f->b == 2 ? rates->shard[2].writes : rates->cluster.writes;
    figures_add_real(out, 100.0 * (double)alone->shard[2].writes / (double)whole);
    free(alone);
    free(rates);
}

static const struct figure rows[] = {
    {"snap.base_total", value_cluster, "w", M1, 0},
    {"snap.base_reads", value_cluster, "r", M1, 0},
    {"snap.S1_S0_w", value_rate, "w", M1, 0},
    {"snap.S1_S0_r", value_rate, "r", M1, 0},
    {"snap.S1_S0_wpct", value_percent, "w", M1, 0},
    {"snap.S1_S0_rpct", value_percent, "r", M1, 0},
    {"snap.S1_S1_r", value_rate, "r", M1, 1},
    {"snap.S1_S1_wpct", value_percent, "w", M1, 1},
    {"snap.S1_S1_rpct", value_percent, "r", M1, 1},
    {"snap.S1_S2_r", value_rate, "r", M1, 2},
    {"snap.S1_S2_rpct", value_percent, "r", M1, 2},
    {"snap.S1_S3_w", value_rate, "w", M1, 3},
    {"snap.S1_S3_r", value_rate, "r", M1, 3},
    {"snap.S1_S3_wpct", value_percent, "w", M1, 3},
    {"snap.S1_S3_rpct", value_percent, "r", M1, 3},
    {"snap.S2_S0_w", value_rate, "w", M2, 0},
    {"snap.S2_S0_r", value_rate, "r", M2, 0},
    {"snap.S2_S0_wpct", value_percent, "w", M2, 0},
    {"snap.S2_S0_rpct", value_percent, "r", M2, 0},
    {"snap.S2_S1_w", value_rate, "w", M2, 1},
    {"snap.S2_S1_r", value_rate, "r", M2, 1},
    {"snap.S2_S1_wpct", value_percent, "w", M2, 1},
    {"snap.S2_S1_rpct", value_percent, "r", M2, 1},
    {"snap.S2_S2_w", value_rate, "w", M2, 2},
    {"snap.S2_S2_wpct", value_percent, "w", M2, 2},
    {"snap.S2_S2_rpct", value_percent, "r", M2, 2},
    {"snap.S2_S3_w", value_rate, "w", M2, 3},
    {"snap.S2_S3_r", value_rate, "r", M2, 3},
    {"snap.S2_S3_wpct", value_percent, "w", M2, 3},
    {"snap.S2_S3_rpct", value_percent, "r", M2, 3},
    {"snap.hot_ratio", value_hot_ratio, "w", M2, 0},
    {"snap.cluster_w", value_cluster_percent, "w", M2, 0},
    {"snap.cluster_r", value_cluster_percent, "r", M2, 0},
    {"snap.p9_w_pct", value_percent, "w", ONLY_P9, 2},
    {"snap.p9_r_pct", value_percent, "r", ONLY_P9, 2},
    {"snap.p9_share_w", value_share, "w", M2, 2},
    {"snap.p9_share_cluster", value_share, "w", M2, 0},
    {"snap.excess", value_excess, "w", M2, 2},
};

static void the_rows_agree_with_the_world(void **state)
{
    (void)state;
    struct figures figures;
    assert_true(figures_load(&figures));
    size_t failed = figures_check(&figures, rows, sizeof rows / sizeof rows[0]);
    figures_coverage(&figures);
    figures_free(&figures);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rows_agree_with_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
