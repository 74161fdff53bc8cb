/*
 * systems_reader: records of streams, who reads them, and in which order.
 *
 * Five times a second each reader takes what its rate allows, the oldest record of a part first.
 * Kinesis: the rate is a shard's; of a shard no more than five calls of 400 kB each are answered in
 * a second, and with parents first a shard is read when all before it in its lineage are read to
 * their ends. Kafka: the rate is a member's, shared evenly by the partitions that it has.
 *
 * A record is out of order when an older one of its key is unread at that moment. Within one part
 * records are read in order, so only a key whose writes went to one part after another can suffer
 * it: its records are counted by turns, a turn for each part. What a full ring pushes out, and what
 * a part takes along when it expires, is skipped: gone, not read.
 */
#include "engine/systems/systems_inside.h"

#include "base/check.h"
#include <inttypes.h>
#include <string.h>

#define TICKS (US_PER_SECOND / SYSTEM_TICK_US) /* a second */
#define CALL_BYTES UINT64_C(400000)            /* 2 MB/s over five calls */
#define TURN_AT 8                              /* in a ring's entry; below it is the key */

static struct stream_row *stream_of(struct world *w, uint8_t system)
{
    CHECK(system_is_stream(system));
    return system_unread_of(w) + (system - SYSTEM_KINESIS);
}

static const struct stream_row *stream_in(const struct world *w, uint8_t system)
{
    CHECK(system_is_stream(system));
    return system_unread_in(w) + (system - SYSTEM_KINESIS);
}

static bool holds_records(const struct part_row *p)
{
    return p->state == PART_OPEN || p->state == PART_CLOSED;
}

static uint64_t unread_in(const struct part_row *p)
{
    return p->records - p->read;
}

void system_stream_begin(struct world *w, uint8_t system)
{
    memset(stream_of(w, system), 0, sizeof(struct stream_row));
}

static void note_disorder(struct world *w, uint8_t system, uint16_t part, uint8_t key,
                          uint32_t older)
{
    struct system_row *row = system_of(w, system);
    const struct stream_key *k = &stream_in(w, system)->key[key];
    row->disorder++;
    row->key[key].disorder++;
    if (!row->order_told) {
        row->order_told = true;
        system_note(w, system, part, REASON_SYSTEMS_ORDER, key, k->part[older], k->unread[older]);
    }
}

/* The oldest record of a part leaves it. */
static void take_oldest(struct world *w, uint8_t system, uint16_t part, bool is_read)
{
    struct system_row *row = system_of(w, system);
    struct stream_row *stream = stream_of(w, system);
    struct part_row *p = part_of_system(w, system, part);
    uint16_t entry = system_ring_in(w, p)->record[p->read % SYSTEM_UNREAD];
    uint8_t key = (uint8_t)(entry & UINT8_MAX);
    uint32_t turn = entry >> TURN_AT;
    p->read++;
    *(is_read ? &row->read : &row->skipped) += 1;
    if (key == KEY_OTHER) {
        return;
    }
    struct stream_key *k = &stream->key[key];
    CHECK(k->unread[turn] > 0);
    k->unread[turn]--;
    for (uint32_t older = 0; is_read && older < turn; older++) {
        if (k->unread[older] > 0) {
            note_disorder(w, system, part, key, older);
            return;
        }
    }
}

/* The turn that a record of this key in this part belongs to. */
static uint32_t turn_of(struct stream_key *k, uint16_t number)
{
    bool another = k->turns == 0 || k->part[k->turns - 1] != number;
    if (another && k->turns < SYSTEM_TURNS_MAX) {
        k->part[k->turns++] = number;
    }
    return k->turns - 1u;
}

void system_record(struct world *w, uint8_t system, uint16_t part, uint8_t key)
{
    struct stream_row *stream = stream_of(w, system);
    struct part_row *p = part_of_system(w, system, part);
    uint32_t turn = 0;
    if (unread_in(p) == SYSTEM_UNREAD) {
        take_oldest(w, system, part, false);
    }
    if (key != KEY_OTHER) {
        turn = turn_of(&stream->key[key], p->number);
        stream->key[key].unread[turn]++;
    }
    system_ring_of(w, p)->record[p->records % SYSTEM_UNREAD] = (uint16_t)(turn << TURN_AT | key);
    p->records++;
}

void system_records_gone(struct world *w, uint8_t system, uint16_t part)
{
    const struct part_row *p = part_in_system(w, system, part);
    while (unread_in(p) > 0) {
        take_oldest(w, system, part, false);
    }
}

