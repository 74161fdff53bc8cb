/*
 * lint_drill: what a drill asks, over many seeds: each question is put, run and judged once, and
 * its grader is tried with the right answer in all its spellings and with what is not right.
 */
#include "base/alloc.h"
#include "base/num.h"
#include "lesson/lint_inside.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUESTIONS_MAX 32
#define SEEDS_TO_TELL 20 /* below that, what is always so may be chance */
#define STEPS_OF_DRILL_MAX 40
#define EVENTS_A_SEED 200000 /* some 20 ms */

/* One question over all seeds. */
struct tally {
    char *id;
    int line;
    uint64_t asked;
    uint64_t at[PAGE_CHOICES_MAX]; /* how often each choice was right */
    size_t choices;
    uint64_t differs; /* from the first answer */
    uint64_t shown;   /* the answer stood in the question, typed */
    char *first;
};

struct check {
    struct pass pass;
    uint64_t seed;
    struct tally tally[QUESTIONS_MAX];
    size_t tallies;
    uint64_t events; /* of the engine, all seeds */
};

static void __attribute__((format(printf, 2, 3))) fault(struct check *c, const char *format, ...)
{
    char what[300];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    const struct page_question *q = &player_page(c->pass.p)->question;
    lint_find(&c->pass, lint_line(&c->pass), LINT_ERROR, "question '%s', seed %llu: %s", q->id,
              (unsigned long long)c->seed, what);
}

static struct tally *tally_of(struct check *c, const struct page_question *q)
{
    for (size_t i = 0; i < c->tallies; i++) {
        if (strcmp(c->tally[i].id, q->id) == 0) {
            return &c->tally[i];
        }
    }
    if (c->tallies == QUESTIONS_MAX) {
        return NULL;
    }
    c->tally[c->tallies] = (struct tally){.id = xstrdup(q->id), .line = lint_line(&c->pass)};
    return &c->tally[c->tallies++];
}

/* --- the grader --- */

/* Whether somebody who types this is graded right; a text that is no answer is not. */
static bool accepts(const struct page_question *q, const struct verdict *v, const char *typed)
{
    struct str answer = STR_EMPTY;
    bool right = answer_read(q, typed, &answer, NULL) && verdict_right(v, str_text(&answer));
    str_free(&answer);
    return right;
}

static void must_accept(struct check *c, const struct verdict *v, const char *typed)
{
    if (!accepts(&player_page(c->pass.p)->question, v, typed)) {
        fault(c, "'%.60s' is right and is not accepted", typed);
    }
}

static void must_refuse(struct check *c, const struct verdict *v, const char *typed)
{
    if (accepts(&player_page(c->pass.p)->question, v, typed)) {
        fault(c, "'%.60s' is not right and is accepted", typed);
    }
}

static void spell(struct check *c, const struct verdict *v, const char *format, const char *text)
{
    struct str typed = STR_EMPTY;
    for (; *format != '\0'; format++) {
        if (*format == '%') {
            str_add(&typed, text);
        } else {
            str_addc(&typed, *format);
        }
    }
    must_accept(c, v, str_text(&typed));
    str_free(&typed);
}

static void try_number(struct check *c, const struct verdict *v)
{
    const char *unit = player_page(c->pass.p)->question.unit;
    struct str typed = STR_EMPTY;
    bool whole = v->number == floor(v->number) && v->tolerance == floor(v->tolerance);
    spell(c, v, "%", str_text(&v->truth));
    spell(c, v, "  % ", str_text(&v->truth));
    if (v->number == floor(v->number)) {
        spell(c, v, "%", num_grouped((int64_t)v->number).text);
    }
    if (unit != NULL && unit[0] != '\0') {
        str_addf(&typed, "%s %s", str_text(&v->truth), unit);
        must_accept(c, v, str_text(&typed));
    }
    double step = whole ? 1 : v->tolerance > 0 ? v->tolerance / 4 : fabs(v->number) / 50 + 0.01;
    for (int side = -1; side <= 1; side += 2) {
        str_clear(&typed);
        answer_say(&typed, v->number + side * (v->tolerance + step));
        must_refuse(c, v, str_text(&typed));
        if (v->tolerance > 0) {
            str_clear(&typed);
            answer_say(&typed, v->number + side * v->tolerance);
            must_accept(c, v, str_text(&typed));
        }
    }
    must_refuse(c, v, "");
    must_refuse(c, v, "many");
    str_free(&typed);
}

static void try_text(struct check *c, const struct verdict *v)
{
    struct str typed = STR_EMPTY;
    spell(c, v, "%", str_text(&v->truth));
    spell(c, v, " %  ", str_text(&v->truth));
    for (const char *at = str_text(&v->truth); *at != '\0'; at++) {
        str_addc(&typed, *at >= 'A' && *at <= 'Z'   ? (char)(*at - 'A' + 'a')
                         : *at >= 'a' && *at <= 'z' ? (char)(*at - 'a' + 'A')
                                                    : *at);
    }
    must_accept(c, v, str_text(&typed));
    str_addc(&typed, '1');
    must_refuse(c, v, str_text(&typed));
    str_clear(&typed);
    str_addn(&typed, str_text(&v->truth), v->truth.length > 0 ? v->truth.length - 1 : 0);
    must_refuse(c, v, str_text(&typed));
    str_free(&typed);
}

