/*
 * canvas_dump: a canvas as text, for golden files and tests.
 */
#include "draw/canvas_impl.h"

static void add_row(const struct canvas *c, int y, struct str *out)
{
    for (int x = 0; x < c->columns; x++) {
        struct canvas_cell cell;
        canvas_cell_at(c, x, y, &cell);
        str_add(out, cell.text);
    }
}

void canvas_dump(const struct canvas *c, struct str *out)
{
    for (int y = 0; y < c->rows; y++) {
        str_addc(out, '|');
        add_row(c, y, out);
        str_add(out, "|\n");
    }
    for (int y = 0; y < c->rows; y++) {
        str_addc(out, '|');
        for (int x = 0; x < c->columns; x++) {
            struct canvas_cell cell;
            canvas_cell_at(c, x, y, &cell);
            str_addc(out, style_letter(cell.style));
        }
        str_add(out, "|\n");
    }
}

void canvas_dump_text(const struct canvas *c, struct str *out)
{
    for (int y = 0; y < c->rows; y++) {
        size_t start = out->length;
        add_row(c, y, out);
        while (out->length > start && out->text[out->length - 1] == ' ')
            out->text[--out->length] = '\0';
        str_addc(out, '\n');
    }
}
