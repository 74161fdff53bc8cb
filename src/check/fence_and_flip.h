/*
 * fence_and_flip: the move of one slot, to be searched: its world, its steps, its scopes.
 *
 * The steps of the move and the answers of the shards are those of proto/move.h and proto/slot.h:
 * what is checked here is what the simulated cluster plays. Around them stand two shards, A and B
 * (A owns the slot at first), a directory, two routers R0 and R1 with a map each, and clients that
 * write and read. A shard's data is the set of writes that it holds.
 *
 * How the steps are cut
 *   - A request is pinned to the shard that its router's map names when it is issued, and waits on
 *     its way as long as the search likes. Serving it, and its client's hearing of that, is one
 *     step. Requests of a kind are issued in the order of their names: they are alike.
 *   - "migrating, retry" leaves a request where it is, to be tried again; MOVED makes the router
 *     fetch the map, and the request goes to the owner.
 *   - A router may fetch the map at any time. It may hear of the planned owner too early: once the
 *     target has a copy, before the commit.
 *   - A reply is lost after its effect; the write is sent again, a step of its own, and found to be
 *     there already.
 *   - When a move was dropped, or both slot tables have followed its commit, the next begins with a
 *     copy: the same again, or the way back. Followers have all that was written before that.
 *
 * What is judged. Outside: a read returns every write that was acknowledged before it was issued.
 * Inside, what only somebody who sees all nodes at once can say: one shard at most would take a
 * write; a shard that would take one holds every acknowledged write; nothing follows the fence
 * entry in the log while the slot is migrating. That the target has everything when the directory
 * commits, and that an abort loses nothing, follows from the second of these.
 *
 * The engine's router looks up its map again after "migrating, retry", so there a request may reach
 * the target before the source is closed. Here it stays pinned until MOVED. With that step added
 * the verdicts and the lengths of failures stay as they are, and in some scopes the farthest state
 * is a step nearer.
 *
 * An independent search of the same move lets the source's mark follow the target's; here either of
 * the two may come first, so the numbers of states differ, while depths, lengths and verdicts
 * agree. Where others search the same move with requests, map and log cut otherwise, the numbers of
 * states differ; depths and the lengths of shortest failures are the same, with one exception.
 * Leaving out slot-table-check makes both shards serve anybody at any time, so it fails as early as
 * a target that does not wait. FLIP_2W1R_OLD_OWNER forgets the check only where the row says
 * "moved", and only there the way has its eleven steps: that is the one to be shown to people. A
 * wrong stamp on a copy is caught by the compare, and a right one needs no compare: each of the two
 * rules alone is redundant, both left out fail.
 */
#ifndef HOTSHARD_CHECK_FENCE_AND_FLIP_H
#define HOTSHARD_CHECK_FENCE_AND_FLIP_H

#include "check/model.h"
#include "proto/move.h"
#include "proto/slot.h"

#define FLIP_OPS 5
#define FLIP_LOG 5
#define FLIP_ROUTERS 2

/* The scopes, as check_scope.size. FLIP_2W1R: two writes, one read, one move, no fault but maps
 * that come too early. */
enum flip_size {
    FLIP_SMALL, /* one write, one read, one restart of the source */
    FLIP_LARGE, /* two of each */
    FLIP_2W1R,
    FLIP_2W2R,
    FLIP_3W1R,
    FLIP_3W2R,
    FLIP_2W1R_LOST,
    FLIP_3W1R_TWO_MOVES,
    FLIP_2W1R_THREE_MOVES,
    FLIP_2W1R_QUIET,     /* no router hears of the planned owner too early */
    FLIP_2W1R_OLD_OWNER, /* without slot-table-check only "moved" rows are not looked at */
    FLIP_SIZES
};

