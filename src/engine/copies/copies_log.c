/*
 * copies_log: a replica's log, of which it remembers the last GROUP_LOG entries.
 */
#include "engine/copies/copies_inside.h"
#include <string.h>

uint64_t log_entry(const struct replica *r, uint64_t position)
{
    if (position == r->base) {
        return r->base_entry;
    }
    bool here = position > r->base && position <= r->core.last;
    return here ? r->entry[position % GROUP_LOG] : 0;
}

bool log_term(const struct replica *r, uint64_t position, uint64_t *term)
{
    if (position < r->base || position > r->core.last) {
        return false;
    }
    *term = ENTRY_TERM(log_entry(r, position));
    return true;
}

void log_put(struct replica *r, uint64_t position, uint64_t entry)
{
    CHECK(position > r->base);
    while (position - r->base > GROUP_LOG) {
        r->base_entry = r->entry[(r->base + 1) % GROUP_LOG];
        r->base++;
    }
    if (r->core.commit < r->base) { /* with a rule off: what is forgotten counts as committed */
        r->core.commit = r->base;
    }
    r->entry[position % GROUP_LOG] = entry;
}

uint64_t log_known(const struct replica *r)
{
    uint64_t known = r->core.commit < r->core.last ? r->core.commit : r->core.last;
    return known > r->base ? known : r->base;
}

bool log_has_room(const struct replica *r)
{
    return r->core.last - r->core.commit < GROUP_WAIT;
}

bool log_has_room_at_all(const struct replica *r)
{
    return r->core.last - r->core.commit < GROUP_LOG;
}

uint64_t log_value(const struct replica *r, uint64_t position)
{
    CHECK(position >= r->base && position <= r->core.last);
    return ENTRY_VALUE(log_entry(r, position));
}

bool log_has(const struct replica *r, uint64_t position, uint64_t entry)
{
    return position < r->base || (position <= r->core.last && log_entry(r, position) == entry);
}

void log_copy(struct replica *to, const struct replica *from)
{
    memcpy(to->entry, from->entry, sizeof to->entry);
    to->base = from->base;
    to->base_entry = from->base_entry;
    to->core.last = from->core.last;
    to->core.last_term = from->core.last_term;
}
