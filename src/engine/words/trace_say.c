/*
 * trace_say: one line a record, for somebody who sees a cluster for the first time; and the few
 * words that fit on an arrow.
 */
#include "base/check.h"
#include "base/num.h"
#include "base/utf8.h"
#include "engine/systems/systems.h"
#include "engine/words/say.h"
#include "place/key.h"
#include <inttypes.h>

#define LABEL_KEY_BYTES 16

void node_say(struct node node, struct str *out)
{
    switch ((enum node_kind)node.kind) {
    case NODE_NONE:
        str_add(out, "everyone");
        return;
    case NODE_CLIENT:
        str_addf(out, "client %c", 'a' + node.index);
        return;
    case NODE_ROUTER:
        str_addf(out, "R%u", node.index);
        return;
    case NODE_SHARD:
        str_addf(out, "S%u", node.index);
        return;
    case NODE_DIRECTORY:
        str_add(out, "directory");
        return;
    case NODE_OPERATOR:
        str_add(out, "operator");
        return;
    case NODE_MACHINE:
        str_addf(out, "N%u", node.index + 1u);
        return;
    case NODE_SYSTEM:
        str_add(out, node.index == SYSTEM_ALL ? "all systems"
                                              : system_words((enum system_id)node.index)->title);
        return;
    }
    CHECK(false && "a node of no kind");
}

void say_request(const struct world *w, const struct trace_record *r, struct str *out)
{
    struct bytes key = world_key(w, r->key);
    str_addf(out, "%s ", op_name((enum op_kind)r->op));
    utf8_visible(out, key.at, key.length);
}

void say_slots(const struct trace_record *r, struct str *out)
{
    if (r->operand[0] == r->operand[1]) {
        str_addf(out, "slot %" PRId64, r->operand[0]);
    } else {
        str_addf(out, "slots %" PRId64 "-%" PRId64, r->operand[0], r->operand[1]);
    }
}

const char *say_work(int64_t work)
{
    return work == 0 ? "write" : "read";
}

static void say_when(int64_t us, struct str *out)
{
    str_addf(out, "%s%03u  ", num_clock(us).text, (unsigned)(us % US_PER_MS));
}

/* A read of what nobody ever counted, and a like that its router sums, carry no number. */
static bool has_counter(const struct trace_record *r)
{
    return (r->op == OP_LIKE || r->op == OP_READ) && r->value > 0;
}

static void say_counter(const struct trace_record *r, struct str *out)
{
    if (r->op == OP_EDIT) {
        str_add(out, ", the edit is stored");
    } else if (has_counter(r)) {
        str_addf(out, ", the counter is %" PRIu64, r->value);
    }
}

static void say_moved(const struct trace_record *r, struct str *out)
{
    if (r->reason == REASON_NOT_YET_MINE) {
        str_addf(out, "MOVED: slot %u is not in service here yet, fetch the map", r->slot);
    } else if (r->target == SHARD_NONE) {
        str_addf(out, "MOVED: slot %u was never here, fetch the map", r->slot);
    } else {
        str_addf(out, "MOVED: slot %u went to S%u at epoch %u", r->slot, r->target, r->epoch);
    }
}

static void say_answer(const struct trace_record *r, struct str *out)
{
    switch ((enum outcome)r->outcome) {
    case OUTCOME_OK:
        str_add(out, "OK");
        say_counter(r, out);
        return;
    case OUTCOME_OK_RELOAD:
        str_add(out, "OK");
        say_counter(r, out);
        str_add(out, "; your map is old, fetch a new one");
        return;
    case OUTCOME_MOVED:
        say_moved(r, out);
        return;
    case OUTCOME_RETRY:
        str_addf(out, "migrating, retry: slot %u is on its way to another shard", r->slot);
        return;
    case OUTCOME_REFUSED:
        str_addf(out, "refused: no %s is left of %" PRId64 " a second", say_work(r->operand[1]),
                 r->operand[0]);
        return;
    case OUTCOME_ASK:
        str_addf(out, "ASK: this key is at S%u already, ask there this once", r->target);
        return;
    case OUTCOME_TRY_AGAIN:
        str_add(out, "TRYAGAIN: some of these keys are here, some have left");
        return;
    case OUTCOME_NOT_NEWER:
        str_add(out, "not newer: what is stored here is as new already");
        return;
    case OUTCOME_SHORT:
        str_addf(out, "not enough: only %" PRIu64 " is left", r->value);
        return;
    case OUTCOME_NONE:
    case OUTCOME_FAILED:
    case OUTCOME_LIMITED:
    case OUTCOME_SHED:
    case OUTCOME_COUNT:
        break;
    }
    CHECK(false && "a shard gives no such answer");
}