void system_records_cut(struct world *w, uint8_t system, uint16_t part, uint64_t newest)
{
    struct stream_row *stream = stream_of(w, system);
    struct part_row *p = part_of_system(w, system, part);
    for (; newest > 0 && unread_in(p) > 0; newest--) {
        uint16_t entry = system_ring_in(w, p)->record[--p->records % SYSTEM_UNREAD];
        uint8_t key = (uint8_t)(entry & UINT8_MAX);
        system_of(w, system)->skipped++;
        if (key != KEY_OTHER) {
            stream->key[key].unread[entry >> TURN_AT]--;
        }
    }
}

/* --- parents first --- */

/* The places of parts whose parents are not read to their ends, a bit each. */
static uint32_t children_that_wait(const struct world *w, uint8_t system)
{
    const struct system_row *row = system_in(w, system);
    uint32_t unfinished = 0; /* has records unread, or waits itself */
    uint32_t waiting = 0;
    for (uint16_t i = 0; i < row->parts_used; i++) {
        const struct part_row *p = part_in_system(w, system, i);
        unfinished |= holds_records(p) && unread_in(p) > 0 ? UINT32_C(1) << i : 0;
    }
    for (bool more = true; more;) {
        more = false;
        for (uint32_t at = 0; at < (uint32_t)row->parts_used * row->parts_used; at++) {
            uint32_t child = at / row->parts_used;
            uint32_t parent = at % row->parts_used;
            const struct part_row *c = part_in_system(w, system, (uint16_t)child);
            const struct part_row *p = part_in_system(w, system, (uint16_t)parent);
            if ((unfinished >> parent & 1) != 0 && (waiting >> child & 1) == 0 &&
                holds_records(c) && (c->parent[0] == p->number || c->parent[1] == p->number)) {
                waiting |= UINT32_C(1) << child;
                unfinished |= UINT32_C(1) << child;
                more = true;
            }
        }
    }
    return waiting;
}

static bool parents_first(const struct world *w, uint8_t system)
{
    return system == SYSTEM_KINESIS && system_in(w, system)->setting[KINESIS_ORDER] == 0;
}

static uint32_t rate_of(const struct world *w, uint8_t system)
{
    const struct system_row *row = system_in(w, system);
    return row->setting[system == SYSTEM_KINESIS ? (int)KINESIS_READER : (int)KAFKA_READER];
}

bool system_part_waits(const struct world *w, uint8_t system, uint16_t part)
{
    if (!system_is_stream(system) || rate_of(w, system) == 0) {
        return false;
    }
    return part_in_system(w, system, part)->paused_us > w->now_us ||
           (parents_first(w, system) && (children_that_wait(w, system) >> part & 1) != 0);
}

/* --- a tick --- */

