/*
 * systems_words: systems and their settings by name.
 */
#include "base/near.h"
#include "base/num.h"
#include "engine/systems/systems_inside.h"
#include "place/key.h"
#include <stdio.h>
#include <string.h>

#define NAME_SIZE 24
#define SLOTS_OF_REDIS 16384u

const struct system_words *system_words(enum system_id id)
{
    return system_kind((uint8_t)id)->words;
}

bool system_by_name(const char *name, uint8_t *id)
{
    if (strcmp(name, "all") == 0) {
        *id = SYSTEM_ALL;
        return true;
    }
    for (uint8_t i = 0; i < SYSTEMS; i++) {
        if (strcmp(name, system_kind(i)->words->name) == 0) {
            *id = i;
            return true;
        }
    }
    return false;
}

const struct system_setting_info *system_setting(enum system_id id, uint32_t index)
{
    const struct system_setting_info *all = system_kind((uint8_t)id)->settings;
    for (uint32_t i = 0; all != NULL && i < SYSTEM_SETTINGS && all[i].name != NULL; i++) {
        if (i == index) {
            return &all[i];
        }
    }
    return NULL;
}

static bool is_named(struct bytes text, const char *name)
{
    return bytes_equal(text, bytes_of(name));
}

/* "one, many or growing" */
static void add_list(struct str *out, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        str_addf(out, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", names[i]);
    }
}

static bool refuse_name(uint8_t system, const char *name, struct err *err)
{
    const char *names[SYSTEM_SETTINGS];
    size_t count = 0;
    const struct system_setting_info *info;
    while ((info = system_setting(system, (uint32_t)count)) != NULL) {
        names[count++] = info->name;
    }
    const char *title = system_words(system)->title;
    if (count == 0) {
        return err_set(err, "%s has no settings here; its card says what it does", title);
    }
    const char *near = near_name(name, names, count);
    if (near != NULL) {
        return err_set(err, "%s has no setting \"%s\"; did you mean %s?", title, name, near);
    }
    struct str all = STR_EMPTY;
    add_list(&all, names, count);
    err_set(err, "%s has no setting \"%s\"; set %s", title, name, str_text(&all));
    str_free(&all);
    return false;
}

static bool refuse_choice(uint8_t system, const struct system_setting_info *info, const char *value,
                          struct err *err)
{
    const char *near = near_name(value, info->choices, info->count);
    if (near != NULL) {
        return err_set(err, "%s of %s cannot be \"%s\"; did you mean %s?", info->name,
                       system_words(system)->title, value, near);
    }
    struct str all = STR_EMPTY;
    add_list(&all, info->choices, info->count);
    err_set(err, "%s of %s cannot be \"%s\"; it is %s", info->name, system_words(system)->title,
            value, str_text(&all));
    str_free(&all);
    return false;
}

bool system_setting_read(uint8_t system, struct bytes name, struct bytes value, uint32_t *setting,
                         uint32_t *to, struct err *err)
{
    char word[NAME_SIZE];
    const struct system_setting_info *info;
    for (*setting = 0; (info = system_setting(system, *setting)) != NULL; ++*setting) {
        if (is_named(name, info->name)) {
            break;
        }
    }
    if (info == NULL) {
        (void)snprintf(word, sizeof word, "%.*s", (int)name.length, name.at);
        return refuse_name(system, word, err);
    }
    (void)snprintf(word, sizeof word, "%.*s", (int)value.length, value.at);
    if (info->choices == NULL) {
        char what[80];
        uint64_t number = 0;
        (void)snprintf(what, sizeof what, "%s of %s", info->name, system_words(system)->title);
        if (!num_parse_u64(word, what, info->least, info->most, &number, err)) {
            return false;
        }
        *to = (uint32_t)number;
        return true;
    }
    for (*to = 0; *to < info->count; ++*to) {
        if (is_named(value, info->choices[*to])) {
            return true;
        }
    }
    return refuse_choice(system, info, word, err);
}

/* --- keys among even parts --- */

/* redis-cli deals 16,384 slots in runs whose ends are rounded. */
static uint32_t slot_run(uint32_t slot, uint32_t parts)
{
    uint32_t i = 0;
    while (slot >= ((i + 1) * SLOTS_OF_REDIS * 2 + parts) / (parts * 2)) {
        i++;
    }
    return i;
}

uint32_t system_placed_max(enum system_id id)
{
    return id == SYSTEM_REDIS ? SLOTS_OF_REDIS : SYSTEM_PLACED_MAX;
}

bool system_placed(enum system_id id, struct bytes key, uint32_t parts, uint32_t *part)
{
    if (id == SYSTEM_CASSANDRA || id == SYSTEM_COCKROACHDB || id == SYSTEM_HBASE ||
        id == SYSTEM_MONGODB) {
        return false;
    }
    struct u128 at = system_kind((uint8_t)id)->position(NULL, key_tag(key), 0);
    if (id == SYSTEM_KAFKA) {
        *part = (uint32_t)(at.low % parts);
    } else if (id == SYSTEM_REDIS) {
        *part = slot_run((uint32_t)(at.high / (UINT64_MAX / SLOTS_OF_REDIS + 1)), parts);
    } else {
        *part = (uint32_t)((at.high >> 16) * parts >> 48); /* the lowest bits decide nothing */
    }
    return true;
}
