/*
 * shifts_dual: routers write each edit of a slot twice, and a backfill copies what was there.
 *
 * A client's edit waits while its router asks both shards by requests of its own (ORIGIN_DUAL, link
 * the client's; `which` tells the halves apart). The backfill reads the version at one instant and
 * writes it config.apply_us later.
 */
#include "engine/shifts/shifts_inside.h"

#include "engine/apply.h"
#include "engine/queue.h"
#include "engine/request.h"
#include "engine/steps.h"
#include "engine/store.h"

enum half { /* request.which of the router's own */
    HALF_FIRST = 1,
    HALF_TO_SOURCE,
    HALF_TO_TARGET
};

enum progress { /* request.which of the client's, bits */
    FIRST_IN = 1,
    SECOND_IN = 2,
    SECOND_FAILED = 4,
    SECOND_AT_TARGET = 8,
    SECOND_SENT = 16,
    REPLIED = 32,
    FIRST_FAILED = 64
};

static uint32_t row_written(const struct world *w, uint32_t slot)
{
    uint32_t row = shift_find(w, slot);
    return row != NO_ROW && shifts_in(w)[row].kind == SHIFT_DUAL ? row : NO_ROW;
}

static uint16_t shard_of(const struct shift_row *s, enum dual_side side)
{
    return side == DUAL_SOURCE ? s->source : s->target;
}

static enum dual_side other_side(enum dual_side side)
{
    return side == DUAL_SOURCE ? DUAL_TARGET : DUAL_SOURCE;
}

/* --- a write, twice --- */

/* It is an operation of its own: when a client sends its edit again, that is a newer edit with a
 * version of its own, which a shard that has seen the older one must not take for it. */
static uint32_t new_half(struct world *w, uint32_t client, enum half half, uint32_t version)
{
    const struct request *asked = requests_in(w) + client;
    uint32_t request = router_own(w, asked->router, OP_EDIT, asked->key, ORIGIN_DUAL);
    if (request == NO_INDEX) {
        return NO_INDEX;
    }
    struct request *r = requests_of(w) + request;
    r->link = client;
    r->value = version;
    r->which = (uint8_t)half;
    r->counted = 1; /* the client's was, and the second is counted here */
    requests_of(w)[client].flying++;
    return request;
}

static void ask_second(struct world *w, uint32_t row, uint32_t request)
{
    const struct shift_row *s = shifts_in(w) + row;
    const struct request *r = requests_in(w) + request;
    uint32_t version = (uint32_t)r->value;
    uint16_t to = shard_of(s, r->which == HALF_TO_TARGET ? DUAL_TARGET : DUAL_SOURCE);
    router_ask(w, request, to, s->epoch, (enum reason)REASON_DUAL_SECOND)->value = version;
    requests_of(w)[request].asking = 1;
}

static void send_second(struct world *w, uint32_t row, uint32_t client, uint32_t version,
                        enum dual_side side)
{
    enum half half = side == DUAL_TARGET ? HALF_TO_TARGET : HALF_TO_SOURCE;
    uint32_t request = new_half(w, client, half, version);
    if (request == NO_INDEX) {
        return;
    }
    struct shift_row *s = shifts_of(w) + row;
    s->doubled++;
    shards_of(w)[shard_of(s, side)].asked[WORK_WRITE]++;
    struct request *c = requests_of(w) + client;
    unsigned now = (c->which & (FIRST_IN | FIRST_FAILED | REPLIED)) | SECOND_SENT;
    c->which = (uint8_t)(now | (side == DUAL_TARGET ? SECOND_AT_TARGET : 0u));
    ask_second(w, row, request);
}

bool shifts_take(struct world *w, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    uint32_t row = r->op == OP_EDIT ? row_written(w, r->slot) : NO_ROW;
    if (row == NO_ROW || shifts_in(w)[row].dual.phase == DUAL_SINGLE) {
        return false;
    }
    struct shift_row *s = shifts_of(w) + row;
    uint32_t version = s->parallel ? ++s->version : 0;
    requests_of(w)[request].which = 0;
    uint32_t first = new_half(w, request, HALF_FIRST, version);
    if (first == NO_INDEX) {
        return true;
    }
    router_route(w, first);
    bool refused = (requests_in(w)[request].which & FIRST_FAILED) != 0; /* by a breaker, at once */
    if (s->parallel && !refused) {
        send_second(w, row, request, version, other_side(dual_primary(&s->dual)));
    }
    return true;
}

