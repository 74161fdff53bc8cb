/*
 * guards_apply: the commands of the guards, each checked whole before anything changes.
 */
#include "engine/apply.h"
#include "engine/guards/guards_inside.h"
#include "engine/store.h"
#include <inttypes.h>
#include <string.h>

#define SHED_MAX 1000000u
#define SAMPLE_MAX 1000000u
#define SPAN_MAX_US (INT64_C(600) * US_PER_SECOND)
#define SPAN_MIN_US US_PER_MS

static struct bytes key_of(const struct command *c)
{
    return (struct bytes){.at = c->key, .length = c->key_length};
}

static struct bytes name_of(const struct command *c)
{
    return (struct bytes){.at = c->other, .length = c->other_length};
}

static bool key_fits(const struct world *w, const struct command *c, struct err *err)
{
    if (c->key_length < 1 || c->key_length > KEY_BYTES_MAX) {
        return err_set(err, "a key has 1 to %d bytes", KEY_BYTES_MAX);
    }
    if (w->keys == w->config.keys_max && store_find_key(w, key_of(c)) == NO_INDEX) {
        return err_set(err, "this world has room for %u keys and has met as many; use one of them",
                       w->config.keys_max);
    }
    return true;
}

/* The tenant's name is good, and known or there is room for one more. */
static bool tenant_fits(const struct world *w, const struct command *c, struct err *err)
{
    uint32_t tenant = 0;
    if (c->other_length < 1 || c->other_length > KEY_BYTES_MAX) {
        return err_set(err, "a tenant's name has 1 to %d bytes", KEY_BYTES_MAX);
    }
    if (!guards_find_tenant(w, name_of(c), &tenant) && w->guards.tenants == w->config.tenants_max) {
        return err_set(err, "this world has room for %u tenants and has as many",
                       w->config.tenants_max);
    }
    return true;
}

static uint32_t tenant_made(struct world *w, const struct command *c)
{
    uint32_t tenant = 0;
    if (guards_find_tenant(w, name_of(c), &tenant)) {
        return tenant;
    }
    tenant = w->guards.tenants++;
    struct tenant *t = tenants_of(w) + tenant;
    t->length = c->other_length;
    memcpy(t->name, c->other, c->other_length);
    return tenant;
}

/* A free row of limited keys; limits_max: there is none. */
static uint32_t free_limit(const struct world *w)
{
    uint32_t row = 0;
    while (row < w->config.limits_max && limits_in(w)[row].rate > 0) {
        row++;
    }
    return row;
}

static bool rate_fits(const struct world *w, uint32_t rate, struct err *err)
{
    if (rate > CEILING_MAX) {
        return err_set(err, "a limit is at most %u a second", CEILING_MAX);
    }
    if (rate > 0 && rate < w->config.routers) {
        return err_set(err,
                       "%u routers cannot share a limit of %u a second; give one a second for "
                       "each at least",
                       w->config.routers, rate);
    }
    return true;
}

/* Limits that are there count, of keys and of tenants. */
static void count_limit(struct world *w, uint32_t before, uint32_t now)
{
    if (before == 0 && now > 0) {
        w->guards.limits++;
    } else if (before > 0 && now == 0) {
        w->guards.limits--;
    }
    guards_refresh(w);
}

static bool apply_limit_key(struct world *w, const struct command *c, struct err *err)
{
    if (!key_fits(w, c, err) || !rate_fits(w, c->rate, err)) {
        return false;
    }
    uint32_t key = store_find_key(w, key_of(c));
    bool limited = key != NO_INDEX && keys_in(w)[key].limit != 0;
    uint32_t row = limited ? keys_in(w)[key].limit - 1u : free_limit(w);
    if (c->rate == 0 && !limited) {
        return err_set(err, "this key has no limit, so none can end");
    }
    if (row == w->config.limits_max) {
        return err_set(err, "this world has room for %u limited keys, all taken; end one first",
                       w->config.limits_max);
    }
    key = store_intern(w, key_of(c));
    struct limit *limit = limits_of(w) + row;
    count_limit(w, limit->rate, c->rate);
    *limit = (struct limit){.key = key, .rate = c->rate};
    keys_of(w)[key].limit = (uint8_t)(c->rate > 0 ? row + 1 : 0);
    for (uint16_t router = 0; router < w->config.routers; router++) {
        bucket_set(limit_bucket_of(w, router, row), w->now_us, rate_at_router(w, c->rate, router));
    }
    apply_note(w, c, key, node_of(NODE_NONE, 0), c->rate, 0);
    return true;
}

