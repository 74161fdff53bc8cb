/*
 * copies_say: partitions and their copies, in words.
 */
#include "base/num.h"
#include "engine/copies/copies_inside.h"
#include <inttypes.h>

static const char *name_of(const struct world *w, const struct trace_record *r)
{
    return groups_in(w)[r->slot].name;
}

/* --- commands: operands 1 and 2 are those of apply_note --- */

static void say_group(const struct world *w, const struct trace_record *r, struct str *out)
{
    static const char *const acks[] = {
        [ACKS_MAJORITY] = "a majority has it",
        [ACKS_ONE] = "its leader has it",
        [ACKS_ALL] = "all have it",
    };
    if (r->operand[1] != 0) {
        str_addf(out, "shard %s has replicas: %" PRIu64 "; N%u leads term 1, ", name_of(w, r),
                 r->value, r->to.index + 1u);
    } else {
        str_addf(out, "shard %s: ", name_of(w, r));
    }
    str_addf(out, "a write is OK when %s", acks[r->operand[2]]);
}

static void say_append(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->operand[1] == APPEND_MODE_RATE) {
        str_addf(out, "clients write to %s %" PRId64 " times a second", name_of(w, r),
                 r->operand[2]);
        return;
    }
    str_addf(out, "a client writes %" PRId64 " to %s", r->operand[2], name_of(w, r));
}

static void say_recopy(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch ((enum recopy_mode)r->operand[1]) {
    case RECOPY_MODE_ON:
        str_add(out, "lost replicas are made anew, ");
        if (r->operand[2] == 0) {
            str_add(out, "as fast as the links carry");
        } else {
            str_addf(out, "each at %s bytes a second at most", num_grouped(r->operand[2]).text);
        }
        return;
    case RECOPY_MODE_OFF:
        str_add(out, "lost replicas are not made anew");
        return;
    case RECOPY_MODE_NOW:
        str_addf(out, "N%u is taken for dead: its replicas are made anew", r->to.index + 1u);
        return;
    case RECOPY_MODE_TO:
        str_addf(out, "the missing replica of %s goes to N%u", name_of(w, r), r->to.index + 1u);
        return;
    }
    CHECK(false && "no such step");
}

static void say_command(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch (r->operand[0]) {
    case COMMAND_GROUP:
        say_group(w, r, out);
        return;
    case COMMAND_APPEND:
        say_append(w, r, out);
        return;
    case COMMAND_LOOK:
        str_addf(out, "a client reads %s%s", name_of(w, r),
                 r->operand[1] != 0 ? ", of whoever is asked" : "");
        return;
    case COMMAND_STAND:
        str_addf(out,
                 r->operand[1] != 0 ? "N%u is to ask again for votes for %s"
                                    : "N%u is to stand for leader of %s",
                 r->to.index + 1u, name_of(w, r));
        return;
    default:
        say_recopy(w, r, out);
    }
}

/* --- clients ---------------------------------------------------------------------------------- */

static void say_client(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_COPY_ASKS:
        str_addf(out, "write %" PRIu64 " to %s", r->value, name_of(w, r));
        return;
    case REASON_COPY_LOOKS:
        str_addf(out, r->operand[0] != 0 ? "read %s, as you have it" : "read %s", name_of(w, r));
        return;
    case REASON_COPY_ELSEWHERE:
        if (r->operand[0] == 0) {
            str_addf(out, "I do not lead %s, and know nobody who does", name_of(w, r));
        } else {
            str_addf(out, "I do not lead %s; N%" PRId64 " does", name_of(w, r), r->operand[0]);
        }
        return;
    case REASON_COPY_FULL:
        str_addf(out, "no more: entries of %s that wait for a majority: %" PRId64, name_of(w, r),
                 r->operand[0]);
        return;
    case REASON_COPY_OK:
        str_addf(out, "OK, %" PRIu64 " is entry %" PRId64 " of %s", r->value, r->operand[0],
                 name_of(w, r));
        return;
    case REASON_COPY_GIVES_UP:
        if (r->operand[1] != 0) {
            str_addf(out, "gives up its read of %s: no answer for %s", name_of(w, r),
                     num_span(r->operand[0]).text);
        } else {
            str_addf(out, "gives up its write of %" PRIu64 " to %s: no answer for %s", r->value,
                     name_of(w, r), num_span(r->operand[0]).text);
        }
        return;
    case REASON_COPY_ANSWERS:
        str_addf(out, "%s is %" PRIu64 " (entry %" PRId64 ")", name_of(w, r), r->value,
                 r->operand[0]);
        if (r->operand[0] < r->operand[1]) {
            str_addf(out, "; stale: entry %" PRId64 " was acknowledged", r->operand[1]);
        }
        return;
    default:
        CHECK(false && "no record of a client");
    }
}