static void read_part(struct world *w, uint8_t system, uint16_t part, uint64_t records)
{
    for (; records > 0; records--) {
        take_oldest(w, system, part, true);
    }
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* As many records as one call of Kinesis gives. */
static uint64_t of_one_call(const struct part_row *p)
{
    uint64_t each = p->records > 0 ? p->bytes / p->records : 0;
    return each > 0 ? CALL_BYTES / each : UINT64_MAX;
}

static void read_shards(struct world *w, uint64_t share)
{
    uint32_t waiting = parents_first(w, SYSTEM_KINESIS) ? children_that_wait(w, SYSTEM_KINESIS) : 0;
    for (uint16_t i = 0; i < system_in(w, SYSTEM_KINESIS)->parts_used; i++) {
        const struct part_row *p = part_in_system(w, SYSTEM_KINESIS, i);
        if (holds_records(p) && (waiting >> i & 1) == 0) {
            uint64_t records = lesser(lesser(share, of_one_call(p)), unread_in(p));
            read_part(w, SYSTEM_KINESIS, i, records);
        }
    }
}

static bool reads_now(const struct world *w, uint8_t member, const struct part_row *p)
{
    return holds_records(p) && p->reader == member && p->paused_us <= w->now_us && unread_in(p) > 0;
}

static uint32_t parts_to_read(const struct world *w, uint8_t member)
{
    uint32_t parts = 0;
    for (uint16_t i = 0; i < system_in(w, SYSTEM_KAFKA)->parts_used; i++) {
        parts += reads_now(w, member, part_in_system(w, SYSTEM_KAFKA, i));
    }
    return parts;
}

/* Evenly from its partitions that have something; what one does not need goes to the others. */
static void read_as_member(struct world *w, uint8_t member, uint64_t share)
{
    uint32_t parts;
    while (share > 0 && (parts = parts_to_read(w, member)) > 0) {
        for (uint16_t i = 0; i < system_in(w, SYSTEM_KAFKA)->parts_used; i++) {
            const struct part_row *p = part_in_system(w, SYSTEM_KAFKA, i);
            if (reads_now(w, member, p)) {
                uint64_t records = lesser((share + parts - 1) / parts, unread_in(p));
                read_part(w, SYSTEM_KAFKA, i, records);
                share -= records;
                parts--;
            }
        }
    }
}

void system_read(struct world *w, uint8_t system)
{
    uint64_t rate = rate_of(w, system);
    uint64_t tick = (uint64_t)(w->now_us / SYSTEM_TICK_US) % TICKS;
    uint64_t share = rate * (tick + 1) / TICKS - rate * tick / TICKS;
    if (rate == 0) {
        return;
    }
    if (system == SYSTEM_KINESIS) {
        read_shards(w, share);
        return;
    }
    const struct system_row *row = system_in(w, system);
    for (uint8_t member = 0; member < row->members; member++) {
        if (!row->left[member]) {
            read_as_member(w, member, share);
        }
    }
}

/* --- a group shares its partitions --- */

struct sharing {
    uint32_t members, parts;
    uint8_t member[SYSTEM_MEMBERS_MAX]; /* those that are there */
    uint16_t part[SYSTEM_PARTS_FEW];    /* places, by number */
    uint8_t before[SYSTEM_PARTS_FEW];   /* each part's reader */
};

static void list_members(const struct system_row *row, struct sharing *s)
{
    for (uint8_t i = 0; i < row->members && i < SYSTEM_MEMBERS_MAX; i++) {
        if (!row->left[i]) {
            s->member[s->members++] = i;
        }
    }
}

static void list_parts(const struct world *w, uint8_t system, struct sharing *s)
{
    for (uint16_t i = 0; i < system_in(w, system)->parts_used; i++) {
        const struct part_row *p = part_in_system(w, system, i);
        if (p->state != PART_OPEN) {
            continue;
        }
        uint32_t at = s->parts++;
        for (; at > 0 && part_in_system(w, system, s->part[at - 1])->number > p->number; at--) {
            s->part[at] = s->part[at - 1];
        }
        s->part[at] = i;
    }
    for (uint32_t i = 0; i < s->parts; i++) {
        s->before[i] = part_in_system(w, system, s->part[i])->reader;
    }
}

/* The first members have one more where it does not come out even. */
static void deal_ranges(struct world *w, uint8_t system, const struct sharing *s)
{
    uint32_t next = 0;
    for (uint32_t m = 0; m < s->members; m++) {
        uint32_t some = s->parts / s->members + (m < s->parts % s->members);
        for (; some > 0; some--) {
            part_of_system(w, system, s->part[next++])->reader = s->member[m];
        }
    }
}

static uint32_t parts_of_member(const struct world *w, uint8_t system, const struct sharing *s,
                                uint8_t member)
{
    uint32_t parts = 0;
    for (uint32_t i = 0; i < s->parts; i++) {
        parts += part_in_system(w, system, s->part[i])->reader == member;
    }
    return parts;
}

static uint8_t member_with_fewest(const struct world *w, uint8_t system, const struct sharing *s)
{
    uint8_t best = s->member[0];
    for (uint32_t m = 1; m < s->members; m++) {
        if (parts_of_member(w, system, s, s->member[m]) < parts_of_member(w, system, s, best)) {
            best = s->member[m];
        }
    }
    return best;
}

/* Everybody keeps what they have, up to a fair share; the rest goes one by one to whoever has
 * fewest. So nobody ends with two more than another: as many members as the parts do not come out
 * even for may keep one more than the others, the first of them. */
static void deal_sticky(struct world *w, uint8_t system, const struct sharing *s)
{
    uint32_t fair = s->parts / s->members;
    uint32_t one_more = s->parts % s->members;
    uint32_t kept[SYSTEM_MEMBERS_MAX] = {0};
    for (uint32_t i = 0; i < s->parts; i++) {
        struct part_row *p = part_of_system(w, system, s->part[i]);
        uint8_t member = p->reader;
        bool there = member < SYSTEM_MEMBERS_MAX && !system_in(w, system)->left[member] &&
                     member < system_in(w, system)->members;
        bool extra = there && kept[member] == fair && one_more > 0;
        if (!there || (kept[member] >= fair && !extra)) {
            p->reader = UINT8_MAX;
            continue;
        }
        kept[member]++;
        one_more -= extra;
    }
    for (uint32_t i = 0; i < s->parts; i++) {
        struct part_row *p = part_of_system(w, system, s->part[i]);
        if (p->reader == UINT8_MAX) {
            p->reader = member_with_fewest(w, system, s);
        }
    }
}

void system_rebalance(struct world *w, uint8_t system, bool eager, int64_t pause_us)
{
    struct system_row *row = system_of(w, system);
    struct sharing s = {0};
    list_members(row, &s);
    list_parts(w, system, &s);
    bool fresh = true;
    for (uint32_t i = 0; i < s.parts; i++) {
        fresh = fresh && s.before[i] == UINT8_MAX;
        part_of_system(w, system, s.part[i])->reader = s.members == 0 ? UINT8_MAX : s.before[i];
    }
    if (s.members > 0 && (eager || fresh)) {
        deal_ranges(w, system, &s);
    } else if (s.members > 0) {
        deal_sticky(w, system, &s);
    }
    row->pause_count = 0;
    for (uint32_t i = 0; i < s.parts; i++) {
        struct part_row *p = part_of_system(w, system, s.part[i]);
        bool pauses = s.before[i] != UINT8_MAX && (eager || p->reader != s.before[i]);
        p->paused_us = pauses ? w->now_us + pause_us : p->paused_us;
        row->pause_count += pauses;
    }
    row->pause_of = (uint16_t)s.parts;
    row->pause_us = row->pause_count > 0 ? w->now_us + pause_us : 0;
    system_note(w, system, NO_PART, REASON_SYSTEMS_REBALANCE, row->pause_count, row->pause_of,
                pause_us);
}

struct reader_info world_system_reader(const struct world *w, enum system_id id)
{
    struct reader_info info = {0};
    if (!world_system_on(w, id) || !system_is_stream((uint8_t)id)) {
        return info;
    }
    const struct system_row *row = system_in(w, (uint8_t)id);
    info.rate = rate_of(w, (uint8_t)id);
    info.members = id == SYSTEM_KAFKA ? row->members : info.rate > 0;
    memcpy(info.left, row->left, sizeof info.left);
    info.pause_us = row->pause_us > w->now_us ? row->pause_us : 0;
    info.paused = row->pause_count;
    info.of = row->pause_of;
    return info;
}

/* --- invariants, identity --- */

static bool stream_holds(const struct world *w, uint8_t system, struct err *err)
{
    const struct system_row *row = system_in(w, system);
    uint64_t unread = 0;
    uint64_t of_keys = 0;
    uint64_t disorder = 0;
    for (uint16_t i = 0; i < row->parts_used; i++) {
        const struct part_row *p = part_in_system(w, system, i);
        if (p->read > p->records || unread_in(p) > SYSTEM_UNREAD) {
            return err_set(err, "stream-ring: part %u has %" PRIu64 " records and %" PRIu64 " read",
                           p->number, p->records, p->read);
        }
        unread += unread_in(p);
    }
    for (uint32_t k = 0; k < SYSTEM_KEYS_MAX; k++) {
        const struct stream_key *key = &stream_in(w, system)->key[k];
        disorder += row->key[k].disorder;
        for (uint32_t turn = 0; turn < key->turns; turn++) {
            of_keys += key->unread[turn];
        }
    }
    if (of_keys > unread || disorder != row->disorder || row->disorder > row->read) {
        return err_set(err,
                       "stream-order: %" PRIu64 " unread records, %" PRIu64
                       " of them by key; %" PRIu64 " out of order, %" PRIu64 " by key",
                       unread, of_keys, row->disorder, disorder);
    }
    if (row->read + row->skipped + unread != row->sum.ok[WORK_WRITE]) {
        return err_set(err, "stream-all: %" PRIu64 " records were taken, %" PRIu64 " are there",
                       row->sum.ok[WORK_WRITE], row->read + row->skipped + unread);
    }
    return true;
}

bool system_streams_hold(const struct world *w, struct err *err)
{
    return (!system_in(w, SYSTEM_KINESIS)->on || stream_holds(w, SYSTEM_KINESIS, err)) &&
           (!system_in(w, SYSTEM_KAFKA)->on || stream_holds(w, SYSTEM_KAFKA, err));
}

static void feed_stream(struct digest *d, const struct world *w, uint8_t system)
{
    const struct stream_row *stream = stream_in(w, system);
    for (uint16_t i = 0; i < system_in(w, system)->parts_used; i++) {
        const struct part_row *p = part_in_system(w, system, i);
        for (uint64_t at = p->read; at < p->records; at++) {
            digest_u64(d, system_ring_in(w, p)->record[at % SYSTEM_UNREAD]);
        }
    }
    for (uint32_t k = 0; k < SYSTEM_KEYS_MAX; k++) {
        const struct stream_key *key = &stream->key[k];
        digest_u64(d, key->turns);
        for (uint32_t turn = 0; turn < key->turns; turn++) {
            DIGEST_FEED(d, key->part[turn], key->unread[turn]);
        }
    }
}

void system_streams_feed(struct digest *d, const struct world *w)
{
    for (uint8_t system = SYSTEM_KINESIS; system <= SYSTEM_KAFKA; system++) {
        if (system_in(w, system)->on) {
            feed_stream(d, w, system);
        }
    }
}
