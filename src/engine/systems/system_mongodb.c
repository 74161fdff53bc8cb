/*
 * system_mongodb: MongoDB, a sharded cluster, as a model.
 *
 * What is documented (MongoDB Manual, "Sharded Cluster Balancer", "Data Partitioning with Chunks",
 * "Write Concern", "Replica Set Elections", "Rollbacks During Replica Set Failover"; release notes
 * of 6.0):
 *
 *   A collection is parted by its shard key into ranges. The balancer compares how much data of the
 * collection the shards hold, and moves ranges from the shard with most to the one with least when
 * the two differ by three range sizes (128 MB each) or more; a shard takes part in one migration at
 * a time. Since 6.0.3 a range is not split ahead, only when a part of it has to move; documents of
 * one shard key value are never parted, and a range of one value that is too large is jumbo. A
 * shard is a replica set. w: "majority", the default since 5.0, is told when most members have the
 * write, w: 1 when the primary has it, which may be rolled back. Members call an election after 10
 * s without a primary; the median time until there is a new one should be at most 12 s.
 *
 * What is ours: a failover takes 12 s; a migration copies 16 MB a second; a member is 20 ms
 * behind; a shard takes what one of the story does; operations wait for 2 s.
 *
 * row->own: enum mongo_own.
 */
#include "engine/systems/system_order.h"

#define RANGE_BYTES (UINT64_C(128) * 1000 * 1000)
#define APART (3 * RANGE_BYTES)

enum mongo_own {
    OWN_TOLD_JUMBO /* a bit a place: it ought to move and cannot be split, which was told */
};
enum mongo_setting {
    CONCERN
};
enum mongo_concern {
    CONCERN_ONE,
    CONCERN_MAJORITY
};

static const char *const concerns[] = {"one", "majority"};
static const struct system_setting_info settings[] = {
    {.name = "concern",
     .about = "how many members have a write before the client is told: w: 1 or w: majority",
     .choices = concerns,
     .count = 2,
     .initial = CONCERN_MAJORITY},
    {.name = NULL}};

static const char *const documented[] = {
    "The shard key parts a collection into ranges; each is on one shard, which is a replica set.",
    "The balancer goes by bytes: it moves ranges when two shards differ by three range sizes of "
    "128 MB, that is 384 MB. Requests do not count.",
    "Since 6.0.3 a range is not split ahead, only when a part of it has to move.",
    "Documents with one value of the shard key stay together; a range of one value that is too "
    "large is jumbo, and stays.",
    "A shard takes part in one migration at a time.",
    "w: majority, the default since 5.0, is told when most members have the write.",
    "w: 1 is told when the primary has it; a failover may roll such a write back.",
    "Members call an election after 10 s without a primary; the median until there is a new one "
    "should be at most 12 s.",
    NULL};
static const char *const leaves_out[] = {
    "No limit of a shard is documented; the model gives each what a shard of the story has, and "
    "lets operations wait for 2 s.",
    "A failover takes 12 s here, a migration 16 MB a second, and a member is 20 ms behind; all "
    "three depend on the deployment.",
    "Every member does each write too; here that costs only the primary.",
    "Hashed shard keys, zones, reads of secondaries, transactions, and resharding by another key.",
    "What stays behind at the source of a migration is deleted later; here at once.",
    "The balancer looks each second; the real one in rounds.",
    "The collection begins cut ahead at keys that share the posts evenly.",
    NULL};
static const struct system_words words = {
    .name = "mongodb",
    .title = "MongoDB",
    .part = "range",
    .parts = "ranges",
    .machine = "shard",
    .machines = "shards",
    .throttled = "nothing; operations queue, and the answer comes late",
    .placement = "the shard key itself, in order, in ranges",
    .splits = "only when a part of a range has to move",
    .moves = "by the balancer, when bytes differ by three ranges",
    .order = "of one document, at its shard's primary",
    .survives = "a primary's death with w: majority; w: 1 may be rolled back",
    .grows = "adds a shard; the balancer gives it ranges if bytes differ enough",
    .documented = documented,
    .leaves_out = leaves_out,
    .joined = "nothing goes to it yet; its balancer goes by bytes",
    .cut_by_size = "A part of it has to move, and ranges of 128 MB are what moves. Without that it "
                   "would have stayed whole.",
};

/* --- the balancer --- */

static bool takes_part(const struct world *w, uint8_t system, uint8_t machine)
{
    const struct system_row *row = system_in(w, system);
    for (uint16_t place = 0; place < row->parts_used; place++) {
        const struct part_row *p = part_in_system(w, system, place);
        if (p->state == PART_OPEN && p->target != MACHINE_NONE &&
            (p->machine[0] == machine || p->target == machine)) {
            return true;
        }
    }
    return false;
}

static uint64_t bytes_on(const struct world *w, uint8_t system, uint8_t machine)
{
    uint64_t bytes = 0;
    for (uint16_t place = 0; place < system_in(w, system)->parts_used; place++) {
        const struct part_row *p = part_in_system(w, system, place);
        bytes += p->state == PART_OPEN && p->machine[0] == machine ? p->bytes : 0;
    }
    return bytes;
}

