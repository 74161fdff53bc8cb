/*
 * systems_why: why systems did what systems.h leaves in the trace: the rule of the system, with the
 * numbers that met it.
 */
#include "base/num.h"
#include "engine/systems/systems_inside.h"
#include <inttypes.h>

static uint8_t id_of(const struct trace_record *r)
{
    return (uint8_t)r->from.index;
}

static const struct system_words *words_of(const struct trace_record *r)
{
    return system_words((enum system_id)id_of(r));
}

/* --- commands --------------------------------------------------------------------------------- */

static void why_asked(const struct trace_record *r, struct str *out)
{
    static const char *const why[SYSTEM_VERBS] = {
        [SYSTEM_VERB_ON] = "The cluster itself changes nothing: the same requests are asked twice, "
                           "here and there.",
        [SYSTEM_VERB_OFF] = "The cluster goes on as before.",
        [SYSTEM_VERB_PARTS] = "What becomes of the parts there are is the system's own rule.",
        [SYSTEM_VERB_CUT] = "What may be cut, and by whom, is the system's own rule.",
        [SYSTEM_VERB_JOIN] = "What may be joined, and by whom, is the system's own rule.",
        [SYSTEM_VERB_GROW] = "Whether anything goes to the new machine by itself is the system's "
                             "own rule.",
        [SYSTEM_VERB_MOVE] = "How long it takes is the way of this system to move a part.",
        [SYSTEM_VERB_BALANCE] = "It is what the operator's tool of this system would do.",
        [SYSTEM_VERB_DOWN] = "What was told to clients and is nowhere else is lost with it.",
        [SYSTEM_VERB_UP] = "What it missed meanwhile, it gets by the way of this system.",
        [SYSTEM_VERB_SET] = "It holds from now on; what was done before stays as it is.",
    };
    int64_t verb = r->operand[1] / 256 % 256;
    CHECK(verb < SYSTEM_VERBS);
    str_addf(out, "You did this. %s", why[verb]);
}

static void why_command(const struct trace_record *r, struct str *out)
{
    if (r->operand[0] == COMMAND_SYSTEM) {
        why_asked(r, out);
        return;
    }
    str_add(out, r->operand[1] == 0
                     ? "You did this. The next series goes on where this one ended."
                     : "You did this. Each key comes after all the others, as times and numbers "
                       "that count up do: where keys keep their order, all go to the same end.");
}

/* --- load ------------------------------------------------------------------------------------- */

static void why_throttling(const struct trace_record *r, struct str *out)
{
    const struct system_words *words = words_of(r);
    const struct system_kind *kind = system_kind(id_of(r));
    if (r->operand[2] == 1) {
        str_addf(out,
                 "No limit of a %s is documented; the model gives it %s requests a second, and in "
                 "this one %s came so far, to those that wait there. ",
                 words->machine, num_grouped(r->operand[1]).text, num_grouped(r->operand[0]).text);
    } else {
        str_addf(out,
                 "In this second %s requests came so far, faster than the %s%s%s a second that "
                 "this %s may take, and nothing is saved up. ",
                 num_grouped(r->operand[0]).text, num_grouped(r->operand[1]).text,
                 words->counted == NULL ? "" : " ", words->counted == NULL ? "" : words->counted,
                 words->part);
    }
    if (kind->wait_us > 0) {
        str_addf(out, "A client waits for its turn, at most %s", num_span(kind->wait_us).text);
    } else {
        str_add(out, "What is over it is refused at once");
    }
    str_addf(out, ". What a client is told: %s.", words->throttled);
}

