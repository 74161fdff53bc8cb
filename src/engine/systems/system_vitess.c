/*
 * system_vitess: Vitess as a model.
 *
 * What is documented (Vitess, "Vindexes", "Sharding", "Reshard", "SwitchTraffic", "ReverseTraffic",
 * "Durability Policy", "VTOrc"; the vindex's source):
 *
 *   A vindex makes a keyspace id of a column's value: xxhash is XXH64 of it, lowest byte first.
 * Shards are ranges of keyspace ids, named by their first bytes: -40, 40-80, 80-c0, c0-. Reshard
 * makes new shards beside the old ones: it copies rows, and streams what is written meanwhile
 * (VReplication); VDiff compares both; SwitchTraffic sends reads, then writes to the new ones, and
 * keeps the old ones up to date by a reverse stream unless told not to; while it runs,
 * ReverseTraffic goes back. Complete ends it. Nothing splits or balances by itself. Durability
 * policy none, the default, acknowledges what a primary has; semi_sync what a replica has as well.
 * VTOrc notices a dead primary and reparents (EmergencyReparentShard).
 *
 * What is ours: a failover takes 5 s; rows are copied at 16 MB a second to each new shard; writes
 * find nobody for half a second when they are switched; a replica is 20 ms behind; a shard takes
 * what one of the story does; queries wait for 2 s. New shards take empty ones first (`grow`),
 * machines of their own then; their copy waits while nobody serves an old one. `set serves`: reads
 * and new switch traffic, old reverses it, done completes.
 *
 * row->own: enum vitess_own. New shards are copying until writes go to them; ready_us is 0 when
 * their copy is complete.
 */
#include "engine/systems/system_order.h"
#include "place/xxhash.h"

#define SWITCH_US (500 * US_PER_MS)

enum vitess_own {
    OWN_OLD,                   /* two of them: numbers of the old shards, + 1; 0: none */
    OWN_NEW = OWN_OLD + 2,     /* and of the new ones */
    OWN_REVERSE = OWN_NEW + 2, /* a reverse stream keeps the old ones up to date */
    OWN_AT_KEY,                /* the cut is at a key, not in the middle */
    OWN_COUNTED                /* its writes were switched before */
};
enum shard_own {    /* of a part */
    SHARD_SWITCHED, /* writes were switched to it, and find nobody until then */
    SHARD_BEGAN     /* its copy */
};
enum vitess_setting {
    DURABILITY,
    SERVES,
    REVERSE
};
enum vitess_serves {
    SERVES_OLD,
    SERVES_READS,
    SERVES_NEW,
    SERVES_DONE
};

static const char *const durabilities[] = {"none", "semi-sync"};
static const char *const serves[] = {"old", "reads", "new", "done"};
static const char *const reverses[] = {"off", "on"};
static const struct system_setting_info settings[] = {
    {.name = "durability",
     .about = "whether a replica has a write before the client is told",
     .choices = durabilities,
     .count = 2},
    {.name = "serves",
     .about = "who serves while a Reshard is under way: the old shards, the new ones reads alone, "
              "the new ones all, and done when the old ones may go",
     .choices = serves,
     .count = 4},
    {.name = "reverse",
     .about = "a reverse stream keeps the old shards up to date after writes were switched",
     .choices = reverses,
     .count = 2,
     .initial = 1},
    {.name = NULL}};

static const char *const documented[] = {
    "A vindex makes a keyspace id of a column's value; the one here is xxhash.",
    "A shard is a range of keyspace ids, named by their first bytes, and a MySQL primary with "
    "replicas.",
    "Reshard makes new shards beside the old ones: it copies rows, and VReplication streams what "
    "is written meanwhile.",
    "SwitchTraffic sends reads to the new shards, then writes; VDiff compares both sides before.",
    "While the reverse stream runs, ReverseTraffic goes back. Complete ends the Reshard.",
    "Nothing splits or balances by itself: an operator begins a Reshard.",
    "Durability policy none, the default, tells the client when the primary has a write; "
    "semi_sync when a replica has it too.",
    "VTOrc notices that a primary is dead and makes a replica the primary.",
    NULL};