static bool apply_limit_tenant(struct world *w, const struct command *c, struct err *err)
{
    uint32_t tenant = 0;
    if (!tenant_fits(w, c, err) || !rate_fits(w, c->rate, err)) {
        return false;
    }
    bool known = guards_find_tenant(w, name_of(c), &tenant);
    if (c->rate == 0 && (!known || tenants_in(w)[tenant].rate == 0)) {
        return err_set(err, "this tenant has no limit, so none can end");
    }
    tenant = tenant_made(w, c);
    count_limit(w, tenants_in(w)[tenant].rate, c->rate);
    tenants_of(w)[tenant].rate = c->rate;
    for (uint16_t router = 0; router < w->config.routers; router++) {
        bucket_set(&tenant_spot_of(w, router, tenant)->bucket, w->now_us,
                   rate_at_router(w, c->rate, router));
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), c->rate, tenant);
    return true;
}

static bool apply_limit(struct world *w, const struct command *c, struct err *err)
{
    return c->mode == 0 ? apply_limit_key(w, c, err) : apply_limit_tenant(w, c, err);
}

/* What routers have in hand of this key goes from one tenant's count to the other's. */
static void move_in_hand(struct world *w, uint32_t key, uint8_t from, uint8_t to)
{
    for (uint32_t i = 0; i < w->requests_used; i++) {
        const struct request *r = requests_in(w) + i;
        if (r->number == 0 || !r->in_hand || r->key != key) {
            continue;
        }
        if (from != 0) {
            tenant_spot_of(w, r->router, from - 1u)->in_hand--;
        }
        tenant_spot_of(w, r->router, to - 1u)->in_hand++;
    }
}

static bool apply_tenant(struct world *w, const struct command *c, struct err *err)
{
    if (!tenant_fits(w, c, err) || !key_fits(w, c, err)) {
        return false;
    }
    uint32_t key = store_intern(w, key_of(c));
    uint32_t tenant = tenant_made(w, c);
    struct key_entry *entry = keys_of(w) + key;
    move_in_hand(w, key, entry->tenant, (uint8_t)(tenant + 1));
    entry->tenant = (uint8_t)(tenant + 1);
    apply_note(w, c, key, node_of(NODE_NONE, 0), tenant, 0);
    return true;
}

static bool span_fits(const char *what, int64_t us, struct err *err)
{
    if (us < SPAN_MIN_US || us > SPAN_MAX_US) {
        return err_set(err, "%s lasts from 1 ms to %" PRId64 " seconds", what,
                       SPAN_MAX_US / US_PER_SECOND);
    }
    return true;
}

static bool apply_clients(struct world *w, const struct command *c, struct err *err)
{
    struct guards_state *g = &w->guards;
    bool repeat = c->mode != CLIENTS_NONE;
    if (c->mode > CLIENTS_BACKOFF || (repeat && (c->count < 1 || c->count > CLIENT_REPEATS_MAX))) {
        return err_set(err, "clients ask again 1 to %d times, or not at all", CLIENT_REPEATS_MAX);
    }
    if (c->amount > 100) {
        return err_set(err, "a budget of repeats is 1 to 100 percent of the first asks");
    }
    if (c->mode == CLIENTS_BACKOFF && !span_fits("the first wait of a client", c->period_us, err)) {
        return false;
    }
    g->retries = repeat;
    g->policy = c->mode;
    g->times = (uint8_t)(repeat ? c->count : 0);
    g->first_wait_us = c->period_us;
    g->jitter = c->pick != 0;
    g->budget_percent = (uint16_t)c->amount;
    memset(g->budget, 0, sizeof g->budget);
    g->waiting = prng_seeded(w->config.seed, "clients wait");
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0),
               (int64_t)(c->mode | (uint32_t)g->times << 4 | (uint32_t)g->jitter << 8 |
                         (uint32_t)g->budget_percent << 12),
               c->period_us);
    return true;
}

