/*
 * guards_say: the guards' records in words.
 */
#include "base/utf8.h"
#include "engine/guards/guards_inside.h"
#include "engine/words/say.h"
#include "place/key.h"
#include <inttypes.h>

#define LABEL_KEY_BYTES 16

static void add_key(const struct world *w, uint32_t key, struct str *out)
{
    struct bytes bytes = world_key(w, key);
    utf8_visible(out, bytes.at, bytes.length);
}

/* What stands for all keys that go together. */
static void add_tag(const struct world *w, uint32_t key, struct str *out)
{
    struct bytes tag = key_tag(world_key(w, key));
    utf8_visible(out, tag.at, utf8_fit(tag.at, tag.length, LABEL_KEY_BYTES));
}

static void add_tenant(const struct world *w, int64_t tenant, struct str *out)
{
    struct bytes name = guards_tenant(w, (uint32_t)tenant).name;
    utf8_visible(out, name.at, name.length);
}

static void say_limit(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->operand[1] == 0) {
        str_add(out, "routers limit ");
    } else {
        str_addf(out, "routers let %s requests a second pass, each its part, for ",
                 num_grouped(r->operand[1]).text);
    }
    if (r->key == KEY_NONE_ID) {
        str_add(out, "all keys of ");
        add_tenant(w, r->operand[2], out);
    } else {
        add_key(w, r->key, out);
    }
    str_add(out, r->operand[1] == 0 ? " no longer" : "; the rest gets a 429");
}

static void say_clients(const struct trace_record *r, struct str *out)
{
    unsigned packed = (unsigned)r->operand[1];
    unsigned budget = packed >> 12;
    switch ((enum client_policy)(packed & 15)) {
    case CLIENTS_NONE:
        str_add(out, "clients that are turned away give up");
        return;
    case CLIENTS_AT_ONCE:
        str_addf(out, "clients that are turned away ask again at once, up to %u times",
                 packed >> 4 & 15);
        break;
    case CLIENTS_BACKOFF:
        str_addf(out,
                 "clients that are turned away ask again up to %u times, first after %s, then "
                 "each time after twice as long",
                 packed >> 4 & 15, num_span(r->operand[2]).text);
        break;
    }
    str_add(out, (packed >> 8 & 15) != 0 ? ", or a random part of it" : "");
    if (budget > 0) {
        str_addf(out, "; at most %u repeats for 100 first asks", budget);
    }
}

static void say_breaker(const struct trace_record *r, struct str *out)
{
    if (r->value == 0) {
        str_add(out, "routers ask every shard, whatever it answers");
        return;
    }
    str_addf(out,
             "a router stops asking a shard for %s when %" PRId64 "%% of its answers are failures",
             num_span(r->operand[2]).text, r->operand[1]);
}

static void say_counted(const struct world *w, const struct trace_record *r, enum command_kind kind,
                        struct str *out)
{
    int64_t count = r->operand[1];
    if (kind == COMMAND_SHED && count == 0) {
        str_add(out, "a router may have any number of requests in hand");
    } else if (kind == COMMAND_SHED) {
        str_addf(out, "a router may have %s requests in hand, and turns away the rest with a 503",
                 num_grouped(count).text);
    } else if (kind == COMMAND_SHARE) {
        add_tenant(w, r->operand[2], out);
        if (count == 0) {
            str_add(out, " may use a router whole");
        } else {
            str_addf(out, " may use %" PRId64 "%% of what a router may have in hand", count);
        }
    } else if (count == 0) {
        str_add(out, "routers sample no requests");
    } else {
        str_addf(out, "routers count 1 in %s requests by key; a report every %s",
                 num_grouped(count).text, num_span(r->operand[2]).text);
    }
}

static void say_command(const struct world *w, const struct trace_record *r, struct str *out)
{
    enum command_kind kind = (enum command_kind)r->operand[0];
    if (kind == COMMAND_LIMIT) {
        say_limit(w, r, out);
    } else if (kind == COMMAND_TENANT) {
        add_key(w, r->key, out);
        str_add(out, " belongs to ");
        add_tenant(w, r->operand[1], out);
    } else if (kind == COMMAND_CLIENTS) {
        say_clients(r, out);
    } else if (kind == COMMAND_BREAKER) {
        say_breaker(r, out);
    } else {
        say_counted(w, r, kind, out);
    }
}

static void say_part(const char *what, int64_t part, uint64_t whole, struct str *out)
{
    str_addf(out, "%s%% of its %s (%" PRId64 " of %" PRIu64 " sampled)",
             num_ratio(part, (int64_t)whole, 1).text, what, part, whole);
}

