/*
 * quorums_why: stores without leaders: what decided, and what it decided against.
 */
#include "base/num.h"
#include "engine/quorums/quorums_inside.h"
#include <inttypes.h>

static void why_command(const struct trace_record *r, struct str *out)
{
    switch ((enum store_mode) - r->operand[1]) {
    case STORE_MODE_HINTS:
        str_add(out, r->operand[2] != 0
                         ? "The operator decided it. A write is then done when W nodes keep it, "
                           "stand-ins among them (sloppy quorum, as Dynamo has it): more is "
                           "accepted, and a read may miss it."
                         : "The operator decided it. A stand-in still keeps the write for its "
                           "owner, but W is counted among the N alone (as Cassandra has it).");
        return;
    case STORE_MODE_REPAIR:
        str_add(out, r->operand[2] == REPAIR_BEFORE
                         ? "The operator decided it. A read then answers when W of the N hold what "
                           "it returns, so that no later read returns less."
                     : r->operand[2] == REPAIR_AFTER
                         ? "The operator decided it. The reader does not wait for the repair, so a "
                           "read that comes at once may still return less."
                         : "The operator decided it. Who missed a write stays behind until the "
                           "next write.");
        return;
    case STORE_MODE_VERSIONS:
        str_add(out, r->operand[2] == 0
                         ? "The operator decided it. Each value carries a clock, a count a node: "
                           "it tells what its writer had seen. Two that had not seen each other "
                           "are both kept, and a reader gets both."
                         : "The operator decided it. Of two values whose writers had not seen each "
                           "other one is lost, and nobody is told.");
        return;
    case STORE_MODE_DEFINE:
    default: {
        int64_t n = r->operand[1] / 10000;
        int64_t sum = r->operand[1] / 100 % 100 + r->operand[1] % 100;
        str_addf(out,
                 "The operator decided it. W + R is %" PRId64 ", %s than N, which is %" PRId64
                 ": %s",
                 sum, sum > n ? "more" : "not more", n,
                 sum > n ? "any R nodes and any W nodes have one in common."
                         : "a read may ask nodes that a write has not reached.");
        return;
    }
    }
}

static void why_asked(const struct trace_record *r, struct str *out)
{
    if (r->reason == REASON_QUORUM_ASKED_GET) {
        str_addf(out,
                 "No node leads: any may coordinate, and the client asked N%u. It will ask all "
                 "nodes of the key.",
                 r->to.index + 1u);
        return;
    }
    str_addf(out,
             "No node leads: any may coordinate, and the client asked N%u. The value replaces what "
             "N%u holds of the key and what clients have seen through it, and nothing else.",
             r->to.index + 1u, r->to.index + 1u);
}

static void why_message(const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_QUORUM_WRITE:
        str_addf(out,
                 "N%u is one of the N nodes that the ring names for the key. All of them are "
                 "written to at once; W acknowledgements are waited for.",
                 r->to.index + 1u);
        return;
    case REASON_QUORUM_HERE:
        str_add(out, "The coordinator is one of the N nodes itself: no message is needed.");
        return;
    case REASON_QUORUM_HINT:
        str_addf(out,
                 "N%" PRId64 " did not answer within %s, and N%u is the next on the ring behind "
                 "the N. It keeps the value with a hint for whom it is.",
                 r->operand[1] + 1, num_span(STORE_PATIENCE_US).text, r->to.index + 1u);
        return;
    case REASON_QUORUM_READ:
        str_addf(out, "All N nodes of the key are asked at once; R answers are waited for.");
        return;
    case REASON_QUORUM_HELD:
        str_addf(out, "N%u tells what it holds, newest or not: it cannot know.",
                 r->from.index + 1u);
        return;
    case REASON_QUORUM_REPAIR:
        str_add(out, r->operand[1] != 0
                         ? "Fewer than W nodes are known to hold what was read. It is stored there "
                           "before the client is answered: else the next read could return less."
                         : "The answers differed. Who was behind is told the newest; the client "
                           "was not kept waiting for it.");
        return;
    case REASON_QUORUM_HAND_OVER:
        str_addf(out,
                 "N%u kept it while N%u was out of reach. It looks every %s whether N%u is back.",
                 r->from.index + 1u, r->to.index + 1u, num_span(STORE_HANDOVER_US).text,
                 r->to.index + 1u);
        return;
    default:
        CHECK(false && "no message of a store");
    }
}

