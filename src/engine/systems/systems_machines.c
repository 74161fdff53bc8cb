/*
 * systems_machines: machines join, die and come back, and what is lost when they die.
 *
 * Copies are played by times. Of a write that a leader took at t, copy i has it at t + i * lag, or
 * when it came back, if that was later. The client was told when as many copies had it as the
 * system's rule says. When a leader dies its parts are frozen: what each copy has by then is all
 * that it will have. After failover_us the first live copy that has all (was not down while others
 * went on) leads; what the clients were told and it has not is lost, and counted then, write by
 * write. A leader that is back before has everything, and leads on. What was in the leader's queue,
 * not begun, nobody was told of.
 *
 * A machine that is back gets at once what was written meanwhile. With own_copies a machine stands
 * for a set of copies: one that dies is the set's leader, and the next of the set takes over.
 */
#include "engine/systems/systems_inside.h"

#define NEVER INT64_MAX

uint8_t system_machine_new(struct world *w, uint8_t system)
{
    const struct system_kind *kind = system_kind(system);
    struct system_row *row = system_of(w, system);
    if (row->machines == SYSTEM_MACHINES_MAX) {
        return MACHINE_NONE;
    }
    struct machine_row *m = row->machine + row->machines;
    *m = (struct machine_row){.waiting_at = m->waiting_at,
                              .there = true,
                              .joined_us = w->now_us,
                              .copies_up = kind->copies,
                              .turn = m->turn + 1};
    for (uint32_t work = 0; work < WORK_KINDS && !kind->part_limit; work++) {
        bucket_set(&m->bucket[work], w->now_us, kind->limit[work]);
    }
    return row->machines++;
}

bool system_machine_named(const struct world *w, uint8_t system, uint32_t machine, bool up,
                          struct err *err)
{
    const struct system_words *words = system_kind(system)->words;
    const struct system_row *row = system_in(w, system);
    if (machine >= row->machines) {
        return err_set(err, "%s has no %s %u; it has 0 to %u", words->title, words->machine,
                       machine, row->machines - 1u);
    }
    if (row->machine[machine].down == up) {
        return err_set(err, "%s %u of %s is %s", words->machine, machine, words->title,
                       up ? "down" : "up already");
    }
    return true;
}

uint32_t system_machine_leads(const struct world *w, uint8_t system, uint8_t machine)
{
    uint32_t leads = 0;
    for (uint16_t i = 0; i < system_in(w, system)->parts_used; i++) {
        const struct part_row *part = part_in_system(w, system, i);
        leads += part->state == PART_OPEN && part->machine[0] == machine;
    }
    return leads;
}

static bool keeps(const struct part_row *part, uint8_t machine)
{
    bool found = false;
    for (uint32_t i = 0; i < part->copies; i++) {
        found = found || part->machine[i] == machine;
    }
    return found;
}

uint64_t system_machine_bytes(const struct world *w, uint8_t system, uint8_t machine)
{
    uint64_t bytes = 0;
    bool elsewhere = system_kind(system)->words->files_elsewhere;
    for (uint16_t i = 0; i < system_in(w, system)->parts_used; i++) {
        const struct part_row *part = part_in_system(w, system, i);
        bool its = elsewhere ? part->machine[0] == machine : keeps(part, machine);
        bytes += system_part_lives(part) && its ? part->bytes : 0;
    }
    return bytes;
}

static uint64_t weight(const struct world *w, uint8_t system, uint8_t machine, bool by_load)
{
    return by_load ? counts_asked(&system_in(w, system)->machine[machine].second)
                   : system_machine_leads(w, system, machine);
}

static uint8_t extreme(const struct world *w, uint8_t system, bool by_load, bool most)
{
    const struct system_row *row = system_in(w, system);
    uint8_t best = MACHINE_NONE;
    uint64_t of_best = 0;
    for (uint8_t m = 0; m < row->machines; m++) {
        if (row->machine[m].down) {
            continue;
        }
        uint64_t its = weight(w, system, m, by_load);
        if (best == MACHINE_NONE || (most ? its > of_best : its < of_best)) {
            best = m;
            of_best = its;
        }
    }
    return best;
}

uint8_t system_machine_least(const struct world *w, uint8_t system, bool by_load)
{
    return extreme(w, system, by_load, false);
}

uint8_t system_machine_most(const struct world *w, uint8_t system, bool by_load)
{
    return extreme(w, system, by_load, true);
}

