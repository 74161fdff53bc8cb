/*
 * ask: a slot that moves key by key, to be searched: its world, its steps, its scopes.
 *
 * The steps of the move are those of proto/ask.h, what the shards answer that of proto/slot.h.
 * Around them stand two shards, A and B (A owns the slot at first), a directory, two routers R0 and
 * R1 with a map each, and clients that write keys of the slot, read one, or read all of them in one
 * request. A shard's data is a set: that a key is there, and each write that was applied to it.
 *
 * How the steps are cut
 *   - A request is pinned to the shard that its router's map names when it is issued, and waits on
 *     its way as long as the search likes. Serving it, and its client's hearing of that, is one
 *     step. Requests of a kind are issued in the order of their names: they are alike.
 *   - ASK sends a request on to B, with ASKING. MOVED makes the router fetch the map, and the
 *     request goes to the owner. TRYAGAIN leaves it where it is, to be tried again.
 *   - Keys go over in their order, each in one step; without atomic-key-move other steps may come
 *     between copy and drop. A request for several keys wants those of them that exist.
 *   - In the larger scope one key does not exist at first. While the slot moves it is missing at A,
 *     so a write that makes it is sent to B.
 *   - A router may fetch the map at any time. It may hear of the planned owner too early: before B
 *     has claimed the slot.
 *   - B may crash right after its claim, before the directory has heard of it, and restarts. Its
 *     store and its slot table are durable; while it is down requests for it wait, and so does the
 *     directory. Other crashes would be delays too, and the search has all delays anyway.
 *   - Routers, writes and reads have names that are interchangeable. When all requests are issued
 *     the routers' maps, and whose a request is, are forgotten: no later step reads them.
 *
 * What is judged. Outside, what clients notice: a read finds what was acknowledged before it was
 * issued, all of it; what was acknowledged is not thrown away, for no later read would find it; no
 * request goes in a circle, which it does when it is told ASK twice. Inside, what only somebody who
 * sees all nodes at once can say: a key is at one side; B has the slot only when A holds no key of
 * it; only the directory changes routers' maps.
 *
 * Where others search the same protocol with other kinds of requests, the numbers of states
 * differ; the lengths of shortest failures agree. With a key that is not there at first
 * (KEYWISE_LARGE) ask-keeps-map fails a step sooner: no key need go over before A says ASK.
 * close-when-empty is shown where no map comes too early: the harm needs none, and with one the way
 * is a step shorter.
 */
#ifndef HOTSHARD_CHECK_ASK_H
#define HOTSHARD_CHECK_ASK_H

#include "check/model.h"
#include "proto/ask.h"

#define KEYWISE_KEYS_MAX 3
#define KEYWISE_ALL 3u /* a read of all keys, where others have their key */
#define KEYWISE_WRITES_MAX 2
#define KEYWISE_OPS 4
#define KEYWISE_ROUTERS 2
#define KEYWISE_A 0
#define KEYWISE_B 1

/* The scopes, as check_scope.size. */
enum keywise_size {
    KEYWISE_SMALL, /* two keys, a write, a read; one map that comes too early, one crash of B */
    KEYWISE_LARGE, /* one more key (not there at first), write, read and crash */
    KEYWISE_QUIET, /* two keys, a write, a read; no fault */
    KEYWISE_SIZES
};

struct keywise_world {
    uint8_t keys, fresh; /* how many of them are not there at first: the last ones */
    uint8_t writes, reads;
    uint8_t early, crashes; /* at most */
};

/* What a rule decides is in the name, so that a schedule is refused where the rule would have
 * decided otherwise. */
enum keywise_step {
    KEYWISE_ISSUE,        /* a client asks a router, which sends the request on */
    KEYWISE_SERVE,        /* a shard serves a request; its client has the answer */
    KEYWISE_ASK,          /* A says ASK: the request goes to B, with ASKING */
    KEYWISE_ASK_AS_MOVED, /* the router takes that for MOVED */
    KEYWISE_MOVED,        /* a shard says MOVED: the router fetches the map and sends it on */
    KEYWISE_TRY_AGAIN,    /* a shard says TRYAGAIN: it is sent again */
    KEYWISE_RELOAD,       /* a router fetches the map */
    KEYWISE_HAND,         /* a key goes from A to B */
    KEYWISE_COPY,         /* ... is copied to B */
    KEYWISE_DROP,         /* ... A's copy of a key that is at both is thrown away */
    KEYWISE_CLAIM_EMPTY,  /* B makes the slot its own; A holds no key of it */
    KEYWISE_CLAIM_FULL,   /* ... though A holds some */
    KEYWISE_CLOSE,        /* the directory hears of the claim, and A of that */
    KEYWISE_UNDO,         /* no key has gone over: the slot stays at A */
    KEYWISE_RESTART,      /* B, after a crash */
    KEYWISE_EARLY,        /* a router hears of the planned owner before the claim */
    KEYWISE_CRASH,        /* B */
    KEYWISE_STEPS
};

