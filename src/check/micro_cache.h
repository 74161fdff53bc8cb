/*
 * micro_cache: readers of one key at a router that caches it, while the key is edited.
 *
 * What a read does, what a fetch fills and what an edit drops is decided by proto/fill.h. An edit
 * passes this router, or another one, and then this one hears nothing of it. Time is a clock of
 * ticks; an entry is fresh for one and served for two.
 *
 * How the steps are cut: an edit is sent, applied, acknowledged, and with that the router that it
 * passed drops its entry; a fetch is sent with the read that begins it, answered by the shard with
 * the version that it has, and returned to the router. The clock ticks whenever the search likes.
 *
 * What is judged of each read
 *   - It does not lack an edit that its own router had acknowledged before the read was issued.
 *   - Served from the entry, its value was current less than two ticks ago. A read that waits for a
 *     fetch gets what the fetch brings, however long that was on its way: two ticks and one fetch
 *     is what a reader can count on.
 *
 * single-flight is never left out: it saves fetches, no promise rests on it. Each of the other
 * rules shows when it alone is left out.
 */
#ifndef HOTSHARD_CHECK_MICRO_CACHE_H
#define HOTSHARD_CHECK_MICRO_CACHE_H

#include "check/model.h"
#include "proto/fill.h"

#define CACHE_EDITS_MAX 2
#define CACHE_READS_MAX 3
#define CACHE_FRESH_TICKS 1
#define CACHE_STALE_TICKS 2

enum cache_edit_stage {
    CACHE_UNSENT,
    CACHE_SENT,
    CACHE_APPLIED,
    CACHE_ACKNOWLEDGED
};

enum cache_fetch_stage {
    CACHE_NOT_BEGUN,
    CACHE_BEGUN,
    CACHE_ANSWERED,
    CACHE_RETURNED
};

enum cache_read_stage {
    CACHE_IDLE,
    CACHE_WAITING,
    CACHE_DONE
};

enum cache_promise {
    CACHE_OWN_EDIT = 1,
    CACHE_BOUND
};

struct cache_edit {
    uint8_t stage;
    uint8_t elsewhere; /* it passes another router */
    uint8_t version;   /* once applied */
};

struct cache_fetch {
    uint8_t stage;
    uint8_t sent;    /* at which tick */
    uint8_t version; /* once answered */
};

struct cache_read {
    uint8_t stage;
    uint8_t fetch; /* while it waits */
    uint8_t need;  /* while it waits: the version that it must not lack; then: what is broken */
};

struct micro_cache {
    struct fill_core fill;
    uint8_t clock;
    uint8_t entry;                     /* the version that the entry holds */
    uint8_t version;                   /* the shard's */
    uint8_t replaced[CACHE_EDITS_MAX]; /* when each version was */
    struct cache_edit edit[CACHE_EDITS_MAX];
    struct cache_fetch fetch[CACHE_READS_MAX];
    struct cache_read read[CACHE_READS_MAX];
    uint8_t unused[3];
};

_Static_assert(sizeof(struct micro_cache) == 64, "bytes only, no padding");

/* The scopes, as check_scope.size. */
enum cache_size {
    CACHE_SMALL,    /* two reads, an edit, two ticks */
    CACHE_LARGE,    /* one more of each */
    CACHE_NO_CLOCK, /* two reads, an edit that passes this router; no time passes */
    CACHE_SIZES
};

struct cache_world {
    uint8_t reads, edits, ticks; /* at most */
    bool elsewhere;              /* edits may pass another router */
};

/* An action is a kind times 4, and which edit, read or fetch it concerns. What the router decides
 * is in its name, so that a schedule is refused where a rule would have decided otherwise. */
enum cache_step {
    CACHE_READ_FROM_ENTRY,
    CACHE_READ_AND_REFRESH,
    CACHE_READ_WAITS,
    CACHE_READ_FETCHES,
    CACHE_SEND_EDIT,
    CACHE_APPLY_EDIT,
    CACHE_ACKNOWLEDGE,
    CACHE_ANSWER,
    CACHE_RETURN_KEPT,
    CACHE_RETURN_NOT_KEPT,
    CACHE_SEND_ELSEWHERE,
    CACHE_TICK
};

const struct cache_world *cache_world_of(const struct check_scope *scope);
/* The rules of proto/rule.h that hold in a scope. */
uint64_t cache_rules_of(const struct check_scope *scope);
enum cache_step cache_step_of(uint16_t action);
unsigned cache_which_of(uint16_t action);
/* The newest version that this router has acknowledged. */
uint8_t cache_acknowledged(const struct micro_cache *now);
/* How many ticks ago the entry's value was replaced; -1: it was not. */
int cache_replaced(const struct micro_cache *now);

/* micro_cache_words.c */
void cache_tell(const struct check_scope *scope, const void *state, uint16_t action,
                struct check_told *told);
void cache_say_size(uint8_t size, char *text, size_t room);

#endif