static void why_no_split(const struct world *w, const struct trace_record *r, struct str *out)
{
    const struct system_words *words = words_of(r);
    struct str key = STR_EMPTY;
    if (r->operand[2] > 0) {
        system_say_key(w, r->operand[2] - 1, &key);
    }
    const char *name = r->operand[2] > 0 ? str_text(&key) : "one key";
    switch ((enum no_split)r->operand[0]) {
    case NO_SPLIT_ONE_ITEM:
        str_addf(out,
                 "Nearly all that is asked of it is for %s. A cut goes between keys: it would move "
                 "the neighbours of %s away, and leave it as hot as it is.",
                 name, name);
        break;
    case NO_SPLIT_GROWING:
        str_add(out, "Each new write lies above all the others. After a cut the upper half would "
                     "have them all again, and the lower one none.");
        break;
    case NO_SPLIT_HAND:
        str_addf(out,
                 "%s does not watch for it: a hot %s stays as it is until somebody acts. What one "
                 "does: %s.",
                 words->title, words->part, words->grows);
        break;
    case NO_SPLIT_BYTES:
        str_addf(out,
                 "%s looks at how much a %s holds, not at how often it is asked. This one is far "
                 "from too large.",
                 words->title, words->part);
        break;
    case NO_SPLIT_INDEX:
        str_addf(out,
                 "The table has a local secondary index, so all items of %s have to stay in one "
                 "%s, and no cut goes between them.",
                 name, words->part);
        break;
    case NO_SPLIT_FULL:
        str_addf(out,
                 "The model has room for %u %s, and all are in use. This limit is the model's, not "
                 "that of %s.",
                 system_parts_max(id_of(r)), words->parts, words->title);
        break;
    }
    str_free(&key);
}

static void why_boost(const struct trace_record *r, struct str *out)
{
    if (r->operand[2] == 0) {
        str_addf(out,
                 "It took less than its share for a while, and %s keeps what was left over, for "
                 "some minutes at most. That is spent now: %s a second until it is gone.",
                 words_of(r)->title, num_grouped(r->operand[1]).text);
    } else {
        str_addf(out,
                 "The table as a whole has capacity that other %s leave unused. %s lends it to "
                 "the busy one, up to what a single %s can do: %s a second.",
                 words_of(r)->parts, words_of(r)->title, words_of(r)->part,
                 num_grouped(r->operand[1]).text);
    }
}

static void why_load(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_SYSTEMS_THROTTLING:
        why_throttling(r, out);
        return;
    case REASON_SYSTEMS_CALM:
        str_add(out, "For a whole second no more was asked than it can do. What was not served "
                     "before is not made up for: the clients had their answer.");
        return;
    case REASON_SYSTEMS_NO_SPLIT:
        why_no_split(w, r, out);
        return;
    case REASON_SYSTEMS_BOOST:
        why_boost(r, out);
        return;
    default:
        str_addf(out,
                 "What was saved up in quiet times is used up. From now on it may take what comes "
                 "anew each second, %s.",
                 num_grouped(r->operand[0]).text);
    }
}

/* --- parts ------------------------------------------------------------------------------------ */

static void why_split(const struct trace_record *r, struct str *out)
{
    const struct system_words *words = words_of(r);
    if (r->reason == REASON_SYSTEMS_SPLIT_LOAD) {
        str_addf(out,
                 "%s requests a second came to it, and %s cuts by itself what is hot. That helps "
                 "as far as the cut has load on both its sides.",
                 num_grouped(r->operand[2]).text, words->title);
    } else if (r->reason == REASON_SYSTEMS_SPLIT_SIZE && words->cut_by_size != NULL) {
        str_add(out, words->cut_by_size);
    } else if (r->reason == REASON_SYSTEMS_SPLIT_SIZE) {
        str_addf(out, "It had grown to ");
        system_say_bytes(r->operand[2], out);
        str_addf(out,
                 ", and %s cuts by itself what is that large. Bytes decide: the load may be all on "
                 "one side.",
                 words->title);
    } else {
        static const char *const where[] = {
            "The cut is in the middle of its range, whatever is asked where.",
            "You said at which key the upper part begins.",
            "The cut is at the middle one of the keys that are known in it."};
        str_addf(out, "You asked for it. %s", where[r->operand[2]]);
    }
    if (r->operand[0] != r->target && words->stream) {
        str_addf(out,
                 " New records go to the children; those of %s %u stay in it, and a reader that "
                 "wants them in order reads them first.",
                 words->part, r->target);
    }
}

static void why_closed(const struct trace_record *r, struct str *out)
{
    const struct system_words *words = words_of(r);
    if (r->reason == REASON_SYSTEMS_EXPIRED) {
        str_addf(out, "Records are kept for a time, and that of its last one is over. %s",
                 r->operand[1] > 0 ? "Those that nobody had read are gone."
                                   : "All had been read before.");
        return;
    }
    str_addf(out,
             "Its range belongs to its children now, so it takes no more writes. Its records can "
             "still be read. Who reads the children first sees newer records of a key before "
             "older ones, as long as %s %u has unread ones.",
             words->part, r->target);
}

