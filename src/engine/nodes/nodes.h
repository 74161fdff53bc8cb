/*
 * nodes: machines that hold copies of partitions, and the network between them.
 *
 * N1, N2 ... each in a zone. Beside the shards S0 to S3 of the ROUTE loop, which answer as one
 * each, this is the other half of the picture: what a shard is made of. A message takes the delay
 * of its two zones. It does not arrive when the node to which it goes is down, or has died since it
 * was sent, or when the network is cut between the two at the instant at which it would arrive
 * (command `split`: those named are on one side, all others on the other, the directory among
 * these; up to four sides). Clients are on no side: they reach each node that is up. The faults of
 * faults.h (lost, doubled, held up) strike messages of nodes as all others.
 *
 * What a node sends or takes as bulk (copies made anew) shares its link, `node link`. A small
 * message waits behind it at both ends: NODE_WAIT_US times load by what is free, as in a queue that
 * serves one after the other; at half the link that is 10 ms, at a link that is full 990 ms.
 * node_load tells how much of a node's link is taken. A slow node (`node N3 slow 10`) takes so many
 * times as long with each message, both ways.
 *
 * A node that is down loses its memory, not its disk. Who keeps what is the modules' own business:
 * copies.h (leaders), quorums.h (no leaders), watch.h (heartbeats). Each has its messages, told
 * apart by `module`, and hears of the deaths and returns of nodes.
 */
#ifndef HOTSHARD_ENGINE_NODES_H
#define HOTSHARD_ENGINE_NODES_H

#include "base/digest.h"
#include "base/err.h"
#include "base/str.h"
#include "engine/command.h"
#include "engine/event.h"
#include "engine/trace.h"

struct world;

#define NODES_MAX 64 /* numbered from 1 for people, from 0 inside */

#define NODE_SIDES 4
#define NODE_WAIT_US INT64_C(10000)
#define NODE_LOAD_FULL 990u                  /* thousandths: more than that waits no longer */
#define NODE_LINK_FIRST UINT64_C(1250000000) /* bytes a second: 10 Gbit/s */

/* A message that was shown did not arrive: its module, its kind. */
enum nodes_reason {
    REASON_NODE_WAS_DOWN = REASON_NODES_FIRST, /* who should have taken it is down */
    REASON_NODE_CUT_OFF,                       /* the network is cut between the two */
    REASON_NODE_ANOTHER_LIFE,                  /* it died since, and is back without memory */
    REASON_NODES_END
};
_Static_assert((int)REASON_NODES_END <= (int)REASON_NODES_LAST + 1, "reasons have their range");

struct nodes_state {
    uint32_t count;         /* nodes that have joined */
    uint64_t side;          /* a bit a node: those on the other side of the cut; 0: no cut */
    uint32_t free_message;  /* 1 + the first free one of those that were in use; 0: none */
    uint32_t messages_used; /* the first so many were in use at some time */
    uint32_t under_way;     /* messages */
    uint64_t link;          /* bytes a second that a node's network carries */
};

enum node_module {
    MODULE_COPIES,
    MODULE_QUORUMS,
    MODULE_WATCH,
    NODE_MODULES
};

/* A message between nodes: what it means is its module's. Client and directory take part as nodes
 * of their own. */
#define NODE_CLIENT_ZONE(zone) (UINT16_MAX - 8u + (zone)) /* a client in a zone */
#define NODE_DIRECTORY_ITSELF (UINT16_MAX - 9u)

struct node_message {
    uint16_t from, to;
    uint8_t module, kind;
    uint16_t about; /* a group, a store ... */
    uint64_t word[8];
    uint32_t next;   /* free list */
    uint32_t life;   /* of the receiver, when it was sent */
    uint16_t flying; /* events that bring it: two when the network doubled it; 0: a free place */
    bool shown;      /* the trace tells of it, and so tells if it does not arrive */
};

struct node_info {
    uint8_t zone;
    bool down, cut_off;  /* cut off: on a side of a cut without a majority of all nodes */
    uint8_t side;        /* of the cut: 0 is that of all who were not named */
    uint32_t slow;       /* its messages take so many times as long; 1: as ever */
    uint64_t sent, lost; /* messages of its; of them, lost to deaths and cuts */
    uint64_t bulk;       /* bytes a second that it sends or takes as bulk now */
    int64_t changed_us;  /* died, or came back */
};
uint32_t world_nodes(const struct world *w);
struct node_info world_node(const struct world *w, uint32_t node);
bool node_up(const struct world *w, uint32_t node);
bool nodes_connected(const struct world *w, uint32_t a,
                     uint32_t b);                         /* both up, and not cut apart */
uint32_t node_load(const struct world *w, uint32_t node); /* thousandths of its link, bulk */
void node_bulk(struct world *w, uint32_t node, int64_t bytes_a_second); /* more (or less) of it */
/* How long a message takes that is sent now: for arrive_us of a record. */
int64_t node_way_us(const struct world *w, uint32_t from, uint32_t to);
/* Places for messages that are free. Who has none stops the world, so that clients and operators
 * ask before, and leave an eighth to the nodes themselves. */
uint32_t nodes_room(const struct world *w);
bool nodes_take_clients(const struct world *w);
/* Sends a copy of `m` (from, to, module, kind, about, word are set); stops the world when there is
 * no room. */
void node_send(struct world *w, const struct node_message *m);
/* EVENT_NODE. */
void nodes_deliver(struct world *w, const struct event *event);
/* A timer of a module, `in_us` from now: EVENT_JOB of `job` (JOB_COPY ...), with these in
 * `request`, `node` and carries.value. */
void node_timer(struct world *w, uint32_t job, int64_t in_us, uint32_t request, uint16_t node,
                uint64_t value);

/* For faults.h: another event brings this message too; this one does not. */
void nodes_doubled(struct world *w, const struct event *event);
void nodes_kept(struct world *w, const struct event *event);
void nodes_ends(const struct world *w, const struct event *event, struct node *from,
                struct node *to);
/* Whom a message names, as a node of the trace: a machine, a client, the directory. */
struct node node_named(uint32_t node);

bool nodes_apply(struct world *w, const struct command *c, struct err *err);
void nodes_handle(struct world *w, const struct event *event); /* JOB_NODE */
bool nodes_hold(const struct world *w, struct err *err);       /* invariants */
void nodes_lay_out(struct world *plan, uint64_t *end);
void nodes_feed(struct digest *d, const struct world *w);
void nodes_say(const struct world *w, const struct trace_record *r, struct str *out);
void nodes_label(const struct world *w, const struct trace_record *r, struct str *out);
void nodes_why(const struct world *w, const struct trace_record *r, struct str *out);

#endif
