/*
 * managed: see managed.h; which system, loads and notes.
 */
#include "view/managed.h"

#include <string.h>

uint64_t managed_asked(const struct system_counts *c)
{
    return c->asked[0] + c->asked[1];
}

void managed_open_id(struct managed *out, const struct scene *s, enum system_id id)
{
    out->w = s->world;
    out->asking = view_question_open(s);
    out->named = true;
    out->id = id;
    out->words = system_words(id);
    out->parts = 0;
    out->on = s->world != NULL && world_has_systems(s->world) && world_system_on(s->world, id);
    if (!out->on) {
        return;
    }
    out->i = world_system(s->world, id);
    uint32_t parts = world_system_parts(s->world, id);
    for (uint32_t i = 0; i < parts && i < SYSTEM_PARTS_MAX; i++) {
        out->part[out->parts++] = world_system_part(s->world, id, i);
    }
}

static bool any_on(const struct world *w, uint8_t *id)
{
    for (uint8_t i = 0; w != NULL && world_has_systems(w) && i < SYSTEMS; i++) {
        if (world_system_on(w, (enum system_id)i)) {
            *id = i;
            return true;
        }
    }
    return false;
}

bool managed_open(struct managed *out, const struct scene *s, const char *argument)
{
    uint8_t id = SYSTEM_ALL;
    bool named = argument[0] != '\0' ? system_by_name(argument, &id) : any_on(s->world, &id);
    if (!named || id == SYSTEM_ALL) {
        *out = (struct managed){.w = s->world, .asking = view_question_open(s)};
        return false;
    }
    managed_open_id(out, s, (enum system_id)id);
    return out->on;
}

void managed_add_none(struct str *out, const struct managed *m, const char *argument)
{
    if (m->w == NULL) {
        str_add(out, "there is no cluster here");
    } else if (m->named) {
        str_addf(out, "%s is not on yet", m->words->title);
    } else if (argument[0] != '\0') {
        str_add(out, "there is no system ");
        view_add_key(out, bytes_of(argument));
    } else {
        str_add(out, "no system is on yet");
    }
}

void managed_draw_none(struct canvas *c, const struct managed *m, const char *argument)
{
    struct str text = STR_EMPTY;
    managed_add_none(&text, m, argument);
    view_draw_note(c, str_text(&text));
    str_free(&text);
}

/* --- loads --------------------------------------------------------------------------------- */

static enum system_verdict most_of_rest(const struct system_counts *c)
{
    uint64_t most = c->throttled;
    enum system_verdict out = most > 0 ? VERDICT_THROTTLED : VERDICT_OK;
    if (c->late > most) {
        most = c->late;
        out = VERDICT_LATE;
    }
    return c->away > most ? VERDICT_AWAY : out;
}

/* An eventual read of DynamoDB is half a unit of the limit. */
static bool reads_are_halves(const struct managed *m)
{
    struct str value = STR_EMPTY;
    bool half = m->id == SYSTEM_DYNAMODB && managed_add_setting(&value, m, "reads") &&
                strcmp(str_text(&value), "eventual") == 0;
    str_free(&value);
    return half;
}

static struct managed_load load_of(const struct managed *m, const struct system_counts *c,
                                   const uint32_t limit[2], bool reads)
{
    uint64_t part = reads && reads_are_halves(m) ? 2 : 1;
    struct managed_load out = {.asked = c->asked[reads] / part,
                               .ok = c->ok[reads] / part,
                               .limit = limit[reads],
                               .reads = reads,
                               .halves = part == 2};
    out.turned = out.ok < out.asked ? most_of_rest(c) : VERDICT_OK;
    return out;
}

static struct managed_load closer(struct managed_load writes, struct managed_load reads)
{
    uint64_t w = managed_tenths(writes), r = managed_tenths(reads);
    return r > w || (writes.asked == 0 && reads.asked > 0) ? reads : writes;
}

struct managed_load managed_part_work(const struct managed *m, const struct part_info *p,
                                      bool reads)
{
    uint32_t limit[2] = {p->limit[0], p->limit[1]};
    if (limit[0] == 0 && limit[1] == 0 && p->machine[0] < m->i.machines) {
        struct machine_info machine = world_system_machine(m->w, m->id, p->machine[0]);
        limit[0] = machine.limit[0];
        limit[1] = machine.limit[1];
    }
    return load_of(m, &p->second, limit, reads);
}

struct managed_load managed_part_load(const struct managed *m, const struct part_info *p)
{
    return closer(managed_part_work(m, p, false), managed_part_work(m, p, true));
}

struct managed_load managed_machine_work(const struct managed *m, uint32_t machine, bool reads)
{
    struct machine_info info = world_system_machine(m->w, m->id, machine);
    return load_of(m, &info.second, info.limit, reads);
}

