/*
 * reads_why: the rules behind what was done with a read of a hot key.
 */
#include "engine/reads/reads_inside.h"

#include "base/num.h"
#include "engine/words/say.h"
#include <inttypes.h>

/* "R3", or "The edge of zone b" */
static void who(const struct trace_record *r, struct str *out)
{
    if (r->from.kind == NODE_CLIENT) {
        str_addf(out, "The edge of zone %c", 'a' + r->from.index);
    } else {
        node_say(r->from, out);
    }
}

static void why_fresh(const struct trace_record *r, struct str *out)
{
    who(r, out);
    str_addf(out, " kept this answer when it was fetched. It is %s old",
             num_span(r->operand[0]).text);
    str_addf(out,
             ", counted from before its source was read (rule age-from-read), and fresh for %s, so "
             "no shard is asked. A newer value may be at the shard by now: that is the price, and "
             "it has a bound.",
             num_span(r->operand[1]).text);
}

static void why_stale(const struct trace_record *r, struct str *out)
{
    who(r, out);
    str_addf(out, " kept this answer; it is %s old", num_span(r->operand[0]).text);
    str_addf(out, " and was fresh only for %s. ", num_span(r->operand[1]).text);
    if (r->operand[0] < r->operand[2]) {
        str_addf(out,
                 "Up to %s it is served while one fetch runs in the background (rule bounded-age); "
                 "waiting for that would take longer than it is worth.",
                 num_span(r->operand[2]).text);
    } else {
        str_addf(out,
                 "By the rule bounded-age it would not be served beyond %s; what serves it is that "
                 "the rule is off, or an age that was counted from the fetch's return.",
                 num_span(r->operand[2]).text);
    }
}

static void why_fetch(const struct trace_record *r, struct str *out)
{
    who(r, out);
    if (r->operand[0] < 0) {
        str_add(out, " keeps no answer to this");
    } else {
        str_addf(out, " keeps an answer that is %s old", num_span(r->operand[0]).text);
        str_addf(out, ", and beyond %s none is served (rule bounded-age)",
                 num_span(r->operand[1]).text);
    }
    str_addf(out,
             ", and no fetch is under way that it may wait for. So it sends one (request %" PRId64
             "), and who comes meanwhile waits for it (rule single-flight).",
             r->operand[2]);
}

static void why_refresh(const struct trace_record *r, struct str *out)
{
    who(r, out);
    str_addf(out, " has answered from an entry %s old", num_span(r->operand[0]).text);
    str_addf(out,
             ", which was fresh for %s. It is fetched again now (request %" PRId64
             "); until that is back, others are answered from the old entry.",
             num_span(r->operand[1]).text, r->operand[2]);
}

static void why_wait(const struct trace_record *r, struct str *out)
{
    who(r, out);
    str_addf(out,
             " sent a fetch of this key %s ago (request %" PRId64
             "). Its answer will do for this read too, since it was not older than the fetch; a "
             "fetch for each read would bring the whole crowd to the shard (rule single-flight).",
             num_span(r->operand[1]).text, r->operand[0]);
}

static void why_filled(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "The fetch came back and no edit was seen since it was sent, so its value is kept. "
             "Its age counts from when the fetch was sent, %s ago: what happened at the shard "
             "since then may be missing (rule age-from-read).",
             num_span(r->operand[0]).text);
}

static void why_not_kept(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "Since the fetch was sent, %s ago, an edit of the key was seen, a newer fetch came "
             "back, or the cache was restarted. The value may be from before that: who waited gets "
             "it, since they asked before; it is not kept for others (rule fill-not-across-edit).",
             num_span(r->operand[0]).text);
}

static void why_failed(const struct trace_record *r, struct str *out)
{
    str_add(out,
            "The shard was asked once for all who waited, and did not serve. They are told so; "
            "a kept answer stays as it is, and the next read may fetch again.");
    if (r->kind == TRACE_REPLY && r->outcome == OUTCOME_REFUSED) {
        str_addf(out, " S%" PRId64 " is at its ceiling.", r->operand[1]);
    }
}

