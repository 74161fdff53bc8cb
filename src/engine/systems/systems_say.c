/*
 * systems_say: the records of systems.h in words: a line each, and the few words of a label.
 *
 * Parts and machines are called as their system calls them, and by their numbers: "shard 3",
 * "broker 0". A line does not name the system, which stands before it; a label does.
 */
#include "base/num.h"
#include "base/utf8.h"
#include "engine/systems/systems_inside.h"
#include <inttypes.h>

static uint8_t id_of(const struct trace_record *r)
{
    return (uint8_t)r->from.index;
}

static const struct system_words *words_of(const struct trace_record *r)
{
    return system_words((enum system_id)id_of(r));
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

void system_say_bytes(int64_t bytes, struct str *out)
{
    static const char *const units[] = {"KB", "MB", "GB", "TB"};
    int64_t unit = 1000;
    size_t at = 0;
    if (bytes < unit) {
        str_addf(out, "%" PRId64 " byte%s", bytes, plural(bytes));
        return;
    }
    for (; at + 1 < sizeof units / sizeof *units && bytes >= unit * 1000; at++) {
        unit *= 1000;
    }
    int64_t tenths = bytes / (unit / 10);
    str_addf(out, "%s", num_grouped(tenths / 10).text);
    if (tenths % 10 != 0) {
        str_addf(out, ".%" PRId64, tenths % 10);
    }
    str_addf(out, " %s", units[at]);
}

void system_say_key(const struct world *w, int64_t key, struct str *out)
{
    if (key < 0 || key >= (int64_t)w->systems.keys) {
        str_add(out, "some key");
        return;
    }
    const struct system_tag *tag = system_tags_in(w) + key;
    utf8_visible(out, tag->text, tag->length);
}

static void add_part(const struct trace_record *r, int64_t number, struct str *out)
{
    str_addf(out, "%s %" PRId64, words_of(r)->part, number);
}

static void add_machine(const struct trace_record *r, int64_t number, struct str *out)
{
    str_addf(out, "%s %" PRId64, words_of(r)->machine, number);
}

static const char *led(const struct trace_record *r)
{
    return words_of(r)->led != NULL ? words_of(r)->led : "led";
}

/* "4 shards", "1 shard" */
static void add_parts(const struct trace_record *r, int64_t count, struct str *out)
{
    str_addf(out, "%s %s", num_grouped(count).text,
             count == 1 ? words_of(r)->part : words_of(r)->parts);
}

/* The part or machine that a record of load is about. */
static void add_loaded(const struct trace_record *r, struct str *out)
{
    if (r->operand[2] == 1) {
        add_machine(r, r->target, out);
    } else {
        add_part(r, r->target, out);
    }
}

/* --- commands --------------------------------------------------------------------------------- */

static void say_asked(const struct trace_record *r, struct str *out)
{
    uint32_t count = (uint32_t)(r->operand[2] & UINT16_MAX);
    uint32_t first = (uint32_t)(r->operand[2] >> 16);
    switch ((enum system_verb)(r->operand[1] / 256 % 256)) {
    case SYSTEM_VERB_ON:
        str_add(out, "is to be asked what clients ask here");
        if (r->operand[1] >= 65536) { /* of all, those that stay off */
            str_addf(out, "; %d of %d are on", (int)(SYSTEMS - r->operand[1] / 65536), SYSTEMS);
        }
        return;
    case SYSTEM_VERB_OFF:
        str_add(out, "is to be asked no more");
        return;
    case SYSTEM_VERB_PARTS:
        str_addf(out, "so many parts: %u", count);
        return;
    case SYSTEM_VERB_CUT:
        str_addf(out, "cut part %u", count);
        return;
    case SYSTEM_VERB_JOIN:
        str_addf(out, "join parts %u and %u", count, first);
        return;
    case SYSTEM_VERB_GROW:
        str_add(out, "a machine more");
        return;
    case SYSTEM_VERB_MOVE:
        str_addf(out, "move part %u to machine %u", count, first);
        return;
    case SYSTEM_VERB_BALANCE:
        str_add(out, "spread the parts over the machines");
        return;
    case SYSTEM_VERB_DOWN:
        str_addf(out, "machine %u dies", count);
        return;
    case SYSTEM_VERB_UP:
        str_addf(out, "machine %u is back", count);
        return;
    case SYSTEM_VERB_SET:
        str_add(out, "another setting");
        return;
    case SYSTEM_VERBS:
        break;
    }
    CHECK(false && "no system knows this verb");
}

static void say_command(const struct trace_record *r, struct str *out)
{
    if (r->operand[0] == COMMAND_SYSTEM) {
        say_asked(r, out);
    } else if (r->operand[1] == 0) {
        str_add(out, "no more writes of keys that only grow");
    } else {
        str_addf(out, "writes of keys that only grow: %s a second, of ",
                 num_grouped(r->operand[1]).text);
        system_say_bytes(r->operand[2] == 0 ? SERIES_BYTES : r->operand[2], out);
        str_add(out, " each");
    }
}

/* --- load ------------------------------------------------------------------------------------- */

static void say_throttling(const struct trace_record *r, struct str *out)
{
    const struct system_kind *kind = system_kind(id_of(r));
    const char *counted = kind->words->counted;
    add_loaded(r, out);
    str_addf(out, " is asked for more than %s%s%s a second: ", num_grouped(r->operand[1]).text,
             counted == NULL ? "" : " ", counted == NULL ? "" : counted);
    if (kind->wait_us > 0) {
        str_addf(out, "requests wait, those that would wait for longer than %s are late",
                 num_span(kind->wait_us).text);
    } else {
        str_add(out, "what is over it is turned away");
    }
}

static void say_load(const struct world *w, const struct trace_record *r, struct str *out)
{
    static const char *const no_split[] = {
        [NO_SPLIT_ONE_ITEM] = "it is one key's load",
        [NO_SPLIT_GROWING] = "all its writes go to its end",
        [NO_SPLIT_HAND] = "nothing is split here unless somebody asks",
        [NO_SPLIT_BYTES] = "it is not large enough, and load does not count",
        [NO_SPLIT_INDEX] = "a local index keeps the items of a key together",
        [NO_SPLIT_FULL] = "the model has room for no more",
    };
    switch (r->reason) {
    case REASON_SYSTEMS_THROTTLING:
        say_throttling(r, out);
        return;
    case REASON_SYSTEMS_CALM:
        add_loaded(r, out);
        str_addf(out, " keeps up again; %s %s not served since it began",
                 num_grouped(r->operand[0]).text, r->operand[0] == 1 ? "was" : "were");
        return;
    case REASON_SYSTEMS_NO_SPLIT:
        add_part(r, r->target, out);
        str_addf(out, " is hot, %s requests a second", num_grouped(r->operand[1]).text);
        if (r->operand[2] > 0) {
            str_add(out, ", mostly ");
            system_say_key(w, r->operand[2] - 1, out);
        }
        str_addf(out, ", and stays whole: %s", no_split[r->operand[0]]);
        return;
    case REASON_SYSTEMS_BOOST:
        add_part(r, r->target, out);
        str_addf(out, " may take %s a second for now, was %s: %s", num_grouped(r->operand[1]).text,
                 num_grouped(r->operand[0]).text,
                 r->operand[2] == 0 ? "burst" : "adaptive capacity");
        return;
    default:
        add_part(r, r->target, out);
        str_addf(out, " has used up what it had saved: %s a second from now",
                 num_grouped(r->operand[0]).text);
    }
}

/* --- parts ------------------------------------------------------------------------------------ */

static void say_split(const struct trace_record *r, struct str *out)
{
    const struct system_words *words = words_of(r);
    add_part(r, r->target, out);
    if (r->operand[0] == r->target || r->operand[1] == r->target) {
        str_addf(out, " is cut in two: %" PRId64 " and %" PRId64, r->operand[0], r->operand[1]);
    } else {
        str_addf(out, " closes; %s %" PRId64 " and %" PRId64 " take its range", words->parts,
                 r->operand[0], r->operand[1]);
    }
    if (r->reason == REASON_SYSTEMS_SPLIT_LOAD) {
        str_addf(out, ", for %s requests a second", num_grouped(r->operand[2]).text);
    } else if (r->reason == REASON_SYSTEMS_SPLIT_SIZE) {
        str_add(out, ", for its size of ");
        system_say_bytes(r->operand[2], out);
    }
}

/* A machine with copies of its own is led by one of them, and all its parts with it. */
static void say_leader(const struct trace_record *r, struct str *out)
{
    if (r->target == NO_PART) {
        add_machine(r, r->operand[1], out);
        str_add(out, " is led by another copy of it now");
        return;
    }
    add_part(r, r->target, out);
    str_addf(out, " is %s by ", led(r));
    add_machine(r, r->operand[1], out);
    str_addf(out, " now, was %" PRId64, r->operand[0]);
}

static void say_moved(const struct trace_record *r, struct str *out)
{
    add_part(r, r->target, out);
    if (words_of(r)->copied != NULL) {
        str_addf(out, " has all rows now, after %s, and is kept in step",
                 num_span(r->operand[2]).text);
        return;
    }
    str_add(out, " is on ");
    add_machine(r, r->operand[1], out);
    str_add(out, " now");
    if (r->operand[2] > 0) {
        str_addf(out, ", after %s", num_span(r->operand[2]).text);
    }
}

static void say_parts(const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_SYSTEMS_SPLIT_LOAD:
    case REASON_SYSTEMS_SPLIT_SIZE:
    case REASON_SYSTEMS_SPLIT_HAND:
        say_split(r, out);
        return;
    case REASON_SYSTEMS_JOINED:
        str_addf(out, "%s %" PRId64 " and %" PRId64 " become one, ", words_of(r)->parts,
                 r->operand[0], r->operand[1]);
        add_part(r, r->operand[2], out);
        return;
    case REASON_SYSTEMS_CLOSED:
    case REASON_SYSTEMS_EXPIRED:
        add_part(r, r->target, out);
        str_addf(out, " %s, with %s record%s, %s unread",
                 r->reason == REASON_SYSTEMS_CLOSED ? "closes" : "expires",
                 num_grouped(r->operand[0]).text, plural(r->operand[0]),
                 num_grouped(r->operand[1]).text);
        return;
    case REASON_SYSTEMS_PARTS:
        str_add(out, "has ");
        add_parts(r, r->operand[1], out);
        str_addf(out, " from now on, had %s", num_grouped(r->operand[0]).text);
        return;
    case REASON_SYSTEMS_MOVE_BEGINS:
        add_part(r, r->target, out);
        str_addf(out, " %s from ", words_of(r)->copied == NULL ? "moves" : "is copied");
        add_machine(r, r->operand[0], out);
        str_addf(out, " to %" PRId64 ": ", r->operand[1]);
        system_say_bytes(r->operand[2], out);
        return;
    case REASON_SYSTEMS_MOVED:
        say_moved(r, out);
        return;
    default:
        CHECK(r->reason == REASON_SYSTEMS_LEADER);
        say_leader(r, out);
    }
}

