/*
 * term: a replica among several that keep one log: terms, votes, a leader, and what is stored for
 * good.
 *
 * Time is cut into terms, counted up. A replica that hears of no leader stands for the next term;
 * with the votes of a majority it leads it. A replica votes once a term, for a candidate whose log
 * is as far as its own, or farther: the later term of its last entry counts, then its length. Term
 * and vote are written down before they are told. Whoever hears of a higher term takes it over, and
 * leads no more.
 *
 * A leader takes writes: each is an entry at the next position of its log, with its term. It sends
 * what it has; a replica that holds something else behind the positions that agree throws that away
 * and takes the leader's. When a majority has an entry of the leader's own term it is committed,
 * and all before it: no later leader can lack it, and only then the client is told OK. (An entry of
 * a term before, at a majority, can still be thrown away; it is committed with the next one.)
 *
 * Messages may be lost, late and repeated: each step below may be taken again, and what comes too
 * late changes nothing. The entries are the caller's, who compares logs: two entries of the same
 * term at the same position are the same, and all before them.
 *
 * After D. Ongaro and J. Ousterhout, "In Search of an Understandable Consensus Algorithm" (2014),
 * sections 5.1 to 5.4, without its empty entry at the beginning of a term.
 */
#ifndef HOTSHARD_PROTO_TERM_H
#define HOTSHARD_PROTO_TERM_H

#include "proto/rule.h"
#include <stdint.h>

#define TERM_REPLICAS_MAX 7

enum term_role {
    TERM_FOLLOWER,
    TERM_CANDIDATE,
    TERM_LEADER,
    TERM_ROLES
};

/* A replica. */
struct term_core {
    uint64_t term;
    uint64_t last, last_term; /* position of its log's last entry, from 1, and that one's term */
    uint64_t commit;          /* so far it knows its log to be committed */
    uint64_t before;          /* a leader: the last position that it did not write as such */
    uint64_t have[TERM_REPLICAS_MAX]; /* a leader: so far each replica has its log, as it knows */
    uint8_t me, of;                   /* which replica it is, and of how many */
    uint8_t role;                     /* enum term_role */
    uint8_t vote;                     /* in this term: 1 plus the replica; 0: none yet */
    uint8_t votes;                    /* a candidate: who has voted for it, a bit each */
    uint8_t counted;                  /* ... and how many votes it has counted */
    uint8_t unused[2];
};

_Static_assert(sizeof(struct term_core) == 104, "bytes without holes");

const char *term_role_name(enum term_role role);
static inline unsigned term_majority(unsigned replicas)
{
    return replicas / 2 + 1;
}

struct term_core term_begin(uint8_t me, uint8_t of);
/* It has heard of a term. True: a higher one, which it is in now. */
bool term_heard(struct term_core *t, uint64_t term);
/* Its memory is gone: it knows its log, and what it wrote down. */
void term_restart(struct term_core *t, uint64_t rules);

/* A candidate's request to vote for it. */
struct term_ask {
    uint64_t term;
    uint64_t last, last_term;
    uint8_t from;
    uint8_t unused[7];
};

/* Not as a leader. True: it leads already, since its own vote is enough. */
bool term_stand(struct term_core *t, uint64_t rules);
struct term_ask term_ask_of(const struct term_core *t);
/* Whether a log is as far as its own, or farther. */
bool term_is_far(const struct term_core *t, const struct term_ask *ask);
/* Whether it votes for the candidate. Asked again, it says the same again. */
bool term_asked(struct term_core *t, uint64_t rules, const struct term_ask *ask);
/* A vote comes to the candidate, given in `term`. True: it leads now. */
bool term_voted(struct term_core *t, uint64_t rules, unsigned from, uint64_t term);

/* What a leader sends: with all its entries that the other has not. */
struct term_sent {
    uint64_t term;
    uint64_t last, last_term;
    uint64_t commit;
    uint8_t from;
    uint8_t unused[7];
};

enum term_reply {
    TERM_REFUSES, /* and tells its term */
    TERM_KEEPS,   /* it has all that already */
    TERM_TAKES    /* the leader's entries replace all that is behind `agreed` */
};

/* A leader takes a write. Returns its position. */
uint64_t term_write(struct term_core *t, uint64_t rules);
struct term_sent term_sent_of(const struct term_core *t);
/* The first `agreed` positions are the same in both logs, up to what was sent. */
enum term_reply term_take(struct term_core *t, uint64_t rules, const struct term_sent *sent,
                          uint64_t agreed);
/* Somebody has kept or taken what was sent in `term`, up to `last`. True: more is committed. */
bool term_answered(struct term_core *t, uint64_t rules, unsigned from, uint64_t term,
                   uint64_t last);

#endif
