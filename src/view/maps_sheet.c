/*
 * maps_sheet: beliefs about one slot, and the lines that they make.
 */
#include "view/maps_sheet.h"

#include <stdio.h>

uint32_t maps_router_count(const struct world *w)
{
    return world_config_of(w)->routers;
}

uint32_t maps_item_count(const struct world *w)
{
    return 1 + maps_router_count(w) + world_shards(w);
}

/* --- what a request would meet -------------------------------------------------------------- */

static void prospect_say(struct prospect *out, enum style style, const char *text,
                         const char *brief)
{
    out->style = style;
    (void)snprintf(out->text, sizeof out->text, "S%u %s", (unsigned)out->asked, text);
    (void)snprintf(out->brief, sizeof out->brief, "%s", brief);
}

struct prospect maps_prospect(const struct world *w, uint16_t router, uint32_t slot)
{
    struct prospect out = {.asked = world_router_owner(w, router, slot)};
    if (out.asked >= world_shards(w)) {
        out.style = STYLE_WARN;
        (void)snprintf(out.text, sizeof out.text, "knows no owner");
        (void)snprintf(out.brief, sizeof out.brief, "no owner");
        return out;
    }
    struct slot_row row = world_slot_row(w, out.asked, slot);
    if (world_shard(w, out.asked).down) {
        prospect_say(&out, STYLE_BAD, "is down", "down");
        return out;
    }
    if (!world_rule(w, RULE_SLOT_TABLE_CHECK) && row.state != SLOT_OWNED) {
        prospect_say(&out, STYLE_BAD, "serves unchecked", "unchecked");
        return out;
    }
    char moved[32], brief[24];
    switch ((enum slot_state)row.state) {
    case SLOT_OWNED:
        if (row.epoch > world_router_epoch(w, router, slot)) {
            prospect_say(&out, STYLE_WARN, "serves, says reload", "serves, reload");
        } else {
            prospect_say(&out, STYLE_TEXT, "serves", "serves");
        }
        break;
    case SLOT_MIGRATING:
        prospect_say(&out, STYLE_WARN, "says retry", "says retry");
        break;
    case SLOT_MOVED:
        (void)snprintf(moved, sizeof moved, "says MOVED to S%u", (unsigned)row.other);
        (void)snprintf(brief, sizeof brief, "MOVED to S%u", (unsigned)row.other);
        prospect_say(&out, STYLE_WARN, moved, brief);
        break;
    case SLOT_ABSENT:
        prospect_say(&out, STYLE_WARN, "has no row, says reload", "MOVED, reload");
        break;
    case SLOT_RECEIVING:
        prospect_say(&out, STYLE_WARN, "has a copy not in service", "not in service");
        break;
    case SLOT_LEAVING:
        prospect_say(&out, STYLE_WARN, "serves what is still here", "leaving");
        break;
    case SLOT_ARRIVING:
        prospect_say(&out, STYLE_WARN, "serves what has come", "arriving");
        break;
    case SLOT_STATES:
        break;
    }
    return out;
}

/* --- runs ---------------------------------------------------------------------------------- */

static bool same_belief(const struct world *w, uint16_t a, uint16_t b, uint32_t slot)
{
    struct router_info ia = world_router(w, a), ib = world_router(w, b);
    return ia.map_version == ib.map_version && ia.deaf == ib.deaf && ia.down == ib.down &&
           world_router_owner(w, a, slot) == world_router_owner(w, b, slot) &&
           world_router_epoch(w, a, slot) == world_router_epoch(w, b, slot);
}

uint16_t maps_run_end(const struct world *w, uint16_t first, uint32_t slot)
{
    uint32_t at = first;
    while (at + 1 < maps_router_count(w) && same_belief(w, first, (uint16_t)(at + 1), slot)) {
        at++;
    }
    return (uint16_t)at;
}

static bool is_absent(const struct world *w, uint32_t shard, uint32_t slot)
{
    return world_slot_row(w, (uint16_t)shard, slot).state == SLOT_ABSENT &&
           !world_shard(w, (uint16_t)shard).down;
}

uint16_t maps_absent_end(const struct world *w, uint16_t first, uint32_t slot)
{
    uint32_t at = first;
    while (at + 1 < world_shards(w) && is_absent(w, at + 1, slot)) {
        at++;
    }
    return (uint16_t)at;
}

void maps_add_range(struct str *out, char letter, unsigned first, unsigned last)
{
    str_addf(out, "%c%u", letter, first);
    if (last > first) {
        str_addf(out, "-%c%u", letter, last);
    }
}

/* --- lines --------------------------------------------------------------------------------- */

enum tightness {
    A_LINE_EACH,
    GROUPED,
    BARE,
    MERGED
};

#define NAMES_MAX 9 /* columns: as long as "directory" */

static void sheet_add(struct maps_sheet *sheet, struct maps_line line)
{
    if (sheet->count < MAPS_LINES_MAX) {
        sheet->line[sheet->count++] = line;
    }
}

static void sheet_heading(struct maps_sheet *sheet, const char *text, enum tightness tight)
{
    if (tight == A_LINE_EACH) {
        sheet_add(sheet, (struct maps_line){.kind = MAPS_GAP});
    }
    if (tight < BARE) {
        sheet_add(sheet, (struct maps_line){.kind = MAPS_HEADING, .text = text});
    }
}