/* --- logs ------------------------------------------------------------------------------------- */

static void say_entries(int64_t first, int64_t last, struct str *out)
{
    if (first == last) {
        str_addf(out, "entry %" PRId64, first);
    } else {
        str_addf(out, "entries %" PRId64 " to %" PRId64, first, last);
    }
}

static void say_log(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_COPY_TAKES:
        str_addf(out, "%" PRIu64 " is entry %" PRId64 " of %s, term %u; not acknowledged yet",
                 r->value, r->operand[0], name_of(w, r), r->epoch);
        return;
    case REASON_COPY_EMPTY:
        str_addf(out, "entry %" PRId64 " of %s, term %u, is empty: the term begins", r->operand[0],
                 name_of(w, r), r->epoch);
        return;
    case REASON_COPY_SENDS:
        str_addf(out, "%s term %u: ", name_of(w, r), r->epoch);
        say_entries(r->operand[0], r->operand[1], out);
        if (r->operand[0] == r->operand[1] && r->value == COPY_EMPTY) {
            str_add(out, " is empty");
        } else if (r->operand[0] == r->operand[1]) {
            str_addf(out, " is %" PRIu64, r->value);
        }
        return;
    case REASON_COPY_STORES:
        str_addf(out, "%s: I have all up to entry %" PRId64, name_of(w, r), r->operand[0]);
        return;
    case REASON_COPY_THROWS:
        str_addf(out, "throws away ");
        say_entries(r->operand[0], r->operand[1], out);
        str_addf(out, " of %s: the leader of term %u has others", name_of(w, r), r->epoch);
        return;
    case REASON_COPY_GAP:
        str_addf(out, "%s: that does not fit to my log; send what follows entry %" PRId64,
                 name_of(w, r), r->operand[0]);
        return;
    case REASON_COPY_REFUSES:
        str_addf(out, "%s: no, term %" PRId64 " has begun", name_of(w, r), r->operand[0]);
        return;
    case REASON_COPY_COMMITS:
        str_addf(out,
                 "entry %" PRId64 " of %s is committed: at %" PRId64 " of %" PRId64 " replicas",
                 r->operand[0], name_of(w, r), r->operand[1], r->operand[2]);
        return;
    default:
        CHECK(false && "no record of a log");
    }
}

/* --- elections -------------------------------------------------------------------------------- */

static void say_no_vote(const struct world *w, const struct trace_record *r, struct str *out)
{
    str_addf(out, "%s: no vote, ", name_of(w, r));
    switch ((enum copy_no)r->operand[0]) {
    case COPY_NO_OLD_TERM:
        str_addf(out, "term %u has begun", r->epoch);
        return;
    case COPY_NO_OTHER_VOTE:
        str_addf(out, "in term %u another has mine", r->epoch);
        return;
    case COPY_NO_SHORT_LOG:
        str_add(out, "my log is farther than yours");
        return;
    }
    CHECK(false && "no such answer");
}

