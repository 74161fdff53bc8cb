/*
 * txns_why: why coordinators and participants did what txns.h leaves in the trace.
 */
#include "engine/txns/txns_inside.h"

#include "base/num.h"
#include "engine/words/say.h"
#include <inttypes.h>

static void why_decision(const struct trace_record *r, struct str *out)
{
    switch ((int)r->reason) {
    case REASON_TXN_VOTE:
        str_add(out, r->value != 0
                         ? "The coordinator has decided already, and does so once only (rule "
                           "decide-once)."
                         : "It commits only with a yes of every participant (rule "
                           "all-votes-needed): each yes means that this participant can commit, "
                           "and will do nothing else before it hears the decision.");
        return;
    case REASON_TXN_COMMIT:
        str_addf(out, "%" PRId64 " of %" PRId64 " participants have voted yes. ", r->operand[1],
                 r->operand[2]);
        str_add(out, r->value != 0
                         ? "The decision is in its log before anybody hears of it (rule "
                           "log-decision-first). From here on the transaction is committed, "
                           "whoever dies: after a restart the log says whom to tell."
                         : "The rule log-decision-first is off: it tells everybody, and writes it "
                           "down later. Should it die in between, nobody knows that it decided.");
        return;
    case REASON_TXN_ABORT:
        str_add(out, r->value != 0
                         ? "One no is enough: not all can do their part, so none does. "
                         : "A vote is missing, and it waits no longer. That is allowed as long as "
                           "nothing is decided. ");
        str_add(out, "\"Abort\" is written nowhere: a log that says nothing of a transaction means "
                     "abort (rule presumed-abort). Each is told once; who does not hear it will "
                     "ask.");
        return;
    case REASON_TXN_LOGGED:
        str_add(out, "A rule is off that would have had it written down before it was sent. What "
                     "others were told since then was in its memory alone.");
        return;
    default:
        CHECK(r->reason == REASON_TXN_FORGETS);
        str_add(out, r->operand[1] == COMMIT_COMMIT
                         ? "Every participant has acknowledged \"commit\", so none will ask any "
                           "more. Its log can drop the transaction."
                         : "Whoever asks later is told \"abort\" just because it knows nothing "
                           "(rule presumed-abort).");
    }
}

static void why_recovery(const struct trace_record *r, struct str *out)
{
    if (r->operand[1] == TXN_BY_SAGA) {
        str_add(out, "What a saga does next is in its log before it is sent (rule "
                     "saga-log-first), so it goes on where it stood. A step that was asked for "
                     "is asked for again with the same id: it is done once, however often it "
                     "is sent.");
    } else if (r->operand[2] == COMMIT_COMMIT) {
        str_add(out, "Its memory is gone, its log is not: \"commit\" was written before anybody "
                     "was told. It tells all again, until each has acknowledged.");
    } else {
        str_add(out, "Its log says nothing of the transaction, so it had not decided to commit: "
                     "it counts as aborted (rule presumed-abort). Participants that are prepared "
                     "will ask, and hear that; until then their rows stay locked.");
    }
}

static void why_client(const struct trace_record *r, struct str *out)
{
    if (r->operand[2] == TXN_BY_2PC) {
        str_add(out, r->operand[1] == TXN_DONE
                         ? "The decision is made and cannot be lost any more, so the client need "
                           "not wait until every participant has heard of it."
                         : "Nothing of it will be in effect anywhere.");
    } else if (r->operand[2] == TXN_BY_SAGA) {
        str_add(out, r->operand[1] == TXN_DONE
                         ? "Every step is done, one after the other. Others could see the first "
                           "ones before the last was done."
                         : "What was done is taken back, step by step. Others may have seen it "
                           "meanwhile.");
    } else {
        str_add(out, "Every step was sent once, and what came back is all that anybody knows. "
                     "Nobody takes back what was done, nor does what was not.");
    }
}

static void why_answer_of_coordinator(const struct trace_record *r, struct str *out)
{
    if (r->operand[1] == COMMIT_COMMIT) {
        str_add(out, "Its log says \"commit\", and this participant has not acknowledged it.");
    } else if (r->operand[1] == COMMIT_ABORT) {
        str_add(out, "It knows of no decision to commit, and that means abort (rule "
                     "presumed-abort): had it committed, the log would say so until every "
                     "participant had acknowledged.");
    } else if (r->value != 0) {
        str_add(out, "It waits for votes itself. The participant stays prepared, its row locked, "
                     "and asks again later.");
    } else {
        str_add(out, "The rule presumed-abort is off: a coordinator that knows nothing says "
                     "nothing. The participant may not decide alone, so it waits, its row locked, "
                     "for ever.");
    }
}

static void why_at_coordinator(const struct trace_record *r, struct str *out)
{
    switch ((int)r->reason) {
    case REASON_TXN_BEGUN:
        str_add(out, r->operand[1] == TXN_BY_2PC
                         ? "The router is the coordinator: it asks every row's shard to prepare, "
                           "and commits when all have voted yes."
                     : r->operand[1] == TXN_BY_SAGA
                         ? "The router is the coordinator: it asks for one step after the other. "
                           "Each is done at once, and no row is locked in between."
                         : "The router sends all steps at once. No log, no locks, and nobody who "
                           "takes back half of it.");
        return;
    case REASON_TXN_CLIENT:
        why_client(r, out);
        return;
    case REASON_TXN_AGAIN:
        str_add(out, "No answer has come. The message may be lost, or done and its answer lost: "
                     "the coordinator cannot tell. It is the same transaction and the same step, "
                     "so whoever has done it already only answers once more.");
        return;
    case REASON_TXN_BACK:
        str_add(out, r->value != 0 ? "A refused step is not done and never will be. "
                                   : "The coordinator has waited long enough. That step may have "
                                     "been done or not, or may come to be done: it is taken back "
                                     "as well. ");
        str_add(out, "What is done is taken back from the last to the first (rule "
                     "compensate-in-reverse); that this is so is in its log before it is sent.");
        return;
    case REASON_TXN_RECOVERS:
        why_recovery(r, out);
        return;
    case REASON_TXN_ANSWERS:
        why_answer_of_coordinator(r, out);
        return;
    case REASON_TXN_DIES:
        str_add(out, "The operator wanted it to die just here. What it had in its memory is gone; "
                     "what it wrote to its log is there when it comes back.");
        return;
    default:
        why_decision(r, out);
    }
}

