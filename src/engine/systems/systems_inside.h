/*
 * systems_inside: the tables of systems.h, the rules of a system as a table of functions, and what
 * the files of systems share.
 *
 * Who does what: systems.c takes a request through placement, copies and limits and keeps the
 * counts; systems_parts.c makes, cuts, joins, closes and moves parts; systems_machines.c lets
 * machines join, die and come back, and counts what was lost; systems_reader.c reads streams;
 * system_NAME.c decides: what admits, when something splits, where it goes.
 */
#ifndef HOTSHARD_ENGINE_SYSTEMS_INSIDE_H
#define HOTSHARD_ENGINE_SYSTEMS_INSIDE_H

#include "engine/state.h"

#define SYSTEM_RECENT 128   /* writes of a part that may not be at all copies yet */
#define SYSTEM_WAITING 2048 /* for a machine: its rate times a client's patience */
#define SYSTEM_NOTES 8      /* of the last records, that the trace may have dropped by now */
#define SYSTEM_LIKE_BYTES 100
#define RECENT_SETTLED INT64_MIN /* nothing can happen to this write any more */
#define AWAY_EVER INT64_MAX      /* until a machine comes back */
#define KEY_OTHER UINT8_MAX
#define SYSTEM_PARTS_SUM (SYSTEM_PARTS_MAX + (SYSTEMS - 1) * SYSTEM_PARTS_FEW)
#define SYSTEM_PARTS_FEW 32              /* of all but Cassandra */
#define SYSTEM_TICK_US (200 * US_PER_MS) /* readers ask five times a second */
#define SYSTEM_STREAMS 2 /* systems with `stream`: their parts have records to be read */
#define SYSTEM_TURNS_MAX                                                                           \
    64 /* of a key, in one part after another; further ones count as the last */

struct part_row {
    struct u128 first, last;
    int64_t ready_us, away_us;
    int64_t moving_us;                /* since when `target` is on its way */
    int64_t frozen_us;                /* its leader died then, and nobody leads it yet; 0 */
    struct bucket bucket[WORK_KINDS]; /* ceiling 0: the machine's */
    uint64_t bytes;
    uint64_t records, read;          /* streams: positions in its log */
    int64_t saved[WORK_KINDS];       /* burst, millionths of a unit */
    int64_t used[WORK_KINDS];        /* DynamoDB: units taken in this second, likewise */
    int64_t used_before[WORK_KINDS]; /* and in the one before */
    struct bucket volume;            /* Kinesis: kilobytes written */
    struct system_counts sum, now, second;
    uint64_t taken;              /* writes, so far; the last of them are in its recent_row */
    int64_t own[2];              /* each system's own, named in its file */
    uint32_t turn;               /* of its timer: what was asked for before it changed is void */
    uint32_t hot_s;              /* whole seconds in a row that made the system think of a split */
    uint32_t turned_away;        /* since its throttling began */
    uint32_t unbegun;            /* writes that waited when its leader died */
    uint16_t recent_at, ring_at; /* its place's rows in the pool, for good; 0: none yet */
    uint16_t number, parent[2];
    uint8_t state, copies, machine[SYSTEM_COPIES], target;
    uint8_t behind; /* copies that were down while others went on, a bit each */
    uint8_t key;    /* the one key in it that has most of its load, KEY_OTHER */
    bool throttling;
    int64_t paused_us; /* readers: until then nobody reads it */
    uint8_t reader;
};

struct machine_row {
    struct bucket bucket[WORK_KINDS];
    struct system_counts now, second;
    uint64_t hints;
    int64_t joined_us, busy_us; /* copies to it are under way until then */
    int64_t died_us, back_us;   /* the last time; 0 */
    int64_t leads_us; /* while it is down: when others lead its parts; own copies: when it is back
                         by one of them; AWAY_EVER: nobody can */
    uint32_t turn;    /* of that timer */
    uint32_t queued, begun; /* writes that had to wait, so far; of them, those whose turn came */
    uint16_t waiting_at;    /* the others: its waiting_row in the pool, for good; 0: none yet */
    uint32_t turned_away;
    uint8_t copies_up; /* own copies, the leader included */
    bool there, down, throttling;
};

