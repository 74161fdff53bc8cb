/*
 * command_faults: the words of faults.h.
 *
 *   network loss 5% double 1% delay 10% 50    of all messages; those held up wait up to 50 ms
 *   network calm                              nothing happens to messages any more
 *   crash R4|S2 [FOR_MS]                      it dies, and is back after a second or FOR_MS
 *   hold REQUEST FOR_MS                       messages of the request with this number that would
 *                                             arrive within FOR_MS arrive at its end: so one
 *                                             message can be overtaken by another, and not by luck
 *
 *   patience ROUTER_MS [CLIENT_MS]            how long a router waits for a shard, and a client for
 * a router, with all requests from now on; 0: for ever; clients ten times as long unless it is said
 *
 *   directory off|on                         it answers nobody and commits nothing; it is back
 *
 * In struct command, for hold: amount (the number), period_us; for patience: period_us (routers),
 * bound_us (clients).
 * Parts that are left out are 0. Percentages have up to four decimals.
 */
#include "base/check.h"
#include "base/num.h"
#include "engine/faults/faults_inside.h"
#include "engine/words/command_words.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* "5%", "0.25%" as a number of a million. */
static bool percent(struct words *in, uint32_t *out_ppm, struct err *err)
{
    const char *word = words_next(in, "the percentage", err);
    if (word == NULL) {
        return false;
    }
    char whole[8];
    char part[8] = "0000";
    size_t length = strcspn(word, ".%");
    const char *dot = word + length;
    size_t decimals = *dot == '.' ? strcspn(dot + 1, "%") : 0;
    const char *end = *dot == '.' ? dot + 1 + decimals : dot;
    uint64_t percents = 0;
    uint64_t parts = 0;
    bool well = length > 0 && length < sizeof whole && decimals <= 4 &&
                (*dot != '.' || decimals > 0) && strcmp(end, "%") == 0;
    if (well) {
        (void)snprintf(whole, sizeof whole, "%.*s", (int)length, word);
        memcpy(part, *dot == '.' ? dot + 1 : dot, decimals);
        well = num_parse_u64(whole, "percentage", 0, 100, &percents, NULL) &&
               num_parse_u64(part, "percentage", 0, 9999, &parts, NULL);
    }
    if (!well) {
        return err_set(err, "\"%s\" is no percentage; write 5%% or 0.25%%", word);
    }
    *out_ppm = (uint32_t)(percents * 10000 + parts);
    return true;
}

static bool parse_network(struct words *in, struct command *out, struct err *err)
{
    uint32_t loss = 0;
    if (words_skip(in, "calm")) {
        return true;
    }
    int at = in->at;
    if (words_skip(in, "loss") && !percent(in, &loss, err)) {
        return false;
    }
    out->amount = loss;
    if (words_skip(in, "double") && !percent(in, &out->count, err)) {
        return false;
    }
    if (words_skip(in, "delay")) {
        return percent(in, &out->rate, err) &&
               words_ms(in, "how long they are held up at most", &out->bound_us, err);
    }
    if (in->at > at) {
        return true;
    }
    const char *word = words_next(in, "calm or loss ...", err);
    return word != NULL &&
           err_set(err, "\"%s\" is neither calm nor loss, double or delay; write: %s", word,
                   in->form);
}

static void say_percent(const char *name, uint64_t ppm, struct str *out)
{
    char part[8];
    (void)snprintf(part, sizeof part, ".%04u", (unsigned)(ppm % 10000));
    size_t length = strlen(part);
    while (part[length - 1] == '0') {
        part[--length] = '\0';
    }
    str_addf(out, " %s %u%s%%", name, (unsigned)(ppm / 10000), length > 1 ? part : "");
}

static void say_network(const struct command *c, struct str *out)
{
    bool delay = c->rate > 0 || c->bound_us > 0;
    if (c->amount == 0 && c->count == 0 && !delay) {
        str_add(out, " calm");
        return;
    }
    if (c->amount > 0) {
        say_percent("loss", c->amount, out);
    }
    if (c->count > 0) {
        say_percent("double", c->count, out);
    }
    if (delay) {
        say_percent("delay", c->rate, out);
        str_addc(out, ' ');
        say_ms(c->bound_us, out);
    }
}

