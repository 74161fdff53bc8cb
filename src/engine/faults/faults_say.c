/*
 * faults_say: faults in words.
 */
#include "base/num.h"
#include "engine/faults/faults.h"
#include "engine/state.h"
#include "engine/words/say.h"
#include <inttypes.h>

/* What kind of message it was, as operand 0 of a record tells. */
static const char *message_name(const struct trace_record *r)
{
    static const char *const names[EVENT_KINDS] = {
        [EVENT_ASK] = "the request",
        [EVENT_QUERY] = "the query",
        [EVENT_ANSWER] = "the answer",
        [EVENT_REPLY] = "the reply",
        [EVENT_FETCH] = "the wish for the map",
        [EVENT_MAP] = "the map",
        [EVENT_STORE] = "the row for the table `liked`",
        [EVENT_STORED] = "the receipt of the table `liked`",
    };
    bool known = r->operand[0] >= 0 && r->operand[0] < EVENT_KINDS && names[r->operand[0]] != NULL;
    return known ? names[r->operand[0]] : "a message";
}

static void say_message(const struct world *w, const struct trace_record *r, struct str *out)
{
    str_add(out, message_name(r));
    if (r->key != KEY_NONE_ID) {
        str_add(out, " (");
        say_request(w, r, out);
        str_addc(out, ')');
    }
}

static void say_patience(int64_t us, const char *whom, struct str *out)
{
    if (us == 0) {
        str_addf(out, "for %s for ever", whom);
    } else {
        str_addf(out, "%s for %s", num_span(us).text, whom);
    }
}

static void say_command(const struct trace_record *r, struct str *out)
{
    if (r->operand[0] == COMMAND_CRASH) {
        str_addf(out, "dies, for %s", num_span(r->operand[1]).text);
        return;
    }
    if (r->operand[0] == COMMAND_HOLD) {
        str_addf(out, "what is on its way for request %" PRId64 " is held up for %s", r->operand[2],
                 num_span(r->operand[1]).text);
        return;
    }
    if (r->operand[0] == COMMAND_PATIENCE) {
        str_add(out, "routers wait ");
        say_patience(r->operand[1], "a shard", out);
        str_add(out, ", clients ");
        say_patience(r->operand[2], "a router", out);
        return;
    }
    if (r->operand[0] == COMMAND_DIRECTORY) {
        str_add(out, r->operand[1] ? "is back" : "is down: it answers nobody, and no slot moves");
        return;
    }
    int64_t doubled = r->operand[2] >> 32;
    int64_t delayed = r->operand[2] & UINT32_MAX;
    if (r->operand[1] == 0 && r->operand[2] == 0) {
        str_add(out, "the network is calm: no message is lost, doubled or held up");
        return;
    }
    str_addf(out, "of a million messages %" PRId64 " are lost, %" PRId64 " come twice, ",
             r->operand[1], doubled);
    str_addf(out, "%" PRId64 " are held up", delayed);
}

void faults_say(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_COMMAND) {
        say_command(r, out);
        return;
    }
    switch (r->reason) {
    case REASON_FAULTS_LOST:
        say_message(w, r, out);
        str_add(out, " is lost on the way");
        return;
    case REASON_FAULTS_DOUBLED:
        say_message(w, r, out);
        str_addf(out, " comes twice, the second time %s later", num_span(r->operand[1]).text);
        return;
    case REASON_FAULTS_HELD_UP:
        say_message(w, r, out);
        str_addf(out, " is held up on the way for %s", num_span(r->operand[1]).text);
        return;
    case REASON_FAULTS_NODE_DOWN:
        say_message(w, r, out);
        str_add(out, " finds nobody there: the node is down");
        return;
    case REASON_FAULTS_DIED:
        str_addf(out, "dies; back in %s", num_span(r->operand[1]).text);
        return;
    case REASON_FAULTS_BACK:
        if (r->kind == TRACE_FETCH) {
            str_addf(out, "the map, please; I was away and hold version %u", r->version);
        } else {
            str_add(out, "is back");
        }
        return;
    case REASON_FAULTS_IN_HAND:
        str_addf(out, ": R%u died with it in hand", r->from.index);
        return;
    case REASON_FAULTS_ROUTER_DOWN:
        str_addf(out, ": R%u is down", r->from.index);
        return;
    case REASON_FAULTS_SHARD_DOWN:
        str_addf(out, ": S%" PRId64 " is down", r->operand[1]);
        return;
    case REASON_FAULTS_NO_MAP:
        str_addf(out, "the map, please, once more; mine is version %u", r->version);
        return;
    default:
        CHECK(false && "no reason of a fault");
    }
}

