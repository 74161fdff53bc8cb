/*
 * guards_why: why a guard turned a request away, or a client asks again: the rule, what it looked
 * at, what it did not do.
 */
#include "base/utf8.h"
#include "engine/guards/guards_inside.h"
#include "engine/words/say.h"
#include <inttypes.h>

static void limit(const struct world *w, const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "A limit of %s a second is shared by %u routers, none of which knows what the others "
             "let pass: R%u has %" PRId64 " a second of it, as an integer token bucket, and no "
             "token is left. ",
             num_grouped(r->operand[1]).text, world_config_of(w)->routers, r->from.index,
             r->operand[0]);
    if (r->reason == REASON_LIMIT_TENANT) {
        str_add(out,
                "A token that its own key may have is left where it is: both are taken, or none. ");
    }
    str_addf(out,
             "Its shard is not asked, and so its other keys are safe from this one. The next token "
             "is there in %s, which the client is told (Retry-After).",
             num_span(r->operand[2]).text);
}

static void shed(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "R%u was asked %" PRId64 " things that it has not answered yet, and may have %" PRId64
             " at once",
             r->from.index, r->operand[0], r->operand[2]);
    if (r->operand[1] < r->operand[2]) {
        str_addf(out,
                 ", from %" PRId64 " on only writes: reads go first, since they can be asked "
                 "again without harm",
                 r->operand[1]);
    }
    str_add(out, ". To say no at once costs next to nothing; to take more than it can finish would "
                 "make everybody wait, until all lose patience.");
}

static void share(const struct world *w, const struct trace_record *r, struct str *out)
{
    struct bytes name = guards_tenant(w, r->target).name;
    str_addf(out, "R%u has %" PRId64 " requests of ", r->from.index, r->operand[0]);
    utf8_visible(out, name.at, name.length);
    str_addf(out,
             " in hand, which is its share: %" PRId64 "%% of what R%u may have. The rest is kept "
             "for others, whose shards may be well.",
             r->operand[2], r->from.index);
}

static void breaker(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "The circuit breaker of R%u for S%" PRId64 " is open: most of what it asked there "
             "failed, so it does not ask for a while. S%" PRId64 " gets time to recover, and the "
             "client need not wait to learn that it would fail. After that one request is let "
             "through, to see.",
             r->from.index, r->operand[1], r->operand[1]);
}

static void again(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "The client was turned away and asks again: a new request for the same operation. Its "
             "shard has not become faster by that, and is now asked more than once for %s.",
             op_name((enum op_kind)r->op));
}

static void client_waits(const struct trace_record *r, struct str *out)
{
    str_addf(out, "The client was turned away, try %" PRId64 ", and backs off. ", r->operand[1]);
    if (r->operand[2] > 0) {
        str_addf(out, "It was told to come back after %s, and does not come earlier.",
                 num_span(r->operand[2]).text);
    } else {
        str_add(out, "To ask again at once would only add to what is too much already.");
    }
}

static void hot_key(const struct world *w, const struct trace_record *r, struct str *out)
{
    const char *first = (r->target & HOT_WRITES) != 0 ? "writes" : "reads";
    str_addf(out,
             "Two measurements, in this order. S%u was asked more than 70%% of its ceiling of %s%s "
             "in this window: that tells where. Of the requests sampled for it, 1 in %u, more than "
             "10%% were for this key: that tells which. ",
             r->from.index, first, r->target == HOT_BOTH ? ", and of reads," : "", r->version);
    if (r->epoch == 0) {
        str_addf(out, "No router had to give up a cell for another key, so these counts are exact "
                      "counts of the sample. ");
    } else {
        str_addf(out,
                 "Routers count in %u cells each, so the key may have been sampled up to %u times "
                 "more than is said here, never less often. ",
                 world_config_of(w)->watch_max, r->epoch);
    }
    str_add(out, "Reads and writes are told apart since they need different cures.");
}

static void breaker_changes(const struct trace_record *r, struct str *out)
{
    if (r->reason == REASON_BREAKER_OPENS) {
        str_addf(out,
                 "Too much of what R%u asked S%u failed: %" PRId64 " of %" PRId64
                 " answers. (Fewer than %u answers tell nothing.) From now on it answers at once "
                 "that it cannot.",
                 r->from.index, r->target, r->operand[0], r->operand[1], BREAKER_LEAST);
    } else if (r->reason == REASON_BREAKER_PROBES) {
        str_addf(out,
                 "The breaker was open for %s. One request may pass, the others wait for its "
                 "outcome: if it fails, the breaker opens again.",
                 num_span(r->operand[2]).text);
    } else {
        str_addf(out, "The request that was let through to S%u was answered, so all may pass.",
                 r->target);
    }
}

void guards_why(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_COMMAND) {
        str_add(out, "The operator decided it; no rule of the cluster did.");
        return;
    }
    switch ((enum guard_reason)r->reason) {
    case REASON_LIMIT_KEY:
    case REASON_LIMIT_TENANT:
        limit(w, r, out);
        return;
    case REASON_SHED:
        shed(r, out);
        return;
    case REASON_SHARE:
        share(w, r, out);
        return;
    case REASON_BREAKER:
        breaker(r, out);
        return;
    case REASON_AGAIN:
        again(r, out);
        return;
    case REASON_CLIENT_WAITS:
        client_waits(r, out);
        return;
    case REASON_BREAKER_OPENS:
    case REASON_BREAKER_PROBES:
    case REASON_BREAKER_CLOSES:
        breaker_changes(r, out);
        return;
    case REASON_HOT_KEY:
        hot_key(w, r, out);
        return;
    }
    CHECK(false && "no record of the guards");
}
