/*
 * tables: what every table says of one slot on its way: two slot tables, the directory, the maps.
 *
 * The rows of the two shards come first, each with the states that its row goes through and the one
 * that it is in; below them the directory's row, then the routers' copies of it with the shard that
 * each would ask and what it would be told. A router whose map is older than the directory's is
 * marked, and so is one that would be sent away. (The view `maps` shows all shards and one key.)
 * Argument: "tables", "tables:12067", "tables:post:{p9}"; see moving.h. Selection: a line.
 */
#include "engine/faults/faults.h"
#include "view/maps_sheet.h"
#include "view/moving.h"
#include <string.h>

#define MIN_ROWS 8
#define NAME 10 /* columns of "directory " */
#define GROUPS_MAX 16

/* Routers that believe the same. */
struct group {
    uint16_t first;
    uint32_t routers;
    struct str names; /* "R0-R4" */
};

struct tables {
    struct moving k;
    struct group group[GROUPS_MAX];
    int groups;
};

/* --- groups -------------------------------------------------------------------------------- */

static bool same(const struct world *w, uint16_t a, uint16_t b, uint32_t slot)
{
    struct router_info ia = world_router(w, a), ib = world_router(w, b);
    return ia.map_version == ib.map_version && ia.deaf == ib.deaf && ia.down == ib.down &&
           world_router_owner(w, a, slot) == world_router_owner(w, b, slot) &&
           world_router_epoch(w, a, slot) == world_router_epoch(w, b, slot);
}

static void add_group(struct tables *t, uint16_t first)
{
    struct group *g = &t->group[t->groups++];
    uint32_t routers = world_config_of(t->k.w)->routers, from = UINT32_MAX;
    *g = (struct group){.first = first};
    for (uint32_t r = first; r <= routers; r++) {
        bool member = r < routers && same(t->k.w, first, (uint16_t)r, t->k.slot);
        g->routers += member;
        if (member) {
            from = from == UINT32_MAX ? r : from;
        } else if (from != UINT32_MAX) {
            str_add(&g->names, g->names.length > 0 ? " " : "");
            maps_add_range(&g->names, 'R', from, r - 1);
            from = UINT32_MAX;
        }
    }
}

static void tables_open(struct tables *t, const struct scene *s, const char *argument)
{
    *t = (struct tables){.groups = 0};
    moving_open(&t->k, s, argument, MANNER_ANY);
    if (!t->k.known) {
        return;
    }
    uint32_t routers = world_config_of(t->k.w)->routers;
    for (uint32_t r = 0; r < routers && t->groups < GROUPS_MAX; r++) {
        bool seen = false;
        for (int i = 0; i < t->groups && !seen; i++) {
            seen = same(t->k.w, t->group[i].first, (uint16_t)r, t->k.slot);
        }
        if (!seen) {
            add_group(t, (uint16_t)r);
        }
    }
}

static void tables_close(struct tables *t)
{
    for (int i = 0; i < t->groups; i++) {
        str_free(&t->group[i].names);
    }
}

/* Lines that can be selected: two shards (or the owner), the directory, the groups. */
static int shard_lines(const struct tables *t)
{
    return t->k.source != SHARD_NONE ? 2 : 1;
}

static uint16_t shard_at(const struct tables *t, int line)
{
    return t->k.source == SHARD_NONE ? world_owner(t->k.w, t->k.slot)
           : line == 0               ? t->k.source
                                     : t->k.target;
}

static int lines_of(const struct tables *t)
{
    return shard_lines(t) + 1 + t->groups;
}

static int64_t selected_line(const struct tables *t, const struct view_state *v)
{
    return v->has_selection ? view_clamp(v->selected, 0, lines_of(t) - 1) : 0;
}

/* --- what a row goes through --------------------------------------------------------------- */

struct course {
    enum slot_state state[3];
    int count;
};

static struct course course_of(const struct tables *t, int line)
{
    bool ask = t->k.shift.kind == SHIFT_ASK, dual = t->k.shift.kind == SHIFT_DUAL;
    if (t->k.source == SHARD_NONE) {
        bool owned = world_slot_row(t->k.w, shard_at(t, 0), t->k.slot).state == SLOT_OWNED;
        return (struct course){.state = {SLOT_OWNED, SLOT_MIGRATING}, .count = owned ? 1 : 2};
    }
    if (line == 0) {
        return dual ? (struct course){.state = {SLOT_OWNED, SLOT_ARRIVING, SLOT_MOVED}, .count = 3}
                    : (struct course){
                          .state = {SLOT_OWNED, ask ? SLOT_LEAVING : SLOT_MIGRATING, SLOT_MOVED},
                          .count = 3};
    }
    enum slot_state was = t->k.moves && t->k.m.back ? SLOT_MOVED : SLOT_ABSENT;
    return (struct course){.state = {was, ask || dual ? SLOT_ARRIVING : SLOT_RECEIVING, SLOT_OWNED},
                           .count = 3};
}

