/*
 * accounts_say: the records of accounts.h in words.
 */
#include "engine/accounts/accounts_inside.h"

#include "base/utf8.h"
#include "engine/words/say.h"
#include <inttypes.h>

static void say_key(const struct world *w, uint32_t key, struct str *out)
{
    struct bytes bytes = world_key(w, key);
    utf8_visible(out, bytes.at, bytes.length);
}

void account_say_who(const struct trace_record *r, struct str *out)
{
    node_say(r->from, out);
}

void account_say_step(const struct trace_record *r, struct str *out)
{
    int64_t stripe = r->operand[1];
    switch ((enum sweep_phase)r->operand[0]) {
    case SWEEP_LOOK:
        str_addf(out, "look what stripe %" PRId64 " holds", stripe);
        return;
    case SWEEP_TAKE:
        str_addf(out, "take %" PRId64 " off stripe %" PRId64, r->operand[2], stripe);
        return;
    case SWEEP_PUT:
        str_addf(out, "put %" PRId64 " of stripe %" PRId64 " on the main account", r->operand[2],
                 stripe);
        return;
    case SWEEP_IDLE:
    case SWEEP_PHASES:
        break;
    }
    CHECK(false && "a step of no phase");
}

static void say_command(const struct world *w, const struct trace_record *r, struct str *out)
{
    say_key(w, r->key, out);
    switch (r->operand[0]) {
    case COMMAND_ACCOUNT:
        str_addf(out,
                 " is an account: stripes for credits %" PRId64 ", debits leave %" PRId64
                 " at least",
                 r->operand[1], r->operand[2]);
        return;
    case COMMAND_SWEEP:
        str_add(out, ": a sweeper empties its stripes into the main account");
        if (r->operand[1] > 0) {
            str_addf(out, ", every %s", num_span(r->operand[1]).text);
        }
        return;
    case COMMAND_LEASE:
        str_addf(out, " is a budget: %s tokens a second", num_grouped(r->operand[1]).text);
        str_addf(out, ", leased %s at a time", num_grouped(r->operand[2]).text);
        return;
    default:
        CHECK(r->operand[0] == COMMAND_INDEX);
    }
    if (r->operand[1] < 0) {
        str_add(out, ": its writes bring no index entry any more");
        return;
    }
    str_add(out, ": each write brings an entry of ");
    say_key(w, (uint32_t)r->operand[1], out);
    str_add(out, r->operand[2] == INDEX_SYNC       ? " with it, and waits for it"
                 : r->operand[2] == INDEX_THROTTLE ? " with it, and is refused while that lags"
                                                   : " with it");
}

/* What is added to a reply. */
static void say_reply(const struct trace_record *r, struct str *out)
{
    if (r->reason == REASON_TOKEN_SPENT) {
        str_add(out, " (a token that ");
        account_say_who(r, out);
        str_addf(out, " had leased, %" PRId64 " left)", r->operand[2]);
    } else if (r->reason == REASON_BUDGET_DRY) {
        str_addf(out, " of this second's %s tokens", num_grouped(r->operand[2]).text);
    } else {
        str_addf(out, ", and %" PRId64 " index %s for it", r->operand[2],
                 r->operand[2] == 1 ? "entry waits" : "entries wait");
    }
}

