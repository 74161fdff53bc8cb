/*
 * cmd_plan: `hotshard plan`: what a change of the number of shards does to a person's own keys.
 */
#include "app/cli.h"
#include "app/keys_read.h"
#include "app/plan_print.h"
#include "base/alloc.h"
#include "base/near.h"
#include <stdio.h>
#include <string.h>

#define SYNTHETIC_DEFAULT 10000
#define LOOKUP_KEYS ((size_t)1 << 16)
#define LOOKUP_ROUNDS 5

struct plan_job {
    struct plan_scheme scheme[PLAN_SCHEMES_MAX];
    size_t hashes_of[PLAN_SCHEMES_MAX]; /* which list of hashes a scheme reads */
    struct layout *hasher[PLAN_SCHEMES_MAX];
    size_t schemes;
    struct plan_change change;
    struct key_hashes keys;
};

static bool take_scheme(struct plan_job *job, const struct scheme *scheme, enum hash_id hash,
                        uint32_t slots, struct err *err)
{
    if (job->schemes == PLAN_SCHEMES_MAX) {
        return err_set(err, "at most %d schemes at once", PLAN_SCHEMES_MAX);
    }
    job->scheme[job->schemes++] = plan_scheme_of(scheme, hash, slots);
    return true;
}

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

static bool read_schemes(const struct cli *cli, struct plan_job *job, struct err *err)
{
    enum hash_id hash;
    uint64_t slots = 0;
    if (!read_hash(cli, &hash, err) ||
        !cli_number(cli, "slots", 1, LAYOUT_SLOTS_MAX, SLOT_COUNT, &slots, err)) {
        return false;
    }
    for (size_t n = 0; cli_values(cli, "scheme", n); n++) {
        const char *name = cli_values(cli, "scheme", n);
        const struct scheme *scheme = scheme_by_name(name);
        if (!scheme || !plan_can(scheme)) {
            return refuse_scheme(name, err);
        }
        if (!take_scheme(job, scheme, hash, (uint32_t)slots, err)) {
            return false;
        }
    }
    for (size_t i = 0; !cli_has(cli, "scheme") && scheme_at(i); i++) {
        if (plan_can(scheme_at(i)) && !take_scheme(job, scheme_at(i), hash, (uint32_t)slots, err)) {
            return false;
        }
    }
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

/* One list of hashes for all schemes that hash alike. */
static bool make_hashers(struct plan_job *job, struct err *err)
{
    for (size_t i = 0; i < job->schemes; i++) {
        size_t same = 0;
        while (same < i && !plan_hashes_alike(&job->scheme[same], &job->scheme[i])) {
            same++;
        }
        if (same < i) {
            job->hashes_of[i] = job->hashes_of[same];
            continue;
        }
        const struct plan_scheme *p = &job->scheme[i];
        job->hasher[i] = layout_new(p->scheme, &p->params, 1, err);
        if (!job->hasher[i]) {
            return false;
        }
        job->hashes_of[i] = job->keys.hashers;
        job->keys.hasher[job->keys.hashers++] = job->hasher[i];
    }
    return true;
}

static bool read_keys(const struct cli *cli, struct plan_job *job, struct err *err)
{
    const char *path = cli_value(cli, "keys");
    if (path && cli_has(cli, "synthetic")) {
        return err_set(err, "--keys and --synthetic exclude each other; give one of them");
    }
    if (path) {
        return keys_read_file(&job->keys, path, err);
    }
    uint64_t count = 0;
    if (!cli_number(cli, "synthetic", 1, KEYS_MAX, SYNTHETIC_DEFAULT, &count, err)) {
        return false;
    }
    keys_read_synthetic(&job->keys, count);
    return true;
}

/* Nanoseconds from a key's hash to its shard, the best of a few rounds. */
static double measure_lookup(const struct layout *layout, const uint64_t *hashes, size_t count)
{
    size_t used = count < LOOKUP_KEYS ? count : LOOKUP_KEYS;
    double best = 0;
    volatile uint32_t sink = 0; /* so that no compiler drops the work */
    for (int round = 0; round < LOOKUP_ROUNDS; round++) {
        int64_t start = clock_ns();
        uint32_t sum = 0;
        for (size_t i = 0; i < used; i++) {
            sum += layout_owner_of_hash(layout, hashes[i]);
        }
        sink = sink + sum;
        double ns = (double)(clock_ns() - start) / (double)used;
        best = round == 0 || ns < best ? ns : best;
    }
    return best;
}

static bool compute_all(struct plan_job *job, struct plan_row *row, struct err *err)
{
    for (size_t i = 0; i < job->schemes; i++) {
        const uint64_t *hashes = job->keys.hash[job->hashes_of[i]];
        row[i].scheme = &job->scheme[i];
        if (!plan_compute(&job->scheme[i], &job->change, hashes, job->keys.count, &row[i].result,
                          err)) {
            return false;
        }
        row[i].lookup_ns = measure_lookup(row[i].result.after, hashes, job->keys.count);
    }
    return true;
}

static bool prepare(struct cli *cli, struct plan_job *job, struct err *err)
{
    if (!read_change(cli, &job->change, err) || !read_schemes(cli, job, err)) {
        return false;
    }
    for (size_t i = 0; i < job->schemes; i++) {
        if (!plan_check(&job->scheme[i], &job->change, err)) {
            return false;
        }
    }
    return make_hashers(job, err) && read_keys(cli, job, err);
}

static int run_plan(struct cli *cli)
{
    struct err err;
    struct plan_job job = {.schemes = 0};
    struct plan_row row[PLAN_SCHEMES_MAX] = {{.scheme = NULL}};
    uint64_t tokens = 0;
    int status = CLI_YES;
    if (cli->arguments > 0) {
        return cli_usage(cli, "plan takes options only, not \"%s\"",
                         err_word(cli->argument[0], 60).text);
    }
    if (!cli_number(cli, "tokens", 1, 65535, 100, &tokens, &err) || !prepare(cli, &job, &err) ||
        !compute_all(&job, row, &err)) {
        status = cli_fail(&err);
    } else if (cli->options.json) {
        plan_print_json(row, job.schemes);
    } else {
        plan_print_text(row, job.schemes, &job.change);
    }
    if (status == CLI_YES && job.keys.ending_in_return == job.keys.count) {
        cli_note("every key ends in a carriage return, which is part of the key; was the file "
                 "written on Windows?");
    }
    for (size_t i = 0; i < job.schemes; i++) {
        plan_result_free(&row[i].result);
        layout_free(job.hasher[i]);
    }
    keys_free(&job.keys);
    return status;
}

static const struct cli_option plan_options[] = {
    {"from", "N", "shards before, 1 to 65535"},
    {"to", "M", "shards after; fewer removes the highest ids"},
    {"remove", "ID", "take this shard out first (0 is S0); without --to that is all"},
    {"scheme", "S", "mod-n or slots, may be repeated; without it all"},
    {"hash", "H", "crc16, fnv1a, fnv1a64 or mix64; default crc16 for slots, else mix64"},
    {"slots", "K", "slots of the scheme slots (default 16384)"},
    {"tokens", "V", "tokens a shard, for schemes with a ring (default 100)"},
    {"keys", "FILE", "your keys, one a line, any bytes but newline; - is standard input"},
    {"synthetic", "K", "K made-up keys k0, k1, k2 ... (default 10000)"},
    {NULL, NULL, NULL},
};

const struct cli_command command_plan = {
    .name = "plan",
    .arguments = "--from N --to M",
    .about = "what adding or removing shards does to your own keys",
    .help =
        "Places the same keys by each scheme, before and after, and counts which of them change\n"
        "shard. With crc16 only a key's tag is hashed, as Redis Cluster does; other hashes take\n"
        "the whole key.\n"
        "Of each key 8 bytes are kept, 16 where two hashes are wanted; 100,000,000 keys at most,\n"
        "which is 1.6 GB.\n"
        "\n"
        "  hotshard plan --from 4 --to 5 --keys keys.txt\n"
        "\n"
        "JSON, one line a scheme: scheme, hash, keys, moved, moved_share, busiest_over_average\n"
        "(after the change), per_shard (keys after, in order of id), from_shards (how many\n"
        "shards gave keys), lookup_ns (measured), memory_bytes, shards.",
    .option = plan_options,
    .run = run_plan,
};