/* --- machines --------------------------------------------------------------------------------- */

static void say_grown(const struct trace_record *r, struct str *out)
{
    add_machine(r, r->operand[0], out);
    str_add(out, " joins; ");
    if (r->operand[1] == 0 && words_of(r)->joined != NULL) {
        str_add(out, words_of(r)->joined);
        return;
    }
    if (r->operand[1] == 0) {
        str_addf(out, "no %s goes to it by itself", words_of(r)->part);
        return;
    }
    add_parts(r, r->operand[1], out);
    str_add(out, r->operand[1] == 1 ? " goes to it" : " go to it");
}

static void say_machines(const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_SYSTEMS_GROWN:
        say_grown(r, out);
        return;
    case REASON_SYSTEMS_NO_MACHINES:
        str_add(out, "has no machines that anybody outside could add");
        return;
    case REASON_SYSTEMS_DIED:
        add_machine(r, r->operand[0], out);
        str_addf(out, " is dead: it %s ", led(r));
        add_parts(r, r->operand[1], out);
        if (!system_kind(id_of(r))->own_copies && !words_of(r)->files_elsewhere) {
            str_addf(out, " and kept copies of %s", num_grouped(r->operand[2]).text);
        }
        return;
    case REASON_SYSTEMS_BACK:
        add_machine(r, r->operand[0], out);
        str_add(out, " is back");
        if (r->operand[1] > 0) {
            str_addf(out, "; %s hint%s are handed over to it", num_grouped(r->operand[1]).text,
                     plural(r->operand[1]));
        }
        return;
    case REASON_SYSTEMS_LOST:
        str_addf(out, "%s write%s that clients were told of went with ",
                 num_grouped(r->operand[0]).text, plural(r->operand[0]));
        add_machine(r, r->operand[1], out);
        return;
    default:
        CHECK(r->reason == REASON_SYSTEMS_KEPT);
        str_add(out, "nothing that a client was told of went with ");
        add_machine(r, r->operand[1], out);
        if (r->operand[2] > 0) {
            str_addf(out, "; %s write%s that nobody was told of did",
                     num_grouped(r->operand[2]).text, plural(r->operand[2]));
        }
    }
}

