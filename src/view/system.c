/*
 * system: the whole system in one picture: clients, routers and their maps, directory, shards.
 *
 * Requests go from left to right. Clients stand beside the routers of their zone, with what they
 * ask a second; a router has the version of its map, an old one marked; the directory's stands
 * below. Shards have a bar for each kind of request against its ceiling, and an arrow that is heavy
 * where more is asked than they can serve. What clients ask is counted over the trace's window,
 * what shards are asked is scene.rates. Selection: a router or a shard, moved by the arrows.
 */
#include "engine/faults/faults.h"
#include "view/system_parts.h"

/* --- lines --------------------------------------------------------------------------------- */

static void span_of(const int y[], int count, int *low, int *high)
{
    *low = INT32_MAX;
    *high = INT32_MIN;
    for (int i = 0; i < count; i++) {
        if (y[i] >= 0) {
            *low = y[i] < *low ? y[i] : *low;
            *high = y[i] > *high ? y[i] : *high;
        }
    }
}

/* From the routers' lines into one, and from that to the shards. */
static void draw_trunks(struct canvas *c, const struct plan *p)
{
    int low, high, middle = p->top + (p->body - 1) / 2;
    int routers = p->routers < ITEMS_MAX ? p->routers : ITEMS_MAX;
    int shards = p->shards < ITEMS_MAX ? p->shards : ITEMS_MAX;
    span_of(p->router_y, routers, &low, &high);
    low = low < middle ? low : middle;
    high = high > middle ? high : middle;
    canvas_vline(c, p->trunk_x, low, high - low + 1, LINE_LIGHT, STYLE_DIM);
    span_of(p->shard_y, shards, &low, &high);
    low = low < middle ? low : middle;
    high = high > middle ? high : middle;
    canvas_vline(c, p->fan_x, low, high - low + 1, LINE_LIGHT, STYLE_DIM);
    canvas_hline(c, p->trunk_x, middle, p->fan_x - p->trunk_x + 1, LINE_LIGHT, STYLE_DIM);
    if (p->rates != NULL && p->fan_x - p->trunk_x >= 5) {
        struct str text = STR_EMPTY;
        const struct shard_rates *all = &p->rates->cluster;
        str_addf(&text, "%s/s", num_grouped((int64_t)(all->reads + all->writes)).text);
        int room = p->fan_x - p->trunk_x - 1, x = p->trunk_x + 1 + (room - (int)text.length) / 2;
        if ((int)text.length > room) {
            str_clear(&text);
            system_add_rough(&text, all->reads + all->writes);
            x = p->trunk_x + 1 + (room - (int)text.length) / 2;
        }
        canvas_text(c, x, middle > p->top ? middle - 1 : middle, STYLE_TEXT, str_text(&text));
        str_free(&text);
    }
}

/* The last router that shares this one's row, from this one on; where rows are few. */
static uint16_t row_end(const struct plan *p, uint16_t router)
{
    uint16_t end = router;
    while (end + 1 < p->routers && end + 1 < ITEMS_MAX &&
           p->router_y[end + 1] == p->router_y[router]) {
        end++;
    }
    return end;
}

/* Routers first..last of one row: of maps the oldest. */
static void draw_routers(struct canvas *c, const struct plan *p, uint16_t first, uint16_t last)
{
    int y = p->router_y[first];
    struct router_info info = world_router(p->w, first);
    struct str text = STR_EMPTY;
    for (uint16_t i = first; i <= last; i++) {
        struct router_info other = world_router(p->w, i);
        info.map_version =
            other.map_version < info.map_version ? other.map_version : info.map_version;
        info.down = info.down || other.down;
    }
    bool old = info.map_version < world_map_version(p->w);
    str_addf(&text, first == last ? "R%u" : "R%u-%u", (unsigned)first, (unsigned)last);
    int x = p->router_x;
    x += canvas_text(c, x, y, info.down ? STYLE_BAD : STYLE_STRONG, str_text(&text));
    str_clear(&text);
    if (info.down) {
        str_add(&text, p->width >= WIDE ? " down" : " x");
    } else {
        str_addf(&text, " v%u", (unsigned)info.map_version);
        str_add(&text, old && p->width >= WIDE ? " old" : old ? "!" : "");
    }
    x += canvas_text_fit(c, x, y, p->trunk_x - x,
                         info.down ? STYLE_BAD
                         : old     ? STYLE_WARN
                                   : STYLE_DIM,
                         str_text(&text));
    str_free(&text);
    x += x + 1 < p->trunk_x; /* a blank, where there is room */
    if (x < p->trunk_x && !info.down) {
        canvas_hline(c, x, y, p->trunk_x - x + 1, LINE_LIGHT, STYLE_DIM);
    }
}

