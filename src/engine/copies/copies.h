/*
 * copies: partitions with copies on several nodes: leaders, terms, elections, and copies made anew.
 *
 * A group is one partition: up to seven replicas, each on a node of its own, each a proto/term.h
 * core with the last GROUP_LOG entries of its log. What is in the partition is one number: the
 * value of the last entry that has one. The first replica that is named leads term 1.
 *
 * Writes. A client's write goes to a node (`append P1 via N4`); who does not lead says who does.
 * The leader appends, sends the entry to the others, and answers when enough have it: a majority,
 * all, or itself alone (asynchronous, as many real systems do it; then an acknowledged write can
 * vanish with its leader, and `lost` counts it). Who is elected
 * tells the directory, from which clients know. A client that hears nothing for COPIES_CLIENT_US
 * gives up, and does not know what became of its write. A leader of whose log GROUP_WAIT entries
 * wait for a majority takes no more.
 *
 * Elections. The leader beats every COPIES_BEAT_US. A follower that hears nothing for its own
 * patience, drawn anew each time between the group's patience (1 s, or as `group` says) and twice
 * that, stands for the next term. So a partition is without a leader for one to two seconds, and
 * longer if two candidates take each other's votes. A leader who is cut off from all others goes on
 * believing that it leads, takes writes and acknowledges none; it steps down when it hears of a
 * later term. Who is elected writes an empty entry: with it, an entry of its own term, all before
 * it is committed (`empty off`: it waits for the first write instead).
 *
 * Reads. A read (`look`) asks the leader, which answers when a majority still follows it, and when
 * all is committed that was in its log as its term began; or one copy (`weak`), which answers at
 * once. Both answer with what they know to be committed. With `acks one` a leader answers with all
 * that it has, and that may vanish.
 *
 * Copies made anew. When a node is declared dead (watch.h, or the command `recopy now`), each group
 * that has a replica there gets a new one elsewhere, if `recopy` is on: on the node with the fewest
 * replicas (ties: the lowest) that has none of the group and, where zones allow, is in a zone of
 * its own. `recopy P2 N1` chooses by hand. The data comes from the leader over both links, each
 * copy at its budget or at an even part of what they carry, and then the log; then the new replica
 * takes the place of the old one, in one instant for all: who belongs to a group is the directory's
 * to say. (Real systems write it into the log, and so need no third party.) The place changes hands
 * only when a majority of the others is in the leader's term, and the vote of that term counts as
 * given to the leader: so no vote is given twice. One copy a group is made at a time. A replica
 * that was away for longer than its leader's log is long is copied anew as well.
 */
#ifndef HOTSHARD_ENGINE_COPIES_H
#define HOTSHARD_ENGINE_COPIES_H

#include "base/digest.h"
#include "base/err.h"
#include "base/prng.h"
#include "base/str.h"
#include "engine/command.h"
#include "engine/event.h"
#include "engine/trace.h"
#include "proto/term.h"

struct world;

#define GROUP_LOG 32  /* entries that a replica remembers */
#define GROUP_WAIT 24 /* of them, those of clients that may wait for a majority */
#define GROUP_NAME_BYTES 12
#define COPIES_BEAT_US INT64_C(100000)
#define COPIES_PATIENCE_US INT64_C(1000000) /* of followers, at least; at most twice that */
#define COPIES_CLIENT_US INT64_C(1000000)
#define COPIES_BYTES UINT64_C(1000000000)    /* of a partition */
#define GROUP_PLACES (TERM_REPLICAS_MAX + 1) /* one may be copied beside them */
#define COPIES_WAIT_US INT64_C(100000)       /* until a copy that cannot go on tries again */

#define COPY_EMPTY UINT64_MAX /* the value of an entry that has none, in a record */

