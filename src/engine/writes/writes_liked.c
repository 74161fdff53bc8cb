/*
 * writes_liked: the table `liked`, which holds a row for each like of a treated count.
 *
 * It is sharded by user, far from the count, and stands here as one table near each zone. Rows are
 * counted, and digested in their order; of recent operations it knows exactly which have a row. A
 * row that came from a router that sums carries (router, life, position), so that a rebuild can
 * tell what that router has yet to flush.
 */
#include "engine/writes/writes_inside.h"

void liked_before(struct hot_write *row, uint64_t likes)
{
    row->direct += likes;
    row->stream = mix64(row->stream ^ likes);
}

/* Whether the window still reaches back to an operation. */
static bool in_window(const struct hot_write *row, uint32_t operation)
{
    return row->top - operation - 1 < LIKED_WINDOW;
}

bool liked_has(const struct hot_write *row, uint32_t operation)
{
    uint32_t bit = operation % LIKED_WINDOW;
    return in_window(row, operation) && (row->seen[bit / 64] >> bit % 64 & 1) != 0;
}

/* Operations are numbered as they are asked, so that the window only ever moves on. */
static void move_window(struct hot_write *row, uint32_t operation)
{
    uint32_t ahead = operation - row->top;
    if (ahead >= LIKED_WINDOW) {
        ahead = LIKED_WINDOW - 1;
    }
    for (uint32_t i = 0; i <= ahead; i++) {
        uint32_t bit = (operation - i) % LIKED_WINDOW;
        row->seen[bit / 64] &= ~(UINT64_C(1) << bit % 64);
    }
    row->top = operation + 1;
}

bool liked_add(struct hot_write *row, uint32_t operation)
{
    bool newest = operation - row->top < UINT32_MAX / 2;
    if (newest) {
        move_window(row, operation);
    }
    if (liked_has(row, operation)) {
        return false;
    }
    if (in_window(row, operation)) {
        uint32_t bit = operation % LIKED_WINDOW;
        row->seen[bit / 64] |= UINT64_C(1) << bit % 64;
    }
    row->stream = mix64(row->stream ^ operation);
    return true;
}

/* A row that a router sent: in the low bits of the event, which of its lives. It goes in even when
 * its client or its router has given up by now. */
void liked_handle(struct world *w, const struct event *event)
{
    struct request *r = requests_of(w) + event->request;
    struct hot_write *row = hot_write_of_key(w, r->key);
    struct write_spot *spot = write_spot_of(w, row, event->node);
    uint8_t life = event_detail(event);
    bool present = life == (spot->life & LIFE_BITS);
    bool ours = present && r->applied;
    if (liked_add(row, r->operation)) {
        row->summed++;
        row->unheard++;
        ours = present;
        if (present) {
            r->applied = 1;
            *(spot->sender.phase == FLUSH_READY ? &spot->rows : &spot->newer) += 1;
        }
    }
    if (present) {
        uint8_t zone = routers_in(w)[event->node].zone;
        struct event *stored = request_send(w, event->request, LEG_STORED, zone, zone);
        stored->node = event->node;
        stored->detail = (uint8_t)((unsigned)event_turn(event) << 4 | life | (ours ? ROW_OURS : 0));
    }
    request_settle(w, event->request);
}

uint64_t liked_cut(const struct world *w, const struct hot_write *row)
{
    uint64_t counted = row->summed;
    for (uint16_t i = 0; i < w->config.routers; i++) {
        const struct write_spot *spot = write_spot_in(w, row, i);
        counted -= spot->newer;
        counted -= spot->rows > spot->position ? spot->rows - spot->position : 0;
    }
    return counted;
}
