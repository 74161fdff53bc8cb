/*
 * course_visit: the rows of a table, made while nobody waits, and opened: the pictures then show
 * the world of that row's run. See ui.h.
 */
#include "app/ui.h"
#include <string.h>

/* The selection means a row only in the picture `table`, and only when that has the focus. NULL:
 * no row can be opened now. */
static const struct view_state *table_state(const struct ui *ui)
{
    const struct page *page = course_page(ui);
    const struct course *course = &ui->course;
    size_t picture = course->focus - 1;
    if (!page || !page->table || page->table->hidden || page->running || *page->visiting ||
        course->focus == 0 || strcmp(page->show[picture].view, "table") != 0) {
        return NULL;
    }
    return &course->view[picture];
}

static size_t selected_row(const struct ui *ui)
{
    const struct view_state *state = table_state(ui);
    const struct page_table *t = state ? course_page(ui)->table : NULL;
    size_t row = state && state->has_selection ? (size_t)state->selected : SIZE_MAX;
    return t && row < t->rows && t->row[row].opens ? row : SIZE_MAX;
}

bool course_at_row(const struct ui *ui)
{
    const struct view_state *state = table_state(ui);
    const struct page_table *t = state ? course_page(ui)->table : NULL;
    bool any = false;
    for (size_t i = 0; t && i < t->rows; i++) {
        any = any || t->row[i].opens;
    }
    return state && (state->has_selection ? selected_row(ui) != SIZE_MAX : any);
}

void course_visit(struct ui *ui)
{
    struct err err;
    size_t row = selected_row(ui);
    if (row == SIZE_MAX) { /* none is selected yet: the first one is, and can be seen */
        picture_action(ui, ACT_DOWN);
        return;
    }
    ui->course.free_play = false;
    ui->course.following = 0;
    if (!player_visit(ui->course.player, row, &err)) {
        ui_say_err(ui, &err);
    } else {
        ui_say(ui, STYLE_MESSAGE, "The pictures show this run; time may go on in it.");
    }
    course_changed(ui);
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
