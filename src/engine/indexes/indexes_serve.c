/*
 * indexes_serve: what a shard does with a message of a put or a find.
 */
#include "engine/indexes/indexes_inside.h"

#include "engine/queue.h"
#include "engine/store.h"

struct served {
    struct world *w;
    const struct request *r;
    struct catalog *c;
    struct catalog_row *row;
    struct catalog_term *term;
    struct entry_note note;
    uint16_t shard;
};

/* What is said of it: about the row, the term, and a number more. */
static struct entry_served answer(const struct served *s, uint64_t value,
                                  enum indexes_reason reason, int64_t more)
{
    return (struct entry_served){
        .value = value,
        .term = s->note.term,
        .reason = (uint16_t)reason,
        .catalog = s->note.catalog,
        .operand = {s->row->id, more},
    };
}

/* The index has the row under its term and under no other, since now. */
static void settle(const struct served *s)
{
    uint8_t catalog = (uint8_t)(s->note.catalog + 1);
    uint64_t bit = UINT64_C(1) << s->note.row;
    const struct catalog_term *terms = catalog_terms_in(s->w);
    uint32_t found = 0;
    uint16_t under = TERM_NONE;
    for (uint32_t i = 0; i < catalog_terms_room(s->w); i++) {
        if (terms[i].catalog == catalog && (terms[i].mask & bit) != 0) {
            found++;
            under = (uint16_t)i;
        }
    }
    if (found != 1) {
        return;
    }
    if (under == s->row->term && s->row->indexed_us < s->row->changed_us) {
        s->row->indexed_us = s->w->now_us;
    }
}

/* Async: the entries follow, so long after this change. */
static void follow_later(const struct served *s)
{
    struct entry_note due = s->note;
    due.stamp = s->row->version;
    struct event *event = queue_at(s->w, s->w->now_us + s->c->lag_us, EVENT_JOB);
    event->request = NO_INDEX;
    event->detail = JOB_INDEX;
    event->carries.value = entry_pack(&due);
    event->node = TIMER_FOLLOW;
}

static struct entry_served serve_row(const struct served *s)
{
    struct catalog_row *row = s->row;
    uint16_t old = row->term;
    if (old != s->note.term) {
        row->term = s->note.term;
        row->version++;
        row->changed_us = s->w->now_us;
        row->change_us[row->version % CHANGES_KEPT] = s->w->now_us;
        if (s->c->mode == CATALOG_LOCAL) {
            row->indexed_us = s->w->now_us;
        }
    }
    if (old != s->note.term && s->c->mode == CATALOG_ASYNC) {
        follow_later(s);
    }
    settle(s);
    return answer(s, entry_answer(0, old, row->version), REASON_CATALOG_ROW,
                  old == TERM_NONE ? 0 : old + 1);
}

static struct entry_served serve_entry(const struct served *s)
{
    uint32_t *stamp = &s->term->stamp[s->note.row];
    uint64_t bit = UINT64_C(1) << s->note.row;
    bool adds = s->note.what == ENTRY_ADD;
    if (*stamp > s->note.stamp) {
        return answer(s, 0, REASON_CATALOG_OVERTAKEN, *stamp);
    }
    *stamp = s->note.stamp;
    s->term->mask = adds ? s->term->mask | bit : s->term->mask & ~bit;
    s->term->sent = adds ? s->term->sent : s->term->sent & ~bit;
    settle(s);
    return answer(s, 0, adds ? REASON_CATALOG_ADDED : REASON_CATALOG_REMOVED,
                  __builtin_popcountll(s->term->mask));
}

static struct entry_served serve_claim(const struct served *s)
{
    uint64_t bit = UINT64_C(1) << s->note.row;
    uint64_t others = s->term->mask & ~bit;
    if (others != 0) {
        uint32_t holder = (uint32_t)__builtin_ctzll(others);
        return answer(s, entry_answer(CLAIM_TAKEN, holder, 0), REASON_CATALOG_TAKEN,
                      catalog_row_in(s->w, s->c, holder)->id);
    }
    bool mine = s->term->mask != 0;
    s->term->mask = bit;
    s->term->stamp[s->note.row]++;
    return answer(s, entry_answer(CLAIM_OK, 0, 0), REASON_CATALOG_CLAIMED, mine);
}

/* Each claim is given back once: by the put that writes the row over the one that it was for. */
static struct entry_served serve_release(const struct served *s)
{
    uint64_t bit = UINT64_C(1) << s->note.row;
    uint32_t *claims = &s->term->stamp[s->note.row];
    *claims -= *claims > 0;
    if (*claims > 0) {
        return answer(s, 0, REASON_CATALOG_KEPT, 0);
    }
    s->term->mask &= ~bit;
    settle(s);
    return answer(s, 0, REASON_CATALOG_RELEASED, 0);
}

static struct entry_served serve_find(const struct served *s)
{
    uint64_t mask = s->term->mask;
    if (s->note.what == ENTRY_FIND_LOCAL) {
        mask = 0;
        for (uint32_t i = 0; i < s->c->rows; i++) {
            const struct catalog_row *row = catalog_row_in(s->w, s->c, i);
            bool here = row->term == s->note.term && store_home(s->w, row->key) == s->shard;
            mask |= (uint64_t)here << i;
        }
    }
    return answer(s, mask, REASON_CATALOG_PART, __builtin_popcountll(mask));
}

static struct entry_served serve(const struct served *s)
{
    bool local = s->note.what == ENTRY_FIND_LOCAL;
    if (!local && store_home(s->w, s->r->key) != s->shard) {
        return (struct entry_served){0}; /* slot-table-check is off: nobody will look here */
    }
    switch ((enum entry_what)s->note.what) {
    case ENTRY_ROW:
        return serve_row(s);
    case ENTRY_ADD:
    case ENTRY_REMOVE:
        return serve_entry(s);
    case ENTRY_CLAIM:
        return serve_claim(s);
    case ENTRY_RELEASE:
        return serve_release(s);
    case ENTRY_FIND:
    case ENTRY_FIND_LOCAL:
        return serve_find(s);
    }
    CHECK(false && "no such message");
    return (struct entry_served){0};
}

struct entry_served indexes_serve(struct world *w, uint16_t shard, uint32_t request)
{
    struct request *r = requests_of(w) + request;
    if (r->spare) { /* it came twice: a message is applied once, by what the request remembers */
        return (struct entry_served){
            .value = r->value, .reason = REASON_SEEN_BEFORE, .operand = {r->operation, 0}};
    }
    struct served s = {.w = w, .r = r, .shard = shard, .note = entry_unpack(r->value)};
    s.c = catalogs_of(w) + s.note.catalog;
    struct entry_served answer = {0};
    if (s.note.life == s.c->life) {
        s.row = catalog_row_at(w, s.c, s.note.row);
        s.term = catalog_terms_of(w) + s.note.term;
        answer = serve(&s);
    }
    if (!op_reads((enum op_kind)r->op)) {
        r->value = answer.value;
        r->spare = 1;
    }
    return answer;
}
