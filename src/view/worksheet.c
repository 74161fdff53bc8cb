/*
 * worksheet: a calculator with its numbers: what is given, what it comes to, and how.
 *
 * A line an input (those that are not defaults have a star), then a line a result. Below them what
 * the selected line is, and of a result its arithmetic with its numbers; where the pane is wide the
 * arithmetic stands behind every result. While the question is open results are covered. Selection:
 * a line, none at first.
 */
#include "base/utf8.h"
#include "view/inside.h"
#include <string.h>

#define MARK 2       /* columns of the star, and of what is selected */
#define GAP 2        /* before the arithmetic that stands behind a line */
#define HOW_LEAST 24 /* columns that the arithmetic needs behind a line */
#define DETAIL 4     /* lines below: what it is, and the arithmetic */
#define DETAIL_FEW 3

static const char *const covered = "the numbers come with your answer";

static const struct page_worksheet *sheet_of(const struct scene *s)
{
    const struct page_worksheet *w = s->page != NULL ? s->page->worksheet : NULL;
    return w != NULL && w->lines > 0 ? w : NULL;
}

static bool is_result(const struct page_worksheet *w, int64_t line)
{
    return line >= (int64_t)w->inputs;
}

static const char *value_of(const struct scene *s, const struct page_worksheet *w, size_t line)
{
    return is_result(w, (int64_t)line) && view_question_open(s) ? "?" : w->line[line].value;
}

struct shape {
    int name, value, unit; /* columns */
    int how;               /* where the arithmetic begins; 0: it stands below */
    int list, detail;      /* lines */
    bool title, parted;    /* a line between inputs and results */
};

static int wider(int width, const char *text)
{
    int here = (int)strlen(text);
    return here > width ? here : width;
}

static struct shape shape_of(const struct scene *s, const struct page_worksheet *w, int columns,
                             int h)
{
    struct shape out = {.title = h >= 6, .parted = w->inputs > 0 && w->inputs < w->lines};
    for (size_t i = 0; i < w->lines; i++) {
        out.name = wider(out.name, w->line[i].name);
        out.value = wider(out.value, value_of(s, w, i));
        out.unit = wider(out.unit, w->line[i].unit);
    }
    int end = MARK + out.name + 1 + out.value + 1 + out.unit;
    if (end > columns) { /* units stand below, then */
        out.unit = 0;
        end = MARK + out.name + 1 + out.value;
    }
    out.name = end > columns && columns - end + out.name >= 6 ? columns - end + out.name : out.name;
    out.how = columns - end - GAP >= HOW_LEAST && out.unit > 0 ? end + GAP : 0;
    out.detail = h >= 12 ? DETAIL : h >= 8 ? DETAIL_FEW : 0;
    out.list = h - out.title - out.detail;
    out.list = out.list < 1 ? 1 : out.list;
    return out;
}

/* Lines of the list: those of the sheet, and one between. */
static int64_t listed(const struct page_worksheet *w, const struct shape *shape, int64_t line)
{
    return line + (shape->parted && is_result(w, line) ? 1 : 0);
}

static int64_t selected_line(const struct page_worksheet *w, const struct view_state *v)
{
    return v->has_selection ? view_clamp(v->selected, 0, (int64_t)w->lines - 1) : 0;
}

static int64_t first_of(const struct page_worksheet *w, const struct shape *shape,
                        const struct view_state *v)
{
    int64_t all = (int64_t)w->lines + shape->parted;
    int64_t rows = shape->list < all && shape->list > 1 ? shape->list - 1 : shape->list;
    return view_list_first(v->scroll, listed(w, shape, selected_line(w, v)), all, rows);
}

static int wants(const struct scene *s, const struct view_state *v)
{
    const struct page_worksheet *w = sheet_of(s);
    (void)v;
    return w == NULL ? 1 : (int)w->lines + 2 + DETAIL;
}

/* --- drawing ------------------------------------------------------------------------------- */

static void draw_line(struct canvas *c, int y, const struct scene *s, const struct shape *shape,
                      size_t line)
{
    const struct page_worksheet *w = sheet_of(s);
    const struct page_sheet_line *l = &w->line[line];
    bool result = is_result(w, (int64_t)line), asking = view_question_open(s);
    int x = MARK + shape->name + 1 + shape->value;
    if (l->given) {
        canvas_put(c, 0, y, STYLE_KEYCAP, '*');
    }
    canvas_text_fit(c, MARK, y, shape->name, result ? STYLE_STRONG : STYLE_TEXT, l->name);
    canvas_text_right(c, x, y, result && asking ? STYLE_DIM : STYLE_TEXT, value_of(s, w, line));
    if (shape->unit > 0) {
        canvas_text_fit(c, x + 1, y, shape->unit, STYLE_DIM, l->unit);
    }
    if (shape->how > 0 && !(result && asking)) {
        struct str how = STR_EMPTY;
        str_addf(&how, "%s%s", result ? "= " : "", result ? l->how : l->about);
        canvas_text_fit(c, shape->how, y, canvas_width(c) - shape->how,
                        result ? STYLE_TEXT : STYLE_DIM, str_text(&how));
        str_free(&how);
    }
}

