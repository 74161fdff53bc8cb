/*
 * commit: two-phase commit, to be searched: a coordinator that crashes, two or three participants,
 * messages that are lost and late.
 *
 * What the coordinator and a participant do is decided by proto/commit.h. There is one transaction;
 * each participant has done its part of it and holds its locks.
 *
 * How the steps are cut
 *   - A message stays on its way as long as the search likes. Of a kind there is one at most
 *     between the coordinator and a participant; what is sent again while the first is under way is
 *     the same one, and what is sent again after that is a repeated one.
 *   - Any message may be lost, at any time, and the coordinator may crash at any time, however
 *     often: nothing is counted, so what holds here holds for any number of both. While it is down
 *     its messages wait.
 *   - That a message comes, what its receiver does and what it sends is one step. The coordinator
 *     decides by a step of its own, which writes its log; telling all participants is the next, so
 *     a crash may come between. Without log-decision-first it has told all before it has written
 *     anything.
 *   - A participant that restarts has lost what it was not prepared for: it is one that gives up.
 *     What is prepared survives, so its restart is nothing to see.
 *   - A participant that waits may ask at any time, and the coordinator may be tired of waiting at
 *     any time: timeouts are never the question. A question that is to wait, for a decision or a
 *     restart, is one that is asked later.
 *
 * What is judged. Outside, by somebody who reads what the participants hold: nobody has committed
 * while another has aborted. Inside, by somebody who sees the coordinator's log as well: nobody has
 * aborted when it says "commit", and nobody commits, or is told to, when it does not; unless all
 * have, when it is forgotten. And everything can come to its end: every participant ended, its
 * locks free, and nothing remembered at the coordinator.
 *
 * Each rule shows when it alone is left out; none is redundant. Without presumed-abort nothing is
 * done wrong, but a prepared participant can wait for ever.
 *
 * Lengths against other cuts of the same protocol. Where a vote is counted when it is given and the
 * decision is sent when it is made, the lengths are 6 without all-votes-needed, 7 without
 * no-lone-abort-when-prepared, 11 without log-decision-first. Here it is a step more for each vote
 * that must arrive: 7, and 9; and with log-decision-first the participant that was not told must
 * ask, and be answered: 12. In the module of two_phase.c nobody asks to prepare, and a decision is
 * heard as soon as it is made: 5, 7, and no crash.
 */
#ifndef HOTSHARD_CHECK_COMMIT_H
#define HOTSHARD_CHECK_COMMIT_H

#include "check/model.h"
#include "proto/commit.h"

#define PACT_PARTS_MAX 3

/* The scopes, as check_scope.size: how many participants. */
#define PACT_SMALL 2
#define PACT_LARGE 3

/* What a rule decides is in the name, so that a schedule is refused where the rule would have
 * decided otherwise. */
enum pact_step {
    PACT_BEGIN,   /* all are asked to prepare */
    PACT_PREPARE, /* a participant is asked, prepares and votes yes */
    PACT_VOTE_AGAIN,
    PACT_REFUSE, /* ... or it aborts, or has, and votes no */
    PACT_OLD,    /* ... or it has committed long since */
    PACT_HEAR_YES,
    PACT_HEAR_NO,
    PACT_DECIDE, /* the coordinator writes "commit" */
    PACT_TELL,
    PACT_LEARN_COMMIT,
    PACT_LEARN_ABORT,
    PACT_HEAR_ACK,
    PACT_FORGET,
    PACT_GIVE_UP, /* the coordinator decides to abort, and tells all */
    PACT_ABORT_ALONE,
    PACT_ASK,
    PACT_ANSWER,
    PACT_PREPARE_AGAIN, /* a participant is asked again */
    PACT_VOTE_EARLY,    /* asked, it votes yes and is not prepared */
    PACT_PREPARE_LATE,
    PACT_COMMIT_ALONE,
    PACT_DECIDE_UNWRITTEN, /* "commit" is decided and told */
    PACT_WRITE_LATE,
    PACT_NO_ANSWER, /* asked for what it does not know */
    PACT_RESTART,
    PACT_CRASH,
    PACT_LOSE,
    PACT_STEPS
};

/* Messages between the coordinator and a participant, as bits in the order of these. */
enum pact_mail {
    PACT_A_PREPARE,
    PACT_A_COMMIT,
    PACT_AN_ABORT,
    PACT_A_YES, /* from here on to the coordinator */
    PACT_A_NO,
    PACT_A_QUESTION,
    PACT_AN_ACK,
    PACT_MAILS
};

struct pact_part {
    uint8_t state : 4; /* as proto/commit.h has it */
    uint8_t voted : 4;
    uint8_t mail; /* under way, a bit each */
};

struct pact {
    struct pact_part part[PACT_PARTS_MAX];
    uint8_t parts, votes, heard, decided, logged; /* of the coordinator, as proto/commit.h */
    uint8_t begun, down;
    uint8_t unused[3];
};

_Static_assert(sizeof(struct pact) == 16, "bytes only, no padding");

enum pact_promise {
    PACT_MIXED = 1,
    PACT_AGAINST_LOG,
    PACT_UNWRITTEN
};

/* The rules of proto/rule.h that hold in a scope. */
uint64_t pact_rules_of(const struct check_scope *scope);
/* A step, whom it concerns, and the message that is lost; what does not apply is 0. */
uint16_t pact_action(enum pact_step step, unsigned part, enum pact_mail mail);
enum pact_step pact_step_of(uint16_t action);
unsigned pact_part_of(uint16_t action);
enum pact_mail pact_mail_of(uint16_t action);
int pact_check(const struct check_scope *scope, const void *state);

/* commit_steps.c */
bool pact_is_under_way(const struct pact *now, unsigned part, enum pact_mail mail);
struct commit_core pact_core(const struct pact *now);
struct part_core pact_participant(const struct pact *now, unsigned part);
/* The state after a step that `now` allows. */
struct pact pact_after(const struct check_scope *scope, const struct pact *now, uint16_t action);
void pact_next(const struct check_scope *scope, const void *state, struct check_out *out);

/* commit_words.c */
void pact_tell(const struct check_scope *scope, const void *state, uint16_t action,
               struct check_told *told);
void pact_say_size(uint8_t size, char *text, size_t room);

#endif
