/*
 * shifts_why: moves key by key and dual writes: which rule decided, and what it decided against.
 */
#include "base/num.h"
#include "engine/shifts/shifts_inside.h"
#include "engine/words/say.h"
#include <inttypes.h>

static void why_command(const struct trace_record *r, struct str *out)
{
    if (r->operand[0] == COMMAND_SHIFT && r->operand[1] == SHIFT_MODE_FINISH) {
        str_addf(out,
                 "The operator asked S%u to claim the slot. It may, when the old shard holds "
                 "no key of it (rule close-when-empty).",
                 r->to.index);
    } else if (r->operand[0] == COMMAND_SWITCH && r->operand[1] == SWITCH_MODE_BACK) {
        str_add(out, "The operator asked for it. Edits went to both shards after the switch too, "
                     "so the old one may answer again when both hold the same (rule "
                     "compare-before-switch).");
    } else if (r->operand[0] == COMMAND_SWITCH && r->operand[1] == SWITCH_MODE_READS) {
        str_add(out, "The operator asked for it. It may happen when the backfill has gone over all "
                     "keys and both shards hold the same (rule compare-before-switch).");
    } else {
        str_add(out, "The operator decided it; no rule of the cluster did.");
    }
}

static void why_key_by_key(const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_SHIFT_HANDED:
        str_addf(out,
                 "A key is at exactly one side at any time (rule atomic-key-move): S%u hands "
                 "it over in one step, so no write can fall between. Who asks S%u for it now "
                 "is told ASK.",
                 r->from.index, r->from.index);
        return;
    case REASON_SHIFT_COPIED:
        str_addf(out,
                 "The rule atomic-key-move is off: the key is copied first and deleted later. "
                 "For a while it is at both sides, and S%u still serves it.",
                 r->from.index);
        return;
    case REASON_SHIFT_DROPPED:
        str_addf(out,
                 "The rule atomic-key-move is off: what S%u was told between copy and delete "
                 "is thrown away now. It held %" PRId64 ", the copy holds %" PRId64 ".",
                 r->from.index, r->operand[0], r->operand[1]);
        return;
    case REASON_SHIFT_HANDING:
        str_addf(out,
                 "A key goes over in one piece, however large. For %s nobody serves this key: "
                 "a request for it is told TRYAGAIN. The other keys of the slot are served.",
                 num_span(r->operand[1]).text);
        return;
    case REASON_SHIFT_TOO_LARGE:
        str_addf(out,
                 "A key goes over in one piece, and one above %s bytes would hold both shards "
                 "up for too long. It stays, so the slot cannot be closed: the key must be cut "
                 "up, or the slot moved whole.",
                 num_grouped(r->operand[1]).text);
        return;
    case REASON_SHIFT_EMPTY:
        str_addf(out, "S%u was looked through key by key. %s", r->from.index,
                 r->operand[0] == 0 ? "It holds none of the slot, so the slot may be finished."
                                    : "While it holds a key, the slot must stay open (rule "
                                      "close-when-empty).");
        return;
    case REASON_SHIFT_CLAIMED:
        str_addf(out,
                 "S%u writes into its own slot table that the slot is its own, at epoch "
                 "%" PRId64 ", and then tells the directory. Should it die in between, the "
                 "claim is still there when it is back. %s",
                 r->from.index, r->operand[0],
                 r->operand[1] == 0 ? "The old shard holds no key any more (rule close-when-empty)."
                                    : "The rule close-when-empty is off: keys were left behind.");
        return;
    case REASON_SHIFT_HELD_UP:
        str_addf(out,
                 "The next step needs S%u, which is down. What is done stays done, so the slot "
                 "only waits.",
                 r->from.index);
        return;
    case REASON_SHIFT_MISLED:
        str_addf(out,
                 "The rule ask-keeps-map is off. ASK was about one key; R%u takes it for news "
                 "about the whole slot, although map version %" PRId64 " says otherwise and "
                 "the slot has not changed hands.",
                 r->from.index, r->operand[1]);
        return;
    case REASON_SHIFT_BELIEVES:
        str_addf(out,
                 "R%u was told ASK for a key of this slot and believed that all of it is at S%u. "
                 "It asks there without ASKING, which only the owner of a slot serves.",
                 r->from.index, r->to.index);
        return;
    default:
        CHECK(false && "no record of a slot that goes key by key");
    }
}

static void why_store(const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_DUAL_TAKEN:
    case REASON_DUAL_FILLED:
        str_addf(out,
                 "v%" PRId64 " is newer than v%" PRId64 ", so it is stored (rule newer-only). "
                 "Versions come from one counter of the slot, never from clocks, which "
                 "disagree.",
                 r->operand[0], r->operand[1]);
        return;
    case REASON_DUAL_KEPT:
    case REASON_DUAL_NOT_FILLED:
        str_addf(out,
                 "S%u holds v%" PRId64 ". What comes later is not always newer: v%" PRId64
                 " is not, and storing it would take an edit back (rule newer-only).",
                 r->from.index, r->operand[1], r->operand[0]);
        return;
    case REASON_DUAL_OVERWRITTEN:
    case REASON_DUAL_FILL_BACK:
        str_addf(out,
                 "The rule newer-only is off: the last to come wins. v%" PRId64 " came later "
                 "than v%" PRId64 " and is older, so S%u has lost an edit.",
                 r->operand[0], r->operand[1], r->from.index);
        return;
    case REASON_DUAL_READ:
        str_addf(out,
                 "The backfill copies what was there before double writing began. It reads at "
                 "S%u now and writes at S%u later; an edit may come in between.",
                 r->from.index, r->to.index);
        return;
    default:
        CHECK(false && "no record of a store");
    }
}

static void why_dual(const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_DUAL_SECOND:
        str_addf(out,
                 "Slot %u is written twice: this edit, v%" PRIu64 ", goes to S%u too. R%u says "
                 "ASKING, since S%u does not own the slot and would not serve it otherwise.",
                 r->slot, r->value, r->to.index, r->from.index, r->to.index);
        return;
    case REASON_DUAL_PASSED:
        str_addf(out, "The backfill has read and written each key once. %s",
                 r->operand[1] == 0 ? "Both shards hold the same, so reads may switch."
                                    : "What differs is on its way, or was overtaken.");
        return;
    case REASON_DUAL_FAILED:
        str_addf(out,
                 "One of two writes failed, and nothing undoes the other. The first shard has "
                 "it and reads come from there, so the client is told OK; S%u gets it when "
                 "the backfill goes over the keys once more.",
                 r->to.index);
        return;
    case REASON_DUAL_BOTH:
        str_add(out, "The client is told OK when both shards have answered.");
        return;
    case REASON_DUAL_ONE:
        str_add(out, "The shard that reads come from has it; the second write failed and will be "
                     "repaired.");
        return;
    case REASON_DUAL_FIRST_FAILED:
        str_add(out, "The shard that reads come from did not store it, or its answer is lost, so "
                     "OK would be untrue. The backfill makes both shards the same again.");
        return;
    case REASON_DUAL_WAITS:
        str_addf(out,
                 "Edits that left before double writing began reach S%u alone. Were a key read "
                 "before such an edit arrives, S%u would never see it (rule "
                 "dual-before-backfill).",
                 r->from.index, r->to.index);
        return;
    default:
        why_store(r, out);
    }
}

void shifts_why(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        why_command(r, out);
    } else if (r->reason < REASON_DUAL_SECOND) {
        why_key_by_key(r, out);
    } else {
        why_dual(r, out);
    }
}
