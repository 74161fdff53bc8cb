/*
 * system_order_look: what lies in a part of keys in order, and which cut helps.
 */
#include "engine/systems/system_order.h"

#include <stdio.h>

#define DIGITS 9 /* of a key of the series */

/* --- the series --- */
static struct u128 series_at(const struct world *w, uint64_t number)
{
    char text[SERIES_NAME_MAX + 21];
    int length = snprintf(text, sizeof text, "%.*s%0*llu", w->systems.series.length,
                          w->systems.series.name, DIGITS, (unsigned long long)number);
    return u128_text_position((struct bytes){text, (size_t)length});
}

/* The first number whose key is at `at` or above, of those below `next`. */
static uint64_t series_from(const struct world *w, struct u128 at)
{
    uint64_t low = 0, high = w->systems.series.next;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (u128_order(series_at(w, middle), at) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Its keys in this part are numbers from *low, up to *high without it. */
static void series_in(const struct world *w, const struct part_row *p, uint64_t *low,
                      uint64_t *high)
{
    *low = *high = 0;
    if (w->systems.series.length == 0 || w->systems.series.next == 0) {
        return;
    }
    *low = series_from(w, p->first);
    *high = u128_order(p->last, U128_LAST) == 0 ? w->systems.series.next
                                                : series_from(w, u128_next(p->last));
}

/* --- what lies in a part --- */

static bool inside(const struct part_row *p, struct u128 at)
{
    return u128_order(p->first, at) <= 0 && u128_order(at, p->last) <= 0;
}

static void add_item(struct order_look *out, struct u128 at, uint64_t weight, uint8_t key)
{
    uint32_t i = out->items;
    while (i > 0 && u128_order(out->item[i - 1].at, at) > 0) {
        out->item[i] = out->item[i - 1];
        i--;
    }
    out->item[i] = (struct order_item){.at = at, .weight = weight, .key = key};
    out->items++;
    out->sum += weight;
}

void order_look(const struct world *w, uint8_t system, uint16_t part, enum order_by by,
                struct order_look *out)
{
    const struct part_row *p = part_in_system(w, system, part);
    const struct system_row *row = system_in(w, system);
    *out = (struct order_look){.items = 0};
    for (uint8_t i = 0; i < w->systems.keys; i++) {
        const struct system_tag *tag = system_tags_in(w) + i;
        const struct system_key_row *key = &row->key[i];
        struct u128 at = u128_text_position((struct bytes){tag->text, tag->length});
        uint64_t weight = by == ORDER_BY_LOAD ? counts_asked(&key->second)
                                              : key->sum.ok[WORK_WRITE] * SYSTEM_LIKE_BYTES;
        if (inside(p, at) && weight > 0) {
            add_item(out, at, weight, i);
        }
    }
    series_in(w, p, &out->low, &out->high);
    if (out->low == out->high) {
        return;
    }
    uint64_t weight = (out->high - out->low) * w->systems.series.bytes;
    if (by == ORDER_BY_LOAD) {
        uint64_t all = counts_asked(&p->second);
        bool end = w->systems.series.rate > 0 && out->high == w->systems.series.next;
        weight = end && all > out->sum ? all - out->sum : 0;
    }
    if (weight > 0) {
        struct u128 at = series_at(w, out->low);
        add_item(out, u128_order(at, p->first) < 0 ? p->first : at, weight, KEY_OTHER);
    }
}

uint64_t order_balance(const struct order_look *look, struct u128 *at)
{
    uint64_t best = look->sum, below = 0;
    for (uint32_t i = 1; i < look->items; i++) {
        below += look->item[i - 1].weight;
        uint64_t above = look->sum - below;
        uint64_t heavier = below > above ? below : above;
        if (heavier < best) {
            best = heavier;
            *at = look->item[i].at;
        }
    }
    return best;
}

/* Where a part is cut so that about so much of what its items weigh is below, or a little less; how
 * much that is. 0: one item has it all. */
static uint64_t weigh_cut(const struct world *w, const struct order_look *look, uint64_t want,
                          struct u128 *at)
{
    uint64_t below = 0;
    uint32_t i = 0;
    while (i + 1 < look->items && below + look->item[i].weight <= want) {
        below += look->item[i++].weight;
    }
    if (look->item[i].key == KEY_OTHER && look->high - look->low > 1) {
        uint64_t number = look->low + (want - below) / w->systems.series.bytes;
        number = number > look->low ? number : look->low + 1;
        number = number < look->high ? number : look->high - 1;
        *at = series_at(w, number);
        return below + (number - look->low) * w->systems.series.bytes;
    }
    if (look->items == 1) {
        return 0;
    }
    *at = look->item[i > 0 ? i : 1].at;
    return i > 0 ? below : look->item[0].weight;
}

/* What items weigh is an estimate, in another scale than a part's bytes: a of b of c. */
static uint64_t in_scale(uint64_t a, uint64_t b, uint64_t c)
{
    unsigned __int128 wide = (unsigned __int128)a * c;
    return b == 0 ? 0 : (uint64_t)(wide / b);
}

bool order_split_bytes(struct world *w, uint8_t system, uint16_t part, uint64_t below,
                       uint16_t *upper)
{
    struct order_look look;
    struct part_row *p = part_of_system(w, system, part);
    uint64_t bytes = p->bytes;
    struct u128 at;
    *upper = NO_PART;
    order_look(w, system, part, ORDER_BY_BYTES, &look);
    if (look.items == 0) {
        if (!order_middle(w, system, part, &at)) {
            return false;
        }
        below = bytes / 2;
    } else {
        uint64_t weight = weigh_cut(w, &look, in_scale(below, bytes, look.sum), &at);
        if (weight == 0) {
            return false;
        }
        below = in_scale(weight, look.sum, bytes);
    }
    *upper = system_part_split(w, system, part, at, REASON_SYSTEMS_SPLIT_SIZE, (int64_t)bytes);
    if (*upper != NO_PART) {
        p->bytes = below;
        part_of_system(w, system, *upper)->bytes = bytes - below;
    }
    return true;
}

enum no_split order_why_whole(const struct order_look *look, uint8_t *key)
{
    uint64_t most = 0;
    *key = KEY_OTHER;
    for (uint32_t i = 0; i < look->items; i++) {
        if (look->item[i].weight > most) {
            most = look->item[i].weight;
            *key = look->item[i].key;
        }
    }
    return *key == KEY_OTHER ? NO_SPLIT_GROWING : NO_SPLIT_ONE_ITEM;
}

/* --- hot parts --- */

bool order_is_hot(struct part_row *part, bool hot)
{
    part->hot_s = hot ? part->hot_s + 1 : 0;
    return hot && part->hot_s % HOT_PATIENCE_S == 0;
}

/* Whether its clients waited too long in the last second, for a machine with too much to do, and
 * that is mostly what it was asked for itself. */
static bool is_late(const struct world *w, uint8_t system, const struct part_row *p)
{
    const struct machine_row *leader = system_in(w, system)->machine + p->machine[0];
    return p->second.late + p->second.throttled > 0 &&
           2 * counts_asked(&p->second) > counts_asked(&leader->second);
}

void order_tell_whole(struct world *w, uint8_t system, enum no_split why)
{
    for (uint16_t place = 0; place < system_in(w, system)->parts_used; place++) {
        struct part_row *p = part_of_system(w, system, place);
        if (p->state != PART_OPEN || !order_is_hot(p, is_late(w, system, p)) ||
            p->hot_s != HOT_PATIENCE_S) {
            continue;
        }
        system_note(w, system, place, REASON_SYSTEMS_NO_SPLIT, why,
                    (int64_t)counts_asked(&p->second), p->key == KEY_OTHER ? 0 : p->key + 1);
    }
}

/* --- machines --- */

bool system_verb_add(struct world *w, uint8_t system, uint32_t parts, struct err *err)
{
    uint8_t machine = system_machine_new(w, system);
    if (machine == MACHINE_NONE) {
        return err_set(err, "there is no room for more %s; the model has %d of them",
                       system_kind(system)->words->machines, SYSTEM_MACHINES_MAX);
    }
    system_note(w, system, NO_PART, REASON_SYSTEMS_GROWN, machine, parts, 0);
    return true;
}

bool system_move_named(const struct world *w, uint8_t system, const struct command *c,
                       uint16_t *place, struct err *err)
{
    const struct system_words *words = system_kind(system)->words;
    if (!system_part_named(w, system, c->count, place, err) ||
        !system_machine_named(w, system, c->first, true, err)) {
        return false;
    }
    const struct part_row *p = part_in_system(w, system, *place);
    if (p->machine[0] == c->first) {
        return err_set(err, "%s %u is on %s %u already; name another one", words->part, c->count,
                       words->machine, c->first);
    }
    if (p->target != MACHINE_NONE) {
        return err_set(err, "%s %u is on its way to %s %u; wait until it is there", words->part,
                       c->count, words->machine, p->target);
    }
    return true;
}
