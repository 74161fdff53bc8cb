/*
 * screen_learn: a lesson's step on the screen: the title line, the text, the pictures. See ui.h.
 *
 * From 80 columns the text stands left and the pictures right, one over the other; from 160 columns
 * on, and where rows are few, pictures stand side by side. A picture that finds no room is folded
 * to its title, never cut; the focused one is always open.
 */
#include "app/ui.h"
#include "base/num.h"
#include "draw/prose.h"
#include "view/lesson_text.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define TEXT_COLUMNS_NARROW 38
#define TEXT_COLUMNS_LEAST 42
#define WIDE_FROM 100
#define SIDE_BY_SIDE_FROM 160
#define FRAME_ROWS 2
#define FRAME_COLUMNS 2
#define FOLDED_ROWS 1

void screen_learn_title(struct ui *ui)
{
    struct canvas *c = ui->canvas;
    int w = canvas_columns(c);
    const struct page *page = course_page(ui);
    const struct world *world = player_world(ui->course.player);
    char left[256];
    struct str right = STR_EMPTY;
    if (*page->visiting) {
        snprintf(left, sizeof left, "The run of \"%s\" (esc leads back)", page->visiting);
    } else if (page->check) {
        snprintf(left, sizeof left, "Part %d  Do you know this?", page->part);
    } else if (page->drill) {
        snprintf(left, sizeof left, "Drill  %s", page->lesson_title);
    } else {
        snprintf(left, sizeof left, "Part %d  %s", page->part, page->lesson_title);
    }
    str_addf(&right, "%s%zu/%zu", page->deeper ? "deeper  " : "", page->step + 1, page->steps);
    if (world) {
        bool ascii = canvas_glyphs(c) == GLYPHS_ASCII;
        bool running = play_running(ui);
        str_addf(&right, "    %s  %s ", num_clock(world_now(world)).text,
                 running ? (ascii ? ">" : "▶") : (ascii ? "=" : "■"));
        play_say_speed(ui, &right);
    }
    int room = w - 2 - (int)right.length - 2;
    canvas_text_fit(c, 1, 0, room > 10 ? room : 10, STYLE_TITLE, left);
    canvas_text_right(c, w - 1, 0, STYLE_TITLE, str_text(&right));
    str_free(&right);
}

static int text_columns(int columns, size_t shows)
{
    if (shows == 0) {
        int measure = PROSE_MEASURE + 4;
        return columns < measure ? columns : measure;
    }
    if (columns < WIDE_FROM) {
        return TEXT_COLUMNS_NARROW;
    }
    int share = columns * 42 / 100;
    int most = PROSE_MEASURE + 4;
    return share < TEXT_COLUMNS_LEAST ? TEXT_COLUMNS_LEAST : share > most ? most : share;
}

int screen_learn_rows(const struct page *page)
{
    const struct page_question *q = &page->question;
    bool field = q->state == QUESTION_OPEN && !page->running && q->kind != QUESTION_NONE &&
                 q->kind != QUESTION_CHOICE && q->kind != QUESTION_EXPLAIN;
    struct text_field empty = {.text = "", .active = field};
    return lesson_text_rows(page, &empty,
                            text_columns(SCREEN_MIN_COLUMNS, page->shows) - FRAME_COLUMNS);
}

/* The hardware cursor rests in the focused pane, unless what is drawn there knows better. */
static void rest_cursor(struct canvas *c, struct rect inside, bool focused)
{
    if (focused) {
        canvas_cursor(c, inside.x, inside.y);
    }
}

static void draw_text(struct ui *ui, struct rect area)
{
    struct canvas *c = ui->canvas;
    struct course *course = &ui->course;
    const struct page *page = course_page(ui);
    enum field_mode mode = course_field_mode(ui);
    struct text_field field = {
        .text = course->field.text,
        .cursor = course->field.cursor,
        .active = mode != FIELD_NONE && ui->popups == 0,
    };
    struct rect inside = draw_pane(c, area, page->step_title, course->focus == 0);
    rest_cursor(c, inside, course->focus == 0);
    canvas_push(c, inside);
    course->text_height = inside.h;
    course->text_rows = lesson_text_draw(c, page, &field, course->scroll);
    canvas_pop(c);
}

static const struct view *view_at_show(const struct page *page, size_t i)
{
    return view_by_name(page->show[i].view);
}

static int rows_needed(const struct page *page, size_t i)
{
    const struct view *view = view_at_show(page, i);
    return (view ? view->min_rows : 1) + FRAME_ROWS;
}

static int rows_wanted(const struct page *page, size_t i)
{
    const struct view *view = view_at_show(page, i);
    return (view ? view->want_rows : 1) + FRAME_ROWS;
}

/* Which of the pictures first..end-1 are open in a column of `rows`: the focused one, then in order
 * as many as fit beside the folded rest. */
static void choose_open(const struct ui *ui, size_t first, size_t end, int rows, bool open[])
{
    const struct page *page = course_page(ui);
    size_t focused =
        ui->course.focus > first && ui->course.focus <= end ? ui->course.focus - 1 : first;
    int used = rows_needed(page, focused) + FOLDED_ROWS * (int)(end - first - 1);
    for (size_t i = first; i < end; i++) {
        open[i] = i == focused;
    }
    for (size_t i = first; i < end; i++) {
        int more = rows_needed(page, i) - FOLDED_ROWS;
        if (!open[i] && used + more <= rows) {
            open[i] = true;
            used += more;
        }
    }
}

