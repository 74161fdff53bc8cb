/*
 * system_play: a small world with room for systems, and what one reads of them. For unit tests.
 */
#ifndef HOTSHARD_TESTS_SYSTEM_PLAY_H
#define HOTSHARD_TESTS_SYSTEM_PLAY_H

#include "play.h"

#include "engine/systems/systems.h"
#include <stdio.h>

static inline struct world *system_world(const char *on)
{
    struct world_config c = play_config();
    c.systems_max = 1;
    c.trace_max = 4096;
    struct world *w = play_new(&c);
    play(w, on);
    return w;
}

/* So many ms, the invariants every 50. */
static inline void system_run(struct world *w, int64_t ms)
{
    for (int64_t until = world_now(w) + ms * US_PER_MS; world_now(w) < until;) {
        int64_t next = world_now(w) + 50 * US_PER_MS;
        world_run_until(w, next < until ? next : until);
        struct err err = {{0}};
        if (world_stopped(w, &err)) {
            fail_msg("%s", err.text);
        }
        play_holds(w);
    }
}

static inline struct system_key_info system_key(const struct world *w, enum system_id id,
                                                const char *key)
{
    struct system_key_info info = {0};
    assert_true(world_system_place(w, id, bytes_of(key), &info));
    return info;
}

static inline struct part_info system_part(const struct world *w, enum system_id id,
                                           uint32_t number)
{
    struct part_info info = {0};
    assert_true(world_system_find(w, id, number, &info));
    return info;
}

/* The part of a key. */
static inline struct part_info system_part_of(const struct world *w, enum system_id id,
                                              const char *key)
{
    return system_part(w, id, system_key(w, id, key).part);
}

static inline void system_part_is(const struct world *w, enum system_id id, uint32_t number,
                                  const char *name)
{
    struct str out = STR_EMPTY;
    world_part_name(w, id, number, &out);
    assert_string_equal(str_text(&out), name);
    str_free(&out);
}

static inline uint64_t system_leads(const struct world *w, enum system_id id, uint32_t machine)
{
    return world_system_machine(w, id, machine).leads;
}

/* Whether a sentence of the system's card says this. */
static inline bool system_says(const char *const *sentences, const char *what)
{
    bool found = false;
    for (; *sentences != NULL && !found; sentences++) {
        found = strstr(*sentences, what) != NULL;
    }
    return found;
}

/* So many likes a second of a post; for the sixteen of the story, p9 being viral. */
static inline void system_likes(struct world *w, int post, uint32_t rate)
{
    char key[KEY_BYTES_MAX];
    (void)snprintf(key, sizeof key, "likes:{p%d}", post);
    struct command c = command_flow(OP_LIKE, bytes_of(key), rate, ARRIVALS_STEADY);
    assert_true(world_apply(w, &c, NULL));
}

static inline void system_evening(struct world *w)
{
    for (int post = 1; post <= 16; post++) {
        system_likes(w, post, post == 9 ? 2400 : 50);
    }
}

/* So many ms, unwatched. */
static inline void system_run_fast(struct world *w, int64_t ms)
{
    struct err err = {{0}};
    world_run_until(w, world_now(w) + ms * US_PER_MS);
    if (world_stopped(w, &err)) {
        fail_msg("%s", err.text);
    }
}

/* How many of the system's last records have this reason; the newest of them in *last. */
static inline uint32_t system_told(const struct world *w, enum system_id id,
                                   enum systems_reason reason, struct trace_record *last)
{
    uint32_t count = 0;
    struct trace_record r;
    for (uint32_t back = 0; world_system_note(w, id, back, &r); back++) {
        if (r.reason == (uint16_t)reason) {
            *last = count == 0 ? r : *last;
            count++;
        }
    }
    return count;
}

/* Runs on until something of this reason is told, at most so many seconds. */
static inline bool system_until(struct world *w, enum system_id id, enum systems_reason reason,
                                int seconds, struct trace_record *told)
{
    int64_t begin = world_now(w);
    while (system_told(w, id, reason, told) == 0 || told->time_us < begin) {
        if (seconds-- == 0) {
            return false;
        }
        system_run_fast(w, 1000);
    }
    return true;
}

/* Open parts cover all positions once. */
static inline void system_covered(const struct world *w, enum system_id id)
{
    struct u128 next = {0, 0};
    bool ended = false;
    for (uint32_t i = 0; i < world_system_parts(w, id); i++) {
        struct part_info part = world_system_part(w, id, i);
        if (part.state != PART_OPEN) {
            continue;
        }
        assert_false(ended);
        assert_int_equal(u128_order(part.first, next), 0);
        assert_true(u128_order(part.first, part.last) <= 0);
        ended = part.last.low == UINT64_MAX && part.last.high == UINT64_MAX;
        next = (struct u128){.high = part.last.high + (part.last.low == UINT64_MAX),
                             .low = part.last.low + 1};
    }
    assert_true(ended);
}

#endif
