/*
 * lesson_text: the text pane, laid out as lines twice: once to count, once to draw.
 *
 * Both passes run the same code over a `struct sink`, which draws only lines inside its window and
 * remembers where the question and the typed answer are. Prose is wrapped to at most
 * PROSE_MEASURE columns however wide the pane is, with an empty column on either side. Once the
 * question is judged, only the chosen and the true choices remain, so that both stay in sight.
 */
#include "view/lesson_text.h"

#include "base/utf8.h"
#include "draw/prose.h"
#include "view/inside.h"
#include <string.h>

struct sink {
    struct canvas *c; /* NULL: only count */
    int columns;
    int line;           /* the next one */
    int first, rows, y; /* window: lines shown, and the frame's row of the first */
    int ask;            /* line of the open question, -1 if none */
    int cursor_x, cursor_line;
};

static bool visible(const struct sink *k, int line)
{
    return k->c != NULL && line >= k->first && line < k->first + k->rows;
}

static int row_of(const struct sink *k, int line)
{
    return k->y + line - k->first;
}

static void add_gap(struct sink *k)
{
    if (k->line > 0) {
        k->line++;
    }
}

/* Wrapped markup from column x on. `style` replaces plain text's; marked words keep theirs. */
static void add_prose(struct sink *k, int x, enum style style, const char *markup)
{
    struct prose prose;
    int columns = k->columns - x;
    prose_wrap(&prose, markup, columns < 1 ? 1 : columns);
    if (style != STYLE_TEXT) {
        for (size_t i = 0; i < prose.run_count; i++) {
            if (prose.runs[i].style == STYLE_TEXT) {
                prose.runs[i].style = style;
            }
        }
    }
    for (size_t i = 0; i < prose.line_count; i++) {
        if (visible(k, k->line)) {
            prose_draw(k->c, &prose, x, row_of(k, k->line), (int)i, 1);
        }
        k->line++;
    }
    prose_free(&prose);
}

/* A word before wrapped markup, on its first line. */
static void add_labelled(struct sink *k, const char *label, enum style label_style,
                         enum style style, const char *markup)
{
    int columns = utf8_columns(label, strlen(label)) + 1;
    int at = k->line;
    add_prose(k, columns, style, markup);
    if (k->line == at) {
        k->line++;
    }
    if (visible(k, at)) {
        canvas_text(k->c, 0, row_of(k, at), label_style, label);
    }
}

static const char *sign_text(const struct sink *k, const char *utf8, const char *ascii)
{
    return k->c == NULL || canvas_glyphs(k->c) == GLYPHS_UTF8 ? utf8 : ascii;
}

/* Two columns in both glyph sets, so that lines break alike. */
static const char *verdict(const struct sink *k, bool good)
{
    return good ? sign_text(k, "√ ", "ok") : sign_text(k, "× ", "no");
}

/* --- the question -------------------------------------------------------------------------- */

#define CHOICE_INDENT 8 /* "▸ 1  ok " */

static void add_choice(struct sink *k, const struct page_question *q, size_t index, bool typed)
{
    struct page_choice marked = q->choice[index];
    const struct page_choice *choice = &marked;
    marked.chosen = marked.chosen || typed;
    int at = k->line;
    int indent = q->judged ? CHOICE_INDENT : CHOICE_INDENT - 3;
    enum style style = choice->chosen ? STYLE_STRONG : STYLE_TEXT;
    bool missed = q->judged && q->kind == QUESTION_SEVERAL && q->state == QUESTION_ANSWERED &&
                  choice->holds && !choice->chosen;
    struct str text = STR_EMPTY;
    str_addf(&text, "%s%s", missed ? "missed: " : "", choice->text);
    add_prose(k, indent, missed ? STYLE_WARN : style, str_text(&text));
    str_free(&text);
    if (k->line == at) {
        k->line++;
    }
    if (!visible(k, at)) {
        return;
    }
    int y = row_of(k, at);
    if (choice->chosen) {
        canvas_text(k->c, 0, y, STYLE_STRONG, sign_text(k, "▸", ">"));
    }
    canvas_textf(k->c, 2, y, q->state == QUESTION_OPEN ? STYLE_KEYCAP : style, "%zu", index + 1);
    if (q->judged) {
        canvas_text(k->c, 5, y,
                    missed          ? STYLE_WARN
                    : choice->holds ? STYLE_GOOD
                                    : STYLE_BAD,
                    missed ? "? " : verdict(k, choice->holds));
    }
}

