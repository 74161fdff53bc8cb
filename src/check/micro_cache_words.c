/*
 * micro_cache_words: the steps of a micro-cache, told for somebody who sees them for the first
 * time.
 *
 * Everything is told from the state before the step. Fetches are a, b, c.
 */
#include "check/micro_cache.h"
#include <stdio.h>

#define SAY_ACTOR(told, ...) snprintf((told)->actor, sizeof(told)->actor, __VA_ARGS__)
#define SAY_ACTION(told, ...) snprintf((told)->action, sizeof(told)->action, __VA_ARGS__)
#define SAY_DETAIL(told, ...) snprintf((told)->detail, sizeof(told)->detail, __VA_ARGS__)

static char fetch_name(uint64_t fetch)
{
    return (char)('a' + (char)fetch);
}

static void tell_served(const struct micro_cache *now, bool refresh, struct check_told *told)
{
    int age = (int)(now->clock - now->fill.born_us);
    char then[48] = "";
    char harm[64] = "";
    if (refresh) {
        (void)snprintf(then, sizeof then, " Fetch %c goes out behind it.",
                       fetch_name(now->fill.last));
    }
    if (now->entry < cache_acknowledged(now)) {
        (void)snprintf(harm, sizeof harm, " This router has acknowledged version %u.",
                       (unsigned)cache_acknowledged(now));
    } else if (cache_replaced(now) >= CACHE_STALE_TICKS) {
        (void)snprintf(harm, sizeof harm, " Its value was replaced %d ticks ago.",
                       cache_replaced(now));
    }
    SAY_ACTION(told, "reads version %u from the cache", (unsigned)now->entry);
    SAY_DETAIL(told, "By the router's count the entry is %d tick%s old.%s%s", age,
               age == 1 ? "" : "s", harm, then);
}

static void tell_read(const struct micro_cache *now, uint16_t action, struct check_told *told)
{
    enum cache_step kind = cache_step_of(action);
    SAY_ACTOR(told, "reader %u", cache_which_of(action) + 1);
    if (kind == CACHE_READ_FROM_ENTRY || kind == CACHE_READ_AND_REFRESH) {
        tell_served(now, kind == CACHE_READ_AND_REFRESH, told);
    } else if (kind == CACHE_READ_WAITS) {
        SAY_ACTION(told, "waits for fetch %c", fetch_name(now->fill.last - 1));
        SAY_DETAIL(told, "The cache has nothing that it could serve, and that fetch is under way.");
    } else {
        SAY_ACTION(told, "misses: fetch %c begins", fetch_name(now->fill.last));
        SAY_DETAIL(told, "%s The router asks the shard.",
                   now->fill.held ? "The entry is too old to be served." : "There is no entry.");
    }
}

static void tell_edit(const struct check_scope *scope, const struct micro_cache *now,
                      uint16_t action, struct check_told *told)
{
    const struct cache_edit *e = &now->edit[cache_which_of(action)];
    enum cache_step kind = cache_step_of(action);
    if (kind == CACHE_APPLY_EDIT) {
        SAY_ACTOR(told, "the shard");
        SAY_ACTION(told, "applies the edit");
        SAY_DETAIL(told, "It holds version %u from now on.", now->version + 1u);
    } else if (kind == CACHE_ACKNOWLEDGE && e->elsewhere) {
        SAY_ACTOR(told, "another router");
        SAY_ACTION(told, "acknowledges version %u", (unsigned)e->version);
        SAY_DETAIL(told, "The router with the cache hears nothing of it.");
    } else if (kind == CACHE_ACKNOWLEDGE) {
        struct fill_core fill = now->fill;
        fill_edited(&fill, cache_rules_of(scope));
        SAY_ACTOR(told, "the router");
        SAY_ACTION(told, "acknowledges version %u", (unsigned)e->version);
        SAY_DETAIL(told, "The editor is told OK. %s%s",
                   !now->fill.held ? "There is no entry to drop."
                   : fill.held     ? "The entry stays."
                                   : "The entry is dropped.",
                   !now->fill.fetching ? ""
                   : fill.fetching     ? " The fetch under way is left as it is."
                                       : " What the fetch under way brings will not be kept.");
    } else {
        bool elsewhere = kind == CACHE_SEND_ELSEWHERE;
        SAY_ACTOR(told, "an editor");
        SAY_ACTION(told, "sends an edit%s", elsewhere ? " by another router" : "");
        SAY_DETAIL(told, "%s sends it on to the shard.",
                   elsewhere ? "The other router" : "The router");
    }
}

static void tell_fetch(const struct micro_cache *now, uint16_t action, struct check_told *told)
{
    unsigned which = cache_which_of(action);
    const struct cache_fetch *f = &now->fetch[which];
    if (cache_step_of(action) == CACHE_ANSWER) {
        SAY_ACTOR(told, "the shard");
        SAY_ACTION(told, "answers fetch %c", fetch_name(which));
        SAY_DETAIL(told, "Its version is %u. The answer is on its way.", (unsigned)now->version);
        return;
    }
    unsigned waiting = 0;
    bool lacks = false;
    for (unsigned i = 0; i < CACHE_READS_MAX; i++) {
        bool here = now->read[i].stage == CACHE_WAITING && now->read[i].fetch == which;
        waiting += here ? 1 : 0;
        lacks |= here && now->read[i].need > f->version;
    }
    bool kept = cache_step_of(action) == CACHE_RETURN_KEPT;
    SAY_ACTOR(told, "the router");
    SAY_ACTION(told, "%s version %u of fetch %c", kept ? "keeps" : "does not keep",
               (unsigned)f->version, fetch_name(which));
    SAY_DETAIL(told, "It goes to %u reader%s that waited for it%s.%s", waiting,
               waiting == 1 ? "" : "s", kept ? ", and is the entry from now on" : "",
               lacks ? " One of them asked after a newer version was acknowledged." : "");
}

void cache_tell(const struct check_scope *scope, const void *state, uint16_t action,
                struct check_told *told)
{
    const struct micro_cache *now = state;
    switch (cache_step_of(action)) {
    case CACHE_READ_FROM_ENTRY:
    case CACHE_READ_AND_REFRESH:
    case CACHE_READ_WAITS:
    case CACHE_READ_FETCHES:
        tell_read(now, action, told);
        break;
    case CACHE_SEND_EDIT:
    case CACHE_SEND_ELSEWHERE:
    case CACHE_APPLY_EDIT:
    case CACHE_ACKNOWLEDGE:
        tell_edit(scope, now, action, told);
        break;
    case CACHE_ANSWER:
    case CACHE_RETURN_KEPT:
    case CACHE_RETURN_NOT_KEPT:
        tell_fetch(now, action, told);
        break;
    case CACHE_TICK:
        SAY_ACTOR(told, "the clock");
        SAY_ACTION(told, "ticks");
        SAY_DETAIL(told, "It is tick %u.", now->clock + 1u);
        break;
    }
}

void cache_say_size(uint8_t size, char *text, size_t room)
{
    const struct cache_world *world = cache_world_of(&(struct check_scope){.size = size});
    int n = snprintf(text, room, "%u reads, %u edit%s", (unsigned)world->reads,
                     (unsigned)world->edits, world->edits == 1 ? "" : "s");
    if (world->ticks > 0 && n > 0 && (size_t)n < room) {
        (void)snprintf(text + n, room - (size_t)n, ", %u ticks", (unsigned)world->ticks);
    }
}