struct managed_load managed_machine_load(const struct managed *m, uint32_t machine)
{
    return closer(managed_machine_work(m, machine, false), managed_machine_work(m, machine, true));
}

bool managed_two_kinds(const struct managed *m)
{
    return !m->words->stream && m->i.second.asked[0] > 0 && m->i.second.asked[1] > 0;
}

uint64_t managed_tenths(struct managed_load load)
{
    return load.limit > 0 ? load.asked * 1000 / load.limit : 0;
}

enum style managed_load_style(const struct managed *m, struct managed_load load)
{
    uint64_t tenths = managed_tenths(load);
    return m->asking       ? STYLE_TEXT
           : tenths > 1000 ? STYLE_BAD
           : tenths >= 800 ? STYLE_WARN
                           : STYLE_TEXT;
}

uint32_t managed_busiest_part(const struct managed *m)
{
    uint32_t busiest = 0;
    uint64_t most = 0, asked = 0;
    for (uint32_t i = 0; i < m->parts; i++) {
        struct managed_load load = managed_part_load(m, &m->part[i]);
        uint64_t tenths = managed_tenths(load);
        if (m->part[i].state != PART_OPEN) { /* what it was asked for is past */
            continue;
        }
        if (tenths > most || (tenths == most && load.asked > asked)) {
            most = tenths;
            asked = load.asked;
            busiest = i;
        }
    }
    return busiest;
}

/* Whether a machine's figures count the writes of each copy that it has. */
static bool copies_count(const struct managed *m)
{
    return m->id == SYSTEM_CASSANDRA;
}

bool managed_zones(const struct managed *m)
{
    return m->id == SYSTEM_KINESIS;
}

uint32_t managed_owner(const struct managed *m, const struct part_info *p)
{
    return managed_zones(m) ? p->number : p->machine[0];
}

bool managed_keeps(const struct managed *m)
{
    return m->id != SYSTEM_HBASE;
}

/* Of what a machine was asked for: that whose first copy it has. */
static struct managed_load first_load(const struct managed *m, uint32_t machine)
{
    struct machine_info info = world_system_machine(m->w, m->id, machine);
    struct system_counts sum = {0};
    for (uint32_t i = 0; i < m->parts; i++) {
        const struct part_info *p = &m->part[i];
        for (int k = 0; k < 2 && p->machine[0] == machine; k++) {
            sum.asked[k] += p->second.asked[k];
            sum.ok[k] += p->second.ok[k];
        }
    }
    return closer(load_of(m, &sum, info.limit, false), load_of(m, &sum, info.limit, true));
}

struct managed_busy managed_busiest(const struct managed *m)
{
    struct managed_busy out = {0};
    for (uint32_t i = 0; i < m->parts; i++) {
        const struct part_info *p = &m->part[i];
        struct managed_load load = managed_part_load(m, p);
        bool own = p->state == PART_OPEN && (p->limit[0] > 0 || p->limit[1] > 0);
        if (own && managed_tenths(load) > managed_tenths(out.load)) {
            out = (struct managed_busy){.any = true, .number = p->number, .load = load};
        }
    }
    for (uint32_t i = 0; i < m->i.machines; i++) {
        struct managed_load all = managed_machine_load(m, i);
        struct managed_load load = copies_count(m) ? first_load(m, i) : all;
        if (managed_tenths(load) > managed_tenths(out.load)) {
            out = (struct managed_busy){.any = true, .machine = true, .number = i, .load = load};
            out.copies = all.asked > load.asked ? all.asked - load.asked : 0;
        }
    }
    return out;
}

uint32_t managed_keys(const struct managed *m, struct system_key_info key[SYSTEM_KEYS_MAX])
{
    uint32_t keys = world_system_keys(m->w, m->id);
    keys = keys < SYSTEM_KEYS_MAX ? keys : SYSTEM_KEYS_MAX;
    for (uint32_t i = 0; i < keys; i++) {
        struct system_key_info k = world_system_key(m->w, m->id, i);
        uint32_t at = i;
        while (at > 0 && managed_asked(&key[at - 1].second) < managed_asked(&k.second)) {
            key[at] = key[at - 1];
            at--;
        }
        key[at] = k;
    }
    return keys;
}

bool managed_hot_key(const struct managed *m, uint32_t part, struct system_key_info *out)
{
    bool any = false;
    uint32_t keys = world_system_keys(m->w, m->id);
    for (uint32_t i = 0; i < keys; i++) {
        struct system_key_info key = world_system_key(m->w, m->id, i);
        uint64_t asked = managed_asked(&key.second);
        if (key.part == part && asked > 0 && (!any || asked > managed_asked(&out->second))) {
            *out = key;
            any = true;
        }
    }
    return any;
}

/* --- what it said -------------------------------------------------------------------------- */

