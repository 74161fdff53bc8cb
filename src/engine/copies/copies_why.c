/*
 * copies_why: why replicas, leaders and clients did what they did.
 */
#include "base/num.h"
#include "engine/copies/copies_inside.h"
#include <inttypes.h>

static const char *name_of(const struct world *w, const struct trace_record *r)
{
    return groups_in(w)[r->slot].name;
}

/* --- commands --------------------------------------------------------------------------------- */

static void why_group(const struct trace_record *r, struct str *out)
{
    static const char *const acks[] = {
        [ACKS_MAJORITY] = "A write counts when a majority of the replicas has it: any later leader "
                          "needs the votes of a majority too, and two majorities share a replica.",
        [ACKS_ONE] = "A write counts when its leader alone has it. That is fast, and it is gone if "
                     "the leader dies before the others have it.",
        [ACKS_ALL] = "A write counts when every replica has it. One that is down or cut off stops "
                     "all writes.",
    };
    str_addf(out, "You did this. %s", acks[r->operand[2]]);
}

static void why_command(const struct trace_record *r, struct str *out)
{
    switch (r->operand[0]) {
    case COMMAND_GROUP:
        why_group(r, out);
        return;
    case COMMAND_APPEND:
        str_add(out, "You let clients write. They ask whom they take for the leader; who does not "
                     "lead says who does.");
        return;
    case COMMAND_LOOK:
        str_add(out, r->operand[1] != 0
                         ? "You let a client read. It takes what the replica has that it asks, new "
                           "or old."
                         : "You let a client read. Only the leader knows what was acknowledged "
                           "last.");
        return;
    case COMMAND_STAND:
        str_add(out, "You told a replica to stand. It needs the votes of a majority like any other "
                     "candidate.");
        return;
    default:
        str_add(out, r->operand[1] == RECOPY_MODE_OFF
                         ? "You stopped it. A replica that is lost stays lost, and one more death "
                           "may leave a shard without a majority."
                         : "You did this. A replica that is lost is copied from the leader of its "
                           "shard, over the links of both nodes.");
    }
}

/* --- clients ---------------------------------------------------------------------------------- */

static void why_ok(const struct trace_record *r, struct str *out)
{
    switch ((enum group_acks)r->operand[2]) {
    case ACKS_MAJORITY:
        str_addf(out,
                 "%" PRId64 " replicas have entry %" PRId64 ", a majority. Whoever leads next is "
                 "elected by a majority, so one of its voters has the entry, and votes only for a "
                 "log that has it too (rule ack-needs-majority).",
                 r->operand[1], r->operand[0]);
        return;
    case ACKS_ONE:
        str_addf(out,
                 "The leader has entry %" PRId64 ", and that is enough here. Of the replicas, so "
                 "many have it: %" PRId64 ".",
                 r->operand[0], r->operand[1]);
        return;
    case ACKS_ALL:
        str_addf(out, "All replicas have entry %" PRId64 ".", r->operand[0]);
        return;
    }
    CHECK(false && "no such promise");
}

static void why_answer(const struct trace_record *r, struct str *out)
{
    if (r->operand[2] == 0) {
        str_add(out, "It leads, and since the read came a majority has answered it: nobody else "
                     "can have been elected meanwhile. All that it held when its term began is "
                     "committed, so what it says cannot vanish.");
    } else {
        str_add(out, "The client wanted no more than what this replica knows to be committed. It "
                     "asks nobody.");
    }
    if (r->operand[0] < r->operand[1]) {
        str_addf(out,
                 " Entry %" PRId64 " had been acknowledged when the client asked: the answer "
                 "is stale.",
                 r->operand[1]);
    }
}

static void why_client(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_COPY_ASKS:
    case REASON_COPY_LOOKS:
        str_addf(out, "The client takes ");
        node_say(r->to, out);
        str_addf(out, " for the leader of %s, or was told to ask there.", name_of(w, r));
        return;
    case REASON_COPY_ELSEWHERE:
        str_add(out, "Only the leader takes writes, and only it can say what was acknowledged "
                     "last.");
        if (r->operand[0] == 0) {
            str_add(out, " No leader has been heard of in this term: the client asks again.");
        }
        return;
    case REASON_COPY_FULL:
        str_addf(out,
                 "%d entries of clients wait already for a majority, which the leader does not "
                 "reach. It has no room for more.",
                 GROUP_WAIT);
        return;
    case REASON_COPY_OK:
        why_ok(r, out);
        return;
    case REASON_COPY_GIVES_UP:
        str_addf(out,
                 "A client waits %s. It does not know what became of its %s: that may have been "
                 "done, or be done yet.",
                 num_span(COPIES_CLIENT_US).text, r->operand[1] != 0 ? "read" : "write");
        return;
    case REASON_COPY_ANSWERS:
        why_answer(r, out);
        return;
    default:
        CHECK(false && "no record of a client");
    }
}

