/*
 * shifts_read: what the pictures of a slot that moves key by key or by dual writes look up.
 */
#include "engine/shifts/shifts_inside.h"

struct shift_job_info shifts_job(const struct world *w, uint32_t index)
{
    CHECK(index < w->config.moves_max);
    const struct shift_row *s = shifts_in(w) + index;
    return (struct shift_job_info){.rate = s->rate,
                                   .cursor = s->cursor,
                                   .taken = s->begun,
                                   .hand = s->kind == SHIFT_NONE ? KEY_NONE_ID : s->hand,
                                   .carried = s->carried,
                                   .to = s->to,
                                   .repairing = s->repairing,
                                   .where_nothing = s->where_nothing,
                                   .version = s->version};
}

uint64_t shifts_key_bytes(const struct world *w, uint32_t key)
{
    for (uint32_t i = 0; i < w->shifts.sizes; i++) {
        if (w->shifts.size[i].key == key) {
            return w->shifts.size[i].bytes;
        }
    }
    return 0;
}

struct shift_back shifts_went_back(const struct world *w)
{
    return (struct shift_back){
        .times = w->shifts.went_back, .key = w->shifts.back_key, .shard = w->shifts.back_shard};
}

uint32_t shifts_answers(const struct world *w, uint32_t slot, enum outcome outcome)
{
    uint32_t count = 0;
    for (uint64_t at = trace_first(w); at < trace_next(w); at++) {
        const struct trace_record *r = trace_get(w, at);
        count += r != NULL && r->kind == TRACE_ANSWER && r->slot == slot && r->outcome == outcome;
    }
    return count;
}
