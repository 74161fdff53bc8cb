/*
 * reads_cache: the micro-cache of a router, and the edge of a zone, which is one without a stale
 * bound of its own.
 */
#include "engine/reads/reads_inside.h"

/* From the entry. How old it really is counts from when its fetch was sent, whatever the rules say.
 */
static void serve(struct world *w, const struct hot_read *row, uint32_t place, uint32_t request)
{
    struct read_spot *spot = reads_spot(w, row, place);
    int64_t age = w->now_us - spot->fill.born_us;
    int64_t really = w->now_us - spot->sent_us;
    bool fresh = age < row->fresh_us;
    *(fresh ? &spot->hits : &spot->stale_hits) += 1;
    spot->oldest_us = really > spot->oldest_us ? really : spot->oldest_us;
    if (really > row->stale_us) {
        promise_broken(w, PROMISE_AGE, requests_in(w)[request].number, row->key, row->stale_us,
                       really);
    }
    reads_came_after(w, spot, request, spot->sent_us);
    struct trace_record *t = reads_answer(w, place, request, OUTCOME_OK, spot->value);
    t->reason = (uint8_t)(fresh ? REASON_CACHE_FRESH : REASON_CACHE_STALE);
    t->operand[0] = really;
    t->operand[1] = row->fresh_us;
    t->operand[2] = row->stale_us;
}

/* A fetch, for a read that waits for it or in the background. */
static void fetch(struct world *w, struct hot_read *row, uint32_t place, uint32_t request,
                  bool waits)
{
    struct read_spot *spot = reads_spot(w, row, place);
    if (spot->fill.fetching) {
        promise_broken(w, PROMISE_ONE_FETCH, requests_in(w)[request].number, row->key, 1, 2);
    }
    uint32_t own = reads_begin(w, row, place, request);
    if (own == NO_INDEX) {
        return;
    }
    uint64_t number = requests_in(w)[own].number;
    struct trace_record *t =
        reads_note(w, place, request, waits ? REASON_CACHE_FETCH : REASON_CACHE_REFRESH);
    t->operand[0] = spot->fill.held ? w->now_us - spot->sent_us : -1;
    t->operand[1] = waits ? row->stale_us : row->fresh_us;
    t->operand[2] = (int64_t)number;
    fill_sent(&spot->fill, number);
    beside_ask(w, row, own);
    if (waits) {
        reads_wait(w, spot, request);
    }
    reads_send(w, own);
}

void cache_take(struct world *w, struct hot_read *row, uint32_t place, uint32_t request)
{
    struct read_spot *spot = reads_spot(w, row, place);
    switch (fill_read(&spot->fill, w->rules, w->now_us, row->fresh_us, row->stale_us)) {
    case FILL_SERVE:
        serve(w, row, place, request);
        return;
    case FILL_SERVE_REFRESH:
        serve(w, row, place, request);
        fetch(w, row, place, request, false);
        return;
    case FILL_WAIT: {
        const struct request *current = requests_in(w) + spot->current;
        struct trace_record *t = reads_note(w, place, request, REASON_CACHE_WAIT);
        t->operand[0] = (int64_t)current->number;
        t->operand[1] = w->now_us - current->issued_us;
        reads_came_after(w, spot, request, current->issued_us);
        reads_wait(w, spot, request);
        return;
    }
    case FILL_FETCH:
        fetch(w, row, place, request, true);
        return;
    }
    CHECK(false && "a read that does nothing");
}

enum reads_reason cache_landed(struct world *w, struct hot_read *row, uint32_t place, uint32_t own,
                               bool ok, uint64_t value)
{
    struct read_spot *spot = reads_spot(w, row, place);
    const struct request *r = requests_in(w) + own;
    if (spot->current == own) {
        spot->current = NO_INDEX;
        spot->tail = NO_INDEX;
    }
    if (!ok) {
        fill_failed(&spot->fill, r->number);
        return REASON_FETCH_FAILED;
    }
    if (!fill_landed(&spot->fill, w->rules, r->number, r->issued_us, w->now_us)) {
        return REASON_CACHE_NOT_KEPT;
    }
    spot->value = value;
    spot->count = r->spare ? r->value : 0;
    spot->counted = r->spare && r->which != 0;
    spot->sent_us = r->issued_us;
    return REASON_CACHE_FILLED;
}

void cache_edited(struct world *w, struct hot_read *row, uint16_t router)
{
    struct read_spot *spot = reads_spot(w, row, router);
    struct fill_core before = spot->fill;
    fill_edited(&spot->fill, w->rules);
    bool dropped = before.held && !spot->fill.held;
    bool disowned = before.fetching && !spot->fill.fetching;
    if (disowned) {
        spot->current = NO_INDEX;
        spot->tail = NO_INDEX;
    }
    if (dropped || disowned) {
        struct trace_record *t = trace_add(w, TRACE_READS);
        t->key = row->key;
        t->slot = keys_in(w)[row->key].slot;
        t->op = OP_EDIT;
        t->from = node_of(NODE_ROUTER, router);
        t->reason = REASON_CACHE_DROPPED;
        t->operand[0] = dropped ? w->now_us - spot->sent_us : -1;
        t->operand[1] = disowned;
    }
}