static const char *const leaves_out[] = {
    "No limit of a shard is documented; the model gives each what a shard of the story has, and "
    "lets queries wait for 2 s.",
    "A failover takes 5 s here, the copy 16 MB a second to each new shard, the switch of writes "
    "half a second; a VTGate can hold queries back meanwhile.",
    "A replica is 20 ms behind here; nobody promises that. It does each write too; here that costs "
    "only the primary.",
    "Both sides of a Reshard are the same here, so VDiff has nothing to find.",
    "Queries over several shards, lookup vindexes, MoveTables, and reads of replicas.",
    "One Reshard at a time, of one shard into two or of two into one.",
    NULL};
static const struct system_words words = {
    .name = "vitess",
    .title = "Vitess",
    .part = "shard",
    .parts = "shards",
    .machine = "replica set",
    .machines = "replica sets",
    .throttled = "nothing; queries queue, and the answer comes late",
    .placement = "XXH64 of the key, ranges of keyspace ids",
    .splits = "only by an operator's Reshard",
    .moves = "copied and streamed to new shards, then switched, and back while the reverse stream "
             "runs",
    .order = "of one key, at its shard's primary",
    .survives = "a primary's death with semi_sync; with none the last writes may be lost",
    .grows = "reshards into more shards",
    .documented = documented,
    .leaves_out = leaves_out,
    .copied = "All rows are copied, then changes follow them. It serves nothing until you say so: "
              "set serves reads, then new.",
};

/* --- keyspace ids --- */

static struct u128 position(const struct world *w, struct bytes key, uint64_t sort)
{
    (void)w;
    (void)sort;
    uint64_t hash = xxh64(key.at, key.length, 0), id = 0;
    for (int i = 0; i < 8; i++) {
        id = id << 8 | (hash >> (8 * i) & 0xff);
    }
    return u128_of(id, 0);
}

static void add_id(struct str *out, uint64_t id)
{
    for (; id != 0; id <<= 8) {
        str_addf(out, "%02x", (unsigned)(id >> 56));
    }
}

static void name(const struct world *w, const struct part_row *part, struct str *out)
{
    (void)w;
    bool all = part->first.high == 0 && u128_order(part->last, U128_LAST) == 0;
    add_id(out, part->first.high);
    str_addc(out, all ? '0' : '-');
    if (u128_order(part->last, U128_LAST) != 0) {
        add_id(out, u128_next(part->last).high);
    }
}

static struct u128 middle_of(const struct part_row *p)
{
    return u128_of(u128_halfway(p->first, p->last).high, 0);
}

/* --- the shards of a Reshard --- */

/* The place of the i-th old or new shard; NO_PART. */
static uint16_t place_of(const struct world *w, uint8_t system, uint32_t own)
{
    const struct system_row *row = system_in(w, system);
    for (uint16_t place = 0; row->own[own] != 0 && place < row->parts_used; place++) {
        const struct part_row *p = part_in_system(w, system, place);
        if (p->state != PART_FREE && p->number + UINT64_C(1) == row->own[own]) {
            return place;
        }
    }
    return NO_PART;
}

static bool under_way(const struct world *w, uint8_t system)
{
    return system_in(w, system)->own[OWN_OLD] != 0;
}

static bool copied(const struct world *w, uint8_t system)
{
    for (uint32_t i = 0; i < 2; i++) {
        uint16_t place = place_of(w, system, OWN_NEW + i);
        if (place != NO_PART && part_in_system(w, system, place)->ready_us != 0) {
            return false;
        }
    }
    return true;
}

static bool in_part(const struct part_row *p, struct u128 at)
{
    return u128_order(p->first, at) <= 0 && u128_order(at, p->last) <= 0;
}

