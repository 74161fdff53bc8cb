/*
 * system_kafka: a topic of Kafka as a model.
 *
 * What is documented (Apache Kafka, documentation, "Producer Configs", "Broker Configs", "Consumer
 * Configs", "Basic Kafka Operations", "Design: Replication"; KIP-480 and KIP-794 for records
 * without a key; KIP-429 for cooperative rebalances):
 *
 *   A record with a key goes to partition toPositive(murmur2(key)) mod the number of partitions.
 * One without a key goes where the ones before went until batch.size (16,384) bytes are there, then
 * to another partition. A topic gets more partitions, never fewer; what is written stays where it
 * is. acks=1: the leader has it. acks=all: all in-sync replicas have it, and with fewer than
 * min.insync.replicas of these it is refused. A broker that has sent no heartbeat for
 * broker.session.timeout.ms (9 s) is fenced, and the controller makes an in-sync replica leader.
 * The first broker of a partition's list is its preferred leader; every
 * leader.imbalance.check.interval.seconds (300) leaders go back to those. A new broker has no
 * partition until some are reassigned to it, by an operator or by a tool.
 *
 * What is ours: replication factor 3 and min.insync.replicas 2; a follower is 5 ms behind; a broker
 * takes what a shard of the story does; a producer gives up after 2 s (delivery.timeout.ms is 2
 * minutes); a rebalance pauses partitions for 2 s; a copy goes at 100 MB a second.
 *
 * Parts are in the table by their numbers: place and number are the same, and positions play no
 * part. row->own: KAFKA_STICKY the partition that takes what has no key, KAFKA_STICKY_BYTES how
 * much of it there is, from KAFKA_PREFERRED on a byte a partition: its preferred leader.
 */
#include "engine/systems/systems_inside.h"
#include "place/murmur.h"

#define POSITIVE UINT32_C(0x7FFFFFFF)
#define BATCH_BYTES 16384u
#define MIN_IN_SYNC 2u
#define IMBALANCE_CHECK_US (300 * US_PER_SECOND)
#define REBALANCE_US (2 * US_PER_SECOND)

enum {
    TOLD_BY_LEADER,
    TOLD_BY_ALL
};
enum {
    REBALANCE_EAGER,
    REBALANCE_COOPERATIVE
};
enum kafka_own {
    KAFKA_STICKY,
    KAFKA_STICKY_BYTES,
    KAFKA_PREFERRED
};
_Static_assert(KAFKA_PREFERRED + SYSTEM_PARTS_FEW / 8 <= 8, "a byte for each partition");

static const char *const acks_choices[] = {"one", "all"};
static const char *const rebalance_choices[] = {"eager", "cooperative"};
static const char *const null_choices[] = {"off", "on"};
static const struct system_setting_info settings[] = {
    {.name = "acks",
     .about = "who has a record before the producer is told: the leader, or all in-sync replicas",
     .choices = acks_choices,
     .count = 2,
     .initial = TOLD_BY_ALL},
    {.name = "reader",
     .about = "records a second that a member of the group reads; 0: nobody reads",
     .most = 1000000},
    {.name = "members",
     .about = "consumers in the group; a partition is read by one of them",
     .least = 1,
     .most = SYSTEM_MEMBERS_MAX,
     .initial = 1},
    {.name = "rebalance",
     .about = "which partitions pause when the group shares them anew: all, or those that change "
              "hands",
     .choices = rebalance_choices,
     .count = 2,
     .initial = REBALANCE_EAGER},
    {.name = "null",
     .about = "on: likes are written without a key",
     .choices = null_choices,
     .count = 2},
    {.name = NULL},
};

static const char *const documented[] = {
    "A record with a key goes to the partition murmur2 of the key, without its sign, modulo the "
    "number of partitions.",
    "A record without a key joins a batch: one partition takes them until 16,384 bytes "
    "(batch.size) are there, then another one.",
    "Partitions can be added to a topic and never taken away, and Kafka moves no record that is "
    "already written.",
    "Records of one partition are read in the order in which they were written.",
    "acks=1: the leader alone has the record when the producer is told, so it can be lost with "
    "the leader; acks=all: every in-sync replica has it.",
    "min.insync.replicas: with acks=all a write is refused when fewer replicas than that are in "
    "sync.",
    "A broker without a heartbeat for 9 s (broker.session.timeout.ms) no longer counts, and the "
    "controller elects a leader among the in-sync replicas.",
    "Every 300 s leaders go back to the preferred replica, the first of a partition's list "
    "(auto.leader.rebalance.enable).",
    "A broker that joins is given no partition until somebody reassigns some to it.",
    "In a consumer group a partition is read by one member: more members than partitions leave "
    "some without work.",
    "Classic protocol: an eager rebalance takes all partitions from all members; a cooperative "
    "one takes only those that change hands.",
    NULL};
