/*
 * queries_slots: which slots an answer counts, and which of them a result has.
 *
 * A shard counts the slots that its table says are its own, and whole. Between its answer and the
 * end of the query tables may change, so an answer is remembered as a shard and a position: the
 * number of changes of slot tables there had been by then. What a row said at a position is what it
 * says now, with the changes since then taken back. That is seldom needed: while nothing has
 * changed since a gather began, its parts have no slot in common, and how many each has is known.
 *
 * A slot that moves key by key is whole until its first key has gone; the log has that as a change
 * when somebody asks next.
 */
#include "engine/directory.h"
#include "engine/queries/queries_inside.h"
#include "engine/shifts/shifts_inside.h"
#include "engine/table.h"

static void log_change(struct world *w, struct table_change change)
{
    struct queries_state *q = &w->queries;
    change.at_us = w->now_us;
    table_changes_of(w)[q->position % QUERY_CHANGES_MAX] = change;
    q->position++;
    q->plain_known = false;
    if (q->position - q->forgotten > QUERY_CHANGES_MAX) {
        q->forgotten = q->position - QUERY_CHANGES_MAX;
    }
}

static bool is_parted(const struct world *w, uint32_t slot)
{
    for (uint32_t i = 0; i < w->queries.parted_count; i++) {
        if (w->queries.parted[i] == slot) {
            return true;
        }
    }
    return w->queries.parted_count == QUERY_PARTED_MAX;
}

void queries_table(struct world *w, uint32_t shard, uint32_t first, uint32_t last)
{
    const struct slot_row *rows = table_rows_in(w, shard);
    uint32_t at = table_place(w, shard, first);
    for (uint32_t slot = first; slot <= last;) {
        bool has_row = at < shards_in(w)[shard].rows && rows[at].first <= slot;
        uint32_t end = has_row                         ? rows[at].last
                       : at < shards_in(w)[shard].rows ? rows[at].first - 1u
                                                       : w->config.slots - 1;
        end = end < last ? end : last;
        uint8_t state = has_row ? rows[at].state : SLOT_ABSENT;
        log_change(w, (struct table_change){.shard = (uint16_t)shard,
                                            .first = (uint16_t)slot,
                                            .last = (uint16_t)end,
                                            .state = state,
                                            .epoch = has_row ? rows[at].epoch : 0,
                                            .parted = state == SLOT_LEAVING && is_parted(w, slot)});
        at += has_row;
        slot = end + 1;
    }
}

void queries_untable(struct world *w, uint32_t position)
{
    struct queries_state *q = &w->queries;
    q->position = position;
    q->plain_known = false;
}

/* --- slots that move key by key --- */

static bool is_leaving(const struct world *w, uint16_t shard, uint32_t slot)
{
    const struct slot_row *row = table_find(w, shard, slot);
    return row != NULL && row->state == SLOT_LEAVING;
}

static void set_parted(struct world *w, const struct shift_row *s, bool parted)
{
    struct queries_state *q = &w->queries;
    bool known = is_parted(w, s->slot);
    if (parted == known || q->parted_count == QUERY_PARTED_MAX) {
        return;
    }
    log_change(w, (struct table_change){.shard = s->source,
                                        .first = (uint16_t)s->slot,
                                        .last = (uint16_t)s->slot,
                                        .state = SLOT_LEAVING,
                                        .epoch = table_find(w, s->source, s->slot)->epoch,
                                        .parted = known});
    if (parted) {
        q->parted[q->parted_count++] = (uint16_t)s->slot;
        return;
    }
    uint32_t at = 0;
    while (q->parted[at] != s->slot) {
        at++;
    }
    q->parted[at] = q->parted[--q->parted_count];
}

/* What has come about since the last time. */
static void look_at_shifts(struct world *w)
{
    struct queries_state *q = &w->queries;
    for (uint32_t i = 0; w->shifts.count > 0 && i < w->config.moves_max; i++) {
        const struct shift_row *s = shifts_in(w) + i;
        if (s->kind == SHIFT_ASK && is_leaving(w, s->source, s->slot)) {
            set_parted(w, s, s->hand != NO_INDEX || shift_count(w, s->target, s->slot) > 0);
        }
    }
    for (uint32_t i = 0; i < q->parted_count;) { /* some slots are through */
        uint32_t row = shift_find(w, q->parted[i]);
        const struct shift_row *s = row == NO_ROW ? NULL : shifts_in(w) + row;
        if (s != NULL && s->kind == SHIFT_ASK && is_leaving(w, s->source, s->slot)) {
            i++;
        } else {
            q->parted[i] = q->parted[--q->parted_count];
        }
    }
}

uint32_t slots_position(struct world *w, bool follower)
{
    struct queries_state *q = &w->queries;
    if (w->shifts.count > 0 || q->parted_count > 0) {
        look_at_shifts(w);
    }
    uint32_t position = q->position;
    while (follower && position > q->forgotten &&
           table_changes_in(w)[(position - 1) % QUERY_CHANGES_MAX].at_us >
               w->now_us - w->config.replica_lag_us) {
        position--;
    }
    return position;
}

/* --- what is counted --- */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

