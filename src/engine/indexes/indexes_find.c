/*
 * indexes_find: a find at its router.
 */
#include "engine/indexes/indexes_inside.h"

#include "engine/directory.h"
#include "engine/steps.h"

/* One read to each shard that owns slots by this router's map, about a slot of its own. */
static void ask_all(struct world *w, uint32_t op, const struct entry_note *note, uint32_t key)
{
    bool asked[SHARDS_MAX] = {false};
    uint32_t version = routers_in(w)[index_ops_in(w)[op].router].map_version;
    for (uint32_t slot = 0; slot < w->config.slots; slot++) {
        struct plan plan = directory_lookup(w, version, slot);
        if (asked[plan.owner]) {
            continue;
        }
        asked[plan.owner] = true;
        uint32_t request = index_message(w, op, OP_READ, key, note);
        if (request == NO_INDEX) {
            return;
        }
        requests_of(w)[request].slot = (uint16_t)slot;
        router_route(w, request);
    }
}

static void all_landed(struct world *w, uint32_t op);

void index_find_arrives(struct world *w, uint32_t op)
{
    struct index_op *o = index_ops_of(w) + op;
    const struct catalog *c = catalogs_in(w) + o->catalog;
    bool local = !catalog_global(c);
    struct entry_note note = index_note_of(w, o, local ? ENTRY_FIND_LOCAL : ENTRY_FIND, o->term, 0);
    uint32_t key = catalog_terms_in(w)[o->term].key;
    o->stage = STAGE_ROW;
    if (local) {
        o->parts_out++; /* one may land before another is sent: refused by its router itself */
        ask_all(w, op, &note, key);
        o->parts_out--;
        all_landed(w, op);
        return;
    }
    uint32_t request = index_message(w, op, OP_READ, key, &note);
    if (request != NO_INDEX) {
        router_route(w, request);
    }
}

/* What the rows say at this moment, against what was found. */
static void compare(const struct world *w, struct catalog *c, const struct index_op *o)
{
    uint64_t truth = catalog_true_mask(w, c, o->term);
    c->find.mask = o->mask;
    c->find.missing = (uint32_t)__builtin_popcountll(truth & ~o->mask);
    c->find.extra = (uint32_t)__builtin_popcountll(o->mask & ~truth);
    c->find.slowest = o->slowest;
    c->find.parts = o->writes;
    c->find.failed = o->writes - o->stored;
}

void index_find_landed(struct world *w, uint32_t op, uint16_t shard, enum outcome outcome,
                       uint64_t value)
{
    struct index_op *o = index_ops_of(w) + op;
    if (outcome == OUTCOME_OK) {
        o->mask |= value;
        o->slowest = shard;
    } else {
        o->failed = true;
    }
    all_landed(w, op);
}

static void all_landed(struct world *w, uint32_t op)
{
    struct index_op *o = index_ops_of(w) + op;
    struct catalog *c = catalogs_of(w) + o->catalog;
    if (o->parts_out > 0) {
        return;
    }
    struct index_op now = *o;
    bool last = c->find.number == now.number;
    struct catalog found = *c;
    compare(w, &found, &now);
    if (last) {
        c->find = found.find;
    }
    struct trace_record *t =
        index_tell(w, op, now.failed ? REASON_CATALOG_NOT_ALL : REASON_CATALOG_FOUND,
                   now.failed ? OUTCOME_FAILED : OUTCOME_OK);
    t->operand[0] = __builtin_popcountll(now.mask);
    t->operand[1] = found.find.missing;
    t->operand[2] = now.failed ? found.find.failed : found.find.extra;
}

void index_find_told(struct world *w, uint32_t op)
{
    const struct index_op *o = index_ops_in(w) + op;
    struct catalog *c = catalogs_of(w) + o->catalog;
    c->finds++;
    c->last_find_us = (uint64_t)(w->now_us - o->asked_us);
    if (c->find.number == o->number) {
        c->find.ended_us = w->now_us;
        c->find.done = true;
        if (o->stage != STAGE_BACK) { /* its router is down, or died */
            compare(w, c, o);
        }
    }
    index_op_free(w, op);
}
