/*
 * bucket: the tokens of a limit at each router, or of each shard's ceilings.
 *
 * A bucket fills evenly at its rate and holds 100 ms of it; each request takes a token, and where
 * none is left it is turned away, told after how long to ask again. The argument is a key or a
 * tenant's name, whose limit every router has its part of. Without one, and without a limit on the
 * page's key, the picture is of the shards' ceilings. A token is a sign, as long as all of a bucket
 * fit; else the sign stands for its part of the bucket. Selection: a line.
 */
#include "engine/guards/guards.h"
#include "view/inside.h"

#define LINES_MAX 256
#define BAR_MAX 60
#define TOKEN_US INT64_C(1000000) /* parts of a token */

struct line {
    struct node at;
    bool reads; /* of a shard's two ceilings */
    struct bucket_info bucket;
    uint64_t turned; /* of a router: in the window of the trace; of a shard: refused in all */
    int64_t retry_after_us; /* that the last of them was told; -1: nobody was */
    uint64_t record;        /* which is this one; 0: none */
};

struct buckets {
    const struct world *w;
    bool of_key, of_tenant, missing; /* missing: there is no limit of what is asked for */
    uint32_t id;
    uint32_t rate; /* over all routers */
    struct line line[LINES_MAX];
    int lines;
    int64_t window_us;
};

static bool find_limit(struct buckets *b, const struct scene *s, const struct view_state *v)
{
    bool named = v->argument != NULL && v->argument[0] != '\0';
    const char *name = view_key_of(s, v->argument);
    if (named && guards_find_tenant(b->w, bytes_of(name), &b->id)) {
        b->of_tenant = true;
        b->rate = guards_tenant(b->w, b->id).rate;
    } else if (name[0] != '\0' && world_find_key(b->w, bytes_of(name), &b->id)) {
        b->of_key = true;
        b->rate = guards_key_limit(b->w, b->id);
    }
    if (b->rate == 0 && !named) { /* the page's key has no limit: the ceilings are the point */
        b->of_key = false;
    }
    return b->rate > 0;
}

/* The last reply of 429 of each router, and how many there were. */
static void note_turned(struct buckets *b)
{
    int64_t from = world_now(b->w);
    for (uint64_t at = trace_first(b->w); at < trace_next(b->w); at++) {
        const struct trace_record *r = trace_get(b->w, at);
        if (r == NULL) {
            continue;
        }
        from = r->time_us < from ? r->time_us : from;
        bool ours = b->of_key ? r->reason == (int)REASON_LIMIT_KEY && r->key == b->id
                              : r->reason == (int)REASON_LIMIT_TENANT && r->target == b->id;
        if (r->kind == TRACE_REPLY && ours && r->from.index < b->lines) {
            struct line *line = &b->line[r->from.index];
            line->turned++;
            line->retry_after_us = r->operand[2];
            line->record = r->sequence;
        }
    }
    b->window_us = world_now(b->w) - from;
}

static void add_routers(struct buckets *b)
{
    uint32_t routers = world_config_of(b->w)->routers;
    for (uint16_t i = 0; i < routers && i < LINES_MAX; i++) {
        b->line[b->lines++] =
            (struct line){.at = {.kind = NODE_ROUTER, .index = i},
                          .bucket = b->of_key ? guards_key_bucket(b->w, i, b->id)
                                              : guards_tenant_bucket(b->w, i, b->id),
                          .retry_after_us = -1};
    }
    note_turned(b);
}

static void add_shards(struct buckets *b)
{
    uint32_t shards = world_shards(b->w);
    for (uint16_t i = 0; i < shards && 2 * i + 1 < LINES_MAX; i++) {
        struct shard_info info = world_shard(b->w, i);
        for (int reads = 0; reads < 2; reads++) {
            b->line[b->lines++] =
                (struct line){.at = {.kind = NODE_SHARD, .index = i},
                              .reads = reads == 1,
                              .bucket = world_bucket(b->w, i, reads == 1),
                              .turned = reads == 1 ? info.refused_reads : info.refused_writes,
                              .retry_after_us = -1};
        }
    }
}

