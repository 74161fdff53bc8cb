/*
 * systems: nine systems that people run, each with its own rules, beside the ROUTE loop.
 *
 * Each system is a small model: how it places a key, what it refuses and how, when it splits, how a
 * part of it moves, how many copies it keeps and what a client was told by then. Its rules are a
 * table of functions and words (struct system_kind), a file each: system_dynamodb.c ... What its
 * vendor documents has its source in that file's header; what the model leaves out is on its card.
 *
 * One trace for all. From the command `system NAME on`, each request that a client asks of the
 * cluster (at its first asking, whatever becomes of it there) is asked of that system too: a like
 * or an edit is a write of the tag of its key ("p9" of likes:{p9}), a read is a read of it. Nobody
 * asks again what was turned away. `series` adds writes of keys that only grow.
 *
 * A system is made of parts (partition, shard, range, region, slots: what is placed, split and
 * moved) on machines (node, broker, shard ...). A position is 128 bits: a hash, a slot, a token, or
 * the first 16 bytes of the key itself where keys keep their order. An open part serves the
 * positions from its first to its last; open parts cover all positions once (Kafka, which counts
 * modulo, numbers them).
 *
 * What becomes of a request: OK; THROTTLED, a limit that the vendor documents; LATE, a machine had
 * more to do than it can, and the client waited longer than it does; AWAY, nobody serves this part
 * now. Where a vendor documents no limit of a part or machine, a machine is given those of the
 * story's shards, 1,000 writes and 3,000 reads a second, so that all nine compare on equal terms.
 *
 * Replication is played by times: a write that a leader took at t is at copy i at t + lag; the
 * client is told when as many copies have it as the system's rule says. When a leader has died and
 * another copy takes over, what clients were told and that copy has not is counted as lost, write
 * by write; a leader that is back before has lost nothing.
 *
 * Streams (Kinesis, Kafka) have readers: so many records a second and part; which parts are read
 * before which is the reader's rule. A record that is read before an older one of its key is out of
 * order, and counted.
 *
 * Units: microseconds, bytes, requests a second. Everything is inside the world's block; a world
 * whose config has no systems_max has no tables for this. Errors: a command that a system does not
 * know says what the system has instead.
 */
#ifndef HOTSHARD_ENGINE_SYSTEMS_H
#define HOTSHARD_ENGINE_SYSTEMS_H

#include "base/digest.h"
#include "base/err.h"
#include "base/str.h"
#include "engine/command.h"
#include "engine/event.h"
#include "engine/trace.h"
#include "place/kinesis.h" /* struct u128 */

struct world;

enum system_id {
    SYSTEM_DYNAMODB,
    SYSTEM_KINESIS,
    SYSTEM_KAFKA,
    SYSTEM_CASSANDRA,
    SYSTEM_COCKROACHDB,
    SYSTEM_HBASE, /* and Bigtable */
    SYSTEM_MONGODB,
    SYSTEM_REDIS,
    SYSTEM_VITESS,
    SYSTEMS
};
#define SYSTEM_ALL UINT8_MAX /* in a command: all that are on */

#define SYSTEM_PARTS_MAX 80 /* Cassandra: 16 tokens on 5 machines */
#define SYSTEM_MACHINES_MAX 8
#define SYSTEM_COPIES 3
#define SYSTEM_MEMBERS_MAX 16 /* readers of a group */
#define SYSTEM_KEYS_MAX 32    /* tags that are counted each; further ones only in sum */
#define SYSTEM_SETTINGS 8
#define SYSTEM_UNREAD 4096 /* records of a part that a reader has not read yet */
#define NO_PART UINT16_MAX
#define MACHINE_NONE UINT8_MAX

enum system_verb {     /* COMMAND_SYSTEM: what is asked of it */
    SYSTEM_VERB_ON,    /* system NAME on [PARTS [MACHINES]] */
    SYSTEM_VERB_OFF,   /* system NAME off */
    SYSTEM_VERB_PARTS, /* system NAME parts N: so many parts from now on */
    SYSTEM_VERB_CUT,   /* system NAME cut PART [KEY]: a part is split, in the middle or at a key */
    SYSTEM_VERB_JOIN,  /* system NAME join PART PART: two neighbours become one */
    SYSTEM_VERB_GROW,  /* system NAME grow: a machine is added */
    SYSTEM_VERB_MOVE,  /* system NAME move PART MACHINE: by hand */
    SYSTEM_VERB_BALANCE, /* system NAME balance: the operator's tool spreads parts over machines */
    SYSTEM_VERB_DOWN,    /* system NAME down MACHINE: it dies */
    SYSTEM_VERB_UP,      /* system NAME up MACHINE: and is back */
    SYSTEM_VERB_SET,     /* system NAME set WHAT VALUE */
    SYSTEM_VERBS
};

