/*
 * The figures of load: what each shard is asked in a moment of the story, measured by playing the
 * world. Part of test_figures.c.
 *
 * A moment is a world with its flows; a value is read from one second of it. Caches, buffered
 * likes and copies do not exist yet, and so their rows are not here.
 */
#ifndef HOTSHARD_TESTS_FIGURES_TRAFFIC_H
#define HOTSHARD_TESTS_FIGURES_TRAFFIC_H

#include "engine/rates.h"
#include "figures_salts.h"
#include "story/story.h"

enum moment {
    M1,           /* the evening */
    M2,           /* p9 liked 2,400 and read 9,000 times a second */
    ONLY_P9,      /* the same without anybody else */
    DAY_TWO,      /* every post twice as much as in the evening, p9 too */
    M4,           /* day two with S5, which took one post from each old shard */
    DEDICATED,    /* M2 with p9's slot on a shard of its own */
    DEDICATED_P9, /* the same without anybody else */
    ONE_RANGE,    /* the evening, with every key in the last shard's range */
    SALT_4,       /* p9 alone, its count in 4 parts, each read with every read */
    SALT_8,
    MOMENT_KINDS
};

enum traffic {
    EVENING_READS = 100, /* a second on a quiet post; likes: LIKES */
    VIRAL_READS = 9000,
    RATE_SEARCH_MAX = 4096,
    EVERY_SHARD = -1
};

static inline void must_apply(struct world *w, const struct command *command)
{
    struct err err = {.text = ""};
    bool applied = world_apply(w, command, &err);
    if (!applied) {
        printf("%s\n", err.text);
    }
    CHECK(applied);
}

static inline void set_flow(struct world *w, enum op_kind op, const char *key, int64_t rate)
{
    struct command c = command_flow(op, bytes_of(key), (uint32_t)rate, ARRIVALS_STEADY);
    must_apply(w, &c);
}

static inline void set_p9(struct world *w, int64_t likes, int64_t reads)
{
    set_flow(w, OP_LIKE, "likes:{p9}", likes);
    set_flow(w, OP_READ, "post:{p9}", reads);
}

static inline void set_posts(struct world *w, int64_t likes, int64_t reads)
{
    for (int64_t post = 1; post <= POSTS; post++) {
        set_flow(w, OP_LIKE, keyed("likes:{p", post, "}").text, likes);
        set_flow(w, OP_READ, keyed("post:{p", post, "}").text, reads);
    }
}

static inline void set_salts(struct world *w, int64_t salts)
{
    for (int64_t salt = 0; salt < salts; salt++) {
        set_flow(w, OP_LIKE, salted("tag", salt).text, VIRAL_LIKES / salts);
        set_flow(w, OP_READ, salted("tag", salt).text, VIRAL_READS);
    }
}

static inline void add_shards(struct world *w, int64_t shards)
{
    struct command add = {.kind = COMMAND_SHARD_ADD, .zone = ZONE_ANY};
    while (world_shards(w) < shards) {
        must_apply(w, &add);
    }
}

static inline void move_slots(struct world *w, int64_t first, int64_t last, int64_t shard)
{
    struct command move = {.kind = COMMAND_MOVE,
                           .first = (uint32_t)first,
                           .last = (uint32_t)last,
                           .shard = (uint16_t)shard};
    must_apply(w, &move);
}

/* Caller frees. */
static inline struct world *world_at(enum moment moment)
{
    bool others = moment != ONLY_P9 && moment != DEDICATED_P9 && moment < SALT_4;
    struct world *w = story_world(1, others, NULL);
    CHECK(w != NULL);
    if (moment == M2 || moment == ONLY_P9 || moment == DEDICATED || moment == DEDICATED_P9) {
        set_p9(w, VIRAL_LIKES, VIRAL_READS);
    }
    if (moment == DEDICATED || moment == DEDICATED_P9) {
        add_shards(w, SHARDS + 1);
        move_slots(w, post_slot(9), post_slot(9), SHARDS);
    }
    if (moment == DAY_TWO || moment == M4) {
        set_posts(w, (int64_t)2 * LIKES, (int64_t)2 * EVENING_READS);
    }
    if (moment == M4) {
        add_shards(w, SHARDS + 2); /* S4 and S5 */
        for (uint32_t shard = 0; shard < SHARDS; shard++) {
            int64_t size = block_size(shard);
            int64_t first = scan_blocks(shard, size).first;
            move_slots(w, first, first + size - 1, SHARDS + 1);
        }
    }
    if (moment == ONE_RANGE) {
        move_slots(w, 0, SLOT_COUNT - 1, SHARDS - 1);
    }
    if (moment >= SALT_4) {
        set_salts(w, moment == SALT_4 ? 4 : 8);
    }
    return w;
}

