/*
 * indexes_read: what can be seen of catalogs, what is promised of them, and their identity.
 */
#include "engine/indexes/indexes_inside.h"

#include "engine/store.h"
#include <string.h>

static uint64_t bit_of(uint32_t row)
{
    return UINT64_C(1) << row;
}

/* How many terms the index has a row under; the one found, the row's own if it is among them. */
static uint32_t index_terms(const struct world *w, uint32_t catalog, uint32_t row, uint16_t *under)
{
    uint32_t found = 0;
    const struct catalog_row *at = catalog_row_in(w, catalogs_in(w) + catalog, row);
    *under = TERM_NONE;
    for (uint32_t i = 0; i < catalog_terms_room(w); i++) {
        const struct catalog_term *t = catalog_terms_in(w) + i;
        if (t->catalog == catalog + 1 && (t->mask & bit_of(row)) != 0) {
            found++;
            *under = *under == TERM_NONE || at->term == i ? (uint16_t)i : *under;
        }
    }
    return found;
}

/* Changes of a row that the index does not have; for how long, the oldest of them. */
static uint32_t behind(const struct world *w, const struct catalog *c, uint32_t row,
                       int64_t *since_us)
{
    const struct catalog_row *at = catalog_row_in(w, c, row);
    uint32_t changes = 0;
    if (c->mode == CATALOG_ASYNC) {
        changes = at->version - at->indexed;
    } else if (c->mode != CATALOG_LOCAL && at->term != TERM_NONE) {
        uint16_t under;
        uint32_t terms = index_terms(w, (uint32_t)(c - catalogs_in(w)), row, &under);
        changes = terms != 1 || under != at->term;
    }
    if (changes > 0) {
        uint32_t kept = changes < CHANGES_KEPT ? changes : CHANGES_KEPT;
        *since_us = at->change_us[(at->version - kept + 1) % CHANGES_KEPT];
    }
    return changes;
}

uint32_t world_catalogs(const struct world *w)
{
    return w->indexes.count;
}

struct catalog_info world_catalog(const struct world *w, uint32_t index)
{
    CHECK(index < w->indexes.count);
    const struct catalog *c = catalogs_in(w) + index;
    struct catalog_info info = {
        .mode = c->mode,
        .lag_us = c->lag_us,
        .under_way = c->under_way,
        .puts = c->puts,
        .refused_puts = c->refused,
        .failed_puts = c->failed,
        .writes = c->writes,
        .finds = c->finds,
        .parts = c->parts,
        .last_put_us = c->last_put_us,
        .last_find_us = c->last_find_us,
        .last_writes = c->last_writes,
        .last_id = c->last_id,
        .last_refused = c->last_end == PUT_REFUSED,
        .last_failed = c->last_end == PUT_FAILED,
    };
    memcpy(info.name, c->name, sizeof info.name);
    for (uint32_t i = 0; i < c->rows; i++) {
        int64_t since_us = w->now_us;
        info.rows += catalog_row_in(w, c, i)->term != TERM_NONE;
        info.behind += behind(w, c, i, &since_us);
        int64_t long_us = w->now_us - since_us;
        info.behind_us = long_us > info.behind_us ? long_us : info.behind_us;
    }
    return info;
}

uint32_t world_catalog_rows(const struct world *w, uint32_t catalog)
{
    CHECK(catalog < w->indexes.count);
    return catalogs_in(w)[catalog].rows;
}

static void copy_term(const struct world *w, uint16_t term, char out[TERM_BYTES_MAX])
{
    if (term != TERM_NONE) {
        memcpy(out, catalog_terms_in(w)[term].text, TERM_BYTES_MAX);
    }
}

struct catalog_row_info world_catalog_row(const struct world *w, uint32_t catalog, uint32_t row)
{
    CHECK(row < world_catalog_rows(w, catalog));
    const struct catalog *c = catalogs_in(w) + catalog;
    const struct catalog_row *at = catalog_row_in(w, c, row);
    struct catalog_row_info info = {
        .id = at->id,
        .shard = store_home(w, at->key),
        .changed_us = at->changed_us,
        .indexed_us = at->indexed_us,
    };
    uint16_t under = at->term;
    info.index_shard = info.shard;
    if (catalog_global(c)) {
        info.twice = index_terms(w, catalog, row, &under) > 1;
        info.index_shard =
            at->term == TERM_NONE ? SHARD_NONE : store_home(w, catalog_terms_in(w)[at->term].key);
    }
    copy_term(w, at->term, info.term);
    copy_term(w, under, info.indexed);
    return info;
}

struct find_info world_find(const struct world *w, uint32_t catalog)
{
    CHECK(catalog < w->indexes.count);
    const struct catalog *c = catalogs_in(w) + catalog;
    struct find_info info = {
        .number = c->find.number,
        .missing = c->find.missing,
        .extra = c->find.extra,
        .parts = c->find.parts,
        .failed = c->find.failed,
        .asked_us = c->find.asked_us,
        .ended_us = c->find.ended_us,
        .slowest = c->find.slowest,
        .done = c->find.done,
    };
    if (info.number > 0) {
        copy_term(w, c->find.term, info.term);
    }
    for (uint32_t i = 0; i < c->rows; i++) {
        if ((c->find.mask & bit_of(i)) != 0) {
            if (info.ids < FIND_IDS_MAX) {
                info.id[info.ids] = catalog_row_in(w, c, i)->id;
            }
            info.ids++;
        }
    }
    return info;
}

