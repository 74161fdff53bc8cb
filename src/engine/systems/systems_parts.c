/*
 * systems_parts: parts are made, cut, joined, closed, and moved from machine to machine.
 *
 * A part has a place in the table and a number that nobody had before it. Where a system has
 * lineage (streams), a cut closes the part and opens two; elsewhere it goes on as its lower half.
 * Its leader is the first of its machines; where that one is down the part is away, and frozen: its
 * copies stay as they were when it died, until one of them leads.
 */
#include "engine/systems/systems_inside.h"

#include "base/check.h"

/* --- places --- */

static uint16_t place_in_state(const struct world *w, uint8_t system, enum system_part_state state)
{
    const struct system_row *row = system_in(w, system);
    uint16_t found = NO_PART;
    for (uint16_t i = 0; i < row->parts_used; i++) {
        const struct part_row *part = part_in_system(w, system, i);
        if (part->state == state &&
            (found == NO_PART || part->number < part_in_system(w, system, found)->number)) {
            found = i;
        }
    }
    return found;
}

static uint16_t free_place(struct world *w, uint8_t system)
{
    struct system_row *row = system_of(w, system);
    uint16_t place = place_in_state(w, system, PART_FREE);
    if (place == NO_PART && row->parts_used < system_parts_max(system)) {
        system_part_row(w, system, row->parts_used);
        return row->parts_used++;
    }
    return place != NO_PART ? place : place_in_state(w, system, PART_EXPIRED);
}

static uint32_t count_state(const struct world *w, uint8_t system, enum system_part_state state)
{
    uint32_t count = 0;
    for (uint16_t i = 0; i < system_in(w, system)->parts_used; i++) {
        count += part_in_system(w, system, i)->state == state;
    }
    return count;
}

uint32_t system_open_parts(const struct world *w, uint8_t system)
{
    return count_state(w, system, PART_OPEN);
}

bool system_part_room(const struct world *w, uint8_t system, uint32_t parts)
{
    const struct system_row *row = system_in(w, system);
    uint32_t unused = system_parts_max(system) - row->parts_used;
    if (row->next_number + parts > NO_PART) {
        return false;
    }
    return unused + count_state(w, system, PART_FREE) + count_state(w, system, PART_EXPIRED) >=
           parts;
}

bool system_part_named(const struct world *w, uint8_t system, uint32_t number, uint16_t *place,
                       struct err *err)
{
    const struct system_words *words = system_kind(system)->words;
    for (uint16_t i = 0; i < system_in(w, system)->parts_used; i++) {
        const struct part_row *part = part_in_system(w, system, i);
        if (part->state != PART_FREE && part->number == number) {
            *place = i;
            return part->state == PART_OPEN ||
                   err_set(err, "%s %u of %s is not open; name one that takes requests",
                           words->part, number, words->title);
        }
    }
    return err_set(err, "%s has no %s %u; the pictures show their numbers", words->title,
                   words->part, number);
}

bool system_part_served(const struct world *w, uint8_t system, uint16_t part, struct err *err)
{
    const struct part_row *p = part_in_system(w, system, part);
    bool away = p->frozen_us != 0 || p->away_us > w->now_us;
    return !away || err_set(err, "%s %u is away now; wait until it is served",
                            system_kind(system)->words->part, p->number);
}

/* --- a new one --- */

void system_part_turn(struct world *w, uint8_t system, uint16_t part)
{
    part_of_system(w, system, part)->turn++;
}

void system_part_goes_on(const struct world *w, uint8_t system, struct part_row *part)
{
    const struct machine_row *machine = system_in(w, system)->machine;
    part->behind = 0;
    for (uint32_t i = 0; i < part->copies; i++) {
        part->behind |= (uint8_t)(machine[part->machine[i]].down << i);
    }
}

void system_part_copies(struct world *w, uint8_t system, uint16_t part, uint32_t step)
{
    const struct system_kind *kind = system_kind(system);
    const struct system_row *row = system_in(w, system);
    struct part_row *p = part_of_system(w, system, part);
    uint32_t machines = row->machines;
    p->copies = 1;
    for (uint32_t i = 1; i < SYSTEM_COPIES; i++) {
        p->machine[i] = MACHINE_NONE;
    }
    /* The live ones first; of the dead only as many as it takes. */
    for (uint32_t dead = 0; dead < 2 && !kind->own_copies; dead++) {
        for (uint32_t i = 1; i < machines && p->copies < kind->copies; i++) {
            uint8_t at = (uint8_t)((p->machine[0] + i * step) % machines);
            bool taken = row->machine[at].down != (dead == 1);
            for (uint32_t j = 0; j < p->copies; j++) {
                taken = taken || p->machine[j] == at;
            }
            if (!taken) {
                p->machine[p->copies++] = at;
            }
        }
    }
    system_part_goes_on(w, system, p);
}

