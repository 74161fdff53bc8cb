/*
 * term_curses: the terminal itself; the only file that includes curses.
 *
 * Curses writes: it knows what is on the screen and sends what changed. Reading is ours, in
 * reader.c (curses' own takes a system call a byte, and loses a character of several bytes that
 * arrives in pieces). Curses never learns of a size by itself: an absurd one (a window can claim
 * 65,535 columns) would cost it gigabytes or its life. We ask the terminal before each wait,
 * SIGWINCH ends the wait (term_signal.c), and follow_size hands on no more than a canvas holds.
 */
#include "base/alloc.h"
#include "base/check.h"
#include "base/utf8.h"
#include "term/backend.h"
#include "term/reader.h"
#include "term/term_signal.h"
#include "term/theme.h"
#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <termcap.h>
#include <unistd.h>
#include <wchar.h>

#define FOREGROUND_TRIES 16

#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"
#define MOUSE_ON "\033[?1000h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1003l\033[?1002l\033[?1000l"

struct term_curses {
    struct term base;
    char type[64];
    SCREEN *screen;
    struct termios saved;
    bool active; /* curses has the terminal; false while stopped, and after */
    bool paste, mouse;
    attr_t attributes[STYLE_COUNT];
    short pairs[STYLE_COUNT];
    struct reader reader;
};

static bool is_open; /* curses allows one terminal at a time, and so do we */

/* --- may it open? ---------------------------------------------------------------------------- */

bool term_possible(struct err *err)
{
    if (!isatty(STDIN_FILENO))
        return err_set(err, "standard input is not a terminal, so there is no full screen; "
                            "run it from a terminal or use --plain");
    if (!isatty(STDOUT_FILENO))
        return err_set(err, "standard output is not a terminal, so there is no full screen; "
                            "run it in a terminal or use --plain");
    const char *type = getenv("TERM");
    if (type == NULL || type[0] == '\0')
        return err_set(err, "TERM is not set, so this terminal is unknown; set it, for example "
                            "TERM=xterm-256color, or use --plain");
    if (tgetent(NULL, type) != 1)
        return err_set(err,
                       "TERM is \"%s\", of which this machine has no description; set "
                       "TERM=xterm-256color if your terminal is like most, or use --plain",
                       type);
    if (tgetstr("cm", NULL) == NULL)
        return err_set(err,
                       "TERM is \"%s\", a terminal that cannot place its cursor; set TERM to what "
                       "your terminal is, for example xterm-256color, or use --plain",
                       type);
    return true;
}

/* A job in the background must not touch the terminal: it stops, as any other does, until it is
 * brought back. False when it never is, or a signal asks to leave meanwhile. */
static bool wait_for_foreground(void)
{
    for (int i = 0; i < FOREGROUND_TRIES; i++) {
        pid_t owner = tcgetpgrp(STDIN_FILENO);
        if (owner == getpgrp() || owner < 0) /* below 0: there is no job control here */
            return true;
        if (term_signal_leave() != 0)
            return false;
        kill(0, SIGTTOU);
    }
    return false;
}

/* --- modes ----------------------------------------------------------------------------------- */

