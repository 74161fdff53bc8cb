/*
 * course_field: the field in which an answer is typed. It is open as soon as a question asks for a
 * number or a text and the focus is on the text; nobody has to open it first. An explanation may as
 * well be said aloud: its field is opened by a key. See ui.h.
 */
#include "app/ui.h"

enum field_mode course_field_mode(const struct ui *ui)
{
    const struct page *page = course_page(ui);
    if (!page || page->running || page->question.state != QUESTION_OPEN || ui->course.focus != 0) {
        return FIELD_NONE;
    }
    switch (page->question.kind) {
    case QUESTION_NUMBER:
    case QUESTION_SEVERAL:
        return FIELD_DIGITS;
    case QUESTION_TEXT:
    case QUESTION_EXPLAIN:
        return ui->course.field_left ? FIELD_NONE : FIELD_TEXT;
    case QUESTION_NONE:
    case QUESTION_CHOICE:
        break;
    }
    return FIELD_NONE;
}

/* Digits always; what may stand inside a number only behind a digit, since it is a command else. */
static bool is_part_of_number(uint32_t key, bool begun)
{
    return (key >= '0' && key <= '9') || (begun && (key == '.' || key == ',' || key == '%'));
}

/* Keys of a field that takes digits: editing only while something is typed. */
static bool digits_key(struct ui *ui, uint32_t key)
{
    struct prompt *field = &ui->course.field;
    bool begun = field->length > 0;
    if (course_page(ui)->question.kind == QUESTION_NUMBER && is_part_of_number(key, begun)) {
        prompt_insert(field, key);
        return true;
    }
    if (!begun || ui->pasting) {
        return false;
    }
    enum action action = keymap_action(&ui->keymap, key, IN_FIELD);
    if (action == ACT_ACCEPT) {
        course_answer(ui);
        return true;
    }
    if (action == ACT_CLOSE) {
        prompt_set(field, "");
        return true;
    }
    if (action == ACT_HELP || action == ACT_REDRAW || action == ACT_SUSPEND || action == ACT_HINT ||
        action == ACT_SHOW_ME || action == ACT_PLACE) {
        return false;
    }
    return course_page(ui)->question.kind == QUESTION_NUMBER && prompt_edit(field, action);
}

/* A digit is part of the answer from whichever pane it is typed. */
static void come_to_field(struct ui *ui, uint32_t key)
{
    const struct page *page = course_page(ui);
    if (key >= '0' && key <= '9' && page && !page->running &&
        page->question.kind == QUESTION_NUMBER && page->question.state == QUESTION_OPEN) {
        ui->course.focus = 0;
    }
}

bool course_field_key(struct ui *ui, uint32_t key)
{
    come_to_field(ui, key);
    switch (course_field_mode(ui)) {
    case FIELD_NONE:
        return false;
    case FIELD_DIGITS:
        return digits_key(ui, key);
    case FIELD_TEXT:
        if (key >= LKEY_SPECIAL) {
            return false;
        }
        prompt_insert(&ui->course.field, key);
        ui->course.scroll = -1; /* the cursor comes into sight */
        if (ui->course.field.overflowed) {
            ui_say(ui, STYLE_WARN, "The line is full; the rest was left out.");
        }
        return true;
    }
    return false;
}
