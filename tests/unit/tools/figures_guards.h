/*
 * The figures of the hot key's guards: what a sample is expected to hold, and what repeats do to a
 * shard that fails. Part of test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_GUARDS_H
#define HOTSHARD_TESTS_FIGURES_GUARDS_H

#include "engine/guards/guards.h"
#include "figures_traffic.h"

enum guards_constants {
    SAMPLE_WINDOW_S = 5,
    SAMPLE_ONE_IN = 100
};

/* Likes of S2 that a sample of 1 in b over the window a (seconds) holds on average; text: of all
 * keys, or of p9 alone. */
static inline void value_sample_expected(const struct figure *f, struct str *out)
{
    enum moment moment = strcmp(f->text, "p9") == 0 ? ONLY_P9 : M2;
    figures_add_real(out, (double)asked_in(moment, 'w', 2) * (double)f->a / (double)f->b);
}

static inline void like_often(struct world *w, const char *key, int64_t times)
{
    for (int64_t i = 0; i < times; i++) {
        struct command c = command_request(OP_LIKE, bytes_of(key), (uint16_t)(i % 6));
        must_apply(w, &c);
    }
}

/* The report of a world in which a of b likes, each sampled, are for p9: its share in percent. */
static inline void value_sample_share(const struct figure *f, struct str *out)
{
    struct world *w = story_world(1, false, NULL);
    CHECK(w != NULL);
    struct command sample = {.kind = COMMAND_SAMPLE, .count = 1, .period_us = 100 * US_PER_MS};
    must_apply(w, &sample);
    like_often(w, "likes:{p9}", f->a);
    like_often(w, "likes:{p1}", f->b - f->a);
    world_run_until(w, world_now(w) + US_PER_SECOND / 10 + 1);
    const struct hot_report *report = guards_report(w);
    CHECK(report->count == 1);
    figures_add_real(out, 100.0 * report->row[0].writes / report->row[0].shard_writes);
    world_free(w);
}

static inline void guards_play(struct world *w, const char *words)
{
    struct command c;
    CHECK(command_parse(words, &c, NULL));
    must_apply(w, &c);
}

/* What clients send a second for S2, repeats included, when they like p9 so often. */
static inline uint64_t sent_for(struct world *w, int64_t likes)
{
    set_flow(w, OP_LIKE, "likes:{p9}", likes);
    world_run_until(w, world_now(w) + US_PER_SECOND);
    struct guard_load before = guards_load(w, 2);
    world_run_until(w, world_now(w) + US_PER_SECOND);
    struct guard_load load = guards_load_less(guards_load(w, 2), before);
    return load.firsts + load.repeats;
}

/* Traffic grows a times, the shard dies of it, and clients ask b times again. */
static inline void value_cascade(const struct figure *f, struct str *out)
{
    struct world *w = story_world(1, false, NULL);
    CHECK(w != NULL);
    uint64_t normal = sent_for(w, 10);
    struct command clients = {
        .kind = COMMAND_CLIENTS, .mode = CLIENTS_AT_ONCE, .count = (uint32_t)f->b};
    must_apply(w, &clients);
    guards_play(w, "crash S2 60000");
    figures_add_int(out, (int64_t)(sent_for(w, 10 * f->a) / normal));
    world_free(w);
}

static const struct figure guards[] = {
    {"snap.sample_exp_total", value_sample_expected, "all", SAMPLE_WINDOW_S, SAMPLE_ONE_IN},
    {"snap.sample_exp_p9", value_sample_expected, "p9", SAMPLE_WINDOW_S, SAMPLE_ONE_IN},
    {"snap.sample_share", value_sample_share, NULL, 118, 127},
    {"d4.hc_retry", value_cascade, NULL, 100, 3},
};

#endif
