/*
 * reads_apply: the commands `reads` and `replicas`.
 */
#include "engine/reads/reads_inside.h"

#include "engine/apply.h"
#include "engine/bucket.h"
#include "engine/store.h"

static struct bytes key_of(const struct command *c)
{
    return (struct bytes){.at = c->key, .length = c->key_length};
}

/* The count beside it. */
static struct bytes count_of(const struct command *c)
{
    return (struct bytes){.at = c->other, .length = c->other_length};
}

/* The row of this key, else a free one; NO_INDEX: none is free. */
static uint32_t find_row(const struct world *w, uint32_t key)
{
    if (key != NO_INDEX && keys_in(w)[key].reads != 0) {
        return keys_in(w)[key].reads - 1u;
    }
    for (uint32_t i = 0; i < w->config.hot_max; i++) {
        if (hot_reads_in(w)[i].mode == READS_PLAIN) {
            return i;
        }
    }
    return NO_INDEX;
}

static bool bounds_fit(const struct command *c, struct err *err)
{
    if (c->mode == READS_EDGE && (c->period_us < 1 || c->period_us > WORLD_TIME_MAX)) {
        return err_set(err, "an edge keeps an answer for some time; give a TTL above 0 ms");
    }
    if (c->mode == READS_CACHED &&
        (c->period_us < 1 || c->bound_us < c->period_us || c->bound_us > WORLD_TIME_MAX)) {
        return err_set(err, "an entry is fresh for a while and then stale; give a fresh bound "
                            "above 0 ms and a stale bound that is no less");
    }
    return true;
}

/* How many keys a command needs that the world has not met. */
static bool keys_fit(const struct world *w, const struct command *c, struct err *err)
{
    uint32_t wanted = store_find_key(w, key_of(c)) == NO_INDEX;
    wanted += c->other_length > 0 && store_find_key(w, count_of(c)) == NO_INDEX;
    uint32_t copies = c->mode == READS_COPIES ? c->count : 0;
    for (uint32_t i = 1; i <= copies; i++) {
        char name[KEY_BYTES_MAX];
        uint8_t length = copies_name(c->key, c->key_length, i, name);
        if (length == 0) {
            return err_set(err,
                           "the names of the copies would have more than %d bytes; use a "
                           "shorter key",
                           KEY_BYTES_MAX);
        }
        wanted += store_find_key(w, (struct bytes){.at = name, .length = length}) == NO_INDEX;
    }
    if (w->config.keys_max - w->keys < wanted) {
        return err_set(err, "this world has room for %u keys and has met %u; %u more are needed",
                       w->config.keys_max, w->keys, wanted);
    }
    return true;
}

static bool copies_fit(const struct world *w, const struct command *c, uint32_t key,
                       struct err *err)
{
    if (c->mode != READS_COPIES) {
        return true;
    }
    if (c->count < 2 || c->count > READS_COPIES_MAX) {
        return err_set(err, "a value can have 2 to %d copies", READS_COPIES_MAX);
    }
    if (key != NO_INDEX &&
        (keys_in(w)[key].writes != 0 || store_value(w, owners_in(w)[keys_in(w)[key].slot], key))) {
        return err_set(err, "this key is a counter, and each like would have to change all copies; "
                            "copies are for what is edited now and then");
    }
    return true;
}

/* What a fetch reads beside its key: one request can read several keys of one slot alone. */
static bool beside_fits(const struct world *w, const struct command *c, uint32_t key,
                        struct err *err)
{
    if (c->other_length == 0) {
        return true;
    }
    if (c->mode != READS_CACHED || c->other_length > KEY_BYTES_MAX) {
        return err_set(err,
                       "a micro-cache alone reads a count along with its key, of 1 to %d "
                       "bytes; write it: reads KEY cached with COUNT",
                       KEY_BYTES_MAX);
    }
    if (bytes_equal(key_of(c), count_of(c)) || (key != NO_INDEX && keys_in(w)[key].writes != 0)) {
        return err_set(err, "this key is a count itself, and a read of it reads all its sub-keys; "
                            "leave \"with\" out");
    }
    if (!store_same_slot(w, key_of(c), count_of(c))) {
        return err_set(err,
                       "the two keys are in slots %u and %u, and one request can read keys of "
                       "one slot alone; give both the same {tag}",
                       store_slot_of(w, key_of(c)), store_slot_of(w, count_of(c)));
    }
    uint32_t count = store_find_key(w, count_of(c));
    if (count != NO_INDEX && keys_in(w)[count].account != 0) {
        return err_set(err, "%.*s is an account or a budget, and no count", (int)c->other_length,
                       c->other);
    }
    return true;
}

