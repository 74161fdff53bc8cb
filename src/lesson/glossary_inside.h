/*
 * glossary_inside: what the files of the glossary share.
 */
#ifndef HOTSHARD_LESSON_GLOSSARY_INSIDE_H
#define HOTSHARD_LESSON_GLOSSARY_INSIDE_H

#include "base/str.h"
#include "lesson/glossary.h"

void glossary_add_fault(struct glossary *g, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* glossary_check.c: what is wrong with entries that could be read; counts the words of names. */
void glossary_check(struct glossary *g);

/* glossary_find.c */
#define NAME_WORDS_MAX 8
size_t glossary_name_words(const char *name);
/* The entry of which this is a name letter by letter, small or capital; but not entry `beside`. */
size_t glossary_same_name(const struct glossary *g, const char *name, size_t beside);

#endif
