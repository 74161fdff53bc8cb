/*
 * move: one slot on its way: the stages of its move as a state machine, and the promise.
 *
 *   copy > tail > compare > fence > commit > moved > clean up, with abort and roll back at the side
 *
 * Where the move is now has a heavy frame; each stage has its sign, what there is to say of it and
 * how long it took. With room the stages are boxes with arrows, in one row or in two that turn
 * round; with less a list; with least a chain of names. The last line is always the promise: who
 * accepts the slot now, and whether it holds every write that was accepted before.
 * Argument: "move", "move:12067", "move:post:{p9}"; see moving.h. Selection: a stage.
 */
#include "view/move_parts.h"
#include <string.h>

#define LIST_FROM 11 /* columns before the words of a stage */
#define LIST_MOST 84 /* columns of the list */
#define SO_FAR 56    /* columns from which a time says that it goes on */
#define WIDE 84      /* columns from which all boxes stand in one row */
#define TURNED 38    /* and from which in two */
#define WIDE_ROWS 5  /* of the boxes and their ways out */
#define TURNED_ROWS 8
#define MIN_ROWS 9

enum look {
    LOOK_CHAIN,
    LOOK_LIST,
    LOOK_TURNED,
    LOOK_WIDE,
    LOOK_WIDE_ALONE /* without a list */
};

static enum look look_of(int w, int h, int promise)
{
    int left = h - 1 - promise;
    if (w >= WIDE && left >= WIDE_ROWS + STAGES) {
        return LOOK_WIDE;
    }
    if (w >= TURNED && w < WIDE && left >= TURNED_ROWS + STAGES) {
        return LOOK_TURNED;
    }
    if (left >= STAGES) {
        return LOOK_LIST;
    }
    return w >= WIDE && left >= WIDE_ROWS + 1 ? LOOK_WIDE_ALONE : LOOK_CHAIN;
}

static int selected_stage(const struct view_state *v, const struct stages *st)
{
    int now = st->now < STAGES ? st->now : MOVE_COPY;
    return v->has_selection ? (int)view_clamp(v->selected, 0, STAGES - 1) : now;
}

static enum style style_of(enum stage_mark mark)
{
    static const enum style styles[] = {
        [STAGE_TO_COME] = STYLE_DIM,  [STAGE_NOW] = STYLE_STRONG, [STAGE_DONE] = STYLE_GOOD,
        [STAGE_LEFT_OUT] = STYLE_BAD, [STAGE_NEVER] = STYLE_DIM,  [STAGE_BAD] = STYLE_BAD};
    return styles[mark];
}

static uint32_t sign_of(const struct canvas *c, enum stage_mark mark)
{
    static const struct {
        uint32_t utf8, ascii;
    } signs[] = {
        [STAGE_TO_COME] = {0x25CB, 'o'}, [STAGE_NOW] = {0x25CF, '*'}, [STAGE_DONE] = {0x221A, 'v'},
        [STAGE_LEFT_OUT] = {0xD7, 'x'},  [STAGE_NEVER] = {0xD7, 'x'}, [STAGE_BAD] = {0x2260, '!'}};
    return view_sign(c, signs[mark].utf8, signs[mark].ascii);
}

/* --- the boxes ----------------------------------------------------------------------------- */

static void draw_box(struct canvas *c, struct rect area, const char *name, enum style style,
                     bool now)
{
    canvas_box(c, area, now ? LINE_HEAVY : LINE_LIGHT, style);
    int length = (int)strlen(name);
    canvas_text(c, area.x + (area.w - length) / 2, area.y + 1, style, name);
}

/* `length` columns from x on, its head at the end that it goes to. */
static void draw_arrow(struct canvas *c, int x, int y, int length, bool back, enum style style)
{
    canvas_hline(c, back ? x + 1 : x, y, length - 1, LINE_LIGHT, style);
    canvas_put(c, back ? x : x + length - 1, y, style,
               back ? view_sign(c, 0x25C0, '<') : view_sign(c, 0x25B6, '>'));
}

static enum style passed(const struct stages *st, int stage)
{
    return st->now != MOVE_OUT && stage < st->now ? STYLE_GOOD : STYLE_DIM;
}