static void say_reply(const struct trace_record *r, struct str *out)
{
    switch ((enum outcome)r->outcome) {
    case OUTCOME_OK:
        str_add(out, "OK");
        say_counter(r, out);
        if (r->operand[0] > 1 && r->reason == REASON_NONE) {
            str_addf(out, " (R%u asked %" PRId64 " times)", r->from.index, r->operand[0]);
        }
        return;
    case OUTCOME_REFUSED:
        str_addf(out, "refused: S%" PRId64 " is at its ceiling", r->operand[1]);
        return;
    case OUTCOME_FAILED:
        str_add(out, "failed");
        if (r->reason == REASON_GAVE_UP) {
            str_addf(out, ": given up after %" PRId64 " tries", r->operand[0]);
        }
        return;
    case OUTCOME_LIMITED:
        str_addf(out, "429, too many; ask again after %s", num_span(r->operand[2]).text);
        return;
    case OUTCOME_SHED:
        str_addf(out, "503: R%u turns it away", r->from.index);
        return;
    case OUTCOME_SHORT:
        str_addf(out, "not enough: only %" PRIu64 " is left", r->value);
        return;
    case OUTCOME_NONE:
    case OUTCOME_OK_RELOAD:
    case OUTCOME_MOVED:
    case OUTCOME_RETRY:
    case OUTCOME_ASK:
    case OUTCOME_TRY_AGAIN:
    case OUTCOME_NOT_NEWER:
    case OUTCOME_COUNT:
        break;
    }
    CHECK(false && "a router gives no such reply");
}

static void say_map(const struct trace_record *r, struct str *out)
{
    if (r->reason == REASON_FETCHED) {
        str_addf(out, "here is the map, version %u", r->version);
    } else if (r->reason == REASON_PUSHED) {
        str_addf(out, "news: the map is now version %u", r->version);
    } else {
        str_addf(out, "news: the map is now version %u (not heard, it keeps version %" PRId64 ")",
                 r->version, r->operand[1]);
    }
}

static void say_table(const struct trace_record *r, struct str *out)
{
    str_add(out, "slot table: ");
    say_slots(r, out);
    switch ((enum slot_state)r->target) {
    case SLOT_OWNED:
        str_addf(out, " owned, epoch %u", r->epoch);
        return;
    case SLOT_MIGRATING:
        str_addf(out, " migrating, epoch %u", r->epoch);
        return;
    case SLOT_MOVED:
        str_addf(out, " moved to S%" PRId64 ", epoch %u", r->operand[2], r->epoch);
        return;
    case SLOT_RECEIVING:
        str_addf(out, " receiving from S%" PRId64 ", not in service", r->operand[2]);
        return;
    case SLOT_LEAVING:
        str_addf(out, " leaving for S%" PRId64 ", key by key", r->operand[2]);
        return;
    case SLOT_ARRIVING:
        str_addf(out, " arriving from S%" PRId64 ", key by key", r->operand[2]);
        return;
    case SLOT_ABSENT:
        str_add(out, ": no row any more");
        return;
    case SLOT_STATES:
        break;
    }
    CHECK(false && "a row that says nothing");
}

static void say_new_flow(const struct world *w, const struct trace_record *r, struct str *out)
{
    static const char *const how[] = {[ARRIVALS_STEADY] = "evenly spaced",
                                      [ARRIVALS_SCATTERED] = "at random instants",
                                      [ARRIVALS_POISSON] = "by a Poisson process"};
    if (r->operand[1] == 0) {
        str_add(out, "clients stop: ");
        say_request(w, r, out);
        return;
    }
    str_add(out, "clients now ask: ");
    say_request(w, r, out);
    if (r->value > 0) {
        str_addf(out, " or one of %" PRIu64 " others like it", r->value - 1);
    }
    str_addf(out, ", %s a second, %s", num_grouped(r->operand[1]).text, how[r->operand[2]]);
}

static void say_ceiling(const struct trace_record *r, struct str *out)
{
    for (int work = 0; work < 2; work++) {
        str_add(out, work == 0 ? "now takes " : " and ");
        if (r->operand[1 + work] == 0) {
            str_addf(out, "any number of %ss", say_work(work));
        } else {
            str_addf(out, "%s %ss", num_grouped(r->operand[1 + work]).text, say_work(work));
        }
    }
    str_add(out, " a second");
    if (r->value > 0) {
        str_addf(out, ", and %" PRIu64 " may wait", r->value);
    }
}

