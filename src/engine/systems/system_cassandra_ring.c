/*
 * system_cassandra_ring: tokens, the ranges between them and their replicas, and how a node joins.
 *
 * What is documented and what is ours: see system_cassandra.c. A node that joins draws its tokens
 * at once; the lower part of each range that one of them cuts is a part that is being copied, until
 * all that the node will be a replica of has been streamed; then the whole ring changes.
 */
#include "engine/systems/system_cassandra.h"

#define TOKENS 16u

/* --- the ring --- */

/* A token's range ends with it. */
static struct u128 end_of(uint64_t token)
{
    return u128_of(token, UINT64_MAX);
}

struct ring {
    uint32_t count;
    uint16_t place[SYSTEM_PARTS_MAX]; /* clockwise */
};

/* The open ranges, or also those that a node is getting. */
static struct ring ring_of(const struct world *w, uint8_t system, bool joined)
{
    struct ring ring = {0};
    const struct system_row *row = system_in(w, system);
    for (uint16_t i = 0; i < row->parts_used; i++) {
        const struct part_row *part = part_in_system(w, system, i);
        if (part->state != PART_OPEN && !(joined && part->state == PART_COPYING)) {
            continue;
        }
        uint32_t at = ring.count++;
        while (at > 0 &&
               u128_order(part_in_system(w, system, ring.place[at - 1])->last, part->last) > 0) {
            ring.place[at] = ring.place[at - 1];
            at--;
        }
        ring.place[at] = i;
    }
    return ring;
}

/* Its node, and the next other ones clockwise. */
static uint8_t replicas(const struct world *w, uint8_t system, const struct ring *ring, uint32_t at,
                        uint8_t out[SYSTEM_COPIES])
{
    uint8_t copies = 0;
    for (uint32_t step = 0; step < ring->count && copies < SYSTEM_COPIES; step++) {
        uint16_t place = ring->place[(at + step) % ring->count];
        uint8_t node = part_in_system(w, system, place)->machine[0];
        bool new = true;
        for (uint8_t i = 0; i < copies; i++) {
            new = new &&out[i] != node;
        }
        if (new) {
            out[copies++] = node;
        }
    }
    return copies;
}

static void place_copies(struct world *w, uint8_t system)
{
    struct ring ring = ring_of(w, system, false);
    for (uint32_t at = 0; at < ring.count; at++) {
        struct part_row *part = part_of_system(w, system, ring.place[at]);
        uint8_t out[SYSTEM_COPIES];
        part->copies = replicas(w, system, &ring, at, out);
        for (uint8_t i = 0; i < SYSTEM_COPIES; i++) {
            part->machine[i] = i < part->copies ? out[i] : MACHINE_NONE;
        }
    }
}

/* So many tokens, none of which is there already, sorted. */
static void draw(struct world *w, uint8_t system, uint64_t *token, uint32_t count)
{
    struct system_row *row = system_of(w, system);
    for (uint32_t i = 0; i < count;) {
        uint64_t drawn = prng_next(&row->prng);
        uint32_t at = i;
        bool there = drawn == 0; /* the least token is of no key */
        for (uint32_t j = 0; j < i; j++) {
            there = there || token[j] == drawn;
        }
        for (uint16_t j = 0; j < row->parts_used; j++) {
            there = there || part_in_system(w, system, j)->last.high == drawn;
        }
        if (there) {
            continue;
        }
        for (; at > 0 && token[at - 1] > drawn; at--) {
            token[at] = token[at - 1];
        }
        token[at] = drawn;
        i++;
    }
}

/* The owners of the sorted tokens: each has as many, in no order. */
static void deal(struct prng *prng, uint8_t *owner, uint32_t nodes, uint32_t tokens)
{
    for (uint32_t i = 0; i < nodes * tokens; i++) {
        owner[i] = (uint8_t)(i / tokens);
    }
    for (uint32_t i = nodes * tokens; i > 1; i--) {
        uint32_t other = (uint32_t)prng_below(prng, i);
        uint8_t one = owner[i - 1];
        owner[i - 1] = owner[other];
        owner[other] = one;
    }
}

void cassandra_start(struct world *w, uint8_t system, uint32_t parts)
{
    struct system_row *row = system_of(w, system);
    uint32_t nodes = row->machines;
    uint32_t tokens = parts / nodes > 0 ? parts / nodes : 1;
    uint64_t token[SYSTEM_PARTS_MAX];
    uint8_t owner[SYSTEM_PARTS_MAX];
    tokens = tokens < TOKENS ? tokens : TOKENS;
    tokens = tokens * nodes <= SYSTEM_PARTS_MAX ? tokens : SYSTEM_PARTS_MAX / nodes;
    row->own[CASSANDRA_TOKENS] = tokens;
    draw(w, system, token, tokens * nodes);
    deal(&row->prng, owner, nodes, tokens);
    uint64_t turn = UINT64_MAX - token[tokens * nodes - 1];
    struct u128 first = u128_of(0, 0);
    for (uint32_t i = 0; i < tokens * nodes; i++) {
        struct u128 last = end_of(token[i] + turn);
        (void)system_part_new(w, system, first, last, owner[i]);
        first = u128_next(last);
    }
    place_copies(w, system);
}

/* --- a node joins --- */

/* How many of the bytes of a range lie in a part of it, if they lie evenly. */
static uint64_t share_of(uint64_t bytes, const struct part_row *part, const struct part_row *of)
{
    uint64_t some = (part->last.high - part->first.high) >> 32;
    uint64_t all = (of->last.high - of->first.high) >> 32;
    uint64_t whole = bytes / (all + 1);
    return whole * some + bytes % (all + 1) * some / (all + 1);
}

