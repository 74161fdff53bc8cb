/*
 * system_redis: Redis Cluster as a model.
 *
 * What is documented (Redis, "Redis cluster specification", "Scale with Redis Cluster", redis.conf,
 * redis-cli --cluster help):
 *
 *   A key's slot is CRC16 of its hash tag, or of all of it, modulo 16,384. Each slot is one
 * master's. Replication is asynchronous: a client is told before a replica has its write, and a
 * write that was acknowledged can be lost at a failover. A master that cannot be reached for
 * cluster-node-timeout (15 s) fails; a replica of it waits 500 ms and a random time of up to 500 ms
 * more before it stands for election. A new master has no slots. redis-cli reshard and rebalance
 * move slots, one after another, key by key: the source answers ASK for a key that has gone, and
 * MOVED for a slot that has; a client that was told MOVED fetches the map anew.
 * rebalance leaves masters alone that are within 2 percent (--cluster-threshold) of their share,
 * and gives slots to empty ones only with --cluster-use-empty-masters, which is meant here.
 *
 * What is ours: a replica is 5 ms behind; a master takes what a shard of the story does; a failover
 * takes 15.5 s; a slot takes 5 ms to move, and 10 MB a second; all clients share one map; requests
 * wait for 2 s.
 *
 * A part is a run of slots, which is only a way to write them down: no run is a thing of Redis.
 * row->own[REDIS_BUSY]: until when the tool moves slots; it does one after another. Of a part:
 * own[RUN_BEGAN] when the first of its slots begins to move, own[RUN_KNOWN] how many of them
 * clients know to have moved, + 1; 0: their map is right.
 */
#include "engine/systems/systems_inside.h"
#include "place/hash.h"
#include "place/key.h"

#define SLOT_SHIFT 50 /* a slot is the highest 14 bits of a position */
#define SLOT_US (5 * US_PER_MS)
#define THRESHOLD_PERCENT 2

enum redis_own {
    REDIS_BUSY
};
enum run_own {
    RUN_BEGAN,
    RUN_KNOWN
};

static const struct system_setting_info settings[] = {{.name = NULL}};

static const char *const documented[] = {
    "A key's slot is CRC16 of the key, or of its hash tag, modulo 16,384; each slot is one "
    "master's.",
    "Replication is asynchronous: a client is told before a replica has the write, so an "
    "acknowledged write can be lost at a failover.",
    "A master that does not answer for 15 s (cluster-node-timeout) fails; a replica then waits 500 "
    "to 1,000 ms and stands for election.",
    "A master that joins has no slots until an operator moves some to it.",
    "redis-cli moves slots one by one and key by key; meanwhile the source says ASK for a key that "
    "has gone.",
    "When a slot has moved its old master says MOVED; a client then fetches the map anew.",
    "redis-cli --cluster rebalance --cluster-use-empty-masters evens out how many slots masters "
    "have, if one is more than 2% off.",
    "Nodes tell each other who has which slots by gossip; of two claims the higher config epoch "
    "wins.",
    "Newer servers can also move whole slots at once, without ASK; the model plays the classic "
    "move.",
    NULL};
static const char *const leaves_out[] = {
    "No limit of a node is documented; the model gives each master what a shard of the story has.",
    "While a slot has no master that answers, all masters refuse by default "
    "(cluster-require-full-coverage); here only its own requests fail.",
    "How long a slot takes to move is not documented: 5 ms each, and 10 MB a second, are the "
    "model's.",
    "A replica is 5 ms behind here; nobody promises that. It does each write too; here that costs "
    "only the master.",
    "All clients share one map of the slots; each real one is told MOVED by itself.",
    "Reads of replicas, WAIT, partitions of the network, and masters that lose their majority.",
    "TRYAGAIN, which a command for several keys is told while its slot moves.",
    NULL};
static const struct system_words words = {
    .name = "redis",
    .title = "Redis Cluster",
    .part = "run of slots",
    .parts = "runs of slots",
    .machine = "master",
    .machines = "masters",
    .throttled = "nothing: the answer comes late",
    .placement = "CRC16 of the tag, modulo 16,384 slots",
    .splits = "never; a slot is the least that moves",
    .moves = "an operator's tool, slot by slot and key by key",
    .order = "of one key, at its master",
    .survives = "mostly a master's death; the last writes may be lost",
    .grows = "adds an empty master, then rebalances",
    .documented = documented,
    .leaves_out = leaves_out,
};

