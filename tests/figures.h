/*
 * figures: checks our own code against the rows of data/figures.tsv.
 *
 * A test program has tables of { row id, a function that computes the value as text }, loads the
 * file once, checks its tables against it and prints, part by part, how many rows they cover. A row
 * that is unknown, or claimed twice, fails; so does one that has no checkable value. Values are
 * computed, never typed in. What no program can compute is told with its reason
 * (figures_tell_apart); what is in neither table is open, and figures_open names it.
 *
 * Tolerances of the file: "exact" compares the text, and so does "given", a stated input that our
 * code must have as its own; a number is a relative tolerance, word by word, two of which are a
 * band, 1.2..3.4; "not reproducible" rows are bands "LOW..HIGH" as others measured them, within
 * which each of our words must lie; "not derivable" rows cannot be checked. Everything is static:
 * test programs are single files. HOTSHARD_TESTS names the tests folder when the program does not
 * run in the folder above it.
 */
#ifndef HOTSHARD_TESTS_FIGURES_H
#define HOTSHARD_TESTS_FIGURES_H

#include "base/alloc.h"
#include "base/file.h"
#include "base/str.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct figure {
    const char *id;
    void (*value)(const struct figure *figure, struct str *out);
    const char *text; /* what the function wants to know, as it likes */
    int64_t a;
    int64_t b;
};

/* A row that no program can compute from what its sources say. */
struct figure_not_ours {
    const char *id;
    const char *reason;
};

struct figures_row {
    const char *id;
    const char *part;
    const char *value;
    const char *unit;
    const char *tolerance;
    const char *reason; /* why it is not ours, or NULL */
    bool covered;
};

struct figures {
    struct str text;
    struct figures_row *rows;
    size_t count;
};

/* "tests/data/NAME", or below HOTSHARD_TESTS. */
static inline void figures_path(struct str *path, const char *name)
{
    const char *folder = getenv("HOTSHARD_TESTS");
    str_addf(path, "%s/data/%s", folder != NULL && *folder != '\0' ? folder : "tests", name);
}

/* Cuts the text at *rest into a field ended by `end`; NULL when there is none. */
static inline char *figures_cut(char **rest, char end)
{
    char *field = *rest;
    char *at = strchr(field, end);
    if (at == NULL) {
        return NULL;
    }
    *at = '\0';
    *rest = at + 1;
    return field;
}

/* id, part, what, value, unit, tolerance, source, how. */
static inline bool figures_cut_row(char *line, struct figures_row *row)
{
    const char *fields[7];
    for (size_t i = 0; i < 7; i++) {
        fields[i] = figures_cut(&line, '\t');
        if (fields[i] == NULL) {
            return false;
        }
    }
    *row = (struct figures_row){
        .id = fields[0],
        .part = fields[1],
        .value = fields[3],
        .unit = fields[4],
        .tolerance = fields[5],
    };
    return true;
}

static inline struct figures_row *figures_find(const struct figures *figures, const char *id)
{
    for (size_t i = 0; i < figures->count; i++) {
        if (strcmp(figures->rows[i].id, id) == 0) {
            return &figures->rows[i];
        }
    }
    return NULL;
}

static inline void figures_free(struct figures *figures)
{
    free(figures->rows);
    str_free(&figures->text);
    *figures = (struct figures){0};
}

/* False, with a line on standard output, when the file is missing, malformed or repeats an id. */
static inline bool figures_load(struct figures *figures)
{
    struct str path = STR_EMPTY;
    struct err err;
    *figures = (struct figures){0};
    figures_path(&path, "figures.tsv");
    bool ok = file_read(path.text, 16u << 20, &figures->text, &err);
    str_free(&path);
    if (!ok) {
        printf("%s\n", err.text);
        return false;
    }
    size_t room = 0;
    char *rest = figures->text.text;
    (void)figures_cut(&rest, '\n'); /* the names of the columns */
    for (char *line = figures_cut(&rest, '\n'); line != NULL; line = figures_cut(&rest, '\n')) {
        struct figures_row row;
        if (!figures_cut_row(line, &row) || figures_find(figures, row.id) != NULL) {
            printf("%s: not a row, or there twice\n", line);
            return false;
        }
        if (figures->count == room) {
            room = room == 0 ? 1024 : room * 2;
            figures->rows = xrealloc(figures->rows, room, sizeof *figures->rows);
        }
        figures->rows[figures->count++] = row;
    }
    return figures->count > 0;
}

