/*
 * system_hbase: HBase as a model, and Bigtable, which HBase follows, where their rules differ.
 *
 * What is documented (Apache HBase Reference Guide, "Regions", "Region Splits", "Write Ahead Log",
 * hbase-default.xml; the classes IncreasingToUpperBoundRegionSplitPolicy, SteppingSplitPolicy and
 * BusyRegionSplitPolicy; Google, Bigtable, "How Bigtable optimizes your data over time", "Hot
 * tablets"; Chang and others, "Bigtable", 2006):
 *
 *   Rows are in order, in regions; a region is served by one region server. It is split when it is
 * larger than 10 GB, or earlier: 2 x 128 MB x n^3, n being how many regions of its table its server
 * has. (HBase 2 by default: 256 MB for a table's only region on a server, 10 GB otherwise.) Load is
 * no reason, except with BusyRegionSplitPolicy. Logs and files are in HDFS, three times, so a
 * region goes to another server without its data being copied; while it is split or goes, clients
 * ask again. A region server is dead when its ZooKeeper session ends, 90 s; then its log is
 * replayed, and its regions open elsewhere. A region with too much unflushed answers
 * RegionTooBusyException. Bigtable splits tablets by size and by load, and moves them by load; a
 * row is in one tablet.
 *
 * What is ours: a region is away for 1 s when it is split or goes; a log is replayed in 5 s; the
 * balancer goes by how many regions servers have, once in 300 s (hbase.balancer.period); with
 * `splits load` a tablet is cut that was asked for more than half of what a server takes, 10 s
 * long, and one tablet each 5 s goes from the busiest server; a server takes what a shard of the
 * story does; requests wait for 2 s.
 *
 * row->own: enum hbase_own.
 */
#include "engine/systems/system_order.h"

#define REGION_BYTES (UINT64_C(10) * 1000 * 1000 * 1000)
#define YOUNG_BYTES (UINT64_C(2) * 128 * 1000 * 1000)
#define AWAY_US US_PER_SECOND
#define BALANCE_S 300
#define MOVE_S 5
#define HOT_READS 1500 /* half of what a server takes; a write counts as three */

enum hbase_own {
    OWN_SECONDS,
    OWN_TOLD_SIZE /* a bit a place: it is too large and has one row, which was told */
};
enum hbase_setting {
    SPLITS
};
enum hbase_splits {
    BY_SIZE,
    BY_LOAD
};

static const char *const splits[] = {"size", "load"};
static const struct system_setting_info settings[] = {
    {.name = "splits",
     .about = "what makes a region split: its size, or its load too, as Bigtable does",
     .choices = splits,
     .count = 2},
    {.name = NULL}};

static const char *const documented[] = {
    "Rows are in order, in regions; one region server serves a region.",
    "A region larger than 10 GB is split. Young tables split earlier: at 256 MB times the cube of "
    "how many regions of the table the server has. That was the default before HBase 2, and can be "
    "chosen (IncreasingToUpperBoundRegionSplitPolicy); the model plays it.",
    "HBase 2 by default splits a table's only region on a server at 256 MB, others at 10 GB.",
    "Load does not split a region, unless one chooses the policy for busy regions.",
    "A region is away for a moment while it is split; clients ask again.",
    "Logs and files are in HDFS, three times: a region goes to another server, and its data is not "
    "copied.",
    "A dead region server is noticed after 90 s (zookeeper.session.timeout); its log is replayed, "
    "and its regions open elsewhere.",
    "A region with too much that is not flushed answers RegionTooBusyException.",
    "Bigtable splits tablets by size and load, and moves them by load; a single row stays in one "
    "tablet.",
    NULL};
static const char *const leaves_out[] = {
    "No limit of a server is documented; the model gives each what a shard of the story has, and "
    "lets requests wait for 2 s.",
    "The real balancer weighs many costs; the model's goes by the count of regions, each 300 s.",
    "How long a region is away is not documented: 1 s at a split or a move, and 5 s to replay a "
    "log, are the model's.",
    "Bigtable does not say which load splits a tablet: half of what a server takes, for 10 s, is "
    "the model's.",
    "HDFS writes each row three times; here that costs only the server.",
    "Flushes, compactions, and reads that are slower after a region has moved away from its files.",
    "The table begins cut ahead at keys that share the posts evenly; a real one begins as one "
    "region.",
    NULL};
