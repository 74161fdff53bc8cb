/*
 * picture: focus and what can be done to the picture that has it. See ui.h.
 *
 * With the focus on the text, keys that only pictures know go to the first picture.
 */
#include "app/ui.h"
#include "engine/trace.h"
#include "view/inspect.h"
#include "view/plain.h"
#include <string.h>

#define WORDS_COLUMNS 74 /* what is told is up to 72 wide, and indented by two */

bool picture_shown(const struct page *page, const char *view)
{
    for (size_t i = 0; i < page->shows; i++) {
        if (strcmp(page->show[i].view, view) == 0) {
            return true;
        }
    }
    return false;
}

bool picture_any(const struct page *page)
{
    return page && page->shows > 0;
}

/* The picture that a key is meant for: the focused one, else the first. */
static size_t meant(const struct ui *ui)
{
    return ui->course.focus > 0 ? ui->course.focus - 1 : 0;
}

static const struct view *view_of(const struct page *page, size_t picture)
{
    return picture < page->shows ? view_by_name(page->show[picture].view) : NULL;
}

static enum verb verb_of(enum action action)
{
    static const struct {
        enum action action;
        enum verb verb;
    } table[] = {
        {ACT_UP, VERB_UP},           {ACT_DOWN, VERB_DOWN},
        {ACT_LEFT, VERB_LEFT},       {ACT_RIGHT, VERB_RIGHT},
        {ACT_PAGE_UP, VERB_PAGE_UP}, {ACT_PAGE_DOWN, VERB_PAGE_DOWN},
        {ACT_FIRST, VERB_FIRST},     {ACT_LAST, VERB_LAST},
        {ACT_ZOOM_IN, VERB_ZOOM_IN}, {ACT_ZOOM_OUT, VERB_ZOOM_OUT},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].action == action) {
            return table[i].verb;
        }
    }
    return VERB_NONE;
}

static bool move_picture(struct ui *ui, size_t picture, enum verb verb)
{
    struct scene scene = ui_scene(ui, true);
    const struct view *view = view_of(scene.page, picture);
    if (!view || !view->move || verb == VERB_NONE) {
        return false;
    }
    struct rect area = ui->course.pane[picture];
    int columns = area.w > 0 ? area.w : SCREEN_MIN_COLUMNS / 2;
    int rows = area.h > 0 ? area.h : view->min_rows;
    return view->move(&ui->course.view[picture], &scene, verb, columns, rows);
}

static void scroll_text(struct ui *ui, enum action action)
{
    struct course *course = &ui->course;
    int last = course->text_rows - course->text_height;
    last = last < 0 ? 0 : last;
    int page = course->text_height > 2 ? course->text_height - 1 : 1;
    int at = course->scroll < 0 || course->scroll > last ? last : course->scroll;
    switch ((unsigned)action) {
    case ACT_UP:
        at--;
        break;
    case ACT_DOWN:
        at++;
        break;
    case ACT_PAGE_UP:
        at -= page;
        break;
    case ACT_PAGE_DOWN:
        at += page;
        break;
    case ACT_FIRST:
        at = 0;
        break;
    default:
        at = last;
        break;
    }
    course->scroll = at < 0 ? 0 : at > last ? last : at;
}

static void move_focus(struct ui *ui, bool back)
{
    size_t panes = course_page(ui)->shows + 1;
    ui->course.focus = (ui->course.focus + (back ? panes - 1 : 1)) % panes;
}

static void toggle_diff(struct ui *ui)
{
    const struct page *page = course_page(ui);
    for (size_t i = 0; i < page->shows; i++) {
        if (strcmp(page->show[i].view, "slot_map") == 0) {
            ui->course.view[i].diff = !ui->course.view[i].diff;
            ui_say(ui, STYLE_MESSAGE,
                   ui->course.view[i].diff ? "The map shows what changed since this step began."
                                           : "The map shows who owns what.");
        }
    }
}

/* What is selected in a picture; a picture without a selection selects its first thing. */
static struct subject subject_in(struct ui *ui, size_t picture)
{
    struct scene scene = ui_scene(ui, true);
    const struct view *view = view_of(scene.page, picture);
    struct subject none = {.kind = SUBJECT_NONE};
    if (!view || !view->subject) {
        return none;
    }
    struct subject subject = view->subject(&ui->course.view[picture], &scene);
    if (subject.kind == SUBJECT_NONE && move_picture(ui, picture, VERB_DOWN)) {
        subject = view->subject(&ui->course.view[picture], &scene);
    }
    return subject;
}

static void inspect(struct ui *ui)
{
    size_t count = course_page(ui)->shows;
    struct subject subject = {.kind = SUBJECT_NONE};
    for (size_t i = 0; i < count && subject.kind == SUBJECT_NONE; i++) {
        size_t picture = (meant(ui) + i) % count;
        subject = subject_in(ui, picture);
        if (subject.kind != SUBJECT_NONE) {
            ui->course.focus = picture + 1;
        } else if (ui->course.focus > 0) {
            break; /* the learner chose this picture: do not wander off */
        }
    }
    if (subject.kind == SUBJECT_NONE) {
        ui_say(ui, STYLE_WARN, "There is no more to say of this picture than what it says itself.");
        return;
    }
    struct scene scene = ui_scene(ui, true);
    struct str title = STR_EMPTY;
    struct str body = STR_EMPTY;
    inspect_title(&title, &scene, subject);
    inspect_tell(&body, &scene, subject);
    player_opened(ui->course.player, "inspect", str_text(&title));
    if (subject.kind == SUBJECT_RECORD) { /* only what was decided has a reason */
        const struct trace_record *record = trace_get(scene.world, subject.id);
        struct str words = STR_EMPTY;
        opened_say_record(scene.world, record, &words);
        player_opened(ui->course.player, "why", str_text(&words));
        str_free(&words);
    }
    popup_open_text(ui, str_text(&title), &body, true);
    str_free(&title);
    course_changed(ui);
}

static void describe(struct ui *ui)
{
    struct str body = STR_EMPTY;
    struct scene scene = ui_scene(ui, true);
    const struct view *view = view_of(scene.page, meant(ui));
    if (ui->course.focus > 0 && view) {
        view->tell(&body, &scene, &ui->course.view[meant(ui)]);
        popup_open_text(ui, view->title, &body, false);
    } else {
        plain_pictures(&body, &scene, WORDS_COLUMNS);
        popup_open_text(ui, "The pictures in words", &body, false);
    }
}

void picture_action(struct ui *ui, enum action action)
{
    ui->dirty = true;
    if (action == ACT_FOCUS_NEXT || action == ACT_FOCUS_BEFORE) {
        move_focus(ui, action == ACT_FOCUS_BEFORE);
    } else if (action == ACT_DIFF) {
        toggle_diff(ui);
    } else if (action == ACT_INSPECT) {
        inspect(ui);
    } else if (action == ACT_DESCRIBE) {
        describe(ui);
    } else if (ui->course.focus == 0 && action != ACT_ZOOM_IN && action != ACT_ZOOM_OUT &&
               action != ACT_LEFT && action != ACT_RIGHT) {
        scroll_text(ui, action);
    } else {
        move_picture(ui, meant(ui), verb_of(action));
    }
}
