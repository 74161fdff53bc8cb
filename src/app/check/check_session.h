/*
 * check_session: breaking a protocol, as a value: its rules, what was found, where one stands.
 *
 * Switching a rule begins a search at once; what was found before is then no more. What was found
 * and fails is walked step by step; with the rules put back the same steps are walked in the full
 * protocol, as far as it has them, and to the end. Nothing here draws: texts are markup
 * (draw/prose.h), the worlds of the films are for check_pictures.
 */
#ifndef HOTSHARD_APP_CHECK_SESSION_H
#define HOTSHARD_APP_CHECK_SESSION_H

#include "app/check/check_find.h"

/* What is to be said of a step, beside its words; bits. */
#define STEP_TAKEN 1u
#define STEP_NOW 2u      /* the last one taken */
#define STEP_PARTS 4u    /* with every rule it does not take place, or goes otherwise */
#define STEP_BROKEN 8u   /* with it a promise is broken */
#define STEP_STOPPED 16u /* the rules are put back, and it does not take place */
#define STEP_END 32u     /* likewise, and all comes to its end */

struct check_session {
    const struct check_model *model;
    uint32_t rules;           /* that hold, a bit each; those that the model has and no others */
    bool larger;              /* the larger world is asked for */
    bool threads;             /* searches are made on a thread of their own */
    bool due;                 /* a search that has not begun */
    struct check_hunt *hunt;  /* under way; NULL: none */
    struct check_found found; /* model NULL: nothing was */
    size_t selected;          /* a rule */
    bool back;                /* the rules are put back */
    uint32_t step;            /* how many were taken */
    /* Somebody is still asked where the full protocol parts from the way: that is not said before
     * the step was walked to. */
    bool veiled;
    uint32_t farthest; /* step that was walked to */
};

/* Without these rules to begin with; the search begins. */
void check_session_open(struct check_session *s, const struct check_model *model, uint32_t without,
                        bool threads);
void check_session_close(struct check_session *s);

/* Searching. */
void check_session_toggle(struct check_session *s, size_t rule);
void check_session_size(struct check_session *s, bool larger); /* searches in that world, anew */
bool check_session_searches(const struct check_session *s);    /* or is about to */
void check_session_seen(const struct check_session *s, uint64_t *states, uint32_t *depth);
bool check_session_poll(struct check_session *s); /* true when a search has come to its end */
void check_session_wait(struct check_session *s); /* for that */
void check_session_cancel(struct check_session *s);
bool check_session_found(const struct check_session *s); /* a search has come to its end */
bool check_session_fails(const struct check_session *s);
uint32_t check_session_without(const struct check_session *s); /* rules left out, a bit each */
bool check_session_can_grow(const struct check_session *s);    /* there is a larger world */

/* Steps: of a way that fails, or of the same with the rules put back. */
uint32_t check_session_steps(const struct check_session *s);
bool check_session_go(struct check_session *s, uint32_t step);
/* The step at which the full protocol parts from the way; 0: at none, or it is not to be said. */
uint32_t check_session_parts(const struct check_session *s);
/* From now on, until all was walked. */
void check_session_veil(struct check_session *s);
bool check_session_may_put_back(const struct check_session *s);
/* With the rules put back one stands at the step where they part; without them as before. */
void check_session_put_back(struct check_session *s, bool back);
unsigned check_session_marks(const struct check_session *s, uint32_t step);
/* Step 1 ... in words. */
void check_session_tell(const struct check_session *s, uint32_t step, struct check_told *told);
/* The worlds: as the first step begins, one step before this, now. NULL: no world plays this. */
const struct world *check_session_first(const struct check_session *s);
const struct world *check_session_world(const struct check_session *s);
const struct world *check_session_before(const struct check_session *s);

/* Sentences. */
void check_session_say_rules(const struct check_model *model, uint32_t rules, struct str *out);
/* Who takes part in a world of this size: "2 writes and 1 read". */
void check_session_say_size(const struct check_model *model, uint8_t size, struct str *out);
/* What the search has seen, or is seeing, in one or two short lines. */
void check_session_say_seen(const struct check_session *s, struct str *out);
void check_session_say_verdict(const struct check_session *s, struct str *out);
/* In which of a protocol's worlds: "in the small world". */
void check_session_say_world(const struct check_session *s, struct str *out);
/* What there is to know of that world, and of the one that plays the steps: paragraphs. */
void check_session_say_notes(const struct check_session *s, struct str *out);
/* Before the first step: who takes part, and what the marks mean. */
void check_session_say_start(const struct check_session *s, struct str *out);
/* Where one stands: what happens there, and what it means. `whole`: with the step's own words. */
void check_session_say_step(const struct check_session *s, bool whole, struct str *out);
/* Why: of the step where one stands; of the selected rule. */
void check_session_explain_step(const struct check_session *s, struct str *out);
void check_session_explain_rule(const struct check_session *s, struct str *out);
/* What is promised, and how it is looked at. */
void check_session_say_promises(const struct check_session *s, struct str *out);

#endif
