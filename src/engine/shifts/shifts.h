/*
 * shifts: the two other ways to move data: key by key with ASK, and dual writes with a backfill.
 *
 * Key by key: the source's row says "leaving", the target's "arriving"; keys go over one after the
 * other, each in one hand-over (a large key takes long, and a request for it then is told TRYAGAIN;
 * some keys are too large to go at all); a key that has gone is answered ASK; at last the target
 * claims the slot with a higher epoch, and once the directory has it the source says MOVED.
 *
 * Dual writes: routers send each edit of a slot to both shards while a backfill copies what was
 * there before; reads switch when both compare equal, and back in the same way while both are
 * written; then the source is written no more. A shard that the slot leaves this way may keep its
 * copy, but a later `dual` onto it begins with nothing: versions that were given since by the other
 * shard alone could be numbers that the old copy holds too, of edits that failed. The
 * version of an edit comes from one counter a slot: the shard that is asked first takes the next
 * number when it applies the edit; if both are asked in parallel the router draws it beforehand
 * (which costs no time here). A like has no version, it changes a value instead of giving a new
 * one: likes go to the owner alone, and reads cannot switch while the slot holds any.
 *
 * Both share a table of config.moves_max rows.
 */
#ifndef HOTSHARD_ENGINE_SHIFTS_H
#define HOTSHARD_ENGINE_SHIFTS_H

#include "base/digest.h"
#include "base/err.h"
#include "base/str.h"
#include "engine/command.h"
#include "engine/event.h"
#include "engine/trace.h"
#include "proto/ask.h"
#include "proto/dual.h"

struct world;
struct request;
struct store_entry;

#define SHIFT_SIZES_MAX 8                        /* keys whose size is told */
#define SHIFT_KEY_BYTES_MAX UINT64_C(256000000)  /* a larger key cannot go over */
#define SHIFT_BYTES_A_SECOND UINT64_C(100000000) /* if moves have no budget */

enum shift_kind {
    SHIFT_NONE, /* a free row */
    SHIFT_ASK,
    SHIFT_DUAL
};

struct shifts_state {
    uint32_t count;  /* rows in use; 0: nobody need ask */
    uint32_t dual;   /* of these, dual writes: routers must ask */
    uint32_t misled; /* routers that took ASK for MOVED, a slot each */
    uint32_t sizes;  /* keys whose size is told */
    struct {
        uint32_t key;
        uint64_t bytes;
    } size[SHIFT_SIZES_MAX];
    uint32_t partial;   /* requests for several keys that got an answer from some of them */
    uint32_t went_back; /* times that a store took an older version than it held */
    uint32_t back_key;  /* the last of these, */
    uint16_t back_shard;
};

bool shifts_apply(struct world *w, const struct command *c, struct err *err);
/* Whether no slot of first..last is under way here; else says which. */
bool shifts_allow(const struct world *w, uint32_t first, uint32_t last, struct err *err);

/* A client's write has reached its router, and dual writes are on somewhere. True: taken care of.
 */
bool shifts_take(struct world *w, uint32_t request);
/* A request is about to be routed by the map while there are rows. True: sent elsewhere. */
bool shifts_route(struct world *w, uint32_t request);
void shifts_landed(struct world *w, uint32_t request, enum outcome outcome, uint64_t value);
/* A shard applies an edit while dual writes are on, or one half of a dual write: the outcome, and
 * the version that it gave or met. */
enum outcome shifts_edit(struct world *w, uint16_t shard, uint32_t request, uint64_t *version);
/* With RULE_ASK_KEEPS_MAP off: a router takes ASK for MOVED, until a map comes. False: it cannot,
 * since the slot has come to its end meanwhile. */
bool shifts_mislead(struct world *w, uint32_t request);
void shifts_map_came(struct world *w, uint16_t router);
/* How many of a request's keys the shard holds, for slots that move key by key. */
enum presence shifts_presence(const struct world *w, uint16_t shard, const struct request *r);
/* A shard has answered a request for several keys of a slot. */
void shifts_summed(struct world *w, uint16_t shard, const struct request *r);
/* The shard to which ASK sends. */
uint16_t shifts_asked_of(const struct world *w, uint16_t shard, uint32_t slot);
/* The shard where a key is now: the owner of its slot, unless it has gone over by itself. */
uint16_t shifts_home(const struct world *w, uint32_t key);
/* Whether the shard claims the slot, and the directory does not know yet. */
bool shifts_claimed(const struct world *w, uint16_t shard, uint32_t slot);
void shifts_handle(struct world *w, const struct event *event); /* JOB_SHIFT, JOB_BACKFILL */
void shifts_crash(struct world *w, uint16_t shard);
void shifts_router_crash(struct world *w, uint16_t router); /* its requests are not ended yet */
void shifts_restart(struct world *w, uint16_t shard);
bool shifts_hold(const struct world *w, struct err *err); /* invariants */

/* For views: row `index` of config.moves_max; kind SHIFT_NONE when it is free. */
struct shift_info {
    enum shift_kind kind;
    uint32_t slot;
    uint16_t source, target;
    enum ask_phase ask;                 /* SHIFT_ASK */
    enum dual_phase dual;               /* SHIFT_DUAL */
    bool working;                       /* its job is: keys go over, or the backfill runs */
    bool filled;                        /* the backfill has done a whole pass */
    bool parallel;                      /* both shards are asked at once */
    uint32_t here, there;               /* keys that the source and the target hold */
    uint32_t differ;                    /* dual: keys whose versions differ */
    uint32_t too_large;                 /* key that cannot go; KEY_NONE_ID: none */
    uint32_t handing;                   /* key that is in its hand-over; KEY_NONE_ID: none */
    uint64_t doubled, failed, repaired; /* second writes: sent, failed, made good since */
};
struct shift_info world_shift(const struct world *w, uint32_t index);
/* The version that a shard holds of a key, 0: none. */
uint32_t world_key_version(const struct world *w, uint16_t shard, uint32_t key);

/* What the job of a row does, key after key. */
struct shift_job_info {
    uint32_t rate;      /* keys a second */
    uint32_t cursor;    /* keys with a smaller number are done in this pass */
    uint32_t taken;     /* dual: keys that the pass has taken up */
    uint32_t hand;      /* key in hand; KEY_NONE_ID: none */
    uint32_t carried;   /* dual: the version that was read of it, */
    uint16_t to;        /* and the shard to which it is carried */
    bool repairing;     /* dual: the backfill goes over all keys once more, for second writes that
                           failed */
    bool where_nothing; /* dual: it fills only where nothing is */
    uint32_t version;   /* dual: the last that the slot's counter gave */
};
struct shift_job_info shifts_job(const struct world *w, uint32_t index);
/* How large a key was said to be; 0: nothing was said. */
uint64_t shifts_key_bytes(const struct world *w, uint32_t key);
/* Times that a store took an older version than it held, of all slots; the last of these. */
struct shift_back {
    uint32_t times, key;
    uint16_t shard;
};
struct shift_back shifts_went_back(const struct world *w);
/* Answers about a slot that the trace still has, by outcome: how many of its records say so. */
uint32_t shifts_answers(const struct world *w, uint32_t slot, enum outcome outcome);

void shifts_lay_out(struct world *plan, uint64_t *end);
void shifts_feed(struct digest *d, const struct world *w);

void shifts_say(const struct world *w, const struct trace_record *r, struct str *out);
void shifts_label(const struct world *w, const struct trace_record *r, struct str *out);
void shifts_why(const struct world *w, const struct trace_record *r, struct str *out);

#endif
