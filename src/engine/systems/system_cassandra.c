/*
 * system_cassandra: a ring of Cassandra as a model.
 *
 * What is documented (Apache Cassandra, documentation, "Dynamo", "Hints", "Topology Changes",
 * cassandra.yaml of 4.1; DataStax, "About hinted handoff writes"):
 *
 *   A key's token is its Murmur3 hash; a node has 16 tokens (num_tokens), and of each the range
 * that ends there. A range is kept by its node and the next other nodes clockwise, as many as the
 * replication factor says. Every replica is sent every write; the consistency level says how many
 * must have it before the client is told. With fewer replicas alive than that the request fails at
 * once (UnavailableException), and no hint is written. Otherwise the coordinator keeps a hint for a
 * replica that is down, up to 3 hours (max_hint_window), and hints count for no level but ANY. A
 * write that a replica could not do within 2 s (write_request_timeout) is dropped there. A node
 * that joins streams the ranges that become its own, at 24 MiB a second
 * (stream_throughput_outbound); one joins at a time. Nothing leads, and nothing splits.
 *
 * What is ours: replication factor 3; tokens are drawn at random, where 4.0 and later can choose
 * them; the ring is turned so that the last token is at its end; a node takes what a shard of the
 * story does, of all writes that reach it as a replica; the second replica has a write 2 ms after
 * the first, the third 2 ms later; reads wait 2 s too (read_request_timeout is 5 s).
 *
 * A part is the range that ends in a token. row->own[CASSANDRA_TOKENS]: so many has a node;
 * own[CASSANDRA_JOINING]: the node that is joining, + 1. Of a part: own[RANGE_ALONE] the writes
 * that one replica alone has, the others being down.
 */
#include "engine/systems/system_cassandra.h"
#include "place/murmur.h"
#include <inttypes.h>

#define HINT_WINDOW_US (3 * 3600 * US_PER_SECOND)
#define SIGN (UINT64_C(1) << 63)

enum cassandra_setting {
    CASSANDRA_LEVEL
};
enum level {
    LEVEL_ONE,
    LEVEL_QUORUM,
    LEVEL_ALL
};
static const char *const level_choices[] = {"one", "quorum", "all"};
static const struct system_setting_info settings[] = {
    {.name = "level",
     .about = "how many of the three replicas must have a write, or answer a read",
     .choices = level_choices,
     .count = 3,
     .initial = LEVEL_QUORUM},
    {.name = NULL},
};

static const char *const documented[] = {
    "A key's place is its token, a Murmur3 hash; a node has 16 tokens (num_tokens) and owns the "
    "range up to each.",
    "A range is kept by its node and by the next other nodes clockwise, 3 with a replication "
    "factor of 3.",
    "Every replica is sent every write, whatever the level: ONE, QUORUM (2 of 3) and ALL say how "
    "many must answer before the client is told.",
    "With fewer replicas alive than the level wants, the request fails at once with an "
    "UnavailableException.",
    "A hint keeps a write for a replica that is down, for 3 hours (max_hint_window); it does not "
    "count for ONE, QUORUM or ALL, and without the level none is written. Level ANY takes a hint "
    "for an answer; nobody can read it yet.",
    "A replica drops a write that waited there longer than 2 s (write_request_timeout).",
    "Of two versions of a cell the one with the later timestamp wins.",
    "A node that joins streams the ranges that become its own, at up to 24 MiB a second and "
    "sending node (stream_throughput_outbound).",
    "No node leads a range: nobody is elected when one dies.",
    NULL};
static const char *const leaves_out[] = {
    "Tokens are random here; since 4.0 a node that joins can choose them "
    "(allocate_tokens_for_local_replication_factor), which is more even.",
    "No limit of a node is documented; the model gives each what a shard of the story has, for all "
    "that reaches it as a replica. Where one machine leads, the model charges only that one.",
    "A node that dies takes with it what it alone had; with its disk intact it would bring that "
    "back.",
    "Reads are counted and not compared: stale answers, read repair and timestamps are left out.",
    "Hints are handed over at once when a node is back; gossip, which tells who is down, takes no "
    "time.",
    "A node that joins takes writes of its ranges while they stream; one streams from several "
    "others at once. Both are left out, and so is nodetool cleanup after it.",
    NULL};
static const struct system_words words = {
    .name = "cassandra",
    .title = "Cassandra",
    .part = "token range",
    .parts = "token ranges",
    .machine = "node",
    .machines = "nodes",
    .throttled = "nothing at first; after 2 s a WriteTimeoutException",
    .placement = "Murmur3 token, ranges between random tokens",
    .splits = "never by load or size; a new node's tokens cut ranges",
    .moves = "streamed to a node that joins",
    .order = "none; the later timestamp wins",
    .survives = "QUORUM: one node's death; ONE: not always",
    .grows = "adds a node, which takes ranges of all others",
    .documented = documented,
    .leaves_out = leaves_out,
    .led = "owned",
    .leads = "owns",
};

