/*
 * queries_why: why routers and shards did what queries.h leaves in the trace.
 */
#include "base/num.h"
#include "engine/queries/queries_inside.h"
#include "engine/words/say.h"
#include <inttypes.h>

static void why_command(const struct trace_record *r, struct str *out)
{
    switch ((int)r->operand[0]) {
    case COMMAND_QUERY:
        str_add(out, "The operator says what is asked of all shards, and how long a router waits. "
                     "No shard has all keys, so each gives its part and a router merges them.");
        return;
    case COMMAND_GATHER:
        str_add(out, "Somebody asks by hand, or clients do from now on. Each question becomes one "
                     "for every shard that has slots.");
        return;
    case COMMAND_POPULAR:
        str_add(out, "The answer is the same for everybody and may be a little old, so one job can "
                     "compute it for all: the shards are asked once a period, however many clients "
                     "there are.");
        return;
    default:
        str_add(out, "The operator says how long shards take over a part of a query; each time is "
                     "drawn by chance.");
    }
}

static void why_part(const struct trace_record *r, struct str *out)
{
    if (r->operand[1] > 1) {
        str_addf(out,
                 "Slots were missing when all shards had answered. R%u asks their owners, by its "
                 "newest map, and for these slots alone.",
                 r->from.index);
        return;
    }
    if (r->operand[2] > 0) {
        str_addf(out,
                 "This query is content with %" PRId64 " of the shards. R%u chose them for this "
                 "run and asks them at once; the slowest of them decides how long it takes, and "
                 "what the others hold is not in the result.",
                 r->operand[2], r->from.index);
        return;
    }
    str_addf(out,
             "The keys of a query are on all shards, so R%u asks each that its map (version %u) "
             "gives slots to. All are asked at once; the slowest decides how long it takes.",
             r->from.index, r->version);
}

static void why_answer(const struct trace_record *r, struct str *out)
{
    bool follower = (int)r->reason == QUERY_FOLLOWER;
    str_addf(out,
             "%s of the slots that %s own and whole by the slot table it counts what it "
             "holds, and says at which epoch it has each. That took %s.",
             follower ? "A follower:" : "A shard:", follower ? "were its leader's" : "are its",
             num_span(r->operand[1]).text);
    if (follower) {
        str_add(out, " A follower may be a little behind its leader.");
    }
}

static void why_merged(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "It is the first answer to this question, and none of its slots is in already from "
             "another epoch. %s of %s %s are in now%s",
             num_grouped(r->operand[2] < 0 ? -r->operand[1] : r->operand[1]).text,
             num_grouped(r->operand[2] < 0 ? -r->operand[2] : r->operand[2]).text,
             r->operand[2] < 0 ? "chosen shards" : "slots",
             r->operand[1] == r->operand[2] ? ": the result is whole."
                                            : "; the result is whole when all are.");
}

static void why_clashed(const struct trace_record *r, struct str *out)
{
    str_addf(
        out,
        "Slot %" PRId64 " changed hands between two answers: it is in already, counted at epoch "
        "%" PRId64 ", and this answer counts it again at epoch %u. A sum cannot be taken apart, so "
        "nothing of the answer is merged (rule one-epoch-a-slot); what is missing then is asked "
        "again.",
        r->operand[1], r->operand[2], r->epoch);
}

