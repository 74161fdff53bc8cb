/*
 * trace: the window of records that a world keeps.
 */
#include "engine/trace.h"

#include "engine/state.h"

uint64_t trace_first(const struct world *w)
{
    uint64_t kept = w->config.trace_max;
    return w->trace_next > kept ? w->trace_next - kept : 1;
}

uint64_t trace_next(const struct world *w)
{
    return w->trace_next;
}

const struct trace_record *trace_get(const struct world *w, uint64_t sequence)
{
    if (sequence < trace_first(w) || sequence >= w->trace_next) {
        return NULL;
    }
    return trace_in(w) + (sequence & (w->config.trace_max - 1));
}
