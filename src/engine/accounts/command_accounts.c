/*
 * command_accounts: the text forms of the commands of accounts.h.
 *
 *   account KEY STRIPES FLOOR    KEY is a balance; credits go to so many stripes (0: none, to the
 *                                main account), debits leave it FLOOR at least
 *   sweep KEY [EVERY_MS]         moves what the stripes hold into the main account, now, and again
 *                                after each EVERY_MS; without it no more than this once
 *   lease KEY RATE BLOCK         KEY is a budget of RATE tokens a second, leased BLOCK at a time
 *   index KEY INDEXKEY [async|sync|throttle]
 *                                each write of KEY brings one of INDEXKEY with it; "none" ends it
 *
 * What clients ask for: credit KEY [AMOUNT], debit KEY [AMOUNT], take KEY (command.c).
 */
#include "engine/accounts/accounts.h"
#include "engine/words/command_words.h"

static const char *const mode_names[INDEX_MODES] = {
    [INDEX_ASYNC] = "async",
    [INDEX_SYNC] = "sync",
    [INDEX_THROTTLE] = "throttle",
};

static bool parse_account(struct words *in, struct command *out, struct err *err)
{
    return words_key(in, out, err) && words_number(in, "the number of stripes", &out->count, err) &&
           words_amount(in, "the floor", &out->amount, err);
}

static void say_account(const struct command *c, struct str *out)
{
    str_addc(out, ' ');
    say_key_text(c->key, c->key_length, out);
    str_addf(out, " %u %llu", c->count, (unsigned long long)c->amount);
}

static bool parse_sweep(struct words *in, struct command *out, struct err *err)
{
    return words_key(in, out, err) &&
           (!words_left(in) || words_ms(in, "the time between sweeps", &out->period_us, err));
}

static void say_sweep(const struct command *c, struct str *out)
{
    str_addc(out, ' ');
    say_key_text(c->key, c->key_length, out);
    if (c->period_us > 0) {
        str_addc(out, ' ');
        say_ms(c->period_us, out);
    }
}

static bool parse_lease(struct words *in, struct command *out, struct err *err)
{
    return words_key(in, out, err) && words_number(in, "the rate", &out->rate, err) &&
           words_number(in, "the block", &out->count, err);
}

static void say_lease(const struct command *c, struct str *out)
{
    str_addc(out, ' ');
    say_key_text(c->key, c->key_length, out);
    str_addf(out, " %u %u", c->rate, c->count);
}

static bool parse_index(struct words *in, struct command *out, struct err *err)
{
    if (!words_key(in, out, err)) {
        return false;
    }
    if (words_skip(in, "none")) {
        return true;
    }
    return words_other(in, "the indexed key", out, err) &&
           (!words_left(in) ||
            words_choice(in, "a kind of index", mode_names, INDEX_MODES, &out->mode, err));
}

static void say_index(const struct command *c, struct str *out)
{
    str_addc(out, ' ');
    say_key_text(c->key, c->key_length, out);
    str_addc(out, ' ');
    if (c->other_length == 0) {
        str_add(out, "none");
        return;
    }
    say_key_text(c->other, c->other_length, out);
    if (c->mode != INDEX_ASYNC && c->mode < INDEX_MODES) {
        str_addf(out, " %s", mode_names[c->mode]);
    }
}

const struct command_form *command_form_of_accounts(enum command_kind kind)
{
    static const struct command_form forms[] = {
        {"index", "index KEY INDEXKEY|none [async|sync|throttle]",
         "each write of a key brings an index entry with it",
         "INDEXKEY: the key of the index; none: no entries any more\n"
         "async: the entry follows (if you say nothing); sync: the write waits for it\n"
         "throttle: writes are held back while too many entries wait",
         parse_index, say_index},
        {"account", "account KEY STRIPES FLOOR", "a key becomes a balance that credits may share",
         "STRIPES: parts that credits go to; 0: all go to the main account\n"
         "FLOOR: what debits must leave in the main account",
         parse_account, say_account},
        {"sweep", "sweep KEY [EVERY_MS]", "moves what the stripes hold into the main account",
         "EVERY_MS: and again each so many milliseconds; left out: this once", parse_sweep,
         say_sweep},
        {"lease", "lease KEY RATE BLOCK", "a key becomes a budget that routers lease in blocks",
         "RATE: tokens a second, over all routers\n"
         "BLOCK: tokens that a router gets at a time",
         parse_lease, say_lease},
    };
    return kind >= COMMAND_INDEX && kind <= COMMAND_LEASE ? &forms[kind - COMMAND_INDEX] : NULL;
}
