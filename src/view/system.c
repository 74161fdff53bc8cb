/*
 * system: the whole system in one picture: clients, routers and their maps, directory, shards.
 *
 * Requests go from left to right. Clients stand beside the routers of their zone, with what they
 * ask a second; a router has the version of its map, an old one marked; the directory's stands
 * below. Shards have a bar for each kind of request against its ceiling, and an arrow that is heavy
 * where more is asked than they can serve. What clients ask is counted over the trace's window,
 * what shards are asked is scene.rates. Selection: a router or a shard, moved by the arrows.
 */
#include "view/inside.h"

#define ITEMS_MAX 128 /* routers, and shards, that have a place */
#define WIDE 56
#define WIDER 90
#define ASKS_LEAST 20  /* that a rate is counted from */
#define SCREEN_TOLD 24 /* rows that words are planned for: any do */
#define FULL 100       /* percent */

/* Where everything stands. */
struct plan {
    const struct world *w;
    const struct rates *rates; /* NULL: none were measured */
    int width, height;
    int top, body;                                     /* rows of routers and shards */
    bool directory, foot;                              /* have rows of their own */
    int router_x, trunk_x, fan_x, shard_x, bar_x, bar; /* columns */
    int numbers;                                       /* columns of numbers behind the bars */
    uint16_t routers, shards;                          /* of the world */
    int router_y[ITEMS_MAX];
    int shard_y[ITEMS_MAX];                    /* -1: out of sight */
    bool paired;                               /* a shard has two rows, writes and reads */
    uint64_t zone_rate[ZONES_MAX], total_rate; /* asked by clients a second; 0: not known */
    int64_t window_us;
};

struct load {
    uint64_t asked, ceiling;
};

static struct load load_of(const struct plan *p, uint16_t shard, bool reads)
{
    struct shard_info info = world_shard(p->w, shard);
    struct load out = {.ceiling = reads ? info.read_ceiling : info.write_ceiling};
    if (p->rates != NULL && shard < p->rates->shards) {
        const struct shard_rates *r = &p->rates->shard[shard];
        out.asked = reads ? r->reads : r->writes;
    }
    return out;
}

static uint64_t percent_of(struct load load)
{
    return load.ceiling > 0 ? load.asked * FULL / load.ceiling : 0;
}

static bool is_over(const struct plan *p, uint16_t shard)
{
    return percent_of(load_of(p, shard, false)) > FULL ||
           percent_of(load_of(p, shard, true)) > FULL;
}

/* --- the plan ------------------------------------------------------------------------------ */

static uint8_t zone_of(const struct plan *p, enum node_kind kind, uint16_t index)
{
    return world_zone(p->w, (struct node){.kind = (uint16_t)kind, .index = index});
}

/* Routers from top to bottom by zone, and in each by number. */
static void place_routers(struct plan *p)
{
    int at = 0, count = p->routers < ITEMS_MAX ? p->routers : ITEMS_MAX;
    for (uint8_t zone = 0; zone < ZONES_MAX; zone++) {
        for (uint16_t i = 0; i < count; i++) {
            if (zone_of(p, NODE_ROUTER, i) == zone) {
                p->router_y[i] = p->top + (2 * at + 1) * p->body / (2 * count);
                at++;
            }
        }
    }
}

static int64_t selected_shard(const struct plan *p, const struct view_state *v)
{
    int64_t last = p->routers + p->shards - 1;
    return v->has_selection ? view_clamp(v->selected, p->routers, last) - p->routers : 0;
}

static void place_shards(struct plan *p, const struct view_state *v)
{
    int count = p->shards < ITEMS_MAX ? p->shards : ITEMS_MAX;
    p->paired = 2 * count <= p->body;
    int rows = p->paired ? 2 : 1;
    int shown = count * rows <= p->body ? count : p->body;
    int64_t first = view_list_first(0, selected_shard(p, v), count, shown);
    for (int i = 0; i < count; i++) {
        int64_t at = i - first;
        p->shard_y[i] = -1;
        if (at >= 0 && at < shown) {
            p->shard_y[i] = p->top + (int)((2 * at + 1) * p->body / (2 * shown)) - (rows - 1);
        }
    }
}

