/*
 * cheat: the lesson's card, what it comes down to on one page; `hotshard cheat` prints it.
 *
 * Headings and lines in their order, in two columns where the pane is wide enough. Up and down
 * scroll; there is no selection.
 */
#include "view/inside.h"

#define COLUMNS_MOST 110 /* wider than that, lines part too far */

static const struct page_card *card_of(const struct scene *s)
{
    return s->page != NULL ? s->page->card : NULL;
}

static struct blocks_page *set(const struct page_card *card, int columns)
{
    return blocks_set(card->block, card->blocks, columns > COLUMNS_MOST ? COLUMNS_MOST : columns);
}

static int rows_of(const struct blocks_page *page, int h)
{
    return (int)page->rows > h && h > 1 ? h - 1 : h; /* a line says that there is more */
}

static int64_t first_of(const struct blocks_page *page, const struct view_state *v, int h)
{
    int64_t most = (int64_t)page->rows - rows_of(page, h);
    return view_clamp(v->scroll, 0, most > 0 ? most : 0);
}

static int wants(const struct scene *s, const struct view_state *v)
{
    (void)v;
    return card_of(s) == NULL ? 1 : PAGE_CARD_ROWS_MAX;
}

static void draw_piece(struct canvas *c, int x, int y, const struct blocks_piece *piece)
{
    if (piece->text != NULL) {
        canvas_text(c, x, y, piece->title ? STYLE_STRONG : STYLE_TEXT, piece->text);
    }
}

static void draw(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused)
{
    const struct page_card *card = card_of(s);
    int w = canvas_width(c), h = canvas_height(c);
    if (w < 1 || h < 1) {
        return;
    }
    if (card == NULL) {
        view_draw_note(c, "this lesson has no card");
        return;
    }
    struct blocks_page *page = set(card, w);
    int rows = rows_of(page, h);
    int64_t first = first_of(page, v, h);
    for (int i = 0; i < rows && first + i < (int64_t)page->rows; i++) {
        const struct blocks_row *row = &page->row[first + i];
        draw_piece(c, 0, i, &row->piece[0]);
        draw_piece(c, page->right, i, &row->piece[1]);
    }
    if ((int)page->rows > rows) {
        canvas_textf(c, 0, h - 1, STYLE_KEYCAP, "lines %d-%d of %d: up, down", (int)first + 1,
                     (int)first + rows, (int)page->rows);
    }
    if (focused) {
        canvas_cursor(c, 0, h - 1);
    }
    blocks_free(page);
}

static bool move(struct view_state *v, const struct scene *s, enum verb verb, int w, int h)
{
    const struct page_card *card = card_of(s);
    if (card == NULL || w < 1 || h < 1) {
        return false;
    }
    struct blocks_page *page = set(card, w);
    int rows = rows_of(page, h);
    int64_t first = first_of(page, v, h), most = (int64_t)page->rows - rows;
    bool moved = most > 0 && view_list_move(&first, most + 1, verb, rows);
    v->scroll = moved ? first : v->scroll;
    blocks_free(page);
    return moved;
}

static void tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    const struct page_card *card = card_of(s);
    (void)v;
    if (card == NULL) {
        str_add(out, "This lesson has no card.\n");
        return;
    }
    for (size_t i = 0; i < card->blocks; i++) {
        view_add_wrapped(out, card->block[i].title, TELL_COLUMNS, 2);
        for (size_t k = 0; k < card->block[i].lines; k++) {
            str_add(out, "  ");
            view_add_wrapped(out, card->block[i].line[k], TELL_COLUMNS - 2, 4);
        }
    }
}

static struct subject subject(const struct view_state *v, const struct scene *s)
{
    (void)v;
    (void)s;
    return (struct subject){.kind = SUBJECT_NONE};
}

const struct view view_cheat = {
    .name = "cheat",
    .title = "Cheat card",
    .min_rows = 6,
    .want_rows = 19,
    .wants = wants,
    .draw = draw,
    .move = move,
    .tell = tell,
    .subject = subject,
};
