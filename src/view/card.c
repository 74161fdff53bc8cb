/*
 * card: what is documented about one system, and what its model leaves out.
 *
 * First its rules, a few words each: how a key is placed, what a client is told beyond the limit,
 * when a part is split, how it moves, what stays in order, what an acknowledged write survives, how
 * one gets more of it. Then sentences: what the vendor documents, and what the model does not do.
 * With room these stand beside the rules. Up and down scroll. It tells of rules and of nothing that
 * happened, so an open question hides none of it. Argument: the system's name; without one the
 * first that is on.
 */
#include "base/alloc.h"
#include "base/utf8.h"
#include "view/managed.h"

#include <stdlib.h>
#include <string.h>

#define MIN_ROWS 8
#define LABEL 11 /* "in order   " */
#define BESIDE 84
#define COLUMN_MOST 76 /* lines that are longer are hard to read */

struct line {
    enum style style;
    char *text;
    const char *label; /* in front of it; NULL: none */
};

struct sheet {
    struct line *line;
    size_t count, room;
};

static void sheet_add(struct sheet *s, enum style style, const char *label, const char *text,
                      size_t length)
{
    if (s->count == s->room) {
        s->room = s->room > 0 ? 2 * s->room : 32;
        s->line = xrealloc(s->line, s->room, sizeof *s->line);
    }
    char *copy = xmalloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    s->line[s->count++] = (struct line){.style = style, .text = copy, .label = label};
}

static void sheet_free(struct sheet *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->line[i].text);
    }
    free(s->line);
}

/* Wrapped; the first line has the label. */
static void sheet_wrap(struct sheet *s, enum style style, const char *label, const char *text,
                       int columns)
{
    struct str lines = STR_EMPTY;
    view_add_wrapped(&lines, text, columns < 8 ? 8 : columns, 0);
    const char *at = str_text(&lines);
    while (*at != '\0') {
        size_t length = strcspn(at, "\n");
        sheet_add(s, style, label, at, length);
        label = label != NULL ? "" : NULL;
        at += length + (at[length] == '\n');
    }
    str_free(&lines);
}

static void add_rules(struct sheet *s, const struct system_words *words, int columns)
{
    const struct {
        const char *label, *text;
    } rules[] = {{"placed", words->placement}, {"refuses", words->throttled},
                 {"splits", words->splits},    {"moves", words->moves},
                 {"in order", words->order},   {"survives", words->survives},
                 {"grows", words->grows}};
    sheet_add(s, STYLE_STRONG, NULL, words->title, strlen(words->title));
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].text != NULL && rules[i].text[0] != '\0') {
            sheet_wrap(s, STYLE_TEXT, rules[i].label, rules[i].text, columns - LABEL);
        }
    }
}

static void add_sentences(struct sheet *s, const char *head, const char *const *sentences,
                          int columns)
{
    if (sentences == NULL || sentences[0] == NULL) {
        return;
    }
    sheet_add(s, STYLE_STRONG, NULL, head, strlen(head));
    for (size_t i = 0; sentences[i] != NULL; i++) {
        sheet_wrap(s, STYLE_TEXT, "-", sentences[i], columns - 2);
    }
}

static const struct system_words *words_of(struct managed *m, const struct scene *s,
                                           const struct view_state *v)
{
    (void)managed_open(m, s, across_argument(v));
    return m->named ? m->words : NULL;
}

static void sentences_of(struct sheet *s, const struct system_words *words, int columns)
{
    add_sentences(s, "Documented", words->documented, columns);
    if (s->count > 0) {
        sheet_add(s, STYLE_TEXT, NULL, "", 0);
    }
    add_sentences(s, "The model leaves out, or simplifies", words->leaves_out, columns);
}

/* --- drawing ------------------------------------------------------------------------------- */

static void draw_line(struct canvas *c, int x, int y, const struct line *line)
{
    if (line->label == NULL) {
        canvas_text(c, x, y, line->style, line->text);
        return;
    }
    bool bullet = line->label[0] == '-';
    int hang = bullet ? 2 : LABEL;
    canvas_text(c, x, y, bullet ? STYLE_DIM : STYLE_KEYCAP, line->label);
    canvas_text(c, x + hang, y, line->style, line->text);
}

/* Lines of a sentence after its first have an empty label and hang as the first does. */
static int hang_of(const struct sheet *s, size_t at)
{
    while (at > 0 && s->line[at].label != NULL && s->line[at].label[0] == '\0') {
        at--;
    }
    return s->line[at].label == NULL ? 0 : s->line[at].label[0] == '-' ? 2 : LABEL;
}

