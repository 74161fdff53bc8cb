/*
 * command_watch: the text forms of heartbeats (watch.h).
 *
 *   beats MS timeout MS    each node beats every MS; silent for so long it is declared dead
 *   beats MS phi N         ... or when its silence is so unusual: once in 10^N beats
 *   beats off
 * Each of them begins anew: nobody is declared dead, and the counts are 0.
 */
#include "base/check.h"
#include "engine/words/command_words.h"

static bool parse_beats(struct words *in, struct command *out, struct err *err)
{
    static const char *const ways[] = {"timeout", "phi"};
    if (words_skip(in, "off")) {
        out->mode = 2;
        return true;
    }
    if (!words_ms(in, "the period in ms, or off", &out->period_us, err) ||
        !words_choice(in, "timeout or phi", ways, 2, &out->mode, err)) {
        return false;
    }
    return out->mode == 0 ? words_ms(in, "the timeout in ms", &out->bound_us, err)
                          : words_number(in, "phi", &out->count, err);
}

static void say_beats(const struct command *c, struct str *out)
{
    if (c->mode == 2) {
        str_add(out, " off");
        return;
    }
    str_addc(out, ' ');
    say_ms(c->period_us, out);
    if (c->mode == 0) {
        str_add(out, " timeout ");
        say_ms(c->bound_us, out);
    } else {
        str_addf(out, " phi %u", c->count);
    }
}

const struct command_form *command_form_of_watch(enum command_kind kind)
{
    static const struct command_form forms[] = {
        {"beats", "beats MS timeout MS | beats MS phi N | beats off",
         "nodes say that they live; who is silent is declared dead",
         "the first MS: how often a node beats\n"
         "timeout: silent for so many ms, it is declared dead\n"
         "phi: declared dead when so long a silence comes once in 10^N beats, by the gaps so far",
         parse_beats, say_beats},
    };
    CHECK(kind == COMMAND_BEATS);
    return &forms[kind - COMMAND_BEATS];
}
