/*
 * check_replay_inside: what playing the schedules of each model has in common.
 *
 * A replay is planned first: the world's configuration, the time of each step, and cues, which are
 * commands at their times. Times are microseconds.
 */
#ifndef HOTSHARD_APP_CHECK_REPLAY_INSIDE_H
#define HOTSHARD_APP_CHECK_REPLAY_INSIDE_H

#include "app/check/check_replay.h"
#include "engine/world.h"

#define REPLAY_STEPS_MAX 32
#define REPLAY_OPS_MAX 24
#define REPLAY_CUES_MAX 96
#define REPLAY_START_US (INT64_C(20) * 3600 * 1000000)
#define REPLAY_FIRST_US (REPLAY_START_US + 20000) /* before it there is room for preparations */
#define REPLAY_LEG_US 100                     /* every message's way, unless a plan says other */
#define REPLAY_ROUTED_US (REPLAY_LEG_US + 50) /* from a client's command: its query is sent */
#define REPLAY_SETTLE_US 1000                 /* what a step sets off is over */
#define REPLAY_GAP_US 1000                    /* from there to the next step */
#define REPLAY_REST_US 500000                 /* after the schedule, for all to end */

enum replay_zone { /* of clients, routers and the target; of the directory; of the source */
    REPLAY_NEAR,
    REPLAY_DIRECTORY,
    REPLAY_SOURCE,
    REPLAY_ZONES
};

enum cue_kind {
    CUE_COMMAND,
    CUE_NOTE,       /* words for whoever reads the lines */
    CUE_ASK,        /* a command that is a client's request: that of `op` */
    CUE_HOLD,       /* what is under way for op is held up until `until_us` */
    CUE_HOLD_QUERY, /* likewise for the query that op waits for at its router */
    /* These wait, within their step, until it happens: */
    CUE_SENT,     /* a router sends op's next query to a shard, and that is held up (not if until_us
                   * is 0). What op is, if it is the router's own, is known from then on */
    CUE_DOUBLED,  /* likewise; and the network makes two of it */
    CUE_ANSWERED, /* a shard answers op; the answer is held up, and what else is under way for it */
};

struct cue {
    int64_t at_us;
    int64_t until_us;
    uint32_t step;   /* under which it is told: 0 is before the schedule */
    uint32_t number; /* of cues at one time, the first that was planned comes first */
    enum cue_kind kind;
    uint8_t op;
    uint8_t want; /* CUE_SENT, CUE_DOUBLED: enum op_kind of a request of the router's own */
    char words[80];
};

struct replay;

/* How a model is played. */
struct replay_way {
    const struct check_model *model;
    /* What stands for what in the world, and what is played otherwise than it is told: lines;
     * NULL: nothing need be said. */
    const char *about;
    /* Times, cues and configuration. */
    bool (*plan)(struct replay *r, struct err *err);
    /* How the world differs from a state of the model, NULL if it does not: in all that can be
     * compared, or in what `step` (from 1) has changed. */
    const char *(*differs)(const struct replay *r, const void *state, uint32_t step);
    /* Whether what the model promises is seen broken in the world by now, and how, as a sentence
     * without its stop. */
    bool (*fails)(const struct replay *r, char *text, size_t room);
    /* The others may be NULL. What a read that is asked now must return; else: the likes of r->key
     * that were acknowledged. */
    uint64_t (*due)(const struct replay *r, uint8_t op);
    /* What a read that is done returned; else: the likes. */
    uint64_t (*returned)(const struct replay *r, uint8_t op);
    /* What clients were told is done, and is nowhere; else: likes of r->key. */
    uint64_t (*lost)(const struct replay *r);
    /* A number that must never become smaller: r->most is the largest so far. */
    uint64_t (*grows)(const struct replay *r);
};

struct replay_op {
    uint64_t number; /* the request's in the world; 0: not asked yet */
    uint64_t due;    /* what it must return; unless the way says other: likes acknowledged */
    bool read;
    bool own; /* of a router, not a client's */
};

