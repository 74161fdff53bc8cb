/*
 * shifts_say: moves key by key and dual writes, in words.
 */
#include "base/num.h"
#include "base/utf8.h"
#include "engine/shifts/shifts_inside.h"
#include "engine/words/say.h"
#include "place/key.h"
#include <inttypes.h>

#define LABEL_KEY_BYTES 16

static void add_key(const struct world *w, uint32_t key, struct str *out)
{
    struct bytes bytes = world_key(w, key);
    utf8_visible(out, bytes.at, bytes.length);
}

/* --- commands: operands 1 and 2 are those of apply_note --- */

static void say_shift(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch ((enum shift_mode)r->operand[1]) {
    case SHIFT_MODE_GO:
        if (r->operand[2] == 0) {
            str_addf(out, "slot %u is to go to S%u key by key; none goes yet", r->slot,
                     r->to.index);
            return;
        }
        str_addf(out, "slot %u goes to S%u, one key after the other, %" PRId64 " a second", r->slot,
                 r->to.index, r->operand[2]);
        return;
    case SHIFT_MODE_FINISH:
        str_addf(out, "slot %u: claim it", r->slot);
        return;
    case SHIFT_MODE_STOP:
        str_addf(out, "slot %u: no further key goes", r->slot);
        return;
    case SHIFT_MODE_SIZE:
        add_key(w, r->key, out);
        str_addf(out, " is %s bytes large", num_grouped(r->operand[2]).text);
        return;
    }
    CHECK(false && "no such step");
}

static void say_dual(const struct trace_record *r, struct str *out)
{
    switch ((enum dual_mode)r->operand[1]) {
    case DUAL_MODE_ON:
        str_addf(out, "each edit of slot %u is written to S%u too, %s", r->slot, r->to.index,
                 r->operand[2] != 0 ? "at the same time" : "second");
        return;
    case DUAL_MODE_BACKFILL:
        str_addf(out, "a backfill copies slot %u to S%u, %" PRId64 " keys a second", r->slot,
                 r->to.index, r->operand[2]);
        return;
    case DUAL_MODE_STOP:
        str_addf(out, "slot %u is written once again, S%u drops its copy", r->slot, r->to.index);
        return;
    }
    CHECK(false && "no such step");
}

static void say_command(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->operand[0] == COMMAND_SHIFT) {
        say_shift(w, r, out);
    } else if (r->operand[0] == COMMAND_DUAL) {
        say_dual(r, out);
    } else if (r->operand[1] != SWITCH_MODE_DONE) {
        str_addf(out, "reads of slot %u switch%s from S%" PRId64 " to S%u; edits still go to both",
                 r->slot, r->operand[1] == SWITCH_MODE_BACK ? " back" : "", r->operand[2],
                 r->to.index);
    } else {
        str_addf(out, "slot %u is not written to S%u any more", r->slot, r->to.index);
    }
}

/* --- records --- */

static void say_key_by_key(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_SHIFT_HANDED:
        add_key(w, r->key, out);
        str_addf(out, " goes over; keys of slot %u left here: %" PRId64, r->slot, r->operand[0]);
        return;
    case REASON_SHIFT_COPIED:
        add_key(w, r->key, out);
        str_add(out, " is copied, and not yet taken away here");
        return;
    case REASON_SHIFT_DROPPED:
        add_key(w, r->key, out);
        str_addf(out, " is taken away here, at %" PRId64 "; the copy says %" PRId64, r->operand[0],
                 r->operand[1]);
        return;
    case REASON_SHIFT_HANDING:
        add_key(w, r->key, out);
        str_addf(out, " is large: %s bytes are on their way, for %s",
                 num_grouped(r->operand[0]).text, num_span(r->operand[1]).text);
        return;
    case REASON_SHIFT_TOO_LARGE:
        add_key(w, r->key, out);
        str_addf(out, " stays: %s bytes are too large to go", num_grouped(r->operand[0]).text);
        return;
    case REASON_SHIFT_EMPTY:
        if (r->operand[0] == 0) {
            str_addf(out, "all keys of slot %u have gone over", r->slot);
        } else {
            str_addf(out, "slot %u stays open; keys that could not go: %" PRId64, r->slot,
                     r->operand[0]);
        }
        return;
    case REASON_SHIFT_CLAIMED:
        str_addf(out, "slot %u is mine, epoch %" PRId64, r->slot, r->operand[0]);
        return;
    case REASON_SHIFT_HELD_UP:
        str_addf(out, "is down; slot %u waits %s", r->slot, num_span(r->operand[0]).text);
        return;
    case REASON_SHIFT_MISLED:
        str_addf(out, "takes ASK for MOVED: believes that slot %u is S%" PRId64 "'s", r->slot,
                 r->operand[0]);
        return;
    case REASON_SHIFT_BELIEVES:
        say_request(w, r, out);
        str_addf(out, " (slot %u, as ASK said)", r->slot);
        return;
    default:
        CHECK(false && "no record of a slot that goes key by key");
    }
}

static void say_version(const struct world *w, const struct trace_record *r, const char *what,
                        struct str *out)
{
    str_addf(out, "%s ", what);
    add_key(w, r->key, out);
    str_addf(out, " v%" PRId64, r->operand[0]);
}

static void say_held(const struct trace_record *r, struct str *out)
{
    if (r->operand[1] == 0) {
        str_add(out, ", where there was nothing");
    } else {
        str_addf(out, " over v%" PRId64, r->operand[1]);
    }
}

