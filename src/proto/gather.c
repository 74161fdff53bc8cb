/*
 * gather: the steps of a query over all shards.
 */
#include "proto/gather.h"

#include "base/check.h"

static const char *const end_names[GATHER_ENDS] = {
    [GATHER_OPEN] = "open",
    [GATHER_WHOLE] = "whole",
    [GATHER_PARTIAL] = "partial",
};

const char *gather_end_name(enum gather_end end)
{
    CHECK(end < GATHER_ENDS);
    return end_names[end];
}

struct gather_core gather_begin(uint32_t slots)
{
    return (struct gather_core){.slots = slots, .round = 1};
}

void gather_ask(struct gather_core *g, struct gather_part *p, int64_t now_us)
{
    CHECK(g->end == GATHER_OPEN && p->state != GATHER_WAITING);
    *p = (struct gather_part){.asked_us = now_us, .round = g->round, .state = GATHER_WAITING};
    g->waiting++;
}

enum gather_turn gather_turn(const struct gather_part *p, const struct gather_policy *policy,
                             int64_t now_us)
{
    int64_t waited = now_us - p->asked_us;
    if (p->state == GATHER_WAITING && policy->timeout_us > 0 && waited >= policy->timeout_us) {
        return GATHER_GIVES_UP;
    }
    if (gather_may_hedge(p) && policy->hedge_us > 0 && waited >= policy->hedge_us) {
        return GATHER_HEDGES;
    }
    return GATHER_WAITS;
}

bool gather_may_hedge(const struct gather_part *p)
{
    return p->state == GATHER_WAITING && p->hedged == 0;
}

void gather_hedge(struct gather_part *p)
{
    CHECK(gather_may_hedge(p));
    p->hedged = 1;
}

void gather_give_up(struct gather_core *g, struct gather_part *p)
{
    CHECK(p->state == GATHER_WAITING);
    p->state = GATHER_GIVEN_UP;
    g->waiting--;
}

/* A slot that moves key by key is here whole until its first key has gone. */
bool gather_counts(enum slot_state row, enum presence presence)
{
    return row == SLOT_OWNED || (row == SLOT_LEAVING && presence == KEYS_ALL);
}

bool gather_clashes(const struct gather_slot *s, uint32_t epoch)
{
    return s->in != 0 && s->epoch != epoch;
}

/* Whether this is the answer that is waited for. */
static bool is_awaited(const struct gather_part *p, uint32_t round)
{
    return p->state == GATHER_WAITING && p->round == round;
}

enum gather_fate gather_judge(const struct gather_part *p, uint64_t rules, uint32_t round,
                              bool clashes)
{
    if (!is_awaited(p, round) && rule_on(rules, RULE_FIRST_ANSWER_COUNTS)) {
        return GATHER_DROPPED;
    }
    return clashes && rule_on(rules, RULE_ONE_EPOCH_A_SLOT) ? GATHER_CLASHED : GATHER_MERGED;
}

void gather_heard(struct gather_core *g, struct gather_part *p, uint32_t round)
{
    if (is_awaited(p, round)) {
        p->state = GATHER_HEARD;
        g->waiting--;
    }
}

void gather_slots_in(struct gather_core *g, struct gather_slot *s, uint32_t count, uint32_t epoch)
{
    if (s->in == 0) {
        s->in = 1;
        s->epoch = epoch;
        g->in += count;
    }
}

void gather_slot_in(struct gather_core *g, struct gather_slot *s, uint32_t epoch)
{
    gather_slots_in(g, s, 1, epoch);
}

enum gather_end gather_close(struct gather_core *g, uint64_t rules, bool time_is_up)
{
    CHECK(g->end == GATHER_OPEN);
    bool silent = !rule_on(rules, RULE_MARK_PARTIAL) && (g->waiting == 0 || time_is_up);
    if (g->in == g->slots || silent) {
        g->end = GATHER_WHOLE;
    } else if (time_is_up) {
        g->end = GATHER_PARTIAL;
    }
    return (enum gather_end)g->end;
}

bool gather_may_again(const struct gather_core *g)
{
    return g->end == GATHER_OPEN && g->waiting == 0 && g->in < g->slots;
}

void gather_again(struct gather_core *g)
{
    CHECK(gather_may_again(g));
    g->round++;
}

static bool is_before(const struct gather_item *a, const struct gather_item *b)
{
    return a->value != b->value ? a->value > b->value : a->key < b->key;
}

uint32_t gather_top(struct gather_item *top, uint32_t count, uint32_t room, struct gather_item item)
{
    uint32_t at = count;
    CHECK(count <= room);
    while (at > 0 && is_before(&item, &top[at - 1])) {
        at--;
    }
    if (at == room) {
        return count;
    }
    uint32_t now = count < room ? count + 1 : room;
    for (uint32_t i = now - 1; i > at; i--) {
        top[i] = top[i - 1];
    }
    top[at] = item;
    return now;
}
