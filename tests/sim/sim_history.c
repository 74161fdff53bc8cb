/*
 * sim_history: what clients were told of each key, kept and judged at the end of a seed.
 *
 * A like adds one, a read returns the sum; both are known by their records in the trace, from the
 * client's question to the arrival of the answer. What a client asks again is the same operation,
 * which a shard does once. A like that was not answered OK may have been done or not. Judged are
 * plain reads: one that a cache, a copy, a replica or another's query answered promises less, and
 * the engine's own invariants hold it to that. A count whose likes are gathered elsewhere (salted,
 * summed) is judged up to the command that made it so.
 *
 * What is kept is bounded: beyond HISTORY_OPS the rest of the seed is not looked at.
 */
#include "sim.h"

#include "check/history.h"
#include "engine/state.h"
#include <inttypes.h>
#include <stdlib.h>

#define HISTORY_OPS 2048u
#define HISTORY_PLACES 1024u /* of the requests asked last, by their number; a power of two */
#define HISTORY_NODES 20000u

struct sim_op {
    struct history_op op;
    uint64_t request;
    uint64_t again; /* the last request that asked the same once more */
    uint32_t key;
    bool weak;
};

struct sim_history {
    struct sim_op op[HISTORY_OPS];
    uint32_t count;
    uint32_t place[HISTORY_PLACES]; /* in `op`, + 1 */
    bool ended;                     /* nothing is added any more */
    bool closed[KEYS_SEEN_MAX];
};

struct sim_history *history_open(void)
{
    struct sim_history *h = calloc(1, sizeof *h);
    if (h == NULL) {
        abort();
    }
    return h;
}

void history_close(struct sim_history *h)
{
    free(h);
}

void history_gap(struct sim_history *h)
{
    h->ended = true;
}

static bool is_gathered(const struct world *w, uint32_t key)
{
    const struct key_entry *entry = keys_in(w) + key;
    return (entry->writes | entry->account) != 0;
}

/* Its operation; NULL: it is not kept. */
static struct sim_op *find(struct sim_history *h, uint64_t request)
{
    uint32_t at = h->place[request & (HISTORY_PLACES - 1)];
    if (at == 0) {
        return NULL;
    }
    struct sim_op *op = &h->op[at - 1];
    return op->request == request || op->again == request ? op : NULL;
}

/* The request that this one asks again, by the operation that both have; NULL: it is gone. */
static struct sim_op *find_first(struct sim_history *h, const struct world *w, uint64_t request)
{
    for (uint32_t i = 0; i < w->requests_used; i++) {
        if (requests_in(w)[i].number == request) {
            return find(h, requests_in(w)[i].operation);
        }
    }
    return NULL;
}

static void asked(struct sim_history *h, const struct world *w, const struct trace_record *r)
{
    uint32_t *place = &h->place[r->request & (HISTORY_PLACES - 1)];
    if (r->reason == REASON_AGAIN) {
        struct sim_op *first = find_first(h, w, r->request);
        if (first != NULL) {
            first->again = r->request;
            *place = (uint32_t)(first - h->op) + 1;
        } else {
            h->closed[r->key] = true;
        }
        return;
    }
    if (h->count == HISTORY_OPS) {
        h->ended = true;
        return;
    }
    struct sim_op *at = &h->op[h->count++];
    *at = (struct sim_op){.request = r->request, .key = r->key};
    at->op = (struct history_op){.invoked = r->time_us, .returned = HISTORY_NEVER, .value = 1};
    at->op.read = r->op == OP_READ;
    *place = h->count;
}

static void told(struct sim_history *h, const struct trace_record *r)
{
    struct sim_op *at = find(h, r->request);
    bool well = r->outcome == OUTCOME_OK || r->outcome == OUTCOME_OK_RELOAD;
    if (at == NULL || !well || at->weak || at->op.returned != HISTORY_NEVER) {
        return;
    }
    at->op.returned = r->arrive_us;
    at->op.value = at->op.read ? (int64_t)r->value : 1;
}

void history_look(struct sim_history *h, const struct world *w, const struct trace_record *r)
{
    if (h->ended || r->key >= KEYS_SEEN_MAX) {
        return;
    }
    if (history_of_reads(r)) { /* of the key itself, or by then of a copy of it */
        struct sim_op *at = find(h, r->request);
        if (at != NULL) {
            at->weak = true;
        }
    }
    if (h->closed[r->key] || is_gathered(w, r->key)) {
        h->closed[r->key] = true;
    } else if (r->kind == TRACE_ASK && (r->op == OP_LIKE || r->op == OP_READ)) {
        asked(h, w, r);
    } else if (r->kind == TRACE_REPLY && !r->own) {
        told(h, r);
    }
}

/* The operations of a key side by side, in `op`. */
static uint32_t of_key(const struct sim_history *h, uint32_t key, struct history_op *op)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        if (h->op[i].key == key) {
            op[count++] = h->op[i].op;
        }
    }
    return count;
}

static bool judge(struct sim *s, uint32_t key, const struct history *history)
{
    struct history_result r = history_check(history);
    bool well = true;
    if (r.verdict == HISTORY_NOT) {
        const struct history_op *op = &history->op[r.stuck];
        struct bytes text = world_key(s->world, key);
        well =
            err_set(&s->err,
                    "linearizable: no order of what was done with %.*s lets the %s called at "
                    "%" PRId64 " us and answered %" PRId64 " us later return %" PRId64
                    ", with %u of %u in their places",
                    (int)text.length, (const char *)text.at, op->read ? "read" : "like",
                    op->invoked, op->returned - op->invoked, op->value, r.placed, history->count);
    }
    s->saw.histories++;
    s->saw.undecided += r.verdict == HISTORY_UNDECIDED;
    history_result_free(&r);
    return well;
}

bool history_judge(struct sim *s)
{
    const struct sim_history *h = s->history;
    struct history_op *op = calloc(h->count + 1, sizeof *op);
    bool well = op != NULL;
    for (uint32_t key = 0; key < KEYS_SEEN_MAX && well; key++) {
        struct history history = {.op = op, .count = of_key(h, key, op), .kind = HISTORY_COUNTER};
        history.nodes_max = HISTORY_NODES;
        well = history.count == 0 || judge(s, key, &history);
        s->saw.judged += history.count;
    }
    free(op);
    return well;
}

static bool follows_a_like(const struct sim_history *h, const struct sim_op *read)
{
    for (uint32_t i = 0; i < h->count; i++) {
        const struct sim_op *like = &h->op[i];
        if (like->key == read->key && !like->op.read && like->op.returned < read->op.invoked) {
            return true;
        }
    }
    return false;
}

bool history_spoil(struct sim_history *h)
{
    for (uint32_t i = 0; i < h->count; i++) {
        struct sim_op *at = &h->op[i];
        if (at->op.read && at->op.returned != HISTORY_NEVER && follows_a_like(h, at)) {
            at->op.value = 0;
            return true;
        }
    }
    return false;
}
