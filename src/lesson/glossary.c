/*
 * glossary: reading the file, and what is wrong with it. See glossary.h.
 */
#include "lesson/glossary.h"
#include "base/alloc.h"
#include "base/check.h"
#include "base/file.h"
#include "base/near.h"
#include "base/num.h"
#include "base/utf8.h"
#include "lesson/glossary_inside.h"
#include "story/events.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SHOWN_COLUMNS 60
#define WAIT_MS_MAX 600000
#define NAMES_MAX 16 /* of a field: each is compared with those of all entries */
#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

static const char *const field_names[ENTRY_FIELDS] = {
    [ENTRY_TERM] = "term", [ENTRY_ALSO] = "also", [ENTRY_PART] = "part",
    [ENTRY_SAY] = "say",   [ENTRY_SEE] = "see",   [ENTRY_SHOW] = "show",
    [ENTRY_AT] = "at",     [ENTRY_DO] = "do",     [ENTRY_SETTINGS] = "settings",
};

/* --- faults --- */

void glossary_add_fault(struct glossary *g, int line, const char *format, ...)
{
    struct str text = STR_EMPTY;
    va_list args;
    va_start(args, format);
    str_addvf(&text, format, args);
    va_end(args);
    g->fault = xrealloc(g->fault, g->faults + 1, sizeof *g->fault);
    size_t at = g->faults++;
    for (; at > 0 && g->fault[at - 1].line > line; at--) { /* by line, as they were found */
        g->fault[at] = g->fault[at - 1];
    }
    g->fault[at] = (struct glossary_fault){line, str_take(&text)};
}

bool glossary_good(const struct glossary *g, struct err *err)
{
    return g->faults == 0 || err_set(err, "%s:%d: %s", g->path, g->fault[0].line, g->fault[0].text);
}

/* --- reading --- */

struct reading {
    struct glossary *g;
    int number;                     /* of the line */
    bool open;                      /* inside a block */
    struct str value[ENTRY_FIELDS]; /* but for `do` */
    struct glossary_list acts;
    int line[ENTRY_FIELDS];
    int first;                /* line of the block */
    enum glossary_field last; /* ENTRY_FIELDS: none that could go on */
};

static void list_add(struct glossary_list *list, const char *at, size_t length)
{
    list->item = xrealloc(list->item, list->count + 1, sizeof *list->item);
    list->item[list->count++] = xstrndup(at, length);
}

static void list_free(struct glossary_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->item[i]);
    }
    free(list->item);
    *list = (struct glossary_list){NULL, 0};
}

static struct bytes trimmed(const char *at, size_t length)
{
    while (length > 0 && isspace((unsigned char)*at)) {
        at++;
        length--;
    }
    while (length > 0 && isspace((unsigned char)at[length - 1])) {
        length--;
    }
    return (struct bytes){at, length};
}

/* "hash slot, bucket" */
static void split_names(struct reading *r, enum glossary_field field, struct glossary_list *out)
{
    const char *at = str_text(&r->value[field]);
    while (r->line[field] > 0) {
        size_t length = strcspn(at, ",");
        struct bytes name = trimmed(at, length);
        if (name.length == 0) {
            glossary_add_fault(r->g, r->line[field], "%s: a name is missing beside a comma",
                               field_names[field]);
        } else if (out->count == NAMES_MAX) {
            glossary_add_fault(r->g, r->line[field], "%s: more than %d names; leave the rest out",
                               field_names[field], NAMES_MAX);
            return;
        } else {
            list_add(out, name.at, name.length);
        }
        if (at[length] == '\0') {
            return;
        }
        at += length + 1;
    }
}

static char *taken(struct reading *r, enum glossary_field field)
{
    return r->line[field] > 0 ? str_take(&r->value[field]) : NULL;
}

static int part_of(struct reading *r)
{
    uint64_t part = 0;
    struct err err;
    if (r->line[ENTRY_PART] == 0) {
        return -1;
    }
    if (!num_parse_u64(str_text(&r->value[ENTRY_PART]), "part", 0, GLOSSARY_PART_MAX, &part,
                       &err)) {
        glossary_add_fault(r->g, r->line[ENTRY_PART], "%s", err.text);
        return -1;
    }
    return (int)part;
}

