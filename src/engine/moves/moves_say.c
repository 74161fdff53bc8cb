/*
 * moves_say: the records of a live move as prose: what happens in each step, and by which rule.
 */
#include "base/check.h"
#include "base/num.h"
#include "engine/moves/moves_inside.h"
#include "engine/words/command_words.h"
#include "engine/words/say.h"
#include <inttypes.h>

static const char *plural(int64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

static void say_count(int64_t count, const char *one, const char *many, struct str *out)
{
    str_addf(out, "%s %s", num_grouped(count).text, plural(count, one, many));
}

static void say_key(const struct world *w, uint32_t key, struct str *out)
{
    struct bytes text = world_key(w, key);
    say_key_text(text.at, (uint8_t)text.length, out);
}

static void say_disk(const struct trace_record *r, struct str *out)
{
    if (r->operand[1] == 0) {
        str_add(out, "copies cost your requests nothing from now on");
    } else {
        str_addf(out, "your disk does %s bytes a second from now on, for copies and requests",
                 num_grouped(r->operand[1]).text);
    }
}

static void say_applies(const struct trace_record *r, struct str *out)
{
    if (r->operand[1] == 0) {
        str_add(out, "apply the entries of a tail as they come");
    } else {
        str_addf(out, "apply %s entries of a tail a second at most",
                 num_grouped(r->operand[1]).text);
    }
}

static void say_command(const struct trace_record *r, struct str *out)
{
    switch ((int)r->operand[0]) {
    case COMMAND_MIGRATE:
        str_addf(out, "shall take over slot %u while it is being used: %s bytes", r->slot,
                 num_grouped(r->operand[1]).text);
        str_add(out, r->value != 0 ? ", with a stream back after the commit" : "");
        return;
    case COMMAND_FENCE:
        str_addf(out, "slot %u: stop serving it, so that it can change hands", r->slot);
        return;
    case COMMAND_CLEANUP:
        str_addf(out, "slot %u: delete the old copy", r->slot);
        return;
    case COMMAND_ABORT:
        str_addf(out, "slot %u: drop the move", r->slot);
        return;
    case COMMAND_ROLLBACK:
        str_addf(out, "slot %u: shall come back", r->slot);
        return;
    case COMMAND_DISK:
        say_disk(r, out);
        return;
    case COMMAND_APPLIES:
        say_applies(r, out);
        return;
    default:
        break;
    }
    if (r->operand[1] == 0) {
        str_add(out, "copies have no common budget from now on");
    } else {
        str_addf(out, "all copies together may take %s bytes a second from now on",
                 num_grouped(r->operand[1]).text);
    }
}

static void say_begin(const struct trace_record *r, struct str *out)
{
    str_addf(out,
             "slot %u, as it stood at log position %" PRId64 ": %s bytes at %s a second; what is "
             "written from position %" PRId64 " on follows",
             r->slot, r->operand[2], num_grouped(r->operand[0]).text,
             num_grouped(r->operand[1]).text, r->operand[2] + 1);
}

static void say_compare(const struct trace_record *r, struct str *out)
{
    str_addf(out, "slot %u compared at entry %" PRId64 ": ", r->slot, r->operand[0]);
    if (r->operand[2] > 0) {
        str_add(out, "NOT the same, the copy lacks ");
        say_count(r->operand[2], "entry", "entries", out);
        str_add(out, " that it claims; ");
        say_count(r->operand[1], "key differs", "keys differ", out);
        str_add(out, " now");
    } else if (r->operand[1] > 0) {
        str_add(out, "NOT the same, ");
        say_count(r->operand[1], "key differs", "keys differ", out);
    } else {
        str_add(out, "both sides are the same");
    }
}

static void say_abort(const struct trace_record *r, struct str *out)
{
    str_addf(out, "the move of slot %u is dropped (it was %s)", r->slot,
             move_phase_name((enum move_phase)r->operand[0]));
    if ((int)r->reason == MOVES_ABORT_TAIL) {
        str_addf(out,
                 ": more than %" PRId64 " entries wait, and the log no longer reaches back that "
                 "far",
                 r->operand[1]);
    } else if ((int)r->reason == MOVES_ABORT_MAP) {
        str_addf(out, ": the directory remembers %" PRId64 " changes and has no room for one more",
                 r->operand[1]);
    }
}

/* The steps up to the fence. */
static bool say_copying(const struct trace_record *r, struct str *out)
{
    switch ((int)r->reason) {
    case MOVES_BEGIN:
        say_begin(r, out);
        return true;
    case MOVES_RECEIVE:
        str_addf(out, "slot table: slot %u receiving from S%" PRId64 ", not in service", r->slot,
                 r->operand[2]);
        return true;
    case MOVES_SNAPSHOT:
        str_addf(out,
                 "the snapshot of slot %u says that it holds everything through entry %" PRId64
                 "; it was read from a replica that had got to entry %" PRId64,
                 r->slot, r->operand[0], r->operand[1]);
        return true;
    case MOVES_SPEED:
        str_addf(out, "the copy of slot %u goes on at %s bytes a second (", r->slot,
                 num_grouped(r->operand[0]).text);
        say_count(r->operand[1], "copy", "copies", out);
        str_add(out, " under way)");
        return true;
    case MOVES_COPIED:
        str_addf(out, "slot %u: all %s bytes are there after %s, and ", r->slot,
                 num_grouped(r->operand[0]).text, num_span(r->operand[1]).text);
        say_count(r->operand[2], "entry", "entries", out);
        str_add(out, " written meanwhile; from now on the tail follows one by one");
        return true;
    case MOVES_COMPARE:
        say_compare(r, out);
        return true;
    case MOVES_HALT:
        str_addf(out, "the move of slot %u stands still: S%" PRId64 " is down", r->slot,
                 r->operand[0]);
        return true;
    case MOVES_RESUME:
        str_addf(out, "the move of slot %u goes on: S%" PRId64 " is back%s", r->slot, r->operand[0],
                 r->operand[1] != 0 ? ", and its copy begins again" : "");
        return true;
    default:
        return false;
    }
}

/* The fence and the commit. */
static bool say_flip(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch ((int)r->reason) {
    case MOVES_FENCE:
        str_addf(out, "%s: slot %u migrating, epoch %u; nobody serves it until epoch %u comes",
                 r->value != 0 ? "in memory only" : "log", r->slot, r->epoch, r->epoch + 1);
        return true;
    case MOVES_NO_FENCE:
        str_addf(out, "slot %u goes to the directory without a fence, ", r->slot);
        say_count(r->operand[0], "entry", "entries", out);
        str_addf(out, " on the way and S%u still serving", r->from.index);
        return true;
    case MOVES_APPLY:
        str_addf(out, "entry %" PRId64 " of %" PRId64 " applied: ", r->operand[0], r->operand[1]);
        say_key(w, r->key, out);
        str_addf(out, " is %" PRIu64, r->value);
        return true;
    case MOVES_APPLY_FENCE:
        str_addf(out, "the fence of slot %u (entry %" PRId64 ") applied, %s after it was set",
                 r->slot, r->operand[0], num_span(r->operand[1]).text);
        return true;
    case MOVES_COMMIT:
        str_addf(out, "commit: map version %u, slot %u from S%" PRId64 " to S%u, epoch %u",
                 r->version, r->slot, r->operand[2], r->target, r->epoch);
        return true;
    case MOVES_LEFT_BEHIND:
        say_count(r->operand[0], "entry", "entries", out);
        str_addf(out, " of slot %u never reached S%u", r->slot, r->target);
        return true;
    case MOVES_OWN:
        str_addf(out, "slot table: slot %u owned, epoch %u", r->slot, r->epoch);
        return true;
    case MOVES_CLOSE:
        str_addf(out, "slot table: slot %u moved to S%" PRId64 ", epoch %u, for ever", r->slot,
                 r->operand[2], r->epoch);
        return true;
    default:
        return false;
    }
}

/* What comes after, and the ways back. */
static void say_after(const struct trace_record *r, struct str *out)
{
    switch ((int)r->reason) {
    case MOVES_STREAM:
        str_addf(out, "slot %u: what S%u accepts from now on goes back to S%u's copy", r->slot,
                 r->target, r->from.index);
        return;
    case MOVES_STREAM_ENDS:
        str_addf(out,
                 "slot %u: the stream back ends, more than %" PRId64 " entries wait; a way back "
                 "needs a copy",
                 r->slot, r->operand[0]);
        return;
    case MOVES_CLEANUP:
        str_addf(out, "slot %u: ", r->slot);
        say_count(r->operand[0], "key", "keys", out);
        str_addf(out, " of the old copy deleted; the row \"moved to S%u\" stays", r->target);
        return;
    case MOVES_SERVE_AGAIN:
        str_addf(out, "slot table: slot %u owned again, epoch %u", r->slot, r->epoch);
        return;
    case MOVES_DROPPED:
        str_addf(out, "slot table: slot %u is no longer received, its copy is dropped", r->slot);
        return;
    case MOVES_BACK:
        str_addf(out,
                 "map version %u: slot %u back to S%u, epoch %u, without what was written since",
                 r->version, r->slot, r->target, r->epoch);
        return;
    case MOVES_ROLLBACK:
        str_addf(out, "slot %u goes back from S%u to S%u%s", r->slot, r->to.index, r->from.index,
                 r->operand[0] != 0 ? "; the stream back has kept the old copy new, no copy needed"
                                    : ", by a move like the first");
        return;
    case MOVES_FORGOTTEN:
        str_addf(out,
                 "slot table: slot %u owned, epoch %u; the fence was only in memory and is lost",
                 r->slot, r->epoch);
        return;
    default:
        say_abort(r, out);
        return;
    }
}

void moves_say(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_COMMAND) {
        say_command(r, out);
    } else if (!say_copying(r, out) && !say_flip(w, r, out)) {
        say_after(r, out);
    }
}

