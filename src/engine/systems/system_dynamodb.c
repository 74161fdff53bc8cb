/*
 * system_dynamodb: a table of DynamoDB as a model. Where a partition is cut:
 * system_dynamodb_split.c.
 *
 * What is documented (AWS, Amazon DynamoDB, Developer Guide: "DynamoDB burst and adaptive
 * capacity", "Read/write capacity mode", "Quotas", "Local secondary indexes"; AWS Database Blog,
 * "Scaling DynamoDB: How partitions, hot keys, and split for heat impact performance"; M. Elhemali
 * et al., "Amazon DynamoDB: A Scalable, Predictably Performant, and Fully Managed NoSQL Database
 * Service", USENIX ATC 2022):
 *
 *   A partition takes at most 1,000 write units and 3,000 read units a second and about 10 GB. A
 * write unit is 1 KB written, a read unit 4 KB read strongly; an eventual read costs half. Of a
 * provisioned table each partition has its share. What it does not use is kept for up to 300 s and
 * may be used in a burst. Beyond that, adaptive capacity lets it have more than its share while the
 * table's total and the partition's maximum hold. Under lasting heat a partition is split so that
 * frequent items are apart, and the items of one key by their sort keys: not with a local index,
 * not when the sort key only grows; one item never. A write is told when two of three copies, in
 * three zones, have it.
 *
 * What is ours: the hash is not disclosed, so the model takes the first half of MD5; shares are
 * even and counted by the second; heat lasts when 60 whole seconds in a row were turned away at the
 * partition's maximum; another copy leads a second after a node died.
 *
 * A position is the hash of the key, then its sort key. row->own: see system_dynamodb.h.
 */
#include "engine/systems/system_dynamodb.h"

#define PARTITION_WRITES 1000
#define PARTITION_READS 3000
#define READS_A_WRITE 3 /* read units that the model's `capacity` provides for each write unit */
#define WRITE_UNIT_BYTES 1024u
#define BURST_S 300
#define CAPACITY_MAX 40000

static const char *const items[] = {"one", "many", "growing"};
static const char *const indexes[] = {"none", "local"};
static const char *const reads[] = {"strong", "eventual"};
static const struct system_setting_info settings[] = {
    {.name = "items",
     .about = "what a post's likes are: one item; many, with sort keys at random, or with sort "
              "keys that only grow",
     .choices = items,
     .count = 3},
    {.name = "index",
     .about = "local: a local secondary index, which keeps the items of a key together",
     .choices = indexes,
     .count = 2},
    {.name = "capacity",
     .about = "write units a second that the table has, and three times as many read units; 0: "
              "on-demand",
     .most = CAPACITY_MAX},
    {.name = "reads",
     .about = "how reads are done: strongly consistent, or eventually, for half a unit",
     .choices = reads,
     .count = 2},
    {.name = NULL},
};

static const char *const documented[] = {
    "A partition takes at most 1,000 write units and 3,000 read units a second.",
    "A write unit is a write of up to 1 KB, a read unit a strongly consistent read of up to 4 KB; "
    "an eventually consistent read costs half.",
    "Burst: up to 300 seconds of capacity that was not used can be used later.",
    "Adaptive capacity: a partition may take more than its share while the table's total and the "
    "partition's maximum hold.",
    "A partition is split when it is full, at about 10 GB, and when its traffic stays high, so "
    "that frequent items are apart.",
    "The items of one partition key can be cut by their sort key; with a local secondary index "
    "they stay together.",
    "There is no such cut where the sort key only grows: all writes would go to the new partition.",
    "One item is never on two partitions: it has at most one partition's limits.",
    "A write is told when two of the three copies, in three zones, have it.",
    NULL};
static const char *const leaves_out[] = {
    "The hash function is not disclosed; the model takes MD5.",
    "How long high traffic must last is not documented; the model takes 60 seconds in a row at the "
    "partition's maximum.",
    "The table's own limits: a new on-demand table begins at 4,000 writes a second, and grows with "
    "the peaks that it had; here only partitions have a limit then.",
    "How long it takes until another copy leads is not documented; the model takes one second.",
    "An item of more than 400 KB is refused; the model takes it, and counts its units.",
    "A collection with a local index has at most 10 GB; the model does not count that.",
    "Auto scaling, global tables, transactions, and indexes with partitions of their own.",
    NULL};
