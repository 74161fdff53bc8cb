/*
 * hot_print: see hot_print.h. Every amount is scaled back here when the log was sampled.
 */
#include "app/cmd/hot_print.h"
#include "app/cmd/cli.h"
#include "base/num.h"
#include "base/utf8.h"
#include "draw/prose.h"
#include "place/bounded.h"
#include <inttypes.h>
#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define TEXT_COLUMNS 80
#define SHARD_COLUMNS_MAX 6 /* more shards than that do not stand side by side */
#define BAR_COLUMNS 12
#define BAR_COLUMNS_LOAD 24
#define KEY_BYTES_SHOWN ((size_t)400)

struct hot_page {
    const struct hot_report *report;
    bool ascii;
};

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static struct num_text scaled(const struct hot_page *p, uint64_t amount)
{
    return num_grouped((int64_t)hot_scaled(p->report, amount));
}

static struct num_text share(const struct hot_page *p, uint64_t amount)
{
    return num_ratio((int64_t)amount, (int64_t)p->report->accesses, 1);
}

/* Eighths of a column in UTF-8, whole ones in ASCII; what is there at all shows. */
static void add_bar(const struct hot_page *p, struct str *out, uint64_t part, uint64_t whole,
                    int columns)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
    double full = whole > 0 ? (double)part / (double)whole * columns : 0;
    int steps = (int)(full * 8 + 0.5);
    steps = steps == 0 && part > 0 ? 1 : steps;
    int used = 0;
    for (; steps > 0; steps -= 8, used++) {
        int step = steps < 8 ? steps : 8;
        str_add(out, p->ascii ? "#" : eighths[step]);
    }
    str_pad(out, ' ', used < columns ? (size_t)(columns - used) : 0);
}

/* A stranger's key: safe, and cut with dots where it does not fit. */
static void add_key(struct str *out, const struct hot_key *key, int columns)
{
    struct str text = STR_EMPTY;
    size_t taken = key->key.length < KEY_BYTES_SHOWN ? key->key.length : KEY_BYTES_SHOWN;
    utf8_visible(&text, key->key.at, taken);
    bool whole = taken == key->length && utf8_columns(str_text(&text), text.length) <= columns;
    size_t fits = utf8_fit(str_text(&text), text.length, whole ? columns : columns - 3);
    str_addn(out, str_text(&text), fits);
    str_add(out, whole ? "" : "...");
    if (key->length == 0) {
        str_add(out, "(the empty key)");
    }
    str_free(&text);
}

static void print_prose(const struct str *text)
{
    struct str wrapped = STR_EMPTY;
    prose_plain(&wrapped, str_text(text), TEXT_COLUMNS, 0);
    cli_write(stdout, str_text(&wrapped), wrapped.length);
    str_free(&wrapped);
}

/* --- what was read --- */

static const char *form_words(enum log_form form)
{
    switch (form) {
    case LOG_MONITOR:
        return "output of MONITOR";
    case LOG_CSV:
        return "CSV";
    case LOG_PLAIN:
    case LOG_AUTO:
        break;
    }
    return "plain keys";
}

static void add_uses(const struct hot_page *p, struct str *out)
{
    const struct hot_report *r = p->report;
    uint64_t other = r->accesses - r->reads - r->writes;
    if (!r->knows_use) {
        return;
    }
    str_addf(out, ": %s read%s, %s write%s", scaled(p, r->reads).text, plural(r->reads),
             scaled(p, r->writes).text, plural(r->writes));
    if (other > 0) {
        str_addf(out, ", %s that may be either", scaled(p, other).text);
    }
}

