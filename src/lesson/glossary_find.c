/*
 * glossary_find: names in texts. See glossary.h.
 *
 * Names and texts are compared word by word. A word is a run of letters, digits and underscores;
 * words belong together when only blanks, hyphens and the stars of markup stand between them.
 */
#include "base/alloc.h"
#include "base/near.h"
#include "lesson/glossary_inside.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct word {
    const char *at;
    size_t length;
    bool joined; /* to the one before */
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool joins(char c)
{
    return c == ' ' || c == '\n' || c == '-' || c == '*';
}

/* The next word from *at on, before `end`; false: there is none. */
static bool next_word(const char **at, const char *end, struct word *out)
{
    const char *from = *at;
    bool joined = true;
    while (from < end && !is_word(*from)) {
        joined = joined && joins(*from);
        from++;
    }
    const char *to = from;
    while (to < end && is_word(*to)) {
        to++;
    }
    *out = (struct word){from, (size_t)(to - from), joined};
    *at = to;
    return to > from;
}

static size_t split(const char *name, struct word out[NAME_WORDS_MAX])
{
    size_t count = 0;
    const char *at = name, *end = name + strlen(name);
    struct word word;
    while (next_word(&at, end, &word)) {
        if (count < NAME_WORDS_MAX) {
            out[count] = word;
        }
        count++;
    }
    return count;
}

size_t glossary_name_words(const char *name)
{
    struct word word[NAME_WORDS_MAX];
    return split(name, word);
}

/* --- one word --- */

static bool ends_with(struct word w, const char *end)
{
    size_t length = strlen(end);
    return w.length > length && strncasecmp(w.at + w.length - length, end, length) == 0;
}

/* Whether `many` is the plural of `one`: shards, caches, copies. */
static bool plural_of(struct word many, struct word one)
{
    size_t stem = one.length;
    if (many.length < stem || strncasecmp(many.at, one.at, stem - 1) != 0) {
        return false;
    }
    if (ends_with(one, "y") && ends_with(many, "ies")) {
        return many.length == stem + 2;
    }
    bool same = strncasecmp(many.at, one.at, stem) == 0;
    return same && ((many.length == stem + 1 && ends_with(many, "s")) ||
                    (many.length == stem + 2 && ends_with(many, "es")));
}

static bool same_letters(struct word a, struct word b)
{
    return a.length == b.length && strncasecmp(a.at, b.at, a.length) == 0;
}

static bool is_capitals(struct word w)
{
    size_t capitals = 0;
    for (size_t i = 0; i < w.length; i++) {
        if (islower((unsigned char)w.at[i])) {
            return false;
        }
        capitals += isupper((unsigned char)w.at[i]) != 0;
    }
    return capitals > 1;
}

enum comparing { /* small and capital letters are the same; bits */
    COMPARE_EXACT = 0,
    COMPARE_PLURAL = 1, /* plurals are as well */
    COMPARE_PROSE = 2   /* capitals of the name mean something */
};

static bool same_word(struct word name, struct word text, unsigned how, bool last)
{
    bool plural = last && (how & COMPARE_PLURAL) != 0;
    bool same =
        same_letters(name, text) || (plural && (plural_of(text, name) || plural_of(name, text)));
    size_t length = name.length < text.length ? name.length : text.length;
    if ((how & COMPARE_PROSE) != 0 && is_capitals(name)) {
        same = same && memcmp(name.at, text.at, length) == 0;
    }
    return same;
}

/* --- names --- */

static bool same_name(const char *name, const struct word *text, size_t words, unsigned how)
{
    struct word own[NAME_WORDS_MAX];
    if (split(name, own) != words || words > NAME_WORDS_MAX) {
        return false;
    }
    for (size_t i = 0; i < words; i++) {
        if (!same_word(own[i], text[i], how, i + 1 == words)) {
            return false;
        }
    }
    return words > 0;
}

static size_t find_words(const struct glossary *g, const struct word *text, size_t words,
                         unsigned how, size_t beside)
{
    for (size_t i = 0; i < g->count; i++) {
        const struct glossary_entry *e = &g->entry[i];
        bool found = i != beside && same_name(e->term, text, words, how);
        for (size_t k = 0; i != beside && k < e->also.count && !found; k++) {
            found = same_name(e->also.item[k], text, words, how);
        }
        if (found) {
            return i;
        }
    }
    return GLOSSARY_NONE;
}

/* A plural only where nothing else is called so. */
static size_t find_either(const struct glossary *g, const struct word *text, size_t words,
                          unsigned how)
{
    size_t found = find_words(g, text, words, how, GLOSSARY_NONE);
    return found != GLOSSARY_NONE ? found
                                  : find_words(g, text, words, how | COMPARE_PLURAL, GLOSSARY_NONE);
}

