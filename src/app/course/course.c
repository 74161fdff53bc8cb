/*
 * course: a lesson or drill on the screen: going through its steps, and what the progress log keeps
 * of that. See ui.h.
 */
#include "app/notes.h"
#include "app/ui.h"
#include "base/alloc.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct page *course_page(const struct ui *ui)
{
    return ui->course.player && ui->screen == SCREEN_LESSON ? player_page(ui->course.player) : NULL;
}

bool course_waits(const struct page *page)
{
    const struct page_question *q = &page->question;
    bool question = q->kind != QUESTION_NONE && q->state == QUESTION_OPEN;
    bool task = *page->task && !page->task_met && !page->task_skipped;
    return question || task;
}

bool course_explains(const struct page *page)
{
    const struct page_question *q = &page->question;
    return q->kind == QUESTION_EXPLAIN && q->state == QUESTION_OPEN && !page->running;
}

bool course_marks(const struct page *page)
{
    const struct page_question *q = &page->question;
    return q->kind == QUESTION_EXPLAIN && q->state == QUESTION_ANSWERED && q->judged &&
           !page->running && !*page->visiting;
}

/* --- the progress log --------------------------------------------------------------------------
 */

static void kept_or_warned(struct ui *ui, bool kept, const struct err *err)
{
    if (!kept && !ui->progress_warned) {
        ui->progress_warned = true; /* once a session; it goes on without */
        ui_say(ui, STYLE_WARN, "Progress is not kept: %s", err->text);
    }
}

/* Time that was let pass before what is kept next. */
static void keep_time(struct ui *ui)
{
    struct err err;
    bool kept = notes_add_wait(ui->progress, ui->course.player, options_now(&ui->options), &err);
    kept_or_warned(ui, kept, &err);
}

static void keep(struct ui *ui, enum note note)
{
    struct err err;
    if (note == NOTE_QUESTION || note == NOTE_GOAL) {
        keep_time(ui);
    }
    bool kept = notes_add(ui->progress, note, course_page(ui), options_now(&ui->options), &err);
    kept_or_warned(ui, kept, &err);
}

void course_acted(struct ui *ui, const char *act)
{
    struct err err;
    keep_time(ui);
    bool kept = notes_add_act(ui->progress, act, course_page(ui), options_now(&ui->options), &err);
    kept_or_warned(ui, kept, &err);
}

static struct course_mark mark_of(const struct page *page)
{
    return (struct course_mark){
        .step = page->step_id,
        .judged = page->question.kind != QUESTION_NONE && page->question.judged,
        .task_met = page->task_met,
        .task_skipped = page->task_skipped,
    };
}

/* A step was entered: its pictures start fresh, and its questions count from here. */
static void enter_step(struct ui *ui)
{
    struct course *course = &ui->course;
    const struct page *page = course_page(ui);
    memset(course->view, 0, sizeof course->view);
    memset(course->pane, 0, sizeof course->pane);
    for (size_t i = 0; i < page->shows; i++) {
        course->view[i].argument = page->show[i].argument;
    }
    course->focus = 0;
    course->scroll = -1;
    course->field_left = page->question.kind == QUESTION_EXPLAIN;
    course->field.limit = answer_bytes_max(page->question.kind);
    prompt_set(&course->field, "");
    course->free_play = false;
    course->paused = false;
    course->stepped = false;
    course->following = 0;
    course->mark = mark_of(page);
}

void course_changed(struct ui *ui)
{
    const struct page *page = course_page(ui);
    struct course_mark *was = &ui->course.mark;
    if (!page) {
        return;
    }
    ui->dirty = true;
    if (page->step_id != was->step) {
        enter_step(ui);
        if (!page->check) { /* its answers are kept, but it is no place to go on at */
            keep(ui, NOTE_STEP);
        }
        return;
    }
    struct course_mark is = mark_of(page);
    if (is.judged && !was->judged) {
        ui->course.scroll = -1;
        keep(ui, NOTE_QUESTION);
    }
    bool met = is.task_met && !was->task_met;
    if (met || (is.task_skipped && !was->task_skipped)) {
        ui->course.scroll = -1;
        keep(ui, NOTE_GOAL);
    }
    if (met) {
        ui_say(ui, STYLE_GOOD, "Done. The lesson goes on.");
    }
    *was = is;
    /* Arguments belong to the page and may have been written anew. */
    for (size_t i = 0; i < page->shows; i++) {
        ui->course.view[i].argument = page->show[i].argument;
    }
}

/* --- opening and closing -----------------------------------------------------------------------
 */