static void why_no(const struct trace_record *r, struct str *out)
{
    if (r->reason == REASON_TXN_CANNOT) {
        str_add(out, "The row does not allow it: ");
        str_addf(out,
                 "it is %s, and a step must leave a balance at 0 or more, claim only a free "
                 "name, free only a taken one. Saying no costs nothing: nothing has been "
                 "changed here.",
                 num_grouped(r->operand[1]).text);
        return;
    }
    str_addf(out,
             "The row is prepared for transaction %" PRId64 ", since %s. Until that is decided "
             "nobody knows its value, so nobody else may change it. ",
             r->operand[1], num_span(r->operand[2]).text);
    str_add(out, r->op == OP_BACK ? "A compensation may not fail: it is asked for again until the "
                                    "row is free."
                                  : "Waiting for it could become waiting for each other, so the "
                                    "answer is no.");
}

static void why_saga_part(const struct trace_record *r, struct str *out)
{
    switch ((int)r->reason) {
    case REASON_TXN_STEP_DONE:
        str_add(out, "The step is done at once and for good, and everybody sees it. The shard "
                     "remembers its id: should it come again, it is not done again.");
        return;
    case REASON_TXN_TAKEN_BACK:
        str_add(out, "The step was done, and is taken back. The shard remembers that as well: a "
                     "compensation that comes again changes nothing (rule compensate-once).");
        return;
    case REASON_TXN_TWICE:
        str_add(out, "The rule compensate-once is off: the shard does not look whether it has "
                     "taken this step back before, and takes it back once more.");
        return;
    case REASON_TXN_BARRED:
        str_add(out, "The compensation came first. The step itself may still be on its way, so "
                     "the shard writes down that it is never to be done (rule "
                     "compensation-bars-step).");
        return;
    default:
        CHECK(r->reason == REASON_TXN_NOT_BARRED);
        str_add(out, "The compensation came first, and the rule compensation-bars-step is off: "
                     "nothing is remembered. Should the step come now, it is done, and nobody "
                     "takes it back.");
    }
}

static void why_answer(const struct trace_record *r, struct str *out)
{
    switch ((int)r->reason) {
    case REASON_TXN_VOTES_YES:
        str_add(out, "The row allows the step, so the shard locks it and writes to its log all "
                     "that it needs to end either way; only then does it vote (rule "
                     "vote-after-prepare). From here on it may neither commit nor abort of its "
                     "own accord: the row stays locked until the coordinator's word comes.");
        return;
    case REASON_TXN_VOTES_EARLY:
        str_add(out, "The rule vote-after-prepare is off: the vote is given, and what it promises "
                     "is in memory alone. Should the shard die now, it knows nothing of it.");
        return;
    case REASON_TXN_LOCKED:
    case REASON_TXN_CANNOT:
        why_no(r, out);
        return;
    case REASON_TXN_SEEN:
        str_add(out, "The shard knows the transaction by its number and has dealt with this "
                     "message before. It answers the same again, and changes nothing.");
        return;
    case REASON_TXN_COMMITS:
        str_add(out, "The coordinator's word has come. The change is in the row, others see it "
                     "from now on, and the lock is free. The shard acknowledges it, so that the "
                     "coordinator may forget.");
        return;
    case REASON_TXN_ABORTS:
        str_add(out, "The coordinator's word has come: the row stays as it was, and its lock is "
                     "free.");
        return;
    case REASON_TXN_UNKNOWN:
        str_add(out, "The message is older than what the shard remembers, and its transaction is "
                     "over: it does nothing.");
        return;
    default:
        why_saga_part(r, out);
    }
}

static void why_of_part(const struct trace_record *r, struct str *out)
{
    switch ((int)r->reason) {
    case REASON_TXN_ASKS:
        str_add(out, "It has voted yes and waits. The others may have committed or aborted, and "
                     "only the coordinator knows: so it asks, its row locked meanwhile. It may "
                     "not guess (rules no-lone-abort-when-prepared, "
                     "no-lone-commit-when-prepared).");
        return;
    case REASON_TXN_ALONE:
        str_addf(out,
                 "The rule no-lone-%s-when-prepared is off: after %s it asks nobody, and frees its "
                 "row. The others may end differently.",
                 commit_word_name((enum commit_word)r->operand[1]), num_span(r->operand[2]).text);
        return;
    case REASON_TXN_LATE:
        str_add(out, "The rule vote-after-prepare is off: its vote was on its way before this was "
                     "in its log.");
        return;
    default:
        CHECK(r->reason == REASON_TXN_LOST);
        str_add(out, "The rule vote-after-prepare is off, and the shard died before it wrote down "
                     "what it had promised. The coordinator still counts its yes.");
    }
}

void txns_why(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        str_add(out, "The operator decided it; no rule of the cluster did.");
    } else if (r->kind == TRACE_ANSWER) {
        why_answer(r, out);
    } else if (r->reason >= REASON_TXN_ASKS) {
        why_of_part(r, out);
    } else {
        why_at_coordinator(r, out);
    }
}