/* In the record: the group in `slot`, the term in `epoch`, an entry's value in `value`. */
enum copies_reason {
    REASON_COPY_ASKS = REASON_COPIES_FIRST, /* client: a write: number of its kind */
    REASON_COPY_LOOKS,                      /* client: a read: whether it is weak */
    REASON_COPY_ELSEWHERE,  /* replica to client: who leads, + 1; 0: it knows nobody */
    REASON_COPY_TAKES,      /* leader: position, replicas that must have it */
    REASON_COPY_FULL,       /* leader to client: entries that wait */
    REASON_COPY_SENDS,      /* leader to replica: first and last position, committed so far */
    REASON_COPY_STORES,     /* replica to leader: up to which position */
    REASON_COPY_THROWS,     /* replica: first and last position that it throws away */
    REASON_COPY_GAP,        /* replica to leader: its last position, the one that it needs */
    REASON_COPY_REFUSES,    /* replica to leader: its own term */
    REASON_COPY_COMMITS,    /* leader: position, replicas that have it, of how many */
    REASON_COPY_OK,         /* leader to client: position, replicas that have it, enum group_acks */
    REASON_COPY_GIVES_UP,   /* client: microseconds, 1: a read */
    REASON_COPY_ANSWERS,    /* replica to client: position, that which was due, 1: weak */
    REASON_COPY_STANDS,     /* replica: microseconds without a word; 0: it was told to */
    REASON_COPY_VOTE_ASKED, /* candidate to replica: its last position, that one's term */
    REASON_COPY_VOTES,      /* replica to candidate: its own last position, its term */
    REASON_COPY_NO_VOTE,    /* replica to candidate: enum copy_no, whose vote or term, position */
    REASON_COPY_COUNTED,    /* candidate: a vote that it has counted: whose */
    REASON_COPY_LEADS,      /* votes, of how many, last position */
    REASON_COPY_STEPS_DOWN, /* the term that it heard of, 1: it led, 0: it stood */
    REASON_COPY_BACK,       /* a replica is up again: its last position, its vote + 1 */
    REASON_COPY_LOST,       /* new leader: acknowledged entries that it lacks */
    REASON_COPY_PLANNED,    /* directory: new copy on a node, instead of another, 1: by hand */
    REASON_COPY_NO_PLACE,   /* directory: no node can take it, instead of whose */
    REASON_COPY_BEGINS,     /* leader to replica: bytes, bytes a second, 1: it was away too long */
    REASON_COPY_WAITS,      /* directory: a copy waits: enum copy_wait */
    REASON_COPY_COUNTS,     /* directory: a new copy is a member: instead of whom, microseconds */
    REASON_COPY_DROPPED,    /* directory: a copy is given up: enum copy_drop */
    REASON_COPY_EMPTY,      /* new leader: position of its empty entry, replicas for a majority */
    REASON_COPIES_ALL_END
};
enum copy_no { /* why a vote is not given */
    COPY_NO_OLD_TERM,
    COPY_NO_OTHER_VOTE,
    COPY_NO_SHORT_LOG
};
enum copy_wait {
    COPY_WAITS_LEADER, /* nobody leads, or its link to the new one is cut */
    COPY_WAITS_MAJORITY,
    COPY_WAITS_DIRECTORY
};
enum copy_drop {
    COPY_DROP_ALIVE, /* whom it was to replace is alive again */
    COPY_DROP_DIED,  /* its own node died, or was declared dead */
    COPY_DROP_MOVED, /* it goes elsewhere */
    COPY_DROP_OFF    /* recopy off */
};
_Static_assert((int)REASON_COPIES_ALL_END <= (int)REASON_COPIES_LAST + 1,
               "reasons have their range");

struct copies_state {
    uint32_t count;             /* groups */
    bool on;                    /* recopy */
    uint64_t budget;            /* bytes a second of each copy; 0: what the links carry */
    uint64_t declared, wanted;  /* nodes believed dead, a bit each; to be replaced */
    uint32_t under_way, done;   /* copies made anew */
    uint64_t bytes;             /* by those done */
    int64_t began_us, ended_us; /* of the last wave */
    uint64_t requests;          /* of clients, in all */
    struct prng prng;           /* of patience */
};

enum group_acks {
    ACKS_MAJORITY,
    ACKS_ONE, /* the leader's own copy is enough */
    ACKS_ALL
};