static const struct system_words words = {
    .name = "hbase",
    .title = "HBase",
    .part = "region",
    .parts = "regions",
    .machine = "server",
    .machines = "servers",
    .throttled = "RegionTooBusyException, and the client tries again until it is late",
    .placement = "the row key itself, in order, in regions",
    .splits = "by size, young tables early; never by load (Bigtable: by load too)",
    .moves = "without copying, since the files are in HDFS",
    .order = "of one row, at its region's server",
    .survives = "its server's death: the log is in HDFS, three times",
    .grows = "adds a server; the balancer gives it regions",
    .documented = documented,
    .leaves_out = leaves_out,
    .led = "served",
    .leads = "serves",
    .joined = "nothing goes to it yet; its balancer looks every 300 s",
    .files_elsewhere = true,
    .takes_over = "Its server was dead, which was noticed after 90 s. Then its log was replayed, "
                  "and it opened elsewhere.",
    .hands_over = "Its files are in HDFS, so nothing was copied; it was away for a moment.",
};

/* --- splits --- */

static uint64_t split_bytes(const struct world *w, uint8_t system, const struct part_row *p)
{
    uint64_t n = system_machine_leads(w, system, p->machine[0]);
    uint64_t bytes = YOUNG_BYTES * n * n * n;
    return bytes < REGION_BYTES && n > 0 ? bytes : REGION_BYTES;
}

static void go_away(struct world *w, uint8_t system, uint16_t place)
{
    int64_t until = w->now_us + AWAY_US;
    struct part_row *p = part_of_system(w, system, place);
    p->away_us = p->away_us > until ? p->away_us : until;
}

/* Both of a split are away for a moment. */
static void both_away(struct world *w, uint8_t system, uint16_t place, uint16_t upper)
{
    if (upper != NO_PART) {
        go_away(w, system, place);
        go_away(w, system, upper);
    }
}

static void split_by_size(struct world *w, uint8_t system, uint16_t place)
{
    const struct part_row *p = part_in_system(w, system, place);
    uint64_t *told = &system_of(w, system)->own[OWN_TOLD_SIZE];
    uint64_t bit = UINT64_C(1) << place, bytes = p->bytes;
    uint16_t upper;
    if (bytes <= split_bytes(w, system, p)) {
        *told &= ~bit;
    } else if (order_split_bytes(w, system, place, bytes / 2, &upper)) {
        both_away(w, system, place, upper);
    } else if ((*told & bit) == 0) {
        *told |= bit;
        system_note(w, system, place, REASON_SYSTEMS_NO_SPLIT, NO_SPLIT_ONE_ITEM,
                    (int64_t)counts_asked(&p->second), 0);
    }
}

/* As Bigtable: a tablet that is asked for much is cut where that helps. */
static void split_by_load(struct world *w, uint8_t system, uint16_t place)
{
    struct part_row *p = part_of_system(w, system, place);
    uint64_t writes = p->second.asked[WORK_WRITE] * 3, reads = p->second.asked[WORK_READ];
    uint64_t load = counts_asked(&p->second);
    struct order_look look;
    struct u128 at = p->first;
    if (!order_is_hot(p, (writes > reads ? writes : reads) > HOT_READS)) {
        return;
    }
    order_look(w, system, place, ORDER_BY_LOAD, &look);
    bool even = order_balance(&look, &at) * 4 <= load * 3 && u128_order(at, p->first) > 0;
    if (look.items == 0) {
        even = order_middle(w, system, place, &at);
    }
    if (even) {
        both_away(
            w, system, place,
            system_part_split(w, system, place, at, REASON_SYSTEMS_SPLIT_LOAD, (int64_t)load));
    } else if (p->hot_s == HOT_PATIENCE_S) {
        uint8_t key;
        enum no_split why = order_why_whole(&look, &key);
        system_note(w, system, place, REASON_SYSTEMS_NO_SPLIT, why, (int64_t)load,
                    p->key == KEY_OTHER ? 0 : p->key + 1);
    }
}

/* --- where regions are --- */

/* It opens on another server; its files stay where they are. */
static void open_at(struct world *w, uint8_t system, uint16_t place, uint8_t machine,
                    enum leader_why why)
{
    system_part_lead(w, system, place, machine, why);
    go_away(w, system, place);
}

