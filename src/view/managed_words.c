/*
 * managed_words: a system, its parts, machines and readers in words; see managed.h.
 */
#include "view/managed.h"

#include <string.h>

#define HOT_SHARE 2 /* a key is told of when it has one part in so many */

void managed_add_count(struct str *out, uint64_t count, const char *one, const char *many)
{
    str_addf(out, "%s %s", num_grouped((int64_t)count).text, count == 1 ? one : many);
}

void managed_add_part(struct str *out, const struct managed *m, uint32_t part)
{
    str_addf(out, "%s %u", m->words->part, (unsigned)part);
}

void managed_add_machine(struct str *out, const struct managed *m, uint32_t machine)
{
    str_addf(out, "%s %u", m->words->machine, (unsigned)machine);
}

void managed_add_asked(struct str *out, const struct managed *m, const struct system_counts *c)
{
    bool writes = c->asked[0] > 0 || m->words->stream, reads = c->asked[1] > 0;
    if (managed_asked(c) == 0) {
        str_add(out, "nothing in the last second");
        return;
    }
    if (writes) {
        managed_add_count(out, c->asked[0], "write", "writes");
    }
    str_add(out, writes && reads ? " and " : "");
    if (reads) {
        managed_add_count(out, c->asked[1], "read", "reads");
    }
    str_add(out, " in the last second");
}

void managed_add_became(struct str *out, const struct system_counts *c)
{
    static const char *const names[] = {"served", "throttled", "late", "with nobody to serve them"};
    const uint64_t counts[] = {c->ok[0] + c->ok[1], c->throttled, c->late, c->away};
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (counts[i] == managed_asked(c) && counts[i] > 0) {
            str_addf(out, "all %s", names[i]);
            return;
        }
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (counts[i] > 0 || i == 0) {
            str_addf(out, "%s%s %s", any ? ", " : "", num_grouped((int64_t)counts[i]).text,
                     names[i]);
            any = true;
        }
    }
}

const char *managed_state_name(uint8_t state)
{
    switch ((enum system_part_state)state) {
    case PART_FREE:
        return "free";
    case PART_OPEN:
        return "open";
    case PART_COPYING:
        return "copying";
    case PART_CLOSED:
        return "closed";
    case PART_EXPIRED:
        return "expired";
    }
    return "";
}

void managed_add_load(struct str *out, const struct managed *m, struct managed_load load)
{
    const char *kind = load.halves ? "read unit" : load.reads ? "read" : "write";
    str_addf(out, "%s %s%s", num_grouped((int64_t)load.asked).text, kind, view_plural(load.asked));
    if (load.limit > 0) {
        str_addf(out, " of %s a second", num_grouped((int64_t)load.limit).text);
        if (!m->asking) {
            str_addf(out, ", %s%%", num_ratio((int64_t)load.asked, (int64_t)load.limit, 0).text);
        }
    } else {
        str_add(out, " in the last second");
    }
}

/* --- a part -------------------------------------------------------------------------------- */

static void add_state(struct str *out, const struct managed *m, const struct part_info *p)
{
    switch ((enum system_part_state)p->state) {
    case PART_COPYING:
        str_add(out, ", is being copied");
        break;
    case PART_CLOSED:
        str_add(out, ", closed: takes no more writes");
        break;
    case PART_EXPIRED:
        str_add(out, ", expired: its records are gone");
        break;
    case PART_FREE:
    case PART_OPEN:
        break;
    }
    int64_t now = world_now(m->w);
    if (p->target != MACHINE_NONE) {
        str_add(out, ", on its way to ");
        managed_add_machine(out, m, p->target);
        if (p->ready_us > now) {
            str_add(out, " for ");
            moving_add_time(out, p->ready_us - now);
            str_add(out, " more");
        }
    }
    if (p->away_us > now) {
        str_add(out, ", nobody serves it");
        if (p->away_us != INT64_MAX) {
            str_add(out, " for ");
            moving_add_time(out, p->away_us - now);
            str_add(out, " more");
        }
    }
}

static void add_family(struct str *out, const char *word, const uint16_t number[2])
{
    for (int i = 0; i < 2; i++) {
        if (number[i] != NO_PART && (i == 0 || number[1] != number[0])) {
            bool first = i == 0 || number[0] == NO_PART;
            str_addf(out, "%s%s %u", first ? ", " : " ", first ? word : "and", (unsigned)number[i]);
        }
    }
}

static void add_hot(struct str *out, const struct managed *m, const struct part_info *p,
                    struct managed_load load)
{
    struct system_key_info key;
    if (!managed_hot_key(m, p->number, &key) || load.asked == 0) {
        return;
    }
    uint64_t asked = key.second.asked[load.reads] / (load.halves ? 2 : 1);
    if (asked * HOT_SHARE >= load.asked) {
        str_add(out, "; ");
        view_add_key(out, key.text);
        str_addf(out, asked >= load.asked ? " has all of it" : " has %s of it",
                 num_grouped((int64_t)asked).text);
    }
}

static void add_records(struct str *out, const struct managed *m, const struct part_info *p)
{
    if (!m->words->stream) {
        if (p->bytes > 0) {
            str_add(out, "; ");
            moving_add_bytes(out, p->bytes);
        }
        return;
    }
    str_add(out, "; ");
    managed_add_count(out, p->records, "record", "records");
    if (p->unread > 0 && !m->asking) {
        /* The model keeps no more of a part: with those that are gone there may be more. */
        str_addf(out, ", %s%s not read yet", p->unread >= SYSTEM_UNREAD ? "at least " : "",
                 num_grouped((int64_t)p->unread).text);
    }
    if (p->paused && !m->asking) {
        str_add(out, ", nobody reads it now");
    }
}

