/*
 * micro_cache: its rules, its scopes, its steps and what is judged; see micro_cache.h. The words
 * are in micro_cache_words.c.
 */
#include "check/micro_cache.h"
#include "check/models.h"

/* In the order of proto/rule.h. */
static const struct check_rule demanded[] = {
    {"bounded-age", "An entry beyond its stale bound is not served."},
    {"age-from-read", "An entry's age counts from before its source was read."},
    {"drop-on-edit", "A router drops its entry when it sees an edit."},
    {"fill-not-across-edit", "What a fetch brings is not kept when an edit came between, and later "
                             "reads do not wait for it."},
    {NULL, NULL},
};

#define RULES 4u

_Static_assert(RULE_FILL_NOT_ACROSS_EDIT - RULE_BOUNDED_AGE == RULES - 1, "the list is this one");

static const struct cache_world worlds[CACHE_SIZES] = {
    [CACHE_SMALL] = {.reads = 2, .edits = 1, .ticks = 2, .elsewhere = true},
    [CACHE_LARGE] = {.reads = 3, .edits = 2, .ticks = 3, .elsewhere = true},
    [CACHE_NO_CLOCK] = {.reads = 2, .edits = 1},
};

const struct cache_world *cache_world_of(const struct check_scope *scope)
{
    CHECK(scope->size < CACHE_SIZES);
    return &worlds[scope->size];
}

uint64_t cache_rules_of(const struct check_scope *scope)
{
    uint64_t off = ~scope->rules & ((1u << RULES) - 1);
    return RULES_ALL & ~(off << RULE_BOUNDED_AGE);
}

static uint16_t action_of(enum cache_step kind, unsigned which)
{
    return (uint16_t)((unsigned)kind << 2 | which);
}

enum cache_step cache_step_of(uint16_t action)
{
    return (enum cache_step)(action >> 2);
}

unsigned cache_which_of(uint16_t action)
{
    return action & 3u;
}

static struct micro_cache *put(struct check_out *out, const struct micro_cache *from,
                               enum cache_step kind, unsigned which)
{
    struct micro_cache *to = check_put(out, action_of(kind, which));
    *to = *from;
    return to;
}

static void init(const struct check_scope *scope, struct check_out *out)
{
    (void)cache_world_of(scope);
    struct micro_cache *start = check_put(out, 0);
    *start = (struct micro_cache){.clock = 0};
}

/* --- edits ------------------------------------------------------------------------------------ */

/* They are alike: the second is sent after the first. */
static void next_of_sending(const struct cache_world *world, const struct micro_cache *now,
                            struct check_out *out)
{
    unsigned i = 0;
    while (i < world->edits && now->edit[i].stage != CACHE_UNSENT) {
        i++;
    }
    if (i == world->edits) {
        return;
    }
    put(out, now, CACHE_SEND_EDIT, i)->edit[i].stage = CACHE_SENT;
    if (world->elsewhere) {
        put(out, now, CACHE_SEND_ELSEWHERE, i)->edit[i] =
            (struct cache_edit){.stage = CACHE_SENT, .elsewhere = 1};
    }
}

static void next_of_edit(const struct check_scope *scope, const struct micro_cache *now, unsigned i,
                         struct check_out *out)
{
    if (now->edit[i].stage == CACHE_SENT) {
        struct micro_cache *to = put(out, now, CACHE_APPLY_EDIT, i);
        to->replaced[to->version] = to->clock;
        to->edit[i].version = ++to->version;
        to->edit[i].stage = CACHE_APPLIED;
    } else if (now->edit[i].stage == CACHE_APPLIED) {
        struct micro_cache *to = put(out, now, CACHE_ACKNOWLEDGE, i);
        to->edit[i].stage = CACHE_ACKNOWLEDGED;
        if (!to->edit[i].elsewhere) {
            fill_edited(&to->fill, cache_rules_of(scope));
        }
        to->entry = to->fill.held ? to->entry : 0;
    }
}

/* --- reads and fetches ------------------------------------------------------------------------ */

uint8_t cache_acknowledged(const struct micro_cache *now)
{
    uint8_t newest = 0;
    for (unsigned i = 0; i < CACHE_EDITS_MAX; i++) {
        const struct cache_edit *e = &now->edit[i];
        if (e->stage == CACHE_ACKNOWLEDGED && !e->elsewhere && e->version > newest) {
            newest = e->version;
        }
    }
    return newest;
}

int cache_replaced(const struct micro_cache *now)
{
    return now->entry < now->version ? now->clock - now->replaced[now->entry] : -1;
}

static void serve_entry(struct micro_cache *to, unsigned reader)
{
    enum cache_promise broken = to->entry < cache_acknowledged(to) ? CACHE_OWN_EDIT : CACHE_BOUND;
    bool well = broken == CACHE_BOUND && cache_replaced(to) < CACHE_STALE_TICKS;
    to->read[reader] = (struct cache_read){.stage = CACHE_DONE, .need = well ? 0 : (uint8_t)broken};
}