/* --- slots --- */

static struct u128 position(const struct world *w, struct bytes key, uint64_t sort)
{
    (void)w;
    (void)sort;
    return u128_of((uint64_t)key_slot(key) << SLOT_SHIFT, 0);
}

static uint32_t slot_of(struct u128 at)
{
    return (uint32_t)(at.high >> SLOT_SHIFT);
}

static uint32_t slots_in(const struct part_row *part)
{
    return slot_of(part->last) - slot_of(part->first) + 1;
}

static struct u128 first_of(uint32_t slot)
{
    return u128_of((uint64_t)slot << SLOT_SHIFT, 0);
}

static struct u128 last_of(uint32_t slot)
{
    return slot == SLOT_COUNT - 1 ? U128_LAST : u128_before(first_of(slot + 1));
}

static void name(const struct world *w, const struct part_row *part, struct str *out)
{
    (void)w;
    if (slots_in(part) == 1) {
        str_addf(out, "slot %u", slot_of(part->first));
    } else {
        str_addf(out, "slots %u-%u", slot_of(part->first), slot_of(part->last));
    }
}

/* Even runs, as redis-cli --cluster create makes them, dealt in order. */
static void start(struct world *w, uint8_t system, uint32_t parts)
{
    const struct system_row *row = system_in(w, system);
    uint32_t from = 0;
    for (uint32_t i = 0; i < parts; i++) {
        uint32_t end = ((i + 1) * SLOT_COUNT * 2 + parts) / (parts * 2); /* rounded */
        (void)system_part_new(w, system, first_of(from), last_of(end - 1),
                              (uint8_t)(i * row->machines / parts));
        from = end;
    }
}

/* The run ends before `slot`; from there on there is another one. */
static uint16_t cut_run(struct world *w, uint8_t system, uint16_t place, uint32_t slot)
{
    struct part_row *run = part_of_system(w, system, place);
    uint32_t slots = slots_in(run);
    if (!system_part_room(w, system, 1)) {
        return NO_PART;
    }
    uint16_t upper = system_part_new(w, system, first_of(slot), run->last, run->machine[0]);
    struct part_row *rest = part_of_system(w, system, upper);
    run->last = last_of(slot - 1);
    rest->bytes = run->bytes / slots * slots_in(rest);
    run->bytes -= rest->bytes;
    rest->away_us = run->away_us;
    rest->frozen_us = run->frozen_us;
    return upper;
}

/* --- slots on their way --- */

static bool moves(const struct part_row *run)
{
    return run->target != MACHINE_NONE;
}

/* How far its move is: whole slots, and thousandths of the next. */
static uint32_t gone_of(const struct world *w, const struct part_row *run, uint32_t *rest)
{
    int64_t took = w->now_us - run->own[RUN_BEGAN];
    int64_t whole = run->ready_us - run->own[RUN_BEGAN];
    *rest = 0;
    if (!moves(run) || took <= 0) {
        return 0;
    }
    uint64_t thousandths = took >= whole
                               ? slots_in(run) * UINT64_C(1000)
                               : (uint64_t)took * slots_in(run) * UINT64_C(1000) / (uint64_t)whole;
    *rest = (uint32_t)(thousandths % 1000);
    return (uint32_t)(thousandths / 1000);
}

/* Clients fetch the map anew. */
static void learn(struct world *w, uint8_t system)
{
    const struct system_row *row = system_in(w, system);
    uint32_t rest;
    for (uint16_t i = 0; i < row->parts_used; i++) {
        struct part_row *run = part_of_system(w, system, i);
        run->own[RUN_KNOWN] = moves(run) ? gone_of(w, run, &rest) + 1 : 0;
    }
}

