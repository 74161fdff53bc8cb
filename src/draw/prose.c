/*
 * prose: markup into wrapped lines of styled runs.
 *
 * A paragraph is first read into plain text with one mark a byte (its style, and whether a blank
 * holds its neighbours together), then cut into lines. Both halves work on `struct para`.
 */
#include "draw/prose.h"
#include "base/alloc.h"
#include "base/check.h"
#include "base/utf8.h"
#include <stdlib.h>
#include <string.h>

struct para {
    struct str text;
    struct str marks; /* one byte for each byte of text: a style, maybe with GLUE */
};

#define GLUE 0x80 /* a blank where the line must not break */
#define STYLE_MASK 0x7F
#define SPAN_MAX 1000 /* bytes of one marked span: a lost mark costs no search of a whole text */

static enum style style_at(const struct para *p, size_t at)
{
    return (enum style)((unsigned char)p->marks.text[at] & STYLE_MASK);
}

static bool breaks_at(const struct para *p, size_t at)
{
    return p->text.text[at] == ' ' && ((unsigned char)p->marks.text[at] & GLUE) == 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* --- out: lines and runs ---------------------------------------------------------------------- */

/* Room for one more: it doubles when `count` fills it. */
static void *room(void *list, size_t count, size_t size)
{
    bool full = (count & (count - 1)) == 0;
    return full ? xrealloc(list, count > 0 ? count * 2 : 1, size) : list;
}

static void add_run(struct prose *out, struct prose_run run)
{
    if (run.length == 0)
        return;
    out->runs = room(out->runs, out->run_count, sizeof(*out->runs));
    out->runs[out->run_count++] = run;
    out->lines[out->line_count - 1].runs++;
}

/* One line from bytes [from, to) of the paragraph. */
static void add_line(struct prose *out, const struct para *p, size_t from, size_t to)
{
    out->lines = room(out->lines, out->line_count, sizeof(*out->lines));
    out->lines[out->line_count++] = (struct prose_line){.first_run = out->run_count, .runs = 0};
    struct prose_run run = {.style = STYLE_TEXT, .at = out->text.length, .length = 0};
    for (size_t at = from; at < to; at++) {
        if (run.length > 0 && style_at(p, at) != run.style) {
            add_run(out, run);
            run = (struct prose_run){.at = out->text.length, .length = 0};
        }
        run.style = style_at(p, at);
        run.length++;
        str_addc(&out->text, p->text.text[at]);
    }
    add_run(out, run);
}

/* --- in: markup ------------------------------------------------------------------------------- */

static void para_add(struct para *p, const char *text, size_t length, enum style style)
{
    for (size_t i = 0; i < length; i++) {
        char c = is_blank(text[i]) ? ' ' : text[i];
        bool doubled = c == ' ' && style != STYLE_CODE && p->text.length > 0 &&
                       p->text.text[p->text.length - 1] == ' ';
        if (doubled)
            continue; /* runs of blanks between words are one */
        str_addc(&p->text, c);
        str_addc(&p->marks, (char)style);
    }
}

/* Keeps a code span together when it fits a line at all. */
static void glue_blanks(struct para *p, size_t from, int columns)
{
    if (utf8_columns(p->text.text + from, p->text.length - from) > columns)
        return;
    for (size_t at = from; at < p->text.length; at++)
        if (p->text.text[at] == ' ')
            p->marks.text[at] = (char)(STYLE_CODE | GLUE);
}

static bool is_word_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (unsigned char)c >= 0x80;
}

/* The star that ends the emphasis that starts at text[0], or 0. A star opens before a word and
 * closes after one; "2 * 3" and "a*b*c" have none. */
static size_t strong_end(const char *text, size_t length)
{
    if (length < 3 || is_blank(text[1]) || text[1] == '*')
        return 0;
    for (size_t i = 2; i < length; i++) {
        bool closes = text[i] == '*' && !is_blank(text[i - 1]);
        if (closes && (i + 1 == length || !is_word_byte(text[i + 1])))
            return i;
    }
    return 0;
}