/* The part of a field that fits: the cursor stays in it. Returns its first byte. */
static size_t field_from(const char *text, size_t cursor, int room)
{
    size_t from = 0;
    while (from < cursor && utf8_columns(text + from, cursor - from) >= room) {
        uint32_t point;
        from += utf8_decode(text + from, strlen(text) - from, &point);
    }
    return from;
}

static void add_field(struct sink *k, const struct page_question *q, const struct text_field *field)
{
    const char *text = field != NULL && field->text != NULL ? field->text : "";
    size_t length = strlen(text);
    size_t cursor = field != NULL && field->cursor < length ? field->cursor : length;
    int unit = q->unit != NULL ? utf8_columns(q->unit, strlen(q->unit)) : 0;
    int room = k->columns - 2 - (unit > 0 ? unit + 1 : 0);
    size_t from = field_from(text, cursor, room);
    cursor = cursor < from ? from : cursor; /* inside a character counts as behind it */
    k->cursor_line = k->line;
    k->cursor_x = 2 + utf8_columns(text + from, cursor - from);
    if (visible(k, k->line)) {
        int y = row_of(k, k->line);
        size_t shown = utf8_fit(text + from, length - from, room < 0 ? 0 : room);
        canvas_text(k->c, 0, y, STYLE_KEYCAP, sign_text(k, "▸", ">"));
        int x = 2 + canvas_textn(k->c, 2, y, STYLE_STRONG, text + from, shown);
        if (length == 0) {
            x += canvas_text(k->c, x, y, STYLE_DIM, "__");
        }
        if (unit > 0) {
            canvas_text(k->c, x + 1, y, STYLE_DIM, q->unit);
        }
    }
    k->line++;
}

/* What the learner gave and what holds, for answers that were typed. */
static void add_given(struct sink *k, const struct page_question *q)
{
    struct str line = STR_EMPTY;
    const char *unit = q->unit != NULL ? q->unit : "";
    if (q->state == QUESTION_ANSWERED) {
        str_addf(&line, "your answer: %s%s%s", q->answer != NULL ? q->answer : "",
                 unit[0] != '\0' ? " " : "", unit);
        enum style style = !q->judged ? STYLE_STRONG : q->right ? STYLE_GOOD : STYLE_BAD;
        add_labelled(k, q->judged ? verdict(k, q->right) : sign_text(k, "▸", ">"), style,
                     STYLE_STRONG, str_text(&line));
    }
    if (q->judged && !q->right && q->truth != NULL && q->truth[0] != '\0') {
        str_clear(&line);
        str_addf(&line, "it is: %s", q->truth); /* with its unit */
        add_labelled(k, verdict(k, true), STYLE_GOOD, STYLE_STRONG, str_text(&line));
    }
    str_free(&line);
}

static void add_hints(struct sink *k, const char *const *hint, size_t hints, size_t shown)
{
    if (shown > 0) {
        add_gap(k);
    }
    for (size_t i = 0; i < shown && i < hints && i < PAGE_HINTS_MAX; i++) {
        add_labelled(k, "hint:", STYLE_WARN, STYLE_TEXT, hint[i]);
    }
}

/* That it was skipped, or the hints so far. */
static void add_shown(struct sink *k, const struct page_question *q)
{
    if (q->state == QUESTION_SKIPPED) {
        add_prose(k, 0, STYLE_DIM, "You asked to be shown. It will come back.");
    }
    add_hints(k, q->hint, q->hints, q->state == QUESTION_OPEN ? q->hints_shown : 0);
}

/* --- an explanation ------------------------------------------------------------------------- */

