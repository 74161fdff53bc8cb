/*
 * The whole program in a pseudo-terminal: 20,000 random keys (fewer in brief) with random
 * resizes, and every way of being stopped or killed. No crash, no sanitizer report, and the
 * terminal as it was, to the byte.
 *
 * The program is HOTSHARD_ASAN when set, else HOTSHARD, else ./hotshard.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "sanitized.h"
#include "session/pty.h"
#include <limits.h>
#include <stdlib.h>
#include <time.h>

#define KEYS_IN_ALL (BRIEF ? 5000 : 20000)
#define KEYS_A_BURST 16
#define ALTERNATE_SCREEN "\033[?1049h"

static const char *program(void)
{
    const char *names[] = {getenv("HOTSHARD_ASAN"), getenv("HOTSHARD"), "./hotshard"};
    for (size_t i = 0; i < 3; i++) {
        if (names[i] && *names[i]) {
            return names[i];
        }
    }
    return NULL;
}

/* The job: says so, then becomes the program. */
static void exec_program(int events, void *argument)
{
    const char *command = argument;
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    dprintf(events, "starting\n");
    /* Keys at random may write a file: into a folder that is thrown away. */
    char itself[PATH_MAX], lessons[PATH_MAX];
    const char *home = getenv("HOME");
    if (!realpath(program(), itself) || !realpath("lessons", lessons) ||
        setenv("HOTSHARD_LESSONS", lessons, 1) != 0 || !home || chdir(home) != 0) {
        dprintf(events, "cannot prepare %s\n", program());
        return;
    }
    if (*command) {
        execl(itself, "hotshard", command, "1", (char *)NULL);
    } else {
        execl(itself, "hotshard", (char *)NULL);
    }
    dprintf(events, "cannot start %s\n", program());
}

/* Whether a line of events is there now. */
static bool event_waits(struct pty *p)
{
    struct pollfd fd = {.fd = p->events, .events = POLLIN};
    return strchr(str_text(&p->lines), '\n') || poll(&fd, 1, 0) > 0;
}

/* Waits until the terminal was sent this text, from the `from`-th byte on, or something happened.
 */
static void wait_for(struct pty *p, const char *text, size_t from)
{
    while (pty_last(p, text, from) < 0 && !event_waits(p)) {
        struct pollfd fds[2] = {{.fd = p->master, .events = POLLIN},
                                {.fd = p->events, .events = POLLIN}};
        if (poll(fds, 2, PTY_GUARD_MS) == 0) {
            fail_msg("the screen never showed \"%s\"", text);
        }
        pty_drain(p);
    }
}

static void start(struct pty *p, const char *command, int columns, int rows)
{
    char words[32];
    snprintf(words, sizeof words, "%s", command);
    struct pty_job job = {.columns = columns, .rows = rows, .run = exec_program, .argument = words};
    pty_start(p, &job);
    pty_expect(p, "starting");
    wait_for(p, ALTERNATE_SCREEN, 0);
}

/* `fg`: the program has the terminal again once it has switched to its own screen. */
static void go_on(struct pty *p)
{
    pty_drain(p);
    size_t before = p->output.length;
    pty_continue(p, 'c');
    wait_for(p, ALTERNATE_SCREEN, before);
}

static void must_be_clean(struct pty *p, const char *end)
{
    if (!pty_modes_as_before(p)) {
        fail_msg("the terminal's modes were not restored (%s)", end);
    }
    if (pty_last(p, "AddressSanitizer", 0) >= 0 || pty_last(p, "runtime error", 0) >= 0 ||
        pty_last(p, "LeakSanitizer", 0) >= 0) {
        size_t tail = p->output.length > 4000 ? p->output.length - 4000 : 0;
        fail_msg("a sanitizer reports (%s): %s", end, p->output.text + tail);
    }
}

/* --- random keys -------------------------------------------------------------------------------
 */

static const char *const sequences[] = {
    "\033[A",   "\033[B",       "\033[C",  "\033[D",    "\033OA",    "\033OB",
    "\033[H",   "\033[F",       "\033[5~", "\033[6~",   "\033[3~",   "\033[2~",
    "\033[Z",   "\033OP",       "\033",    "\033[200~", "\033[201~", "\033[200~q q\n1\033[201~",
    "\xc3\xa9", "\xe4\xb8\xad", "\xff",    "\xc3",      "e\xcc\x81", "\033[999;999H",
};
/* Keys that lead on, so that the walk sees more than the first step. */
static const char leading[] = "  \r\rssss1234tpribxudDi.,[]+-\t\t?/:qaemKR";