static uint32_t copy_at(const struct part_row *part, uint8_t machine)
{
    uint32_t at = 0;
    while (at < part->copies && part->machine[at] != machine) {
        at++;
    }
    return at;
}

/* The machine leads; where it had no copy it has the leader's. */
static void put_first(struct part_row *part, uint8_t machine)
{
    uint32_t at = copy_at(part, machine);
    if (at == part->copies) {
        part->machine[0] = machine;
        return;
    }
    uint8_t one = part->behind & 1;
    uint8_t other = part->behind >> at & 1;
    part->machine[at] = part->machine[0];
    part->machine[0] = machine;
    part->behind = (uint8_t)((part->behind & ~(1u | 1u << at)) | other | (unsigned)one << at);
}

static void settle(struct world *w, uint8_t system, struct part_row *part)
{
    const struct machine_row *machine = system_in(w, system)->machine;
    const struct machine_row *leader = machine + part->machine[0];
    if (leader->down && part->frozen_us == 0) {
        part->frozen_us = w->now_us;
        part->away_us = leader->leads_us;
    } else if (!leader->down && part->frozen_us != 0) {
        part->frozen_us = 0;
        part->away_us = 0;
        part->unbegun = 0;
        system_part_goes_on(w, system, part);
    }
}

void system_parts_settle(struct world *w, uint8_t system)
{
    for (uint16_t i = 0; i < system_in(w, system)->parts_used; i++) {
        struct part_row *part = part_of_system(w, system, i);
        if (system_part_lives(part) && !system_kind(system)->leaderless) {
            settle(w, system, part);
        }
    }
}

uint16_t system_part_new(struct world *w, uint8_t system, struct u128 first, struct u128 last,
                         uint8_t machine)
{
    const struct system_kind *kind = system_kind(system);
    struct system_row *row = system_of(w, system);
    uint16_t place = row->next_number < NO_PART ? free_place(w, system) : NO_PART;
    CHECK(machine < row->machines);
    if (place == NO_PART) {
        return NO_PART;
    }
    struct part_row *part = part_of_system(w, system, place);
    *part = (struct part_row){.first = first,
                              .last = last,
                              .turn = part->turn + 1,
                              .recent_at = part->recent_at,
                              .ring_at = part->ring_at,
                              .number = row->next_number++,
                              .parent = {NO_PART, NO_PART},
                              .state = PART_OPEN,
                              .machine = {machine, MACHINE_NONE, MACHINE_NONE},
                              .target = MACHINE_NONE,
                              .key = KEY_OTHER,
                              .reader = UINT8_MAX};
    for (uint32_t work = 0; work < WORK_KINDS && kind->part_limit; work++) {
        bucket_set(&part->bucket[work], w->now_us, kind->limit[work]);
    }
    system_part_copies(w, system, place, 1);
    for (uint32_t i = 1; i < part->copies && row->machine[part->machine[0]].down; i++) {
        if (!row->machine[part->machine[i]].down && !kind->leaderless) {
            put_first(part, part->machine[i]);
        }
    }
    if (!kind->leaderless) {
        settle(w, system, part);
    }
    return place;
}

void system_parts_deal(struct world *w, uint8_t system, uint32_t parts)
{
    struct kinesis_range range[SYSTEM_PARTS_MAX];
    CHECK(parts > 0 && parts <= SYSTEM_PARTS_MAX);
    kinesis_deal(range, parts);
    for (uint32_t i = 0; i < parts; i++) {
        struct u128 last = i + 1 < parts ? u128_before(range[i + 1].first) : U128_LAST;
        (void)system_part_new(w, system, range[i].first, last,
                              (uint8_t)(i % system_in(w, system)->machines));
    }
}

/* --- cut and joined --- */

/* A part of another has the other's machines, as they are. */
static void like_parent(struct part_row *child, const struct part_row *parent)
{
    for (uint32_t i = 0; i < SYSTEM_COPIES; i++) {
        child->machine[i] = parent->machine[i];
    }
    child->copies = parent->copies;
    child->behind = parent->behind;
    child->frozen_us = parent->frozen_us;
    child->away_us = parent->away_us;
}

/* By itself it would; by hand it is an error, and nothing has happened. */
static void note_full(struct world *w, uint8_t system, uint16_t part, enum systems_reason why)
{
    if (why != REASON_SYSTEMS_SPLIT_HAND) {
        system_note(w, system, part, REASON_SYSTEMS_OVERDUE, NO_SPLIT_FULL, 0, 0);
    }
}

