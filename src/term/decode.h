/*
 * decode: from the bytes a terminal sends to logical keys. A pure function over a table; reads
 * nothing and waits for nothing.
 *
 * Bytes arrive in any pieces. decoder_take looks at what has come so far and answers: a key,
 * nothing (bytes that mean no key to us, to be dropped), or partial (more bytes may make a key of
 * it). The caller who has waited long enough asks again with `last` and then never hears partial:
 * this is how Escape alone is told from a sequence that begins with it.
 */
#ifndef HOTSHARD_TERM_DECODE_H
#define HOTSHARD_TERM_DECODE_H

#include "term/term.h"

#define DECODER_SEQUENCES 128
#define DECODER_SEQUENCE_SIZE 12

enum decoded {
    DECODED_KEY,
    DECODED_NOTHING,
    DECODED_PARTIAL
};

struct decoder {
    struct {
        char bytes[DECODER_SEQUENCE_SIZE];
        size_t length;
        uint32_t key;
    } sequences[DECODER_SEQUENCES];
    int count;
    bool utf8;    /* else bytes beyond ASCII are characters of the locale's own set */
    bool pasting; /* between the two paste marks all is text */
};

/* Knows the sequences that terminals of the ANSI family send. */
void decoder_start(struct decoder *d, bool utf8);
/* Adds one of the terminal's own, before those known; NULL, single characters and overlong ones are
 * passed over. */
void decoder_learn(struct decoder *d, const char *sequence, uint32_t key);

/* `used` is how many bytes to drop: 0 only with partial. For a mouse click columns and rows of
 * `out` are the cell, counted from 0. */
enum decoded decoder_take(struct decoder *d, const char *bytes, size_t length, bool last,
                          size_t *used, struct term_input *out);

#endif
