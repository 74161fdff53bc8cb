/*
 * glossary: the terms of the field, each with a definition and a picture to be made; plain values.
 *
 * The file (docs/lessons.md) is blocks with a blank line between, each of fields "name: text"; a
 * text goes on in lines that start with two blanks; a line that starts with '#' is a comment.
 *
 *   term: slot                 once a block
 *   also: hash slot, bucket    other names
 *   part: 1                    that teaches it
 *   say: Two sentences.        markup (draw/prose.h)
 *   see: router, shard         names of other entries
 *   show: slot_map             a picture, with its argument: cache:post:{p9}
 *   at: 14                     "quiet" (as without it), or the story after this event of its main
 * line do: wait 500               a command before the picture, or so many milliseconds; any number
 * of them settings: scheme ring      instead of `at` and `do`: a state of the playground
 *
 * A name is found in small and capital letters, with any blanks or hyphens between its words, and
 * with or without a plural s, es, ies. In a text it is found at word boundaries, the longest first;
 * a word of the name that is written in capitals (MOVED) only in capitals, since prose uses the
 * same word otherwise.
 *
 * Reading goes on after a fault: what could be read is there, and each fault with its line. Entries
 * are sorted by term. Which pictures there are is not known here: see glossary_judge.
 */
#ifndef HOTSHARD_LESSON_GLOSSARY_H
#define HOTSHARD_LESSON_GLOSSARY_H

#include "base/err.h"
#include "engine/command.h"
#include <stddef.h>
#include <stdint.h>

#define GLOSSARY_NONE SIZE_MAX
#define GLOSSARY_BYTES_MAX ((size_t)1 << 20)
#define GLOSSARY_ENTRIES_MAX 2000
#define GLOSSARY_PART_MAX 99

enum glossary_field {
    ENTRY_TERM,
    ENTRY_ALSO,
    ENTRY_PART,
    ENTRY_SAY,
    ENTRY_SEE,
    ENTRY_SHOW,
    ENTRY_AT,
    ENTRY_DO,
    ENTRY_SETTINGS,
    ENTRY_FIELDS
};

struct glossary_list {
    char **item;
    size_t count;
};

struct glossary_entry {
    char *term;
    struct glossary_list also, see;
    struct glossary_list acts; /* the lines `do` */
    char *say;
    char *show, *at, *settings; /* NULL: not there */
    int part;                   /* -1: not there */
    int line[ENTRY_FIELDS];     /* of each field's first line; 0: not there */
};

struct glossary_fault {
    int line;
    char *text;
};

struct glossary {
    char *path;
    struct glossary_entry *entry;
    size_t count;
    struct glossary_fault *fault; /* in the order of their lines */
    size_t faults;
    size_t name_words_max; /* of the longest name */
};

/* Never NULL: a glossary with faults still has what could be read. */
struct glossary *glossary_parse(const char *text, size_t length, const char *path);
/* NULL when the file cannot be read. */
struct glossary *glossary_load(const char *path, struct err *err);
void glossary_free(struct glossary *g); /* NULL is fine */
/* False with the first fault, "FILE:LINE: what"; for who needs it whole. */
bool glossary_good(const struct glossary *g, struct err *err);

/* The entry of a name, GLOSSARY_NONE when there is none; and the name that may be meant, or NULL.
 */
size_t glossary_find(const struct glossary *g, const char *name);
const char *glossary_near(const struct glossary *g, const char *name);
/* Whether a part of this entry's names is `part`: what a search shows. */
bool glossary_matches(const struct glossary_entry *e, const char *part);
/* The terms of a text with markup, each once, in the order in which they first appear; how many.
 * [[term]] always counts, what stands in `backticks` never. */
size_t glossary_in_text(const struct glossary *g, const char *markup, size_t *out, size_t most);

/* Bytes of the first sentence of a definition. */
size_t glossary_first_sentence(const char *say);
/* A line `do`: a command as people type it, or "wait MS" (then *wait_us is not negative). */
bool glossary_act(const char *line, struct command *out, int64_t *wait_us, struct err *err);
/* `can_show` says whether an entry's picture can be made, or why not; what it refuses becomes a
 * fault. */
struct glossary_judge {
    bool (*can_show)(void *context, const struct glossary_entry *entry, struct err *err);
    void *context;
};
void glossary_judge_pictures(struct glossary *g, const struct glossary_judge *judge);

#endif