bool shifts_route(struct world *w, uint32_t request)
{
    const struct request *r = requests_in(w) + request;
    uint32_t row = shift_find(w, r->slot);
    if (r->origin == ORIGIN_DUAL && r->which != HALF_FIRST) {
        if (row != NO_ROW && shifts_in(w)[row].kind == SHIFT_DUAL) {
            ask_second(w, row, request);
        } else { /* double writing is over: the owner has it */
            shifts_landed(w, request, OUTCOME_OK, r->value);
        }
        return true;
    }
    if (row == NO_ROW || !*shift_misled(w, row, r->router)) {
        return false;
    }
    router_ask(w, request, shifts_in(w)[row].target, epochs_in(w)[r->slot],
               (enum reason)REASON_SHIFT_BELIEVES);
    return true;
}

/* What failed is made good by the backfill, which goes over all keys once more. */
static void repair_later(struct world *w, uint32_t row)
{
    struct shift_row *s = shifts_of(w) + row;
    s->again = true;
    if (s->job == SHIFT_IDLE && s->dual.filled != 0) {
        s->again = false;
        s->repairing = true;
        s->cursor = 0;
        s->begun = 0;
        shift_job(w, row, SHIFT_NEXT, SHIFT_RETRY_US);
    }
}

/* --- what the halves come to --- */

static void reply(struct world *w, uint32_t client, enum outcome outcome, int reason)
{
    struct request *c = requests_of(w) + client;
    if (!c->ended && (c->which & REPLIED) == 0) {
        c->which |= REPLIED;
        router_done(w, client, outcome, outcome == OUTCOME_OK ? c->value : 0, (enum reason)reason);
    }
}

static void reply_if_both(struct world *w, uint32_t client)
{
    unsigned which = requests_in(w)[client].which;
    if ((which & FIRST_IN) != 0 && (which & SECOND_IN) != 0) {
        bool one = (which & SECOND_FAILED) != 0;
        reply(w, client, OUTCOME_OK, one ? REASON_DUAL_ONE : REASON_DUAL_BOTH);
    }
}

static bool is_stored(enum outcome outcome)
{
    return outcome == OUTCOME_OK || outcome == OUTCOME_NOT_NEWER;
}

static void first_landed(struct world *w, uint32_t client, const struct request *half,
                         enum outcome outcome, uint64_t version)
{
    struct request *c = requests_of(w) + client;
    uint32_t row = row_written(w, half->slot);
    c->shard = half->shard;
    c->asks = half->asks & 15;
    c->timeouts = half->timeouts & 15;
    if (!is_stored(outcome)) {
        c->which |= FIRST_FAILED;
        if (row != NO_ROW) { /* it may be stored all the same, or the second is */
            repair_later(w, row);
        }
        reply(w, client, outcome, REASON_DUAL_FIRST_FAILED);
        return;
    }
    c->value = version;
    c->which |= FIRST_IN;
    if (row != NO_ROW && (c->which & SECOND_FAILED) != 0) {
        repair_later(w, row); /* only now does the backfill find it at the first shard */
    }
    if (row == NO_ROW) {
        reply(w, client, OUTCOME_OK, REASON_NONE);
        return;
    }
    const struct shift_row *s = shifts_in(w) + row;
    enum dual_side side = half->shard == s->target ? DUAL_TARGET : DUAL_SOURCE;
    bool at_target = (c->which & SECOND_AT_TARGET) != 0;
    if ((c->which & SECOND_SENT) == 0 || at_target == (side == DUAL_TARGET)) {
        send_second(w, row, client, (uint32_t)version, other_side(side));
    } else {
        reply_if_both(w, client);
    }
}

