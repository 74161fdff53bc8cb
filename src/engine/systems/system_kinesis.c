/*
 * system_kinesis: a stream of Kinesis, in provisioned mode, as a model.
 *
 * What is documented (AWS, Amazon Kinesis Data Streams, Developer Guide: "Terminology and
 * concepts", "Quotas and limits", "Resharding a stream", "Change the data retention period"; API
 * reference: PutRecord, SplitShard, MergeShards, UpdateShardCount, GetRecords):
 *
 *   A record goes to the shard whose range holds the MD5 of its partition key. A shard takes 1,000
 * records or 1 MB a second, and gives 2 MB a second in five calls. SplitShard closes a shard and
 * opens two children, at a hash key of one's choice; MergeShards closes two neighbours and opens
 * one child. A closed shard can be read until its records are past retention, 24 hours unless set
 * longer; then it is expired. UpdateShardCount reaches at most double and at least half the open
 * shards, ten times in a rolling 24 hours, by splits and merges to even ranges. A stream in
 * provisioned mode never does any of this by itself. Records are stored in three zones before the
 * producer is told.
 *
 * What is ours: a machine here is a zone; one of the three serves a shard, and another does a
 * second after that zone is gone. A split or merge takes no time. Of a shard's unread records the
 * last SYSTEM_UNREAD are kept.
 *
 * Packing: a producer gathers `pack` likes in one record, whose partition key is the packet's own.
 *
 * row->own: see enum kinesis_own. part->volume: kilobytes, so that a shard's megabyte is 1,000.
 */
#include "base/check.h"
#include "engine/systems/systems_inside.h"
#include <string.h>

#define SHARD_RECORDS 1000 /* a second */
#define SHARD_KILOBYTES 1000
#define BYTES_PER_KILOBYTE 1000
#define RETENTION_US (24 * INT64_C(3600) * US_PER_SECOND)
#define CALLS_MAX 10u /* UpdateShardCount, in RETENTION_US too */
#define PACK_MAX 500
#define TELL_AFTER_S 2 /* the first second that it turned away may not be whole */
#define READER_MAX 100000

enum kinesis_own {
    OWN_LIKES,   /* in the packet that is being filled */
    OWN_BYTES,   /* of it */
    OWN_PACKETS, /* sent so far */
    OWN_CALLS    /* to the last: when the last ten calls were, two to a number */
};

static const char *const orders[] = {"parents", "any"};
static const struct system_setting_info settings[] = {
    {.name = "pack",
     .about = "likes that a producer packs into one record; beyond 1 its partition key is the "
              "packet's",
     .least = 1,
     .most = PACK_MAX,
     .initial = 1},
    {.name = "reader",
     .about = "records a second that the reader of a shard reads; 0: nobody reads",
     .most = READER_MAX},
    {.name = "order",
     .about = "what is read first: a child after its parents, or any shard at any time",
     .choices = orders,
     .count = 2},
    {.name = NULL},
};

static const char *const documented[] = {
    "A record goes to the shard whose range holds the MD5 of its partition key, a number of 128 "
    "bits.",
    "A shard takes 1,000 records or 1 MB a second, whichever is reached first.",
    "A shard gives 2 MB a second in at most five calls (GetRecords), shared by all who read it.",
    "A split closes the parent, and two children take the new records; a merge closes two "
    "neighbours, and one child does.",
    "What is in a closed shard can be read until it is past the retention: 24 hours, unless set "
    "longer. Then the shard is expired.",
    "To keep each key's order, a reader finishes the parent before it begins a child.",
    "One UpdateShardCount reaches at most double and at least half the open shards, and by default "
    "there are ten calls in 24 hours.",
    "In provisioned mode the stream has the shards that one asks for: none is split by itself.",
    "A record is stored in three zones before its producer is told.",
    NULL};
static const char *const leaves_out[] = {
    "On-demand mode, in which the service chooses how many shards there are.",
    "Readers with a throughput of their own (enhanced fan-out).",
    "One call may give up to 10 MB, and the ones after it wait for that; here each of the five "
    "gives "
    "a fifth of 2 MB.",
    "A split or merge takes a while, and one follows another; here it is done at once.",
    "No more than the last 4,096 unread records of a shard are kept, whatever the retention.",
    "A packet holds likes of many posts and counts as one record of none: the order of posts in "
    "packets is not counted.",
    "Which zone serves a shard, and how long it takes until another does, is not documented; the "
    "model takes one second.",
    NULL};
