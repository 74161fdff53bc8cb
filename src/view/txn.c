/*
 * txn: one transaction over time: its coordinator, its log, each step, and how long rows are
 * locked.
 *
 * The coordinator's line begins with the client's wish and ends when nobody sends anything any
 * more; a diamond stands where its decision was in its log (a saga's: where it turned back, or was
 * done), a ring where the client was told, a cross where the coordinator died, dots until it was
 * back. Below it a line a step. By two-phase commit a thick bar is the time in which the row is
 * locked; in a saga, or where nobody coordinates, it is the time in which others see a step that
 * may yet be taken back. Argument: the transaction's number; without one the last; one that was
 * over when the page's step began is called so. Selection: a step.
 */
#include "base/utf8.h"
#include "view/txn_parts.h"
#include <string.h>

#define MIN_ROWS 8
#define WIDE 70
#define LABEL_WIDE 30
#define STATE_WIDE 18
#define LABEL_BRIEF 12

/* --- drawing ------------------------------------------------------------------------------- */

enum lanes {     /* how a lane stands to its words */
    LANES_BRIEF, /* a few signs before it */
    LANES_BELOW, /* a line of words above it */
    LANES_WIDE   /* words before it, and its state behind */
};

struct plan {
    enum lanes lanes;
    int meaning, meaning_rows, axis, lane0, step; /* lines; -1: not shown */
    int foot;
    struct time_axis time;
};

static struct time_axis axis_of(const struct shown_txn *x, enum lanes lanes, int w)
{
    int64_t from = x->t.began_us;
    struct time_axis a = {.from_us = from, .to_us = txn_end_us(x), .x = 1, .width = w - 1};
    if (lanes == LANES_BRIEF) {
        a.x = LABEL_BRIEF;
        a.width = w - LABEL_BRIEF;
    } else if (lanes == LANES_WIDE) {
        a.x = LABEL_WIDE;
        a.width = w - LABEL_WIDE - STATE_WIDE;
    }
    for (uint32_t i = 0; i < x->t.steps; i++) {
        int64_t last = x->t.step[i].answered_us;
        a.to_us = last > a.to_us ? last : a.to_us;
    }
    a.to_us = a.to_us > from ? a.to_us : from + 1;
    a.width = a.width < 2 ? 2 : a.width;
    return a;
}

static struct plan plan_of(const struct shown_txn *x, int w, int h)
{
    int lanes = 1 + (int)x->t.steps;
    struct plan p = {.lanes = LANES_BRIEF, .meaning = -1, .axis = -1, .meaning_rows = 1};
    int y = 1, spare = h - 1 - lanes;
    if (spare >= 1) {
        struct str text = STR_EMPTY;
        (void)txn_add_meaning(&text, x);
        p.meaning_rows = spare >= lanes + 3 ? across_lines(&text, w) : 1;
        str_free(&text);
        p.meaning = y;
        y += p.meaning_rows;
        spare -= p.meaning_rows;
    }
    p.lanes = w >= WIDE ? LANES_WIDE : spare >= lanes + 1 ? LANES_BELOW : LANES_BRIEF;
    p.step = p.lanes == LANES_BELOW || (p.lanes == LANES_WIDE && spare >= lanes + 4) ? 2 : 1;
    p.axis = spare >= 1 ? y++ : -1;
    p.lane0 = y + (p.lanes == LANES_BELOW);
    y += p.step * lanes;
    p.foot = y + (h - y >= 5);
    p.time = axis_of(x, p.lanes, w);
    return p;
}

static void draw_span(struct canvas *c, int y, const struct time_axis *a, int64_t from, int64_t to,
                      const struct mark *m)
{
    for (int x = across_column(a, from); x <= across_column(a, to); x++) {
        across_put(c, x, y, m);
    }
}

struct said_state {
    const char *words;
    enum style style, name; /* of the words; of whom they are about */
};

/* What stands before a lane, or above it; `state` is at the end of a line above. */
static void draw_words(struct canvas *c, int lane, const struct plan *p, const struct str *name,
                       const struct str *words, const struct said_state *state)
{
    int y = p->lanes == LANES_BELOW ? lane - 1 : lane;
    int room = p->lanes == LANES_BRIEF ? LABEL_BRIEF - 1 : LABEL_WIDE - 1;
    if (p->lanes == LANES_BELOW) {
        int columns = utf8_columns(state->words, strlen(state->words));
        room = canvas_width(c) - columns - (columns > 0);
        canvas_text(c, canvas_width(c) - columns, y, state->style, state->words);
    } else if (p->lanes == LANES_WIDE) {
        canvas_text_fit(c, p->time.x + p->time.width + 1, lane, STATE_WIDE - 1, state->style,
                        state->words);
    }
    int x = canvas_text_fit(c, 0, y, room, state->name, str_text(name)) + 1;
    canvas_text_fit(c, x, y, room - x, STYLE_TEXT, str_text(words));
}

