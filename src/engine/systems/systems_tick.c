/*
 * systems_tick: what happens at a time: ticks and whole seconds, timers of parts and machines, the
 * writes of a series; and the records of all of it.
 *
 * An event of JOB_SYSTEM carries what it is and which system's in its value, the part or machine as
 * its node, and the turn in which it was asked for; what belongs to an older turn is void.
 */
#include "engine/systems/systems_inside.h"

#include "base/check.h"
#include "engine/queue.h"
#include <stdio.h>
#include <string.h>

#define KIND_BITS 8 /* of an event's value: the system; above: what */

/* --- rows of the pool --- */

static void *pool_at(struct world *w, uint16_t at)
{
    CHECK(at > 0);
    return system_pool_of(w) + (at - 1);
}

static const void *pool_in(const struct world *w, uint16_t at)
{
    CHECK(at > 0);
    return system_pool_in(w) + (at - 1);
}

static void give(struct world *w, uint16_t *at, size_t units)
{
    if (*at == 0) {
        CHECK(w->systems.pool + units <= SYSTEM_POOL);
        *at = (uint16_t)(w->systems.pool + 1);
        w->systems.pool += (uint32_t)units;
    }
}

void system_part_row(struct world *w, uint8_t system, uint16_t place)
{
    uint16_t *at = &system_of(w, system)->part_at[place];
    if (*at == 0) {
        give(w, at, POOL_UNITS(struct part_row));
        memset(pool_at(w, *at), 0, sizeof(struct part_row));
    }
}

struct recent_row *system_recent_of(struct world *w, struct part_row *part)
{
    give(w, &part->recent_at, POOL_UNITS(struct recent_row));
    return pool_at(w, part->recent_at);
}

const struct recent_row *system_recent_in(const struct world *w, const struct part_row *part)
{
    return pool_in(w, part->recent_at);
}

struct waiting_row *system_waiting_of(struct world *w, struct machine_row *machine)
{
    give(w, &machine->waiting_at, POOL_UNITS(struct waiting_row));
    return pool_at(w, machine->waiting_at);
}

const struct waiting_row *system_waiting_in(const struct world *w,
                                            const struct machine_row *machine)
{
    return pool_in(w, machine->waiting_at);
}

struct ring_row *system_ring_of(struct world *w, struct part_row *part)
{
    give(w, &part->ring_at, POOL_UNITS(struct ring_row));
    return pool_at(w, part->ring_at);
}

const struct ring_row *system_ring_in(const struct world *w, const struct part_row *part)
{
    return pool_in(w, part->ring_at);
}

/* --- records --- */

static void note(struct world *w, uint8_t system, uint16_t target, enum systems_reason reason,
                 const int64_t operand[3])
{
    struct system_row *row = system_of(w, system);
    struct trace_record *t = trace_add(w, TRACE_SYSTEM);
    t->key = KEY_NONE_ID;
    t->from = node_of(NODE_SYSTEM, system);
    t->reason = (uint16_t)reason;
    t->target = target;
    memcpy(t->operand, operand, sizeof t->operand);
    row->note[row->notes++ % SYSTEM_NOTES] = *t;
    if (reason == REASON_SYSTEMS_ORDER) {
        row->order = *t;
    }
}

void system_note(struct world *w, uint8_t system, uint16_t part, enum systems_reason reason,
                 int64_t a, int64_t b, int64_t c)
{
    uint16_t number = part == NO_PART ? NO_PART : part_in_system(w, system, part)->number;
    note(w, system, number, reason, (const int64_t[]){a, b, c});
}

void system_note_machine(struct world *w, uint8_t system, uint8_t machine,
                         enum systems_reason reason, int64_t a, int64_t b, int64_t c)
{
    note(w, system, machine, reason, (const int64_t[]){a, b, c});
}

/* --- timers --- */