static const struct system_words words = {
    .name = "kinesis",
    .title = "Kinesis",
    .part = "shard",
    .parts = "shards",
    .machine = "zone",
    .machines = "zones",
    .throttled = "ProvisionedThroughputExceededException",
    .placement = "MD5 of the key, in ranges",
    .splits = "by hand: SplitShard, MergeShards, UpdateShardCount",
    .moves = "a shard does not move; its children take the new records",
    .order = "records of one shard; across a split only if the parent is read first",
    .survives = "the loss of a zone: three have the record",
    .grows = "ask for more shards",
    .documented = documented,
    .leaves_out = leaves_out,
    .counted = "records or KB",
    .stream = true,
};

static uint32_t free_places(const struct world *w)
{
    uint32_t used = 0;
    for (uint16_t i = 0; i < system_in(w, SYSTEM_KINESIS)->parts_used; i++) {
        uint8_t state = part_in_system(w, SYSTEM_KINESIS, i)->state;
        used += state != PART_FREE && state != PART_EXPIRED;
    }
    return SYSTEM_PARTS_FEW - used;
}

/* --- records --- */

static bool kinesis_prepare(struct world *w, struct system_ask *ask)
{
    uint64_t *own = system_of(w, SYSTEM_KINESIS)->own;
    uint32_t pack = system_in(w, SYSTEM_KINESIS)->setting[KINESIS_PACK];
    if (pack == 1) {
        return true;
    }
    own[OWN_LIKES]++;
    own[OWN_BYTES] += ask->bytes;
    if (own[OWN_LIKES] < pack) {
        return false;
    }
    ask->key = KEY_OTHER;
    ask->text = (struct bytes){.at = NULL, .length = 0};
    ask->sort = ++own[OWN_PACKETS];
    ask->bytes = (uint32_t)own[OWN_BYTES];
    own[OWN_LIKES] = 0;
    own[OWN_BYTES] = 0;
    return true;
}

/* A key's MD5; of a packet, which has no key of anybody's, that of its number. */
static struct u128 kinesis_position(const struct world *w, struct bytes key, uint64_t sort)
{
    char number[sizeof sort];
    (void)w;
    if (key.length > 0) {
        return kinesis_hash_key(key);
    }
    for (size_t i = 0; i < sizeof number; i++) {
        number[i] = (char)(uint8_t)(sort >> 8 * i);
    }
    return kinesis_hash_key((struct bytes){.at = number, .length = sizeof number});
}

/* Both limits hold: whichever is reached first. A record may be larger than what a bucket holds;
 * then the next ones wait for it. */
static enum system_verdict kinesis_admit(struct world *w, struct system_ask *ask)
{
    struct bucket *volume = &part_of_system(w, SYSTEM_KINESIS, ask->part)->volume;
    int64_t cost = (int64_t)ask->bytes * (TOKEN / BYTES_PER_KILOBYTE);
    if (volume->ceiling == 0) {
        bucket_set(volume, w->now_us, SHARD_KILOBYTES);
    }
    bucket_fill(volume, w->now_us);
    int64_t depth = bucket_depth(volume->ceiling);
    if (volume->level < (cost < depth ? cost : depth)) {
        return VERDICT_THROTTLED;
    }
    enum system_verdict verdict = system_admit(w, ask);
    volume->level -= verdict == VERDICT_OK ? cost : 0;
    return verdict;
}

/* A shard that turns away records stays as it is until somebody splits it. */
static void kinesis_second(struct world *w, uint8_t system)
{
    for (uint16_t i = 0; i < system_in(w, system)->parts_used; i++) {
        struct part_row *p = part_of_system(w, system, i);
        bool hot = p->state == PART_OPEN && p->second.throttled > 0;
        p->hot_s = hot ? p->hot_s + 1 : 0;
        if (p->hot_s == TELL_AFTER_S) {
            system_note(w, system, i, REASON_SYSTEMS_NO_SPLIT, NO_SPLIT_HAND,
                        (int64_t)counts_asked(&p->second), p->key == KEY_OTHER ? 0 : p->key + 1);
        }
    }
}

/* --- lineage --- */

