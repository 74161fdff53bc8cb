/*
 * quorums: a store without leaders: every key on N nodes, W that acknowledge a write, R that answer
 * a read.
 *
 * Any node coordinates: it sends a write to the N nodes that the ring names for the key and answers
 * when W have it; a read asks N, waits for R, and returns the newest version. Versions are told
 * apart by a clock a node (a vector): one that descends from the other replaces it; two that do not
 * are siblings, and both are kept (`versions clock`), or the later by the writer's clock wins and
 * the other is lost without a word (`versions last`). A read that finds a replica behind repairs
 * it, before it answers or after.
 *
 * The ring: the nodes that have joined when the store is made, in the order of their numbers, the
 * first STORE_NODES_MAX of them. A key begins at node crc16(key) mod as many and goes on clockwise;
 * other nodes are no part of it.
 *
 * Sloppy: when some of the N do not answer within STORE_PATIENCE_US, the next nodes on the ring
 * take the write with a hint for whom it is, and hand it over when he is back (tried every
 * STORE_HANDOVER_US). Do they count towards W, and their copies towards R? As Dynamo did it, yes;
 * as Cassandra does, no. A node of the N and its stand-in count once. Whoever coordinates gives up
 * after STORE_TIMEOUT_US, a client after STORE_CLIENT_US; what failed may still take effect.
 *
 * What a write replaces: all that its coordinator holds of the key, and what clients have read or
 * written through it (their context, as Dynamo's put has it). A coordinator that is none of the N,
 * and that nobody has asked before, replaces nothing. A node that dies keeps what it holds.
 *
 * R + W > N makes the sets overlap; that is no linearizability, and the store keeps its history of
 * operations so that check/history can say so. With `repair before` a read answers only when what
 * it returns is on W of the N.
 */
#ifndef HOTSHARD_ENGINE_QUORUMS_H
#define HOTSHARD_ENGINE_QUORUMS_H

#include "base/digest.h"
#include "base/err.h"
#include "base/str.h"
#include "engine/command.h"
#include "engine/event.h"
#include "engine/nodes/nodes.h"
#include "engine/trace.h"

struct world;

#define STORE_COPIES_MAX 5
#define STORE_KEYS_MAX 8
#define STORE_NODES_MAX 16
#define STORE_SIBLINGS_MAX 4
#define STORE_HISTORY_MAX 64
#define STORE_PATIENCE_US INT64_C(20000)
#define STORE_TIMEOUT_US INT64_C(200000)
#define STORE_CLIENT_US INT64_C(300000)
#define STORE_HANDOVER_US INT64_C(100000)

/* Operands of most: 0 the number of the operation, 1 and 2 beside each. `target` is the store,
 * `epoch` the key's number in it, `value` what is written or was read. */
enum quorums_reason {
    REASON_QUORUM_ASKED_SET = REASON_QUORUMS_FIRST, /* client -> coordinator */
    REASON_QUORUM_ASKED_GET,
    REASON_QUORUM_WRITE,      /* coordinator -> replica */
    REASON_QUORUM_HERE,       /* the coordinator is a replica itself: 1 versions it now holds */
    REASON_QUORUM_HINT,       /* coordinator -> stand-in: 1 for which node */
    REASON_QUORUM_STORED,     /* replica -> coordinator: 1 versions it now holds */
    REASON_QUORUM_KNOWN,      /* the same: it held it, or what replaces it */
    REASON_QUORUM_SIBLING,    /* the same: it now holds 1 versions, none replaces another */
    REASON_QUORUM_OVERWROTE,  /* the same: it let go of 2, which the writer had not seen */
    REASON_QUORUM_OVERRULED,  /* the same: it keeps 2, which is later, and drops this one */
    REASON_QUORUM_HINT_KEPT,  /* stand-in -> coordinator: 1 for which node */
    REASON_QUORUM_READ,       /* coordinator -> replica */
    REASON_QUORUM_HELD,       /* replica -> coordinator: 1 versions, value: the latest */
    REASON_QUORUM_SILENT,     /* coordinator: 1 node has not answered, 2 stands in for it */
    REASON_QUORUM_NOBODY,     /* coordinator: 1 node has not answered, nobody is left */
    REASON_QUORUM_SET_DONE,   /* coordinator -> client: 1 have it, 2 of them stand-ins */
    REASON_QUORUM_SET_FAILED, /* the same: too few */
    REASON_QUORUM_GET_DONE,   /* coordinator -> client: 1 versions, 2 copies heard */
    REASON_QUORUM_GET_STALE,  /* the same; less than was acknowledged before it was asked */
    REASON_QUORUM_GET_FAILED, /* coordinator -> client: 2 copies heard */
    REASON_QUORUM_REPAIR,     /* coordinator -> replica: 1 whether the client waits for it */
    REASON_QUORUM_REPAIRED,   /* replica -> coordinator */
    REASON_QUORUM_HAND_OVER,  /* stand-in -> who it is for */
    REASON_QUORUM_TAKEN,      /* and back */
    REASON_QUORUM_GAVE_UP,    /* client: no answer in time */
    REASON_QUORUM_LOST,       /* coordinator died with it in hand */
    REASON_QUORUMS_END
};
_Static_assert((int)REASON_QUORUMS_END <= (int)REASON_QUORUMS_LAST + 1, "reasons have their range");

