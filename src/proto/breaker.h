/*
 * breaker: a circuit breaker between one router and one shard.
 *
 *   closed      asks pass. Answers are counted in windows, one after the other; when `percent` of
 *               at least BREAKER_LEAST answers of a window failed, it opens
 *   open        nothing passes for open_us
 *   half-open   one ask passes, the probe. The next answer decides: closed, or open again. A probe
 *               that stays without an answer for open_us is given up, and another one passes
 *
 * Times are microseconds of one clock that the caller keeps. All zero is a closed breaker.
 */
#ifndef HOTSHARD_PROTO_BREAKER_H
#define HOTSHARD_PROTO_BREAKER_H

#include <stdbool.h>
#include <stdint.h>

#define BREAKER_LEAST 20u /* answers, below which a share of failures means nothing */

enum breaker_state {
    BREAKER_CLOSED,
    BREAKER_OPEN,
    BREAKER_HALF_OPEN
};

struct breaker_core {
    int64_t since_us; /* closed: the window's begin; open: when it opened; half-open: the probe's */
    uint32_t answers; /* closed: in this window; open: in the window that opened it */
    uint32_t failures;
    uint8_t state; /* enum breaker_state */
    uint8_t unused[7];
};

_Static_assert(sizeof(struct breaker_core) == 24, "bytes without holes");

struct breaker_setting {
    uint32_t percent;
    int64_t window_us, open_us;
};

enum breaker_choice {
    BREAKER_PASS,
    BREAKER_PROBE, /* it was open long enough: this one passes, to see */
    BREAKER_REFUSE
};

enum breaker_change {
    BREAKER_STAYS,
    BREAKER_OPENS,
    BREAKER_CLOSES
};

const char *breaker_state_name(enum breaker_state state);

/* Somebody is about to ask. */
enum breaker_choice breaker_ask(struct breaker_core *b, const struct breaker_setting *setting,
                                int64_t now_us);
/* An answer has come, or the wait for it is over. */
enum breaker_change breaker_answered(struct breaker_core *b, const struct breaker_setting *setting,
                                     int64_t now_us, bool failed);

#endif
