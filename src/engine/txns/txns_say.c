/*
 * txns_say: transactions in one line a record.
 */
#include "engine/txns/txns_inside.h"

#include "base/num.h"
#include "base/utf8.h"
#include "engine/words/say.h"
#include <inttypes.h>

static void say_key(const struct world *w, uint32_t key, struct str *out)
{
    struct bytes text = world_key(w, key);
    utf8_visible(out, text.at, text.length);
}

/* "transaction 3" */
static void say_txn(const struct trace_record *r, struct str *out)
{
    str_addf(out, "transaction %" PRId64, r->operand[0]);
}

static void say_command(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch ((int)r->operand[0]) {
    case COMMAND_ROW:
        str_add(out, "the row ");
        say_key(w, r->key, out);
        str_addf(out, " is set to %s", num_grouped(r->operand[1]).text);
        return;
    case COMMAND_TXN:
        str_addf(out, "a client wants transaction %" PRId64 ", %s", r->operand[1],
                 r->operand[2] == TXN_BY_2PC    ? "by two-phase commit"
                 : r->operand[2] == TXN_BY_SAGA ? "as a saga"
                                                : "with nobody who takes care of it");
        return;
    default:
        if (r->operand[1] < 0) {
            str_add(out, "no coordinator is made to die any more");
        } else {
            str_addf(out, "the next coordinator is to die (%s), for %s",
                     txn_point_name((enum txn_point)r->operand[1]), num_span(r->operand[2]).text);
        }
    }
}

static const char *say_end(int64_t end)
{
    return end == TXN_DONE     ? "done"
           : end == TXN_UNDONE ? "undone"
                               : "half done, for all its router knows";
}

static void say_votes(const struct trace_record *r, struct str *out)
{
    str_addf(out, " (%" PRId64 " of %" PRId64 " votes)", r->operand[1], r->operand[2]);
}

static void say_decision(const struct trace_record *r, struct str *out)
{
    if (r->reason == REASON_TXN_COMMIT) {
        str_add(out, r->value != 0 ? "writes \"commit\" to its log: " : "decides to commit: ");
        say_txn(r, out);
        say_votes(r, out);
    } else if (r->reason == REASON_TXN_ABORT) {
        str_add(out, "decides to abort ");
        say_txn(r, out);
        str_add(out, r->value != 0 ? ": one participant said no" : ": it has waited too long");
    } else if (r->reason == REASON_TXN_VOTE) {
        str_add(out, r->value != 0 ? "a yes came too late for " : "counts a yes for ");
        say_txn(r, out);
        if (r->value == 0) {
            say_votes(r, out);
        }
    } else if (r->reason == REASON_TXN_FORGETS) {
        str_add(out, "forgets ");
        say_txn(r, out);
        str_add(out, r->operand[1] == COMMIT_COMMIT ? ": all have committed"
                                                    : ": no answer means \"abort\"");
    } else {
        CHECK(r->reason == REASON_TXN_LOGGED);
        str_add(out, "only now writes down where it is with ");
        say_txn(r, out);
    }
}

/* Without the operation: "what was decided about transaction 3?" is the participant's. */
static void say_word(const struct trace_record *r, struct str *out)
{
    if (r->operand[1] != COMMIT_NO_WORD) {
        str_addf(out, "was asked what became of transaction %" PRId64 ": %s", r->operand[0],
                 commit_word_name((enum commit_word)r->operand[1]));
    } else {
        str_addf(out, "was asked what became of transaction %" PRId64 ", and %s", r->operand[0],
                 r->value != 0 ? "has not decided yet" : "says nothing: it knows nothing of it");
    }
}

static void say_recovery(const struct trace_record *r, struct str *out)
{
    str_add(out, "is back and reads its log: ");
    say_txn(r, out);
    if (r->operand[1] == TXN_BY_SAGA) {
        str_addf(out, " is %s%s", r->operand[2] <= SAGA_BACK ? "on its way " : "",
                 saga_phase_name((enum saga_phase)r->operand[2]));
    } else {
        str_add(out, r->operand[2] == COMMIT_COMMIT ? " is committed" : " is not mentioned");
    }
}