static void say_command(const struct world *w, const struct trace_record *r, struct str *out)
{
    struct trace_record slots = *r;
    slots.operand[0] = r->operand[1];
    slots.operand[1] = r->operand[2];
    enum command_kind kind = (enum command_kind)r->operand[0];
    if (kind == COMMAND_FLOW) {
        say_new_flow(w, r, out);
    } else if (kind == COMMAND_RULE) {
        str_addf(out, "the rule %s is now %s", rule_name((enum rule)r->operand[1]),
                 r->operand[2] != 0 ? "on" : "off");
    } else if (kind == COMMAND_DEAF) {
        str_add(out, r->operand[1] != 0 ? "hears no news of the map from now on"
                                        : "hears news of the map again");
    } else if (kind == COMMAND_MOVE) {
        str_add(out, "takes over ");
        say_slots(&slots, out);
        str_add(out, ", data and all");
    } else if (kind == COMMAND_FREEZE) {
        say_slots(&slots, out);
        str_add(out, r->value != 0 ? ": hold, tell everyone to retry" : ": serve again");
    } else if (kind == COMMAND_SHARD_ADD) {
        str_addf(out, "joins in zone %c, without slots", (char)('a' + r->operand[1]));
    } else {
        CHECK(kind == COMMAND_CEILING); /* requests and reloads show as what they send */
        say_ceiling(r, out);
    }
}

static void say_route(const struct world *w, const struct trace_record *r, struct str *out)
{
    say_request(w, r, out);
    str_addf(out, " (slot %u", r->slot);
    if (r->reason == REASON_MOVED_SAYS) {
        str_addf(out, ", as MOVED said)");
    } else if (r->reason == REASON_ASK_SAYS) {
        str_addf(out, ", as ASK said, with ASKING)");
    } else {
        str_addf(out, ", as map version %u says)", r->version);
    }
}

static void say_wait(const struct trace_record *r, struct str *out)
{
    if (r->reason == REASON_TIMEOUT) {
        str_addf(out, "has waited %s for ", num_span(r->operand[0]).text);
        if (r->target == SHARD_NONE) {
            str_add(out, "the directory, in vain");
        } else {
            str_addf(out, "S%u, in vain", r->target);
        }
    } else {
        str_addf(out, "waits %s, then asks again", num_span(r->operand[0]).text);
    }
}

static void say_what(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch ((enum trace_kind)r->kind) {
    case TRACE_ASK:
        say_request(w, r, out);
        return;
    case TRACE_ROUTE:
        say_route(w, r, out);
        return;
    case TRACE_ANSWER:
        say_answer(r, out);
        return;
    case TRACE_FETCH:
        str_addf(out, "the map, please; mine is version %u", r->version);
        return;
    case TRACE_MAP:
        say_map(r, out);
        return;
    case TRACE_WAIT:
        say_wait(r, out);
        return;
    case TRACE_REPLY:
        say_reply(r, out);
        return;
    case TRACE_PLAN:
        str_addf(out, "map version %u: ", r->version);
        say_slots(r, out);
        str_addf(out, " from S%" PRId64 " to S%u, epoch %u", r->operand[2], r->target, r->epoch);
        return;
    case TRACE_TABLE:
        say_table(r, out);
        return;
    case TRACE_COMMAND:
        say_command(w, r, out);
        return;
    case TRACE_READS:
    case TRACE_WRITES:
    case TRACE_ACCOUNT:
    case TRACE_GUARD:
    case TRACE_MOVE:
    case TRACE_SHIFT:
    case TRACE_QUERY:
    case TRACE_TXN:
    case TRACE_INDEX:
    case TRACE_NODE:
    case TRACE_COPY:
    case TRACE_QUORUM:
    case TRACE_WATCH:
    case TRACE_FLEET:
    case TRACE_SYSTEM:
    case TRACE_FAULT: /* see say_module */
    case TRACE_KINDS:
        break;
    }
    CHECK(false && "a record of no kind");
}

void trace_say(const struct world *w, const struct trace_record *r, struct str *out)
{
    say_when(r->time_us, out);
    node_say(r->from, out);
    if (r->to.kind != NODE_NONE && r->kind != TRACE_WAIT) {
        str_add(out, " -> ");
        node_say(r->to, out);
    }
    str_add(out, "  ");
    const struct say_module *module = say_module(r);
    if (module == NULL || r->kind == TRACE_REPLY) {
        say_what(w, r, out);
    }
    if (module != NULL) {
        module->say(w, r, out);
    }
}

