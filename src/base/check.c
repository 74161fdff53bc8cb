/*
 * check: the end of the program after a mistake of ours. No allocation and no stdio: the heap may
 * be what is broken.
 */
#include "base/check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put(const char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        ssize_t wrote = write(STDERR_FILENO, text, left);
        if (wrote <= 0) {
            return; /* nobody is left to tell */
        }
        text += wrote;
        left -= (size_t)wrote;
    }
}

_Noreturn void check_failed(const char *file, int line, const char *condition)
{
    char digits[12];
    size_t at = sizeof digits - 1;
    unsigned rest = line > 0 ? (unsigned)line : 0;

    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    put("hotshard: internal error, please report it: ");
    put(file);
    put(":");
    put(digits + at);
    put(": not true: ");
    put(condition);
    put("\n");
    abort();
}
