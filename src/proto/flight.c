/*
 * flight: who joins which query.
 */
#include "proto/flight.h"

#include "base/check.h"

enum flight_choice flight_read(struct flight_core *f, uint8_t *which)
{
    if (f->joinable != 0) {
        *which = (uint8_t)(f->joinable - 1);
        return FLIGHT_JOIN;
    }
    for (uint8_t i = 0; i < FLIGHTS_MAX; i++) {
        if ((f->flying >> i & 1) == 0) {
            f->flying |= UINT64_C(1) << i;
            f->joinable = i + UINT64_C(1);
            *which = i;
            return FLIGHT_START;
        }
    }
    *which = 0;
    return FLIGHT_ALONE;
}

void flight_write_completed(struct flight_core *f, uint64_t rules)
{
    if (rule_on(rules, RULE_JOIN_BEFORE_WRITE)) {
        f->joinable = 0;
    }
}

void flight_landed(struct flight_core *f, uint8_t which)
{
    CHECK(which < FLIGHTS_MAX && (f->flying >> which & 1) != 0);
    f->flying &= ~(UINT64_C(1) << which);
    if (f->joinable == which + UINT64_C(1)) {
        f->joinable = 0;
    }
}