enum system_verdict { /* of one request to one system */
    VERDICT_OK,
    VERDICT_THROTTLED,
    VERDICT_LATE,
    VERDICT_AWAY,
    VERDICTS
};

enum system_part_state {
    PART_FREE,    /* no part: a free place */
    PART_OPEN,    /* serves its positions */
    PART_COPYING, /* is being made, and serves nothing yet */
    PART_CLOSED,  /* takes no more writes; what is in it can be read */
    PART_EXPIRED  /* and that neither: only its name is left */
};

/* Reasons of TRACE_SYSTEM records. from: NODE_SYSTEM; key: KEY_NONE_ID; target: the part's number
 * (THROTTLING and CALM of a machine: the machine's); the operands beside each. */
enum systems_reason {
    REASON_SYSTEMS_ON = REASON_SYSTEMS_FIRST, /* 0 parts, 1 machines */
    REASON_SYSTEMS_OFF,
    REASON_SYSTEMS_THROTTLING,  /* a part (or, 2 = 1, a machine) turns away what is over a limit
                                   for the first time in a row of seconds: 0 asked in this second
                                   so far, 1 limit a second */
    REASON_SYSTEMS_CALM,        /* a whole second without: 0 turned away since it began, 2 the
                                   same */
    REASON_SYSTEMS_SPLIT_LOAD,  /* parts were made of one, by itself: 0, 1 the two children's
                                   numbers, 2 requests a second that made it */
    REASON_SYSTEMS_SPLIT_SIZE,  /* the same, 2 bytes */
    REASON_SYSTEMS_SPLIT_HAND,  /* the same, by a command; 2: 0 middle, 1 at a key, 2
                                   at the middle one of its keys */
    REASON_SYSTEMS_NO_SPLIT,    /* it is hot and is not split: 0 enum no_split, 1 requests a
                                   second, 2 the key's number + 1 */
    REASON_SYSTEMS_JOINED,      /* 0, 1 the two parents, 2 the child */
    REASON_SYSTEMS_CLOSED,      /* takes no more writes: 0 records in it, 1 of them unread */
    REASON_SYSTEMS_EXPIRED,     /* the same */
    REASON_SYSTEMS_MOVE_BEGINS, /* 0 from machine, 1 to machine, 2 bytes */
    REASON_SYSTEMS_MOVED,       /* 0 from machine, 1 to machine, 2 microseconds it took */
    REASON_SYSTEMS_LEADER,      /* another copy leads: 0 from machine, 1 to machine, 2 why: enum
                                   leader_why */
    REASON_SYSTEMS_GROWN,       /* a machine joined: 0 machine, 1 parts that go to it */
    REASON_SYSTEMS_NO_MACHINES, /* there are none to add: what can be asked for is in the words */
    REASON_SYSTEMS_DIED,        /* 0 machine, 1 parts that it led, 2 parts that it kept copies of */
    REASON_SYSTEMS_BACK,        /* 0 machine, 1 hints handed over */
    REASON_SYSTEMS_LOST,        /* 0 writes that clients were told of and nobody has, 1 machine */
    REASON_SYSTEMS_KEPT,        /* a machine died and nothing told was lost: 0 writes on their way,
                                   1 machine, 2 writes that nobody was told of */
    REASON_SYSTEMS_BOOST,       /* a part may take more for a while: 0 limit so far, 1 from now,
                                   2: 0 burst, 1 adaptive */
    REASON_SYSTEMS_SPENT,       /* what was saved up is used up: 0 limit from now */
    REASON_SYSTEMS_ORDER,       /* a record was read before an older one of its key, the first
                                   since the reader's rule was set: 0 key's number, 1 the part
                                   with the older one, 2 how many older ones are unread there */
    REASON_SYSTEMS_REBALANCE,   /* readers share the parts anew: 0 parts that pause, 1 of so many,
                                   2 microseconds */
    REASON_SYSTEMS_SETTING,     /* 0 which setting, 1 its value, 2 the one before */
    REASON_SYSTEMS_PARTS,       /* their number changed by a command, and none was cut: 0 before,
                                   1 now */
    REASON_SYSTEMS_OVERDUE,     /* it does not do that: 0 enum no_split, when it would do it by
                                   itself; 1 the verb + 1, when it was asked for */
    REASON_SYSTEMS_END
};
_Static_assert((int)REASON_SYSTEMS_END <= (int)REASON_SYSTEMS_LAST + 1, "reasons have their range");

