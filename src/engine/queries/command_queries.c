/*
 * command_queries: the text forms of the commands of queries.h.
 *
 *   query NAME top K of PREFIX* [bytes B]   a query: the K greatest of the keys that begin so;
 *                  each shard's answer has B bytes
 *   query NAME sum of PREFIX* [bytes B]
 *   query NAME hedge MS|off      a shard's follower is asked the same after so long
 *   query NAME timeout MS|off    a shard is given up after so long
 *   query NAME deadline MS|off   the query ends after so long, with what there is
 *   query NAME ask N|all         so many shards are asked, chosen anew for each run
 *   query NAME drop
 *   gather NAME via R3           asks it once
 *   gather NAME RATE [steady|scattered|poisson]   clients ask it through all routers; 0 ends it
 *   popular NAME zone a every MS   a job in this zone computes it once a period, for everybody
 *   popular NAME off
 *   times S2|all FROM TO [slow PERCENT FROM TO]   how long a part takes, in milliseconds: drawn
 *                  evenly from the first span, or, so many of a hundred, from the second
 *   times S2|all off
 */
#include "base/check.h"
#include "engine/queries/queries_command.h"
#include "engine/words/command_words.h"
#include <string.h>

#define PPM_A_THOUSANDTH 10u /* a thousandth of a percent */

static const char *const arrival_names[] = {"steady", "scattered", "poisson"};
static const char *const limit_names[] = {"hedge", "timeout", "deadline"};

/* --- query --- */

static bool parse_prefix(struct words *in, struct command *out, struct err *err)
{
    if (!words_expect(in, "of", err) || !words_key(in, out, err)) {
        return false;
    }
    return !words_skip(in, "bytes") ||
           words_bytes(in, "the bytes of an answer", UINT32_MAX, &out->amount, err);
}

static bool parse_ms_or_off(struct words *in, const char *what, int64_t *us, struct err *err)
{
    *us = 0;
    return words_skip(in, "off") || words_ms(in, what, us, err);
}

static bool parse_query(struct words *in, struct command *out, struct err *err)
{
    static const char *const modes[] = {"top",      "sum",  "hedge", "timeout",
                                        "deadline", "drop", "ask"};
    if (!words_other(in, "the name", out, err) ||
        !words_choice(in, "what about it", modes, sizeof modes / sizeof *modes, &out->mode, err)) {
        return false;
    }
    switch ((enum query_mode)out->mode) {
    case QUERY_TOP:
        return words_number(in, "how many entries", &out->count, err) && parse_prefix(in, out, err);
    case QUERY_SUM:
        return parse_prefix(in, out, err);
    case QUERY_HEDGE:
    case QUERY_TIMEOUT:
    case QUERY_DEADLINE:
        return parse_ms_or_off(in, "the time", &out->period_us, err);
    case QUERY_ASK:
        return words_skip(in, "all") ||
               (words_number(in, "how many shards", &out->count, err) &&
                (out->count > 0 || err_set(err, "a query asks 1 shard at least, or all")));
    case QUERY_DROP:
        break;
    }
    return true;
}

static void say_name(const struct command *c, struct str *out)
{
    str_add(out, " ");
    say_key_text(c->other, c->other_length, out);
}

static void say_ms_or_off(int64_t us, struct str *out)
{
    if (us == 0) {
        str_add(out, " off");
    } else {
        str_add(out, " ");
        say_ms(us, out);
    }
}

static void say_query(const struct command *c, struct str *out)
{
    say_name(c, out);
    if (c->mode >= QUERY_HEDGE && c->mode <= QUERY_DEADLINE) {
        str_addf(out, " %s", limit_names[c->mode - QUERY_HEDGE]);
        say_ms_or_off(c->period_us, out);
        return;
    }
    if (c->mode == QUERY_DROP) {
        str_add(out, " drop");
        return;
    }
    if (c->mode == QUERY_ASK) {
        if (c->count == 0) {
            str_add(out, " ask all");
        } else {
            str_addf(out, " ask %u", c->count);
        }
        return;
    }
    if (c->mode == QUERY_TOP) {
        str_addf(out, " top %u", c->count);
    } else {
        str_add(out, " sum");
    }
    str_add(out, " of ");
    say_key_text(c->key, c->key_length, out);
    if (c->amount > 0) {
        str_addf(out, " bytes %llu", (unsigned long long)c->amount);
    }
}

/* --- gather, popular --- */

static bool parse_gather(struct words *in, struct command *out, struct err *err)
{
    uint8_t arrivals = ARRIVALS_STEADY;
    if (!words_other(in, "the name", out, err)) {
        return false;
    }
    if (words_skip(in, "via")) {
        out->mode = GATHER_ONCE;
        return words_node(in, 'R', &out->router, err);
    }
    out->mode = GATHER_FLOW;
    if (!words_number(in, "the rate, or \"via R3\",", &out->rate, err)) {
        return false;
    }
    if (words_left(in) && !words_choice(in, "how they arrive", arrival_names, 3, &arrivals, err)) {
        return false;
    }
    out->arrivals = (enum arrivals)arrivals;
    return true;
}

