/*
 * quorums_work: clients, and the nodes that coordinate for them.
 *
 * A coordinator sends to all N at once. A write is done when W places have it; a read when R places
 * have answered and, with `repair before`, W of them hold what it returns. It goes on listening
 * until its time is over: late answers tell who is to be repaired, and silent nodes of a sloppy
 * store get a stand-in though the client has been answered long ago.
 */
#include "engine/quorums/quorums_inside.h"

/* --- the trace --- */

struct trace_record *quorum_note(struct world *w, uint32_t store, uint8_t key,
                                 enum quorums_reason reason)
{
    struct trace_record *t = trace_add(w, TRACE_QUORUM);
    t->key = KEY_NONE_ID;
    t->target = (uint16_t)store;
    t->epoch = key;
    t->reason = (uint16_t)reason;
    return t;
}

struct trace_record *quorum_note_way(struct world *w, const struct node_message *m, uint8_t key,
                                     enum quorums_reason reason)
{
    struct trace_record *t = quorum_note(w, m->about, key, reason);
    t->from = node_named(m->from);
    t->to = node_named(m->to);
    t->arrive_us = w->now_us + node_way_us(w, m->from, m->to);
    t->operand[0] = (int64_t)m->word[0];
    return t;
}

struct trace_record *quorum_note_command(struct world *w, const struct command *c, uint32_t store)
{
    struct trace_record *t = trace_add(w, TRACE_COMMAND);
    t->key = KEY_NONE_ID;
    t->version = w->map_version;
    t->from = node_of(NODE_OPERATOR, 0);
    t->reason = REASON_OPERATOR;
    t->operand[0] = c->kind;
    t->target = (uint16_t)store;
    return t;
}

/* --- operations --- */

struct quorum_op *quorum_op_find(struct world *w, uint32_t store, uint32_t number)
{
    struct quorum_op *op = stores_of(w)[store].op + number % STORE_HISTORY_MAX;
    return number != 0 && op->number == number ? op : NULL;
}

/* Whose coordinator still has it in hand. */
static struct quorum_op *in_hand(struct world *w, uint32_t store, uint64_t number)
{
    struct quorum_op *op = quorum_op_find(w, store, (uint32_t)number);
    return op != NULL && op->arrived && !op->lost && !op->closed ? op : NULL;
}

static uint8_t all_of(const struct quorum_op *op)
{
    return (uint8_t)((1u << versions_size(&op->result)) - 1u);
}

static bool has_all(const struct quorum_op *op, uint32_t place, bool stand_ins)
{
    uint8_t have = op->have[BY_ITSELF][place];
    have |= stand_ins ? op->have[BY_STAND_IN][place] : 0;
    return have == all_of(op);
}

static bool is_heard(const struct quorum_op *op, uint32_t place, bool stand_ins)
{
    unsigned heard = op->heard[BY_ITSELF];
    heard |= stand_ins ? op->heard[BY_STAND_IN] : 0u;
    return (heard >> place & 1) != 0;
}

/* Whether a place has done what is waited for now. */
static bool is_done(const struct quorum_op *op, uint32_t place, bool stand_ins)
{
    return op->write || op->storing ? has_all(op, place, stand_ins)
                                    : is_heard(op, place, stand_ins);
}

static uint8_t count_done(const struct store_row *s, const struct quorum_op *op, bool stand_ins)
{
    uint8_t n = 0;
    for (uint32_t place = 0; place < s->n; place++) {
        n = (uint8_t)(n + is_done(op, place, stand_ins));
    }
    return n;
}

static uint32_t who_has(const struct store_row *s, const struct quorum_op *op, uint32_t place,
                        enum by by)
{
    return by == BY_ITSELF ? ring_node(s, op->key, place) : op->stand_in[place] - 1u;
}

static struct node_message message_to(uint32_t store, const struct quorum_op *op, uint32_t place,
                                      uint32_t node)
{
    return (struct node_message){.from = op->node,
                                 .to = (uint16_t)node,
                                 .module = MODULE_QUORUMS,
                                 .about = (uint16_t)store,
                                 .shown = true,
                                 .word = {op->number, place}};
}