/* The way out of the first four, from the middle of each down to `y`, and to x of the first. */
static void draw_bus(struct canvas *c, const int middle[4], int bottom, int y, enum style style)
{
    for (int i = 0; i < 4; i++) {
        canvas_vline(c, middle[i], bottom, y - bottom + 1, LINE_LIGHT, style);
    }
    canvas_hline(c, middle[0], y, middle[3] - middle[0] + 1, LINE_LIGHT, style);
}

static enum style way_style(bool open)
{
    return open ? STYLE_TEXT : STYLE_DIM;
}

static void draw_wide(struct canvas *c, int y, const struct moving *k, const struct stages *st)
{
    int w = canvas_width(c), middle[STAGES], x = 0;
    int names = 0;
    for (int i = 0; i < STAGES; i++) {
        names += (int)strlen(stage_name(i));
    }
    int pad = w >= names + 2 * STAGES + 5 * STAGES + 18 ? 3 : 1;
    int arrow = (int)view_clamp((w - names - (2 + 2 * pad) * STAGES) / (STAGES - 1), 2, 5);
    for (int i = 0; i < STAGES; i++) {
        int width = (int)strlen(stage_name(i)) + 2 + 2 * pad;
        middle[i] = x + width / 2;
        struct str text = STR_EMPTY;
        int64_t us;
        draw_box(c, (struct rect){x, y, width, 4}, stage_name(i), style_of(st->mark[i]),
                 i == st->now);
        if (stage_time(k, st, i, &us)) {
            moving_add_time(&text, us);
        } else {
            str_add(&text, st->mark[i] == STAGE_DONE    ? i == MOVE_COMPARE ? "the same" : "done"
                           : st->mark[i] == STAGE_BAD   ? "differs"
                           : st->mark[i] == STAGE_NEVER ? "never"
                                                        : "");
        }
        int length = (int)text.length;
        canvas_text_fit(c, x + 1 + (width - 2 > length ? (width - 2 - length) / 2 : 0), y + 2,
                        width - 2, style_of(st->mark[i]), str_text(&text));
        str_free(&text);
        x += width;
        if (i + 1 < STAGES) {
            draw_arrow(c, x, y + 1, arrow, false, passed(st, i));
            x += arrow;
        }
    }
    bool out = st->now == MOVE_OUT;
    enum style drop = out ? STYLE_BAD : way_style(st->may_drop), back = way_style(st->may_back);
    draw_bus(c, middle, y + 3, y + 4, drop);
    draw_arrow(c, middle[3], y + 4, 4, false, drop);
    canvas_textf(c, middle[3] + 5, y + 4, drop, "abort%s", out ? ": dropped" : "");
    canvas_vline(c, middle[MOVE_CLOSE], y + 3, 2, LINE_LIGHT, back);
    draw_arrow(c, middle[MOVE_CLOSE], y + 4, 4, false, back);
    canvas_text(c, middle[MOVE_CLOSE] + 5, y + 4, back, "roll back");
}

/* Copy to fence from left to right, commit to clean up below them from right to left. */
static void draw_turned(struct canvas *c, int y, const struct stages *st)
{
    int pad = canvas_width(c) >= 52 ? 1 : 0, arrow = 3 + pad, middle[4], x = 0;
    int out = MOVE_OUT;
    for (int i = 0; i <= MOVE_FENCE; i++) {
        int width = (int)strlen(stage_name(i)) + 2 + 2 * pad;
        middle[i] = x + width / 2;
        draw_box(c, (struct rect){x, y, width, 3}, stage_name(i), style_of(st->mark[i]),
                 i == st->now);
        x += width;
        if (i < MOVE_FENCE) {
            draw_arrow(c, x, y + 1, arrow, false, passed(st, i));
            x += arrow;
        }
    }
    int end = x, moved = 0;
    for (int i = MOVE_COMMIT; i <= MOVE_CLEANUP; i++) {
        int width = (int)strlen(stage_name(i)) + 2 + 2 * pad;
        x -= width;
        draw_box(c, (struct rect){x, y + 4, width, 3}, stage_name(i), style_of(st->mark[i]),
                 i == st->now);
        moved = i == MOVE_CLOSE ? x + width / 2 : moved;
        if (i < MOVE_CLEANUP) {
            draw_arrow(c, x - 2 - pad, y + 5, 2 + pad, true, passed(st, i));
            x -= 2 + pad;
        }
    }
    enum style drop = st->now == out ? STYLE_BAD : way_style(st->may_drop);
    middle[3] -= 1;
    draw_box(c, (struct rect){0, y + 4, 7 + 2 * pad, 3}, stage_name(MOVE_OUT), drop,
             st->now == out);
    draw_bus(c, middle, y + 2, y + 3, drop);
    canvas_vline(c, middle[0], y + 3, 2, LINE_LIGHT, drop);
    canvas_put(c, middle[0], y + 4, drop, view_sign(c, 0x25BC, 'v'));
    enum style flip = passed(st, MOVE_FENCE);
    canvas_vline(c, end - 3, y + 2, 3, LINE_LIGHT, flip);
    canvas_put(c, end - 3, y + 4, flip, view_sign(c, 0x25BC, 'v'));
    enum style back = way_style(st->may_back);
    canvas_vline(c, moved, y + 6, 2, LINE_LIGHT, back);
    draw_arrow(c, moved, y + 7, 3, false, back);
    canvas_text_fit(c, moved + 4, y + 7, canvas_width(c) - moved - 4, back, "roll back");
}