static bool buckets_open(struct buckets *b, const struct scene *s, const struct view_state *v)
{
    *b = (struct buckets){.w = s->world};
    if (s->world == NULL) {
        return false;
    }
    if (find_limit(b, s, v)) {
        add_routers(b);
    } else if (v->argument != NULL && v->argument[0] != '\0') {
        b->missing = true;
    } else {
        add_shards(b);
    }
    return b->lines > 0;
}

/* --- words --------------------------------------------------------------------------------- */

/* "2.50": tokens, to a hundredth, down. */
static void add_tokens(struct str *out, int64_t level)
{
    int64_t hundredths = level / (TOKEN_US / 100);
    str_addf(out, "%s.%02d", num_grouped(hundredths / 100).text, (int)(hundredths % 100));
}

static void add_name(struct str *out, const struct line *line)
{
    if (line->at.kind == NODE_ROUTER) {
        str_addf(out, "R%u", (unsigned)line->at.index);
    } else {
        str_addf(out, "S%u %s", (unsigned)line->at.index, line->reads ? "reads" : "writes");
    }
}

static void add_what(struct str *out, const struct buckets *b, const struct scene *s,
                     const struct view_state *v)
{
    if (b->of_key) {
        view_add_key(out, world_key(b->w, b->id));
    } else if (b->of_tenant) {
        struct bytes name = guards_tenant(b->w, b->id).name;
        view_add_key(out, name);
    } else {
        view_add_key(out, bytes_of(view_key_of(s, v->argument)));
    }
}

/* "R0 has 0.35 of 10 tokens and gets 100 a second; 40 turned away in 57 ms, ask again in 7 ms" */
static void add_line_words(struct str *out, const struct buckets *b, const struct line *line)
{
    const struct bucket_info *i = &line->bucket;
    add_name(out, line);
    if (i->rate == 0) {
        str_add(out, ": no ceiling");
        return;
    }
    if (i->level < 0) {
        str_addf(out, ": no token, %s request%s wait for one", num_grouped(i->waiting).text,
                 i->waiting == 1 ? "" : "s");
    } else {
        str_add(out, ": ");
        add_tokens(out, i->level);
        str_add(out, " of ");
        add_tokens(out, i->depth);
        str_add(out, " tokens");
    }
    str_addf(out, ", %s come a second", num_grouped(i->rate).text);
    if (line->at.kind == NODE_SHARD) {
        str_addf(out, "; %s refused since the start", num_grouped((int64_t)line->turned).text);
        return;
    }
    str_addf(out, "; %s turned away in the last %s", num_grouped((int64_t)line->turned).text,
             num_span(b->window_us / 1000 * 1000).text);
    if (line->retry_after_us >= 0) {
        str_addf(out, ", the last one told to ask again after %s",
                 num_span(line->retry_after_us / 10 * 10).text);
    }
}

static void add_head(struct str *out, const struct buckets *b, const struct scene *s,
                     const struct view_state *v)
{
    if (b->rate > 0) {
        add_what(out, b, s, v);
        str_addf(out, ": %s a second", num_grouped(b->rate).text);
    } else {
        str_add(out, "the shards' ceilings");
    }
}

/* --- drawing ------------------------------------------------------------------------------- */

static int64_t selected_line(const struct buckets *b, const struct view_state *v)
{
    int64_t least = 0;
    if (v->has_selection) {
        return view_clamp(v->selected, 0, b->lines - 1);
    }
    for (int i = 1; i < b->lines; i++) { /* the emptiest */
        const struct bucket_info *one = &b->line[i].bucket, *other = &b->line[least].bucket;
        if (one->rate > 0 && (other->rate == 0 || one->level < other->level)) {
            least = i;
        }
    }
    return least;
}

static int line_rows(int h)
{
    return h >= 10 ? h - 6 : h >= 5 ? h - 3 : h >= 2 ? h - 1 : 1;
}

