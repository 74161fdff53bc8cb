/*
 * writes_why: why a router did that with a like: the rule, what it looked at, what it did not do.
 */
#include "base/num.h"
#include "engine/words/say.h"
#include "engine/writes/writes_inside.h"

static void salt_picked(const struct trace_record *r, struct str *out)
{
    static const char *const how[] = {
        [SALT_TURN] =
            "Salts are taken in turn, each router for itself, which is exactly even. Sent "
            "again, this like would go to another sub-key, whose shard cannot know it. ",
        [SALT_RANDOM] = "The salt is drawn at random, which is even in the long run. Sent again, "
                        "this like may go to another sub-key, whose shard cannot know it. ",
        [SALT_WRITER] = "The salt is derived from who likes: sent again, this like goes to the "
                        "same sub-key, where its shard knows it (rule once-per-operation). "};
    str_addf(out, "The count is split into %lld sub-keys, so that its likes are not one key's. %s",
             (long long)r->operand[1], how[r->operand[2]]);
    str_add(out, "The count's own key would take every like on one shard.");
}

static void row_sent(const struct trace_record *r, struct str *out)
{
    if (r->reason == WRITES_ROW_SENT_AGAIN) {
        str_addf(out, "The row, or the answer, may be lost; this is try %lld of %d. ",
                 (long long)r->operand[1] + 1, ATTEMPTS_MAX);
        str_add(out, "`liked` knows the operation, so it stores it once, and says whether this "
                     "request put it there, so that it is summed once.");
        return;
    }
    str_add(out,
            "A like is in `liked` before its client is told OK (rule durable-before-ack): the "
            "router's sum is only in its memory, and a crash would take it. The table is keyed "
            "by user, so these rows are on other shards than the count. The count's own key "
            "is not written now; a flush will do that for many likes at once.");
}

static void acked(const struct trace_record *r, struct str *out)
{
    if (r->reason == WRITES_ACKED_FIRST) {
        str_add(out, "The rule durable-before-ack is off: the client is told at once, and the row "
                     "goes to `liked` with the next flush. If the router dies before that, an "
                     "acknowledged like is gone for ever.");
    } else if (r->reason == WRITES_STORED_BEFORE) {
        str_add(out, "`liked` knows the operation: it was sent before, and whoever stored it then "
                     "has summed it. Counting it again would be one too many.");
    } else {
        str_add(out, "The row is durable, so the client can be told. The count shows the like only "
                     "after the router's next flush. Should the router die before, the count is "
                     "short by its buffer, until a rebuild recounts the rows.");
    }
}

static void flushed(const struct world *w, const struct trace_record *r, struct str *out)
{
    enum flush_way way = (enum flush_way)hot_write_in_key(w, r->key)->way;
    bool again = r->reason == WRITES_FLUSHED_AGAIN;
    if (way == FLUSH_WINDOW) {
        str_addf(out,
                 "%s A window's difference is taken only if its number is new, so it can be "
                 "sent any number of times. The next window waits until this one is answered.",
                 again ? "The last try was not answered." : "The window is over.");
    } else if (way == FLUSH_MERGE) {
        str_add(out, "The window is over. Each router counts for itself, and the sub-key keeps the "
                     "larger of two totals: whatever comes twice or late changes nothing.");
    } else if (rule_on(w->rules, RULE_ABSOLUTE_FLUSH)) {
        str_add(out, "The window is over. The flush carries the total, not the difference (rule "
                     "absolute-flush): sent twice, it says the same twice. The sequence lets the "
                     "sub-key refuse what is overtaken (rule flush-sequence).");
    } else {
        str_add(out, "The window is over. The rule absolute-flush is off: the flush is a bare "
                     "increment, and counts twice when it is sent twice.");
    }
}

static void crashed(const struct trace_record *r, struct str *out)
{
    str_add(out, "The buffer was in memory only. The count is short by it; no like is lost");
    if (r->operand[2] > 0) {
        struct num_text n = num_grouped(r->operand[2]);
        str_addf(out, ", but for %s that were acknowledged before they were durable", n.text);
    }
    str_add(out, ", since each was in `liked` before its client was told. A rebuild repairs the "
                 "count.");
}

