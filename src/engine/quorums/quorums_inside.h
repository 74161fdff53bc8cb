/*
 * quorums_inside: what the files of the stores without leaders share.
 *
 * Versions live in a table of the store; nodes, operations and messages name them by place, and
 * messages by number too: a version whose place was given to another one is known by that. One that
 * no node holds and no open operation needs is dead a while after it was made: what comes of it
 * later is ignored, so that no more than STORE_SIBLINGS_MAX are ever side by side.
 *
 * A place of an operation is one of the N nodes of its key, 0 first on the ring; whoever stands in
 * for that node answers for that place, and the two count once.
 *
 * For the callers: quorums.c layout and identity, quorums_versions.c clocks, quorums_apply.c
 * commands, quorums_work.c coordinators, quorums_replica.c who stores, quorums_hints.c handing
 * over, quorums_read.c what others see, quorums_hold.c invariants.
 */
#ifndef HOTSHARD_ENGINE_QUORUMS_INSIDE_H
#define HOTSHARD_ENGINE_QUORUMS_INSIDE_H

#include "engine/state.h"

#define STORE_VERSIONS_MAX 128u
#define STORE_NAME_BYTES 24
#define VERSION_LIVES_US US_PER_SECOND /* at least, if nobody holds it */
#define ALL_VERSIONS ((1u << STORE_SIBLINGS_MAX) - 1u)

struct store_version {
    uint64_t value;
    int64_t made_us;
    int64_t let_go_us; /* by some node, the last time; -1 */
    int64_t acked_us;  /* the client heard so; -1: not, or not yet */
    uint32_t acked_no;
    uint8_t acked_w;  /* and how many had to have it, */
    bool acked_hints; /* stand-ins counted */
    uint32_t number;  /* 0: free */
    uint8_t key;
    uint8_t node;     /* whose count it raised */
    bool dropped;     /* somewhere for a later one that had not seen it */
    bool overwritten; /* and counted as such */
    uint16_t clock[STORE_NODES_MAX];
};

/* Versions side by side, place + 1, the free ones last. */
struct version_set {
    uint16_t at[STORE_SIBLINGS_MAX];
};

struct store_cell { /* of a node and a key */
    struct version_set held;
    uint64_t hint_for; /* a bit a node; 0 at the N */
};

enum by { /* who answers for a place */
    BY_ITSELF,
    BY_STAND_IN,
    BY_COUNT
};

enum repair_mode {
    REPAIR_OFF,
    REPAIR_AFTER,
    REPAIR_BEFORE
};

struct quorum_op {
    uint32_t number; /* 0: the row was never used */
    uint8_t key, node, zone;
    bool write;
    bool arrived;  /* the coordinator has it in hand */
    bool lost;     /* and died */
    bool answered; /* by the coordinator */
    bool closed;   /* who coordinates waits for nothing any more */
    bool ended;    /* the client has heard, or gave up */
    bool ok, stale;
    bool storing;               /* a read: waits until what it found is stored */
    bool repaired;              /* a read: what was behind has been told */
    uint8_t counted, stand_ins; /* places that had answered, and by stand-ins, when it was
                                   answered */
    uint8_t versions;           /* of the answer */
    uint8_t heard[BY_COUNT];    /* a read: places that have answered, a bit each */
    uint8_t have[BY_COUNT][STORE_COPIES_MAX]; /* at a place: a bit a version of `result` */
    uint8_t stand_in[STORE_COPIES_MAX];       /* of a place, the last one that was asked, + 1 */
    uint64_t turned_to;                       /* all stand-ins asked so far, a bit a node */
    struct version_set result;                /* what is written, or was found */
    struct version_set reply[BY_COUNT][STORE_COPIES_MAX];
    uint64_t value;
    uint64_t all[STORE_SIBLINGS_MAX];
    int64_t asked_us, ended_us;
    uint32_t asked_no, ended_no;
};