/* --- logs ------------------------------------------------------------------------------------- */

static void why_log(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_COPY_TAKES:
        str_addf(out,
                 "It leads %s in term %u, so it takes the write. The client is told OK when so "
                 "many replicas have the entry: %" PRId64 ".",
                 name_of(w, r), r->epoch, r->operand[1]);
        return;
    case REASON_COPY_EMPTY:
        str_addf(out,
                 "A leader cannot tell which of the entries that it found are at a majority for "
                 "good; only an entry of its own term decides that. So it begins with one that "
                 "holds nothing: when %" PRId64 " replicas have it, it and all before it are "
                 "committed, and reads are answered.",
                 r->operand[1]);
        return;
    case REASON_COPY_SENDS:
        str_addf(out,
                 "A leader sends each replica what it lacks, and with it how far the log is "
                 "committed: up to entry %" PRId64 ".",
                 r->operand[2]);
        return;
    case REASON_COPY_STORES:
        str_addf(out,
                 "What was sent fits to its log, and it wrote it down before it answers. All up to "
                 "entry %" PRId64 " is as the leader has it.",
                 r->operand[0]);
        return;
    case REASON_COPY_THROWS:
        str_addf(out,
                 "Its log differed from that of the leader of term %u. What differs was never at a "
                 "majority, or the leader would have it; so no client was told OK, and it goes.",
                 r->epoch);
        return;
    case REASON_COPY_GAP:
        str_addf(out,
                 "The leader's entries follow entry %" PRId64 ", which is not in this log as the "
                 "leader has it. The leader goes back to where both agree.",
                 r->operand[1]);
        return;
    case REASON_COPY_REFUSES:
        str_addf(out,
                 "Whoever leads an older term has been replaced, and may not know it. A replica "
                 "in term %" PRId64 " takes nothing from it (rule refuse-old-term).",
                 r->operand[0]);
        return;
    case REASON_COPY_COMMITS:
        str_addf(out,
                 "A majority has entry %" PRId64 ", and it is of the leader's own term: it and all "
                 "before it are committed, and no later leader can lack them.",
                 r->operand[0]);
        return;
    default:
        CHECK(false && "no record of a log");
    }
}

/* --- elections -------------------------------------------------------------------------------- */

static void why_no_vote(const struct trace_record *r, struct str *out)
{
    switch ((enum copy_no)r->operand[0]) {
    case COPY_NO_OLD_TERM:
        str_addf(out, "It is in term %u already: a candidate of an older term comes too late.",
                 r->epoch);
        return;
    case COPY_NO_OTHER_VOTE:
        str_addf(out, "A replica votes once a term, and it has voted in term %u.", r->epoch);
        return;
    case COPY_NO_SHORT_LOG:
        str_addf(out,
                 "Its log goes to entry %" PRId64 " of term %" PRId64 ", farther than the "
                 "candidate's. What it holds may have been acknowledged, and a leader without it "
                 "would lose it (rule vote-for-longer-log).",
                 r->operand[2], r->operand[1]);
        return;
    }
    CHECK(false && "no such answer");
}

static void why_stands(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->operand[0] == 0) {
        str_add(out, "It was told to. ");
    } else {
        str_addf(out,
                 "For %s it heard no leader of %s, which was the end of its patience. Each replica "
                 "draws its own, so that they seldom stand at the same time. ",
                 num_span(r->operand[0]).text, name_of(w, r));
    }
    str_addf(out, "It counts up the term, to %u, votes for itself and asks the others.", r->epoch);
}