static void say_store(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_DUAL_TAKEN:
        say_version(w, r, "stores", out);
        say_held(r, out);
        return;
    case REASON_DUAL_KEPT:
        str_addf(out, "keeps v%" PRId64 ": ", r->operand[1]);
        say_version(w, r, "not newer is", out);
        return;
    case REASON_DUAL_OVERWRITTEN:
        say_version(w, r, "stores", out);
        str_addf(out, " over the newer v%" PRId64, r->operand[1]);
        return;
    case REASON_DUAL_READ:
        say_version(w, r, "backfill reads", out);
        return;
    case REASON_DUAL_FILLED:
        say_version(w, r, "backfill writes", out);
        say_held(r, out);
        return;
    case REASON_DUAL_NOT_FILLED:
        str_addf(out, "keeps v%" PRId64 ": ", r->operand[1]);
        say_version(w, r, "the backfill brings", out);
        return;
    case REASON_DUAL_FILL_BACK:
        say_version(w, r, "backfill writes", out);
        str_addf(out, " over the newer v%" PRId64, r->operand[1]);
        return;
    default:
        CHECK(false && "no record of a store");
    }
}

static void say_dual_record(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_DUAL_SECOND:
        say_version(w, r, "the same edit:", out);
        return;
    case REASON_DUAL_PASSED:
        str_addf(out, "backfill of slot %u: keys done %" PRId64 ", different %" PRId64, r->slot,
                 r->operand[0], r->operand[1]);
        str_add(out, r->operand[2] != 0 ? "; once more, for what differs or failed" : "");
        return;
    case REASON_DUAL_FAILED:
        say_version(w, r, "the second write failed:", out);
        str_addf(out, " (%s); the backfill will repair it",
                 outcome_name((enum outcome)r->operand[1]));
        return;
    case REASON_DUAL_BOTH:
        str_addf(out, ", v%" PRIu64 " at both shards", r->value);
        return;
    case REASON_DUAL_ONE:
        str_addf(out, ", v%" PRIu64 " at S%" PRId64 "; the other shard gets it later", r->value,
                 r->operand[1]);
        return;
    case REASON_DUAL_FIRST_FAILED:
        str_add(out, " (the first of two shards did not store it)");
        return;
    case REASON_DUAL_WAITS:
        str_addf(out,
                 "backfill of slot %u waits; edits still on their way to one shard alone: %" PRId64,
                 r->slot, r->operand[0]);
        return;
    default:
        say_store(w, r, out);
    }
}

void shifts_say(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_COMMAND) {
        say_command(w, r, out);
    } else if (r->reason < REASON_DUAL_SECOND) {
        say_key_by_key(w, r, out);
    } else {
        struct trace_record second = *r;
        if (r->reason == REASON_DUAL_SECOND) {
            second.operand[0] = (int64_t)r->value;
        }
        say_dual_record(w, &second, out);
    }
}

/* --- on an arrow --- */

static void label_key(const struct world *w, uint32_t key, struct str *out)
{
    struct bytes tag = key_tag(world_key(w, key));
    str_addc(out, ' ');
    utf8_visible(out, tag.at, utf8_fit(tag.at, tag.length, LABEL_KEY_BYTES));
}

void shifts_label(const struct world *w, const struct trace_record *r, struct str *out)
{
    static const char *const labels[] = {
        [REASON_SHIFT_HANDED - REASON_SHIFTS_FIRST] = "key",
        [REASON_SHIFT_COPIED - REASON_SHIFTS_FIRST] = "copy",
        [REASON_SHIFT_DROPPED - REASON_SHIFTS_FIRST] = "drop",
        [REASON_SHIFT_HANDING - REASON_SHIFTS_FIRST] = "large",
        [REASON_SHIFT_TOO_LARGE - REASON_SHIFTS_FIRST] = "too large",
        [REASON_SHIFT_EMPTY - REASON_SHIFTS_FIRST] = "keys done",
        [REASON_SHIFT_CLAIMED - REASON_SHIFTS_FIRST] = "claim",
        [REASON_SHIFT_HELD_UP - REASON_SHIFTS_FIRST] = "down",
        [REASON_SHIFT_MISLED - REASON_SHIFTS_FIRST] = "misled",
        [REASON_SHIFT_BELIEVES - REASON_SHIFTS_FIRST] = "misled",
        [REASON_DUAL_SECOND - REASON_SHIFTS_FIRST] = "second",
        [REASON_DUAL_TAKEN - REASON_SHIFTS_FIRST] = "v",
        [REASON_DUAL_KEPT - REASON_SHIFTS_FIRST] = "not v",
        [REASON_DUAL_OVERWRITTEN - REASON_SHIFTS_FIRST] = "back to v",
        [REASON_DUAL_READ - REASON_SHIFTS_FIRST] = "read v",
        [REASON_DUAL_FILLED - REASON_SHIFTS_FIRST] = "fill v",
        [REASON_DUAL_NOT_FILLED - REASON_SHIFTS_FIRST] = "not v",
        [REASON_DUAL_FILL_BACK - REASON_SHIFTS_FIRST] = "back to v",
        [REASON_DUAL_PASSED - REASON_SHIFTS_FIRST] = "backfilled",
        [REASON_DUAL_FAILED - REASON_SHIFTS_FIRST] = "second failed",
        [REASON_DUAL_WAITS - REASON_SHIFTS_FIRST] = "waits",
    };
    if (r->kind == TRACE_COMMAND) {
        static const char *const names[] = {"dual", "switch", "shift"};
        str_add(out, names[r->operand[0] - COMMAND_DUAL]);
        return;
    }
    str_add(out, labels[r->reason - REASON_SHIFTS_FIRST]);
    if (r->reason >= REASON_DUAL_TAKEN && r->reason <= REASON_DUAL_FILL_BACK) {
        str_addf(out, "%" PRId64, r->operand[0]);
    } else if (r->key != KEY_NONE_ID) {
        label_key(w, r->key, out);
    }
}