/* A zone's clients stand in the middle of its routers, joined to each. */
static void draw_clients(struct canvas *c, const struct plan *p, uint8_t zone)
{
    int y[ITEMS_MAX], count = 0, low, high, fork = p->router_x - 3;
    for (uint16_t i = 0; i < p->routers && i < ITEMS_MAX; i++) {
        if (system_zone_of(p, NODE_ROUTER, i) == zone) {
            y[count++] = p->router_y[i];
        }
    }
    if (count == 0) {
        return;
    }
    span_of(y, count, &low, &high);
    int middle = (low + high) / 2;
    struct str text = STR_EMPTY;
    if (p->width >= WIDE) {
        str_addf(&text, "zone %c", 'a' + zone % 26);
    } else {
        str_addf(&text, "%c", 'a' + zone % 26);
    }
    int x = canvas_text(c, 0, middle, STYLE_STRONG, str_text(&text)) + 1;
    str_clear(&text);
    if (p->window_us > 0) {
        system_add_rough(&text, p->zone_rate[zone]);
        str_add(&text, p->width >= WIDER ? "/s" : "");
        x += canvas_text_fit(c, x, middle, fork - x, STYLE_TEXT, str_text(&text)) + 1;
    }
    str_free(&text);
    x = x < fork ? x : fork - 1;
    canvas_hline(c, x, middle, fork - x + 1, LINE_LIGHT, STYLE_DIM);
    canvas_vline(c, fork, low, high - low + 1, LINE_LIGHT, STYLE_DIM);
    for (int i = 0; i < count; i++) {
        canvas_hline(c, fork, y[i], 2, LINE_LIGHT, STYLE_DIM);
        canvas_put(c, fork + 1, y[i], STYLE_DIM, view_sign(c, 0x25B6, '>'));
    }
}

/* --- shards -------------------------------------------------------------------------------- */

static uint64_t scale_of(const struct plan *p)
{
    uint64_t most = FULL * 5 / 4;
    for (uint16_t i = 0; i < p->shards; i++) {
        for (int reads = 0; reads < 2; reads++) {
            uint64_t here = system_percent(system_load(p, i, reads == 1));
            most = here > most ? here : most;
        }
    }
    return most;
}

static void draw_load(struct canvas *c, int y, const struct plan *p, uint16_t shard, bool reads)
{
    struct load load = system_load(p, shard, reads);
    uint64_t scale = scale_of(p), percent = system_percent(load);
    enum style style = style_owner(shard);
    if (load.ceiling > 0) {
        int limit = p->bar_x + (int)(FULL * (uint64_t)p->bar / scale);
        if (limit < p->bar_x + p->bar) {
            canvas_put(c, limit, y, STYLE_LIMIT, view_sign(c, 0x2506, '|'));
        }
        uint64_t eighths = percent * (uint64_t)p->bar * 8 / scale;
        eighths = eighths == 0 && load.asked > 0 ? 1 : eighths;
        if (reads) {
            for (uint64_t i = 0; i < (eighths + 7) / 8; i++) {
                canvas_put(c, p->bar_x + (int)i, y, style, view_sign(c, 0x2592, '='));
            }
        } else {
            canvas_bar(c, p->bar_x, y, (int)eighths, style);
        }
    }
    struct str text = STR_EMPTY;
    if (load.ceiling > 0) {
        str_addf(&text, "%s%%", num_ratio((int64_t)load.asked, (int64_t)load.ceiling, 0).text);
    }
    canvas_text_right(c, p->width, y,
                      percent > FULL  ? STYLE_BAD
                      : percent >= 80 ? STYLE_WARN
                                      : STYLE_TEXT,
                      str_text(&text));
    if (p->numbers > 10) {
        str_clear(&text);
        str_addf(&text, "%s%s", num_grouped((int64_t)load.asked).text, reads ? " r" : " w");
        canvas_text_right(c, p->width - 6, y, STYLE_DIM, str_text(&text));
    }
    str_free(&text);
}

