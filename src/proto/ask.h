/*
 * ask: a slot that moves key by key: hand the keys over, claim the slot, close it.
 *
 * The source's row says "leaving", the target's "arriving"; what they answer follows from that and
 * from where the keys are by proto/slot.h. Each key has a place; the caller keeps them and takes
 * one step of one key at a time. With RULE_ATOMIC_KEY_MOVE off a hand-over is two steps, and a
 * write that the source serves between them is thrown away with its copy.
 *
 *   hand over   one key goes from the source to the target
 *   claim       the target makes the slot its own, one epoch up, and writes it down
 *   close       the directory knows; the source says "moved", for ever
 *   undo        no key has gone yet: the slot is the source's as before
 */
#ifndef HOTSHARD_PROTO_ASK_H
#define HOTSHARD_PROTO_ASK_H

#include "proto/rule.h"
#include "proto/slot.h"
#include "proto/terms.h"

enum ask_phase {
    ASK_OPEN,
    ASK_CLAIMED,
    ASK_CLOSED,
    ASK_UNDONE,
    ASK_PHASES
};

enum ask_place { /* of a key */
    PLACE_NOWHERE,
    PLACE_SOURCE,
    PLACE_BOTH, /* copied, not yet taken from the source */
    PLACE_TARGET
};

struct ask_core {
    uint8_t phase;          /* enum ask_phase */
    uint8_t source, target; /* enum slot_state of the slot's row at the two shards */
    uint8_t unused;
};

_Static_assert(sizeof(struct ask_core) == 4, "bytes without holes");

const char *ask_phase_name(enum ask_phase phase);

struct ask_core ask_begin(void);
enum ask_place ask_place_of(bool at_source, bool at_target);
/* Whether a shard holds all, some or none of the keys that a request wants. */
enum presence ask_presence(uint32_t wanted, uint32_t here);
/* Where a key is after the next step of its hand-over. */
enum ask_place ask_hand(uint64_t rules, enum ask_place place);
/* `left` counts the keys that the source holds, `gone` those that the target holds. */
bool ask_may_claim(const struct ask_core *a, uint64_t rules, uint32_t left);
void ask_claim(struct ask_core *a);
bool ask_may_close(const struct ask_core *a);
void ask_close(struct ask_core *a);
bool ask_may_undo(const struct ask_core *a, uint32_t gone);
void ask_undo(struct ask_core *a);

#endif
