/*
 * writes_rebuild: a job recounts a count from `liked` and writes the correction.
 *
 * One multi-key request reads the routers' sub-keys, and with them how far each router's likes are
 * in (request.next of its last flush taken): the rows are counted to there. Likes that came by the
 * plain or the salted way stand in both, but for those that a shard applied twice. The correction
 * is what the sub-keys lack, and replaces the one before; it is negative when they hold too much.
 */
#include "engine/apply.h"
#include "engine/writes/writes_inside.h"

static bool first_router(const struct world *w, uint16_t *router)
{
    for (uint16_t i = 0; i < w->config.routers; i++) {
        if (!routers_in(w)[i].down) {
            *router = i;
            return true;
        }
    }
    return false;
}

bool rebuild_apply(struct world *w, const struct command *c, struct err *err)
{
    uint32_t key = store_find_key(w, (struct bytes){.at = c->key, .length = c->key_length});
    if (key == NO_INDEX || keys_in(w)[key].writes == 0 || hot_write_in_key(w, key)->key != key) {
        return err_set(err, "likes of this key are not treated, so `liked` has no rows to recount; "
                            "write: writes KEY summed");
    }
    struct hot_write *row = hot_write_of_key(w, key);
    uint16_t router = 0;
    if (row->rebuilding) {
        return err_set(err, "a rebuild of this count is under way; run the world a moment");
    }
    if (!first_router(w, &router)) {
        return err_set(err, "all routers are down, and the job asks through one of them");
    }
    if (!request_room(w)) {
        return err_set(err,
                       "this world has room for %u requests in flight, all taken; run it first",
                       w->config.requests_max);
    }
    if (!apply_event_room(w, 1, err)) {
        return false;
    }
    apply_note(w, c, key, node_of(NODE_NONE, 0), 0, 0);
    row->rebuilding = true;
    uint32_t index = router_own(w, router, OP_READ, row->key, ORIGIN_JOB);
    requests_of(w)[index].many = 1;
    router_route(w, index);
    return true;
}

uint64_t rebuild_sum(struct world *w, uint16_t shard, struct hot_write *row, uint32_t *keys)
{
    row->cut = rule_on(w->rules, RULE_RECOUNT_AT_FLUSHED) ? liked_cut(w, row) : row->summed;
    *keys = 0;
    row->cut_sum = sum_of_routers(w, shard, row, keys);
    return row->cut_sum;
}

static void fail(struct world *w, struct hot_write *row, uint64_t step)
{
    row->rebuilding = false;
    struct trace_record *t =
        writes_note(w, WRITES_REBUILD_FAILED, node_of(NODE_OPERATOR, 0), row->key);
    writes_operands(t, step, 0, 0);
}

/* What do the sub-keys lack? A query that came twice may have been served again meanwhile; its cut
 * goes with its sum, whichever of the two answers is here. */
static void correct(struct world *w, struct hot_write *row, uint16_t router)
{
    uint64_t lacks = row->cut - row->cut_sum - row->doubled;
    struct trace_record *t = writes_note(w, WRITES_RECOUNTED, node_of(NODE_OPERATOR, 0), row->key);
    writes_operands(t, row->cut + row->direct, row->cut_sum + row->direct + row->doubled, lacks);
    if (lacks == 0 && row->fixes == 0) {
        row->rebuilding = false;
        return;
    }
    uint32_t index = router_own(w, router, OP_CORRECT, row->fix, ORIGIN_JOB);
    if (index == NO_INDEX) {
        return; /* the world has stopped */
    }
    row->fixed = lacks;
    row->fixes++;
    struct request *r = requests_of(w) + index;
    r->value = lacks;
    r->link = row->fixes;
    router_route(w, index);
}

void rebuild_landed(struct world *w, uint32_t request, enum outcome outcome)
{
    const struct request *r = requests_in(w) + request;
    struct hot_write *row = hot_write_of_key(w, r->key);
    uint16_t router = r->router;
    bool read = r->op == OP_READ;
    request_end(w, request);
    if (outcome != OUTCOME_OK) {
        fail(w, row, read ? 0 : 1);
    } else if (read) {
        correct(w, row, router);
    } else {
        row->rebuilding = false;
    }
}

void rebuild_crash(struct world *w, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    fail(w, hot_write_of_key(w, r->key), r->op == OP_READ ? 0 : 1);
    request_end(w, request);
}

enum outcome rebuild_serve(struct world *w, uint32_t request, struct store_entry *entry)
{
    const struct request *r = requests_in(w) + request;
    if (r->link <= entry->sequence) {
        return OUTCOME_NOT_NEWER;
    }
    entry->value = r->value;
    entry->sequence = r->link;
    return OUTCOME_OK;
}
