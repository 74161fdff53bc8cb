/*
 * screen_check: Break it drawn. See check_screen.h.
 */
#include "app/check/check_run.h"
#include "base/num.h"
#include "base/utf8.h"
#include "check/models.h"
#include "draw/prose.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEFT_NARROW 39
#define LEFT_MIDDLE 44
#define LEFT_WIDE 58
#define TWO_FROM_ROWS 44     /* of the body: room for a second picture below the first */
#define TWO_FROM_COLUMNS 150 /* of a run: beside it */
#define STEPS_LEAST 3
#define STEP_WORDS 6  /* their column: behind three marks and the number */
#define NOTES_LEAST 8 /* rows that are left below a list whose steps take two */

/* --- the top line ------------------------------------------------------------------------------
 */

static void say_place(const struct check_screen *s, struct str *out)
{
    const struct check_session *session = &s->session;
    if (check_session_searches(session)) {
        str_add(out, "searching");
    } else if (s->run.world) {
        int64_t now = world_now(s->run.world);
        str_addf(out, "after step %u: %s%03d  ", (unsigned)session->step, num_clock(now).text,
                 (int)(now % US_PER_MS));
        if (s->run.playing) {
            check_run_say_speed(&s->run, out);
        } else {
            str_add(out, "stands still");
        }
    } else if (check_session_fails(session)) {
        str_addf(out, "step %u/%u", (unsigned)session->step,
                 (unsigned)check_session_steps(session));
    }
}

void screen_check_title(struct ui *ui)
{
    struct canvas *c = ui->canvas;
    const struct check_screen *s = ui->check;
    struct str middle = STR_EMPTY;
    struct str right = STR_EMPTY;
    uint32_t without = check_session_without(&s->session);
    int w = canvas_columns(c);
    if (s->session.back) {
        str_add(&middle, "with every rule again");
    } else if (without != 0) {
        str_add(&middle, "without: ");
        check_session_say_rules(s->session.model, without, &middle);
    }
    say_place(s, &right);
    int end = w - 1 - utf8_columns(str_text(&right), right.length);
    int x = 1 + canvas_textf(c, 1, 0, STYLE_TITLE, "Break it: %s", s->session.model->name) + 3;
    canvas_text_fit(c, x, 0, end - 2 - x, STYLE_TITLE, str_text(&middle));
    canvas_text_right(c, w - 1, 0, STYLE_TITLE, str_text(&right));
    str_free(&middle);
    str_free(&right);
}

/* --- rules -------------------------------------------------------------------------------------
 */

static void draw_rule(struct canvas *c, const struct check_screen *s, int y, size_t rule)
{
    const struct check_session *session = &s->session;
    bool off = (session->rules >> rule & 1) == 0;
    bool on = !off || session->back;
    bool selected = s->rules && rule == session->selected;
    enum style style = selected    ? STYLE_SELECTED
                       : off && on ? STYLE_GOOD
                       : on        ? STYLE_TEXT
                                   : STYLE_WARN;
    if (selected) {
        canvas_fill(c, (struct rect){0, y, canvas_width(c), 1}, style, ' ');
        canvas_cursor(c, 1, y);
    }
    canvas_textf(c, 1, y, style, "[%c]", on ? 'x' : ' ');
    canvas_text_fit(c, 5, y, canvas_width(c) - 5, style, session->model->rule[rule].name);
}

static void draw_rules(struct canvas *c, const struct check_screen *s)
{
    int rows = canvas_height(c);
    int count = (int)check_rules(s->session.model);
    int first = (int)s->session.selected >= rows ? (int)s->session.selected - rows + 1 : 0;
    first = first > count - rows ? count - rows : first;
    first = first < 0 ? 0 : first;
    for (int i = 0; i < rows && first + i < count; i++) {
        draw_rule(c, s, i, (size_t)(first + i));
    }
}

/* Those that are off, while the steps have the focus and there is no room for all. */
static int off_rows(const struct check_session *s)
{
    int rows = 0;
    for (size_t i = 0; s->model->rule[i].name; i++) {
        rows += (check_session_without(s) >> i & 1) != 0;
    }
    return rows > 2 ? 2 : rows;
}

