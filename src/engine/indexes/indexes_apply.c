/*
 * indexes_apply: the commands catalog, put and find.
 */
#include "engine/indexes/indexes_inside.h"

#include "engine/apply.h"
#include "engine/store.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LAG_MAX_US INT64_C(3600000000)

static struct bytes name_of(const struct command *c)
{
    return (struct bytes){.at = c->key, .length = c->key_length};
}

bool world_catalog_find(const struct world *w, struct bytes name, uint32_t *index)
{
    for (uint32_t i = 0; i < w->indexes.count; i++) {
        const struct catalog *c = catalogs_in(w) + i;
        if (c->length == name.length && memcmp(c->name, name.at, name.length) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

/* --- catalog --- */

/* Nothing of what it was is left, and what is under way is nobody's. */
static void forget(struct world *w, uint32_t catalog)
{
    uint8_t mark = (uint8_t)(catalog + 1);
    for (uint32_t i = 0; i < catalog_rows_room(w); i++) {
        struct catalog_row *row = catalog_rows_of(w) + i;
        row->catalog = row->catalog == mark ? 0 : row->catalog;
    }
    for (uint32_t i = 0; i < catalog_terms_room(w); i++) {
        struct catalog_term *term = catalog_terms_of(w) + i;
        term->catalog = term->catalog == mark ? 0 : term->catalog;
    }
    for (uint32_t i = 0; i < INDEX_OPS_MAX; i++) {
        struct index_op *o = index_ops_of(w) + i;
        if (o->kind == INDEX_OP_NONE || o->catalog != catalog || o->dropped) {
            continue;
        }
        w->command_requests_open -= o->kind != INDEX_OP_FOLLOW;
        o->dropped = true;
        if (o->parts_out == 0 && !o->timer) {
            index_op_free(w, i);
        }
    }
}

static bool name_fits(const struct command *c, struct err *err)
{
    return apply_name_fits(name_of(c), "catalog", sizeof((struct catalog *)0)->name - 1, err);
}

static bool apply_catalog(struct world *w, const struct command *c, struct err *err)
{
    uint32_t index;
    bool known = world_catalog_find(w, name_of(c), &index);
    if (c->mode >= CATALOG_MODES) {
        return err_set(err, "a catalog's index is local, sync, async or unique");
    }
    if (!name_fits(c, err)) {
        return false;
    }
    if (c->period_us < 0 || c->period_us > LAG_MAX_US) {
        return err_set(err, "an index lags 0 to %" PRId64 " ms", LAG_MAX_US / US_PER_MS);
    }
    if (!known && w->indexes.count == w->config.catalogs_max) {
        return err_set(err, "this world has room for %u catalogs and has as many",
                       w->config.catalogs_max);
    }
    if (!known) {
        index = w->indexes.count++;
    } else {
        forget(w, index);
    }
    struct catalog *at = catalogs_of(w) + index;
    uint8_t life = known ? (uint8_t)(at->life + 1) : 0;
    *at = (struct catalog){.length = c->key_length,
                           .mode = c->mode,
                           .life = life,
                           .lag_us = c->mode == CATALOG_ASYNC ? c->period_us : 0};
    memcpy(at->name, c->key, c->key_length);
    at->find.ended_us = -1;
    at->find.slowest = SHARD_NONE;
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), index, at->lag_us);
    return true;
}

/* --- terms and rows --- */

static bool term_fits(const struct command *c, struct err *err)
{
    bool fits = c->other_length >= 1 && c->other_length < TERM_BYTES_MAX;
    for (uint8_t i = 0; fits && i < c->other_length; i++) {
        fits = (unsigned char)c->other[i] >= ' ' && c->other[i] != 0x7F;
    }
    return fits || err_set(err, "a term has 1 to %d bytes, no control bytes among them",
                           TERM_BYTES_MAX - 1);
}

static struct bytes entry_key(const struct catalog *c, const struct command *command,
                              char out[KEY_BYTES_MAX])
{
    int length = snprintf(out, KEY_BYTES_MAX, "%.*s@%.*s", c->length, c->name,
                          command->other_length, command->other);
    return (struct bytes){.at = out, .length = (size_t)length};
}

static struct bytes row_key(const struct catalog *c, uint32_t id, char out[KEY_BYTES_MAX])
{
    int length = snprintf(out, KEY_BYTES_MAX, "%.*s:%u", c->length, c->name, id);
    return (struct bytes){.at = out, .length = (size_t)length};
}

static bool is_used(const struct world *w, uint32_t term)
{
    const struct catalog_term *t = catalog_terms_in(w) + term;
    if ((t->mask | t->sent) != 0 || catalogs_in(w)[t->catalog - 1].find.term == term) {
        return true;
    }
    for (uint32_t i = 0; i < catalog_rows_room(w); i++) {
        const struct catalog_row *row = catalog_rows_in(w) + i;
        if (row->catalog != 0 && (row->term == term || (row->due && row->due_term == term) ||
                                  row->indexed != row->version)) {
            return true;
        }
    }
    for (uint32_t i = 0; i < INDEX_OPS_MAX; i++) {
        if (index_ops_in(w)[i].kind != INDEX_OP_NONE) {
            return true;
        }
    }
    return indexes_messages(w, t->catalog - 1u);
}

/* The place of a term: its own, a free one, or one that nothing refers to any more. */
static uint32_t term_place(const struct world *w, uint32_t catalog, const struct command *c)
{
    uint32_t place = NO_INDEX;
    uint32_t room = catalog_terms_room(w);
    for (uint32_t i = 0; i < room; i++) {
        const struct catalog_term *t = catalog_terms_in(w) + i;
        if (t->catalog == catalog + 1 && t->length == c->other_length &&
            memcmp(t->text, c->other, t->length) == 0) {
            return i;
        }
        if (t->catalog == 0 && place == NO_INDEX) {
            place = i;
        }
    }
    for (uint32_t i = 0; place == NO_INDEX && i < room; i++) {
        place = is_used(w, i) ? NO_INDEX : i;
    }
    return place;
}

static bool row_find(const struct world *w, const struct catalog *c, uint32_t id, uint32_t *number)
{
    for (uint32_t i = 0; i < c->rows; i++) {
        if (catalog_row_in(w, c, i)->id == id) {
            *number = i;
            return true;
        }
    }
    return false;
}

static uint32_t row_place(const struct world *w)
{
    uint32_t room = catalog_rows_room(w);
    uint32_t place = 0;
    while (place < room && catalog_rows_in(w)[place].catalog != 0) {
        place++;
    }
    return place < room ? place : NO_INDEX;
}

static void term_make(struct world *w, uint32_t place, uint32_t catalog, const struct command *c,
                      uint32_t key)
{
    struct catalog_term *t = catalog_terms_of(w) + place;
    if (t->catalog == catalog + 1 && t->length == c->other_length &&
        memcmp(t->text, c->other, t->length) == 0) {
        return;
    }
    *t = (struct catalog_term){
        .catalog = (uint8_t)(catalog + 1), .length = c->other_length, .key = key};
    memcpy(t->text, c->other, c->other_length);
}

static uint32_t row_make(struct world *w, struct catalog *c, uint32_t id, uint32_t key)
{
    uint32_t place = row_place(w);
    catalog_rows_of(w)[place] = (struct catalog_row){
        .id = id,
        .key = key,
        .catalog = (uint8_t)(c - catalogs_of(w) + 1),
        .term = TERM_NONE,
        .changed_us = -1,
        .indexed_us = -1,
    };
    c->row[c->rows] = (uint16_t)place;
    return c->rows++;
}

/* --- put and find --- */

/* What both need: the catalog, a router, a place for the term, and room. */
static bool may_ask(const struct world *w, const struct command *c, uint32_t *catalog,
                    uint32_t *term, struct err *err)
{
    if (!world_catalog_find(w, name_of(c), catalog)) {
        return name_fits(c, err) &&
               err_set(err, "no catalog %.*s; make one: catalog %.*s local|sync|async MS|unique",
                       c->key_length, c->key, c->key_length, c->key);
    }
    if (c->router >= w->config.routers) {
        return err_set(err, "no router R%u: this world has R0 to R%u", c->router,
                       w->config.routers - 1u);
    }
    if (!term_fits(c, err) || !apply_event_room(w, 1, err)) {
        return false;
    }
    *term = term_place(w, *catalog, c);
    if (*term == NO_INDEX) {
        return err_set(err, "this world has room for %u terms, all taken", catalog_terms_room(w));
    }
    return index_op_new(w) < INDEX_OPS_MAX ||
           err_set(err,
                   "this world has room for %u puts and finds under way, all taken; run it "
                   "first",
                   INDEX_OPS_MAX);
}

static bool keys_fit(const struct world *w, const struct catalog *c, const struct command *command,
                     bool row, struct err *err)
{
    char text[KEY_BYTES_MAX];
    uint32_t wanted = store_find_key(w, entry_key(c, command, text)) == NO_INDEX;
    wanted += row && store_find_key(w, row_key(c, command->first, text)) == NO_INDEX;
    return w->config.keys_max - w->keys >= wanted ||
           err_set(err, "this world has room for %u keys and has met %u", w->config.keys_max,
                   w->keys);
}

static struct trace_record *begin(struct world *w, const struct command *c, uint32_t catalog,
                                  uint32_t term, enum index_op_kind kind)
{
    uint32_t op = index_op_new(w);
    struct catalog *at = catalogs_of(w) + catalog;
    int64_t way = w->config.delay_us[routers_in(w)[c->router].zone][routers_in(w)[c->router].zone];
    at->under_way++;
    w->command_requests_open++;
    index_ops_of(w)[op] = (struct index_op){.number = ++w->indexes.number,
                                            .asked_us = w->now_us,
                                            .router = c->router,
                                            .term = (uint16_t)term,
                                            .slowest = SHARD_NONE,
                                            .kind = (uint8_t)kind,
                                            .stage = STAGE_WAY,
                                            .catalog = (uint8_t)catalog};
    index_timer(w, op, TIMER_ARRIVES, way);
    struct trace_record *t =
        index_note(w, node_of(NODE_CLIENT, routers_in(w)[c->router].zone),
                   kind == INDEX_OP_PUT ? REASON_CATALOG_PUT : REASON_CATALOG_FIND, catalog);
    t->to = node_of(NODE_ROUTER, c->router);
    t->arrive_us = w->now_us + way;
    t->value = term;
    t->operand[2] = op;
    return t;
}

static bool apply_put(struct world *w, const struct command *c, struct err *err)
{
    uint32_t catalog, term, row = 0;
    char text[KEY_BYTES_MAX];
    if (!may_ask(w, c, &catalog, &term, err)) {
        return false;
    }
    struct catalog *at = catalogs_of(w) + catalog;
    bool known = row_find(w, at, c->first, &row);
    if (c->first > CATALOG_ID_MAX) {
        return err_set(err, "a row's id is 0 to %u", CATALOG_ID_MAX);
    }
    if (!known && (at->rows == CATALOG_ROWS_MAX || row_place(w) == NO_INDEX)) {
        return err_set(err, "a catalog has room for %d rows, all catalogs of this world for %u",
                       CATALOG_ROWS_MAX, catalog_rows_room(w));
    }
    if (!keys_fit(w, at, c, true, err)) {
        return false;
    }
    term_make(w, term, catalog, c, store_intern(w, entry_key(at, c, text)));
    if (!known) {
        row = row_make(w, at, c->first, store_intern(w, row_key(at, c->first, text)));
    }
    catalog_row_at(w, at, row)->router = c->router;
    struct trace_record *t = begin(w, c, catalog, term, INDEX_OP_PUT);
    index_ops_of(w)[t->operand[2]].row = (uint8_t)row;
    t->key = catalog_row_in(w, at, row)->key;
    t->operand[0] = c->first;
    t->operand[2] = 0;
    return true;
}

static bool apply_find(struct world *w, const struct command *c, struct err *err)
{
    uint32_t catalog, term;
    char text[KEY_BYTES_MAX];
    if (!may_ask(w, c, &catalog, &term, err) ||
        !keys_fit(w, catalogs_in(w) + catalog, c, false, err)) {
        return false;
    }
    struct catalog *at = catalogs_of(w) + catalog;
    term_make(w, term, catalog, c, store_intern(w, entry_key(at, c, text)));
    struct trace_record *t = begin(w, c, catalog, term, INDEX_OP_FIND);
    t->operand[2] = 0;
    memset(&at->find, 0, sizeof at->find);
    at->find.number = w->indexes.number;
    at->find.term = (uint16_t)term;
    at->find.asked_us = w->now_us;
    at->find.ended_us = -1;
    at->find.slowest = SHARD_NONE;
    return true;
}

bool indexes_apply(struct world *w, const struct command *c, struct err *err)
{
    if (w->config.catalogs_max == 0) {
        return err_set(err, "this world has no room for catalogs (catalogs_max is 0)");
    }
    if (c->kind == COMMAND_CATALOG) {
        return apply_catalog(w, c, err);
    }
    CHECK(c->kind == COMMAND_PUT || c->kind == COMMAND_FIND);
    return c->kind == COMMAND_PUT ? apply_put(w, c, err) : apply_find(w, c, err);
}