static void send(const char *text)
{
    size_t length = strlen(text);
    while (length > 0) {
        ssize_t n = write(STDOUT_FILENO, text, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return; /* gone: the next read says so */
        text += n;
        length -= (size_t)n;
    }
}

static const char *capability(const char *name)
{
    const char *text = tigetstr(name);
    return text == NULL || text == (const char *)-1 ? NULL : text;
}

/* Adds a capability without its padding ("$<5>"), if there is one and it fits. */
static void add_plain(struct str *out, const char *text)
{
    for (; text != NULL && *text != '\0'; text++) {
        const char *end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;
        if (end != NULL)
            text = end;
        else
            str_addc(out, *text);
    }
}

static void arm_rescue(const struct term_curses *t)
{
    static const char *const ends[] = {"sgr0", "smam", "rmkx", "cnorm", "rmcup"};
    struct str text = STR_EMPTY;
    if (t->paste)
        str_add(&text, PASTE_OFF);
    if (t->mouse)
        str_add(&text, MOUSE_OFF);
    if (t->base.colors > 0)
        add_plain(&text, capability("op"));
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        add_plain(&text, capability(ends[i]));
    size_t length = text.length < TERM_RESCUE_MAX ? text.length : 0;
    term_rescue_arm(&t->saved, str_text(&text), length);
    str_free(&text);
}

/* What curses does not set: paste marks and mouse reports. */
static void extra_modes(const struct term_curses *t, bool on)
{
    if (t->paste)
        send(on ? PASTE_ON : PASTE_OFF);
    if (t->mouse)
        send(on ? MOUSE_ON : MOUSE_OFF);
}

/* Gives the terminal back, byte for byte. */
static void leave_screen(struct term_curses *t)
{
    if (!t->active)
        return;
    t->active = false;
    /* Even from the background: a job that ends must clean up and not be stopped for it. */
    sigset_t quiet, old;
    sigemptyset(&quiet);
    sigaddset(&quiet, SIGTTOU);
    CHECK(sigprocmask(SIG_BLOCK, &quiet, &old) == 0);
    extra_modes(t, false);
    endwin();
    tcsetattr(STDIN_FILENO, TCSADRAIN, &t->saved);
    CHECK(sigprocmask(SIG_SETMASK, &old, NULL) == 0);
    term_rescue_disarm();
}

/* --- size ------------------------------------------------------------------------------------ */

/* Curses set the scrolling region to the size that it began with, and a cursor that moves down does
 * not leave the region. */
static void scroll_whole(int rows)
{
    const char *region = capability("csr");
    if (region != NULL)
        send(tparm(region, 0L, (long)rows - 1, 0L, 0L, 0L, 0L, 0L, 0L, 0L));
}

/* Follows the window; true when its size changed. */
static bool follow_size(struct term_curses *t)
{
    int columns, rows;
    if (!reader_window(&columns, &rows))
        return false;
    if (columns == t->base.columns && rows == t->base.rows)
        return false;
    t->base.columns = columns;
    t->base.rows = rows;
    if (is_term_resized(rows, columns)) {
        resize_term(rows, columns);
        scroll_whole(rows);
    }
    clearok(curscr, TRUE); /* what a terminal leaves on its screen after this is anybody's guess */
    return true;
}

/* --- opening and closing --------------------------------------------------------------------- */

static void set_colors(struct term_curses *t, enum color_wish wish)
{
    int wanted = theme_colors(wish, getenv("NO_COLOR"), tigetnum("colors"));
    if (wanted > 0 && (start_color() == ERR || use_default_colors() == ERR))
        wanted = 0;
    t->base.colors = wanted;
    for (int i = 0; i < STYLE_COUNT; i++) {
        struct look look = theme_look((enum style)i, wanted);
        short pair = (short)(i + 1);
        if (look.color >= 0 && init_pair(pair, look.color, -1) == ERR) {
            look = theme_look((enum style)i, 0); /* no room for the pair: attributes carry it */
        } else if (look.color >= 0) {
            t->pairs[i] = pair;
        }
        t->attributes[i] = (look.attributes & LOOK_BOLD ? A_BOLD : A_NORMAL) |
                           (look.attributes & LOOK_DIM ? A_DIM : A_NORMAL) |
                           (look.attributes & LOOK_UNDERLINE ? A_UNDERLINE : A_NORMAL) |
                           (look.attributes & LOOK_REVERSE ? A_REVERSE : A_NORMAL);
    }
}

static void learn_keys(struct decoder *d)
{
    static const struct {
        const char *name;
        uint32_t key;
    } keys[] = {
        {"kcuu1", LKEY_UP},       {"kcud1", LKEY_DOWN},    {"kcub1", LKEY_LEFT},
        {"kcuf1", LKEY_RIGHT},    {"kpp", LKEY_PAGE_UP},   {"knp", LKEY_PAGE_DOWN},
        {"khome", LKEY_HOME},     {"kend", LKEY_END},      {"kdch1", LKEY_DELETE},
        {"kich1", LKEY_INSERT},   {"kbs", LKEY_BACKSPACE}, {"kent", LKEY_ENTER},
        {"kcbt", LKEY_SHIFT_TAB}, {"kf1", LKEY_F1},        {"kf2", LKEY_F1 + 1},
        {"kf3", LKEY_F1 + 2},     {"kf4", LKEY_F1 + 3},    {"kf5", LKEY_F1 + 4},
        {"kf6", LKEY_F1 + 5},     {"kf7", LKEY_F1 + 6},    {"kf8", LKEY_F1 + 7},
        {"kf9", LKEY_F1 + 8},     {"kf10", LKEY_F1 + 9},   {"kf11", LKEY_F1 + 10},
        {"kf12", LKEY_F1 + 11},
    };
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        decoder_learn(d, capability(keys[i].name), keys[i].key);
}

static void set_modes(void)
{
    cbreak(); /* not raw: Ctrl-C, Ctrl-Z and Ctrl-\ stay signals */
    noecho();
    nonl();
    struct termios now;
    if (tcgetattr(STDIN_FILENO, &now) == 0) {
        /* Ctrl-S must not freeze a learner's screen; and input is eight bits wide. */
        now.c_iflag &= ~(tcflag_t)(IXON | ISTRIP);
        now.c_lflag &= ~(tcflag_t)IEXTEN;
        tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
        def_prog_mode();
    }
    intrflush(stdscr, FALSE);
    keypad(stdscr, TRUE);
    scrollok(stdscr, FALSE); /* or the last cell would scroll the screen */
    idcok(stdscr, FALSE);    /* shifting a line may split a wide character */
    typeahead(-1);           /* a drawn frame is a shown frame */
    curs_set(0);
}

static void curses_close(struct term *base)
{
    struct term_curses *t = (struct term_curses *)base;
    leave_screen(t);
    delscreen(t->screen);
    term_signals_remove();
    term_stderr_release();
    is_open = false;
    free(t);
}

static void curses_bell(struct term *base)
{
    if (((struct term_curses *)base)->active)
        beep();
}

/* --- showing --------------------------------------------------------------------------------- */

/* The cell in curses' terms; returns its columns. What libc measures otherwise than we do is
 * replaced, for curses goes by libc: columns must line up on every screen. */
static int to_wide(const struct term_curses *t, const struct canvas_cell *cell,
                   wchar_t out[CANVAS_CELL_TEXT])
{
    size_t length = strlen(cell->text), at = 0, count = 0;
    while (at < length) {
        uint32_t point;
        at += utf8_decode(cell->text + at, length - at, &point);
        out[count++] = (wchar_t)point;
    }
    out[count] = L'\0';
    bool ascii = t->base.glyphs == GLYPHS_ASCII;
    if (out[0] < 0x80 || (!ascii && wcwidth(out[0]) == cell->width))
        return cell->width;
    out[0] = ascii ? (wchar_t)utf8_ascii((uint32_t)out[0]) : (wchar_t)UTF8_REPLACEMENT;
    out[1] = L'\0';
    return 1;
}

static void put_wide(const struct term_curses *t, int x, int y, const wchar_t *text,
                     enum style style)
{
    cchar_t glyph;
    if (setcchar(&glyph, text, t->attributes[style], t->pairs[style], NULL) == ERR)
        setcchar(&glyph, L"?", t->attributes[style], t->pairs[style], NULL);
    /* In the last cell curses writes and then complains that it cannot go on; that is fine. */
    mvadd_wch(y, x, &glyph);
}

static void put_cell(const struct term_curses *t, int x, int y, const struct canvas_cell *cell)
{
    wchar_t text[CANVAS_CELL_TEXT] = L" ";
    int columns = 1;
    if (x + cell->width <= COLS)
        columns = to_wide(t, cell, text);
    put_wide(t, x, y, text, cell->style);
    if (columns < cell->width && x + 1 < COLS)
        put_wide(t, x + 1, y, L" ", cell->style);
}

static void curses_show(struct term *base, const struct canvas *c, bool full)
{
    struct term_curses *t = (struct term_curses *)base;
    if (!t->active)
        return;
    int columns = canvas_columns(c) < COLS ? canvas_columns(c) : COLS;
    int rows = canvas_rows(c) < LINES ? canvas_rows(c) : LINES;
    if (columns < COLS || rows < LINES)
        erase();
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < columns; x++) {
            struct canvas_cell cell;
            canvas_cell_at(c, x, y, &cell);
            if (cell.width > 0)
                put_cell(t, x, y, &cell);
        }
    }
    int x = 0, y = 0;
    bool cursor = canvas_cursor_at(c, &x, &y) && x < COLS && y < LINES;
    move(cursor ? y : LINES - 1, cursor ? x : COLS - 1);
    curs_set(cursor ? 1 : 0);
    if (full)
        clearok(curscr, TRUE);
    refresh();
}

