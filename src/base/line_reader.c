/*
 * line_reader: lines out of one buffer that is refilled by large reads. The buffer grows only for a
 * line that does not fit, and never beyond the limit of a line plus one read.
 */
#include "base/file.h"

#include "base/alloc.h"
#include "base/check.h"
#include "base/gzip.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_SIZE ((size_t)1 << 16)
#define PATH_COLUMNS 200 /* of a path in a message */

struct line_reader {
    int fd;
    char *path;
    size_t limit;
    int64_t size;
    char *buffer;
    size_t room;
    size_t start;   /* of the line that comes next */
    size_t end;     /* of what was read */
    uint64_t total; /* bytes read */
    uint64_t lines; /* handed out */
    bool unpacks;   /* gzip, if the first bytes say so */
    struct gzip *gzip;
    bool at_end;
    bool failed;
};

static bool open_input(struct line_reader *r, const char *path, struct err *err)
{
    bool standard = strcmp(path, "-") == 0;
    if (*path == '\0') {
        r->fd = -1;
        return err_set(err, "the path is empty; name a file, or - for standard input");
    }
    r->fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (r->fd < 0) {
        return err_set(err, "cannot read %s: %s; check its name and permissions",
                       err_word(path, PATH_COLUMNS).text, strerror(errno));
    }
    struct stat st;
    if (fstat(r->fd, &st) != 0) {
        return err_set(err, "cannot read %s: %s", err_word(path, PATH_COLUMNS).text,
                       strerror(errno));
    }
    if (S_ISDIR(st.st_mode)) {
        return err_set(err, "%s is a folder; name a file", err_word(path, PATH_COLUMNS).text);
    }
    r->size = S_ISREG(st.st_mode) ? (int64_t)st.st_size : -1;
    r->path = xstrdup(standard ? "standard input" : path);
    return true;
}

struct line_reader *line_reader_open(const char *path, size_t limit, struct err *err)
{
    CHECK(limit < SIZE_MAX / 4);
    struct line_reader *r = xcalloc(1, sizeof *r);
    r->limit = limit;
    if (!open_input(r, path, err)) {
        line_reader_close(r);
        return NULL;
    }
    r->room = 2 * READ_SIZE;
    r->buffer = xmalloc(r->room);
    return r;
}

struct line_reader *line_reader_open_packed(const char *path, size_t limit, struct err *err)
{
    struct line_reader *r = line_reader_open(path, limit, err);
    if (r != NULL) {
        r->unpacks = true;
    }
    return r;
}

static bool fill_packed(struct line_reader *r, struct err *err)
{
    int64_t got = gzip_read(r->gzip, r->buffer + r->end, r->room - r->end, err);
    if (got < 0) {
        return err_prefix(err, "%s", err_word(r->path, PATH_COLUMNS).text);
    }
    r->end += (size_t)got;
    r->total = gzip_packed(r->gzip);
    r->at_end = got == 0;
    return true;
}

static bool fill_plain(struct line_reader *r, struct err *err)
{
    ssize_t got;
    do {
        got = read(r->fd, r->buffer + r->end, r->room - r->end);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        return err_set(err, "cannot read %s after line %" PRIu64 ": %s; check the disk", r->path,
                       r->lines, strerror(errno));
    }
    r->end += (size_t)got;
    r->total += (uint64_t)got;
    r->at_end = got == 0;
    return true;
}

/* The first bytes of all say whether there is something to unpack; a pipe may hand out only one. */
static bool fill_first(struct line_reader *r, struct err *err)
{
    r->unpacks = false;
    while (r->end < 2 && !r->at_end) {
        if (!fill_plain(r, err)) {
            return false;
        }
    }
    if (gzip_starts(r->buffer, r->end)) {
        r->gzip = gzip_new(r->fd, r->buffer, r->end);
        r->end = 0;
        r->at_end = false;
        return fill_packed(r, err);
    }
    return true;
}

/* Makes room behind what is there and reads once. */
static bool fill(struct line_reader *r, struct err *err)
{
    size_t kept = r->end - r->start;
    if (r->start > 0) {
        memmove(r->buffer, r->buffer + r->start, kept);
        r->start = 0;
        r->end = kept;
    }
    if (r->room - r->end < READ_SIZE) {
        r->room *= 2;
        r->buffer = xrealloc(r->buffer, r->room, 1);
    }
    return r->unpacks        ? fill_first(r, err)
           : r->gzip != NULL ? fill_packed(r, err)
                             : fill_plain(r, err);
}

static bool too_long(const struct line_reader *r, struct err *err)
{
    return err_set(err, "%s line %" PRIu64 ": longer than %zu bytes; split it or leave it out",
                   r->path, r->lines + 1, r->limit);
}

/* Finds the next line's length without newline; *found is false at the end of the input. */
static bool find_line(struct line_reader *r, size_t *length, bool *found, struct err *err)
{
    size_t looked = 0;
    for (;;) {
        size_t there = r->end - r->start;
        const char *from = r->buffer + r->start;
        const char *newline = there > looked ? memchr(from + looked, '\n', there - looked) : NULL;
        *length = newline != NULL ? (size_t)(newline - from) : there;
        if (*length > r->limit) {
            return too_long(r, err);
        }
        *found = newline != NULL || (r->at_end && there > 0);
        if (*found || r->at_end) {
            return true;
        }
        looked = there;
        if (!fill(r, err)) {
            return false;
        }
    }
}

int line_reader_next(struct line_reader *r, struct bytes *line, struct err *err)
{
    size_t length = 0;
    bool found = false;
    if (r->failed) {
        (void)err_set(err, "%s: reading stopped at line %" PRIu64,
                      err_word(r->path, PATH_COLUMNS).text, r->lines + 1);
        return -1;
    }
    if (!find_line(r, &length, &found, err)) {
        r->failed = true;
        return -1;
    }
    if (!found) {
        return 0;
    }
    *line = (struct bytes){.at = r->buffer + r->start, .length = length};
    r->start += length;
    if (r->start < r->end) {
        r->start++; /* the newline */
    }
    r->lines++;
    return 1;
}

uint64_t line_reader_bytes(const struct line_reader *r)
{
    return r->total;
}

int64_t line_reader_size(const struct line_reader *r)
{
    return r->size;
}

void line_reader_close(struct line_reader *r)
{
    if (r->fd >= 0 && r->fd != STDIN_FILENO) {
        (void)close(r->fd);
    }
    gzip_free(r->gzip);
    free(r->path);
    free(r->buffer);
    free(r);
}