static void draw_folded(struct ui *ui, struct rect area, size_t i)
{
    const struct view *view = view_at_show(course_page(ui), i);
    struct str key = STR_EMPTY;
    keymap_say(&ui->keymap, ACT_FOCUS_NEXT, IN_LESSON, &key);
    ui->course.pane[i] = (struct rect){0, 0, 0, 0};
    canvas_hline(ui->canvas, area.x, area.y, area.w, LINE_LIGHT, STYLE_DIM);
    canvas_textf(ui->canvas, area.x + 2, area.y, STYLE_DIM, " %s (%s) ",
                 view ? view->title : course_page(ui)->show[i].view, str_text(&key));
    str_free(&key);
}

static void draw_picture(struct ui *ui, struct rect area, size_t i, const struct scene *scene)
{
    struct canvas *c = ui->canvas;
    const struct page *page = course_page(ui);
    const struct view *view = view_at_show(page, i);
    bool focused = ui->course.focus == i + 1;
    struct rect inside = draw_pane(c, area, view ? view->title : page->show[i].view, focused);
    ui->course.pane[i] = inside;
    rest_cursor(c, inside, focused);
    canvas_push(c, inside);
    if (view) {
        view->draw(c, scene, &ui->course.view[i], focused);
    } else {
        canvas_textf(c, 0, 0, STYLE_WARN, "There is no picture \"%s\".", page->show[i].view);
    }
    canvas_pop(c);
}

struct column { /* pictures first..end-1, one over the other */
    size_t first, end;
    int height;
    bool open[PAGE_SHOWS_MAX];
};

/* Rows up to which a picture is given some: first for what it shows now, then as many as it always
 * has when there are no others, then all that it can make use of, then whatever there is. */
enum wish {
    WISH_NOW,
    WISH_USUAL,
    WISH_MORE,
    WISH_ANY
};

static int rows_wished(const struct ui *ui, const struct scene *scene, size_t i, enum wish wish)
{
    const struct page *page = course_page(ui);
    const struct view *view = view_at_show(page, i);
    if (wish == WISH_NOW && view && view->wants) {
        return view->wants(scene, &ui->course.view[i]) + FRAME_ROWS;
    }
    return wish == WISH_ANY    ? INT_MAX
           : wish == WISH_MORE ? rows_wanted(page, i)
                               : rows_needed(page, i);
}

static void share_rows(const struct ui *ui, const struct scene *scene, struct column column,
                       int rows[])
{
    int height = column.height;
    for (size_t i = column.first; i < column.end; i++) {
        int needed = rows_needed(course_page(ui), i), now = rows_wished(ui, scene, i, WISH_NOW);
        rows[i] = !column.open[i] ? FOLDED_ROWS : now < needed ? now : needed;
        height -= rows[i];
    }
    for (enum wish wish = WISH_NOW; wish <= WISH_ANY; wish++) {
        int most[PAGE_SHOWS_MAX] = {0};
        for (size_t i = column.first; i < column.end; i++) {
            most[i] = column.open[i] ? rows_wished(ui, scene, i, wish) : 0;
        }
        for (bool given = true; given && height > 0;) { /* one in turn */
            given = false;
            for (size_t i = column.first; i < column.end && height > 0; i++) {
                if (rows[i] < most[i]) {
                    rows[i]++;
                    height--;
                    given = true;
                }
            }
        }
    }
}

/* Pictures first..end-1, one over the other. */
static void draw_column(struct ui *ui, struct rect area, size_t first, size_t end,
                        const struct scene *scene)
{
    struct column column = {.first = first, .end = end, .height = area.h};
    int rows[PAGE_SHOWS_MAX] = {0};
    choose_open(ui, first, end, area.h, column.open);
    share_rows(ui, scene, column, rows);
    for (size_t i = first; i < end; i++) {
        struct rect mine = rect_cut_top(area, rows[i], &area);
        if (column.open[i]) {
            draw_picture(ui, mine, i, scene);
        } else {
            draw_folded(ui, mine, i);
        }
    }
}

void screen_learn_draw(struct ui *ui, struct rect body)
{
    const struct page *page = course_page(ui);
    int columns = canvas_columns(ui->canvas);
    struct rect right;
    struct rect left = rect_cut_left(body, text_columns(columns, page->shows), &right);
    draw_text(ui, left);
    if (page->shows == 0) {
        return;
    }
    struct scene scene = ui_scene(ui, picture_shown(page, "bars") || picture_shown(page, "system"));
    int wanted = 0;
    for (size_t i = 0; i < page->shows; i++) {
        wanted += rows_wanted(page, i);
    }
    if (columns < SIDE_BY_SIDE_FROM || page->shows < 2 || wanted <= right.h) {
        draw_column(ui, right, 0, page->shows, &scene);
        return;
    }
    size_t half = (page->shows + 1) / 2;
    struct rect second;
    struct rect first = rect_cut_left(right, right.w / 2, &second);
    draw_column(ui, first, 0, half, &scene);
    draw_column(ui, second, half, page->shows, &scene);
}
