/*
 * sim_queries: queries over all shards in some of the worlds, and what they find in a quiet one.
 *
 * Clients and the operator ask, shards are slow, and slots move meanwhile. At rest each query must
 * find what the owners of the slots hold.
 */
#include "sim_ops.h"

#include "engine/invariant.h"
#include "engine/queries/queries.h"
#include "engine/state.h"
#include <stdio.h>
#include <string.h>

#define ROOM 5 /* of a top */
#define REST_US 4000000

static void draw(struct sim *s)
{
    s->config.queries_max = 2;
    s->config.gathers_max = (uint16_t)(4 + more_below(s, 3) * 10);
}

static uint32_t any_query(struct sim *s)
{
    return more_below(s, 2);
}

static bool define(struct sim *s, uint32_t query)
{
    if (more_below(s, 3) == 0) {
        return sim_do(s, "query q%u sum of k* bytes %u", query, more_below(s, 3) * 1000);
    }
    uint32_t bytes = more_below(s, 3) * 1000;
    uint32_t room = 1 + more_below(s, ROOM);
    return sim_do(s, "query q%u top %u of k* bytes %u", query, room, bytes);
}

static bool set_limits(struct sim *s, uint32_t query)
{
    static const char *const limits[] = {"hedge", "timeout", "deadline"};
    const char *limit = limits[more_below(s, 3)];
    uint32_t ms = 1 + more_below(s, 80);
    if (more_below(s, 5) == 0) {
        return more_below(s, 3) == 0 ? sim_do(s, "query q%u ask all", query)
                                     : sim_do(s, "query q%u ask %u", query, 1 + more_below(s, 4));
    }
    return more_below(s, 4) == 0 ? sim_do(s, "query q%u %s off", query, limit)
                                 : sim_do(s, "query q%u %s %u", query, limit, ms);
}

static bool set_times(struct sim *s)
{
    uint32_t from = more_below(s, 10);
    uint32_t to = from + 1 + more_below(s, 10);
    uint32_t slow = 20 + more_below(s, 100);
    if (more_below(s, 4) == 0) {
        return sim_do(s, "times all off");
    }
    if (more_below(s, 2) == 0) {
        return sim_do(s, "times S%u %u %u", more_below(s, world_shards(s->world)), slow, slow + 10);
    }
    return sim_do(s, "times all %u %u slow %u %u %u", from, to, 1 + more_below(s, 30), slow,
                  slow * 2);
}

static bool ask(struct sim *s, uint32_t query)
{
    static const char *const arrivals[] = {"steady", "scattered", "poisson"};
    if (more_below(s, 4) > 0) {
        return sim_do(s, "gather q%u via R%u", query, more_below(s, s->config.routers));
    }
    uint32_t rate = more_below(s, 4) * 30;
    return sim_do(s, "gather q%u %u %s", query, rate, arrivals[more_below(s, 3)]);
}

static bool popular(struct sim *s, uint32_t query)
{
    uint32_t zone = more_below(s, s->config.zones);
    return more_below(s, 3) == 0 ? sim_do(s, "popular q%u off", query)
                                 : sim_do(s, "popular q%u zone %c every %u", query,
                                          (int)('a' + zone), 20 + more_below(s, 200));
}

static bool move(struct sim *s)
{
    uint32_t first = more_below(s, s->config.slots);
    uint32_t last = first + more_below(s, 4);
    last = last < s->config.slots ? last : s->config.slots - 1;
    return sim_do(s, "move %u-%u S%u", first, last, more_below(s, world_shards(s->world)));
}

static bool act(struct sim *s)
{
    uint32_t query = any_query(s);
    uint32_t what = more_below(s, 16);
    if (what < 2) {
        return define(s, query);
    }
    if (what < 4) {
        return set_limits(s, query);
    }
    if (what < 6) {
        return set_times(s);
    }
    if (what == 6) {
        return popular(s, query);
    }
    if (what == 7) {
        return more_below(s, 4) == 0 && sim_do(s, "query q%u drop", query);
    }
    if (what < 10) { /* messages are held up, so that slots move while it is under way */
        sim_do(s, "network delay 40%% %u", 5 + more_below(s, 30));
        return ask(s, query);
    }
    return what < 12 ? move(s) : ask(s, query);
}

static void calm(struct sim *s)
{
    sim_do(s, "query q0 drop");
    sim_do(s, "query q1 drop");
    sim_do(s, "times all off");
}

/* --- at rest --- */

static uint64_t held(const struct world *w, uint32_t key)
{
    return world_value(w, world_owner(w, world_key_slot(w, key)), key);
}

static bool begins(const struct world *w, uint32_t key)
{
    struct bytes text = world_key(w, key);
    return text.length > 0 && text.at[0] == 'k';
}

