/*
 * quorums_say: stores without leaders, in words.
 */
#include "base/utf8.h"
#include "engine/quorums/quorums_inside.h"
#include <inttypes.h>

void quorum_say_key(const struct world *w, const struct trace_record *r, struct str *out)
{
    const struct store_row *s = stores_in(w) + r->target;
    if (r->target >= w->quorums.count || r->epoch >= s->keys) {
        str_add(out, "a key"); /* the store has begun anew since */
        return;
    }
    utf8_visible(out, s->key[r->epoch].text, s->key[r->epoch].length);
}

const char *quorum_store_name(const struct world *w, const struct trace_record *r)
{
    return r->target < w->quorums.count ? stores_in(w)[r->target].name : "a store";
}

/* "x = 5" */
static void say_pair(const struct world *w, const struct trace_record *r, struct str *out)
{
    quorum_say_key(w, r, out);
    str_addf(out, " = %" PRIu64, r->value);
}

/* --- commands --- */

static void say_command(const struct world *w, const struct trace_record *r, struct str *out)
{
    const char *name = quorum_store_name(w, r);
    switch ((enum store_mode) - r->operand[1]) {
    case STORE_MODE_HINTS:
        str_addf(out, "what stand-ins keep for others %s in %s",
                 r->operand[2] != 0 ? "counts" : "does not count", name);
        return;
    case STORE_MODE_REPAIR:
        str_addf(out, "reads of %s %s", name,
                 r->operand[2] == REPAIR_OFF     ? "repair nobody"
                 : r->operand[2] == REPAIR_AFTER ? "repair who is behind, after they answered"
                                                 : "repair who is behind, before they answer");
        return;
    case STORE_MODE_VERSIONS:
        str_addf(out, "%s %s", name,
                 r->operand[2] == 0 ? "keeps values side by side whose writers had not seen each "
                                      "other"
                                    : "keeps the later of two values, by the writers' clocks");
        return;
    case STORE_MODE_DEFINE:
    default:
        str_addf(out, "store %s begins: N %" PRId64 ", W %" PRId64 ", R %" PRId64 "%s", name,
                 r->operand[1] / 10000, r->operand[1] / 100 % 100, r->operand[1] % 100,
                 r->operand[2] != 0 ? ", sloppy" : "");
        return;
    }
}

/* --- records --- */

static void say_kept(const struct world *w, const struct trace_record *r, struct str *out)
{
    say_pair(w, r, out);
    switch (r->reason) {
    case REASON_QUORUM_SIBLING:
        str_addf(out, " is kept, beside %" PRId64 " more", r->operand[1] - 1);
        return;
    case REASON_QUORUM_OVERWROTE:
        str_addf(out, " is kept, %" PRId64 " is gone", r->operand[2]);
        return;
    case REASON_QUORUM_OVERRULED:
        str_addf(out, " is dropped, %" PRId64 " is later", r->operand[2]);
        return;
    case REASON_QUORUM_HINT_KEPT:
        str_addf(out, " is kept for N%" PRId64, r->operand[1] + 1);
        return;
    case REASON_QUORUM_KNOWN:
        str_add(out, " is here already, or what replaces it");
        return;
    default:
        str_add(out, r->reason == REASON_QUORUM_REPAIRED ? " is repaired" : " is kept");
        return;
    }
}

static void say_value(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->operand[1] == 0) {
        quorum_say_key(w, r, out);
        str_add(out, ": nothing");
        return;
    }
    say_pair(w, r, out);
    if (r->operand[1] > 1) {
        str_addf(out, ", and %" PRId64 " more value%s", r->operand[1] - 1,
                 r->operand[1] > 2 ? "s" : "");
    }
}