static enum style state_style(enum slot_state state)
{
    return state == SLOT_OWNED ? STYLE_GOOD : state == SLOT_ABSENT ? STYLE_DIM : STYLE_WARN;
}

/* What a shard with such a row does with a request. */
static const char *moved_words(const struct tables *t, bool brief)
{
    return t->k.asking ? brief ? "refuses" : "sends away"
           : brief     ? "for ever"
                       : "sends away, for ever";
}

static const char *meaning_of(const struct tables *t, uint16_t shard, bool brief)
{
    static const struct {
        const char *text, *brief;
    } meanings[SLOT_STATES] = {
        [SLOT_ABSENT] = {"not its slot: fetch the map", "not its slot"},
        [SLOT_OWNED] = {"serves it", "serves"},
        [SLOT_MIGRATING] = {"serves nobody: retry", "retry"},
        [SLOT_RECEIVING] = {"serves nobody yet", "serves none"},
        [SLOT_LEAVING] = {"serves what it has, ASK for the rest", "or ASK"},
        [SLOT_ARRIVING] = {"serves those who say ASKING", "to ASKING"},
    };
    enum slot_state state = (enum slot_state)world_slot_row(t->k.w, shard, t->k.slot).state;
    if (world_shard(t->k.w, shard).down) {
        return brief ? "down" : "down: answers nobody";
    }
    if (!world_rule(t->k.w, RULE_SLOT_TABLE_CHECK) && state != SLOT_OWNED) {
        return brief ? "serves" : "serves unchecked";
    }
    if (state == SLOT_ARRIVING && t->k.shift.kind == SHIFT_DUAL) {
        return brief ? "2nd writes" : "takes second writes alone";
    }
    if (state == SLOT_RECEIVING && !world_rule(t->k.w, RULE_TARGET_WAITS)) {
        return brief ? "serves" : "serves before its turn";
    }
    return state == SLOT_MOVED ? moved_words(t, brief)
           : brief             ? meanings[state].brief
                               : meanings[state].text;
}

/* Serves though its row says that it must not. */
static bool serves_wrongly(const struct tables *t, uint16_t shard)
{
    enum slot_state state = (enum slot_state)world_slot_row(t->k.w, shard, t->k.slot).state;
    bool early = state == SLOT_RECEIVING && !world_rule(t->k.w, RULE_TARGET_WAITS);
    bool blind = state != SLOT_OWNED && !world_rule(t->k.w, RULE_SLOT_TABLE_CHECK);
    return (early || blind) && !world_shard(t->k.w, shard).down;
}

/* "owned, epoch 7"; "receiving from S2": its copy has no epoch yet. */
static void add_row(struct str *out, struct slot_row row)
{
    if (row.state == SLOT_RECEIVING || row.state == SLOT_ARRIVING) {
        str_addf(out, "%s from ", slot_state_name((enum slot_state)row.state));
        view_add_shard(out, row.other);
    } else {
        view_add_row(out, row);
    }
}

/* --- drawing ------------------------------------------------------------------------------- */

/* While the page asks, only as far as the row has come. */
static void draw_course(struct canvas *c, int x, int y, const struct tables *t, int line)
{
    struct course course = course_of(t, line);
    enum slot_state now =
        (enum slot_state)world_slot_row(t->k.w, shard_at(t, line), t->k.slot).state;
    bool here = false;
    for (int i = 0; i < course.count && !(here && t->k.asking); i++) {
        here = course.state[i] == now;
        if (i > 0) {
            canvas_put(c, x, y, STYLE_DIM, view_sign(c, 0x2192, '>'));
            x += 2;
        }
        if (here) {
            canvas_put(c, x, y, state_style(now), view_sign(c, 0x25CF, '*'));
            x++;
        }
        x += canvas_text(c, x, y, here ? state_style(now) : STYLE_DIM,
                         slot_state_name(course.state[i])) +
             1;
    }
}