static const char *const leaves_out[] = {
    "Newer brokers can compute a group's assignment themselves (KIP-848); the model plays the "
    "classic protocol.",
    "No limit of a partition is documented; the model gives each broker what a shard of the story "
    "has. Quotas, which an operator may set, are left out.",
    "Every copy does each write too; here that costs only the broker that leads. A broker that "
    "comes back is in sync at once.",
    "Replication factor 3 and min.insync.replicas 2 are the model's; by default the latter is 1. A "
    "follower is 5 ms behind here; nobody promises that.",
    "One producer stands for all: each real one has batches of its own, and waits 2 minutes "
    "(delivery.timeout.ms) where the model gives up after 2 s.",
    "A member says that it leaves; one that dies would be missed for session.timeout.ms, 45 s.",
    "No more than the last 4,096 unread records of a partition are kept, whatever the retention.",
    "Retention, compaction, transactions and idempotent producers.",
    NULL};
static const struct system_words words = {
    .name = "kafka",
    .title = "Kafka",
    .part = "partition",
    .parts = "partitions",
    .machine = "broker",
    .machines = "brokers",
    .throttled = "nothing: the producer waits, and at last gives up with a TimeoutException",
    .placement = "murmur2 of the key, modulo the partitions",
    .splits = "never; partitions are added, and records stay",
    .moves = "an operator or a tool reassigns it, and its log is copied",
    .order = "of one partition; of a key until partitions are added",
    .survives = "acks=all: one broker's death; acks=1: not always",
    .grows = "adds partitions and brokers, then reassigns",
    .documented = documented,
    .leaves_out = leaves_out,
    .stream = true,
};

/* --- where records go --- */

static struct u128 position(const struct world *w, struct bytes key, uint64_t sort)
{
    (void)w;
    (void)sort;
    return u128_of(0, murmur2_32(key.at, key.length, MURMUR2_KAFKA_SEED) & POSITIVE);
}

static bool keyless(const struct world *w, uint8_t system)
{
    return system_in(w, system)->setting[KAFKA_NULL] != 0;
}

/* Of records without a key nobody can say whose they are, or in which order they came. */
static bool prepare(struct world *w, struct system_ask *ask)
{
    if (keyless(w, ask->system)) {
        ask->key = KEY_OTHER;
    }
    return true;
}

/* What has no key follows the batch, or, where that partition has no leader, goes to the next. */
static uint16_t locate(const struct world *w, const struct system_ask *ask)
{
    const struct system_row *row = system_in(w, ask->system);
    if (!keyless(w, ask->system)) {
        return (uint16_t)(ask->position.low % row->parts_used);
    }
    for (uint16_t i = 0; i < row->parts_used; i++) {
        uint16_t place = (uint16_t)((row->own[KAFKA_STICKY] + i) % row->parts_used);
        if (part_in_system(w, ask->system, place)->away_us <= w->now_us) {
            return place;
        }
    }
    return (uint16_t)row->own[KAFKA_STICKY];
}

/* The batch is full: another partition takes the next one. */
static void stick(struct world *w, const struct system_ask *ask)
{
    struct system_row *row = system_of(w, ask->system);
    row->own[KAFKA_STICKY_BYTES] += ask->bytes;
    if (row->own[KAFKA_STICKY_BYTES] >= BATCH_BYTES && row->parts_used > 1) {
        uint64_t others = row->parts_used - 1u;
        row->own[KAFKA_STICKY_BYTES] = 0;
        row->own[KAFKA_STICKY] =
            (ask->part + 1u + prng_below(&row->prng, others)) % row->parts_used;
    }
}

static enum system_verdict admit(struct world *w, struct system_ask *ask)
{
    const struct part_row *part = part_in_system(w, ask->system, ask->part);
    if (system_in(w, ask->system)->setting[KAFKA_ACKS] == TOLD_BY_ALL &&
        system_copies_up(w, ask->system, part) < MIN_IN_SYNC) {
        return VERDICT_AWAY;
    }
    if (keyless(w, ask->system)) {
        stick(w, ask);
    }
    return system_admit(w, ask);
}

static uint8_t acks_now(const struct world *w, uint8_t system)
{
    return system_in(w, system)->setting[KAFKA_ACKS] == TOLD_BY_ALL ? SYSTEM_COPIES : 1;
}

/* --- partitions on brokers --- */

static uint8_t preferred(const struct world *w, uint8_t system, uint16_t place)
{
    return (uint8_t)(system_in(w, system)->own[KAFKA_PREFERRED + place / 8] >> (place % 8 * 8));
}

