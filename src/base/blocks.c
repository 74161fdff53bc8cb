/*
 * blocks: lines of each block, then which of them stand side by side.
 */
#include "base/blocks.h"
#include "base/alloc.h"
#include "base/utf8.h"
#include <stdlib.h>
#include <string.h>

#define HANG 2         /* columns by which a broken line goes on further in */
#define COLUMNS_MIN 10 /* narrower pages are set as if they had so many */

static int columns_of(const char *text)
{
    return utf8_columns(text, strlen(text));
}

int blocks_width(const struct block *block)
{
    int most = columns_of(block->title);
    for (size_t i = 0; i < block->lines; i++) {
        int here = columns_of(block->line[i]);
        most = here > most ? here : most;
    }
    return most;
}

/* --- one column of rows --- */

static struct blocks_row *row_at(struct blocks_page *page, size_t at)
{
    while (at >= page->rows) {
        if (page->rows == page->room) {
            page->room = page->room > 0 ? page->room * 2 : 64;
            page->row = xrealloc(page->row, page->room, sizeof *page->row);
        }
        page->row[page->rows++] = (struct blocks_row){{{NULL, false, 0}, {NULL, false, 0}}};
    }
    return &page->row[at];
}

/* Bytes of the first line of at most `room` columns, broken between words where it can be. */
static size_t first_line(const char *text, int room)
{
    size_t length = strlen(text), fits = utf8_fit(text, length, room), end = fits;
    if (fits == length) {
        return length;
    }
    while (end > 0 && text[end] != ' ') {
        end--;
    }
    return end > 0 ? end : fits > 0 ? fits : 1;
}

/* A line, on as many rows as it takes; the row behind it. */
static size_t add_line(struct blocks_page *page, size_t at, int side, const char *text, bool title,
                       int columns)
{
    int hang = 0;
    do {
        size_t length = first_line(text, columns - hang);
        char *copy = xmalloc(length + (size_t)hang + 1);
        memset(copy, ' ', (size_t)hang);
        memcpy(copy + hang, text, length);
        copy[(size_t)hang + length] = '\0';
        row_at(page, at)->piece[side] = (struct blocks_piece){copy, title, columns};
        at++;
        text += length;
        text += strspn(text, " ");
        hang = HANG;
    } while (*text != '\0');
    return at;
}

static size_t add_block(struct blocks_page *page, size_t at, int side, const struct block *block,
                        int columns)
{
    at = add_line(page, at, side, block->title, true, columns);
    for (size_t i = 0; i < block->lines; i++) {
        at = add_line(page, at, side, block->line[i], false, columns);
    }
    row_at(page, at); /* a blank one */
    return at + 1;
}

/* --- side by side --- */

static size_t height_of(const struct block *block, size_t count)
{
    size_t rows = 0;
    for (size_t i = 0; i < count; i++) {
        rows += block[i].lines + 2;
    }
    return rows;
}

/* How many of them stand left, so that the longer column is as short as can be. */
static size_t left_of(const struct block *block, size_t count)
{
    size_t best = count, least = height_of(block, count);
    for (size_t left = 1; left < count; left++) {
        size_t here = height_of(block, left), there = height_of(block + left, count - left);
        size_t longer = here > there ? here : there;
        if (longer <= least) {
            least = longer;
            best = left;
        }
    }
    return best;
}

static size_t add_beside(struct blocks_page *page, size_t at, const struct block *block,
                         size_t count, int half)
{
    size_t left = left_of(block, count), row[2] = {at, at};
    for (size_t i = 0; i < count; i++) {
        int side = i < left ? 0 : 1;
        row[side] = add_block(page, row[side], side, &block[i], half);
    }
    return row[0] > row[1] ? row[0] : row[1];
}

struct blocks_page *blocks_set(const struct block *block, size_t count, int columns)
{
    struct blocks_page *page = xcalloc(1, sizeof *page);
    columns = columns < COLUMNS_MIN ? COLUMNS_MIN : columns;
    int half = (columns - BLOCKS_GAP) / 2;
    size_t at = 0;
    page->right = half + BLOCKS_GAP;
    for (size_t i = 0; i < count;) {
        size_t narrow = i;
        while (narrow < count && blocks_width(&block[narrow]) <= half) {
            narrow++;
        }
        if (narrow > i) {
            at = add_beside(page, at, &block[i], narrow - i, half);
            i = narrow;
        } else {
            at = add_block(page, at, 0, &block[i], columns);
            i++;
        }
    }
    page->rows = at > 0 ? at - 1 : 0; /* no blank row at the end */
    return page;
}

void blocks_free(struct blocks_page *page)
{
    for (size_t i = 0; page != NULL && i < page->rows; i++) {
        free(page->row[i].piece[0].text);
        free(page->row[i].piece[1].text);
    }
    if (page != NULL) {
        free(page->row);
    }
    free(page);
}

/* --- as text --- */

static void print_piece(struct str *out, const struct blocks_piece *piece)
{
    int used = columns_of(piece->text);
    str_add(out, piece->text);
    if (piece->title && used > 0 && piece->columns > used + 1) {
        str_addc(out, ' ');
        str_pad(out, '-', (size_t)(piece->columns - used - 1));
    }
}

void blocks_print(const struct blocks_page *page, struct str *out)
{
    for (size_t i = 0; i < page->rows; i++) {
        const struct blocks_row *row = &page->row[i];
        size_t from = out->length;
        if (row->piece[0].text != NULL) {
            print_piece(out, &row->piece[0]);
        }
        if (row->piece[1].text != NULL) {
            int used = utf8_columns(str_text(out) + from, out->length - from);
            str_pad(out, ' ', used < page->right ? (size_t)(page->right - used) : 0);
            print_piece(out, &row->piece[1]);
        }
        str_addc(out, '\n');
    }
}