/* What is being typed, on as many lines as it needs. */
static void add_written(struct sink *k, const struct text_field *field)
{
    size_t length = strlen(field->text);
    size_t cursor = field->cursor < length ? field->cursor : length;
    int room = k->columns - 2 < 1 ? 1 : k->columns - 2;
    size_t at = 0;
    do {
        size_t part = utf8_fit(field->text + at, length - at, room);
        part = part > 0 || at == length ? part : length - at;
        if (visible(k, k->line)) {
            if (at == 0) {
                canvas_text(k->c, 0, row_of(k, k->line), STYLE_KEYCAP, sign_text(k, "▸", ">"));
            }
            canvas_textn(k->c, 2, row_of(k, k->line), STYLE_STRONG, field->text + at, part);
        }
        if (cursor >= at && (cursor < at + part || at + part == length)) {
            k->cursor_line = k->line;
            k->cursor_x = 2 + utf8_columns(field->text + at, cursor - at);
        }
        k->line++;
        at += part;
    } while (at < length);
}

/* A point of the rubric, and whether the learner found it in their answer. */
static void add_point(struct sink *k, const struct page_question *q, size_t index)
{
    const struct page_choice *point = &q->choice[index];
    bool marks = q->state == QUESTION_ANSWERED;
    int at = k->line, y = row_of(k, at);
    add_prose(k, marks ? CHOICE_INDENT : 2, point->chosen ? STYLE_STRONG : STYLE_TEXT, point->text);
    if (k->line == at) {
        k->line++;
    }
    if (!visible(k, at)) {
        return;
    }
    if (!marks) {
        canvas_text(k->c, 0, y, STYLE_DIM, "-");
        return;
    }
    canvas_textf(k->c, 2, y, STYLE_KEYCAP, "%zu", index + 1);
    if (point->chosen) {
        canvas_text(k->c, 5, y, STYLE_GOOD, sign_text(k, "√ ", "ok"));
    } else {
        canvas_text(k->c, 5, y, STYLE_DIM, "- ");
    }
}

static void add_explanation(struct sink *k, const struct page_question *q,
                            const struct text_field *field)
{
    bool given = q->state == QUESTION_ANSWERED;
    bool written = field != NULL && field->text != NULL;
    if (q->state == QUESTION_OPEN) {
        if (written && (field->active || field->text[0] != '\0')) {
            k->line++;
            add_written(k, field);
        }
        return;
    }
    if (given && q->answer != NULL && q->answer[0] != '\0') {
        add_labelled(k, sign_text(k, "▸", ">"), STYLE_STRONG, STYLE_TEXT, q->answer);
    }
    if (!q->judged) {
        return;
    }
    add_gap(k);
    add_prose(k, 0, STYLE_DIM, "A good answer:");
    add_prose(k, 0, STYLE_TEXT, q->truth);
    add_gap(k);
    add_prose(k, 0, STYLE_DIM,
              given ? "You mark it: which of these were in yours?" : "What it names:");
    for (size_t i = 0; i < q->choices && i < PAGE_CHOICES_MAX; i++) {
        add_point(k, q, i);
    }
}

static void add_question(struct sink *k, const struct page *page, const struct text_field *field)
{
    const struct page_question *q = &page->question;
    bool listed = q->kind == QUESTION_CHOICE || q->kind == QUESTION_SEVERAL;
    bool open = q->state == QUESTION_OPEN;
    if (q->kind == QUESTION_NONE) {
        return;
    }
    add_gap(k);
    k->ask = open ? k->line : -1;
    add_prose(k, 0, STYLE_STRONG, q->ask);
    if (q->kind == QUESTION_EXPLAIN) {
        add_explanation(k, q, field);
        add_shown(k, q);
        return;
    }
    k->line += !q->judged; /* room is short once the answer, the reason and a task are there */
    for (size_t i = 0; listed && i < q->choices && i < PAGE_CHOICES_MAX; i++) {
        bool typed = open && field != NULL && field->active && field->text != NULL &&
                     strchr(field->text, (int)('1' + i)) != NULL;
        if (!q->judged || q->choice[i].chosen || q->choice[i].holds) {
            add_choice(k, q, i, typed);
        }
    }
    if (open && (!listed || (field != NULL && field->active))) {
        add_field(k, q, field);
    }
    if (!listed && !open) {
        add_given(k, q);
    }
    add_shown(k, q);
    if (q->judged && q->feedback != NULL && q->feedback[0] != '\0') {
        add_gap(k);
        add_prose(k, 0, STYLE_TEXT, q->feedback);
    }
    if (q->judged && !q->right && q->belief != NULL && q->belief[0] != '\0') {
        struct str line = STR_EMPTY;
        str_addf(&line, "The belief behind it: \"%s\".", q->belief);
        add_prose(k, 0, STYLE_WARN, str_text(&line));
        str_free(&line);
    }
}

