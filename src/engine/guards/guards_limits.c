/*
 * guards_limits: what a router lets through, and how much it has in hand.
 *
 * Limits: an integer token bucket (bucket.h) for each limited key and tenant at each router. No
 * router knows of the others, so each gets an equal part of the rate. A request takes a token of
 * its key and one of its tenant, and only if both have one.
 *
 * In hand: what a router was asked and has not answered yet; a request whose client lost patience
 * counts until the router is done with it. The last quarter of what it may have in hand is for
 * writes. A tenant with a share may have that part of it.
 */
#include "engine/guards/guards_inside.h"

#define SHED_WRITES_ONLY 4 /* a quarter */

static struct tenant *tenant_of_key(struct world *w, const struct key_entry *key)
{
    return key->tenant == 0 ? NULL : tenants_of(w) + (key->tenant - 1);
}

/* Retry-After: in how many microseconds the bucket has a token; 0: it has one. */
static int64_t wait_for_token(struct bucket *b, int64_t now_us)
{
    if (b == NULL) {
        return 0;
    }
    bucket_fill(b, now_us);
    return b->level >= TOKEN ? 0 : (TOKEN - b->level + b->ceiling - 1) / b->ceiling;
}

static void reply_limited(struct world *w, uint32_t request, enum guard_reason reason,
                          uint32_t rate, int64_t wait_us)
{
    const struct request *r = requests_in(w) + request;
    const struct key_entry *key = keys_in(w) + r->key;
    bool of_key = reason == REASON_LIMIT_KEY;
    guards_count_turned(w, r, of_key ? TURNED_LIMIT_KEY : TURNED_LIMIT_TENANT);
    struct trace_record *t =
        router_reply(w, request, OUTCOME_LIMITED, (uint64_t)wait_us, (enum reason)reason);
    t->operand[0] = rate_at_router(w, rate, r->router);
    t->operand[1] = rate;
    t->operand[2] = wait_us;
    t->target = of_key ? SHARD_NONE : (uint16_t)(key->tenant - 1u);
}

bool guards_within_limits(struct world *w, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    const struct key_entry *key = keys_in(w) + r->key;
    const struct tenant *tenant = tenant_of_key(w, key);
    struct bucket *of_key = NULL;
    struct bucket *of_tenant = NULL;
    if (key->limit != 0) {
        of_key = limit_bucket_of(w, r->router, key->limit - 1u);
    }
    if (tenant != NULL && tenant->rate > 0) {
        of_tenant = &tenant_spot_of(w, r->router, key->tenant - 1u)->bucket;
    }
    int64_t key_wait = wait_for_token(of_key, w->now_us);
    int64_t tenant_wait = wait_for_token(of_tenant, w->now_us);
    int64_t wait = key_wait > tenant_wait ? key_wait : tenant_wait;
    if (key_wait > 0) {
        reply_limited(w, request, REASON_LIMIT_KEY, limits_in(w)[key->limit - 1].rate, wait);
        return false;
    }
    if (tenant_wait > 0) {
        reply_limited(w, request, REASON_LIMIT_TENANT, tenant->rate, wait);
        return false;
    }
    if (of_key != NULL) {
        of_key->level -= TOKEN;
    }
    if (of_tenant != NULL) {
        of_tenant->level -= TOKEN;
    }
    return true;
}

/* A bucket that is full from now on. */
static struct bucket full_bucket(int64_t now_us, uint32_t rate)
{
    struct bucket b = {0};
    bucket_set(&b, now_us, rate);
    return b;
}

void guards_set_buckets(struct world *w, uint16_t router)
{
    for (uint32_t i = 0; i < w->config.limits_max; i++) {
        *limit_bucket_of(w, router, i) =
            full_bucket(w->now_us, rate_at_router(w, limits_in(w)[i].rate, router));
    }
    for (uint32_t i = 0; i < w->config.tenants_max; i++) {
        tenant_spot_of(w, router, i)->bucket =
            full_bucket(w->now_us, rate_at_router(w, tenants_in(w)[i].rate, router));
    }
}

static void reply_shed(struct world *w, uint32_t request, enum turned why, int64_t in_hand,
                       int64_t bound, int64_t whole)
{
    const struct request *r = requests_in(w) + request;
    uint8_t tenant = keys_in(w)[r->key].tenant;
    guards_count_turned(w, r, why);
    enum guard_reason reason = why == TURNED_SHARE ? REASON_SHARE : REASON_SHED;
    struct trace_record *t = router_reply(w, request, OUTCOME_SHED, 0, (enum reason)reason);
    t->operand[0] = in_hand;
    t->operand[1] = bound;
    t->operand[2] = whole;
    t->target = why == TURNED_SHARE ? (uint16_t)(tenant - 1u) : SHARD_NONE;
}

bool guards_has_room(struct world *w, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    const struct key_entry *key = keys_in(w) + r->key;
    const struct tenant *tenant = tenant_of_key(w, key);
    bool read = op_reads((enum op_kind)r->op);
    uint32_t shed = w->guards.shed;
    if (tenant != NULL && tenant->share > 0) {
        uint32_t has = tenant_spot_of(w, r->router, key->tenant - 1u)->in_hand;
        uint32_t part = (uint32_t)((uint64_t)shed * tenant->share / 100);
        part = part > 0 ? part : 1;
        if (has >= part) {
            reply_shed(w, request, TURNED_SHARE, has, part, tenant->share);
            return false;
        }
    }
    uint32_t has = guard_routers_in(w)[r->router].in_hand;
    uint32_t bound = read ? shed - shed / SHED_WRITES_ONLY : shed;
    if (has >= bound) {
        reply_shed(w, request, read ? TURNED_SHED_READ : TURNED_SHED_WRITE, has, bound, shed);
        return false;
    }
    return true;
}

void guards_take_in_hand(struct world *w, struct request *r)
{
    struct guard_router *own = guard_routers_of(w) + r->router;
    uint8_t tenant = keys_in(w)[r->key].tenant;
    r->in_hand = 1;
    own->in_hand++;
    own->most_in_hand = own->in_hand > own->most_in_hand ? own->in_hand : own->most_in_hand;
    if (tenant != 0) {
        tenant_spot_of(w, r->router, tenant - 1u)->in_hand++;
    }
}

void guards_let_go(struct world *w, struct request *r)
{
    uint8_t tenant = keys_in(w)[r->key].tenant;
    r->in_hand = 0;
    guard_routers_of(w)[r->router].in_hand--;
    if (tenant != 0) {
        tenant_spot_of(w, r->router, tenant - 1u)->in_hand--;
    }
}