uint32_t system_copies_up(const struct world *w, uint8_t system, const struct part_row *part)
{
    const struct system_row *row = system_in(w, system);
    if (system_kind(system)->own_copies) {
        return row->machine[part->machine[0]].copies_up;
    }
    uint32_t up = 0;
    for (uint32_t i = 0; i < part->copies; i++) {
        up += !row->machine[part->machine[i]].down;
    }
    return up;
}

uint8_t system_acks(const struct world *w, uint8_t system)
{
    const struct system_kind *kind = system_kind(system);
    return kind->acks_now != NULL ? kind->acks_now(w, system) : kind->acks;
}

/* --- what is lost --- */

struct tally {
    uint64_t lost, on_way, untold;
    uint32_t parts;
};

/* When copy i had a write that was taken at t; NEVER: it was down then, and nobody led when it came
 * back. */
static int64_t arrives(const struct world *w, uint8_t system, const struct part_row *part,
                       uint32_t i, int64_t t)
{
    const struct system_kind *kind = system_kind(system);
    int64_t at = t + (int64_t)i * kind->lag_us;
    if (kind->own_copies) { /* the set's, which are no machines */
        return at;
    }
    const struct machine_row *m = system_in(w, system)->machine + part->machine[i];
    if (at <= m->died_us || (!m->down && t > m->back_us)) {
        return at;
    }
    return m->down || m->back_us == 0 || m->back_us > part->frozen_us ? NEVER : m->back_us;
}

/* When the client was told: as many copies have it as there have to be, of those that live. */
static int64_t told(const struct world *w, uint8_t system, const struct part_row *part,
                    uint32_t copies, int64_t t)
{
    int64_t at[SYSTEM_COPIES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < copies; i++) {
        int64_t its = i == 0 ? t : arrives(w, system, part, i, t);
        uint32_t j = count;
        if (its == NEVER) {
            continue;
        }
        for (count++; j > 0 && at[j - 1] > its; j--) {
            at[j] = at[j - 1];
        }
        at[j] = its;
    }
    uint32_t acks = system_acks(w, system);
    acks = acks < count ? acks : count;
    return acks == 0 ? t : at[acks - 1];
}

/* Copy `next` goes on with what it had when the leader died. */
static void count_lost(struct world *w, uint8_t system, uint16_t place, uint32_t next,
                       struct tally *tally)
{
    struct system_row *row = system_of(w, system);
    struct part_row *part = part_of_system(w, system, place);
    uint64_t gone = part->unbegun;
    bool own = system_kind(system)->own_copies;
    uint32_t copies = own ? row->machine[part->machine[0]].copies_up + 1u : part->copies;
    uint32_t known = part->taken < SYSTEM_RECENT ? (uint32_t)part->taken : SYSTEM_RECENT;
    tally->parts++;
    tally->untold += part->unbegun;
    part->unbegun = 0;
    for (uint32_t i = 0; i < known; i++) {
        struct recent_row *recent = system_recent_of(w, part);
        int64_t t = recent->at_us[i];
        if (t == RECENT_SETTLED) {
            continue;
        }
        bool has = arrives(w, system, part, next, t) <= part->frozen_us;
        bool was_told = told(w, system, part, copies, t) <= part->frozen_us;
        recent->at_us[i] = RECENT_SETTLED;
        tally->on_way += t + (int64_t)(copies - 1) * system_kind(system)->lag_us > part->frozen_us;
        tally->untold += !was_told;
        gone += !has;
        if (was_told && !has) {
            tally->lost++;
            row->lost++;
            if (recent->key[i] != KEY_OTHER) {
                row->key[recent->key[i]].lost++;
            }
        }
    }
    if (system_is_stream(system)) {
        system_records_cut(w, system, place, gone);
    }
}

static void tell_lost(struct world *w, uint8_t system, uint8_t machine, const struct tally *tally)
{
    if (tally->parts == 0) {
        return;
    }
    if (tally->lost > 0) {
        system_note(w, system, NO_PART, REASON_SYSTEMS_LOST, (int64_t)tally->lost, machine, 0);
    } else {
        system_note(w, system, NO_PART, REASON_SYSTEMS_KEPT, (int64_t)tally->on_way, machine,
                    (int64_t)tally->untold);
    }
}

/* --- who leads next --- */

