/*
 * answer: what a learner typed, and whether it is right.
 */
#include "base/num.h"
#include "lesson/inside.h"
#include "study/progress.h"
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The log keeps it whole, with the points marked: "1 2 3:" before it. */
static_assert(PAGE_EXPLANATION_MAX + 2 * PAGE_CHOICES_MAX <= PROGRESS_DETAIL_MAX,
              "an explanation fits into the log");

/* Whether the commas of a number that begins here group thousands: 1,200,000 and not 1,2. */
static bool well_grouped(const char *text)
{
    size_t first = strspn(text, "0123456789");
    const char *at = text + first;
    if (*at == ',' && (first == 0 || first > 3)) {
        return false;
    }
    while (*at == ',') {
        if (strspn(at + 1, "0123456789") != 3) {
            return false;
        }
        at += 4;
    }
    return strchr(at, ',') == NULL;
}

/* Digits with grouping commas, a sign and decimals; blanks and a unit around it do not matter. */
bool answer_number(const char *text, double *out)
{
    char digits[40];
    size_t n = 0;
    bool any = false, point = false;
    text += strspn(text, " \t");
    if (*text == '-' || *text == '+') {
        digits[n++] = *text++;
    }
    if (!well_grouped(text)) {
        return false;
    }
    for (; isdigit((unsigned char)*text) || *text == ',' || (*text == '.' && !point); text++) {
        if (*text == ',') {
            continue;
        }
        any = any || isdigit((unsigned char)*text);
        point = point || *text == '.';
        if (n + 1 >= sizeof digits) {
            return false;
        }
        digits[n++] = *text;
    }
    digits[n] = '\0';
    text += strspn(text, " \t");
    text += *text == '%';
    text += strspn(text, " \t");
    if (!any || *text != '\0') {
        return false;
    }
    *out = strtod(digits, NULL); /* the numeric locale is always "C" */
    return true;
}

static const char *skip_unit(const char *typed, const char *unit, char *room, size_t size)
{
    size_t length = strlen(typed), tail = unit != NULL ? strlen(unit) : 0;
    while (length > 0 && typed[length - 1] == ' ') {
        length--;
    }
    if (tail > 0 && length > tail && length < size &&
        strncmp(typed + length - tail, unit, tail) == 0) {
        memcpy(room, typed, length - tail);
        room[length - tail] = '\0';
        return room;
    }
    return typed;
}

static bool not_a_number(const struct page_question *q, const char *typed, struct err *err)
{
    if (q->unit != NULL && q->unit[0] != '\0' && strpbrk(typed, "0123456789") != NULL) {
        return err_set(err, "'%.40s' is not a number of %.20s: type digits, like 12,067 or 0.5",
                       typed, q->unit);
    }
    return err_set(err, "'%.40s' is not a number: type digits, like 12,067", typed);
}

/* Digits alone, as answer_number reads them: 15 that count, at most 9 behind the point. */
void answer_say(struct str *out, double value)
{
    if (value == floor(value)) {
        str_addf(out, "%.0f", value);
        return;
    }
    int before = snprintf(NULL, 0, "%.0f", fabs(floor(value)));
    str_addf(out, "%.*f", before <= 6 ? 9 : before < 14 ? 15 - before : 1, value);
    size_t end = out->length;
    while (out->text[end - 1] == '0') {
        end--;
    }
    end -= out->text[end - 1] == '.';
    out->length = end;
    out->text[end] = '\0';
}

