/*
 * course_visit: the rows of a table, made while nobody waits, and opened: the pictures then show
 * the world of that row's run. See ui.h.
 */
#include "app/ui.h"
#include "base/num.h"
#include <string.h>

#define NS_BETWEEN_LOOKS INT64_C(60000000)
#define LOOK_MS 5 /* an escape is one when nothing follows for a while: a few looks in all */

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

/* --- a row that plays long --- */

struct waiting {
    struct ui *ui;
    int64_t looked; /* ns: when keys were read last */
    bool given_up;
    struct term_input later; /* what is for the screen when the play is over */
};

static void look_at_keys(struct waiting *wait)
{
    struct term_input input = term_read(wait->ui->term, LOOK_MS);
    for (; input.kind != TERM_INPUT_TIMEOUT && !wait->given_up;
         input = term_read(wait->ui->term, 0)) {
        bool leaves = input.kind == TERM_INPUT_END;
        bool escape = input.kind == TERM_INPUT_KEY && input.key == LKEY_ESCAPE;
        wait->given_up = leaves || escape;
        if (input.kind != TERM_INPUT_KEY) {
            wait->later = input;
        }
    }
}

/* A player_patience: says how far it is, and looks whether somebody has enough of it. */
static bool still_wanted(void *of, int64_t now_us)
{
    struct waiting *wait = of;
    int64_t now = clock_ns();
    if (now - wait->looked >= NS_BETWEEN_LOOKS) {
        wait->looked = now;
        ui_say(wait->ui, STYLE_MESSAGE, "The story is played up to there: it is %s; esc gives up.",
               num_clock(now_us).text);
        ui_show_message(wait->ui);
        look_at_keys(wait);
    }
    return !wait->given_up;
}

/* A script's keys are not looked at: all of them are for afterwards. */
static bool open_row(struct ui *ui, size_t row, struct waiting *wait, struct err *err)
{
    *wait = (struct waiting){.ui = ui, .looked = clock_ns()};
    player_set_patience(ui->course.player,
                        (struct player_patience){ui->options.script ? NULL : still_wanted, wait});
    bool good = player_visit(ui->course.player, row, err);
    player_set_patience(ui->course.player, (struct player_patience){NULL, NULL});
    return good;
}

void course_visit(struct ui *ui)
{
    struct err err;
    struct waiting wait;
    size_t row = selected_row(ui);
    if (row == SIZE_MAX) { /* none is selected yet: the first one is, and can be seen */
        picture_action(ui, ACT_DOWN);
        return;
    }
    ui->course.free_play = false;
    ui->course.following = 0;
    if (open_row(ui, row, &wait, &err)) {
        ui_say(ui, STYLE_MESSAGE, "The pictures show this run; time may go on in it.");
    } else if (wait.given_up) {
        ui_say(ui, STYLE_MESSAGE, "Given up; the lesson's own world is still here.");
    } else {
        ui_say_err(ui, &err);
    }
    course_changed(ui);
    if (wait.later.kind != TERM_INPUT_TIMEOUT) {
        ui_input(ui, &wait.later);
    }
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
