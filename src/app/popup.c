/*
 * popup: the boxes over a screen: text to read, the help, one line to type. See ui.h.
 */
#include "app/ui.h"
#include "base/utf8.h"
#include "draw/prose.h"
#include <stdio.h>
#include <string.h>

#define BOX_TEXT_COLUMNS 74
#define BOX_LINE_COLUMNS 72
#define BOX_MARGIN 1
#define BOX_SIDES 4 /* its frame, and a blank beside the text */

static struct popup *push(struct ui *ui, enum popup_kind kind, const char *title)
{
    if (ui->popups == UI_POPUPS_MAX) {
        popup_close(ui);
    }
    struct popup *popup = &ui->popup[ui->popups++];
    *popup = (struct popup){.kind = kind};
    size_t fits = utf8_cut(title, strlen(title), sizeof popup->title - 1);
    snprintf(popup->title, sizeof popup->title, "%.*s", (int)fits, title);
    ui->dirty = true;
    return popup;
}

void popup_open_text(struct ui *ui, const char *title, struct str *body, bool markup)
{
    struct popup *popup = push(ui, POPUP_TEXT, title);
    popup->body = *body;
    popup->markup = markup;
    *body = STR_EMPTY;
}

void popup_open_help(struct ui *ui)
{
    enum context below = ui_context(ui);
    push(ui, POPUP_HELP, "Keys that work here")->below = below;
}

void popup_open_prompt(struct ui *ui, enum action purpose, const char *title, const char *text)
{
    struct popup *popup = push(ui, POPUP_PROMPT, title);
    popup->purpose = purpose;
    prompt_offer(&popup->field, text);
}

struct popup *popup_top(struct ui *ui)
{
    return ui->popups > 0 ? &ui->popup[ui->popups - 1] : NULL;
}

void popup_close(struct ui *ui)
{
    struct popup *top = popup_top(ui);
    if (top) {
        str_free(&top->body);
        ui->popups--;
        ui->dirty = true;
    }
}

/* --- keys --------------------------------------------------------------------------------------
 */

static void note_overflow(struct ui *ui, const struct prompt *p)
{
    if (p->overflowed) {
        ui_say(ui, STYLE_WARN, "The line is full; the rest was left out.");
    }
}

void popup_type(struct ui *ui, uint32_t point)
{
    struct popup *top = popup_top(ui);
    if (ui_context(ui) == IN_COMMAND && point == '?' && top->field.length == 0) {
        command_line_help(ui, "");
        return;
    }
    prompt_insert(&top->field, point);
    top->selected = 0;
    top->completion = 0;
    note_overflow(ui, &top->field);
}

static void move_by(size_t *at, int by, size_t count)
{
    int64_t next = (int64_t)*at + by;
    int64_t last = count > 0 ? (int64_t)count - 1 : 0;
    *at = (size_t)(next < 0 ? 0 : next > last ? last : next);
}

static int step_of(enum action action, int page, int all)
{
    switch ((unsigned)action) {
    case ACT_UP:
        return -1;
    case ACT_DOWN:
        return 1;
    case ACT_PAGE_UP:
        return -page;
    case ACT_PAGE_DOWN:
        return page;
    case ACT_FIRST:
        return -all;
    case ACT_LAST:
        return all;
    default:
        return 0;
    }
}

static void scroll(struct popup *p, enum action action)
{
    int page = p->height > 1 ? p->height - 1 : 1;
    int last = p->rows > p->height ? p->rows - p->height : 0;
    int at = p->scroll + step_of(action, page, p->rows);
    p->scroll = at < 0 ? 0 : at > last ? last : at;
}

/* Closes the help and does what was selected in it. */
static void run_selected(struct ui *ui, const struct popup *top)
{
    struct shown_rows rows;
    size_t index[UI_ROWS_MAX];
    shown_for_help(ui, top->below, &rows);
    size_t count = help_matching(rows.row, rows.count, top->field.text, index);
    if (count == 0) {
        ui_say(ui, STYLE_WARN, "No key matches; escape closes the help.");
        return;
    }
    enum action action = rows.action[index[top->selected < count ? top->selected : count - 1]];
    popup_close(ui);
    if (action == ACT_CHOOSE) {
        ui_say(ui, STYLE_MESSAGE, "Press the digit of your answer.");
    } else {
        action_do(ui, action, LKEY_NONE);
    }
}

