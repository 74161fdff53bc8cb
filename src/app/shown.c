/*
 * shown: which rows of the key table a person sees: those that work now. See ui.h.
 */
#include "app/ui.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words that depend on what is going on. */
static const char *brief_now(const struct ui *ui, const struct key_row *row)
{
    const struct page *page = course_page(ui);
    if (page && row->action == ACT_FORWARD && course_explains(page)) {
        return "I have said it";
    }
    if (page && row->action == ACT_CHOOSE && course_marks(page)) {
        return "mark";
    }
    if (page && row->action == ACT_ANSWER && course_explains(page)) {
        return "type it";
    }
    if (page && row->action == ACT_FORWARD && page->running) {
        return "to its end";
    }
    if (page && row->action == ACT_FORWARD && page->replays) {
        return "play again";
    }
    if (page && row->action == ACT_FORWARD && page->last && !course_waits(page)) {
        return "finish";
    }
    if (page && row->action == ACT_PLAY && play_running(ui)) {
        return "pause";
    }
    if (page && row->action == ACT_BREAK && page->breaks < RULE_COUNT &&
        !world_rule(player_world(ui->course.player), page->breaks)) {
        return "mend it";
    }
    if (page && *page->visiting && row->action == ACT_CLOSE) {
        return "out of this run";
    }
    if (page && ui->popups == 0 && row->action == ACT_CLOSE) {
        return "q and other keys"; /* out of the answer's field */
    }
    if (page && ui->popups == 0 && row->action == ACT_ACCEPT) {
        return course_explains(page) ? "I have said it" : "answer";
    }
    const char *label = page && ui->popups == 0 ? knobs_label(page, row->action) : NULL;
    if (label) {
        return label;
    }
    const char *brief =
        ui->popups == 0 && ui->screen == SCREEN_CHECK ? check_screen_brief(ui, row->action) : NULL;
    if (brief) {
        return brief;
    }
    bool whole = ui_context(ui) == IN_GLOSSARY && glossary_screen_whole(ui);
    if (whole && row->action == ACT_FOCUS_NEXT) {
        return "beside the list";
    }
    if (row->action == ACT_LEAVE && ui->popups == 0 && ui->screen == SCREEN_HOME) {
        return "quit";
    }
    return row->brief;
}

static void add_row(const struct ui *ui, size_t index, size_t most, const char *words,
                    struct shown_rows *out)
{
    bool line = most == 1;
    const struct key_row *row = keymap_row_at(index);
    struct str keys = STR_EMPTY;
    const struct page *page = course_page(ui);
    if (row->contexts == IN_GLOSSARY && row->action == ACT_CHOOSE) {
        str_addf(&keys, "1-%zu", glossary_screen_sees(ui));
    } else if (row->action == ACT_CHOOSE && page && page->question.choices > 1) {
        str_addf(&keys, "1-%zu", page->question.choices);
    } else {
        keymap_say_row(&ui->keymap, index, most, &keys);
    }
    if (line && row->partner != ACT_NONE) {
        str_addc(&keys, ' ');
        keymap_say(&ui->keymap, row->partner, row->contexts, &keys);
    }
    size_t at = out->count++;
    snprintf(out->keys[at], sizeof out->keys[at], "%s", str_text(&keys));
    bool at_end = row->action == ACT_HELP || row->action == ACT_LEAVE;
    out->row[at] = (struct help_row){out->keys[at], words, row->group, at_end};
    out->action[at] = row->action;
    str_free(&keys);
}

/* On a page whose shards can be changed their keys are there as well; so is a selected row's. */
static unsigned contexts_at(const struct ui *ui, enum context where)
{
    unsigned in = where;
    if (where == IN_LESSON && knobs_offer(course_page(ui), "shards")) {
        in |= IN_SHARDS;
    }
    if (where == IN_LESSON && course_page(ui)->protocol.name) {
        in |= IN_PROTOCOL;
    }
    if (where == IN_LESSON && course_at_row(ui)) {
        in |= IN_ROW;
    }
    return in;
}