uint16_t world_catalog_shard(const struct world *w, uint32_t catalog, struct bytes term)
{
    CHECK(catalog < w->indexes.count);
    const struct catalog *c = catalogs_in(w) + catalog;
    char text[KEY_BYTES_MAX * 2];
    if (!catalog_global(c) || term.length < 1 || term.length >= TERM_BYTES_MAX) {
        return SHARD_NONE;
    }
    memcpy(text, c->name, c->length);
    text[c->length] = '@';
    memcpy(text + c->length + 1, term.at, term.length);
    struct bytes key = {.at = text, .length = (size_t)c->length + 1 + term.length};
    uint32_t known = store_find_key(w, key);
    return known != NO_INDEX ? store_home(w, known) : owners_in(w)[store_slot_of(w, key)];
}

/* --- invariants --- */

/* A term of a unique catalog has one row, in the index and among the rows. */
static bool unique_holds(const struct world *w, const struct catalog *c, struct err *err)
{
    for (uint32_t i = 0; i < catalog_terms_room(w); i++) {
        const struct catalog_term *t = catalog_terms_in(w) + i;
        if (t->catalog != c - catalogs_in(w) + 1) {
            continue;
        }
        uint64_t rows = t->mask | catalog_true_mask(w, c, (uint16_t)i);
        if ((rows & (rows - 1)) != 0) {
            return err_set(err, "unique-term: %d rows of %.*s have the term %.*s",
                           __builtin_popcountll(rows), c->length, c->name, t->length, t->text);
        }
    }
    return true;
}

/* Nothing is under way: the index is what the rows say, but for puts that failed. */
static bool index_holds(const struct world *w, const struct catalog *c, struct err *err)
{
    uint32_t catalog = (uint32_t)(c - catalogs_in(w));
    for (uint32_t i = 0; i < c->rows; i++) {
        const struct catalog_row *row = catalog_row_in(w, c, i);
        uint16_t under;
        uint32_t terms = index_terms(w, catalog, i, &under);
        bool same = row->term == TERM_NONE ? terms == 0 : terms == 1 && under == row->term;
        bool excused = c->mode == CATALOG_ASYNC ? row->version != row->indexed : row->untrue;
        if (!same && !excused) {
            return err_set(err,
                           "index-equals-rows: the index has row %u of %.*s under %u terms, or "
                           "under another than its own",
                           row->id, c->length, c->name, terms);
        }
    }
    return true;
}

bool indexes_hold(const struct world *w, struct err *err)
{
    for (uint32_t i = 0; i < w->indexes.count; i++) {
        const struct catalog *c = catalogs_in(w) + i;
        if (c->mode == CATALOG_UNIQUE && !unique_holds(w, c, err)) {
            return false;
        }
        bool quiet = c->under_way == 0 && !indexes_messages(w, i);
        if (quiet && catalog_global(c) && !index_holds(w, c, err)) {
            return false;
        }
    }
    return true;
}

/* --- identity --- */

static uint64_t u64_of(int64_t value)
{
    return (uint64_t)value;
}

static void feed_catalog(struct digest *d, const struct world *w, const struct catalog *c)
{
    digest_bytes(d, c->name, sizeof c->name);
    DIGEST_FEED(d, c->mode, c->life, c->last_end, u64_of(c->lag_us), c->rows, c->under_way,
                c->last_writes, c->last_id, c->puts, c->refused, c->failed, c->writes, c->finds,
                c->parts, c->last_put_us, c->last_find_us);
    DIGEST_FEED(d, c->find.number, c->find.mask, c->find.missing, c->find.extra, c->find.parts,
                c->find.failed, u64_of(c->find.asked_us), u64_of(c->find.ended_us), c->find.term,
                c->find.slowest, c->find.done);
    for (uint32_t i = 0; i < c->rows; i++) {
        const struct catalog_row *r = catalog_row_in(w, c, i);
        DIGEST_FEED(d, c->row[i], r->id, r->key, r->untrue, r->following, r->due, r->due_term,
                    r->term, r->router, r->due_version, r->started, r->version, r->indexed,
                    u64_of(r->changed_us), u64_of(r->indexed_us));
        for (uint32_t k = 0; k < CHANGES_KEPT; k++) {
            digest_u64(d, u64_of(r->change_us[k]));
        }
    }
}

void indexes_feed(struct digest *d, const struct world *w)
{
    if (w->indexes.count > 0) {
        DIGEST_FEED(d, w->config.catalogs_max, w->config.catalog_rows_max, w->indexes.count,
                    w->indexes.number);
    }
    for (uint32_t i = 0; i < w->indexes.count; i++) {
        feed_catalog(d, w, catalogs_in(w) + i);
    }
    for (uint32_t i = 0; w->indexes.count > 0 && i < catalog_terms_room(w); i++) {
        const struct catalog_term *t = catalog_terms_in(w) + i;
        digest_u64(d, t->catalog);
        if (t->catalog == 0) {
            continue;
        }
        digest_bytes(d, t->text, t->length);
        DIGEST_FEED(d, t->key, t->mask, t->sent);
        for (uint32_t k = 0; k < catalogs_in(w)[t->catalog - 1].rows; k++) {
            digest_u64(d, t->stamp[k]);
        }
    }
    for (uint32_t i = 0; w->indexes.count > 0 && i < INDEX_OPS_MAX; i++) {
        const struct index_op *o = index_ops_in(w) + i;
        if (o->kind == INDEX_OP_NONE) {
            continue;
        }
        DIGEST_FEED(d, i, o->number, u64_of(o->asked_us), o->mask, o->stamp, o->writes, o->stored,
                    o->router, o->term, o->slowest, o->kind, o->stage, o->catalog, o->row,
                    o->failed, o->refused, o->dropped, o->timer, o->parts_out);
    }
}
