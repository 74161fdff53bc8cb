/*
 * moves_why: why a step of a live move was taken as it was: the rule, what it looked at, and what
 * would have happened otherwise.
 */
#include "base/check.h"
#include "base/num.h"
#include "engine/moves/moves_inside.h"
#include <inttypes.h>

static void why_command(const struct trace_record *r, struct str *out)
{
    switch ((int)r->operand[0]) {
    case COMMAND_MIGRATE:
        str_add(out, "The operator wants this slot elsewhere. It is served where it is until the "
                     "fence; nothing changes for clients before.");
        return;
    case COMMAND_FENCE:
        str_add(out, "The operator decides when the short pause comes. The rest follows by itself: "
                     "the target catches up through the fence, the directory commits.");
        return;
    case COMMAND_CLEANUP:
        str_add(out, "Both slot tables follow the directory, and both sides compared equal, so "
                     "nothing is only in the old copy. Earlier, deleting it could have lost data.");
        return;
    case COMMAND_ABORT:
        str_add(out, "Before the commit the source has everything that was ever accepted, so the "
                     "target can be dropped at any time (rule abort-before-commit).");
        return;
    case COMMAND_ROLLBACK:
        str_add(out, "After the commit the target may have accepted writes that the source never "
                     "saw, so going back is a move like any other, in the other direction.");
        return;
    case COMMAND_DISK:
        str_add(out, "A disk does one thing at a time. What copies take of it is missing for "
                     "requests: each waits longer, and fewer fit into a second.");
        return;
    case COMMAND_APPLIES:
        str_add(out, "A target that follows slowly has a long tail, and a fence waits for the "
                     "whole of it. That is why one waits for a short tail before the fence.");
        return;
    default:
        str_add(out, "Copies read the sources' disks and use their links, beside the traffic. The "
                     "budget keeps them below what is spare; each copy gets an even share.");
        return;
    }
}

static void why_begin(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "A snapshot with a known position, and then the log from the next position on, is all "
             "of the data: nothing twice, nothing missing (rule snapshot-position). S%u goes on "
             "serving. A snapshot without its position could not be continued.",
             r->from.index);
}

static void why_snapshot(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "The rule snapshot-position is off: the copy carries the end of the leader's log as "
             "its position, but was read from a replica %s behind. Entries %" PRId64 " to %" PRId64
             " are neither in the copy nor in the tail. Stamped with its own position it would "
             "have been continued from there.",
             num_span(r->operand[2]).text, r->operand[1] + 1, r->operand[0]);
}

static void why_compare(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "Both sides change all the time, so they are compared at one position: what S%u had "
             "after the entry that S%u has applied last. A difference there means that the copy is "
             "wrong, not that it is late (rule compare-before-fence).",
             r->from.index, r->to.index);
    if (r->operand[1] > 0 || r->operand[2] > 0) {
        str_add(out, " The move may not go on; it can only be dropped.");
    }
}

static void why_fence(const struct trace_record *r, struct str *out)
{
    if (r->value != 0) {
        str_addf(out,
                 "The rule durable-fence is off: S%u answers with \"migrating, retry\" from here, "
                 "but only its memory knows. Its log has no such entry, and a restart forgets it.",
                 r->from.index);
        return;
    }
    str_addf(out,
             "From here until the commit S%u answers every read and every write of slot %u with "
             "\"migrating, retry\" (rules fence, fence-covers-reads). The fence is an entry of the "
             "log, at position %" PRId64 ": nothing comes behind it, and it survives a restart "
             "(rule durable-fence). Serving on would mean entries that the new owner never sees.",
             r->from.index, r->slot, r->operand[2]);
}

static void why_commit(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "S%u has applied everything through the fence (rule drain-to-fence), so the directory "
             "may say that slot %u is its. This is the one instant of the change: before it the "
             "move can be dropped, after it only rolled back. Epoch %u tells it from every older "
             "map.",
             r->target, r->slot, r->epoch);
}

static void why_own(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "The directory has committed, so S%u may serve (rule target-waits-for-commit). "
             "Earlier, its copy could have been behind.",
             r->from.index);
}

static void why_close(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "The news of the commit has reached S%u. The row stays for ever: however old a "
             "router's map is, it is sent on from here and not served (rule slot-table-check).",
             r->from.index);
}

static void why_abort(const struct trace_record *r, struct str *out)
{
    if (r->operand[0] == MOVE_COMMITTED) {
        str_add(out, "The rule abort-before-commit is off: the directory takes the slot back, and "
                     "what the target accepted since the commit is dropped with its copy.");
        return;
    }
    str_addf(out,
             "Nothing was committed: S%u has every write that was ever accepted for slot %u, and "
             "serves it. The target's copy is dropped, and what is still on its way is ignored.",
             r->from.index, r->slot);
    if ((int)r->reason == MOVES_ABORT_TAIL) {
        str_addf(out,
                 " The tail has room for %" PRId64 " entries; an entry that is not kept would be "
                 "missing for ever, so the move begins again later, or the writes are made fewer "
                 "first.",
                 r->operand[1]);
    } else if ((int)r->reason == MOVES_ABORT_MAP) {
        str_add(out, " Routers that have not heard of the last changes for long keep the directory "
                     "from forgetting them; let them reload.");
    }
}