static const struct system_words words = {
    .name = "dynamodb",
    .title = "DynamoDB",
    .part = "partition",
    .parts = "partitions",
    .machine = "node",
    .machines = "nodes",
    .throttled = "ProvisionedThroughputExceededException",
    .placement = "hash of the key, in ranges",
    .splits = "by itself: by size, and under lasting traffic; one item never",
    .moves = "by itself, unseen",
    .order = "the writes of one item",
    .survives = "the loss of a zone: two of three copies have the write",
    .grows = "nothing but to spread the keys, and to pay for capacity",
    .documented = documented,
    .leaves_out = leaves_out,
    .counted = "units",
};

/* --- requests --- */

static bool dynamodb_prepare(struct world *w, struct system_ask *ask)
{
    struct system_row *row = system_of(w, ask->system);
    bool writes = ask->work == WORK_WRITE;
    if (writes) {
        uint32_t units = (ask->bytes + WRITE_UNIT_BYTES - 1) / WRITE_UNIT_BYTES;
        ask->cost = TOKEN * (units > 0 ? units : 1);
    } else {
        ask->cost = row->setting[DYNAMODB_READS] == READS_EVENTUAL ? TOKEN / 2 : TOKEN;
    }
    if (row->setting[DYNAMODB_ITEMS] == ITEMS_MANY) {
        ask->sort = prng_next(&row->prng);
    } else if (row->setting[DYNAMODB_ITEMS] == ITEMS_GROWING) {
        row->own[OWN_ITEMS] += writes;
        ask->sort = writes ? row->own[OWN_ITEMS] : prng_below(&row->prng, row->own[OWN_ITEMS] + 1);
    }
    return true;
}

static struct u128 dynamodb_position(const struct world *w, struct bytes key, uint64_t sort)
{
    (void)w;
    return u128_of(kinesis_hash_key(key).high, sort);
}

/* --- a provisioned table: shares, burst, adaptive capacity --- */

static uint32_t most_of(uint32_t work)
{
    return work == WORK_WRITE ? PARTITION_WRITES : PARTITION_READS;
}

/* Units a second of the table; 0: on-demand. */
static uint32_t table_has(const struct world *w, uint32_t work)
{
    uint32_t capacity = system_in(w, SYSTEM_DYNAMODB)->setting[DYNAMODB_CAPACITY];
    return work == WORK_WRITE ? capacity : READS_A_WRITE * capacity;
}

static bool is_open(const struct world *w, uint16_t part)
{
    return part_in_system(w, SYSTEM_DYNAMODB, part)->state == PART_OPEN;
}

/* A partition's share, at most its maximum. */
static uint32_t share_of(const struct world *w, uint32_t work)
{
    uint32_t open = 0;
    for (uint16_t i = 0; i < system_in(w, SYSTEM_DYNAMODB)->parts_used; i++) {
        open += is_open(w, i);
    }
    uint32_t has = table_has(w, work);
    uint32_t share = has == 0 || open == 0 ? most_of(work) : has / open;
    share = share < most_of(work) ? share : most_of(work);
    return share > 0 ? share : 1;
}

/* What the others left of the table's total in the last second, at least the share. */
static uint32_t adaptive_limit(const struct world *w, uint16_t part, uint32_t work)
{
    int64_t left = (int64_t)table_has(w, work) * TOKEN;
    for (uint16_t i = 0; i < system_in(w, SYSTEM_DYNAMODB)->parts_used; i++) {
        const struct part_row *p = part_in_system(w, SYSTEM_DYNAMODB, i);
        left -= i != part && is_open(w, i) ? p->used_before[work] : 0;
    }
    int64_t share = share_of(w, work);
    int64_t limit = left / TOKEN > share ? left / TOKEN : share;
    return limit < most_of(work) ? (uint32_t)limit : most_of(work);
}