/* All sub-keys of a treated count together. */
static uint64_t counted(const struct world *w, uint32_t key)
{
    uint8_t row = keys_in(w)[key].writes;
    uint64_t sum = 0;
    for (uint32_t other = 0; row != 0 && other < world_keys(w); other++) {
        sum += keys_in(w)[other].writes == row && begins(w, other) ? held(w, other) : 0;
    }
    return row == 0 ? held(w, key) : sum;
}

static bool is_entry(const struct world *w, uint32_t key)
{
    return begins(w, key) && (keys_in(w)[key].writes == 0 || writes_count_of(w, key) == key);
}

/* The greatest first, equal ones by their keys, as all shards together hold them. */
static uint32_t brute_force(const struct world *w, struct gather_item *best)
{
    uint32_t count = 0;
    bool taken[KEYS_SEEN_MAX] = {false};
    while (count < ROOM) {
        uint32_t found = KEY_NONE_ID;
        for (uint32_t key = 0; key < world_keys(w); key++) {
            bool more = found == KEY_NONE_ID || counted(w, key) > counted(w, found);
            found = is_entry(w, key) && !taken[key] && more ? key : found;
        }
        if (found == KEY_NONE_ID) {
            break;
        }
        taken[found] = true;
        best[count++] = (struct gather_item){.key = found, .value = (int64_t)counted(w, found)};
    }
    return count;
}

static bool finds_all(struct sim *s, const struct query_run_info *run)
{
    struct gather_item best[ROOM];
    uint32_t count = brute_force(s->world, best);
    uint32_t same = 0;
    for (uint32_t i = 0; i < run->items && i < count; i++) {
        /* A shard need not have an entry for a key that is 0. */
        same += best[i].value == run->item[i].value &&
                (best[i].value == 0 || best[i].key == run->item[i].key);
    }
    if (run->end != GATHER_WHOLE) {
        return err_set(&s->err, "quiet: a query of a quiet world is partial");
    }
    uint32_t above = 0;
    while (above < count && best[above].value > 0) {
        above++;
    }
    if (same < run->items || run->items < above) {
        return err_set(&s->err, "best-of-all: the top of a quiet world is not that of all shards");
    }
    return true;
}

static bool is_answered(struct sim *s)
{
    bool answered = world_run_until_answered(s->world, REST_US);
    return (answered || err_set(&s->err, "quiet: a query of a quiet world never ends")) &&
           invariant_hold(s->world, &s->err);
}

static bool finds_sum(struct sim *s)
{
    struct query_run_info run;
    uint64_t sum = 0;
    for (uint32_t key = 0; key < world_keys(s->world); key++) {
        sum += begins(s->world, key) ? held(s->world, key) : 0;
    }
    world_query_last(s->world, 1, &run);
    if (run.end != GATHER_WHOLE || run.sum != sum) {
        return err_set(&s->err, "sum-of-all: the sum of a quiet world is not that of all shards");
    }
    return true;
}

/* What the two shards that it chose own, and nothing of others. */
static bool finds_some(struct sim *s, uint32_t router)
{
    struct query_run_info run;
    uint64_t sum = 0;
    sim_do(s, "query q1 ask 2");
    if (!sim_do(s, "gather q1 via R%u", router)) {
        return err_set(&s->err, "quiet: a quiet world refuses a query");
    }
    if (!is_answered(s)) {
        return false;
    }
    sim_do(s, "query q1 ask all");
    world_query_last(s->world, 1, &run);
    for (uint32_t i = 0; i < run.parts; i++) {
        for (uint32_t key = 0; key < world_keys(s->world); key++) {
            bool here = world_owner(s->world, world_key_slot(s->world, key)) == run.part[i].shard;
            sum += here && begins(s->world, key) ? held(s->world, key) : 0;
        }
    }
    /* A world whose slots have one owner asks that one. */
    if (run.end != GATHER_WHOLE || run.parts > 2 || run.parts == 0 || run.sum != sum) {
        return err_set(&s->err, "some-of-all: a query that asks two shards of a quiet world found "
                                "something else than they own");
    }
    return true;
}

static bool rests(struct sim *s)
{
    struct query_run_info run;
    if (!sim_do(s, "query q0 top %d of k*", ROOM)) {
        return true; /* no key was ever asked for */
    }
    sim_do(s, "query q1 sum of k*");
    for (uint32_t router = 0; router < s->config.routers; router++) {
        if (!sim_do(s, "gather q0 via R%u", router) || !sim_do(s, "gather q1 via R%u", router)) {
            return err_set(&s->err, "quiet: a quiet world refuses a query");
        }
        if (!is_answered(s)) {
            return false;
        }
        world_query_last(s->world, 0, &run);
        if (!finds_all(s, &run) || !finds_sum(s) || !finds_some(s, router)) {
            return false;
        }
    }
    return true;
}

const struct sim_extra sim_extra_queries = {
    .name = "queries", .draw = draw, .act = act, .calm = calm, .rests = rests};
