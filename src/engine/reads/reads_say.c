/*
 * reads_say: what was done with a read of a hot key, in one line; and the words on its arrow.
 */
#include "engine/reads/reads_inside.h"

#include "base/num.h"
#include "base/utf8.h"
#include "engine/words/say.h"
#include <inttypes.h>

static void add_key(const struct world *w, uint32_t key, struct str *out)
{
    struct bytes bytes = world_key(w, key);
    utf8_visible(out, bytes.at, bytes.length);
}

static void say_treatment(const struct world *w, const struct trace_record *r, struct str *out)
{
    str_add(out, "reads of ");
    add_key(w, r->key, out);
    switch ((enum reads_mode)(r->operand[1] & 0xFF)) {
    case READS_PLAIN:
        str_add(out, ": routers ask the shard each time again");
        return;
    case READS_CACHED:
        str_addf(out, ": each router keeps the answer, fresh for %s", num_span(r->operand[2]).text);
        str_addf(out, ", served until it is %s old while it is fetched again",
                 num_span((int64_t)r->value).text);
        if (r->epoch != 0) { /* the count's key, and one */
            str_add(out, "; a fetch reads ");
            add_key(w, r->epoch - 1, out);
            str_add(out, " with it");
        }
        return;
    case READS_COALESCED:
        str_addf(out, ": those that come while a query is under way share it, %s",
                 r->operand[1] >> 8 != 0 ? "all at one router" : "at each router");
        return;
    case READS_REPLICAS:
        str_add(out, ": a shard's followers may answer, a little behind their leader");
        return;
    case READS_COPIES:
        str_addf(out,
                 ": it gets %" PRIu64 " copies under keys of their own; each read asks one of "
                 "them, each edit writes all",
                 r->value);
        return;
    case READS_EDGE:
        str_addf(out, ": each zone keeps the answer for %s before its routers",
                 num_span(r->operand[2]).text);
        return;
    case READS_FORGET:
        str_add(out, ": all caches restart, every kept answer is gone");
        return;
    }
    CHECK(false && "a treatment of no kind");
}

static void say_command(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->operand[0] == COMMAND_READS) {
        say_treatment(w, r, out);
    } else if (r->operand[1] == 1) {
        str_add(out, "only the leader answers reads");
    } else if (r->operand[2] == 0) {
        str_addf(out, "the leader and its followers answer reads, %" PRId64 " in all",
                 r->operand[1]);
    } else {
        str_addf(out,
                 "the leader and its followers answer reads, %" PRId64 " in all: %s a second "
                 "together",
                 r->operand[1], num_grouped(r->operand[2]).text);
    }
}

/* What a reply says beside its outcome. */
static void say_reply(const struct trace_record *r, struct str *out)
{
    struct num_text age = num_span(r->operand[0]);
    bool edge = r->from.kind == NODE_CLIENT;
    switch ((enum reads_reason)r->reason) {
    case REASON_CACHE_FRESH:
        str_addf(out, " (from %s, %s old)", edge ? "the zone's edge" : "its cache", age.text);
        return;
    case REASON_CACHE_STALE:
        str_addf(out, " (from its cache, %s old: stale, and being fetched again)", age.text);
        return;
    case REASON_CACHE_WAITED:
        str_addf(out, " (it waited for a fetch, sent %s ago)", age.text);
        return;
    case REASON_QUERY_SHARED:
        str_addf(out, " (one query for %" PRId64 " %s, sent %s ago)", r->operand[1],
                 r->operand[1] == 1 ? "read" : "reads", age.text);
        return;
    case REASON_COPIES_WERE_SET:
        str_add(out, " (and so are its copies)");
        return;
    case REASON_FETCH_FAILED:
        str_add(out, " (the fetch that it waited for brought nothing)");
        return;
    case REASON_CACHE_FETCH:
    case REASON_CACHE_REFRESH:
    case REASON_CACHE_WAIT:
    case REASON_CACHE_FILLED:
    case REASON_CACHE_NOT_KEPT:
    case REASON_CACHE_DROPPED:
    case REASON_QUERY_BEGUN:
    case REASON_QUERY_JOINED:
    case REASON_QUERY_ALONE:
    case REASON_QUERY_SEALED:
    case REASON_COPY_PICKED:
    case REASON_COPIES_WRITTEN:
    case REASON_FOLLOWER:
    case REASON_READS_END:
        break;
    }
    CHECK(false && "no reply for such a reason");
}