static void add_counts(struct str *out, const struct log_counts *c)
{
    const struct {
        uint64_t count;
        const char *one, *many;
    } row[] = {
        {c->keyless, "command without a key", "commands without a key"},
        {c->scripts, "line of a script, whose EVAL counts", "lines of scripts, whose EVAL counts"},
        {c->cluster, "line of the cluster's own traffic", "lines of the cluster's own traffic"},
        {c->unknown, "unknown command", "unknown commands"},
    };
    bool any = false;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (row[i].count > 0) {
            str_addf(out, "%s%s %s",
                     any ? ", " : " Not counted: ", num_grouped((int64_t)row[i].count).text,
                     row[i].count == 1 ? row[i].one : row[i].many);
            any = true;
        }
    }
    str_add(out, any ? "." : "");
    if (c->other_db > 0) {
        str_addf(out,
                 " %s request%s went to another database than 0, which a cluster does not "
                 "have; keys are counted by name.",
                 num_grouped((int64_t)c->other_db).text, plural(c->other_db));
    }
    if (c->odd > 0) {
        str_addf(out, " %s line%s could not be read (the first is line %" PRIu64 ").",
                 num_grouped((int64_t)c->odd).text, plural(c->odd), c->first_odd);
    }
}

static void add_sampling(const struct hot_page *p, struct str *out)
{
    const struct hot_report *r = p->report;
    double n = (double)r->key[0].count;
    double rate = (double)r->sample;
    str_addf(out,
             " About 1 request in %s was taken, %s of them, and all amounts are scaled back to the "
             "whole log: the "
             "hottest key's is good to about %s either way (one standard deviation).",
             num_grouped((int64_t)r->sample).text, num_grouped((int64_t)r->requests).text,
             num_grouped((int64_t)(rate * sqrt(n * (1 - 1 / rate)) + 0.5)).text);
}

static void print_head(const struct hot_page *p, const char *name)
{
    const struct hot_report *r = p->report;
    struct str text = STR_EMPTY;
    cli_print(stdout, "%s\n", err_word(name, TEXT_COLUMNS).text);
    str_addf(&text, "The form is %s, %s. ", form_words(r->form), r->why);
    str_addf(&text, "%s line%s, %s request%s, %s key access%s",
             num_grouped((int64_t)r->counts->lines).text, plural(r->counts->lines),
             num_grouped((int64_t)r->counts->requests).text, plural(r->counts->requests),
             scaled(p, r->accesses).text, r->accesses == 1 && r->sample == 1 ? "" : "es");
    add_uses(p, &text);
    if (r->timed) {
        str_addf(&text, "; over %s", num_span(r->span_us).text);
    }
    str_add(&text, ".");
    add_counts(&text, r->counts);
    if (r->sample > 1) {
        add_sampling(p, &text);
    }
    print_prose(&text);
    for (size_t i = 0; i < LOG_UNKNOWN_NAMES && r->counts->unknown_name[i].count > 0; i++) {
        const struct log_unknown *u = &r->counts->unknown_name[i];
        cli_print(stdout, "  unknown: %-*s %12s\n", LOG_NAME_COLUMNS, u->name,
                  num_grouped((int64_t)u->count).text);
    }
    str_free(&text);
}

/* --- keys --- */

static void print_key(const struct hot_page *p, size_t i, bool errors)
{
    const struct hot_key *key = &p->report->key[i];
    struct str line = STR_EMPTY;
    char slot[16] = "?";
    char shard[16] = "?";
    if (key->placed) {
        snprintf(slot, sizeof slot, "%u", (unsigned)key->slot);
        snprintf(shard, sizeof shard, "S%" PRIu32, key->shard);
    }
    str_addf(&line, "%4zu %11s", i + 1, scaled(p, key->count).text);
    if (errors) {
        str_addf(&line, " %10s", scaled(p, key->error).text);
    }
    str_addf(&line, " %6s%%  ", share(p, key->count).text);
    add_bar(p, &line, key->count, p->report->key[0].count, errors ? BAR_COLUMNS / 2 : BAR_COLUMNS);
    str_addf(&line, " %6s %6s  ", slot, shard);
    add_key(&line, key, TEXT_COLUMNS - utf8_columns(str_text(&line), line.length));
    str_addc(&line, '\n');
    cli_write(stdout, str_text(&line), line.length);
    str_free(&line);
}

