/*
 * cache: what each router (or each zone's edge) keeps of one key, on a time line around now.
 *
 * An answer is as old as its fetch: it is born where the fetch was sent. From there its fresh zone
 * runs, then its stale one; beyond that it may not be served. Right of now the zones are what will
 * be if nothing is fetched again. The key is the argument's, or the page's. The loud number is the
 * age of the oldest answer that was given; beside it stands until when answers are given.
 * The signs are explained wherever there is a row below the lanes. Selection: a lane. Zoom: less
 * time, nearer to now.
 */
#include "engine/reads/reads.h"
#include "view/asked.h"

#define LANE_LABEL 7 /* "edge a " */
#define ZOOM_MAX 12
#define LANES_MAX (ZONES_MAX + 64)

struct lane {
    struct node at;
    struct reads_info info;
};

struct cache {
    const struct world *w;
    uint32_t key;
    bool known;             /* the key was asked for */
    struct reads_info rule; /* how reads are treated: any lane's */
    struct lane lane[LANES_MAX];
    int lanes;
    int64_t oldest_us;
    uint64_t hits, stale_hits, waits, fetches;
};

static void add_lane(struct cache *out, enum node_kind kind, uint16_t index)
{
    struct lane *lane = &out->lane[out->lanes++];
    lane->at = (struct node){.kind = (uint16_t)kind, .index = index};
    lane->info = kind == NODE_CLIENT ? reads_edge_info(out->w, (uint8_t)index, out->key)
                                     : reads_info(out->w, index, out->key);
    const struct reads_info *info = &lane->info;
    out->hits += info->hits;
    out->stale_hits += info->stale_hits;
    out->waits += info->waits;
    out->fetches += info->fetches;
    out->oldest_us = info->oldest_us > out->oldest_us ? info->oldest_us : out->oldest_us;
}

/* False where nothing is kept. */
static bool cache_open(struct cache *out, const struct scene *s, const struct view_state *v)
{
    *out = (struct cache){.w = s->world};
    const char *key = view_key_of(s, v->argument);
    if (s->world == NULL || key[0] == '\0' || !world_find_key(s->world, bytes_of(key), &out->key)) {
        return false;
    }
    out->known = true;
    const struct world_config *config = world_config_of(s->world);
    out->rule = reads_info(s->world, 0, out->key);
    bool edge = out->rule.mode == READS_EDGE;
    uint16_t lanes = edge ? config->zones : config->routers;
    for (uint16_t i = 0; i < lanes && i < LANES_MAX; i++) {
        add_lane(out, edge ? NODE_CLIENT : NODE_ROUTER, i);
    }
    return edge || out->rule.mode == READS_CACHED;
}

/* Why there is no picture. */
static void add_none(struct str *out, const struct cache *k, const struct scene *s,
                     const struct view_state *v)
{
    const char *key = view_key_of(s, v->argument);
    if (key[0] == '\0' || s->world == NULL) {
        str_add(out, "there is no key to look at");
        return;
    }
    str_add(out, "nobody keeps answers of ");
    view_add_key(out, bytes_of(key));
    if (!k->known) {
        str_add(out, ", and nobody has asked for it");
    } else if (k->rule.mode == READS_COALESCED) {
        str_add(out, ": reads share queries, and each query goes to its shard");
    } else {
        str_add(out, ": each read goes to its shard");
    }
}

static void add_lane_name(struct str *out, const struct lane *lane)
{
    if (lane->at.kind == NODE_CLIENT) {
        str_addf(out, "edge %c", 'a' + lane->at.index % 26);
    } else {
        str_addf(out, "R%u", (unsigned)lane->at.index);
    }
}

/* --- the time line ------------------------------------------------------------------------- */

struct line {
    int x, width, now;     /* columns */
    int64_t before, after; /* us on either side of now */
    int counts;            /* columns of the numbers at the right, 0: none */
};

