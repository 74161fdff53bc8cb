/*
 * glossary_check: what is wrong with entries that could be read. See glossary.h.
 */
#include "base/alloc.h"
#include "base/utf8.h"
#include "lesson/glossary_inside.h"
#include "lesson/measure_text.h"
#include "story/events.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define NAME_COLUMNS_MAX 40
#define SENTENCES 2
#define SAY_COLUMNS_MAX 270 /* six rows above the picture at 80x24 */

static const struct glossary_entry *entry_at(const struct glossary *g, size_t i)
{
    return &g->entry[i];
}

/* --- names --- */

static void check_name(struct glossary *g, size_t i, const char *name, int line)
{
    size_t words = glossary_name_words(name);
    size_t other = glossary_same_name(g, name, i);
    struct err_word shown = err_word(name, NAME_COLUMNS_MAX);
    g->name_words_max = words > g->name_words_max ? words : g->name_words_max;
    if (words == 0 || words > NAME_WORDS_MAX) {
        glossary_add_fault(g, line, "\"%s\" is no name; a name has 1 to %d words", shown.text,
                           NAME_WORDS_MAX);
    } else if (utf8_columns(name, strlen(name)) > NAME_COLUMNS_MAX) {
        glossary_add_fault(g, line, "\"%s\" is too long for a list; at most %d columns", shown.text,
                           NAME_COLUMNS_MAX);
    } else if (strpbrk(name, "[]`*") != NULL) {
        glossary_add_fault(g, line, "\"%s\" has signs of markup; a name is plain", shown.text);
    } else if (other != GLOSSARY_NONE && entry_at(g, other)->line[ENTRY_TERM] < line) {
        glossary_add_fault(g, line, "\"%s\" is a name of \"%s\" already, in line %d", shown.text,
                           entry_at(g, other)->term, entry_at(g, other)->line[ENTRY_TERM]);
    }
}

static void check_see(struct glossary *g, size_t i)
{
    const struct glossary_entry *e = entry_at(g, i);
    for (size_t k = 0; k < e->see.count; k++) {
        const char *name = e->see.item[k];
        size_t found = glossary_find(g, name);
        const char *near = found == GLOSSARY_NONE ? glossary_near(g, name) : NULL;
        struct err_word shown = err_word(name, NAME_COLUMNS_MAX);
        if (found == i) {
            glossary_add_fault(g, e->line[ENTRY_SEE], "see: \"%s\" is this very entry", shown.text);
        } else if (found == GLOSSARY_NONE && near != NULL) {
            glossary_add_fault(g, e->line[ENTRY_SEE],
                               "see: no entry is called \"%s\", did you mean \"%s\"?", shown.text,
                               near);
        } else if (found == GLOSSARY_NONE) {
            glossary_add_fault(g, e->line[ENTRY_SEE], "see: no entry is called \"%s\"", shown.text);
        }
    }
}

/* --- the definition --- */

/* Whether a new sentence may begin here: behind blanks, with a capital, a digit or markup. */
static bool begins_sentence(const char *at)
{
    size_t blanks = strspn(at, " \n");
    const char *first = at + blanks;
    return *first == '\0' || (blanks > 0 && !islower((unsigned char)*first));
}

/* Where the sentence that begins here ends; NULL: it does not. */
static const char *sentence_end(const char *text)
{
    bool code = false;
    for (const char *at = text; *at != '\0'; at++) {
        code = *at == '`' ? !code : code;
        const char *after = at + 1 + strspn(at + 1, ")*\"'");
        if (!code && strchr(".?!", *at) != NULL && begins_sentence(after)) {
            return after;
        }
    }
    return NULL;
}

static size_t sentences(const char *text, bool *ended)
{
    size_t count = 0;
    const char *end = text;
    while ((end = sentence_end(text)) != NULL) {
        text = end;
        count++;
    }
    *ended = text[strspn(text, " \n")] == '\0';
    return count;
}

size_t glossary_first_sentence(const char *say)
{
    const char *end = sentence_end(say);
    return end != NULL ? (size_t)(end - say) : strlen(say);
}

