/*
 * The figures of the live move: p9's slot on a shard of its own, with both fixes on, measured by
 * playing the move. Part of test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_MOVES_H
#define HOTSHARD_TESTS_FIGURES_MOVES_H

#include "engine/moves/moves.h"
#include "figures_traffic.h"
#include "story/events.h"

enum move_moment {
    MOVE_BEFORE, /* both fixes on, the slot on S2 */
    MOVE_AFTER,  /* 30 ms after the fence */
    MOVE_ALONE,  /* before, and nobody but p9 is liked or read */
    MOVE_MOMENTS
};

static inline void must_say(struct world *w, const char *words)
{
    struct command c;
    CHECK(command_parse(words, &c, NULL));
    must_apply(w, &c);
}

static inline void run_on(struct world *w, int64_t ms)
{
    world_run_until(w, world_now(w) + ms * US_PER_MS);
}

/* The evening with p9 promoted and both fixes on, at half past a flush of each router. Caller
 * frees. */
static inline struct world *world_with_fixes(bool others)
{
    struct world *w = story_world(1, others, NULL);
    CHECK(w != NULL);
    must_say(w, "reads post:{p9} cached");
    must_say(w, "writes likes:{p9} summed");
    set_p9(w, VIRAL_LIKES, VIRAL_READS);
    must_say(w, "shard add");
    run_on(w, 5000);
    return w;
}

static inline struct world *world_of_move(enum move_moment moment)
{
    struct world *w = world_with_fixes(moment != MOVE_ALONE);
    if (moment == MOVE_AFTER) {
        must_say(w, "migrate 12067 S4 200000000 100000000");
        run_on(w, 5470);
        must_say(w, "fence 12067");
        run_on(w, 30);
    }
    return w;
}

static inline uint64_t asked_in_move(enum move_moment moment, char kind, int64_t shard)
{
    static struct rates *known[MOVE_MOMENTS]; /* each is played once */
    if (known[moment] == NULL) {
        struct world *w = world_of_move(moment);
        known[moment] = rates_now(w);
        world_free(w);
    }
    return asked(known[moment], kind, shard);
}

/* text: 'w' or 'r'; a: the moment; b: the shard. */
static inline void value_move_rate(const struct figure *f, struct str *out)
{
    figures_add_int(out, (int64_t)asked_in_move((enum move_moment)f->a, f->text[0], f->b));
}

static inline void value_move_percent(const struct figure *f, struct str *out)
{
    uint64_t is = asked_in_move((enum move_moment)f->a, f->text[0], f->b);
    figures_add_real(out, 100.0 * (double)is / (double)ceiling(f->text[0]));
}

/* The cold slots of S2's posts that have to move until p9 has the shard for itself. */
static inline void value_cold_moves(const struct figure *f, struct str *out)
{
    (void)f;
    struct world *w = world_with_fixes(true);
    int64_t moved = 0;
    for (int64_t post = 1; post <= POSTS; post++) {
        int64_t slot = post_slot(post);
        if (post == 9 || world_owner(w, (uint32_t)slot) != 2) {
            continue;
        }
        struct command c = {.kind = COMMAND_MIGRATE,
                            .first = (uint32_t)slot,
                            .last = (uint32_t)slot,
                            .shard = 4,
                            .amount = 5000000,
                            .rate = 50000000};
        must_apply(w, &c);
        run_on(w, 200);
        c.kind = COMMAND_FENCE;
        must_apply(w, &c);
        run_on(w, 50);
        moved += world_owner(w, (uint32_t)slot) == 4;
    }
    struct rates *rates = rates_now(w);
    CHECK(rates->shard[2].writes == asked_in_move(MOVE_ALONE, 'w', 2));
    free(rates);
    world_free(w);
    figures_add_int(out, moved);
}

/* What the story says that p9's slot holds. */
static inline void value_story_size(const struct figure *f, struct str *out)
{
    const struct story_command *c = story_commands();
    while (c->at != NULL && !str_starts(c->text, f->text)) {
        c++;
    }
    struct command command;
    CHECK(c->at != NULL && command_parse(c->text, &command, NULL));
    figures_add_int(out, (int64_t)(command.amount / 1000000));
}

static const struct figure moves[] = {
    {"snap.S5_S0_w", value_move_rate, "w", MOVE_AFTER, 0},
    {"snap.S5_S0_r", value_move_rate, "r", MOVE_AFTER, 0},
    {"snap.S5_S0_rpct", value_move_percent, "r", MOVE_AFTER, 0},
    {"snap.S5_S1_w", value_move_rate, "w", MOVE_AFTER, 1},
    {"snap.S5_S1_wpct", value_move_percent, "w", MOVE_AFTER, 1},
    {"snap.S5_S1_rpct", value_move_percent, "r", MOVE_AFTER, 1},
    {"snap.S5_S2_r", value_move_rate, "r", MOVE_AFTER, 2},
    {"snap.S5_S2_wpct", value_move_percent, "w", MOVE_AFTER, 2},
    {"snap.S5_S2_rpct", value_move_percent, "r", MOVE_AFTER, 2},
    {"snap.S5_S3_w", value_move_rate, "w", MOVE_AFTER, 3},
    {"snap.S5_S3_r", value_move_rate, "r", MOVE_AFTER, 3},
    {"snap.S5_S3_wpct", value_move_percent, "w", MOVE_AFTER, 3},
    {"snap.S5_S3_rpct", value_move_percent, "r", MOVE_AFTER, 3},
    {"snap.S5_S4_w", value_move_rate, "w", MOVE_AFTER, 4},
    {"snap.S5_S4_r", value_move_rate, "r", MOVE_AFTER, 4},
    {"snap.S5_S4_wpct", value_move_percent, "w", MOVE_AFTER, 4},
    {"snap.S5_S4_rpct", value_move_percent, "r", MOVE_AFTER, 4},
    {"snap.before_move_S2", value_move_rate, "w", MOVE_BEFORE, 2},
    {"snap.slot_rate", value_move_rate, "w", MOVE_ALONE, 2},
    {"move.evac", value_cold_moves, NULL, 0, 0},
    {"move.size", value_story_size, "migrate 12067 S4 ", 0, 0},
};

#endif
