/*
 * writes: who of its files does what; the tables in the world's block; how a count stands.
 */
#include "engine/writes/writes_inside.h"

struct trace_record *writes_note(struct world *w, enum writes_reason reason, struct node who,
                                 uint32_t key)
{
    struct trace_record *t = trace_add(w, TRACE_WRITES);
    t->from = who;
    t->key = key;
    t->slot = slot_of_key(w, key);
    t->reason = (uint16_t)reason;
    return t;
}

bool writes_apply(struct world *w, const struct command *c, struct err *err)
{
    return c->kind == COMMAND_REBUILD ? rebuild_apply(w, c, err) : treatment_apply(w, c, err);
}

bool writes_take(struct world *w, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    struct hot_write *row = hot_write_of_key(w, r->key);
    /* A sub-key that was asked for by its name; else its client asks once more, for the count. */
    bool by_name = r->key != row->key && r->attempt == 0;
    if (r->op != OP_LIKE || by_name) {
        return false;
    }
    switch ((enum writes_mode)row->mode) {
    case WRITES_PLAIN:
        salt_drop(w, row, request);
        return false;
    case WRITES_SALTED:
        salt_pick(w, row, request);
        return false;
    case WRITES_SUMMED:
        sum_take(w, row, request);
        return true;
    case WRITES_MODES:
        break;
    }
    CHECK(false && "a count treated in no way");
    return false;
}

void writes_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value)
{
    const struct request *r = requests_in(w) + request;
    if (r->origin == ORIGIN_PART) {
        gather_landed(w, request, outcome, value);
    } else if (r->origin == ORIGIN_JOB) {
        rebuild_landed(w, request, outcome);
    } else if (r->op == OP_FLUSH) {
        sum_landed(w, request, outcome, value);
    } else {
        restart_landed(w, request, outcome, value);
    }
}

enum outcome writes_serve(struct world *w, uint16_t shard, uint32_t request, uint64_t *value)
{
    const struct request *r = requests_in(w) + request;
    struct store_entry *entry = store_put(w, shard, r->key); /* there: serve_write has put it */
    enum outcome outcome = r->op == OP_FLUSH   ? sum_serve(w, request, entry)
                           : r->op == OP_CLAIM ? restart_serve(w, request, entry)
                                               : rebuild_serve(w, request, entry);
    *value = entry->value;
    return outcome;
}

void writes_applied(struct world *w, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    struct hot_write *row = hot_write_of_key(w, r->key);
    *(liked_add(row, r->operation) ? &row->direct : &row->doubled) += 1;
}

void writes_handle(struct world *w, const struct event *event)
{
    if (event->kind == EVENT_STORE) {
        liked_handle(w, event);
    } else if (event->kind == EVENT_JOB) {
        struct hot_write *row = hot_writes_of(w) + event->request;
        row->freezing = false;
        freeze_parts(w, row);
    } else {
        sum_handle(w, event);
    }
}

void writes_lay_out(struct world *plan, uint64_t *end)
{
    uint64_t rows = plan->config.hot_max;
    plan->at.hot_writes = table_at(end, rows, sizeof(struct hot_write));
    plan->at.write_spots = table_at(end, rows * plan->config.routers, sizeof(struct write_spot));
}

static void feed_spot(struct digest *d, const struct write_spot *s)
{
    const uint64_t values[] = {
        s->sender.total, s->sender.buffer, s->sender.sent, s->before,   s->sender.sequence,
        s->sender.phase, s->lost,          s->heard,       s->unstored, s->rows,
        s->newer,        s->position,      s->key,         s->turn,     s->life,
        s->answered,     s->flights,       s->timer,       s->armed,    s->again};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        digest_u64(d, values[i]);
    }
}

static void feed_row(struct digest *d, const struct hot_write *row)
{
    const uint64_t values[] = {
        row->prng.s[0], row->prng.s[1], row->prng.s[2], row->prng.s[3],
        row->stream,    row->summed,    row->direct,    row->doubled,
        row->unheard,   row->told,      row->forgotten, row->past,
        row->cut,       row->cut_sum,   row->fixed,     (uint64_t)row->window_us,
        row->key,       row->fix,       row->fixes,     row->top,
        row->mode,      row->place,     row->pick,      row->way,
        row->salts,     row->most,      row->freezing,  row->rebuilding,
        row->reflushed};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        digest_u64(d, values[i]);
    }
    for (uint32_t i = 0; i < COUNT_PARTS; i++) {
        digest_u64(d, row->frozen[i]);
        digest_u64(d, row->live[i]);
    }
    for (uint32_t i = 0; i < row->most; i++) {
        digest_u64(d, row->salt[i]);
    }
    for (uint32_t i = 0; i < LIKED_WINDOW / 64; i++) {
        digest_u64(d, row->seen[i]);
    }
}

void writes_feed(struct digest *d, const struct world *w)
{
    digest_u64(d, w->writes.count);
    for (uint32_t i = 0; i < w->writes.count; i++) {
        const struct hot_write *row = hot_writes_in(w) + i;
        feed_row(d, row);
        for (uint16_t router = 0; router < w->config.routers; router++) {
            feed_spot(d, write_spot_in(w, row, router));
        }
    }
}
