/*
 * sim_txns: random transactions, by 2pc, as sagas and by nothing, over few rows.
 *
 * Each row is in the slot of one of the seed's keys, so it moves as often as that does. In the end
 * every transaction has come to its end.
 */
#include "sim_ops.h"

#include "engine/txns/txns.h"
#include <inttypes.h>
#include <stdio.h>

static void draw(struct sim *s)
{
    s->config.txns_max = 12;
    s->config.txn_rows_max = 2 * SIM_KEYS_MAX;
}

static bool set_row(struct sim *s)
{
    uint32_t row = more_below(s, s->keys);
    return sim_do(s, "row row:{k%u} %u", row, more_below(s, 30));
}

static bool let_die(struct sim *s)
{
    enum txn_point point = (enum txn_point)more_below(s, TXN_POINTS);
    if (more_below(s, 6) == 0) {
        return sim_do(s, "coordinator lives");
    }
    return sim_do(s, "coordinator dies %s %u", txn_point_name(point), 1 + more_below(s, 1500));
}

/* A step about row `row`, behind what is in `text`. */
static size_t add_step(struct sim *s, char *text, size_t room, uint32_t row)
{
    uint32_t what = more_below(s, 10);
    if (what < 4) {
        return (size_t)snprintf(text, room, " take row:{k%u} %u", row, 1 + more_below(s, 15));
    }
    if (what < 8) {
        return (size_t)snprintf(text, room, " give row:{k%u} %u", row, 1 + more_below(s, 15));
    }
    return (size_t)snprintf(text, room, " %s name:{k%u}", what == 8 ? "claim" : "free", row);
}

static bool begin(struct sim *s)
{
    static const char *const by[] = {"2pc", "2pc", "2pc", "saga", "saga", "saga", "plain"};
    char steps[128];
    size_t length = 0;
    uint32_t count = 1 + more_below(s, 3);
    uint32_t first = more_below(s, s->keys);
    const char *how = by[more_below(s, sizeof by / sizeof *by)];
    for (uint32_t i = 0; i < count && i < s->keys; i++) {
        length += add_step(s, steps + length, sizeof steps - length, (first + i) % s->keys);
    }
    return sim_do(s, "txn %s via R%u%s", how, more_below(s, s->config.routers), steps);
}

/* A message of a transaction is held up for long: often as long as its coordinator waits. */
static bool hold_up(struct sim *s)
{
    const struct world *w = s->world;
    struct txn_info t = world_txn(w, 0);
    for (uint64_t i = trace_next(w); t.number != 0 && i > trace_first(w); i--) {
        const struct trace_record *r = trace_get(w, i - 1);
        if (r != NULL && r->kind == TRACE_ROUTE && r->op >= OP_PREPARE && r->op <= OP_BACK) {
            uint32_t ms =
                more_below(s, 2) == 0 ? 1 + more_below(s, 1500) : 950 + more_below(s, 200);
            return sim_do(s, "hold %" PRIu64 " %u", r->request, ms);
        }
    }
    return false;
}

static bool act(struct sim *s)
{
    switch (more_below(s, 16)) {
    case 0:
    case 1:
        return set_row(s);
    case 2:
    case 3:
        return let_die(s);
    case 4:
        return hold_up(s);
    default:
        return begin(s);
    }
}

static void calm(struct sim *s)
{
    sim_do(s, "coordinator lives");
}

/* Faults are off, time has passed: nothing is open, and no lock is left. */
static bool rests(struct sim *s)
{
    struct txn_counts counts = world_txn_counts(s->world);
    for (uint32_t i = 0; i < world_txn_rows(s->world); i++) {
        struct txn_row_info row = world_txn_row(s->world, i);
        if (row.locked_by != 0) {
            return err_set(&s->err,
                           "txn-ends: all is quiet, and a row is locked by transaction %" PRIu64,
                           row.locked_by);
        }
    }
    return counts.open == 0 ||
           err_set(&s->err, "txn-ends: all is quiet, and %" PRIu64 " transactions are open",
                   counts.open);
}

const struct sim_extra sim_extra_txns = {
    .name = "txns", .draw = draw, .act = act, .calm = calm, .rests = rests};