static void draw_bucket(struct canvas *c, struct rect area, const struct bucket_info *i)
{
    int64_t whole = i->depth / TOKEN_US, has = i->level > 0 ? i->level / TOKEN_US : 0;
    bool each = whole <= area.w; /* a sign a token */
    int width = each ? (int)whole : area.w;
    int full = each ? (int)has : (int)(i->level > 0 ? i->level * area.w / i->depth : 0);
    for (int x = 0; x < width; x++) {
        bool there = x < full;
        uint32_t sign = each ? (there ? view_sign(c, 0x25CF, 'o') : view_sign(c, 0x00B7, '.'))
                             : (there ? view_sign(c, 0x2588, '#') : view_sign(c, 0x2591, '.'));
        canvas_put(c, area.x + x, area.y,
                   !there              ? STYLE_DIM
                   : full * 5 <= width ? STYLE_WARN
                                       : STYLE_GOOD,
                   sign);
    }
    if (i->level < 0) { /* a queue: who waits, in the bucket's place */
        struct str text = STR_EMPTY;
        str_addf(&text, "%s waiting", num_grouped(i->waiting).text);
        canvas_text_fit(c, area.x, area.y, area.w, STYLE_BAD, str_text(&text));
        str_free(&text);
    }
}

struct columns {
    int label, bar, numbers; /* widths */
    bool both;               /* what was turned away beside the tokens */
};

static struct columns columns_of(const struct buckets *b, int w)
{
    struct columns out = {.label = b->rate > 0 ? 4 : 10, .both = w >= 50};
    out.numbers = out.both ? 24 : 8;
    out.bar = w - out.label - out.numbers - 1;
    out.bar = out.bar > BAR_MAX ? BAR_MAX : out.bar < 3 ? 3 : out.bar;
    return out;
}

static void draw_line(struct canvas *c, int y, const struct columns *at, const struct line *line)
{
    struct str text = STR_EMPTY;
    add_name(&text, line);
    canvas_text_fit(c, 0, y, at->label - 1,
                    line->at.kind == NODE_SHARD ? style_owner(line->at.index) : STYLE_STRONG,
                    str_text(&text));
    int x = at->label + at->bar;
    if (line->bucket.rate > 0) {
        draw_bucket(c, (struct rect){at->label, y, at->bar, 1}, &line->bucket);
        str_clear(&text);
        add_tokens(&text, line->bucket.level > 0 ? line->bucket.level : 0);
        canvas_text_right(c, x + 8, y, STYLE_TEXT, str_text(&text));
    } else {
        canvas_text_right(c, x + 8, y, STYLE_DIM, "none");
    }
    if (at->both) {
        canvas_text_right(c, x + 16, y, line->turned > 0 ? STYLE_WARN : STYLE_DIM,
                          num_grouped((int64_t)line->turned).text);
        str_clear(&text);
        int64_t ask_in = line->retry_after_us;
        if (line->at.kind == NODE_SHARD) {
            str_addf(&text, "%s/s", num_grouped(line->bucket.rate).text);
        } else if (ask_in < 0) {
            str_addc(&text, '-');
        } else {
            str_add(&text, num_span(ask_in >= 1000 ? ask_in / 100 * 100 : ask_in).text);
        }
        canvas_text_right(c, x + 25, y, STYLE_TEXT, str_text(&text));
    }
    str_free(&text);
}

static void draw_headings(struct canvas *c, const struct buckets *b, const struct columns *at)
{
    int x = at->label + at->bar;
    canvas_text_right(c, x + 8, 1, STYLE_DIM, "tokens");
    if (at->both) {
        canvas_text_right(c, x + 16, 1, STYLE_DIM, b->rate > 0 ? "429" : "refused");
        canvas_text_right(c, x + 25, 1, STYLE_DIM, b->rate > 0 ? "ask in" : "fills");
    }
    canvas_text_fit(c, at->label, 1, at->bar, STYLE_DIM,
                    b->line[0].bucket.depth / TOKEN_US <= at->bar ? "a sign a token"
                                                                  : "100 ms deep");
}

