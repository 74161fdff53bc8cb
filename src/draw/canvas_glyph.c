/*
 * canvas_glyph: which sign shows a cell, in UTF-8 and in ASCII.
 */
#include "base/check.h"
#include "base/utf8.h"
#include "draw/canvas_impl.h"

/* Box drawing by weights: index north + 3 east + 9 south + 27 west, each 0, 1 light or 2 heavy.
 * Unicode has a sign for every mixture. Light corners are the round ones; a lone half line is drawn
 * whole, so that a rule does not end in a stump. */
static const uint16_t line_glyphs[81] = {
    0x0020, 0x2502, 0x2503, 0x2500, 0x2570, 0x2516, 0x2501, 0x2515, 0x2517, /* south 0, west 0 */
    0x2502, 0x2502, 0x257F, 0x256D, 0x251C, 0x251E, 0x250D, 0x251D, 0x2521, /* south 1 */
    0x2503, 0x257D, 0x2503, 0x250E, 0x251F, 0x2520, 0x250F, 0x2522, 0x2523, /* south 2 */
    0x2500, 0x256F, 0x251A, 0x2500, 0x2534, 0x2538, 0x257C, 0x2536, 0x253A, /* south 0, west 1 */
    0x256E, 0x2524, 0x2526, 0x252C, 0x253C, 0x2540, 0x252E, 0x253E, 0x2544, /* south 1 */
    0x2512, 0x2527, 0x2528, 0x2530, 0x2541, 0x2542, 0x2532, 0x2546, 0x254A, /* south 2 */
    0x2501, 0x2519, 0x251B, 0x257E, 0x2535, 0x2539, 0x2501, 0x2537, 0x253B, /* south 0, west 2 */
    0x2511, 0x2525, 0x2529, 0x252D, 0x253D, 0x2543, 0x252F, 0x253F, 0x2547, /* south 1 */
    0x2513, 0x252A, 0x252B, 0x2531, 0x2545, 0x2549, 0x2533, 0x2548, 0x254B, /* south 2 */
};

static uint32_t line_point(uint32_t mask)
{
    uint32_t north = (mask >> DIR_NORTH) & 3u, east = (mask >> DIR_EAST) & 3u;
    uint32_t south = (mask >> DIR_SOUTH) & 3u, west = (mask >> DIR_WEST) & 3u;
    uint32_t index = north + 3 * east + 9 * south + 27 * west;
    CHECK(index < sizeof(line_glyphs) / sizeof(line_glyphs[0]));
    return line_glyphs[index];
}

static char line_ascii(uint32_t mask)
{
    bool upright = ((mask >> DIR_NORTH) & 3u) != 0 || ((mask >> DIR_SOUTH) & 3u) != 0;
    uint32_t east = (mask >> DIR_EAST) & 3u, west = (mask >> DIR_WEST) & 3u;
    bool level = east != 0 || west != 0;
    if (upright)
        return level ? '+' : '|';
    return east == LINE_HEAVY || west == LINE_HEAVY ? '=' : '-';
}

static char dots_ascii(uint32_t dots)
{
    int count = 0;
    for (uint32_t rest = dots; rest != 0; rest &= rest - 1)
        count++;
    return count >= 6 ? '#' : count >= 3 ? ':' : '.';
}

static char ascii_of(const struct cell *cell)
{
    switch ((enum cell_kind)cell->kind) {
    case CELL_TEXT:
        return cell->value < 0x80 ? (char)cell->value : utf8_ascii(cell->value);
    case CELL_WIDE:
        return '?';
    case CELL_TAIL:
        return ' ';
    case CELL_LINES:
        return line_ascii(cell->value);
    case CELL_DOTS:
        return dots_ascii(cell->value);
    case CELL_BAR:
        return '#';
    }
    check_failed(__FILE__, __LINE__, "a cell of a known kind");
}

static uint32_t point_of(const struct cell *cell)
{
    switch ((enum cell_kind)cell->kind) {
    case CELL_TEXT:
    case CELL_WIDE:
        return cell->value;
    case CELL_TAIL:
        return 0;
    case CELL_LINES:
        return line_point(cell->value);
    case CELL_DOTS:
        return 0x2800u + cell->value;
    case CELL_BAR:
        return 0x2590u - cell->value; /* U+2588 is the full block, U+258F one eighth */
    }
    check_failed(__FILE__, __LINE__, "a cell of a known kind");
}

void canvas_glyph(const struct cell *cell, enum glyphs glyphs, struct canvas_cell *out)
{
    *out = (struct canvas_cell){.width = 1, .style = (enum style)cell->style};
    if (glyphs == GLYPHS_ASCII) {
        out->text[0] = ascii_of(cell);
        return;
    }
    if (cell->kind == CELL_TAIL) {
        out->width = 0;
        return;
    }
    if (cell->kind == CELL_WIDE)
        out->width = 2;
    size_t used = utf8_encode(point_of(cell), out->text);
    for (int i = 0; i < CELL_MARKS && cell->marks[i] != 0; i++)
        used += utf8_encode(cell->marks[i], out->text + used);
    _Static_assert(CANVAS_CELL_TEXT > 4 * (1 + CELL_MARKS), "a full cell and its end fit");
}

void canvas_cell_at(const struct canvas *c, int x, int y, struct canvas_cell *cell)
{
    CHECK(x >= 0 && x < c->columns && y >= 0 && y < c->rows);
    canvas_glyph(&c->cells[(size_t)y * (size_t)c->columns + (size_t)x], c->glyphs, cell);
}