static void print_keys(const struct hot_page *p)
{
    const struct hot_report *r = p->report;
    bool errors = false;
    for (size_t i = 0; i < r->key_count; i++) {
        errors = errors || r->key[i].error > 0;
    }
    printf("\nThe hottest key%s\n%4s %11s", r->key_count == 1 ? "" : "s", "", "count");
    printf(errors ? " %10s" : "%s", errors ? "of which" : "");
    printf(" %7s  %*s %6s %6s  %s\n", "share", errors ? BAR_COLUMNS / 2 : BAR_COLUMNS, "", "slot",
           "shard", "key");
    if (errors) {
        printf("%4s %11s %10s\n", "", "at most", "unsure");
    }
    for (size_t i = 0; i < r->key_count; i++) {
        print_key(p, i, errors);
    }
    struct str text = STR_EMPTY;
    if (r->exact) {
        str_addf(&text, "%s different key%s, all counted one by one%s.",
                 num_grouped((int64_t)r->keys).text, plural(r->keys),
                 r->sample > 1 ? " in the sample" : "");
    } else {
        str_addf(&text,
                 "More different keys than are counted one by one, so these come from %s counters "
                 "(Space-Saving): a key came at most as often as its count says, and at least "
                 "that less the unsure part. %s of the %s surely came at least as often as any "
                 "key that is not listed.",
                 num_grouped(HOT_CELLS).text,
                 r->sure > 0 ? num_grouped((int64_t)r->sure).text : "None",
                 num_grouped((int64_t)r->key_count).text);
    }
    str_addf(&text, " Slot %" PRIu32 " is the one that most requests touch: %s of %s.", r->slot,
             scaled(p, r->slot_requests).text, scaled(p, r->requests).text);
    print_prose(&text);
    str_free(&text);
}

/* --- loads --- */

static void print_load(const struct hot_page *p, const struct hot_load *load)
{
    const struct hot_report *r = p->report;
    struct str line = STR_EMPTY;
    str_addf(&line, "  %-13s", load->scheme->name);
    if (!load->known) {
        str_add(&line, " needs all keys at once, and they are too many");
    } else if (r->shards <= SHARD_COLUMNS_MAX) {
        for (uint32_t s = 0; s < r->shards; s++) {
            str_addf(&line, " %6s%%", share(p, load->amount[s]).text);
        }
        str_addf(&line, "  S%-5" PRIu32 " %12.2f", load->busiest_id, load->over_average);
    } else {
        str_addf(&line, "  S%-5" PRIu32 " %6s%% %12.2f  ", load->busiest_id,
                 share(p, load->busiest).text, load->over_average);
        add_bar(p, &line, load->busiest, r->accesses, BAR_COLUMNS_LOAD);
    }
    while (line.length > 0 && line.text[line.length - 1] == ' ') {
        line.text[--line.length] = '\0';
    }
    str_addc(&line, '\n');
    cli_write(stdout, str_text(&line), line.length);
    str_free(&line);
}

static void print_loads(const struct hot_page *p)
{
    const struct hot_report *r = p->report;
    bool side_by_side = r->shards <= SHARD_COLUMNS_MAX;
    printf("\nThe load of %" PRIu32 " shard%s by each scheme, as shares of all accesses\n",
           r->shards, plural(r->shards));
    printf("  %-13s", "scheme");
    for (uint32_t s = 0; side_by_side && s < r->shards; s++) {
        char id[16];
        snprintf(id, sizeof id, "S%" PRIu32, s);
        printf(" %7s", id);
    }
    printf(side_by_side ? "  %s%s\n" : "  %s   share%s\n", "busiest", " over average");
    bool bounded = false;
    for (size_t i = 0; i < r->load_count; i++) {
        print_load(p, &r->load[i]);
        bounded = bounded || (r->load[i].scheme == &scheme_bounded_load && r->load[i].known);
    }
    if (bounded) {
        puts("bounded-load caps keys, at 125% of the average; a hot key it cannot divide.");
    }
}

/* --- what would change --- */

/* "1,204 of 6,000 accesses (S1, 20.1%)" */
static void add_amount(const struct hot_page *p, struct str *out, uint32_t id, uint64_t amount,
                       uint64_t total)
{
    if (total == 0) {
        str_add(out, "none");
        return;
    }
    str_addf(out, "%s of %s (S%" PRIu32 ", %s%%)", scaled(p, amount).text, scaled(p, total).text,
             id, num_ratio((int64_t)amount, (int64_t)total, 1).text);
}