struct system_key_row {
    struct system_counts sum, now, second;
    uint64_t lost, disorder;
    uint64_t low[WORK_KINDS];  /* this second's, for a split within a key's items: below and */
    uint64_t high[WORK_KINDS]; /* above the middle of its part */
};

struct system_row {
    bool on;
    uint8_t machines;    /* so many of machine[] were ever there */
    uint16_t parts_used; /* so many places of its parts were ever in use */
    uint16_t next_number;
    uint16_t part_at[SYSTEM_PARTS_MAX]; /* each place's row in the pool, for good; 0: none yet */
    int64_t began_us;
    struct system_counts sum, now, second;
    uint64_t lost, disorder, read, skipped, redirects, hints;
    uint64_t splits, joins, moved, moved_bytes, leaders;
    int64_t longest_us, longest_now_us;
    uint32_t setting[SYSTEM_SETTINGS];
    uint32_t turn; /* of timers that are no part's */
    uint64_t notes;
    struct trace_record note[SYSTEM_NOTES], order; /* a ring; the first REASON_SYSTEMS_ORDER */
    uint64_t own[8]; /* each system's own counters, named in its file */
    struct prng prng;
    struct machine_row machine[SYSTEM_MACHINES_MAX];
    struct system_key_row key[SYSTEM_KEYS_MAX];
    uint8_t members; /* readers, those included that have left */
    bool left[SYSTEM_MEMBERS_MAX];
    int64_t pause_us;
    uint16_t pause_of, pause_count;
    bool order_told;
};

struct system_tag { /* what is asked for, by its number */
    uint8_t length;
    char text[KEY_BYTES_MAX];
};

WORLD_PART(systems, struct system_row)     /* SYSTEMS of them */
WORLD_PART(system_tags, struct system_tag) /* SYSTEM_KEYS_MAX */

/* What readers know of a stream. A key's turn ends when its writes go to another part; of one turn
 * all records are in one part, and so are read in order. */
struct stream_key {
    uint8_t turns;                     /* so far; 0: not written yet */
    uint16_t part[SYSTEM_TURNS_MAX];   /* the number of each turn's part */
    uint32_t unread[SYSTEM_TURNS_MAX]; /* records of each turn that nobody has read */
};
struct stream_row {
    struct stream_key key[SYSTEM_KEYS_MAX];
};
WORLD_PART(system_unread, struct stream_row) /* SYSTEM_STREAMS of them: Kinesis, Kafka */

/* Rows that few places need are given at their first use, one after the other, and stay theirs; so
 * a copy of a world takes those that were ever in use, and no others. */
struct recent_row { /* of a part: its last writes, a ring over `taken` */
    int64_t at_us[SYSTEM_RECENT];
    uint8_t key[SYSTEM_RECENT];
};
struct waiting_row {                   /* of a machine: writes that wait, a ring over `queued` */
    uint32_t start_us[SYSTEM_WAITING]; /* the lowest bits of when its turn comes */
    uint8_t part[SYSTEM_WAITING], key[SYSTEM_WAITING];
};
struct ring_row { /* of a part of a stream, over `records`: a record's key and its turn */
    uint16_t record[SYSTEM_UNREAD];
};
struct pool_unit {
    uint64_t bytes[8];
};
WORLD_PART(system_pool, struct pool_unit) /* SYSTEM_POOL of them */
#define POOL_UNITS(type) ((sizeof(type) + sizeof(struct pool_unit) - 1) / sizeof(struct pool_unit))
#define SYSTEM_POOL                                                                                \
    (SYSTEM_PARTS_SUM * (POOL_UNITS(struct part_row) + POOL_UNITS(struct recent_row)) +            \
     SYSTEMS * SYSTEM_MACHINES_MAX * POOL_UNITS(struct waiting_row) +                              \
     SYSTEM_STREAMS * SYSTEM_PARTS_FEW * POOL_UNITS(struct ring_row))