/* --- the list and the chain ---------------------------------------------------------------- */

static void draw_stage(struct canvas *c, int y, const struct moving *k, const struct stages *st,
                       int stage)
{
    int w = canvas_width(c) > LIST_MOST ? LIST_MOST : canvas_width(c), end = w, x = LIST_FROM;
    enum style style = style_of(st->mark[stage]);
    struct str text = STR_EMPTY;
    int64_t us;
    canvas_put(c, 0, y, style, sign_of(c, st->mark[stage]));
    canvas_text(c, 2, y, style, stage_name(stage));
    if (stage_time(k, st, stage, &us)) {
        moving_add_time(&text, us);
        str_add(&text, st->mark[stage] == STAGE_NOW && w >= SO_FAR ? " so far" : "");
        end -= (int)text.length;
        canvas_text(c, end, y, st->mark[stage] == STAGE_NOW ? STYLE_STRONG : STYLE_TEXT,
                    str_text(&text));
        end -= 2;
    }
    bool flows = stage == MOVE_COPY && moving_copying(&k->m);
    str_clear(&text);
    stage_add_words(&text, k, st, stage, end - x - (flows ? 9 : 0));
    int room = end - x - (int)text.length - 1;
    if (stage == MOVE_COPY && room >= 4 && !stages_without_copy(k)) {
        int columns = room > 24 ? 24 : room;
        moving_draw_bar(c, (struct rect){x, y, columns, 1}, k->m.copied_bytes, k->m.bytes, style);
        x += columns + 1;
    }
    enum style words = style == STYLE_DIM || style == STYLE_BAD ? style : STYLE_TEXT;
    canvas_text_fit(c, x, y, end - x, words, str_text(&text));
    str_free(&text);
}

static void draw_list(struct canvas *c, int y, const struct moving *k, const struct stages *st,
                      int selected)
{
    for (int i = 0; i < STAGES; i++) {
        draw_stage(c, y + i, k, st, i);
        if (i == selected) {
            canvas_restyle(c, (struct rect){0, y + i, LIST_FROM - 1, 1}, STYLE_SELECTED);
        }
    }
}

/* The names in their order, over as many lines as they need; how many. */
static int draw_chain(struct canvas *c, int y, const struct stages *st, int selected)
{
    int w = canvas_width(c), x = 0, line = 0;
    for (int i = 0; i < STAGES; i++) {
        int width = 1 + (int)strlen(stage_name(i));
        if (x > 0 && x + width > w) {
            x = 0;
            line++;
        }
        enum style style = style_of(st->mark[i]);
        uint32_t sign = sign_of(c, st->mark[i]); /* letters would run into the name */
        sign = sign == 'v' ? '+' : sign == 'o' ? '-' : sign == 'x' ? '/' : sign;
        canvas_put(c, x, y + line, style, sign);
        canvas_text(c, x + 1, y + line, i == selected ? STYLE_SELECTED : style, stage_name(i));
        x += width + 1;
    }
    return line + 1;
}

/* --- the whole ----------------------------------------------------------------------------- */

