/*
 * play: drives a world by words, and reads it back as text. For the engine's unit tests.
 *
 * The story's cluster without its keys and traffic, small, so that an invariant can be checked
 * after each event: 4 shards, 6 routers, three zones, delays of 250 and 500 us, a query of 5 ms.
 */
#ifndef HOTSHARD_TESTS_PLAY_H
#define HOTSHARD_TESTS_PLAY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/num.h"
#include "engine/invariant.h"
#include "engine/world.h"
#include <stdlib.h>
#include <string.h>

#define EIGHT_PM (INT64_C(20) * 3600 * US_PER_SECOND)

static inline struct world_config play_config(void)
{
    struct world_config c = world_config_default();
    c.start_us = EIGHT_PM;
    c.routers = 6;
    c.zones = 3;
    memcpy(c.shard_zone, (const uint8_t[16]){0, 1, 2, 1, 2, 0, 1, 2}, 16);
    memcpy(c.router_zone, (const uint8_t[16]){0, 0, 1, 1, 2, 2}, 16);
    c.directory_zone = 2;
    for (int from = 0; from < 3; from++) {
        for (int to = 0; to < 3; to++) {
            c.delay_us[from][to] = from == to ? 250 : 500;
        }
    }
    c.query_us = 5000;
    c.map_version = 7;
    c.epoch = 7;
    return c;
}

static inline struct world *play_new(const struct world_config *config)
{
    struct err err = {{0}};
    struct world *w = world_new(config, &err);
    if (w == NULL) {
        fail_msg("%s", err.text);
    }
    return w;
}

static inline struct world *play_world(void)
{
    struct world_config c = play_config();
    return play_new(&c);
}

/* Applies a command given in words; it must be possible. */
static inline void play(struct world *w, const char *words)
{
    struct command c;
    struct err err = {{0}};
    if (!command_parse(words, &c, &err) || !world_apply(w, &c, &err)) {
        fail_msg("%s: %s", words, err.text);
    }
}

/* Applies a command that must be refused with this sentence, and change nothing. */
static inline void play_refused(struct world *w, const char *words, const char *sentence)
{
    struct command c;
    struct err err = {{0}};
    if (!command_parse(words, &c, &err)) {
        fail_msg("%s: %s", words, err.text);
    }
    struct digest before = world_digest(w);
    assert_false(world_apply(w, &c, &err));
    assert_string_equal(err.text, sentence);
    assert_true(digest_equal(before, world_digest(w)));
}

/* Applies a request and runs until it is answered. */
static inline struct request_info play_request(struct world *w, const char *words)
{
    struct request_info info;
    play(w, words);
    assert_true(world_run_until_answered(w, 10 * US_PER_SECOND));
    assert_true(world_request(w, world_last_request(w), &info));
    return info;
}

/* The records from `from` on as prose, one a line. */
static inline struct str play_prose(const struct world *w, uint64_t from)
{
    struct str out = STR_EMPTY;
    for (uint64_t i = from; i < trace_next(w); i++) {
        const struct trace_record *r = trace_get(w, i);
        assert_non_null(r);
        trace_say(w, r, &out);
        str_addc(&out, '\n');
    }
    return out;
}

static inline void play_expect(const struct world *w, uint64_t from, const char *expected)
{
    struct str out = play_prose(w, from);
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
}

static inline void play_holds(const struct world *w)
{
    struct err err = {{0}};
    if (!invariant_hold(w, &err)) {
        fail_msg("%s", err.text);
    }
}

static inline void play_breaks(const struct world *w, const char *invariant)
{
    struct err err = {{0}};
    assert_false(invariant_hold(w, &err));
    if (!str_starts(err.text, invariant)) {
        fail_msg("expected %s to break, got: %s", invariant, err.text);
    }
}

static inline uint32_t play_key(const struct world *w, const char *key)
{
    uint32_t index = 0;
    assert_true(world_find_key(w, bytes_of(key), &index));
    return index;
}

#endif