/* It is closed: nobody is turned away from it, and it does not keep up again either. */
static void expire_later(struct world *w, uint16_t part)
{
    struct part_row *p = part_of_system(w, SYSTEM_KINESIS, part);
    p->throttling = false;
    p->turned_away = 0;
    system_timer(w, SYSTEM_KINESIS, part, TIMER_OWN, w->now_us + RETENTION_US);
}

static void kinesis_timer(struct world *w, uint8_t system, uint16_t part, uint32_t what)
{
    if (what == TIMER_OWN && part_in_system(w, system, part)->state == PART_CLOSED) {
        system_part_expire(w, system, part);
    }
}

static bool has_room(const struct world *w, uint32_t shards, struct err *err)
{
    if (free_places(w) < shards) {
        return err_set(err,
                       "Kinesis: this makes %u shards, and the model has room for %u more; closed "
                       "shards count until they expire",
                       shards, free_places(w));
    }
    return true;
}

static void split_at(struct world *w, uint16_t part, struct u128 at, int64_t at_key)
{
    bool forked = system_part_fork(w, SYSTEM_KINESIS, part, at, REASON_SYSTEMS_SPLIT_HAND, at_key);
    CHECK(forked);
    expire_later(w, part);
}

static bool split_shard(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    uint16_t part;
    if (!system_part_named(w, system, c->count, &part, err)) {
        return false;
    }
    const struct part_row *p = part_in_system(w, system, part);
    struct u128 at = u128_halfway(p->first, p->last);
    if (c->key_length > 0) {
        at = kinesis_hash_key((struct bytes){.at = c->key, .length = c->key_length});
        if (u128_order(at, p->first) <= 0 || u128_order(at, p->last) > 0) {
            return err_set(err,
                           "Kinesis: shard %u cannot be cut at %.*s, whose hash key is not inside "
                           "its range; name a key of this shard, or none to cut in the middle",
                           p->number, c->key_length, c->key);
        }
    }
    if (!has_room(w, 2, err)) {
        return false;
    }
    split_at(w, part, at, c->key_length > 0);
    return true;
}

static bool merge_places(struct world *w, uint16_t a, uint16_t b, struct err *err)
{
    if (!system_part_merge(w, SYSTEM_KINESIS, a, b, err)) {
        return false;
    }
    expire_later(w, a);
    expire_later(w, b);
    return true;
}

static bool merge_shards(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    uint16_t a;
    uint16_t b;
    return system_part_named(w, system, c->count, &a, err) &&
           system_part_named(w, system, c->first, &b, err) && has_room(w, 1, err) &&
           merge_places(w, a, b, err);
}

/* --- UpdateShardCount --- */

static uint32_t call_at(const struct system_row *row, uint32_t call)
{
    return (uint32_t)(row->own[OWN_CALLS + call / 2] >> (call % 2 * 32));
}

/* The place of the oldest call, and how many there were in the last 24 hours. */
static uint32_t calls_before(const struct world *w, uint32_t *oldest)
{
    const struct system_row *row = system_in(w, SYSTEM_KINESIS);
    uint32_t calls = 0;
    *oldest = 0;
    for (uint32_t i = 0; i < CALLS_MAX; i++) {
        uint32_t at_s = call_at(row, i); /* a second more, so that 0 is none */
        calls += at_s != 0 && w->now_us - (int64_t)(at_s - 1) * US_PER_SECOND < RETENTION_US;
        *oldest = at_s < call_at(row, *oldest) ? i : *oldest;
    }
    return calls;
}

static void remember_call(struct world *w, uint32_t call)
{
    uint64_t *pair = &system_of(w, SYSTEM_KINESIS)->own[OWN_CALLS + call / 2];
    uint64_t at_s = (uint64_t)(w->now_us / US_PER_SECOND) + 1;
    uint32_t shift = call % 2 * 32;
    *pair = (*pair & ~((uint64_t)UINT32_MAX << shift)) | at_s << shift;
}

/* Where even ranges begin and no open shard does. */
static uint32_t cuts_needed(const struct world *w, const struct kinesis_range *even,
                            uint32_t shards)
{
    uint32_t cuts = 0;
    for (uint32_t i = 0; i < shards; i++) {
        uint16_t part = system_locate(w, SYSTEM_KINESIS, even[i].first);
        cuts += u128_order(part_in_system(w, SYSTEM_KINESIS, part)->first, even[i].first) != 0;
    }
    return cuts;
}

