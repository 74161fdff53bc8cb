/*
 * trace_why: the reason that the deciding code left in a record, put into sentences: the rule
 * first, then what it looked at, then what it did not do.
 */
#include "base/check.h"
#include "base/num.h"
#include "engine/words/say.h"
#include <inttypes.h>

static void owned(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "S%u looked into its slot table before serving (rule slot-table-check): slot %u is "
             "owned, at epoch %" PRId64 ". ",
             r->from.index, r->slot, r->operand[0]);
    if (r->reason == REASON_OWNED_OLD_MAP) {
        str_addf(out,
                 "The router knew only epoch %" PRId64
                 ", so S%u serves and tells it to fetch a newer map. ",
                 r->operand[1], r->from.index);
    } else {
        str_addf(out, "The request named epoch %" PRId64 ", so the router's map is new enough. ",
                 r->operand[1]);
    }
    str_addf(out, "MOVED is for a slot that went away, retry for one on its way; neither is so. ");
    if (r->operand[2] < 0) {
        str_addf(out, "S%u has no ceiling for %ss, so it need not refuse.", r->from.index,
                 r->op == OP_READ ? "read" : "write");
    } else {
        str_addf(out,
                 "Its ceiling has room for %" PRId64 " more %ss at once, so it need not refuse.",
                 r->operand[2], r->op == OP_READ ? "read" : "write");
    }
}

static void not_checked(const struct trace_record *r, struct str *out)
{
    static const char *const truth[] = {
        [SLOT_ABSENT] = "it never had the slot",
        [SLOT_OWNED] = "it owns the slot",
        [SLOT_MIGRATING] = "the slot is on its way to another shard",
        [SLOT_MOVED] = "the slot moved away",
        [SLOT_RECEIVING] = "its copy of the slot is not in service yet",
        [SLOT_LEAVING] = "the slot is leaving, key by key",
        [SLOT_ARRIVING] = "the slot is arriving, key by key",
    };
    str_addf(
        out,
        "The rule slot-table-check is off: S%u serves whatever reaches it, from its own store. "
        "Had it looked, its slot table would have said that %s",
        r->from.index, truth[r->operand[0]]);
    if (r->operand[0] == SLOT_ABSENT) {
        str_add(out, ".");
    } else {
        str_addf(out, " (epoch %" PRId64 ").", r->operand[1]);
    }
}

static void moved(const struct trace_record *r, struct str *out)
{
    str_addf(
        out,
        "S%u looked into its slot table before serving (rule slot-table-check): slot %u moved "
        "to S%" PRId64 " at epoch %" PRId64 ". What it once held may be old by now, so it does "
        "not serve. Retry would be right only while the slot is on its way, and the ceiling is "
        "not asked for what is not served.",
        r->from.index, r->slot, r->operand[0], r->operand[1]);
}

static void no_row(const struct trace_record *r, struct str *out)
{
    str_addf(
        out,
        "S%u looked into its slot table (rule slot-table-check) and has no row for slot %u: it "
        "never had it, cannot serve it and does not know who can. The directory knows, so the "
        "router must fetch the map.",
        r->from.index, r->slot);
}

static void no_token(const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_REPLY) {
        str_addf(out,
                 "S%" PRId64 " refused, since it is at its ceiling. The router passes that on: "
                 "asking again at once would only add to what S%" PRId64 " is asked.",
                 r->operand[1], r->operand[1]);
        return;
    }
    str_addf(
        out,
        "A shard refuses what is beyond its ceiling: S%u takes %s %ss a second, whatever their "
        "keys, and those of this moment are used up. ",
        r->from.index, num_grouped(r->operand[0]).text, say_work(r->operand[1]));
    if (r->operand[2] == 1) {
        str_add(out, "The one place to wait is taken. ");
    } else if (r->operand[2] > 1) {
        str_addf(out, "All %" PRId64 " places to wait are taken. ", r->operand[2]);
    } else {
        str_add(out, "Nobody may wait here. ");
    }
    str_add(out, "It does own the key's slot, so MOVED and retry would be untrue.");
}

static void map_says(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "R%u looked slot %u up in its cached map, version %" PRId64 ": S%u owns it, at epoch "
             "%" PRId64 ". It did not ask the directory, which would cost a trip for each request; "
             "if the map is old, the shard will say so.",
             r->from.index, r->slot, r->operand[0], r->target, r->operand[1]);
    if (r->operand[2] > 1) {
        str_addf(out, " This is try %" PRId64 " of %d.", r->operand[2], ATTEMPTS_MAX);
    }
}