/* --- readers, settings, what it does not do --------------------------------------------------- */

static void say_setting(const struct trace_record *r, struct str *out)
{
    const struct system_setting_info *info =
        system_setting((enum system_id)id_of(r), (uint32_t)r->operand[0]);
    CHECK(info != NULL);
    if (info->choices != NULL) {
        str_addf(out, "%s is %s now, was %s", info->name, info->choices[r->operand[1]],
                 info->choices[r->operand[2]]);
    } else {
        str_addf(out, "%s is %s now, ", info->name, num_grouped(r->operand[1]).text);
        str_addf(out, "was %s", num_grouped(r->operand[2]).text);
    }
}

/* In its words where it has some. */
void system_say_refusal(const struct trace_record *r, struct str *out)
{
    const char *refuses = r->operand[1] > 0 && r->operand[1] <= SYSTEM_VERBS
                              ? system_kind(id_of(r))->refuses[r->operand[1] - 1]
                              : NULL;
    if (refuses != NULL) {
        str_add(out, refuses);
    } else if (r->operand[1] == SYSTEM_VERB_ON + 1) {
        str_addf(out, "the model cannot give it so many %s, or so few %s; nothing has changed here",
                 words_of(r)->parts, words_of(r)->machines);
    } else if (r->operand[1] > 0) {
        str_add(out, "what was asked of all cannot be done here");
    } else {
        str_add(out, "there is no room for more parts in the model");
    }
}