/* What tells the key from others in few columns: its tag, cut short. */
static void label_key(const struct world *w, const struct trace_record *r, struct str *out)
{
    struct bytes tag = key_tag(world_key(w, r->key));
    str_addf(out, "%s ", op_name((enum op_kind)r->op));
    utf8_visible(out, tag.at, utf8_fit(tag.at, tag.length, LABEL_KEY_BYTES));
}

static void label_outcome(const struct trace_record *r, struct str *out)
{
    static const char *const labels[OUTCOME_COUNT] = {
        [OUTCOME_OK] = "OK",           [OUTCOME_OK_RELOAD] = "OK",
        [OUTCOME_RETRY] = "retry",     [OUTCOME_REFUSED] = "refused",
        [OUTCOME_FAILED] = "failed",   [OUTCOME_TRY_AGAIN] = "TRYAGAIN",
        [OUTCOME_LIMITED] = "429",     [OUTCOME_SHED] = "503",
        [OUTCOME_NOT_NEWER] = "older", [OUTCOME_SHORT] = "too little",
    };
    enum outcome outcome = (enum outcome)r->outcome;
    if (outcome == OUTCOME_MOVED && r->target != SHARD_NONE) {
        str_addf(out, "MOVED S%u e%u", r->target, r->epoch);
    } else if (outcome == OUTCOME_MOVED) {
        str_add(out, "MOVED ?");
    } else if (outcome == OUTCOME_ASK) {
        str_addf(out, "ASK S%u", r->target);
    } else {
        CHECK(labels[outcome] != NULL);
        str_add(out, labels[outcome]);
    }
    if (outcome == OUTCOME_OK || outcome == OUTCOME_OK_RELOAD) {
        if (has_counter(r)) {
            str_addf(out, " %" PRIu64, r->value);
        }
        str_add(out, outcome == OUTCOME_OK_RELOAD ? " reload" : "");
    }
}

static void label_command(const struct trace_record *r, struct str *out)
{
    const char *on = r->value != 0 ? "on" : "off";
    enum command_kind kind = (enum command_kind)r->operand[0];
    if (kind == COMMAND_FLOW) {
        str_addf(out, "%s a second", num_grouped(r->operand[1]).text);
    } else if (kind == COMMAND_RULE) {
        str_addf(out, "rule %s", on);
    } else if (kind == COMMAND_DEAF) {
        str_addf(out, "deaf %s", on);
    } else if (kind == COMMAND_MOVE) {
        str_add(out, "move");
    } else if (kind == COMMAND_FREEZE) {
        str_addf(out, "freeze %s", on);
    } else if (kind == COMMAND_SHARD_ADD) {
        str_add(out, "joins");
    } else {
        CHECK(kind == COMMAND_CEILING);
        str_add(out, "ceiling");
    }
}

void trace_label(const struct world *w, const struct trace_record *r, struct str *out)
{
    const struct say_module *module = say_module(r);
    if (module != NULL && r->kind != TRACE_REPLY) {
        module->label(w, r, out);
        return;
    }
    switch ((enum trace_kind)r->kind) {
    case TRACE_ASK:
    case TRACE_ROUTE:
        label_key(w, r, out);
        return;
    case TRACE_ANSWER:
    case TRACE_REPLY:
        label_outcome(r, out);
        return;
    case TRACE_FETCH:
        str_add(out, "map?");
        return;
    case TRACE_MAP:
        str_addf(out, "map v%u%s", r->version, r->reason == REASON_DEAF ? " unheard" : "");
        return;
    case TRACE_WAIT:
        if (r->reason == REASON_TIMEOUT) {
            str_add(out, "timeout");
        } else {
            str_addf(out, "wait %s", num_span(r->operand[0]).text);
        }
        return;
    case TRACE_PLAN:
        str_addf(out, "v%u: S%u e%u", r->version, r->target, r->epoch);
        return;
    case TRACE_TABLE:
        str_addf(out, "%s e%u", slot_state_name((enum slot_state)r->target), r->epoch);
        return;
    case TRACE_COMMAND:
        label_command(r, out);
        return;
    case TRACE_READS:
    case TRACE_WRITES:
    case TRACE_ACCOUNT:
    case TRACE_GUARD:
    case TRACE_MOVE:
    case TRACE_SHIFT:
    case TRACE_QUERY:
    case TRACE_TXN:
    case TRACE_INDEX:
    case TRACE_NODE:
    case TRACE_COPY:
    case TRACE_QUORUM:
    case TRACE_WATCH:
    case TRACE_FLEET:
    case TRACE_SYSTEM:
    case TRACE_FAULT: /* see say_module */
    case TRACE_KINDS:
        break;
    }
    CHECK(false && "a record of no kind");
}
