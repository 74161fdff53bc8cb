/*
 * ask: the steps of a slot that moves key by key.
 */
#include "proto/ask.h"

#include "base/check.h"

const char *ask_phase_name(enum ask_phase phase)
{
    static const char *const names[ASK_PHASES] = {
        [ASK_OPEN] = "open",
        [ASK_CLAIMED] = "claimed",
        [ASK_CLOSED] = "closed",
        [ASK_UNDONE] = "undone",
    };
    CHECK(phase < ASK_PHASES);
    return names[phase];
}

struct ask_core ask_begin(void)
{
    return (struct ask_core){.phase = ASK_OPEN, .source = SLOT_LEAVING, .target = SLOT_ARRIVING};
}

enum ask_place ask_place_of(bool at_source, bool at_target)
{
    if (at_source) {
        return at_target ? PLACE_BOTH : PLACE_SOURCE;
    }
    return at_target ? PLACE_TARGET : PLACE_NOWHERE;
}

enum presence ask_presence(uint32_t wanted, uint32_t here)
{
    CHECK(here <= wanted);
    if (here == 0) {
        return KEYS_NONE;
    }
    return here == wanted ? KEYS_ALL : KEYS_SOME;
}

enum ask_place ask_hand(uint64_t rules, enum ask_place place)
{
    CHECK(place == PLACE_SOURCE || place == PLACE_BOTH);
    if (place == PLACE_SOURCE && !rule_on(rules, RULE_ATOMIC_KEY_MOVE)) {
        return PLACE_BOTH;
    }
    return PLACE_TARGET;
}

bool ask_may_claim(const struct ask_core *a, uint64_t rules, uint32_t left)
{
    return a->phase == ASK_OPEN && (left == 0 || !rule_on(rules, RULE_CLOSE_WHEN_EMPTY));
}

void ask_claim(struct ask_core *a)
{
    a->phase = ASK_CLAIMED;
    a->target = SLOT_OWNED;
}

bool ask_may_close(const struct ask_core *a)
{
    return a->phase == ASK_CLAIMED;
}

void ask_close(struct ask_core *a)
{
    CHECK(ask_may_close(a));
    a->phase = ASK_CLOSED;
    a->source = SLOT_MOVED;
}

bool ask_may_undo(const struct ask_core *a, uint32_t gone)
{
    return a->phase == ASK_OPEN && gone == 0;
}

void ask_undo(struct ask_core *a)
{
    a->phase = ASK_UNDONE;
    a->source = SLOT_OWNED;
    a->target = SLOT_ABSENT;
}
