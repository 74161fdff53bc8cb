/*
 * reader: see reader.h.
 */
#include "term/reader.h"
#include "base/check.h"
#include "base/num.h"
#include "term/term_signal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#define ESCAPE_WAIT_MS 25
#define ESCAPE_WAIT_MAX_MS 10000

void reader_start(struct reader *r, bool utf8)
{
    *r = (struct reader){.escape_wait_ms = ESCAPE_WAIT_MS};
    decoder_start(&r->decoder, utf8);
    /* Curses' own variable, for lines on which a sequence arrives in pieces. */
    const char *wish = getenv("ESCDELAY");
    uint64_t ms;
    if (wish != NULL && num_parse_u64(wish, "ESCDELAY", 0, ESCAPE_WAIT_MAX_MS, &ms, NULL))
        r->escape_wait_ms = (int)ms;
}

void reader_forget(struct reader *r)
{
    tcflush(STDIN_FILENO, TCIFLUSH);
    r->start = r->length = 0;
    r->partial_ms = 0;
    r->decoder.pasting = false;
}

bool reader_key(struct reader *r, struct term_input *out)
{
    bool last = r->partial_ms >= r->escape_wait_ms;
    while (r->length > 0) {
        size_t used;
        enum decoded found =
            decoder_take(&r->decoder, r->bytes + r->start, r->length, last, &used, out);
        if (found == DECODED_PARTIAL)
            return false;
        CHECK(used > 0 && used <= r->length);
        r->start += used;
        r->length -= used;
        r->partial_ms = 0;
        if (found == DECODED_KEY)
            return true;
    }
    return false;
}

static enum reader_wait fill(struct reader *r)
{
    memmove(r->bytes, r->bytes + r->start, r->length);
    r->start = 0;
    CHECK(r->length < sizeof(r->bytes)); /* the decoder never waits for that much */
    ssize_t n = read(STDIN_FILENO, r->bytes + r->length, sizeof(r->bytes) - r->length);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN ? READER_LOOK : READER_GONE;
    if (n == 0)
        return READER_GONE;
    r->length += (size_t)n;
    r->partial_ms = 0;
    return READER_MORE;
}

static bool size_differs(int columns, int rows)
{
    int w, h;
    return reader_window(&w, &h) && (w != columns || h != rows);
}

enum reader_wait reader_wait(struct reader *r, int ms, int columns, int rows)
{
    int rest = r->escape_wait_ms - r->partial_ms;
    if (r->length > 0 && (ms < 0 || ms > rest))
        ms = rest > 0 ? rest : 0;
    struct timespec limit = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000L};
    fd_set in;
    FD_ZERO(&in);
    FD_SET(STDIN_FILENO, &in);
    /* Signals are held from the look at the flags to the wait: none slips in between unseen. */
    sigset_t waiting;
    term_signals_hold(&waiting);
    int ready = -1;
    errno = EINTR;
    if (!term_signal_flagged() && !size_differs(columns, rows))
        ready = pselect(STDIN_FILENO + 1, &in, NULL, NULL, ms < 0 ? NULL : &limit, &waiting);
    int why = errno;
    term_signals_let_go(&waiting);
    if (ready > 0)
        return fill(r);
    if (ready < 0)
        return why == EINTR ? READER_LOOK : READER_GONE;
    if (r->length > 0)
        r->partial_ms += ms;
    return READER_NOTHING;
}

static int size_or(int value, int unknown, int most)
{
    return value <= 0 ? unknown : value > most ? most : value;
}

bool reader_window(int *columns, int *rows)
{
    struct winsize now;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &now) != 0)
        return false;
    *columns = size_or(now.ws_col, 80, CANVAS_COLUMNS_MAX);
    *rows = size_or(now.ws_row, 24, CANVAS_ROWS_MAX);
    return true;
}
