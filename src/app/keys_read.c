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

static void make_room(struct key_hashes *keys, size_t room)
{
    keys->room = room;
    for (size_t i = 0; i < keys->hashers; i++) {
        keys->hash[i] = xrealloc(keys->hash[i], room, sizeof *keys->hash[i]);
    }
}

void keys_add(struct key_hashes *keys, struct bytes key)
{
    if (keys->count == keys->room) {
        size_t room = keys->room ? keys->room * 2 : 4096;
        make_room(keys, room < KEYS_MAX || keys->room >= KEYS_MAX ? room : KEYS_MAX);
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

/* The progress line, while a terminal watches standard error. */
struct watch {
    const char *what;
    bool watched, shown;
    int64_t last;
};

static struct watch watch_start(const char *what)
{
    return (struct watch){.what = what, .watched = isatty(STDERR_FILENO) == 1, .last = clock_ns()};
}

/* `whole` not positive: nobody knows how much there is. */
static void watch_look(struct watch *w, size_t keys, int64_t part, int64_t whole)
{
    if (!w->watched || keys % KEYS_BETWEEN_LOOKS != 0 || clock_ns() - w->last <= NS_BETWEEN_LINES) {
        return;
    }
    char line[PROGRESS_COLUMNS * 2];
    if (whole > 0) {
        snprintf(line, sizeof line, "%s: %s%%, %s keys", w->what, num_ratio(part, whole, 0).text,
                 num_grouped((int64_t)keys).text);
    } else {
        snprintf(line, sizeof line, "%s: %s", w->what, num_grouped((int64_t)keys).text);
    }
    fprintf(stderr, "\r%-*s", PROGRESS_COLUMNS, line);
    fflush(stderr);
    w->shown = true;
    w->last = clock_ns();
}

static void watch_end(const struct watch *w)
{
    if (w->shown) {
        fprintf(stderr, "\r%*s\r", PROGRESS_COLUMNS, "");
    }
}

bool keys_read_file(struct key_hashes *keys, const char *path, struct err *err)
{
    struct line_reader *r = line_reader_open(path, KEYS_LINE_MAX, err);
    if (!r) {
        return false;
    }
    struct watch watch = watch_start("reading keys");
    struct bytes line;
    int got = 0;
    while (keys->count <= KEYS_MAX && (got = line_reader_next(r, &line, err)) > 0) {
        keys_add(keys, line);
        watch_look(&watch, keys->count, (int64_t)line_reader_bytes(r), line_reader_size(r));
    }
    watch_end(&watch);
    line_reader_close(r);
    if (got < 0) {
        return false;
    }
    if (keys->count > KEYS_MAX) {
        return err_set(err,
                       "there are more than %s keys, for which memory is set aside; give a "
                       "sample of them",
                       num_grouped(KEYS_MAX).text);
    }
    if (keys->count == 0) {
        return err_set(err, "%s holds no keys; write one key a line",
                       strcmp(path, "-") == 0 ? "standard input" : err_word(path, 200).text);
    }
    return true;
}

void keys_read_synthetic(struct key_hashes *keys, uint64_t count)
{
    char name[32];
    struct watch watch = watch_start("making keys");
    make_room(keys, (size_t)count); /* known beforehand: nothing is held twice */
    for (uint64_t i = 0; i < count; i++) {
        int length = snprintf(name, sizeof name, "k%llu", (unsigned long long)i);
        keys_add(keys, (struct bytes){name, (size_t)length});
        watch_look(&watch, keys->count, (int64_t)i, (int64_t)count);
    }
    watch_end(&watch);
}