struct store_key {
    uint8_t length;
    uint8_t first; /* node where it begins on the ring */
    char text[KEY_BYTES_MAX];
};

struct store_row {
    char name[STORE_NAME_BYTES];
    uint8_t n, w, r;
    bool sloppy, hints_count, clock;
    uint8_t repair;
    uint8_t nodes; /* of the ring */
    uint8_t keys;
    bool handing;      /* a job tries to hand hints over */
    uint32_t handover; /* of the jobs of its life: it may have begun anew */
    uint32_t last_op, last_version;
    uint32_t moments; /* beginnings and ends of operations so far */
    uint64_t sets, sets_ok, sets_failed, gets, gets_ok, gets_failed;
    uint64_t stale, siblings, overwritten, hints, handed, repairs;
    struct store_key key[STORE_KEYS_MAX];
    struct store_version version[STORE_VERSIONS_MAX];
    struct store_cell cell[STORE_NODES_MAX][STORE_KEYS_MAX];
    uint16_t seen[STORE_NODES_MAX][STORE_KEYS_MAX][STORE_NODES_MAX]; /* by clients of a node */
    struct quorum_op op[STORE_HISTORY_MAX];
};

WORLD_PART(stores, struct store_row)

enum store_mode {       /* command.mode of COMMAND_STORE */
    STORE_MODE_DEFINE,  /* N in count, writes, reads; on: sloppy */
    STORE_MODE_HINTS,   /* pick: whether they count */
    STORE_MODE_REPAIR,  /* pick: enum repair_mode */
    STORE_MODE_VERSIONS /* pick: 1 the last wins */
};
/* COMMAND_SET, COMMAND_GET: the store in other, the node in shard, the value in amount. */

enum quorum_message { /* kind of a node_message; about: the store */
    SAY_ASK,          /* word 0 the operation */
    SAY_ANSWER,
    SAY_WRITE, /* word 0 operation, 1 place, 2 version, 3 enum write_why */
    SAY_ACK,   /* the same */
    SAY_READ,  /* word 0 operation, 1 place, 2 key, 3 enum by */
    SAY_HELD,  /* the same, versions from word 4 on */
    SAY_HAND,  /* word 2 key, versions from word 4 on */
    SAY_TAKEN  /* the same */
};

enum write_why {
    WRITE_SET,
    WRITE_HINT,
    WRITE_REPAIR,
    WRITE_REPAIR_HINT
};

enum quorum_timer { /* carries.value: the operation's number times 4, and this */
    TIMER_PATIENCE,
    TIMER_TIMEOUT,
    TIMER_CLIENT,
    TIMER_HANDOVER
};

/* --- quorums_versions.c --- */

enum taken {
    TAKEN_NEW,     /* it replaces what was there, or there was nothing */
    TAKEN_KNOWN,   /* nothing changed */
    TAKEN_SIBLING, /* it is beside others now */
    TAKEN_OVER,    /* it replaces what its writer had not seen */
    TAKEN_UNDER    /* what is there is later, and had not seen it */
};
struct taking {
    enum taken how;
    uint64_t other; /* the value that it pushed out, or that is kept instead */
};

uint32_t versions_size(const struct version_set *set);
bool version_descends(const struct store_row *s, uint16_t later, uint16_t earlier); /* or equal */
/* A holder of `set` holds this version or what replaces it. */
bool versions_cover(const struct store_row *s, const struct version_set *set, uint16_t version);
/* Puts a version in; `keep` marks what a writer's loss is counted by: false for a reader's sum. */
struct taking versions_take(struct store_row *s, struct version_set *set, uint16_t version,
                            bool keep);
/* The latest by the writer's clock; UINT16_MAX: none. */
uint16_t versions_latest(const struct store_row *s, const struct version_set *set);
/* A name for messages, and back; false: it is dead. */
uint64_t version_name(const struct store_row *s, uint16_t version);
bool version_of(const struct world *w, const struct store_row *s, uint64_t name, uint16_t *out);
/* A new version that replaces all that `node` holds and its clients have seen; UINT16_MAX with the
 * reason: there is no room for it. */