static uint16_t locate(const struct world *w, const struct system_ask *ask)
{
    if (ask->work == WORK_READ && system_in(w, ask->system)->setting[SERVES] == SERVES_READS) {
        for (uint32_t i = 0; i < 2; i++) {
            uint16_t place = place_of(w, ask->system, OWN_NEW + i);
            if (place != NO_PART && in_part(part_in_system(w, ask->system, place), ask->position)) {
                return place;
            }
        }
    }
    return system_locate(w, ask->system, ask->position);
}

/* --- Reshard --- */

/* A replica set that has no shard and is not to have one; a new one else. */
static uint8_t empty_machine(struct world *w, uint8_t system)
{
    const struct system_row *row = system_in(w, system);
    for (uint8_t m = 0; m < row->machines; m++) {
        bool used = !row->machine[m].there || row->machine[m].down;
        for (uint16_t place = 0; !used && place < row->parts_used; place++) {
            const struct part_row *p = part_in_system(w, system, place);
            used = p->machine[0] == m && p->state != PART_FREE && p->state != PART_EXPIRED;
        }
        if (!used) {
            return m;
        }
    }
    return system_machine_new(w, system);
}

static uint32_t empty_machines(const struct world *w, uint8_t system)
{
    const struct system_row *row = system_in(w, system);
    uint32_t used = 0;
    for (uint16_t place = 0; place < row->parts_used; place++) {
        const struct part_row *p = part_in_system(w, system, place);
        used += p->state != PART_FREE && p->state != PART_EXPIRED;
    }
    for (uint8_t m = 0; m < row->machines; m++) {
        used += row->machine[m].down && system_machine_leads(w, system, m) == 0;
    }
    return used < SYSTEM_MACHINES_MAX ? SYSTEM_MACHINES_MAX - used : 0;
}

/* A new shard whose rows come from an old one, or from both. */
static uint16_t new_shard(struct world *w, uint8_t system, struct u128 first, struct u128 last,
                          const uint16_t from[2], uint64_t bytes)
{
    uint8_t machine = empty_machine(w, system);
    uint16_t place = system_part_new(w, system, first, last, machine);
    struct part_row *p = part_of_system(w, system, place);
    const struct part_row *a = part_in_system(w, system, from[0]);
    p->state = PART_COPYING;
    p->parent[0] = a->number;
    p->parent[1] = from[1] == NO_PART ? NO_PART : part_in_system(w, system, from[1])->number;
    p->bytes = bytes;
    p->own[SHARD_BEGAN] = w->now_us;
    p->ready_us = w->now_us + US_PER_MS + system_copy_us(bytes, system_kind(system)->move_bytes);
    system_timer(w, system, place, TIMER_OWN, p->ready_us);
    system_note(w, system, place, REASON_SYSTEMS_MOVE_BEGINS, a->machine[0], machine,
                (int64_t)bytes);
    return place;
}

static bool may_begin(const struct world *w, uint8_t system, uint32_t shards, struct err *err)
{
    if (under_way(w, system)) {
        return err_set(err,
                       "a Reshard is under way; complete it first (set serves new, then done)");
    }
    if (!system_part_room(w, system, shards)) {
        return err_set(err, "there is no room for more shards; the model has %d of them",
                       SYSTEM_PARTS_FEW);
    }
    if (empty_machines(w, system) < shards) {
        return err_set(err, "there is no room for %u more replica sets; the model has %d of them",
                       shards, SYSTEM_MACHINES_MAX);
    }
    return true;
}

static void begin(struct world *w, uint8_t system, const uint16_t old[2], const uint16_t made[2])
{
    struct system_row *row = system_of(w, system);
    for (uint32_t i = 0; i < 2; i++) {
        row->own[OWN_OLD + i] =
            old[i] == NO_PART ? 0 : part_in_system(w, system, old[i])->number + UINT64_C(1);
        row->own[OWN_NEW + i] =
            made[i] == NO_PART ? 0 : part_in_system(w, system, made[i])->number + UINT64_C(1);
    }
    row->own[OWN_REVERSE] = 0;
    row->own[OWN_AT_KEY] = 0;
    row->own[OWN_COUNTED] = 0;
    row->setting[SERVES] = SERVES_OLD;
}

