/*
 * systems_hold: what is always true of systems, where their tables lie, and their identity.
 *
 *   system-counts   what was asked is what became of it, for each system, part and key; parts and
 *                   keys have no more than their system
 *   system-cover    open parts hold every position once (where parts are ranges)
 *   system-numbers  no two parts have one number, and no place is used that is not counted
 *   system-leaders  a part has different machines, all of them there, and is away while, and only
 *                   while, its leader is down
 *   system-moves    what is on its way is on its way to a live machine, and not there yet
 *   system-lost     what keys lost their system lost
 *
 * One system is looked at an event, in turn: the simulator asks after each.
 */
#include "engine/systems/systems_inside.h"

/* --- invariants --- */

static uint64_t became(const struct system_counts *c)
{
    return c->ok[WORK_WRITE] + c->ok[WORK_READ] + c->throttled + c->late + c->away;
}

static bool agrees(const struct system_counts *c)
{
    return counts_asked(c) == became(c) && c->ok[WORK_WRITE] <= c->asked[WORK_WRITE] &&
           c->ok[WORK_READ] <= c->asked[WORK_READ];
}

static bool all_agree(const struct system_counts *sum, const struct system_counts *now,
                      const struct system_counts *second)
{
    return agrees(sum) && agrees(now) && agrees(second) &&
           counts_asked(now) + counts_asked(second) <= counts_asked(sum);
}

static bool counts_hold(const struct world *w, uint8_t system, struct err *err)
{
    const struct system_row *row = system_in(w, system);
    const char *name = system_kind(system)->words->name;
    uint64_t of_keys = 0;
    uint64_t of_parts = 0;
    uint64_t lost = 0;
    if (!all_agree(&row->sum, &row->now, &row->second)) {
        return err_set(err, "system-counts: %s was asked %llu times, and %llu became something",
                       name, (unsigned long long)counts_asked(&row->sum),
                       (unsigned long long)became(&row->sum));
    }
    for (uint32_t key = 0; key < SYSTEM_KEYS_MAX; key++) {
        const struct system_key_row *k = &row->key[key];
        if (!all_agree(&k->sum, &k->now, &k->second)) {
            return err_set(err, "system-counts: key %u of %s", key, name);
        }
        of_keys += counts_asked(&k->sum);
        lost += k->lost;
    }
    for (uint16_t i = 0; i < row->parts_used; i++) {
        const struct part_row *part = part_in_system(w, system, i);
        if (!all_agree(&part->sum, &part->now, &part->second)) {
            return err_set(err, "system-counts: part %u of %s", part->number, name);
        }
        of_parts += counts_asked(&part->now);
    }
    if (of_keys > counts_asked(&row->sum) || of_parts > counts_asked(&row->now)) {
        return err_set(err, "system-counts: parts or keys of %s were asked more than it was", name);
    }
    return lost <= row->lost || err_set(err, "system-lost: keys of %s lost more than it did", name);
}