static void why_leader(const struct trace_record *r, struct str *out)
{
    const struct system_words *words = words_of(r);
    int64_t failover_us = system_kind(id_of(r))->failover_us;
    if (r->operand[2] != LEADER_DIED && words->hands_over != NULL) {
        str_add(out, words->hands_over);
        return;
    }
    switch ((enum leader_why)r->operand[2]) {
    case LEADER_DIED:
        if (words->takes_over != NULL) {
            str_add(out, words->takes_over);
            return;
        }
        str_addf(out,
                 "Its leader was dead, which was noticed after %s in this model. A copy that lives "
                 "leads; until then nobody served it. What a write survives here: %s.",
                 num_span(failover_us).text, words->survives);
        return;
    case LEADER_BY_HAND:
        str_add(out, "You chose who leads. All copies have the data, so nothing had to be copied.");
        return;
    case LEADER_BALANCE:
        str_addf(out,
                 "%s spreads leaders by itself. A copy was there already, so the change costs "
                 "next to nothing.",
                 words->title);
        return;
    case LEADER_BACK:
        str_add(out,
                "The first of its copies is back, and leads again when it has what it missed.");
        return;
    }
    CHECK(false && "no such reason to lead");
}

static void why_move(const struct trace_record *r, struct str *out)
{
    const struct system_words *words = words_of(r);
    if (words->copied != NULL) {
        str_add(out, words->copied);
    } else if (r->reason == REASON_SYSTEMS_MOVED) {
        str_addf(out,
                 "All of it is at %s %" PRId64 " now, which takes its requests. How it moves: "
                 "%s.",
                 words->machine, r->operand[1], words->moves);
    } else if (system_kind(id_of(r))->move_bytes == 0) {
        str_addf(out, "Its bytes need not be copied. How it moves: %s.", words->moves);
    } else {
        str_addf(out,
                 "It is copied beside the traffic; until that is done, %s %" PRId64
                 " serves it. How it moves: %s.",
                 words->machine, r->operand[0], words->moves);
    }
}

static void why_parts(const struct trace_record *r, struct str *out)
{
    const struct system_words *words = words_of(r);
    switch (r->reason) {
    case REASON_SYSTEMS_SPLIT_LOAD:
    case REASON_SYSTEMS_SPLIT_SIZE:
    case REASON_SYSTEMS_SPLIT_HAND:
        why_split(r, out);
        return;
    case REASON_SYSTEMS_JOINED:
        str_addf(out,
                 "They were neighbours, so together they are one range again. One %s answers for "
                 "what two did.",
                 words->part);
        return;
    case REASON_SYSTEMS_CLOSED:
    case REASON_SYSTEMS_EXPIRED:
        why_closed(r, out);
        return;
    case REASON_SYSTEMS_PARTS:
        str_addf(out, "You asked for it. Splits: %s. Order: %s.", words->splits, words->order);
        return;
    case REASON_SYSTEMS_LEADER:
        why_leader(r, out);
        return;
    default:
        why_move(r, out);
    }
}

/* --- machines --------------------------------------------------------------------------------- */

static void why_back(const struct trace_record *r, struct str *out)
{
    if (r->operand[1] > 0) {
        str_add(out, "While it was away the others kept what it should have had, as hints. They "
                     "hand them over; a hint counted towards no client's write.");
    } else {
        str_add(out, "It runs again, with what it missed. Who leads what stays as it is until the "
                     "system's own rule changes that.");
    }
}