/* The others of a step; what does not apply is 0. */
struct keywise_action {
    enum keywise_step step;
    uint8_t op;     /* the number of the request: writes first, then reads */
    uint8_t router; /* ISSUE, RELOAD, EARLY */
    uint8_t shard;  /* who answers */
    uint8_t key;    /* ISSUE (KEYWISE_ALL: all), HAND, COPY, DROP */
};

/* See flip_action_of. */
struct keywise_action keywise_action_of(uint16_t action);
uint16_t keywise_number_of(struct keywise_action a);

enum keywise_stage {
    KEYWISE_IDLE,
    KEYWISE_SENT,
    KEYWISE_DONE,
    KEYWISE_CIRCLES /* it was told ASK a second time */
};

struct keywise_op {
    uint8_t stage : 2, key : 2;
    uint8_t router : 1, at : 1, asking : 1, asked : 1; /* only on the way; asked: told ASK once */
    uint8_t need; /* of a read on its way: what it must return; done: enum keywise_promise, or 0 */
};

/* What a router's map says, and how it came to that. */
enum keywise_map {
    KEYWISE_SAYS_A,
    KEYWISE_SAYS_B,
    KEYWISE_TOO_EARLY, /* says B */
    KEYWISE_MISLED     /* says B, since ASK was taken for MOVED */
};

/* Sets have a bit for each key, and behind these one for each write. */
struct keywise {
    struct ask_core ask;
    uint8_t has[2];
    uint8_t router[KEYWISE_ROUTERS]; /* enum keywise_map */
    struct keywise_op op[KEYWISE_OPS];
    uint8_t early, crashes; /* how many may still happen */
    uint8_t down;           /* B is */
    uint8_t unused[13];
};

_Static_assert(sizeof(struct keywise) == 32, "bytes without holes");

/* In the order of the codes of broken promises. */
enum keywise_promise {
    KEYWISE_STALE = 1,
    KEYWISE_MISSING,
    KEYWISE_PARTIAL,
    KEYWISE_LOST,
    KEYWISE_CIRCLE,
    KEYWISE_TWO_SIDES,
    KEYWISE_LEFT_BEHIND,
    KEYWISE_MAP_CHANGED
};

const struct keywise_world *keywise_world_of(const struct check_scope *scope);
/* The rules of a scope as proto/rule.h counts them. */
uint64_t keywise_rules_of(const struct check_scope *scope);
static inline unsigned keywise_ops(const struct keywise_world *world)
{
    return (unsigned)world->writes + world->reads;
}

static inline uint8_t keywise_bit(unsigned write)
{
    return (uint8_t)(1u << (KEYWISE_KEYS_MAX + write));
}

static inline unsigned keywise_owner(uint8_t map)
{
    return map == KEYWISE_SAYS_A ? KEYWISE_A : KEYWISE_B;
}

/* The bits of a key, or of all. */
uint8_t keywise_bits(const struct keywise_world *world, const struct keywise *now, unsigned key);
/* The keys (a bit each) of which a set has anything. */
uint8_t keywise_keys(const struct keywise_world *world, const struct keywise *now, unsigned set);
/* Keys that are there since the start, and writes of which a client was told OK. */
uint8_t keywise_acknowledged(const struct keywise_world *world, const struct keywise *now);
enum slot_state keywise_row(const struct keywise *now, unsigned shard);
/* What the shard at which a request is answers it. */
enum outcome keywise_answer(const struct keywise_world *world, uint64_t rules,
                            const struct keywise *now, unsigned op);
/* No request is left to be issued. */
bool keywise_all_issued(const struct keywise_world *world, const struct keywise *now);

/* ask_steps.c; see check_model.next */
void keywise_next(const struct check_scope *scope, const void *state, struct check_out *out);
/* The state after a step that `now` allows. */
struct keywise keywise_after(const struct check_scope *scope, const struct keywise *now,
                             struct keywise_action a);

/* ask_words.c */
void keywise_tell(const struct check_scope *scope, const void *state, uint16_t action,
                  struct check_told *told);
void keywise_say_size(uint8_t size, char *text, size_t room);

#endif
