/*
 * command_guards: the words of guards.h.
 *
 *   limit key KEY RATE|none         all routers together let at most RATE requests a second pass,
 *   limit tenant NAME RATE|none     each its equal part of it; the rest is answered 429
 *   tenant NAME KEY                 from now on the key is that tenant's
 *   clients none                    who is turned away gives up
 *   clients at-once [times N] [budget PCT]
 *                                   asks again at once, N times at most (3), Retry-After or not;
 *                                   repeats are at most PCT percent of the first asks
 *   clients backoff [FIRST_MS] [times N] [jitter] [budget PCT]
 *                                   waits FIRST_MS (10), or what Retry-After says if that is
 *                                   longer, each time twice as long; jitter: a random part of it
 *   breaker on [PCT WINDOW_MS OPEN_MS]
 *                                   a router asks a shard no more for OPEN_MS (1000) once PCT
 *                                   percent (50) of its answers within WINDOW_MS (1000) failed
 *   breaker off
 *   shed N|off                      a router has at most N requests in hand, the last quarter of
 *                                   them writes; it answers the rest 503
 *   share NAME PCT|off              of these, at most so many percent are of that tenant
 *   sample N [WINDOW_MS]            one of N requests is counted, a report each WINDOW_MS (5000)
 *   sample off
 */
#include "base/check.h"
#include "engine/guards/guards.h"
#include "engine/words/command_words.h"

#define FIRST_WAIT_US INT64_C(10000)
#define REPEATS 3
#define BREAKER_PERCENT 50
#define BREAKER_SPAN_US INT64_C(1000000)
#define SAMPLE_WINDOW_US INT64_C(5000000)

static const char *const limited[] = {"key", "tenant"};
static const char *const policies[] = {
    [CLIENTS_NONE] = "none", [CLIENTS_AT_ONCE] = "at-once", [CLIENTS_BACKOFF] = "backoff"};

/* A number from 1 on, or `none` for 0. */
static bool number_or(struct words *in, const char *what, const char *none, uint32_t *out,
                      struct err *err)
{
    *out = 0;
    if (words_skip(in, none)) {
        return true;
    }
    if (!words_number(in, what, out, err)) {
        return false;
    }
    return *out > 0 || err_set(err, "%s is 0; write: %s", what, in->form);
}

static bool parse_limit(struct words *in, struct command *out, struct err *err)
{
    if (!words_choice(in, "what a limit is for", limited, 2, &out->mode, err)) {
        return false;
    }
    bool named = out->mode == 0 ? words_key(in, out, err) : words_other(in, "the tenant", out, err);
    return named && number_or(in, "the rate", "none", &out->rate, err);
}

static void say_number_or(uint32_t number, const char *none, struct str *out)
{
    if (number > 0) {
        str_addf(out, " %u", number);
    } else {
        str_addf(out, " %s", none);
    }
}

static void say_limit(const struct command *c, struct str *out)
{
    if (c->mode == 0) {
        str_add(out, " key ");
        say_key_text(c->key, c->key_length, out);
    } else {
        str_add(out, " tenant ");
        say_key_text(c->other, c->other_length, out);
    }
    say_number_or(c->rate, "none", out);
}

static bool parse_tenant(struct words *in, struct command *out, struct err *err)
{
    return words_other(in, "the tenant", out, err) && words_key(in, out, err);
}

static void say_tenant(const struct command *c, struct str *out)
{
    str_addc(out, ' ');
    say_key_text(c->other, c->other_length, out);
    str_addc(out, ' ');
    say_key_text(c->key, c->key_length, out);
}

/* Whether the next word begins with a digit. */
static bool number_comes(const struct words *in)
{
    return words_left(in) && in->word[in->at][0] >= '0' && in->word[in->at][0] <= '9';
}

static bool parse_clients(struct words *in, struct command *out, struct err *err)
{
    uint32_t budget = 0;
    if (!words_choice(in, "what clients do", policies, 3, &out->mode, err)) {
        return false;
    }
    if (out->mode == CLIENTS_NONE) {
        return true;
    }
    out->count = REPEATS;
    if (out->mode == CLIENTS_BACKOFF) {
        out->period_us = FIRST_WAIT_US;
        if (number_comes(in) && !words_ms(in, "the first wait", &out->period_us, err)) {
            return false;
        }
    }
    if (words_skip(in, "times") && !words_number(in, "how many times", &out->count, err)) {
        return false;
    }
    out->pick = out->mode == CLIENTS_BACKOFF && words_skip(in, "jitter");
    if (words_skip(in, "budget") &&
        (!words_number(in, "the budget", &budget, err) ||
         (budget == 0 && !err_set(err, "the budget is 0; write: %s", in->form)))) {
        return false;
    }
    out->amount = budget;
    return true;
}