/* --- the rest ------------------------------------------------------------------------------ */

static void add_task(struct sink *k, const struct page *page)
{
    if (page->task == NULL || page->task[0] == '\0') {
        return;
    }
    const char *label = sign_text(k, "▸", ">");
    enum style style = STYLE_KEYCAP;
    add_gap(k);
    if (page->task_met) {
        label = verdict(k, true);
        style = STYLE_GOOD;
    } else if (page->task_skipped) {
        label = "-";
        style = STYLE_DIM;
    }
    add_labelled(k, label, style, page->task_met ? STYLE_DIM : STYLE_STRONG, page->task);
    if (page->task_skipped && !page->task_met) {
        add_prose(k, 2, STYLE_DIM, "Done for you.");
    }
    if (!page->task_met && !page->task_skipped) {
        add_hints(k, page->task_hint, page->task_hints, page->task_hints_shown);
    }
}

void lesson_text_knob(struct str *out, const struct page_knob *knob, const char *mark)
{
    str_addf(out, "%s %s%s%s (of ", knob->label, mark, knob->value, mark);
    for (const char *c = knob->values; *c != '\0'; c++) {
        str_addf(out, "%s%c", *c == ' ' ? "," : "", *c);
    }
    str_addc(out, ')');
}

/* What can be turned, and what it is at. */
static void add_knobs(struct sink *k, const struct page *page)
{
    if (page->knobs > 0) {
        add_gap(k);
    }
    for (size_t i = 0; i < page->knobs; i++) {
        const struct page_knob *knob = &page->knob[i];
        struct str line = STR_EMPTY;
        lesson_text_knob(&line, knob, "*");
        add_prose(k, 0, STYLE_DIM, str_text(&line));
        str_free(&line);
    }
}

/* What to press next; the key line below has all keys, this is the one that matters. */
static void add_prompt(struct str *out, const struct page *page, bool typing)
{
    const struct page_question *q = &page->question;
    bool marks = q->kind == QUESTION_EXPLAIN && q->state == QUESTION_ANSWERED && q->judged;
    bool open = q->kind != QUESTION_NONE && q->state == QUESTION_OPEN;
    bool task = page->task != NULL && page->task[0] != '\0';
    if (page->running) {
        str_add(out, "running; space jumps to its end");
    } else if (open && q->kind == QUESTION_CHOICE) {
        str_addf(out, "press 1 to %zu", q->choices);
    } else if (open && q->kind == QUESTION_SEVERAL) {
        str_add(out, "digits that hold, then enter");
    } else if (open && q->kind == QUESTION_EXPLAIN) {
        str_add(out, typing ? "enter when you have said it"
                            : "say it aloud or type it (A), space when you have said it");
    } else if (open) {
        str_add(out, "type the answer, then enter");
    } else if (page->replays) {
        str_add(out, "space plays it again");
    } else if (task && !page->task_met && !page->task_skipped) {
        str_add(out, "your turn: the keys are below");
    } else if (marks) {
        str_addf(out, "1 to %zu mark, space goes on", q->choices);
    } else if (page->last) {
        str_add(out, "this was the last step; space ends it");
    } else {
        str_add(out, "space goes on");
    }
}

