/*
 * system_order_play: the story's posts and a hot one, and what systems noted. For unit tests.
 */
#ifndef HOTSHARD_TESTS_SYSTEM_ORDER_PLAY_H
#define HOTSHARD_TESTS_SYSTEM_ORDER_PLAY_H

#include "system_play.h"

#include "engine/systems/systems_inside.h"
#include <stdio.h>

/* p1 to p16, each with 50 likes and 100 reads a second; then the system. */
static inline struct world *posts_world(const char *on)
{
    struct world_config c = play_config();
    c.systems_max = 1;
    c.trace_max = 1 << 18;
    c.flows_max = 64;
    c.requests_max = 1 << 15;
    c.events_max = 1 << 17;
    struct world *w = play_new(&c);
    for (int post = 1; post <= 16; post++) {
        char words[48];
        snprintf(words, sizeof words, "flow like likes:{p%d} 50", post);
        play(w, words);
        snprintf(words, sizeof words, "flow read post:{p%d} 100", post);
        play(w, words);
    }
    play(w, on);
    return w;
}

static inline void p9_takes_off(struct world *w)
{
    play(w, "flow like likes:{p9} 2400");
    play(w, "flow read post:{p9} 9000");
}

/* The last record of a reason among those that the system keeps. */
static inline bool find_note(const struct world *w, enum system_id id, enum systems_reason reason,
                             struct trace_record *out)
{
    for (uint32_t back = 0; world_system_note(w, id, back, out); back++) {
        if (out->reason == (uint16_t)reason) {
            return true;
        }
    }
    return false;
}

static inline bool was_noted(const struct world *w, enum system_id id, enum systems_reason reason)
{
    struct trace_record r;
    return find_note(w, id, reason, &r);
}

static inline struct trace_record noted(const struct world *w, enum system_id id,
                                        enum systems_reason reason)
{
    struct trace_record r = {.reason = 0};
    if (!find_note(w, id, reason, &r)) {
        fail_msg("no record of reason %d", (int)reason);
    }
    return r;
}

static inline struct system_key_info key_number(const struct world *w, enum system_id id,
                                                uint32_t number)
{
    assert_true(number < world_system_keys(w, id));
    return world_system_key(w, id, number);
}

#endif
