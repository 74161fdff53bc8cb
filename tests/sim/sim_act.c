/*
 * sim_act: what an operator may do, at random, in the words of commands.
 *
 * Refused commands are part of the play: they must change nothing.
 */
#include "sim.h"

#include <stdio.h>

static uint32_t below(struct sim *s, uint32_t bound)
{
    return (uint32_t)prng_below(&s->prng, bound);
}

static uint32_t any_router(struct sim *s)
{
    return below(s, s->config.routers);
}

static uint32_t any_shard(struct sim *s)
{
    return below(s, world_shards(s->world));
}

static uint32_t any_key(struct sim *s)
{
    return below(s, s->keys);
}

/* Mostly a slot that some key is in. */
static uint32_t any_slot(struct sim *s)
{
    char text[8];
    uint32_t index = 0;
    (void)snprintf(text, sizeof text, "k%u", any_key(s));
    if (below(s, 8) > 0 && world_find_key(s->world, bytes_of(text), &index)) {
        return world_key_slot(s->world, index);
    }
    return below(s, s->config.slots);
}

/* Mostly a slot that is under way to another shard, if there is one. */
struct way {
    uint32_t slot, to;
};

static struct way any_way(struct sim *s)
{
    uint32_t slot = any_slot(s);
    struct way found = {.slot = slot, .to = any_shard(s)};
    uint32_t seen = 0;
    if (below(s, 6) == 0) {
        return found;
    }
    for (uint16_t shard = 0; shard < world_shards(s->world); shard++) {
        for (uint32_t i = 0; i < world_slot_rows(s->world, shard); i++) {
            struct slot_row row = world_slot_row_at(s->world, shard, i);
            bool arrives = row.state == SLOT_RECEIVING || row.state == SLOT_ARRIVING;
            if (arrives && below(s, ++seen) == 0) {
                found = (struct way){.slot = row.first, .to = shard};
            }
        }
    }
    return found;
}

static const char *any_op(struct sim *s)
{
    static const char *const ops[] = {"like", "like", "like", "read", "read", "edit"};
    return ops[below(s, sizeof ops / sizeof *ops)];
}

static bool act_request(struct sim *s)
{
    const char *op = any_op(s);
    uint32_t key = any_key(s);
    return sim_do(s, "request %s k%u via R%u", op, key, any_router(s));
}

static bool act_flow(struct sim *s)
{
    static const char *const arrivals[] = {"steady", "scattered", "poisson"};
    const char *op = any_op(s);
    uint32_t key = any_key(s);
    uint32_t rate = below(s, 4) * 12;
    return sim_do(s, "flow %s k%u %u %s", op, key, rate, arrivals[below(s, 3)]);
}

static bool act_deaf(struct sim *s)
{
    uint32_t router = any_router(s);
    return sim_do(s, "deaf R%u %s", router, below(s, 2) == 0 ? "on" : "off");
}

static bool act_reload(struct sim *s)
{
    return sim_do(s, "reload R%u", any_router(s));
}

static bool act_move(struct sim *s)
{
    uint32_t first = any_slot(s);
    uint32_t last = first + below(s, 3);
    last = last < s->config.slots ? last : s->config.slots - 1;
    return sim_do(s, "move %u-%u S%u", first, last, any_shard(s));
}

static bool act_freeze(struct sim *s)
{
    uint32_t slot = any_slot(s);
    return sim_do(s, "freeze %u S%u on", slot, world_owner(s->world, slot));
}

static bool act_thaw(struct sim *s)
{
    return sim_do(s, "freeze 0-%u S%u off", s->config.slots - 1, any_shard(s));
}

static bool act_shard(struct sim *s)
{
    return sim_do(s, "shard add");
}

static bool act_ceiling(struct sim *s)
{
    uint32_t writes = below(s, 3) * 20;
    uint32_t reads = below(s, 3) * 20;
    uint32_t queue = below(s, 5);
    return sim_do(s, "ceiling S%u %u %u %u", any_shard(s), writes, reads, queue);
}

/* Some storms are of one kind alone, at one message in two. */
static bool act_network(struct sim *s)
{
    uint32_t longest = 1 + below(s, 40);
    uint32_t kind = below(s, 8);
    if (kind == 0 && s->lossy) {
        return sim_do(s, "network loss 50%%");
    }
    if (kind == 1) {
        return sim_do(s, "network double 50%%");
    }
    if (kind == 2) {
        return sim_do(s, "network delay 50%% %u", longest);
    }
    if (kind < 5) {
        return sim_do(s, "network calm");
    }
    uint32_t loss = s->lossy ? below(s, 4) * 2 : 0;
    uint32_t twice = below(s, 4) * 3;
    return sim_do(s, "network loss %u%% double %u%% delay %u%% %u", loss, twice, 5 + below(s, 20),
                  longest);
}

