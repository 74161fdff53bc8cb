/*
 * sim_ops: the actions of the simulator's operator, and what they draw.
 *
 * Each is one command in words (a few are several), at random. True: it was done; false: refused.
 */
#ifndef HOTSHARD_TESTS_SIM_OPS_H
#define HOTSHARD_TESTS_SIM_OPS_H

#include "sim.h"

static inline uint32_t below(struct sim *s, uint32_t bound)
{
    return (uint32_t)prng_below(&s->prng, bound);
}

/* The same for the extra that acts or is drawn. */
static inline uint32_t more_below(struct sim *s, uint32_t bound)
{
    return (uint32_t)prng_below(&s->more[s->extra], bound);
}

uint32_t any_router(struct sim *s);
uint32_t any_shard(struct sim *s);
uint32_t any_key(struct sim *s);
uint32_t any_slot(struct sim *s); /* mostly one that some key is in */
const char *any_op(struct sim *s);

/* A slot that is under way, and the shard that it goes to; mostly, if there is one. */
struct way {
    uint32_t slot, to;
};

struct way any_way(struct sim *s);

/* sim_ops.c: requests, faults, reads, guards */
bool act_request(struct sim *s);
bool act_flow(struct sim *s);
bool act_deaf(struct sim *s);
bool act_reload(struct sim *s);
bool act_ceiling(struct sim *s);
bool act_network(struct sim *s);
bool act_crash_router(struct sim *s);
bool act_crash_shard(struct sim *s);
bool act_reads(struct sim *s);
bool act_replicas(struct sim *s);
bool act_limit(struct sim *s);
bool act_tenant(struct sim *s);
bool act_clients(struct sim *s);
bool act_breaker(struct sim *s);
bool act_shed(struct sim *s);
bool act_share(struct sim *s);
bool act_sample(struct sim *s);

/* sim_ops_data.c: where data is and how it moves; writes, accounts */
bool act_move(struct sim *s);
bool act_freeze(struct sim *s);
bool act_thaw(struct sim *s);
bool act_shard(struct sim *s);
bool act_migrate(struct sim *s);
bool act_fence(struct sim *s);
bool act_cleanup(struct sim *s);
bool act_abort(struct sim *s);
bool act_rollback(struct sim *s);
bool act_budget(struct sim *s);
bool act_writes(struct sim *s);
bool act_rebuild(struct sim *s);
bool act_account(struct sim *s);
bool act_balance(struct sim *s);
bool act_sweep(struct sim *s);
bool act_lease(struct sim *s);
bool act_take(struct sim *s);
bool act_money(struct sim *s);
bool act_index(struct sim *s);
bool act_shift(struct sim *s);
bool act_shift_end(struct sim *s);
bool act_shift_size(struct sim *s);
bool act_dual(struct sim *s);
bool act_backfill(struct sim *s);
bool act_switch(struct sim *s);

#endif
