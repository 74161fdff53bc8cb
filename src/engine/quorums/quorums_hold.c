/*
 * quorums_hold: what must be true of stores without leaders.
 *
 *   in-its-place      the N hold values, others hold them with a hint for one of the N
 *   side-by-side      what a node holds of a key does not replace each other; where the last wins
 *                     it holds one at most
 *   written-stays     what a client was told is written is held, or what replaces it, in as many
 *                     places as were asked for; a stand-in is in its place if hints count
 *   overlap           where W + R > N and nobody stands in, no read returns less than was
 *                     acknowledged before it was asked
 */
#include "engine/quorums/quorums_inside.h"

static bool cell_holds(const struct store_row *s, uint8_t key, uint32_t node, struct err *err)
{
    const struct store_cell *cell = &s->cell[node][key];
    const struct version_set *held = &cell->held;
    uint32_t size = versions_size(held);
    const struct store_key *k = s->key + key;
    bool wanted = ring_wants(s, key, node);
    if (wanted ? cell->hint_for != 0 : (cell->hint_for != 0) != (size > 0)) {
        return err_set(err, "in-its-place: N%u holds %.*s of %s, %s", node + 1, k->length, k->text,
                       s->name, wanted ? "its own, with a hint" : "not its own, without a hint");
    }
    for (uint32_t i = 0; i < size; i++) {
        for (uint32_t j = 0; j < size; j++) {
            uint16_t a = (uint16_t)(held->at[i] - 1);
            uint16_t b = (uint16_t)(held->at[j] - 1);
            if (i != j && (!s->clock || version_descends(s, a, b))) {
                return err_set(err,
                               "side-by-side: N%u holds %llu of %.*s beside %llu, which replaces "
                               "it",
                               node + 1, (unsigned long long)s->version[b].value, k->length,
                               k->text, (unsigned long long)s->version[a].value);
            }
        }
    }
    return true;
}

/* Places that hold a version or what replaces it. */
static uint32_t count_places(const struct store_row *s, uint16_t version)
{
    uint8_t key = s->version[version].key;
    uint64_t places = 0;
    for (uint32_t node = 0; node < s->nodes; node++) {
        const struct store_cell *cell = &s->cell[node][key];
        if (!versions_cover(s, &cell->held, version)) {
            continue;
        }
        for (uint32_t place = 0; place < s->n; place++) {
            uint32_t whose = ring_node(s, key, place);
            bool stands = s->version[version].acked_hints && (cell->hint_for >> whose & 1) != 0;
            places |= whose == node || stands ? UINT64_C(1) << place : UINT64_C(0);
        }
    }
    uint32_t n = 0;
    for (uint32_t place = 0; place < s->n; place++) {
        n += (places >> place & 1) != 0;
    }
    return n;
}

static bool written_stays(const struct store_row *s, struct err *err)
{
    for (uint16_t v = 0; v < STORE_VERSIONS_MAX; v++) {
        const struct store_version *version = s->version + v;
        if (version->number == 0 || version->acked_us < 0) {
            continue;
        }
        uint32_t places = count_places(s, v);
        if (places < version->acked_w) {
            return err_set(err,
                           "written-stays: %llu of %.*s was acknowledged, and %u of %u places hold "
                           "it or what replaces it",
                           (unsigned long long)version->value, s->key[version->key].length,
                           s->key[version->key].text, places, s->n);
        }
    }
    return true;
}

bool quorums_hold(const struct world *w, struct err *err)
{
    for (uint32_t i = 0; i < w->quorums.count; i++) {
        const struct store_row *s = stores_in(w) + i;
        for (uint32_t at = 0; at < (uint32_t)s->nodes * s->keys; at++) {
            if (!cell_holds(s, (uint8_t)(at % s->keys), at / s->keys, err)) {
                return false;
            }
        }
        if (!written_stays(s, err)) {
            return false;
        }
        if (!s->sloppy && s->w + s->r > s->n && s->stale > 0) {
            return err_set(err,
                           "overlap: %s has W %u and R %u of N %u, and reads returned less than "
                           "was acknowledged (%llu)",
                           s->name, s->w, s->r, s->n, (unsigned long long)s->stale);
        }
    }
    return true;
}