_Static_assert(SYSTEM_POOL < UINT16_MAX, "a place in the pool has 16 bits");

/* One request on its way into one system. */
struct system_ask {
    uint8_t system;
    enum kind_of_work work;
    uint8_t key;       /* number of its tag, KEY_OTHER */
    uint64_t sort;     /* the sort key within its item collection, by the system's setting */
    uint32_t bytes;    /* of a write */
    int64_t cost;      /* of its part's or machine's bucket; 0: COST_ONE */
    struct bytes text; /* the key */
    struct u128 position;
    uint16_t part;   /* place in the table, NO_PART */
    int64_t wait_us; /* until its turn came */
    uint8_t machine; /* whose turn it was; MACHINE_NONE: the part's own */
};

#define COST_ONE TOKEN /* of a bucket: one unit */

struct system_kind {
    const struct system_words *words;
    const struct system_setting_info *settings; /* ends with a name of NULL */
    bool own_copies;    /* a machine is a leader with copies of its own: parts stay on it */
    bool leaderless;    /* no copy leads, nobody elects: see system_cassandra.c */
    uint8_t copies;     /* of each write, the leader's included */
    uint8_t acks;       /* copies that have it before the client is told; a setting may change it */
    uint8_t acks_least; /* fewer live copies refuse writes; 0: never for that */
    uint8_t elects;  /* fewer live copies have no leader, once theirs has died; 0: one is enough */
    bool part_limit; /* limits are of parts; else of machines */
    uint32_t limit[WORK_KINDS];
    int64_t wait_us;     /* a client's patience with its turn; 0: turned away at once */
    int64_t lag_us;      /* a write's way from the leader to the next copy; the second: twice it */
    int64_t failover_us; /* a leader is dead until another leads */
    uint32_t move_bytes; /* a second, of one move */
    uint16_t parts, machines; /* at the start, unless said otherwise */

    /* A request is about to be placed: sets `sort`, or gathers several to one. False: it only adds
     * to what is sent later, and nothing is asked or counted now. NULL: nothing to do. */
    bool (*prepare)(struct world *w, struct system_ask *ask);
    /* Where a key is. `sort`: its place among the items of one key. */
    struct u128 (*position)(const struct world *w, struct bytes key, uint64_t sort);
    /* The place of the open part of a position (or key); NULL: by ranges. */
    uint16_t (*locate)(const struct world *w, const struct system_ask *ask);
    /* Makes its first parts on its first machines. */
    void (*start)(struct world *w, uint8_t system, uint32_t parts);
    /* Whether it is taken, its part being there; NULL: limits and copies as above. */
    enum system_verdict (*admit)(struct world *w, struct system_ask *ask);
    void (*second)(struct world *w, uint8_t system); /* a whole second has ended */
    void (*timer)(struct world *w, uint8_t system, uint16_t part, uint32_t what);
    void (*lost)(struct world *w, uint8_t system, uint8_t machine); /* after what is common */
    void (*back)(struct world *w, uint8_t system, uint8_t machine);
    void (*changed)(struct world *w, uint8_t system, uint32_t setting, uint32_t before);
    uint8_t (*acks_now)(const struct world *w, uint8_t system); /* NULL: acks */
    /* By verb; NULL: refused with these words ("Kafka never has fewer partitions ..."). */
    bool (*verb[SYSTEM_VERBS])(struct world *w, uint8_t system, const struct command *c,
                               struct err *err);
    const char *refuses[SYSTEM_VERBS];
    /* The name of a part in words; NULL: its number. */
    void (*name)(const struct world *w, const struct part_row *part, struct str *out);
};
const struct system_kind *system_kind(uint8_t system);
extern const struct system_kind system_dynamodb, system_kinesis, system_kafka, system_cassandra,
    system_cockroachdb, system_hbase, system_mongodb, system_redis, system_vitess;

/* --- tables --- */

