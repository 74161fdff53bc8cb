/* The real terminal, in a pseudo-terminal: every way out, and every stop, restores it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/term/player.h"

static void expect_killed(struct pty *p, int sig)
{
    char line[PTY_LINE];
    snprintf(line, sizeof(line), "killed %d", sig);
    pty_expect(p, line);
}

/* --- ways out ----------------------------------------------------------------------------------
 */

static void quitting_restores_the_terminal(void **state)
{
    (void)state;
    struct pty p;
    start_usual(&p);
    pty_type(&p, "q");
    pty_expect(&p, "key q");
    pty_expect(&p, "exited 0");
    expect_restored(&p);
    pty_end(&p);
}

static void a_plain_exit_restores_the_terminal(void **state)
{
    (void)state;
    struct pty p;
    start_usual(&p);
    pty_type(&p, "e");
    pty_expect(&p, "exited 3");
    expect_restored(&p);
    pty_end(&p);
}

static void a_crash_restores_the_terminal_and_keeps_its_cause(void **state)
{
    (void)state;
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (int i = 0; i < 5; i++) {
        struct pty p;
        char key[2] = {(char)('1' + i), '\0'};
        start_usual(&p);
        pty_type(&p, key);
        expect_killed(&p, fatal[i]);
        expect_restored(&p);
        pty_end(&p);
    }
}

static void an_overflown_stack_restores_the_terminal(void **state)
{
    (void)state;
    struct pty p;
    start_usual(&p);
    pty_type(&p, "o");
    expect_killed(&p, SIGSEGV);
    expect_restored(&p);
    pty_end(&p);
}

static void a_failed_check_is_shown_after_the_screen_was_left(void **state)
{
    (void)state;
    struct pty p;
    start_usual(&p);
    pty_type(&p, "a");
    expect_killed(&p, SIGABRT);
    expect_restored(&p);
    assert_true(pty_last(&p, "key != 'a'", 0) > pty_last(&p, RMCUP, 0));
    pty_end(&p);
}

static void a_signal_to_leave_is_reported_and_kept_as_status(void **state)
{
    (void)state;
    static const int signals[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct pty p;
        char line[PTY_LINE];
        start_usual(&p);
        assert_true(pty_signal(&p, signals[i]));
        snprintf(line, sizeof(line), "end %d", signals[i]);
        pty_expect(&p, line);
        expect_killed(&p, signals[i]);
        expect_restored(&p);
        pty_end(&p);
    }
}

/* Also while it opens the terminal, or has not begun to. */
static void a_signal_at_any_moment_restores_the_terminal(void **state)
{
    (void)state;
    for (int i = 0; i < 60; i++) {
        struct pty p;
        char line[PTY_LINE];
        start(&p, usual, (struct term_options){.color = COLOR_AUTO});
        usleep((useconds_t)(i * 100));
        assert_true(pty_signal(&p, SIGTERM));
        do
            pty_line(&p, line);
        while (strncmp(line, "killed", 6) != 0 && strncmp(line, "exited", 6) != 0);
        assert_string_equal(line, "killed 15");
        assert_true(pty_modes_as_before(&p));
        if (pty_last(&p, SMCUP, 0) >= 0)
            expect_restored(&p);
        pty_end(&p);
    }
}

static void ctrl_c_leaves(void **state)
{
    (void)state;
    struct pty p;
    start_usual(&p);
    pty_type(&p, "\003");
    pty_expect(&p, "end 2");
    expect_killed(&p, SIGINT);
    expect_restored(&p);
    pty_end(&p);
}

static void ctrl_c_ends_even_a_program_that_hangs(void **state)
{
    (void)state;
    struct pty p;
    start_usual(&p);
    pty_type(&p, "h");
    pty_expect(&p, "hanging");
    /* Signals of one kind do not queue; so until it is gone. */
    for (int i = 0; pty_signal(&p, SIGINT) && i < PTY_GUARD_MS; i++)
        usleep(1000);
    expect_killed(&p, SIGINT);
    expect_restored(&p);
    pty_end(&p);
}

static void ignore_hang_ups_and_play(int events, void *argument)
{
    signal(SIGHUP, SIG_IGN);
    play(events, argument);
}

static void what_was_ignored_before_stays_ignored(void **state)
{
    (void)state;
    struct pty p;
    struct term_options options = {.color = COLOR_NEVER};
    struct pty_job job = {.columns = 80,
                          .rows = 24,
                          .environment = usual,
                          .run = ignore_hang_ups_and_play,
                          .argument = &options};
    pty_start(&p, &job);
    pty_expect(&p, "ready 80x24 0");
    assert_true(pty_signal(&p, SIGHUP));
    pty_type(&p, "q");
    pty_expect(&p, "key q");
    pty_expect(&p, "exited 0");
    pty_end(&p);
}