static void clear_block(struct reading *r)
{
    for (int i = 0; i < ENTRY_FIELDS; i++) {
        str_free(&r->value[i]);
        r->line[i] = 0;
    }
    list_free(&r->acts);
    r->open = false;
    r->last = ENTRY_FIELDS;
}

static void end_block(struct reading *r)
{
    struct glossary *g = r->g;
    if (r->open && r->line[ENTRY_TERM] == 0) {
        glossary_add_fault(g, r->first, "this block has no term; begin it with \"term: ...\"");
    } else if (r->open && g->count == GLOSSARY_ENTRIES_MAX) {
        glossary_add_fault(g, r->first, "more than %d terms; leave the rest out",
                           GLOSSARY_ENTRIES_MAX);
    } else if (r->open) {
        struct glossary_entry e = {.part = part_of(r), .acts = r->acts};
        memcpy(e.line, r->line, sizeof e.line);
        split_names(r, ENTRY_ALSO, &e.also);
        split_names(r, ENTRY_SEE, &e.see);
        e.term = taken(r, ENTRY_TERM);
        e.say = taken(r, ENTRY_SAY);
        e.show = taken(r, ENTRY_SHOW);
        e.at = taken(r, ENTRY_AT);
        e.settings = taken(r, ENTRY_SETTINGS);
        r->acts = (struct glossary_list){NULL, 0};
        g->entry = xrealloc(g->entry, g->count + 1, sizeof *g->entry);
        g->entry[g->count++] = e;
    }
    clear_block(r);
}

static void go_on(struct reading *r, struct bytes text)
{
    if (r->last == ENTRY_FIELDS) {
        glossary_add_fault(r->g, r->number,
                           "this line goes on with nothing; no field is before it");
    } else if (r->last == ENTRY_DO) {
        glossary_add_fault(r->g, r->number,
                           "a command is one line; begin another with \"do: ...\"");
    } else {
        str_addc(&r->value[r->last], ' ');
        str_addn(&r->value[r->last], text.at, text.length);
    }
}

static void refuse_field(struct reading *r, const char *name)
{
    const char *near = near_name(name, field_names, ENTRY_FIELDS);
    struct err_word word = err_word(name, SHOWN_COLUMNS);
    if (near != NULL) {
        glossary_add_fault(r->g, r->number, "\"%s\" is no field, did you mean %s?", word.text,
                           near);
    } else {
        glossary_add_fault(
            r->g, r->number,
            "\"%s\" is no field; fields are term, also, part, say, see, show, at, do "
            "and settings",
            word.text);
    }
}

static void keep_field(struct reading *r, enum glossary_field field, struct bytes text)
{
    const char *name = field_names[field];
    if (field != ENTRY_DO && r->line[field] > 0) {
        glossary_add_fault(r->g, r->number, "%s is there already, in line %d", name,
                           r->line[field]);
        return;
    }
    if (text.length == 0) {
        glossary_add_fault(r->g, r->number, "%s is empty; write it behind the colon", name);
        return;
    }
    r->line[field] = r->line[field] > 0 ? r->line[field] : r->number;
    r->last = field;
    if (field == ENTRY_DO) {
        list_add(&r->acts, text.at, text.length);
    } else {
        str_addn(&r->value[field], text.at, text.length);
    }
}

static void read_field(struct reading *r, const char *line, size_t length)
{
    const char *colon = memchr(line, ':', length);
    r->last = ENTRY_FIELDS;
    if (colon == NULL || isspace((unsigned char)*line)) {
        glossary_add_fault(
            r->g, r->number,
            "this is no field; write \"name: text\", or two blanks before what goes on");
        return;
    }
    char *name = xstrndup(line, (size_t)(colon - line));
    struct bytes text = trimmed(colon + 1, length - (size_t)(colon - line) - 1);
    for (int i = 0; i <= ENTRY_FIELDS; i++) {
        if (i == ENTRY_FIELDS) {
            refuse_field(r, name);
        } else if (strcmp(field_names[i], name) == 0) {
            keep_field(r, (enum glossary_field)i, text);
            break;
        }
    }
    free(name);
}

