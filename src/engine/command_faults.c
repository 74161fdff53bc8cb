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
 * In struct command, for hold: amount (the number), period_us.
 * Parts that are left out are 0. Percentages have up to four decimals.
 */
#include "base/num.h"
#include "engine/command_words.h"
#include "engine/faults_inside.h"
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
    if (!words_left(in)) {
        return words_expect(in, "calm", err);
    }
    if (words_skip(in, "loss") && !percent(in, &loss, err)) {
        return false;
    }
    out->amount = loss;
    if (words_skip(in, "double") && !percent(in, &out->count, err)) {
        return false;
    }
    return !words_skip(in, "delay") ||
           (percent(in, &out->rate, err) &&
            words_ms(in, "how long they are held up at most", &out->bound_us, err));
}

static void say_percent(const char *name, uint64_t ppm, struct str *out)
{
    char part[8];
    if (ppm == 0) {
        return;
    }
    (void)snprintf(part, sizeof part, ".%04u", (unsigned)(ppm % 10000));
    size_t length = strlen(part);
    while (part[length - 1] == '0') {
        part[--length] = '\0';
    }
    str_addf(out, " %s %u%s%%", name, (unsigned)(ppm / 10000), length > 1 ? part : "");
}

static void say_network(const struct command *c, struct str *out)
{
    if (c->amount == 0 && c->count == 0 && c->rate == 0) {
        str_add(out, " calm");
        return;
    }
    say_percent("loss", c->amount, out);
    say_percent("double", c->count, out);
    say_percent("delay", c->rate, out);
    if (c->rate > 0) {
        str_addc(out, ' ');
        say_ms(c->bound_us, out);
    }
}

static bool parse_crash(struct words *in, struct command *out, struct err *err)
{
    bool shard = in->at < in->count && in->word[in->at][0] == 'S';
    out->mode = shard ? NODE_SHARD : NODE_ROUTER;
    out->period_us = CRASH_DEFAULT_US;
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

const struct command_form *command_form_of_faults(enum command_kind kind)
{
    static const struct command_form network = {
        "network", "network calm, or network loss PCT% double PCT% delay PCT% UP_TO_MS",
        parse_network, say_network};
    static const struct command_form crash = {"crash", "crash R4|S2 [FOR_MS]", parse_crash,
                                              say_crash};
    static const struct command_form hold = {"hold", "hold REQUEST FOR_MS", parse_hold, say_hold};
    if (kind == COMMAND_HOLD) {
        return &hold;
    }
    return kind == COMMAND_NETWORK ? &network : &crash;
}