static void help_action(struct ui *ui, struct popup *top, enum action action)
{
    struct shown_rows rows;
    size_t index[UI_ROWS_MAX];
    if (action == ACT_SEARCH) {
        top->searching = true;
    } else if (action == ACT_ACCEPT) {
        top->searching = false;
    } else if (action == ACT_RUN) {
        run_selected(ui, top);
    } else if (top->searching && prompt_edit(&top->field, action)) {
        top->selected = 0;
    } else {
        shown_for_help(ui, top->below, &rows);
        size_t count = help_matching(rows.row, rows.count, top->field.text, index);
        move_by(&top->selected, step_of(action, 10, UI_ROWS_MAX), count);
    }
}

static void close_or_leave_search(struct ui *ui, struct popup *top)
{
    if (top->kind == POPUP_HELP && (top->searching || top->field.length > 0)) {
        top->searching = false;
        top->selected = 0;
        prompt_set(&top->field, "");
        return;
    }
    popup_close(ui);
}

void popup_action(struct ui *ui, enum action action)
{
    struct popup *top = popup_top(ui);
    ui->dirty = true;
    if (action == ACT_CLOSE || action == ACT_LEAVE) {
        close_or_leave_search(ui, top);
    } else if (top->kind == POPUP_HELP) {
        help_action(ui, top, action);
    } else if (action == ACT_OPEN) {
        if (top->purpose == ACT_OPEN) {
            popup_close(ui);
            screen_home_action(ui, ACT_OPEN);
        }
    } else if (top->kind == POPUP_TEXT) {
        scroll(top, action);
    } else if (action == ACT_ACCEPT) {
        char line[PROMPT_BYTES_MAX + 1];
        enum action purpose = top->purpose;
        memcpy(line, top->field.text, sizeof line);
        popup_close(ui);
        cluster_accept(ui, purpose, line);
    } else if (top->purpose != ACT_COMMAND || !command_line_action(ui, top, action)) {
        prompt_edit(&top->field, action);
    }
}

/* --- drawing -----------------------------------------------------------------------------------
 */

static struct rect centred(const struct canvas *c, int w, int h)
{
    int columns = canvas_columns(c);
    int rows = canvas_rows(c);
    w = w > columns - 2 * BOX_MARGIN ? columns - 2 * BOX_MARGIN : w;
    h = h > rows - 2 ? rows - 2 : h;
    return (struct rect){(columns - w) / 2, (rows - h) / 2, w, h};
}

static struct rect open_box(struct canvas *c, struct rect area, const char *title)
{
    canvas_fill(c, area, STYLE_TEXT, ' ');
    return draw_pane(c, area, title, true);
}

/* How much of a line fits, whole words if it can be. */
static size_t fit_words(const char *line, size_t length, int columns)
{
    size_t fits = utf8_fit(line, length, columns);
    size_t words = fits;
    while (fits < length && words > 0 && line[words] != ' ') {
        words--;
    }
    /* A word longer than the row is cut, and so is one behind nothing but blanks. */
    return strspn(line, " ") < words ? words : fits > 0 ? fits : length;
}

/* A line of any length on as many rows as it needs, all indented as the first; returns how many.
 * Draws those in view. */
static int draw_long_line(struct canvas *c, const char *line, size_t length, int y, int rows)
{
    int used = 0;
    int indent = (int)strspn(line, " ");
    int columns = canvas_width(c);
    indent = indent < columns / 2 && indent < (int)length ? indent : 0;
    line += indent;
    length -= (size_t)indent;
    do {
        size_t fits = fit_words(line, length, columns - indent);
        if (y + used >= 0 && y + used < rows) {
            canvas_textn(c, indent, y + used, STYLE_TEXT, line, fits);
        }
        line += fits;
        length -= fits;
        while (length > 0 && *line == ' ') { /* the blank at which it was broken */
            line++;
            length--;
        }
        used++;
    } while (length > 0);
    return used;
}

static int draw_lines(struct canvas *c, const char *text, int scroll, int rows)
{
    int y = 0;
    while (*text) {
        size_t length = strcspn(text, "\n");
        y += draw_long_line(c, text, length, y - scroll, rows);
        text += length + (text[length] == '\n' ? 1 : 0);
    }
    return y;
}

