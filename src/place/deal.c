/*
 * deal: five ways to deal work, and when the last worker is done.
 */
#include "place/deal.h"
#include "base/prng.h"
#include <inttypes.h>
#include <stdio.h>

#define PIECES_A_WORKER 8 /* of `steal`, when nobody says */

static const char *const names[DEAL_COUNT] = {"turn", "rows", "hash", "bytes", "steal"};

const char *deal_by_name(enum deal_by by)
{
    return names[by];
}

struct bytes deal_item_name(char out[DEAL_NAME_MAX], size_t number)
{
    int length = snprintf(out, DEAL_NAME_MAX, "part-%05zu", number);
    return (struct bytes){out, (size_t)length};
}

/* --- dealing ------------------------------------------------------------------------------- */

/* Items [first, end) as one piece. */
static void give(struct deal *d, const struct keyset *items, uint32_t worker, uint64_t first,
                 uint64_t end)
{
    struct deal_worker *w = &d->worker[worker];
    uint64_t cost = 0;
    for (uint64_t i = first; i < end; i++) {
        cost += keyset_load(items, i);
    }
    w->items += end - first;
    w->pieces++;
    w->cost += cost;
    w->finish += cost + d->params.overhead;
}

static uint32_t first_free(const struct deal *d)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < d->params.workers; i++) {
        best = d->worker[i].finish < d->worker[best].finish ? i : best;
    }
    return best;
}

static void deal_pieces(struct deal *d, const struct keyset *items)
{
    uint64_t pieces = d->params.pieces;
    for (uint64_t i = 0; i < pieces; i++) {
        uint32_t worker =
            d->params.by == DEAL_STEAL ? first_free(d) : (uint32_t)(i % d->params.workers);
        give(d, items, worker, i * d->items / pieces, (i + 1) * d->items / pieces);
    }
}

static void deal_by_hash(struct deal *d, struct keyset *items)
{
    const uint64_t *hashes = keyset_hashes(items, d->params.hash, false);
    for (uint64_t i = 0; i < d->items; i++) {
        give(d, items, (uint32_t)(hashes[i] % d->params.workers), i, i + 1);
    }
}

/* Sums are at most DEAL_COST_MAX: twice that, times the workers, is far below 2^64. */
static void deal_by_bytes(struct deal *d, const struct keyset *items)
{
    uint64_t before = 0, first = 0;
    uint32_t worker = 0;
    for (uint64_t i = 0; i < d->items; i++) {
        uint64_t cost = keyset_load(items, i);
        uint64_t at = d->cost > 0 ? (2 * before + cost) * d->params.workers / (2 * d->cost) : 0;
        at = at < d->params.workers ? at : d->params.workers - 1;
        if (at > worker) {
            if (i > first) {
                give(d, items, worker, first, i);
            }
            worker = (uint32_t)at;
            first = i;
        }
        before += cost;
    }
    give(d, items, worker, first, d->items);
}

/* --- one deal ------------------------------------------------------------------------------ */

static bool sum_up(struct deal *d, const struct keyset *items, struct err *err)
{
    for (size_t i = 0; i < d->items; i++) {
        uint64_t cost = keyset_load(items, i);
        d->longest = cost > d->longest ? cost : d->longest;
        d->cost += cost <= DEAL_COST_MAX ? cost : DEAL_COST_MAX + 1;
        if (d->cost > DEAL_COST_MAX) {
            return err_set(err,
                           "deal: all items together cost at most %" PRIu64
                           "; give costs in a larger unit",
                           DEAL_COST_MAX);
        }
    }
    return true;
}