enum no_split {        /* why a hot part stays whole */
    NO_SPLIT_ONE_ITEM, /* one item cannot be cut */
    NO_SPLIT_GROWING,  /* all writes go to the end: the upper child would have them all again */
    NO_SPLIT_HAND,     /* the system does not split by itself */
    NO_SPLIT_BYTES,    /* it splits by size alone, and is small enough */
    NO_SPLIT_INDEX,    /* a local secondary index keeps a key's items together */
    NO_SPLIT_FULL      /* the model's table of parts is full */
};

enum leader_why {
    LEADER_DIED,
    LEADER_BY_HAND,
    LEADER_BALANCE, /* the system spreads leaders by itself */
    LEADER_BACK     /* the first copy of the list is back */
};

struct system_counts {
    uint64_t asked[2], ok[2]; /* writes, reads */
    uint64_t throttled, late, away;
};

/* What is fixed about one system: its words and its rules, in its file. */
struct system_words {
    const char *name;  /* "dynamodb", as in commands */
    const char *title; /* "DynamoDB" */
    const char *part;  /* "partition": one of its parts; the plural is `parts` */
    const char *parts;
    const char *machine; /* "node" */
    const char *machines;
    const char *throttled; /* what a client is told beyond the limit */
    const char *placement; /* a few words each, for a line of a table: "MD5 of the key, ranges" */
    const char *splits;    /* "by size, and for consumption" */
    const char *moves;     /* how a part gets to another machine */
    const char *order;     /* what stays in order */
    const char *survives;  /* what an acknowledged write survives */
    const char *grows;     /* what one does to have more of it */
    const char *const
        *documented; /* sentences, NULL at the end: what the vendor says, with figures */
    const char *const *leaves_out; /* sentences, NULL at the end: what the model does not do */
    bool stream;                   /* takes writes alone, and has readers */
    /* For the words of the trace, where the common ones would be wrong; NULL: they are right. */
    const char *led;        /* what a machine does with its parts: "served", "owned"; else "led" */
    const char *leads;      /* the same now: "serves", "owns"; else "leads" */
    const char *joined;     /* a machine joined: when something goes to it; NULL: if one moves it */
    const char *takes_over; /* sentences: why another machine has a part whose machine died */
    const char *hands_over; /* and whose machine did not */
    const char *cut_by_size; /* why it was cut for its size */
    const char *copied;      /* it moves as a copy that serves nothing yet: until when */
    const char *counted;     /* what a part's limit counts, where that is not requests */
    bool files_elsewhere;    /* machines keep no copies: the data is in another system */
};
const struct system_words *system_words(enum system_id id);
bool system_by_name(const char *name, uint8_t *id); /* SYSTEM_ALL for "all" */

struct system_setting_info { /* what `set` knows: a choice among words, or a number */
    const char *name;
    const char *about;
    const char *const *choices; /* NULL: a number from `least` to `most` */
    uint32_t count, least, most, initial;
};
/* NULL: it has no more. */
const struct system_setting_info *system_setting(enum system_id id, uint32_t index);

#define SYSTEM_PLACED_MAX 65535u
uint32_t system_placed_max(enum system_id id); /* Redis Cluster has no more parts than slots */
/* The part of a key among so many even ones (1 to the most), from 0 on, by the system's
 * placement alone. False: its parts are never even (random tokens; keys in their order). */
bool system_placed(enum system_id id, struct bytes key, uint32_t parts, uint32_t *part);

/* --- what others may see --- */

struct system_info {
    bool on;
    uint16_t parts; /* open */
    uint16_t closed, expired, copying;
    uint8_t machines, up;
    struct system_counts sum, second; /* since it is on; of the last whole second */
    uint64_t lost;                    /* writes that a client was told of, and nobody has */
    uint64_t disorder;                /* records read before an older one of their key */
    uint64_t read, unread, skipped;   /* records: by readers; not yet; gone before they were read */
    uint64_t redirects; /* requests that went to the wrong machine first, or were sent on */
    uint64_t hints;     /* writes kept for a machine that is down */
    uint64_t splits, joins, moved, moved_bytes, leaders; /* changes of leader */
    int64_t longest_us; /* the longest that a request waited for its turn, of the last second */
    uint32_t setting[SYSTEM_SETTINGS];
};
/* What it noted last, 0 back: the newest (the trace may have dropped it); the first record that was
 * read out of order by the reader's present rule. False: there is none. */
bool world_system_note(const struct world *w, enum system_id id, uint32_t back,
                       struct trace_record *out);
bool world_system_order(const struct world *w, enum system_id id, struct trace_record *out);
bool world_has_systems(const struct world *w); /* its config has room for them */
bool world_system_on(const struct world *w, enum system_id id);
struct system_info world_system(const struct world *w, enum system_id id);

