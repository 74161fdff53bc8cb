/* The real terminal, in a pseudo-terminal: keys arrive, sizes are followed, little is sent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/term/player.h"
#include <time.h>

/* Reads with the default wait only; counts keys until 'q', and says how many. */
static void count(int events, void *argument)
{
    struct term *t = term_open(argument, NULL);
    long keys = 0;
    dprintf(events, "ready\n");
    for (;;) {
        struct term_input input = term_read(t, -1);
        if (input.kind != TERM_INPUT_KEY || input.key == 'q')
            break;
        keys++;
    }
    term_close(t);
    dprintf(events, "%ld\n", keys);
    exit(0);
}

/* Whether the output has a colour: an SGR parameter beyond the attributes. */
static bool has_colour(const struct pty *p)
{
    const char *text = str_text(&p->output), *end = text + p->output.length;
    for (const char *at = text; at + 2 < end; at++) {
        if (at[0] != '\033' || at[1] != '[')
            continue;
        bool colour = false;
        const char *number = at + 2;
        while (strspn(number, "0123456789;") > 0) {
            int value = (int)strtol(number, NULL, 10);
            colour |= value >= 30;
            number += strspn(number, "0123456789");
            number += *number == ';';
        }
        if (*number == 'm' && colour)
            return true;
    }
    return false;
}

/* --- keys --------------------------------------------------------------------------------------
 */

static void keys_arrive_by_name(void **state)
{
    (void)state;
    struct pty p;
    start_usual(&p);
    pty_type(&p, "\033[A\033OB\r\t \x7f\x0c\x13é");
    static const char *const names[] = {"up",        "down",   "enter",  "tab", "space",
                                        "backspace", "ctrl-l", "ctrl-s", "é"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        char line[PTY_LINE];
        snprintf(line, sizeof(line), "key %s", names[i]);
        pty_expect(&p, line);
    }
    pty_type(&p, "q");
    pty_expect(&p, "key q");
    pty_end(&p);
}

static void sequences_may_come_in_pieces(void **state)
{
    (void)state;
    static const char *const patient[] = {"TERM=xterm-256color", "LC_ALL=C.UTF-8", "ESCDELAY=9999",
                                          NULL};
    struct pty p;
    start(&p, patient, (struct term_options){.color = COLOR_NEVER});
    pty_expect(&p, "ready 80x24 0");
    static const char *const pieces[] = {"\033", "[", "A", "\033[", "2", "4~", "\xe6\xbc", "\xa2"};
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        pty_type(&p, pieces[i]);
        usleep(20000); /* so that most pieces are read alone; the answer is the same if not */
    }
    pty_expect(&p, "key up");
    pty_expect(&p, "key f12");
    pty_expect(&p, "key 漢");
    pty_type(&p, "q");
    pty_expect(&p, "key q");
    pty_end(&p);
}

static long milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void escape_alone_acts_soon(void **state)
{
    (void)state;
    struct pty p;
    start_usual(&p);
    long best = PTY_GUARD_MS;
    /* The best of some: a busy machine may delay one, a wait of a second delays all. */
    for (int i = 0; i < 8; i++) {
        long before = milliseconds();
        pty_type(&p, "\033");
        pty_expect(&p, "key escape");
        long taken = milliseconds() - before;
        best = taken < best ? taken : best;
    }
    assert_in_range(best, 20, 300);
    pty_type(&p, "q");
    pty_expect(&p, "key q");
    pty_end(&p);
}

static void a_megabyte_pasted_is_all_read(void **state)
{
    (void)state;
    struct pty p;
    struct term_options options = {.color = COLOR_NEVER};
    struct pty_job job = {
        .columns = 80, .rows = 24, .environment = usual, .run = count, .argument = &options};
    pty_start(&p, &job);
    pty_expect(&p, "ready");
    struct str paste = STR_EMPTY;
    str_add(&paste, "\033[200~");
    str_pad(&paste, 'x', 1 << 20);
    str_add(&paste, "\033[201~");
    pty_send(&p, paste.text, paste.length);
    pty_type(&p, "q");
    pty_expect(&p, "1048578");
    pty_expect(&p, "exited 0");
    assert_true(pty_modes_as_before(&p));
    str_free(&paste);
    pty_end(&p);
}