/* One version of the result, to a place. */
static void store_one(struct world *w, uint32_t store, struct quorum_op *op, uint32_t place,
                      enum by by, uint32_t index)
{
    struct store_row *s = stores_of(w) + store;
    uint32_t node = who_has(s, op, place, by);
    uint16_t version = (uint16_t)(op->result.at[index] - 1);
    enum write_why why = op->write ? (by == BY_ITSELF ? WRITE_SET : WRITE_HINT)
                                   : (by == BY_ITSELF ? WRITE_REPAIR : WRITE_REPAIR_HINT);
    if (node == op->node) {
        quorum_replica_here(w, store, op, place, version, why);
        op->have[by][place] |= (uint8_t)(1u << index);
        return;
    }
    struct node_message m = message_to(store, op, place, node);
    m.kind = SAY_WRITE;
    m.word[2] = version_name(s, version);
    m.word[3] = why;
    enum quorums_reason reason = by == BY_STAND_IN ? REASON_QUORUM_HINT
                                 : op->write       ? REASON_QUORUM_WRITE
                                                   : REASON_QUORUM_REPAIR;
    struct trace_record *t = quorum_note_way(w, &m, op->key, reason);
    t->value = s->version[version].value;
    t->operand[1] = by == BY_STAND_IN ? ring_node(s, op->key, place) : op->storing;
    node_send(w, &m);
}

static void store_at(struct world *w, uint32_t store, struct quorum_op *op, uint32_t place,
                     enum by by)
{
    for (uint32_t i = 0; i < versions_size(&op->result); i++) {
        if ((op->have[by][place] >> i & 1) == 0) {
            store_one(w, store, op, place, by, i);
        }
    }
}

static void read_at(struct world *w, uint32_t store, struct quorum_op *op, uint32_t place,
                    enum by by)
{
    struct store_row *s = stores_of(w) + store;
    uint32_t node = who_has(s, op, place, by);
    if (node == op->node) {
        op->reply[by][place] = s->cell[node][op->key].held;
        op->heard[by] |= (uint8_t)(1u << place);
        return;
    }
    struct node_message m = message_to(store, op, place, node);
    m.kind = SAY_READ;
    m.word[2] = op->key;
    m.word[3] = by;
    quorum_note_way(w, &m, op->key, REASON_QUORUM_READ);
    node_send(w, &m);
}

/* --- answers --- */

static struct version_set sum_of(struct store_row *s, const struct quorum_op *op)
{
    struct version_set sum = {{0}};
    for (uint32_t at = 0; at < (uint32_t)BY_COUNT * s->n; at++) {
        const struct version_set *reply = &op->reply[at / s->n][at % s->n];
        for (uint32_t i = 0; i < versions_size(reply); i++) {
            versions_take(s, &sum, (uint16_t)(reply->at[i] - 1), false);
        }
    }
    return sum;
}

static void fill_in(struct world *w, uint32_t store, struct quorum_op *op)
{
    struct store_row *s = stores_of(w) + store;
    op->versions = (uint8_t)versions_size(&op->result);
    uint16_t latest = versions_latest(s, &op->result);
    op->value = latest == UINT16_MAX ? 0 : s->version[latest].value;
    for (uint32_t i = 0; i < op->versions; i++) {
        op->all[i] = s->version[op->result.at[i] - 1].value;
    }
    op->stale = versions_stale(s, &op->result, op->key, op->asked_no);
    s->stale += op->stale;
    s->siblings += op->versions > 1;
    version_seen(s, op->key, op->node, &op->result);
}

static enum quorums_reason reason_of_answer(const struct quorum_op *op, bool ok)
{
    if (op->write) {
        return ok ? REASON_QUORUM_SET_DONE : REASON_QUORUM_SET_FAILED;
    }
    return !ok         ? REASON_QUORUM_GET_FAILED
           : op->stale ? REASON_QUORUM_GET_STALE
                       : REASON_QUORUM_GET_DONE;
}