static void count_asks(struct plan *p)
{
    uint64_t asks[ZONES_MAX] = {0};
    int64_t from = world_now(p->w);
    for (uint64_t at = trace_first(p->w); at < trace_next(p->w); at++) {
        const struct trace_record *r = trace_get(p->w, at);
        if (r == NULL) {
            continue;
        }
        from = r->time_us < from ? r->time_us : from;
        if (r->kind == TRACE_ASK && r->from.index < ZONES_MAX) {
            asks[r->from.index]++;
        }
    }
    p->window_us = world_now(p->w) - from;
    uint64_t all = 0;
    for (int zone = 0; zone < ZONES_MAX; zone++) {
        all += asks[zone];
    }
    if (p->window_us < 5 * US_PER_MS || all < ASKS_LEAST) { /* too few to speak of a rate */
        p->window_us = 0;
        return;
    }
    for (int zone = 0; zone < ZONES_MAX; zone++) {
        p->zone_rate[zone] = asks[zone] * (uint64_t)US_PER_SECOND / (uint64_t)p->window_us;
        p->total_rate += p->zone_rate[zone];
    }
}

static struct plan plan_of(const struct scene *s, const struct view_state *v, int w, int h)
{
    struct plan p = {.w = s->world, .rates = s->rates, .width = w, .height = h};
    p.routers = (uint16_t)world_config_of(s->world)->routers;
    p.shards = (uint16_t)world_shards(s->world);
    p.top = h >= 5 ? 1 : 0;
    p.foot = h >= 9;
    p.directory = h >= 12;
    p.body = h - p.top - (p.foot ? 3 : 0) - (p.directory ? 2 : 0);
    p.body = p.body < 1 ? 1 : p.body;
    p.router_x = w >= WIDER ? 20 : w >= WIDE ? 16 : 10;
    p.trunk_x = p.router_x + (w >= WIDER ? 14 : w >= WIDE ? 10 : 7);
    p.fan_x = p.trunk_x + (w >= WIDER ? 14 : w >= WIDE ? 6 : 2);
    p.shard_x = p.fan_x + (w >= WIDER ? 4 : w >= WIDE ? 3 : 2);
    p.bar_x = p.shard_x + (w >= WIDER ? 6 : 4);
    p.numbers = w >= WIDER ? 16 : 5;
    p.bar = w - p.bar_x - p.numbers;
    p.bar = p.bar < 1 ? 1 : p.bar;
    count_asks(&p);
    place_routers(&p);
    place_shards(&p, v);
    return p;
}

/* --- lines --------------------------------------------------------------------------------- */

/* "4.2k", "850": two digits are what a short window is good for. */
static void add_rough(struct str *out, uint64_t rate)
{
    if (rate < 1000) {
        str_addf(out, "%u", (unsigned)(rate < 100 ? rate : rate / 10 * 10));
    } else if (rate < 10000) {
        str_addf(out, "%u.%uk", (unsigned)(rate / 1000), (unsigned)(rate % 1000 / 100));
    } else {
        str_addf(out, "%uk", (unsigned)((rate + 500) / 1000));
    }
}

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
            add_rough(&text, all->reads + all->writes);
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
        if (zone_of(p, NODE_ROUTER, i) == zone) {
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
        add_rough(&text, p->zone_rate[zone]);
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
            uint64_t here = percent_of(load_of(p, i, reads == 1));
            most = here > most ? here : most;
        }
    }
    return most;
}

static void draw_load(struct canvas *c, int y, const struct plan *p, uint16_t shard, bool reads)
{
    struct load load = load_of(p, shard, reads);
    uint64_t scale = scale_of(p), percent = percent_of(load);
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
    bool over = p->rates != NULL && is_over(p, shard), down = world_shard(p->w, shard).down;
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
                  percent_of(load_of(p, shard, true)) > percent_of(load_of(p, shard, false)));
    }
}

/* --- words --------------------------------------------------------------------------------- */

