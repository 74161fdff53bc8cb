/*
 * sim: the engine under random worlds, commands and faults, judged after every event.
 *
 * A seed decides everything: the world (sim_world.c), what its operator does and when (sim_act.c,
 * sim_ops.h), and the faults. sim_run.c plays one seed: so many events, the invariants after each,
 * a copy of the world that must go on to the same digest, and at the end quiet: faults off, time
 * passes, every request ends and every router knows the map. sim_history.c keeps what clients were
 * told of each key, and judges that at the end. sim_cover.c counts what was seen, sim_rules.c takes
 * away one rule after the other, sim.c is the program.
 *
 * Modules that only some seeds have are extras (sim_extra.c, each in a file of its own): what they
 * draw and do comes from random numbers of their own, beside what a seed does anyway.
 */
#ifndef HOTSHARD_TESTS_SIM_H
#define HOTSHARD_TESTS_SIM_H

#include "base/digest.h"
#include "base/prng.h"
#include "engine/faults/faults.h"
#include "engine/world.h"

#define SIM_EVENTS 2000
#define SIM_KEYS_MAX 6
#define KEYS_SEEN_MAX 128 /* that a world may meet, sub-keys and all */
#define CHANGES_FEW 4     /* that the directory of some worlds remembers */
#define SIM_ACTS_MAX 64
#define SIM_EXTRAS_MAX 16
#define SIM_REASONS_MAX 512

/* What was seen: in one seed as 0 or 1, in many as the number of seeds. */
struct sim_cover {
    uint32_t kind[TRACE_KINDS];
    uint32_t outcome[OUTCOME_COUNT];
    uint32_t reason[SIM_REASONS_MAX];
    uint32_t act[SIM_ACTS_MAX];
    uint32_t extra[SIM_EXTRAS_MAX];
    uint32_t fault[FAULT_KINDS];
    uint32_t seeds;
    uint32_t stopped;              /* seeds whose world ran out of a capacity */
    uint32_t histories, undecided; /* of keys that were judged at the end of a seed */
    uint64_t judged;               /* operations in them */
    uint64_t events;
    int64_t virtual_us;
    struct digest digest; /* of each seed at the end of its copy, summed up */
};

void cover_add(struct sim_cover *to, const struct sim_cover *from);
/* Prints what fewer than one seed in a thousand saw; true: there is nothing. */
bool cover_enough(const struct sim_cover *c);
void cover_print(const struct sim_cover *c);

struct sim_history;

/* One seed as it is drawn and played. */
struct sim {
    uint64_t seed;
    uint64_t off; /* rules, a bit each */
    bool loud;    /* prints each command, and each record of the trace */
    struct prng prng;
    struct world *world;
    struct world_config config;
    uint32_t keys;
    uint32_t rate;                    /* of a flow, times 0 to 3 */
    uint64_t acts;                    /* a bit for each action that this seed may take */
    uint32_t extras;                  /* that this seed has, a bit each */
    struct prng more[SIM_EXTRAS_MAX]; /* of each extra */
    uint32_t extra;                   /* that acts */
    bool lossy;                       /* the world has time-outs: messages may be lost */
    uint64_t event;                   /* handled so far */
    uint64_t traced;                  /* records looked at */
    struct sim_history *history;
    struct sim_cover saw;
    struct err err; /* the invariant that broke */
};

/* The world of a seed, the keys and the actions that it may take. */
void sim_draw(struct sim *s);
/* One random action; refused ones change nothing. */
void sim_act(struct sim *s);
/* All that keeps a world from coming to rest is ended. */
void sim_calm(struct sim *s);
bool sim_do(struct sim *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *sim_act_name(uint32_t act); /* NULL: there are no more */

/* A module that some seeds have. */
struct sim_extra {
    const char *name;
    void (*draw)(struct sim *s);  /* its capacities in s->config */
    bool (*act)(struct sim *s);   /* one random action, by `more`; true: it was done */
    void (*calm)(struct sim *s);  /* ends what would go on for ever; may be NULL */
    bool (*rests)(struct sim *s); /* in the end, when all is quiet: false with s->err; or NULL */
};
extern const struct sim_extra sim_extra_txns; /* sim_txns.c */
extern const struct sim_extra sim_extra_queries;
extern const struct sim_extra sim_extra_copies;
extern const struct sim_extra sim_extra_quorums;
extern const struct sim_extra sim_extra_watch; /* sim_quorums.c */
extern const struct sim_extra sim_extra_indexes;
extern const struct sim_extra sim_extra_fleet; /* sim_indexes.c */
extern const struct sim_extra sim_extra_systems;

const struct sim_extra *sim_extra(uint32_t index); /* NULL: there are no more */
void sim_extras_draw(struct sim *s);
void sim_extras_act(struct sim *s);
void sim_extras_calm(struct sim *s);
bool sim_extras_rest(struct sim *s);

/* Plays a seed. False: an invariant broke, s->err and s->event say which and when. The world is
 * kept until sim_end. */
bool sim_play(struct sim *s);
void sim_end(struct sim *s);
/* sim_history.c: what clients asked and were told, record by record of the trace. */
struct sim_history *history_open(void);
void history_close(struct sim_history *h);
void history_look(struct sim_history *h, const struct world *w, const struct trace_record *r);

/* The read was treated in a special way, or its answer was. */
static inline bool history_of_reads(const struct trace_record *r)
{
    return r->kind == TRACE_READS ||
           (r->reason >= REASON_READS_FIRST && r->reason <= REASON_READS_LAST);
}

/* Whether history_look has anything to do: most records are of other things. */
static inline bool history_wants(const struct trace_record *r)
{
    return r->request != 0 &&
           (r->kind == TRACE_ASK || r->kind == TRACE_REPLY || history_of_reads(r));
}

/* Some records were missed: what comes after them is not looked at. */
void history_gap(struct sim_history *h);
/* False: what was told of some key cannot have come from one copy of it. */
bool history_judge(struct sim *s);
/* Makes a read say 0 that was asked when a like was answered already; false: there is none. */
bool history_spoil(struct sim_history *h);

/* A line for a record, with its request's number. */
void sim_tell_record(const struct world *w, const struct trace_record *r);

/* Takes each rule away and expects what it is good for to break: a line of TAP each. */
bool sim_rules(void);

/* Plays seeds `from` to `from + count - 1` by two processes. False: one broke; it is printed. */
bool sim_many(uint64_t from, uint64_t count, struct sim_cover *cover);

#endif