static void prefer(struct world *w, uint8_t system, uint16_t place, uint8_t machine)
{
    uint64_t *word = &system_of(w, system)->own[KAFKA_PREFERRED + place / 8];
    uint32_t shift = place % 8 * 8u;
    *word = (*word & ~(UINT64_C(0xFF) << shift)) | (uint64_t)machine << shift;
}

static bool keeps(const struct part_row *part, uint8_t machine)
{
    for (uint32_t i = 0; i < part->copies; i++) {
        if (part->machine[i] == machine) {
            return true;
        }
    }
    return false;
}

static uint16_t add_partition(struct world *w, uint8_t system, uint8_t machine)
{
    struct u128 at = u128_of(0, system_in(w, system)->parts_used);
    uint16_t place = system_part_new(w, system, at, at, machine);
    if (place != NO_PART) {
        prefer(w, system, place, machine);
    }
    return place;
}

static void start(struct world *w, uint8_t system, uint32_t parts)
{
    struct system_row *row = system_of(w, system);
    for (uint32_t i = 0; i < parts; i++) {
        (void)add_partition(w, system, (uint8_t)(i % row->machines));
    }
    row->members = (uint8_t)row->setting[KAFKA_MEMBERS];
}

/* The group, if anybody reads at all, shares the partitions anew. */
static void share_anew(struct world *w, uint8_t system)
{
    const struct system_row *row = system_in(w, system);
    if (row->setting[KAFKA_READER] > 0) {
        system_rebalance(w, system, row->setting[KAFKA_REBALANCE] == REBALANCE_EAGER, REBALANCE_US);
    }
}

static bool verb_parts(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    const struct system_row *row = system_in(w, system);
    if (c->count < row->parts_used) {
        return err_set(err,
                       "Kafka never takes partitions away: the topic has %d; ask for more, or make "
                       "another topic",
                       row->parts_used);
    }
    if (c->count == row->parts_used) {
        return err_set(err, "the topic has %d partitions already; ask for more", row->parts_used);
    }
    if (c->count > SYSTEM_PARTS_FEW) {
        return err_set(err, "%u partitions are too many; the model has room for %d", c->count,
                       SYSTEM_PARTS_FEW);
    }
    if (system_machine_least(w, system, false) == MACHINE_NONE) {
        return err_set(err, "no broker is up to take a partition; bring one back first");
    }
    uint16_t before = row->parts_used;
    while (row->parts_used < c->count) {
        if (add_partition(w, system, system_machine_least(w, system, false)) == NO_PART) {
            break;
        }
    }
    system_note(w, system, NO_PART, REASON_SYSTEMS_PARTS, before, row->parts_used, 0);
    share_anew(w, system);
    return true;
}

static bool verb_grow(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    (void)c;
    uint8_t machine = system_machine_new(w, system);
    if (machine == MACHINE_NONE) {
        return err_set(err, "there is no room for another broker; the model has %d of them",
                       SYSTEM_MACHINES_MAX);
    }
    system_note(w, system, NO_PART, REASON_SYSTEMS_GROWN, machine, 0, 0);
    return true;
}

/* A broker that has a copy only needs to be elected; to another one the log is copied first. */
static void give(struct world *w, uint8_t system, uint16_t place, uint8_t machine,
                 enum leader_why why)
{
    if (keeps(part_in_system(w, system, place), machine)) {
        prefer(w, system, place, machine);
        system_part_lead(w, system, place, machine, why);
    } else {
        system_part_move(w, system, place, machine);
    }
}

static bool verb_move(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    uint16_t place;
    if (!system_part_named(w, system, c->count, &place, err) ||
        !system_machine_named(w, system, c->first, true, err)) {
        return false;
    }
    const struct part_row *part = part_in_system(w, system, place);
    if (part->machine[0] == c->first) {
        return err_set(err, "broker %u leads partition %u already; name another one", c->first,
                       c->count);
    }
    if (part->target != MACHINE_NONE) {
        return err_set(err, "partition %u is on its way to broker %d; wait until it is there",
                       c->count, part->target);
    }
    if (part->away_us > w->now_us) {
        return err_set(err, "partition %u has no leader now; wait for the election", c->count);
    }
    give(w, system, place, (uint8_t)c->first, LEADER_BY_HAND);
    return true;
}

/* --- leaders --- */

/* The preferred leader leads again if it can. */
static bool elect_preferred(struct world *w, uint8_t system, uint16_t place)
{
    const struct system_row *row = system_in(w, system);
    const struct part_row *part = part_in_system(w, system, place);
    uint8_t machine = preferred(w, system, place);
    if (part->machine[0] == machine || !keeps(part, machine) || row->machine[machine].down ||
        part->target != MACHINE_NONE || part->away_us > w->now_us) {
        return false;
    }
    system_part_lead(w, system, place, machine, LEADER_BACK);
    return true;
}