static void why_waited(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "This read waited for a fetch, alone or with others. The fetch was sent %s ago, so "
             "the answer is at most that old.",
             num_span(r->operand[0]).text);
}

static void why_dropped(const struct trace_record *r, struct str *out)
{
    node_say(r->from, out);
    str_add(out, " was told that an edit of this key is done. ");
    if (r->operand[0] >= 0) {
        str_addf(
            out,
            "What it kept, %s old, is from before that, so it is dropped (rule drop-on-edit). ",
            num_span(r->operand[0]).text);
    }
    if (r->operand[1] != 0) {
        str_add(out, "The fetch under way may have read before the edit: it will not be kept, and "
                     "later reads do not wait for it (rule fill-not-across-edit). ");
    }
    str_add(out, "Other routers did not see this edit; there the entry's age is the bound.");
}

static void why_begun(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "No query of this key is under way at R%u that this read may join, so it begins one "
             "(request %" PRId64 "). It is no cache: the answer is gone as soon as it is given.",
             r->from.index, r->operand[0]);
}

static void why_joined(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "R%u sent a query for this key %s ago (request %" PRId64
             "), and knows of no write that completed since. Its answer cannot miss a write that "
             "was done before this read, so the read may share it (rule join-before-write).",
             r->from.index, num_span(r->operand[1]).text, r->operand[0]);
}

static void why_alone(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "R%u keeps the books of at most %" PRId64
             " queries of a key. Asking alone is always right, only more work for the shard.",
             r->from.index, r->operand[0]);
}

static void why_sealed(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "R%u was told that a write of this key is done. The query under way (request %" PRId64
             ") may have read before it: whoever asks from now on must see the write, and begins a "
             "new query (rule join-before-write). Who joined before is served as planned.",
             r->from.index, r->operand[0]);
}

static void why_shared(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "One query answered %" PRId64 " %s at R%u. It was sent %s ago, and the answer is at "
             "most that old.",
             r->operand[1], r->operand[1] == 1 ? "read" : "reads", r->from.index,
             num_span(r->operand[0]).text);
}

static void why_copy(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "The value has %" PRId64 " copies. Their keys differ inside the tag, so they are in "
             "slots of their own and on several shards. R%u picks one at random, this time copy "
             "%" PRId64 ": so each shard gets a part of the reads.",
             r->operand[1], r->from.index, r->operand[0]);
}

static void why_written(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "An edit must reach the value and all of its %" PRId64
             " copies before its client is told that it is done; a read of any copy after that "
             "finds it. That is what copies cost: each edit is %" PRId64 " writes more.",
             r->operand[0], r->operand[0]);
}

static void why_follower(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "S%u lets its followers answer reads in turn with its leader. Follower %" PRId64
             " applies each change %s after the leader: it may answer what was so then, even to "
             "somebody who has just written. Writes still go to the leader alone.",
             r->from.index, r->operand[0], num_span(r->operand[1]).text);
}

static void why_were_set(const struct trace_record *r, struct str *out)
{
    (void)r;
    str_add(out, "The value and each of its copies hold the edit now, so its client is told.");
}

void reads_why(const struct world *w, const struct trace_record *r, struct str *out)
{
    static void (*const why[REASON_READS_END - REASON_READS_FIRST])(const struct trace_record *r,
                                                                    struct str *out) = {
        why_fresh,  why_stale,  why_fetch,   why_refresh,  why_wait,     why_filled, why_not_kept,
        why_failed, why_waited, why_dropped, why_begun,    why_joined,   why_alone,  why_sealed,
        why_shared, why_copy,   why_written, why_were_set, why_follower,
    };
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        str_add(out, "The operator decided it; no rule of the cluster did.");
        return;
    }
    CHECK(r->reason >= REASON_READS_FIRST && r->reason < REASON_READS_END);
    why[r->reason - REASON_READS_FIRST](r, out);
}