static bool act_crash_router(struct sim *s)
{
    uint32_t router = any_router(s);
    return sim_do(s, "crash R%u %u", router, 1 + below(s, below(s, 3) == 0 ? 300 : 6));
}

static bool act_crash_shard(struct sim *s)
{
    uint32_t shard = any_shard(s);
    return sim_do(s, "crash S%u %u", shard, 1 + below(s, 150));
}

static bool act_reads(struct sim *s)
{
    uint32_t key = any_key(s);
    switch (below(s, 9)) {
    case 0:
    case 1:
        return sim_do(s, "reads k%u plain", key);
    case 2:
    case 3:
        return sim_do(s, "reads k%u cached %u %u", key, 5 + below(s, 100), 120 + below(s, 300));
    case 4:
        return sim_do(s, "reads k%u coalesced%s", key, below(s, 2) == 0 ? " by-key" : "");
    case 5:
        return sim_do(s, "reads k%u replicas", key);
    case 6:
        return sim_do(s, "reads k%u copies %u", key, 2 + below(s, 3));
    case 7:
        return sim_do(s, "reads k%u edge %u", key, 5 + below(s, 200));
    default:
        return sim_do(s, "reads k%u forget", key);
    }
}

static bool act_replicas(struct sim *s)
{
    uint32_t shard = any_shard(s);
    return sim_do(s, "replicas S%u %u", shard, 1 + below(s, 3));
}

static bool act_migrate(struct sim *s)
{
    uint32_t slot = any_slot(s);
    uint32_t shard = any_shard(s);
    uint32_t bytes = 1000 + below(s, 200000);
    uint32_t rate = 200000 + below(s, 2000000);
    return sim_do(s, "migrate %u S%u %u %u%s", slot, shard, bytes, rate,
                  below(s, 3) == 0 ? " reverse" : "");
}

/* The directory has to remember changes until a deaf router knows them: it runs out of room. */
static void crowd_the_directory(struct sim *s)
{
    sim_do(s, "deaf R%u on", any_router(s));
    for (uint32_t i = 0; i < s->config.changes_max && i < 6; i++) {
        uint32_t slot = below(s, s->config.slots);
        sim_do(s, "move %u S%u", slot, any_shard(s));
    }
}

static bool act_fence(struct sim *s)
{
    uint32_t slot = any_way(s).slot;
    bool fenced = sim_do(s, "fence %u", slot);
    uint32_t then = fenced ? below(s, 8) : UINT32_MAX;
    if (then == 0) {
        sim_do(s, "abort %u", slot);
    } else if (then == 1) {
        crowd_the_directory(s);
    }
    return fenced;
}

static bool act_cleanup(struct sim *s)
{
    return sim_do(s, "cleanup %u", any_slot(s));
}

static bool act_abort(struct sim *s)
{
    return sim_do(s, "abort %u", any_way(s).slot);
}

static bool act_rollback(struct sim *s)
{
    return sim_do(s, "rollback %u", any_slot(s));
}

static bool act_budget(struct sim *s)
{
    return sim_do(s, "budget %u", below(s, 3) * 500000);
}

static bool act_limit(struct sim *s)
{
    uint32_t rate = below(s, 3) * 20;
    if (below(s, 3) == 0) {
        return rate == 0 ? sim_do(s, "limit tenant nova none")
                         : sim_do(s, "limit tenant nova %u", rate);
    }
    uint32_t key = any_key(s);
    return rate == 0 ? sim_do(s, "limit key k%u none", key)
                     : sim_do(s, "limit key k%u %u", key, rate);
}

static bool act_tenant(struct sim *s)
{
    return sim_do(s, "tenant nova k%u", any_key(s));
}

static bool act_clients(struct sim *s)
{
    switch (below(s, 4)) {
    case 0:
        return sim_do(s, "clients at-once times %u", 1 + below(s, 3));
    case 1:
        return sim_do(s, "clients backoff %u times %u jitter", 1 + below(s, 50), 1 + below(s, 3));
    case 2:
        return sim_do(s, "clients backoff budget %u", 10 + below(s, 90));
    default:
        return sim_do(s, "clients none");
    }
}

static bool act_breaker(struct sim *s)
{
    if (below(s, 3) == 0) {
        return sim_do(s, "breaker off");
    }
    uint32_t percent = 10 + below(s, 80);
    return sim_do(s, "breaker on %u %u %u", percent, 50 + below(s, 500), 20 + below(s, 300));
}

