/*
 * playground_session: see playground_session.h.
 */
#include "tools/playground_session.h"

#include "base/alloc.h"
#include "base/check.h"
#include "base/utf8.h"
#include <stdlib.h>
#include <string.h>

static const char header[] = "hotshard-play 1";

static const struct play_settings *before_of(const struct play_future *f)
{
    return f->at > 0 ? &f->state[f->at - 1] : NULL;
}

/* Measures the state where the future stands. It ran before, or is about to be taken. */
static bool measure(struct play_session *session, struct play_future *f, struct err *err)
{
    struct play_result *r = play_run(&f->state[f->at], before_of(f), session->log, err);
    if (r == NULL) {
        return false;
    }
    play_result_free(f->result);
    f->result = r;
    return true;
}

static void append(struct play_future *f, const struct play_settings *s)
{
    if (f->states == SESSION_STATES_MAX) {
        f->states--;
        memmove(f->state, f->state + 1, f->states * sizeof *f->state);
    }
    f->state = xrealloc(f->state, f->states + 1, sizeof *f->state);
    f->state[f->states++] = *s;
    f->at = f->states - 1;
}

static void empty(struct play_future *f)
{
    free(f->state);
    play_result_free(f->result);
    *f = (struct play_future){0};
}

struct play_session *session_new(const struct play_settings *s, const char *log_path,
                                 struct err *err)
{
    struct play_session *session = xcalloc(1, sizeof *session);
    session->futures = 1;
    if (log_path != NULL) {
        session->log_path = xstrdup(log_path);
        session->log = play_log_read(log_path, err);
    }
    append(&session->future[0], s);
    if ((log_path != NULL && session->log == NULL) || !measure(session, &session->future[0], err)) {
        session_free(session);
        return NULL;
    }
    return session;
}

void session_free(struct play_session *session)
{
    if (!session) {
        return;
    }
    empty(&session->future[0]);
    empty(&session->future[1]);
    play_log_free(session->log);
    free(session->log_path);
    free(session);
}

static struct play_future *in_hand(struct play_session *session)
{
    return &session->future[session->now];
}

const struct play_settings *session_now(const struct play_session *session)
{
    const struct play_future *f = &session->future[session->now];
    return &f->state[f->at];
}

const struct play_settings *session_before(const struct play_session *session)
{
    return before_of(&session->future[session->now]);
}

const struct play_result *session_result(const struct play_session *session)
{
    return session->future[session->now].result;
}

bool session_change(struct play_session *session, const struct play_settings *s, struct err *err)
{
    struct play_future *f = in_hand(session);
    if (play_same(s, &f->state[f->at])) {
        return true;
    }
    struct play_result *r = play_run(s, &f->state[f->at], session->log, err);
    if (r == NULL) {
        return false;
    }
    f->states = f->at + 1;
    append(f, s);
    play_result_free(f->result);
    f->result = r;
    return true;
}

static bool go(struct play_session *session, size_t at)
{
    struct err err;
    struct play_future *f = in_hand(session);
    if (at >= f->states) {
        return false;
    }
    f->at = at;
    CHECK(measure(session, f, &err)); /* it was measured before */
    return true;
}

bool session_undo(struct play_session *session)
{
    return in_hand(session)->at > 0 && go(session, in_hand(session)->at - 1);
}

bool session_redo(struct play_session *session)
{
    return go(session, in_hand(session)->at + 1);
}

bool session_fork(struct play_session *session)
{
    struct err err;
    if (session->futures == 2) {
        return false;
    }
    struct play_future *a = &session->future[0];
    struct play_future *b = &session->future[1];
    for (size_t i = 0; i <= a->at; i++) {
        append(b, &a->state[i]);
    }
    CHECK(measure(session, b, &err));
    session->forked_at = a->at;
    session->futures = 2;
    session->now = 1;
    return true;
}

bool session_switch(struct play_session *session)
{
    if (session->futures < 2) {
        return false;
    }
    session->now = 1 - session->now;
    return true;
}