enum replica_state {
    REPLICA_VOTES,   /* a full member */
    REPLICA_COPYING, /* takes its snapshot: does not count yet */
    REPLICA_GONE     /* its node is declared dead: it is to be replaced */
};

struct replica_info {
    uint16_t node;
    uint8_t state; /* enum replica_state */
    uint8_t role;  /* enum term_role */
    bool up;
    uint64_t term, last, commit; /* of its core */
    uint64_t last_term;
    uint64_t vote;          /* 1 + replica; 0: none in this term */
    uint64_t value;         /* what a read of this copy returns */
    uint64_t copied, bytes; /* REPLICA_COPYING, and one that was away for too long */
};
struct group_info {
    char name[GROUP_NAME_BYTES];
    uint8_t acks; /* enum group_acks */
    uint64_t bytes;
    uint32_t replicas; /* the last of them may be one that is copied beside the members */
    uint16_t leader;   /* index of the replica that leads the highest term and is up;
                          UINT16_MAX: none */
    uint32_t leaders;  /* replicas that believe to lead: 2 while an old one has not heard */
    uint64_t term;     /* the highest */
    uint64_t committed;
    uint64_t asked, acked, failed; /* writes */
    uint64_t lost;                 /* acknowledged, and not in the log of who leads now */
    uint64_t looks,
        stale;       /* reads; of them, older than what was acknowledged when they were asked */
    uint64_t looked; /* what the last read returned */
    uint64_t elections;
    int64_t last_leaderless_us;  /* the last time that was over */
    int64_t leaderless_us;       /* in all: nobody led who reached a majority */
    int64_t leaderless_since_us; /* -1: somebody does now */
    uint64_t two_leaders;        /* a promise is broken: a term that was led by two; 0: none */
    uint64_t late; /* ... an entry was acknowledged that its leader took after it was replaced */
    struct replica_info replica[GROUP_PLACES];
};
uint32_t world_groups(const struct world *w);
bool world_group_find(const struct world *w, struct bytes name, uint32_t *index);
struct group_info world_group(const struct world *w, uint32_t index);
struct group_entry { /* of a replica's log */
    uint64_t term, value;
    bool empty; /* a leader began its term with it; it has no value */
    bool acked;
    uint64_t by; /* the term of the leader that acknowledged it */
    bool lost;   /* acknowledged, and not in the log of who leads now */
};
/* The entry at a position of a replica's log; false: it has none there, or forgot it. */
bool world_group_entry(const struct world *w, uint32_t group, uint32_t replica, uint64_t position,
                       struct group_entry *out);
struct node_holds { /* what a node has of all groups */
    uint32_t replicas, leads, copying;
};
struct node_holds world_node_holds(const struct world *w, uint32_t node);
struct recopy_info {
    bool on;
    uint64_t budget; /* bytes a second of each copy; 0: what the links carry */
    uint32_t under_way, done;
    uint64_t bytes;             /* copied in all */
    int64_t began_us, ended_us; /* of the last wave; -1 */
};
struct recopy_info world_recopy(const struct world *w);

struct node_message;
void copies_heard(struct world *w, const struct node_message *m);
void copies_node_died(struct world *w, uint32_t node); /* truly: its memory is gone */
void copies_node_back(struct world *w, uint32_t node);
void copies_declared_dead(struct world *w, uint32_t node); /* by watch.h: rightly or not */
void copies_declared_alive(struct world *w, uint32_t node);
void copies_net_changed(struct world *w);  /* a cut, its end, another link */
size_t copies_used(const struct world *w); /* bytes of its table that were ever in use */

bool copies_apply(struct world *w, const struct command *c, struct err *err);
void copies_handle(struct world *w, const struct event *event); /* JOB_COPY */
bool copies_hold(const struct world *w, struct err *err);       /* invariants */
void copies_lay_out(struct world *plan, uint64_t *end);
void copies_feed(struct digest *d, const struct world *w);
void copies_say(const struct world *w, const struct trace_record *r, struct str *out);
void copies_label(const struct world *w, const struct trace_record *r, struct str *out);
void copies_why(const struct world *w, const struct trace_record *r, struct str *out);

#endif
