/*
 * dual_write: edits that go to two stores while a backfill copies what was there before, to be
 * searched: its world, its steps, its scopes.
 *
 * The phases, which version a store takes and when reads may switch are decided by proto/dual.h.
 * Around them stand two shards, A and B (A has the slot at first), routers R0, R1, ... with an edit
 * each, the backfill, an operator, and clients that read. Each key is at version 4 at first, at A
 * alone; one counter gives out all later versions.
 *
 * How the steps are cut
 *   - An edit is pinned to its way when its router takes it: to the one shard alone when double
 *     writing is not on, or to both. In turn: first to the shard that answers reads, which gives it
 *     its version; then that version goes to the other. At once: the router draws the version and
 *     sends both halves. Each half waits on its way as long as the search likes; that it arrives,
 *     and that the router (and, when both have it, the client) hears of it, is one step. Edits are
 *     asked for in the order of their names: they are alike.
 *   - A first half goes to the shard that answers reads when it arrives: one that was sent to A and
 *     comes after the switch is told MOVED, which is a delay like others. A second half of it that
 *     was sent to B at once is then one too many, and another is sent to A. The same the other way
 *     round, when reads go back.
 *   - A shard may refuse a second half. The client is told OK all the same, since the other shard
 *     has the edit, and the backfill goes over all keys once more: that pass takes the newer of two
 *     versions, wherever it is. A first half that is refused is an edit that its client is told has
 *     failed; it is left out here.
 *   - The backfill reads a key's version in one step and writes it in another. Its first pass waits
 *     for edits that were sent before double writing began; that is part of dual-before-backfill,
 *     as in the engine.
 *   - A router may die when one shard has the edit and the other has not: what was still on its way
 *     is gone, and its client hears nothing, neither OK nor that it failed. The cluster knows that
 *     the router has died, and the backfill goes over all keys once more. What is promised then:
 * the edit comes to both shards, as it is at one; until it has, reads cannot switch. What is not: a
 *     client that hears nothing may find its edit or not, and its asking again is a newer edit.
 *   - Reads switch, go back, double writing ends, or B's copy is dropped, when the search likes, if
 *     proto/dual.h allows it. Reads may switch and go back as often as they like. A second half
 * that comes after double writing is not stored any more.
 *
 * Left out: deletes. A backfill that has read a key would bring it back after it was deleted,
 * unless the delete leaves a version of its own, a tombstone, until the backfill is through.
 *   - A client's read is one step: one that is on its way is a read that is asked later.
 *
 * What is judged, always: a read returns what was acknowledged, or newer; while nothing is on its
 * way and the backfill has nothing left to do, both shards hold the same; a shard that holds a
 * version never takes an older one; the shard that answers reads owns the slot, and the other does
 * not.
 *
 * Each rule shows when it alone is left out; none is redundant. Without dual-before-backfill no
 * client would notice, as the compare before the switch would refuse for ever; what shows is that
 * both shards differ and nothing is left that would mend it.
 *
 * Lengths against other cuts of the same protocol: the orders of a backfill and a writer of two
 * writes each, or of two writers, fail in 4 steps. Here that double writing is turned on is a step
 * before them, and so is each edit that is asked for: 6 with the backfill (TWICE_SMALL), 7 with two
 * writers (TWICE_ABSENT, where the backfill cannot harm). Sent at once, two writers need not store
 * both halves before a shard goes back: 5 (TWICE_AT_ONCE). Each key more must be read and written
 * before the backfill is through: 7 without dual-before-backfill in TWICE_LARGE, 5 in the others.
 */
#ifndef HOTSHARD_CHECK_DUAL_WRITE_H
#define HOTSHARD_CHECK_DUAL_WRITE_H

#include "check/model.h"
#include "proto/dual.h"

#define TWICE_KEYS_MAX 2
#define TWICE_EDITS_MAX 3
#define TWICE_FIRST 4 /* the version of each key at the start */

/* The scopes, as check_scope.size. */
enum twice_size {
    TWICE_SMALL,   /* a key, two edits in turn; one second half is refused, a router dies */
    TWICE_LARGE,   /* one more key, edit and refusal */
    TWICE_ABSENT,  /* a key, two edits in turn; the backfill writes only where nothing is */
    TWICE_AT_ONCE, /* a key, two edits, each sent to both shards at once; a refusal and a death */
    TWICE_SIZES
};

struct twice_world {
    uint8_t keys, edits;
    uint8_t refusals;      /* at most */
    uint8_t deaths;        /* of routers, at most */
    uint8_t at_once;       /* both halves of an edit are sent so, or one after the other */
    uint8_t where_nothing; /* the backfill's first pass writes only there */
};

/* What a rule decides is in the name, so that a schedule is refused where the rule would have
 * decided otherwise. */
