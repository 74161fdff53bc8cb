/*
 * indexes_why: why a catalog's rows and entries are where and what they are.
 */
#include "base/num.h"
#include "engine/indexes/indexes_inside.h"
#include "engine/words/say.h"
#include <inttypes.h>

static uint8_t mode_of(const struct world *w, uint32_t catalog)
{
    return catalogs_in(w)[catalog].mode;
}

static void why_command(const struct world *w, const struct trace_record *r, struct str *out)
{
    static const char *const why[CATALOG_MODES] = {
        [CATALOG_LOCAL] = "Each shard knows the terms of its own rows. A put is one write; a find "
                          "must ask every shard, since any of them may have such a row.",
        [CATALOG_SYNC] = "The rows of a term are listed in one place, on the shard of the term's "
                         "own key. A find asks that shard alone; a put that changes the term "
                         "writes in three places, and its client waits for all of them.",
        [CATALOG_ASYNC] = "The rows of a term are listed in one place, and that list follows the "
                          "rows. A put is answered after one write; for a while a find may miss "
                          "the row, or still see it under its old term.",
        [CATALOG_UNIQUE] = "A term belongs to one row. One shard decides about a term, so of two "
                           "rows that claim it at once it refuses the second.",
    };
    str_add(out, why[mode_of(w, (uint32_t)r->operand[1])]);
}

static void why_row(const struct world *w, const struct trace_record *r, struct str *out)
{
    bool changed = r->operand[1] == 0 || (uint64_t)r->operand[1] - 1 != r->value;
    str_addf(out, "S%u owns the slot of the row's key, so the row is there, whatever its term. ",
             r->from.index);
    if (!changed) {
        str_add(out, "The term is the same as before, so the index need not change.");
        return;
    }
    switch ((enum catalog_mode)mode_of(w, r->target)) {
    case CATALOG_LOCAL:
        str_add(out, "Its index entry is on the same shard and changes with it, in one write.");
        return;
    case CATALOG_SYNC:
        str_add(out, "Its answer tells the old term, so that the router knows which entries to "
                     "change. Until they are, the index says otherwise than the row.");
        return;
    case CATALOG_ASYNC:
        str_addf(out, "The index hears of it %s later; until then it says otherwise than the row.",
                 num_span(catalogs_in(w)[r->target].lag_us).text);
        return;
    case CATALOG_UNIQUE:
        str_add(out, "The new term was claimed for this row before, so no other row can have it.");
        return;
    case CATALOG_MODES:
        break;
    }
    CHECK(false && "no such index");
}

static void why_entry(const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_CATALOG_ADDED:
    case REASON_CATALOG_REMOVED:
        str_addf(out,
                 "The entry of a term has a key of its own and is where that key's slot is: on "
                 "S%u, wherever its rows are.",
                 r->from.index);
        return;
    case REASON_CATALOG_OVERTAKEN:
        str_addf(out,
                 "Row %" PRId64 " was put more than once, and the later message came first. The "
                 "entry remembers version %" PRId64 ", so an older one changes nothing.",
                 r->operand[0], r->operand[1]);
        return;
    case REASON_CATALOG_CLAIMED:
        str_addf(out,
                 "S%u alone decides about this term. Nobody else has it, so the row may take it; "
                 "from now on every other row is refused.",
                 r->from.index);
        return;
    case REASON_CATALOG_TAKEN:
        str_addf(out,
                 "A term has one row. Row %" PRId64 " claimed it first, so row %" PRId64
                 " is refused, and nothing of it is written.",
                 r->operand[1], r->operand[0]);
        return;
    case REASON_CATALOG_RELEASED:
        str_addf(out,
                 "Row %" PRId64 " does not use the term any more; whoever claims it next has "
                 "it.",
                 r->operand[0]);
        return;
    case REASON_CATALOG_KEPT:
        str_addf(out,
                 "Row %" PRId64
                 " has claimed the term again meanwhile, so it has it still. Freeing "
                 "it now would let another row in.",
                 r->operand[0]);
        return;
    case REASON_CATALOG_PART:
        str_addf(out, "S%u answers from what it has itself, and asks nobody.", r->from.index);
        return;
    default:
        CHECK(false && "no record of an entry");
    }
}

static void why_put(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_CATALOG_DONE:
        str_add(out, mode_of(w, r->target) == CATALOG_ASYNC
                         ? "The row is stored, and that is what the client waits for. The index "
                           "follows."
                         : "Everything that this put had to write is stored.");
        return;
    case REASON_CATALOG_REFUSED:
        str_add(out,
                "The shard of the term said that another row has it. The row was not touched.");
        return;
    case REASON_CATALOG_HALF:
        str_addf(out,
                 "A write was refused, or nobody answered. No transaction is around a put: what "
                 "was stored stays (%" PRId64 " of %" PRId64 " writes), so the row and the index "
                 "may differ from now on.",
                 r->operand[1], r->operand[2]);
        return;
    case REASON_CATALOG_DIED:
        str_add(out, "Only this router knew how far it had come. What it had written stays, the "
                     "rest is never sent.");
        return;
    default:
        CHECK(false && "no end of a put");
    }
}

static void why_find(const struct trace_record *r, struct str *out)
{
    if (r->reason == REASON_CATALOG_NOT_ALL) {
        str_addf(out,
                 "Shards that did not answer: %" PRId64 ". Their rows are not in the result, and "
                 "the router can say so, but not how many they are.",
                 r->operand[2]);
        return;
    }
    if (r->operand[1] == 0 && r->operand[2] == 0) {
        str_add(out, "The result is what the rows say at this moment.");
        return;
    }
    str_addf(out,
             "The index was not where the rows are at this moment: rows missing %" PRId64
             ", rows too many %" PRId64 ". The router cannot know that; a client would have to "
             "read each row to find out.",
             r->operand[1], r->operand[2]);
}

void indexes_why(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_COMMAND) {
        why_command(w, r, out);
        return;
    }
    switch (r->reason) {
    case REASON_CATALOG_PUT:
    case REASON_CATALOG_FIND:
        str_add(out, "A client asks. It knows no shards and no index, only its router.");
        return;
    case REASON_CATALOG_ROW:
        why_row(w, r, out);
        return;
    case REASON_CATALOG_FOUND:
    case REASON_CATALOG_NOT_ALL:
        why_find(r, out);
        return;
    case REASON_CATALOG_FOLLOWS:
        str_addf(out,
                 "The row was written %s ago, and now its entries are sent: the old term "
                 "loses the row, the new one gets it. Changes of one row go one after the "
                 "other.",
                 num_span(catalogs_in(w)[r->target].lag_us).text);
        return;
    case REASON_CATALOG_AGAIN:
        str_add(out, "An entry was refused, or nobody answered. The row is stored, so its entries "
                     "are sent until they are too; the index lags for longer.");
        return;
    case REASON_CATALOG_NO_ROUTER:
        str_add(out, "Its router is down, so nobody takes the request.");
        return;
    case REASON_CATALOG_DONE:
    case REASON_CATALOG_REFUSED:
    case REASON_CATALOG_HALF:
    case REASON_CATALOG_DIED:
        why_put(w, r, out);
        return;
    default:
        why_entry(r, out);
    }
}