static void say_readers(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->reason == REASON_SYSTEMS_ORDER) {
        str_add(out, "out of order: a record of ");
        system_say_key(w, r->operand[0], out);
        str_add(out, " is read in ");
        add_part(r, r->target, out);
        str_addf(out, ", while %s older one%s unread in %" PRId64, num_grouped(r->operand[2]).text,
                 r->operand[2] == 1 ? " is" : "s are", r->operand[1]);
    } else {
        str_addf(out, "the readers share the %s anew: %" PRId64 " of %" PRId64 " pause for %s",
                 words_of(r)->parts, r->operand[0], r->operand[1], num_span(r->operand[2]).text);
    }
}

void systems_say(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_COMMAND) {
        say_command(r, out);
        return;
    }
    switch (r->reason) {
    case REASON_SYSTEMS_ON:
        str_add(out, "is asked from now on what clients ask here, with ");
        add_parts(r, r->operand[0], out);
        str_addf(out, " on %" PRId64 " %s", r->operand[1],
                 r->operand[1] == 1 ? words_of(r)->machine : words_of(r)->machines);
        return;
    case REASON_SYSTEMS_OFF:
        str_add(out, "is asked no more; what it held is gone");
        return;
    case REASON_SYSTEMS_THROTTLING:
    case REASON_SYSTEMS_CALM:
    case REASON_SYSTEMS_NO_SPLIT:
    case REASON_SYSTEMS_BOOST:
    case REASON_SYSTEMS_SPENT:
        say_load(w, r, out);
        return;
    case REASON_SYSTEMS_GROWN:
    case REASON_SYSTEMS_NO_MACHINES:
    case REASON_SYSTEMS_DIED:
    case REASON_SYSTEMS_BACK:
    case REASON_SYSTEMS_LOST:
    case REASON_SYSTEMS_KEPT:
        say_machines(r, out);
        return;
    case REASON_SYSTEMS_ORDER:
    case REASON_SYSTEMS_REBALANCE:
        say_readers(w, r, out);
        return;
    case REASON_SYSTEMS_SETTING:
        say_setting(r, out);
        return;
    case REASON_SYSTEMS_OVERDUE:
        system_say_refusal(r, out);
        return;
    default:
        say_parts(r, out);
    }
}

/* --- labels ----------------------------------------------------------------------------------- */

