/*
 * indexes_put: a put at its router, step by step, and entries that follow later.
 */
#include "engine/indexes/indexes_inside.h"

#include "engine/queue.h"
#include "engine/steps.h"

static void send(struct world *w, uint32_t op, enum entry_what what, uint16_t term, uint32_t stamp)
{
    const struct index_op *o = index_ops_in(w) + op;
    const struct catalog *c = catalogs_in(w) + o->catalog;
    struct entry_note note = index_note_of(w, o, what, term, stamp);
    uint32_t key =
        what == ENTRY_ROW ? catalog_row_in(w, c, o->row)->key : catalog_terms_in(w)[term].key;
    enum op_kind kind = what == ENTRY_ROW ? OP_PUT : what == ENTRY_CLAIM ? OP_CLAIM : OP_ENTRY;
    uint32_t request = index_message(w, op, kind, key, &note);
    if (request != NO_INDEX) {
        router_route(w, request);
    }
}

static void write_row(struct world *w, uint32_t op)
{
    struct index_op *o = index_ops_of(w) + op;
    o->stage = STAGE_ROW;
    send(w, op, ENTRY_ROW, o->term, 0);
}

void index_put_arrives(struct world *w, uint32_t op)
{
    struct index_op *o = index_ops_of(w) + op;
    if (catalogs_in(w)[o->catalog].mode != CATALOG_UNIQUE) {
        write_row(w, op);
        return;
    }
    o->stage = STAGE_CLAIM;
    send(w, op, ENTRY_CLAIM, o->term, 0);
}

/* Its client is told that it did not, or not wholly, succeed. */
static void fails(struct world *w, uint32_t op)
{
    struct index_op *o = index_ops_of(w) + op;
    const struct catalog *c = catalogs_in(w) + o->catalog;
    o->failed = true;
    struct trace_record *t = index_tell(w, op, REASON_CATALOG_HALF, OUTCOME_FAILED);
    t->operand[0] = catalog_row_in(w, c, o->row)->id;
    t->operand[1] = o->stored;
    t->operand[2] = o->writes;
}

static void succeeds(struct world *w, uint32_t op)
{
    struct index_op *o = index_ops_of(w) + op;
    const struct catalog *c = catalogs_in(w) + o->catalog;
    struct trace_record *t = index_tell(w, op, REASON_CATALOG_DONE, OUTCOME_OK);
    t->operand[0] = catalog_row_in(w, c, o->row)->id;
    t->operand[1] = o->writes;
}

static void claim_landed(struct world *w, uint32_t op, enum outcome outcome, uint64_t value)
{
    struct index_op *o = index_ops_of(w) + op;
    struct catalog *c = catalogs_of(w) + o->catalog;
    uint32_t end = (uint32_t)(value >> 16 & 0xFFFF);
    if (outcome != OUTCOME_OK) {
        fails(w, op);
    } else if (end == CLAIM_TAKEN) {
        o->refused = true;
        struct trace_record *t = index_tell(w, op, REASON_CATALOG_REFUSED, OUTCOME_SHORT);
        t->operand[0] = catalog_row_in(w, c, o->row)->id;
        t->operand[1] = catalog_row_in(w, c, (uint32_t)(value & 0xFFFF))->id;
    } else {
        write_row(w, op);
    }
}

/* Whether all entries are: then the client is told. */
static void entries_landed(struct world *w, uint32_t op)
{
    const struct index_op *o = index_ops_in(w) + op;
    if (o->parts_out > 0) {
        return;
    }
    if (o->failed) {
        fails(w, op);
    } else {
        succeeds(w, op);
    }
}