static void say_at_coordinator(const struct trace_record *r, struct str *out)
{
    switch ((int)r->reason) {
    case REASON_TXN_BEGUN:
        str_add(out, "coordinates ");
        say_txn(r, out);
        str_addf(out, ": %" PRId64 " %s", r->operand[2], r->operand[2] == 1 ? "row" : "rows");
        return;
    case REASON_TXN_CLIENT:
        say_txn(r, out);
        str_addf(out, " is %s", say_end(r->operand[1]));
        return;
    case REASON_TXN_AGAIN:
        str_addf(out, "sends \"%s\" again after %s", op_name((enum op_kind)r->operand[1]),
                 num_span(r->operand[2]).text);
        return;
    case REASON_TXN_BACK:
        say_txn(r, out);
        str_addf(out, " turns back: %s; ",
                 r->value != 0 ? "a step was refused" : "a step is not answered");
        if (r->operand[1] == 0) {
            str_add(out, "nothing is to be taken back");
        } else {
            str_addf(out, "%" PRId64 " %s to take back", r->operand[1],
                     r->operand[1] == 1 ? "step" : "steps");
        }
        return;
    case REASON_TXN_RECOVERS:
        say_recovery(r, out);
        return;
    case REASON_TXN_ANSWERS:
        say_word(r, out);
        return;
    case REASON_TXN_DIES:
        str_addf(out, "dies in the middle of transaction %" PRId64 " (%s)", r->operand[0],
                 txn_point_name((enum txn_point)r->operand[1]));
        return;
    default:
        say_decision(r, out);
    }
}

static const char *state_name(const struct trace_record *r)
{
    bool part = r->op == OP_PREPARE || r->op == OP_COMMIT || r->op == OP_ABORT;
    return part ? part_state_name((enum part_state)r->operand[1])
                : step_state_name((enum step_state)r->operand[1]);
}

static void say_change(const struct world *w, const struct trace_record *r, const char *what,
                       struct str *out)
{
    str_addf(out, "%s: ", what);
    say_key(w, r->key, out);
    str_addf(out, " is %s now", num_grouped(r->operand[1]).text);
}

static void say_no(const struct world *w, const struct trace_record *r, struct str *out)
{
    str_add(out, r->op == OP_BACK ? "not yet: " : "no: ");
    say_key(w, r->key, out);
    if (r->reason == REASON_TXN_LOCKED) {
        str_addf(out, " is locked by transaction %" PRId64, r->operand[1]);
    } else {
        str_addf(out, " is %s, that is not possible", num_grouped(r->operand[1]).text);
    }
}

static void say_answer(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch ((int)r->reason) {
    case REASON_TXN_VOTES_YES:
        str_add(out, "yes: prepared, ");
        say_key(w, r->key, out);
        str_addf(out, " is locked for transaction %" PRId64, r->operand[0]);
        return;
    case REASON_TXN_VOTES_EARLY:
        str_add(out, "yes: but nothing is written down yet");
        return;
    case REASON_TXN_LOCKED:
    case REASON_TXN_CANNOT:
        say_no(w, r, out);
        return;
    case REASON_TXN_SEEN:
        str_addf(out, "it came before: %s", state_name(r));
        return;
    case REASON_TXN_COMMITS:
        say_change(w, r, "committed, lock free", out);
        return;
    case REASON_TXN_ABORTS:
        str_add(out, "aborted, lock free");
        return;
    case REASON_TXN_UNKNOWN:
        str_addf(out, "transaction %" PRId64 " was over long ago", r->operand[0]);
        return;
    case REASON_TXN_STEP_DONE:
        say_change(w, r, "done", out);
        return;
    case REASON_TXN_TAKEN_BACK:
        say_change(w, r, "taken back", out);
        return;
    case REASON_TXN_TWICE:
        say_change(w, r, "taken back once more", out);
        return;
    case REASON_TXN_BARRED:
        str_add(out, "never done, and barred from now on");
        return;
    default:
        CHECK(r->reason == REASON_TXN_NOT_BARRED);
        str_add(out, "never done");
    }
}