static void second_landed(struct world *w, uint32_t client, const struct request *half,
                          enum outcome outcome)
{
    struct request *c = requests_of(w) + client;
    uint32_t row = row_written(w, half->slot);
    bool at_target = (c->which & SECOND_AT_TARGET) != 0;
    if (at_target != (half->which == HALF_TO_TARGET)) {
        return; /* the slot switched meanwhile, and another was sent to the other side */
    }
    c->which |= SECOND_IN;
    if (row != NO_ROW && (c->which & FIRST_FAILED) != 0) {
        repair_later(w, row); /* only now does the backfill find it at the second shard */
    }
    if (!is_stored(outcome) && row != NO_ROW) {
        struct shift_row *s = shifts_of(w) + row;
        s->failed++;
        c->which |= SECOND_FAILED;
        struct trace_record *t = shift_note(w, row, REASON_DUAL_FAILED);
        t->request = c->number;
        t->key = half->key;
        t->op = OP_EDIT;
        t->from = node_of(NODE_ROUTER, half->router);
        t->to = node_of(NODE_SHARD, half->shard);
        t->operand[0] = (int64_t)half->value;
        t->operand[1] = outcome;
        repair_later(w, row);
    }
    reply_if_both(w, client);
}

void shifts_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value)
{
    struct request half = requests_in(w)[request];
    uint32_t client = half.link;
    CHECK(client != NO_INDEX);
    request_end(w, request);
    if (half.which == HALF_FIRST) {
        first_landed(w, client, &half, outcome, value);
    } else {
        second_landed(w, client, &half, outcome);
    }
    requests_of(w)[client].flying--;
    request_settle(w, client);
}

void shifts_router_crash(struct world *w, uint16_t router)
{
    for (uint32_t i = 0; w->shifts.dual > 0 && i < w->requests_used; i++) {
        struct request *r = requests_of(w) + i;
        if (r->number == 0 || r->ended || r->router != router || r->origin != ORIGIN_DUAL) {
            continue;
        }
        uint32_t client = r->link;
        r->link = NO_INDEX;
        requests_of(w)[client].flying--;
        request_settle(w, client);
        uint32_t row = row_written(w, r->slot);
        if (row != NO_ROW) {
            repair_later(w, row);
        }
    }
}

uint32_t shift_version(const struct world *w, uint16_t shard, uint32_t key)
{
    const struct store_entry *entry = store_find(w, shard, key);
    return entry == NULL || entry->gone ? 0 : entry->edits;
}

struct trace_record *shift_note_key(struct world *w, uint32_t row, int reason, uint32_t key,
                                    uint32_t version, uint32_t held)
{
    struct trace_record *t = shift_note(w, row, reason);
    t->key = key;
    t->op = OP_EDIT;
    t->operand[0] = version;
    t->operand[1] = held;
    return t;
}

void shift_note_back(struct world *w, uint16_t shard, uint32_t key)
{
    w->shifts.went_back++;
    w->shifts.back_key = key;
    w->shifts.back_shard = shard;
}

enum outcome shifts_edit(struct world *w, uint16_t shard, uint32_t request, uint64_t *version)
{
    struct request *r = requests_of(w) + request;
    struct store_entry *entry = store_put(w, shard, r->key);
    uint32_t row = row_written(w, r->slot);
    uint32_t held = entry->edits;
    bool carries = r->origin == ORIGIN_DUAL && r->value != 0;
    uint32_t given = carries ? (uint32_t)r->value : held + 1;
    if (row != NO_ROW && !carries) {
        given = ++shifts_of(w)[row].version;
    }
    if (r->origin == ORIGIN_DUAL) {
        r->value = given; /* should the message come twice, it is the same edit */
    }
    bool taken = dual_takes(w->rules, held, given);
    if (taken) {
        entry->edits = given;
    }
    *version = given;
    if (row != NO_ROW) {
        bool back = taken && given < held;
        int reason = back ? REASON_DUAL_OVERWRITTEN : taken ? REASON_DUAL_TAKEN : REASON_DUAL_KEPT;
        struct trace_record *t = shift_note_key(w, row, reason, r->key, given, held);
        t->request = r->number;
        t->from = node_of(NODE_SHARD, shard);
        t->to = node_of(NODE_NONE, 0);
        if (back) {
            shift_note_back(w, shard, r->key);
        }
    }
    return taken ? OUTCOME_OK : OUTCOME_NOT_NEWER;
}
