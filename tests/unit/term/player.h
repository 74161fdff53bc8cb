/*
 * player: a program that opens the real terminal and does as the keys say; for the tests that run
 * it in a pseudo-terminal. A header of static functions, included once in a test program.
 */
#ifndef HOTSHARD_TESTS_UNIT_TERM_PLAYER_H
#define HOTSHARD_TESTS_UNIT_TERM_PLAYER_H

#include "base/check.h"
#include "session/pty.h"
#include "term/term.h"

#define SMCUP "\033[?1049h"
#define RMCUP "\033[?1049l"
#define CURSOR_ON "\033[?12l\033[?25h"
#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

/* --- the program in the terminal ---------------------------------------------------------------
 */

/* Draws something in every role, and one cell that `mark` changes. */
PTY_API void draw(struct term *t, struct canvas *c, char mark, bool full)
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

PTY_API int overflow(volatile char *before, int depth)
{
    volatile char room[4096];
    room[0] = before[0];
    return depth == 0 ? room[0] : overflow(room, depth - 1) + room[0];
}

PTY_API void idle(struct term *t, struct canvas *c)
{
    for (int i = 0; i < 5; i++) {
        (void)term_read(t, 10);
        draw(t, c, '0', false);
    }
}

/* What the keys do; true when the program should go on. */
PTY_API bool obey(struct term *t, struct canvas *c, uint32_t key, int events)
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

PTY_API void tell(struct term_input input, int events)
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

PTY_API void play(int events, void *argument)
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

/* --- helpers -----------------------------------------------------------------------------------
 */

static const char *const usual[] = {
    "TERM=xterm-256color", "LC_ALL=C.UTF-8", "NO_COLOR", "ESCDELAY", "LINES=7", "COLUMNS=9", NULL};

PTY_API void start(struct pty *p, const char *const *environment, struct term_options options)
{
    struct pty_job job = {
        .columns = 80, .rows = 24, .environment = environment, .run = play, .argument = &options};
    pty_start(p, &job);
}

PTY_API void start_usual(struct pty *p)
{
    start(p, usual, (struct term_options){.color = COLOR_AUTO});
    pty_expect(p, "ready 80x24 256");
    assert_true(pty_last(p, SMCUP, 0) >= 0);
    assert_true(pty_last(p, PASTE_ON, 0) >= 0);
    assert_false(pty_modes_as_before(p));
}

PTY_API void expect_restored(const struct pty *p)
{
    assert_true(pty_modes_as_before(p));
    assert_true(pty_last(p, RMCUP, 0) > pty_last(p, SMCUP, 0));
    assert_true(pty_last(p, CURSOR_ON, 0) > pty_last(p, "\033[?25l", 0));
    assert_true(pty_last(p, PASTE_OFF, 0) > pty_last(p, PASTE_ON, 0));
}

#endif
