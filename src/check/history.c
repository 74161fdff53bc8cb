/*
 * history: see history.h.
 *
 * The operations stand in the order of their calls. A state is the set of those that have taken
 * effect, and the value that is held then. Which may take effect next: those that were called
 * before (or when) the first of the others was answered; so only a window of them is looked at.
 *
 * Why reads are not tried: one that fits now could come later, but nothing that comes between needs
 * it to. Why of equal writes only the one with the earliest answer: where another comes first in a
 * right order, the two may change places. Why a write without an answer, whose value nobody has
 * read, is left out: without it nothing changes but what nobody saw.
 */
#include "check/history.h"
#include "base/alloc.h"
#include "base/check.h"
#include "base/prng.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NO_PLACE UINT32_MAX
#define TABLE_FIRST 64u /* places for states; a power of two */

struct item {
    struct history_op op;
    uint32_t index; /* in the caller's list */
};

/* A state whose ways on are being tried. */
struct frame {
    int64_t value;
    uint32_t taken;    /* how many had taken effect */
    uint32_t first;    /* all before this one have */
    uint32_t from, to; /* what is left to try, in `choice` */
};

struct tried {
    const struct history *history;
    struct item *item;
    uint32_t count, answered; /* items; of them with an answer */
    int64_t value;
    uint32_t first;     /* all items before it are done */
    uint32_t unsettled; /* answered items that are not done */
    uint64_t *done;     /* a bit each */
    size_t words;
    uint32_t *taken; /* in this order */
    uint32_t taken_count;
    struct frame *frame;
    uint32_t frames, frames_room;
    uint32_t *choice;
    uint32_t choices, choices_room;
    uint64_t *seen; /* states, `words` and the value each */
    uint32_t seen_count, seen_room;
    uint32_t *place; /* a hash table of them: number + 1 */
    uint32_t places;
    uint32_t placed, stuck;
};

static bool is_done(const struct tried *t, uint32_t at)
{
    return (t->done[at / 64] >> at % 64 & 1) != 0;
}

/* --- what is to be ordered -------------------------------------------------------------------- */

static int by_call(const void *a, const void *b)
{
    const struct item *x = a;
    const struct item *y = b;
    if (x->op.invoked != y->op.invoked) {
        return x->op.invoked < y->op.invoked ? -1 : 1;
    }
    return x->index < y->index ? -1 : x->index > y->index;
}

static bool is_read_by_somebody(const struct history *h, int64_t value)
{
    for (uint32_t i = 0; i < h->count; i++) {
        const struct history_op *op = &h->op[i];
        if (op->read && op->returned != HISTORY_NEVER && op->value == value) {
            return true;
        }
    }
    return false;
}

static bool matters(const struct history *h, const struct history_op *op)
{
    if (op->returned != HISTORY_NEVER) {
        return true;
    }
    return !op->read && (h->kind == HISTORY_COUNTER || is_read_by_somebody(h, op->value));
}

static void open_tried(struct tried *t, const struct history *h)
{
    *t = (struct tried){.history = h, .value = h->start, .places = TABLE_FIRST};
    t->item = xcalloc((size_t)h->count + 1, sizeof *t->item);
    for (uint32_t i = 0; i < h->count; i++) {
        CHECK(h->op[i].invoked <= h->op[i].returned);
        if (matters(h, &h->op[i])) {
            t->item[t->count++] = (struct item){.op = h->op[i], .index = i};
            t->answered += h->op[i].returned != HISTORY_NEVER;
        }
    }
    qsort(t->item, t->count, sizeof *t->item, by_call);
    t->unsettled = t->answered;
    t->words = t->count / 64 + 1;
    t->done = xcalloc(t->words, sizeof *t->done);
    t->taken = xcalloc((size_t)t->count + 1, sizeof *t->taken);
    t->place = xcalloc(t->places, sizeof *t->place);
}

static void close_tried(struct tried *t)
{
    free(t->item);
    free(t->done);
    free(t->taken);
    free(t->frame);
    free(t->choice);
    free(t->seen);
    free(t->place);
}