void maps_add_names(struct str *out, const struct maps_line *line)
{
    char letter = line->kind == MAPS_ROUTERS ? 'R' : 'S';
    if (line->members == 0) {
        maps_add_range(out, letter, line->first, line->last);
        return;
    }
    for (unsigned i = 0; i < 64; i++) {
        unsigned end = i;
        if (line->members >> i & 1u) {
            while (end + 1 < 64 && line->members >> (end + 1) & 1u) {
                end++;
            }
            str_add(out, i > line->first ? " " : "");
            maps_add_range(out, letter, i, end);
            i = end;
        }
    }
}

/* All routers that think like the first one, as long as their names fit. */
static struct maps_line merged(const struct world *w, uint16_t first, uint32_t slot)
{
    struct maps_line out = {.kind = MAPS_ROUTERS, .first = first, .last = first};
    struct str names = STR_EMPTY;
    for (uint32_t i = first; i < maps_router_count(w); i++) {
        if (!same_belief(w, first, (uint16_t)i, slot)) {
            continue;
        }
        struct maps_line more = out;
        more.members |= 1ull << i;
        str_clear(&names);
        maps_add_names(&names, &more);
        if (names.length > NAMES_MAX) {
            break;
        }
        out.members = more.members;
        out.last = (uint16_t)i;
    }
    str_free(&names);
    return out;
}

static void add_routers(struct maps_sheet *out, const struct world *w, uint32_t slot,
                        enum tightness tight)
{
    uint32_t routers = maps_router_count(w);
    uint64_t seen = 0;
    for (uint32_t r = 0; r < routers; r++) {
        uint16_t first = (uint16_t)r;
        if (tight == MERGED && routers <= 64) {
            if (seen >> r & 1u) {
                continue;
            }
            struct maps_line line = merged(w, first, slot);
            seen |= line.members;
            sheet_add(out, line);
            continue;
        }
        uint16_t last = tight == A_LINE_EACH ? first : maps_run_end(w, first, slot);
        sheet_add(out, (struct maps_line){.kind = MAPS_ROUTERS, .first = first, .last = last});
        r = last;
    }
}

static void sheet_fill(struct maps_sheet *out, const struct world *w, uint32_t slot,
                       enum tightness tight)
{
    bool elsewhere = false;
    out->count = 0;
    sheet_add(out, (struct maps_line){.kind = MAPS_PLAN});
    sheet_heading(out, "routers' copies of the map", tight);
    add_routers(out, w, slot, tight);
    sheet_heading(out, "shards' slot tables", tight);
    for (uint32_t i = 0; i < world_shards(w); i++) {
        uint16_t first = (uint16_t)i, last = first;
        bool absent = is_absent(w, i, slot);
        if (absent && (tight != A_LINE_EACH || world_shards(w) > 8)) {
            last = maps_absent_end(w, first, slot);
        }
        if (absent && tight >= BARE) {
            elsewhere = true;
        } else {
            sheet_add(out, (struct maps_line){.kind = MAPS_SHARDS, .first = first, .last = last});
        }
        i = last;
    }
    if (elsewhere && tight == BARE) {
        sheet_add(out, (struct maps_line){.kind = MAPS_ELSEWHERE});
    }
}

void maps_sheet_fit(struct maps_sheet *out, const struct world *w, uint32_t slot, int rows)
{
    sheet_fill(out, w, slot, A_LINE_EACH);
    if (out->count > rows) {
        sheet_fill(out, w, slot, GROUPED);
    }
    if (out->count > rows) {
        sheet_fill(out, w, slot, BARE);
    }
    if (out->count > rows) {
        sheet_fill(out, w, slot, MERGED);
    }
}

bool maps_is_about(const struct maps_line *line, uint32_t index)
{
    bool among = line->members == 0 || (index < 64 && line->members >> index & 1u);
    return index >= line->first && index <= line->last && among;
}

int maps_sheet_find(const struct maps_sheet *sheet, const struct world *w, uint32_t item)
{
    uint32_t routers = maps_router_count(w);
    enum maps_line_kind kind = item == 0 ? MAPS_PLAN : item <= routers ? MAPS_ROUTERS : MAPS_SHARDS;
    uint32_t index = item == 0 ? 0 : item <= routers ? item - 1 : item - 1 - routers;
    int elsewhere = 0;
    for (int i = 0; i < sheet->count; i++) {
        const struct maps_line *line = &sheet->line[i];
        if (line->kind == kind && maps_is_about(line, index)) {
            return i;
        }
        if (line->kind == MAPS_ELSEWHERE && kind == MAPS_SHARDS) {
            elsewhere = i;
        }
    }
    return elsewhere;
}

bool maps_can_select(const struct maps_line *line)
{
    return line->kind == MAPS_PLAN || line->kind == MAPS_ROUTERS || line->kind == MAPS_SHARDS;
}

uint32_t maps_item_of(const struct maps_line *line, const struct world *w)
{
    if (line->kind == MAPS_ROUTERS) {
        return 1u + line->first;
    }
    return line->kind == MAPS_SHARDS ? 1u + maps_router_count(w) + line->first : 0;
}