static void draw_off(struct canvas *c, const struct check_screen *s)
{
    int y = 0;
    for (size_t i = 0; s->session.model->rule[i].name && y < canvas_height(c); i++) {
        if ((check_session_without(&s->session) >> i & 1) != 0) {
            draw_rule(c, s, y++, i);
        }
    }
}

/* --- what was seen -----------------------------------------------------------------------------
 */

/* How much of what a search may take it has taken. Nobody knows how many states there are. */
static void draw_bar(struct canvas *c, int y, const struct check_session *s)
{
    uint64_t states = 0;
    uint32_t depth = 0;
    uint64_t most = check_interactive().states_max;
    int columns = canvas_width(c) - 2;
    check_session_seen(s, &states, &depth);
    states = states > most ? most : states;
    int eighths = (int)(states * (uint64_t)(columns * 8) / most);
    canvas_hline(c, 1, y, columns, LINE_LIGHT, STYLE_DIM);
    canvas_fill(c, (struct rect){1, y, (eighths + 7) / 8, 1}, STYLE_TEXT, ' ');
    canvas_bar(c, 1, y, eighths, STYLE_GOOD);
    canvas_textf(c, 1, y + 1, STYLE_DIM, "at most %s", num_grouped((int64_t)most).text);
}

static void draw_seen(struct canvas *c, const struct check_session *s)
{
    struct str text = STR_EMPTY;
    check_session_say_seen(s, &text);
    enum style style = s->back                                ? STYLE_WARN
                       : check_session_searches(s)            ? STYLE_STRONG
                       : check_session_fails(s)               ? STYLE_BAD
                       : s->found.result.verdict == CHECK_CUT ? STYLE_WARN
                                                              : STYLE_GOOD;
    char *line = str_take(&text);
    size_t first = strcspn(line, "\n");
    canvas_textn(c, 1, 0, STYLE_DIM, line, first);
    if (line[first] != '\0') {
        canvas_text_fit(c, 1, 1, canvas_width(c) - 2, style, line + first + 1);
    }
    free(line);
}

/* --- steps -------------------------------------------------------------------------------------
 */

/* Its words, as a line; bytes of them that stand in the first row of so many columns. */
static size_t step_text(const struct check_session *s, uint32_t step, int columns, struct str *out)
{
    struct check_told told;
    check_session_tell(s, step, &told);
    str_addf(out, "%s %s", told.actor, told.action);
    const char *text = str_text(out);
    if (utf8_columns(text, out->length) <= columns) {
        return out->length;
    }
    size_t cut = utf8_fit(text, out->length, columns);
    size_t word = cut;
    while (word > 0 && text[word] != ' ') {
        word--;
    }
    return word > 0 ? word : cut;
}

/* Rows of all steps when none is cut that two rows can hold. */
static int steps_rows(const struct check_session *s, int columns)
{
    int rows = 0;
    for (uint32_t step = 1; step <= check_session_steps(s); step++) {
        struct str text = STR_EMPTY;
        rows += step_text(s, step, columns - STEP_WORDS, &text) < text.length ? 2 : 1;
        str_free(&text);
    }
    return rows;
}

static bool is_cut(const struct check_told *told, int columns)
{
    int length = utf8_columns(told->actor, strlen(told->actor)) + 1 +
                 utf8_columns(told->action, strlen(told->action));
    return length > columns - STEP_WORDS;
}

static enum style style_of_step(const struct check_session *s, unsigned marks)
{
    return (marks & STEP_TAKEN) == 0 && s->step > 0     ? STYLE_DIM
           : (marks & STEP_BROKEN)                      ? STYLE_BAD
           : (marks & (STEP_STOPPED | STEP_PARTS)) != 0 ? STYLE_WARN
           : (marks & STEP_NOW)                         ? STYLE_STRONG
                                                        : STYLE_TEXT;
}

enum steps_shown {
    STEPS_WRAPPED, /* whole: in two rows where one is too short */
    STEPS_CUT,     /* all of them, in a row each */
    STEPS_SOME     /* likewise; signs at the right say that there are more */
};

