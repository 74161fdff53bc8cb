/*
 * systems_apply: the commands of systems.h, each checked whole before anything changes.
 *
 * `on` and `off` are the same for all; other verbs are the system's own, or refused in its words.
 * With `all` each system that is on does what it can; what one refuses stands in the trace.
 */
#include "engine/systems/systems_inside.h"

#include "engine/apply.h"
#include <string.h>

#define EVENTS_NEEDED 64 /* a tick, a series, moves, elections */

/* --- on and off --- */

/* What was in the tables is gone; what timers are under way is void. */
static void clear(struct world *w, uint8_t system)
{
    struct system_row *row = system_of(w, system);
    uint32_t turn = row->turn + 1;
    struct machine_row kept[SYSTEM_MACHINES_MAX];
    uint16_t part_at[SYSTEM_PARTS_MAX];
    memcpy(kept, row->machine, sizeof kept);
    memcpy(part_at, row->part_at, sizeof part_at);
    memset(row, 0, sizeof *row);
    memcpy(row->part_at, part_at, sizeof part_at);
    row->turn = turn;
    for (uint32_t i = 0; i < SYSTEM_MACHINES_MAX; i++) {
        row->machine[i].turn = kept[i].turn;
        row->machine[i].waiting_at = kept[i].waiting_at;
    }
    for (uint16_t i = 0; i < system_parts_max(system) && part_at[i] != 0; i++) {
        struct part_row *part = part_of_system(w, system, i);
        *part = (struct part_row){
            .turn = part->turn, .recent_at = part->recent_at, .ring_at = part->ring_at};
    }
}

/* A copy of a world in which nothing was on yet has left its tables out. */
static void clear_all(struct world *w)
{
    memset(systems_of(w), 0, SYSTEMS * sizeof(struct system_row));
    memset(system_tags_of(w), 0, SYSTEM_KEYS_MAX * sizeof(struct system_tag));
    memset(system_unread_of(w), 0, SYSTEM_STREAMS * sizeof(struct stream_row));
}

static uint32_t parts_asked(uint8_t system, const struct command *c)
{
    return c->count > 0 ? c->count : system_kind(system)->parts;
}

static uint32_t machines_asked(uint8_t system, const struct command *c)
{
    return c->first > 0 ? c->first : system_kind(system)->machines;
}

static bool may_begin(uint8_t system, const struct command *c, struct err *err)
{
    const struct system_words *words = system_kind(system)->words;
    uint32_t machines = machines_asked(system, c);
    if (parts_asked(system, c) > system_parts_max(system)) {
        return err_set(err, "%u %s of %s are too many; the model has room for %u", c->count,
                       words->parts, words->title, system_parts_max(system));
    }
    if (machines > SYSTEM_MACHINES_MAX) {
        return err_set(err, "%u %s of %s are too many; the model has room for %d", machines,
                       words->machines, words->title, SYSTEM_MACHINES_MAX);
    }
    if (!system_kind(system)->own_copies && machines < system_kind(system)->acks_least) {
        return err_set(err, "%s keeps each write on %u %s before it tells a client; give it more",
                       words->title, system_kind(system)->acks_least, words->machines);
    }
    return true;
}

static void begin(struct world *w, uint8_t system, const struct command *c)
{
    const struct system_kind *kind = system_kind(system);
    if (w->systems.count++ == 0) {
        clear_all(w);
    }
    clear(w, system);
    struct system_row *row = system_of(w, system);
    row->on = true;
    row->began_us = w->now_us;
    row->prng = prng_seeded(w->config.seed, kind->words->name);
    for (uint32_t i = 0; i < SYSTEM_SETTINGS && system_setting(system, i) != NULL; i++) {
        row->setting[i] = system_setting(system, i)->initial;
    }
    for (uint32_t i = 0; i < machines_asked(system, c); i++) {
        (void)system_machine_new(w, system);
    }
    if (system_is_stream(system)) {
        system_stream_begin(w, system);
    }
    w->systems.on |= 1u << system;
    (kind->start != NULL ? kind->start : system_parts_deal)(w, system, parts_asked(system, c));
    system_note(w, system, NO_PART, REASON_SYSTEMS_ON, system_open_parts(w, system), row->machines,
                0);
    systems_tick_begin(w);
}

static void end(struct world *w, uint8_t system)
{
    system_note(w, system, NO_PART, REASON_SYSTEMS_OFF, 0, 0, 0);
    system_of(w, system)->on = false;
    system_of(w, system)->turn++;
    w->systems.on &= ~(1u << system);
    if (w->systems.on == 0) { /* nobody is there to be asked */
        w->systems.ticking = false;
        w->systems.turn++;
        w->systems.series.rate = 0;
        w->systems.series.turn++;
    }
}

/* --- the other verbs --- */

static bool refuse(uint8_t system, uint8_t verb, struct err *err)
{
    const char *words = system_kind(system)->refuses[verb];
    return words != NULL ? err_set(err, "%s", words)
                         : err_set(err, "%s does not do this", system_kind(system)->words->title);
}

static bool one(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    const struct system_kind *kind = system_kind(system);
    bool on = (w->systems.on >> system & 1) != 0;
    if (c->mode == SYSTEM_VERB_ON) {
        if (!may_begin(system, c, err)) {
            return false;
        }
        begin(w, system, c);
        return true;
    }
    if (!on) {
        return err_set(err, "%s is off; first: system %s on", kind->words->title,
                       kind->words->name);
    }
    if (c->mode == SYSTEM_VERB_OFF) {
        end(w, system);
        return true;
    }
    return kind->verb[c->mode] != NULL ? kind->verb[c->mode](w, system, c, err)
                                       : refuse(system, c->mode, err);
}

