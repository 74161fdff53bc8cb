/*
 * playground_clauses: what each setting is called, and how its values are said and read: the
 * grammar of playground_words.c as a table.
 */
#include "tools/playground_inside.h"

#include "base/check.h"
#include "base/near.h"
#include "base/num.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WORD_COLUMNS 40

static const struct {
    const char *name, *about;
} workloads[WORKLOAD_COUNT] = {
    [WORKLOAD_POPULAR] = {"popular", "every tenth user has ten times the others' requests"},
    [WORKLOAD_CELEBRITY] = {"celebrity", "one key has 30% of all requests"},
    [WORKLOAD_TIME] = {"time", "new keys past the end: inserts in order of time"},
    [WORKLOAD_ZIPF] = {"zipf", "the n-th key has 1/n of the first one's requests"},
    [WORKLOAD_UNIFORM] = {"uniform", "all keys are asked alike"},
    [WORKLOAD_LOG] = {"log", "your own keys"},
};

const char *play_workload_name(enum play_workload workload)
{
    CHECK(workload < WORKLOAD_COUNT);
    return workloads[workload].name;
}

const char *play_workload_about(enum play_workload workload)
{
    CHECK(workload < WORKLOAD_COUNT);
    return workloads[workload].about;
}

/* --- reading a clause's values -----------------------------------------------------------------
 */

char *clause_next_word(struct clause *c)
{
    char *word = c->rest + strspn(c->rest, " \t");
    if (*word == '\0') {
        return NULL;
    }
    size_t length = strcspn(word, " \t");
    c->rest = word[length] ? word + length + 1 : word + length;
    word[length] = '\0';
    return word;
}

static bool need_word(struct clause *c, char **word, const char *example, struct err *err)
{
    *word = clause_next_word(c);
    return *word != NULL ||
           err_set(err, "%s needs a value; write for example: %s", c->name, example);
}