static inline uint16_t system_parts_max(uint8_t system)
{
    return system == SYSTEM_CASSANDRA ? SYSTEM_PARTS_MAX : SYSTEM_PARTS_FEW;
}

static inline struct system_row *system_of(struct world *w, uint8_t system)
{
    return systems_of(w) + system;
}

static inline const struct system_row *system_in(const struct world *w, uint8_t system)
{
    return systems_in(w) + system;
}

/* By its place (not its number), which was in use at some time: below parts_used. */
static inline struct part_row *part_of_system(struct world *w, uint8_t system, uint16_t place)
{
    return (struct part_row *)(void *)(system_pool_of(w) + system_in(w, system)->part_at[place] -
                                       1);
}

static inline const struct part_row *part_in_system(const struct world *w, uint8_t system,
                                                    uint16_t place)
{
    return (const struct part_row *)(const void *)(system_pool_in(w) +
                                                   system_in(w, system)->part_at[place] - 1);
}

/* The place has a row; zero, if it is its first. */
void system_part_row(struct world *w, uint8_t system, uint16_t place);
/* Rows of the pool; given if there is none yet (..._of), or there already (..._in). */
struct recent_row *system_recent_of(struct world *w, struct part_row *part);
const struct recent_row *system_recent_in(const struct world *w, const struct part_row *part);
struct waiting_row *system_waiting_of(struct world *w, struct machine_row *machine);
const struct waiting_row *system_waiting_in(const struct world *w,
                                            const struct machine_row *machine);
struct ring_row *system_ring_of(struct world *w, struct part_row *part);
const struct ring_row *system_ring_in(const struct world *w, const struct part_row *part);

/* --- positions (systems.c) --- */
struct u128 u128_of(uint64_t high, uint64_t low);
struct u128 u128_next(struct u128 a);                          /* + 1 */
struct u128 u128_before(struct u128 a);                        /* - 1 */
struct u128 u128_halfway(struct u128 first, struct u128 last); /* the first of the upper half */
struct u128 u128_text_position(struct bytes key); /* its first 16 bytes, so that keys keep order */
#define U128_LAST u128_of(UINT64_MAX, UINT64_MAX)

/* --- requests (systems.c) --- */
void system_request(struct world *w, struct system_ask *ask);
/* The common rules, for an `admit` of one's own that adds to them. */
enum system_verdict system_admit(struct world *w, struct system_ask *ask);
/* Takes tokens for it, and sets wait_us: at once, or within the system's patience. More than a
 * bucket ever holds is taken from a full one. */
enum system_verdict system_take(struct world *w, struct system_ask *ask, struct bucket *bucket,
                                int64_t cost);
uint16_t system_locate(const struct world *w, uint8_t system, struct u128 position);
/* Timers: kind->timer is called then, unless the part's turn has changed (system_part_turn). */
void system_timer(struct world *w, uint8_t system, uint16_t part, uint32_t what, int64_t at_us);
void system_note(struct world *w, uint8_t system, uint16_t part, enum systems_reason reason,
                 int64_t a, int64_t b, int64_t c);
/* The same with a machine for its target. */
void system_note_machine(struct world *w, uint8_t system, uint8_t machine,
                         enum systems_reason reason, int64_t a, int64_t b, int64_t c);
/* What became of a request, in a machine's counts (system_admit does it for its own). */
void counts_add(struct system_counts *c, enum kind_of_work work, enum system_verdict verdict);
/* Whose second is over, asked by the ticks; the timers of machines. */
void system_second(struct world *w, uint8_t system);
void system_machine_timer(struct world *w, uint8_t system, uint8_t machine, int64_t at_us);
/* Writes whose turn has come by now are taken: they stand among their parts' recent ones. */
void system_begin_waiting(struct world *w, uint8_t system, uint8_t machine);
/* Those of a part that wait are another part's; NO_PART: they are where they have to be. */
void system_hand_waiting(struct world *w, uint8_t system, uint16_t part, uint16_t to);
void system_forget_recent(struct world *w,
                          struct part_row *part); /* all its writes are where they have to be */
