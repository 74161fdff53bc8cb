/*
 * maps: who believes what about one slot.
 *
 * Three kinds of knowledge stand under one another: the directory's plan, the routers' cached
 * copies of it, and the shards' slot tables, which decide. Beside each router stands what a request
 * would meet that it sends now, by its map and the asked shard's row. The router that the learner's
 * actions go through is marked. Argument: a key or a slot; without one, the page's key. Selection:
 * an item, counted over directory, routers, shards.
 */
#include "base/utf8.h"
#include "engine/faults/faults.h"
#include "view/maps_sheet.h"
#include <stdio.h>

#define TOLD_SHARDS 64
#define WIDE 64 /* columns from which whole sentences fit */
#define MIN_ROWS 8
#define WANTS_MAX 16     /* of many shards' rows the rest scrolls */
#define MOVED_COLUMNS 11 /* "moved to S" and a blank behind the number */

static uint32_t selected_item(const struct view_state *v, const struct world *w)
{
    return v->has_selection ? (uint32_t)view_clamp(v->selected, 0, maps_item_count(w) - 1) : 0;
}

/* What is wrong with a router's knowledge: "old, deaf"; in brief the part that no number tells. */
static const char *router_state(const struct world *w, uint16_t router, bool brief)
{
    struct router_info info = world_router(w, router);
    bool old = info.map_version < world_map_version(w);
    if (info.down) {
        return "down";
    }
    if (info.deaf) {
        return old && !brief ? "old, deaf" : "deaf";
    }
    return old ? "old" : "";
}

/* What a router knows and what a request would meet that it sends now, in as many words as fit. */
static void add_prospect(struct str *out, const struct scene *s, uint16_t router,
                         const struct prospect *next, int columns)
{
    bool tells = !view_question_open(s);
    for (int brevity = 0; brevity < 4; brevity++) {
        const char *state = router_state(s->world, router, brevity >= 2);
        const char *what = !tells || world_router(s->world, router).down ? ""
                           : brevity == 0                                ? next->text
                                                                         : next->brief;
        bool both = state[0] != '\0' && what[0] != '\0';
        str_clear(out);
        str_addf(out, "%s%s%s", brevity == 3 && both ? "" : state, both && brevity < 3 ? ": " : "",
                 what);
        if (utf8_columns(str_text(out), out->length) <= columns) {
            return;
        }
    }
}

/* --- drawing ------------------------------------------------------------------------------- */

/* Where each column begins, for the widest numbers of this world. */
struct columns {
    int version, owner, epoch, rest;
    bool wide;
};

static int digits_of(uint32_t number)
{
    char text[16];
    return snprintf(text, sizeof text, "%u", (unsigned)number);
}

static struct columns columns_of(const struct world *w, uint32_t slot, int width)
{
    struct columns out = {.wide = width >= WIDE};
    int gap = width >= 52 ? 3 : 1;
    uint32_t routers = maps_router_count(w);
    int names = 3 + 2 * digits_of(routers > 0 ? routers - 1 : 0);  /* "R0-R4" */
    out.version = (names < 9 ? 9 : names) + (width >= 52 ? 4 : 1); /* "directory" */
    out.owner = out.version + 1 + digits_of(world_map_version(w)) + gap;
    out.epoch = out.owner + 1 + digits_of(world_shards(w) - 1) + gap;
    out.rest = out.epoch + 1 + digits_of(world_epoch(w, slot)) + (out.wide ? 4 : 2);
    return out;
}

static int draw_owner(struct canvas *c, int x, int y, uint32_t shard)
{
    struct str text = STR_EMPTY;
    view_add_shard(&text, shard);
    int taken = canvas_text(c, x, y, shard == SHARD_NONE ? STYLE_WARN : style_owner(shard),
                            str_text(&text));
    str_free(&text);
    return taken;
}