static void fetch(struct micro_cache *to)
{
    CHECK(to->fill.last < CACHE_READS_MAX);
    to->fetch[to->fill.last] = (struct cache_fetch){.stage = CACHE_BEGUN, .sent = to->clock};
    fill_sent(&to->fill, to->fill.last + 1);
}

static void wait_for_newest(struct micro_cache *to, unsigned reader)
{
    to->read[reader] = (struct cache_read){.stage = CACHE_WAITING,
                                           .fetch = (uint8_t)(to->fill.last - 1),
                                           .need = cache_acknowledged(to)};
}

/* The readers are alike: each begins after the one before. */
static void next_of_reads(const struct check_scope *scope, const struct micro_cache *now,
                          struct check_out *out)
{
    unsigned i = 0;
    unsigned reads = cache_world_of(scope)->reads;
    while (i < reads && now->read[i].stage != CACHE_IDLE) {
        i++;
    }
    if (i == reads) {
        return;
    }
    struct micro_cache *to = NULL;
    switch (fill_read(&now->fill, cache_rules_of(scope), now->clock, CACHE_FRESH_TICKS,
                      CACHE_STALE_TICKS)) {
    case FILL_SERVE:
        serve_entry(put(out, now, CACHE_READ_FROM_ENTRY, i), i);
        break;
    case FILL_SERVE_REFRESH:
        to = put(out, now, CACHE_READ_AND_REFRESH, i);
        serve_entry(to, i);
        fetch(to);
        break;
    case FILL_WAIT:
        wait_for_newest(put(out, now, CACHE_READ_WAITS, i), i);
        break;
    case FILL_FETCH:
        to = put(out, now, CACHE_READ_FETCHES, i);
        fetch(to);
        wait_for_newest(to, i);
        break;
    }
}

static void next_of_fetch(const struct check_scope *scope, const struct micro_cache *now,
                          unsigned i, struct check_out *out)
{
    if (now->fetch[i].stage == CACHE_BEGUN) {
        struct micro_cache *to = put(out, now, CACHE_ANSWER, i);
        to->fetch[i].stage = CACHE_ANSWERED;
        to->fetch[i].version = now->version;
    }
    if (now->fetch[i].stage != CACHE_ANSWERED) {
        return;
    }
    struct cache_fetch landed = now->fetch[i];
    struct fill_core fill = now->fill;
    bool kept = fill_landed(&fill, cache_rules_of(scope), i + 1, landed.sent, now->clock);
    struct micro_cache *to = put(out, now, kept ? CACHE_RETURN_KEPT : CACHE_RETURN_NOT_KEPT, i);
    to->fill = fill;
    to->entry = kept ? landed.version : to->entry;
    to->fetch[i] = (struct cache_fetch){.stage = CACHE_RETURNED};
    for (unsigned r = 0; r < CACHE_READS_MAX; r++) {
        if (to->read[r].stage == CACHE_WAITING && to->read[r].fetch == i) {
            bool lacks = landed.version < to->read[r].need;
            to->read[r] =
                (struct cache_read){.stage = CACHE_DONE, .need = lacks ? CACHE_OWN_EDIT : 0};
        }
    }
}

static void next(const struct check_scope *scope, const void *state, struct check_out *out)
{
    const struct cache_world *world = cache_world_of(scope);
    const struct micro_cache *now = state;
    next_of_sending(world, now, out);
    for (unsigned i = 0; i < CACHE_EDITS_MAX; i++) {
        next_of_edit(scope, now, i, out);
    }
    next_of_reads(scope, now, out);
    for (unsigned i = 0; i < CACHE_READS_MAX; i++) {
        next_of_fetch(scope, now, i, out);
    }
    if (now->clock < world->ticks) {
        put(out, now, CACHE_TICK, 0)->clock++;
    }
}

/* --- what the search asks --------------------------------------------------------------------- */

static int check(const struct check_scope *scope, const void *state)
{
    const struct micro_cache *now = state;
    (void)scope;
    for (unsigned i = 0; i < CACHE_READS_MAX; i++) {
        if (now->read[i].stage == CACHE_DONE && now->read[i].need != 0) {
            return now->read[i].need;
        }
    }
    return 0;
}

static const char *broken(int code)
{
    CHECK(code == CACHE_OWN_EDIT || code == CACHE_BOUND);
    return code == CACHE_OWN_EDIT
               ? "a read lacks an edit that its own router had acknowledged before"
               : "a read was served a value that had been replaced for the stale bound or longer";
}

static const char *const promised[] = {
    "a read returns every edit that its own router had acknowledged before",
    "no read is served a value that has been replaced for the stale bound or longer",
    NULL,
};

static bool finished(const struct check_scope *scope, const void *state)
{
    const struct micro_cache *now = state;
    const struct cache_world *world = cache_world_of(scope);
    for (unsigned i = 0; i < world->edits; i++) {
        if (now->edit[i].stage != CACHE_ACKNOWLEDGED) {
            return false;
        }
    }
    for (unsigned i = 0; i < world->reads; i++) {
        if (now->read[i].stage != CACHE_DONE || now->fetch[i].stage == CACHE_BEGUN ||
            now->fetch[i].stage == CACHE_ANSWERED) {
            return false;
        }
    }
    return true;
}

