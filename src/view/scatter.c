/*
 * scatter: the last run of a query over all shards: a line a shard, and the answer that waits for
 * the slowest of them.
 *
 * The first line says whom the answer waited for, the second when the others were there. A line
 * begins when the shard was asked and ends when its answer came; a follower that was asked as well
 * has a line of its own below, and the one of both that came too late fades. The client's line at
 * the bottom is joined to the last answer. Dotted lines stand where a follower is asked, and where
 * nobody waits any longer. Where there is no room for all shards the slowest come first. While the
 * page's question is open nothing is said of how long all runs together took. Argument:
 * the query's name; without one the query that was asked last. Selection: a line.
 */
#include "view/across.h"
#include "view/moving.h"
#include <stdlib.h>

#define MIN_ROWS 8
#define TOLD 64
#define LABEL 4
#define RIGHT 9 /* "168.5 ms", "too late" */
#define ROWS_MAX (2 * QUERY_PARTS_MAX)
#define WIDE 70

struct scatter_row {
    const struct query_part_info *p;
    bool hedge; /* the line of its follower */
};

struct scattered {
    struct gathered g;
    bool asking; /* the page's question is open */
    struct scatter_row row[ROWS_MAX];
    int rows;
};

/* --- which lines --------------------------------------------------------------------------- */

static int64_t part_end(const struct gathered *g, const struct query_part_info *p)
{
    return p->heard_us >= 0 ? p->heard_us : g->end_us;
}

static int slowest_first(const void *a, const void *b)
{
    const struct query_part_info *const *left = a, *const *right = b;
    int64_t l = (*left)->heard_us >= 0 ? (*left)->heard_us : INT64_MAX;
    int64_t r = (*right)->heard_us >= 0 ? (*right)->heard_us : INT64_MAX;
    if (l != r) {
        return l < r ? 1 : -1;
    }
    return (int)(*left)->shard - (int)(*right)->shard;
}

static uint32_t hedged_parts(const struct gathered *g)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->run.parts; i++) {
        count += g->run.part[i].hedged;
    }
    return count;
}

static void rows_find(struct scattered *s, int room)
{
    const struct query_part_info *order[QUERY_PARTS_MAX];
    const struct gathered *g = &s->g;
    for (uint32_t i = 0; i < g->run.parts; i++) {
        order[i] = &g->run.part[i];
    }
    if ((int)(g->run.parts + hedged_parts(g)) > room) {
        qsort(order, g->run.parts, sizeof *order, slowest_first);
    }
    s->rows = 0;
    for (uint32_t i = 0; i < g->run.parts; i++) {
        s->row[s->rows++] = (struct scatter_row){.p = order[i]};
        if (order[i]->hedged) {
            s->row[s->rows++] = (struct scatter_row){.p = order[i], .hedge = true};
        }
    }
}

/* --- words --------------------------------------------------------------------------------- */

static uint32_t missing_parts(const struct gathered *g)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->run.parts; i++) {
        count += gathered_missing(g, &g->run.part[i]);
    }
    return count;
}

/* "S1, S3", at most four of those that are missing */
static void add_missing(struct str *out, const struct gathered *g)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->run.parts; i++) {
        if (gathered_missing(g, &g->run.part[i])) {
            if (count < 4) {
                str_add(out, count > 0 ? ", " : "");
                view_add_shard(out, g->run.part[i].shard);
            }
            count++;
        }
    }
    if (count > 4) {
        str_addf(out, " and %u more", (unsigned)count - 4);
    }
}

static enum style add_headline(struct str *out, const struct gathered *g)
{
    int64_t took = g->end_us - g->run.asked_us;
    if (g->run.ended_us < 0 && took == 0) {
        str_addf(out, "%u shards are asked just now", (unsigned)g->run.parts);
        return STYLE_STRONG;
    }
    if (g->run.ended_us < 0) {
        str_addf(out, "%u of %u answers are here after ", (unsigned)g->heard,
                 (unsigned)g->run.parts);
        moving_add_time(out, took);
        return STYLE_STRONG;
    }
    if (missing_parts(g) == 0) {
        str_add(out, "waited for ");
        view_add_shard(out, g->run.slowest);
        str_add(out, ": ");
        moving_add_time(out, took);
        return STYLE_STRONG;
    }
    str_add(out, g->run.end == GATHER_PARTIAL ? "partial after " : "after ");
    if (g->run.end == GATHER_OPEN) {
        str_clear(out);
        str_add(out, "failed after ");
    }
    moving_add_time(out, took);
    str_add(out, ": nothing from ");
    add_missing(out, g);
    if (g->run.end == GATHER_WHOLE) {
        str_add(out, ", and calls itself whole");
    }
    return g->run.end == GATHER_PARTIAL ? STYLE_WARN : STYLE_BAD;
}