static struct line line_of(const struct cache *k, const struct view_state *v, int w)
{
    struct line out = {.x = LANE_LABEL, .counts = w >= 100 ? 48 : w >= 56 ? 20 : 0};
    int64_t span = k->rule.stale_us > 0 ? k->rule.stale_us : 1;
    out.before = span >> view_clamp(v->zoom, 0, ZOOM_MAX);
    out.before = out.before > 0 ? out.before : 1;
    out.after = out.before;
    out.width = w - out.x - out.counts;
    out.width = out.width < 4 ? 4 : out.width;
    out.now = out.x + out.width / 2;
    return out;
}

/* The column of a time relative to now; may be outside. */
static int64_t column_of(const struct line *l, int64_t us)
{
    int64_t span = l->before + l->after, at = us + l->before;
    int64_t column = at * (l->width - 1);
    column = column >= 0 ? column / span : -((-column + span - 1) / span);
    return l->x + column;
}

static void draw_zone(struct canvas *c, int y, const struct line *l, int64_t from, int64_t to,
                      bool stale)
{
    int64_t first = view_clamp(column_of(l, from), l->x, l->x + l->width);
    int64_t end = view_clamp(column_of(l, to), l->x, l->x + l->width);
    for (int64_t x = first; x < end; x++) {
        enum style style = stale ? STYLE_WARN : STYLE_GOOD;
        canvas_put(c, (int)x, y, style,
                   stale ? view_sign(c, 0x2591, '-') : view_sign(c, 0x2593, '#'));
    }
}

static void draw_fetch(struct canvas *c, int y, const struct line *l, int64_t us, bool open)
{
    int64_t x = column_of(l, us);
    if (x >= l->x && x < l->x + l->width) {
        canvas_put(c, (int)x, y, STYLE_STRONG,
                   open ? view_sign(c, 0x25B6, '>') : view_sign(c, 0x25CF, '*'));
    }
}

/* Fetches of the last moments that the trace still knows. */
static void draw_past(struct canvas *c, int y, const struct line *l, const struct cache *k,
                      const struct lane *lane)
{
    int64_t now = world_now(k->w);
    for (uint64_t at = trace_first(k->w); at < trace_next(k->w); at++) {
        const struct trace_record *r = trace_get(k->w, at);
        if (r != NULL && r->kind == TRACE_READS && r->key == k->key &&
            r->from.kind == lane->at.kind && r->from.index == lane->at.index &&
            (r->reason == REASON_CACHE_FETCH || r->reason == REASON_CACHE_REFRESH)) {
            draw_fetch(c, y, l, r->time_us - now, false);
        }
    }
}

static void draw_counts(struct canvas *c, int y, const struct line *l, const struct reads_info *i)
{
    int x = l->x + l->width;
    const uint64_t value[4] = {i->hits, i->stale_hits, i->waits, i->fetches};
    if (l->counts >= 40) {
        for (int n = 0; n < 4; n++) {
            canvas_text_right(c, x + 12 * (n + 1), y, n == 3 ? STYLE_STRONG : STYLE_TEXT,
                              num_grouped((int64_t)value[n]).text);
        }
    } else if (l->counts > 0) {
        canvas_text_right(c, x + 11, y, STYLE_TEXT,
                          num_grouped((int64_t)(i->hits + i->stale_hits)).text);
        canvas_text_right(c, x + 20, y, STYLE_STRONG, num_grouped((int64_t)i->fetches).text);
    }
}

static void draw_lane(struct canvas *c, int y, const struct line *l, const struct cache *k,
                      const struct lane *lane)
{
    struct str name = STR_EMPTY;
    add_lane_name(&name, lane);
    canvas_text_fit(c, 0, y, LANE_LABEL - 1, STYLE_STRONG, str_text(&name));
    str_free(&name);
    if (lane->info.held_us >= 0) {
        int64_t born = -lane->info.held_us;
        draw_zone(c, y, l, born, born + lane->info.fresh_us, false);
        draw_zone(c, y, l, born + lane->info.fresh_us, born + lane->info.stale_us, true);
        draw_fetch(c, y, l, born, false);
    }
    draw_past(c, y, l, k, lane);
    if (lane->info.fetch_us >= 0) {
        draw_fetch(c, y, l, -lane->info.fetch_us, true);
    }
    canvas_put(c, l->now, y, STYLE_LIMIT, view_sign(c, 0x2502, '|'));
    draw_counts(c, y, l, &lane->info);
}

