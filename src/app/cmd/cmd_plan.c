/*
 * cmd_plan: `hotshard plan`: what a change of the number of shards does to a person's own keys.
 */
#include "app/cmd/cli.h"
#include "app/cmd/plan_print.h"
#include "app/keys_read.h"
#include "app/watch.h"
#include "base/near.h"
#include <stdio.h>
#include <string.h>

#define SYNTHETIC_DEFAULT 10000
#define TOKENS_DEFAULT 100
#define LOOKUP_KEYS ((size_t)1 << 14)
#define MEASURE_ROUNDS 5
#define WATCH_UNITS ((size_t)8192)          /* a watch looks up at multiples of that */
#define MEASURE_ENOUGH_NS INT64_C(20000000) /* no further round after so long */

struct plan_job {
    struct plan_scheme scheme[PLAN_SCHEMES_MAX];
    size_t schemes;
    bool named; /* by --scheme: whoever is named is refused, not left out */
    struct plan_change change;
    struct keyset *keys;
    size_t ending_in_return;
};

static bool refuse_scheme(const char *name, struct err *err)
{
    const char *names[PLAN_SCHEMES_MAX];
    size_t count = 0;
    struct str list = STR_EMPTY;
    for (size_t i = 0; scheme_at(i); i++) {
        if (plan_can(scheme_at(i)) && count < PLAN_SCHEMES_MAX) {
            str_addf(&list, "%s%s", count > 0 ? ", " : "", scheme_at(i)->name);
            names[count++] = scheme_at(i)->name;
        }
    }
    const char *near = near_name(name, names, count);
    if (scheme_by_name(name)) {
        err_set(err,
                "scheme \"%s\" has no rule to plan by, people decide what moves; use one of %s",
                name, str_text(&list));
    } else if (near) {
        err_set(err, "unknown scheme \"%s\", did you mean %s? There are %s",
                err_word(name, 60).text, near, str_text(&list));
    } else {
        err_set(err, "unknown scheme \"%s\"; there are %s", err_word(name, 60).text,
                str_text(&list));
    }
    str_free(&list);
    return false;
}

static bool read_hash(const struct cli *cli, enum hash_id *hash, struct err *err)
{
    const char *name = cli_value(cli, "hash");
    *hash = HASH_COUNT;
    if (!name || hash_by_name(name, hash)) {
        return true;
    }
    struct str list = STR_EMPTY;
    for (int i = 0; i < HASH_COUNT; i++) {
        str_addf(&list, "%s%s", i > 0 ? ", " : "", hash_name((enum hash_id)i));
    }
    err_set(err, "unknown hash \"%s\"; there are %s", err_word(name, 60).text, str_text(&list));
    str_free(&list);
    return false;
}

static void say_own_hash(const struct scheme *scheme, enum hash_id hash, struct err *err)
{
    err_set(err, "%s has a hash of its own, %s, without which it is not %s; leave --hash %s out",
            scheme->name, hash_name(scheme->default_hash), scheme->name, hash_name(hash));
}

static bool read_named(const struct cli *cli, struct plan_job *job, struct plan_scheme wanted,
                       struct err *err)
{
    enum hash_id hash = wanted.params.hash;
    for (size_t n = 0; cli_values(cli, "scheme", n); n++) {
        const char *name = cli_values(cli, "scheme", n);
        const struct scheme *scheme = scheme_by_name(name);
        if (!scheme || !plan_can(scheme)) {
            return refuse_scheme(name, err);
        }
        if (hash != HASH_COUNT && !plan_can_hash(scheme, hash)) {
            say_own_hash(scheme, hash, err);
            return false;
        }
        if (job->schemes == PLAN_SCHEMES_MAX) {
            return err_set(err, "at most %d schemes at once", PLAN_SCHEMES_MAX);
        }
        job->scheme[job->schemes++] =
            plan_scheme_of(scheme, hash, wanted.params.slots, wanted.params.tokens);
    }
    return true;
}

/* All there are; those with a hash of their own keep it. */
static void take_all(struct plan_job *job, struct plan_scheme wanted)
{
    enum hash_id hash = wanted.params.hash;
    struct str own = STR_EMPTY;
    for (size_t i = 0; scheme_at(i) && job->schemes < PLAN_SCHEMES_MAX; i++) {
        const struct scheme *scheme = scheme_at(i);
        if (!plan_can(scheme)) {
            continue;
        }
        bool takes = hash == HASH_COUNT || plan_can_hash(scheme, hash);
        job->scheme[job->schemes++] = plan_scheme_of(scheme, takes ? hash : HASH_COUNT,
                                                     wanted.params.slots, wanted.params.tokens);
        if (!takes) {
            str_addf(&own, "%s%s", own.length > 0 ? ", " : "", scheme->name);
        }
    }
    if (own.length > 0) {
        cli_note("--hash %s is not for %s, whose own hash is part of the scheme", hash_name(hash),
                 str_text(&own));
    }
    str_free(&own);
}