/* When the client would have had its answer but for one shard. */
static bool add_rest(struct str *out, const struct gathered *g)
{
    if (missing_parts(g) > 0 && g->slowest_us >= 0 && g->heard > 0) {
        str_addf(out, "the %u that answered: ", (unsigned)g->heard);
        moving_add_time(out, g->slowest_us - g->run.asked_us);
        return true;
    }
    if (g->run.ended_us >= 0 && g->heard >= 2) {
        str_addf(out, "the other%s %s there after ", g->heard == 2 ? "" : "s",
                 g->heard == 2 ? "was" : "were");
        moving_add_time(out, g->rest_us - g->run.asked_us);
        return true;
    }
    return false;
}

static void add_policy(struct str *out, const struct gathered *g)
{
    const struct query_info *q = &g->q;
    view_add_key(out, bytes_of(q->name));
    str_addf(out, ", %s%u, ", g->q.period_us > 0 ? "computed by R" : "R", (unsigned)g->run.router);
    across_add_zone(out, world_zone(g->w, (struct node){NODE_ROUTER, g->run.router}));
    if (q->deadline_us > 0) {
        str_add(out, ", ends after ");
        moving_add_time(out, q->deadline_us);
    }
}

static void add_result(struct str *out, const struct gathered *g)
{
    if (g->q.sum) {
        str_addf(out, "sum: %s", num_grouped((int64_t)g->run.sum).text);
        return;
    }
    str_add(out, "top: ");
    for (uint32_t i = 0; i < g->run.items && i < QUERY_TOP_MAX; i++) {
        const struct gather_item *item = &g->run.item[i];
        str_add(out, i > 0 ? ", " : "");
        view_add_key(out, world_key(g->w, (uint32_t)item->key));
        str_addf(out, " %s", num_grouped(item->value).text);
    }
}

/* All runs together. */
static void add_all(struct str *out, const struct gathered *g, bool asking)
{
    const struct query_info *q = &g->q;
    str_addf(out, "%s asked: ", num_grouped((int64_t)q->asked).text);
    str_addf(out, "%s whole", num_grouped((int64_t)q->whole).text);
    if (q->partial > 0) {
        str_addf(out, ", %s partial", num_grouped((int64_t)q->partial).text);
    }
    if (q->failed > 0) {
        str_addf(out, ", %s failed", num_grouped((int64_t)q->failed).text);
    }
    if (q->whole + q->partial > 1 && !asking) {
        str_add(out, "; half within ");
        moving_add_time(out, world_query_latency(g->w, g->index, 500));
        str_add(out, ", 99 of 100 within ");
        moving_add_time(out, world_query_latency(g->w, g->index, 990));
    }
    if (q->hedges > 0) {
        str_addf(out, "; %s follower%s asked", num_grouped((int64_t)q->hedges).text,
                 view_plural(q->hedges));
        str_addf(out, ", %s came first", num_grouped((int64_t)q->hedges_first).text);
    }
    if (q->period_us > 0) {
        str_addf(out, "; %s answered from the last result",
                 num_grouped((int64_t)q->from_result).text);
        if (q->result_age_us >= 0) {
            str_add(out, ", now ");
            moving_add_time(out, q->result_age_us);
            str_add(out, " old");
        }
    }
}

static void add_row_words(struct str *out, const struct gathered *g, const struct scatter_row *row)
{
    const struct query_part_info *p = row->p;
    view_add_shard(out, p->shard);
    if (row->hedge) {
        str_add(out, "'s follower, asked after ");
        moving_add_time(out, p->hedged_us - g->run.asked_us);
    }
    str_add(out, ": ");
    if (p->refused) {
        str_add(out, "refused");
    } else if (p->clashed) {
        str_add(out, "answered, not merged: a slot of it is in from another epoch");
    } else if (gathered_missing(g, p)) {
        str_add(out, "no answer in time");
    } else if (p->heard_us < 0) {
        str_add(out, "no answer yet");
    } else if (p->hedged && p->from_follower != row->hedge) {
        str_add(out, row->hedge ? "the shard itself was first" : "its follower was first");
    } else {
        str_add(out, "answered after ");
        moving_add_time(out, p->heard_us - g->run.asked_us);
        str_add(out, p->crossing ? ", from another zone" : "");
        bool last = p->shard == g->run.slowest && g->run.ended_us >= 0;
        str_add(out, last ? ", the last one" : "");
    }
}

