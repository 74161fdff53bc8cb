/*
 * queries_merge: a shard answers its part, and what its router makes of the answer.
 *
 * The sum of a part is read when the shard takes the question up. The entries of a top are read
 * when its answer is merged, and only for the run that is shown: nothing else of them is looked at.
 */
#include "engine/queries/queries_inside.h"
#include "engine/queue.h"
#include "engine/steps.h"
#include "engine/store.h"

bool queries_hedged(const struct request *r)
{
    return r->origin == ORIGIN_GATHER && r->spare;
}

uint8_t queries_zone(const struct world *w, const struct request *r, uint16_t shard)
{
    uint8_t zone = shards_in(w)[shard].zone;
    return queries_hedged(r) ? query_follower_zone(w, shard, routers_in(w)[r->router].zone) : zone;
}

/* The answer to a request, as a piece that could be merged. */
static struct gather_piece answer_of(const struct request *r)
{
    return (struct gather_piece){.part.round = r->next >> 16,
                                 .position = r->epoch,
                                 .hedge = NO_INDEX,
                                 .next = NO_PIECE,
                                 .shard = r->shard,
                                 .before = (uint8_t)r->next};
}

static bool is_counted(const struct world *w, const struct gather_row *g,
                       const struct gather_piece *answer, uint32_t key)
{
    return slots_answered(w, g, answer, keys_in(w)[key].slot).counted;
}

static uint64_t sum_of(const struct world *w, const struct query_row *q, const struct gather_row *g,
                       const struct gather_piece *answer)
{
    uint64_t sum = 0;
    for (uint32_t key = 0; key < w->keys; key++) {
        if (query_wants(w, q, key) && is_counted(w, g, answer, key)) {
            sum += store_value(w, answer->shard, key);
        }
    }
    return sum;
}

static int64_t drawn(struct prng *chance, int32_t from, int32_t to)
{
    return from + (int64_t)prng_below(chance, (uint64_t)(to - from) + 1);
}

/* How long a shard, or its follower, takes for its part. */
static int64_t time_for(struct world *w, uint16_t shard, bool follower)
{
    struct query_times times;
    struct prng *chance = &w->queries.prng;
    if (!queries_times_in(w, shard, &times)) {
        uint32_t extra = follower ? 0 : shards_in(w)[shard].extra;
        return w->config.query_us + (int64_t)w->config.query_us * extra / 1000;
    }
    bool slow = times.slow_ppm > 0 && prng_chance(chance, times.slow_ppm, 1000000);
    return slow ? drawn(chance, times.slow_from_us, times.slow_to_us)
                : drawn(chance, times.from_us, times.to_us);
}

/* What it answers: the same when the network brings the question twice. */
static void read_part(struct world *w, const struct gather_row *g, struct request *r)
{
    const struct query_row *q = query_rows_in(w) + g->query;
    r->applied = 1;
    r->epoch = slots_position(w, queries_hedged(r));
    if (q->info.sum && slots_known(w, g)) {
        struct gather_piece answer = answer_of(r);
        r->value = sum_of(w, q, g, &answer);
    }
}

int64_t queries_serve(struct world *w, uint16_t shard, uint32_t request, int64_t arrive_us,
                      uint64_t *value)
{
    struct request *r = requests_of(w) + request;
    bool follower = queries_hedged(r);
    int64_t takes = time_for(w, shard, follower);
    uint32_t gather = gather_of(w, r);
    *value = 0;
    if (gather == NO_INDEX) {
        return takes;
    }
    const struct gather_row *g = gathers_in(w) + gather;
    if (!r->applied) {
        read_part(w, g, r);
    }
    *value = r->value;
    struct trace_record *t =
        query_note(w, follower ? QUERY_FOLLOWER : QUERY_REPLIED, g->query, g->number);
    t->request = r->number;
    t->from = node_of(NODE_SHARD, shard);
    t->to = node_of(NODE_ROUTER, r->router);
    t->arrive_us = arrive_us + takes;
    t->target = shard;
    t->operand[1] = takes;
    t->value = *value;
    return takes;
}

/* --- what becomes of an answer --- */

