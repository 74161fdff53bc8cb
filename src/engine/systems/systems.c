/*
 * systems: requests on their way into systems, and what became of them.
 *
 * A request that a client asks of the cluster is asked of each system that is on: prepared, placed,
 * admitted, counted. Whom it goes to: the open part of its position. What takes it: the bucket of
 * the part, or of the machine that leads it, at once or within the client's patience. A write that
 * was taken stands among the part's recent ones, from which the loss of a machine is counted.
 */
#include "engine/systems/systems_inside.h"

#include "base/check.h"
#include "place/key.h"
#include <string.h>

const struct system_kind *system_kind(uint8_t system)
{
    static const struct system_kind *const kinds[SYSTEMS] = {
        &system_dynamodb, &system_kinesis, &system_kafka, &system_cassandra, &system_cockroachdb,
        &system_hbase,    &system_mongodb, &system_redis, &system_vitess};
    CHECK(system < SYSTEMS);
    return kinds[system];
}

/* --- positions --- */

typedef unsigned __int128 wide;

static wide wide_of(struct u128 a)
{
    return (wide)a.high << 64 | a.low;
}

static struct u128 narrow(wide a)
{
    return u128_of((uint64_t)(a >> 64), (uint64_t)a);
}

struct u128 u128_of(uint64_t high, uint64_t low)
{
    return (struct u128){.high = high, .low = low};
}

struct u128 u128_next(struct u128 a)
{
    return narrow(wide_of(a) + 1);
}

struct u128 u128_before(struct u128 a)
{
    return narrow(wide_of(a) - 1);
}

struct u128 u128_halfway(struct u128 first, struct u128 last)
{
    wide from = wide_of(first);
    wide width = wide_of(last) - from;
    return narrow(from + width / 2 + (width > 0));
}

struct u128 u128_text_position(struct bytes key)
{
    struct u128 at = {0, 0};
    for (size_t i = 0; i < 16; i++) {
        uint64_t byte = i < key.length ? (unsigned char)key.at[i] : 0;
        *(i < 8 ? &at.high : &at.low) |= byte << (56 - i % 8 * 8);
    }
    return at;
}

uint16_t system_locate(const struct world *w, uint8_t system, struct u128 position)
{
    const struct system_row *row = system_in(w, system);
    wide at = wide_of(position);
    for (uint16_t i = 0; i < row->parts_used; i++) {
        const struct part_row *part = part_in_system(w, system, i);
        if (part->state == PART_OPEN && wide_of(part->first) <= at && at <= wide_of(part->last)) {
            return i;
        }
    }
    return NO_PART;
}

/* --- tags --- */

uint8_t system_tag(struct world *w, struct bytes key)
{
    struct system_tag *tag = system_tags_of(w);
    uint32_t *known = &w->systems.keys;
    for (uint32_t i = 0; i < *known; i++) {
        if (tag[i].length == key.length && memcmp(tag[i].text, key.at, key.length) == 0) {
            return (uint8_t)i;
        }
    }
    if (*known == SYSTEM_KEYS_MAX) {
        return KEY_OTHER;
    }
    tag[*known] = (struct system_tag){.length = (uint8_t)key.length};
    memcpy(tag[*known].text, key.at, key.length);
    return (uint8_t)(*known)++;
}

uint64_t system_key_load(const struct world *w, uint8_t system, uint8_t key)
{
    return key == KEY_OTHER ? 0 : counts_asked(&system_in(w, system)->key[key].second);
}

/* Whether some item of the key may be in it. */
static bool part_has_key(const struct world *w, uint8_t system, uint16_t part, uint8_t key)
{
    const struct system_kind *kind = system_kind(system);
    const struct system_tag *tag = system_tags_in(w) + key;
    struct system_ask ask = {.system = system,
                             .key = key,
                             .text = {.at = tag->text, .length = tag->length},
                             .part = NO_PART};
    ask.position = kind->position(w, ask.text, 0);
    if (kind->locate != NULL) {
        return kind->locate(w, &ask) == part;
    }
    const struct part_row *p = part_in_system(w, system, part);
    struct u128 end = kind->position(w, ask.text, UINT64_MAX);
    return wide_of(ask.position) <= wide_of(p->last) && wide_of(p->first) <= wide_of(end);
}

