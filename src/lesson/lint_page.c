/*
 * lint_page: what a page shows, against 80x24 and against a screen without UTF-8.
 */
#include "lesson/lint_inside.h"
#include "lesson/measure_text.h"
#include <string.h>

#define OPENING_ROWS_MAX 19 /* of the text pane at 80x24: what a step opens with is seen whole */
#define BLOCK_ROWS_MAX 60   /* what may be scrolled */

static void check_text(struct pass *a, const char *text, const char *what)
{
    uint32_t odd = text != NULL ? text_odd_character(text) : 0;
    if (odd != 0) {
        lint_find(a, lint_line(a), LINT_ERROR,
                  "%s has the character U+%04X, which a screen without UTF-8 cannot show", what,
                  (unsigned)odd);
    }
    lint_terms_check(a, text, what);
}

void lint_texts(struct pass *a, const struct page *page)
{
    const struct page_question *q = &page->question;
    check_text(a, page->step_title, "title");
    check_text(a, page->say, "say");
    check_text(a, page->after, "after");
    check_text(a, page->task, "the task");
    check_text(a, q->ask, "ask");
    check_text(a, q->feedback, "an explanation");
    check_text(a, q->kind == QUESTION_EXPLAIN ? q->truth : NULL, "the model answer");
    for (size_t i = 0; i < q->choices; i++) {
        check_text(a, q->choice[i].text, "a choice");
    }
    for (size_t i = 0; i < q->hints; i++) {
        check_text(a, q->hint[i], "a hint");
    }
    for (size_t i = 0; i < page->task_hints; i++) {
        check_text(a, page->task_hint[i], "a hint");
    }
    for (size_t i = 0; page->table != NULL && i < page->table->columns; i++) {
        check_text(a, page->table->column[i], "a table's heading");
    }
    for (size_t i = 0; page->table != NULL && i < page->table->rows; i++) {
        for (size_t k = 0; k < page->table->columns; k++) {
            check_text(a, page->table->row[i].cell[k], "a table's cell");
        }
    }
}

/* The page as it is before the learner does anything. */
static struct page as_opened(const struct pass *a, const struct page *page)
{
    const struct step *s = &a->p->step[a->p->current];
    struct page open = *page;
    struct page_question *q = &open.question;
    bool asked = q->kind != QUESTION_NONE;
    q->state = QUESTION_OPEN;
    q->judged = false;
    q->hints_shown = open.task_hints_shown = 0;
    for (size_t i = 0; i < q->choices; i++) {
        q->choice[i].chosen = false;
    }
    open.task_met = open.task_skipped = open.replays = false;
    open.running = s->has_run && !asked;
    open.after = asked || s->has_run ? "" : page->after;
    return open;
}

void lint_rows(struct pass *a, const struct page *page)
{
    if (a->rows_of == NULL) {
        return;
    }
    struct page open = as_opened(a, page);
    int opening = a->rows_of(&open);
    if (opening > OPENING_ROWS_MAX) {
        lint_find(a, lint_line(a), LINT_ERROR,
                  "the step opens with %d rows at 80x24, %d fit: make it shorter, or two steps",
                  opening, OPENING_ROWS_MAX);
    }
    size_t step = a->p->current;
    if (a->rows_of(page) > BLOCK_ROWS_MAX && step < STEPS_SEEN_MAX && !a->long_texts[step]) {
        a->long_texts[step] = true;
        lint_find(a, lint_line(a), LINT_ERROR,
                  "the step's texts need more than %d rows at 80x24: make them shorter",
                  BLOCK_ROWS_MAX);
    }
}

/* Question, good answer and points are there to be compared: in sight, all at once. */
static void explanation_fits(struct pass *a, const struct page *page)
{
    struct page given = *page;
    given.say = "";
    given.deeper = false;
    int rows = a->rows_of != NULL ? a->rows_of(&given) : 0;
    if (rows > OPENING_ROWS_MAX - 1) { /* a line says that there is more above */
        lint_find(a, lint_line(a), LINT_ERROR,
                  "question '%s': once it is said, the good answer and its points need %d rows at "
                  "80x24, %d fit: make them shorter",
                  page->question.id, rows, OPENING_ROWS_MAX - 1);
    }
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\n")] == '\0';
}

void lint_explanation(struct pass *a, const struct page *page)
{
    const struct page_question *q = &page->question;
    struct err err = {""};
    if (is_blank(q->truth)) {
        lint_find(a, lint_line(a), LINT_ERROR, "question '%s': its model answer is empty", q->id);
    }
    for (size_t i = 0; i < q->choices; i++) {
        if (is_blank(q->choice[i].text)) {
            lint_find(a, lint_line(a), LINT_ERROR, "question '%s': point %d of its rubric is empty",
                      q->id, (int)i + 1);
        }
        if (a->answers == ANSWERS_RIGHT && q->state == QUESTION_ANSWERED &&
            !player_mark(a->p, i, &err)) {
            lint_error(a->report, a->path, err.text);
        }
    }
    explanation_fits(a, page);
}