/* The first copy that lives and has all; the part's copies: nobody. */
static uint32_t next_leader(const struct world *w, uint8_t system, const struct part_row *part)
{
    const struct system_row *row = system_in(w, system);
    if (system_copies_up(w, system, part) < system_kind(system)->elects) {
        return part->copies;
    }
    uint32_t i = 0;
    while (i < part->copies &&
           (row->machine[part->machine[i]].down || (part->behind >> i & 1) != 0)) {
        i++;
    }
    return i;
}

static void take_over(struct world *w, uint8_t system, uint16_t place, uint32_t next,
                      struct tally *tally)
{
    struct part_row *part = part_of_system(w, system, place);
    count_lost(w, system, place, next, tally);
    system_part_goes_on(w, system, part);
    system_part_lead(w, system, place, part->machine[next], LEADER_DIED);
}

/* The next of its set leads: all its parts are there again. */
static void set_leads(struct world *w, uint8_t system, uint8_t machine)
{
    struct system_row *row = system_of(w, system);
    struct machine_row *m = row->machine + machine;
    struct tally tally = {0};
    bool elected = m->copies_up > 0 && m->copies_up >= system_kind(system)->elects;
    m->leads_us = elected ? 0 : AWAY_EVER;
    for (uint16_t i = 0; i < row->parts_used; i++) {
        struct part_row *part = part_of_system(w, system, i);
        if (!system_part_lives(part) || part->machine[0] != machine) {
            continue;
        }
        part->away_us = AWAY_EVER;
        if (elected) {
            count_lost(w, system, i, 1, &tally);
        }
    }
    if (!elected) {
        return;
    }
    m->down = false;
    row->leaders++;
    system_note(w, system, NO_PART, REASON_SYSTEMS_LEADER, machine, machine, LEADER_DIED);
    system_parts_settle(w, system);
    tell_lost(w, system, machine, &tally);
}

/* Its parts that are still without a leader get one, those that can. */
static void others_lead(struct world *w, uint8_t system, uint8_t machine)
{
    struct system_row *row = system_of(w, system);
    struct tally tally = {0};
    row->machine[machine].leads_us = AWAY_EVER;
    for (uint16_t i = 0; i < row->parts_used; i++) {
        struct part_row *part = part_of_system(w, system, i);
        if (!system_part_lives(part) || part->frozen_us == 0 || part->machine[0] != machine) {
            continue;
        }
        uint32_t next = next_leader(w, system, part);
        if (next < part->copies) {
            take_over(w, system, i, next, &tally);
        } else {
            part->away_us = AWAY_EVER;
        }
    }
    tell_lost(w, system, machine, &tally);
}

void system_machine_leads_again(struct world *w, uint8_t system, uint8_t machine)
{
    if (system_kind(system)->own_copies) {
        set_leads(w, system, machine);
    } else {
        others_lead(w, system, machine);
    }
}

/* --- it dies --- */

/* It is busy with the moves that are left. */
static void free_again(struct world *w, uint8_t system, uint8_t machine)
{
    struct system_row *row = system_of(w, system);
    int64_t busy_us = 0;
    for (uint16_t i = 0; i < row->parts_used; i++) {
        const struct part_row *part = part_in_system(w, system, i);
        bool ends = part->machine[0] == machine || part->target == machine;
        if (part->target != MACHINE_NONE && part->moving_us != 0 && ends) {
            busy_us = part->ready_us > busy_us ? part->ready_us : busy_us;
        }
    }
    row->machine[machine].busy_us = busy_us;
}

/* What is on its way to it or from it does not arrive. */
static void give_up_moves(struct world *w, uint8_t system, uint8_t machine)
{
    struct system_row *row = system_of(w, system);
    for (uint16_t i = 0; i < row->parts_used; i++) {
        struct part_row *part = part_of_system(w, system, i);
        if (part->state == PART_OPEN && part->target != MACHINE_NONE && part->moving_us != 0 &&
            (part->target == machine || part->machine[0] == machine)) {
            uint8_t other = part->target == machine ? part->machine[0] : part->target;
            part->target = MACHINE_NONE;
            part->ready_us = 0;
            part->moving_us = 0;
            free_again(w, system, other);
        }
    }
    row->machine[machine].busy_us = 0;
}