/* What a node held and holds no more: messages may name it for a while. */
void versions_let_go(const struct world *w, struct store_row *s, const struct version_set *set);
uint16_t version_make(struct world *w, uint32_t store, uint8_t key, uint8_t node, uint64_t value,
                      struct err *err);
/* A client has read these through `node`. */
void version_seen(struct store_row *s, uint8_t key, uint8_t node, const struct version_set *set);
void version_acked(struct world *w, struct store_row *s, uint16_t version);

/* --- the ring --- */

static inline uint8_t ring_node(const struct store_row *s, uint8_t key, uint32_t place)
{
    return (uint8_t)((s->key[key].first + place) % s->nodes);
}

/* Which of the N places of the key a node has; >= n: none, it may stand in. */
static inline uint32_t ring_place(const struct store_row *s, uint8_t key, uint32_t node)
{
    return (node + s->nodes - s->key[key].first) % s->nodes;
}

static inline bool ring_wants(const struct store_row *s, uint8_t key, uint32_t node)
{
    return node < s->nodes && ring_place(s, key, node) < s->n;
}

/* --- quorums_work.c --- */

struct quorum_op *quorum_op_find(struct world *w, uint32_t store,
                                 uint32_t number); /* NULL: forgotten */
struct trace_record *quorum_note(struct world *w, uint32_t store, uint8_t key,
                                 enum quorums_reason reason);
/* The same of a message that leaves now. */
struct trace_record *quorum_note_way(struct world *w, const struct node_message *m, uint8_t key,
                                     enum quorums_reason reason);
void quorum_timer(struct world *w, uint32_t store, int64_t wait_us, enum quorum_timer timer,
                  uint32_t number);
/* A client asks; NO_INDEX for `version` in a read. */
void quorum_ask(struct world *w, uint32_t store, uint8_t key, uint8_t node, uint32_t version);
void quorum_work_begin(struct world *w, uint32_t store, uint32_t number);
void quorum_work_acked(struct world *w, const struct node_message *m);
void quorum_work_held(struct world *w, const struct node_message *m);
void quorum_work_patience(struct world *w, uint32_t store, uint32_t number);
void quorum_work_timeout(struct world *w, uint32_t store, uint32_t number);
void quorum_client_hears(struct world *w, const struct node_message *m);
void quorum_client_gives_up(struct world *w, uint32_t store, uint32_t number);

/* The record of a command about a store. */
struct trace_record *quorum_note_command(struct world *w, const struct command *c, uint32_t store);

/* --- quorums_replica.c --- */

/* A node takes a version, as one of the N or with a hint for node `hint_for` (else NO_INDEX). */
struct taking quorum_replica_take(struct world *w, uint32_t store, uint32_t node, uint16_t version,
                                  uint32_t hint_for);
/* What a coordinator does itself of what it asks others to do. */
void quorum_replica_here(struct world *w, uint32_t store, const struct quorum_op *op,
                         uint32_t place, uint16_t version, enum write_why why);
void quorum_replica_write(struct world *w, const struct node_message *m);
void quorum_replica_read(struct world *w, const struct node_message *m);

/* --- quorums_hints.c --- */

void quorum_hints_wake(struct world *w, uint32_t store); /* there may be some: try now and then */
void quorum_hints_try(struct world *w, uint32_t store);
void quorum_hints_given(struct world *w, const struct node_message *m);
void quorum_hints_taken(struct world *w, const struct node_message *m);

/* --- quorums_say.c --- */

void quorum_say_key(const struct world *w, const struct trace_record *r, struct str *out);
const char *quorum_store_name(const struct world *w, const struct trace_record *r);

/* --- quorums_read.c --- */

/* A read that returns this set lacks what was acknowledged before that moment. */
bool versions_stale(const struct store_row *s, const struct version_set *set, uint8_t key,
                    uint32_t asked_no);

#endif
