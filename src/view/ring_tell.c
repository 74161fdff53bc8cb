/*
 * ring_tell: a ring in words.
 */
#include "base/alloc.h"
#include "view/ring_parts.h"

#include <stdlib.h>
#include <string.h>

#define TOLD_POINTS 16
#define TOLD_SHARDS 64

double ring_share(const struct ring_picture *r, uint32_t id)
{
    for (uint32_t i = 0; i < layout_shards(r->p.shown); i++) {
        if (layout_shard_id(r->p.shown, i) == id) {
            return layout_ring_share(r->p.shown, i);
        }
    }
    return 0;
}

static void add_percent(struct str *out, double share, int decimals)
{
    str_addf(out, "%s%%", num_ratio((int64_t)(share * 1e9 + 0.5), 1000000000, decimals).text);
}

/* "0x4a1b... " would be noise: a position is told as a part of the circle. */
static void add_position(struct str *out, uint64_t position)
{
    add_percent(out, (double)position / 18446744073709551616.0, 2);
}

static size_t points_of(const struct ring_picture *r, uint32_t id)
{
    size_t count = 0;
    for (size_t i = 0; i < r->points; i++) {
        count += ring_point_owner(r, i) == id;
    }
    return count;
}

void ring_add_shard(struct str *out, const struct ring_picture *r, size_t row)
{
    const struct placing_row *one = &r->p.row[row];
    size_t points = points_of(r, one->id);
    struct str moves = STR_EMPTY;
    str_addf(out, "S%u", (unsigned)one->id);
    if (one->after) {
        str_addf(out, ": %zu token%s, ", points, view_plural(points));
        add_percent(out, ring_share(r, one->id), 1);
        str_addf(out, " of the circle, %s keys", num_grouped((int64_t)one->keys_after).text);
    } else {
        str_add(out, " has left");
    }
    placing_add_row_moves(&moves, &r->p, row, 4);
    if (moves.length > 0) {
        str_addf(out, "; %s", str_text(&moves));
    }
    str_free(&moves);
}

static uint64_t keys_in_arc(const struct ring_picture *r, size_t point)
{
    const struct layout_params *params = layout_params_of(r->p.shown);
    struct keyset *keys = r->p.trial->keys;
    const uint64_t *hash = keyset_hashes(keys, params->hash, params->tags);
    uint64_t count = 0, arc = ring_arc(r, point), end = r->point[point].at;
    for (size_t i = 0; i < keyset_count(keys); i++) {
        count += end - layout_ring_position(r->p.shown, hash[i]) < arc;
    }
    return count;
}

/* Who had it: nobody else, one, or several. */
static void add_before(struct str *out, const struct ring_picture *r, size_t point)
{
    uint64_t arc = ring_arc(r, point), end = r->point[point].at;
    uint32_t now = ring_point_owner(r, point), was = ring_owner_before(r, end);
    bool several = false;
    for (size_t i = 0; r->was != NULL && i < r->olds; i++) {
        several = several || (end - r->was[i].at < arc &&
                              layout_shard_id(r->p.trial->before, r->was[i].index) != was);
    }
    if (several) {
        str_add(out, ", cut otherwise before");
    } else if (was != RING_NONE && was != now) {
        str_addf(out, ", was S%u's", (unsigned)was);
    }
}

void ring_add_arc(struct str *out, const struct ring_picture *r, size_t point)
{
    uint32_t id = ring_point_owner(r, point);
    uint64_t keys = keys_in_arc(r, point);
    str_addf(out, "S%u, token %u of %zu: ", (unsigned)id, (unsigned)r->point[point].token + 1,
             points_of(r, id));
    add_percent(out, (double)ring_arc(r, point) / 18446744073709551616.0, 2);
    str_addf(out, " of the circle, %s key%s", num_grouped((int64_t)keys).text, view_plural(keys));
    add_before(out, r, point);
}

/* The words of the zones, numbered as they first appear. */
bool ring_zones(const struct ring_picture *r, uint8_t zone[RING_ZONES_MAX])
{
    const char *at = r->p.page->zones != NULL ? r->p.page->zones : "";
    struct bytes word[RING_ZONES_MAX];
    uint32_t shards = layout_shards(r->p.shown), words = 0;
    for (uint32_t i = 0; i < shards && i < RING_ZONES_MAX; i++) {
        at += strspn(at, " ");
        struct bytes mine = {at, strcspn(at, " ")};
        uint32_t known = 0;
        while (known < words && !bytes_equal(word[known], mine)) {
            known++;
        }
        if (known == words) {
            word[words++] = mine;
        }
        zone[i] = (uint8_t)known;
        at += mine.length;
    }
    return words > 1;
}

void ring_add_zones(struct str *out, const struct ring_picture *r)
{
    uint8_t zone[RING_ZONES_MAX] = {0};
    uint32_t shards = layout_shards(r->p.shown), zones = 0;
    shards = shards < RING_ZONES_MAX ? shards : RING_ZONES_MAX;
    (void)ring_zones(r, zone);
    for (uint32_t i = 0; i < shards; i++) {
        zones = zone[i] >= zones ? zone[i] + 1u : zones;
    }
    for (uint32_t z = 0; z < zones; z++) {
        str_addf(out, z == 0 ? "zone %u:" : "  %u:", (unsigned)z + 1);
        for (uint32_t i = 0; i < shards; i++) {
            if (zone[i] == z) {
                str_addf(out, " S%u", (unsigned)layout_shard_id(r->p.shown, i));
            }
        }
    }
}

