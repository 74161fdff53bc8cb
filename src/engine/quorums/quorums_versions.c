/*
 * quorums_versions: which version replaces which.
 *
 * A version is the count that its node gave out for it, and for every other node the last count
 * that its writer had seen. So a later one descends from an earlier one if its clock has the
 * earlier one's own count. The clock is kept in a store that goes by time as well: it tells what a
 * later write had not seen.
 */
#include "engine/quorums/quorums_inside.h"

#include <string.h>

uint32_t versions_size(const struct version_set *set)
{
    uint32_t n = 0;
    while (n < STORE_SIBLINGS_MAX && set->at[n] != 0) {
        n++;
    }
    return n;
}

bool version_descends(const struct store_row *s, uint16_t later, uint16_t earlier)
{
    const struct store_version *old = s->version + earlier;
    return s->version[later].clock[old->node] >= old->clock[old->node];
}

/* By the writer's clock; at one instant the one made second. */
static bool is_later(const struct store_row *s, uint16_t a, uint16_t b)
{
    const struct store_version *one = s->version + a;
    const struct store_version *two = s->version + b;
    return one->made_us != two->made_us ? one->made_us > two->made_us : one->number > two->number;
}

/* Whether who holds `held` has no use for `version`. */
static bool replaces(const struct store_row *s, uint16_t held, uint16_t version)
{
    return version_descends(s, held, version) || (!s->clock && is_later(s, held, version));
}

bool versions_cover(const struct store_row *s, const struct version_set *set, uint16_t version)
{
    for (uint32_t i = 0; i < versions_size(set); i++) {
        if (replaces(s, (uint16_t)(set->at[i] - 1), version)) {
            return true;
        }
    }
    return false;
}

uint16_t versions_latest(const struct store_row *s, const struct version_set *set)
{
    uint16_t best = UINT16_MAX;
    for (uint32_t i = 0; i < versions_size(set); i++) {
        uint16_t at = (uint16_t)(set->at[i] - 1);
        best = best == UINT16_MAX || is_later(s, at, best) ? at : best;
    }
    return best;
}

/* --- losses --- */

static void count_loss(struct store_row *s, uint16_t version)
{
    struct store_version *v = s->version + version;
    if (v->dropped && v->acked_us >= 0 && !v->overwritten) {
        v->overwritten = true;
        s->overwritten++;
    }
}

static void drop(struct store_row *s, uint16_t version, bool keep)
{
    if (keep) {
        s->version[version].dropped = true;
        count_loss(s, version);
    }
}

void version_acked(struct world *w, struct store_row *s, uint16_t version)
{
    s->version[version].acked_us = w->now_us;
    s->version[version].acked_no = s->moments;
    s->version[version].acked_w = s->w;
    s->version[version].acked_hints = s->hints_count;
    count_loss(s, version);
}

/* --- sets --- */

/* The version comes in and pushes out what it replaces. */
static struct taking push(struct store_row *s, struct version_set *set, uint16_t version, bool keep)
{
    struct taking taking = {TAKEN_NEW, 0};
    struct version_set left = {{0}};
    uint32_t n = 0;
    for (uint32_t i = 0; i < versions_size(set); i++) {
        uint16_t at = (uint16_t)(set->at[i] - 1);
        bool seen = version_descends(s, version, at);
        if (seen || !s->clock) {
            if (!seen) {
                taking = (struct taking){TAKEN_OVER, s->version[at].value};
                drop(s, at, keep);
            }
            continue;
        }
        left.at[n++] = set->at[i];
    }
    CHECK(n < STORE_SIBLINGS_MAX);
    taking.how = n > 0 ? TAKEN_SIBLING : taking.how;
    left.at[n] = (uint16_t)(version + 1);
    *set = left;
    return taking;
}

struct taking versions_take(struct store_row *s, struct version_set *set, uint16_t version,
                            bool keep)
{
    for (uint32_t i = 0; i < versions_size(set); i++) {
        uint16_t at = (uint16_t)(set->at[i] - 1);
        if (version_descends(s, at, version)) {
            return (struct taking){TAKEN_KNOWN, 0};
        }
        if (replaces(s, at, version)) {
            drop(s, version, keep);
            return (struct taking){TAKEN_UNDER, s->version[at].value};
        }
    }
    return push(s, set, version, keep);
}

/* --- which are alive --- */

struct alive {
    uint64_t bit[STORE_VERSIONS_MAX / 64];
};

static void mark(struct alive *alive, const struct version_set *set)
{
    for (uint32_t i = 0; i < versions_size(set); i++) {
        uint32_t at = set->at[i] - 1u;
        alive->bit[at / 64] |= UINT64_C(1) << at % 64;
    }
}

static bool is_marked(const struct alive *alive, uint32_t version)
{
    return (alive->bit[version / 64] >> version % 64 & 1) != 0;
}

static bool is_recent(const struct world *w, const struct store_version *v)
{
    int64_t since = v->let_go_us > v->made_us ? v->let_go_us : v->made_us;
    return since + VERSION_LIVES_US > w->now_us;
}