/* What a tool does: leaders go back first, then partitions from who leads most to who leads
 * fewest, as long as that makes it more even. */
static bool verb_balance(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    (void)c;
    const struct system_row *row = system_in(w, system);
    uint32_t leads[SYSTEM_MACHINES_MAX] = {0};
    bool done = false;
    for (uint16_t place = 0; place < row->parts_used; place++) {
        done = elect_preferred(w, system, place) || done;
    }
    for (uint16_t place = 0; place < row->parts_used; place++) {
        const struct part_row *part = part_in_system(w, system, place);
        leads[part->target != MACHINE_NONE ? part->target : part->machine[0]]++;
    }
    for (uint16_t place = row->parts_used; place-- > 0;) {
        const struct part_row *part = part_in_system(w, system, place);
        uint8_t from = part->machine[0];
        uint8_t to = MACHINE_NONE;
        for (uint8_t m = 0; m < row->machines; m++) {
            if (!row->machine[m].down && (to == MACHINE_NONE || leads[m] < leads[to])) {
                to = m;
            }
        }
        if (to == MACHINE_NONE || part->target != MACHINE_NONE || part->away_us > w->now_us ||
            leads[from] <= leads[to] + 1) {
            continue;
        }
        leads[from]--;
        leads[to]++;
        give(w, system, place, to, LEADER_BY_HAND);
        done = true;
    }
    return done || err_set(err, "the partitions of Kafka are spread evenly already; nothing to do");
}

static void timer(struct world *w, uint8_t system, uint16_t place, uint32_t what)
{
    if (what == TIMER_MOVED) {
        prefer(w, system, place, part_in_system(w, system, place)->machine[0]);
    } else if (what == TIMER_OWN) {
        (void)elect_preferred(w, system, place);
    }
}

/* The controller looks after leaders every 300 s. */
static void back(struct world *w, uint8_t system, uint8_t machine)
{
    const struct system_row *row = system_in(w, system);
    int64_t checks = (w->now_us - row->began_us) / IMBALANCE_CHECK_US + 1;
    for (uint16_t place = 0; place < row->parts_used; place++) {
        if (preferred(w, system, place) == machine) {
            system_timer(w, system, place, TIMER_OWN, row->began_us + checks * IMBALANCE_CHECK_US);
        }
    }
}

/* --- settings --- */

static void changed(struct world *w, uint8_t system, uint32_t setting, uint32_t before)
{
    struct system_row *row = system_of(w, system);
    if (setting == KAFKA_NULL) {
        row->own[KAFKA_STICKY] = prng_below(&row->prng, row->parts_used);
        row->own[KAFKA_STICKY_BYTES] = 0;
    } else if (setting == KAFKA_MEMBERS && row->setting[setting] != before) {
        uint32_t members = row->setting[setting];
        row->members = row->members > members ? row->members : (uint8_t)members;
        for (uint32_t m = 0; m < row->members; m++) {
            row->left[m] = m >= members;
        }
        share_anew(w, system);
    } else if (setting == KAFKA_READER && before == 0) {
        system_rebalance(w, system, true, 0);
    }
}

static void name(const struct world *w, const struct part_row *part, struct str *out)
{
    (void)w;
    str_addf(out, "%d", part->number);
}

const struct system_kind system_kafka = {
    .words = &words,
    .settings = settings,
    .copies = SYSTEM_COPIES,
    .acks = SYSTEM_COPIES,
    .limit = {1000, 3000},
    .wait_us = 2 * US_PER_SECOND,
    .lag_us = 5 * US_PER_MS,
    .failover_us = 9 * US_PER_SECOND,
    .move_bytes = 100000000,
    .parts = 4,
    .machines = 4,
    .prepare = prepare,
    .position = position,
    .locate = locate,
    .start = start,
    .admit = admit,
    .timer = timer,
    .back = back,
    .changed = changed,
    .acks_now = acks_now,
    .verb = {[SYSTEM_VERB_PARTS] = verb_parts,
             [SYSTEM_VERB_GROW] = verb_grow,
             [SYSTEM_VERB_MOVE] = verb_move,
             [SYSTEM_VERB_BALANCE] = verb_balance,
             [SYSTEM_VERB_DOWN] = system_verb_down,
             [SYSTEM_VERB_UP] = system_verb_up,
             [SYSTEM_VERB_SET] = system_verb_set},
    .refuses = {[SYSTEM_VERB_CUT] = "a partition of Kafka is never cut; add partitions with "
                                    "\"system kafka parts N\"",
                [SYSTEM_VERB_JOIN] = "partitions of Kafka are never joined, and a topic never has "
                                     "fewer; make another topic"},
    .name = name,
};
