/*
 * plain: a page in sentences. Headings start at the margin, what belongs to them is indented by
 * two.
 */
#include "view/plain.h"

#include "base/utf8.h"
#include "draw/prose.h"
#include "view/inside.h"
#include <stdio.h>
#include <string.h>

#define INDENT 2

static int width_of(int columns)
{
    return columns > 0 ? columns : 80;
}

static bool is_text(const char *text)
{
    return text != NULL && text[0] != '\0';
}

/* Markup whose first line starts with a word: "Right. ..." */
static void say_after(struct str *out, const char *word, const char *markup, int columns)
{
    struct str both = STR_EMPTY;
    str_addf(&both, "%s%s", word, markup != NULL ? markup : "");
    prose_plain(out, str_text(&both), width_of(columns), INDENT);
    str_free(&both);
}

/* A numbered or marked line: later lines stand under the text of the first. */
static void say_item(struct str *out, const char *mark, const char *markup, int columns)
{
    struct str text = STR_EMPTY;
    size_t before = out->length, hang = INDENT + (size_t)utf8_columns(mark, strlen(mark));
    prose_plain(&text, markup, width_of(columns), (int)hang);
    if (text.length > hang) {
        str_pad(out, ' ', INDENT);
        str_add(out, mark);
        str_add(out, str_text(&text) + hang);
    }
    if (out->length == before) { /* an item without words still has its mark */
        str_pad(out, ' ', INDENT);
        str_addf(out, "%s\n", mark);
    }
    str_free(&text);
}

void plain_heading(struct str *out, const struct scene *s)
{
    const struct page *page = s->page;
    struct str right = STR_EMPTY;
    str_addf(&right, "step %zu of %zu", page->step + 1, page->steps);
    if (s->world != NULL) {
        struct num_text clock = num_clock(world_now(s->world));
        size_t length = strlen(clock.text);
        if (length > 4 && strcmp(clock.text + length - 4, ".000") == 0) {
            clock.text[length - 4] = '\0';
        }
        str_addf(&right, ", %s", clock.text);
    }
    const char *title = is_text(page->step_title) ? page->step_title : page->lesson_title;
    title = title != NULL ? title : "";
    int used = utf8_columns(title, strlen(title));
    utf8_visible(out, title, strlen(title));
    int gap = 80 - used - (int)right.length;
    str_pad(out, ' ', (size_t)(gap < 2 ? 2 : gap));
    str_addf(out, "%s\n", str_text(&right));
    str_free(&right);
}

void plain_say(struct str *out, const struct scene *s, int columns)
{
    if (s->page->deeper) {
        str_add(out, "  (beyond the core path)\n");
    }
    if (is_text(s->page->say)) {
        prose_plain(out, s->page->say, width_of(columns), INDENT);
    }
}

/* How many choices are there to read. */
static size_t listed(const struct page_question *q)
{
    size_t choices = q->choices < PAGE_CHOICES_MAX ? q->choices : PAGE_CHOICES_MAX;
    return q->kind != QUESTION_EXPLAIN ? choices : 0;
}

void plain_question(struct str *out, const struct scene *s, int columns)
{
    const struct page_question *q = &s->page->question;
    if (q->kind == QUESTION_NONE) {
        return;
    }
    say_after(out, "Question: ", q->ask, columns);
    if (q->kind == QUESTION_EXPLAIN) {
        say_after(out, "(in your own words; you mark it yourself)", NULL, columns);
    }
    for (size_t i = 0; i < listed(q); i++) {
        char mark[8];
        (void)snprintf(mark, sizeof mark, "%zu  ", i + 1);
        say_item(out, mark, q->choice[i].text, columns);
    }
    if (q->state != QUESTION_OPEN) {
        return;
    }
    for (size_t i = 0; i < q->hints_shown && i < q->hints && i < PAGE_HINTS_MAX; i++) {
        say_item(out, "hint: ", q->hint[i], columns);
    }
}

/* "2 (about 3,400)": a digit alone means little in a transcript. */
static void add_chosen(struct str *out, const struct page_question *q)
{
    bool listed = q->kind == QUESTION_CHOICE || q->kind == QUESTION_SEVERAL;
    str_add(out, is_text(q->answer) ? q->answer : "none");
    if (!listed && is_text(q->unit)) {
        str_addf(out, " %s", q->unit);
    }
    if (q->kind != QUESTION_CHOICE) {
        return;
    }
    for (size_t i = 0; i < q->choices && i < PAGE_CHOICES_MAX; i++) {
        if (q->choice[i].chosen) {
            str_addf(out, ", %s", q->choice[i].text);
        }
    }
}

