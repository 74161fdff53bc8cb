/*
 * systems_read: systems as others see them.
 */
#include "engine/systems/systems_inside.h"

#include "base/check.h"
#include "place/key.h"

bool world_has_systems(const struct world *w)
{
    return w->config.systems_max > 0;
}

bool world_system_on(const struct world *w, enum system_id id)
{
    return (w->systems.on >> id & 1) != 0;
}

struct system_info world_system(const struct world *w, enum system_id id)
{
    uint8_t system = (uint8_t)id;
    if (!world_system_on(w, id)) {
        return (struct system_info){.on = false};
    }
    const struct system_row *row = system_in(w, system);
    struct system_info info = {.on = true,
                               .machines = row->machines,
                               .sum = row->sum,
                               .second = row->second,
                               .lost = row->lost,
                               .disorder = row->disorder,
                               .read = row->read,
                               .skipped = row->skipped,
                               .redirects = row->redirects,
                               .hints = row->hints,
                               .splits = row->splits,
                               .joins = row->joins,
                               .moved = row->moved,
                               .moved_bytes = row->moved_bytes,
                               .leaders = row->leaders,
                               .longest_us = row->longest_us};
    for (uint16_t i = 0; i < row->parts_used; i++) {
        const struct part_row *part = part_in_system(w, system, i);
        uint16_t *const count[] = {[PART_FREE] = NULL,
                                   [PART_OPEN] = &info.parts,
                                   [PART_COPYING] = &info.copying,
                                   [PART_CLOSED] = &info.closed,
                                   [PART_EXPIRED] = &info.expired};
        if (part->state == PART_FREE) {
            continue;
        }
        (*count[part->state])++;
        info.unread += part->records - part->read;
    }
    for (uint32_t i = 0; i < row->machines; i++) {
        info.up += !row->machine[i].down;
    }
    for (uint32_t i = 0; i < SYSTEM_SETTINGS; i++) {
        info.setting[i] = row->setting[i];
    }
    return info;
}

/* --- parts --- */

static bool comes_before(const struct part_row *a, const struct part_row *b)
{
    int order = u128_order(a->first, b->first);
    return order != 0 ? order < 0 : a->number < b->number;
}

/* Places in the order in which they are shown; how many. */
static uint32_t in_order(const struct world *w, uint8_t system, uint16_t place[SYSTEM_PARTS_MAX])
{
    uint32_t count = 0;
    for (uint16_t i = 0; i < system_in(w, system)->parts_used; i++) {
        const struct part_row *part = part_in_system(w, system, i);
        if (part->state == PART_FREE) {
            continue;
        }
        uint32_t at = count++;
        for (; at > 0 && comes_before(part, part_in_system(w, system, place[at - 1])); at--) {
            place[at] = place[at - 1];
        }
        place[at] = i;
    }
    return count;
}

uint32_t world_system_parts(const struct world *w, enum system_id id)
{
    uint16_t place[SYSTEM_PARTS_MAX];
    return world_system_on(w, id) ? in_order(w, (uint8_t)id, place) : 0;
}

/* Those that name it as a parent; where it went on itself it is its own first child. */
static void find_children(const struct world *w, uint8_t system, const struct part_row *part,
                          uint16_t child[2])
{
    uint32_t found = 0;
    for (uint16_t i = 0; i < system_in(w, system)->parts_used && found < 2; i++) {
        const struct part_row *other = part_in_system(w, system, i);
        if (other->state != PART_FREE && other != part &&
            (other->parent[0] == part->number || other->parent[1] == part->number)) {
            child[found++] = other->number;
        }
    }
}

static struct part_info info_of(const struct world *w, uint8_t system, uint16_t place)
{
    const struct part_row *part = part_in_system(w, system, place);
    struct part_info info = {.number = part->number,
                             .state = part->state,
                             .first = part->first,
                             .last = part->last,
                             .parent = {part->parent[0], part->parent[1]},
                             .child = {NO_PART, NO_PART},
                             .target = part->target,
                             .ready_us = part->ready_us,
                             .away_us = part->away_us > w->now_us ? part->away_us : 0,
                             .sum = part->sum,
                             .second = part->second,
                             .bytes = part->bytes,
                             .records = part->records,
                             .unread = part->records - part->read,
                             .saved = part->saved[WORK_WRITE],
                             .reader = part->reader,
                             .paused = system_part_waits(w, system, place)};
    bool elsewhere = system_kind(system)->words->files_elsewhere;
    for (uint32_t i = 0; i < SYSTEM_COPIES; i++) {
        info.machine[i] =
            i < part->copies && (i == 0 || !elsewhere) ? part->machine[i] : MACHINE_NONE;
    }
    for (uint32_t work = 0; work < WORK_KINDS; work++) {
        info.limit[work] = part->bucket[work].ceiling;
    }
    find_children(w, system, part, info.child);
    return info;
}

struct part_info world_system_part(const struct world *w, enum system_id id, uint32_t index)
{
    uint16_t place[SYSTEM_PARTS_MAX];
    uint32_t count = in_order(w, (uint8_t)id, place);
    CHECK(world_system_on(w, id) && index < count);
    return info_of(w, (uint8_t)id, place[index]);
}