static bool open_player(struct ui *ui, const char *path, uint64_t seed, struct err *err)
{
    struct player *player = player_open(path, seed, err);
    if (!player) {
        return false;
    }
    course_close(ui);
    ui->course = (struct course){
        .player = player, .path = xstrdup(path), .seed = seed, .opened = options_now(&ui->options)};
    ui->screen = SCREEN_LESSON;
    ui->course.id = xstrdup(course_page(ui)->lesson_id);
    ui->course.drill = course_page(ui)->drill;
    enter_step(ui);
    struct err fault;
    if (player_fault(player, &fault)) {
        ui_say_err(ui, &fault);
    }
    return true;
}

/* Every drill has new numbers, unless a seed was asked for. */
static uint64_t drill_seed(struct ui *ui)
{
    uint64_t first = ui->options.seed;
    if (!ui->options.seed_given && !ui->options.script) {
        first = (uint64_t)options_now(&ui->options);
    }
    return first + ui->drills++;
}

static void resume(struct ui *ui)
{
    struct err err;
    if (!ui->progress || progress_done(ui->progress, ui->course.id)) {
        return;
    }
    bool good = player_resume(ui->course.player, ui->progress, &err);
    enter_step(ui); /* what was done before is no news */
    if (!good) {
        ui_say_err(ui, &err);
    } else if (course_page(ui)->step > 0) {
        ui_say(ui, STYLE_MESSAGE, "You were here. The steps before are there to go back to.");
    }
}

bool course_open(struct ui *ui, const struct lesson_entry *entry, bool at_last, struct err *err)
{
    uint64_t seed = entry->drill ? drill_seed(ui) : ui->options.seed;
    if (!open_player(ui, entry->path, seed, err)) {
        return false;
    }
    if (at_last && !entry->drill) {
        resume(ui);
    }
    keep(ui, NOTE_STEP);
    return true;
}

bool course_open_path(struct ui *ui, const char *path, struct err *err)
{
    if (!open_player(ui, path, ui->options.seed, err)) {
        return false;
    }
    if (ui->course.drill && !ui->options.seed_given) {
        uint64_t seed = drill_seed(ui);
        char *again = xstrdup(path);
        bool opened = open_player(ui, again, seed, err);
        free(again);
        if (!opened) {
            return false;
        }
    }
    if (!ui->course.drill) {
        resume(ui);
    }
    keep(ui, NOTE_STEP);
    return true;
}

void course_close(struct ui *ui)
{
    struct course *course = &ui->course;
    if (course->player) {
        free(ui->journal);
        player_journal_mark(course->player);
        ui->journal = xstrdup(player_journal(course->player));
        player_close(course->player);
    }
    free(course->path);
    free(course->id);
    *course = (struct course){.player = NULL};
}

/* --- going through it --------------------------------------------------------------------------
 */

static void say_what_is_missing(struct ui *ui)
{
    const struct page *page = course_page(ui);
    struct str hint = STR_EMPTY;
    struct str show = STR_EMPTY;
    keymap_say(&ui->keymap, ACT_HINT, IN_LESSON, &hint);
    keymap_say(&ui->keymap, ACT_SHOW_ME, IN_LESSON, &show);
    bool question = page->question.kind != QUESTION_NONE && page->question.state == QUESTION_OPEN;
    const char *what = !question                                 ? "Do the task first"
                       : page->question.kind == QUESTION_CHOICE  ? "Choose with a digit first"
                       : page->question.kind == QUESTION_SEVERAL ? "Mark digits, then enter"
                                                                 : "Type your answer, then enter";
    ui_say(ui, STYLE_WARN, "%s; %s gives a hint, %s shows you.", what, str_text(&hint),
           str_text(&show));
    str_free(&hint);
    str_free(&show);
}

static void end_course(struct ui *ui)
{
    char title[ERR_TEXT_MAX + 8];
    struct str body = STR_EMPTY;
    snprintf(title, sizeof title, "%s: done", err_word(course_page(ui)->lesson_title, 64).text);
    keep(ui, NOTE_DONE);
    course_tell_end(ui, &body);
    ui->screen = SCREEN_HOME;
    screen_home_enter(ui);
    course_close(ui);
    screen_home_offer(ui, title, &body);
}

static void give_answer(struct ui *ui, const char *text)
{
    struct err err;
    if (!player_answer(ui->course.player, text, &err)) {
        ui_say_err(ui, &err);
    } else {
        prompt_set(&ui->course.field, "");
        ui->course.scroll = -1;
        ui->course.paused = ui->course.stepped = false; /* the run is to be seen */
    }
    course_changed(ui);
}