static bool act_shed(struct sim *s)
{
    uint32_t hands = below(s, 10);
    return hands == 0 ? sim_do(s, "shed off") : sim_do(s, "shed %u", hands);
}

static bool act_share(struct sim *s)
{
    uint32_t percent = below(s, 4) * 25;
    return percent == 0 ? sim_do(s, "share nova off") : sim_do(s, "share nova %u", percent);
}

static bool act_sample(struct sim *s)
{
    uint32_t of = below(s, 4);
    return of == 0 ? sim_do(s, "sample off") : sim_do(s, "sample %u %u", of, 50 + below(s, 500));
}

static bool act_writes(struct sim *s)
{
    static const char *const picks[] = {"turn", "random", "writer"};
    static const char *const ways[] = {"absolute", "window", "merge"};
    uint32_t key = any_key(s);
    switch (below(s, 6)) {
    case 0:
        return sim_do(s, "writes k%u plain", key);
    case 1:
    case 2: {
        uint32_t salts = 2 + below(s, 3);
        const char *place = below(s, 2) == 0 ? "inside" : "outside";
        return sim_do(s, "writes k%u salted %u %s %s", key, salts, place, picks[below(s, 3)]);
    }
    default: {
        uint32_t window = 10 + below(s, 120);
        return sim_do(s, "writes k%u summed %u %s", key, window, ways[below(s, 5) % 3]);
    }
    }
}

static bool act_rebuild(struct sim *s)
{
    return sim_do(s, "rebuild k%u", any_key(s));
}

static bool act_account(struct sim *s)
{
    uint32_t stripes = below(s, 4);
    return sim_do(s, "account a0 %u %u", stripes, below(s, 3));
}

static bool act_balance(struct sim *s)
{
    const char *op = below(s, 3) == 0 ? "debit" : "credit";
    uint32_t amount = 1 + below(s, 5);
    return sim_do(s, "request %s a0 %u via R%u", op, amount, any_router(s));
}

static bool act_sweep(struct sim *s)
{
    return below(s, 2) == 0 ? sim_do(s, "sweep a0") : sim_do(s, "sweep a0 %u", 20 + below(s, 200));
}

static bool act_lease(struct sim *s)
{
    uint32_t rate = 10 + below(s, 100);
    return sim_do(s, "lease b0 %u %u", rate, 1 + below(s, 20));
}

static bool act_take(struct sim *s)
{
    return sim_do(s, "request take b0 via R%u", any_router(s));
}

static bool act_index(struct sim *s)
{
    static const char *const ways[] = {"async", "sync", "throttle"};
    uint32_t key = any_key(s);
    return below(s, 3) == 0 ? sim_do(s, "index k%u none", key)
                            : sim_do(s, "index k%u i0 %s", key, ways[below(s, 3)]);
}

static bool act_shift(struct sim *s)
{
    uint32_t slot = any_slot(s);
    uint32_t rate = 10 + below(s, 200);
    return sim_do(s, "shift %u S%u %u", slot, any_shard(s), rate);
}

static bool act_shift_end(struct sim *s)
{
    uint32_t slot = any_way(s).slot;
    return below(s, 4) == 0 ? sim_do(s, "shift %u stop", slot) : sim_do(s, "shift %u finish", slot);
}

static bool act_shift_size(struct sim *s)
{
    static const uint32_t sizes[] = {0, 20000, 100000, 300000000}; /* the last is too large to go */
    uint32_t key = any_key(s);
    return sim_do(s, "shift size k%u %u", key, sizes[below(s, 4)]);
}

static bool act_dual(struct sim *s)
{
    uint32_t slot = any_slot(s);
    uint32_t shard = any_shard(s);
    return sim_do(s, "dual %u S%u%s", slot, shard, below(s, 2) == 0 ? " parallel" : "");
}

static bool act_backfill(struct sim *s)
{
    struct way way = any_way(s);
    if (below(s, 5) == 0) {
        return sim_do(s, "dual %u stop", way.slot);
    }
    uint32_t rate = 10 + below(s, 200);
    return sim_do(s, "dual %u S%u backfill %u%s", way.slot, way.to, rate,
                  below(s, 3) == 0 ? " absent" : "");
}

static bool act_switch(struct sim *s)
{
    uint32_t slot = any_way(s).slot;
    return sim_do(s, "switch %u %s", slot, below(s, 2) == 0 ? "reads" : "done");
}