struct slot_run slots_counted(const struct world *w, uint16_t shard, uint32_t slot,
                              uint32_t position)
{
    const struct slot_row *rows = table_rows_in(w, shard);
    uint32_t at = table_place(w, shard, slot);
    uint32_t count = shards_in(w)[shard].rows;
    bool has_row = at < count && rows[at].first <= slot;
    struct slot_run run = {.last = has_row      ? rows[at].last
                                   : at < count ? rows[at].first - 1u
                                                : w->config.slots - 1};
    enum slot_state state = has_row ? (enum slot_state)rows[at].state : SLOT_ABSENT;
    bool parted = state == SLOT_LEAVING && is_parted(w, slot);
    run.last = state == SLOT_LEAVING ? slot : run.last;
    run.epoch = has_row ? rows[at].epoch : 0;
    for (uint32_t i = w->queries.position; i > position; i--) {
        const struct table_change *c = &table_changes_in(w)[(i - 1) % QUERY_CHANGES_MAX];
        if (c->shard != shard || c->last < slot) {
            continue;
        }
        if (c->first > slot) {
            run.last = least(run.last, c->first - 1u);
            continue;
        }
        run.last = least(run.last, c->last);
        run.epoch = c->epoch;
        state = (enum slot_state)c->state;
        parted = c->parted;
    }
    run.counted = gather_counts(state, parted ? KEYS_SOME : KEYS_ALL);
    return run;
}

struct slot_run slots_in(const struct world *w, const struct gather_row *g, uint32_t slot,
                         uint32_t answers)
{
    struct slot_run in = {.last = w->config.slots - 1};
    uint32_t piece = g->merged;
    for (uint32_t i = 0; i < answers; i++) {
        const struct gather_piece *p = query_pieces_in(w) + piece;
        struct slot_run run = slots_answered(w, g, p, slot);
        in.last = least(in.last, run.last);
        if (run.counted && !in.counted) {
            in.counted = true;
            in.epoch = run.epoch;
        }
        piece = p->next;
    }
    return in;
}

/* The question of a later round was about what was missing then. */
struct slot_run slots_answered(const struct world *w, const struct gather_row *g,
                               const struct gather_piece *answer, uint32_t slot)
{
    struct slot_run run = slots_counted(w, answer->shard, slot, answer->position);
    if (run.counted && answer->part.round > 1 && answer->before > 0) {
        struct slot_run in = slots_in(w, g, slot, answer->before);
        run.last = least(run.last, in.last);
        run.counted = !in.counted;
    }
    return run;
}

bool slots_known(const struct world *w, const struct gather_row *g)
{
    return g->from >= w->queries.forgotten;
}

/* --- while nothing changes --- */

/* How many slots each shard counts, and whether the plan says the same of all of them. */
static void count_all(struct world *w)
{
    struct queries_state *q = &w->queries;
    q->plain = true;
    for (uint32_t shard = 0; shard < w->shards; shard++) {
        q->counted[shard] = 0;
        for (uint32_t slot = 0; slot < w->config.slots;) {
            struct slot_run run = slots_counted(w, (uint16_t)shard, slot, q->position);
            for (; slot <= run.last; slot++) {
                q->counted[shard] += run.counted;
                q->plain = q->plain && (!run.counted || owners_in(w)[slot] == shard);
            }
        }
    }
    q->plain_known = true;
    q->plain_at = q->position;
}

bool slots_plain(struct world *w, const struct gather_row *g)
{
    struct queries_state *q = &w->queries;
    if (g->from != q->position) {
        return false;
    }
    if (!q->plain_known || q->plain_at != q->position) {
        count_all(w);
    }
    return q->plain;
}

uint32_t slots_of_shard(const struct world *w, uint16_t shard)
{
    return w->queries.counted[shard];
}

/* --- who is to be asked --- */

static uint64_t owners_at(const struct world *w, uint32_t version, uint32_t from, uint32_t to)
{
    uint64_t owners = 0;
    for (uint32_t slot = from; slot <= to; slot++) {
        owners |= UINT64_C(1) << directory_lookup(w, version, slot).owner;
    }
    return owners;
}

uint64_t slots_owners(struct world *w, uint16_t router, const struct gather_row *lacks,
                      uint32_t *missing)
{
    struct queries_state *q = &w->queries;
    uint32_t version = routers_in(w)[router].map_version;
    uint64_t owners = 0;
    *missing = 0;
    if (lacks == NULL) {
        if (version != w->map_version) {
            return owners_at(w, version, 0, w->config.slots - 1);
        }
        if (q->owners_version != version) {
            q->owners = owners_at(w, version, 0, w->config.slots - 1);
            q->owners_version = version;
        }
        return q->owners;
    }
    for (uint16_t shard = 0; lacks->chosen != 0 && shard < QUERY_PARTS_MAX; shard++) {
        if ((lacks->chosen >> shard & 1) != 0 && !gather_merged(w, lacks, shard)) {
            owners |= UINT64_C(1) << shard;
            ++*missing;
        }
    }
    for (uint32_t slot = 0; lacks->chosen == 0 && slot < w->config.slots;) {
        struct slot_run run = slots_in(w, lacks, slot, lacks->merged_count);
        if (!run.counted) {
            owners |= owners_at(w, version, slot, run.last);
            *missing += run.last - slot + 1;
        }
        slot = run.last + 1;
    }
    return owners;
}