static void draw_shard(struct canvas *c, const struct plan *p, uint16_t shard)
{
    int y = p->shard_y[shard];
    if (y < 0) {
        return;
    }
    bool over = p->rates != NULL && system_is_over(p, shard), down = world_shard(p->w, shard).down;
    enum style style = down || over ? STYLE_BAD : STYLE_DIM;
    canvas_hline(c, p->fan_x, y, p->shard_x - p->fan_x, over ? LINE_HEAVY : LINE_LIGHT, style);
    canvas_put(c, p->shard_x - 1, y, style, view_sign(c, 0x25B6, '>'));
    canvas_textf(c, p->shard_x, y, style_owner(shard), "S%u", (unsigned)shard);
    if (down) {
        canvas_text_fit(c, p->bar_x, y, p->width - p->bar_x, STYLE_BAD, "down");
    } else if (p->rates == NULL) {
        canvas_textf(c, p->bar_x, y, STYLE_DIM, "%u keys", (unsigned)world_shard(p->w, shard).keys);
    } else if (p->paired) {
        draw_load(c, y, p, shard, false);
        draw_load(c, y + 1, p, shard, true);
    } else { /* the kind that is nearer to its ceiling */
        draw_load(c, y, p, shard,
                  system_percent(system_load(p, shard, true)) >
                      system_percent(system_load(p, shard, false)));
    }
}

/* --- drawing ------------------------------------------------------------------------------- */

static void draw_headings(struct canvas *c, const struct plan *p)
{
    canvas_text(c, 0, 0, STYLE_DIM, "clients");
    canvas_text_fit(c, p->router_x, 0, p->fan_x - p->router_x, STYLE_DIM, "routers");
    canvas_text_fit(c, p->shard_x, 0, p->width - p->shard_x, STYLE_DIM, "shards");
    if (!p->directory) {
        struct str text = STR_EMPTY;
        bool room = p->width - p->shard_x >= 19;
        bool down = world_directory_down(p->w);
        str_addf(&text, "%s %s%u", room ? "directory" : "dir", down ? "down v" : "v",
                 (unsigned)world_map_version(p->w));
        canvas_text_right(c, p->width, 0, down ? STYLE_BAD : STYLE_DIM, str_text(&text));
        str_free(&text);
    }
}

static void draw_directory(struct canvas *c, const struct plan *p)
{
    int low, high, y = p->top + p->body + 1;
    int routers = p->routers < ITEMS_MAX ? p->routers : ITEMS_MAX;
    span_of(p->router_y, routers, &low, &high);
    for (int row = high + 1; row < y; row++) {
        canvas_put(c, p->router_x + 1, row, STYLE_DIM, view_sign(c, 0x250A, ':'));
    }
    struct str text = STR_EMPTY;
    bool down = world_directory_down(p->w);
    str_addf(&text, "directory v%u%s", (unsigned)world_map_version(p->w), down ? " down" : "");
    canvas_text_fit(c, p->router_x, y, p->width - p->router_x, down ? STYLE_BAD : STYLE_STRONG,
                    str_text(&text));
    str_free(&text);
}