/* Regions go from the server with most of them to the one with fewest, until none has two more. */
static uint32_t balance(struct world *w, uint8_t system)
{
    const struct system_row *row = system_in(w, system);
    uint32_t moved = 0;
    for (;;) {
        uint8_t most = system_machine_most(w, system, false);
        uint8_t few = system_machine_least(w, system, false);
        if (most == MACHINE_NONE || few == MACHINE_NONE ||
            system_machine_leads(w, system, most) < system_machine_leads(w, system, few) + 2) {
            return moved;
        }
        uint16_t which = NO_PART;
        for (uint16_t place = 0; place < row->parts_used; place++) {
            const struct part_row *p = part_in_system(w, system, place);
            if (p->state == PART_OPEN && p->machine[0] == most) {
                which = place;
            }
        }
        open_at(w, system, which, few, LEADER_BALANCE);
        moved++;
    }
}

/* As Bigtable: the tablet that takes most off the busiest server goes to the least busy one. */
static void move_by_load(struct world *w, uint8_t system)
{
    const struct system_row *row = system_in(w, system);
    uint8_t most = system_machine_most(w, system, true);
    uint8_t least = system_machine_least(w, system, true);
    if (most == MACHINE_NONE || least == MACHINE_NONE) {
        return;
    }
    uint64_t busy = counts_asked(&row->machine[most].second);
    uint64_t idle = counts_asked(&row->machine[least].second), best = busy / 20;
    uint16_t which = NO_PART;
    for (uint16_t place = 0; place < row->parts_used; place++) {
        const struct part_row *p = part_in_system(w, system, place);
        uint64_t load = counts_asked(&p->second);
        if (p->state != PART_OPEN || p->machine[0] != most || p->away_us > w->now_us ||
            load + idle >= busy) {
            continue;
        }
        uint64_t gain = load < busy - idle - load ? load : busy - idle - load;
        if (gain > best) {
            best = gain;
            which = place;
        }
    }
    if (which != NO_PART) {
        open_at(w, system, which, least, LEADER_BALANCE);
    }
}

static void second(struct world *w, uint8_t system)
{
    struct system_row *row = system_of(w, system);
    uint16_t places = row->parts_used;
    bool by_load = row->setting[SPLITS] == BY_LOAD;
    row->own[OWN_SECONDS]++;
    if (!by_load) {
        order_tell_whole(w, system, NO_SPLIT_BYTES);
    }
    for (uint16_t place = 0; place < places; place++) {
        if (part_in_system(w, system, place)->state != PART_OPEN) {
            continue;
        }
        if (by_load) {
            split_by_load(w, system, place);
        }
        split_by_size(w, system, place);
    }
    if (by_load && row->own[OWN_SECONDS] % MOVE_S == 0) {
        move_by_load(w, system);
    } else if (!by_load && row->own[OWN_SECONDS] % BALANCE_S == 0) {
        (void)balance(w, system);
    }
}

/* --- commands --- */

static bool verb_cut(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    uint16_t place;
    if (!order_verb_cut(w, system, c, err) ||
        !system_part_named(w, system, c->count, &place, err)) {
        return false;
    }
    go_away(w, system, place);
    for (uint16_t i = 0; i < system_in(w, system)->parts_used; i++) {
        const struct part_row *p = part_in_system(w, system, i);
        if (p->state == PART_OPEN &&
            u128_order(p->first, u128_next(part_in_system(w, system, place)->last)) == 0) {
            go_away(w, system, i);
        }
    }
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
    open_at(w, system, place, (uint8_t)c->first, LEADER_BY_HAND);
    return true;
}

static bool verb_balance(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    (void)c;
    return balance(w, system) > 0 ||
           err_set(err, "all servers have as many regions as they should; nothing moves");
}

const struct system_kind system_hbase = {
    .words = &words,
    .settings = settings,
    .copies = 3,
    .acks = 3,
    .limit = {1000, 3000},
    .wait_us = 2 * US_PER_SECOND,
    .lag_us = 2 * US_PER_MS,
    .failover_us = 95 * US_PER_SECOND, /* 90 until it is noticed, and its log is replayed */
    .move_bytes = 32 << 20,
    .parts = 4,
    .machines = 4,
    .position = order_position,
    .start = order_start,
    .second = second,
    .verb = {[SYSTEM_VERB_CUT] = verb_cut,
             [SYSTEM_VERB_JOIN] = order_verb_join,
             [SYSTEM_VERB_GROW] = verb_grow,
             [SYSTEM_VERB_MOVE] = verb_move,
             [SYSTEM_VERB_BALANCE] = verb_balance,
             [SYSTEM_VERB_DOWN] = system_verb_down,
             [SYSTEM_VERB_UP] = system_verb_up,
             [SYSTEM_VERB_SET] = system_verb_set},
    .refuses = {[SYSTEM_VERB_PARTS] = "HBase has as many regions as its size makes; cut one at a "
                                      "key instead"},
    .name = order_name,
};