/* The row is written: its answer says what else there is to do. */
static void row_written(struct world *w, uint32_t op, uint64_t value)
{
    struct index_op *o = index_ops_of(w) + op;
    uint8_t mode = catalogs_in(w)[o->catalog].mode;
    uint16_t term = o->term;
    uint16_t old = (uint16_t)(value & 0xFFFF);
    uint32_t stamp = (uint32_t)(value >> 32);
    bool same = mode == CATALOG_UNIQUE ? old == TERM_NONE : old == term;
    if (mode == CATALOG_LOCAL || mode == CATALOG_ASYNC || same) {
        succeeds(w, op);
        return;
    }
    o->stage = STAGE_ENTRIES;
    if (mode == CATALOG_UNIQUE) {
        send(w, op, ENTRY_RELEASE, old, 0); /* what the row was claimed for until now */
        return;
    }
    o->parts_out++; /* one may land before the other is sent: refused by its router itself */
    if (old != TERM_NONE) {
        send(w, op, ENTRY_REMOVE, old, stamp);
    }
    send(w, op, ENTRY_ADD, term, stamp);
    o->parts_out--;
    entries_landed(w, op);
}

static void row_landed(struct world *w, uint32_t op, enum outcome outcome, uint64_t value)
{
    if (outcome == OUTCOME_OK) {
        row_written(w, op, value);
    } else {
        fails(w, op); /* a claim stays: the row may be written yet, by a copy of the message */
    }
}

void index_put_landed(struct world *w, uint32_t op, enum outcome outcome, uint64_t value)
{
    struct index_op *o = index_ops_of(w) + op;
    switch ((enum index_stage)o->stage) {
    case STAGE_CLAIM:
        claim_landed(w, op, outcome, value);
        return;
    case STAGE_ROW:
        row_landed(w, op, outcome, value);
        return;
    case STAGE_ENTRIES:
        o->failed = o->failed || outcome != OUTCOME_OK;
        entries_landed(w, op);
        return;
    case STAGE_WAY:
    case STAGE_BACK:
        break;
    }
    CHECK(false && "a put that waits for no shard");
}

void index_put_told(struct world *w, uint32_t op)
{
    const struct index_op *o = index_ops_in(w) + op;
    struct catalog *c = catalogs_of(w) + o->catalog;
    struct catalog_row *row = catalog_row_at(w, c, o->row);
    c->puts++;
    c->refused += o->refused;
    c->failed += o->failed;
    c->last_end = o->refused ? PUT_REFUSED : o->failed ? PUT_FAILED : PUT_STORED;
    c->last_put_us = (uint64_t)(w->now_us - o->asked_us);
    c->last_writes = o->writes;
    c->last_id = row->id;
    row->untrue = row->untrue || (o->failed && o->writes > 0);
    index_op_free(w, op);
}

/* --- async: entries that follow --- */

static uint8_t number_of(const struct catalog *c, uint32_t row)
{
    uint8_t number = 0;
    while (c->row[number] != row) {
        number++;
    }
    return number;
}

static void timer_again(struct world *w, uint32_t row, uint32_t version, uint16_t term,
                        int64_t in_us)
{
    const struct catalog_row *at = catalog_rows_in(w) + row;
    const struct catalog *c = catalogs_in(w) + (at->catalog - 1);
    struct entry_note due = {.catalog = (uint8_t)(at->catalog - 1),
                             .life = c->life,
                             .row = number_of(c, row),
                             .term = term,
                             .stamp = version};
    struct event *event = queue_at(w, w->now_us + in_us, EVENT_JOB);
    event->request = NO_INDEX;
    event->detail = JOB_INDEX;
    event->node = TIMER_FOLLOW;
    event->carries.value = entry_pack(&due);
}

/* The router of the last put, or the next that is up; false: none is. */
static bool router_up(const struct world *w, uint16_t *router)
{
    for (uint32_t i = 0; i < w->config.routers; i++) {
        uint16_t at = (uint16_t)((*router + i) % w->config.routers);
        if (!routers_in(w)[at].down) {
            *router = at;
            return true;
        }
    }
    return false;
}

