/*
 * golden: a text compared with the one kept in tests/screen.
 *
 * golden_text("bars_40x19_utf8", text) compares with tests/screen/bars_40x19_utf8.txt. A difference
 * fails the test: the first differing line is printed with a caret, and the command that rewrites
 * the file. With HOTSHARD_GOLDEN=update in the environment the file is written instead; look at
 * what changed before keeping it. Tests run from the top of the source tree.
 */
#ifndef HOTSHARD_TESTS_GOLDEN_H
#define HOTSHARD_TESTS_GOLDEN_H

#include "base/file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GOLDEN_LIMIT ((size_t)4 << 20)

/* Prints where the two part: line by line, bytes under the caret counted as columns. */
static inline void golden_explain(const char *path, const char *want, const char *have)
{
    for (int line = 1;; line++) {
        size_t want_length = strcspn(want, "\n"), have_length = strcspn(have, "\n");
        if (want_length != have_length || memcmp(want, have, want_length) != 0) {
            int column = 0;
            size_t at = 0;
            while (at < want_length && at < have_length && want[at] == have[at]) {
                column += ((unsigned char)want[at] & 0xC0u) != 0x80u; /* code points */
                at++;
            }
            print_error("%s:%d differs\n  want %.*s\n  have %.*s\n       %*s^\n", path, line,
                        (int)want_length, want, (int)have_length, have, column, "");
            break;
        }
        if (want[want_length] == '\0' || have[have_length] == '\0') {
            print_error("%s:%d: one of the two ends here\n", path, line);
            break;
        }
        want += want_length + 1;
        have += have_length + 1;
    }
    print_error("  if this is meant: HOTSHARD_GOLDEN=update make unit, then review the change\n");
}

static inline void golden_text(const char *name, const char *text)
{
    char path[256];
    struct err err = {{0}};
    (void)snprintf(path, sizeof path, "tests/screen/%s.txt", name);
    const char *mode = getenv("HOTSHARD_GOLDEN");
    if (mode != NULL && strcmp(mode, "update") == 0) {
        if (!file_replace(path, text, strlen(text), &err)) {
            fail_msg("%s", err.text);
        }
        return;
    }
    struct str want = STR_EMPTY;
    if (!file_read(path, GOLDEN_LIMIT, &want, &err)) {
        fail_msg("%s (HOTSHARD_GOLDEN=update writes it)", err.text);
    }
    bool same = strcmp(str_text(&want), text) == 0;
    if (!same) {
        golden_explain(path, str_text(&want), text);
    }
    str_free(&want);
    if (!same) {
        fail_msg("%s is not what is drawn now", path);
    }
}

#endif