static void reshard(struct world *w, const struct kinesis_range *even, uint32_t shards)
{
    for (uint32_t i = 0; i < shards; i++) {
        uint16_t part = system_locate(w, SYSTEM_KINESIS, even[i].first);
        if (u128_order(part_in_system(w, SYSTEM_KINESIS, part)->first, even[i].first) != 0) {
            split_at(w, part, even[i].first, 0);
        }
    }
    for (uint32_t i = 0; i < shards; i++) {
        struct u128 end = i + 1 < shards ? u128_before(even[i + 1].first) : U128_LAST;
        for (;;) {
            uint16_t part = system_locate(w, SYSTEM_KINESIS, even[i].first);
            struct u128 last = part_in_system(w, SYSTEM_KINESIS, part)->last;
            if (u128_order(last, end) == 0) {
                break;
            }
            uint16_t next = system_locate(w, SYSTEM_KINESIS, u128_next(last));
            CHECK(merge_places(w, part, next, NULL));
        }
    }
}

static bool count_allowed(uint32_t open, uint32_t shards, uint32_t calls, struct err *err)
{
    if (shards == open) {
        return err_set(err, "Kinesis: the stream has %u open shards already", open);
    }
    if (shards > 2 * open || 2 * shards < open) {
        return err_set(err,
                       "Kinesis: one UpdateShardCount reaches at most double and at least half the "
                       "open shards: from %u to %u to %u; go on in a second call",
                       open, (open + 1) / 2, 2 * open);
    }
    if (calls >= CALLS_MAX) {
        return err_set(err,
                       "Kinesis: UpdateShardCount was called %u times in the last 24 hours, which "
                       "is all there is; use cut and join",
                       calls);
    }
    return true;
}

static bool update_shard_count(struct world *w, uint8_t system, const struct command *c,
                               struct err *err)
{
    struct kinesis_range even[SYSTEM_PARTS_FEW];
    uint32_t open = system_open_parts(w, SYSTEM_KINESIS);
    uint32_t oldest;
    (void)system;
    if (!count_allowed(open, c->count, calls_before(w, &oldest), err)) {
        return false;
    }
    if (c->count > SYSTEM_PARTS_FEW) {
        return has_room(w, c->count, err);
    }
    for (uint16_t i = 0; i < system_in(w, SYSTEM_KINESIS)->parts_used; i++) {
        if (part_in_system(w, SYSTEM_KINESIS, i)->state == PART_OPEN &&
            !system_part_served(w, SYSTEM_KINESIS, i, err)) {
            return false;
        }
    }
    kinesis_deal(even, c->count);
    uint32_t cuts = cuts_needed(w, even, c->count);
    if (!has_room(w, 2 * cuts + (open + cuts - c->count), err)) {
        return false;
    }
    reshard(w, even, c->count);
    remember_call(w, oldest);
    return true;
}

/* What the reader does from now on is told anew. */
static void kinesis_changed(struct world *w, uint8_t system, uint32_t setting, uint32_t before)
{
    (void)before;
    if (setting == KINESIS_ORDER) {
        system_of(w, system)->order_told = false;
    }
}

const struct system_kind system_kinesis = {
    .words = &words,
    .settings = settings,
    .copies = 3,
    .acks = 3,
    .part_limit = true,
    .limit = {[WORK_WRITE] = SHARD_RECORDS},
    .lag_us = US_PER_MS,
    .failover_us = US_PER_SECOND,
    .parts = 4,
    .machines = 3,
    .prepare = kinesis_prepare,
    .position = kinesis_position,
    .start = system_parts_deal,
    .admit = kinesis_admit,
    .second = kinesis_second,
    .timer = kinesis_timer,
    .changed = kinesis_changed,
    .verb =
        {
            [SYSTEM_VERB_PARTS] = update_shard_count,
            [SYSTEM_VERB_CUT] = split_shard,
            [SYSTEM_VERB_JOIN] = merge_shards,
            [SYSTEM_VERB_DOWN] = system_verb_down,
            [SYSTEM_VERB_UP] = system_verb_up,
            [SYSTEM_VERB_SET] = system_verb_set,
        },
    .refuses =
        {
            [SYSTEM_VERB_GROW] = "Kinesis has no machines to add; ask for more shards",
            [SYSTEM_VERB_MOVE] = "where a shard of Kinesis is kept, nobody outside chooses",
            [SYSTEM_VERB_BALANCE] = "Kinesis spreads shards over its machines unseen; what can be "
                                    "asked for is shards",
        },
};