static void draw_lines(struct canvas *c, const struct buckets *b, const struct view_state *v,
                       bool focused)
{
    int h = canvas_height(c), rows = line_rows(h), y = h >= 5 ? 2 : h >= 2 ? 1 : 0;
    int64_t at = selected_line(b, v), first = view_list_first(v->scroll, at, b->lines, rows);
    struct columns columns = columns_of(b, canvas_width(c));
    if (h >= 5) {
        draw_headings(c, b, &columns);
    }
    for (int i = 0; i < rows && first + i < b->lines; i++) {
        draw_line(c, y + i, &columns, &b->line[first + i]);
        if (first + i == at && (focused || v->has_selection)) {
            canvas_restyle(c, (struct rect){0, y + i, columns.label - 1, 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, 0, y + i);
            }
        }
    }
    int foot = y + (rows < b->lines ? rows : b->lines);
    if (h >= 5 && foot < h) {
        struct str text = STR_EMPTY;
        add_line_words(&text, b, &b->line[at]);
        foot += foot + 3 < h;
        view_draw_wrapped(c, foot, h - foot > 4 ? 4 : h - foot, STYLE_TEXT, str_text(&text));
        str_free(&text);
    }
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct buckets b;
    struct str text = STR_EMPTY;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (buckets_open(&b, s, v)) {
        add_head(&text, &b, s, v);
        if (canvas_height(c) >= 2) {
            view_draw_line(c, 0, STYLE_STRONG, str_text(&text));
        }
        draw_lines(c, &b, v, focused);
    } else if (b.missing) {
        str_add(&text, "no router limits ");
        add_what(&text, &b, s, v);
        view_draw_note(c, str_text(&text));
    } else {
        view_draw_note(c, "there are no buckets here");
    }
    str_free(&text);
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct buckets b;
    if (!buckets_open(&b, s, v) || w < 1 || h < 1) {
        return false;
    }
    int rows = line_rows(h);
    int64_t at = selected_line(&b, v), first = view_list_first(v->scroll, at, b.lines, rows);
    if (!view_list_move(&at, b.lines, verb, rows)) {
        return false;
    }
    v->has_selection = true;
    v->selected = at;
    v->scroll = view_list_first(first, at, b.lines, rows);
    return true;
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct buckets b;
    struct str line = STR_EMPTY;
    if (buckets_open(&b, s, v)) {
        if (b.rate > 0) {
            str_addf(&line, "All routers together let %s requests a second of ",
                     num_grouped(b.rate).text);
            add_what(&line, &b, s, v);
            str_add(&line, " pass, each its part; a bucket holds 100 ms of it.");
        } else {
            str_add(&line, "The shards' ceilings, as buckets of tokens that hold 100 ms of them.");
        }
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
        for (int i = 0; i < b.lines; i++) {
            str_clear(&line);
            add_line_words(&line, &b, &b.line[i]);
            str_addc(&line, '.');
            view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 4);
        }
    } else if (b.missing) {
        str_add(&line, "No router limits ");
        add_what(&line, &b, s, v);
        str_addc(&line, '.');
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    } else {
        str_add(out, "There are no buckets here.\n");
    }
    str_free(&line);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct buckets b;
    if (!buckets_open(&b, s, v)) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    const struct line *line = &b.line[selected_line(&b, v)];
    if (line->record != 0) { /* why it turned the last one away */
        return (struct subject){.kind = SUBJECT_RECORD, .id = line->record};
    }
    return (struct subject){.kind = line->at.kind == NODE_ROUTER ? SUBJECT_ROUTER : SUBJECT_SHARD,
                            .id = line->at.index};
}

const struct view view_bucket = {
    .name = "bucket",
    .title = "Tokens",
    .min_rows = 7,
    .want_rows = 13,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
