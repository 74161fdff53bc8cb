/*
 * folders: where lessons are looked for, in this order: HOTSHARD_LESSONS, `lessons` beside the
 * program, `lessons` in the present folder, the installed ones, the user's data folder.
 */
#ifndef HOTSHARD_APP_FOLDERS_H
#define HOTSHARD_APP_FOLDERS_H

#include "lesson/player.h"

struct lesson_index *folders_load_index(void);
bool folders_is_path(const char *name); /* of a file: no index is needed to find it */
/* A lesson by name, number or path of a file. Caller frees. NULL with the reason. Of a name whose
 * file is there and does not load, that file: opening it tells its fault. */
char *folders_lesson_path(const struct lesson_index *index, const char *name, bool drill,
                          struct err *err);
/* assets/glossary.txt beside the first of these folders that has one. Caller frees. NULL with the
 * reason. */
char *folders_glossary_path(struct err *err);

#endif
