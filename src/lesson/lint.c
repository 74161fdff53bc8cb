/*
 * lint: plays the lesson, rightly and wrongly, and looks at every page it shows.
 */
#include "lesson/lint.h"
#include "base/alloc.h"
#include "base/utf8.h"
#include "lesson/lint_inside.h"
#include "lesson/measure_text.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_A_MINUTE 180
#define PICTURE_SECONDS 8
#define READ_MAX_SECONDS 60
#define CORE_MAX_SECONDS 720
#define ANSWER_SECONDS 5   /* to commit, beyond reading */
#define EXPLAIN_SECONDS 20 /* to say it in one's own words */
#define RUN_SECONDS 3      /* to watch a run */
#define DRILL_SEEDS 5
#define WRONG_MAX 16

/* --- findings --- */

static void add(struct lint_report *r, const char *file, int line, enum lint_severity severity,
                const char *message)
{
    for (size_t i = 0; i < r->count; i++) {
        if (r->finding[i].line == line && strcmp(r->finding[i].message, message) == 0) {
            return;
        }
    }
    r->finding = xrealloc(r->finding, r->count + 1, sizeof *r->finding);
    r->finding[r->count++] = (struct lint_finding){xstrdup(file), line, severity, xstrdup(message)};
    r->errors += severity == LINT_ERROR;
}

void lint_find(struct pass *a, int line, enum lint_severity severity, const char *format, ...)
{
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    add(a->report, a->path, line, severity, message);
}

/* The name as errors show it: it may be cut, and what a screen cannot show is spelled out. */
static void shown_name(struct str *out, const char *path)
{
    struct str name = STR_EMPTY;
    sandbox_name(&name, path);
    utf8_visible(out, str_text(&name), name.length);
    str_free(&name);
}

/* "NAME:12: what" as a finding at line 12, without what is said to a learner; what has no line is
 * about the file: line 1. */
void lint_error(struct lint_report *r, const char *path, const char *text)
{
    struct str name = STR_EMPTY;
    shown_name(&name, path);
    int line = 1;
    const char *number = NULL;
    for (const char *at = text; number == NULL && (at = strstr(at, str_text(&name))) != NULL;
         at++) {
        number = sandbox_placed(at, str_text(&name));
    }
    str_free(&name);
    if (number != NULL) {
        char *end = NULL;
        line = (int)strtol(number, &end, 10);
        text = end + 1 + (end[1] == ' ');
    }
    char *what = xstrdup(text);
    char *learner = strstr(what, " (the step was undone");
    if (learner != NULL) {
        *learner = '\0';
    }
    add(r, path, line > 0 ? line : 1, LINT_ERROR, what);
    free(what);
}

int lint_line(const struct pass *a)
{
    int line = a->p->step[a->p->current].line;
    return line > 0 ? line : 1; /* an id that is computed stands nowhere */
}

/* --- time --- */

static int pictures(const struct page *page, const struct page *before)
{
    int fresh = 0;
    for (size_t i = 0; i < page->shows; i++) {
        bool seen = false;
        for (size_t k = 0; before != NULL && k < before->shows; k++) {
            seen = seen || strcmp(page->show[i].view, before->show[k].view) == 0;
        }
        fresh += !seen;
    }
    return fresh;
}

static void read_on(struct pass *a, const struct page *page, size_t words, int seconds)
{
    int thirds = (int)words * (3 * 60 / WORDS_A_MINUTE) + seconds * 3;
    a->reading += thirds;
    a->core += page->deeper ? 0 : thirds;
}

/* Words a minute are 180: a word is a third of a second. */
static void commit(struct pass *a, const struct page *page)
{
    int seconds = (a->reading + 2) / 3;
    struct lint_report *r = a->report;
    r->longest_read_seconds = seconds > r->longest_read_seconds ? seconds : r->longest_read_seconds;
    if (seconds > READ_MAX_SECONDS) {
        lint_find(
            a, lint_line(a), LINT_ERROR,
            "%d seconds of reading since the last commitment; at most %d: ask something earlier",
            seconds, READ_MAX_SECONDS);
    }
    a->reading = 0;
    r->commitments++;
    r->core_commitments += !page->deeper;
    bool explains = page->question.kind == QUESTION_EXPLAIN;
    a->core += page->deeper ? 0 : (explains ? EXPLAIN_SECONDS : ANSWER_SECONDS) * 3;
}

static void time_before(struct pass *a, const struct page *page)
{
    const struct page *before = page->step > 0 ? &a->p->step[page->step - 1].page : NULL;
    const struct page_question *q = &page->question;
    size_t words = text_words(page->say) + text_words(q->ask);
    for (size_t i = 0; i < q->choices && q->kind != QUESTION_EXPLAIN; i++) {
        words += text_words(q->choice[i].text);
    }
    if (q->kind == QUESTION_NONE) {
        words += text_words(page->task);
    }
    read_on(a, page, words, PICTURE_SECONDS * pictures(page, before));
}