static void why_machines(const struct trace_record *r, struct str *out)
{
    const struct system_words *words = words_of(r);
    switch (r->reason) {
    case REASON_SYSTEMS_GROWN:
        str_addf(out, "%s How a %s gets to it: %s.",
                 r->operand[1] == 0 ? "It is empty: a machine more is no help until something goes "
                                      "to it."
                                    : "It takes its part of the load when that is copied.",
                 words->part, words->moves);
        return;
    case REASON_SYSTEMS_NO_MACHINES:
        str_addf(out, "The machines of %s are its operator's, not yours. What one does: %s.",
                 words->title, words->grows);
        return;
    case REASON_SYSTEMS_DIED:
        str_addf(
            out, "You did this. %s What an acknowledged write survives: %s.",
            system_kind(id_of(r))->leaderless
                ? "No copy leads here: the others go on, as long as the level has enough of them."
                : "What it led, nobody serves until another copy leads.",
            words->survives);
        return;
    case REASON_SYSTEMS_BACK:
        why_back(r, out);
        return;
    case REASON_SYSTEMS_LOST:
        str_addf(
            out,
            "Their clients were told OK before another copy had them. A copy without them goes "
            "on, so nobody has them now. What an acknowledged write survives: %s.",
            words->survives);
        return;
    default:
        str_addf(out,
                 "Whatever a client was told OK for is at a copy that goes on. Writes on their way "
                 "to copies: %s. What an acknowledged write survives: %s.",
                 num_grouped(r->operand[0]).text, words->survives);
    }
}

/* --- readers, and the rest -------------------------------------------------------------------- */

static void why_readers(const struct world *w, const struct trace_record *r, struct str *out)
{
    const struct system_words *words = words_of(r);
    if (r->reason == REASON_SYSTEMS_REBALANCE) {
        str_addf(out,
                 "A %s has one reader of the group, so when a member or a %s comes or goes, some "
                 "change hands. %s",
                 words->part, words->part,
                 r->operand[0] == r->operand[1]
                     ? "All of them pause, also those that keep their reader."
                     : "Only those that change hands pause.");
        return;
    }
    str_add(out, "Records of ");
    system_say_key(w, r->operand[0], out);
    str_addf(out,
             " went to %s %" PRId64 " before they went to %s %u. Nothing keeps order between two "
             "%s but the reader itself. What stays in order: %s.",
             words->part, r->operand[1], words->part, r->target, words->parts, words->order);
}

static void why_rest(const struct trace_record *r, struct str *out)
{
    const struct system_words *words = words_of(r);
    switch (r->reason) {
    case REASON_SYSTEMS_ON:
        str_addf(out,
                 "Each request that a client asks for the first time is asked of %s too, whatever "
                 "becomes of it here. Where a key is: %s.",
                 words->title, words->placement);
        return;
    case REASON_SYSTEMS_OFF:
        str_add(out, "You turned it off. On again, it begins anew.");
        return;
    case REASON_SYSTEMS_SETTING: {
        const struct system_setting_info *info =
            system_setting((enum system_id)id_of(r), (uint32_t)r->operand[0]);
        CHECK(info != NULL);
        str_addf(out, "You set it. %s: %s.", info->name, info->about);
        return;
    }
    default:
        if (r->operand[1] == SYSTEM_VERB_ON + 1) {
            str_addf(out, "The model has room for %u %s of %s, and each system has its own least.",
                     system_parts_max(id_of(r)), words->parts, words->title);
        } else if (r->operand[1] > 0) {
            str_addf(out, "It was asked of all systems, and %s does not do it. What one does: %s.",
                     words->title, words->grows);
        } else {
            str_addf(out, "The model has room for %u %s, and all are in use.",
                     system_parts_max(id_of(r)), words->parts);
        }
    }
}

void systems_why(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_COMMAND) {
        why_command(r, out);
        return;
    }
    switch (r->reason) {
    case REASON_SYSTEMS_THROTTLING:
    case REASON_SYSTEMS_CALM:
    case REASON_SYSTEMS_NO_SPLIT:
    case REASON_SYSTEMS_BOOST:
    case REASON_SYSTEMS_SPENT:
        why_load(w, r, out);
        return;
    case REASON_SYSTEMS_GROWN:
    case REASON_SYSTEMS_NO_MACHINES:
    case REASON_SYSTEMS_DIED:
    case REASON_SYSTEMS_BACK:
    case REASON_SYSTEMS_LOST:
    case REASON_SYSTEMS_KEPT:
        why_machines(r, out);
        return;
    case REASON_SYSTEMS_ORDER:
    case REASON_SYSTEMS_REBALANCE:
        why_readers(w, r, out);
        return;
    case REASON_SYSTEMS_ON:
    case REASON_SYSTEMS_OFF:
    case REASON_SYSTEMS_SETTING:
    case REASON_SYSTEMS_OVERDUE:
        why_rest(r, out);
        return;
    default:
        why_parts(r, out);
    }
}
