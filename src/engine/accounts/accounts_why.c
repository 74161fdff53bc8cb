/*
 * accounts_why: why routers, shards and sweepers did what accounts.h leaves in the trace.
 */
#include "engine/accounts/accounts_inside.h"

#include "base/num.h"
#include "engine/words/say.h"
#include <inttypes.h>

static void why_sweep(const struct trace_record *r, struct str *out)
{
    switch ((int)r->reason) {
    case REASON_SWEEP_STEP:
        str_add(out, "Credits wait on stripes until the sweeper brings them to the main account, "
                     "where they can be spent. Stripe and main account are at two shards, so it "
                     "writes down what it moves under a number, takes it off, and only then puts "
                     "it on (rule sweep-atomic): in between the money is in transit, and never at "
                     "both. ");
        return;
    case REASON_SWEEP_AGAIN:
        str_add(out, "The step before had no answer: it may have been done or not. The sweeper "
                     "sends it again under the same number, which a cell does only once (rule "
                     "sweep-atomic). Beginning anew would lose what is in transit.");
        return;
    case REASON_SWEEP_FORGOT:
        str_addf(out,
                 "The rule sweep-atomic is off: the sweeper has written nothing down, had no "
                 "answer, and begins anew. If %" PRId64 " had left stripe %" PRId64
                 " and not reached the main account, nobody brings it there any more.",
                 r->operand[2], r->operand[1]);
        return;
    case REASON_SWEEP_SEEN:
        account_say_who(r, out);
        str_addf(out,
                 " has seen sweep %" PRId64 " here, and sweep numbers only rise: the step is a "
                 "repetition of sweep %" PRId64
                 ". It answers OK and changes nothing (rule sweep-atomic); doing it twice would "
                 "count %" PRId64 " twice.",
                 r->operand[1], r->operand[0], r->operand[2]);
        return;
    default:
        CHECK(r->reason == REASON_SWEPT);
        str_add(out, "Each stripe was looked at, emptied, and what it held put on the main "
                     "account. What was credited meanwhile waits for the next sweep.");
    }
}

static void why_money(const struct trace_record *r, struct str *out)
{
    const int64_t *o = r->operand;
    switch ((int)r->reason) {
    case REASON_CREDIT_STRIPED:
        str_addf(out,
                 "A credit needs no look at the balance, so any of the %" PRId64
                 " stripes can take it, each at a shard of its own; they are taken in turn. The "
                 "main account would be one hot key. It can be spent only after the next sweep.",
                 o[1]);
        return;
    case REASON_SUM_READ:
        str_addf(out, "The rule debit-main-only is off: ");
        account_say_who(r, out);
        str_addf(out,
                 " added up all cells and compares the sum, %" PRId64 ", less the floor %" PRId64
                 ", with the debit of %" PRId64
                 ". Another router may have read the same sum at the same time, and the stripe "
                 "does not look: both spend the same money.",
                 o[0], o[2], o[1]);
        return;
    case REASON_FLOOR:
        str_addf(out,
                 "Debits come from the main account alone (rule debit-main-only), where the floor "
                 "of %" PRId64 " is checked in the same step: it holds %" PRId64 ", and %" PRId64
                 " less would be too little. What is on stripes or in transit does not count "
                 "before it has been swept.",
                 o[2], o[0], o[1]);
        return;
    case REASON_SWEEP_STEP:
    default:
        why_sweep(r, out);
        if (r->reason == REASON_SWEEP_STEP) {
            str_add(out, "Now it is to ");
            account_say_step(r, out);
            str_addc(out, '.');
        }
    }
}

static void why_reply(const struct trace_record *r, struct str *out)
{
    const int64_t *o = r->operand;
    account_say_who(r, out);
    if (r->reason == REASON_TOKEN_SPENT) {
        str_addf(out,
                 " has a block of tokens that left the budget before (rule lease-once), so it "
                 "spends one of them and asks no shard. Left of the block: %" PRId64
                 ", good until the second ends.",
                 o[2]);
    } else if (r->reason == REASON_BUDGET_DRY) {
        str_addf(out,
                 " was told by the shard that all of this second's %s tokens are leased. Asking "
                 "again before the second ends would cost a write and bring nothing.",
                 num_grouped(o[2]).text);
    } else {
        str_addf(out,
                 " must try index entries again that S%" PRId64 " refused (%" PRId64
                 " so far). Letting the write pass would put the index "
                 "further behind, so the index throttles the writes of the key that it indexes.",
                 o[1], o[2]);
    }
}

static void why_index(const struct trace_record *r, struct str *out)
{
    const int64_t *o = r->operand;
    if (r->reason == REASON_INDEX_WITH) {
        str_add(out, "An index has a key of its own, at a shard of its own, and each write of "
                     "what it indexes writes it too: one index key takes the writes of all its "
                     "keys together. ");
        str_add(out, o[1] == INDEX_SYNC
                         ? "The write waits for the entry."
                         : "The write does not wait for it, so the index may be behind.");
    } else if (r->reason == REASON_INDEX_WAITS) {
        str_addf(out,
                 "The shard of the index is at its ceiling. The write itself is not undone for "
                 "that: the entry waits %s (wait %" PRId64
                 ", each twice as long as the one before), and the index is behind meanwhile.",
                 num_span(o[0]).text, o[1]);
    } else {
        str_addf(out,
                 "The entry was asked for %" PRId64
                 " times, or too many wait at this router already. The write may be stored, and "
                 "its entry is not: whoever reads the index misses it until it is rebuilt.",
                 o[0]);
    }
}

void accounts_why(const struct world *w, const struct trace_record *r, struct str *out)
{
    const int64_t *o = r->operand;
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        str_add(out, "The operator decided it; no rule of the cluster did.");
        return;
    }
    if (r->kind == TRACE_REPLY) {
        why_reply(r, out);
        return;
    }
    switch ((int)r->reason) {
    case REASON_LEASE_ASKED:
        account_say_who(r, out);
        str_addf(out, " has spent what it had, so it takes %s of the budget's tokens",
                 num_grouped(o[0]).text);
        str_addf(out,
                 " with one write instead of one each. They leave the budget of %s a second "
                 "before they are spent (rule lease-once), and what is left of them when the "
                 "second ends is lost.",
                 num_grouped(o[1]).text);
        return;
    case REASON_LEASE_GOT:
        str_addf(out,
                 "The shard grants what is asked for (%" PRId64
                 "), or what is left of the second. ",
                 o[1]);
        str_add(out, o[2] != 0 ? "They can be spent without asking until the second ends."
                               : "The second for which they were asked ended on the way: spending "
                                 "them now could be too much, so they are lost.");
        return;
    case REASON_INDEX_WITH:
    case REASON_INDEX_WAITS:
    case REASON_INDEX_GIVEN_UP:
        why_index(r, out);
        return;
    default:
        why_money(r, out);
    }
}
