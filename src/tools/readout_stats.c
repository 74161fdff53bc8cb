/*
 * readout_stats: CLUSTER SLOT-STATS, as redis-cli shows it.
 *
 * Counted are requests that the system `redis` of the world answered, by the slot of their tag: a
 * write is INCR likes:{TAG}, a read GET post:{TAG}. A request takes of the node's one processor the
 * part of a second that the shard's ceiling gives it, so that a node at its ceiling is at 100%.
 */
#include "base/alloc.h"
#include "base/num.h"
#include "engine/systems/systems.h"
#include "place/key.h"
#include "tools/readout_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define POST_BYTES 1024
#define USUAL_WRITES 1000u /* a second, where no ceiling is set */
#define USUAL_READS 3000u
enum {
    WRITE,
    READ
};

struct stats {
    uint32_t slot;
    uint64_t value[READOUT_METRICS];
};

/* Bytes of a command of two words in the protocol: "*2", and "$LENGTH" before each. */
static uint64_t command_bytes(size_t word, size_t key)
{
    char lengths[48];
    int head = snprintf(lengths, sizeof lengths, "*2..$%zu..$%zu..", word, key);
    return (uint64_t)head + word + 2 + key + 2;
}

static uint64_t value_bytes(uint64_t value)
{
    char text[32];
    return (uint64_t)snprintf(text, sizeof text, ":%" PRIu64 "..", value);
}

static void add_key(struct stats *s, const struct system_key_info *key, const uint64_t cost_us[2])
{
    uint64_t writes = key->sum.ok[WRITE], reads = key->sum.ok[READ];
    size_t tag = key->text.length;
    s->value[READOUT_BY_CPU] += (writes * cost_us[WRITE] + reads * cost_us[READ]) / 1000;
    s->value[READOUT_BY_IN] += writes * command_bytes(4, tag + sizeof "likes:{}" - 1) +
                               reads * command_bytes(3, tag + sizeof "post:{}" - 1);
    s->value[READOUT_BY_OUT] +=
        writes * value_bytes(writes) + reads * (POST_BYTES + sizeof "$1024\r\n\r\n" - 1);
}

static struct stats *gather(const struct world *w, uint16_t shard, uint32_t *count)
{
    struct stats *all = xcalloc(READOUT_SLOTS, sizeof *all);
    struct shard_info info = world_shard(w, shard);
    uint64_t cost[2] = {
        UINT64_C(1000000000) / (info.write_ceiling > 0 ? info.write_ceiling : USUAL_WRITES),
        UINT64_C(1000000000) / (info.read_ceiling > 0 ? info.read_ceiling : USUAL_READS)};
    bool counted = readout_counted(w);
    for (uint32_t i = 0; counted && i < world_system_keys(w, SYSTEM_REDIS); i++) {
        struct system_key_info key = world_system_key(w, SYSTEM_REDIS, i);
        add_key(&all[key_slot(key.text)], &key, cost);
    }
    bool claimed[READOUT_SLOTS];
    uint32_t *keys = xcalloc(READOUT_SLOTS, sizeof *keys);
    *count = 0;
    (void)readout_claims(w, shard, claimed);
    (void)readout_keys(w, shard, claimed, keys);
    for (uint32_t slot = 0; slot < READOUT_SLOTS; slot++) {
        if (claimed[slot]) {
            all[*count] = all[slot];
            all[*count].value[READOUT_BY_KEYS] = keys[slot];
            all[(*count)++].slot = slot;
        }
    }
    free(keys);
    return all;
}

/* The greatest that has not been told yet, the lowest slot of equals. */
static uint32_t next_of(const struct stats *all, uint32_t count, enum readout_metric metric,
                        const uint32_t *told, uint32_t many)
{
    uint32_t best = count;
    for (uint32_t i = 0; i < count; i++) {
        bool new = true;
        for (uint32_t j = 0; j < many; j++) {
            new = new &&told[j] != i;
        }
        if (new && (best == count || all[i].value[metric] > all[best].value[metric])) {
            best = i;
        }
    }
    return best;
}

static void add_slot(struct str *out, const struct stats *s, uint32_t number, int digits,
                     uint32_t metrics)
{
    str_addf(out, "%*u) 1) (integer) %u\n", digits, (unsigned)number, (unsigned)s->slot);
    for (uint32_t m = 0; m < metrics; m++) {
        str_pad(out, ' ', (size_t)digits + 2);
        str_add(out, m == 0 ? "2) " : "   ");
        str_addf(out, "%u) \"%s\"\n", 2 * m + 1, readout_metric_name((enum readout_metric)m));
        str_pad(out, ' ', (size_t)digits + 2);
        str_addf(out, "   %u) (integer) %" PRIu64 "\n", 2 * m + 2, s->value[m]);
    }
}

void readout_slot_stats(const struct world *w, const struct readout_wish *wish, struct str *out)
{
    uint32_t count;
    struct stats *all = gather(w, wish->shard, &count);
    uint32_t limit = wish->limit > 0 ? wish->limit : READOUT_STATS_LIMIT;
    uint32_t *told = xcalloc(READOUT_SLOTS, sizeof *told);
    bool counted = readout_counted(w);
    limit = limit < count ? limit : count;
    int digits = snprintf(NULL, 0, "%u", (unsigned)limit);
    for (uint32_t i = 0; i < limit; i++) {
        told[i] = next_of(all, count, counted ? wish->metric : READOUT_BY_KEYS, told, i);
        add_slot(out, &all[told[i]], i + 1, digits, counted ? READOUT_METRICS : 1);
    }
    if (count == 0) {
        str_add(out, "(empty array)\n");
    }
    free(told);
    free(all);
}