/* Room for one more; doubles it when there is none. */
static void *room_for(void *list, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room) {
        return list;
    }
    *room = *room == 0 ? 16 : 2 * *room;
    return xrealloc(list, *room, size);
}

/* --- states that were seen -------------------------------------------------------------------- */

static uint64_t hash_of(const struct tried *t)
{
    uint64_t hash = mix64((uint64_t)t->value);
    for (size_t i = 0; i < t->words; i++) {
        hash = mix64(hash ^ t->done[i]);
    }
    return hash;
}

static uint64_t *seen_at(const struct tried *t, uint32_t number)
{
    return t->seen + number * (t->words + 1);
}

static uint32_t free_place(const struct tried *t, uint64_t hash)
{
    uint32_t at = (uint32_t)hash & (t->places - 1);
    while (t->place[at] != 0) {
        at = (at + 1) & (t->places - 1);
    }
    return at;
}

static uint64_t hash_again(const struct tried *t, uint32_t number)
{
    const uint64_t *state = seen_at(t, number);
    uint64_t hash = mix64(state[t->words]);
    for (size_t i = 0; i < t->words; i++) {
        hash = mix64(hash ^ state[i]);
    }
    return hash;
}

static void grow_table(struct tried *t)
{
    free(t->place);
    t->places *= 2;
    t->place = xcalloc(t->places, sizeof *t->place);
    for (uint32_t i = 0; i < t->seen_count; i++) {
        t->place[free_place(t, hash_again(t, i))] = i + 1;
    }
}

static bool is_seen(const struct tried *t, uint64_t hash)
{
    for (uint32_t at = (uint32_t)hash & (t->places - 1); t->place[at] != 0;
         at = (at + 1) & (t->places - 1)) {
        const uint64_t *state = seen_at(t, t->place[at] - 1);
        if (memcmp(state, t->done, t->words * sizeof *state) == 0 &&
            state[t->words] == (uint64_t)t->value) {
            return true;
        }
    }
    return false;
}

/* False: this state was seen before. */
static bool remember(struct tried *t)
{
    uint64_t hash = hash_of(t);
    if (is_seen(t, hash)) {
        return false;
    }
    t->seen = room_for(t->seen, t->seen_count, &t->seen_room, (t->words + 1) * sizeof *t->seen);
    uint64_t *state = seen_at(t, t->seen_count);
    memcpy(state, t->done, t->words * sizeof *state);
    state[t->words] = (uint64_t)t->value;
    t->place[free_place(t, hash)] = ++t->seen_count;
    if (2 * t->seen_count > t->places) {
        grow_table(t);
    }
    return true;
}

/* --- one step --------------------------------------------------------------------------------- */

static void take(struct tried *t, uint32_t at)
{
    const struct history_op *op = &t->item[at].op;
    t->done[at / 64] |= UINT64_C(1) << at % 64;
    t->taken[t->taken_count++] = at;
    t->unsettled -= op->returned != HISTORY_NEVER;
    if (!op->read) {
        bool adds = t->history->kind == HISTORY_COUNTER;
        t->value = adds ? (int64_t)((uint64_t)t->value + (uint64_t)op->value) : op->value;
    }
    while (t->first < t->count && is_done(t, t->first)) {
        t->first++;
    }
}

static void undo(struct tried *t, const struct frame *f)
{
    while (t->taken_count > f->taken) {
        uint32_t at = t->taken[--t->taken_count];
        t->done[at / 64] &= ~(UINT64_C(1) << at % 64);
        t->unsettled += t->item[at].op.returned != HISTORY_NEVER;
    }
    t->value = f->value;
    t->first = f->first;
}

/* Who may come next stands before `end`, and was called by `until`: the first answer of any that is
 * not done, which `must` gives. */
struct window {
    int64_t until;
    uint32_t end, must;
};