uint8_t system_tag(struct world *w, struct bytes key); /* its number, KEY_OTHER */
/* What a key of a part had in the last second; the key with most of it. */
uint64_t system_key_load(const struct world *w, uint8_t system, uint8_t key);
uint8_t system_top_key(const struct world *w, uint8_t system, uint16_t part, uint64_t *load);
static inline uint64_t counts_asked(const struct system_counts *c)
{
    return c->asked[WORK_WRITE] + c->asked[WORK_READ];
}

/* --- parts (systems_parts.c) --- */
/* A new part, open, with copies on the next machines; NO_PART when there is no room: places of
 * expired parts are used again when there are no others. (split and fork note
 * REASON_SYSTEMS_OVERDUE then, unless it is by hand.) */
uint16_t system_part_new(struct world *w, uint8_t system, struct u128 first, struct u128 last,
                         uint8_t machine);
void system_part_copies(struct world *w, uint8_t system, uint16_t part, uint32_t step);
/* The part goes on as its lower half, what is from `at` on is a new part beside it. Both have half
 * of its bytes (or by the tracked keys); REASON_SYSTEMS_SPLIT_* is noted. NO_PART: no room. */
uint16_t system_part_split(struct world *w, uint8_t system, uint16_t part, struct u128 at,
                           enum systems_reason why, int64_t load);
/* Lineage: the part closes, two children open. False: no room for both. */
bool system_part_fork(struct world *w, uint8_t system, uint16_t part, struct u128 at,
                      enum systems_reason why, int64_t load);
bool system_part_merge(struct world *w, uint8_t system, uint16_t a, uint16_t b, struct err *err);
void system_part_close(struct world *w, uint8_t system, uint16_t part);
void system_part_expire(struct world *w, uint8_t system, uint16_t part);
/* Copies it to a machine at move_bytes a second, one move a machine at a time; it is there, and led
 * there, when that is done. Then `kind->timer(..., TIMER_MOVED)`. */
void system_part_move(struct world *w, uint8_t system, uint16_t part, uint8_t machine);
void system_part_lead(struct world *w, uint8_t system, uint16_t part, uint8_t machine,
                      enum leader_why why);
void system_part_turn(struct world *w, uint8_t system, uint16_t part); /* older timers are void */
bool system_part_named(const struct world *w, uint8_t system, uint32_t number, uint16_t *place,
                       struct err *err); /* an open part, by its number */
/* n even ranges over all positions, dealt to the machines in turn. */
void system_parts_deal(struct world *w, uint8_t system, uint32_t parts);
enum system_timer {
    TIMER_TICK,
    TIMER_SERIES,
    TIMER_MOVED,
    TIMER_LEADS, /* of a machine */
    TIMER_OWN
};

/* Somebody leads it: live copies have what it has, and the others fall behind. */
void system_part_goes_on(const struct world *w, uint8_t system, struct part_row *part);
/* Parts whose leader is dead are away, others are not for that: after a kind changed leaders. */
void system_parts_settle(struct world *w, uint8_t system);
void system_part_moved(struct world *w, uint8_t system, uint16_t part); /* its timer */
static inline bool system_part_lives(const struct part_row *part)       /* has data, or will */
{
    return part->state == PART_OPEN || part->state == PART_COPYING || part->state == PART_CLOSED;
}
uint32_t system_open_parts(const struct world *w, uint8_t system);
/* So many new ones, each with a number that nobody had. */
bool system_part_room(const struct world *w, uint8_t system, uint32_t parts);
/* Somebody serves it now; else says who is away. Of what has no leader the data is nowhere to be
 * taken from. */
bool system_part_served(const struct world *w, uint8_t system, uint16_t part, struct err *err);
/* How long a copy takes; no time, where speed is 0. */
int64_t system_copy_us(uint64_t bytes, uint32_t speed);