void versions_let_go(const struct world *w, struct store_row *s, const struct version_set *set)
{
    for (uint32_t i = 0; i < versions_size(set); i++) {
        s->version[set->at[i] - 1].let_go_us = w->now_us;
    }
}

/* What a node holds, an open operation needs, or was made or let go a moment ago. */
static struct alive alive_now(const struct world *w, const struct store_row *s)
{
    struct alive alive = {{0}};
    for (uint32_t node = 0; node < s->nodes; node++) {
        for (uint32_t key = 0; key < s->keys; key++) {
            mark(&alive, &s->cell[node][key].held);
        }
    }
    for (uint32_t i = 0; i < STORE_HISTORY_MAX; i++) {
        const struct quorum_op *op = s->op + i;
        if (op->number == 0 || op->lost || op->closed) {
            continue;
        }
        mark(&alive, &op->result);
        for (uint32_t place = 0; place < s->n; place++) {
            mark(&alive, &op->reply[0][place]);
            mark(&alive, &op->reply[1][place]);
        }
    }
    for (uint32_t v = 0; v < STORE_VERSIONS_MAX; v++) {
        if (s->version[v].number != 0 && is_recent(w, s->version + v)) {
            alive.bit[v / 64] |= UINT64_C(1) << v % 64;
        }
    }
    return alive;
}

uint64_t version_name(const struct store_row *s, uint16_t version)
{
    return (uint64_t)s->version[version].number << 16 | version;
}

bool version_of(const struct world *w, const struct store_row *s, uint64_t name, uint16_t *out)
{
    uint16_t at = (uint16_t)(name & UINT16_MAX);
    if (at >= STORE_VERSIONS_MAX || s->version[at].number != name >> 16) {
        return false;
    }
    *out = at;
    if (is_recent(w, s->version + at)) {
        return true;
    }
    struct alive alive = alive_now(w, s);
    return is_marked(&alive, at);
}

/* --- a new one --- */

static void see(uint16_t clock[STORE_NODES_MAX], const uint16_t other[STORE_NODES_MAX])
{
    for (uint32_t node = 0; node < STORE_NODES_MAX; node++) {
        clock[node] = other[node] > clock[node] ? other[node] : clock[node];
    }
}

static void see_all(uint16_t clock[STORE_NODES_MAX], const struct store_row *s,
                    const struct version_set *set)
{
    for (uint32_t i = 0; i < versions_size(set); i++) {
        see(clock, s->version[set->at[i] - 1].clock);
    }
}

void version_seen(struct store_row *s, uint8_t key, uint8_t node, const struct version_set *set)
{
    see_all(s->seen[node][key], s, set);
}

/* Those alive of its key that it does not replace would be beside it some day. */
static bool fits_beside(const struct store_row *s, const struct alive *alive,
                        const struct store_version *fresh, struct err *err)
{
    uint32_t beside = 0;
    for (uint32_t v = 0; s->clock && v < STORE_VERSIONS_MAX; v++) {
        const struct store_version *old = s->version + v;
        bool seen = fresh->clock[old->node] >= old->clock[old->node];
        beside += is_marked(alive, v) && old->key == fresh->key && !seen;
    }
    if (beside < STORE_SIBLINGS_MAX) {
        return true;
    }
    return err_set(err,
                   "%.*s has %u values side by side, and no more are kept; get it, then set it "
                   "through the same node",
                   s->key[fresh->key].length, s->key[fresh->key].text, beside);
}

static uint16_t free_version(struct store_row *s, const struct alive *alive)
{
    uint16_t best = UINT16_MAX;
    for (uint16_t v = 0; v < STORE_VERSIONS_MAX; v++) {
        bool older = best == UINT16_MAX || s->version[v].number < s->version[best].number;
        best = !is_marked(alive, v) && older ? v : best;
    }
    return best;
}

uint16_t version_make(struct world *w, uint32_t store, uint8_t key, uint8_t node, uint64_t value,
                      struct err *err)
{
    struct store_row *s = stores_of(w) + store;
    struct alive alive = alive_now(w, s);
    uint16_t *seen = s->seen[node][key];
    struct store_version fresh = {.value = value,
                                  .made_us = w->now_us,
                                  .let_go_us = -1,
                                  .acked_us = -1,
                                  .key = key,
                                  .node = node};
    see_all(fresh.clock, s, &s->cell[node][key].held);
    see(fresh.clock, seen);
    fresh.clock[node] = (uint16_t)(seen[node] + 1);
    uint16_t at = free_version(s, &alive);
    if (at == UINT16_MAX || seen[node] == UINT16_MAX) {
        err_set(err, "%s has no room for one more version now; run the world first", s->name);
        return UINT16_MAX;
    }
    if (!fits_beside(s, &alive, &fresh, err)) {
        return UINT16_MAX;
    }
    see(seen, fresh.clock);
    fresh.number = ++s->last_version;
    s->version[at] = fresh;
    return at;
}
