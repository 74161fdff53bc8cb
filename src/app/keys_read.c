/*
 * keys_read: see keys_read.h.
 */
#include "app/keys_read.h"
#include "app/options.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/num.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEYS_BETWEEN_LOOKS 8192
#define NS_BETWEEN_LINES INT64_C(100000000)
#define PROGRESS_COLUMNS 60

void keys_add(struct key_hashes *keys, struct bytes key)
{
    if (keys->count == keys->room) {
        keys->room = keys->room ? keys->room * 2 : 4096;
        for (size_t i = 0; i < keys->hashers; i++) {
            keys->hash[i] = xrealloc(keys->hash[i], keys->room, sizeof *keys->hash[i]);
        }
    }
    for (size_t i = 0; i < keys->hashers; i++) {
        keys->hash[i][keys->count] = layout_hash(keys->hasher[i], key);
    }
    keys->count++;
    if (key.length > 0 && key.at[key.length - 1] == '\r') {
        keys->ending_in_return++;
    }
}

void keys_free(struct key_hashes *keys)
{
    for (size_t i = 0; i < keys->hashers; i++) {
        free(keys->hash[i]);
        keys->hash[i] = NULL;
    }
    keys->count = 0;
    keys->room = 0;
}

static void show_progress(const struct key_hashes *keys, const struct line_reader *r)
{
    int64_t size = line_reader_size(r);
    char line[PROGRESS_COLUMNS * 2];
    if (size > 0) {
        snprintf(line, sizeof line, "reading keys: %s%%, %s keys",
                 num_ratio((int64_t)line_reader_bytes(r), size, 0).text,
                 num_grouped((int64_t)keys->count).text);
    } else {
        snprintf(line, sizeof line, "reading keys: %s", num_grouped((int64_t)keys->count).text);
    }
    fprintf(stderr, "\r%-*s", PROGRESS_COLUMNS, line);
    fflush(stderr);
}

bool keys_read_file(struct key_hashes *keys, const char *path, struct err *err)
{
    struct line_reader *r = line_reader_open(path, KEYS_LINE_MAX, err);
    if (!r) {
        return false;
    }
    bool watched = isatty(STDERR_FILENO) == 1;
    bool shown = false;
    int64_t last = clock_ns();
    struct bytes line;
    int got = 0;
    while ((got = line_reader_next(r, &line, err)) > 0) {
        keys_add(keys, line);
        if (watched && keys->count % KEYS_BETWEEN_LOOKS == 0 &&
            clock_ns() - last > NS_BETWEEN_LINES) {
            show_progress(keys, r);
            shown = true;
            last = clock_ns();
        }
    }
    if (shown) {
        fprintf(stderr, "\r%*s\r", PROGRESS_COLUMNS, "");
    }
    line_reader_close(r);
    if (got < 0) {
        return false;
    }
    if (keys->count == 0) {
        return err_set(err, "%s holds no keys; write one key a line",
                       strcmp(path, "-") == 0 ? "standard input" : "the key file");
    }
    return true;
}

void keys_read_synthetic(struct key_hashes *keys, uint64_t count)
{
    char name[32];
    for (uint64_t i = 0; i < count; i++) {
        int length = snprintf(name, sizeof name, "k%llu", (unsigned long long)i);
        keys_add(keys, (struct bytes){name, (size_t)length});
    }
}