struct weighed {
    uint32_t fresh;      /* slots that were not in */
    uint32_t slot;       /* one that was; NO_INDEX */
    bool clashes;        /* from another epoch: */
    uint32_t in, answer; /* epochs */
};

bool gather_merged(const struct world *w, const struct gather_row *g, uint16_t shard)
{
    uint32_t piece = g->merged;
    for (uint32_t i = 0; i < g->merged_count; i++) {
        const struct gather_piece *p = query_pieces_in(w) + piece;
        if (p->shard == shard) {
            return true;
        }
        piece = p->next;
    }
    return false;
}

static void weigh_run(struct weighed *d, const struct slot_run *run, const struct slot_run *in,
                      uint32_t slot, uint32_t last)
{
    struct gather_slot s = {.epoch = in->epoch, .in = in->counted};
    if (!run->counted) {
        return;
    }
    if (!in->counted) {
        d->fresh += last - slot + 1;
        return;
    }
    bool clashes = gather_clashes(&s, run->epoch);
    if (d->slot == NO_INDEX || (clashes && !d->clashes)) {
        d->slot = slot;
        d->in = in->epoch;
        d->answer = run->epoch;
    }
    d->clashes = d->clashes || clashes;
}

static struct weighed weigh(struct world *w, const struct gather_row *g,
                            const struct gather_piece *answer)
{
    struct weighed d = {.slot = NO_INDEX};
    if (answer->part.round == 1 && answer->position == g->from && slots_plain(w, g) &&
        !gather_merged(w, g, answer->shard)) {
        d.fresh = slots_of_shard(w, answer->shard);
        return d;
    }
    for (uint32_t slot = 0; slot < w->config.slots;) {
        struct slot_run run = slots_answered(w, g, answer, slot);
        struct slot_run in = slots_in(w, g, slot, g->merged_count);
        uint32_t last = run.last < in.last ? run.last : in.last;
        weigh_run(&d, &run, &in, slot, last);
        slot = last + 1;
    }
    return d;
}

/* What an answer holds of a key; all sub-keys of a treated count together. False: nothing. */
static bool value_in(const struct world *w, const struct query_row *q, const struct gather_row *g,
                     const struct gather_piece *answer, struct gather_item *item)
{
    uint32_t of = (uint32_t)item->key;
    uint8_t row = keys_in(w)[of].writes;
    bool found = false;
    for (uint32_t key = row == 0 ? of : 0; key < (row == 0 ? of + 1 : w->keys); key++) {
        if (keys_in(w)[key].writes == row && query_wants(w, q, key) &&
            store_find(w, answer->shard, key) != NULL && is_counted(w, g, answer, key)) {
            item->value += (int64_t)store_value(w, answer->shard, key);
            found = true;
        }
    }
    return found;
}

static bool is_part_of_count(const struct world *w, uint32_t key)
{
    return keys_in(w)[key].writes != 0 && writes_count_of(w, key) != key;
}

/* A count is among the counts as soon as some part of it has come. */
static void add_count(struct query_items *counts, struct gather_item item)
{
    uint32_t at = 0;
    while (at < counts->count && counts->item[at].key != item.key) {
        at++;
    }
    if (at < counts->count) {
        counts->item[at].value += item.value;
    } else if (at < QUERY_TOP_MAX) {
        counts->item[counts->count++] = item;
    }
}

static void put_items(struct query_run_info *last, const struct query_items *items, uint32_t room)
{
    for (uint32_t i = 0; i < items->count; i++) {
        last->items = gather_top(last->item, last->items, room, items->item[i]);
    }
}

/* The shard's best over its slots, merged into the best over all: of the run that is shown. */
static void merge_items(struct world *w, uint32_t gather, const struct gather_piece *answer)
{
    const struct gather_row *g = gathers_in(w) + gather;
    struct query_row *q = query_rows_of(w) + g->query;
    struct query_items best = {.count = 0};
    uint32_t room = q->info.room;
    if (q->info.sum || !gather_is_shown(w, gather)) {
        return;
    }
    for (uint32_t key = 0; key < w->keys; key++) {
        struct gather_item item = {.key = key};
        if (is_part_of_count(w, key) || !value_in(w, q, g, answer, &item)) {
            continue;
        }
        if (keys_in(w)[key].writes != 0) {
            add_count(&q->counts, item);
            q->last.entries++;
        } else {
            best.count = gather_top(best.item, best.count, room, item);
        }
    }
    q->last.entries += best.count;
    for (uint32_t i = 0; i < best.count; i++) {
        q->plain.count = gather_top(q->plain.item, q->plain.count, room, best.item[i]);
    }
    q->last.items = 0;
    put_items(&q->last, &q->plain, room);
    put_items(&q->last, &q->counts, room);
}

