/*
 * fill: the choices of one cache entry.
 */
#include "proto/fill.h"

enum fill_choice fill_read(const struct fill_core *f, uint64_t rules, int64_t now_us,
                           int64_t fresh_us, int64_t stale_us)
{
    int64_t age = now_us - f->born_us;
    if (f->held && age < fresh_us) {
        return FILL_SERVE;
    }
    if (f->held && (age < stale_us || !rule_on(rules, RULE_BOUNDED_AGE))) {
        return f->fetching ? FILL_SERVE : FILL_SERVE_REFRESH;
    }
    return f->fetching && rule_on(rules, RULE_SINGLE_FLIGHT) ? FILL_WAIT : FILL_FETCH;
}

void fill_sent(struct fill_core *f, uint64_t number)
{
    f->last = number;
    f->fetching = 1;
}

bool fill_landed(struct fill_core *f, uint64_t rules, uint64_t number, int64_t sent_us,
                 int64_t now_us)
{
    int64_t born_us = rule_on(rules, RULE_AGE_FROM_READ) ? sent_us : now_us;
    bool newer = !f->held || born_us >= f->born_us; /* several fetches may be under way */
    fill_failed(f, number);
    if (number < f->since || !newer) {
        return false;
    }
    f->held = 1;
    f->born_us = born_us;
    return true;
}

void fill_failed(struct fill_core *f, uint64_t number)
{
    if (number == f->last) {
        f->fetching = 0;
    }
}

void fill_edited(struct fill_core *f, uint64_t rules)
{
    if (rule_on(rules, RULE_FILL_NOT_ACROSS_EDIT)) {
        f->since = f->last + 1 > f->since ? f->last + 1 : f->since; /* it may never have sent one */
        f->fetching = 0;
    }
    if (rule_on(rules, RULE_DROP_ON_EDIT)) {
        f->held = 0;
        f->born_us = 0;
    }
}

void fill_crashed(struct fill_core *f, uint64_t next)
{
    *f = (struct fill_core){.since = next};
}