/* What waits for it will not be begun. */
static void forget_waiting(struct world *w, uint8_t system, uint8_t machine)
{
    struct machine_row *m = system_of(w, system)->machine + machine;
    system_begin_waiting(w, system, machine);
    for (; m->begun != m->queued; m->begun++) {
        uint8_t part = system_waiting_in(w, m)->part[m->begun % SYSTEM_WAITING];
        if (part != UINT8_MAX && part_in_system(w, system, part)->machine[0] == machine) {
            part_of_system(w, system, part)->unbegun++;
        }
    }
    for (uint32_t work = 0; work < WORK_KINDS; work++) {
        struct bucket *b = &m->bucket[work];
        bucket_fill(b, w->now_us);
        b->level = b->level > 0 ? b->level : 0;
        b->last_start_us = w->now_us;
    }
}

static void dies(struct world *w, uint8_t system, uint8_t machine)
{
    const struct system_kind *kind = system_kind(system);
    struct system_row *row = system_of(w, system);
    struct machine_row *m = row->machine + machine;
    uint32_t kept = 0;
    for (uint16_t i = 0; i < row->parts_used; i++) {
        struct part_row *part = part_of_system(w, system, i);
        if (!system_part_lives(part) || !keeps(part, machine)) {
            continue;
        }
        kept += part->state == PART_OPEN && part->machine[0] != machine;
        for (uint32_t c = 1; c < part->copies; c++) {
            if (part->machine[c] == machine && part->frozen_us == 0) {
                part->behind |= (uint8_t)(1u << c); /* the others go on */
            }
        }
    }
    forget_waiting(w, system, machine);
    system_note(w, system, NO_PART, REASON_SYSTEMS_DIED, machine,
                system_machine_leads(w, system, machine), kept);
    m->down = true;
    m->died_us = w->now_us;
    m->turn++;
    m->copies_up -= kind->own_copies;
    if (!kind->leaderless) {
        m->leads_us = w->now_us + kind->failover_us;
        system_machine_timer(w, system, machine, m->leads_us);
        system_parts_settle(w, system);
    }
    give_up_moves(w, system, machine);
    if (kind->lost != NULL) {
        kind->lost(w, system, machine);
        system_parts_settle(w, system);
    }
}

bool system_verb_down(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    if (!system_machine_named(w, system, c->count, true, err)) {
        return false;
    }
    dies(w, system, (uint8_t)c->count);
    return true;
}

/* --- it is back --- */

/* It has what was written meanwhile, where somebody goes on; it may be who was waited for. */
static void catches_up(struct world *w, uint8_t system, uint8_t machine)
{
    struct system_row *row = system_of(w, system);
    for (uint16_t i = 0; i < row->parts_used; i++) {
        struct part_row *part = part_of_system(w, system, i);
        for (uint32_t c = 0; c < part->copies; c++) {
            if (system_part_lives(part) && part->machine[c] == machine && part->frozen_us == 0) {
                part->behind &= (uint8_t) ~(1u << c);
            }
        }
    }
    for (uint8_t m = 0; m < row->machines && !system_kind(system)->leaderless; m++) {
        if (row->machine[m].down && row->machine[m].leads_us == AWAY_EVER) {
            others_lead(w, system, m);
        }
    }
}

static void back(struct world *w, uint8_t system, uint8_t machine)
{
    const struct system_kind *kind = system_kind(system);
    struct machine_row *m = system_of(w, system)->machine + machine;
    m->turn++;
    m->leads_us = 0;
    m->back_us = w->now_us;
    m->copies_up += kind->own_copies;
    m->down = m->down && kind->own_copies && m->copies_up < kind->elects;
    m->leads_us = m->down ? AWAY_EVER : 0;
    system_note(w, system, NO_PART, REASON_SYSTEMS_BACK, machine, (int64_t)m->hints, 0);
    system_parts_settle(w, system);
    if (!kind->own_copies) {
        catches_up(w, system, machine);
    }
    if (kind->back != NULL) {
        kind->back(w, system, machine);
        system_parts_settle(w, system);
    }
}

bool system_verb_up(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    const struct system_kind *kind = system_kind(system);
    const struct system_row *row = system_in(w, system);
    bool set = kind->own_copies && c->count < row->machines &&
               row->machine[c->count].copies_up < kind->copies;
    if (!set && !system_machine_named(w, system, c->count, false, err)) {
        return false;
    }
    back(w, system, (uint8_t)c->count);
    return true;
}
