/*
 * writes_gather: a read of a count, which is in several sub-keys and maybe on several shards.
 *
 * One request for each slot that holds some of them; that of the count's own slot asks for the
 * plain key, the routers' and the correction at once. Which parts of the count are read is settled
 * when the read begins, and travels along: parts that are frozen at that time come in as numbers.
 *
 * A part is a request of the router's own (ORIGIN_PART): link names the whole; which, the whole's
 * turn and the parts of the count. Of the whole, link counts the parts that are out. A part that
 * fails makes the whole fail, and what comes after is too late.
 */
#include "engine/writes/writes_inside.h"

#define READS_FIX (1u << COUNT_PARTS)

struct slots {
    uint32_t key[SALTS_MAX + 1]; /* one for each slot */
    uint32_t count;
};

static void ask_slot(const struct world *w, struct slots *slots, uint32_t key)
{
    for (uint32_t i = 0; i < slots->count; i++) {
        if (slot_of_key(w, slots->key[i]) == slot_of_key(w, key)) {
            return;
        }
    }
    slots->key[slots->count++] = key;
}

/* The parts of a count that are to be read, a bit each. */
static uint32_t parts_to_read(const struct hot_write *row)
{
    uint32_t parts = row->fixes > 0 ? READS_FIX : 0;
    for (uint32_t i = 0; i < COUNT_PARTS; i++) {
        parts |= row->live[i] ? 1u << i : 0;
    }
    return parts;
}

static uint64_t not_read(const struct hot_write *row, uint32_t parts)
{
    uint64_t sum = row->past;
    for (uint32_t i = 0; i < COUNT_PARTS; i++) {
        sum += (parts >> i & 1) == 0 ? row->frozen[i] : 0;
    }
    return sum;
}

static void ask_parts(struct world *w, uint32_t whole, const struct slots *slots, uint32_t parts)
{
    struct request *r = requests_of(w) + whole;
    r->turn = (r->turn + 1) & 15;
    r->value = 0;
    r->many = 0;
    r->link = slots->count;
    uint8_t turn = r->turn;
    r->flying++; /* the first part may fail at once, and the whole with it */
    for (uint32_t i = 0; i < slots->count && r->turn == turn && !r->ended; i++) {
        uint32_t index = router_own(w, r->router, OP_READ, slots->key[i], ORIGIN_PART);
        if (index == NO_INDEX) {
            return; /* the world has stopped */
        }
        struct request *part = requests_of(w) + index;
        part->many = 1;
        part->link = whole;
        part->which = (uint8_t)(turn | parts << 4);
        r->flying++;
        router_route(w, index);
    }
    r->flying--;
    request_settle(w, whole);
}

void writes_read(struct world *w, uint32_t request)
{
    struct request *r = requests_of(w) + request;
    const struct hot_write *row = hot_write_in_key(w, r->key);
    r->strong = 0;
    if (r->key != row->key) { /* one sub-key, asked for by its name */
        router_route(w, request);
        return;
    }
    struct slots slots = {.count = 0};
    uint32_t parts = parts_to_read(row);
    if ((parts & ~(1u << PART_SALTS)) != 0) {
        ask_slot(w, &slots, row->key);
    }
    for (uint32_t i = 0; i < row->most && row->live[PART_SALTS]; i++) {
        ask_slot(w, &slots, row->salt[i]);
    }
    CHECK(slots.count > 0);
    if (slots.count == 1) {
        r->many = 1;
        r->slot = slot_of_key(w, slots.key[0]);
        r->link = parts;
        router_route(w, request);
        return;
    }
    struct trace_record *t =
        writes_note(w, WRITES_SPLIT_READ, node_of(NODE_ROUTER, r->router), r->key);
    t->request = r->number;
    t->op = r->op;
    writes_operands(t, slots.count, 0, not_read(row, parts));
    ask_parts(w, request, &slots, parts);
}

static uint32_t parts_of(const struct request *r)
{
    return r->origin == ORIGIN_PART ? (uint32_t)r->which >> 4 : r->link;
}

/* What a shard holds in this slot of these parts; adds how many keys that were. */
static uint64_t sum_of_slot(const struct world *w, uint16_t shard, const struct hot_write *row,
                            uint16_t slot, uint32_t parts, uint32_t *keys)
{
    uint64_t sum = 0;
    if (slot == slot_of_key(w, row->key)) {
        if ((parts >> PART_PLAIN & 1) != 0) {
            sum += store_value(w, shard, row->key);
            *keys += 1;
        }
        if ((parts >> PART_ROUTERS & 1) != 0) {
            sum += sum_of_routers(w, shard, row, keys);
        }
        if ((parts & READS_FIX) != 0) {
            sum += store_value(w, shard, row->fix);
            *keys += 1;
        }
    }
    for (uint32_t i = 0; (parts >> PART_SALTS & 1) != 0 && i < row->most; i++) {
        if (slot_of_key(w, row->salt[i]) == slot) {
            sum += store_value(w, shard, row->salt[i]);
            *keys += 1;
        }
    }
    return sum;
}

uint64_t writes_sum(struct world *w, uint16_t shard, const struct request *r, uint32_t *keys)
{
    struct hot_write *row = hot_write_of_key(w, r->key);
    if (r->origin == ORIGIN_FLUSH) {
        return restart_held(w, shard, (uint32_t)(r - requests_in(w)));
    }
    if (r->origin == ORIGIN_JOB) {
        return rebuild_sum(w, shard, row, keys);
    }
    uint32_t parts = parts_of(r);
    *keys = 0;
    uint64_t sum = sum_of_slot(w, shard, row, r->slot, parts, keys);
    return sum + (r->origin == ORIGIN_PART ? 0 : not_read(row, parts));
}

bool writes_beside(const struct world *w, uint16_t shard, uint32_t count, uint64_t *sum,
                   uint32_t *keys)
{
    const struct key_entry *entry = keys_in(w) + count;
    if (entry->writes == 0) {
        *sum = store_value(w, shard, count);
        *keys = 1;
        return entry->account == 0;
    }
    const struct hot_write *row = hot_write_in_key(w, count);
    uint32_t parts = parts_to_read(row);
    *keys = 0;
    *sum = sum_of_slot(w, shard, row, entry->slot, parts, keys) + not_read(row, parts);
    for (uint32_t i = 0; row->live[PART_SALTS] && i < row->most; i++) {
        if (slot_of_key(w, row->salt[i]) != entry->slot) {
            return false;
        }
    }
    return slot_of_key(w, row->key) == entry->slot;
}

/* The whole is told of nothing but its last part, or its first that failed. */
static void join(struct world *w, const struct request *part, enum outcome outcome, uint64_t value)
{
    struct request *whole = requests_of(w) + part->link;
    whole->flying--;
    if (whole->ended || whole->turn != (part->which & 15)) {
        request_settle(w, part->link);
        return;
    }
    if (outcome != OUTCOME_OK) {
        router_done(w, part->link, outcome, 0, (enum reason)WRITES_PART_FAILED);
        return;
    }
    whole->value += value;
    if (--whole->link == 0) {
        const struct hot_write *row = hot_write_in_key(w, part->key);
        router_done(w, part->link, OUTCOME_OK, whole->value + not_read(row, parts_of(part)),
                    (enum reason)WRITES_SUMMED_UP);
    }
}

void gather_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value)
{
    join(w, requests_in(w) + request, outcome, value);
    request_end(w, request);
}

void gather_crash(struct world *w, uint32_t request)
{
    uint32_t whole = requests_in(w)[request].link;
    requests_of(w)[whole].flying--;
    request_settle(w, whole);
    request_end(w, request);
}
