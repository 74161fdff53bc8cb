/*
 * reads_beside: a page is a post and its count, and one request reads both.
 *
 * A micro-cache's fetch reads the sub-keys of the count that are in the post's slot, at the same
 * instant: one request and one token, as many keys as there are. Which sub-keys are written now is
 * settled at the shard; those that are frozen come in as a number. If the count has parts in other
 * slots (salted likes), what the fetch brings is not all of it, and the router keeps no count.
 */
#include "engine/reads/reads_inside.h"

#include "engine/writes/writes.h"

void beside_ask(struct world *w, const struct hot_read *row, uint32_t fetch)
{
    struct request *r = requests_of(w) + fetch;
    if (row->mode == READS_CACHED && row->beside != KEY_NONE_ID && keys_in(w)[r->key].writes == 0) {
        r->many = 1;
        r->spare = 1;
        r->which = 0;
    }
}

uint32_t reads_beside(const struct world *w, const struct request *r)
{
    uint8_t at = keys_in(w)[r->key].reads;
    if (r->origin != ORIGIN_FETCH || !r->spare || at == 0) {
        return KEY_NONE_ID;
    }
    return hot_reads_in(w)[at - 1].beside;
}

uint32_t reads_serve_beside(struct world *w, uint16_t shard, uint32_t request)
{
    struct request *r = requests_of(w) + request;
    uint32_t count = reads_beside(w, r);
    uint32_t keys = 0;
    r->value = 0;
    r->which = 0;
    if (count != KEY_NONE_ID) { /* else the treatment has changed since */
        r->which = writes_beside(w, shard, count, &r->value, &keys);
    }
    return keys;
}