static void why_end(const struct trace_record *r, struct str *out)
{
    switch ((enum query_reason)r->reason) {
    case QUERY_WHOLE:
        str_add(out, r->operand[2] < 0
                         ? "Each shard that this run chose is in the result, and no other."
                         : "Every slot is in the result, and each of them once.");
        if (r->target != SHARD_NONE) {
            str_addf(out, " S%u answered last, so it decided how long the query took.", r->target);
        }
        return;
    case QUERY_PARTIAL:
        str_add(out, "Time is up, and slots are missing. The client has an answer in time, and is "
                     "told that it lacks something (rule mark-partial).");
        return;
    case QUERY_SILENT:
        str_add(out, "The rule mark-partial is off: slots are missing, and nobody is told.");
        return;
    case QUERY_RESULT:
        str_add(out, "The job has its result. Routers answer from it until the next one.");
        return;
    case QUERY_FAILED:
        str_add(out, "No shard's answer came in time, so there is nothing to tell.");
        return;
    case QUERY_ROUTER_DIED:
        str_add(out, "A router keeps what it has merged in memory; with the router it is gone.");
        return;
    case QUERY_NO_ROOM:
        str_addf(out,
                 "Routers keep what they merge until the last shard has answered. With %" PRId64
                 " queries under way there is no room for one more.",
                 r->operand[1]);
        return;
    case QUERY_FROM_RESULT:
        str_addf(out,
                 "A job computes this once a period. R%u answers from its last result, which is %s "
                 "old, and asks no shard.",
                 r->from.index, num_span(r->operand[1]).text);
        return;
    case QUERY_ASKED:
    case QUERY_PART:
    case QUERY_HEDGED:
    case QUERY_REPLIED:
    case QUERY_FOLLOWER:
    case QUERY_MERGED:
    case QUERY_CLASHED:
    case QUERY_DROPPED:
    case QUERY_GAVE_UP:
    case QUERY_PART_FAILED:
    case QUERY_AGAIN:
    case QUERY_MAP:
    case QUERY_REASONS:
        break;
    }
    CHECK(false && "no end");
}

static void why_waiting(const struct trace_record *r, struct str *out)
{
    switch ((enum query_reason)r->reason) {
    case QUERY_HEDGED:
        str_addf(
            out,
            "S%u has not answered for %s. Its follower has the same keys and is asked too; the "
            "first of the two answers counts. Only the few slow parts cost a second question.",
            r->target, num_span(r->operand[1]).text);
        return;
    case QUERY_DROPPED:
        str_addf(out,
                 "R%u has an answer of S%u to this question already, or waits for none any more. "
                 "Merged too, its slots would count twice (rule first-answer-counts).",
                 r->from.index, r->target);
        return;
    case QUERY_GAVE_UP:
        str_addf(
            out,
            "The timeout of a part is over. Waiting on would let one slow shard decide for all.");
        return;
    case QUERY_PART_FAILED:
        str_addf(out, "S%u will not answer, so there is no use in waiting for it.", r->target);
        return;
    case QUERY_AGAIN:
    case QUERY_MAP:
        str_add(out, "All that were asked have answered, and slots are in no answer: they are "
                     "changing hands, or this router's map is old. It fetches the map and asks "
                     "again a little later.");
        return;
    case QUERY_ASKED:
    case QUERY_PART:
    case QUERY_REPLIED:
    case QUERY_FOLLOWER:
    case QUERY_MERGED:
    case QUERY_CLASHED:
    case QUERY_WHOLE:
    case QUERY_PARTIAL:
    case QUERY_SILENT:
    case QUERY_FAILED:
    case QUERY_ROUTER_DIED:
    case QUERY_NO_ROOM:
    case QUERY_FROM_RESULT:
    case QUERY_RESULT:
    case QUERY_REASONS:
        break;
    }
    why_end(r, out);
}

void queries_why(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        why_command(r, out);
        return;
    }
    switch ((int)r->reason) {
    case QUERY_ASKED:
        str_add(out, r->operand[1] == ASKER_JOB ? "The job's period is over."
                     : r->operand[2] > 0 ? "A client asks. Its router asks some of the shards."
                                         : "A client asks. Its router asks all shards.");
        return;
    case QUERY_PART:
        why_part(r, out);
        return;
    case QUERY_REPLIED:
    case QUERY_FOLLOWER:
        why_answer(r, out);
        return;
    case QUERY_MERGED:
        why_merged(r, out);
        return;
    case QUERY_CLASHED:
        why_clashed(r, out);
        return;
    default:
        why_waiting(r, out);
    }
}