static void answer(struct world *w, uint32_t store, struct quorum_op *op, bool ok)
{
    struct store_row *s = stores_of(w) + store;
    op->answered = true;
    op->ok = ok && !op->ended; /* the client may have given up */
    op->counted = count_done(s, op, s->hints_count);
    op->stand_ins = (uint8_t)(op->counted - count_done(s, op, false));
    if (ok && !op->write) {
        fill_in(w, store, op);
    }
    struct node_message m = {.from = op->node,
                             .to = (uint16_t)NODE_CLIENT_ZONE(op->zone),
                             .module = MODULE_QUORUMS,
                             .kind = SAY_ANSWER,
                             .about = (uint16_t)store,
                             .shown = true,
                             .word = {op->number, ok}};
    struct trace_record *t = quorum_note_way(w, &m, op->key, reason_of_answer(op, ok));
    t->value = op->value;
    t->operand[1] = op->write ? op->counted : op->versions;
    t->operand[2] = op->write ? op->stand_ins : op->counted;
    t->rejected = op->write ? s->w : s->r; /* what was waited for, of how many */
    t->took_us = s->n;
    node_send(w, &m);
}

/* --- repair --- */

/* What each place is known to hold of the result. */
static void know_holders(const struct store_row *s, struct quorum_op *op)
{
    for (uint32_t at = 0; at < (uint32_t)BY_COUNT * s->n; at++) {
        uint32_t by = at / s->n;
        uint32_t place = at % s->n;
        op->have[by][place] = 0;
        for (uint32_t i = 0; i < versions_size(&op->result); i++) {
            uint16_t version = (uint16_t)(op->result.at[i] - 1);
            bool has = versions_cover(s, &op->reply[by][place], version);
            op->have[by][place] |= (uint8_t)(has ? 1u << i : 0u);
        }
    }
}

/* The client waits until W places hold what it gets. */
static void store_first(struct world *w, uint32_t store, struct quorum_op *op)
{
    struct store_row *s = stores_of(w) + store;
    op->storing = true;
    for (uint32_t place = 0; place < s->n; place++) {
        if (has_all(op, place, s->hints_count)) {
            continue;
        }
        bool stood = op->stand_in[place] != 0 && (op->heard[BY_ITSELF] >> place & 1) == 0;
        s->repairs += is_heard(op, place, true);
        store_at(w, store, op, place, stood ? BY_STAND_IN : BY_ITSELF);
    }
}

/* Those of the N that have answered and were behind are told. */
static void store_after(struct world *w, uint32_t store, struct quorum_op *op)
{
    struct store_row *s = stores_of(w) + store;
    op->repaired = true;
    op->result = sum_of(s, op);
    know_holders(s, op);
    for (uint32_t place = 0; place < s->n; place++) {
        bool itself = (op->heard[BY_ITSELF] >> place & 1) != 0;
        if (itself && !has_all(op, place, false)) {
            s->repairs++;
            store_at(w, store, op, place, BY_ITSELF);
        }
    }
}

/* --- what is due now --- */

static void read_is_in(struct world *w, uint32_t store, struct quorum_op *op)
{
    struct store_row *s = stores_of(w) + store;
    op->result = sum_of(s, op);
    if (s->repair != REPAIR_BEFORE) {
        answer(w, store, op, true);
        return;
    }
    know_holders(s, op);
    store_first(w, store, op);
    if (count_done(s, op, s->hints_count) >= s->w) {
        answer(w, store, op, true);
    }
}

