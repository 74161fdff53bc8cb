/*
 * system_cockroachdb: CockroachDB as a model.
 *
 * What is documented (Cockroach Labs, "Load-Based Splitting", "Hash-sharded Indexes", "Understand
 * hotspots", "Replication Layer", "Configure Replication Zones", "Cluster Settings"):
 *
 *   Keys are in order, in ranges of at most 512 MiB. A range with more than 2,500 requests a second
 * (kv.range_split.load_qps_threshold; newer versions go by CPU time) is watched key by key, and cut
 * at a key that parts its load evenly. One key that has nearly all of it is not parted from the
 * others, and where all writes go to the end no key parts them: such a range is not split by load.
 * By size it is, and then the last range has all writes again. One of three copies holds the
 * range's lease, which reads and writes go through; a write is acknowledged when a majority has it.
 * Leases, and copies, move to machines with less load (a copy at 32 MiB a second,
 * kv.snapshot_rebalance.max_rate). lease_preferences keep leases in a region.
 *
 * What is ours: keys are watched for 10 s, and a cut is even enough when neither side has more than
 * five eighths (as in its source code); leases move each 5 s, one at a time, if that takes a
 * twentieth off the busiest node; a dead node's leases are taken over after 6 s; a node takes what
 * a shard of the story does; requests wait for 2 s; node n is in zone n mod 3.
 *
 * row->own: enum cockroach_own.
 */
#include "engine/systems/system_order.h"

#define RANGE_BYTES (UINT64_C(512) << 20)
#define SPLIT_REQUESTS 2500 /* a second */
#define LEASES_S 5
#define LEASES_LEAST 200 /* requests a second between two nodes, below which they are alike */
#define HOME_ZONES 3

enum cockroach_own {
    OWN_SECONDS,
    OWN_TOLD_SIZE /* a bit a place: it is too large and cannot be cut, which was told */
};
enum cockroach_setting {
    HOME /* 0: none; else the zone + 1 */
};

static const char *const homes[] = {"none", "a", "b", "c"};
static const struct system_setting_info settings[] = {
    {.name = "home",
     .about = "leases stay in this zone (lease_preferences)",
     .choices = homes,
     .count = 4},
    {.name = NULL}};

static const char *const documented[] = {
    "Keys are in order, in ranges of at most 512 MiB; a larger range is split.",
    "A range with more than 2,500 requests a second is split too, at a key that parts its load "
    "evenly. Newer versions go by CPU time.",
    "One key with nearly all of the load is not parted from the others: the range stays whole.",
    "Where all writes go to the end of a range no key parts them; it is split by size alone, and "
    "its last part has all writes again. Hash-sharded indexes are for that.",
    "One of a range's three copies holds its lease; reads and writes go through that one.",
    "A write is acknowledged when a majority of the copies, 2 of 3, has it.",
    "Leases and copies move to nodes with less load, without being asked.",
    "lease_preferences keep leases in a region, zone configurations keep copies there.",
    NULL};
static const char *const leaves_out[] = {
    "No limit of a node is documented; the model gives each what a shard of the story has, and "
    "lets requests wait for 2 s.",
    "The model watches keys for 10 s, and cuts if neither side gets more than five eighths.",
    "A dead node's leases are taken over after 6 s here; how long it takes depends on the version.",
    "Small neighbours are merged by the system itself; in the model only by hand.",
    "Copies of a node that has been dead for 5 minutes are made anew elsewhere; not here.",
    "Every copy does each write too; here that costs only the node with the lease.",
    "Transactions over several ranges, and splitting by CPU time.",
    "The table begins cut at keys that share the posts evenly; a real one begins as one range.",
    NULL};
static const struct system_words words = {
    .name = "cockroachdb",
    .title = "CockroachDB",
    .part = "range",
    .parts = "ranges",
    .machine = "node",
    .machines = "nodes",
    .throttled = "nothing; requests wait in queues, and the answer comes late",
    .placement = "the key itself, in order, in ranges",
    .splits = "by size, and by load at a key that parts it evenly",
    .moves = "by itself: leases and copies go where the load is lower",
    .order = "of all keys of a range, at its leaseholder",
    .survives = "the death of one of three copies",
    .grows = "adds a node; copies and leases go there by themselves",
    .documented = documented,
    .leaves_out = leaves_out,
};

/* --- splits --- */

static void split_by_size(struct world *w, uint8_t system, uint16_t place)
{
    struct part_row *p = part_of_system(w, system, place);
    uint64_t *told = &system_of(w, system)->own[OWN_TOLD_SIZE];
    uint64_t bit = UINT64_C(1) << place, bytes = p->bytes;
    uint16_t upper;
    if (bytes <= RANGE_BYTES) {
        *told &= ~bit;
    } else if (!order_split_bytes(w, system, place, bytes / 2, &upper) && (*told & bit) == 0) {
        *told |= bit;
        system_note(w, system, place, REASON_SYSTEMS_NO_SPLIT, NO_SPLIT_ONE_ITEM,
                    (int64_t)counts_asked(&p->second), 0);
    }
}