/* Appends one random key. */
static void add_key(struct str *out, struct prng *random)
{
    uint64_t kind = prng_below(random, 100);
    if (kind < 50) {
        str_addc(out, leading[prng_below(random, sizeof leading - 1)]);
    } else if (kind < 75) {
        str_addc(out, (char)(' ' + (int)prng_below(random, 95)));
    } else if (kind < 93) {
        str_add(out, sequences[prng_below(random, sizeof sequences / sizeof sequences[0])]);
    } else if (kind < 97) {
        static const char controls[] = "\001\005\010\011\013\014\022\025\027\032\177";
        str_addc(out, controls[prng_below(random, sizeof controls - 1)]);
    } else {
        str_addc(out, (char)(0x80 + (int)prng_below(random, 0x80)));
    }
}

/* Sends all of it, or stops when the program stopped or ended: then nobody reads. */
static void send_while_alive(struct pty *p, const struct str *keys)
{
    size_t sent = 0;
    while (sent < keys->length && !event_waits(p)) {
        ssize_t n = write(p->master, keys->text + sent, keys->length - sent);
        if (n > 0) {
            sent += (size_t)n;
            continue;
        }
        pty_must(errno == EAGAIN || errno == EINTR, "write");
        struct pollfd fds[2] = {{.fd = p->master, .events = POLLOUT | POLLIN},
                                {.fd = p->events, .events = POLLIN}};
        if (poll(fds, 2, PTY_GUARD_MS) == 0) {
            fail_msg("the program neither reads keys nor ends");
        }
        pty_drain(p);
    }
    pty_drain(p);
}

/* Waits until the program took all keys, or stopped or ended. The kernel hands keys on a moment
 * after they were written, so the queue must be seen empty twice. */
static void wait_until_read(struct pty *p)
{
    int empty = 0;
    for (int tries = 0; empty < 2 && !event_waits(p); tries++) {
        const struct timespec moment = {.tv_nsec = 1000000};
        int waiting = 0;
        nanosleep(&moment, NULL);
        pty_drain(p);
        pty_must(ioctl(p->slave, FIONREAD, &waiting) == 0, "FIONREAD");
        empty = waiting == 0 ? empty + 1 : 0;
        if (tries > PTY_GUARD_MS) {
            fail_msg("the program does not read its keys");
        }
    }
}

/* What the shell said: false when the program ended, and ended well. */
static bool still_there(struct pty *p, const struct str *keys)
{
    char line[PTY_LINE];
    while (event_waits(p)) {
        pty_line(p, line);
        if (strcmp(line, "stopped") == 0) {
            if (!pty_modes_as_before(p)) {
                fail_msg("stopped with the terminal's modes changed");
            }
            go_on(p);
            continue;
        }
        must_be_clean(p, line);
        if (strcmp(line, "exited 0") != 0 && strcmp(line, "killed 2") != 0) {
            size_t tail = p->output.length > 2000 ? p->output.length - 2000 : 0;
            fail_msg("%s after the keys \"%s\"; the screen's last bytes: %s", line, str_text(keys),
                     p->output.text + tail);
        }
        return false;
    }
    return true;
}

static void random_resize(struct pty *p, struct prng *random)
{
    int columns = 1 + (int)prng_below(random, 300);
    int rows = 1 + (int)prng_below(random, 100);
    if (prng_chance(random, 1, 3)) { /* often enough a usable size */
        columns = 80 + columns / 3;
        rows = 24 + rows / 3;
    }
    pty_resize(p, columns, rows);
}

/* Enough keys: Ctrl-C always leaves. Pressed while the program is being stopped or continued it
 * reaches the shell instead, so it is pressed again, as a person would. */
static bool leave(struct pty *p)
{
    struct str interrupt = {.text = (char[]){"\003"}, .length = 1};
    for (int waited_ms = 0; waited_ms < PTY_GUARD_MS; waited_ms += 500) {
        send_while_alive(p, &interrupt);
        struct pollfd fd = {.fd = p->events, .events = POLLIN};
        poll(&fd, 1, 500);
        pty_drain(p);
        if (!still_there(p, &interrupt)) {
            return false;
        }
    }
    return true;
}