void moves_label(const struct world *w, const struct trace_record *r, struct str *out)
{
    static const char *const labels[MOVES_REASONS - MOVES_BEGIN] = {
        [MOVES_BEGIN - MOVES_BEGIN] = "copy",
        [MOVES_RECEIVE - MOVES_BEGIN] = "receiving",
        [MOVES_SNAPSHOT - MOVES_BEGIN] = "snapshot",
        [MOVES_SPEED - MOVES_BEGIN] = "speed",
        [MOVES_COPIED - MOVES_BEGIN] = "copied",
        [MOVES_COMPARE - MOVES_BEGIN] = "compare",
        [MOVES_FENCE - MOVES_BEGIN] = "fence",
        [MOVES_NO_FENCE - MOVES_BEGIN] = "no fence",
        [MOVES_APPLY - MOVES_BEGIN] = "apply",
        [MOVES_APPLY_FENCE - MOVES_BEGIN] = "apply fence",
        [MOVES_COMMIT - MOVES_BEGIN] = "commit",
        [MOVES_LEFT_BEHIND - MOVES_BEGIN] = "left behind",
        [MOVES_OWN - MOVES_BEGIN] = "owned",
        [MOVES_CLOSE - MOVES_BEGIN] = "moved",
        [MOVES_STREAM - MOVES_BEGIN] = "stream back",
        [MOVES_STREAM_ENDS - MOVES_BEGIN] = "stream ends",
        [MOVES_CLEANUP - MOVES_BEGIN] = "cleanup",
        [MOVES_ABORT - MOVES_BEGIN] = "abort",
        [MOVES_ABORT_TAIL - MOVES_BEGIN] = "abort",
        [MOVES_ABORT_MAP - MOVES_BEGIN] = "abort",
        [MOVES_SERVE_AGAIN - MOVES_BEGIN] = "owned again",
        [MOVES_DROPPED - MOVES_BEGIN] = "dropped",
        [MOVES_BACK - MOVES_BEGIN] = "back",
        [MOVES_ROLLBACK - MOVES_BEGIN] = "roll back",
        [MOVES_HALT - MOVES_BEGIN] = "stands still",
        [MOVES_RESUME - MOVES_BEGIN] = "goes on",
        [MOVES_FORGOTTEN - MOVES_BEGIN] = "fence lost",
    };
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        str_add(out, command_form_of_moves((enum command_kind)r->operand[0])->name);
        return;
    }
    const char *label = labels[(int)r->reason - MOVES_BEGIN];
    CHECK(label != NULL);
    str_add(out, label);
    if ((int)r->reason == MOVES_COMMIT || (int)r->reason == MOVES_BACK) {
        str_addf(out, " v%u: S%u e%u", r->version, r->target, r->epoch);
    } else if (r->kind == TRACE_TABLE && (int)r->reason != MOVES_RECEIVE &&
               (int)r->reason != MOVES_DROPPED) {
        str_addf(out, " e%u", r->epoch);
    }
}