uint8_t system_top_key(const struct world *w, uint8_t system, uint16_t part, uint64_t *load)
{
    uint8_t top = KEY_OTHER;
    *load = 0;
    for (uint8_t key = 0; key < w->systems.keys; key++) {
        uint64_t some = system_key_load(w, system, key);
        if (some > *load && part_has_key(w, system, part, key)) {
            *load = some;
            top = key;
        }
    }
    return top;
}

/* --- limits --- */

enum system_verdict system_take(struct world *w, struct system_ask *ask, struct bucket *bucket,
                                int64_t cost)
{
    int64_t patience = system_kind(ask->system)->wait_us;
    ask->wait_us = 0;
    if (bucket->ceiling == 0) {
        return VERDICT_OK;
    }
    bucket_fill(bucket, w->now_us);
    int64_t depth = bucket_depth(bucket->ceiling);
    if (bucket->level >= (cost < depth ? cost : depth)) {
        bucket->level -= cost;
        return VERDICT_OK;
    }
    int64_t start = w->now_us + (bucket->ceiling - 1 + cost - bucket->level) / bucket->ceiling;
    start = start > bucket->last_start_us ? start : bucket->last_start_us;
    if (patience == 0) {
        return VERDICT_THROTTLED;
    }
    if (start - w->now_us > patience) {
        return VERDICT_LATE;
    }
    bucket->level -= cost;
    bucket->last_start_us = start;
    ask->wait_us = start - w->now_us;
    return VERDICT_OK;
}

void counts_add(struct system_counts *c, enum kind_of_work work, enum system_verdict verdict)
{
    c->asked[work]++;
    c->ok[work] += verdict == VERDICT_OK;
    c->throttled += verdict == VERDICT_THROTTLED;
    c->late += verdict == VERDICT_LATE;
    c->away += verdict == VERDICT_AWAY;
}

enum system_verdict system_admit(struct world *w, struct system_ask *ask)
{
    const struct system_kind *kind = system_kind(ask->system);
    struct part_row *part = part_of_system(w, ask->system, ask->part);
    struct machine_row *machine = system_of(w, ask->system)->machine + part->machine[0];
    enum system_verdict verdict = VERDICT_AWAY;
    ask->machine = part->machine[0];
    if (part->away_us <= w->now_us &&
        (ask->work == WORK_READ || kind->acks_least == 0 ||
         system_copies_up(w, ask->system, part) >= kind->acks_least)) {
        struct bucket *bucket = kind->part_limit ? part->bucket : machine->bucket;
        verdict = system_take(w, ask, bucket + ask->work, ask->cost > 0 ? ask->cost : COST_ONE);
    }
    counts_add(&machine->now, ask->work, verdict);
    return verdict;
}

/* --- what became of it --- */

static uint64_t turned_away(const struct system_counts *c)
{
    return c->throttled + c->late;
}

static void machine_throttles(struct world *w, const struct system_ask *ask, uint8_t machine)
{
    struct machine_row *m = system_of(w, ask->system)->machine + machine;
    if (!m->throttling && turned_away(&m->now) > 0) {
        m->throttling = true;
        system_note_machine(w, ask->system, machine, REASON_SYSTEMS_THROTTLING,
                            (int64_t)counts_asked(&m->now), m->bucket[ask->work].ceiling, 1);
    }
}

/* Whose limit it was begins to turn away: the part, its leader, or any of its copies. */
static void note_throttling(struct world *w, const struct system_ask *ask)
{
    const struct system_kind *kind = system_kind(ask->system);
    struct part_row *part = part_of_system(w, ask->system, ask->part);
    if (!kind->part_limit) {
        for (uint32_t i = 0; i < (kind->leaderless ? part->copies : 1u); i++) {
            machine_throttles(w, ask, part->machine[i]);
        }
    } else if (!part->throttling) {
        part->throttling = true;
        system_note(w, ask->system, ask->part, REASON_SYSTEMS_THROTTLING,
                    (int64_t)counts_asked(&part->now), part->bucket[ask->work].ceiling, 0);
    }
}

