/* The real terminal, in a pseudo-terminal: every way out restores it, keys arrive, little is sent.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/check.h"
#include "session/pty.h"
#include "term/term.h"
#include <time.h>

#define SMCUP "\033[?1049h"
#define RMCUP "\033[?1049l"
#define CURSOR_ON "\033[?12l\033[?25h"
#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

/* --- the program in the terminal ---------------------------------------------------------------
 */

/* Draws something in every role, and one cell that `mark` changes. */
static void draw(struct term *t, struct canvas *c, char mark, bool full)
{
    int columns, rows;
    term_size(t, &columns, &rows);
    canvas_resize(c, columns, rows);
    canvas_set_glyphs(c, term_glyphs(t));
    canvas_box(c, (struct rect){0, 0, columns, rows}, LINE_LIGHT, STYLE_DIM);
    canvas_text(c, 2, 1, STYLE_TITLE, "hotshard");
    for (int i = 0; i < STYLE_COUNT; i++)
        canvas_put(c, 2 + i, 2, (enum style)i, 'r');
    canvas_text(c, 2, 3, STYLE_TEXT, "漢字 e\xcc\x81");
    canvas_bar(c, 2, 4, 33, STYLE_OWNER_0);
    canvas_put(c, 2, 5, STYLE_TEXT, (uint32_t)mark);
    canvas_put(c, columns - 1, rows - 1, STYLE_TEXT, 'Z');
    term_show(t, c, full);
}

static int overflow(volatile char *before, int depth)
{
    volatile char room[4096];
    room[0] = before[0];
    return depth == 0 ? room[0] : overflow(room, depth - 1) + room[0];
}

static void idle(struct term *t, struct canvas *c)
{
    for (int i = 0; i < 5; i++) {
        (void)term_read(t, 10);
        draw(t, c, '0', false);
    }
}

/* What the keys do; true when the program should go on. */
static bool obey(struct term *t, struct canvas *c, uint32_t key, int events)
{
    volatile char seed[1] = {0};
    switch (key) {
    case 'q':
        return false;
    case 'a':
        CHECK(key != 'a');
        break;
    case 'e':
        exit(3);
    case 'f':
        draw(t, c, '0', true);
        break;
    case 'h':
        dprintf(events, "hanging\n");
        for (;;)
            pause();
    case 'i':
        idle(t, c);
        break;
    case 'o':
        dprintf(events, "%d\n", overflow(seed, 1 << 24));
        break;
    case 'w':
        fprintf(stderr, "a warning\n");
        break;
    case 'x':
        draw(t, c, '1', false);
        break;
    case 'z':
        term_suspend(t);
        break;
    default:
        if (key >= '1' && key <= '5') {
            static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
            raise(fatal[key - '1']);
        }
        break;
    }
    return true;
}

static void tell(struct term_input input, int events)
{
    char name[KEY_NAME_SIZE];
    switch (input.kind) {
    case TERM_INPUT_TIMEOUT:
        dprintf(events, "timeout\n");
        break;
    case TERM_INPUT_KEY:
        key_to_name(input.key, name);
        dprintf(events, "key %s\n", name);
        break;
    case TERM_INPUT_RESIZE:
        dprintf(events, "resize %dx%d\n", input.columns, input.rows);
        break;
    case TERM_INPUT_RESUME:
        dprintf(events, "resume %dx%d\n", input.columns, input.rows);
        break;
    case TERM_INPUT_END:
        dprintf(events, "end %d\n", input.signal);
        break;
    }
}

static void play(int events, void *argument)
{
    const struct term_options *options = argument;
    struct err err;
    struct term *t = term_open(options, &err);
    if (t == NULL) {
        dprintf(events, "%.100s\n", err.text);
        exit(2);
    }
    struct canvas *c = canvas_new(1, 1);
    int columns, rows;
    term_size(t, &columns, &rows);
    draw(t, c, '0', false);
    dprintf(events, "ready %dx%d %d\n", columns, rows, term_colors(t));
    struct term_input input = {.kind = TERM_INPUT_TIMEOUT};
    bool going = true;
    while (going) {
        input = term_read(t, -1);
        bool shown = input.kind == TERM_INPUT_RESIZE || input.kind == TERM_INPUT_RESUME;
        if (shown)
            draw(t, c, '0', false);
        bool key = input.kind == TERM_INPUT_KEY;
        going = input.kind != TERM_INPUT_END && (!key || obey(t, c, input.key, events));
        tell(input, events);
    }
    canvas_free(c);
    term_close(t);
    if (input.signal != 0)
        raise(input.signal);
    exit(0);
}

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