void managed_add_part_facts(struct str *out, const struct managed *m, const struct part_info *p)
{
    struct str name = STR_EMPTY, number = STR_EMPTY;
    managed_add_part(out, m, p->number);
    world_part_name(m->w, m->id, p->number, &name);
    str_addf(&number, "%u", (unsigned)p->number);
    if (strcmp(str_text(&name), str_text(&number)) != 0) {
        str_addf(out, " (%s)", str_text(&name));
    }
    str_free(&name);
    str_free(&number);
    if (p->machine[0] < m->i.machines && p->state == PART_OPEN && !managed_zones(m)) {
        str_add(out, " on ");
        managed_add_machine(out, m, p->machine[0]);
    }
    add_state(out, m, p);
    add_family(out, "child of", p->parent);
    add_family(out, "parent of", p->child);
    if (p->state == PART_OPEN) {
        str_add(out, ": ");
        struct managed_load load = managed_part_load(m, p);
        managed_add_load(out, m, load);
        add_hot(out, m, p, load);
        if (managed_asked(&p->second) > 0 && !m->asking) {
            str_add(out, "; ");
            managed_add_became(out, &p->second);
        }
        if (p->saved > 0) {
            str_addf(out, "; %s units saved up", num_grouped(p->saved / 1000000).text);
        }
    }
    add_records(out, m, p);
}

/* --- a machine ----------------------------------------------------------------------------- */

const char *managed_leads(const struct managed *m)
{
    return m->words->leads != NULL ? m->words->leads : "leads";
}

void managed_add_machine_facts(struct str *out, const struct managed *m, uint32_t machine)
{
    struct machine_info info = world_system_machine(m->w, m->id, machine);
    managed_add_machine(out, m, machine);
    str_addf(out, info.down ? " is down: %s " : " %s ", managed_leads(m));
    managed_add_count(out, info.leads, m->words->part, m->words->parts);
    if (info.keeps > info.leads && managed_keeps(m)) {
        str_addf(out, ", keeps copies of %s more", num_grouped(info.keeps - info.leads).text);
    }
    if (info.copies > 0) {
        str_addf(out, ", %u cop%s of it %s", (unsigned)info.copies, info.copies == 1 ? "y" : "ies",
                 info.copies == 1 ? "lives" : "live");
    }
    if (!info.down) {
        str_add(out, ": ");
        managed_add_load(out, m, managed_machine_load(m, machine));
        if (managed_asked(&info.second) > 0 && !m->asking) {
            str_add(out, "; ");
            managed_add_became(out, &info.second);
        }
    }
    if (info.bytes > 0) {
        str_add(out, "; ");
        moving_add_bytes(out, info.bytes);
    }
    if (info.hints > 0) {
        str_add(out, "; ");
        managed_add_count(out, info.hints, "hint is", "hints are");
        str_add(out, " kept for it");
    }
}

/* --- readers ------------------------------------------------------------------------------- */

bool managed_add_setting(struct str *out, const struct managed *m, const char *name)
{
    const struct system_setting_info *info;
    for (uint32_t i = 0; i < SYSTEM_SETTINGS && (info = system_setting(m->id, i)) != NULL; i++) {
        uint32_t value = m->i.setting[i];
        if (strcmp(info->name, name) != 0) {
            continue;
        }
        if (info->choices == NULL) {
            str_add(out, num_grouped(value).text);
        } else {
            str_add(out, value < info->count ? info->choices[value] : "?");
        }
        return true;
    }
    return false;
}

void managed_add_reader(struct str *out, const struct managed *m)
{
    struct reader_info reader = world_system_reader(m->w, m->id);
    struct str order = STR_EMPTY;
    if (reader.rate == 0) {
        str_add(out, "no reader");
    } else {
        bool member = m->id == SYSTEM_KAFKA;
        str_addf(out, "reads %s a second and %s", num_grouped(reader.rate).text,
                 member ? "member" : m->words->part);
    }
    if (reader.rate > 0 && managed_add_setting(&order, m, "order")) {
        bool parents = strcmp(str_text(&order), "parents") == 0;
        str_add(out, parents ? ", parents before children" : ", in any order");
    }
    str_free(&order);
    if (!m->asking) {
        str_addf(out, "; %s read", num_grouped((int64_t)m->i.read).text);
        str_addf(out, ", %s not yet", num_grouped((int64_t)m->i.unread).text);
        if (m->i.skipped > 0) {
            str_addf(out, ", %s gone before they were", num_grouped((int64_t)m->i.skipped).text);
        }
    }
}

bool managed_add_order(struct str *out, const struct managed *m, bool brief)
{
    struct trace_record r;
    if (m->i.disorder == 0) {
        return false;
    }
    str_addf(out, "OUT OF ORDER: ");
    managed_add_count(out, m->i.disorder, "record", "records");
    str_add(out, brief ? "" : " read before an older one of the same key");
    if (world_system_order(m->w, m->id, &r)) {
        struct system_key_info key = {.text = {0}};
        if ((uint64_t)r.operand[0] < world_system_keys(m->w, m->id)) {
            key = world_system_key(m->w, m->id, (uint32_t)r.operand[0]);
        }
        str_add(out, "; the first: ");
        view_add_key(out, key.text);
        str_addf(out, " from %s %u, while %s older", m->words->part, (unsigned)r.target,
                 num_grouped(r.operand[2]).text);
        str_addf(out, " waited in %u", (unsigned)r.operand[1]);
    }
    return true;
}