static bool merge(struct world *w, uint32_t gather, const struct request *r,
                  const struct gather_piece *answer, const struct weighed *d)
{
    struct gather_row *g = gathers_of(w) + gather;
    struct gather_slot fresh = {.in = 0};
    uint32_t piece = g->merged_count < MERGED_MAX ? piece_new(w) : NO_PIECE;
    if (piece == NO_PIECE) {
        gather_fail(w, gather, QUERY_NO_ROOM);
        return false;
    }
    if (d->slot != NO_INDEX) {
        promise_broken(w, PROMISE_SLOT_ONCE, g->number, KEY_NONE_ID, d->slot, d->answer);
    }
    merge_items(w, gather, answer);
    query_pieces_of(w)[piece] = *answer;
    *(g->merged_count == 0 ? &g->merged : &query_pieces_of(w)[g->last_merged].next) = piece;
    g->last_merged = piece;
    g->merged_count++;
    g->from = answer->position < g->from ? answer->position : g->from;
    g->sum += r->value;
    if (d->fresh > 0) {
        gather_slots_in(&g->core, &fresh, d->fresh, d->answer);
    }
    return true;
}

static void note_fate(struct world *w, const struct gather_row *g, const struct request *r,
                      enum gather_fate fate, const struct weighed *d)
{
    static const enum query_reason reasons[] = {[GATHER_MERGED] = QUERY_MERGED,
                                                [GATHER_CLASHED] = QUERY_CLASHED,
                                                [GATHER_DROPPED] = QUERY_DROPPED};
    struct trace_record *t = query_note(w, reasons[fate], g->query, g->number);
    t->request = r->number;
    t->from = node_of(NODE_ROUTER, r->router);
    t->to = t->from;
    t->target = r->shard;
    t->value = r->value;
    if (fate == GATHER_MERGED) {
        t->operand[1] = gather_said(g, g->core.in);
        t->operand[2] = gather_said(g, g->core.slots);
    } else if (fate == GATHER_CLASHED) {
        t->epoch = d->answer;
        t->operand[1] = d->slot;
        t->operand[2] = d->in;
    } else {
        t->operand[1] = r->next >> 16;
        t->operand[2] = g->core.round;
    }
}

/* The query that a request was sent for; NULL: it is no more. */
static struct query_row *query_of(struct world *w, const struct request *r)
{
    struct query_row *q = query_rows_of(w) + r->which;
    return q->info.name[0] != '\0' && r->took_us >= q->since ? q : NULL;
}

/* An answer's bytes have come. */
static void count_answer(struct world *w, struct query_row *q, const struct request *r)
{
    int64_t second = w->now_us / US_PER_SECOND;
    q->info.answers++;
    if (queries_zone(w, r, r->shard) == routers_in(w)[r->router].zone) {
        return;
    }
    q->info.crossings++;
    q->info.crossed_bytes += q->info.bytes;
    if (q->second != second) {
        q->crossing_last = q->second + 1 == second ? q->crossing_now : 0;
        q->crossing_now = 0;
        q->second = second;
    }
    q->crossing_now += q->info.bytes;
}

static void show_answer(struct world *w, uint32_t gather, const struct request *r,
                        enum gather_fate fate, bool awaited)
{
    struct query_part_info *part = gather_shows(w, gather, r->shard);
    if (part == NULL || !awaited) {
        return;
    }
    part->state = GATHER_HEARD;
    part->heard_us = w->now_us;
    part->from_follower = queries_hedged(r);
    part->clashed = fate == GATHER_CLASHED;
    part->crossing = queries_zone(w, r, r->shard) != routers_in(w)[r->router].zone;
    part->sum = r->value;
}