/* Past the two points of a band; `at` is the end of its first number, which in "1..2" took one of
 * them along. */
static inline const char *figures_past_points(const char *at)
{
    bool first_taken = at[0] == '.' && at[-1] == '.';
    return first_taken ? at + 1 : at[0] == '.' && at[1] == '.' ? at + 2 : at;
}

/* Each word of `ours` is a number within the relative tolerance of its twin. */
static inline bool figures_within(const char *ours, const char *theirs, double tolerance)
{
    for (;;) {
        char *our_end;
        char *their_end;
        double our = strtod(ours, &our_end);
        double their = strtod(theirs, &their_end);
        if (our_end == ours || their_end == theirs) {
            return false;
        }
        if (!(fabs(our - their) <= tolerance * fabs(their))) {
            return false;
        }
        if (*our_end == '\0' || *their_end == '\0') {
            return *our_end == *their_end;
        }
        ours = figures_past_points(our_end);
        theirs = figures_past_points(their_end);
    }
}

/* Each word of `ours`, at least one, is a number from LOW to HIGH of "LOW..HIGH". */
static inline bool figures_in_band(const char *ours, const char *band)
{
    char *end;
    double low = strtod(band, &end);
    if (end == band) {
        return false;
    }
    const char *points = figures_past_points(end);
    double high = strtod(points, &end);
    if (end == points) {
        return false;
    }
    for (bool any = false;; any = true) {
        double our = strtod(ours, &end);
        if (end == ours) {
            return any && *ours == '\0';
        }
        if (!(our >= low && our <= high)) {
            return false;
        }
        ours = end;
    }
}

static inline bool figures_agree(const struct figures_row *row, const char *ours)
{
    if (strcmp(row->tolerance, "exact") == 0 || strcmp(row->tolerance, "given") == 0) {
        return strcmp(row->value, ours) == 0;
    }
    if (strcmp(row->tolerance, "not reproducible") == 0) {
        return figures_in_band(ours, row->value);
    }
    char *end;
    double tolerance = strtod(row->tolerance, &end);
    return end != row->tolerance && figures_within(ours, row->value, tolerance);
}

/* Takes the row for covered, unless it is unknown or was taken before. */
static inline bool figures_claim(struct figures_row *row, const char *id)
{
    if (row == NULL || row->covered || row->reason != NULL) {
        printf("%s: %s\n", id, row == NULL ? "no such row" : "checked twice, or told apart");
        return false;
    }
    row->covered = true;
    return true;
}

/* The rows that another program checks. Returns how many are unknown or were taken before. */
static inline size_t figures_elsewhere(struct figures *figures, const char *const *ids,
                                       size_t count)
{
    size_t failed = 0;
    for (size_t i = 0; i < count; i++) {
        failed += !figures_claim(figures_find(figures, ids[i]), ids[i]);
    }
    return failed;
}

static inline bool figures_set_apart(struct figures_row *row,
                                     const struct figure_not_ours *not_ours, bool may_be)
{
    if (row == NULL || row->covered || row->reason != NULL || !may_be) {
        printf("%s: no row that can be told apart\n", not_ours->id);
        return false;
    }
    row->reason = not_ours->reason;
    return true;
}

/* The rows that are not ours, with reasons. Only rows whose sources give nothing to compute may be
 * told apart. Returns how many failed. */
static inline size_t figures_tell_apart(struct figures *figures,
                                        const struct figure_not_ours *table, size_t count)
{
    size_t failed = 0;
    for (size_t i = 0; i < count; i++) {
        struct figures_row *row = figures_find(figures, table[i].id);
        bool may_be = row != NULL && strcmp(row->tolerance, "not derivable") == 0;
        failed += !figures_set_apart(row, &table[i], may_be);
    }
    return failed;
}

/* Likewise rows that count the states of a search: they belong to how somebody else has cut the
 * steps. */
static inline size_t figures_of_another_cut(struct figures *figures,
                                            const struct figure_not_ours *table, size_t count)
{
    size_t failed = 0;
    for (size_t i = 0; i < count; i++) {
        struct figures_row *row = figures_find(figures, table[i].id);
        bool may_be = row != NULL && strcmp(row->unit, "states") == 0;
        failed += !figures_set_apart(row, &table[i], may_be);
    }
    return failed;
}

/* Names the rows of the part that are neither covered nor told apart; returns how many. A part
 * without rows counts as one. */