static struct u128 position(const struct world *w, struct bytes key, uint64_t sort)
{
    (void)w;
    (void)sort;
    return u128_of((uint64_t)cassandra_token(key.at, key.length) ^ SIGN, 0);
}

static void name(const struct world *w, const struct part_row *part, struct str *out)
{
    (void)w;
    str_addf(out, "token %" PRId64, (int64_t)(part->last.high ^ SIGN));
}

/* --- requests --- */

static uint32_t wanted(const struct world *w, uint8_t system)
{
    static const uint32_t replicas_of[] = {1, 2, 3};
    return replicas_of[system_in(w, system)->setting[CASSANDRA_LEVEL]];
}

static uint8_t acks_now(const struct world *w, uint8_t system)
{
    return (uint8_t)wanted(w, system);
}

/* The replicas that are up, in their order. */
static uint32_t alive(const struct world *w, uint8_t system, const struct part_row *part,
                      uint8_t out[SYSTEM_COPIES])
{
    uint32_t count = 0;
    for (uint8_t i = 0; i < part->copies; i++) {
        if (!system_in(w, system)->machine[part->machine[i]].down) {
            out[count++] = part->machine[i];
        }
    }
    return count;
}

/* Readers are asked of those that have most room first, as a snitch does. */
static void sort_by_room(struct world *w, uint8_t system, uint8_t *node, uint32_t count)
{
    struct system_row *row = system_of(w, system);
    for (uint32_t i = 0; i < count; i++) {
        bucket_fill(&row->machine[node[i]].bucket[WORK_READ], w->now_us);
    }
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t j = i; j > 0; j--) {
            uint8_t one = node[j - 1];
            if (row->machine[one].bucket[WORK_READ].level >=
                row->machine[node[j]].bucket[WORK_READ].level) {
                break;
            }
            node[j - 1] = node[j];
            node[j] = one;
        }
    }
}

static void keep_hints(struct world *w, const struct system_ask *ask, const struct part_row *part)
{
    struct system_row *row = system_of(w, ask->system);
    for (uint8_t i = 0; i < part->copies; i++) {
        struct machine_row *m = &row->machine[part->machine[i]];
        if (m->down && w->now_us - m->died_us < HINT_WINDOW_US) {
            m->hints++;
            row->hints++;
        }
    }
}

/* Each replica takes it, or drops it after the client's patience; the client has its answer when as
 * many as the level says have. */
static enum system_verdict admit(struct world *w, struct system_ask *ask)
{
    struct system_row *row = system_of(w, ask->system);
    struct part_row *part = part_of_system(w, ask->system, ask->part);
    uint8_t node[SYSTEM_COPIES];
    uint8_t who[SYSTEM_COPIES];
    int64_t wait[SYSTEM_COPIES];
    uint32_t took = 0;
    uint32_t want = wanted(w, ask->system);
    uint32_t up = alive(w, ask->system, part, node);
    if (up < want) {
        return VERDICT_AWAY;
    }
    if (ask->work == WORK_READ) {
        sort_by_room(w, ask->system, node, up);
        up = want;
    } else {
        keep_hints(w, ask, part);
    }
    for (uint32_t i = 0; i < up; i++) {
        struct machine_row *m = &row->machine[node[i]];
        enum system_verdict verdict = system_take(w, ask, &m->bucket[ask->work], COST_ONE);
        counts_add(&m->now, ask->work, verdict);
        if (verdict != VERDICT_OK) {
            continue;
        }
        uint32_t at = took++;
        for (; at > 0 && wait[at - 1] > ask->wait_us; at--) {
            wait[at] = wait[at - 1];
            who[at] = who[at - 1];
        }
        wait[at] = ask->wait_us;
        who[at] = node[i];
    }
    if (took < want) {
        return VERDICT_LATE;
    }
    ask->wait_us = wait[want - 1];
    ask->machine = who[want - 1];
    if (ask->work == WORK_WRITE) {
        part->own[RANGE_ALONE] += up == 1 && part->copies > 1;
    }
    return VERDICT_OK;
}

static void timer(struct world *w, uint8_t system, uint16_t part, uint32_t what)
{
    (void)part;
    if (what == TIMER_OWN && system_in(w, system)->own[CASSANDRA_JOINING] != 0) {
        cassandra_join(w, system);
    }
}

/* --- a node dies --- */

struct losses {
    int64_t told, untold;
};