static void draw_plan(struct canvas *c, int y, const struct columns *col, const struct world *w,
                      uint32_t slot)
{
    bool down = world_directory_down(w);
    canvas_text(c, 0, y, down ? STYLE_DIM : STYLE_STRONG, "directory");
    canvas_textf(c, col->version, y, down ? STYLE_DIM : STYLE_TEXT, "v%u",
                 (unsigned)world_map_version(w));
    draw_owner(c, col->owner, y, world_owner(w, slot));
    canvas_textf(c, col->epoch, y, down ? STYLE_DIM : STYLE_TEXT, "e%u",
                 (unsigned)world_epoch(w, slot));
    if (down) {
        canvas_restyle(c, (struct rect){col->owner, y, col->rest - col->owner, 1}, STYLE_DIM);
    }
    canvas_text_fit(c, col->rest, y, canvas_width(c) - col->rest, down ? STYLE_BAD : STYLE_DIM,
                    !down       ? "the plan"
                    : col->wide ? "down: answers nobody, tells nobody"
                                : "down");
}

static void draw_routers(struct canvas *c, int y, const struct columns *col, const struct scene *s,
                         const struct maps_line *line, uint32_t slot)
{
    const struct world *w = s->world;
    struct router_info info = world_router(w, line->first);
    struct prospect next = maps_prospect(w, line->first, slot);
    struct str text = STR_EMPTY;
    bool mine = s->page != NULL && s->page->actions > 0 && maps_is_about(line, s->page->router);
    if (mine) {
        canvas_put(c, 0, y, STYLE_KEYCAP, view_sign(c, 0x25B8, '>'));
    }
    maps_add_names(&text, line);
    canvas_text(c, 1, y, mine ? STYLE_STRONG : STYLE_TEXT, str_text(&text));
    bool old = info.map_version < world_map_version(w);
    canvas_textf(c, col->version, y, old ? STYLE_WARN : STYLE_TEXT, "v%u",
                 (unsigned)info.map_version);
    draw_owner(c, col->owner, y, next.asked);
    bool wrong = next.asked != world_owner(w, slot);
    canvas_textf(c, col->epoch, y, wrong ? STYLE_WARN : STYLE_TEXT, "e%u",
                 (unsigned)world_router_epoch(w, line->first, slot));
    bool tells = !view_question_open(s), down = info.down;
    add_prospect(&text, s, line->first, &next, canvas_width(c) - col->rest);
    enum style style = down                                ? STYLE_BAD
                       : next.style != STYLE_TEXT && tells ? next.style
                       : info.deaf || old                  ? STYLE_TEXT
                                                           : STYLE_DIM;
    canvas_text_fit(c, col->rest, y, canvas_width(c) - col->rest, style, str_text(&text));
    str_free(&text);
}

/* What the shard's store holds of the followed key; 0 when no single shard or key is meant. */
static uint64_t value_of(const struct world *w, const struct maps_line *line,
                         const struct followed *f)
{
    uint32_t id;
    if (!f->is_key || line->first != line->last || !world_find_key(w, f->key, &id)) {
        return 0;
    }
    return world_value(w, line->first, id);
}

/* Names of shards are short: their states begin left of the versions where that saves room. */
static int shard_state_at(const struct columns *col, const struct world *w)
{
    int names = 1 + 3 + 2 * digits_of(world_shards(w) - 1) + 1; /* "S0-S1" */
    return col->wide || names > col->version ? col->version : names;
}

static void draw_shards(struct canvas *c, int y, const struct columns *col, const struct world *w,
                        const struct maps_line *line, const struct followed *f)
{
    struct slot_row row = world_slot_row(w, line->first, f->slot);
    enum style style = row.state == SLOT_OWNED    ? STYLE_TEXT
                       : row.state == SLOT_ABSENT ? STYLE_DIM
                                                  : STYLE_WARN;
    struct str text = STR_EMPTY;
    maps_add_names(&text, line);
    canvas_text(c, 1, y, style_owner(line->first), str_text(&text));
    int x = shard_state_at(col, w);
    int epoch = x + MOVED_COLUMNS + digits_of(world_shards(w) - 1);
    str_clear(&text);
    str_add(&text, world_shard(w, line->first).down ? "down, " : "");
    str_add(&text, slot_state_name((enum slot_state)row.state));
    if (row.state == SLOT_ABSENT) {
        str_add(&text, line->last > line->first ? ": not their slot" : ": not its slot");
    }
    x += canvas_text(c, x, y, style, str_text(&text)) + 1;
    if (row.state == SLOT_MOVED) {
        x += canvas_text(c, x, y, style, "to ");
        x += draw_owner(c, x, y, row.other) + 1;
    }
    if (row.state != SLOT_ABSENT) {
        x = x > epoch ? x : epoch;
        x += canvas_textf(c, x, y, STYLE_TEXT, "e%u", (unsigned)row.epoch) + 2;
    }
    uint64_t value = value_of(w, line, f);
    if (value > 0) {
        x = x > col->rest ? x : col->rest;
        canvas_textf(c, x, y, STYLE_DIM, "holds %s", num_grouped((int64_t)value).text);
    }
    str_free(&text);
}