/* --- machines (systems_machines.c) --- */
uint64_t system_machine_bytes(const struct world *w, uint8_t system, uint8_t machine);
uint32_t system_copies_up(const struct world *w, uint8_t system, const struct part_row *part);
uint8_t system_acks(const struct world *w, uint8_t system);
void system_machine_leads_again(struct world *w, uint8_t system, uint8_t machine); /* the timer */
uint8_t system_machine_new(struct world *w, uint8_t system); /* MACHINE_NONE: no room */
bool system_machine_named(const struct world *w, uint8_t system, uint32_t machine, bool up,
                          struct err *err);
uint32_t system_machine_leads(const struct world *w, uint8_t system, uint8_t machine);
/* The machine with fewest (most) open parts that it leads, of those up; load: by requests of the
 * last second; ties to the lowest. */
uint8_t system_machine_least(const struct world *w, uint8_t system, bool by_load);
uint8_t system_machine_most(const struct world *w, uint8_t system, bool by_load);
/* Common verbs, for `verb`. */
bool system_verb_down(struct world *w, uint8_t system, const struct command *c, struct err *err);
bool system_verb_up(struct world *w, uint8_t system, const struct command *c, struct err *err);
bool system_verb_set(struct world *w, uint8_t system, const struct command *c, struct err *err);

/* --- readers (systems_reader.c) --- */
enum kinesis_setting { /* places in `setting` of systems with streams */
    KINESIS_PACK,
    KINESIS_READER, /* records a second and shard */
    KINESIS_ORDER   /* 0: parents first, 1: any */
};
enum kafka_setting {
    KAFKA_ACKS,
    KAFKA_READER,    /* records a second and member */
    KAFKA_MEMBERS,   /* of the group, now */
    KAFKA_REBALANCE, /* 0: eager, 1: cooperative */
    KAFKA_NULL
};
void system_record(struct world *w, uint8_t system, uint16_t part, uint8_t key); /* was written */
void system_read(struct world *w, uint8_t system);                               /* each tick */
/* A stream goes on: nothing is in it. */
void system_stream_begin(struct world *w, uint8_t system);
/* A part's records are gone, read or not: it expires. */
void system_records_gone(struct world *w, uint8_t system, uint16_t part);
/* Its newest records are gone, those of them that nobody has read: who leads it now has not got
 * them. */
void system_records_cut(struct world *w, uint8_t system, uint16_t part, uint64_t newest);
/* Nobody reads it now: a rebalance, or what is older comes first. */
bool system_part_waits(const struct world *w, uint8_t system, uint16_t part);
/* Shares the open parts anew among as many members as Kafka's setting says. Eager: dealt in ranges,
 * and all parts that had a reader pause for so long; else who has a part keeps it, if that is fair,
 * and only parts that change hands pause. */
void system_rebalance(struct world *w, uint8_t system, bool eager, int64_t pause_us);
bool system_streams_hold(const struct world *w, struct err *err);
void system_streams_feed(struct digest *d, const struct world *w);
static inline bool system_is_stream(uint8_t system)
{
    return system == SYSTEM_KINESIS || system == SYSTEM_KAFKA;
}

/* --- the rest --- */
bool system_holds(const struct world *w, uint8_t system, struct err *err); /* its invariants */
void systems_ask_all(struct world *w, const struct system_ask *what);      /* all that are on */
void systems_tick_begin(struct world *w);
void systems_series_next(struct world *w, int64_t from_us);
/* What `set` names and to what, as numbers (systems_words.c). */
bool system_setting_read(uint8_t system, struct bytes name, struct bytes value, uint32_t *setting,
                         uint32_t *to, struct err *err);

/* --- words (systems_say.c) --- */
void system_say_bytes(int64_t bytes, struct str *out); /* "1.5 MB" */
void system_say_key(const struct world *w, int64_t key, struct str *out);
void system_say_refusal(const struct trace_record *r, struct str *out); /* of an OVERDUE */
bool systems_apply_system(struct world *w, const struct command *c, struct err *err);
bool systems_apply_series(struct world *w, const struct command *c, struct err *err);

#endif
