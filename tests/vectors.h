/*
 * vectors: reads a file of known answers below data/: comments with '#', one line of column names,
 * rows of tab-separated fields. vectors_next also reads the first of them as the key in hexadecimal
 * ("-" is the empty key); where the first is something else, vectors_next_row leaves it as text.
 */
#ifndef HOTSHARD_TESTS_VECTORS_H
#define HOTSHARD_TESTS_VECTORS_H

#include "figures.h"

#define VECTORS_FIELDS 8
#define VECTORS_LINE_MAX 4096

struct vectors {
    struct line_reader *reader;
    bool in_rows;
    char line[VECTORS_LINE_MAX];
    const char *fields[VECTORS_FIELDS]; /* "" beyond the last */
    char key[VECTORS_LINE_MAX];
    size_t key_length;
};

static inline bool vectors_open(struct vectors *v, const char *name)
{
    struct str path = STR_EMPTY;
    struct err err;
    memset(v, 0, sizeof *v);
    figures_path(&path, name);
    v->reader = line_reader_open(path.text, VECTORS_LINE_MAX - 1, &err);
    if (v->reader == NULL) {
        printf("%s\n", err.text);
    }
    str_free(&path);
    return v->reader != NULL;
}

static inline bool vectors_read_key(struct vectors *v)
{
    v->key_length = 0;
    if (strcmp(v->fields[0], "-") == 0) {
        return true;
    }
    for (const char *at = v->fields[0]; *at != '\0'; at += 2) {
        unsigned byte = 0;
        if (sscanf(at, "%2x", &byte) != 1 || at[1] == '\0') {
            return false;
        }
        v->key[v->key_length++] = (char)byte;
    }
    return true;
}

static inline bool vectors_next_row(struct vectors *v)
{
    struct bytes line;
    while (line_reader_next(v->reader, &line, NULL) == 1) {
        memcpy(v->line, line.at, line.length);
        v->line[line.length] = '\0';
        if (v->line[0] == '#' || !v->in_rows) {
            v->in_rows = v->line[0] != '#';
            continue;
        }
        char *rest = v->line;
        for (size_t i = 0; i < VECTORS_FIELDS; i++) {
            char *field = figures_cut(&rest, '\t');
            v->fields[i] = field != NULL ? field : rest;
            rest = field != NULL ? rest : rest + strlen(rest);
        }
        return true;
    }
    return false;
}

/* The next row; a row whose key cannot be read ends the file, which the caller's count shows. */
static inline bool vectors_next(struct vectors *v)
{
    return vectors_next_row(v) && vectors_read_key(v);
}

static inline void vectors_close(struct vectors *v)
{
    line_reader_close(v->reader);
}

#endif