enum twice_step {
    TWICE_READ,         /* the backfill reads a version */
    TWICE_FILL,         /* ... and writes it at the other shard */
    TWICE_FILL_KEEP,    /* ... where something as new or newer is kept */
    TWICE_FILL_BACK,    /* ... over something newer */
    TWICE_ISSUE,        /* a client asks a router for an edit, which is sent on */
    TWICE_STORE,        /* a shard stores what comes */
    TWICE_KEEP,         /* a shard keeps what it has: it is as new, or newer */
    TWICE_GO_BACK,      /* a shard stores what comes over something newer */
    TWICE_OVER,         /* a second half comes after double writing: it is not stored */
    TWICE_LOOK,         /* a client reads */
    TWICE_ON,           /* double writing begins */
    TWICE_SWITCH,       /* reads go to B; both shards compared equal */
    TWICE_SWITCH_BLIND, /* ... though they did not, or the backfill has not seen all keys */
    TWICE_END,          /* A is written no more */
    TWICE_DROP,         /* B's copy is thrown away, before the switch */
    TWICE_REFUSE,       /* a shard refuses a second half */
    TWICE_RETURN,       /* reads go back to A; both shards compared equal */
    TWICE_RETURN_BLIND, /* ... though they did not */
    TWICE_DIE,          /* a router dies when one shard has its edit */
    TWICE_STEPS
};

enum twice_half {
    TWICE_HALF_FIRST,
    TWICE_HALF_SECOND,
    TWICE_HALF_STRAY /* a second half that was sent to the shard that the first came to as well:
                        the side that `side` of the edit does not say */
};

/* The others of a step; what does not apply is 0. */
struct twice_action {
    enum twice_step step;
    uint8_t edit;
    uint8_t half; /* enum twice_half */
    uint8_t side; /* enum dual_side: where it happens */
    uint8_t key;
};

/* See flip_action_of. */
struct twice_action twice_action_of(uint16_t action);
uint16_t twice_number_of(struct twice_action a);

enum twice_stage {
    TWICE_IDLE,
    TWICE_ON_ITS_WAY,
    TWICE_DONE /* the client was told OK; of the rest only halves on their way are kept */
};

enum twice_how {
    TWICE_ALONE, /* to one shard */
    TWICE_IN_TURN,
    TWICE_BOTH
};

struct twice_edit {
    uint8_t stage : 2, key : 1, how : 2;
    uint8_t first : 1, second : 1, side : 1; /* halves on their way; side: of the second */
    uint8_t version : 4;                     /* 0: it has none yet */
    uint8_t first_in : 1, second_in : 1;     /* the router has heard of them */
    uint8_t refused : 1;                     /* the second was */
    uint8_t stray : 1;                       /* one more second half is on its way */
};

struct twice_key {
    uint8_t held[2]; /* version by enum dual_side */
    uint8_t carried; /* by the backfill */
    uint8_t due;     /* the newest version that a client was told of */
};

enum twice_pass {
    TWICE_NO_PASS,
    TWICE_PASS, /* from the shard that answers reads to the other */
    TWICE_REPAIR
};

struct twice {
    struct dual_core core;
    struct twice_key key[TWICE_KEYS_MAX];
    struct twice_edit edit[TWICE_EDITS_MAX];
    uint8_t last;        /* version that the counter gave */
    uint8_t pass;        /* enum twice_pass */
    uint8_t cursor;      /* keys of the pass that were read */
    uint8_t hand;        /* the last of them is not yet written: 1 plus enum dual_side of its way */
    uint8_t again;       /* a second half was refused meanwhile: one more pass */
    uint8_t refusals;    /* there were */
    uint8_t stale, back; /* what is judged */
    uint8_t deaths;      /* of routers, there were */
    uint8_t unused[5];
};

_Static_assert(sizeof(struct twice) == 32, "bytes without holes");

enum twice_promise {
    TWICE_STALE = 1,
    TWICE_DIFFER,
    TWICE_BACK,
    TWICE_OWNERS
};

const struct twice_world *twice_world_of(const struct check_scope *scope);
/* The rules of a scope as proto/rule.h counts them. */
uint64_t twice_rules_of(const struct check_scope *scope);
/* What a shard's slot table says. */
static inline enum slot_state twice_row(const struct twice *now, enum dual_side side)
{
    return (enum slot_state)(side == DUAL_SOURCE ? now->core.source : now->core.target);
}

/* Every key has one version in both stores. */
bool twice_alike(const struct twice_world *world, const struct twice *now);
/* An edit, or a half of one, is on its way. */
bool twice_under_way(const struct twice *now);
/* Edits that were sent to one shard alone, and have not arrived. */
unsigned twice_singles(const struct twice *now);
int twice_check(const struct check_scope *scope, const void *state);

/* dual_steps.c; see check_model.next */
void twice_next(const struct check_scope *scope, const void *state, struct check_out *out);
/* The state after a step that `now` allows. */
struct twice twice_after(const struct check_scope *scope, const struct twice *now,
                         struct twice_action a);

/* dual_words.c */
void twice_tell(const struct check_scope *scope, const void *state, uint16_t action,
                struct check_told *told);
void twice_say_size(uint8_t size, char *text, size_t room);

#endif