static void a_terminal_that_hangs_up_is_the_end(void **state)
{
    (void)state;
    struct pty p;
    start_usual(&p);
    pty_hang_up(&p);
    pty_expect(&p, "end 0");
    pty_expect(&p, "exited 0");
    pty_end(&p);
}

static void warnings_wait_until_the_screen_was_left(void **state)
{
    (void)state;
    struct pty p;
    start_usual(&p);
    pty_type(&p, "w");
    pty_expect(&p, "key w");
    assert_int_equal(pty_last(&p, "a warning", 0), -1);
    pty_type(&p, "q");
    pty_expect(&p, "key q");
    pty_expect(&p, "exited 0");
    assert_true(pty_last(&p, "a warning\r\n", 0) > pty_last(&p, RMCUP, 0));
    pty_end(&p);
}

/* --- stopping ----------------------------------------------------------------------------------
 */

static void expect_stop_and_resume(struct pty *p)
{
    pty_expect(p, "stopped");
    expect_restored(p);
    pty_type(p, "typed to nobody"); /* no stray keys afterwards */
    pty_resize(p, 90, 30);          /* a stopped job is not told */
    pty_continue(p, 'c');
}

static void ctrl_z_stops_and_fg_redraws(void **state)
{
    (void)state;
    struct pty p;
    start_usual(&p);
    pty_type(&p, "\032");
    expect_stop_and_resume(&p);
    size_t before = p.output.length;
    pty_expect(&p, "resume 90x30");
    assert_true(pty_last(&p, SMCUP, before) >= 0);
    assert_true(pty_last(&p, PASTE_ON, before) >= 0);
    assert_true(pty_last(&p, "hotshard", before) >= 0);
    assert_false(pty_modes_as_before(&p));
    pty_type(&p, "\032"); /* and once more */
    pty_expect(&p, "stopped");
    expect_restored(&p);
    pty_continue(&p, 'c');
    pty_expect(&p, "resume 90x30");
    pty_type(&p, "q");
    pty_expect(&p, "key q");
    pty_expect(&p, "exited 0");
    expect_restored(&p);
    pty_end(&p);
}

static void the_program_can_stop_itself(void **state)
{
    (void)state;
    struct pty p;
    start_usual(&p);
    pty_type(&p, "z");
    expect_stop_and_resume(&p);
    pty_expect(&p, "key z");
    pty_type(&p, "q");
    pty_expect(&p, "key q");
    pty_expect(&p, "exited 0");
    expect_restored(&p);
    pty_end(&p);
}

static void a_stopped_job_that_is_killed_ends_without_coming_back(void **state)
{
    (void)state;
    struct pty p;
    start_usual(&p);
    pty_type(&p, "\032");
    pty_expect(&p, "stopped");
    pty_drain(&p);
    size_t before = p.output.length;
    assert_true(pty_signal(&p, SIGTERM));
    pty_continue(&p, 'b'); /* as `kill %1` does: continued, but in the background */
    pty_expect(&p, "end 15");
    expect_killed(&p, SIGTERM);
    assert_int_equal(p.output.length, before);
    assert_true(pty_modes_as_before(&p));
    pty_end(&p);
}

static void a_job_continued_in_the_background_stops_again(void **state)
{
    (void)state;
    struct pty p;
    start_usual(&p);
    pty_type(&p, "\032");
    pty_expect(&p, "stopped");
    size_t before = p.output.length;
    pty_continue(&p, 'b');
    pty_expect(&p, "stopped");
    assert_int_equal(p.output.length, before);
    pty_continue(&p, 'c');
    pty_expect(&p, "resume 80x24");
    pty_type(&p, "q");
    pty_expect(&p, "key q");
    pty_expect(&p, "exited 0");
    expect_restored(&p);
    pty_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quitting_restores_the_terminal),
        cmocka_unit_test(a_plain_exit_restores_the_terminal),
        cmocka_unit_test(a_crash_restores_the_terminal_and_keeps_its_cause),
        cmocka_unit_test(an_overflown_stack_restores_the_terminal),
        cmocka_unit_test(a_failed_check_is_shown_after_the_screen_was_left),
        cmocka_unit_test(a_signal_to_leave_is_reported_and_kept_as_status),
        cmocka_unit_test(a_signal_at_any_moment_restores_the_terminal),
        cmocka_unit_test(ctrl_c_leaves),
        cmocka_unit_test(ctrl_c_ends_even_a_program_that_hangs),
        cmocka_unit_test(what_was_ignored_before_stays_ignored),
        cmocka_unit_test(a_terminal_that_hangs_up_is_the_end),
        cmocka_unit_test(warnings_wait_until_the_screen_was_left),
        cmocka_unit_test(ctrl_z_stops_and_fg_redraws),
        cmocka_unit_test(the_program_can_stop_itself),
        cmocka_unit_test(a_stopped_job_that_is_killed_ends_without_coming_back),
        cmocka_unit_test(a_job_continued_in_the_background_stops_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
