/*
 * lint_more: tables, the placement check, and the glossary.
 */
#include "base/alloc.h"
#include "base/file.h"
#include "lesson/lint_inside.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define GLOSSARY_MAX ((size_t)1 << 20)
#define MISTAKES_MAX 9

/* --- tables --- */

void lint_table(struct pass *a)
{
    struct err err = {""};
    const struct page_table *t = player_page(a->p)->table;
    if (t->hidden) {
        return; /* its question was not judged, which is reported */
    }
    if (!player_fill_all(a->p, &err)) {
        lint_error(a->report, a->path, err.text);
        return;
    }
    for (size_t row = 0; a->first && row < t->rows; row++) {
        if (t->row[row].opens && !player_visit(a->p, row, &err)) {
            lint_error(a->report, a->path, err.text);
        }
        player_leave(a->p);
    }
}

/* --- the placement check --- */

/* Answers the question that is asked, and lets it be judged. */
static bool answer(struct pass *a, size_t mistake, bool wrong)
{
    struct err err = {""};
    struct str text = STR_EMPTY;
    bool good = wrong ? player_wrong_answer(a->p, mistake, &text, &err)
                      : player_right_answer(a->p, &text, &err);
    bool none = wrong && !good;
    good = good && player_answer(a->p, str_text(&text), &err) && player_finish_run(a->p, &err);
    str_free(&text);
    const struct page *page = player_page(a->p);
    if (good && page->question.right == wrong) {
        lint_find(a, lint_line(a), LINT_ERROR, "question '%s': a %s answer is judged %s",
                  page->question.id, wrong ? "wrong" : "right", wrong ? "right" : "wrong");
    } else if (good && page->question.feedback[0] == '\0') {
        lint_find(a, lint_line(a), LINT_WARNING, "question '%s': an answer gets no explanation",
                  page->question.id);
    } else if (!good && !none) {
        lint_error(a->report, a->path, err.text);
    }
    lint_texts(a, page);
    return good;
}

/* Right up to question `wrong_at`, and there the n-th mistake; false when there is no such. */
static bool take_check(struct lint_report *r, const char *path, size_t wrong_at, size_t mistake)
{
    struct err err = {""};
    struct pass a = {.report = r, .path = path, .wrong = -1};
    a.p = player_open(path, 1, &err);
    if (a.p == NULL) {
        return false; /* reported before */
    }
    bool good = a.p->checks > 0 && (wrong_at == SIZE_MAX || wrong_at < a.p->checks);
    good = good && (player_finish_run(a.p, &err) && player_place(a.p, &err));
    if (!good && err.text[0] != '\0') {
        lint_error(r, path, err.text);
    }
    size_t asked = 0;
    while (good && player_page(a.p)->check) {
        if (mistake == 0 && wrong_at >= asked) {
            r->questions += wrong_at == SIZE_MAX;
            lint_rows(&a, player_page(a.p));
        }
        good = answer(&a, mistake, asked == wrong_at);
        if (good && player_forward(a.p, &err) == PLAYER_FAULT) {
            lint_error(r, path, err.text);
            good = false;
        }
        asked++;
    }
    size_t wanted = wrong_at == SIZE_MAX ? a.p->placed_at : 0;
    if (good && a.p->current != wanted) {
        lint_find(&a, lint_line(&a), LINT_ERROR, "the placement check leads to '%s', not to '%s'",
                  player_page(a.p)->step_id, a.p->step[wanted].id);
    }
    player_close(a.p);
    return good;
}

void lint_placement(struct lint_report *r, const char *path)
{
    if (r->errors > 0 || !take_check(r, path, SIZE_MAX, 0)) {
        return;
    }
    for (size_t at = 0; at < CHECKS_MAX; at++) {
        for (size_t n = 0; n < MISTAKES_MAX && take_check(r, path, at, n); n++) {
        }
    }
}

/* --- the glossary --- */

struct lint_terms {
    char **term;
    size_t count;
};

static void add_term(struct lint_terms *t, const char *at, size_t length)
{
    while (length > 0 && isspace((unsigned char)*at)) {
        at++;
        length--;
    }
    while (length > 0 && isspace((unsigned char)at[length - 1])) {
        length--;
    }
    if (length > 0) {
        t->term = xrealloc(t->term, t->count + 1, sizeof *t->term);
        t->term[t->count++] = xstrndup(at, length);
    }
}

/* "also: hash slot, slots" */
static void add_terms(struct lint_terms *t, const char *line, size_t length)
{
    while (length > 0) {
        const char *comma = memchr(line, ',', length);
        size_t part = comma != NULL ? (size_t)(comma - line) : length;
        add_term(t, line, part);
        line += part + (comma != NULL);
        length -= part + (comma != NULL);
    }
}

/* lessons/X.lua and lessons/drills/X.lua: assets/ stands beside lessons/. */
static void near_lesson(struct str *out, const char *path, int up)
{
    const char *slash = strrchr(path, '/');
    str_clear(out);
    str_addn(out, path, slash != NULL ? (size_t)(slash - path) : 0);
    str_add(out, slash != NULL ? "/" : "./");
    for (int i = 0; i < up; i++) {
        str_add(out, "../");
    }
    str_add(out, "assets/glossary.txt");
}

struct lint_terms *lint_terms_read(const char *path, const char *glossary)
{
    struct str file = STR_EMPTY, name = STR_EMPTY;
    bool found = glossary != NULL && file_exists(glossary);
    str_add(&name, glossary != NULL ? glossary : "");
    for (int up = 1; glossary == NULL && !found && up <= 2; up++) {
        near_lesson(&name, path, up);
        found = file_exists(str_text(&name));
    }
    struct lint_terms *t = NULL;
    if (found && file_read(str_text(&name), GLOSSARY_MAX, &file, NULL)) {
        t = xcalloc(1, sizeof *t);
        for (const char *line = str_text(&file); *line != '\0';) {
            size_t length = strcspn(line, "\n");
            if (str_starts(line, "term:") || str_starts(line, "also:")) {
                add_terms(t, line + 5, length - 5);
            }
            line += length + (line[length] == '\n');
        }
    }
    str_free(&file);
    str_free(&name);
    return t;
}

void lint_terms_free(struct lint_terms *t)
{
    for (size_t i = 0; t != NULL && i < t->count; i++) {
        free(t->term[i]);
    }
    if (t != NULL) {
        free(t->term);
        free(t);
    }
}

static bool is_term(const struct lint_terms *t, const char *word)
{
    for (size_t i = 0; i < t->count; i++) {
        if (answer_same(t->term[i], word)) {
            return true;
        }
    }
    return false;
}

void lint_terms_check(struct pass *a, const char *text, const char *what)
{
    if (a->terms == NULL || text == NULL) {
        return;
    }
    for (const char *at = text; (at = strstr(at, "[[")) != NULL; at += 2) {
        const char *end = strstr(at, "]]");
        if (end == NULL) {
            lint_find(a, lint_line(a), LINT_ERROR, "%s has [[ without ]]", what);
            return;
        }
        char *word = xstrndup(at + 2, (size_t)(end - at) - 2);
        for (char *c = word; *c != '\0'; c++) { /* a text may break its line in a term */
            *c = *c == '\n' ? ' ' : *c;
        }
        if (!is_term(a->terms, word)) {
            lint_find(a, lint_line(a), LINT_ERROR, "%s: [[%.60s]] is not in the glossary", what,
                      word);
        }
        free(word);
    }
}
