/*
 * readout: what an operator sees of this world, word for word.
 *
 * The argument says what was asked and of which node: "cluster-check", "cluster-nodes:S2",
 * "slot-stats:S2", "nodetool-ring", "nodetool-status" (tools/readout.h). The first line is what was
 * typed. Where lines are longer than the frame, the gaps that they have in common are narrowed, to
 * two blanks if that is enough, and what is still too long goes on below, indented. One line is
 * selected; up and down go through them. A ring is that of the world's Cassandra, or, without a
 * world, of the page's first placing. The text is what can be known, and says nothing of what
 * follows from it, so an open question hides none of it.
 */
#include "tools/readout.h"
#include "base/alloc.h"
#include "base/utf8.h"
#include "view/across.h"

#include <stdlib.h>
#include <string.h>

#define MIN_ROWS 8
#define HANG 2

struct piece { /* of a line, as it stands in a row */
    const char *at;
    size_t length;
    size_t line;
    bool first; /* of its line */
};

struct sheet {
    struct str text; /* lines, gaps narrowed where they had to be */
    struct piece *piece;
    size_t pieces, room;
    size_t lines;
};

static void sheet_free(struct sheet *s)
{
    free(s->piece);
    str_free(&s->text);
}

/* --- the text --- */

static bool say(const struct scene *s, const char *argument, struct str *out, struct err *err)
{
    struct readout_wish wish;
    struct str body = STR_EMPTY;
    if (!readout_parse(argument[0] != '\0' ? argument : "cluster-nodes", &wish, err)) {
        return false;
    }
    bool ring = wish.kind == READOUT_RING || wish.kind == READOUT_STATUS;
    bool done = false;
    if (ring && s->world == NULL && s->placings > 0 && s->placing[0].trial != NULL) {
        const struct page_placing *p = &s->placing[0];
        done = readout_layout(p->hidden ? p->trial->before : p->trial->after, &wish, &body, err);
    } else if (s->world == NULL) {
        err_set(err, "there is no world here to read anything out of");
    } else {
        done = readout_say(s->world, &wish, &body, err);
    }
    if (done) {
        str_add(out, "$ ");
        readout_command(s->world, &wish, out);
        str_addc(out, '\n');
        str_add(out, str_text(&body));
    }
    str_free(&body);
    return done;
}

/* --- rows --- */

/* Where the lines of a paragraph that are too long have blanks in common: of each row of them all
 * but `gap` are dropped, behind the indentation. */
struct narrow {
    bool *drop; /* a column each */
    size_t columns;
};

/* The next line of a paragraph, which ends before an empty line; NULL: there is none. */
static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return *line == '\0' || line[1] == '\n' || line[1] == '\0' ? NULL : line + 1;
}

static void narrow_of(struct narrow *n, const char *paragraph, size_t width, size_t gap)
{
    n->columns = 0;
    for (const char *at = paragraph; at != NULL; at = next_line(at)) {
        size_t length = strcspn(at, "\n");
        n->columns = length > width && length > n->columns ? length : n->columns;
    }
    n->drop = xcalloc(n->columns + 1, sizeof *n->drop);
    memset(n->drop, true, n->columns);
    for (const char *at = paragraph; at != NULL; at = next_line(at)) {
        size_t length = strcspn(at, "\n");
        for (size_t i = 0; length > width && i < length; i++) {
            n->drop[i] = n->drop[i] && at[i] == ' ';
        }
    }
    size_t indent = 0;
    while (indent < n->columns && n->drop[indent]) {
        n->drop[indent++] = false;
    }
    for (size_t i = indent, row = 0; i < n->columns; i++) {
        row = n->drop[i] ? row + 1 : 0;
        n->drop[i] = row > gap;
    }
}

/* What is left of the longest line. */
static size_t narrowed(const struct narrow *n)
{
    size_t left = 0;
    for (size_t i = 0; i < n->columns; i++) {
        left += !n->drop[i];
    }
    return left;
}

/* A paragraph, its lines ended; what follows it. */
static const char *add_paragraph(struct str *out, const char *paragraph, size_t width)
{
    struct narrow n;
    narrow_of(&n, paragraph, width, 2);
    if (narrowed(&n) > width) {
        free(n.drop);
        narrow_of(&n, paragraph, width, 1);
    }
    const char *end = paragraph;
    for (const char *at = paragraph; at != NULL; at = next_line(at)) {
        size_t length = strcspn(at, "\n");
        for (size_t i = 0; i < length; i++) {
            if (length <= width || !n.drop[i]) {
                str_addc(out, at[i]);
            }
        }
        str_addc(out, '\n');
        end = at + length;
    }
    free(n.drop);
    return end + (*end == '\n');
}

static void add_piece(struct sheet *s, const char *at, size_t length, bool first)
{
    if (s->pieces == s->room) {
        s->room = s->room > 0 ? 2 * s->room : 64;
        s->piece = xrealloc(s->piece, s->room, sizeof *s->piece);
    }
    s->piece[s->pieces++] =
        (struct piece){.at = at, .length = length, .line = s->lines, .first = first};
}

/* How much of a line stands in a row of so many columns: up to a blank or the next range in
 * brackets, unless what follows would not fit into a row of its own either. */
static size_t cut_of(const char *line, size_t length, size_t room, size_t columns)
{
    if (length <= room) {
        return length;
    }
    size_t take = room;
    while (take > 0 && line[take] != ' ' && strncmp(line + take - 1, ",[", 2) != 0) {
        take--;
    }
    size_t word = take + (line[take] == ' ');
    return take == 0 || strcspn(line + word, " ,\n") > columns - HANG ? room : take;
}