/* --- drawing ------------------------------------------------------------------------------- */

struct plan {
    int row0, rows;   /* of the shards' lines */
    int axis, answer; /* lines; -1: not shown */
    int policy, rest; /* likewise */
    int foot;         /* what is below */
    struct time_axis time;
};

static struct plan plan_of(const struct scattered *s, int w, int h)
{
    struct plan p = {.axis = -1, .answer = -1, .policy = -1, .rest = -1};
    const struct gathered *g = &s->g;
    int lines = (int)(g->run.parts + hedged_parts(g));
    int y = 1, spare = h - 2 - (lines < h ? lines : h); /* headline, the client's line */
    p.rest = spare >= 0 || h >= 6 ? y++ : -1;
    p.policy = spare >= 2 ? y++ : -1;
    p.axis = spare >= 1 || h >= 7 ? y++ : -1;
    p.row0 = y;
    p.rows = h - y - 1;
    p.rows = p.rows > lines ? lines : p.rows < 1 ? 1 : p.rows;
    y += p.rows;
    p.answer = y < h ? y++ : -1;
    p.foot = y;
    int64_t from = g->run.asked_us, to = g->end_us > from ? g->end_us : from + 1;
    int width = w - LABEL - RIGHT;
    p.time = (struct time_axis){from, to, LABEL, width < 4 ? 4 : width};
    return p;
}

/* A dotted line at a moment, through all shards' lines. */
static void draw_moment(struct canvas *c, const struct plan *p, int64_t us, enum style style)
{
    if (us <= p->time.from_us || us > p->time.to_us) {
        return;
    }
    for (int i = 0; i < p->rows; i++) {
        canvas_put(c, across_column(&p->time, us), p->row0 + i, style, view_sign(c, 0x2506, '|'));
    }
}

static void draw_moments(struct canvas *c, const struct plan *p, const struct gathered *g)
{
    int64_t from = g->run.asked_us;
    if (g->q.hedge_us > 0) {
        draw_moment(c, p, from + g->q.hedge_us, STYLE_DIM);
    }
    if (g->q.timeout_us > 0) {
        draw_moment(c, p, from + g->q.timeout_us, STYLE_LIMIT);
    }
    if (g->q.deadline_us > 0) {
        draw_moment(c, p, from + g->q.deadline_us, STYLE_LIMIT);
    }
}

/* The line of a part, or of its follower; what stands at its right end. */
static void draw_part(struct canvas *c, int y, const struct gathered *g, const struct time_axis *t,
                      const struct scatter_row *row)
{
    const struct query_part_info *p = row->p;
    bool missing = gathered_missing(g, p), slowest = p->shard == g->run.slowest && !missing;
    bool late = p->hedged && p->heard_us >= 0 && !missing && p->from_follower != row->hedge;
    bool open = p->heard_us < 0 && !missing;
    enum style style = missing ? STYLE_BAD : late ? STYLE_DIM : style_owner(p->shard);
    int from = across_column(t, row->hedge ? p->hedged_us : p->asked_us);
    int to = across_column(t, part_end(g, p)) - late; /* the end is the one's that came first */
    struct str text = STR_EMPTY;
    view_add_shard(&text, p->shard);
    canvas_text(c, 0, y, row->hedge ? STYLE_DIM : style_owner(p->shard),
                row->hedge ? " +f" : str_text(&text));
    for (int x = from; x <= to; x++) {
        canvas_put(c, x, y, style,
                   late || row->hedge ? view_sign(c, 0x2500, '-') : view_sign(c, 0x2501, '='));
    }
    uint32_t end = missing ? view_sign(c, 0xD7, 'x')
                   : open  ? view_sign(c, 0x25B6, '>')
                   : late  ? view_sign(c, 0x2500, '-')
                           : view_sign(c, 0x25CF, 'o');
    canvas_put(c, to, y, style, end);
    str_clear(&text);
    if (missing || late) {
        str_add(&text, late         ? "too late"
                       : p->refused ? "refused"
                       : p->clashed ? "two epochs"
                                    : "nothing");
    } else if (!open) {
        moving_add_time(&text, p->heard_us - g->run.asked_us);
    }
    canvas_text_right(c, canvas_width(c), y,
                      missing            ? STYLE_BAD
                      : slowest && !late ? STYLE_STRONG
                                         : STYLE_DIM,
                      str_text(&text));
    str_free(&text);
}