static size_t add_code(struct para *p, const char *text, size_t length, int columns)
{
    const char *end = memchr(text + 1, '`', length - 1);
    if (end == NULL)
        return 0;
    size_t inner = (size_t)(end - text) - 1, from = p->text.length;
    if (inner == 0) {
        para_add(p, text, 2, STYLE_TEXT);
    } else {
        para_add(p, text + 1, inner, STYLE_CODE);
        glue_blanks(p, from, columns);
    }
    return inner + 2;
}

/* The bytes between "[[" at text[0] and its "]]", or 0 when that is no link. */
static size_t link_inner(const char *text, size_t length)
{
    if (length < 5 || text[0] != '[' || text[1] != '[' || is_blank(text[2]))
        return 0;
    for (size_t i = 2; i + 1 < length && text[i] != '['; i++)
        if (text[i] == ']')
            return text[i + 1] == ']' ? i - 2 : 0;
    return 0;
}

/* A marked span at text[0]: adds it and returns its bytes, or 0 when there is none. */
static size_t add_span(struct para *p, const char *text, size_t length, int columns)
{
    length = length < SPAN_MAX ? length : SPAN_MAX;
    bool after_word = p->text.length > 0 && is_word_byte(p->text.text[p->text.length - 1]);
    if (text[0] == '*' && !after_word) {
        size_t end = strong_end(text, length);
        if (end > 0)
            para_add(p, text + 1, end - 1, STYLE_STRONG);
        return end > 0 ? end + 1 : 0;
    }
    if (text[0] == '`')
        return add_code(p, text, length, columns);
    size_t inner = link_inner(text, length);
    if (inner > 0)
        para_add(p, text + 2, inner, STYLE_LINK);
    return inner > 0 ? inner + 4 : 0;
}

static void read_markup(struct para *p, struct bytes source, int columns)
{
    for (size_t at = 0; at < source.length;) {
        size_t span = add_span(p, source.at + at, source.length - at, columns);
        if (span == 0) {
            para_add(p, source.at + at, 1, STYLE_TEXT);
            span = 1;
        }
        at += span;
    }
}

/* --- wrapping --------------------------------------------------------------------------------- */

/* How many bytes of a text wider than the line go on it: at least one cluster, so that wrapping
 * always ends. */
static size_t hard_cut(const char *text, size_t length, int columns)
{
    size_t fits = utf8_fit(text, length, columns);
    if (fits > 0)
        return fits;
    uint32_t point;
    fits = utf8_decode(text, length, &point);
    while (fits < length) {
        size_t next = utf8_decode(text + fits, length - fits, &point);
        if (utf8_columns(text + fits, next) > 0)
            break;
        fits += next;
    }
    return fits;
}

/* The end of the line that starts at `from`: the last word end that fits. */
static size_t line_end(const struct para *p, size_t from, int columns)
{
    const char *text = p->text.text;
    /* No word that fits is longer; without a limit a text of one word would cost its square. */
    size_t limit = from + 16 * (size_t)columns + 64;
    size_t end = from, at = from;
    while (at < p->text.length) {
        while (at < p->text.length && breaks_at(p, at))
            at++;
        while (at < p->text.length && at < limit && !breaks_at(p, at))
            at++;
        if (at >= limit || utf8_columns(text + from, at - from) > columns)
            break;
        end = at;
    }
    return end > from ? end : from + hard_cut(text + from, p->text.length - from, columns);
}

static void wrap_para(struct prose *out, const struct para *p, int columns)
{
    size_t at = 0, end_of_text = p->text.length;
    while (end_of_text > 0 && breaks_at(p, end_of_text - 1))
        end_of_text--;
    for (;;) {
        while (at < end_of_text && breaks_at(p, at))
            at++;
        if (at >= end_of_text)
            return;
        size_t end = line_end(p, at, columns);
        if (end > end_of_text)
            end = end_of_text;
        add_line(out, p, at, end);
        at = end;
    }
}

