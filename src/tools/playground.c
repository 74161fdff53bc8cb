/*
 * playground: settings, and what each control does to them.
 */
#include "tools/playground_inside.h"

#include "base/check.h"
#include <inttypes.h>
#include <string.h>

struct play_settings play_settings_default(void)
{
    struct play_settings s = {
        .workload = WORKLOAD_POPULAR,
        .scheme = &scheme_slots,
        .tokens = 16,
        .start = 4,
        .rate = 3000,
        .salt = 1,
        .copies = 1,
    };
    for (size_t id = 0; id < PLAY_IDS_MAX; id++) {
        s.weight[id] = LAYOUT_WEIGHT_USUAL;
    }
    return s;
}

bool play_offers(const struct scheme *scheme)
{
    return (scheme->traits & SCHEME_BY_HAND) == 0;
}

bool play_scheme_has_tokens(const struct scheme *scheme)
{
    static const char *const rings[] = {"ring", "bounded-load", "cassandra"};
    for (size_t i = 0; i < sizeof rings / sizeof rings[0]; i++) {
        if (strcmp(scheme->name, rings[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool play_scheme_has_weights(const struct scheme *scheme)
{
    return (scheme->traits & SCHEME_WEIGHTS) != 0;
}

/* --- shards ------------------------------------------------------------------------------------
 */

uint32_t play_shards(const struct play_settings *s, uint32_t ids[PLAY_SHARDS_MAX])
{
    uint32_t count = 0;
    for (; count < s->start; count++) {
        ids[count] = count;
    }
    for (uint32_t i = 0; i < s->changes; i++) {
        if (s->change[i].joins) {
            CHECK(count < PLAY_SHARDS_MAX);
            ids[count++] = s->change[i].id;
            continue;
        }
        uint32_t at = 0;
        while (at < count && ids[at] != s->change[i].id) {
            at++;
        }
        CHECK(at < count);
        memmove(ids + at, ids + at + 1, (count - at - 1) * sizeof *ids);
        count--;
    }
    return count;
}

bool play_has_shard(const struct play_settings *s, uint32_t id)
{
    uint32_t ids[PLAY_SHARDS_MAX];
    uint32_t count = play_shards(s, ids);
    for (uint32_t i = 0; i < count; i++) {
        if (ids[i] == id) {
            return true;
        }
    }
    return false;
}

bool play_change_room(const struct play_settings *s, struct err *err)
{
    if (s->changes == PLAY_CHANGES_MAX) {
        return err_set(err,
                       "%d shards have joined or left, and no more are remembered; begin anew with "
                       "\"shards 4\"",
                       PLAY_CHANGES_MAX);
    }
    return true;
}

bool play_shard_add(struct play_settings *s, struct err *err)
{
    uint32_t ids[PLAY_SHARDS_MAX];
    uint32_t count = play_shards(s, ids);
    if (count == PLAY_SHARDS_MAX) {
        return err_set(err, "there are %d shards, the most there can be; remove one first",
                       PLAY_SHARDS_MAX);
    }
    if (!play_change_room(s, err)) {
        return false;
    }
    s->change[s->changes++] =
        (struct play_change){.joins = true, .id = (uint8_t)(ids[count - 1] + 1)};
    return true;
}

bool play_shard_remove(struct play_settings *s, uint32_t id, struct err *err)
{
    uint32_t ids[PLAY_SHARDS_MAX];
    if (!play_has_shard(s, id)) {
        return err_set(err, "there is no shard S%" PRIu32 " to remove", id);
    }
    if (play_shards(s, ids) == 1) {
        return err_set(err, "S%" PRIu32 " is the last shard; add another before it leaves", id);
    }
    if (!play_change_room(s, err)) {
        return false;
    }
    s->change[s->changes++] = (struct play_change){.joins = false, .id = (uint8_t)id};
    s->weight[id] = LAYOUT_WEIGHT_USUAL;
    return true;
}

/* --- whether it can be -------------------------------------------------------------------------
 */

static bool within(const char *what, uint32_t value, uint32_t low, uint32_t high, struct err *err)
{
    if (value < low || value > high) {
        return err_set(err,
                       "%s %" PRIu32 " is out of range; give a number from %" PRIu32 " to %" PRIu32,
                       what, value, low, high);
    }
    return true;
}

/* The list of changes leads from one set of shards to the next. */
static bool changes_fit(const struct play_settings *s, struct err *err)
{
    struct play_settings so_far = *s;
    so_far.changes = 0;
    if (s->changes > PLAY_CHANGES_MAX) {
        return play_change_room(&(struct play_settings){.changes = PLAY_CHANGES_MAX}, err);
    }
    for (uint32_t i = 0; i < s->changes; i++) {
        struct play_change change = s->change[i];
        if (change.joins ? !play_shard_add(&so_far, err)
                         : !play_shard_remove(&so_far, change.id, err)) {
            return false;
        }
        if (so_far.change[i].id != change.id) {
            return err_set(err, "the shard that joins next is S%u, not S%u", so_far.change[i].id,
                           change.id);
        }
    }
    return true;
}

static bool weights_fit(const struct play_settings *s, struct err *err)
{
    for (uint32_t id = 0; id < PLAY_IDS_MAX; id++) {
        if (!within("weight", s->weight[id], 1, PLAY_WEIGHT_MAX, err)) {
            return false;
        }
        if (s->weight[id] != LAYOUT_WEIGHT_USUAL && !play_has_shard(s, id)) {
            return err_set(err, "there is no shard S%" PRIu32 " to have a weight", id);
        }
    }
    return true;
}

bool play_check(const struct play_settings *s, const struct play_log *log, struct err *err)
{
    if (s->workload >= WORKLOAD_COUNT) {
        return err_set(err, "no workload of number %u", (unsigned)s->workload);
    }
    if (s->workload == WORKLOAD_LOG && log == NULL) {
        return err_set(err, "the workload log is that of a file with your keys; open it: hotshard "
                            "play FILE");
    }
    if (s->scheme == NULL || !play_offers(s->scheme)) {
        return err_set(err, "this scheme has no rule by which to place keys");
    }
    if (s->salt > 1 && s->preagg) {
        return err_set(err, "writes of the hottest key are either salted or pre-aggregated; switch "
                            "one of them off");
    }
    return within("tokens", s->tokens, 1, PLAY_TOKENS_MAX, err) &&
           within("shards", s->start, 1, PLAY_SHARDS_MAX, err) &&
           within("rate", s->rate, 1, PLAY_RATE_MAX, err) &&
           within("salt", s->salt, 1, PLAY_SALTS_MAX, err) &&
           within("copies", s->copies, 1, PLAY_COPIES_MAX, err) &&
           within("db-cache", s->database_cache_pct, 0, 99, err) && changes_fit(s, err) &&
           weights_fit(s, err);
}

bool play_same(const struct play_settings *a, const struct play_settings *b)
{
    struct str left = STR_EMPTY;
    struct str right = STR_EMPTY;
    play_say(a, &left);
    play_say(b, &right);
    bool same = strcmp(str_text(&left), str_text(&right)) == 0;
    str_free(&left);
    str_free(&right);
    return same;
}

/* --- turning -----------------------------------------------------------------------------------
 */

static const uint32_t token_steps[] = {1, 2, 4, 8, 16, 32, 64, 100, 256, 500, 1000};
static const uint32_t rate_steps[] = {500, 1000, 1500, 2000, 3000, 4000, 5000, 6000, 8000, 10000};
static const uint32_t weight_steps[] = {25, 50, 100, 200, 300, 400, 1000};
static const uint32_t salt_steps[] = {1, 2, 4, 8, 16, 32, 64};
static const uint32_t copy_steps[] = {1, 2, 3, 5, 8};
static const uint32_t hit_steps[] = {0, 50, 80, 90, 95, 99};

#define STEPS(list) list, sizeof list / sizeof list[0]

/* The next step above or below a value, which need not be a step itself. */
static bool step_from(const uint32_t *step, size_t steps, int by, uint32_t *value, const char *name,
                      struct err *err)
{
    if (by > 0) {
        for (size_t i = 0; i < steps; i++) {
            if (step[i] > *value) {
                *value = step[i];
                return true;
            }
        }
    }
    for (size_t i = steps; by < 0 && i-- > 0;) {
        if (step[i] < *value) {
            *value = step[i];
            return true;
        }
    }
    return err_set(err, "%s %" PRIu32 " is the %s there is here", name, *value,
                   by > 0 ? "most" : "least");
}

static void turn_scheme(struct play_settings *s, int by)
{
    size_t count = 0;
    size_t at = 0;
    for (; scheme_at(count) != NULL; count++) {
        at = scheme_at(count) == s->scheme ? count : at;
    }
    do {
        at = (at + (by > 0 ? 1 : count - 1)) % count;
    } while (!play_offers(scheme_at(at)));
    s->scheme = scheme_at(at);
}

static void turn_workload(struct play_settings *s, int by, bool with_log)
{
    uint32_t count = with_log ? WORKLOAD_COUNT : WORKLOAD_LOG;
    uint32_t at = ((uint32_t)s->workload + (by > 0 ? 1 : count - 1)) % count;
    s->workload = (enum play_workload)at;
}

static bool turn_weight(struct play_settings *s, int by, uint32_t shard, struct err *err)
{
    if (!play_has_shard(s, shard)) {
        return err_set(err, "there is no shard S%" PRIu32 " to have a weight", shard);
    }
    return step_from(STEPS(weight_steps), by, &s->weight[shard], "weight", err);
}

bool play_turn(struct play_settings *s, enum play_control control, int by, uint32_t shard,
               const struct play_log *log, struct err *err)
{
    switch (control) {
    case PLAY_WORKLOAD:
        turn_workload(s, by, log != NULL);
        return true;
    case PLAY_SCHEME:
        turn_scheme(s, by);
        return true;
    case PLAY_TOKENS:
        return step_from(STEPS(token_steps), by, &s->tokens, "tokens", err);
    case PLAY_SHARD_ADD:
        return play_shard_add(s, err);
    case PLAY_SHARD_REMOVE:
        return play_shard_remove(s, shard, err);
    case PLAY_WEIGHT:
        return turn_weight(s, by, shard, err);
    case PLAY_RATE:
        return step_from(STEPS(rate_steps), by, &s->rate, "rate", err);
    case PLAY_SALT:
        if (!step_from(STEPS(salt_steps), by, &s->salt, "salt", err)) {
            return false;
        }
        s->preagg = s->preagg && s->salt == 1;
        return true;
    case PLAY_PREAGG:
        s->preagg = !s->preagg;
        s->salt = s->preagg ? 1 : s->salt;
        return true;
    case PLAY_CACHE:
        s->cache = !s->cache;
        return true;
    case PLAY_COPIES:
        return step_from(STEPS(copy_steps), by, &s->copies, "copies", err);
    case PLAY_DATABASE_CACHE:
        return step_from(STEPS(hit_steps), by, &s->database_cache_pct, "db-cache", err);
    case PLAY_CONTROL_COUNT:
        break;
    }
    CHECK(false && "no such control");
    return false;
}