/* The open range that a token falls into. */
static uint16_t range_of(const struct world *w, uint8_t system, struct u128 at)
{
    const struct system_row *row = system_in(w, system);
    for (uint16_t i = 0; i < row->parts_used; i++) {
        const struct part_row *part = part_in_system(w, system, i);
        if (part->state == PART_OPEN && u128_order(part->first, at) <= 0 &&
            u128_order(at, part->last) <= 0) {
            return i;
        }
    }
    CHECK(false && "open ranges cover the ring");
    return NO_PART;
}

/* What of it will be left when those that are cut out of it are ranges of their own. */
static uint64_t bytes_left(const struct world *w, uint8_t system, const struct part_row *range)
{
    const struct system_row *row = system_in(w, system);
    uint64_t bytes = range->bytes;
    for (uint16_t i = 0; range->state == PART_OPEN && i < row->parts_used; i++) {
        const struct part_row *part = part_in_system(w, system, i);
        if (part->state == PART_COPYING && part->parent[0] == range->number) {
            bytes -= part->bytes < bytes ? part->bytes : bytes;
        }
    }
    return bytes;
}

/* What a node streams: all ranges of which it will be a replica. */
static uint64_t bytes_for(const struct world *w, uint8_t system, uint8_t node)
{
    struct ring ring = ring_of(w, system, true);
    uint64_t bytes = 0;
    for (uint32_t at = 0; at < ring.count; at++) {
        uint8_t out[SYSTEM_COPIES];
        const struct part_row *part = part_in_system(w, system, ring.place[at]);
        uint8_t copies = replicas(w, system, &ring, at, out);
        for (uint8_t i = 0; i < copies; i++) {
            bytes += out[i] == node ? bytes_left(w, system, part) : 0;
        }
    }
    return bytes;
}

/* Its tokens cut the ranges into which they fall; it gets the lower part of each. */
static void cut_ranges(struct world *w, uint8_t system, uint8_t node, const uint64_t *token,
                       uint32_t tokens)
{
    struct u128 first = u128_of(0, 0); /* behind the token before */
    for (uint32_t i = 0; i < tokens; i++) {
        struct u128 last = end_of(token[i]);
        uint16_t from = range_of(w, system, last);
        const struct part_row *range = part_in_system(w, system, from);
        if (u128_order(range->first, first) > 0) {
            first = range->first;
        }
        uint16_t place = system_part_new(w, system, first, last, node);
        CHECK(place != NO_PART);
        struct part_row *part = part_of_system(w, system, place);
        part->state = PART_COPYING;
        part->copies = 1;
        part->target = node;
        part->parent[0] = range->number;
        part->bytes = share_of(range->bytes, part, range);
        first = u128_next(last);
    }
}

static bool may_join(const struct world *w, uint8_t system, struct err *err)
{
    const struct system_row *row = system_in(w, system);
    if (row->own[CASSANDRA_JOINING] != 0) {
        return err_set(err, "node %d is joining; Cassandra lets one join at a time: wait for it",
                       (int)row->own[CASSANDRA_JOINING] - 1);
    }
    for (uint8_t m = 0; m < row->machines; m++) {
        if (row->machine[m].down) {
            return err_set(err,
                           "node %d is down, and a node that joins streams from it; bring it "
                           "back first",
                           m);
        }
    }
    if (row->machines == SYSTEM_MACHINES_MAX ||
        row->parts_used + row->own[CASSANDRA_TOKENS] > SYSTEM_PARTS_MAX) {
        return err_set(err,
                       "there is no room for another node: the model has %d token ranges at "
                       "most, of %d nodes at most",
                       SYSTEM_PARTS_MAX, SYSTEM_MACHINES_MAX);
    }
    return true;
}

bool cassandra_grow(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    (void)c;
    struct system_row *row = system_of(w, system);
    if (!may_join(w, system, err)) {
        return false;
    }
    uint32_t tokens = (uint32_t)row->own[CASSANDRA_TOKENS];
    uint16_t first = row->parts_used;
    uint64_t token[TOKENS];
    uint8_t node = system_machine_new(w, system);
    draw(w, system, token, tokens);
    cut_ranges(w, system, node, token, tokens);
    uint64_t bytes = bytes_for(w, system, node);
    int64_t ready = w->now_us + system_copy_us(bytes, system_cassandra.move_bytes);
    for (uint16_t i = first; i < row->parts_used; i++) {
        part_of_system(w, system, i)->ready_us = ready;
    }
    row->machine[node].busy_us = ready;
    row->own[CASSANDRA_JOINING] = node + 1u;
    system_note(w, system, first, REASON_SYSTEMS_GROWN, node, tokens, 0);
    system_timer(w, system, first, TIMER_OWN, ready);
    return true;
}

/* All is there: its ranges are its own. */
void cassandra_join(struct world *w, uint8_t system)
{
    struct system_row *row = system_of(w, system);
    uint8_t node = (uint8_t)(row->own[CASSANDRA_JOINING] - 1);
    for (uint16_t i = 0; i < row->parts_used; i++) {
        struct part_row *part = part_of_system(w, system, i);
        if (part->state != PART_COPYING) {
            continue;
        }
        struct part_row *range = part_of_system(w, system, range_of(w, system, part->last));
        part->first = range->first;
        part->bytes = share_of(range->bytes, part, range);
        range->bytes -= part->bytes;
        range->first = u128_next(part->last);
        part->state = PART_OPEN;
        part->target = MACHINE_NONE;
        part->ready_us = 0;
        row->moved++;
        system_note(w, system, i, REASON_SYSTEMS_MOVED, range->machine[0], node,
                    w->now_us - row->machine[node].joined_us);
    }
    row->own[CASSANDRA_JOINING] = 0;
    place_copies(w, system);
    row->moved_bytes += bytes_for(w, system, node);
}