static bool told(const struct world *w, uint32_t own, uint16_t part)
{
    return (system_in(w, SYSTEM_DYNAMODB)->own[own] >> part & 1) != 0;
}

static void tell(struct world *w, uint32_t own, uint16_t part, bool on)
{
    uint64_t bit = UINT64_C(1) << part;
    uint64_t *mask = &system_of(w, SYSTEM_DYNAMODB)->own[own];
    *mask = on ? *mask | bit : *mask & ~bit;
}

/* What was saved up and is not used yet, in this second or before. */
static int64_t saved_left(const struct world *w, const struct part_row *p, uint32_t work)
{
    int64_t over = p->used[work] - (int64_t)share_of(w, work) * TOKEN;
    return p->saved[work] - (over > 0 ? over : 0);
}

static void set_limit(struct world *w, uint16_t part, uint32_t work, uint32_t limit)
{
    bucket_set(&part_of_system(w, SYSTEM_DYNAMODB, part)->bucket[work], w->now_us, limit);
}

/* A partition that has used its share gets more: what it saved up, or else what others leave. */
static void boost(struct world *w, uint16_t part, uint32_t work, int64_t cost)
{
    struct part_row *p = part_of_system(w, SYSTEM_DYNAMODB, part);
    uint32_t before = p->bucket[work].ceiling;
    bool burst = saved_left(w, p, work) >= cost;
    uint32_t limit = burst ? most_of(work) : adaptive_limit(w, part, work);
    if (limit <= before) {
        return;
    }
    tell(w, (burst ? OWN_BURST : OWN_ADAPTIVE) + work, part, true);
    set_limit(w, part, work, limit);
    p->bucket[work].level = cost > p->bucket[work].level ? cost : p->bucket[work].level;
    system_note(w, SYSTEM_DYNAMODB, part, REASON_SYSTEMS_BOOST, before, limit, burst ? 0 : 1);
}

static void spend(struct world *w, uint16_t part, uint32_t work, int64_t cost)
{
    struct part_row *p = part_of_system(w, SYSTEM_DYNAMODB, part);
    p->used[work] += cost;
    if (told(w, OWN_BURST + work, part) && saved_left(w, p, work) < cost) {
        tell(w, OWN_BURST + work, part, false);
        set_limit(w, part, work, share_of(w, work));
        system_note(w, SYSTEM_DYNAMODB, part, REASON_SYSTEMS_SPENT, share_of(w, work), 0, 0);
    }
}

static enum system_verdict dynamodb_admit(struct world *w, struct system_ask *ask)
{
    bool provisioned = table_has(w, ask->work) > 0;
    struct bucket *bucket = &part_of_system(w, ask->system, ask->part)->bucket[ask->work];
    if (provisioned) {
        bucket_fill(bucket, w->now_us);
        if (bucket->level < ask->cost) {
            boost(w, ask->part, ask->work, ask->cost);
        }
    }
    enum system_verdict verdict = system_admit(w, ask);
    if (provisioned && verdict == VERDICT_OK) {
        spend(w, ask->part, ask->work, ask->cost);
    }
    return verdict;
}

/* Every partition has its share, and no more: a new setting, or a new number of partitions. */
static void share_anew(struct world *w)
{
    struct system_row *row = system_of(w, SYSTEM_DYNAMODB);
    for (uint32_t work = 0; work < WORK_KINDS; work++) {
        row->own[OWN_BURST + work] = 0;
        row->own[OWN_ADAPTIVE + work] = 0;
        for (uint16_t i = 0; i < row->parts_used; i++) {
            if (is_open(w, i)) {
                set_limit(w, i, work, share_of(w, work));
            }
        }
    }
}

/* A second of the share comes, what was used goes. */
static void save_up(struct world *w, struct part_row *p)
{
    for (uint32_t work = 0; work < WORK_KINDS; work++) {
        int64_t share = (int64_t)share_of(w, work) * TOKEN;
        int64_t saved = p->saved[work] + share - p->used[work];
        saved = saved > 0 ? saved : 0;
        p->saved[work] = saved < BURST_S * share ? saved : BURST_S * share;
        p->used_before[work] = p->used[work];
        p->used[work] = 0;
    }
}