static void draw_sheet(struct canvas *c, int x, const struct sheet *s, int64_t first, int rows)
{
    for (int i = 0; i < rows && first + i < (int64_t)s->count; i++) {
        size_t at = (size_t)(first + i);
        const struct line *line = &s->line[at];
        if (line->label != NULL && line->label[0] == '\0') {
            canvas_text(c, x + hang_of(s, at), i, line->style, line->text);
        } else {
            draw_line(c, x, i, line);
        }
    }
}

/* Both sheets, or all in the first. */
static void sheets_of(struct sheet *left, struct sheet *right, const struct system_words *words,
                      int w)
{
    bool beside = w >= BESIDE;
    int columns = beside ? (w - 3) * 2 / 5 : w;
    columns = columns > COLUMN_MOST ? COLUMN_MOST : columns;
    add_rules(left, words, columns);
    if (beside) {
        int rest = w - columns - 3;
        sentences_of(right, words, rest > COLUMN_MOST ? COLUMN_MOST : rest);
    } else {
        sheet_add(left, STYLE_TEXT, NULL, "", 0);
        sentences_of(left, words, columns);
    }
}

static int64_t lines_of(const struct system_words *words, int w)
{
    struct sheet left = {0}, right = {0};
    sheets_of(&left, &right, words, w);
    size_t lines = left.count > right.count ? left.count : right.count;
    sheet_free(&left);
    sheet_free(&right);
    return (int64_t)lines;
}

static int rows_of(int64_t lines, int h)
{
    return lines > h && h > 1 ? h - 1 : h; /* a line says that there is more */
}

static void draw_card(struct canvas *c, const struct system_words *words,
                      const struct view_state *v, bool focused)
{
    int w = canvas_width(c), h = canvas_height(c);
    struct sheet left = {0}, right = {0};
    sheets_of(&left, &right, words, w);
    int64_t lines = (int64_t)(left.count > right.count ? left.count : right.count);
    int rows = rows_of(lines, h);
    int64_t first = view_clamp(v->scroll, 0, lines > rows ? lines - rows : 0);
    int columns = (w - 3) * 2 / 5;
    columns = columns > COLUMN_MOST ? COLUMN_MOST : columns;
    draw_sheet(c, 0, &left, first, rows);
    if (right.count > 0) {
        canvas_vline(c, columns + 1, 0, rows, LINE_LIGHT, STYLE_DIM);
        draw_sheet(c, columns + 3, &right, first, rows);
    }
    if (lines > rows) {
        canvas_textf(c, 0, h - 1, STYLE_KEYCAP, "lines %d-%d of %d: up, down", (int)first + 1,
                     (int)(first + rows < lines ? first + rows : lines), (int)lines);
    }
    if (focused) {
        canvas_cursor(c, 0, 0);
    }
    sheet_free(&left);
    sheet_free(&right);
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct managed m;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    const struct system_words *words = words_of(&m, s, v);
    if (words != NULL) {
        draw_card(c, words, v, focused);
    } else {
        managed_draw_none(c, &m, across_argument(v));
    }
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct managed m;
    const struct system_words *words = words_of(&m, s, v);
    if (w < 1 || h < 1 || words == NULL) {
        return false;
    }
    int64_t lines = lines_of(words, w);
    int rows = rows_of(lines, h);
    int64_t last = lines > rows ? lines - rows : 0, at = view_clamp(v->scroll, 0, last);
    if (!view_list_move(&at, last + 1, verb, rows - 1)) {
        return false;
    }
    v->scroll = at;
    return true;
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    struct managed m;
    (void)words_of(&m, s, v);
    return m.on ? managed_subject(&m, MANAGED_SYSTEM, 0) : (struct subject){.kind = SUBJECT_NONE};
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct managed m;
    struct sheet sheet = {0};
    const struct system_words *words = words_of(&m, s, v);
    if (words == NULL) {
        struct str line = STR_EMPTY;
        managed_add_none(&line, &m, across_argument(v));
        across_tell_note(out, str_text(&line));
        str_free(&line);
        return;
    }
    add_rules(&sheet, words, TELL_COLUMNS);
    sheet_add(&sheet, STYLE_TEXT, NULL, "", 0);
    sentences_of(&sheet, words, TELL_COLUMNS);
    for (size_t i = 0; i < sheet.count; i++) {
        const struct line *line = &sheet.line[i];
        size_t hang = (size_t)hang_of(&sheet, i);
        if (line->label != NULL) {
            str_add(out, line->label);
            str_pad(out, ' ', hang - strlen(line->label));
        }
        str_addf(out, "%s\n", line->text);
    }
    sheet_free(&sheet);
}

const struct view view_card = {
    .name = "card",
    .title = "Documented rules",
    .min_rows = MIN_ROWS,
    .want_rows = 30,
    .wants = NULL,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
