/*
 * alloc: allocation that ends the program where memory runs out, so that no caller has to unwind.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* madvise is not of POSIX */
#endif
#include "base/alloc.h"

#include "base/check.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define OUT_OF_MEMORY 2 /* as what could not be done */
#define LARGE_PAGE (2u << 20)
#define LARGE_BLOCK (32u << 20)

/* Out of memory is the machine's state and not a mistake of ours: one line, the status of what
 * could not be done, and on the way out the terminal is put right. */
static void *must(void *got, size_t size)
{
    if (got == NULL) {
        char line[128];
        int length = snprintf(line, sizeof line,
                              "hotshard: there is no memory left for %zu bytes more; give it more, "
                              "or ask for less\n",
                              size);
        ssize_t ignored = write(STDERR_FILENO, line, (size_t)length);
        (void)ignored;
        exit(OUT_OF_MEMORY);
    }
    return got;
}

/* A block that is walked at random runs faster on large pages; a system without them says no, and
 * nothing is lost. */
static void *on_large_pages(void *block, size_t size)
{
#ifdef MADV_HUGEPAGE
    if (block != NULL && size >= LARGE_BLOCK) {
        uintptr_t page = (uintptr_t)LARGE_PAGE;
        uintptr_t from = ((uintptr_t)block + page - 1) / page * page;
        uintptr_t to = ((uintptr_t)block + size) / page * page;
        (void)madvise((void *)from, to - from, MADV_HUGEPAGE);
    }
#else
    (void)size;
#endif
    return block;
}

void *xcalloc(size_t count, size_t size)
{
    CHECK(count > 0 && size > 0);
    CHECK(count <= SIZE_MAX / size);
    return must(on_large_pages(calloc(count, size), count * size), count * size);
}

void *xmalloc(size_t size)
{
    CHECK(size > 0);
    return must(on_large_pages(malloc(size), size), size);
}

void *xrealloc(void *old, size_t count, size_t size)
{
    CHECK(count > 0 && size > 0);
    CHECK(count <= SIZE_MAX / size);
    return must(realloc(old, count * size), count * size);
}

char *xstrdup(const char *text)
{
    return xstrndup(text, strlen(text));
}

char *xstrndup(const char *text, size_t length)
{
    CHECK(length < SIZE_MAX);
    char *copy = xmalloc(length + 1);
    if (length > 0) {
        memcpy(copy, text, length);
    }
    copy[length] = '\0';
    return copy;
}