void ring_add_copies(struct str *out, const struct ring_picture *r)
{
    for (size_t i = 0; i < r->copies; i++) {
        str_addf(out, "%sS%u", i > 0 ? " " : "", (unsigned)ring_point_owner(r, r->copy[i]));
    }
}

/* Under a cap keys move and arcs do not. */
static bool any_arc_changed(const struct ring_picture *r)
{
    for (size_t i = 0; r->was != NULL && i < r->points; i++) {
        if (ring_owner_before(r, r->point[i].at) != ring_point_owner(r, i)) {
            return true;
        }
    }
    for (size_t i = 0; r->was != NULL && i < r->olds; i++) {
        if (ring_owner(r, r->was[i].at) != ring_owner_before(r, r->was[i].at)) {
            return true;
        }
    }
    return false;
}

void ring_add_legend(struct str *out, const struct ring_picture *r, bool utf8)
{
    if (r->copies > 0) {
        str_addf(out, utf8 ? "1 to %zu: the copies; ticks: tokens" : "1 to %zu: the copies",
                 r->copies);
    } else if (any_arc_changed(r)) {
        str_add(out, utf8 ? "broad: new owner; line inside: the old"
                          : "capitals: new owner; inside: the old");
    } else if (r->points > RING_NAMED_POINTS && utf8) {
        str_add(out, "letters: owners of longer arcs");
    } else {
        str_add(out, utf8 ? "ticks: tokens; dots inside: keys" : "dots inside: keys");
    }
}

void ring_add_lookup(struct str *out, const struct ring_picture *r, bool code)
{
    if (!r->lookup) {
        return;
    }
    uint32_t arc_owner = ring_point_owner(r, r->key_point);
    uint32_t owner = layout_owner(r->p.shown, bytes_of(r->key));
    if (code) {
        view_add_key(out, bytes_of(r->key));
        str_add(out, " stands at ");
        add_position(out, r->key_at);
        str_addf(out, " of the circle; clockwise the next token is S%u's, at ",
                 (unsigned)arc_owner);
        add_position(out, r->point[r->key_point].at);
        str_addf(out, ": S%u owns it", (unsigned)arc_owner);
    } else {
        view_add_key(out, bytes_of(r->key));
        str_addf(out, ": clockwise to S%u's token", (unsigned)arc_owner);
    }
    if (owner != arc_owner) {
        str_addf(out, "; that is full, S%u takes it", (unsigned)owner);
    }
    if (code && r->copies > 0) {
        str_addf(out, "; its %zu copies are on ", r->copies);
        ring_add_copies(out, r);
    }
}

static void tell_shares(struct str *out, const struct ring_picture *r)
{
    size_t *tokens = xcalloc(r->p.rows, sizeof *tokens);
    for (size_t i = 0; i < r->points; i++) {
        tokens[placing_row_of(&r->p, ring_point_owner(r, i))]++;
    }
    str_add(out, "shard  tokens  of the circle\n");
    for (size_t i = 0; i < r->p.rows && i < TOLD_SHARDS; i++) {
        if (r->p.row[i].after) {
            str_addf(out, "S%-5u %6zu  ", (unsigned)r->p.row[i].id, tokens[i]);
            add_percent(out, ring_share(r, r->p.row[i].id), 2);
            str_addc(out, '\n');
        }
    }
    free(tokens);
}

static void tell_ring(struct str *out, const struct ring_picture *r)
{
    struct str line = STR_EMPTY;
    placing_add_title(&line, &r->p);
    str_addf(&line, "; %s point%s on the circle.", num_grouped((int64_t)r->points).text,
             view_plural(r->points));
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 2);
    placing_tell_shards(out, &r->p);
    tell_shares(out, r);
    for (size_t i = 0; r->points <= TOLD_POINTS && i < r->points; i++) {
        str_clear(&line);
        add_position(&line, r->point[i].at);
        str_addf(out, "%s%8s  ",
                 i == 0 ? "Clockwise, each token with the arc that ends at it:\n" : "",
                 str_text(&line));
        str_clear(&line);
        ring_add_arc(&line, r, i);
        str_addf(out, "%s\n", str_text(&line));
    }
    if (r->p.page->zones != NULL && r->p.page->zones[0] != '\0') {
        str_clear(&line);
        ring_add_zones(&line, r);
        str_addf(out, "%s\n", str_text(&line));
    }
    if (r->asks) {
        str_clear(&line);
        view_add_key(&line, bytes_of(r->p.page->asked));
        str_add(&line, " stands at ");
        add_position(&line, r->asked_at);
        str_add(&line, " of the circle.");
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 2);
    }
    if (r->lookup) {
        str_clear(&line);
        ring_add_lookup(&line, r, true);
        str_addc(&line, '.');
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 2);
    }
    str_free(&line);
}

void ring_tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct ring_picture r;
    struct placing p;
    if (ring_open(&r, s, v)) {
        tell_ring(out, &r);
        ring_close(&r);
        return;
    }
    struct str text = STR_EMPTY;
    if (placing_open(&p, s, v->argument)) {
        placing_add_elsewhere(&text, &p, "ring");
        placing_close(&p);
    } else {
        str_add(&text, placing_none());
    }
    str_addc(&text, '.');
    view_add_wrapped(out, str_text(&text), TELL_COLUMNS, 0);
    str_free(&text);
}
