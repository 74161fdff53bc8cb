/*
 * watch_say: heartbeats and deaths, in words.
 */
#include "base/num.h"
#include "engine/watch/watch_inside.h"
#include <inttypes.h>

static void say_command(const struct trace_record *r, struct str *out)
{
    if (r->value == 2) {
        str_add(out, "nobody watches the nodes any more");
        return;
    }
    str_addf(out, "each node beats every %s; ", num_span(r->operand[1]).text);
    if (r->value == 0) {
        str_addf(out, "silent for %s it is declared dead", num_span(r->operand[2]).text);
    } else {
        str_addf(out, "at phi %" PRId64 " it is declared dead", r->operand[2]);
    }
}

void watch_say(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        say_command(r, out);
        return;
    }
    switch (r->reason) {
    case REASON_WATCH_LATE:
        str_addf(out, "I live (%s after the last time)", num_span(r->operand[0]).text);
        return;
    case REASON_WATCH_TIMEOUT:
    case REASON_WATCH_PHI:
        str_addf(out, "N%u is declared dead, silent for %s", r->to.index + 1u,
                 num_span(r->operand[0]).text);
        return;
    case REASON_WATCH_AGAIN:
        str_addf(out, "N%u is heard again, declared dead %s ago", r->to.index + 1u,
                 num_span(r->operand[0]).text);
        return;
    default:
        CHECK(false && "the watch has no such record");
    }
}

void watch_label(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        str_add(out, "beats");
        return;
    }
    str_add(out, r->reason == REASON_WATCH_LATE    ? "I live, late"
                 : r->reason == REASON_WATCH_AGAIN ? "alive again"
                                                   : "declared dead");
}

/* --- why --- */

static void why_command(const struct trace_record *r, struct str *out)
{
    if (r->value == 2) {
        str_add(out, "The operator decided it.");
    } else if (r->value == 0) {
        str_add(out, "The operator decided it. A short timeout finds a death soon and takes a late "
                     "beat for one; a long one leaves the dead in office.");
    } else {
        str_addf(out,
                 "The operator decided it. Phi tells how unusual a silence is by the gaps seen so "
                 "far: at %" PRId64 " a beat comes so late once in 10^%" PRId64 " times.",
                 r->operand[2], r->operand[2]);
    }
}

static void why_dead(const struct trace_record *r, struct str *out)
{
    if (r->reason == REASON_WATCH_TIMEOUT) {
        str_addf(out,
                 "No heartbeat came for %s, the timeout. The directory cannot tell a dead node "
                 "from one whose beats are late.",
                 num_span(r->operand[1]).text);
    } else {
        str_addf(out,
                 "By the gaps between its last beats a silence of %s is so unusual that phi has "
                 "reached %" PRId64 ".",
                 num_span(r->operand[0]).text, r->operand[1] / 100);
    }
    if (r->value == 0) {
        str_add(out, " The node is down.");
    } else if (r->operand[2] > 0) {
        str_addf(out,
                 " The node lives: copies take %s %% of its link, and its beats wait behind them. "
                 "What it held is copied once more, over other links.",
                 num_ratio(r->operand[2], 1000, 1).text);
    } else {
        str_add(out, " The node lives; its beats do not arrive in time.");
    }
}

void watch_why(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        why_command(r, out);
        return;
    }
    switch (r->reason) {
    case REASON_WATCH_LATE:
        str_addf(out, "A beat is due every %s.", num_span(r->operand[1]).text);
        if (r->operand[2] > 0) {
            str_addf(out,
                     " Copies take %s %% of the node's link now, and small messages wait "
                     "behind them.",
                     num_ratio(r->operand[2], 1000, 1).text);
        }
        return;
    case REASON_WATCH_TIMEOUT:
    case REASON_WATCH_PHI:
        why_dead(r, out);
        return;
    case REASON_WATCH_AGAIN:
        str_add(out, "A dead node does not beat: it lives, or lives again. The copies that were "
                     "made meanwhile stay where they are.");
        return;
    default:
        CHECK(false && "the watch has no such record");
    }
}