static bool read_schemes(const struct cli *cli, struct plan_job *job, struct err *err)
{
    struct plan_scheme wanted = {.scheme = NULL};
    uint64_t slots = 0;
    uint64_t tokens = 0;
    if (!read_hash(cli, &wanted.params.hash, err) ||
        !cli_number(cli, "slots", 1, LAYOUT_SLOTS_MAX, SLOT_COUNT, &slots, err) ||
        !cli_number(cli, "tokens", 1, LAYOUT_TOKENS_MAX, TOKENS_DEFAULT, &tokens, err)) {
        return false;
    }
    wanted.params.slots = (uint32_t)slots;
    wanted.params.tokens = (uint32_t)tokens;
    job->named = cli_has(cli, "scheme");
    if (job->named) {
        return read_named(cli, job, wanted, err);
    }
    take_all(job, wanted);
    return true;
}

static bool read_change(const struct cli *cli, struct plan_change *change, struct err *err)
{
    uint64_t from = 0;
    uint64_t to = 0;
    uint64_t removed = 0;
    if (!cli_has(cli, "from") || (!cli_has(cli, "to") && !cli_has(cli, "remove"))) {
        return err_set(err, "plan needs --from N and --to M (or --remove ID), the number of shards "
                            "before and after");
    }
    uint64_t to_default = 1;
    if (!cli_number(cli, "from", 1, LAYOUT_SHARDS_MAX, 1, &from, err)) {
        return false;
    }
    to_default = from > 1 ? from - 1 : 1;
    if (!cli_number(cli, "to", 1, LAYOUT_SHARDS_MAX, to_default, &to, err) ||
        !cli_number(cli, "remove", 0, LAYOUT_SHARDS_MAX, 0, &removed, err)) {
        return false;
    }
    *change = (struct plan_change){
        .from = (uint32_t)from,
        .to = (uint32_t)to,
        .removed = cli_has(cli, "remove") ? (uint32_t)removed : PLAN_NONE_REMOVED,
    };
    return true;
}

/* A scheme that cannot do it is refused if it was named, else left out with a note. */
static bool check_schemes(struct plan_job *job, size_t keys, struct err *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < job->schemes; i++) {
        if (plan_check(&job->scheme[i], &job->change, keys, err)) {
            job->scheme[kept++] = job->scheme[i];
        } else if (job->named) {
            return false;
        } else {
            cli_note("%s is left out: %s", job->scheme[i].scheme->name, err->text);
        }
    }
    job->schemes = kept;
    return kept > 0 || err_set(err, "no scheme can do this change; take fewer shards or keys");
}

static bool read_keys(const struct cli *cli, struct plan_job *job, struct err *err)
{
    const char *path = cli_value(cli, "keys");
    if (path && cli_has(cli, "synthetic")) {
        return err_set(err, "--keys and --synthetic exclude each other; give one of them");
    }
    uint64_t count = 0;
    if (!cli_number(cli, "synthetic", 1, KEYSET_KEYS_MAX, SYNTHETIC_DEFAULT, &count, err)) {
        return false;
    }
    job->keys = keyset_new();
    return path ? keys_read_file(job->keys, path, &job->ending_in_return, err)
                : keys_read_synthetic(job->keys, count, err);
}

/* Nanoseconds for all of the keys; where their bytes decide, those are looked up. */
static int64_t look_up(const struct layout *layout, const struct keyset *keys,
                       const uint64_t *hashes, size_t count)
{
    volatile uint32_t sink = 0; /* so that no compiler drops the work */
    uint32_t sum = 0;
    bool by_key = (layout_scheme(layout)->traits & SCHEME_BY_KEY) != 0;
    int64_t start = clock_ns();
    for (size_t i = 0; by_key && i < count; i++) {
        sum += layout_owner(layout, keyset_key(keys, i));
    }
    for (size_t i = 0; !by_key && i < count; i++) {
        sum += layout_owner_of_hash(layout, hashes[i]);
    }
    int64_t took = clock_ns() - start;
    sink = sum;
    (void)sink;
    return took;
}

/* The best of a few rounds. */
static double measure_lookup(const struct layout *layout, struct keyset *keys)
{
    const struct layout_params *params = layout_params_of(layout);
    const uint64_t *hashes = keyset_hashes(keys, params->hash, params->tags);
    size_t count = keyset_count(keys) < LOOKUP_KEYS ? keyset_count(keys) : LOOKUP_KEYS;
    int64_t best = INT64_MAX;
    int64_t spent = 0;
    for (int round = 0; round < MEASURE_ROUNDS && spent < MEASURE_ENOUGH_NS; round++) {
        int64_t took = look_up(layout, keys, hashes, count);
        best = took < best ? took : best;
        spent += took;
    }
    return (double)best / (double)count;
}

static double measure_build(const struct plan_scheme *p, uint32_t shards)
{
    int64_t best = INT64_MAX;
    int64_t spent = 0;
    for (int round = 0; round < MEASURE_ROUNDS && spent < MEASURE_ENOUGH_NS; round++) {
        int64_t start = clock_ns();
        struct layout *layout = layout_new(p->scheme, &p->params, shards, NULL);
        int64_t took = clock_ns() - start;
        layout_free(layout);
        best = took < best ? took : best;
        spent += took;
    }
    return (double)best / 1000;
}

