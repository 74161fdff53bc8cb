/*
 * file: whole files. Every write is flushed to the disk before success is reported, and on any
 * failure what was there before is still there.
 */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* realpath */
#endif
#include "base/file.h"

#include "base/alloc.h"
#include "base/check.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define PATH_COLUMNS 200 /* of a path in a message */

/* "cannot read PATH: reason; what to do" from errno. */
static bool fail(struct err *err, const char *verb, const char *path, const char *advice)
{
    const char *why = strerror(errno);
    return err_set(err, "cannot %s %s: %s; %s", verb, err_word(path, PATH_COLUMNS).text, why,
                   advice);
}

static bool write_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t wrote = write(fd, text, length);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote < 0) {
            return false;
        }
        text += wrote;
        length -= (size_t)wrote;
    }
    return true;
}

/* Some file systems cannot sync and say so with EINVAL; that is no loss. */
static bool sync_file(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP;
}

/* Whole files are regular ones: a device has no end, and a fifo waits for somebody else. */
static bool check_regular(const struct stat *st, const char *path, struct err *err)
{
    if (S_ISDIR(st->st_mode)) {
        return err_set(err, "%s is a folder; name a file", err_word(path, PATH_COLUMNS).text);
    }
    return S_ISREG(st->st_mode) || err_set(err, "%s is not a regular file; name one that is",
                                           err_word(path, PATH_COLUMNS).text);
}

/* Opens without waiting for the other end of a fifo, and only what is a regular file. */
static int open_regular(const char *path, int flags, const char *verb, struct err *err)
{
    struct stat st;
    if (*path == '\0') {
        (void)err_set(err, "the path is empty; name a file");
        return -1;
    }
    int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600);
    if (fd < 0) {
        (void)fail(err, verb, path, "check its name and permissions");
        return -1;
    }
    bool good = fstat(fd, &st) == 0 ? check_regular(&st, path, err)
                                    : fail(err, verb, path, "check its permissions");
    if (!good) {
        (void)close(fd);
        return -1;
    }
    return fd;
}

/* A new or renamed name is durable only once its folder is. Folders that cannot be synced (some
 * network file systems) are let pass: the file's bytes are safe by then. */
static void sync_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    char *folder = length == 0 ? xstrdup(".") : xstrndup(path, length);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
    free(folder);
}

static bool read_rest(int fd, const char *path, size_t limit, struct str *out, struct err *err)
{
    char chunk[16384];
    for (;;) {
        ssize_t got = read(fd, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return fail(err, "read", path, "check the disk or copy the file elsewhere");
        }
        if (got == 0) {
            return true;
        }
        if ((size_t)got > limit - out->length) {
            return err_set(err, "%s is larger than %zu bytes; make it smaller or move it away",
                           err_word(path, PATH_COLUMNS).text, limit);
        }
        str_addn(out, chunk, (size_t)got);
    }
}

static bool read_open(int fd, const char *path, size_t limit, struct str *out, struct err *err)
{
    struct stat st;
    if (fstat(fd, &st) != 0) {
        return fail(err, "read", path, "check its permissions");
    }
    if ((uintmax_t)st.st_size > limit) {
        return err_set(err,
                       "%s has %jd bytes, more than the %zu allowed; make it smaller or move "
                       "it away",
                       err_word(path, PATH_COLUMNS).text, (intmax_t)st.st_size, limit);
    }
    return read_rest(fd, path, limit, out, err);
}

bool file_read(const char *path, size_t limit, struct str *out, struct err *err)
{
    str_clear(out);
    int fd = open_regular(path, O_RDONLY, "read", err);
    if (fd < 0) {
        return false;
    }
    bool ok = read_open(fd, path, limit, out, err);
    (void)close(fd);
    if (!ok) {
        str_clear(out);
    }
    return ok;
}

/* Opens a file of a name that nobody has, beside `path`. Caller frees *name. */
static int open_beside(const char *path, char **name)
{
    for (unsigned attempt = 0;; attempt++) {
        struct str temporary = STR_EMPTY;
        str_addf(&temporary, "%s.%ld-%u.tmp", path, (long)getpid(), attempt);
        int fd = open(temporary.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST || attempt == 100) {
            *name = str_take(&temporary);
            return fd;
        }
        str_free(&temporary);
    }
}

static bool fill_and_rename(int fd, const char *name, const char *path, struct bytes content)
{
    struct stat old;
    bool ok = stat(path, &old) != 0 || fchmod(fd, old.st_mode & 07777) == 0;
    ok = ok && write_all(fd, content.at, content.length) && sync_file(fd);
    int why = errno;
    if (close(fd) != 0 && ok) {
        return false;
    }
    errno = why;
    return ok && rename(name, path) == 0;
}

/* A rename would put a regular file in the place of anything: a device, a fifo, a broken link. */
static bool may_replace(const char *path, struct err *err)
{
    struct stat st;
    if (*path == '\0') {
        return err_set(err, "the path is empty; name a file");
    }
    if (stat(path, &st) == 0) {
        return check_regular(&st, path, err);
    }
    return lstat(path, &st) != 0 || err_set(err, "%s is a link that leads to no file; name a file",
                                            err_word(path, PATH_COLUMNS).text);
}