/* Whether its key is at the target already; counts ASK and MOVED. */
static bool at_target(struct world *w, const struct system_ask *ask)
{
    const struct part_row *run = part_in_system(w, ask->system, ask->part);
    struct system_row *row = system_of(w, ask->system);
    uint32_t slot = slot_of(ask->position) - slot_of(run->first);
    uint32_t rest = 0;
    uint32_t gone = gone_of(w, run, &rest);
    if (!moves(run)) {
        if (run->own[RUN_KNOWN] != 0 && slot + 1 >= run->own[RUN_KNOWN]) {
            row->redirects++; /* MOVED, after the end of the move */
            learn(w, ask->system);
        }
        return false;
    }
    if (slot < gone) {
        if (slot + 1 >= run->own[RUN_KNOWN]) {
            row->redirects++; /* MOVED */
            learn(w, ask->system);
        }
        return true;
    }
    if (slot == gone && mix64(fnv1a64(ask->text.at, ask->text.length)) % 1000 < rest) {
        row->redirects++; /* ASK, each time */
        return true;
    }
    return false;
}

static enum system_verdict admit(struct world *w, struct system_ask *ask)
{
    struct part_row *run = part_of_system(w, ask->system, ask->part);
    if (!at_target(w, ask)) {
        return system_admit(w, ask);
    }
    if (system_in(w, ask->system)->machine[run->target].down) {
        return VERDICT_AWAY;
    }
    uint8_t source = run->machine[0];
    run->machine[0] = run->target;
    enum system_verdict verdict = system_admit(w, ask);
    run->machine[0] = source;
    return verdict;
}

static void note_begin(struct world *w, uint8_t system, uint16_t place)
{
    const struct part_row *run = part_in_system(w, system, place);
    system_note(w, system, place, REASON_SYSTEMS_MOVE_BEGINS, run->machine[0], run->target,
                (int64_t)run->bytes);
}

/* The tool moves it when it has moved what was asked for before. */
static void begin_move(struct world *w, uint8_t system, uint16_t place, uint8_t machine)
{
    struct system_row *row = system_of(w, system);
    struct part_row *run = part_of_system(w, system, place);
    int64_t busy = (int64_t)row->own[REDIS_BUSY];
    run->target = machine;
    run->own[RUN_BEGAN] = busy > w->now_us ? busy : w->now_us;
    run->own[RUN_KNOWN] = 1;
    run->ready_us = run->own[RUN_BEGAN] + slots_in(run) * SLOT_US +
                    system_copy_us(run->bytes, system_redis.move_bytes);
    row->own[REDIS_BUSY] = (uint64_t)run->ready_us;
    row->machine[machine].busy_us = run->ready_us;
    system_timer(w, system, place, TIMER_OWN, run->ready_us);
    if (run->own[RUN_BEGAN] > w->now_us) {
        system_timer(w, system, place, TIMER_OWN, run->own[RUN_BEGAN]);
    } else {
        note_begin(w, system, place);
    }
}

/* The run is the target's, all of it. */
static void end_move(struct world *w, uint8_t system, uint16_t place)
{
    struct system_row *row = system_of(w, system);
    struct part_row *run = part_of_system(w, system, place);
    uint8_t source = run->machine[0];
    run->machine[0] = run->target;
    run->target = MACHINE_NONE;
    run->ready_us = 0;
    row->moved++;
    row->moved_bytes += run->bytes;
    system_note(w, system, place, REASON_SYSTEMS_MOVED, source, run->machine[0],
                w->now_us - run->own[RUN_BEGAN]);
}

/* The tool stops with an error: what has gone has gone, the rest stays. */
static void stop_move(struct world *w, uint8_t system, uint16_t place)
{
    struct part_row *run = part_of_system(w, system, place);
    uint32_t rest;
    uint32_t gone = gone_of(w, run, &rest);
    if (gone > 0 && gone < slots_in(run)) {
        (void)cut_run(w, system, place, slot_of(run->first) + gone);
    }
    if (gone > 0) {
        end_move(w, system, place);
    } else {
        run->target = MACHINE_NONE;
        run->ready_us = 0;
        run->own[RUN_KNOWN] = 0;
    }
}

static void timer(struct world *w, uint8_t system, uint16_t place, uint32_t what)
{
    const struct part_row *run = part_in_system(w, system, place);
    if (what != TIMER_OWN || !moves(run)) {
        return;
    }
    if (run->ready_us == w->now_us) {
        end_move(w, system, place);
    } else if (run->own[RUN_BEGAN] == w->now_us) {
        note_begin(w, system, place);
    }
}