/* --- helpers -----------------------------------------------------------------------------------
 */

static const char *const usual[] = {
    "TERM=xterm-256color", "LC_ALL=C.UTF-8", "NO_COLOR", "ESCDELAY", "LINES=7", "COLUMNS=9", NULL};

static void start(struct pty *p, const char *const *environment, struct term_options options)
{
    struct pty_job job = {
        .columns = 80, .rows = 24, .environment = environment, .run = play, .argument = &options};
    pty_start(p, &job);
}

static void start_usual(struct pty *p)
{
    start(p, usual, (struct term_options){.color = COLOR_AUTO});
    pty_expect(p, "ready 80x24 256");
    assert_true(pty_last(p, SMCUP, 0) >= 0);
    assert_true(pty_last(p, PASTE_ON, 0) >= 0);
    assert_false(pty_modes_as_before(p));
}

static void expect_restored(const struct pty *p)
{
    assert_true(pty_modes_as_before(p));
    assert_true(pty_last(p, RMCUP, 0) > pty_last(p, SMCUP, 0));
    assert_true(pty_last(p, CURSOR_ON, 0) > pty_last(p, "\033[?25l", 0));
    assert_true(pty_last(p, PASTE_OFF, 0) > pty_last(p, PASTE_ON, 0));
}

static void expect_killed(struct pty *p, int sig)
{
    char line[PTY_LINE];
    snprintf(line, sizeof(line), "killed %d", sig);
    pty_expect(p, line);
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
    static const int signals[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT};
    for (size_t i = 0; i < 4; i++) {
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
    while (pty_signal(&p, SIGINT))
        usleep(2000);
    expect_killed(&p, SIGINT);
    expect_restored(&p);
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

static void any_size_to_start_with_will_do(void **state)
{
    (void)state;
    static const struct {
        int columns, rows;
        const char *ready;
    } sizes[] = {{0, 0, "ready 80x24 0"},
                 {1, 1, "ready 1x1 0"},
                 {39, 10, "ready 39x10 0"},
                 {500, 200, "ready 500x200 0"}};
    for (size_t i = 0; i < 4; i++) {
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
        cmocka_unit_test(quitting_restores_the_terminal),
        cmocka_unit_test(a_plain_exit_restores_the_terminal),
        cmocka_unit_test(a_crash_restores_the_terminal_and_keeps_its_cause),
        cmocka_unit_test(an_overflown_stack_restores_the_terminal),
        cmocka_unit_test(a_failed_check_is_shown_after_the_screen_was_left),
        cmocka_unit_test(a_signal_to_leave_is_reported_and_kept_as_status),
        cmocka_unit_test(a_signal_at_any_moment_restores_the_terminal),
        cmocka_unit_test(ctrl_c_leaves),
        cmocka_unit_test(ctrl_c_ends_even_a_program_that_hangs),
        cmocka_unit_test(a_terminal_that_hangs_up_is_the_end),
        cmocka_unit_test(warnings_wait_until_the_screen_was_left),
        cmocka_unit_test(ctrl_z_stops_and_fg_redraws),
        cmocka_unit_test(the_program_can_stop_itself),
        cmocka_unit_test(a_stopped_job_that_is_killed_ends_without_coming_back),
        cmocka_unit_test(a_job_continued_in_the_background_stops_again),
        cmocka_unit_test(keys_arrive_by_name),
        cmocka_unit_test(sequences_may_come_in_pieces),
        cmocka_unit_test(escape_alone_acts_soon),
        cmocka_unit_test(a_megabyte_pasted_is_all_read),
        cmocka_unit_test(the_mouse_is_off_unless_wished_and_off_after),
        cmocka_unit_test(the_window_is_followed),
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
