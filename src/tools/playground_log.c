/*
 * playground_log: a person's keys, counted, and cut down to what a playground holds.
 *
 * The log has any form of log_form.h, found from its first lines, and may be packed by gzip.
 * Every key is counted exactly, in one table by hash; more than DISTINCT_MAX keys, or BYTES_MAX of
 * them, are refused. The hottest HOTTEST_MAX stand for themselves. Of the others, every so-many-th
 * in the order of appearance stands for its neighbours, so that the sum of requests stays right and
 * the keys stay real ones.
 */
#include "tools/playground.h"

#include "base/alloc.h"
#include "base/check.h"
#include "base/file.h"
#include "base/num.h"
#include "place/hash.h"
#include "tools/log_form.h"
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES_MAX ((size_t)1 << 16)
#define DISTINCT_MAX ((size_t)2000000)
#define BYTES_MAX ((size_t)1 << 28)
#define HOTTEST_MAX ((size_t)900)

struct counted {
    uint64_t hash, requests;
    size_t at, length; /* of its bytes in the arena */
    size_t number;     /* in the order of appearance */
};

struct counter {
    struct log_reader *reader;
    struct err_word name; /* of the log, for errors */
    struct counted *key;
    size_t keys, room;
    size_t *place; /* key + 1, or 0; a power of two of them, at most half full */
    size_t places;
    struct str bytes;
    uint64_t requests;
};

static size_t *find(const struct counter *c, uint64_t hash, struct bytes key)
{
    size_t at = (size_t)hash & (c->places - 1);
    while (c->place[at] != 0) {
        const struct counted *known = &c->key[c->place[at] - 1];
        if (known->hash == hash && known->length == key.length &&
            memcmp(str_text(&c->bytes) + known->at, key.at, key.length) == 0) {
            break;
        }
        at = (at + 1) & (c->places - 1);
    }
    return &c->place[at];
}

static void grow(struct counter *c)
{
    c->room = c->room == 0 ? 1024 : c->room * 2;
    c->key = xrealloc(c->key, c->room, sizeof *c->key);
    free(c->place);
    c->places = c->room * 2;
    c->place = xcalloc(c->places, sizeof *c->place);
    for (size_t i = 0; i < c->keys; i++) {
        size_t at = (size_t)c->key[i].hash & (c->places - 1);
        while (c->place[at] != 0) {
            at = (at + 1) & (c->places - 1);
        }
        c->place[at] = i + 1;
    }
}

static bool count(struct counter *c, struct bytes key, struct err *err)
{
    uint64_t hash = hash_of(HASH_MIX64, key);
    if (c->keys == c->room) {
        grow(c);
    }
    size_t *place = find(c, hash, key);
    c->requests++;
    if (*place != 0) {
        c->key[*place - 1].requests++;
        return true;
    }
    if (c->keys == DISTINCT_MAX || c->bytes.length + key.length > BYTES_MAX) {
        return err_set(err,
                       "%s: there are more than %s different keys, or %zu MB of them; give a "
                       "sample of the log",
                       c->name.text, num_grouped((int64_t)DISTINCT_MAX).text, BYTES_MAX >> 20);
    }
    c->key[c->keys] = (struct counted){.hash = hash,
                                       .requests = 1,
                                       .at = c->bytes.length,
                                       .length = key.length,
                                       .number = c->keys};
    str_addn(&c->bytes, key.at, key.length);
    *place = ++c->keys;
    return true;
}

/* A request of several keys counts for each of them. */
static bool take(struct counter *c, struct bytes line, struct err *err)
{
    struct log_request request;
    bool good = true;
    if (log_reader_take(c->reader, line, &request)) {
        for (size_t i = 0; good && i < request.keys; i++) {
            good = count(c, request.key[i], err);
        }
    }
    return good;
}

