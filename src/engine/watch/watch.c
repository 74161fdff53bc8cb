/*
 * watch: heartbeats, and the directory that waits for them.
 */
#include "engine/apply.h"
#include "engine/watch/watch_inside.h"

/* --- timers --- */

static void timer(struct world *w, uint32_t node, int64_t wait_us, enum watch_timer kind)
{
    node_timer(w, JOB_WATCH, wait_us, node, 0, (uint64_t)w->watch.turn * 2 + kind);
}

static int64_t silence_allowed(const struct world *w, const struct beat_row *row)
{
    const struct watch_state *s = &w->watch;
    return s->timeout_us > 0 ? s->timeout_us : phi_silence(beat_gaps(w, row), s->phi);
}

/* Silence is counted from now, and so much more is allowed. */
static void wait_for(struct world *w, uint32_t node, int64_t more_us)
{
    struct beat_row *row = beats_of(w) + node;
    int64_t allowed = silence_allowed(w, row);
    row->since_us = w->now_us;
    row->due_us = w->now_us + (allowed > 0 ? allowed : 1) + more_us;
    timer(w, node, row->due_us - w->now_us, TIMER_DUE);
}

/* Nodes that have joined begin, spread over a period. */
static void meet(struct world *w)
{
    struct watch_state *s = &w->watch;
    uint32_t together = w->nodes.count - s->known;
    for (uint32_t i = 1; s->known < w->nodes.count; i++, s->known++) {
        beats_of(w)[s->known] = (struct beat_row){.declared_us = -1};
        timer(w, s->known, s->period_us * i / together, TIMER_BEAT);
        wait_for(w, s->known, s->period_us); /* its first beat takes up to a period */
    }
}

/* --- what happens --- */

static struct trace_record *note(struct world *w, uint32_t node, enum watch_reason reason)
{
    struct trace_record *t = trace_add(w, TRACE_WATCH);
    t->key = KEY_NONE_ID;
    t->from = node_named(NODE_DIRECTORY_ITSELF);
    t->to = node_of(NODE_MACHINE, node);
    t->reason = (uint16_t)reason;
    return t;
}

static void declare(struct world *w, uint32_t node)
{
    struct watch_state *s = &w->watch;
    struct beat_row *row = beats_of(w) + node;
    bool up = node_up(w, node);
    struct trace_record *t =
        note(w, node, s->timeout_us > 0 ? REASON_WATCH_TIMEOUT : REASON_WATCH_PHI);
    t->operand[0] = w->now_us - row->since_us;
    t->operand[1] = s->timeout_us > 0 ? s->timeout_us : s->phi;
    t->operand[2] = node_load(w, node);
    t->value = up;
    row->declared_us = w->now_us;
    s->declared++;
    s->falsely += up;
    if (!up) {
        s->detect_us = w->now_us - world_node(w, node).changed_us;
    }
    copies_declared_dead(w, node);
}

static void is_due(struct world *w, uint32_t node)
{
    struct beat_row *row = beats_of(w) + node;
    if (row->declared_us >= 0 || row->due_us != w->now_us) {
        return; /* a beat came since */
    }
    if (!node_up(w, NODE_DIRECTORY_ITSELF)) {
        wait_for(w, node, 0);
        return;
    }
    declare(w, node);
}

static void beat(struct world *w, uint32_t node)
{
    timer(w, node, w->watch.period_us, TIMER_BEAT);
    if (!node_up(w, node)) {
        return;
    }
    node_send(w, &(struct node_message){.from = (uint16_t)node,
                                        .to = NODE_DIRECTORY_ITSELF,
                                        .module = MODULE_WATCH,
                                        .word = {w->watch.turn}});
}

void watch_handle(struct world *w, const struct event *event)
{
    uint64_t value = event->carries.value;
    if (w->watch.count == 0 || value / 2 != w->watch.turn) {
        return;
    }
    meet(w);
    if (value % 2 == TIMER_BEAT) {
        beat(w, event->request);
    } else {
        is_due(w, event->request);
    }
}