/* Whoever has a write first is the first replica that is up; the next has it a little later. */
static void count_losses(struct world *w, uint8_t system, struct part_row *part, uint8_t node,
                         struct losses *out)
{
    uint8_t up[SYSTEM_COPIES];
    uint32_t others = alive(w, system, part, up);
    for (uint8_t i = 0; i < part->copies && part->machine[i] != node; i++) {
        if (!system_in(w, system)->machine[part->machine[i]].down) {
            return; /* that one has all that this node had */
        }
    }
    if (others == 0) {
        out->told += part->own[RANGE_ALONE];
        return;
    }
    for (uint32_t i = 0; i < others; i++) {
        system_begin_waiting(w, system, up[i]);
    }
    for (uint64_t i = 1; i <= SYSTEM_RECENT && i <= part->taken; i++) {
        uint64_t at = (part->taken - i) % SYSTEM_RECENT;
        struct recent_row *recent = system_recent_of(w, part);
        if (recent->at_us[at] == RECENT_SETTLED ||
            recent->at_us[at] + system_cassandra.lag_us <= w->now_us) {
            continue;
        }
        recent->at_us[at] = RECENT_SETTLED;
        if (wanted(w, system) > 1) {
            out->untold++;
            continue;
        }
        out->told++;
        if (recent->key[at] != KEY_OTHER) {
            system_of(w, system)->key[recent->key[at]].lost++;
        }
    }
}

static void lost(struct world *w, uint8_t system, uint8_t node)
{
    struct system_row *row = system_of(w, system);
    struct losses losses = {0};
    for (uint16_t i = 0; i < row->parts_used; i++) {
        struct part_row *part = part_of_system(w, system, i);
        bool replica = false;
        for (uint8_t j = 0; j < part->copies; j++) {
            replica = replica || part->machine[j] == node;
        }
        if (part->state == PART_OPEN && replica) {
            count_losses(w, system, part, node, &losses);
            part->unbegun = 0; /* the other replicas do those, or nobody was told */
        }
    }
    row->lost += (uint64_t)losses.told;
    if (losses.told > 0) {
        system_note(w, system, NO_PART, REASON_SYSTEMS_LOST, losses.told, node, 0);
    } else {
        system_note(w, system, NO_PART, REASON_SYSTEMS_KEPT, losses.untold, node, losses.untold);
    }
}

/* The coordinators hand over what they kept. */
static void back(struct world *w, uint8_t system, uint8_t node)
{
    struct system_row *row = system_of(w, system);
    row->machine[node].hints = 0;
    for (uint16_t i = 0; i < row->parts_used; i++) {
        struct part_row *part = part_of_system(w, system, i);
        for (uint8_t j = 0; j < part->copies; j++) {
            if (part->machine[j] == node) {
                part->own[RANGE_ALONE] = 0;
            }
        }
    }
}

static bool verb_down(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    if (system_in(w, system)->own[CASSANDRA_JOINING] != 0) {
        return err_set(err, "node %d is joining; let nobody die before it has what it needs",
                       (int)system_in(w, system)->own[CASSANDRA_JOINING] - 1);
    }
    return system_verb_down(w, system, c, err);
}

const struct system_kind system_cassandra = {
    .words = &words,
    .settings = settings,
    .leaderless = true,
    .copies = SYSTEM_COPIES,
    .acks = 2,
    .limit = {1000, 3000},
    .wait_us = 2 * US_PER_SECOND,
    .lag_us = 2 * US_PER_MS,
    .move_bytes = 24 << 20,
    .parts = 64,
    .machines = 4,
    .position = position,
    .start = cassandra_start,
    .admit = admit,
    .timer = timer,
    .lost = lost,
    .back = back,
    .acks_now = acks_now,
    .verb = {[SYSTEM_VERB_GROW] = cassandra_grow,
             [SYSTEM_VERB_DOWN] = verb_down,
             [SYSTEM_VERB_UP] = system_verb_up,
             [SYSTEM_VERB_SET] = system_verb_set},
    .refuses = {[SYSTEM_VERB_PARTS] =
                    "the ranges of Cassandra follow from the nodes' tokens; add a "
                    "node with \"system cassandra grow\"",
                [SYSTEM_VERB_CUT] =
                    "Cassandra splits no range; a node that joins brings tokens that "
                    "cut some: \"system cassandra grow\"",
                [SYSTEM_VERB_JOIN] =
                    "the ranges of Cassandra are never joined; each ends in a token "
                    "of a node",
                [SYSTEM_VERB_MOVE] = "a range of Cassandra lies where the tokens say; nobody moves "
                                     "one by hand",
                [SYSTEM_VERB_BALANCE] = "Cassandra balances nothing; the tokens say who has what, "
                                        "and a new node takes a share of all"},
    .name = name,
};