static void look(struct world *w, uint32_t store, struct quorum_op *op)
{
    struct store_row *s = stores_of(w) + store;
    if (!op->answered) {
        bool stored = op->write || op->storing;
        if (count_done(s, op, s->hints_count) < (stored ? s->w : s->r)) {
            return;
        }
        if (stored) {
            answer(w, store, op, true);
        } else {
            read_is_in(w, store, op);
        }
    }
    bool all = (op->heard[BY_ITSELF] & ((1u << s->n) - 1u)) == (1u << s->n) - 1u;
    if (op->answered && !op->write && s->repair == REPAIR_AFTER && all && !op->repaired) {
        store_after(w, store, op);
    }
}

void quorum_work_begin(struct world *w, uint32_t store, uint32_t number)
{
    struct store_row *s = stores_of(w) + store;
    struct quorum_op *op = quorum_op_find(w, store, number);
    if (op == NULL || op->arrived || op->ended) {
        return;
    }
    op->arrived = true;
    quorum_timer(w, store, STORE_TIMEOUT_US, TIMER_TIMEOUT, number);
    if (s->sloppy) {
        quorum_timer(w, store, STORE_PATIENCE_US, TIMER_PATIENCE, number);
    }
    for (uint32_t place = 0; place < s->n; place++) {
        if (op->write) {
            store_at(w, store, op, place, BY_ITSELF);
        } else {
            read_at(w, store, op, place, BY_ITSELF);
        }
    }
    look(w, store, op);
}

void quorum_work_acked(struct world *w, const struct node_message *m)
{
    struct quorum_op *op = in_hand(w, m->about, m->word[0]);
    uint32_t place = (uint32_t)m->word[1];
    if (op == NULL || place >= stores_in(w)[m->about].n) {
        return;
    }
    const struct store_row *s = stores_in(w) + m->about;
    bool hint = m->word[3] == WRITE_HINT || m->word[3] == WRITE_REPAIR_HINT;
    for (uint32_t i = 0; i < versions_size(&op->result); i++) {
        if (version_name(s, (uint16_t)(op->result.at[i] - 1)) == m->word[2]) {
            op->have[hint ? BY_STAND_IN : BY_ITSELF][place] |= (uint8_t)(1u << i);
        }
    }
    look(w, m->about, op);
}

void quorum_work_held(struct world *w, const struct node_message *m)
{
    struct quorum_op *op = in_hand(w, m->about, m->word[0]);
    uint32_t place = (uint32_t)m->word[1];
    struct store_row *s = stores_of(w) + m->about;
    if (op == NULL || place >= s->n) {
        return;
    }
    enum by by = m->word[3] == BY_STAND_IN ? BY_STAND_IN : BY_ITSELF;
    for (uint32_t i = 0; i < STORE_SIBLINGS_MAX && m->word[4 + i] != 0; i++) {
        uint16_t version = 0;
        if (version_of(w, s, m->word[4 + i], &version)) {
            versions_take(s, &op->reply[by][place], version, false);
        }
    }
    op->heard[by] |= (uint8_t)(1u << place);
    look(w, m->about, op);
}

/* --- patience --- */

/* The next on the ring behind the N that has not stood in yet; NO_INDEX: none. */
static uint32_t next_stand_in(const struct store_row *s, const struct quorum_op *op)
{
    for (uint32_t i = s->n; i < s->nodes; i++) {
        uint32_t node = ring_node(s, op->key, i);
        if ((op->turned_to >> node & 1) == 0) {
            return node;
        }
    }
    return NO_INDEX;
}

void quorum_work_patience(struct world *w, uint32_t store, uint32_t number)
{
    struct quorum_op *op = in_hand(w, store, number);
    const struct store_row *s = stores_in(w) + store;
    if (op == NULL || (!op->write && (op->answered || !s->hints_count))) {
        return;
    }
    bool again = false;
    for (uint32_t place = 0; place < s->n; place++) {
        if (is_done(op, place, true)) {
            continue;
        }
        uint32_t next = next_stand_in(s, op);
        struct trace_record *t = quorum_note(
            w, store, op->key, next == NO_INDEX ? REASON_QUORUM_NOBODY : REASON_QUORUM_SILENT);
        t->from = node_of(NODE_MACHINE, op->node);
        t->operand[0] = number;
        t->operand[1] = ring_node(s, op->key, place);
        t->operand[2] = next;
        if (next == NO_INDEX) {
            continue;
        }
        op->turned_to |= UINT64_C(1) << next;
        op->stand_in[place] = (uint8_t)(next + 1);
        op->have[BY_STAND_IN][place] = 0;
        again = true;
        if (op->write || op->storing) {
            store_at(w, store, op, place, BY_STAND_IN);
        } else {
            read_at(w, store, op, place, BY_STAND_IN);
        }
    }
    if (again) {
        quorum_timer(w, store, STORE_PATIENCE_US, TIMER_PATIENCE, number);
    }
    look(w, store, op);
}

