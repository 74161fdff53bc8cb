/*
 * hot_json: the JSON lines of hot_print.h: keys, then schemes, then changes, then the log itself.
 */
#include "app/cmd/hot_print.h"
#include "app/cmd/json.h"
#include <inttypes.h>
#include <stdio.h>

static void set_amount(json_t *line, const char *name, const struct hot_report *r, uint64_t amount)
{
    json_set_whole(line, name, (int64_t)hot_scaled(r, amount));
}

static void set_shard(json_t *line, const char *name, uint32_t id)
{
    char text[16];
    snprintf(text, sizeof text, "S%" PRIu32, id);
    json_set_text(line, name, text);
}

static double share_of(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0;
}

static void print_key(const struct hot_report *r, const struct hot_key *key)
{
    json_t *line = json_line();
    json_set_bytes(line, "key", key->key);
    set_amount(line, "count", r, key->count);
    set_amount(line, "error", r, key->error);
    json_set_ratio(line, "share", share_of(key->count, r->accesses));
    if (key->placed) {
        json_set_whole(line, "slot", key->slot);
        set_shard(line, "shard", key->shard);
    } else {
        json_set(line, "slot", json_null());
        json_set(line, "shard", json_null());
    }
    json_set_whole(line, "bytes", (int64_t)key->length);
    set_amount(line, "reads", r, key->reads);
    set_amount(line, "writes", r, key->writes);
    json_print(line);
}

static void print_load(const struct hot_report *r, const struct hot_load *load)
{
    json_t *line = json_line();
    json_set_text(line, "scheme", load->scheme->name);
    bool by_bytes = (load->scheme->traits & SCHEME_BY_KEY) != 0;
    json_set_text(line, "hash", by_bytes ? NULL : hash_name(load->hash));
    json_set(line, "busiest_over_average",
             load->known ? json_real(load->over_average) : json_null());
    json_set(line, "busiest_share",
             load->known ? json_real(share_of(load->busiest, r->accesses)) : json_null());
    json_t *list = load->known ? json_array() : json_null();
    for (uint32_t s = 0; load->known && s < r->shards; s++) {
        json_push(list, json_integer((json_int_t)hot_scaled(r, load->amount[s])));
    }
    json_set(line, "per_shard", list);
    json_print(line);
}

static void print_change(const struct hot_report *r, const char *name, const struct hot_change *c,
                         const char *assumption)
{
    if (!c->known) {
        return;
    }
    json_t *line = json_line();
    json_set_text(line, "change", name);
    json_set_text(line, "assumption", assumption);
    set_amount(line, "busiest_before", r, c->before);
    set_amount(line, "busiest_after", r, c->after);
    set_shard(line, "shard_before", c->before_id);
    set_shard(line, "shard_after", c->after_id);
    set_amount(line, "total_after", r, c->total_after);
    set_amount(line, "reads", r, c->reads);
    set_amount(line, "answered", r, c->taken);
    json_print(line);
}

static void print_log(const struct hot_report *r)
{
    json_t *line = json_line();
    json_set_text(line, "form", log_form_name(r->form));
    json_set_text(line, "found", r->why);
    json_set_whole(line, "lines", (int64_t)r->counts->lines);
    json_set_whole(line, "requests", (int64_t)r->counts->requests);
    json_set_whole(line, "sample", (int64_t)r->sample);
    json_set_whole(line, "taken", (int64_t)r->requests);
    set_amount(line, "accesses", r, r->accesses);
    set_amount(line, "reads", r, r->reads);
    set_amount(line, "writes", r, r->writes);
    json_set(line, "keys", r->exact ? json_integer((json_int_t)r->keys) : json_null());
    json_set(line, "exact", json_boolean(r->exact));
    json_set_whole(line, "sure", (int64_t)r->sure);
    json_set_whole(line, "hottest_slot", r->slot);
    set_amount(line, "hottest_slot_requests", r, r->slot_requests);
    json_set(line, "span_us", r->timed ? json_integer((json_int_t)r->span_us) : json_null());
    json_set_whole(line, "keyless", (int64_t)r->counts->keyless);
    json_set_whole(line, "scripts", (int64_t)r->counts->scripts);
    json_set_whole(line, "cluster", (int64_t)r->counts->cluster);
    json_set_whole(line, "unknown", (int64_t)r->counts->unknown);
    json_t *names = json_line();
    for (size_t i = 0; i < LOG_UNKNOWN_NAMES && r->counts->unknown_name[i].count > 0; i++) {
        json_set_whole(names, r->counts->unknown_name[i].name,
                       (int64_t)r->counts->unknown_name[i].count);
    }
    json_set(line, "unknown_names", names);
    json_set_whole(line, "other_db", (int64_t)r->counts->other_db);
    json_set_whole(line, "odd_lines", (int64_t)r->counts->odd);
    json_print(line);
}

void hot_print_json(const struct hot_report *r)
{
    static const char *const cache[] = {
        [HOT_CACHE_TIMED] = "one router keeps each answer for 1 s",
        [HOT_CACHE_READS] = "every read finds an answer",
        [HOT_CACHE_ANY] = "every access is a read that finds an answer",
    };
    for (size_t i = 0; i < r->key_count; i++) {
        print_key(r, &r->key[i]);
    }
    for (size_t i = 0; i < r->load_count; i++) {
        print_load(r, &r->load[i]);
    }
    print_change(r, "salt", &r->salt,
                 r->knows_use ? "a write goes to one of 8 sub-keys, a read asks all"
                              : "every access is a write, to one of 8 sub-keys");
    print_change(r, "cache", &r->cache, cache[r->cache_how]);
    print_log(r);
}