/* The first lines, by which the form is found, and then the others. */
static bool take_all(struct counter *c, struct line_reader *r, struct err *err)
{
    struct str held[LOG_FIRST_LINES];
    struct bytes first[LOG_FIRST_LINES];
    struct bytes line;
    size_t lines = 0;
    int got = 1;
    while (lines < LOG_FIRST_LINES && (got = line_reader_next(r, &line, err)) > 0) {
        held[lines] = STR_EMPTY;
        str_addn(&held[lines], line.at, line.length);
        first[lines] = (struct bytes){str_text(&held[lines]), line.length};
        lines++;
    }
    bool good = got >= 0 && (log_reader_begin(c->reader, first, lines, err) ||
                             err_prefix(err, "%s", c->name.text));
    for (size_t i = 0; i < lines; i++) {
        good = good && take(c, first[i], err);
        str_free(&held[i]);
    }
    while (good && (got = line_reader_next(r, &line, err)) > 0) {
        good = take(c, line, err);
    }
    return good && got >= 0;
}

static bool read_all(struct counter *c, const char *path, struct err *err)
{
    struct line_reader *r = line_reader_open_packed(path, LINE_BYTES_MAX, err);
    if (r == NULL) {
        return false;
    }
    c->name = err_word(strcmp(path, "-") == 0 ? "standard input" : path, 200);
    c->reader = log_reader_new(LOG_AUTO);
    bool good = take_all(c, r, err);
    line_reader_close(r);
    log_reader_free(c->reader);
    if (!good) {
        return false;
    }
    return c->keys > 0 || err_set(err, "%s: no line of it holds a key", c->name.text);
}

static int hotter_first(const void *a, const void *b)
{
    const struct counted *x = a;
    const struct counted *y = b;
    if (x->requests != y->requests) {
        return x->requests > y->requests ? -1 : 1;
    }
    return x->number < y->number ? -1 : x->number > y->number;
}

static int earlier_first(const void *a, const void *b)
{
    const struct counted *x = a;
    const struct counted *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void add_key(struct play_log *log, const struct counter *c, const struct counted *key,
                    uint64_t requests)
{
    struct bytes bytes = {str_text(&c->bytes) + key->at, key->length};
    CHECK(keyset_add(log->keys, bytes, requests, NULL));
}

/* The keys from `first` on are represented by `places` of them. */
static void add_rest(struct play_log *log, const struct counter *c, size_t first, size_t places)
{
    size_t rest = c->keys - first;
    uint64_t requests = 0;
    for (size_t i = first; i < c->keys; i++) {
        requests += c->key[i].requests;
    }
    qsort(c->key + first, rest, sizeof *c->key, earlier_first);
    uint64_t given = 0;
    for (size_t i = 0; i < places; i++) {
        uint64_t until = (uint64_t)((unsigned __int128)requests * (i + 1) / places);
        add_key(log, c, &c->key[first + i * rest / places], until - given);
        given = until;
    }
}

struct play_log *play_log_read(const char *path, struct err *err)
{
    struct counter c = {.key = NULL};
    struct play_log *log = NULL;
    if (read_all(&c, path, err)) {
        log = xcalloc(1, sizeof *log);
        log->keys = keyset_new();
        log->requests = c.requests;
        log->distinct = c.keys;
        log->hottest = c.keys <= PLAY_KEYS_MAX ? c.keys : HOTTEST_MAX;
        qsort(c.key, c.keys, sizeof *c.key, hotter_first);
        if (log->hottest < c.keys) {
            add_rest(log, &c, log->hottest, PLAY_KEYS_MAX - log->hottest);
        }
        qsort(c.key, log->hottest, sizeof *c.key, earlier_first);
        for (size_t i = 0; i < log->hottest; i++) {
            add_key(log, &c, &c.key[i], c.key[i].requests);
        }
    }
    free(c.key);
    free(c.place);
    str_free(&c.bytes);
    return log;
}

void play_log_free(struct play_log *log)
{
    if (log) {
        keyset_free(log->keys);
        free(log);
    }
}
