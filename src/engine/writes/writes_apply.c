/*
 * writes_apply: the command that treats a count; the names of sub-keys.
 *
 * All names are made, and all room is counted, before anything changes.
 */
#include "engine/apply.h"
#include "engine/writes/writes_inside.h"
#include "place/key.h"
#include <stdio.h>
#include <string.h>

#define WINDOW_MIN_US INT64_C(1000)
#define WINDOW_MAX_US INT64_C(60000000)

/* A sub-key that the treatment needs. */
struct name {
    char text[KEY_BYTES_MAX + 16];
    uint32_t length;
};

static struct bytes bytes_of_name(const struct name *name)
{
    return (struct bytes){.at = name->text, .length = name->length};
}

/* KEY with `text` put in at `at`. */
static struct name insert(struct bytes key, size_t at, const char *text)
{
    struct name name;
    size_t length = strlen(text);
    memcpy(name.text, key.at, at);
    memcpy(name.text + at, text, length);
    memcpy(name.text + at + length, key.at + at, key.length - at);
    name.length = (uint32_t)(key.length + length);
    return name;
}

static struct name salt_name(struct bytes key, enum salt_place place, uint32_t salt)
{
    char text[16];
    (void)snprintf(text, sizeof text, "#%u", salt);
    struct bytes tag = key_tag(key);
    bool inside = place == SALT_INSIDE;
    return insert(key, inside ? (size_t)(tag.at - key.at) + tag.length : key.length, text);
}

/* Beside the count, in its slot: a key without a hash tag becomes one. */
static struct name beside_name(struct bytes key, const char *text)
{
    char whole[KEY_BYTES_MAX + 2];
    if (key_tag(key).length < key.length) {
        return insert(key, key.length, text);
    }
    whole[0] = '{';
    memcpy(whole + 1, key.at, key.length);
    whole[key.length + 1] = '}';
    struct bytes tagged = {.at = whole, .length = key.length + 2};
    return insert(tagged, tagged.length, text);
}

static struct name router_name(struct bytes key, uint16_t router)
{
    char text[16];
    (void)snprintf(text, sizeof text, ":r%u", router);
    return beside_name(key, text);
}

/* What names and room a treatment still needs. */
struct needs {
    uint32_t keys, entries;
    uint32_t row; /* + 1; 0: a new one */
};

static bool name_fits(const struct world *w, const struct name *name, struct needs *needs,
                      struct err *err)
{
    if (name->length > KEY_BYTES_MAX) {
        return err_set(err, "the sub-key %.*s would have %u bytes; a key has at most %d",
                       (int)name->length, name->text, name->length, KEY_BYTES_MAX);
    }
    uint32_t key = store_find_key(w, bytes_of_name(name));
    if (key == NO_INDEX) {
        needs->keys++;
        needs->entries++;
        return true;
    }
    const struct key_entry *entry = keys_in(w) + key;
    if ((entry->writes != 0 && entry->writes != needs->row) || entry->account != 0) {
        return err_set(err, "%.*s, which would be a sub-key, is treated itself", (int)name->length,
                       name->text);
    }
    needs->entries += store_find(w, owners_in(w)[entry->slot], key) == NULL;
    return true;
}

/* A sub-key that holds a sum, not likes. */
static bool sum_fits(const struct world *w, struct bytes count, const struct name *name,
                     struct needs *needs, struct err *err)
{
    if (!name_fits(w, name, needs, err)) {
        return false;
    }
    if (!store_same_slot(w, bytes_of_name(name), count)) {
        return err_set(err,
                       "%.*s would not be in its count's slot; use a key with a hash tag, as "
                       "in likes:{p9}",
                       (int)name->length, name->text);
    }
    uint32_t key = store_find_key(w, bytes_of_name(name));
    if (key != NO_INDEX && keys_in(w)[key].writes == 0 && held_at_owner(w, key) > 0) {
        return err_set(err, "%.*s, which would hold a sum, holds likes of its own",
                       (int)name->length, name->text);
    }
    return true;
}

