/*
 * queries_say: the records of a query over all shards in words.
 */
#include "base/num.h"
#include "engine/queries/queries_command.h"
#include "engine/queries/queries_inside.h"
#include "engine/words/command_words.h"
#include "engine/words/say.h"
#include <inttypes.h>

static uint32_t query_index(const struct trace_record *r)
{
    return (uint32_t)(r->operand[0] & 255);
}

static const struct query_info *info_of(const struct world *w, uint32_t index)
{
    static const struct query_info gone = {.name = "a query"};
    if (index >= w->config.queries_max || query_rows_in(w)[index].info.name[0] == '\0') {
        return &gone;
    }
    return &query_rows_in(w)[index].info;
}

static const char *name_of(const struct world *w, const struct trace_record *r)
{
    return info_of(w, query_index(r))->name;
}

/* "trending, query 12" */
static void say_query(const struct world *w, const struct trace_record *r, struct str *out)
{
    str_add(out, name_of(w, r));
    if (r->operand[0] >> 8 > 0) {
        str_addf(out, " (query %" PRId64 ")", r->operand[0] >> 8);
    }
}

static void say_limit(const struct trace_record *r, const char *on, const char *off,
                      struct str *out)
{
    if (r->value == 0) {
        str_add(out, off);
    } else {
        str_addf(out, on, num_span((int64_t)r->value).text);
    }
}

static void say_query_command(const struct world *w, const struct trace_record *r, struct str *out)
{
    const struct query_info *q = info_of(w, (uint32_t)r->operand[1]);
    if (r->operand[2] == QUERY_DROP) {
        str_add(out, "a query is dropped");
        return;
    }
    str_addf(out, "query %s: ", q->name);
    switch ((enum query_mode)r->operand[2]) {
    case QUERY_TOP:
        str_addf(out, "the %u greatest over all shards", q->room);
        return;
    case QUERY_SUM:
        str_add(out, "a sum over all shards");
        return;
    case QUERY_HEDGE:
        say_limit(r, "a shard's follower is asked too after %s", "followers are not asked", out);
        return;
    case QUERY_TIMEOUT:
        say_limit(r, "a shard is given up after %s", "no shard is given up", out);
        return;
    case QUERY_DEADLINE:
        say_limit(r, "it ends after %s at the latest", "it has no deadline", out);
        return;
    case QUERY_ASK:
        if (r->value == 0) {
            str_add(out, "all shards are asked");
        } else {
            str_addf(out, "%" PRIu64 " shard%s asked, chosen anew each time", r->value,
                     r->value == 1 ? " is" : "s are");
        }
        return;
    case QUERY_DROP:
        break;
    }
    CHECK(false && "no such command");
}

static void say_times(const struct trace_record *r, struct str *out)
{
    if (r->operand[1] == 0) {
        str_add(out, "a part of a query takes what any request takes");
        return;
    }
    str_addf(out, "a part of a query takes up to %s", num_span(r->operand[1]).text);
    if (r->operand[2] > 0) {
        str_addf(out, ", and %s of a hundred take longer",
                 num_ratio(r->operand[2], 1000000, 1).text);
    }
}

static void say_command(const struct world *w, const struct trace_record *r, struct str *out)
{
    const struct query_info *q = info_of(w, (uint32_t)r->operand[1]);
    switch ((int)r->operand[0]) {
    case COMMAND_QUERY:
        say_query_command(w, r, out);
        return;
    case COMMAND_GATHER:
        if (r->to.kind == NODE_ROUTER) {
            str_addf(out, "%s, please", q->name);
        } else {
            str_addf(out, "clients ask %s %s times a second", q->name,
                     num_grouped(r->operand[2]).text);
        }
        return;
    case COMMAND_POPULAR:
        if (r->value == 0) {
            str_addf(out, "%s is computed for each client again", q->name);
        } else {
            str_addf(out, "a job in zone %c computes %s every %s, for everybody",
                     (char)('a' + r->operand[2]), q->name, num_span((int64_t)r->value).text);
        }
        return;
    default:
        say_times(r, out);
    }
}