static void adapt(struct world *w, uint16_t part)
{
    const struct part_row *p = part_in_system(w, SYSTEM_DYNAMODB, part);
    for (uint32_t work = 0; work < WORK_KINDS; work++) {
        bool calm = p->used_before[work] <= (int64_t)share_of(w, work) * TOKEN;
        bool burst = told(w, OWN_BURST + work, part);
        bool adaptive = told(w, OWN_ADAPTIVE + work, part);
        if (calm && (burst || adaptive)) {
            tell(w, OWN_BURST + work, part, false);
            tell(w, OWN_ADAPTIVE + work, part, false);
            set_limit(w, part, work, share_of(w, work));
        } else if (adaptive && !burst) {
            set_limit(w, part, work, adaptive_limit(w, part, work));
        }
    }
}

static void dynamodb_second(struct world *w, uint8_t system)
{
    uint16_t parts = system_in(w, system)->parts_used;
    bool provisioned = table_has(w, WORK_WRITE) > 0;
    for (uint16_t i = 0; provisioned && i < parts; i++) {
        if (is_open(w, i)) {
            save_up(w, part_of_system(w, system, i));
        }
    }
    for (uint16_t i = 0; provisioned && i < parts; i++) {
        if (is_open(w, i)) {
            adapt(w, i);
        }
    }
    bool split = false;
    for (uint16_t i = 0; i < parts; i++) {
        split = (is_open(w, i) && dynamodb_splits(w, i)) || split;
    }
    if (split) {
        share_anew(w);
    }
}

/* --- its life --- */

static void dynamodb_start(struct world *w, uint8_t system, uint32_t parts)
{
    system_parts_deal(w, system, parts);
    share_anew(w);
}

static void dynamodb_changed(struct world *w, uint8_t system, uint32_t setting, uint32_t before)
{
    (void)before;
    if (setting != DYNAMODB_CAPACITY) {
        return;
    }
    for (uint16_t i = 0; i < system_in(w, system)->parts_used; i++) {
        struct part_row *p = part_of_system(w, system, i);
        for (uint32_t work = 0; work < WORK_KINDS; work++) {
            p->saved[work] = p->used[work] = p->used_before[work] = 0;
        }
    }
    share_anew(w);
}

#define BY_ITSELF "DynamoDB does this by itself; what can be asked for is capacity: set capacity N"

const struct system_kind system_dynamodb = {
    .words = &words,
    .settings = settings,
    .copies = 3,
    .acks = 2,
    .acks_least = 2,
    .elects = 2,
    .part_limit = true,
    .limit = {[WORK_WRITE] = PARTITION_WRITES, [WORK_READ] = PARTITION_READS},
    .lag_us = US_PER_MS,
    .failover_us = US_PER_SECOND,
    .parts = 4,
    .machines = 6,
    .prepare = dynamodb_prepare,
    .position = dynamodb_position,
    .start = dynamodb_start,
    .admit = dynamodb_admit,
    .second = dynamodb_second,
    .changed = dynamodb_changed,
    .verb =
        {
            [SYSTEM_VERB_DOWN] = system_verb_down,
            [SYSTEM_VERB_UP] = system_verb_up,
            [SYSTEM_VERB_SET] = system_verb_set,
        },
    .refuses =
        {
            [SYSTEM_VERB_PARTS] = BY_ITSELF,
            [SYSTEM_VERB_CUT] = BY_ITSELF,
            [SYSTEM_VERB_JOIN] = "partitions of DynamoDB are only split, and never joined",
            [SYSTEM_VERB_GROW] = "DynamoDB has no machines to add; what can be asked for is "
                                 "capacity: set capacity N",
            [SYSTEM_VERB_MOVE] = BY_ITSELF,
            [SYSTEM_VERB_BALANCE] = BY_ITSELF,
        },
};
