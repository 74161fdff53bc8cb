/*
 * queries_run: a router asks all shards, hedges, gives up, asks again, and ends.
 *
 * Rounds: when nobody is waited for and slots are missing, the router fetches the map and asks
 * their owners a little later, 10, 20, 40 ms ... as after "retry", at most ATTEMPTS_MAX times. A
 * shard that was given up is asked again too when the query has a deadline; without one, time is up
 * then.
 */
#include "engine/directory.h"
#include "engine/queries/queries_inside.h"
#include "engine/queue.h"
#include "engine/steps.h"

void query_wake(struct world *w, enum wake wake, uint32_t index, uint64_t number, int64_t at_us)
{
    struct event *event = queue_at(w, at_us, EVENT_JOB);
    event->request = index;
    event->detail = (uint8_t)((unsigned)wake << 4 | JOB_QUERY);
    event->carries.value = number;
}

/* A timer of a gather, good for this round. */
static void wake_gather(struct world *w, enum wake wake, uint32_t gather, int64_t at_us)
{
    const struct gather_row *g = gathers_in(w) + gather;
    query_wake(w, wake, gather, g->number << 8 | g->core.round, at_us);
}

uint8_t query_follower_zone(const struct world *w, uint16_t shard, uint8_t zone)
{
    uint8_t leader = shards_in(w)[shard].zone;
    if (leader != zone) {
        return zone;
    }
    return (uint8_t)((leader + 1) % w->config.zones);
}

/* --- the run that is shown --- */

bool gather_is_shown(const struct world *w, uint32_t gather)
{
    return query_rows_in(w)[gathers_in(w)[gather].query].shown == gather;
}

struct query_part_info *gather_shows(struct world *w, uint32_t gather, uint16_t shard)
{
    struct query_row *q = query_rows_of(w) + gathers_in(w)[gather].query;
    for (uint32_t i = 0; q->shown == gather && i < q->last.parts; i++) {
        if (q->last.part[i].shard == shard) {
            return &q->last.part[i];
        }
    }
    return NULL;
}

/* A client's run is shown as long as no other kind was asked, one after the other. */
static void show(struct world *w, uint32_t gather)
{
    const struct gather_row *g = gathers_in(w) + gather;
    struct query_row *q = query_rows_of(w) + g->query;
    bool first = q->last.number == 0;
    if (g->asker == ASKER_CLIENT && !first &&
        (q->shown_asker != ASKER_CLIENT || q->shown != NO_INDEX)) {
        return;
    }
    if (g->asker == ASKER_JOB && !first && q->shown_asker == ASKER_COMMAND &&
        q->shown != NO_INDEX) {
        return;
    }
    q->shown = gather;
    q->shown_asker = g->asker;
    q->last = (struct query_run_info){.number = g->number,
                                      .router = g->router,
                                      .asked_us = w->now_us,
                                      .ended_us = -1,
                                      .slowest = SHARD_NONE};
    q->plain.count = 0;
    q->counts.count = 0;
}

static void show_question(struct world *w, uint32_t gather, uint16_t shard)
{
    struct query_row *q = query_rows_of(w) + gathers_in(w)[gather].query;
    struct query_part_info *part = gather_shows(w, gather, shard);
    if (q->shown != gather) {
        return;
    }
    if (part == NULL) {
        part = &q->last.part[q->last.parts++];
    }
    *part = (struct query_part_info){.shard = shard,
                                     .state = GATHER_WAITING,
                                     .crossing = shards_in(w)[shard].zone !=
                                                 routers_in(w)[gathers_in(w)[gather].router].zone,
                                     .asked_us = w->now_us,
                                     .hedged_us = -1,
                                     .heard_us = -1};
}

/* --- asking --- */

/* Whatever comes for these from now on is late. */
static void end_requests(struct world *w, struct gather_piece *p)
{
    if (p->request != NO_INDEX) {
        request_end(w, p->request);
        p->request = NO_INDEX;
    }
    if (p->hedge != NO_INDEX) {
        request_end(w, p->hedge);
        p->hedge = NO_INDEX;
    }
}