static void draw_axis(struct canvas *c, int y, const struct line *l)
{
    struct str text = STR_EMPTY;
    str_addf(&text, "-%s", num_span(l->before / 10000 * 10000).text);
    canvas_text(c, l->x, y, STYLE_DIM, str_text(&text));
    str_clear(&text);
    str_addf(&text, "+%s", num_span(l->after / 10000 * 10000).text);
    canvas_text_right(c, l->x + l->width, y, STYLE_DIM, str_text(&text));
    canvas_text(c, l->now - 1, y, STYLE_LIMIT, "now");
    str_free(&text);
    if (l->counts >= 40) {
        static const char *const names[4] = {"hits", "stale hits", "waits", "fetches"};
        for (int n = 0; n < 4; n++) {
            canvas_text_right(c, l->x + l->width + 12 * (n + 1), y, STYLE_DIM, names[n]);
        }
    } else if (l->counts > 0) {
        canvas_text_right(c, l->x + l->width + 11, y, STYLE_DIM, "hits");
        canvas_text_right(c, l->x + l->width + 20, y, STYLE_DIM, "fetches");
    }
}

/* --- words --------------------------------------------------------------------------------- */

static void add_state(struct str *out, const struct lane *lane)
{
    const struct reads_info *i = &lane->info;
    if (i->held_us < 0) {
        str_add(out, "keeps no answer");
    } else {
        str_addf(out, "keeps an answer %s old, ", num_span(i->held_us / 100 * 100).text);
        str_add(out, i->held_us < i->fresh_us   ? "fresh"
                     : i->held_us < i->stale_us ? "stale"
                                                : "too old to be served");
    }
    if (i->fetch_us >= 0) {
        str_addf(out, "; a fetch is under way, sent %s ago", num_span(i->fetch_us / 10 * 10).text);
    }
}

static void add_lane_words(struct str *out, const struct lane *lane)
{
    const struct reads_info *i = &lane->info;
    add_lane_name(out, lane);
    str_addc(out, ' ');
    add_state(out, lane);
    str_addf(out, ". Hits %s", num_grouped((int64_t)i->hits).text);
    str_addf(out, ", stale %s", num_grouped((int64_t)i->stale_hits).text);
    str_addf(out, ", waits %s", num_grouped((int64_t)i->waits).text);
    str_addf(out, ", fetches %s", num_grouped((int64_t)i->fetches).text);
}

/* --- drawing ------------------------------------------------------------------------------- */

static int64_t selected_lane(const struct cache *k, const struct view_state *v)
{
    return v->has_selection ? view_clamp(v->selected, 0, k->lanes - 1) : 0;
}

/* The head, the axis, the lanes, then the signs and the selected lane in words. */
static int lane_rows(const struct cache *k, int h)
{
    int rows = h >= 4 ? h - 2 : h - 1;
    return rows > k->lanes ? k->lanes : rows < 1 ? 1 : rows;
}

/* Until when answers are given. What that promises of their age is for the reader to say. */
static void add_bound(struct str *out, const struct cache *k)
{
    if (!world_rule(k->w, RULE_BOUNDED_AGE)) {
        str_add(out, "no bound");
    } else if (k->rule.stale_us > k->rule.fresh_us) {
        str_addf(out, "stale until %s", num_span(k->rule.stale_us).text);
    } else {
        str_addf(out, "kept for %s", num_span(k->rule.stale_us).text);
    }
}