static void split_by_load(struct world *w, uint8_t system, uint16_t place)
{
    struct part_row *p = part_of_system(w, system, place);
    uint64_t load = counts_asked(&p->second);
    struct order_look look;
    struct u128 at = p->first;
    if (!order_is_hot(p, load > SPLIT_REQUESTS)) {
        return;
    }
    order_look(w, system, place, ORDER_BY_LOAD, &look);
    uint64_t heavier = order_balance(&look, &at);
    bool even = heavier * 8 <= load * 5 && u128_order(at, p->first) > 0;
    if (look.items == 0) {
        even = order_middle(w, system, place, &at);
    }
    if (even) {
        (void)system_part_split(w, system, place, at, REASON_SYSTEMS_SPLIT_LOAD, (int64_t)load);
    } else if (p->hot_s == HOT_PATIENCE_S) {
        uint8_t key;
        enum no_split why = order_why_whole(&look, &key);
        system_note(w, system, place, REASON_SYSTEMS_NO_SPLIT, why, (int64_t)load,
                    p->key == KEY_OTHER ? 0 : p->key + 1);
    }
}

/* --- leases --- */

static bool is_up(const struct system_row *row, uint8_t machine)
{
    return machine != MACHINE_NONE && machine < row->machines && row->machine[machine].there &&
           !row->machine[machine].down;
}

static bool at_home(const struct system_row *row, uint8_t machine)
{
    return row->setting[HOME] == 0 || machine % HOME_ZONES + 1u == row->setting[HOME];
}

/* Leases outside the home go to a copy inside. */
static void leases_go_home(struct world *w, uint8_t system)
{
    const struct system_row *row = system_in(w, system);
    for (uint16_t place = 0; place < row->parts_used; place++) {
        const struct part_row *p = part_in_system(w, system, place);
        if (p->state != PART_OPEN || p->target != MACHINE_NONE || at_home(row, p->machine[0])) {
            continue;
        }
        for (uint8_t i = 1; i < p->copies; i++) {
            if (is_up(row, p->machine[i]) && at_home(row, p->machine[i])) {
                system_part_lead(w, system, place, p->machine[i], LEADER_BALANCE);
                break;
            }
        }
    }
}

static uint64_t load_of(const struct system_row *row, uint8_t machine)
{
    return counts_asked(&row->machine[machine].second);
}

/* What the busier of the two is spared when so much load goes from one to the other. */
static uint64_t spared(uint64_t from, uint64_t to, uint64_t load)
{
    if (from <= to || load >= from - to) {
        return 0;
    }
    uint64_t rest = from - to - load;
    return load < rest ? load : rest;
}

/* One lease goes from the busiest node to one with a copy, if that makes the busier of the two
 * less busy. */
static void lease_to_less_load(struct world *w, uint8_t system)
{
    const struct system_row *row = system_in(w, system);
    uint8_t most = system_machine_most(w, system, true), to = MACHINE_NONE;
    uint16_t which = NO_PART;
    uint64_t best = 0;
    for (uint16_t place = 0; most != MACHINE_NONE && place < row->parts_used; place++) {
        const struct part_row *p = part_in_system(w, system, place);
        if (p->state != PART_OPEN || p->machine[0] != most || p->target != MACHINE_NONE) {
            continue;
        }
        for (uint8_t i = 1; i < p->copies; i++) {
            uint8_t m = p->machine[i];
            if (!is_up(row, m) || !at_home(row, m) ||
                load_of(row, most) < load_of(row, m) + LEASES_LEAST) {
                continue;
            }
            uint64_t gain = spared(load_of(row, most), load_of(row, m), counts_asked(&p->second));
            if (gain > best) {
                best = gain;
                which = place;
                to = m;
            }
        }
    }
    if (which != NO_PART && best * 20 >= load_of(row, most)) {
        system_part_lead(w, system, which, to, LEADER_BALANCE);
    }
}

/* --- copies --- */

static bool keeps(const struct part_row *p, uint8_t machine)
{
    for (uint8_t i = 0; i < p->copies; i++) {
        if (p->machine[i] == machine) {
            return true;
        }
    }
    return false;
}

/* In how many zones it has copies, if copy i were on this machine. */
static uint32_t zones_with(const struct part_row *p, uint32_t i, uint8_t machine)
{
    uint32_t zones = 0;
    for (uint32_t j = 0; j < p->copies; j++) {
        zones |= 1u << (j == i ? machine : p->machine[j]) % HOME_ZONES;
    }
    return (zones & 1) + (zones >> 1 & 1) + (zones >> 2 & 1);
}

/* A table's first copies: of each range in as many zones as there are, on the next nodes. */
static void start(struct world *w, uint8_t system, uint32_t parts)
{
    const struct system_row *row = system_in(w, system);
    order_start(w, system, parts);
    for (uint16_t place = 0; place < row->parts_used; place++) {
        struct part_row *p = part_of_system(w, system, place);
        for (uint8_t i = 1; i < p->copies; i++) {
            for (uint8_t k = 1; k < row->machines; k++) {
                uint8_t machine = (uint8_t)((p->machine[0] + k) % row->machines);
                uint32_t now = zones_with(p, i, p->machine[i]);
                if (!keeps(p, machine) && zones_with(p, i, machine) > now) {
                    p->machine[i] = machine;
                }
            }
        }
    }
}

