/*
 * shifts_hold: what must be true of slots that move key by key or by dual writes.
 *
 *   one-side          a key is at the source or at the target, never at both
 *   closed-empty      a claimed slot left no key at the source
 *   maps-by-directory no router believes an owner that no version of the map ever named
 *   whole-answers     nobody answered for some of the keys that were asked for
 *   never-older       no store took an older version than it held
 *   dual-alike        while nothing is on its way, both stores hold the same
 *   reads-newest      while reads are switched, the target holds what the source holds
 */
#include "engine/shifts/shifts_inside.h"

#include "engine/store.h"

static bool ask_holds(const struct world *w, const struct shift_row *s, struct err *err)
{
    for (uint32_t key = shift_next_key(w, s->source, s->slot, 0); key != NO_INDEX;
         key = shift_next_key(w, s->source, s->slot, key + 1)) {
        const struct key_entry *entry = keys_in(w) + key;
        if (s->ask.phase == ASK_CLAIMED) {
            return err_set(err, "closed-empty: S%u claimed slot %u, and S%u still holds %.*s",
                           s->target, s->slot, s->source, entry->length, entry->text);
        }
        if (shift_live(w, s->target, key)) {
            return err_set(err, "one-side: %.*s of slot %u is at S%u and at S%u", entry->length,
                           entry->text, s->slot, s->source, s->target);
        }
    }
    return true;
}

/* An edit of the slot is on its way, or a half of one. */
static bool is_written(const struct world *w, const struct shift_row *s)
{
    for (uint32_t i = 0; i < w->requests_used; i++) {
        const struct request *r = requests_in(w) + i;
        if (r->number != 0 && r->slot == s->slot && r->op == OP_EDIT &&
            (!r->ended || r->flying > 0)) {
            return true;
        }
    }
    return false;
}

static bool dual_holds(const struct world *w, const struct shift_row *s, struct err *err)
{
    uint32_t key = NO_INDEX;
    bool switched = s->dual.phase == DUAL_SWITCHED;
    bool due = switched || s->dual.filled != 0;
    if (!due || s->again || (s->job != SHIFT_IDLE && (!switched || s->repairing)) ||
        shift_differ(w, s, &key) == 0 || is_written(w, s)) {
        return true;
    }
    uint32_t at_source = shift_version(w, s->source, key);
    uint32_t at_target = shift_version(w, s->target, key);
    const struct key_entry *entry = keys_in(w) + key;
    if (switched && at_target < at_source) {
        return err_set(err, "reads-newest: reads of %.*s go to S%u, which holds v%u; S%u holds v%u",
                       entry->length, entry->text, s->target, at_target, s->source, at_source);
    }
    if (s->job != SHIFT_IDLE) {
        return true;
    }
    return err_set(err, "dual-alike: %.*s is v%u at S%u and v%u at S%u, and nothing is on its way",
                   entry->length, entry->text, at_source, s->source, at_target, s->target);
}

static bool notes_hold(const struct world *w, struct err *err)
{
    const struct shifts_state *s = &w->shifts;
    if (s->misled > 0) {
        return err_set(
            err,
            "maps-by-directory: routers took ASK for MOVED and believe an owner that no map "
            "names (%u)",
            s->misled);
    }
    if (s->partial > 0) {
        return err_set(err, "whole-answers: answers counted some of the keys only (%u)",
                       s->partial);
    }
    if (s->went_back > 0) {
        const struct key_entry *entry = keys_in(w) + s->back_key;
        return err_set(err, "never-older: S%u took an older version of %.*s than it held",
                       s->back_shard, entry->length, entry->text);
    }
    return true;
}

bool shifts_hold(const struct world *w, struct err *err)
{
    if (!notes_hold(w, err)) {
        return false;
    }
    for (uint32_t row = 0; w->shifts.count > 0 && row < w->config.moves_max; row++) {
        const struct shift_row *s = shifts_in(w) + row;
        bool holds = s->kind == SHIFT_NONE ||
                     (s->kind == SHIFT_ASK ? ask_holds(w, s, err) : dual_holds(w, s, err));
        if (!holds) {
            return false;
        }
    }
    return true;
}
