#include "study/progress.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/utf8.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FORMAT_VERSION 1
#define LOG_MAX ((size_t)64 << 20)
#define FIELDS 8 /* version, time, kind, place, step, item, result, detail */
#define CRC_DIGITS 8

struct step {
    char *id;
    uint64_t entered;
    char *item, *answer; /* as in struct progress_step */
    bool skipped;
    char **act;
    size_t acts, acts_before;
};
struct place {
    char *id, *last_step;
    bool done;
    uint64_t order; /* of its last step event, 0 if none */
    struct step *step;
    size_t steps;
};
struct item {
    char *id;
    uint32_t answered, right;
};
struct progress {
    char *path;
    bool newer; /* a newer program's log: it is not written to */
    struct place *place;
    size_t places;
    struct item *item;
    size_t items;
    size_t skipped;
    uint64_t events;
};

/* --- one line --- */

static bool id_good(const char *id)
{
    return id[strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_-")] == '\0' && strlen(id) <= 100;
}

static const char *or_none(const char *text)
{
    return text != NULL && text[0] != '\0' ? text : "-";
}

/* Bytes other than visible ASCII, '%' itself and a lone '-' as %XX. Too long a text is cut between
 * characters, or left out altogether when it counts as a whole only. */
static void add_escaped(struct str *out, const char *text, bool whole)
{
    size_t length = text != NULL ? strlen(text) : 0;
    size_t fits = length > 0 ? utf8_cut(text, length, PROGRESS_DETAIL_MAX) : 0;
    if (fits == 0 || (whole && fits < length)) {
        str_addc(out, '-');
        return;
    }
    bool lone_dash = strcmp(text, "-") == 0;
    for (size_t i = 0; i < fits; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c > ' ' && c < 0x7F && c != '%' && !lone_dash) {
            str_addc(out, text[i]);
        } else {
            str_addf(out, "%%%02X", c);
        }
    }
}

bool progress_line(const struct progress_event *event, int64_t now, struct str *out,
                   struct err *err)
{
    const char *fields[] = {event->kind, event->place, event->step, event->item, event->result};
    time_t seconds = (time_t)now;
    struct tm utc;
    char when[40];
    if (gmtime_r(&seconds, &utc) == NULL ||
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0) {
        return err_set(err, "the time %" PRId64 " cannot be written as a date", now);
    }
    str_clear(out);
    str_addf(out, "%d %s", FORMAT_VERSION, when);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const char *field = or_none(fields[i]);
        if (!id_good(field)) {
            return err_set(err, "'%s' is not an id: use a-z, 0-9, _ and -",
                           err_word(field, 60).text);
        }
        str_addf(out, " %s", field);
    }
    str_addc(out, ' ');
    add_escaped(out, event->detail, strcmp(or_none(event->kind), "act") == 0);
    str_addf(out, " %08" PRIx32, crc32_of(out->text, out->length));
    return true;
}

bool progress_line_good(const char *line, size_t length)
{
    char hex[CRC_DIGITS + 1];
    if (length < CRC_DIGITS + 2 || line[length - CRC_DIGITS - 1] != ' ') {
        return false;
    }
    size_t body = length - CRC_DIGITS - 1;
    snprintf(hex, sizeof hex, "%08" PRIx32, crc32_of(line, body));
    return memcmp(line + body + 1, hex, CRC_DIGITS) == 0;
}