static void draw_foot(struct canvas *c, int y, int rows, const struct moving *k,
                      const struct stages *st, int selected)
{
    struct str text = STR_EMPTY;
    if (selected >= 0) {
        stage_add_meaning(&text, k, st, selected);
    } else {
        stages_add_ways_out(&text, k, st);
    }
    view_draw_wrapped(c, y, rows > 3 ? 3 : rows, STYLE_DIM, str_text(&text));
    str_free(&text);
}

/* What there is to say where the move is now. */
static void draw_now(struct canvas *c, int y, int rows, const struct moving *k,
                     const struct stages *st)
{
    struct str text = STR_EMPTY;
    if (st->now == MOVE_OUT) {
        stages_add_ways_out(&text, k, st);
    } else {
        str_addf(&text, "%s: ", stage_name(st->now));
        stage_add_words(&text, k, st, st->now, canvas_width(c) * rows - (int)text.length);
    }
    view_draw_wrapped(c, y, rows, STYLE_STRONG, str_text(&text));
    str_free(&text);
}

static void draw_move(struct canvas *c, const struct moving *k, const struct stages *st,
                      int selected)
{
    int w = canvas_width(c), h = canvas_height(c), promise = moving_promise_rows(k, w, h);
    enum look look = look_of(w, h, promise);
    int y = 1, last = h - promise;
    if (look == LOOK_CHAIN) {
        y = h >= 4 ? 1 : 0;
        y += y < last ? draw_chain(c, y, st, selected) : 0;
        if (y < last) {
            draw_now(c, y, last - y, k, st);
        }
        return;
    }
    if (look == LOOK_WIDE || look == LOOK_WIDE_ALONE) {
        y += last - y >= WIDE_ROWS + STAGES + 4;
        draw_wide(c, y, k, st);
        y += WIDE_ROWS;
    } else if (look == LOOK_TURNED) {
        y += last - y >= TURNED_ROWS + STAGES + 4;
        draw_turned(c, y, st);
        y += TURNED_ROWS;
    }
    if (look == LOOK_WIDE_ALONE) {
        draw_now(c, y, last - y, k, st);
        return;
    }
    y += last - y >= STAGES + 2;
    draw_list(c, y, k, st, selected);
    y += STAGES;
    y += last - y >= 3;
    if (y < last) {
        draw_foot(c, y, last - y, k, st, selected);
    }
}

static void add_rest(struct str *out, const struct moving *k)
{
    if (k->shift.kind != SHIFT_NONE) {
        str_addf(out, "slot %u moves %s, not by copy and tail", (unsigned)k->slot,
                 k->shift.kind == SHIFT_ASK ? "key by key" : "by dual writes");
    } else {
        moving_add_none(out, k);
        str_add(out, k->known ? ": no move has begun" : "");
    }
}

/* A slot that has never moved so: who has it, and the promise all the same. */
static void draw_rest(struct canvas *c, const struct moving *k)
{
    struct str text = STR_EMPTY;
    int h = canvas_height(c), rows = moving_promise_rows(k, canvas_width(c), h);
    add_rest(&text, k);
    view_draw_wrapped(c, 0, h - rows, STYLE_DIM, str_text(&text));
    moving_draw_promise(c, k, h - rows, rows);
    str_free(&text);
}

static void draw_head(struct canvas *c, const struct moving *k, const struct stages *st)
{
    struct str text = STR_EMPTY;
    if (moving_copying(&k->m) && canvas_width(c) < 60) { /* the list has no room for it */
        stage_add_speed(&text, k, moving_head_room(k, canvas_width(c)));
    } else {
        str_add(&text, st->now == MOVE_OUT ? "dropped"
                       : k->m.ended        ? "over"
                       : k->m.back         ? "a move back"
                       : k->m.reverse      ? "with a stream back"
                                           : "");
    }
    moving_draw_head(c, k, str_text(&text), STYLE_DIM);
    str_free(&text);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct moving k;
    struct stages st;
    int w = canvas_width(c), h = canvas_height(c);
    if (w < 1 || h < 1) {
        return;
    }
    moving_open(&k, s, v->argument, MANNER_MOVE);
    if (!k.known) {
        struct str text = STR_EMPTY;
        add_rest(&text, &k);
        view_draw_note(c, str_text(&text));
        str_free(&text);
        return;
    }
    if (!k.moves) {
        draw_rest(c, &k);
        return;
    }
    stages_open(&st, &k);
    k.source = k.m.source;
    k.target = k.m.target;
    int selected = focused || v->has_selection ? selected_stage(v, &st) : -1;
    if (h >= 4) {
        draw_head(c, &k, &st);
    }
    draw_move(c, &k, &st, selected);
    int rows = moving_promise_rows(&k, w, h);
    moving_draw_promise(c, &k, h - rows, rows);
    if (focused) {
        canvas_cursor(c, 0, h - rows);
    }
}