static void say_slots_in(const struct trace_record *r, struct str *out)
{
    bool shards = r->operand[2] < 0;
    str_addf(out, "%s of %s %s", num_grouped(shards ? -r->operand[1] : r->operand[1]).text,
             num_grouped(shards ? -r->operand[2] : r->operand[2]).text,
             shards ? "shards asked" : "slots");
}

static void say_end(const struct world *w, const struct trace_record *r, const char *how,
                    struct str *out)
{
    say_query(w, r, out);
    str_addf(out, " is %s after %s", how, num_span(r->took_us).text);
    if (r->target != SHARD_NONE) {
        str_addf(out, ", S%u was the last", r->target);
    }
}

static void say_parts(const struct world *w, const struct trace_record *r, struct str *out)
{
    say_query(w, r, out);
    switch ((enum query_reason)r->reason) {
    case QUERY_PART:
        str_addf(out, ": your part, please%s", r->operand[1] > 1 ? " (what was missing)" : "");
        return;
    case QUERY_HEDGED:
        str_addf(out, ": your follower's part too, please; %s have gone by",
                 num_span(r->operand[1]).text);
        return;
    case QUERY_REPLIED:
    case QUERY_FOLLOWER:
        str_addf(out, ": %s answers, after %s",
                 (int)r->reason == QUERY_FOLLOWER ? "its follower" : "it",
                 num_span(r->operand[1]).text);
        if (r->value > 0) {
            str_addf(out, ", with a sum of %" PRIu64, r->value);
        }
        return;
    case QUERY_MERGED:
        str_addf(out, ": S%u is merged, ", r->target);
        say_slots_in(r, out);
        str_add(out, " are in");
        return;
    case QUERY_CLASHED:
        str_addf(out,
                 ": S%u is not merged, it has slot %" PRId64 " from epoch %u, which is in from "
                 "epoch %" PRId64,
                 r->target, r->operand[1], r->epoch, r->operand[2]);
        return;
    case QUERY_DROPPED:
        str_addf(out, ": an answer of S%u is dropped, nobody waits for it", r->target);
        return;
    case QUERY_GAVE_UP:
        str_addf(out, ": S%u is given up after %s", r->target, num_span(r->operand[1]).text);
        return;
    case QUERY_PART_FAILED:
        str_addf(out, ": S%u gives no part, %s", r->target,
                 r->operand[1] == OUTCOME_REFUSED ? "it is at its ceiling" : "it is down");
        return;
    case QUERY_AGAIN:
        if (r->operand[1] < 0) {
            str_addf(out, ": %" PRId64 " of the chosen shards lack%s, asked again in %s",
                     -r->operand[1], r->operand[1] == -1 ? "s" : "", num_span(r->operand[2]).text);
            return;
        }
        str_addf(out, ": %s %s missing, %s asked in %s", num_grouped(r->operand[1]).text,
                 r->operand[1] == 1 ? "slot is" : "slots are",
                 r->operand[1] == 1 ? "its owner is" : "their owners are",
                 num_span(r->operand[2]).text);
        return;
    case QUERY_ASKED:
    case QUERY_WHOLE:
    case QUERY_PARTIAL:
    case QUERY_SILENT:
    case QUERY_FAILED:
    case QUERY_ROUTER_DIED:
    case QUERY_NO_ROOM:
    case QUERY_FROM_RESULT:
    case QUERY_RESULT:
    case QUERY_MAP:
    case QUERY_REASONS:
        break;
    }
    CHECK(false && "no record of a part");
}

