/*
 * command_writes: the commands that treat likes of a hot count, as words.
 *
 *   writes KEY plain
 *   writes KEY salted S [inside|outside] [turn|random|writer]
 *       S sub-keys; the salt stands inside the hash tag (or behind it); a router picks them in turn
 *       (or at random, or derived from the operation)
 *   writes KEY summed [WINDOW_MS] [absolute|window|merge]
 *       routers sum, and flush every 500 ms: the total with a sequence (or the window's difference
 *       under its number, or a total that is merged by maximum)
 *   rebuild KEY                     recounts from `liked` and writes the correction
 */
#include "engine/words/command_words.h"
#include "engine/writes/writes.h"

#include "base/check.h"
#include <stddef.h>

static const char *const modes[] = {
    [WRITES_PLAIN] = "plain", [WRITES_SALTED] = "salted", [WRITES_SUMMED] = "summed"};
static const char *const places[] = {[SALT_INSIDE] = "inside", [SALT_OUTSIDE] = "outside"};
static const char *const picks[] = {
    [SALT_TURN] = "turn", [SALT_RANDOM] = "random", [SALT_WRITER] = "writer"};
static const char *const ways[] = {
    [FLUSH_ABSOLUTE] = "absolute", [FLUSH_WINDOW] = "window", [FLUSH_MERGE] = "merge"};

/* One of these words, if it comes next. */
static void take_choice(struct words *in, const char *const *names, size_t count, uint8_t *out)
{
    for (size_t i = 0; i < count; i++) {
        if (words_skip(in, names[i])) {
            *out = (uint8_t)i;
            return;
        }
    }
}

static bool parse_writes(struct words *in, struct command *out, struct err *err)
{
    if (!words_key(in, out, err) ||
        !words_choice(in, "plain, salted or summed", modes, WRITES_MODES, &out->mode, err)) {
        return false;
    }
    if (out->mode == WRITES_SALTED) {
        if (!words_number(in, "the number of salts", &out->count, err)) {
            return false;
        }
        take_choice(in, places, sizeof places / sizeof places[0], &out->place);
        take_choice(in, picks, sizeof picks / sizeof picks[0], &out->pick);
    } else if (out->mode == WRITES_SUMMED) {
        int at = in->at;
        out->period_us = WINDOW_DEFAULT_US;
        take_choice(in, ways, FLUSH_WAYS, &out->pick);
        if (in->at == at && words_left(in)) {
            if (!words_ms(in, "the window", &out->period_us, err)) {
                return false;
            }
            take_choice(in, ways, FLUSH_WAYS, &out->pick);
        }
    }
    return true;
}

static void say_writes(const struct command *c, struct str *out)
{
    CHECK(c->mode < WRITES_MODES);
    str_addc(out, ' ');
    say_key_text(c->key, c->key_length, out);
    str_addf(out, " %s", modes[c->mode]);
    if (c->mode == WRITES_SALTED) {
        str_addf(out, " %u", c->count);
        if (c->place != SALT_INSIDE) {
            str_addf(out, " %s", places[SALT_OUTSIDE]);
        }
        if (c->pick != SALT_TURN) {
            str_addf(out, " %s", picks[c->pick == SALT_RANDOM ? SALT_RANDOM : SALT_WRITER]);
        }
    } else if (c->mode == WRITES_SUMMED) {
        if (c->period_us != WINDOW_DEFAULT_US) {
            str_addc(out, ' ');
            say_ms(c->period_us, out);
        }
        if (c->pick != FLUSH_ABSOLUTE) {
            str_addf(out, " %s", ways[c->pick == FLUSH_WINDOW ? FLUSH_WINDOW : FLUSH_MERGE]);
        }
    }
}

static bool parse_rebuild(struct words *in, struct command *out, struct err *err)
{
    return words_key(in, out, err);
}

static void say_rebuild(const struct command *c, struct str *out)
{
    str_addc(out, ' ');
    say_key_text(c->key, c->key_length, out);
}

const struct command_form *command_form_of_writes(enum command_kind kind)
{
    static const struct command_form writes = {
        "writes",
        "writes KEY plain | writes KEY salted S [inside|outside] [turn|random|writer] | "
        "writes KEY summed [WINDOW_MS] [absolute|window|merge]",
        "how routers treat the likes of a hot count",
        "plain: each like goes to the count's shard\n"
        "salted S: S sub-keys take the likes; inside: all in one slot; outside: in slots of their "
        "own\n"
        "turn|random|writer: which sub-key; writer: derived from the like, the same each time\n"
        "summed: routers add up, and send the sum each WINDOW_MS (500)\n"
        "absolute: they send the total, with a sequence\n"
        "window: what the window brought, with its number; merge: the total, the larger one stays",
        parse_writes,
        say_writes};
    static const struct command_form rebuild = {
        "rebuild", "rebuild KEY", "counts again from the table `liked`, and corrects the count",
        NULL,      parse_rebuild, say_rebuild};
    return kind == COMMAND_WRITES ? &writes : kind == COMMAND_REBUILD ? &rebuild : NULL;
}
