/*
 * style: what a cell means, never which colour it has.
 *
 * A canvas stores a role; the terminal layer has one table from role to colour and attribute for
 * each colour depth. Meaning never hangs on colour: owners also carry a letter and a bar pattern.
 * Dumps print one letter a role (style_letter), so a change of theme breaks no golden file.
 */
#ifndef HOTSHARD_DRAW_STYLE_H
#define HOTSHARD_DRAW_STYLE_H

#include <stdint.h>

enum style {
    STYLE_TEXT,
    STYLE_DIM,      /* captions, frames, what is not the point now */
    STYLE_STRONG,   /* emphasis in prose, headings inside a pane */
    STYLE_TITLE,    /* the top line and pane titles */
    STYLE_CODE,     /* keys, slots, commands in prose */
    STYLE_LINK,     /* glossary words */
    STYLE_KEYCAP,   /* a key that can be pressed */
    STYLE_GOOD,     /* right, served */
    STYLE_WARN,     /* refused, stale, attention */
    STYLE_BAD,      /* wrong, lost */
    STYLE_FOCUS,    /* frame and title of the focused pane */
    STYLE_SELECTED, /* the selected thing: reverse video */
    STYLE_MOVED,    /* changed owner */
    STYLE_LIMIT,    /* a ceiling line */
    STYLE_MESSAGE,  /* the one-line message above the key line */
    STYLE_HEAT_1,   /* how much of the most: from next to nothing ... */
    STYLE_HEAT_2,
    STYLE_HEAT_3,
    STYLE_HEAT_4,
    STYLE_HEAT_5,  /* ... to nearly all; signs say the same */
    STYLE_OWNER_0, /* eight owners; owner n uses STYLE_OWNER_0 + n % 8 */
    STYLE_OWNER_7 = STYLE_OWNER_0 + 7,
    STYLE_COUNT
};

#define STYLE_OWNERS 8

enum style style_owner(uint32_t shard);
char style_letter(enum style style);     /* for dumps: distinct, '.' for STYLE_TEXT */
char style_owner_letter(uint32_t shard); /* a..z then A..Z, '?' beyond: S0 is 'a' */

#endif
