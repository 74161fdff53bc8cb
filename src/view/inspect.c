/*
 * inspect: a key, a slot, a shard, a router, a record, a system or a part of one, in markup.
 *
 * Lines that begin with two blanks are tables and kept as they are; the rest is prose. Facts come
 * from the world's reading functions, reasons from trace_why.
 */
#include "view/inspect.h"

#include "place/crc16.h"
#include "place/key.h"
#include "view/managed.h"

#define TOLD_ROWS 12
#define TOLD_SHARDS 64

static bool subject_exists(const struct scene *s, struct subject subject)
{
    const struct world *w = s->world;
    if (w == NULL) {
        return false;
    }
    switch (subject.kind) {
    case SUBJECT_NONE:
        return false;
    case SUBJECT_KEY:
        return subject.id < world_keys(w);
    case SUBJECT_SLOT:
        return subject.id < view_slots(s);
    case SUBJECT_SHARD:
        return subject.id < world_shards(w);
    case SUBJECT_ROUTER:
        return subject.id < world_config_of(w)->routers;
    case SUBJECT_RECORD:
        return trace_get(w, subject.id) != NULL;
    case SUBJECT_SYSTEM:
        return managed_subject_exists(s, subject.id);
    }
    return false;
}

void inspect_title(struct str *out, const struct scene *s, struct subject subject)
{
    unsigned id = (unsigned)subject.id;
    if (!subject_exists(s, subject)) {
        str_add(out, "Nothing is selected");
        return;
    }
    switch (subject.kind) {
    case SUBJECT_KEY:
        str_add(out, "Key ");
        view_add_key(out, world_key(s->world, id));
        break;
    case SUBJECT_SLOT:
        str_addf(out, "Slot %u", id);
        break;
    case SUBJECT_SHARD:
        str_addf(out, "Shard S%u", id);
        break;
    case SUBJECT_ROUTER:
        str_addf(out, "Router R%u", id);
        break;
    case SUBJECT_RECORD:
        str_addf(out, "Record %s", num_grouped((int64_t)subject.id).text);
        break;
    case SUBJECT_SYSTEM:
        managed_inspect_title(out, s, subject.id);
        break;
    case SUBJECT_NONE:
        break;
    }
}

/* --- a key --------------------------------------------------------------------------------- */

static void tell_stores(struct str *out, const struct world *w, uint32_t key)
{
    bool any = false;
    for (uint32_t shard = 0; shard < world_shards(w); shard++) {
        uint64_t value = world_value(w, (uint16_t)shard, key);
        if (value > 0) {
            str_add(out, any ? "" : "\nWhat the shards' stores hold of it:\n\n");
            str_addf(out, "  S%-4u %12s%s\n", (unsigned)shard, num_grouped((int64_t)value).text,
                     shard == world_owner(w, world_key_slot(w, key)) ? "   the owner" : "");
            any = true;
        }
    }
    if (!any) {
        str_add(out, "\nNobody has liked or edited it, so no shard counts anything for it.\n");
    }
    uint64_t acked = world_acked(w, key), lost = world_lost(w, key);
    if (acked == 0) { /* a sub-key that a router writes, or what is still under way */
        str_add(out, any ? "\nNo client was told so far that a like of it succeeded.\n" : "");
        return;
    }
    str_addf(out, "\nLikes that clients were told succeeded: %s. ",
             num_grouped((int64_t)acked).text);
    if (lost > 0) {
        str_addf(out, "*%s of them %s lost*: the owner does not hold %s.\n",
                 num_grouped((int64_t)lost).text, lost == 1 ? "is" : "are",
                 lost == 1 ? "it" : "them");
    } else {
        str_add(out, "None of them is lost.\n");
    }
}

static void tell_key(struct str *out, const struct world *w, uint32_t id)
{
    struct bytes key = world_key(w, id), tag = key_tag(key);
    uint32_t slot = world_key_slot(w, id);
    uint16_t crc = crc16(tag.at, tag.length);
    view_add_key_code(out, key);
    str_addf(out, " is %zu byte%s. ", key.length, view_plural(key.length));
    if (tag.length == key.length) {
        str_add(out, "It has no tag, so all of it is hashed. ");
    } else {
        str_add(out, "Only its tag is hashed, ");
        view_add_key_code(out, tag);
        str_add(out, ". ");
    }
    str_addf(out, "CRC16 of that is 0x%04x = %u, and %u mod %u is slot *%u*.\n\n", crc,
             (unsigned)crc, (unsigned)crc, (unsigned)world_config_of(w)->slots, (unsigned)slot);
    str_addf(out, "The plan gives slot %u to ", (unsigned)slot);
    view_add_shard(out, world_owner(w, slot));
    str_addf(out, " at epoch %u.\n", (unsigned)world_epoch(w, slot));
    tell_stores(out, w, id);
}