static int wants(const struct scene *s, const struct view_state *v)
{
    struct moving k;
    moving_open(&k, s, v->argument, MANNER_MOVE);
    return k.known && !k.moves ? 4 : MIN_ROWS;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct moving k;
    struct stages st;
    moving_open(&k, s, v->argument, MANNER_MOVE);
    if (!k.known || !k.moves || w < 1 || h < 1) {
        return false;
    }
    stages_open(&st, &k);
    int64_t at = selected_stage(v, &st);
    enum verb as_list = verb == VERB_RIGHT ? VERB_DOWN : verb == VERB_LEFT ? VERB_UP : verb;
    bool begun = v->has_selection;
    if (!view_list_move(&at, STAGES, as_list, STAGES) && (begun || as_list != VERB_UP)) {
        return false;
    }
    v->has_selection = true;
    v->selected = at;
    return true;
}

/* --- words --------------------------------------------------------------------------------- */

static void tell_stage(struct str *out, const struct moving *k, const struct stages *st, int stage)
{
    static const char *const marks[] = {
        [STAGE_TO_COME] = "to come",   [STAGE_NOW] = "NOW",     [STAGE_DONE] = "done",
        [STAGE_LEFT_OUT] = "LEFT OUT", [STAGE_NEVER] = "never", [STAGE_BAD] = "NOT THE SAME"};
    struct str line = STR_EMPTY;
    int64_t us;
    str_addf(&line, "%d %s, %s: ", stage + 1, stage_name(stage), marks[st->mark[stage]]);
    stage_add_words(&line, k, st, stage, TELL_COLUMNS * 2);
    if (stage_time(k, st, stage, &us)) {
        str_add(&line, "; ");
        moving_add_time(&line, us);
        str_add(&line, st->mark[stage] == STAGE_NOW ? " so far" : "");
    }
    str_addc(&line, '.');
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 2);
    str_free(&line);
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct moving k;
    struct stages st;
    struct str line = STR_EMPTY;
    moving_open(&k, s, v->argument, MANNER_MOVE);
    if (!k.known || !k.moves) {
        add_rest(&line, &k);
        str_addc(&line, '.');
        line.text[0] = (char)(line.text[0] - 'a' + 'A');
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
        if (k.known) {
            moving_tell_promise(out, &k);
        }
        str_free(&line);
        return;
    }
    stages_open(&st, &k);
    str_addf(&line, "Slot %u moves from S%u to S%u%s%s. ", (unsigned)k.slot, (unsigned)k.m.source,
             (unsigned)k.m.target, k.m.back ? ", back to where it was" : "",
             k.m.ended ? "; this move is over" : "");
    str_addf(&line,
             "Its stages, now at \"%s\":", st.now == MOVE_OUT ? "abort" : stage_name(st.now));
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    for (int stage = 0; stage < STAGES; stage++) {
        tell_stage(out, &k, &st, stage);
    }
    str_clear(&line);
    str_add(&line, "Ways out: ");
    stages_add_ways_out(&line, &k, &st);
    str_addc(&line, '.');
    view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 2);
    moving_tell_promise(out, &k);
    str_free(&line);
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct moving k;
    struct stages st;
    uint64_t record;
    moving_open(&k, s, v->argument, MANNER_MOVE);
    if (!k.known) {
        return (struct subject){.kind = SUBJECT_NONE};
    }
    if (k.moves) {
        stages_open(&st, &k);
        enum move_stage stage = (enum move_stage)selected_stage(v, &st);
        if (moves_record(k.w, &k.m, stage, &record)) {
            return (struct subject){.kind = SUBJECT_RECORD, .id = record};
        }
    }
    return (struct subject){.kind = SUBJECT_SLOT, .id = k.slot};
}

const struct view view_move = {
    .name = "move",
    .title = "The slot's move",
    .min_rows = MIN_ROWS,
    .want_rows = 19,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
