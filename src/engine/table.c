/*
 * table: one way to change rows: cut out a run, put a row in, join what says the same.
 */
#include "engine/table.h"

#include <string.h>

static bool says_the_same(const struct slot_row *a, const struct slot_row *b)
{
    return a->state == b->state && a->epoch == b->epoch && a->other == b->other;
}

/* Adds a row to a short list, joined to the last one where both say the same and touch. */
static uint32_t append(struct slot_row *list, uint32_t count, struct slot_row row)
{
    if (count > 0 && list[count - 1].last + 1 == row.first &&
        says_the_same(&list[count - 1], &row)) {
        list[count - 1].last = row.last;
        return count;
    }
    list[count] = row;
    return count + 1;
}

/* A row that says who has the slot is never replaced by one of an older epoch. */
static bool epoch_falls(const struct slot_row *old, const struct slot_row *row)
{
    bool says_who = old->state == SLOT_OWNED || old->state == SLOT_MIGRATING ||
                    old->state == SLOT_MOVED || old->state == SLOT_LEAVING;
    return says_who && (row->state == SLOT_ABSENT || row->epoch < old->epoch);
}

/* One change: rows low..high-1 become those of the list; from..to-1 are the rows touched. */
struct edit {
    uint32_t from, to, low, high, count;
    struct slot_row list[5];
};

/* The rows that change: those touched, and one neighbour on each side, which may join. */
static struct edit edit_of(const struct world *w, uint32_t shard, const struct slot_row *row)
{
    CHECK(row->first <= row->last && row->last < w->config.slots);
    uint32_t all = shards_in(w)[shard].rows;
    const struct slot_row *rows = table_rows_in(w, shard);
    uint32_t from = table_place(w, shard, row->first);
    uint32_t to = from;
    while (to < all && rows[to].first <= row->last) {
        to++;
    }
    struct edit e = {
        .from = from, .to = to, .low = from > 0 ? from - 1 : from, .high = to < all ? to + 1 : to};
    struct slot_row *list = e.list;
    uint32_t count = 0;
    if (e.low < from) {
        count = append(list, count, rows[e.low]);
    }
    if (from < to && rows[from].first < row->first) {
        struct slot_row left = rows[from];
        left.last = (uint16_t)(row->first - 1);
        count = append(list, count, left);
    }
    if (row->state != SLOT_ABSENT) {
        count = append(list, count, *row);
    }
    if (from < to && rows[to - 1].last > row->last) {
        struct slot_row right = rows[to - 1];
        right.first = (uint16_t)(row->last + 1);
        count = append(list, count, right);
    }
    if (e.high > to) {
        count = append(list, count, rows[to]);
    }
    e.count = count;
    return e;
}

uint32_t table_more(const struct world *w, uint32_t shard, const struct slot_row *row)
{
    struct edit e = edit_of(w, shard, row);
    uint32_t before = e.high - e.low;
    return e.count > before ? e.count - before : 0;
}

bool table_set(struct world *w, uint32_t shard, const struct slot_row *row)
{
    struct shard *s = shards_of(w) + shard;
    struct slot_row *rows = table_rows(w, shard);
    struct edit e = edit_of(w, shard, row);
    uint32_t rows_after = s->rows - (e.high - e.low) + e.count;
    if (rows_after > w->config.rows_max) {
        return false;
    }
    for (uint32_t i = e.from; i < e.to; i++) {
        if (epoch_falls(&rows[i], row)) {
            promise_broken(w, PROMISE_EPOCH_RISES, 0, KEY_NONE_ID, rows[i].epoch, row->epoch);
        }
    }
    if (w->queries.count > 0) {
        queries_table(w, shard, row->first, row->last);
    }
    memmove(rows + e.low + e.count, rows + e.high, (s->rows - e.high) * sizeof *rows);
    memcpy(rows + e.low, e.list, e.count * sizeof *rows);
    s->rows = rows_after;
    return true;
}

void table_note(struct world *w, uint32_t shard, const struct slot_row *row)
{
    struct trace_record *t = trace_add(w, TRACE_TABLE);
    t->key = KEY_NONE_ID;
    t->slot = row->first;
    t->epoch = row->epoch;
    t->version = w->map_version;
    t->from = node_of(NODE_SHARD, shard);
    t->reason = REASON_OPERATOR;
    t->target = row->state;
    t->operand[0] = row->first;
    t->operand[1] = row->last;
    t->operand[2] = row->other;
}
