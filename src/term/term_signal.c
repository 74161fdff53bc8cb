/*
 * term_signal: see term_signal.h.
 */
#include "term/term_signal.h"
#include "base/check.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UNSEEN_MAX 3 /* requests to leave that nobody looked at, before it counts as a hang */
#define FATAL_STACK 65536

/* The last three end a program that says nothing of them: so they do here, and the terminal is put
 * right. */
static const int leave_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2};
static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
#define LEAVE_COUNT (sizeof(leave_signals) / sizeof(leave_signals[0]))
#define FATAL_COUNT (sizeof(fatal_signals) / sizeof(fatal_signals[0]))

static volatile sig_atomic_t leave_wanted, leave_unseen, stop_wanted;

static struct {
    volatile sig_atomic_t armed;
    struct termios saved;
    char text[TERM_RESCUE_MAX];
    size_t length;
} rescue;

/* Copies of file descriptors, -1 when standard error is not held back. */
static volatile sig_atomic_t held_file = -1, real_stderr = -1;

static struct {
    bool installed, exit_hook;
    struct sigaction leave[LEAVE_COUNT], fatal[FATAL_COUNT], stop, window;
    stack_t stack;
} before;

static char fatal_stack[FATAL_STACK];

/* --- rescue ---------------------------------------------------------------------------------- */

static void write_all(int fd, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t n = write(fd, text, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return; /* the terminal is gone: nobody is left to tell */
        text += n;
        length -= (size_t)n;
    }
}

static void show_held_stderr(void)
{
    char piece[512];
    if (held_file < 0 || lseek(held_file, 0, SEEK_SET) < 0)
        return;
    for (;;) {
        ssize_t n = read(held_file, piece, sizeof(piece));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        write_all(real_stderr, piece, (size_t)n);
    }
}

/* Safe in a handler. Does nothing the second time. */
static void rescue_now(void)
{
    if (!rescue.armed)
        return;
    rescue.armed = 0;
    write_all(STDOUT_FILENO, rescue.text, rescue.length);
    tcsetattr(STDIN_FILENO, TCSANOW, &rescue.saved);
    show_held_stderr();
}

void term_rescue_arm(const struct termios *saved, const char *text, size_t length)
{
    CHECK(length <= sizeof(rescue.text));
    rescue.armed = 0;
    rescue.saved = *saved;
    memcpy(rescue.text, text, length);
    rescue.length = length;
    rescue.armed = 1;
}

void term_rescue_disarm(void)
{
    rescue.armed = 0;
}

/* --- handlers -------------------------------------------------------------------------------- */

static void die_of(int sig)
{
    rescue_now();
    signal(sig, SIG_DFL);
    raise(sig); /* blocked until the handler returns, then it is the end */
}

static void on_fatal(int sig)
{
    die_of(sig);
}

static void on_leave(int sig)
{
    int kept = errno;
    if (leave_wanted == 0)
        leave_wanted = sig;
    leave_unseen = leave_unseen + 1;
    if (leave_unseen >= UNSEEN_MAX)
        die_of(sig);
    errno = kept;
}

static void on_stop(int sig)
{
    (void)sig;
    stop_wanted = 1;
}

/* The window changed: nothing but the end of a wait, after which its size is looked at. */
static void on_window(int sig)
{
    (void)sig;
}

static void catch_signal(int sig, void (*handler)(int), int flags, struct sigaction *old)
{
    struct sigaction action;
    memset(&action, 0, sizeof(action));
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigfillset(&action.sa_mask);
    CHECK(sigaction(sig, NULL, old) == 0);
    bool ignored = (old->sa_flags & SA_SIGINFO) == 0 && old->sa_handler == SIG_IGN;
    if (!ignored)
        CHECK(sigaction(sig, &action, NULL) == 0);
}