/* The line over as many rows as it takes. The text of readouts is ASCII: a byte is a column. */
static void break_line(struct sheet *s, const char *line, size_t length, size_t columns)
{
    bool first = true;
    do {
        size_t take = cut_of(line, length, first ? columns : columns - HANG, columns);
        size_t shown = take;
        while (shown > 0 && line[shown - 1] == ' ') {
            shown--;
        }
        if (shown > 0 || take == length) { /* else there are blanks alone, and something below */
            add_piece(s, line, shown, first);
        }
        line += take;
        length -= take;
        while (length > 0 && *line == ' ') {
            line++;
            length--;
        }
        first = false;
    } while (length > 0);
    s->lines++;
}

static void sheet_of(struct sheet *s, const char *text, int columns)
{
    size_t width = columns > 3 * HANG ? (size_t)columns : 3 * HANG;
    for (const char *at = text; *at != '\0';) { /* first the text, since pieces point into it */
        at = add_paragraph(&s->text, at, width);
    }
    for (const char *at = str_text(&s->text); *at != '\0';) {
        size_t length = strcspn(at, "\n");
        break_line(s, at, length, width);
        at += length + 1;
    }
}

/* --- drawing --- */

static int rows_of(const struct sheet *s, int h)
{
    return (int64_t)s->pieces > h && h > 1 ? h - 1 : h; /* a line says that there is more */
}

/* Rows of the selected line. */
static void rows_of_line(const struct sheet *s, size_t line, int64_t *from, int64_t *to)
{
    *from = *to = 0;
    for (size_t i = 0; i < s->pieces; i++) {
        if (s->piece[i].line == line) {
            *to = (int64_t)i;
            *from = i == 0 || s->piece[i - 1].line != line ? (int64_t)i : *from;
        }
    }
}

/* The first row that is shown: the selected line is whole among those, if it can be. */
static int64_t first_row(const struct sheet *s, const struct view_state *v, int rows)
{
    int64_t from, to, last = (int64_t)s->pieces - rows;
    rows_of_line(s, (size_t)across_selected(v, (int64_t)s->lines), &from, &to);
    int64_t first = view_clamp(v->scroll, 0, last > 0 ? last : 0);
    first = to >= first + rows ? to - rows + 1 : first;
    return from < first ? from : first;
}

static void draw_sheet(struct canvas *c, const struct sheet *s, const struct view_state *v,
                       bool focused)
{
    int w = canvas_width(c), h = canvas_height(c), rows = rows_of(s, h);
    int64_t first = first_row(s, v, rows);
    size_t selected = (size_t)across_selected(v, (int64_t)s->lines);
    for (int y = 0; y < rows && first + y < (int64_t)s->pieces; y++) {
        const struct piece *p = &s->piece[first + y];
        int x = p->first ? 0 : HANG;
        canvas_textn(c, x, y, p->line == 0 ? STYLE_STRONG : STYLE_TEXT, p->at, p->length);
        if (p->line == selected && (focused || v->has_selection)) {
            across_draw_selected(c, y, w, focused);
        }
    }
    if ((int64_t)s->pieces > rows) {
        size_t top = s->piece[first].line, end = (size_t)first + (size_t)rows - 1;
        end = end < s->pieces ? end : s->pieces - 1;
        canvas_textf(c, 0, h - 1, STYLE_KEYCAP, "lines %zu-%zu of %zu: up, down", top + 1,
                     s->piece[end].line + 1, s->lines);
    }
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    struct str text = STR_EMPTY;
    struct sheet sheet = {0};
    struct err err;
    if (canvas_width(c) < 1 || canvas_height(c) < 1) {
        return;
    }
    if (say(s, across_argument(v), &text, &err)) {
        sheet_of(&sheet, str_text(&text), canvas_width(c));
        draw_sheet(c, &sheet, v, focused);
    } else {
        view_draw_note(c, err.text);
    }
    sheet_free(&sheet);
    str_free(&text);
}

/* How many lines, at least one, are shown whole or in part. */
static int64_t lines_shown(const struct sheet *s, int64_t first, int rows)
{
    int64_t last = view_clamp(first + rows, 1, (int64_t)s->pieces) - 1;
    size_t shown = s->piece[last].line - s->piece[first].line;
    return shown > 1 ? (int64_t)shown : 1;
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    struct str text = STR_EMPTY;
    struct sheet sheet = {0};
    struct err err;
    bool moved = false;
    if (w >= 1 && h >= 1 && say(s, across_argument(v), &text, &err)) {
        sheet_of(&sheet, str_text(&text), w);
        int rows = rows_of(&sheet, h);
        int64_t first = first_row(&sheet, v, rows);
        moved = across_move(v, (int64_t)sheet.lines, verb, (int)lines_shown(&sheet, first, rows));
        v->scroll = first;
        v->scroll = first_row(&sheet, v, rows);
    }
    sheet_free(&sheet);
    str_free(&text);
    return moved;
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    (void)v;
    (void)s;
    return (struct subject){.kind = SUBJECT_NONE};
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct str text = STR_EMPTY;
    struct sheet sheet = {0};
    struct err err;
    if (say(s, across_argument(v), &text, &err)) {
        sheet_of(&sheet, str_text(&text), TELL_COLUMNS);
        for (size_t i = 0; i < sheet.pieces; i++) {
            str_pad(out, ' ', sheet.piece[i].first ? 0 : HANG);
            str_addn(out, sheet.piece[i].at, sheet.piece[i].length);
            str_addc(out, '\n');
        }
    } else {
        across_tell_note(out, err.text);
    }
    sheet_free(&sheet);
    str_free(&text);
}

const struct view view_readout = {
    .name = "readout",
    .title = "What the operator sees",
    .min_rows = MIN_ROWS,
    .want_rows = 40,
    .wants = NULL,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