static void say_of_part(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch ((int)r->reason) {
    case REASON_TXN_ASKS:
        str_addf(out, "what became of transaction %" PRId64 "? ", r->operand[0]);
        say_key(w, r->key, out);
        str_addf(out, " is locked for %s", num_span(r->operand[1]).text);
        return;
    case REASON_TXN_ALONE:
        str_addf(out, "%ss transaction %" PRId64 " of its own accord",
                 commit_word_name((enum commit_word)r->operand[1]), r->operand[0]);
        return;
    case REASON_TXN_LATE:
        str_addf(out, "writes down only now that it is prepared for transaction %" PRId64,
                 r->operand[0]);
        return;
    default:
        CHECK(r->reason == REASON_TXN_LOST);
        str_addf(out, "forgets its vote for transaction %" PRId64 ": it was not written down",
                 r->operand[0]);
    }
}

void txns_say(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_COMMAND) {
        say_command(w, r, out);
    } else if (r->kind == TRACE_ANSWER) {
        say_answer(w, r, out);
    } else if (r->reason >= REASON_TXN_ASKS) {
        say_of_part(w, r, out);
    } else {
        say_at_coordinator(r, out);
    }
}

/* --- labels ------------------------------------------------------------------------------------
 */

static void label_answer(const struct trace_record *r, struct str *out)
{
    static const char *const labels[] = {
        [REASON_TXN_VOTES_YES - REASON_TXN_VOTES_YES] = "yes",
        [REASON_TXN_VOTES_EARLY - REASON_TXN_VOTES_YES] = "yes",
        [REASON_TXN_LOCKED - REASON_TXN_VOTES_YES] = "no: locked",
        [REASON_TXN_CANNOT - REASON_TXN_VOTES_YES] = "no",
        [REASON_TXN_SEEN - REASON_TXN_VOTES_YES] = "as before",
        [REASON_TXN_COMMITS - REASON_TXN_VOTES_YES] = "committed",
        [REASON_TXN_ABORTS - REASON_TXN_VOTES_YES] = "aborted",
        [REASON_TXN_UNKNOWN - REASON_TXN_VOTES_YES] = "over",
        [REASON_TXN_STEP_DONE - REASON_TXN_VOTES_YES] = "done",
        [REASON_TXN_TAKEN_BACK - REASON_TXN_VOTES_YES] = "taken back",
        [REASON_TXN_TWICE - REASON_TXN_VOTES_YES] = "back twice",
        [REASON_TXN_BARRED - REASON_TXN_VOTES_YES] = "barred",
        [REASON_TXN_NOT_BARRED - REASON_TXN_VOTES_YES] = "never done",
    };
    str_add(out, labels[r->reason - REASON_TXN_VOTES_YES]);
}

static const char *label_of(const struct trace_record *r)
{
    switch ((int)r->reason) {
    case REASON_TXN_BEGUN:
        return "begins";
    case REASON_TXN_VOTE:
        return r->value != 0 ? "too late" : "a vote";
    case REASON_TXN_COMMIT:
        return "commit";
    case REASON_TXN_ABORT:
        return "abort";
    case REASON_TXN_LOGGED:
        return "log, late";
    case REASON_TXN_CLIENT:
        return txn_end_name((enum txn_end)r->operand[1]);
    case REASON_TXN_FORGETS:
        return "forgets";
    case REASON_TXN_AGAIN:
        return "again";
    case REASON_TXN_BACK:
        return "turns back";
    case REASON_TXN_RECOVERS:
        return "reads log";
    case REASON_TXN_ANSWERS:
        return commit_word_name((enum commit_word)r->operand[1]);
    case REASON_TXN_DIES:
        return "dies";
    case REASON_TXN_ASKS:
        return "what now?";
    case REASON_TXN_ALONE:
        return "alone";
    case REASON_TXN_LATE:
        return "prepared";
    default:
        CHECK(r->reason == REASON_TXN_LOST);
        return "forgets";
    }
}

void txns_label(const struct world *w, const struct trace_record *r, struct str *out)
{
    static const char *const commands[] = {"row", "transaction", "coordinator"};
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        str_add(out, commands[r->operand[0] - COMMAND_ROW]);
    } else if (r->kind == TRACE_ANSWER) {
        label_answer(r, out);
    } else {
        str_add(out, label_of(r));
    }
}
