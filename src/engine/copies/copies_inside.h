/*
 * copies_inside: a group's row, and what the files of copies share.
 *
 * A replica is known by its place in the group: that is its number in proto/term.h. A copy made
 * anew has no place before it counts; then it takes that of the replica that it replaces.
 */
#ifndef HOTSHARD_ENGINE_COPIES_INSIDE_H
#define HOTSHARD_ENGINE_COPIES_INSIDE_H

#include "engine/state.h"

#define GROUP_OPS 32   /* requests of clients that are open */
#define GROUP_ACKED 32 /* acknowledged entries that are checked */
#define GROUP_LED 16   /* terms whose leader is remembered */
#define SENT_MOST 4    /* entries in a message */
#define NOBODY UINT16_MAX
#define VOTE_GONE (1 + TERM_REPLICAS_MAX) /* a vote for a replica that is a member no more */

/* An entry is one word: its term, and the value that stands after it. An empty one leaves that as
 * it was. */
#define EMPTY_BIT (UINT64_C(1) << 63)
#define ENTRY(term, value) ((uint64_t)(term) << 32 | (uint32_t)(value))
#define ENTRY_TERM(entry) ((entry) >> 32 & INT32_MAX)
#define ENTRY_IS_EMPTY(entry) (((entry)&EMPTY_BIT) != 0)
#define ENTRY_VALUE(entry) ((entry)&UINT32_MAX)

struct replica {
    struct term_core core;
    uint64_t entry[GROUP_LOG]; /* of position p at p mod GROUP_LOG: those after `base` */
    uint64_t base;             /* committed, and forgotten */
    uint64_t base_entry;
    uint64_t next[TERM_REPLICAS_MAX];        /* a leader: what each is sent next */
    uint64_t heard_round[TERM_REPLICAS_MAX]; /* a leader: which of its rounds each answered */
    uint64_t round;                          /* a leader: of what it sends */
    uint64_t refused;    /* the last that was told that it leads no more: its term, the own term */
    int64_t heard_us;    /* when it last heard from a leader, or voted */
    int64_t deadline_us; /* it stands then */
    uint16_t node;
    uint16_t follows; /* the place of the leader that it knows; NOBODY */
    bool timer;       /* of its patience, under way */
};

enum copy_op_kind {
    COPY_OP_NONE,
    COPY_OP_WRITE,
    COPY_OP_LOOK,
    COPY_OP_WEAK
};

/* A client's request. */
struct copy_op {
    uint64_t number;
    uint64_t value;
    uint64_t position, term; /* where its leader put it; 0: nowhere, or that leader forgot */
    uint64_t due;            /* a read: the last position that was acknowledged when it was asked */
    uint64_t promised;       /* ... that no leader may lack: acknowledged, or read, by then */
    uint64_t round;          /* a read: the leader's, that a majority must answer */
    int64_t asked_us;
    uint16_t node;  /* asked last */
    uint16_t place; /* of the leader that has it in hand; NOBODY */
    uint8_t kind, zone;
    uint8_t hops;
    bool late;       /* its leader had been replaced when it took it */
    bool by_command; /* who waits until all commands are answered waits for it */
};

struct acked_entry {
    uint64_t position, entry;
    uint64_t by; /* the leader's term */
    bool lost;   /* counted as such */
};

/* A copy that is made anew. */
struct copy_made {
    uint64_t copied, bytes, rate; /* rate: bytes a second now; 0: it waits */
    int64_t began_us, since_us;   /* since: `copied` is of then */
    uint32_t turn;                /* of its timer */
    uint16_t node, place;         /* to where; whose place it takes */
    uint16_t source;              /* node; NOBODY while it waits */
    bool under_way;
    bool catching_up; /* a member that was away too long */
    uint8_t waits;    /* 1 + enum copy_wait that was told */
};

enum copies_broken {
    COPIES_WHOLE,
    COPIES_TWO_LEADERS,
    COPIES_LATE
};