static bool names_fit(const struct world *w, const struct command *c, struct needs *needs,
                      struct err *err)
{
    struct bytes key = {.at = c->key, .length = c->key_length};
    struct name name = beside_name(key, ":fix");
    needs->keys += store_find_key(w, key) == NO_INDEX;
    if (!sum_fits(w, key, &name, needs, err)) {
        return false;
    }
    for (uint32_t i = 0; c->mode == WRITES_SALTED && i < c->count; i++) {
        name = salt_name(key, (enum salt_place)c->place, i);
        if (!name_fits(w, &name, needs, err)) {
            return false;
        }
    }
    for (uint16_t i = 0; c->mode == WRITES_SUMMED && i < w->config.routers; i++) {
        name = router_name(key, i);
        if (!sum_fits(w, key, &name, needs, err)) {
            return false;
        }
    }
    if (needs->keys > w->config.keys_max - w->keys) {
        return err_set(err, "this needs %u new keys; the world has room for %u and has met %u",
                       needs->keys, w->config.keys_max, w->keys);
    }
    if (needs->entries > w->config.store_max - w->store_used) {
        return err_set(err, "this needs %u new counters; the shards have room for %u and hold %u",
                       needs->entries, w->config.store_max, w->store_used);
    }
    return true;
}

static bool values_fit(const struct command *c, struct err *err)
{
    if (c->key_length < 1 || c->key_length > KEY_BYTES_MAX) {
        return err_set(err, "a key has 1 to %d bytes", KEY_BYTES_MAX);
    }
    if (c->mode == WRITES_SALTED && (c->count < 1 || c->count > SALTS_MAX)) {
        return err_set(err, "a count has 1 to %u salts", SALTS_MAX);
    }
    if (c->mode == WRITES_SUMMED &&
        (c->period_us < WINDOW_MIN_US || c->period_us > WINDOW_MAX_US)) {
        return err_set(err, "a router flushes every 1 to %lld ms",
                       (long long)(WINDOW_MAX_US / US_PER_MS));
    }
    bool known = c->mode < WRITES_MODES && c->place <= SALT_OUTSIDE &&
                 c->pick < (c->mode == WRITES_SUMMED ? FLUSH_WAYS : SALT_WRITER + 1);
    return known || err_set(err, "no such treatment of likes");
}

/* What a count that is treated already cannot change to now. */
static bool change_fits(const struct world *w, const struct hot_write *row, const struct command *c,
                        struct err *err)
{
    if (c->mode == WRITES_SALTED && row->most > 0 && row->live[PART_SALTS] &&
        row->place != c->place) {
        return err_set(err,
                       "the salts of this count stand %s its tag and are in use; make it plain "
                       "first, and run the world until they are frozen",
                       row->place == SALT_INSIDE ? "inside" : "outside");
    }
    for (uint16_t i = 0; c->mode == WRITES_SUMMED && row->way != c->pick && i < w->config.routers;
         i++) {
        const struct write_spot *spot = write_spot_in(w, row, i);
        bool settled = spot->sender.phase == FLUSH_READY && spot->flights == 0 &&
                       spot->answered == spot->sender.sequence;
        if (!settled) {
            return err_set(err, "R%u is flushing this count the other way; run the world a moment",
                           i);
        }
    }
    return true;
}

static uint32_t join(struct world *w, struct hot_write *row, const struct name *name)
{
    uint32_t key = store_intern(w, bytes_of_name(name));
    CHECK(key != NO_INDEX);
    struct key_entry *entry = keys_of(w) + key;
    if (entry->writes == 0) {
        entry->writes = (uint8_t)(hot_write_index(w, row) + 1);
        liked_before(row, held_at_owner(w, key));
    }
    return key;
}

static struct hot_write *new_row(struct world *w, struct bytes key)
{
    struct hot_write *row = hot_writes_of(w) + w->writes.count++;
    char stream[KEY_BYTES_MAX + 16];
    (void)snprintf(stream, sizeof stream, "salts %.*s", (int)key.length, key.at);
    *row = (struct hot_write){.prng = prng_seeded(w->config.seed, stream),
                              .window_us = WINDOW_DEFAULT_US,
                              .mode = WRITES_PLAIN,
                              .live[PART_PLAIN] = true};
    for (uint16_t i = 0; i < w->config.routers; i++) {
        *write_spot_of(w, row, i) = (struct write_spot){.key = KEY_NONE_ID};
    }
    row->key = store_intern(w, key);
    keys_of(w)[row->key].writes = (uint8_t)w->writes.count;
    liked_before(row, held_at_owner(w, row->key));
    struct name fix = beside_name(key, ":fix");
    row->fix = join(w, row, &fix);
    return row;
}

