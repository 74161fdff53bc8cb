/*
 * commit: two-phase commit: several participants end one transaction alike, by the decision of one
 * coordinator.
 *
 * Each participant does its part under locks. Asked to prepare, it writes to its log what it needs
 * to end either way, and votes yes; or it aborts and votes no. Before that it may abort when it
 * likes, and what was not prepared is gone after a restart; prepared it can only wait for the
 * coordinator's word, its locks held, and ask for it. The coordinator commits when every vote is
 * yes, writes that to its log, and only then tells anybody; it tells again until all have
 * acknowledged, and then forgets. "Abort" is written nowhere: a coordinator that knows nothing of a
 * transaction, after a restart or because it is over, says that it is aborted. Who has committed by
 * then does not listen any more.
 *
 * Messages may be lost, late and repeated: each step below may be taken again, and what comes too
 * late changes nothing. Participants are bits of a mask.
 *
 * After J. Gray, "Notes on Data Base Operating Systems" (1978); the presumed abort is that of
 * C. Mohan, B. Lindsay and R. Obermarck, "Transaction Management in the R* Distributed Database
 * Management System" (1986).
 */
#ifndef HOTSHARD_PROTO_COMMIT_H
#define HOTSHARD_PROTO_COMMIT_H

#include "proto/rule.h"
#include <stdint.h>

enum commit_word {
    COMMIT_NO_WORD, /* not decided, or nothing is known of it */
    COMMIT_COMMIT,
    COMMIT_ABORT,
    COMMIT_WORDS
};

/* The coordinator. */
struct commit_core {
    uint64_t parts;  /* all participants; 0: it knows nothing of the transaction */
    uint64_t votes;  /* who has voted yes */
    uint64_t heard;  /* who has acknowledged "commit" */
    uint8_t decided; /* enum commit_word; in its memory */
    uint8_t logged;  /* the same in its log, with the participants */
    uint8_t unused[6];
};

_Static_assert(sizeof(struct commit_core) == 32, "bytes without holes");

const char *commit_word_name(enum commit_word word);

struct commit_core commit_begin(uint64_t parts);
/* Whose vote it waits for: to be asked, and asked again. */
uint64_t commit_unvoted(const struct commit_core *c);
/* A yes has come, from one participant. False: too late, nothing is changed. A no is a reason to
 * decide to abort. */
bool commit_vote(struct commit_core *c, uint64_t rules, unsigned part);
bool commit_may_commit(const struct commit_core *c, uint64_t rules);
/* Whenever it is tired of waiting. */
bool commit_may_abort(const struct commit_core *c, uint64_t rules);
/* With RULE_LOG_DECISION_FIRST off "commit" is not written down with it but later, by
 * commit_log. */
void commit_decide(struct commit_core *c, uint64_t rules, enum commit_word word);
bool commit_may_log(const struct commit_core *c);
void commit_log(struct commit_core *c);
/* Whom to tell to commit, and tell again. Of "abort" all are told once: who does not hear asks. */
uint64_t commit_untold(const struct commit_core *c, uint64_t rules);
/* What a participant that asks is told; COMMIT_NO_WORD: nothing yet, or with RULE_PRESUMED_ABORT
 * off nothing ever. */
enum commit_word commit_answer(const struct commit_core *c, uint64_t rules);
void commit_hear(struct commit_core *c, unsigned part); /* an acknowledgement */
bool commit_may_forget(const struct commit_core *c, uint64_t rules);
void commit_forget(struct commit_core *c);
/* Its memory is gone: it knows what its log says. */
void commit_restart(struct commit_core *c);

enum part_state {
    PART_WORKING,
    PART_PREPARED,
    PART_COMMITTED,
    PART_ABORTED,
    PART_STATES
};

/* A participant. */
struct part_core {
    uint8_t state; /* enum part_state */
    uint8_t voted; /* working, and has voted yes: only with RULE_VOTE_AFTER_PREPARE off */
    uint8_t unused[2];
};

_Static_assert(sizeof(struct part_core) == 4, "bytes without holes");

const char *part_state_name(enum part_state state);

/* What it does when it is asked to prepare, and can. */
enum part_reply {
    PART_SILENT,    /* it has committed: an old request */
    PART_VOTES_YES, /* it is prepared; with RULE_VOTE_AFTER_PREPARE off it may be working still */
    PART_VOTES_NO
};

enum part_reply part_asked(struct part_core *p, uint64_t rules);
/* With RULE_VOTE_AFTER_PREPARE off: it makes up for it. */
bool part_may_prepare_late(const struct part_core *p);
void part_prepare_late(struct part_core *p);
/* It cannot do its part, gives up, or restarts. */
bool part_may_abort(const struct part_core *p, uint64_t rules);
void part_abort(struct part_core *p);
bool part_may_commit(const struct part_core *p, uint64_t rules); /* of its own accord */
bool part_may_ask(const struct part_core *p);
/* The coordinator's word. True: it is to be acknowledged. */
bool part_told(struct part_core *p, enum commit_word word);
bool part_holds_locks(const struct part_core *p);

#endif
