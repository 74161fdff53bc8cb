/*
 * pty: a pseudo-terminal with a small shell, for tests of real sessions. A header of static
 * functions: include it once in a test program.
 *
 *   test (keyboard and screen)  <-- master/slave -->  shell (session leader)  -->  job (the
 * program)
 *
 * The job runs in its own process group in the foreground, so that Ctrl-C, Ctrl-Z and `fg` work as
 * under any shell. The job writes lines to `events`; the shell adds "stopped", "exited N" and
 * "killed N" (N is a status or a signal). The test waits for lines, never for time: the clock only
 * guards against hanging.
 */
#ifndef HOTSHARD_TESTS_SESSION_PTY_H
#define HOTSHARD_TESTS_SESSION_PTY_H

#include "base/str.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define PTY_API static __attribute__((unused))
#define PTY_GUARD_MS 30000
#define PTY_LINE 128

struct pty {
    int master, slave; /* the slave is kept open, to look at its modes */
    int events;        /* lines from the job and the shell */
    int commands;      /* bytes to the shell: 'c' continues the job in the foreground */
    pid_t shell, job;
    struct termios before;
    struct str output; /* all that the terminal was sent */
    struct str lines;  /* events not taken yet */
};

struct pty_job {
    int columns, rows;
    const char *const *environment; /* "NAME=value" sets, "NAME" unsets; NULL ends */
    void (*run)(int events, void *argument);
    void *argument;
};

PTY_API void pty_line(struct pty *p, char line[PTY_LINE]);

PTY_API void pty_must(bool fine, const char *what)
{
    if (!fine)
        fail_msg("%s: %s", what, strerror(errno));
}

PTY_API void pty_set_environment(const char *const *environment)
{
    for (; environment != NULL && *environment != NULL; environment++) {
        const char *equals = strchr(*environment, '=');
        if (equals == NULL) {
            unsetenv(*environment);
            continue;
        }
        char *name = strndup(*environment, (size_t)(equals - *environment));
        setenv(name, equals + 1, 1);
        free(name);
    }
}

PTY_API void pty_job_main(const struct pty *p, int events, const struct pty_job *job)
{
    setpgid(0, 0);
    tcsetpgrp(p->slave, getpid());
    /* As a shell does; whoever started the test may ignore some of them. */
    static const int usual[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGTTIN, SIGTTOU};
    for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
        signal(usual[i], SIG_DFL);
    for (int fd = 0; fd < 3; fd++)
        dup2(p->slave, fd);
    close(p->slave);
    pty_set_environment(job->environment);
    job->run(events, job->argument);
    _exit(99);
}

PTY_API void pty_shell_main(const struct pty *p, int events, int commands,
                            const struct pty_job *job)
{
    setsid();
    ioctl(p->slave, TIOCSCTTY, 0);
    signal(SIGTTOU, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    int gate[2]; /* the job starts when its number has been told */
    if (pipe(gate) != 0)
        _exit(1);
    pid_t pid = fork();
    if (pid < 0)
        _exit(1); /* or the signals below would go to strangers */
    if (pid == 0) {
        char go;
        close(commands);
        close(gate[1]);
        if (read(gate[0], &go, 1) != 0)
            _exit(1);
        close(gate[0]);
        pty_job_main(p, events, job);
    }
    setpgid(pid, pid);
    dprintf(events, "job %d\n", (int)pid);
    close(gate[0]);
    close(gate[1]);
    for (;;) {
        int status;
        if (waitpid(pid, &status, WUNTRACED) != pid)
            _exit(1);
        if (WIFEXITED(status)) {
            dprintf(events, "exited %d\n", WEXITSTATUS(status));
            _exit(0);
        }
        if (WIFSIGNALED(status)) {
            dprintf(events, "killed %d\n", WTERMSIG(status));
            _exit(0);
        }
        tcsetpgrp(p->slave, getpgrp());
        dprintf(events, "stopped\n");
        char command;
        if (read(commands, &command, 1) != 1) {
            kill(-pid, SIGKILL); /* the test is over, one way or the other */
            continue;
        }
        if (command == 'c')
            tcsetpgrp(p->slave, pid);
        kill(-pid, SIGCONT);
    }
}

PTY_API void pty_start(struct pty *p, const struct pty_job *job)
{
    int events[2], commands[2];
    *p = (struct pty){.slave = -1};
    p->master = posix_openpt(O_RDWR | O_NOCTTY);
    pty_must(p->master >= 0 && grantpt(p->master) == 0 && unlockpt(p->master) == 0, "posix_openpt");
    p->slave = open(ptsname(p->master), O_RDWR | O_NOCTTY);
    pty_must(p->slave >= 0 && pipe(events) == 0 && pipe(commands) == 0, "open");
    struct winsize size = {.ws_col = (unsigned short)job->columns,
                           .ws_row = (unsigned short)job->rows};
    pty_must(ioctl(p->master, TIOCSWINSZ, &size) == 0, "TIOCSWINSZ");
    pty_must(tcgetattr(p->slave, &p->before) == 0, "tcgetattr");
    fflush(NULL);
    p->shell = fork();
    pty_must(p->shell >= 0, "fork");
    if (p->shell == 0) {
        close(p->master);
        close(events[0]);
        close(commands[1]);
        pty_shell_main(p, events[1], commands[0], job);
    }
    close(events[1]);
    close(commands[0]);
    p->events = events[0];
    p->commands = commands[1];
    fcntl(p->master, F_SETFL, O_NONBLOCK);
    char line[PTY_LINE];
    pty_line(p, line);
    p->job = (pid_t)strtol(line + strlen("job "), NULL, 10);
    assert_true(p->job > 1);
}

/* Takes what the terminal was sent by now. */
PTY_API void pty_drain(struct pty *p)
{
    char piece[4096];
    ssize_t n;
    while (p->master >= 0 && (n = read(p->master, piece, sizeof(piece))) > 0)
        str_addn(&p->output, piece, (size_t)n);
}

/* The next event line, without its newline. */
PTY_API void pty_line(struct pty *p, char line[PTY_LINE])
{
    const char *end;
    while ((end = strchr(str_text(&p->lines), '\n')) == NULL) {
        struct pollfd fds[2] = {{.fd = p->events, .events = POLLIN},
                                {.fd = p->master, .events = POLLIN}};
        int ready = poll(fds, 2, PTY_GUARD_MS);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready == 0)
            fail_msg("the session hangs");
        if ((fds[1].revents & POLLHUP) != 0)
            usleep(1000); /* nobody has the terminal open; the event line is on its way */
        pty_drain(p);
        if (fds[0].revents != 0) {
            char piece[256];
            ssize_t n = read(p->events, piece, sizeof(piece));
            if (n <= 0)
                fail_msg("the session ended; unread: \"%s\"", str_text(&p->lines));
            str_addn(&p->lines, piece, (size_t)n);
        }
    }
    size_t length = (size_t)(end - str_text(&p->lines));
    assert_true(length < PTY_LINE);
    memcpy(line, p->lines.text, length);
    line[length] = '\0';
    char *rest = strdup(end + 1);
    str_clear(&p->lines);
    str_add(&p->lines, rest);
    free(rest);
    pty_drain(p);
}