static void draw_line_of(struct canvas *c, int y, const struct scene *s,
                         const struct maps_line *line, const struct followed *f)
{
    struct columns col = columns_of(s->world, f->slot, canvas_width(c));
    switch (line->kind) {
    case MAPS_PLAN:
        draw_plan(c, y, &col, s->world, f->slot);
        break;
    case MAPS_ROUTERS:
        draw_routers(c, y, &col, s, line, f->slot);
        break;
    case MAPS_SHARDS:
        draw_shards(c, y, &col, s->world, line, f);
        break;
    case MAPS_ELSEWHERE:
        canvas_text(c, shard_state_at(&col, s->world), y, STYLE_DIM,
                    "no row elsewhere: not their slot");
        break;
    case MAPS_HEADING:
        canvas_text(c, 0, y, STYLE_DIM, line->text);
        break;
    case MAPS_GAP:
        break;
    }
}

static void draw_title(struct canvas *c, const struct scene *s, const struct followed *f)
{
    struct str text = STR_EMPTY;
    str_addf(&text, "slot %u  ", (unsigned)f->slot);
    if (f->is_key) {
        view_add_key(&text, f->key);
    } else {
        (void)view_add_slot_keys(&text, s->world, f->slot, 3);
    }
    view_draw_line(c, 0, STYLE_CODE, str_text(&text));
    str_free(&text);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    int w = canvas_width(c), h = canvas_height(c);
    struct followed f = view_followed(s, v->argument);
    if (s->world == NULL || !f.found) {
        view_draw_note(c, s->world == NULL ? "there is no cluster here" : "no key is chosen yet");
        return;
    }
    if (w < 1 || h < 1) {
        return;
    }
    struct maps_sheet sheet;
    int title = h >= 4 ? 1 : 0;
    maps_sheet_fit(&sheet, s->world, f.slot, h - title);
    if (title > 0) {
        draw_title(c, s, &f);
    }
    int at = maps_sheet_find(&sheet, s->world, selected_item(v, s->world));
    bool cut = sheet.count > h - title;
    int rows = h - title - (cut && h - title > 2);
    int first = (int)view_list_first(0, at, sheet.count, rows);
    for (int i = 0; i < rows && first + i < sheet.count; i++) {
        draw_line_of(c, title + i, s, &sheet.line[first + i], &f);
    }
    if (rows < h - title) {
        canvas_textf(c, 0, h - 1, STYLE_DIM, "lines %d-%d of %d", first + 1, first + rows,
                     sheet.count);
    }
    if (focused || v->has_selection) {
        canvas_restyle(c, (struct rect){0, title + at - first, w, 1}, STYLE_SELECTED);
        if (focused) {
            canvas_cursor(c, 0, title + at - first);
        }
    }
}

/* All lines in their tightest form. */
static int wants(const struct scene *s, const struct view_state *v)
{
    struct followed f = view_followed(s, v->argument);
    if (s->world == NULL || !f.found) {
        return MIN_ROWS;
    }
    struct maps_sheet sheet;
    maps_sheet_fit(&sheet, s->world, f.slot, 1);
    return (int)view_clamp(1 + sheet.count, MIN_ROWS, WANTS_MAX);
}

/* Moves from line to line as they are drawn, so that a line of several routers counts once. */
static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct followed f = view_followed(s, v->argument);
    if (s->world == NULL || !f.found || w < 1 || h < 1) {
        return false;
    }
    struct maps_sheet sheet;
    int title = h >= 4 ? 1 : 0;
    maps_sheet_fit(&sheet, s->world, f.slot, h - title);
    int64_t was = maps_sheet_find(&sheet, s->world, selected_item(v, s->world)), at = was;
    if (!view_list_move(&at, sheet.count, verb, h - title - 1)) {
        return false;
    }
    int step = at > was ? 1 : -1;
    while (at >= 0 && at < sheet.count && !maps_can_select(&sheet.line[at])) {
        at += step;
    }
    if (at >= sheet.count) { /* the last lines cannot be selected: back to the last that can */
        for (at = sheet.count - 1; at > 0 && !maps_can_select(&sheet.line[at]);) {
            at--;
        }
    }
    if (at < 0 || at == was) {
        return false;
    }
    v->has_selection = true;
    v->selected = maps_item_of(&sheet.line[at], s->world);
    return true;
}