/* A request to a shard, or to its follower; NO_INDEX: the world has stopped. */
static uint32_t send_part(struct world *w, uint32_t gather, uint16_t shard, bool hedge)
{
    const struct gather_row *g = gathers_in(w) + gather;
    struct query_row *q = query_rows_of(w) + g->query;
    uint32_t request = router_own(w, g->router, OP_READ, q->key, ORIGIN_GATHER);
    if (request == NO_INDEX) {
        return NO_INDEX;
    }
    struct request *r = requests_of(w) + request;
    r->link = gather;
    r->which = g->query;
    r->took_us = (uint32_t)g->number;
    r->spare = hedge;
    r->shard = shard;
    r->asks = 1;
    r->counted = 1;
    r->next = g->core.round << 16 | g->merged_count;
    shards_of(w)[shard].asked[WORK_READ] += !hedge;
    q->info.parts++;
    struct event *event = request_send(w, request, LEG_QUERY, routers_in(w)[g->router].zone,
                                       queries_zone(w, r, shard));
    event->node = shard;
    int64_t arrive_us = event->time_us;
    struct trace_record *t = query_note(w, hedge ? QUERY_HEDGED : QUERY_PART, g->query, g->number);
    t->request = r->number;
    t->from = node_of(NODE_ROUTER, g->router);
    t->to = node_of(NODE_SHARD, shard);
    t->arrive_us = arrive_us;
    t->op = OP_READ;
    t->target = shard;
    t->operand[1] = hedge ? g->policy.hedge_us : g->core.round;
    t->operand[2] = hedge ? queries_zone(w, r, shard) : gather_chosen(g);
    return request;
}

uint32_t piece_of_shard(const struct world *w, const struct gather_row *g, uint16_t shard)
{
    uint32_t piece = g->part;
    while (piece != NO_PIECE && query_pieces_in(w)[piece].shard != shard) {
        piece = query_pieces_in(w)[piece].next;
    }
    return piece;
}

static uint32_t part_for(struct world *w, uint32_t gather, uint16_t shard)
{
    struct gather_row *g = gathers_of(w) + gather;
    uint32_t piece = piece_of_shard(w, g, shard);
    if (piece == NO_PIECE) {
        piece = piece_new(w);
    }
    if (piece != NO_PIECE && query_pieces_in(w)[piece].shard == SHARD_NONE) {
        uint32_t *last = &g->part; /* shards stay in their order, those that came later behind */
        while (*last != NO_PIECE) {
            last = &query_pieces_of(w)[*last].next;
        }
        query_pieces_of(w)[piece].shard = shard;
        *last = piece;
    }
    return piece;
}

/* False: it could not, and the gather is over. */
static bool ask_part(struct world *w, uint32_t gather, uint16_t shard)
{
    struct gather_row *g = gathers_of(w) + gather;
    uint32_t piece = part_for(w, gather, shard);
    if (piece == NO_PIECE) {
        gather_fail(w, gather, QUERY_NO_ROOM);
        return false;
    }
    struct gather_piece *p = query_pieces_of(w) + piece;
    end_requests(w, p);
    gather_ask(&g->core, &p->part, w->now_us);
    show_question(w, gather, shard);
    p->request = send_part(w, gather, shard, false);
    return p->request != NO_INDEX;
}

static void ask_round(struct world *w, uint32_t gather, uint64_t owners)
{
    const struct gather_policy policy = gathers_in(w)[gather].policy;
    for (uint16_t shard = 0; shard < w->shards; shard++) {
        if ((owners >> shard & 1) != 0 && !ask_part(w, gather, shard)) {
            return;
        }
    }
    if (policy.hedge_us > 0) {
        wake_gather(w, WAKE_HEDGE, gather, w->now_us + policy.hedge_us);
    }
    if (policy.timeout_us > 0) {
        wake_gather(w, WAKE_TIMEOUT, gather, w->now_us + policy.timeout_us);
    }
}

/* A query that ends before it has begun. */
static void end_unasked(struct world *w, uint32_t query, uint16_t router, enum query_reason reason)
{
    struct query_row *q = query_rows_of(w) + query;
    q->info.asked++;
    q->info.failed++;
    struct trace_record *t = query_note(w, reason, query, 0);
    t->from = node_of(NODE_ROUTER, router);
    t->to = node_of(NODE_CLIENT, routers_in(w)[router].zone);
    t->operand[1] = w->queries.open;
}

