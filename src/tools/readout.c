/*
 * readout: see readout.h. Here are the names of nodes, what was typed, and who is asked.
 */
#include "base/digest.h"
#include "base/num.h"
#include "base/prng.h"
#include "engine/moves/moves.h"
#include "engine/systems/systems.h"
#include "tools/readout_inside.h"

#include <stdio.h>
#include <string.h>

static const char *const names[READOUTS] = {
    [READOUT_CLUSTER_NODES] = "cluster-nodes", [READOUT_CLUSTER_CHECK] = "cluster-check",
    [READOUT_SLOT_STATS] = "slot-stats",       [READOUT_RING] = "nodetool-ring",
    [READOUT_STATUS] = "nodetool-status",
};
static const char *const metric_names[READOUT_METRICS] = {
    [READOUT_BY_KEYS] = "key-count",
    [READOUT_BY_CPU] = "cpu-usec",
    [READOUT_BY_IN] = "network-bytes-in",
    [READOUT_BY_OUT] = "network-bytes-out",
};

struct readout_wish readout_wish(enum readout_kind kind, uint16_t shard)
{
    return (struct readout_wish){
        .kind = kind, .shard = shard, .metric = READOUT_BY_CPU, .replicas = 1};
}

const char *readout_name(enum readout_kind kind)
{
    return names[kind];
}

bool readout_by_name(const char *name, enum readout_kind *kind)
{
    for (size_t i = 0; i < READOUTS; i++) {
        if (strcmp(name, names[i]) == 0) {
            *kind = (enum readout_kind)i;
            return true;
        }
    }
    return false;
}

const char *readout_metric_name(enum readout_metric metric)
{
    return metric_names[metric];
}

bool readout_metric_by_name(const char *name, enum readout_metric *metric)
{
    for (size_t i = 0; i < READOUT_METRICS; i++) {
        if (strcmp(name, metric_names[i]) == 0) {
            *metric = (enum readout_metric)i;
            return true;
        }
    }
    return false;
}

/* The next part of "a:b:c", and what is behind it; false: it is too long. */
static bool next_part(const char **text, char *out, size_t size)
{
    size_t length = strcspn(*text, ":");
    (void)snprintf(out, size, "%.*s", (int)length, *text);
    *text += length + ((*text)[length] == ':');
    return length < size;
}

