/*
 * quorums_read: stores without leaders as others see them.
 */
#include "engine/quorums/quorums_inside.h"

uint32_t world_stores(const struct world *w)
{
    return w->quorums.count;
}

struct store_info world_store(const struct world *w, uint32_t index)
{
    CHECK(index < w->quorums.count);
    const struct store_row *s = stores_in(w) + index;
    struct store_info info = {
        .n = s->n,
        .w = s->w,
        .r = s->r,
        .nodes = s->nodes,
        .sloppy = s->sloppy,
        .hints_count = s->hints_count,
        .repair = s->repair != REPAIR_OFF,
        .repair_first = s->repair == REPAIR_BEFORE,
        .clock = s->clock,
        .sets = s->sets,
        .sets_ok = s->sets_ok,
        .sets_failed = s->sets_failed,
        .gets = s->gets,
        .gets_ok = s->gets_ok,
        .gets_failed = s->gets_failed,
        .stale = s->stale,
        .siblings = s->siblings,
        .overwritten = s->overwritten,
        .hints = s->hints,
        .hints_handed = s->handed,
        .repairs = s->repairs,
        .keys = s->keys,
    };
    _Static_assert(sizeof info.name == sizeof s->name, "names have one length");
    for (size_t i = 0; i < sizeof info.name; i++) {
        info.name[i] = s->name[i];
    }
    return info;
}

struct bytes world_store_key(const struct world *w, uint32_t store, uint32_t key)
{
    CHECK(store < w->quorums.count && key < stores_in(w)[store].keys);
    const struct store_key *k = stores_in(w)[store].key + key;
    return (struct bytes){.at = k->text, .length = k->length};
}

/* --- what nodes hold --- */

/* Some node holds a version that is not covered here. */
static bool is_behind(const struct store_row *s, uint32_t key, const struct version_set *here)
{
    for (uint32_t node = 0; node < s->nodes; node++) {
        const struct version_set *there = &s->cell[node][key].held;
        for (uint32_t i = 0; i < versions_size(there); i++) {
            if (!versions_cover(s, here, (uint16_t)(there->at[i] - 1))) {
                return true;
            }
        }
    }
    return false;
}

static struct store_held held_by(const struct world *w, const struct store_row *s, uint32_t key,
                                 uint32_t node)
{
    const struct store_cell *cell = &s->cell[node][key];
    struct store_held row = {.node = node,
                             .up = node_up(w, node),
                             .wanted = ring_wants(s, (uint8_t)key, node),
                             .hint_for = UINT32_MAX,
                             .versions = versions_size(&cell->held),
                             .behind = is_behind(s, key, &cell->held)};
    for (uint32_t to = 0; to < NODES_MAX && row.hint_for == UINT32_MAX; to++) {
        row.hint_for = (cell->hint_for >> to & 1) != 0 ? to : UINT32_MAX;
    }
    for (uint32_t i = 0; i < row.versions; i++) {
        row.value[i] = s->version[cell->held.at[i] - 1].value;
    }
    return row;
}

/* In the order of the ring, the N of the key first. */
uint32_t world_store_held(const struct world *w, uint32_t store, uint32_t key,
                          struct store_held out[NODES_MAX])
{
    CHECK(store < w->quorums.count && key < stores_in(w)[store].keys);
    const struct store_row *s = stores_in(w) + store;
    uint32_t n = 0;
    for (uint32_t place = 0; place < s->nodes; place++) {
        struct store_held row = held_by(w, s, key, ring_node(s, (uint8_t)key, place));
        if (row.wanted || row.versions > 0) {
            out[n++] = row;
        }
    }
    return n;
}

/* --- history --- */

uint32_t world_store_history(const struct world *w, uint32_t store,
                             struct store_op out[STORE_HISTORY_MAX])
{
    CHECK(store < w->quorums.count);
    const struct store_row *s = stores_in(w) + store;
    uint32_t n = 0;
    for (uint32_t back = STORE_HISTORY_MAX; back > 0; back--) {
        uint32_t number = s->last_op - back + 1;
        const struct quorum_op *op = s->op + number % STORE_HISTORY_MAX;
        if (s->last_op < back || op->number != number) {
            continue;
        }
        struct store_op *row = out + n++;
        *row = (struct store_op){.write = op->write,
                                 .key = op->key,
                                 .node = op->node,
                                 .value = op->value,
                                 .versions = op->versions,
                                 .asked_us = op->asked_us,
                                 .ended_us = op->ended_us,
                                 .asked_no = op->asked_no,
                                 .ended_no = op->ended_no,
                                 .ok = op->ended && op->ok,
                                 .stale = op->stale,
                                 .acks = op->counted,
                                 .stand_ins = op->stand_ins};
        for (uint32_t i = 0; i < STORE_SIBLINGS_MAX; i++) {
            row->all[i] = op->all[i];
        }
    }
    return n;
}

bool versions_stale(const struct store_row *s, const struct version_set *set, uint8_t key,
                    uint32_t asked_no)
{
    for (uint16_t v = 0; v < STORE_VERSIONS_MAX; v++) {
        const struct store_version *version = s->version + v;
        bool due = version->number != 0 && version->key == key && version->acked_us >= 0 &&
                   version->acked_no < asked_no;
        if (due && !versions_cover(s, set, v)) {
            return true;
        }
    }
    return false;
}