/* --- words --------------------------------------------------------------------------------- */

static void tell_routers(struct str *out, const struct scene *s, uint32_t slot)
{
    const struct world *w = s->world;
    bool tells = !view_question_open(s);
    struct str name = STR_EMPTY;
    for (uint32_t r = 0; r < maps_router_count(w); r++) {
        uint16_t first = (uint16_t)r, last = maps_run_end(w, first, slot);
        struct prospect next = maps_prospect(w, first, slot);
        const char *state = router_state(w, first, false);
        str_clear(&name);
        maps_add_range(&name, 'R', first, last);
        str_addf(out, "%-10s v%-5u ", str_text(&name),
                 (unsigned)world_router(w, first).map_version);
        str_clear(&name);
        view_add_shard(&name, next.asked);
        str_addf(out, "%-6s %-6u %s%s%s\n", str_text(&name),
                 (unsigned)world_router_epoch(w, first, slot), state,
                 state[0] != '\0' && tells ? ": " : "", tells ? next.text : "");
        r = last;
    }
    str_free(&name);
}

static void tell_tables(struct str *out, const struct world *w, const struct followed *f)
{
    struct str name = STR_EMPTY;
    str_add(out, "Slot tables, which decide:\n");
    for (uint32_t i = 0; i < world_shards(w) && i < TOLD_SHARDS; i++) {
        struct maps_line line = {.first = (uint16_t)i, .last = (uint16_t)i};
        struct slot_row row = world_slot_row(w, line.first, f->slot);
        if (row.state == SLOT_ABSENT) {
            line.last = maps_absent_end(w, line.first, f->slot);
        }
        str_clear(&name);
        maps_add_range(&name, 'S', line.first, line.last);
        str_addf(out, "%-10s %s", str_text(&name), world_shard(w, line.first).down ? "down; " : "");
        view_add_row(out, row);
        uint64_t value = value_of(w, &line, f);
        if (value > 0) {
            str_addf(out, "; its store holds %s", num_grouped((int64_t)value).text);
        }
        str_addc(out, '\n');
        i = line.last;
    }
    str_free(&name);
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct followed f = view_followed(s, v->argument);
    if (s->world == NULL || !f.found) {
        str_add(out, s->world == NULL ? "There is no cluster here.\n" : "No key is chosen yet.\n");
        return;
    }
    struct str line = STR_EMPTY;
    str_addf(&line, "Slot %u", (unsigned)f.slot);
    if (f.is_key) {
        str_add(&line, ", where ");
        view_add_key(&line, f.key);
        str_add(&line, " is");
    }
    str_addc(&line, '.');
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 2);
    str_clear(&line);
    view_add_shard(&line, world_owner(s->world, f.slot));
    str_addf(out, "who        map    owner  epoch  %s\n",
             view_question_open(s) ? "" : "a request through it");
    str_addf(out, "directory  v%-5u %-6s %u%s\n", (unsigned)world_map_version(s->world),
             str_text(&line), (unsigned)world_epoch(s->world, f.slot),
             world_directory_down(s->world) ? "      down" : "");
    tell_routers(out, s, f.slot);
    tell_tables(out, s->world, &f);
    if (!world_rule(s->world, RULE_SLOT_TABLE_CHECK)) {
        str_add(out, "The rule slot-table-check is off: shards serve whatever they are asked.\n");
    }
    str_free(&line);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct followed f = view_followed(s, v->argument);
    if (s->world == NULL || !f.found) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    uint32_t at = selected_item(v, s->world), routers = maps_router_count(s->world);
    if (at == 0) {
        return (struct subject){.kind = SUBJECT_SLOT, .id = f.slot};
    }
    if (at <= routers) {
        return (struct subject){.kind = SUBJECT_ROUTER, .id = at - 1};
    }
    return (struct subject){.kind = SUBJECT_SHARD, .id = at - 1 - routers};
}

const struct view view_maps = {
    .name = "maps",
    .title = "Who believes what",
    .min_rows = MIN_ROWS,
    .want_rows = 11,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
