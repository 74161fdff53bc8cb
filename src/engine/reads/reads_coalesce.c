/*
 * reads_coalesce: identical reads at one router share a query.
 */
#include "engine/reads/reads_inside.h"

static void begin(struct world *w, struct hot_read *row, uint16_t router, uint32_t request,
                  uint8_t which)
{
    uint32_t query = reads_begin(w, row, router, request);
    if (query == NO_INDEX) {
        return;
    }
    requests_of(w)[query].which = which;
    struct trace_record *t = reads_note(w, router, request, REASON_QUERY_BEGUN);
    t->operand[0] = (int64_t)requests_in(w)[query].number;
    reads_wait(w, reads_spot(w, row, router), request);
    reads_send(w, query);
}

bool coalesce_take(struct world *w, struct hot_read *row, uint16_t router, uint32_t request)
{
    struct read_spot *spot = reads_spot(w, row, router);
    uint8_t which = 0;
    switch (flight_read(&spot->flight, &which)) {
    case FLIGHT_JOIN: {
        const struct request *query = requests_in(w) + spot->current;
        struct trace_record *t = reads_note(w, router, request, REASON_QUERY_JOINED);
        t->operand[0] = (int64_t)query->number;
        t->operand[1] = w->now_us - query->issued_us;
        reads_came_after(w, spot, request, query->issued_us);
        reads_wait(w, spot, request);
        return true;
    }
    case FLIGHT_START:
        begin(w, row, router, request, which);
        return true;
    case FLIGHT_ALONE:
        reads_note(w, router, request, REASON_QUERY_ALONE)->operand[0] = FLIGHTS_MAX;
        return false;
    }
    CHECK(false && "a read that does nothing");
    return false;
}

void coalesce_landed(struct world *w, struct hot_read *row, uint16_t router, uint32_t query)
{
    struct read_spot *spot = reads_spot(w, row, router);
    const struct request *r = requests_in(w) + query;
    if (r->number < spot->fill.since) {
        return; /* of an earlier treatment, or of before a crash */
    }
    flight_landed(&spot->flight, r->which);
    if (spot->current == query) {
        spot->current = NO_INDEX;
        spot->tail = NO_INDEX;
    }
}

void coalesce_wrote(struct world *w, struct hot_read *row, uint16_t router)
{
    struct read_spot *spot = reads_spot(w, row, router);
    bool joinable = spot->flight.joinable != 0;
    flight_write_completed(&spot->flight, w->rules);
    if (joinable && spot->flight.joinable == 0) {
        struct trace_record *t = trace_add(w, TRACE_READS);
        t->key = row->key;
        t->slot = keys_in(w)[row->key].slot;
        t->op = OP_READ;
        t->from = node_of(NODE_ROUTER, router);
        t->reason = REASON_QUERY_SEALED;
        t->operand[0] = (int64_t)requests_in(w)[spot->current].number;
        spot->current = NO_INDEX;
        spot->tail = NO_INDEX;
    }
}