struct group_row {
    struct replica replica[TERM_REPLICAS_MAX];
    struct copy_op op[GROUP_OPS];
    struct acked_entry acked_entry[GROUP_ACKED];
    struct {
        uint64_t term;
        uint64_t who; /* 1 + node */
    } led[GROUP_LED];
    struct copy_made copy;
    struct acked_entry read; /* the farthest that a read of a leader returned */
    uint64_t promised;       /* the farthest that was acknowledged or read of a leader */
    uint64_t back_from;      /* a promise is broken: such a read returned `back_to` after it */
    uint64_t back_to;
    uint64_t acked_entries;  /* ever noted in the ring */
    uint64_t acked_position; /* the highest */
    uint64_t newest;         /* the highest term that was led */
    uint64_t asked, acked, failed, lost, looks, stale, elections;
    uint64_t next_value;
    uint64_t broken_term, broken_at; /* of `broken`: term; position or nodes */
    uint64_t looked;
    int64_t leaderless_us, leaderless_since_us, last_leaderless_us;
    int64_t patience_us;
    uint64_t bytes;
    uint32_t rate, rate_turn; /* writes of clients a second */
    uint16_t known;           /* the place that clients ask */
    uint8_t of, acks, broken;
    uint8_t life;  /* how often it began: what was sent before is of another */
    bool no_place; /* for a copy made anew: it was told */
    bool bare;     /* its leaders begin their terms without an empty entry */
    char name[GROUP_NAME_BYTES];
};

WORLD_PART(groups, struct group_row)

/* What nodes and clients send each other. */
enum copy_message {
    COPY_WRITE, /* words: value, number */
    COPY_LOOK,  /* weak, number */
    COPY_REPLY, /* enum copy_answer, number, value or leader's node, position, term, entry */
    COPY_ASK,   /* for a vote: term, last, its term */
    COPY_VOTE,  /* term asked for, given, own term */
    COPY_SEND,  /* term and round, last sent, committed, before them (position, term), entries */
    COPY_TAKEN  /* term and round of what was sent, enum copy_taken, up to, own term */
};
enum copy_answer {
    COPY_ANSWER_OK,
    COPY_ANSWER_ELSEWHERE,
    COPY_ANSWER_FULL
};
enum copy_taken {
    COPY_TAKEN_ALL,
    COPY_TAKEN_GAP,
    COPY_TAKEN_NOT /* an old term */
};

/* Timers: in the event's `node` the place, in its value the kind in the low byte, then a number. */
enum copy_timer {
    COPY_TIMER_PATIENCE,
    COPY_TIMER_BEAT,  /* beat_number */
    COPY_TIMER_RATE,  /* the flow's turn */
    COPY_TIMER_OP,    /* a client's patience: its number */
    COPY_TIMER_AGAIN, /* a client asks again: its number */
    COPY_TIMER_COPY   /* the copy's turn */
};
uint64_t beat_number(const struct group_row *g, uint16_t place); /* its group's life, its term */
void copies_timer(struct world *w, uint32_t group, uint16_t place, enum copy_timer timer,
                  int64_t in_us, uint64_t number);

static inline bool replica_up(const struct world *w, const struct replica *r)
{
    return node_up(w, r->node);
}

/* Leads, as it believes, and is up. */
static inline bool replica_leads(const struct world *w, const struct replica *r)
{
    return r->core.role == TERM_LEADER && replica_up(w, r);
}

/* A message names its group and, above it, the group's life. */
#define GROUPS_MOST 1024u
#define LIVES 64u
static inline uint32_t message_group(const struct node_message *m)
{
    return m->about % GROUPS_MOST;
}

/* The place of a node in a group; NOBODY. */
uint16_t group_place(const struct group_row *g, uint32_t node);
/* The place of who leads the highest term and is up; NOBODY. */
uint16_t group_leader(const struct world *w, const struct group_row *g);
/* A record: of this group, with the term of `term`. */
struct trace_record *copies_note(struct world *w, uint32_t group, enum copies_reason reason,
                                 uint32_t from, uint32_t to, uint64_t term);
/* What the operator did with a group: see apply_note. */
struct trace_record *copies_command(struct world *w, const struct command *c, uint32_t group,
                                    struct node to, int64_t a, int64_t b);
struct node_message copies_message(const struct world *w, uint32_t group, enum copy_message kind,
                                   uint32_t from, uint32_t to);
/* The arrival of what is sent now, for the last record. */
int64_t copies_arrival(const struct world *w, uint32_t from, uint32_t to);
/* Somebody leads, or nobody does any more. */
void copies_led_changed(struct world *w, uint32_t group);

/* --- copies_log.c --- */

/* The entry at a position, 0: it has none there, or has forgotten it. */
uint64_t log_entry(const struct replica *r, uint64_t position);
/* The term of the entry at a position that it has or at which its memory begins; position 0: 0.
 * False: it cannot say. */