/* One choice, or several: numbers apart by anything that is no digit but blanks and commas. */
static bool read_choices(const struct page_question *q, const char *typed, struct str *out,
                         struct err *err)
{
    unsigned chosen = 0;
    size_t count = 0;
    for (const char *at = typed; *at != '\0';) {
        if (*at == ' ' || *at == ',' || *at == '\t') {
            at++;
            continue;
        }
        size_t digits = strspn(at, "0123456789");
        long n = digits > 0 && digits < 4 ? strtol(at, NULL, 10) : 0;
        if (n < 1 || n > (long)q->choices) {
            return err_set(err, "'%.40s' is not a choice: type a number from 1 to %d", typed,
                           (int)q->choices);
        }
        count += !(chosen & 1u << n);
        chosen |= 1u << n;
        at += digits;
    }
    if (count == 0 || (q->kind == QUESTION_CHOICE && count > 1)) {
        return err_set(err, "type %s from 1 to %d",
                       q->kind == QUESTION_CHOICE ? "one number" : "one or more numbers",
                       (int)q->choices);
    }
    for (size_t i = 1; i <= q->choices; i++) {
        if (chosen & 1u << i) {
            str_addf(out, "%s%d", out->length > 0 ? " " : "", (int)i);
        }
    }
    return true;
}

size_t answer_bytes_max(enum question_kind kind)
{
    return kind == QUESTION_EXPLAIN ? PAGE_EXPLANATION_MAX : PAGE_ANSWER_MAX;
}

bool answer_read(const struct page_question *q, const char *typed, struct str *out, struct err *err)
{
    char room[PAGE_ANSWER_MAX + 1];
    double value = 0;
    size_t length = strlen(typed);
    str_clear(out);
    size_t most = answer_bytes_max(q->kind);
    if (length > most) {
        return err_set(err, "the answer is too long: at most %d bytes", (int)most);
    }
    switch (q->kind) {
    case QUESTION_CHOICE:
    case QUESTION_SEVERAL:
        return read_choices(q, typed, out, err);
    case QUESTION_NUMBER:
        if (!answer_number(skip_unit(typed, q->unit, room, sizeof room), &value) ||
            (strchr(typed, '%') != NULL && q->unit != NULL && strchr(q->unit, '%') == NULL)) {
            return not_a_number(q, typed, err);
        }
        answer_say(out, value);
        return true;
    case QUESTION_TEXT:
    case QUESTION_EXPLAIN: /* it may have been said aloud */
        typed += strspn(typed, " \t");
        length = strlen(typed);
        while (length > 0 && (typed[length - 1] == ' ' || typed[length - 1] == '\t')) {
            length--;
        }
        if (length == 0 && q->kind == QUESTION_TEXT) {
            return err_set(err, "type an answer first");
        }
        str_addn(out, typed, length);
        return true;
    case QUESTION_NONE:
        break;
    }
    return err_set(err, "there is no question here");
}

bool answer_same(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++) {
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b)) {
            return false;
        }
    }
    return *a == *b;
}

bool verdict_right(const struct verdict *v, const char *answer)
{
    unsigned chosen = 0;
    double value = 0;
    switch (v->kind) {
    case QUESTION_CHOICE:
    case QUESTION_SEVERAL:
        for (char *end = NULL; *answer != '\0'; answer = *end == ' ' ? end + 1 : end) {
            chosen |= 1u << (strtol(answer, &end, 10) - 1);
        }
        return v->kind == QUESTION_SEVERAL ? chosen == v->holds
                                           : chosen != 0 && (chosen & ~v->holds) == 0;
    case QUESTION_NUMBER:
        return answer_number(answer, &value) && fabs(value - v->number) <= v->tolerance + 1e-9;
    case QUESTION_TEXT:
        return answer_same(answer, str_text(&v->truth));
    case QUESTION_EXPLAIN:
    case QUESTION_NONE:
        break;
    }
    return false;
}

void verdict_free(struct verdict *v)
{
    str_free(&v->truth);
    str_free(&v->wrong);
}

void push_answer(lua_State *L, const struct page_question *q)
{
    double value = 0;
    if (q->state != QUESTION_ANSWERED || q->answer == NULL) {
        lua_pushnil(L);
    } else if ((q->kind == QUESTION_CHOICE || q->kind == QUESTION_NUMBER) &&
               answer_number(q->answer, &value)) {
        if (value == floor(value) && fabs(value) < 1e15) {
            lua_pushinteger(L, (lua_Integer)value);
        } else {
            lua_pushnumber(L, value);
        }
    } else {
        lua_pushstring(L, q->answer);
    }
}