static bool apply_breaker(struct world *w, const struct command *c, struct err *err)
{
    struct guards_state *g = &w->guards;
    if (c->on && (c->count < 1 || c->count > 100)) {
        return err_set(err, "a breaker opens at 1 to 100 percent of failures");
    }
    if (c->on && (!span_fits("a breaker's window", c->period_us, err) ||
                  !span_fits("an open breaker", c->bound_us, err))) {
        return false;
    }
    g->breakers = c->on;
    g->breaker = (struct breaker_setting){0};
    if (c->on) {
        g->breaker = (struct breaker_setting){
            .percent = c->count, .window_us = c->period_us, .open_us = c->bound_us};
    }
    uint32_t breakers = (uint32_t)w->config.routers * w->config.shards_max;
    for (uint32_t i = 0; i < breakers; i++) {
        breakers_of(w)[i] = (struct breaker_core){0};
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), c->count, c->bound_us);
    return true;
}

static bool has_shares(const struct world *w)
{
    for (uint32_t i = 0; i < w->guards.tenants; i++) {
        if (tenants_in(w)[i].share > 0) {
            return true;
        }
    }
    return false;
}

static bool apply_shed(struct world *w, const struct command *c, struct err *err)
{
    if (c->count > SHED_MAX) {
        return err_set(err, "a router may have 1 to %u requests in hand", SHED_MAX);
    }
    if (c->count == 0 && has_shares(w)) {
        return err_set(err, "tenants have shares of what a router may have in hand; end those "
                            "first: share TENANT off");
    }
    w->guards.shed = c->count;
    guards_refresh(w);
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), c->count, 0);
    return true;
}

static bool apply_share(struct world *w, const struct command *c, struct err *err)
{
    uint32_t tenant = 0;
    if (!tenant_fits(w, c, err)) {
        return false;
    }
    if (c->count > 100) {
        return err_set(err, "a share is 1 to 100 percent");
    }
    if (c->count > 0 && w->guards.shed == 0) {
        return err_set(err, "a share is a part of what a router may have in hand, and that has no "
                            "bound yet; give one first: shed N");
    }
    if (c->count == 0 &&
        (!guards_find_tenant(w, name_of(c), &tenant) || tenants_in(w)[tenant].share == 0)) {
        return err_set(err, "this tenant has no share, so none can end");
    }
    tenant = tenant_made(w, c);
    tenants_of(w)[tenant].share = (uint8_t)c->count;
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), c->count, tenant);
    return true;
}

static bool apply_sample(struct world *w, const struct command *c, struct err *err)
{
    struct guards_state *g = &w->guards;
    if (c->count > SAMPLE_MAX) {
        return err_set(err, "a sample takes 1 in 1 to 1 in %u requests", SAMPLE_MAX);
    }
    if (c->count > 0 &&
        (!span_fits("a sample's window", c->period_us, err) || !apply_event_room(w, 1, err))) {
        return false;
    }
    if (c->count > 0 && w->config.watch_max == 0) {
        return err_set(err, "the routers of this world have no room to count keys in");
    }
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), c->count, c->period_us);
    g->sample = c->count;
    g->sample_life++;
    g->window_us = c->count > 0 ? c->period_us : 0;
    g->sampling = prng_seeded(w->config.seed, "sample");
    guards_refresh(w);
    if (c->count > 0) {
        guards_sample_start(w);
    }
    return true;
}

bool guards_apply(struct world *w, const struct command *c, struct err *err)
{
    static bool (*const apply[])(struct world * w, const struct command *c, struct err *err) = {
        [COMMAND_LIMIT - COMMAND_LIMIT] = apply_limit,
        [COMMAND_TENANT - COMMAND_LIMIT] = apply_tenant,
        [COMMAND_CLIENTS - COMMAND_LIMIT] = apply_clients,
        [COMMAND_BREAKER - COMMAND_LIMIT] = apply_breaker,
        [COMMAND_SHED - COMMAND_LIMIT] = apply_shed,
        [COMMAND_SHARE - COMMAND_LIMIT] = apply_share,
        [COMMAND_SAMPLE - COMMAND_LIMIT] = apply_sample,
    };
    CHECK(c->kind >= COMMAND_LIMIT && c->kind <= COMMAND_SAMPLE);
    return apply[c->kind - COMMAND_LIMIT](w, c, err);
}