static const struct mark line_mark = {0x2500, '-', STYLE_DIM, "at work"};
static const struct mark dead_mark = {0x2504, '.', STYLE_BAD, "down"};
static const struct mark died_mark = {0xD7, 'x', STYLE_BAD, "dies"};
static const struct mark log_mark = {0x25C6, '*', STYLE_STRONG, "decided, in its log"};
static const struct mark told_mark = {0x25CB, 'o', STYLE_GOOD, "client told"};

/* Side by side where they fall into one column. */
static void draw_moments(struct canvas *c, int y, const struct time_axis *a,
                         const struct txn_info *t)
{
    const struct {
        int64_t us;
        const struct mark *mark;
    } moments[] = {{t->decided_us, &log_mark}, {t->died_us, &died_mark}, {t->ended_us, &told_mark}};
    int taken[3] = {-1, -1, -1};
    for (int i = 0; i < 3; i++) {
        if (moments[i].us < 0) {
            continue;
        }
        int x = across_column(a, moments[i].us);
        for (int j = 0; j < i; j++) { /* the later of two is right of the other */
            x = x == taken[j] ? x + 1 : x;
        }
        x = x >= a->x + a->width ? a->x + a->width - 1 : x;
        taken[i] = x;
        across_put(c, x, y, moments[i].mark);
    }
}

static void draw_coordinator(struct canvas *c, int y, const struct plan *p,
                             const struct shown_txn *x)
{
    const struct txn_info *t = &x->t;
    struct str name = STR_EMPTY, words = STR_EMPTY;
    int64_t end = txn_end_us(x);
    struct said_state state = {t->coordinator_down ? "down"
                               : t->over_us >= 0   ? "over"
                                                   : "at work",
                               t->coordinator_down ? STYLE_BAD : STYLE_DIM,
                               t->coordinator_down ? STYLE_BAD : STYLE_STRONG};
    str_addf(&name, "R%u", (unsigned)t->router);
    str_add(&words, p->lanes == LANES_BRIEF ? "" : "coordinates");
    draw_words(c, y, p, &name, &words, &state);
    draw_span(c, y, &p->time, t->began_us, end, &line_mark);
    if (t->died_us >= 0) {
        draw_span(c, y, &p->time, t->died_us, t->back_us >= 0 ? t->back_us : end, &dead_mark);
    }
    draw_moments(c, y, &p->time, t);
    str_free(&name);
    str_free(&words);
}

/* The thick bar: locked, or seen by others. */
static void draw_bar(struct canvas *c, int y, const struct time_axis *a, const struct shown_txn *x,
                     const struct txn_step_info *step)
{
    bool locks = x->t.by == TXN_BY_2PC;
    int64_t from = locks ? step->locked_from_us : step->done_us;
    int64_t to = locks ? step->locked_to_us : step->undone_us;
    if (from < 0) {
        return;
    }
    bool stuck = locks && to < 0 && x->t.coordinator_down;
    struct mark bar = {locks ? 0x2588 : 0x2592, locks ? '#' : '=',
                       stuck ? STYLE_BAD : style_owner(step->shard), ""};
    draw_span(c, y, a, from, to < 0 ? txn_end_us(x) : to, &bar);
    if (!locks && to >= 0) {
        canvas_put(c, across_column(a, to), y, STYLE_WARN, view_sign(c, 0x25C0, '<'));
    }
}

static void draw_step(struct canvas *c, int y, const struct plan *p, const struct shown_txn *x,
                      const struct txn_step_info *step)
{
    struct str name = STR_EMPTY, words = STR_EMPTY;
    enum style owner = step->shard != SHARD_NONE ? style_owner(step->shard) : STYLE_STRONG;
    struct said_state state = {txn_state_words(x, step), txn_state_style(x, step), owner};
    bool narrow = p->lanes == LANES_BELOW && canvas_width(c) < 48;
    if (narrow && x->t.by == TXN_BY_2PC && step->state == PART_PREPARED) {
        state.words = "prepared"; /* that it waits is seen from its bar */
    }
    if (step->shard != SHARD_NONE) {
        view_add_shard(&name, step->shard);
    }
    txn_add_step(&words, x, step, p->lanes == LANES_BRIEF);
    draw_words(c, y, p, &name, &words, &state);
    if (step->asked_us >= 0) {
        draw_span(c, y, &p->time, step->asked_us,
                  step->answered_us >= 0 ? step->answered_us : txn_end_us(x), &line_mark);
    }
    draw_bar(c, y, &p->time, x, step);
    bool refused = x->t.by == TXN_BY_2PC ? step->state == PART_ABORTED && step->locked_from_us < 0
                                         : step->state == STEP_REFUSED;
    if (refused && step->answered_us >= 0) {
        canvas_put(c, across_column(&p->time, step->answered_us), y, STYLE_WARN,
                   view_sign(c, 0xD7, 'x'));
    }
    str_free(&name);
    str_free(&words);
}