static void say_clients(const struct command *c, struct str *out)
{
    CHECK(c->mode <= CLIENTS_BACKOFF);
    str_addf(out, " %s", policies[c->mode]);
    if (c->mode == CLIENTS_NONE) {
        return;
    }
    if (c->mode == CLIENTS_BACKOFF) {
        str_addc(out, ' ');
        say_ms(c->period_us, out);
    }
    str_addf(out, " times %u%s", c->count, c->pick != 0 ? " jitter" : "");
    if (c->amount > 0) {
        str_addf(out, " budget %u", (unsigned)c->amount);
    }
}

static bool parse_breaker(struct words *in, struct command *out, struct err *err)
{
    if (!words_on(in, &out->on, err)) {
        return false;
    }
    if (!out->on) {
        return true;
    }
    out->count = BREAKER_PERCENT;
    out->period_us = BREAKER_SPAN_US;
    out->bound_us = BREAKER_SPAN_US;
    return !words_left(in) || (words_number(in, "the percentage", &out->count, err) &&
                               words_ms(in, "the window", &out->period_us, err) &&
                               words_ms(in, "how long it stays open", &out->bound_us, err));
}

static void say_breaker(const struct command *c, struct str *out)
{
    if (!c->on) {
        str_add(out, " off");
        return;
    }
    str_addf(out, " on %u ", c->count);
    say_ms(c->period_us, out);
    str_addc(out, ' ');
    say_ms(c->bound_us, out);
}

static bool parse_shed(struct words *in, struct command *out, struct err *err)
{
    return number_or(in, "the number in hand", "off", &out->count, err);
}

static void say_count(const struct command *c, struct str *out)
{
    say_number_or(c->count, "off", out);
}

static bool parse_share(struct words *in, struct command *out, struct err *err)
{
    return words_other(in, "the tenant", out, err) &&
           number_or(in, "the share", "off", &out->count, err);
}

static void say_share(const struct command *c, struct str *out)
{
    str_addc(out, ' ');
    say_key_text(c->other, c->other_length, out);
    say_count(c, out);
}

static bool parse_sample(struct words *in, struct command *out, struct err *err)
{
    if (!number_or(in, "one in how many", "off", &out->count, err)) {
        return false;
    }
    out->period_us = out->count > 0 ? SAMPLE_WINDOW_US : 0;
    return out->count == 0 || !words_left(in) || words_ms(in, "the window", &out->period_us, err);
}

static void say_sample(const struct command *c, struct str *out)
{
    say_count(c, out);
    if (c->count > 0) {
        str_addc(out, ' ');
        say_ms(c->period_us, out);
    }
}

const struct command_form *command_form_of_guards(enum command_kind kind)
{
    static const struct command_form forms[] = {
        {"limit", "limit key|tenant NAME RATE|none", "what is beyond a rate is answered 429",
         "key|tenant NAME: a key, or all keys of a tenant (see tenant)\n"
         "RATE: requests a second, over all routers, each its equal part of it\n"
         "none: no limit any more",
         parse_limit, say_limit},
        {"tenant", "tenant NAME KEY", "says whose a key is", "NAME: of the tenant", parse_tenant,
         say_tenant},
        {"clients", "clients none|at-once|backoff [FIRST_MS] [times N] [jitter] [budget PCT]",
         "what clients do when they are turned away",
         "none: they give up; at-once: they ask again at once\n"
         "backoff: they wait FIRST_MS (10), then twice as long each time; jitter: a random "
         "part of it\n"
         "times N: N times at most (3)\n"
         "budget PCT: repeats are at most PCT percent of the first asks",
         parse_clients, say_clients},
        {"breaker", "breaker on|off [PCT WINDOW_MS OPEN_MS]",
         "a router leaves a shard alone for a while when its answers fail",
         "PCT: percent of the answers that failed (50), within WINDOW_MS (1000)\n"
         "OPEN_MS: how long it is left alone (1000)",
         parse_breaker, say_breaker},
        {"shed", "shed N|off", "what a router has no room for is answered 503",
         "N: requests that a router has in hand; the last quarter "
         "of them writes",
         parse_shed, say_count},
        {"share", "share TENANT PCT|off", "how much of a router one tenant may take",
         "PCT: percent of what shed allows it to have in hand", parse_share, say_share},
        {"sample", "sample N [WINDOW_MS]|off",
         "routers count some requests, and report the hot keys",
         "N: one of N requests is counted\n"
         "WINDOW_MS: a report each (5000)",
         parse_sample, say_sample},
    };
    CHECK(kind >= COMMAND_LIMIT && kind <= COMMAND_SAMPLE);
    return &forms[kind - COMMAND_LIMIT];
}
