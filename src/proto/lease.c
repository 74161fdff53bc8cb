/*
 * lease: granting and spending.
 */
#include "proto/lease.h"

uint32_t lease_grant(struct lease_budget *b, uint64_t rules, const struct lease_ask *ask)
{
    if (b->second != ask->second) {
        b->second = ask->second;
        b->used = 0;
    }
    if (!rule_on(rules, RULE_LEASE_ONCE)) {
        b->used += ask->spent;
    }
    uint64_t left = b->used < ask->rate ? ask->rate - b->used : 0;
    uint32_t granted = ask->want < left ? ask->want : (uint32_t)left;
    if (rule_on(rules, RULE_LEASE_ONCE)) {
        b->used += granted;
    }
    return granted;
}

/* A new second: what was leased for the one before is worth nothing. */
static void turn_to(struct lease_core *l, uint32_t second)
{
    if (l->second != second) {
        l->second = second;
        l->tokens = 0;
        l->spent = 0;
        l->dry = 0;
    }
}

enum lease_choice lease_take(struct lease_core *l, uint32_t second)
{
    if (l->asking) {
        return LEASE_WAIT; /* the second of the ask must stay known until the answer is here */
    }
    turn_to(l, second);
    if (l->tokens > 0) {
        l->tokens--;
        l->spent++;
        return LEASE_SPEND;
    }
    return l->dry ? LEASE_DRY : LEASE_ASK;
}

uint32_t lease_asked(struct lease_core *l)
{
    uint32_t report = l->spent;
    l->asking = 1;
    l->spent = 0;
    return report;
}

bool lease_landed(struct lease_core *l, uint32_t second, uint32_t granted)
{
    bool in_time = l->second == second;
    l->asking = 0;
    turn_to(l, second);
    if (in_time) {
        l->tokens = granted;
        l->dry = granted == 0;
    }
    return in_time;
}

void lease_failed(struct lease_core *l)
{
    l->asking = 0;
}

void lease_crashed(struct lease_core *l)
{
    *l = (struct lease_core){0};
}