static void time_after(struct pass *a, const struct page *page)
{
    const struct page_question *q = &page->question;
    size_t words = text_words(page->after) + text_words(q->feedback);
    for (size_t i = 0; i < q->choices && q->kind == QUESTION_EXPLAIN; i++) {
        words += text_words(q->choice[i].text);
    }
    words += q->kind == QUESTION_EXPLAIN ? text_words(q->truth) : 0;
    words += q->kind != QUESTION_NONE ? text_words(page->task) : 0;
    read_on(a, page, words, 0);
}

/* --- questions and tasks --- */

static void judge_page(struct pass *a, const struct page *page, const char *answer)
{
    const struct page_question *q = &page->question;
    if (!q->judged) {
        lint_find(a, lint_line(a), LINT_ERROR, "question '%s' was not judged after the run", q->id);
    } else if (q->kind == QUESTION_EXPLAIN) {
        lint_explanation(a, page);
    } else if (q->right != (a->answers == ANSWERS_RIGHT)) {
        lint_find(a, lint_line(a), LINT_ERROR, "question '%s': the answer '%.60s' is judged %s",
                  q->id, answer, q->right ? "right, and it is wrong" : "wrong, and it is right");
    } else if (q->feedback[0] == '\0') {
        lint_find(a, lint_line(a), LINT_WARNING,
                  "question '%s': the answer '%.60s' gets no explanation", q->id, answer);
    }
}

/* An answer whose run is over, or that comes in place of such a one; and what the page then says.
 */
static void try_answer(struct pass *a, const char *answer, bool instead)
{
    const struct page *page = player_page(a->p);
    struct err err = {""};
    bool good = instead ? player_answer_instead(a->p, answer, &err)
                        : player_answer(a->p, answer, &err) && player_finish_run(a->p, &err);
    if (good) {
        judge_page(a, page, answer);
        lint_texts(a, page);
        lint_rows(a, page);
        return;
    }
    lint_error(a->report, a->path, err.text);
    if (page->question.state == QUESTION_OPEN) {
        player_skip(a->p, NULL); /* its fault was reported just now */
    }
}

/* Only the run is wanted. */
static void skip_question(struct pass *a)
{
    struct err err = {""};
    if (!player_skip(a->p, &err) || !player_finish_run(a->p, &err)) {
        lint_error(a->report, a->path, err.text);
    }
}

/* Every mistake; the last one is the answer that stays. */
static void answer_wrongly(struct pass *a)
{
    struct str answer[WRONG_MAX] = {STR_EMPTY};
    size_t count = 0;
    while (count < WRONG_MAX && player_wrong_answer(a->p, count, &answer[count], NULL)) {
        count++;
    }
    for (size_t i = 0; i < count; i++) {
        try_answer(a, str_text(&answer[i]), i > 0);
    }
    if (count == 0) {
        skip_question(a);
    }
    for (size_t i = 0; i < WRONG_MAX; i++) {
        str_free(&answer[i]);
    }
}

static void answer_question(struct pass *a)
{
    struct err err = {""};
    struct str answer = STR_EMPTY;
    if (a->answers == ANSWERS_NONE) {
        skip_question(a);
    } else if (a->answers == ANSWERS_WRONG) {
        answer_wrongly(a);
    } else if (player_right_answer(a->p, &answer, &err)) {
        try_answer(a, str_text(&answer), false);
    } else {
        lint_error(a->report, a->path, err.text);
        player_skip(a->p, NULL);
    }
    str_free(&answer);
}

static void check_question(struct pass *a)
{
    const struct page *page = player_page(a->p);
    if (a->first) {
        a->report->questions++;
        if (page->question.hints != PAGE_HINTS_MAX && page->question.kind != QUESTION_EXPLAIN) {
            lint_find(a, lint_line(a), LINT_WARNING,
                      "question '%s' has %d hints; three help: where to look, the rule, the step",
                      page->question.id, (int)page->question.hints);
        }
        commit(a, page);
    }
    answer_question(a);
    if (a->first) {
        time_after(a, page);
    }
}

static void check_task(struct pass *a)
{
    const struct page *page = player_page(a->p);
    struct err err = {""};
    const struct step *s = &a->p->step[a->p->current];
    if (page->task_met) {
        lint_find(a, lint_line(a), LINT_ERROR, "step '%s': the goal holds before the learner acts",
                  page->step_id);
        return;
    }
    if (a->first) {
        a->report->tasks++;
        commit(a, page);
    }
    if (!opened_possible(a->p)) {
        lint_find(a, lint_line(a), LINT_ERROR,
                  "step '%s': nothing in the %s is what its task wants opened (%s)", page->step_id,
                  strcmp(s->opened, "why") == 0   ? "trace"
                  : strcmp(s->opened, "row") == 0 ? "table"
                                                  : "world",
                  s->opened_of != NULL ? s->opened_of : s->opened);
    }
    if (!page->task_skipped && !player_skip(a->p, &err)) {
        lint_error(a->report, a->path, err.text);
    } else {
        opened_again(a->p);
    }
}

