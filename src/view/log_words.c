/*
 * log_words: the entries of a slot's log, and how far they have come; see log_parts.h.
 */
#include "view/log_parts.h"

#define NAME_MOST 28
#define FRESH_NAMED 3u

bool log_open(struct logged *l, const struct scene *s, const struct view_state *v)
{
    l->entries = 0;
    moving_open(&l->k, s, v->argument, MANNER_MOVE);
    if (!l->k.known || !l->k.moves) {
        return false;
    }
    const struct move_info *m = &l->k.m;
    l->back = m->reverse;
    l->from = l->back ? m->target : m->source;
    l->to = l->back ? m->source : m->target;
    l->end = l->back ? m->stream_end : m->end;
    l->applied = l->back ? m->stream_applied : m->applied;
    l->fence = !l->back && m->fenced_us != MOVE_NEVER ? m->fence : 0;
    l->over = m->ended || (m->phase == MOVE_COMMITTED && !l->back);
    l->waiting = m->tail;
    l->entries = moves_tail(l->k.w, m, 0, l->entry, ENTRIES_MAX);
    uint32_t keys[ENTRIES_MAX];
    for (uint32_t i = 0; i < l->entries; i++) {
        keys[i] = l->entry[i].key;
    }
    l->name = moving_name_columns(&l->k, keys, l->entries, NAME_MOST);
    l->name = l->name < 10 ? 10 : l->name; /* "slot 12067" */
    l->k.source = m->source;
    l->k.target = m->target;
    return true;
}

/* What the key was before an entry: by an earlier one of the tail, else as it was applied. */
static struct held_key before(const struct logged *l, uint32_t at)
{
    for (uint32_t i = at; i > 0; i--) {
        const struct move_entry *e = &l->entry[i - 1];
        if (e->key == l->entry[at].key) {
            return (struct held_key){
                .there = true, .value = e->value, .edits = e->edits, .sequence = e->sequence};
        }
    }
    return moves_held(l->k.w, l->to, l->entry[at].key);
}

char log_sign(const struct logged *l, uint32_t at)
{
    const struct move_entry *e = &l->entry[at];
    if (e->key == KEY_NONE_ID) {
        return 'F';
    }
    struct held_key was = before(l, at);
    return e->edits != was.edits         ? '='
           : e->sequence != was.sequence ? '#'
           : e->value != was.value + 1   ? '$'
                                         : '+';
}

/* "like, now 43" */
void log_add_entry(struct str *out, const struct logged *l, uint32_t at, int columns)
{
    const struct move_entry *e = &l->entry[at];
    switch (log_sign(l, at)) {
    case 'F':
        str_addf(out,
                 columns >= 35 ? "the fence: migrating, epoch %u comes" : "fence, epoch %u comes",
                 (unsigned)l->k.m.epoch + 1);
        return;
    case '=':
        str_addf(out, "edit, now v%u", (unsigned)e->edits);
        return;
    case '#':
        str_addf(out, "flush, now %s", num_grouped((int64_t)e->value).text);
        return;
    case '$':
        str_addf(out, "change, now %s", num_grouped((int64_t)e->value).text);
        return;
    default:
        str_addf(out, "like, now %s", num_grouped((int64_t)e->value).text);
        return;
    }
}

void log_add_key(struct str *out, const struct logged *l, uint32_t at)
{
    const struct move_entry *e = &l->entry[at];
    if (e->key == KEY_NONE_ID) {
        str_addf(out, "slot %u", (unsigned)l->k.slot);
    } else {
        view_add_key(out, world_key(l->k.w, e->key));
    }
}

/* "9 of 12 applied, the oldest waits 1.2 ms" */
enum style log_add_behind(struct str *out, const struct logged *l, bool brief)
{
    uint32_t behind = l->end - l->applied;
    if (!l->back && l->k.m.phase == MOVE_ABORTED) {
        str_add(out, "dropped");
        return STYLE_DIM;
    }
    if (moving_copying(&l->k.m)) {
        str_addf(out,
                 behind == 0 ? "no entries yet"
                 : brief     ? "%u wait"
                             : "%u wait for the copy",
                 (unsigned)behind);
        return STYLE_WARN;
    }
    if (behind == 0) {
        str_addf(out,
                 l->end == 0   ? "no entries"
                 : l->end == 1 ? "%u applied"
                               : "all %u applied",
                 (unsigned)l->end);
        return l->over ? STYLE_DIM : STYLE_GOOD;
    }
    str_addf(out, "%u of %u applied", (unsigned)l->applied, (unsigned)l->end);
    if (l->over) {
        str_add(out, brief ? "" : ", the rest never");
        return STYLE_BAD;
    }
    if (l->k.m.oldest_us > 0 && !brief) {
        str_add(out, ", the oldest waits ");
        moving_add_time(out, world_now(l->k.w) - l->k.m.oldest_us);
    }
    return STYLE_WARN;
}

/* The keys that were written while the copy runs. */
static void add_fresh(struct str *out, const struct logged *l)
{
    unsigned fresh = 0;
    for (uint32_t key = 0; l->end > l->applied && key < world_keys(l->k.w); key++) {
        if (world_key_slot(l->k.w, key) == l->k.slot && moves_held(l->k.w, l->to, key).fresh) {
            if (fresh < FRESH_NAMED) {
                str_addc(out, ' ');
                view_add_key(out, world_key(l->k.w, key));
            }
            fresh++;
        }
    }
    if (fresh > FRESH_NAMED) {
        str_addf(out, " and %u more", fresh - FRESH_NAMED);
    }
}

/* Why no entry is listed. */
void log_add_empty(struct str *out, const struct logged *l)
{
    const struct move_info *m = &l->k.m;
    uint32_t behind = l->end - l->applied;
    if (m->phase == MOVE_ABORTED) {
        str_addf(out, "the move was dropped: S%u serves, nobody follows its log",
                 (unsigned)l->from);
    } else if (l->over) {
        str_addf(out, "S%u has the slot: nobody follows S%u's log any more", (unsigned)l->to,
                 (unsigned)l->from);
        if (behind > 0) {
            str_addf(out, ". %u entr%s of it never came", (unsigned)behind,
                     behind == 1 ? "y" : "ies");
        }
    } else if (moving_copying(m)) {
        str_addf(out,
                 behind == 0 ? "nothing has been written since the snapshot"
                 : l->k.asking
                     ? "while the copy runs, entries are kept. Written since the snapshot:"
                     : "while the copy runs, entries are kept; S%u takes them at its end. "
                       "Written since the snapshot:",
                 (unsigned)l->to);
        add_fresh(out, l);
    } else {
        str_addf(out, "the tail is empty: S%u has applied all that S%u accepted", (unsigned)l->to,
                 (unsigned)l->from);
    }
}
