/*
 * indexes: the tables of catalogs, and the commands about them.
 */
#include "engine/indexes/indexes_inside.h"

#include "engine/apply.h"
#include "engine/queue.h"
#include "engine/steps.h"
#include "engine/store.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void indexes_lay_out(struct world *plan, uint64_t *end)
{
    uint32_t catalogs = plan->config.catalogs_max;
    plan->at.catalogs = table_at(end, catalogs, sizeof(struct catalog));
    plan->at.catalog_rows = table_at(end, catalog_rows_room(plan), sizeof(struct catalog_row));
    plan->at.catalog_terms = table_at(end, catalog_terms_room(plan), sizeof(struct catalog_term));
    plan->at.index_ops = table_at(end, catalogs > 0 ? INDEX_OPS_MAX : 0, sizeof(struct index_op));
}

uint64_t catalog_true_mask(const struct world *w, const struct catalog *c, uint16_t term)
{
    uint64_t mask = 0;
    for (uint32_t i = 0; i < c->rows; i++) {
        mask |= (uint64_t)(catalog_row_in(w, c, i)->term == term) << i;
    }
    return mask;
}

bool indexes_messages(const struct world *w, uint32_t catalog)
{
    for (uint32_t i = 0; i < w->requests_used; i++) {
        const struct request *r = requests_in(w) + i;
        if (r->number != 0 && r->origin == ORIGIN_ENTRY && r->which == catalog) {
            return true;
        }
    }
    return false;
}

struct trace_record *index_note(struct world *w, struct node from, enum indexes_reason reason,
                                uint32_t catalog)
{
    struct trace_record *t = trace_add(w, TRACE_INDEX);
    t->key = KEY_NONE_ID;
    t->from = from;
    t->reason = (uint16_t)reason;
    t->target = (uint16_t)catalog;
    return t;
}

/* --- what is under way --- */

void index_timer(struct world *w, uint32_t op, enum index_timer timer, int64_t in_us)
{
    struct event *event = queue_at(w, w->now_us + in_us, EVENT_JOB);
    event->request = op;
    event->detail = JOB_INDEX;
    event->node = (uint16_t)timer;
    index_ops_of(w)[op].timer = true;
}

struct entry_note index_note_of(const struct world *w, const struct index_op *op,
                                enum entry_what what, uint16_t term, uint32_t stamp)
{
    return (struct entry_note){
        .what = (uint8_t)what,
        .catalog = op->catalog,
        .life = catalogs_in(w)[op->catalog].life,
        .row = op->row,
        .term = term,
        .stamp = stamp,
    };
}

uint32_t index_message(struct world *w, uint32_t op, enum op_kind kind, uint32_t key,
                       const struct entry_note *note)
{
    struct index_op *o = index_ops_of(w) + op;
    struct catalog *c = catalogs_of(w) + o->catalog;
    uint32_t request = router_own(w, o->router, kind, key, ORIGIN_ENTRY);
    if (request == NO_INDEX) {
        return NO_INDEX;
    }
    struct request *r = requests_of(w) + request;
    r->link = op;
    r->which = o->catalog;
    r->value = entry_pack(note);
    o->parts_out++;
    o->writes++;
    if (op_reads(kind)) {
        c->parts++;
    } else {
        c->writes++;
    }
    return request;
}

/* The way between a router and its clients. */
static int64_t way_us(const struct world *w, uint16_t router)
{
    uint8_t zone = routers_in(w)[router].zone;
    return w->config.delay_us[zone][zone];
}

struct trace_record *index_tell(struct world *w, uint32_t op, enum indexes_reason reason,
                                enum outcome outcome)
{
    struct index_op *o = index_ops_of(w) + op;
    int64_t way = way_us(w, o->router);
    o->stage = STAGE_BACK;
    struct trace_record *t = index_note(w, node_of(NODE_ROUTER, o->router), reason, o->catalog);
    t->to = node_of(NODE_CLIENT, routers_in(w)[o->router].zone);
    t->arrive_us = w->now_us + way;
    t->outcome = (uint8_t)outcome;
    t->took_us = (uint32_t)(t->arrive_us - o->asked_us);
    t->value = o->term;
    index_timer(w, op, TIMER_TOLD, way);
    return t;
}

