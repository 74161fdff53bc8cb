/*
 * pattern: Lua's patterns, written anew so that every step is charged.
 *
 * A pattern is walked item by item (a character class and how often it may come), going back when
 * the rest does not match. Going back can take very long for a few wildcards; here each look at a
 * character costs a unit of the call's meter, so a bomb ends like any other endless loop. The depth
 * of going back is bounded, so the C stack is too.
 */
#include "lesson/pattern.h"
#include <ctype.h>
#include <string.h>

#define DEPTH_MAX 150

void pattern_steps(struct match *m, size_t count)
{
    m->steps += count;
    if (m->steps >= 256) {
        sandbox_charge(m->L, (int64_t)m->steps);
        m->steps = 0;
    }
}

static void step(struct match *m)
{
    pattern_steps(m, 1);
}

void pattern_charge_rest(struct match *m)
{
    sandbox_charge(m->L, (int64_t)m->steps + 4);
    m->steps = 0;
}

/* Bytes beyond ASCII belong to no class, whatever the terminal's locale is. */
static bool in_class(int c, char letter)
{
    bool yes = false;
    bool named = strchr("acdglpsuwx", tolower((unsigned char)letter)) != NULL;
    switch (named && c > 0x7F ? 0 : tolower((unsigned char)letter)) {
    case 0:
        break;
    case 'a':
        yes = isalpha(c);
        break;
    case 'c':
        yes = iscntrl(c);
        break;
    case 'd':
        yes = isdigit(c);
        break;
    case 'g':
        yes = isgraph(c);
        break;
    case 'l':
        yes = islower(c);
        break;
    case 'p':
        yes = ispunct(c);
        break;
    case 's':
        yes = isspace(c);
        break;
    case 'u':
        yes = isupper(c);
        break;
    case 'w':
        yes = isalnum(c);
        break;
    case 'x':
        yes = isxdigit(c);
        break;
    default:
        return letter == (char)c;
    }
    return isupper((unsigned char)letter) ? !yes : yes;
}

/* The end of the single-character part that starts at p. */
static const char *item_end(struct match *m, const char *p)
{
    char first = *p++;
    if (first == '%') {
        if (p == m->pattern_end) {
            sandbox_raise(m->L, "malformed pattern: it ends with '%%'");
        }
        return p + 1;
    }
    if (first != '[') {
        return p;
    }
    if (p < m->pattern_end && *p == '^') {
        p++;
    }
    do { /* a ']' right at the start stands for itself */
        if (p == m->pattern_end) {
            sandbox_raise(m->L, "malformed pattern: missing ']'");
        }
        step(m);
        if (*p++ == '%' && p < m->pattern_end) {
            p++;
        }
    } while (p == m->pattern_end || *p != ']');
    return p + 1;
}

/* set..end is "[...]", both brackets included. */
static bool in_set(struct match *m, int c, const char *set, const char *end)
{
    const char *last = end - 1;
    bool negated = set[1] == '^';
    for (const char *p = set + (negated ? 2 : 1); p < last; p++) {
        step(m);
        if (*p == '%' && p + 1 < last) {
            p++;
            if (in_class(c, *p)) {
                return !negated;
            }
        } else if (p + 2 < last && p[1] == '-') {
            if ((unsigned char)p[0] <= c && c <= (unsigned char)p[2]) {
                return !negated;
            }
            p += 2;
        } else if ((unsigned char)*p == c) {
            return !negated;
        }
    }
    return negated;
}

static bool item_fits(struct match *m, const char *s, const char *p, const char *end)
{
    step(m);
    if (s >= m->subject_end) {
        return false;
    }
    int c = (unsigned char)*s;
    switch (*p) {
    case '.':
        return true;
    case '%':
        return in_class(c, p[1]);
    case '[':
        return in_set(m, c, p, end);
    default:
        return (unsigned char)*p == c;
    }
}

/* As many as fit, then fewer and fewer until the rest matches. */
static const char *most(struct match *m, const char *s, const char *p, const char *end)
{
    ptrdiff_t n = 0;
    while (item_fits(m, s + n, p, end)) {
        n++;
    }
    for (; n >= 0; n--) {
        const char *r = pattern_match(m, s + n, end + 1);
        if (r != NULL) {
            return r;
        }
    }
    return NULL;
}

static const char *fewest(struct match *m, const char *s, const char *p, const char *end)
{
    for (;; s++) {
        const char *r = pattern_match(m, s, end + 1);
        if (r != NULL || !item_fits(m, s, p, end)) {
            return r;
        }
    }
}