static void take(struct world *w, struct part_row *part, int64_t at_us, uint8_t key)
{
    struct recent_row *recent = system_recent_of(w, part);
    uint32_t at = (uint32_t)(part->taken++ % SYSTEM_RECENT);
    recent->at_us[at] = at_us;
    recent->key[at] = key;
}

void system_begin_waiting(struct world *w, uint8_t system, uint8_t machine)
{
    struct machine_row *m = system_of(w, system)->machine + machine;
    for (; m->begun != m->queued; m->begun++) {
        const struct waiting_row *waiting = system_waiting_in(w, m);
        uint32_t at = m->begun % SYSTEM_WAITING;
        int64_t wait_us = (int32_t)(waiting->start_us[at] - (uint32_t)w->now_us);
        if (wait_us > 0) {
            return;
        }
        if (waiting->part[at] != UINT8_MAX) {
            take(w, part_of_system(w, system, waiting->part[at]), w->now_us + wait_us,
                 waiting->key[at]);
        }
    }
}

void system_hand_waiting(struct world *w, uint8_t system, uint16_t part, uint16_t to)
{
    struct system_row *row = system_of(w, system);
    for (uint8_t machine = 0; machine < row->machines; machine++) {
        struct machine_row *m = row->machine + machine;
        system_begin_waiting(w, system, machine);
        for (uint32_t i = m->begun; i != m->queued; i++) {
            uint8_t *its = &system_waiting_of(w, m)->part[i % SYSTEM_WAITING];
            *its = *its != part ? *its : to == NO_PART ? UINT8_MAX : (uint8_t)to;
        }
    }
}

/* Behind all that wait for this machine. */
static void wait_for(struct world *w, const struct system_ask *ask)
{
    struct machine_row *m = system_of(w, ask->system)->machine + ask->machine;
    uint32_t at = m->queued++ % SYSTEM_WAITING;
    CHECK(m->queued - m->begun <= SYSTEM_WAITING);
    struct waiting_row *waiting = system_waiting_of(w, m);
    waiting->start_us[at] = (uint32_t)(w->now_us + ask->wait_us);
    waiting->part[at] = (uint8_t)ask->part;
    waiting->key[at] = ask->key;
}

static void take_write(struct world *w, const struct system_ask *ask)
{
    struct part_row *part = part_of_system(w, ask->system, ask->part);
    if (ask->machine != MACHINE_NONE) {
        system_begin_waiting(w, ask->system, ask->machine);
    }
    if (ask->wait_us > 0 && ask->machine != MACHINE_NONE) {
        wait_for(w, ask);
    } else {
        take(w, part, w->now_us + ask->wait_us, ask->key);
    }
    part->bytes += ask->bytes;
    if (system_is_stream(ask->system)) {
        system_record(w, ask->system, ask->part, ask->key);
    }
}

static void count(struct world *w, const struct system_ask *ask, enum system_verdict verdict)
{
    struct system_row *row = system_of(w, ask->system);
    counts_add(&row->sum, ask->work, verdict);
    counts_add(&row->now, ask->work, verdict);
    if (ask->key != KEY_OTHER) {
        counts_add(&row->key[ask->key].sum, ask->work, verdict);
        counts_add(&row->key[ask->key].now, ask->work, verdict);
    }
    if (ask->part == NO_PART) {
        return;
    }
    struct part_row *part = part_of_system(w, ask->system, ask->part);
    counts_add(&part->sum, ask->work, verdict);
    counts_add(&part->now, ask->work, verdict);
    if (verdict == VERDICT_THROTTLED || verdict == VERDICT_LATE) {
        note_throttling(w, ask);
    } else if (verdict == VERDICT_OK) {
        row->longest_now_us =
            ask->wait_us > row->longest_now_us ? ask->wait_us : row->longest_now_us;
        if (ask->work == WORK_WRITE) {
            take_write(w, ask);
        }
    }
}