/* A shard's row: two lines where there is room. */
static void draw_shard(struct canvas *c, int y, const struct tables *t, int line, bool twice)
{
    int w = canvas_width(c);
    uint16_t shard = shard_at(t, line);
    struct slot_row row = world_slot_row(t->k.w, shard, t->k.slot);
    enum slot_state state = (enum slot_state)row.state;
    struct str text = STR_EMPTY;
    int x = moving_draw_shard(c, 0, y, shard);
    canvas_text(c, x, y, STYLE_STRONG, "'s row");
    add_row(&text, row);
    int at = NAME +
             canvas_text_fit(c, NAME, y, w - NAME,
                             world_shard(t->k.w, shard).down ? STYLE_BAD : state_style(state),
                             str_text(&text)) +
             2;
    const char *meaning = meaning_of(t, shard, false);
    if ((int)strlen(meaning) > w - at) {
        meaning = meaning_of(t, shard, true);
    }
    int end = canvas_text_fit(c, at, y, w - at, serves_wrongly(t, shard) ? STYLE_BAD : STYLE_DIM,
                              meaning);
    if (twice) {
        draw_course(c, NAME, y + 1, t, line);
    } else if (w >= 100) {
        draw_course(c, at + end + 4 > 76 ? at + end + 4 : 76, y, t, line);
    }
    str_free(&text);
}

static void draw_plan(struct canvas *c, int y, const struct tables *t)
{
    int w = canvas_width(c);
    bool down = world_directory_down(t->k.w);
    canvas_text(c, 0, y, down ? STYLE_DIM : STYLE_STRONG, "directory");
    int x = NAME + moving_draw_shard(c, NAME, y, world_owner(t->k.w, t->k.slot));
    x += canvas_textf(c, x, y, STYLE_TEXT, ", epoch %u, map v%u",
                      (unsigned)world_epoch(t->k.w, t->k.slot),
                      (unsigned)world_map_version(t->k.w)) +
         2;
    bool coming = t->k.moves && t->k.m.committing;
    int room = w - x;
    const char *words = down         ? "down"
                        : !coming    ? room >= 19 ? "decides who owns it" : "decides"
                        : room >= 22 ? "a commit is on its way"
                        : room >= 14 ? "a commit comes"
                                     : "commit";
    canvas_text_fit(c, x, y, room, down ? STYLE_BAD : coming ? STYLE_WARN : STYLE_DIM, words);
}

static void draw_group(struct canvas *c, int y, const struct tables *t, const struct group *g)
{
    const struct world *w = t->k.w;
    int columns = canvas_width(c);
    struct router_info info = world_router(w, g->first);
    struct prospect next = maps_prospect(w, g->first, t->k.slot);
    bool old = info.map_version < world_map_version(w);
    const char *blank = strchr(next.text, ' '), *what = blank == NULL ? next.text : blank + 1;
    canvas_text_fit(c, 0, y, NAME - 1, STYLE_TEXT, str_text(&g->names));
    int x = NAME + canvas_textf(c, NAME, y, old ? STYLE_WARN : STYLE_TEXT, "map v%u",
                                (unsigned)info.map_version);
    if (info.down) {
        canvas_text(c, x, y, STYLE_BAD, ", down");
        return;
    }
    if (old) {
        x += canvas_textf(c, x, y, STYLE_WARN, " %s",
                          canvas_glyphs(c) == GLYPHS_UTF8 ? "\u00d7 stale" : "x stale");
    }
    if (info.deaf && (!old || columns >= 52)) {
        x += canvas_text(c, x, y, STYLE_WARN, old ? ", deaf" : " deaf");
    }
    x += canvas_text(c, x, y, STYLE_DIM, columns >= 60 || t->k.asking ? ", asks " : ": ");
    x += moving_draw_shard(c, x, y, next.asked);
    if (t->k.asking) { /* what that one will say is what the page asks for */
        return;
    }
    x += columns >= 60 ? canvas_text(c, x, y, STYLE_DIM, ", which") : 0;
    what = (int)strlen(what) <= columns - x - 1 ? what : next.brief;
    canvas_text_fit(c, x + 1, y, columns - x - 1,
                    next.style == STYLE_TEXT ? STYLE_GOOD : next.style, what);
}

struct shape {
    int shard; /* lines of a shard */
    bool gaps;
};

static struct shape shape_of(const struct tables *t, int w, int h)
{
    int least = 1 + lines_of(t);
    struct shape out = {.shard = 1};
    if (w < 100 && h >= least + shard_lines(t)) {
        out.shard = 2;
        least += shard_lines(t);
    }
    out.gaps = h >= least + 3;
    return out;
}