bool file_replace(const char *path, const char *text, size_t length, struct err *err)
{
    if (!may_replace(path, err)) {
        return false;
    }
    /* A link is followed, so that the file behind it changes and the link stays. */
    char *real = realpath(path, NULL);
    const char *target = real != NULL ? real : path;
    char *name = NULL;
    int fd = open_beside(target, &name);
    bool ok = fd >= 0;

    if (!ok) {
        (void)fail(err, "write", path, "check that its folder exists and may be written");
    } else if (!fill_and_rename(fd, name, target, (struct bytes){.at = text, .length = length})) {
        ok = fail(err, "write", path, "nothing was changed; check the free space and permissions");
        (void)unlink(name);
    } else {
        sync_folder_of(target);
    }
    free(name);
    free(real);
    return ok;
}

/* Waits for the lock of the whole file. It ends with the close. */
static bool lock_file(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int result;
    do {
        result = fcntl(fd, F_SETLKW, &lock);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

/* Sets *torn when the last byte is there and is no newline. */
static bool look_at_end(int fd, off_t *size, bool *torn)
{
    struct stat st;
    if (fstat(fd, &st) != 0) {
        return false;
    }
    *size = st.st_size;
    *torn = false;
    if (st.st_size > 0) {
        char last;
        if (pread(fd, &last, 1, st.st_size - 1) != 1) {
            return false;
        }
        *torn = last != '\n';
    }
    return true;
}

static bool append_open(int fd, const char *text, size_t length)
{
    off_t size;
    bool torn;
    if (!lock_file(fd) || !look_at_end(fd, &size, &torn)) {
        return false;
    }
    struct str record = STR_EMPTY;
    if (torn) {
        str_addc(&record, '\n');
    }
    str_addn(&record, text, length);
    bool ok = write_all(fd, record.text, record.length);
    int why = errno;
    str_free(&record);
    if (!ok) {
        /* Half a record would be a torn line of ours; what cannot be cut off stays apart. */
        int cut = ftruncate(fd, size);
        (void)cut;
        errno = why;
        return false;
    }
    return sync_file(fd);
}

bool file_append(const char *path, const char *text, size_t length, struct err *err)
{
    if (!file_make_folders_for(path, err)) {
        return false;
    }
    bool existed = file_exists(path);
    int fd = open_regular(path, O_RDWR | O_APPEND | O_CREAT, "write", err);
    if (fd < 0) {
        return false;
    }
    bool ok = append_open(fd, text, length);
    int why = errno;
    if (close(fd) != 0 && ok) {
        ok = false;
        why = errno;
    }
    if (!ok) {
        errno = why;
        return fail(err, "add to", path, "check the free space and permissions");
    }
    if (!existed) {
        sync_folder_of(path);
    }
    return true;
}

bool file_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

bool file_make_folders_for(const char *path, struct err *err)
{
    char *prefix = xstrdup(path);
    bool ok = true;
    for (char *slash = strchr(prefix + (*prefix == '/'), '/'); slash != NULL && ok;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(prefix, 0700) != 0 && errno != EEXIST) {
            int why = errno;
            /* A read-only parent answers before it says that the folder is there. */
            if (!file_exists(prefix)) {
                errno = why;
                ok = fail(err, "make the folder", prefix, "check the permissions above it");
            }
        }
        *slash = '/';
    }
    free(prefix);
    return ok;
}

bool file_home_path(enum file_home home, const char *name, char **path, struct err *err)
{
    static const struct {
        const char *variable;
        const char *below_home;
    } places[] = {
        [FILE_HOME_STATE] = {"XDG_STATE_HOME", "/.local/state"},
        [FILE_HOME_CONFIG] = {"XDG_CONFIG_HOME", "/.config"},
        [FILE_HOME_DATA] = {"XDG_DATA_HOME", "/.local/share"},
    };
    CHECK((size_t)home < sizeof places / sizeof places[0]);

    const char *base = getenv(places[home].variable);
    const char *below = "";
    if (base == NULL || base[0] != '/') {
        base = getenv("HOME");
        below = places[home].below_home;
    }
    if (base == NULL || base[0] != '/') {
        return err_set(err,
                       "no place for %s: neither %s nor HOME names an absolute folder; set HOME",
                       name, places[home].variable);
    }
    struct str whole = STR_EMPTY;
    str_addf(&whole, "%s%s/hotshard/%s", base, below, name);
    *path = str_take(&whole);
    return true;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool file_list(const char *folder, const char *suffix, struct file_list *out, struct err *err)
{
    *out = (struct file_list){0};
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        return fail(err, "list", folder, "check its name and permissions");
    }
    size_t suffix_length = strlen(suffix);
    size_t room = 0;
    struct dirent *entry;
    errno = 0;
    while ((entry = readdir(dir)) != NULL) {
        size_t length = strlen(entry->d_name);
        bool dots = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        if (dots || length < suffix_length ||
            strcmp(entry->d_name + length - suffix_length, suffix) != 0) {
            continue;
        }
        if (out->count == room) {
            room = room == 0 ? 16 : room * 2;
            out->names = xrealloc(out->names, room, sizeof *out->names);
        }
        out->names[out->count++] = xstrdup(entry->d_name);
        errno = 0;
    }
    int why = errno;
    (void)closedir(dir);
    if (why != 0) {
        file_list_free(out);
        errno = why;
        return fail(err, "list", folder, "check the disk");
    }
    if (out->count > 0) {
        qsort(out->names, out->count, sizeof *out->names, by_bytes);
    }
    return true;
}

void file_list_free(struct file_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->names[i]);
    }
    free(list->names);
    *list = (struct file_list){0};
}

uint32_t crc32_of(const void *data, size_t length)
{
    return (uint32_t)crc32_z(crc32_z(0, NULL, 0), data, length);
}
