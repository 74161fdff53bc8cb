/*
 * saga: a transfer as a saga, to be searched: a debit, a credit, a mail, and a coordinator that
 * crashes.
 *
 * What the coordinator does next, and what a participant does with a step or its compensation, is
 * decided by proto/saga.h. Each step has a participant of its own.
 *
 * How the steps are cut
 *   - A message stays on its way as long as the search likes. Of a kind there is one at most for
 *     each step; what is sent again while the first is under way is the same one, and what is sent
 *     again after that is a repeated one.
 *   - Any message may be lost, at any time, and the coordinator may crash at any time, however
 *     often: nothing is counted, so what holds here holds for any number of both. While it is down
 *     its messages wait.
 *   - That a message comes, what its receiver does and writes down, and what it sends is one step.
 *     Any participant may refuse its step.
 *   - The coordinator may give up at any time before it has heard that all is done, and send again
 *     what was not answered: timeouts are never the question.
 *   - Without saga-log-first each of this is the same, but the log is written by a step of its own,
 *     some time later. Without compensate-in-reverse all compensations are sent at once.
 *
 * What is judged, always, by somebody who reads what the participants hold: what is in effect is
 * the first so many steps and no others; nothing is taken back twice; and when the coordinator has
 * told its client how it ended, every step is in effect, or none is. And everything can come to its
 * end.
 *
 * Each rule shows when it alone is left out; none is redundant.
 */
#ifndef HOTSHARD_CHECK_SAGA_H
#define HOTSHARD_CHECK_SAGA_H

#include "check/model.h"
#include "proto/saga.h"

#define CHAIN_STEPS_MAX 4

/* The scopes, as check_scope.size: how many steps. */
#define CHAIN_SMALL 3
#define CHAIN_LARGE 4

/* What a rule decides is in the name, so that a schedule is refused where the rule would have
 * decided otherwise. */
enum chain_step {
    CHAIN_ASK,       /* the coordinator asks for the next step */
    CHAIN_DO,        /* a participant is asked for its step, and does it */
    CHAIN_REFUSE,    /* ... or refuses it */
    CHAIN_DONE_SEEN, /* ... or has done it before */
    CHAIN_NOT,       /* ... or has refused it or taken it back before, or is barred from it */
    CHAIN_HEAR_DONE, /* the coordinator hears of it, and asks for the next */
    CHAIN_HEAR_REFUSED,
    CHAIN_GIVE_UP,
    CHAIN_TAKE_BACK,       /* a participant takes its step back */
    CHAIN_TAKEN_BACK_SEEN, /* ... has before */
    CHAIN_BAR,             /* ... never did it, and bars it */
    CHAIN_NOTHING_TO_BAR,  /* ... has refused it, or bars it already */
    CHAIN_HEAR_BACK,
    CHAIN_ASK_AGAIN,
    CHAIN_TAKE_BACK_AGAIN, /* the compensation is sent again */
    CHAIN_GIVE_UP_AT_ONCE, /* all compensations are sent */
    CHAIN_TAKE_BACK_TWICE,
    CHAIN_NOT_BARRED, /* never did it, and does not bar it */
    CHAIN_ASK_UNWRITTEN,
    CHAIN_WRITE_LATE,
    CHAIN_RESTART,
    CHAIN_CRASH,
    CHAIN_LOSE,
    CHAIN_STEPS
};

/* Messages between the coordinator and a step's participant, as bits in the order of these. */
enum chain_mail {
    CHAIN_A_STEP,
    CHAIN_A_COMPENSATION,
    CHAIN_A_DONE, /* from here on to the coordinator */
    CHAIN_A_REFUSED,
    CHAIN_A_TAKEN_BACK,
    CHAIN_MAILS
};

struct chain_part {
    uint8_t state; /* as proto/saga.h has it */
    int8_t effect; /* how often it was done, less how often it was taken back */
    uint8_t mail;  /* under way, a bit each */
};

/* A page of the coordinator, as proto/saga.h has it, in fewer bytes. */
struct chain_page {
    uint8_t phase, asked, done, left;
};

struct chain {
    struct chain_part part[CHAIN_STEPS_MAX];
    struct chain_page now, log;
    uint8_t down;
    uint8_t unused[11];
};

_Static_assert(sizeof(struct chain) == 32, "bytes only, no padding");

enum chain_promise {
    CHAIN_TWICE = 1,
    CHAIN_OUT_OF_ORDER,
    CHAIN_HALF_DONE
};

/* The rules of proto/rule.h that hold in a scope. */
uint64_t chain_rules_of(const struct check_scope *scope);
/* A step, the saga's step that it concerns, and the message that is lost; what does not apply is
 * 0. */
uint16_t chain_action(enum chain_step step, unsigned part, enum chain_mail mail);
enum chain_step chain_step_of(uint16_t action);
unsigned chain_part_of(uint16_t action);
enum chain_mail chain_mail_of(uint16_t action);
int chain_check(const struct check_scope *scope, const void *state);

/* saga_steps.c */
bool chain_is_under_way(const struct chain *now, unsigned part, enum chain_mail mail);
struct saga_core chain_core(const struct check_scope *scope, const struct chain *now);
/* The state after a step that `now` allows. */
struct chain chain_after(const struct check_scope *scope, const struct chain *now, uint16_t action);
void chain_next(const struct check_scope *scope, const void *state, struct check_out *out);

/* saga_words.c */
void chain_tell(const struct check_scope *scope, const void *state, uint16_t action,
                struct check_told *told);
void chain_say_size(uint8_t size, char *text, size_t room);

#endif