static void timer(struct world *w, int64_t at_us, uint32_t turn, uint16_t node, uint64_t value)
{
    struct event *event = queue_at(w, at_us > w->now_us ? at_us : w->now_us, EVENT_JOB);
    event->detail = JOB_SYSTEM;
    event->request = turn;
    event->node = node;
    event->carries.value = value;
}

void system_timer(struct world *w, uint8_t system, uint16_t part, uint32_t what, int64_t at_us)
{
    uint32_t turn =
        part == NO_PART ? system_in(w, system)->turn : part_in_system(w, system, part)->turn;
    timer(w, at_us, turn, part, (uint64_t)what << KIND_BITS | system);
}

void system_machine_timer(struct world *w, uint8_t system, uint8_t machine, int64_t at_us)
{
    timer(w, at_us, system_in(w, system)->machine[machine].turn, machine,
          (uint64_t)TIMER_LEADS << KIND_BITS | system);
}

static void of_part(struct world *w, uint8_t system, uint16_t part, uint32_t what, uint32_t turn)
{
    uint32_t now =
        part == NO_PART ? system_in(w, system)->turn : part_in_system(w, system, part)->turn;
    if (turn != now) {
        return;
    }
    if (what == TIMER_MOVED) {
        system_part_moved(w, system, part);
        return;
    }
    if (system_kind(system)->timer != NULL) {
        system_kind(system)->timer(w, system, part, what);
        system_parts_settle(w, system);
    }
}

/* --- ticks --- */

void systems_tick_begin(struct world *w)
{
    struct systems_state *s = &w->systems;
    if (!s->ticking) {
        s->ticking = true;
        timer(w, (w->now_us / SYSTEM_TICK_US + 1) * SYSTEM_TICK_US, s->turn, 0,
              (uint64_t)TIMER_TICK << KIND_BITS);
    }
}

static void tick(struct world *w)
{
    bool second = w->now_us % US_PER_SECOND == 0;
    w->systems.ticking = false;
    for (uint8_t system = 0; system < SYSTEMS; system++) {
        if ((w->systems.on >> system & 1) == 0) {
            continue;
        }
        if (second) {
            system_second(w, system);
        }
        if (system_is_stream(system)) {
            system_read(w, system);
        }
    }
    systems_tick_begin(w);
}

/* --- the series --- */

void systems_series_next(struct world *w, int64_t from_us)
{
    uint32_t rate = w->systems.series.rate;
    uint32_t rest = w->systems.series.rest + (uint32_t)US_PER_SECOND % rate;
    int64_t at_us = from_us + US_PER_SECOND / rate + rest / rate;
    w->systems.series.rest = rest % rate;
    timer(w, at_us, w->systems.series.turn, 0, (uint64_t)TIMER_SERIES << KIND_BITS);
}

static void series(struct world *w)
{
    char key[SERIES_NAME_MAX + 24];
    int length = snprintf(key, sizeof key, "%.*s%09llu", w->systems.series.length,
                          w->systems.series.name, (unsigned long long)w->systems.series.next++);
    systems_ask_all(w, &(struct system_ask){.work = WORK_WRITE,
                                            .key = KEY_OTHER,
                                            .bytes = w->systems.series.bytes,
                                            .text = {.at = key, .length = (size_t)length},
                                            .part = NO_PART});
    systems_series_next(w, w->now_us);
}

void systems_handle(struct world *w, const struct event *event)
{
    uint8_t system = (uint8_t)event->carries.value;
    uint32_t what = (uint32_t)(event->carries.value >> KIND_BITS);
    if (what == TIMER_TICK) {
        if (event->request == w->systems.turn) {
            tick(w);
        }
    } else if (what == TIMER_SERIES) {
        if (event->request == w->systems.series.turn) {
            series(w);
        }
    } else if ((w->systems.on >> system & 1) == 0) {
        return;
    } else if (what == TIMER_LEADS) {
        uint8_t machine = (uint8_t)event->node;
        if (event->request == system_in(w, system)->machine[machine].turn) {
            system_machine_leads_again(w, system, machine);
        }
    } else {
        of_part(w, system, event->node, what, event->request);
    }
}
