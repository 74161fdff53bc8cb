/*
 * slot_map_tell: the slot map in words.
 */
#include "base/alloc.h"
#include "view/slot_map_parts.h"

#include <stdlib.h>

#define TOLD_SHARDS 32
#define TOLD_RANGES 6
#define TOLD_CHANGES 8
#define TOLD_KEYS 40

struct held {
    uint32_t slot, key;
};

static void tell_shard(struct str *out, const struct scene *s, uint32_t shard)
{
    uint32_t slots = view_slots(s), owned = 0, ranges = 0;
    struct str line = STR_EMPTY, list = STR_EMPTY;
    for (uint32_t slot = 0; slot < slots; slot++) {
        if (world_owner(s->world, slot) != shard) {
            continue;
        }
        uint32_t end = slot;
        while (end + 1 < slots && world_owner(s->world, end + 1) == shard) {
            end++;
        }
        ranges++;
        if (ranges <= TOLD_RANGES) {
            str_addf(&list, end > slot ? "%s%u-%u" : "%s%u", ranges > 1 ? ", " : "", (unsigned)slot,
                     (unsigned)end);
        }
        owned += end - slot + 1;
        slot = end;
    }
    if (ranges > TOLD_RANGES) {
        str_addf(&list, " and %u more ranges", (unsigned)(ranges - TOLD_RANGES));
    }
    str_addf(&line, "S%-5u %8s  %s", (unsigned)shard, num_grouped(owned).text,
             owned > 0 ? str_text(&list) : "none");
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 17);
    str_free(&line);
    str_free(&list);
}

static void tell_changes(struct str *out, const struct scene *s)
{
    uint32_t changed = slot_map_count_changed(s), told = 0, slots = view_slots(s);
    if (changed == 0) {
        return;
    }
    str_addf(out, "%s slot%s changed owner in this step:\n", num_grouped(changed).text,
             view_plural(changed));
    for (uint32_t slot = 0; slot < slots && told < TOLD_CHANGES; slot++) {
        if (slot_map_changed(s, slot)) {
            str_addf(out, "  slot %u: from S%u to S%u, epoch %u\n", (unsigned)slot,
                     (unsigned)world_owner(s->before, slot), (unsigned)world_owner(s->world, slot),
                     (unsigned)world_epoch(s->world, slot));
            told++;
        }
    }
    if (changed > told) {
        str_addf(out, "  and %s more\n", num_grouped(changed - told).text);
    }
}

static int by_slot(const void *a, const void *b)
{
    const struct held *x = a, *y = b;
    return x->slot != y->slot ? (x->slot > y->slot) - (x->slot < y->slot)
                              : (x->key > y->key) - (x->key < y->key);
}

/* A line for each slot that has keys. */
static void tell_keys(struct str *out, const struct scene *s)
{
    uint32_t keys = world_keys(s->world), told = 0;
    struct held *held = xcalloc(keys + 1u, sizeof *held);
    for (uint32_t key = 0; key < keys; key++) {
        held[key] = (struct held){world_key_slot(s->world, key), key};
    }
    qsort(held, keys, sizeof *held, by_slot);
    str_add(out, keys > 0 ? "slot   owner  keys\n" : "No slot has a key.\n");
    for (uint32_t i = 0; i < keys && told < TOLD_KEYS; i++) {
        if (i > 0 && held[i].slot == held[i - 1].slot) {
            continue;
        }
        struct str line = STR_EMPTY;
        str_addf(&line, "%-6u S%-5u ", (unsigned)held[i].slot,
                 (unsigned)world_owner(s->world, held[i].slot));
        (void)view_add_slot_keys(&line, s->world, held[i].slot, 4);
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 14);
        str_free(&line);
        told++;
    }
    free(held);
}

static void tell_slot(struct str *out, const struct scene *s, uint32_t slot,
                      const struct followed *f)
{
    struct str line = STR_EMPTY, facts = STR_EMPTY;
    if (f != NULL && f->is_key) {
        view_add_key(&line, f->key);
        str_addf(&line, " is in slot %u", (unsigned)slot);
    } else {
        str_addf(&line, "Slot %u", (unsigned)slot);
    }
    view_add_slot_facts(&facts, s, slot);
    str_addf(&line, "%s%s.", facts.length > 0 ? ": " : "", str_text(&facts));
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 2);
    str_free(&facts);
    str_free(&line);
}

void slot_map_tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    if (s->world == NULL) {
        str_add(out, "There is no cluster here.\n");
        return;
    }
    uint32_t shards = world_shards(s->world);
    str_addf(out, "%s slots on %u shard%s, map version %u.\n", num_grouped(view_slots(s)).text,
             (unsigned)shards, view_plural(shards), (unsigned)world_map_version(s->world));
    str_add(out, "shard     slots  which\n");
    for (uint32_t shard = 0; shard < shards && shard < TOLD_SHARDS; shard++) {
        tell_shard(out, s, shard);
    }
    if (shards > TOLD_SHARDS) {
        str_addf(out, "and %u more shards\n", (unsigned)(shards - TOLD_SHARDS));
    }
    tell_changes(out, s);

    if (slot_map_marks_keys(v)) {
        tell_keys(out, s);
    }
    struct slot_map_marks marks;
    slot_map_marks_fill(&marks, s, v);
    for (int i = 0; i < marks.count; i++) {
        tell_slot(out, s, marks.at[i].slot, &marks.at[i]);
    }
    if (v->has_selection && (marks.count == 0 || marks.at[0].slot != slot_map_selected(v, s))) {
        tell_slot(out, s, slot_map_selected(v, s), NULL);
    }
}