static void draw_selection(struct canvas *c, const struct plan *p, const struct view_state *v,
                           bool focused)
{
    if (!focused && !v->has_selection) {
        return;
    }
    int64_t at = v->has_selection ? v->selected : p->routers;
    bool router = at < p->routers;
    int64_t index = router ? view_clamp(at, 0, p->routers - 1) : system_selected_shard(p, v);
    int x = router ? p->router_x : p->shard_x;
    int y = index >= ITEMS_MAX ? -1 : router ? p->router_y[index] : p->shard_y[index];
    if (y >= 0) {
        canvas_restyle(c, (struct rect){x, y, index > 9 ? 3 : 2, 1}, STYLE_SELECTED);
        if (focused) {
            canvas_cursor(c, x, y);
        }
    }
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    int w = canvas_width(c), h = canvas_height(c);
    if (w < 1 || h < 1) {
        return;
    }
    if (s->world == NULL) {
        view_draw_note(c, "there is no world here");
        return;
    }
    struct plan p = system_plan(s, v, w, h);
    draw_trunks(c, &p);
    for (uint16_t i = 0; i < p.routers && i < ITEMS_MAX; i++) {
        uint16_t last = row_end(&p, i);
        draw_routers(c, &p, i, last);
        i = last;
    }
    for (uint8_t zone = 0; zone < ZONES_MAX; zone++) {
        draw_clients(c, &p, zone);
    }
    for (uint16_t i = 0; i < p.shards && i < ITEMS_MAX; i++) {
        draw_shard(c, &p, i);
    }
    if (p.top > 0) {
        draw_headings(c, &p);
    }
    if (p.directory) {
        draw_directory(c, &p);
    }
    draw_selection(c, &p, v, focused);
    if (p.foot) {
        struct str text = STR_EMPTY;
        if (!v->has_selection) {
            system_add_total(&text, &p);
        } else if (v->selected < p.routers) {
            system_add_router(&text, &p, (uint16_t)view_clamp(v->selected, 0, p.routers - 1));
        } else {
            system_add_shard(&text, &p, (uint16_t)system_selected_shard(&p, v));
        }
        view_draw_wrapped(c, h - 2, 2, STYLE_TEXT, str_text(&text));
        str_free(&text);
    }
}

/* --- verbs --------------------------------------------------------------------------------- */

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    if (s->world == NULL || w < 1 || h < 1) {
        return false;
    }
    struct plan p = system_plan(s, v, w, h);
    int64_t at = v->has_selection ? v->selected : p.routers;
    at = view_clamp(at, 0, p.routers + p.shards - 1);
    bool router = at < p.routers;
    int64_t count = router ? p.routers : p.shards, index = router ? at : at - p.routers;
    bool begin = !v->has_selection && (verb == VERB_DOWN || verb == VERB_UP);
    if ((verb == VERB_LEFT && !router) || (verb == VERB_RIGHT && router)) {
        router = !router;
        index = view_clamp(index, 0, (router ? p.routers : p.shards) - 1);
    } else if (!begin && !view_list_move(&index, count, verb, 4)) {
        return false;
    }
    v->has_selection = true;
    v->selected = router ? index : p.routers + index;
    return true;
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    if (s->world == NULL) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    int64_t routers = world_config_of(s->world)->routers, shards = world_shards(s->world);
    if (v->has_selection && v->selected < routers) {
        return (struct subject){.kind = SUBJECT_ROUTER,
                                .id = (uint64_t)view_clamp(v->selected, 0, routers - 1)};
    }
    int64_t last = routers + shards - 1;
    int64_t shard = v->has_selection ? view_clamp(v->selected, routers, last) - routers : 0;
    return (struct subject){.kind = SUBJECT_SHARD, .id = (uint64_t)shard};
}

const struct view view_system = {
    .name = "system",
    .title = "The whole system",
    .min_rows = 9,
    .want_rows = 19,
    .draw = draw,
    .move = move,
    .tell = system_tell,
    .subject = subject,
};