static void say_election(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_COPY_STANDS:
        str_addf(out, "stands for leader of %s, term %u", name_of(w, r), r->epoch);
        if (r->operand[0] > 0) {
            str_addf(out, ": heard nothing for %s", num_span(r->operand[0]).text);
        }
        return;
    case REASON_COPY_VOTE_ASKED:
        str_addf(out, "%s: vote for me in term %u; my log has %" PRId64 " entries", name_of(w, r),
                 r->epoch, r->operand[0]);
        return;
    case REASON_COPY_VOTES:
        str_addf(out, "%s: you have my vote in term %u", name_of(w, r), r->epoch);
        return;
    case REASON_COPY_NO_VOTE:
        say_no_vote(w, r, out);
        return;
    case REASON_COPY_COUNTED:
        str_addf(out, "the vote of N%" PRId64 " for %s comes again", r->operand[0] + 1,
                 name_of(w, r));
        return;
    case REASON_COPY_LEADS:
        str_addf(out, "leads %s in term %u, with %" PRId64 " of %" PRId64 " votes", name_of(w, r),
                 r->epoch, r->operand[0], r->operand[1]);
        return;
    case REASON_COPY_STEPS_DOWN:
        str_addf(out,
                 r->operand[1] != 0 ? "leads %s no more: term %" PRId64 " has begun"
                                    : "stands for %s no more in term %" PRId64,
                 name_of(w, r), r->operand[0]);
        return;
    case REASON_COPY_BACK:
        str_addf(out, "%s: on disk are %" PRId64 " entries and term %u", name_of(w, r),
                 r->operand[0], r->epoch);
        return;
    case REASON_COPY_LOST:
        str_addf(out, "leads %s without acknowledged entries: %" PRId64, name_of(w, r),
                 r->operand[0]);
        return;
    default:
        CHECK(false && "no record of an election");
    }
}

/* --- copies made anew ------------------------------------------------------------------------- */

static void say_again(const struct world *w, const struct trace_record *r, struct str *out)
{
    static const char *const waits[] = {
        [COPY_WAITS_LEADER] = "no leader reaches the new node",
        [COPY_WAITS_MAJORITY] = "too few others are in the leader's term",
        [COPY_WAITS_DIRECTORY] = "the directory is down",
    };
    static const char *const drops[] = {
        [COPY_DROP_ALIVE] = "the node that it was to replace is alive",
        [COPY_DROP_DIED] = "its node died",
        [COPY_DROP_MOVED] = "it goes to another node",
        [COPY_DROP_OFF] = "recopy is off",
    };
    switch (r->reason) {
    case REASON_COPY_PLANNED:
        str_addf(out, "a new copy of %s on N%" PRId64 " instead of N%" PRId64, name_of(w, r),
                 r->operand[0] + 1, r->operand[1] + 1);
        return;
    case REASON_COPY_NO_PLACE:
        str_addf(out, "no node can take a new copy of %s instead of N%" PRId64, name_of(w, r),
                 r->operand[0] + 1);
        return;
    case REASON_COPY_BEGINS:
        str_addf(out, "copies %s: %s bytes, ", name_of(w, r), num_grouped(r->operand[0]).text);
        str_addf(out, "%s a second", num_grouped(r->operand[1]).text);
        return;
    case REASON_COPY_WAITS:
        str_addf(out, "the copy of %s waits: %s", name_of(w, r), waits[r->operand[0]]);
        return;
    case REASON_COPY_COUNTS:
        if (r->operand[0] == r->to.index) {
            str_addf(out, "N%u has the log of %s again", r->to.index + 1u, name_of(w, r));
        } else {
            str_addf(out, "N%u is a replica of %s now, instead of N%" PRId64, r->to.index + 1u,
                     name_of(w, r), r->operand[0] + 1);
        }
        str_addf(out, "; it took %s", num_span(r->operand[1]).text);
        return;
    case REASON_COPY_DROPPED:
        str_addf(out, "the copy of %s to N%u is given up: %s", name_of(w, r), r->to.index + 1u,
                 drops[r->operand[0]]);
        return;
    default:
        CHECK(false && "no record of a copy");
    }
}

void copies_say(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_COMMAND) {
        say_command(w, r, out);
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
        say_client(w, r, out);
        return;
    case REASON_COPY_TAKES:
    case REASON_COPY_EMPTY:
    case REASON_COPY_SENDS:
    case REASON_COPY_STORES:
    case REASON_COPY_THROWS:
    case REASON_COPY_GAP:
    case REASON_COPY_REFUSES:
    case REASON_COPY_COMMITS:
        say_log(w, r, out);
        return;
    case REASON_COPY_PLANNED:
    case REASON_COPY_NO_PLACE:
    case REASON_COPY_BEGINS:
    case REASON_COPY_WAITS:
    case REASON_COPY_COUNTS:
    case REASON_COPY_DROPPED:
        say_again(w, r, out);
        return;
    default:
        say_election(w, r, out);
    }
}