void watch_heard(struct world *w, const struct node_message *m)
{
    struct watch_state *s = &w->watch;
    if (s->count == 0 || m->word[0] != s->turn) {
        return;
    }
    struct beat_row *row = beats_of(w) + m->from;
    int64_t gap = w->now_us - row->since_us;
    row->beats++;
    if (row->kept > 0 && gap > 2 * s->period_us) {
        row->late++;
        struct trace_record *t = note(w, m->from, REASON_WATCH_LATE);
        t->to = t->from;
        t->from = node_of(NODE_MACHINE, m->from);
        t->operand[0] = gap;
        t->operand[1] = s->period_us;
        t->operand[2] = node_load(w, m->from);
    }
    row->time_us[row->kept % BEATS_KEPT] = w->now_us;
    row->kept++;
    if (row->declared_us >= 0) {
        note(w, m->from, REASON_WATCH_AGAIN)->operand[0] = w->now_us - row->declared_us;
        row->declared_us = -1;
        s->returned++;
        copies_declared_alive(w, m->from);
    }
    wait_for(w, m->from, 0);
}

/* The dead beat no more; who waits for them finds out. */
void watch_node_died(struct world *w, uint32_t node)
{
    (void)w;
    (void)node;
}

/* The gap of its absence says nothing about its beats. */
void watch_node_back(struct world *w, uint32_t node)
{
    if (w->watch.count > 0 && node < w->watch.known) {
        beats_of(w)[node].kept = 0;
    }
}

/* --- the command --- */

static void note_command(struct world *w, const struct command *c)
{
    struct trace_record *t = trace_add(w, TRACE_COMMAND);
    t->key = KEY_NONE_ID;
    t->version = w->map_version;
    t->from = node_of(NODE_OPERATOR, 0);
    t->to = node_named(NODE_DIRECTORY_ITSELF);
    t->reason = REASON_OPERATOR;
    t->operand[0] = c->kind;
    t->operand[1] = c->period_us;
    t->operand[2] = c->mode == 0 ? c->bound_us : c->count;
    t->value = c->mode;
}

static bool may_watch(const struct world *w, const struct command *c, struct err *err)
{
    if (w->nodes.count == 0) {
        return err_set(err, "nobody could beat: no node has joined; first: node add a 3");
    }
    if (c->period_us < 1000 || c->period_us > 60 * US_PER_SECOND) {
        return err_set(err, "a heartbeat comes once in 1 ms to 60 s, not in %s",
                       num_span(c->period_us).text);
    }
    if (c->mode == 0 && (c->bound_us < c->period_us || c->bound_us > 600 * US_PER_SECOND)) {
        return err_set(err,
                       "a timeout is a period or more, here %s, and 600 s at most, or every node "
                       "is dead between two beats",
                       num_span(c->period_us).text);
    }
    if (c->mode == 1 && (c->count < 1 || c->count > 50)) {
        return err_set(err, "phi is 1 to 50: 1 errs once in ten, 8 once in a hundred million");
    }
    return apply_event_room(w, 3 * w->nodes.count, err);
}

/* Nobody is declared dead any more: each of them is as alive as it is. */
static void stop(struct world *w)
{
    for (uint32_t node = 0; node < w->watch.known; node++) {
        struct beat_row *row = beats_of(w) + node;
        if (row->declared_us >= 0) {
            row->declared_us = -1;
            w->watch.returned++;
            copies_declared_alive(w, node);
        }
    }
    w->watch.count = 0;
    w->watch.known = 0;
}

bool watch_apply(struct world *w, const struct command *c, struct err *err)
{
    struct watch_state *s = &w->watch;
    if (c->mode != 2 && !may_watch(w, c, err)) {
        return false;
    }
    note_command(w, c);
    stop(w);
    s->turn++;
    if (c->mode == 2) {
        return true;
    }
    s->count = 1;
    s->period_us = c->period_us;
    s->timeout_us = c->mode == 0 ? c->bound_us : 0;
    s->phi = c->mode == 0 ? 0 : c->count * 100;
    s->declared = 0;
    s->falsely = 0;
    s->returned = 0;
    s->detect_us = -1;
    meet(w);
    return true;
}