static void the_mouse_is_off_unless_wished_and_off_after(void **state)
{
    (void)state;
    struct pty p;
    start_usual(&p);
    pty_type(&p, "q");
    pty_expect(&p, "key q");
    pty_expect(&p, "exited 0");
    assert_int_equal(pty_last(&p, "\033[?1000h", 0), -1);
    pty_end(&p);
    static const char *const ways_out[] = {"q", "1", "\003"};
    for (size_t i = 0; i < 3; i++) {
        char line[PTY_LINE];
        start(&p, usual, (struct term_options){.mouse = true});
        pty_expect(&p, "ready 80x24 256");
        pty_type(&p, "\033[<0;3;4M");
        pty_expect(&p, "key mouse");
        pty_type(&p, "\033[<0;300;4M"); /* outside */
        pty_type(&p, "\033[<65;3;4M");
        pty_expect(&p, "key down");
        pty_type(&p, ways_out[i]);
        do
            pty_line(&p, line);
        while (strncmp(line, "exited", 6) != 0 && strncmp(line, "killed", 6) != 0);
        expect_restored(&p);
        assert_true(pty_last(&p, "\033[?1000l", 0) > pty_last(&p, "\033[?1000h", 0));
        pty_end(&p);
    }
}

/* --- size --------------------------------------------------------------------------------------
 */

static void the_window_is_followed(void **state)
{
    (void)state;
    struct pty p;
    start_usual(&p); /* LINES and COLUMNS in the environment do not count */
    size_t before = p.output.length;
    pty_resize(&p, 120, 40);
    pty_expect(&p, "resize 120x40");
    assert_true(pty_last(&p, "hotshard", before) >= 0);
    pty_resize(&p, 1, 1);
    pty_expect(&p, "resize 1x1");
    pty_resize(&p, 0, 0);
    pty_expect(&p, "resize 80x24");
    pty_resize(&p, 1200, 600); /* beyond what a canvas holds */
    pty_expect(&p, "resize 1000x500");
    pty_type(&p, "q");
    pty_expect(&p, "key q");
    pty_expect(&p, "exited 0");
    expect_restored(&p);
    pty_end(&p);
}

static long peak_kilobytes(const struct pty *p)
{
    char path[64], line[256];
    long peak = 0;
    snprintf(path, sizeof(path), "/proc/%d/status", (int)p->job);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
        if (strncmp(line, "VmHWM:", 6) == 0)
            peak = strtol(line + 6, NULL, 10);
    if (file != NULL)
        fclose(file);
    return peak; /* 0: this system does not say */
}

/* The window may claim any size at any moment, also between two keys and while a frame is sent. */
static void no_size_is_too_large(void **state)
{
    (void)state;
    static const struct {
        int columns, rows;
        const char *line;
    } sizes[] = {{40000, 24, "resize 1000x24"},     {80, 32768, "resize 80x500"},
                 {65535, 65535, "resize 1000x500"}, {32767, 1, "resize 1000x1"},
                 {32768, 32768, "resize 1000x500"}, {80, 24, "resize 80x24"}};
    struct pty p;
    start_usual(&p);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        pty_resize(&p, sizes[i].columns, sizes[i].rows);
        pty_expect(&p, sizes[i].line);
        pty_type(&p, "f");
        pty_expect(&p, "key f");
    }
    assert_true(peak_kilobytes(&p) < 1000000);
    size_t before = p.output.length;
    pty_type(&p, "f");
    pty_expect(&p, "key f");
    assert_in_range(p.output.length - before, 300, 8000); /* one screen of 80x24 */
    pty_type(&p, "q");
    pty_expect(&p, "key q");
    pty_expect(&p, "exited 0");
    expect_restored(&p);
    pty_end(&p);
}

/* Drawing looks at no size itself: what changed meanwhile is followed at the next read. */
static void draw_in_another_size(int events, void *argument)
{
    struct term *t = term_open(argument, NULL);
    struct canvas *c = canvas_new(1, 1);
    struct winsize huge = {.ws_col = 40000, .ws_row = 40000};
    draw(t, c, '0', false);
    ioctl(STDOUT_FILENO, TIOCSWINSZ, &huge); /* the signal is here before this returns */
    raise(SIGWINCH);
    draw(t, c, '1', false);
    draw(t, c, '0', true);
    tell(term_read(t, -1), events);
    draw(t, c, '1', true);
    canvas_free(c);
    term_close(t);
    dprintf(events, "closed\n");
    exit(0);
}