void quorum_work_timeout(struct world *w, uint32_t store, uint32_t number)
{
    struct quorum_op *op = in_hand(w, store, number);
    if (op == NULL) {
        return;
    }
    bool after = stores_in(w)[store].repair == REPAIR_AFTER;
    if (!op->answered) {
        answer(w, store, op, false);
    }
    if (!op->write && after && !op->repaired) {
        store_after(w, store, op);
    }
    op->closed = true;
}

/* --- clients --- */

void quorum_ask(struct world *w, uint32_t store, uint8_t key, uint8_t node, uint32_t version)
{
    struct store_row *s = stores_of(w) + store;
    uint32_t number = ++s->last_op;
    struct quorum_op *op = s->op + number % STORE_HISTORY_MAX;
    bool write = version != NO_INDEX;
    *op = (struct quorum_op){.number = number,
                             .key = key,
                             .node = node,
                             .zone = world_node(w, node).zone,
                             .write = write,
                             .asked_us = w->now_us,
                             .asked_no = ++s->moments,
                             .ended_us = -1};
    if (write) {
        op->result.at[0] = (uint16_t)(version + 1);
        op->value = s->version[version].value;
        s->sets++;
    } else {
        s->gets++;
    }
    struct node_message m = {.from = (uint16_t)NODE_CLIENT_ZONE(op->zone),
                             .to = node,
                             .module = MODULE_QUORUMS,
                             .kind = SAY_ASK,
                             .about = (uint16_t)store,
                             .shown = true,
                             .word = {number}};
    struct trace_record *t =
        quorum_note_way(w, &m, key, write ? REASON_QUORUM_ASKED_SET : REASON_QUORUM_ASKED_GET);
    t->value = op->value;
    node_send(w, &m);
    quorum_timer(w, store, STORE_CLIENT_US, TIMER_CLIENT, number);
    w->command_requests_open++;
}

static void end(struct world *w, struct store_row *s, struct quorum_op *op, bool ok)
{
    w->command_requests_open--;
    op->ended = true;
    op->ended_us = ok ? w->now_us : -1;
    op->ended_no = ++s->moments;
    op->ok = ok;
    uint64_t *sum[2][2] = {{&s->gets_failed, &s->gets_ok}, {&s->sets_failed, &s->sets_ok}};
    ++*sum[op->write][ok];
    if (op->write && ok) {
        version_acked(w, s, (uint16_t)(op->result.at[0] - 1));
    }
}

void quorum_client_hears(struct world *w, const struct node_message *m)
{
    struct quorum_op *op = quorum_op_find(w, m->about, (uint32_t)m->word[0]);
    if (op != NULL && !op->ended) {
        end(w, stores_of(w) + m->about, op, m->word[1] != 0);
    }
}

void quorum_client_gives_up(struct world *w, uint32_t store, uint32_t number)
{
    struct quorum_op *op = quorum_op_find(w, store, number);
    if (op == NULL || op->ended) {
        return;
    }
    struct trace_record *t = quorum_note(w, store, op->key, REASON_QUORUM_GAVE_UP);
    t->from = node_of(NODE_CLIENT, op->zone);
    t->operand[0] = number;
    t->operand[1] = op->write;
    op->closed = op->closed || !op->arrived;
    end(w, stores_of(w) + store, op, false);
}