/* Acts of the solution that arrange something: all but requests. */
static size_t arranging_acts(struct pass *a)
{
    size_t acts = 0;
    if (player_job(a->p, PHASE_READ, task_solution, a->p, NULL)) {
        for (const char *line = str_text(&a->p->text); *line != '\0';) {
            size_t length = strcspn(line, "\n");
            acts += !str_starts(line, "request ");
            line += length + (line[length] == '\n');
        }
    }
    return acts;
}

/* What the learner does on this step: see struct lint_report. */
static void count_doing(struct pass *a, const struct page *page)
{
    struct lint_report *r = a->report;
    const struct step *s = &a->p->step[a->p->current];
    bool does = s->has_task && s->opened == NULL;
    bool builds = does && (s->builds || arranging_acts(a) > 1);
    r->presenting += s->kind == QUESTION_EXPLAIN;
    r->responding += s->kind != QUESTION_EXPLAIN && s->kind != QUESTION_NONE;
    r->constructing += builds;
    r->changing += !builds && (does || page->knobs > 0);
}

/* --- knobs and pictures of placement --- */

/* Each knob to each of its values and back: texts and placings are made anew every time. */
static void turn_knobs(struct pass *a)
{
    struct err err = {""};
    const struct page *page = player_page(a->p);
    for (size_t i = 0; i < page->knobs; i++) {
        char *name = xstrdup(page->knob[i].name), *start = xstrdup(page->knob[i].value);
        char *all = xstrdup(page->knob[i].values), *rest = NULL;
        for (char *value = strtok_r(all, " ", &rest); value != NULL;
             value = strtok_r(NULL, " ", &rest)) {
            if (!player_turn(a->p, name, value, &err)) {
                lint_error(a->report, a->path, err.text);
            }
            lint_texts(a, page);
            lint_rows(a, page);
        }
        player_turn(a->p, name, start, NULL);
        free(all);
        free(start);
        free(name);
    }
}

/* --- passes --- */

static void visit(struct pass *a, const struct pass *earlier)
{
    const struct page *page = player_page(a->p);
    size_t step = page->step;
    struct err err = {""};
    if (step < STEPS_SEEN_MAX) {
        a->entry[step] = a->p->step[step].entry != NULL ? world_digest(a->p->step[step].entry)
                                                        : player_digest(a->p);
        if (earlier != NULL && !digest_equal(a->entry[step], earlier->entry[step])) {
            lint_find(a, lint_line(a), LINT_ERROR, "step '%s' begins differently in a second run",
                      page->step_id);
        }
    }
    a->steps++;
    if (step < STEPS_SEEN_MAX) {
        a->seen->step[step] = true;
    }
    lint_rows(a, page);
    if (a->first) {
        count_doing(a, page);
    }
    if (a->first && !page->deeper && a->p->step[step].has_run) {
        a->core += RUN_SECONDS * 3;
    }
    if (!player_finish_run(a->p, &err)) {
        lint_error(a->report, a->path, err.text);
    }
    if (a->first) {
        time_before(a, page);
    }
    if (page->question.kind != QUESTION_NONE && page->question.state == QUESTION_OPEN) {
        check_question(a);
    } else if (a->first) {
        read_on(a, page, text_words(page->after), 0);
    }
    if (page->task[0] != '\0') {
        check_task(a);
    }
    if (page->table != NULL && (a->first || a->answers == ANSWERS_NONE)) {
        lint_table(a);
    }
    lint_texts(a, page);
    lint_rows(a, page);
    lint_pictures(a, page);
    if (a->first) {
        turn_knobs(a);
    }
}

static void walk(struct pass *a, const struct pass *earlier)
{
    for (size_t turns = 0; turns < 4 * a->p->steps; turns++) {
        struct err err = {""};
        if (!a->p->step[a->p->current].broken && a->p->current >= a->steps) {
            a->steps =
                a->p->current; /* steps that were passed over count as reached, with a fault */
            visit(a, earlier);
        }
        enum player_next next = player_forward(a->p, &err);
        if (next == PLAYER_FAULT) {
            lint_error(a->report, a->path, err.text);
        } else if (next == PLAYER_ASKS) {
            player_skip(a->p, NULL); /* what is in the way was reported in visit */
        } else if (next == PLAYER_END) {
            return;
        }
    }
    lint_find(a, 1, LINT_ERROR, "the last step is not reached");
}