static inline size_t figures_open(const struct figures *figures, const char *part)
{
    size_t open = 0;
    size_t rows = 0;
    for (size_t i = 0; i < figures->count; i++) {
        const struct figures_row *row = &figures->rows[i];
        if (strcmp(row->part, part) != 0) {
            continue;
        }
        rows++;
        if (!row->covered && row->reason == NULL) {
            printf("%s, part %s: neither computed nor told apart\n", row->id, part);
            open++;
        }
    }
    return rows == 0 ? 1 : open;
}

/* Names each row checked; returns how many failed. */
static inline size_t figures_check(struct figures *figures, const struct figure *table,
                                   size_t count)
{
    size_t failed = 0;
    for (size_t i = 0; i < count; i++) {
        struct figures_row *row = figures_find(figures, table[i].id);
        if (!figures_claim(row, table[i].id)) {
            failed++;
            continue;
        }
        struct str ours = STR_EMPTY;
        table[i].value(&table[i], &ours);
        if (figures_agree(row, str_text(&ours))) {
            printf("  %s = %s\n", row->id, row->value);
        } else {
            printf("%s: the file says \"%s\" (%s), our code \"%s\"\n", row->id, row->value,
                   row->tolerance, str_text(&ours));
            failed++;
        }
        str_free(&ours);
    }
    return failed;
}

struct figures_count {
    size_t rows, covered, apart;
};

/* Of the part of the row at `first`; false when it came earlier in the file. */
static inline bool figures_count_part(const struct figures *figures, size_t first,
                                      struct figures_count *n)
{
    const char *part = figures->rows[first].part;
    *n = (struct figures_count){0};
    for (size_t i = 0; i < figures->count; i++) {
        if (strcmp(figures->rows[i].part, part) == 0) {
            if (i < first) {
                return false;
            }
            n->rows++;
            n->covered += figures->rows[i].covered;
            n->apart += figures->rows[i].reason != NULL;
        }
    }
    return true;
}

/* The parts of which rows are covered, or those of which none is, some to a line; "## " makes
 * run-units show it. */
static inline void figures_list_parts(const struct figures *figures, bool begun)
{
    int columns = 0;
    for (size_t i = 0; i < figures->count; i++) {
        struct figures_count n;
        if (!figures_count_part(figures, i, &n) || (n.covered + n.apart > 0) != begun) {
            continue;
        }
        char text[96];
        int length = snprintf(text, sizeof text, "part %.32s: %zu of %zu", figures->rows[i].part,
                              n.covered, n.rows);
        if (!begun) {
            length = snprintf(text, sizeof text, "%.32s (%zu)", figures->rows[i].part, n.rows);
        } else if (n.apart > 0) {
            length +=
                snprintf(text + length, sizeof text - (size_t)length, " (%zu not ours)", n.apart);
        }
        if (columns > 0 && columns + 2 + length > 96) {
            columns = 0;
            printf("\n");
        }
        columns += printf("%s%s", columns > 0 ? ", " : "## ", text);
    }
    printf("\n");
}

/* How many rows of every part are covered, and why some never will be. */
static inline void figures_coverage(const struct figures *figures)
{
    size_t covered = 0;
    size_t apart = 0;
    for (size_t i = 0; i < figures->count; i++) {
        const struct figures_row *row = &figures->rows[i];
        covered += row->covered;
        apart += row->reason != NULL;
        if (row->reason != NULL) {
            printf("  %s is not ours: %s\n", row->id, row->reason);
        }
    }
    printf("## figures.tsv: %zu of %zu rows covered, %zu not ours, %zu open\n", covered,
           figures->count, apart, figures->count - covered - apart);
    figures_list_parts(figures, true);
    printf("## open parts without a covered row, and how many they have:\n");
    figures_list_parts(figures, false);
}

/* Values as the file writes them. */
static inline void figures_add_int(struct str *out, int64_t value)
{
    str_addf(out, "%s%lld", out->length > 0 ? " " : "", (long long)value);
}

static inline void figures_add_real(struct str *out, double value)
{
    str_addf(out, "%s%.12g", out->length > 0 ? " " : "", value);
}

static inline void figures_add_band(struct str *out, double low, double high)
{
    str_addf(out, "%s%.12g..%.12g", out->length > 0 ? " " : "", low, high);
}

static inline void figures_add_word(struct str *out, const char *word)
{
    str_addf(out, "%s%s", out->length > 0 ? " " : "", word);
}

#endif
