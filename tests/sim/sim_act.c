/*
 * sim_act: which actions there are, how often each is taken, and how a world is calmed.
 *
 * Refused commands are part of the play: they must change nothing.
 */
#include "sim_ops.h"

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
    {"reads", 4, act_reads},
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
    {"writes", 5, act_writes},
    {"rebuild", 1, act_rebuild},
    {"account", 3, act_account},
    {"balance", 4, act_balance},
    {"sweep", 1, act_sweep},
    {"lease", 1, act_lease},
    {"take", 4, act_take},
    {"money", 3, act_money},
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
    sim_do(s, "flow credit a0 0");
    sim_do(s, "flow debit a0 0");
    sim_do(s, "flow take b0 0");
    sim_do(s, "sweep a0"); /* once, and no more */
    sim_do(s, "limit tenant nova none");
    sim_do(s, "share nova off");
    sim_do(s, "shed off");
    sim_do(s, "breaker off");
    sim_do(s, "clients none");
    sim_do(s, "sample off");
    sim_extras_calm(s);
    for (uint32_t router = 0; router < s->config.routers; router++) {
        sim_do(s, "deaf R%u off", router);
        if (s->config.changes_max == CHANGES_FEW) { /* the directory may be waiting for it */
            sim_do(s, "reload R%u", router);
        }
    }
    calm_slots(s);
    s->loud = loud;
}
