/*
 * slot_map_tell: the slot map in words.
 */
#include "view/slot_map_parts.h"

#define TOLD_SHARDS 32
#define TOLD_RANGES 6
#define TOLD_CHANGES 8

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

    struct followed f = view_followed(s, v->argument);
    if (f.found || v->has_selection) {
        struct str line = STR_EMPTY;
        uint32_t slot = slot_map_selected(v, s);
        if (f.is_key && slot == f.slot) {
            view_add_key(&line, f.key);
            str_addf(&line, " is in slot %u: ", (unsigned)slot);
        } else {
            str_addf(&line, "Slot %u: ", (unsigned)slot);
        }
        view_add_slot_facts(&line, s, slot);
        str_addc(&line, '.');
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 2);
        str_free(&line);
    }
}
