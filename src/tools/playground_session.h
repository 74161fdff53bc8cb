/*
 * playground_session: states one after another, two futures, and recordings of them.
 *
 * A future is a list of settings with a place in it: a change goes behind the place, and what was
 * there (undone) is dropped. There is one future, A, until a fork makes B: a copy with the same
 * past. The result of the state where each future stands is measured when it gets there.
 *
 * A recording is text, one state a line:
 *
 *   hotshard-play 1
 *   log PATH                      only with somebody's own keys
 *   workload popular, ...         the states of A, the first one first
 *   future B                      only after a fork: then those of B
 *   workload popular, ...
 *
 * Opened again, each future stands at its last state. The session owns all its results and the log.
 * At most SESSION_STATES_MAX states are kept of a future; the oldest go first.
 */
#ifndef HOTSHARD_TOOLS_PLAYGROUND_SESSION_H
#define HOTSHARD_TOOLS_PLAYGROUND_SESSION_H

#include "tools/playground.h"

#define SESSION_STATES_MAX 2000

struct play_future {
    struct play_settings *state;
    size_t states, at;          /* at: which one it is in */
    struct play_result *result; /* of that one, against the one before */
};

struct play_session {
    struct play_future future[2];
    size_t futures, now; /* now: 0 A, 1 B */
    size_t forked_at;    /* the state that both have in common */
    struct play_log *log;
    char *log_path; /* NULL: none */
};

/* `log_path` NULL: made-up keys. NULL with the reason when the settings cannot be run. */
struct play_session *session_new(const struct play_settings *s, const char *log_path,
                                 struct err *err);
void session_free(struct play_session *session); /* NULL is fine */

const struct play_settings *session_now(const struct play_session *session);
const struct play_settings *session_before(const struct play_session *session); /* NULL: none */
const struct play_result *session_result(const struct play_session *session);

/* The next state. On an error nothing has changed. Equal settings change nothing and are fine. */
bool session_change(struct play_session *session, const struct play_settings *s, struct err *err);
bool session_undo(struct play_session *session); /* false: it is the first */
bool session_redo(struct play_session *session);
/* A second future from here, which is then the one in hand; false when there are two. */
bool session_fork(struct play_session *session);
bool session_switch(struct play_session *session); /* to the other; false when there is one */
/* The one in hand is all that stays, and is A. */
bool session_join(struct play_session *session);

/* Where to look for a recording, and whether a text is one. */
bool session_is_recording(const char *text);
/* Whether a recording may be called that: nothing in the name that is not seen when it is read. */
bool session_name_good(const char *name, struct err *err);
void session_write(const struct play_session *session, struct str *out);
struct play_session *session_read(const char *text, const char *path, struct err *err);

#endif