/* What was said, a good answer, and what of it the learner found in theirs. */
static void explanation(struct str *out, const struct page_question *q, int columns)
{
    size_t points = q->choices < PAGE_CHOICES_MAX ? q->choices : PAGE_CHOICES_MAX;
    size_t marked = 0;
    bool given = q->state == QUESTION_ANSWERED;
    for (size_t i = 0; i < points; i++) {
        marked += q->choice[i].chosen;
    }
    if (given) {
        say_after(out, "Your answer: ", is_text(q->answer) ? q->answer : "said aloud.", columns);
    } else {
        str_add(out, "  Skipped: it will come back.\n");
    }
    if (!q->judged) {
        return;
    }
    say_after(out, "A good answer: ", q->truth, columns);
    if (given) {
        str_addf(out, "  You mark it: %zu of %zu points were in yours.\n", marked, points);
    } else {
        str_add(out, "  Its points:\n");
    }
    for (size_t i = 0; i < points; i++) {
        char mark[16];
        (void)snprintf(mark, sizeof mark, given ? "%zu  [%s] " : "%zu  ", i + 1,
                       q->choice[i].chosen ? "x" : " ");
        say_item(out, mark, q->choice[i].text, columns);
    }
}

void plain_feedback(struct str *out, const struct scene *s, int columns)
{
    const struct page_question *q = &s->page->question;
    if (q->kind == QUESTION_NONE || q->state == QUESTION_OPEN) {
        return;
    }
    if (q->kind == QUESTION_EXPLAIN) {
        explanation(out, q, columns);
        return;
    }
    struct str text = STR_EMPTY;
    if (q->state == QUESTION_ANSWERED) {
        add_chosen(&text, q);
        say_after(out, "Your answer: ", str_text(&text), columns);
    } else {
        str_add(out, "  Skipped: it will come back.\n");
    }
    if (q->judged) {
        str_clear(&text);
        if (q->state == QUESTION_ANSWERED && q->right) {
            str_add(&text, "Right.");
        } else {
            const char *truth = is_text(q->truth) ? q->truth : "unknown";
            str_addf(&text, "%s%s%s",
                     q->state == QUESTION_ANSWERED ? "Not so. It is: " : "It is: ", truth,
                     truth[strlen(truth) - 1] == '.' ? "" : ".");
        }
        say_after(out, str_text(&text), NULL, columns);
        if (is_text(q->feedback)) {
            prose_plain(out, q->feedback, width_of(columns), INDENT);
        }
        if (!q->right && is_text(q->belief)) {
            str_clear(&text);
            str_addf(&text, "\"%s\".", q->belief);
            say_after(out, "The belief behind it: ", str_text(&text), columns);
        }
    }
    str_free(&text);
}

void plain_after(struct str *out, const struct scene *s, int columns)
{
    if (is_text(s->page->after)) {
        prose_plain(out, s->page->after, width_of(columns), INDENT);
    }
}

void plain_task(struct str *out, const struct scene *s, int columns)
{
    const struct page *page = s->page;
    if (!is_text(page->task)) {
        return;
    }
    if (page->task_met) {
        say_after(out, "Done: ", page->task, columns);
        return;
    }
    if (page->task_skipped) {
        say_after(out, "Done for you: ", page->task, columns);
        return;
    }
    say_after(out, "Try: ", page->task, columns);
    for (size_t i = 0; i < page->task_hints_shown && i < page->task_hints && i < PAGE_HINTS_MAX;
         i++) {
        say_item(out, "hint: ", page->task_hint[i], columns);
    }
}

/* One told line, indented; what does not fit goes on, deeper, in the next. */
static void add_told_line(struct str *out, const char *text, size_t length, int columns)
{
    struct str line = STR_EMPTY, wrapped = STR_EMPTY;
    str_addn(&line, text, length);
    view_add_wrapped(&wrapped, str_text(&line), width_of(columns) - INDENT, INDENT);
    for (const char *at = str_text(&wrapped); *at != '\0';) {
        size_t part = strcspn(at, "\n") + 1;
        str_pad(out, ' ', INDENT);
        str_addn(out, at, part);
        at += part;
    }
    if (wrapped.length == 0) {
        str_addc(out, '\n');
    }
    str_free(&line);
    str_free(&wrapped);
}

void plain_pictures(struct str *out, const struct scene *s, int columns)
{
    size_t shows = s->page->shows < PAGE_SHOWS_MAX ? s->page->shows : PAGE_SHOWS_MAX;
    for (size_t i = 0; i < shows; i++) {
        const struct page_show *show = &s->page->show[i];
        const struct view *view = view_by_name(show->view);
        bool elsewhere = s->page->visiting != NULL && *s->page->visiting != '\0' && shows > 1;
        if (view == NULL || (view == &view_table && elsewhere)) {
            continue; /* a lesson that names no view does not load; of an open row's run the table
                       * says nothing */
        }
        struct view_state state = {.argument = show->argument};
        struct str told = STR_EMPTY;
        view->tell(&told, s, &state);
        str_addf(out, "%s:\n", view->title);
        for (const char *at = str_text(&told); *at != '\0';) {
            size_t length = strcspn(at, "\n");
            add_told_line(out, at, length, columns);
            at += length + (at[length] == '\n');
        }
        str_free(&told);
    }
}