/* Returns the rows that it took: two for long words where there is room for that. */
static int draw_step(struct canvas *c, const struct check_session *s, int y, uint32_t step,
                     enum steps_shown shown)
{
    struct str text = STR_EMPTY;
    unsigned marks = check_session_marks(s, step);
    bool ascii = canvas_glyphs(c) == GLYPHS_ASCII;
    enum style style = style_of_step(s, marks);
    int columns = canvas_width(c) - STEP_WORDS - (shown == STEPS_SOME);
    size_t first = step_text(s, step, columns, &text);
    const char *words = str_text(&text);
    bool two = shown == STEPS_WRAPPED && first < text.length;
    if (marks & STEP_NOW) {
        canvas_text(c, 0, y, STYLE_FOCUS, ascii ? ">" : "▸");
        canvas_cursor(c, 0, y);
    }
    if (marks & (STEP_PARTS | STEP_STOPPED)) {
        canvas_text(c, 1, y, STYLE_WARN, "!");
    }
    if (marks & STEP_BROKEN) {
        canvas_text(c, 2, y, STYLE_BAD, ascii ? "x" : "×");
    }
    canvas_textf(c, 3, y, style, "%2u", (unsigned)step);
    if (two) {
        canvas_textn(c, STEP_WORDS, y, style, words, first);
        canvas_text_fit(c, STEP_WORDS, y + 1, columns, style,
                        words + first + (words[first] == ' '));
    } else {
        canvas_text_fit(c, STEP_WORDS, y, columns, style, words);
    }
    str_free(&text);
    return two ? 2 : 1;
}

/* A window of the list, with the step where one stands and what comes next. */
static void draw_steps(struct canvas *c, const struct check_session *s)
{
    int rows = canvas_height(c);
    int count = (int)check_session_steps(s);
    enum steps_shown shown = steps_rows(s, canvas_width(c)) <= rows ? STEPS_WRAPPED
                             : count > rows                         ? STEPS_SOME
                                                                    : STEPS_CUT;
    int first = (int)s->step - rows / 2 - 1;
    first = first > count - rows ? count - rows : first;
    first = first < 0 ? 0 : first;
    for (int y = 0, i = first; y < rows && i < count; i++) {
        y += draw_step(c, s, y, (uint32_t)i + 1, shown);
    }
    if (first > 0) {
        canvas_text_right(c, canvas_width(c), 0, STYLE_DIM,
                          canvas_glyphs(c) == GLYPHS_ASCII ? "^" : "▲");
    }
    if (first + rows < count) {
        canvas_text_right(c, canvas_width(c), rows - 1, STYLE_DIM,
                          canvas_glyphs(c) == GLYPHS_ASCII ? "v" : "▼");
    }
}

/* --- the left pane -----------------------------------------------------------------------------
 */

/* What stands below the list: of the selected rule and what was found, or of the step. */
static void say_below(const struct check_session *session, bool rules, int columns, struct str *out)
{
    if (rules) {
        str_addf(out, "%s\n\n", session->model->rule[session->selected].demands);
        check_session_say_verdict(session, out);
    } else if (check_session_fails(session)) {
        struct check_told told = {.actor = ""};
        if (session->step > 0) {
            check_session_tell(session, session->step, &told);
        }
        check_session_say_step(session, is_cut(&told, columns), out);
    } else {
        check_session_say_verdict(session, out);
    }
}

static void wrap_below(const struct check_session *session, bool rules, int columns,
                       struct prose *out)
{
    struct str text = STR_EMPTY;
    say_below(session, rules, columns, &text);
    prose_wrap(out, str_text(&text), columns - 2);
    str_free(&text);
}

/* Rows that the longest of these texts takes, so that nothing moves from step to step, nor when the
 * rules are put back. Two steps have more to say than all others, the one where the full protocol
 * parts and the last one: where one stands on these the list gives way. */
static int below_rows(const struct check_screen *s, int columns)
{
    struct check_session at = s->session; /* a look at other steps of it: owns nothing */
    int most = 0;
    for (int back = 0; back < 2; back++) {
        at.back = back == 1 && check_session_fails(&at);
        uint32_t steps = s->rules ? 0 : check_session_steps(&at);
        for (uint32_t step = 0; step <= steps; step++) {
            struct prose prose;
            bool here = at.back == s->session.back && step == s->session.step;
            at.step = s->rules ? at.step : step;
            unsigned marks = check_session_marks(&at, step);
            if (!here && !s->rules && (marks & (STEP_PARTS | STEP_BROKEN | STEP_STOPPED)) != 0) {
                continue;
            }
            wrap_below(&at, s->rules, columns, &prose);
            most = (int)prose.line_count > most ? (int)prose.line_count : most;
            prose_free(&prose);
        }
    }
    return most;
}