bool log_term(const struct replica *r, uint64_t position, uint64_t *term);
/* Puts an entry behind all others: the position is core.last. Forgets what is too old. */
void log_put(struct replica *r, uint64_t position, uint64_t entry);
/* What it knows to be committed, of what it has. */
uint64_t log_known(const struct replica *r);
/* Whether one more fits behind those that are not committed: a client's, or a new leader's own. */
bool log_has_room(const struct replica *r);
bool log_has_room_at_all(const struct replica *r);
/* The value after a position that is base or later. */
uint64_t log_value(const struct replica *r, uint64_t position);
/* Has this very entry; what it has forgotten it has had. */
bool log_has(const struct replica *r, uint64_t position, uint64_t entry);
/* All of another's log instead of its own. */
void log_copy(struct replica *to, const struct replica *from);

/* --- copies_elect.c --- */

void elect_wait(struct world *w, uint32_t group, uint16_t place); /* draws its patience anew */
void elect_patience(struct world *w, uint32_t group, uint16_t place);
void elect_stand(struct world *w, uint32_t group, uint16_t place, int64_t silence_us);
void elect_ask(struct world *w, uint32_t group, uint16_t place); /* a candidate: all others */
void elect_asked(struct world *w, const struct node_message *m, uint16_t from, uint16_t to);
void elect_voted(struct world *w, const struct node_message *m, uint16_t from, uint16_t to);
/* It has taken over a higher term: what that ends. `was`: its role before. */
void elect_stepped_down(struct world *w, uint32_t group, uint16_t place, uint8_t was);

/* --- copies_send.c --- */

void send_beat(struct world *w, uint32_t group, uint16_t place);
/* What each of the others lacks, or word that there is nothing (`always`). */
void send_all(struct world *w, uint32_t group, uint16_t place, bool always);
void send_arrives(struct world *w, const struct node_message *m, uint16_t from, uint16_t to);
void send_taken(struct world *w, const struct node_message *m, uint16_t from, uint16_t to);
/* Clients whose writes enough replicas have are told so. */
void send_acks(struct world *w, uint32_t group, uint16_t place);

/* --- copies_client.c --- */

void client_writes(struct world *w, uint32_t group, uint64_t value, uint16_t node, bool by_command);
void client_looks(struct world *w, uint32_t group, uint16_t node, bool weak);
void client_end_all(struct world *w, uint32_t group); /* nobody waits any more */
void client_heard(struct world *w, const struct node_message *m);
void client_arrives(struct world *w, const struct node_message *m, uint16_t place);
void client_gives_up(struct world *w, uint32_t group, uint64_t number);
void client_again(struct world *w, uint32_t group, uint64_t number);
void client_flow(struct world *w, uint32_t group, uint64_t turn);
/* A leader begins its term with an entry that holds nothing. */
void client_begins_term(struct world *w, uint32_t group, uint16_t place);
/* With what a read of a replica is answered; a leader answers those for which a majority's word
 * reached it, when all is committed that it held as its term began. */
uint64_t client_read_position(const struct group_row *g, const struct replica *r);
void client_answer_looks(struct world *w, uint32_t group, uint16_t place);
/* A replica forgot who waits for it. */
void client_forgotten(struct group_row *g, uint16_t place);
struct trace_record *client_reply(struct world *w, uint32_t group, uint16_t place,
                                  const struct copy_op *op, enum copies_reason reason,
                                  enum copy_answer answer, uint64_t value, uint64_t position);

/* --- copies_again.c --- */

bool again_apply(struct world *w, const struct command *c, struct err *err);
void again_plan(struct world *w);  /* for each place on a node that is declared dead */
void again_check(struct world *w); /* sources and rates of all copies */
void again_tick(struct world *w, uint32_t group, uint64_t turn);
void again_drop(struct world *w, uint32_t group, enum copy_drop why);
/* A member lacks what its leader has forgotten. */
void again_behind(struct world *w, uint32_t group, uint16_t place);
uint64_t again_copied(const struct world *w, const struct group_row *g);

/* Modes of COMMAND_GROUP, COMMAND_APPEND and COMMAND_RECOPY, in command.mode. */
enum group_mode {
    GROUP_MODE_AS_IT_IS, /* as before; a new one: GROUP_MODE_EMPTY */
    GROUP_MODE_EMPTY,    /* leaders begin their terms with an empty entry */
    GROUP_MODE_BARE
};
enum append_mode {
    APPEND_MODE_ONE, /* amount, or on = false: the next value; shard: node, or NOBODY */
    APPEND_MODE_RATE /* rate */
};
enum recopy_mode {
    RECOPY_MODE_ON, /* amount */
    RECOPY_MODE_OFF,
    RECOPY_MODE_NOW, /* shard: node */
    RECOPY_MODE_TO   /* key: group, shard: node */
};

#endif