static void say_answer(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_QUORUM_SET_DONE:
        str_add(out, "OK: ");
        say_pair(w, r, out);
        str_addf(out, " is kept %" PRId64 " times", r->operand[1]);
        if (r->operand[2] > 0) {
            str_addf(out, ", %" PRId64 " by stand-ins", r->operand[2]);
        }
        return;
    case REASON_QUORUM_SET_FAILED:
        str_add(out, "failed: ");
        say_pair(w, r, out);
        str_addf(out, " is kept %" PRId64 " times, %u are wanted", r->operand[1], r->rejected);
        return;
    case REASON_QUORUM_GET_FAILED:
        str_add(out, "failed: ");
        quorum_say_key(w, r, out);
        str_addf(out, " has %" PRId64 " answers, %u are wanted", r->operand[2], r->rejected);
        return;
    default:
        say_value(w, r, out);
        str_add(out, r->reason == REASON_QUORUM_GET_STALE ? " (stale)" : "");
        return;
    }
}

static void say_silent(const struct world *w, const struct trace_record *r, struct str *out)
{
    str_addf(out, "N%" PRId64 " is silent about ", r->operand[1] + 1);
    quorum_say_key(w, r, out);
    if (r->reason == REASON_QUORUM_SILENT) {
        str_addf(out, ": N%" PRId64 " stands in", r->operand[2] + 1);
    } else {
        str_add(out, ": nobody is left to stand in");
    }
}

static void say_asked(const struct world *w, const struct trace_record *r, struct str *out)
{
    bool set = r->reason == REASON_QUORUM_ASKED_SET;
    str_add(out, set ? "set " : "get ");
    if (set) {
        say_pair(w, r, out);
    } else {
        quorum_say_key(w, r, out);
    }
    str_addf(out, " in %s", quorum_store_name(w, r));
}

static void say_request(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_QUORUM_HINT:
        str_add(out, "keep ");
        say_pair(w, r, out);
        str_addf(out, " for N%" PRId64, r->operand[1] + 1);
        return;
    case REASON_QUORUM_REPAIR:
        str_add(out, "repair: keep ");
        say_pair(w, r, out);
        return;
    case REASON_QUORUM_READ:
        str_add(out, "what is ");
        quorum_say_key(w, r, out);
        str_addc(out, '?');
        return;
    case REASON_QUORUM_HAND_OVER:
        str_add(out, "kept for you: ");
        say_value(w, r, out);
        return;
    default:
        str_add(out, "keep ");
        say_pair(w, r, out);
        return;
    }
}

static void say_taken(const struct world *w, const struct trace_record *r, struct str *out)
{
    quorum_say_key(w, r, out);
    str_add(out, " is taken over");
    if (r->operand[2] == TAKEN_SIBLING) {
        str_addf(out, ", %" PRId64 " values side by side", r->operand[1]);
    } else if (r->operand[2] == TAKEN_OVER) {
        str_addf(out, ", %" PRIu64 " is gone", r->value);
    } else if (r->operand[2] == TAKEN_UNDER) {
        str_addf(out, " and dropped, %" PRIu64 " is later", r->value);
    }
}

static void say_end(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->reason == REASON_QUORUM_GAVE_UP) {
        str_add(out, "gives up waiting for ");
    } else {
        str_add(out, "died and left open an operation on ");
    }
    quorum_say_key(w, r, out);
}

void quorums_say(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_COMMAND) {
        say_command(w, r, out);
        return;
    }
    switch (r->reason) {
    case REASON_QUORUM_ASKED_SET:
    case REASON_QUORUM_ASKED_GET:
        say_asked(w, r, out);
        return;
    case REASON_QUORUM_WRITE:
    case REASON_QUORUM_HINT:
    case REASON_QUORUM_READ:
    case REASON_QUORUM_REPAIR:
    case REASON_QUORUM_HAND_OVER:
        say_request(w, r, out);
        return;
    case REASON_QUORUM_HERE:
    case REASON_QUORUM_STORED:
    case REASON_QUORUM_KNOWN:
    case REASON_QUORUM_SIBLING:
    case REASON_QUORUM_OVERWROTE:
    case REASON_QUORUM_OVERRULED:
    case REASON_QUORUM_HINT_KEPT:
    case REASON_QUORUM_REPAIRED:
        say_kept(w, r, out);
        return;
    case REASON_QUORUM_HELD:
        say_value(w, r, out);
        return;
    case REASON_QUORUM_SILENT:
    case REASON_QUORUM_NOBODY:
        say_silent(w, r, out);
        return;
    case REASON_QUORUM_SET_DONE:
    case REASON_QUORUM_SET_FAILED:
    case REASON_QUORUM_GET_DONE:
    case REASON_QUORUM_GET_STALE:
    case REASON_QUORUM_GET_FAILED:
        say_answer(w, r, out);
        return;
    case REASON_QUORUM_TAKEN:
        say_taken(w, r, out);
        return;
    case REASON_QUORUM_GAVE_UP:
    case REASON_QUORUM_LOST:
        say_end(w, r, out);
        return;
    case REASON_QUORUMS_END:
        break;
    }
    CHECK(false && "a store has no such record");
}