PTY_API void pty_expect(struct pty *p, const char *wanted)
{
    char line[PTY_LINE];
    pty_line(p, line);
    assert_string_equal(line, wanted);
}

PTY_API void pty_send(struct pty *p, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t n = write(p->master, bytes, length);
        if (n > 0) {
            bytes += n;
            length -= (size_t)n;
            continue;
        }
        pty_must(errno == EAGAIN || errno == EINTR, "write");
        struct pollfd fd = {.fd = p->master, .events = POLLOUT};
        if (poll(&fd, 1, PTY_GUARD_MS) == 0)
            fail_msg("the session takes no input");
        pty_drain(p);
    }
}

PTY_API void pty_type(struct pty *p, const char *text)
{
    pty_send(p, text, strlen(text));
}

PTY_API void pty_resize(struct pty *p, int columns, int rows)
{
    struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)rows};
    pty_must(ioctl(p->master, TIOCSWINSZ, &size) == 0, "TIOCSWINSZ");
}

PTY_API void pty_continue(struct pty *p, char how)
{
    pty_must(write(p->commands, &how, 1) == 1, "write");
}

/* A signal to the whole job. False when it is gone. */
PTY_API bool pty_signal(const struct pty *p, int sig)
{
    assert_true(p->job > 1);
    return kill(-p->job, sig) == 0;
}

PTY_API void pty_hang_up(struct pty *p)
{
    close(p->master);
    close(p->slave);
    p->master = p->slave = -1;
}

PTY_API bool pty_modes_as_before(const struct pty *p)
{
    struct termios now;
    memset(&now, 0, sizeof(now));
    pty_must(tcgetattr(p->slave, &now) == 0, "tcgetattr");
    return now.c_iflag == p->before.c_iflag && now.c_oflag == p->before.c_oflag &&
           now.c_cflag == p->before.c_cflag && now.c_lflag == p->before.c_lflag &&
           memcmp(now.c_cc, p->before.c_cc, sizeof(now.c_cc)) == 0;
}

/* Where the text is last in the output, from `from` on; -1 for nowhere. */
PTY_API long pty_last(const struct pty *p, const char *text, size_t from)
{
    size_t length = strlen(text);
    for (size_t at = p->output.length; at-- > from;)
        if (p->output.length - at >= length && memcmp(p->output.text + at, text, length) == 0)
            return (long)at;
    return -1;
}

PTY_API void pty_end(struct pty *p)
{
    if (p->master >= 0)
        pty_hang_up(p);
    close(p->events);
    close(p->commands);
    waitpid(p->shell, NULL, 0);
    str_free(&p->output);
    str_free(&p->lines);
}

#endif
