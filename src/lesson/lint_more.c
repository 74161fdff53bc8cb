/*
 * lint_more: tables, the placement check, and the glossary.
 */
#include "base/alloc.h"
#include "base/file.h"
#include "base/utf8.h"
#include "lesson/lint_inside.h"
#include "lesson/measure_text.h"
#include <stdlib.h>
#include <string.h>

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

/* --- the card --- */

static void check_card_text(struct pass *a, int line, const char *text)
{
    uint32_t odd = text_odd_character(text);
    int columns = utf8_columns(text, strlen(text));
    if (odd != 0) {
        lint_find(a, line, LINT_ERROR,
                  "the card has the character U+%04X, which a screen without UTF-8 cannot show",
                  (unsigned)odd);
    }
    if (columns > PAGE_CARD_COLUMNS) {
        lint_find(a, line, LINT_ERROR, "a line of the card has %d columns, at most %d: \"%.40s\"",
                  columns, PAGE_CARD_COLUMNS, text);
    }
}

void lint_card(struct pass *a)
{
    struct err err = {""};
    const struct page_card *card = a->p->has_card ? player_card(a->p, &err) : NULL;
    int line = source_line(a->p, "card", 1);
    if (card == NULL) {
        if (a->p->has_card) {
            lint_error(a->report, a->path, err.text);
        }
        return;
    }
    for (size_t i = 0; i < card->blocks; i++) {
        check_card_text(a, line, card->block[i].title);
        for (size_t k = 0; k < card->block[i].lines; k++) {
            check_card_text(a, line, card->block[i].line[k]);
        }
    }
    struct blocks_page *page = blocks_set(card->block, card->blocks, PAGE_CARD_COLUMNS);
    if (page->rows > PAGE_CARD_ROWS_MAX) {
        lint_find(a, line, LINT_ERROR,
                  "the card takes %d rows at %d columns, at most %d: blocks of lines up to %d "
                  "columns stand side by side",
                  (int)page->rows, PAGE_CARD_COLUMNS, PAGE_CARD_ROWS_MAX,
                  (PAGE_CARD_COLUMNS - BLOCKS_GAP) / 2);
    }
    blocks_free(page);
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
static bool take_check(const struct pass *as, size_t wrong_at, size_t mistake)
{
    struct err err = {""};
    struct lint_report *r = as->report;
    const char *path = as->path;
    struct pass a = *as;
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

void lint_placement(struct lint_report *r, const char *path, const struct lint_wish *wish)
{
    struct pass a = {.report = r, .path = path, .rows_of = wish->rows};
    if (r->errors > 0 || !take_check(&a, SIZE_MAX, 0)) {
        return;
    }
    for (size_t at = 0; at < CHECKS_MAX; at++) {
        for (size_t n = 0; n < MISTAKES_MAX && take_check(&a, at, n); n++) {
        }
    }
}

/* --- the glossary --- */

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

struct glossary *lint_glossary(struct lint_report *r, const char *path, const char *glossary)
{
    struct pass a = {.report = r, .path = path};
    struct str name = STR_EMPTY;
    struct err err = {""};
    bool found = glossary != NULL;
    str_add(&name, found ? glossary : "");
    for (int up = 1; glossary == NULL && !found && up <= 2; up++) {
        near_lesson(&name, path, up);
        found = file_exists(str_text(&name));
    }
    struct glossary *g = found ? glossary_load(str_text(&name), &err) : NULL;
    if (found && g == NULL) {
        lint_find(&a, 1, LINT_ERROR, "%s", err.text);
    } else if (found && !glossary_good(g, &err)) { /* its own check tells them all, as errors */
        lint_find(&a, 1, LINT_WARNING, "the glossary has faults: %s", err.text);
    }
    str_free(&name);
    return g;
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
        if (glossary_find(a->terms, word) == GLOSSARY_NONE) {
            lint_find(a, lint_line(a), LINT_ERROR, "%s: [[%s]] is not in the glossary", what,
                      err_word(word, 60).text);
        }
        free(word);
    }
}