static void lay_out(struct sink *k, const struct page *page, const struct text_field *field)
{
    k->ask = -1;
    k->cursor_line = -1;
    if (page->deeper) {
        add_prose(k, 0, STYLE_DIM, "deeper: beyond the core path");
        add_gap(k);
    }
    if (page->say != NULL) {
        add_prose(k, 0, STYLE_TEXT, page->say);
    }
    add_question(k, page, field);
    if (page->after != NULL && page->after[0] != '\0') {
        add_gap(k);
        add_prose(k, 0, STYLE_TEXT, page->after);
    }
    add_task(k, page);
    add_knobs(k, page);
    struct str prompt = STR_EMPTY;
    add_gap(k);
    add_prompt(&prompt, page, field != NULL && field->active);
    if (k->cursor_line < 0) {
        k->cursor_line = k->line;
        k->cursor_x = 0;
    }
    add_prose(k, 0, STYLE_DIM, str_text(&prompt));
    str_free(&prompt);
}

#define PADDED_MIN 20

static int padding(int columns)
{
    return columns >= PADDED_MIN ? 1 : 0;
}

static int measure(int columns)
{
    return (int)view_clamp(columns - 2 * padding(columns), 1, PROSE_MEASURE);
}

int lesson_text_rows(const struct page *page, const struct text_field *field, int columns)
{
    struct sink k = {.columns = measure(columns)};
    lay_out(&k, page, field);
    return k.line;
}

/* Where the window starts. With `scroll` negative the end shows, but never so far down that an open
 * question's first line is lost. */
static int window_first(int total, int height, int ask, int scroll)
{
    if (total <= height) {
        return 0;
    }
    int last = total - (height > 1 ? height - 1 : 1); /* a line says that there is more above */
    if (scroll >= 0) {
        return scroll < last ? scroll : last;
    }
    if (ask >= 0 && ask < last) {
        return ask;
    }
    return last;
}

/* A long text being typed: its line stays in sight between the lines that say what is hidden. */
static int follow_cursor(int first, int total, int height, int line)
{
    int wanted = line - (height > 3 ? height - 3 : 0);
    int last = total - (height > 1 ? height - 1 : 1);
    wanted = wanted < last ? wanted : last;
    return total > height && wanted > first ? wanted : first;
}

static void draw_marks(struct canvas *c, bool above, bool below)
{
    bool utf8 = canvas_glyphs(c) == GLYPHS_UTF8;
    if (above) {
        view_draw_line(c, 0, STYLE_DIM, utf8 ? "▲ more above" : "^ more above");
    }
    if (below) {
        view_draw_line(c, canvas_height(c) - 1, STYLE_DIM, utf8 ? "▼ more below" : "v more below");
    }
}

int lesson_text_draw(struct canvas *c, const struct page *page, const struct text_field *field,
                     int scroll)
{
    int width = canvas_width(c), height = canvas_height(c), pad = padding(width);
    struct sink counted = {.columns = measure(width)};
    lay_out(&counted, page, field);
    int total = counted.line;
    if (width < 1 || height < 1) {
        return total;
    }
    struct sink k = {.c = c, .columns = measure(width)};
    k.first = window_first(total, height, counted.ask, scroll);
    if (scroll < 0 && field != NULL && field->active) {
        k.first = follow_cursor(k.first, total, height, counted.cursor_line);
    }
    bool above = k.first > 0 && height > 1;
    k.y = above ? 1 : 0;
    k.rows = height - k.y;
    bool below = k.first + k.rows < total && k.rows > 1;
    k.rows -= below;
    canvas_push(c, (struct rect){pad, 0, width - 2 * pad, height});
    lay_out(&k, page, field);
    draw_marks(c, above, below);
    if (visible(&k, k.cursor_line)) {
        int last = canvas_width(c) - 1;
        canvas_cursor(c, k.cursor_x < last ? k.cursor_x : last, row_of(&k, k.cursor_line));
    }
    canvas_pop(c);
    return total;
}