/* Whether a screen can show it: whole characters, no controls. */
static bool is_text(const char *line, size_t length)
{
    struct str shown = STR_EMPTY;
    utf8_visible(&shown, line, length);
    bool same = shown.length == length && memcmp(str_text(&shown), line, length) == 0;
    str_free(&shown);
    return same;
}

static void read_line(struct reading *r, const char *line, size_t length)
{
    r->number++;
    length -= length > 0 && line[length - 1] == '\r';
    struct bytes text = trimmed(line, length);
    if (text.length == 0) {
        end_block(r);
    } else if (line[0] == '#') {
        r->last = ENTRY_FIELDS;
    } else {
        r->first = r->open ? r->first : r->number;
        r->open = true;
        if (length > 0 && !is_text(line, length)) {
            r->last = ENTRY_FIELDS;
            glossary_add_fault(r->g, r->number,
                               "this line holds bytes that are no text; save the file as UTF-8");
        } else if (length > 1 && line[0] == ' ' && line[1] == ' ') {
            go_on(r, text);
        } else {
            read_field(r, line, length);
        }
    }
}

static int by_term(const void *a, const void *b)
{
    const struct glossary_entry *x = a, *y = b;
    int by_letters = strcasecmp(x->term, y->term);
    return by_letters != 0 ? by_letters : x->line[ENTRY_TERM] - y->line[ENTRY_TERM];
}

struct glossary *glossary_parse(const char *text, size_t length, const char *path)
{
    struct glossary *g = xcalloc(1, sizeof *g);
    struct reading r = {.g = g, .last = ENTRY_FIELDS};
    g->path = xstrdup(path);
    size_t mark = strlen(BYTE_ORDER_MARK); /* some editors begin a file with it */
    bool marked = length >= mark && memcmp(text, BYTE_ORDER_MARK, mark) == 0;
    for (size_t at = marked ? mark : 0; at < length;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t line = end != NULL ? (size_t)(end - text) - at : length - at;
        read_line(&r, text + at, line);
        at += line + 1;
    }
    end_block(&r);
    if (g->count > 0) {
        qsort(g->entry, g->count, sizeof *g->entry, by_term);
    } else if (g->faults == 0) {
        glossary_add_fault(g, 1, "no term is in here; a glossary begins with \"term: ...\"");
    }
    glossary_check(g);
    return g;
}

struct glossary *glossary_load(const char *path, struct err *err)
{
    struct str text = STR_EMPTY;
    struct glossary *g = NULL;
    if (file_read(path, GLOSSARY_BYTES_MAX, &text, err)) {
        g = glossary_parse(str_text(&text), text.length, path);
    }
    str_free(&text);
    return g;
}

void glossary_free(struct glossary *g)
{
    for (size_t i = 0; g != NULL && i < g->count; i++) {
        struct glossary_entry *e = &g->entry[i];
        list_free(&e->also);
        list_free(&e->see);
        list_free(&e->acts);
        free(e->term);
        free(e->say);
        free(e->show);
        free(e->at);
        free(e->settings);
    }
    for (size_t i = 0; g != NULL && i < g->faults; i++) {
        free(g->fault[i].text);
    }
    if (g != NULL) {
        free(g->entry);
        free(g->fault);
        free(g->path);
        free(g);
    }
}

bool glossary_act(const char *line, struct command *out, int64_t *wait_us, struct err *err)
{
    uint64_t ms = 0;
    *wait_us = -1;
    if (!str_starts(line, "wait ")) {
        return command_parse_typed(line, 0, out, err);
    }
    if (!num_parse_u64(line + strlen("wait "), "the milliseconds of wait", 1, WAIT_MS_MAX, &ms,
                       err)) {
        return false;
    }
    *wait_us = (int64_t)ms * US_PER_MS;
    return true;
}
