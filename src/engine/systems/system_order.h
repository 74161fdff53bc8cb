/*
 * system_order: what the systems share that keep keys in order (CockroachDB, HBase, MongoDB), and
 * how a hot part is looked at.
 *
 * Positions are the first 16 bytes of keys. A table begins cut at keys that share those that the
 * world knows evenly, as an operator cuts it ahead; where it knows none, between letters.
 *
 * What lies in a part is known by items: each numbered key, with its load or bytes, and all of the
 * series as one, since its writes go to its end. A cut between two items parts what is below from
 * what is above. Within the series a cut parts bytes, never load: whatever is written next is
 * above.
 */
#ifndef HOTSHARD_ENGINE_SYSTEM_ORDER_H
#define HOTSHARD_ENGINE_SYSTEM_ORDER_H

#include "engine/systems/systems_inside.h"

#define HOT_PATIENCE_S 10 /* whole seconds in a row, before a hot part is looked at */

enum order_by {
    ORDER_BY_LOAD, /* requests of the last whole second */
    ORDER_BY_BYTES /* about; counted by what was written */
};

struct order_item {
    struct u128 at;
    uint64_t weight;
    uint8_t key; /* KEY_OTHER: the series */
};

struct order_look {
    struct order_item item[SYSTEM_KEYS_MAX + 1]; /* ascending */
    uint32_t items;
    uint64_t sum;
    uint64_t low, high; /* numbers of the series in it, the last not included; both 0: none */
};

/* For struct system_kind. */
struct u128 order_position(const struct world *w, struct bytes key, uint64_t sort);
void order_start(struct world *w, uint8_t system, uint32_t parts);
void order_name(const struct world *w, const struct part_row *part, struct str *out);
bool order_verb_cut(struct world *w, uint8_t system, const struct command *c, struct err *err);
bool order_verb_join(struct world *w, uint8_t system, const struct command *c, struct err *err);

void order_look(const struct world *w, uint8_t system, uint16_t part, enum order_by by,
                struct order_look *out);
/* The cut between two items whose heavier side is lightest; returns its weight, or all there is
 * where there is no cut. */
uint64_t order_balance(const struct order_look *look, struct u128 *at);
/* Splits a part by size, so that about so many of its bytes are below: between items, or within the
 * series. `upper` is the place of what is above; NO_PART: no room. False: one key has it all. */
bool order_split_bytes(struct world *w, uint8_t system, uint16_t part, uint64_t below,
                       uint16_t *upper);
/* Why no cut of this load helps, for a REASON_SYSTEMS_NO_SPLIT record. */
enum no_split order_why_whole(const struct order_look *look, uint8_t *key);
/* The middle of a part by the keys that are known, else by positions. False: it is one position. */
bool order_middle(const struct world *w, uint8_t system, uint16_t part, struct u128 *at);

/* Tells, once while it lasts, that a machine has more than it can of one part, and that the part is
 * not split for it; call it each second. */
void order_tell_whole(struct world *w, uint8_t system, enum no_split why);
/* Likewise of one part, for so many seconds in a row: true when it is time to look at it. */
bool order_is_hot(struct part_row *part, bool hot);

/* For all kinds: a machine is added, and says so. */
bool system_verb_add(struct world *w, uint8_t system, uint32_t parts, struct err *err);
/* The open part and machine that a command speaks of (count, first), the machine being up and
 * another one than the leader's. */
bool system_move_named(const struct world *w, uint8_t system, const struct command *c,
                       uint16_t *place, struct err *err);

#endif