static void draw_head(struct canvas *c, const struct cache *k)
{
    struct str text = STR_EMPTY;
    bool given = k->hits + k->stale_hits + k->waits > 0 && k->oldest_us > 0;
    if (given) {
        str_addf(&text, "oldest given %s", num_span(k->oldest_us / 1000 * 1000).text);
    } else {
        str_add(&text, "none given yet");
    }
    int x = canvas_text_fit(c, 0, 0, canvas_width(c),
                            k->oldest_us > k->rule.fresh_us ? STYLE_WARN : STYLE_STRONG,
                            str_text(&text));
    str_clear(&text);
    str_add(&text, "; ");
    add_bound(&text, k);
    canvas_text_fit(c, x, 0, canvas_width(c) - x, STYLE_DIM, str_text(&text));
    str_free(&text);
}

/* Each sign in its own colour, as on the lanes. */
static void draw_signs(struct canvas *c, int y)
{
    const struct {
        enum style style;
        uint32_t sign;
        const char *means;
    } signs[] = {
        {STYLE_STRONG, view_sign(c, 0x25CF, '*'), " fetch "},
        {STYLE_STRONG, view_sign(c, 0x25B6, '>'), " under way "},
        {STYLE_GOOD, view_sign(c, 0x2593, '#'), " fresh "},
        {STYLE_WARN, view_sign(c, 0x2591, '-'), " stale"},
    };
    int x = 0, w = canvas_width(c);
    for (size_t i = 0; i < sizeof signs / sizeof *signs && x < w; i++) {
        canvas_put(c, x, y, signs[i].style, signs[i].sign);
        x += 1 + canvas_text_fit(c, x + 1, y, w - x - 1, STYLE_DIM, signs[i].means);
    }
}

static void draw_foot(struct canvas *c, int y, const struct cache *k, const struct lane *lane)
{
    int rows = canvas_height(c) - y;
    struct str text = STR_EMPTY;
    int gap = rows >= 5 ? 1 : 0;
    draw_signs(c, y + gap);
    y += 1 + 2 * gap;
    rows -= 1 + 2 * gap;
    if (rows >= 2) { /* one row would cut it */
        add_lane_words(&text, lane);
        view_draw_wrapped(c, y, rows > 3 ? 3 : rows, STYLE_TEXT, str_text(&text));
    }
    if (rows >= 6) {
        str_clear(&text);
        str_addf(&text, "all: %s hits", num_grouped((int64_t)(k->hits + k->stale_hits)).text);
        str_addf(&text, " (%s of them stale)", num_grouped((int64_t)k->stale_hits).text);
        str_addf(&text, " for %s fetches", num_grouped((int64_t)k->fetches).text);
        view_draw_wrapped(c, y + 4, 2, STYLE_DIM, str_text(&text));
    }
    str_free(&text);
}