static uint16_t place_of(const struct world *w, enum system_id id, uint32_t number)
{
    if (!world_system_on(w, id)) {
        return NO_PART;
    }
    for (uint16_t i = 0; i < system_in(w, (uint8_t)id)->parts_used; i++) {
        const struct part_row *part = part_in_system(w, (uint8_t)id, i);
        if (part->state != PART_FREE && part->number == number) {
            return i;
        }
    }
    return NO_PART;
}

bool world_system_find(const struct world *w, enum system_id id, uint32_t number,
                       struct part_info *out)
{
    uint16_t place = place_of(w, id, number);
    if (place != NO_PART) {
        *out = info_of(w, (uint8_t)id, place);
    }
    return place != NO_PART;
}

void world_part_name(const struct world *w, enum system_id id, uint32_t number, struct str *out)
{
    uint16_t place = place_of(w, id, number);
    const struct system_kind *kind = system_kind((uint8_t)id);
    if (place != NO_PART && kind->name != NULL) {
        kind->name(w, part_in_system(w, (uint8_t)id, place), out);
    } else {
        str_addf(out, "%u", number);
    }
}

/* --- machines --- */

struct machine_info world_system_machine(const struct world *w, enum system_id id, uint32_t machine)
{
    uint8_t system = (uint8_t)id;
    const struct system_row *row = system_in(w, system);
    CHECK(world_system_on(w, id) && machine < row->machines);
    const struct machine_row *m = row->machine + machine;
    struct machine_info info = {
        .down = m->down,
        .leads = (uint16_t)system_machine_leads(w, system, (uint8_t)machine),
        .second = m->second,
        .limit = {m->bucket[WORK_WRITE].ceiling, m->bucket[WORK_READ].ceiling},
        .bytes = system_machine_bytes(w, system, (uint8_t)machine),
        .hints = m->hints,
        .joined_us = m->joined_us,
        .copies = system_kind(system)->own_copies ? m->copies_up : 0};
    for (uint16_t i = 0; i < row->parts_used; i++) {
        const struct part_row *part = part_in_system(w, system, i);
        for (uint32_t c = 0; c < part->copies && part->state == PART_OPEN; c++) {
            info.keeps = (uint16_t)(info.keeps + (part->machine[c] == machine));
        }
    }
    info.keeps = system_words(id)->files_elsewhere ? info.leads : info.keeps;
    return info;
}

/* --- keys --- */

static void find_part(const struct world *w, uint8_t system, uint8_t key,
                      struct system_key_info *out)
{
    const struct system_kind *kind = system_kind(system);
    struct system_ask ask = {.system = system, .key = key, .text = out->text, .part = NO_PART};
    ask.position = kind->position(w, out->text, 0);
    uint16_t place =
        kind->locate != NULL ? kind->locate(w, &ask) : system_locate(w, system, ask.position);
    out->position = ask.position;
    out->part = place == NO_PART ? NO_PART : part_in_system(w, system, place)->number;
}

uint32_t world_system_keys(const struct world *w, enum system_id id)
{
    return world_system_on(w, id) ? w->systems.keys : 0;
}

struct system_key_info world_system_key(const struct world *w, enum system_id id, uint32_t index)
{
    CHECK(world_system_on(w, id) && index < w->systems.keys);
    const struct system_key_row *key = &system_in(w, (uint8_t)id)->key[index];
    const struct system_tag *tag = system_tags_in(w) + index;
    struct system_key_info info = {.text = {.at = tag->text, .length = tag->length},
                                   .sum = key->sum,
                                   .second = key->second,
                                   .lost = key->lost,
                                   .disorder = key->disorder};
    find_part(w, (uint8_t)id, (uint8_t)index, &info);
    return info;
}

bool world_system_place(const struct world *w, enum system_id id, struct bytes key,
                        struct system_key_info *out)
{
    if (!world_system_on(w, id)) {
        return false;
    }
    struct bytes tag = key_tag(key);
    for (uint32_t i = 0; i < w->systems.keys; i++) {
        const struct system_tag *known = system_tags_in(w) + i;
        if (bytes_equal((struct bytes){.at = known->text, .length = known->length}, tag)) {
            *out = world_system_key(w, id, i);
            return true;
        }
    }
    *out = (struct system_key_info){.text = tag};
    find_part(w, (uint8_t)id, KEY_OTHER, out);
    return true;
}

struct series_info world_series(const struct world *w)
{
    return (struct series_info){
        .rate = w->systems.series.rate,
        .next = w->systems.series.next,
        .bytes = w->systems.series.bytes,
        .name = {.at = w->systems.series.name, .length = w->systems.series.length}};
}

/* --- records that are kept --- */

bool world_system_note(const struct world *w, enum system_id id, uint32_t back,
                       struct trace_record *out)
{
    const struct system_row *row = system_in(w, (uint8_t)id);
    if (!world_system_on(w, id) || back >= SYSTEM_NOTES || back >= row->notes) {
        return false;
    }
    *out = row->note[(row->notes - 1 - back) % SYSTEM_NOTES];
    return true;
}

bool world_system_order(const struct world *w, enum system_id id, struct trace_record *out)
{
    if (!world_system_on(w, id) || !system_in(w, (uint8_t)id)->order_told) {
        return false;
    }
    *out = system_in(w, (uint8_t)id)->order;
    return true;
}