static void restarted(const struct trace_record *r, struct str *out)
{
    if (r->reason == WRITES_READS_BACK) {
        str_add(out, "The router has lost its total and its sequence. The sub-key holds those of "
                     "its last flush that was taken; to begin at 0 would throw them away.");
    } else if (r->reason == WRITES_CLAIMS) {
        str_add(out,
                "A flush of the life before may still be under way, and would land after a new "
                "one (rule claim-on-restart). The claim raises the sequence, so that it is "
                "refused from now on. Likes are summed meanwhile, and nothing is flushed.");
    } else if (r->reason == WRITES_CLAIM_LOST) {
        str_add(out, "The claim is taken only if the sub-key is what was read. It is not: a flush "
                     "of the life before came in between, and what it carried shall count.");
    } else {
        str_add(out, "The sub-key is this router's again: its total and its sequence go on.");
    }
}

static void frozen(const struct trace_record *r, struct str *out)
{
    (void)r;
    str_add(out, "Likes go elsewhere by now, and no write of the old way is under way. What never "
                 "changes need not be read: each router knows the number, and adds it.");
}

static void recounted(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)r;
    str_add(out, "The count is a view of the rows in `liked`, and can be made again from them. ");
    if (rule_on(w->rules, RULE_RECOUNT_AT_FLUSHED)) {
        str_add(out, "For each router the recount ends at the last like that its sub-key holds "
                     "(rule recount-at-flushed): what is still in a buffer comes with a flush, and "
                     "would be counted twice.");
    } else {
        str_add(out, "The rule recount-at-flushed is off: rows that routers still hold in their "
                     "buffers are counted now, and again when they are flushed.");
    }
}

static void read(const struct trace_record *r, struct str *out)
{
    if (r->reason == WRITES_PART_FAILED) {
        str_add(out, "A sum without one of its parts would be a wrong count, so there is none.");
        return;
    }
    str_add(out, "The count is the sum of its sub-keys. Those of one slot are asked for together, "
                 "in one request; other slots may be on other shards. ");
    if (r->reason == WRITES_SPLIT_READ && r->operand[2] > 0) {
        str_add(out, "Parts that nothing writes any more are frozen, and come in as a number.");
    } else {
        str_add(out, "So each read costs a request a slot, unless the sum is cached.");
    }
}

static void refused(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->reason == WRITES_FLUSH_REFUSED) {
        str_add(out, "The sub-key takes a flush only with a higher sequence (rule flush-sequence). "
                     "A later one, or this one sent before, has arrived: nothing is lost.");
    } else if (r->reason == WRITES_FLUSH_FAILED && !rule_on(w->rules, RULE_ABSOLUTE_FLUSH)) {
        str_add(out, "No shard answered, so the increment may have landed or not. Sent again it "
                     "may count twice, left alone it may be missing: a total would be safe.");
    } else if (r->reason == WRITES_FLUSH_FAILED) {
        str_add(out, "No shard answered, so the flush may have landed or not. Either is harmless: "
                     "the next one carries what this one did.");
    } else {
        str_add(out, "The correction in force stays; the next rebuild writes it anew.");
    }
}

static void command(const struct trace_record *r, struct str *out)
{
    if (r->operand[0] == COMMAND_REBUILD) {
        str_add(out, "The operator starts the job, which otherwise runs every few minutes.");
    } else {
        str_add(out, "The operator changed how routers treat likes of this count.");
    }
}

void writes_why(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_COMMAND) {
        command(r, out);
        return;
    }
    switch (r->reason) {
    case WRITES_SALT_PICKED:
        salt_picked(r, out);
        return;
    case WRITES_ROW_SENT:
    case WRITES_ROW_SENT_AGAIN:
        row_sent(r, out);
        return;
    case WRITES_STORED:
    case WRITES_STORED_BEFORE:
    case WRITES_ACKED_FIRST:
        acked(r, out);
        return;
    case WRITES_FLUSHED:
    case WRITES_FLUSHED_AGAIN:
        flushed(w, r, out);
        return;
    case WRITES_FLUSH_FAILED:
    case WRITES_FLUSH_REFUSED:
    case WRITES_REBUILD_FAILED:
        refused(w, r, out);
        return;
    case WRITES_CRASHED:
        crashed(r, out);
        return;
    case WRITES_READS_BACK:
    case WRITES_CLAIMS:
    case WRITES_CLAIM_LOST:
    case WRITES_BACK_IN_USE:
        restarted(r, out);
        return;
    case WRITES_SPLIT_READ:
    case WRITES_SUMMED_UP:
    case WRITES_PART_FAILED:
        read(r, out);
        return;
    case WRITES_FROZEN:
        frozen(r, out);
        return;
    case WRITES_RECOUNTED:
        recounted(w, r, out);
        return;
    default:
        CHECK(false && "a record of writes without a reason");
    }
}
