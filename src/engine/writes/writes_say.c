/*
 * writes_say: what was done with a like of a hot count, in one line; and the words on its arrow.
 */
#include "base/num.h"
#include "base/utf8.h"
#include "engine/words/say.h"
#include "engine/writes/writes_inside.h"

static void add_key(const struct world *w, uint32_t key, struct str *out)
{
    struct bytes bytes = world_key(w, key);
    utf8_visible(out, bytes.at, bytes.length);
}

static const char *grouped(int64_t value, struct num_text *buffer)
{
    *buffer = num_grouped(value);
    return buffer->text;
}

/* "1 like", "2,400 likes" */
static void add_likes(int64_t likes, struct str *out)
{
    str_addf(out, "%s like%s", num_grouped(likes).text, likes == 1 ? "" : "s");
}

static void say_salted(const struct trace_record *r, struct str *out)
{
    static const char *const picks[] = {
        [SALT_TURN] = "in turn", [SALT_RANDOM] = "at random", [SALT_WRITER] = "by who likes"};
    bool inside = (r->operand[1] & 15) == SALT_INSIDE;
    str_addf(out, " are spread over %lld sub-keys, picked %s, the salt %s the hash tag",
             (long long)r->operand[2], picks[r->operand[1] >> 4 & 15],
             inside ? "inside" : "outside");
}

static void say_summed(const struct trace_record *r, struct str *out)
{
    static const char *const ways[] = {[FLUSH_ABSOLUTE] = "its total, with a sequence",
                                       [FLUSH_WINDOW] = "the difference, under the window's number",
                                       [FLUSH_MERGE] =
                                           "its total, of which the larger one is kept"};
    str_addf(out, " are summed: each router writes %s, every %s", ways[r->operand[1] >> 4 & 15],
             num_span(r->operand[2]).text);
}

static void say_command(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->operand[0] == COMMAND_REBUILD) {
        str_add(out, "rebuild: recount ");
        add_key(w, r->key, out);
        str_add(out, " from the table `liked`");
        return;
    }
    str_add(out, "likes of ");
    add_key(w, r->key, out);
    switch ((enum writes_mode)(r->operand[1] >> 8)) {
    case WRITES_PLAIN:
        str_add(out, " go to the key itself");
        return;
    case WRITES_SALTED:
        say_salted(r, out);
        return;
    case WRITES_SUMMED:
        say_summed(r, out);
        return;
    case WRITES_MODES:
        break;
    }
    CHECK(false && "a treatment of no kind");
}

static void say_crash(const struct world *w, const struct trace_record *r, struct str *out)
{
    struct num_text n;
    str_add(out, "loses its buffer of ");
    add_key(w, r->key, out);
    str_add(out, ", ");
    add_likes(r->operand[0], out);
    if (r->operand[1] > 0) {
        str_addf(out, "; %s more went out in a flush under way", grouped(r->operand[1], &n));
    }
    if (r->operand[2] > 0) {
        str_addf(out, "; %s of the buffer are not in `liked` either", grouped(r->operand[2], &n));
    }
}

static void say_recount(const struct world *w, const struct trace_record *r, struct str *out)
{
    struct num_text n;
    add_key(w, r->key, out);
    str_addf(out, ": `liked` has %s rows that count, ", grouped(r->operand[0], &n));
    str_addf(out, "the sub-keys hold %s, ", grouped(r->operand[1], &n));
    str_addf(out, "so the correction is %s", grouped(r->operand[2], &n));
}

static void say_flush(const struct world *w, const struct trace_record *r, struct str *out)
{
    struct num_text n;
    bool again = r->reason == WRITES_FLUSHED_AGAIN;
    str_add(out, again ? "sends again " : "flushes ");
    add_likes(r->operand[1], out);
    str_add(out, " to ");
    add_key(w, r->key, out);
    str_addf(out, ": it writes %s, ", grouped(r->operand[0], &n));
    str_addf(out, "sequence %lld", (long long)r->operand[2]);
}

static void say_back(const struct world *w, const struct trace_record *r, struct str *out)
{
    struct num_text n;
    str_add(out, "goes on with ");
    add_key(w, r->key, out);
    str_addf(out, " from %s, ", grouped(r->operand[0], &n));
    str_addf(out, "sequence %lld", (long long)r->operand[1]);
    if (r->operand[2] > 0) {
        str_add(out, "; the count has lost ");
        add_likes(r->operand[2], out);
        str_add(out, " in a flush that did not arrive");
    }
}

static void say_frozen(const struct world *w, const struct trace_record *r, struct str *out)
{
    static const char *const parts[] = {[PART_PLAIN] = "the key itself",
                                        [PART_SALTS] = "the salted sub-keys",
                                        [PART_ROUTERS] = "the routers' sub-keys"};
    add_key(w, r->key, out);
    str_addf(out, ": nothing writes %s any more, so ", parts[r->operand[0]]);
    add_likes(r->operand[1], out);
    str_addf(out, " %s kept as one number", r->operand[1] == 1 ? "is" : "are");
}

