/*
 * keys_read: see keys_read.h.
 */
#include "app/keys_read.h"
#include "app/watch.h"
#include "base/file.h"
#include <stdio.h>
#include <string.h>

bool keys_read_file(struct keyset *keys, const char *path, size_t *ending_in_return,
                    struct err *err)
{
    struct line_reader *r = line_reader_open_packed(path, KEYS_LINE_MAX, err);
    if (!r) {
        return false;
    }
    struct watch watch = watch_start("reading keys", "keys");
    struct bytes line;
    bool good = true;
    int got = 0;
    *ending_in_return = 0;
    while (good && (got = line_reader_next(r, &line, err)) > 0) {
        good = keyset_add(keys, line, 1, err);
        *ending_in_return += line.length > 0 && line.at[line.length - 1] == '\r';
        watch_look(&watch, keyset_count(keys), (int64_t)line_reader_bytes(r), line_reader_size(r));
    }
    watch_end(&watch);
    line_reader_close(r);
    if (!good || got < 0) {
        return false;
    }
    if (keyset_count(keys) == 0) {
        return err_set(err, "%s holds no keys; write one key a line",
                       strcmp(path, "-") == 0 ? "standard input" : err_word(path, 200).text);
    }
    return true;
}

bool keys_read_synthetic(struct keyset *keys, uint64_t count, struct err *err)
{
    char name[32];
    struct watch watch = watch_start("making keys", "keys");
    bool good = true;
    for (uint64_t i = 0; good && i < count; i++) {
        int length = snprintf(name, sizeof name, "k%llu", (unsigned long long)i);
        good = keyset_add(keys, (struct bytes){name, (size_t)length}, 1, err);
        watch_look(&watch, keyset_count(keys), (int64_t)i, (int64_t)count);
    }
    watch_end(&watch);
    return good;
}
