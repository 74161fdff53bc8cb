/*
 * course_visit: the rows of a table, made while nobody waits, and opened: the pictures then show
 * the world of that row's run. See ui.h.
 */
#include "app/ui.h"
#include <string.h>

/* The selection means a row only in the picture `table`, and only when that has the focus. */
size_t course_row(const struct ui *ui)
{
    const struct page *page = course_page(ui);
    const struct course *course = &ui->course;
    size_t picture = course->focus - 1;
    if (!page || !page->table || page->table->hidden || page->running || *page->visiting ||
        course->focus == 0 || strcmp(page->show[picture].view, "table") != 0 ||
        !course->view[picture].has_selection) {
        return SIZE_MAX;
    }
    size_t row = (size_t)course->view[picture].selected;
    return row < page->table->rows && page->table->row[row].opens ? row : SIZE_MAX;
}

bool course_visit(struct ui *ui)
{
    struct err err;
    size_t row = course_row(ui);
    if (row == SIZE_MAX) {
        return false;
    }
    ui->course.free_play = false;
    ui->course.following = 0;
    if (!player_visit(ui->course.player, row, &err)) {
        ui_say_err(ui, &err);
    } else {
        ui_say(ui, STYLE_MESSAGE, "The pictures show this run; time may go on in it.");
    }
    course_changed(ui);
    return true;
}

void course_leave_visit(struct ui *ui)
{
    if (player_leave(ui->course.player)) {
        ui->course.free_play = false;
        ui_say(ui, STYLE_MESSAGE, "Back in the lesson.");
    }
    course_changed(ui);
}

void course_fill(struct ui *ui)
{
    struct err err;
    if (!player_fill(ui->course.player, &err)) {
        ui_say_err(ui, &err);
    }
    course_changed(ui);
}