static int row_of(const struct tables *t, const struct shape *shape, int line)
{
    int y = 1 + shape->gaps, shards = shard_lines(t);
    if (line < shards) {
        return y + line * shape->shard;
    }
    y += shards * shape->shard + shape->gaps;
    return line == shards ? y : y + 1 + shape->gaps + (line - shards - 1);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct tables t;
    int w = canvas_width(c), h = canvas_height(c);
    if (w < 1 || h < 1) {
        return;
    }
    tables_open(&t, s, v->argument);
    if (!t.k.known) {
        struct str text = STR_EMPTY;
        moving_add_none(&text, &t.k);
        view_draw_note(c, str_text(&text));
        str_free(&text);
        return;
    }
    moving_draw_head(c, &t.k, "", STYLE_DIM);
    struct shape shape = shape_of(&t, w, h);
    int shards = shard_lines(&t);
    for (int i = 0; i < lines_of(&t); i++) {
        int y = row_of(&t, &shape, i);
        if (i < shards) {
            draw_shard(c, y, &t, i, shape.shard == 2);
        } else if (i == shards) {
            draw_plan(c, y, &t);
        } else {
            draw_group(c, y, &t, &t.group[i - shards - 1]);
        }
        if (i == selected_line(&t, v) && (focused || v->has_selection)) {
            canvas_restyle(c, (struct rect){0, y, NAME - 1, 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, 0, y);
            }
        }
    }
    tables_close(&t);
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct tables t;
    tables_open(&t, s, v->argument);
    int rows = t.k.known ? 1 + lines_of(&t) + shard_lines(&t) : MIN_ROWS;
    tables_close(&t);
    return rows;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct tables t;
    bool changed = false;
    tables_open(&t, s, v->argument);
    if (t.k.known && w > 0 && h > 0) {
        int64_t at = selected_line(&t, v);
        bool begun = v->has_selection;
        changed = view_list_move(&at, lines_of(&t), verb, h) || (!begun && verb == VERB_UP);
        if (changed) {
            v->has_selection = true;
            v->selected = at;
        }
    }
    tables_close(&t);
    return changed;
}

/* --- words --------------------------------------------------------------------------------- */

static void tell_group(struct str *out, const struct tables *t, const struct group *g)
{
    const struct world *w = t->k.w;
    struct router_info info = world_router(w, g->first);
    struct prospect next = maps_prospect(w, g->first, t->k.slot);
    bool old = info.map_version < world_map_version(w);
    struct str line = STR_EMPTY;
    str_addf(&line, "%s: map v%u%s%s%s, ", str_text(&g->names), (unsigned)info.map_version,
             old ? ", STALE" : "", info.deaf ? ", deaf" : "", info.down ? ", down" : "");
    str_addf(&line, "epoch %u. Asks ", (unsigned)world_router_epoch(w, g->first, t->k.slot));
    view_add_shard(&line, next.asked);
    str_add(&line, t->k.asking ? "" : ": ");
    str_addf(&line, "%s.", t->k.asking ? "" : next.text);
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 4);
    str_free(&line);
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct tables t;
    struct str line = STR_EMPTY;
    tables_open(&t, s, v->argument);
    if (!t.k.known) {
        moving_add_none(&line, &t.k);
        line.text[0] = (char)(line.text[0] - 'a' + 'A');
        str_addf(out, "%s.\n", str_text(&line));
        str_free(&line);
        return;
    }
    str_addf(out, "What the tables say of slot %u:\n", (unsigned)t.k.slot);
    for (int i = 0; i < shard_lines(&t); i++) {
        uint16_t shard = shard_at(&t, i);
        str_clear(&line);
        str_addf(&line, "Slot table of S%u: ", (unsigned)shard);
        add_row(&line, world_slot_row(t.k.w, shard, t.k.slot));
        str_addf(&line, "; %s.", meaning_of(&t, shard, false));
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 4);
    }
    str_clear(&line);
    str_add(&line, "Directory: ");
    view_add_shard(&line, world_owner(t.k.w, t.k.slot));
    str_addf(&line, ", epoch %u, map v%u%s%s.", (unsigned)world_epoch(t.k.w, t.k.slot),
             (unsigned)world_map_version(t.k.w), world_directory_down(t.k.w) ? ", down" : "",
             t.k.moves && t.k.m.committing ? "; a commit is on its way to it" : "");
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 4);
    for (int i = 0; i < t.groups; i++) {
        tell_group(out, &t, &t.group[i]);
    }
    if (!world_rule(t.k.w, RULE_SLOT_TABLE_CHECK)) {
        str_add(out, "The rule slot-table-check is off: shards serve whatever they are asked.\n");
    }
    str_free(&line);
    tables_close(&t);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct tables t;
    struct subject out = {.kind = SUBJECT_NONE};
    tables_open(&t, s, v->argument);
    if (t.k.known) {
        int at = (int)selected_line(&t, v), shards = shard_lines(&t);
        if (at < shards) {
            out = (struct subject){.kind = SUBJECT_SHARD, .id = shard_at(&t, at)};
        } else if (at == shards) {
            out = (struct subject){.kind = SUBJECT_SLOT, .id = t.k.slot};
        } else {
            out = (struct subject){.kind = SUBJECT_ROUTER, .id = t.group[at - shards - 1].first};
        }
    }
    tables_close(&t);
    return out;
}

const struct view view_tables = {
    .name = "tables",
    .title = "What the tables say",
    .min_rows = MIN_ROWS,
    .want_rows = 13,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