static void back_off(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "S%u said that slot %u is migrating. Nobody serves it for the moment, so asking at "
             "once, or asking another shard, would be for nothing: R%u waits %s (wait %" PRId64
             ", each twice as long as the one before) and looks into its map again.",
             r->target, r->slot, r->from.index, num_span(r->operand[0]).text, r->operand[1]);
}

static void reload_rule(const struct trace_record *r, struct str *out)
{
    if (r->target == SHARD_NONE) {
        str_addf(
            out,
            "The shard has no row for slot %u and names nobody, so only the directory can help. "
            "R%u has map version %" PRId64 ".",
            r->slot, r->from.index, r->operand[0]);
        return;
    }
    str_addf(
        out,
        "A router that is told MOVED fetches the map before it goes on (rule reload-on-moved): "
        "slot %u is at epoch %" PRId64 " now, which map version %" PRId64 " of R%u does not "
        "know. Following MOVED without the map would work once, and need the extra hop again "
        "for each later request.",
        r->slot, r->operand[1], r->operand[0], r->from.index);
}

static void by_command(const struct trace_record *r, struct str *out)
{
    switch ((enum trace_kind)r->kind) {
    case TRACE_ASK:
        str_add(out, "This request was asked for by hand.");
        return;
    case TRACE_FETCH:
        str_addf(out, "The operator told R%u to fetch the map.", r->from.index);
        return;
    case TRACE_PLAN:
        str_addf(out,
                 "The operator moved the slots. The directory is the plan: it raises the map to "
                 "version %u and the epoch of these slots to %u, so that whoever knows less can be "
                 "told apart.",
                 r->version, r->epoch);
        return;
    case TRACE_TABLE:
        str_addf(
            out,
            "The operator changed who serves the slots, and S%u writes it down: its slot table "
            "is the truth about what it may serve.",
            r->from.index);
        return;
    case TRACE_ROUTE:
    case TRACE_ANSWER:
    case TRACE_MAP:
    case TRACE_WAIT:
    case TRACE_REPLY:
    case TRACE_COMMAND:
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
    case TRACE_FAULT:
    case TRACE_KINDS:
        break;
    }
    str_add(out, "The operator decided it; no rule of the cluster did.");
}

static void nothing_decided(const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_ASK) {
        str_add(out, "A client asks. It knows no shards and no map, only its router.");
    } else if (r->operand[0] > 1) {
        str_addf(out,
                 "The router passes on what S%" PRId64 " answered; it had to ask %" PRId64
                 " times in all.",
                 r->operand[1], r->operand[0]);
    } else {
        str_addf(out, "The router passes on what S%" PRId64 " answered.", r->operand[1]);
    }
}

static void moved_says(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "MOVED named S%" PRId64 " at epoch %" PRId64
             ". The rule reload-on-moved is off, so R%u "
             "asks there and keeps its old map, version %u; the next request for this slot will go "
             "wrong again.",
             r->operand[0], r->operand[1], r->from.index, r->version);
}

static void owned_old_map(const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_ANSWER) {
        owned(r, out);
        return;
    }
    str_addf(out,
             "A shard served, and said that map version %" PRId64
             " of R%u is old. The client has its "
             "answer; the map is fetched meanwhile.",
             r->operand[0], r->from.index);
}

static void migrating(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "S%u looked into its slot table before serving (rule slot-table-check): slot %u is "
             "migrating, at epoch %" PRId64
             ". A write served now could be missing at the new owner, "
             "so it does not serve; the move is not committed, so MOVED would be too early.",
             r->from.index, r->slot, r->operand[0]);
}

static void gave_up(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "A router tries a request at most %d times. This one had %" PRId64
             " tries and no shard "
             "served it, so the client is told, and can decide.",
             ATTEMPTS_MAX, r->operand[0]);
}

static void the_map(const struct trace_record *r, struct str *out)
{
    if (r->reason == REASON_PUSHED) {
        str_addf(out,
                 "The directory tells every router that listens about map version %" PRId64
                 "; R%u has version %" PRId64 ".",
                 r->operand[0], r->to.index, r->operand[1]);
    } else if (r->reason == REASON_FETCHED) {
        str_addf(out, "R%u asked for the map, and version %" PRId64 " is the one in force.",
                 r->to.index, r->operand[0]);
    } else {
        str_addf(out,
                 "R%u is deaf: news of map version %" PRId64 " does not reach it. It goes on with "
                 "version %" PRId64 " until a shard tells it that this is old.",
                 r->to.index, r->operand[0], r->operand[1]);
    }
}