/* It was not told to all: once more, a little later; of several changes the newest. */
static void follow_again(struct world *w, uint32_t row, uint32_t version, uint16_t term,
                         uint16_t router)
{
    struct catalog_row *at = catalog_rows_of(w) + row;
    if (at->due && at->due_version > version) {
        version = at->due_version;
        term = at->due_term;
    }
    at->due = false;
    struct trace_record *t =
        index_note(w, node_of(NODE_ROUTER, router), REASON_CATALOG_AGAIN, at->catalog - 1u);
    t->operand[0] = at->id;
    t->operand[1] = FOLLOW_AGAIN_US;
    timer_again(w, row, version, term, FOLLOW_AGAIN_US);
}

static void follow_over(struct world *w, uint32_t op, bool stored);

static void send_entries(struct world *w, uint32_t op)
{
    struct index_op *o = index_ops_of(w) + op;
    uint64_t bit = UINT64_C(1) << o->row;
    uint16_t term = o->term;
    uint32_t version = o->stamp;
    uint8_t catalog = (uint8_t)(o->catalog + 1);
    catalog_terms_of(w)[term].sent |= bit;
    o->parts_out++; /* as for a put */
    for (uint32_t i = 0; i < catalog_terms_room(w); i++) {
        const struct catalog_term *t = catalog_terms_in(w) + i;
        /* what was sent and never answered may still be on its way */
        if (t->catalog == catalog && i != term && ((t->mask | t->sent) & bit) != 0) {
            send(w, op, ENTRY_REMOVE, (uint16_t)i, version);
        }
    }
    send(w, op, ENTRY_ADD, term, version);
    o->parts_out--;
    if (o->parts_out == 0) {
        follow_over(w, op, !o->failed);
    }
}

void index_follow_due(struct world *w, uint32_t row, uint32_t version, uint16_t term)
{
    struct catalog_row *at = catalog_rows_of(w) + row;
    if (version <= at->indexed || version < at->started) {
        return; /* a newer one takes care of what was sent for this one */
    }
    if (at->following) {
        if (!at->due || version > at->due_version) {
            at->due = true;
            at->due_version = version;
            at->due_term = term;
        }
        return;
    }
    uint16_t router = at->router;
    uint32_t op = index_op_new(w);
    if (op == INDEX_OPS_MAX || !router_up(w, &router)) {
        follow_again(w, row, version, term, router);
        return;
    }
    const struct catalog *c = catalogs_in(w) + (at->catalog - 1);
    at->following = true;
    at->started = version;
    index_ops_of(w)[op] = (struct index_op){.number = ++w->indexes.number,
                                            .asked_us = w->now_us,
                                            .stamp = version,
                                            .router = router,
                                            .term = term,
                                            .kind = INDEX_OP_FOLLOW,
                                            .stage = STAGE_ENTRIES,
                                            .catalog = (uint8_t)(at->catalog - 1),
                                            .row = number_of(c, row)};
    struct trace_record *t =
        index_note(w, node_of(NODE_ROUTER, router), REASON_CATALOG_FOLLOWS, at->catalog - 1u);
    t->operand[0] = at->id;
    t->operand[1] = version;
    t->value = term;
    send_entries(w, op);
}

static void follow_over(struct world *w, uint32_t op, bool stored)
{
    struct index_op o = index_ops_in(w)[op];
    uint32_t row = catalogs_in(w)[o.catalog].row[o.row];
    struct catalog_row *at = catalog_rows_of(w) + row;
    index_op_free(w, op);
    at->following = false;
    at->indexed = stored && o.stamp > at->indexed ? o.stamp : at->indexed;
    if (!stored) {
        follow_again(w, row, o.stamp, o.term, o.router);
    } else if (at->due) {
        at->due = false;
        index_follow_due(w, row, at->due_version, at->due_term);
    }
}

void index_follow_landed(struct world *w, uint32_t op, enum outcome outcome)
{
    struct index_op *o = index_ops_of(w) + op;
    o->failed = o->failed || outcome != OUTCOME_OK;
    if (o->parts_out == 0) {
        follow_over(w, op, !o->failed);
    }
}

void index_follow_died(struct world *w, uint32_t op)
{
    follow_over(w, op, false);
}
