/*
 * theme: from a role to colour and attributes, for each colour depth. Knows no curses.
 *
 * The terminal's own colours are kept wherever a role needs none (-1). Colours of the 256-colour
 * table are of middling lightness, so that they read on a dark and on a light background; owners
 * take hues that stay apart for colour-blind eyes (after Okabe and Ito). With fewer colours, and
 * with none, attributes carry what must be seen, and every picture has letters besides.
 */
#ifndef HOTSHARD_TERM_THEME_H
#define HOTSHARD_TERM_THEME_H

#include "term/term.h"

enum look_attribute {
    LOOK_BOLD = 1,
    LOOK_DIM = 2,
    LOOK_UNDERLINE = 4,
    LOOK_REVERSE = 8
};

struct look {
    int16_t color;      /* of the text, -1 for the terminal's own; the background stays */
    uint8_t attributes; /* of enum look_attribute */
};

/* `colors` is 0, 8, 16 or 256. */
struct look theme_look(enum style style, int colors);

/* The depth to use: the wish, then NO_COLOR (its value, NULL when unset), then what the terminal
 * has. */
int theme_colors(enum color_wish wish, const char *no_color, int terminal_colors);

#endif