/* One second of it. Caller frees. */
static inline struct rates *rates_now(const struct world *w)
{
    struct rates *rates = xcalloc(1, sizeof *rates);
    struct world *scratch = world_copy(w);
    rates_at(w, scratch, rates);
    world_free(scratch);
    return rates;
}

/* Of a moment; played once. */
static inline const struct rates *rates_of(enum moment moment)
{
    static struct rates *known[MOMENT_KINDS];
    if (known[moment] == NULL) {
        struct world *w = world_at(moment);
        known[moment] = rates_now(w);
        world_free(w);
    }
    return known[moment];
}

static inline uint64_t ceiling(char kind)
{
    struct world_config c = story_config(1);
    return kind == 'w' ? c.write_ceiling : c.read_ceiling;
}

static inline uint64_t asked_of(const struct shard_rates *shard, char kind)
{
    return kind == 'w' ? shard->writes : shard->reads;
}

/* Of one shard, or of the busiest. */
static inline uint64_t asked(const struct rates *rates, char kind, int64_t shard)
{
    uint64_t most = 0;
    if (shard != EVERY_SHARD) {
        return asked_of(&rates->shard[shard], kind);
    }
    for (uint32_t i = 0; i < rates->shards; i++) {
        uint64_t is = asked_of(&rates->shard[i], kind);
        most = is > most ? is : most;
    }
    return most;
}

static inline uint64_t asked_in(enum moment moment, char kind, int64_t shard)
{
    return asked(rates_of(moment), kind, shard);
}

static inline uint64_t cluster_in(enum moment moment, char kind)
{
    return asked_of(&rates_of(moment)->cluster, kind);
}

/* text: 'w' or 'r'; a: the moment; b: the shard, or EVERY_SHARD for the busiest. */
static inline void value_rate(const struct figure *f, struct str *out)
{
    figures_add_int(out, (int64_t)asked_in((enum moment)f->a, f->text[0], f->b));
}

static inline void value_percent(const struct figure *f, struct str *out)
{
    figures_add_real(out, 100.0 * (double)asked_in((enum moment)f->a, f->text[0], f->b) /
                              (double)ceiling(f->text[0]));
}

static inline void value_cluster(const struct figure *f, struct str *out)
{
    figures_add_int(out, (int64_t)cluster_in((enum moment)f->a, f->text[0]));
}

static inline void value_peak(const struct figure *f, struct str *out)
{
    figures_add_int(
        out, (int64_t)(cluster_in((enum moment)f->a, 'w') + cluster_in((enum moment)f->a, 'r')));
}

/* How busy M2's cluster is on average, grown to b shards, if b is not 0. */
static inline void value_cluster_percent(const struct figure *f, struct str *out)
{
    struct world *w = world_at((enum moment)f->a);
    add_shards(w, f->b);
    struct rates *rates = rates_now(w);
    figures_add_real(out, 100.0 * (double)asked_of(&rates->cluster, f->text[0]) /
                              (double)(rates->shards * ceiling(f->text[0])));
    free(rates);
    world_free(w);
}

static inline void value_hot_ratio(const struct figure *f, struct str *out)
{
    const struct rates *rates = rates_of((enum moment)f->a);
    figures_add_real(out, (double)rates->shard[2].writes / (double)rates->shard[0].writes);
}

static inline void value_excess(const struct figure *f, struct str *out)
{
    figures_add_int(out, (int64_t)(asked_in((enum moment)f->a, 'w', 2) - ceiling('w')));
}

