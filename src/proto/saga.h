/*
 * saga: a transaction as a row of steps, each of which is done at once, for good and by itself;
 * what was done is taken back by compensations when a later step cannot be.
 *
 * A coordinator asks for the steps in their order, the next when the one before is done. When one
 * is refused, or its answer does not come and the coordinator gives up, it takes back: the step
 * that was asked for last, then the one before it, and so to the first. What it does next is in its
 * log before it is sent, so after a restart it goes on where it stood. A step whose answer never
 * came is taken back as well: it may have been done, or may come to be done later. Its participant
 * knows: a compensation that finds nothing bars the step.
 *
 * Messages may be lost, late and repeated. Whatever is sent again carries the same id, and its
 * participant gives the same answer: a step is done once, a compensation too. In between others see
 * what is done so far: always the first so many steps, and no others.
 *
 * After H. Garcia-Molina and K. Salem, "Sagas" (1987). Steps are counted from 0.
 */
#ifndef HOTSHARD_PROTO_SAGA_H
#define HOTSHARD_PROTO_SAGA_H

#include "proto/rule.h"
#include <stdint.h>

#define SAGA_STEPS_MAX 64

enum saga_phase {
    SAGA_FORWARD,
    SAGA_BACK,
    SAGA_DONE,   /* every step is */
    SAGA_UNDONE, /* no step is, nor ever will be */
    SAGA_PHASES
};

/* Where it stands. */
struct saga_page {
    uint64_t left; /* going back: the steps whose compensation is not answered */
    uint8_t phase; /* enum saga_phase */
    uint8_t asked; /* so many steps were asked for ... */
    uint8_t done;  /* ... and so many are done: as many, or one less */
    uint8_t unused[5];
};

/* The coordinator. */
struct saga_core {
    struct saga_page now; /* in its memory */
    struct saga_page log; /* the same, with RULE_SAGA_LOG_FIRST off only after saga_log */
    uint8_t steps;
    uint8_t unused[7];
};

_Static_assert(sizeof(struct saga_page) == 16 && sizeof(struct saga_core) == 40,
               "bytes without holes");

const char *saga_phase_name(enum saga_phase phase);

/* A client wants it: that much is in the log. */
struct saga_core saga_begin(unsigned steps);
bool saga_may_ask(const struct saga_core *s); /* for the next step */
void saga_ask(struct saga_core *s, uint64_t rules);
/* Whether it waits for the answer of this step, and may ask for it again: now.done, or none. */
bool saga_waits(const struct saga_core *s, unsigned step);
/* The answer of a step. False: too late, nothing is changed. */
bool saga_hear(struct saga_core *s, uint64_t rules, unsigned step, bool done);
bool saga_may_give_up(const struct saga_core *s);
void saga_give_up(struct saga_core *s, uint64_t rules);
/* The steps whose compensations are to be sent, and sent again: one at most, with
 * RULE_COMPENSATE_IN_REVERSE off all that are left. */
uint64_t saga_to_take_back(const struct saga_core *s, uint64_t rules);
/* A compensation is answered. False: too late. */
bool saga_hear_back(struct saga_core *s, uint64_t rules, unsigned step);
bool saga_may_log(const struct saga_core *s);
void saga_log(struct saga_core *s);
/* Its memory is gone: it knows what its log says. */
void saga_restart(struct saga_core *s);
bool saga_is_over(const struct saga_core *s);

enum step_state {
    STEP_NEW,
    STEP_DONE,
    STEP_REFUSED,
    STEP_TAKEN_BACK,
    STEP_BARRED, /* its compensation came first */
    STEP_STATES
};

/* What the participant of a step knows of it, by its id. */
struct step_core {
    uint8_t state; /* enum step_state */
    uint8_t unused[3];
};

_Static_assert(sizeof(struct step_core) == 4, "bytes without holes");

const char *step_state_name(enum step_state state);

enum step_reply {
    STEP_IS_DONE_NOW, /* what it does is to be done */
    STEP_IS_DONE,     /* ... and was, before */
    STEP_IS_NOT       /* and never will be */
};

/* The step is asked for; `can`: it would not be refused. */
enum step_reply step_asked(struct step_core *p, bool can);
/* Its compensation is asked for. True: what it did is to be taken back. It is answered either
 * way. */
bool step_take_back(struct step_core *p, uint64_t rules);

#endif