/* The reasons that one sentence explains, whatever their operands. */
static const char *const sentences[MOVES_REASONS - MOVES_BEGIN] = {
    [MOVES_RECEIVE - MOVES_BEGIN] =
        "A copy that is still catching up must not answer anybody: a shard with this row sends "
        "routers to the directory (rule target-waits-for-commit).",
    [MOVES_SPEED - MOVES_BEGIN] =
        "All copies under way share the budget evenly; one more or one less changes the share of "
        "the others.",
    [MOVES_COPIED - MOVES_BEGIN] =
        "What was written while the bytes flowed was applied on top of them, in the log's order. "
        "The longer the copy takes and the more is written, the longer this list: make the writes "
        "fewer first, move second.",
    [MOVES_NO_FENCE - MOVES_BEGIN] =
        "The rule fence is off: the source goes on accepting while the directory commits. What it "
        "accepts from now on, and what is still on the way, the new owner never sees.",
    [MOVES_APPLY - MOVES_BEGIN] =
        "The target applies the source's log entry by entry, each as the value that the key had "
        "after it. Everything before the fence has to come first (rule drain-to-fence).",
    [MOVES_APPLY_FENCE - MOVES_BEGIN] =
        "The fence is the last entry of the slot in the source's log. The target has applied it, "
        "so "
        "it has applied all of them, and the directory may commit (rule drain-to-fence).",
    [MOVES_LEFT_BEHIND - MOVES_BEGIN] =
        "A rule is off that should have held the commit back until the target had applied these "
        "entries (fence, drain-to-fence). They were acknowledged, and the new owner lacks them.",
    [MOVES_STREAM - MOVES_BEGIN] =
        "A stream in the other direction keeps the old copy as new as the new one, so that a way "
        "back needs no second copy. It runs until the cleanup.",
    [MOVES_STREAM_ENDS - MOVES_BEGIN] =
        "An entry that is not kept would be missing in the old copy for ever, so it is no longer a "
        "way back; a roll-back copies again.",
    [MOVES_CLEANUP - MOVES_BEGIN] =
        "Only the data goes. The row stays, since a router with an old map may come at any time.",
    [MOVES_SERVE_AGAIN - MOVES_BEGIN] =
        "The source has every write that was ever accepted, so it may serve again, at the epoch "
        "that it had: the directory never said anything else.",
    [MOVES_DROPPED - MOVES_BEGIN] =
        "Nobody was ever told to come here for this slot, so its copy can go without a trace.",
    [MOVES_BACK - MOVES_BEGIN] =
        "The rule abort-before-commit is off. Taking back a commit is no abort: the new owner has "
        "accepted writes since, and they go.",
    [MOVES_ROLLBACK - MOVES_BEGIN] = "After a commit there is no way back but a move in the other "
                                     "direction: the owner now is the "
                                     "only one that surely has every write.",
    [MOVES_HALT - MOVES_BEGIN] =
        "A copy needs both shards. The log is durable and waits; nothing is lost by waiting.",
    [MOVES_RESUME - MOVES_BEGIN] =
        "The source's log says where the move was, so a source goes on from there. A half copy at "
        "the target is not worth keeping: it begins again.",
    [MOVES_FORGOTTEN - MOVES_BEGIN] =
        "The rule durable-fence is off: the restart read the log, found no fence in it, and the "
        "shard serves again although the move goes on.",
};

void moves_why(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        why_command(r, out);
        return;
    }
    switch ((int)r->reason) {
    case MOVES_BEGIN:
        why_begin(r, out);
        return;
    case MOVES_SNAPSHOT:
        why_snapshot(r, out);
        return;
    case MOVES_COMPARE:
        why_compare(r, out);
        return;
    case MOVES_FENCE:
        why_fence(r, out);
        return;
    case MOVES_COMMIT:
        why_commit(r, out);
        return;
    case MOVES_OWN:
        why_own(r, out);
        return;
    case MOVES_CLOSE:
        why_close(r, out);
        return;
    case MOVES_ABORT:
    case MOVES_ABORT_TAIL:
    case MOVES_ABORT_MAP:
        why_abort(r, out);
        return;
    default:
        break;
    }
    const char *sentence = sentences[(int)r->reason - MOVES_BEGIN];
    CHECK(sentence != NULL);
    str_add(out, sentence);
}
