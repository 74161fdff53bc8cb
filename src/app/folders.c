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

static struct folders find_folders(void)
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
    return f;
}

static void forget_folders(struct folders *f)
{
    for (size_t i = 0; i < f->count; i++) {
        free(f->path[i]);
    }
}

struct lesson_index *folders_load_index(void)
{
    struct folders f = find_folders();
    const char *path[FOLDERS_MAX];
    for (size_t i = 0; i < f.count; i++) {
        path[i] = f.path[i];
    }
    struct lesson_index *index = lesson_index_load(path, f.count);
    forget_folders(&f);
    return index;
}

/* Whether a lesson's file may be what a person calls `name`: 02_loop.lua, by 2, 02 or loop. */
static bool file_is_called(const char *file, const char *name)
{
    size_t length = strlen(file) - strlen(".lua");
    size_t digits = strspn(file, "0123456789");
    size_t rest = digits + (file[digits] == '_');
    size_t wanted = strlen(name);
    if (wanted > 0 && wanted < 9 && strspn(name, "0123456789") == wanted) {
        return digits > 0 && strtol(file, NULL, 10) == strtol(name, NULL, 10);
    }
    return (wanted == length && memcmp(file, name, length) == 0) ||
           (wanted > 0 && wanted + rest == length && memcmp(file + rest, name, wanted) == 0);
}

static bool is_loaded(const struct lesson_index *index, const char *path)
{
    for (size_t i = 0; i < index->count; i++) {
        if (strcmp(index->entry[i].path, path) == 0) {
            return true;
        }
    }
    return false;
}

/* The file of that name in this folder, if it is one that does not load. */
static char *broken_in(const struct lesson_index *index, const char *folder, const char *name)
{
    char *found = NULL;
    struct file_list list = {.count = 0};
    if (!file_list(folder, ".lua", &list, NULL)) {
        return NULL;
    }
    for (size_t i = 0; i < list.count && !found; i++) {
        struct str path = STR_EMPTY;
        str_addf(&path, "%s/%s", folder, list.names[i]);
        if (file_is_called(list.names[i], name) && !is_loaded(index, str_text(&path))) {
            found = str_take(&path);
        }
        str_free(&path);
    }
    file_list_free(&list);
    return found;
}

/* A file that is there and is not in the index has a fault, unless another folder's copy hides it:
 * then a lesson of that name was found already. Caller frees; NULL: there is none. */
static char *broken_path(const struct lesson_index *index, const char *name)
{
    char *found = NULL;
    struct folders f = find_folders();
    for (size_t i = 0; i < f.count && !found; i++) {
        struct str drills = STR_EMPTY;
        str_addf(&drills, "%s/drills", f.path[i]);
        found = broken_in(index, f.path[i], name);
        found = found ? found : broken_in(index, str_text(&drills), name);
        str_free(&drills);
    }
    forget_folders(&f);
    return found;
}

bool folders_is_path(const char *name)
{
    size_t length = strlen(name);
    return strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".lua") == 0);
}

char *folders_lesson_path(const struct lesson_index *index, const char *name, bool drill,
                          struct err *err)
{
    if (folders_is_path(name)) {
        if (!file_exists(name)) {
            err_set(err, "%s: there is no such file; name a lesson or an existing file",
                    err_word(name, 200).text);
            return NULL;
        }
        return xstrdup(name);
    }
    const struct lesson_entry *entry = lesson_find(index, name, drill, err);
    return entry ? xstrdup(entry->path) : broken_path(index, name);
}

char *folders_glossary_path(struct err *err)
{
    char *found = NULL;
    struct folders f = find_folders();
    for (size_t i = 0; i < f.count && !found; i++) {
        struct str path = STR_EMPTY;
        str_addf(&path, "%s/../assets/glossary.txt", f.path[i]);
        if (file_exists(str_text(&path))) {
            found = str_take(&path);
        }
        str_free(&path);
    }
    forget_folders(&f);
    if (!found) {
        err_set(err, "no glossary was found; set HOTSHARD_LESSONS to the folder of lessons, beside "
                     "which assets/glossary.txt stands");
    }
    return found;
}