static uint32_t gather_new(struct world *w, uint32_t query, uint16_t router, enum asker asker)
{
    const struct query_info *info = &query_rows_in(w)[query].info;
    struct queries_state *q = &w->queries;
    uint32_t gather = q->free_gather;
    if (gather != NO_INDEX) {
        q->free_gather = gathers_in(w)[gather].next;
    } else if (q->gathers_used < w->config.gathers_max) {
        gather = q->gathers_used++;
    } else {
        return NO_INDEX;
    }
    q->open++;
    /* Without a timeout of its own a shard is given up after what routers wait for any answer. */
    struct gather_policy policy = {.hedge_us = info->hedge_us,
                                   .timeout_us = info->timeout_us > 0 ? info->timeout_us
                                                                      : w->config.timeout_us};
    gathers_of(w)[gather] = (struct gather_row){.number = ++q->last_number,
                                                .deadline_us = info->deadline_us,
                                                .policy = policy,
                                                .begun_us = w->now_us,
                                                .core = gather_begin(w->config.slots),
                                                .from = slots_position(w, false),
                                                .part = NO_PIECE,
                                                .merged = NO_PIECE,
                                                .router = router,
                                                .slowest = SHARD_NONE,
                                                .query = (uint8_t)query,
                                                .asker = (uint8_t)asker};
    return gather;
}

/* --- some of the shards --- */

uint32_t gather_chosen(const struct gather_row *g)
{
    uint32_t count = 0;
    for (uint64_t left = g->chosen; left != 0; left &= left - 1) {
        count++;
    }
    return count;
}

int64_t gather_said(const struct gather_row *g, uint32_t slots)
{
    return g->chosen != 0 ? -(int64_t)slots : (int64_t)slots;
}

/* Takes a shard at a time from the owners: by the run's own random numbers, so that no other draw
 * shifts. */
static void choose(struct world *w, struct gather_row *g, uint64_t owners, uint32_t asks)
{
    struct prng random = prng_seeded(w->config.seed ^ mix64(g->number), "query-ask");
    for (uint32_t i = 0; i < asks; i++) {
        const struct gather_row left = {.chosen = owners & ~g->chosen};
        uint64_t rest = left.chosen;
        for (uint64_t skip = prng_below(&random, gather_chosen(&left)); skip > 0; skip--) {
            rest &= rest - 1;
        }
        g->chosen |= rest & ~(rest - 1);
    }
    g->core.slots = asks;
}

void gather_start(struct world *w, uint32_t query, uint16_t router, enum asker asker)
{
    struct query_row *q = query_rows_of(w) + query;
    if (routers_in(w)[router].down) {
        end_unasked(w, query, router, QUERY_ROUTER_DIED);
        return;
    }
    uint32_t gather = gather_new(w, query, router, asker);
    if (gather == NO_INDEX) {
        end_unasked(w, query, router, QUERY_NO_ROOM);
        return;
    }
    struct gather_row *g = gathers_of(w) + gather;
    uint32_t missing;
    uint64_t number = g->number, owners = slots_owners(w, router, NULL, &missing);
    if (q->info.asks > 0 && q->info.asks < gather_chosen(&(struct gather_row){.chosen = owners})) {
        choose(w, g, owners, q->info.asks);
        owners = g->chosen;
    }
    q->info.asked++;
    if (asker == ASKER_JOB) {
        q->job_gather = gather;
    }
    show(w, gather);
    struct trace_record *t = query_note(w, QUERY_ASKED, query, g->number);
    t->from = asker == ASKER_JOB ? node_of(NODE_ROUTER, router)
                                 : node_of(NODE_CLIENT, routers_in(w)[router].zone);
    t->to = node_of(NODE_ROUTER, router);
    t->operand[1] = asker;
    t->operand[2] = gather_chosen(g);
    if (q->info.deadline_us > 0) {
        query_wake(w, WAKE_DEADLINE, gather, number << 8, w->now_us + q->info.deadline_us);
    }
    ask_round(w, gather, owners);
}

/* --- the end --- */

static void free_pieces(struct world *w, uint32_t piece)
{
    while (piece != NO_PIECE) {
        struct gather_piece *p = query_pieces_of(w) + piece;
        uint32_t next = p->next;
        *p = (struct gather_piece){.next = w->queries.free_piece};
        w->queries.free_piece = piece;
        piece = next;
    }
}

