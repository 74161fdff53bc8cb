/*
 * indexes_say: catalogs, puts and finds in words.
 */
#include "base/num.h"
#include "base/utf8.h"
#include "engine/indexes/indexes_inside.h"
#include "engine/words/say.h"
#include <inttypes.h>

static const char *const modes[CATALOG_MODES] = {
    [CATALOG_LOCAL] = "an index of its own at each shard",
    [CATALOG_SYNC] = "one index by term, written before a put is answered",
    [CATALOG_ASYNC] = "one index by term, written",
    [CATALOG_UNIQUE] = "one index by term, and one row for each term",
};

/* A name from tables that may have begun anew since: then it is not there. */
static void add_name(const struct world *w, const struct trace_record *r, struct str *out)
{
    const struct catalog *c = catalogs_in(w) + r->target;
    str_addn(out, c->name, c->length);
}

static void add_row(const struct world *w, const struct trace_record *r, int64_t id,
                    struct str *out)
{
    add_name(w, r, out);
    str_addf(out, ":%" PRId64, id);
}

static void add_term(const struct world *w, const struct trace_record *r, uint64_t term,
                     struct str *out)
{
    if (term < catalog_terms_room(w)) {
        const struct catalog_term *t = catalog_terms_in(w) + term;
        if (t->catalog == r->target + 1) {
            utf8_visible(out, t->text, t->length);
            return;
        }
    }
    str_add(out, "a term of before");
}

static const char *rows(int64_t count)
{
    return count == 1 ? "row" : "rows";
}

/* --- a shard's words --- */

static void say_shard(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_CATALOG_ROW:
        add_row(w, r, r->operand[0], out);
        str_add(out, " is now ");
        add_term(w, r, r->value, out);
        if (r->operand[1] == 0) {
            str_add(out, ", a new row");
        } else if ((uint64_t)r->operand[1] - 1 == r->value) {
            str_add(out, ", as before");
        } else {
            str_add(out, ", was ");
            add_term(w, r, (uint64_t)r->operand[1] - 1, out);
        }
        return;
    case REASON_CATALOG_ADDED:
    case REASON_CATALOG_REMOVED:
        str_add(out, "index: ");
        add_term(w, r, r->value, out);
        str_addf(out,
                 r->reason == REASON_CATALOG_ADDED ? " gets row %" PRId64 : " loses row %" PRId64,
                 r->operand[0]);
        str_addf(out, ", has %" PRId64 " %s", r->operand[1], rows(r->operand[1]));
        return;
    case REASON_CATALOG_OVERTAKEN:
        str_add(out, "index: ");
        add_term(w, r, r->value, out);
        str_addf(out, " knows version %" PRId64 " of row %" PRId64 ", and ignores an older one",
                 r->operand[1], r->operand[0]);
        return;
    case REASON_CATALOG_CLAIMED:
        add_term(w, r, r->value, out);
        str_addf(out,
                 r->operand[1] != 0 ? " is row %" PRId64 "'s already"
                                    : " is free, row %" PRId64 " claims it",
                 r->operand[0]);
        return;
    case REASON_CATALOG_TAKEN:
        add_term(w, r, r->value, out);
        str_addf(out, " is taken: row %" PRId64 " has it", r->operand[1]);
        return;
    case REASON_CATALOG_RELEASED:
        add_term(w, r, r->value, out);
        str_addf(out, " is free again, row %" PRId64 " gave it back", r->operand[0]);
        return;
    case REASON_CATALOG_KEPT:
        add_term(w, r, r->value, out);
        str_add(out, " stays: it was claimed again meanwhile");
        return;
    case REASON_CATALOG_PART:
        add_term(w, r, r->value, out);
        str_addf(out, ": %" PRId64 " %s here", r->operand[1], rows(r->operand[1]));
        return;
    default:
        CHECK(false && "no record of a shard");
    }
}

/* --- to a client and of a router --- */

static void say_found(const struct world *w, const struct trace_record *r, struct str *out)
{
    str_addf(out, "found %" PRId64 " %s for ", r->operand[0], rows(r->operand[0]));
    add_term(w, r, r->value, out);
    if (r->reason == REASON_CATALOG_NOT_ALL) {
        str_addf(out, "; %" PRId64 " shards did not answer", r->operand[2]);
    } else if (r->operand[2] > 0) {
        str_addf(out, "; %" PRId64 " too many", r->operand[2]);
    }
    if (r->operand[1] > 0) {
        str_addf(out, "; %" PRId64 " missing", r->operand[1]);
    }
}