void shown_for_help(const struct ui *ui, enum context where, struct shown_rows *out)
{
    unsigned in = contexts_at(ui, where);
    out->count = 0;
    for (size_t i = 0; keymap_row_at(i); i++) {
        const struct key_row *row = keymap_row_at(i);
        if ((row->contexts & in) && action_works(ui, row->action, where)) {
            const char *label = knobs_label(course_page(ui), row->action);
            add_row(ui, i, KEYMAP_KEYS_MAX, label ? label : row->does, out);
        }
    }
}

/* While a question or task is open, going on only says so: not worth a place in the line. Nor are
 * the keys of closer and farther where two of theirs do something else. */
static bool is_held_up(const struct ui *ui, enum action action)
{
    const struct page *page = course_page(ui);
    if (action == ACT_ZOOM_IN && page && knobs_offer(page, "shards")) {
        return true;
    }
    bool terms = ui_context(ui) == IN_GLOSSARY;
    if (terms && glossary_screen_whole(ui) && (action == ACT_LEFT || action == ACT_RIGHT)) {
        return true; /* only pictures' own keys */
    }
    if (page && *page->visiting && (action == ACT_FORWARD || action == ACT_BACK)) {
        return true;
    }
    if (action == ACT_FORWARD && page && course_explains(page)) {
        return false;
    }
    return action == ACT_FORWARD && page && !page->running && !page->replays && course_waits(page);
}

struct weighed {
    size_t row;
    int weight;
};

/* A task that wants commands, and has no keys of its own: the line that takes them, and time. */
static bool wants_commands(const struct ui *ui)
{
    const struct page *page = course_page(ui);
    return page && ui->popups == 0 && ui->screen == SCREEN_LESSON && *page->task &&
           !page->task_met && !page->task_skipped && page->actions == 0 && page->knobs == 0 &&
           (page->question.kind == QUESTION_NONE || page->question.state != QUESTION_OPEN);
}

/* The way out of a table's run is what matters most there. */
static int weight_now(const struct ui *ui, const struct key_row *row)
{
    const struct page *page = course_page(ui);
    if (wants_commands(ui) && (row->action == ACT_COMMAND || row->action == ACT_PLAY)) {
        return row->action == ACT_COMMAND ? 97 : 96;
    }
    bool out = row->action == ACT_CLOSE && page && *page->visiting && ui->popups == 0;
    return out ? 100 : row->weight;
}

static int heavier_first(const void *a, const void *b)
{
    const struct weighed *wa = a;
    const struct weighed *wb = b;
    if (wa->weight != wb->weight) {
        return wa->weight > wb->weight ? -1 : 1;
    }
    return wa->row < wb->row ? -1 : wa->row > wb->row;
}

void shown_for_line(const struct ui *ui, enum context where, struct shown_rows *out)
{
    struct weighed order[UI_ROWS_MAX];
    size_t count = 0;
    unsigned in = contexts_at(ui, where);
    for (size_t i = 0; keymap_row_at(i); i++) {
        const struct key_row *row = keymap_row_at(i);
        bool brief = row->brief && (row->action != ACT_COMMAND || wants_commands(ui));
        if ((row->contexts & in) && brief && action_works(ui, row->action, where) &&
            !is_held_up(ui, row->action)) {
            order[count++] = (struct weighed){i, weight_now(ui, row)};
        }
    }
    qsort(order, count, sizeof order[0], heavier_first);
    out->count = 0;
    for (size_t i = 0; i < count; i++) {
        add_row(ui, order[i].row, 1, brief_now(ui, keymap_row_at(order[i].row)), out);
    }
}

void shown_draw_line(const struct ui *ui, struct canvas *c, int y)
{
    struct shown_rows rows;
    shown_for_line(ui, ui_context(ui), &rows);
    key_line_draw(c, y, rows.row, rows.count);
}
