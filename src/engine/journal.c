/*
 * journal: writing a run down, and playing it again.
 */
#include "engine/journal.h"

#include "base/num.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LINE_MAX_BYTES 512
/* Between two entries lies no more than this: what is written down was once waited for. */
#define GAP_MAX_EVENTS UINT64_C(50000000)
#define GAP_MAX_HOURS INT64_C(48)

void journal_start(struct journal *j, const char *world_name, uint64_t seed)
{
    *j = (struct journal){0};
    str_addf(&j->text, "hotshard-journal 1 world=%s seed=%" PRIu64 "\n", world_name, seed);
}

static void add_place(struct journal *j, const struct world *w)
{
    str_addf(&j->text, "%" PRIu64 " %" PRId64 " ", world_events(w), world_now(w));
    j->entries++;
}

void journal_command(struct journal *j, const struct world *w, const struct command *c)
{
    add_place(j, w);
    command_say(c, &j->text);
    str_addc(&j->text, '\n');
}

void journal_digest(struct journal *j, const struct world *w)
{
    char hex[DIGEST_HEX_SIZE];
    digest_hex(world_digest(w), hex);
    add_place(j, w);
    str_addf(&j->text, "digest %s\n", hex);
}

void journal_truncate(struct journal *j, size_t length)
{
    if (length >= j->text.length) {
        return;
    }
    for (size_t i = length; i < j->text.length; i++) {
        j->entries -= j->text.text[i] == '\n';
    }
    j->text.length = length;
    j->text.text[length] = '\0';
}

void journal_free(struct journal *j)
{
    str_free(&j->text);
    *j = (struct journal){0};
}

/* Copies the next line (without its newline) and moves on. False at the end. */
static bool next_line(const char **text, char out[LINE_MAX_BYTES], int number, struct err *err)
{
    size_t length = strcspn(*text, "\n");
    if (length >= LINE_MAX_BYTES) {
        return err_set(err, "line %d of the journal has more than %d bytes", number,
                       LINE_MAX_BYTES - 1);
    }
    if ((*text)[length] != '\n') {
        return err_set(err, "line %d of the journal is cut off", number);
    }
    memcpy(out, *text, length);
    out[length] = '\0';
    *text += length + 1;
    return true;
}

bool journal_header(const char *text, struct journal_header *out, struct err *err)
{
    static const char start[] = "hotshard-journal ";
    static const char form[] = "hotshard-journal 1 world=NAME seed=NUMBER";
    char line[LINE_MAX_BYTES];
    if (!str_starts(text, start)) {
        return err_set(err, "this is no journal; its first line should be: %s", form);
    }
    if (!next_line(&text, line, 1, err)) {
        return false;
    }
    const char *at = line + sizeof start - 1;
    if (!str_starts(at, "1 ")) {
        return err_set(err, "the journal has version \"%.10s\"; this program reads version 1", at);
    }
    const char *name = at + 2;
    const char *seed = strstr(name, " seed=");
    size_t length = seed == NULL ? 0 : (size_t)(seed - name);
    if (!str_starts(name, "world=") || length <= 6 || length - 6 >= sizeof out->world_name) {
        return err_set(err, "line 1 of the journal should be: %s", form);
    }
    memcpy(out->world_name, name + 6, length - 6);
    out->world_name[length - 6] = '\0';
    if (!num_parse_u64(seed + 6, "seed", 0, UINT64_MAX, &out->seed, err)) {
        return err_prefix(err, "line 1 of the journal");
    }
    return true;
}

/* A number at *at and the blank behind it. */
static bool read_u64(const char **at, uint64_t high, uint64_t *out)
{
    char digits[24];
    size_t length = strcspn(*at, " ");
    if (length >= sizeof digits || (*at)[length] != ' ') {
        return false;
    }
    memcpy(digits, *at, length);
    digits[length] = '\0';
    *at += length + 1;
    return num_parse_u64(digits, "number", 0, high, out, NULL);
}

/* An entry that no run can have written would be played for ever. */
static bool within_reach(const struct world *w, uint64_t events, int64_t time, struct err *err)
{
    if (events < world_events(w) || time < world_now(w)) {
        return err_set(err,
                       "goes back: after %" PRIu64 " events at %" PRId64 ", and the entry "
                       "before is after %" PRIu64 " at %" PRId64,
                       events, time, world_events(w), world_now(w));
    }
    if (events - world_events(w) > GAP_MAX_EVENTS) {
        return err_set(err, "is %" PRIu64 " events after the entry before; at most %" PRIu64,
                       events - world_events(w), GAP_MAX_EVENTS);
    }
    if ((time - world_now(w)) / US_PER_SECOND / 3600 >= GAP_MAX_HOURS) {
        return err_set(err, "is %" PRId64 " hours after the entry before; at most %" PRId64,
                       (time - world_now(w)) / US_PER_SECOND / 3600, GAP_MAX_HOURS);
    }
    return true;
}

/* Brings the world to exactly that many events and that time. */
static bool run_to(struct world *w, uint64_t events, int64_t time, struct err *err)
{
    int64_t next = 0;
    if (!within_reach(w, events, time, err)) {
        return false;
    }
    while (world_events(w) < events && world_next_time(w, &next) && next <= time) {
        world_step(w);
    }
    if (world_events(w) != events) {
        return err_set(
            err, "differs: expected after %" PRIu64 " events at %s, is after %" PRIu64 " at %s",
            events, num_clock(time).text, world_events(w), num_clock(world_now(w)).text);
    }
    int64_t coming = 0;
    if (world_next_time(w, &coming) && coming < time) {
        return err_set(err, "differs: an event at %s comes before it", num_clock(coming).text);
    }
    world_run_until(w, time);
    return true;
}

static bool play_line(const char *line, struct world *w, struct err *err)
{
    uint64_t events = 0;
    uint64_t time = 0;
    const char *words = line;
    if (!read_u64(&words, UINT64_MAX, &events) || !read_u64(&words, INT64_MAX, &time)) {
        return err_set(err, "should be: EVENTS TIME command or digest");
    }
    if (!run_to(w, events, (int64_t)time, err)) {
        return false;
    }
    if (str_starts(words, "digest ")) {
        char hex[DIGEST_HEX_SIZE];
        digest_hex(world_digest(w), hex);
        if (strcmp(words + 7, hex) != 0) {
            return err_set(err, "differs: the journal's digest is %.32s, the world's %s", words + 7,
                           hex);
        }
        return true;
    }
    struct command c;
    return command_parse(words, &c, err) && world_apply(w, &c, err);
}

bool journal_replay(const char *text, struct world *w, struct err *err)
{
    struct journal_header header;
    char line[LINE_MAX_BYTES];
    if (!journal_header(text, &header, err)) {
        return false;
    }
    if (header.seed != world_config_of(w)->seed || world_events(w) > 0) {
        return err_set(err, "the journal wants a fresh world of seed %" PRIu64, header.seed);
    }
    text = strchr(text, '\n') + 1;
    for (int number = 2; *text != '\0'; number++) {
        if (!next_line(&text, line, number, err)) {
            return false;
        }
        if (!play_line(line, w, err)) {
            return err_prefix(err, "line %d of the journal", number);
        }
    }
    return true;
}