/* Of a flush, a claim, a restart. */
static bool say_of_router(const struct world *w, const struct trace_record *r, struct str *out)
{
    struct num_text n;
    switch (r->reason) {
    case WRITES_FLUSHED:
    case WRITES_FLUSHED_AGAIN:
        say_flush(w, r, out);
        return true;
    case WRITES_FLUSH_FAILED:
        str_addf(out, "does not know whether flush %lld arrived; the next one makes it good",
                 (long long)r->operand[1]);
        return true;
    case WRITES_FLUSH_REFUSED:
        str_addf(out, "flush %lld was not taken: ", (long long)r->operand[1]);
        add_key(w, r->key, out);
        str_addf(out, " holds %s under a sequence as high", grouped(r->operand[0], &n));
        return true;
    case WRITES_CRASHED:
        say_crash(w, r, out);
        return true;
    case WRITES_READS_BACK:
        str_add(out, "reads back what ");
        add_key(w, r->key, out);
        str_add(out, " holds");
        return true;
    case WRITES_CLAIMS:
        str_add(out, "claims ");
        add_key(w, r->key, out);
        str_addf(out, ", if it still holds %s ", grouped(r->operand[0], &n));
        str_addf(out, "under sequence %lld", (long long)r->operand[1]);
        return true;
    case WRITES_CLAIM_LOST:
        str_add(out, "is too late: an old flush has changed ");
        add_key(w, r->key, out);
        str_add(out, " meanwhile; it reads it again");
        return true;
    case WRITES_BACK_IN_USE:
        say_back(w, r, out);
        return true;
    default:
        return false;
    }
}

void writes_say(const struct world *w, const struct trace_record *r, struct str *out)
{
    struct num_text n;
    if (r->kind == TRACE_COMMAND) {
        say_command(w, r, out);
        return;
    }
    if (say_of_router(w, r, out)) {
        return;
    }
    switch (r->reason) {
    case WRITES_SALT_PICKED:
        str_addf(out, "picks salt %lld of %lld: ", (long long)r->operand[0],
                 (long long)r->operand[1]);
        add_key(w, r->key, out);
        return;
    case WRITES_ROW_SENT:
        str_add(out, "stores the row of this like in `liked` first");
        return;
    case WRITES_ROW_SENT_AGAIN:
        str_addf(out, "has waited %s for `liked` and sends the row again",
                 num_span(r->operand[0]).text);
        return;
    case WRITES_STORED:
        str_addf(out, ": it is in `liked`, and R%u adds it to its sum", r->from.index);
        return;
    case WRITES_STORED_BEFORE:
        str_add(out, ": it was in `liked` already, and is not counted again");
        return;
    case WRITES_ACKED_FIRST:
        str_addf(out, ": R%u has it in its memory, and nobody else has", r->from.index);
        return;
    case WRITES_SPLIT_READ:
        str_add(out, "asks for the sub-keys of ");
        add_key(w, r->key, out);
        str_addf(out, " in %lld slots", (long long)r->operand[0]);
        if (r->operand[2] > 0) {
            str_addf(out, "; %s more are a number that it knows", grouped(r->operand[2], &n));
        }
        return;
    case WRITES_SUMMED_UP:
        str_add(out, ", the sum of all sub-keys");
        return;
    case WRITES_PART_FAILED:
        str_add(out, ": one of the sub-keys could not be read");
        return;
    case WRITES_FROZEN:
        say_frozen(w, r, out);
        return;
    case WRITES_RECOUNTED:
        say_recount(w, r, out);
        return;
    case WRITES_REBUILD_FAILED:
        str_addf(out, "the rebuild has ended: %s",
                 r->operand[0] == 0 ? "the sub-keys could not be read"
                                    : "the correction may not have arrived");
        return;
    default:
        CHECK(false && "a record of writes without words");
    }
}

void writes_label(const struct world *w, const struct trace_record *r, struct str *out)
{
    static const char *const labels[WRITES_REASONS - WRITES_SALT_PICKED] = {
        [WRITES_ROW_SENT - WRITES_SALT_PICKED] = "row",
        [WRITES_ROW_SENT_AGAIN - WRITES_SALT_PICKED] = "row again",
        [WRITES_FLUSH_FAILED - WRITES_SALT_PICKED] = "flush ?",
        [WRITES_FLUSH_REFUSED - WRITES_SALT_PICKED] = "older",
        [WRITES_READS_BACK - WRITES_SALT_PICKED] = "read back",
        [WRITES_CLAIMS - WRITES_SALT_PICKED] = "claim",
        [WRITES_CLAIM_LOST - WRITES_SALT_PICKED] = "too late",
        [WRITES_REBUILD_FAILED - WRITES_SALT_PICKED] = "no rebuild",
    };
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        str_add(out, r->operand[0] == COMMAND_REBUILD ? "rebuild" : "likes");
        return;
    }
    CHECK(r->reason >= WRITES_SALT_PICKED && r->reason < WRITES_REASONS);
    switch (r->reason) {
    case WRITES_SALT_PICKED:
        str_addf(out, "salt %lld", (long long)r->operand[0]);
        return;
    case WRITES_FLUSHED:
    case WRITES_FLUSHED_AGAIN:
        str_addf(out, "+%lld", (long long)r->operand[1]);
        return;
    case WRITES_CRASHED:
        str_addf(out, "-%lld", (long long)r->operand[0]);
        return;
    case WRITES_BACK_IN_USE:
        str_addf(out, "from %lld", (long long)r->operand[0]);
        return;
    case WRITES_SPLIT_READ:
        str_addf(out, "%lld parts", (long long)r->operand[0]);
        return;
    case WRITES_FROZEN:
        str_addf(out, "frozen %lld", (long long)r->operand[1]);
        return;
    case WRITES_RECOUNTED:
        str_addf(out, "fix %lld", (long long)r->operand[2]);
        return;
    default:
        CHECK(labels[r->reason - WRITES_SALT_PICKED] != NULL);
        str_add(out, labels[r->reason - WRITES_SALT_PICKED]);
    }
}