static void say_record(const struct world *w, const struct trace_record *r, struct str *out)
{
    switch ((enum query_reason)r->reason) {
    case QUERY_ASKED:
        say_query(w, r, out);
        str_add(out, r->operand[1] == ASKER_JOB ? ", for everybody" : ", please");
        return;
    case QUERY_WHOLE:
    case QUERY_SILENT:
        say_end(w, r, "whole", out);
        break;
    case QUERY_PARTIAL:
        say_end(w, r, "PARTIAL", out);
        break;
    case QUERY_RESULT:
        say_end(w, r, r->operand[1] == r->operand[2] ? "computed" : "computed in part", out);
        break;
    case QUERY_FAILED:
        say_query(w, r, out);
        str_add(out, " failed: no shard has answered");
        return;
    case QUERY_ROUTER_DIED:
        say_query(w, r, out);
        str_add(out, " failed: its router is down");
        return;
    case QUERY_NO_ROOM:
        say_query(w, r, out);
        str_addf(out, " failed: %" PRId64 " are under way already", r->operand[1]);
        return;
    case QUERY_FROM_RESULT:
        str_addf(out, "%s, as computed %s ago", name_of(w, r), num_span(r->operand[1]).text);
        return;
    case QUERY_MAP:
        str_addf(out, "the map, please; mine is version %u", r->version);
        return;
    case QUERY_PART:
    case QUERY_HEDGED:
    case QUERY_REPLIED:
    case QUERY_FOLLOWER:
    case QUERY_MERGED:
    case QUERY_CLASHED:
    case QUERY_DROPPED:
    case QUERY_GAVE_UP:
    case QUERY_PART_FAILED:
    case QUERY_AGAIN:
    case QUERY_REASONS:
        say_parts(w, r, out);
        return;
    }
    if (r->operand[1] != r->operand[2]) {
        str_add(out, ", with ");
        say_slots_in(r, out);
    }
    if (r->value > 0) {
        str_addf(out, ", the sum is %" PRIu64, r->value);
    }
}

void queries_say(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_COMMAND) {
        say_command(w, r, out);
    } else {
        say_record(w, r, out);
    }
}

void queries_label(const struct world *w, const struct trace_record *r, struct str *out)
{
    static const char *const labels[QUERY_REASONS - QUERY_ASKED] = {
        [QUERY_HEDGED - QUERY_ASKED] = "hedge",
        [QUERY_CLASHED - QUERY_ASKED] = "epochs clash",
        [QUERY_DROPPED - QUERY_ASKED] = "dropped",
        [QUERY_GAVE_UP - QUERY_ASKED] = "timeout",
        [QUERY_PART_FAILED - QUERY_ASKED] = "no part",
        [QUERY_AGAIN - QUERY_ASKED] = "missing",
        [QUERY_WHOLE - QUERY_ASKED] = "whole",
        [QUERY_PARTIAL - QUERY_ASKED] = "partial",
        [QUERY_SILENT - QUERY_ASKED] = "whole (it is not)",
        [QUERY_FAILED - QUERY_ASKED] = "failed",
        [QUERY_ROUTER_DIED - QUERY_ASKED] = "failed",
        [QUERY_NO_ROOM - QUERY_ASKED] = "failed",
        [QUERY_RESULT - QUERY_ASKED] = "result",
        [QUERY_MAP - QUERY_ASKED] = "map?",
    };
    if (r->kind == TRACE_COMMAND) {
        static const char *const commands[] = {"query", "gather", "popular", "times"};
        str_add(out, commands[r->operand[0] - COMMAND_QUERY]);
        return;
    }
    const char *label = labels[r->reason - QUERY_ASKED];
    if (label != NULL) {
        str_add(out, label);
    } else if ((int)r->reason == QUERY_FROM_RESULT) {
        str_addf(out, "result, %s old", num_span(r->operand[1]).text);
    } else if ((int)r->reason == QUERY_MERGED) {
        str_addf(out, "merged S%u", r->target);
    } else if ((int)r->reason == QUERY_REPLIED || (int)r->reason == QUERY_FOLLOWER) {
        str_addf(out, "part, %s", num_span(r->operand[1]).text);
    } else {
        str_add(out, name_of(w, r));
    }
}