static const struct act {
    const char *name;
    uint32_t weight;
    bool (*do_it)(struct sim *s);
} acts[] = {
    {"request", 30, act_request},
    {"flow", 12, act_flow},
    {"deaf", 2, act_deaf},
    {"reload", 2, act_reload},
    {"move", 2, act_move},
    {"freeze", 2, act_freeze},
    {"thaw", 4, act_thaw},
    {"shard", 1, act_shard},
    {"ceiling", 2, act_ceiling},
    {"network", 4, act_network},
    {"crash router", 4, act_crash_router},
    {"crash shard", 2, act_crash_shard},
    {"reads", 3, act_reads},
    {"replicas", 1, act_replicas},
    {"migrate", 5, act_migrate},
    {"fence", 6, act_fence},
    {"cleanup", 3, act_cleanup},
    {"abort", 2, act_abort},
    {"rollback", 3, act_rollback},
    {"budget", 1, act_budget},
    {"limit", 1, act_limit},
    {"tenant", 1, act_tenant},
    {"clients", 1, act_clients},
    {"breaker", 1, act_breaker},
    {"shed", 1, act_shed},
    {"share", 1, act_share},
    {"sample", 1, act_sample},
    {"writes", 3, act_writes},
    {"rebuild", 1, act_rebuild},
    {"account", 1, act_account},
    {"balance", 4, act_balance},
    {"sweep", 1, act_sweep},
    {"lease", 1, act_lease},
    {"take", 4, act_take},
    {"index", 1, act_index},
    {"shift", 3, act_shift},
    {"shift end", 4, act_shift_end},
    {"shift size", 1, act_shift_size},
    {"dual", 2, act_dual},
    {"backfill", 4, act_backfill},
    {"switch", 3, act_switch},
};
#define ACTS (sizeof acts / sizeof *acts)

_Static_assert(ACTS <= SIM_ACTS_MAX, "a bit for each");

const char *sim_act_name(uint32_t act)
{
    return act < ACTS ? acts[act].name : NULL;
}

/* Requests are always allowed; each other action only in the seeds that drew it. */
static bool allowed(const struct sim *s, size_t act)
{
    return act == 0 || (s->acts >> act & 1) != 0;
}

void sim_act(struct sim *s)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < ACTS; i++) {
        sum += allowed(s, i) ? acts[i].weight : 0;
    }
    uint32_t at = below(s, sum);
    for (size_t i = 0; i < ACTS; i++) {
        uint32_t weight = allowed(s, i) ? acts[i].weight : 0;
        if (at < weight) {
            s->saw.act[i] |= acts[i].do_it(s);
            return;
        }
        at -= weight;
    }
}

static void calm_slots(struct sim *s)
{
    for (uint16_t shard = 0; shard < world_shards(s->world); shard++) {
        sim_do(s, "ceiling S%u 0 0", shard);
        sim_do(s, "replicas S%u 1", shard);
        for (uint32_t slot = 0; slot < s->config.slots; slot++) {
            struct slot_row row = world_slot_row(s->world, shard, slot);
            if (row.state == SLOT_RECEIVING) {
                sim_do(s, "fence %u", slot);
            } else if (row.state == SLOT_ARRIVING) {
                sim_do(s, "shift %u finish", slot);
                sim_do(s, "shift %u S%u 1000", slot, shard);
                sim_do(s, "switch %u done", slot);
                sim_do(s, "dual %u stop", slot);
            } else if (row.state == SLOT_MIGRATING) {
                sim_do(s, "freeze %u S%u off", slot, shard);
            }
        }
    }
}

void sim_calm(struct sim *s)
{
    static const char *const ops[] = {"like", "read", "edit"};
    bool loud = s->loud;
    s->loud = false;
    sim_do(s, "network calm");
    sim_do(s, "budget 100000000");
    for (uint32_t key = 0; key < s->keys; key++) {
        for (size_t op = 0; op < sizeof ops / sizeof *ops; op++) {
            sim_do(s, "flow %s k%u 0", ops[op], key);
        }
        sim_do(s, "limit key k%u none", key);
        sim_do(s, "reads k%u plain", key);
        sim_do(s, "shift size k%u 0", key);
    }
    sim_do(s, "sweep a0"); /* once, and no more */
    sim_do(s, "limit tenant nova none");
    sim_do(s, "share nova off");
    sim_do(s, "shed off");
    sim_do(s, "breaker off");
    sim_do(s, "clients none");
    sim_do(s, "sample off");
    for (uint32_t router = 0; router < s->config.routers; router++) {
        sim_do(s, "deaf R%u off", router);
    }
    calm_slots(s);
    s->loud = loud;
}
