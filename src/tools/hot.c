/*
 * hot: see hot.h.
 */
#include "tools/hot.h"

#include "base/alloc.h"
#include "base/check.h"
#include "base/prng.h"
#include "place/key.h"
#include "tools/hot_inside.h"
#include <inttypes.h>
#include <stdlib.h>

#define HELD_BYTES_MAX ((size_t)1 << 16) /* of first lines, before the form is decided */

/* What is known of a cell's key since it has the cell. Its number in the tally saves a search, as
 * long as the tally was not cleared. */
struct cell_use {
    uint32_t number, clears;
    uint64_t reads, writes, fetches;
    int64_t fetched_us;
};

struct hot {
    struct hot_options options;
    struct log_reader *reader;
    bool begun;
    struct str held; /* the first lines, one after the other */
    size_t held_end[LOG_FIRST_LINES];
    size_t held_lines;
    struct top *top;
    struct cell_use *use; /* by cell */
    struct tally *tally;
    uint32_t clears; /* of the tally, plus 1 */
    struct hot_loads loads;
    uint64_t *slot_requests; /* by slot of SLOT_COUNT */
    uint64_t *slot_last;     /* the last request that touched it */
    struct prng sampler;
    int64_t first_us, last_us;
    uint64_t untimed;
    struct hot_report report;
};

struct hot *hot_new(const struct hot_options *options, struct err *err)
{
    CHECK(options->shards >= 1 && options->shards <= HOT_SHARDS_MAX && options->sample >= 1);
    CHECK(options->top >= 1 && options->top <= options->cells);
    struct hot *hot = xcalloc(1, sizeof *hot);
    hot->options = *options;
    if (!loads_start(&hot->loads, options->shards, err)) {
        hot_free(hot);
        return NULL;
    }
    hot->sampler = prng_seeded(options->seed, "hot-sample");
    hot->reader = log_reader_new(options->form);
    hot->top = top_new(options->cells);
    hot->use = xcalloc(options->cells, sizeof *hot->use);
    hot->tally = tally_new(options->keys_max, options->bytes_max);
    hot->clears = 1;
    hot->slot_requests = xcalloc(SLOT_COUNT, sizeof *hot->slot_requests);
    hot->slot_last = xcalloc(SLOT_COUNT, sizeof *hot->slot_last);
    hot->report.exact = true;
    return hot;
}

void hot_free(struct hot *hot)
{
    if (hot == NULL) {
        return;
    }
    loads_free(&hot->loads);
    log_reader_free(hot->reader);
    str_free(&hot->held);
    top_free(hot->top);
    free(hot->use);
    tally_free(hot->tally);
    free(hot->slot_requests);
    free(hot->slot_last);
    free(hot->report.key);
    free(hot->report.load);
    free(hot);
}

uint64_t hot_lines(const struct hot *hot)
{
    return log_reader_counts(hot->reader)->lines;
}

uint64_t hot_scaled(const struct hot_report *report, uint64_t amount)
{
    uint64_t taken = report->requests;
    uint64_t all = report->sample > 1 ? report->counts->requests : taken;
    /* In two parts, so that no product of two large numbers is needed. */
    return amount * (all / taken) + (amount * (all % taken) + taken / 2) / taken;
}

/* --- counting --- */

static void count_use(struct cell_use *use, bool fresh, const struct log_request *request)
{
    if (fresh) {
        *use = (struct cell_use){.fetched_us = LOG_NO_TIME};
    }
    use->writes += request->use == LOG_WRITE;
    if (request->use != LOG_READ) {
        return;
    }
    use->reads++;
    if (request->at_us != LOG_NO_TIME &&
        (use->fetched_us == LOG_NO_TIME || request->at_us >= use->fetched_us + HOT_CACHE_US)) {
        use->fetches++;
        use->fetched_us = request->at_us;
    }
}

/* Counts one by one, and adds up what there is when it is full. */
static uint32_t count_exactly(struct hot *hot, struct bytes key, uint64_t mark)
{
    uint32_t number = tally_add(hot->tally, key, mark);
    if (number != TALLY_FULL) {
        return number;
    }
    loads_add(&hot->loads, tally_keys(hot->tally));
    tally_clear(hot->tally);
    hot->clears++;
    hot->report.exact = false;
    return tally_add(hot->tally, key, mark);
}