static void why_election(const struct world *w, const struct trace_record *r, struct str *out)
{
    bool once = world_rule(w, RULE_VOTES_COUNT_ONCE);
    switch (r->reason) {
    case REASON_COPY_STANDS:
        why_stands(w, r, out);
        return;
    case REASON_COPY_VOTE_ASKED:
        str_add(out, "A candidate says how far its log goes: the others compare it with theirs.");
        return;
    case REASON_COPY_VOTES:
        str_addf(out,
                 "It has given no other vote in term %u, and the candidate's log is as far as its "
                 "own or farther. Term and vote are on its disk before it answers: it gives no "
                 "second one after a restart (rule durable-vote).",
                 r->epoch);
        return;
    case REASON_COPY_NO_VOTE:
        why_no_vote(r, out);
        return;
    case REASON_COPY_COUNTED:
        str_add(out, once ? "The network brought it twice, or it was asked for twice. A vote is "
                            "counted once (rule votes-count-once)."
                          : "The rule votes-count-once is off: the same vote is counted again.");
        return;
    case REASON_COPY_LEADS:
        str_addf(out,
                 "%" PRId64 " of %" PRId64 " replicas voted for it. Each votes once a term, so "
                 "nobody else can have a majority in term %u.",
                 r->operand[0], r->operand[1], r->epoch);
        return;
    case REASON_COPY_STEPS_DOWN:
        str_addf(out,
                 "It heard of term %" PRId64 ". Who stands for a term, or leads it, does so until "
                 "it hears of a later one, or of a leader.",
                 r->operand[0]);
        return;
    case REASON_COPY_BACK:
        str_add(out, "Its log, its term and its vote were on its disk. What it knew of a leader, "
                     "and how far the log is committed, it hears anew.");
        return;
    case REASON_COPY_LOST:
        str_add(out, "Clients were told OK for them, and the leader's log has them not. They were "
                     "acknowledged before a majority had them.");
        return;
    default:
        CHECK(false && "no record of an election");
    }
}

/* --- copies made anew ------------------------------------------------------------------------- */

static void why_begins(const struct trace_record *r, struct str *out)
{
    if (r->operand[2] != 0) {
        str_addf(out,
                 "The replica was away for longer than its leader's log is long, which goes back "
                 "%d entries. It needs all of the data. ",
                 GROUP_LOG);
    }
    str_add(out, "The data goes over the links of both nodes, which share what they carry among "
                 "all copies; messages wait behind it.");
}

static void why_again(const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_COPY_PLANNED:
        str_addf(out,
                 r->operand[2] != 0
                     ? "You chose the node. "
                     : "N%" PRId64 " has none of this shard, and of the nodes that can take it "
                       "it has the fewest replicas; a zone without a replica goes first. ",
                 r->operand[0] + 1);
        str_add(out, "The shard works on as long as a majority is left.");
        return;
    case REASON_COPY_NO_PLACE:
        str_add(out, "Every node that is up has a replica of it already, and two on one node die "
                     "together.");
        return;
    case REASON_COPY_BEGINS:
        why_begins(r, out);
        return;
    case REASON_COPY_WAITS:
        str_add(out, "It is tried again every tenth of a second; what was copied stays.");
        return;
    case REASON_COPY_COUNTS:
        str_add(out, "It has all that the leader has. From now on it votes, and its word counts "
                     "for a majority.");
        return;
    case REASON_COPY_DROPPED:
        str_add(out, "What was copied so far is of no use there.");
        return;
    default:
        CHECK(false && "no record of a copy");
    }
}

void copies_why(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_COMMAND) {
        why_command(r, out);
        return;
    }
    switch (r->reason) {
    case REASON_COPY_ASKS:
    case REASON_COPY_LOOKS:
    case REASON_COPY_ELSEWHERE:
    case REASON_COPY_FULL:
    case REASON_COPY_OK:
    case REASON_COPY_GIVES_UP:
    case REASON_COPY_ANSWERS:
        why_client(w, r, out);
        return;
    case REASON_COPY_TAKES:
    case REASON_COPY_EMPTY:
    case REASON_COPY_SENDS:
    case REASON_COPY_STORES:
    case REASON_COPY_THROWS:
    case REASON_COPY_GAP:
    case REASON_COPY_REFUSES:
    case REASON_COPY_COMMITS:
        why_log(w, r, out);
        return;
    case REASON_COPY_PLANNED:
    case REASON_COPY_NO_PLACE:
    case REASON_COPY_BEGINS:
    case REASON_COPY_WAITS:
    case REASON_COPY_COUNTS:
    case REASON_COPY_DROPPED:
        why_again(r, out);
        return;
    default:
        why_election(w, r, out);
    }
}
