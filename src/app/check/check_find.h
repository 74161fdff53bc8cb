/*
 * check_find: what a protocol comes to without some of its rules: searched, judged and played.
 *
 * One call does it all on whatever thread it is made: the search, which rules do the work of those
 * that are not missed, where the full protocol parts from the way, and the two films (app/
 * check_replay.h) where a world can play it. A hunt is that call on a thread of its own, which
 * says how far it is and can be called off.
 */
#ifndef HOTSHARD_APP_CHECK_FIND_H
#define HOTSHARD_APP_CHECK_FIND_H

#include "app/check/check_replay.h"

struct check_wish {
    const struct check_model *model;
    uint32_t rules; /* that hold, a bit each */
    bool larger;    /* in the larger world, not in the smallest */
};

struct check_found {
    struct check_wish wish;
    struct check_scope scope;   /* that was searched */
    struct check_result result; /* depth 0 and CHECK_CUT when it was called off at once */
    const char *apart;          /* why another world than the smallest is shown; NULL: it is not */
    /* Nothing fails though rules are left out: which do their work, a bit each; 0: all together. */
    uint32_t instead;
    /* It fails: */
    struct check_parting part; /* from the full protocol */
    uint32_t stoppers; /* of the rules left out, those that alone part there; a bit each; 0: none */
    /* The full protocol takes every step, and the failure is that it could not end: how it does. */
    uint16_t *on;
    uint32_t ons;
    bool filmed; /* both films are there, and the world follows the model in both */
    struct replayed less, full;
};

/* The bits of the rules that a model has. */
uint32_t check_all_rules(const struct check_model *model);
/* The scope in which a model is shown with these rules: the smallest world, or the larger one; a
 * rule left out alone may need a world of its own: then why, else NULL. */
const char *check_scope_of(const struct check_model *model, uint32_t rules, bool larger,
                           struct check_scope *out);
/* Nothing fails with these rules in the smallest world: those that do the work of what is left out,
 * a bit each (missed together with it there is a failure, and alone there is none); 0: no single
 * one. `progress` may be NULL. */
uint32_t check_instead(const struct check_model *model, uint32_t rules,
                       struct check_progress *progress);
/* Of the rules left out, those that alone part from the way where all of them do; 0: none does. */
uint32_t check_stoppers(const struct check_model *model, const struct check_scope *scope,
                        const struct check_result *result, uint32_t step);
/* The shortest way, with every rule and no further fault, from where the steps have led to a state
 * that is finished: returns its length, 0 for none; free `on`. The full protocol takes the steps.
 */
uint32_t check_way_on(const struct check_model *model, const struct check_scope *scope,
                      const struct check_result *result, uint16_t **on);
/* How many of a model's promises somebody outside could see broken: the first so many. */
size_t check_outside_promises(const struct check_model *model);
/* `progress` may be NULL. */
void check_find(const struct check_wish *wish, struct check_progress *progress,
                struct check_found *out);
void check_found_free(struct check_found *found);

struct check_hunt;

/* Begins it. With `threads` false it is over when this returns. */
struct check_hunt *check_hunt_begin(const struct check_wish *wish, bool threads);
bool check_hunt_over(const struct check_hunt *hunt);
/* States found so far, and how many steps from the start all was looked at. */
void check_hunt_seen(const struct check_hunt *hunt, uint64_t *states, uint32_t *depth);
void check_hunt_cancel(struct check_hunt *hunt);
/* Waits for its end and frees it. */
void check_hunt_end(struct check_hunt *hunt, struct check_found *out);

#endif
