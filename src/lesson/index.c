/*
 * index: the lessons and drills of some folders.
 */
#include "base/alloc.h"
#include "base/file.h"
#include "base/near.h"
#include "lesson/inside.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool known(const struct lesson_index *index, const char *id)
{
    for (size_t i = 0; i < index->count; i++) {
        if (strcmp(index->entry[i].id, id) == 0) {
            return true;
        }
    }
    return false;
}

/* The first folder that has an id wins: an author's copy hides the installed one. */
static void add_file(struct lesson_index *index, const char *path)
{
    struct err err = {""};
    struct player *p = lesson_declare(path, 1, &err);
    if (p == NULL) {
        str_addf(&index->faults, "%s\n", err.text);
        return;
    }
    if (!known(index, p->id)) {
        struct lesson_step *step = xcalloc(p->steps, sizeof *step);
        size_t core = 0, deeper = 0;
        for (size_t i = 0; i < p->steps; i++) {
            step[i] = (struct lesson_step){xstrdup(p->step[i].id), xstrdup(p->step[i].title)};
            deeper += p->step[i].deeper;
            core += !p->step[i].deeper && !p->step[i].check;
        }
        index->entry = xrealloc(index->entry, index->count + 1, sizeof *index->entry);
        index->entry[index->count++] = (struct lesson_entry){.id = xstrdup(p->id),
                                                             .path = xstrdup(path),
                                                             .title = xstrdup(p->title),
                                                             .part = p->part,
                                                             .minutes = p->minutes,
                                                             .drill = p->drill,
                                                             .card = p->has_card,
                                                             .steps = p->steps,
                                                             .core = core,
                                                             .deeper = deeper,
                                                             .step = step};
    }
    lesson_undeclare(p);
}

static void add_folder(struct lesson_index *index, const char *folder)
{
    struct file_list list = {0};
    if (!file_list(folder, ".lua", &list, NULL)) {
        return; /* a folder that is not there has no lessons */
    }
    for (size_t i = 0; i < list.count; i++) {
        struct str path = STR_EMPTY;
        str_addf(&path, "%s/%s", folder, list.names[i]);
        add_file(index, str_text(&path));
        str_free(&path);
    }
    file_list_free(&list);
}

static int by_part(const void *a, const void *b)
{
    const struct lesson_entry *x = a, *y = b;
    if (x->drill != y->drill) {
        return x->drill ? 1 : -1;
    }
    if (x->part != y->part) {
        return x->part < y->part ? -1 : 1;
    }
    return strcmp(x->id, y->id);
}

struct lesson_index *lesson_index_load(const char *const *folders, size_t count)
{
    struct lesson_index *index = xcalloc(1, sizeof *index);
    for (size_t i = 0; i < count; i++) {
        struct str drills = STR_EMPTY;
        str_addf(&drills, "%s/drills", folders[i]);
        add_folder(index, folders[i]);
        add_folder(index, str_text(&drills));
        str_free(&drills);
    }
    if (index->count > 0) {
        qsort(index->entry, index->count, sizeof *index->entry, by_part);
    }
    return index;
}

void lesson_index_free(struct lesson_index *index)
{
    if (index == NULL) {
        return;
    }
    for (size_t i = 0; i < index->count; i++) {
        for (size_t k = 0; k < index->entry[i].steps; k++) {
            free(index->entry[i].step[k].id);
            free(index->entry[i].step[k].title);
        }
        free(index->entry[i].step);
        free(index->entry[i].id);
        free(index->entry[i].path);
        free(index->entry[i].title);
    }
    free(index->entry);
    str_free(&index->faults);
    free(index);
}

/* "1" and "01" are the number that an id begins with; "what_a_shard" is in the middle of one. */
static bool named(const char *id, const char *name)
{
    size_t digits = strspn(id, "0123456789");
    if (digits > 0 && *name != '\0' && name[strspn(name, "0123456789")] == '\0') {
        return strlen(name) < 9 && strtol(id, NULL, 10) == strtol(name, NULL, 10);
    }
    const char *rest = id + digits + (id[digits] == '_');
    return strcmp(id, name) == 0 || (strlen(name) >= 3 && str_starts(rest, name));
}

static bool not_found(const struct lesson_index *index, const char *name, bool drill,
                      struct err *err)
{
    const char *ids[256];
    size_t count = 0;
    for (size_t i = 0; i < index->count && count + 2 <= 256; i++) {
        const struct lesson_entry *e = &index->entry[i];
        if (e->drill == drill) {
            ids[count++] = e->id;
            size_t digits = strspn(e->id, "0123456789");
            ids[count++] = e->id + digits + (e->id[digits] == '_');
        }
    }
    const char *near = near_name(name, ids, count);
    const char *kind = drill ? "drill" : "lesson";
    if (near != NULL) {
        return err_set(err, "there is no %s '%.60s'; did you mean '%s'?", kind, name, near);
    }
    struct str list = STR_EMPTY;
    for (size_t i = 0; i < count; i += 2) {
        str_addf(&list, "%s%s", i > 0 ? ", " : "", ids[i]);
    }
    err_set(err, "there is no %s '%.60s'; there %s %s", kind, name, count > 2 ? "are" : "is",
            count > 0 ? str_text(&list) : "none at all");
    str_free(&list);
    return false;
}

const struct lesson_entry *lesson_find(const struct lesson_index *index, const char *name,
                                       bool drill, struct err *err)
{
    const struct lesson_entry *found = NULL;
    for (size_t i = 0; i < index->count; i++) {
        const struct lesson_entry *e = &index->entry[i];
        if (e->drill != drill) {
            continue;
        }
        if (strcmp(e->id, name) == 0) {
            return e;
        }
        if (named(e->id, name)) {
            if (found != NULL) {
                err_set(err, "'%.60s' may be %s or %s; write the whole name", name, found->id,
                        e->id);
                return NULL;
            }
            found = e;
        }
    }
    if (found == NULL) {
        not_found(index, name, drill, err);
    }
    return found;
}