bool managed_note(const struct managed *m, uint32_t back, struct trace_record *out)
{
    return world_system_note(m->w, m->id, back, out);
}

bool managed_note_of_part(const struct managed *m, uint32_t part, struct trace_record *out)
{
    for (uint32_t back = 0; managed_note(m, back, out); back++) {
        if (out->target == part) {
            return true;
        }
    }
    return false;
}

void managed_add_note(struct str *out, const struct managed *m, const struct trace_record *r)
{
    systems_say(m->w, r, out);
}

/* --- inspecting ---------------------------------------------------------------------------- */

#define ID_BITS 8 /* of the system; above it what, above that its number */

struct subject managed_subject(const struct managed *m, enum managed_what what, uint32_t number)
{
    uint64_t id = (uint64_t)m->id | (uint64_t)what << ID_BITS | (uint64_t)number << 2 * ID_BITS;
    return (struct subject){.kind = SUBJECT_SYSTEM, .id = id};
}

static enum managed_what what_of(uint64_t id)
{
    return (enum managed_what)(id >> ID_BITS & 0xFF);
}

static uint32_t number_of(uint64_t id)
{
    return (uint32_t)(id >> 2 * ID_BITS);
}

bool managed_subject_exists(const struct scene *s, uint64_t id)
{
    enum system_id system = (enum system_id)(id & 0xFF);
    struct part_info part;
    if (system >= SYSTEMS || s->world == NULL || !world_has_systems(s->world) ||
        !world_system_on(s->world, system)) {
        return false;
    }
    switch (what_of(id)) {
    case MANAGED_SYSTEM:
        return true;
    case MANAGED_PART:
        return world_system_find(s->world, system, number_of(id), &part);
    case MANAGED_MACHINE:
        return number_of(id) < world_system(s->world, system).machines;
    }
    return false;
}

void managed_inspect_title(struct str *out, const struct scene *s, uint64_t id)
{
    struct managed m;
    managed_open_id(&m, s, (enum system_id)(id & 0xFF));
    str_add(out, m.words->title);
    if (what_of(id) == MANAGED_PART) {
        str_add(out, ": ");
        managed_add_part(out, &m, number_of(id));
    } else if (what_of(id) == MANAGED_MACHINE) {
        str_add(out, ": ");
        managed_add_machine(out, &m, number_of(id));
    }
}

/* Names of parts and keys may hold any bytes, which must not act as markup: kept lines. */
static void add_kept(struct str *out, const char *text)
{
    struct str lines = STR_EMPTY;
    view_add_wrapped(&lines, text, 52, 0);
    bool fresh = true;
    for (const char *at = str_text(&lines); *at != '\0'; at++) {
        str_add(out, fresh ? "  " : "");
        str_addc(out, *at);
        fresh = *at == '\n';
    }
    str_free(&lines);
}

static void inspect_notes(struct str *out, const struct managed *m, uint64_t id)
{
    struct trace_record r;
    struct str text = STR_EMPTY;
    bool any = false;
    for (uint32_t back = 0; managed_note(m, back, &r); back++) {
        if (what_of(id) == MANAGED_PART && r.target != number_of(id)) {
            continue;
        }
        str_clear(&text);
        systems_why(m->w, &r, &text);
        if (text.length == 0) {
            continue;
        }
        str_add(out, any ? "\n" : "\nWhat it did last, and why:\n\n");
        any = true;
        str_clear(&text);
        str_addf(&text, "%s  ", num_clock(r.time_us / US_PER_MS * US_PER_MS).text);
        managed_add_note(&text, m, &r);
        add_kept(out, str_text(&text));
        str_clear(&text);
        systems_why(m->w, &r, &text);
        add_kept(out, str_text(&text));
    }
    str_free(&text);
}

void managed_inspect(struct str *out, const struct scene *s, uint64_t id)
{
    struct managed m;
    struct part_info part;
    struct str text = STR_EMPTY;
    managed_open_id(&m, s, (enum system_id)(id & 0xFF));
    if (what_of(id) == MANAGED_PART && world_system_find(m.w, m.id, number_of(id), &part)) {
        managed_add_part_facts(&text, &m, &part);
    } else if (what_of(id) == MANAGED_MACHINE) {
        managed_add_machine_facts(&text, &m, number_of(id));
    } else {
        str_add(&text, "Asked: ");
        managed_add_asked(&text, &m, &m.i.second);
    }
    add_kept(out, str_text(&text));
    if (!m.asking) {
        inspect_notes(out, &m, id);
    }
    str_addf(out, "\nIts rules. Placed: %s. Splits: %s. Moves: %s. ", m.words->placement,
             m.words->splits, m.words->moves);
    str_addf(out, "In order: %s. An acknowledged write survives: %s.\n", m.words->order,
             m.words->survives);
    str_free(&text);
}
