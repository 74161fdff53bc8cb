/*
 * file: reading, appending, replacing, and where things live.
 *
 * Nothing here keeps a file open across calls except struct line_reader. Devices, fifos and sockets
 * are refused, without waiting for anybody at their other end: only line_reader streams from them.
 * Errors name the path (made safe to show).
 */
#ifndef HOTSHARD_BASE_FILE_H
#define HOTSHARD_BASE_FILE_H

#include "base/err.h"
#include "base/str.h"
#include <stdint.h>

/* Whole file into `out`; refuses more than `limit` bytes before reading. */
bool file_read(const char *path, size_t limit, struct str *out, struct err *err);
/* Replaces path: temporary file beside it, fsync, rename. The old file stays whole on any error.
 * What is there must be a regular file, or a link to one; its folder must exist. */
bool file_replace(const char *path, const char *text, size_t length, struct err *err);
/* Appends under a lock with one write and fsync; makes the folders. When the file does not end in a
 * newline (torn by a kill), a newline is written first, so that the torn line stays apart. */
bool file_append(const char *path, const char *text, size_t length, struct err *err);
bool file_exists(const char *path);
/* Every folder above `path`, with mode 0700. For our own state and configuration only: a folder
 * missing from a path that a person gave is a mistake to be told. */
bool file_make_folders_for(const char *path, struct err *err);

enum file_home {
    FILE_HOME_STATE,
    FILE_HOME_CONFIG,
    FILE_HOME_DATA
};
/* "$XDG_STATE_HOME/hotshard/name", falling back as the XDG base directory specification says; a
 * relative or empty value is as if unset. Without any home: an error. Caller frees *path. */
bool file_home_path(enum file_home home, const char *name, char **path, struct err *err);

/* Names in a folder that end in `suffix`, sorted by bytes. Caller frees with file_list_free. */
struct file_list {
    char **names;
    size_t count;
};
bool file_list(const char *folder, const char *suffix, struct file_list *out, struct err *err);
void file_list_free(struct file_list *list);

/* Lines of any bytes but newline, streamed; a line over `limit` bytes is an error that names its
 * number. `path` "-" is standard input. */
struct line_reader;
struct line_reader *line_reader_open(const char *path, size_t limit, struct err *err);
/* The same, and what begins with gzip's mark is unpacked on the way (gzip.h). */
struct line_reader *line_reader_open_packed(const char *path, size_t limit, struct err *err);
/* 1 a line (borrowed until the next call, without newline), 0 end, -1 error. */
int line_reader_next(struct line_reader *r, struct bytes *line, struct err *err);
/* Read so far from the file, packed or not: for a progress line. */
uint64_t line_reader_bytes(const struct line_reader *r);
int64_t line_reader_size(const struct line_reader *r); /* of the file, -1 when not known */
void line_reader_close(struct line_reader *r);

uint32_t crc32_of(const void *data, size_t length); /* zlib's, for checksums of lines */

#endif