/* --- stopping -------------------------------------------------------------------------------- */

static void curses_suspend(struct term *base)
{
    struct term_curses *t = (struct term_curses *)base;
    if (!t->active)
        return;
    leave_screen(t);
    term_signal_stop_job();
    if (term_signal_leave() != 0 || !wait_for_foreground())
        return; /* stays inactive: the next read ends */
    t->active = true;
    arm_rescue(t);
    reader_forget(&t->reader); /* first: a key pressed once the screen is back counts */
    follow_size(t);
    clearok(curscr, TRUE);
    refresh();
    extra_modes(t, true);
}

/* --- reading --------------------------------------------------------------------------------- */

static struct term_input with_size(const struct term_curses *t, enum term_input_kind kind)
{
    return (struct term_input){.kind = kind, .columns = t->base.columns, .rows = t->base.rows};
}

static bool is_outside(const struct term_curses *t, const struct term_input *input)
{
    return input->key == LKEY_MOUSE &&
           (input->columns >= t->base.columns || input->rows >= t->base.rows);
}

static struct term_input curses_read(struct term *base, int timeout_ms)
{
    struct term_curses *t = (struct term_curses *)base;
    const struct term_input end = {.kind = TERM_INPUT_END};
    for (;;) {
        struct term_input input = end;
        input.signal = term_signal_leave();
        if (input.signal != 0 || !t->active)
            return input;
        if (term_signal_stop()) {
            curses_suspend(base);
            if (t->active)
                return with_size(t, TERM_INPUT_RESUME);
            continue;
        }
        while (reader_key(&t->reader, &input))
            if (!is_outside(t, &input))
                return input;
        if (follow_size(t))
            return with_size(t, TERM_INPUT_RESIZE);
        bool partial = t->reader.length > 0;
        int before_ms = t->reader.partial_ms;
        switch (reader_wait(&t->reader, timeout_ms, base->columns, base->rows)) {
        case READER_MORE:
            break;
        case READER_LOOK:
            /* How much of the time is over is not known: look, and do not wait again. */
            timeout_ms = timeout_ms > 0 ? 0 : timeout_ms;
            break;
        case READER_NOTHING:
            if (!partial)
                return (struct term_input){.kind = TERM_INPUT_TIMEOUT};
            if (timeout_ms >= 0) {
                timeout_ms -= t->reader.partial_ms - before_ms;
                if (timeout_ms <= 0 && t->reader.partial_ms < t->reader.escape_wait_ms)
                    return (struct term_input){.kind = TERM_INPUT_TIMEOUT};
            }
            break;
        case READER_GONE:
            return end;
        }
    }
}