/* What was typed so far, or nothing: it was said aloud. */
static void give_explanation(struct ui *ui)
{
    char text[PROMPT_BYTES_MAX + 1];
    memcpy(text, ui->course.field.text, sizeof text);
    ui->course.focus = 0; /* where the points are marked */
    give_answer(ui, text);
}

void course_forward(struct ui *ui)
{
    struct err err;
    const struct page *page = course_page(ui);
    if (course_explains(page) && !*page->visiting) {
        give_explanation(ui);
        return;
    }
    if (page->running) { /* the learner has seen enough of it */
        if (!player_finish_run(ui->course.player, &err)) {
            ui_say_err(ui, &err);
        }
        course_changed(ui);
        return;
    }
    switch (player_forward(ui->course.player, &err)) {
    case PLAYER_MOVED:
        course_changed(ui);
        break;
    case PLAYER_ASKS:
        ui->course.field_left = false;
        say_what_is_missing(ui);
        break;
    case PLAYER_END:
        end_course(ui);
        break;
    case PLAYER_FAULT:
        course_changed(ui);
        ui_say_err(ui, &err);
        break;
    }
}

void course_back(struct ui *ui)
{
    if (!player_back(ui->course.player)) {
        ui_say(ui, STYLE_DIM, "This is the first step.");
    }
    course_changed(ui);
}

/* A point of the rubric was in what the learner said, or after all was not. The log keeps the last
 * word. */
static void toggle_point(struct ui *ui, size_t point)
{
    struct err err;
    if (!player_mark(ui->course.player, point, &err)) {
        ui_say_err(ui, &err);
        return;
    }
    ui->course.scroll = -1;
    keep(ui, NOTE_QUESTION);
    course_changed(ui);
}

/* Marks or unmarks a choice of a question with several answers; the marks are the field's text. */
static void toggle_choice(struct ui *ui, char digit)
{
    struct prompt *field = &ui->course.field;
    char text[2 * PAGE_CHOICES_MAX + 1];
    size_t length = 0;
    for (char d = '1'; d <= '9'; d++) {
        bool marked = strchr(field->text, d) != NULL;
        if (marked == (d != digit)) {
            text[length++] = d;
            text[length++] = ' ';
        }
    }
    text[length > 0 ? length - 1 : 0] = '\0';
    prompt_set(field, text);
}

void course_choose(struct ui *ui, uint32_t key)
{
    const struct page_question *q = &course_page(ui)->question;
    if (key < '1' || key > '9') {
        return;
    }
    if (q->kind == QUESTION_SEVERAL) {
        ui->course.focus = 0; /* where the marks are seen, and enter sends them */
    }
    if (key - '0' > q->choices) {
        ui_say(ui, STYLE_WARN, "There are %s 1 to %zu.",
               q->kind == QUESTION_EXPLAIN ? "points" : "choices", q->choices);
        return;
    }
    if (q->kind == QUESTION_EXPLAIN) {
        toggle_point(ui, (size_t)(key - '1'));
        return;
    }
    char text[2] = {(char)key, '\0'};
    if (q->kind == QUESTION_SEVERAL) {
        toggle_choice(ui, text[0]);
    } else {
        give_answer(ui, text);
    }
}

void course_answer(struct ui *ui)
{
    char text[PROMPT_BYTES_MAX + 1];
    memcpy(text, ui->course.field.text, sizeof text);
    if (!*text && !course_explains(course_page(ui))) {
        say_what_is_missing(ui);
        return;
    }
    give_answer(ui, text);
}

void course_hint(struct ui *ui)
{
    if (!player_hint(ui->course.player)) {
        ui_say(ui, STYLE_DIM, "There is no further hint.");
    }
    ui->course.scroll = -1;
    course_changed(ui);
}

void course_show_me(struct ui *ui)
{
    struct err err;
    if (!player_skip(ui->course.player, &err)) {
        ui_say_err(ui, &err);
    }
    prompt_set(&ui->course.field, "");
    ui->course.scroll = -1;
    ui->course.paused = ui->course.stepped = false;
    course_changed(ui);
}

void course_place(struct ui *ui)
{
    struct err err;
    if (!player_place(ui->course.player, &err)) {
        ui_say_err(ui, &err);
        return;
    }
    course_changed(ui);
    ui_say(ui, STYLE_MESSAGE,
           "All %zu right at the first try, and the lesson goes on further along.",
           course_page(ui)->steps);
}