static void count_key(struct hot *hot, struct bytes key, const struct log_request *request)
{
    uint64_t mark = mark_of(key);
    bool fresh = false;
    uint32_t cell = top_add(hot->top, key, mark, &fresh);
    struct cell_use *use = &hot->use[cell];
    count_use(use, fresh, request);
    /* A cell knows a very long key by its mark, the tally by all its bytes. */
    if (use->clears == hot->clears && key.length <= TOP_KEY_MAX) {
        tally_again(hot->tally, use->number);
    } else {
        use->number = count_exactly(hot, key, mark);
        use->clears = hot->clears;
    }
    uint16_t slot = key_slot(key);
    if (hot->slot_last[slot] != hot->report.requests) {
        hot->slot_last[slot] = hot->report.requests;
        hot->slot_requests[slot]++;
    }
}

static void count_time(struct hot *hot, int64_t at_us)
{
    if (at_us == LOG_NO_TIME) {
        hot->untimed++;
        return;
    }
    bool first = hot->report.requests - hot->untimed == 1;
    hot->first_us = first || at_us < hot->first_us ? at_us : hot->first_us;
    hot->last_us = first || at_us > hot->last_us ? at_us : hot->last_us;
}

static void count_line(struct hot *hot, struct bytes line)
{
    struct log_request request;
    struct hot_report *report = &hot->report;
    if (!log_reader_take(hot->reader, line, &request)) {
        return;
    }
    if (hot->options.sample > 1 && !prng_chance(&hot->sampler, 1, hot->options.sample)) {
        return;
    }
    report->requests++;
    report->accesses += request.keys;
    report->reads += request.use == LOG_READ ? request.keys : 0;
    report->writes += request.use == LOG_WRITE ? request.keys : 0;
    count_time(hot, request.at_us);
    for (size_t i = 0; i < request.keys; i++) {
        count_key(hot, request.key[i], &request);
    }
}

/* The form is decided by the lines held back, which are then counted like all others. */
static bool begin(struct hot *hot, struct err *err)
{
    struct bytes line[LOG_FIRST_LINES];
    size_t start = 0;
    for (size_t i = 0; i < hot->held_lines; i++) {
        line[i] = (struct bytes){str_text(&hot->held) + start, hot->held_end[i] - start};
        start = hot->held_end[i];
    }
    hot->begun = true;
    if (!log_reader_begin(hot->reader, line, hot->held_lines, err)) {
        return false;
    }
    for (size_t i = 0; i < hot->held_lines; i++) {
        count_line(hot, line[i]);
    }
    str_free(&hot->held);
    hot->held = STR_EMPTY;
    return true;
}

bool hot_take(struct hot *hot, struct bytes line, struct err *err)
{
    if (hot->begun) {
        count_line(hot, line);
        return true;
    }
    str_addn(&hot->held, line.at, line.length);
    hot->held_end[hot->held_lines++] = hot->held.length;
    bool more = hot->held_lines < LOG_FIRST_LINES && hot->held.length < HELD_BYTES_MAX;
    return more || begin(hot, err);
}

/* --- the report --- */

static void place_key(const struct hot *hot, struct hot_key *key)
{
    struct bytes tag = key_tag(key->key);
    /* Of a key that is cut, only a tag in the part that is kept is sure. */
    key->placed = key->key.length == key->length || tag.length < key->key.length;
    key->slot = key_slot(key->key);
    key->shard = layout_owner(hot->loads.layout[hot->loads.slots], key->key);
}

/* The uses that a key's cell saw; a key has been counted at least as often. */
static void add_use(const struct hot *hot, uint32_t cell, struct hot_key *key)
{
    if (cell != UINT32_MAX) {
        key->reads = hot->use[cell].reads;
        key->writes = hot->use[cell].writes;
        key->fetches = hot->use[cell].fetches;
    }
}

static void list_cells(struct hot *hot)
{
    struct hot_report *report = &hot->report;
    size_t wanted = hot->options.top;
    struct top_entry *entry = xcalloc(wanted + 1, sizeof *entry);
    size_t found = top_list(hot->top, entry, wanted + 1);
    /* So often may a key have come that is not listed. */
    uint64_t unlisted = found > wanted ? entry[wanted].count : top_floor(hot->top);
    report->key_count = found < wanted ? found : wanted;
    for (size_t i = 0; i < report->key_count; i++) {
        report->key[i] = (struct hot_key){.key = entry[i].key,
                                          .length = entry[i].length,
                                          .count = entry[i].count,
                                          .error = entry[i].error};
        add_use(hot, entry[i].cell, &report->key[i]);
        report->sure += entry[i].count - entry[i].error >= unlisted;
    }
    free(entry);
}