static void say_decision(const struct world *w, const struct trace_record *r, struct str *out)
{
    struct num_text age = num_span(r->operand[0]);
    if (r->from.kind == NODE_CLIENT) {
        str_add(out, "at the zone's edge, ");
    }
    say_request(w, r, out);
    str_add(out, ": ");
    switch ((enum reads_reason)r->reason) {
    case REASON_CACHE_FETCH:
        str_addf(out, "%s, so it begins a fetch and waits",
                 r->operand[0] < 0 ? "no answer is kept" : "the kept answer is too old");
        return;
    case REASON_CACHE_REFRESH:
        str_addf(out, "the kept answer is %s old, it is fetched again in the background", age.text);
        return;
    case REASON_CACHE_WAIT:
        str_add(out, "a fetch is under way, it waits for that one");
        return;
    case REASON_CACHE_FILLED:
        str_addf(out, "the fetch is back after %s and kept; %" PRId64 " waited for it", age.text,
                 r->operand[1]);
        if (r->version != 0) {
            str_addf(out, "; the count came with it: %s", num_grouped((int64_t)r->value).text);
        }
        return;
    case REASON_CACHE_NOT_KEPT:
        str_addf(out, "the fetch is back after %s, but not kept; %" PRId64 " waited for it",
                 age.text, r->operand[1]);
        return;
    case REASON_FETCH_FAILED:
        str_addf(out, "the fetch brought nothing; %" PRId64 " waited for it", r->operand[1]);
        return;
    case REASON_CACHE_DROPPED:
        str_addf(out, "done, so %s",
                 r->operand[0] >= 0 ? "the kept answer is dropped"
                                    : "the fetch under way will not be kept");
        return;
    case REASON_QUERY_BEGUN:
        str_add(out, "it begins a query that others may share");
        return;
    case REASON_QUERY_JOINED:
        str_addf(out, "it joins the query sent %s ago", num_span(r->operand[1]).text);
        return;
    case REASON_QUERY_ALONE:
        str_addf(out, "%" PRId64 " queries are under way, it asks alone", r->operand[0]);
        return;
    case REASON_QUERY_SEALED:
        str_add(out, "a write is done, so nobody joins the query under way any more");
        return;
    case REASON_COPY_PICKED:
        str_addf(out, "it asks copy %" PRId64 " of %" PRId64 ", in slot %u", r->operand[0],
                 r->operand[1], r->slot);
        return;
    case REASON_COPIES_WRITTEN:
        str_addf(out, "it goes to the value and to its %" PRId64 " copies", r->operand[0]);
        return;
    case REASON_FOLLOWER:
        break; /* an answer, see reads_say */
    case REASON_CACHE_FRESH:
    case REASON_CACHE_STALE:
    case REASON_CACHE_WAITED:
    case REASON_QUERY_SHARED:
    case REASON_COPIES_WERE_SET:
    case REASON_READS_END:
        break;
    }
    CHECK(false && "no decision of such a reason");
}

void reads_say(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_COMMAND) {
        say_command(w, r, out);
    } else if (r->kind == TRACE_REPLY) {
        say_reply(r, out);
    } else if (r->kind == TRACE_ANSWER) {
        str_add(out, "OK");
        if (r->value > 0) {
            str_addf(out, ", the counter is %" PRIu64, r->value);
        }
        str_addf(out, " (follower %" PRId64 ", as it was %s ago)", r->operand[0],
                 num_span(r->operand[1]).text);
        str_add(out, r->outcome == OUTCOME_OK_RELOAD ? "; your map is old, fetch a new one" : "");
    } else {
        say_decision(w, r, out);
    }
}

void reads_label(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)w;
    static const char *const labels[REASON_READS_END - REASON_READS_FIRST] = {
        [REASON_CACHE_FETCH - REASON_READS_FIRST] = "fetch",
        [REASON_CACHE_REFRESH - REASON_READS_FIRST] = "refresh",
        [REASON_CACHE_WAIT - REASON_READS_FIRST] = "wait",
        [REASON_CACHE_FILLED - REASON_READS_FIRST] = "kept",
        [REASON_CACHE_NOT_KEPT - REASON_READS_FIRST] = "not kept",
        [REASON_FETCH_FAILED - REASON_READS_FIRST] = "no answer",
        [REASON_CACHE_DROPPED - REASON_READS_FIRST] = "dropped",
        [REASON_QUERY_BEGUN - REASON_READS_FIRST] = "query",
        [REASON_QUERY_JOINED - REASON_READS_FIRST] = "join",
        [REASON_QUERY_ALONE - REASON_READS_FIRST] = "alone",
        [REASON_QUERY_SEALED - REASON_READS_FIRST] = "sealed",
        [REASON_COPY_PICKED - REASON_READS_FIRST] = "pick a copy",
        [REASON_COPIES_WRITTEN - REASON_READS_FIRST] = "write copies",
    };
    static const char *const modes[] = {
        [READS_PLAIN] = "plain",       [READS_CACHED] = "cached", [READS_COALESCED] = "coalesced",
        [READS_REPLICAS] = "replicas", [READS_COPIES] = "copies", [READS_EDGE] = "edge",
        [READS_FORGET] = "forget",
    };
    if (r->kind == TRACE_COMMAND && r->operand[0] == COMMAND_REPLICAS) {
        str_addf(out, "%" PRId64 " answer reads", r->operand[1]);
    } else if (r->kind == TRACE_COMMAND) {
        str_addf(out, "reads %s", modes[r->operand[1] & 0xFF]);
    } else if (r->kind == TRACE_ANSWER) {
        str_addf(out, "OK %" PRIu64 " follower", r->value);
    } else {
        const char *label = labels[r->reason - REASON_READS_FIRST];
        CHECK(label != NULL);
        str_add(out, label);
    }
}
