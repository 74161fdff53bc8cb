/*
 * course_end: what a learner made of a lesson, from the answers that its steps keep. See ui.h.
 */
#include "app/ui.h"
#include <string.h>

#define BELIEFS_MAX 64
#define BELIEFS_TOLD 9 /* so that the box needs no scrolling at 80x24 */

struct tally {
    size_t questions, right, shown;
    size_t told, points, marked; /* explanations, their points, and those marked by the learner */
    size_t placed;               /* steps that the placement check passed over */
    struct bytes belief[BELIEFS_MAX]; /* borrowed from the pages */
    size_t beliefs;
};

static void add_belief(struct tally *t, struct bytes belief)
{
    for (size_t i = 0; i < t->beliefs; i++) {
        if (bytes_equal(t->belief[i], belief)) {
            return;
        }
    }
    if (t->beliefs < BELIEFS_MAX) {
        t->belief[t->beliefs++] = belief;
    }
}

/* "one; another" */
static void add_beliefs(struct tally *t, const char *text)
{
    while (*text) {
        const char *end = strstr(text, "; ");
        size_t length = end ? (size_t)(end - text) : strlen(text);
        add_belief(t, (struct bytes){text, length});
        text += length + (end ? 2 : 0);
    }
}

static void add_explanation(struct tally *t, const struct page_question *q)
{
    if (q->state != QUESTION_ANSWERED) {
        return;
    }
    t->told++;
    t->points += q->choices;
    for (size_t i = 0; i < q->choices; i++) {
        t->marked += q->choice[i].chosen;
    }
}

static struct tally count(const struct ui *ui)
{
    struct tally t = {0};
    for (size_t step = 0; step < course_page(ui)->steps; step++) {
        const struct page *page = player_page_at(ui->course.player, step);
        t.placed += page && page->placed;
        if (!page || page->placed || page->question.kind == QUESTION_NONE ||
            !page->question.judged) {
            continue;
        }
        const struct page_question *q = &page->question;
        if (q->kind == QUESTION_EXPLAIN) { /* nobody judged it: it is no score */
            add_explanation(&t, q);
            continue;
        }
        t.questions++;
        t.right += q->right;
        t.shown += q->state == QUESTION_SKIPPED;
        if (q->state == QUESTION_ANSWERED && !q->right) {
            add_beliefs(&t, q->belief);
        }
    }
    return t;
}

/* A script's screens are the same whenever it runs. */
static void tell_time(const struct ui *ui, struct str *out)
{
    int64_t seconds = options_now(&ui->options) - ui->course.opened;
    if (ui->course.drill && !ui->options.script && seconds >= 0) {
        str_addf(out, "It took %lld:%02lld minutes.\n\n", (long long)(seconds / 60),
                 (long long)(seconds % 60));
    }
}

void course_tell_end(const struct ui *ui, struct str *out)
{
    struct tally t = count(ui);
    if (t.questions > 0) {
        str_addf(out, "*%zu of %zu questions* right at the first try", t.right, t.questions);
        if (t.shown > 0) {
            str_addf(out, ", %zu shown to you", t.shown);
        }
        str_add(out, ".\n\n");
    }
    tell_time(ui, out);
    if (t.told > 0) {
        str_addf(out,
                 "Explained in your words: %zu. Points in it, as marked by you: %zu of %zu.\n\n",
                 t.told, t.marked, t.points);
    }
    if (t.placed > 0) {
        str_addf(out, "You knew what %zu steps teach, and passed over them.\n\n", t.placed);
    }
    if (t.beliefs > 0) {
        str_add(out, "Beliefs that came up:\n\n");
    }
    for (size_t i = 0; i < t.beliefs && i < BELIEFS_TOLD; i++) { /* two blanks: a line of its own */
        str_addf(out, "  \"%.*s\"\n", (int)t.belief[i].length, t.belief[i].at);
    }
    if (t.beliefs > BELIEFS_TOLD) {
        str_addf(out, "  and %zu more\n", t.beliefs - BELIEFS_TOLD);
    }
    str_addc(out, '\n');
}