static bool parse_kind(const char *name, enum readout_kind *out, struct err *err)
{
    struct str list = STR_EMPTY;
    if (readout_by_name(name, out)) {
        return true;
    }
    for (size_t i = 0; i < READOUTS; i++) {
        str_addf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    err_set(err, "there is no readout \"%s\"; there are %s", name, str_text(&list));
    str_free(&list);
    return false;
}

bool readout_parse(const char *text, struct readout_wish *out, struct err *err)
{
    char kind[24], node[8], metric[24], limit[8];
    uint64_t number = 0;
    bool whole = next_part(&text, kind, sizeof kind);
    whole = next_part(&text, node, sizeof node) && whole;
    whole = next_part(&text, metric, sizeof metric) && whole;
    whole = next_part(&text, limit, sizeof limit) && whole;
    *out = readout_wish(READOUT_CLUSTER_NODES, 0);
    if (!parse_kind(kind, &out->kind, err)) {
        return false;
    }
    if (node[0] != '\0' &&
        (node[0] != 'S' ||
         !num_parse_u64(node + 1, "shard", 0, READOUT_SHARDS_MAX - 1, &number, NULL))) {
        return err_set(err, "\"%s\" is no node; write S and its number, as in S2", node);
    }
    out->shard = (uint16_t)number;
    if (metric[0] != '\0' && !readout_metric_by_name(metric, &out->metric)) {
        return err_set(err,
                       "slots are not ordered by \"%s\"; use key-count, cpu-usec, "
                       "network-bytes-in or network-bytes-out",
                       metric);
    }
    number = 0;
    if (!whole || *text != '\0' ||
        (limit[0] != '\0' && !num_parse_u64(limit, "limit", 1, 100, &number, NULL))) {
        return err_set(err, "a readout is written KIND, KIND:S2 or slot-stats:S2:cpu-usec:3, with "
                            "at most 100 slots");
    }
    out->limit = (uint32_t)number;
    return true;
}

/* --- names --- */

uint64_t readout_mix(uint64_t a, uint64_t b, uint64_t c)
{
    return mix64(mix64(mix64(a) ^ b) ^ c);
}

void readout_id(uint16_t shard, uint8_t copy, char out[READOUT_ID_SIZE])
{
    char address[READOUT_ADDRESS_SIZE];
    char hex[2][DIGEST_HEX_SIZE];
    readout_address(shard, copy, address);
    for (uint64_t half = 0; half < 2; half++) {
        struct digest d = digest_start();
        digest_bytes(&d, address, strlen(address));
        digest_u64(&d, half);
        digest_hex(d, hex[half]);
    }
    (void)snprintf(out, READOUT_ID_SIZE, "%s%.8s", hex[0], hex[1]);
}

void readout_address(uint16_t shard, uint8_t copy, char out[READOUT_ADDRESS_SIZE])
{
    (void)snprintf(out, READOUT_ADDRESS_SIZE, "10.0.%u.%u:6379", (unsigned)copy, 10u + shard);
}

void readout_host(uint32_t machine, char out[READOUT_ADDRESS_SIZE])
{
    (void)snprintf(out, READOUT_ADDRESS_SIZE, "10.1.%u.%u", (unsigned)(machine / 200),
                   (unsigned)(10 + machine % 200));
}

void readout_add_run(struct str *out, uint32_t first, uint32_t last, const char *open,
                     const char *close)
{
    if (first == last) {
        str_addf(out, "%s%u%s", open, (unsigned)first, close);
    } else {
        str_addf(out, "%s%u-%u%s", open, (unsigned)first, (unsigned)last, close);
    }
}

void readout_refused(struct str *out, uint16_t shard)
{
    char address[READOUT_ADDRESS_SIZE];
    readout_address(shard, 0, address);
    str_addf(out, "Could not connect to Redis at %s: Connection refused\n", address);
}

bool readout_counted(const struct world *w)
{
    return w != NULL && world_has_systems(w) && world_system_on(w, SYSTEM_REDIS);
}

void readout_command(const struct world *w, const struct readout_wish *wish, struct str *out)
{
    char address[READOUT_ADDRESS_SIZE];
    readout_address(wish->shard, 0, address);
    int host = (int)strcspn(address, ":");
    uint32_t limit = wish->limit > 0 ? wish->limit : READOUT_STATS_LIMIT;
    switch (wish->kind) {
    case READOUT_CLUSTER_NODES:
        str_addf(out, "redis-cli -h %.*s CLUSTER NODES", host, address);
        return;
    case READOUT_CLUSTER_CHECK:
        str_addf(out, "redis-cli --cluster check %s", address);
        return;
    case READOUT_SLOT_STATS:
        str_addf(out, "redis-cli -h %.*s CLUSTER SLOT-STATS ORDERBY %s LIMIT %u DESC", host,
                 address, metric_names[readout_counted(w) ? wish->metric : READOUT_BY_KEYS],
                 (unsigned)limit);
        return;
    case READOUT_RING:
        str_add(out, "nodetool ring story");
        return;
    case READOUT_STATUS:
        str_add(out, "nodetool status story");
        return;
    case READOUTS:
        break;
    }
}

/* --- what they hold --- */

/* The shard that has a key: of those whose store has it this one, or, of one that is only read and
 * that no store has, whoever says that its slot is its own. */
uint32_t readout_keys(const struct world *w, uint16_t shard, const bool claimed[READOUT_SLOTS],
                      uint32_t *of_slot)
{
    uint32_t count = 0;
    for (uint32_t key = 0; key < world_keys(w); key++) {
        bool here = moves_held(w, shard, key).there, elsewhere = false;
        uint16_t slot = world_key_slot(w, key);
        for (uint16_t i = 0; !here && claimed[slot] && i < world_shards(w) && !elsewhere; i++) {
            elsewhere = moves_held(w, i, key).there;
        }
        if (here || (claimed[slot] && !elsewhere)) {
            count++;
            if (of_slot != NULL) {
                of_slot[slot]++;
            }
        }
    }
    return count;
}

/* --- who is asked --- */

static bool has_cluster(const struct world *w, uint16_t shard, struct err *err)
{
    if (world_config_of(w)->slots != READOUT_SLOTS) {
        return err_set(err,
                       "this cluster has %u slots, and Redis Cluster has %u; ask a world that has "
                       "as many",
                       world_config_of(w)->slots, READOUT_SLOTS);
    }
    if (world_shards(w) > READOUT_SHARDS_MAX) {
        return err_set(err, "readouts are of at most %d shards, and this cluster has %u",
                       READOUT_SHARDS_MAX, world_shards(w));
    }
    if (shard >= world_shards(w)) {
        return err_set(err, "there is no shard S%u here; name S0 to S%u", shard,
                       world_shards(w) - 1);
    }
    return true;
}

bool readout_node(const struct world *w, uint16_t shard, struct readout_node *out, struct err *err)
{
    if (!has_cluster(w, shard, err)) {
        return false;
    }
    int64_t since;
    bool claimed[READOUT_SLOTS];
    struct open_slot open[READOUT_OPEN_MAX];
    enum node_health health = readout_health(w, shard, &since);
    uint32_t epoch[READOUT_SHARDS_MAX];
    readout_epochs(w, shard, epoch);
    *out = (struct readout_node){.slots = readout_claims(w, shard, claimed),
                                 .epoch = epoch[shard],
                                 .replicas = readout_replicas(w, shard),
                                 .suspected = health == HEALTH_SUSPECTED,
                                 .failed = health == HEALTH_FAILED};
    uint32_t count = readout_open(w, shard, open);
    for (uint32_t i = 0; i < count; i++) {
        out->migrating += open[i].kind == OPEN_MIGRATING;
        out->importing += open[i].kind == OPEN_IMPORTING;
    }
    return true;
}

bool readout_say(const struct world *w, const struct readout_wish *wish, struct str *out,
                 struct err *err)
{
    if (wish->kind == READOUT_RING || wish->kind == READOUT_STATUS) {
        return readout_cassandra(w, wish, out, err);
    }
    if (!has_cluster(w, wish->shard, err)) {
        return false;
    }
    if (world_shard(w, wish->shard).down) {
        readout_refused(out, wish->shard);
    } else if (wish->kind == READOUT_CLUSTER_NODES) {
        readout_cluster_nodes(w, wish->shard, out);
    } else if (wish->kind == READOUT_CLUSTER_CHECK) {
        readout_cluster_check(w, wish->shard, out);
    } else {
        readout_slot_stats(w, wish, out);
    }
    return true;
}