static struct window window_of(const struct tried *t)
{
    struct window w = {.until = HISTORY_NEVER, .end = t->first, .must = NO_PLACE};
    for (; w.end < t->count && t->item[w.end].op.invoked <= w.until; w.end++) {
        if (!is_done(t, w.end) && t->item[w.end].op.returned < w.until) {
            w.until = t->item[w.end].op.returned;
            w.must = w.end;
        }
    }
    return w;
}

static bool may_come(const struct tried *t, const struct window *w, uint32_t at)
{
    return !is_done(t, at) && t->item[at].op.invoked <= w->until;
}

/* Takes all reads that fit, until none does. */
static struct window take_reads(struct tried *t)
{
    struct window w = window_of(t);
    for (uint32_t at = t->first; at < w.end; at++) {
        const struct history_op *op = &t->item[at].op;
        if (op->read && op->value == t->value && may_come(t, &w, at)) {
            bool moves = at == w.must;
            take(t, at);
            if (moves) { /* others may come now, before this one too */
                w = window_of(t);
                at = t->first - 1;
            }
        }
    }
    return w;
}

/* Of writes that are alike only the one that must be done first. */
static void add_choice(struct tried *t, uint32_t from, uint32_t at)
{
    const struct history_op *op = &t->item[at].op;
    for (uint32_t i = from; i < t->choices; i++) {
        const struct history_op *other = &t->item[t->choice[i]].op;
        if (other->value == op->value) {
            t->choice[i] = op->returned < other->returned ? at : t->choice[i];
            return;
        }
    }
    t->choice = room_for(t->choice, t->choices, &t->choices_room, sizeof *t->choice);
    t->choice[t->choices++] = at;
}

static void push(struct tried *t, const struct window *w)
{
    struct frame f = {.value = t->value, .taken = t->taken_count, .first = t->first};
    f.from = t->choices;
    for (uint32_t at = t->first; at < w->end; at++) {
        if (!t->item[at].op.read && may_come(t, w, at)) {
            add_choice(t, f.from, at);
        }
    }
    f.to = t->choices;
    t->frame = room_for(t->frame, t->frames, &t->frames_room, sizeof *t->frame);
    t->frame[t->frames++] = f;
    if (t->taken_count >= t->placed && w->must != NO_PLACE) {
        t->placed = t->taken_count;
        t->stuck = t->item[w->must].index;
    }
}

static enum history_verdict search(struct tried *t)
{
    struct window w = take_reads(t);
    if (t->unsettled == 0) {
        return HISTORY_LINEARIZABLE;
    }
    (void)remember(t);
    push(t, &w);
    while (t->frames > 0) {
        struct frame *f = &t->frame[t->frames - 1];
        undo(t, f);
        if (f->from == f->to) {
            t->frames--;
            t->choices = t->frames > 0 ? t->frame[t->frames - 1].to : 0;
            continue;
        }
        take(t, t->choice[f->from++]);
        w = take_reads(t);
        if (t->unsettled == 0) {
            return HISTORY_LINEARIZABLE;
        }
        if (!remember(t)) {
            continue;
        }
        if (t->seen_count > t->history->nodes_max) {
            return HISTORY_UNDECIDED;
        }
        push(t, &w);
    }
    return HISTORY_NOT;
}

struct history_result history_check(const struct history *history)
{
    CHECK(history->nodes_max >= 1);
    struct tried t;
    open_tried(&t, history);
    struct history_result result = {.verdict = search(&t)};
    result.nodes = t.seen_count < history->nodes_max ? t.seen_count : history->nodes_max;
    if (result.verdict == HISTORY_LINEARIZABLE) {
        result.order = xcalloc((size_t)t.taken_count + 1, sizeof *result.order);
        result.length = t.taken_count;
        for (uint32_t i = 0; i < t.taken_count; i++) {
            result.order[i] = t.item[t.taken[i]].index;
        }
    } else {
        result.placed = t.placed;
        result.stuck = t.stuck;
    }
    close_tried(&t);
    return result;
}

void history_result_free(struct history_result *result)
{
    free(result->order);
    result->order = NULL;
}
