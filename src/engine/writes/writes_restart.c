/*
 * writes_restart: a router that sums has crashed, comes back, and makes its sub-key its own.
 *
 * Its buffer is gone from the count; so is what a flush under way carries, unless that lands before
 * the claim. Rows of the former life belong to the past, for a rebuild, from the claim on.
 */
#include "engine/writes/writes_inside.h"

static void crash_spot(struct world *w, struct hot_write *row, uint16_t router)
{
    struct write_spot *spot = write_spot_of(w, row, router);
    if (spot->key == KEY_NONE_ID) {
        return;
    }
    if (spot->sender.phase == FLUSH_READY) {
        spot->before = spot->sender.total;
    }
    uint64_t held = held_at_owner(w, spot->key);
    struct trace_record *t = writes_note(w, WRITES_CRASHED, node_of(NODE_ROUTER, router), row->key);
    uint64_t due = spot->before + spot->again;
    writes_operands(t, spot->sender.buffer, due > held ? due - held : 0, spot->unstored);
    spot->lost += spot->sender.buffer - spot->unstored;
    row->forgotten += spot->unstored;
    spot->unstored = 0;
    spot->rows += spot->newer;
    spot->newer = 0;
    spot->heard = 0;
    spot->flights = 0;
    spot->life++;
    spot->timer++;
    spot->armed = false;
    flush_crash(&spot->sender);
}

void writes_crash(struct world *w, uint16_t router)
{
    for (uint32_t i = 0; i < w->writes.count; i++) {
        crash_spot(w, hot_writes_of(w) + i, router);
    }
    for (uint32_t i = 0; i < w->requests_used; i++) {
        const struct request *r = requests_in(w) + i;
        if (r->number == 0 || r->ended || r->router != router) {
            continue;
        }
        if (r->origin == ORIGIN_PART) {
            gather_crash(w, i);
        } else if (r->origin == ORIGIN_FLUSH) {
            request_end(w, i);
        } else if (r->origin == ORIGIN_JOB) {
            rebuild_crash(w, i);
        }
    }
}

void writes_restart(struct world *w, uint16_t router)
{
    for (uint32_t i = 0; i < w->writes.count; i++) {
        const struct hot_write *row = hot_writes_in(w) + i;
        const struct write_spot *spot = write_spot_in(w, row, router);
        if (spot->key == KEY_NONE_ID) {
            continue;
        }
        if (spot->sender.phase != FLUSH_READY) { /* else it got its sub-key while it was away */
            restart_read(w, row, router);
        }
        sum_arm(w, row, router);
    }
}

/* A read of the sub-key, or a claim of it. */
static struct request *ask(struct world *w, const struct hot_write *row, uint16_t router,
                           enum op_kind op, uint32_t *index)
{
    struct write_spot *spot = write_spot_of(w, row, router);
    *index = router_own(w, router, op, spot->key, ORIGIN_FLUSH);
    if (*index == NO_INDEX) {
        return NULL; /* the world has stopped */
    }
    spot->flights++;
    return requests_of(w) + *index;
}

void restart_read(struct world *w, const struct hot_write *row, uint16_t router)
{
    uint32_t index = NO_INDEX;
    struct request *r = ask(w, row, router, OP_READ, &index);
    if (r != NULL) {
        r->many = 1;
        writes_note(w, WRITES_READS_BACK, node_of(NODE_ROUTER, router), r->key);
        router_route(w, index);
    }
}

static void claim(struct world *w, const struct hot_write *row, uint16_t router,
                  struct flush_cell held)
{
    uint32_t index = NO_INDEX;
    struct request *r = ask(w, row, router, OP_CLAIM, &index);
    if (r != NULL) {
        r->value = held.total;
        r->link = held.sequence;
        struct trace_record *t =
            writes_note(w, WRITES_CLAIMS, node_of(NODE_ROUTER, router), r->key);
        writes_operands(t, held.total, held.sequence, 0);
        router_route(w, index);
    }
}

static void back_in_use(struct world *w, const struct hot_write *row, uint16_t router)
{
    struct write_spot *spot = write_spot_of(w, row, router);
    uint64_t beyond = spot->before + spot->again - spot->sender.total;
    spot->lost += beyond;
    spot->before = 0;
    spot->again = 0;
    spot->rows = spot->newer;
    spot->newer = 0;
    spot->position = 0;
    spot->answered = spot->sender.sequence;
    struct trace_record *t =
        writes_note(w, WRITES_BACK_IN_USE, node_of(NODE_ROUTER, router), spot->key);
    writes_operands(t, spot->sender.total, spot->sender.sequence, beyond);
}

void restart_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value)
{
    const struct request *r = requests_in(w) + request;
    const struct hot_write *row = hot_write_in_key(w, r->key);
    struct write_spot *spot = write_spot_of(w, row, r->router);
    struct flush_cell held = {.total = value, .sequence = r->link};
    uint16_t router = r->router;
    bool read = r->op == OP_READ;
    spot->flights--;
    request_end(w, request);
    if (read && outcome == OUTCOME_OK) {
        if (flush_read_back(&spot->sender, w->rules, held)) {
            claim(w, row, router, held);
        } else {
            back_in_use(w, row, router);
        }
    } else if (!read) {
        flush_claimed(&spot->sender, outcome == OUTCOME_OK);
        if (outcome == OUTCOME_OK) {
            back_in_use(w, row, router);
        } else if (outcome == OUTCOME_NOT_NEWER) {
            writes_note(w, WRITES_CLAIM_LOST, node_of(NODE_ROUTER, router), spot->key);
            restart_read(w, row, router);
        }
    } /* else the next flush that is due tries again */
}

uint64_t restart_held(struct world *w, uint16_t shard, uint32_t request)
{
    struct request *r = requests_of(w) + request;
    const struct store_entry *entry = store_find(w, shard, r->key);
    r->link = entry == NULL ? 0 : entry->sequence;
    return entry == NULL ? 0 : entry->value;
}

enum outcome restart_serve(struct world *w, uint32_t request, struct store_entry *entry)
{
    const struct request *r = requests_in(w) + request;
    struct flush_cell cell = {.total = entry->value, .sequence = entry->sequence};
    struct flush_parcel parcel = {.value = r->value, .sequence = r->link};
    if (!flush_take_claim(&cell, parcel)) {
        return OUTCOME_NOT_NEWER;
    }
    entry->sequence = cell.sequence;
    return OUTCOME_OK;
}