static bool is_below(struct u128 a, struct u128 b)
{
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

/* One open part after the other, from the first position to the last. */
static bool cover_holds(const struct world *w, uint8_t system, struct err *err)
{
    const struct part_row *open[SYSTEM_PARTS_MAX];
    uint32_t count = 0;
    for (uint16_t i = 0; i < system_in(w, system)->parts_used; i++) {
        const struct part_row *part = part_in_system(w, system, i);
        if (part->state != PART_OPEN) {
            continue;
        }
        uint32_t at = count++;
        for (; at > 0 && is_below(part->first, open[at - 1]->first); at--) {
            open[at] = open[at - 1];
        }
        open[at] = part;
    }
    bool fits = count > 0;
    struct u128 from = u128_of(0, 0);
    for (uint32_t i = 0; i < count && fits; i++) {
        struct u128 end = i + 1 < count ? u128_before(open[i + 1]->first) : U128_LAST;
        fits = u128_order(open[i]->first, from) == 0 && u128_order(open[i]->last, end) == 0 &&
               !is_below(end, from);
        from = u128_next(end);
    }
    return fits || err_set(err, "system-cover: open %s of %s do not hold each position once",
                           system_kind(system)->words->parts, system_kind(system)->words->name);
}

static bool number_is_alone(const struct world *w, uint8_t system, uint16_t place)
{
    bool alone = true;
    const struct part_row *part = part_in_system(w, system, place);
    for (uint16_t i = 0; i < place; i++) {
        const struct part_row *other = part_in_system(w, system, i);
        alone = alone && (other->state == PART_FREE || part->number != other->number);
    }
    return alone;
}

static bool numbers_hold(const struct world *w, uint8_t system, struct err *err)
{
    const struct system_row *row = system_in(w, system);
    uint64_t met[8] = {0}; /* numbers modulo its bits: mostly they tell that none is there twice */
    for (uint16_t i = 0; i < system_parts_max(system) && row->part_at[i] != 0; i++) {
        const struct part_row *part = part_in_system(w, system, i);
        if (part->state == PART_FREE) {
            continue;
        }
        uint64_t *word = &met[part->number / 64 % 8];
        uint64_t bit = UINT64_C(1) << part->number % 64;
        if (i >= row->parts_used || part->number >= row->next_number ||
            part->state > PART_EXPIRED || ((*word & bit) != 0 && !number_is_alone(w, system, i))) {
            return err_set(err, "system-numbers: part %u at place %u of %s", part->number, i,
                           system_kind(system)->words->name);
        }
        *word |= bit;
    }
    return true;
}

static bool leader_holds(const struct world *w, uint8_t system, const struct part_row *part)
{
    const struct system_kind *kind = system_kind(system);
    const struct system_row *row = system_in(w, system);
    bool fits = part->copies >= 1 && part->copies <= SYSTEM_COPIES;
    for (uint32_t i = 0; i < part->copies && fits; i++) {
        fits = part->machine[i] < row->machines && row->machine[part->machine[i]].there;
        for (uint32_t j = 0; j < i; j++) {
            fits = fits && part->machine[i] != part->machine[j];
        }
    }
    if (!fits || kind->leaderless) {
        return fits;
    }
    bool down = row->machine[part->machine[0]].down;
    return down == (part->frozen_us != 0) && (!down || part->away_us > w->now_us ||
                                              row->machine[part->machine[0]].leads_us <= w->now_us);
}

static bool parts_hold(const struct world *w, uint8_t system, struct err *err)
{
    const struct system_row *row = system_in(w, system);
    for (uint16_t i = 0; i < row->parts_used; i++) {
        const struct part_row *part = part_in_system(w, system, i);
        if (!system_part_lives(part)) {
            continue;
        }
        if (!leader_holds(w, system, part)) {
            return err_set(err, "system-leaders: part %u of %s", part->number,
                           system_kind(system)->words->name);
        }
        bool moves = part->state == PART_OPEN && part->target != MACHINE_NONE;
        if (moves && (part->target >= row->machines || row->machine[part->target].down ||
                      part->target == part->machine[0] || part->ready_us < w->now_us)) {
            return err_set(err, "system-moves: part %u of %s", part->number,
                           system_kind(system)->words->name);
        }
    }
    return true;
}

bool system_holds(const struct world *w, uint8_t system, struct err *err)
{
    return (w->systems.on >> system & 1) == 0 ||
           (counts_hold(w, system, err) && numbers_hold(w, system, err) &&
            parts_hold(w, system, err) &&
            (system_kind(system)->locate != NULL || cover_holds(w, system, err)) &&
            (!system_is_stream(system) || system_streams_hold(w, err)));
}

/* In turn: what is broken stays broken, and is found when it is this system's turn. */
bool systems_hold(const struct world *w, struct err *err)
{
    return system_holds(w, (uint8_t)(w->handled % SYSTEMS), err);
}

/* --- layout --- */

void systems_lay_out(struct world *plan, uint64_t *end)
{
    uint64_t some = plan->config.systems_max;
    plan->at.systems = table_at(end, some * SYSTEMS, sizeof(struct system_row));
    plan->at.system_tags = table_at(end, some * SYSTEM_KEYS_MAX, sizeof(struct system_tag));
    plan->at.system_unread = table_at(end, some * SYSTEM_STREAMS, sizeof(struct stream_row));
    plan->at.system_pool = table_at(end, some * SYSTEM_POOL, sizeof(struct pool_unit));
}

uint64_t systems_used(const struct world *w)
{
    return w->systems.count == 0
               ? 0
               : w->at.system_pool - w->at.systems + w->systems.pool * sizeof(struct pool_unit);
}

/* --- identity --- */

static uint64_t bits_of(int64_t value)
{
    return (uint64_t)value;
}

static void feed_counts(struct digest *d, const struct system_counts *c)
{
    DIGEST_FEED(d, c->asked[WORK_WRITE], c->asked[WORK_READ], c->ok[WORK_WRITE], c->ok[WORK_READ],
                c->throttled, c->late, c->away);
}

static void feed_bucket(struct digest *d, const struct bucket *b)
{
    DIGEST_FEED(d, bits_of(b->level), bits_of(b->level_at_us), bits_of(b->last_start_us),
                b->ceiling);
}

static void feed_part(struct digest *d, const struct world *w, const struct part_row *p)
{
    DIGEST_FEED(d, p->first.high, p->first.low, p->last.high, p->last.low, bits_of(p->ready_us),
                bits_of(p->away_us), bits_of(p->moving_us), bits_of(p->frozen_us), p->bytes,
                p->records, p->read, p->taken, bits_of(p->own[0]), bits_of(p->own[1]), p->hot_s,
                p->turned_away, p->unbegun, p->number, p->parent[0], p->parent[1], p->state,
                p->copies, p->machine[0], p->machine[1], p->machine[2], p->target, p->behind,
                p->key, p->throttling, bits_of(p->paused_us), p->reader);
    for (uint32_t work = 0; work < WORK_KINDS; work++) {
        feed_bucket(d, &p->bucket[work]);
        DIGEST_FEED(d, bits_of(p->saved[work]), bits_of(p->used[work]),
                    bits_of(p->used_before[work]));
    }
    feed_bucket(d, &p->volume);
    feed_counts(d, &p->sum);
    feed_counts(d, &p->now);
    feed_counts(d, &p->second);
    for (uint64_t i = 0; i < p->taken && i < SYSTEM_RECENT; i++) {
        const struct recent_row *recent = system_recent_in(w, p);
        DIGEST_FEED(d, bits_of(recent->at_us[i]), recent->key[i]);
    }
}

static void feed_machine(struct digest *d, const struct world *w, const struct machine_row *m)
{
    for (uint32_t work = 0; work < WORK_KINDS; work++) {
        feed_bucket(d, &m->bucket[work]);
    }
    feed_counts(d, &m->now);
    feed_counts(d, &m->second);
    for (uint32_t i = m->begun; i != m->queued; i++) {
        uint32_t at = i % SYSTEM_WAITING;
        const struct waiting_row *waiting = system_waiting_in(w, m);
        DIGEST_FEED(d, waiting->start_us[at], waiting->part[at], waiting->key[at]);
    }
    DIGEST_FEED(d, m->queued, m->begun, m->hints, bits_of(m->joined_us), bits_of(m->busy_us),
                bits_of(m->died_us), bits_of(m->back_us), bits_of(m->leads_us), m->turned_away,
                m->copies_up, m->there, m->down, m->throttling);
}

static void feed_key(struct digest *d, const struct system_key_row *k)
{
    feed_counts(d, &k->sum);
    feed_counts(d, &k->now);
    feed_counts(d, &k->second);
    DIGEST_FEED(d, k->lost, k->disorder, k->low[WORK_WRITE], k->low[WORK_READ], k->high[WORK_WRITE],
                k->high[WORK_READ]);
}

static void feed_note(struct digest *d, const struct trace_record *t)
{
    DIGEST_FEED(d, bits_of(t->time_us), t->sequence, t->target, t->reason, bits_of(t->operand[0]),
                bits_of(t->operand[1]), bits_of(t->operand[2]));
}

static void feed_system(struct digest *d, const struct world *w, uint8_t system)
{
    const struct system_row *r = system_in(w, system);
    DIGEST_FEED(d, r->on, r->machines, r->parts_used, r->next_number, bits_of(r->began_us), r->lost,
                r->disorder, r->read, r->skipped, r->redirects, r->hints, r->splits, r->joins,
                r->moved, r->moved_bytes, r->leaders, bits_of(r->longest_us),
                bits_of(r->longest_now_us), r->turn, r->notes, r->members, bits_of(r->pause_us),
                r->pause_of, r->pause_count, r->order_told);
    feed_counts(d, &r->sum);
    feed_counts(d, &r->now);
    feed_counts(d, &r->second);
    for (uint32_t i = 0; i < 8; i++) {
        digest_u64(d, r->own[i]);
    }
    for (uint32_t i = 0; i < SYSTEM_SETTINGS; i++) {
        digest_u64(d, r->setting[i]);
    }
    digest_all(d, r->prng.s, 4);
    for (uint32_t i = 0; i < SYSTEM_MEMBERS_MAX; i++) {
        digest_u64(d, r->left[i]);
    }
    for (uint32_t i = 0; i < SYSTEM_MACHINES_MAX; i++) {
        DIGEST_FEED(d, r->machine[i].turn, r->machine[i].waiting_at);
    }
    for (uint32_t i = 0; i < r->machines; i++) {
        feed_machine(d, w, &r->machine[i]);
    }
    for (uint32_t i = 0; i < w->systems.keys; i++) {
        feed_key(d, &r->key[i]);
    }
    for (uint64_t i = 0; i < r->notes && i < SYSTEM_NOTES; i++) {
        feed_note(d, &r->note[i]);
    }
    if (r->order_told) {
        feed_note(d, &r->order);
    }
    for (uint16_t i = 0; i < system_parts_max(system) && r->part_at[i] != 0; i++) {
        const struct part_row *part = part_in_system(w, system, i);
        DIGEST_FEED(d, r->part_at[i], part->turn, part->recent_at, part->ring_at);
        if (part->state != PART_FREE) {
            feed_part(d, w, part);
        }
    }
}

void systems_feed(struct digest *d, const struct world *w)
{
    const struct systems_state *s = &w->systems;
    if (s->count == 0) {
        return;
    }
    DIGEST_FEED(d, w->config.systems_max, s->count, s->on, s->keys, s->turn, s->pool, s->ticking,
                s->series.rate, s->series.rest, s->series.bytes, s->series.turn, s->series.next);
    digest_bytes(d, s->series.name, s->series.length);
    for (uint32_t i = 0; i < s->keys; i++) {
        digest_bytes(d, system_tags_in(w)[i].text, system_tags_in(w)[i].length);
    }
    for (uint8_t system = 0; system < SYSTEMS; system++) {
        feed_system(d, w, system);
    }
    system_streams_feed(d, w);
}