/* "%bxy": from x to the y that balances it. */
static const char *balanced(struct match *m, const char *s, const char *p)
{
    if (m->pattern_end - p < 4) {
        sandbox_raise(m->L, "malformed pattern: '%%b' needs two characters");
    }
    if (s >= m->subject_end || *s != p[2]) {
        return NULL;
    }
    int open = 1;
    for (const char *at = s + 1; at < m->subject_end; at++) {
        step(m);
        if (*at == p[3]) {
            if (--open == 0) {
                return at + 1;
            }
        } else if (*at == p[2]) {
            open++;
        }
    }
    return NULL;
}

/* "%f[set]": between a character outside the set and one inside. */
static const char *frontier(struct match *m, const char *s, const char *p)
{
    const char *set = p + 2;
    if (set >= m->pattern_end || *set != '[') {
        sandbox_raise(m->L, "malformed pattern: '%%f' needs a set");
    }
    const char *end = item_end(m, set);
    int before = s == m->subject ? 0 : (unsigned char)s[-1];
    int here = s == m->subject_end ? 0 : (unsigned char)*s;
    return !in_set(m, before, set, end) && in_set(m, here, set, end) ? pattern_match(m, s, end)
                                                                     : NULL;
}

static const char *same_again(struct match *m, const char *s, const char *p)
{
    int n = p[1] - '1';
    if (n < 0 || n >= m->captures || m->capture[n].length < 0) {
        sandbox_raise(m->L, "invalid capture %%%d in the pattern", n + 1);
    }
    ptrdiff_t length = m->capture[n].length;
    pattern_steps(m, (size_t)length / 16 + 1);
    bool same = m->subject_end - s >= length && memcmp(m->capture[n].at, s, (size_t)length) == 0;
    return same ? pattern_match(m, s + length, p + 2) : NULL;
}

static const char *begin_capture(struct match *m, const char *s, const char *p)
{
    if (m->captures == CAPTURES_MAX) {
        sandbox_raise(m->L, "too many captures: at most %d", CAPTURES_MAX);
    }
    bool empty = p + 1 < m->pattern_end && p[1] == ')';
    m->capture[m->captures].at = s;
    m->capture[m->captures].length = empty ? POSITION : OPEN;
    m->captures++;
    const char *r = pattern_match(m, s, p + (empty ? 2 : 1));
    if (r == NULL) {
        m->captures--;
    }
    return r;
}

static const char *end_capture(struct match *m, const char *s, const char *p)
{
    int n = m->captures - 1;
    while (n >= 0 && m->capture[n].length != OPEN) {
        n--;
    }
    if (n < 0) {
        sandbox_raise(m->L, "malformed pattern: ')' without '('");
    }
    m->capture[n].length = s - m->capture[n].at;
    const char *r = pattern_match(m, s, p + 1);
    if (r == NULL) {
        m->capture[n].length = OPEN;
    }
    return r;
}

static const char *match_escape(struct match *m, const char *s, const char *p, bool *special)
{
    char kind = p + 1 < m->pattern_end ? p[1] : '\0';
    *special = true;
    if (kind == 'b') {
        const char *r = balanced(m, s, p);
        return r != NULL ? pattern_match(m, r, p + 4) : NULL;
    }
    if (kind == 'f') {
        return frontier(m, s, p);
    }
    if (isdigit((unsigned char)kind)) {
        return same_again(m, s, p);
    }
    *special = false;
    return NULL;
}

/* Items one after another; only a choice goes deeper. */
static const char *match_items(struct match *m, const char *s, const char *p)
{
    while (p < m->pattern_end) {
        if (*p == '(') {
            return begin_capture(m, s, p);
        }
        if (*p == ')') {
            return end_capture(m, s, p);
        }
        if (*p == '$' && p + 1 == m->pattern_end) {
            return s == m->subject_end ? s : NULL;
        }
        if (*p == '%') {
            bool special = false;
            const char *r = match_escape(m, s, p, &special);
            if (special) {
                return r;
            }
        }
        const char *end = item_end(m, p);
        char often = end < m->pattern_end ? *end : '\0';
        if (often == '*') {
            return most(m, s, p, end);
        }
        if (often == '-') {
            return fewest(m, s, p, end);
        }
        bool fits = item_fits(m, s, p, end);
        if (often == '+') {
            return fits ? most(m, s + 1, p, end) : NULL;
        }
        if (often == '?') {
            const char *r = fits ? pattern_match(m, s + 1, end + 1) : NULL;
            if (r != NULL) {
                return r;
            }
            p = end + 1;
            continue;
        }
        if (!fits) {
            return NULL;
        }
        s++;
        p = end;
    }
    return s;
}

const char *pattern_match(struct match *m, const char *s, const char *p)
{
    if (++m->depth > DEPTH_MAX) {
        sandbox_raise(m->L, "pattern too complex");
    }
    step(m);
    const char *r = match_items(m, s, p);
    m->depth--;
    return r;
}