/* --- on an arrow ------------------------------------------------------------------------------ */

static void label_number(const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_COPY_ASKS:
    case REASON_COPY_OK:
    case REASON_COPY_ANSWERS:
        str_addf(out, " %" PRIu64, r->value);
        return;
    case REASON_COPY_ELSEWHERE:
        if (r->operand[0] > 0) {
            str_addf(out, " N%" PRId64, r->operand[0]);
        }
        return;
    case REASON_COPY_TAKES:
    case REASON_COPY_EMPTY:
    case REASON_COPY_STORES:
    case REASON_COPY_COMMITS:
        str_addf(out, " %" PRId64, r->operand[0]);
        return;
    case REASON_COPY_SENDS:
    case REASON_COPY_THROWS:
        str_addf(out, " %" PRId64, r->operand[1]);
        return;
    case REASON_COPY_STANDS:
    case REASON_COPY_VOTE_ASKED:
    case REASON_COPY_VOTES:
    case REASON_COPY_LEADS:
    case REASON_COPY_REFUSES:
        str_addf(out, " t%u", r->epoch);
        return;
    default:
        return;
    }
}

void copies_label(const struct world *w, const struct trace_record *r, struct str *out)
{
    static const char *const labels[] = {
        [REASON_COPY_ASKS - REASON_COPIES_FIRST] = "write",
        [REASON_COPY_LOOKS - REASON_COPIES_FIRST] = "read",
        [REASON_COPY_ELSEWHERE - REASON_COPIES_FIRST] = "not me",
        [REASON_COPY_TAKES - REASON_COPIES_FIRST] = "entry",
        [REASON_COPY_FULL - REASON_COPIES_FIRST] = "no more",
        [REASON_COPY_SENDS - REASON_COPIES_FIRST] = "entry",
        [REASON_COPY_STORES - REASON_COPIES_FIRST] = "has",
        [REASON_COPY_THROWS - REASON_COPIES_FIRST] = "drops",
        [REASON_COPY_GAP - REASON_COPIES_FIRST] = "a gap",
        [REASON_COPY_REFUSES - REASON_COPIES_FIRST] = "no,",
        [REASON_COPY_COMMITS - REASON_COPIES_FIRST] = "committed",
        [REASON_COPY_OK - REASON_COPIES_FIRST] = "OK",
        [REASON_COPY_GIVES_UP - REASON_COPIES_FIRST] = "gives up",
        [REASON_COPY_ANSWERS - REASON_COPIES_FIRST] = "value",
        [REASON_COPY_STANDS - REASON_COPIES_FIRST] = "stands",
        [REASON_COPY_VOTE_ASKED - REASON_COPIES_FIRST] = "vote?",
        [REASON_COPY_VOTES - REASON_COPIES_FIRST] = "yes",
        [REASON_COPY_NO_VOTE - REASON_COPIES_FIRST] = "no vote",
        [REASON_COPY_COUNTED - REASON_COPIES_FIRST] = "again",
        [REASON_COPY_LEADS - REASON_COPIES_FIRST] = "leads",
        [REASON_COPY_STEPS_DOWN - REASON_COPIES_FIRST] = "steps down",
        [REASON_COPY_BACK - REASON_COPIES_FIRST] = "back",
        [REASON_COPY_LOST - REASON_COPIES_FIRST] = "lost",
        [REASON_COPY_PLANNED - REASON_COPIES_FIRST] = "new copy",
        [REASON_COPY_NO_PLACE - REASON_COPIES_FIRST] = "no place",
        [REASON_COPY_BEGINS - REASON_COPIES_FIRST] = "copies",
        [REASON_COPY_WAITS - REASON_COPIES_FIRST] = "waits",
        [REASON_COPY_COUNTS - REASON_COPIES_FIRST] = "counts",
        [REASON_COPY_DROPPED - REASON_COPIES_FIRST] = "given up",
        [REASON_COPY_EMPTY - REASON_COPIES_FIRST] = "empty",
    };
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        static const char *const names[] = {"group", "write", "read", "stand", "recopy"};
        str_add(out, names[r->operand[0] - COMMAND_GROUP]);
        return;
    }
    str_add(out, labels[r->reason - REASON_COPIES_FIRST]);
    label_number(r, out);
}