/* The client waits to the end; the last answer leads down to it. */
static void draw_answer(struct canvas *c, const struct plan *p, const struct scattered *s,
                        int64_t first)
{
    const struct gathered *g = &s->g;
    int y = p->answer, end = across_column(&p->time, g->end_us);
    if (y < 0) {
        return;
    }
    bool over = g->run.ended_us >= 0, bad = over && missing_parts(g) > 0;
    enum style style = bad ? STYLE_WARN : STYLE_STRONG;
    for (int i = 0; i < p->rows && first + i < s->rows && over; i++) {
        const struct scatter_row *row = &s->row[first + i];
        bool last = row->p->shard == g->run.slowest && row->p->from_follower == row->hedge;
        if (last && across_column(&p->time, part_end(g, row->p)) == end) {
            canvas_vline(c, end, p->row0 + i + 1, y - p->row0 - i - 1, LINE_LIGHT, STYLE_STRONG);
        }
    }
    canvas_textf(c, 0, y, STYLE_STRONG, "R%u", (unsigned)g->run.router);
    canvas_hline(c, p->time.x, y, end - p->time.x, LINE_LIGHT, style);
    canvas_put(c, end, y, style, view_sign(c, over ? 0x25CF : 0x25B6, over ? 'o' : '>'));
    canvas_text_right(c, canvas_width(c), y, style,
                      !over                       ? "waits"
                      : !bad                      ? "answer"
                      : g->run.end == GATHER_OPEN ? "failed"
                                                  : "partial");
}

static int draw_signs(struct canvas *c, int y, int rows, const struct gathered *g)
{
    struct mark marks[4];
    int count = 0;
    struct str hedge = STR_EMPTY, end = STR_EMPTY;
    marks[count++] = (struct mark){0x25CF, 'o', STYLE_TEXT, "answers"};
    if (missing_parts(g) > 0) {
        marks[count++] = (struct mark){0xD7, 'x', STYLE_BAD, "given up"};
    }
    if (g->q.hedge_us > 0) {
        str_add(&hedge, "+f: its follower too, after ");
        moving_add_time(&hedge, g->q.hedge_us);
        marks[count++] = (struct mark){0x2506, '|', STYLE_DIM, str_text(&hedge)};
    }
    if (g->q.timeout_us > 0 || g->q.deadline_us > 0) {
        str_add(&end, "given up after ");
        moving_add_time(&end, g->q.timeout_us > 0 ? g->q.timeout_us : g->q.deadline_us);
        marks[count++] = (struct mark){0x2506, '|', STYLE_LIMIT, str_text(&end)};
    }
    int taken = count > 1 ? across_draw_key(c, y, rows, marks, count) : 0;
    str_free(&hedge);
    str_free(&end);
    return taken;
}

static void draw_below(struct canvas *c, int y, const struct scattered *s, int64_t at)
{
    struct str text = STR_EMPTY;
    int h = canvas_height(c);
    y += draw_signs(c, y, h - y, &s->g);
    if (h - y >= 2) {
        add_row_words(&text, &s->g, &s->row[at]);
        y += across_flow(c, y, 2, STYLE_TEXT, &text);
        y += h - y >= 6;
    }
    str_clear(&text);
    add_result(&text, &s->g);
    if (s->g.run.ended_us >= 0 && h - y >= 4) {
        y += across_flow(c, y, h - y > 6 ? h - y - 4 : 2, STYLE_STRONG, &text);
    }
    if (h - y >= 2) {
        str_clear(&text);
        add_all(&text, &s->g, s->asking);
        y += across_flow(c, y, h - y, STYLE_DIM, &text);
    }
    str_clear(&text);
    for (int i = 0; i < s->rows && !s->asking; i++) {
        add_row_words(&text, &s->g, &s->row[i]);
        str_addc(&text, '\n');
    }
    across_draw_lines(c, y + 1, &text);
    str_free(&text);
}

static void draw_above(struct canvas *c, const struct plan *p, const struct scattered *s)
{
    const struct gathered *g = &s->g;
    struct str text = STR_EMPTY;
    enum style style = add_headline(&text, g);
    view_draw_line(c, 0, style, str_text(&text));
    str_clear(&text);
    if (p->rows < s->rows) {
        str_addf(&text, "%d more; ", s->rows - p->rows);
    }
    if (p->rest >= 0 && (add_rest(&text, g) || text.length > 0)) {
        view_draw_line(c, p->rest, STYLE_TEXT, str_text(&text));
    }
    str_clear(&text);
    if (p->policy >= 0) {
        add_policy(&text, g);
        view_draw_line(c, p->policy, STYLE_DIM, str_text(&text));
    }
    str_clear(&text);
    if (p->axis >= 0) {
        moving_add_time(&text, p->time.to_us - p->time.from_us);
        across_draw_axis(c, p->axis, &p->time, "asked", str_text(&text));
    }
    str_free(&text);
}

