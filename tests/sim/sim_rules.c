/*
 * sim_rules: what each rule is good for, shown by taking it away.
 *
 * For each rule the invariant that breaks without it, and a seed that shows it; the seed is tried
 * first, others follow if the engine has changed since. Rules that no invariant of the engine needs
 * say why.
 */
#include "sim.h"

#include <inttypes.h>
#include <stdio.h>

#define TRIES 20000

struct loss {
    enum rule rule;
    const char *breaks; /* how the error begins; NULL: redundant here */
    uint64_t seed;
    const char *why; /* redundant here: why */
};

static const struct loss losses[] = {
    {RULE_SLOT_TABLE_CHECK, "", 1, NULL},
    {RULE_RELOAD_ON_MOVED, "same-map", 1, NULL},
    {RULE_ONCE_PER_OPERATION, "conservation", 1, NULL},
    {RULE_FENCE, "", 1, NULL},
    {RULE_DRAIN_TO_FENCE, "", 1, NULL},
    {RULE_TARGET_WAITS, "", 1, NULL},
    {RULE_SNAPSHOT_POSITION, "", 1, NULL},
    {RULE_CHECK_AND_APPEND, "", 1, NULL},
    {RULE_DURABLE_FENCE, "", 1, NULL},
    {RULE_ABORT_BEFORE_COMMIT, "", 1, NULL},
};

static bool breaks(uint64_t seed, const struct loss *loss, uint64_t *event, struct err *err)
{
    struct sim s = {.seed = seed, .without = loss->rule};
    bool broke = !sim_play(&s) && str_starts(s.err.text, loss->breaks);
    *event = s.event;
    *err = s.err;
    sim_end(&s);
    return broke;
}

static bool show(const struct loss *loss)
{
    const char *rule = rule_name(loss->rule);
    uint64_t event = 0;
    struct err err = {{0}};
    if (loss->breaks == NULL) {
        printf("ok without %s: redundant here, %s\n", rule, loss->why);
        return true;
    }
    if (breaks(loss->seed, loss, &event, &err)) {
        printf("ok without %s: %s\n", rule, err.text);
        return true;
    }
    for (uint64_t seed = 1; seed <= TRIES; seed++) {
        if (breaks(seed, loss, &event, &err)) {
            printf("ok without %s: %s\n", rule, err.text);
            printf("## seed %" PRIu64 " shows %s now, at event %" PRIu64 "\n", seed, rule, event);
            return true;
        }
    }
    printf("not ok without %s - nothing breaks in %d seeds\n", rule, TRIES);
    return false;
}

bool sim_rules(void)
{
    bool well = true;
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        well = show(&losses[i]) && well;
    }
    return well;
}