/* What is under way comes too late. */
static void end_parts(struct world *w, uint32_t gather)
{
    const struct gather_row *g = gathers_in(w) + gather;
    for (uint32_t i = g->part; i != NO_PIECE; i = query_pieces_in(w)[i].next) {
        struct query_part_info *part = gather_shows(w, gather, query_pieces_in(w)[i].shard);
        if (part != NULL && part->state == GATHER_WAITING) {
            part->state = GATHER_GIVEN_UP;
        }
        end_requests(w, query_pieces_of(w) + i);
    }
    free_pieces(w, g->part);
    free_pieces(w, g->merged);
}

static void free_gather(struct world *w, uint32_t gather)
{
    struct gather_row *g = gathers_of(w) + gather;
    struct query_row *q = query_rows_of(w) + g->query;
    q->shown = q->shown == gather ? NO_INDEX : q->shown;
    q->job_gather = q->job_gather == gather ? NO_INDEX : q->job_gather;
    if (g->asker == ASKER_COMMAND) {
        w->command_requests_open--;
    }
    *g = (struct gather_row){.next = w->queries.free_gather};
    w->queries.free_gather = gather;
    w->queries.open--;
}

static void show_end(struct world *w, uint32_t gather)
{
    const struct gather_row *g = gathers_in(w) + gather;
    struct query_run_info *last = &query_rows_of(w)[g->query].last;
    if (gather_is_shown(w, gather)) {
        last->ended_us = w->now_us;
        last->end = g->core.end;
        last->slowest = g->slowest;
        last->sum = g->sum;
    }
}

static struct trace_record *note_end(struct world *w, uint32_t gather, enum query_reason reason)
{
    const struct gather_row *g = gathers_in(w) + gather;
    uint8_t zone = routers_in(w)[g->router].zone;
    struct trace_record *t = query_note(w, reason, g->query, g->number);
    t->from = node_of(NODE_ROUTER, g->router);
    t->to = g->asker == ASKER_JOB ? t->from : node_of(NODE_CLIENT, zone);
    t->took_us = (uint32_t)(w->now_us - g->begun_us);
    t->target = g->slowest;
    t->value = g->sum;
    t->operand[1] = gather_said(g, g->core.in);
    t->operand[2] = gather_said(g, g->core.slots);
    return t;
}

void gather_fail(struct world *w, uint32_t gather, enum query_reason reason)
{
    struct gather_row *g = gathers_of(w) + gather;
    g->core.end = GATHER_PARTIAL;
    query_rows_of(w)[g->query].info.failed++;
    struct trace_record *t = note_end(w, gather, reason);
    if (reason == QUERY_NO_ROOM) {
        t->operand[1] = w->queries.open;
    }
    show_end(w, gather);
    end_parts(w, gather);
    free_gather(w, gather);
}

static void check_end(struct world *w, const struct gather_row *g)
{
    int64_t deadline = g->deadline_us;
    bool lacks = g->core.in < g->core.slots;
    if (lacks != (g->core.end == GATHER_PARTIAL)) {
        promise_broken(w, PROMISE_MARKED, g->number, KEY_NONE_ID, g->core.slots, g->core.in);
    }
    if (deadline > 0 && w->now_us - g->begun_us > deadline) {
        promise_broken(w, PROMISE_DEADLINE, g->number, KEY_NONE_ID, deadline,
                       w->now_us - g->begun_us);
    }
}

static void gather_end(struct world *w, uint32_t gather)
{
    const struct gather_row *g = gathers_in(w) + gather;
    struct query_row *q = query_rows_of(w) + g->query;
    bool whole = g->core.end == GATHER_WHOLE;
    check_end(w, g);
    if (!whole && g->merged_count == 0) {
        gather_fail(w, gather, QUERY_FAILED);
        return;
    }
    q->info.whole += whole;
    q->info.partial += !whole;
    enum query_reason reason = !whole                       ? QUERY_PARTIAL
                               : g->core.in < g->core.slots ? QUERY_SILENT
                                                            : QUERY_WHOLE;
    if (g->asker == ASKER_JOB) {
        q->result_us = w->now_us;
        reason = QUERY_RESULT;
    } else {
        query_answered(w, g->query, w->now_us - g->begun_us);
    }
    note_end(w, gather, reason);
    show_end(w, gather);
    end_parts(w, gather);
    free_gather(w, gather);
}

/* --- on the way --- */