struct replay {
    const struct replay_way *way;
    struct check_scope scope; /* without the rules */
    const struct check_result *result;
    bool every_rule, film;
    const char *key;
    struct world_config config;
    struct world *world;
    int64_t at_us[REPLAY_STEPS_MAX + 1]; /* of each step, from 1 */
    int64_t end_us[REPLAY_STEPS_MAX + 1];
    struct replay_op op[REPLAY_OPS_MAX];
    struct cue cue[REPLAY_CUES_MAX];
    uint32_t cues;
    uint32_t step;    /* being planned: where cues go */
    uint64_t told;    /* the trace up to this record is among the lines */
    uint64_t awaited; /* cues that wait have had the records before this one */
    uint64_t most;    /* see replay_way.grows */
    struct replayed *out;
};

#define REPLAY_ALL 0 /* the step of differs: compare everything */

extern const struct replay_way replay_way_flip;
extern const struct replay_way replay_way_coalesce;
extern const struct replay_way replay_way_ask;
extern const struct replay_way replay_way_preagg;
extern const struct replay_way replay_way_cache;
extern const struct replay_way replay_way_dual;
extern const struct replay_way replay_way_stripe;
extern const struct replay_way replay_way_commit;
extern const struct replay_way replay_way_saga;
extern const struct replay_way replay_way_scatter;
extern const struct replay_way replay_way_failover;

/* --- planning --- */
/* A command at a time, under the step that is being planned. */
struct cue *replay_cue(struct replay *r, int64_t at_us, enum cue_kind kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* For plans that know a later step, not its time: the `until_us` of cues that wait for a message is
 * the number of a step, and becomes that step's time (0: the end's). The router that `down` crashes
 * (NULL: none does) stays away until then. */
void replay_settle_times(struct replay *r, struct cue *down, int64_t crashed_us);
/* The earliest time of the next step. */
int64_t replay_next_us(const struct replay *r);
/* The step being planned happens then, and what it sets off takes so long. */
void replay_step_at(struct replay *r, int64_t at_us, int64_t settle_us);
/* A state of the model after so many steps, without the rules; room for CHECK_STATE_MAX bytes. */
void replay_state(const struct replay *r, uint32_t steps, void *state);

/* --- reading the world --- */
/* The last record of a request and kind (with a reason unless that is REASON_NONE); NULL: none. */
const struct trace_record *replay_record(const struct replay *r, uint64_t request,
                                         enum trace_kind kind, uint16_t reason);
/* The shard's answer that served this request; NULL: none has yet. */
const struct trace_record *replay_served(const struct replay *r, uint64_t request);
/* The client has its reply. */
bool replay_done(const struct replay *r, uint8_t op, struct request_info *info);
/* A read that is done returned less than it had to. */
bool replay_stale(const struct replay *r, uint8_t op);
/* `fails` of ways whose promise is that a read returns all that was acknowledged. */
bool replay_a_read_is_stale(const struct replay *r, char *text, size_t room);
/* The request of a router that this read waits for, 0: none. */
uint64_t replay_query(const struct replay *r, uint8_t op);
/* Likes of r->key that clients were told succeeded. */
uint64_t replay_acknowledged(const struct replay *r);
/* Likes in a shard's store, of r->key or of another key. */
uint64_t replay_value(const struct replay *r, uint16_t shard);
uint64_t replay_value_of(const struct replay *r, uint16_t shard, const char *key);
/* The number of a key, KEY_NONE_ID: nobody has used it. */
uint32_t replay_key(const struct replay *r, const char *key);

/* --- playing (check_replay_cue.c) --- */
/* Does what a cue says; what is told of it goes to `lines`. */
void replay_take_cue(struct replay *r, const struct cue *cue, struct str *lines);
/* What the world has recorded since the last time. */
void replay_tell(struct replay *r, struct str *lines);

#endif