static void answer_is_here(struct world *w, uint32_t gather, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    struct gather_row *g = gathers_of(w) + gather;
    struct query_row *q = query_rows_of(w) + g->query;
    struct gather_piece answer = answer_of(r);
    struct gather_part *part = &query_pieces_of(w)[piece_of_shard(w, g, r->shard)].part;
    if (!slots_known(w, g) || answer.position < w->queries.forgotten) {
        gather_fail(w, gather, QUERY_NO_ROOM);
        return;
    }
    struct weighed d = weigh(w, g, &answer);
    if (g->chosen != 0) {
        d.fresh = gather_merged(w, g, r->shard) ? 0 : 1;
    }
    bool awaited = part->state == GATHER_WAITING && part->round == answer.part.round;
    enum gather_fate fate = gather_judge(part, w->rules, answer.part.round, d.clashes);
    gather_heard(&g->core, part, answer.part.round);
    if (fate == GATHER_MERGED && !merge(w, gather, r, &answer, &d)) {
        return;
    }
    q->info.clashes += fate == GATHER_CLASHED;
    q->info.dropped += fate == GATHER_DROPPED;
    q->info.hedges_first += awaited && queries_hedged(r);
    g->slowest = awaited ? r->shard : g->slowest;
    note_fate(w, g, r, fate, &d);
    show_answer(w, gather, r, fate, awaited);
    gather_go_on(w, gather, false);
}

/* --- parts that end --- */

/* Neither the shard nor its follower will answer. */
static void part_failed(struct world *w, uint32_t gather, const struct request *r,
                        enum outcome outcome)
{
    struct gather_row *g = gathers_of(w) + gather;
    struct gather_piece *p = query_pieces_of(w) + piece_of_shard(w, g, r->shard);
    bool awaited = p->part.state == GATHER_WAITING && p->part.round == r->next >> 16;
    struct query_part_info *part = gather_shows(w, gather, r->shard);
    struct trace_record *t = query_note(w, QUERY_PART_FAILED, g->query, g->number);
    t->request = r->number;
    t->from = node_of(NODE_ROUTER, r->router);
    t->to = t->from;
    t->target = r->shard;
    t->operand[1] = outcome;
    if (part != NULL && awaited) {
        part->refused = outcome == OUTCOME_REFUSED;
    }
    if (awaited && p->request == NO_INDEX && p->hedge == NO_INDEX) {
        gather_give_up(&g->core, &p->part);
        g->gave_up = true;
        if (part != NULL) {
            part->state = GATHER_GIVEN_UP;
        }
        gather_go_on(w, gather, false);
    }
}

/* The request is not under way any more. */
static void let_go(struct world *w, const struct gather_row *g, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    struct gather_piece *p = query_pieces_of(w) + piece_of_shard(w, g, r->shard);
    p->request = p->request == request ? NO_INDEX : p->request;
    p->hedge = p->hedge == request ? NO_INDEX : p->hedge;
}

void queries_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value)
{
    struct request *r = requests_of(w) + request;
    uint32_t gather = gather_of(w, r);
    r->value = value;
    r->flying++; /* until all is done that reads it */
    if (gather != NO_INDEX) {
        let_go(w, gathers_in(w) + gather, request);
    }
    request_end(w, request);
    struct query_row *q = query_of(w, r);
    if (outcome == OUTCOME_OK && q != NULL) {
        count_answer(w, q, r);
        q->info.dropped += gather == NO_INDEX;
    }
    if (gather != NO_INDEX && outcome == OUTCOME_OK) {
        answer_is_here(w, gather, request);
    } else if (gather != NO_INDEX) {
        part_failed(w, gather, r, outcome);
    }
    r->flying--;
    request_settle(w, request);
}

void queries_late(struct world *w, const struct event *event)
{
    struct request *r = requests_of(w) + event->request;
    uint32_t gather = gather_of(w, r);
    struct query_row *q = query_of(w, r);
    if (event_detail(event) != OUTCOME_OK || q == NULL) {
        return;
    }
    r->value = event->carries.value;
    count_answer(w, q, r);
    if (gather != NO_INDEX) { /* it came twice */
        answer_is_here(w, gather, event->request);
    } else {
        q->info.dropped++;
    }
}