/* One life of the program; returns how many keys it took. */
static int one_life(struct prng *random, int most)
{
    struct pty p;
    struct str keys = STR_EMPTY;
    int sent = 0;
    bool alive = true;
    start(&p, prng_chance(random, 1, 2) ? "learn" : "", 80, 24);
    while (alive && sent < most) {
        str_clear(&keys);
        for (int i = 0; i < KEYS_A_BURST; i++) {
            add_key(&keys, random);
        }
        send_while_alive(&p, &keys);
        wait_until_read(&p);
        sent += KEYS_A_BURST;
        if (prng_chance(random, 1, 4)) {
            random_resize(&p, random);
        }
        alive = still_there(&p, &keys);
        str_clear(&p.output);
    }
    alive = alive && leave(&p);
    assert_false(alive);
    str_free(&keys);
    pty_end(&p);
    return sent;
}

static void test_random_keys_and_sizes(void **state)
{
    (void)state;
    struct prng random = prng_seeded(20260, "keys");
    int sent = 0;
    int lives = 0;
    while (sent < KEYS_IN_ALL) {
        sent += one_life(&random, KEYS_IN_ALL - sent);
        lives++;
    }
    print_message("## %d random keys in %d lives\n", sent, lives);
}

/* --- being stopped and killed ------------------------------------------------------------------
 */

static void dies_of(int number)
{
    struct pty p;
    char expected[32];
    start(&p, "learn", 100, 30);
    wait_for(&p, "Part 1", 0);
    assert_false(pty_modes_as_before(&p));
    assert_true(pty_signal(&p, number));
    snprintf(expected, sizeof expected, "killed %d", number);
    pty_expect(&p, expected);
    must_be_clean(&p, expected);
    assert_true(pty_last(&p, "\033[?1049l", 0) >= 0); /* the main screen is back */
    pty_end(&p);
}

static void test_signals_restore_the_terminal_and_keep_their_status(void **state)
{
    (void)state;
    static const int numbers[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV,
                                  SIGABRT, SIGFPE, SIGBUS, SIGILL};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        dies_of(numbers[i]);
    }
}

/* Until the program has drawn all it wanted to: keys typed while it comes back are dropped, so that
 * nothing meant for the shell reaches it. */
static void wait_until_quiet(struct pty *p)
{
    struct pollfd fd = {.fd = p->master, .events = POLLIN};
    while (poll(&fd, 1, 200) > 0) {
        pty_drain(p);
    }
}

static void test_suspend_and_continue(void **state)
{
    (void)state;
    struct pty p;
    start(&p, "learn", 100, 30);
    wait_for(&p, "Part 1", 0);
    for (int i = 0; i < 3; i++) {
        pty_type(&p, "\032");
        pty_expect(&p, "stopped");
        assert_true(pty_modes_as_before(&p));
        size_t before = p.output.length;
        go_on(&p);
        wait_until_quiet(&p);
        assert_true(pty_last(&p, "Part 1", before) >= 0); /* drawn anew */
    }
    pty_type(&p, "qq");
    pty_expect(&p, "exited 0");
    must_be_clean(&p, "quit");
    pty_end(&p);
}

static void test_a_closed_window_ends_it(void **state)
{
    (void)state;
    struct pty p;
    char line[PTY_LINE];
    start(&p, "learn", 100, 30);
    wait_for(&p, "Part 1", 0);
    pty_hang_up(&p);
    pty_line(&p, line);
    /* Either the signal came first or the end of input did. */
    assert_true(strcmp(line, "killed 1") == 0 || strcmp(line, "exited 0") == 0);
    pty_end(&p);
}

static void test_the_smallest_windows(void **state)
{
    (void)state;
    struct pty p;
    start(&p, "learn", 1, 1);
    pty_resize(&p, 39, 10);
    wait_for(&p, "80x24", 0);
    pty_resize(&p, 1, 1);
    pty_resize(&p, 2, 100);
    pty_resize(&p, 300, 2);
    size_t before = p.output.length;
    pty_resize(&p, 80, 24);
    wait_for(&p, "Part 1", before);
    pty_type(&p, "\003");
    pty_expect(&p, "killed 2");
    must_be_clean(&p, "quit");
    pty_end(&p);
}

int main(void)
{
    /* The shell of pty.h inherits this: as under any shell, keys of the terminal do not end it. */
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signals_restore_the_terminal_and_keep_their_status),
        cmocka_unit_test(test_suspend_and_continue),
        cmocka_unit_test(test_a_closed_window_ends_it),
        cmocka_unit_test(test_the_smallest_windows),
        cmocka_unit_test(test_random_keys_and_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