static void a_size_that_changes_under_a_drawing_is_harmless(void **state)
{
    (void)state;
    struct pty p;
    struct term_options options = {.color = COLOR_NEVER};
    struct pty_job job = {.columns = 80,
                          .rows = 24,
                          .environment = usual,
                          .run = draw_in_another_size,
                          .argument = &options};
    pty_start(&p, &job);
    pty_expect(&p, "resize 1000x500");
    pty_expect(&p, "closed");
    pty_expect(&p, "exited 0");
    expect_restored(&p);
    pty_end(&p);
}

static void any_size_to_start_with_will_do(void **state)
{
    (void)state;
    static const struct {
        int columns, rows;
        const char *ready;
    } sizes[] = {{0, 0, "ready 80x24 0"},           {1, 1, "ready 1x1 0"},
                 {39, 10, "ready 39x10 0"},         {500, 200, "ready 500x200 0"},
                 {40000, 24, "ready 1000x24 0"},    {80, 32768, "ready 80x500 0"},
                 {65535, 65535, "ready 1000x500 0"}};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct pty p;
        struct term_options options = {.color = COLOR_NEVER};
        struct pty_job job = {.columns = sizes[i].columns,
                              .rows = sizes[i].rows,
                              .environment = usual,
                              .run = play,
                              .argument = &options};
        pty_start(&p, &job);
        pty_expect(&p, sizes[i].ready);
        pty_type(&p, "q");
        pty_expect(&p, "key q");
        pty_expect(&p, "exited 0");
        assert_true(pty_modes_as_before(&p));
        pty_end(&p);
    }
}

/* --- what is sent ------------------------------------------------------------------------------
 */

static void an_idle_screen_sends_nothing(void **state)
{
    (void)state;
    struct pty p;
    start_usual(&p);
    size_t before = p.output.length;
    pty_type(&p, "i");
    pty_expect(&p, "key i");
    assert_int_equal(p.output.length, before);
    pty_type(&p, "q");
    pty_expect(&p, "key q");
    pty_end(&p);
}

static void only_changed_cells_are_sent(void **state)
{
    (void)state;
    struct pty p;
    start_usual(&p);
    size_t first = p.output.length;
    pty_type(&p, "x");
    pty_expect(&p, "key x");
    size_t change = p.output.length - first;
    assert_in_range(change, 1, 32);
    pty_type(&p, "f");
    pty_expect(&p, "key f");
    assert_true(p.output.length - first - change > 300); /* but all when asked */
    pty_type(&p, "q");
    pty_expect(&p, "key q");
    pty_end(&p);
}

static void expect_colour(const char *no_color, enum color_wish wish, const char *ready,
                          bool colour)
{
    const char *environment[] = {"TERM=xterm-256color", "LC_ALL=C.UTF-8", no_color, NULL};
    struct pty p;
    start(&p, environment, (struct term_options){.color = wish});
    pty_expect(&p, ready);
    pty_type(&p, "q");
    pty_expect(&p, "key q");
    pty_expect(&p, "exited 0");
    assert_int_equal(has_colour(&p), colour);
    assert_true(pty_last(&p, "hotshard", 0) >= 0);
    expect_restored(&p);
    pty_end(&p);
}

static void colours_are_sent_only_when_wanted(void **state)
{
    (void)state;
    expect_colour("NO_COLOR", COLOR_AUTO, "ready 80x24 256", true);
    expect_colour("NO_COLOR=", COLOR_AUTO, "ready 80x24 256", true);
    expect_colour("NO_COLOR=1", COLOR_AUTO, "ready 80x24 0", false);
    expect_colour("NO_COLOR=1", COLOR_ALWAYS, "ready 80x24 256", true);
    expect_colour("NO_COLOR", COLOR_NEVER, "ready 80x24 0", false);
}

static bool is_ascii(const struct pty *p)
{
    for (size_t i = 0; i < p->output.length; i++)
        if ((unsigned char)p->output.text[i] >= 0x80)
            return false;
    return true;
}

