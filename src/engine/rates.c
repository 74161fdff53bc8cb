/*
 * rates: the counters one second later, less the counters now.
 */
#include "engine/rates.h"

#include "engine/state.h"

static struct shard_rates counters(const struct world *w, uint16_t shard)
{
    const struct shard *s = shards_in(w) + shard;
    const struct guard_load load = guards_load(w, shard);
    return (struct shard_rates){
        .writes = s->asked[WORK_WRITE],
        .reads = s->asked[WORK_READ],
        .served_writes = s->served[WORK_WRITE],
        .served_reads = s->served[WORK_READ],
        .refused_writes = s->refused[WORK_WRITE],
        .refused_reads = s->refused[WORK_READ],
        .redirected = s->moved,
        .retried = s->retried,
        .turned_writes = load.turned_writes,
        .turned_reads = load.turned_firsts - load.turned_writes,
        .repeats = load.repeats,
    };
}

static struct shard_rates less(struct shard_rates a, struct shard_rates b)
{
    return (struct shard_rates){
        .writes = a.writes - b.writes,
        .reads = a.reads - b.reads,
        .served_writes = a.served_writes - b.served_writes,
        .served_reads = a.served_reads - b.served_reads,
        .refused_writes = a.refused_writes - b.refused_writes,
        .refused_reads = a.refused_reads - b.refused_reads,
        .redirected = a.redirected - b.redirected,
        .retried = a.retried - b.retried,
        .turned_writes = a.turned_writes - b.turned_writes,
        .turned_reads = a.turned_reads - b.turned_reads,
        .repeats = a.repeats - b.repeats,
    };
}

static void add(struct shard_rates *sum, struct shard_rates one)
{
    sum->writes += one.writes;
    sum->reads += one.reads;
    sum->served_writes += one.served_writes;
    sum->served_reads += one.served_reads;
    sum->refused_writes += one.refused_writes;
    sum->refused_reads += one.refused_reads;
    sum->redirected += one.redirected;
    sum->retried += one.retried;
    sum->turned_writes += one.turned_writes;
    sum->turned_reads += one.turned_reads;
    sum->repeats += one.repeats;
}

void rates_at(const struct world *w, struct world *scratch, struct rates *out)
{
    CHECK(w->shards <= RATES_SHARDS_MAX);
    world_copy_into(scratch, w);
    world_run_until(scratch, w->now_us + US_PER_SECOND);
    out->shards = w->shards;
    out->cluster = (struct shard_rates){0};
    for (uint16_t i = 0; i < w->shards; i++) {
        out->shard[i] = less(counters(scratch, i), counters(w, i));
        add(&out->cluster, out->shard[i]);
    }
}