/* The range with most bytes of a shard that was not found to be jumbo. */
static uint16_t largest(const struct world *w, uint8_t system, uint8_t machine)
{
    const struct system_row *row = system_in(w, system);
    uint16_t best = NO_PART;
    for (uint16_t place = 0; place < row->parts_used; place++) {
        const struct part_row *p = part_in_system(w, system, place);
        if (p->state == PART_OPEN && p->machine[0] == machine &&
            (row->own[OWN_TOLD_JUMBO] >> place & 1) == 0 &&
            (best == NO_PART || p->bytes > part_in_system(w, system, best)->bytes)) {
            best = place;
        }
    }
    return best;
}

/* A range's size of it is to go. False: it cannot be split. */
static bool part_off(struct world *w, uint8_t system, uint16_t place)
{
    struct part_row *p = part_of_system(w, system, place);
    uint16_t upper;
    if (p->bytes <= RANGE_BYTES) {
        return true;
    }
    if (order_split_bytes(w, system, place, RANGE_BYTES, &upper)) {
        return upper != NO_PART;
    }
    struct order_look look;
    uint8_t key;
    system_of(w, system)->own[OWN_TOLD_JUMBO] |= UINT64_C(1) << place;
    order_look(w, system, place, ORDER_BY_BYTES, &look);
    (void)order_why_whole(&look, &key);
    system_note(w, system, place, REASON_SYSTEMS_NO_SPLIT, NO_SPLIT_ONE_ITEM,
                (int64_t)counts_asked(&p->second), key == KEY_OTHER ? 0 : key + 1);
    return false;
}

static void balance(struct world *w, uint8_t system)
{
    const struct system_row *row = system_in(w, system);
    uint8_t most = MACHINE_NONE, least = MACHINE_NONE;
    uint64_t most_bytes = 0, least_bytes = 0;
    for (uint8_t m = 0; m < row->machines; m++) {
        if (!row->machine[m].there || row->machine[m].down || takes_part(w, system, m)) {
            continue;
        }
        uint64_t bytes = bytes_on(w, system, m);
        if (most == MACHINE_NONE || bytes > most_bytes) {
            most = m;
            most_bytes = bytes;
        }
        if (least == MACHINE_NONE || bytes < least_bytes) {
            least = m;
            least_bytes = bytes;
        }
    }
    if (most == MACHINE_NONE || most_bytes < least_bytes + APART) {
        return;
    }
    uint16_t place = largest(w, system, most);
    if (place != NO_PART && part_off(w, system, place)) {
        system_part_move(w, system, place, least);
    }
}

static void second(struct world *w, uint8_t system)
{
    order_tell_whole(w, system, NO_SPLIT_BYTES);
    balance(w, system);
}

/* --- commands --- */

static uint8_t acks_now(const struct world *w, uint8_t system)
{
    return system_in(w, system)->setting[CONCERN] == CONCERN_MAJORITY ? 2 : 1;
}

static bool verb_cut(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    if (!order_verb_cut(w, system, c, err)) {
        return false;
    }
    system_of(w, system)->own[OWN_TOLD_JUMBO] = 0;
    return true;
}

static bool verb_join(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    uint16_t a, b;
    if (!system_part_named(w, system, c->count, &a, err) ||
        !system_part_named(w, system, c->first, &b, err)) {
        return false;
    }
    if (part_in_system(w, system, a)->machine[0] != part_in_system(w, system, b)->machine[0]) {
        return err_set(err, "ranges %u and %u are on different shards; move one of them first",
                       c->count, c->first);
    }
    if (!system_part_merge(w, system, a, b, err)) {
        return false;
    }
    system_of(w, system)->own[OWN_TOLD_JUMBO] = 0;
    return true;
}

static bool verb_grow(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    (void)c;
    return system_verb_add(w, system, 0, err);
}

static bool verb_move(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    uint16_t place;
    if (!system_move_named(w, system, c, &place, err)) {
        return false;
    }
    uint8_t from = part_in_system(w, system, place)->machine[0];
    if (takes_part(w, system, from) || takes_part(w, system, (uint8_t)c->first)) {
        return err_set(err, "a shard takes part in one migration at a time; wait until the one "
                            "under way is done");
    }
    system_part_move(w, system, place, (uint8_t)c->first);
    return true;
}

const struct system_kind system_mongodb = {
    .words = &words,
    .settings = settings,
    .own_copies = true,
    .copies = 3,
    .acks = 2,
    .acks_least = 2,
    .elects = 2,
    .limit = {1000, 3000},
    .wait_us = 2 * US_PER_SECOND,
    .lag_us = 20 * US_PER_MS,
    .failover_us = 12 * US_PER_SECOND,
    .move_bytes = 16000000,
    .parts = 4,
    .machines = 4,
    .position = order_position,
    .start = order_start,
    .second = second,
    .acks_now = acks_now,
    .verb = {[SYSTEM_VERB_CUT] = verb_cut,
             [SYSTEM_VERB_JOIN] = verb_join,
             [SYSTEM_VERB_GROW] = verb_grow,
             [SYSTEM_VERB_MOVE] = verb_move,
             [SYSTEM_VERB_DOWN] = system_verb_down,
             [SYSTEM_VERB_UP] = system_verb_up,
             [SYSTEM_VERB_SET] = system_verb_set},
    .refuses = {[SYSTEM_VERB_PARTS] = "MongoDB has no number of ranges to set; cut one at a key "
                                      "instead",
                [SYSTEM_VERB_BALANCE] = "MongoDB's balancer runs by itself, and goes by bytes; "
                                        "move a range by hand instead"},
    .name = order_name,
};