/* A master died: the tool, which moves one slot after another, stops. */
static void lost(struct world *w, uint8_t system, uint8_t machine)
{
    struct system_row *row = system_of(w, system);
    (void)machine;
    for (uint16_t i = 0; i < row->parts_used; i++) {
        if (part_in_system(w, system, i)->state == PART_OPEN &&
            moves(part_in_system(w, system, i))) {
            stop_move(w, system, i);
        }
    }
    row->own[REDIS_BUSY] = 0;
    for (uint8_t m = 0; m < row->machines; m++) {
        row->machine[m].busy_us = 0;
    }
}

/* --- commands --- */

static bool tool_is_free(const struct world *w, uint8_t system, struct err *err)
{
    const struct system_row *row = system_in(w, system);
    if ((int64_t)row->own[REDIS_BUSY] > w->now_us) {
        return err_set(err, "redis-cli is moving slots already, one after another; wait until it "
                            "has ended");
    }
    for (uint16_t i = 0; i < row->parts_used; i++) {
        const struct part_row *run = part_in_system(w, system, i);
        if (run->state == PART_OPEN && run->away_us > w->now_us) {
            return err_set(err,
                           "no master has the slots of master %d now, and redis-cli moves "
                           "none then; wait for the failover",
                           run->machine[0]);
        }
    }
    return true;
}

static bool verb_cut(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    uint16_t place;
    if (!tool_is_free(w, system, err) || !system_part_named(w, system, c->count, &place, err)) {
        return false;
    }
    const struct part_row *run = part_in_system(w, system, place);
    uint32_t first = slot_of(run->first);
    uint32_t slot = first + slots_in(run) / 2;
    if (slots_in(run) == 1) {
        return err_set(err,
                       "slot %u is one slot, and that is the least that Redis Cluster moves; "
                       "split the keys in it by other tags",
                       first);
    }
    if (c->key_length > 0) {
        slot = key_slot((struct bytes){.at = c->key, .length = c->key_length});
        if (slot < first || slot > slot_of(run->last)) {
            return err_set(err,
                           "the key's slot is %u, which is not among these; name the run that "
                           "has it",
                           slot);
        }
        slot += slot == first; /* a second cut leaves it alone */
    }
    uint16_t upper = cut_run(w, system, place, slot);
    if (upper == NO_PART) {
        return err_set(err, "there is no room for another run of slots; the model has %d",
                       SYSTEM_PARTS_FEW);
    }
    system_note(w, system, place, REASON_SYSTEMS_SPLIT_HAND,
                part_in_system(w, system, place)->number, part_in_system(w, system, upper)->number,
                c->key_length > 0);
    return true;
}

static bool verb_grow(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    (void)c;
    uint8_t machine = system_machine_new(w, system);
    if (machine == MACHINE_NONE) {
        return err_set(err, "there is no room for another master; the model has %d of them",
                       SYSTEM_MACHINES_MAX);
    }
    system_note(w, system, NO_PART, REASON_SYSTEMS_GROWN, machine, 0, 0);
    return true;
}

static bool verb_move(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    uint16_t place;
    if (!tool_is_free(w, system, err) || !system_part_named(w, system, c->count, &place, err) ||
        !system_machine_named(w, system, c->first, true, err)) {
        return false;
    }
    if (part_in_system(w, system, place)->machine[0] == c->first) {
        return err_set(err, "master %u has these slots already; name another one", c->first);
    }
    begin_move(w, system, place, (uint8_t)c->first);
    return true;
}

/* By how many slots each master that lives is above its share, as redis-cli counts: rounded down,
 * and what is left over then goes to those that get some. The dead have none, and get none. */
static bool over_share(const struct world *w, uint8_t system, int32_t over[SYSTEM_MACHINES_MAX])
{
    const struct system_row *row = system_in(w, system);
    int32_t live = 0;
    int32_t sum = 0;
    bool off = false;
    for (uint8_t m = 0; m < row->machines; m++) {
        live += !row->machine[m].down;
    }
    int32_t share = live > 0 ? (int32_t)SLOT_COUNT / live : 0;
    for (uint8_t m = 0; m < row->machines; m++) {
        over[m] = row->machine[m].down ? 0 : -share;
    }
    for (uint16_t i = 0; i < row->parts_used; i++) {
        const struct part_row *run = part_in_system(w, system, i);
        if (run->state == PART_OPEN) {
            over[run->machine[0]] += (int32_t)slots_in(run);
        }
    }
    for (uint8_t m = 0; m < row->machines; m++) {
        int32_t far = over[m] < 0 ? -over[m] : over[m];
        sum += over[m];
        off = off || far * 100 > share * THRESHOLD_PERCENT;
    }
    for (uint8_t m = 0; sum > 0; m = (uint8_t)((m + 1) % row->machines)) {
        if (over[m] <= 0 && !row->machine[m].down) {
            over[m]--;
            sum--;
        }
    }
    return off;
}

