/*
 * reader: bytes from standard input, gathered until they are keys, and the size of the window.
 *
 * The only place that reads the terminal. It keeps no clock: how long Escape has waited for more is
 * counted in the waits that passed in vain.
 */
#ifndef HOTSHARD_TERM_READER_H
#define HOTSHARD_TERM_READER_H

#include "term/decode.h"

#define READER_ROOM 4096

struct reader {
    struct decoder decoder;
    char bytes[READER_ROOM];
    size_t start, length; /* read and not decoded yet */
    int partial_ms;       /* how long an unfinished sequence has waited */
    int escape_wait_ms;   /* how long it may */
};

enum reader_wait {
    READER_MORE,    /* bytes came */
    READER_LOOK,    /* a signal or a new size: look at them, the wait was cut short */
    READER_NOTHING, /* the time is over */
    READER_GONE     /* end of input, or the terminal is gone */
};

void reader_start(struct reader *r, bool utf8);
void reader_forget(struct reader *r); /* drops what was read, here and in the kernel */
/* The next key of the bytes that are there. */
bool reader_key(struct reader *r, struct term_input *out);
/* Waits at most `ms` (negative: for ever), and not at all when a signal flag is set or the window
 * is not columns by rows. */
enum reader_wait reader_wait(struct reader *r, int ms, int columns, int rows);

/* The window's size, with 80 and 24 for what is not known; false when it cannot be asked. */
bool reader_window(int *columns, int *rows);

#endif