static bool verb_cut(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    uint16_t old[2] = {NO_PART, NO_PART}, made[2];
    if (!may_begin(w, system, 2, err) || !system_part_named(w, system, c->count, &old[0], err)) {
        return false;
    }
    if (!system_part_served(w, system, old[0], err)) {
        return false;
    }
    const struct part_row *p = part_in_system(w, system, old[0]);
    struct u128 at =
        c->key_length == 0 ? middle_of(p) : position(w, (struct bytes){c->key, c->key_length}, 0);
    if (u128_order(at, p->first) <= 0 || u128_order(p->last, at) < 0) {
        return err_set(err, "shard %u cannot be cut there: that keyspace id is not inside it",
                       c->count);
    }
    uint64_t half = p->bytes / 2;
    struct u128 first = p->first, last = p->last;
    made[0] = new_shard(w, system, first, u128_before(at), old, half);
    made[1] = new_shard(w, system, at, last, old, half);
    begin(w, system, old, made);
    system_of(w, system)->own[OWN_AT_KEY] = c->key_length > 0;
    return true;
}

static bool verb_join(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    uint16_t old[2], made[2] = {NO_PART, NO_PART};
    if (!may_begin(w, system, 1, err) || !system_part_named(w, system, c->count, &old[0], err) ||
        !system_part_named(w, system, c->first, &old[1], err)) {
        return false;
    }
    const struct part_row *a = part_in_system(w, system, old[0]);
    const struct part_row *b = part_in_system(w, system, old[1]);
    if (u128_order(a->first, b->first) > 0) {
        const struct part_row *other = a;
        a = b;
        b = other;
    }
    if (a == b || u128_order(u128_next(a->last), b->first) != 0) {
        return err_set(err, "shards %u and %u are no neighbours, and only those become one",
                       c->count, c->first);
    }
    if (!system_part_served(w, system, old[0], err) ||
        !system_part_served(w, system, old[1], err)) {
        return false;
    }
    struct u128 first = a->first, last = b->last;
    made[0] = new_shard(w, system, first, last, old, a->bytes + b->bytes);
    begin(w, system, old, made);
    return true;
}

/* All that rows are copied from. */
static bool sources_served(const struct world *w, uint8_t system)
{
    for (uint32_t i = OWN_OLD; i < OWN_NEW; i++) {
        uint16_t place = place_of(w, system, i);
        if (place != NO_PART && !system_part_served(w, system, place, NULL)) {
            return false;
        }
    }
    return true;
}

/* A second without a source is a second more for each copy; its timer follows. */
static void copies_wait(struct world *w, uint8_t system)
{
    for (uint32_t i = OWN_NEW; i < OWN_REVERSE && !sources_served(w, system); i++) {
        uint16_t place = place_of(w, system, i);
        if (place != NO_PART && part_in_system(w, system, place)->ready_us != 0) {
            part_of_system(w, system, place)->ready_us += US_PER_SECOND;
        }
    }
}

static void timer(struct world *w, uint8_t system, uint16_t place, uint32_t what)
{
    struct part_row *p = part_of_system(w, system, place);
    if (what != TIMER_OWN || p->state != PART_COPYING || p->ready_us == 0) {
        return;
    }
    if (p->ready_us <= w->now_us && !sources_served(w, system)) {
        p->ready_us = w->now_us + US_PER_SECOND;
    }
    if (p->ready_us > w->now_us) {
        system_timer(w, system, place, TIMER_OWN, p->ready_us);
        return;
    }
    struct system_row *row = system_of(w, system);
    uint16_t from = place_of(w, system, OWN_OLD);
    p->ready_us = 0;
    row->moved++;
    row->moved_bytes += p->bytes;
    system_note(w, system, place, REASON_SYSTEMS_MOVED,
                from == NO_PART ? 0 : part_in_system(w, system, from)->machine[0], p->machine[0],
                w->now_us - p->own[SHARD_BEGAN]);
}