static void add_router_words(struct str *out, const struct plan *p, uint16_t router)
{
    struct router_info info = world_router(p->w, router);
    uint32_t newest = world_map_version(p->w);
    str_addf(out, "R%u in zone %c", (unsigned)router, 'a' + zone_of(p, NODE_ROUTER, router) % 26);
    if (info.down) {
        str_add(out, " is down");
    } else {
        str_addf(out, " has map version %u", (unsigned)info.map_version);
        str_add(out, info.map_version < newest ? ", which is old" : "");
        str_add(out, info.deaf ? ", and is deaf to news" : "");
    }
    str_addf(out, "; %s requests so far", num_grouped((int64_t)info.requests).text);
}

static void add_shard_words(struct str *out, const struct plan *p, uint16_t shard)
{
    str_addf(out, "S%u in zone %c", (unsigned)shard, 'a' + zone_of(p, NODE_SHARD, shard) % 26);
    if (world_shard(p->w, shard).down) {
        str_add(out, " is down");
        return;
    }
    for (int reads = 0; reads < 2 && p->rates != NULL; reads++) {
        struct load load = load_of(p, shard, reads == 1);
        str_addf(out, "%s %s %s", reads == 0 ? " is asked for" : " and",
                 num_grouped((int64_t)load.asked).text, reads == 0 ? "writes" : "reads");
        if (load.ceiling > 0) {
            str_addf(out, " (%s%%)", num_ratio((int64_t)load.asked, (int64_t)load.ceiling, 0).text);
        }
    }
    str_add(out, p->rates != NULL ? " a second" : "");
}

static void add_total(struct str *out, const struct plan *p)
{
    if (p->window_us > 0) {
        str_add(out, "clients ask about ");
        add_rough(out, p->total_rate);
        str_add(out, " a second");
        if (p->width >= WIDER) {
            str_addf(out, " (over the last %s)", num_span(p->window_us / 1000 * 1000).text);
        }
    }
    if (p->rates != NULL) {
        const struct shard_rates *all = &p->rates->cluster;
        str_addf(out, "%sshards are asked for %s", p->window_us > 0 ? "; " : "",
                 num_grouped((int64_t)(all->reads + all->writes)).text);
        uint64_t refused = all->refused_reads + all->refused_writes;
        if (refused > 0) {
            str_addf(out, ", refuse %s", num_grouped((int64_t)refused).text);
        }
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
        str_addf(&text, "%s v%u", room ? "directory" : "dir", (unsigned)world_map_version(p->w));
        canvas_text_right(c, p->width, 0, STYLE_DIM, str_text(&text));
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
    str_addf(&text, "directory v%u", (unsigned)world_map_version(p->w));
    canvas_text_fit(c, p->router_x, y, p->width - p->router_x, STYLE_STRONG, str_text(&text));
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
    int64_t index = router ? view_clamp(at, 0, p->routers - 1) : selected_shard(p, v);
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
    struct plan p = plan_of(s, v, w, h);
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
            add_total(&text, &p);
        } else if (v->selected < p.routers) {
            add_router_words(&text, &p, (uint16_t)view_clamp(v->selected, 0, p.routers - 1));
        } else {
            add_shard_words(&text, &p, (uint16_t)selected_shard(&p, v));
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
    struct plan p = plan_of(s, v, w, h);
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

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct str line = STR_EMPTY;
    if (s->world == NULL) {
        str_add(out, "There is no world here.\n");
        return;
    }
    struct plan p = plan_of(s, v, WIDER, SCREEN_TOLD);
    add_total(&line, &p);
    if (line.length > 0) {
        line.text[0] = (char)(line.text[0] - 'a' + 'A');
        str_addc(&line, '.');
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    }
    str_addf(out, "The directory's map has version %u.\n", (unsigned)world_map_version(p.w));
    for (uint16_t i = 0; i < p.routers; i++) {
        str_clear(&line);
        add_router_words(&line, &p, i);
        str_addc(&line, '.');
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 4);
    }
    for (uint16_t i = 0; i < p.shards; i++) {
        str_clear(&line);
        add_shard_words(&line, &p, i);
        str_addc(&line, '.');
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 4);
    }
    str_free(&line);
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
    .tell = tell,
    .subject = subject,
};