uint32_t index_op_new(const struct world *w)
{
    uint32_t op = 0;
    while (op < INDEX_OPS_MAX && index_ops_in(w)[op].kind != INDEX_OP_NONE) {
        op++;
    }
    return op;
}

void index_op_free(struct world *w, uint32_t op)
{
    struct index_op *o = index_ops_of(w) + op;
    if (o->kind != INDEX_OP_FOLLOW && !o->dropped) {
        catalogs_of(w)[o->catalog].under_way--;
        w->command_requests_open--;
    }
    *o = (struct index_op){0};
}

static void arrives(struct world *w, uint32_t op)
{
    struct index_op *o = index_ops_of(w) + op;
    if (routers_in(w)[o->router].down) {
        struct trace_record *t = index_note(w, node_of(NODE_CLIENT, routers_in(w)[o->router].zone),
                                            REASON_CATALOG_NO_ROUTER, o->catalog);
        t->operand[0] = o->router;
        o->failed = true;
        if (o->kind == INDEX_OP_PUT) {
            index_put_told(w, op);
        } else {
            index_find_told(w, op);
        }
    } else if (o->kind == INDEX_OP_PUT) {
        index_put_arrives(w, op);
    } else {
        index_find_arrives(w, op);
    }
}

void indexes_handle(struct world *w, const struct event *event)
{
    if (event->node == TIMER_FOLLOW) {
        struct entry_note due = entry_unpack(event->carries.value);
        const struct catalog *c = catalogs_in(w) + due.catalog;
        if (due.life == c->life) {
            index_follow_due(w, c->row[due.row], due.stamp, due.term);
        }
        return;
    }
    uint32_t op = event->request;
    struct index_op *o = index_ops_of(w) + op;
    o->timer = false;
    if (o->dropped) {
        index_op_free(w, op);
    } else if (event->node == TIMER_ARRIVES) {
        arrives(w, op);
    } else if (o->kind == INDEX_OP_PUT) {
        index_put_told(w, op);
    } else {
        index_find_told(w, op);
    }
}

void indexes_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value)
{
    const struct request *r = requests_in(w) + request;
    uint32_t op = r->link;
    uint16_t shard = r->shard;
    struct index_op *o = index_ops_of(w) + op;
    request_end(w, request);
    o->parts_out--;
    o->stored += outcome == OUTCOME_OK;
    if (o->dropped) {
        if (o->parts_out == 0 && !o->timer) {
            index_op_free(w, op);
        }
        return;
    }
    switch ((enum index_op_kind)o->kind) {
    case INDEX_OP_PUT:
        index_put_landed(w, op, outcome, value);
        return;
    case INDEX_OP_FIND:
        index_find_landed(w, op, shard, outcome, value);
        return;
    case INDEX_OP_FOLLOW:
        index_follow_landed(w, op, outcome);
        return;
    case INDEX_OP_NONE:
        break;
    }
    CHECK(false && "an answer that nobody waits for");
}

/* --- a router dies --- */

static bool in_hand(const struct index_op *o)
{
    return o->kind == INDEX_OP_FOLLOW || (o->stage != STAGE_WAY && o->stage != STAGE_BACK);
}

void indexes_router_crash(struct world *w, uint16_t router)
{
    for (uint32_t i = 0; w->indexes.count > 0 && i < INDEX_OPS_MAX; i++) {
        struct index_op *o = index_ops_of(w) + i;
        if (o->kind == INDEX_OP_NONE || o->router != router || !in_hand(o)) {
            continue;
        }
        o->parts_out = 0; /* they end with it */
        if (o->dropped) {
            index_op_free(w, i);
        } else if (o->kind == INDEX_OP_FOLLOW) {
            index_follow_died(w, i);
        } else {
            struct trace_record *t =
                index_note(w, node_of(NODE_ROUTER, router), REASON_CATALOG_DIED, o->catalog);
            t->operand[0] = o->kind == INDEX_OP_PUT;
            t->operand[1] = catalog_row_in(w, catalogs_in(w) + o->catalog, o->row)->id;
            o->failed = true;
            if (o->kind == INDEX_OP_PUT) {
                index_put_told(w, i);
            } else {
                index_find_told(w, i);
            }
        }
    }
}