static void try_choices(struct check *c, const struct verdict *v)
{
    const struct page_question *q = &player_page(c->pass.p)->question;
    spell(c, v, "%", str_text(&v->truth));
    spell(c, v, " % ", str_text(&v->truth));
    for (size_t i = 0; i < q->choices; i++) {
        char number[12];
        snprintf(number, sizeof number, "%d", (int)i + 1);
        unsigned bit = 1u << i;
        bool holds = q->kind == QUESTION_SEVERAL ? v->holds == bit : (v->holds & bit) != 0;
        if (!holds) {
            must_refuse(c, v, number);
        }
        for (size_t k = 0; k < i; k++) {
            if (answer_same(q->choice[i].text, q->choice[k].text)) {
                fault(c, "choices %d and %d are the same", (int)k + 1, (int)i + 1);
            }
        }
    }
    must_refuse(c, v, "0");
    if (q->kind == QUESTION_SEVERAL && v->holds == (1u << q->choices) - 1) {
        fault(c, "every choice holds");
    }
}

/* Typed mistakes: none is right, no two are the same. */
static void try_mistakes(struct check *c, const struct verdict *v)
{
    char seen[PAGE_CHOICES_MAX * 2][40];
    size_t count = 0;
    for (const char *line = str_text(&v->wrong); *line != '\0';) {
        char typed[40];
        size_t length = strcspn(line, "\n");
        snprintf(typed, sizeof typed, "%.*s", (int)length, line);
        line += length + (line[length] == '\n');
        if (verdict_right(v, typed)) {
            fault(c, "the mistake '%s' is within the tolerance of the right answer '%s'", typed,
                  str_text(&v->truth));
        }
        for (size_t i = 0; i < count; i++) {
            if (answer_same(seen[i], typed)) {
                fault(c, "the mistake '%s' is listed twice", typed);
            }
        }
        if (count < sizeof seen / sizeof *seen) {
            memcpy(seen[count++], typed, sizeof typed);
        }
    }
    if (count == 0) {
        fault(c, "no mistake is listed: a wrong answer names a belief");
    }
}

/* --- what would be too easy --- */

static bool word_byte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Whether `word` stands in the text by itself. */
static bool stands_in(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; length > 0 && (at = strstr(at, word)) != NULL; at++) {
        bool begins = at == text || !word_byte(at[-1]);
        bool more = word_byte(at[length]) ||
                    ((at[length] == ',' || at[length] == '.') && word_byte(at[length + 1]));
        if (begins && !more) {
            return true;
        }
    }
    return false;
}

/* How many things of the answer's kind stand in a text: numbers, or words like "S2". */
static size_t candidates(const char *text, bool number)
{
    size_t count = 0;
    for (const char *at = text; *at != '\0';) {
        bool digit = *at >= '0' && *at <= '9';
        size_t length = 0;
        while (word_byte(at[length]) || (digit && at[length] == ',' && word_byte(at[length + 1]))) {
            length++;
        }
        bool shard = length >= 2 && *at == 'S' && at[1] >= '0' && at[1] <= '9';
        count += number ? length > 0 && digit : shard;
        at += length > 0 ? length : 1;
    }
    return count;
}

/* The answer stands in the question, and nothing else that could be it. */
static bool answer_shown(const struct page *page, const struct verdict *v, const char *say)
{
    bool number = v->kind == QUESTION_NUMBER;
    const char *word = str_text(&v->truth), *ask = page->question.ask;
    struct num_text grouped =
        num_grouped(number && v->number == floor(v->number) ? (int64_t)v->number : 0);
    const char *other = number && v->number == floor(v->number) ? grouped.text : word;
    bool stands = stands_in(say, word) || stands_in(say, other) || stands_in(ask, word) ||
                  stands_in(ask, other);
    bool kind = number || candidates(word, false) == 1; /* else it may well be found in there */
    return kind && stands && candidates(say, number) + candidates(ask, number) <= 1;
}

static void count_answer(struct check *c, const struct verdict *v, const char *say)
{
    const struct page *page = player_page(c->pass.p);
    const struct page_question *q = &page->question;
    struct tally *t = tally_of(c, q);
    if (t == NULL) {
        return;
    }
    bool chosen = q->kind == QUESTION_CHOICE || q->kind == QUESTION_SEVERAL;
    struct str words = STR_EMPTY;
    for (size_t i = 0; chosen && i < q->choices; i++) {
        t->at[i] += (v->holds >> i) & 1u;
        str_add(&words, v->holds & 1u << i ? q->choice[i].text : "");
    }
    str_add(&words, chosen ? "" : str_text(&v->truth));
    if (t->asked == 0) {
        t->first = xstrdup(str_text(&words));
    }
    t->choices = chosen ? q->choices : 0;
    t->asked++;
    t->differs += strcmp(t->first, str_text(&words)) != 0;
    t->shown += !chosen && answer_shown(page, v, say);
    str_free(&words);
}

