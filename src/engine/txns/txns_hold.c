/*
 * txns_hold: what must be true of transactions and their rows.
 *
 *   txn-atomic     by 2pc no participant commits while another aborts
 *   txn-all-voted  "commit" is in the coordinator's log only while all are prepared or committed
 *   txn-durable    nobody was told, or has committed, before the log said so; a saga's likewise
 *   txn-alone      no prepared participant decided of its own accord
 *   txn-once       no coordinator decided twice
 *   txn-answered   one that knows nothing of a transaction says so to whoever asks
 *   txn-locks      a row is locked by a transaction that holds it, or free
 *   saga-prefix    of a saga the first so many steps are in effect, each once, and no others
 *   saga-once      each step is taken back once at most
 *   saga-ended     one that is over has every step in effect, or none
 *   rows-kept      all rows together hold what they were set to, and what was given and taken since
 */
#include "engine/txns/txns_inside.h"

#include <inttypes.h>

static bool wrongs_hold(const struct txn *t, struct err *err)
{
    static const struct {
        uint8_t bit;
        const char *words;
    } wrongs[] = {
        {WRONG_UNWRITTEN, "txn-durable: somebody was told of transaction %" PRIu64
                          " what its coordinator's log did not say"},
        {WRONG_DECIDED_TWICE,
         "txn-once: the coordinator of transaction %" PRIu64 " has decided a second time"},
        {WRONG_ALONE, "txn-alone: a prepared participant of transaction %" PRIu64
                      " has decided of its own accord"},
        {WRONG_SILENT, "txn-answered: the coordinator of transaction %" PRIu64
                       " knows nothing of it, and leaves a prepared participant without a word"},
        {WRONG_TWICE, "saga-once: a step of transaction %" PRIu64 " was taken back twice"},
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        if ((t->wrong & wrongs[i].bit) != 0) {
            return err_set(err, wrongs[i].words, t->number);
        }
    }
    return true;
}

static uint32_t count(const struct txn *t, enum part_state state)
{
    uint32_t parts = 0;
    for (uint32_t i = 0; i < t->steps; i++) {
        parts += t->step[i].part.state == state;
    }
    return parts;
}

static bool commit_holds(const struct txn *t, struct err *err)
{
    uint32_t committed = count(t, PART_COMMITTED);
    uint32_t aborted = count(t, PART_ABORTED);
    if (committed > 0 && aborted > 0) {
        return err_set(err,
                       "txn-atomic: one participant of transaction %" PRIu64
                       " has committed while another has aborted",
                       t->number);
    }
    if (t->written && committed + count(t, PART_PREPARED) < t->steps) {
        return err_set(err,
                       "txn-all-voted: the log says that transaction %" PRIu64
                       " is committed, and a participant is not prepared",
                       t->number);
    }
    if (!t->written && committed > 0) {
        return err_set(err,
                       "txn-durable: a participant of transaction %" PRIu64
                       " has committed, and no log says that all will",
                       t->number);
    }
    return true;
}

static bool saga_holds(const struct txn *t, struct err *err)
{
    uint32_t first = 0;
    uint32_t in_effect = 0;
    while (first < t->steps && t->step[first].effect == 1) {
        first++;
    }
    for (uint32_t i = 0; i < t->steps; i++) {
        in_effect += t->step[i].effect != 0;
    }
    if (first != in_effect) {
        return err_set(err,
                       "saga-prefix: of transaction %" PRIu64
                       " a step is in effect while one before it is not",
                       t->number);
    }
    bool over = saga_is_over(&t->saga);
    bool done = t->saga.now.phase == SAGA_DONE;
    if (over && in_effect != (done ? t->steps : 0)) {
        return err_set(err,
                       "saga-ended: transaction %" PRIu64 " is over and %s, and %u of %u steps "
                       "are in effect",
                       t->number, saga_phase_name((enum saga_phase)t->saga.now.phase), in_effect,
                       t->steps);
    }
    return true;
}

/* Whether the transaction holds this row. */
static bool holds_row(const struct txn *t, uint32_t row)
{
    for (uint32_t i = 0; i < t->steps; i++) {
        const struct txn_step *s = &t->step[i];
        if (s->row == row) {
            return s->part.state == PART_PREPARED || s->part.voted != 0;
        }
    }
    return false;
}

static bool locks_hold(const struct world *w, struct err *err)
{
    uint32_t held = 0;
    uint32_t locked = 0;
    for (uint32_t i = 0; i < w->config.txns_max; i++) {
        const struct txn *t = txns_in(w) + i;
        for (uint32_t row = 0; t->number != 0 && row < w->txns.rows; row++) {
            bool mine = txn_rows_in(w)[row].locked_by == t->number;
            locked += mine;
            held += mine && holds_row(t, row);
        }
    }
    uint32_t all = 0;
    for (uint32_t row = 0; row < w->txns.rows; row++) {
        all += txn_rows_in(w)[row].locked_by != 0;
    }
    return (held == locked && locked == all) ||
           err_set(err, "txn-locks: %u rows are locked by transactions that do not hold them",
                   all - held);
}

static bool rows_hold(const struct world *w, struct err *err)
{
    int64_t due = w->txns.opening + w->txns.settled;
    for (uint32_t i = 0; i < w->config.txns_max; i++) {
        const struct txn *t = txns_in(w) + i;
        for (uint32_t step = 0; t->over_us == TXN_NEVER && step < t->steps; step++) {
            due += t->step[step].effect * txn_change(&t->step[step]);
        }
    }
    int64_t held = world_txn_total(w);
    return held == due || err_set(err,
                                  "rows-kept: all rows together hold %" PRId64 ", and %" PRId64
                                  " is what was given and taken",
                                  held, due);
}

bool txns_hold(const struct world *w, struct err *err)
{
    for (uint32_t i = 0; i < w->config.txns_max; i++) {
        const struct txn *t = txns_in(w) + i;
        if (t->number == 0) {
            continue;
        }
        if ((t->by == TXN_BY_2PC && !commit_holds(t, err)) ||
            (t->by == TXN_BY_SAGA && !saga_holds(t, err)) || !wrongs_hold(t, err)) {
            return false;
        }
    }
    return locks_hold(w, err) && rows_hold(w, err);
}