static bool compute_all(struct plan_job *job, struct plan_row *row, struct err *err)
{
    struct watch watch = watch_start("placing the keys", "keys");
    size_t about = keyset_count(job->keys) / WATCH_UNITS * WATCH_UNITS;
    bool good = true;
    for (size_t i = 0; good && i < job->schemes; i++) {
        watch_look(&watch, about, (int64_t)i, (int64_t)job->schemes);
        row[i].scheme = &job->scheme[i];
        good = plan_compute(&job->scheme[i], &job->change, job->keys, &row[i].result, err);
        if (good) {
            row[i].lookup_ns = measure_lookup(row[i].result.after, job->keys);
            row[i].build_us = measure_build(&job->scheme[i], job->change.to);
        }
    }
    watch_end(&watch);
    return good;
}

static bool prepare(struct cli *cli, struct plan_job *job, struct err *err)
{
    return read_change(cli, &job->change, err) && plan_check_change(&job->change, err) &&
           read_schemes(cli, job, err) && check_schemes(job, 0, err) && read_keys(cli, job, err) &&
           check_schemes(job, keyset_count(job->keys), err);
}

static int run_plan(struct cli *cli)
{
    struct err err;
    struct plan_job job = {.schemes = 0};
    struct plan_row row[PLAN_SCHEMES_MAX] = {{.scheme = NULL}};
    int status = CLI_YES;
    if (cli->arguments > 0) {
        return cli_usage(cli, "plan takes options only, not \"%s\"",
                         err_word(cli->argument[0], 60).text);
    }
    if (!prepare(cli, &job, &err) || !compute_all(&job, row, &err)) {
        status = cli_fail(&err);
    } else if (cli->options.json) {
        plan_print_json(row, job.schemes);
    } else {
        struct plan_look look = {.ascii = cli->options.ascii,
                                 .made_up = !cli_has(cli, "keys"),
                                 .bars = cli_has(cli, "bars")};
        plan_print_text(row, job.schemes, &job.change, look);
    }
    if (status == CLI_YES && job.ending_in_return == keyset_count(job.keys)) {
        cli_note("every key ends in a carriage return, which is part of the key; was the file "
                 "written on Windows?");
    }
    for (size_t i = 0; i < job.schemes; i++) {
        plan_result_free(&row[i].result);
    }
    keyset_free(job.keys);
    return status;
}

static const struct cli_option plan_options[] = {
    {"from", "N", "shards before, 1 to 65535"},
    {"to", "M", "shards after; fewer removes the highest ids"},
    {"remove", "ID", "take this shard out first (0 is S0); without --to that is all"},
    {"scheme", "S", "one scheme, may be repeated; without it all (listed below)"},
    {"hash", "H", "one hash for all (listed below); default crc16 for slots, else mix64"},
    {"slots", "K", "slots of the scheme slots (default 16384)"},
    {"tokens", "V", "tokens a shard, for schemes with a ring (default 100)"},
    {"keys", "FILE", "your keys, one a line, any bytes but newline; - is standard input"},
    {"synthetic", "K", "K made-up keys k0, k1, k2 ... (default 10000)"},
    {"bars", NULL, "draw every shard of every scheme"},
    {NULL, NULL, NULL},
};

const struct cli_command command_plan = {
    .name = "plan",
    .arguments = "--from N --to M",
    .about = "what adding or removing shards does to your own keys",
    .help =
        "Places the same keys by each scheme, before and after, and counts which of them change\n"
        "shard. With crc16 only a key's tag is hashed and slots are dealt in even runs, as Redis\n"
        "Cluster does; other hashes take the whole key, and slots go round the shards.\n"
        "\n"
        "  schemes  mod-n ring slots range jump rendezvous maglev ketama bounded-load, and those\n"
        "           of systems: kafka cassandra kinesis. A directory moves what people decide.\n"
        "  hashes   crc16 fnv1a fnv1a64 mix64 murmur2 murmur3 md5 cassandra xxh64. ketama, kafka,\n"
        "           cassandra and kinesis have their own; range hashes nothing.\n"
        "\n"
        "All keys stay in memory, 100,000,000 at most. A key of seven bytes takes about 45 with\n"
        "one scheme (range: 75) and 90 with all: 90 MB for a million keys, 9 GB for the most.\n"
        "\n"
        "  hotshard plan --from 4 --to 5 --keys keys.txt\n"
        "  hotshard plan --from 10 --remove 3 --scheme jump --scheme rendezvous\n"
        "\n"
        "JSON, one line a scheme: scheme, hash (null: none), keys, moved, moved_share,\n"
        "busiest_over_average (after the change), per_shard (keys after, in order of id),\n"
        "from_shards (how many shards gave keys), lookup_ns (measured, after the hash),\n"
        "memory_bytes (of a router), moved_old_to_old (keys that left a shard that stays for\n"
        "another that stays), spread (standard deviation over the mean), build_us (measured),\n"
        "shards.",
    .option = plan_options,
    .run = run_plan,
};