static int draw_signs(struct canvas *c, int y, const struct shown_txn *x)
{
    struct mark marks[5];
    int count = 0;
    bool locks = x->t.by == TXN_BY_2PC, taken_back = false;
    for (uint32_t i = 0; i < x->t.steps; i++) {
        taken_back = taken_back || x->t.step[i].undone_us >= 0;
    }
    marks[count++] = locks ? (struct mark){0x2588, '#', STYLE_TEXT, "row locked"}
                           : (struct mark){0x2592, '=', STYLE_TEXT, "others see it"};
    if (!locks && taken_back) {
        marks[count++] = (struct mark){0x25C0, '<', STYLE_WARN, "taken back"};
    }
    if (x->t.decided_us >= 0) {
        marks[count] = log_mark;
        if (x->t.by == TXN_BY_SAGA && x->t.phase != SAGA_DONE) {
            marks[count].word = "turns back, in its log";
        }
        count++;
    }
    if (x->t.ended_us >= 0) {
        marks[count++] = told_mark;
    }
    if (x->t.died_us >= 0) {
        marks[count++] = died_mark;
    }
    return across_draw_key(c, y, canvas_height(c) - y, marks, count);
}

static void draw_foot(struct canvas *c, int y, const struct shown_txn *x,
                      const struct view_state *v)
{
    struct str text = STR_EMPTY;
    int h = canvas_height(c);
    if (y >= h) {
        return;
    }
    y += draw_signs(c, y, x);
    y += h - y >= 4;
    if (v->has_selection && x->t.steps > 0) {
        txn_add_step_words(&text, x, &x->t.step[across_selected(v, x->t.steps)]);
        y += across_flow(c, y, 3, STYLE_TEXT, &text);
    }
    str_clear(&text);
    str_addf(&text, "%u message%s to participants", (unsigned)x->t.messages,
             view_plural(x->t.messages));
    y += across_flow(c, y, 1, STYLE_DIM, &text);
    str_clear(&text);
    for (uint32_t i = 0; i < x->t.steps && !x->asking; i++) {
        txn_add_step_words(&text, x, &x->t.step[i]);
        str_addc(&text, '\n');
    }
    across_draw_lines(c, y + 1, &text);
    str_free(&text);
}

static void draw_txn(struct canvas *c, const struct shown_txn *x, const struct view_state *v,
                     bool focused)
{
    struct plan p = plan_of(x, canvas_width(c), canvas_height(c));
    struct str text = STR_EMPTY;
    enum style style = txn_add_headline(&text, x, canvas_width(c) < 48);
    view_draw_line(c, 0, style, str_text(&text));
    if (p.meaning >= 0) {
        str_clear(&text);
        style = txn_add_meaning(&text, x);
        (void)across_flow(c, p.meaning, p.meaning_rows, style, &text);
    }
    if (p.axis >= 0) {
        str_clear(&text);
        moving_add_time(&text, p.time.to_us - p.time.from_us);
        across_draw_axis(c, p.axis, &p.time, "begun", str_text(&text));
    }
    str_free(&text);
    draw_coordinator(c, p.lane0, &p, x);
    for (uint32_t i = 0; i < x->t.steps; i++) {
        draw_step(c, p.lane0 + p.step * ((int)i + 1), &p, x, &x->t.step[i]);
    }
    if ((v->has_selection || focused) && x->t.steps > 0) {
        int y = p.lane0 + p.step * ((int)across_selected(v, x->t.steps) + 1);
        across_draw_selected(c, p.lanes == LANES_BELOW ? y - 1 : y, 2, focused);
    }
    draw_foot(c, p.foot, x, v);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct shown_txn x;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (txn_open(&x, s, v)) {
        draw_txn(c, &x, v, focused);
    } else {
        struct str text = STR_EMPTY;
        txn_add_none(&text, &x, across_argument(v));
        view_draw_note(c, str_text(&text));
        str_free(&text);
    }
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct shown_txn x;
    return txn_open(&x, s, v) ? 7 + 2 * (int)x.t.steps : 3;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct shown_txn x;
    return w > 0 && h > 0 && txn_open(&x, s, v) && across_move(v, x.t.steps, verb, TXN_STEPS_MAX);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct shown_txn x;
    if (!txn_open(&x, s, v) || x.t.steps == 0) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    return (struct subject){.kind = SUBJECT_KEY, .id = x.t.step[across_selected(v, x.t.steps)].key};
}

const struct view view_txn = {
    .name = "txn",
    .title = "A transaction",
    .min_rows = MIN_ROWS,
    .want_rows = 16,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = txn_tell,
    .subject = subject,
};