static bool check_params(struct deal *d, struct err *err)
{
    struct deal_params *p = &d->params;
    bool cuts = p->by == DEAL_TURN || p->by == DEAL_STEAL;
    if (d->items == 0) {
        return err_set(err, "deal: there is nothing to deal; give at least one item");
    }
    if (p->workers < 1 || p->workers > DEAL_WORKERS_MAX) {
        return err_set(err, "deal: 1 to %d workers, not %u", DEAL_WORKERS_MAX, p->workers);
    }
    if (p->pieces > 0 && !cuts) {
        return err_set(err, "deal: '%s' cuts by itself; 'pieces' goes with turn and steal",
                       names[p->by]);
    }
    uint64_t pieces = p->pieces;
    if (pieces == 0) {
        pieces = p->by == DEAL_STEAL ? (uint64_t)PIECES_A_WORKER * p->workers : d->items;
    }
    if (cuts && pieces > DEAL_PIECES_MAX) {
        return err_set(err, "deal: at most %d pieces; give 'pieces', or fewer items",
                       DEAL_PIECES_MAX);
    }
    pieces = pieces < d->items ? pieces : d->items;
    p->pieces = (uint32_t)(cuts ? pieces : p->by == DEAL_HASH ? d->items : p->workers);
    if (p->overhead > DEAL_COST_MAX / (d->items > p->pieces ? d->items : p->pieces)) {
        return err_set(
            err, "deal: an overhead so large is more than can be added up; give a smaller one");
    }
    return true;
}

bool deal_make(struct deal *out, struct keyset *items, struct deal_params params, struct err *err)
{
    *out = (struct deal){.params = params, .items = keyset_count(items)};
    if (!check_params(out, err) || !sum_up(out, items, err)) {
        return false;
    }
    switch (params.by) {
    case DEAL_TURN:
    case DEAL_STEAL:
        deal_pieces(out, items);
        break;
    case DEAL_ROWS:
        for (uint64_t i = 0; i < params.workers; i++) {
            uint64_t first = i * out->items / params.workers;
            uint64_t end = (i + 1) * out->items / params.workers;
            if (end > first) {
                give(out, items, (uint32_t)i, first, end);
            }
        }
        break;
    case DEAL_HASH:
        deal_by_hash(out, items);
        break;
    case DEAL_BYTES:
    case DEAL_COUNT:
    default:
        deal_by_bytes(out, items);
        break;
    }
    for (uint32_t i = 0; i < params.workers; i++) {
        uint64_t finish = out->worker[i].finish;
        out->busy += finish;
        if (finish > out->barrier) {
            out->barrier = finish;
            out->slowest = i;
        }
    }
    return true;
}

uint32_t deal_idle(const struct deal *d)
{
    uint64_t all = d->barrier * d->params.workers;
    return all > 0 ? (uint32_t)(((all - d->busy) * 1000 + all / 2) / all) : 0;
}

/* --- synthetic work ------------------------------------------------------------------------ */

static uint64_t drawn(struct prng *random, uint64_t low, uint64_t high)
{
    return low + prng_below(random, high - low + 1);
}

/* Runs of long ones begin in different blocks of `run` items, as many as are wanted, chosen as a
 * sample is: each block with the chance that is left. */
bool deal_work(struct keyset *out, struct deal_work work, struct err *err)
{
    uint64_t run = work.run > 0 ? work.run : 1, longer = work.longer > 0 ? work.longer : 1;
    if (work.low > work.high || work.long_pct > 100 || work.high > DEAL_COST_MAX / longer) {
        return err_set(
            err,
            "deal: costs go from low to high, long ones are 0 to 100 percent, and no cost is "
            "over %" PRIu64,
            DEAL_COST_MAX);
    }
    struct prng costs = prng_seeded(work.seed, "deal-costs");
    struct prng places = prng_seeded(work.seed, "deal-long");
    uint64_t blocks = (work.count + run - 1) / run;
    uint64_t wanted = ((uint64_t)work.count * work.long_pct / 100 + run / 2) / run;
    for (uint64_t block = 0, first = 0; block < blocks; block++, first += run) {
        bool longs = prng_chance(&places, wanted, blocks - block);
        wanted -= longs;
        for (uint64_t i = first; i < first + run && i < work.count; i++) {
            char name[DEAL_NAME_MAX];
            uint64_t cost = longs ? drawn(&costs, work.high, work.high * longer)
                                  : drawn(&costs, work.low, work.high);
            if (!keyset_add(out, deal_item_name(name, i), cost, err)) {
                return false;
            }
        }
    }
    return true;
}