/* --- who serves --- */

static void set_states(struct world *w, uint8_t system, uint8_t old, uint8_t made)
{
    for (uint32_t i = 0; i < 4; i++) {
        uint16_t place = place_of(w, system, i);
        if (place == NO_PART) {
            continue;
        }
        struct part_row *p = part_of_system(w, system, place);
        uint8_t before = p->state;
        p->state = i < OWN_NEW ? old : made;
        if (p->state == PART_OPEN && before != PART_OPEN) {
            p->own[SHARD_SWITCHED] = w->now_us + SWITCH_US;
        }
    }
}

/* Writes go to the new shards: one became two, or two became one. */
static void note_switch(struct world *w, uint8_t system)
{
    struct system_row *row = system_of(w, system);
    uint16_t old = place_of(w, system, OWN_OLD), made = place_of(w, system, OWN_NEW);
    bool split = row->own[OWN_NEW + 1] != 0, counted = row->own[OWN_COUNTED] != 0;
    row->own[OWN_COUNTED] = 1;
    row->splits += split && !counted;
    row->joins += !split && !counted;
    if (split) {
        system_note(w, system, old, REASON_SYSTEMS_SPLIT_HAND, (int64_t)row->own[OWN_NEW] - 1,
                    (int64_t)row->own[OWN_NEW + 1] - 1, (int64_t)row->own[OWN_AT_KEY]);
    } else {
        system_note(w, system, made, REASON_SYSTEMS_JOINED, (int64_t)row->own[OWN_OLD] - 1,
                    (int64_t)row->own[OWN_OLD + 1] - 1, (int64_t)row->own[OWN_NEW] - 1);
    }
}

/* What is streamed has as many bytes as where it comes from. */
static void keep_in_step(struct world *w, uint8_t system, uint32_t from, uint32_t to)
{
    uint16_t places[2] = {place_of(w, system, to), place_of(w, system, to + 1)};
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < 2; i++) {
        uint16_t place = place_of(w, system, from + i);
        bytes += place == NO_PART ? 0 : part_in_system(w, system, place)->bytes;
    }
    if (places[1] != NO_PART) {
        part_of_system(w, system, places[1])->bytes = bytes / 2;
        bytes -= bytes / 2;
    }
    part_of_system(w, system, places[0])->bytes = bytes;
}

/* Writes are handed over by whoever has them: those shards must be up for it. */
static bool hand_over(const struct world *w, uint8_t system, uint32_t from, struct err *err)
{
    for (uint32_t i = 0; i < 2; i++) {
        uint16_t place = place_of(w, system, from + i);
        if (place != NO_PART && !system_part_served(w, system, place, err)) {
            return false;
        }
    }
    return true;
}

static bool may_serve(const struct world *w, uint8_t system, uint32_t to, struct err *err)
{
    const struct system_row *row = system_in(w, system);
    uint32_t now = row->setting[SERVES];
    if (!under_way(w, system)) {
        return err_set(err, "no Reshard is under way; cut a shard or join two first");
    }
    if (!copied(w, system) && to != SERVES_OLD) {
        return err_set(err, "the new shards are still being copied; wait until they are done");
    }
    if (to == SERVES_DONE && now != SERVES_NEW) {
        return err_set(err, "writes still go to the old shards; set serves new before done");
    }
    if (now == SERVES_NEW && to < SERVES_NEW && row->own[OWN_REVERSE] == 0) {
        return err_set(err, "there is no reverse stream, so the old shards lack what was written "
                            "since; make a Reshard the other way instead");
    }
    if (now != SERVES_NEW && to == SERVES_NEW) {
        return hand_over(w, system, OWN_OLD, err);
    }
    return now != SERVES_NEW || to >= SERVES_NEW || hand_over(w, system, OWN_NEW, err);
}