static void check_back(struct pass *a)
{
    while (player_back(a->p)) {
        size_t step = a->p->current;
        if (a->p->world[0] != NULL && step < STEPS_SEEN_MAX &&
            !digest_equal(player_digest(a->p), a->entry[step])) {
            lint_find(a, lint_line(a), LINT_ERROR,
                      "stepping back to '%s' does not give its beginning", a->p->step[step].id);
        }
    }
}

/* Opens, walks and closes. False when it does not open. */
static bool play(struct pass *a, uint64_t seed, const struct pass *earlier)
{
    struct err err = {""};
    a->p = player_open(a->path, seed, &err);
    if (a->p == NULL) {
        lint_error(a->report, a->path, err.text);
        return false;
    }
    a->p->pass_max = PASS_EVENTS_MAX;
    if (player_fault(a->p, &err)) {
        lint_error(a->report, a->path, err.text);
    }
    a->report->steps = a->p->steps;
    walk(a, earlier);
    if (a->first) {
        lint_card(a);
    }
    if (a->first) {
        commit(a, player_page(a->p)); /* the end is none, but what was read before it counts */
        a->report->commitments--;
        a->report->core_commitments -= !player_page(a->p)->deeper;
        a->report->core_seconds = (a->core + 2) / 3;
    }
    if (a->first && a->report->core_seconds > CORE_MAX_SECONDS) {
        lint_find(a, 1, LINT_ERROR,
                  "the core path takes %d seconds; at most %d: mark steps as deeper",
                  a->report->core_seconds, CORE_MAX_SECONDS);
    }
    if (earlier != NULL) {
        check_back(a);
    }
    return true;
}

/* `as`: what all passes share. */
static void check_seed(const struct pass *as, uint64_t seed, bool *drill)
{
    struct pass *right = xcalloc(1, sizeof *right), *again = xcalloc(1, sizeof *again);
    *right = *as;
    *again = *as;
    right->first = seed == 1;
    if (play(right, seed, NULL)) {
        *drill = right->p->drill;
        bool heavy = right->p->pass_events >= PASS_EVENTS_MAX;
        player_close(right->p);
        if (!heavy && play(again, seed, right)) {
            player_close(again->p);
        }
        for (int n = ANSWERS_NONE; n <= ANSWERS_WRONG && !heavy; n++) {
            *again = *as;
            again->answers = (enum pass_answers)n;
            if (play(again, seed, NULL)) {
                player_close(again->p);
            }
        }
    }
    free(right);
    free(again);
}

/* A step that no pass came to was judged by nobody. */
static void tell_unseen(const struct pass *as)
{
    struct pass a = *as;
    a.p = player_open(as->path, 1, NULL);
    for (size_t i = 0; a.p != NULL && i < a.p->steps && i < STEPS_SEEN_MAX; i++) {
        if (a.p->step[i].has_when && !a.seen->step[i]) {
            lint_find(&a, a.p->step[i].line, LINT_WARNING,
                      "step '%s' is never reached: its 'when' held neither with right answers nor "
                      "with wrong or no ones",
                      a.p->step[i].id);
        }
    }
    if (a.p != NULL) {
        player_close(a.p);
    }
}

static int by_line(const void *a, const void *b)
{
    const struct lint_finding *x = a, *y = b;
    return x->line != y->line ? (x->line < y->line ? -1 : 1) : strcmp(x->message, y->message);
}

struct lint_report *lesson_check_as(const char *path, const struct lint_wish *wish)
{
    struct lint_report *r = xcalloc(1, sizeof *r);
    struct glossary *terms = lint_glossary(r, path, wish->glossary);
    bool drill = false;
    struct pass *as = xcalloc(1, sizeof *as);
    *as = (struct pass){.report = r, .path = path, .terms = terms, .rows_of = wish->rows};
    as->seen = xcalloc(1, sizeof *as->seen);
    check_seed(as, 1, &drill);
    for (uint64_t seed = 2; drill && seed <= DRILL_SEEDS; seed++) {
        check_seed(as, seed, &drill);
    }
    if (r->errors == 0) {
        tell_unseen(as);
    }
    free(as->seen);
    free(as);
    if (drill) {
        lint_seeds(r, path, wish);
    } else {
        lint_placement(r, path, wish);
    }
    glossary_free(terms);
    if (r->count > 0) {
        qsort(r->finding, r->count, sizeof *r->finding, by_line);
    }
    return r;
}

struct lint_report *lesson_check(const char *path)
{
    return lesson_check_as(path, &(struct lint_wish){.seeds = LINT_SEEDS});
}

void lint_report_free(struct lint_report *r)
{
    if (r == NULL) {
        return;
    }
    for (size_t i = 0; i < r->count; i++) {
        free(r->finding[i].file);
        free(r->finding[i].message);
    }
    free(r->finding);
    free(r);
}