/* --- opening --------------------------------------------------------------------------------- */

static bool locale_is_utf8(void)
{
    setlocale(LC_CTYPE, ""); /* only this: numbers keep their decimal point */
    const char *codeset = nl_langinfo(CODESET);
    return strcasecmp(codeset, "UTF-8") == 0 || strcasecmp(codeset, "UTF8") == 0;
}

static bool start_curses(struct term_curses *t, const struct term_options *options)
{
    /* It starts with this size, whatever the window and the environment say (not every terminal's
     * description has one); follow_size says the rest. */
    use_tioctl(FALSE);
    setenv("LINES", "24", 1);
    setenv("COLUMNS", "80", 1);
    term_rescue_arm(&t->saved, "", 0);
    t->screen = newterm(NULL, stdout, stdin);
    unsetenv("LINES");
    unsetenv("COLUMNS");
    if (t->screen == NULL) {
        term_rescue_disarm();
        return false;
    }
    t->active = true;
    /* Terminals with an alternate screen and the usual cursor motion know, or pass over, these. */
    const char *motion = capability("cup");
    bool modern = motion != NULL && str_starts(motion, "\033[") && capability("smcup") != NULL;
    t->paste = modern;
    t->mouse = options->mouse && modern;
    set_colors(t, options->color);
    arm_rescue(t);
    set_modes();
    learn_keys(&t->reader.decoder);
    t->base.columns = COLS;
    t->base.rows = LINES;
    follow_size(t);
    refresh();
    extra_modes(t, true);
    return true;
}

struct term *term_open(const struct term_options *options, struct err *err)
{
    static const struct term_ops ops = {.close = curses_close,
                                        .show = curses_show,
                                        .read = curses_read,
                                        .suspend = curses_suspend,
                                        .bell = curses_bell};
    CHECK(!is_open);
    if (!term_possible(err))
        return NULL;
    struct term_curses *t = xcalloc(1, sizeof(*t));
    bool utf8 = locale_is_utf8();
    t->base.ops = &ops;
    t->base.type = t->type;
    t->base.glyphs = utf8 && !options->ascii ? GLYPHS_UTF8 : GLYPHS_ASCII;
    snprintf(t->type, sizeof(t->type), "%s", getenv("TERM"));
    reader_start(&t->reader, utf8);
    term_signals_install();
    bool ours = wait_for_foreground() && tcgetattr(STDIN_FILENO, &t->saved) == 0;
    if (ours)
        term_stderr_hold();
    if (ours && start_curses(t, options)) {
        is_open = true;
        return &t->base;
    }
    term_stderr_release();
    term_signals_remove();
    err_set(err,
            ours ? "the terminal \"%s\" could not be opened; set TERM to another name, or use "
                   "--plain"
                 : "the terminal \"%s\" belongs to another job; bring this one to the "
                   "foreground (fg) and start again",
            t->type);
    free(t);
    return NULL;
}