enum situation {
    WAITS_TOGETHER,
    REPLACED,
    REFRESHED,
    TOO_OLD,
    EDITED_ELSEWHERE,
    EDIT_BETWEEN,
    OLD_FETCH_LEFT,
    WAITS_ACROSS
};

static const struct check_situation situation[] = {
    [WAITS_TOGETHER] = {"a read waits for a fetch that another read began"},
    [REPLACED] = {"the entry holds a value that the shard has replaced"},
    [REFRESHED] = {"a fetch is under way behind an entry that is served meanwhile"},
    [TOO_OLD] = {"the entry has passed its stale bound"},
    [EDITED_ELSEWHERE] =
        {"an edit through another router was acknowledged, and the entry lacks it"},
    [EDIT_BETWEEN] = {"an answer from before an edit is on its way after the router saw the edit"},
    [OLD_FETCH_LEFT] = {"a fetch from before an edit and one from after it are both under way"},
    [WAITS_ACROSS] = {"a read that was issued before an edit was acknowledged waits beyond it"},
    {NULL},
};

static bool under_way(const struct cache_fetch *f)
{
    return f->stage == CACHE_BEGUN || f->stage == CACHE_ANSWERED;
}

static uint32_t situations_of_reads(const struct micro_cache *now)
{
    unsigned waits[CACHE_READS_MAX] = {0};
    uint32_t in = 0;
    for (unsigned i = 0; i < CACHE_READS_MAX; i++) {
        const struct cache_read *r = &now->read[i];
        if (r->stage == CACHE_WAITING) {
            in |= check_bit(WAITS_TOGETHER, ++waits[r->fetch] > 1);
            in |= check_bit(WAITS_ACROSS, r->need < cache_acknowledged(now));
        }
    }
    return in;
}

static uint32_t situations(const struct check_scope *scope, const void *state)
{
    const struct micro_cache *now = state;
    bool held = now->fill.held != 0;
    bool before = false; /* fetches under way */
    bool after = false;
    uint32_t in = situations_of_reads(now);
    (void)scope;
    for (unsigned i = 0; i < CACHE_READS_MAX; i++) {
        const struct cache_fetch *f = &now->fetch[i];
        bool lacks = f->stage == CACHE_ANSWERED && f->version < cache_acknowledged(now);
        in |= check_bit(EDIT_BETWEEN, lacks);
        in |= check_bit(REFRESHED,
                        held && under_way(f) && now->clock - now->fill.born_us < CACHE_STALE_TICKS);
        before |= under_way(f) && i + 1 < now->fill.since;
        after |= under_way(f) && i + 1 >= now->fill.since && now->fill.since > 0;
    }
    for (unsigned i = 0; i < CACHE_EDITS_MAX; i++) {
        const struct cache_edit *e = &now->edit[i];
        bool elsewhere = e->stage == CACHE_ACKNOWLEDGED && e->elsewhere;
        in |= check_bit(EDITED_ELSEWHERE, held && elsewhere && now->entry < e->version);
    }
    return in | check_bit(REPLACED, held && now->entry < now->version) |
           check_bit(TOO_OLD, held && now->clock - now->fill.born_us >= CACHE_STALE_TICKS) |
           check_bit(OLD_FETCH_LEFT, before && after);
}

enum actor {
    EDITOR,
    SHARD,
    ROUTER,
    CLOCK,
    READER /* three */
};

static unsigned actor(uint16_t action)
{
    switch (cache_step_of(action)) {
    case CACHE_READ_FROM_ENTRY:
    case CACHE_READ_AND_REFRESH:
    case CACHE_READ_WAITS:
    case CACHE_READ_FETCHES:
        return READER + cache_which_of(action);
    case CACHE_SEND_EDIT:
    case CACHE_SEND_ELSEWHERE:
        return EDITOR;
    case CACHE_APPLY_EDIT:
    case CACHE_ANSWER:
        return SHARD;
    case CACHE_ACKNOWLEDGE:
    case CACHE_RETURN_KEPT:
    case CACHE_RETURN_NOT_KEPT:
        return ROUTER;
    case CACHE_TICK:
        return CLOCK;
    }
    CHECK(false && "no such step");
    return EDITOR;
}

const struct check_model model_micro_cache = {
    .name = "micro-cache",
    .about = "a router caches a key for its readers, while the key is edited",
    .rule = demanded,
    .state_size = sizeof(struct micro_cache),
    .size_small = CACHE_SMALL,
    .size_large = CACHE_LARGE,
    .size_of = "scope",
    .say_size = cache_say_size,
    .init = init,
    .next = next,
    .check = check,
    .broken = broken,
    .promises = promised,
    .situation = situation,
    .situations = situations,
    .finished = finished,
    .actor = actor,
    .tell = cache_tell,
};