void system_request(struct world *w, struct system_ask *ask)
{
    const struct system_kind *kind = system_kind(ask->system);
    if (ask->work == WORK_READ && kind->words->stream) {
        return;
    }
    if (kind->prepare != NULL && !kind->prepare(w, ask)) {
        return;
    }
    ask->position = kind->position(w, ask->text, ask->sort);
    ask->part =
        kind->locate != NULL ? kind->locate(w, ask) : system_locate(w, ask->system, ask->position);
    enum system_verdict verdict = VERDICT_AWAY;
    if (ask->part != NO_PART) {
        verdict = kind->admit != NULL ? kind->admit(w, ask) : system_admit(w, ask);
    }
    count(w, ask, verdict);
}

/* All that are on are asked. */
void systems_ask_all(struct world *w, const struct system_ask *what)
{
    for (uint8_t system = 0; system < SYSTEMS; system++) {
        if ((w->systems.on >> system & 1) != 0) {
            struct system_ask ask = *what;
            ask.system = system;
            ask.machine = MACHINE_NONE;
            system_request(w, &ask);
        }
    }
}

void systems_asked(struct world *w, enum op_kind op, uint32_t key)
{
    const struct key_entry *entry = keys_in(w) + key;
    struct bytes tag = key_tag((struct bytes){.at = entry->text, .length = entry->length});
    systems_ask_all(w, &(struct system_ask){.work = work_of((uint8_t)op),
                                            .key = system_tag(w, tag),
                                            .bytes = SYSTEM_LIKE_BYTES,
                                            .text = tag,
                                            .part = NO_PART});
}

/* --- a second is over --- */

static void turn_over(struct system_counts *now, struct system_counts *second)
{
    *second = *now;
    *now = (struct system_counts){.throttled = 0};
}

static void part_second(struct world *w, uint8_t system, uint16_t place)
{
    struct part_row *part = part_of_system(w, system, place);
    turn_over(&part->now, &part->second);
    part->turned_away += part->throttling ? (uint32_t)turned_away(&part->second) : 0;
    if (part->throttling && turned_away(&part->second) == 0) {
        part->throttling = false;
        system_note(w, system, place, REASON_SYSTEMS_CALM, part->turned_away, 0, 0);
        part->turned_away = 0;
    }
}

static void machine_second(struct world *w, uint8_t system, uint8_t machine)
{
    struct machine_row *m = system_of(w, system)->machine + machine;
    turn_over(&m->now, &m->second);
    system_begin_waiting(w, system, machine); /* its times are of 32 bits */
    m->turned_away += m->throttling ? (uint32_t)turned_away(&m->second) : 0;
    if (m->throttling && turned_away(&m->second) == 0) {
        m->throttling = false;
        system_note_machine(w, system, machine, REASON_SYSTEMS_CALM, m->turned_away, 0, 1);
        m->turned_away = 0;
    }
}

void system_second(struct world *w, uint8_t system)
{
    struct system_row *row = system_of(w, system);
    turn_over(&row->now, &row->second);
    row->longest_us = row->longest_now_us;
    row->longest_now_us = 0;
    for (uint32_t key = 0; key < w->systems.keys; key++) {
        turn_over(&row->key[key].now, &row->key[key].second);
    }
    for (uint16_t place = 0; place < row->parts_used; place++) {
        if (part_in_system(w, system, place)->state != PART_FREE) {
            part_second(w, system, place);
        }
    }
    for (uint8_t machine = 0; machine < row->machines; machine++) {
        machine_second(w, system, machine);
    }
    for (uint16_t place = 0; place < row->parts_used; place++) {
        struct part_row *part = part_of_system(w, system, place);
        uint64_t load = 0;
        uint8_t key = KEY_OTHER;
        if (part->state == PART_OPEN && counts_asked(&part->second) > 0) {
            key = system_top_key(w, system, place, &load);
        }
        part->key = load * 2 > counts_asked(&part->second) ? key : KEY_OTHER;
    }
    if (system_kind(system)->second != NULL) {
        system_kind(system)->second(w, system);
    }
}