static bool all(struct world *w, const struct command *c, struct err *err)
{
    struct err first = {{0}};
    uint32_t wanted = c->mode == SYSTEM_VERB_ON ? (1u << SYSTEMS) - 1 : w->systems.on;
    uint32_t did = 0;
    uint32_t refused = 0;
    int count = 0;
    if (wanted == 0) {
        return err_set(err, "no system is on; first: system all on");
    }
    for (uint8_t system = 0; system < SYSTEMS; system++) {
        struct err why = {{0}};
        if ((wanted >> system & 1) == 0) {
            continue;
        }
        if (one(w, system, c, &why)) {
            did |= 1u << system;
        } else {
            first = refused == 0 ? why : first;
            refused |= 1u << system;
            count++;
        }
    }
    if (did == 0 && count > 1) {
        return err_set(err, "all %d systems refuse; the first: %s", count, first.text);
    }
    if (did == 0) {
        return err_set(err, "%s", first.text);
    }
    for (uint8_t system = 0; system < SYSTEMS; system++) {
        if ((refused >> system & 1) == 0) {
            continue;
        }
        if (c->mode == SYSTEM_VERB_GROW) {
            system_note(w, system, NO_PART, REASON_SYSTEMS_NO_MACHINES, 0, 0, 0);
        } else {
            system_note(w, system, NO_PART, REASON_SYSTEMS_OVERDUE, NO_SPLIT_HAND, c->mode + 1, 0);
        }
    }
    return true;
}

/* Those that `all on` leaves off, said in its record. */
static uint32_t stay_off(const struct world *w, const struct command *c)
{
    uint32_t off = 0;
    for (uint8_t system = 0; system < SYSTEMS && c->pick == SYSTEM_ALL; system++) {
        off += c->mode == SYSTEM_VERB_ON && (w->systems.on >> system & 1) == 0 &&
               !may_begin(system, c, NULL);
    }
    return off;
}

static void note_command(struct world *w, const struct command *c, int64_t a, int64_t b)
{
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SYSTEM, c->pick), a, b);
}

bool systems_apply_system(struct world *w, const struct command *c, struct err *err)
{
    if (c->mode >= SYSTEM_VERBS || (c->pick >= SYSTEMS && c->pick != SYSTEM_ALL)) {
        return err_set(err, "there is no such system, or it has no such command; see :help");
    }
    if (!apply_event_room(w, EVENTS_NEEDED, err)) {
        return false;
    }
    /* Its record comes before those of what it does; it goes again when nothing was done. */
    struct trace_record *at = trace_of(w) + (w->trace_next & (w->config.trace_max - 1));
    struct trace_record old = *at;
    note_command(w, c, c->pick + 256 * (int64_t)c->mode + 65536 * (int64_t)stay_off(w, c),
                 c->count + (int64_t)c->first * (1 << 16));
    bool done = c->pick == SYSTEM_ALL ? all(w, c, err) : one(w, c->pick, c, err);
    if (!done) {
        *at = old;
        w->trace_next--;
    }
    return done;
}

bool system_verb_set(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    struct system_row *row = system_of(w, system);
    uint32_t setting;
    uint32_t to;
    if (!system_setting_read(system, (struct bytes){.at = c->key, .length = c->key_length},
                             (struct bytes){.at = c->other, .length = c->other_length}, &setting,
                             &to, err)) {
        return false;
    }
    uint32_t before = row->setting[setting];
    row->setting[setting] = to;
    system_note(w, system, NO_PART, REASON_SYSTEMS_SETTING, setting, to, before);
    if (to != before && system_kind(system)->changed != NULL) {
        system_kind(system)->changed(w, system, setting, before);
    }
    return true;
}

/* --- the series --- */

bool systems_apply_series(struct world *w, const struct command *c, struct err *err)
{
    if (c->key_length == 0 || c->key_length > SERIES_NAME_MAX) {
        return err_set(err,
                       "the name of a series has 1 to %d letters, so that a key has at most 16",
                       SERIES_NAME_MAX);
    }
    if (c->rate > SERIES_RATE_MAX) {
        return err_set(err, "a series has at most %u writes a second, not %u", SERIES_RATE_MAX,
                       c->rate);
    }
    if (c->amount > SERIES_BYTES_MAX) {
        return err_set(err, "a write of a series has at most %u bytes", SERIES_BYTES_MAX);
    }
    if (w->systems.on == 0 && c->rate > 0) {
        return err_set(err, "no system is on to take it; first: system kinesis on");
    }
    if (!apply_event_room(w, 1, err)) {
        return false;
    }
    bool same = w->systems.series.length == c->key_length &&
                memcmp(w->systems.series.name, c->key, c->key_length) == 0;
    note_command(w, c, c->rate, (int64_t)c->amount);
    w->systems.series.turn++;
    w->systems.series.rate = c->rate;
    w->systems.series.rest = 0;
    w->systems.series.bytes = c->amount > 0 ? (uint32_t)c->amount : SERIES_BYTES;
    w->systems.series.length = c->key_length;
    memset(w->systems.series.name, 0, sizeof w->systems.series.name);
    memcpy(w->systems.series.name, c->key, c->key_length);
    w->systems.series.next = same && w->systems.series.next > 0 ? w->systems.series.next : 1;
    if (c->rate > 0) {
        systems_series_next(w, w->now_us);
    }
    return true;
}

bool systems_apply(struct world *w, const struct command *c, struct err *err)
{
    if (w->config.systems_max == 0) {
        return err_set(err, "this world has no room for systems that people run");
    }
    return c->kind == COMMAND_SYSTEM ? systems_apply_system(w, c, err)
                                     : systems_apply_series(w, c, err);
}