/* --- a slot -------------------------------------------------------------------------------- */

static void tell_slot(struct str *out, const struct scene *s, uint32_t slot)
{
    const struct world *w = s->world;
    str_addf(out, "The plan (map version %u) gives slot %u to *", (unsigned)world_map_version(w),
             (unsigned)slot);
    view_add_shard(out, world_owner(w, slot));
    str_addf(out, "* at epoch %u. What decides is each shard's own slot table:\n\n",
             (unsigned)world_epoch(w, slot));
    uint32_t told = 0;
    for (uint32_t shard = 0; shard < world_shards(w); shard++) {
        struct slot_row row = world_slot_row(w, (uint16_t)shard, slot);
        if (row.state != SLOT_ABSENT && told++ < TOLD_SHARDS) {
            str_addf(out, "  S%-4u ", (unsigned)shard);
            view_add_row(out, row);
            str_addc(out, '\n');
        }
    }
    str_add(out,
            told == 0 ? "  no shard has a row for it\n" : "\nShards not listed have no row.\n");
    if (!world_rule(w, RULE_SLOT_TABLE_CHECK)) {
        str_add(out, "\n*The rule slot-table-check is off*: shards serve without looking there.\n");
    }
    struct str keys = STR_EMPTY;
    if (view_add_slot_keys(&keys, w, slot, 12) > 0) {
        str_addf(out, "\nKeys in it:\n\n  %s\n", str_text(&keys));
    } else {
        str_add(out, "\nNo key that was asked for is in it.\n");
    }
    str_free(&keys);
}

/* --- a shard ------------------------------------------------------------------------------- */

static void tell_rate(struct str *out, const char *what, uint64_t asked, uint32_t ceiling,
                      uint64_t refused)
{
    str_addf(out, "  %-7s %9s a second", what, num_grouped((int64_t)asked).text);
    if (ceiling > 0) {
        str_addf(out, " of %s: %s%%", num_grouped(ceiling).text,
                 num_ratio((int64_t)asked, ceiling, 0).text);
    }
    if (refused > 0) {
        str_addf(out, ", refuses %s", num_grouped((int64_t)refused).text);
    }
    str_addc(out, '\n');
}

static void tell_rows(struct str *out, const struct world *w, uint16_t shard)
{
    uint32_t rows = world_slot_rows(w, shard);
    str_addf(out, "\nIts slot table has %u row%s:\n\n", (unsigned)rows, view_plural(rows));
    for (uint32_t i = 0; i < rows && i < TOLD_ROWS; i++) {
        struct slot_row row = world_slot_row_at(w, shard, i);
        if (row.first == row.last) {
            str_addf(out, "  %-12u ", (unsigned)row.first);
        } else {
            struct str range = STR_EMPTY;
            str_addf(&range, "%u-%u", (unsigned)row.first, (unsigned)row.last);
            str_addf(out, "  %-12s ", str_text(&range));
            str_free(&range);
        }
        view_add_row(out, row);
        str_addc(out, '\n');
    }
    if (rows > TOLD_ROWS) {
        str_addf(out, "  and %u more\n", (unsigned)(rows - TOLD_ROWS));
    }
}

static void tell_shard(struct str *out, const struct scene *s, uint16_t shard)
{
    const struct world *w = s->world;
    struct shard_info info = world_shard(w, shard);
    struct node node = {.kind = NODE_SHARD, .index = shard};
    str_addf(out, "S%u stands in zone %c and holds %s key%s.\n", (unsigned)shard,
             'a' + world_zone(w, node), num_grouped(info.keys).text, view_plural(info.keys));
    if (s->rates != NULL && shard < s->rates->shards) {
        const struct shard_rates *r = &s->rates->shard[shard];
        str_add(out, "\nAsked for now:\n\n");
        tell_rate(out, "writes", r->writes, info.write_ceiling, r->refused_writes);
        tell_rate(out, "reads", r->reads, info.read_ceiling, r->refused_reads);
    }
    str_add(out, "\nSince the start:\n\n");
    str_addf(out, "  served  %9s writes", num_grouped((int64_t)info.served_writes).text);
    str_addf(out, "  %9s reads\n", num_grouped((int64_t)info.served_reads).text);
    str_addf(out, "  refused %9s writes", num_grouped((int64_t)info.refused_writes).text);
    str_addf(out, "  %9s reads\n", num_grouped((int64_t)info.refused_reads).text);
    str_addf(out, "  said MOVED %s time%s, retry %s time%s\n",
             num_grouped((int64_t)info.moved).text, view_plural(info.moved),
             num_grouped((int64_t)info.retried).text, view_plural(info.retried));
    tell_rows(out, w, shard);
}