uint16_t system_part_split(struct world *w, uint8_t system, uint16_t part, struct u128 at,
                           enum systems_reason why, int64_t load)
{
    struct part_row *lower = part_of_system(w, system, part);
    CHECK(u128_order(lower->first, at) < 0 && u128_order(at, lower->last) <= 0);
    uint16_t place = system_part_new(w, system, at, lower->last, lower->machine[0]);
    if (place == NO_PART) {
        note_full(w, system, part, why);
        return NO_PART;
    }
    struct part_row *upper = part_of_system(w, system, place);
    like_parent(upper, lower);
    lower->last = u128_before(at);
    upper->parent[0] = lower->number;
    upper->bytes = lower->bytes / 2;
    lower->bytes -= upper->bytes;
    lower->hot_s = 0;
    system_of(w, system)->splits++;
    system_note(w, system, part, why, lower->number, upper->number, load);
    return place;
}

void system_part_close(struct world *w, uint8_t system, uint16_t part)
{
    struct part_row *p = part_of_system(w, system, part);
    p->state = PART_CLOSED;
    p->target = MACHINE_NONE;
    p->ready_us = 0;
    p->moving_us = 0;
    system_note(w, system, part, REASON_SYSTEMS_CLOSED, (int64_t)p->records,
                (int64_t)(p->records - p->read), 0);
}

void system_part_expire(struct world *w, uint8_t system, uint16_t part)
{
    struct part_row *p = part_of_system(w, system, part);
    system_note(w, system, part, REASON_SYSTEMS_EXPIRED, (int64_t)p->records,
                (int64_t)(p->records - p->read), 0);
    if (system_is_stream(system)) {
        system_records_gone(w, system, part);
    }
    p->state = PART_EXPIRED;
    p->bytes = 0;
}

bool system_part_fork(struct world *w, uint8_t system, uint16_t part, struct u128 at,
                      enum systems_reason why, int64_t load)
{
    struct part_row *parent = part_of_system(w, system, part);
    CHECK(u128_order(parent->first, at) < 0 && u128_order(at, parent->last) <= 0);
    if (!system_part_room(w, system, 2)) {
        note_full(w, system, part, why);
        return false;
    }
    uint16_t low = system_part_new(w, system, parent->first, u128_before(at), parent->machine[0]);
    uint16_t high = system_part_new(w, system, at, parent->last, parent->machine[0]);
    struct part_row *child[2] = {part_of_system(w, system, low), part_of_system(w, system, high)};
    for (int i = 0; i < 2; i++) {
        like_parent(child[i], parent);
        child[i]->parent[0] = parent->number;
    }
    system_of(w, system)->splits++;
    system_note(w, system, part, why, child[0]->number, child[1]->number, load);
    system_part_close(w, system, part);
    return true;
}

/* What was taken lately by either stands in one list, by time. */
static void join_recent(struct world *w, struct part_row *to, struct part_row *from)
{
    const struct recent_row *theirs = system_recent_of(w, from);
    struct recent_row *out = system_recent_of(w, to);
    const struct recent_row mine = *out;
    uint64_t taken[2] = {to->taken, from->taken};
    uint64_t left[2] = {to->taken < SYSTEM_RECENT ? to->taken : SYSTEM_RECENT,
                        from->taken < SYSTEM_RECENT ? from->taken : SYSTEM_RECENT};
    to->taken += from->taken;
    uint64_t at = to->taken;
    for (uint32_t n = 0; n < SYSTEM_RECENT && left[0] + left[1] > 0; n++) {
        uint32_t place[2] = {(uint32_t)((taken[0] - 1) % SYSTEM_RECENT),
                             (uint32_t)((taken[1] - 1) % SYSTEM_RECENT)};
        bool later =
            left[1] > 0 && (left[0] == 0 || theirs->at_us[place[1]] > mine.at_us[place[0]]);
        const struct recent_row *row = later ? theirs : &mine;
        at--;
        out->at_us[at % SYSTEM_RECENT] = row->at_us[place[later]];
        out->key[at % SYSTEM_RECENT] = row->key[place[later]];
        taken[later]--;
        left[later]--;
    }
}