static bool verb_set(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    uint32_t setting, to;
    struct bytes what = {c->key, c->key_length}, value = {c->other, c->other_length};
    if (!system_setting_read(system, what, value, &setting, &to, err) ||
        (setting == SERVES && !may_serve(w, system, to, err))) {
        return false;
    }
    return system_verb_set(w, system, c, err);
}

static void changed(struct world *w, uint8_t system, uint32_t setting, uint32_t before)
{
    struct system_row *row = system_of(w, system);
    uint32_t now = row->setting[SERVES];
    if (setting != SERVES || now == before) {
        return;
    }
    if (now == SERVES_NEW) {
        keep_in_step(w, system, OWN_OLD, OWN_NEW);
        set_states(w, system, PART_CLOSED, PART_OPEN);
        row->own[OWN_REVERSE] = row->setting[REVERSE];
        note_switch(w, system);
    } else if (now == SERVES_DONE) {
        set_states(w, system, PART_EXPIRED, PART_OPEN);
        for (uint32_t i = OWN_OLD; i <= OWN_COUNTED; i++) {
            row->own[i] = 0;
        }
    } else if (before == SERVES_NEW) {
        keep_in_step(w, system, OWN_NEW, OWN_OLD);
        set_states(w, system, PART_OPEN, PART_COPYING);
    }
}

/* --- the rest --- */

static void second(struct world *w, uint8_t system)
{
    order_tell_whole(w, system, NO_SPLIT_HAND);
    copies_wait(w, system);
}

static uint8_t acks_now(const struct world *w, uint8_t system)
{
    return system_in(w, system)->setting[DURABILITY] == 0 ? 1 : 2;
}

/* While writes are switched nobody takes them. With semi_sync a primary without a replica waits for
 * one, and so do its writes. */
static enum system_verdict admit(struct world *w, struct system_ask *ask)
{
    const struct part_row *p = part_in_system(w, ask->system, ask->part);
    uint8_t leader = p->machine[0];
    if (ask->work == WORK_WRITE &&
        (p->own[SHARD_SWITCHED] > w->now_us ||
         system_copies_up(w, ask->system, p) < acks_now(w, ask->system))) {
        counts_add(&system_of(w, ask->system)->machine[leader].now, ask->work, VERDICT_AWAY);
        return VERDICT_AWAY;
    }
    return system_admit(w, ask);
}

static bool verb_grow(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    (void)c;
    return system_verb_add(w, system, 0, err);
}

const struct system_kind system_vitess = {
    .words = &words,
    .settings = settings,
    .own_copies = true,
    .copies = 3,
    .acks = 2,
    .limit = {1000, 3000},
    .wait_us = 2 * US_PER_SECOND,
    .lag_us = 20 * US_PER_MS,
    .failover_us = 5 * US_PER_SECOND,
    .move_bytes = 16000000,
    .parts = 4,
    .machines = 4,
    .position = position,
    .locate = locate,
    .admit = admit,
    .second = second,
    .timer = timer,
    .changed = changed,
    .acks_now = acks_now,
    .verb = {[SYSTEM_VERB_CUT] = verb_cut,
             [SYSTEM_VERB_JOIN] = verb_join,
             [SYSTEM_VERB_GROW] = verb_grow,
             [SYSTEM_VERB_DOWN] = system_verb_down,
             [SYSTEM_VERB_UP] = system_verb_up,
             [SYSTEM_VERB_SET] = verb_set},
    .refuses = {[SYSTEM_VERB_PARTS] = "Vitess makes new shards of old ones by a Reshard; cut a "
                                      "shard, or join two",
                [SYSTEM_VERB_MOVE] = "a shard of Vitess goes elsewhere by a Reshard; cut it, or "
                                     "join it to another",
                [SYSTEM_VERB_BALANCE] = "Vitess does not balance by itself; cut the shard that is "
                                        "full"},
    .name = name,
};
