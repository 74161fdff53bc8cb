/*
 * failover: replicas of one shard that elect leaders and acknowledge writes, to be searched.
 *
 * What a replica does with a request for its vote, with a vote, with entries and with an answer is
 * decided by proto/term.h. At first A leads term 1, all know it, and every log is empty.
 *
 * How the steps are cut
 *   - There are no cuts of the network: a message waits as long as the search likes, so that every
 *     cut, and its end, is among the orders of the steps.
 *   - A candidate's request, or what a leader sends, is what they are at the instant at which it
 *     arrives: one that is older is that of a candidate or a leader who has not heard what happened
 *     since. That it arrives, and that the other hears of the answer, is one step; or the answer is
 *     lost, which is a fault. A request that is refused is a step only if one of the two learns of
 *     a higher term by it.
 *   - A client's write goes to any replica that takes itself for the leader. It is told OK in the
 *     step in which the leader finds its write committed. Writes are taken in the order of their
 *     names: they are alike.
 *   - A replica stands for the next term when the search likes, up to the last one. A restart is
 *     one step: a replica that is down for long is one whose messages wait.
 *
 * What is judged, always
 *   - Two replicas never lead the same term.
 *   - A leader of a term after the one in which a write was acknowledged has it in its log.
 *   - What a leader takes after another was elected to a later term, it never acknowledges.
 *   - Two replicas that know the same position to be committed hold the same there.
 * And the leader of the last term can always have what it takes acknowledged. That somebody is
 * elected in the end is not judged: candidates can take each other's votes for ever.
 *
 * Each rule shows when it alone is left out, and none is redundant. With three replicas a
 * candidate and one vote are a majority already, so that a vote counted twice changes nothing:
 * votes-count-once shows with five (FAILOVER_FIVE).
 *
 * Lengths against another cut of the same protocol, in which an election is one step and a cut of
 * the network is one too: 3 steps without ack-needs-majority, 3 without election-needs-majority, 4
 * without vote-for-longer-log, 4 without refuse-old-term. Here they are 3, 2, 4 and 4: that a
 * candidate stands and is voted for are two steps, where the other has the cut and the election;
 * without election-needs-majority nobody needs to vote.
 */
#ifndef HOTSHARD_CHECK_FAILOVER_H
#define HOTSHARD_CHECK_FAILOVER_H

#include "check/model.h"
#include "proto/term.h"

#define FAILOVER_REPLICAS_MAX 5
#define FAILOVER_WRITES_MAX 3
#define FAILOVER_TERMS_MAX 4
#define FAILOVER_NOBODY 7

/* The scopes, as check_scope.size. */
enum failover_size {
    FAILOVER_SMALL, /* three replicas, two writes, terms 1 and 2, a restart, an answer is lost */
    FAILOVER_LARGE, /* one more term */
    FAILOVER_FIVE,  /* five replicas, terms 1 and 2, no writes */
    FAILOVER_LONG,  /* three replicas, two writes, terms 1 to 4, no faults */
    FAILOVER_SIZES
};

struct failover_world {
    uint8_t replicas, writes;
    uint8_t terms;          /* the last one */
    uint8_t restarts, lost; /* at most */
};

/* What a rule decides is in the name, so that a schedule is refused where the rule would have
 * decided otherwise. */
enum failover_step {
    FAILOVER_WRITE,           /* a leader takes a client's write */
    FAILOVER_WRITE_ACK,       /* ... and acknowledges it, though nobody else has it */
    FAILOVER_SEND,            /* a replica takes what a leader sends */
    FAILOVER_SEND_OLD,        /* ... though the leader is of an older term */
    FAILOVER_DEPOSE,          /* it refuses, and the leader learns of a higher term */
    FAILOVER_STAND,           /* a replica stands for the next term */
    FAILOVER_STAND_ALONE,     /* ... and leads it by its own vote */
    FAILOVER_VOTE,            /* a replica votes for a candidate */
    FAILOVER_VOTE_SHORT,      /* ... though its log is not as far */
    FAILOVER_VOTE_OLD,        /* ... though it stands for an older term */
    FAILOVER_VOTE_TWICE,      /* ... and has done so before: the vote is counted again */
    FAILOVER_NO_VOTE,         /* it does not, and one of the two learns of a higher term */
    FAILOVER_SEND_LOST,       /* the answer is lost */
    FAILOVER_VOTE_LOST,       /* the vote is lost */
    FAILOVER_RESTART,         /* a replica restarts */
    FAILOVER_RESTART_FORGETS, /* ... and has forgotten its term and its vote */
    FAILOVER_STEPS
};

/* Who acts, and on whose request; both the same where there is only one. */
struct failover_action {
    enum failover_step step;
    uint8_t at;   /* the replica that takes, votes, stands, restarts */
    uint8_t from; /* the leader or candidate */
};

struct failover_action failover_action_of(uint16_t action);
uint16_t failover_number_of(struct failover_action a);

/* An entry of a log: 16 times its term, plus the write, from 1; 0: none. */
struct failover_replica {
    uint8_t term : 3, role : 2, vote : 3;
    uint8_t votes : 5, counted : 3;
    uint8_t length : 2, commit : 2, before : 2, spare : 2;
    uint8_t log[FAILOVER_WRITES_MAX];
    uint8_t have[2]; /* two bits for each replica */
};

struct failover_write {
    uint8_t acked : 3; /* the term of the leader that acknowledged it; 0: nobody yet */
    uint8_t late : 1;  /* taken when a leader of a later term was elected */
    uint8_t spare : 4;
};

struct failover {
    struct failover_replica replica[FAILOVER_REPLICAS_MAX];
    struct failover_write write[FAILOVER_WRITES_MAX];
    uint8_t led[2]; /* three bits for each term from 1: 1 plus who was elected, see failover_led */
    uint8_t taken;  /* writes */
    uint8_t restarts : 4, lost : 4;       /* there were */
    uint8_t two : 1, late : 1, spare : 6; /* what is judged */
};

_Static_assert(sizeof(struct failover) == 48, "bytes without holes");

enum failover_promise {
    FAILOVER_TWO_LEADERS = 1,
    FAILOVER_LACKS,
    FAILOVER_LATE,
    FAILOVER_DIFFER
};

const struct failover_world *failover_world_of(const struct check_scope *scope);
/* The rules of proto/rule.h that hold in a scope. */
uint64_t failover_rules_of(const struct check_scope *scope);
/* Who was elected to a term; FAILOVER_NOBODY. */
unsigned failover_led(const struct failover *now, unsigned term);
/* The last term to which somebody was elected. */
unsigned failover_newest(const struct failover *now);
/* Positions from the first that hold the same in both logs. */
unsigned failover_agreed(const struct failover *now, unsigned a, unsigned b);
bool failover_has(const struct failover *now, unsigned replica, unsigned write);
int failover_check(const struct check_scope *scope, const void *state);

/* failover_steps.c; see check_model.next */
void failover_next(const struct check_scope *scope, const void *state, struct check_out *out);
/* A replica as proto/term.h has it. */
struct term_core failover_core(const struct check_scope *scope, const struct failover *now,
                               unsigned replica);
/* The state after a step that `now` allows. */
struct failover failover_after(const struct check_scope *scope, const struct failover *now,
                               struct failover_action a);
struct failover failover_start(const struct check_scope *scope);

/* failover_words.c */
void failover_tell(const struct check_scope *scope, const void *state, uint16_t action,
                   struct check_told *told);
void failover_say_size(uint8_t size, char *text, size_t room);

#endif
