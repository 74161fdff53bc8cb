/*
 * waterfall_rows: from the requests in the trace's window to the rows of the waterfall, and which
 * of them are in sight. See waterfall.c.
 */
#include "base/alloc.h"
#include "engine/reads/reads.h"
#include "view/waterfall_parts.h"
#include <stdlib.h>

static int by_time(const void *a, const void *b)
{
    const struct asked *x = *(const struct asked *const *)a, *y = *(const struct asked *const *)b;
    if (x->asked_us != y->asked_us) {
        return x->asked_us < y->asked_us ? -1 : 1;
    }
    return x->number < y->number ? -1 : x->number > y->number;
}

bool fall_from_cache(const struct asked *a)
{
    return !a->own && (a->reason == REASON_CACHE_FRESH || a->reason == REASON_CACHE_STALE);
}

static struct fall_row *add_row(struct fall *f, enum fall_kind kind, const struct asked *a)
{
    struct fall_row *row = &f->row[f->rows++];
    *row = (struct fall_row){.kind = kind, .a = a, .many = 1, .group = a->query};
    return row;
}

/* The query's line, and below it who waits for it. */
static void add_group(struct fall *f, const struct asked *query)
{
    size_t at = f->rows;
    add_row(f, FALL_QUERY, query);
    for (size_t i = 0; i < f->reads; i++) {
        const struct asked *a = f->order[i];
        if (a->query == query->number) {
            add_row(f, FALL_WAITS, a);
            f->row[at].waiting++;
        }
    }
}

/* Reads that a cache answered, one after the other with nothing in between, share a row. */
static void add_cached(struct fall *f, size_t i)
{
    struct fall_row *last = f->rows > 0 ? &f->row[f->rows - 1] : NULL;
    if (last != NULL && last->kind == FALL_CACHED && last->from + last->many == i) {
        last->many++;
        return;
    }
    add_row(f, FALL_CACHED, f->order[i])->from = i;
}

/* Queries of this key that nobody who is remembered waits for come at their time, too. */
static void add_rows(struct fall *f, const struct asked **query, size_t queries)
{
    size_t q = 0;
    for (size_t i = 0; i < f->reads; i++) {
        const struct asked *a = f->order[i];
        for (; q < queries && query[q]->asked_us <= a->answered_us &&
               (query[q]->asked_us <= a->asked_us || a->query == query[q]->number);
             q++) {
            add_group(f, query[q]);
        }
        if (fall_from_cache(a)) {
            add_cached(f, i);
        } else if (a->query == a->number || a->query == 0) {
            add_row(f, a->query == 0 ? FALL_OPEN : FALL_ALONE, a);
        }
    }
    for (; q < queries; q++) {
        add_group(f, query[q]);
    }
}

bool fall_open(struct fall *f, const struct scene *s, const struct view_state *v)
{
    *f = (struct fall){0};
    const char *key = view_key_of(s, v->argument);
    if (s->world == NULL || key[0] == '\0' || !world_find_key(s->world, bytes_of(key), &f->key)) {
        return false;
    }
    f->known = true;
    asked_open(&f->list, s->world);
    const struct asked **query = xcalloc(f->list.count + 1, sizeof *query);
    f->order = xcalloc(f->list.count + 1, sizeof *f->order);
    f->row = xcalloc(f->list.count + 1, sizeof *f->row);
    size_t queries = 0;
    for (size_t i = 0; i < f->list.count; i++) {
        const struct asked *a = &f->list.item[i];
        if (a->key != f->key || !op_reads((enum op_kind)a->op)) {
            continue;
        }
        if (a->own && a->ask != 0) {
            query[queries++] = a;
        } else if (asked_of_client(a)) {
            f->order[f->reads++] = a;
            f->queries += a->query == a->number;
        }
    }
    f->queries += queries;
    qsort(f->order, f->reads, sizeof *f->order, by_time);
    qsort(query, queries, sizeof *query, by_time);
    add_rows(f, query, queries);
    free(query);
    return f->rows > 0;
}

void fall_close(struct fall *f)
{
    free(f->order);
    free(f->row);
    asked_close(&f->list);
}

bool fall_row_has(const struct fall *f, const struct fall_row *row, uint64_t number)
{
    for (size_t i = 0; row->kind == FALL_CACHED && i < row->many; i++) {
        if (f->order[row->from + i]->number == number) {
            return true;
        }
    }
    return row->a->number == number;
}

/* The selected row; until there is one, the last query that is over and was waited for. */
int64_t fall_selected_row(const struct fall *f, const struct view_state *v)
{
    int64_t open = (int64_t)f->rows - 1;
    for (size_t i = 0; v->has_selection && i < f->rows; i++) {
        if (fall_row_has(f, &f->row[i], (uint64_t)v->selected)) {
            return (int64_t)i;
        }
    }
    for (size_t i = f->rows; i > 0; i--) {
        const struct fall_row *row = &f->row[i - 1];
        if (row->kind == FALL_QUERY && row->waiting > 0) {
            if (asked_is_over(&f->list, row->a)) {
                return (int64_t)i - 1;
            }
            open = (int64_t)i - 1;
        }
    }
    return open;
}

/* Rows for lines, below the head; what is left is for words. */
int fall_line_rows(int h)
{
    return h >= 8 ? h - AXIS_ROWS - 2 : h >= 4 ? h - AXIS_ROWS : h - 1;
}

int64_t fall_first_row(const struct fall *f, const struct view_state *v, int rows)
{
    int64_t at = fall_selected_row(f, v), all = (int64_t)f->rows;
    int64_t end = at;
    /* All who wait for the selected query, as far as they fit. */
    while (end + 1 < all && f->row[end + 1].kind == FALL_WAITS &&
           f->row[end + 1].group == f->row[at].group && end - at + 2 <= rows) {
        end++;
    }
    int64_t first = v->has_selection ? view_list_first(v->scroll, end, all, rows) : end - rows + 1;
    return view_list_first(first, at, all, rows);
}
