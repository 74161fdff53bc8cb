/*
 * Dual writes: every order of two writers, or of a writer and the backfill, on one key of two
 * stores, played on proto/dual.h. How often the stores end up different, and how.
 */
#ifndef HOTSHARD_TESTS_FIGURES_SHIFTS_H
#define HOTSHARD_TESTS_FIGURES_SHIFTS_H

#include "figures.h"
#include "proto/dual.h"

enum shift_race {
    RACE_BACKFILL, /* backfill reads, writes; a writer of v5 writes source, target */
    RACE_ABSENT,   /* the same, the backfill writes only where nothing is */
    RACE_WRITERS,  /* writers of v5 and v6, source first each */
    RACE_PARALLEL  /* the same, each sends to both at once */
};

struct shift_orders {
    enum shift_race race;
    uint64_t rules;
    int total, bad, stale; /* stale: some store does not end with the newest version */
    int length;            /* steps of the first bad order */
    struct dual_key end;   /* of the bad order that is shown */
};

static inline void shift_step(struct dual_key *k, const struct shift_orders *o, int action)
{
    enum dual_side side = action % 2 == 0 ? DUAL_SOURCE : DUAL_TARGET;
    bool fills = o->race <= RACE_ABSENT;
    if (fills && action == 0) {
        dual_read(k);
    } else if (fills && action == 1) {
        dual_fill(k, o->rules, o->race == RACE_ABSENT);
    } else {
        dual_write(k, o->rules, side, fills || action / 2 == 0 ? 5 : 6);
    }
}

/* Actions 0 and 1 are the first actor's, 2 and 3 the second's; each goes by its order unless both
 * are sent in parallel. The bad order shown is the one in which v5 reaches the source first. */
static inline void shift_play(struct shift_orders *o, struct dual_key k, unsigned done, int steps)
{
    if (done == 15) {
        uint32_t newest = o->race <= RACE_ABSENT ? 5 : 6;
        bool bad = k.held[DUAL_SOURCE] != k.held[DUAL_TARGET];
        o->total++;
        o->stale += k.held[DUAL_SOURCE] != newest || k.held[DUAL_TARGET] != newest;
        if (bad && o->bad == 0) {
            o->end = k;
            o->length = steps;
        }
        o->bad += bad;
        return;
    }
    for (int action = 0; action < 4; action++) {
        bool waits = o->race != RACE_PARALLEL && action % 2 == 1 && (done >> (action - 1) & 1) == 0;
        if ((done >> action & 1) == 0 && !waits) {
            struct dual_key next = k;
            shift_step(&next, o, action);
            shift_play(o, next, done | 1u << action, steps + 1);
        }
    }
}

static inline struct shift_orders shift_orders_of(enum shift_race race, bool versions)
{
    struct shift_orders o = {.race = race, .rules = RULES_ALL};
    if (!versions) {
        o.rules &= ~rule_bit(RULE_NEWER_ONLY);
    }
    struct dual_key k = {.held = {4, race <= RACE_ABSENT ? 0 : 4}};
    shift_play(&o, k, 0, 0);
    return o;
}

static inline void value_orders(const struct figure *f, struct str *out)
{
    figures_add_int(out, shift_orders_of((enum shift_race)f->a, false).total);
}

static inline void value_bad_orders(const struct figure *f, struct str *out)
{
    struct shift_orders o = shift_orders_of((enum shift_race)f->a, f->b != 0);
    figures_add_int(out, f->b != 0 ? o.stale : o.bad);
}

static inline void value_bad_of_all(const struct figure *f, struct str *out)
{
    struct shift_orders o = shift_orders_of((enum shift_race)f->a, false);
    str_addf(out, "%d of %d", o.bad, o.total);
}

static inline void value_bad_end(const struct figure *f, struct str *out)
{
    struct dual_key end = shift_orders_of((enum shift_race)f->a, false).end;
    str_addf(out, "v%u v%u", end.held[DUAL_SOURCE], end.held[DUAL_TARGET]);
}

static inline void value_bad_length(const struct figure *f, struct str *out)
{
    figures_add_int(out, shift_orders_of((enum shift_race)f->a, false).length);
}

static const struct figure shifts[] = {
    {"move.dual_backfill_total", value_orders, NULL, RACE_BACKFILL, 0},
    {"move.dual_backfill_bad", value_bad_orders, NULL, RACE_BACKFILL, 0},
    {"move.dual_backfill_end", value_bad_end, NULL, RACE_BACKFILL, 0},
    {"move.dual_backfill_len", value_bad_length, NULL, RACE_BACKFILL, 0},
    {"move.dual_backfill_versions", value_bad_orders, NULL, RACE_BACKFILL, 1},
    {"move.dual_backfill_absent", value_bad_orders, NULL, RACE_ABSENT, 0},
    {"move.dual_race_total", value_orders, NULL, RACE_WRITERS, 0},
    {"move.dual_race_bad", value_bad_orders, NULL, RACE_WRITERS, 0},
    {"move.dual_race_end", value_bad_end, NULL, RACE_WRITERS, 0},
    {"move.dual_race_len", value_bad_length, NULL, RACE_WRITERS, 0},
    {"move.dual_race_parallel", value_bad_of_all, NULL, RACE_PARALLEL, 0},
    {"move.dual_race_versions", value_bad_orders, NULL, RACE_PARALLEL, 1},
};

#endif