static void wait_for_round(struct world *w, uint32_t gather)
{
    struct gather_row *g = gathers_of(w) + gather;
    int64_t wait = BACKOFF_FIRST_US << (g->core.round - 1);
    struct trace_record *t = query_note(w, QUERY_AGAIN, g->query, g->number);
    t->from = node_of(NODE_ROUTER, g->router);
    t->to = t->from;
    t->operand[1] = gather_said(g, g->core.slots - g->core.in);
    t->operand[2] = wait;
    g->waits = true;
    wake_gather(w, WAKE_AGAIN, gather, w->now_us + wait);
    router_fetch(w, g->router, (enum reason)QUERY_MAP);
}

void gather_go_on(struct world *w, uint32_t gather, bool time_is_up)
{
    struct gather_row *g = gathers_of(w) + gather;
    bool last = (g->gave_up && g->deadline_us == 0) || g->core.round >= ATTEMPTS_MAX;
    bool over = time_is_up || (last && g->core.waiting == 0);
    if (gather_close(&g->core, w->rules, over) != GATHER_OPEN) {
        gather_end(w, gather);
    } else if (gather_may_again(&g->core) && !g->waits) {
        wait_for_round(w, gather);
    }
}

static void ask_again(struct world *w, uint32_t gather)
{
    struct gather_row *g = gathers_of(w) + gather;
    uint32_t missing;
    if (!slots_known(w, g)) {
        gather_fail(w, gather, QUERY_NO_ROOM);
        return;
    }
    gather_again(&g->core);
    g->waits = false;
    g->gave_up = false;
    ask_round(w, gather, slots_owners(w, g->router, g, &missing));
}

/* Those that have kept the router waiting so long: hedged, or given up. */
static void look_at_parts(struct world *w, uint32_t gather)
{
    struct gather_row *g = gathers_of(w) + gather;
    struct query_row *q = query_rows_of(w) + g->query;
    for (uint32_t i = g->part; i != NO_PIECE; i = query_pieces_in(w)[i].next) {
        struct gather_piece *p = query_pieces_of(w) + i;
        enum gather_turn turn = gather_turn(&p->part, &g->policy, w->now_us);
        struct query_part_info *part = gather_shows(w, gather, p->shard);
        if (turn == GATHER_HEDGES) {
            gather_hedge(&p->part);
            p->hedge = send_part(w, gather, p->shard, true);
            q->info.hedges++;
        } else if (turn == GATHER_GIVES_UP) {
            struct trace_record *t = query_note(w, QUERY_GAVE_UP, g->query, g->number);
            t->from = node_of(NODE_ROUTER, g->router);
            t->to = t->from;
            t->target = p->shard;
            t->operand[1] = w->now_us - p->part.asked_us;
            gather_give_up(&g->core, &p->part);
            end_requests(w, p);
            g->gave_up = true;
        }
        if (part != NULL && turn == GATHER_HEDGES) {
            part->hedged = true;
            part->hedged_us = w->now_us;
        } else if (part != NULL && turn == GATHER_GIVES_UP) {
            part->state = GATHER_GIVEN_UP;
        }
    }
}

void queries_handle(struct world *w, const struct event *event)
{
    enum wake wake = (enum wake)event_turn(event);
    uint32_t index = event->request;
    if (wake == WAKE_ARRIVAL || wake == WAKE_JOB) {
        const struct query_row *q = query_rows_in(w) + index;
        if (wake == WAKE_ARRIVAL && q->flow_number == event->carries.value) {
            queries_client(w, index);
        } else if (wake == WAKE_JOB && q->job_number == event->carries.value) {
            queries_job(w, index);
        }
        return;
    }
    const struct gather_row *g = gathers_in(w) + index;
    bool same = g->number == event->carries.value >> 8;
    bool in_round = g->core.round == (event->carries.value & 255);
    if (g->number == 0 || !same || (wake != WAKE_DEADLINE && !in_round)) {
        return;
    }
    if (wake == WAKE_DEADLINE) {
        gather_go_on(w, index, true);
    } else if (wake == WAKE_AGAIN) {
        ask_again(w, index);
    } else {
        look_at_parts(w, index);
        gather_go_on(w, index, false);
    }
}

void queries_crash(struct world *w, uint16_t router)
{
    for (uint32_t i = 0; i < w->queries.gathers_used; i++) {
        const struct gather_row *g = gathers_in(w) + i;
        if (g->number != 0 && g->router == router) {
            gather_fail(w, i, QUERY_ROUTER_DIED);
        }
    }
}