static void say_hot(const struct world *w, const struct trace_record *r, struct str *out)
{
    add_tag(w, r->key, out);
    str_add(out, " is hot: ");
    if ((r->target & HOT_WRITES) != 0) {
        say_part("writes", r->operand[0], (uint64_t)r->operand[2], out);
    }
    str_add(out, r->target == HOT_BOTH ? " and " : "");
    if ((r->target & HOT_READS) != 0) {
        say_part("reads", r->operand[1], r->value, out);
    }
}

void guards_say(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_COMMAND) {
        say_command(w, r, out);
        return;
    }
    switch ((enum guard_reason)r->reason) {
    case REASON_LIMIT_KEY:
        str_addf(out, "; this key may have %" PRId64 " a second here", r->operand[0]);
        return;
    case REASON_LIMIT_TENANT:
        str_add(out, "; ");
        add_tenant(w, r->target, out);
        str_addf(out, " may have %" PRId64 " a second here", r->operand[0]);
        return;
    case REASON_SHED:
        str_addf(out, ", it has %" PRId64 " requests in hand", r->operand[0]);
        return;
    case REASON_SHARE:
        str_addf(out, ", it has %" PRId64 " requests of ", r->operand[0]);
        add_tenant(w, r->target, out);
        str_add(out, " in hand");
        return;
    case REASON_BREAKER:
        str_addf(out, ", it asks S%" PRId64 " nothing for the moment", r->operand[1]);
        return;
    case REASON_AGAIN:
        say_request(w, r, out);
        str_add(out, ", once more");
        return;
    case REASON_CLIENT_WAITS:
        str_addf(out, "waits %s, then asks again: ", num_span(r->operand[0]).text);
        say_request(w, r, out);
        return;
    case REASON_BREAKER_OPENS:
        str_addf(out,
                 "asks S%u no more for %s: %" PRId64 " of its last %" PRId64
                 " answers were failures",
                 r->target, num_span(r->operand[2]).text, r->operand[0], r->operand[1]);
        return;
    case REASON_BREAKER_PROBES:
        str_addf(out, "lets one request through to S%u, to see whether it answers again",
                 r->target);
        return;
    case REASON_BREAKER_CLOSES:
        str_addf(out, "asks S%u again as before", r->target);
        return;
    case REASON_HOT_KEY:
        say_hot(w, r, out);
        return;
    }
    CHECK(false && "no record of the guards");
}

static void label_command(const struct trace_record *r, struct str *out)
{
    switch ((int)r->operand[0]) {
    case COMMAND_LIMIT:
        str_addf(out, "limit %s", r->operand[1] == 0 ? "off" : num_grouped(r->operand[1]).text);
        return;
    case COMMAND_TENANT:
        str_add(out, "tenant");
        return;
    case COMMAND_CLIENTS:
        str_add(out, (r->operand[1] & 15) == CLIENTS_NONE ? "no repeats" : "repeats");
        return;
    case COMMAND_BREAKER:
        str_addf(out, "breaker %s", r->value != 0 ? "on" : "off");
        return;
    case COMMAND_SHED:
        str_addf(out, "shed %s", r->operand[1] == 0 ? "off" : num_grouped(r->operand[1]).text);
        return;
    case COMMAND_SHARE:
        str_addf(out, "share %" PRId64 "%%", r->operand[1] == 0 ? 100 : r->operand[1]);
        return;
    case COMMAND_SAMPLE:
        str_addf(out, "sample %s", r->operand[1] == 0 ? "off" : num_grouped(r->operand[1]).text);
        return;
    default:
        break;
    }
    CHECK(false && "no command of the guards");
}

void guards_label(const struct world *w, const struct trace_record *r, struct str *out)
{
    if (r->kind == TRACE_COMMAND) {
        label_command(r, out);
        return;
    }
    switch ((enum guard_reason)r->reason) {
    case REASON_AGAIN:
        str_addf(out, "again %s ", op_name((enum op_kind)r->op));
        add_tag(w, r->key, out);
        return;
    case REASON_CLIENT_WAITS:
        str_addf(out, "wait %s", num_span(r->operand[0]).text);
        return;
    case REASON_BREAKER_OPENS:
        str_addf(out, "S%u: open", r->target);
        return;
    case REASON_BREAKER_PROBES:
        str_addf(out, "S%u: probe", r->target);
        return;
    case REASON_BREAKER_CLOSES:
        str_addf(out, "S%u: closed", r->target);
        return;
    case REASON_HOT_KEY:
        str_add(out, "hot ");
        add_tag(w, r->key, out);
        return;
    case REASON_LIMIT_KEY:
    case REASON_LIMIT_TENANT:
    case REASON_SHED:
    case REASON_SHARE:
    case REASON_BREAKER: /* replies have the label of their outcome */
        break;
    }
    CHECK(false && "no record of the guards");
}