static const char *const labels[REASON_SYSTEMS_END - REASON_SYSTEMS_FIRST] = {
    [REASON_SYSTEMS_ON - REASON_SYSTEMS_FIRST] = "on",
    [REASON_SYSTEMS_OFF - REASON_SYSTEMS_FIRST] = "off",
    [REASON_SYSTEMS_THROTTLING - REASON_SYSTEMS_FIRST] = " over its limit",
    [REASON_SYSTEMS_CALM - REASON_SYSTEMS_FIRST] = " keeps up",
    [REASON_SYSTEMS_SPLIT_LOAD - REASON_SYSTEMS_FIRST] = " is cut by load",
    [REASON_SYSTEMS_SPLIT_SIZE - REASON_SYSTEMS_FIRST] = " is cut by size",
    [REASON_SYSTEMS_SPLIT_HAND - REASON_SYSTEMS_FIRST] = " is cut",
    [REASON_SYSTEMS_NO_SPLIT - REASON_SYSTEMS_FIRST] = " stays whole",
    [REASON_SYSTEMS_JOINED - REASON_SYSTEMS_FIRST] = "joined",
    [REASON_SYSTEMS_CLOSED - REASON_SYSTEMS_FIRST] = " closes",
    [REASON_SYSTEMS_EXPIRED - REASON_SYSTEMS_FIRST] = " expires",
    [REASON_SYSTEMS_MOVE_BEGINS - REASON_SYSTEMS_FIRST] = " moves",
    [REASON_SYSTEMS_MOVED - REASON_SYSTEMS_FIRST] = " has moved",
    [REASON_SYSTEMS_LEADER - REASON_SYSTEMS_FIRST] = " has a new leader",
    [REASON_SYSTEMS_GROWN - REASON_SYSTEMS_FIRST] = " joins",
    [REASON_SYSTEMS_NO_MACHINES - REASON_SYSTEMS_FIRST] = "no machines to add",
    [REASON_SYSTEMS_DIED - REASON_SYSTEMS_FIRST] = " is dead",
    [REASON_SYSTEMS_BACK - REASON_SYSTEMS_FIRST] = " is back",
    [REASON_SYSTEMS_LOST - REASON_SYSTEMS_FIRST] = "lost",
    [REASON_SYSTEMS_KEPT - REASON_SYSTEMS_FIRST] = "nothing lost",
    [REASON_SYSTEMS_BOOST - REASON_SYSTEMS_FIRST] = " may take more",
    [REASON_SYSTEMS_SPENT - REASON_SYSTEMS_FIRST] = " has used it up",
    [REASON_SYSTEMS_ORDER - REASON_SYSTEMS_FIRST] = "out of order",
    [REASON_SYSTEMS_REBALANCE - REASON_SYSTEMS_FIRST] = "readers share anew",
    [REASON_SYSTEMS_SETTING - REASON_SYSTEMS_FIRST] = "set ",
    [REASON_SYSTEMS_PARTS - REASON_SYSTEMS_FIRST] = " from now",
    [REASON_SYSTEMS_OVERDUE - REASON_SYSTEMS_FIRST] = "refused",
};

/* Who it is about, before the words that begin with a blank. */
static void label_who(const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_SYSTEMS_THROTTLING:
    case REASON_SYSTEMS_CALM:
        add_loaded(r, out);
        return;
    case REASON_SYSTEMS_GROWN:
    case REASON_SYSTEMS_DIED:
    case REASON_SYSTEMS_BACK:
        add_machine(r, r->operand[0], out);
        return;
    case REASON_SYSTEMS_PARTS:
        add_parts(r, r->operand[1], out);
        return;
    default:
        if (r->target == NO_PART) {
            add_machine(r, r->operand[1], out); /* LEADER: with copies of its own */
        } else {
            add_part(r, r->target, out);
        }
    }
}

void systems_label(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        str_add(out, r->operand[0] == COMMAND_SYSTEM ? "system" : "series");
        return;
    }
    const char *label = labels[r->reason - REASON_SYSTEMS_FIRST];
    str_addf(out, "%s: ", words_of(r)->title);
    if (label[0] == ' ') {
        label_who(r, out);
    }
    str_add(out, label);
    if (r->reason == REASON_SYSTEMS_SETTING) {
        str_add(out, system_setting((enum system_id)id_of(r), (uint32_t)r->operand[0])->name);
    }
}