void term_signals_install(void)
{
    CHECK(!before.installed);
    before.installed = true;
    leave_wanted = leave_unseen = stop_wanted = 0;
    /* A stack that overflowed cannot hold its own handler. */
    stack_t stack;
    memset(&stack, 0, sizeof(stack));
    stack.ss_sp = fatal_stack;
    stack.ss_size = sizeof(fatal_stack);
    CHECK(sigaltstack(&stack, &before.stack) == 0);
    for (size_t i = 0; i < LEAVE_COUNT; i++)
        catch_signal(leave_signals[i], on_leave, 0, &before.leave[i]);
    for (size_t i = 0; i < FATAL_COUNT; i++)
        catch_signal(fatal_signals[i], on_fatal, SA_ONSTACK, &before.fatal[i]);
    catch_signal(SIGTSTP, on_stop, 0, &before.stop);
    /* Ours must be there before curses starts, or its own would follow sizes of any kind. */
    catch_signal(SIGWINCH, on_window, SA_RESTART, &before.window);
    if (!before.exit_hook)
        before.exit_hook = atexit(rescue_now) == 0;
}

void term_signals_remove(void)
{
    if (!before.installed)
        return;
    before.installed = false;
    for (size_t i = 0; i < LEAVE_COUNT; i++)
        CHECK(sigaction(leave_signals[i], &before.leave[i], NULL) == 0);
    for (size_t i = 0; i < FATAL_COUNT; i++)
        CHECK(sigaction(fatal_signals[i], &before.fatal[i], NULL) == 0);
    CHECK(sigaction(SIGTSTP, &before.stop, NULL) == 0);
    CHECK(sigaction(SIGWINCH, &before.window, NULL) == 0);
    CHECK(sigaltstack(&before.stack, NULL) == 0);
}

int term_signal_leave(void)
{
    leave_unseen = 0;
    return leave_wanted;
}

bool term_signal_stop(void)
{
    bool wanted = stop_wanted != 0;
    stop_wanted = 0;
    return wanted;
}

bool term_signal_flagged(void)
{
    return leave_wanted != 0 || stop_wanted != 0;
}

void term_signals_hold(sigset_t *waiting)
{
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < LEAVE_COUNT; i++)
        sigaddset(&held, leave_signals[i]);
    sigaddset(&held, SIGTSTP);
    sigaddset(&held, SIGWINCH);
    CHECK(sigprocmask(SIG_BLOCK, &held, waiting) == 0);
}

void term_signals_let_go(const sigset_t *waiting)
{
    CHECK(sigprocmask(SIG_SETMASK, waiting, NULL) == 0);
}

void term_signal_stop_job(void)
{
    struct sigaction usual, ours;
    memset(&usual, 0, sizeof(usual));
    usual.sa_handler = SIG_DFL;
    sigset_t stop, old;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    CHECK(sigaction(SIGTSTP, &usual, &ours) == 0);
    CHECK(sigprocmask(SIG_UNBLOCK, &stop, &old) == 0);
    kill(0, SIGTSTP); /* here the process stops */
    CHECK(sigprocmask(SIG_SETMASK, &old, NULL) == 0);
    CHECK(sigaction(SIGTSTP, &ours, NULL) == 0);
    stop_wanted = 0;
}

/* --- standard error -------------------------------------------------------------------------- */

void term_stderr_hold(void)
{
    if (!isatty(STDERR_FILENO) || held_file >= 0)
        return;
    FILE *file = tmpfile();
    if (file == NULL)
        return;
    int copy = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3);
    int real = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    fclose(file);
    fflush(stderr);
    if (copy < 0 || real < 0 || dup2(copy, STDERR_FILENO) < 0) {
        if (copy >= 0)
            close(copy);
        if (real >= 0)
            close(real);
        return;
    }
    real_stderr = real;
    held_file = copy;
}

void term_stderr_release(void)
{
    if (held_file < 0)
        return;
    fflush(stderr);
    int file = held_file, real = real_stderr;
    show_held_stderr();
    held_file = -1; /* the handler must not show it again */
    dup2(real, STDERR_FILENO);
    real_stderr = -1;
    close(file);
    close(real);
}
