/*
 * lint_page: what a page shows, against 80x24 and against a screen without UTF-8.
 */
#include "lesson/lint_inside.h"
#include "lesson/measure_text.h"
#include <string.h>

#define PANE_COLUMNS 34     /* the text pane at 80x24 */
#define OPENING_ROWS_MAX 19 /* rows of that pane: what a step opens with is seen whole */
#define BLOCK_ROWS_MAX 60   /* what may be scrolled */

static void check_text(struct pass *a, const char *text, const char *what)
{
    uint32_t odd = text_odd_character(text);
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

static size_t block_rows(const struct page *page)
{
    const struct page_question *q = &page->question;
    size_t rows = text_rows(page->say, PANE_COLUMNS) + text_rows(page->after, PANE_COLUMNS) +
                  text_rows(page->task, PANE_COLUMNS) + text_rows(q->ask, PANE_COLUMNS) +
                  text_rows(q->feedback, PANE_COLUMNS) + text_rows(q->belief, PANE_COLUMNS);
    for (size_t i = 0; i < q->choices; i++) {
        rows += text_rows(q->choice[i].text, PANE_COLUMNS - 4); /* number and mark before it */
    }
    return rows;
}

/* What is there before the learner does anything: text, question or task, and what to press. */
static size_t opening_rows(const struct page *page)
{
    const struct page_question *q = &page->question;
    size_t rows = text_rows(page->say, PANE_COLUMNS) + 2;
    if (q->kind != QUESTION_NONE) {
        rows += 2 + text_rows(q->ask, PANE_COLUMNS) + (q->kind != QUESTION_CHOICE);
        for (size_t i = 0; i < q->choices; i++) {
            rows += text_rows(q->choice[i].text, PANE_COLUMNS - 5);
        }
    }
    if (page->task != NULL && page->task[0] != '\0') {
        rows += 1 + text_rows(page->task, PANE_COLUMNS - 2);
    }
    for (size_t i = 0; i < page->knobs; i++) {
        const struct page_knob *knob = &page->knob[i]; /* "tokens 16, of 1 16 100 256" */
        size_t length = strlen(knob->name) + strlen(knob->value) + strlen(knob->values) + 6;
        rows += (i == 0) + (length + PANE_COLUMNS - 1) / PANE_COLUMNS;
    }
    return rows;
}

void lint_rows(struct pass *a, const struct page *page)
{
    bool untouched = page->question.kind == QUESTION_NONE || page->question.state == QUESTION_OPEN;
    size_t opening = opening_rows(page), block = block_rows(page);
    if (untouched && opening > OPENING_ROWS_MAX) {
        lint_find(a, lint_line(a), LINT_ERROR,
                  "the step opens with %d rows at 80x24, %d fit: make it shorter, or two steps",
                  (int)opening, OPENING_ROWS_MAX);
    }
    if (block > BLOCK_ROWS_MAX && page->step < STEPS_SEEN_MAX && a->rows[page->step] == 0) {
        a->rows[page->step] = block;
        lint_find(a, lint_line(a), LINT_ERROR,
                  "the step's texts need more than %d rows at 80x24: make them shorter",
                  BLOCK_ROWS_MAX);
    }
}

/* What a picture of placement looks at must be there. */
void lint_pictures(struct pass *a, const struct page *page)
{
    static const char *const placed[] = {"ring", "ranges", "maglev", "rendezvous", "schemes"};
    for (size_t i = 0; i < page->shows; i++) {
        const char *view = page->show[i].view;
        for (size_t k = 0; k < sizeof placed / sizeof *placed && page->placings == 0; k++) {
            if (strcmp(view, placed[k]) == 0) {
                lint_find(a, lint_line(a), LINT_ERROR, "the picture '%s' needs 'placing'", view);
            }
        }
        if (strcmp(view, "table") == 0 && page->table == NULL) {
            lint_find(a, lint_line(a), LINT_ERROR, "the picture 'table' needs 'table'");
        }
        if (strcmp(view, "heat") == 0 && page->heat == NULL) {
            lint_find(a, lint_line(a), LINT_ERROR, "the picture 'heat' needs 'heat'");
        }
        if (strcmp(view, "layouts") == 0 && page->experiment == NULL) {
            lint_find(a, lint_line(a), LINT_ERROR, "the picture 'layouts' needs 'experiment'");
        }
    }
}