size_t glossary_same_name(const struct glossary *g, const char *name, size_t beside)
{
    struct word word[NAME_WORDS_MAX];
    size_t words = split(name, word);
    return words <= NAME_WORDS_MAX ? find_words(g, word, words, COMPARE_EXACT, beside)
                                   : GLOSSARY_NONE;
}

size_t glossary_find(const struct glossary *g, const char *name)
{
    struct word word[NAME_WORDS_MAX];
    size_t words = split(name, word);
    if (words > NAME_WORDS_MAX) {
        return GLOSSARY_NONE;
    }
    return find_either(g, word, words, COMPARE_EXACT);
}

static char *small_letters(const char *text)
{
    char *out = xstrdup(text);
    for (char *c = out; *c != '\0'; c++) {
        *c = (char)tolower((unsigned char)*c);
    }
    return out;
}

const char *glossary_near(const struct glossary *g, const char *name)
{
    size_t count = 0, room = 0;
    for (size_t i = 0; i < g->count; i++) {
        room += 1 + g->entry[i].also.count;
    }
    const char **written = xcalloc(room + 1, sizeof *written);
    char **small = xcalloc(room + 1, sizeof *small);
    for (size_t i = 0; i < g->count; i++) {
        written[count++] = g->entry[i].term;
        for (size_t k = 0; k < g->entry[i].also.count; k++) {
            written[count++] = g->entry[i].also.item[k];
        }
    }
    for (size_t i = 0; i < count; i++) {
        small[i] = small_letters(written[i]);
    }
    char *wanted = small_letters(name);
    const char *near = near_name(wanted, (const char *const *)small, count), *found = NULL;
    for (size_t i = 0; i < count; i++) {
        found = near == small[i] ? written[i] : found;
        free(small[i]);
    }
    free(wanted);
    free(small);
    free(written);
    return found;
}

static bool holds(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text != '\0'; text++) {
        if (strncasecmp(text, part, length) == 0) {
            return true;
        }
    }
    return length == 0;
}

bool glossary_matches(const struct glossary_entry *e, const char *part)
{
    bool found = holds(e->term, part);
    for (size_t i = 0; i < e->also.count; i++) {
        found = found || holds(e->also.item[i], part);
    }
    return found;
}

/* --- texts --- */

struct scan {
    const struct glossary *g;
    size_t *out;
    size_t most, count;
};

static void found_term(struct scan *s, size_t entry)
{
    for (size_t i = 0; i < s->count; i++) {
        if (s->out[i] == entry) {
            return;
        }
    }
    if (entry != GLOSSARY_NONE && s->count < s->most) {
        s->out[s->count++] = entry;
    }
}

/* Plain words: at each of them the longest name that begins there. */
static void scan_words(struct scan *s, const char *from, const char *end)
{
    struct word word[NAME_WORDS_MAX];
    const char *next = from;
    while (next < end) {
        const char *at = next, *after[NAME_WORDS_MAX];
        size_t words = 0;
        while (words < s->g->name_words_max && words < NAME_WORDS_MAX &&
               next_word(&at, end, &word[words]) && (words == 0 || word[words].joined)) {
            after[words++] = at;
        }
        if (words == 0) {
            return;
        }
        next = after[0];
        for (size_t n = words; n > 0; n--) {
            size_t found = find_either(s->g, word, n, COMPARE_PROSE);
            if (found != GLOSSARY_NONE) {
                found_term(s, found);
                next = after[n - 1];
                break;
            }
        }
    }
}

size_t glossary_in_text(const struct glossary *g, const char *markup, size_t *out, size_t most)
{
    struct scan s = {.g = g, .out = out, .most = most};
    for (const char *at = markup; *at != '\0';) {
        const char *code = strchr(at, '`'), *link = strstr(at, "[[");
        bool is_link = link != NULL && (code == NULL || link < code);
        const char *from = is_link ? link : code;
        const char *to = from == NULL ? NULL : is_link ? strstr(from, "]]") : strchr(from + 1, '`');
        if (to == NULL) { /* to the end: nothing is marked, or a mark is left open */
            scan_words(&s, at, at + strlen(at));
            break;
        }
        scan_words(&s, at, from);
        if (is_link) {
            char *name = xstrndup(from + 2, (size_t)(to - from) - 2);
            found_term(&s, glossary_find(g, name));
            free(name);
        }
        at = to + (is_link ? 2 : 1);
    }
    return s.count;
}
