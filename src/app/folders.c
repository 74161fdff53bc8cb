/*
 * folders: see folders.h.
 */
#include "app/folders.h"
#include "base/alloc.h"
#include "base/file.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef HOTSHARD_SHARE
#define HOTSHARD_SHARE "/usr/local/share/hotshard"
#endif

#define FOLDERS_MAX 5
#define PATH_BYTES_MAX 4096

struct folders {
    char *path[FOLDERS_MAX];
    struct stat seen[FOLDERS_MAX];
    size_t count;
};

/* Takes `path` over. A folder that is there already, under whatever name, is not taken twice. */
static void add_folder(struct folders *f, char *path)
{
    struct stat now;
    bool wanted = path && stat(path, &now) == 0 && S_ISDIR(now.st_mode);
    for (size_t i = 0; wanted && i < f->count; i++) {
        wanted = f->seen[i].st_dev != now.st_dev || f->seen[i].st_ino != now.st_ino;
    }
    if (!wanted) {
        free(path);
        return;
    }
    f->path[f->count] = path;
    f->seen[f->count++] = now;
}

/* The folder of the running program, where the system tells it. Caller frees; may be NULL. */
static char *beside_program(void)
{
    char path[PATH_BYTES_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) {
        return NULL;
    }
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash) {
        return NULL;
    }
    *slash = '\0';
    struct str out = STR_EMPTY;
    str_addf(&out, "%s/lessons", path);
    return str_take(&out);
}

struct lesson_index *folders_load_index(void)
{
    struct folders f = {.count = 0};
    char *data = NULL;
    const char *own = getenv("HOTSHARD_LESSONS");
    if (own && *own) {
        add_folder(&f, xstrdup(own));
    }
    add_folder(&f, beside_program());
    add_folder(&f, xstrdup("lessons"));
    add_folder(&f, xstrdup(HOTSHARD_SHARE "/lessons"));
    if (file_home_path(FILE_HOME_DATA, "lessons", &data, NULL)) {
        add_folder(&f, data);
    }
    const char *path[FOLDERS_MAX];
    for (size_t i = 0; i < f.count; i++) {
        path[i] = f.path[i];
    }
    struct lesson_index *index = lesson_index_load(path, f.count);
    for (size_t i = 0; i < f.count; i++) {
        free(f.path[i]);
    }
    return index;
}

static bool is_path(const char *name)
{
    size_t length = strlen(name);
    return strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".lua") == 0);
}

char *folders_lesson_path(const struct lesson_index *index, const char *name, bool drill,
                          struct err *err)
{
    if (is_path(name)) {
        if (!file_exists(name)) {
            err_set(err, "%.200s: there is no such file; name a lesson or an existing file", name);
            return NULL;
        }
        return xstrdup(name);
    }
    const struct lesson_entry *entry = lesson_find(index, name, drill, err);
    return entry ? xstrdup(entry->path) : NULL;
}