static int draw_body(struct canvas *c, struct popup *p, int columns, int rows)
{
    if (!p->markup) {
        return draw_lines(c, str_text(&p->body), p->scroll, rows);
    }
    struct prose prose;
    prose_wrap(&prose, str_text(&p->body), columns);
    int lines = (int)prose.line_count;
    prose_draw(c, &prose, 0, 0, p->scroll, rows);
    prose_free(&prose);
    return lines;
}

/* Prose has its measure; lines are kept as they are, as far as the screen is wide. */
static int text_popup_columns(const struct popup *p)
{
    int columns = BOX_TEXT_COLUMNS;
    for (const char *line = p->markup ? "" : str_text(&p->body); *line;) {
        size_t length = strcspn(line, "\n");
        int wide = utf8_columns(line, length) + BOX_SIDES;
        columns = wide > columns ? wide : columns;
        line += length + (line[length] == '\n');
    }
    return columns;
}

static void draw_text_popup(struct ui *ui, struct popup *p)
{
    struct canvas *c = ui->canvas;
    int columns = text_popup_columns(p);
    struct rect area = centred(c, columns, canvas_rows(c) - 4);
    int lines = 0;
    /* Measured first, with nothing drawn, so that a short text gets a small box. */
    canvas_push(c, (struct rect){0, 0, area.w - BOX_SIDES, 0});
    lines = draw_body(c, p, area.w - BOX_SIDES, 0);
    canvas_pop(c);
    area = centred(c, columns, lines + 2 < area.h ? lines + 2 : area.h);
    struct rect inside = open_box(c, area, p->title);
    inside = (struct rect){inside.x + 1, inside.y, inside.w - 2, inside.h};
    p->rows = lines;
    p->height = inside.h;
    int last = lines > inside.h ? lines - inside.h : 0;
    p->scroll = p->scroll > last ? last : p->scroll;
    canvas_push(c, inside);
    draw_body(c, p, inside.w, inside.h);
    canvas_cursor(c, 0, 0);
    canvas_pop(c);
    if (last > 0) {
        char place[48];
        snprintf(place, sizeof place, " lines %d to %d of %d ", p->scroll + 1, p->scroll + inside.h,
                 lines);
        canvas_text_right(c, area.x + area.w - 2, area.y + area.h - 1, STYLE_FOCUS, place);
    }
}

void popup_draw_field(struct canvas *c, int x, int y, int columns, const struct prompt *p)
{
    const char *from = p->text;
    size_t before = p->cursor;
    while (before > 0 && utf8_columns(from, before) >= columns) {
        uint32_t point = 0;
        size_t used = utf8_decode(from, before, &point);
        from += used;
        before -= used;
    }
    size_t rest = p->length - (size_t)(from - p->text);
    canvas_fill(c, (struct rect){x, y, columns, 1}, STYLE_SELECTED, ' ');
    canvas_textn(c, x, y, STYLE_SELECTED, from, utf8_fit(from, rest, columns));
    canvas_cursor(c, x + utf8_columns(from, before), y);
}

static void draw_prompt(struct ui *ui, const struct popup *p)
{
    struct canvas *c = ui->canvas;
    struct rect inside = open_box(c, centred(c, BOX_LINE_COLUMNS, 5), p->title);
    popup_draw_field(c, inside.x + 1, inside.y + 1, inside.w - 2, &p->field);
}

static void draw_help(struct ui *ui, struct popup *p)
{
    struct canvas *c = ui->canvas;
    struct shown_rows rows;
    shown_for_help(ui, p->below, &rows);
    struct rect inside = open_box(c, centred(c, BOX_TEXT_COLUMNS, canvas_rows(c) - 4), p->title);
    struct rect list = inside;
    if (p->searching || p->field.length > 0) {
        struct rect line = rect_cut_bottom(inside, 1, &list);
        int x = canvas_text(c, line.x + 1, line.y, STYLE_KEYCAP, "/");
        popup_draw_field(c, line.x + 1 + x, line.y, line.w - 3, &p->field);
    }
    struct help_state state = {.selected = p->selected, .filter = p->field.text};
    canvas_push(c, list);
    help_draw(c, rows.row, rows.count, &state);
    canvas_pop(c);
}

void popup_draw(struct ui *ui, struct popup *popup)
{
    switch (popup->kind) {
    case POPUP_TEXT:
        draw_text_popup(ui, popup);
        break;
    case POPUP_HELP:
        draw_help(ui, popup);
        break;
    case POPUP_PROMPT:
        draw_prompt(ui, popup);
        break;
    }
}
