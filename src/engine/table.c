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

bool table_set(struct world *w, uint32_t shard, const struct slot_row *row)
{
    CHECK(row->first <= row->last && row->last < w->config.slots);
    struct shard *s = shards_of(w) + shard;
    struct slot_row *rows = table_rows(w, shard);

    /* The rows that change: those touched, and one neighbour on each side, which may join. */
    uint32_t from = table_place(w, shard, row->first);
    uint32_t to = from;
    while (to < s->rows && rows[to].first <= row->last) {
        to++;
    }
    uint32_t low = from > 0 ? from - 1 : from;
    uint32_t high = to < s->rows ? to + 1 : to;

    struct slot_row list[5];
    uint32_t count = 0;
    if (low < from) {
        count = append(list, count, rows[low]);
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
    if (high > to) {
        count = append(list, count, rows[to]);
    }

    uint32_t rows_after = s->rows - (high - low) + count;
    if (rows_after > w->config.rows_max) {
        return false;
    }
    for (uint32_t i = from; i < to; i++) {
        if (epoch_falls(&rows[i], row)) {
            promise_broken(w, PROMISE_EPOCH_RISES, 0, KEY_NONE_ID, rows[i].epoch, row->epoch);
        }
    }
    memmove(rows + low + count, rows + high, (s->rows - high) * sizeof *rows);
    memcpy(rows + low, list, count * sizeof *rows);
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