bool session_join(struct play_session *session)
{
    if (session->futures < 2) {
        return false;
    }
    struct play_future stays = *in_hand(session);
    empty(&session->future[1 - session->now]);
    session->future[0] = stays;
    session->future[1] = (struct play_future){0};
    session->futures = 1;
    session->now = 0;
    return true;
}

/* --- recordings --------------------------------------------------------------------------------
 */

bool session_is_recording(const char *text)
{
    return strncmp(text, header, sizeof header - 1) == 0;
}

bool session_name_good(const char *name, struct err *err)
{
    struct str seen = STR_EMPTY;
    size_t length = strlen(name);
    utf8_visible(&seen, name, length);
    bool shown = strcmp(str_text(&seen), name) == 0;
    str_free(&seen);
    if (length == 0) {
        return err_set(err, "a recording needs the name of a file");
    }
    if (!shown) {
        return err_set(err, "a file's name cannot have control or invisible characters here; "
                            "choose another");
    }
    if (name[0] == ' ' || name[length - 1] == ' ') {
        return err_set(err, "a file's name cannot begin or end with a blank here; choose another");
    }
    return true;
}

static void write_future(const struct play_future *f, struct str *out)
{
    for (size_t i = 0; i <= f->at; i++) { /* what was undone is not part of it */
        play_say(&f->state[i], out);
        str_addc(out, '\n');
    }
}

void session_write(const struct play_session *session, struct str *out)
{
    str_addf(out, "%s\n", header);
    if (session->log_path) {
        str_addf(out, "log %s\n", session->log_path);
    }
    write_future(&session->future[0], out);
    if (session->futures == 2) {
        str_add(out, "future B\n");
        write_future(&session->future[1], out);
    }
}

struct reader {
    struct play_session *session;
    const char *path;
    size_t line;
};

static bool read_line(struct reader *r, const char *line, struct err *err)
{
    struct play_session *session = r->session;
    struct play_settings s;
    if (*line == '\0' || *line == '#') {
        return true;
    }
    if (strcmp(line, "future B") == 0) {
        session->forked_at = session->future[0].states - 1;
        session->futures = 2;
        return session->future[0].states > 0 ||
               err_set(err, "%s:%zu: a second future comes after the states of the first", r->path,
                       r->line);
    }
    if (strncmp(line, "log ", 4) == 0 && session->log == NULL) {
        session->log_path = xstrdup(line + 4);
        session->log = play_log_read(session->log_path, err);
        return session->log != NULL || err_prefix(err, "%s:%zu", r->path, r->line);
    }
    if (!play_parse(line, &s, err) || !play_check(&s, session->log, err)) {
        return err_prefix(err, "%s:%zu", r->path, r->line);
    }
    append(&session->future[session->futures - 1], &s);
    return true;
}

static bool read_lines(struct reader *r, const char *text, struct err *err)
{
    if (strncmp(text, header, sizeof header - 1) != 0 || text[sizeof header - 1] != '\n') {
        return err_set(err, "%s:1: no recording of a playground: it begins with \"%s\"", r->path,
                       header);
    }
    bool good = true;
    while (good && *text) {
        size_t length = strcspn(text, "\n");
        char *line = xstrndup(text, length);
        text += length + (text[length] == '\n');
        good = ++r->line == 1 || read_line(r, line, err);
        free(line);
    }
    for (size_t i = 0; good && i < r->session->futures; i++) {
        good = r->session->future[i].states > 0 ||
               err_set(err, "%s: it holds no state of future %c; write one a line", r->path,
                       i == 0 ? 'A' : 'B');
    }
    return good;
}

struct play_session *session_read(const char *text, const char *path, struct err *err)
{
    struct play_session *session = xcalloc(1, sizeof *session);
    struct reader r = {.session = session, .path = path};
    session->futures = 1;
    bool good = read_lines(&r, text, err);
    for (size_t i = 0; good && i < session->futures; i++) {
        good = measure(session, &session->future[i], err);
    }
    if (!good) {
        session_free(session);
        return NULL;
    }
    session->now = session->futures - 1;
    return session;
}