static void wrap_kept(struct prose *out, struct bytes line, int columns)
{
    struct para p = {STR_EMPTY, STR_EMPTY};
    for (size_t i = 0; i < line.length; i++) {
        str_addc(&p.text, line.at[i] == '\t' ? ' ' : line.at[i]);
        str_addc(&p.marks, (char)STYLE_TEXT);
    }
    for (size_t at = 0; at < p.text.length;) {
        size_t bytes = hard_cut(p.text.text + at, p.text.length - at, columns);
        add_line(out, &p, at, at + bytes);
        at += bytes;
    }
    str_free(&p.text);
    str_free(&p.marks);
}

static void flush_paragraph(struct prose *out, struct str *source, int columns)
{
    if (source->length == 0)
        return;
    struct para p = {STR_EMPTY, STR_EMPTY};
    read_markup(&p, (struct bytes){source->text, source->length}, columns);
    wrap_para(out, &p, columns);
    str_free(&p.text);
    str_free(&p.marks);
    str_clear(source);
}

static struct bytes without_blanks_at_end(struct bytes line)
{
    while (line.length > 0 && is_blank(line.at[line.length - 1]))
        line.length--;
    return line;
}

void prose_wrap(struct prose *out, const char *markup, int columns)
{
    *out = (struct prose){.text = STR_EMPTY};
    struct str paragraph = STR_EMPTY;
    const struct para nothing = {STR_EMPTY, STR_EMPTY};
    bool gap = false; /* an empty line is due before the next text */
    if (columns < 1)
        columns = 1;
    while (*markup != '\0') {
        size_t length = strcspn(markup, "\n");
        struct bytes line = without_blanks_at_end((struct bytes){markup, length});
        markup += length + (markup[length] == '\n');
        bool kept = line.length > 2 && line.at[0] == ' ' && line.at[1] == ' ';
        if (line.length == 0 || kept)
            flush_paragraph(out, &paragraph, columns);
        if (line.length == 0) {
            gap = out->line_count > 0;
            continue;
        }
        if (gap)
            add_line(out, &nothing, 0, 0);
        gap = false;
        if (kept) {
            wrap_kept(out, line, columns);
        } else {
            if (paragraph.length > 0)
                str_addc(&paragraph, '\n');
            str_addn(&paragraph, line.at, line.length);
        }
    }
    flush_paragraph(out, &paragraph, columns);
    str_free(&paragraph);
}

void prose_free(struct prose *p)
{
    str_free(&p->text);
    free(p->runs);
    free(p->lines);
    *p = (struct prose){.text = STR_EMPTY};
}

/* --- showing ---------------------------------------------------------------------------------- */

int prose_draw(struct canvas *c, const struct prose *p, int x, int y, int first, int rows)
{
    int drawn = 0;
    for (int row = 0; row < rows; row++) {
        size_t at = (size_t)(first < 0 ? 0 : first) + (size_t)row;
        if (at >= p->line_count)
            break;
        const struct prose_line *line = &p->lines[at];
        int column = x;
        for (size_t i = 0; i < line->runs; i++) {
            const struct prose_run *run = &p->runs[line->first_run + i];
            column += canvas_textn(c, column, y + row, run->style, str_text(&p->text) + run->at,
                                   run->length);
        }
        drawn++;
    }
    return drawn;
}

void prose_plain(struct str *out, const char *markup, int columns, int indent)
{
    struct prose p;
    if (indent < 0)
        indent = 0;
    prose_wrap(&p, markup, columns - indent);
    for (size_t i = 0; i < p.line_count; i++) {
        const struct prose_line *line = &p.lines[i];
        if (line->runs > 0)
            str_pad(out, ' ', (size_t)indent);
        for (size_t r = 0; r < line->runs; r++) {
            const struct prose_run *run = &p.runs[line->first_run + r];
            utf8_visible(out, str_text(&p.text) + run->at, run->length);
        }
        str_addc(out, '\n');
    }
    prose_free(&p);
}