static int hex_value(char c)
{
    const char *digits = "0123456789ABCDEF";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

/* What add_escaped wrote, as it was. Caller frees. */
static char *unescaped(const char *field)
{
    struct str text = STR_EMPTY;
    for (const char *at = strcmp(field, "-") == 0 ? "" : field; *at != '\0'; at++) {
        int high = *at == '%' ? hex_value(at[1]) : -1;
        int low = high >= 0 ? hex_value(at[2]) : -1;
        if (low >= 0) {
            str_addc(&text, (char)(high * 16 + low));
            at += 2;
        } else {
            str_addc(&text, *at);
        }
    }
    return str_take(&text);
}

/* --- the fold --- */

static struct place *place_of(struct progress *p, const char *id)
{
    for (size_t i = 0; i < p->places; i++) {
        if (strcmp(p->place[i].id, id) == 0) {
            return &p->place[i];
        }
    }
    p->place = xrealloc(p->place, p->places + 1, sizeof *p->place);
    p->place[p->places] = (struct place){.id = xstrdup(id)};
    return &p->place[p->places++];
}

static struct item *item_of(struct progress *p, const char *id)
{
    for (size_t i = 0; i < p->items; i++) {
        if (strcmp(p->item[i].id, id) == 0) {
            return &p->item[i];
        }
    }
    p->item = xrealloc(p->item, p->items + 1, sizeof *p->item);
    p->item[p->items] = (struct item){.id = xstrdup(id)};
    return &p->item[p->items++];
}

static struct step *step_of(struct place *at, const char *id)
{
    for (size_t i = 0; i < at->steps; i++) {
        if (strcmp(at->step[i].id, id) == 0) {
            return &at->step[i];
        }
    }
    at->step = xrealloc(at->step, at->steps + 1, sizeof *at->step);
    at->step[at->steps] = (struct step){.id = xstrdup(id)};
    return &at->step[at->steps++];
}

static void forget_acts(struct step *s)
{
    for (size_t i = 0; i < s->acts; i++) {
        free(s->act[i]);
    }
    s->acts = s->acts_before = 0;
}

static void fold_step(struct progress *p, struct place *at, const char *id)
{
    struct step *s = step_of(at, id);
    if (at->last_step == NULL || strcmp(at->last_step, id) != 0) {
        forget_acts(s);
        free(at->last_step);
        at->last_step = xstrdup(id);
    }
    s->entered = at->order = p->events;
}

static void fold_answer(struct step *s, const char *item, bool skipped, const char *detail)
{
    free(s->item);
    free(s->answer);
    s->item = xstrdup(item);
    s->skipped = skipped;
    s->answer = skipped ? NULL : unescaped(detail);
    s->acts_before = s->acts;
}

static void fold_act(struct step *s, char *act)
{
    s->act = xrealloc(s->act, s->acts + 1, sizeof *s->act);
    s->act[s->acts++] = act;
}

static void fold(struct progress *p, const char *const field[FIELDS])
{
    const char *kind = field[2], *place = field[3], *step = field[4], *item = field[5];
    const char *result = field[6], *detail = field[7];
    bool skipped = strcmp(result, "skipped") == 0;
    p->events++;
    if (strcmp(kind, "step") == 0) {
        fold_step(p, place_of(p, place), step);
    } else if (strcmp(kind, "answer") == 0) {
        fold_answer(step_of(place_of(p, place), step), item, skipped, detail);
    } else if (strcmp(kind, "act") == 0) {
        fold_act(step_of(place_of(p, place), step), unescaped(detail));
    } else if (strcmp(kind, "goal") == 0) {
        fold_act(step_of(place_of(p, place), step), xstrdup(skipped ? "skip" : "met"));
    } else if (strcmp(kind, "done") == 0) {
        place_of(p, place)->done = true;
    }
    bool asked = strcmp(kind, "answer") == 0 || strcmp(kind, "drill") == 0;
    bool given = strcmp(result, "right") == 0 || strcmp(result, "wrong") == 0;
    if (asked && given && strcmp(item, "-") != 0) {
        struct item *i = item_of(p, item);
        i->answered++;
        i->right += strcmp(result, "right") == 0;
    }
}

/* Splits a copy of the line at its blanks; false when it has not the right number of fields. */
static bool split(char *line, const char *field[FIELDS + 1])
{
    size_t count = 0;
    for (char *at = line; count <= FIELDS; count++) {
        field[count] = at;
        at = strchr(at, ' ');
        if (at == NULL) {
            return count == FIELDS;
        }
        *at++ = '\0';
    }
    return false;
}

/* A good line of ours goes into the fold. A good line of a higher version makes the log a newer
 * program's. */
static void take_line(struct progress *p, const char *text, size_t length)
{
    const char *field[FIELDS + 1];
    if (memchr(text, '\0', length) != NULL || !progress_line_good(text, length)) {
        p->skipped++;
        return;
    }
    char *end = NULL;
    long version = strtol(text, &end, 10);
    if (version > FORMAT_VERSION && *end == ' ') {
        p->newer = true;
        return;
    }
    char *copy = xstrndup(text, length);
    if (version == FORMAT_VERSION && split(copy, field)) {
        fold(p, field);
    } else {
        p->skipped++;
    }
    free(copy);
}

static void take_log(struct progress *p, const struct str *log)
{
    for (size_t at = 0; at < log->length;) {
        const char *line = log->text + at;
        const char *end = memchr(line, '\n', log->length - at);
        size_t length = end != NULL ? (size_t)(end - line) : log->length - at;
        if (length > 0) {
            take_line(p, line, length);
        }
        at += length + 1;
    }
}

/* --- loading and adding --- */

static struct progress *failed(struct progress *p)
{
    progress_free(p);
    return NULL;
}

struct progress *progress_load(const char *path, struct err *err)
{
    struct progress *p = xcalloc(1, sizeof *p);
    struct str log = STR_EMPTY;
    if (path != NULL) {
        p->path = xstrdup(path);
    } else if (!file_home_path(FILE_HOME_STATE, "progress", &p->path, err)) {
        return failed(p);
    }
    if (!file_exists(p->path)) {
        return p;
    }
    if (!file_read(p->path, LOG_MAX, &log, err)) {
        str_free(&log);
        return failed(p);
    }
    take_log(p, &log);
    str_free(&log);
    if (p->newer) {
        err_set(err, "%s was written by a newer hotshard; update this one, or move the file away",
                err_word(p->path, 200).text);
        return failed(p);
    }
    return p;
}

static void free_place(struct place *at)
{
    for (size_t i = 0; i < at->steps; i++) {
        struct step *s = &at->step[i];
        forget_acts(s);
        free(s->act);
        free(s->id);
        free(s->item);
        free(s->answer);
    }
    free(at->step);
    free(at->id);
    free(at->last_step);
}

void progress_free(struct progress *p)
{
    if (p == NULL) {
        return;
    }
    for (size_t i = 0; i < p->places; i++) {
        free_place(&p->place[i]);
    }
    for (size_t i = 0; i < p->items; i++) {
        free(p->item[i].id);
    }
    free(p->place);
    free(p->item);
    free(p->path);
    free(p);
}

const char *progress_path(const struct progress *p)
{
    return p->path;
}

size_t progress_skipped_lines(const struct progress *p)
{
    return p->skipped;
}

bool progress_add(struct progress *p, const struct progress_event *event, int64_t now,
                  struct err *err)
{
    struct str line = STR_EMPTY;
    if (!progress_line(event, now, &line, err)) {
        str_free(&line);
        return false;
    }
    take_line(p, line.text, line.length);
    str_addc(&line, '\n');
    bool kept = file_append(p->path, line.text, line.length, err);
    str_free(&line);
    return kept;
}

/* --- asking --- */

static const struct place *find_place(const struct progress *p, const char *id)
{
    for (size_t i = 0; i < p->places; i++) {
        if (strcmp(p->place[i].id, id) == 0) {
            return &p->place[i];
        }
    }
    return NULL;
}

const char *progress_last_step(const struct progress *p, const char *place)
{
    const struct place *at = find_place(p, place);
    return at != NULL ? at->last_step : NULL;
}

const char *progress_last_place(const struct progress *p)
{
    const struct place *last = NULL;
    for (size_t i = 0; i < p->places; i++) {
        if (p->place[i].order > (last != NULL ? last->order : 0)) {
            last = &p->place[i];
        }
    }
    return last != NULL ? last->id : NULL;
}

bool progress_done(const struct progress *p, const char *place)
{
    const struct place *at = find_place(p, place);
    return at != NULL && at->done;
}

bool progress_step_of(const struct progress *p, const char *place, const char *step,
                      struct progress_step *out)
{
    const struct place *at = find_place(p, place);
    for (size_t i = 0; at != NULL && i < at->steps; i++) {
        const struct step *s = &at->step[i];
        if (strcmp(s->id, step) == 0) {
            *out = (struct progress_step){.entered = s->entered,
                                          .item = s->item != NULL ? s->item : "",
                                          .skipped = s->skipped,
                                          .answer = s->answer,
                                          .act = (const char *const *)s->act,
                                          .acts = s->acts,
                                          .acts_before = s->acts_before};
            return true;
        }
    }
    return false;
}

void progress_item(const struct progress *p, const char *item, uint32_t *answered, uint32_t *right)
{
    *answered = *right = 0;
    for (size_t i = 0; i < p->items; i++) {
        if (strcmp(p->item[i].id, item) == 0) {
            *answered = p->item[i].answered;
            *right = p->item[i].right;
        }
    }
}