static double a_second(const struct hot_page *p, uint64_t amount)
{
    return (double)hot_scaled(p->report, amount) * 1e6 / (double)p->report->span_us;
}

static void add_before_after(const struct hot_page *p, struct str *out, const struct hot_change *c)
{
    const struct hot_report *r = p->report;
    if (c->after == c->before && c->after_id == c->before_id) {
        str_add(out, "the busiest shard keeps its accesses, ");
        add_amount(p, out, c->after_id, c->after, c->total_after);
        str_add(out, ".");
        return;
    }
    str_addf(out, "the accesses of the busiest shard %s from ",
             c->after < c->before   ? "fall"
             : c->after > c->before ? "rise"
                                    : "go");
    add_amount(p, out, c->before_id, c->before, r->accesses);
    str_add(out, " to ");
    add_amount(p, out, c->after_id, c->after, c->total_after);
    if (r->timed && r->span_us >= US_PER_SECOND) {
        double before = a_second(p, c->before);
        double after = a_second(p, c->after);
        str_addf(out, ", in a second from %.*f to %.*f", before < 10 ? 2 : 0, before,
                 after < 10 ? 2 : 0, after);
    }
    str_add(out, ".");
}

static void print_salt(const struct hot_page *p)
{
    const struct hot_change *c = &p->report->salt;
    struct str text = STR_EMPTY;
    if (!c->known) {
        return;
    }
    str_addf(&text,
             "*Salting* the hottest key into %u sub-keys, a write to one of them, a read "
             "from all: ",
             HOT_SALTS);
    add_before_after(p, &text, c);
    if (c->reads > 0) {
        str_addf(&text, " Reads of it grow from %s to %s.", scaled(p, c->reads).text,
                 scaled(p, c->reads * HOT_SALTS).text);
    }
    if (c->after >= c->before && c->reads > 0) {
        str_add(&text, " Each read now asks all sub-keys, more work than the salt takes away: "
                       "where reads are many a cache helps, a salt does not.");
    } else if (c->after >= c->before) {
        str_addf(&text, " S%u gets its sub-keys on top of what it has: try another number of them.",
                 (unsigned)c->after_id);
    }
    if (!p->report->knows_use) {
        str_add(&text, " Counted as if every access were a write, since this log does not say.");
    }
    print_prose(&text);
    str_free(&text);
}

static void print_cache(const struct hot_page *p)
{
    const struct hot_report *r = p->report;
    const struct hot_change *c = &r->cache;
    struct str text = STR_EMPTY;
    if (!c->known) {
        return;
    }
    str_addf(&text, "*A cache* for the key%s above: ", r->key_count == 1 ? "" : "s");
    add_before_after(p, &text, c);
    switch (r->cache_how) {
    case HOT_CACHE_TIMED:
        str_addf(&text,
                 " At one router that keeps each answer for %s, by the times of this log: %s of "
                 "%s reads are answered there, and are up to that old. With more routers each "
                 "fetches for itself.",
                 num_span(HOT_CACHE_US).text, scaled(p, c->taken).text, scaled(p, c->reads).text);
        break;
    case HOT_CACHE_READS:
        str_addf(&text, " This is the best case, in which each of %s read%s finds an answer: %s.",
                 scaled(p, c->reads).text, plural(c->reads),
                 r->sample > 1 ? "a sample cannot tell when one would be fetched"
                               : "without times nobody knows when one would be fetched");
        break;
    case HOT_CACHE_ANY:
        str_add(&text, " This is the best case, as if every access were a read that finds an "
                       "answer: this log does not say which are reads.");
        break;
    }
    print_prose(&text);
    str_free(&text);
}

static void print_changes(const struct hot_page *p)
{
    if (p->report->salt.known || p->report->cache.known) {
        printf("\nWhat would change, by the scheme slots\n");
        print_salt(p);
        if (p->report->salt.known && p->report->cache.known) {
            putchar('\n');
        }
        print_cache(p);
    }
}

void hot_print_text(const struct hot_report *report, const char *name, bool ascii)
{
    struct hot_page page = {report, ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0};
    print_head(&page, name);
    print_keys(&page);
    print_loads(&page);
    print_changes(&page);
}