void faults_label(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        str_add(out, r->operand[0] == COMMAND_CRASH       ? "dies"
                     : r->operand[0] == COMMAND_HOLD      ? "held up"
                     : r->operand[0] == COMMAND_PATIENCE  ? "patience"
                     : r->operand[0] != COMMAND_DIRECTORY ? "network"
                     : r->operand[1]                      ? "is back"
                                                          : "is down");
        return;
    }
    if (r->kind == TRACE_FETCH) {
        str_add(out, "the map?");
        return;
    }
    switch (r->reason) {
    case REASON_FAULTS_LOST:
        str_add(out, "lost");
        return;
    case REASON_FAULTS_DOUBLED:
        str_add(out, "twice");
        return;
    case REASON_FAULTS_HELD_UP:
        str_addf(out, "late %s", num_span(r->operand[1]).text);
        return;
    case REASON_FAULTS_NODE_DOWN:
        str_add(out, "nobody there");
        return;
    case REASON_FAULTS_DIED:
        str_add(out, "dies");
        return;
    case REASON_FAULTS_BACK:
        str_add(out, "is back");
        return;
    default:
        str_add(out, "failed");
    }
}

void faults_why(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        str_add(out, "The operator asked for it.");
        return;
    }
    switch (r->reason) {
    case REASON_FAULTS_LOST:
        str_addf(out,
                 "The network lost %s. Nobody is told: whoever waits for what it would have "
                 "brought notices only when its patience ends.",
                 message_name(r));
        return;
    case REASON_FAULTS_DOUBLED:
        str_addf(out,
                 "The network delivers %s twice. The receiver must see that it knows it already: "
                 "a shard remembers the last operations of each key (rule once-per-operation), a "
                 "router and a client ignore what they do not wait for any more.",
                 message_name(r));
        return;
    case REASON_FAULTS_HELD_UP:
        str_addf(out,
                 "The network holds %s up for %s. What was sent later may arrive first; and who "
                 "waits for it may have lost patience by then.",
                 message_name(r), num_span(r->operand[1]).text);
        return;
    case REASON_FAULTS_NODE_DOWN:
        if (r->to.kind == NODE_DIRECTORY) {
            str_add(out, "The directory is down and answers nobody. Whoever wants the map waits "
                         "until it is back, or until the router's patience ends; then the router "
                         "asks once more by the map that it has.");
            return;
        }
        str_add(out, "A node that is down takes no message. A sender with a time-out notices when "
                     "it is over; one without is told at once that the node is down.");
        return;
    case REASON_FAULTS_DIED:
        str_add(out, "What a node holds in memory is gone when it dies: a router's caches, "
                     "buffers and requests, a shard's queue. A shard's store, slot table and log "
                     "are on disk and still there when it is back.");
        return;
    case REASON_FAULTS_BACK:
        str_add(out, "The node has started again. A router knows the map it had and fetches the "
                     "newest; a shard answers by the slot table on its disk.");
        return;
    case REASON_FAULTS_IN_HAND:
    case REASON_FAULTS_ROUTER_DOWN:
        str_addf(out,
                 "R%u is down, and what it was doing for this request went with it. The client "
                 "sees the connection break: the shard may have served it or not.",
                 r->from.index);
        return;
    case REASON_FAULTS_SHARD_DOWN:
        str_addf(out,
                 "S%" PRId64 " owns the slot and is down. No other shard may serve it, so R%u can "
                 "only tell the client.",
                 r->operand[1], r->from.index);
        return;
    case REASON_FAULTS_NO_MAP:
        str_addf(out,
                 "R%u had asked for the map and got none: the wish or the map was lost, or the "
                 "directory was down. So it asks again.",
                 r->from.index);
        return;
    default:
        CHECK(false && "no reason of a fault");
    }
}