static void draw_lanes(struct canvas *c, const struct cache *k, const struct view_state *v,
                       bool focused)
{
    int h = canvas_height(c), rows = lane_rows(k, h), y = h >= 4 ? 2 : 1;
    int64_t at = selected_lane(k, v), first = view_list_first(v->scroll, at, k->lanes, rows);
    struct line l = line_of(k, v, canvas_width(c));
    if (h >= 4) {
        draw_axis(c, 1, &l);
    }
    for (int i = 0; i < rows; i++) {
        draw_lane(c, y + i, &l, k, &k->lane[first + i]);
        if (first + i == at && (focused || v->has_selection)) {
            canvas_restyle(c, (struct rect){0, y + i, LANE_LABEL - 1, 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, 0, y + i);
            }
        }
    }
    if (y + rows < h) {
        draw_foot(c, y + rows, k, &k->lane[at]);
    }
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct cache k;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (!cache_open(&k, s, v)) {
        struct str why = STR_EMPTY;
        add_none(&why, &k, s, v);
        view_draw_note(c, str_text(&why));
        str_free(&why);
        return;
    }
    draw_head(c, &k);
    if (canvas_height(c) >= 2) {
        draw_lanes(c, &k, v, focused);
    }
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct cache k;
    if (!cache_open(&k, s, v) || w < 1 || h < 2) {
        return false;
    }
    if (verb == VERB_ZOOM_IN || verb == VERB_ZOOM_OUT) {
        int64_t zoom = view_clamp(v->zoom + (verb == VERB_ZOOM_IN ? 1 : -1), 0, ZOOM_MAX);
        bool changed = zoom != v->zoom;
        v->zoom = (int)zoom;
        return changed;
    }
    int rows = lane_rows(&k, h);
    int64_t at = selected_lane(&k, v);
    if (!view_list_move(&at, k.lanes, verb, rows)) {
        return false;
    }
    v->scroll = view_list_first(v->scroll, at, k.lanes, rows);
    v->has_selection = true;
    v->selected = at;
    return true;
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct cache k;
    struct str line = STR_EMPTY;
    if (!cache_open(&k, s, v)) {
        add_none(&line, &k, s, v);
        str_addc(&line, '.');
        line.text[0] = (char)(line.text[0] - 'a' + 'A');
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
        str_free(&line);
        return;
    }
    bool edge = k.rule.mode == READS_EDGE;
    str_addf(&line, "Each %s keeps ", edge ? "zone's edge" : "router");
    view_add_key(&line, world_key(s->world, k.key));
    str_addf(&line, ": fresh for %s", num_span(k.rule.fresh_us).text);
    if (!world_rule(s->world, RULE_BOUNDED_AGE)) {
        str_add(&line, ", and served stale without a bound");
    } else if (k.rule.stale_us > k.rule.fresh_us) {
        str_addf(&line, ", served stale until it is %s old", num_span(k.rule.stale_us).text);
    }
    if (!world_rule(s->world, RULE_AGE_FROM_READ)) {
        str_add(&line, ", counted from when the fetch came back");
    }
    str_addf(&line, ". The oldest answer given was %s old.", num_span(k.oldest_us).text);
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    for (int i = 0; i < k.lanes; i++) {
        str_clear(&line);
        add_lane_words(&line, &k.lane[i]);
        str_addc(&line, '.');
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 4);
    }
    str_clear(&line);
    str_addf(&line, "All together: %s fresh hits", num_grouped((int64_t)k.hits).text);
    str_addf(&line, ", %s stale ones", num_grouped((int64_t)k.stale_hits).text);
    str_addf(&line, ", %s wait%s", num_grouped((int64_t)k.waits).text, view_plural(k.waits));
    str_addf(&line, ", %s fetch%s.", num_grouped((int64_t)k.fetches).text,
             k.fetches == 1 ? "" : "es");
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    str_free(&line);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct cache k;
    if (!cache_open(&k, s, v)) {
        return k.known ? (struct subject){.kind = SUBJECT_KEY, .id = k.key}
                       : (struct subject){.kind = SUBJECT_NONE};
    }
    const struct lane *lane = &k.lane[selected_lane(&k, v)];
    for (uint64_t at = trace_next(k.w); at > trace_first(k.w); at--) { /* its last decision */
        const struct trace_record *r = trace_get(k.w, at - 1);
        if (r != NULL && r->key == k.key && r->from.kind == lane->at.kind &&
            r->from.index == lane->at.index && (r->kind == TRACE_READS || r->kind == TRACE_REPLY)) {
            return (struct subject){.kind = SUBJECT_RECORD, .id = r->sequence};
        }
    }
    return lane->at.kind == NODE_ROUTER
               ? (struct subject){.kind = SUBJECT_ROUTER, .id = lane->at.index}
               : (struct subject){.kind = SUBJECT_KEY, .id = k.key};
}

const struct view view_cache = {
    .name = "cache",
    .title = "What each router keeps",
    .min_rows = 9, /* head, axis, six routers, signs */
    .want_rows = 14,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