struct part_info {
    uint16_t number;                /* as people say it */
    uint8_t state;                  /* enum system_part_state */
    struct u128 first, last;        /* positions, both included */
    uint16_t parent[2], child[2];   /* numbers; NO_PART */
    uint8_t machine[SYSTEM_COPIES]; /* the leader first; MACHINE_NONE */
    uint8_t target;                 /* it is on its way there; MACHINE_NONE */
    int64_t ready_us;               /* when that, or its copy, is done; 0 */
    int64_t away_us; /* nobody serves it until then; INT64_MAX: a machine has to come back; 0 */
    struct system_counts sum, second;
    uint32_t limit[2]; /* a second now, writes and reads; 0: its machine's */
    uint64_t bytes;
    uint64_t records, unread; /* streams: written to it so far; not read yet */
    int64_t saved;            /* burst: units saved up, in millionths; 0 elsewhere */
    uint8_t reader;           /* the member of the group that reads it; UINT8_MAX */
    bool paused;              /* nobody reads it now: a rebalance, or its parent comes first */
};
/* All parts that are no free places, in the order of their positions (Kafka: of their numbers),
 * parents before their children; `index` below the count. */
uint32_t world_system_parts(const struct world *w, enum system_id id);
struct part_info world_system_part(const struct world *w, enum system_id id, uint32_t index);
/* By its number. */
bool world_system_find(const struct world *w, enum system_id id, uint32_t number,
                       struct part_info *out);
/* What people call it: "shardId-000000000003" in short "3", "40-80", "[p4, p9)", "slots 0-4095". */
void world_part_name(const struct world *w, enum system_id id, uint32_t number, struct str *out);

struct machine_info {
    bool down;
    uint16_t leads, keeps; /* open parts that it leads; whose copies it keeps, those included */
    struct system_counts second; /* as a leader; Cassandra: as any copy */
    uint32_t limit[2];
    uint64_t bytes, hints;
    int64_t joined_us;
    uint8_t copies; /* a set's live copies, its leader included; 0: a machine is no set */
};
struct machine_info world_system_machine(const struct world *w, enum system_id id,
                                         uint32_t machine);

struct system_key_info {
    struct bytes text; /* the tag */
    struct u128 position;
    uint16_t part; /* the number of the open part that takes its writes */
    struct system_counts sum, second;
    uint64_t lost, disorder;
};
uint32_t world_system_keys(const struct world *w, enum system_id id);
struct system_key_info world_system_key(const struct world *w, enum system_id id, uint32_t index);
/* Where a key is or would be; false where the system is off. The key's tag counts. */
bool world_system_place(const struct world *w, enum system_id id, struct bytes key,
                        struct system_key_info *out);

/* The members of a group of readers, and what they do: Kafka (a rebalance), Kinesis (workers). */
struct reader_info {
    uint8_t members;               /* 0: no reader */
    bool left[SYSTEM_MEMBERS_MAX]; /* this member is gone */
    uint32_t rate;                 /* records a second: of a part (Kinesis), of a member (Kafka) */
    int64_t pause_us;              /* until when parts pause, 0: no rebalance */
    uint16_t paused, of;           /* parts that paused in the last rebalance, of so many */
};
struct reader_info world_system_reader(const struct world *w, enum system_id id);

struct series_info {
    uint32_t rate;
    uint64_t next; /* the number of the next key */
    uint32_t bytes;
    struct bytes name;
};
struct series_info world_series(const struct world *w);

/* --- for the engine --- */

#define SERIES_NAME_MAX 6
#define SERIES_RATE_MAX 20000u    /* writes a second */
#define SERIES_BYTES 1024         /* of a write, if nothing is said */
#define SERIES_BYTES_MAX 1000000u /* of one */
struct systems_state {
    uint32_t count; /* how often one was switched on */
    uint32_t on;    /* a bit each */
    uint32_t keys;  /* tags met */
    uint32_t turn;  /* of the ticks */
    uint32_t pool;  /* units of it that were given */
    bool ticking;
    struct { /* series */
        uint32_t rate, rest, bytes, turn;
        uint64_t next;
        uint8_t length;
        char name[SERIES_NAME_MAX];
    } series;
};

/* A client asks this of the cluster, for the first time. */
void systems_asked(struct world *w, enum op_kind op, uint32_t key);

bool systems_apply(struct world *w, const struct command *c, struct err *err);
void systems_handle(struct world *w, const struct event *event); /* JOB_SYSTEM */
bool systems_hold(const struct world *w, struct err *err);       /* invariants */
void systems_lay_out(struct world *plan, uint64_t *end);
uint64_t systems_used(const struct world *w); /* bytes of the tables that a copy needs */
void systems_feed(struct digest *d, const struct world *w);
void systems_say(const struct world *w, const struct trace_record *r, struct str *out);
void systems_label(const struct world *w, const struct trace_record *r, struct str *out);
void systems_why(const struct world *w, const struct trace_record *r, struct str *out);

#endif
