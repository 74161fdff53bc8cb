/*
 * sim_ops_data: slots that move in every way, treated writes, budgets and balances.
 *
 * One draw a statement: the order in which arguments are evaluated is not ours.
 */
#include "sim_ops.h"

bool act_move(struct sim *s)
{
    uint32_t first = any_slot(s);
    uint32_t last = first + below(s, 3);
    last = last < s->config.slots ? last : s->config.slots - 1;
    return sim_do(s, "move %u-%u S%u", first, last, any_shard(s));
}

bool act_freeze(struct sim *s)
{
    uint32_t slot = any_slot(s);
    return sim_do(s, "freeze %u S%u on", slot, world_owner(s->world, slot));
}

bool act_thaw(struct sim *s)
{
    return sim_do(s, "freeze 0-%u S%u off", s->config.slots - 1, any_shard(s));
}

bool act_shard(struct sim *s)
{
    return sim_do(s, "shard add");
}

bool act_migrate(struct sim *s)
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
    for (uint32_t i = 0; i < CHANGES_FEW + 2; i++) {
        uint32_t slot = below(s, s->config.slots);
        sim_do(s, "move %u S%u", slot, any_shard(s));
    }
}

bool act_fence(struct sim *s)
{
    uint32_t slot = any_way(s).slot;
    bool fenced = sim_do(s, "fence %u", slot);
    uint32_t then = fenced ? below(s, 8) : UINT32_MAX;
    if (then == 0) {
        sim_do(s, "abort %u", slot);
    } else if (fenced && s->config.changes_max == CHANGES_FEW && then < 4) {
        crowd_the_directory(s);
    }
    return fenced;
}

bool act_cleanup(struct sim *s)
{
    return sim_do(s, "cleanup %u", any_slot(s));
}

bool act_abort(struct sim *s)
{
    return sim_do(s, "abort %u", any_way(s).slot);
}

bool act_rollback(struct sim *s)
{
    return sim_do(s, "rollback %u", any_slot(s));
}

bool act_budget(struct sim *s)
{
    return sim_do(s, "budget %u", below(s, 3) * 500000);
}

bool act_writes(struct sim *s)
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

bool act_rebuild(struct sim *s)
{
    return sim_do(s, "rebuild k%u", any_key(s));
}

bool act_account(struct sim *s)
{
    uint32_t stripes = below(s, 4);
    return sim_do(s, "account a0 %u %u", stripes, below(s, 3));
}

bool act_balance(struct sim *s)
{
    const char *op = below(s, 3) == 0 ? "debit" : "credit";
    uint32_t amount = 1 + below(s, 5);
    return sim_do(s, "request %s a0 %u via R%u", op, amount, any_router(s));
}

bool act_sweep(struct sim *s)
{
    return below(s, 2) == 0 ? sim_do(s, "sweep a0") : sim_do(s, "sweep a0 %u", 20 + below(s, 200));
}

bool act_lease(struct sim *s)
{
    uint32_t rate = 10 + below(s, 100);
    return sim_do(s, "lease b0 %u %u", rate, 1 + below(s, 20));
}

bool act_take(struct sim *s)
{
    return sim_do(s, "request take b0 via R%u", any_router(s));
}

/* Credits and debits, or takes, all the time. */
bool act_money(struct sim *s)
{
    static const char *const ops[] = {"credit a0", "debit a0", "take b0"};
    const char *op = ops[below(s, 3)];
    return sim_do(s, "flow %s %u poisson", op, below(s, 4) * s->rate);
}

bool act_index(struct sim *s)
{
    static const char *const ways[] = {"async", "sync", "throttle"};
    uint32_t key = any_key(s);
    return below(s, 3) == 0 ? sim_do(s, "index k%u none", key)
                            : sim_do(s, "index k%u i0 %s", key, ways[below(s, 3)]);
}

bool act_shift(struct sim *s)
{
    uint32_t slot = any_slot(s);
    uint32_t rate = 10 + below(s, 200);
    return sim_do(s, "shift %u S%u %u", slot, any_shard(s), rate);
}

bool act_shift_end(struct sim *s)
{
    uint32_t slot = any_way(s).slot;
    return below(s, 4) == 0 ? sim_do(s, "shift %u stop", slot) : sim_do(s, "shift %u finish", slot);
}

bool act_shift_size(struct sim *s)
{
    static const uint32_t sizes[] = {0, 20000, 100000, 300000000}; /* the last is too large to go */
    uint32_t key = any_key(s);
    return sim_do(s, "shift size k%u %u", key, sizes[below(s, 4)]);
}

bool act_dual(struct sim *s)
{
    uint32_t slot = any_slot(s);
    uint32_t shard = any_shard(s);
    return sim_do(s, "dual %u S%u%s", slot, shard, below(s, 2) == 0 ? " parallel" : "");
}

bool act_backfill(struct sim *s)
{
    struct way way = any_way(s);
    if (below(s, 5) == 0) {
        return sim_do(s, "dual %u stop", way.slot);
    }
    uint32_t rate = 10 + below(s, 200);
    return sim_do(s, "dual %u S%u backfill %u%s", way.slot, way.to, rate,
                  below(s, 3) == 0 ? " absent" : "");
}

bool act_switch(struct sim *s)
{
    uint32_t slot = any_way(s).slot;
    if (below(s, 2) != 0) {
        return sim_do(s, "switch %u done", slot);
    }
    return sim_do(s, "switch %u reads", slot) || sim_do(s, "switch %u back", slot);
}