static bool treatment_fits(const struct world *w, const struct command *c, struct err *err)
{
    if (c->key_length < 1 || c->key_length > KEY_BYTES_MAX) {
        return err_set(err, "a key has 1 to %d bytes", KEY_BYTES_MAX);
    }
    uint32_t key = store_find_key(w, key_of(c));
    bool treated = key != NO_INDEX && keys_in(w)[key].reads != 0;
    if (c->mode > READS_FORGET) {
        return err_set(err, "no treatment of number %u", c->mode);
    }
    if (c->mode == READS_PLAIN && !treated) {
        return err_set(err, "reads of this key are plain already");
    }
    if (c->mode == READS_FORGET) {
        uint8_t now = treated ? hot_reads_in(w)[find_row(w, key)].mode : READS_PLAIN;
        if (now != READS_CACHED && now != READS_EDGE) {
            return err_set(err, "nobody caches this key, so nothing can be forgotten; cache it "
                                "first: reads KEY cached");
        }
    }
    if (find_row(w, key) == NO_INDEX) {
        return err_set(err,
                       "this world has room for %u keys with a treatment of reads, all taken; "
                       "make the reads of one plain first",
                       w->config.hot_max);
    }
    return bounds_fit(c, err) && copies_fit(w, c, key, err) && beside_fits(w, c, key, err) &&
           keys_fit(w, c, err);
}

static void clear_spots(struct world *w, const struct hot_read *row)
{
    for (uint32_t place = 0; place < reads_places(w); place++) {
        reads_clear(w, reads_spot(w, row, place));
    }
}

static void set_row(struct world *w, const struct command *c, uint32_t at, uint32_t key)
{
    struct hot_read *row = hot_reads_of(w) + at;
    w->reads.count += (row->mode == READS_PLAIN) - (uint32_t)(c->mode == READS_PLAIN);
    *row = (struct hot_read){
        .key = key,
        .mode = c->mode,
        .by_key = c->mode == READS_COALESCED && c->pick != 0,
        .since_us = w->now_us,
        .fresh_us = c->period_us,
        .stale_us = c->mode == READS_EDGE ? c->period_us : c->bound_us,
        .beside = KEY_NONE_ID,
        .prng = prng_seeded(w->config.seed + key, "copies"),
    };
    for (uint32_t i = 0; c->mode == READS_COPIES && i < c->count; i++) {
        char name[KEY_BYTES_MAX];
        uint8_t length = copies_name(c->key, c->key_length, i + 1, name);
        row->copy[row->copies++] = store_intern(w, (struct bytes){.at = name, .length = length});
    }
    if (c->other_length > 0) {
        row->beside = store_intern(w, count_of(c));
    }
    keys_of(w)[key].reads = (uint8_t)(c->mode == READS_PLAIN ? 0 : at + 1);
    for (uint32_t place = 0; place < reads_places(w); place++) {
        *reads_spot(w, row, place) = (struct read_spot){0};
    }
    clear_spots(w, row);
}

static bool apply_treatment(struct world *w, const struct command *c, struct err *err)
{
    if (!treatment_fits(w, c, err)) {
        return false;
    }
    uint32_t key = store_intern(w, key_of(c));
    uint32_t at = find_row(w, key);
    apply_note(w, c, key, node_of(NODE_NONE, 0), c->mode | (c->pick != 0) << 8, c->period_us);
    struct trace_record *t = trace_of(w) + ((w->trace_next - 1) & (w->config.trace_max - 1));
    t->value = (uint64_t)(c->mode == READS_COPIES ? c->count : (uint64_t)c->bound_us);
    t->epoch = c->other_length > 0 ? store_intern(w, count_of(c)) + 1 : 0;
    if (c->mode == READS_FORGET) {
        clear_spots(w, hot_reads_of(w) + at);
    } else {
        set_row(w, c, at, key);
    }
    return true;
}

static bool apply_replicas(struct world *w, const struct command *c, struct err *err)
{
    if (!apply_shard_exists(w, c->shard, err)) {
        return false;
    }
    struct shard *s = shards_of(w) + c->shard;
    uint64_t ceiling = s->bucket[WORK_READ].ceiling / s->copies;
    if (c->count < 1 || c->count > READS_COPIES_MAX || ceiling * c->count > CEILING_MAX) {
        return err_set(err,
                       "1 to %d copies of a shard can answer reads, at most %u a second "
                       "together",
                       READS_COPIES_MAX, CEILING_MAX);
    }
    s->copies = (uint8_t)c->count;
    s->copy_turn = 0;
    bucket_set(&s->bucket[WORK_READ], w->now_us, (uint32_t)(ceiling * c->count));
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, c->shard), c->count,
               s->bucket[WORK_READ].ceiling);
    return true;
}

bool reads_apply(struct world *w, const struct command *c, struct err *err)
{
    return c->kind == COMMAND_REPLICAS ? apply_replicas(w, c, err) : apply_treatment(w, c, err);
}