static void say_router(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch (r->reason) {
    case REASON_CATALOG_DONE:
        str_add(out, "OK, ");
        add_row(w, r, r->operand[0], out);
        str_addf(out, " is stored (%" PRId64 " %s)", r->operand[1],
                 r->operand[1] == 1 ? "write" : "writes");
        return;
    case REASON_CATALOG_REFUSED:
        str_add(out, "refused: ");
        add_term(w, r, r->value, out);
        str_add(out, " is taken by ");
        add_row(w, r, r->operand[1], out);
        return;
    case REASON_CATALOG_HALF:
        str_addf(out, "failed: %" PRId64 " of %" PRId64 " writes are stored", r->operand[1],
                 r->operand[2]);
        return;
    case REASON_CATALOG_FOUND:
    case REASON_CATALOG_NOT_ALL:
        say_found(w, r, out);
        return;
    case REASON_CATALOG_FOLLOWS:
        str_add(out, "the index follows: ");
        add_row(w, r, r->operand[0], out);
        str_add(out, " is ");
        add_term(w, r, r->value, out);
        return;
    case REASON_CATALOG_AGAIN:
        str_add(out, "the index could not follow ");
        add_row(w, r, r->operand[0], out);
        str_addf(out, ", again in %s", num_span(r->operand[1]).text);
        return;
    case REASON_CATALOG_NO_ROUTER:
        str_addf(out, "failed: R%" PRId64 " is down", r->operand[0]);
        return;
    case REASON_CATALOG_DIED:
        str_add(out, r->operand[0] != 0 ? "died with a put in hand: " : "died with a find in hand");
        if (r->operand[0] != 0) {
            add_row(w, r, r->operand[1], out);
        }
        return;
    default:
        say_shard(w, r, out);
    }
}

static void say_command(const struct world *w, const struct trace_record *r, struct str *out)
{
    struct trace_record at = *r;
    at.target = (uint16_t)r->operand[1];
    str_add(out, "the catalog ");
    add_name(w, &at, out);
    uint8_t mode = catalogs_in(w)[at.target].mode;
    str_addf(out, " begins, with %s", modes[mode]);
    if (mode == CATALOG_ASYNC) {
        str_addf(out, " %s later", num_span(r->operand[2]).text);
    }
}

void indexes_say(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_COMMAND) {
        say_command(w, r, out);
    } else if (r->reason == REASON_CATALOG_PUT) {
        str_add(out, "put ");
        add_row(w, r, r->operand[0], out);
        str_addc(out, ' ');
        add_term(w, r, r->value, out);
    } else if (r->reason == REASON_CATALOG_FIND) {
        str_add(out, "find ");
        add_name(w, r, out);
        str_addc(out, ' ');
        add_term(w, r, r->value, out);
    } else {
        say_router(w, r, out);
        str_add(out, r->outcome == OUTCOME_OK_RELOAD ? "; your map is old" : "");
    }
}

void indexes_label(const struct world *w, const struct trace_record *r, struct str *out)
{
    static const char *const labels[] = {
        [REASON_CATALOG_PUT - REASON_INDEXES_FIRST] = "put",
        [REASON_CATALOG_FIND - REASON_INDEXES_FIRST] = "find",
        [REASON_CATALOG_ROW - REASON_INDEXES_FIRST] = "row:",
        [REASON_CATALOG_ADDED - REASON_INDEXES_FIRST] = "index +",
        [REASON_CATALOG_REMOVED - REASON_INDEXES_FIRST] = "index -",
        [REASON_CATALOG_OVERTAKEN - REASON_INDEXES_FIRST] = "overtaken",
        [REASON_CATALOG_CLAIMED - REASON_INDEXES_FIRST] = "claimed",
        [REASON_CATALOG_TAKEN - REASON_INDEXES_FIRST] = "taken",
        [REASON_CATALOG_RELEASED - REASON_INDEXES_FIRST] = "free again",
        [REASON_CATALOG_KEPT - REASON_INDEXES_FIRST] = "kept",
        [REASON_CATALOG_PART - REASON_INDEXES_FIRST] = "rows:",
        [REASON_CATALOG_DONE - REASON_INDEXES_FIRST] = "OK",
        [REASON_CATALOG_REFUSED - REASON_INDEXES_FIRST] = "taken",
        [REASON_CATALOG_HALF - REASON_INDEXES_FIRST] = "failed",
        [REASON_CATALOG_FOUND - REASON_INDEXES_FIRST] = "found",
        [REASON_CATALOG_NOT_ALL - REASON_INDEXES_FIRST] = "found",
        [REASON_CATALOG_FOLLOWS - REASON_INDEXES_FIRST] = "follows",
        [REASON_CATALOG_AGAIN - REASON_INDEXES_FIRST] = "again",
        [REASON_CATALOG_NO_ROUTER - REASON_INDEXES_FIRST] = "failed",
        [REASON_CATALOG_DIED - REASON_INDEXES_FIRST] = "died",
    };
    if (r->kind == TRACE_COMMAND) {
        str_add(out, "catalog");
        return;
    }
    str_add(out, labels[r->reason - REASON_INDEXES_FIRST]);
    switch (r->reason) {
    case REASON_CATALOG_PUT:
        str_addf(out, " %" PRId64 " ", r->operand[0]);
        add_term(w, r, r->value, out);
        return;
    case REASON_CATALOG_FIND:
    case REASON_CATALOG_ROW:
        str_addc(out, ' ');
        add_term(w, r, r->value, out);
        return;
    case REASON_CATALOG_ADDED:
    case REASON_CATALOG_REMOVED:
        str_addf(out, "%" PRId64, r->operand[0]);
        return;
    case REASON_CATALOG_PART:
        str_addf(out, " %" PRId64, r->operand[1]);
        return;
    case REASON_CATALOG_FOUND:
    case REASON_CATALOG_NOT_ALL:
        str_addf(out, " %" PRId64, r->operand[0]);
        return;
    default:
        return;
    }
}