static void say_money(const struct world *w, const struct trace_record *r, struct str *out)
{
    const int64_t *o = r->operand;
    switch ((int)r->reason) {
    case REASON_CREDIT_STRIPED:
        str_addf(out, "the credit goes to stripe %" PRId64 " of %" PRId64 ": ", o[0], o[1]);
        say_key(w, r->key, out);
        return;
    case REASON_SUM_READ:
        say_key(w, r->key, out);
        str_addf(out,
                 " and its stripes hold %" PRId64 ", as read one after the other; %" PRId64
                 " %s debited from a stripe",
                 o[0], o[1], o[0] - o[2] >= o[1] ? "is" : "cannot be");
        return;
    case REASON_FLOOR:
        say_key(w, r->key, out);
        str_addf(out, " holds %" PRId64 ": a debit of %" PRId64 " would leave less than %" PRId64,
                 o[0], o[1], o[2]);
        return;
    case REASON_SWEEP_STEP:
    case REASON_SWEEP_AGAIN:
        str_add(out, r->reason == REASON_SWEEP_STEP ? "sweeper: " : "sweeper, again: ");
        account_say_step(r, out);
        return;
    case REASON_SWEEP_FORGOT:
        str_add(out, "sweeper: begins anew, it was about to ");
        account_say_step(r, out);
        return;
    case REASON_SWEEP_SEEN:
        say_key(w, r->key, out);
        str_addf(out, " has had its part in sweep %" PRId64 " and does it once", o[0]);
        return;
    default:
        CHECK(r->reason == REASON_SWEPT);
        str_addf(out, "sweeper: done, %" PRId64 " moved to ", o[2]);
        say_key(w, r->key, out);
    }
}

void accounts_say(const struct world *w, const struct trace_record *r, struct str *out)
{
    const int64_t *o = r->operand;
    if (r->kind == TRACE_COMMAND) {
        say_command(w, r, out);
        return;
    }
    if (r->kind == TRACE_REPLY) {
        say_reply(r, out);
        return;
    }
    switch ((int)r->reason) {
    case REASON_LEASE_ASKED:
        str_addf(out, "has no token of ");
        say_key(w, r->key, out);
        str_addf(out, " left and leases a block of %s", num_grouped(o[0]).text);
        return;
    case REASON_LEASE_GOT:
        str_addf(out, "was granted %s tokens", num_grouped(o[0]).text);
        str_add(out, o[2] != 0 ? "" : ", but their second is over");
        return;
    case REASON_INDEX_WITH:
        str_add(out, "the write brings an index entry with it: ");
        say_key(w, r->key, out);
        return;
    case REASON_INDEX_WAITS:
        str_addf(out,
                 "the index entry was refused; waits %s, then tries again (%" PRId64 " %s behind)",
                 num_span(o[0]).text, o[2], o[2] == 1 ? "entry" : "entries");
        return;
    case REASON_INDEX_GIVEN_UP:
        str_add(out, "gives an index entry up, it stays missing: ");
        say_key(w, r->key, out);
        return;
    default:
        say_money(w, r, out);
    }
}

void accounts_label(const struct world *w, const struct trace_record *r, struct str *out)
{
    static const char *const phases[SWEEP_PHASES] = {"done", "look", "take", "put"};
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        static const char *const commands[] = {"index", "account", "sweep", "lease"};
        str_add(out, commands[r->operand[0] - COMMAND_INDEX]);
        return;
    }
    switch ((int)r->reason) {
    case REASON_CREDIT_STRIPED:
        str_addf(out, "stripe %" PRId64, r->operand[0]);
        return;
    case REASON_SUM_READ:
        str_addf(out, "sum %" PRId64, r->operand[0]);
        return;
    case REASON_FLOOR:
        str_add(out, "floor");
        return;
    case REASON_SWEEP_STEP:
    case REASON_SWEEP_AGAIN:
        str_addf(out, "sweep: %s", phases[r->operand[0]]);
        return;
    case REASON_SWEEP_FORGOT:
        str_add(out, "sweep: anew");
        return;
    case REASON_SWEEP_SEEN:
        str_add(out, "sweep: seen");
        return;
    case REASON_SWEPT:
        str_addf(out, "swept %" PRId64, r->operand[2]);
        return;
    case REASON_LEASE_ASKED:
        str_addf(out, "lease %" PRId64 "?", r->operand[0]);
        return;
    case REASON_LEASE_GOT:
        str_addf(out, "leased %" PRId64, r->operand[0]);
        return;
    case REASON_INDEX_WITH:
        str_add(out, "index entry");
        return;
    case REASON_INDEX_WAITS:
        str_add(out, "index waits");
        return;
    default:
        CHECK(r->reason == REASON_INDEX_GIVEN_UP);
        str_add(out, "index misses");
    }
}