static void timeout(const struct trace_record *r, struct str *out)
{
    if (r->target == SHARD_NONE) {
        str_addf(out,
                 "R%u has waited %s for the map, which is its patience. It goes by the map that it "
                 "has.",
                 r->from.index, num_span(r->operand[0]).text);
        return;
    }
    str_addf(out,
             "R%u has waited %s for S%u, which is its patience. The request may be lost, or served "
             "and the answer lost: nobody can know. It looks into its map and asks again (%" PRId64
             " of %d tries are used).",
             r->from.index, num_span(r->operand[0]).text, r->target, r->operand[1], ATTEMPTS_MAX);
}

static void ask_says(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "ASK named S%" PRId64 " for this key. R%u sends this one request there, says ASKING, "
             "and leaves its map as it is: the slot has not changed hands yet.",
             r->operand[0], r->from.index);
}

static void split_keys(const struct trace_record *r, struct str *out)
{
    str_addf(
        out,
        "The request needs several keys of slot %u, and they are at two shards for the moment. "
        "R%u waits %s until they are together again.",
        r->slot, r->from.index, num_span(r->operand[0]).text);
}

static void served_in_move(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "S%u looked into its slot table: slot %u is %s, at epoch %" PRId64
             ", and by the rules in force such a slot serves this request.",
             r->from.index, r->slot, slot_state_name((enum slot_state)r->operand[0]),
             r->operand[1]);
}

static void not_yet_mine(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "S%u holds a copy of slot %u that is not in service: it may not have caught up, and "
             "nobody has committed the move (rule target-waits-for-commit). The router should look "
             "at the map again.",
             r->from.index, r->slot);
}

static void key_left(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "Slot %u is leaving key by key, and this key is not at S%u any more. \"No such key\" "
             "would be untrue and MOVED too early, so it sends this one request on to S%" PRId64
             " (rule ask-for-missing-key).",
             r->slot, r->from.index, r->operand[0]);
}

static void keys_split(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "The request needs several keys of slot %u; some are at S%u and some are not. Half an "
             "answer would be wrong, so it asks the router to try again (rule try-again-on-split).",
             r->slot, r->from.index);
}

static void seen_before(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "S%u remembers operation %" PRId64 " for this key: it came before, and was applied "
             "then. It answers the same again and changes nothing (rule once-per-operation).",
             r->from.index, r->operand[0]);
}

/* The shard's answer that a reply passes on; NULL when the window no longer holds it. */
static const struct trace_record *answer_before(const struct world *w, const struct trace_record *r)
{
    for (uint64_t at = r->sequence; at > trace_first(w); at--) {
        const struct trace_record *earlier = trace_get(w, at - 1);
        if (earlier != NULL && earlier->kind == TRACE_ANSWER && earlier->request == r->request) {
            return earlier;
        }
    }
    return NULL;
}

void trace_why(const struct world *w, const struct trace_record *r, struct str *out)
{
    static void (*const why[REASON_READS_FIRST])(const struct trace_record *r, struct str *out) = {
        [REASON_NONE] = nothing_decided,
        [REASON_MAP_SAYS] = map_says,
        [REASON_MOVED_SAYS] = moved_says,
        [REASON_OWNED] = owned,
        [REASON_OWNED_OLD_MAP] = owned_old_map,
        [REASON_NOT_CHECKED] = not_checked,
        [REASON_MIGRATING] = migrating,
        [REASON_ROW_MOVED] = moved,
        [REASON_NO_ROW] = no_row,
        [REASON_NO_TOKEN] = no_token,
        [REASON_RELOAD_RULE] = reload_rule,
        [REASON_BACK_OFF] = back_off,
        [REASON_GAVE_UP] = gave_up,
        [REASON_PUSHED] = the_map,
        [REASON_FETCHED] = the_map,
        [REASON_DEAF] = the_map,
        [REASON_OPERATOR] = by_command,
        [REASON_TIMEOUT] = timeout,
        [REASON_ASK_SAYS] = ask_says,
        [REASON_SPLIT_KEYS] = split_keys,
        [REASON_SERVED_IN_MOVE] = served_in_move,
        [REASON_NOT_YET_MINE] = not_yet_mine,
        [REASON_KEY_LEFT] = key_left,
        [REASON_KEYS_SPLIT] = keys_split,
        [REASON_SEEN_BEFORE] = seen_before,
    };
    const struct say_module *module = say_module(r);
    if (module != NULL) {
        module->why(w, r, out);
        return;
    }
    CHECK(r->reason < REASON_READS_FIRST && why[r->reason] != NULL);
    why[r->reason](r, out);
    bool passed_on = r->kind == TRACE_REPLY && r->outcome == OUTCOME_OK;
    const struct trace_record *answer = passed_on ? answer_before(w, r) : NULL;
    if (answer != NULL) {
        str_addc(out, ' ');
        trace_why(w, answer, out);
    }
}
