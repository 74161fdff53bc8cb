/*
 * breaker: the three states and what moves between them.
 */
#include "proto/breaker.h"

#include "base/check.h"

const char *breaker_state_name(enum breaker_state state)
{
    switch (state) {
    case BREAKER_CLOSED:
        return "closed";
    case BREAKER_OPEN:
        return "open";
    case BREAKER_HALF_OPEN:
        return "half-open";
    }
    CHECK(false && "a breaker in no state");
    return "";
}

enum breaker_choice breaker_ask(struct breaker_core *b, const struct breaker_setting *setting,
                                int64_t now_us)
{
    if (b->state == BREAKER_CLOSED) {
        return BREAKER_PASS;
    }
    if (now_us - b->since_us < setting->open_us) {
        return BREAKER_REFUSE;
    }
    b->state = BREAKER_HALF_OPEN;
    b->since_us = now_us;
    return BREAKER_PROBE;
}

static void open_it(struct breaker_core *b, int64_t now_us)
{
    b->state = BREAKER_OPEN;
    b->since_us = now_us;
}

enum breaker_change breaker_answered(struct breaker_core *b, const struct breaker_setting *setting,
                                     int64_t now_us, bool failed)
{
    switch ((enum breaker_state)b->state) {
    case BREAKER_OPEN: /* the answer to an older ask: too late to tell anything */
        return BREAKER_STAYS;
    case BREAKER_HALF_OPEN:
        if (failed) {
            open_it(b, now_us);
            return BREAKER_OPENS;
        }
        *b = (struct breaker_core){.since_us = now_us};
        return BREAKER_CLOSES;
    case BREAKER_CLOSED:
        break;
    }
    if (now_us - b->since_us >= setting->window_us) {
        *b = (struct breaker_core){.since_us = now_us};
    }
    b->answers++;
    b->failures += failed;
    if (b->answers < BREAKER_LEAST ||
        (uint64_t)b->failures * 100 < (uint64_t)b->answers * setting->percent) {
        return BREAKER_STAYS;
    }
    open_it(b, now_us);
    return BREAKER_OPENS;
}