static void judge_tally(struct check *c, const struct tally *t)
{
    if (t->asked < SEEDS_TO_TELL) {
        return;
    }
    if (t->differs == 0 && t->choices == 0) {
        lint_find(&c->pass, t->line, LINT_ERROR,
                  "question '%s': its answer is '%.60s' whatever the seed", t->id, t->first);
    }
    if (t->shown == t->asked) {
        lint_find(&c->pass, t->line, LINT_ERROR,
                  "question '%s': its answer always stands in the question, and nothing else that "
                  "could be it",
                  t->id);
    }
    for (size_t i = 0; i < t->choices; i++) {
        if (t->at[i] == t->asked) {
            lint_find(&c->pass, t->line, LINT_ERROR,
                      "question '%s': choice %d is right whatever the seed: shuffle them", t->id,
                      (int)i + 1);
        }
    }
}

/* --- a seed --- */

static void try_question(struct check *c, const struct verdict *v, const char *say)
{
    if (v->bare > 0 && v->kind != QUESTION_SEVERAL) {
        fault(c, "%d of its mistakes have no belief or no explanation", (int)v->bare);
    }
    if (v->kind == QUESTION_NUMBER) {
        try_number(c, v);
        try_mistakes(c, v);
    } else if (v->kind == QUESTION_TEXT) {
        try_text(c, v);
        try_mistakes(c, v);
    } else {
        try_choices(c, v);
    }
    count_answer(c, v, say);
}

static void try_step(struct check *c)
{
    struct err err = {""};
    const struct page *page = player_page(c->pass.p);
    bool asks = page->question.kind != QUESTION_NONE;
    char *say = xstrdup(page->say);
    struct verdict v = {0};
    c->pass.p->verdict = &v; /* the one that the learner is judged by */
    lint_texts(&c->pass, page);
    lint_rows(&c->pass, page);
    if (asks && page->question.state == QUESTION_OPEN && !player_skip(c->pass.p, &err)) {
        fault(c, "%s", err.text);
    } else if (!player_finish_run(c->pass.p, &err)) {
        lint_error(c->pass.report, c->pass.path, err.text);
    } else if (asks && v.kind == QUESTION_NONE) {
        fault(c, "it was answered and not judged");
    } else if (asks) {
        try_question(c, &v, say);
    }
    lint_texts(&c->pass, page);
    c->pass.p->verdict = NULL;
    verdict_free(&v);
    free(say);
}

static bool try_seed(struct check *c)
{
    struct err err = {""};
    c->pass.p = player_open_unwatched(c->pass.path, c->seed, &err);
    if (c->pass.p == NULL) {
        struct err whole;
        err_set(&whole, "%s (seed %llu)", err.text, (unsigned long long)c->seed);
        lint_error(c->pass.report, c->pass.path, whole.text);
        return false;
    }
    enum player_next next = PLAYER_MOVED;
    for (size_t step = SIZE_MAX, turns = 0; next == PLAYER_MOVED && turns < STEPS_OF_DRILL_MAX;
         turns++) {
        if (c->pass.p->current != step) {
            step = c->pass.p->current;
            try_step(c);
        }
        next = player_forward(c->pass.p, &err);
        if (next == PLAYER_ASKS && player_skip(c->pass.p, &err)) { /* a task */
            next = PLAYER_MOVED;
        }
    }
    if (next == PLAYER_FAULT || next == PLAYER_ASKS) {
        lint_error(c->pass.report, c->pass.path, err.text);
    }
    c->events += c->pass.p->pass_events + c->pass.p->measured_events;
    player_close(c->pass.p);
    return true;
}

void lint_seeds(struct lint_report *r, const char *path, const struct lint_wish *wish)
{
    struct check *c = xcalloc(1, sizeof *c);
    c->pass = (struct pass){.report = r, .path = path};
    size_t had = r->errors;
    bool good = true;
    for (c->seed = 1; good && c->seed <= wish->seeds && r->errors < had + 20; c->seed++) {
        good = try_seed(c);
        r->seeds++;
    }
    c->pass.p = NULL;
    if (r->seeds > 0 && c->events / r->seeds > EVENTS_A_SEED) {
        lint_find(&c->pass, 1, LINT_WARNING,
                  "a seed plays %s events of the engine, on average; keep it below %s, for many "
                  "seeds are tried",
                  num_grouped((int64_t)(c->events / r->seeds)).text,
                  num_grouped(EVENTS_A_SEED).text);
    }
    for (size_t i = 0; i < c->tallies; i++) {
        judge_tally(c, &c->tally[i]);
        free(c->tally[i].id);
        free(c->tally[i].first);
    }
    free(c);
}

struct lint_report *lesson_check_seeds(const char *path, uint64_t seeds)
{
    struct lint_report *r = xcalloc(1, sizeof *r);
    lint_seeds(r, path, &(struct lint_wish){.seeds = seeds});
    return r;
}