/* --- labels: a few words beside an arrow --- */

static const char *label_of(enum quorums_reason reason)
{
    static const char *const labels[REASON_QUORUMS_END - REASON_QUORUMS_FIRST] = {
        [REASON_QUORUM_KNOWN - REASON_QUORUMS_FIRST] = "has it",
        [REASON_QUORUM_SIBLING - REASON_QUORUMS_FIRST] = "kept beside",
        [REASON_QUORUM_OVERRULED - REASON_QUORUMS_FIRST] = "dropped",
        [REASON_QUORUM_STORED - REASON_QUORUMS_FIRST] = "kept",
        [REASON_QUORUM_HERE - REASON_QUORUMS_FIRST] = "kept",
        [REASON_QUORUM_REPAIRED - REASON_QUORUMS_FIRST] = "repaired",
        [REASON_QUORUM_SET_FAILED - REASON_QUORUMS_FIRST] = "failed",
        [REASON_QUORUM_GET_FAILED - REASON_QUORUMS_FIRST] = "failed",
        [REASON_QUORUM_TAKEN - REASON_QUORUMS_FIRST] = "taken over",
        [REASON_QUORUM_GAVE_UP - REASON_QUORUMS_FIRST] = "gives up",
        [REASON_QUORUM_LOST - REASON_QUORUMS_FIRST] = "died",
    };
    return labels[reason - REASON_QUORUMS_FIRST];
}

static void label_value(const struct trace_record *r, const char *before, struct str *out)
{
    if (r->operand[1] == 0) {
        str_addf(out, "%snothing", before);
        return;
    }
    str_addf(out, "%s%" PRIu64, before, r->value);
    if (r->operand[1] > 1) {
        str_addf(out, " +%" PRId64, r->operand[1] - 1);
    }
}

void quorums_label(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_COMMAND) {
        str_add(out, quorum_store_name(w, r));
        return;
    }
    enum quorums_reason reason = (enum quorums_reason)r->reason;
    const char *fixed = label_of(reason);
    if (fixed != NULL) {
        str_add(out, fixed);
    } else if (reason == REASON_QUORUM_ASKED_SET || reason == REASON_QUORUM_WRITE) {
        say_pair(w, r, out);
    } else if (reason == REASON_QUORUM_ASKED_GET || reason == REASON_QUORUM_READ) {
        quorum_say_key(w, r, out);
        str_addc(out, '?');
    } else if (reason == REASON_QUORUM_HINT || reason == REASON_QUORUM_HINT_KEPT) {
        str_addf(out, "%" PRIu64 " for N%" PRId64, r->value, r->operand[1] + 1);
    } else if (reason == REASON_QUORUM_HELD || reason == REASON_QUORUM_GET_DONE) {
        label_value(r, "", out);
    } else if (reason == REASON_QUORUM_GET_STALE) {
        label_value(r, "stale ", out);
    } else if (reason == REASON_QUORUM_SILENT || reason == REASON_QUORUM_NOBODY) {
        str_addf(out, "N%" PRId64 " silent", r->operand[1] + 1);
    } else if (reason == REASON_QUORUM_SET_DONE) {
        str_addf(out, "OK %" PRId64, r->operand[1]);
    } else if (reason == REASON_QUORUM_OVERWROTE) {
        str_addf(out, "kept, %" PRId64 " gone", r->operand[2]);
    } else if (reason == REASON_QUORUM_HAND_OVER) {
        label_value(r, "hint ", out);
    } else {
        CHECK(reason == REASON_QUORUM_REPAIR);
        str_addf(out, "repair %" PRIu64, r->value);
    }
}