static void every_kind_of_terminal_shows_the_text(void **state)
{
    (void)state;
    static const struct {
        const char *term, *locale, *ready;
        bool ascii_wish, ascii;
    } kinds[] = {
        {"TERM=xterm-256color", "LC_ALL=C.UTF-8", "ready 80x24 256", false, false},
        {"TERM=xterm-256color", "LC_ALL=C", "ready 80x24 256", false, true},
        {"TERM=xterm-256color", "LC_ALL=no_SUCH", "ready 80x24 256", false, true},
        {"TERM=xterm-256color", "LC_ALL=C.UTF-8", "ready 80x24 256", true, true},
        {"TERM=screen-256color", "LC_ALL=C.UTF-8", "ready 80x24 256", false, false},
        {"TERM=tmux-256color", "LC_ALL=C.UTF-8", "ready 80x24 256", false, false},
        {"TERM=linux", "LC_ALL=C.UTF-8", "ready 80x24 8", false, false},
        {"TERM=vt100", "LC_ALL=C.UTF-8", "ready 80x24 0", false, false},
    };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        const char *environment[] = {kinds[i].term, kinds[i].locale, "NO_COLOR", NULL};
        struct pty p;
        start(&p, environment, (struct term_options){.ascii = kinds[i].ascii_wish});
        pty_expect(&p, kinds[i].ready);
        assert_true(pty_last(&p, "hotshard", 0) >= 0);
        assert_int_equal(is_ascii(&p), kinds[i].ascii);
        if (!kinds[i].ascii)
            assert_true(pty_last(&p, "漢字 e\xcc\x81", 0) >= 0);
        pty_type(&p, "\033[A");
        pty_expect(&p, "key up");
        pty_type(&p, "q");
        pty_expect(&p, "key q");
        pty_expect(&p, "exited 0");
        assert_true(pty_modes_as_before(&p));
        pty_end(&p);
    }
}

static void a_terminal_that_will_not_do_is_named_and_left_alone(void **state)
{
    (void)state;
    static const struct {
        const char *term, *sentence;
    } kinds[] = {
        {"TERM", "TERM is not set, "},
        {"TERM=", "TERM is not set, "},
        {"TERM=dumb", "TERM is \"dumb\", "},
        {"TERM=unknown", "TERM is \"unknown\", "},
        {"TERM=xterm-nosuch", "TERM is \"xterm-nosuch\", "},
        {"TERM=\033]0;x", "TERM is \"\\x1b]0;x\", "},
    };
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        const char *environment[] = {kinds[i].term, NULL};
        struct pty p;
        char line[PTY_LINE];
        start(&p, environment, (struct term_options){.color = COLOR_AUTO});
        pty_line(&p, line);
        if (!str_starts(line, kinds[i].sentence))
            fail_msg("\"%s\" does not begin with \"%s\"", line, kinds[i].sentence);
        pty_expect(&p, "exited 2");
        assert_int_equal(p.output.length, 0);
        assert_true(pty_modes_as_before(&p));
        pty_end(&p);
    }
}

static void expect_refusal(int fd, const char *sentence)
{
    struct err err;
    int kept = dup(fd), pipe_ends[2];
    assert_int_equal(pipe(pipe_ends), 0);
    fflush(stdout);
    dup2(pipe_ends[fd == 0 ? 0 : 1], fd);
    bool possible = term_possible(&err);
    dup2(kept, fd);
    close(kept);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    assert_false(possible);
    assert_true(str_starts(err.text, sentence));
}

static void pipes_are_no_terminals(int events, void *argument)
{
    (void)argument;
    setenv("TERM", "xterm", 1);
    assert_true(term_possible(NULL));
    expect_refusal(0, "standard input is not a terminal");
    expect_refusal(1, "standard output is not a terminal");
    dprintf(events, "refused\n");
    _exit(0);
}

static void input_and_output_must_be_terminals(void **state)
{
    (void)state;
    struct pty p;
    struct pty_job job = {.columns = 80, .rows = 24, .run = pipes_are_no_terminals};
    pty_start(&p, &job);
    pty_expect(&p, "refused");
    pty_expect(&p, "exited 0");
    assert_int_equal(p.output.length, 0);
    pty_end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_arrive_by_name),
        cmocka_unit_test(sequences_may_come_in_pieces),
        cmocka_unit_test(escape_alone_acts_soon),
        cmocka_unit_test(a_megabyte_pasted_is_all_read),
        cmocka_unit_test(the_mouse_is_off_unless_wished_and_off_after),
        cmocka_unit_test(the_window_is_followed),
        cmocka_unit_test(no_size_is_too_large),
        cmocka_unit_test(a_size_that_changes_under_a_drawing_is_harmless),
        cmocka_unit_test(any_size_to_start_with_will_do),
        cmocka_unit_test(an_idle_screen_sends_nothing),
        cmocka_unit_test(only_changed_cells_are_sent),
        cmocka_unit_test(colours_are_sent_only_when_wanted),
        cmocka_unit_test(every_kind_of_terminal_shows_the_text),
        cmocka_unit_test(a_terminal_that_will_not_do_is_named_and_left_alone),
        cmocka_unit_test(input_and_output_must_be_terminals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
