/*
 * theme: the one table of looks.
 */
#include "term/theme.h"
#include "base/check.h"

#define BOLD LOOK_BOLD
#define DIM LOOK_DIM
#define UNDER LOOK_UNDERLINE
#define REVERSE LOOK_REVERSE

/* For each role the looks with 256, 16, 8 and no colours. Low colour numbers: 1 red, 2 green,
 * 3 yellow, 4 blue, 5 magenta, 6 cyan, 9 to 14 the same but bright. Grey is made by the dim
 * attribute below 256 colours: number 8 is the background itself in some palettes. */
static const struct look looks[STYLE_COUNT][4] = {
    [STYLE_TEXT] = {{-1, 0}, {-1, 0}, {-1, 0}, {-1, 0}},
    [STYLE_DIM] = {{244, 0}, {-1, DIM}, {-1, DIM}, {-1, DIM}},
    [STYLE_STRONG] = {{-1, BOLD}, {-1, BOLD}, {-1, BOLD}, {-1, BOLD}},
    [STYLE_TITLE] = {{-1, BOLD}, {-1, BOLD}, {-1, BOLD}, {-1, BOLD}},
    [STYLE_CODE] = {{98, 0}, {5, 0}, {5, 0}, {-1, BOLD}},
    [STYLE_LINK] = {{32, UNDER}, {4, UNDER}, {-1, UNDER}, {-1, UNDER}},
    [STYLE_KEYCAP] = {{32, BOLD}, {-1, BOLD}, {-1, BOLD}, {-1, BOLD}},
    [STYLE_GOOD] = {{29, BOLD}, {2, 0}, {2, 0}, {-1, BOLD}},
    [STYLE_WARN] = {{172, BOLD}, {3, BOLD}, {3, BOLD}, {-1, BOLD | UNDER}},
    [STYLE_BAD] = {{160, BOLD}, {1, BOLD}, {1, BOLD}, {-1, BOLD | REVERSE}},
    [STYLE_FOCUS] = {{32, BOLD}, {6, BOLD}, {6, BOLD}, {-1, BOLD}},
    [STYLE_SELECTED] = {{-1, REVERSE}, {-1, REVERSE}, {-1, REVERSE}, {-1, REVERSE}},
    [STYLE_MOVED] = {{170, BOLD}, {5, BOLD}, {5, BOLD}, {-1, UNDER | REVERSE}},
    [STYLE_LIMIT] = {{166, 0}, {1, 0}, {1, 0}, {-1, BOLD}},
    [STYLE_MESSAGE] = {{-1, BOLD}, {-1, BOLD}, {-1, BOLD}, {-1, BOLD}},
    /* From cold to hot; a map's signs grow denser too. */
    [STYLE_HEAT_1] = {{244, 0}, {-1, DIM}, {-1, DIM}, {-1, DIM}},
    [STYLE_HEAT_2] = {{68, 0}, {4, 0}, {4, 0}, {-1, 0}},
    [STYLE_HEAT_3] = {{170, 0}, {5, 0}, {5, 0}, {-1, 0}},
    [STYLE_HEAT_4] = {{172, BOLD}, {3, 0}, {3, 0}, {-1, BOLD}},
    [STYLE_HEAT_5] = {{160, BOLD}, {1, BOLD}, {1, BOLD}, {-1, BOLD}},
    /* Neighbours differ in lightness too; without colour in weight, beside their letters. */
    [STYLE_OWNER_0] = {{68, 0}, {4, 0}, {4, 0}, {-1, 0}},
    [STYLE_OWNER_0 + 1] = {{172, 0}, {3, 0}, {3, 0}, {-1, BOLD}},
    [STYLE_OWNER_0 + 2] = {{36, 0}, {6, 0}, {6, 0}, {-1, 0}},
    [STYLE_OWNER_0 + 3] = {{169, 0}, {5, 0}, {5, 0}, {-1, BOLD}},
    [STYLE_OWNER_0 + 4] = {{97, 0}, {12, 0}, {4, BOLD}, {-1, 0}},
    [STYLE_OWNER_0 + 5] = {{131, 0}, {1, 0}, {1, 0}, {-1, BOLD}},
    [STYLE_OWNER_0 + 6] = {{64, 0}, {2, 0}, {2, 0}, {-1, 0}},
    [STYLE_OWNER_7] = {{244, 0}, {13, 0}, {-1, BOLD}, {-1, BOLD}},
};

struct look theme_look(enum style style, int colors)
{
    CHECK((unsigned)style < STYLE_COUNT);
    int depth = colors >= 256 ? 0 : colors >= 16 ? 1 : colors >= 8 ? 2 : 3;
    return looks[style][depth];
}

int theme_colors(enum color_wish wish, const char *no_color, int terminal_colors)
{
    bool unwanted = no_color != NULL && no_color[0] != '\0';
    if (wish == COLOR_NEVER || (wish == COLOR_AUTO && unwanted))
        return 0;
    /* A terminal of direct colours numbers only the first eight as everybody does. */
    if (terminal_colors > 256)
        return 8;
    return terminal_colors >= 256 ? 256 : terminal_colors >= 16 ? 16 : terminal_colors >= 8 ? 8 : 0;
}