/* Takes so many slots from a master, its lowest first, for another one; where there is no room to
 * cut a run, whole ones alone. How many it took. */
static int32_t take_slots(struct world *w, uint8_t system, uint8_t from, uint8_t to, int32_t slots)
{
    const struct system_row *row = system_in(w, system);
    int32_t took = 0;
    while (took < slots) {
        bool room = system_part_room(w, system, 1);
        uint16_t place = NO_PART;
        for (uint16_t i = 0; i < row->parts_used; i++) {
            const struct part_row *run = part_in_system(w, system, i);
            if (run->state == PART_OPEN && run->machine[0] == from && !moves(run) &&
                (room || (int32_t)slots_in(run) <= slots - took) &&
                (place == NO_PART ||
                 u128_order(run->first, part_in_system(w, system, place)->first) < 0)) {
                place = i;
            }
        }
        if (place == NO_PART) {
            break;
        }
        const struct part_row *run = part_in_system(w, system, place);
        if ((int32_t)slots_in(run) > slots - took) {
            (void)cut_run(w, system, place, slot_of(run->first) + (uint32_t)(slots - took));
        }
        took += (int32_t)slots_in(run);
        begin_move(w, system, place, to);
    }
    return took;
}

static bool verb_balance(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    (void)c;
    const struct system_row *row = system_in(w, system);
    int32_t over[SYSTEM_MACHINES_MAX];
    int32_t moved = 0;
    bool all = true;
    if (!tool_is_free(w, system, err)) {
        return false;
    }
    if (!over_share(w, system, over)) {
        return err_set(err,
                       "no master is more than %d%% off its share of slots; redis-cli moves "
                       "nothing then",
                       THRESHOLD_PERCENT);
    }
    for (uint8_t to = 0; to < row->machines; to++) {
        for (uint8_t from = 0; from < row->machines && over[to] < 0; from++) {
            int32_t slots = over[from] < -over[to] ? over[from] : -over[to];
            if (slots > 0) {
                int32_t took = take_slots(w, system, from, to, slots);
                over[from] -= took;
                over[to] += took;
                moved += took;
                all = all && took == slots;
            }
        }
    }
    if (moved == 0) {
        return err_set(err,
                       "there is no room for another run of slots; the model has %d, and no whole "
                       "one fits",
                       SYSTEM_PARTS_FEW);
    }
    if (!all) { /* what fitted is under way */
        system_note(w, system, NO_PART, REASON_SYSTEMS_OVERDUE, NO_SPLIT_FULL, 0, 0);
    }
    return true;
}

const struct system_kind system_redis = {
    .words = &words,
    .settings = settings,
    .own_copies = true,
    .copies = 2,
    .acks = 1,
    .limit = {1000, 3000},
    .wait_us = 2 * US_PER_SECOND,
    .lag_us = 5 * US_PER_MS,
    .failover_us = 15500 * US_PER_MS,
    .move_bytes = 10000000,
    .parts = 4,
    .machines = 4,
    .position = position,
    .start = start,
    .admit = admit,
    .timer = timer,
    .lost = lost,
    .verb = {[SYSTEM_VERB_CUT] = verb_cut,
             [SYSTEM_VERB_GROW] = verb_grow,
             [SYSTEM_VERB_MOVE] = verb_move,
             [SYSTEM_VERB_BALANCE] = verb_balance,
             [SYSTEM_VERB_DOWN] = system_verb_down,
             [SYSTEM_VERB_UP] = system_verb_up},
    .refuses = {[SYSTEM_VERB_PARTS] = "Redis Cluster has 16,384 slots, always; move slots between "
                                      "masters instead",
                [SYSTEM_VERB_JOIN] = "runs of slots are only a way to write them down, and there "
                                     "is nothing to join; move slots instead",
                [SYSTEM_VERB_SET] = "Redis Cluster has nothing to set here; replication is always "
                                    "asynchronous"},
    .name = name,
};