static bool parse_crash(struct words *in, struct command *out, struct err *err)
{
    char first = in->at < in->count ? in->word[in->at][0] : '\0';
    bool shard = first == 'S';
    out->mode = shard ? NODE_SHARD : NODE_ROUTER;
    out->period_us = CRASH_DEFAULT_US;
    if (!shard && first != 'R') {
        const char *word = words_next(in, "the router or shard", err);
        return word != NULL &&
               err_set(err, "\"%s\" is no router and no shard; write R4 or S2", word);
    }
    if (!words_node(in, shard ? 'S' : 'R', shard ? &out->shard : &out->router, err)) {
        return false;
    }
    return !words_left(in) || words_ms(in, "for how long", &out->period_us, err);
}

static void say_crash(const struct command *c, struct str *out)
{
    bool shard = c->mode == NODE_SHARD;
    str_addf(out, " %c%u", shard ? 'S' : 'R', shard ? c->shard : c->router);
    if (c->period_us != CRASH_DEFAULT_US) {
        str_addc(out, ' ');
        say_ms(c->period_us, out);
    }
}

static bool parse_hold(struct words *in, struct command *out, struct err *err)
{
    return words_amount(in, "the number of the request", &out->amount, err) &&
           words_ms(in, "for how long", &out->period_us, err);
}

static void say_hold(const struct command *c, struct str *out)
{
    str_addf(out, " %" PRIu64 " ", c->amount);
    say_ms(c->period_us, out);
}

static bool parse_patience(struct words *in, struct command *out, struct err *err)
{
    if (!words_ms(in, "the routers' patience", &out->period_us, err)) {
        return false;
    }
    out->bound_us = out->period_us * CLIENT_PATIENCE_TIMES;
    return !words_left(in) || words_ms(in, "the clients' patience", &out->bound_us, err);
}

static void say_patience(const struct command *c, struct str *out)
{
    str_addc(out, ' ');
    say_ms(c->period_us, out);
    if (c->bound_us != c->period_us * CLIENT_PATIENCE_TIMES) {
        str_addc(out, ' ');
        say_ms(c->bound_us, out);
    }
}

static bool parse_directory(struct words *in, struct command *out, struct err *err)
{
    return words_on(in, &out->on, err);
}

static void say_directory(const struct command *c, struct str *out)
{
    str_add(out, c->on ? " on" : " off");
}

const struct command_form *command_form_of_faults(enum command_kind kind)
{
    static const struct command_form forms[] = {
        {"network", "network calm | network loss PCT% double PCT% delay PCT% UP_TO_MS",
         "messages are lost, come twice, or are held up; calm ends it",
         "PCT%: of all messages, as in 5% or 0.25%; parts may be left out\n"
         "UP_TO_MS: how long they are held up at most\n"
         "Lost messages need somebody who asks again: see patience",
         parse_network, say_network},
        {"crash", "crash R4|S2 [FOR_MS]", "a router or a shard dies, and comes back",
         "FOR_MS: after so many milliseconds; left out: 1000", parse_crash, say_crash},
        {"hold", "hold REQUEST FOR_MS",
         "the messages of one request are held up, others overtake them",
         "REQUEST: its number; they are numbered from 1 as they come", parse_hold, say_hold},
        {"patience", "patience ROUTER_MS [CLIENT_MS]",
         "how long routers and clients wait before they ask again or give up",
         "ROUTER_MS: a router's patience with a shard; then it asks again\n"
         "CLIENT_MS: a client's with a router; left out: ten times as long\n"
         "0: they wait for ever",
         parse_patience, say_patience},
        {"directory", "directory off|on", "the directory is down, or back",
         "off: it answers no router, and no slot changes its owner\n"
         "on: it is back, and answers whoever still waits for the map",
         parse_directory, say_directory},
    };
    CHECK(kind >= COMMAND_NETWORK && kind <= COMMAND_DIRECTORY);
    return &forms[kind - COMMAND_NETWORK];
}
