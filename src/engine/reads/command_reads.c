/*
 * command_reads: the text of commands about hot reads.
 *
 *   reads KEY plain                      the key's shard is asked each time
 *   reads KEY cached [FRESH STALE] [with COUNT]   each router keeps the answer; milliseconds, 1000
 *                                        and 3000; its fetches read the count in the same slot too
 *   reads KEY coalesced [by-key]         identical reads share a query, at each router or at one
 *   reads KEY replicas                   followers' answers lag (see replicas)
 *   reads KEY copies N                   N copies under keys of their own, one is read at random
 *   reads KEY edge [TTL]                 each zone keeps the answer before its routers; 1000
 *   reads KEY forget                     every cached answer is gone at once, as by a restart
 *   replicas S2 N                        N copies of a shard, its leader among them, answer reads
 *
 * In struct command: mode (enum reads_mode), pick (by-key), period_us (fresh, TTL), bound_us
 * (stale), count (N), other (the count).
 */
#include "engine/reads/reads.h"
#include "engine/words/command_words.h"

static const char *const mode_names[] = {
    [READS_PLAIN] = "plain",       [READS_CACHED] = "cached", [READS_COALESCED] = "coalesced",
    [READS_REPLICAS] = "replicas", [READS_COPIES] = "copies", [READS_EDGE] = "edge",
    [READS_FORGET] = "forget",
};

static bool parse_reads(struct words *in, struct command *out, struct err *err)
{
    if (!words_key(in, out, err) ||
        !words_choice(in, "a treatment of reads", mode_names,
                      sizeof mode_names / sizeof *mode_names, &out->mode, err)) {
        return false;
    }
    if (out->mode == READS_COPIES) {
        return words_number(in, "the number of copies", &out->count, err);
    }
    out->pick = out->mode == READS_COALESCED && words_skip(in, "by-key");
    if (out->mode != READS_CACHED && out->mode != READS_EDGE) {
        return true;
    }
    bool cached = out->mode == READS_CACHED;
    out->period_us = READS_FRESH_US;
    out->bound_us = cached ? READS_STALE_US : 0;
    if (cached && words_skip(in, "with")) {
        return words_other(in, "the key", out, err);
    }
    if (!words_left(in)) {
        return true;
    }
    return words_ms(in, cached ? "the fresh bound" : "the TTL", &out->period_us, err) &&
           (!cached || words_ms(in, "the stale bound", &out->bound_us, err)) &&
           (!cached || !words_skip(in, "with") || words_other(in, "the key", out, err));
}

static void say_cached(const struct command *c, struct str *out)
{
    if (c->period_us != READS_FRESH_US || c->bound_us != READS_STALE_US) {
        str_addc(out, ' ');
        say_ms(c->period_us, out);
        str_addc(out, ' ');
        say_ms(c->bound_us, out);
    }
    if (c->other_length > 0) {
        str_add(out, " with ");
        say_key_text(c->other, c->other_length, out);
    }
}

static void say_reads(const struct command *c, struct str *out)
{
    str_addc(out, ' ');
    say_key_text(c->key, c->key_length, out);
    str_addf(out, " %s", mode_names[c->mode]);
    if (c->mode == READS_COPIES) {
        str_addf(out, " %u", c->count);
    } else if (c->mode == READS_COALESCED && c->pick != 0) {
        str_add(out, " by-key");
    } else if (c->mode == READS_CACHED) {
        say_cached(c, out);
    } else if (c->mode == READS_EDGE && c->period_us != READS_FRESH_US) {
        str_addc(out, ' ');
        say_ms(c->period_us, out);
    }
}

static bool parse_replicas(struct words *in, struct command *out, struct err *err)
{
    return words_node(in, 'S', &out->shard, err) &&
           words_number(in, "the number of copies", &out->count, err);
}

static void say_replicas(const struct command *c, struct str *out)
{
    str_addf(out, " S%u %u", c->shard, c->count);
}

const struct command_form *command_form_of_reads(enum command_kind kind)
{
    static const struct command_form reads = {
        "reads",
        "reads KEY plain|replicas|forget | reads KEY cached [FRESH_MS STALE_MS] [with COUNT] | "
        "reads KEY coalesced [by-key] | reads KEY copies N | reads KEY edge [TTL_MS]",
        "how routers treat the reads of a hot key",
        "plain: the key's shard is asked each time\n"
        "cached: each router keeps the answer, fresh for FRESH_MS (1000), at most STALE_MS old "
        "(3000); its fetches read the key COUNT too, which has the same slot\n"
        "coalesced: reads at the same time share a query, at each router; by-key: at one router\n"
        "replicas: copies of the shard answer, and lag (see replicas)\n"
        "copies N: N copies under keys of their own, one is read at random\n"
        "edge: each zone keeps the answer before its routers, for TTL_MS (1000)\n"
        "forget: every cached answer is gone at once",
        parse_reads,
        say_reads};
    static const struct command_form replicas = {"replicas",
                                                 "replicas S2 N",
                                                 "how many copies of a shard answer reads",
                                                 "N: copies, the leader among them",
                                                 parse_replicas,
                                                 say_replicas};
    if (kind == COMMAND_READS) {
        return &reads;
    }
    return kind == COMMAND_REPLICAS ? &replicas : NULL;
}