/* Copies of each node; false: one is on its way, and they go one at a time. */
static bool count_copies(const struct world *w, uint8_t system, uint32_t count[SYSTEM_MACHINES_MAX])
{
    for (uint16_t place = 0; place < system_in(w, system)->parts_used; place++) {
        const struct part_row *p = part_in_system(w, system, place);
        for (uint8_t i = 0; p->state == PART_OPEN && i < p->copies; i++) {
            count[p->machine[i] < SYSTEM_MACHINES_MAX ? p->machine[i] : 0]++;
        }
        if (p->state == PART_OPEN && p->target != MACHINE_NONE) {
            return false;
        }
    }
    return true;
}

/* A copy goes to the node that keeps fewest, while one keeps two more, and its range is in as many
 * zones then. It takes the lease along. */
static void copy_to_fewest(struct world *w, uint8_t system)
{
    const struct system_row *row = system_in(w, system);
    uint32_t count[SYSTEM_MACHINES_MAX] = {0};
    if (!count_copies(w, system, count)) {
        return;
    }
    uint8_t few = MACHINE_NONE, from = MACHINE_NONE;
    for (uint8_t m = 0; m < row->machines; m++) {
        if (is_up(row, m) && (few == MACHINE_NONE || count[m] < count[few])) {
            few = m;
        }
    }
    uint16_t which = NO_PART;
    for (uint16_t place = 0; few != MACHINE_NONE && place < row->parts_used; place++) {
        const struct part_row *p = part_in_system(w, system, place);
        if (p->state != PART_OPEN || keeps(p, few) || !is_up(row, p->machine[0])) {
            continue;
        }
        for (uint8_t i = 0; i < p->copies; i++) {
            uint8_t m = p->machine[i];
            if (is_up(row, m) && (p->behind >> i & 1) == 0 && count[m] >= count[few] + 2 &&
                zones_with(p, i, few) >= zones_with(p, i, m) &&
                (which == NO_PART || count[m] > count[from])) {
                which = place;
                from = m;
            }
        }
    }
    if (which == NO_PART) {
        return;
    }
    if (part_in_system(w, system, which)->machine[0] != from) {
        system_part_lead(w, system, which, from, LEADER_BALANCE);
    }
    system_part_move(w, system, which, few);
}

static void second(struct world *w, uint8_t system)
{
    struct system_row *row = system_of(w, system);
    uint16_t places = row->parts_used; /* what is made now has no load yet */
    for (uint16_t place = 0; place < places; place++) {
        if (part_in_system(w, system, place)->state == PART_OPEN) {
            split_by_load(w, system, place);
            split_by_size(w, system, place);
        }
    }
    leases_go_home(w, system);
    if (++row->own[OWN_SECONDS] % LEASES_S == 0) {
        lease_to_less_load(w, system);
    }
    copy_to_fewest(w, system);
}

/* --- commands --- */

static bool verb_grow(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    (void)c;
    uint32_t copies = 0;
    const struct system_row *row = system_in(w, system);
    for (uint16_t place = 0; place < row->parts_used; place++) {
        const struct part_row *p = part_in_system(w, system, place);
        copies += p->state == PART_OPEN ? p->copies : 0;
    }
    return system_verb_add(w, system, copies / (row->machines + 1u), err);
}

static bool verb_move(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    uint16_t place;
    if (!system_move_named(w, system, c, &place, err)) {
        return false;
    }
    if (keeps(part_in_system(w, system, place), (uint8_t)c->first)) {
        system_part_lead(w, system, place, (uint8_t)c->first, LEADER_BY_HAND);
    } else {
        system_part_move(w, system, place, (uint8_t)c->first);
    }
    return true;
}

const struct system_kind system_cockroachdb = {
    .words = &words,
    .settings = settings,
    .copies = 3,
    .acks = 2,
    .acks_least = 2,
    .elects = 2,
    .limit = {1000, 3000},
    .wait_us = 2 * US_PER_SECOND,
    .lag_us = 5 * US_PER_MS,
    .failover_us = 6 * US_PER_SECOND,
    .move_bytes = 32 << 20,
    .parts = 4,
    .machines = 4,
    .position = order_position,
    .start = start,
    .second = second,
    .verb = {[SYSTEM_VERB_CUT] = order_verb_cut,
             [SYSTEM_VERB_JOIN] = order_verb_join,
             [SYSTEM_VERB_GROW] = verb_grow,
             [SYSTEM_VERB_MOVE] = verb_move,
             [SYSTEM_VERB_DOWN] = system_verb_down,
             [SYSTEM_VERB_UP] = system_verb_up,
             [SYSTEM_VERB_SET] = system_verb_set},
    .refuses = {[SYSTEM_VERB_PARTS] = "CockroachDB has as many ranges as its size and load make; "
                                      "cut one at a key instead",
                [SYSTEM_VERB_BALANCE] = "CockroachDB spreads leases and copies by itself; move one "
                                        "by hand, or wait"},
    .name = order_name,
};