static void draw_below(const struct ui *ui, struct rect area)
{
    struct prose prose;
    wrap_below(&ui->check->session, ui->check->rules, area.w, &prose);
    canvas_push(ui->canvas, area);
    prose_draw(ui->canvas, &prose, 1, 0, 0, area.h);
    canvas_pop(ui->canvas);
    prose_free(&prose);
}

static void draw_in(struct canvas *c, struct rect area, const struct check_screen *s,
                    void (*draw)(struct canvas *c, const struct check_screen *s))
{
    canvas_push(c, area);
    draw(c, s);
    canvas_pop(c);
}

static void draw_list(struct canvas *c, const struct check_screen *s)
{
    draw_steps(c, &s->session);
}

static void draw_search(struct canvas *c, const struct check_screen *s)
{
    draw_seen(c, &s->session);
    if (check_session_searches(&s->session) && canvas_height(c) > 3) {
        draw_bar(c, 2, &s->session);
    }
}

static int seen_rows(const struct check_screen *s)
{
    return check_session_searches(&s->session) ? 4 : 2;
}

static bool has_room_for_all(const struct check_screen *s, struct rect inside)
{
    int rules = (int)check_rules(s->session.model);
    int steps = 0;
    struct check_session at = s->session; /* nothing moves when the rules are back */
    for (int back = 0; back < 2; back++) {
        at.back = back == 1 && check_session_fails(&at);
        int rows = steps_rows(&at, inside.w);
        steps = rows > steps ? rows : steps;
    }
    int above = rules + 1 + seen_rows(s) + (steps > 0 ? 1 + steps : 0) + 1;
    return above + below_rows(s, inside.w) <= inside.h;
}

/* Rules, search, steps and words in one column; what finds no room is folded: of the rules those
 * that are on, or the list of steps. */
static void draw_left(struct ui *ui, struct rect area)
{
    struct canvas *c = ui->canvas;
    const struct check_screen *s = ui->check;
    struct rect rest = draw_pane(c, area, s->rules ? "Rules" : "Steps", true);
    int rules = (int)check_rules(s->session.model);
    int steps = (int)check_session_steps(&s->session);
    int seen = seen_rows(s);
    int below = below_rows(s, rest.w);
    bool all = has_room_for_all(s, rest);
    int head = all || s->rules ? rules : off_rows(&s->session);
    head = head > rest.h - seen - 1 ? rest.h - seen - 1 : head;
    if (head > 0) {
        draw_in(c, rect_cut_top(rest, head, &rest), s, all || s->rules ? draw_rules : draw_off);
    }
    bool airy = all || head + seen + below + 3 <= rest.h + head;
    if (all || (s->rules && airy)) {
        rect_cut_top(rest, 1, &rest);
    }
    draw_in(c, rect_cut_top(rest, seen, &rest), s, draw_search);
    if (steps > 0 && (all || !s->rules)) {
        int room = rest.h - 2 - below;
        int want = steps_rows(&s->session, rest.w);
        room = room < STEPS_LEAST ? STEPS_LEAST : room;
        room = room >= want ? want : room > steps ? steps : room;
        rect_cut_top(rest, 1, &rest);
        draw_in(c, rect_cut_top(rest, room, &rest), s, draw_list);
    }
    if (rest.h > below) {
        rect_cut_top(rest, 1, &rest);
    }
    draw_below(ui, rest);
}

/* --- the right side ----------------------------------------------------------------------------
 */

static void draw_promises(struct ui *ui, struct rect area)
{
    struct canvas *c = ui->canvas;
    struct check_screen *s = ui->check;
    struct str text = STR_EMPTY;
    struct prose prose;
    struct rect inside = draw_pane(c, area, "What is promised", false);
    int columns = inside.w - 2 < PROSE_MEASURE ? inside.w - 2 : PROSE_MEASURE;
    check_session_say_promises(&s->session, &text);
    prose_wrap(&prose, str_text(&text), columns);
    s->pane = inside;
    s->scroll_most = (int)prose.line_count - inside.h;
    s->scroll_most = s->scroll_most < 0 ? 0 : s->scroll_most;
    s->scroll = s->scroll > s->scroll_most ? s->scroll_most : s->scroll;
    canvas_push(c, inside);
    prose_draw(c, &prose, 1, 0, s->scroll, inside.h);
    canvas_pop(c);
    if (s->scroll < s->scroll_most) {
        struct str key = STR_EMPTY;
        keymap_say(&ui->keymap, ACT_PAGE_DOWN, IN_CHECK, &key);
        canvas_textf(c, area.x + 2, area.y + area.h - 1, STYLE_DIM, " more below (%s) ",
                     str_text(&key));
        str_free(&key);
    }
    prose_free(&prose);
    str_free(&text);
}