static void draw_detail(struct canvas *c, int y, const struct scene *s, const struct view_state *v,
                        const struct shape *shape)
{
    const struct page_worksheet *w = sheet_of(s);
    size_t line = (size_t)selected_line(w, v);
    bool result = is_result(w, (int64_t)line);
    if (shape->detail == 0) {
        return;
    }
    if (!v->has_selection) {
        view_draw_line(c, y + 1, STYLE_DIM,
                       view_question_open(s) ? covered : "choose a line: how it comes about");
        return;
    }
    const struct page_sheet_line *l = &w->line[line];
    struct str text = STR_EMPTY;
    str_addf(&text, "%s%s%s: %s", l->name, *l->unit != '\0' ? ", " : "", l->unit, l->about);
    canvas_hline(c, 0, y, canvas_width(c), LINE_LIGHT, STYLE_DIM);
    view_draw_line(c, y + 1, STYLE_DIM, str_text(&text));
    str_clear(&text);
    if (!result) {
        str_addf(&text, "%s", l->given ? "given here" : "the usual");
    } else if (view_question_open(s)) {
        str_add(&text, covered);
    } else {
        str_addf(&text, "= %s", l->how);
    }
    view_draw_wrapped(c, y + 2, shape->detail - 2, STYLE_TEXT, str_text(&text));
    str_free(&text);
}

static void draw_list(struct canvas *c, const struct scene *s, const struct view_state *v,
                      const struct shape *shape, bool focused)
{
    const struct page_worksheet *w = sheet_of(s);
    int64_t all = (int64_t)w->lines + shape->parted, first = first_of(w, shape, v);
    int top = shape->title ? 1 : 0;
    bool more = all > shape->list && shape->list > 1;
    int rows = more ? shape->list - 1 : shape->list;
    for (int i = 0; i < rows && first + i < all; i++) {
        int64_t row = first + i;
        bool between = shape->parted && row == (int64_t)w->inputs;
        int64_t line = row - (shape->parted && row > (int64_t)w->inputs ? 1 : 0);
        if (between) {
            canvas_text(c, MARK, top + i, STYLE_DIM, "comes to");
            continue;
        }
        draw_line(c, top + i, s, shape, (size_t)line);
        if (v->has_selection && line == selected_line(w, v)) {
            canvas_restyle(c, (struct rect){MARK, top + i, shape->name, 1}, STYLE_SELECTED);
            if (focused) {
                canvas_cursor(c, MARK, top + i);
            }
        }
    }
    if (more && first + rows < all) {
        canvas_textf(c, 0, top + rows, STYLE_KEYCAP, "%s %d more below",
                     canvas_glyphs(c) == GLYPHS_UTF8 ? "▼" : "v", (int)(all - first - rows));
    } else if (more) {
        canvas_textf(c, 0, top + rows, STYLE_DIM, "%s %d more above",
                     canvas_glyphs(c) == GLYPHS_UTF8 ? "▲" : "^", (int)first);
    }
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    const struct page_worksheet *w = sheet_of(s);
    int columns = canvas_width(c), h = canvas_height(c);
    if (columns < 1 || h < 1) {
        return;
    }
    if (w == NULL) {
        view_draw_note(c, "this page has no worksheet");
        return;
    }
    struct shape shape = shape_of(s, w, columns, h);
    if (shape.title) {
        view_draw_line(c, 0, STYLE_STRONG, w->title);
    }
    draw_list(c, s, v, &shape, focused);
    draw_detail(c, h - shape.detail, s, v, &shape);
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int columns, int h)
{
    const struct page_worksheet *w = sheet_of(s);
    if (w == NULL || columns < 1 || h < 1) {
        return false;
    }
    struct shape shape = shape_of(s, w, columns, h);
    int64_t at = selected_line(w, v), first = first_of(w, &shape, v);
    bool begin = !v->has_selection && (verb == VERB_DOWN || verb == VERB_UP);
    if (!begin && !view_list_move(&at, (int64_t)w->lines, verb, shape.list)) {
        return false;
    }
    v->has_selection = true;
    v->selected = at;
    v->scroll = first;
    v->scroll = first_of(w, &shape, v);
    return true;
}

/* --- words --------------------------------------------------------------------------------- */

static void tell_line(struct str *out, const struct scene *s, const struct shape *shape,
                      size_t line)
{
    const struct page_worksheet *w = sheet_of(s);
    const struct page_sheet_line *l = &w->line[line];
    struct str how = STR_EMPTY;
    str_addf(&how, "%s%-*s  %*s%s%s, %s", l->given ? "* " : "  ", shape->name, l->name,
             shape->value, value_of(s, w, line), *l->unit != '\0' ? " " : "", l->unit, l->about);
    view_add_wrapped(out, str_text(&how), TELL_COLUMNS, 4);
    str_clear(&how);
    if (is_result(w, (int64_t)line) && !view_question_open(s)) {
        str_addf(&how, "= %s", l->how);
        struct str lines = STR_EMPTY;
        view_add_wrapped(&lines, str_text(&how), TELL_COLUMNS - 4, 2);
        for (const char *at = str_text(&lines); *at != '\0';) {
            size_t length = strcspn(at, "\n");
            str_addf(out, "    %.*s\n", (int)length, at);
            at += length + (at[length] == '\n');
        }
        str_free(&lines);
    }
    str_free(&how);
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    const struct page_worksheet *w = sheet_of(s);
    (void)v;
    if (w == NULL) {
        str_add(out, "This page has no worksheet.\n");
        return;
    }
    struct shape shape = shape_of(s, w, TELL_COLUMNS, 100);
    str_addf(out, "%s\n", w->title);
    for (size_t i = 0; i < w->lines; i++) {
        if (i == 0 && w->inputs > 0) {
            str_add(out, "Given (* here, the others are usual):\n");
        }
        if (i == w->inputs) {
            str_add(out, "It comes to:\n");
        }
        tell_line(out, s, &shape, i);
    }
    str_add(out, view_question_open(s) ? "The numbers come with your answer.\n" : "");
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    (void)v;
    (void)s;
    return (struct subject){.kind = SUBJECT_NONE};
}

const struct view view_worksheet = {
    .name = "worksheet",
    .title = "Worksheet",
    .min_rows = 6,
    .want_rows = 14,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
