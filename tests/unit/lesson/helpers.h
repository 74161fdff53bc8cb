/*
 * helpers: what the tests of the lesson layer share. Lessons are read from the repository's root,
 * or written to a folder of the test's own.
 */
#ifndef TEST_LESSON_HELPERS_H
#define TEST_LESSON_HELPERS_H

#include "base/file.h"
#include "base/str.h"
#include "engine/journal.h"
#include "lesson/player.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define GOOD_LESSON "tests/data/lessons/10_good.lua"

#define assert_contains(text, part) assert_contains_at(text, part, __FILE__, __LINE__)

static inline void assert_contains_at(const char *text, const char *part, const char *file,
                                      int line)
{
    if (strstr(text, part) == NULL) {
        print_error("\"%s\" is not in \"%s\"\n", part, text);
        _fail(file, line);
    }
}

static inline struct player *open_good(const char *path, uint64_t seed)
{
    struct err err = {""};
    struct player *p = player_open(path, seed, &err);
    if (p == NULL) {
        print_error("%s\n", err.text);
    }
    assert_non_null(p);
    return p;
}

/* Answers, skips and goes on until the step with this id is shown. */
static inline void go_to_step(struct player *p, const char *id)
{
    struct err err = {""};
    if (!player_go(p, id, &err)) {
        print_error("%s\n", err.text);
        fail();
    }
}

/* Writes `text` as FOLDER/NAME; the path is in `out`. */
static inline void write_file(struct str *out, const char *folder, const char *name,
                              const char *text)
{
    struct err err = {""};
    str_clear(out);
    str_addf(out, "%s/%s", folder, name);
    if (!file_replace(out->text, text, strlen(text), &err)) {
        print_error("%s\n", err.text);
        fail();
    }
}

/* A folder that is removed with remove_folder. */
static inline int make_folder(void **state)
{
    char *folder = strdup("/tmp/hotshard-test-XXXXXX");
    *state = folder;
    return folder == NULL || mkdtemp(folder) == NULL ? -1 : 0;
}

static inline int remove_folder(void **state)
{
    struct str command = STR_EMPTY;
    str_addf(&command, "rm -r '%s'", (const char *)*state);
    int status = system(command.text);
    str_free(&command);
    free(*state);
    return status;
}

#endif