static bool read_number(struct clause *c, const char *example, uint32_t low, uint32_t high,
                        uint32_t *out, struct err *err)
{
    char *word = NULL;
    uint64_t value = 0;
    if (!need_word(c, &word, example, err)) {
        return false;
    }
    if (low <= 1 && strcmp(word, "off") == 0) {
        *out = low;
        return true;
    }
    if (!num_parse_u64(word, c->name, low, high, &value, err)) {
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

static bool read_switch(struct clause *c, bool *out, struct err *err)
{
    char *word = NULL;
    if (!need_word(c, &word, c->name[0] == 'p' ? "preagg on" : "cache on", err)) {
        return false;
    }
    *out = strcmp(word, "on") == 0;
    return *out || strcmp(word, "off") == 0 ||
           err_set(err, "%s is on or off, not \"%s\"", c->name, err_word(word, WORD_COLUMNS).text);
}

bool clause_refuse_name(const char *what, const char *word, const char *const *names, size_t count,
                        struct err *err)
{
    struct str list = STR_EMPTY;
    const char *near = near_name(word, names, count);
    for (size_t i = 0; i < count; i++) {
        str_addf(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    struct err_word shown = err_word(word, WORD_COLUMNS);
    if (near) {
        err_set(err, "no %s \"%s\", did you mean %s? There are %s", what, shown.text, near,
                str_text(&list));
    } else {
        err_set(err, "no %s \"%s\"; there are %s", what, shown.text, str_text(&list));
    }
    str_free(&list);
    return false;
}

/* "S2" or "2". */
static bool read_shard(struct clause *c, const char *example, uint32_t *id, struct err *err)
{
    char *word = NULL;
    uint64_t value = 0;
    if (!need_word(c, &word, example, err)) {
        return false;
    }
    const char *digits = *word == 'S' || *word == 's' ? word + 1 : word;
    if (!num_parse_u64(digits, "the shard", 0, PLAY_IDS_MAX - 1, &value, err)) {
        return false;
    }
    *id = (uint32_t)value;
    return true;
}

/* --- the clauses -------------------------------------------------------------------------------
 */

static bool read_workload(struct clause *c, struct play_settings *s, struct err *err)
{
    const char *names[WORKLOAD_COUNT];
    char *word = NULL;
    if (!need_word(c, &word, "workload celebrity", err)) {
        return false;
    }
    for (size_t i = 0; i < WORKLOAD_COUNT; i++) {
        names[i] = workloads[i].name;
        if (strcmp(word, names[i]) == 0) {
            s->workload = (enum play_workload)i;
            return true;
        }
    }
    return clause_refuse_name("workload", word, names, WORKLOAD_COUNT, err);
}

static void say_workload(const struct play_settings *s, struct str *out)
{
    str_addf(out, ", workload %s", workloads[s->workload].name);
}

static bool read_scheme(struct clause *c, struct play_settings *s, struct err *err)
{
    const char *names[32];
    size_t count = 0;
    char *word = NULL;
    if (!need_word(c, &word, "scheme ring", err)) {
        return false;
    }
    for (size_t i = 0; scheme_at(i) && count < 32; i++) {
        if (play_offers(scheme_at(i))) {
            names[count++] = scheme_at(i)->name;
        }
    }
    const struct scheme *scheme = scheme_by_name(word);
    if (scheme != NULL && !play_offers(scheme)) {
        return err_set(err, "in the scheme %s people place each key; choose one with a rule",
                       scheme->name);
    }
    if (scheme == NULL) {
        return clause_refuse_name("scheme", word, names, count, err);
    }
    s->scheme = scheme;
    return true;
}

static void say_scheme(const struct play_settings *s, struct str *out)
{
    str_addf(out, ", scheme %s", s->scheme->name);
}

static bool read_tokens(struct clause *c, struct play_settings *s, struct err *err)
{
    return read_number(c, "tokens 16", 1, PLAY_TOKENS_MAX, &s->tokens, err);
}

static void say_tokens(const struct play_settings *s, struct str *out)
{
    str_addf(out, ", tokens %" PRIu32, s->tokens);
}

/* "4 +4 -2": how many in the beginning, then who joined and left. */
static bool read_shards(struct clause *c, struct play_settings *s, struct err *err)
{
    char *word = NULL;
    s->changes = 0;
    for (size_t id = 0; id < PLAY_IDS_MAX; id++) {
        s->weight[id] = LAYOUT_WEIGHT_USUAL;
    }
    if (!read_number(c, "shards 4", 1, PLAY_SHARDS_MAX, &s->start, err)) {
        return false;
    }
    while ((word = clause_next_word(c)) != NULL) {
        uint64_t id = 0;
        if (*word != '+' && *word != '-') {
            return err_set(err,
                           "shards has a number, then who joined and who left, as in \"shards 4 +4 "
                           "-2\", not \"%s\"",
                           err_word(word, WORD_COLUMNS).text);
        }
        if (!num_parse_u64(word + 1, "the shard", 0, PLAY_IDS_MAX - 1, &id, err)) {
            return false;
        }
        if (*word == '-' ? !play_shard_remove(s, (uint32_t)id, err) : !play_shard_add(s, err)) {
            return false;
        }
        if (s->change[s->changes - 1].id != id) {
            return err_set(err, "the shard that joins next is S%u, not S%u",
                           (unsigned)s->change[s->changes - 1].id, (unsigned)id);
        }
    }
    return true;
}

static void say_shards(const struct play_settings *s, struct str *out)
{
    str_addf(out, ", shards %" PRIu32, s->start);
    for (uint32_t i = 0; i < s->changes; i++) {
        str_addf(out, " %c%u", s->change[i].joins ? '+' : '-', s->change[i].id);
    }
}

static bool read_weight(struct clause *c, struct play_settings *s, struct err *err)
{
    uint32_t id = 0;
    if (!read_shard(c, "weight S1 200", &id, err)) {
        return false;
    }
    if (!play_has_shard(s, id)) {
        return err_set(err, "there is no shard S%" PRIu32 " to have a weight", id);
    }
    if (s->weight[id] != LAYOUT_WEIGHT_USUAL) {
        return err_set(err, "the weight of S%" PRIu32 " is said twice", id);
    }
    return read_number(c, "weight S1 200", 1, PLAY_WEIGHT_MAX, &s->weight[id], err);
}

static void say_weight(const struct play_settings *s, struct str *out)
{
    for (uint32_t id = 0; id < PLAY_IDS_MAX; id++) {
        if (s->weight[id] != LAYOUT_WEIGHT_USUAL) {
            str_addf(out, ", weight S%" PRIu32 " %" PRIu32, id, s->weight[id]);
        }
    }
}

static bool read_rate(struct clause *c, struct play_settings *s, struct err *err)
{
    return read_number(c, "rate 3000", 1, PLAY_RATE_MAX, &s->rate, err);
}

static void say_rate(const struct play_settings *s, struct str *out)
{
    str_addf(out, ", rate %" PRIu32, s->rate);
}

static bool read_salt(struct clause *c, struct play_settings *s, struct err *err)
{
    if (!read_number(c, "salt 8", 1, PLAY_SALTS_MAX, &s->salt, err)) {
        return false;
    }
    s->preagg = s->preagg && s->salt == 1;
    return true;
}

static void say_salt(const struct play_settings *s, struct str *out)
{
    if (s->salt > 1) {
        str_addf(out, ", salt %" PRIu32, s->salt);
    }
}

static bool read_preagg(struct clause *c, struct play_settings *s, struct err *err)
{
    if (!read_switch(c, &s->preagg, err)) {
        return false;
    }
    s->salt = s->preagg ? 1 : s->salt;
    return true;
}

static void say_preagg(const struct play_settings *s, struct str *out)
{
    str_add(out, s->preagg ? ", preagg on" : "");
}

static bool read_cache(struct clause *c, struct play_settings *s, struct err *err)
{
    return read_switch(c, &s->cache, err);
}

static void say_cache(const struct play_settings *s, struct str *out)
{
    str_add(out, s->cache ? ", cache on" : "");
}

static bool read_copies(struct clause *c, struct play_settings *s, struct err *err)
{
    return read_number(c, "copies 3", 1, PLAY_COPIES_MAX, &s->copies, err);
}

static void say_copies(const struct play_settings *s, struct str *out)
{
    if (s->copies > 1) {
        str_addf(out, ", copies %" PRIu32, s->copies);
    }
}

static bool read_database_cache(struct clause *c, struct play_settings *s, struct err *err)
{
    return read_number(c, "db-cache 95", 0, 99, &s->database_cache_pct, err);
}

static void say_database_cache(const struct play_settings *s, struct str *out)
{
    if (s->database_cache_pct > 0) {
        str_addf(out, ", db-cache %" PRIu32, s->database_cache_pct);
    }
}

static bool read_add(struct clause *c, struct play_settings *s, struct err *err)
{
    (void)c;
    return play_shard_add(s, err);
}

static bool read_remove(struct clause *c, struct play_settings *s, struct err *err)
{
    uint32_t id = 0;
    return read_shard(c, "remove S2", &id, err) && play_shard_remove(s, id, err);
}

/* In the order in which they are said. */
static const struct clause_form forms[] = {
    {"workload", PLAY_WORKLOAD, read_workload, say_workload},
    {"scheme", PLAY_SCHEME, read_scheme, say_scheme},
    {"tokens", PLAY_TOKENS, read_tokens, say_tokens},
    {"shards", PLAY_CONTROL_COUNT, read_shards, say_shards},
    {"weight", PLAY_WEIGHT, read_weight, say_weight},
    {"rate", PLAY_RATE, read_rate, say_rate},
    {"salt", PLAY_SALT, read_salt, say_salt},
    {"preagg", PLAY_PREAGG, read_preagg, say_preagg},
    {"cache", PLAY_CACHE, read_cache, say_cache},
    {"copies", PLAY_COPIES, read_copies, say_copies},
    {"db-cache", PLAY_DATABASE_CACHE, read_database_cache, say_database_cache},
    {"add", PLAY_SHARD_ADD, read_add, NULL},
    {"remove", PLAY_SHARD_REMOVE, read_remove, NULL},
};

const struct clause_form *clause_form_at(size_t index)
{
    return index < sizeof forms / sizeof forms[0] ? &forms[index] : NULL;
}