/* --- a router ------------------------------------------------------------------------------ */

static void tell_router(struct str *out, const struct scene *s, uint16_t router)
{
    const struct world *w = s->world;
    struct router_info info = world_router(w, router);
    struct node node = {.kind = NODE_ROUTER, .index = router};
    uint32_t newest = world_map_version(w);
    str_addf(out, "R%u stands in zone %c. Its map is version *%u*; the directory is at %u",
             (unsigned)router, 'a' + world_zone(w, node), (unsigned)info.map_version,
             (unsigned)newest);
    str_add(out, info.map_version < newest ? ", so it is *old*.\n" : ".\n");
    if (info.deaf) {
        str_add(out, "It is deaf: news of later maps do not reach it. It learns of a change when a "
                     "shard tells it so, or when it fetches the map.\n");
    }
    struct followed f = view_followed(s, NULL);
    if (f.found) {
        str_add(out, "\nFor ");
        view_add_key_code(out, f.key);
        str_addf(out, " (slot %u) its map says *", (unsigned)f.slot);
        view_add_shard(out, world_router_owner(w, router, f.slot));
        str_addf(out, "* at epoch %u; the plan says ",
                 (unsigned)world_router_epoch(w, router, f.slot));
        view_add_shard(out, world_owner(w, f.slot));
        str_addf(out, " at epoch %u.\n", (unsigned)world_epoch(w, f.slot));
    }
    str_add(out, "\nSince the start:\n\n");
    str_addf(out, "  requests  %9s\n", num_grouped((int64_t)info.requests).text);
    str_addf(out, "  redirects %9s   a shard said MOVED\n",
             num_grouped((int64_t)info.redirects).text);
    str_addf(out, "  retries   %9s   a shard said retry\n",
             num_grouped((int64_t)info.retries).text);
}

/* --- a record ------------------------------------------------------------------------------ */

/* The engine's sentences hold keys, whose bytes must not act as markup: all kept lines. */
static void tell_record(struct str *out, const struct world *w, const struct trace_record *r)
{
    struct str text = STR_EMPTY, lines = STR_EMPTY;
    trace_say(w, r, &text);
    view_add_wrapped(&lines, str_text(&text), 52, 0);
    str_clear(&text);
    trace_why(w, r, &text);
    str_add(&lines, "\nWhy?\n");
    view_add_wrapped(&lines, str_text(&text), 52, 0);
    const char *at = str_text(&lines);
    while (*at != '\0') {
        size_t length = 0;
        while (at[length] != '\0' && at[length] != '\n') {
            length++;
        }
        str_add(out, length > 0 ? "  " : "");
        str_addn(out, at, length);
        str_addc(out, '\n');
        at += length + (at[length] == '\n');
    }
    str_free(&text);
    str_free(&lines);
}

void inspect_tell(struct str *out, const struct scene *s, struct subject subject)
{
    if (!subject_exists(s, subject)) {
        str_add(out, "There is nothing to ask about here.\n");
        return;
    }
    switch (subject.kind) {
    case SUBJECT_KEY:
        tell_key(out, s->world, (uint32_t)subject.id);
        break;
    case SUBJECT_SLOT:
        tell_slot(out, s, (uint32_t)subject.id);
        break;
    case SUBJECT_SHARD:
        tell_shard(out, s, (uint16_t)subject.id);
        break;
    case SUBJECT_ROUTER:
        tell_router(out, s, (uint16_t)subject.id);
        break;
    case SUBJECT_RECORD:
        tell_record(out, s->world, trace_get(s->world, subject.id));
        break;
    case SUBJECT_SYSTEM:
        managed_inspect(out, s, subject.id);
        break;
    case SUBJECT_NONE:
        break;
    }
}