enum flip_step {
    FLIP_ISSUE,    /* a client asks a router, which sends the request on */
    FLIP_SERVE,    /* a shard serves a request; its client has the answer */
    FLIP_RETRY,    /* a shard says "migrating, retry": it is sent again */
    FLIP_MOVED,    /* a shard says MOVED: the router fetches the map and sends it on */
    FLIP_RELOAD,   /* a router fetches the map */
    FLIP_SNAPSHOT, /* the target gets a copy that holds the log through a position */
    FLIP_APPLY,    /* the target applies the next entry of the tail */
    FLIP_FENCE,
    FLIP_COMMIT,
    FLIP_OWN,   /* the target's slot table says "owned" */
    FLIP_CLOSE, /* the source's says "moved" */
    FLIP_ABORT,
    FLIP_PASS,    /* without check-and-append: a write passes the look at the slot table */
    FLIP_LAND,    /* ... and is appended, whatever the table says by then */
    FLIP_RESEND,  /* after a lost reply: the router sends the write again */
    FLIP_EARLY,   /* a router hears of the planned owner before the commit */
    FLIP_LOSE,    /* a write is served, its reply is lost */
    FLIP_RESTART, /* the source restarts */
    FLIP_STEPS
};

/* The others of a step; what does not apply is 0. */
struct flip_action {
    enum flip_step step;
    uint8_t op;       /* the number of the request: writes first, then reads */
    uint8_t router;   /* ISSUE, RELOAD, RESEND, EARLY */
    uint8_t shard;    /* who serves, applies, fences, ...: 0 is A, 1 is B */
    uint8_t position; /* SNAPSHOT */
};

/* What a step of a result means, for whoever plays the same schedule elsewhere: check_result.action
 * holds the steps, each in this form one after the other from the start. */
struct flip_action flip_action_of(uint16_t action);

/* Who takes part in a scope. */
struct flip_world {
    uint8_t writes, reads, moves, lost, restarts;
    bool early;
    bool old_owner;
};

const struct flip_world *flip_world_of(const struct check_scope *scope);

enum flip_stage {
    FLIP_IDLE,
    FLIP_SENT,
    FLIP_PASSED, /* the slot table was looked at */
    FLIP_LOST,   /* its reply was lost, the router has not sent it again yet */
    FLIP_DONE
};

struct flip_op {
    uint8_t stage : 4, router : 2, shard : 2; /* router and shard: only on the way */
    uint8_t need; /* of a read on its way: the writes that it must return; done: those it lacked */
};

/* Sets of writes are masks. */
struct fence_and_flip {
    struct move_core move;
    uint8_t log[FLIP_LOG]; /* at position i + 1: the write + 1, or FLIP_FENCE_ENTRY; 0: applied */
    uint8_t has[2];        /* the data of A and B */
    uint8_t before;        /* what the source held when the move began */
    uint8_t source;        /* which shard the move goes from */
    uint8_t version;       /* of the directory's map: how many moves it has committed */
    uint8_t router[FLIP_ROUTERS]; /* the version of the router's map */
    struct flip_op op[FLIP_OPS];
    uint8_t moves;                  /* how many may still begin */
    uint8_t lost : 4, restarts : 4; /* how many may still happen */
};

#define FLIP_FENCE_ENTRY 15

_Static_assert(sizeof(struct fence_and_flip) == 48, "bytes without holes");

/* Who owns the slot by a version of the map. */
static inline uint8_t flip_owner(uint8_t version)
{
    return version & 1u;
}

static inline uint8_t flip_row(const struct fence_and_flip *now, unsigned shard)
{
    return shard == now->source ? now->move.source : now->move.target;
}

static inline unsigned flip_ops(const struct flip_world *world)
{
    return (unsigned)world->writes + world->reads;
}

/* The rules of a scope as proto/rule.h counts them. */
uint64_t flip_rules(const struct check_scope *scope);
/* What a shard answers to a read or a write; the rules are flip_rules. */
enum outcome flip_answer(const struct flip_world *world, uint64_t rules,
                         const struct fence_and_flip *now, unsigned shard, bool read);
/* See check_model.next. */
void flip_next(const struct check_scope *scope, const void *state, struct check_out *out);
/* The writes that were acknowledged. */
uint8_t flip_acknowledged(const struct flip_world *world, const struct fence_and_flip *now);
/* In words; see check_model.tell. */
void flip_tell(const struct check_scope *scope, const void *state, uint16_t action,
               struct check_told *told);
void flip_say_size(uint8_t size, char *text, size_t room);

#endif