/* Beside the rules, before a step was taken: what was found, as a list. */
static void draw_way(struct ui *ui, struct rect area)
{
    struct canvas *c = ui->canvas;
    const struct check_session *session = &ui->check->session;
    struct str text = STR_EMPTY;
    struct prose prose;
    struct rect inside = draw_pane(c, area, "The shortest failure", false);
    int want = steps_rows(session, inside.w);
    int steps = (int)check_session_steps(session);
    struct rect list =
        rect_cut_top(inside, (want + NOTES_LEAST < inside.h ? want : steps) + 1, &inside);
    canvas_push(c, list);
    draw_steps(c, session);
    canvas_pop(c);
    check_session_say_start(session, &text);
    str_add(&text, "\n\n");
    check_session_say_notes(session, &text);
    prose_wrap(&prose, str_text(&text),
               inside.w - 2 < PROSE_MEASURE ? inside.w - 2 : PROSE_MEASURE);
    canvas_push(c, inside);
    prose_draw(c, &prose, 1, 0, 0, inside.h);
    canvas_pop(c);
    prose_free(&prose);
    str_free(&text);
}

static void draw_picture(struct ui *ui, struct rect area, size_t index, bool focused)
{
    struct canvas *c = ui->canvas;
    const struct check_screen *s = ui->check;
    char title[96];
    struct check_sight sight = check_screen_sight(s);
    const char *name = check_pictures_title(&s->pictures, index);
    if (index == s->pictures.shown && s->pictures.count > 1) {
        snprintf(title, sizeof title, "%s  %zu/%zu", name, index + 1, s->pictures.count);
    } else {
        snprintf(title, sizeof title, "%s", name);
    }
    struct rect inside = draw_pane(c, area, title, focused);
    const char *names = check_pictures_names(&s->pictures, index);
    if (names) {
        canvas_textf(c, area.x + 2, area.y + area.h - 1, STYLE_DIM, " %s ", names);
    }
    if (index == s->pictures.shown) {
        ui->check->pane = inside;
    }
    canvas_push(c, inside);
    check_pictures_draw(&s->pictures, index, c, &sight, focused);
    canvas_pop(c);
}

/* The chosen picture and, where there is much room, the one that comes after it. */
static void draw_pictures(struct ui *ui, struct rect area)
{
    const struct check_pictures *p = &ui->check->pictures;
    size_t next = (p->shown + 1) % p->count;
    bool whole = ui->check->whole;
    bool beside = whole && area.w >= TWO_FROM_COLUMNS && p->count > 1;
    bool under = !beside && area.h >= TWO_FROM_ROWS && p->count > 1;
    struct rect rest = area;
    if (beside) {
        area = rect_cut_left(area, area.w / 2, &rest);
    } else if (under) {
        area = rect_cut_top(area, area.h / 2, &rest);
    }
    draw_picture(ui, area, p->shown, whole);
    if (beside || under) {
        draw_picture(ui, rest, next, false);
    }
}

void screen_check_draw(struct ui *ui, struct rect body)
{
    const struct check_screen *s = ui->check;
    struct rect right;
    if (s->whole) {
        draw_pictures(ui, body);
        return;
    }
    int columns = body.w < 96 ? LEFT_NARROW : body.w < 150 ? LEFT_MIDDLE : LEFT_WIDE;
    struct rect left = rect_cut_left(body, columns, &right);
    bool picture = check_screen_has_picture(s);
    if (picture && !check_screen_shows_world(s) &&
        !has_room_for_all(s, rect_inset(left, 1))) { /* else the left has the steps */
        draw_way(ui, right);
    } else if (picture && check_screen_shows_world(s)) {
        draw_pictures(ui, right);
    } else {
        draw_promises(ui, right);
    }
    draw_left(ui, left); /* last: the cursor rests here */
}
