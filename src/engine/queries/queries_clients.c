/*
 * queries_clients: who asks: clients, so many a second, and the job of a popular query.
 *
 * A client sits in its router's zone; the way between them is in no latency here. Once the job has
 * a result, routers answer from it. The job sends its questions through the first router of its
 * zone that is up, and skips a period when the run before it has not ended, or no router is there.
 */
#include "engine/queries/queries_inside.h"
#include "engine/queue.h"
#include "engine/steps.h"

static uint32_t latency_place(int64_t us)
{
    uint64_t tenths = (uint64_t)us / 100;
    if (tenths < LATENCY_FINE) {
        return (uint32_t)tenths;
    }
    uint64_t middle = (tenths - LATENCY_FINE) / 16;
    if (middle < LATENCY_MIDDLE) {
        return (uint32_t)(LATENCY_FINE + middle);
    }
    uint64_t coarse = (middle - LATENCY_MIDDLE) / 20;
    coarse = coarse < LATENCY_COARSE ? coarse : LATENCY_COARSE - 1;
    return (uint32_t)(LATENCY_FINE + LATENCY_MIDDLE + coarse);
}

/* The longest latency that falls into a place. */
static int64_t latency_most(uint32_t place)
{
    const int64_t fine = (int64_t)LATENCY_FINE * 100;
    const int64_t middle = fine + (int64_t)LATENCY_MIDDLE * 1600;
    if (place < LATENCY_FINE) {
        return ((int64_t)place + 1) * 100;
    }
    if (place < LATENCY_FINE + LATENCY_MIDDLE) {
        return fine + ((int64_t)place - LATENCY_FINE + 1) * 1600;
    }
    return middle + ((int64_t)place - LATENCY_FINE - LATENCY_MIDDLE + 1) * 32000;
}

void query_answered(struct world *w, uint32_t query, int64_t took_us)
{
    struct query_row *q = query_rows_of(w) + query;
    q->answered++;
    q->latency[latency_place(took_us)]++;
    q->longest_us = took_us > q->longest_us ? took_us : q->longest_us;
}

int64_t world_query_latency(const struct world *w, uint32_t index, uint32_t thousandths)
{
    CHECK(index < w->config.queries_max && thousandths <= 1000);
    const struct query_row *q = query_rows_in(w) + index;
    uint64_t wanted = (q->answered * thousandths + 999) / 1000;
    uint64_t seen = 0;
    for (uint32_t place = 0; place < LATENCIES && wanted > 0; place++) {
        seen += q->latency[place];
        if (seen >= wanted) {
            int64_t most = latency_most(place);
            return most < q->longest_us ? most : q->longest_us;
        }
    }
    return 0;
}

bool query_from_result(struct world *w, uint32_t query, uint16_t router)
{
    struct query_row *q = query_rows_of(w) + query;
    if (q->info.period_us == 0 || q->result_us < 0 || routers_in(w)[router].down) {
        return false;
    }
    q->info.asked++;
    q->info.from_result++;
    query_answered(w, query, 0);
    struct trace_record *t = query_note(w, QUERY_FROM_RESULT, query, 0);
    t->from = node_of(NODE_ROUTER, router);
    t->to = node_of(NODE_CLIENT, routers_in(w)[router].zone);
    t->operand[1] = w->now_us - q->result_us;
    return true;
}

void queries_client(struct world *w, uint32_t query)
{
    struct query_row *q = query_rows_of(w) + query;
    uint16_t router = traffic_router(w, &q->flow);
    q->flow.asked++;
    if (!query_from_result(w, query, router)) {
        gather_start(w, query, router, ASKER_CLIENT);
    }
    traffic_next(&q->flow);
    query_wake(w, WAKE_ARRIVAL, query, q->flow_number, q->flow.next_us);
}

void queries_job(struct world *w, uint32_t query)
{
    struct query_row *q = query_rows_of(w) + query;
    uint16_t router = 0;
    while (router < w->config.routers &&
           (routers_in(w)[router].down || routers_in(w)[router].zone != q->info.zone)) {
        router++;
    }
    if (router < w->config.routers && q->job_gather == NO_INDEX) {
        gather_start(w, query, router, ASKER_JOB);
    }
    query_wake(w, WAKE_JOB, query, q->job_number, w->now_us + q->info.period_us);
}