/* p9 alone, of S2's writes (b = 2) or of all. */
static inline void value_share(const struct figure *f, struct str *out)
{
    uint64_t whole = f->b == 2 ? asked_in(M2, 'w', 2) : cluster_in(M2, 'w');
    figures_add_real(out, 100.0 * (double)asked_in(ONLY_P9, 'w', 2) / (double)whole);
}

/* Likes of p9's neighbours that fail when S2 picks at random whom it refuses. */
static inline void value_neighbours_refused(const struct figure *f, struct str *out)
{
    (void)f;
    double whole = (double)asked_in(M2, 'w', 2);
    double neighbours = whole - (double)asked_in(ONLY_P9, 'w', 2);
    figures_add_real(out, neighbours * (1 - (double)ceiling('w') / whole));
}

/* The least rate of likes on p9 with which S2 is at `a` percent of its write ceiling. */
static inline void value_threshold(const struct figure *f, struct str *out)
{
    int64_t line = (int64_t)ceiling('w') * f->a / 100;
    int64_t below = 0;
    int64_t enough = RATE_SEARCH_MAX;
    while (enough - below > 1) {
        int64_t middle = (below + enough) / 2;
        struct world *w = world_at(M1);
        set_p9(w, middle, EVENING_READS);
        struct rates *rates = rates_now(w);
        if ((int64_t)rates->shard[2].writes >= line) {
            enough = middle;
        } else {
            below = middle;
        }
        free(rates);
        world_free(w);
    }
    figures_add_int(out, enough);
}

/* Requests that wait for a token of S2 after one second more, when nothing is refused and the
 * bucket is empty. */
static inline void value_piling_up(const struct figure *f, struct str *out)
{
    (void)f;
    struct world *w = world_at(M2);
    struct command queue = {.kind = COMMAND_CEILING,
                            .shard = 2,
                            .writes = (uint32_t)ceiling('w'),
                            .reads = 0,
                            .queue = 100000};
    must_apply(w, &queue);
    world_run_until(w, world_now(w) + US_PER_SECOND);
    struct rates *rates = rates_now(w);
    CHECK(rates->shard[2].refused_writes == 0);
    figures_add_int(out, (int64_t)(rates->shard[2].writes - rates->shard[2].served_writes));
    free(rates);
    world_free(w);
}

/* --- routers -----------------------------------------------------------------------------------
 */

/* The story's cluster with another number of routers, and no traffic. Caller frees. */
static inline struct world *world_of_routers(int64_t routers)
{
    struct world_config config = story_config(1);
    config.routers = (uint16_t)routers;
    struct world *w = world_new(&config, NULL);
    CHECK(w != NULL);
    return w;
}

/* Requests a second of all routers together, once the first have arrived. */
static inline uint64_t routed(struct world *w, uint16_t first, uint16_t last)
{
    uint64_t requests = 0;
    world_run_until(w, world_now(w) + US_PER_SECOND);
    for (uint16_t router = first; router <= last; router++) {
        requests -= world_router(w, router).requests;
    }
    world_run_until(w, world_now(w) + US_PER_SECOND);
    for (uint16_t router = first; router <= last; router++) {
        requests += world_router(w, router).requests;
    }
    return requests;
}

/* At the busiest of the story's routers: p9's likes ('w') or reads ('r') a second. */
static inline void value_at_router(const struct figure *f, struct str *out)
{
    uint16_t routers = story_config(1).routers;
    uint64_t most = 0;
    for (uint16_t router = 0; router < routers; router++) {
        struct world *w = story_world(1, false, NULL);
        CHECK(w != NULL);
        if (f->text[0] == 'w') {
            set_flow(w, OP_LIKE, "likes:{p9}", VIRAL_LIKES);
        } else {
            set_flow(w, OP_READ, "post:{p9}", VIRAL_READS);
        }
        uint64_t is = routed(w, router, router);
        most = is > most ? is : most;
        world_free(w);
    }
    figures_add_int(out, (int64_t)most);
}

#endif