bool system_part_merge(struct world *w, uint8_t system, uint16_t a, uint16_t b, struct err *err)
{
    const struct system_words *words = system_kind(system)->words;
    bool upward =
        u128_order(part_in_system(w, system, a)->first, part_in_system(w, system, b)->first) < 0;
    uint16_t low = upward ? a : b;
    uint16_t high = upward ? b : a;
    struct part_row *lower = part_of_system(w, system, low);
    struct part_row *upper = part_of_system(w, system, high);
    uint16_t number[2] = {lower->number, upper->number};
    if (a == b || u128_order(u128_next(lower->last), upper->first) != 0) {
        return err_set(err, "%s %u and %u are no neighbours; name two that lie side by side",
                       words->parts, part_in_system(w, system, a)->number,
                       part_in_system(w, system, b)->number);
    }
    if (lower->target != MACHINE_NONE || upper->target != MACHINE_NONE) {
        return err_set(err, "one of the two is on its way to another %s; wait until it is there",
                       words->machine);
    }
    if (!system_part_served(w, system, low, err) || !system_part_served(w, system, high, err)) {
        return false;
    }
    uint16_t child = low;
    if (words->stream) {
        if (!system_part_room(w, system, 1)) {
            return err_set(err, "there is no room for another %s", words->part);
        }
        child = system_part_new(w, system, lower->first, upper->last, lower->machine[0]);
        struct part_row *p = part_of_system(w, system, child);
        like_parent(p, lower);
        p->parent[0] = number[0];
        p->parent[1] = number[1];
        system_part_close(w, system, low);
        system_part_close(w, system, high);
    } else {
        lower->last = upper->last;
        lower->bytes += upper->bytes;
        system_hand_waiting(w, system, high, low);
        join_recent(w, lower, upper);
        *upper = (struct part_row){
            .turn = upper->turn + 1, .recent_at = upper->recent_at, .ring_at = upper->ring_at};
    }
    system_of(w, system)->joins++;
    system_note(w, system, child, REASON_SYSTEMS_JOINED, number[0], number[1],
                part_in_system(w, system, child)->number);
    return true;
}

/* --- led and moved --- */

void system_forget_recent(struct world *w, struct part_row *part)
{
    for (uint32_t i = 0; i < SYSTEM_RECENT && part->taken > 0; i++) {
        system_recent_of(w, part)->at_us[i] = RECENT_SETTLED;
    }
}

void system_part_lead(struct world *w, uint8_t system, uint16_t part, uint8_t machine,
                      enum leader_why why)
{
    struct part_row *p = part_of_system(w, system, part);
    uint8_t before = p->machine[0];
    put_first(p, machine);
    if (why != LEADER_DIED) { /* it hands over what it has */
        system_hand_waiting(w, system, part, NO_PART);
        system_forget_recent(w, p);
    }
    settle(w, system, p);
    system_of(w, system)->leaders++;
    system_note(w, system, part, REASON_SYSTEMS_LEADER, before, machine, why);
}

int64_t system_copy_us(uint64_t bytes, uint32_t speed)
{
    if (speed == 0) {
        return 0;
    }
    return (int64_t)(bytes / speed * US_PER_SECOND + bytes % speed * US_PER_SECOND / speed);
}

void system_part_move(struct world *w, uint8_t system, uint16_t part, uint8_t machine)
{
    struct system_row *row = system_of(w, system);
    struct part_row *p = part_of_system(w, system, part);
    struct machine_row *from = row->machine + p->machine[0];
    struct machine_row *to = row->machine + machine;
    CHECK(p->target == MACHINE_NONE && machine != p->machine[0]);
    int64_t begin = w->now_us > from->busy_us ? w->now_us : from->busy_us;
    begin = begin > to->busy_us ? begin : to->busy_us;
    p->target = machine;
    p->moving_us = w->now_us;
    p->ready_us = begin + system_copy_us(p->bytes, system_kind(system)->move_bytes);
    from->busy_us = p->ready_us;
    to->busy_us = p->ready_us;
    system_note(w, system, part, REASON_SYSTEMS_MOVE_BEGINS, p->machine[0], machine,
                (int64_t)p->bytes);
    system_timer(w, system, part, TIMER_MOVED, p->ready_us);
}

void system_part_moved(struct world *w, uint8_t system, uint16_t part)
{
    const struct system_kind *kind = system_kind(system);
    struct system_row *row = system_of(w, system);
    struct part_row *p = part_of_system(w, system, part);
    if (p->target == MACHINE_NONE || p->ready_us != w->now_us) {
        return; /* it was given up */
    }
    uint8_t from = p->machine[0];
    uint8_t to = p->target;
    p->target = MACHINE_NONE;
    p->ready_us = 0;
    int64_t took_us = w->now_us - p->moving_us;
    p->moving_us = 0;
    put_first(p, to);
    system_hand_waiting(w, system, part, NO_PART);
    system_forget_recent(w, p);
    settle(w, system, p);
    row->moved++;
    row->moved_bytes += p->bytes;
    system_note(w, system, part, REASON_SYSTEMS_MOVED, from, to, took_us);
    if (kind->timer != NULL) {
        kind->timer(w, system, part, TIMER_MOVED);
        system_parts_settle(w, system);
    }
}