static void say_gather(const struct command *c, struct str *out)
{
    say_name(c, out);
    if (c->mode == GATHER_ONCE) {
        str_addf(out, " via R%u", c->router);
        return;
    }
    str_addf(out, " %u %s", c->rate, arrival_names[c->arrivals]);
}

static bool parse_popular(struct words *in, struct command *out, struct err *err)
{
    out->zone = 0;
    if (!words_other(in, "the name", out, err)) {
        return false;
    }
    if (words_skip(in, "off")) {
        return true;
    }
    return words_expect(in, "zone", err) && words_zone(in, &out->zone, err) &&
           words_expect(in, "every", err) && words_ms(in, "the period", &out->period_us, err);
}

static void say_popular(const struct command *c, struct str *out)
{
    say_name(c, out);
    if (c->period_us == 0) {
        str_add(out, " off");
        return;
    }
    str_addf(out, " zone %c every ", 'a' + c->zone);
    say_ms(c->period_us, out);
}

/* --- times --- */

static bool parse_slow(struct words *in, struct command *out, struct err *err)
{
    int64_t percent = 0; /* a thousandth of one is a microsecond here */
    int64_t from = 0;
    int64_t to = 0;
    if (!words_ms(in, "how many of a hundred", &percent, err) ||
        !words_ms(in, "the shortest", &from, err) || !words_ms(in, "the longest", &to, err)) {
        return false;
    }
    if (percent > 100000 || to > UINT32_MAX || from > UINT32_MAX) {
        return err_set(err, "at most 100 of a hundred are slow; form: %s", in->form);
    }
    out->count = (uint32_t)percent * PPM_A_THOUSANDTH;
    out->first = (uint32_t)from;
    out->last = (uint32_t)to;
    return true;
}

static bool parse_times(struct words *in, struct command *out, struct err *err)
{
    out->shard = SHARD_NONE;
    if (!words_skip(in, "all") && !words_node(in, 'S', &out->shard, err)) {
        return false;
    }
    out->on = !words_skip(in, "off");
    if (!out->on) {
        return true;
    }
    if (!words_ms(in, "the shortest", &out->period_us, err) ||
        !words_ms(in, "the longest", &out->bound_us, err)) {
        return false;
    }
    return !words_skip(in, "slow") || parse_slow(in, out, err);
}

static void say_times(const struct command *c, struct str *out)
{
    if (c->shard == SHARD_NONE) {
        str_add(out, " all");
    } else {
        str_addf(out, " S%u", c->shard);
    }
    if (!c->on) {
        str_add(out, " off");
        return;
    }
    str_add(out, " ");
    say_ms(c->period_us, out);
    str_add(out, " ");
    say_ms(c->bound_us, out);
    if (c->count > 0) {
        str_add(out, " slow ");
        say_ms(c->count / PPM_A_THOUSANDTH, out);
        str_add(out, " ");
        say_ms(c->first, out);
        str_add(out, " ");
        say_ms(c->last, out);
    }
}

const struct command_form *command_form_of_queries(enum command_kind kind)
{
    static const struct command_form forms[] = {
        {"query",
         "query NAME top K of PREFIX* [bytes B] | query NAME sum of PREFIX* [bytes B] | "
         "query NAME hedge|timeout|deadline MS|off | query NAME ask N|all | query NAME drop",
         "a query over all shards, and how it is asked",
         "top K: the K greatest of the keys that begin with PREFIX; sum: their sum\n"
         "B: what each shard's answer has; units: 20KB\n"
         "hedge: a shard's follower is asked the same after MS\n"
         "timeout: a shard is given up after MS\n"
         "deadline: the query ends after MS with what there is, marked partial\n"
         "ask: N shards, chosen anew for each run",
         parse_query, say_query},
        {"gather", "gather NAME via R3 | gather NAME RATE [steady|scattered|poisson]",
         "asks a query, once or so many times a second; RATE 0 ends it", NULL, parse_gather,
         say_gather},
        {"popular", "popular NAME zone a every MS | popular NAME off",
         "a job computes a query once a period, for everybody", NULL, parse_popular, say_popular},
        {"times", "times S2|all FROM TO [slow PERCENT FROM TO] | times S2|all off",
         "how long shards take for their part of a query",
         "FROM TO: milliseconds, drawn evenly between them\n"
         "slow: so many of a hundred parts take a time from the second span",
         parse_times, say_times},
    };
    CHECK(kind >= COMMAND_QUERY);
    return &forms[kind - COMMAND_QUERY];
}