static void check_links(struct glossary *g, const struct glossary_entry *e)
{
    for (const char *at = e->say; (at = strstr(at, "[[")) != NULL; at += 2) {
        const char *end = strstr(at, "]]");
        if (end == NULL) {
            glossary_add_fault(g, e->line[ENTRY_SAY], "say has [[ without ]]");
            return;
        }
        char *name = xstrndup(at + 2, (size_t)(end - at) - 2);
        if (glossary_find(g, name) == GLOSSARY_NONE) {
            glossary_add_fault(g, e->line[ENTRY_SAY], "say: [[%s]] is not in the glossary",
                               err_word(name, NAME_COLUMNS_MAX).text);
        }
        free(name);
    }
}

static void check_say(struct glossary *g, const struct glossary_entry *e)
{
    int columns = utf8_columns(e->say, strlen(e->say));
    if (columns > SAY_COLUMNS_MAX) {
        glossary_add_fault(g, e->line[ENTRY_SAY],
                           "say has %d characters; at most %d, or its picture has no room", columns,
                           SAY_COLUMNS_MAX);
        return; /* nothing else of it is judged: it may be very long */
    }
    bool ended = false;
    size_t found = sentences(e->say, &ended);
    uint32_t odd = text_odd_character(e->say);
    if (found != SENTENCES || !ended) {
        glossary_add_fault(g, e->line[ENTRY_SAY],
                           "say has %zu sentences; write two, each with its end", found);
    }
    if (odd != 0) {
        glossary_add_fault(g, e->line[ENTRY_SAY],
                           "say has the character U+%04X, which a screen without UTF-8 cannot show",
                           (unsigned)odd);
    }
    check_links(g, e);
}

/* --- the picture --- */

static void check_world(struct glossary *g, const struct glossary_entry *e)
{
    struct err err;
    if (e->settings != NULL && (e->at != NULL || e->acts.count > 0)) {
        glossary_add_fault(g, e->line[ENTRY_SETTINGS],
                           "settings are instead of at and do; leave one of them out");
    }
    if (e->at != NULL && strcmp(e->at, "quiet") != 0) {
        const struct story_event *event = story_event_find(e->at, &err);
        if (event == NULL) {
            glossary_add_fault(g, e->line[ENTRY_AT], "at: %s; or write quiet", err.text);
        } else if (event->copy) {
            glossary_add_fault(g, e->line[ENTRY_AT],
                               "at: event %s is tried on a copy; name one of the main line",
                               event->id);
        }
    }
    for (size_t i = 0; i < e->acts.count; i++) {
        struct command command;
        int64_t wait_us = 0;
        if (!glossary_act(e->acts.item[i], &command, &wait_us, &err)) {
            glossary_add_fault(g, e->line[ENTRY_DO], "do: \"%s\": %s",
                               err_word(e->acts.item[i], NAME_COLUMNS_MAX).text, err.text);
        }
    }
}

static void check_fields(struct glossary *g, const struct glossary_entry *e)
{
    const char *missing = e->line[ENTRY_PART] == 0 ? "part"
                          : e->say == NULL         ? "say"
                          : e->show == NULL        ? "show"
                                                   : NULL;
    if (missing != NULL) {
        glossary_add_fault(g, e->line[ENTRY_TERM], "\"%s\" has no %s; every entry has one",
                           err_word(e->term, NAME_COLUMNS_MAX).text, missing);
    }
}

void glossary_check(struct glossary *g)
{
    for (size_t i = 0; i < g->count; i++) {
        const struct glossary_entry *e = entry_at(g, i);
        check_name(g, i, e->term, e->line[ENTRY_TERM]);
        for (size_t k = 0; k < e->also.count; k++) {
            check_name(g, i, e->also.item[k], e->line[ENTRY_ALSO]);
        }
    }
    for (size_t i = 0; i < g->count; i++) {
        const struct glossary_entry *e = entry_at(g, i);
        check_fields(g, e);
        check_see(g, i);
        if (e->say != NULL) {
            check_say(g, e);
        }
        check_world(g, e);
    }
}

void glossary_judge_pictures(struct glossary *g, const struct glossary_judge *judge)
{
    for (size_t i = 0; i < g->count; i++) {
        const struct glossary_entry *e = entry_at(g, i);
        struct err err = {""};
        if (e->show != NULL && !judge->can_show(judge->context, e, &err)) {
            glossary_add_fault(g, e->line[ENTRY_SHOW], "%s", err.text);
        }
    }
}