static int compare_bytes(struct bytes a, struct bytes b)
{
    size_t shorter = a.length < b.length ? a.length : b.length;
    int order = shorter > 0 ? memcmp(a.at, b.at, shorter) : 0;
    return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

static bool is_hotter(const struct hot_key *a, const struct hot_key *b)
{
    return a->count != b->count ? a->count > b->count : compare_bytes(a->key, b->key) < 0;
}

/* Out of all keys: the list is short, so each key is held against its last. */
static void list_exact(struct hot *hot)
{
    struct hot_report *report = &hot->report;
    const struct keyset *keys = tally_keys(hot->tally);
    for (size_t i = 0; i < keyset_count(keys); i++) {
        struct bytes name = keyset_key(keys, i);
        struct hot_key key = {.key = name, .length = name.length, .count = keyset_load(keys, i)};
        size_t at = report->key_count;
        if (at == hot->options.top && !is_hotter(&key, &report->key[at - 1])) {
            continue;
        }
        at = at == hot->options.top ? at - 1 : at;
        report->key_count = at + 1;
        for (; at > 0 && is_hotter(&key, &report->key[at - 1]); at--) {
            report->key[at] = report->key[at - 1];
        }
        report->key[at] = key;
    }
    report->sure = report->key_count;
    for (size_t i = 0; i < report->key_count; i++) {
        struct hot_key *key = &report->key[i];
        add_use(hot, top_find(hot->top, key->key, mark_of(key->key)), key);
    }
}

static void find_slot(struct hot *hot)
{
    struct hot_report *report = &hot->report;
    for (uint32_t slot = 0; slot < SLOT_COUNT; slot++) {
        if (hot->slot_requests[slot] > report->slot_requests) {
            report->slot_requests = hot->slot_requests[slot];
            report->slot = slot;
        }
    }
}

static bool refuse_empty(const struct hot *hot, struct err *err)
{
    const struct log_counts *counts = log_reader_counts(hot->reader);
    if (counts->requests > 0) {
        return err_set(
            err, "of %" PRIu64 " requests none was taken by --sample %" PRIu64 "; sample fewer",
            counts->requests, hot->options.sample);
    }
    const char *form = log_form_name(log_reader_form(hot->reader));
    if (counts->odd > 0) {
        return err_set(err,
                       "no request was found: line %" PRIu64 " and %" PRIu64
                       " more do not have the form %s; choose another --format",
                       counts->first_odd, counts->odd - 1, form);
    }
    return err_set(err, "no request with a key was found in %" PRIu64 " lines of the form %s",
                   counts->lines, form);
}

static void fill_head(struct hot *hot)
{
    struct hot_report *report = &hot->report;
    report->form = log_reader_form(hot->reader);
    report->why = log_reader_why(hot->reader);
    report->counts = log_reader_counts(hot->reader);
    report->knows_use = log_reader_knows_use(hot->reader);
    report->sample = hot->options.sample;
    report->shards = hot->options.shards;
    report->span_us = hot->untimed == 0 ? hot->last_us - hot->first_us : 0;
    report->timed = report->span_us > 0;
    report->keys = report->exact ? keyset_count(tally_keys(hot->tally)) : 0;
}

const struct hot_report *hot_finish(struct hot *hot, struct err *err)
{
    struct hot_report *report = &hot->report;
    CHECK(report->key == NULL);
    if (!hot->begun && !begin(hot, err)) {
        return NULL;
    }
    if (report->requests == 0) {
        (void)refuse_empty(hot, err);
        return NULL;
    }
    fill_head(hot);
    report->key = xcalloc(hot->options.top, sizeof *report->key);
    if (report->exact) {
        list_exact(hot);
    } else {
        list_cells(hot);
    }
    for (size_t i = 0; i < report->key_count; i++) {
        place_key(hot, &report->key[i]);
    }
    loads_add(&hot->loads, tally_keys(hot->tally));
    if (report->exact) {
        loads_add_whole(&hot->loads, tally_keys(hot->tally));
    }
    report->load = loads_rows(&hot->loads, report->exact);
    report->load_count = hot->loads.count;
    find_slot(hot);
    /* A sample's reads come too seldom to say when a cache would fetch. */
    bool timed = report->timed && report->sample == 1;
    report->cache_how = !report->knows_use ? HOT_CACHE_ANY
                        : timed            ? HOT_CACHE_TIMED
                                           : HOT_CACHE_READS;
    change_salt(&hot->loads, &report->key[0], &report->salt);
    change_cache(&hot->loads, report->key, report->key_count, report->cache_how, &report->cache);
    return report;
}