static void why_kept(const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_QUORUM_STORED:
        str_add(out, "What was held here, if anything, had been seen by the writer: it is "
                     "replaced.");
        return;
    case REASON_QUORUM_KNOWN:
        str_add(out, "It came before, or a later value that has seen it did: nothing changes, and "
                     "it counts as kept.");
        return;
    case REASON_QUORUM_SIBLING:
        str_add(out, "By their clocks neither value had seen the other, so neither replaces the "
                     "other. Both are kept until somebody reads both and writes.");
        return;
    case REASON_QUORUM_OVERWROTE:
        str_addf(out,
                 "Its writer had not seen %" PRId64 ", but the last one wins here: %" PRId64
                 " is gone, and its writer is not told.",
                 r->operand[2], r->operand[2]);
        return;
    case REASON_QUORUM_OVERRULED:
        str_addf(out,
                 "The last one wins here, and %" PRId64 " is later by its writer's clock. This one "
                 "counts as kept, and is not.",
                 r->operand[2]);
        return;
    case REASON_QUORUM_HINT_KEPT:
        str_addf(out,
                 "It is none of the N nodes of the key. It keeps the value until N%" PRId64
                 " can be reached.",
                 r->operand[1] + 1);
        return;
    case REASON_QUORUM_REPAIRED:
        str_add(out, "It was behind; a read found that out.");
        return;
    default:
        str_add(out, "Its owner takes what was kept for it, as if the write came only now. Then "
                     "the stand-in forgets it.");
        return;
    }
}

static void why_answer(const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_QUORUM_SET_DONE:
        str_addf(out,
                 "W is %u, and %" PRId64 " of %u have it. The others hear of it too, and nobody "
                 "waits for them.",
                 r->rejected, r->operand[1], r->took_us);
        if (r->operand[2] > 0) {
            str_addf(out,
                     " %" PRId64 " of these copies stand with stand-ins: readers who reach the N "
                     "nodes may miss it.",
                     r->operand[2]);
        }
        return;
    case REASON_QUORUM_SET_FAILED:
        str_addf(out,
                 "W is %u, and within %s only %" PRId64 " of %u had it. What was kept is not taken "
                 "back: the write may still show.",
                 r->rejected, num_span(STORE_TIMEOUT_US).text, r->operand[1], r->took_us);
        return;
    case REASON_QUORUM_GET_DONE:
        str_add(out, "R nodes have answered. What one answer has and no other replaces is the "
                     "result.");
        if (r->operand[1] > 1) {
            str_add(out, " Here two values stand side by side: their writers had not seen each "
                         "other, and the reader has to decide.");
        }
        return;
    case REASON_QUORUM_GET_STALE:
        str_add(out, "R nodes have answered, and none of them has a write that was acknowledged "
                     "before this read began. The coordinator cannot know that; the trace does.");
        return;
    default:
        str_addf(out, "R is %u, and within %s only %" PRId64 " of %u had answered.", r->rejected,
                 num_span(STORE_TIMEOUT_US).text, r->operand[2], r->took_us);
        return;
    }
}

static void why_rest(const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_QUORUM_SILENT:
        str_addf(out,
                 "No answer within %s. The store is sloppy: the next node on the ring that has not "
                 "been asked takes the place of N%" PRId64 ".",
                 num_span(STORE_PATIENCE_US).text, r->operand[1] + 1);
        return;
    case REASON_QUORUM_NOBODY:
        str_addf(out,
                 "No answer within %s, and every node of the ring is one of the N or has been "
                 "asked already.",
                 num_span(STORE_PATIENCE_US).text);
        return;
    case REASON_QUORUM_GAVE_UP:
        str_addf(out,
                 "No answer came within %s. The client does not know whether %s; both are "
                 "possible.",
                 num_span(STORE_CLIENT_US).text,
                 r->operand[1] != 0 ? "the write took effect" : "its node is alive");
        return;
    default:
        str_add(out, "Who coordinates keeps the operation in memory. What it had sent goes on: a "
                     "write may still take effect.");
        return;
    }
}

void quorums_why(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        why_command(r, out);
        return;
    }
    switch (r->reason) {
    case REASON_QUORUM_ASKED_SET:
    case REASON_QUORUM_ASKED_GET:
        why_asked(r, out);
        return;
    case REASON_QUORUM_WRITE:
    case REASON_QUORUM_HERE:
    case REASON_QUORUM_HINT:
    case REASON_QUORUM_READ:
    case REASON_QUORUM_HELD:
    case REASON_QUORUM_REPAIR:
    case REASON_QUORUM_HAND_OVER:
        why_message(r, out);
        return;
    case REASON_QUORUM_STORED:
    case REASON_QUORUM_KNOWN:
    case REASON_QUORUM_SIBLING:
    case REASON_QUORUM_OVERWROTE:
    case REASON_QUORUM_OVERRULED:
    case REASON_QUORUM_HINT_KEPT:
    case REASON_QUORUM_REPAIRED:
    case REASON_QUORUM_TAKEN:
        why_kept(r, out);
        return;
    case REASON_QUORUM_SET_DONE:
    case REASON_QUORUM_SET_FAILED:
    case REASON_QUORUM_GET_DONE:
    case REASON_QUORUM_GET_STALE:
    case REASON_QUORUM_GET_FAILED:
        why_answer(r, out);
        return;
    case REASON_QUORUM_SILENT:
    case REASON_QUORUM_NOBODY:
    case REASON_QUORUM_GAVE_UP:
    case REASON_QUORUM_LOST:
        why_rest(r, out);
        return;
    case REASON_QUORUMS_END:
        break;
    }
    CHECK(false && "a store has no such record");
}