struct quorums_state {
    uint32_t count; /* stores */
};

struct store_held { /* what a node holds of a key */
    uint32_t node;
    bool up, wanted;   /* wanted: one of the N of the ring; else it keeps a hint */
    uint32_t hint_for; /* node, the first of several; UINT32_MAX */
    bool behind;       /* some node holds what replaces a value here, or is missing here */
    uint32_t versions; /* siblings, 0: nothing */
    uint64_t value[STORE_SIBLINGS_MAX];
};
struct store_info {
    char name[24];
    uint32_t n, w, r;
    uint32_t nodes; /* of its ring */
    bool sloppy, hints_count, repair, repair_first, clock;
    uint64_t sets, sets_ok, sets_failed, gets, gets_ok, gets_failed;
    uint64_t stale;    /* reads that returned less than what was acknowledged before they began */
    uint64_t siblings; /* reads that returned more than one version */
    uint64_t overwritten; /* acknowledged values that a later one replaced without having seen it */
    uint64_t hints, hints_handed, repairs;
    uint32_t keys;
};
struct store_op { /* for pictures and check/history; times in microseconds */
    bool write;
    uint32_t key, node; /* who coordinates */
    uint64_t value;     /* written, or read (0: nothing) */
    uint32_t versions;  /* a read's: more than 1 are siblings */
    uint64_t all[STORE_SIBLINGS_MAX];
    int64_t asked_us, ended_us;  /* ended: -1 open, or failed: it may still take effect */
    uint32_t asked_no, ended_no; /* which of all beginnings and ends, where times are the same */
    bool ok;
    bool stale;
    uint32_t acks, stand_ins; /* that had come when it ended; of them, stand-ins */
};
uint32_t world_stores(const struct world *w);
bool world_store_find(const struct world *w, struct bytes name, uint32_t *index);
struct store_info world_store(const struct world *w, uint32_t index);
/* What nodes hold of key number `key` of a store; how many rows were filled in (one a node that
 * holds something or should). */
uint32_t world_store_held(const struct world *w, uint32_t store, uint32_t key,
                          struct store_held out[NODES_MAX]);
struct bytes world_store_key(const struct world *w, uint32_t store, uint32_t key);
uint32_t world_store_history(const struct world *w, uint32_t store,
                             struct store_op out[STORE_HISTORY_MAX]);

struct node_message;
void quorums_heard(struct world *w, const struct node_message *m);
void quorums_node_died(struct world *w, uint32_t node);
void quorums_node_back(struct world *w, uint32_t node);

bool quorums_apply(struct world *w, const struct command *c, struct err *err);
void quorums_handle(struct world *w, const struct event *event); /* JOB_QUORUM */
bool quorums_hold(const struct world *w, struct err *err);       /* invariants */
void quorums_lay_out(struct world *plan, uint64_t *end);
void quorums_feed(struct digest *d, const struct world *w);
void quorums_say(const struct world *w, const struct trace_record *r, struct str *out);
void quorums_label(const struct world *w, const struct trace_record *r, struct str *out);
void quorums_why(const struct world *w, const struct trace_record *r, struct str *out);

#endif