/* A salt joins the set. One that was in an earlier set is counted by itself again. */
static void add_salt(struct world *w, struct hot_write *row, const struct name *name)
{
    uint32_t known = store_find_key(w, bytes_of_name(name));
    if (known != NO_INDEX && keys_in(w)[known].writes == hot_write_index(w, row) + 1) {
        row->past -= held_at_owner(w, known);
    }
    row->salt[row->most++] = join(w, row, name);
}

static void start_salts(struct world *w, struct hot_write *row, const struct command *c)
{
    struct bytes key = {.at = c->key, .length = c->key_length};
    if (row->most > 0 && row->place != c->place) { /* frozen: they are a number for ever */
        row->past += row->frozen[PART_SALTS];
        row->frozen[PART_SALTS] = 0;
        row->most = 0;
    }
    row->place = c->place;
    row->pick = c->pick;
    for (uint32_t i = row->most; i < c->count; i++) {
        struct name name = salt_name(key, (enum salt_place)c->place, i);
        add_salt(w, row, &name);
    }
    for (uint16_t i = 0; row->salts != c->count && i < w->config.routers; i++) {
        write_spot_of(w, row, i)->turn = i;
    }
    row->salts = (uint8_t)c->count;
}

static void start_sums(struct world *w, struct hot_write *row, const struct command *c)
{
    struct bytes key = {.at = c->key, .length = c->key_length};
    bool other_window = row->window_us != c->period_us;
    row->way = c->pick;
    row->window_us = c->period_us;
    for (uint16_t i = 0; i < w->config.routers; i++) {
        struct write_spot *spot = write_spot_of(w, row, i);
        if (spot->key == KEY_NONE_ID) {
            struct name name = router_name(key, i);
            spot->key = join(w, row, &name);
        }
        if (!routers_in(w)[i].down && (!spot->armed || other_window)) {
            sum_arm(w, row, i);
        }
    }
}

bool treatment_apply(struct world *w, const struct command *c, struct err *err)
{
    struct bytes key = {.at = c->key, .length = c->key_length};
    if (!values_fit(c, err)) {
        return false;
    }
    uint32_t known = store_find_key(w, key);
    struct needs needs = {.row = known == NO_INDEX ? 0 : keys_in(w)[known].writes};
    struct hot_write *row = needs.row == 0 ? NULL : hot_writes_of(w) + (needs.row - 1);
    if (row != NULL && row->key != known) {
        struct bytes count = world_key(w, row->key);
        return err_set(err, "this is a sub-key of %.*s; treat that", (int)count.length, count.at);
    }
    if (known != NO_INDEX && keys_in(w)[known].account != 0) {
        return err_set(err, "this key is an account; see the command account");
    }
    if (row == NULL && c->mode == WRITES_PLAIN) {
        return err_set(err, "likes of this key go to the key itself already");
    }
    if (row == NULL && w->writes.count == w->config.hot_max) {
        return err_set(err, "this world has room for %u treated counts, all taken",
                       w->config.hot_max);
    }
    if ((row != NULL && !change_fits(w, row, c, err)) || !names_fit(w, c, &needs, err) ||
        !apply_event_room(w, w->config.routers + 1u, err)) {
        return false;
    }
    if (row == NULL) {
        row = new_row(w, key);
    }
    apply_note(w, c, row->key, node_of(NODE_NONE, 0),
               (int64_t)c->mode << 8 | c->pick << 4 | c->place,
               c->mode == WRITES_SUMMED ? c->period_us : c->count);
    if (c->mode == WRITES_SALTED) {
        start_salts(w, row, c);
    } else if (c->mode == WRITES_SUMMED) {
        start_sums(w, row, c);
    }
    row->mode = c->mode;
    row->live[row->mode] = true;
    freeze_parts(w, row);
    return true;
}