static void draw_run(struct canvas *c, struct scattered *s, const struct view_state *v,
                     bool focused)
{
    struct plan p = plan_of(s, canvas_width(c), canvas_height(c));
    rows_find(s, p.rows);
    int64_t at = across_selected(v, s->rows);
    if (!v->has_selection) { /* whom it waited for */
        for (int i = 0; i < s->rows; i++) {
            at = s->row[i].p->shard == s->g.run.slowest && !s->row[i].hedge ? i : at;
        }
    }
    int64_t first = view_list_first(v->scroll, at, s->rows, p.rows);
    draw_above(c, &p, s);
    if (canvas_height(c) < 2) {
        return;
    }
    draw_moments(c, &p, &s->g);
    for (int i = 0; i < p.rows && first + i < s->rows; i++) {
        draw_part(c, p.row0 + i, &s->g, &p.time, &s->row[first + i]);
    }
    draw_answer(c, &p, s, first);
    if (v->has_selection || focused) {
        across_draw_selected(c, p.row0 + (int)(at - first), LABEL - 1, focused);
    }
    draw_below(c, p.foot, s, at);
}

static bool scatter_open(struct scattered *out, const struct scene *s, const struct view_state *v)
{
    out->rows = 0;
    out->asking = view_question_open(s);
    gathered_open(&out->g, s, across_argument(v));
    return out->g.ran && out->g.run.parts > 0;
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct scattered sc;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (scatter_open(&sc, s, v)) {
        draw_run(c, &sc, v, focused);
    } else if (sc.g.known && s->world != NULL && !sc.g.ran && canvas_height(c) >= 6) {
        gathered_draw_unasked(c, &sc.g);
    } else {
        struct str text = STR_EMPTY;
        gathered_add_none(&text, &sc.g, across_argument(v));
        view_draw_note(c, str_text(&text));
        str_free(&text);
    }
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct scattered sc;
    return scatter_open(&sc, s, v)
               ? (int)view_clamp((int64_t)sc.g.run.parts + hedged_parts(&sc.g) + 6, MIN_ROWS, 20)
               : 3;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct scattered sc;
    if (w < 1 || h < 2 || !scatter_open(&sc, s, v)) {
        return false;
    }
    struct plan p = plan_of(&sc, w, h);
    rows_find(&sc, p.rows);
    return across_move(v, sc.rows, verb, p.rows);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct scattered sc;
    if (!scatter_open(&sc, s, v)) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    rows_find(&sc, ROWS_MAX);
    int64_t at = across_selected(v, sc.rows);
    uint16_t shard = v->has_selection ? sc.row[at].p->shard : sc.g.run.slowest;
    if (shard >= world_shards(s->world)) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    return (struct subject){.kind = SUBJECT_SHARD, .id = shard};
}

/* --- told ---------------------------------------------------------------------------------- */

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct scattered sc;
    struct str line = STR_EMPTY;
    if (!scatter_open(&sc, s, v)) {
        gathered_add_none(&line, &sc.g, across_argument(v));
        across_tell_note(out, str_text(&line));
        str_free(&line);
        return;
    }
    const struct gathered *g = &sc.g;
    add_policy(&line, g);
    str_addf(&line, ", asked %u shard%s: ", (unsigned)g->run.parts, view_plural(g->run.parts));
    (void)add_headline(&line, g);
    str_addc(&line, '.');
    across_tell(out, str_text(&line));
    str_clear(&line);
    if (add_rest(&line, g)) {
        across_tell_note(out, str_text(&line));
    }
    rows_find(&sc, ROWS_MAX);
    for (int i = 0; i < sc.rows && i < TOLD; i++) {
        str_clear(&line);
        add_row_words(&line, g, &sc.row[i]);
        across_tell_note(out, str_text(&line));
    }
    str_clear(&line);
    if (g->run.ended_us >= 0 && (g->q.sum || g->run.items > 0)) {
        add_result(&line, g);
        across_tell_note(out, str_text(&line));
    }
    str_clear(&line);
    add_all(&line, g, sc.asking);
    across_tell_note(out, str_text(&line));
    str_free(&line);
}

const struct view view_scatter = {
    .name = "scatter",
    .title = "Scatter and gather",
    .min_rows = MIN_ROWS,
    .want_rows = 20,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
